"""Packages whose modules are imported when they are asked for: `jax._src.lazy_loader`.

Tests: `tests/compat/test_lowered.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

__all__ = ["attach"]


def attach(
    package_name: str, submodules: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package that imports its modules when they are asked for.

    Args:
      package_name: the `__name__` of the package.
      submodules: the names of the modules in it.
    """
    names = list(submodules)

    def __getattr__(name: str) -> Any:
        if name in names:
            return import_module(f"{package_name}.{name}")
        raise AttributeError(f"module '{package_name}' has no attribute '{name}'")

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[package_name]), *names})

    return __getattr__, __dir__, names
