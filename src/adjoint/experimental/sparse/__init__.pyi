# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.core import Tracer
from adjoint.experimental.sparse.transform import SparsifyEnv
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any
class BCOO:
    """A sparse array: its elements, and where each of them is.

    The axes of the array are batch axes, then sparse ones, then dense ones.

    Args:
      args: (data, indices). `data` is `[*batch, nse, *dense]`, `indices` are integers `[*batch, nse, n_sparse]`; a
        batch axis of either may have size 1: the same in every batch. Indices beyond the shape stand for no element.
      shape: of the array.
      indices_sorted: the indices of each batch are in lexicographic order.
      unique_indices: no index occurs twice in a batch.
    Raises:
      ValueError: the buffers do not fit the shape.

    >>> from adjoint.experimental import sparse
    >>> x = sparse.BCOO((jnp.array([1., 2.]), jnp.array([[0, 1], [2, 0]])), shape=(3, 2))
    >>> x
    BCOO(float32[3, 2], nse=2)
    >>> x.todense()
    Array([[0., 1.],
           [0., 0.],
           [2., 0.]], dtype=float32)
    >>> x @ jnp.array([1., 10.])
    Array([10.,  0.,  2.], dtype=float32)
    """
    def __init__(self, args: Any, *, shape: Any, indices_sorted: bool = False, unique_indices: bool = False) -> None: ...
    @property
    def nse(self) -> Any:
        """Return the number of specified elements of a batch."""
    @property
    def n_batch(self) -> Any:
        """Return the number of batch axes."""
    @property
    def n_sparse(self) -> Any:
        """Return the number of sparse axes."""
    def todense(self) -> Array:
        """Return the dense array; elements that are specified several times are summed."""
    @classmethod
    def fromdense(cls, mat: Array, *, nse: int | None = None, index_dtype: Any = ..., n_dense: int = 0, n_batch: int = 0) -> BCOO:
        """Return the sparse array of a dense one; see `bcoo_fromdense`.

        Args:
          mat: an array.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
          n_dense: how many of the last axes are dense.
          n_batch: how many of the first axes are batch axes.
        """
    @classmethod
    def from_scipy_sparse(cls, mat: Any, *, index_dtype: Any = None, n_dense: int = 0, n_batch: int = 0) -> BCOO:
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
    def update_layout(self, *, n_batch: int | None = None, n_dense: int | None = None, on_inefficient: str = 'error') -> BCOO:
        """Return the same array with other numbers of batch and dense axes; see `bcoo_update_layout`.

        Args:
          n_batch: how many of the first axes are batch axes; default, as before.
          n_dense: how many of the last axes are dense; default, as before.
          on_inefficient: "error", "warn" or None, where more memory is needed than before.
        """
    def sort_indices(self) -> BCOO:
        """Return the array with its elements in the lexicographic order of their indices."""
    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCOO:
        """Return the array with each index once, in order, and the sum of what was specified for it.

        Args:
          nse: how many elements the result specifies; default, as many as are needed.
          remove_zeros: leave out elements that are zero.
        """
    def transpose(self, axes: Sequence[int] | None = None) -> BCOO:
        """Return the array with its axes in another order: by default, reversed.

        Args:
          axes: the axes of the array in their new order; batch, sparse and dense axes stay apart.
        """
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __matmul__(self, other: Any) -> Any: ...
    def __rmatmul__(self, other: Any) -> Any: ...
    def __neg__(self) -> Any: ...
    def __lt__(self, other: Any) -> bool: ...
    def __le__(self, other: Any) -> bool: ...
    def __gt__(self, other: Any) -> bool: ...
    def __ge__(self, other: Any) -> bool: ...
    def __getitem__(self, item: Any) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def astype(self, *args: Any, **kwargs: Any) -> BCOO:
        """Return the array with elements of another dtype; elements that are specified several times are summed before.

        Args:
          args: the dtype, as of `jax.Array.astype`.
          kwargs: its other arguments.
        """
    def reshape(self, *args: Any, **kwargs: Any) -> BCOO:
        """Return the array in another shape, as `jax.Array.reshape`.

        Args:
          args: the shape, as of `jax.Array.reshape`.
          kwargs: its other arguments.
        """
    def sum(self, *args: Any, **kwargs: Any) -> Any:
        """Return the sums over some axes, as a sparse array, or the sum of all elements, as a dense one.

        Args:
          args: the axes, as of `jnp.sum`.
          kwargs: its other arguments.
        """
    indices: Any
    indices_sorted: bool
    unique_indices: bool
    @property
    def n_dense(self) -> Any:
        """Return the number of dense axes."""
    def tree_flatten(self) -> Any:
        """Return the buffers, and the shape with what is known of the indices."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the array that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the array is.
          children: the buffers.
        """
    data: Any
    shape: tuple[int, ...]
    @property
    def dtype(self) -> Any:
        """Return the dtype of the elements."""
    @property
    def size(self) -> Any:
        """Return the number of elements, specified or not."""
    @property
    def ndim(self) -> Any:
        """Return the number of axes."""
    @property
    def T(self) -> Any:
        """Return the transpose."""
    def block_until_ready(self) -> Any:
        """Wait until the buffers have been computed; return the sparse array."""
    def __len__(self) -> int: ...
