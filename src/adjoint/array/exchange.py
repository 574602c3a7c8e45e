"""Arrays of narrow floats by way of DLPack, which NumPy does not hand over: bfloat16 and float8.

The memory is handed over as that of unsigned integers of the same width, and the code of the dtype is written into the
capsule. What comes in is read in the same way, backwards.

Tests: `tests/array/test_members.py`.
"""

from __future__ import annotations

import ctypes

import numpy as np

from ..core import dtypes

__all__ = ["is_narrow", "lent", "received"]

_CODES = {
    np.dtype(dtype): code
    for dtype, code in (
        (dtypes.bfloat16, 4), (dtypes.float8_e3m4, 7), (dtypes.float8_e4m3, 8), (dtypes.float8_e4m3b11fnuz, 9),
        (dtypes.float8_e4m3fn, 10), (dtypes.float8_e4m3fnuz, 11), (dtypes.float8_e5m2, 12),
        (dtypes.float8_e5m2fnuz, 13), (dtypes.float8_e8m0fnu, 14),
    )
}
_DTYPES = {(code, dtype.itemsize * 8): dtype for dtype, code in _CODES.items()}
_UNSIGNED_INT = 1

# Where the code is in what a capsule points to: behind the pointer, the device and the rank; a capsule that has a
# version begins with that, two pointers and flags.
_OFFSETS = {b"dltensor": 20, b"dltensor_versioned": 52}

_name_of = ctypes.pythonapi.PyCapsule_GetName
_name_of.restype, _name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
_address_of = ctypes.pythonapi.PyCapsule_GetPointer
_address_of.restype, _address_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _code_and_bits(capsule):
    """Return the two bytes of a capsule that say its dtype, to read and to write."""
    name = _name_of(capsule)
    return (ctypes.c_uint8 * 2).from_address(_address_of(capsule, name) + _OFFSETS[name])


def is_narrow(dtype) -> bool:
    """Return whether a dtype is one that DLPack knows and NumPy's part of it does not."""
    return dtype in _CODES


def lent(value: np.ndarray, options: dict):
    """Return a capsule of the memory of an array of narrow floats.

    Args:
      value: the array.
      options: what its `__dlpack__` is asked for.
    """
    capsule = value.view(f"u{value.itemsize}").__dlpack__(**options)
    _code_and_bits(capsule)[0] = _CODES[value.dtype]
    return capsule


class _AsIntegers:
    """An array of another library whose narrow floats NumPy takes for integers; `dtype` is what they are."""

    def __init__(self, array):
        self.array, self.dtype = array, None

    def __dlpack__(self, **options):
        capsule = self.array.__dlpack__(**options)
        if _name_of(capsule) not in _OFFSETS:
            return capsule  # NumPy says what is wrong with it
        found = _code_and_bits(capsule)
        self.dtype = _DTYPES.get((found[0], found[1]))
        if self.dtype is not None:
            found[0] = _UNSIGNED_INT
        return capsule

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def received(array) -> np.ndarray:
    """Return what an array of another library holds, in its memory."""
    asked = _AsIntegers(array)
    out = np.from_dlpack(asked)
    return out if asked.dtype is None else out.view(asked.dtype)
