"""Names that are not functions: scalar types, categories of dtypes, constants; and what dtypes promote to.

`jnp.float32` is a dtype wherever one is asked for, equals NumPy's, and makes an array when called:
there are no scalars besides arrays of rank 0.

Tests: `tests/core/test_dtypes.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import finfo, iinfo, isdtype, promote_types
from ..core.dtypes import issubdtype as _issubdtype
from ..core.types import Array as ndarray
from .conversion import asarray

character = np.character
complexfloating = np.complexfloating
flexible = np.flexible
floating = np.floating
generic = np.generic
inexact = np.inexact
integer = np.integer
number = np.number
object_ = np.object_
signedinteger = np.signedinteger
unsignedinteger = np.unsignedinteger

dtype = np.dtype
ComplexWarning = np.exceptions.ComplexWarning

e = math.e
euler_gamma = np.euler_gamma
inf = math.inf
nan = math.nan
newaxis = None
pi = math.pi


class ScalarType(type):
    """The class of `jnp.float32` and the like.

    >>> jnp.float32(1.5), jnp.float32 == np.float32, np.dtype(jnp.float32)
    (Array(1.5, dtype=float32), True, dtype('float32'))
    """

    dtype: np.dtype

    def __call__(cls, x: Any):
        return asarray(x, dtype=cls.dtype)

    def __eq__(cls, other):
        if isinstance(other, (ScalarType, np.dtype)):
            return cls.dtype == getattr(other, "dtype", other)
        return other is cls.dtype.type

    def __ne__(cls, other):
        return not cls == other

    def __hash__(cls):
        return hash(cls.dtype.type)

    def __instancecheck__(cls, instance):
        return isinstance(instance, cls.dtype.type)


_BYTES_OF_WIDE = 8  # bytes of a number that needs 64-bit types to be on


def _scalar_type(dtype: np.dtype) -> ScalarType:
    is_wide = dtype.itemsize == _BYTES_OF_WIDE * (1 + (dtype.kind == "c"))
    wide = ", or the 32-bit one unless 64-bit types are on" if is_wide else ""
    doc = (
        f"A constructor of arrays of dtype {dtype.name}, and that dtype.\n\nArgs:\n  x: array, scalar or nested lists, "
        f"which are converted.\nReturns:\n  An array of this dtype{wide}, of the shape of `x`.\n"
        f"Raises:\n  TypeError, ValueError: `x` is not of numbers.\n\n>>> jnp.{dtype.name}.dtype\n{dtype!r}"
    )
    return ScalarType(dtype.name, (), {"dtype": dtype, "__doc__": doc, "__module__": "adjoint.numpy"})


_TYPES = {dtype.name: _scalar_type(dtype) for dtype in dtypes.all_dtypes}
globals().update(_TYPES)

bool_ = _TYPES["bool"]
cdouble = complex_ = _TYPES["complex128"]
csingle = _TYPES["complex64"]
double = float_ = _TYPES["float64"]
int_ = _TYPES["int64"]
single = _TYPES["float32"]
uint = _TYPES["uint64"]

__all__ = [
    *_TYPES, "ComplexWarning", "bool_", "can_cast", "cdouble", "character", "complex_", "complexfloating",
    "csingle", "double", "dtype", "e", "euler_gamma", "finfo", "flexible", "float_", "floating", "generic",
    "iinfo", "inexact", "inf", "int_", "integer", "isdtype", "issubdtype", "nan", "ndarray", "newaxis",
    "number", "object_", "pi", "promote_types", "result_type", "signedinteger", "single", "uint",
    "unsignedinteger",
]


def issubdtype(arg1, arg2) -> bool:
    """Return whether a dtype is another, or belongs to a category of scalars.

    Args:
      arg1: a dtype, or what names one.
      arg2: a dtype, or a category such as `jnp.floating`, `jnp.integer` or `jnp.inexact`.
    Returns:
      A bool of Python.
    Raises:
      TypeError: one of them names no dtype and no category.

    >>> jnp.issubdtype(jnp.bfloat16, jnp.floating)
    True
    """
    return _issubdtype(arg1, arg2)


def can_cast(from_, to, casting="safe") -> bool:
    """Return whether one dtype can be converted to another.

    Args:
      from_: a dtype, or an array, whose dtype counts.
      to: a dtype.
      casting: how far conversions go: "no", "equiv", "safe", "same_kind" or "unsafe".
    Raises:
      TypeError: `from_` is a number of Python, which has no dtype.

    >>> jnp.can_cast(jnp.int8, jnp.int16), jnp.can_cast(jnp.ones(2), jnp.int16)
    (True, False)
    """
    return np.can_cast(from_.dtype if isinstance(from_, ndarray) else from_, to, casting)


def result_type(*args: Any) -> Any:
    """Return the dtype of an operation on values.

    Args:
      args: arrays, scalars, dtypes or what names them; None stands for the default float.
    Returns:
      A dtype.
    Raises:
      TypePromotionError: they have no dtype in common.
      TypeError: one has no dtype, or one without arithmetic.

    >>> jnp.result_type(jnp.int8(1), 2.0), jnp.result_type("int16", jnp.uint16)
    (dtype('float32'), dtype('int32'))
    """
    return dtypes.result_type(*args)
