"""Indices with `ds(start, size)` whose start is traced: the window is taken first, then the rest of the index.

Tests: `tests/numpy/test_indexing.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.messages.errors import message
from ..core.types import Array, aval_of
from ..core.values.slices import Slice
from ..lax.slicing import dynamic_slice, dynamic_update_slice

__all__ = ["has_window", "window_of"]


def has_window(idx) -> bool:
    """Return whether there is a window with a traced start in an index."""
    if type(idx) is Slice:
        return idx.is_dynamic_start
    return type(idx) is tuple and any([type(e) is Slice and e.is_dynamic_start for e in idx])


def window_of(x: Array, idx) -> tuple[Array, Any, Callable[[Array], Array]]:
    """(the window of `x`, the index of it that is left, how to put another one in its place)."""
    entries = list(idx) if type(idx) is tuple else [idx]
    taken = sum([_axes(e) for e in entries])
    starts, sizes, steps, axis = [np.int32(0)] * x.ndim, list(x.shape), [slice(None)] * x.ndim, 0
    for i, e in enumerate(entries):
        if type(e) is Slice and e.is_dynamic_start:
            starts[axis], sizes[axis] = e.start, (e.size - 1) * e.stride + 1
            steps[axis] = slice(None, None, e.stride)
            entries[i] = slice(None)
        axis += x.ndim - taken if e is Ellipsis else _axes(e)
    if any([n > m for n, m in zip(sizes, x.shape)]):
        raise ValueError(
            message(
                f"The index {idx} is a window of shape {tuple(sizes)} of an array of shape {x.shape}.",
                fix="a smaller size in ds",
            )
        )
    window = dynamic_slice(x, starts, sizes)
    is_dense = all([s.step in (None, 1) for s in steps])

    def put_back(new: Array) -> Array:
        new = new if is_dense else window.at[tuple(steps)].set(new)
        return dynamic_update_slice(x, new, starts)

    return window if is_dense else window[tuple(steps)], tuple(entries), put_back


def _axes(e) -> int:
    """Return how many axes an entry uses up."""
    if e is None or e is Ellipsis or isinstance(e, (bool, np.bool_)):
        return 0
    is_mask = isinstance(e, (Array, np.ndarray)) and aval_of(e).dtype == np.bool_
    return e.ndim if is_mask else 1
