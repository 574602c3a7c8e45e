"""The names that JAX keeps under `jax.experimental`. Modules are imported when they are first used."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from ..control_flow.callbacks import io_callback
from ..core.messages.boundaries import public
from ..core.messages.errors import no_attribute

__all__ = ["cur_qdd", "io_callback"]

public(globals())

_MODULES = frozenset([module.name for module in pkgutil.iter_modules(__path__)])


def __getattr__(name: str):
    if name == "cur_qdd":
        return import_module(".hijax.types", __name__).cur_qdd
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise no_attribute(__name__, name, [*__all__, *_MODULES])


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
