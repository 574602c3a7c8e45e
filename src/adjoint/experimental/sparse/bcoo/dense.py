"""Conversions of dense arrays to sparse ones and back: `bcoo_fromdense`, `bcoo_todense`, `bcoo_extract`.

Tests: `tests/experimental/sparse/test_bcoo.py`.
"""

from __future__ import annotations

import numpy as np

from .... import numpy as jnp
from ....core.messages.errors import ConcretizationTypeError
from ....core.trace import Tracer
from ....core.types import Array, ShapedArray, aval_of
from ....core.values.zeros import Zero
from .._base import as_index_dtype
from ..programs import over_batches, sparse_primitive
from ..util import SparseInfo, count_stored, is_stored
from .array import BCOO, member
from .properties import properties_of, split

__all__ = [
    "bcoo_extract", "bcoo_extract_p", "bcoo_fromdense", "bcoo_fromdense_p", "bcoo_todense", "bcoo_todense_p",
    "columns", "is_repeated",
]


def columns(indices):
    """Return the indices along each sparse axis."""
    return tuple([indices[..., k] for k in range(indices.shape[-1])])


# ---- todense -------------------------------------------------------------------------------------


@sparse_primitive("bcoo_todense")
def bcoo_todense_p(data, indices, *, spinfo):
    p = properties_of(data, indices, spinfo.shape)
    batch, sparse, dense = split(spinfo.shape, p)

    def one(data, indices):
        if not sparse:
            return data.sum(0, dtype=data.dtype)
        return jnp.zeros(sparse + dense, data.dtype).at[columns(indices)].add(data, mode="drop")

    return jnp.broadcast_to(over_batches(one, p.n_batch, data, indices), spinfo.shape)


def _todense_transpose(ct, data, indices, *, spinfo):
    aval = data.aval
    out = bcoo_extract_p.bind(indices, ct, assume_unique=True)
    n_batch = indices.ndim - 2
    repeated = tuple([i for i in range(n_batch) if aval.shape[i] == 1 != out.shape[i]])
    return [out.sum(repeated, keepdims=True) if repeated else out, None]


bcoo_todense_p.transpose(_todense_transpose)


_f32, _i32 = np.dtype(np.float32), np.dtype(np.int32)
_of = lambda *shape: ShapedArray(shape, _f32)
_at = lambda *indices: np.array(indices, np.int32)
bcoo_todense_p.examples(
    (_of(4), _at([0, 1], [2, 0], [2, 0], [3, 4]), dict(spinfo=SparseInfo((3, 4)))),
    (_of(2, 3), _at([[0], [2], [9]]), dict(spinfo=SparseInfo((2, 3)))),  # the same indices in every batch
    (_of(1, 2, 3), _at([[0], [1]], [[1], [1]]), dict(spinfo=SparseInfo((2, 2, 3)))),
    (_of(3), np.zeros((3, 0), np.int32), dict(spinfo=SparseInfo(()))),
)


def bcoo_todense(mat: BCOO) -> Array:
    """Return the dense array of a sparse one; elements that are specified several times are summed.

    Args:
      mat: the array.
    Returns:
      An array of its shape and dtype, with zeros where no element is specified.
    Raises:
      AttributeError: it is no such array, but perhaps a dense one.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_todense(sparse.BCOO((jnp.array([1., 2.]), jnp.array([[0], [2]])), shape=(3,)))
    Array([1., 0., 2.], dtype=float32)
    """
    return bcoo_todense_p.bind(jnp.asarray(mat.data), jnp.asarray(mat.indices), spinfo=mat._info)


# ---- extract -------------------------------------------------------------------------------------


def is_repeated(indices):
    """Return which rows of `[nse, n_sparse]` are equal to an earlier one."""
    nse, n_sparse = indices.shape
    if not nse:
        return jnp.zeros(0, bool)
    order = jnp.lexsort(columns(indices)[::-1]) if n_sparse else jnp.arange(nse)
    ordered = indices[order]
    again = jnp.concatenate([jnp.zeros(1, bool), (ordered[1:] == ordered[:-1]).all(-1)])
    return jnp.zeros(nse, bool).at[order].set(again)


