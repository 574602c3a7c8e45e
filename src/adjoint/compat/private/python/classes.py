"""Classes and functions as tests take them: names of `jax._src.util` and of the modules that import it.

Tests: `tests/compat/test_private_programs.py`.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from ....api_util import safe_map
from .callables import set_module
from .sequences import safe_zip

__all__ = ["TYPE_CHECKING", "C", "F", "G", "H", "K", "Mutex", "R", "ReturnValue", "T1", "T2", "T3", "Typ", "U", "V",
           "export_dtypes", "export_errors", "export_initializers",
           "export_lax", "export_linalg", "export_numpy", "export_tree", "immutable", "map", "use_cpp_class",
           "use_cpp_method", "util_fun_name", "weak_value_interner", "zip"]

TYPE_CHECKING = False
C, F, G, H, K, U, V = [TypeVar(name) for name in "CFGHKUV"]   # type: ignore[misc]
Typ, ReturnValue = TypeVar("Typ"), TypeVar("ReturnValue")
T1, T2, T3 = TypeVar("T1"), TypeVar("T2"), TypeVar("T3")
R = TypeVar("R", covariant=True)

map = safe_map
zip = safe_zip

export_dtypes, export_errors, export_initializers, export_lax, export_linalg, export_numpy, export_tree = [
    set_module(f"jax.{name}")
    for name in ("dtypes", "errors", "nn.initializers", "lax", "numpy.linalg", "numpy", "tree_util")
]


def util_fun_name(fun: Any, default_name: str = "<unnamed function>") -> str:
    """Return the name of a function; that of the function within a partial one."""
    while isinstance(fun, functools.partial):
        fun = fun.func
    return getattr(fun, "__name__", default_name)


def immutable(cls: type) -> type:
    """Let no attribute of a class's objects be set once they are made; copies of them are they themselves."""
    def refuse(self: Any, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to field {name!r}")

    def keep(self: Any, name: str) -> None:
        raise AttributeError(f"cannot delete field {name!r}")

    cls.__setattr__, cls.__delattr__ = refuse, keep          # type: ignore[method-assign, assignment]
    cls.__deepcopy__ = lambda self, memo: self               # type: ignore[attr-defined]
    return cls


def use_cpp_class(cpp_cls: type) -> Callable[[type], type]:
    """Return a decorator that gives a class the methods of another one, but for those marked by `use_cpp_method`."""
    def given(cls: type) -> type:
        for name, value in vars(cls).items():
            if callable(value) and getattr(value, "_is_in_other_language", False) or name in _OF_CLASSES:
                continue
            setattr(cpp_cls, name, value)
        return cpp_cls

    return given


_OF_CLASSES = ("__module__", "__dict__", "__weakref__", "__doc__", "__slots__", "__qualname__", "__firstlineno__")


def use_cpp_method(is_enabled: bool = True) -> Callable[[Any], Any]:
    """Return a decorator of methods that `use_cpp_class` leaves to the other class."""
    if not isinstance(is_enabled, bool):
        raise TypeError("``is_enabled`` must be a bool")

    def marked(f: Any) -> Any:
        if is_enabled:
            inner = f.fget if isinstance(f, property) else f
            if isinstance(inner, FunctionType):
                inner._is_in_other_language = True           # type: ignore[attr-defined]
        return f

    return marked


def weak_value_interner(fun: Callable) -> Callable:
    """Return a function that gives the object that it has made before for equal arguments, as long as it lives."""
    kept: Any = weakref.WeakValueDictionary()

    @functools.wraps(fun)
    def interned(*args: Any, **kwargs: Any) -> Any:
        key = args, tuple(sorted(kwargs.items()))
        found = kept.get(key)
        if found is None:
            found = kept[key] = fun(*args, **kwargs)
        return found

    return interned


class Mutex:
    """A lock that many readers may hold, or one writer."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers, self._writer = 0, 0

    def lock(self) -> None:
        """Wait until no other thread holds it, and hold it."""
        with self._changed:
            self._changed.wait_for(lambda: not self._readers and not self._writer)
            self._writer = threading.get_ident()

    def unlock(self) -> None:
        """Give it up."""
        with self._changed:
            self._writer = 0
            self._changed.notify_all()

    def reader_lock(self) -> None:
        """Wait until no writer holds it, and read."""
        with self._changed:
            self._changed.wait_for(lambda: not self._writer)
            self._readers += 1

    def reader_unlock(self) -> None:
        """Read no more."""
        with self._changed:
            self._readers -= 1
            self._changed.notify_all()

    writer_lock, writer_unlock = lock, unlock
