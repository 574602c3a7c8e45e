"""Functions of matrices: `expm`, `sqrtm`, `funm`, and the complex Schur form that two of them are found from.

Tests: `tests/scipy/test_linalg.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.options.config import debug_nans
from ..core.types import Array
from ..lax import linalg as lax_linalg
from ..numpy.promotion import check_arraylike, of_one_inexact_dtype
from ..numpy.vectorization import vectorize
from ..prims.matrices import adjoint_of
from ..transforms.derivatives.grad import jvp
from ..transforms.jit.jit import inner_jit, lowerable

__all__ = ["expm", "expm_frechet", "funm", "rsf2csf", "sqrtm"]


def inexact(*args) -> list[Array]:
    """Arrays of one float or complex dtype; nested lists become arrays, as in SciPy."""
    arrays = [jnp.asarray(a) if isinstance(a, (list, tuple)) else a for a in args]
    return [jnp.asarray(a) for a in of_one_inexact_dtype("jax.scipy.linalg", *arrays)]


def check_square(name: str, a, argument: str = "") -> None:
    """ValueError if these are no square matrices."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        text = f"Input '{argument}' must be square." if argument else f"expected a square matrix, got shape {a.shape}"
        raise ValueError(message(text, why=f"{name} wants [..., n, n]; this one has shape {a.shape}."))


def _complex_schur(a):
    """Return (T, Z) with a = Z T Z^H and upper triangular T."""
    inexact = dtypes.issubdtype(a.dtype, np.inexact)
    return lax_linalg.schur(a.astype(dtypes.to_complex_dtype(a.dtype)) if inexact else a)


def _triangular_columns(n: int, system: Callable, start):
    """Return the strictly upper columns of a matrix, from the first to the last.

    `system(x, j)` gives, of the matrix so far and a column, an upper triangular matrix and a right-hand side;
    the rows above the diagonal of the solution become column j.
    """
    rows = np.arange(n, dtype=np.int32)

    def column(j, x):
        matrix, rhs = system(x, j)
        above = rows < j
        inside = above[:, None] & above[None, :]
        matrix = jnp.where(inside, matrix, jnp.eye(n, dtype=x.dtype))
        # What is divided by zero is zero where there is a solution.
        vanishes = jnp.diagonal(matrix) == 0
        matrix = jnp.where(np.eye(n, dtype=bool) & vanishes[None, :], 1, matrix)
        found = lax_linalg.triangular_solve(matrix, jnp.where(above, rhs, 0)[:, None], left_side=True)[:, 0]
        found = jnp.where(jnp.any(vanishes & (found != 0)), jnp.nan, found)
        return jnp.where((rows == j)[None, :] & above[:, None], found[:, None], x)

    return lax.fori_loop(1, n, column, start)


@inner_jit
def sqrtm(A, blocksize: int = 1) -> Array:
    """Return the principal square root of a matrix, complex; NaN where there is none.

    Args:
      A: `[n, n]`.
      blocksize: has no effect.
    Returns:
      `[n, n]`, complex: X with X X = A, whose eigenvalues have no negative real part.
    Raises:
      TypeError: `A` is not an array or scalar; lists are not converted.

    From the Schur form, column by column: Björck and Hammarling (1983).

    >>> sqrtm(jnp.array([[4.]]))
    Array([[2.+0.j]], dtype=complex64)
    """
    check_arraylike("sqrtm", A)
    (A,) = inexact(A)
    if A.ndim > 2:
        raise ValueError(message("diag input must be 1d or 2d", why="sqrtm takes one matrix.",
                                 fix="jax.vmap(sqrtm)(A)"))
    t, z = _complex_schur(A)
    diagonal = jnp.sqrt(jnp.diagonal(t))
    eye = jnp.eye(t.shape[0], dtype=t.dtype)
    root = _triangular_columns(
        t.shape[0], lambda r, j: (r + diagonal[j] * eye, t[:, j]), jnp.diag(diagonal)
    )
    return z @ root @ adjoint_of(z)


@inner_jit(static_argnames=("check_finite",))
def rsf2csf(T, Z, check_finite: bool = True) -> tuple[Array, Array]:
    """Return the complex Schur form of a real one, by rotations that clear the blocks on the diagonal.

    Args:
      T, Z: `[..., n, n]`, what `schur` returned.
      check_finite: has no effect.
    Returns:
      (T, Z), complex, of the same shapes; T is triangular.
    Raises:
      TypeError: `T` is not an array.

    >>> rsf2csf(jnp.array([[1.]]), jnp.array([[1.]]))[0]
    Array([[1.+0.j]], dtype=complex64)
    """
    T, Z = inexact(T, Z)
    check_square("rsf2csf", T, "T")
    check_square("rsf2csf", Z, "Z")
    dtype = dtypes.to_complex_dtype(T.dtype)
    return vectorize(_rotated, signature="(n,n),(n,n)->(n,n),(n,n)")(T.astype(dtype), Z.astype(dtype))


