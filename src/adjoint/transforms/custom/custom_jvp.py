"""`custom_jvp`: a function with its own forward derivative.

The call stays a call under `jit` and `vmap` and is opened only by differentiation, which runs the user's
rule. Until it is staged, the call's parameters are the Python functions; in a jaxpr they are a program
and the rule.

Tests: `tests/transforms/test_custom_derivatives.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...array.array import as_array
from ...core.jaxpr import ClosedJaxpr, effects_inside
from ...core.messages.boundaries import guarded
from ...core.messages.errors import UnexpectedTracerError, message
from ...core.primitive import Primitive
from ...core.state import users_code
from ...core.trace import eval_jaxpr, stage, staged_scalar, state
from ...core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ...core.types import Array, aval_of, typed_value
from ...core.values.deferred import Deferred, call_deferred
from ...core.values.refs import Ref
from ...core.values.zeros import Zero
from ...engines.numpy import eval_trace, program
from ...prims.family import add_any
from ...prims.shape import materialise_batch
from ..calls import axes_of, run_program
from ..flat import FlatFun, debug_info, function_name, own_kind, wraps
from ..jvp import instantiate
from ..programs import batch_at, hoist
from ..transpose import backward_pass
from ..vmap import BatchTrace, batches_in_trace
from ..wrapped import WrappedFun
from .arguments import as_operand, as_operands, fixed_positions, inner_rule, positional, run_now, split_fixed

__all__ = ["CustomCall", "SymbolicZero", "custom_jvp", "custom_jvp_call"]


class SymbolicZero:
    """A tangent or cotangent that a rule with `symbolic_zeros=True` is told to be zero.

    Args:
      aval: the type of the tangent.

    >>> SymbolicZero(ShapeDtypeStruct((2,), 'float32')).shape
    (2,)
    """

    __slots__ = ("aval",)

    def __init__(self, aval):
        self.aval = aval

    shape = property(lambda self: self.aval.shape, doc="Return the lengths of the axes.")
    dtype = property(lambda self: self.aval.dtype, doc="Return the dtype of the elements.")

    ndim = property(lambda self: self.aval.ndim, doc="Return the number of axes.")
    size = property(lambda self: self.aval.size, doc="Return the number of elements.")

    @staticmethod
    def from_primal_value(value) -> SymbolicZero:
        """Return the zero tangent of a value.

        Args:
          value: array or scalar.
        """
        return SymbolicZero(aval_of(value).to_tangent_aval())

    def __repr__(self):
        return "SymbolicZero"


@own_kind
@guarded
class custom_jvp:
    """Give a function its own rule for forward (and so for reverse) differentiation.

    Args:
      fun: a function of arrays or trees of arrays.
      nondiff_argnums, nondiff_argnames: arguments that are not differentiated; the rule gets them first.
    Members:
      defjvp: `defjvp(rule)`; `rule(primals, tangents)`, both tuples, returns the value and its tangent, which is linear
        in the tangents. With `nondiff_argnums` it gets these arguments first.
      defjvps: a rule for each argument, `(tangent, result, *primals) -> tangent`, or None for a zero.
    Raises:
      AttributeError: the function is called and has no rule.
      TypeError: the rule returns something else than a pair, or a tangent of another type than the value.
    See also: `custom_vjp`, for a backward pass of its own; `test_util.check_grads`.

    >>> @custom_jvp
    ... def f(x):
    ...     return jnp.sin(x)
    >>> @f.defjvp
    ... def f_jvp(primals, tangents):
    ...     (x,), (t,) = primals, tangents
    ...     return f(x), t * 100.
    >>> grad(f)(1.)
    Array(100., dtype=float32, weak_type=True)
    """

    def __init__(self, fun: Callable, nondiff_argnums=(), nondiff_argnames=()):
        wraps(fun)(self)
        self.fun = fun
        self.nondiff_argnums = fixed_positions(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Callable | None = None
        self.symbolic_zeros = False

    def defjvp(self, jvp: Callable, symbolic_zeros: bool = False) -> Callable:
        """Set the rule; usable as a decorator.

        With `symbolic_zeros`, tangents that are zero are `SymbolicZero` objects.

        Args:
          jvp: `jvp(*nondiff, primals, tangents)`, which returns (out, tangent of out).
          symbolic_zeros: give the rule `SymbolicZero` objects for tangents that are zero.
        """
        self.jvp = jvp
        self.symbolic_zeros = symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable | None) -> None:
        """Set one rule for each argument.

        Args:
          jvps: `rule(tangent, out, *primals)`, which returns the tangent of out, or None for zero.
        """
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``. Try: defjvp")

        def jvp(primals, tangents):
            zeros = lambda out: tree_map(lambda x: instantiate(Zero.from_primal_value(x)), out)
            if len(jvps) != len(primals):
                raise ValueError(
                    message(
                        f"defjvps of {function_name(self.fun)} was given {len(jvps)} rules for {len(primals)} "
                        "arguments.",
                        why="Each argument has one, in order; None stands for a derivative of zero.",
                        fix=f"{function_name(self.fun)}.defjvps("
                        + ", ".join([f"rule_{i}" if i < len(jvps) else "None" for i in range(len(primals))]) + ")",
                    )
                )
            out = self(*primals)
            terms = [rule(t, out, *primals) for rule, t in zip(jvps, tangents) if rule is not None]
            total = terms[0] if terms else zeros(out)
            for term in terms[1:]:
                total = tree_map(add_any, total, term)
            return out, total

        self.defjvp(jvp)

    __getattr__ = inner_rule

    def __call__(self, *args, **kwargs):
        if self.jvp is None:
            name = function_name(self.fun)
            raise AttributeError(
                message(
                    f"No JVP defined for custom_jvp function {name} using defjvp.",
                    why="Without a rule the decorator has nothing to do.",
                    fix=f"@{name if name.isidentifier() else 'f'}.defjvp above a rule(primals, tangents), which "
                    "returns the value and its tangent;\nor leave custom_jvp out",
                )
            )
        for a in args:
            if isinstance(a, Deferred):
                return call_deferred(self, args, kwargs)
        args = positional(self.fun, args, kwargs, "custom_jvp")
        call, dynamic, fixed = split_fixed(self.fun, self.nondiff_argnums, args)
        dynamic = as_operands(dynamic)
        if state.trace is eval_trace:
            return run_now(call, dynamic, "custom_jvp")
        leaves, in_tree = tree_flatten((dynamic, {}))
        flat = FlatFun(wraps(self.fun)(call) if fixed else call, in_tree, "custom_jvp")
        rule = JVPRule(self.jvp, fixed, in_tree, function_name(self.fun))
        outs = custom_jvp_call.bind(
            *leaves, call_jaxpr=flat, jvp_jaxpr_fun=rule, num_consts=0,
            symbolic_zeros=self.symbolic_zeros,
        )
        rule.function_tree = flat.out_tree
        return tree_unflatten(rule.out_tree if flat.out_tree is None else flat.out_tree, outs)

    def __get__(self, instance, owner=None):
        return self if instance is None else partial(self, instance)


class JVPRule:
    """The user's rule on flat lists: primals, tangents -> outs, tangents out."""

    def __init__(self, jvp, fixed, in_tree, name):
        self.jvp = jvp
        self.fixed = fixed
        self.in_tree = in_tree
        self.name = name
        self.out_tree: Any = None
        self.function_tree: Any = None  # the structure of the function's own result, once it is a program
        self.__name__ = function_name(jvp)

    def __call__(self, primals, tangents):
        xs, _ = tree_unflatten(self.in_tree, [as_operand(x) for x in primals])
        ts, _ = tree_unflatten(self.in_tree, tangents)
        with users_code():
            pair = self.jvp(*self.fixed, xs, ts)
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                message(
                    f"Custom JVP rule {self.__name__} for function {self.name} must produce a pair (list or "
                    f"tuple of length two) representing primal and tangent outputs, but got {pair}.",
                    fix="return primal_out, tangent_out",
                )
            )
        outs, self.out_tree = tree_flatten(pair[0])
        if self.function_tree not in (None, self.out_tree):
            raise TypeError(
                message(
                    f"Custom JVP rule {self.__name__} for function {self.name} must produce a pair (list or tuple of "
                    "length two) where the first element represents the primal output (equal in value to the output "
                    f"of the custom_jvp-decorated function {self.name}, and in particular of the same "
                    "container/pytree structure), but instead the JVP rule output's first element had "
                    f"container/pytree structure:\n    {self.out_tree}\nwhile the custom_jvp-decorated function "
                    f"{self.name} had output container/pytree structure:\n    {self.function_tree}.",
                    fix=f"return {self.name}(*primals), tangent_out, where tangent_out is a tree like it",
                )
            )
        tangents_out, tangent_tree = tree_flatten(pair[1])
        if tangent_tree != self.out_tree:
            raise TypeError(
                f"Custom JVP rule {self.__name__} for function {self.name} must produce primal and "
                f"tangent outputs with equal container (pytree) structures, but got {self.out_tree} and "
                f"{tangent_tree} respectively."
            )
        checked = [self._check(x, t) for x, t in zip(outs, tangents_out)]
        return outs, checked

    def _check(self, x, t):
        if isinstance(t, (SymbolicZero, Zero)):
            return Zero.from_primal_value(x)
        expected, got = aval_of(x).to_tangent_aval(), aval_of(t)
        if (expected.shape, expected.dtype) == (got.shape, got.dtype) and got.vma <= expected.vma:
            return Zero(expected) if expected.dtype.names else t
        raise TypeError(
            message(
                "Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes. "
                f"Expected {_short(expected)} (tangent type of {aval_of(x).str_short()}) but got "
                f"{got.str_short()}.",
                why=f"It is rule {self.__name__} for function {self.name}.",
                fix="tangent_out.astype(primal_out.dtype), or reshape it to primal_out.shape",
            )
        )


