# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
from typing import Any
def map_coordinates(input: ArrayLike, coordinates: Sequence[Any], order: int, mode: str = 'constant', cval: ArrayLike = 0.0) -> Array:
    """Interpolate an array at coordinates, which count elements and may be fractions.

    Args:
      input: array of n axes.
      coordinates: n arrays, which broadcast.
      order: 0, the nearest element, or 1, linear.
      mode: what is outside: "constant" (`cval`), "nearest", "mirror" (at the centres of the outermost elements),
        "reflect" (at their edges) or "wrap".
      cval: for "constant".
    Returns:
      An array of the shape of the coordinates and the dtype of `input`; integers are rounded.
    Raises:
      ValueError: not one coordinate for each axis.
      NotImplementedError: another order or mode.

    >>> map_coordinates(jnp.array([0., 10.]), [jnp.array([0.25])], order=1)
    Array([2.5], dtype=float32)
    """
