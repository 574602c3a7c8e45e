"""The order of elements, and elements that are specified several times: `bcoo_sort_indices`, `bcoo_sum_duplicates`.

Tests: `tests/experimental/sparse/test_bcoo.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .... import numpy as jnp
from ....core.trace import Tracer
from ....core.types import ShapedArray
from ..programs import over_batches, sparse_primitive
from ..util import SparseInfo
from .array import BCOO, member
from .dense import columns
from .properties import properties_of, split

__all__ = [
    "bcoo_eliminate_zeros", "bcoo_sort_indices", "bcoo_sort_indices_p", "bcoo_sum_duplicates", "bcoo_sum_duplicates_p",
]


def _order(indices):
    """Return the stable order of `[nse, n_sparse]` by rows."""
    return jnp.lexsort(columns(indices)[::-1]) if indices.shape[-1] else jnp.arange(indices.shape[0])


@sparse_primitive("bcoo_sort_indices", multiple_results=True)
def bcoo_sort_indices_p(data, indices, *, spinfo):
    p = properties_of(data, indices, spinfo.shape)
    if not p.n_sparse:
        return [data, indices]
    order = over_batches(_order, p.n_batch, indices)
    pick = lambda x, order: x[order]
    return [over_batches(pick, p.n_batch, data, order), over_batches(pick, p.n_batch, indices, order)]


_of = lambda *shape: ShapedArray(shape, np.dtype(np.float32))
_at = lambda *indices: np.array(indices, np.int32)
bcoo_sort_indices_p.examples(
    (_of(3), _at([2, 0], [0, 1], [0, 0]), dict(spinfo=SparseInfo((3, 2)))),
    (_of(2, 3, 2), _at([[2], [0], [0]]), dict(spinfo=SparseInfo((2, 3, 2)))),
)


def bcoo_sort_indices(mat: BCOO) -> BCOO:
    """Return the array with its elements in the lexicographic order of their indices.

    Args:
      mat: the array.
    Returns:
      A `BCOO` of the same shape and elements; its `indices_sorted` is True.
    Raises:
      AttributeError: it is no such array, but perhaps a dense one.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.BCOO((jnp.array([1., 2.]), jnp.array([[2], [0]])), shape=(3,))
    >>> sparse.bcoo_sort_indices(x).data
    Array([2., 1.], dtype=float32)
    """
    data, indices = bcoo_sort_indices_p.bind(mat.data, mat.indices, spinfo=mat._info)
    return BCOO((data, indices), **mat._info._replace(indices_sorted=True)._asdict())


# ---- sums of duplicates --------------------------------------------------------------------------


def _is_outside(indices, shape):
    """Return which rows are beyond the shape."""
    limits = jnp.asarray(np.array(shape, np.int32)).astype(indices.dtype)
    return (indices >= jnp.expand_dims(limits, tuple(range(indices.ndim - 1)))).any(-1)


def _moved_out(indices, outside, shape):
    """Return the indices, with those `outside` at the shape itself."""
    limits = jnp.asarray(np.array(shape, np.int32)).astype(indices.dtype)
    limits = jnp.broadcast_to(limits, indices.shape)
    return jnp.where(jnp.broadcast_to(outside[..., None], indices.shape), limits, indices)


def _groups(indices, shape):
    """Return the order of rows, and for each in this order whether it begins a group of equal ones; those outside are
    last.
    """
    moved = _moved_out(indices, _is_outside(indices, shape), shape)
    order = _order(moved)
    moved = moved[order]
    begins = jnp.concatenate([jnp.ones(1, bool), (moved[1:] != moved[:-1]).any(-1)])
    return order, moved, begins


@sparse_primitive("bcoo_sum_duplicates", multiple_results=True)
def bcoo_sum_duplicates_p(data, indices, *, spinfo, nse):
    p = properties_of(data, indices, spinfo.shape)
    _, sparse, dense = split(spinfo.shape, p)
    index_dtype = indices.dtype

    if not p.n_sparse:
        index_shape = indices.shape[: p.n_batch]

        def of_all(data):
            total = data.sum(0, keepdims=True, dtype=data.dtype)
            return jnp.concatenate([total[:nse], jnp.zeros((max(nse - 1, 0), *dense), data.dtype)])

        return [over_batches(of_all, p.n_batch, data), jnp.zeros((*index_shape, nse, 0), index_dtype)]

    def indices_of(indices):
        fill = jnp.broadcast_to(jnp.asarray(np.array(sparse, np.int32)).astype(index_dtype), (nse, p.n_sparse))
        if not p.nse:
            return [fill, jnp.zeros(0, jnp.int32)]
        order, moved, begins = _groups(indices, sparse)
        number = jnp.cumsum(begins, dtype=jnp.int32) - 1
        places = jnp.zeros(p.nse, jnp.int32).at[order].set(number)
        return [fill.at[number].set(moved, mode="drop"), places]

    new, places = over_batches(indices_of, p.n_batch, indices)

    def sums(data, places):
        return jnp.zeros((nse, *dense), data.dtype).at[places].add(data, mode="drop")

    return [over_batches(sums, p.n_batch, data, places), new]


bcoo_sum_duplicates_p.examples(
    (_of(4), _at([2, 0], [0, 1], [2, 0], [5, 5]), dict(spinfo=SparseInfo((3, 2)), nse=3)),
    (_of(2, 3), _at([[2], [0], [2]], [[1], [1], [1]]), dict(spinfo=SparseInfo((2, 3)), nse=2)),
    (_of(3, 2), np.zeros((3, 0), np.int32), dict(spinfo=SparseInfo((2,)), nse=1)),
)


def _count_unique(indices, shape) -> int:
    """Return the number of different indices inside of the shape; the most of any batch."""
    values = np.asarray(indices)
    flat = values.reshape(prod(values.shape[:-2]), *values.shape[-2:])
    inside = [rows[(rows < np.array(shape, np.int64)).all(-1)] for rows in flat]
    if not shape:
        return int(values.shape[-2] > 0)
    return max([len(np.unique(rows, axis=0)) for rows in inside], default=0)


def _without_zeros(mat: BCOO):
    """Return the indices, with those of elements that are zero beyond the shape."""
    p = properties_of(mat.data, mat.indices, mat.shape)
    _, sparse, _ = split(mat.shape, p)
    zero = mat.data == jnp.zeros((), mat.dtype)
    zero = zero.all(tuple(range(p.n_batch + 1, zero.ndim)))
    alike = tuple([i for i in range(p.n_batch) if mat.indices.shape[i] == 1])
    zero = zero.all(alike, keepdims=True) if alike else zero
    shape = tuple(np.broadcast_shapes(zero.shape, mat.indices.shape[:-1]))
    indices = jnp.broadcast_to(mat.indices, (*shape, p.n_sparse))
    return _moved_out(indices, jnp.broadcast_to(zero, shape), sparse)


def _summed(mat: BCOO, indices, nse: int | None) -> BCOO:
    p = properties_of(mat.data, indices, mat.shape)
    _, sparse, _ = split(mat.shape, p)
    if nse is None:
        if isinstance(indices, Tracer) and indices.concrete() is None:
            raise ValueError(
                "bcoo_sum_duplicates: nse must be specified when using the function within jit, vmap, and other "
                "transformations requiring abstract evaluation."
            )
        nse = _count_unique(indices if not isinstance(indices, Tracer) else indices.concrete(), sparse)
    data, indices = bcoo_sum_duplicates_p.bind(mat.data, indices, spinfo=SparseInfo(mat.shape), nse=int(nse))
    return BCOO((data, indices), shape=mat.shape, indices_sorted=True, unique_indices=True)


def bcoo_sum_duplicates(mat: BCOO, nse: int | None = None) -> BCOO:
    """Return the array with each index once, in order, and the sum of what was specified for it.

    Args:
      mat: the array.
      nse: how many elements the result specifies; default, as many as there are different indices. The rest is filled
        with indices beyond the shape.
    Raises:
      ValueError: `nse` is not given, and the indices are traced.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.BCOO((jnp.array([1., 2., 3.]), jnp.array([[2], [0], [2]])), shape=(3,))
    >>> sparse.bcoo_sum_duplicates(x).data
    Array([2., 4.], dtype=float32)
    """
    return _summed(mat, mat.indices, nse)


def bcoo_eliminate_zeros(mat: BCOO, nse: int | None = None) -> BCOO:
    """Return the array without elements that are zero, each index once and in order.

    Args:
      mat: the array.
      nse: how many elements the result specifies; default, as many as are needed.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO((jnp.array([0., 2.]), jnp.array([[0], [1]])), shape=(3,))
    >>> sparse.bcoo.bcoo_eliminate_zeros(m)
    BCOO(float32[3], nse=1)
    """
    return _summed(mat, _without_zeros(mat), nse)


@member
def sort_indices(self) -> BCOO:
    """Return the array with its elements in the lexicographic order of their indices."""
    return bcoo_sort_indices(self)


@member
def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCOO:
    """Return the array with each index once, in order, and the sum of what was specified for it.

    Args:
      nse: how many elements the result specifies; default, as many as are needed.
      remove_zeros: leave out elements that are zero.
    """
    return (bcoo_eliminate_zeros if remove_zeros else bcoo_sum_duplicates)(self, nse=nse)
