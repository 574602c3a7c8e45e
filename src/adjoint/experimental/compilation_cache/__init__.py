"""The names of `jax.experimental.compilation_cache`."""

from . import compilation_cache

__all__ = ["compilation_cache"]
