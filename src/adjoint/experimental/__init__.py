"""What JAX keeps under `jax.experimental`."""

from ..control_flow.callbacks import io_callback
from ..core.messages.boundaries import public

__all__ = ["io_callback"]

public(globals())
