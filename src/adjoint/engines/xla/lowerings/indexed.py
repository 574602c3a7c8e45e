"""The `lower` rules of what reads and writes by index or runs along an axis, and rules that are programs.

A rule that is a program says what a primitive does in terms of others, on arrays; its equations are written in
the place of the primitive's.
"""

from __future__ import annotations

import numpy as np

from ....core import dtypes
from ....core.types import ShapedArray
from ....core.values.dimension import Dimension, as_number
from ....prims.arithmetic import abs_, add, clamp, conj, max_, min_, mul, neg, sub
from ....prims.indexed_windows import GatherScatterMode, default_fill
from ....prims.indexing import gather
from ....prims.logic import and_, ge, le, ne, or_, select_n, shift_left, shift_right_logical, xor
from ....prims.reduction import reduce_and
from ....prims.shape import broadcast_in_dim, concatenate, full
from ....prims.transcendental import exp, log1p
from ..rules import lower
from ..stablehlo import physical
from .lowerings import barrier, integers, neutral, scalar, with_regions
from .windowed import binary

# ---- gather and scatter ---------------------------------------------------------------------------

_FILL, _CLIP = GatherScatterMode.FILL_OR_DROP, GatherScatterMode.CLIP


def _numbers(pairs, rank) -> str:
    """Return the fields of a dimension-numbers attribute that are not empty; index vectors are the last axis."""
    fields = [f"{name} = {list(axes)}" for name, axes in pairs if axes]
    if rank > 1:
        fields.append(f"index_vector_dim = {rank - 1}")
    return ", ".join(fields)


@lower("gather")
def _(w, eqn, operands):
    p, (x, indices), out = eqn.params, operands, eqn.outvars[0].aval
    if p["mode"] is _FILL:
        return _filled(w, p, operands, out)
    n = p["dimension_numbers"]
    numbers = _numbers(
        [("offset_dims", n.offset_dims), ("collapsed_slice_dims", n.collapsed_slice_dims),
         ("operand_batching_dims", n.operand_batching_dims),
         ("start_indices_batching_dims", n.start_indices_batching_dims), ("start_index_map", n.start_index_map)],
        len(indices.aval.shape),
    )
    value = w.fresh(out)
    w.line(
        f'{value.name} = "stablehlo.gather"({x.name}, {indices.name}) <{{dimension_numbers = '
        f"#stablehlo.gather<{numbers}>, indices_are_sorted = {str(p['indices_are_sorted']).lower()}, "
        f"slice_sizes = {integers(p['slice_sizes'])}}}> : ({x.type}, {indices.type}) -> {value.type}"
    )
    return value


def _lengths(lengths, dtype):
    """Lengths as an array of a dtype."""
    if not any([isinstance(n, Dimension) for n in lengths]):
        return np.array(lengths).astype(dtype)
    rows = [as_number(n, dtype) for n in lengths]
    return concatenate(*[broadcast_in_dim(x, shape=(1,), broadcast_dimensions=(), sharding=None) for x in rows],
                       dimension=0)


def _filled(w, p, operands, out):
    """Return a gather that moves windows inside, and the fill value where it had to."""
    n, sizes = p["dimension_numbers"], p["slice_sizes"]
    fill = default_fill(out.dtype) if p["fill_value"] is None else p["fill_value"]

    def run(x, indices):
        rows = gather(x, indices, **{**p, "mode": _CLIP, "fill_value": None})
        if not n.start_index_map:
            return [rows]
        last = [x.shape[a] - sizes[a] for a in n.start_index_map]
        low, high = (
            broadcast_in_dim(_lengths(v, indices.dtype), shape=indices.shape,
                             broadcast_dimensions=(indices.ndim - 1,), sharding=None)
            for v in ([0] * len(last), last)
        )
        inside = and_(ge(indices, low), le(indices, high))
        inside = reduce_and(inside, axes=(indices.ndim - 1,))
        batch = tuple([d for d in range(out.ndim) if d not in n.offset_dims])
        inside = broadcast_in_dim(inside, shape=out.shape, broadcast_dimensions=batch, sharding=None)
        return [select_n(inside, full(out.shape, fill, out.dtype), rows)]

    return w.written(run, operands)


