# Written by stubs/generate.py; do not edit.
from adjoint import Array
from typing import Any
def from_dlpack(external_array: Any, device: Any = None, copy: bool | None = None) -> Array:
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
def is_supported_dtype(dtype: Any) -> bool:
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
