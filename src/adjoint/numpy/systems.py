"""Linear systems: `solve`, `inv`, `det`, `lstsq`, `pinv`, and what tells how well they can be solved.

`solve` factors once, and its derivatives use the factors again: they follow from the equation
(`lax.custom_linear_solve`), never from the steps of the elimination.

Tests: `tests/linalg/test_linalg.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import describe, message
from ..core.process.records import NamedTuple
from ..core.types import Array, aval_of
from ..lax import linalg as lax_linalg
from ..prims.matrices import adjoint_of, identity, rows_at
from ..prims.matrices import product as matrix_product
from ..prims.triangular import triangular_solve
from ..transforms.custom.custom_jvp import custom_jvp
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, WORTH, replayed
from . import products, reductions, shapes, ufuncs
from .conversion import asarray
from .decompositions import inexact, svd
from .diagonals import diagonal
from .fills import triu
from .promotion import check_arraylike, check_vectorized_ranks, convert
from .selection import where
from .sorting import argsort

__all__ = ["det", "inv", "lstsq", "matrix_rank", "pinv", "slogdet", "solve", "tensorinv", "tensorsolve"]


# ---- solutions -----------------------------------------------------------------------------------


def lu_solution(lu, order, b, trans: int = 0) -> Array:
    """The solution x of op(A) x = b, from the factors of A.

    Args:
      lu: both factors, `[..., n, n]`.
      order: the order of the rows, `[..., n]`.
      b: `[..., n, k]`, with the same batch.
      trans: 0 for A itself, 1 for its transpose, 2 for its adjoint.
    """
    flags = dict(left_side=True, transpose_a=trans > 0, conjugate_a=trans == 2 and lu.dtype.kind == "c")
    lower = dict(lower=True, unit_diagonal=True, **flags)
    upper = dict(lower=False, unit_diagonal=False, **flags)
    if not trans:
        return triangular_solve(lu, triangular_solve(lu, rows_at(b, order), **lower), **upper)
    x = triangular_solve(lu, triangular_solve(lu, b, **upper), **lower)
    return rows_at(x, argsort(order, axis=-1))


def solution(a, b) -> Array:
    """The solution x of a x = b for stacks of matrices with the same batch and dtype."""
    lu, _, order = lax_linalg.lu(lax.stop_gradient(a))
    out = lax.custom_linear_solve(
        lambda x: matrix_product(a, x),
        b,
        solve=lambda _, x: lu_solution(lu, order, x),
        transpose_solve=lambda _, x: lu_solution(lu, order, x, trans=1),
    )
    return convert(out, out.dtype, aval_of(a).weak_type and aval_of(b).weak_type)


def with_batch(a, batch):
    """Matrices repeated over a batch."""
    return shapes.broadcast_to(a, (*batch, *a.shape[-2:]))


@replayed(compiles_after=WORTH)
@inner_jit
def solve(a, b) -> Array:
    """Return the solution x of ``a @ x = b``.

    Args:
      a: matrices `[..., n, n]`.
      b: a vector `[n]`, or matrices `[..., n, k]`; batches broadcast.
    Returns:
      `[..., n]` or `[..., n, k]`; infinite or NaN where `a` is singular.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: the shapes do not fit; `b` of rank over 1 is never a stack of vectors.

    >>> jnp.linalg.solve(jnp.array([[2., 0.], [0., 4.]]), jnp.array([2., 2.]))
    Array([1. , 0.5], dtype=float32)
    """
    check_arraylike("jnp.linalg.solve", a, b)
    dtype, weak = dtypes.lattice_result_type(a, b)
    a, b = (convert(asarray(x), dtypes.to_inexact_dtype(dtype), weak) for x in (a, b))
    if a.ndim < 2:
        raise ValueError(
            message(f"left hand array must be at least two dimensional; got {a.shape=}", fix="b / a")
        )
    if b.shape == a.shape[:-1] and a.ndim > 2 and b.shape[-2] != a.shape[-1]:
        raise ValueError(
            f"Invalid shapes for solve: {a.shape}, {b.shape}. Prior to JAX v0.5.0, this would have been "
            "treated as a batched 1-dimensional solve. To recover this behavior, use "
            "solve(a, b[..., None]).squeeze(-1)."
        )
    vector = b.ndim == 1
    signature = "(m,m),(m)->(m)" if vector else "(m,m),(m,n)->(m,n)"
    if not b.ndim:
        raise ValueError(
            message(
                f"input with shape {b.shape} does not have enough dimensions for all core dimensions "
                f"('m', 'n') on vectorized function with excluded=frozenset() and signature={signature!r}",
                fix="a vector or a matrix as right-hand side",
            )
        )
    lengths = [*a.shape[-2:], b.shape[-1 if vector else -2]]
    other = next((n for n in lengths if n != lengths[0]), None)
    if other is not None:
        raise ValueError(
            message(
                f"inconsistent size for core dimension 'm': {other} vs {lengths[0]} on vectorized function "
                f"with excluded=frozenset() and signature={signature!r}",
                why=f"The matrices have shape {a.shape}, the right-hand side {b.shape}.",
                fix="a square matrix with as many rows as the right-hand side, jnp.linalg.lstsq for one that is not "
                "square, or b[..., None] for a batch of vectors",
            )
        )
    check_vectorized_ranks((a.shape, b.shape), (a.shape[:-2], b.shape[: -1 if vector else -2]), signature)
    if vector:
        b = b[:, None]
    batch = lax.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    out = solution(with_batch(a, batch), with_batch(b, batch))
    return out[..., 0] if vector else out


def _check_square(name: str, a, why: str, fix: str, end: str = "") -> None:
    """Raise ValueError unless these are square matrices."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        text = f"Argument to {name} must have shape [..., n, n], got {a.shape}{end}"
        raise ValueError(message(text, why=why, fix=fix))