@lower("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max")
def _(w, eqn, operands):
    p, (x, indices, updates) = eqn.params, operands
    n, operation = p["dimension_numbers"], eqn.primitive.combines_rule
    if operation is None and p["update_jaxpr"] is not None:
        return w.on_host(eqn, operands)
    if p["mode"] is _CLIP and n.scatter_dims_to_operand_dims:
        (indices,) = _inside(w, x.aval, indices, updates.aval, n)
    numbers = _numbers(
        [("update_window_dims", n.update_window_dims), ("inserted_window_dims", n.inserted_window_dims),
         ("input_batching_dims", n.operand_batching_dims),
         ("scatter_indices_batching_dims", n.scatter_indices_batching_dims),
         ("scatter_dims_to_operand_dims", n.scatter_dims_to_operand_dims)],
        len(indices.aval.shape),
    )
    attributes = (
        f"indices_are_sorted = {str(p['indices_are_sorted']).lower()}, scatter_dimension_numbers = "
        f"#stablehlo.scatter<{numbers}>, unique_indices = {str(p['unique_indices']).lower()}"
    )
    body = (lambda xs: [xs[1]]) if operation is None else binary(w, operation)
    region = (body, [scalar(x.aval)] * 2)
    return with_regions(w, "scatter", [x, indices, updates], attributes, [region], [x.aval])


def _inside(w, x, indices, updates, n):
    """Return indices of windows moved inside the array."""
    window = [a for a in range(x.ndim) if a not in n.inserted_window_dims and a not in n.operand_batching_dims]
    sizes = {a: updates.shape[d] for a, d in zip(window, n.update_window_dims)}
    last = [x.shape[a] - sizes.get(a, 1) for a in n.scatter_dims_to_operand_dims]

    def run(indices):
        high = broadcast_in_dim(_lengths(last, indices.dtype), shape=indices.shape,
                                broadcast_dimensions=(indices.ndim - 1,), sharding=None)
        return [clamp(full(indices.shape, 0, indices.dtype), indices, high)]

    return w.written(run, [indices])


# ---- along an axis --------------------------------------------------------------------------------


def _log_add_exp(w):
    """log(exp(a) + exp(b)): the larger one, and what the other adds."""

    def run(a, b):
        larger, gap = max_(a, b), sub(a, b)
        sum_ = add(larger, log1p(exp(neg(abs_(gap)), accuracy=None), accuracy=None))
        return [select_n(ne(gap, gap), sum_, add(a, b))]  # equal infinities, or NaN

    return lambda xs: w.written(run, xs)


