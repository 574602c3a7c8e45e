"""`scan`: a loop with a carry over the leading axis of arrays.

The body is a program of *consts, *carry, *x that returns *carry, *y. Its derivative is a scan too: which
carries have tangents is a fixed point; linearizing gives a scan that also stacks the residuals and a linear
scan that reads them; transposing that one runs it the other way. A residual is stacked only if it changes:
constants, inputs and what depends on constants alone are passed as they are.
"""

from __future__ import annotations

import numpy as np

from ..core.jaxpr import ClosedJaxpr, Jaxpr, Literal, Var, dce_jaxpr, eval_jaxpr
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.trace import stage_closed
from ..core.types import ShapedArray, Zero, aval_of
from ..engines.numpy import program
from ..prims.family import add_any
from ..prims.shape import batch_to_front, full, materialise_batch, move_axis
from ..transforms.jit_primitive import axes_of
from ..transforms.jvp import instantiate
from ..transforms.programs import (
    batch_program, jvp_program, linearize_program, permute, transpose_program,
)

__all__ = ["scan_p"]

scan_p = Primitive("scan", multiple_results=True)


def _sizes(params) -> tuple[int, int]:
    return params["num_consts"], params["num_carry"]


def _parts(values, num_consts, num_carry):
    """(consts, carry, xs) of operands, or of anything that goes with them."""
    values = list(values)
    n = num_consts + num_carry
    return values[:num_consts], values[num_consts:n], values[n:]


def _params(params, jaxpr, num_consts, num_carry, **changes) -> dict:
    n = len(jaxpr.in_avals)
    return {
        **params, "jaxpr": jaxpr, "num_consts": num_consts, "num_carry": num_carry,
        "linear": (False,) * n, **changes,
    }


@scan_p.type
def _(*avals, jaxpr, length, num_carry, **_):
    carry, ys = jaxpr.out_avals[:num_carry], jaxpr.out_avals[num_carry:]
    return carry + [stacked(a, length) for a in ys]


def stacked(aval: ShapedArray, length: int) -> ShapedArray:
    return ShapedArray((length, *aval.shape), aval.dtype, aval.weak_type)


@scan_p.evaluate
def _(*buffers, jaxpr, length, reverse, num_consts, num_carry, **_):
    consts, carry, xs = _parts(buffers, num_consts, num_carry)
    run = program(jaxpr)
    ys = [np.empty((length, *a.shape), buffer_dtype(a)) for a in jaxpr.out_avals[num_carry:]]
    for i in reversed(range(length)) if reverse else range(length):
        out = run(*consts, *carry, *[x[i] for x in xs])
        carry = out[:num_carry]
        for y, value in zip(ys, out[num_carry:]):
            y[i] = value
    return [*carry, *ys]


def buffer_dtype(aval) -> np.dtype:
    """The NumPy dtype of buffers of a type: that of the key data for keys."""
    return getattr(aval.dtype, "buffer_dtype", aval.dtype)


# ---- derivatives ---------------------------------------------------------------------------------


def _carry_fixed_point(transform, jaxpr, num_consts, num_carry, flags):
    """Apply `transform(jaxpr, flags, want)` until the carry flags hold from one turn to the next.

    `transform` returns (..., flags of the results) last; `want` asks for flags of results.
    """
    consts, carry, xs = _parts(flags, num_consts, num_carry)
    num_ys = len(jaxpr.out_avals) - num_carry
    while True:
        want = tuple(carry) + (False,) * num_ys
        result = transform(jaxpr, tuple(consts + carry + xs), want)
        out = result[-1][:num_carry]
        if list(out) == carry:
            return result, carry
        carry = [a or b for a, b in zip(carry, out)]


