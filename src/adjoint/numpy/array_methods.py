"""Methods of arrays that are not simply the function of the same name.

Tests: `tests/array/test_members.py`.
"""

from __future__ import annotations

import sys

import numpy as np

from .. import lax, numpy
from ..array.sharded_array import move_array
from ..core import dtypes
from ..core.messages.errors import message
from ..core.trace import Tracer
from ..core.types import Array
from ..engines.placed.device_put import target_of
from ..prims.shape import transpose as transpose_p
from . import conversion, diagonals, moments, products, searching, shapes, sorting, ufuncs
from .promotion import check_arraylike
from .reductions import any as any_


def reshape(self, *args, order="C", out_sharding=None):
    """Return the elements in another shape.

    Args:
      args: the shape, as a tuple or as several ints; -1 for a length that follows from the others.
      order: "C", where the last axis changes first, or "F".
      out_sharding: sharding of the result over a mesh of explicit axes.
    Raises:
      TypeError: the shape has another number of elements.

    >>> jnp.arange(4).reshape(2, -1)
    Array([[0, 1],
           [2, 3]], dtype=int32)
    """
    shape = args[0] if len(args) == 1 else args
    return shapes.reshape(self, shape, order, out_sharding=out_sharding)


def transpose(self, *args):
    """Return the axes in another order, by default in reverse.

    Args:
      args: the axes in their new order, as a tuple or as several ints.
    """
    axes = None if not args or args[0] is None else args[0] if len(args) == 1 else args
    return shapes.transpose(self, (axes,) if isinstance(axes, int) else axes)


def transposed(self):
    """Return the axes in reverse order."""
    if self.ndim < 2:
        return self
    return transpose_p(self, permutation=tuple(range(self.ndim)[::-1]))


def matrix_transposed(self):
    """Return the last two axes exchanged."""
    return shapes.matrix_transpose(self)


def flatten(self, order="C", *, out_sharding=None):
    """Return the elements as one axis.

    Args:
      order: "C", where the last axis changes first, or "F".
      out_sharding: sharding of the result over a mesh of explicit axes.
    """
    return shapes.ravel(self, order)


def astype(self, dtype, copy=False, device=None):
    """Return the elements in another dtype.

    Args:
      dtype: the dtype.
      copy: return a copy even where the dtype is the same.
      device: where the result is to be; default, where the array is.

    >>> jnp.array([1.9, -1.9]).astype(int)
    Array([ 1, -1], dtype=int32)
    """
    return conversion.astype(self, dtype, copy=copy, device=device)


def compress(self, condition, axis=None, *, out=None, size=None, fill_value=0):
    """Return the parts along an axis where a condition holds.

    Args:
      condition: bools `[n]`, from the start of the axis.
      axis: which axis; default, that of the flat array.
      out: not supported.
      size: how many parts; inside of `jit` it must be given.
      fill_value: what stands for no part, where `size` is more than there are.
    """
    return searching.compress(condition, self, axis, size=size, fill_value=fill_value, out=out)


def copy(self):
    """Return a copy with memory of its own."""
    return conversion.copy(self)


def clip(self, min=None, max=None):
    """Return the elements, or the nearer bound for those outside of two bounds.

    Args:
      min: the lower bound, which broadcasts to the array; None for none.
      max: the upper bound, likewise.
    """
    return ufuncs.clip(self, min=min, max=max)


def argsort(self, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    """Return the indices that sort the elements along an axis, as integers of the array's shape.

    Args:
      axis: which axis; None for the flat array.
      kind: not supported.
      order: not supported.
      stable: keep the order of equal elements.
      descending: the greatest first.
    """
    return sorting.argsort(self, axis, kind=kind, order=order, stable=stable, descending=descending)


def dot(self, b, *, precision=None, preferred_element_type=None):
    """Return the dot product with another array, as `jnp.dot`.

    Args:
      b: array.
      precision: of the products, for accelerators.
      preferred_element_type: dtype of the sums and the result.
    """
    return products.dot(self, b, precision=precision, preferred_element_type=preferred_element_type)


def nonzero(self, *, fill_value=None, size=None):
    """Return the indices of elements that are not zero, an array for each axis.

    Args:
      fill_value: the index that stands for no element, where `size` is more than there are.
      size: how many indices; inside of `jit` it must be given.

    >>> jnp.array([0, 5, 6]).nonzero()
    (Array([1, 2], dtype=int32),)
    """
    return searching.nonzero(self, size=size, fill_value=fill_value)


def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=None):
    """Return the standard deviation over axes.

    Args:
      axis: int or tuple; None for all.
      dtype: of the result.
      out: not supported.
      ddof: is subtracted from the number of elements in the divisor.
      keepdims: keep the axes with length 1.
      where: bools, which elements count.
      correction: another name of `ddof`.
    """
    return moments.std(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, correction=None):
    """Return the variance over axes.

    Args:
      axis: int or tuple; None for all.
      dtype: of the result.
      out: not supported.
      ddof: is subtracted from the number of elements in the divisor.
      keepdims: keep the axes with length 1.
      where: bools, which elements count.
      correction: another name of `ddof`.
    """
    return moments.var(self, axis, dtype, out, ddof, keepdims, where=where, correction=correction)


