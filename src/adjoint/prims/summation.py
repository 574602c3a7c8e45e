"""Long sums of NumPy buffers of floats, whose error grows with the logarithm of the number of terms.

NumPy adds by halves along the axis whose elements are neighbours in memory, and else one after the other, as do BLAS
and `ufunc.at`: with ten times as many terms of one sign they lose a digit more. Here terms are added in blocks, and
sums of blocks in blocks again. (Higham, "The accuracy of floating point summation", 1993.)

Tests: `tests/engines/test_long_sums.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core import dtypes

__all__ = [
    "ACCUMULATED_IN", "MAX_ELEMENTS_IN_ANY_ORDER", "REPEATED", "TERMS_PER_BLOCK", "Total", "accumulated", "added_at",
    "is_inexact", "running", "total",
]

TERMS_PER_BLOCK = 16  # terms that are added one after the other
MAX_ELEMENTS_IN_ANY_ORDER = 128  # elements of an array whose order of addition does not matter
_MAX_ELEMENTS_PER_NARROW_ROW = 64  # elements of a row, up to which halves are added rather than rows
_WIDER = {np.dtype("f4"): np.dtype("f8"), np.dtype("c8"): np.dtype("c16")}
REPEATED, _ROUNDED = 64, 4  # updates of one place that may be added one after the other; the same of half floats


def is_inexact(dtype) -> bool:
    """Return whether additions of a dtype are rounded."""
    return dtype.kind in "fc"


# The dtype in which a sum or product of such elements is formed.
ACCUMULATED_IN = {
    **dict.fromkeys((dtypes.float16, dtypes.bfloat16, *dtypes.small_floats), dtypes.float32),
    **dict.fromkeys(dtypes.small_ints, dtypes.int32),
}


def accumulated(ufunc_method: Callable, x, axis):
    """Return a reduction or accumulation, as of a ufunc, in a dtype wide enough, in the dtype of `x`."""
    wide = ACCUMULATED_IN.get(x.dtype)
    if wide is None:
        return ufunc_method(x, axis=axis, dtype=x.dtype)
    return np.asarray(ufunc_method(x.astype(wide), axis=axis)).astype(x.dtype)


def total(x: np.ndarray, axis, dtype=None, keepdims: bool = False) -> np.ndarray:
    """Return the sum over axes, in a dtype."""
    axes = (axis,) if isinstance(axis, int) else axis
    if x.size <= MAX_ELEMENTS_IN_ANY_ORDER or not is_inexact(x.dtype) or len(axes) == x.ndim and x.flags.forc:
        return np.add.reduce(x, axis=axes, dtype=dtype, keepdims=keepdims)
    kept = [1 if a in axes else d for a, d in enumerate(x.shape)]
    left = set(axes)
    while left:
        order = sorted([a for a in range(x.ndim) if x.shape[a] != 1], key=lambda a: (abs(x.strides[a]), a not in left))
        axis = next((a for a in order if a in left), min(left))
        x = np.asarray(np.add.reduce(x, axis=axis) if order[:1] in ([], [axis]) else _outer(x, axis))
        left = {a - (a > axis) for a in left if a != axis}
    return x.reshape(kept) if keepdims else x


def _part(x: np.ndarray, axis: int, start: int, stop: int | None = None) -> np.ndarray:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _in_blocks(x: np.ndarray, axis: int, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `x` with an axis of blocks and one along each, and what is left of it."""
    count = x.shape[axis] // block
    whole = _part(x, axis, 0, count * block)
    return whole.reshape(*x.shape[:axis], count, block, *x.shape[axis + 1 :]), _part(x, axis, count * block)


