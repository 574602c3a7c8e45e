"""Branches made ready: from the user's functions to the operands of `cond`.

All branches take the same operands: what any of them closes over, in order of first use, then the user's
operands. A result that is the same operand in every branch is passed through and not computed.

Tests: `tests/control_flow/test_errors.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.jaxpr import ClosedJaxpr, Var
from ...core.process.records import NamedTuple
from ...core.state import state
from ...core.tree.tree import tree_unflatten
from ...core.types import aval_of
from ...transforms.bodies import Body, body_of
from ...transforms.calls import results
from ...transforms.programs import remembered
from ..apart import axes_apart, axes_inside, lacking, with_varying_results
from ..cond import cond_p
from .mismatches import are_alike, branch_trees_differ, branch_types_differ

__all__ = ["run_branches"]


def run_branches(
    api: str, funs: Sequence, names: Sequence[str], index, operands: list, in_tree, types: tuple,
    backwards: bool = False,
) -> Any:
    """Return the result of the function that `index` says, of flat `operands` with structure `in_tree`.

    Args:
      api: the function that the user called; `names` are his names of `funs`.
      types: the types of the operands.
      backwards: index 0 is the last function.
    """
    bodies = [body_of(f, api, in_tree, types) for f in funs]
    if state.axis_env:
        bodies = _varying_alike(bodies)
    first = bodies[0]
    for other, fun, name in zip(bodies[1:], funs[1:], names[1:]):
        pair = (names[0], name), (funs[0], fun)
        if other.out_tree != first.out_tree:
            raise branch_trees_differ(api, *pair, (first.out_tree, other.out_tree))
        if not all([a is b or are_alike(a, b) for a, b in zip(first.out_avals, other.out_avals)]):
            raise branch_types_differ(api, *pair, first.out_tree, first.out_avals, other.out_avals)
    captured: dict[int, Any] = {}
    for body in bodies:
        captured.update((id(c), c) for c in body.captured if id(c) not in captured)
    place = {key: i for i, key in enumerate(captured)}
    reads = tuple([tuple([place[id(c)] for c in body.captured]) for body in bodies])
    programs = [body.program for body in bodies]
    joined = _joined(programs[0], tuple(programs[1:]), reads, len(captured), backwards)
    given = [*captured.values(), *operands]
    branches = joined.branches
    if state.axis_env and (apart := axes_apart(aval_of(index), branches, False)):
        branches = tuple([with_varying_results(b, [lacking(a, apart) for a in b.out_avals]) for b in branches])
    pool = [*cond_p.bind(index, *given, branches=branches), *given]
    return tree_unflatten(first.out_tree, results([pool[i] for i in joined.results]))


def _varying_alike(bodies: list[Body]) -> list[Body]:
    """Return the bodies, whose results vary as those of another do where devices part in it."""
    inside = axes_inside([b.program for b in bodies])
    if not inside or len({len(b.out_avals) for b in bodies}) > 1:
        return bodies
    axes = [inside.intersection(frozenset().union(*[a.vma for a in avals])) for avals in zip(*[
        b.out_avals for b in bodies])]
    alike = lambda b: with_varying_results(b.program, [lacking(a, found) for a, found in zip(b.out_avals, axes)])
    return [Body(alike(b), b.captured, b.out_tree) for b in bodies]


class _Joined(NamedTuple):
    """Branches with common operands; `results` finds the user's in [*results, *operands]."""

    branches: tuple[ClosedJaxpr, ...]
    results: tuple[int, ...]


@remembered
def _joined(first, others, reads, num_captured, backwards) -> _Joined:
    """Bring programs to common operands; `reads[b]` are the captured values that branch b reads."""
    programs = [first, *others]
    types = {}
    for p, own in zip(programs, reads):
        types.update(zip(own, p.in_avals))
    ins = []
    for p, own in zip(programs, reads):
        mine = dict(zip(own, p.jaxpr.invars))
        extra = [mine.get(i) or Var(types[i]) for i in range(num_captured)]
        ins.append(extra + p.jaxpr.invars[len(own) :])
    places = [{v: i for i, v in enumerate(invars)} for invars in ins]
    computed, results = [], []
    for j, outs in enumerate(zip(*[p.jaxpr.outvars for p in programs])):
        sources = {place.get(v) for place, v in zip(places, outs)}
        source = sources.pop() if len(sources) == 1 else None
        if source is None:
            results.append(("out", len(computed)))
            computed.append(j)
        else:
            results.append(("in", source))
    branches = [
        ClosedJaxpr(
            p.jaxpr.replace(invars=invars, outvars=[p.jaxpr.outvars[j] for j in computed]), p.consts
        )
        for p, invars in zip(programs, ins)
    ]
    return _Joined(
        tuple(branches[::-1] if backwards else branches),
        tuple([i if kind == "out" else len(computed) + i for kind, i in results]),
    )
