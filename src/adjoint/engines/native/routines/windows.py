"""Windows that slide over an array, as element-wise operations: element k of all windows is one strided view.

The padded array is in memory; a window's elements are combined in registers, or along one axis after the other if
there are many, by doublings; a program of the user goes over many in a loop. What won its window is followed by its
place, and cotangents are scattered there.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from itertools import product
from math import prod

import numpy as np

from ....core.primitive import primitives
from ....prims.indexed_windows import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers
from ....prims.logic import ge
from ....prims.sliding import Sliding, by_doubling
from ....prims.windows import without_pads
from ..graph.complex_and_keys import COMPLEX
from ..graph.graph import identity
from ..graph.kernel import Op
from ..graph.view_rules import FALLBACK_RULES, RULES, register
from ..graph.views import Pair, Type, View, contiguous
from ..text.builder import NARROW
from .base import Code, Routine, writes
from .cumulative import along
from .scalars import Registers, Scalars, lanes_of, load, parts_of, place, program_of, read, store
from .scatter import dot, scattered
from .user_reductions import step_of

_MAX_TAPS = 32  # elements of a window that are combined at once
_WINDOWS = "reduce_window_sum reduce_window_max reduce_window_min".split()
_F32, _I32, _BOOL = map(np.dtype, ("f4", "i4", "?"))
_ELEMENTS, _DROP = ScatterDimensionNumbers((), (0,), (0,)), GatherScatterMode.FILL_OR_DROP
_FLAT = GatherDimensionNumbers((), (0,), (0,))


def _wide(graph, x: View) -> View:
    """Small floats are combined in float32."""
    return graph.converted(x, _F32) if x.base.dtype in NARROW else x


def _padded(graph, x: View, windows: Sliding, value) -> View:
    config = [(lo, hi, d - 1) for (lo, hi), d in zip(windows.padding, windows.base_dilation)]
    if not any([any(c) for c in config]):
        return x
    dtype = x.base.dtype
    shape = windows.padded_shape(x.shape)
    value = value if isinstance(value, View) else graph.number(value, dtype)
    return RULES["pad"](
        graph, [x, value], {"padding_config": config}, [Type(shape, dtype)]
    )[0]


def _taps(x: View, windows: Sliding, counts) -> list[View]:
    places = product(*map(range, windows.window_dimensions))
    parts = [windows.tap(at, counts) for at in places]
    return [x.slice([s.start for s in p], [s.stop for s in p], [s.step for s in p]) for p in parts]


def _along(graph, op, x: View, axis: int, window: int, stride: int, spread: int, count: int) -> View:
    """Windows along one axis: from those of 1, 2, 4, ... elements."""

    def part(y, start, n, step):
        starts, limits, steps = [0] * len(y.shape), list(y.shape), [1] * len(y.shape)
        starts[axis], limits[axis], steps[axis] = start, start + (n - 1) * step + 1, step
        return y.slice(starts, limits, steps)

    both = lambda a, b: graph.elementwise(op, a.shape, a.base.dtype, (a, b))
    return by_doubling(x, x.shape[axis], part, both, window, stride, spread, count)


def _reduce_window(graph, operands, params, types, *, op):
    (x,), windows, counts = operands, Sliding(**params), types[0].shape
    dtype = x.base.dtype
    if not prod(counts):
        return [graph.number(0, dtype, counts)]
    y = _padded(graph, _wide(graph, x), windows, identity(op, dtype))
    if prod(windows.window_dimensions) <= _MAX_TAPS:
        first, *others = _taps(y, windows, counts)
        for tap in others:
            first = graph.elementwise(op, counts, y.base.dtype, (first, tap))
        return [graph.converted(first, dtype)]
    geometry = zip(windows.window_dimensions, windows.window_strides, windows.window_dilation, counts)
    for axis, (size, stride, gap, count) in enumerate(geometry):
        if (size, stride) != (1, 1):
            y = _along(graph, op, y, axis, size, stride, gap, count)
    return [graph.converted(y, dtype)]


def _sliding(params) -> Sliding:
    return Sliding(**{k: v for k, v in params.items() if k in Sliding._fields})


def _by_program(graph, operands, params, types):
    """Reduce windows by a program of scalars, one element after the other from the initial values on."""
    m = len(operands) // 2
    xs, starts = operands[:m], operands[m:]
    if any([s.shape for s in starts]) or params["consts"]:
        return None
    if not xs[0].shape:  # JAX parity: a scalar is its own window
        return xs
    windows, closed = _sliding(params), params["jaxpr"]
    if windows.has_pads:
        closed, shape = without_pads(closed), xs[0].shape
        xs, starts = [*xs, graph.number(True, _BOOL, shape)], [*starts, graph.number(False, _BOOL)]
        types = [*types, Type(types[0].shape, _BOOL)]
    program = read(closed)
    return None if program is None else _combined(graph, program, xs, starts, windows, types)[:m]


def _combined(graph, program: Scalars, xs, starts, windows: Sliding, types) -> list[View | Pair]:
    counts = types[0].shape
    if not prod(counts):
        return [graph.constant(np.zeros(counts, t.dtype), t) for t in types]
    padded = [_padded_parts(graph, x, windows, s) for x, s in zip(xs, starts)]
    if prod(windows.window_dimensions) > _MAX_TAPS:
        dtypes = tuple([t.dtype for t in types])
        routine = Routine("windows", (program, dtypes, padded[0].shape, counts, windows))
        return graph.routine("reduce_window", routine, [*map(graph.stored, (*padded, *starts))], types)
    flat = lambda values: [part for x in values for part in ((x.re, x.im) if isinstance(x, Pair) else (x,))]
    so_far = [s.broadcast(counts, ()) for s in flat(starts)]
    for taps in zip(*[_taps(x, windows, counts) for x in flat(padded)]):
        so_far = program.elementwise(graph, counts, [*so_far, *taps])
    parts = iter(so_far)
    return [Pair(next(parts), next(parts)) if t.dtype.kind == "c" else next(parts) for t in types]


def _padded_parts(graph, x: View | Pair, windows: Sliding, value: View | Pair) -> View | Pair:
    if isinstance(x, Pair):
        return Pair(_padded(graph, x.re, windows, value.re), _padded(graph, x.im, windows, value.im))
    return _padded(graph, x, windows, value)


@writes("windows")
def _(code: Code, addresses, program: Scalars, dtypes, shape, counts, windows: Sliding):
    """Vectors of windows, where they stand next to each other, each with all of its elements in order."""
    m = len(dtypes)
    xs, starts, outs = addresses[:m], addresses[m : 2 * m], addresses[2 * m :]
    step = windows.window_strides[-1]
    lanes = lanes_of(dtypes, counts[-1]) if step == 1 else 1
    strides, steps = contiguous(shape), contiguous(counts)
    parts = lambda b, bases, index: [
        v for base, d in zip(bases, dtypes) for v in load(b, place(code, base, index, d), d)
    ]
    moves = [s * w for s, w in zip(strides, windows.window_strides)]
    spreads = [s * w for s, w in zip(strides, windows.window_dilation)]
    with ExitStack() as loops:
        outer = [loops.enter_context(code.loop(d)) for d in counts[:-1]]

        def body(b, j):
            first, target = dot(code, [*outer, j], moves), dot(code, [*outer, j], steps)
            so_far = Registers(b, [b.spread(v) for v in parts(code, starts, code.integer(0))])
            with ExitStack() as taps:
                at = [taps.enter_context(code.loop(n)) for n in windows.window_dimensions]
                index = first + dot(code, at, spreads)
                so_far.set(program(b, [*so_far.get(), *parts(b, xs, index)]))
            made = so_far.get()
            for base, d in zip(outs, dtypes):
                count = len(parts_of(d))
                store(b, made[:count], place(code, base, target, d), d)
                made = made[count:]

        along(code, counts[-1], lanes, body)


# ---- what won its window -------------------------------------------------------------------------


def _is_float(x: View) -> bool:
    return x.base.dtype.kind == "f" or x.base.dtype in NARROW


def _winner(graph, x: View, windows: Sliding, counts, select, values, first=None) -> View:
    """Return for each window one of `values`, of the elements of windows: that of its winner.

    `first` stands before the elements, as does its value.
    """
    keeps = "ge" if select is ge else "le"
    taps = _taps(_padded(graph, x, windows, _worst(select)), windows, counts)
    best, *others = taps if first is None else [first, *taps]
    out, dtype = values[0], x.base.dtype
    for tap, value in zip(others, values[1:]):
        stays = graph.elementwise(keeps, counts, _BOOL, (best, tap))
        best = graph.elementwise("select_n", counts, dtype, (stays, tap, best))
        out = graph.elementwise("select_n", counts, value.base.dtype, (stays, value, out))
    return out


def _is_large(x: View, windows: Sliding, counts) -> bool:
    return max(prod(x.shape), prod(windows.padded_shape(x.shape)), prod(counts)) >= 1 << 31


def _is_long(windows: Sliding) -> bool:
    """Return whether a loop goes over the elements of a window."""
    return prod(windows.window_dimensions) > 2 * _MAX_TAPS


def _winners(graph, x: View, dtype, windows: Sliding, counts, select: Scalars, worst, known: bool) -> View:
    """Return for each window where in the flat array what `select` keeps is, or -1.

    `worst` is what stands outside, or None if that is passed over; `known` says that it stands before the elements.
    """
    start = None if worst is None else np.asarray(worst, dtype).tobytes()
    routine = Routine("winners", (select, dtype, x.shape, counts, windows, start, known))
    return graph.routine("winners", routine, [x], [Type(counts, _I32)])[0]


@writes("winners")
def _(code: Code, addresses, select: Scalars, dtype, shape, counts, windows: Sliding, start, known):
    (x, out), (part, *_) = addresses, parts_of(dtype)
    flag = lambda value: code.const(value, _BOOL)
    none = code.const(0 if start is None else np.frombuffer(start, part)[0], part)
    with ExitStack() as loops:
        outer = [loops.enter_context(code.loop(d)) for d in counts]
        best, value = Registers(code, [none]), Registers(code, [none])
        winner, found = [code.variable(-1) for _ in range(2)]
        begun = code.variable(flag(known))
        with ExitStack() as taps:
            inner = [taps.enter_context(code.loop(n)) for n in windows.window_dimensions]
            inside, index = flag(True), code.integer(0)
            for axis, (i, k) in enumerate(zip(outer, inner)):
                step, spread = windows.window_strides[axis], windows.window_dilation[axis]
                (low, _), gap = windows.padding[axis], windows.base_dilation[axis]
                at = i * step + k * spread
                at = at - low
                element = at if gap == 1 else code.binary("sdiv", at, code.integer(gap))
                if gap != 1 or max(windows.padding[axis]) > 0:
                    inside = inside & (at >= 0)
                    inside = inside & (element < shape[axis])
                if gap != 1:
                    inside = inside & (element * gap).equals(at)
                index = index + element * contiguous(shape)[axis]
            value.set([none])
            code.set(found, -1)
            with code.when(inside):
                value.set(load(code, place(code, x, index, dtype), dtype))
                code.set(found, index)
            counted = inside if start is None else flag(True)
            (keeps,) = select(code, [*best.get(), *value.get()])
            keeps = keeps & code.get(begun, _BOOL)
            with code.when(counted & ~keeps):
                best.set(value.get())
                code.set(winner, code.get(found))
            code.set(begun, code.get(begun, _BOOL) | counted)
        code.store(code.convert(code.get(winner), _I32), out, dot(code, outer, contiguous(counts)), _I32)


def _comparison(select) -> Scalars:
    name = "ge" if select is ge else "le"
    return Scalars((Op(name, (), _BOOL, (("in", 0), ("in", 1)), 0, None),), (("op", 0),))


def _worst(select) -> float:
    return -np.inf if select is ge else np.inf


def _select_and_gather_add(graph, operands, params, types):
    (t, x), counts = operands, types[0].shape
    select, windows = params["select_prim"], Sliding(**{k: v for k, v in params.items() if k != "select_prim"})
    if not prod(counts):
        return [graph.number(0, t.base.dtype, counts)]
    if not prod(x.shape) or not _is_float(x) or _is_large(x, windows, counts):
        return None
    none = graph.number(0, t.base.dtype, counts)  # of windows that nothing wins
    if _is_long(windows):
        dtype = x.base.dtype
        at = _winners(graph, x, dtype, windows, counts, _comparison(select), _worst(select), True)
        inside = graph.elementwise("ge", counts, _BOOL, (at, graph.number(0, _I32)))
        (won,) = RULES["gather"](
            graph, [graph.reshape(t, (prod(t.shape),)), graph.reshape(at, (*counts, 1))],
            dict(dimension_numbers=_FLAT, slice_sizes=(1,), mode=GatherScatterMode.CLIP), [Type(counts, t.base.dtype)],
        )
        return [graph.elementwise("select_n", counts, t.base.dtype, (inside, none, won))]
    x = _wide(graph, x)
    worst = graph.number(_worst(select), x.base.dtype, counts)
    values = _taps(_padded(graph, t, windows, 0), windows, counts)
    return [_winner(graph, x, windows, counts, select, [none, *values], worst)]


def _select_and_scatter_add(graph, operands, params, types):
    (source, x), shape = operands, types[0].shape
    ones = (1,) * len(shape)
    windows = Sliding(
        params["window_dimensions"], params["window_strides"], params["padding"], ones, ones
    )
    counts, dtype, select = source.shape, source.base.dtype, params["select_prim"]
    if not prod(counts) or not prod(shape):
        return [graph.number(0, dtype, shape)]
    if not _is_float(x) or _is_large(x, windows, counts) or not shape:
        return None
    if _is_long(windows):
        own = x.base.dtype
        place = _winners(graph, x, own, windows, counts, _comparison(select), _worst(select), False)
    else:
        places = _places(graph, windows, shape, counts)
        place = _winner(graph, _wide(graph, x), windows, counts, select, places)
    source = _wide(graph, source)
    n, wide = prod(counts), source.base.dtype
    out = RULES["scatter-add"](
        graph, [graph.number(0, wide, (prod(shape),)), graph.reshape(place, (n, 1)), graph.reshape(source, (n,))],
        dict(dimension_numbers=_ELEMENTS, mode=_DROP), [Type((prod(shape),), wide)],
    )
    return [graph.converted(graph.reshape(out[0], shape), dtype)]


def _places(graph, windows: Sliding, shape, counts) -> list[View]:
    """Return for each element of a window where it is in the flat array, or -1 if it is outside."""
    number = lambda n: graph.number(n, _I32)
    word = lambda op, *xs, dtype=_I32: graph.elementwise(op, counts, dtype, xs)
    starts = []
    for axis, (n, step, (low, _)) in enumerate(zip(counts, windows.window_strides, windows.padding)):
        iota = graph.whole(graph._node("iota", (n,), _I32)).broadcast(counts, (axis,))
        starts.append(word("sub", word("mul", iota, number(step)), number(low)))
    out, strides = [], contiguous(shape)
    for at in product(*map(range, windows.window_dimensions)):
        total, inside = number(0).broadcast(counts, ()), None
        for axis, (start, k) in enumerate(zip(starts, at)):
            i = word("add", start, number(k))
            total = word("add", total, word("mul", i, number(strides[axis])))
            if any(windows.padding[axis]):
                for op, bound in (("ge", 0), ("lt", shape[axis])):
                    ok = word(op, i, number(bound), dtype=_BOOL)
                    inside = ok if inside is None else word("and", inside, ok, dtype=_BOOL)
        out.append(total if inside is None else word("select_n", inside, number(-1).broadcast(counts, ()), total))
    return out


def _select_and_scatter(graph, operands, params, types):
    x, source, start = operands
    counts, shape = source.shape, types[0].shape
    windows = _sliding(params | dict(base_dilation=(1,) * len(shape), window_dilation=(1,) * len(shape)))
    if not prod(shape):
        return [x]
    if not prod(counts):
        return [start.broadcast(shape, ())]
    select, update, dtype = read(params["select_jaxpr"]), params["scatter_jaxpr"], types[0].dtype
    combine = program_of(lambda g, xs: g._run(update, xs[::-1]), (dtype, dtype))
    plain = select and combine and not start.shape and not params["select_consts"] and not params["scatter_consts"]
    if not plain or _is_large(x, windows, counts) or not shape:
        return None
    if _is_long(windows):
        at = _winners(graph, x, dtype, windows, counts, select, None, False)
    else:
        at = _chosen(graph, select, _taps(_padded(graph, x, windows, start), windows, counts), windows, shape, counts)
    n = prod(counts)
    given = start.broadcast((prod(shape),), ()), graph.reshape(at, (n, 1)), graph.reshape(source, (n,))
    (out,) = scattered(graph, given, _ELEMENTS, _DROP, [Type((prod(shape),), dtype)], combine)
    return [graph.reshape(out, shape)]


def _chosen(graph, select: Scalars, taps, windows: Sliding, shape, counts) -> View:
    """Return where the elements stand that a program keeps; the padding is never chosen."""
    flag = lambda op, *xs: graph.elementwise(op, counts, _BOOL, xs)
    known = None
    for tap, at in zip(taps, _places(graph, windows, shape, counts)):
        here = flag("ge", at, graph.number(0, _I32))
        if known is None:
            best, out, known = tap, at, here
            continue
        (keeps,) = select.elementwise(graph, counts, [best, tap])
        wins = flag("and", here, flag("not", flag("and", keeps, known)))
        best = graph.elementwise("select_n", counts, tap.base.dtype, (wins, best, tap))
        out = graph.elementwise("select_n", counts, _I32, (wins, out, at))
        known = flag("or", known, here)
    return out


def _extreme_of_complex(graph, operands, params, types, *, op):
    (x,), aval, r = operands, types[0], np.inf
    worst = complex(-r if op == "max" else r, 0)
    start = graph.constant(np.asarray(worst, aval.dtype), Type((), aval.dtype))
    return _combined(graph, step_of(op, aval.dtype), [x], [start], Sliding(**params), types)


FALLBACK_RULES.update(reduce_window=_by_program, select_and_scatter=_select_and_scatter)
COMPLEX["reduce_window"] = _by_program
COMPLEX.update({f"reduce_window_{op}": partial(_extreme_of_complex, op=op) for op in ("max", "min")})
register({name: partial(_reduce_window, op=primitives[name].combines_rule.name) for name in _WINDOWS})
register({
    "select_and_gather_add": _select_and_gather_add, "select_and_scatter_add": _select_and_scatter_add,
})
