"""Names for those who write interpreters and operations of their own: those of `jax.extend.core`.

`adjoint.core` has those that `jax.core` still has. They are thin: a view of a table or of the
state of this thread.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core.effects import Effect
from ..core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Var, sub_jaxprs
from ..core.messages.boundaries import scope
from ..core.messages.errors import ConcretizationTypeError
from ..core.passes import custom_typechecks
from ..core.primitive import Primitive
from ..core.trace import Trace, Tracer, current, eval_jaxpr, state
from ..core.types import AbstractValue, ShapedArray, _aval_rules, aval_of
from ..core.values.tokens import AbstractToken, Token, abstract_token
from ..transforms.jvp import JVPTracer

__all__ = [
    "AbstractToken", "CallPrimitive", "Effects", "OutputType", "Token", "TraceTag", "abstract_token",
    "array_types", "aval_mapping_handlers", "call", "call_impl", "call_p",
    "closed_call_p", "concrete_or_error", "concretization_function_error", "custom_typechecks",
    "find_top_trace", "gensym", "get_opaque_trace_state", "is_concrete", "is_constant_dim",
    "is_constant_shape", "jaxpr_as_fun", "jaxprs_in_params", "literalable_types", "mapped_aval", "new_jaxpr_eqn",
    "no_axis_name", "nonempty_axis_env_DO_NOT_USE", "primal_dtype_to_tangent_dtype", "pytype_aval_mappings",
    "set_current_trace", "subjaxprs", "take_current_trace", "trace_ctx", "unmapped_aval",
    "unsafe_am_i_under_a_jit_DO_NOT_USE", "unsafe_am_i_under_a_vmap_DO_NOT_USE",
    "unsafe_get_axis_names_DO_NOT_USE", "valid_jaxtype",
]

Effects = set[Effect]
OutputType = tuple[AbstractValue, ...]
array_types: set[type] = {np.ndarray, *(cls for cls in _aval_rules if issubclass(cls, np.generic))} | {
    np.dtype(name).type for name in "? b h i l q B H I L Q e f d F D".split()
}


# ---- jaxprs --------------------------------------------------------------------------------------


def new_jaxpr_eqn(
    invars, outvars, primitive, params, effects, source_info=None, ctx=None
) -> JaxprEqn:
    """Return an equation; its effects are those that the primitive's rule gives.

    Args:
      invars: variables and literals.
      outvars: variables.
      primitive: what is computed.
      params: its parameters.
      effects: is not read.
      source_info, ctx: the place in the user's program, and the options there.
    Returns:
      A `JaxprEqn`.

    >>> from adjoint.extend import core
    >>> eqn = make_jaxpr(lambda x: x + 1)(1.).eqns[0]
    >>> core.new_jaxpr_eqn(eqn.invars, eqn.outvars, eqn.primitive, eqn.params, set()).primitive
    add
    """
    return JaxprEqn(list(invars), list(outvars), primitive, dict(params), effects, source_info, ctx)


def jaxprs_in_params(params: dict[str, Any]) -> Iterator[Jaxpr]:
    """Return the programs inside of an equation's parameters.

    Args:
      params: the parameters.
    Yields:
      Jaxprs, those in tuples and lists too.

    >>> eqn = make_jaxpr(jit(lambda x: x * 2))(1.0).jaxpr.eqns[0]
    >>> [len(jaxpr.eqns) for jaxpr in jaxprs_in_params(eqn.params)]
    [1]
    """
    return sub_jaxprs(params)


def subjaxprs(jaxpr: Jaxpr) -> Iterator[Jaxpr]:
    """Return the programs inside of a program's equations, one level deep.

    Args:
      jaxpr: the program.
    Yields:
      Jaxprs.

    >>> closed = make_jaxpr(jit(lambda x: x * 2))(1.0)
    >>> [len(jaxpr.eqns) for jaxpr in subjaxprs(closed.jaxpr)]
    [1]
    """
    for eqn in jaxpr.eqns:
        yield from sub_jaxprs(eqn.params)


def gensym() -> Callable[[AbstractValue], Var]:
    """Return a maker of new variables of a type.

    Returns:
      A function of a type, such as a `ShapedArray`.

    >>> from adjoint.extend import core
    >>> core.gensym()(typeof(1.)).aval
    ShapedArray(float32[], weak_type=True)
    """
    return Var


class CallPrimitive(Primitive):
    """A primitive whose first operand is a function of the others: `bind(wrapped function, *args)`.

    Args:
      name: the name, as it is printed.
      multiple_results: whether there is a list of results.
      linear: whether the operation is linear in all of its operands.
      program: whether a parameter holds a program.
      is_listed: as of `Primitive`; calls are never listed.

    >>> from adjoint.extend import linear_util as lu
    >>> core.CallPrimitive("marked_call").bind(lu.wrap_init(lambda x: [2 * x]), 3.)
    [6.0]
    """

    call_primitive = True
    multiple_results = True

    def bind(self, fun, *args, **params):
        """Call the function; the call leaves no mark in the jaxpr.

        Args:
          fun: a `WrappedFun`.
          args: its arguments.
          params: parameters, which no mark in the jaxpr keeps.
        Returns:
          What the function returns.

        >>> from adjoint.extend import linear_util as lu
        >>> core.call(lu.wrap_init(lambda x, y: [x + y]), 1., 2.)
        [3.0]
        """
        return fun.call_wrapped(*args)


call_p, closed_call_p = CallPrimitive("call"), CallPrimitive("closed_call")
call = call_p.bind


def call_impl(f, *args, **params):
    """Call a wrapped function.

    Args:
      f: a `WrappedFun`.
      *args: its arguments.
      **params: are not read.
    Returns:
      What it returns.
    Raises:
      AttributeError: `f` is no `WrappedFun`.

    >>> from adjoint.extend import core, linear_util
    >>> core.call_impl(linear_util.wrap_init(lambda x: [x + 1]), 2)
    [3]
    """
    return f.call_wrapped(*args)


# ---- types and values ----------------------------------------------------------------------------


pytype_aval_mappings = _aval_rules  # a value's type -> a function from the value to its abstract value
literalable_types: set[type] = {bool, int, float, complex} | array_types


def valid_jaxtype(x) -> bool:
    """Return whether `x` is an array, a tracer or a scalar.

    Args:
      x: any object.
    Returns:
      A bool.

    >>> valid_jaxtype(1.), valid_jaxtype("a")
    (True, False)
    """
    try:
        aval_of(x)
    except TypeError:
        return False
    return True


def concrete_or_error(force: Callable | None, val: Any, context: str = ""):
    """Return the concrete value, given to a function.

    Args:
      force: such as `int`; None for the value itself.
      val: the value.
      context: what needs it, for the error.
    Returns:
      ``force(val)``
    Raises:
      ConcretizationTypeError: the value is being traced.

    >>> concrete_or_error(int, jnp.array(3))
    3
    """
    if isinstance(val, Tracer):
        known = known_value(val)
        if known is None:
            raise ConcretizationTypeError(val, context)
        val = known
    return val if force is None else force(val)


def is_concrete(x) -> bool:
    """Return whether the value of `x` is known: always outside of tracing, and of what `grad` of a known value sees.

    Args:
      x: a value.

    >>> is_concrete(2.), jit(lambda x: is_concrete(x))(2.)
    (True, Array(False, dtype=bool))
    """
    return not isinstance(x, Tracer) or known_value(x) is not None


def known_value(x):
    """Return the value that JAX knows of something: not that of a constant of the program that is being traced."""
    while isinstance(x, JVPTracer):
        x = x.primal
    return None if isinstance(x, Tracer) else x


def concretization_function_error(fun: Callable, suggest_astype: bool = False) -> Callable:
    """Return a method that raises the error of `fun(x)` for a traced `x`, such as `float(x)`.

    Args:
      fun: the function of Python or NumPy that needs a number.
      suggest_astype: say in the message how to change a dtype.

    >>> fail = core.concretization_function_error(int)
    >>> try:
    ...     jit(lambda x: fail(None, x))(1.)
    ... except adjoint.errors.ConcretizationTypeError as error:
    ...     print(str(error).splitlines()[0][:60])
    Abstract tracer value encountered where concrete value is ex
    """
    name = getattr(fun, "__name__", fun)
    advice = f"The problem arose with the `{name}` function. "
    if suggest_astype:
        advice += (
            "If trying to convert the data type of a value, try using "
            f"`x.astype({name})` or `jnp.array(x, {name})` instead."
        )

    def error(self, arg):
        raise ConcretizationTypeError(arg, advice)

    return error


def is_constant_dim(d) -> bool:
    """Return whether a length is a number.

    Args:
      d: a length.

    >>> is_constant_dim(3), is_constant_dim("n")
    (True, False)
    """
    return isinstance(d, (int, float, np.integer)) and int(d) == d


def is_constant_shape(s) -> bool:
    """Return whether all lengths are numbers.

    Args:
      s: a shape.

    >>> n, = export.symbolic_shape("n")
    >>> core.is_constant_shape((2, 3)), core.is_constant_shape((2, n))
    (True, False)
    """
    return all([is_constant_dim(d) for d in s])


def _without_axis(size: int, axis: int | None, aval: ShapedArray) -> ShapedArray:
    return aval if axis is None else aval.update(shape=aval.shape[:axis] + aval.shape[axis + 1 :])


def _with_axis(size: int, axis: int | None, mesh_axis, aval: ShapedArray) -> ShapedArray:
    return aval if axis is None else aval.update(shape=(*aval.shape[:axis], size, *aval.shape[axis:]))


# For each kind of type: how it loses an axis that is mapped, and how it gets it back.
aval_mapping_handlers: dict[type, tuple[Callable, Callable]] = {
    ShapedArray: (_without_axis, _with_axis),
    AbstractToken: (lambda size, axis, aval: aval, lambda size, axis, mesh_axis, aval: aval),
}


def mapped_aval(size: int, axis: int | None, aval: AbstractValue) -> Any:
    """Return the type of an array's elements along an axis.

    Args:
      size: the length of the axis.
      axis: which one; None leaves the type as it is.
      aval: the type.
    Returns:
      The type without the axis.

    >>> mapped_aval(3, 0, typeof(jnp.ones((3, 2))))
    ShapedArray(float32[2])
    """
    return _handlers(aval)[0](size, axis, aval)


def unmapped_aval(size: int, axis: int | None, aval: AbstractValue, explicit_mesh_axis=None) -> Any:
    """Return the type with another axis.

    Args:
      size: the length of the axis.
      axis: where it is put; None leaves the type as it is.
      aval: the type.
      explicit_mesh_axis: over which mesh axes it is divided.
    Returns:
      The type.

    >>> unmapped_aval(3, 0, typeof(jnp.ones(2)))
    ShapedArray(float32[3,2])
    """
    return _handlers(aval)[1](size, axis, explicit_mesh_axis, aval)


def _handlers(aval) -> tuple[Callable, Callable]:
    if type(aval) not in aval_mapping_handlers:
        raise TypeError(f"no mapping handler for {aval} of type {type(aval)}")
    return aval_mapping_handlers[type(aval)]


def primal_dtype_to_tangent_dtype(primal_dtype):
    """Return the dtype of tangents: the same for inexact ones, float0 for others.

    Args:
      primal_dtype: the dtype.
    Returns:
      A NumPy dtype.

    >>> primal_dtype_to_tangent_dtype(np.dtype('float32'))
    dtype('float32')
    >>> primal_dtype_to_tangent_dtype(np.dtype('int32'))
    dtype([('float0', 'V')])
    """
    return ShapedArray((), primal_dtype).to_tangent_aval().dtype


# ---- traces --------------------------------------------------------------------------------------


class TraceTag:
    """Tells one transformation's tracers from those of another.

    >>> from adjoint.extend.core import TraceTag
    >>> TraceTag() == TraceTag()
    False
    """

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other


class TracingContext:
    """The state of this thread: the trace that interprets primitives, and the axes that have names."""

    @property
    def trace(self) -> Trace:
        """Return the trace that interprets primitives now."""
        return state.trace

    @property
    def axis_env(self) -> AxisEnv:
        """Return the named axes in scope."""
        return AxisEnv(dict(state.axis_env))

    def is_top_level(self) -> bool:
        """Return whether no transformation is active."""
        return state.trace is state.bottom and not state.axis_env

    def set_trace(self, trace: Trace) -> None:
        """Let `trace` interpret primitives from now on."""
        state.trace = trace

    def set_axis_env(self, axis_env: AxisEnv) -> None:
        """Have other named axes in scope from now on."""
        state.axis_env = tuple(axis_env.axis_sizes.items())

    def reset(self) -> None:
        """Leave all transformations."""
        state.trace, state.axis_env = state.bottom, ()


class AxisEnv:
    """Named axes and their sizes."""

    def __init__(self, axis_sizes: dict[Any, int]):
        self.axis_sizes = axis_sizes

    def axis_size(self, axis_name) -> int:
        """Return the length of an axis; NameError if it is not in scope."""
        if axis_name not in self.axis_sizes:
            raise NameError(f"unbound axis name: {axis_name}")
        return self.axis_sizes[axis_name]

    def axis_exists(self, axis_name) -> bool:
        """Return whether an axis is in scope."""
        return axis_name in self.axis_sizes

    def axis_names(self) -> tuple:
        """Return the names in scope."""
        return tuple(self.axis_sizes)


trace_ctx = TracingContext()
no_axis_name = object()  # the name of axes that have none


class OpaqueTraceState:
    """Equal while the same transformations are active."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, trace):
        # A mesh or a device that is set evaluates by a trace of its own, and transforms nothing.
        self._trace = None if trace is state.bottom else trace

    def __eq__(self, other):
        return isinstance(other, OpaqueTraceState) and self._trace is other._trace


