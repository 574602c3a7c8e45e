"""The least and greatest numbers that an expression of dimensions can be, for all values of its variables.

A sum is bounded term by term; better, something that is known not to be negative (an explicit constraint, or what
holds for a quotient) is taken away as often as a term goes away with it. A maximum is one or the other operand.

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

from math import gcd, inf
from typing import Any

from ..process.memo import memoized

__all__ = ["bounds", "is_at_least"]

_STEPS = 4  # things taken away, one after the other


def bounds(x: Any) -> tuple[float, float]:
    """Return the least and the greatest number that `x` can be, as far as that is known; infinite if it is not."""
    if isinstance(x, int):
        return x, x
    return _least(x, _STEPS), -_least(-x, _STEPS)


def is_at_least(x: Any, number: int) -> bool:
    """Return whether `x` is at least a number for all values of its variables."""
    return x >= number if isinstance(x, int) else _least(x, _STEPS) >= number


@memoized(1 << 14)
def _cached(x, version: int, steps: int) -> float:
    return _search(x, steps)


def _least(x: Any, steps: int) -> float:
    if isinstance(x, int):
        return x
    return _cached(x, x.scope.version, steps)


def _search(x: Any, steps: int) -> float:
    found = _term_by_term(x)
    if not steps:
        return found
    for factor in x.extremes()[:1]:
        either = [_least(x.replaced(factor, y), steps - 1) for y in factor.operands]
        is_above = (factor.name == "max") == (dict(x.terms)[((factor, 1),)] > 0)
        found = max(found, max(either) if is_above else min(either))
    lead, c = next(((t, c) for t, c in x.terms if t), (None, 0))
    if lead is None:
        return found
    for fact in x.facts():  # is not negative
        by = dict(fact.terms).get(lead, 0)
        if by and (by > 0) == (c > 0):
            times, scale = abs(c) // gcd(c, by), abs(by) // gcd(c, by)
            least = _least(x * scale - fact * times, steps - 1)
            found = max(found, least if least == -inf else -(-least // scale))
    low, high = _term_interval(lead)
    part = c * (low if c > 0 else high)
    if len(x.terms) > 1 and abs(part) != inf:
        found = max(found, part + _least(x.without(lead), steps - 1))
    return found


def _term_by_term(x) -> float:
    total: float = 0
    for term, c in x.terms:
        low, high = _term_interval(term)
        part = c * low if c > 0 else c * high
        total += part
        if total == -inf or total != total:
            return -inf
    return total


def _times(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    products = [0.0 if 0 in (x, y) else x * y for x in a for y in b]
    return min(products), max(products)


def _term_interval(term) -> tuple[float, float]:
    found: tuple[float, float] = (1, 1)
    for f, e in term:
        for _ in range(e):
            found = _times(found, _factor_interval(f))
    return found


@memoized(1 << 12)
def _factor_interval(f) -> tuple[float, float]:
    if not f.operands:
        return 1, inf
    x, y = [(o, o) if isinstance(o, int) else (_least(o, 0), -_least(-o, 0)) for o in f.operands]
    if f.name == "max":
        return max(x[0], y[0]), max(x[1], y[1])
    if f.name == "min":
        return min(x[0], y[0]), min(x[1], y[1])
    if f.name == "mod":
        if y[0] > 0:
            return 0, y[1] - 1
        return (y[0] + 1, 0) if y[1] < 0 else (-inf, inf)
    if y[0] > 0:
        corners = [_floor(n, d) for n in x for d in y]
        return min(corners), max(corners)
    if y[1] < 0 and y[0] != -inf and x[0] != -inf and x[1] != inf:
        corners = [_floor(n, d) for n in x for d in y]
        return min(corners), max(corners)
    return -inf, inf


def _floor(n: float, d: float) -> float:
    if abs(n) == inf:
        return n
    if d == inf:
        return 0 if n >= 0 else -1
    return int(n) // int(d)