def _short(aval) -> str:
    return aval.str_short().replace("void", "float0")


class CustomCall(Primitive):
    """Can be bound with wrapped functions, `subfuns`, as traces of libraries do.

    `own_params` makes the call's parameters of them.
    """

    own_params: Callable

    def bind_with_trace(self, trace, args, *avals_and_params):
        params = avals_and_params[-1]
        if "subfuns" in params:
            params = dict(
                self.own_params(*params["subfuns"]), num_consts=0, symbolic_zeros=params.get("symbolic_zeros", False)
            )
        return super().bind_with_trace(trace, args, params)


class _FlatRule:
    """A rule that is one function of primals and tangents: *primals, *tangents -> *outs, *tangents out."""

    def __init__(self, jvp: WrappedFun):
        self.jvp = jvp
        self.name = self.__name__ = jvp.__name__

    def __call__(self, primals, tangents):
        out = self.jvp.call_wrapped(*primals, *tangents)
        n = len(out) // 2
        return out[:n], out[n:]


custom_jvp_call = CustomCall("custom_jvp_call", multiple_results=True)
custom_jvp_call.own_params = lambda fun, jvp: dict(call_jaxpr=fun.call_wrapped, jvp_jaxpr_fun=_FlatRule(jvp))
custom_jvp_call.called = "call_jaxpr"
custom_jvp_call.joins = False  # the types of its results are those of its program


