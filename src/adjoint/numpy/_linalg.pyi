# Written by stubs/generate.py; do not edit.
from typing import Literal, NamedTuple, overload
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple
class _SVD(NamedTuple):
    U: Array
    S: Array
    Vh: Array
class _QR(NamedTuple):
    Q: Array
    R: Array
_Part = tuple[int, int] | None
def cholesky(a: ArrayLike, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """Return the triangular factor L of Hermitian positive definite matrices, a = L L^H.

    Args:
      a: `[..., n, n]`.
      upper: return L^H instead.
      symmetrize_input: take the mean of `a` and its adjoint first.
    Returns:
      `[..., n, n]`; NaN where a matrix is not positive definite.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.cholesky(jnp.array([[4., 2.], [2., 5.]]))
    Array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
def cond(x: ArrayLike, p: ArrayLike | None = None) -> Array:
    """Return the condition number of matrices: the norm times that of the inverse.

    Args:
      x: `[..., n, m]`; square, unless `p` is None, 2 or -2.
      p: the `ord` of the norm; None and 2 give the ratio of the extreme singular values.
    Returns:
      `[...]`; infinite where a matrix is singular. The dtype is float, also of complex matrices.
    Raises:
      ValueError: the shape does not fit.

    >>> cond(jnp.array([[4., 0.], [0., 2.]]))
    Array(2., dtype=float32)
    """
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int | Sequence[int] | None = -1) -> Array:
    """Return the cross product of vectors of length 3.

    Args:
      x1, x2: arrays of length 3 along the axis; the others broadcast.
      axis: the axis of the vectors, of length 3.
    Returns:
      Vectors at right angles to both, in an array of the shape to which they broadcast.
      The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: the length is not 3.
      TypeError: an argument is not an array; lists are not converted.

    >>> jnp.linalg.cross(jnp.array([1., 0., 0.]), jnp.array([0., 1., 0.]))
    Array([0., 0., 1.], dtype=float32)
    """
def det(a: ArrayLike) -> Array:
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
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Return the diagonals of matrices in the last two axes.

    Args:
      x: `[..., n, m]`.
      offset: which diagonal, counted from the main one upwards.
    Returns:
      An array with the batch axes, then the diagonal. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.diagonal(jnp.array([[1, 2], [3, 4]]))
    Array([1, 4], dtype=int32)
    """
def eig(a: ArrayLike) -> _EigResult:
    """Return eigenvalues and right eigenvectors of general matrices, always complex.

    Args:
      a: `[..., n, n]`.
    Returns:
      EigResult(eigenvalues `[..., n]`, eigenvectors in columns `[..., n, n]`)
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.eig(jnp.array([[0., 1.], [-1., 0.]])).eigenvalues
    Array([0.+1.j, 0.-1.j], dtype=complex64)
    """
def eigh(a: ArrayLike, UPLO: str | None = None, symmetrize_input: bool = True) -> _EighResult:
    """Return eigenvalues and eigenvectors of Hermitian matrices.

    Args:
      a: `[..., n, n]`.
      UPLO: "L" (default) or "U": which half is read, if the input is not symmetrized.
      symmetrize_input: take the mean of `a` and its adjoint first.
    Returns:
      EighResult(ascending real eigenvalues `[..., n]`, eigenvectors in columns `[..., n, n]`).
      Eigenvalues are real floats, also of complex matrices; vectors have the dtype of the matrix.
    Raises:
      ValueError: another UPLO.

    >>> jnp.linalg.eigh(jnp.array([[2., 0.], [0., 1.]])).eigenvalues
    Array([1., 2.], dtype=float32)
    """
def eigvals(a: ArrayLike) -> Array:
    """Return eigenvalues of general matrices.

    Args:
      a: `[..., n, n]`.
    Returns:
      `[..., n]`, always complex, in no particular order.
    Raises:
      ValueError: the matrices are not square.
    See also: `eig`, with eigenvectors; `eigvalsh`, for Hermitian matrices.

    >>> jnp.linalg.eigvals(jnp.array([[1., 2.], [0., 3.]]))
    Array([1.+0.j, 3.+0.j], dtype=complex64)
    """
def eigvalsh(a: ArrayLike, UPLO: str | None = 'L', *, symmetrize_input: bool = True) -> Array:
    """Return ascending eigenvalues of Hermitian matrices.

    Args:
      a: `[..., n, n]`.
      UPLO: which triangle is read, "L" or "U".
      symmetrize_input: take the mean of the matrix and its conjugate transpose before.
    Returns:
      `[..., n]`, real, going up. The dtype is float, also of complex matrices.
    Raises:
      ValueError: the matrices are not square, or `UPLO` is none of both.
    See also: `eigh`, with eigenvectors.

    >>> jnp.linalg.eigvalsh(jnp.array([[2., 0.], [0., 1.]]))
    Array([1., 2.], dtype=float32)
    """
def inv(a: ArrayLike) -> Array:
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
def lstsq(a: ArrayLike, b: ArrayLike, rcond: float | None = None, *, numpy_resid: bool = False) -> tuple[Array, Array, Array, Array]:
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
def matmul(x1: ArrayLike, x2: ArrayLike, /, *, precision: Any = None, preferred_element_type: DTypeLike | None = None) -> Array:
    """Return the matrix product, as `jnp.matmul` does; batches broadcast.

    Args:
      x1: `[..., n, k]`, or a vector.
      x2: `[..., k, m]`, or a vector.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      `[..., n, m]`, without the axis that a vector lacks. The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: an operand is a scalar.
      TypeError: the lengths `k` differ.

    >>> jnp.linalg.matmul(jnp.ones((2, 3)), jnp.ones((3, 4))).shape
    (2, 4)
    """
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: str = 'fro') -> Array:
    """Return the norm of matrices in the last two axes.

    Args:
      x: `[..., n, m]`.
      keepdims: keep these axes with length 1.
      ord: "fro" for the root of the sum of squares, "nuc" for the sum of singular values, 2 and -2 for the largest and
        the smallest of these, 1 and -1 for the largest and smallest sum of sizes in a column, inf and -inf in a row.
    Returns:
      `[...]`, real floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.matrix_norm(jnp.array([[3., 0.], [0., 4.]]))
    Array(5., dtype=float32)
    """
