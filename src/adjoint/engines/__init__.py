"""The engines, and the choice between them.

An engine turns a closed jaxpr into an executable: a callable on buffers. There is one so far, `numpy`,
which evaluates equation by equation; `native` and `xla` take their places here.
"""

from __future__ import annotations

from ..core.jaxpr import ClosedJaxpr
from .numpy import program

__all__ = ["compiled"]


def compiled(closed: ClosedJaxpr):
    """The executable of a program on the engine of the default device; made once."""
    return program(closed)
