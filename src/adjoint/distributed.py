"""Several processes as one program: `jax.distributed`."""

from .parallel.distributed import initialize, is_initialized, shutdown

__all__ = ["initialize", "is_initialized", "shutdown"]
