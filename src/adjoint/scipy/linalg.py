"""`adjoint.scipy.linalg`: factorizations with SciPy's interface, and functions of matrices.

Matrices are the last two axes. `overwrite_*` and `check_finite` are there for SciPy's sake and do nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.boundaries import public
from ..core.errors import message
from ..core.types import Array
from ..lax import linalg as lax_linalg
from ..numpy.promotion import convert, promote_inexact
from ..numpy.systems import lu_solution
from ..numpy.vectorization import vectorize
from ..prims.matrices import adjoint_of
from ..transforms.grad import jvp
from ..transforms.jit import inner_jit
from .structured import (
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    dft,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    leslie,
    pascal,
    toeplitz,
)

__all__ = [
    "block_diag", "cho_factor", "cho_solve", "cholesky", "circulant", "companion", "convolution_matrix", "det",
    "dft", "eigh", "eigh_tridiagonal", "expm", "expm_frechet", "fiedler", "fiedler_companion", "funm", "hadamard",
    "hankel", "helmert", "hessenberg", "hilbert", "inv", "invhilbert", "invpascal", "leslie", "lu", "lu_factor",
    "lu_solve", "pascal", "polar", "qr", "qr_multiply", "rsf2csf", "schur", "solve", "solve_sylvester",
    "solve_triangular", "sqrtm", "svd", "toeplitz",
]


def _inexact(*args) -> list[Array]:
    arrays = [jnp.asarray(promote_inexact("jax.scipy.linalg", a)[0]) for a in args]
    dtype, weak = dtypes.lattice_result_type(*arrays)
    return [convert(a, dtype, weak) for a in arrays]


def _check_square(name: str, a) -> None:
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(message(f"expected a square matrix, got shape {a.shape}", why=f"{name} wants [..., n, n]."))


# ---- Cholesky ------------------------------------------------------------------------------------


@inner_jit(static_argnames=("lower", "overwrite_a", "check_finite"))
def cholesky(a, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The triangular factor of Hermitian positive definite matrices: U with a = U^H U, or L with a = L L^H.

    Args:
      a: `[..., n, n]`.
      lower: which of the two.

    >>> cholesky(4 * jnp.eye(2))
    Array([[2., 0.],
           [0., 2.]], dtype=float32)
    """
    (a,) = _inexact(a)
    factor = lax_linalg.cholesky(a if lower else adjoint_of(a), symmetrize_input=False)
    return factor if lower else adjoint_of(factor)


def cho_factor(
    a, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Array, bool]:
    """`cholesky`, and `lower`, for `cho_solve`.

    >>> cho_factor(4 * jnp.eye(1))
    (Array([[2.]], dtype=float32), False)
    """
    return cholesky(a, lower=lower), lower


