"""`pad`: elements added around an array, one axis after the other.

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array
from ..core.values.dimension import Dimension, as_length
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import replayed
from . import ufuncs
from .axes import operand
from .conversion import asarray
from .moments import mean
from .promotion import convert
from .quantiles import median
from .ranges import linspace
from .reductions import max, min
from .repetition import repeat
from .rotations import flip
from .searching import known_values
from .shapes import broadcast_to
from .vectorization import apply_along_axis

__all__ = ["pad"]

_OPTIONS = {  # keyword arguments by mode
    "constant": {"constant_values"},
    "edge": set(),
    "empty": set(),
    "linear_ramp": {"end_values"},
    "maximum": {"stat_length"},
    "mean": {"stat_length"},
    "median": {"stat_length"},
    "minimum": {"stat_length"},
    "reflect": {"reflect_type"},
    "symmetric": {"reflect_type"},
    "wrap": set(),
}
_STATISTICS = {"maximum": max, "minimum": min, "mean": mean, "median": median}


@replayed
def pad(array, pad_width, mode: str | Callable[..., Any] = "constant", **kwargs) -> Array:
    """Return elements added around an array.

    Args:
      array: an array of any shape and dtype.
      pad_width: how many: an int, (before, after), or such a pair for each axis.
      mode: "constant" (with `constant_values`), "edge", "reflect" and "symmetric" (with `reflect_type`
        "even" or "odd"), "wrap", "linear_ramp" (with `end_values`), "maximum", "minimum", "mean" and
        "median" (with `stat_length`), "empty"; or a function as for `numpy.pad` that returns the new vector.
      **kwargs: of the mode: `constant_values`, `end_values`, `stat_length` or `reflect_type`.
    Returns:
      A new array of the dtype of `array`, longer along each axis by what is before and after.
    Raises:
      ValueError: a width is negative, or an option does not belong to the mode.

    >>> jnp.pad(jnp.ones(2), 1)
    Array([0., 1., 1., 0.], dtype=float32)
    """
    a = operand("pad", array)
    widths = _pairs(pad_width, a.ndim, "pad_width")
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError(message("index can't contain negative values", fix="x[n:-n] to take elements away"))
    if callable(mode):
        return a if not a.ndim else _by_function(a, widths, mode, kwargs)
    if mode not in _OPTIONS:
        raise NotImplementedError(
            f"Unimplemented padding mode '{mode}' for np.pad.\n  Try: one of {', '.join(_OPTIONS)}"
        )
    if unknown := set(kwargs) - _OPTIONS[mode]:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {sorted(unknown)}")
    reflect_type = kwargs.get("reflect_type", "even")
    if reflect_type not in ("even", "odd"):
        raise ValueError(
            message(f"reflect_type must be 'even' or 'odd', got {reflect_type!r}", fix="reflect_type='even'")
        )
    lengths = kwargs.get("stat_length")
    if lengths is not None:
        lengths = _pairs(lengths, a.ndim, "stat_length")
        if any(n < 1 for pair in lengths for n in pair):
            raise ValueError("stat_length of 0 yields no value for padding")
    if not a.ndim:
        return a
    ends = _values(kwargs.get("end_values", 0), a.ndim)
    return _pad(a, widths, mode, kwargs.get("constant_values", 0), lengths, ends, reflect_type)


def _pairs(x, ndim: int, name: str) -> tuple[tuple[int, int], ...]:
    """Return (before, after) for each axis."""
    x = np.asarray(known_values(x, f"{name} argument of jnp.pad"))
    integral = x.dtype.kind in "iu" or all([isinstance(n, Dimension | int | np.integer) for n in x.flat])
    if ndim and not integral:  # JAX parity: a scalar is padded by anything
        raise TypeError(
            message(f"`{name}` must be of integral type.", fix="jnp.pad(x, ((before, after),) * x.ndim), of ints")
        )
    if x.shape not in ((), (1,), (2,), (1, 2), (ndim, 2)):
        raise ValueError(
            message(
                f"jnp.pad: {name} with nd={ndim} has unsupported shape {x.shape}. Valid shapes are "
                f"({ndim}, 2), (1, 2), (2,), (1,), or ().",
                why=f"The array has {ndim} axes, and each is padded before and after.",
                fix=f"{name}={((1, 2),) * ndim}",
            )
        )
    return tuple([(as_length(b), as_length(a)) for b, a in np.broadcast_to(x, (ndim, 2))])


def _values(x, ndim: int) -> tuple:
    """Return (before, after) for each axis, as Python scalars."""
    values = np.asarray(known_values(x, "end_values argument of jnp.pad"))
    return tuple([tuple(pair) for pair in np.broadcast_to(values, (ndim, 2)).tolist()])


@inner_jit(static_argnames=("pad_width", "mode", "stat_length", "end_values", "reflect_type"))
def _pad(array, pad_width, mode, constant_values, stat_length, end_values, reflect_type):
    if mode == "constant":
        return _constant(array, pad_width, constant_values)
    for axis, (before, after) in enumerate(pad_width):
        if not (before or after):
            continue
        n = array.shape[axis]
        if not n and mode not in ("empty", "mean"):
            raise ValueError(
                message(f"Cannot apply '{mode}' padding to empty axis {axis}", fix="mode='constant' or mode='empty'")
            )
        if mode in ("reflect", "symmetric"):
            offset = int(mode == "reflect" and n > 1)
            odd = reflect_type == "odd"
            array = _reflected(array, axis, before, offset, odd, at_end=False)
            array = _reflected(array, axis, after, offset, odd, at_end=True)
            continue
        if mode in _STATISTICS:
            length = None if stat_length is None else stat_length[axis]
            parts = _statistics(array, axis, before, after, mode, length)
        elif mode == "linear_ramp":
            parts = _ramps(array, axis, before, after, end_values[axis])
        elif mode == "wrap":
            parts = _wrapped(array, axis, before, after)
        elif mode == "edge":
            ends = ((0, before), (n - 1, after))
            parts = [repeat(_part(array, axis, i, i + 1), k, axis) for i, k in ends]
        else:
            lead, tail = array.shape[:axis], array.shape[axis + 1 :]
            parts = [lax.full((*lead, k, *tail), 0, array.dtype) for k in (before, after)]
        parts = [convert(part, array.dtype, array.weak_type) for part in parts]
        array = lax.concatenate([parts[0], array, parts[1]], axis)
    return array


def _part(a, axis, start, stop):
    return lax.slice_in_dim(a, start, stop, axis=axis, stride=1)


def _constant(a, widths, values):
    values = asarray(values)
    if not values.ndim:
        value = convert(values, a.dtype, a.weak_type)
        return lax.pad(a, value, [(before, after, 0) for before, after in widths])
    values = broadcast_to(convert(values, a.dtype, a.weak_type), (a.ndim, 2))
    for axis, (before, after) in enumerate(widths):
        if before or after:
            config = [(0, 0, 0)] * a.ndim
            config[axis] = (before, 0, 0)
            a = lax.pad(a, values[axis, 0], config)
            config[axis] = (0, after, 0)
            a = lax.pad(a, values[axis, 1], config)
    return a


def _reflected(a, axis, width, offset, odd, at_end):
    """Mirror images at one end, until there are `width` more; `offset` 1 does not repeat the edge."""
    n = a.shape[axis]  # what is mirrored at once
    while width:
        m = a.shape[axis]
        k = width if width < n - offset else n - offset
        start = m - offset - k if at_end else offset
        image = flip(_part(a, axis, start, start + k), axis)
        if odd:
            edge = _part(a, axis, m - 1, m) if at_end else _part(a, axis, 0, 1)
            image = ufuncs.subtract(ufuncs.multiply(2, edge), image)
        a = lax.concatenate([a, image] if at_end else [image, a], axis)
        width -= k
    return a


def _wrapped(a, axis, before, after):
    """Copies of the whole array, cut to the widths."""
    n = a.shape[axis]
    front = [_part(a, axis, n - before % n, n), *[a] * (before // n)]
    back = [*[a] * (after // n), _part(a, axis, 0, after % n)]
    return lax.concatenate(front, axis), lax.concatenate(back, axis)


def _ramps(a, axis, before, after, ends):
    """Return lines from the end values to the edges."""
    n = a.shape[axis]

    def ramp(end, start, width):
        edge = lax.squeeze(_part(a, axis, start, start + 1), (axis,))
        return linspace(end, edge, width, endpoint=False, dtype=a.dtype, axis=axis)

    return ramp(ends[0], 0, before), flip(ramp(ends[1], n - 1, after), axis)


def _statistics(a, axis, before, after, mode, lengths):
    """An extremum, mean or median of the elements next to each end, repeated."""
    n = a.shape[axis]

    def value(start, stop):
        part = a if (start, stop) == (0, n) else _part(a, axis, start, stop)
        out = _STATISTICS[mode](part, axis, keepdims=True)
        if dtypes.issubdtype(a.dtype, np.integer):
            out = ufuncs.round(out) if mode in ("mean", "median") else out
        return convert(out, a.dtype)

    if lengths is None:
        first = last = value(0, n)
    else:
        k, m = (i if i < n else n for i in lengths)
        first, last = value(0, k), value(n - m, n)
    return repeat(first, before, axis), repeat(last, after, axis)


def _by_function(a, widths, function, options):
    """Return vectors padded with zeros, given to a function that fills them."""
    a = lax.pad(a, a.dtype.type(0), [(before, after, 0) for before, after in widths])
    for axis, pair in enumerate(widths):
        a = apply_along_axis(function, axis, a, pair, axis, options)
    return a
