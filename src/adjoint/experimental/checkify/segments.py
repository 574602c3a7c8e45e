"""Fewer looks at values: where one NaN is seen in another value, only that one is looked at.

Between two equations that hold programs, a program is a segment. Of the results that are checked in a segment those are
looked at that no other result of the segment shows: a NaN in an operand of `add` is in the sum. If one is found, which
needs a second run of the segment's arithmetic, once and only then, the check that found it first gives its number.
Small calls are opened first, so that a segment goes on behind them. Positions in an array are looked at before they are
repeated and put together.

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ...core.dtypes import issubdtype
from ...core.jaxpr import Atom, Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs
from ...core.process.memo import fact
from ...core.process.records import NamedTuple
from ...core.trace import eval_jaxpr
from ...core.tree.tree import tree_flatten
from ...prims.logic import ne, or_, select_n
from ...transforms.jit.primitive import jit_p
from .errors import NO_CODE, Error, any_of
from .exceptions import NaNError, effect_of
from .rules import is_nan_checked, positions_of, rule_of, shown_part

__all__ = ["Segment", "looked_at", "opened", "parts_of_positions", "segments_of"]

_ELEMENT_BY_ELEMENT = frozenset(
    """
    abs acos acosh add add_any asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt ceil conj cos cosh digamma div
    erf erf_inv erfc exp exp2 expm1 floor lgamma log log1p logistic max min mul neg rem round rsqrt sign sin sinh sqrt
    square sub tan tanh
    """.split()
)
_WHOLE = frozenset(
    """
    broadcast_in_dim concatenate copy cummax cummin cumprod cumsum dot_general reduce_max reduce_min reduce_prod
    reduce_sum reshape rev squeeze transpose
    """.split()
)


class Segment(NamedTuple):
    """Equations of a jaxpr, by their positions, whose results are looked at together."""

    last: int  # the position after which it is done
    checked: tuple[int, ...]
    shown: tuple[Var, ...]  # what is looked at
    again: Jaxpr  # what is computed again to know which it was, a function of values there are: the checked results


def _is_float(v) -> bool:
    return issubdtype(v.aval.dtype, np.inexact)


@fact
def _may_give_nan(jaxpr: Jaxpr) -> bool:
    return any([
        is_nan_checked(e.primitive) and any(map(_is_float, e.outvars)) or any(map(_may_give_nan, sub_jaxprs(e.params)))
        for e in jaxpr.eqns
    ])


_MAX_OPENED = 64  # equations of a call, those of calls in it too


@fact
def opened(jaxpr: Jaxpr) -> Jaxpr:
    """Return the program with the equations of small calls in which something is looked at in place of the calls."""
    eqns: list[JaxprEqn] = []
    stands: dict[Var, Atom] = {}  # what is read in place of a variable

    def append(part: Jaxpr, names: dict[Var, Atom], is_inside: bool) -> None:
        read = lambda v: names.get(v, v) if type(v) is Var else v
        for eqn in part.eqns:
            operands = [read(v) for v in eqn.invars]
            if (inner := _small_call(eqn)) is not None:
                own: dict[Var, Atom] = dict(zip(inner.invars, operands))
                append(inner, own, True)
                names.update(zip(eqn.outvars, [own.get(v, v) if type(v) is Var else v for v in inner.outvars]))
                continue
            outs = [Var(v.aval) for v in eqn.outvars] if is_inside else eqn.outvars
            names.update(zip(eqn.outvars, outs) if is_inside else ())
            eqns.append(eqn.replace(invars=operands, outvars=outs))

    if not any([_small_call(eqn) for eqn in jaxpr.eqns]):
        return jaxpr
    append(jaxpr, stands, False)
    return jaxpr.replace(eqns=eqns, outvars=[stands.get(v, v) if type(v) is Var else v for v in jaxpr.outvars])


def _small_call(eqn: JaxprEqn) -> Jaxpr | None:
    if eqn.primitive is not jit_p or (inner := eqn.params["jaxpr"]).consts:
        return None
    return inner.jaxpr if _size(inner.jaxpr) <= _MAX_OPENED and _is_looked_at(inner.jaxpr) else None


@fact
def _is_looked_at(jaxpr: Jaxpr) -> bool:
    return any([
        any(map(_is_looked_at, parts)) if (parts := [*sub_jaxprs(e.params)]) else rule_of(e.primitive) is not None
        for e in jaxpr.eqns
    ])


@fact
def _size(jaxpr: Jaxpr) -> int:
    return sum([1 if eqn.primitive is not jit_p else _size(eqn.params["jaxpr"].jaxpr) for eqn in jaxpr.eqns])


@fact
def parts_of_positions(jaxpr: Jaxpr) -> dict[int, tuple[list[Atom], Jaxpr]]:
    """Return what the positions are put together of at which equations read or write, by the equations' places.

    That is a value for each axis, with fewer elements to look at, and the positions as a function of those.
    """
    made = {v: k for k, eqn in enumerate(jaxpr.eqns) for v in eqn.outvars}
    found: dict[int, tuple[list[Atom], Jaxpr]] = {}
    for i, eqn in enumerate(jaxpr.eqns):
        if (v := positions_of(eqn.primitive, eqn.invars)) not in made:
            continue
        whole, last, between = jaxpr.eqns[made[v]], v.aval.ndim - 1, set()
        is_joined = whole.primitive.name == "concatenate" and whole.params["dimension"] == last
        between.update([made[v]] if is_joined else ())
        parts = [_repeated(x, made, jaxpr.eqns, between) for x in (whole.invars if is_joined else [v])]
        if len(parts) == v.aval.shape[last] and sum([x.aval.size for x in parts]) < v.aval.size:
            inputs = dict.fromkeys([x for x in parts if type(x) is Var])
            found[i] = parts, Jaxpr([], list(inputs), [v], [jaxpr.eqns[k] for k in sorted(between)])
    return found


def _repeated(v: Atom, made: dict[Var, int], eqns: list[JaxprEqn], between: set[int]) -> Atom:
    """Return the value whose elements are those of `v`, but for how often they stand there, and add what repeats it."""
    while type(v) is Var and v in made and eqns[made[v]].primitive.name in ("broadcast_in_dim", "reshape", "squeeze"):
        between.add(made[v])
        v = eqns[made[v]].invars[0]
    return v


def _shows(eqn: JaxprEqn) -> bool:
    """Return whether a NaN in an operand is one in the result."""
    out, name = eqn.outvars[0], eqn.primitive.name
    if not _is_float(out) or not prod(out.aval.shape):
        return False
    return name in _ELEMENT_BY_ELEMENT or name in _WHOLE or name == "convert_element_type"


@fact
def segments_of(jaxpr: Jaxpr) -> list[Segment]:
    """The segments of a jaxpr in which more than one result is checked; found once."""
    parts: list[list[int]] = [[]]
    for i, eqn in enumerate(jaxpr.eqns):
        if any(map(_may_give_nan, sub_jaxprs(eqn.params))):
            parts.append([])
        else:
            parts[-1].append(i)
    return [s for part in parts if (s := _segment(jaxpr, part)) is not None]


def _segment(jaxpr: Jaxpr, part: list[int]) -> Segment | None:
    eqns = jaxpr.eqns
    checked = [i for i in part if is_nan_checked(eqns[i].primitive) and any(map(_is_float, eqns[i].outvars))]
    if len(checked) < 2:
        return None
    seen: set[Var] = set()
    shown: list[Var] = []
    wanted = set(checked)
    for i in reversed(part):
        eqn = eqns[i]
        if i in wanted:
            new = [v for v in eqn.outvars if _is_float(v) and v not in seen]
            shown += new
            seen.update(new)
        if eqn.outvars and eqn.outvars[0] in seen and _shows(eqn):
            seen.update([v for v in eqn.invars if type(v) is Var])
    results = [eqns[i].outvars[0] for i in checked]
    return Segment(checked[-1], tuple(checked), tuple(shown), _again(eqns, part, results))


def _again(eqns, part: list[int], results: list[Var]) -> Jaxpr:
    needed, kept = set(results), []
    for i in reversed(part):
        eqn = eqns[i]
        if needed.isdisjoint(eqn.outvars) or eqn.effects or eqn.primitive.runs_programs:
            continue
        kept.append(eqn)
        needed.update([v for v in eqn.invars if type(v) is not Literal])
    kept.reverse()
    made = {v for eqn in kept for v in eqn.outvars}
    used = {v: None for eqn in kept for v in eqn.invars if type(v) is not Literal and v not in made}
    used.update({v: None for v in results if v not in made})
    return Jaxpr([], list(used), results, kept)


def _shown_part(v: Var, segment: Segment, jaxpr: Jaxpr, env: dict):
    """Return the value of a variable, or the part of it that shows a NaN in the rest."""
    made = next(jaxpr.eqns[i] for i in segment.checked if v in jaxpr.eqns[i].outvars)
    return shown_part(made.primitive, made.params, env[v])


def looked_at(error: Error, segment: Segment, jaxpr: Jaxpr, env: dict, numbers: dict[int, int]) -> Error:
    """Return the error after a look at the results of a segment, whose checks have `numbers` by their positions."""
    flags = [any_of(ne(x, x)) for x in (_shown_part(v, segment, jaxpr, env) for v in segment.shown)]
    pred = flags[0]
    for flag in flags[1:]:
        pred = or_(pred, flag)
    codes, metadata = [numbers[i] for i in segment.checked], {}
    for i, code in zip(segment.checked, codes):
        eqn = jaxpr.eqns[i]
        metadata[code] = tree_flatten(NaNError(eqn._source, eqn.primitive.name))[1]

    def which(*values):
        code = NO_CODE
        for x, c in zip(reversed(eval_jaxpr(segment.again, (), *values)), reversed(codes)):
            code = select_n(any_of(ne(x, x)), code, np.int32(c))
        return [code]

    operands = [env[v] for v in segment.again.invars]
    return error.found_by(effect_of(NaNError(None, "")), pred, metadata, [NO_CODE], which, operands)
