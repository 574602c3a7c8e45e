"""Python scalars of a dtype: `jax._src.literals`.

They are numbers like any other, and weakly typed operands of their own dtype.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.types import ShapedArray, register_aval

__all__ = ["TypedComplex", "TypedFloat", "TypedInt", "typed_scalar_types"]


def _typed(kind: type) -> Any:
    class Typed(kind):
        dtype: np.dtype

        def __new__(cls, value: Any, dtype: Any):
            number = super().__new__(cls, value)
            number.dtype = np.dtype(dtype)
            return number

        shape: tuple[int, ...] = ()
        ndim = 0

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
