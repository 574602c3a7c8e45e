"""`adjoint.lax`: the operations under `adjoint.numpy`, without promotion, and control flow.

A name is found when it is first used, in the first of the modules below that lists it, so that the import costs
nothing. `add_p`, `sin_p` and so on are the primitives themselves.
"""

from __future__ import annotations

from importlib import import_module

from ..core.names.exports import MISSING as _MISSING
from ..core.names.exports import offered as _offered
from ..core.primitive import primitives as _known
from ..engines.numpy import eval_trace as eval_trace  # what evaluates an operation on arrays

_MODULES = (
    "conversion", "shape", "slicing", "reductions", "precision", "linear.products", "sorting",
    "flow.collectives", "flow.loops", "flow.branches", "flow.associative", "linear.solves", "linear.windows",
    "linear.convolutions", "linear.fourier", "flow.staging", "generators", "formulas",
    "operators",  # the last, since it computes its names: to look for any other name it need not be imported
)
_RENAMED = {"custom_linear_solve": "linear_solve"}  # primitives that have another name here


def _primitive(name: str):
    return _primitives(name).get(name, _MISSING) if name.endswith("_p") else _MISSING


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


__getattr__, __dir__ = _offered(
    globals(), modules="linalg", listed=_MODULES, computed=_primitive, also=lambda: _primitives("")
)
