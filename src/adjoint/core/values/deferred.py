"""Values that are no arrays and say themselves what functions of arrays mean for them.

Functions that take them are made by `takes_deferred`; all others raise the error of `__jax_array__`.

Tests: `tests/numpy/test_masked.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from ..types import register_aval

__all__ = ["Deferred", "call_deferred", "take_deferred", "takes_deferred"]


class Deferred:
    """A value that is no array, and says itself what functions of arrays mean for it; see `numpy/masked.py`."""

    __slots__ = ()

    def given_to(self, function, args: tuple, kwargs: dict):
        """The result of a function of this package, one of whose arguments is this value."""
        raise NotImplementedError(f"{type(self).__name__} does not define given_to(function, args, kwargs)")

    def __jax_array__(self):
        """The error for what takes arrays and does not ask."""
        raise NotImplementedError(f"{type(self).__name__} does not define the error of __jax_array__()")


register_aval(Deferred, lambda x: x.__jax_array__())


def call_deferred(function, args: tuple, kwargs: dict):
    """Whatever the first argument that is `Deferred` says that the call means."""
    first = next(a for a in (*args, *kwargs.values()) if isinstance(a, Deferred))
    return first.given_to(function, args, kwargs)


def takes_deferred(function: Callable) -> Callable:
    """Return `function`, which leaves calls with `Deferred` values to these."""

    @wraps(function)
    def asked(*args, **kwargs):
        for a in args:
            if isinstance(a, Deferred):
                return call_deferred(asked, args, kwargs)
        return function(*args, **kwargs)

    return asked


def take_deferred(names: dict[str, Any]) -> None:
    """Let the Python functions that a module offers leave calls with `Deferred` values to these."""
    for name in names["__all__"]:
        if isinstance(function := names.get(name), FunctionType):
            names[name] = takes_deferred(function)