def foreign_function(params: dict, args) -> WrappedFun:
    """Return the function of a custom call, for traces of libraries."""
    call, captured = params["call_jaxpr"], args[: params["num_consts"]]

    def fun(*xs):
        if is_closed(call):
            return eval_jaxpr(call.jaxpr, call.consts, *captured, *xs)
        return call(*captured, *xs)

    return WrappedFun(fun, fun)


def _foreign_call(trace, args, params):
    rule = params["jvp_jaxpr_fun"]

    def jvp(*both):
        n = len(both) // 2
        outs, tangents = rule(both[:n], both[n:])
        return [*outs, *[instantiate(t) for t in tangents]]

    return trace.process_custom_jvp_call(
        custom_jvp_call, foreign_function(params, args), WrappedFun(jvp, jvp), args[params["num_consts"] :],
        symbolic_zeros=params["symbolic_zeros"],
    )


custom_jvp_call.foreign_rule = _foreign_call


@custom_jvp_call.type
def _(*_, call_jaxpr, **__):
    return call_jaxpr.out_avals


@custom_jvp_call.evaluate
def _(*buffers, call_jaxpr, **_):
    return program(call_jaxpr)(*buffers)


def call_now(args, params):
    """Run a custom call on arrays: a program, or still the Python function."""
    call = params["call_jaxpr"]
    return run_program(call, args) if is_closed(call) else _values(call, args)