@replayed(compiles_after=WORTH)
@inner_jit
def inv(a) -> Array:
    """Return the inverse of square matrices.

    Args:
      a: `[..., n, n]`.
    Returns:
      `[..., n, n]`; infinite or NaN where a matrix is singular.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: the matrices are not square.

    >>> jnp.linalg.inv(jnp.array([[2., 0.], [0., 4.]]))
    Array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    a = asarray(inexact("inv", a))
    fix = "jnp.linalg.pinv(a), or jnp.linalg.lstsq(a, b) to solve"
    _check_square("inv", a, "Only square matrices have inverses.", fix, end=".")
    return solution(convert(a, a.dtype), identity(a, a.shape[-1]))


# ---- determinants --------------------------------------------------------------------------------


class SlogdetResult(NamedTuple):
    """The result of `slogdet`."""

    sign: Array
    logabsdet: Array


@replayed(compiles_after=AT_ONCE)
@inner_jit
def det(a) -> Array:
    """Return the determinant of square matrices.

    Args:
      a: `[..., n, n]`.
    Returns:
      `[...]`, of a float or complex dtype; 0 where a matrix is singular.
    Raises:
      ValueError: the matrices are not square.

    The derivative is the adjugate, so it is right where the determinant is zero.

    >>> jnp.linalg.det(jnp.array([[1., 2.], [3., 4.]]))
    Array(-2., dtype=float32)
    """
    a = asarray(inexact("det", a))
    fix = "a.T @ a, if its determinant is meant, or jnp.linalg.svd for the sizes of the axes"
    _check_square("_det()", a, "Only square matrices have determinants.", fix)
    n = a.shape[-1]
    if not n:
        return lax.full(a.shape[:-2], 1, a.dtype)
    e = lambda i, j: a[..., i, j]
    if n == 1:
        return e(0, 0)
    if n == 2:
        return e(0, 0) * e(1, 1) - e(0, 1) * e(1, 0)
    if n == 3:
        return (
            e(0, 0) * e(1, 1) * e(2, 2) + e(0, 1) * e(1, 2) * e(2, 0) + e(0, 2) * e(1, 0) * e(2, 1)
            - e(0, 2) * e(1, 1) * e(2, 0) - e(0, 0) * e(1, 2) * e(2, 1) - e(0, 1) * e(1, 0) * e(2, 2)
        )
    return _det(a)


def _exchanges(pivots):
    """Return how many exchanges of rows there were."""
    moved = pivots != lax.broadcasted_iota(pivots.dtype, pivots.shape, pivots.ndim - 1)
    return reductions.count_nonzero(moved, axis=-1)


def _parity(count):
    return 1 - 2 * (count % 2)


@custom_jvp
def _det(a):
    lu, pivots, _ = lax_linalg.lu(a)
    return reductions.prod(diagonal(lu, axis1=-2, axis2=-1), axis=-1) * _parity(_exchanges(pivots)).astype(a.dtype)


@_det.defjvp
def _det_jvp(primals, tangents):
    """tr(adj(A) A_dot), also where det A = 0: the last pivot, which may be 0, is multiplied out.

    With P A = L U and U' with a 1 in place of the last pivot u, the solution of U' z = (u y_1, y_2) is
    u U^-1 (y_1, y_2).
    """
    (a,), (t,) = primals, tangents
    n = a.shape[-1]
    lu, pivots, order = lax_linalg.lu(a)
    d = diagonal(lu, axis1=-2, axis2=-1)
    u, first = d[..., -1:], d[..., :-1]
    size = (reductions.prod(first, axis=-1) * _parity(_exchanges(pivots)).astype(a.dtype))[..., None, None]
    y = triangular_solve(
        lu, rows_at(t, order), left_side=True, lower=True, transpose_a=False, conjugate_a=False, unit_diagonal=True
    )
    is_last = lax.broadcast_to_rank(np.arange(n) == n - 1, d.ndim)
    y = where(is_last[..., None], y, u[..., None] * y)
    eye = identity(a, n)
    pivot = where(d == 0, lax.full_like(d, 1), d)
    pivot = where(is_last, lax.full_like(d, 1), pivot)
    upper = triu(lu, 1) + eye * pivot[..., None, :]
    z = triangular_solve(
        upper, y, left_side=True, lower=False, transpose_a=False, conjugate_a=False, unit_diagonal=False
    )
    out = size[..., 0, 0] * u[..., 0]
    return out, reductions.sum(diagonal(size * z, axis1=-2, axis2=-1), axis=-1)


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("method",))
def slogdet(a, *, method: str | None = None) -> SlogdetResult:
    """Return the sign of the determinant and the logarithm of its size.

    Args:
      a: `[..., n, n]`.
      method: "lu" (default) or "qr".
    Returns:
      SlogdetResult(sign, logabsdet); the sign is a number of size 1, or 0, and the logarithm -inf, where a
      matrix is singular.
    Raises:
      ValueError: the matrices are not square; another method.

    >>> jnp.linalg.slogdet(jnp.array([[0., 1.], [1., 0.]])).sign
    Array(-1., dtype=float32)
    """
    a = asarray(inexact("slogdet", a))
    _check_square("slogdet()", a, "Only square matrices have determinants.", fix="a.T @ a, if its determinant is meant")
    if method not in (None, "lu", "qr"):
        raise ValueError(
            message(f"Unknown slogdet method '{method}'. Supported methods are 'lu' (`None`), and 'qr'.",
                    fix="method='lu'")
        )
    sign, log = (_slogdet_qr if method == "qr" else _slogdet)(convert(a, a.dtype))
    weak = a.weak_type and method != "qr" and a.shape[-1] in (1, 2)     # JAX parity: by a formula, not by factors
    return SlogdetResult(convert(sign, sign.dtype, weak), convert(log, log.dtype, weak))


def _sign_and_log(d, exchanges):
    """Return the determinant of a triangular matrix with diagonal d, times -1 for each exchange of rows."""
    singular = reductions.any(d == 0, axis=-1)
    if d.dtype.kind == "c":
        sign = reductions.prod(d / ufuncs.abs(d).astype(d.dtype), axis=-1) * asarray(_parity(exchanges), d.dtype)
    else:
        sign = _parity(exchanges + reductions.count_nonzero(d < 0, axis=-1)).astype(d.dtype)
    log = reductions.sum(ufuncs.log(ufuncs.abs(d)), axis=-1)
    return where(singular, lax.full_like(sign, 0), sign), where(singular, lax.full_like(log, -np.inf), log)


@custom_jvp
def _slogdet(a):
    lu, pivots, _ = lax_linalg.lu(a)
    sign, log = _sign_and_log(diagonal(lu, axis1=-2, axis2=-1), _exchanges(pivots))
    return (_known_sign(sign, log) if a.shape[-1] in (1, 2) else sign), log  # JAX parity: these are by a formula


def _known_sign(sign, log):
    """Return a sign, and NaN where the logarithm is; that of complex numbers is NaN already."""
    return sign if sign.dtype.kind == "c" else where(log != log, lax.full_like(sign, np.nan), sign)


@custom_jvp
def _slogdet_qr(a):
    """Q contributes its sign only, and R that of its diagonal."""
    q, r = lax_linalg.qr(a, full_matrices=False)
    rotation, _ = _slogdet(q)
    sign, log = _sign_and_log(diagonal(r, axis1=-2, axis2=-1), 0)
    return _known_sign(rotation * sign, log), log


def _slogdet_jvp(function):
    def rule(primals, tangents):
        (a,), (t,) = primals, tangents
        sign, log = function(a)
        change = reductions.sum(diagonal(solution(a, t), axis1=-2, axis2=-1), axis=-1)
        if a.dtype.kind != "c":
            return (sign, log), (lax.full_like(sign, 0), change)
        real = ufuncs.real(change)
        return (sign, log), (sign * (change - real.astype(change.dtype)), real)

    return rule


for function in (_slogdet, _slogdet_qr):
    function.defjvp(_slogdet_jvp(function))


# ---- least squares -------------------------------------------------------------------------------


def _resolution(x) -> float:
    return float(dtypes.finfo(x.dtype).eps)


def lstsq(
    a, b, rcond: float | None = None, *, numpy_resid: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Return the x of least norm that minimises the norm of ``a @ x - b``.

    Args:
      a: a matrix `[n, m]`.
      b: `[n]` or `[n, k]`.
      rcond: singular values below this part of the largest count as zero; default is the resolution of the
        dtype times max(n, m), and so for a negative one.
      numpy_resid: give no residuals where NumPy gives none: for n <= m and for matrices of deficient rank.
    Returns:
      (x `[m]` or `[m, k]`, squared residuals `[1]` or `[k]`, the rank, singular values).
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `a` is not a matrix. ValueError: the numbers of rows differ.

    >>> jnp.linalg.lstsq(jnp.array([[1., 0.], [0., 2.]]), jnp.array([1., 2.]))[0]
    Array([1., 1.], dtype=float32)
    """
    check_arraylike("jnp.linalg.lstsq", a, b)
    a = asarray(a)
    x, residuals, rank, s = _lstsq(a, asarray(b), rcond)
    # The length depends on the rank, which is read here: a program has no values.
    if numpy_resid and (a.shape[0] <= a.shape[1] or bool(rank != a.shape[1])):
        residuals = asarray(np.zeros(0, s.dtype))
    return x, residuals, rank, s


