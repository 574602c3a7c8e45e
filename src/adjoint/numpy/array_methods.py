"""Methods of arrays that are not simply the function of the same name."""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.errors import message
from ..prims.shape import transpose as transpose_p
from . import diagonals, shapes, ufuncs
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


def clip(self, min=None, max=None):
    """The elements between two bounds; see `jnp.clip`."""
    return ufuncs.clip(self, min=min, max=max)


def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum of the diagonal over two axes; see `jnp.trace`."""
    return diagonals.trace(self, offset, axis1, axis2, dtype, out)


def flat(self):
    """An iterator over the elements is not there: arrays are immutable."""
    raise NotImplementedError(
        message("JAX Arrays do not implement the arr.flat property.", fix="x.ravel(), or x.tolist()")
    )


def view(self, dtype=None, type=None):
    """The same bits with another dtype; the last axis changes length with the size of an element."""
    if type is not None:
        raise NotImplementedError("`type` argument of array.view() is not supported.")
    if dtype is None:
        return self
    dtype = dtypes.check_user_dtype_supported(dtype, "view")
    if self.dtype == dtype:
        return self
    own, new = self.dtype.itemsize, dtype.itemsize
    if own != new and not self.ndim:
        raise ValueError(
            "Changing the dtype of a 0d array is only supported if the itemsize is unchanged."
        )
    bits = _as_real(self)
    target = _real_dtype(dtype)
    size, wanted = bits.dtype.itemsize, target.itemsize
    if size < wanted:
        if bits.shape[-1] % (wanted // size):
            raise ValueError(
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes "
                "of the last axis of the array."
            )
        bits = lax.reshape(bits, (*bits.shape[:-1], bits.shape[-1] * size // wanted, wanted // size))
    out = lax.bitcast_convert_type(bits, target)
    if size > wanted:
        out = lax.collapse(out, out.ndim - 2)
    return _from_real(out, dtype)


def _real_dtype(dtype):
    """The dtype of numbers with the bits of a dtype: bools are bytes, complex numbers are two floats."""
    if dtype == np.bool_:
        return dtypes.uint8
    return dtypes.to_real_dtype(dtype) if dtype.kind == "c" else dtype


def _as_real(x):
    if x.dtype.kind != "c":
        return x.astype(_real_dtype(x.dtype))
    parts = lax.concatenate([lax.expand_dims(part(x), (-1,)) for part in (lax.real, lax.imag)], x.ndim)
    return lax.collapse(parts, x.ndim - 1) if x.ndim else parts


def _from_real(x, dtype):
    if dtype.kind != "c":
        return x.astype(dtype)
    pairs = lax.reshape(x, (*x.shape[:-1], x.shape[-1] // 2, 2))
    return lax.complex(pairs[..., 0], pairs[..., 1])


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
    """Whether any element of an array with one axis equals `value`."""
    if self.ndim != 1:
        raise ValueError(
            f"Array.__contains__: search array must be one-dimensional, got arr.shape={self.shape}.\n"
            "  Try: (x == value).any()"
        )
    return bool(any_(ufuncs.equal(self, value)))


def namespace(self, /, *, api_version=None):
    """The module with the functions of the array API standard."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        raise ValueError(f"api_version={api_version!r} is not available; try '2024.12'")
    from .. import numpy

    return numpy
