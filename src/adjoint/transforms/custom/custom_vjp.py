"""`custom_vjp`: a function with its own reverse derivative.

Differentiation runs the user's `fwd` for the result and the residuals and puts `custom_lin` on the tape: a
linear operation that is known only by its transpose, the user's `bwd`.

Tests: `tests/transforms/test_custom_derivatives.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...core import dtypes
from ...core.jaxpr import ClosedJaxpr, effects_inside
from ...core.messages.boundaries import guarded
from ...core.messages.errors import UnexpectedTracerError, describe, message
from ...core.options.config import local
from ...core.primitive import Primitive, UndefinedPrimal
from ...core.state import reversed_frame, users_code
from ...core.trace import state
from ...core.tree.tree import broadcast_prefix, keystr, tree_flatten, tree_flatten_with_path, tree_unflatten
from ...core.types import Array, ShapedArray, aval_of
from ...core.values.changing import CHANGING, is_changing
from ...core.values.refs import Ref, wrapped
from ...core.values.zeros import Zero
from ...engines.numpy import eval_trace, program
from ...prims.shape import materialise_batch, reduce_sum
from ...prims.tokens import stage as stage_value
from ...sharding import rules
from ..calls import axes_of
from ..flat import FlatFun, function_name, own_kind, wraps
from ..jit.changing import closing_over
from ..jvp import JVPTracer, instantiate
from ..vmap import batched_aval, batches_in_trace
from .arguments import as_operand, as_operands, fixed_positions, inner_rule, positional, run_now, split_fixed
from .custom_jvp import (
    CustomCall,
    SymbolicZero,
    batched_call,
    call_now,
    call_stepwise,
    closed_over,
    foreign_function,
    given_to_rules,
    in_place,
    is_closed,
    stage_call,
    unbatched,
)
from .remat_opt import optimized

__all__ = ["CustomVJPPrimal", "custom_vjp", "custom_vjp_call"]


class CustomVJPPrimal:
    """The argument of `fwd` with `symbolic_zeros=True`: a value, and whether it is differentiated.

    Args:
      value: the argument.
      perturbed: whether it is differentiated.

    >>> CustomVJPPrimal(2.0, perturbed=True).value
    2.0
    """

    __slots__ = ("perturbed", "value")

    def __init__(self, value: Any, perturbed: bool):
        self.value = value
        self.perturbed = perturbed

    def __repr__(self):
        return f"CustomVJPPrimal(value={self.value!r}, perturbed={self.perturbed!r})"


@own_kind
@guarded
class custom_vjp:
    """Give a function its own rule for reverse differentiation.

    Args:
      fun: a function of arrays or trees of arrays.
      nondiff_argnums, nondiff_argnames: arguments that are not differentiated; `bwd` gets them first.
    Members:
      defvjp: `defvjp(fwd, bwd)`; `fwd` takes the arguments and returns (result, residuals), `bwd(residuals, cotangent)`
        returns a tuple with a cotangent for each argument, None for a zero.
    Raises:
      TypeError: it is differentiated in forward mode, or `bwd` returns something else.
    See also: `custom_jvp`, which serves both modes; `custom_gradient`.

    >>> @custom_vjp
    ... def f(x):
    ...     return jnp.sin(x)
    >>> f.defvjp(lambda x: (f(x), x), lambda x, ct: (100. * ct,))
    >>> grad(f)(1.)
    Array(100., dtype=float32, weak_type=True)
    """

    def __init__(self, fun: Callable, nondiff_argnums=(), nondiff_argnames=()):
        wraps(fun)(self)
        self.fun = fun
        self.nondiff_argnums = fixed_positions(fun, nondiff_argnums, nondiff_argnames)
        self.fwd: Callable | None = None
        self.bwd: Callable | None = None
        self.symbolic_zeros = False
        self.optimize_remat = False

    def defvjp(self, fwd, bwd, symbolic_zeros: bool = False, optimize_remat: bool = False) -> None:
        """Set the rules.

        Args:
          fwd: the arguments of the function -> (out, residuals).
          bwd: (*nondiff arguments, residuals, cotangent of out) -> a tuple with the cotangent of each
            differentiable argument; None stands for zero.
          symbolic_zeros: `fwd` gets `CustomVJPPrimal`s, `bwd` gets `SymbolicZero`s where zero.
          optimize_remat: programs hold `fwd` as one call, which under `checkpoint` is one of the function itself
            where no residual is wanted.
        Raises:
          NotImplementedError: both options are asked for.
        """
        if symbolic_zeros and optimize_remat:
            raise NotImplementedError(
                message(
                    "remat optimization for custom_vjp does not support symbolic zeros",
                    fix="one of the two options",
                )
            )
        self.fwd, self.bwd = fwd, bwd
        self.symbolic_zeros = symbolic_zeros
        self.optimize_remat = optimize_remat

    __getattr__ = inner_rule

    def __call__(self, *args, **kwargs):
        name = function_name(self.fun)
        if self.fwd is None or self.bwd is None:
            raise AttributeError(
                f"No VJP defined for custom_vjp function {name} using defvjp.\n"
                f"  Try: {name}.defvjp(fwd, bwd)"
            )
        args = positional(self.fun, args, kwargs, "custom_vjp")
        if CHANGING and any(map(is_changing, tree_flatten(args)[0])):
            args, close = closing_over(args)
            run = custom_vjp(close(self.fun), self.nondiff_argnums)
            run.defvjp(close(self.fwd), self.bwd, self.symbolic_zeros, self.optimize_remat)
            return run(*args)
        _check_references(name, args)
        call, dynamic, fixed = split_fixed(self.fun, self.nondiff_argnums, args)
        dynamic = as_operands(dynamic)
        if state.trace is eval_trace:
            return run_now(call, dynamic, "custom_vjp")
        if any([isinstance(v, JVPTracer) for v in fixed]):
            raise UnexpectedTracerError(
                message(
                    "Found a JAX Tracer object passed as an argument to a custom_vjp function in a position indicated "
                    "by nondiff_argnums as non-differentiable. Tracers cannot be passed as non-differentiable "
                    "arguments to custom_vjp functions; instead, nondiff_argnums should only be used for arguments "
                    "that can't be or contain JAX tracers, e.g. function-valued arguments.",
                    why=f"An argument that nondiff_argnums of {name} names is differentiated.",
                    fix="an argument that nondiff_argnums does not name, for which bwd returns a cotangent or None",
                )
            )
        fwd, _, _ = split_fixed(self.fwd, self.nondiff_argnums, args)
        leaves, in_tree = tree_flatten((dynamic, {}))
        flat = FlatFun(wraps(self.fun)(call) if fixed else call, in_tree, "custom_vjp")
        forward = Forward(
            fwd, in_tree, name, function_name(self.fwd), self.symbolic_zeros, self.optimize_remat
        )
        backward = Backward(
            self.bwd, fixed, in_tree, [aval_of(x) for x in leaves], name, self.symbolic_zeros
        )
        outs = custom_vjp_call.bind(
            *leaves, call_jaxpr=flat, fwd_jaxpr_thunk=forward, bwd=backward, num_consts=0,
            symbolic_zeros=self.symbolic_zeros,
        )
        out_tree = flat.out_tree if flat.out_tree is not None else forward.out_tree
        return tree_unflatten(out_tree, outs)

    def __get__(self, instance, owner=None):
        return self if instance is None else partial(self, instance)


def _check_references(name: str, args) -> None:
    """Raise ValueError if a reference is given twice."""
    if Ref not in map(type, args):
        return
    refs = [id(x._refs if x.is_traced else x) for x in args if type(x) is Ref]
    if len(set(refs)) < len(refs):
        raise ValueError(
            message(
                "only one reference to a mutable array may be passed as an argument to a function, but custom_vjp "
                f"function {name} got the same reference more than once.",
                fix="pass it once",
            )
        )


class Forward:
    """The user's `fwd` on flat lists: leaves -> (outs, residual leaves)."""

    def __init__(self, fwd, in_tree, name, fwd_name, symbolic_zeros, optimize_remat=False):
        self.fwd = fwd
        self.in_tree = in_tree
        self.name = name
        self.__name__ = fwd_name
        self.symbolic_zeros = symbolic_zeros
        self.optimize_remat = optimize_remat
        self.out_tree: Any = None
        self.res_tree: Any = None

    def __call__(self, leaves, perturbed) -> tuple[list, list]:
        given = leaves = [as_operand(x) for x in leaves]
        if self.symbolic_zeros:
            leaves = [CustomVJPPrimal(x, p) for x, p in zip(leaves, perturbed)]
        args, _ = tree_unflatten(self.in_tree, wrapped(leaves))
        with users_code():
            pair = self.fwd(*args)
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                message(
                    f"Custom VJP fwd rule {self.__name__} for function {self.name} must produce a pair (list "
                    "or tuple of length two) where the first element represents the primal output (equal to those of "
                    f"the custom_vjp-decorated function {self.name}) and the second element represents residuals "
                    "(i.e. values stored from the forward pass for use on the backward pass), but instead of a pair "
                    f"the fwd rule {self.__name__} produced {pair}.",
                    fix="return out, residuals       (or: return out, None)",
                )
            )
        outs, self.out_tree = tree_flatten(pair[0])
        residuals, self.res_tree = tree_flatten(pair[1])
        for x in (*outs, *residuals):
            if type(x) is Ref and not any(x is a or x._refs is a for a in given):
                raise ValueError(
                    message(
                        f"custom_vjp fwd function {self.__name__} returned a mutable array reference of type {x.aval}, "
                        "but mutable array references cannot be returned.",
                        why="Only a reference that is an argument may be among the residuals.",
                        fix="return its value, ref[...]",
                    )
                )
        return outs, residuals