@replayed(compiles_after=AT_ONCE)
@inner_jit(name="lstsq")
def _lstsq(a, b, rcond):
    dtype = dtypes.to_inexact_dtype(dtypes.result_type(a, b))
    a, b = convert(a, dtype), convert(b, dtype)
    if a.shape[:1] != b.shape[:1]:
        raise ValueError(
            message(
                "Leading dimensions of input arrays must match", why=f"a is {describe(a)}, b is {describe(b)}.",
                fix="b with an element, or a row, for each row of a",
            )
        )
    if a.ndim != 2:
        raise TypeError(
            message(
                f"{a.ndim}-dimensional array given. Array must be two-dimensional",
                fix="a[:, None] for one unknown",
            )
        )
    if not 1 <= b.ndim <= 2:
        raise TypeError(
            message(
                f"{b.ndim}-dimensional array given. Array must be one or two-dimensional",
                fix="b.reshape(len(b), -1)",
            )
        )
    n, m = a.shape
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    if not a.size:
        s = lax.full((0,), 0, np.dtype(dtype.type(0).real.dtype))
        x = lax.full((m, b.shape[1]), 0, dtype)
        rank = lax.full((), 0, np.dtype("int32"))
        if not b.size:
            residuals = lax.full((b.shape[1],), 0, s.dtype)
    else:
        least = _resolution(a) * max(n, m)
        if rcond is None:
            rcond = least
        elif isinstance(rcond, Array):
            rcond = where(rcond < 0, least, rcond)
        elif rcond < 0:
            rcond = least
        u, s, vt = svd(a, full_matrices=False)
        mask = (s > 0) & (s >= lax.convert_element_type(asarray(rcond), s.dtype) * s[0])
        rank = reductions.sum(mask)
        safe = where(mask, s, 1).astype(a.dtype)
        inverse = where(mask, 1 / safe, 0)[:, None]
        x = products.matmul(adjoint_of(vt), inverse * products.matmul(adjoint_of(u), b, precision="highest"),
                            precision="highest")
    if a.size or b.size:
        off = b - products.matmul(a, x, precision="highest")
        residuals = reductions.sum(ufuncs.real(off * ufuncs.conj(off)), axis=0)
    return (x[:, 0] if vector else x), residuals, rank, s


