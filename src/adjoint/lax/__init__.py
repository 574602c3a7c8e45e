"""`adjoint.lax`: the operations under `adjoint.numpy`, without promotion, and control flow.

A name is found when it is first used, in the first of the modules below that lists it, so that the import costs
nothing. `add_p`, `sin_p` and so on are the primitives themselves.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..core.messages.boundaries import guarded
from ..core.messages.errors import no_attribute as _no_attribute
from ..core.names.exports import MISSING, find, names_of
from ..core.primitive import primitives as _known
from ..engines.numpy import eval_trace as eval_trace  # what evaluates an operation on arrays

if TYPE_CHECKING:
    from . import linalg as linalg
    from .conversion import *
    from .flow.associative import *
    from .flow.branches import *
    from .flow.collectives import *
    from .flow.loops import *
    from .flow.staging import *
    from .formulas import *
    from .generators import *
    from .linear.convolutions import *
    from .linear.fourier import *
    from .linear.products import *
    from .linear.solves import *
    from .linear.windows import *
    from .operators import *
    from .precision import *
    from .reductions import *
    from .shape import *
    from .slicing import *
    from .sorting import *

_MODULES = (
    "operators", "conversion", "shape", "slicing", "reductions", "precision", "linear.products", "sorting",
    "flow.collectives", "flow.loops", "flow.branches", "flow.associative", "linear.solves", "linear.windows",
    "linear.convolutions", "linear.fourier", "flow.staging", "generators", "formulas",
)
_SUBMODULES = frozenset(("linalg",))
_RENAMED = {"custom_linear_solve": "linear_solve"}  # primitives that have another name here


@guarded
def __getattr__(name: str):
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    if name == "__all__":  # of `import *`
        return __dir__()
    if name.endswith("_p"):
        found = _primitives(name).get(name)
        if found is not None:
            globals()[name] = found
            return found
    elif not name.startswith("_"):
        value = find(name, globals(), _MODULES)
        if value is not MISSING:
            return value
    raise _no_attribute(__name__, name, __dir__())


def __dir__() -> list[str]:
    return sorted([*names_of(__name__, _MODULES), *_primitives(""), *_SUBMODULES])


def _primitives(wanted: str) -> dict:
    """Primitives by their names here, imported unless the one that is wanted is known."""

    def known():
        return {_RENAMED.get(n, n.replace("-", "_")) + "_p": p for n, p in _known.items()}

    if wanted not in known():
        all_primitives()
    return known()


def all_primitives() -> dict:
    """Return every primitive of the library by its name, all modules imported."""
    from pkgutil import walk_packages

    for folder in ("prims", "control_flow"):
        package = import_module(f"..{folder}", __name__)
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    return _known
