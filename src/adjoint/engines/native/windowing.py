"""Windows that slide over an array, as element-wise operations: element k of all windows is one strided view.

The padded array lies in memory; a window's elements are combined in registers, or along one axis after the other if
there are many, by doublings. What won its window is followed by its place, and cotangents are scattered there.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from math import prod

import numpy as np

from ...core.jaxpr import ClosedJaxpr, Literal
from ...prims.gather import GatherScatterMode
from ...prims.logic import ge
from ...prims.scatter import ScatterDimensionNumbers
from ...prims.sliding import Sliding, by_doubling
from .builder import NARROW, SUPPORTED
from .elementwise import Rule
from .graph import identity
from .layout import NAMED, RULES, put_on
from .views import Type, View, contiguous

_TAPS = 32  # elements of a window that are combined at once
_WINDOWS = {"reduce_window_sum": "add", "reduce_window_max": "max", "reduce_window_min": "min"}
_F32, _I32, _BOOL = map(np.dtype, ("f4", "i4", "?"))
_ELEMENTS, _DROP = ScatterDimensionNumbers((), (0,), (0,)), GatherScatterMode.FILL_OR_DROP


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
    if not prod(counts) or not prod(x.shape) or not counts:
        return None
    y = _padded(graph, _wide(graph, x), windows, identity(op, dtype))
    if prod(windows.window_dimensions) <= _TAPS:
        first, *others = _taps(y, windows, counts)
        for tap in others:
            first = graph.elementwise(op, counts, y.base.dtype, (first, tap))
        return [graph.converted(first, dtype)]
    geometry = zip(windows.window_dimensions, windows.window_strides, windows.window_dilation, counts)
    for axis, (size, stride, spread, count) in enumerate(geometry):
        if (size, stride) != (1, 1):
            y = _along(graph, op, y, axis, size, stride, spread, count)
    return [graph.converted(y, dtype)]


def _by_program(graph, operands, params, types):
    """One element of the windows after the other by a program of scalars, from the initial values on."""
    m, counts = len(operands) // 2, types[0].shape
    xs, starts = operands[:m], operands[m:]
    windows = Sliding(**{k: v for k, v in params.items() if k not in ("jaxpr", "consts")})
    simple = all([isinstance(v, View) and v.base.dtype in SUPPORTED for v in operands])
    if not simple or any([s.shape for s in starts]) or params["consts"] or not prod(counts) or not prod(xs[0].shape):
        return None
    if prod(windows.window_dimensions) > _TAPS:
        return None
    so_far = [s.broadcast(counts, ()) for s in starts]
    padded = [_padded(graph, x, windows, s) for x, s in zip(xs, starts)]
    for taps in zip(*[_taps(x, windows, counts) for x in padded]):
        so_far = _applied(graph, params["jaxpr"], [*so_far, *taps], counts)
        if so_far is None:
            return None
    return so_far


def _applied(graph, closed: ClosedJaxpr, operands, shape) -> list[View] | None:
    """The results of a program of scalars for each element; None if it is not of element-wise operations only."""
    jaxpr = closed.jaxpr
    if any([v.aval.shape or v.aval.dtype not in SUPPORTED for v in jaxpr.constvars]):
        return None
    constant = lambda value, aval: graph.number(np.asarray(value), aval.dtype, shape)
    env = dict(zip(jaxpr.invars, operands))
    env.update([(v, constant(c, v.aval)) for v, c in zip(jaxpr.constvars, closed.consts)])
    at = lambda v: constant(v.val, v.aval) if type(v) is Literal else env[v]
    for eqn in jaxpr.eqns:
        given, called = [at(v) for v in eqn.invars], eqn.params.get("jaxpr")
        if eqn.primitive.name == "jit" and isinstance(called, ClosedJaxpr):
            found = _applied(graph, called, given, shape)
            if found is None:
                return None
            env.update(zip(eqn.outvars, found))
            continue
        rule, (out, *others) = eqn.primitive.emit_rule, [v.aval for v in eqn.outvars]
        plain = not others and not out.shape and out.dtype in SUPPORTED
        if not plain or not isinstance(rule, Rule) or not rule.accepts([v.aval for v in eqn.invars], eqn.params):
            return None
        params = tuple(eqn.params.items())
        env[eqn.outvars[0]] = graph.elementwise(eqn.primitive.name, shape, out.dtype, given, params)
    return [at(v) for v in jaxpr.outvars]


# ---- what won its window -------------------------------------------------------------------------


def _is_float(x: View) -> bool:
    return x.base.dtype.kind == "f" or x.base.dtype in NARROW


def _winner(graph, x: View, windows: Sliding, counts, select, values, first=None) -> View:
    """For each window one of `values`, of the elements of windows: that of its winner.

    `first` stands before the elements, as does its value.
    """
    keeps, worst = ("ge", -np.inf) if select is ge else ("le", np.inf)
    taps = _taps(_padded(graph, x, windows, worst), windows, counts)
    best, *others = taps if first is None else [first, *taps]
    out, dtype = values[0], x.base.dtype
    for tap, value in zip(others, values[1:]):
        stays = graph.elementwise(keeps, counts, _BOOL, (best, tap))
        best = graph.elementwise("select_n", counts, dtype, (stays, tap, best))
        out = graph.elementwise("select_n", counts, value.base.dtype, (stays, value, out))
    return out


def _is_large(x: View, windows: Sliding, counts) -> bool:
    size = max(prod(x.shape), prod(windows.padded_shape(x.shape)), prod(counts))
    return size >= 1 << 31 or prod(windows.window_dimensions) > 2 * _TAPS


def _select_and_gather_add(graph, operands, params, types):
    (t, x), counts = operands, types[0].shape
    select, windows = params["select_prim"], Sliding(**{k: v for k, v in params.items() if k != "select_prim"})
    if not prod(counts) or not prod(x.shape) or not _is_float(x) or _is_large(x, windows, counts):
        return None
    x = _wide(graph, x)
    worst = graph.number(-np.inf if select is ge else np.inf, x.base.dtype, counts)
    values = _taps(_padded(graph, t, windows, 0), windows, counts)
    none = graph.number(0, t.base.dtype, counts)  # of windows that nothing wins
    return [_winner(graph, x, windows, counts, select, [none, *values], worst)]


def _select_and_scatter_add(graph, operands, params, types):
    (source, x), shape = operands, types[0].shape
    ones = (1,) * len(shape)
    windows = Sliding(
        params["window_dimensions"], params["window_strides"], params["padding"], ones, ones
    )
    counts, dtype = source.shape, source.base.dtype
    if not prod(counts) or not prod(shape) or not _is_float(x) or _is_large(x, windows, counts) or not shape:
        return None
    places = _places(graph, windows, shape, counts)
    place = _winner(graph, _wide(graph, x), windows, counts, params["select_prim"], places)
    source = _wide(graph, source)
    n, wide = prod(counts), source.base.dtype
    out = RULES["scatter-add"](
        graph, [graph.number(0, wide, (prod(shape),)), graph.reshape(place, (n, 1)), graph.reshape(source, (n,))],
        dict(dimension_numbers=_ELEMENTS, mode=_DROP), [Type((prod(shape),), wide)],
    )
    return [graph.converted(graph.reshape(out[0], shape), dtype)]


def _places(graph, windows: Sliding, shape, counts) -> list[View]:
    """For each element of a window, where it is in the flat array, or -1 if it is outside."""
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


NAMED["reduce_window"] = _by_program
put_on({name: partial(_reduce_window, op=op) for name, op in _WINDOWS.items()})
put_on({
    "select_and_gather_add": _select_and_gather_add, "select_and_scatter_add": _select_and_scatter_add,
})
