# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from typing import Any
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
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
