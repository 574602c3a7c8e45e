"""The meaning of operations that hold programs: reductions, windows, sorts, scatters, loops, branches, calls.

What a region computes is found by its form, where it is one operation, or by what it gives for some values: a
comparison of a sort may be written in many ways, and means an order by some of the operands.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from ... import lax
from ...core import dtypes
from ...core.primitive import primitives
from ...core.types import aval_of
from ..mlir.ir import Block, Operation
from .attributes import flag, integer, integers, pairs
from .program import Frame, UnsupportedOperation, as_value, dtype_of_value, known, rule

__all__ = ["composites", "gathered", "reduced_windows"]

_BINARY = {
    "add": "add", "multiply": "mul", "maximum": "max", "minimum": "min", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor",
}
_REDUCTIONS = {
    "add": "reduce_sum", "multiply": "reduce_prod", "maximum": "reduce_max", "minimum": "reduce_min",
    "and": "reduce_and", "or": "reduce_or", "xor": "reduce_xor",
}
_OF_BOOLS = {"add": "or", "multiply": "and", "maximum": "or", "minimum": "and"}


def combiner(region: list[Block], dtype) -> str | None:
    """Return the name of the one operation of two elements that a region is; None if it is another program."""
    block = region[0] if len(region) == 1 else None
    if block is None or len(block.operations) != 2:
        return None
    op, end = block.operations
    if end.operands != op.results or set(op.operands) != set(block.arguments) or op.name not in _BINARY:
        return None
    return _OF_BOOLS.get(op.name, op.name) if dtype.kind == "b" else op.name


def _neutral(name: str, dtype) -> Any:
    p = primitives[{"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}.get(_BINARY[name], _BINARY[name])]
    return np.asarray(p.neutral_rule(dtype), dtype)


def _is_neutral(x, name: str) -> bool:
    return known(x) and bool((x == _neutral(name, x.dtype)).all())


def _halves(xs: Sequence) -> tuple[list, list]:
    return list(xs[: len(xs) // 2]), list(xs[len(xs) // 2 :])


def _arrays(xs) -> list:
    return [as_value(x) for x in xs]


# ---- reductions ------------------------------------------------------------------------------------


@rule("reduce")
def _(frame, op, *values):
    operands, starts = _halves(values)
    axes = integers(op, "dimensions")
    if len(operands) == 1:
        (x,), (start,) = operands, starts
        name = combiner(op.regions[0], dtype_of_value(x))
        if name is not None:
            out = getattr(lax, _REDUCTIONS[name])(x, axes)
            return out if _is_neutral(start, name) else getattr(lax, _BINARY[name])(out, start)
    if len(operands) == 2 and len(axes) == 1:
        found = _position(frame, op, operands, axes[0])
        if found is not None:
            return found
    fun = frame.function(op.regions[0])
    outs = lax.reduce(_arrays(operands), _arrays(starts), lambda x, y: fun(*x, *y), axes)
    return list(outs)


def _position(frame: Frame, op: Operation, operands, axis: int) -> list | None:
    """Return the greatest or least element and its place, if that is what a reduction of elements and their places
    finds.
    """
    maker = frame.makers.get(op.operands[1])
    dtype = dtype_of_value(operands[0])
    if maker is None or maker.name != "iota" or integer(maker, "iota_dimension") != axis or (
            dtype.kind not in "iuf" and dtype != dtypes.bfloat16):
        return None
    sizes = [0, 1, 2] if dtype.kind == "u" else [-1, 0, 1]
    samples = np.array(sizes if dtype.kind in "iu" else [*sizes, np.inf, -np.inf, np.nan]).astype(dtype)
    index = dtype_of_value(operands[1])
    rows = [(a, b, i, j) for a, b in product(samples, samples) for i, j in ((0, 1), (1, 0))]
    a, b = [np.array([row[k] for row in rows], dtype) for k in (0, 1)]
    i, j = [np.array([row[k] for row in rows], index) for k in (2, 3)]
    at_a, at_b = a.astype(np.float64), b.astype(np.float64)
    places = [int(frame.sample(op.regions[0], [x[k] for x in (a, i, b, j)])[1]) for k in range(len(rows))]
    for name, better in (("max", np.greater), ("min", np.less)):
        missing_a, missing_b = np.isnan(at_a), np.isnan(at_b)
        first = better(at_a, at_b) | missing_a & ~missing_b | ((at_a == at_b) | missing_a & missing_b) & (i < j)
        first &= ~(missing_b & ~missing_a)
        if np.array_equal(np.where(first, i, j), places):
            x = operands[0]
            place = getattr(lax, f"arg{name}")(x, axis, index)
            return [getattr(lax, f"reduce_{name}")(x, (axis,)), place]
    return None


@rule("reduce_window")
def _(frame, op, *values):
    operands, starts = _halves(values)
    window, strides = integers(op, "window_dimensions"), integers(op, "window_strides")
    base, spread, padding = integers(op, "base_dilations"), integers(op, "window_dilations"), pairs(op, "padding")
    if len(operands) == 1:
        return reduced_windows(frame, op.regions, *operands, *starts, window, strides, base, spread, padding)
    fun = frame.function(op.regions[0])
    return list(lax.reduce_window(
        tuple(_arrays(operands)), tuple(starts), lambda x, y: tuple(fun(*x, *y)), window, strides, padding, base,
        spread))


def reduced_windows(frame, regions, x, start, window, strides, base, spread, padding):
    """Return a reduction of the windows of one array."""
    name = combiner(regions[0], dtype_of_value(x))
    if name is not None and _is_neutral(start, name):
        found = _running(x, name, window, strides, base, spread, padding)
        if found is not None:
            return found
        start = start[()]
    fun = frame.function(regions[0])
    combine = getattr(lax, _BINARY[name]) if name else lambda x, y: fun(x, y)[0]
    return lax.reduce_window(x, start, combine, window, strides, padding, base, spread)


_RUNNING = {"add": "cumsum", "multiply": "cumprod", "maximum": "cummax", "minimum": "cummin"}


def _running(x, name, window, strides, base, spread, padding):
    """Return a running sum, if the windows are all that comes before (or after) each element along one axis."""
    shape = aval_of(x).shape
    axes = [d for d, n in enumerate(window) if n != 1]
    if name not in _RUNNING or len(axes) != 1 or {*strides, *base, *spread} != {1}:
        return None
    (axis,) = axes
    n = shape[axis]
    others = [p for d, p in enumerate(padding) if d != axis]
    if window[axis] != n or any(p != (0, 0) for p in others) or padding[axis] not in ((n - 1, 0), (0, n - 1)):
        return None
    return getattr(lax, _RUNNING[name])(x, axis, reverse=padding[axis] == (0, n - 1))


@rule("select_and_scatter")
def _(frame, op, x, source, start):
    select, scatter = op.regions
    dtype = dtype_of_value(x)
    chosen = [b.name for b in select[0].operations if b.name == "compare"]
    directions = [str(b.attributes["comparison_direction"].name) for b in select[0].operations if b.name == "compare"]
    if len(chosen) != 1 or directions[0] not in ("GE", "LE") or combiner(scatter, dtype) != "add":
        raise UnsupportedOperation("The artifact scatters to elements that are chosen by another rule than >= or <=.")
    out = lax.select_and_scatter_add_p.bind(
        source, x, select_prim=primitives[directions[0].lower()], window_dimensions=integers(op, "window_dimensions"),
        window_strides=integers(op, "window_strides"), padding=tuple(pairs(op, "padding")))
    return out if _is_neutral(start, "add") else lax.add(out, start)


@rule("map")
def _(frame, op, *xs):
    return frame.region(op.regions[0], xs)


# ---- sorts -----------------------------------------------------------------------------------------


@rule("sort")
def _(frame, op, *xs):
    avals = [aval_of(x) for x in xs]
    axis, stable = integer(op, "dimension") % max(avals[0].ndim, 1), flag(op, "is_stable")
    keys, descending = _order(frame, op, [a.dtype for a in avals])
    order = [*keys, *[i for i in range(len(xs)) if i not in keys]]
    moved = [lax.rev(xs[i], (axis,)) if descending else xs[i] for i in order]
    outs = lax.sort(tuple(moved), dimension=axis, is_stable=stable, num_keys=len(keys))
    placed = dict(zip(order, [lax.rev(x, (axis,)) for x in outs] if descending else outs))
    return [placed[i] for i in range(len(xs))]


def _order(frame: Frame, op: Operation, types: list) -> tuple[list[int], bool]:
    """Return by which operands a comparison orders, the one that decides in front, and if the greatest is first."""
    low, high = [np.zeros((), t) for t in types], [np.ones((), t) for t in types]

    def precedes(lefts, rights) -> bool:
        values = [x for pair in zip(lefts, rights) for x in pair]
        return bool(frame.sample(op.regions[0], values)[0])

    keys, directions = [], []
    for i in range(len(types)):
        more = [*low[:i], high[i], *low[i + 1 :]]
        up, down = precedes(low, more), precedes(more, low)
        if up != down:
            keys.append(i)
            directions.append(down)
    if not keys or len(set(directions)) != 1 or precedes(low, low):
        raise UnsupportedOperation("The artifact sorts by a comparison that is no order by some of the operands.")
    descending = directions[0]
    first, second = (high, low) if descending else (low, high)

    def decides(i: int, j: int) -> bool:
        left = [second[k] if k == j else first[k] for k in range(len(types))]
        right = [second[k] if k == i else first[k] for k in range(len(types))]
        return precedes(left, right)

    keys.sort(key=lambda i: -sum([decides(i, j) for j in keys if j != i]))
    return keys, descending


# ---- places ----------------------------------------------------------------------------------------


def _indices_last(indices, axis: int):
    """Return indices whose entries are along the last axis."""
    ndim = aval_of(indices).ndim
    if axis == ndim:
        return lax.expand_dims(indices, (ndim,))
    return lax.transpose(indices, [*[d for d in range(ndim) if d != axis], axis]) if axis != ndim - 1 else indices


def gathered(op, x, indices, sizes):
    numbers = lax.GatherDimensionNumbers(
        integers(op, "offset_dims"), integers(op, "collapsed_slice_dims"), integers(op, "start_index_map"),
        _optional(op, "operand_batching_dims"), _optional(op, "start_indices_batching_dims"))
    indices = _indices_last(indices, integer(op, "index_vector_dim"))
    return lax.gather(x, indices, numbers, sizes, indices_are_sorted=flag(op, "indices_are_sorted"), mode="clip")


def _optional(op, name) -> tuple[int, ...]:
    return integers(op, name) if name in op.attributes else ()


@rule("gather")
def _(frame, op, x, indices):
    return gathered(op, x, indices, integers(op, "slice_sizes"))


_SCATTERS = {"add": "scatter_add", "multiply": "scatter_mul", "minimum": "scatter_min", "maximum": "scatter_max"}


@rule("scatter")
def _(frame, op, *values):
    if len(values) != 3:
        raise UnsupportedOperation("The artifact scatters to several arrays at once.")
    x, indices, updates = values
    dtype = dtype_of_value(x)
    numbers = lax.ScatterDimensionNumbers(
        integers(op, "update_window_dims"), integers(op, "inserted_window_dims"),
        integers(op, "scatter_dims_to_operand_dims"), _optional(op, "input_batching_dims"),
        _optional(op, "scatter_indices_batching_dims"))
    indices = _indices_last(indices, integer(op, "index_vector_dim"))
    block = op.regions[0][0]
    name = combiner(op.regions[0], dtype)
    if len(block.operations) == 1 and block.operations[0].operands == block.arguments[1:]:
        name, function = "", "scatter"
    elif name in _SCATTERS:
        function = _SCATTERS[name]
    elif dtype.kind == "b" and name in ("or", "and"):
        function = "scatter_max" if name == "or" else "scatter_min"
    elif [o.name for o in block.operations] == ["subtract", "return"]:
        function = "scatter_sub"
    else:
        raise UnsupportedOperation("The artifact scatters by a program that is not one operation.")
    return getattr(lax, function)(
        x, indices, updates, numbers, indices_are_sorted=flag(op, "indices_are_sorted"),
        unique_indices=flag(op, "unique_indices"), mode="drop")


# ---- loops, branches, calls ------------------------------------------------------------------------


@rule("while")
def _(frame, op, *xs):
    condition, body = map(frame.function, op.regions)
    outs = lax.while_loop(lambda c: condition(*c)[0], lambda c: tuple(body(*c)), tuple(_arrays(xs)))
    return list(outs)


@rule("case")
def _(frame, op, which):
    branches = [lambda region=region: tuple(frame.region(region, ())) for region in op.regions]
    count = len(branches)
    outside = lax.bitwise_or(lax.lt(which, np.int32(0)), lax.ge(which, np.int32(count)))
    return list(lax.switch(lax.select_n(outside, which, np.int32(count - 1)), branches))


@rule("if")
def _(frame, op, which):
    yes, no = [lambda region=region: tuple(frame.region(region, ())) for region in op.regions]
    return list(lax.cond(which, yes, no))


_OF_TWO = {"next_after", "polygamma", "zeta"}


@rule("call")
def _(frame, op, *xs):
    place, name, *rest = [*op.attributes["callee"].split("."), ""]
    if place == "chlo" and rest and f"chlo.{name}" in composites:  # after lengths, if shapes are not known
        return composites[f"chlo.{name}"](op, *xs[-1 - (name in _OF_TWO) :])
    return frame.program.call(op.attributes["callee"], xs)


composites: dict[str, Any] = {}  # functions that artifacts know by a name: (operation, *operands) -> results


@rule("composite")
def _(frame, op, *xs):
    found = composites.get(op.attributes["name"])
    out = found(op, *xs) if found is not None else None
    if out is not None:
        return out
    return frame.program.call(op.attributes["decomposition"], xs)


def _chlo(name: str):
    return lambda op, *xs: getattr(lax, name)(*xs)


for _name in "acos acosh asin asinh atan atanh cosh sinh tan erf erfc erf_inv digamma lgamma bessel_i1e zeta".split():
    composites[f"chlo.{_name}"] = _chlo(_name)
composites["chlo.next_after"] = _chlo("nextafter")
composites["chlo.polygamma"] = _chlo("polygamma")


def _top_k(op, x):
    attributes = op.attributes["composite_attributes"]
    if not attributes or attributes.get("k") is None:
        return None
    return list(lax.top_k(x, attributes.get("k").value))


composites["chlo.top_k"] = _top_k