class BCSR:
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
    def __init__(self, args: Any, *, shape: Any, indices_sorted: bool = False, unique_indices: bool = False) -> None: ...
    indptr: Any
    @property
    def nse(self) -> Any:
        """Return the number of specified elements of a batch."""
    @property
    def n_batch(self) -> Any:
        """Return the number of batch axes."""
    @property
    def n_sparse(self) -> Any:
        """Return the number of sparse axes, which is 2."""
    @classmethod
    def fromdense(cls, mat: Any, *, nse: Any = None, index_dtype: Any = ..., n_dense: Any = 0, n_batch: Any = 0) -> BCSR:
        """Return the sparse array of a dense one; see `bcsr_fromdense`.

        Args:
          mat: an array.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
          n_dense: how many of the last axes are dense.
          n_batch: how many of the first axes are batch axes.
        """
    @classmethod
    def from_scipy_sparse(cls, mat: Any, *, index_dtype: Any = None, n_dense: Any = 0, n_batch: Any = 0) -> BCSR:
        """Return the sparse array of one of SciPy's.

        Args:
          mat: a sparse matrix of SciPy's.
          index_dtype: the dtype of the indices; default, that of the matrix.
          n_dense: must be 0.
          n_batch: must be 0.
        Raises:
          NotImplementedError: batch or dense axes are asked for, which SciPy's arrays have not.
        """
    @classmethod
    def from_bcoo(cls, arr: BCOO) -> BCSR:
        """Return a `BCOO` array of two sparse axes as one by rows.

        Args:
          arr: a `BCOO` array with two sparse axes.
        Raises:
          NotImplementedError: it has not two sparse axes.
        """
    def to_bcoo(self) -> BCOO:
        """Return the same array as a `BCOO` array."""
    def todense(self) -> Array:
        """Return the dense array; elements that are specified several times are summed."""
    def transpose(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error: a transpose by rows is one by columns.

        Args:
          args: not read.
          kwargs: not read.
        """
    def sum_duplicates(self, nse: int | None = None, remove_zeros: bool = True) -> BCSR:
        """Return the array with each index once, in order, and the sum of what was specified for it.

        Args:
          nse: how many elements the result specifies; default, as many as are needed.
          remove_zeros: leave out elements that are zero.
        """
    def __matmul__(self, other: Any) -> Any: ...
    def __rmatmul__(self, other: Any) -> Any: ...
    def __getitem__(self, item: Any) -> Any: ...
    indices: Any
    indices_sorted: bool
    unique_indices: bool
    @property
    def n_dense(self) -> Any:
        """Return the number of dense axes."""
    def tree_flatten(self) -> Any:
        """Return the buffers, and the shape with what is known of the indices."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the array that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the array is.
          children: the buffers.
        """
    data: Any
    shape: tuple[int, ...]
    @property
    def dtype(self) -> Any:
        """Return the dtype of the elements."""
    @property
    def size(self) -> Any:
        """Return the number of elements, specified or not."""
    @property
    def ndim(self) -> Any:
        """Return the number of axes."""
    @property
    def T(self) -> Any:
        """Return the transpose."""
    def block_until_ready(self) -> Any:
        """Wait until the buffers have been computed; return the sparse array."""
    def __len__(self) -> int: ...
    def sum(self, *args: Any, **kwargs: Any) -> Any:
        """Return the sum over all axes or some.

        Args:
          args: the axes, as of `jnp.sum`.
          kwargs: its other arguments.
        """
    def __neg__(self) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
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
    def __init__(self, args: Any, *, shape: Any, rows_sorted: bool = False, cols_sorted: bool = False) -> None: ...
    data: Any
    row: Any
    col: Any
    @property
    def nse(self) -> Any:
        """Return the number of specified elements."""
    @property
    def dtype(self) -> Any:
        """Return the dtype of the elements."""
    @classmethod
    def fromdense(cls, mat: Array, *, nse: int | None = None, index_dtype: Any = ...) -> COO:
        """Return the sparse matrix of a dense one; see `coo_fromdense`.

        Args:
          mat: a matrix.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
        """
    def todense(self) -> Array:
        """Return the dense matrix; elements that are specified several times are summed."""
    def transpose(self, axes: tuple[int, ...] | None = None) -> COO:
        """Return the transpose.

        Args:
          axes: must be None.
        """
    def tree_flatten(self) -> tuple[tuple[Array, Array, Array], dict[str, Any]]:
        """Return (data, row, col), and the shape with what is known of rows and columns."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the matrix that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the matrix is.
          children: (data, row, col).
        """
    def __matmul__(self, other: Any) -> Any: ...
class CSC:
    """A sparse matrix by columns.

    Args:
      args: (data, indices, indptr): the elements, their rows, and where each column begins.
      shape: of the matrix.

    >>> from adjoint.experimental import sparse
    >>> sparse.CSC.fromdense(jnp.array([[0., 1.], [2., 0.]])) @ jnp.array([1., 10.])
    Array([10.,  2.], dtype=float32)
    """
    def __init__(self, args: Any, *, shape: Any) -> None: ...
    @classmethod
    def fromdense(cls, mat: Any, *, nse: Any = None, index_dtype: Any = ...) -> Any:
        """Return the sparse matrix of a dense one.

        Args:
          mat: a matrix.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
        """
    def todense(self) -> Any:
        """Return the dense matrix; elements that are specified several times are summed."""
    def transpose(self, axes: Any = None) -> Any:
        """Return the transpose, by rows.

        Args:
          axes: must be None.
        """
    def __matmul__(self, other: Any) -> Any: ...
    data: Any
    indices: Any
    indptr: Any
    @property
    def nse(self) -> Any:
        """Return the number of specified elements."""
    @property
    def dtype(self) -> Any:
        """Return the dtype of the elements."""
    def tree_flatten(self) -> Any:
        """Return (data, indices, indptr), and the shape."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the matrix that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the matrix is.
          children: (data, indices, indptr).
        """
    shape: tuple[int, ...]
    @property
    def size(self) -> Any:
        """Return the number of elements, specified or not."""
    @property
    def ndim(self) -> Any:
        """Return the number of axes."""
    @property
    def T(self) -> Any:
        """Return the transpose."""
    def block_until_ready(self) -> Any:
        """Wait until the buffers have been computed; return the sparse array."""
    def __len__(self) -> int: ...
    def sum(self, *args: Any, **kwargs: Any) -> Any:
        """Return the sum over all axes or some.

        Args:
          args: the axes, as of `jnp.sum`.
          kwargs: its other arguments.
        """
    def __neg__(self) -> Any: ...
    def __rmatmul__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __getitem__(self, item: Any) -> Any: ...
class CSR:
    """A sparse matrix by rows. `BCSR` is the format with batches.

    Args:
      args: (data, indices, indptr): the elements, their columns, and where each row begins.
      shape: of the matrix.

    >>> from adjoint.experimental import sparse
    >>> sparse.CSR.fromdense(jnp.array([[0., 1.], [2., 0.]])) @ jnp.array([1., 10.])
    Array([10.,  2.], dtype=float32)
    """
    def __init__(self, args: Any, *, shape: Any) -> None: ...
    @classmethod
    def fromdense(cls, mat: Any, *, nse: Any = None, index_dtype: Any = ...) -> Any:
        """Return the sparse matrix of a dense one; see `csr_fromdense`.

        Args:
          mat: a matrix.
          nse: how many elements are specified; default, those that are not zero.
          index_dtype: the dtype of the indices.
        """
    def todense(self) -> Any:
        """Return the dense matrix; elements that are specified several times are summed."""
    def transpose(self, axes: Any = None) -> Any:
        """Return the transpose, by columns.

        Args:
          axes: must be None.
        """
    def __matmul__(self, other: Any) -> Any: ...
    data: Any
    indices: Any
    indptr: Any
    @property
    def nse(self) -> Any:
        """Return the number of specified elements."""
    @property
    def dtype(self) -> Any:
        """Return the dtype of the elements."""
    def tree_flatten(self) -> Any:
        """Return (data, indices, indptr), and the shape."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the matrix that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the matrix is.
          children: (data, indices, indptr).
        """
    shape: tuple[int, ...]
    @property
    def size(self) -> Any:
        """Return the number of elements, specified or not."""
    @property
    def ndim(self) -> Any:
        """Return the number of axes."""
    @property
    def T(self) -> Any:
        """Return the transpose."""
    def block_until_ready(self) -> Any:
        """Wait until the buffers have been computed; return the sparse array."""
    def __len__(self) -> int: ...
    def sum(self, *args: Any, **kwargs: Any) -> Any:
        """Return the sum over all axes or some.

        Args:
          args: the axes, as of `jnp.sum`.
          kwargs: its other arguments.
        """
    def __neg__(self) -> Any: ...
    def __rmatmul__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __getitem__(self, item: Any) -> Any: ...
class CuSparseEfficiencyWarning(SparseEfficiencyWarning):
    """A product that the library of a GPU could compute takes a slower way. No engine here gives it.

    >>> from adjoint.experimental import sparse
    >>> issubclass(sparse.CuSparseEfficiencyWarning, sparse.SparseEfficiencyWarning)
    True
    """
    ...
class JAXSparse:
    """A sparse array: buffers, among them `data`, and a shape. The base of `BCOO`, `BCSR`, `COO`, `CSR` and `CSC`.

    Args:
      args: a tuple of buffers.
      shape: the shape of the array.

    >>> from adjoint.experimental import sparse
    >>> isinstance(sparse.eye(3), sparse.JAXSparse)
    True
    """
    def __init__(self, args: Any, *, shape: Any) -> None: ...
    data: Any
    shape: tuple[int, ...]
    @property
    def nse(self) -> Any:
        """Return the number of specified elements."""
    @property
    def dtype(self) -> Any:
        """Return the dtype of the elements."""
    @property
    def size(self) -> Any:
        """Return the number of elements, specified or not."""
    @property
    def ndim(self) -> Any:
        """Return the number of axes."""
    @property
    def T(self) -> Any:
        """Return the transpose."""
    def block_until_ready(self) -> Any:
        """Wait until the buffers have been computed; return the sparse array."""
    def tree_flatten(self) -> Any:
        """Return the buffers, and what else the array is."""
    @classmethod
    def tree_unflatten(cls, aux_data: Any, children: Any) -> Any:
        """Return the array that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the array is.
          children: the buffers.
        """
    def transpose(self, axes: Any = None) -> Any:
        """Return the array with its axes in another order.

        Args:
          axes: the axes of the array in their new order; default, reversed.
        """
    def todense(self) -> Array:
        """Return the dense array."""
    def __len__(self) -> int: ...
    def sum(self, *args: Any, **kwargs: Any) -> Any:
        """Return the sum over all axes or some.

        Args:
          args: the axes, as of `jnp.sum`.
          kwargs: its other arguments.
        """
    def __neg__(self) -> Any: ...
    def __matmul__(self, other: Any) -> Any: ...
    def __rmatmul__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __getitem__(self, item: Any) -> Any: ...
class SparseEfficiencyError(ValueError):
    """A sparse array would be stored in a way that takes more space than it needs.

    Causes:
      `n_batch` or `n_dense` grows              keep them as they are
      the space does not matter                 `bcoo_update_layout(..., on_inefficient="warn")`

    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(2))
    >>> try:
    ...     sparse.bcoo_update_layout(m, n_batch=1)
    ... except sparse.SparseEfficiencyError as error:
    ...     print(str(error).partition(",")[0])
    For matrix of shape (2
    """
    ...
class SparseEfficiencyWarning(UserWarning):
    """A sparse array is stored in a way that takes more space than it needs, where a warning was asked for.

    >>> import warnings
    >>> from adjoint.experimental import sparse
    >>> m = sparse.BCOO.fromdense(jnp.eye(2))
    >>> with warnings.catch_warnings(record=True, action="always") as found:
    ...     _ = sparse.bcoo_update_layout(m, n_batch=1, on_inefficient="warn")
    >>> found[0].category.__name__
    'SparseEfficiencyWarning'
    """
    ...
class SparseTracer(Tracer):
    """Stands for a dense array, and is a value of the interpreter.

    Made by the interpreter of `sparsify`.

    >>> from adjoint.experimental import sparse
    >>> _ = sparse.sparsify(lambda m: print(m) or m, use_tracer=True)(sparse.BCOO.fromdense(jnp.eye(2)))
    SparseTracer<float32[2,2]>
    """
    def __init__(self, trace: Any, *, spvalue: Any) -> None: ...
    @property
    def spenv(self) -> SparsifyEnv:
        """Return the environment that has the buffers."""
    def full_lower(self) -> Any:
        """Return the tracer."""
    def describe(self) -> str: ...
from adjoint.experimental.sparse import ad as ad
from adjoint.experimental.sparse import api as api
from adjoint.experimental.sparse import bcoo as bcoo
def bcoo_broadcast_in_dim(mat: BCOO, *, shape: Sequence[int], broadcast_dimensions: Sequence[int], sharding: Any = None) -> BCOO:
    """Return the array with more axes, along which it is the same. New leading axes are batch axes.

    Args:
      mat: the array.
      shape: of the result.
      broadcast_dimensions: for each axis of `mat` the axis of the result.
      sharding: is not read.
    Raises:
      ValueError: not one axis of the result for each.
      NotImplementedError: a sparse axis would be longer than 1.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_broadcast_in_dim(sparse.eye(2), shape=(3, 2, 2), broadcast_dimensions=(1, 2))
    BCOO(float32[3, 2, 2], nse=2, n_batch=1)
    """
def bcoo_concatenate(operands: Sequence[BCOO], *, dimension: int) -> BCOO:
    """Return arrays joined along a batch axis or a sparse one.

    Args:
      operands: with equal numbers of batch and of dense axes.
      dimension: the axis.
    Raises:
      ValueError: they are no BCOO arrays, or of different layouts.
      TypeError: they have different dtypes, or shapes that do not fit.
      NotImplementedError: the axis is dense.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_concatenate([sparse.eye(2), sparse.eye(2)], dimension=0).todense().shape
    (4, 2)
    """
def bcoo_conv_general_dilated(lhs: Any, rhs: Any, *, window_strides: Any, padding: Any, lhs_dilation: Any = None, rhs_dilation: Any = None, dimension_numbers: Any = None, feature_group_count: Any = 1, batch_group_count: Any = 1, precision: Any = None, preferred_element_type: Any = None, out_sharding: Any = None) -> BCOO:
    """Return the convolution of a sparse array of shape `[1, 1, n]` with one of shape `[1, 1, k]`.

    Args:
      lhs, rhs: the array, and the kernel.
      window_strides, lhs_dilation, rhs_dilation: must be 1.
      padding: "VALID", "SAME", or a pair (before, after).
      dimension_numbers: see `lax.conv_dimension_numbers`.
      feature_group_count, batch_group_count: must be 1.
      precision: see `lax.Precision`.
      preferred_element_type: the dtype of the result.
      out_sharding: is not read.
    Raises:
      NotImplementedError: there are several signals or features, strides or dilations, or more than one axis.

    >>> from adjoint.experimental import sparse
    >>> x, k = sparse.BCOO.fromdense(jnp.array([[[1., 0., 2.]]])), sparse.BCOO.fromdense(jnp.ones((1, 1, 2)))
    >>> sparse.bcoo_conv_general_dilated(x, k, window_strides=(1,), padding="VALID").todense()
    Array([[[1., 2.]]], dtype=float32)
    """
def bcoo_dot_general(lhs: BCOO | Array, rhs: BCOO | Array, *, dimension_numbers: Any, precision: None = None, preferred_element_type: None = None, out_sharding: Any = None) -> BCOO | Array:
    """Return the sums of products over contracted axes, as `lax.dot_general`.

    Args:
      lhs, rhs: sparse or dense. The product of two sparse arrays is sparse.
      dimension_numbers: ((axes of lhs, of rhs) that are contracted, (axes of lhs, of rhs) that are batch axes).
      precision: unused.
      preferred_element_type: the dtype of the result.
      out_sharding: is not read.
    Raises:
      TypeError: the shapes do not fit.
      NotImplementedError: dense axes are contracted, or sparse ones are batch axes of the product.

    >>> from adjoint.experimental import sparse
    >>> numbers = (((1,), (0,)), ((), ()))
    >>> sparse.bcoo_dot_general(sparse.eye(3), jnp.arange(3.), dimension_numbers=numbers)
    Array([0., 1., 2.], dtype=float32)
    """
from adjoint.lax import bcoo_dot_general_p as bcoo_dot_general_p
def bcoo_dot_general_sampled(A: Any, B: Any, indices: Any, *, dimension_numbers: Any) -> Array:
    """Return the elements at some indices of the product of two dense arrays, without computing the others.

    Args:
      A, B: dense.
      indices: `[*batch, nse, n_sparse]`, into the product. Those beyond its shape give 0.
      dimension_numbers: of the product, as of `lax.dot_general`.
    Returns:
      Elements of the dtype of the product, in an array of shape `[*batch, nse]`.
    Raises:
      TypeError: the contracted or the batch axes of the operands differ in length.

    >>> from adjoint.experimental import sparse
    >>> x = jnp.arange(6.).reshape(2, 3)
    >>> sparse.bcoo_dot_general_sampled(x, x, jnp.array([[0, 1], [1, 1]]), dimension_numbers=(((1,), (1,)), ((), ())))
    Array([14., 50.], dtype=float32)
    """
from adjoint.lax import bcoo_dot_general_sampled_p as bcoo_dot_general_sampled_p
def bcoo_dynamic_slice(mat: BCOO, start_indices: Sequence[Any], slice_sizes: Sequence[int]) -> BCOO:
    """Return the part of a given size that begins at given indices, as `lax.dynamic_slice`.

    Args:
      mat: the array.
      start_indices: an integer scalar for each axis; a part that is not inside is moved inside.
      slice_sizes: the shape of the part.
    Returns:
      A `BCOO` of that shape.
    Raises:
      ValueError: the number of indices is not that of axes.
      TypeError: the part is larger than the array, or indices are no integers.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_dynamic_slice(sparse.eye(3), (1, jnp.int32(5)), (2, 1)).todense()
    Array([[0.],
           [1.]], dtype=float32)
    """
def bcoo_extract(sparr: BCOO, arr: Any, *, assume_unique: bool | None = None) -> BCOO:
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
from adjoint.lax import bcoo_extract_p as bcoo_extract_p
def bcoo_fromdense(mat: Any, *, nse: int | None = None, n_batch: int = 0, n_dense: int = 0, index_dtype: Any = ...) -> BCOO:
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
from adjoint.lax import bcoo_fromdense_p as bcoo_fromdense_p
def bcoo_gather(operand: BCOO, start_indices: Any, dimension_numbers: Any, slice_sizes: Sequence[int], *, unique_indices: bool = False, indices_are_sorted: bool = False, mode: Any = None, fill_value: Any = None) -> BCOO:
    """Return parts of the array at computed places, as `lax.gather`. Places outside are moved inside.

    Args:
      operand: the array.
      start_indices: integers; the last axis holds the entries of one index.
      dimension_numbers: which axes belong together, see `lax.GatherDimensionNumbers`.
      slice_sizes: the shape of a part, one length for each axis of the operand.
      unique_indices, indices_are_sorted: promises that may be used for speed.
      mode, fill_value: accepted.
    Returns:
      A `BCOO` of the parts.
    Raises:
      NotImplementedError: there are batch axes of places, or the axes of the parts are not adjacent.

    >>> from adjoint.experimental import sparse
    >>> numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    >>> sparse.bcoo_gather(sparse.eye(3), jnp.array([[2], [0]]), numbers, (1, 3)).todense()
    Array([[0., 0., 1.],
           [1., 0., 0.]], dtype=float32)
    """
def bcoo_multiply_dense(sp_mat: BCOO, v: Any) -> Array:
    """Return the data of the product of a sparse array and a dense one, which has the indices of the sparse one.

    Args:
      sp_mat: the sparse array.
      v: dense, of the shape of `sp_mat` or one that is broadcast to it.
    Raises:
      NotImplementedError: the product would have a larger shape.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_multiply_dense(sparse.eye(3), jnp.arange(3.))
    Array([0., 1., 2.], dtype=float32)
    """
def bcoo_multiply_sparse(lhs: BCOO, rhs: BCOO) -> BCOO:
    """Return the product of two sparse arrays, element by element.

    The result specifies as many elements as there are pairs of those of the operands; pairs with different indices
    stand for none and are last.

    Args:
      lhs, rhs: arrays with as many axes, whose shapes broadcast.
    Returns:
      A `BCOO` of the products.
    Raises:
      TypeError: the arrays have different numbers of axes.
      NotImplementedError: they have different numbers of dense axes.
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_multiply_sparse(sparse.eye(2), 3 * sparse.eye(2)).todense()
    Array([[3., 0.],
           [0., 3.]], dtype=float32)
    """
def bcoo_reduce_sum(mat: BCOO, *, axes: Sequence[int]) -> BCOO:
    """Return the sums over axes, as a sparse array in which an index may occur several times.

    Args:
      mat: the array.
      axes: the axes to sum over.
    Returns:
      A `BCOO` without these axes.
    Raises:
      AssertionError: an axis is not one of the array.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_reduce_sum(sparse.eye(3), axes=(0,)).todense()
    Array([1., 1., 1.], dtype=float32)
    """
def bcoo_reshape(mat: BCOO, *, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None, sharding: Any = None) -> BCOO:
    """Return the array in another shape; batch, sparse and dense axes stay among themselves.

    Args:
      mat: the array.
      new_sizes: the new shape.
      dimensions: the order in which the axes are read; default, as they are.
      sharding: is not read.
    Raises:
      ValueError: an axis of the new shape would be of two kinds.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_reshape(sparse.eye(4), new_sizes=(2, 8)).indices[-1]
    Array([1, 7], dtype=int32)
    """
def bcoo_rev(operand: Any, dimensions: Any) -> Any:
    """Return the array in reversed order along some axes.

    Args:
      operand: the array.
      dimensions: the axes.
    Returns:
      A `BCOO` of the same shape.
    Raises:
      TypeError: an axis is not one of the array.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_rev(sparse.eye(2), (0,)).todense()
    Array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
def bcoo_slice(mat: BCOO, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None) -> BCOO:
    """Return a part of the array, as `lax.slice`.

    Args:
      mat: the array.
      start_indices, limit_indices: the first position along each axis, and the one behind the last.
      strides: the distance of two positions; default 1.
    Returns:
      A `BCOO` of the part.
    Raises:
      TypeError: the array is not a BCOO array.
      ValueError: the part is not one of the array.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_slice(sparse.eye(3), start_indices=(0, 1), limit_indices=(3, 3)).todense()
    Array([[0., 0.],
           [1., 0.],
           [0., 1.]], dtype=float32)
    """
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
from adjoint.lax import bcoo_sort_indices_p as bcoo_sort_indices_p
from adjoint.lax import bcoo_spdot_general_p as bcoo_spdot_general_p
def bcoo_squeeze(arr: BCOO, *, dimensions: Sequence[int]) -> BCOO:
    """Return the array without axes of size 1.

    Args:
      arr: the array.
      dimensions: the axes.
    Returns:
      A `BCOO` without these axes.
    Raises:
      ValueError: an axis is longer.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_squeeze(sparse.eye(1, 3), dimensions=(0,)).shape
    (3,)
    """
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
from adjoint.lax import bcoo_sum_duplicates_p as bcoo_sum_duplicates_p
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
from adjoint.lax import bcoo_todense_p as bcoo_todense_p
def bcoo_transpose(mat: BCOO, *, permutation: Sequence[int]) -> BCOO:
    """Return the array with its axes in another order; batch, sparse and dense axes stay among themselves.

    Args:
      mat: the array.
      permutation: the order of the axes.
    Returns:
      A `BCOO` whose axis i is axis `permutation[i]`.
    Raises:
      NotImplementedError: the permutation takes an axis to those of another kind.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_transpose(sparse.eye(2, 3), permutation=(1, 0))
    BCOO(float32[3, 2], nse=2)
    """
from adjoint.lax import bcoo_transpose_p as bcoo_transpose_p
def bcoo_update_layout(mat: BCOO, *, n_batch: int | None = None, n_dense: int | None = None, on_inefficient: str | None = 'error') -> BCOO:
    """Return the same array with other numbers of batch and dense axes.

    Args:
      mat: the array.
      n_batch: of batch axes; default, as it is.
      n_dense: of dense axes; default, as it is.
      on_inefficient: what to do if the result takes more space than is needed: "error", "warn" or None.
    Raises:
      SparseEfficiencyError: the result would take more space than is needed.
      ValueError: there are not so many axes, or there is no such `on_inefficient`.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_update_layout(sparse.eye(3, n_batch=1), n_batch=0)
    BCOO(float32[3, 3], nse=3)
    """
from adjoint.experimental.sparse import bcsr as bcsr
def bcsr_broadcast_in_dim(mat: BCSR, *, shape: Sequence[int], broadcast_dimensions: Sequence[int], sharding: Any = None) -> BCSR:
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
def bcsr_dot_general(lhs: BCSR | Array, rhs: Array, *, dimension_numbers: Any, precision: None = None, preferred_element_type: None = None, out_sharding: Any = None) -> Array:
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
from adjoint.lax import bcsr_dot_general_p as bcsr_dot_general_p
def bcsr_extract(indices: Any, indptr: Any, mat: Any) -> Array:
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
from adjoint.lax import bcsr_extract_p as bcsr_extract_p
def bcsr_fromdense(mat: Any, *, nse: int | None = None, n_batch: int = 0, n_dense: int = 0, index_dtype: Any = ...) -> BCSR:
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
from adjoint.lax import bcsr_fromdense_p as bcsr_fromdense_p
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
from adjoint.lax import bcsr_todense_p as bcsr_todense_p
from adjoint.experimental.sparse import coo as coo
def coo_fromdense(mat: Array, *, nse: int | None = None, index_dtype: Any = ...) -> COO:
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
from adjoint.lax import coo_fromdense_p as coo_fromdense_p
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
from adjoint.lax import coo_matmat_p as coo_matmat_p
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
from adjoint.lax import coo_matvec_p as coo_matvec_p
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
from adjoint.lax import coo_todense_p as coo_todense_p
from adjoint.experimental.sparse import csr as csr
def csr_fromdense(mat: Array, *, nse: int | None = None, index_dtype: Any = ...) -> CSR:
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
from adjoint.lax import csr_fromdense_p as csr_fromdense_p
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
from adjoint.lax import csr_matmat_p as csr_matmat_p
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
from adjoint.lax import csr_matvec_p as csr_matvec_p
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
from adjoint.lax import csr_todense_p as csr_todense_p
def empty(shape: Sequence[int], dtype: Any = None, index_dtype: Any = 'int32', sparse_format: str = 'bcoo', **kwds: Any) -> JAXSparse:
    """Return a sparse array without elements.

    Args:
      shape, dtype: of the array.
      index_dtype: of its indices.
      sparse_format: "bcoo", "coo", "csr", "csc" or "bcsr".
      **kwds: of the format: for "bcoo", `nse`, `n_batch` and `n_dense`.
    Raises:
      KeyError: there is no such format.

    >>> from adjoint.experimental import sparse
    >>> sparse.empty((2, 3))
    BCOO(float32[2, 3], nse=0)
    """
def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None, index_dtype: Any = 'int32', sparse_format: str = 'bcoo', **kwds: Any) -> JAXSparse:
    """Return the sparse matrix with ones on a diagonal.

    Args:
      N, M: the number of rows, and of columns; default, the same.
      k: which diagonal, above the main one if it is positive.
      dtype: of the elements.
      index_dtype: of the indices.
      sparse_format: "bcoo", "coo", "csr" or "csc".
      **kwds: of the format: for "bcoo", `n_batch` and `n_dense`.
    Raises:
      KeyError: there is no such format.

    >>> from adjoint.experimental import sparse
    >>> sparse.eye(2, 3, k=1).todense()
    Array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float32)
    """