@lower("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
def _(w, eqn, operands):
    (x,), axis = operands, eqn.params["axis"]
    n, rank = x.aval.shape[axis], len(x.aval.shape)
    operation = eqn.primitive.combines_rule
    if not x.aval.size:
        return x
    if dtypes.issubdtype(x.aval.dtype, np.complexfloating) and operation not in (add, mul):
        return w.on_host(eqn, operands)
    ones, at = [1] * rank, lambda value, other: [value if d == axis else other for d in range(rank)]
    pad = at([0, n - 1] if eqn.params["reverse"] else [n - 1, 0], [0, 0])
    attributes = (
        f"base_dilations = {integers(ones)}, padding = dense<{pad}> : tensor<{rank}x2xi64>, window_dilations = "
        f"{integers(ones)}, window_dimensions = {integers(at(n, 1))}, window_strides = {integers(ones)}"
    )
    start = w.constant(neutral(operation or max_, x.aval.dtype), scalar(x.aval))
    region = (binary(w, operation) if operation else _log_add_exp(w), [scalar(x.aval)] * 2)
    return with_regions(w, "reduce_window", [x, start], attributes, [region], [x.aval])


@lower("argmax", "argmin")
def _(w, eqn, operands):
    """Return the first of the extreme elements; a NaN is extreme."""
    (x,), (axis,), index = operands, eqn.params["axes"], eqn.params["index_dtype"]
    inexact = dtypes.issubdtype(x.aval.dtype, np.inexact)
    if dtypes.issubdtype(x.aval.dtype, np.complexfloating):
        return w.on_host(eqn, operands)
    largest = eqn.primitive.name == "argmax"
    places = w.fresh(x.aval.update(dtype=np.dtype(index)))
    w.line(f"{places.name} = stablehlo.iota dim = {axis} : {places.type}")
    starts = [w.constant(neutral(max_ if largest else min_, x.aval.dtype), scalar(x.aval)),
              w.constant(np.zeros((), index), scalar(places.aval))]

    def better(xs):
        a, i, b, j = xs
        wins = w.compare("GT" if largest else "LT", a, b)
        if inexact:
            wins = w.op("stablehlo.or", [wins, w.compare("NE", a, a)], wins.aval, pretty=True)
            missing = w.compare("NE", b, b)
        same = w.compare("EQ", a, b)
        earlier = w.compare("LT", i, j)
        if inexact:
            both = w.op("stablehlo.and", [w.compare("NE", a, a), missing], same.aval, pretty=True)
            same = w.op("stablehlo.or", [same, both], same.aval, pretty=True)
            alone = w.op("stablehlo.not", [both], same.aval, pretty=True)
            wins = w.op("stablehlo.and", [wins, alone], same.aval, pretty=True)
        first = w.op("stablehlo.and", [same, earlier], same.aval, pretty=True)
        place = w.select(w.op("stablehlo.or", [wins, first], same.aval, pretty=True), i, j)
        return [w.select(wins, a, b), place]

    out = eqn.outvars[0].aval
    region = (better, [scalar(x.aval), scalar(places.aval)] * 2)
    attributes = f"dimensions = {integers([axis])}"
    outs = [out.update(dtype=x.aval.dtype), out]
    return with_regions(w, "reduce", [x, places, *starts], attributes, [region], outs)[1]


def _parts(w, x):
    """Return what decides the order of an element: 0 for both zeros, one NaN, the parts of a complex number."""
    if dtypes.issubdtype(x.aval.dtype, np.complexfloating):
        part = ShapedArray((), np.empty(0, x.aval.dtype).real.dtype)
        return [y for op in ("real", "imag") for y in _parts(w, w.op(f"stablehlo.{op}", [x], part))]
    if not dtypes.issubdtype(x.aval.dtype, np.floating):
        return [x]
    # In these words XLA sees an order in which its fast sorts can sort.
    positive = w.select(w.compare("EQ", x, w.splat(0, x.aval)), w.splat(0, x.aval), x)
    return [w.select(w.compare("NE", x, x), w.splat(np.nan, x.aval), positive)]


@lower("sort")
def _(w, eqn, operands):
    p, flag = eqn.params, ShapedArray((), dtypes.bool_)

    def precedes(xs):
        pairs = [pair for i in range(p["num_keys"])
                 for pair in zip(_parts(w, xs[2 * i]), _parts(w, xs[2 * i + 1]))]
        result = None
        for a, b in reversed(pairs):
            kind = "TOTALORDER" if dtypes.issubdtype(a.aval.dtype, np.floating) else ""
            smaller = w.compare("LT", a, b, kind)
            if result is not None:
                tied = w.op("stablehlo.and", [w.compare("EQ", a, b, kind), result], flag, pretty=True)
                smaller = w.op("stablehlo.or", [smaller, tied], flag, pretty=True)
            result = smaller
        return [result]

    attributes = f"dimension = {p['dimension']} : i64, is_stable = {str(p['is_stable']).lower()}"
    region = (precedes, [scalar(x.aval) for x in operands for _ in range(2)])
    return with_regions(w, "sort", operands, attributes, [region], [v.aval for v in eqn.outvars])


# ---- single operations ----------------------------------------------------------------------------


@lower("conj")
def _(w, eqn, operands):
    (x,) = operands
    part = ShapedArray(x.aval.shape, np.empty(0, x.aval.dtype).real.dtype)
    if part.dtype == x.aval.dtype:  # a real operand as a complex result
        return w.op("stablehlo.complex", [x, w.splat(0, x.aval)], eqn.outvars[0].aval, pretty=False)
    re, im = (w.op(f"stablehlo.{op}", [x], part) for op in ("real", "imag"))
    return w.op("stablehlo.complex", [re, w.op("stablehlo.negate", [im], part, pretty=True)], x.aval, pretty=True)


@lower("reduce_precision")
def _(w, eqn, operands):
    form = f", format = e{eqn.params['exponent_bits']}m{eqn.params['mantissa_bits']}"
    return w.op("stablehlo.reduce_precision", operands, eqn.outvars[0].aval, form, pretty=True)


@lower("optimization_barrier")
def _(w, eqn, operands):
    return barrier(w, operands)


@lower("empty", "empty2")
def _(w, eqn, operands):
    return w.splat(0, physical(eqn.outvars[0].aval))


@lower("unstack")
def _(w, eqn, operands):
    (x,), axis, outs = operands, eqn.params["axis"], []
    for i, v in enumerate(eqn.outvars):
        ranges = [f"{i}:{i + 1}" if d == axis else f"0:{n}" for d, n in enumerate(x.aval.shape)]
        shape = tuple([1 if d == axis else n for d, n in enumerate(x.aval.shape)])
        row = w.fresh(x.aval.update(shape=shape))
        w.line(f"{row.name} = stablehlo.slice {x.name} [{', '.join(ranges)}] : ({x.type}) -> {row.type}")
        outs.append(w.op("stablehlo.reshape", [row], v.aval))
    return outs


@lower("triangular_solve")
def _(w, eqn, operands):
    p, (a, b) = eqn.params, operands
    kind = "NO_TRANSPOSE" if not p["transpose_a"] else "ADJOINT" if p["conjugate_a"] else "TRANSPOSE"
    if p["conjugate_a"] and kind != "ADJOINT" and dtypes.issubdtype(a.aval.dtype, np.complexfloating):
        (a,) = w.written(lambda a: [conj(a, input_dtype=a.dtype)], [a])
    value = w.fresh(eqn.outvars[0].aval)
    flags = {k: str(p[k]).lower() for k in ("left_side", "lower", "unit_diagonal")}
    w.line(
        f'{value.name} = "stablehlo.triangular_solve"({a.name}, {b.name}) <{{left_side = {flags["left_side"]}, '
        f"lower = {flags['lower']}, transpose_a = #stablehlo<transpose {kind}>, unit_diagonal = "
        f"{flags['unit_diagonal']}}}> : ({a.type}, {b.type}) -> {value.type}"
    )
    return value


# ---- programs -------------------------------------------------------------------------------------

_ROTATIONS = ((17, 29, 16, 24), (13, 15, 26, 6))
_PARITY = np.uint32(0x1BD11BDA)


@lower("threefry2x32")
def _(w, eqn, operands):
    def run(k0, k1, x0, x1):
        word = lambda value: np.uint32(value & 0xFFFFFFFF)
        shape = eqn.outvars[0].aval.shape
        k0, k1, x0, x1 = (
            v if v.shape == shape else broadcast_in_dim(
                v, shape=shape, broadcast_dimensions=tuple(range(len(shape) - v.ndim, len(shape))), sharding=None)
            for v in (k0, k1, x0, x1)
        )
        keys = (k0, k1, xor(xor(k0, k1), _PARITY))
        x0, x1 = add(x0, k0), add(x1, k1)
        for i in range(1, 6):
            for r in _ROTATIONS[i % 2]:
                x0 = add(x0, x1)
                x1 = or_(shift_left(x1, word(r)), shift_right_logical(x1, word(32 - r)))
                x1 = xor(x0, x1)
            x0 = add(x0, keys[i % 3])
            x1 = add(add(x1, keys[(i + 1) % 3]), word(i))
        return [x0, x1]

    return w.written(run, operands)


@lower("custom_linear_solve")
def _(w, eqn, operands):
    lengths, jaxprs = eqn.params["const_lengths"], eqn.params["jaxprs"]
    before = lengths.matvec + lengths.vecmat
    consts = operands[before : before + lengths.solve]
    return w.program(jaxprs.solve, [*consts, *operands[sum(lengths) :]])


for _name, _key in (("linear_call", "callee"), ("custom_vmap_call", "call")):
    lower(_name)(lambda w, eqn, xs, key=_key: w.program(eqn.params[key], xs))
