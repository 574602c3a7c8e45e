"""Primitives under the names that JAX gives them here: `sin_p`, `scan_p`, `jit_p`."""

from __future__ import annotations

from importlib import import_module

from ...compat.extension import call_p, closed_call_p
from ...core.messages.errors import no_attribute as _no_attribute
from ...core.primitive import Primitive
from ...core.primitive import primitives as _known
from ...lax import all_primitives

# Names that are not the primitive's own with `_p`.
_RENAMED = {
    "add_jaxvals_p": "add_any", "linear_solve_p": "custom_linear_solve", "remat_p": "remat2",
    "scatter_add_p": "scatter-add", "scatter_max_p": "scatter-max", "scatter_min_p": "scatter-min",
    "scatter_mul_p": "scatter-mul",
}
_CALLS: dict[str, Primitive] = {"call_p": call_p, "closed_call_p": closed_call_p}
_TRANSFORMS = ("custom.custom_jvp", "custom.custom_vjp", "jit.jit", "custom.remat")


def _all() -> dict[str, Primitive]:
    for name in _TRANSFORMS:
        import_module(f"...transforms.{name}", __package__)
    found = all_primitives()
    theirs = {own: name for name, own in _RENAMED.items()}
    return _CALLS | {theirs.get(n, n.replace("-", "_") + "_p"): p for n, p in found.items()}


def __getattr__(name: str) -> Primitive:
    if name.endswith("_p"):
        own = _RENAMED.get(name, name[:-2])
        found = _known.get(own) or _all().get(name)
        if found is not None:
            return found
    raise _no_attribute(__name__, name, __dir__())


def __dir__() -> list[str]:
    return sorted(_all())
