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
from ..core.messages.boundaries import public
from ..core.messages.errors import message, warn
from ..core.types import Array
from ..lax import linalg as lax_linalg
from ..numpy.promotion import check_arraylike, convert
from ..numpy.systems import lu_solution
from ..numpy.vectorization import vectorize
from ..prims.matrices import adjoint_of
from ..transforms.jit.jit import inner_jit, lowerable
from .matrix_functions import check_square, expm, expm_frechet, funm, inexact, rsf2csf, sqrtm
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


# What the functions that solve are given first, in the words of the advice to give them matrices.
_FACTORS = {"cho_solve": "c_and_lower", "lu_solve": "lu_and_piv", "solve_triangular": "a"}


def _with_columns(name: str, function: Callable, factors: str, a, b, *more) -> Array:
    """`function(a, b, *more)` over the batches of matrices a and of right-hand sides b, which broadcast.

    One-dimensional right-hand sides, and those whose shape is that of a stack of vectors beside the stack of
    matrices, are vectors. `factors` is the signature of `a` and `more`.
    """
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape[-1] == a.shape[-1])
    column = "(n)" if vector else "(n,k)"
    first, *rest = factors.split(" ")
    signature = f"{','.join([first, column, *rest])}->{column}"
    rows = b.shape[-1 if vector else -2] if b.ndim else None
    if a.ndim > 1 and rows not in (None, a.shape[-1]):
        raise ValueError(message(
            f"inconsistent size for core dimension 'n': {rows} vs {a.shape[-1]} on vectorized function with "
            f"excluded=frozenset() and signature={signature!r}",
            why=f"The matrices have shape {a.shape}, the right-hand side {b.shape}.",
            fix="as many rows as the matrix has, or b[..., None] for a batch of vectors",
        ))

    if vector and b.ndim > 1:
        warn(
            f"jax.scipy.linalg.{name}: batched 1D solves with b.ndim > 1 are deprecated, and in the future will be "
            f"treated as a batched 2D solve. Use {name}({_FACTORS[name]}, b[..., None]).squeeze(-1) to avoid "
            "this warning.",
            FutureWarning,
        )

    def solved(a, b, *more):
        return function(a, b[:, None], *more)[:, 0] if vector else function(a, b, *more)

    return vectorize(solved, signature=signature)(a, b, *more)


# ---- Cholesky ------------------------------------------------------------------------------------


