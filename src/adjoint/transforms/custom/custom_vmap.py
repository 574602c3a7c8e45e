"""`custom_vmap`: a function with its own rule of vectorization.

The call stays a call until `vmap` meets it and runs the user's rule. Derivatives of the call are calls
again, whose rule is the derivative of the user's, so `vmap` of `jvp` uses it as well. What the function
closes over becomes leading operands, which the rule does not see.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...core.dtypes import float0
from ...core.messages.boundaries import guarded
from ...core.messages.errors import message
from ...core.trace import eval_jaxpr, stage, state
from ...core.tree.tree import tree_flatten, tree_structure, tree_unflatten, treedef_tuple
from ...core.types import aval_of
from ...core.values.zeros import Zero
from ...engines.numpy import eval_trace
from ...prims.shape import batch_to_front, materialise_batch
from ..calls import call_primitive
from ..flat import FlatFun, function_name, own_kind, wraps
from ..jvp import instantiate, jvp_flat
from ..programs import batch_program, fill_zeros, hoist, jvp_program, linearize_program
from ..vmap import Axis, batch_flat
from .arguments import as_operand, as_operands, inner_rule, positional

__all__ = ["custom_vmap", "custom_vmap_call"]


@own_kind
@guarded
class custom_vmap:
    """Give a function its own rule for `vmap`.

    Args:
      fun: a function of arrays or trees of arrays.

    >>> @custom_vmap
    ... def f(x, y):
    ...     return x + y
    >>> @f.def_vmap
    ... def rule(axis_size, in_batched, xs, ys):
    ...     return xs + ys + 100., True
    >>> vmap(f)(jnp.arange(2.), jnp.arange(2.))
    Array([100., 102.], dtype=float32)
    """

    def __init__(self, fun: Callable):
        wraps(fun)(self)
        self.fun = fun
        self.vmap_rule: Callable | None = None

    def def_vmap(self, vmap_rule: Callable) -> Callable:
        """Set the rule; usable as decorator.

        Args:
          vmap_rule: (axis_size, in_batched, *args) -> (out, out_batched). `in_batched` and `out_batched` are
            trees of bools like `args` and `out`: which have a batch axis, in front.
        """
        self.vmap_rule = vmap_rule
        return vmap_rule

    __getattr__ = inner_rule

    def __call__(self, *args, **kwargs):
        args = positional(self.fun, args, kwargs, "custom_vmap")
        if self.vmap_rule is None:
            name = function_name(self.fun)
            raise AttributeError(
                f"No batching rule defined for custom_vmap function {name} using def_vmap.\n"
                f"  Try: @{name}.def_vmap on a rule(axis_size, in_batched, *args)."
            )
        leaves, in_tree = tree_flatten((as_operands(args), {}))
        flat = FlatFun(self.fun, in_tree, "custom_vmap")
        jaxpr, consts = stage(flat, [aval_of(x) for x in leaves])
        if state.trace is eval_trace:
            return tree_unflatten(flat.out_tree, map(as_operand, eval_jaxpr(jaxpr, consts, *leaves)))
        closed, captured = hoist(jaxpr, consts)
        with_captured = treedef_tuple((tree_structure([0] * len(captured)), in_tree.children()[0]))
        outs = custom_vmap_call.bind(
            *captured, *leaves, call=closed, rule=self.vmap_rule, in_tree=with_captured,
            out_tree=flat.out_tree,
        )
        return tree_unflatten(flat.out_tree, outs)

    def __get__(self, instance, owner=None):
        return self if instance is None else partial(self, instance)


custom_vmap_call = call_primitive("custom_vmap_call", "call")


# ---- batching ------------------------------------------------------------------------------------


@custom_vmap_call.batch_axis
def _(axis, args, dims, params):
    lined = [x if d is None else batch_to_front(x, d) for x, d in zip(args, dims)]
    batched = [d is not None for d in dims]
    found = _ruled(params["rule"], axis.size, batched, lined, params["in_tree"], params["out_tree"])
    if found is None:
        step, flags = batch_program(params["call"], axis, tuple(batched))
        found = eval_jaxpr(step.jaxpr, step.consts, *lined), flags
    outs, flags = found
    return outs, [0 if b else None for b in flags]


def _ruled(rule, size: int, batched, args, in_tree, out_tree):
    """Return (results, which of them are batched) by the rule; None if a value that it cannot see is batched."""
    if isinstance(rule, DerivedRule):
        return rule(size, batched, args)
    captured, flags = tree_unflatten(in_tree, batched)
    if any(captured):
        return None
    out = rule(size, list(flags), *tree_unflatten(in_tree, args)[1])
    name = function_name(rule)
    if not isinstance(out, (tuple, list)) or len(out) != 2:
        raise TypeError(
            message(
                f"custom vmap rule {name} must return a pair (output, which of it is batched), but it "
                f"returned {type(out)}.",
                fix="return out, True",
            )
        )
    outs, tree = tree_flatten(out[0])
    out_flags, flags_tree = tree_flatten(out[1])
    if tree != out_tree:
        raise ValueError(
            f"structure of output returned by custom vmap rule ({name}) does not match that of original "
            f"custom-vmapped function.\nOriginal output: {out_tree}\nRule output: {tree}"
        )
    if flags_tree != out_tree:
        raise ValueError(
            "structure of output value and output batching specification returned by custom vmap rule "
            f"({name}) do not match.\nOutput values: {tree}\nBatching spec: {flags_tree}"
        )
    return outs, out_flags


# ---- derivatives ---------------------------------------------------------------------------------


class DerivedRule:
    """The derivative of a rule: of primals and the tangents of those that have any."""

    __slots__ = ("in_tree", "nonzero", "out_nonzero", "out_tree", "rule")

    def __init__(self, rule, in_tree, out_tree, nonzero, out_nonzero):
        self.rule = rule
        self.in_tree = in_tree
        self.out_tree = out_tree
        self.nonzero = nonzero
        self.out_nonzero = out_nonzero

    def __call__(self, size: int, batched, args):
        n = len(self.nonzero)
        of_tangents = iter(batched[n:])
        pairs = [(flag, next(of_tangents) if nz else flag) for flag, nz in zip(batched, self.nonzero)]
        if any(p != t for p, t in pairs) and not any(p and t for p, t in pairs):
            # To the rule nothing has the axis: its derivative is mapped like that of any function.
            run = lambda *xs: self._derive(size, [False] * len(batched), xs)[0]
            found = batch_flat(run, Axis(None, size), args, [0 if flag else None for flag in batched])
            return [x if d is None else batch_to_front(x, d) for x, d in found], [d is not None for _, d in found]
        return self._derive(size, batched, args)

    def _derive(self, size: int, batched, args):
        n = len(self.nonzero)
        ts, t_flags = iter(args[n:]), iter(batched[n:])
        primals, tangents, both = [], [], []
        for x, flag, nz in zip(args, batched, self.nonzero):
            t, t_flag = (next(ts), next(t_flags)) if nz else (None, False)
            flag_of_both = flag or t_flag
            place = lambda v, has, want=flag_of_both: materialise_batch(v, None, size) if want and not has else v
            primals.append(place(x, flag))
            tangents.append(place(t, t_flag) if nz else Zero.from_primal_value(primals[-1]))
            both.append(flag_of_both)
        flags: list[bool] = []

        def run(*xs):
            found = _ruled(self.rule, size, both, list(xs), self.in_tree, self.out_tree)
            if found is None:
                raise NotImplementedError(
                    "vmap over a value that a custom_vmap function closes over, and forward mode: pass the "
                    "value as an argument."
                )
            flags[:] = found[1]
            return found[0]

        outs, out_ts = jvp_flat(run, primals, tangents)
        given = [(instantiate(t), flag) for t, flag, nz in zip(out_ts, flags, self.out_nonzero) if nz]
        return outs + [t for t, _ in given], flags + [flag for _, flag in given]


@custom_vmap_call.jvp
def _(primals, tangents, *, call, rule, in_tree, out_tree):
    nonzero = tuple([a.to_tangent_aval().dtype != float0 for a in call.in_avals])
    wanted = tuple([a.to_tangent_aval().dtype != float0 for a in call.out_avals])
    step, out_nonzero = jvp_program(call, nonzero, wanted)
    ts = [instantiate(t) for t, nz in zip(tangents, nonzero) if nz]
    outs = custom_vmap_call.bind(
        *primals, *ts, call=step, in_tree=treedef_tuple((in_tree, in_tree)),
        rule=DerivedRule(rule, in_tree, out_tree, nonzero, out_nonzero),
        out_tree=treedef_tuple((out_tree, out_tree)),
    )
    n = len(call.out_avals)
    return outs[:n], fill_zeros(outs[n:], out_nonzero, call.out_avals)


@custom_vmap_call.linearize
def _(tape, primals, tangents, params):
    # The results come from the call, which an outer vmap may meet; the residuals are no business of a rule.
    call = params["call"]
    outs = custom_vmap_call.bind(*primals, **params)
    split = linearize_program(call, tuple([type(t) is not Zero for t in tangents]))
    pool = [*primals, *eval_jaxpr(split.primal.jaxpr, split.primal.consts, *primals)]
    residuals = [pool[i] for i in split.sources]
    given = [t for t in tangents if type(t) is not Zero]
    before, state.trace = state.trace, tape
    try:
        ts = eval_jaxpr(split.linear.jaxpr, split.linear.consts, *residuals, *given)
    finally:
        state.trace = before
    return outs, fill_zeros(ts, split.nonzero_out, call.out_avals)
