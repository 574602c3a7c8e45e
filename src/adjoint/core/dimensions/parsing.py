"""Symbolic shapes as text: "a, 2*b + 1, floordiv(c, 2)".

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .expressions import MAX, MIN, MOD, DimExpr, divide, max_dim, min_dim, operation, variable

__all__ = ["dimensions"]

_TOKENS = re.compile(
    r"(?P<NAME>[A-Za-z_]\w*)|(?P<NUMBER>\d+)|(?P<ELLIPSIS>\.\.\.)|(?P<GREATEREQUAL>>=)|(?P<LESSEQUAL><=)|(?P<EQEQUAL>==)|"
    r"(?P<DOUBLESLASH>//)|(?P<DOUBLESTAR>\*\*)|(?P<COMMA>,)|(?P<LPAR>\()|(?P<RPAR>\))|(?P<PLUS>\+)|(?P<MINUS>-)|"
    r"(?P<STAR>\*)|(?P<CIRCUMFLEX>\^)|(?P<PERCENT>%)|(?P<DOT>\.)|(?P<SLASH>/)|(?P<GREATER>>)|(?P<LESS><)|(?P<EQUAL>=)|"
    r"(?P<ERRORTOKEN>\S)")
_DIGITS = 2  # of a power
_DEPTH = 30  # of operations in operations
_FUNCTIONS = {"floordiv", "mod", "max", "min"}


class _Parser:
    def __init__(self, text: str, scope, like: Sequence[int | None] | None, shown: Any):
        self.text, self.scope, self.like, self.shown = text, scope, like, shown
        self.tokens = [(m.lastgroup, m[0], m.start(), m.end()) for m in _TOKENS.finditer(text)]
        self.tokens.append(("ENDMARKER", "", len(text), len(text)))
        self.at = self.depth = 0
        self.found: list[Any] = []

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0] or ""

    def error(self, detail: str) -> ValueError:
        kind, _, start, _ = self.tokens[self.at]
        before = "" if kind == "ENDMARKER" else self.text[:start]
        after = "" if kind == "ENDMARKER" else self.text[start:]
        if kind != "ENDMARKER" and self.at:
            before = self.text[:start]
        return ValueError(
            f"syntax error in symbolic shape {self.shown!r} in dimension {len(self.found)}: {detail}. Parsed "
            f"'{before}', remaining '{after}'."
        )

    def expect(self, *kinds: str) -> str:
        if self.kind not in kinds:
            raise self.error(f"expecting one of {{{', '.join(kinds)}}} but found {self.kind}")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def shape(self) -> tuple:
        opened = self.kind == "LPAR"
        if opened:
            self.at += 1
        while self.kind not in ("ENDMARKER", "RPAR"):
            if self.kind == "ELLIPSIS":
                self._rest()
                break
            self.found.append(self._dimension())
            if self.kind != "COMMA":
                break
            self.at += 1
        if opened:
            self.expect("RPAR")
        self.expect("ENDMARKER")
        return tuple(self.found)

    def _rest(self) -> None:
        if self.like is None:
            raise self.error("spec contains ... but no 'like' shape was given")
        if len(self.found) > len(self.like):
            raise self.error(
                f"cannot resolve placeholder '...' because we parsed {len(self.found)} already and 'like' shape has "
                f"only {len(self.like)} dimensions"
            )
        while len(self.found) < len(self.like):
            self.found.append(self._of_like())
        self.at += 1

    def _of_like(self) -> Any:
        assert self.like is not None
        length = self.like[len(self.found)] if len(self.found) < len(self.like) else None
        if length is None:
            raise self.error(f"unexpected placeholder for unknown dimension; like={self.like}")
        return length

    def _dimension(self) -> Any:
        if self.kind == "NAME" and self.tokens[self.at][1] == "_":
            if self.like is None:
                raise self.error("spec contains ... but no 'like' shape was given")
            self.at += 1
            return self._of_like()
        found = self._sum()
        if isinstance(found, int) and self.like is not None and len(self.found) < len(self.like):
            known = self.like[len(self.found)]
            if known is not None and known != found:
                raise self.error(f"different size {found} for known dimension; like={self.like}")
        return found

    def _sum(self) -> Any:
        found: Any = 0
        sign = 1
        if self.kind == "MINUS":
            self.at, sign = self.at + 1, -1
        while True:
            found = found + sign * self._product()
            if self.kind not in ("PLUS", "MINUS"):
                return found
            sign = 1 if self.kind == "PLUS" else -1
            self.at += 1
            if self.kind == "MINUS":
                self.at, sign = self.at + 1, -sign

    def _product(self) -> Any:
        found = self._power()
        while self.kind == "STAR":
            self.at += 1
            found = found * self._power()
        if self.kind not in ("PLUS", "MINUS", "COMMA", "RPAR", "ENDMARKER"):
            raise self.error(f"expecting one of {{STAR}} but found {self.kind}")
        return found

    def _power(self) -> Any:
        base = self._atom()
        if self.kind == "CIRCUMFLEX":
            self.at += 1
            power = self.expect("NUMBER")
            if len(power) > _DIGITS:
                raise self.error(f"the power {power} is too large")
            return base ** int(power)
        return base

    def _atom(self) -> Any:
        if self.kind not in ("NAME", "NUMBER", "MINUS"):
            raise self.error(f"expecting one of {{NAME, MINUS, NUMBER}} but found {self.kind}")
        kind, text, *_ = self.tokens[self.at]
        self.at += 1
        if kind == "NUMBER":
            return int(text)
        if kind == "MINUS":
            return -self._atom()
        if text in _FUNCTIONS and self.kind == "LPAR":
            return self._operation(text)
        return variable(text, self.scope)

    def _operation(self, name: str) -> Any:
        self.expect("LPAR")
        self.depth += 1
        if self.depth > _DEPTH:
            raise self.error(f"operations are nested more than {_DEPTH} times")
        x = self._sum()
        self.expect("COMMA")
        y = self._sum()
        self.expect("RPAR")
        self.depth -= 1
        if name in (MAX, MIN):
            symbolic = isinstance(x, DimExpr) or isinstance(y, DimExpr)
            if not symbolic:
                return (max_dim if name == MAX else min_dim)(x, y)
            return operation(name, x, y, self.scope) if not self.scope.facts else (
                max_dim if name == MAX else min_dim)(x, y)
        if not isinstance(x, DimExpr) and not isinstance(y, DimExpr):
            return x % y if name == MOD else x // y
        return divide(x, y)[name == MOD]


def dimensions(text: str, scope, like: Sequence[int | None] | None = None, shown: Any = ...) -> tuple:
    """Return the lengths of a text.

    Raises:
      ValueError: the text is no shape.
    """
    return _Parser(text, scope, like, text if shown is ... else shown).shape()
