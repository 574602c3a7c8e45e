"""NumPy's sort of the numbers of a row, called from generated code: the function of the dtype is in NumPy's tables.

It is faster than any that we could write, and the host step that would call it from Python takes longer than it does
for a thousand elements. Zeros of both signs are equal to it: where there are several they are put in the order in
which they came.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

import ctypes
from functools import cache, partial

import numpy as np

from ...runtime.machine import on_demand
from ...text.builder import BOOL, Value
from ..base import Code, writes

__all__ = ["is_available", "sort_numbers"]

_FUNCTIONS_OF = 365  # the place of a function in NumPy's table, and of the sort in what it returns
_SORT = 33
_DTYPES = [np.dtype(t) for t in ("i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")]


@cache
def _address(dtype: np.dtype) -> int:
    """Return the address of the function of (elements, their number, an unused array); 0 if there is none."""
    word = lambda address: ctypes.c_void_p.from_address(address).value or 0
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    size = ctypes.sizeof(ctypes.c_void_p)
    table = pointer(np._core._multiarray_umath._ARRAY_API, None)  # type: ignore[attr-defined]
    functions_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(word(table + _FUNCTIONS_OF * size))
    functions = functions_of(dtype)
    return word(functions + _SORT * size) if functions else 0


def _symbol(dtype: np.dtype) -> str:
    return f"numpy.sort.{dtype.str[1:]}"


def _linked(dtype: np.dtype) -> int:
    address = _address(dtype)
    if not address:  # code from the disk, made with another NumPy
        raise RuntimeError(f"this NumPy has no function that sorts {dtype}")
    return address


for _dtype in _DTYPES:
    on_demand(__name__, _symbol(_dtype), partial(_linked, _dtype))


def is_available(dtype) -> bool:
    return dtype in _DTYPES and _address(dtype) != 0


def sort_numbers(code: Code, dtype: np.dtype, address: str, n: int | Value) -> None:
    """Sort n elements where they are."""
    code.module.declarations.add(f"declare i32 @{_symbol(dtype)}(ptr, i64, ptr)")
    number = n.text if isinstance(n, Value) else n
    code.new(f"call i32 @{_symbol(dtype)}(ptr {address}, i64 {number}, ptr null)")


@writes("numpy_sort")
def _(code: Code, addresses, dtype, outer: int, n: int, chunks: int):
    """Rows of n elements."""
    per = -(-outer // chunks)

    def rows(part: Code):
        x, out = part.arguments(2)
        first = part.value("%chunk") * per
        stop = part.minimum(first + per, outer)
        with part.loop(stop, first) as row:
            start = row * n
            source, target = part.at(x, start, dtype), part.at(out, start, dtype)
            part.copy(target, source, n * dtype.itemsize)
            sort_numbers(part, dtype, target, n)
            if dtype.kind == "f":
                _zeros_in_order(part, dtype, source, target, n)

    code.parallel(code.part("rows", rows), "null", chunks)


def _zeros_in_order(code: Code, dtype, x: str, out: str, n: int) -> None:
    """Write the zeros of `x` as they come, if there are two in the sorted row."""
    low, high = code.variable(0), code.variable(n)
    is_zero = lambda address, i: code.load(address, i, dtype).equals(0)
    with code.repeat(lambda: code.get(low) < code.get(high)):
        middle = code.binary("lshr", code.get(low) + code.get(high), code.integer(1))
        value = code.load(out, middle, dtype)
        below = value < 0
        code.set(low, code.select(below, middle + 1, code.get(low)))
        code.set(high, code.select(below, code.get(high), middle))
    second = code.get(low) + 1
    several = code.variable(code.const(False, BOOL))
    with code.when(second < n):
        code.set(several, is_zero(out, second))  # and so is the first
    bits = np.dtype(f"u{dtype.itemsize}")
    with code.when(code.get(several, BOOL)), code.loop(n) as i, code.when(is_zero(x, i)):
        code.store(code.load(x, i, bits), out, code.get(low), bits)
        code.set(low, code.get(low) + 1)