custom_jvp_call.eager(call_now)


def call_stepwise(args, params):
    """Run a custom call equation by equation."""
    call = params["call_jaxpr"]
    return eval_jaxpr(call.jaxpr, call.consts, *args) if is_closed(call) else _values(call, args)


def _values(call, args):
    """Return the results of a Python function; an error if one of them is no value."""
    outs = call(*args)
    for x in outs:
        if not isinstance(x, Array):
            typed_value(x)
    return outs


custom_jvp_call.stepwise(call_stepwise)


def stage_call(p: Primitive, purpose: str):
    """Staging a custom call: its function becomes a program, what it closes over leading operands.

    `purpose` is what the program is traced for, in JAX's words.
    """

    def rule(trace, args, params):
        call = params["call_jaxpr"]
        if is_closed(call):
            return trace.emit(p, args, params)
        debug = debug_info(purpose, call.fun, call.in_tree) if isinstance(call, FlatFun) else None
        jaxpr, consts = stage(call, [aval_of(x) for x in args], debug)
        closed, captured = hoist(jaxpr, consts)
        params = {**params, "call_jaxpr": closed, "num_consts": len(captured)}
        return trace.emit(p, [*captured, *args], params)

    return rule


custom_jvp_call.stage(stage_call(custom_jvp_call, "custom_jvp fun"))


@custom_jvp_call.jvp
def _(primals, tangents, *, call_jaxpr, jvp_jaxpr_fun, num_consts, symbolic_zeros):
    for t in tangents[:num_consts]:
        if type(t) is not Zero:
            raise closed_over(jvp_jaxpr_fun.name, "custom_jvp")
    if symbolic_zeros:
        given = [SymbolicZero(t.aval) if type(t) is Zero else t for t in tangents[num_consts:]]
    else:
        given = [_zeros_for_rules(t) if type(t) is Zero else t for t in tangents[num_consts:]]
    return jvp_jaxpr_fun(given_to_rules(primals[num_consts:], call_jaxpr), given)


def _zeros_for_rules(zero: Zero):
    """Return zeros as an array, also for a scalar: rules ask tangents for their shape."""
    found = instantiate(zero)
    if isinstance(found, (Array, np.ndarray)):
        return found
    return staged_scalar(found) if state.trace.stages else as_array(found)


def given_to_rules(primals, call) -> list:
    """Return what a user's rule is given: values as they are when called, arrays also for a program's constants."""
    if type(call) is not ClosedJaxpr:
        return list(primals)
    constant = staged_scalar if state.trace.stages else as_array
    return [x if isinstance(x, (Array, Ref)) else constant(x) for x in primals]


def closed_over(name: str, kind: str):
    return UnexpectedTracerError(
        message(
            f"Detected differentiation of a {kind} function with respect to a closed-over value.",
            why=f"{name} reads a differentiated value from an enclosing scope, which its rule cannot see.",
            fix=f"pass the value to {name} as an argument",
        )
    )


@custom_jvp_call.transpose
def _(cts, *args, call_jaxpr, **_):
    return backward_pass(call_jaxpr.jaxpr, call_jaxpr.consts, args, cts)


