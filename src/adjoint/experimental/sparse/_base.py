"""The base of sparse arrays: their operators and how they are printed.

Tests: `tests/experimental/sparse/test_formats.py`.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ... import numpy as jnp
from ...array.array import ArrayImpl
from ...core.messages.boundaries import explain_missing as _explain_missing
from ...core.types import Array
from ...lax.shape import canonical_shape
from ...transforms.vmappable import register_vmappable
from .util import SparseInfo

__all__ = ["BatchedSparse", "JAXSparse", "register_batched"]


class Facts(dict):
    """The facts of a sparse array beside its buffers, by name, as a part of a tree's structure."""

    def __hash__(self):  # type: ignore[override]
        return hash(tuple(self.items()))


class JAXSparse(abc.ABC):
    """A sparse array: buffers, among them `data`, and a shape. The base of `BCOO`, `BCSR`, `COO`, `CSR` and `CSC`.

    Args:
      args: a tuple of buffers.
      shape: the shape of the array.

    >>> from adjoint.experimental import sparse
    >>> isinstance(sparse.eye(3), sparse.JAXSparse)
    True
    """

    data: Any
    shape: tuple[int, ...]

    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 100

    def __init__(self, args: tuple[Array, ...], *, shape: Sequence[int]):
        self.shape = canonical_shape(shape)  # lengths may be integers of NumPy and of arrays

    nse = property(lambda self: self.data.size, doc="Return the number of specified elements.")
    dtype = property(lambda self: self.data.dtype, doc="Return the dtype of the elements.")
    size = property(lambda self: prod(self.shape), doc="Return the number of elements, specified or not.")
    ndim = property(lambda self: len(self.shape), doc="Return the number of axes.")
    T = property(lambda self: self.transpose(), doc="Return the transpose.")
    _bufs = property(lambda self: self.tree_flatten()[0])

    def block_until_ready(self):
        """Wait until the buffers have been computed; return the sparse array."""
        for buffer in self._bufs:
            buffer.block_until_ready()
        return self

    @abc.abstractmethod
    def tree_flatten(self):
        """Return the buffers, and what else the array is."""

    @classmethod
    @abc.abstractmethod
    def tree_unflatten(cls, aux_data, children):
        """Return the array that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the array is.
          children: the buffers.
        """

    @abc.abstractmethod
    def transpose(self, axes=None):
        """Return the array with its axes in another order.

        Args:
          axes: the axes of the array in their new order; default, reversed.
        """

    @abc.abstractmethod
    def todense(self) -> Array:
        """Return the dense array."""

    # ---- printing --------------------------------------------------------------------------------

    def _facts(self) -> str:
        """Return the rest of the printed form, after `nse`."""
        return ""

    def __repr__(self):
        name = type(self).__name__
        try:
            nse, dtype, shape = self.nse, self.dtype, list(self.shape)
        except Exception:
            return f"{name}(<invalid>)"
        text = f"{name}({dtype}{shape}, nse={nse}{self._facts()})"
        traced = [type(x).__name__ for x in self._bufs if isinstance(x, Array) and not isinstance(x, ArrayImpl)]
        return f"{traced[0]}[{text}]" if traced else text

    # ---- operators -------------------------------------------------------------------------------

    def __len__(self):
        return self.shape[0]

    def sum(self, *args, **kwargs):
        """Return the sum over all axes or some.

        Args:
          args: the axes, as of `jnp.sum`.
          kwargs: its other arguments.
        """
        raise _not_for(self, "sum")

    def __neg__(self):
        raise _not_for(self, "__neg__")

    def __pos__(self):
        raise _not_for(self, "__pos__")

    def __matmul__(self, other):
        raise _not_for(self, "__matmul__")

    def __rmatmul__(self, other):
        raise _not_for(self, "__rmatmul__")

    def __mul__(self, other):
        raise _not_for(self, "__mul__")

    def __rmul__(self, other):
        raise _not_for(self, "__rmul__")

    def __add__(self, other):
        raise _not_for(self, "__add__")

    def __radd__(self, other):
        raise _not_for(self, "__radd__")

    def __sub__(self, other):
        raise _not_for(self, "__sub__")

    def __rsub__(self, other):
        raise _not_for(self, "__rsub__")

    def __getitem__(self, item):
        raise _not_for(self, "__getitem__")


