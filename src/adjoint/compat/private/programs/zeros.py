"""Tangents and cotangents that are zero: names of `jax._src.ad_util`."""

from __future__ import annotations

from typing import Any

from ....core.types import Array, ShapedArray, aval_of
from ....core.values.zeros import Zero
from ....custom_derivatives import SymbolicZero
from ....transforms.jvp import instantiate
from ..operands.constants import zeros_like_shaped_array

__all__ = ["a2tz", "empty_like_aval", "instantiate", "p2cz", "p2tz", "replace_internal_symbolic_zeros",
           "replace_rule_output_symbolic_zeros", "zeros_like_jaxval"]


def a2tz(aval: ShapedArray) -> Zero:
    """Return the zero tangent of values of a type."""
    return Zero(aval.to_tangent_aval())


def p2tz(primal: Any) -> Zero:
    """Return the zero tangent of a value."""
    return a2tz(aval_of(primal))


p2cz = p2tz


def zeros_like_jaxval(val: Any) -> Array:
    """Return zeros of the type of a value."""
    return zeros_like_shaped_array(aval_of(val))


empty_like_aval = zeros_like_shaped_array


def replace_internal_symbolic_zeros(x: Any) -> Any:
    """Return what rules of users see of a tangent: a `SymbolicZero` for a zero."""
    return SymbolicZero(x.aval) if type(x) is Zero else x


def replace_rule_output_symbolic_zeros(x: Any) -> Any:
    """Return a tangent for what a rule of users gave: a zero for a `SymbolicZero`."""
    return Zero(x.aval) if type(x) is SymbolicZero else x
