# Written by stubs/generate.py; do not edit.
from adjoint import Array
from collections.abc import Callable
from typing import Any
def lobpcg_standard(A: Array | Callable[[Array], Array], X: Array, m: int = 100, tol: Array | float | None = None) -> tuple[Array, Array, Array]:
    """Return the largest eigenvalues of a symmetric positive semi-definite matrix, by LOBPCG.

    Each iteration looks for the best vectors in the space of those that are there, what is left of each, and the last
    steps.

    Args:
      A: `[n, n]`, or a function `[n, k] -> [n, k]` that multiplies with it.
      X: `[n, k]`, where the search begins; 5 k is less than n.
      m: the greatest number of iterations.
      tol: how small what is left must be, relative to the eigenvalue; default, the precision of the dtype.
    Returns:
      The eigenvalues, the largest first, the eigenvectors `[n, k]`, and how many iterations were run.
    Raises:
      ValueError: there are too many vectors, or `A` and `X` do not fit.

    >>> from adjoint.experimental.sparse import linalg
    >>> values, vectors, iterations = linalg.lobpcg_standard(jnp.diag(jnp.arange(20.)), jnp.eye(20, 2) + 0.1)
    >>> values.round(3)
    Array([19., 18.], dtype=float32)
    """
def spsolve(data: Any, indices: Any, indptr: Any, b: Any, tol: Any = 1e-06, reorder: Any = 1) -> Any:
    """Return the solution x of A x = b, for a square sparse matrix by rows. It is computed by SciPy, on the host.

    Args:
      data, indices, indptr: the elements of A, their columns, and where each row begins, as of `CSR`.
      b: `[n]`, of the dtype of `data`.
      tol: unused here; GPUs decide by it whether the matrix is singular.
      reorder: unused here, from 1 to 4; how GPUs order the matrix. 0 is the same as 1.
    Raises:
      ValueError: shapes or dtypes do not fit, or there is no such order.

    >>> from adjoint.experimental.sparse import linalg
    >>> linalg.spsolve(jnp.array([2., 4.]), jnp.array([0, 1]), jnp.array([0, 1, 2]), jnp.array([1., 1.]))
    Array([0.5 , 0.25], dtype=float32)
    """
from adjoint.lax import spsolve_p as spsolve_p
