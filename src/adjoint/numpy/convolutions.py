"""Convolution and correlation of sequences: `lax.conv_general_dilated` with one spatial axis."""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array
from ..prims.convolution_kernels import multiplies_padding
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import replayed
from . import ufuncs
from .axes import operand
from .promotion import check_arraylike, convert
from .rotations import flip

__all__ = ["convolve", "correlate"]

_STATIC = ("mode", "precision", "preferred_element_type")


@inner_jit(static_argnames=("name", *_STATIC))
def _conv(a, v, name, mode, precision, preferred_element_type):
    """Return products of one sequence with the windows of the other, the longer one."""
    dtype, weak = dtypes.lattice_result_type(a, v)
    if preferred_element_type is None or dtype == np.bool_:
        dtype = dtypes.to_inexact_dtype(dtype)
    a, v = (convert(operand(name, x), dtype, weak) for x in (a, v))
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(
            message(
                f"{name}() only support 1-dimensional inputs.",
                fix="jax.scipy.signal.convolve for several axes, jax.vmap(...) for rows",
            )
        )
    if not a.size or not v.size:
        raise ValueError(
            message(
                f"{name}: inputs cannot be empty, got shapes {a.shape} and {v.shape}.",
                fix="an array with an element at least, as jnp.ones(1)",
            )
        )
    swapped = a.shape[0] < v.shape[0]
    if name == "correlate":
        v = ufuncs.conj(v)
    if swapped:
        a, v = v, a
    if name == "convolve":
        v = flip(v)
    m = v.shape[0]
    pads = {"full": (m - 1, m - 1), "same": (m // 2, m - m // 2 - 1), "valid": (0, 0)}
    if mode not in pads:
        raise ValueError(
            message("mode must be one of ['full', 'same', 'valid']", fix="mode='same' for the length of the longer one")
        )
    a, v = (lax.broadcast_in_dim(x, (1, 1, x.shape[0]), (2,)) for x in (a, v))
    out = lax.conv_general_dilated(
        a, v, (1,), [pads[mode]], precision=precision, preferred_element_type=preferred_element_type
    )
    if swapped and name == "correlate":
        out = lax.rev(out, (2,))
    return lax.squeeze(out, (0, 1))


_MIN_ELEMENTS_TO_TRANSFORM = 256  # elements: from here on a Fourier transform may be faster than `np.convolve`


def _suits_numpy(a, v, mode, preferred_element_type) -> bool:
    """Return whether NumPy's function is fast and has the same values: it leaves out infinity times padding, NaN."""
    if a.dtype.char == "e" or preferred_element_type is not None:
        return False
    windows = v if a.size >= v.size else a
    is_left_out = mode != "valid" and multiplies_padding(dtypes.to_inexact_dtype(a.dtype), windows.size)
    return windows.size < _MIN_ELEMENTS_TO_TRANSFORM and (not is_left_out or bool(np.isfinite(windows).all()))


def _floats(*xs):
    """Return the sequences in the dtype of the result."""
    dtype = dtypes.to_inexact_dtype(xs[0].dtype)
    return [x.astype(dtype, copy=False) for x in xs]


def _numpy_convolve(a, v, mode="full", *, precision=None, preferred_element_type=None):
    if not _suits_numpy(a, v, mode, preferred_element_type):
        return NotImplemented
    if a.dtype.kind != "f":
        a, v = _floats(a, v)
    return np.convolve(a, v, mode)


def _numpy_correlate(a, v, mode="valid", *, precision=None, preferred_element_type=None):
    if not _suits_numpy(a, v, mode, preferred_element_type):
        return NotImplemented
    if a.dtype.kind != "f":
        a, v = _floats(a, v)
    return np.correlate(a, v, mode)


@replayed(numpy=_numpy_convolve, arrays=2, traced_from=0)
@inner_jit(static_argnames=_STATIC)
def convolve(a, v, mode: str = "full", *, precision=None, preferred_element_type=None) -> Array:
    """Return the convolution of two sequences: sums of products of `a` with the reversed `v` shifted along it.

    Args:
      a, v: arrays with one axis.
      mode: "full", "same" (as long as the longer one) or "valid" (where they overlap wholly).
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      An array with one axis: of lengths n and m it has ``n + m - 1`` elements, the longer one's, or ``n - m + 1``.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.convolve(jnp.array([1., 2.]), jnp.array([1., 1.]))
    Array([1., 3., 2.], dtype=float32)
    """
    check_arraylike("convolve", a, v)
    return _conv(a, v, "convolve", mode, precision, preferred_element_type)


@replayed(numpy=_numpy_correlate, arrays=2, traced_from=0)
@inner_jit(static_argnames=_STATIC)
def correlate(a, v, mode: str = "valid", *, precision=None, preferred_element_type=None) -> Array:
    """Return the cross-correlation of two sequences: sums of products of `a` with `v` shifted along it.

    Args:
      a, v: arrays with one axis; `v` is conjugated.
      mode: "valid" (where they overlap wholly), "same" (as long as the longer one) or "full".
      precision: of the multiplication: a `lax.Precision` or its name.
      preferred_element_type: the dtype to accumulate in and to return.
    Returns:
      An array with one axis: of lengths n and m it has ``n - m + 1`` elements, the longer one's, or ``n + m - 1``.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.correlate(jnp.array([1., 2., 3.]), jnp.array([1., 1.]))
    Array([3., 5.], dtype=float32)
    """
    check_arraylike("correlate", a, v)
    return _conv(a, v, "correlate", mode, precision, preferred_element_type)
