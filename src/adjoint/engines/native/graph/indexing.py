"""Reads and updates at places that are computed: `gather`, `scatter`, slices at computed starts.

A read is an element-wise `take`: a view of the array (`Source`) says where the element for each index would stand
if every place were 0, and an operand how far from there it is. Places are clamped when they are computed, whatever
the mode, so that none can leave the array. Updates are routines: copy the array, then go over the updates in order.

Tests: `tests/engines/native/test_operations.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ....prims.indexed_windows import default_fill
from .view_rules import register
from .views import Source, Type, View

__all__ = ["place_of", "table_of"]

I32, I64, BOOL = np.dtype("i4"), np.dtype("i8"), np.dtype("?")
_MAX_NARROW_ELEMENTS = 1 << 31  # elements that 32 bits can number


def _clamped(graph, at: View, last: int) -> View:
    """0 <= at <= last, in the dtype of `at`, which may not hold all of them."""
    dtype, shape = at.base.dtype, at.shape
    top = np.iinfo(dtype).max
    if dtype.kind == "i":
        at = graph.elementwise("max", shape, dtype, (at, graph.number(0, dtype)))
    if last < top:
        at = graph.elementwise("min", shape, dtype, (at, graph.number(last, dtype)))
    return at


def place_of(graph, columns, x: View) -> View:
    """Return how far the windows at some starts are from the array's begin: `columns` are (start, axis, last start)."""
    wide = sum([abs(s) * d for s, d in zip(x.strides, x.shape)]) >= _MAX_NARROW_ELEMENTS
    number, shape = I64 if wide else I32, columns[0][0].shape if columns else ()
    total = graph.number(0, number, shape)
    for at, axis, last in columns:
        if not last:
            continue
        at = graph.converted(_clamped(graph, at, last), number)
        stride = x.strides[axis]
        if stride != 1:
            at = graph.elementwise("mul", shape, number, (at, graph.number(stride, number)))
        total = graph.elementwise("add", shape, number, (total, at)) if total.base.kind != "constant" else at
    return total


def _inside(graph, columns) -> View | None:
    """Return whether all starts are where a window fits; None if they cannot be elsewhere."""
    out = None
    for at, _, last in columns:
        dtype, shape = at.base.dtype, at.shape
        tests = [("ge", 0)] if dtype.kind == "i" else []
        if last < np.iinfo(dtype).max:
            tests.append(("le", last))
        for op, bound in tests:
            ok = graph.elementwise(op, shape, BOOL, (at, graph.number(bound, dtype)))
            out = ok if out is None else graph.elementwise("and", shape, BOOL, (out, ok))
    return out


def _take(graph, x: View, shape, strides, place: View) -> View:
    if x.base.kind == "iota" or x.base.kind == "constant" and x.base.size == 1:
        x = graph.copied(x)
    source = Source(x.base, tuple(shape), x.offset, tuple(strides))
    return graph.elementwise("take", tuple(shape), x.base.dtype, (source, place))


def table_of(graph, table: np.ndarray, at: View) -> View:
    """Return the elements of a table at places that it has."""
    whole = graph.constant(table, Type(table.shape, table.dtype))
    source = Source(whole.base, at.shape, 0, (0,) * len(at.shape))
    return graph.elementwise("take", at.shape, table.dtype, (source, graph.converted(at, I32)))


def _dynamic_slice(graph, operands, params, types):
    x, *starts = operands
    shape = types[0].shape
    if not prod(shape):
        return [graph.number(0, types[0].dtype, shape)]
    columns = [(at, k, x.shape[k] - shape[k]) for k, at in enumerate(starts)]
    place = place_of(graph, columns, x)
    if place.base.kind == "constant":
        return [View(x.base, shape, x.offset, x.strides)]
    return [_take(graph, x, shape, x.strides, place)]


def _gather(graph, operands, params, types):
    (x, indices), numbers, sizes = operands, params["dimension_numbers"], params["slice_sizes"]
    shape, mode = types[0].shape, params["mode"].name
    if mode == "ONE_HOT":
        return None
    if not prod(shape):
        return [graph.number(0, types[0].dtype, shape)]
    batch = [d for d in range(len(shape)) if d not in numbers.offset_dims]
    without = numbers.collapsed_slice_dims + numbers.operand_batching_dims
    strides = [0] * len(shape)
    for d, a in zip(numbers.offset_dims, [a for a in range(len(x.shape)) if a not in without]):
        strides[d] = x.strides[a]
    for a, j in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims):
        strides[batch[j]] += x.strides[a]
    n = len(indices.shape) - 1
    column = lambda k: View(
        indices.base, indices.shape[:n], indices.offset + k * indices.strides[n], indices.strides[:n]
    )
    columns = [(column(k), a, x.shape[a] - sizes[a]) for k, a in enumerate(numbers.start_index_map)]
    spread = lambda view: view.broadcast(shape, batch)
    if not columns:
        return [View(x.base, shape, x.offset, tuple(strides))]
    out = _take(graph, x, shape, strides, spread(place_of(graph, columns, x)))
    inside = _inside(graph, columns) if mode == "FILL_OR_DROP" else None
    if inside is None:
        return [out]
    fill = _fill(params.get("fill_value"), x.base.dtype)
    return [graph.elementwise("select_n", shape, x.base.dtype, (spread(inside), graph.number(fill, x.base.dtype), out))]


def _fill(value, dtype):
    return default_fill(dtype) if value is None else value


register(dict(dynamic_slice=_dynamic_slice, gather=_gather))
