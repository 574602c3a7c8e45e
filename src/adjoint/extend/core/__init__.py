"""Jaxprs, primitives and traces for those who write interpreters and operations of their own."""

from __future__ import annotations

from ...compat.extension import (
    CallPrimitive,
    Effects,
    TraceTag,
    array_types,
    call_impl,
    concrete_or_error,
    find_top_trace,
    gensym,
    get_opaque_trace_state,
    jaxpr_as_fun,
    jaxprs_in_params,
    mapped_aval,
    new_jaxpr_eqn,
    nonempty_axis_env_DO_NOT_USE,
    primal_dtype_to_tangent_dtype,
    set_current_trace,
    subjaxprs,
    take_current_trace,
    unmapped_aval,
    unsafe_am_i_under_a_jit_DO_NOT_USE,
    unsafe_am_i_under_a_vmap_DO_NOT_USE,
    unsafe_get_axis_names_DO_NOT_USE,
    valid_jaxtype,
)
from ...core.effects import Effect, no_effects
from ...core.jaxpr import ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, Var
from ...core.messages.boundaries import explain_missing as _explain_missing
from ...core.messages.errors import InconclusiveDimensionOperation, JaxprTypeError
from ...core.messages.places import DebugInfo
from ...core.passes import check_jaxpr
from ...core.primitive import Primitive
from ...core.values.tokens import AbstractToken, Token
from . import primitives

__all__ = [
    "AbstractToken", "CallPrimitive", "ClosedJaxpr", "DebugInfo", "DropVar", "Effect", "Effects",
    "InconclusiveDimensionOperation", "Jaxpr", "JaxprEqn", "JaxprTypeError", "Literal", "Primitive", "Token",
    "TraceTag", "Var", "array_types", "call_impl", "check_jaxpr", "concrete_or_error", "find_top_trace",
    "gensym", "get_opaque_trace_state", "jaxpr_as_fun", "jaxprs_in_params", "mapped_aval", "new_jaxpr_eqn",
    "no_effects", "nonempty_axis_env_DO_NOT_USE", "primal_dtype_to_tangent_dtype", "primitives",
    "set_current_trace", "subjaxprs", "take_current_trace", "unmapped_aval",
    "unsafe_am_i_under_a_jit_DO_NOT_USE", "unsafe_am_i_under_a_vmap_DO_NOT_USE",
    "unsafe_get_axis_names_DO_NOT_USE", "valid_jaxtype",
]

_explain_missing(globals())
