# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from typing import Any
class RegularGridInterpolator:
    """A function that interpolates values on a rectangular grid.

    Args:
      points: n vectors, increasing: where the grid is.
      values: array whose first n axes are those of the grid.
      method: "linear" or "nearest".
      bounds_error: must be False.
      fill_value: the value outside of the grid; None to extrapolate.
    Raises:
      ValueError: there is no such method, or more vectors than axes.
      NotImplementedError: `bounds_error`.

    It is a tree of the vectors, the values and `fill_value`.

    >>> f = RegularGridInterpolator((jnp.array([0., 1.]),), jnp.array([0., 10.]))
    >>> f(jnp.array([[0.25]]))
    Array([2.5], dtype=float32)
    """
    def __init__(self, points: Any, values: ArrayLike, method: str | None = 'linear', bounds_error: bool = False, fill_value: ArrayLike = ...) -> None: ...
    def __call__(self, xi: ArrayLike, method: str | None = None) -> Array: ...
