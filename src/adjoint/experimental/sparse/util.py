"""Parts that all formats of sparse arrays share: errors, facts about indices, rows of compressed ones, counts, batches.

Tests: `tests/experimental/sparse/test_util.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ... import lax
from ... import numpy as jnp
from ...api_util import flatten_axes
from ...core.messages.boundaries import explain_missing as _explain_missing
from ...core.messages.errors import message
from ...core.process.records import NamedTuple
from ...transforms.vmap import vmap
from ...tree_util import tree_flatten, tree_unflatten

__all__ = [
    "CuSparseEfficiencyWarning", "SparseEfficiencyError", "SparseEfficiencyWarning", "SparseInfo",
    "broadcasting_vmap", "nfold_vmap",
]


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


class CuSparseEfficiencyWarning(SparseEfficiencyWarning):
    """A product that the library of a GPU could compute takes a slower way. No engine here gives it.

    >>> from adjoint.experimental import sparse
    >>> issubclass(sparse.CuSparseEfficiencyWarning, sparse.SparseEfficiencyWarning)
    True
    """


class SparseInfo(NamedTuple):
    """The shape of a sparse array, and what is known of its indices.

    Args:
      shape: of the array.
      indices_sorted: whether they are in lexicographic order.
      unique_indices: whether none comes twice.

    >>> SparseInfo((2, 3), indices_sorted=True)
    SparseInfo(shape=(2, 3), indices_sorted=True, unique_indices=False)
    """

    shape: tuple[int, ...]
    indices_sorted: bool = False
    unique_indices: bool = False


def rows_of(indptr, nse: int):
    """Return the row of each element; that of elements after the last row, or before the first, is beyond all."""
    n = indptr.shape[0] - 1
    begins = jnp.zeros(nse + 1, jnp.int32).at[indptr].add(jnp.ones((), jnp.int32), mode="drop")
    rows = jnp.cumsum(begins, dtype=jnp.int32)[:nse] - 1
    return jnp.where(rows < 0, n, rows).astype(indptr.dtype)


def count_stored(mat, n_batch: int = 0, n_dense: int = 0):
    """Return how many elements a sparse array of a dense one has to specify: the most of any batch."""
    counts = count_stored_per_batch(mat, n_batch, n_dense)
    return counts.max() if counts.size else 0


def count_stored_per_batch(mat, n_batch: int = 0, n_dense: int = 0):
    """Return how many elements of each batch a sparse array of a dense one has to specify."""
    mask = is_stored(mat, n_dense)
    return mask.sum(tuple(range(n_batch, mask.ndim)), dtype=jnp.int32)


def is_stored(mat, n_dense: int):
    """Return where a dense array has elements, or dense parts, that are not zero."""
    mask = mat != jnp.zeros((), mat.dtype)
    return mask.any(tuple(range(mask.ndim - n_dense, mask.ndim))) if n_dense else mask


def broadcasting_vmap(fun: Callable, in_axes: Any = 0, out_axes: Any = 0) -> Callable:
    """Return `vmap` of a function in which an argument of size 1 along its axis stands for all.

    Args:
      fun: a function of arrays.
      in_axes: the axis of each argument, as of `vmap`.
      out_axes: the axis of the results.

    Raises:
      ValueError: two sizes differ and neither is 1.

    >>> broadcasting_vmap(jnp.dot)(jnp.ones((1, 2)), jnp.ones((3, 2)))
    Array([2., 2., 2.], dtype=float32)
    """

    @functools.wraps(fun)
    def batched(*args):
        leaves, tree = tree_flatten(args)
        axes = flatten_axes("broadcasting_vmap in_axes", tree, in_axes)
        sizes = {x.shape[axis] for x, axis in zip(leaves, axes) if axis is not None}
        if len(sizes) < 2:
            return vmap(fun, in_axes, out_axes)(*args)
        if len(sizes - {1}) > 1:
            raise ValueError(
                message(
                    "broadcasting_vmap: mismatched input shapes",
                    why=f"Arguments have the sizes {sorted(sizes)} along the axes that are mapped.",
                    fix="arguments whose axis has one of these sizes, or 1",
                )
            )
        for i, (x, axis) in enumerate(zip(leaves, axes)):
            if axis is not None and x.shape[axis] == 1:
                leaves[i], axes[i] = lax.squeeze(x, (axis,)), None
        return vmap(fun, tuple(tree_unflatten(tree, axes)), out_axes)(*tree_unflatten(tree, leaves))

    return batched


def nfold_vmap(fun: Callable, N: int, *, broadcasted: bool = True, in_axes: Any = 0) -> Callable:
    """Return `vmap` of `vmap` of a function, `N` times.

    Args:
      fun: a function of arrays.
      N: how many axes are mapped.
      broadcasted: whether an argument of size 1 along an axis stands for all; see `broadcasting_vmap`.
      in_axes: the axis of each argument, each time.

    >>> nfold_vmap(jnp.add, 2)(jnp.ones((1, 2)), jnp.ones((2, 2)))
    Array([[2., 2.],
           [2., 2.]], dtype=float32)
    """
    for _ in range(N):
        fun = (broadcasting_vmap if broadcasted else vmap)(fun, in_axes=in_axes)
    return fun


def _coo_extract(row, col, mat):
    """Return the elements of a matrix at these rows and columns."""
    return mat[row, col]


def _csr_to_coo(indices, indptr):
    """Return the rows and columns of elements that are compressed by rows."""
    return rows_of(indptr, indices.shape[0]), indices


def _csr_extract(indices, indptr, mat):
    """Return the elements of a matrix at the places of one that is compressed by rows."""
    return _coo_extract(*_csr_to_coo(indices, indptr), mat)


# What JAX calls these, by which its users' tests import them.
_count_stored_elements, _count_stored_elements_per_batch = count_stored, count_stored_per_batch

_explain_missing(globals())
