"""`cond`: one of several programs, chosen by an index.

The operands are the index, an int32 scalar from 0 on, and what all branches read; the branches agree in
the types of their results. A transformation transforms every branch and makes the branches agree again:
a tangent, a batch axis or a cotangent that one branch has, all have. Over a batched index there is no
branching: every branch runs, and the results are selected.

Tests: `tests/control_flow/test_transformed.py`.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from ..core.effects import io_effects
from ..core.jaxpr import ClosedJaxpr, JaxprEqn, Literal, Var, effects_inside
from ..core.messages.errors import message
from ..core.passes import depending, prune_program
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.process.records import NamedTuple
from ..core.trace import eval_jaxpr, stage_closed, state
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..engines.numpy import program
from ..prims.collective import branching, checked_axes, psum_invariant, pvary, pvary_to
from ..prims.conversion import stop_gradient
from ..prims.discharge import discharge_refs, store_last, values_of
from ..prims.logic import eq, mask_of, select_n
from ..prims.shape import batch_to_front, broadcast_in_dim, materialise_batch
from ..transforms.calls import axes_of, run_program, without_tracers
from ..transforms.programs import (
    LinearizedProgram,
    add_unused_operands,
    batch_program,
    fill_zeros,
    jvp_program,
    linearize_program,
    permute,
    remembered,
    transpose_program,
)
from ..transforms.vmap import batch_flat
from .apart import axes_apart, lacking, with_varying_results
from .lanes import has_loops, selected

__all__ = ["cond_p"]

cond_p = Primitive("cond", multiple_results=True, program=True)


@cond_p.type
def _(index, *operands, branches):
    if index.shape or index.dtype != np.int32:
        raise TypeError(f"cond needs an int32 scalar as index, got {index.str_short(True)}.")
    return list(branches[0].out_avals)  # a result is weakly typed if that of the first branch is, as in JAX


@cond_p.propagate
def _(params, ins, inside):
    return inside(params["branches"][0], ins[1:])


@cond_p.evaluate
def _(index, *operands, branches):
    return program(branches[min(max(int(index), 0), len(branches) - 1)])(*operands)


@cond_p.opened
def _(args, params):
    branches = params["branches"]
    pairs = [without_tracers(b) for b in branches]
    if not any([captured for _, captured in pairs]):
        return args, params
    index, *operands = args
    avals = [[aval_of(x) for x in captured] for _, captured in pairs]
    opened = []
    for i, (branch, own) in enumerate(pairs):
        # What the other branches hold is not read.
        before, after = ([a for group in part for a in group] for part in (avals[:i], avals[i + 1 :]))
        n, k = len(own), len(branch.in_avals)
        ignoring = add_unused_operands(branch, (*before, *after))
        order = (*range(k, k + len(before)), *range(n), *range(k + len(before), len(ignoring.in_avals)), *range(n, k))
        opened.append(permute(ignoring, order, tuple(range(len(branch.out_avals)))))
    held = [x for _, captured in pairs for x in captured]
    return [index, *held, *operands], {**params, "branches": tuple(opened)}


@cond_p.discharge
def _(args, params):
    branches = params["branches"]
    outs = cond_p.bind(*values_of(args), branches=tuple([discharge_refs(b) for b in branches]))
    n = len(branches[0].out_avals)
    store_last(args, outs[n:])
    return outs[:n]


@cond_p.stepwise
def _(args, params):
    index, *operands = args
    branches = params["branches"]
    chosen = branches[min(max(int(index), 0), len(branches) - 1)]
    return eval_jaxpr(chosen.jaxpr, chosen.consts, *operands)


def _agreeing(transform, branches):
    """Apply `transform(branch, want)` so that the flags of the results, returned last, are equal."""
    done = [transform(b, False) for b in branches]
    union = tuple([any(flags) for flags in zip(*[d[-1] for d in done])])
    return [d if d[-1] == union else transform(b, union) for b, d in zip(branches, done)], union


# ---- derivatives ---------------------------------------------------------------------------------


@cond_p.jvp
def _(primals, tangents, *, branches):
    index, *operands = primals
    nonzero = tuple([type(t) is not Zero for t in tangents[1:]])
    done, nonzero_out = _agreeing(lambda b, want: jvp_program(b, nonzero, want), branches)
    given = [t for t in tangents[1:] if type(t) is not Zero]
    out = cond_p.bind(index, *operands, *given, branches=tuple([b for b, _ in done]))
    avals = branches[0].out_avals
    return out[: len(avals)], fill_zeros(out[len(avals) :], nonzero_out, avals)


class _Linearized(NamedTuple):
    """Branches that also return residuals, and the branches of the derivative.

    The linear branches take operands and results of the primal ones (`shared`, positions in [*operands,
    *results]), then the residuals. A slot for a residual serves every branch that has one of its type.
    """

    primal: tuple[ClosedJaxpr, ...]
    linear: tuple[ClosedJaxpr, ...]
    shared: tuple[int, ...]
    nonzero_out: tuple[bool, ...]


@remembered
def _linearized(first, others, nonzero, apart) -> _Linearized:
    """Return the split branches; `apart` are mesh axes along which devices may be in different ones."""
    splits, nonzero_out = _agreeing(
        lambda b, want: linearize_program(b, nonzero, want), (first, *others)
    )
    if apart:
        splits = [_with_varying_residuals(split, first, apart) for split in splits]
    num_outs = len(first.out_avals)
    known = len(first.in_avals) + num_outs
    shared = sorted({i for split in splits for i in split.sources if i < known})
    known_avals = first.in_avals + first.out_avals
    residuals = [split.primal.jaxpr.outvars[num_outs:] for split in splits]
    # As many slots of each type as some branch has residuals of it.
    most: Counter = Counter()
    for own in residuals:
        most |= Counter([v.aval for v in own])
    slots = list(most.elements())

    primal, linear = [], []
    for split, own in zip(splits, residuals):
        free = list(enumerate(slots))
        place = {}  # the slot of each residual
        for j, v in enumerate(own):
            slot = next(s for s in free if s[1] is v.aval)
            free.remove(slot)
            place[slot[0]] = j
        primal.append(_with_slots(split.primal, num_outs, slots, place))
        body = split.linear.jaxpr
        var_of = dict(zip(split.sources, body.invars))
        invars = [var_of.get(i) or Var(known_avals[i]) for i in shared]
        invars += [var_of[known + place[i]] if i in place else Var(a) for i, a in enumerate(slots)]
        invars += body.invars[len(split.sources) :]
        linear.append(ClosedJaxpr(body.replace(invars=invars), split.linear.consts))
    return _Linearized(tuple(primal), tuple(linear), tuple(shared), nonzero_out)


def _with_varying_residuals(split: LinearizedProgram, branch: ClosedJaxpr, apart: frozenset) -> LinearizedProgram:
    """Return the split whose residuals vary along `apart`: where devices are in another branch they are zeros."""
    num_outs = len(branch.out_avals)
    known = len(branch.in_avals) + num_outs
    axes = (*[()] * num_outs, *[lacking(a, apart) for a in split.primal.out_avals[num_outs:]])
    if not any(axes):
        return split
    primal = with_varying_results(split.primal, axes)
    kept, linear = primal.out_avals[num_outs:], split.linear
    ins = [*linear.in_avals]
    for at, i in enumerate(split.sources):
        if i >= known:
            ins[at] = kept[i - known]
    run = lambda *xs: [
        pvary_to(x, a.vma) for x, a in zip(eval_jaxpr(linear.jaxpr, linear.consts, *xs), linear.out_avals)]
    return split._replace(primal=primal, linear=stage_closed(run, ins, linear.debug_info))


def _with_slots(closed: ClosedJaxpr, num_outs, slots, place) -> ClosedJaxpr:
    """Return the program with its residuals in their slots and zeros in the other slots."""
    jaxpr = closed.jaxpr
    outvars, eqns = jaxpr.outvars[:num_outs], list(jaxpr.eqns)
    for i, aval in enumerate(slots):
        if i in place:
            outvars.append(jaxpr.outvars[num_outs + place[i]])
            continue
        dtype = aval.dtype
        zero = getattr(dtype, "buffer_dtype", dtype).type(0)
        params = dict(shape=aval.shape, broadcast_dimensions=(), sharding=None)
        literal = Literal(zero, ShapedArray((), dtype, aval.weak_type))
        zeros = Var(aval.update(vma=frozenset()) if aval.vma else aval)
        eqns.append(JaxprEqn([literal], [zeros], broadcast_in_dim, params))
        if aval.vma:  # the type of a result that the program is evaluated to is that of its equations
            alike, zeros = zeros, Var(aval)
            axes = tuple([a for a in checked_axes() if a in aval.vma])
            eqns.append(JaxprEqn([alike], [zeros], pvary, dict(axes=axes)))
        outvars.append(zeros)
    return ClosedJaxpr(jaxpr.replace(outvars=outvars, eqns=eqns), closed.consts)


@cond_p.linearize
def _(tape, primals, tangents, params):
    index, *operands = primals
    first, *others = params["branches"]
    nonzero = tuple([type(t) is not Zero for t in tangents[1:]])
    split = _linearized(first, tuple(others), nonzero, axes_apart(aval_of(index), params["branches"]))
    outs = cond_p.bind(index, *operands, branches=split.primal)
    num_outs = len(first.out_avals)
    if not any(split.nonzero_out):
        return outs[:num_outs], fill_zeros([], split.nonzero_out, first.out_avals)
    pool = [*operands, *outs[:num_outs]]
    given = [t for t in tangents[1:] if type(t) is not Zero]
    ts = tape.emit(
        cond_p,
        [index, *[pool[i] for i in split.shared], *outs[num_outs:], *given],
        dict(branches=split.linear),
    )
    return outs[:num_outs], fill_zeros(ts, split.nonzero_out, first.out_avals)


@cond_p.transpose
def _(cts, index, *args, branches):
    linear = tuple([type(x) is UndefinedPrimal for x in args])
    ct_nonzero = tuple([type(c) is not Zero for c in cts])
    # Cotangents are summed outside of the branches along the axes along which devices may be in different ones: where
    # these do not talk, and where each device has a cotangent of its own.
    apart = axes_apart(aval_of(index), branches).intersection(
        *[a.vma for a, c in zip(branches[0].out_avals, cts) if type(c) is not Zero])
    with branching(apart):
        done, nonzero = _agreeing(
            lambda b, want: transpose_program(b, linear, ct_nonzero, want), branches
        )
        missing = [lacking(x.aval, apart) for x in args if type(x) is UndefinedPrimal]
        along = tuple([axes for axes, nz in zip(missing, nonzero) if nz])
        transposed = tuple([with_varying_results(b, along) for b, _ in done])
    known = [x for x in args if type(x) is not UndefinedPrimal]
    given = [c for c in cts if type(c) is not Zero]
    outs = iter(cond_p.bind(index, *known, *given, branches=transposed))
    found = [next(outs) if nz else None for nz in nonzero]
    summed = iter([
        psum_invariant(ct, axes=axes) if ct is not None and axes else ct for ct, axes in zip(found, missing)])
    return [None, *[next(summed) if lin else None for lin in linear]]


@cond_p.prune
def _(params, used):
    branches = params["branches"]
    kept = [any(flags) for flags in zip(*[prune_program(b, used)[1] for b in branches])]
    pruned = tuple([prune_program(b, used, tuple(kept))[0] for b in branches])
    same = all([a is b for a, b in zip(pruned, branches)])
    return (params if same else {**params, "branches": pruned}), [True, *kept], used


@cond_p.depends
def _(params, unknown):
    which, *operands = unknown
    return [which or any(flags) for flags in zip(*[depending(b, operands) for b in params["branches"]])]


# ---- batching ------------------------------------------------------------------------------------


@cond_p.batch_axis
def _(axis, args, dims, params):
    branches = params["branches"]
    if not io_effects.isdisjoint(effects_inside(params)):
        raise NotImplementedError(
            message(
                "IO effect not supported in vmap-of-cond.",
                why="Over a batch both branches run, but only one of them may have its effect.",
                fix="debug.callback for io_callback, lax.map for vmap, or the condition inside the callback",
            )
        )
    index, *operands = args
    if dims[0] is not None:
        operands = [batch_to_front(index, dims[0]), *operands]
        if state.trace is state.bottom and any([has_loops(b.jaxpr) for b in branches]):
            avals = tuple(map(aval_of, operands))
            outs = run_program(_selection(branches[0], branches[1:], axis, tuple(dims[1:]), avals), operands)
        else:
            outs = _select_branch(axis, *operands, dims=dims[1:], branches=branches)
        return outs, [0] * len(outs)
    batched = tuple([d is not None for d in dims[1:]])
    done, out_batched = _agreeing(
        lambda b, want: batch_program(b, axis, batched, want), branches
    )
    lined = [x if d is None else batch_to_front(x, d) for x, d in zip(operands, dims[1:])]
    outs = cond_p.bind(index, *lined, branches=tuple([b for b, _ in done]))
    return outs, [0 if b else None for b in out_batched]


@remembered
def _selection(first, others, axis, dims, avals) -> ClosedJaxpr:
    """Return the program of `_select_branch`, in which loops end for each element when they end."""
    return stage_closed(partial(_select_branch, axis, dims=dims, branches=(first, *others)), avals)


def _select_branch(axis, index, *operands, dims, branches) -> list:
    """Return results of all branches on a batch, each element's from the branch of its index.

    A branch reads an operand through a selection whose other side stops gradients. So where a branch is
    not taken, an infinite derivative inside it meets a selection and not a product with zero.
    """
    lined = [materialise_batch(x, d, axis.size) for x, d in zip(operands, dims)]
    results = []
    for i, b in enumerate(branches):
        taken = eq(index, np.int32(i))
        read = [_select(taken, stop_gradient(x), x) for x in lined]
        run = lambda *xs, b=b: eval_jaxpr(b.jaxpr, b.consts, *xs)
        pairs = batch_flat(run, axis, read, [0] * len(read))
        results.append([materialise_batch(x, d, axis.size) for x, d in pairs])
    is_row = [d is not None for d in dims]
    given = [x if row else own for x, row, own in zip(lined, is_row, operands)]
    select = lambda: [_select(index, *cases) for cases in zip(*results)]
    return selected(cond_p, axis, branches, [index, *given], [True, *is_row], select)


def _select(which, *cases):
    """Return `select_n` of batches by one value an element."""
    return select_n(mask_of(which, cases[0]), *cases)


cond_p.effects(effects_inside)


@cond_p.axes
def _(params):
    return frozenset().union(*[axes_of(b.jaxpr) for b in params["branches"]])