def _outer(x: np.ndarray, axis: int) -> np.ndarray:
    """Return the sum along an axis other than that of the rows in memory."""
    while (n := x.shape[axis]) > TERMS_PER_BLOCK:
        if x.size < n * _MAX_ELEMENTS_PER_NARROW_ROW:
            half = n // 2
            rest = _part(x, axis, 2 * half)
            x = _part(x, axis, 0, half) + _part(x, axis, half, 2 * half)
        else:
            blocks, rest = _in_blocks(x, axis, TERMS_PER_BLOCK)
            x = np.add.reduce(blocks, axis=axis + 1)
        if rest.shape[axis]:
            _part(x, axis, 0, 1)[...] += np.add.reduce(rest, axis=axis, keepdims=True)
    return np.add.reduce(x, axis=axis)


def running(combine: np.ufunc, x: np.ndarray, axis: int, dtype=None) -> np.ndarray:
    """Return the running results of a ufunc along an axis, in a dtype."""
    if x.shape[axis] <= TERMS_PER_BLOCK or not is_inexact(x.dtype):
        return combine.accumulate(x, axis=axis, dtype=dtype)
    if (wide := _WIDER.get(x.dtype)) is not None:
        return combine.accumulate(x, axis=axis, dtype=wide).astype(x.dtype)
    blocks, rest = _in_blocks(x, axis, TERMS_PER_BLOCK)
    inside = combine.accumulate(blocks, axis=axis + 1)
    ends = running(combine, _part(inside, axis + 1, TERMS_PER_BLOCK - 1).squeeze(axis + 1), axis)
    begun, before = _part(inside, axis, 1), np.expand_dims(_part(ends, axis, 0, -1), axis + 1)
    combine(before, begun, out=begun)
    out = np.empty_like(x)
    _in_blocks(out, axis, TERMS_PER_BLOCK)[0][...] = inside
    if rest.size:
        last = combine.accumulate(rest, axis=axis)
        combine(_part(ends, axis, ends.shape[axis] - 1), last, out=_part(out, axis, x.shape[axis] - rest.shape[axis]))
    return out


class Total:
    """A sum of arrays that are added one after the other, and what the additions rounded off.

    (Knuth, "The art of computer programming", volume 2, 4.2.2.)
    """

    def __init__(self):
        self.sum = self.lost = np.zeros(())
        self.begun = False

    def add(self, x: np.ndarray) -> None:
        """Add an array."""
        if not self.begun:
            self.sum, self.lost, self.begun = x.copy(), np.zeros_like(x), True
            return
        out = self.sum + x
        of_x = out - self.sum
        self.lost += (self.sum - (out - of_x)) + (x - of_x)
        self.sum = out

    def whole(self) -> np.ndarray:
        """Return the sum; of one that is not finite, nothing is lost."""
        return np.where(np.isnan(self.lost), self.sum, self.sum + self.lost)


def added_at(combine: Callable, table: np.ndarray, at: np.ndarray, rows: np.ndarray) -> bool:
    """Add `rows` to, or subtract them from, those of `table` at `at`; return False if there are few for each.

    They are added up in a wider dtype, or place after place where there is none.
    """
    dtype = table.dtype
    if combine not in (np.add, np.subtract) or at.size <= REPEATED or not dtypes.issubdtype(dtype, np.inexact):
        return False
    few, counts = _ROUNDED if dtype.itemsize < 4 else REPEATED, np.bincount(at)
    if counts.max() <= few:
        return False
    wide = np.dtype("c16" if dtype.kind == "c" else "f8")
    if dtype.itemsize < wide.itemsize:
        sums = table.astype(wide)
        width = sums[0].size
        elements = at if width == 1 else (at[:, None] * width + np.arange(width)).reshape(-1)
        combine.at(sums.reshape(-1), elements, rows.astype(wide).reshape(-1))
        table[...] = sums
        return True
    often = counts[at] > few
    combine.at(table, at[~often], rows[~often])
    at, rows = at[often], rows[often]
    order = np.argsort(at, kind="stable")
    places, starts = np.unique(at[order], return_index=True)
    for place, chosen in zip(places.tolist(), np.split(order, starts[1:])):
        table[place] = combine(table[place], total(rows[chosen], 0))
    return True