def cho_solve(c_and_lower, b, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """The solution x of a x = b, from the factor of a.

    Args:
      c_and_lower: what `cho_factor` returned.
      b: `[n]`, `[..., n, k]`.

    >>> cho_solve(cho_factor(jnp.array([[4.]])), jnp.array([2.]))
    Array([0.5], dtype=float32)
    """
    c, lower = c_and_lower
    c, b = _inexact(c, b)
    _check_square("cho_solve", c)
    half = solve_triangular(c, b, trans=0 if lower else 2, lower=lower)
    return solve_triangular(c, half, trans=2 if lower else 0, lower=lower)


# ---- other factorizations ------------------------------------------------------------------------


@inner_jit(static_argnames=("full_matrices", "compute_uv", "overwrite_a", "check_finite", "lapack_driver"))
def svd(
    a, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """(U, s, V^H) with a = U diag(s) V^H, or s; see `jnp.linalg.svd`.

    >>> svd(jnp.array([[3.]]), compute_uv=False)
    Array([3.], dtype=float32)
    """
    (a,) = _inexact(a)
    return lax_linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


def det(a, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The determinant; see `jnp.linalg.det`.

    >>> det(jnp.array([[2., 1.], [0., 3.]]))
    Array(6., dtype=float32)
    """
    return jnp.linalg.det(jnp.asarray(a))


def inv(a, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """The inverse; see `jnp.linalg.inv`.

    >>> inv(jnp.array([[2.]]))
    Array([[0.5]], dtype=float32)
    """
    return jnp.linalg.inv(a)


def eigh(
    a, b=None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
    turbo: bool = True, eigvals: None = None, type: int = 1, check_finite: bool = True,
) -> Any:
    """Eigenvalues and eigenvectors of Hermitian matrices.

    Args:
      a: `[..., n, n]`.
      b, eigvals, type: must be None, None and 1.
      lower: which half of `a` is read.
      eigvals_only: leave the vectors out.
    Returns:
      (w, v) or w.
    Raises:
      NotImplementedError: a generalized problem, or a subset of eigenvalues.

    >>> eigh(jnp.array([[2., 0.], [0., 1.]]), eigvals_only=True)
    Array([1., 2.], dtype=float32)
    """
    if b is not None:
        raise NotImplementedError("Only the b=None case of eigh is implemented")
    if type != 1:
        raise NotImplementedError("Only the type=1 case of eigh is implemented.")
    if eigvals is not None:
        raise NotImplementedError("Only the eigvals=None case of eigh is implemented")
    v, w = lax_linalg.eigh(_inexact(a)[0], lower=lower)
    return w if eigvals_only else (w, v)


@inner_jit(static_argnames=("output",))
def schur(a, output: str = "real") -> tuple[Array, Array]:
    """(T, Z) with a = Z T Z^H, unitary Z and upper triangular T.

    Args:
      a: `[..., n, n]`.
      output: "real": T of a real matrix may have 2 x 2 blocks; "complex": T is triangular.
    Raises:
      ValueError: another output.

    >>> schur(jnp.array([[1., 2.], [0., 3.]]))[0]
    Array([[1., 2.],
           [0., 3.]], dtype=float32)
    """
    if output not in ("real", "complex"):
        raise ValueError(f"Expected 'output' to be either 'real' or 'complex', got output={output}.")
    (a,) = _inexact(a)
    if output == "complex":
        a = a.astype(dtypes.to_complex_dtype(a.dtype))
    t, z = lax_linalg.schur(a)
    return t, z


@inner_jit(static_argnames=("calc_q", "overwrite_a", "check_finite"))
def hessenberg(a, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The Hessenberg form H, zero below the first subdiagonal, of a = Q H Q^H.

    Args:
      a: `[..., n, n]`.
      calc_q: return (H, Q).

    >>> hessenberg(jnp.array([[1., 2.], [3., 4.]]))
    Array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    (a,) = _inexact(a)
    n = a.shape[-1]
    packed, taus = lax_linalg.hessenberg(a)
    h = jnp.triu(packed, -1)
    if not calc_q:
        return h
    if n < 2:
        return h, jnp.broadcast_to(jnp.eye(n, dtype=a.dtype), a.shape)
    q = lax_linalg.householder_product(packed[..., 1:, :-1], taus)
    widths = ((0, 0),) * (a.ndim - 2) + ((1, 0), (1, 0))
    corner = np.zeros((n, n), bool)
    corner[0, 0] = True
    return h, jnp.where(corner, jnp.ones((), a.dtype), jnp.pad(q, widths))


@inner_jit(static_argnames=("overwrite_a", "check_finite"))
def lu_factor(a, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
    """L and U in one array, and the exchanges of rows, for `lu_solve`.

    >>> lu_factor(jnp.array([[2.]]))
    (Array([[2.]], dtype=float32), Array([0], dtype=int32))
    """
    lu, pivots, _ = lax_linalg.lu(_inexact(a)[0])
    return lu, pivots


@inner_jit(static_argnames=("trans", "overwrite_b", "check_finite"))
def lu_solve(lu_and_piv, b, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """The solution x of op(a) x = b, from the factors of a.

    Args:
      lu_and_piv: what `lu_factor` returned.
      b: `[n]` or `[..., n, k]`.
      trans: 0 for a, 1 for its transpose, 2 for its adjoint.

    >>> lu_solve(lu_factor(jnp.array([[2.]])), jnp.array([1.]))
    Array([0.5], dtype=float32)
    """
    lu, pivots = lu_and_piv
    if trans not in (0, 1, 2):
        raise ValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    lu, b = _inexact(lu, b)
    order = lax_linalg.lu_pivots_to_permutation(pivots, lu.shape[-1])
    vector = b.ndim == lu.ndim - 1
    out = lu_solution(lu, order, b[..., None] if vector else b, trans)
    return out[..., 0] if vector else out


@inner_jit(static_argnames=("permute_l", "overwrite_a", "check_finite"))
def lu(a, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """(P, L, U) with a = P L U, or (P L, U).

    Args:
      a: `[..., n, m]`.
      permute_l: multiply the first two.

    >>> lu(jnp.array([[0., 1.], [2., 0.]]))[0]
    Array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    (a,) = _inexact(a)
    packed, _, order = lax_linalg.lu(a)
    n, m = a.shape[-2:]
    k = min(n, m)
    # Row i of L stands in row order[i] of a.
    row = lax.broadcasted_iota(order.dtype, (*order.shape, 1), order.ndim - 1)
    p = (order[..., None, :] == row).astype(jnp.real(a).dtype)
    low = jnp.tril(packed, -1)[..., :, :k] + lax.broadcast_to_rank(jnp.eye(n, k, dtype=a.dtype), a.ndim)
    high = convert(jnp.triu(packed)[..., :k, :], a.dtype, a.weak_type)
    return (p.astype(a.dtype) @ low, high) if permute_l else (p, low, high)


@inner_jit(static_argnames=("overwrite_a", "lwork", "mode", "pivoting", "check_finite"))
def qr(
    a, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False,
    check_finite: bool = True,
) -> tuple[Array, ...]:
    """(Q, R) with a = Q R.

    Args:
      a: `[..., n, m]`.
      mode: "full" (Q is n x n), "economic" (n x min(n, m)) or "r" (only R, in a tuple).
      pivoting: factor a[:, p]; p is returned last.

    >>> qr(jnp.array([[2.]]))[1]
    Array([[2.]], dtype=float32)
    """
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"Unsupported QR decomposition mode '{mode}'")
    q, *rest = lax_linalg.qr(_inexact(a)[0], pivoting=pivoting, full_matrices=mode != "economic")
    return tuple(rest) if mode == "r" else (q, *rest)


def polar(
    a, side: str = "right", *, method: str = "qdwh", eps: float | None = None, max_iterations: int | None = None
) -> tuple[Array, Array]:
    """(U, P) with a = U P ("right") or P U ("left"), orthonormal U and positive semidefinite P.

    Args:
      a: a matrix `[n, m]`.
      method: "qdwh" or "svd".
      eps, max_iterations: of `lax.linalg.qdwh`.
    Raises:
      ValueError: another side or method.

    >>> polar(jnp.array([[-2.]]), method="svd")
    (Array([[-1.]], dtype=float32), Array([[2.]], dtype=float32))
    """
    (a,) = _inexact(a)
    if a.ndim != 2:
        raise ValueError("The input `a` must be a 2-D array.")
    if side not in ("right", "left"):
        raise ValueError(f"The argument `side` must be either 'right' or 'left', got {side}.")
    n, m = a.shape
    if method == "qdwh":
        if n >= m and side == "right":
            return lax_linalg.qdwh(a, max_iterations=max_iterations, eps=eps)[:2]
        if n < m and side == "left":
            u, p = lax_linalg.qdwh(adjoint_of(a), max_iterations=max_iterations, eps=eps)[:2]
            return adjoint_of(u), adjoint_of(p)
        raise NotImplementedError("method='qdwh' only supports side='right' where a has no more columns than rows, "
                                  "and side='left' where it has more.")
    if method != "svd":
        raise ValueError(f"Unknown polar decomposition method {method}.")
    u, s, vh = lax_linalg.svd(a, full_matrices=False)
    s = s.astype(u.dtype)[None]
    p = adjoint_of(vh) * s @ vh if side == "right" else u * s @ adjoint_of(u)
    return u @ vh, p


# ---- systems -------------------------------------------------------------------------------------

_FORMS = {"N": 0, "T": 1, "C": 2}


def solve_triangular(
    a, b, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
    debug: Any = None, check_finite: bool = True,
) -> Array:
    """The solution x of op(a) x = b with triangular a.

    Args:
      a: `[..., n, n]`; half of it is read.
      b: `[n]` or `[..., n, k]`.
      trans: 0 or "N" for a, 1 or "T" for its transpose, 2 or "C" for its adjoint.
      lower, unit_diagonal: which half is read, and whether its diagonal is taken for ones.

    >>> solve_triangular(jnp.array([[2.]]), jnp.array([1.]))
    Array([0.5], dtype=float32)
    """
    form = _FORMS.get(trans, trans) if isinstance(trans, str) else trans
    if form not in (0, 1, 2):
        raise ValueError(f"Invalid 'trans' value {trans}")
    return _solve_triangular(a, b, form, lower, unit_diagonal)


@inner_jit(static_argnames=("trans", "lower", "unit_diagonal"))
def _solve_triangular(a, b, trans, lower, unit_diagonal):
    a, b = _inexact(a, b)
    vector = b.ndim == a.ndim - 1 or b.ndim == 1
    if vector:
        b = b[..., None]
    batch = lax.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (jnp.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))
    out = lax_linalg.triangular_solve(
        a, b, left_side=True, lower=lower, transpose_a=trans > 0, conjugate_a=trans == 2,
        unit_diagonal=unit_diagonal,
    )
    return out[..., 0] if vector else out


def solve(
    a, b, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, debug: bool = False,
    check_finite: bool = True, assume_a: str = "gen",
) -> Array:
    """The solution x of a x = b.

    Args:
      a: `[..., n, n]`.
      b: `[n]` or `[..., n, k]`.
      lower: which half is read of a positive definite `a`.
      assume_a: "gen", "sym" or "her", or "pos" for Cholesky's factorization.
    Raises:
      ValueError: another assumption.

    >>> solve(jnp.array([[2.]]), jnp.array([1.]))
    Array([0.5], dtype=float32)
    """
    if assume_a not in ("gen", "sym", "her", "pos"):
        raise ValueError(f"Expected assume_a to be one of ['gen', 'sym', 'her', 'pos']; got {assume_a!r}")
    if assume_a != "pos":
        return jnp.linalg.solve(a, b)
    a, b = _inexact(a, b)
    factor = lax_linalg.cholesky(lax.stop_gradient(a if lower else adjoint_of(a)), symmetrize_input=False)
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    flags = dict(left_side=True, lower=True)
    found = lax.custom_linear_solve(
        lambda x: a @ x, b, symmetric=a.dtype.kind != "c",
        solve=lambda _, y: lax_linalg.triangular_solve(
            factor, lax_linalg.triangular_solve(factor, y, **flags), transpose_a=True, conjugate_a=True, **flags
        ),
        transpose_solve=lambda _, y: jnp.conj(lax_linalg.triangular_solve(
            factor, lax_linalg.triangular_solve(factor, jnp.conj(y), **flags), transpose_a=True, conjugate_a=True,
            **flags,
        )),
    )
    return found[:, 0] if vector else found


def _triangular_columns(n: int, system: Callable, start):
    """The strictly upper columns of a matrix, from the first to the last.

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


@inner_jit(static_argnames=("method",))
def solve_sylvester(A, B, C, *, method: str = "schur", tol: float = 1e-8) -> Array:
    """The solution X of A X + X B = C.

    Args:
      A: `[m, m]`.
      B: `[n, n]`.
      C: `[m, n]`.
      method: "schur" or "eigen", which is for diagonalizable matrices.
      tol: sums of eigenvalues up to this size make the system singular, and the solution NaN.
    Raises:
      ValueError: the shapes do not fit, or another method.

    >>> solve_sylvester(jnp.array([[1.]]), jnp.array([[2.]]), jnp.array([[6.]])).round(3)
    Array([[2.]], dtype=float32)
    """
    A, B, C = _inexact(A, B, C)
    if A.ndim != 2 or B.ndim != 2 or C.shape != (A.shape[0], B.shape[0]):
        raise ValueError(f"Incompatible shapes for solve_sylvester: {A.shape}, {B.shape} and {C.shape}.")
    if method not in ("schur", "eigen"):
        raise ValueError(f"Unrecognized method {method}. The two valid methods are either \"schur\" or \"eigen\".")
    if method == "eigen":
        (a, u), (b, v) = jnp.linalg.eig(A), jnp.linalg.eig(B)
        sums = a[:, None] + b[None, :]
        inner = jnp.linalg.solve(u, C.astype(u.dtype)) @ v
        x = u @ (inner / sums) @ jnp.linalg.inv(v)
    else:
        (r, u), (s, v) = schur(A, output="complex"), schur(B, output="complex")
        sums = jnp.diagonal(r)[:, None] + jnp.diagonal(s)[None, :]
        f = adjoint_of(u) @ C.astype(u.dtype) @ v
        eye = jnp.eye(r.shape[0], dtype=r.dtype)

        def column(j, y):
            rhs = f[:, j] - y @ jnp.where(np.arange(s.shape[0]) < j, s[:, j], 0)
            new = lax_linalg.triangular_solve(r + s[j, j] * eye, rhs[:, None], left_side=True)
            return jnp.where(np.arange(s.shape[0]) == j, new, y)

        x = u @ lax.fori_loop(0, s.shape[0], column, jnp.zeros_like(f)) @ adjoint_of(v)
    x = jnp.where(jnp.any(jnp.abs(sums) < tol), np.nan, x)
    return x.astype(C.dtype) if C.dtype.kind == "c" else jnp.real(x).astype(C.dtype)


# ---- functions of matrices -----------------------------------------------------------------------


@inner_jit
def sqrtm(A, blocksize: int = 1) -> Array:
    """The principal square root of a matrix, complex; NaN where there is none.

    Args:
      A: `[n, n]`.
      blocksize: 1.

    From the Schur form, column by column: Björck and Hammarling (1983).

    >>> sqrtm(jnp.array([[4.]]))
    Array([[2.+0.j]], dtype=complex64)
    """
    (A,) = _inexact(A)
    _check_square("sqrtm", A)
    t, z = schur(A, output="complex")
    diagonal = jnp.sqrt(jnp.diagonal(t))
    eye = jnp.eye(t.shape[0], dtype=t.dtype)
    root = _triangular_columns(
        t.shape[0], lambda r, j: (r + diagonal[j] * eye, t[:, j]), jnp.diag(diagonal)
    )
    return z @ root @ adjoint_of(z)


@inner_jit
def rsf2csf(T, Z, check_finite: bool = True) -> tuple[Array, Array]:
    """The complex Schur form of a real one, by rotations that clear the blocks on the diagonal.

    Args:
      T, Z: `[n, n]`, what `schur` returned.

    >>> rsf2csf(jnp.array([[1.]]), jnp.array([[1.]]))[0]
    Array([[1.+0.j]], dtype=complex64)
    """
    T, Z = _inexact(T, Z)
    _check_square("rsf2csf", T)
    _check_square("rsf2csf", Z)
    dtype = dtypes.to_complex_dtype(T.dtype)
    t, z = T.astype(dtype), Z.astype(dtype)
    eps = dtypes.finfo(dtype).eps
    for m in range(t.shape[0] - 1, 0, -1):
        corner = t[m, m - 1]
        needed = jnp.abs(corner) > eps * (jnp.abs(t[m - 1, m - 1]) + jnp.abs(t[m, m]))
        # An eigenvalue of the block, less its last element.
        half = (t[m - 1, m - 1] - t[m, m]) / 2
        mu = half + jnp.sqrt(half * half + t[m - 1, m] * corner)
        r = jnp.hypot(jnp.abs(mu), jnp.abs(corner))
        r = jnp.where(needed, r, 1).astype(dtype)
        c, s = mu / r, corner / r
        rotation = jnp.array([[jnp.conj(c), s], [-s, c]])
        rotation = jnp.where(needed, rotation, jnp.eye(2, dtype=dtype))
        t = t.at[m - 1 : m + 1, m - 1 :].set(rotation @ t[m - 1 : m + 1, m - 1 :])
        t = t.at[: m + 1, m - 1 : m + 1].set(t[: m + 1, m - 1 : m + 1] @ adjoint_of(rotation))
        z = z.at[:, m - 1 : m + 1].set(z[:, m - 1 : m + 1] @ adjoint_of(rotation))
        t = t.at[m, m - 1].set(0)
    return t, z


def funm(A, func: Callable, disp: bool = True) -> Any:
    """A function of a matrix, from its values on the eigenvalues.

    Args:
      A: `[n, n]` with distinct eigenvalues.
      func: of an array, element by element.
      disp: False returns an estimate of the error, too.

    Parlett's recurrence, column by column: Golub and Van Loan, 9.1.

    >>> funm(jnp.array([[1., 0.], [0., 4.]]), jnp.sqrt).real
    Array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    (A,) = _inexact(A)
    _check_square("funm", A)
    n = A.shape[0]
    t, z = schur(A, output="complex")
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
    """The exponential of matrices.

    Args:
      A: `[..., n, n]`.
      upper_triangular: they are, which saves a factorization.
      max_squarings: matrices so large that they need more squarings give NaN.
    Raises:
      ValueError: the matrices are not square.

    Scaling, a Padé approximant and squaring: Higham, "The scaling and squaring method for the matrix exponential
    revisited" (2005).

    >>> expm(jnp.zeros((2, 2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    (A,) = _inexact(A)
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ValueError(f"Expected A to be a (batched) square matrix, got A.shape={A.shape}.")
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
        out = solve_triangular(even - odd, even + odd)
    else:
        out = jnp.linalg.solve(even - odd, even + odd)

    def turn(r, i):
        return lax.cond(i < turns, lambda r: r @ r, lambda r: r, r), None

    out, _ = lax.scan(turn, out, jnp.arange(max_squarings, dtype=turns.dtype))
    return jnp.where((turns > max_squarings) | ~jnp.isfinite(size), number(np.nan), out)


def expm_frechet(A, E, *, method: str | None = None, compute_expm: bool = True) -> Any:
    """The exponential of a matrix and its derivative in a direction.

    Args:
      A, E: `[n, n]`.
      method: None, "SPS" or "blockEnlarge": the derivative of the approximant, or the corner of the exponential
        of a larger matrix.
      compute_expm: return (expm(A), derivative), else the derivative.

    >>> expm_frechet(jnp.zeros((1, 1)), jnp.array([[2.]]))[1]
    Array([[2.]], dtype=float32)
    """
    A, E = _inexact(A, E)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"expected A to be a square matrix, got A.shape={A.shape}")
    if E.ndim != 2 or E.shape[0] != E.shape[1]:
        raise ValueError(f"expected E to be a square matrix, got E.shape={E.shape}")
    if A.shape != E.shape:
        raise ValueError(f"expected A and E to be the same shape, got A.shape={A.shape} E.shape={E.shape}")
    if method not in (None, "SPS", "blockEnlarge"):
        raise ValueError(f"Unknown method {method}")
    if method == "blockEnlarge":
        n = A.shape[0]
        out = expm(jnp.block([[A, E], [jnp.zeros_like(A), A]]))
        value, slope = out[:n, :n], out[:n, n:]
    else:
        value, slope = jvp(expm, (A,), (E,))
    return (value, slope) if compute_expm else slope


# ---- by other shapes -----------------------------------------------------------------------------


def qr_multiply(
    a, c, mode: str = "right", pivoting: bool = False, conjugate: bool = False, overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[Array, ...]:
    """A product with the factor Q of a, and R.

    Args:
      a: `[..., m, n]`; Q has k = min(m, n) columns.
      c: `[..., p, m]` for mode "right", c Q; `[..., k, p]` for mode "left", Q c; without p it is one row or column.
      mode: which of the two.
      pivoting: reorder the columns of a; their places are returned last.
      conjugate: use conj(Q).
    Raises:
      ValueError: there is no such mode, or shapes do not fit.

    >>> qr_multiply(jnp.eye(2), jnp.array([1., 2.]))[0]
    Array([1., 2.], dtype=float32)
    """
    if mode not in ("right", "left"):
        raise ValueError(message(f"mode must be 'right' or 'left', got {mode!r}", fix='mode="right"'))
    a, c = _inexact(a, c)
    m, n = a.shape[-2:]
    vector = c.ndim == 1
    if vector:
        c = c[:, None] if mode == "left" else c[None]
    k = min(m, n)
    expected, given = (k, c.shape[-2]) if mode == "left" else (m, c.shape[-1])
    if expected != given:
        product, of_q, of_c = ("Q @ c", "columns", "rows") if mode == "left" else ("c @ Q", "rows", "columns")
        raise ValueError(
            f"Array shapes are not compatible for {product} operation: a has shape {a.shape} so Q has {expected} "
            f"{of_q}, but c has {given} {of_c} (expected {expected})."
        )
    q, *rest = lax_linalg.qr(a, pivoting=pivoting, full_matrices=False)
    q = q.conj() if conjugate else q
    out = q @ c if mode == "left" else c @ q
    return out.ravel() if vector else out, *rest


def eigh_tridiagonal(
    d, e, *, eigvals_only: bool = False, select: str = "a", select_range: tuple[float, float] | None = None,
    tol: float | None = None, key: Any = None,
) -> Any:
    """The eigenvalues, increasing, and eigenvectors of a symmetric tridiagonal matrix.

    Args:
      d: `[n]`, float32 or float64, the diagonal.
      e: `[n - 1]`, beside it.
      eigvals_only: without the vectors.
      select: "a", all; "i", those of the places from `select_range[0]` to `select_range[1]`, with both.
      tol, key: have no effect; the matrix is factored directly.
    Returns:
      eigenvalues `[k]`, or (eigenvalues, eigenvectors `[n, k]`)
    Raises:
      TypeError: the dtypes differ or are others.
      ValueError: there is no such selection, or it is empty.
      NotImplementedError: `select="v"`.

    >>> eigh_tridiagonal(jnp.array([2., 1.]), jnp.array([0.]), eigvals_only=True)
    Array([1., 2.], dtype=float32)
    """
    d, e = jnp.asarray(d), jnp.asarray(e)
    if d.dtype != e.dtype:
        raise TypeError(message(
            f"diagonal and off-diagonal values must have same dtype, got {d.dtype} and {e.dtype}",
            fix="e.astype(d.dtype)",
        ))
    if d.dtype not in (np.float32, np.float64):
        raise TypeError(
            "Only float32 and float64 inputs are supported as inputs to jax.scipy.linalg.eigh_tridiagonal, got "
            f"{d.dtype} and {e.dtype}"
        )
    n = d.shape[0]
    if select == "v":
        raise NotImplementedError("eigh_tridiagonal(..., select='v') is not implemented")
    if select not in ("a", "i"):
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    first, last = 0, n - 1
    if select == "i":
        if select_range is None:
            raise ValueError("for select='i', select_range must be specified.")
        first, last = (int(i) for i in select_range)
        if first > last:
            raise ValueError("Got empty index range in select_range.")
    matrix = jnp.diag(d) + (jnp.diag(e, 1) + jnp.diag(e, -1) if n > 1 else 0)
    w, v = jnp.linalg.eigh(matrix)
    w, v = w[first : last + 1], v[:, first : last + 1]
    return w if eigvals_only else (w, v)

public(globals())
