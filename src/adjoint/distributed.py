"""Several processes as one program: `jax.distributed`.

Tests: `tests/parallel/test_processes.py`.
"""

from .parallel.distributed import initialize, is_initialized, shutdown

__all__ = ["initialize", "is_initialized", "shutdown"]
