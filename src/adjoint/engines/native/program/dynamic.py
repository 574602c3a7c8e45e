"""Updates at computed places in the bodies of loops, where indices are registers.

An update of a carried array that nobody else reads is made where it is.

Tests: `tests/engines/native/test_operations.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..graph.graph import Graph, Node, Step
from ..graph.views import contiguous
from ..kernels.vectors import load_scalar, store_scalar
from ..routines.scatter import copying, start_of

__all__ = ["update_in_place", "write_update"]


def write_update(writer, step: Step, env, targets):
    """The place of the array with an update in it."""
    x, (node,) = step.operands[0], step.results
    out = targets.get(node) or writer.buffer(node)
    writer.put(writer.place(x, env), out, node)
    if step.kind == "dynamic_update_slice":
        _slice(writer, step, env, out)
    elif prod(step.routine.params[3]) == 1 and not step.routine.params[6] and not node.is_packed:
        _window(writer, step, env, out)
    else:
        others = [writer.address(writer.place(v, env), v) for v in step.operands[1:]]
        scratch = [writer.space(step.routine.workspace)] if step.routine.workspace else []
        writer.call(step.routine, [out, *others, out, *scratch])
    return writer.fetch(out, node)


def _slice(writer, step: Step, env, out: str) -> None:
    _, update, *starts = step.operands
    (node,), b, first = step.results, writer.b, writer.b.integer(0)
    for view, d, n, stride in zip(starts, node.shape, update.shape, contiguous(node.shape)):
        if d != n:
            at, _ = start_of(b, writer.scalar(view, env), d - n)
            first = first + at * stride
    target = writer.at(out, first.text, node.dtype)
    if prod(update.shape) == 1:
        store_scalar(b, writer.scalar(update, env), target, node.dtype)
    else:
        kernel = copying(update.shape, node.dtype, contiguous(update.shape), contiguous(node.shape))
        writer.call(kernel, [writer.address(writer.place(update, env), update), target])


def _window(writer, step: Step, env, out: str) -> None:
    """A scatter of one window, whose indices are registers."""
    _, indices, update = step.operands
    b = writer.b
    dtype, _, shape, _, sizes, axes, _, _, read, op, drops, *_ = step.routine.params
    strides, inside, first = contiguous(shape), b.const(True, np.dtype("?")), b.integer(0)
    for k, axis in enumerate(axes):
        at, ok = start_of(b, writer.scalar(indices, env, k), shape[axis] - sizes[axis])
        inside = inside & ok if drops else inside
        first = first + at * strides[axis]
    target = writer.at(out, first.text, dtype)
    yes, done = writer.label("inside"), writer.label("done")
    b.line(f"br i1 {inside.text}, label {yes}, label {done}")
    b.label(yes)
    if prod(update.shape) == 1:
        new = writer.scalar(update, env)
        if op is not None:
            (new,) = op(b, [load_scalar(b, target, dtype), new])
        store_scalar(b, new, target, dtype)
    else:
        source = writer.address(writer.place(update, env), update)
        kernel = copying(sizes, dtype, read, strides, op)
        writer.call(kernel, [source, target, target] if op else [source, target])
    b.line(f"br label {done}")
    b.label(done)


def update_in_place(graph: Graph, units, first: int, carried: int) -> dict[int, list[Node]]:
    """Return which arrays of a carry are only updated by the body, and the results of the updates.

    Each update is the last to read the array before it.
    """
    found = {}
    for i in range(carried):
        node, out = graph.inputs[first + i], graph.outputs[i]
        chain: list[Node] = []
        after, before = out.base, None
        while out.is_whole and after.step is not None and after.step.is_update:
            before = after.step.operands[0].base
            if not _is_last(graph, units, before, after.step):
                break
            chain.append(after)
            if before is node:
                found[i] = chain
                break
            after = before
    return found


def _is_last(graph: Graph, units, array: Node, step: Step) -> bool:
    readers = [u for u in units if any([v.base is array for v in _operands(u)])]
    returned = any([v.base is array for v in graph.outputs])
    return readers[-1] is step and not returned and not any([v.base is array for v in step.operands[1:]])


def _operands(unit):
    return unit.operands if type(unit) is Step else [v for n in unit.nodes for v in n.operands]
