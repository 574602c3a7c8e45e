"""Loops over elements that do not meet, such as those of a batched `while`, whose bodies work on vectors of elements.

The body of a `scan` without a carry that holds loops or branches of few numbers is written once for as many elements
as a vector has lanes. A loop in it turns until the last lane has ended, a branch is run if a lane takes it, and a mask
says whose numbers change.

Tests: `tests/engines/native/program/test_lanes.py`.
"""

from __future__ import annotations

from math import prod

from ..graph.fusion import Group
from ..graph.graph import Graph, Step
from ..runtime.machine import VECTOR_BYTES
from ..text.builder import BOOL, SUPPORTED, register_dtype

__all__ = ["MAX_LANE_ELEMENTS", "MAX_TERMS_IN_LINE", "holds_loops", "lanes_of"]

MAX_LANE_ELEMENTS = 64  # elements of an array of one lane
MAX_TERMS_IN_LINE = 64  # elements that are reduced in line
_MAX_OPERATIONS = 4096  # instructions of a body, roughly
_MAX_OPERATIONS_TO_DOUBLE = 32  # of a body whose operations would wait for each other: it works on two vectors
_LOOPS = ("while", "scan", "cond")


def lanes_of(step: Step) -> int:
    """Return how many elements the body of a `scan` works on at a time, one if it is not to be written for vectors."""
    params = step.eqn.params
    if step.kind != "scan" or params["num_carry"]:
        return 1
    (graph,), (units,) = step.graphs, step.units
    rows = graph.inputs[params["num_consts"] :]
    if not rows or any([n.size > MAX_LANE_ELEMENTS for n in rows]) or not _fits(graph, units):
        return 1
    operations = _operations(units)
    if not holds_loops(step) or operations > _MAX_OPERATIONS:
        return 1  # else kernels do it
    vectors = 2 if operations <= _MAX_OPERATIONS_TO_DOUBLE else 1
    lanes = vectors * VECTOR_BYTES // max(_sizes(graph, units), default=1)
    while lanes > 1 and lanes // 2 >= params["length"]:
        lanes //= 2
    return lanes


def holds_loops(step: Step) -> bool:
    """Return whether there is a loop or a branch in a step."""
    return any([type(u) is Step and u.kind in _LOOPS for units in step.units for u in units])


def _fits(graph: Graph, units) -> bool:
    """Return whether all that a body computes are few numbers, without code that is written for one element."""
    if graph.packed or any([prod(v.shape) > MAX_LANE_ELEMENTS for v in graph.outputs]):
        return False
    for unit in units:
        if type(unit) is Group:
            if prod(unit.domain) > MAX_TERMS_IN_LINE or any([n.size > MAX_LANE_ELEMENTS for n in unit.nodes]):
                return False
            if any([n.kind == "part" and n.into.base.size > MAX_LANE_ELEMENTS for n in unit.nodes]):
                return False
        elif unit.kind == "gather":
            if any([n.size > MAX_LANE_ELEMENTS for n in unit.results]):
                return False
        elif unit.routine is not None or unit.kind not in _LOOPS:
            return False
        elif any([n.size > MAX_LANE_ELEMENTS for n in (*unit.results, *[v.base for v in unit.operands])]):
            return False
        elif not all([_fits(g, u) for g, u in zip(unit.graphs, unit.units)]):
            return False
    return True


def _operations(units) -> int:
    return sum([
        sum([prod(n.operands[0].shape) if n.kind == "reduce" else n.size for n in unit.nodes])
        if type(unit) is Group else sum(map(_operations, unit.units)) for unit in units
    ])


def _sizes(graph: Graph, units) -> set[int]:
    """Return the bytes of the numbers of a body."""
    nodes = [*graph.inputs, *[v.base for v in graph.outputs]]
    found: set[int] = set()
    for unit in units:
        if type(unit) is Group:
            nodes += unit.nodes
        else:
            nodes += unit.results
            for inner, its_units in zip(unit.graphs, unit.units):
                found |= _sizes(inner, its_units)
    dtypes = {n.dtype for n in nodes if n.size <= MAX_LANE_ELEMENTS and n.dtype in SUPPORTED and n.dtype != BOOL}
    return found | {register_dtype(d).itemsize for d in dtypes}
