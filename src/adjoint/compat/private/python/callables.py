"""Names of functions, and functions and values with an equality of their own. Names of `jax._src.util`."""

from __future__ import annotations

import abc
import functools
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = [
    "Hashable", "HashableFunction", "HashableWrapper", "StrictABC", "StrictABCMeta", "Unhashable", "curry", "fun_name",
    "fun_qual_name", "set_module", "wrap_name",
]

T = TypeVar("T")
_UNNAMED = "<unnamed function>"


def curry(f: Callable) -> Callable:
    """Return a function that takes the first arguments and gives one of the others.

    >>> curry(lambda a, b: (a, b))(1)(2)
    (1, 2)
    """
    return functools.wraps(f)(functools.partial(functools.partial, f))


def wrap_name(transform_name: str, name: str) -> str:
    """Return the name of a transformed function: "vmap(f)"."""
    return f"{transform_name}({name})"


def fun_name(fun: Any, default_name: str = _UNNAMED) -> str:
    """Return the name of a function; that of the function within a partial one."""
    name = getattr(fun, "__name__", None)
    if name is not None:
        return name
    return fun_name(fun.func) if isinstance(fun, functools.partial) else default_name


def fun_qual_name(fun: Any) -> str:
    """Return the name of a function with those of the classes and functions around it."""
    name = getattr(fun, "__qualname__", None)
    if name is not None:
        return name
    return fun_qual_name(fun.func) if isinstance(fun, functools.partial) else fun_name(fun)


def set_module(module: str) -> Callable[[T], T]:
    """Return a decorator that says of which module something is presented."""
    def presented(value: T) -> T:
        value.__module__ = module
        return value

    return presented


class HashableFunction:
    """A function that equals another with the same code and an equal closure."""

    def __init__(self, f: Callable, closure: Any):
        self.f, self.closure = f, closure

    def __eq__(self, other: Any) -> bool:
        return type(other) is HashableFunction and (self.f.__code__ is other.f.__code__
                                                    and self.closure == other.closure)

    def __hash__(self) -> int:
        return hash((self.f.__code__, self.closure))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.f(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<hashable {self.f.__name__} with closure={self.closure}>"


class HashableWrapper:
    """A value in a set or a mapping: by its own equality, or by identity where it has no hash."""

    def __init__(self, x: Any):
        self.x = x
        try:
            self.hash = hash(x)
        except TypeError:
            self.hash = None

    def __hash__(self) -> int:
        return id(self.x) if self.hash is None else self.hash

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, HashableWrapper):
            return False
        return self.x is other.x if self.hash is None else self.x == other.x


class Hashable:
    """A value by its own hash and equality."""

    def __init__(self, val: Any):
        self.val = val

    def __hash__(self) -> int:
        return hash(self.val)

    def __eq__(self, other: Any) -> bool:
        return self.val == other.val


class Unhashable:
    """A value by its own equality, without a hash."""

    __hash__ = None                                  # type: ignore[assignment]

    def __init__(self, val: Any):
        self.val = val

    def __eq__(self, other: Any) -> bool:
        return self.val == other.val


class StrictABCMeta(abc.ABCMeta):
    """Abstract classes whose instances are those of their own subclasses alone."""

    def register(cls, subclass: type) -> Any:
        """Refuse a class that does not inherit."""
        del subclass
        raise NotImplementedError(f"{cls} does not support virtual subclasses")

    __instancecheck__ = type.__instancecheck__       # without the look at registered classes, which is slow


class StrictABC(metaclass=StrictABCMeta):
    """A base of abstract classes without registered subclasses."""

    __slots__ = ()