def grad(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: Any = False, **kwargs: Any) -> Callable[..., Any]:
    """Return the gradient of `fun`, as a function; that by a sparse array has the same indices.

    Args:
      fun: returns a real scalar, or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      **kwargs: those of `jax.grad`.
    Raises:
      TypeError: the result is no scalar, or an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> sparse.grad(lambda x: (x @ jnp.arange(2.)).sum())(sparse.eye(2))
    BCOO(float32[2, 2], nse=2)
    """
def jacfwd(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs: Any) -> Callable[..., Any]:
    """Return the Jacobian of `fun`, by forward mode; that by a sparse array has batch axes for those of the result.

    Args:
      fun: returns an array, or (array, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      **kwargs: those of `jax.jacfwd`.
    Raises:
      TypeError: an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> sparse.jacfwd(lambda x: x @ jnp.ones(2))(sparse.eye(2))
    BCOO(float32[2, 2, 2], nse=2, n_batch=1)
    """
from adjoint.experimental.sparse import jacrev as _jacobian
jacobian = _jacobian
def jacrev(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False, **kwargs: Any) -> Callable[..., Any]:
    """Return the Jacobian of `fun`, by reverse mode; that by a sparse array has batch axes for those of the result.

    Args:
      fun: returns an array, or (array, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair, of which the second is passed on.
      **kwargs: those of `jax.jacrev`.
    Raises:
      TypeError: an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> sparse.jacrev(lambda x: x @ jnp.ones(2))(sparse.eye(2))
    BCOO(float32[2, 2, 2], nse=2, n_batch=1)
    """
