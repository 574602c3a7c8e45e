"""What the distributions share: promotion of their arguments."""

from __future__ import annotations

from ... import numpy as jnp
from ...numpy.promotion import promote_inexact


def floats(name: str, *args) -> list:
    """Arguments as arrays of one float dtype."""
    return [jnp.asarray(x) for x in promote_inexact(name, *args)]
