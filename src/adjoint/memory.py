"""Memories of devices: `jax.memory`.

Tests: `tests/parallel/test_places.py`.
"""

from .core.messages.boundaries import explain_missing as _explain_missing
from .sharding.device import MemorySpace as Space

__all__ = ["Space"]

_explain_missing(globals())
