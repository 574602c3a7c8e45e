"""The engines, and the choice between them.

An engine turns a closed jaxpr into an executable: a callable on buffers. `numpy` evaluates equation by
equation; `native` compiles whole programs with LLVM; `xla` compiles with jaxlib. The option `cpu_engine`
chooses.
"""

from __future__ import annotations

from ..core.config import local
from ..core.jaxpr import ClosedJaxpr
from .numpy import program

__all__ = ["compiled"]


def compiled(closed: ClosedJaxpr):
    """The executable of a program on the engine of the default device; made once."""
    if local.cpu_engine == "xla":
        from .xla.engine import executable

        return executable(closed)
    if local.cpu_engine == "native":
        from .native.engine import executable

        return executable(closed)
    return program(closed)
