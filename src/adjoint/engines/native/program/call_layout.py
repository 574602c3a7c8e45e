"""Facts of a program that prepare.py reads: how results are found, and which of them may lie where an operand lay.

A result may take the memory of a donated operand if nothing reads the operand after the result begins to be
written: its step comes after all that read the operand, or it is a kernel that reads each element just before it
writes that one. Kernels whose results nobody in the program reads wait for the last reader of what they replace.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from ..graph.fusion import Group
from ..graph.graph import Graph, Node, Step
from ..graph.kernel import PLACED, Placed
from ..graph.views import View, contiguous, physical
from ..kernels.emitter import lanes_of
from ..kernels.tiles import overlaps
from .repeated_layers import Expanded

__all__ = ["Form", "Fresh", "CallLayout", "donors", "forms_of", "own_forms", "waiting"]


class Form(NamedTuple):
    """A result as a part of the array in a slot; strides and offset in bytes, None for the array as it is."""

    slot: int
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None = None
    offset: int = 0


class Fresh(NamedTuple):
    """An array that a call makes, and the slot of the operand whose memory it may take, or -1."""

    slot: int
    dtype: np.dtype
    shape: tuple[int, ...]
    donor: int


class CallLayout(NamedTuple):
    """The slots that a call fills and the results that it reads."""

    inputs: list[int]
    fresh: list[Fresh]
    forms: list[Form]
    values: list  # what is in the slots before
    aliased: frozenset[int]  # slots of operands that are results, or parts of them
    block: int
    kept: object  # what the block is part of


def forms_of(results, own: dict[int, tuple], slots: dict[Node, int], values: list) -> list[Form] | None:
    """Return how each result, a (view, aval), is read from the slots; None if one has to be put together.

    `own` are the dtypes and shapes of the arrays in the slots; arrays that are no slot's are added to `values`.
    """
    forms = []
    for view, aval in results:
        base, shape, dtype = view.base, aval.shape, _stored(aval.dtype)
        if not prod(view.shape):
            form = Form(_added(values, np.zeros(shape, dtype)), dtype, shape)
        elif base in slots and slots[base] in own:
            form = _form(view, shape, dtype, aval, slots[base], own[slots[base]])
        elif base.kind in ("iota", "constant"):
            whole = np.arange(base.size).astype(base.dtype) if base.kind == "iota" else np.array(base.value, order="C")
            form = _form(view, shape, dtype, aval, _added(values, whole), (whole.dtype, whole.shape))
        else:
            form = None
        if form is None:
            return None
        forms.append(form)
    return forms


def _form(view: View, shape, dtype, aval, slot: int, own) -> Form | None:
    n = view.base.dtype.itemsize
    if own == (dtype, shape) and view.is_whole:
        return Form(slot, dtype, shape)
    rank = len(shape)
    if view.strides[rank:] != contiguous(view.shape[rank:]) or view.shape != physical(shape, aval.dtype)[0]:
        return None
    return Form(slot, dtype, shape, tuple([s * n for s in view.strides[:rank]]), view.offset * n)


def _added(values: list, array: np.ndarray) -> int:
    values.append(array)
    return len(values) - 1


def own_forms(operands, makers, results, slots: dict[Node, int], values: list) -> dict[int, tuple]:
    """Dtype and shape of the array in each slot; results that are made of pairs or keys are so from the beginning."""
    own = {i: (v.dtype, v.shape) for i, v in enumerate(values) if type(v) is np.ndarray}
    own |= {slots[node]: (_stored(aval.dtype), aval.shape) for node, aval in operands}
    for slot, shape, dtype in makers:
        own[slot] = dtype, shape
    made = {slot for slot, *_ in makers}
    for view, aval in results:
        base = view.base
        if base.dtype is aval.dtype and base.shape == aval.shape:
            continue
        slot = slots.get(base)
        if slot in made and view.is_whole and view.shape == physical(aval.shape, aval.dtype)[0]:
            own[slot] = _stored(aval.dtype), aval.shape
    return own


def _stored(dtype) -> np.dtype:
    """The dtype of Python's buffers."""
    return np.dtype(getattr(dtype, "buffer_dtype", dtype))


# ---- donation ------------------------------------------------------------------------------------


def _operands(unit: Group | Step, made) -> set[Node]:
    """The arrays that a unit reads and does not make; `made` is its code with its arrays, if it has some."""
    return {view.base for view in unit.operands} if made is None else set(made.inputs)


def _results(graph: Graph | Expanded) -> dict[Node, None]:
    """The arrays that are results as they are, and that a kernel or a step makes."""
    return {v.base: None for v in graph.outputs if v.is_whole and v.base.kind not in ("input", "constant", "iota")}


def waiting(units: list, placed: dict, graph: Graph | Expanded, donated: tuple[int, ...]) -> list[int]:
    """The numbers of the units, with those late whose results take the place of a donated operand that others read."""
    given = {graph.inputs[i] for i in donated}
    if not given:
        return list(range(len(units)))
    reads = [_operands(unit, placed.get(i)) for i, unit in enumerate(units)]
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
        while ready:  # who waits may be waited for
            k = ready.pop()
            out.append(k)
            ready += reversed(moved.get(k, ()))
    return out


def donors(units: list, native: dict, operands: list[Node], outputs: list[View], donated) -> dict[Node, Node]:
    """Return for each result that may lie where a donated operand lay that operand."""
    if not donated:
        return {}
    last: dict[Node, int] = {}
    first: dict[Node, int] = {}
    for i, unit in enumerate(units):
        made = native[i][1] if i in native else None
        for node in _operands(unit, made):
            last[node] = i
        if made is not None:
            for node in made.outputs:
                first.setdefault(node, i)
    kept = {v.base for v in outputs}
    free = [n for i in donated if (n := operands[i]) not in kept]
    wanted = [v.base for v in outputs if v.is_whole and v.base in first and not v.base.is_packed]
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
