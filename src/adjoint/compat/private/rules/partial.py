"""Programs cut into what is known and what is not: names of `jax._src.interpreters.partial_eval`.

An equation is known where all of its operands are; what the unknown part reads of the known one are residuals.

Tests: `tests/compat/test_private_rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

from ....core.effects import Effect
from ....core.jaxpr import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var
from ....core.passes import dce_jaxpr
from ....core.trace import stage
from ....core.types import AbstractValue
from ....interpreters.partial_eval import PartialVal
from ....transforms.custom.remat import Offloadable, Recompute, Saveable
from ..programs.jaxprs import convert_constvars_jaxpr

__all__ = [
    "Offloadable", "Recompute", "RecomputeType", "Saveable", "SaveableType", "abstract_eval_fun", "ensure_enum",
    "everything_saveable", "has_effects", "make_jaxpr_effects", "move_invars_right", "move_outvars_to_back",
    "partial_eval_jaxpr_custom", "partial_eval_jaxpr_nounits", "partial_eval_jaxpr_nounits_fwd", "partition_pvals",
    "separate_consts",
]


RecomputeType, SaveableType = type(Recompute), type(Saveable)
RematCases_ = Union[RecomputeType, SaveableType, Offloadable, bool]  # noqa: UP007  printed as JAX's


def ensure_enum(case: Any) -> Any:
    """Return what a policy says, a bool as `Saveable` or `Recompute`."""
    if isinstance(case, bool):
        return Saveable if case else Recompute
    if not isinstance(case, (RecomputeType, SaveableType, Offloadable)):
        raise TypeError(f"Value returned by a remat policy should be a bool or `ad_checkpoint.Recompute`, "
                        f"`ad_checkpoint.Saveable` or `ad_checkpoint.Offloadable(...)`. Got {case} of type "
                        f"{type(case)}.")
    return case


def everything_saveable(*_: Any, **__: Any) -> bool:
    """Return that a value may be kept, whatever it is."""
    return True


def _flags(given: bool | Sequence[bool], n: int) -> list[bool]:
    return [given] * n if isinstance(given, bool) else list(given)


def _unique(xs: Any) -> list:
    return list(dict.fromkeys(xs))


def _variables(atoms: Any) -> list[Var]:
    return [v for v in atoms if type(v) is not Literal]


def _split(jaxpr: Jaxpr, unknowns: Sequence[bool]) -> tuple[list[JaxprEqn], list[JaxprEqn], set]:
    """Return the known equations, the others, and the variables that are not known."""
    unknown = {v for v, u in zip(jaxpr.invars, unknowns, strict=True) if u}
    known, left = [], []
    for eqn in jaxpr.eqns:
        if eqn.effects or not unknown.isdisjoint(_variables(eqn.invars)):
            left.append(eqn)
            unknown.update(eqn.outvars)
        else:
            known.append(eqn)
    return known, left, unknown


def partial_eval_jaxpr_nounits(
    jaxpr: ClosedJaxpr, unknowns: Sequence[bool], instantiate: bool | Sequence[bool]
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool], list[AbstractValue]]:
    """Cut a program at what is known of its operands.

    Args:
      jaxpr: the program.
      unknowns: for each operand whether it is not known.
      instantiate: for each result whether the second part has it even where it is known.
    Returns:
      (program of the known operands, which gives known results and residuals; program of residuals and unknown
      operands, which gives the unknown results; which these are; types of the residuals)
    """
    known, unknown, out_unknowns, avals, _ = partial_eval_jaxpr_nounits_fwd(jaxpr, unknowns, instantiate, False)
    return known, unknown, out_unknowns, avals


def partial_eval_jaxpr_nounits_fwd(
    jaxpr: ClosedJaxpr, unknowns: Sequence[bool], instantiate: bool | Sequence[bool], fwd: bool | Sequence[bool] = True
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool], list[AbstractValue], list[int | None]]:
    """Return the same, and for each residual the known operand that it is; those are not given again."""
    inner = jaxpr.jaxpr
    known, left, unknown = _split(inner, unknowns)
    wanted = _flags(instantiate, len(inner.outvars))
    out_unknowns = [w or (type(v) is not Literal and v in unknown) for v, w in zip(inner.outvars, wanted)]
    staged = [v for v, u in zip(inner.outvars, out_unknowns) if u]
    needed = _variables([v for eqn in left for v in eqn.invars] + staged)
    constants = {*inner.constvars}
    residuals = [v for v in _unique(needed) if v not in unknown and v not in constants]
    operands = [v for v, u in zip(inner.invars, unknowns) if not u]
    flags = _flags(fwd, len(operands))
    forwarded = [operands.index(v) if v in operands and flags[operands.index(v)] else None for v in residuals]
    given = [v for v, i in zip(residuals, forwarded) if i is None]
    first = inner.replace(
        invars=operands, eqns=known,
        outvars=[v for v, u in zip(inner.outvars, out_unknowns) if not u] + given)
    inputs = [v for v, u in zip(inner.invars, unknowns) if u]
    second = inner.replace(invars=residuals + inputs, eqns=left, outvars=staged)
    return (_closed(first, jaxpr.consts), _closed(second, jaxpr.consts), out_unknowns,
            [v.aval for v in residuals], forwarded)


def _closed(jaxpr: Jaxpr, consts: Sequence) -> ClosedJaxpr:
    """Return a program without equations that are not read, with the constants that it reads."""
    smaller, _ = dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), True)
    used = {v for eqn in smaller.eqns for v in _variables(eqn.invars)} | {*_variables(smaller.outvars)}
    kept = [v in used for v in jaxpr.constvars]
    constvars = [v for v, k in zip(jaxpr.constvars, kept) if k]
    return ClosedJaxpr(smaller.replace(constvars=constvars), [c for c, k in zip(consts, kept) if k])


def partial_eval_jaxpr_custom(
    jaxpr: Jaxpr, in_unknowns: Sequence[bool], in_inst: bool | Sequence[bool],
    ensure_out_unknowns: bool | Sequence[bool], ensure_out_inst: bool | Sequence[bool], saveable: Callable,
) -> tuple[Jaxpr, Jaxpr, list[bool], list[bool], int]:
    """Cut a program, where a policy says which residuals are kept; what is not kept is computed again.

    Returns:
      (program of the known operands, which gives known results and residuals; program of residuals and operands;
      which results are not known; which the second program has; how many residuals there are)
    """
    known, left, unknown = _split(jaxpr, in_unknowns)
    inst = [v for v, i in zip(jaxpr.invars, _flags(in_inst, len(jaxpr.invars))) if i]
    out_unknowns = [w or (type(v) is not Literal and v in unknown)
                    for v, w in zip(jaxpr.outvars, _flags(ensure_out_unknowns, len(jaxpr.outvars)))]
    out_inst = [u or i for u, i in zip(out_unknowns, _flags(ensure_out_inst, len(jaxpr.outvars)))]
    kept = {v for eqn in known for v in eqn.outvars
            if ensure_enum(saveable(eqn.primitive, *[x.aval for x in eqn.invars], **eqn.params)) is not Recompute}
    again: list[JaxprEqn] = []
    needed = {*_variables([v for eqn in left for v in eqn.invars]),
              *_variables([v for v, i in zip(jaxpr.outvars, out_inst) if i])}
    for eqn in reversed(known):
        if needed.intersection(eqn.outvars) - kept:
            again.append(eqn)
            needed.update(_variables(eqn.invars))
    made = {*inst, *jaxpr.constvars, *unknown, *[v for eqn in again for v in eqn.outvars]}
    order = [*jaxpr.invars, *[v for eqn in known for v in eqn.outvars]]
    residuals = [v for v in order if v in needed and v not in made]
    first = jaxpr.replace(
        invars=[v for v, u in zip(jaxpr.invars, in_unknowns) if not u], eqns=known,
        outvars=[v for v, u in zip(jaxpr.outvars, out_unknowns) if not u] + residuals)
    first, _ = dce_jaxpr(first, [True] * len(first.outvars), True)
    second = jaxpr.replace(invars=residuals + inst, eqns=again[::-1] + left,
                           outvars=[v for v, i in zip(jaxpr.outvars, out_inst) if i])
    second, _ = dce_jaxpr(second, [True] * len(second.outvars), True)
    return first, second, out_unknowns, out_inst, len(residuals)


# ---- small ones ----------------------------------------------------------------------------------


def partition_pvals(pvals: Sequence[PartialVal]) -> tuple[list[bool], list[AbstractValue], list[Any]]:
    """Return which values are known, the types of the others, and the known ones."""
    return ([p.is_known() for p in pvals], [p.get_aval() for p in pvals if not p.is_known()],
            [p.get_known() for p in pvals if p.is_known()])


def abstract_eval_fun(fun: Callable, *avals: AbstractValue, debug_info: Any, **params: Any) -> list[AbstractValue]:
    """Return the types of the results of a function of operands of some types."""
    jaxpr, _ = stage(lambda *args: fun(*args, **params), list(avals), debug_info)
    return list(jaxpr.out_avals)


def separate_consts(jaxpr: ClosedJaxpr) -> tuple[ClosedJaxpr, list]:
    """Return a program whose constants are its first operands, and their values."""
    return ClosedJaxpr(convert_constvars_jaxpr(jaxpr.jaxpr), ()), list(jaxpr.consts)


def has_effects(eqn: JaxprEqn) -> bool:
    """Return whether an equation has an effect."""
    return bool(eqn.effects)


def make_jaxpr_effects(constvars: Sequence, invars: Sequence, outvars: Sequence, eqns: Sequence) -> set[Effect]:
    """Return the effects of equations."""
    return set().union(*[eqn.effects for eqn in eqns])


def _moved(xs: Sequence, to_move: Sequence[bool]) -> list:
    return [x for x, m in zip(xs, to_move, strict=True) if not m] + [x for x, m in zip(xs, to_move) if m]


def move_invars_right(jaxpr: ClosedJaxpr, to_move: Sequence[bool]) -> ClosedJaxpr:
    """Return a program with some operands last."""
    return ClosedJaxpr(jaxpr.jaxpr.replace(invars=_moved(jaxpr.jaxpr.invars, to_move)), jaxpr.consts)


def move_outvars_to_back(jaxpr: ClosedJaxpr, to_move: Sequence[bool]) -> ClosedJaxpr:
    """Return a program with some results last."""
    return ClosedJaxpr(jaxpr.jaxpr.replace(outvars=_moved(jaxpr.jaxpr.outvars, to_move)), jaxpr.consts)
