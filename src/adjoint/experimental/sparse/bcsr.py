"""`BCSR`: a sparse matrix by rows, with batch and dense axes, and its functions.

An array is `[*batch, rows, columns, *dense]`. `indptr` says where the elements of each row begin; those before the
first and after the last stand for none, as do columns outside of the shape.

Tests: `tests/experimental/sparse/test_bcsr.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ... import lax
from ... import numpy as jnp
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.process.records import NamedTuple
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.zeros import Zero
from ...prims.sparse_products import row_product
from ...tree_util import register_pytree_node_class
from ._base import BatchedSparse, JAXSparse, as_index_dtype, register_batched
from .bcoo import (
    BCOO,
    bcoo_broadcast_in_dim,
    bcoo_concatenate,
    bcoo_dot_general_p,
    bcoo_eliminate_zeros,
    bcoo_extract_p,
    bcoo_fromdense_p,
    bcoo_sort_indices,
    bcoo_sum_duplicates,
    bcoo_todense_p,
)
from .bcoo.dense import stored_elements
from .bcoo.products import canonical_numbers, dot_shape
from .programs import over_batches, sparse_primitive
from .util import SparseInfo, rows_of

__all__ = [
    "BCSR", "BCSRProperties", "bcsr_broadcast_in_dim", "bcsr_concatenate", "bcsr_dot_general", "bcsr_dot_general_p",
    "bcsr_eliminate_zeros", "bcsr_extract", "bcsr_extract_p", "bcsr_fromdense", "bcsr_fromdense_p",
    "bcsr_sum_duplicates", "bcsr_todense", "bcsr_todense_p",
]

public(globals())


class BCSRProperties(NamedTuple):
    """The number of batch axes, dense axes, and specified elements.

    Args:
      n_batch, n_dense: how many axes there are of each kind.
      nse: how many elements are specified.

    >>> BCSRProperties(n_batch=0, n_dense=0, nse=3).nse
    3
    """

    n_batch: int
    n_dense: int
    nse: int


def properties_of(data, indices, indptr, shape) -> BCSRProperties:
    """Return the properties of an array that has these buffers; buffers that do not fit the shape are an error."""
    shape = tuple(shape)
    for name, x in (("indices", indices), ("indptr", indptr)):
        if not dtypes.issubdtype(x.dtype, np.integer):
            raise AssertionError(f"{name} of a BCSR array must be integers; got {x.dtype}.")
    if not indices.ndim:
        raise AssertionError("indices of a BCSR array have a shape [*batch, nse]; got a scalar.")
    n_batch, nse = indices.ndim - 1, indices.shape[-1]
    n_dense = len(shape) - n_batch - 2
    if n_dense < 0:
        raise AssertionError(
            f"indices.shape={indices.shape} is of {n_batch} batch axes; shape={shape} has {len(shape)} axes in all, of "
            "which two are sparse."
        )
    for name, x in (("data", data), ("indices", indices), ("indptr", indptr)):
        if len(x.shape) < n_batch or any([m not in (1, n) for m, n in zip(x.shape[:n_batch], shape)]):
            raise ValueError(f"{name} batch dimensions not compatible for {name}.shape={x.shape}, shape={shape}")
    if data.shape[n_batch:] != (nse, *shape[n_batch + 2 :]):
        raise ValueError(f"Invalid data.shape={data.shape} for nse={nse}, n_batch={n_batch}, n_dense={n_dense}")
    if indptr.shape[n_batch:] != (shape[n_batch] + 1,):
        raise ValueError(
            f"indptr shape must match the matrix shape plus 1. Got indptr.shape={indptr.shape} for shape={shape}."
        )
    return BCSRProperties(n_batch, n_dense, nse)


@register_pytree_node_class
class BCSR(BatchedSparse):
    """A sparse matrix by rows, maybe with batch and dense axes.

    Args:
      args: (data, indices, indptr). `data` is `[*batch, nse, *dense]`, `indices` has the columns, `[*batch, nse]`, and
        the elements of row i are those from `indptr[..., i]` to `indptr[..., i + 1]`.
      shape: of the array, `[*batch, rows, columns, *dense]`.
      indices_sorted: the columns of each row are in order.
      unique_indices: no column occurs twice in a row.
    Raises:
      ValueError: the buffers do not fit the shape.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.BCSR((jnp.array([1., 2.]), jnp.array([1, 0]), jnp.array([0, 1, 1, 2])), shape=(3, 2))
    >>> x
    BCSR(float32[3, 2], nse=2)
    >>> x @ jnp.array([1., 10.])
    Array([10.,  0.,  2.], dtype=float32)
    """

    _buffers = "data", "indices", "indptr"

    indptr: Any

    nse = property(lambda self: self.indices.shape[-1], doc="Return the number of specified elements of a batch.")
    n_batch = property(lambda self: self.indices.ndim - 1, doc="Return the number of batch axes.")
    n_sparse = property(lambda _: 2, doc="Return the number of sparse axes, which is 2.")

    def _check(self) -> None:
        properties_of(*self._bufs, self.shape)

    @classmethod
    def _empty(cls, shape, *, dtype=None, index_dtype="int32", n_dense: int = 0, n_batch: int = 0, nse: int = 0):
        """Return an array without elements, or with `nse` that stand for none."""
        shape = tuple(shape)
        if n_dense < 0 or n_batch < 0 or nse < 0:
            raise ValueError(f"Invalid inputs: {shape=}, {n_dense=}, {n_batch=}, {nse=}")
        if len(shape) - n_dense - n_batch != 2:
            raise ValueError("BCSR sparse.empty: must have 2 sparse dimensions.")
        batch, rows, columns, dense = shape[:n_batch], shape[n_batch], shape[n_batch + 1], shape[n_batch + 2 :]
        return cls((
            jnp.zeros((*batch, nse, *dense), dtype), jnp.full((*batch, nse), columns, index_dtype),
            jnp.zeros((*batch, rows + 1), index_dtype),
        ), shape=shape)

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32, n_dense=0, n_batch=0) -> BCSR:
        """Return the sparse array of a dense one; see `bcsr_fromdense`.

        Args:
          mat: an array.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
          n_dense: how many of the last axes are dense.
          n_batch: how many of the first axes are batch axes.
        """
        return bcsr_fromdense(mat, nse=nse, index_dtype=index_dtype, n_dense=n_dense, n_batch=n_batch)

    @classmethod
    def from_scipy_sparse(cls, mat, *, index_dtype=None, n_dense=0, n_batch=0) -> BCSR:
        """Return the sparse array of one of SciPy's.

        Args:
          mat: a sparse matrix of SciPy's.
          index_dtype: the dtype of the indices; default, that of the matrix.
          n_dense: must be 0.
          n_batch: must be 0.
        Raises:
          NotImplementedError: batch or dense axes are asked for, which SciPy's arrays have not.
        """
        if n_dense or n_batch:
            raise NotImplementedError("BCSR from_scipy_sparse with nonzero n_dense/n_batch.")
        mat = mat.tocsr()
        indices, indptr = jnp.asarray(mat.indices), jnp.asarray(mat.indptr)
        if index_dtype is not None:
            indices, indptr = [x.astype(as_index_dtype(index_dtype)) for x in (indices, indptr)]
        return cls((jnp.asarray(mat.data), indices, indptr), shape=mat.shape)

    @classmethod
    def from_bcoo(cls, arr: BCOO) -> BCSR:
        """Return a `BCOO` array of two sparse axes as one by rows.

        Args:
          arr: a `BCOO` array with two sparse axes.
        Raises:
          NotImplementedError: it has not two sparse axes.
        """
        if arr.n_sparse != 2:
            raise NotImplementedError(f"BSCR.from_bcoo requires n_sparse=2; got {arr.n_sparse=}")
        if not arr.indices_sorted:
            arr = bcoo_sort_indices(arr)
        rows = arr.shape[arr.n_batch]
        indptr = over_batches(lambda i: row_starts(i, rows), arr.n_batch, arr.indices[..., 0])
        return cls((arr.data, arr.indices[..., 1], indptr), shape=arr.shape)

    def to_bcoo(self) -> BCOO:
        """Return the same array as a `BCOO` array."""
        indices = over_batches(_coordinates, self.n_batch, self.indices, self.indptr)
        return BCOO((self.data, indices), shape=self.shape)

    def todense(self) -> Array:
        """Return the dense array; elements that are specified several times are summed."""
        return bcsr_todense(self)

    def transpose(self, *args, **kwargs):
        """Raise an error: a transpose by rows is one by columns.

        Args:
          args: not read.
          kwargs: not read.
        """
        raise NotImplementedError("Transpose is not implemented.\n  Try: BCSR.from_bcoo(x.to_bcoo().transpose())")

    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCSR:
        """Return the array with each index once, in order, and the sum of what was specified for it.

        Args:
          nse: how many elements the result specifies; default, as many as are needed.
          remove_zeros: leave out elements that are zero.
        """
        return (bcsr_eliminate_zeros if remove_zeros else bcsr_sum_duplicates)(self, nse=nse)


def row_member(fun):
    """Make a function a member of `BCSR`: it stands where what it calls is."""
    fun.__qualname__ = f"BCSR.{fun.__name__}"
    setattr(BCSR, fun.__name__, fun)
    return fun


def row_starts(rows, n: int):
    """Return where each row begins among sorted rows; those beyond the last row come after all."""
    counts = jnp.zeros(n + 1, rows.dtype).at[rows + 1].add(jnp.ones((), rows.dtype), mode="drop")
    return jnp.cumsum(counts, dtype=rows.dtype)


def _coordinates(indices, indptr):
    dtype = jnp.promote_types(indices.dtype, indptr.dtype)
    return jnp.stack([rows_of(indptr, indices.shape[0]).astype(dtype), indices.astype(dtype)], -1)


def coordinates(indices, indptr):
    """The indices of a `BCOO` array with the same elements."""
    return over_batches(_coordinates, indices.ndim - 1, indices, indptr)


def _only_inside(indices, indptr, columns: int):
    """Return the same, where a negative column is one that is outside."""
    at = coordinates(indices, indptr)
    outside = at < jnp.zeros((), at.dtype)
    return jnp.where(outside, jnp.full((), columns, at.dtype), at)


register_batched(BCSR)


# ---- from dense arrays, and back -----------------------------------------------------------------


@sparse_primitive("bcsr_todense")
def bcsr_todense_p(data, indices, indptr, *, spinfo):
    return bcoo_todense_p.expand_rule(data, coordinates(indices, indptr), spinfo=SparseInfo(spinfo.shape))


_of = lambda *shape: ShapedArray(shape, np.dtype(np.float32))
_columns, _indptr = np.array([1, 0, 3, 9], np.int32), np.array([0, 2, 2, 4], np.int32)
bcsr_todense_p.examples((_of(4), _columns, _indptr, dict(spinfo=SparseInfo((3, 4)))))


def bcsr_todense(mat: BCSR) -> Array:
    """Return the dense array of a sparse one; elements that are specified several times are summed.

    Args:
      mat: the array.
    Returns:
      An array of its shape and dtype, with zeros where no element is specified.
    Raises:
      AttributeError: it is no such array, but perhaps a dense one.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcsr_todense(sparse.BCSR.fromdense(jnp.eye(2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return bcsr_todense_p.bind(mat.data, mat.indices, mat.indptr, spinfo=mat._info)


@sparse_primitive("bcsr_extract", linear=(2,))
def bcsr_extract_p(indices, indptr, mat):
    return bcoo_extract_p.expand_rule(coordinates(indices, indptr), mat, assume_unique=True)


bcsr_extract_p.examples((_columns, _indptr, _of(3, 4)))


def bcsr_extract(indices, indptr, mat) -> Array:
    """Return the elements of a dense array at the indices of a sparse one.

    Args:
      indices: the columns of the elements, row by row.
      indptr: where each row begins among them.
      mat: the dense array.
    Returns:
      The elements, in an array of the shape of `indices`.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcsr_extract(jnp.array([1, 0]), jnp.array([0, 1, 2]), jnp.array([[1., 2.], [3., 4.]]))
    Array([2., 3.], dtype=float32)
    """
    return bcsr_extract_p.bind(jnp.asarray(indices), jnp.asarray(indptr), jnp.asarray(mat))


@sparse_primitive("bcsr_fromdense", multiple_results=True, keeps_weak=True)
def bcsr_fromdense_p(mat, *, nse, n_batch, n_dense, index_dtype):
    data, indices = bcoo_fromdense_p.expand_rule(
        mat, nse=nse, n_batch=n_batch, n_dense=n_dense, index_dtype=index_dtype
    )
    rows = mat.shape[n_batch]
    indptr = over_batches(lambda i: row_starts(i, rows), n_batch, indices[..., 0])
    return [data, indices[..., 1], indptr]


def _fromdense_jvp(primals, tangents, **params):
    outs = bcsr_fromdense_p.bind(*primals, **params)
    zeros = [Zero(aval_of(x).to_tangent_aval()) for x in outs]
    if type(tangents[0]) is Zero:
        return outs, zeros
    return outs, [bcsr_extract_p.bind(outs[1], outs[2], tangents[0]), *zeros[1:]]


bcsr_fromdense_p.jvp(_fromdense_jvp)


bcsr_fromdense_p.examples((
    np.array([[0, 1.5, 0], [2.5, 0, 3.5]], np.float32),
    dict(nse=4, n_batch=0, n_dense=0, index_dtype=np.dtype(np.int32)),
))


def bcsr_fromdense(
    mat, *, nse: int | None = None, n_batch: int = 0, n_dense: int = 0, index_dtype=np.int32
) -> BCSR:
    """Return the sparse array of a dense one.

    Args:
      mat: the dense array.
      nse: the number of elements to specify; default, as many as are not zero.
      n_batch, n_dense: the numbers of batch axes, in front, and of dense axes, at the end.
      index_dtype: of the indices.
    Raises:
      ValueError: there are not two sparse axes.
      ConcretizationTypeError: `nse` is not given, and the array is traced.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcsr_fromdense(jnp.array([[0., 1.], [2., 0.]])).indptr
    Array([0, 1, 2], dtype=int32)
    """
    mat = jnp.asarray(mat)
    if mat.ndim - n_batch - n_dense != 2 or n_batch < 0 or n_dense < 0:
        raise ValueError("bcsr_fromdense: must have 2 sparse dimensions.")
    nse = stored_elements(mat, nse, n_batch, n_dense, "BCSR.fromdense")
    buffers = bcsr_fromdense_p.bind(
        mat, nse=nse, n_batch=n_batch, n_dense=n_dense, index_dtype=as_index_dtype(index_dtype)
    )
    return BCSR(tuple(buffers), shape=mat.shape)


# ---- products ------------------------------------------------------------------------------------


@sparse_primitive("bcsr_dot_general", linear=(0, 3))
def bcsr_dot_general_p(
    lhs_data, lhs_indices, lhs_indptr, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo
):
    shape, n = lhs_spinfo.shape, lhs_indices.ndim - 1
    if dimension_numbers == (((n + 1,), (0,)), ((), ())) and not n and lhs_data.ndim == 1 and lhs_data.dtype != bool:
        common = jnp.promote_types(jnp.promote_types(lhs_data.dtype, rhs.dtype), preferred_element_type)
        dense = rhs.astype(common).reshape((shape[1], prod(rhs.shape[1:])))
        out = row_product(lhs_data.astype(common), lhs_indices, lhs_indptr, dense, outside="strict")
        return out.reshape((shape[0], *rhs.shape[1:])).astype(preferred_element_type)
    return bcoo_dot_general_p.expand_rule(
        lhs_data, _only_inside(lhs_indices, lhs_indptr, max(shape[n : n + 2])), rhs,
        dimension_numbers=dimension_numbers, preferred_element_type=preferred_element_type,
        lhs_spinfo=SparseInfo(shape),
    )


bcsr_dot_general_p.examples(*[
    (_of(4), _columns, _indptr, _of(*shape), dict(
        dimension_numbers=(contract, ((), ())), preferred_element_type=np.dtype(np.float32),
        lhs_spinfo=SparseInfo((3, 4))))
    for shape, contract in (((4,), ((1,), (0,))), ((4, 2), ((1,), (0,))), ((3, 2), ((0,), (0,))))
])


def bcsr_dot_general(
    lhs: BCSR | Array, rhs: Array, *, dimension_numbers, precision: None = None,
    preferred_element_type: None = None, out_sharding=None,
) -> Array:
    """Return the sums of products over contracted axes of a sparse array and a dense one, as `lax.dot_general`.

    Args:
      lhs: the sparse array.
      rhs: the dense array.
      dimension_numbers: ((axes of lhs to contract, axes of rhs), (batch axes of lhs, of rhs)).
      precision: see `lax.Precision`.
      preferred_element_type: the dtype of the result.
      out_sharding: is not read.
    Returns:
      An array with the batch axes, then the other axes of `lhs`, then those of `rhs`.
    Raises:
      NotImplementedError: the right operand is sparse, or dense axes are contracted, or sparse ones are batch axes.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.BCSR.fromdense(jnp.array([[0., 1.], [2., 0.]]))
    >>> sparse.bcsr_dot_general(x, jnp.array([1., 10.]), dimension_numbers=(((1,), (0,)), ((), ())))
    Array([10.,  2.], dtype=float32)
    """
    numbers = canonical_numbers(dimension_numbers)
    is_array = lambda x: not isinstance(x, JAXSparse)
    if is_array(lhs) and is_array(rhs):
        return lax.dot_general(jnp.asarray(lhs), jnp.asarray(rhs), dimension_numbers=numbers,
                               preferred_element_type=preferred_element_type)
    if not (isinstance(lhs, BCSR) and is_array(rhs)):
        raise NotImplementedError(
            "bcsr_dot_general currently implemented for BCSR lhs and ndarray rhs.\n  Try: BCOO arrays, `x.to_bcoo()`."
        )
    rhs = jnp.asarray(rhs)
    aval = dot_shape((lhs.shape, lhs.dtype), (rhs.shape, rhs.dtype), numbers, preferred_element_type)
    (contract, _), (batch, _) = numbers
    if any([i >= lhs.n_batch + 2 for i in contract]):
        raise NotImplementedError("bcsr_dot_general: contracting over dense dimensions.")
    if any([i >= lhs.n_batch for i in batch]):
        raise NotImplementedError(
            "bcsr_dot_general batch dimensions must be among the batch dimensions in the sparse representation.\n"
            f"got lhs_batch={batch}, n_batch={lhs.n_batch}"
        )
    return bcsr_dot_general_p.bind(
        lhs.data, lhs.indices, lhs.indptr, rhs, dimension_numbers=numbers,
        preferred_element_type=aval.dtype, lhs_spinfo=lhs._info,
    )


# ---- by way of BCOO ------------------------------------------------------------------------------


def bcsr_sum_duplicates(mat: BCSR, nse: int | None = None) -> BCSR:
    """Return the array with each index once, in order, and the sum of what was specified for it.

    Args:
      mat: the array.
      nse: how many elements the result specifies; default, as many as there are different indices.
    Returns:
      A `BCSR` of the same shape.
    Raises:
      TypeError: `nse` is negative.
      ValueError: `nse` is not given under `jit`, where the number depends on values.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcsr_sum_duplicates(sparse.BCSR.fromdense(jnp.eye(2))).nse
    2
    """
    return BCSR.from_bcoo(bcoo_sum_duplicates(mat.to_bcoo(), nse=nse))


def bcsr_eliminate_zeros(mat: BCSR, nse: int | None = None) -> BCSR:
    """Return the array without elements that are zero, each index once and in order.

    Args:
      mat: the array.
      nse: how many elements the result specifies; default, as many as are needed.

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCSR((jnp.array([0., 2.]), jnp.array([0, 1]), jnp.array([0, 1, 2])), shape=(2, 3))
    >>> sparse.bcsr.bcsr_eliminate_zeros(m)
    BCSR(float32[2, 3], nse=1)
    """
    return BCSR.from_bcoo(bcoo_eliminate_zeros(mat.to_bcoo(), nse=nse))


def bcsr_broadcast_in_dim(
    mat: BCSR, *, shape: Sequence[int], broadcast_dimensions: Sequence[int], sharding=None
) -> BCSR:
    """Return the array with more axes, along which it is the same: leading ones are batch axes.

    Args:
      mat: the array.
      shape: the shape of the result.
      broadcast_dimensions: for each axis of the array, the axis of the result.
      sharding: is not read.
    Returns:
      A `BCSR` of that shape.
    Raises:
      NotImplementedError: a new axis of a length other than 1 is not before all others.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.BCSR.fromdense(jnp.eye(2))
    >>> sparse.bcsr_broadcast_in_dim(x, shape=(3, 2, 2), broadcast_dimensions=(1, 2)).shape
    (3, 2, 2)
    """
    return BCSR.from_bcoo(
        bcoo_broadcast_in_dim(mat.to_bcoo(), shape=shape, broadcast_dimensions=broadcast_dimensions)
    )


def bcsr_concatenate(operands: Sequence[BCSR], *, dimension: int) -> BCSR:
    """Return arrays joined along an axis.

    Args:
      operands: the arrays.
      dimension: the axis.
    Returns:
      A `BCSR`, as long along the axis as all of them.
    Raises:
      TypeError: the axis is out of range, or the arrays differ in length along another.
      ValueError: there are no arrays.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.BCSR.fromdense(jnp.eye(2))
    >>> sparse.bcsr_concatenate([x, x], dimension=0)
    BCSR(float32[4, 2], nse=4)
    """
    operands = list(operands)
    if any([not isinstance(x, BCSR) for x in operands]):
        raise ValueError(f"bcsr_concatenate: expected operands to be a sequence of BCSR arrays. Got {operands}")
    joined = bcoo_concatenate([x.to_bcoo() for x in operands], dimension=operator.index(dimension))
    return BCSR.from_bcoo(joined)
