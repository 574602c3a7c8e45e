"""Memory for large results: what an array gave back is used again.

The C library gets large blocks from the system and gives them back at once; the system hands out pages of zeros as
they are first written, which takes longer than most kernels. So large results are lent from a few blocks, which
return when the last array that reads them is gone. Smaller ones are left to NumPy: the C library keeps those.

Tests: `tests/engines/native/program/test_call_layout.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ...numpy import memory
from .arena import ALIGNMENT

__all__ = ["MIN_LENT_BYTES", "Lent", "empty", "exhausted"]

MIN_LENT_BYTES = 1 << 20  # bytes of a result that is lent
_MAX_FREE_BYTES = 1 << 27  # bytes of all free blocks
_MAX_SIZE_RATIO = 1.25  # a block may be that much too large

_free: dict[int, np.ndarray] = {}  # by identity, that which came last at the end


class Lent:
    """A block on loan. It is no array itself: NumPy keeps, of an array's bases, the last one that is one."""

    __slots__ = ("__array_interface__", "block")

    def __init__(self, block: np.ndarray):
        self.block = block
        self.__array_interface__ = block.__array_interface__

    def __del__(self):
        block = self.block
        if block.nbytes <= _MAX_FREE_BYTES:
            _free[id(block)] = block
            kept = list(_free.items())
            while sum([b.nbytes for _, b in kept]) > _MAX_FREE_BYTES:
                _free.pop(kept.pop(0)[0], None)


def empty(shape, dtype) -> np.ndarray:
    """Return an array with any content."""
    size = prod(shape) * dtype.itemsize
    if size < MIN_LENT_BYTES:
        return np.empty(shape, dtype)
    size += ALIGNMENT
    lent = np.asarray(Lent(_block(size)))
    return np.ndarray(shape, dtype, lent, -lent.ctypes.data % ALIGNMENT)


def _block(size: int) -> np.ndarray:
    for key, block in reversed(list(_free.items())):
        fits = size <= block.nbytes <= _MAX_SIZE_RATIO * size
        if fits and _free.pop(key, None) is not None:  # else another thread was faster
            return block
    return memory_of(size)


def memory_of(size: int) -> np.ndarray:
    """Return so many bytes that are not in use; JaxRuntimeError if they are not there."""
    try:
        return np.empty(size, np.uint8)
    except MemoryError as error:
        raise exhausted(error) from None


def exhausted(error: MemoryError) -> Exception:
    """Return the error of a compiled program that could not get its memory."""
    return memory.exhausted(error, "a compiled program")