def matrix_power(a: ArrayLike, n: int) -> Array:
    """Return a square matrix to an integer power, by repeated squaring; of the inverse if that is negative.

    Args:
      a: `[..., n, n]`.
      n: a Python int.
    Returns:
      `[..., n, n]`; the unit matrix for 0.
    Raises:
      TypeError: `n` is not an int, or the matrices are not square.

    >>> jnp.linalg.matrix_power(jnp.array([[1, 1], [0, 1]]), 3)
    Array([[1, 3],
           [0, 1]], dtype=int32)
    """
def matrix_rank(M: ArrayLike, rtol: ArrayLike | None = None, *, hermitian: bool = False, tol: Any = None) -> Array:
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
from adjoint.numpy import matrix_transpose as matrix_transpose
def multi_dot(arrays: Sequence[ArrayLike], *, precision: Any = None) -> Array:
    """Return the product of several matrices, in the order that costs least.

    Args:
      arrays: two matrices at least; the first and the last may be vectors.
      precision: of the multiplication: a `lax.Precision` or its name.
    Returns:
      The product, without the axes that vectors lack.
    Raises:
      ValueError: there are fewer than two, or ranks do not fit.

    >>> jnp.linalg.multi_dot([jnp.ones((9, 2)), jnp.ones((2, 9)), jnp.ones(9)])[:2]
    Array([18., 18.], dtype=float32)
    """
