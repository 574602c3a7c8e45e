"""Indices with `ds(start, size)`: the window is taken first, then the rest of the index.

A window that ends beyond the array is moved inside to be read, or filled if a mode asks for it, and is not written.
With a stride, each of its elements is looked at alone: those beyond are read at the nearest end or filled, and are
not written.

Tests: `tests/numpy/test_windows_at.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.messages.errors import message
from ..core.types import Array, aval_of
from ..core.values.slices import Slice
from ..lax.conversion import convert_element_type
from ..lax.slicing import GatherScatterMode, dynamic_slice, dynamic_update_slice
from .selection import clip, where

__all__ = ["has_window", "window_of"]


def has_window(idx) -> bool:
    """Return whether there is a `ds` in an index."""
    return type(idx) is Slice or (type(idx) is tuple and Slice in map(type, idx))


def window_of(x: Array, idx, writes: bool = False, fill=None) -> tuple[Array, Any, Callable[[Array, Any], Array]]:
    """(the window of `x`, the index of it that is left, how to put another one in its place, with a mode).

    To be read, a window whose start is negative is counted from the end; one that is written or has a `fill` is not.
    """
    entries = list(idx) if type(idx) is tuple else [idx]
    taken = sum([_axes(e) for e in entries])
    windows, strided, axis = {}, {}, 0
    for i, e in enumerate(entries):
        if type(e) is Slice:
            n, e = x.shape[axis] if axis < x.ndim else 0, e.checked()
            if not e.is_dynamic_start and 0 <= e.start <= n - 1 - (e.size - 1) * e.stride and e.stride > 0 <= e.size:
                entries[i] = e.static()
            else:
                (windows if e.stride == 1 else strided)[axis] = e
                entries[i] = slice(None)
        axis += x.ndim - taken if e is Ellipsis else _axes(e)
    put_back: Callable[[Array, Any], Array] = lambda new, mode: new
    part = x
    if windows:
        part, put_back = _dense(part, windows, writes, fill)
    for axis, e in strided.items():
        part, put_back = _strided(part, axis, e, put_back, fill)
    return part, tuple(entries), put_back


def _dense(x: Array, windows: dict[int, Slice], writes: bool, fill) -> tuple[Array, Callable[[Array, Any], Array]]:
    sizes = tuple([windows[d].size if d in windows else n for d, n in enumerate(x.shape)])
    relation = "less than or equal to operand shape" if any([n > m for n, m in zip(sizes, x.shape)]) else ""
    if relation or min(sizes, default=0) < 0:
        what = f"{relation}, got slice_sizes {sizes} for operand shape {x.shape}." if relation else (
            f"greater than or equal to zero, got slice_sizes of {sizes}.")
        raise TypeError(message(f"slice slice_sizes must be {what}", fix="a size of ds that the axis has"))
    starts: list[Any] = [np.int32(0)] * x.ndim
    inside: Any = np.True_
    for d, e in windows.items():
        starts[d] = e.start if e.is_dynamic_start else np.int32(e.start)
        if e.is_dynamic_start and x.ndim > 1:  # starts have one dtype
            starts[d] = convert_element_type(e.start, np.int32)
        if writes or fill is not None:
            asked, bound = starts[d], clip if e.is_dynamic_start else np.clip
            starts[d] = bound(asked, 0, x.shape[d] - e.size)
            inside = inside & (starts[d] == asked)
    window = dynamic_slice(x, starts, sizes)
    if fill is not None:
        window = where(inside, window, np.asarray(fill, x.dtype))

    def put_back(new: Array, mode: Any) -> Array:
        if GatherScatterMode.from_any(mode) is not GatherScatterMode.CLIP:
            if isinstance(inside, np.bool_):
                return dynamic_update_slice(x, new, starts) if inside else x
            new = where(inside, new, window)
        return dynamic_update_slice(x, new, starts)

    return window, put_back


def _strided(x: Array, axis: int, e: Slice, outer, fill) -> tuple[Array, Callable[[Array, Any], Array]]:
    n, before = x.shape[axis], (slice(None),) * axis
    at = e.start + np.arange(e.size, dtype=np.int32) * np.int32(e.stride)
    choose, bound = (where, clip) if e.is_dynamic_start else (np.where, np.clip)
    nearest = bound(at, 0, n - 1)

    def put_back(new: Array, mode: Any) -> Array:
        clips = GatherScatterMode.from_any(mode) is GatherScatterMode.CLIP
        index = nearest if clips else choose(at < 0, n, at)  # what is at `n` is dropped
        return outer(x.at[(*before, index)].set(new), mode)

    part = x[(*before, nearest)]
    if fill is not None:
        part = where((nearest == at).reshape((e.size,) + (1,) * (x.ndim - axis - 1)), part, np.asarray(fill, x.dtype))
    return part, put_back


def _axes(e) -> int:
    """Return how many axes an entry uses up."""
    if e is None or e is Ellipsis or isinstance(e, (bool, np.bool_)):
        return 0
    is_mask = isinstance(e, (Array, np.ndarray)) and aval_of(e).dtype == np.bool_
    return e.ndim if is_mask else 1