class Backward:
    """The user's `bwd` on flat lists: residual leaves, cotangents -> cotangents of the leaves."""

    def __init__(self, bwd, fixed, in_tree, in_avals, name, symbolic_zeros):
        self.bwd = bwd
        self.fixed = fixed
        self.in_tree = in_tree
        self.in_avals = in_avals
        self.name = name
        self.symbolic_zeros = symbolic_zeros
        self.__name__ = function_name(bwd)

    def __call__(self, forward, residuals, cts) -> list:
        res = tree_unflatten(forward.res_tree, wrapped(residuals))
        if self.symbolic_zeros:
            cts = [SymbolicZero(c.aval) if type(c) is Zero else _as_value(c) for c in cts]
        else:
            cts = [_as_value(instantiate(c)) for c in cts]
        try:
            with users_code():
                ct_in = self.bwd(*self.fixed, res, tree_unflatten(forward.out_tree, cts))
        except Exception as error:
            place = reversed_frame()
            if place is not None:
                error.add_note(f"  In the backward pass of {self.name}, which is called at {place}:   {place.source}")
            raise
        if isinstance(ct_in, list):
            ct_in = tuple(ct_in)
        args, _ = tree_unflatten(self.in_tree, range(len(self.in_avals)))
        dummy = tree_unflatten(self.in_tree, self.in_avals)[0]
        if not isinstance(ct_in, tuple) or len(ct_in) != len(args):
            got = f"a tuple of length {len(ct_in)}" if isinstance(ct_in, tuple) else describe(ct_in)
            raise self._other_structure(ct_in, f"It produced {got}.", args)
        is_leaf = lambda x: x is None or isinstance(x, (SymbolicZero, Zero))
        try:
            spread = broadcast_prefix(ct_in, dummy, is_leaf=is_leaf)
        except ValueError as e:
            raise self._other_structure(ct_in, str(e), args) from None
        return [self._check(ct, a, i) for i, (ct, a) in enumerate(zip(spread, self.in_avals))]

    def _other_structure(self, ct_in, why: str, args) -> TypeError:
        return TypeError(
            message(
                "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args "
                "tuple of the primal function, and in particular must produce a tuple of length equal to the number of "
                f"arguments to the primal function, but got bwd output structure {tree_flatten(ct_in)[1]} for primal "
                f"input structure {self.in_tree.children()[0]}.",
                where=reversed_frame() or True,
                why=f"It is the rule {self.__name__} for function {self.name}. {why}",
                fix=f"return {', '.join([f'ct_{i}' for i in range(len(args))])}{',' * (len(args) == 1)}: "
                "a cotangent an argument",
            )
        )

    def _check(self, ct, aval, i):
        if ct is None or isinstance(ct, (SymbolicZero, Zero)):
            return Zero(aval.to_tangent_aval())
        expected, got = aval.to_tangent_aval(), aval_of(ct)
        if expected.dtype == dtypes.float0:
            return Zero(expected)
        kind = lambda a: (a.shape, a.vma, _dividing(a))  # another dtype passes: mixed precision keeps gradients wider
        if local.disable_bwd_checks or kind(expected) == kind(got):
            return ct
        args, _ = tree_unflatten(self.in_tree, range(len(self.in_avals)))
        path = keystr(next(p for p, k in tree_flatten_with_path(args)[0] if k == i))
        raise ValueError(
            message(
                "Custom VJP bwd rule must produce an output with the same type as the args tuple of the primal "
                f"function, but at output{path} the bwd rule produced an output of type {got.str_short()} "
                f"corresponding to an input of type {aval.str_short()}"
                + (", so the shapes do not match" if aval.shape != got.shape else
                   ", so the mesh axes do not match" if expected.vma != got.vma else ""),
                where=reversed_frame() or True,
                why=f"It is the rule {self.__name__} for function {self.name}.",
                fix="sum over the axes that were broadcast" if aval.shape != got.shape else
                "jax.reshard(ct, jax.typeof(x).sharding) in the rule" if expected.vma == got.vma else
                "lax.psum over the mesh axes that only the cotangent varies over, or lax.pcast over those that only "
                "the argument does",
            )
        )


