"""Objects that live where the arguments of their methods are.

Tests: `tests/experimental/test_colocated_python.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...transforms.flat import wraps
from .func import make_callable

__all__ = ["wrap_class"]


def wrap_class(cls: type[object], cls_sourceinfo: str | None) -> type[object]:
    """Return a class with the public methods of another, whose object is made by the first call of one."""

    class Wrapped:
        """The place of an object that is made when it is first used."""

        def __init__(self, *args, **kwargs):
            self._make = lambda: cls(*args, **kwargs)
            self._held: list[Any] = []

    def method(name: str, fun: Callable):
        @wraps(fun)
        def on_object(self, *args, **kwargs):
            if not self._held:
                self._held.append(self._make())
            return getattr(self._held[0], name)(*args, **kwargs)

        def bound(self):
            call = lambda *args, **kwargs: on_object(self, *args, **kwargs)
            return make_callable(wraps(fun)(call), cls_sourceinfo, inspect.signature(fun))

        return property(bound)

    for name, member in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("__"):
            setattr(Wrapped, name, method(name, member))
    Wrapped.__name__, Wrapped.__qualname__, Wrapped.__doc__ = cls.__name__, cls.__qualname__, cls.__doc__
    Wrapped.__module__ = cls.__module__
    return Wrapped