def norm(x: ArrayLike, ord: Any = None, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Array:
    """Return the norm of vectors or matrices.

    Args:
      x: array; inexact after promotion.
      ord: for vectors a number, inf or -inf; for matrices "fro", 1, -1, inf, -inf, or of the singular values
        "nuc" (their sum), 2 (the largest) or -2 (the least). Default: the root of the sum of squares.
      axis: one axis for vectors, two for matrices; None is all.
      keepdims: keep the reduced axes with length 1.
    Returns:
      An array without these axes, real. The dtype is float, also of complex matrices.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
    See also: `linalg.vector_norm`, `linalg.matrix_norm`, `nn.standardize`.

    >>> norm(jnp.array([3., 4.]))
    Array(5., dtype=float32)
    """
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return all products of the elements of two vectors.

    Args:
      x1, x2: vectors, `[n]` and `[m]`.
    Returns:
      `[n, m]`, of the dtype to which theirs promote.
    Raises:
      ValueError: they are no vectors.
      TypeError: one is not an array; lists are not converted.

    >>> jnp.linalg.outer(jnp.array([1, 2]), jnp.array([3, 4]))
    Array([[3, 4],
           [6, 8]], dtype=int32)
    """
def pinv(a: ArrayLike, rtol: ArrayLike | None = None, hermitian: bool = False, *, rcond: Any = None) -> Array:
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
@overload
def qr(a: ArrayLike, mode: Literal["reduced", "complete"] = "reduced") -> _QR:
    """Return a = Q R with orthonormal columns of Q and upper triangular R.

    Args:
      a: `[..., n, m]`.
      mode: "reduced" or "full" (Q has min(n, m) columns), "complete" (n columns), "r" (only R), or "raw"
        (Householder reflectors, transposed, and their factors).
    Returns:
      QRResult(Q, R), or R.
    Raises:
      ValueError: another mode.

    >>> jnp.linalg.qr(jnp.array([[3., 0.], [4., 5.]])).R
    Array([[-5., -4.],
           [ 0.,  3.]], dtype=float32)
    """
@overload
def qr(a: ArrayLike, mode: Literal["r"]) -> Array:
    """Return a = Q R with orthonormal columns of Q and upper triangular R.

    Args:
      a: `[..., n, m]`.
      mode: "reduced" or "full" (Q has min(n, m) columns), "complete" (n columns), "r" (only R), or "raw"
        (Householder reflectors, transposed, and their factors).
    Returns:
      QRResult(Q, R), or R.
    Raises:
      ValueError: another mode.

    >>> jnp.linalg.qr(jnp.array([[3., 0.], [4., 5.]])).R
    Array([[-5., -4.],
           [ 0.,  3.]], dtype=float32)
    """
def slogdet(a: ArrayLike, *, method: str | None = None) -> _SlogdetResult:
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
def solve(a: ArrayLike, b: ArrayLike) -> Array:
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
@overload
def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: Literal[True] = True, hermitian: bool = False, subset_by_index: _Part = None) -> _SVD:
    """Return a = U diag(S) Vh with orthonormal columns of U, orthonormal rows of Vh, and descending S >= 0.

    Args:
      a: `[..., n, m]`.
      full_matrices: U is n x n and Vh is m x m, else they have min(n, m) columns and rows.
      compute_uv: return the vectors, too.
      hermitian: the matrices are Hermitian, so that `eigh` will do.
      subset_by_index: on the CPU, all singular values.
    Returns:
      SVDResult(U, S, Vh), or S.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.svd(jnp.array([[0., 2.], [1., 0.]]), compute_uv=False)
    Array([2., 1.], dtype=float32)
    """
@overload
def svd(a: ArrayLike, full_matrices: bool = True, *, compute_uv: Literal[False], hermitian: bool = False, subset_by_index: _Part = None) -> Array:
    """Return a = U diag(S) Vh with orthonormal columns of U, orthonormal rows of Vh, and descending S >= 0.

    Args:
      a: `[..., n, m]`.
      full_matrices: U is n x n and Vh is m x m, else they have min(n, m) columns and rows.
      compute_uv: return the vectors, too.
      hermitian: the matrices are Hermitian, so that `eigh` will do.
      subset_by_index: on the CPU, all singular values.
    Returns:
      SVDResult(U, S, Vh), or S.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.svd(jnp.array([[0., 2.], [1., 0.]]), compute_uv=False)
    Array([2., 1.], dtype=float32)
    """
@overload
def svd(a: ArrayLike, full_matrices: bool, compute_uv: Literal[False], hermitian: bool = False, subset_by_index: _Part = None) -> Array:
    """Return a = U diag(S) Vh with orthonormal columns of U, orthonormal rows of Vh, and descending S >= 0.

    Args:
      a: `[..., n, m]`.
      full_matrices: U is n x n and Vh is m x m, else they have min(n, m) columns and rows.
      compute_uv: return the vectors, too.
      hermitian: the matrices are Hermitian, so that `eigh` will do.
      subset_by_index: on the CPU, all singular values.
    Returns:
      SVDResult(U, S, Vh), or S.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.svd(jnp.array([[0., 2.], [1., 0.]]), compute_uv=False)
    Array([2., 1.], dtype=float32)
    """
def svdvals(x: ArrayLike, /) -> Array:
    """Return singular values of matrices.

    Args:
      x: `[..., n, m]`.
    Returns:
      `[..., min(n, m)]`, real, not negative, going down. The dtype is float, also of complex matrices.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
    See also: `svd`, with singular vectors.

    >>> jnp.linalg.svdvals(jnp.array([[0., 2.], [1., 0.]]))
    Array([2., 1.], dtype=float32)
    """
def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: Any = 2, precision: Any = None, preferred_element_type: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Return the sum of products over several axes, as `jnp.tensordot` does.

    Args:
      x1, x2: arrays.
      axes: how many last axes of `x1` and first ones of `x2`, or a pair of axes or sequences of axes.
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      The sums of products, in an array with the other axes of `x1`, then those of `x2`.
      The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not fit together; lists are not converted.

    >>> jnp.linalg.tensordot(jnp.ones((2, 3)), jnp.ones((3, 4)), axes=1).shape
    (2, 4)
    """
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
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
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Sequence[int] | None = None) -> Array:
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
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Return the sums of the diagonals of matrices in the last two axes.

    Args:
      x: `[..., n, m]`.
      offset: which diagonal, counted from the main one upwards.
      dtype: of the result; small integers are summed as the default integer.
    Returns:
      `[...]`.
      The dtype is that of `x`; of small integers and booleans the default integer, unless `dtype` says another.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.linalg.trace(jnp.eye(3))
    Array(3., dtype=float32)
    """
from adjoint.numpy import vecdot as vecdot
def vector_norm(x: ArrayLike, /, *, axis: int | Sequence[int] | None = None, keepdims: bool = False, ord: int = 2) -> Array:
    """Return the norm of vectors along axes.

    Args:
      x: array.
      axis: an axis, a tuple of axes, or None for all elements.
      keepdims: keep these axes with length 1.
      ord: p for the p-th root of the sum of p-th powers of sizes; inf and -inf for the largest and the smallest size, 0
        for the number of elements that are not zero.
    Returns:
      Real floats, in an array without these axes; of integers and booleans the orders 1, inf and -inf give integers.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.linalg.vector_norm(jnp.array([3., 4.]))
    Array(5., dtype=float32)
    """
class _EigResult(NamedTuple):
    eigenvalues: Array
    eigenvectors: Array
class _EighResult(NamedTuple):
    eigenvalues: Array
    eigenvectors: Array
class _SlogdetResult(NamedTuple):
    sign: Array
    logabsdet: Array
