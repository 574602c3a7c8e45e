"""Values, lengths, effects and contexts of tracing: small names of `jax._src.core`.

Tests: `tests/compat/test_private_programs.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from ....core import dtypes
from ....core.dimensions.expressions import is_symbolic_dim
from ....core.jaxpr import ClosedJaxpr, Jaxpr, effects_of
from ....core.messages.errors import message
from ....core.state import extend_axis_env
from ....core.trace import Trace, Tracer, state
from ....core.types import AbstractValue, ShapedArray, aval_of
from ....sharding.device import MemorySpace
from ...extension import (
    known_value,
    literalable_types,
    mapped_aval,
    set_current_trace,
    take_current_trace,
    unmapped_aval,
)
from ..values import physical_aval
from .jaxprs import extend_axis_env_nd, typematch

__all__ = [
    "EvalTrace", "ExtendAxisEnvNdContextManager", "SetCurrentTraceContextManager", "TakeCurrentTraceContextManager",
    "cancel_divide_tracers", "canonicalize_slice", "check_bool_conversion", "check_eval_args",
    "check_integer_conversion", "check_scalar_conversion", "dedup_referents", "definitely_equal",
    "definitely_equal_one_of_dim", "dim_value_dtype", "eqn_effects", "eval_trace", "evaluate_shape", "extend_axis_env",
    "filter_named_axis_effects", "is_hoistable", "is_symbolic_dim", "literalable_scalar_types", "mapped_leading_aval",
    "mem_kind_to_space", "mem_space_to_kind", "physical_element_aval", "physical_shape", "positional_effects",
    "replace_jaxpr_effects", "reset_trace_state", "same_referent", "to_concrete_value", "typecompat",
    "unmapped_leading_aval", "unsafe_get_current_trace", "unsafe_get_trace_stack",
]

ExtendAxisEnvNdContextManager = extend_axis_env_nd
SetCurrentTraceContextManager = set_current_trace
TakeCurrentTraceContextManager = take_current_trace
eval_trace = state.bottom
EvalTrace = type(eval_trace)
literalable_scalar_types = {kind for kind in literalable_types if issubclass(kind, np.generic)}


# ---- values --------------------------------------------------------------------------------------


def same_referent(x: Any, y: Any) -> bool:
    """Return whether two names are of one value."""
    return x is y


def dedup_referents(itr: Iterable) -> list:
    """Return values without those that were before."""
    return list({id(x): x for x in itr}.values())


def definitely_equal(x: Any, y: Any) -> bool:
    """Return whether two values are known to be equal; tracers are so where they are one."""
    if x is y:
        return True
    if isinstance(x, Tracer) or isinstance(y, Tracer):
        return False
    return bool(x == y)


def to_concrete_value(x: Any) -> Any:
    """Return the value that is known of something; None where none is."""
    return known_value(x)


def _check_scalar(arr: Any) -> None:
    if arr.ndim > 0:
        raise TypeError(f"Only scalar arrays can be converted to Python scalars; got arr.ndim={arr.ndim}")


def check_scalar_conversion(arr: Any) -> None:
    """Raise TypeError unless an array is a number of Python."""
    _check_scalar(arr)


def check_integer_conversion(arr: Any) -> None:
    """Raise TypeError unless an array is a whole number of Python."""
    if arr.shape != () or not dtypes.issubdtype(arr.dtype, np.integer):
        raise TypeError("Only integer scalar arrays can be converted to a scalar index.")


def check_bool_conversion(arr: Any) -> None:
    """Raise ValueError unless an array has one element, which is true or false."""
    if arr.size == 0:
        raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array "
                         "is not empty.")
    if arr.size > 1:
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")


def check_eval_args(args: Iterable) -> None:
    """Raise if one of some operands is a tracer."""
    for arg in args:
        if isinstance(arg, Tracer):
            raise TypeError(message(f"{arg} is a value of a transformation, and was given to what runs now.",
                                    fix="call it inside of the transformed function"))


# ---- types ---------------------------------------------------------------------------------------


def typecompat(aval_ref: AbstractValue, aval: AbstractValue) -> bool:
    """Return whether a value of one type may stand where another is asked for."""
    return typematch(aval_ref, aval)


def mapped_leading_aval(size: int, aval: ShapedArray) -> Any:
    """Return a type without its first axis."""
    return mapped_aval(size, 0, aval)


def unmapped_leading_aval(size: int, aval: ShapedArray) -> Any:
    """Return a type with one more axis in front."""
    return unmapped_aval(size, 0, aval)


def physical_element_aval(edtype: Any) -> ShapedArray:
    """Return the type of what an element of an extended dtype is stored as."""
    return physical_aval(ShapedArray((), edtype))


def physical_shape(logical_shape: Sequence[int], dtype: Any) -> tuple[int, ...]:
    """Return the shape of what is stored of an array of an extended dtype."""
    return (*logical_shape, *physical_element_aval(dtype).shape)


_KINDS = {None: MemorySpace.Device, "device": MemorySpace.Device, "pinned_host": MemorySpace.Host,
          "unpinned_host": MemorySpace.Host}


def mem_kind_to_space(mem_kind: str | None) -> MemorySpace:
    """Return the memory of a name."""
    if mem_kind not in _KINDS:
        raise ValueError(f"Unknown memory kind: {mem_kind}")
    return _KINDS[mem_kind]


def mem_space_to_kind(mem_space: MemorySpace) -> str:
    """Return the name of a memory."""
    return "device" if mem_space is MemorySpace.Device else "pinned_host"


# ---- lengths -------------------------------------------------------------------------------------


def dim_value_dtype() -> np.dtype:
    """Return the dtype of lengths as values."""
    return dtypes.default_int()


def definitely_equal_one_of_dim(d1: Any, dlist: Sequence) -> bool:
    """Return whether a length is known to be one of others."""
    return any([definitely_equal(d1, d) for d in dlist])


def cancel_divide_tracers(num: Sequence, denom: Sequence) -> Any:
    """Return the quotient of two products whose tracers are the same; None where they are not."""
    left, right = ([id(x) for x in xs if isinstance(x, Tracer)] for xs in (num, denom))
    if sorted(left) != sorted(right):
        return None
    one, other = (int(np.prod([x for x in xs if not isinstance(x, Tracer)])) for xs in (num, denom))
    return 1 if one == other == 0 else one // other


def canonicalize_slice(s: slice, axis_size: Any) -> tuple[Any, Any, Any]:
    """Return where a slice of an axis begins, its step, and how many elements it has."""
    start, stop, step = s.indices(axis_size)
    return start, step, len(range(start, stop, step))


def evaluate_shape(shape: Sequence, dim_vars: Sequence[str], *dim_values: Any) -> tuple:
    """Return lengths, with numbers for symbols."""
    known = dict(zip(dim_vars, dim_values, strict=True))
    return tuple([d._evaluate(known) if is_symbolic_dim(d) else d for d in shape])


# ---- effects -------------------------------------------------------------------------------------


def eqn_effects(jaxpr: Jaxpr | ClosedJaxpr, invars: Sequence) -> set:
    """Return the effects of a program that is called."""
    return set(effects_of(jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr))


def positional_effects(jaxpr: Jaxpr | ClosedJaxpr) -> set:
    """Return the effects of a program."""
    return eqn_effects(jaxpr, ())


def filter_named_axis_effects(effects: Iterable, names: Collection) -> set:
    """Return effects without those on named axes: programs here have none of these."""
    return set(effects)


def replace_jaxpr_effects(jaxpr: ClosedJaxpr, effects: Any) -> ClosedJaxpr:
    """Return a program as it is: what effects it has are those of its equations."""
    return jaxpr


# ---- contexts of tracing -------------------------------------------------------------------------


def unsafe_get_current_trace() -> Trace:
    """Return what gets the operations."""
    return state.trace


def unsafe_get_trace_stack(trace: Trace) -> list[Trace]:
    """Return a trace and those that it stands on, the outermost first."""
    found: list[Trace] = []
    while trace is not None:
        found.insert(0, trace)
        trace = trace.parent
    return found


def reset_trace_state() -> bool:
    """Return to the evaluation of operations; False if they were not evaluated."""
    if state.trace is state.bottom and not state.axis_env:
        return True
    state.trace, state.axis_env = state.bottom, ()
    return False


def is_hoistable(v: Any) -> bool:
    """Return whether a constant of a program can be an operand: an array with axes."""
    return bool(np.shape(aval_of(v.val)))