def _rotated(t, z):
    """Return the triangular form of a matrix that is triangular but for blocks of two rows, and the basis for it."""
    eps = dtypes.finfo(t.dtype).eps
    for m in range(t.shape[0] - 1, 0, -1):
        needed = jnp.abs(t[m, m - 1]) > eps * (jnp.abs(t[m - 1, m - 1]) + jnp.abs(t[m, m]))
        t, z = lax.cond(needed, partial(_rotated_at, m), lambda t, z: (t, z), t, z)
        t = t.at[m, m - 1].set(0)
    return t, z


def _rotated_at(m: int, t, z):
    corner = t[m, m - 1]
    mu = jnp.linalg.eigvals(t[m - 1 : m + 1, m - 1 : m + 1])[0] - t[m, m]
    r = jnp.hypot(jnp.abs(mu), jnp.abs(corner)).astype(t.dtype)
    c, s = mu / r, corner / r
    rotation = jnp.array([[jnp.conj(c), s], [-s, c]])
    t = t.at[m - 1 : m + 1, m - 1 :].set(rotation @ t[m - 1 : m + 1, m - 1 :])
    t = t.at[: m + 1, m - 1 : m + 1].set(t[: m + 1, m - 1 : m + 1] @ adjoint_of(rotation))
    return t, z.at[:, m - 1 : m + 1].set(z[:, m - 1 : m + 1] @ adjoint_of(rotation))


