"""`COO`: a sparse matrix as a list of elements with their rows and columns, and its functions.

Rows outside of the shape stand for no element of a product; columns are moved inside.

Tests: `tests/experimental/sparse/test_coo_csr.py`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.process.records import NamedTuple
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.zeros import Zero
from ...prims.sparse_products import sparse_product
from ...tree_util import register_pytree_node_class
from ._base import Facts, JAXSparse, as_index_dtype
from .bcoo.dense import stored_elements
from .programs import sparse_primitive

__all__ = [
    "COO", "COOInfo", "coo_fromdense", "coo_fromdense_p", "coo_matmat", "coo_matmat_p", "coo_matvec", "coo_matvec_p",
    "coo_todense", "coo_todense_p",
]

public(globals())


class COOInfo(NamedTuple):
    """The shape of a `COO` matrix, and what is known of its indices.

    Args:
      shape: of the matrix.
      rows_sorted: whether the indices of rows are in order.
      cols_sorted: whether those of columns are.

    >>> COOInfo((2, 3), rows_sorted=True)
    COOInfo(shape=(2, 3), rows_sorted=True, cols_sorted=False)
    """

    shape: tuple[int, ...]
    rows_sorted: bool = False
    cols_sorted: bool = False


@register_pytree_node_class
class COO(JAXSparse):
    """A sparse matrix: its elements, their rows and their columns. `BCOO` is the format with all operations.

    Args:
      args: (data, row, col), each `[nse]`.
      shape: of the matrix.
      rows_sorted: the rows are in order.
      cols_sorted: the columns are in order.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.COO((jnp.array([1., 2.]), jnp.array([0, 2]), jnp.array([1, 0])), shape=(3, 2))
    >>> x @ jnp.array([1., 10.])
    Array([10.,  0.,  2.], dtype=float32)
    """

    data: Any
    row: Any
    col: Any

    nse = property(lambda self: self.data.size, doc="Return the number of specified elements.")
    dtype = property(lambda self: self.data.dtype, doc="Return the dtype of the elements.")
    _info = property(lambda self: COOInfo(self.shape, self._rows_sorted, self._cols_sorted))

    def __init__(
        self, args: tuple[Array, Array, Array], *, shape, rows_sorted: bool = False, cols_sorted: bool = False
    ):
        self.data, self.row, self.col = map(jnp.asarray, args)
        self._rows_sorted, self._cols_sorted = rows_sorted, cols_sorted
        super().__init__((self.data, self.row, self.col), shape=shape)

    @classmethod
    def fromdense(cls, mat: Array, *, nse: int | None = None, index_dtype=np.int32) -> COO:
        """Return the sparse matrix of a dense one; see `coo_fromdense`.

        Args:
          mat: a matrix.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
        """
        return coo_fromdense(mat, nse=nse, index_dtype=index_dtype)

    @classmethod
    def _empty(cls, shape, *, dtype=None, index_dtype="int32") -> COO:
        shape = tuple(shape)
        if len(shape) != 2:
            raise ValueError(f"COO must have ndim=2; got {shape=}")
        empty = jnp.zeros(0, index_dtype)
        return cls((jnp.zeros(0, dtype), empty, empty), shape=shape, rows_sorted=True, cols_sorted=True)

    @classmethod
    def _eye(cls, N: int, M: int, k: int, *, dtype=None, index_dtype="int32") -> COO:
        size = max(0, min(N, M - k) if k >= 0 else min(N + k, M))
        if not size:
            return cls._empty((N, M), dtype=dtype, index_dtype=index_dtype)
        rows = np.arange(size) - min(k, 0)
        row, col = [jnp.asarray(x.astype(index_dtype)) for x in (rows, rows + k)]
        return cls((jnp.ones(size, dtype), row, col), shape=(N, M), rows_sorted=True, cols_sorted=True)

    def _sort_indices(self) -> COO:
        """Return the same matrix with its elements in the order of rows, and in each of columns."""
        order = jnp.lexsort((self.col, self.row))
        return COO((self.data[order], self.row[order], self.col[order]), shape=self.shape, rows_sorted=True)

    def todense(self) -> Array:
        """Return the dense matrix; elements that are specified several times are summed."""
        return coo_todense(self)

    def transpose(self, axes: tuple[int, ...] | None = None) -> COO:
        """Return the transpose.

        Args:
          axes: must be None.
        """
        if axes is not None:
            raise NotImplementedError("axes argument to transpose()")
        return COO((self.data, self.col, self.row), shape=self.shape[::-1], rows_sorted=self._cols_sorted,
                   cols_sorted=self._rows_sorted)

    def tree_flatten(self) -> tuple[tuple[Array, Array, Array], dict[str, Any]]:
        """Return (data, row, col), and the shape with what is known of rows and columns."""
        return (self.data, self.row, self.col), Facts(self._info._asdict())

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        """Return the matrix that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the matrix is.
          children: (data, row, col).
        """
        x = object.__new__(cls)
        x.data, x.row, x.col = children
        if aux_data.keys() != {"shape", "rows_sorted", "cols_sorted"}:
            raise ValueError(f"COO.tree_unflatten: invalid {aux_data=}")
        x.shape = aux_data["shape"]
        x._rows_sorted, x._cols_sorted = aux_data["rows_sorted"], aux_data["cols_sorted"]
        return x

    def __matmul__(self, other):
        return matmul(self, other, coo_matvec, coo_matmat)


def matmul(mat, other, matvec, matmat, **options):
    """The product of a sparse matrix and a dense vector or matrix."""
    if isinstance(other, JAXSparse):
        raise NotImplementedError("matmul between two sparse objects.\n  Try: BCOO arrays.")
    other = jnp.asarray(other)
    if other.ndim not in (1, 2):
        raise NotImplementedError(f"matmul with object of shape {other.shape}")
    dtype = jnp.promote_types(mat.dtype, other.dtype)
    data, *rest = mat.tree_flatten()[0]
    mat = type(mat).tree_unflatten(mat.tree_flatten()[1], (data.astype(dtype), *rest))
    return (matvec if other.ndim == 1 else matmat)(mat, other.astype(dtype), **options)


def check_product(name: str, mat, other, transpose: bool, ndim: int) -> None:
    """Raise an error if a matrix can't be multiplied with a vector or matrix."""
    rows, columns = mat.shape[::-1] if transpose else mat.shape
    if other.ndim != ndim or other.shape[0] != columns:
        raise AssertionError(
            f"{name}: a matrix of shape {(rows, columns)} can't be multiplied with an array of shape {other.shape}."
        )
    if mat.dtype != other.dtype:
        raise AssertionError(
            f"{name}: the dtypes of the matrix and the array must be the same; got {mat.dtype} and {other.dtype}.\n"
            "  Try: `mat @ array`, which promotes them."
        )


