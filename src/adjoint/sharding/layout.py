"""`Layout` and `Format`: the order of an array's axes in memory, and with it the place.

Tests: `tests/transforms/test_stages.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Format", "Layout", "arranged", "layout_of_buffer"]


class _Auto:
    def __repr__(self):
        return "AUTO"


class Layout(NamedTuple):
    """The axes from the slowest to the fastest in memory; tiles and packed elements are accelerators'.

    >>> Layout((1, 0))
    Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)
    """

    major_to_minor: tuple[int, ...]
    tiling: tuple[tuple[int, ...], ...] | None = None
    sub_byte_element_size_in_bits: int = 0


Layout.AUTO = _Auto()  # type: ignore[attr-defined]


class Format:
    """A layout and a sharding; None leaves either as it is."""

    __slots__ = ("layout", "sharding")

    def __init__(self, layout: Any = None, sharding: Any = None):
        self.layout = layout
        self.sharding = sharding

    def __eq__(self, other):
        return isinstance(other, Format) and (self.layout, self.sharding) == (other.layout, other.sharding)

    def __hash__(self):
        return hash((self.layout, self.sharding))

    def __repr__(self):
        return f"Format(layout={self.layout}, sharding={self.sharding})"


def layout_of_buffer(buffer) -> Layout:
    """Return how a NumPy buffer lies in memory."""
    strides = np.asarray(buffer).strides
    return Layout(tuple(sorted(range(len(strides)), key=lambda d: -abs(strides[d]))), ())


def arranged(buffer, layout: Layout):
    """A buffer of the same values with this layout: itself if it has it."""
    order = layout.major_to_minor
    if sorted(order) != list(range(np.ndim(buffer))):
        raise ValueError(
            f"major_to_minor={order} is not an order of the axes of an array of shape {np.shape(buffer)}."
        )
    if layout_of_buffer(buffer).major_to_minor == order:
        return buffer
    return np.ascontiguousarray(np.transpose(buffer, order)).transpose(np.argsort(order))
