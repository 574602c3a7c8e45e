"""Bodies of loops and branches as graphs, and the form that a loop with a batched condition gets.

Tests: `tests/engines/native/program/test_loops.py`.
"""

from __future__ import annotations

from math import inf, prod

from ....core.jaxpr import ClosedJaxpr, JaxprEqn
from ...batched_while import scalar_condition
from ..graph.fusion import Group, fuse
from ..graph.graph import LOOPS, Graph, Node, Step
from ..graph.views import View, supported
from .lanes import MAX_TERMS_IN_LINE

__all__ = ["MAX_SMALL_ELEMENTS", "bodies", "branches_pay", "constants_of", "operations", "without_code"]

MAX_SMALL_ELEMENTS = 8  # elements of an array that is held in registers
_MAX_PACKED_ELEMENTS = 1 << 20  # elements of such a copy
_MIN_TURNS_TO_PACK = 8  # turns for which constants are copied into a better order
_MIN_BRANCH_COST = 256  # operations of a branch that is run for those elements alone that take it
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
    step.graphs = [
        Graph(p, in_loop=True, fixed=fixed if p is programs[-1] else 0, branches=branches_pay) for p in programs
    ]
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
    """Return `bodies` of a loop whose condition is batched: of one element after the other, or else of all at once.

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


def branches_pay(program: ClosedJaxpr) -> bool:
    """Return whether branches are to be run for one element after the other, and not all of them for all elements.

    The program is that of `control_flow/lanes.py`, whose `scan` has a branch in its body. Products of matrices are
    faster for all elements at once, and few operations without a loop cost less than to ask which elements want them.
    """
    (eqn,) = [eqn for eqn in program.eqns if eqn.primitive.runs_programs]
    found = program.jaxpr.cache.get(branches_pay)
    if found is None:
        step = Step("scan", eqn, [], 0)
        found = bodies(step) and not _has_products(step) and max(map(_branch_cost, step.units[0])) > _MIN_BRANCH_COST
        program.jaxpr.cache.keep(branches_pay, found)
    return found


def _branch_cost(unit: Group | Step) -> float:
    """Return the operations of the costliest branch in a step, without bound where it has loops or routines."""
    if type(unit) is Group or unit.kind == "gather" or unit.routine is not None:
        return 0
    if unit.kind != "cond":
        return max([_branch_cost(u) for units in unit.units for u in units], default=0)
    steps = [u for units in unit.units for u in units if type(u) is Step and u.kind != "gather"]
    if any([u.routine is not None and not u.is_update or u.kind in ("while", "scan") for u in steps]):
        return inf
    return max(map(operations, unit.units))


def _over_lanes(eqn: JaxprEqn):
    lanes = eqn.params.get("lanes")
    return lanes.scan(eqn.primitive, eqn.params) if lanes is not None and lanes.holds(eqn.params) else None


def _of_all_lanes(eqn: JaxprEqn):
    params, order = scalar_condition(eqn.params, list(range(len(eqn.invars))))
    return eqn.primitive, order, params


def without_code(eqn: JaxprEqn) -> list[str]:
    """Return what a loop or branch has in it, at any depth, that is not code: primitives, types of operands."""
    types = [v.aval for v in (*eqn.invars, *eqn.outvars)]
    found = dict.fromkeys([a.str_short() for a in types if not (supported(a) and a.size)])
    programs = [p for x in eqn.params.values() for p in (x if isinstance(x, tuple) else (x,))]
    for program in programs:
        for item in Graph(program, in_loop=True).items if isinstance(program, ClosedJaxpr) else ():
            if type(item) is Step and item.kind in LOOPS:
                found.update(dict.fromkeys(without_code(item.eqn)))
            elif type(item) is Step and item.kind == "host":
                found[item.eqn.primitive.name] = None
    return list(found)


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
    """Return the arrays that bodies hold, at any depth."""
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