@sparse_primitive("bcoo_extract", linear=(1,))
def bcoo_extract_p(indices, arr, *, assume_unique):
    n_batch, (nse, n_sparse) = indices.ndim - 2, indices.shape[-2:]

    def one(indices, arr):
        if not n_sparse:
            out = jnp.broadcast_to(arr[None], (nse, *arr.shape))
        else:
            out = arr.at[columns(indices)].get(mode="fill", fill_value=0)
        if assume_unique:
            return out
        again = jnp.expand_dims(is_repeated(indices), tuple(range(1, out.ndim)))
        return jnp.where(again, jnp.zeros((), out.dtype), out)

    return over_batches(one, n_batch, indices, arr)


def _extract_transpose(ct, indices, arr, *, assume_unique):
    if not assume_unique:
        n_batch = indices.ndim - 2
        again = over_batches(is_repeated, n_batch, indices)
        again = jnp.expand_dims(again, tuple(range(again.ndim, ct.ndim)))
        ct = jnp.where(again, jnp.zeros((), ct.dtype), ct)
    return [None, bcoo_todense_p.bind(ct, indices, spinfo=SparseInfo(tuple(arr.aval.shape)))]


bcoo_extract_p.transpose(_extract_transpose)


bcoo_extract_p.examples(
    (_at([0, 1], [2, 0], [2, 0], [3, 4]), _of(3, 4), dict(assume_unique=True)),
    (_at([0, 1], [2, 0], [2, 0], [3, 4]), _of(3, 4), dict(assume_unique=False)),
    (_at([[0], [2]], [[1], [1]]), _of(2, 3, 2), dict(assume_unique=False)),
)


def bcoo_extract(sparr: BCOO, arr, *, assume_unique: bool | None = None) -> BCOO:
    """Return the sparse array with the indices of `sparr` and the elements of a dense array there.

    Args:
      sparr: gives the indices.
      arr: dense, of the same shape.
      assume_unique: no index occurs twice; otherwise the elements are those of each one's first. Default: what is
        known of `sparr`.
    Raises:
      TypeError: `sparr` is not a BCOO array.
      ValueError: the shapes differ.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_extract(sparse.eye(3), jnp.arange(9.).reshape(3, 3)).data
    Array([0., 4., 8.], dtype=float32)
    """
    if not isinstance(sparr, BCOO):
        raise TypeError(f"First argument to bcoo_extract should be a BCOO array. Got {type(sparr)=}")
    arr = jnp.asarray(arr)
    if arr.shape != sparr.shape:
        raise ValueError(f"shape mismatch: {sparr.shape=} {arr.shape=}")
    if assume_unique is None:
        assume_unique = sparr.unique_indices
    data = bcoo_extract_p.bind(jnp.asarray(sparr.indices), arr, assume_unique=assume_unique)
    return BCOO((data, sparr.indices), **sparr._info._asdict())


# ---- fromdense -----------------------------------------------------------------------------------


def stored_elements(mat, nse, n_batch: int, n_dense: int, what: str) -> int:
    """Return the number of elements to specify; under a transformation it has to be given."""
    if nse is not None:
        return int(nse)
    if isinstance(mat, Tracer) and mat.concrete() is None:
        raise ConcretizationTypeError(
            mat, f"The number of elements that {what} specifies depends on the values of the array: give it as `nse`."
        )
    return int(count_stored(mat, n_batch, n_dense))


@sparse_primitive("bcoo_fromdense", multiple_results=True, keeps_weak=True)
def bcoo_fromdense_p(mat, *, nse, n_batch, n_dense, index_dtype):
    if mat.dtype == np.bool_:  # its elements are numbers, which add up
        mat = jnp.where(mat, 1, 0)
    sparse = mat.shape[n_batch : mat.ndim - n_dense]
    dense = mat.shape[mat.ndim - n_dense :]

    def one(mat):
        if not sparse:
            indices = jnp.zeros((nse, 0), index_dtype)
            first = jnp.arange(nse) == 0
            return [jnp.where(jnp.expand_dims(first, tuple(range(1, 1 + len(dense)))), mat[None],
                              jnp.zeros((), mat.dtype)), indices]
        at = jnp.nonzero(is_stored(mat, n_dense), size=nse, fill_value=sparse)
        return [mat.at[at].get(mode="fill", fill_value=0), jnp.stack(at, -1).astype(index_dtype)]

    return list(over_batches(one, n_batch, mat))


