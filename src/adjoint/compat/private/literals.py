"""Python scalars of a dtype, and NumPy arrays that may be weakly typed: `jax._src.literals`.

They are numbers and arrays like any other, and operands of their own type.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtypes import all_dtypes, canonicalize_dtype
from ...core.types import ShapedArray, register_aval
from ..extension import valid_jaxtype

__all__ = [
    "InvalidInputException", "TypedComplex", "TypedFloat", "TypedInt", "TypedNdArray", "canonicalize_value",
    "typed_scalar_types",
]


def _typed(kind: type) -> Any:
    class Typed(kind):
        dtype: np.dtype

        def __new__(cls, value: Any, dtype: Any):
            number = super().__new__(cls, value)
            number.dtype = np.dtype(dtype)
            return number

        shape: tuple[int, ...] = ()
        ndim = 0
        weak_type = True

        def __repr__(self):
            return f"{type(self).__name__}({kind(self)!r}, dtype={self.dtype.name})"

        def __getnewargs__(self):
            return kind(self), self.dtype

    Typed.__name__ = Typed.__qualname__ = f"Typed{kind.__name__.capitalize()}"
    Typed.__doc__ = f"A Python {kind.__name__} of a dtype."
    register_aval(Typed, lambda x: ShapedArray((), x.dtype, True))
    return Typed


TypedInt, TypedFloat, TypedComplex = _typed(int), _typed(float), _typed(complex)
typed_scalar_types = {TypedInt, TypedFloat, TypedComplex}


class TypedNdArray(np.ndarray):
    """A NumPy array that says whether it is weakly typed."""

    def __new__(cls, val: np.ndarray, aval: ShapedArray | None = None):
        array = np.asarray(val).view(cls)
        array._is_weak = aval is not None and aval.weak_type
        return array

    def __array_finalize__(self, of):
        self._is_weak = getattr(of, "_is_weak", False)

    weak_type = property(lambda self: self._is_weak)
    aval = property(lambda self: ShapedArray(self.shape, self.dtype, self._is_weak))
    val = property(lambda self: self.view(np.ndarray))

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = lambda x: x.val if isinstance(x, TypedNdArray) else x
        if "out" in kwargs:
            kwargs["out"] = tuple(map(plain, kwargs["out"]))
        return getattr(ufunc, method)(*map(plain, inputs), **kwargs)

    def __repr__(self):
        weak = ", weak_type=True" if self._is_weak else ""
        values = np.array2string(self.val, separator=", ", prefix="TypedNdArray(")
        return f"TypedNdArray({values}, dtype={self.dtype.name}{weak})"

    def __reduce__(self):
        return TypedNdArray, (self.val, self.aval)


register_aval(TypedNdArray, lambda x: x.aval)


class InvalidInputException(TypeError):
    """A value that is no operand."""


def canonicalize_value(x: Any) -> Any:
    """Return a value as an operand that says its own type: numbers and NumPy arrays as typed ones.

    Raises:
      InvalidInputException: it is no operand.
      TypeError: it is None, or a NumPy array of a dtype that no operand has.

    >>> canonicalize_value(2.5), canonicalize_value(np.arange(2))
    (TypedFloat(2.5, dtype=float32), TypedNdArray([0, 1], dtype=int32))
    """
    if x is None:
        raise TypeError("canonicalize_value(): incompatible function arguments.")
    if type(x) in _TYPED:
        kind, dtype = _TYPED[type(x)]
        return kind(x, canonicalize_dtype(dtype))
    if isinstance(x, (np.ndarray, np.generic)) and not isinstance(x, TypedNdArray):
        if x.dtype not in all_dtypes:
            raise TypeError(f"Dtype {x.dtype} is not a valid JAX array type. Only arrays of numeric types are "
                            "supported by JAX.")
        return TypedNdArray(np.asarray(x, canonicalize_dtype(x.dtype)))
    if not valid_jaxtype(x) and not hasattr(x, "dtype"):
        raise InvalidInputException(f"Argument '{x}' of type {type(x)} is not a valid JAX type.")
    return x


_TYPED: dict[type, tuple[Any, type]] = {
    int: (TypedInt, np.int64), float: (TypedFloat, np.float64), complex: (TypedComplex, np.complex128)}
