"""Rules of primitives that are defined above the engines, by name: `reduce` by a program, and what opens programs.

A reduction by a program of scalars is a routine: the program's operations are applied to the initial values and one
row after the other, vectors of them where other axes remain at the end, and then to what blocks of rows gave. In that
order a maximum that is written with `where` passes over NaNs, which in another one would hide what was seen before. So
are reductions and running results of complex numbers; where their order is free, the lanes of a vector are combined at
the end.
"""

from __future__ import annotations

from functools import cache, partial
from math import prod

import numpy as np

from ....prims.sliding import BLOCK_ROWS, blocks_of
from ..graph.complex_and_keys import COMPLEX, Real, add_pairs, exp_pair, greater, log_pair, mul_pairs, sub_pairs
from ..graph.view_rules import FALLBACK_RULES
from ..graph.views import Pair, Type, View
from ..text.builder import Value
from .base import Code, Routine, writes
from .cumulative import along, half, split_at
from .scalars import Registers, Scalars, lanes_of, load, place, program_of, read, store

_STRETCHES, _MIN_ELEMENTS_TO_DIVIDE = 4, 64  # parts of a row of at least so many elements


@writes("fold")
def _(code: Code, addresses, program: Scalars, dtypes, outer, n, inner, is_free, is_long):
    """`is_free`: whether elements may be combined in any order; `is_long`: in blocks, from initial values on."""
    m = len(dtypes)
    xs, starts, outs = addresses[:m], addresses[m:-m], addresses[-m:]
    lanes = lanes_of(dtypes, inner) if inner > 1 else 1
    wide = lanes_of(dtypes, n) if inner == 1 and is_free else 1
    parts = lambda b, bases, index: [
        v for base, d in zip(bases, dtypes) for v in load(b, place(code, base, index, d), d)
    ]
    with code.loop(outer) as i:
        first, target = i * (n * inner), i * inner

        def body(b, j):
            begin = first + j
            element = lambda k: parts(b, xs, begin + k * inner)
            if starts:
                begins = [b.spread(v) for v in parts(code, starts, code.integer(0))]
                so_far = _in_blocks(code, b, program, begins, element, n, is_long)
            else:
                done = 1
                if inner == 1:
                    made, done = _of_row(code, program, lambda v, k: parts(v, xs, first + k), n, wide)
                so_far = Registers(b, made if inner == 1 else element(code.integer(0)))
                with code.loop(n, done) as k:
                    so_far.set(program(b, [*so_far.get(), *element(k)]))
            made = so_far.get()
            at = target + j
            for base, d in zip(outs, dtypes):
                count = 2 if d.kind == "c" else 1
                store(b, made[:count], place(code, base, at, d), d)
                made = made[count:]

        along(code, inner, lanes, body)


def _in_blocks(code: Code, b, program: Scalars, begins, element, n: int, is_long: bool) -> Registers:
    """Return elements combined from the initial values on, as `fold_blocks` says; each level of blocks is a loop."""
    if not is_long or n <= BLOCK_ROWS:
        so_far = Registers(b, begins)
        with code.loop(n) as k:
            so_far.set(program(b, [*so_far.get(), *element(k)]))
        return so_far
    blocks, missing = blocks_of(n)
    total = n

    def of_block(i):
        begin = i * BLOCK_ROWS - missing
        end = begin + BLOCK_ROWS
        zero, last = code.integer(0), code.integer(total)
        if missing:
            begin = code.select(code.compare("lt", begin, zero), zero, begin)
        if total % BLOCK_ROWS:
            end = code.select(code.compare("gt", end, last), last, end)
        so_far = Registers(b, begins)
        with code.loop(end, begin) as k:
            so_far.set(program(b, [*so_far.get(), *element(k)]))
        return so_far.get()

    return _in_blocks(code, b, program, begins, of_block, blocks, True)