def _dividing(aval: ShapedArray) -> tuple | None:
    """Return how a type divides values over explicit mesh axes; None if it does not, or speaks of sums too."""
    sharding = aval.explicit_sharding
    if sharding is None or sharding.spec.unreduced or sharding.spec.reduced or not any(sharding.spec):
        return None
    return tuple(sharding.spec)


def _as_value(ct):
    """Return a cotangent with the members of an array: the seed of `grad` is the number 1."""
    return ct if isinstance(ct, Array) else stage_value(ct)


custom_vjp_call = CustomCall("custom_vjp_call", multiple_results=True)
custom_vjp_call.own_params = lambda fun, fwd, bwd: dict(call_jaxpr=fun.call_wrapped, fwd_jaxpr_thunk=fwd, bwd=bwd)
custom_vjp_call.called = "call_jaxpr"
custom_vjp_call.joins = False  # the types of its results are those of its program


@custom_vjp_call.type
def _(*_, call_jaxpr, **__):
    return call_jaxpr.out_avals


@custom_vjp_call.evaluate
def _(*buffers, call_jaxpr, **_):
    return program(call_jaxpr)(*buffers)


def _foreign_call(trace, args, params):
    # `fwd` and `bwd` are handed over in the form that they have here.
    return trace.process_custom_vjp_call(
        custom_vjp_call, foreign_function(params, args), params["fwd_jaxpr_thunk"], params["bwd"],
        args[params["num_consts"] :], out_trees=None, symbolic_zeros=params["symbolic_zeros"],
    )


