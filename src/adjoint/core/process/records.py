"""`NamedTuple` as `typing` has it, but made in less than half the time: annotations are not compiled.

The library has a hundred such classes, and most of the time that they took at the start went into checks of
annotations that the type checkers read anyway.

Tests: `tests/core/test_records.py`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    _TYPES_OWN = frozenset(("__module__", "__qualname__", "__annotations__", "__dict__", "__weakref__"))

    class _Fields(type):
        """Makes of a class with annotations a named tuple with these fields, their defaults and the class's methods."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made.__qualname__, made.__annotations__ = body["__qualname__"], fields
            for key, value in body.items():
                if key not in fields and key not in _TYPES_OWN:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Fields):
        pass
