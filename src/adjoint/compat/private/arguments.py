"""Functions and their arguments, as libraries handle them: names of `jax._src.api_util` and `jax._src.util`.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ...transforms import flat
from ...transforms.flat import function_name

__all__ = ["HashablePartial", "check_callable", "ensure_index", "infer_argnums_and_argnames", "wraps"]

F = TypeVar("F", bound=Callable)


def ensure_index(x: Any) -> int | tuple[int, ...]:
    """Return a position as an int, positions as a tuple of them."""
    try:
        return operator.index(x)
    except TypeError:
        return tuple([operator.index(i) for i in x])


def check_callable(fun: Any) -> None:
    """Raise TypeError unless `fun` can be called, as a method or a function can that returns its results."""
    if isinstance(fun, staticmethod):
        raise TypeError(f"staticmethod arguments are not supported, got {fun}")
    flat.check_callable(fun, "a transformation")


def infer_argnums_and_argnames(
    sig: inspect.Signature, argnums: int | Iterable[int] | None, argnames: str | Iterable[str] | None
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return positions and names of arguments, each found from the other where only one is given."""
    if argnums is None and argnames is None:
        return (), ()
    positions = None if argnums is None else (argnums,) if isinstance(argnums, int) else tuple(argnums)
    names = None if argnames is None else (argnames,) if isinstance(argnames, str) else tuple(argnames)
    parameters = list(sig.parameters.values())
    if positions is None:
        assert names is not None
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        positions = tuple([i for i, p in enumerate(parameters) if p.kind is either and p.name in names])
    elif names is None:
        names = tuple([parameters[i].name for i in positions if i < len(parameters)])
    return positions, () if names is None else names


def wraps(wrapped: Callable, namestr: str | None = None, docstr: str | None = None, **kwargs: Any) -> Callable[[F], F]:
    """Return a decorator that gives a function the name and the documentation of another.

    Args:
      namestr, docstr: texts with `{fun}` and `{doc}`, and with the names in `kwargs`, for other ones.
    """
    name, doc = function_name(wrapped), getattr(wrapped, "__doc__", None) or ""

    def named(fun: F) -> F:
        functools.update_wrapper(fun, wrapped)
        fun.__name__ = name if namestr is None else namestr.format(fun=name)
        fun.__doc__ = doc if docstr is None else docstr.format(fun=name, doc=doc, **kwargs)
        return fun

    return named


class HashablePartial:
    """A function with some of its arguments; equal to another with the same code and equal arguments."""

    def __init__(self, f: Callable, *args: Any, **kwargs: Any):
        self.f, self.args, self.kwargs = f, args, kwargs

    def _key(self) -> tuple:
        return getattr(self.f, "__code__", self.f), self.args, tuple(sorted(self.kwargs.items()))

    def __eq__(self, other: Any) -> bool:
        return type(other) is HashablePartial and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.f(*self.args, *args, **self.kwargs, **kwargs)
