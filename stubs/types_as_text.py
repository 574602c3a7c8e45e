"""Annotations as text for a stub: a type is evaluated where it was written and printed by its public name.

What is not public, or cannot be evaluated, is `Any`. A `Scope` is one stub: its public names, what it imports, and the
type variables that it needs.
"""

from __future__ import annotations

import collections
import collections.abc
import enum
import types
import typing
from typing import Any

import numpy as np

Homes = dict[int, tuple[str, str]]  # of a class or function by its id, the module and the name that users know

_BARE = {
    list: "[Any]", set: "[Any]", frozenset: "[Any]", type: "[Any]", dict: "[Any, Any]", tuple: "[Any, ...]",
    collections.OrderedDict: "[Any, Any]", collections.abc.Callable: "[..., Any]",
    collections.abc.Mapping: "[Any, Any]",
    collections.abc.Generator: "[Any, Any, Any]",
} | {getattr(collections.abc, n): "[Any]" for n in "Sequence Iterable Iterator Collection Set".split()}
_MODULES = ("collections.abc", "contextlib", "enum", "typing", "types", "collections", "abc", "datetime", "pathlib")


class Scope:
    """What one stub has and needs."""

    def __init__(self, module: str, names: collections.abc.Iterable[str], homes: Homes):
        self.module = module
        self.names = set(names)
        self.homes = homes
        self.imports: set[tuple[str, str, str]] = set()
        self.variables: dict[str, str] = {}
        self.tuples: dict[str, type] = {}  # named tuples that functions return and modules do not offer

    def imported(self, module: str, name: str) -> str:
        """The name under which a name of another module is known here."""
        here = f"_{name}" if name in self.names or name in self.variables else name
        self.imports.add((module, name, here))
        return here

    def builtin(self, name: str) -> str:
        """A built-in name, which a public name may hide."""
        if name not in self.names:
            return name
        self.imports.add(("builtins", "", "_builtins"))
        return f"_builtins.{name}"

    def text(self, t: Any) -> str:
        """A type as text."""
        if t is None or t is types.NoneType:
            return "None"
        if t is Ellipsis:
            return "..."
        if t is Any or isinstance(t, (str, typing.ForwardRef)):
            return self.imported("typing", "Any")
        origin, args = typing.get_origin(t), typing.get_args(t)
        if origin in (typing.Union, types.UnionType):
            parts = list(dict.fromkeys(self.text(a) for a in args))
            return self.imported("typing", "Any") if "Any" in parts else " | ".join(parts)
        if origin is typing.Literal:
            return f"{self.imported('typing', 'Literal')}[{', '.join(map(repr, args))}]"
        if origin is collections.abc.Callable:
            given, result = args
            inside = "..." if given is Ellipsis else f"[{', '.join(map(self.text, given))}]"
            return f"{self._named(origin)}[{inside}, {self.text(result)}]"
        if origin is not None:
            return f"{self._named(origin)}[{', '.join(map(self.text, args))}]"
        if isinstance(t, typing.TypeVar):
            return self._variable(t)
        if isinstance(t, type):
            bare = "[Any, Any]" if t is np.ndarray else "[Any]" if t is np.dtype else _BARE.get(t, "")
            if bare:
                self.imported("typing", "Any")
            name = self._named(t)
            return name if name == "Any" else name + bare
        return self.imported("typing", "Any")

    def _named(self, t: type) -> str:
        module, name = t.__module__, t.__qualname__
        if (home := self.homes.get(id(t))) is not None:
            return home[1] if home[0] == self.module else self.imported(*home)
        if module == "builtins":
            return self.builtin(name)
        if module.startswith("adjoint.") and issubclass(t, tuple) and hasattr(t, "_fields"):
            name = "_" + name.strip("_")
            self.tuples[name] = t
            return name
        if module == "numpy":
            self.imports.add(("numpy", "", "_np"))
            return f"_np.{name}"
        if module in _MODULES and "." not in name:
            return self.imported(module, name)
        return self.imported("typing", "Any")

    def _variable(self, t: typing.TypeVar) -> str:
        name = f"_{t.__name__.strip('_')}"
        make = self.imported("typing_extensions", "TypeVar")
        bound = "" if t.__bound__ is None else f", bound={self.text(t.__bound__)}"
        self.variables[name] = f"{name} = {make}({name!r}{bound})"
        return name

    def annotation(self, written: Any, names: dict[str, Any]) -> str | None:
        """An annotation as text; None if there is none, or nothing is known of it."""
        if isinstance(written, str):
            try:
                written = eval(written, names)
            except Exception:  # names that only type checkers see
                return None
        text = self.text(written)
        return None if text == "Any" else text


def of_value(scope: Scope, value: Any, option: type) -> str:
    """The type of a value that a module offers."""
    if isinstance(value, option):
        return "_Option" if scope.module == "adjoint" else scope.imported("adjoint", "_Option")
    if isinstance(value, (bool, int, float, str, bytes, complex)) and not isinstance(value, enum.Enum):
        return scope.builtin(type(value).__name__)
    return scope.text(type(value))
