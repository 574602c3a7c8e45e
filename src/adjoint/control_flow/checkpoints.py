"""The backward pass of a `while` loop in bounded memory.

The number of turns is found by running the loop once more. Then the turns are undone from the last to the
first; the carry that a turn started from is computed again from the nearest carry that was kept. At most
`checkpoints` carries are kept, placed by the treeverse schedule: with s places and r repetitions,
beta(s, r) = (s + r)! / (s! r!) turns can be undone, which is the best there is.

All of it is one `while` whose steps go on to the next turn of interest and then keep the carry or undo the
turn. That loop is differentiable in the same way.

Source: Griewank, "Achieving logarithmic growth of temporal and spatial complexity in reverse automatic
differentiation" (1992).
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np

from ..core.jaxpr import ClosedJaxpr, Jaxpr
from ..core.passes import dce_jaxpr
from ..core.primitive import Primitive, UndefinedPrimal
from ..core.process.memo import memoized
from ..core.process.records import NamedTuple
from ..core.trace import eval_jaxpr, stage_closed
from ..core.types import ShapedArray, aval_of
from ..prims.arithmetic import add, div, max_, mul, sub
from ..prims.collective import pvary_to
from ..prims.conversion import convert_element_type
from ..prims.logic import and_, eq, ge, gt, lt, ne, select_n
from ..prims.reduction import reduce_or
from ..prims.shape import broadcast_in_dim, full, reduce_sum, reshape
from ..prims.slicing import dynamic_slice, dynamic_update_slice
from ..transforms.jvp import instantiate
from ..transforms.programs import linearize_program, remembered, transpose_program
from .carry import parts
from .cond import cond_p

__all__ = ["separated_jvp", "undone"]

MOST_REPETITIONS = 128  # a column of the table each; beyond, the schedule is not the best one any more


@remembered
def separated_jvp(closed: ClosedJaxpr, nonzero: tuple[bool, ...], instantiated: bool | tuple = False):
    """Return `jvp_program` in which no equation has both results that are linear in tangents and others."""
    split = linearize_program(closed, nonzero, instantiated)
    n, num_outs = len(closed.in_avals), len(closed.out_avals)

    def run(*args):
        outs = eval_jaxpr(split.primal.jaxpr, split.primal.consts, *args[:n])
        pool = [*args[:n], *outs]
        residuals = [pool[i] for i in split.sources]
        return outs[:num_outs] + eval_jaxpr(split.linear.jaxpr, split.linear.consts, *residuals, *args[n:])

    tangents = [a.to_tangent_aval() for a, nz in zip(closed.in_avals, nonzero) if nz]
    return stage_closed(run, closed.in_avals + tangents, closed.debug_info), split.nonzero_out


def undone(while_p: Primitive, cts, args, params) -> list:
    """Return cotangents of the operands of a loop that is linear in the `UndefinedPrimal`s among them."""
    cond_consts, body_consts, carry = parts(args, params["cond_nconsts"], params["body_nconsts"])
    linear_consts = [type(x) is UndefinedPrimal for x in body_consts]
    wanted = [type(x) is UndefinedPrimal for x in carry]
    linear_carry = _linear_carry(params["body_jaxpr"].jaxpr, linear_consts, wanted)
    consts = cond_consts + [x for x in body_consts if type(x) is not UndefinedPrimal]
    start = [x for x, lin in zip(carry, linear_carry) if not lin]
    const_avals = [x.aval for x in body_consts if type(x) is UndefinedPrimal]
    loop = _Loop.of(params, len(cond_consts), linear_consts, linear_carry)
    ct_start = [instantiate(ct) for ct, lin in zip(cts, linear_carry, strict=True) if lin]
    ct_consts = [instantiate_zero(a) for a in const_avals]
    n = _count(while_p, loop, consts, start, params["checkpoints"])
    out = _run(while_p, loop, params["checkpoints"], n, consts, start, ct_consts, ct_start)
    made = iter(out)
    found = [next(made) if lin else None for lin in linear_consts + linear_carry]
    asked = linear_consts + wanted
    operands = body_consts + carry
    return [None] * len(cond_consts) + [
        _like(ct, x.aval) if ask else None for ct, x, ask in zip(found, operands, asked)
    ]


def _like(x, aval: ShapedArray):
    """Return `x` with the weak type that it should have."""
    if not aval.weak_type:
        return x
    return convert_element_type(x, new_dtype=aval.dtype, weak_type=True, sharding=None)


def _linear_carry(jaxpr: Jaxpr, linear_consts, linear_carry) -> list[bool]:
    """Return which parts of the carry are linear in the end: a tangent may start as a known zero."""
    while True:
        linear = {v for v, lin in zip(jaxpr.invars, linear_consts + linear_carry) if lin}
        for eqn in jaxpr.eqns:
            if any([v in linear for v in eqn.invars]):
                linear.update(eqn.outvars)
        out = [was or v in linear for was, v in zip(linear_carry, jaxpr.outvars)]
        if out == linear_carry:
            return out
        linear_carry = out


def instantiate_zero(aval):
    """Return an array of zeros."""
    return broadcast_in_dim(full((), 0, aval.dtype), shape=aval.shape, broadcast_dimensions=(), sharding=None)


class _Loop(NamedTuple):
    """The parts of a loop; each a function of lists. `consts` are those of the condition, then the body's."""

    goes_on: Callable  # consts, known carry -> boolean scalar
    step: Callable  # consts, known carry -> known carry
    back: Callable  # consts, known carry, cotangents of the carry -> cotangents of [*linear consts, *carry]

    @staticmethod
    def of(params, num_cond: int, linear_consts, linear_carry) -> _Loop:
        test, body = params["cond_jaxpr"], params["body_jaxpr"]
        turn = _turn(test, body, num_cond)
        linear = [False] * num_cond + linear_consts + linear_carry
        num_carry = len(linear_carry)
        known_outs, used = dce_jaxpr(turn.jaxpr, [not lin for lin in linear_carry])
        only_linear, _ = dce_jaxpr(turn.jaxpr, linear_carry, instantiate=True)
        cotangents = (True,) * sum(linear_carry)
        backwards, _ = transpose_program(
            ClosedJaxpr(only_linear, turn.consts), tuple(linear), cotangents, True
        )
        condition, read = dce_jaxpr(test.jaxpr, [True])
        # The condition reads known values only; they are found by position among the known ones.
        place = {i: k for k, i in enumerate([i for i, lin in enumerate(linear) if not lin])}
        of_turn = [place[i] for i, u in enumerate(used) if u]
        offset = len(linear_consts)
        of_test = [place[i if i < num_cond else i + offset] for i, u in enumerate(read) if u]

        def goes_on(consts, carry):
            pool = [*consts, *carry]
            (going,) = eval_jaxpr(condition, test.consts, *[pool[i] for i in of_test])
            axes = tuple(range(aval_of(going).ndim))
            return reduce_or(going, axes=axes) if axes else going

        def step(consts, carry):
            pool = [*consts, *carry]
            return eval_jaxpr(known_outs, turn.consts, *[pool[i] for i in of_turn])

        def back(consts, carry, cts):
            return eval_jaxpr(backwards.jaxpr, backwards.consts, *consts, *carry, *cts)

        assert len(turn.out_avals) == num_carry
        return _Loop(goes_on, step, back)


