"""Bodies of loops and branches as graphs, and the form that a loop with a batched condition gets.

Tests: `tests/engines/native/program/test_loops.py`.
"""

from __future__ import annotations

from math import prod

from ....core.jaxpr import JaxprEqn
from ...batched_while import scalar_condition
from ..graph.fusion import Group, fuse
from ..graph.graph import Graph, Node, Step
from ..graph.views import View, supported
from .lanes import MAX_TERMS_IN_LINE

__all__ = ["MAX_SMALL_ELEMENTS", "bodies", "constants_of", "operations"]

MAX_SMALL_ELEMENTS = 8  # elements of an array that is held in registers
_MAX_PACKED_ELEMENTS = 1 << 20  # elements of such a copy
_MIN_TURNS_TO_PACK = 8  # turns for which constants are copied to lie well
_ESTIMATED_LANES = 8  # in which larger arrays are computed, for estimates


def bodies(step: Step) -> bool:
    """Make the graphs inside a step; whether all of it can be code."""
    params = step.eqn.params
    if step.kind == "while" and params["cond_jaxpr"].out_avals[0].shape:
        return _batched_bodies(step)
    if step.kind == "cond":
        programs = params["branches"]
    elif step.kind == "scan":
        programs = [params["jaxpr"]]
    else:
        programs = [params["cond_jaxpr"], params["body_jaxpr"]]
    types = [v.aval for v in (*step.eqn.invars, *step.eqn.outvars)]
    if not all([supported(a) and a.size for a in types]):
        return False
    fixed = 0  # the inputs that stay the same, and are read often
    if step.kind != "cond" and params.get("length", _MIN_TURNS_TO_PACK) >= _MIN_TURNS_TO_PACK:
        fixed = params["num_consts"] if step.kind == "scan" else params["body_nconsts"]
    step.graphs = [Graph(p, in_loop=True, fixed=fixed if p is programs[-1] else 0) for p in programs]
    step.units = [fuse(g) for g in step.graphs]
    if fixed:
        _pack(step.graphs[-1], step.units[-1], fixed)
    for graph, units in zip(step.graphs, step.units):
        if not all([prod(v.shape) and v.base.dtype is not None for v in graph.outputs]):
            return False
        for unit in units:
            if type(unit) is Step and unit.kind != "gather" and unit.routine is None:
                if unit.kind == "host" or not bodies(unit):
                    return False
    return True


def _batched_bodies(step: Step) -> bool:
    """`bodies` of a loop whose condition is batched: of one element after the other, or else of all at once.

    Products of matrices are faster for all elements at once.
    """
    eqn, operands, kept = step.eqn, step.operands, None
    for form in _over_lanes, _of_all_lanes:
        found = form(eqn)
        if found is None:
            continue
        primitive, order, params = found
        invars = [eqn.invars[i] for i in order]
        step.kind, step.eqn = primitive.name, eqn.replace(invars=invars, primitive=primitive, params=params)
        step.operands = [operands[i] for i in order]
        if bodies(step):
            if kept is not None or not _has_products(step):
                return True
            kept = step.kind, step.eqn, step.operands, step.graphs, step.units
    step.kind, step.eqn, step.operands, step.graphs, step.units = kept or ("while", eqn, operands, [], [])
    return kept is not None


def _has_products(step: Step) -> bool:
    """Return whether there are products with matrices in a step, be they sums of products."""
    for unit in [u for units in step.units for u in units]:
        if type(unit) is Group:
            sums = [n.operands[0] for n in unit.nodes if n.kind == "reduce" and n.op == "add"]
            if any([v.base.op == "mul" and prod(v.shape) > MAX_TERMS_IN_LINE for v in sums]):
                return True
        elif unit.routine.name == "product" if unit.routine is not None else _has_products(unit):
            return True
    return False


def _over_lanes(eqn: JaxprEqn):
    lanes = eqn.params.get("lanes")
    return lanes.scan(eqn.primitive, eqn.params) if lanes is not None and lanes.holds(eqn.params) else None


def _of_all_lanes(eqn: JaxprEqn):
    params, order = scalar_condition(eqn.params, list(range(len(eqn.invars))))
    return eqn.primitive, order, params


def _pack(graph: Graph, units, fixed: int) -> None:
    """Let groups read what stays the same in a loop, the first inputs, along its rows: from copies made before it."""
    inputs, copies = set(graph.inputs[:fixed]), {}

    def packed(view: View) -> View:
        strides = [s for d, s in zip(view.shape, view.strides) if d != 1]
        lies_well = not strides or strides[-1] in (0, 1)
        is_packed = type(view) is View and view.size <= _MAX_PACKED_ELEMENTS and view.base.size > MAX_SMALL_ELEMENTS
        if view.base not in inputs or lies_well or not is_packed:
            return view
        axes = [i for i, (d, s) in enumerate(zip(view.shape, view.strides)) if d != 1 and s]
        shape = tuple([view.shape[i] for i in axes])
        source = View(view.base, shape, view.offset, tuple([view.strides[i] for i in axes]))
        if source.key not in copies:
            copies[source.key] = Node("input", shape, view.base.dtype, 0)
            graph.packed[copies[source.key]] = source
        return graph.whole(copies[source.key]).broadcast(view.shape, axes)

    for unit in units:
        if type(unit) is Group:
            for node in unit.nodes:
                node.operands = tuple([packed(v) for v in node.operands])


def constants_of(step: Step) -> list[Node]:
    """The arrays that bodies hold, at any depth."""
    found = [n for g in step.graphs for n in g.constants]
    for units in step.units:
        for unit in units:
            if type(unit) is Step and unit.graphs:
                found += constants_of(unit)
    return found


def operations(units) -> int:
    """Roughly, how many one run of a body takes; a `while` in it counts as one turn."""
    total = 1
    for unit in units:
        if type(unit) is Group:
            size = prod(unit.domain)
            total += unit.weight * (size if size <= MAX_TERMS_IN_LINE else -(-size // _ESTIMATED_LANES))
        elif unit.graphs:
            inside = sum([operations(u) for u in unit.units])
            total += inside * (unit.eqn.params["length"] if unit.kind == "scan" else 1)
        else:
            total += sum([prod(v.shape) for v in unit.operands[1:]]) // _ESTIMATED_LANES
    return total
