"""`remat_opt`: the forward rule of a `custom_vjp` function, as one call of a program.

It is written by `defvjp(..., optimize_remat=True)`. Where a checkpoint wants the results and no residual, the call
is not cut down to what the rule computes for the results: it becomes that of the function itself, which may be
another program, such as a kernel that is faster than its rule.

Tests: `tests/transforms/test_custom_derivatives.py`.
"""

from __future__ import annotations

from ...core.jaxpr import ClosedJaxpr, Literal
from ...core.passes import dce_jaxpr, prune_program
from ...core.trace import eval_jaxpr, stage, stage_closed
from ...core.types import aval_of
from ...core.values.zeros import Zero
from ..calls import call_primitive
from ..programs import batch_at, fill_zeros, hoist, jvp_program

__all__ = ["optimized", "remat_opt"]

remat_opt = call_primitive("remat_opt", "fwd_jaxpr")


def optimized(forward, call, captured, primals, perturbed) -> tuple[list, list]:
    """Return (results, residuals) of the rule `forward`, staged; `call` is the function, a program of *captured,
    *primals.
    """
    if not isinstance(call, ClosedJaxpr):
        call, captured = hoist(*stage(call, [aval_of(x) for x in primals]))
    k, count = len(captured), 0

    def run(*args):
        nonlocal count
        outs, residuals = forward(list(args[k:]), perturbed)
        count = len(residuals)
        return residuals + outs

    program, closed_over = hoist(*stage(run, [aval_of(x) for x in (*captured, *primals)]))
    args = [*closed_over, *captured, *primals]
    n = len(closed_over)
    # Residuals that are operands, or constants, are had without the call.
    jaxpr = program.jaxpr
    place = {v: i for i, v in enumerate(jaxpr.invars)}
    at_hand = [type(v) is Literal or v in place for v in jaxpr.outvars[:count]]
    kept = [not there for there in at_hand] + [True] * (len(jaxpr.outvars) - count)
    smaller, _ = dce_jaxpr(jaxpr, kept, True)
    num_res = count - sum(at_hand)
    outs = remat_opt.bind(
        *args, fwd_jaxpr=ClosedJaxpr(smaller, program.consts), num_consts=n + k, num_res=num_res,
        fun_jaxpr_thunk=_memoize(lambda avals=program.in_avals: stage_closed(
            lambda *xs: eval_jaxpr(call.jaxpr, call.consts, *xs[n:]), avals, call.debug_info
        )),
    )
    made = iter(outs)
    residuals = [
        (v.operand if type(v) is Literal else args[place[v]]) if there else next(made)
        for v, there in zip(jaxpr.outvars, at_hand)
    ]
    return list(made), residuals


def _memoize(make):
    """Return a thunk that is called once."""
    found: list[ClosedJaxpr] = []

    def memoized() -> ClosedJaxpr:
        if not found:
            found.append(make())
        return found[0]

    return memoized


@remat_opt.jvp
def _(primals, tangents, *, fwd_jaxpr, **_):
    # A derivative of the derivative: that of the rule, as it is written.
    nonzero = tuple([type(t) is not Zero for t in tangents])
    derived, nonzero_out = jvp_program(fwd_jaxpr, nonzero)
    outs = eval_jaxpr(derived.jaxpr, derived.consts, *primals, *[t for t in tangents if type(t) is not Zero])
    n = len(nonzero_out)
    return outs[:n], fill_zeros(outs[n:], nonzero_out, fwd_jaxpr.out_avals)


@remat_opt.batch_axis
def _(axis, args, dims, params):
    thunk = params["fun_jaxpr_thunk"]
    forward, out_dims = batch_at(params["fwd_jaxpr"], axis, tuple(dims), 0, True)
    batched = _memoize(lambda: batch_at(thunk(), axis, tuple(dims), 0, True)[0])
    return remat_opt.bind(*args, **{**params, "fwd_jaxpr": forward, "fun_jaxpr_thunk": batched}), list(out_dims)


@remat_opt.prune
def _(params, used):
    n, fun = params["num_res"], params["fun_jaxpr_thunk"]
    if any(used[:n]):
        return params, (True,) * len(params["fwd_jaxpr"].in_avals), used
    program, kept = prune_program(fun(), used[n:])
    consts = sum(kept[: params["num_consts"]])
    smaller = dict(fwd_jaxpr=program, fun_jaxpr_thunk=lambda: program, num_consts=consts, num_res=0)
    return {**params, **smaller}, kept, used
