"""Scopes of symbolic dimensions: the constraints that hold for them, and what these make of expressions.

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from ..messages.frames import locate, user_code
from .expressions import FLOORDIV, MOD, DimExpr, Factor, operation, terms_of
from .parsing import dimensions

__all__ = ["SymbolicScope"]

_versions = count()


class SymbolicScope:
    """A place for symbolic dimensions that occur together, and the constraints that they keep.

    Args:
      constraints_str: constraints such as "a >= 4", "b <= 2*a", "mod(a, 2) == 0".
    Raises:
      ValueError: a constraint cannot be read, or cannot hold.

    >>> scope = export.SymbolicScope(("mod(n, 2) == 0", "n >= 8"))
    >>> (n,) = export.symbolic_shape("n", scope=scope)
    >>> n % 2, n // 2 * 2, n >= 8
    (0, n, True)
    """

    def __init__(self, constraints_str: Sequence[str] = ()):
        if isinstance(constraints_str, str):
            raise ValueError("The symbolic constraints should be a sequence of strings.")
        self.facts: list[DimExpr] = []  # are not negative
        self.rules: dict[tuple, tuple[int, Any]] = {}  # term -> (k, expression): k times the term is the expression
        self.remainders: dict[tuple, Any] = {}  # (operands of mod) -> what it is
        self.constraints: list[str] = []
        self.stated: list[tuple[str, bool, DimExpr]] = []  # constraint, whether it is an equality, the difference
        self.version = next(_versions)
        source = user_code()
        frame = locate(*source[:2]) if source is not None and source[0] is not None else None
        self._place = "" if frame is None else f"{frame.file}:{frame.line}:{frame.column} ({frame.function})"
        for text in constraints_str:
            self._add(text)

    def _add(self, text: str) -> None:
        if not isinstance(text, str):
            raise ValueError(f"Symbolic constraint should be a string. Found: {text!r}")
        sign = next((s for s in ("==", ">=", "<=") if s in text), None)
        if sign is None:
            raise ValueError("Constraint parsing error: must contain one of '==' or '>=' or '<='")
        left, right = text.split(sign, 1)
        ((x,), (y,)) = [dimensions(part, self) for part in (left, right)]
        difference = x - y if sign != "<=" else y - x
        if isinstance(difference, int):
            if difference < 0 or (sign == "==" and difference):
                raise ValueError(f"Unsatisfiable explicit constraint: {text}")
        else:
            self._keep(text, sign, x, y, difference)
            if not any([text == known for known, *_ in self.stated]):
                self.stated.append((text, sign == "==", difference))
        self.constraints.append(text)
        self.version = next(_versions)

    def _keep(self, text: str, sign: str, x, y, difference: DimExpr) -> None:
        if sign != "==":
            self.facts.append(difference)
            return
        self.facts += [difference, -difference]
        lead, *_ = terms_of(x).items() if isinstance(x, DimExpr) else terms_of(y).items()
        if not isinstance(x, DimExpr):
            x, y = y, x
        if len(terms_of(x)) != 1:
            return
        term, k = lead
        ((factor, exponent),) = term if len(term) == 1 else ((None, 0),)
        if factor is not None and exponent == 1 and factor.name == MOD and factor.operands and k == 1:
            n, d = factor.operands
            self.remainders[factor.operands] = y
            if isinstance(d, int) and y == 0:
                whole = f"{d}*floordiv({n}, {d}) == {n}"
                self.constraints.append(whole)
                self.stated.append((whole, True, operation(FLOORDIV, n, d, self) * d - n))
                self._equal(((Factor(FLOORDIV, (n, d)), 1),), d, n)
            return
        self._equal(term, k, y)

    def _equal(self, term: tuple, k: int, y) -> None:
        if k > 0:
            self.rules[term] = k, y

    # ---- what expressions ask

    def normalized(self, terms: dict[tuple, int]) -> dict[tuple, int]:
        """Return a sum with the equalities that are known applied to it.

        Args:
          terms: the coefficient of each term of the sum.
        """
        for _ in range(16):
            found = next(((t, c, *self.rules[t]) for t, c in terms.items() if t in self.rules
                          and c % self.rules[t][0] == 0), None)
            if found is None:
                break
            term, c, k, y = found
            del terms[term]
            for t, d in terms_of(y).items():
                terms[t] = terms.get(t, 0) + d * (c // k)
            terms = {t: c for t, c in terms.items() if c}
        return terms

    def known_remainder(self, x, y) -> Any:
        """Return what x mod y is by the constraints, or None.

        Args:
          x: a symbolic expression.
          y: an int or a symbolic expression.
        """
        return self.remainders.get((x, y))

    # ---- messages

    def __str__(self):
        rows = "".join([f"\n  {c}" for c in self.constraints])
        return f"{id(self)} created at {self._place}" + (f" with constraints:{rows}" if rows else "")

    __repr__ = __str__

    def told(self) -> str:
        """Return what a message says of the constraints."""
        return f"\nUsing symbolic scope {self}" if self.constraints else ""

    def refuse(self, other: DimExpr, why: str) -> None:
        """Raise the error of an expression of another scope.

        Args:
          other: the expression.
          why: how it got here, in words.
        Raises:
          ValueError: always.
        """
        raise ValueError(
            f"Invalid mixing of symbolic scopes {why}.\nExpected  scope {self}\nand found for '{other}' (unknown) "
            f"scope {other.scope}\nSee https://docs.jax.dev/en/latest/export/shape_poly.html"
            "#user-specified-symbolic-constraints."
        )