def funm(A, func: Callable, disp: bool = True) -> Any:
    """Return a function of a matrix, from its values on the eigenvalues.

    Args:
      A: `[n, n]` with distinct eigenvalues.
      func: of an array, element by element.
      disp: False returns an estimate of the error, too.
    Returns:
      `[n, n]`, complex; without `disp` a pair of it and the estimated error.
    Raises:
      TypeError: `A` is not an array of floats.

    Parlett's recurrence, column by column: Golub and Van Loan, 9.1.

    >>> funm(jnp.array([[1., 0.], [0., 4.]]), jnp.sqrt).real
    Array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    A = jnp.asarray(A)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(message(
            "expected square array_like input", why=f"A has shape {A.shape}.",
            fix="jax.vmap(lambda a: funm(a, func))(A) for a stack of matrices",
        ))
    n = A.shape[0]
    t, z = _complex_schur(A)
    d = jnp.diagonal(t)
    f = func(d)
    eye = jnp.eye(n, dtype=t.dtype)

    def system(x, j):
        column = jnp.where(np.arange(n) < j, t[:, j], 0)
        return t - d[j] * eye, x @ column - column * f[j]

    inner = _triangular_columns(n, system, jnp.diag(f).astype(t.dtype))
    out = z @ inner @ adjoint_of(z)
    if disp:
        return out
    eps = dtypes.finfo(t.dtype).eps
    gaps = jnp.abs(d[:, None] - d[None, :])
    least = jnp.minimum(1.0, jnp.min(gaps, initial=np.inf, where=~np.eye(n, dtype=bool)))
    least = jnp.where(least == 0, eps, least)
    error = jnp.clip(eps / least * jnp.linalg.norm(jnp.triu(t, 1), 1), eps, 1)
    return out, jnp.where(jnp.all(jnp.isfinite(out)), error, np.inf)


# Coefficients of the diagonal Padé approximants of exp, and the norm up to which they are exact.
_PADE = {
    7: ((17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0, 1.0), 3.925724783138660),
    13: (
        (
            64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
            10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
        ),
        5.371920351148152,
    ),
}


@inner_jit(static_argnames=("upper_triangular", "max_squarings"))
def expm(A, *, upper_triangular: bool = False, max_squarings: int = 16) -> Array:
    """Return the exponential of matrices, the sum of A^k / k!.

    Args:
      A: `[..., n, n]`.
      upper_triangular: they are, which saves a factorization.
      max_squarings: matrices so large that they need more squarings give NaN.
    Returns:
      `[..., n, n]`. The dtype is that of `A`; integers and booleans become floats.
    Raises:
      ValueError: the matrices are not square.
      TypeError: they are of half precision.

    Scaling, a Padé approximant and squaring: Higham, "The scaling and squaring method for the matrix exponential
    revisited" (2005).

    >>> expm(jnp.zeros((2, 2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    check_arraylike("expm", A)
    (A,) = inexact(A)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ValueError(
            message(
                f"Expected A to be a (batched) square matrix, got A.shape={A.shape}.",
                fix="A.mT @ A, which is square; jnp.diag(x) for a vector",
            )
        )
    if dtypes.finfo(A.dtype).bits < 32:
        raise TypeError(message(
            f"A.dtype={A.dtype} is not supported.",
            why="The coefficients of the approximant leave the range of half precision.",
            fix="expm(A.astype(jnp.float32)).astype(A.dtype)",
        ))
    if A.ndim > 2:
        function = partial(expm, upper_triangular=upper_triangular, max_squarings=max_squarings)
        return vectorize(function, signature="(n,n)->(n,n)")(A)
    if not A.size:
        return A
    order = 7 if dtypes.finfo(A.dtype).bits <= 32 else 13
    coefficients, bound = _PADE[order]
    size = jnp.linalg.norm(lax.stop_gradient(A), 1)
    turns = jnp.maximum(0, jnp.ceil(jnp.log2(size / bound)))
    turns = jnp.where(jnp.isfinite(turns), turns, 0)
    x = A / jnp.exp2(turns).astype(A.dtype)
    eye = jnp.eye(A.shape[-1], dtype=A.dtype)
    square, powers = x @ x, [eye]
    while len(powers) <= order // 2:
        powers.append(powers[-1] @ square if len(powers) > 1 else square)
    number = A.dtype.type
    total = lambda start: sum((number(c) * p for c, p in zip(coefficients[start::2], powers)), start=0 * eye)
    even, odd = total(0), x @ total(1)
    if upper_triangular:
        out = lax_linalg.triangular_solve(even - odd, even + odd, left_side=True)
    else:
        out = jnp.linalg.solve(even - odd, even + odd)

    def turn(r, i):
        return lax.cond(i < turns, lambda r: r @ r, lambda r: r, r), None

    out, _ = lax.scan(turn, out, jnp.arange(max_squarings, dtype=turns.dtype))
    with debug_nans(False):  # also where `jit` is disabled, the NaN that is not chosen is no error
        return jnp.where((turns > max_squarings) | ~jnp.isfinite(size), number(np.nan), out)


@lowerable(static_argnames=("method", "compute_expm"))
def expm_frechet(A, E, *, method: str | None = None, compute_expm: bool = True) -> Any:
    """Return the exponential of a matrix and its derivative in a direction.

    Args:
      A, E: `[..., n, n]`, of one shape.
      method: None, "SPS" or "blockEnlarge": the derivative of the approximant, or the corner of the exponential
        of a larger matrix.
      compute_expm: return (expm(A), derivative), else the derivative.
    Returns:
      (exponential, derivative), both of the shape of `A`; or the derivative.
    Raises:
      TypeError: `A` is not an array.

    >>> expm_frechet(jnp.zeros((1, 1)), jnp.array([[2.]]))[1]
    Array([[2.]], dtype=float32)
    """
    A, E = inexact(A, E)
    if A.ndim < 2 or A.shape[-2] != A.shape[-1]:
        raise ValueError(
            message(
                f"expected A to be a (batched) square matrix, got A.shape={A.shape}",
                fix="A.mT @ A, which is square; jnp.diag(x) for a vector",
            )
        )
    if E.ndim < 2 or E.shape[-2] != E.shape[-1]:
        raise ValueError(
            message(
                f"expected E to be a (batched) square matrix, got E.shape={E.shape}",
                fix="a direction of the shape of A",
            )
        )
    if A.shape != E.shape:
        raise ValueError(
            message(
                f"expected A and E to be the same shape, got A.shape={A.shape} E.shape={E.shape}",
                fix="jnp.broadcast_to(E, A.shape)",
            )
        )
    if method not in (None, "SPS", "blockEnlarge"):
        raise ValueError(message(f"Unknown method {method}", fix="method='SPS'"))
    if method == "blockEnlarge":
        n = A.shape[-1]
        out = expm(jnp.block([[A, E], [jnp.zeros_like(A), A]]))
        value, slope = out[..., :n, :n], out[..., :n, n:]
    else:
        value, slope = jvp(expm, (A,), (E,))
    return (value, slope) if compute_expm else slope

public(globals())
