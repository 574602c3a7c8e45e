"""Updates at computed places: `scatter` and its kin, and `dynamic_update_slice`, as routines.

The array is copied, unless it may be changed where it is, and then the windows are gone over in order. A start is
clamped so that its window lies inside the array, or the window is left out if it does not: what JAX defines is also
what keeps addresses inside their buffers.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from math import prod

from ...core.jaxpr import ClosedJaxpr
from .builder import I64, Builder, Value
from .folds import step_of
from .kernel import Access, Kernel, Op
from .layout import put_on
from .numbers import COMPLEX
from .routines import Code, Routine, writes
from .scalars import Scalars, load, parts_of, place, program_of, store
from .views import Pair, contiguous

__all__ = ["copying", "dot", "scattered", "start_of"]

# Scatters, and how an element is combined with what is there.
SCATTERS = {
    "scatter": None, "scatter-add": "add", "scatter-sub": "sub", "scatter-mul": "mul", "scatter-min": "min",
    "scatter-max": "max",
}
_LOGICAL = {"add": "or", "mul": "and", "min": "and", "max": "or"}  # what they are of true and false


def start_of(b: Builder, at: Value, last: int) -> tuple[Value, Value]:
    """An index as int64 between 0 and `last`, and whether it was."""
    if at.dtype.kind == "u" and at.dtype.itemsize == 8:
        inside = b.minimum(at, b.like(at, last))
        return b.convert(inside, I64), b.compare("eq", at, inside)
    at = b.convert(at, I64)
    inside = b.minimum(b.maximum(at, b.like(at, 0)), b.like(at, last))
    return inside, b.compare("eq", at, inside)


def copying(sizes, dtype, read, written, op: Scalars | None = None) -> Kernel:
    """A kernel that copies a region, or makes of what is there and of the region what `op` says."""
    wide, parts = [i for i, d in enumerate(sizes) if d != 1], parts_of(dtype)
    n, depth = len(parts), len(wide)
    pick = lambda strides, k: Access(k, tuple([n * strides[i] for i in wide]))
    new = [("load", 0, pick(read, k)) for k in range(n)]
    given = new if op is None else [*[("load", 1, pick(written, k)) for k in range(n)], *new]
    operand = lambda x: given[x[1]] if x[0] == "in" else x
    ops = [] if op is None else [o._replace(operands=tuple(map(operand, o.operands)), depth=depth) for o in op.ops]
    outs = []
    for k, x in enumerate([("in", i) for i in range(n)] if op is None else op.outs):
        if x[0] != "op":  # results are ops
            ops.append(Op("copy", (), parts[k], (operand(x),), depth, None))
            x = "op", len(ops) - 1
        outs.append((x[1], pick(written, k)))
    return Kernel(
        tuple([sizes[i] for i in wide]), 0, tuple(ops), (parts[0],) * (1 if op is None else 2), tuple(outs)
    )


def _step(name: str, dtype) -> Scalars:
    """An operation of two scalars."""
    if dtype.kind == "c":
        return step_of(name, dtype)
    return Scalars((Op(name, (), dtype, (("in", 0), ("in", 1)), 0, None),), (("op", 0),))


def _window(code: Code, target: str, source: str, sizes, read, written, dtype, op: Scalars | None) -> None:
    """Combine one window with an update."""
    if prod(sizes) == 1:
        new = load(code, source, dtype)
        store(code, new if op is None else op(code, [*load(code, target, dtype), *new]), target, dtype)
        return
    targets = [target] * (len(parts_of(dtype)) + (op is not None))
    code.call_kernel(copying(sizes, dtype, read, written, op), [source, *targets])


@writes("scatter")
def _(code: Code, addresses, dtype, index_dtype, shape, batch, sizes, axes, batching, steps, read, op, drops, alike):
    """`axes` of the array are indexed; `batching` are (axis, batch axis); `steps` and `read` are strides of the
    updates along the batch axes and along the array's; `alike` are the bytes of the array's one element, if it has one.
    """
    *given, indices, updates, out = addresses
    if given:
        code.copy(out, given[0], prod(shape) * dtype.itemsize)
    else:
        fill = Op("copy", (), dtype, (("const", dtype, alike),), 1, None)
        code.call_kernel(Kernel((prod(shape),), 0, (fill,), (), ((0, Access(0, (1,))),)), [out])
    strides, n = contiguous(shape), len(axes)
    with ExitStack() as loops:
        counters = [loops.enter_context(code.loop(d)) if d != 1 else code.integer(0) for d in batch]
        along = partial(dot, code, counters)
        first = along([sum([strides[a] for a, j in batching if j == i]) for i in range(len(batch))])
        row, inside = along([s * n for s in contiguous(batch)]), None
        for k, axis in enumerate(axes):
            at = code.load(indices, code.add(row, code.integer(k)), index_dtype)
            start, ok = start_of(code, at, shape[axis] - sizes[axis])
            first = code.add(first, code.mul(start, code.integer(strides[axis])))
            if drops:
                inside = ok if inside is None else code.logical_and(inside, ok)
        if inside is not None:
            loops.enter_context(code.when(inside))
        source, target = place(code, updates, along(steps), dtype), place(code, out, first, dtype)
        _window(code, target, source, sizes, read, strides, dtype, op)


def dot(code: Code, counters, strides) -> Value:
    """The sum of counters times strides."""
    total = code.integer(0)
    for i, s in zip(counters, strides):
        if s and i.text != "0":
            total = code.add(total, code.mul(i, code.integer(s)) if s != 1 else i)
    return total


def _scatter(graph, operands, params, types, *, name):
    dtype, op = types[0].dtype, SCATTERS[name]
    applied, program = params.get("update_jaxpr"), None
    if op is not None:
        op = _LOGICAL.get(op) if dtype.kind == "b" else op
        if op is None:
            return None
        program = _step(op, dtype)
    elif applied is not None:  # elements become a function of what they are
        closed = ClosedJaxpr(applied, params["update_consts"])
        program = program_of(lambda graph, xs: graph._run(closed, xs[:1] * len(applied.invars)), (dtype, dtype))
        if program is None:
            return None
    return scattered(graph, operands, params["dimension_numbers"], params["mode"], types, program, name)


def scattered(graph, operands, numbers, mode, types, op: Scalars | None, name: str = "scatter"):
    """An array with updates at computed places; `op` makes new elements of old ones and of updates."""
    (x, indices, updates), dtype = operands, types[0].dtype
    if not prod(updates.shape) or not prod(x.shape):
        return [x]
    if mode.name == "ONE_HOT":
        return None
    window = numbers.update_window_dims
    without = numbers.inserted_window_dims + numbers.operand_batching_dims
    kept = iter(window)
    of_axis = [None if a in without else next(kept) for a in range(len(x.shape))]
    own = contiguous(updates.shape)
    read = tuple([0 if d is None else own[d] for d in of_axis])
    sizes = tuple([1 if d is None else updates.shape[d] for d in of_axis])
    batch = [d for d in range(len(updates.shape)) if d not in window]
    is_constant = not isinstance(x, Pair) and x.base.kind == "constant" and x.base.size == 1
    alike = is_constant and prod(x.shape) > 1 and not graph.in_loop
    routine = Routine("scatter", (
        dtype, indices.base.dtype, x.shape, tuple([updates.shape[d] for d in batch]), sizes,
        tuple(numbers.scatter_dims_to_operand_dims),
        tuple(zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims)),
        tuple([own[d] for d in batch]), read, op, mode.name != "CLIP",
        x.base.value.tobytes() if alike else None,
    ))
    return graph.routine(name, routine, list(map(graph.stored, operands))[alike:], types)


@writes("dynamic_update_slice")
def _(code: Code, addresses, dtype, index_dtypes, shape, sizes):
    x, update, *starts, out = addresses
    code.copy(out, x, prod(shape) * dtype.itemsize)
    first, strides = code.integer(0), contiguous(shape)
    for start, t, d, n, stride in zip(starts, index_dtypes, shape, sizes, strides):
        if d != n:
            at, _ = start_of(code, code.load(start, 0, t), d - n)
            first = code.add(first, code.mul(at, code.integer(stride)))
    _window(code, code.at(out, first, dtype), update, sizes, contiguous(sizes), strides, dtype, None)


def _dynamic_update_slice(graph, operands, params, types):
    x, update, *starts = operands
    if not prod(update.shape):
        return [x]
    params = x.base.dtype, tuple([s.base.dtype for s in starts]), x.shape, update.shape
    return graph.routine("dynamic_update_slice", Routine("dynamic_update_slice", params), operands, types)


_scatters = {name: partial(_scatter, name=name) for name in SCATTERS}
put_on(_scatters | dict(dynamic_update_slice=_dynamic_update_slice))
COMPLEX.update(_scatters)
