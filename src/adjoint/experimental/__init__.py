"""What JAX keeps under `jax.experimental`."""

from ..control_flow.callbacks import io_callback

__all__ = ["io_callback"]
