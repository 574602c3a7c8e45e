"""`adjoint.lax.linalg`: factorizations, eigenvalues and linear systems of matrices in the last two axes.

All axes before them are a batch. A matrix that cannot be factored gives NaN. On top of these stands
`adjoint.numpy.linalg`, which also promotes.

Tests: `tests/linalg/test_linalg.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.messages.boundaries import public
from ..core.messages.errors import describe, message
from ..core.messages.errors import no_attribute as _no_attribute
from ..core.types import Array, aval_of
from ..prims import factorizations, spectral, triangular
from ..prims import matrices as matrix_prims
from ..prims.matrices import adjoint_of, lower_part, swapped
from ..prims.spectral import EighImplementation, EigImplementation, SvdAlgorithm
from .linear.polar import qdwh
from .operators import add
from .shape import expand_dims, operand_of, squeeze

__all__ = [
    "EigImplementation", "EighImplementation", "SvdAlgorithm", "cholesky", "cholesky_update", "eig", "eigh",
    "hessenberg", "householder_product", "lu", "lu_pivots_to_permutation", "ormqr", "qdwh", "qr", "schur", "svd",
    "symmetric_product", "triangular_solve", "tridiagonal", "tridiagonal_solve",
]

_PRIMITIVES = {
    f"{name}_p": module
    for module in (factorizations, spectral, triangular, matrix_prims)
    for name in module.__all__
    if name != "geqrf"
}


def __getattr__(name: str):
    if name in _PRIMITIVES:
        return getattr(_PRIMITIVES[name], name[:-2])
    raise _no_attribute(__name__, name, __dir__())


def __dir__() -> list[str]:
    return sorted([*__all__, *_PRIMITIVES])


def symmetrized(name: str, x) -> Array:
    """(x + x^H) / 2"""
    try:
        return add(x, adjoint_of(x)) / 2
    except TypeError as error:  # of the transposition, or of the sum
        raise TypeError(
            message(
                str(error).split("\n")[0],
                why=f"{name} takes square matrices, [..., n, n]; this is {describe(x)}.",
                fix="jnp.diag(x) for a diagonal, jnp.outer(x, x) or x.T @ x for products" if x.ndim < 2
                else "x @ x.mT, which is square and symmetric",
            )
        ) from None


# ---- factorizations ------------------------------------------------------------------------------


def cholesky(x: Any, *, symmetrize_input: bool = True) -> Array:
    """Return the lower triangular L with x = L L^H.

    Args:
      x: Hermitian positive definite matrices, `[..., n, n]`.
      symmetrize_input: take the mean of `x` and its adjoint; else only the lower half is read.
    Returns:
      Matrices like `x`; NaN below and on the diagonal where one is not positive definite.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.linalg.cholesky(4 * jnp.eye(2))
    Array([[2., 0.],
           [0., 2.]], dtype=float32)
    """
    if symmetrize_input:
        x = symmetrized("cholesky", operand_of("cholesky", x))
    return lower_part(factorizations.cholesky(x))


def cholesky_update(r_matrix, w_vector) -> Array:
    """Return the upper triangular factor of R^T R + w w^T.

    Args:
      r_matrix: upper triangular, `[n, n]`, floating.
      w_vector: `[n]`.
    Returns:
      ``[n, n]``, upper triangular. The dtype is that of `r_matrix`.
    Raises:
      TypeError: `r_matrix` is not an array or scalar of real floats; lists are not converted.

    >>> lax.linalg.cholesky_update(jnp.array([[3.]]), jnp.array([4.]))
    Array([[5.]], dtype=float32)
    """
    operands = [operand_of("cholesky_update", x) for x in (r_matrix, w_vector)]
    for i, (x, rank) in enumerate(zip(operands, (2, 1))):
        if x.ndim != rank:
            raise TypeError(message(
                f"Input {i} to cholesky_update must have a rank of exactly {rank}, but got shape={x.shape}",
                fix="jax.vmap(cholesky_update)(r_matrix, w_vector) for a stack of matrices" if x.ndim > rank else None,
            ))
    return factorizations.cholesky_update(*operands)


def lu(x) -> list[Array]:
    """Return the factors of P x = L U, by elimination with exchanges of rows.

    Args:
      x: matrices `[..., n, m]`.
    Returns:
      L and U in one array like `x`, the ones on the diagonal of L left out; the row that was exchanged with
      each row, int32 `[..., min(n, m)]`; the order of the rows, int32 `[..., n]`.
    Raises:
      TypeError: `x` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.lu(jnp.array([[1., 2.], [2., 4.]]))[0]
    Array([[2. , 4. ],
           [0.5, 0. ]], dtype=float32)
    """
    return factorizations.lu(operand_of("lu", x))


def lu_pivots_to_permutation(pivots, permutation_size: int) -> Array:
    """Return the order of rows that exchanges make, one after the other.

    Args:
      pivots: int32 `[..., k]`: row i is exchanged with row pivots[i].
      permutation_size: the number of rows, at least k.
    Returns:
      int32 ``[..., permutation_size]``: for each row the one that stands there after the exchanges.
    Raises:
      TypeError: `pivots` are no integers.
      ValueError: there are more pivots than rows.

    >>> lax.linalg.lu_pivots_to_permutation(jnp.array([1, 2], jnp.int32), 3)
    Array([1, 2, 0], dtype=int32)
    """
    return factorizations.lu_pivots_to_permutation(pivots, permutation_size=int(permutation_size))


def qr(x, *, pivoting: bool = False, full_matrices: bool = True, use_magma: bool | None = None) -> tuple[Array, ...]:
    """Return x = Q R with orthonormal columns of Q and upper triangular R.

    Args:
      x: matrices `[..., n, m]`.
      pivoting: factor x[:, p] instead, so that the diagonal of R decreases.
      full_matrices: Q is n x n, else n x min(n, m).
      use_magma: has no effect on the CPU.
    Returns:
      (Q, R), with `pivoting` also the int32 permutations p.
    Raises:
      TypeError: `x` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.qr(jnp.array([[3., 0.], [4., 5.]]))[1]
    Array([[-5., -4.],
           [ 0.,  3.]], dtype=float32)
    """
    return tuple(
        factorizations.qr(operand_of("qr", x), pivoting=pivoting, full_matrices=full_matrices, use_magma=use_magma)
    )


def householder_product(a, taus) -> Array:
    """Return the first columns of the product of Householder reflections, as LAPACK's `orgqr` makes them.

    Args:
      a: `[..., n, m]` with n >= m; the reflectors are below the diagonal, with a 1 on it left out.
      taus: their factors, `[..., k]` with k <= m.
    Returns:
      The product of the reflections, a matrix with orthonormal columns.
    Raises:
      ValueError: `a` has more columns than rows, or there are more factors than columns.
      TypeError: an operand is not floating or complex.

    >>> lax.linalg.householder_product(jnp.array([[9.], [1.]]), jnp.array([1.]))
    Array([[ 0.],
           [-1.]], dtype=float32)
    """
    return factorizations.householder_product(a, taus)


def ormqr(a, taus, c, *, left: bool = True, transpose: bool = False) -> Array:
    """Return the product of Householder reflections, n x n, times a matrix, without forming the former.

    Args:
      a, taus: as in `householder_product`, `[..., n, m]` and `[..., k]`.
      c: `[..., n, p]`, or `[..., p, n]` on the other side.
      left: whether the reflections stand on the left of c.
      transpose: take their adjoint.
    Returns:
      The product, an array of the shape of `c`. The dtype is that of `a`.
    Raises:
      TypeError: `a` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.ormqr(jnp.array([[9.], [1.]]), jnp.array([1.]), jnp.eye(2))
    Array([[ 0., -1.],
           [-1.,  0.]], dtype=float32)
    """
    return factorizations.ormqr(a, taus, c, left=left, transpose=transpose)


# ---- eigenvalues and singular values -------------------------------------------------------------


def eigh(
    x: Any, *, lower: bool = True, symmetrize_input: bool = True, sort_eigenvalues: bool = True,
    subset_by_index: tuple[int, int] | None = None, implementation: EighImplementation | None = None,
) -> tuple[Array, Array]:
    """Return eigenvectors and eigenvalues of Hermitian matrices.

    Args:
      x: `[..., n, n]`.
      lower: which half is read, if the input is not symmetrized.
      symmetrize_input: take the mean of `x` and its adjoint.
      sort_eigenvalues: ascending; on the CPU they always are.
      subset_by_index: only the eigenvalues from a first to a last position; on the CPU all of them.
      implementation: which algorithm; on the CPU there is one.
    Returns:
      The eigenvectors in columns, `[..., n, n]`, and the real eigenvalues, `[..., n]`.
      Eigenvalues are real floats, also of complex matrices; vectors have the dtype of the matrix.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.linalg.eigh(jnp.array([[2., 0.], [0., 1.]]))[1]
    Array([1., 2.], dtype=float32)
    """
    if symmetrize_input:
        x = symmetrized("eigh", operand_of("eigh", x))
    v, w = spectral.eigh(
        x, lower=bool(lower), sort_eigenvalues=bool(sort_eigenvalues), subset_by_index=subset_by_index,
        algorithm=implementation,
    )
    return v, w


def eig(
    x, *, compute_left_eigenvectors: bool = True, compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False, implementation: EigImplementation | None = None,
    use_magma: bool | None = None,
) -> list[Array]:
    """Return eigenvalues and eigenvectors of general matrices, always complex.

    Args:
      x: `[..., n, n]`.
      compute_left_eigenvectors, compute_right_eigenvectors: what to return beside the eigenvalues.
      enable_eigvec_derivs: allow derivatives of the vectors, which are determined up to a factor; right where
        the loss does not depend on that factor and the eigenvalues are distinct.
      implementation, use_magma: on the CPU, LAPACK.
    Returns:
      Eigenvalues `[..., n]`, left eigenvectors u with u^H x = w u^H and right ones v with x v = w v, in columns.
    Raises:
      NotImplementedError: a derivative of eigenvectors that was not enabled.

    >>> lax.linalg.eig(jnp.array([[0., 1.], [-1., 0.]]), compute_left_eigenvectors=False)[0]
    Array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    return spectral.eig(
        operand_of("eig", x), compute_left_eigenvectors=compute_left_eigenvectors,
        compute_right_eigenvectors=compute_right_eigenvectors,
        enable_eigvec_derivs=enable_eigvec_derivs, implementation=implementation,
    )