def _not_for(x: JAXSparse, name: str) -> NotImplementedError:
    return NotImplementedError(
        f"{type(x)}.{name} is not implemented.\n"
        "  Try: the same of a BCOO array, which has all operators, or of the dense array, `x.todense()`."
    )


class BatchedSparse(JAXSparse):
    """A sparse array with batch axes in front and dense ones behind, as `BCOO` and `BCSR` are.

    A subclass names its buffers, of which `data` is the first, and says how many batch axes its indices have.
    """

    indices: Any
    indices_sorted: bool
    unique_indices: bool
    _buffers: tuple[str, ...]

    n_batch: int
    n_dense = property(lambda self: self.data.ndim - 1 - self.n_batch, doc="Return the number of dense axes.")
    _info = property(lambda self: SparseInfo(self.shape, self.indices_sorted, self.unique_indices))

    def __init__(
        self, args: Sequence[Array], *, shape: Sequence[int], indices_sorted: bool = False,
        unique_indices: bool = False,
    ):
        for name, x in zip(self._buffers, args, strict=True):
            setattr(self, name, jnp.asarray(x))
        self.indices_sorted, self.unique_indices = indices_sorted, unique_indices
        super().__init__(self._bufs, shape=tuple(shape))
        self._check()

    _bufs = property(lambda self: tuple([getattr(self, name) for name in self._buffers]))

    @abc.abstractmethod
    def _check(self) -> None:
        """Raise the error of buffers that do not fit the shape."""

    def _facts(self) -> str:
        return "".join([f", {n}={getattr(self, n)}" for n in ("n_batch", "n_dense") if getattr(self, n)])

    def tree_flatten(self):
        """Return the buffers, and the shape with what is known of the indices."""
        return self._bufs, Facts(self._info._asdict())

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        """Return the array that `tree_flatten` took apart, maybe with other buffers.

        Args:
          aux_data: what else the array is.
          children: the buffers.
        """
        x = object.__new__(cls)
        vars(x).update(zip(cls._buffers, children, strict=True))
        if aux_data.keys() != set(SparseInfo._fields):
            raise ValueError(f"{cls.__name__}.tree_unflatten: invalid {aux_data=}")
        vars(x).update(aux_data)
        return x

    def _with(self, buffers, shape):
        """Return an array with these buffers, of whose indices the same is known."""
        return type(self)(
            tuple(buffers), shape=shape, indices_sorted=self.indices_sorted, unique_indices=self.unique_indices
        )


def _to_elt(cont, get_index, x: BatchedSparse, axis) -> BatchedSparse:
    if axis is None:
        return x
    if axis >= x.n_batch:
        name = type(x).__name__
        raise ValueError(
            f"Cannot map in_axis={axis} for {name} array with n_batch={x.n_batch}. in_axes for batched {name} "
            "operations must correspond to a batch dimension."
        )
    n = x.shape[axis]
    whole = [jnp.repeat(v, n, axis) if v.shape[axis] != n else v for v in x._bufs]
    return x._with([cont(v, axis) for v in whole], (*x.shape[:axis], *x.shape[axis + 1 :]))


def _from_elt(cont, axis_size, x: BatchedSparse, axis) -> BatchedSparse:
    if axis is None:
        return x
    if axis > x.n_batch:
        name = type(x).__name__
        raise ValueError(
            f"{name}: cannot add out_axis={axis} for {name} array with n_batch={x.n_batch}. {name} batch axes must be "
            "a contiguous block of leading dimensions."
        )
    return x._with([cont(axis_size, v, axis) for v in x._bufs], (*x.shape[:axis], axis_size, *x.shape[axis:]))


def register_batched(kind: type[BatchedSparse]) -> None:
    """Let `vmap` map arrays of a class over their batch axes.

    Args:
      kind: a subclass of `BatchedSparse`.
    """
    register_vmappable(kind, int, int, _to_elt, _from_elt, None)


def as_index_dtype(index_dtype) -> np.dtype:
    """Return the dtype of indices; one that holds no integers is an error."""
    dtype = np.dtype(index_dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"index_dtype must be an integer dtype; got {dtype}.\n  Try: index_dtype=jnp.int32")
    return dtype


_explain_missing(globals())
