"""`CSR` and `CSC`: sparse matrices by rows and by columns, and their functions.

`indptr` says where the elements of each row begin. Columns outside of the shape are moved inside in products with the
matrix, and stand for no element in those with its transpose.

Tests: `tests/experimental/sparse/test_coo_csr.py`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.zeros import Zero
from ...prims.sparse_products import row_product
from ...tree_util import register_pytree_node_class
from ._base import Facts, JAXSparse, as_index_dtype
from .bcoo.dense import stored_elements
from .bcsr import row_starts
from .coo import check_matrix, check_product, coo_fromdense_p, matmul, product
from .programs import sparse_primitive
from .util import rows_of

__all__ = [
    "CSC", "CSR", "csr_fromdense", "csr_fromdense_p", "csr_matmat", "csr_matmat_p", "csr_matvec", "csr_matvec_p",
    "csr_todense", "csr_todense_p",
]

public(globals())


class _Compressed(JAXSparse):
    """A matrix with a compressed axis, `_axis`: `indptr` says where its elements begin, `indices` is the other one."""

    data: Any
    indices: Any
    indptr: Any
    _axis: int

    nse = property(lambda self: self.data.size, doc="Return the number of specified elements.")
    dtype = property(lambda self: self.data.dtype, doc="Return the dtype of the elements.")

    def __init__(self, args, *, shape):
        self.data, self.indices, self.indptr = map(jnp.asarray, args)
        super().__init__((self.data, self.indices, self.indptr), shape=shape)

    @classmethod
    def _empty(cls, shape, *, dtype=None, index_dtype="int32"):
        shape = tuple(shape)
        if len(shape) != 2:
            raise ValueError(f"{cls.__name__} must have ndim=2; got {shape=}")
        indptr = jnp.zeros(shape[cls._axis] + 1, index_dtype)
        return cls((jnp.zeros(0, dtype), jnp.zeros(0, index_dtype), indptr), shape=shape)

    def tree_flatten(self):
        """Return (data, indices, indptr), and the shape."""
        return (self.data, self.indices, self.indptr), Facts(shape=self.shape)

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        """Return the matrix that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the matrix is.
          children: (data, indices, indptr).
        """
        x = object.__new__(cls)
        x.data, x.indices, x.indptr = children
        if aux_data.keys() != {"shape"}:
            raise ValueError(f"{cls.__name__}.tree_unflatten: invalid {aux_data=}")
        x.shape = aux_data["shape"]
        return x


@register_pytree_node_class
class CSR(_Compressed):
    """A sparse matrix by rows. `BCSR` is the format with batches.

    Args:
      args: (data, indices, indptr): the elements, their columns, and where each row begins.
      shape: of the matrix.

    >>> from adjoint.experimental import sparse
    >>> sparse.CSR.fromdense(jnp.array([[0., 1.], [2., 0.]])) @ jnp.array([1., 10.])
    Array([10.,  2.], dtype=float32)
    """

    _axis = 0

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32):
        """Return the sparse matrix of a dense one; see `csr_fromdense`.

        Args:
          mat: a matrix.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
        """
        return csr_fromdense(mat, nse=nse, index_dtype=index_dtype)

    @classmethod
    def _eye(cls, N: int, M: int, k: int, *, dtype=None, index_dtype="int32"):
        size = max(0, min(N, M - k) if k >= 0 else min(N + k, M))
        first = -min(k, 0)
        columns = np.arange(size) + first + k
        indptr = np.clip(np.arange(N + 1) - first, 0, size)
        return cls((jnp.ones(size, dtype), jnp.asarray(columns.astype(index_dtype)),
                    jnp.asarray(indptr.astype(index_dtype))), shape=(N, M))

    def todense(self):
        """Return the dense matrix; elements that are specified several times are summed."""
        return csr_todense(self)

    def transpose(self, axes=None):
        """Return the transpose, by columns.

        Args:
          axes: must be None.
        """
        if axes is not None:
            raise AssertionError("CSR.transpose: axes are not supported.")
        return CSC((self.data, self.indices, self.indptr), shape=self.shape[::-1])

    def __matmul__(self, other):
        return matmul(self, other, csr_matvec, csr_matmat)


@register_pytree_node_class
class CSC(_Compressed):
    """A sparse matrix by columns.

    Args:
      args: (data, indices, indptr): the elements, their rows, and where each column begins.
      shape: of the matrix.

    >>> from adjoint.experimental import sparse
    >>> sparse.CSC.fromdense(jnp.array([[0., 1.], [2., 0.]])) @ jnp.array([1., 10.])
    Array([10.,  2.], dtype=float32)
    """

    _axis = 1

    @classmethod
    def fromdense(cls, mat, *, nse=None, index_dtype=np.int32):
        """Return the sparse matrix of a dense one.

        Args:
          mat: a matrix.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
        """
        return CSR.fromdense(jnp.asarray(mat).T, nse=nse, index_dtype=index_dtype).T

    @classmethod
    def _eye(cls, N: int, M: int, k: int, *, dtype=None, index_dtype="int32"):
        return CSR._eye(M, N, -k, dtype=dtype, index_dtype=index_dtype).T

    def todense(self):
        """Return the dense matrix; elements that are specified several times are summed."""
        return csr_todense(self.T).T

    def transpose(self, axes=None):
        """Return the transpose, by rows.

        Args:
          axes: must be None.
        """
        if axes is not None:
            raise AssertionError("CSC.transpose: axes are not supported.")
        return CSR((self.data, self.indices, self.indptr), shape=self.shape[::-1])

    def __matmul__(self, other):
        return matmul(self.T, other, csr_matvec, csr_matmat, transpose=True)


# ---- from dense matrices, and back ---------------------------------------------------------------


@sparse_primitive("csr_todense")
def csr_todense_p(data, indices, indptr, *, shape):
    rows = rows_of(indptr, indices.shape[0])
    return jnp.zeros(shape, data.dtype).at[rows, indices].add(data, mode="drop")


_of = lambda *shape: ShapedArray(shape, np.dtype(np.float32))
_columns, _indptr = np.array([1, 0, 3, 2], np.int32), np.array([0, 2, 2, 3], np.int32)
csr_todense_p.examples((_of(4), _columns, _indptr, dict(shape=(3, 4))))


def csr_todense(mat: CSR) -> Array:
    """Return the dense matrix of a sparse one; elements that are specified several times are summed.

    Args:
      mat: the matrix.
    Returns:
      An array of its shape and dtype, with zeros where no element is specified.
    Raises:
      AttributeError: it is no such array, but perhaps a dense one.

    >>> from adjoint.experimental import sparse
    >>> sparse.csr_todense(sparse.CSR.fromdense(jnp.eye(2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return csr_todense_p.bind(mat.data, mat.indices, mat.indptr, shape=mat.shape)


@sparse_primitive("csr_fromdense", multiple_results=True)
def csr_fromdense_p(mat, *, nse, index_dtype):
    data, row, col = coo_fromdense_p.expand_rule(mat, nse=nse, index_dtype=index_dtype)
    count = (mat != jnp.zeros((), mat.dtype)).sum(dtype=jnp.int32)
    # Elements beyond the number of those that are not zero are in no row.
    row = jnp.where(jnp.arange(nse, dtype=jnp.int32) < count, row, jnp.full((), mat.shape[0], row.dtype))
    return [data, col, row_starts(row, mat.shape[0])]


def _fromdense_jvp(primals, tangents, **params):
    outs = csr_fromdense_p.bind(*primals, **params)
    zeros = [Zero(aval_of(x).to_tangent_aval()) for x in outs]
    if type(tangents[0]) is Zero:
        return outs, zeros
    rows = rows_of(outs[2], outs[1].shape[0])
    return outs, [jnp.asarray(tangents[0]).at[rows, outs[1]].get(mode="fill", fill_value=0), *zeros[1:]]


csr_fromdense_p.jvp(_fromdense_jvp)


csr_fromdense_p.examples((
    np.array([[0, 1.5, 0], [2.5, 0, 3.5]], np.float32), dict(nse=4, index_dtype=np.dtype(np.int32))
))


def csr_fromdense(mat: Array, *, nse: int | None = None, index_dtype=np.int32) -> CSR:
    """Return the sparse matrix of a dense one.

    Args:
      mat: the dense matrix.
      nse: the number of elements to specify; default, as many as are not zero.
      index_dtype: of columns and starts.
    Raises:
      ConcretizationTypeError: `nse` is not given, and the matrix is traced.

    >>> from adjoint.experimental import sparse
    >>> sparse.csr_fromdense(jnp.array([[0., 1.], [2., 0.]])).indptr
    Array([0, 1, 2], dtype=int32)
    """
    mat = check_matrix(mat, "csr_fromdense")
    nse = stored_elements(mat, nse, 0, 0, "csr_fromdense")
    return CSR(tuple(csr_fromdense_p.bind(mat, nse=nse, index_dtype=as_index_dtype(index_dtype))), shape=mat.shape)


# ---- products ------------------------------------------------------------------------------------


def _product(data, indices, indptr, other, shape, transpose: bool):
    """Return the product of a matrix, or its transpose, with a vector or matrix."""
    if transpose:
        return product(data, rows_of(indptr, indices.shape[0]), indices, other, shape, True, "zero")
    dense = other.reshape((shape[1], prod(other.shape[1:])))
    return row_product(data, indices, indptr, dense, outside="clip").reshape((shape[0], *other.shape[1:]))


@sparse_primitive("csr_matvec", linear=(0, 3))
def csr_matvec_p(data, indices, indptr, v, *, shape, transpose):
    return _product(data, indices, indptr, v, shape, transpose)


@sparse_primitive("csr_matmat", linear=(0, 3))
def csr_matmat_p(data, indices, indptr, B, *, shape, transpose):
    return _product(data, indices, indptr, B, shape, transpose)


csr_matvec_p.examples(
    (_of(4), _columns, _indptr, _of(4), dict(shape=(3, 4), transpose=False)),
    (_of(4), _columns, _indptr, _of(3), dict(shape=(3, 4), transpose=True)),
)
csr_matmat_p.examples(
    (_of(4), _columns, _indptr, _of(4, 2), dict(shape=(3, 4), transpose=False)),
    (_of(4), _columns, _indptr, _of(3, 2), dict(shape=(3, 4), transpose=True)),
)


def csr_matvec(mat: CSR, v: Array, transpose: bool = False) -> Array:
    """Return the product of a sparse matrix, or its transpose, with a vector of the same dtype.

    Args:
      mat: ``[n, k]``.
      v: ``[k]``, or with `transpose` ``[n]``.
      transpose: multiply with the transpose.
    Returns:
      ``[n]``, or with `transpose` ``[k]``.
    Raises:
      AssertionError: the dtypes differ, or the lengths do not fit.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.CSR.fromdense(jnp.array([[0., 1.], [2., 0.]]))
    >>> sparse.csr_matvec(x, jnp.array([1., 10.]), transpose=True)
    Array([20.,  1.], dtype=float32)
    """
    v = jnp.asarray(v)
    check_product("csr_matvec", mat, v, transpose, 1)
    return csr_matvec_p.bind(mat.data, mat.indices, mat.indptr, v, shape=mat.shape, transpose=bool(transpose))


def csr_matmat(mat: CSR, B: Array, *, transpose: bool = False) -> Array:
    """Return the product of a sparse matrix, or its transpose, with a dense matrix of the same dtype.

    Args:
      mat: ``[n, k]``.
      B: ``[k, m]``, or with `transpose` ``[n, m]``.
      transpose: multiply with the transpose.
    Returns:
      ``[n, m]``, or with `transpose` ``[k, m]``.
    Raises:
      AssertionError: the dtypes differ, or the lengths do not fit.

    >>> from adjoint.experimental import sparse
    >>> sparse.csr_matmat(sparse.CSR.fromdense(jnp.eye(2)), jnp.ones((2, 1)))
    Array([[1.],
           [1.]], dtype=float32)
    """
    B = jnp.asarray(B)
    check_product("csr_matmat", mat, B, transpose, 2)
    return csr_matmat_p.bind(mat.data, mat.indices, mat.indptr, B, shape=mat.shape, transpose=bool(transpose))
