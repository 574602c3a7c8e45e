"""`adjoint.scipy`: functions of SciPy on arrays that can be transformed.

Submodules are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..core.messages.errors import no_attribute as _no_attribute

if TYPE_CHECKING:
    from . import cluster as cluster
    from . import fft as fft
    from . import integrate as integrate
    from . import interpolate as interpolate
    from . import linalg as linalg
    from . import ndimage as ndimage
    from . import optimize as optimize
    from . import signal as signal
    from . import sparse as sparse
    from . import spatial as spatial
    from . import special as special
    from . import stats as stats

_SUBMODULES = frozenset(
    "cluster fft integrate interpolate linalg ndimage optimize signal sparse spatial special stats".split()
)


def __getattr__(name: str):
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    raise _no_attribute(__name__, name, _SUBMODULES)


def __dir__() -> list[str]:
    return sorted(_SUBMODULES)
