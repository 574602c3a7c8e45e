"""`adjoint.numpy`: NumPy's functions on arrays that can be transformed.

A name is found when it is first used, in the first of the modules below that lists it, so that the import costs
little more than NumPy's.
"""

from __future__ import annotations

from importlib import import_module as _import_module

from ..core.names.exports import offered as _offered

_MODULES = (
    "scalars", "creation", "ufuncs", "shapes", "reductions", "moments", "running", "missing",
    "products", "contractions", "joining", "indexing", "rotations", "repetition", "diagonals",
    "sorting", "searching", "sets", "differences", "histograms", "quantiles", "padding",
    "insertion", "integers", "convolutions", "vectorization", "windows", "covariances", "index_tricks", "placement",
    "polynomials", "files", "universal",
)
__array_api_version__ = "2024.12"
# Where people look for functions that live in another module.
_ELSEWHERE = ("nn", "lax", "random")


def __array_namespace_info__():
    """Return what the array API standard asks to know of a library."""
    from .standard import ArrayNamespaceInfo

    return ArrayNamespaceInfo()


def _absent(package: str, name: str, names: list[str]) -> AttributeError:
    from ..core.messages.errors import no_attribute, presented

    top = package.partition(".")[0]
    for module in () if name.startswith("_") else _ELSEWHERE:
        if name in dir(_import_module(f"{top}.{module}")):
            text = f"module '{presented(package)}' has no attribute {name!r}"
            return AttributeError(f"{text}\n  Try: {presented(top)}.{module}.{name}", name=name)
    return no_attribute(package, name, names)


__getattr__, __dir__ = _offered(globals(), modules="fft linalg", listed=_MODULES, absent=_absent)