@replayed(compiles_after=AT_ONCE)
def pinv(a, rtol=None, hermitian: bool = False, *, rcond=None) -> Array:
    """Return the Moore-Penrose inverse.

    Args:
      a: `[..., n, m]`.
      rtol: singular values up to this part of the largest count as zero; default 10 max(n, m) times the
        resolution of the dtype. A scalar, or one for each matrix.
      hermitian: the matrices are Hermitian.
      rcond: another name of rtol.
    Returns:
      `[..., m, n]`. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: both rtol and rcond are given.

    Derivative: Golub and Pereyra, "The differentiation of pseudo-inverses" (1973), for constant rank.

    >>> jnp.linalg.pinv(jnp.array([[2., 0.], [0., 0.]])).round(3)
    Array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)
    """
    if rcond is not None:
        if rtol is not None:
            raise ValueError(message("pinv: only one of rtol and rcond may be specified.", fix="rtol=1e-5 alone"))
        rtol = rcond
    a = asarray(inexact("pinv", a))
    if a.ndim < 2:
        raise ValueError(
            message("not enough values to unpack (expected 2, got 1)",
                    why=f"pinv wants matrices, got shape {a.shape}.", fix="a[:, None]")
        )
    if rtol is None:
        rtol = 10 * max(a.shape[-2:]) * _resolution(a)
    return _pinv(a, rtol, hermitian)


