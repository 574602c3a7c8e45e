"""Modules of this package under JAX's names.

`jax.numpy` is a module of its own that has the names of `adjoint.numpy`. What a program replaces in it is replaced
for those who read `jax.numpy`, and not for functions of this library, which read their own modules: as in JAX,
`jax.nn.relu` does not call what stands in `jax.numpy.maximum`. Libraries that convert programs replace functions
while they trace.

Tests: `tests/compat/test_running.py`.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["PresentedModule"]

_PACKAGE = __package__.partition(".")[0]
_KEPT = ("__name__", "__doc__", "__package__", "__path__", "__file__", "__loader__", "__spec__")


class PresentedModule(ModuleType):
    """A module that has the names of another one, which are found there when they are first used."""

    def __init__(self, module: ModuleType):
        super().__init__(module.__name__)
        vars(self).update({name: value for name, value in vars(module).items() if name in _KEPT})
        vars(self)["_module"] = module

    def __getattr__(self, name: str) -> Any:
        module = vars(self)["_module"]
        value = getattr(module, name)
        if isinstance(value, ModuleType):
            value = _presented(value)
        if name in vars(module) and not name.startswith("__"):
            setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*dir(vars(self)["_module"]), *(name for name in vars(self) if name != "_module")})


def _presented(module: ModuleType) -> ModuleType:
    """Return a module of this package as `jax` has it; any other as it is."""
    own = getattr(module.__spec__, "name", "")
    return import_module("jax" + own.removeprefix(_PACKAGE)) if own.startswith(f"{_PACKAGE}.") else module
