"""Rules that make nodes and views: graph, operands, params, types of the results -> views.

What only rearranges is views; what puts arrays together is copies into parts of one. A rule returns None for
what it leaves to the `evaluate` rule.

Tests: `tests/engines/native/test_operations.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import prod

import numpy as np

from ....core.primitive import primitives
from ....core.process.locks import making
from ...numpy.spacing import evenly_spaced, is_written_out, shares
from ..functions import elementwise as elementwise  # the primitives must be there before their rules
from ..text.builder import NARROW
from .views import Type, View, contiguous

__all__ = [
    "WITHOUT_UNREAD", "FALLBACK_RULES", "LIBRARY_CALLS", "RULES", "TRANSPOSED", "import_rules", "product", "register",
    "rule_of", "rules_elsewhere", "threefry",
]

_F32, _F64 = np.dtype("f4"), np.dtype("f8")
_MAX_NUMBERS_KEPT = 4096  # of more, computing them takes less than reading them
_ENGINE = __name__.removesuffix(".graph.view_rules")

_REDUCTIONS = "reduce_sum reduce_prod reduce_max reduce_min reduce_and reduce_or reduce_xor".split()


def _reduce(graph, operands, params, types, *, op):
    (view,), axes, dtype = operands, params["axes"], types[0].dtype
    if dtype in NARROW and sorted(axes) != list(range(len(view.shape) - len(axes), len(view.shape))):
        # Partial sums in memory would be rounded each time.
        return [graph.converted(graph.reduce(op, graph.converted(view, _F32), axes, _F32), dtype)]
    return [graph.reduce(op, view, axes, dtype)]


def _reshape(graph, operands, params, types):
    (x,), order = operands, params.get("dimensions")
    return [graph.reshape(x if order is None else x.transpose(order), types[0].shape)]


def _slice(graph, operands, params, types):
    (x,), steps = operands, params["strides"]
    return [x.slice(params["start_indices"], params["limit_indices"], steps or (1,) * len(x.shape))]


def _pieces(x: View, axis: int, sizes) -> list[View]:
    out, start = [], 0
    for n in sizes:
        starts, limits = [0] * len(x.shape), list(x.shape)
        starts[axis], limits[axis] = start, start + n
        out.append(x.slice(starts, limits, (1,) * len(x.shape)))
        start += n
    return out


def _concatenate(graph, operands, params, types):
    axis, shape = params["dimension"], types[0].shape
    if not prod(shape):
        return [graph.number(0, types[0].dtype, shape)]
    if len(operands) == 1:
        return [operands[0]]
    strides, start, pieces = contiguous(shape), 0, []
    for x in operands:
        if prod(x.shape):
            pieces.append((x, start * strides[axis], strides))
        start += x.shape[axis]
    return [graph.assemble(shape, types[0].dtype, pieces)]


def _stack(graph, operands, params, types):
    axis, shape = params["axis"], types[0].shape
    if not prod(shape):
        return [graph.number(0, types[0].dtype, shape)]
    strides = contiguous(shape)
    rest = strides[:axis] + strides[axis + 1 :]
    pieces = [(x, i * strides[axis], rest) for i, x in enumerate(operands)]
    return [graph.assemble(shape, types[0].dtype, pieces)]


def _pad(graph, operands, params, types):
    """Return the operand, and slabs of the padding value on both sides along each axis, of what is not filled yet."""
    (x, value), config, shape = operands, params["padding_config"], types[0].shape
    if not prod(shape):
        return None
    sides, starts, limits = [], [], []
    for d, (low, high, inside) in zip(x.shape, config):
        step = inside + 1
        start = -(min(low, 0) // step)  # the first element that is kept, if low is negative
        stop = d + min(high, 0) // step
        limits.append(max(start, stop))
        starts.append(start)
        sides.append((low + start * step, high + (d - stop) * step))
    if any([a >= b for a, b in zip(starts, limits)]):
        return [value.broadcast(shape, ())]
    x = x.slice(starts, limits, (1,) * len(shape))
    strides, pieces = list(contiguous(shape)), []
    extent, origin = list(shape), 0  # of what is not filled yet
    for axis, ((low, _), (_, _, inside)) in enumerate(zip(sides, config)):
        step, d = inside + 1, x.shape[axis]
        end = low + (d - 1) * step  # the last element's place
        wide = (*strides[:axis], strides[axis] * step, *strides[axis + 1 :])
        for k in range(step):  # the places between elements, and those in line with them on both sides
            every = range((low + k) % step, shape[axis], step)
            runs = [every] if k else [range(every.start, low, step), range(end + step, shape[axis], step)]
            for run in runs:
                slab = (*extent[:axis], len(run), *extent[axis + 1 :])
                if prod(slab):
                    pieces.append((value.broadcast(slab, ()), origin + run.start * strides[axis], wide))
        origin += low * strides[axis]
        extent[axis], strides = d, list(wide)
    pieces.append((x, origin, tuple(strides)))
    return [graph.assemble(shape, types[0].dtype, pieces)] if len(pieces) > 1 else [x]


def _iota(graph, operands, params, types):
    shape, dtype, axis = types[0].shape, types[0].dtype, params["dimension"]
    node = graph._node("iota", (shape[axis],), dtype)
    return [graph.whole(node).broadcast(shape, (axis,))]


def _tile(graph, operands, params, types):
    (x,), reps = operands, params["reps"]
    shape = [d for pair in zip(reps, x.shape) for d in pair]
    return [graph.reshape(x.broadcast(shape, range(1, len(shape), 2)), types[0].shape)]


def _rotate(graph, x, bits):
    """x with its bits turned to the left."""
    number = lambda n: graph.number(n, x.base.dtype)
    word = lambda op, *xs: graph.elementwise(op, x.shape, x.base.dtype, xs)
    left, right = word("shift_left", x, number(bits)), word("shift_right_logical", x, number(32 - bits))
    return word("or", left, right)


def threefry(graph, operands, params, types):
    """Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): 20 rounds, keys every four."""
    shape, dtype = types[0].shape, types[0].dtype
    word = lambda op, *xs: graph.elementwise(op, shape, dtype, xs)
    number = lambda n: graph.number(n, dtype)
    k0, k1, x0, x1 = [v.stretched(shape) for v in operands]
    keys = [k0, k1, word("xor", word("xor", k0, k1), number(0x1BD11BDA))]
    x0, x1 = word("add", x0, k0), word("add", x1, k1)
    for i in range(5):
        for bits in ((13, 15, 26, 6), (17, 29, 16, 24))[i % 2]:
            x0 = word("add", x0, x1)
            x1 = word("xor", x0, _rotate(graph, x1, bits))
        x0 = word("add", x0, keys[(i + 1) % 3])
        x1 = word("add", x1, word("add", keys[(i + 2) % 3], number(i + 1)))
    return [x0, x1]


def product(graph, operands, params, types):
    """Return a product of matrices as a sum over an axis between the rows and the columns, which are vectors.

    If the right operand's sums are contiguous and its columns are not, the sum is over the last axis, unless it can be
    copied so that its columns are, once for all turns of a loop.
    """
    (x, y), dtype = operands, types[0].dtype
    (x_sum, y_sum), (x_batch, y_batch) = params["dimension_numbers"]
    free = lambda v, *used: [i for i in range(len(v.shape)) if not any([i in u for u in used])]
    x_free, y_free = free(x, x_sum, x_batch), free(y, y_sum, y_batch)
    if prod([x.shape[i] for i in x_sum]) == 1:
        x_sum = y_sum = ()
    rows, columns = [x.shape[i] for i in x_free], [y.shape[i] for i in y_free]
    batch, summed = [x.shape[i] for i in x_batch], [x.shape[i] for i in x_sum]
    sums_last = bool(y_sum and y_free) and y.strides[y_sum[-1]] == 1 != y.strides[y_free[-1]]
    sums_last = sums_last and y.base not in graph.fixed
    shape = (*batch, *rows, *columns, *summed) if sums_last else (*batch, *rows, *summed, *columns)
    same = x.base.dtype == y.base.dtype == dtype
    if not same or dtype.kind not in "fiu" or dtype in NARROW or not prod(shape):
        return None
    b, m, k, n = len(batch), len(rows), len(summed), len(columns)
    own = range(b + m)
    sums = range(b + m + n, len(shape)) if sums_last else range(b + m, b + m + k)
    places = range(b + m, b + m + n) if sums_last else range(b + m + k, len(shape))
    left = x.transpose([*x_batch, *x_free, *x_sum]).broadcast(shape, [*own, *sums])
    right = y.transpose([*y_batch, *y_sum, *y_free]).broadcast(shape, [*range(b), *sums, *places])
    product = graph.elementwise("mul", shape, dtype, (left, right))
    return [graph.reduce("add", product, tuple(sums), dtype)]


RULES = {
    "broadcast_in_dim": lambda g, xs, p, t: [xs[0].broadcast(p["shape"], p["broadcast_dimensions"])],
    "reshape": _reshape,
    "squeeze": lambda g, xs, p, t: [xs[0].squeeze(p["dimensions"])],
    "transpose": lambda g, xs, p, t: [xs[0].transpose(p["permutation"])],
    "rev": lambda g, xs, p, t: [xs[0].reverse(p["dimensions"])],
    "slice": _slice,
    "stop_gradient": lambda g, xs, p, t: [xs[0]],
    "optimization_barrier": lambda g, xs, p, t: xs,
    "split": lambda g, xs, p, t: _pieces(xs[0], p["axis"], p["sizes"]),
    "unstack": lambda g, xs, p, t: [
        v.squeeze((p["axis"],)) for v in _pieces(xs[0], p["axis"], [1] * xs[0].shape[p["axis"]])
    ],
    "concatenate": _concatenate,
    "stack": _stack,
    "pad": _pad,
    "iota": _iota,
    "tile": _tile,
    "empty": lambda g, xs, p, t: [g.number(0, t[0].dtype, t[0].shape)],
    "empty2": lambda g, xs, p, t: [g.number(0, t[0].dtype)],
    "sharding_constraint": lambda g, xs, p, t: [xs[0]],
    "reshard": lambda g, xs, p, t: [xs[0]],
    "layout_constraint": lambda g, xs, p, t: [xs[0]],  # results have the usual order, as XLA's have
    "dce_sink": lambda g, xs, p, t: [],
    "inspect_sharding": lambda g, xs, p, t: [],
    "device_put": lambda g, xs, p, t: list(xs),
    "threefry2x32": threefry,
    **{name: partial(_reduce, op=primitives[name].combines_rule.name) for name in _REDUCTIONS},
}


# Rules by name: of primitives that are defined above the engines, and for what the emit rule does not accept.
FALLBACK_RULES: dict = {}


# By the name of a routine: (routine, which of its results are read) -> one that makes only these, or None.
WITHOUT_UNREAD: dict[str, Callable] = {}

# By names of routines: the routine whose result, of exchanged operands, is that of the given one, transposed; or None.
TRANSPOSED: dict[str, Callable] = {}


# By the operation that the program of a library function is: (graph, jaxpr, operands, types) -> results that its
# documentation allows, or None. They need not be those of the program.
LIBRARY_CALLS: dict[str, Callable] = {}


def _spaced(graph, program, operands, types):
    """Return the numbers of `linspace` between two numbers, with XLA's bits."""
    ramps = [eqn.outvars[0].aval for eqn in program.eqns if eqn.primitive.name == "iota"]
    if len(ramps) != 1 or len(types) != 1 or any([not isinstance(v, View) or v.shape for v in operands]):
        return None
    (n,), dtype = ramps[0].shape, types[0].dtype
    ends = [graph.converted(v, dtype) for v in operands]
    if dtype not in (np.float32, np.float64) or dtype != ramps[0].dtype or n > _MAX_NUMBERS_KEPT:
        return None
    known = [v.base.value for v in operands if v.base.kind == "constant"]
    if len(known) == 2:
        start, stop = [np.reshape(x, ()) for x in known]
        numbers = graph.constant(evenly_spaced(start, stop, n, dtype, known=True)[0], ramps[0])
    elif dtype == np.float32:
        numbers = _spaced_between(graph, *ends, n)
    else:
        return None
    if types[0].shape[0] == n:
        return [numbers]
    return [graph.assemble((n + 1,), dtype, [(numbers, 0, (1,)), (ends[1].broadcast((1,), ()), n, (1,))])]


