"""Deprecations, and which of them are errors already: `jax._src.deprecations`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

__all__ = ["accelerate", "deprecation_getattr", "is_accelerated", "register", "unregister", "warn"]

_registered: dict[str, SimpleNamespace] = {}


def register(deprecation_id: str) -> None:
    """Know of a deprecation from now on."""
    _registered.setdefault(deprecation_id, SimpleNamespace(accelerated=False))


def unregister(deprecation_id: str) -> None:
    """Forget a deprecation."""
    _known(deprecation_id)
    del _registered[deprecation_id]


def accelerate(deprecation_id: str) -> None:
    """Let a deprecation be an error from now on."""
    _known(deprecation_id).accelerated = True


def is_accelerated(deprecation_id: str) -> bool:
    """Return whether a deprecation is an error."""
    return _known(deprecation_id).accelerated


def warn(deprecation_id: str, message: str, stacklevel: int) -> None:
    """Warn of something that is deprecated; ValueError where it is an error already."""
    if is_accelerated(deprecation_id):
        raise ValueError(message)
    warnings.warn(message, category=DeprecationWarning, stacklevel=stacklevel + 1)


def deprecation_getattr(module: str, deprecations: dict[str, tuple[str, Any]]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` that warns of deprecated names.

    Args:
      module: the name of the module.
      deprecations: by name, a message and what the name is, or None where it is gone.
    """
    def of_module(name: str) -> Any:
        if name not in deprecations:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        message, value = deprecations[name]
        if value is None:
            raise AttributeError(message)
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return value

    return of_module


def _known(deprecation_id: str) -> SimpleNamespace:
    if deprecation_id not in _registered:
        raise ValueError(f"{deprecation_id=} not registered.")
    return _registered[deprecation_id]