from adjoint.experimental.sparse import linalg as linalg
from adjoint.experimental.sparse import random as random
def random_bcoo(key: Any, shape: Sequence[int], *, dtype: Any = ..., indices_dtype: Any = None, nse: int | float = 0.2, n_batch: int = 0, n_dense: int = 0, unique_indices: bool = True, sorted_indices: bool = False, generator: Callable[..., Any] = ..., **kwds: Any) -> BCOO:
    """Return a sparse array with random elements at random places.

    Args:
      key: a random key.
      shape, dtype: of the array.
      indices_dtype: of the indices; default, an integer dtype.
      nse: the number of specified elements in each batch, or, below 1, their share of all.
      n_batch, n_dense: the numbers of batch and of dense axes.
      unique_indices: no index occurs twice in a batch.
      sorted_indices: the indices are in order.
      generator: `(key, shape, dtype, **kwds) -> array`, of the elements.
      **kwds: further arguments of the generator.
    Raises:
      ValueError: there are not so many axes, or not so many elements.

    >>> from adjoint.experimental import sparse
    >>> sparse.random_bcoo(random.key(0), (3, 4), nse=2, dtype=jnp.float32)
    BCOO(float32[3, 4], nse=2)
    """
def sparsify(f: Callable[..., Any], use_tracer: bool = False) -> Callable[..., Any]:
    """Return `f`, written for dense arrays, as a function that also takes and returns `BCOO` and `BCSR` arrays.

    Args:
      f: of arrays or trees of arrays. Operations that keep zeros, linear ones and control flow have rules.
      use_tracer: run each operation when it is met, rather than trace the function before.
    Raises:
      NotImplementedError: an operation has no rule for sparse operands, maybe since its result would be dense.

    >>> from adjoint.experimental import sparse
    >>> f = sparse.sparsify(lambda x, y: jnp.sin(x) @ y)
    >>> f(sparse.eye(3), jnp.ones(3)).round(3)
    Array([0.841, 0.841, 0.841], dtype=float32)
    """