def _of_row(code: Code, program: Scalars, parts, n: int, lanes: int) -> tuple[list[Value], int]:
    """Most elements of a row combined, and how many they are.

    Those of some stretches are combined at once, since each waits for the one before it.
    """
    if lanes > 1:
        return _in_lanes(code, program, parts, n, lanes), n // lanes * lanes
    count = n // _STRETCHES if n >= _MIN_ELEMENTS_TO_DIVIDE else 1
    starts = [code.integer(i * count) for i in range(_STRETCHES if n >= _MIN_ELEMENTS_TO_DIVIDE else 1)]
    so_far = [Registers(code, parts(code, start)) for start in starts]
    with code.loop(count, 1) as k:
        for registers, start in zip(so_far, starts):
            registers.set(program(code, [*registers.get(), *parts(code, start + k)]))
    made = so_far[0].get()
    for registers in so_far[1:]:
        made = program(code, [*made, *registers.get()])
    return made, count * len(starts)


def _in_lanes(code: Code, program: Scalars, parts, n: int, lanes: int) -> list[Value]:
    """Return the whole vectors of a row combined."""
    b = code.wide_builder(lanes)
    so_far = Registers(b, parts(b, code.integer(0)))
    with code.loop(n // lanes * lanes, lanes, lanes) as k:
        so_far.set(program(b, [*so_far.get(), *parts(b, k)]))
    made = so_far.get()
    while lanes > 1:
        wide, lanes = code.wide_builder(lanes), lanes // 2
        halves = [half(wide, v, start) for start in (0, lanes) for v in made]
        made = program(code.wide_builder(lanes), halves)
    return made


def _folded(graph, program: Scalars, xs, starts, axes, dtypes, is_free=False):
    """Return arrays of one shape, which is not empty, reduced over some axes."""
    shape = xs[0].shape
    kept = [i for i in range(len(shape)) if i not in axes]
    count, rest = prod([shape[a] for a in axes]), prod([shape[a] for a in kept])
    last = not kept or kept[-1] != len(shape) - 1
    order, sizes = ([*kept, *axes], (rest, count, 1)) if last else ([*axes, *kept], (1, count, rest))
    if axes and list(axes) == list(range(axes[0], axes[-1] + 1)):  # they are together
        order, sizes = range(len(shape)), (prod(shape[: axes[0]]), count, prod(shape[axes[-1] + 1 :]))
    rows = [graph.stored(_permuted(x, order)) for x in xs]
    types = [Type(tuple([shape[a] for a in kept]), d) for d in dtypes]
    is_long = any([shape[a] > BLOCK_ROWS for a in axes])
    routine = Routine("fold", (program, dtypes, *sizes, is_free, is_long))
    return graph.routine("reduce", routine, [*rows, *map(graph.stored, starts)], types)


def _permuted(x: View | Pair, order) -> View | Pair:
    return Pair(x.re.transpose(order), x.im.transpose(order)) if isinstance(x, Pair) else x.transpose(order)


def _reduce(graph, operands, params, types):
    m, axes = len(operands) // 2, params["dimensions"]
    xs, starts = operands[:m], operands[m:]
    if not prod(types[0].shape):
        return [graph.constant(np.zeros(t.shape, t.dtype), t) for t in types]
    if any([s.shape for s in starts]):
        return None
    if not prod(xs[0].shape):
        return [_stretched(s, types[0].shape) for s in starts]
    if prod(xs[0].shape) == prod(types[0].shape):  # JAX parity: a single element is the result
        return [_squeezed(x, axes) for x in xs]
    program = read(params["jaxpr"])
    return None if program is None else _folded(graph, program, xs, starts, axes, tuple([t.dtype for t in types]))


def _stretched(x: View | Pair, shape) -> View | Pair:
    return Pair(x.re.stretched(shape), x.im.stretched(shape)) if isinstance(x, Pair) else x.stretched(shape)


def _squeezed(x: View | Pair, axes) -> View | Pair:
    return Pair(x.re.squeeze(axes), x.im.squeeze(axes)) if isinstance(x, Pair) else x.squeeze(axes)


FALLBACK_RULES["reduce"] = _reduce
COMPLEX["reduce"] = _reduce


# ---- complex numbers -----------------------------------------------------------------------------

_STEPS = {"add": add_pairs, "sub": sub_pairs, "mul": mul_pairs, "max": greater("gt"), "min": greater("lt")}


@cache
def step_of(op: str, dtype) -> Scalars:
    """Combine two complex numbers."""
    part = Type((), dtype)
    program = program_of(lambda graph, xs: [_STEPS[op](Real.of(graph, part), *xs)], (dtype, dtype))
    assert program is not None
    return program


def _reduce_complex(graph, operands, params, types, *, op):
    (x,), axes, dtype = operands, params["axes"], types[0].dtype
    if not prod(x.shape):
        return [graph.constant(np.ones(types[0].shape, dtype), types[0])] if op == "mul" else None
    if prod([x.shape[a] for a in axes]) == 1:
        return [Pair(*[part.squeeze(axes) for part in (x.re, x.im)])]
    return _folded(graph, step_of(op, dtype), [x], (), axes, (dtype,), True)


@writes("running")
def _(code: Code, addresses, program: Scalars, dtype, outer, n, inner, reverse):
    x, out = addresses
    with code.loop(outer) as i:
        first = i * (n * inner)

        def body(b, j):
            def at(turn):
                k = n - 1 - turn if reverse else turn
                index = first + (j + k * inner)
                return [place(code, base, index, dtype) for base in (x, out)]

            source, target = at(code.integer(0))
            so_far = Registers(b, load(b, source, dtype))
            store(b, so_far.get(), target, dtype)
            with code.loop(n, 1) as turn:
                source, target = at(turn)
                made = program(b, [*so_far.get(), *load(b, source, dtype)])
                so_far.set(made)
                store(b, made, target, dtype)

        along(code, inner, lanes_of((dtype,), inner) if inner > 1 else 1, body)


def _cumulative_complex(graph, operands, params, types, *, op):
    (x,), axis, dtype = operands, params["axis"], types[0].dtype
    if not prod(x.shape):
        return [x]
    routine = Routine(
        "running", (step_of(op, dtype), dtype, *split_at(x.shape, axis), bool(params["reverse"]))
    )
    return graph.routine("cumulative", routine, [graph.stored(x)], types)


def _logsumexp(graph, operands, params, types):
    """log(sum e^(x - s)) + s, s the greatest real part."""
    (x,), axis, shape = operands, params["axis"], types[0].shape
    if not prod(shape):
        return [x]
    r = Real.of(graph, types[0])
    shift = graph.reduce("max", x.re, (axis,), r.dtype)
    shift = shift.broadcast(shape, [i for i in range(len(shape)) if i != axis])
    shift = Pair(r.where(r.is_finite(shift), shift, r.lit(0)), r.lit(0))
    moved = exp_pair(r, Pair(r.sub(x.re, shift.re), x.im))
    (total,) = COMPLEX["cumsum"](graph, [moved], params, types)
    return [add_pairs(r, log_pair(r, total), shift)]


for _op, _name in (("mul", "prod"), ("max", "max"), ("min", "min")):
    COMPLEX[f"reduce_{_name}"] = partial(_reduce_complex, op=_op)
    COMPLEX[f"cum{_name}"] = partial(_cumulative_complex, op=_op)
COMPLEX["cumlogsumexp"] = _logsumexp


def _linear_solve(graph, operands, params, types):
    """Return its program for solutions, of its constants and the right-hand side."""
    lengths = params["const_lengths"]
    at = lengths._fields.index("solve")
    first, total = sum(lengths[:at]), sum(lengths)
    return graph._run(params["jaxprs"].solve, [*operands[first : first + lengths[at]], *operands[total:]])


FALLBACK_RULES["custom_linear_solve"] = COMPLEX["custom_linear_solve"] = _linear_solve