def get_opaque_trace_state(convention=None) -> OpaqueTraceState:
    """Return a token to compare: are the same transformations active?

    Args:
      convention: is not read.
    Returns:
      An object that equals another if they are.

    >>> from adjoint.extend import core
    >>> outside = core.get_opaque_trace_state()
    >>> outside == core.get_opaque_trace_state()
    True
    >>> jit(lambda x: print(outside == core.get_opaque_trace_state()))(1.)
    False
    """
    return OpaqueTraceState(state.trace)


def find_top_trace(_) -> Trace:
    """Return the trace that interprets primitives now.

    Args:
      _: is not read.
    Returns:
      A `Trace`.

    >>> from adjoint.extend import core
    >>> type(core.find_top_trace(())).__name__
    'EvalTrace'
    """
    return state.trace


@scope
def set_current_trace(trace: Trace, check_leaks: bool = False):
    """Let a trace interpret primitives inside of a `with` block.

    Args:
      trace: the trace.
      check_leaks: is not read.
    Returns:
      A context manager.

    >>> from adjoint.extend import core
    >>> with core.take_current_trace() as trace, core.set_current_trace(trace):
    ...     print(jnp.sin(0.))
    0.0
    """
    with current(trace):
        yield


@scope
def take_current_trace():
    """Return the trace that interprets primitives now, for a trace that is put on top of it.

    Returns:
      A context manager that gives the trace.

    >>> from adjoint.extend import core
    >>> with core.take_current_trace() as trace, core.set_current_trace(trace):
    ...     print(jnp.sin(0.))
    0.0
    """
    yield state.trace


