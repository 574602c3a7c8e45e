"""Types and effects of references: names of `jax._src.state.types`.

Tests: `tests/compat/test_private_state.py`.
"""

from __future__ import annotations

from typing import Any

from ....core.types import ShapedArray, aval_of
from ....core.values.refs import AbstractRef
from ....core.values.refs import RefEffect as Touched
from ....core.values.views import RefView
from ..programs.effect_sets import JaxprInputEffect

__all__ = ["AccumEffect", "ReadEffect", "RefEffect", "TransformedRef", "Uninitialized", "WriteEffect",
           "get_ref_aval_from_value", "shaped_array_ref", "uninitialized"]

RefEffect = Touched
TransformedRef = RefView


class _OfOperand(JaxprInputEffect, Touched):
    """An effect on one reference among the operands of a program."""

    name: str

    def __str__(self) -> str:
        return f"{self.name}<{self.input}>"


class ReadEffect(_OfOperand):
    """A reference is read."""

    name = "Read"


class WriteEffect(_OfOperand):
    """A reference is written."""

    name = "Write"


class AccumEffect(_OfOperand):
    """Something is added to what a reference holds."""

    name = "Accum"


class Uninitialized:
    """Stands for a value that a reference does not have yet."""


uninitialized = Uninitialized()


def shaped_array_ref(shape: tuple[int, ...], dtype: Any, weak_type: bool = False) -> AbstractRef:
    """Return the type of a reference to an array."""
    return AbstractRef(ShapedArray(shape, dtype, weak_type))


def get_ref_aval_from_value(x: Any) -> tuple[AbstractRef, Any]:
    """Return the type of a reference to a value, and the value."""
    return AbstractRef(aval_of(x).strip_weak_type()), x
