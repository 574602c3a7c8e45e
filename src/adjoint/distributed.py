"""Several processes as one program: `jax.distributed`.

Tests: `tests/parallel/test_processes.py`.
"""

from .core.messages.boundaries import explain_missing as _explain_missing
from .parallel.distributed import initialize, is_initialized, shutdown

__all__ = ["initialize", "is_initialized", "shutdown"]

_explain_missing(globals())