def _traces() -> Iterator[Trace]:
    trace = state.trace
    while trace is not None:
        yield trace
        trace = trace.parent


def unsafe_am_i_under_a_jit_DO_NOT_USE() -> bool:
    """Return whether a jaxpr is being written.

    >>> unsafe_am_i_under_a_jit_DO_NOT_USE(), int(jit(lambda: unsafe_am_i_under_a_jit_DO_NOT_USE())())
    (False, 1)
    """
    return state.trace.stages


def unsafe_am_i_under_a_vmap_DO_NOT_USE() -> bool:
    """Return whether something is being mapped.

    >>> unsafe_am_i_under_a_vmap_DO_NOT_USE()
    False
    """
    return any([trace.maps for trace in _traces()])


def unsafe_get_axis_names_DO_NOT_USE() -> list[Any]:
    """Return the names of the axes in scope.

    Returns:
      A list.

    >>> seen = []
    >>> _ = vmap(lambda x: seen.append(unsafe_get_axis_names_DO_NOT_USE()), axis_name='i')(jnp.ones(2))
    >>> seen
    [['i']]
    """
    return [name for name, _ in state.axis_env]


def nonempty_axis_env_DO_NOT_USE() -> bool:
    """Return whether a named axis is in scope.

    >>> vmap(lambda x: x * nonempty_axis_env_DO_NOT_USE(), axis_name='i')(jnp.ones(2))
    Array([1., 1.], dtype=float32)
    """
    return bool(state.axis_env)


def jaxpr_as_fun(closed: ClosedJaxpr) -> Callable:
    """Return the program as a function of its flat arguments.

    Args:
      closed: the program.
    Returns:
      A function that returns a list of results.
    Raises:
      ValueError: it is called with more or fewer arguments than the program has.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> jaxpr_as_fun(closed)(3.0)
    [Array(6., dtype=float32, weak_type=True)]
    """
    return lambda *args: eval_jaxpr(closed.jaxpr, closed.consts, *args)
