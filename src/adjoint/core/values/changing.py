"""Values that change: which classes of libraries have them, and the error of one that is where an array must be.

Such a value is no array and no tree of arrays: it holds arrays, which operations of its library replace. How it
passes into and out of programs is in `transforms/jit/changing.py`.

Tests: `tests/experimental/test_hijax.py`.
"""

from __future__ import annotations

from ..messages.errors import message

__all__ = ["CHANGING", "ChangingValueError", "is_changing"]

CHANGING: set[type] = set()  # the classes, which `register_hitype` adds


class ChangingValueError(TypeError):
    """A value that changes is an operand or a result where arrays are."""

    def __init__(self, value):
        super().__init__(message(
            f"Argument {type(value).__name__} of type {type(value)} is not a valid JAX type here.",
            why="It is a value that changes: it passes into and out of jit, and functions may close over it.",
            fix="let the function close over it, or pass the arrays that it holds",
        ))


def is_changing(x) -> bool:
    """Return whether a value is of a class whose values change."""
    return type(x) in CHANGING
