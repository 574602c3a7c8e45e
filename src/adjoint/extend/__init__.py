"""The packages that libraries build on: `adjoint.extend.core`, `linear_util`, `backend`, `random`, `mlir`, ...

The names of `jax.extend`. Programs that only use transformations need none of it.
"""

from importlib import import_module as _import_module

from ..core.messages.errors import no_attribute as _no_attribute

_MODULES = ("backend", "core", "ifrt_programs", "linear_util", "mlir", "random", "source_info_util")


def __getattr__(name: str):
    if name in _MODULES:
        return _import_module("." + name, __name__)
    raise _no_attribute(__name__, name, _MODULES)


def __dir__() -> list[str]:
    return sorted(_MODULES)