def _turn(test: ClosedJaxpr, body: ClosedJaxpr, num_cond: int) -> ClosedJaxpr:
    """Return one turn as a program of *consts of the condition, *consts of the body, *carry.

    Under a batched condition, elements that are done keep their carry.
    """
    num_carry = len(body.out_avals)

    def run(*args):
        new = eval_jaxpr(body.jaxpr, body.consts, *args[num_cond:])
        if not test.out_avals[0].shape:
            return new
        old = args[len(args) - num_carry :]
        (going,) = eval_jaxpr(test.jaxpr, test.consts, *args[:num_cond], *old)
        axes = tuple(range(aval_of(going).ndim))
        spread = lambda x: broadcast_in_dim(
            going, shape=aval_of(x).shape, broadcast_dimensions=axes, sharding=None
        )
        return [select_n(spread(x), x, y) for x, y in zip(old, new)]

    return stage_closed(run, [*test.in_avals[:num_cond], *body.in_avals])


def _while(while_p, checkpoints: int, goes_on, step, consts, carry) -> list:
    """Return a loop of two functions of (consts, carry), which varies where devices take turns of their own."""
    k = len(consts)
    tested = lambda avals: stage_closed(lambda *args: [goes_on(args[:k], args[k:])], avals)
    typed = lambda: [aval_of(x).strip_weak_type() for x in [*consts, *carry]]
    carry = [_strong(x) for x in carry]
    test = tested(typed())
    turns = test.out_avals[0].vma
    if turns:
        carry = [pvary_to(x, turns) for x in carry]
        test = tested(typed())
    body = stage_closed(lambda *args: [pvary_to(_strong(x), turns) for x in step(args[:k], args[k:])], typed())
    return while_p.bind(
        *consts, *consts, *carry, cond_jaxpr=test, cond_nconsts=k, body_jaxpr=body, body_nconsts=k,
        checkpoints=checkpoints,
    )


