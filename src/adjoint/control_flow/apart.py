"""Branches and loops that each device of a mesh axis chooses for itself, in a `shard_map`: where devices part.

What they compute differs between those devices, so its type says that it varies, whatever the types of the operands
are; and cotangents are summed outside, where all devices are together again.

Tests: `tests/parallel/test_branches.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..core.jaxpr import ClosedJaxpr, Jaxpr, sub_jaxprs
from ..core.trace import eval_jaxpr, stage_closed
from ..core.types import ShapedArray
from ..prims.collective import branching_axes, checked_axes, pvary_to
from ..transforms.programs import remembered

__all__ = ["axes_apart", "axes_inside", "lacking", "with_varying_results"]

_SILENT = ("axis_index", "pcast", "pvary")
_OF_USERS = ("custom_lin", "custom_vjp_call", "linear_call")  # whose rules may sum cotangents on their own


def axes_apart(choice: ShapedArray, programs: Iterable[ClosedJaxpr], with_rules: bool = True) -> frozenset:
    """Return the mesh axes along which devices may choose otherwise, and do not exchange values in what they choose.

    Where they exchange values they are together, though the type of the choice does not say so.

    Args:
      choice: the type of what is chosen by.
      programs: what may be chosen.
      with_rules: whether to leave out axes that rules of users may sum over.
    """
    if not choice.vma:
        return choice.vma
    axes = choice.vma - branching_axes()
    return frozenset([a for a in axes if not any([_is_talked_along(p.jaxpr, a, with_rules) for p in programs])])


def _is_talked_along(jaxpr: Jaxpr, axis, with_rules: bool) -> bool:
    """Return whether devices may exchange values along a mesh axis in a program or in its transpose."""
    for eqn in jaxpr.eqns:
        p, inner = eqn.primitive, [*sub_jaxprs(eqn.params)]
        if with_rules and p.name in _OF_USERS or any([_is_talked_along(j, axis, with_rules) for j in inner]):
            return True
        if not inner and p.name not in _SILENT and p.axes_rule is not None and axis in p.axes_rule(eqn.params):
            return True
    return False


def axes_inside(programs: Iterable[ClosedJaxpr]) -> frozenset:
    """Return the mesh axes along which devices part somewhere in programs: where JAX's types say less than ours."""
    if not checked_axes():
        return frozenset()
    return frozenset().union(*[_parted_in(p.jaxpr) for p in programs])


def _parted_in(jaxpr: Jaxpr) -> frozenset:
    found = frozenset()
    for eqn in jaxpr.eqns:
        if eqn.primitive.name == "cond":
            found |= eqn.invars[0].aval.vma
        elif eqn.primitive.name == "while":
            found |= eqn.params["cond_jaxpr"].out_avals[0].vma
        found = found.union(*[_parted_in(j) for j in sub_jaxprs(eqn.params)])
    return found


def lacking(aval: ShapedArray, axes: frozenset) -> tuple:
    """Return those of the mesh axes along which a type does not vary."""
    return tuple([a for a in checked_axes() if a in axes and a not in aval.vma])


def with_varying_results(closed: ClosedJaxpr, along: Iterable[tuple]) -> ClosedJaxpr:
    """Return the program whose results vary along further mesh axes, those of each."""
    along = tuple(along)
    return _cast(closed, along) if any(along) else closed


@remembered
def _cast(closed: ClosedJaxpr, along: tuple) -> ClosedJaxpr:
    run = lambda *xs: [
        pvary_to(x, axes) if axes else x for x, axes in zip(eval_jaxpr(closed.jaxpr, closed.consts, *xs), along)]
    return stage_closed(run, closed.in_avals, closed.debug_info)