# ---- from dense matrices, and back ---------------------------------------------------------------


@sparse_primitive("coo_todense")
def coo_todense_p(data, row, col, *, spinfo):
    return jnp.zeros(spinfo.shape, data.dtype).at[row, col].add(data, mode="drop")


_of = lambda *shape: ShapedArray(shape, np.dtype(np.float32))
_row, _col = np.array([0, 2, 2, 0], np.int32), np.array([1, 0, 0, 3], np.int32)
_info = COOInfo((3, 4))
coo_todense_p.examples((_of(4), _row, _col, dict(spinfo=_info)))


def coo_todense(mat: COO) -> Array:
    """Return the dense matrix of a sparse one; elements that are specified several times are summed.

    Args:
      mat: the matrix.
    Returns:
      An array of its shape and dtype, with zeros where no element is specified.
    Raises:
      AttributeError: it is no such array, but perhaps a dense one.

    >>> from adjoint.experimental import sparse
    >>> sparse.coo_todense(sparse.COO.fromdense(jnp.eye(2)))
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return coo_todense_p.bind(mat.data, mat.row, mat.col, spinfo=mat._info)


@sparse_primitive("coo_fromdense", multiple_results=True)
def coo_fromdense_p(mat, *, nse, index_dtype):
    row, col = jnp.nonzero(mat, size=nse)
    count = (mat != jnp.zeros((), mat.dtype)).sum(dtype=jnp.int32)
    data = jnp.where(jnp.arange(nse, dtype=jnp.int32) < count, mat[row, col], jnp.zeros((), mat.dtype))
    return [data, row.astype(index_dtype), col.astype(index_dtype)]


def _fromdense_jvp(primals, tangents, **params):
    outs = coo_fromdense_p.bind(*primals, **params)
    zeros = [Zero(aval_of(x).to_tangent_aval()) for x in outs]
    if type(tangents[0]) is Zero:
        return outs, zeros
    return outs, [jnp.asarray(tangents[0])[outs[1], outs[2]], *zeros[1:]]


coo_fromdense_p.jvp(_fromdense_jvp)


coo_fromdense_p.examples((
    np.array([[0, 1.5, 0], [2.5, 0, 3.5]], np.float32), dict(nse=4, index_dtype=np.dtype(np.int32))
))


def check_matrix(mat, name: str):
    """A dense matrix; an array with other axes is an error."""
    mat = jnp.asarray(mat)
    if mat.ndim != 2:
        raise AssertionError(f"{name}: the array must be a matrix; got shape {mat.shape}.")
    return mat


def coo_fromdense(mat: Array, *, nse: int | None = None, index_dtype=np.int32) -> COO:
    """Return the sparse matrix of a dense one.

    Args:
      mat: the dense matrix.
      nse: the number of elements to specify; default, as many as are not zero. Further ones are zeros at (0, 0).
      index_dtype: of rows and columns.
    Raises:
      ConcretizationTypeError: `nse` is not given, and the matrix is traced.

    >>> from adjoint.experimental import sparse
    >>> sparse.coo_fromdense(jnp.array([[0., 1.], [2., 0.]])).row
    Array([0, 1], dtype=int32)
    """
    mat = check_matrix(mat, "coo_fromdense")
    nse = stored_elements(mat, nse, 0, 0, "coo_fromdense")
    data, row, col = coo_fromdense_p.bind(mat, nse=nse, index_dtype=as_index_dtype(index_dtype))
    return COO((data, row, col), shape=mat.shape, rows_sorted=True)


# ---- products ------------------------------------------------------------------------------------


def product(data, row, col, other, shape, transpose: bool, outside: str = "clip"):
    """The product of a matrix, or its transpose, with a vector or matrix; `outside` is what places not in this are."""
    n, k = shape[::-1] if transpose else shape
    row, col = (col, row) if transpose else (row, col)
    out = sparse_product(
        data, row[:, None], col[:, None], other.reshape((k, prod(other.shape[1:]))), row=0, column=0, size=n,
        outside=outside,
    )
    return out.reshape((n, *other.shape[1:]))


@sparse_primitive("coo_matvec", linear=(0, 3))
def coo_matvec_p(data, row, col, v, *, spinfo, transpose):
    return product(data, row, col, v, spinfo.shape, transpose)


@sparse_primitive("coo_matmat", linear=(0, 3))
def coo_matmat_p(data, row, col, B, *, spinfo, transpose):
    return product(data, row, col, B, spinfo.shape, transpose)


coo_matvec_p.examples(
    (_of(4), _row, _col, _of(4), dict(spinfo=_info, transpose=False)),
    (_of(4), _row, _col, _of(3), dict(spinfo=_info, transpose=True)),
)
coo_matmat_p.examples(
    (_of(4), _row, _col, _of(4, 2), dict(spinfo=_info, transpose=False)),
    (_of(4), _row, _col, _of(3, 2), dict(spinfo=_info, transpose=True)),
)


def coo_matvec(mat: COO, v: Array, transpose: bool = False) -> Array:
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
    >>> sparse.coo_matvec(sparse.COO.fromdense(jnp.array([[0., 1.], [2., 0.]])), jnp.array([1., 10.]))
    Array([10.,  2.], dtype=float32)
    """
    v = jnp.asarray(v)
    check_product("coo_matvec", mat, v, transpose, 1)
    return coo_matvec_p.bind(mat.data, mat.row, mat.col, v, spinfo=mat._info, transpose=bool(transpose))


def coo_matmat(mat: COO, B: Array, *, transpose: bool = False) -> Array:
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
    >>> sparse.coo_matmat(sparse.COO.fromdense(jnp.eye(2)), jnp.ones((2, 1)))
    Array([[1.],
           [1.]], dtype=float32)
    """
    B = jnp.asarray(B)
    check_product("coo_matmat", mat, B, transpose, 2)
    return coo_matmat_p.bind(mat.data, mat.row, mat.col, B, spinfo=mat._info, transpose=bool(transpose))