@scan_p.jvp
def _(primals, tangents, **params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    nonzero = [type(t) is not Zero for t in tangents]
    (body, nonzero_out), carry_nz = _carry_fixed_point(
        jvp_program, jaxpr, num_consts, num_carry, nonzero
    )
    const_nz, _, xs_nz = _parts(nonzero, num_consts, num_carry)
    consts, carry, xs = _parts(primals, num_consts, num_carry)
    t_consts, t_carry, t_xs = _parts(tangents, num_consts, num_carry)
    t_consts = [t for t, nz in zip(t_consts, const_nz) if nz]
    t_carry = [instantiate(t) for t, nz in zip(t_carry, carry_nz) if nz]
    t_xs = [t for t, nz in zip(t_xs, xs_nz) if nz]
    num_ys = len(jaxpr.out_avals) - num_carry

    # *primals, *tangents -> *consts, *t_consts, *carry, *t_carry, *xs, *t_xs; results likewise.
    ins = _interleaved([len(consts), len(carry), len(xs)], [len(t_consts), len(t_carry), len(t_xs)])
    outs = _interleaved([num_carry, num_ys], [len(t_carry), sum(nonzero_out) - len(t_carry)])
    body = permute(body, ins, outs)
    out = scan_p.bind(
        *consts, *t_consts, *carry, *t_carry, *xs, *t_xs,
        **_params(params, body, num_consts + len(t_consts), num_carry + len(t_carry)),
    )
    n = num_carry + len(t_carry)
    primals_out = out[:num_carry] + out[n : n + num_ys]
    ts = iter(out[num_carry:n] + out[n + num_ys :])
    return primals_out, _fill(ts, nonzero_out, scan_p.infer(tuple(map(aval_of, primals)), params))


def _interleaved(first, second) -> tuple[int, ...]:
    """Positions in [*first, *second] of first[0], second[0], first[1], second[1], ..."""
    order, i, j = [], 0, sum(first)
    for a, b in zip(first, second):
        order += [*range(i, i + a), *range(j, j + b)]
        i, j = i + a, j + b
    return tuple(order)


def _fill(tangents, nonzero, avals) -> list:
    return [next(tangents) if nz else Zero(a.to_tangent_aval()) for nz, a in zip(nonzero, avals)]


@scan_p.linearize
def _(tape, primals, tangents, params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    nonzero = [type(t) is not Zero for t in tangents]
    split, carry_nz = _carry_fixed_point(
        linearize_program, jaxpr, num_consts, num_carry, nonzero
    )
    consts, carry, xs = _parts(primals, num_consts, num_carry)
    num_ins, num_outs = len(primals), len(jaxpr.out_avals)
    body = split.primal.jaxpr
    extra = body.outvars[num_outs:]
    invariant = _invariant(body, num_consts)

    # Where each residual of the linear body comes from: constants of the loop, or stacked values.
    stacked_vars: list = []  # results that the primal loop stacks for the linear one
    plan = []  # ("const", value) | ("xs", i) | ("ys", position among all results)
    hoisted = [v for v in extra if v in invariant]
    hoisted_values = iter(_evaluate_invariant(split.primal, hoisted, consts, num_consts))
    hoisted_values = {v: next(hoisted_values) for v in hoisted}
    for source in split.sources:
        if source < num_consts:
            plan.append(("const", consts[source]))
        elif source >= num_consts + num_carry and source < num_ins:
            plan.append(("xs", xs[source - num_consts - num_carry]))
        elif num_ins + num_carry <= source < num_ins + num_outs:
            plan.append(("ys", source - num_ins))
        else:
            var = body.invars[source] if source < num_ins else body.outvars[source - num_ins]
            if var in hoisted_values:
                plan.append(("const", hoisted_values[var]))
            else:
                if var not in stacked_vars:
                    stacked_vars.append(var)
                plan.append(("ys", num_outs + stacked_vars.index(var)))

    forward = ClosedJaxpr(
        body.replace(outvars=body.outvars[:num_outs] + stacked_vars), split.primal.consts
    )
    outs = scan_p.bind(*primals, **_params(params, forward, num_consts, num_carry))
    residuals = [(outs[x] if kind == "ys" else x) for kind, x in plan]
    is_const = [kind == "const" for kind, _ in plan]

    t_consts, t_carry, t_xs = _parts(tangents, num_consts, num_carry)
    t_consts = [t for t in t_consts if type(t) is not Zero]
    t_carry = [instantiate(t) for t, nz in zip(t_carry, carry_nz) if nz]
    t_xs = [t for t in t_xs if type(t) is not Zero]
    at = [i for i, c in enumerate(is_const) if c], [i for i, c in enumerate(is_const) if not c]
    m, n = len(residuals), len(residuals) + len(t_consts) + len(t_carry)
    order = (*at[0], *range(m, n), *at[1], *range(n, n + len(t_xs)))
    linear = permute(split.linear, order, tuple(range(len(split.linear.out_avals))))
    ts = tape.emit(
        scan_p,
        [*[residuals[i] for i in at[0]], *t_consts, *t_carry, *[residuals[i] for i in at[1]], *t_xs],
        _params(params, linear, len(at[0]) + len(t_consts), len(t_carry)),
    )
    avals = scan_p.infer(tuple(map(aval_of, primals)), params)
    return outs[:num_outs], _fill(iter(ts), split.nonzero_out, avals)


def _invariant(body: Jaxpr, num_consts: int) -> set[Var]:
    """Variables that are the same in every turn of the loop."""
    same = set(body.constvars) | set(body.invars[:num_consts])
    for eqn in body.eqns:
        if not eqn.effects and all(type(v) is Literal or v in same for v in eqn.invars):
            same.update(eqn.outvars)
    return same


def _evaluate_invariant(closed: ClosedJaxpr, wanted, consts, num_consts) -> list:
    """Values of loop-invariant variables, computed once."""
    if not wanted:
        return []
    body = closed.jaxpr
    alone = body.replace(outvars=wanted)
    alone, used = dce_jaxpr(alone, [True] * len(wanted))
    operands = [x for x, u in zip(consts, used[:num_consts]) if u]
    return eval_jaxpr(alone, closed.consts, *operands)


@scan_p.transpose
def _(cts, *args, **params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    consts, carry, xs = _parts(args, num_consts, num_carry)
    unknown = lambda values: [type(x) is UndefinedPrimal for x in values]
    const_lin, xs_lin = unknown(consts), unknown(xs)
    ct_carry = [instantiate(c) for c in cts[:num_carry]]
    ct_ys = cts[num_carry:]
    ys_nz = [type(c) is not Zero for c in ct_ys]
    back, num_acc, accumulated, xs_nz = _transposed_body(
        jaxpr, num_consts, num_carry, tuple(const_lin), tuple(xs_lin), tuple(ys_nz)
    )
    known_consts = [x for x, lin in zip(consts, const_lin) if not lin]
    known_xs = [x for x, lin in zip(xs, xs_lin) if not lin]
    lin_consts = [x.aval for x, lin in zip(consts, const_lin) if lin]
    start = [full(a.shape, 0, a.dtype) for a, acc in zip(lin_consts, accumulated) if acc]
    out = scan_p.bind(
        *known_consts, *start, *ct_carry, *known_xs, *[c for c in ct_ys if type(c) is not Zero],
        **_params(params, back, len(known_consts), num_acc + num_carry, reverse=not params["reverse"]),
    )
    acc, carry_out, xs_out = _parts(out, num_acc, num_carry)
    acc, xs_out = iter(acc), iter(xs_out)
    accumulated, xs_nz = iter(accumulated), iter(xs_nz)
    ct_consts = [(next(acc) if next(accumulated) else None) if lin else None for lin in const_lin]
    ct_xs = [(next(xs_out) if next(xs_nz) else None) if lin else None for lin in xs_lin]
    return [*ct_consts, *carry_out, *ct_xs]


def _transposed_body(jaxpr, num_consts, num_carry, const_lin, xs_lin, ys_nz):
    """The body of the backward loop: cotangents of constants are accumulated in the carry.

    *known consts, *sums, *ct_carry, *known xs, *ct_ys -> *sums, *ct_carry, *ct_xs.
    """
    key = ("transposed scan", num_consts, num_carry, const_lin, xs_lin, ys_nz)
    found = jaxpr.jaxpr.cache.get(key)
    if found is not None:
        return found
    num_ys = len(jaxpr.out_avals) - num_carry
    linear = const_lin + (True,) * num_carry + xs_lin
    want = (False,) * sum(const_lin) + (True,) * num_carry + (False,) * sum(xs_lin)
    back, nonzero = transpose_program(jaxpr, linear, (True,) * num_carry + ys_nz, want)
    assert len(ys_nz) == num_ys
    accumulated = nonzero[: sum(const_lin)]
    xs_nz = nonzero[sum(const_lin) + num_carry :]
    num_acc = sum(accumulated)
    n_consts = const_lin.count(False)
    n_xs = xs_lin.count(False)

    def body(*args):
        known_consts, sums, rest = _parts(args, n_consts, num_acc)
        ct_carry, known_xs, ct_ys = _parts(rest, num_carry, n_xs)
        out = eval_jaxpr(back.jaxpr, back.consts, *known_consts, *known_xs, *ct_carry, *ct_ys)
        added, ct_carry, ct_xs = _parts(out, num_acc, num_carry)
        return [*map(add_any, sums, added), *ct_carry, *ct_xs]

    const_avals, carry_avals, xs_avals = _parts(jaxpr.in_avals, num_consts, num_carry)
    lin_consts = [a for a, lin in zip(const_avals, const_lin) if lin]
    avals = [
        *[a for a, lin in zip(const_avals, const_lin) if not lin],
        *[a for a, acc in zip(lin_consts, accumulated) if acc],
        *jaxpr.out_avals[:num_carry],
        *[a for a, lin in zip(xs_avals, xs_lin) if not lin],
        *[a for a, nz in zip(jaxpr.out_avals[num_carry:], ys_nz) if nz],
    ]
    found = stage_closed(body, avals), num_acc, accumulated, xs_nz
    jaxpr.jaxpr.cache[key] = found
    return found


# ---- batching ------------------------------------------------------------------------------------


@scan_p.batch_axis
def _(axis, args, dims, params):
    jaxpr, (num_consts, num_carry) = params["jaxpr"], _sizes(params)
    transform = lambda program, flags, want: batch_program(program, axis, flags, want)
    (body, out_batched), carry_batched = _carry_fixed_point(
        transform, jaxpr, num_consts, num_carry, [d is not None for d in dims]
    )
    consts, carry, xs = _parts(zip(args, dims), num_consts, num_carry)
    operands = [x if d is None else batch_to_front(x, d) for x, d in consts]
    operands += [
        materialise_batch(x, d, axis.size) if b else x for (x, d), b in zip(carry, carry_batched)
    ]
    operands += [x if d is None else move_axis(x, d, 1) for x, d in xs]
    outs = scan_p.bind(*operands, **_params(params, body, num_consts, num_carry))
    dims_out = [0 if b else None for b in out_batched[:num_carry]]
    return outs, dims_out + [1 if b else None for b in out_batched[num_carry:]]


@scan_p.axes
def _(params):
    return axes_of(params["jaxpr"].jaxpr)
