"""Linear algebra with sparse matrices: `spsolve`, and `lobpcg_standard` for the largest eigenvalues.

Tests: `tests/experimental/sparse/test_linalg.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from ... import lax
from ... import numpy as jnp
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.primitive import Primitive, is_undefined_primal
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.zeros import Zero
from ...prims.family import add_any
from ...prims.shape import materialise_batch
from ...transforms.jit.staging import eval_shape
from .bcsr import row_starts
from .csr import CSR
from .util import rows_of

__all__ = ["lobpcg_standard", "spsolve", "spsolve_p"]

public(globals())


# ---- systems of equations ------------------------------------------------------------------------

spsolve_p = Primitive("spsolve")


@spsolve_p.type
def _(data, indices, indptr, b, *, tol, reorder):
    return ShapedArray(b.shape, b.dtype)


@spsolve_p.evaluate
def _(data, indices, indptr, b, *, tol, reorder):
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import MatrixRankWarning
    from scipy.sparse.linalg import spsolve as solve

    wide = np.result_type(b.dtype, np.float32) if b.dtype.kind in "fc" and b.dtype.itemsize > 2 else np.float64
    parts = [np.array(x, order="C") for x in (data.astype(wide), indices, indptr)]  # SciPy orders them in place
    matrix = csr_matrix(tuple(parts), shape=(b.size, b.size))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MatrixRankWarning)  # the solution is NaN
        return np.asarray(solve(matrix, b.astype(wide))).astype(b.dtype)


def _times(data, indices, indptr, x):
    """Return the product of a matrix and a vector."""
    rows = rows_of(indptr, indices.shape[0])
    return jnp.zeros_like(x).at[rows].add(data * x[indices], mode="drop")


def _transposed(data, indices, indptr):
    """Return the buffers of the transpose of a square matrix."""
    rows, n = rows_of(indptr, indices.shape[0]), indptr.shape[0] - 1
    order = jnp.argsort(indices, stable=True)
    return data[order], rows[order], row_starts(indices[order], n)


@spsolve_p.jvp
def _(primals, tangents, **params):
    data, indices, indptr, b = primals
    x = spsolve_p.bind(*primals, **params)
    given = None
    if type(tangents[3]) is not Zero:
        given = tangents[3]
    if type(tangents[0]) is not Zero:
        moved = jnp.negative(_times(tangents[0], indices, indptr, x))
        given = moved if given is None else add_any(given, moved)
    if given is None:
        return x, Zero(aval_of(x).to_tangent_aval())
    return x, spsolve_p.bind(data, indices, indptr, given, **params)


@spsolve_p.transpose
def _(ct, data, indices, indptr, b, **params):
    assert is_undefined_primal(b)
    return [None, None, None, spsolve_p.bind(*_transposed(data, indices, indptr), ct, **params)]


@spsolve_p.batch
def _(args, dims, **params):
    size = next(x.shape[d] for x, d in zip(args, dims) if d is not None)
    args = [materialise_batch(x, d, size) for x, d in zip(args, dims)]
    return lax.map(lambda xs: spsolve_p.bind(*xs, **params), tuple(args)), 0


spsolve_p.examples((
    np.array([3, 1.5, 2, 1, 4], np.float32), np.array([0, 1, 1, 0, 2], np.int32), np.array([0, 2, 3, 5], np.int32),
    ShapedArray((3,), np.dtype(np.float32)), dict(tol=1e-6, reorder=1),
))


def spsolve(data, indices, indptr, b, tol=1e-6, reorder=1):
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
    data, indices, indptr, b = map(jnp.asarray, (data, indices, indptr, b))
    if {data.ndim, indices.ndim, indptr.ndim, b.ndim} != {1}:
        raise ValueError(
            f"Arrays must be one-dimensional. Got {data.shape=} {indices.shape=} {indptr.shape=} {b.shape=}"
        )
    if data.dtype != b.dtype:
        raise ValueError(f"data types do not match: {data.dtype=} {b.dtype=}")
    if not all([dtypes.issubdtype(x.dtype, np.integer) for x in (indices, indptr)]):
        raise ValueError(f"index arrays must be integer typed; got {indices.dtype=} {indptr.dtype=}")
    if data.shape != indices.shape or indptr.shape[0] != b.shape[0] + 1:
        raise ValueError(f"Invalid CSR buffer sizes: {data.shape=} {indices.shape=} {indptr.shape=}")
    if reorder not in (0, 1, 2, 3):
        raise ValueError(f"{reorder=} not valid, must be one of [1, 2, 3, 4]")
    return spsolve_p.bind(data, indices, indptr, b, tol=float(tol), reorder=int(reorder))


# ---- eigenvalues ---------------------------------------------------------------------------------


def lobpcg_standard(
    A: Array | Callable[[Array], Array], X: Array, m: int = 100, tol: Array | float | None = None
) -> tuple[Array, Array, Array]:
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
    X = jnp.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X must be of shape [n, k]; got {X.shape}.")
    n, k = X.shape
    if 5 * k >= n:
        raise ValueError(f"expected search dim * 5 < matrix dim (got {5 * k}, {n})")
    if X.dtype.kind not in "fcV":
        raise ValueError(f"A, X must have same dtypes (were {getattr(A, 'dtype', 'those of a function')}, {X.dtype})")
    if callable(A):
        multiply = A
    else:
        matrix = A if isinstance(A, CSR) else jnp.asarray(A) if not hasattr(A, "todense") else A
        if matrix.shape != (n, n):
            raise ValueError(f"A must be of shape [n, n] for X of shape [n, k]; got {matrix.shape} and {X.shape}.")
        multiply = lambda x: matrix @ x
    found = eval_shape(multiply, X)
    if found.shape != X.shape or found.dtype != X.dtype:
        raise ValueError(
            f"A, X must have same dtypes (were {found.dtype}, {X.dtype}), and A must take {X.shape} to the same; it "
            f"gives {found.shape}."
        )
    if X.dtype.kind != "f":
        raise TypeError(f"lobpcg_standard: X must be of real floating dtype; got {X.dtype}.")
    return _lobpcg(multiply, X, m, tol)


def _orthonormal(basis):
    """Return vectors that span the same space; those that depend on others become 0, by the eigenvalues of their
    products.
    """
    eps = jnp.finfo(basis.dtype).eps
    for _ in range(2):
        norms = jnp.linalg.norm(basis, axis=0, keepdims=True)
        scaled = basis / jnp.where(norms == 0, jnp.ones_like(norms), norms)
        values, vectors = jnp.linalg.eigh(scaled.T @ scaled)
        least = eps * jnp.max(values) * basis.shape[0]
        factor = jnp.where(values > least, 1 / jnp.sqrt(jnp.maximum(values, least)), jnp.zeros_like(values))
        basis = scaled @ (vectors * factor[None])
    return basis


def _without(space, basis):
    """Return what is left of vectors without their part in an orthonormal space, orthonormal."""
    for _ in range(2):
        basis = _orthonormal(basis - space @ (space.T @ basis))
    return basis


def _lobpcg(multiply, X, m, tol):
    n, k = X.shape
    eps = jnp.finfo(X.dtype).eps
    tol = jnp.asarray(eps if tol is None else tol, X.dtype)

    def ritz(S):
        """The best k vectors in an orthonormal space: eigenvalues, and coordinates."""
        products = S.T @ multiply(S)
        values, vectors = jnp.linalg.eigh((products + products.T) / 2)
        return values[::-1][:k], vectors[:, ::-1][:, :k]

    start = _completed(_orthonormal(X))
    values, coordinates = ritz(start)
    X = start @ coordinates
    residual = multiply(X) - X * values[None]

    def is_done(values, residual):
        left = jnp.linalg.norm(residual, axis=0)
        return jnp.all(left <= tol * 10 * n * (jnp.abs(values) + eps))

    def goes_on(state):
        i, values, X, P, residual = state
        return (i < m) & ~is_done(values, residual)

    def turn(state):
        i, _, X, P, residual = state
        R = _without(X, residual)
        P = _without(jnp.concatenate([X, R], 1), P)
        S = jnp.concatenate([X, R, P], 1)
        values, coordinates = ritz(S)
        step = S[:, k:] @ coordinates[k:]
        X = _orthonormal_columns(S @ coordinates)
        return i + 1, values, X, step, multiply(X) - X * values[None]

    i, values, X, _, _ = lax.while_loop(goes_on, turn, (jnp.int32(0), values, X, jnp.zeros_like(X), residual))
    return values, X, i


def _orthonormal_columns(X):
    """Return columns that are nearly orthonormal, made so in their order."""
    q, r = jnp.linalg.qr(X)
    return q * jnp.where(jnp.diagonal(r) < 0, -jnp.ones((), X.dtype), jnp.ones((), X.dtype))[None]


def _completed(basis):
    """Return an orthonormal basis in which vectors that are 0 have been replaced by others."""
    n, k = basis.shape
    return jnp.linalg.qr(jnp.concatenate([basis, jnp.eye(n, k, dtype=basis.dtype)], 1))[0][:, :k]
