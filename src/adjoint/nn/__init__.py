"""Functions for neural networks: activations, normalisation, attention, and `initializers`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..core.messages.boundaries import guarded
from ..core.messages.errors import no_attribute as _no_attribute
from ..core.names.exports import MISSING, find, names_of

if TYPE_CHECKING:
    from . import initializers as initializers
    from .activations import *
    from .functions import *
    from .scaled import *

_MODULES = ("activations", "functions", "scaled")


@guarded
def __getattr__(name: str):
    if name == "initializers":
        return import_module(".initializers", __name__)
    if name == "__all__":  # of `import *`
        return __dir__()
    if not name.startswith("_"):
        value = find(name, globals(), _MODULES)
        if value is not MISSING:
            return value
    raise _no_attribute(__name__, name, __dir__())


def __dir__() -> list[str]:
    return sorted([*names_of(__name__, _MODULES), "initializers"])