def _pseudo_inverse(a, rtol, hermitian):
    n, m = a.shape[-2:]
    if not a.size:
        return lax.full((*a.shape[:-2], m, n), 0, a.dtype)
    u, s, vh = svd(a, full_matrices=False, hermitian=hermitian)
    part = lax.broadcast_to_rank(lax.convert_element_type(asarray(rtol), s.dtype)[..., None], s.ndim)
    cutoff = part * s[..., :1]
    s = where(s > cutoff, s, np.inf).astype(u.dtype)
    return products.matmul(adjoint_of(vh), adjoint_of(u) / s[..., None])


_pinv = custom_jvp(_pseudo_inverse, nondiff_argnums=(2,))


@_pinv.defjvp
def _pinv_jvp(hermitian, primals, tangents):
    """Return, with P = A^+:  -P A_dot P + P P^H A_dot^H (1 - A P) + (1 - P A) A_dot^H P^H P"""
    (a, rtol), (t, _) = primals, tangents
    p = _pinv(a, rtol, hermitian)
    if not a.size:
        return p, lax.full_like(p, 0)
    if hermitian:
        t = (t + adjoint_of(t)) / 2
    n, m = a.shape[-2:]
    ph, th = adjoint_of(p), adjoint_of(t)

    def times(x, y, z):
        """The product of m x n, n x m and m x n, by the smaller square one."""
        return matrix_product(matrix_product(x, y), z) if m < n else matrix_product(x, matrix_product(y, z))

    rows, columns = times(p, ph, th), times(th, ph, p)
    moved = rows - times(rows, a, p) + columns - times(p, a, columns) - times(p, t, p)
    return p, moved


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("hermitian",))
def matrix_rank(M, rtol=None, *, hermitian: bool = False, tol=None) -> Array:
    """Return how many singular values are not zero.

    Args:
      M: `[..., n, m]`; a vector or scalar has rank 0 or 1.
      rtol, tol: singular values up to this bound count as zero; both are absolute. Default is max(n, m) times
        the resolution of the dtype times the largest one.
      hermitian: the matrices are Hermitian.
    Raises:
      ValueError: both bounds are given.

    >>> jnp.linalg.matrix_rank(jnp.ones((2, 2)))
    Array(1, dtype=int32)
    """
    m = asarray(inexact("matrix_rank", M))
    if rtol is not None and tol is not None:
        raise ValueError(message("matrix_rank: only one of tol or rtol may be specified.", fix="rtol=1e-5 alone"))
    if m.ndim < 2:
        return reductions.any(m != 0).astype(np.int32)
    s = svd(m, full_matrices=False, compute_uv=False, hermitian=hermitian)
    if rtol is not None or tol is not None:  # JAX takes both for absolute
        bound = asarray(rtol if tol is None else tol).astype(s.dtype)
    else:
        number = s.dtype.type
        bound = reductions.max(s, axis=-1) * number(max(m.shape[-2:])) * number(_resolution(s))
    return reductions.sum(s > bound[..., None], axis=-1)


