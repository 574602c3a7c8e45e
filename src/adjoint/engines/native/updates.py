"""Updates at computed places: `scatter` and its kin, and `dynamic_update_slice`, as routines.

The array is copied, unless it may be changed where it is, and then the windows are gone over in order. A start is
clamped so that its window lies inside the array, or the window is left out if it does not: what JAX defines is also
what keeps addresses inside their buffers.
"""

from __future__ import annotations

from contextlib import ExitStack
from math import prod

from .builder import I64, Builder, Value
from .kernel import Access, Kernel, Op
from .layout import put_on
from .routines import Code, Routine, writes
from .vectors import apply
from .views import contiguous

__all__ = ["copying", "merged", "start_of"]

# Scatters, and how an element is combined with what is there.
SCATTERS = {
    "scatter": None, "scatter-add": "add", "scatter-sub": "sub", "scatter-mul": "mul", "scatter-min": "min",
    "scatter-max": "max",
}


def start_of(b: Builder, at: Value, last: int) -> tuple[Value, Value]:
    """An index as int64 between 0 and `last`, and whether it was."""
    if at.dtype.kind == "u" and at.dtype.itemsize == 8:
        inside = b.minimum(at, b.like(at, last))
        return b.convert(inside, I64), b.compare("eq", at, inside)
    at = b.convert(at, I64)
    inside = b.minimum(b.maximum(at, b.like(at, 0)), b.like(at, last))
    return inside, b.compare("eq", at, inside)


def copying(sizes, dtype, read, written, op: str | None = None) -> Kernel:
    """A kernel that copies a region, or combines it with what is there (`op`)."""
    wide = [i for i, d in enumerate(sizes) if d != 1]
    pick = lambda strides: Access(0, tuple([strides[i] for i in wide]))
    operands, name = (("load", 0, pick(read)),), op or "copy"
    if op is not None:
        operands = (("load", 1, pick(written)), *operands)
    inputs = (dtype,) * len(operands)
    made = Op(name, (), dtype, operands, len(wide), None)
    return Kernel(tuple([sizes[i] for i in wide]), 0, (made,), inputs, ((0, pick(written)),))


def merged(b: Builder, op: str | None, old: Value | None, new: Value, dtype) -> Value:
    """An element with an update."""
    return new if op is None else apply(b, Op(op, (), dtype, (), 0, None), [old, new])


def _window(code: Code, target: str, source: str, sizes, read, written, dtype, op) -> None:
    """Combine one window with an update."""
    if prod(sizes) == 1:
        old = None if op is None else code.load(target, 0, dtype)
        code.store(merged(code, op, old, code.load(source, 0, dtype), dtype), target, 0, dtype)
        return
    code.call_kernel(copying(sizes, dtype, read, written, op), [source, target, target] if op else [source, target])


@writes("scatter")
def _(code: Code, addresses, dtype, index_dtype, shape, batch, sizes, axes, batching, steps, read, op, drops, start):
    """`axes` of the array are indexed; `batching` are (axis, batch axis); `steps` and `read` are strides of the
    updates along the batch axes and along the array's; `start` are the bytes of the array's one element, if it has one.
    """
    *given, indices, updates, out = addresses
    if given:
        code.copy(out, given[0], prod(shape) * dtype.itemsize)
    else:
        fill = Op("copy", (), dtype, (("const", dtype, start),), 1, None)
        code.call_kernel(Kernel((prod(shape),), 0, (fill,), (), ((0, Access(0, (1,))),)), [out])
    strides, n = contiguous(shape), len(axes)
    with ExitStack() as loops:
        counters = [loops.enter_context(code.loop(d)) if d != 1 else code.integer(0) for d in batch]
        dot = lambda strides: _dot(code, counters, strides)
        first = dot([sum([strides[a] for a, j in batching if j == i]) for i in range(len(batch))])
        row, inside = dot([s * n for s in contiguous(batch)]), None
        for k, axis in enumerate(axes):
            at = code.load(indices, code.add(row, code.integer(k)), index_dtype)
            place, ok = start_of(code, at, shape[axis] - sizes[axis])
            first = code.add(first, code.mul(place, code.integer(strides[axis])))
            if drops:
                inside = ok if inside is None else code.logical_and(inside, ok)
        if inside is not None:
            loops.enter_context(code.when(inside))
        source, target = code.at(updates, dot(steps), dtype), code.at(out, first, dtype)
        _window(code, target, source, sizes, read, strides, dtype, op)


def _dot(code: Code, counters, strides) -> Value:
    total = code.integer(0)
    for i, s in zip(counters, strides):
        if s and i.text != "0":
            total = code.add(total, code.mul(i, code.integer(s)) if s != 1 else i)
    return total


def _scatter(name):
    def rule(graph, operands, params, types):
        (x, indices, updates), numbers = operands, params["dimension_numbers"]
        dtype, mode = x.base.dtype, params["mode"].name
        if name == "scatter" and params.get("update_jaxpr") is not None:
            return None  # elements become a function of what they are
        if not prod(updates.shape) or not prod(x.shape):
            return [x]
        if dtype.kind == "b" and SCATTERS[name] not in (None, "max", "min") or mode == "ONE_HOT":
            return None
        window = numbers.update_window_dims
        without = numbers.inserted_window_dims + numbers.operand_batching_dims
        kept = iter(window)
        of_axis = [None if a in without else next(kept) for a in range(len(x.shape))]
        own = contiguous(updates.shape)
        read = tuple([0 if d is None else own[d] for d in of_axis])
        sizes = tuple([1 if d is None else updates.shape[d] for d in of_axis])
        batch = [d for d in range(len(updates.shape)) if d not in window]
        alike = x.base.kind == "constant" and x.base.size == 1 and prod(x.shape) > 1 and not graph.in_loop
        routine = Routine("scatter", (
            dtype, indices.base.dtype, x.shape, tuple([updates.shape[d] for d in batch]), sizes,
            tuple(numbers.scatter_dims_to_operand_dims),
            tuple(zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims)),
            tuple([own[d] for d in batch]), read, SCATTERS[name], mode != "CLIP",
            x.base.value.tobytes() if alike else None,
        ))
        return graph.routine(name, routine, operands[1:] if alike else operands, types)

    return rule


@writes("dynamic_update_slice")
def _(code: Code, addresses, dtype, index_dtypes, shape, sizes):
    x, update, *starts, out = addresses
    code.copy(out, x, prod(shape) * dtype.itemsize)
    first, strides = code.integer(0), contiguous(shape)
    for place, t, d, n, stride in zip(starts, index_dtypes, shape, sizes, strides):
        if d != n:
            at, _ = start_of(code, code.load(place, 0, t), d - n)
            first = code.add(first, code.mul(at, code.integer(stride)))
    _window(code, code.at(out, first, dtype), update, sizes, contiguous(sizes), strides, dtype, None)


def _dynamic_update_slice(graph, operands, params, types):
    x, update, *starts = operands
    if not prod(update.shape):
        return [x]
    params = x.base.dtype, tuple([s.base.dtype for s in starts]), x.shape, update.shape
    return graph.routine("dynamic_update_slice", Routine("dynamic_update_slice", params), operands, types)


put_on({name: _scatter(name) for name in SCATTERS} | dict(dynamic_update_slice=_dynamic_update_slice))
