"""Arrays that are replaced where they are: by updates in the bodies of loops, and operands that are donated.

An update of a carried array that nothing else reads, at an index in a register, is made in its memory. A result may
take the memory of a donated operand if nothing reads the operand after the result begins to be written: its step comes
after all that read the operand, or it is a kernel that reads each element just before it writes that one. Kernels whose
results nothing in the program reads wait for the last reader of what they replace.

Tests: `tests/engines/native/test_operations.py`, `tests/engines/native/program/test_call_layout.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..graph.fusion import Group
from ..graph.graph import Graph, Node, Step
from ..graph.kernel import PLACED, Placed
from ..graph.views import View, contiguous
from ..kernels.emitter import lanes_of
from ..kernels.tiles import overlaps
from ..kernels.vectors import load_scalar, store_scalar
from ..routines.scatter import copying, start_of
from .repeated_layers import Expanded

__all__ = ["donors", "update_in_place", "waiting", "write_update"]


def write_update(writer, step: Step, env, targets):
    """Return the place of the array with an update in it."""
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


# ---- donated operands ------------------------------------------------------------------------------------


def _read_by(unit: Group | Step, made) -> set[Node]:
    """Return the arrays that a unit reads and does not make; `made` is its code with its arrays, if it has some."""
    return {view.base for view in unit.operands} if made is None else set(made.inputs)


def _results(graph: Graph | Expanded) -> dict[Node, None]:
    """Return the arrays that are results as they are, and that a kernel or a step makes."""
    return {v.base: None for v in graph.outputs if v.is_whole and v.base.kind not in ("input", "constant", "iota")}


def waiting(units: list, placed: dict, graph: Graph | Expanded, donated: tuple[int, ...]) -> list[int]:
    """Return the numbers of the units, with those late whose results take the place of a donated operand that others
    read.
    """
    given = {graph.inputs[i] for i in donated}
    if not given:
        return list(range(len(units)))
    reads = [_read_by(unit, placed.get(i)) for i, unit in enumerate(units)]
    last = {node: i for i, read in enumerate(reads) for node in read}
    results = _results(graph)
    moved: dict[int, list] = {}
    for i, unit in enumerate(units):
        if type(unit) is not Group or any([n in last for n in placed[i].outputs]):
            continue
        types = {(n.shape, n.dtype) for n in placed[i].outputs if n in results}
        replaced = [n for n in reads[i] & given if (n.shape, n.dtype) in types]
        until = max([last[n] for n in replaced], default=i)
        if until > i and not any([n.kind == "part" for n in unit.nodes]):
            moved.setdefault(until, []).append(i)
    late = {i for found in moved.values() for i in found}
    out: list[int] = []
    for i in range(len(units)):
        ready = [] if i in late else [i]
        while ready:  # a step that waits may be waited for
            k = ready.pop()
            out.append(k)
            ready += reversed(moved.get(k, ()))
    return out


def donors(units: list, native: dict, operands: list[Node], outputs: list[View], donated) -> dict[Node, Node]:
    """Return for each result that may be where a donated operand was that operand."""
    if not donated:
        return {}
    last: dict[Node, int] = {}
    first: dict[Node, int] = {}
    for i, unit in enumerate(units):
        made = native[i][1] if i in native else None
        for node in _read_by(unit, made):
            last[node] = i
        if made is not None:
            for node in made.outputs:
                first.setdefault(node, i)
    kept = {v.base for v in outputs}
    free = [n for i in donated if (n := operands[i]) not in kept]
    wanted = [
        v.base for v in outputs
        if v.is_whole and v.shape == v.base.shape and v.base in first and not v.base.is_packed
    ]
    found: dict[Node, Node] = {}
    for inside in (True, False):  # first those that are replaced element by element
        for node in dict.fromkeys(wanted):
            for operand in free if node not in found else ():
                if (operand.shape, operand.dtype, operand.is_packed) != (node.shape, node.dtype, False):
                    continue
                i, read = first[node], last.get(operand, -1)
                if read == i and inside and _is_elementwise(native[i][1], operand, node) or read < i and not inside:
                    found[node] = operand
                    free.remove(operand)
                    break
    return found


def _is_elementwise(made, operand: Node, result: Node) -> bool:
    """Return whether a kernel reads each element of an operand only in the turn that writes this element of a result.

    Where tiles overlap, some elements have two turns.
    """
    if type(made) is not Placed or made.kernel.inner or made.outputs.count(result) != 1:
        return False
    kernel, number = made.kernel, made.inputs.index(operand)
    if overlaps(kernel, lanes_of(kernel)):
        return False
    op, written = kernel.outputs[made.outputs.index(result)]
    if kernel.ops[op].reduced is not None or kernel.ops[op].depth != len(kernel.domain):
        return False
    reads = [x for o in kernel.ops for x in o.operands if x[0] in PLACED and x[0] != "iota" and x[1] == number]
    return all([x[0] == "load" and x[2] == written for x in reads]) and prod(kernel.domain) == result.size
