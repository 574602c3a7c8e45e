"""The base of sparse arrays: their operators, how they are printed, and what is known of their indices.

Tests: `tests/experimental/sparse/test_formats.py`.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...array.array import ArrayImpl
from ...core.types import Array

__all__ = [
    "COOInfo", "CuSparseEfficiencyWarning", "JAXSparse", "SparseEfficiencyError", "SparseEfficiencyWarning",
    "SparseInfo",
]


class SparseEfficiencyError(ValueError):
    """A sparse array would be stored in a way that takes more space than it needs.

    Causes:
      `n_batch` or `n_dense` grows              keep them as they are
      the space does not matter                 `bcoo_update_layout(..., on_inefficient="warn")`
    """


class SparseEfficiencyWarning(UserWarning):
    """The same, where it was asked for."""


class CuSparseEfficiencyWarning(SparseEfficiencyWarning):
    """A product that the library of a GPU could compute takes a slower way. No engine here gives it."""


class SparseInfo(NamedTuple):
    """The shape of a sparse array, and what is known of its indices."""

    shape: tuple[int, ...]
    indices_sorted: bool = False
    unique_indices: bool = False


class COOInfo(NamedTuple):
    """The same of a `COO` matrix."""

    shape: tuple[int, ...]
    rows_sorted: bool = False
    cols_sorted: bool = False


class Facts(dict):
    """The facts of a sparse array beside its buffers, by name, as a part of a tree's structure."""

    def __hash__(self):  # type: ignore[override]
        return hash(tuple(self.items()))


class JAXSparse(abc.ABC):
    """A sparse array: buffers, among them `data`, and a shape. The base of `BCOO`, `BCSR`, `COO`, `CSR` and `CSC`.

    >>> from adjoint.experimental import sparse
    >>> isinstance(sparse.eye(3), sparse.JAXSparse)
    True
    """

    data: Any
    shape: tuple[int, ...]

    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 100

    def __init__(self, args: tuple[Array, ...], *, shape: Sequence[int]):
        self.shape = tuple(shape)

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
        """Return the array that `tree_flatten` took apart, maybe with other buffers."""

    @abc.abstractmethod
    def transpose(self, axes=None):
        """Return the array with its axes in another order."""

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
        """Return the sum over all axes or some."""
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


def as_index_dtype(index_dtype) -> np.dtype:
    """The dtype of indices; one that holds no integers is an error."""
    dtype = np.dtype(index_dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"index_dtype must be an integer dtype; got {dtype}.\n  Try: index_dtype=jnp.int32")
    return dtype