def svd(
    x, *, full_matrices: bool = True, compute_uv: bool = True,
    subset_by_index: tuple[int, int] | None = None, algorithm: SvdAlgorithm | None = None,
) -> Any:
    """Return x = U diag(s) V^H with orthonormal columns of U and V and descending s >= 0.

    Args:
      x: matrices `[..., n, m]`.
      full_matrices: U is n x n and V is m x m, else both have min(n, m) columns.
      compute_uv: return the vectors, too.
      subset_by_index: only the singular values from a first to a last position; on the CPU all of them.
      algorithm: on the CPU `SvdAlgorithm.QR`, or divide and conquer.
    Returns:
      (U, s, V^H), or s.
    Raises:
      TypeError: `x` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.svd(jnp.array([[0., 2.], [1., 0.]]), compute_uv=False)
    Array([2., 1.], dtype=float32)
    """
    s, *vectors = spectral.svd(
        operand_of("svd", x), full_matrices=bool(full_matrices), compute_uv=bool(compute_uv),
        subset_by_index=subset_by_index, algorithm=algorithm,
    )
    return (vectors[0], s, vectors[1]) if compute_uv else s


def schur(
    x, *, compute_schur_vectors: bool = True, sort_eig_vals: bool = False,
    select_callable: Callable[..., Any] | None = None,
) -> list[Array]:
    """Return x = Z T Z^H with unitary Z and upper triangular T; real T may have 2 x 2 blocks on its diagonal.

    Args:
      x: matrices `[..., n, n]`.
      compute_schur_vectors: return Z, too.
      sort_eig_vals, select_callable: not there on any device.
    Returns:
      [T, Z] or [T]. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.schur(jnp.array([[1., 2.], [0., 3.]]))[0]
    Array([[1., 2.],
           [0., 3.]], dtype=float32)
    """
    return spectral.schur(
        operand_of("schur", x), compute_schur_vectors=bool(compute_schur_vectors), sort_eig_vals=sort_eig_vals,
        select_callable=select_callable,
    )


