"""The `jit` primitive: a call to a program that is traced, transformed and compiled once.

Its rules apply the transformation to the program inside and bind the result, so the call stays a call.

Tests: `tests/transforms/test_composition.py`.
"""

from __future__ import annotations

from ...core.jaxpr import ClosedJaxpr, Literal
from ...core.passes import depending, prune_program
from ...core.primitive import UndefinedPrimal
from ...core.process.memo import of_closed
from ...core.trace import eval_jaxpr
from ...core.types import aval_of
from ...core.values.refs import Ref
from ...core.values.zeros import Zero
from ...prims.discharge import discharge_refs, store_last, values_of
from ...sharding.explicit import with_entry
from ...sharding.mesh import Mesh, context_mesh, placing_mesh
from ...sharding.named_sharding import NamedSharding
from ..calls import PLACES, call_primitive, opened_call
from ..programs import batch_at, jvp_program, linearize_program, transpose_program

__all__ = ["jit_p"]

jit_p = call_primitive("jit")


def call_params(params: dict, jaxpr: ClosedJaxpr) -> dict:
    """Return the parameters of the call with another program; what speaks of operands is reset."""
    kept = {k: v for k, v in params.items() if k not in PLACES}
    return {**kept, "jaxpr": jaxpr, "donated_invars": (False,) * len(jaxpr.in_avals)}


def _placed_params(params: dict, jaxpr: ClosedJaxpr, ins, outs) -> dict:
    """The same, and where operands and results are: `ins` and `outs` give that, from places of operands and results."""
    given = call_params(params, jaxpr)
    of_ins, of_outs = [params.get(k) or (None,) * n for k, n in (
        ("in_shardings", len(params["jaxpr"].in_avals)), ("out_shardings", len(params["jaxpr"].out_avals)))]
    for key, places in (("in_shardings", ins(of_ins, of_outs)), ("out_shardings", outs(of_ins, of_outs))):
        if any([s is not None for s in places]):
            given[key] = tuple(places)
    if "device" in params:
        given["device"] = params["device"]
    return given


def _present(values, flags) -> list:
    return [x for x, flag in zip(values, flags) if flag]


@of_closed
def without_passed(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, tuple]:
    """Return a program without the results that are operands, and for each result which operand it is, or None."""
    jaxpr = closed.jaxpr
    place = {v: i for i, v in enumerate(jaxpr.invars)}
    sources = tuple([None if type(v) is Literal else place.get(v) for v in jaxpr.outvars])
    if all([s is None for s in sources]):
        return closed, sources
    kept = jaxpr.replace(outvars=[v for v, s in zip(jaxpr.outvars, sources) if s is None])
    return ClosedJaxpr(kept, closed.consts), sources


@jit_p.stage
def _(trace, args, params):
    asked = *(params.get("in_shardings") or ()), *(params.get("out_shardings") or ())
    if params["inline"] and all([s is None for s in asked]):
        closed = params["jaxpr"]
        return eval_jaxpr(closed.jaxpr, closed.consts, *args)
    mesh = placing_mesh.value or context_mesh()
    if mesh is not None and (mesh is placing_mesh.value or mesh.explicit_axes):
        params = {**params, "ctx_mesh": mesh if isinstance(mesh, Mesh) else mesh.abstract_mesh}
    return trace.emit(jit_p, args, params)


@jit_p.opened
def _(args, params):
    program, captured = opened_call(params["jaxpr"], args)
    return ([*captured, *args], call_params(params, program)) if captured is not None else (args, params)


@jit_p.discharge
def _(args, params):
    is_ref = [type(x) is Ref for x in args]
    outs = jit_p.bind(*values_of(args), **_placed_params(
        params, discharge_refs(params["jaxpr"]), lambda ins, _: ins,
        lambda ins, outs: [*outs, *_present(ins, is_ref)]))
    n = len(params["jaxpr"].out_avals)
    store_last(args, outs[n:])
    return outs[:n]


