"""`adjoint.lax`: the operations under `adjoint.numpy`, without promotion, and control flow.

A name is found when it is first used, in the modules below in their order, so that the import costs
nothing. `add_p`, `sin_p` and so on are the primitives themselves.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ..engines.numpy import eval_trace as eval_trace  # what evaluates an operation on arrays

if TYPE_CHECKING:
    from .associative import *
    from .branches import *
    from .control_flow import *
    from .conversion import *
    from .operators import *
    from .parallel import *
    from .precision import *
    from .products import *
    from .reductions import *
    from .shape import *
    from .slicing import *
    from .solves import *
    from .sorting import *

_MODULES = (
    "operators", "conversion", "shape", "slicing", "reductions", "precision", "products", "sorting",
    "parallel", "control_flow", "branches", "associative", "solves",
)
_RENAMED = {"linear_solve_p": "custom_linear_solve"}  # primitives whose name is another


def __getattr__(name: str):
    if name.endswith("_p"):
        found = _primitive(_RENAMED.get(name, name[:-2]))
        if found is not None:
            globals()[name] = found
            return found
    elif name.startswith("_"):
        raise AttributeError(f"module 'adjoint.lax' has no attribute {name!r}")
    else:
        for module in _MODULES:
            names = import_module(f".{module}", __name__)
            if name in names.__all__:
                value = globals()[name] = getattr(names, name)
                return value
    raise AttributeError(_absent(name))


def __dir__() -> list[str]:
    from ..core.primitive import primitives

    _primitive("")
    names = [n for module in _MODULES for n in import_module(f".{module}", __name__).__all__]
    renamed = {old: new for new, old in _RENAMED.items()}
    return sorted([*names, *[renamed.get(n, f"{n}_p") for n in primitives]])


def _primitive(name: str):
    """The primitive of that name; all of them are imported if it is not there yet."""
    from ..core.primitive import primitives

    if name not in primitives:
        for folder in ("prims", "control_flow"):
            package = import_module(f"..{folder}", __name__)
            for module in iter_modules(package.__path__):
                import_module(f"..{folder}.{module.name}", __name__)
    return primitives.get(name)


def _absent(name: str) -> str:
    from ..core.errors import did_you_mean

    return f"module 'adjoint.lax' has no attribute {name!r}.{did_you_mean(name, __dir__())}"