def hessenberg(a) -> list[Array]:
    """Return the Hessenberg form of matrices, zero below the first subdiagonal, with what made it.

    Args:
      a: `[..., n, n]`.
    Returns:
      The form on and above the subdiagonal, below it Householder reflectors; their factors, `[..., n - 1]`.
      The dtype is that of `a`.
    Raises:
      TypeError: `a` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.hessenberg(jnp.array([[1., 2.], [3., 4.]]))[1]
    Array([0.], dtype=float32)
    """
    return spectral.hessenberg(operand_of("hessenberg", a))


def tridiagonal(a, *, lower: bool = True) -> list[Array]:
    """Return the tridiagonal form of Hermitian matrices, with what made it.

    Args:
      a: `[..., n, n]`.
      lower: which half is read, and holds the Householder reflectors.
    Returns:
      [reflectors like a, diagonal `[..., n]`, subdiagonal `[..., n - 1]`, factors `[..., n - 1]`];
      the diagonals are real, the others have the dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.tridiagonal(jnp.array([[1., 2.], [2., 4.]]))[1]
    Array([1., 4.], dtype=float32)
    """
    return spectral.tridiagonal(a, lower=bool(lower))


# ---- products and linear systems -----------------------------------------------------------------


def symmetric_product(
    a_matrix, c_matrix, *, alpha: float = 1.0, beta: float = 0.0, symmetrize_output: bool = False
) -> Array:
    """Return alpha a a^T + beta c, of which only the lower half is meaningful.

    Args:
      a_matrix: `[..., n, k]`, floating.
      c_matrix: symmetric, `[..., n, n]`.
      alpha, beta: factors of both.
      symmetrize_output: copy the lower half to the upper.
    Returns:
      `[..., n, n]`, of the dtype of the operands.
    Raises:
      ValueError: the lengths of the operands do not fit.
      TypeError: an operand is not floating or complex, or has fewer than two axes.

    >>> lax.linalg.symmetric_product(jnp.array([[1.], [2.]]), jnp.zeros((2, 2)))
    Array([[1., 2.],
           [2., 4.]], dtype=float32)
    """
    out = matrix_prims.symmetric_product(a_matrix, c_matrix, alpha=float(alpha), beta=float(beta))
    if not symmetrize_output:
        return out
    other = swapped(lower_part(out, -1))
    return add(lower_part(out), other)


