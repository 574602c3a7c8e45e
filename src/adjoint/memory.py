"""Memories of devices: `jax.memory`."""

from .array.device import MemorySpace as Space

__all__ = ["Space"]
