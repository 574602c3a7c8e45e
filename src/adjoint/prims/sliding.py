"""Windows that slide over an array: how many there are, and where each of their elements is.

An array is dilated (elements that are not there come between neighbours), padded, and then covered
by windows, which may be dilated too. `Sliding` is that geometry, shared by convolutions and windowed
reductions; it works on shapes and on NumPy buffers. Element k of all windows together, a *tap*, is
one strided view of the padded buffer, so that loops run over the taps and never over positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from ..core.process.records import NamedTuple
from ..core.values.dimension import greater

__all__ = ["BLOCK_ROWS", "Pairs", "Sizes", "Sliding", "by_doubling", "dilated", "blocks_of", "padded"]

BLOCK_ROWS = 32  # rows that a reduction by a program combines one after the other

Sizes = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]


def dilated(n: int, dilation: int) -> int:
    """Return the length of `n` elements that are `dilation` apart."""
    return (n - 1) * dilation + 1 if n else 0


def blocks_of(n: int) -> tuple[int, int]:
    """Return how many blocks n rows make, and how many rows the first lacks; the last lacks the rest."""
    blocks = -(-n // BLOCK_ROWS)
    return blocks, (blocks * BLOCK_ROWS - n) // 2


class Sliding(NamedTuple):
    """The geometry of windows, with one entry for each axis; its fields are parameters of primitives."""

    window_dimensions: Sizes
    window_strides: Sizes
    padding: Pairs
    base_dilation: Sizes
    window_dilation: Sizes

    @property
    def has_pads(self) -> bool:
        """Return whether windows may hold what is no element of the array."""
        return any([d > 1 or max(pair) > 0 for d, pair in zip(self.base_dilation, self.padding)])

    def padded_shape(self, shape: Sizes) -> Sizes:
        """Return the shape of an array after dilation and padding; a length may be negative."""
        return tuple(
            [dilated(n, d) + lo + hi for n, d, (lo, hi) in zip(shape, self.base_dilation, self.padding)]
        )

    def extent(self) -> Sizes:
        """Return the lengths that a window spans."""
        return tuple([dilated(n, d) for n, d in zip(self.window_dimensions, self.window_dilation)])

    def counts(self, shape: Sizes) -> Sizes:
        """Return the number of windows along each axis."""
        return tuple(
            [
                greater((n - w) // s + 1, 0)
                for n, w, s in zip(self.padded_shape(shape), self.extent(), self.window_strides)
            ]
        )

    def pad(self, x: np.ndarray, value) -> np.ndarray:
        """Return the dilated and padded buffer."""
        return padded(x, self.padding, self.base_dilation, value)

    def taps(self, x: np.ndarray, counts: Sizes) -> Iterator[np.ndarray]:
        """Views of a padded buffer: the first element of each window, the second, in row-major order."""
        for at in product(*map(range, self.window_dimensions)):
            yield x[(..., *self.tap(at, counts))]

    def tap(self, at: Sizes, counts: Sizes) -> tuple[slice, ...]:
        """Return where the elements at position `at` of all windows are in the padded buffer."""
        return tuple(
            [
                slice(k * d, k * d + (m - 1) * s + 1 if m else k * d, s)
                for k, d, m, s in zip(at, self.window_dilation, counts, self.window_strides)
            ]
        )

    def inserted(self, axis: int) -> Sliding:
        """Return the same windows on each element of a new axis."""
        neutral = 1, 1, (0, 0), 1, 1
        return Sliding(*[(*f[:axis], v, *f[axis:]) for f, v in zip(self, neutral)])


def by_doubling(x, length: int, part: Callable, both: Callable, window: int, stride: int, spread: int, count: int):
    """Return the windows along one axis, of this length, combined from windows of 1, 2, 4, ... elements.

    Args:
      part: ``(x, start, n, step) -> n`` elements of the axis, in arrays or whatever stands for them.
      both: combines two of them.
      window, stride, spread: how many elements a window has, how far apart windows, and elements in them, are.
      count: how many windows there are.
    """
    out, done, size, doubled = None, 0, 1, x
    while size <= window:
        if window & size:
            piece = part(doubled, done * spread, count, stride)
            out = piece if out is None else both(out, piece)
            done += size
        size *= 2
        if size <= window:
            length -= size // 2 * spread
            doubled = both(part(doubled, 0, length, 1), part(doubled, size // 2 * spread, length, 1))
    return out


def padded(x: np.ndarray, padding: Pairs, dilation: Sizes, value) -> np.ndarray:
    """Return `x` with `value` between its elements and around them; negative padding takes away."""
    if not any(map(any, padding)) and all(d == 1 for d in dilation):
        return x
    shape, source, target = [], [], []
    for n, (lo, hi), d in zip(x.shape, padding, dilation, strict=True):
        m = max(dilated(n, d) + lo + hi, 0)
        first = -(min(lo, 0) // d)  # the first element, and the end of those, that are still there
        end = max(min(n, (m - 1 - lo) // d + 1), first)
        shape.append(m)
        source.append(slice(first, end))
        start = first * d + lo
        target.append(slice(start, start + dilated(end - first, d), d))
    if all(s == slice(0, n) for s, n in zip(source, x.shape)) and x.shape == tuple(shape):
        return x
    # In the order of the input's memory, which decides how fast windows are copied.
    out = np.full_like(x, value, shape=shape) if value else np.zeros_like(x, shape=shape)
    out[tuple(target)] = x[tuple(source)]
    return out