def triangular_solve(
    a, b, *, left_side: bool = False, lower: bool = False, transpose_a: bool = False,
    conjugate_a: bool = False, unit_diagonal: bool = False,
) -> Array:
    """Return the solution x of op(a) x = b, or of x op(a) = b, with triangular a.

    Args:
      a: `[..., n, n]`; only one half of it is read.
      b: `[..., n, m]` if `left_side` else `[..., m, n]`; a vector `[..., n]` is one right-hand side.
      left_side: on which side of x the matrix stands.
      lower: which half is read.
      transpose_a, conjugate_a: what op does.
      unit_diagonal: take the diagonal for ones.
    Returns:
      An array like b; infinite or NaN where a has a zero on its diagonal. The dtype is that of `a`.
    Raises:
      TypeError: `a` is not an array or scalar of floats; lists are not converted.

    >>> lax.linalg.triangular_solve(jnp.array([[2.]]), jnp.array([[6.]]))
    Array([[3.]], dtype=float32)
    """
    a, b = operand_of("triangular_solve", a), operand_of("triangular_solve", b, 1)
    complex_ = aval_of(a).dtype.kind == "c"
    vector = aval_of(b).ndim == aval_of(a).ndim - 1
    if vector:
        b = expand_dims(b, (-1 if left_side else -2,))
    out = triangular.triangular_solve(
        a, b, left_side=bool(left_side), lower=bool(lower), transpose_a=bool(transpose_a),
        conjugate_a=bool(conjugate_a) and complex_, unit_diagonal=bool(unit_diagonal),
    )
    return squeeze(out, (-1 if left_side else -2,)) if vector else out


def tridiagonal_solve(dl, d, du, b, *, perturb_singular: bool = False) -> Array:
    """Return the solution x of T x = b with tridiagonal T.

    Args:
      dl: below the diagonal, `[..., n]`; the first is not used.
      d: the diagonal, `[..., n]`.
      du: above the diagonal, `[..., n]`; the last is not used.
      b: `[..., n, m]`.
      perturb_singular: put a number near rounding errors for a pivot that is zero, so that there is a solution.
    Returns:
      An array like b; NaN where T is singular. The dtype is that of `b`.
    Raises:
      TypeError: `dl` is not an array or scalar of floats, or shapes do not fit together; lists are not converted.

    >>> lax.linalg.tridiagonal_solve(jnp.zeros(2), jnp.array([1., 2.]), jnp.zeros(2), jnp.array([[3.], [4.]]))
    Array([[3.],
           [2.]], dtype=float32)
    """
    return triangular.tridiagonal_solve(dl, d, du, b, perturb_singular=perturb_singular)

public(globals())