def _strong(x):
    aval = aval_of(x)
    if not aval.weak_type:
        return x
    return convert_element_type(x, new_dtype=aval.dtype, weak_type=False, sharding=None)


def _count(while_p, loop: _Loop, consts, start, checkpoints):
    """Return the number of turns."""
    n, *_ = _while(
        while_p, checkpoints,
        lambda consts, carry: loop.goes_on(consts, carry[1:]),
        lambda consts, carry: [add(carry[0], np.int32(1)), *loop.step(consts, carry[1:])],
        consts, [np.int32(0), *start],
    )
    return n


# ---- the schedule --------------------------------------------------------------------------------


@memoized(16)
def _reach(checkpoints: int) -> np.ndarray:
    """beta(s, r) for each number of places s and of repetitions r."""
    most = float(np.finfo(np.float32).max)
    rows = [[min(float(comb(s + r, s)), most) for r in range(MOST_REPETITIONS)] for s in range(checkpoints + 1)]
    return np.array(rows, np.float32)


def _next_place(p, last, places, checkpoints: int):
    """Return which turn's carry to keep next, on the way from turn `p` to `last` with so many places; or -1."""
    number = lambda x: convert_element_type(x, new_dtype=np.dtype(np.float32), weak_type=False, sharding=None)
    length = number(add(sub(last, p), np.int32(1)))
    row = dynamic_slice(_reach(checkpoints), places, np.int32(0), slice_sizes=(1, MOST_REPETITIONS))
    longer = lt(reshape(row, new_sizes=(MOST_REPETITIONS,), dimensions=None, sharding=None), broadcast_in_dim(
        length, shape=(MOST_REPETITIONS,), broadcast_dimensions=(), sharding=None))
    r = reduce_sum(number(longer), axes=(0,), out_sharding=None)
    # The turns behind the new place are beta(s - 1, r), those before it beta(s, r - 1).
    ahead = div(mul(length, r), add(number(places), r))
    ahead = convert_element_type(ahead, new_dtype=np.dtype(np.int32), weak_type=False, sharding=None)
    place = add(p, max_(ahead, np.int32(1)))
    return select_n(gt(places, np.int32(1)), np.int32(-1), place)


class _State(NamedTuple):
    """The carry of the backward loop, at turn `now` with its carry `x`, about to undo turn `last`."""

    last: object
    now: object
    place: object  # the turn whose carry is kept next
    top: object  # the slot of the last carry kept
    turns: object  # of the carries kept
    kept: list
    x: list
    cts: list

    def flat(self) -> list:
        return [*self[:5], *self.kept, *self.x, *self.cts]


