"""`BCOO`: a sparse array as a list of elements and their indices, with batch and dense axes.

Its methods are defined where the functions are that they call, and made members by `member`.

Tests: `tests/experimental/sparse/test_formats.py`.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .... import numpy as jnp
from ....core.types import Array
from ....transforms.vmappable import register_vmappable
from ....tree_util import register_pytree_node_class
from ..base import Facts, JAXSparse, SparseInfo
from .properties import check_buffers

__all__ = ["BCOO", "member"]


@register_pytree_node_class
class BCOO(JAXSparse):
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

    data: Any
    indices: Any
    indices_sorted: bool
    unique_indices: bool

    nse = property(lambda self: self.indices.shape[-2], doc="Return the number of specified elements of a batch.")
    dtype = property(lambda self: self.data.dtype, doc="Return the dtype of the elements.")
    n_batch = property(lambda self: self.indices.ndim - 2, doc="Return the number of batch axes.")
    n_sparse = property(lambda self: self.indices.shape[-1], doc="Return the number of sparse axes.")
    n_dense = property(
        lambda self: self.data.ndim - 1 - self.n_batch, doc="Return the number of dense axes."
    )
    _info = property(lambda self: SparseInfo(self.shape, self.indices_sorted, self.unique_indices))

    def __init__(
        self, args: tuple[Array, Array], *, shape: Sequence[int], indices_sorted: bool = False,
        unique_indices: bool = False,
    ):
        data, indices = args
        self.data, self.indices = jnp.asarray(data), jnp.asarray(indices)
        self.indices_sorted, self.unique_indices = indices_sorted, unique_indices
        super().__init__((self.data, self.indices), shape=tuple(shape))
        check_buffers(self.data, self.indices, self.shape)

    def _facts(self) -> str:
        return "".join([f", {n}={getattr(self, n)}" for n in ("n_batch", "n_dense") if getattr(self, n)])

    def tree_flatten(self):
        """Return (data, indices), and the shape with what is known of the indices."""
        return (self.data, self.indices), Facts(self._info._asdict())

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        """Return the array that `tree_flatten` took apart, maybe with other buffers."""
        x = object.__new__(cls)
        x.data, x.indices = children
        if aux_data.keys() != {"shape", "indices_sorted", "unique_indices"}:
            raise ValueError(f"BCOO.tree_unflatten: invalid {aux_data=}")
        vars(x).update(aux_data)
        return x

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


def _to_elt(cont, get_index, x: BCOO, axis) -> BCOO:
    if axis is None:
        return x
    if axis >= x.n_batch:
        raise ValueError(
            f"Cannot map in_axis={axis} for BCOO array with n_batch={x.n_batch}. in_axes for batched BCOO operations "
            "must correspond to a batch dimension."
        )
    n = x.shape[axis]
    whole = [jnp.repeat(v, n, axis) if v.shape[axis] != n else v for v in (x.data, x.indices)]
    return BCOO(
        tuple([cont(v, axis) for v in whole]), shape=(*x.shape[:axis], *x.shape[axis + 1 :]),
        indices_sorted=x.indices_sorted, unique_indices=x.unique_indices,
    )


def _from_elt(cont, axis_size, x: BCOO, axis) -> BCOO:
    if axis is None:
        return x
    if axis > x.n_batch:
        raise ValueError(
            f"BCOO: cannot add out_axis={axis} for BCOO array with n_batch={x.n_batch}. BCOO batch axes must be a "
            "contiguous block of leading dimensions."
        )
    return BCOO(
        tuple([cont(axis_size, v, axis) for v in (x.data, x.indices)]),
        shape=(*x.shape[:axis], axis_size, *x.shape[axis:]), indices_sorted=x.indices_sorted,
        unique_indices=x.unique_indices,
    )


register_vmappable(BCOO, int, int, _to_elt, _from_elt, None)
