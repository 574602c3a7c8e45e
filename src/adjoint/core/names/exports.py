"""Packages whose names are found when they are first used, in the first module that lists the name in `__all__`.

The lists are read from the heads of the modules' texts, so that no other module is imported.

Tests: `tests/rules/test_import.py`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from os.path import dirname
from typing import Any

from ..messages.boundaries import guarded

__all__ = ["MISSING", "find", "names_of"]

MISSING: Any = object()
_LIST = re.compile(r"^__all__ = \[([^]]*)\]", re.MULTILINE)
_BYTES_OF_HEAD = 8192  # bytes in which a list stands that is written out


def find(name: str, package: dict[str, Any], modules: tuple[str, ...]) -> Any:
    """Return what a module of a package has by this name, bound in the package; `MISSING` if none lists it."""
    folder = dirname(package["__file__"])
    for module in modules:
        listed = _listed(f"{folder}/{module.replace('.', '/')}.py")
        if listed is None or f'"{name}"' in listed:
            found = import_module(f".{module}", package["__name__"])
            if name in found.__all__:
                value = package[name] = guarded(getattr(found, name))
                return value
    return MISSING


@cache
def names_of(package: str, modules: tuple[str, ...]) -> tuple[str, ...]:
    """Return all names that the modules of a package list."""
    return tuple([n for module in modules for n in import_module(f".{module}", package).__all__])


@cache
def _listed(path: str) -> str | None:
    """The names between the brackets, with their quotes; None if they are computed, or there is no text to read."""
    try:
        with open(path, "rb") as file:
            found = _LIST.search(file.read(_BYTES_OF_HEAD).decode(errors="replace"))
    except OSError:
        return None
    return found[1] if found and "*" not in found[1] else None