def _run(while_p, loop: _Loop, checkpoints: int, n, consts, start, ct_consts, ct_start) -> list:
    num, num_consts = len(start), len(ct_consts)
    turns = broadcast_in_dim(np.int32(0), shape=(checkpoints,), broadcast_dimensions=(), sharding=None)

    def state(flat) -> _State:
        numbers, kept, x, cts = parts(flat, 5, num, num)
        return _State(*numbers, kept, x, cts)

    def place(p, last, top):
        return _next_place(p, last, sub(np.int32(checkpoints), top), checkpoints)

    def advanced(consts, s: _State) -> _State:
        """Return the state at the turn to undo, or before that at the one whose carry is to be kept."""
        now, *x = _while(
            while_p, checkpoints,
            lambda consts, carry: and_(lt(carry[0], consts[0]), ne(carry[0], consts[1])),
            lambda consts, carry: [add(carry[0], np.int32(1)), *loop.step(consts[2:], carry[1:])],
            [s.last, s.place, *consts], [s.now, *s.x],
        )
        return s._replace(now=now, x=x)

    def keep(consts, s: _State) -> _State:
        top = add(s.top, np.int32(1))
        kept = [_put(buffer, x, top) for buffer, x in zip(s.kept, s.x)]
        return s._replace(
            place=place(s.now, s.last, top), top=top, turns=_put(s.turns, s.now, top), kept=kept
        )

    def undo(consts, s: _State) -> _State:
        cts = loop.back(consts, s.x, s.cts[num_consts:])
        summed = [add(a, b) for a, b in zip(s.cts, cts[:num_consts])]
        last = sub(s.last, np.int32(1))
        spent = gt(_get(s.turns, s.top), last)
        top = max_(select_n(spent, s.top, sub(s.top, np.int32(1))), np.int32(0))
        now = _get(s.turns, top)
        x = [_get(buffer, top) for buffer in s.kept]
        return _State(last, now, place(now, last, top), top, s.turns, s.kept, x, summed + cts[num_consts:])

    def step(consts, carry):
        s = advanced(consts, state(carry))
        carry = s.flat()
        there = select_n(eq(s.now, s.last), np.int32(0), np.int32(1))
        k, avals = len(consts), [aval_of(x) for x in [*consts, *carry]]
        branch = lambda f: stage_closed(
            lambda *args: [_strong(x) for x in f(args[:k], state(args[k:])).flat()], avals
        )
        return cond_p.bind(there, *consts, *carry, branches=(branch(keep), branch(undo)))

    last = sub(n, np.int32(1))
    kept = [
        broadcast_in_dim(
            x, shape=(checkpoints, *aval_of(x).shape), sharding=None,
            broadcast_dimensions=tuple(range(1, aval_of(x).ndim + 1)),
        )
        for x in start
    ]
    zero = np.int32(0)
    first = _State(last, zero, place(zero, last, zero), zero, turns, kept, list(start), ct_consts + ct_start)
    out = _while(
        while_p, checkpoints, lambda _, carry: ge(carry[0], np.int32(0)), step, consts, first.flat()
    )
    return state(out).cts


def _get(buffer, i):
    """`buffer[i]`"""
    shape = aval_of(buffer).shape[1:]
    row = dynamic_slice(buffer, i, *[np.int32(0)] * len(shape), slice_sizes=(1, *shape))
    return reshape(row, new_sizes=shape, dimensions=None, sharding=None)


def _put(buffer, x, i):
    """`buffer.at[i].set(x)`"""
    shape = aval_of(x).shape
    row = reshape(x, new_sizes=(1, *shape), dimensions=None, sharding=None)
    return dynamic_update_slice(buffer, row, i, *[np.int32(0)] * len(shape))
