"""Costs of a step of a program: operations and bytes.

Tests: `tests/engines/xla/test_programs.py`.
"""

from __future__ import annotations

from math import inf, prod

from ..functions.elementwise import cost
from ..graph.fusion import Group
from ..graph.graph import Node, Step
from ..routines.products import convolution

__all__ = ["costs", "most_operations"]

_CONVOLUTIONS = ("convolution", "grouped_convolution")
_OPERATIONS_PER_ROUTINE_ELEMENT = 16  # operations for each element of a routine's arrays


def most_operations(unit: Group | Step) -> float:
    """Return a bound for one call, roughly; infinite for loops that may have any number of turns."""
    if isinstance(unit, Group):
        return costs(unit)[0]
    if unit.kind == "while":
        return inf
    if unit.routine is not None and unit.routine.name not in ("product", *_CONVOLUTIONS):
        elements = sum([v.base.size for v in unit.operands] + [n.size for n in unit.results])
        return _OPERATIONS_PER_ROUTINE_ELEMENT * elements
    turns = unit.eqn.params.get("length", 1) if unit.eqn is not None else 1
    return costs(unit)[0] + turns * sum([most_operations(u) for units in unit.units for u in units])


def _bytes(nodes) -> int:
    return sum([n.size * n.dtype.itemsize for n in nodes if hasattr(n.dtype, "itemsize")])


def costs(unit: Group | Step) -> tuple[int, int]:
    """Operations, and bytes that are read and written; those of one turn where their number is not known."""
    if isinstance(unit, Group):
        inside = set(unit.nodes)
        read = {v.base for n in unit.nodes for v in n.operands} - inside
        written = {n for n in unit.nodes if n.kind == "part"} | set(unit.outputs)
        moved = _bytes([n for n in read if n.kind != "iota"]) + _bytes(written)
        return sum([_operations(n) for n in unit.nodes]), moved
    moved = _bytes({v.base for v in unit.operands}) + _bytes(unit.results)
    if unit.routine is not None and unit.routine.name == "product":
        _, batch, m, n, k, *_ = unit.routine.params
        return 2 * prod(batch) * m * n * k, moved
    if unit.routine is not None and unit.routine.name in _CONVOLUTIONS:
        return convolution.operations(unit.routine), moved
    turns = unit.eqn.params.get("length", 1) if unit.eqn is not None else 1
    inner = [costs(u) for units in unit.units for u in units]
    return turns * sum([f for f, _ in inner]), moved


def _operations(node: Node) -> int:
    return (prod(node.operands[0].shape) if node.kind == "reduce" else node.size) * cost(node.op)