custom_vjp_call.foreign_rule = _foreign_call
custom_vjp_call.eager(call_now)
custom_vjp_call.stepwise(call_stepwise)
custom_vjp_call.stage(stage_call(custom_vjp_call, "custom_vjp fun"))


@custom_vjp_call.jvp
def _(primals, tangents, *, call_jaxpr, fwd_jaxpr_thunk, bwd, num_consts, symbolic_zeros):
    for t in tangents[:num_consts]:
        if type(t) is not Zero:
            raise closed_over(bwd.name, "custom_vjp")
    captured, tangents = primals[:num_consts], tangents[num_consts:]
    primals = given_to_rules(primals[num_consts:], call_jaxpr)
    perturbed = [type(t) is not Zero for t in tangents]
    if state.trace.stages and getattr(fwd_jaxpr_thunk, "optimize_remat", False):
        outs, residuals = optimized(fwd_jaxpr_thunk, call_jaxpr, captured, primals, perturbed)
    else:
        outs, residuals = fwd_jaxpr_thunk(primals, perturbed)
    out_avals = tuple([aval_of(x).to_tangent_aval() for x in outs])
    tangents_out = custom_lin.bind(
        *residuals, *[instantiate(t) for t, p in zip(tangents, perturbed) if p],
        num_res=len(residuals), forward=fwd_jaxpr_thunk, bwd=bwd, perturbed=tuple(perturbed),
        out_avals=out_avals,
    )
    return outs, [
        Zero(a) if a.dtype == dtypes.float0 else t for t, a in zip(tangents_out, out_avals)
    ]


@batches_in_trace(custom_vjp_call)
def _(trace, args, dims, params):
    k = params["num_consts"]
    if is_closed(params["call_jaxpr"]) and unbatched(dims):
        return custom_vjp_call.bind(*args, **params), None
    call, out_dims = batched_call(params["call_jaxpr"], trace, tuple(dims))
    forward, backward = batched_rules(params["fwd_jaxpr_thunk"], params["bwd"], trace, dims[k:], out_dims)
    outs = custom_vjp_call.bind(*args, **{**params, "call_jaxpr": call, "fwd_jaxpr_thunk": forward, "bwd": backward})
    return outs, out_dims