@batches_in_trace(custom_jvp_call)
def _(trace, args, dims, params):
    call, rule, k = params["call_jaxpr"], params["jvp_jaxpr_fun"], params["num_consts"]
    if is_closed(call) and unbatched(dims):
        return custom_jvp_call.bind(*args, **params), None
    call, out_dims = batched_call(call, trace, tuple(dims))
    rule = _BatchedRule(rule, trace, dims[k:], out_dims)
    outs = custom_jvp_call.bind(*args, **{**params, "call_jaxpr": call, "jvp_jaxpr_fun": rule})
    return outs, out_dims


def batched_call(call, trace: BatchTrace, dims):
    """(the function of a custom call with a batch axis, where results have it).

    Of a function in Python the second is empty until the function, or the rule instead, was run. What it closes over
    may have the batch axis, whether an operand has it or not.
    """
    if is_closed(call):
        program, out_dims = batch_at(call, trace.axis, dims, None, True)
        return program, list(out_dims)
    out_dims: list[int | None] = []
    # Of a program that is written, the rule runs later, and may give the axis to results that have none here.
    least = 0 if state.trace.stages and not unbatched(dims) else None

    def batched(*args):
        pairs = trace.again(call, args, dims)
        out_dims[:] = [least if d is None else d for _, d in pairs]
        return in_place(pairs, trace.axis, out_dims)

    return batched, out_dims


def in_place(pairs, axis, dims) -> list:
    """Values with the batch axis at `dims`, repeated where they have none; None leaves a value without."""
    return [x if at is None else materialise_batch(x, d, axis.size, at, axis)
            for (x, d), at in zip(pairs, dims, strict=True)]


def is_closed(call) -> bool:
    """Return whether a custom call holds a program; a function in Python may close over values of any trace."""
    return isinstance(call, ClosedJaxpr)


def unbatched(dims) -> bool:
    return all([d is None for d in dims])


class _BatchedRule:
    """A rule with a batch axis: tangents have it where their primals do."""

    def __init__(self, rule, trace, dims, out_dims):
        self.rule = rule
        self.trace = trace
        self.dims = dims
        self.out_dims = out_dims
        self.name = rule.name
        self.__name__ = rule.__name__

    def __call__(self, primals, tangents):
        n = len(primals)
        real = [i for i, t in enumerate(tangents) if not isinstance(t, SymbolicZero)]
        zero: list[bool] = []

        def fun(*args):
            ts = [without_axis(t, d) for t, d in zip(tangents, self.dims)]
            for i, t in zip(real, args[n:]):
                ts[i] = t
            outs, tangents_out = self.rule(list(args[:n]), ts)
            zero[:] = [type(t) is Zero for t in tangents_out]
            return outs + [t for t in tangents_out if type(t) is not Zero]

        dims = [*self.dims, *(self.dims[i] for i in real)]
        pairs, axis = self.trace.again(fun, [*primals, *(tangents[i] for i in real)], dims), self.trace.axis
        given = iter(pairs[len(zero) :])
        joint = [(x, (None, None) if z else next(given)) for x, z in zip(pairs, zero)]
        if not self.out_dims:
            self.out_dims += [d if d is not None or t_dim is None else 0 for (_, d), (_, t_dim) in joint]
        outs = in_place([x for x, _ in joint], axis, self.out_dims)
        at = [d for d, z in zip(self.out_dims, zero) if not z]
        ts = iter(in_place([t for (_, t), z in zip(joint, zero) if not z], axis, at))
        return outs, [Zero.from_primal_value(x) if z else next(ts) for x, z in zip(outs, zero)]


def without_axis(t, d):
    """Return a symbolic zero for one element of the batch; all else as it is."""
    if d is None or not isinstance(t, SymbolicZero):
        return t
    return SymbolicZero(t.aval.update(shape=(*t.aval.shape[:d], *t.aval.shape[d + 1 :])))


custom_jvp_call.effects(effects_inside)


@custom_jvp_call.axes
def _(params):
    call = params["call_jaxpr"]
    return axes_of(call.jaxpr) if is_closed(call) else frozenset()
