"""JAX, as the tests ask it: `from tests.recorded import jax`."""

from __future__ import annotations

import functools
import importlib
from types import ModuleType

from .session import session as _session

__all__ = ["jax", "module_of"]

jax = _session.jax


def module_of(root: ModuleType, name: str) -> ModuleType:
    """Return a module of JAX or of adjoint, by its name there: `extend.core`."""
    if root is jax:
        return functools.reduce(getattr, name.split("."), root)
    return importlib.import_module(f"{root.__name__}.{name}")
