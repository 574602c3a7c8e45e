"""Functions that are known by two names: each name is its own function, so that tables by `__name__` hold both.

Tests: `tests/compat/test_small_behaviours.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType

__all__ = ["alias"]


def alias(fun: Callable, name: str, module: str | None = None) -> Callable:
    """Return `fun` as a function of another name, and maybe another module, with the same code and attributes."""
    assert isinstance(fun, FunctionType)
    other = FunctionType(fun.__code__, fun.__globals__, name, fun.__defaults__, fun.__closure__)
    other.__kwdefaults__ = fun.__kwdefaults__
    other.__qualname__, other.__module__, other.__doc__ = name, module or fun.__module__, fun.__doc__
    other.__annotations__ = fun.__annotations__
    vars(other).update(vars(fun))
    return other
