"""`scan`: a loop with a carry over the leading axis of arrays.

The body is a program of *consts, *carry, *x that returns *carry, *y. Its derivative is a scan too: which
carries have tangents is a fixed point; linearizing gives a scan that also stacks the residuals and a linear
scan that reads them; transposing that one runs it the other way. A residual is stacked only if it changes:
constants, inputs and what depends on constants alone are passed as they are.

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array.array import as_array, make_array
from ..core.effects import debug_effect, ordered_debug_effect
from ..core.jaxpr import ClosedJaxpr, DropVar, Jaxpr, Literal, Var, effects_inside
from ..core.passes import divided, prune_program, unknown_values
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.process.records import NamedTuple
from ..core.trace import current, eval_jaxpr
from ..core.types import ShapedArray, aval_of
from ..core.values.refs import Ref
from ..core.values.zeros import Zero
from ..engines import compiled_loop
from ..engines.numpy import program
from ..engines.numpy.loop import MIN_TURNS_TO_COMPILE, scan_loop
from ..prims.discharge import discharge_refs, store_last, values_of
from ..prims.shape import batch_to_front, full, materialise_batch, move_axis
from ..transforms.calls import axes_of, without_tracers
from ..transforms.jvp import instantiate
from ..transforms.programs import (
    batch_program,
    drop_dead,
    fill_zeros,
    jvp_program,
    linearize_program,
    permute,
    remembered,
    transpose_program,
)
from .carry import carry_fixed_point, errors_name_turn, interleaved, parts

__all__ = ["scan_p"]

scan_p = Primitive("scan", multiple_results=True, program=True)

_MIN_EQUATIONS_TO_COMPILE = 500  # equations over all turns from which a scan outside of `jit` is worth compiling


def _sizes(params) -> tuple[int, int]:
    return params["num_consts"], params["num_carry"]


def _params(params, jaxpr, num_consts, num_carry, **changes) -> dict:
    return {**params, "jaxpr": jaxpr, "num_consts": num_consts, "num_carry": num_carry, **changes}


@scan_p.type
def _(*avals, jaxpr, length, num_carry, **_):
    carry, ys = jaxpr.out_avals[:num_carry], jaxpr.out_avals[num_carry:]
    return carry + [stacked(a, length) for a in ys]


def stacked(aval: ShapedArray, length: int) -> ShapedArray:
    return aval.with_axis(0, length)


@scan_p.propagate
def _(params, ins, inside):
    first, carries = params["num_consts"] + params["num_carry"], params["num_carry"]
    outs = inside(params["jaxpr"], [*ins[:first], *[spec[1:] for spec in ins[first:]]])
    return [*outs[:carries], *[(None, *spec) for spec in outs[carries:]]]


@scan_p.evaluate
def _(*buffers, **params):
    jaxpr, length, (num_consts, num_carry) = params["jaxpr"], params["length"], _sizes(params)
    if length * len(jaxpr.eqns) >= _MIN_EQUATIONS_TO_COMPILE:
        lead, types = num_consts + num_carry, jaxpr.in_avals
        avals = [*types[:lead], *[stacked(a, length) for a in types[lead:]]]
        run = compiled_loop(scan_p, jaxpr, avals, params)
        if run is not None:
            return run(*buffers)
    consts, carry, xs = parts(buffers, num_consts, num_carry)
    ys = [np.empty((length, *a.shape), buffer_dtype(a)) for a in jaxpr.out_avals[num_carry:]]
    step = -1 if params["reverse"] else 1
    rows = [x[::step] for x in xs] or [range(length)]
    filled = [y[::step] for y in ys]
    loop = scan_loop(jaxpr, num_consts, num_carry) if length >= MIN_TURNS_TO_COMPILE else None
    if loop is not None:
        return [*loop(consts, carry, rows, filled), *ys]
    run = program(jaxpr)
    for i, row in enumerate(zip(*rows)):
        out = run(*consts, *carry, *row) if xs else run(*consts, *carry)
        carry = out[:num_carry]
        for y, value in zip(filled, out[num_carry:]):
            y[i] = value
    return [*carry, *ys]


@scan_p.opened
def _(args, params):
    body, captured = without_tracers(params["jaxpr"])
    if not captured:
        return args, params
    return [*captured, *args], {**params, "jaxpr": body, "num_consts": params["num_consts"] + len(captured)}


@scan_p.discharge
def _(args, params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    consts, rest = args[:num_consts], args[num_consts:]
    # References that the body closes over become carries; of one that is scanned over, a row goes in and comes out.
    rows = [x for x in rest if type(x) is Ref]
    at = [i for i, x in enumerate(consts) if type(x) is Ref]
    kept = [i for i in range(num_consts) if i not in at]
    n, k = len(jaxpr.in_avals), len(jaxpr.out_avals)
    end = k + len(at)
    body = permute(
        discharge_refs(jaxpr), (*kept, *at, *range(num_consts, n)),
        (*range(k, end), *range(k), *range(end, end + len(rows))),
    )
    refs = [consts[i] for i in at]
    outs = scan_p.bind(
        *[consts[i] for i in kept], *values_of(refs), *values_of(rest),
        **_params(params, body, len(kept), num_carry + len(at)),
    )
    store_last(refs, outs[: len(at)])
    store_last(rows, outs[end:])
    return outs[len(at) : end]


@scan_p.stepwise
def _(args, params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    consts, carry, xs = parts(args, num_consts, num_carry)
    types = jaxpr.in_avals[num_consts + num_carry :]
    turns = range(params["length"])
    for i in reversed(turns) if params["reverse"] else turns:
        row = [make_array(as_array(x)._buffer[i], a) for x, a in zip(xs, types)]
        with errors_name_turn(i):
            carry = eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, *consts, *carry, *row)[:num_carry]


def buffer_dtype(aval) -> np.dtype:
    """Return the NumPy dtype of buffers of a type: that of the key data for keys."""
    return getattr(aval.dtype, "buffer_dtype", aval.dtype)


# ---- derivatives ---------------------------------------------------------------------------------


@scan_p.jvp
def _(primals, tangents, **params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    nonzero = [type(t) is not Zero for t in tangents]
    (body, nonzero_out), carry_nz = carry_fixed_point(
        jvp_program, jaxpr, num_consts, num_carry, nonzero
    )
    consts, carry, xs = parts(primals, num_consts, num_carry)
    t_consts, t_carry, t_xs = _given(tangents, num_consts, num_carry, carry_nz)
    num_ys = len(jaxpr.out_avals) - num_carry

    # *primals, *tangents -> *consts, *t_consts, *carry, *t_carry, *xs, *t_xs; results likewise.
    ins = interleaved([len(consts), len(carry), len(xs)], [len(t_consts), len(t_carry), len(t_xs)])
    outs = interleaved([num_carry, num_ys], [len(t_carry), sum(nonzero_out) - len(t_carry)])
    body = permute(body, ins, outs)
    out = scan_p.bind(
        *consts, *t_consts, *carry, *t_carry, *xs, *t_xs,
        **_params(params, body, num_consts + len(t_consts), num_carry + len(t_carry)),
    )
    carry, t_carry, ys, t_ys = parts(out, num_carry, len(t_carry), num_ys)
    avals = scan_p.infer(tuple(map(aval_of, primals)), params)
    return carry + ys, fill_zeros(t_carry + t_ys, nonzero_out, avals)


def _given(tangents, num_consts, num_carry, carry_nz):
    """Return the tangents that the loop needs, in groups; those of the carry are made real."""
    t_consts, t_carry, t_xs = parts(tangents, num_consts, num_carry)
    return (
        [t for t in t_consts if type(t) is not Zero],
        [instantiate(t) for t, nz in zip(t_carry, carry_nz) if nz],
        [t for t in t_xs if type(t) is not Zero],
    )


class _Linearized(NamedTuple):
    """A loop that also returns residuals, and its derivative.

    `invariant` computes, from the constants, residuals that are the same in every turn; the constants of
    `forward` are at `reads` in [*consts, *invariant]. The linear loop takes *constant residuals, *tangents
    of consts, *tangents of carry, *residuals with a leading axis, *tangents of xs; `constant` and
    `changing` find the residuals in [*operands, *results, *invariant].
    """

    invariant: ClosedJaxpr
    forward: ClosedJaxpr
    reads: tuple[int, ...]
    linear: ClosedJaxpr
    constant: tuple[int, ...]
    changing: tuple[int, ...]
    carry_nonzero: tuple[bool, ...]
    nonzero_out: tuple[bool, ...]


@remembered
def _linearized(jaxpr, num_consts, num_carry, nonzero) -> _Linearized:
    split, carry_nz = carry_fixed_point(linearize_program, jaxpr, num_consts, num_carry, nonzero)
    num_ins, num_outs = len(jaxpr.in_avals), len(jaxpr.out_avals)
    body = split.primal.jaxpr
    same = _invariant(body, num_consts)
    hoisted: dict[Var, int] = {}
    stacked: dict[Var, int] = {}
    constant, held, changing = [], [], []  # (position among the residuals, source or variable)
    num_all = num_ins + num_outs
    xs_or_ys = {*range(num_consts + num_carry, num_ins), *range(num_ins + num_carry, num_all)}
    for i, source in enumerate(split.sources):
        if source < num_consts:
            constant.append((i, source))
        elif source in xs_or_ys:
            changing.append((i, source))
        else:
            var: Any = body.invars[source] if source < num_ins else body.outvars[source - num_ins]
            if var in same:
                hoisted.setdefault(var, len(hoisted))
                held.append((i, var))
            else:
                changing.append((i, num_all + stacked.setdefault(var, len(stacked))))
    end = num_all + len(stacked)
    constant += [(i, end + hoisted[var]) for i, var in held]
    made_by = {eqn: None for eqn in body.eqns if not hoisted.keys().isdisjoint(eqn.outvars)}
    for eqn in made_by:  # an equation goes out of the loop with all its results
        for v in eqn.outvars:
            if type(v) is not DropVar:
                hoisted.setdefault(v, len(hoisted))

    consts, rest = body.invars[:num_consts], body.invars[num_consts:]
    # JAX parity: what is shown of constants alone is shown once, not in every turn.
    shown = [eqn for eqn in body.eqns if eqn.effects and eqn.effects <= _SHOWING and same.issuperset(_read(eqn))]
    made_by.update(dict.fromkeys(shown))
    once = [eqn for eqn in body.eqns if not eqn.effects or eqn in shown]
    alone = body.replace(invars=consts, outvars=list(hoisted), eqns=once)
    varying = body.replace(
        invars=[*consts, *hoisted, *rest],
        outvars=body.outvars[:num_outs] + list(stacked),
        eqns=[eqn for eqn in body.eqns if eqn not in made_by],
    )

    m = len(split.sources)
    t_consts = sum(nonzero[:num_consts])
    at_xs = m + t_consts + sum(carry_nz)
    n = len(split.linear.in_avals)
    order = (
        *[i for i, _ in constant], *range(m, at_xs), *[i for i, _ in changing], *range(at_xs, n)
    )
    # JAX parity: a tangent that is carried is weakly typed where the carry still is after a turn.
    carried = [i for i, nz in enumerate(carry_nz) if nz]
    strong_at = [i for i, c in zip(range(m + t_consts, at_xs), carried) if not body.outvars[c].aval.weak_type]
    strong = _with_strong(split.linear, strong_at)
    linear = permute(strong, order, tuple(range(len(strong.out_avals))))
    invariant = ClosedJaxpr(*drop_dead(alone, split.primal.consts))
    varying, varying_consts = drop_dead(varying, split.primal.consts)
    read = {v for eqn in varying.eqns for v in eqn.invars} | {*varying.outvars}
    reads = tuple([i for i, v in enumerate([*consts, *hoisted]) if v in read])
    invars = [varying.invars[i] for i in reads]
    forward = ClosedJaxpr(varying.replace(invars=invars + rest), varying_consts)
    return _Linearized(
        invariant, forward, reads, linear, tuple([s for _, s in constant]),
        tuple([s for _, s in changing]), carry_nz, split.nonzero_out,
    )


def _with_strong(program: ClosedJaxpr, places) -> ClosedJaxpr:
    """Return the program with operands at `places` that are not weakly typed; what is computed from them is as it was.
    """
    jaxpr = program.jaxpr
    strong = {v: Var(v.aval.strip_weak_type()) for v in [jaxpr.invars[i] for i in places] if v.aval.weak_type}
    if not strong:
        return program
    renamed = lambda vs: [strong.get(v, v) for v in vs]
    eqns = [eqn if strong.keys().isdisjoint(_read(eqn)) else eqn.replace(invars=renamed(eqn.invars))
            for eqn in jaxpr.eqns]
    jaxpr = jaxpr.replace(invars=renamed(jaxpr.invars), outvars=renamed(jaxpr.outvars), eqns=eqns)
    return ClosedJaxpr(jaxpr, program.consts)


def _invariant(body: Jaxpr, num_consts: int) -> set[Var]:
    """Return variables that are the same in every turn of the loop."""
    same = set(body.constvars) | set(body.invars[:num_consts])
    for eqn in body.eqns:
        if not eqn.effects and same.issuperset(_read(eqn)):
            same.update(eqn.outvars)
    return same


_SHOWING = {debug_effect, ordered_debug_effect}


def _read(eqn) -> list[Var]:
    return [v for v in eqn.invars if type(v) is not Literal]


@scan_p.linearize
def _(tape, primals, tangents, params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    nonzero = tuple([type(t) is not Zero for t in tangents])
    loop = _linearized(jaxpr, num_consts, num_carry, nonzero)
    invariant = eval_jaxpr(loop.invariant.jaxpr, loop.invariant.consts, *primals[:num_consts])
    consts = [*primals[:num_consts], *invariant]
    outs = scan_p.bind(
        *[consts[i] for i in loop.reads], *primals[num_consts:],
        **_params(params, loop.forward, len(loop.reads), num_carry),
    )
    avals = scan_p.infer(tuple(map(aval_of, primals)), params)
    if not any(loop.nonzero_out):
        return outs[: len(avals)], fill_zeros([], loop.nonzero_out, avals)
    pool = [*primals, *outs, *invariant]
    with current(tape):  # zeros are made when the derivative is run
        t_consts, t_carry, t_xs = _given(tangents, num_consts, num_carry, loop.carry_nonzero)
    consts = [pool[i] for i in loop.constant] + t_consts
    ts = tape.emit(
        scan_p,
        [*consts, *t_carry, *[pool[i] for i in loop.changing], *t_xs],
        _params(params, loop.linear, len(consts), len(t_carry)),
    )
    return outs[: len(avals)], fill_zeros(ts, loop.nonzero_out, avals)


# ---- transposition -------------------------------------------------------------------------------


@scan_p.transpose
def _(cts, *args, **params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    linear = tuple([type(x) is UndefinedPrimal for x in args])
    split = _split_known(jaxpr, num_consts, num_carry, linear)
    if split is not None:
        known, jaxpr, is_linear = split
        args, cts = _run_known(known, is_linear, cts, args, params)
        params = _params(params, jaxpr, num_consts, sum(is_linear))
        given = _transposed(cts, *args, **params)
        consts, carry, xs = parts(given, num_consts, sum(is_linear))
        carry = iter(carry)
        num_xs = len(linear) - num_consts - num_carry
        return [*consts, *[next(carry) if lin else None for lin in is_linear], *xs[:num_xs]]
    return _transposed(cts, *args, **params)


def _transposed(cts, *args, **params) -> list:
    """Return cotangents of the operands of a loop whose carry is linear."""
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    consts, _, xs = parts(args, num_consts, num_carry)
    const_lin, xs_lin = ([type(x) is UndefinedPrimal for x in group] for group in (consts, xs))
    ct_carry = [instantiate(c) for c in cts[:num_carry]]
    ct_ys = cts[num_carry:]
    ys_nz = tuple([type(c) is not Zero for c in ct_ys])
    ys_weak = tuple([aval_of(c).weak_type for c in ct_ys if type(c) is not Zero])
    back, accumulated, xs_nz = _transposed_body(
        jaxpr, num_consts, num_carry, tuple(const_lin), tuple(xs_lin), ys_nz, ys_weak
    )
    known_consts = [x for x, lin in zip(consts, const_lin) if not lin]
    known_xs = [x for x, lin in zip(xs, xs_lin) if not lin]
    lin_consts = [x.aval for x, lin in zip(consts, const_lin) if lin]
    start = [full(a.shape, 0, a.dtype) for a, acc in zip(lin_consts, accumulated) if acc]
    out = scan_p.bind(
        *known_consts, *start, *ct_carry, *[c for c in ct_ys if type(c) is not Zero], *known_xs,
        **_params(
            params, back, len(known_consts), len(start) + num_carry, reverse=not params["reverse"]
        ),
    )
    sums, carry_out, xs_out = map(iter, parts(out, len(start), num_carry))
    accumulated, xs_nz = iter(accumulated), iter(xs_nz)
    ct_consts = [(next(sums) if next(accumulated) else None) if lin else None for lin in const_lin]
    ct_xs = [(next(xs_out) if next(xs_nz) else None) if lin else None for lin in xs_lin]
    return [*ct_consts, *carry_out, *ct_xs]


@remembered
def _transposed_body(jaxpr, num_consts, num_carry, const_lin, xs_lin, ys_nz, ys_weak):
    """Return the body of the backward loop: cotangents of constants are accumulated in the carry.

    *known consts, *sums, *ct_carry, *ct_ys, *known xs -> *sums, *ct_carry, *ct_xs.
    """
    linear = const_lin + (True,) * num_carry + xs_lin
    summed = [v for v, lin in zip(jaxpr.jaxpr.invars, const_lin) if lin]
    n_consts, n_acc, n_ys, n_xs = const_lin.count(False), len(summed), sum(ys_nz), xs_lin.count(False)
    # A constant that is a result too: its cotangent begins with the sum so far.
    with_sums = ClosedJaxpr(jaxpr.jaxpr.replace(outvars=summed + jaxpr.jaxpr.outvars), jaxpr.consts)
    want = (True,) * (n_acc + num_carry) + (False,) * sum(xs_lin)
    weak = (*[a.weak_type for a in with_sums.out_avals[: n_acc + num_carry]], *ys_weak)
    back, nonzero = transpose_program(with_sums, linear, (True,) * (n_acc + num_carry) + ys_nz, want, weak)
    changed = [v is not w for v, w in zip(back.jaxpr.outvars, back.jaxpr.invars[n_consts + n_xs :][:n_acc])]
    kept = [i for i, c in enumerate(changed) if c]
    xs_at, sums_at, rest = n_consts, n_consts + n_xs, n_consts + n_xs + n_acc
    ins = (
        *range(n_consts), *[sums_at + i for i in kept], *range(rest, rest + num_carry + n_ys),
        *range(xs_at, sums_at),
    )
    outs = (*kept, *range(n_acc, len(back.out_avals)))
    return permute(back, ins, outs), tuple(changed), tuple(nonzero[n_acc + num_carry :])


def _unknown_in_body(body, num_consts, num_carry, unknown) -> tuple[list[bool], set[Var]]:
    """Return which carries depend on an unknown operand in any step, and the values of the body that then do."""
    consts, carry, xs = parts(list(unknown), num_consts, num_carry)
    while True:
        reached = unknown_values(body, consts + carry + xs)
        out = [a or v in reached for a, v in zip(carry, body.outvars)]
        if out == carry:
            return carry, reached
        carry = out


@scan_p.depends
def _(params, unknown):
    body = params["jaxpr"].jaxpr
    carry, reached = _unknown_in_body(body, *_sizes(params), unknown)
    return [*carry, *[v in reached for v in body.outvars[len(carry) :]]]


@remembered
def _split_known(jaxpr, num_consts, num_carry, linear):
    """Separate a carry that is known, such as a counter, from the linear rest of the loop.

    None if the whole carry is linear. Otherwise (program of *known consts, *known carry, *known xs that
    returns *known carry, *known ys, *residuals; body with a linear carry only, whose last xs are the
    residuals; which carries are linear).
    """
    const_lin, _, xs_lin = parts(linear, num_consts, num_carry)
    body = jaxpr.jaxpr
    carry_lin, unknown = _unknown_in_body(body, num_consts, num_carry, linear)
    if all(carry_lin):
        return None
    consts, carry, xs = parts(body.invars, num_consts, num_carry)
    eqns, known_eqns, inside = [], [], {v for v, lin in zip(carry, carry_lin) if not lin}
    for eqn in body.eqns:
        known_part, rest = divided(eqn, unknown)
        if rest is not None:
            eqns.append(rest)
        if known_part is not None:
            known_eqns.append(known_part)
            inside.update(known_part.outvars)
    ys = body.outvars[num_carry:]
    read = [v for eqn in eqns for v in eqn.invars] + ys
    residuals = list(dict.fromkeys(v for v in read if type(v) is Var and v in inside))
    kept = lambda group, flags: [v for v, lin in zip(group, flags) if not lin]
    linear_ins = [v for v, lin in zip(carry, carry_lin) if lin]
    known = body.replace(
        invars=kept(consts, const_lin) + kept(carry, carry_lin) + kept(xs, xs_lin),
        outvars=kept(body.outvars, carry_lin) + residuals,
        eqns=known_eqns,
    )
    rest = body.replace(
        invars=consts + linear_ins + xs + residuals,
        outvars=[v for v, lin in zip(body.outvars, carry_lin) if lin] + ys,
        eqns=eqns,
    )
    known_program = ClosedJaxpr(*drop_dead(known, jaxpr.consts))
    return known_program, ClosedJaxpr(rest, jaxpr.consts), tuple(carry_lin)


def _run_known(known, carry_linear, cts, args, params):
    """Run the known part of a loop: operands and cotangents of the linear rest."""
    num_consts, num_carry = _sizes(params)
    consts, carry, xs = parts(args, num_consts, num_carry)
    is_known = lambda group: [x for x in group if type(x) is not UndefinedPrimal]
    start = [x for x, lin in zip(carry, carry_linear) if not lin]
    out = scan_p.bind(
        *is_known(consts), *start, *is_known(xs),
        **_params(params, known, len(is_known(consts)), len(start)),
    )
    linear_carry = [x for x, lin in zip(carry, carry_linear) if lin]
    ct_carry = [c for c, lin in zip(cts, carry_linear) if lin]
    return [*consts, *linear_carry, *xs, *out[len(start) :]], ct_carry + list(cts[num_carry:])


@scan_p.prune
def _(params, used):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    used_carry, used_ys = used[:num_carry], used[num_carry:]
    num_xs = len(jaxpr.in_avals) - num_consts - num_carry
    while True:  # a carry is used if it is read afterwards, or by the next turn for one that is used
        keep = (False,) * num_consts + used_carry + (False,) * num_xs
        body, kept = prune_program(jaxpr, used_carry + used_ys, keep)
        if kept[num_consts : num_consts + num_carry] == used_carry:
            break
        used_carry = kept[num_consts : num_consts + num_carry]
    if body is jaxpr:
        return params, (), ()
    return _params(params, body, sum(kept[:num_consts]), sum(used_carry)), kept, used_carry + used_ys


# ---- batching ------------------------------------------------------------------------------------


@scan_p.batch_axis
def _(axis, args, dims, params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    transform = lambda program, flags, want: batch_program(program, axis, flags, want)
    (body, out_batched), carry_batched = carry_fixed_point(
        transform, jaxpr, num_consts, num_carry, [d is not None for d in dims]
    )
    consts, carry, xs = parts(zip(args, dims), num_consts, num_carry)
    operands = [x if d is None else batch_to_front(x, d) for x, d in consts]
    operands += [
        materialise_batch(x, d, axis.size) if b else x for (x, d), b in zip(carry, carry_batched)
    ]
    operands += [x if d is None else move_axis(x, d, 1) for x, d in xs]
    outs = scan_p.bind(*operands, **_params(params, body, num_consts, num_carry))
    dims_out = [0 if b else None for b in out_batched[:num_carry]]
    return outs, dims_out + [1 if b else None for b in out_batched[num_carry:]]


scan_p.effects(effects_inside)


@scan_p.axes
def _(params):
    return axes_of(params["jaxpr"].jaxpr)
