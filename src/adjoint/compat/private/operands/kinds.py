"""Questions about dtypes: defaults, and what is safe to convert. Names of `jax._src.dtypes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from ....core import dtypes as _dtypes
from ....core.dtypes import (
    bool_,
    canonicalize_dtype,
    check_user_dtype_supported,
    default_complex,
    default_float,
    default_int,
    default_uint,
    dtype_of,
    lattice_result_type,
    result_type,
    short_name,
    to_inexact_dtype,
    to_real_dtype,
)
from ....core.options.config import numpy_dtype_promotion
from ....core.types import Array, aval_of
from ....core.values.dimension import Dimension

__all__ = [
    "check_and_canonicalize_user_dtype", "check_valid_dtype", "coerce_to_array", "complex_", "default_complex_dtype",
    "default_float_dtype", "default_int_dtype", "default_types", "default_uint_dtype", "dtype", "float_", "int_",
    "is_weakly_typed_scalar", "jax_dtype", "python_scalar_types", "python_scalar_types_to_dtypes", "safe_to_cast",
    "scalar_type_to_dtype", "short_dtype_name", "to_floating_dtype", "uint",
]

# The dtypes of arrays, from the smallest in each kind, and Python's types that take the dtype of what they meet.
int_types = [
    *_dtypes.small_unsigned_ints, *_dtypes.unsigned_ints, *_dtypes.small_signed_ints, *_dtypes.signed_ints,
]
float_types = [
    _dtypes.float4_e2m1fn, _dtypes.float6_e2m3fn, _dtypes.float6_e3m2fn, _dtypes.float8_e3m4, _dtypes.float8_e4m3,
    _dtypes.float8_e8m0fnu, _dtypes.float8_e4m3b11fnuz, _dtypes.float8_e4m3fn, _dtypes.float8_e4m3fnuz,
    _dtypes.float8_e5m2, _dtypes.float8_e5m2fnuz, *_dtypes.floats,
]
complex_types = list(_dtypes.complexes)
jax_types = [bool_, *int_types, *float_types, *complex_types]
weak_types = [int, float, complex]

DimSize = Union[int, Any]  # noqa: UP007  printed as JAX's
Shape = Sequence[DimSize]

int_, uint, float_, complex_ = np.int64, np.uint64, np.float64, np.complex128

default_int_dtype, default_uint_dtype = default_int, default_uint
default_float_dtype, default_complex_dtype = default_float, default_complex
default_types = {"b": lambda: bool_, "i": default_int, "u": default_uint, "f": default_float, "c": default_complex}

python_scalar_types: set[type] = {bool, int, float, complex, Dimension}
python_scalar_types_to_dtypes: dict[type, np.dtype] = {
    bool: bool_, int: np.dtype(int_), float: np.dtype(float_), complex: np.dtype(complex_), Dimension: np.dtype(int_),
}

short_dtype_name = short_name
check_and_canonicalize_user_dtype = check_user_dtype_supported


def jax_dtype(obj: Any, *, align: bool = False, copy: bool = False) -> np.dtype:
    """Return the dtype of a dtype-like, with JAX's defaults for Python's types.

    >>> jax_dtype(float), jax_dtype("float64")
    (dtype('float32'), dtype('float64'))
    """
    if obj is None or obj is float:
        return default_float()
    if obj is int or obj is complex:
        return canonicalize_dtype(obj)
    return np.dtype(obj, align=align, copy=copy)


def to_floating_dtype(dtype: Any) -> np.dtype:
    """Return the real floating-point dtype in which numbers of a dtype are computed with.

    >>> to_floating_dtype("complex64"), to_floating_dtype("int32")
    (dtype('float32'), dtype('float32'))
    """
    return to_real_dtype(to_inexact_dtype(canonicalize_dtype(dtype)))


def scalar_type_to_dtype(typ: type, value: Any = None) -> np.dtype:
    """Return the dtype of the numbers of a type of Python; OverflowError for an int that it does not hold."""
    found = canonicalize_dtype(python_scalar_types_to_dtypes[typ])
    if typ is int and value is not None and not np.iinfo(found).min <= value <= np.iinfo(found).max:
        raise OverflowError(f"Python int {value} too large to convert to {found.name}")
    return found


def coerce_to_array(x: Any, dtype: Any = None) -> np.ndarray:
    """Return a number or a NumPy array as a NumPy array, of JAX's dtype for Python's numbers."""
    if dtype is None and type(x) in python_scalar_types:
        dtype = scalar_type_to_dtype(type(x), x)
    return np.asarray(x, dtype)


def is_weakly_typed_scalar(x: Any) -> bool:
    """Return whether a value is one number that takes the dtype of what it meets."""
    if type(x) in python_scalar_types:
        return True
    return isinstance(x, Array) and aval_of(x).weak_type and not aval_of(x).shape


def check_valid_dtype(dtype: Any) -> None:
    """Raise TypeError unless arrays may have a dtype."""
    try:
        check_user_dtype_supported(dtype)
    except TypeError:
        raise TypeError(f"Dtype {dtype} is not a valid JAX array type. Only arrays of numeric types are supported by "
                        "JAX.") from None


def safe_to_cast(input_dtype_or_value: Any, output_dtype_or_value: Any) -> bool:
    """Return whether promotion leads from one dtype, or that of a value, to another.

    >>> safe_to_cast("int32", "float32"), safe_to_cast("float32", "int32"), safe_to_cast(1, "int8")
    (True, False, True)
    """
    given, wanted = (
        x if type(x) in python_scalar_types or not isinstance(x, (type, str, np.dtype)) else np.dtype(x)
        for x in (input_dtype_or_value, output_dtype_or_value))
    with numpy_dtype_promotion("standard"):
        return lattice_result_type(given, wanted)[0] == result_type(wanted)


def dtype(x: Any) -> Any:
    """Return the dtype of a value, or the dtype that a dtype-like stands for."""
    if x is None:
        raise ValueError("Invalid argument to dtype: None.")
    if isinstance(x, (type, str, np.dtype)):
        return check_user_dtype_supported(x, "dtype")
    try:
        return dtype_of(x)
    except TypeError:
        raise TypeError(f"Cannot determine dtype of {x}") from None
