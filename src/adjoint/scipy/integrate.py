"""`adjoint.scipy.integrate`: the trapezoidal rule.

Tests: `tests/scipy/test_signals.py`.
"""

from __future__ import annotations

from typing import Any

from .. import numpy as jnp
from ..core.messages.boundaries import public
from ..core.types import Array
from ..transforms.jit.jit import lowerable

__all__ = ["trapezoid"]


@lowerable(static_argnames=("axis",))
def trapezoid(y, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Array:
    """Return the integral of samples over an axis, by the trapezoidal rule, as `jnp.trapezoid` does.

    Args:
      y: array.
      x: where the samples are; default `dx` apart.
      dx: the distance of samples.
      axis: which one.
    Returns:
      Floats, in an array without the axis.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      TypeError: `y` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> trapezoid(jnp.array([0., 1., 2.]))
    Array(2., dtype=float32)
    """
    return jnp.trapezoid(y, x, dx, axis)

public(globals())
