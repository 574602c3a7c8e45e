"""Passes over programs: what they do with references, their dead code, and whether they are well formed.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from .jaxpr import Atom, ClosedJaxpr, DropVar, Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs
from .messages.errors import JaxprTypeError
from .process.memo import fact
from .values.refs import AbstractRef

__all__ = [
    "check_jaxpr", "custom_typechecks", "dce_jaxpr", "depending", "divided", "live_eqns", "operands_read",
    "prune_program", "rules_see_refs", "unknown_values", "uses_refs",
]


@fact
def uses_refs(jaxpr: Jaxpr) -> bool:
    """Return whether the program, or one inside it, has equations about references."""
    variables = [*jaxpr.constvars, *jaxpr.invars, *[v for eqn in jaxpr.eqns for v in eqn.outvars]]
    read = AbstractRef in {type(v.aval) for v in variables} and any([
        type(v.aval) is AbstractRef for eqn in jaxpr.eqns for v in (*eqn.invars, *eqn.outvars)
    ])
    return read or any([uses_refs(sub) for eqn in jaxpr.eqns if eqn.params for sub in sub_jaxprs(eqn.params)])


@fact
def rules_see_refs(jaxpr: Jaxpr) -> bool:
    """Return whether the program, or one inside it, calls a function whose own rules are given references."""
    calls = [eqn for eqn in jaxpr.eqns if "call_jaxpr" in eqn.params]
    given = any([type(v.aval) is AbstractRef for eqn in calls for v in eqn.invars])
    inside = [sub for eqn in jaxpr.eqns if eqn.params for sub in sub_jaxprs(eqn.params)]
    return given or any(map(rules_see_refs, inside))


def live_eqns(
    eqns: Sequence[JaxprEqn], outvars: Sequence[Atom], inside: bool = False
) -> tuple[list[JaxprEqn], set[Atom]]:
    """Return the equations that `outvars` need or that have effects, and all variables that are read.

    With `inside`, what is dead within the programs of the equations is dropped too.
    """
    live = {v for v in outvars if type(v) is not Literal}
    kept = []
    for eqn in reversed(eqns):
        if not live.isdisjoint(eqn.outvars) or eqn.effects:
            if inside and eqn.primitive.prune_rule is not None:
                eqn = _pruned(eqn, tuple([v in live for v in eqn.outvars]))
            kept.append(eqn)
            live.update([v for v in eqn.invars if type(v) is not Literal])
    return kept[::-1], live


@fact
def operands_read(jaxpr: Jaxpr) -> tuple[bool, ...]:
    """Return for each operand of a program whether it has a part in results or effects."""
    live = live_eqns(jaxpr.eqns, jaxpr.outvars, inside=True)[1]
    return tuple([v in live for v in jaxpr.invars])


def _pruned(eqn: JaxprEqn, used: tuple[bool, ...]) -> JaxprEqn:
    """Return the equation without the results that are not used and the operands that it then does not read.

    The primitive's `prune` rule gives the parameters, which operands and which results stay.
    """
    params, kept, stay = eqn.primitive.prune_rule(eqn.params, used)  # type: ignore[misc]
    if params is eqn.params:
        return eqn
    return eqn.replace(
        invars=[v for v, k in zip(eqn.invars, kept, strict=True) if k],
        outvars=[v for v, s in zip(eqn.outvars, stay, strict=True) if s], params=params,
    )


def divided(eqn: JaxprEqn, unknown: set[Var]) -> tuple[JaxprEqn | None, JaxprEqn | None]:
    """Return the part of an equation whose results depend on no unknown value, and the other; None if there is none.

    It is divided where it holds programs, which may compute what is known beside what is not.
    """
    p = eqn.primitive
    if unknown.isdisjoint(eqn.invars):
        return eqn, None
    if p.depends_rule is None or p.prune_rule is None or eqn.effects:
        return None, eqn
    depends = tuple(p.depends_rule(eqn.params, [v in unknown for v in eqn.invars]))
    if all(depends):
        return None, eqn
    known = _pruned(eqn, tuple([not d for d in depends]))
    if known is eqn or not unknown.isdisjoint(known.invars):
        return None, eqn
    if not any(depends):
        return known, None
    rest = _pruned(eqn, depends)
    unknown_outs = {v for v, d in zip(eqn.outvars, depends) if d}
    # A loop computes again the known carries that its unknown ones need.
    return known, rest.replace(outvars=[v if v in unknown_outs else DropVar(v.aval) for v in rest.outvars])


def unknown_values(jaxpr: Jaxpr, unknown: Sequence[bool]) -> set[Var]:
    """Return the values in a program that depend on the operands that are unknown."""
    reached = {v for v, is_unknown in zip(jaxpr.invars, unknown, strict=True) if is_unknown}
    for eqn in jaxpr.eqns:
        rest = divided(eqn, reached)[1]
        if rest is not None:
            reached.update(rest.outvars)
    return reached


def depending(closed: ClosedJaxpr, unknown: Sequence[bool]) -> list[bool]:
    """Return for each result of a program whether it depends on an operand that is unknown."""
    reached = unknown_values(closed.jaxpr, unknown)
    return [v in reached for v in closed.jaxpr.outvars]


def prune_program(
    closed: ClosedJaxpr, used: tuple[bool, ...], keep: bool | tuple[bool, ...] = False
) -> tuple[ClosedJaxpr, tuple[bool, ...]]:
    """Return `dce_jaxpr` of a program, inside of its equations too; remembered, and the same object if nothing is dead.
    """
    cache = closed.jaxpr.cache
    key = ("pruned", used, keep)
    found = cache.get(key)
    if found is None:
        jaxpr, kept = dce_jaxpr(closed.jaxpr, used, keep if isinstance(keep, bool) else list(keep), inside=True)
        same = all(used) and all(kept) and len(jaxpr.eqns) == len(closed.jaxpr.eqns)
        if same and all([a is b for a, b in zip(jaxpr.eqns, closed.jaxpr.eqns)]):
            jaxpr = closed.jaxpr
        found = cache.keep(key, (jaxpr, tuple(kept)))
    jaxpr, kept = found
    return (closed if jaxpr is closed.jaxpr else ClosedJaxpr(jaxpr, closed.consts)), kept


def dce_jaxpr(
    jaxpr: Jaxpr, used_outputs: Sequence[bool], instantiate: bool | list[bool] = False, *, inside: bool = False
):
    """Drop what `used_outputs` do not need: the smaller jaxpr and which inputs it still has.

    With `instantiate`, all inputs stay (a bool, or one bool an input). With `inside`, programs inside programs
    lose what is dead as well.
    """
    outvars = [v for v, used in zip(jaxpr.outvars, used_outputs, strict=True) if used]
    eqns, live = live_eqns(jaxpr.eqns, outvars, inside)
    keep = [instantiate] * len(jaxpr.invars) if isinstance(instantiate, bool) else instantiate
    used_inputs = [v in live or k for v, k in zip(jaxpr.invars, keep)]
    invars = [v for v, used in zip(jaxpr.invars, used_inputs) if used]
    new = jaxpr.replace(invars=invars, outvars=outvars, eqns=eqns, debug_info=None)
    return new, used_inputs


# Checks of libraries: (None, *types of the operands, **params) -> (types of the results, effects).
custom_typechecks: dict[Any, Callable] = {}


def check_jaxpr(jaxpr: Jaxpr) -> None:
    """Raise if a variable is read before it is bound or a type disagrees with its primitive's rule.

    Args:
      jaxpr: the program.
    Returns:
      None.
    Raises:
      JaxprTypeError: it is malformed; the text names the equation.

    >>> closed = make_jaxpr(lambda x: x * 2)(1.0)
    >>> check_jaxpr(closed.jaxpr)
    """
    bound = set(jaxpr.constvars) | set(jaxpr.invars)

    def check_bound(variables: Sequence[Atom], eqn: JaxprEqn | None = None) -> None:
        for v in variables:
            if type(v) is not Literal and v not in bound:
                raise _malformed("Variable '{}' not defined", v, jaxpr, eqn)

    for eqn in jaxpr.eqns:
        check_bound(eqn.invars, eqn)
        for sub in sub_jaxprs(eqn.params):
            check_jaxpr(sub)
        avals = tuple([v.aval for v in eqn.invars])
        if eqn.primitive in custom_typechecks:
            outs, _ = custom_typechecks[eqn.primitive](None, *avals, **eqn.params)
        else:
            out = eqn.primitive.infer(avals, eqn.params)
            outs = out if eqn.primitive.multiple_results else [out]
        for v, aval in zip(eqn.outvars, outs, strict=True):
            if v.aval.strip_weak_type() is not aval.strip_weak_type():
                types = f"{aval.str_short(True)} for let-binder of type {v.aval.str_short(True)}"
                raise _malformed(f"Value for variable '{{}}' inconsistently typed as {types}", v, jaxpr, eqn)
            if v in bound and type(v) is not DropVar:
                raise _malformed("Variable '{}' already bound", v, jaxpr, eqn)
            bound.add(v)
    check_bound(jaxpr.outvars)


def _malformed(what: str, v: Var, jaxpr: Jaxpr, eqn: JaxprEqn | None) -> JaxprTypeError:
    """Return an error in JAX's words, with the variable named as in the program, which it shows."""
    printing = import_module(".printing", __package__)  # which only errors and people need
    names = printing.JaxprPpContext()
    program, place = printing.print_jaxpr(jaxpr, context=names), ""
    if eqn is not None:
        written = printing.print_eqn(eqn, names)
        place = f"in equation:\n\n{written}\n\nfrom source: {eqn.source_info.summary()}\n\n"
    return JaxprTypeError(f"{what.format(names.of(v))}\n\n{place}while checking jaxpr:\n\n{program}")
