"""`checkpoint` (also `remat`): do not keep intermediate values for the backward pass, compute them again.

Linearizing a checkpointed call runs it and puts the call itself on the tape, with its operands and what the
policy saves as residuals. Transposing recomputes inside the call, so a compiler sees where to forget.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..core.effects import io_effects
from ..core.errors import message
from ..core.jaxpr import ClosedJaxpr, DropVar, Var, dce_jaxpr, eval_jaxpr
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.trace import stage, stage_closed, state, users_code
from ..core.tree import tree_flatten, tree_unflatten
from ..core.types import ShapedArray, Zero, aval_of
from ..engines.numpy import eval_trace
from ..prims.shape import batch_to_front
from .calls import call_primitive
from .flat import FlatFun, debug_info, wraps
from .jit_primitive import jit_p
from .programs import batch_program, hoist, jvp_program, linearize_program, transpose_program
from .staging import fix_static

__all__ = ["checkpoint", "checkpoint_name", "checkpoint_policies", "remat", "remat_p"]


def checkpoint(
    fun: Callable, *, concrete: bool = False, prevent_cse: bool = True, static_argnums=(),
    policy: Callable | None = None,
) -> Callable:
    """Make `fun` forget its intermediate values between the forward and the backward pass.

    Args:
      fun: a function of arrays or trees of arrays.
      prevent_cse: keep compilers from undoing it by merging the two computations.
      static_argnums: positions of arguments that are compile-time constants.
      policy: what to save all the same; see `checkpoint_policies`.

    >>> grad(checkpoint(lambda x: jnp.sin(jnp.sin(x))))(1.)
    Array(0.36003882, dtype=float32, weak_type=True)
    """
    if concrete:
        raise NotImplementedError(
            "The 'concrete' option to jax.checkpoint has been deprecated.\n"
            "  Try: static_argnums for arguments that decide control flow."
        )
    static = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums)

    @wraps(fun)
    def checkpointed(*args, **kwargs):
        if state.trace is eval_trace:
            return fun(*args, **kwargs)
        f, dynamic = fix_static(fun, static, args)
        leaves, in_tree = tree_flatten((dynamic, kwargs))
        flat = FlatFun(f, in_tree, "checkpoint")
        debug = debug_info("checkpoint", f, in_tree)
        jaxpr, consts = stage(flat, [aval_of(x) for x in leaves], debug)
        closed, captured = hoist(jaxpr, consts)
        outs = remat_p.bind(
            *captured, *leaves, jaxpr=closed, prevent_cse=prevent_cse, differentiated=False,
            policy=policy,
        )
        return tree_unflatten(flat.out_tree, outs)

    return checkpointed


remat = checkpoint

remat_p = call_primitive("remat2")


@remat_p.jvp
def _(primals, tangents, *, jaxpr, **params):
    nonzero = tuple([type(t) is not Zero for t in tangents])
    derived, nonzero_out = jvp_program(jaxpr, nonzero)
    given = [t for t in tangents if type(t) is not Zero]
    outs = remat_p.bind(*primals, *given, jaxpr=derived, **params)
    n = len(jaxpr.out_avals)
    ts = iter(outs[n:])
    avals = [a.to_tangent_aval() for a in jaxpr.out_avals]
    return outs[:n], [next(ts) if nz else Zero(a) for nz, a in zip(nonzero_out, avals)]


@remat_p.linearize
def _(tape, primals, tangents, params):
    jaxpr = params["jaxpr"]
    if not io_effects.isdisjoint(jaxpr.effects):
        raise NotImplementedError(
            message(
                "Effects not supported in partial-eval of `checkpoint`/`remat`: "
                f"[{', '.join(map(str, jaxpr.effects))}]",
                why="The backward pass runs the function again, and with it io_callback.",
                fix="debug.callback or pure_callback, or the call outside of the checkpointed function",
            )
        )
    forward = _with_saved(jaxpr, params["policy"])
    n = len(jaxpr.out_avals)
    outs = eval_jaxpr(forward.jaxpr, forward.consts, *primals)
    nonzero = tuple([type(t) is not Zero for t in tangents])
    derivative, used, nonzero_out = _recomputed_derivative(forward, n, nonzero)
    known = [x for x, u in zip([*primals, *outs[n:]], used) if u]
    ts = iter(
        tape.emit(
            remat_p,
            known + [t for t in tangents if type(t) is not Zero],
            {**params, "jaxpr": derivative, "differentiated": True},
        )
    )
    avals = [a.to_tangent_aval() for a in jaxpr.out_avals]
    return outs[:n], [next(ts) if nz else Zero(a) for nz, a in zip(nonzero_out, avals)]


def _with_saved(closed: ClosedJaxpr, policy) -> ClosedJaxpr:
    """The program that also returns what the policy saves."""
    if policy is None:
        return closed
    key = ("with saved", policy)
    if key not in closed.jaxpr.cache:
        inlined = _inlined(closed)
        jaxpr = inlined.jaxpr
        saved = [
            v
            for eqn in jaxpr.eqns
            if policy(eqn.primitive, *[v.aval for v in eqn.invars], **eqn.params)
            for v in eqn.outvars
            if type(v) is not DropVar
        ]
        jaxpr = jaxpr.replace(outvars=jaxpr.outvars + saved)
        closed.jaxpr.cache[key] = ClosedJaxpr(jaxpr, inlined.consts)
    return closed.jaxpr.cache[key]


def _inlined(closed: ClosedJaxpr) -> ClosedJaxpr:
    """The program with the equations of its `jit` calls in place of the calls, for a policy to see."""

    def run(jaxpr, consts, args):
        env = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *args]))
        read = lambda v: v.val if hasattr(v, "val") else env[v]
        for eqn in jaxpr.eqns:
            operands = [read(v) for v in eqn.invars]
            state.source = eqn._source
            if eqn.primitive is jit_p:
                inner = eqn.params["jaxpr"]
                outs = run(inner.jaxpr, inner.consts, operands)
            else:
                outs = eqn.primitive.bind(*operands, **eqn.params)
                outs = outs if eqn.primitive.multiple_results else [outs]
            env.update(zip(eqn.outvars, outs))
        return [read(v) for v in jaxpr.outvars]

    with users_code():
        return stage_closed(
            lambda *args: run(closed.jaxpr, closed.consts, args), closed.in_avals, closed.debug_info
        )


def _recomputed_derivative(forward: ClosedJaxpr, n: int, nonzero):
    """The derivative of the first `n` results of `forward`, given its operands and its other results.

    Returns (program of *known that matter, *tangents -> tangents out; which of the known matter; which of
    the results have tangents). The program recomputes the residuals that are not saved, then is linear.
    """
    key = ("recomputed derivative", n, nonzero)
    if key in forward.jaxpr.cache:
        return forward.jaxpr.cache[key]
    split = linearize_program(forward, nonzero)
    primal = split.primal.jaxpr
    num_saved = len(forward.out_avals) - n
    saved = primal.outvars[n : n + num_saved]
    kept = [
        e for e in primal.eqns
        if e.effects or not all(v in saved or type(v) is DropVar for v in e.outvars)
    ]
    again = {v for e in kept for v in e.outvars} | set(primal.invars)
    inputs = [v if type(v) is Var and v not in again else Var(v.aval) for v in saved]
    residuals_program = primal.replace(invars=primal.invars + inputs, eqns=kept)
    nonzero_out = split.nonzero_out[:n]

    def derivative(*args):
        known, tangents = args[: len(primal.invars) + num_saved], args[len(primal.invars) + num_saved :]
        pool = [*known[: len(primal.invars)]]
        pool += eval_jaxpr(residuals_program, split.primal.consts, *known)
        residuals = [pool[i] for i in split.sources]
        outs = eval_jaxpr(split.linear.jaxpr, split.linear.consts, *residuals, *tangents)
        return outs[: sum(nonzero_out)]

    tangent_avals = [a.to_tangent_aval() for a, nz in zip(forward.in_avals, nonzero) if nz]
    whole = stage_closed(
        derivative, forward.in_avals + forward.out_avals[n:] + tangent_avals
    )
    smaller, used = dce(whole, len(primal.invars) + num_saved)
    forward.jaxpr.cache[key] = smaller, used, nonzero_out
    return forward.jaxpr.cache[key]


def dce(closed: ClosedJaxpr, num_optional: int) -> tuple[ClosedJaxpr, list[bool]]:
    """The program without dead equations and without the first operands that are then unread."""
    n = len(closed.in_avals)
    keep = [i >= num_optional for i in range(n)]
    jaxpr, used = dce_jaxpr(closed.jaxpr, [True] * len(closed.out_avals), instantiate=keep)
    return ClosedJaxpr(jaxpr, closed.consts), used[:num_optional]


@remat_p.transpose
def _(cts, *args, jaxpr, **params):
    linear = tuple([type(x) is UndefinedPrimal for x in args])
    back, nonzero = transpose_program(jaxpr, linear, tuple([type(c) is not Zero for c in cts]))
    known = [x for x in args if type(x) is not UndefinedPrimal]
    given = [c for c in cts if type(c) is not Zero]
    outs = iter(remat_p.bind(*known, *given, jaxpr=back, **params))
    present = iter(nonzero)
    return [
        (next(outs) if next(present) else Zero(x.aval)) if lin else None
        for x, lin in zip(args, linear)
    ]


@remat_p.batch_axis
def _(axis, args, dims, params):
    batched, out_batched = batch_program(
        params["jaxpr"], axis, tuple([d is not None for d in dims])
    )
    lined = [x if d is None else batch_to_front(x, d) for x, d in zip(args, dims)]
    outs = remat_p.bind(*lined, **{**params, "jaxpr": batched})
    return outs, [0 if b else None for b in out_batched]


# ---- names and policies --------------------------------------------------------------------------

name_p = Primitive("name", linear=True)
name_p.type(lambda x, *, name: x)
name_p.evaluate(lambda x, *, name: x)
name_p.transpose_rule = lambda ct, x, *, name: [ct]
name_p.batch_rule = lambda args, dims, *, name: (name_p.bind(args[0], name=name), dims[0])


name_p.examples((ShapedArray((3,), np.dtype(np.float32)), dict(name="hidden")))


def checkpoint_name(x, name: str):
    """Name the values of a tree, for policies such as `save_only_these_names`.

    >>> checkpoint_name(jnp.ones(2), "hidden")
    Array([1., 1.], dtype=float32)
    """
    leaves, tree = tree_flatten(x)
    return tree_unflatten(tree, [name_p.bind(leaf, name=name) for leaf in leaves])


class checkpoint_policies:
    """What a checkpointed function may save: functions (primitive, *avals, **params) -> bool."""

    @staticmethod
    def everything_saveable(*_, **__) -> bool:
        """Save all: as if not checkpointed."""
        return True

    @staticmethod
    def nothing_saveable(*_, **__) -> bool:
        """Save nothing: the default."""
        return False

    @staticmethod
    def dots_saveable(prim, *_, **__) -> bool:
        """Save results of matrix products."""
        return prim.name in ("dot_general", "conv_general_dilated")

    checkpoint_dots = dots_saveable

    @staticmethod
    def dots_with_no_batch_dims_saveable(prim, *_, **params) -> bool:
        """Save results of matrix products without batch dimensions."""
        if prim.name != "dot_general":
            return False
        (_, _), (left, right) = params["dimension_numbers"]
        return not left and not right

    checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable

    @staticmethod
    def save_any_names_but_these(*names: str) -> Callable:
        """Save named values except these."""
        return partial(_named, lambda name: name not in names)

    @staticmethod
    def save_only_these_names(*names: str) -> Callable:
        """Save only the values with these names."""
        return partial(_named, lambda name: name in names)

    @staticmethod
    def save_anything_except_these_names(*names: str) -> Callable:
        """Save everything but the values with these names."""
        return lambda prim, *_, **params: prim is not name_p or params["name"] not in names

    @staticmethod
    def save_from_both_policies(first: Callable, second: Callable) -> Callable:
        """Save what either policy saves."""
        return lambda prim, *args, **params: (
            first(prim, *args, **params) or second(prim, *args, **params)
        )


def _named(wanted, prim, *_, **params) -> bool:
    return prim is name_p and wanted(params["name"])
