"""NumPy's sort of the numbers of a row, called from generated code: the function of the dtype is in NumPy's tables.

It is the fastest for rows of less than a thousand elements, for which the host step that would call it from Python
takes longer than it does. Zeros of both signs are equal to it, and NaN may lose their bits: both are put in the order
in which they came.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

import ctypes
from functools import cache, partial

import numpy as np

from ...runtime.machine import on_demand
from ...text.builder import Value
from ..base import Code, writes
from .items import specials_in_order

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
                specials_in_order(part, dtype, source, target, n)

    code.parallel(code.part("rows", rows), "null", chunks)