def batched_rules(forward, backward, trace, dims, out_dims):
    """Return `fwd` and `bwd` with a batch axis: at `dims` of arguments, `out_dims` of results, in front of residuals.

    A residual that is the same for all has none: with the sum of the cotangents it gives the sum, once.
    """
    axis = trace.axis
    shared: list[bool] = []  # residuals of `fwd`

    def fwd(leaves, perturbed):
        split = []

        def run(*xs):
            outs, residuals = forward(xs, perturbed)
            split[:] = [len(outs)]
            return outs + residuals

        pairs = trace.again(run, leaves, dims)
        n = split[0]
        if not out_dims:
            out_dims[:] = [d for _, d in pairs[:n]]
        shared[:] = [d is None for _, d in pairs[n:]]
        residuals = [x if d is None else materialise_batch(x, d, axis.size, 0, axis) for x, d in pairs[n:]]
        return in_place(pairs[:n], axis, out_dims), residuals

    def bwd(_, residuals, cts):
        n = len(residuals)
        given = [i for i, c in enumerate(cts) if type(c) is not Zero]
        zero: list = []

        def run(*xs):
            inner = [Zero(_unbatched(c.aval, d)) if type(c) is Zero else None for c, d in zip(cts, out_dims)]
            for i, x in zip(given, xs[n:]):
                inner[i] = x
            out = backward(forward, xs[:n], inner)
            zero[:] = [ct if type(ct) is Zero else None for ct in out]
            return [ct for ct in out if type(ct) is not Zero]

        args = [*residuals, *(cts[i] for i in given)]
        at = [None if one else 0 for one in shared or [False] * n]
        pairs = iter(trace.again(run, args, at + [out_dims[i] for i in given]))
        out = []
        for z, d in zip(zero, dims):
            if z is not None:
                out.append(Zero(batched_aval(z.aval, axis, d)))
                continue
            ct, place = next(pairs)
            if d is not None:
                ct = materialise_batch(ct, place, axis.size, d, axis)
            elif place is not None:
                ct = reduce_sum(ct, axes=(place,), out_sharding=None)
            out.append(ct)
        return out

    for rule, of in ((fwd, forward), (bwd, backward)):
        rule.__name__ = of.__name__
    fwd.optimize_remat = getattr(forward, "optimize_remat", False)
    bwd.name = backward.name
    return fwd, bwd


def _unbatched(aval: ShapedArray, d: int | None) -> ShapedArray:
    return aval if d is None else aval.update(shape=(*aval.shape[:d], *aval.shape[d + 1 :]))


custom_vjp_call.effects(effects_inside)


@custom_vjp_call.axes
def _(params):
    call = params["call_jaxpr"]
    return axes_of(call.jaxpr) if isinstance(call, ClosedJaxpr) else frozenset()


custom_lin = Primitive("custom_lin", multiple_results=True)
custom_lin.sharding(rules.of_operands)
custom_lin.joins = False
custom_lin.transposes_zeros = True  # the user's rule may give what is no derivative, such as a new scale


@custom_lin.type
def _(*_, out_avals, **__):
    return list(out_avals)


def _no_forward_mode(*_, bwd=None, **__):
    raise TypeError(
        message(
            "can't apply forward-mode autodiff (jvp) to a custom_vjp function.",
            why=f"{bwd.name} has a rule for reverse mode only.",
            fix="grad, vjp or jacrev; or define the function with custom_jvp, which serves both modes",
        )
    )


custom_lin.evaluate(_no_forward_mode)
custom_lin.eager(lambda args, params: _no_forward_mode(**params))


@custom_lin.transpose
def _(cts, *args, num_res, forward, bwd, perturbed, out_avals):
    out = bwd(forward, list(args[:num_res]), cts)
    wanted = [ct for ct, p in zip(out, perturbed) if p]
    given = args[num_res:]
    return [None] * num_res + [
        ct if type(x) is UndefinedPrimal else None for ct, x in zip(wanted, given, strict=True)
    ]


@batches_in_trace(custom_lin)
def _(trace, args, dims, params):
    if unbatched(dims):
        return custom_lin.bind(*args, **params), None
    # The residuals get the axis too, so that the rule sees one batch of everything.
    axis = trace.axis
    lined = [materialise_batch(x, d, axis.size) for x, d in zip(args, dims)]
    in_front = [0] * len(params["perturbed"])
    out_dims = [0] * len(params["out_avals"])
    forward, backward = batched_rules(params["forward"], params["bwd"], trace, in_front, out_dims)
    avals = tuple([batched_aval(a, axis, 0) for a in params["out_avals"]])
    return custom_lin.bind(*lined, **{**params, "forward": forward, "bwd": backward, "out_avals": avals}), 0