def cholesky(a, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Return the triangular factor of Hermitian positive definite matrices: U with a = U^H U, or L with a = L L^H.

    Args:
      a: `[..., n, n]`.
      lower: which of the two.
      overwrite_a, check_finite: have no effect.
    Returns:
      `[..., n, n]`; NaN where a matrix is not positive definite.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> cholesky(4 * jnp.eye(2))
    Array([[2., 0.],
           [0., 2.]], dtype=float32)
    """
    return _cholesky(a, lower)


@inner_jit(static_argnames=("lower",))
def _cholesky(a, lower):
    (a,) = inexact(a)
    if not lower and a.ndim < 2:
        raise ValueError(f"x must be at least two-dimensional for matrix_transpose; got ndim={a.ndim}")
    factor = lax_linalg.cholesky(a if lower else adjoint_of(a), symmetrize_input=False)
    return factor if lower else adjoint_of(factor)


def cho_factor(a, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, bool]:
    """Return the triangular factor of Hermitian positive definite matrices in the form that `cho_solve` takes.

    Args:
      a: `[..., n, n]`.
      lower: which of the two factors: L with a = L L^H, or U with a = U^H U.
      overwrite_a, check_finite: have no effect.
    Returns:
      (factor `[..., n, n]`, `lower`). The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> cho_factor(4 * jnp.eye(1))
    (Array([[2.]], dtype=float32), False)
    """
    return cholesky(a, lower=lower), lower


def cho_solve(c_and_lower, b, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Return the solution x of a x = b, from the factor of a.

    Args:
      c_and_lower: what `cho_factor` returned.
      b: `[n]`, `[..., n, k]`; batches broadcast.
      overwrite_b, check_finite: have no effect.
    Returns:
      An array of the shape of `b`, with the batch axes of both.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `b` is not an array; lists are not converted.
      ValueError: the factor is not square, or the lengths of both do not fit.

    >>> cho_solve(cho_factor(jnp.array([[4.]])), jnp.array([2.]))
    Array([0.5], dtype=float32)
    """
    c, lower = c_and_lower
    return _cho_solve(c, b, lower)


@inner_jit(static_argnames=("lower",))
def _cho_solve(c, b, lower):
    c, b = inexact(c, b)
    check_square("cho_solve", c)

    def solution(c, b):
        flags = dict(left_side=True, lower=lower)
        half = lax_linalg.triangular_solve(c, b, transpose_a=not lower, conjugate_a=not lower, **flags)
        return lax_linalg.triangular_solve(c, half, transpose_a=lower, conjugate_a=lower, **flags)

    return _with_columns("cho_solve", solution, "(n,n)", c, b)


# ---- other factorizations ------------------------------------------------------------------------


def svd(
    a, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:
    """Return the singular value decomposition a = U diag(s) V^H.

    Args:
      a: `[..., n, m]`.
      full_matrices: make U and V square.
      compute_uv: False returns the singular values alone.
      overwrite_a, check_finite, lapack_driver: have no effect.
    Returns:
      (U, s `[..., min(n, m)]`, V^H), s real and going down; or s.
      Singular values are real floats; the matrices have the dtype of `a`, where integers become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> svd(jnp.array([[3.]]), compute_uv=False)
    Array([3.], dtype=float32)
    """
    return _svd(a, full_matrices, compute_uv)


@inner_jit(static_argnames=("full_matrices", "compute_uv"))
def _svd(a, full_matrices, compute_uv):
    return lax_linalg.svd(*inexact(a), full_matrices=full_matrices, compute_uv=compute_uv)


def det(a, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Return the determinant of square matrices.

    Args:
      a: `[..., n, n]`.
      overwrite_a, check_finite: have no effect.
    Returns:
      `[...]`; 0 where a matrix is singular. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> det(jnp.array([[2., 1.], [0., 3.]]))
    Array(6., dtype=float32)
    """
    check_arraylike("jnp.linalg.det", a)
    (a,) = inexact(a)
    return jnp.linalg.det(a)


def inv(a, overwrite_a: bool = False, check_finite: bool = True) -> Array:
    """Return the inverse of square matrices.

    Args:
      a: `[..., n, n]`.
      overwrite_a, check_finite: have no effect.
    Returns:
      `[..., n, n]`; infinite or NaN where a matrix is singular.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: the matrices are not square.

    >>> inv(jnp.array([[2.]]))
    Array([[0.5]], dtype=float32)
    """
    return jnp.linalg.inv(a)


def eigh(
    a, b=None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
    turbo: bool = True, eigvals: None = None, type: int = 1, check_finite: bool = True,
) -> Any:
    """Return eigenvalues and eigenvectors of Hermitian matrices.

    Args:
      a: `[..., n, n]`.
      b, eigvals, type: must be None, None and 1.
      lower: which half of `a` is read.
      eigvals_only: leave the vectors out.
      overwrite_a, overwrite_b, turbo, check_finite: have no effect.
    Returns:
      (w, v) or w.
    Raises:
      NotImplementedError: a generalized problem, or a subset of eigenvalues.

    >>> eigh(jnp.array([[2., 0.], [0., 1.]]), eigvals_only=True)
    Array([1., 2.], dtype=float32)
    """
    if b is not None:
        raise NotImplementedError(
            message(
                "Only the b=None case of eigh is implemented",
                fix="inverse of a Cholesky factor L of b: eigh(inv(L) @ a @ inv(L).mT)",
            )
        )
    if type != 1:
        raise NotImplementedError(message("Only the type=1 case of eigh is implemented.", fix="type=1"))
    if eigvals is not None:
        raise NotImplementedError(
            message("Only the eigvals=None case of eigh is implemented", fix="eigh(a)[0][first : last + 1]")
        )
    return _eigh(a, lower, eigvals_only)


@inner_jit(static_argnames=("lower", "eigvals_only"))
def _eigh(a, lower, eigvals_only):
    v, w = lax_linalg.eigh(inexact(a)[0], lower=lower)
    return w if eigvals_only else (w, v)


@inner_jit(static_argnames=("output",), name="_schur")
def schur(a, output: str = "real") -> list[Array]:
    """Return T and Z with a = Z T Z^H, unitary Z and upper triangular T.

    Args:
      a: `[..., n, n]`.
      output: "real": T of a real matrix may have 2 x 2 blocks; "complex": T is triangular.
    Returns:
      The list [T, Z], both of the shape of `a`. The dtype is that of `a`.
    Raises:
      ValueError: another output.

    >>> schur(jnp.array([[1., 2.], [0., 3.]]))[0]
    Array([[1., 2.],
           [0., 3.]], dtype=float32)
    """
    if output not in ("real", "complex"):
        raise ValueError(
            message(
                f"Expected 'output' to be either 'real' or 'complex', got output={output!r}.",
                fix="output='complex'",
            )
        )
    check_arraylike("schur", a)
    a = jnp.asarray(a)
    if output == "complex":
        a = a.astype(dtypes.to_complex_dtype(dtypes.to_inexact_dtype(a.dtype)))
    return list(lax_linalg.schur(a))


@inner_jit(static_argnames=("calc_q", "overwrite_a", "check_finite"))
def hessenberg(a, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return the Hessenberg form H, zero below the first subdiagonal, of a = Q H Q^H.

    Args:
      a: `[..., n, n]`.
      calc_q: return (H, Q).
      overwrite_a, check_finite: have no effect.
    Returns:
      H, or the pair, each of the shape of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> hessenberg(jnp.array([[1., 2.], [3., 4.]]))
    Array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    check_arraylike("hessenberg", a)
    (a,) = inexact(a)
    n = a.shape[-1]
    if not n:
        return (a, a) if calc_q else a
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
    """Return L and U in one array, and the exchanges of rows, in the form that `lu_solve` takes.

    Args:
      a: `[..., n, m]`.
      overwrite_a, check_finite: have no effect.
    Returns:
      (`[..., n, m]`, without the ones on the diagonal of L; int32 `[..., min(n, m)]`, the row with which each is
      exchanged)
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> lu_factor(jnp.array([[2.]]))
    (Array([[2.]], dtype=float32), Array([0], dtype=int32))
    """
    lu, pivots, _ = lax_linalg.lu(inexact(a)[0])
    return lu, pivots


@inner_jit(static_argnames=("trans", "overwrite_b", "check_finite"))
def lu_solve(lu_and_piv, b, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True) -> Array:
    """Return the solution x of op(a) x = b, from the factors of a.

    Args:
      lu_and_piv: what `lu_factor` returned.
      b: `[n]` or `[..., n, k]`; batches broadcast.
      trans: 0 for a, 1 for its transpose, 2 for its adjoint.
      overwrite_b, check_finite: have no effect.
    Returns:
      An array of the shape of `b`, with the batch axes of both.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `b` is not an array; lists are not converted.
      ValueError: the lengths of both do not fit, or `trans` is not 0, 1 or 2.

    >>> lu_solve(lu_factor(jnp.array([[2.]])), jnp.array([1.]))
    Array([0.5], dtype=float32)
    """
    lu, pivots = lu_and_piv
    if trans not in (0, 1, 2):
        raise ValueError(message(f"'trans' value must be 0, 1, or 2, got {trans}", fix="trans=1 for the transpose"))
    lu, b = inexact(lu, b)
    order = lax_linalg.lu_pivots_to_permutation(pivots, lu.shape[-1])
    return _with_columns(
        "lu_solve", lambda lu, b, order: lu_solution(lu, order, b, trans), "(n,n) (n)", lu, b, order
    )


@inner_jit(static_argnames=("permute_l", "overwrite_a", "check_finite"))
def lu(a, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return the factors of a = P L U: a permutation, a lower triangle with ones on the diagonal, an upper triangle.

    Args:
      a: `[..., n, m]`.
      permute_l: multiply the first two.
      overwrite_a, check_finite: have no effect.
    Returns:
      (P `[..., n, n]`, L `[..., n, k]`, U `[..., k, m]`) with k = min(n, m), or (P L, U).
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> lu(jnp.array([[0., 1.], [2., 0.]]))[0]
    Array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    (a,) = inexact(a)
    packed, _, order = lax_linalg.lu(a)
    n, m = a.shape[-2:]
    k = min(n, m)
    # Row i of L stands in row order[i] of a.
    row = lax.broadcasted_iota(order.dtype, (*order.shape, 1), order.ndim - 1)
    p = (order[..., None, :] == row).astype(jnp.real(a).dtype)
    low = jnp.tril(packed, -1)[..., :, :k] + lax.broadcast_to_rank(jnp.eye(n, k, dtype=a.dtype), a.ndim)
    high = convert(jnp.triu(packed)[..., :k, :], a.dtype, a.weak_type)
    return (p.astype(a.dtype) @ low, high) if permute_l else (p, low, high)


def qr(
    a, overwrite_a: bool = False, lwork=None, mode: str = "full", pivoting: bool = False, check_finite: bool = True
) -> tuple[Array, ...]:
    """Return the factors of a = Q R, with orthonormal columns of Q and an upper triangle R.

    Args:
      a: `[..., n, m]`.
      overwrite_a, lwork, check_finite: have no effect.
      mode: "full" (Q is n x n), "economic" (n x min(n, m)) or "r" (only R, in a tuple).
      pivoting: factor a[:, p]; p is returned last.
    Returns:
      (Q, R), (R,), or with the int32 places p of the columns behind.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> qr(jnp.array([[2.]]))[1]
    Array([[2.]], dtype=float32)
    """
    return _qr(a, mode, pivoting)


@inner_jit(static_argnames=("mode", "pivoting"))
def _qr(a, mode, pivoting):
    if mode not in ("full", "r", "economic"):
        raise ValueError(message(f"Unsupported QR decomposition mode '{mode}'", fix="mode='economic'"))
    q, *rest = lax_linalg.qr(inexact(a)[0], pivoting=pivoting, full_matrices=mode != "economic")
    return tuple(rest) if mode == "r" else (q, *rest)


@lowerable(static_argnames=("side", "method"))
def polar(
    a, side: str = "right", *, method: str = "qdwh", eps: float | None = None, max_iterations: int | None = None
) -> tuple[Array, Array]:
    """Return the factors of a = U P ("right") or P U ("left"), with orthonormal U and positive semidefinite P.

    Args:
      a: `[..., n, m]`.
      side: on which side of U the factor P stands.
      method: "qdwh" or "svd".
      eps: of `lax.linalg.qdwh`.
      max_iterations: has no effect, as in JAX.
    Returns:
      (U `[..., n, m]`, P, square). The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: another side or method.
      NotImplementedError: "qdwh" of a matrix with more columns than rows from the right, or of another from the left.

    >>> polar(jnp.array([[-2.]]), method="svd")
    (Array([[-1.]], dtype=float32), Array([[2.]], dtype=float32))
    """
    (a,) = inexact(a)
    if a.ndim < 2:
        raise ValueError(message("The input `a` must be at least a 2-D array.", fix="a[:, None]"))
    if side not in ("right", "left"):
        raise ValueError(f"The argument `side` must be either 'right' or 'left', got {side!r}.")
    n, m = a.shape[-2:]
    if method == "qdwh" and (n >= m) != (side == "right"):
        raise NotImplementedError(message(
            f"method='qdwh' only supports mxn matrices where m < n where side='right' and m >= n side='left', got "
            f"{(n, m)} with side={side!r}",
            why="The factors of tall matrices are found from the right, those of wide ones from the left.",
            fix=f'polar(a, side={side!r}, method="svd")',
        ))
    if method == "qdwh":
        factors = partial(_polar_by_iteration, side=side, eps=eps)
    elif method == "svd":
        factors = partial(_polar_by_svd, side=side)
    else:
        raise ValueError(f"Unknown polar decomposition method {method}.")
    square = "(m,m)" if side == "right" else "(n,n)"
    return vectorize(factors, signature=f"(n,m)->(n,m),{square}")(a)


def _polar_by_iteration(a, side, **options):
    if side == "right":
        return lax_linalg.qdwh(a, **options)[:2]
    u, p = lax_linalg.qdwh(adjoint_of(a), **options)[:2]
    return adjoint_of(u), adjoint_of(p)


def _polar_by_svd(a, side):
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
    """Return the solution x of op(a) x = b with triangular a.

    Args:
      a: `[..., n, n]`; half of it is read.
      b: `[n]` or `[..., n, k]`; batches broadcast.
      trans: 0 or "N" for a, 1 or "T" for its transpose, 2 or "C" for its adjoint.
      lower, unit_diagonal: which half is read, and whether its diagonal is taken for ones.
      overwrite_b, debug, check_finite: have no effect.
    Returns:
      An array of the shape of `b`, with the batch axes of both; infinite or NaN where there is a 0 on the diagonal.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array.

    >>> solve_triangular(jnp.array([[2.]]), jnp.array([1.]))
    Array([0.5], dtype=float32)
    """
    form = _FORMS.get(trans, trans) if isinstance(trans, str) else trans
    if form not in (0, 1, 2):
        raise ValueError(f"Invalid 'trans' value {trans}")
    return _solve_triangular(a, b, form, lower, unit_diagonal)


@inner_jit(static_argnames=("trans", "lower", "unit_diagonal"))
def _solve_triangular(a, b, trans, lower, unit_diagonal):
    flags = dict(
        left_side=True, lower=lower, transpose_a=trans > 0, conjugate_a=trans == 2, unit_diagonal=unit_diagonal
    )
    return _with_columns(
        "solve_triangular", partial(lax_linalg.triangular_solve, **flags), "(n,n)", *inexact(a, b)
    )


def solve(
    a, b, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, debug: bool = False,
    check_finite: bool = True, assume_a: str = "gen",
) -> Array:
    """Return the solution x of a x = b.

    Args:
      a: `[..., n, n]`.
      b: `[n]` or `[..., n, k]`.
      lower: which half is read of a positive definite `a`.
      overwrite_a, overwrite_b, debug, check_finite: have no effect.
      assume_a: "gen", "sym" or "her", or "pos" for Cholesky's factorization.
    Returns:
      An array of the shape of `b`; infinite or NaN where `a` is singular.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: another assumption.

    >>> solve(jnp.array([[2.]]), jnp.array([1.]))
    Array([0.5], dtype=float32)
    """
    if assume_a not in ("gen", "sym", "her", "pos"):
        raise ValueError(
            message(
                f"Expected assume_a to be one of ['gen', 'sym', 'her', 'pos']; got {assume_a!r}",
                fix="assume_a='gen'",
            )
        )
    if assume_a != "pos":
        return jnp.linalg.solve(a, b)
    return _solve_positive(a, b, lower)


@inner_jit(static_argnames=("lower",))
def _solve_positive(a, b, lower):
    a, b = inexact(a, b)
    stack = a.shape[:-1]
    if a.ndim < 2 or a.shape[-2] != a.shape[-1] or stack not in (b.shape, b.shape[:-1]):
        raise ValueError(message(
            f"The arguments to solve must have shapes a=[..., m, m] and b=[..., m, k] or b=[..., m]; got a={a.shape} "
            f"and b={b.shape}",
            why="With assume_a='pos' both have the same batch.",
            fix="jnp.broadcast_to(b, (*a.shape[:-2], *b.shape[-2:])), or the default assume_a, which repeats batches",
        ))
    flags = dict(left_side=True, lower=True)

    def solution(a, b):
        factor = lax_linalg.cholesky(lax.stop_gradient(a if lower else adjoint_of(a)), symmetrize_input=False)

        def solve(_, y):
            half = lax_linalg.triangular_solve(factor, y, **flags)
            return lax_linalg.triangular_solve(factor, half, transpose_a=True, conjugate_a=True, **flags)

        return lax.custom_linear_solve(
            lambda x: a @ x, b, symmetric=a.dtype.kind != "c", solve=solve,
            transpose_solve=lambda _, y: jnp.conj(solve(_, jnp.conj(y))),
        )

    return _with_columns("cho_solve", solution, "(n,n)", a, b)


@inner_jit(static_argnames=("method",))
def solve_sylvester(A, B, C, *, method: str = "schur", tol: float = 1e-8) -> Array:
    """Return the solution X of A X + X B = C.

    Args:
      A: `[..., m, m]`.
      B: `[..., n, n]`.
      C: `[..., m, n]`; batches broadcast.
      method: "schur" or "eigen", which is for diagonalizable matrices.
      tol: sums of eigenvalues up to this size make the system singular, and the solution NaN.
    Returns:
      `[..., m, n]`. The dtype is float32, or float64 for operands of 64 bits; complex for complex operands.
    Raises:
      ValueError: the shapes do not fit, or another method.

    >>> solve_sylvester(jnp.array([[1.]]), jnp.array([[2.]]), jnp.array([[6.]])).round(3)
    Array([[2.]], dtype=float32)
    """
    A, B, C = inexact(A, B, C)
    ranks = min(A.ndim, B.ndim, C.ndim) >= 2
    if not ranks or C.shape[-2:] != (A.shape[-1], B.shape[-1]) or C.shape[-2:] != (A.shape[-2], B.shape[-2]):
        raise ValueError(
            message(
                f"Incompatible shapes for Sylvester equation:\nA: {A.shape}\nB: {B.shape}\nC: {C.shape}",
                fix="A of [m, m], B of [n, n] and C of [m, n]",
            )
        )
    if method not in ("schur", "eigen"):
        raise ValueError(
            message(
                f"Unrecognized method {method}. The two valid methods are either \"schur\" or \"eigen\".",
                fix="method='schur'",
            )
        )
    function = _sylvester_by_eigenvectors if method == "eigen" else _sylvester_by_schur
    return vectorize(partial(function, tol=tol), signature="(m,m),(n,n),(m,n)->(m,n)")(A, B, C)


def _sylvester_by_eigenvectors(A, B, C, tol):
    (a, u), (b, v) = jnp.linalg.eig(A), jnp.linalg.eig(B)
    sums = a[:, None] + b[None, :]
    inner = jnp.linalg.solve(u, C.astype(u.dtype)) @ v
    return _sylvester_solution(u @ (inner / sums) @ jnp.linalg.inv(v), sums, C.dtype, tol)


def _sylvester_by_schur(A, B, C, tol):
    (r, u), (s, v) = schur(A, output="complex"), schur(B, output="complex")
    sums = jnp.diagonal(r)[:, None] + jnp.diagonal(s)[None, :]
    f = adjoint_of(u) @ C.astype(u.dtype) @ v
    eye = jnp.eye(r.shape[0], dtype=r.dtype)
    places = np.arange(s.shape[0])

    def column(j, y):
        rhs = f[:, j] - y @ jnp.where(places < j, s[:, j], 0)
        new = lax_linalg.triangular_solve(r + s[j, j] * eye, rhs[:, None], left_side=True)
        return jnp.where(places == j, new, y)

    x = u @ lax.fori_loop(0, s.shape[0], column, jnp.zeros_like(f)) @ adjoint_of(v)
    return _sylvester_solution(x, sums, C.dtype, tol)


def _sylvester_solution(x, sums, dtype, tol):
    """Return the solution, real where the equation is, NaN where sums of eigenvalues vanish."""
    x = jnp.where(jnp.any(jnp.abs(sums) < tol), np.nan, x)
    return x if dtype.kind == "c" else jnp.real(x)


# ---- by other shapes -----------------------------------------------------------------------------


def qr_multiply(
    a, c, mode: str = "right", pivoting: bool = False, conjugate: bool = False, overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[Array, ...]:
    """Return a product with the factor Q of a, and R.

    Args:
      a: `[..., m, n]`; Q has k = min(m, n) columns.
      c: `[..., p, m]` for mode "right", c Q; `[..., k, p]` for mode "left", Q c; without p it is one row or column.
      mode: which of the two.
      pivoting: reorder the columns of a; their places are returned last.
      conjugate: use conj(Q).
      overwrite_a, overwrite_c: have no effect.
    Returns:
      (product, R `[..., k, n]`), with `pivoting` also the places of the columns.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: there is no such mode, or shapes do not fit.

    >>> qr_multiply(jnp.eye(2), jnp.array([1., 2.]))[0]
    Array([1., 2.], dtype=float32)
    """
    if mode not in ("right", "left"):
        raise ValueError(message(f"mode must be 'right' or 'left', got {mode!r}", fix='mode="right"'))
    a, c = inexact(a, c)
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


@lowerable(static_argnames=("eigvals_only", "select", "select_range"))
def eigh_tridiagonal(
    d, e, *, eigvals_only: bool = False, select: str = "a", select_range: tuple[float, float] | None = None,
    tol: float | None = None, key: Any = None,
) -> Any:
    """Return the eigenvalues, increasing, and eigenvectors of a Hermitian tridiagonal matrix.

    Args:
      d: `[n]`, the diagonal, of which the real part is read.
      e: `[n - 1]`, above it; the adjoint is below.
      eigvals_only: without the vectors.
      select: "a", all; "i", those of some places.
      select_range: the first and the last of the places.
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
    if d.dtype not in (np.float32, np.float64, np.complex64, np.complex128):
        raise TypeError(
            "Only float32 and float64 inputs are supported as inputs to jax.scipy.linalg.eigh_tridiagonal, got "
            f"{d.dtype} and {e.dtype}"
        )
    n = d.shape[0]
    if d.ndim != 1 or e.shape != (n - 1,) and (n != 1 or e.shape != (1,)):  # JAX parity: e is not looked at
        # What is compared are the sums over neighbours on either side, one number longer than e.
        longer = (*e.shape[:-1], e.shape[-1] + 1) if e.ndim else ()
        raise (TypeError if d.ndim == len(longer) else ValueError)(message(
            f"add got incompatible shapes for broadcasting: {d.shape}, {longer}." if d.ndim == len(longer)
            else f"Incompatible shapes for broadcasting: shapes=[{d.shape}, {longer}]",
            why=f"A diagonal of shape (n,) has numbers of shape (n - 1,) beside it; e has shape {e.shape}.",
            fix="jax.vmap(eigh_tridiagonal)(d, e) for a stack of matrices" if d.ndim > 1 else "e[: len(d) - 1]",
        ))
    if select == "v":
        raise NotImplementedError("eigh_tridiagonal(..., select='v') is not implemented")
    if select not in ("a", "i"):
        raise ValueError(message("'select must have a value in {'a', 'i', 'v'}.", fix="select='a' for all"))
    first, last = 0, n - 1
    if select == "i":
        if select_range is None:
            raise ValueError(
                message(
                    "for select='i', select_range must be specified.",
                    fix="select_range=(0, 2) for the first three",
                )
            )
        first, last = (int(i) for i in select_range)
        if first > last:
            raise ValueError("Got empty index range in select_range.")
    d = jnp.real(d).astype(d.dtype)
    matrix = jnp.diag(d) + (jnp.diag(e, 1) + jnp.diag(jnp.conj(e), -1) if n > 1 else 0)
    w, v = jnp.linalg.eigh(matrix)
    w, v = w[first : last + 1], v[:, first : last + 1]
    return w if eigvals_only else (w, v)

public(globals())
