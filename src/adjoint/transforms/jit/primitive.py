"""The `jit` primitive: a call to a program that is traced, transformed and compiled once.

Its rules apply the transformation to the program inside and bind the result, so the call stays a call.

Tests: `tests/transforms/test_composition.py`.
"""

from __future__ import annotations

from ...core.jaxpr import ClosedJaxpr
from ...core.passes import prune_program
from ...core.primitive import UndefinedPrimal
from ...core.trace import eval_jaxpr
from ...core.types import aval_of
from ...core.values.zeros import Zero
from ...prims.discharge import discharge_refs, store_last, values_of
from ..calls import PLACES, call_primitive, opened_call
from ..programs import batch_at, jvp_program, linearize_program, transpose_program

__all__ = ["jit_p"]

jit_p = call_primitive("jit")


def call_params(params: dict, jaxpr: ClosedJaxpr) -> dict:
    """The parameters of the call with another program; what speaks of operands is reset."""
    kept = {k: v for k, v in params.items() if k not in PLACES}
    return {**kept, "jaxpr": jaxpr, "donated_invars": (False,) * len(jaxpr.in_avals)}


@jit_p.stage
def _(trace, args, params):
    if params["inline"]:
        closed = params["jaxpr"]
        return eval_jaxpr(closed.jaxpr, closed.consts, *args)
    return trace.emit(jit_p, args, params)


@jit_p.opened
def _(args, params):
    program, captured = opened_call(params["jaxpr"], args)
    return ([*captured, *args], call_params(params, program)) if captured is not None else (args, params)


@jit_p.discharge
def _(args, params):
    outs = jit_p.bind(*values_of(args), **call_params(params, discharge_refs(params["jaxpr"])))
    n = len(params["jaxpr"].out_avals)
    store_last(args, outs[n:])
    return outs[:n]


@jit_p.jvp
def _(primals, tangents, *, jaxpr, **params):
    nonzero = tuple([type(t) is not Zero for t in tangents])
    program, nonzero_out = jvp_program(jaxpr, nonzero)
    given = [t for t in tangents if type(t) is not Zero]
    outs = jit_p.bind(*primals, *given, **call_params(params, program))
    n = len(jaxpr.out_avals)
    ts = iter(outs[n:])
    tangents_out = [
        next(ts) if nz else Zero(a.to_tangent_aval())
        for nz, a in zip(nonzero_out, jaxpr.out_avals)
    ]
    return outs[:n], tangents_out


@jit_p.linearize
def _(tape, primals, tangents, params):
    jaxpr = params["jaxpr"]
    split = linearize_program(jaxpr, tuple([type(t) is not Zero for t in tangents]))
    outs = jit_p.bind(*primals, **call_params(params, split.primal))
    pool = [*primals, *outs]
    given = [t for t in tangents if type(t) is not Zero]
    ts = iter(
        tape.emit(
            jit_p,
            [*[pool[i] for i in split.sources], *given],
            call_params(params, split.linear),
        )
    )
    tangents_out = [
        next(ts) if nz else Zero(a.to_tangent_aval())
        for nz, a in zip(split.nonzero_out, jaxpr.out_avals)
    ]
    return outs[: len(jaxpr.out_avals)], tangents_out


@jit_p.transpose
def _(cts, *args, jaxpr, **params):
    linear = tuple([type(x) is UndefinedPrimal for x in args])
    given = [c for c in cts if type(c) is not Zero]
    strong = tuple([not aval_of(c).weak_type for c in given])
    program, nonzero = transpose_program(jaxpr, linear, tuple([type(c) is not Zero for c in cts]), False, strong)
    known = [x for x in args if type(x) is not UndefinedPrimal]
    outs = iter(jit_p.bind(*known, *given, **call_params(params, program)))
    present = iter(nonzero)
    return [(next(outs) if next(present) else Zero(x.aval)) if lin else None
            for x, lin in zip(args, linear)]


@jit_p.prune
def _(params, used):
    if not params.keys().isdisjoint(PLACES):
        return params, (), ()
    program, kept = prune_program(params["jaxpr"], used)
    return (params if program is params["jaxpr"] else call_params(params, program)), kept, used


@jit_p.batch_axis
def _(axis, args, dims, params):
    program, out_dims = batch_at(params["jaxpr"], axis, tuple(dims))
    return jit_p.bind(*args, **call_params(params, program)), out_dims
