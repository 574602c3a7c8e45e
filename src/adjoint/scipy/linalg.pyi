# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
from collections.abc import Callable
from typing import Any
def block_diag(*arrs: ArrayLike) -> Array:
    """Return matrices along the diagonal of a larger one, with zeros elsewhere.

    Args:
      arrs: scalars, vectors (one row) or matrices; they promote.
    Returns:
      A matrix whose lengths are the sums of theirs, of the dtype to which theirs promote.
    Raises:
      ValueError: one has more than two axes.

    >>> block_diag(jnp.ones((1, 2)), 3.)
    Array([[1., 1., 0.],
           [0., 0., 3.]], dtype=float32)
    """
def cho_factor(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, bool]:
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
def cho_solve(c_and_lower: Any, b: ArrayLike, overwrite_b: bool = False, check_finite: bool = True) -> Array:
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
def cholesky(a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Array:
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
def circulant(c: ArrayLike) -> Array:
    """Return square matrices whose columns are the first one, turned.

    Args:
      c: the first column, `[..., n]`.
    Returns:
      `[..., n, n]`. The dtype is that of `c`.
    Raises:
      TypeError: `c` is not an array or scalar; lists are not converted.

    >>> circulant(jnp.array([1, 2, 3]))
    Array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]], dtype=int32)
    """
def companion(a: ArrayLike) -> Array:
    """Return the matrix whose characteristic polynomial has these coefficients, the highest first.

    Args:
      a: `[n]`, n >= 2, the first not zero.
    Returns:
      `[n - 1, n - 1]`, floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> companion(jnp.array([1., -3., 2.]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float32)
    """
def convolution_matrix(a: ArrayLike, n: int, mode: str = 'full') -> Array:
    """Return the matrix that convolves vectors of length n with `a`.

    Args:
      a: `[m]`.
      n: the length of the vectors.
      mode: "full", "same" or "valid", as in `convolve`.
    Returns:
      `[k, n]`, where k is the length of the convolution: ``m + n - 1`` in the mode "full". The dtype is that of `a`.
    Raises:
      TypeError: `a` is a list, or `n` is no integer.
      ValueError: `a` is a scalar, `n` is not positive, or `mode` is not known.

    >>> convolution_matrix(jnp.array([1, 2]), 2)
    Array([[1, 0],
           [2, 1],
           [0, 2]], dtype=int32)
    """
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
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
def dft(n: int, scale: str | None = None, *, dtype: DTypeLike | None = None) -> Array:
    """Return the matrix of the discrete Fourier transform.

    Args:
      n: the length of the transformed vectors.
      scale: what it is divided by: None, "sqrtn" or "n".
      dtype: a complex dtype.
    Returns:
      `[n, n]`, complex.
    Raises:
      TypeError: `n` is not an integer.
      ValueError: `dtype` is not complex.

    >>> dft(2).real
    Array([[ 1.,  1.],
           [ 1., -1.]], dtype=float32)
    """
def eigh(a: ArrayLike, b: ArrayLike | None = None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, turbo: bool = True, eigvals: None = None, type: int = 1, check_finite: bool = True) -> Any:
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
def eigh_tridiagonal(d: ArrayLike, e: ArrayLike, *, eigvals_only: bool = False, select: str = 'a', select_range: tuple[float, float] | None = None, tol: float | None = None, key: ArrayLike | None = None) -> Any:
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
def expm(A: ArrayLike, *, upper_triangular: bool = False, max_squarings: int = 16) -> Array:
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
def expm_frechet(A: ArrayLike, E: Any, *, method: str | None = None, compute_expm: bool = True) -> Any:
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
def fiedler(a: ArrayLike) -> Array:
    """Return the symmetric matrix of the distances of numbers.

    Args:
      a: `[..., n]`.
    Returns:
      `[..., n, n]`: element i, j is the size of the difference of numbers i and j.
      The dtype is that of the numbers, of complex ones the real one of their size.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> fiedler(jnp.array([1, 4]))
    Array([[0, 3],
           [3, 0]], dtype=int32)
    """
def fiedler_companion(a: ArrayLike) -> Array:
    """Return a matrix with five diagonals whose characteristic polynomial has these coefficients, the highest first.

    Args:
      a: `[..., n]`, n >= 1, the first not zero.
    Returns:
      `[..., n - 1, n - 1]`. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
    Source: Fiedler, "A note on companion matrices" (2003).

    >>> fiedler_companion(jnp.array([1., -3., 2.]))
    Array([[ 3., -2.],
           [ 1.,  0.]], dtype=float32)
    """
def funm(A: ArrayLike, func: Callable[..., Any], disp: bool = True) -> Any:
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
def hadamard(n: int, dtype: DTypeLike | None = ...) -> Array:
    """Return the n x n matrix of orthogonal rows of 1 and -1.

    Args:
      n: a power of two.
      dtype: of the result.
    Returns:
      `[n, n]`. The dtype is `dtype`.
    Raises:
      ValueError: `n` is no power of two.

    >>> hadamard(2)
    Array([[ 1,  1],
           [ 1, -1]], dtype=int32)
    """
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Return matrices with constant anti-diagonals.

    Args:
      c: the first column, `[..., n]`.
      r: the last row, `[..., m]`, its first element unused; default zeros. Batches broadcast.
    Returns:
      `[..., n, m]`. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `c` is not an array or scalar; lists are not converted.

    >>> hankel(jnp.array([1, 2]), jnp.array([2, 3]))
    Array([[1, 2],
           [2, 3]], dtype=int32)
    """
def helmert(n: int, full: bool = False) -> Array:
    """Return the orthogonal matrix of Helmert's contrasts: differences from the mean of the numbers before.

    Args:
      n: the length of the rows.
      full: begin with the row of equal elements.
    Returns:
      `[n - 1, n]`, or `[n, n]` if it is full. The dtype is the default float.
    Raises:
      TypeError: `n` is not an integer.

    >>> helmert(2).round(3)
    Array([[ 0.707, -0.707]], dtype=float32)
    """
def hessenberg(a: ArrayLike, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
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
def hilbert(n: int) -> Array:
    """Return the n x n matrix of 1 / (i + j + 1).

    Args:
      n: the number of rows.
    Returns:
      `[n, n]`, floats.
    Raises:
      TypeError: `n` is not an integer.

    >>> hilbert(2)[1, 0]
    Array(0.5, dtype=float32)
    """
def inv(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> Array:
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
def invhilbert(n: int) -> Array:
    """Return the inverse of `hilbert(n)`, whose elements are whole numbers.

    Args:
      n: the number of rows.
    Returns:
      `[n, n]`, floats.
    Raises:
      TypeError: `n` is not an integer.

    >>> invhilbert(2)[0, 0]
    Array(4., dtype=float32)
    """
def invpascal(n: int, kind: str | None = None) -> Array:
    """Return the inverse of `pascal(n, kind)`, whose elements are whole numbers.

    Args:
      n: the number of rows.
      kind: "symmetric" (None), "lower" or "upper".
    Returns:
      `[n, n]`, floats.
    Raises:
      ValueError: there is no such kind.

    >>> invpascal(2)[0, 0]
    Array(2., dtype=float32)
    """
def leslie(f: ArrayLike, s: ArrayLike) -> Array:
    """Return the matrix of a population model: fecundities in the first row, survivals below the diagonal.

    Args:
      f: `[..., n]`, n >= 2.
      s: `[..., n - 1]`.
    Returns:
      `[..., n, n]`. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `f` is not a function.

    >>> leslie(jnp.array([0., 2.]), jnp.array([0.5]))
    Array([[0. , 2. ],
           [0.5, 0. ]], dtype=float32)
    """
def lu(a: ArrayLike, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
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
def lu_factor(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Array, Array]:
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
def lu_solve(lu_and_piv: Any, b: ArrayLike, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True) -> Array:
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
def pascal(n: int, kind: str | None = None) -> Array:
    """Return the n x n matrix of binomial coefficients.

    Args:
      n: the number of rows.
      kind: "symmetric" (None), "lower" or "upper".
    Returns:
      `[n, n]`, floats.
    Raises:
      ValueError: there is no such kind.

    >>> pascal(3)[2, 2]
    Array(6., dtype=float32)
    """
def polar(a: ArrayLike, side: str = 'right', *, method: str = 'qdwh', eps: float | None = None, max_iterations: int | None = None) -> tuple[Array, Array]:
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
def qr(a: ArrayLike, overwrite_a: bool = False, lwork: Any = None, mode: str = 'full', pivoting: bool = False, check_finite: bool = True) -> tuple[Array, ...]:
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
def qr_multiply(a: ArrayLike, c: ArrayLike, mode: str = 'right', pivoting: bool = False, conjugate: bool = False, overwrite_a: bool = False, overwrite_c: bool = False) -> tuple[Array, ...]:
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
def rsf2csf(T: ArrayLike, Z: Any, check_finite: bool = True) -> tuple[Array, Array]:
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
def schur(a: ArrayLike, output: str = 'real') -> list[Array]:
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
def solve(a: ArrayLike, b: ArrayLike, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, debug: bool = False, check_finite: bool = True, assume_a: str = 'gen') -> Array:
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
def solve_sylvester(A: ArrayLike, B: ArrayLike, C: Any, *, method: str = 'schur', tol: float = 1e-08) -> Array:
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
def solve_triangular(a: ArrayLike, b: ArrayLike, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False, debug: Any = None, check_finite: bool = True) -> Array:
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
def sqrtm(A: ArrayLike, blocksize: int = 1) -> Array:
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
def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True, lapack_driver: str = 'gesdd') -> Any:
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
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> Array:
    """Return matrices with constant diagonals.

    Args:
      c: the first column, `[..., n]`.
      r: the first row, `[..., m]`, its first element unused; default conj(c). Batches broadcast.
    Returns:
      `[..., n, m]`. The dtype is the one to which those of the arrays promote.
    Raises:
      TypeError: `c` is not an array or scalar; lists are not converted.

    >>> toeplitz(jnp.array([1, 2]), jnp.array([1, 5, 6]))
    Array([[1, 5, 6],
           [2, 1, 5]], dtype=int32)
    """
