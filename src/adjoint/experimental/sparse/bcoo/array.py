"""`BCOO`: a sparse array as a list of elements and their indices, with batch and dense axes.

Its methods are defined where the functions are that they call, and made members by `member`.

Tests: `tests/experimental/sparse/test_formats.py`.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....core.types import Array
from ....tree_util import register_pytree_node_class
from .._base import BatchedSparse, register_batched
from .properties import check_buffers

__all__ = ["BCOO", "member"]


@register_pytree_node_class
class BCOO(BatchedSparse):
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

    _buffers = "data", "indices"

    nse = property(lambda self: self.indices.shape[-2], doc="Return the number of specified elements of a batch.")
    n_batch = property(lambda self: self.indices.ndim - 2, doc="Return the number of batch axes.")
    n_sparse = property(lambda self: self.indices.shape[-1], doc="Return the number of sparse axes.")

    def _check(self) -> None:
        check_buffers(self.data, self.indices, self.shape)

    if TYPE_CHECKING:
        fromdense: Any
        from_scipy_sparse: Any
        sort_indices: Any
        sum_duplicates: Any
        update_layout: Any
        astype: Any
        reshape: Any
        def transpose(self, axes: Any = None) -> BCOO: ...
        def todense(self) -> Array: ...


def member(fun: Callable, name: str | None = None) -> Callable:
    """Make a function a member of `BCOO`, or a class method: it stands where what it calls is."""
    plain = getattr(fun, "__func__", fun)
    name = name or plain.__name__
    if plain.__name__ == name:
        plain.__qualname__ = f"BCOO.{name}"
    setattr(BCOO, name, fun)
    abc.update_abstractmethods(BCOO)
    return fun


register_batched(BCOO)