def _fromdense_jvp(primals, tangents, **params):
    data, indices = bcoo_fromdense_p.bind(*primals, **params)
    zero = Zero(aval_of(indices).to_tangent_aval())
    if type(tangents[0]) is Zero:
        return [data, indices], [Zero(aval_of(data).to_tangent_aval()), zero]
    return [data, indices], [bcoo_extract_p.bind(indices, tangents[0], assume_unique=True), zero]


bcoo_fromdense_p.jvp(_fromdense_jvp)


_dense = np.array([[0, 1.5, 0], [2.5, 0, 3.5]], np.float32)
bcoo_fromdense_p.examples(
    (_dense, dict(nse=4, n_batch=0, n_dense=0, index_dtype=_i32)),
    (_dense, dict(nse=2, n_batch=1, n_dense=0, index_dtype=_i32)),
    (_dense, dict(nse=2, n_batch=0, n_dense=1, index_dtype=_i32)),
)


def bcoo_fromdense(
    mat, *, nse: int | None = None, n_batch: int = 0, n_dense: int = 0, index_dtype=np.int32
) -> BCOO:
    """Return the sparse array of a dense one.

    Args:
      mat: the dense array.
      nse: the number of elements to specify for each batch; default, as many as are not zero. If there are fewer, the
        rest has zeros for data and indices beyond the shape; if there are more, the last ones are left out.
      n_batch: the number of leading axes that are batch axes.
      n_dense: the number of trailing axes that are dense.
      index_dtype: of the indices.
    Raises:
      ConcretizationTypeError: `nse` is not given, and the array is traced.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_fromdense(jnp.array([[0., 1.], [2., 0.]]))
    BCOO(float32[2, 2], nse=2)
    """
    mat = jnp.asarray(mat)
    if n_batch < 0 or n_dense < 0 or n_batch + n_dense > mat.ndim:
        raise ValueError(f"invalid {n_batch=} and {n_dense=} for an array of shape {mat.shape}")
    nse = stored_elements(mat, nse, n_batch, n_dense, "BCOO.fromdense")
    data, indices = bcoo_fromdense_p.bind(
        mat, nse=nse, n_batch=n_batch, n_dense=n_dense, index_dtype=as_index_dtype(index_dtype)
    )
    return BCOO((data, indices), shape=mat.shape, indices_sorted=True, unique_indices=True)


@member
def todense(self) -> Array:
    """Return the dense array; elements that are specified several times are summed."""
    return bcoo_todense(self)


@member
@classmethod
def fromdense(
    cls, mat: Array, *, nse: int | None = None, index_dtype=np.int32, n_dense: int = 0, n_batch: int = 0
) -> BCOO:
    """Return the sparse array of a dense one; see `bcoo_fromdense`.

    Args:
      mat: an array.
      nse: how many elements are specified; default, those that are not zero.
      index_dtype: the dtype of the indices.
      n_dense: how many of the last axes are dense.
      n_batch: how many of the first axes are batch axes.
    """
    return bcoo_fromdense(mat, nse=nse, index_dtype=index_dtype, n_dense=n_dense, n_batch=n_batch)


@member
@classmethod
def from_scipy_sparse(cls, mat, *, index_dtype=None, n_dense: int = 0, n_batch: int = 0) -> BCOO:
    """Return the sparse array of one of SciPy's.

    Args:
      mat: a sparse matrix of SciPy's.
      index_dtype: the dtype of the indices; default, that of the matrix.
      n_dense: must be 0.
      n_batch: must be 0.
    Raises:
      NotImplementedError: batch or dense axes are asked for, which SciPy's arrays have not.

    >>> import scipy.sparse
    >>> from adjoint.experimental import sparse
    >>> sparse.BCOO.from_scipy_sparse(scipy.sparse.eye(3, format="csr", dtype="float32"))
    BCOO(float32[3, 3], nse=3)
    """
    if n_dense or n_batch:
        raise NotImplementedError(
            "BCOO.from_scipy_sparse with nonzero n_dense or n_batch.\n  Try: `update_layout` of the result."
        )
    mat = mat.tocoo()
    indices = jnp.column_stack([jnp.asarray(mat.row), jnp.asarray(mat.col)])
    if index_dtype is not None:
        indices = indices.astype(as_index_dtype(index_dtype))
    return cls((jnp.asarray(mat.data), indices), shape=mat.shape, indices_sorted=False, unique_indices=False)
