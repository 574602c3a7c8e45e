"""Evenly spaced numbers with the bits of XLA's code, which does not do what the program of `linspace` says.

It multiplies with 1 / n in place of dividing by n, and the stop with that first. A product and the addition after it
are rounded together; what does not depend on the operands is known, and rounded after each operation, but in long
loops.

Tests: `tests/numpy/test_families.py`.
"""

from __future__ import annotations

import numpy as np

from ...core.process.memo import memoized

__all__ = ["evenly_spaced", "in_loops", "is_regrouped", "is_written_out", "shares"]

_WIDE = {np.dtype(np.float32): np.float64, np.dtype(np.float64): np.longdouble}  # products are exact, or nearly so
_BYTES_OF_A_TURN = 128  # bytes that a turn of XLA's loop makes
_MIN_TURNS = 11  # turns of a loop that is not written out
_MAX_NUMBERS_REMEMBERED = 1024
_MAX_STEPS_WRITTEN_OUT = 33  # steps that are each their own operation, so that 1 * x is x


def is_regrouped(dtype) -> bool:
    """Return whether numbers of a dtype are other than the program says; bfloat16 and complex numbers are not."""
    return dtype in _WIDE or dtype == np.float16


def shares(n: int, dtype):
    """Return how much of the start is in each of n numbers, and 1 / n."""
    i, one = np.arange(n).astype(dtype), dtype.type(1)
    part = one / dtype.type(n)
    share = one - i * part
    if wide := _WIDE.get(dtype):
        looped = slice(in_loops(n, dtype))
        share[looped] = (one - i[looped].astype(wide) * part).astype(dtype)
    return share, part


def in_loops(n: int, dtype) -> int:
    """Return how many of n numbers are made in a loop that is not written out."""
    turn = _BYTES_OF_A_TURN // dtype.itemsize
    return n - n % turn if n >= _MIN_TURNS * turn else 0


def _parts(n: int, dtype):
    """Return the numbers below n, and `shares`."""
    return np.arange(n).astype(dtype), *shares(n, dtype)


_remembered_parts = memoized(64)(_parts)


def evenly_spaced(start, stop, n: int, dtype, known: bool = False):
    """Return n numbers from `start` towards `stop`, and their distance.

    Args:
      start, stop: NumPy scalars, or arrays without axes.
      n: in how many parts the way to `stop` is divided; `stop` is not one of the numbers.
      dtype: for which numbers are regrouped.
      known: the ends are constants of a program, so that all but long loops is computed when it is compiled.
    """
    start, stop = start.astype(dtype), stop.astype(dtype)
    i, share, part = (_remembered_parts if n <= _MAX_NUMBERS_REMEMBERED else _parts)(n, dtype)
    by = stop * part
    if (wide := _WIDE.get(dtype)) and not known:
        out = (i.astype(wide) * by + start * share).astype(dtype)
    else:
        out = start * share + i * by
    if wide:
        if known:
            fused = slice(in_loops(n, dtype))
            out[fused] = (i[fused].astype(wide) * by + start * share[fused]).astype(dtype)
        elif is_written_out(n):
            out[1] = wide(start) * share[1] + by
    return out, (stop - start) * part


def is_written_out(n: int) -> bool:
    """Return whether each of n numbers is its own operation; of number 1, that rounds the other product with the sum.
    """
    return 1 < n <= _MAX_STEPS_WRITTEN_OUT
