"""Jaxprs, primitives and traces for those who write interpreters and operations of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...core.dtypes import float0
from ...core.effects import Effect, no_effects
from ...core.errors import ConcretizationTypeError, InconclusiveDimensionOperation, JaxprTypeError
from ...core.jaxpr import (
    ClosedJaxpr,
    DebugInfo,
    DropVar,
    Jaxpr,
    JaxprEqn,
    Literal,
    Var,
    check_jaxpr,
    jaxpr_as_fun,
    sub_jaxprs,
)
from ...core.primitive import Primitive
from ...core.trace import Trace, Tracer, current, state
from ...core.types import AbstractValue, ShapedArray, _aval_rules, aval_of
from ...transforms.vmap import BatchTrace
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

Effects = set[Effect]
array_types: set[type] = {np.ndarray, *(cls for cls in _aval_rules if issubclass(cls, np.generic))} | {
    np.dtype(name).type for name in "? b h i l q B H I L Q e f d F D".split()
}


# ---- jaxprs --------------------------------------------------------------------------------------


def new_jaxpr_eqn(
    invars, outvars, primitive, params, effects=no_effects, source_info=None, ctx=None
) -> JaxprEqn:
    """An equation; its effects are those that the primitive's rule gives."""
    return JaxprEqn(list(invars), list(outvars), primitive, dict(params), effects, source_info, ctx)


def jaxprs_in_params(params: dict[str, Any]) -> Iterator[Jaxpr]:
    """The programs inside an equation's parameters."""
    return sub_jaxprs(params)


def subjaxprs(jaxpr: Jaxpr) -> Iterator[Jaxpr]:
    """The programs inside a program's equations, one level deep."""
    for eqn in jaxpr.eqns:
        yield from sub_jaxprs(eqn.params)


def gensym() -> Callable[[AbstractValue], Var]:
    """A maker of new variables of a type."""
    return Var


class CallPrimitive(Primitive):
    """A primitive whose first operand is a function of the others: `bind(wrapped function, *args)`."""

    call_primitive = True
    multiple_results = True

    def __init__(self, name: str):
        super().__init__(name, multiple_results=True)

    def bind(self, fun, *args, **params):
        """Call the function; the call leaves no mark in the jaxpr."""
        return fun.call_wrapped(*args)


def call_impl(f, *args, **params):
    """Call a wrapped function."""
    return f.call_wrapped(*args)


# ---- types and values ----------------------------------------------------------------------------


class AbstractToken(AbstractValue):
    """The type of a token."""

    __slots__ = ()

    def str_short(self, short_dtypes=False, **_) -> str:
        return "Tok"

    def to_tangent_aval(self) -> ShapedArray:
        return ShapedArray((), float0)


class Token:
    """Stands for a moment in the order of effects."""

    def __init__(self, buf):
        self._buf = buf

    def block_until_ready(self) -> None:
        self._buf.block_until_ready()


def valid_jaxtype(x) -> bool:
    """Whether `x` is an array, a tracer or a scalar.

    >>> valid_jaxtype(1.), valid_jaxtype("a")
    (True, False)
    """
    try:
        aval_of(x)
    except TypeError:
        return False
    return True


def concrete_or_error(force: Callable | None, val: Any, context: str = ""):
    """The concrete value, given to `force`; ConcretizationTypeError for a value that is being traced."""
    if isinstance(val, Tracer):
        known = val.concrete()
        if known is None:
            raise ConcretizationTypeError(val, context)
        val = known
    return val if force is None else force(val)


def mapped_aval(size: int, axis: int | None, aval: ShapedArray) -> ShapedArray:
    """The type of an array's elements along an axis."""
    return aval if axis is None else aval.update(shape=aval.shape[:axis] + aval.shape[axis + 1 :])


def unmapped_aval(size: int, axis: int | None, aval: ShapedArray, explicit_mesh_axis=None) -> ShapedArray:
    """The type with another axis of length `size`."""
    return aval if axis is None else aval.update(shape=(*aval.shape[:axis], size, *aval.shape[axis:]))


def primal_dtype_to_tangent_dtype(primal_dtype):
    """The dtype of tangents: the same for inexact ones, float0 for others."""
    return ShapedArray((), primal_dtype).to_tangent_aval().dtype


# ---- traces --------------------------------------------------------------------------------------


class TraceTag:
    """Tells one transformation's tracers from those of another."""

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other


class OpaqueTraceState:
    """Equal while the same transformations are active."""

    def __init__(self, trace):
        self._trace = trace

    def __eq__(self, other):
        return isinstance(other, OpaqueTraceState) and self._trace is other._trace

    def __hash__(self):
        return id(self._trace)


def get_opaque_trace_state(convention=None) -> OpaqueTraceState:
    """A token to compare: are the same transformations active?"""
    return OpaqueTraceState(state.trace)


def find_top_trace(_) -> Trace:
    """The trace that interprets primitives now."""
    return state.trace


@contextmanager
def set_current_trace(trace: Trace, check_leaks: bool = False):
    """Let `trace` interpret primitives."""
    with current(trace):
        yield


@contextmanager
def take_current_trace():
    """The trace that interprets primitives now, for a trace that is put on top of it."""
    yield state.trace


def _traces() -> Iterator[Trace]:
    trace = state.trace
    while trace is not None:
        yield trace
        trace = trace.parent


def unsafe_am_i_under_a_jit_DO_NOT_USE() -> bool:
    """Whether a jaxpr is being written."""
    return state.trace.stages


def unsafe_am_i_under_a_vmap_DO_NOT_USE() -> bool:
    """Whether something is being mapped."""
    return any([isinstance(trace, BatchTrace) for trace in _traces()])


def unsafe_get_axis_names_DO_NOT_USE() -> list[Any]:
    """The names of the axes in scope."""
    return [name for name, _ in state.axis_env]


def nonempty_axis_env_DO_NOT_USE() -> bool:
    """Whether a named axis is in scope."""
    return bool(state.axis_env)