def todense(arr: JAXSparse | Array) -> Array:
    """Return a sparse array, or a dense one, as a dense array. Under `sparsify`, that of a sparse value.

    Args:
      arr: the array.
    Returns:
      An array of its shape and dtype.
    Raises:
      TypeError: `arr` is neither sparse, nor an array or number.

    >>> from adjoint.experimental import sparse
    >>> sparse.todense(sparse.eye(2))
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
from adjoint.lax import todense_p as todense_p
from adjoint.experimental.sparse import transform as transform
from adjoint.experimental.sparse import util as util
def value_and_grad(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: Any = False, **kwargs: Any) -> Callable[..., tuple[Any, Any]]:
    """Return a function of the value of `fun` and its gradient; that by a sparse array has the same indices.

    Args:
      fun: returns a real scalar, or (scalar, auxiliary data) with `has_aux`.
      argnums: the positional argument to differentiate, a dense or a sparse array; or a sequence of them.
      has_aux: `fun` returns a pair; the value is then that pair.
      **kwargs: those of `jax.value_and_grad`.
    Raises:
      TypeError: the result is no scalar, or an argument to be differentiated holds no floats.

    >>> from adjoint.experimental import sparse
    >>> value, g = sparse.value_and_grad(lambda x: (x @ jnp.arange(2.)).sum())(sparse.eye(2))
    >>> value, g.data
    (Array(1., dtype=float32), Array([0., 1.], dtype=float32))
    """
