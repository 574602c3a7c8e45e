"""`adjoint.numpy`: NumPy's functions on arrays that can be transformed.

A name is found when it is first used, in the first of the modules below that lists it, so that the import costs
little more than NumPy's.
"""

from __future__ import annotations

from importlib import import_module
from os.path import dirname, exists
from typing import TYPE_CHECKING

from ..core.messages.boundaries import guarded
from ..core.names.exports import MISSING, find, names_of

if TYPE_CHECKING:
    from . import fft as fft
    from . import linalg as linalg
    from .contractions import *
    from .convolutions import *
    from .covariances import *
    from .creation import *
    from .diagonals import *
    from .differences import *
    from .files import *
    from .histograms import *
    from .index_tricks import *
    from .indexing import *
    from .insertion import *
    from .integers import *
    from .joining import *
    from .missing import *
    from .moments import *
    from .padding import *
    from .placement import *
    from .polynomials import *
    from .products import *
    from .quantiles import *
    from .reductions import *
    from .repetition import *
    from .rotations import *
    from .running import *
    from .scalars import *
    from .searching import *
    from .sets import *
    from .shapes import *
    from .sorting import *
    from .ufuncs import *
    from .universal import *
    from .vectorization import *
    from .windows import *

_MODULES = (
    "scalars", "creation", "ufuncs", "shapes", "reductions", "moments", "running", "missing",
    "products", "contractions", "joining", "indexing", "rotations", "repetition", "diagonals",
    "sorting", "searching", "sets", "differences", "histograms", "quantiles", "padding",
    "insertion", "integers", "convolutions", "vectorization", "windows", "covariances", "index_tricks", "placement",
    "polynomials", "files", "universal",
)
_SUBMODULES = frozenset(("fft", "linalg"))
__array_api_version__ = "2024.12"
# Where people look for functions that live in another module.
_ELSEWHERE = ("nn", "lax", "random")


def __array_namespace_info__():
    """Return what the array API standard asks to know of a library."""
    from .standard import ArrayNamespaceInfo

    return ArrayNamespaceInfo()


@guarded
def __getattr__(name: str):
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    if name == "__all__":  # of `import *`
        return __dir__()
    # `from . import x` asks here first for a module of ours.
    if not name.startswith("__") and not exists(f"{dirname(__file__)}/{name}.py"):
        value = find(name, globals(), _MODULES)
        if value is not MISSING:
            return value
    raise AttributeError(_absent(name), name=name)  # with a name and no object, Python adds no guess of its own


def _absent(name: str) -> str:
    from ..core.messages.errors import did_you_mean, presented

    text = f"module '{presented(__name__)}' has no attribute {name!r}"
    if name.startswith("_") or exists(f"{dirname(__file__)}/{name}.py"):
        return text
    package = __name__.partition(".")[0]
    for module in _ELSEWHERE:
        if name in dir(import_module(f"{package}.{module}")):
            return f"{text}\n  Try: {presented(package)}.{module}.{name}"
    hint = did_you_mean(name, __dir__())
    return text + (hint and "." + hint)


def __dir__() -> list[str]:
    return sorted({*names_of(__name__, _MODULES), *_SUBMODULES})
