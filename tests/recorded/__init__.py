"""JAX, as the tests ask it: `from tests.recorded import jax`."""

from .session import session

__all__ = ["jax"]

jax = session.jax
