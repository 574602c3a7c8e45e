"""Lengths of axes that are expressions: polynomials over variables, quotients, remainders, maxima and minima.

An expression is a sum of terms with integer coefficients, a term a product of factors with exponents, a factor a
variable or an operation on expressions. Every expression has one form, so that equal ones compare equal; what is a
number is an `int`. Variables are at least 1. Comparisons hold for all values or raise (`bounds.py`).

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import total_ordering
from math import prod
from typing import Any

import numpy as np

from ..messages.errors import InconclusiveDimensionOperation
from ..values.dimension import Dimension
from .bounds import bounds, is_at_least

__all__ = [
    "DimExpr", "Factor", "divide", "is_symbolic_dim", "max_dim", "min_dim",
    "operation", "variable",
]

FLOORDIV, MOD, MAX, MIN = "floordiv", "mod", "max", "min"


@total_ordering
class Factor:
    """A variable, or an operation on expressions."""

    __slots__ = ("hash", "key", "name", "operands", "size")

    def __init__(self, name: str, operands: tuple = ()):
        self.name, self.operands = name, operands
        self.size = 1 + sum([1 if isinstance(x, int) else x.weight for x in operands]) if operands else 1
        self.key = (bool(operands), name, *[_operand_key(x) for x in operands])
        self.hash = hash((name, operands))

    def __eq__(self, other):
        return self is other or (
            self.hash == other.hash and self.name == other.name and self.operands == other.operands)

    def __lt__(self, other):
        return self.key < other.key

    def __hash__(self):
        return self.hash

    def __str__(self):
        return f"{self.name}({', '.join(map(_operand_text, self.operands))})" if self.operands else self.name

    def evaluate(self, env: Mapping) -> Any:
        if not self.operands:
            return env[self.name]
        x, y = [d.evaluate(env) if isinstance(d, DimExpr) else d for d in self.operands]
        if self.name == FLOORDIV:
            return x // y
        if self.name == MOD:
            return x % y
        return (max_dim if self.name == MAX else min_dim)(x, y)


def _operand_text(x) -> str:
    return f"- {-x}" if isinstance(x, int) and x < 0 else str(x)


def _operand_key(x) -> tuple:
    return ((), x) if isinstance(x, int) else (tuple([(_term_key(t), c) for t, c in x.terms]), 0)


Term = tuple  # of (factor, exponent), the least factor first


def _term_key(term: Term) -> tuple:
    """Sorts terms: those of a sum are written with the greatest first."""
    return (sum([f.size * e for f, e in term]), len(term), tuple([(f.key, e) for f, e in reversed(term)]))


def _product(a: Term, b: Term) -> Term:
    powers = dict(a)
    for f, e in b:
        powers[f] = powers.get(f, 0) + e
    return tuple(sorted(powers.items(), key=lambda pair: pair[0].key))


def made(terms: Mapping[Term, int], scope) -> Any:
    """Return the sum of terms: an expression, or a number."""
    found = scope.normalized({t: c for t, c in terms.items() if c})
    if not found:
        return 0
    if len(found) == 1 and () in found:
        return found[()]
    return DimExpr(tuple(sorted(found.items(), key=lambda pair: _term_key(pair[0]), reverse=True)), scope)


def variable(name: str, scope) -> Any:
    return made({((Factor(name), 1),): 1}, scope)


def operation(name: str, x, y, scope) -> Any:
    return made({((Factor(name, (x, y)), 1),): 1}, scope)


def terms_of(x) -> dict[Term, int]:
    return dict(x.terms) if isinstance(x, DimExpr) else {(): x} if x else {}


def _number(x) -> Any:
    """Return an operand of arithmetic: an expression or an int; None for anything else."""
    if isinstance(x, DimExpr) or type(x) is int:
        return x
    if isinstance(x, np.ndarray) and x.ndim == 0 and x.dtype == object:
        return _number(x[()])
    if isinstance(x, bool | np.integer) or (isinstance(x, np.ndarray) and x.ndim == 0 and x.dtype.kind in "iu"):
        return operator.index(x)
    return None


class DimExpr(Dimension):
    """A length that is not a number: `a`, `2*b + 1`, `floordiv(a, 2)`."""

    __slots__ = ("__weakref__", "hash", "scope", "terms")
    greater_of = staticmethod(lambda x, y: max_dim(x, y))
    lesser_of = staticmethod(lambda x, y: min_dim(x, y))
    __array_priority__ = 1000

    def __init__(self, terms: tuple[tuple[Term, int], ...], scope):
        self.terms, self.scope = terms, scope
        self.hash = hash((terms, id(scope)))

    @property
    def weight(self) -> int:
        """Return by what longer expressions sort after shorter ones."""
        return max([sum([f.size * e for f, e in t]) for t, _ in self.terms])

    def __hash__(self):
        return self.hash

    def __str__(self):
        parts = []
        for i, (term, c) in enumerate(self.terms):
            words = [str(f) if e == 1 else f"{f}^{e}" for f, e in term]
            if abs(c) != 1 or not term:
                words.insert(0, str(abs(c)))
            sign = "- " if c < 0 else "+ "
            parts.append(("- " if c < 0 else "") + "*".join(words) if not i else sign + "*".join(words))
        return " ".join(parts)

    __repr__ = __str__

    def __format__(self, spec):
        return format(str(self), spec)

    def __reduce__(self):
        raise TypeError("A symbolic dimension belongs to a scope of this process, and cannot be pickled.")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    # ---- arithmetic

    def _same_scope(self, other, why: str) -> None:
        if isinstance(other, DimExpr) and other.scope is not self.scope:
            self.scope.refuse(other, why)

    def _with(self, other, combine, name: str):
        number = _number(other)
        if number is None:
            if isinstance(other, np.ndarray) and other.dtype == object:
                return NotImplemented
            return getattr(operator, name)(self.dimension_as_value(), other)
        self._same_scope(number, "for linear combination")
        return combine(self, number)

    def _reversed(self, other, combine, name: str):
        number = _number(other)
        if number is None:
            if isinstance(other, np.ndarray) and other.dtype == object:
                return NotImplemented
            return getattr(operator, name)(other, self.dimension_as_value())
        return combine(number, self)

    def __add__(self, other):
        return self._with(other, _add, "add")

    def __radd__(self, other):
        return self._reversed(other, _add, "add")

    def __sub__(self, other):
        return self._with(other, _subtract, "sub")

    def __rsub__(self, other):
        return self._reversed(other, _subtract, "sub")

    def __mul__(self, other):
        return self._with(other, _multiply, "mul")

    def __rmul__(self, other):
        return self._reversed(other, _multiply, "mul")

    def __floordiv__(self, other):
        return self._with(other, lambda x, y: divide(x, y)[0], "floordiv")

    def __rfloordiv__(self, other):
        return self._reversed(other, lambda x, y: divide(x, y)[0], "floordiv")

    def __mod__(self, other):
        return self._with(other, lambda x, y: divide(x, y)[1], "mod")

    def __rmod__(self, other):
        return self._reversed(other, lambda x, y: divide(x, y)[1], "mod")

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __truediv__(self, other):
        return self.dimension_as_value() / other

    def __rtruediv__(self, other):
        return other / self.dimension_as_value()

    def __pow__(self, power, modulo=None):
        number = _number(power)
        if not isinstance(number, int):
            return self.dimension_as_value() ** power
        if number < 0:
            raise ValueError(f"Symbolic dimension cannot be raised to negative powers: '{self}' ** '{number}'")
        return prod([self] * number)

    def __rpow__(self, base):
        return base ** self.dimension_as_value()

    def __neg__(self):
        return made({t: -c for t, c in self.terms}, self.scope)

    def __pos__(self):
        return self

    # ---- comparisons

    def __eq__(self, other):
        if isinstance(other, DimExpr):
            return self is other or (
                self.hash == other.hash and self.scope is other.scope and self.terms == other.terms)
        if _number(other) is not None:
            return False
        return NotImplemented

    def __ne__(self, other):
        found = self.__eq__(other)
        return found if found is NotImplemented else not found

    def _compare(self, other, sign: str, at_least: Callable):
        number = _number(other)
        if number is None:
            if isinstance(other, np.ndarray) and other.dtype == object:
                return NotImplemented
            raise TypeError(f"'{sign}' not supported between a symbolic dimension and {type(other).__name__!r}")
        if isinstance(number, DimExpr) and number.scope is not self.scope:
            self.scope.refuse(number, f"when comparing '{self}' {sign} '{number}'")
        yes, no = at_least(self, number)
        if is_at_least(yes, 0):
            return True
        if is_at_least(no, 0):
            return False
        raise InconclusiveDimensionOperation(
            f"Symbolic dimension comparison '{self}' {sign} '{number}' is inconclusive.{self.scope.told()}"
        )

    def __ge__(self, other):
        return self._compare(other, ">=", lambda x, y: (x - y, y - x - 1))

    def __le__(self, other):
        return self._compare(other, "<=", lambda x, y: (y - x, x - y - 1))

    def __gt__(self, other):
        return self._compare(other, ">", lambda x, y: (x - y - 1, y - x))

    def __lt__(self, other):
        return self._compare(other, "<", lambda x, y: (y - x - 1, x - y))

    # ---- values

    def __jax_array__(self):
        return self.dimension_as_value()

    def __array__(self, dtype=None, copy=None):
        out = np.empty((), object)
        out[()] = self
        return out

    def __int__(self):
        raise InconclusiveDimensionOperation(
            f"Symbolic dimension '{self}' used in a context that requires a constant{self.scope.told()}"
        )

    def __bool__(self):
        return self != 0

    def evaluate(self, env: Mapping) -> Any:
        """Return the value for some values of the variables."""
        total: Any = 0
        for term, c in self.terms:
            total = total + c * prod([f.evaluate(env) ** e for f, e in term])
        return total

    _evaluate = evaluate

    # ---- what bounds ask

    def extremes(self) -> list[Factor]:
        """Return the maxima and minima that are terms."""
        alone = [t[0][0] for t, _ in self.terms if len(t) == 1 and t[0][1] == 1]
        return [f for f in alone if f.operands and f.name in (MAX, MIN)]

    def replaced(self, factor: Factor, y) -> Any:
        """Return the expression with something else in the place of a factor."""
        total: Any = 0
        for term, c in self.terms:
            part: Any = c
            for f, e in term:
                part = part * (y**e if f == factor else made({((f, e),): 1}, self.scope))
            total = total + part
        return total

    def without(self, term: Term) -> Any:
        """Return the sum of the other terms."""
        return made({t: c for t, c in self.terms if t != term}, self.scope)

    def facts(self) -> list[DimExpr]:
        """Return what is not negative: the constraints of the scope, and what quotients and remainders keep."""
        found = list(self.scope.facts)
        for term, _ in [*self.terms, *[pair for fact in found for pair in fact.terms]]:
            for f, e in term:
                if not f.operands or e != 1 or f.name not in (FLOORDIV, MOD) or not is_at_least(f.operands[1], 1):
                    continue
                n, d = f.operands
                own = made({((f, 1),): 1}, self.scope)
                found += [n - own * d, own * d - n + d - 1] if f.name == FLOORDIV else [d - 1 - own, own]
        return [f for f in found if isinstance(f, DimExpr)]

    def variables(self) -> set[str]:
        """Return the names of the variables."""
        found: set[str] = set()
        for term, _ in self.terms:
            for f, _ in term:
                if f.operands:
                    found.update(*[x.variables() for x in f.operands if isinstance(x, DimExpr)])
                else:
                    found.add(f.name)
        return found


def scope_of(*xs):
    return next(x.scope for x in xs if isinstance(x, DimExpr))


def _add(x, y):
    found = terms_of(x)
    for t, c in terms_of(y).items():
        found[t] = found.get(t, 0) + c
    return made(found, scope_of(x, y))


def _subtract(x, y):
    return _add(x, -y)


def _multiply(x, y):
    if x == 0 or y == 0:
        return 0
    found: dict[Term, int] = {}
    for a, c in terms_of(x).items():
        for b, d in terms_of(y).items():
            t = _product(a, b)
            found[t] = found.get(t, 0) + c * d
    return made(found, scope_of(x, y))


def divide(x, y) -> tuple[Any, Any]:
    """Return the quotient that is rounded down, and the remainder."""
    if isinstance(y, int) and y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    scope = scope_of(x, y)
    known = scope.known_remainder(x, y)
    if known is None:
        quotient, rest = _exact(x, y, scope)
        if isinstance(y, int) and isinstance(rest, int):
            return quotient + rest // y, rest % y
        if isinstance(rest, int) and rest == 0:
            return quotient, 0
    remainder = operation(MOD, x, y, scope) if known is None else known
    return operation(FLOORDIV, x, y, scope), remainder


def _exact(x, y, scope) -> tuple[Any, Any]:
    """Divide as polynomials: a quotient and what is left of `x`."""
    quotient: Any = 0
    (lead, c), *_ = sorted(terms_of(y).items(), key=lambda pair: _term_key(pair[0]), reverse=True)
    rest = terms_of(x)
    for term in sorted(rest, key=_term_key, reverse=True):
        for _ in range(32):
            part = _ratio(term, lead)
            if not rest.get(term) or part is None or (rest[term] % c and term):
                break
            if rest[term] % c:
                break
            step = made({part: rest[term] // c}, scope)
            quotient = quotient + step
            rest = terms_of(_subtracted(rest, step * y, scope))
            break
    if any([_ratio(t, lead) is not None and t for t in rest]) and not isinstance(y, int):
        again = made(rest, scope)
        if isinstance(again, DimExpr) and again.terms != (x.terms if isinstance(x, DimExpr) else ()):
            more, left = _exact(again, y, scope)
            return quotient + more, left
    return quotient, made(rest, scope)


def _subtracted(rest, y, scope):
    x = made(rest, scope)
    return x - y


def _ratio(a: Term, b: Term) -> Term | None:
    powers = dict(a)
    for f, e in b:
        if powers.get(f, 0) < e:
            return None
        powers[f] -= e
    return tuple(sorted([(f, e) for f, e in powers.items() if e], key=lambda pair: pair[0].key))


def max_dim(d1, d2) -> Any:
    """Return the greater of two lengths.

    Args:
      d1, d2: numbers, or symbolic lengths as of `export.symbolic_shape`.

    >>> n, = export.symbolic_shape("n")
    >>> core.max_dim(n, 3), core.max_dim(2, 3)
    (max(n, 3), 3)
    """
    return _extreme(MAX, d1, d2)


def min_dim(d1, d2) -> Any:
    """Return the lesser of two lengths.

    Args:
      d1, d2: numbers, or symbolic lengths as of `export.symbolic_shape`.

    >>> n, = export.symbolic_shape("n")
    >>> core.min_dim(n, 3), core.min_dim(2, 3)
    (min(n, 3), 2)
    """
    return _extreme(MIN, d1, d2)


def _extreme(name: str, x, y):
    if not isinstance(x, DimExpr) and not isinstance(y, DimExpr):
        return (max if name == MAX else min)(x, y)
    least, greatest = bounds(x - y)
    if least >= 0:
        return x if name == MAX else y
    if greatest <= 0:
        return y if name == MAX else x
    return operation(name, x, y, scope_of(x, y))


def is_symbolic_dim(p: Any) -> bool:
    """Return whether a length is an expression.

    Args:
      p: an element of a shape.
    Returns:
      False for an int.

    >>> export.is_symbolic_dim(3), export.is_symbolic_dim(export.symbolic_shape("n")[0])
    (False, True)
    """
    return isinstance(p, DimExpr)