# ---- tensors -------------------------------------------------------------------------------------


@replayed(compiles_after=AT_ONCE)
def tensorinv(a, ind: int = 2) -> Array:
    """Return the inverse of the linear map that `tensordot(a, x, a.ndim - ind)` is.

    Args:
      a: array; the product of its first `ind` lengths is that of the others.
      ind: positive.
    Returns:
      An array with the last axes of `a` first. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: the products differ, or `ind` is not positive.

    >>> jnp.linalg.tensorinv(jnp.eye(4).reshape(2, 2, 4)).shape
    (4, 2, 2)
    """
    check_arraylike("tensorinv", a)
    a = asarray(a)
    if ind <= 0:
        raise ValueError(f"ind must be a positive integer; got ind={ind}")
    rows, columns = a.shape[:ind], a.shape[ind:]
    if prod(rows) != prod(columns):
        raise ValueError(
            f"tensorinv is only possible when the product of the first `ind` dimensions equals that of the "
            f"remaining dimensions. got arr.shape={a.shape} with ind={ind}."
        )
    return shapes.reshape(inv(shapes.reshape(a, (prod(rows), prod(columns)))), (*columns, *rows))


@replayed(compiles_after=AT_ONCE)
def tensorsolve(a, b, axes: Sequence[int] | None = None) -> Array:
    """Return the x with ``tensordot(a, x, x.ndim) = b``.

    Args:
      a: array; its first axes are those of `b`, and the product of their lengths that of the others.
      b: array.
      axes: axes of `a` to move to its end before.
    Returns:
      An array with the last axes of `a`, those that are not of `b`.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: the shapes do not fit.

    >>> jnp.linalg.tensorsolve(2 * jnp.eye(4).reshape(2, 2, 4), jnp.ones((2, 2)))
    Array([0.5, 0.5, 0.5, 0.5], dtype=float32)
    """
    check_arraylike("tensorsolve", a, b)
    a, b = asarray(a), asarray(b)
    if axes is not None:
        a = shapes.moveaxis(a, axes, tuple(range(a.ndim - len(axes), a.ndim)))
    if a.shape[: b.ndim] != b.shape:
        raise ValueError(
            "After moving axes to end, leading shape of a must match shape of b. "
            f"got a.shape={a.shape}, b.shape={b.shape}"
        )
    rest = a.shape[b.ndim :]
    if prod(rest) != b.size:
        raise ValueError(
            "Input arrays must have prod(a.shape[:b.ndim]) == prod(a.shape[b.ndim:]); got "
            f"a.shape={a.shape}, b.ndim={b.ndim}."
        )
    return shapes.reshape(solve(shapes.reshape(a, (b.size, prod(rest))), shapes.ravel(b)), rest)