@jit_p.jvp
def _(primals, tangents, **params):
    jaxpr = params["jaxpr"]
    nonzero = tuple([type(t) is not Zero for t in tangents])
    program, nonzero_out = jvp_program(jaxpr, nonzero)
    given = [t for t in tangents if type(t) is not Zero]
    outs = jit_p.bind(*primals, *given, **_placed_params(
        params, program, lambda ins, _: [*ins, *_present(ins, nonzero)],
        lambda _, outs: [*outs, *_present(outs, nonzero_out)]))
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
    nonzero = tuple([type(t) is not Zero for t in tangents])
    split = linearize_program(jaxpr, nonzero)
    residuals = [None] * (len(split.primal.out_avals) - len(jaxpr.out_avals))
    program, sources = split.primal, (None,) * len(split.primal.out_avals)
    if not any([s is not None for s in params.get("out_shardings") or ()]):
        program, sources = without_passed(split.primal)
    new = iter(jit_p.bind(*primals, **_placed_params(
        params, program, lambda ins, _: ins,
        lambda _, outs: _present([*outs, *residuals], [s is None for s in sources]))))
    outs = [next(new) if s is None else primals[s] for s in sources]
    pool = [*primals, *outs]
    given = [t for t in tangents if type(t) is not Zero]
    linear, read = prune_program(split.linear, (True,) * len(split.linear.out_avals))
    ts = iter(()) if not any(read) and not linear.jaxpr.effects else iter(tape.emit(
        jit_p,
        _present([*[pool[i] for i in split.sources], *given], read),
        _placed_params(
            params, linear, lambda ins, outs: _present([
                *[[*ins, *outs, *residuals][i] for i in split.sources], *_present(ins, nonzero)], read),
            lambda _, outs: _present(outs, split.nonzero_out)),
    ))
    tangents_out = [
        next(ts) if nz else Zero(a.to_tangent_aval())
        for nz, a in zip(split.nonzero_out, jaxpr.out_avals)
    ]
    return outs[: len(jaxpr.out_avals)], tangents_out


@jit_p.transpose
def _(cts, *args, **params):
    jaxpr = params["jaxpr"]
    linear = tuple([type(x) is UndefinedPrimal for x in args])
    given = [c for c in cts if type(c) is not Zero]
    weak = tuple([aval_of(c).weak_type for c in given])
    nonzero_cts = tuple([type(c) is not Zero for c in cts])
    program, nonzero = transpose_program(jaxpr, linear, nonzero_cts, False, weak)
    known = [x for x in args if type(x) is not UndefinedPrimal]
    outs = iter(jit_p.bind(*known, *given, **_placed_params(
        params, program, lambda ins, outs: [*_present(ins, [not x for x in linear]), *_present(outs, nonzero_cts)],
        lambda ins, _: _present(_present(ins, linear), nonzero))))
    present = iter(nonzero)
    return [(next(outs) if next(present) else Zero(x.aval)) if lin else None
            for x, lin in zip(args, linear)]


@jit_p.prune
def _(params, used):
    program, kept = prune_program(params["jaxpr"], used)
    if program is params["jaxpr"]:
        return params, (), ()
    return _placed_params(
        params, program, lambda ins, _: _present(ins, kept), lambda _, outs: _present(outs, used)), kept, used


@jit_p.depends
def _(params, unknown):
    return depending(params["jaxpr"], unknown)


@jit_p.batch_axis
def _(axis, args, dims, params):
    program, out_dims = batch_at(params["jaxpr"], axis, tuple(dims))
    deeper = lambda places, dims: [_with_axis(s, d, axis.entry) for s, d in zip(places, dims)]
    return jit_p.bind(*args, **_placed_params(
        params, program, lambda ins, _: deeper(ins, dims), lambda _, outs: deeper(outs, out_dims))), out_dims


def _with_axis(sharding, d: int | None, entry):
    """Return a place of a value that gets one more axis at `d`, divided over the mesh axes `entry`."""
    if d is None or not isinstance(sharding, NamedSharding) or (entry is None and d >= len(sharding.spec)):
        return sharding
    return sharding.update(spec=with_entry(sharding, d, entry).spec)