def _spaced_between(graph, start, stop, n):
    """Return n numbers from `start`, where one of the ends is not known; products with what is known are rounded."""
    constant = lambda x: graph.constant(x, Type(x.shape, x.dtype))
    of = lambda op, dtype, *xs: graph.elementwise(op, (n,), dtype, [graph.converted(x, dtype) for x in xs])
    share, part = shares(n, _F32)
    i, share = constant(np.arange(n).astype(_F32)), constant(share)
    by = graph.elementwise("mul", (), _F32, (stop, graph.number(part, _F32)))
    near, far = (start, share), (i, by)  # the factors of the products that are added
    first, second = (far, near) if start.base.kind == "constant" or stop.base.kind != "constant" else (near, far)
    fused = of("add", _F64, of("mul", _F64, *first), of("mul", _F32, *second))
    if is_written_out(n) and "constant" not in (start.base.kind, stop.base.kind):
        other = of("add", _F64, of("mul", _F64, *near), by)
        fused = graph.elementwise("select_n", (n,), _F64, (constant(np.arange(n) == 1), fused, other))
    return graph.converted(fused, _F32)


LIBRARY_CALLS["linspace"] = _spaced


_elsewhere: list[str] = []  # modules that give primitives rules, and are not imported yet


def rules_elsewhere(*modules: str) -> None:
    """Let modules of this engine be imported when the first primitive is met that has no rule without them."""
    _elsewhere.extend(modules)


def import_rules() -> None:
    """Import what `rules_elsewhere` named, so that all primitives have their rules."""
    with making:  # a child that is forked meanwhile would wait for ever
        for module in _elsewhere:
            import_module(f"{_ENGINE}.{module}")
        _elsewhere.clear()


def rule_of(primitive):
    """Return what makes nodes of equations of a primitive, or None."""
    rule = primitive.emit_rule or FALLBACK_RULES.get(primitive.name)
    if rule is None and _elsewhere:
        import_rules()
        return rule_of(primitive)
    return rule


def register(rules: dict) -> None:
    """Make these the rules of their primitives."""
    RULES.update(rules)
    for name, rule in rules.items():
        primitives[name].emit(rule)


register(dict(RULES))