def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Return the sum of the diagonal over two axes.

    Args:
      offset: the diagonal, counted from the main one.
      axis1: the axis of the rows.
      axis2: the axis of the columns.
      dtype: of the sum.
      out: not supported.
    """
    return diagonals.trace(self, offset, axis1, axis2, dtype, out)


def flat(self):
    """An iterator over the elements is not there: arrays are immutable."""
    raise NotImplementedError(
        message(
            "JAX Arrays do not implement the arr.flat property: consider arr.flatten() instead.",
            fix="x.ravel(), or x.tolist()",
        )
    )


def view(self, dtype=None, type=None):
    """Return the same bits with another dtype; the last axis changes length with the size of an element.

    Args:
      dtype: the dtype; default, that of the array.
      type: not supported.
    """
    if type is not None:
        raise NotImplementedError(
            message(
                "`type` argument of array.view() is not supported.", why="A view reads the same bits as another dtype.",
                fix="x.reshape(shape) for another shape, x.view('int32') for another dtype",
            )
        )
    if dtype is None:
        return self
    dtype = dtypes.check_user_dtype_supported(dtype, "view")
    if self.dtype == dtype:
        return self
    own, new = dtypes.itemsize_bits(self.dtype), dtypes.itemsize_bits(dtype)
    if own != new and not self.ndim:
        raise ValueError(
            message(
                "view() of a 0d array is only supported if the itemsize is unchanged.",
                fix="x.ravel().view(dtype), or x.astype(dtype) for the value in another dtype",
            )
        )
    if own < new and self.shape[-1] * own % new:
        raise ValueError(
            message(
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes "
                "of the last axis of the array.",
                fix="x.astype(dtype), if the values are meant and not the bytes",
            )
        )
    bits = _as_real(self)
    target = _real_dtype(dtype)
    size, wanted = dtypes.itemsize_bits(bits.dtype), dtypes.itemsize_bits(target)
    if size < wanted:
        bits = lax.reshape(bits, (*bits.shape[:-1], bits.shape[-1] * size // wanted, wanted // size))
    out = lax.bitcast_convert_type(bits, target)
    if size > wanted:
        out = lax.collapse(out, out.ndim - 2)
    return _from_real(out, dtype)


def _real_dtype(dtype):
    """Return the dtype of numbers with the bits of a dtype: bools are bytes, complex numbers are two floats."""
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


def byteswap(self):
    """Return the bytes of each element reversed; of a complex number, those of each part."""
    if self.dtype.itemsize == 1:
        return self
    if self.dtype.kind == "c":
        return lax.complex(byteswap(lax.real(self)), byteswap(lax.imag(self)))
    parts = lax.bitcast_convert_type(self, "uint8")
    return lax.bitcast_convert_type(lax.rev(parts, (parts.ndim - 1,)), self.dtype)


def to_device(self, device, *, stream=None):
    """Return the array on a device, or divided as a sharding says; see `jax.device_put`.

    Args:
      device: a device or a sharding; None leaves the array where it is.
      stream: must be None.
    Raises:
      NotImplementedError: a stream is given.
    """
    if stream is not None:
        raise NotImplementedError(message("stream argument of array.to_device()", fix="x.to_device(device)"))
    if device is None:
        return self
    return self._put(device) if isinstance(self, Tracer) else move_array(self, target_of(device))


def contains(self, other) -> bool:
    """Return whether any element of an array with one axis equals `other`."""
    check_arraylike("Array.__contains__", other)
    if np.ndim(other):
        raise ValueError(
            f"Array.__contains__: query value must be a scalar, got query.shape={np.shape(other)}\n"
            "  Try: jnp.isin(query, x), or (x == query).any()"
        )
    if self.ndim != 1:
        raise ValueError(
            f"Array.__contains__: search array must be one-dimensional, got arr.shape={self.shape}.\n"
            "  Try: (x == value).any()"
        )
    return bool(any_(ufuncs.equal(self, other)))


def namespace(self, /, *, api_version=None):
    """The module with the functions of the array API standard."""
    if api_version not in (None, "2024.12"):
        raise ValueError(f"{api_version=} is not available; available versions are: ['2024.12']")
    return sys.modules.get(numpy.__name__, numpy)  # `jax.numpy` in a program that has it


def module(self, types):
    """The module with NumPy's functions on these types of arrays (NEP 37), or NotImplemented."""
    if not all(issubclass(t, (Array, np.ndarray)) for t in types):
        return NotImplemented
    return namespace(self)
