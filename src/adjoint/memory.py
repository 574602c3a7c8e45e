"""Memories of devices: `jax.memory`.

Tests: `tests/parallel/test_places.py`.
"""

from .sharding.device import MemorySpace as Space

__all__ = ["Space"]
