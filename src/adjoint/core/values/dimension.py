"""Lengths of axes that are expressions, as the rest of the library meets them; `core/dimensions/` has the expressions.

Most shapes are numbers, and the functions here cost these one comparison.

Tests: `tests/export/test_symbolic_shapes.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import numpy as np

from ..messages.errors import InconclusiveDimensionOperation

__all__ = [
    "Dimension", "LengthRules", "UnexpectedDimVar", "as_dimension", "as_length", "as_number", "broadcast_shapes",
    "check_lengths", "greater",
    "is_more", "lesser", "may_equal", "span",
]


class LengthRules(Protocol):
    """Operations that make a length a value of the program that is traced."""

    def as_value(self, length: Dimension) -> Any:
        """Return the length as a number of the default integers, weakly typed."""
        ...

    def in_dtype(self, length: Dimension, dtype: Any) -> Any:
        """Return the length as a number of a dtype."""
        ...


class Dimension:
    """A length that is not a number."""

    __slots__ = ()
    greater_of: ClassVar[Callable[[Any, Any], Any]]  # of two lengths
    lesser_of: ClassVar[Callable[[Any, Any], Any]]
    rules: ClassVar[LengthRules]

    @classmethod
    def register(cls, rules: LengthRules) -> None:
        """Let lengths become values by the operations of `rules`."""
        cls.rules = rules

    def variables(self) -> set[str]:
        """Return the names of the variables."""
        raise NotImplementedError(f"{type(self).__name__} does not say which variables it has.")

    def dimension_as_value(self) -> Any:
        """Return the length as a number of the program that is traced."""
        return self.rules.as_value(self)

    def in_dtype(self, dtype: Any) -> Any:
        """Return the length as a number of a dtype, of the program that is traced."""
        return self.rules.in_dtype(self, dtype)


class UnexpectedDimVar(Exception):
    """An array is to be made now whose shape has a variable: only programs that are exported know of its value."""


def check_lengths(shape: Any) -> None:
    """Raise UnexpectedDimVar if a length is an expression: there is no memory of such a shape."""
    names = sorted({name for n in shape if isinstance(n, Dimension) for name in n.variables()})
    if names:
        raise UnexpectedDimVar(
            f"Encountered dimension variable '{names[0]}' that is not appearing in the shapes of the function "
            "arguments.\nThe following dimension variables are appearing in the shapes of the function arguments: [].\n"
            "Please see https://docs.jax.dev/en/latest/export/shape_poly.html"
            "#dimension-variables-must-be-solvable-from-the-input-shapes for more details."
        )


def as_length(n: Any) -> Any:
    """Return a length as an int, or as the expression that it is; TypeError if it is neither."""
    if isinstance(n, np.bool):  # which older releases of NumPy take for an integer, with a warning
        raise TypeError(f"The length of an axis is an integer, got {n!r}.")
    return n if isinstance(n, Dimension) else operator.index(n)


def as_dimension(n: Any) -> Any:
    """Return a length in a shape as `as_length` does; the TypeError speaks of shapes."""
    if isinstance(n, Dimension):
        return n
    try:
        return n.__index__()
    except AttributeError:
        raise TypeError(
            f"Shapes must be 1D sequences of integer scalars, got {n!r} of type {type(n).__name__}."
        ) from None


def as_number(n: Any, dtype: Any) -> Any:
    """Return a length as a number of a dtype: one that is known, or a value of the program."""
    return n.in_dtype(dtype) if isinstance(n, Dimension) else dtype.type(n)


def greater(x: Any, y: Any) -> Any:
    """Return the greater of two lengths."""
    for n in (x, y):
        if isinstance(n, Dimension):
            return n.greater_of(x, y)
    return max(x, y)


def lesser(x: Any, y: Any) -> Any:
    """Return the lesser of two lengths."""
    for n in (x, y):
        if isinstance(n, Dimension):
            return n.lesser_of(x, y)
    return min(x, y)


def may_equal(x: Any, y: Any) -> bool:
    """Return whether two lengths are equal for some values of what they are made of, as far as can be told."""
    if x == y or not isinstance(x, Dimension) and not isinstance(y, Dimension):
        return bool(x == y)
    for least, most in ((x, y), (y, x)):
        try:
            if least < most:
                return False
        except InconclusiveDimensionOperation:
            pass
    return True


def is_more(n: Any, limit: int) -> bool:
    """Return whether a length is a number above a limit."""
    return not isinstance(n, Dimension) and n > limit


def broadcast_shapes(*shapes: tuple) -> tuple:
    """Return the shape that shapes broadcast to; ValueError if there is none."""
    try:
        return np.broadcast_shapes(*shapes)
    except TypeError:
        if not any([isinstance(n, Dimension) for shape in shapes for n in shape]):
            raise
    found: list = []
    for lengths in zip(*[(1,) * (max(map(len, shapes)) - len(s)) + tuple(s) for s in shapes]):
        long = [n for n in lengths if isinstance(n, Dimension) or n != 1]
        if any([n != long[0] for n in long]):
            raise ValueError(f"shape mismatch: shapes {shapes} cannot be broadcast")
        found.append(long[0] if long else 1)
    return tuple(found)


def span(start: Any, stop: Any, step: Any, n: Any) -> tuple[Any, Any, Any, int]:
    """Return (start, stop, size, step) of a slice of an axis of length `n`; step is not 0."""
    if not any([isinstance(x, Dimension) for x in (start, stop, n)]):
        start, stop, step = slice(start, stop, step).indices(n)
        return start, stop, len(range(start, stop, step)), step
    step = 1 if step is None else operator.index(step)
    least, most = (0, n) if step > 0 else (-1, n - 1)
    begin, end = (least, most) if step > 0 else (most, least)
    if start is not None:
        begin = _inside(start, n, least, most)
    if stop is not None:
        end = _inside(stop, n, least, most)
    count = (end - begin + step - 1) // step if step > 0 else (begin - end - step - 1) // -step
    return begin, end, greater(count, 0), step


def _inside(place: Any, n: Any, least: Any, most: Any) -> Any:
    place = place + n if place < 0 else place
    return greater(lesser(most, place), least)
