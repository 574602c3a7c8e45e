"""Methods of arrays that are not simply the function of the same name."""

from __future__ import annotations

from .. import lax
from ..core.errors import message
from ..prims.shape import transpose as transpose_p
from . import shapes, ufuncs
from .reductions import any as any_


def reshape(self, *args, order="C", copy=None, out_sharding=None):
    """The elements in another shape: ``x.reshape(2, -1)`` or ``x.reshape((2, -1))``."""
    shape = args[0] if len(args) == 1 else args
    return shapes.reshape(self, shape, order)


def transpose(self, *args):
    """The axes in another order: ``x.transpose(1, 0)``, ``x.transpose((1, 0))``; reversed without."""
    axes = None if not args or args[0] is None else args[0] if len(args) == 1 else args
    return shapes.transpose(self, (axes,) if isinstance(axes, int) else axes)


def transposed(self):
    """The axes in reverse order."""
    if self.ndim < 2:
        return self
    return transpose_p(self, permutation=tuple(range(self.ndim)[::-1]))


def matrix_transposed(self):
    """The last two axes exchanged."""
    return shapes.matrix_transpose(self)


def flatten(self, order="C", *, out_sharding=None):
    """The elements as one axis."""
    return shapes.ravel(self, order)


def flat(self):
    """An iterator over the elements is not there: arrays are immutable."""
    raise NotImplementedError(
        message("JAX Arrays do not implement the arr.flat property.", fix="x.ravel(), or x.tolist()")
    )


def view(self, dtype=None, type=None):
    """The same bits with another dtype; the last axis changes length with the size of an element."""
    if type is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    return ufuncs.bit_view(self, dtype)


def byteswap(self, inplace=False):
    """The bytes of each element reversed."""
    if inplace:
        raise NotImplementedError("byteswap: arrays are immutable. Try: x = x.byteswap()")
    size = self.dtype.itemsize
    if size == 1:
        return self
    parts = lax.bitcast_convert_type(self, "uint8")
    return lax.bitcast_convert_type(lax.rev(parts, (parts.ndim - 1,)), self.dtype)


def contains(self, value) -> bool:
    """Whether any element equals `value`."""
    return bool(any_(ufuncs.equal(self, value)))


def namespace(self, /, *, api_version=None):
    """The module with the functions of the array API standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        raise ValueError(f"api_version={api_version!r} is not available; try '2024.12'")
    from .. import numpy

    return numpy
