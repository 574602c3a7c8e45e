"""The tables of rules, by transformation, as JAX's libraries register them.

`ad`, `batching`, `mlir` and `partial_eval` hold no rules: their tables are views of the rules that stand on
each primitive (`core/primitive.py`), so a rule set here is the primitive's own. Start with `tables.py`.
"""

from importlib import import_module as _import_module

from ..core.messages.errors import no_attribute as _no_attribute

_MODULES = ("ad", "batching", "mlir", "partial_eval", "pxla", "xla")


def __getattr__(name: str):
    if name in _MODULES:
        return _import_module("." + name, __name__)
    raise _no_attribute(__name__, name, _MODULES)


def __dir__() -> list[str]:
    return sorted(_MODULES)
