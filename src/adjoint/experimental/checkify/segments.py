"""Fewer looks at values: where one NaN is seen in another value, only that one is looked at.

Between two equations that hold programs, a program is a segment. Of the results that are checked in a segment those are
looked at that no other result of the segment shows: a NaN in an operand of `add` is in the sum. If one is found, which
needs a second run of the segment's arithmetic, once and only then, the check that found it first gives its number.

Tests: `tests/experimental/test_checkify.py`.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from ...core.dtypes import issubdtype
from ...core.jaxpr import Jaxpr, JaxprEqn, Literal, Var, sub_jaxprs
from ...core.process.memo import fact
from ...core.trace import eval_jaxpr
from ...core.tree.tree import tree_flatten
from ...prims.logic import ne, or_, select_n
from .errors import NO_CODE, Error, any_of
from .exceptions import NaNError, effect_of
from .rules import is_nan_checked, shown_part

__all__ = ["Segment", "looked_at", "segments_of"]

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
