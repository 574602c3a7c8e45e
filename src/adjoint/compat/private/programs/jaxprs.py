"""Programs: types, shapes, uses of variables, conversions. Names of `jax._src.core`, `partial_eval` and `dispatch`."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ....core.dtypes import default_int
from ....core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs
from ....core.messages.errors import message
from ....core.passes import dce_jaxpr
from ....core.state import extend_axis_env
from ....core.trace import current, state
from ....core.types import AbstractValue, ShapedArray, aval_of
from ....core.values.dimension import as_length, greater, lesser
from ....lax.shape import canonical_shape
from ...extension import AxisEnv, Effects, literalable_types, trace_ctx
from ..operands.constants import dilated_shape

__all__ = [
    "axis_frame", "canonicalize_dim", "canonicalize_shape", "check_arg", "clean_up_dead_vars", "close_jaxpr",
    "concrete_dim_or_error", "convert_constvars_jaxpr", "convert_invars_to_constvars", "dilate_dim",
    "dim_value_aval", "dimension_as_value", "divide_shape_sizes", "eval_context", "extend_axis_env_nd",
    "get_axis_env", "identity", "is_dim", "is_empty_shape", "is_literalable", "jaxpr_has_primitive", "join_effects",
    "last_used", "max_dim", "min_dim", "move_binders_to_back", "move_binders_to_front", "prune_closed_jaxpr_outputs",
    "prune_jaxpr_outputs", "stride_dim", "typecheck", "typematch",
]


def identity(x: Any) -> Any:
    """Return the value itself."""
    return x


# ---- types and shapes ----------------------------------------------------------------------------


def typematch(t1: AbstractValue, t2: AbstractValue, no_dtype_check: bool = False) -> bool:
    """Return whether two types are the same but for weakness, and if that is asked for, but for dtypes."""
    if not isinstance(t1, ShapedArray) or not isinstance(t2, ShapedArray):
        return t1 == t2
    same = t1.update(weak_type=False), t2.update(weak_type=False)
    return t1.shape == t2.shape if no_dtype_check else same[0] == same[1]


def typecheck(aval: AbstractValue, x: Any) -> bool:
    """Return whether a value is of a type, but for weakness."""
    return typematch(aval, aval_of(x))


def is_literalable(x: Any, for_ad: bool = False) -> bool:
    """Return whether a value is written into programs as a literal: a number, of Python or NumPy."""
    return type(x) in literalable_types and not getattr(x, "shape", ())


def canonicalize_shape(shape: Any, context: str = "") -> tuple:
    """Return a shape as a tuple of lengths; TypeError if it is none."""
    return canonical_shape(shape, f" {context}." if context else "")


def canonicalize_dim(d: Any, context: str = "") -> Any:
    """Return a length of an axis; TypeError if it is none."""
    return canonicalize_shape((d,), context)[0]


def concrete_dim_or_error(val: Any, context: str = "") -> Any:
    """Return a length of an axis, which must be known."""
    return as_length(val)


def is_dim(v: Any) -> bool:
    """Return whether a value can be the length of an axis."""
    try:
        as_length(v)
    except TypeError:
        return False
    return True


def is_empty_shape(s: Sequence) -> bool:
    """Return whether arrays of a shape have no elements."""
    return any([d == 0 for d in s])


def dilate_dim(d: Any, dilation: Any) -> Any:
    """Return the length of an axis with holes between its elements."""
    return dilated_shape((d,), (dilation,))[0]


def stride_dim(d: Any, window_size: Any, window_stride: Any) -> Any:
    """Return how many windows there are along an axis."""
    return greater(0, (d - window_size) // window_stride + 1)


def min_dim(d1: Any, d2: Any) -> Any:
    """Return the lesser of two lengths."""
    return lesser(d1, d2)


def max_dim(d1: Any, d2: Any) -> Any:
    """Return the greater of two lengths."""
    return greater(d1, d2)


def divide_shape_sizes(s1: Sequence, s2: Sequence) -> Any:
    """Return how many times the elements of one shape go into those of another; TypeError if they do not."""
    one, other = math.prod(s1), math.prod(s2)
    if one == other == 0:
        return 1
    if other == 0 or one % other:
        raise TypeError(f"Cannot divide evenly the sizes of shapes {tuple(s1)} and {tuple(s2)}")
    return one // other


def dim_value_aval() -> ShapedArray:
    """Return the type of lengths as values."""
    return ShapedArray((), default_int(), True)


def dimension_as_value(d: Any) -> Any:
    """Return a length as a value of the program."""
    return d.__jax_array__() if hasattr(d, "__jax_array__") else d


# ---- where programs are traced -------------------------------------------------------------------


def axis_frame(axis_name: Any) -> int:
    """Return the length of a named axis; NameError if it is not in scope."""
    return trace_ctx.axis_env.axis_size(axis_name)


def get_axis_env() -> AxisEnv:
    """Return the named axes in scope."""
    return trace_ctx.axis_env


def extend_axis_env_nd(name_size_pairs: Iterable[tuple[Any, int]]) -> Any:
    """Return a context in which there are more named axes."""
    return extend_axis_env(*name_size_pairs)


@contextlib.contextmanager
def eval_context() -> Iterator[None]:
    """Evaluate what the block computes, whatever is being traced."""
    with current(state.bottom):
        yield


def check_arg(arg: Any) -> None:
    """Raise TypeError unless a value can be an operand."""
    try:
        aval_of(arg)
    except TypeError:
        raise TypeError(message(f"Argument '{arg}' of type {type(arg)} is not a valid JAX type.",
                                fix="an array or a number")) from None


# ---- programs ------------------------------------------------------------------------------------


def join_effects(*effects: Effects) -> Effects:
    """Return all effects of some sets."""
    return set().union(*effects)


def last_used(jaxpr: Jaxpr) -> dict[Var, JaxprEqn | None]:
    """Return for each variable the last equation that reads it; None for results of the program."""
    last: dict[Var, JaxprEqn | None] = {v: None for v in jaxpr.outvars if type(v) is not Literal}
    for eqn in reversed(jaxpr.eqns):
        for v in eqn.invars:
            if type(v) is not Literal and v not in last:
                last[v] = eqn
    return last


def clean_up_dead_vars(eqn: JaxprEqn, env: dict[Var, Any], last_used: dict[Var, JaxprEqn | None]) -> None:
    """Forget the values of variables that are not read after an equation."""
    for v in {v for v in eqn.invars if type(v) is not Literal}:
        if last_used[v] is eqn:
            del env[v]


def jaxpr_has_primitive(jaxpr: Jaxpr, prim_name: str) -> bool:
    """Return whether a primitive is in a program or in those inside."""
    return any([prim_name in eqn.primitive.name for eqn in jaxpr.eqns]) or any(
        [jaxpr_has_primitive(sub, prim_name) for eqn in jaxpr.eqns for sub in sub_jaxprs(eqn.params)])


def close_jaxpr(jaxpr: Jaxpr) -> ClosedJaxpr:
    """Return a program without constants as a closed one."""
    return ClosedJaxpr(jaxpr, ())


def convert_constvars_jaxpr(jaxpr: Jaxpr) -> Jaxpr:
    """Return a program whose constants are its first arguments."""
    return jaxpr.replace(constvars=[], invars=[*jaxpr.constvars, *jaxpr.invars], debug_info=None)


def convert_invars_to_constvars(jaxpr: Jaxpr, n: int) -> Jaxpr:
    """Return a program whose first arguments are constants."""
    return jaxpr.replace(constvars=jaxpr.invars[:n], invars=jaxpr.invars[n:], debug_info=None) if n else jaxpr


def move_binders_to_front(closed_jaxpr: ClosedJaxpr, to_move: Sequence[bool]) -> ClosedJaxpr:
    """Return a program with some of its arguments first."""
    pairs = list(zip(closed_jaxpr.jaxpr.invars, to_move, strict=True))
    invars = [v for v, moves in pairs if moves] + [v for v, moves in pairs if not moves]
    return closed_jaxpr.replace(jaxpr=closed_jaxpr.jaxpr.replace(invars=invars, debug_info=None))


def move_binders_to_back(closed_jaxpr: ClosedJaxpr, to_move: Sequence[bool]) -> ClosedJaxpr:
    """Return a program with some of its arguments last."""
    return move_binders_to_front(closed_jaxpr, [not moves for moves in to_move])


def prune_jaxpr_outputs(jaxpr: Jaxpr, used_outputs: Sequence[bool]) -> Jaxpr:
    """Return a program with some of its results, and without what only others needed."""
    return dce_jaxpr(jaxpr, used_outputs, True)[0]


def prune_closed_jaxpr_outputs(jaxpr: ClosedJaxpr, used_outputs: Sequence[bool]) -> ClosedJaxpr:
    """Return a closed program with some of its results."""
    return jaxpr.replace(jaxpr=prune_jaxpr_outputs(jaxpr.jaxpr, used_outputs))
