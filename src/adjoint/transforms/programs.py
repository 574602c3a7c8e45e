"""Transformations of jaxprs into jaxprs, remembered on the jaxpr.

Primitives that hold programs (`jit`, `scan`, `while`, `cond`, ...) transform them here. A program is
transformed once for each pattern of nonzero tangents, batched operands or linear operands, however
often it occurs. Constants inside are concrete: what a program closes over otherwise is an operand.

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps

from ..core.jaxpr import ClosedJaxpr, DropVar, Jaxpr, Literal
from ..core.options.config import local
from ..core.passes import dce_jaxpr, live_eqns
from ..core.primitive import UndefinedPrimal
from ..core.process.memo import of_closed
from ..core.process.records import NamedTuple
from ..core.trace import DynamicJaxprTrace, Tracer, current, eval_jaxpr, stage_closed, state
from ..core.values.zeros import Zero
from ..prims.collective import branching_axes, pvary_to
from ..prims.shape import materialise_batch
from .jvp import instantiate, jvp_flat
from .linearize import LinearizeTrace
from .transpose import backward_pass
from .vmap import Axis, batch_flat, batched_aval

__all__ = [
    "LinearizedProgram", "batch_at", "batch_program", "fill_zeros", "hoist", "jvp_program", "linearize_program",
    "drop_dead", "permute", "remembered", "transpose_program", "add_unused_operands",
]


_RULED = ("custom_jvp_call", "custom_vjp_call")


def remembered(transform):
    """Keep results on the jaxpr, by the other arguments, the named axes and the options in force.

    The other arguments are hashable; programs among them are kept alive by the first one.
    """

    kept = of_closed(lambda closed, *key: transform(closed, *key[:-2]))

    @wraps(transform)
    def call(closed: ClosedJaxpr, *key):
        return kept(closed, *key, state.axis_env, local.trace_context)

    return call


@remembered
def jvp_program(closed: ClosedJaxpr, nonzero: tuple[bool, ...], instantiated: bool | tuple = False):
    """Return (program of *primals, *nonzero tangents -> *outs, *nonzero tangents out; which are nonzero).

    `instantiated`, for all or for each result, makes zero tangents of results real.
    """
    n = len(closed.in_avals)
    out_nonzero: list[bool] = []

    def fun(*args):
        primals, ts = args[:n], iter(args[n:])
        tangents = [
            next(ts) if nz else Zero(a.to_tangent_aval()) for nz, a in zip(nonzero, closed.in_avals)
        ]
        run = lambda *xs: eval_jaxpr(_without_dead_rules(closed.jaxpr), closed.consts, *xs)
        outs, tangents_out = jvp_flat(run, primals, tangents)
        out_nonzero[:] = _wanted(tangents_out, instantiated)
        return outs + [instantiate(t) for t, nz in zip(tangents_out, out_nonzero) if nz]

    avals = closed.in_avals + [
        a.to_tangent_aval() for a, nz in zip(closed.in_avals, nonzero) if nz
    ]
    program = stage_closed(fun, avals, closed.debug_info)
    return program, tuple(out_nonzero)


def _without_dead_rules(jaxpr: Jaxpr) -> Jaxpr:
    """Return a program without those calls of functions with rules of their own whose results are not read.

    A rule may call its own function for a result that is dropped. What the function closes over has no derivative in
    the rule, and need not have one there.
    """
    if not any([eqn.params.get("num_consts") and eqn.primitive.name in _RULED for eqn in jaxpr.eqns]):
        return jaxpr
    _, live = live_eqns(jaxpr.eqns, jaxpr.outvars)
    kept, gone = [], set()
    for eqn in jaxpr.eqns:
        if eqn.effects or not live.isdisjoint(eqn.outvars) or eqn.primitive.name not in _RULED and gone.isdisjoint(
            [v for v in eqn.invars if type(v) is not Literal]
        ):
            kept.append(eqn)
        else:
            gone.update(eqn.outvars)
    return jaxpr.replace(eqns=kept)


def _wanted(tangents, instantiated) -> list[bool]:
    if isinstance(instantiated, bool):
        instantiated = [instantiated] * len(tangents)
    return [want or type(t) is not Zero for want, t in zip(instantiated, tangents)]


class LinearizedProgram(NamedTuple):
    """`primal`: *ins -> *outs, *new residuals. `linear`: *residuals, *nonzero tangents -> tangents out.

    `sources` finds each residual in [*ins, *outs, *new residuals]: nothing is stored that exists already.
    """

    primal: ClosedJaxpr
    linear: ClosedJaxpr
    sources: tuple[int, ...]
    nonzero_out: tuple[bool, ...]


@remembered
def linearize_program(
    closed: ClosedJaxpr, nonzero: tuple[bool, ...], instantiated: bool | tuple = False
) -> LinearizedProgram:
    """Split a program into its primal part and its derivative."""
    below = DynamicJaxprTrace(state.trace, closed.debug_info)
    tape = DynamicJaxprTrace(below, closed.debug_info)
    trace = LinearizeTrace(below, tape)
    ins, args = [], []
    for aval, nz in zip(closed.in_avals, nonzero, strict=True):
        x = below.input(aval)
        ins.append(x)
        args.append(trace.tracer(x, tape.input(aval.to_tangent_aval())) if nz else x)
    try:
        with current(trace):
            pairs = [trace.split(x) for x in eval_jaxpr(_without_dead_rules(closed.jaxpr), closed.consts, *args)]
        outs = [below.atom(x) for x, _ in pairs]
        nonzero_out = _wanted([t for _, t in pairs], instantiated)
        with current(tape):
            tangents = [instantiate(t) for (_, t), nz in zip(pairs, nonzero_out) if nz]
        linear, residuals = drop_dead(*tape.finish(tangents))
        atoms = [below.atom(r) for r in residuals]
    finally:
        trace.active = tape.active = below.active = False

    place = {}
    for i, v in enumerate([x._var for x in ins] + outs):
        place.setdefault(v, i)
    captured = dict(below.constants.values())
    operands, sources, extra, consts = [], [], [], []
    for var, atom in zip(linear.constvars, atoms):
        if type(atom) is Literal or atom in captured and not isinstance(captured[atom], Tracer):
            # Known now: a constant of the linear part.
            consts.append((var, atom.operand if type(atom) is Literal else captured[atom]))
            continue
        if atom not in place:
            place[atom] = len(ins) + len(outs) + len(extra)
            extra.append(atom)
        operands.append(var)
        sources.append(place[atom])
    primal, primal_consts = drop_dead(*below.program(outs + extra))
    linear = linear.replace(
        constvars=[v for v, _ in consts], invars=operands + linear.invars
    )
    return LinearizedProgram(
        ClosedJaxpr(primal, primal_consts),
        ClosedJaxpr(linear, [c for _, c in consts]),
        tuple(sources),
        tuple(nonzero_out),
    )


def drop_dead(jaxpr, consts):
    """Return a program, and its constants, without what its results do not need."""
    jaxpr, _ = dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    used = {v for eqn in jaxpr.eqns for v in eqn.invars if type(v) is not Literal}
    used.update(v for v in jaxpr.outvars if type(v) is not Literal)
    pairs = [(v, c) for v, c in zip(jaxpr.constvars, consts) if v in used]
    eqns = [eqn if used.issuperset(eqn.outvars) else _marked(eqn, used) for eqn in jaxpr.eqns]
    return jaxpr.replace(constvars=[v for v, _ in pairs], eqns=eqns), [c for _, c in pairs]


def _marked(eqn, used):
    """Return a copy whose unread results are anonymous; equations are shared between programs."""
    return eqn.replace(outvars=[v if v in used else DropVar(v.aval) for v in eqn.outvars])


@remembered
def transpose_program(
    closed: ClosedJaxpr, linear: tuple[bool, ...], ct_nonzero: tuple[bool, ...],
    instantiated: bool | tuple = False, weak: tuple[bool, ...] | None = None,
):
    """Return (program of *known operands, *nonzero cotangents -> *nonzero cotangents of the linear operands;
    for each linear operand whether its cotangent is there).

    A cotangent is weakly typed where the result is, or as `weak` says. Where devices may be in different branches, all
    cotangents vary between them: the programs inside are transposed for such ones.
    """
    apart = branching_axes()
    known = [a for a, lin in zip(closed.in_avals, linear, strict=True) if not lin]
    nonzero: list[bool] = []

    def fun(*args):
        knowns, cts = iter(args[: len(known)]), iter(args[len(known) :])
        operands = [
            UndefinedPrimal(a) if lin else next(knowns) for a, lin in zip(closed.in_avals, linear)
        ]
        given = [next(cts) if nz else Zero(a) for nz, a in zip(ct_nonzero, closed.out_avals)]
        outs = backward_pass(closed.jaxpr, closed.consts, operands, given, False)
        outs = [ct for ct, lin in zip(outs, linear) if lin]
        nonzero[:] = _wanted(outs, instantiated)
        found = [instantiate(ct) for ct, nz in zip(outs, nonzero) if nz]
        return [pvary_to(ct, apart) for ct in found] if apart else found

    given_avals = [a for a, nz in zip(closed.out_avals, ct_nonzero, strict=True) if nz]
    if apart:
        given_avals = [a.update(vma=a.vma | apart) for a in given_avals]
    if weak is not None:
        given_avals = [a.update(weak_type=w) for a, w in zip(given_avals, weak, strict=True)]
    return stage_closed(fun, known + given_avals, closed.debug_info), tuple(nonzero)


def batch_program(
    closed: ClosedJaxpr, axis: Axis, batched: tuple[bool, ...],
    instantiated: bool | tuple = False,
):
    """(the program with a leading batch axis on the operands that are `batched`; which results have it)."""
    program, dims = batch_at(closed, axis, tuple([0 if b else None for b in batched]), 0, instantiated)
    return program, tuple([d is not None for d in dims])


@remembered
def batch_at(
    closed: ClosedJaxpr, axis: Axis, dims: tuple[int | None, ...], place: int | None = None,
    instantiated: bool | tuple = False,
):
    """(the program with a batch axis at `dims` of its operands, None for those without; where it is in results).

    The axis of results is where it happens to be, or at `place`; `instantiated` gives it to all of them.
    """
    out_dims: list[int | None] = []
    at = place or 0

    def fun(*args):
        run = lambda *xs: eval_jaxpr(closed.jaxpr, closed.consts, *xs)
        pairs = batch_flat(run, axis, args, dims)
        want = instantiated if not isinstance(instantiated, bool) else [instantiated] * len(pairs)
        pairs = [
            (materialise_batch(x, d, axis.size, at), at) if (w if d is None else place is not None) else (x, d)
            for w, (x, d) in zip(want, pairs, strict=True)
        ]
        out_dims[:] = [d for _, d in pairs]
        return [x for x, _ in pairs]

    avals = [batched_aval(a, axis, d) for a, d in zip(closed.in_avals, dims, strict=True)]
    return stage_closed(fun, avals, closed.debug_info), tuple(out_dims)


def hoist(jaxpr, consts: Sequence) -> tuple[ClosedJaxpr, list]:
    """Make the constants of a traced function its leading operands: (program, their values)."""
    program = jaxpr.replace(constvars=[], invars=jaxpr.constvars + jaxpr.invars)
    return ClosedJaxpr(program, []), list(consts)


def fill_zeros(tangents, nonzero, avals) -> list:
    """Return the tangents of results of these types, given those that are not zero."""
    given = iter(tangents)
    return [next(given) if nz else Zero(a.to_tangent_aval()) for nz, a in zip(nonzero, avals)]


@remembered
def add_unused_operands(closed: ClosedJaxpr, avals: tuple) -> ClosedJaxpr:
    """Return the program with further operands, last, that it does not read."""
    n = len(closed.in_avals)
    run = lambda *args: eval_jaxpr(closed.jaxpr, closed.consts, *args[:n])
    return stage_closed(run, [*closed.in_avals, *avals], closed.debug_info)


@of_closed
def permute(closed: ClosedJaxpr, ins: tuple[int, ...], outs: tuple[int, ...]) -> ClosedJaxpr:
    """Return the program with operands and results in another order; the same object for the same order."""
    jaxpr = closed.jaxpr
    new = jaxpr.replace(invars=[jaxpr.invars[i] for i in ins], outvars=[jaxpr.outvars[i] for i in outs])
    return ClosedJaxpr(new, closed.consts)
