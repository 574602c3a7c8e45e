"""Arrays of other libraries by way of DLPack.

Tests: `tests/numpy/test_segments.py`.
"""

from __future__ import annotations

import numpy as np

from .core import dtypes
from .core.messages.boundaries import public
from .core.types import Array
from .numpy import from_dlpack as _from_dlpack

__all__ = ["from_dlpack", "is_supported_dtype"]

_SUPPORTED = frozenset(
    (
        dtypes.bool_, *dtypes.signed_ints, *dtypes.unsigned_ints, dtypes.bfloat16, dtypes.float16,
        dtypes.float32, dtypes.float64, *dtypes.complexes,
    )
)


def from_dlpack(external_array, device=None, copy: bool | None = None) -> Array:
    """Return an array of the values of another library's array.

    Args:
      external_array: has `__dlpack__` and `__dlpack_device__`.
      device: where the array is to be.
      copy: True to copy in any case.
    Returns:
      An array of the same shape and dtype, which may share its memory.
    Raises:
      TypeError: `external_array` is no such array.

    >>> dlpack.from_dlpack(np.array([1, 2], dtype="int16"))
    Array([1, 2], dtype=int16)
    """
    return _from_dlpack(external_array, device=device, copy=copy)


def is_supported_dtype(dtype) -> bool:
    """Return whether arrays of a dtype can be handed to other libraries.

    Args:
      dtype: a dtype or what names one.
    Returns:
      A bool.
    Raises:
      TypeError: `dtype` is none that NumPy or `ml_dtypes` knows.

    >>> dlpack.is_supported_dtype("float32"), dlpack.is_supported_dtype("int4")
    (True, False)
    """
    return np.dtype(dtype) in _SUPPORTED

public(globals())
