"""Elements with gaps between: the values of NumPy, and nothing is read outside of an array."""

from __future__ import annotations

import ctypes
import mmap
import sys

import numpy as np
import pytest
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.engines.native.program.table import Executable

LENGTHS = [1, 15, 16, 33, 257]


@pytest.mark.parametrize("stride", range(2, 10))
@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "u1", "?", "f2", "c8"])
def test_elements_with_gaps_are_those_of_numpy(stride, dtype):
    random = stream()

    def program(np, x):
        rows = x.reshape(-1, stride)
        parts = [rows[:, k] for k in range(stride)]
        y = np.stack([parts[-1], *parts[:-1]], -1)
        both = lambda x, y: x & y if dtype == "?" else x + y
        back = x[::-1], x[::-stride], both(rows[::-1, 0], rows[::-1, -1]), both(x[::-stride], rows[:, 0])
        return y, both(rows[:, 0], rows[:, -1]), np.where(x[1::stride], 1, 2), *back

    with ax.enable_x64(True):
        for n in LENGTHS:
            x = (9 * random.normal(size=n * stride)).astype(dtype)
            for a, b in zip(ax.jit(lambda x: program(jnp, x))(x), program(np, x)):
                np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("stride", range(2, 9))
def test_a_part_of_a_row_is_written_and_read(stride):
    x = stream().normal(size=(40, stride)).astype("f4")
    written = lambda np, x: np.concatenate([x[:, 1:] * 2, x[:, :1] - 1], 1)
    np.testing.assert_array_equal(ax.jit(lambda x: written(jnp, x))(x), written(np, x))
    np.testing.assert_array_equal(ax.jit(lambda x: x[::-1, stride // 2] * x[:, 0])(x), x[::-1, stride // 2] * x[:, 0])


@pytest.mark.skipif(sys.platform == "win32", reason="mprotect")
@pytest.mark.parametrize("dtype", ["f4", "f8", "u1"])
def test_nothing_is_read_outside_of_an_array(dtype):
    """The page after the array may not be read, or the one before it."""
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    begin = np.frombuffer(memory, "u1").ctypes.data
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    assert protect(begin + page, page, 0) == 0
    try:
        with ax.enable_x64(True):
            for stride in range(2, 9):
                for first in range(stride):
                    for missing in range(stride):  # elements that the last row lacks
                        count = page // np.dtype(dtype).itemsize
                        count = min(count, 64 * stride - missing)  # all rows are in whole vectors, or all but one
                        x = np.frombuffer(memory, dtype, count, page - count * np.dtype(dtype).itemsize)
                        one = np.ones((), dtype)
                        program = lambda x, first=first, one=one, stride=stride: x[first::stride] + one
                        closed = ax.make_jaxpr(program)(x)
                        np.testing.assert_array_equal(Executable(closed)(x)[0], np.ones(len(x[first::stride])))
            assert protect(begin + page, page, 3) == 0
            assert protect(begin, page, 0) == 0
            for stride in range(1, 9):
                for count in [min(n * stride, page // np.dtype(dtype).itemsize) for n in (33, 64, 65)]:
                    x, one = np.frombuffer(memory, dtype, count, page), np.ones((), dtype)
                    closed = ax.make_jaxpr(lambda x, one=one, stride=stride: x[::-stride] + one)(x)
                    np.testing.assert_array_equal(Executable(closed)(x)[0], np.ones(len(x[::-stride])))
    finally:
        assert protect(begin, 2 * page, 3) == 0
