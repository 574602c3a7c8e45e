"""Slices and updates at computed places, in the bodies of loops: an address that moves, and a kernel that copies.

A start is clamped so that the slice lies inside the array, whatever it is, or the update is left out if it does
not: what JAX defines is also what keeps addresses inside their buffers.
An update of a carried array that nobody else reads is made where it is.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .builder import I64, Value
from .emitter import combine, load_scalar, store_scalar
from .graph import SCATTERS, Graph, Step, View, contiguous
from .kernel import Access, Kernel, Op

__all__ = ["DYNAMIC", "update_in_place", "write_dynamic"]

_UPDATES = ("dynamic_update_slice", *SCATTERS)
DYNAMIC = ("dynamic_slice", *_UPDATES)


def write_dynamic(writer, step: Step, env, targets):
    """Write a step of one of the kinds in `DYNAMIC`: the place of its result."""
    if step.kind == "dynamic_slice":
        return write_slice(writer, step, env, targets)
    write = write_update if step.kind == "dynamic_update_slice" else write_scatter
    return write(writer, step, env, targets)


def _start(writer, starts, shape, sizes, env) -> Value:
    """The index of the slice's first element in its array."""
    b, total = writer.b, Value("0", I64)
    for view, d, n, stride in zip(starts, shape, sizes, contiguous(shape)):
        if d == n:
            continue
        at = writer.scalar(view, env)
        if at.dtype.kind == "u" and at.dtype.itemsize == 8:
            at = b.minimum(at, b.like(at, d - n))
        at = b.convert(at, I64)
        at = b.minimum(b.maximum(at, b.like(at, 0)), b.like(at, d - n))
        total = b.add(total, b.mul(at, b.like(at, stride)))
    return total


def _copy(sizes, dtype, read, written, op: str | None = None) -> Kernel:
    """A kernel that copies a region, or combines it with what is there (`op`)."""
    wide = [i for i, d in enumerate(sizes) if d != 1]
    pick = lambda strides: Access(0, tuple([strides[i] for i in wide]))
    operands, name = (("load", 0, pick(read)),), op or "copy"
    if op is not None:
        operands = (("load", 1, pick(written)), *operands)
    inputs = (dtype,) * len(operands)
    made = Op(name, (), dtype, operands, len(wide), None)
    return Kernel(tuple([sizes[i] for i in wide]), 0, (made,), inputs, ((0, pick(written)),))


def _buffer(writer, node, targets) -> str:
    """Where an array is written: a small one is fetched from there."""
    return targets.get(node) or writer.buffer(node)


def write_slice(writer, step: Step, env, targets):
    """The place of the slice."""
    x, *starts = step.operands
    (node,) = step.results
    first = _start(writer, starts, x.shape, node.shape, env)
    source = writer.at(writer.address(env[x.base], x.base), first.text, node.dtype)
    if prod(node.shape) == 1:
        return [load_scalar(writer.b, source, node.dtype)]
    out = _buffer(writer, node, targets)
    kernel = _copy(node.shape, node.dtype, contiguous(x.shape), contiguous(node.shape))
    writer.call(kernel, [source, out])
    return writer.fetch(out, node)


def write_update(writer, step: Step, env, targets):
    """The place of the array with the update in it."""
    x, update, *starts = step.operands
    (node,) = step.results
    out = _buffer(writer, node, targets)
    writer.put(env[x.base], out, node)
    target = writer.at(out, _start(writer, starts, x.shape, update.shape, env).text, node.dtype)
    if prod(update.shape) == 1:
        store_scalar(writer.b, writer.scalar(update, env), target, node.dtype)
    else:
        kernel = _copy(update.shape, node.dtype, contiguous(update.shape), contiguous(x.shape))
        writer.call(kernel, [writer.address(env[update.base], update.base), target])
    return writer.fetch(out, node)


def write_scatter(writer, step: Step, env, targets):
    """The place of the array with one window updated; `graph.py` lets no other scatters in."""
    x, indices, update = step.operands
    (node,), b, params = step.results, writer.b, step.eqn.params
    numbers, op = params["dimension_numbers"], SCATTERS[step.kind]
    windows = iter(update.shape)
    sizes = [1 if i in numbers.inserted_window_dims else next(windows) for i in range(len(x.shape))]
    strides, inside, first = contiguous(x.shape), Value("true", np.dtype("?")), Value("0", I64)
    drops = params["mode"].name == "FILL_OR_DROP"
    for j, axis in enumerate(numbers.scatter_dims_to_operand_dims):
        step_of = indices.strides[0] if indices.shape else 0
        at = writer.scalar(View(indices.base, (), indices.offset + j * step_of, ()), env)
        at = b.convert(at, I64)
        last = b.like(at, x.shape[axis] - sizes[axis])
        within = b.minimum(b.maximum(at, b.like(at, 0)), last)
        if drops:
            inside = b.logical_and(inside, b.compare("eq", at, within))
        first = b.add(first, b.mul(within, b.like(at, strides[axis])))
    out = _buffer(writer, node, targets)
    writer.put(env[x.base], out, node)
    target = writer.at(out, first.text, node.dtype)
    yes, done = writer.label("inside"), writer.label("done")
    b.line(f"br i1 {inside.text}, label {yes}, label {done}")
    b.label(yes)
    if prod(update.shape) == 1:
        new = writer.scalar(update, env)
        if op:
            new = b.rounded(combine(b, op, load_scalar(b, target, node.dtype), new), node.dtype)
        store_scalar(b, new, target, node.dtype)
    else:
        own = iter(contiguous(update.shape))
        read = [0 if i in numbers.inserted_window_dims else next(own) for i in range(len(x.shape))]
        kernel = _copy(sizes, node.dtype, read, strides, op)
        source = writer.address(env[update.base], update.base)
        writer.call(kernel, [source, target, target] if op else [source, target])
    b.line(f"br label {done}")
    b.label(done)
    return writer.fetch(out, node)


def update_in_place(graph: Graph, units, first: int, carried: int) -> set[int]:
    """Which arrays of a carry are only updated by the body: the last step that reads them makes the result."""
    found = set()
    for i in range(carried):
        node, out = graph.inputs[first + i], graph.outputs[i].base
        step = out.step
        if step is None or step.kind not in _UPDATES or step.operands[0].base is not node:
            continue
        readers = [u for u in units if any([v.base is node for v in _operands(u)])]
        returned = sum([v.base is node for v in graph.outputs])
        if readers[-1] is step and not returned and not any([v.base is node for v in step.operands[1:]]):
            found.add(i)
    return found


def _operands(unit):
    return unit.operands if type(unit) is Step else [v for n in unit.nodes for v in n.operands]
