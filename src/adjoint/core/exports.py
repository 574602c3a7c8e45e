"""Which module of a package offers a name: read from the heads of their texts, so that no other one is imported."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from types import ModuleType

__all__ = ["module_with"]

_LIST = re.compile(r"^__all__ = \[([^]]*)\]", re.MULTILINE)
_HEAD = 8192  # bytes in which a list stands that is written out


def module_with(name: str, package: str, folder: str, modules: tuple[str, ...]) -> ModuleType | None:
    """The first of the modules that has the name in its `__all__`."""
    for module in modules:
        names = _listed(f"{folder}/{module}.py")
        if names is None or f'"{name}"' in names:
            found = import_module(f".{module}", package)
            if name in found.__all__:
                return found
    return None


@cache
def _listed(path: str) -> str | None:
    """The names between the brackets, with their quotes; None if they are computed, or there is no text to read."""
    try:
        with open(path, "rb") as file:
            found = _LIST.search(file.read(_HEAD).decode(errors="replace"))
    except OSError:
        return None
    return found[1] if found and "*" not in found[1] else None
