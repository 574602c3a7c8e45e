"""Packages whose names are found when they are first used.

A package says in one table where its names are: in a module by name, in the first of some modules that lists the name
in `__all__`, or modules of its own. `offered` makes its `__getattr__` and `__dir__` of the table. What modules list is
read from the heads of their texts, so that no other module is imported. The stubs are written from what `dir` says.

Tests: `tests/rules/test_import.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from os.path import dirname, exists
from typing import Any

from ..messages.boundaries import guarded
from ..messages.errors import presented
from .elsewhere import absent

__all__ = ["MISSING", "offered"]

MISSING: Any = object()
_LIST = re.compile(r"^__all__ = \[([^]]*)\]", re.MULTILINE)
_BYTES_OF_HEAD = 8192  # bytes in which a list stands that is written out


def offered(
    package: dict[str, Any],
    names: dict[str, str] | None = None,
    modules: str = "",
    listed: tuple[str, ...] = (),
    computed: Callable[[str], Any] | None = None,
    also: Callable[[], Iterable[str]] = tuple,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package, which find its names when they are first used.

    Args:
      package: its `globals()`, in which what is found is bound.
      names: of each module the names that it defines, in one text; `a=b` where its name is `b`.
      modules: the names of public modules of the package, in one text.
      listed: modules that offer all of their `__all__`; of a name in two, the first one's holds.
      computed: what gives any other name; `MISSING` if there is none.
      also: what lists the names that are computed.
    """
    where, folder = package["__name__"], dirname(package["__file__"])
    home = {
        name: (module, own or name)
        for module, text in (names or {}).items()
        for name, _, own in [entry.partition("=") for entry in text.split()]
    }
    submodules = frozenset(modules.split())

    def __dir__() -> list[str]:
        every = [n for module in listed for n in import_module(f".{module}", where).__all__]
        return sorted({*home, *submodules, *every, *also()})

    def every_name() -> Iterator[str]:  # read when advice is looked for
        yield from __dir__()

    @guarded
    def __getattr__(name: str) -> Any:
        if name == "__all__":  # of `import *`
            return __dir__()
        if name in submodules:
            return import_module(f".{name}", where)
        value = MISSING
        if name in home:
            module, own = home[name]
            value = guarded(getattr(import_module(module, where), own))
        elif computed is not None:
            value = computed(name)
        if value is MISSING:
            # `from . import x` asks here first for a module of ours.
            if name.startswith("__") or exists(f"{folder}/{name}.py") or exists(f"{folder}/{name}/__init__.py"):
                raise AttributeError(f"module '{presented(where)}' has no attribute {name!r}", name=name)
            value = _find(name, package, folder, listed)
        if value is MISSING:
            raise absent(where, name, every_name())
        package[name] = value
        return value

    return __getattr__, __dir__


def _find(name: str, package: dict[str, Any], folder: str, modules: tuple[str, ...]) -> Any:
    """Return what the first module that lists the name has by it; `MISSING` if none does."""
    for module in modules:
        text = _listed(f"{folder}/{module.replace('.', '/')}.py")
        if text is None or f'"{name}"' in text:
            found = import_module(f".{module}", package["__name__"])
            if name in found.__all__:
                return guarded(getattr(found, name))
    return MISSING


@cache
def _listed(path: str) -> str | None:
    """Return the names between the brackets, with their quotes; None if they are computed, or there is no text to read.
    """
    try:
        with open(path, "rb") as file:
            found = _LIST.search(file.read(_BYTES_OF_HEAD).decode(errors="replace"))
    except OSError:
        return None
    return found[1] if found and "*" not in found[1] else None
