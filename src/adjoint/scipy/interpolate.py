"""`adjoint.scipy.interpolate`: interpolation on a rectangular grid.

Tests: `tests/scipy/test_signals.py`.
"""

from __future__ import annotations

from functools import reduce
from itertools import product

from .. import numpy as jnp
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.tree.registry import register_pytree_node
from ..core.types import Array
from ..numpy.promotion import check_arraylike, promote_inexact

__all__ = ["RegularGridInterpolator"]


def _coordinates(points, ndim: int):
    """Return the coordinates in a last axis, of an array or of a tuple of arrays for the axes."""
    if isinstance(points, tuple) and len(points) == 1:
        points = points[0]
    if isinstance(points, tuple):
        return jnp.stack(jnp.broadcast_arrays(*map(jnp.asarray, points)), axis=-1)
    points = jnp.asarray(points)
    if points.ndim == 1:
        return points.reshape(-1, 1) if ndim == 1 else points.reshape(-1, ndim)
    return points


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

    def __init__(self, points, values, method="linear", bounds_error=False, fill_value=jnp.nan):
        self._check_method(method)
        self.method, self.bounds_error = method, bounds_error
        if self.bounds_error:
            raise NotImplementedError("`bounds_error` takes no effect under JIT")
        check_arraylike("RegularGridInterpolator", values)
        if len(points) > values.ndim:
            raise ValueError(
                message(
                    f"there are {len(points)} point arrays, but values has {values.ndim} dimensions",
                    fix="a tuple of points for each axis of values: (x, y)",
                )
            )
        (values,) = promote_inexact("RegularGridInterpolator", values)
        values = jnp.asarray(values)
        if fill_value is not None:
            check_arraylike("RegularGridInterpolator", fill_value)
            fill_value = jnp.asarray(fill_value)
            if not jnp.can_cast(fill_value.dtype, values.dtype, casting="same_kind"):
                raise ValueError("fill_value must be either 'None' or of a type compatible with values")
        check_arraylike("RegularGridInterpolator", *points)
        self.fill_value, self.values = fill_value, values
        self.grid = tuple(jnp.asarray(p) for p in points)

    @staticmethod
    def _check_method(method) -> None:
        if method not in ("linear", "nearest"):
            raise ValueError(message(f"method {method!r} is not defined", fix='method="linear"'))

    def __call__(self, xi, method=None) -> Array:
        """Return the values at points.

        Args:
          xi: `[..., n]`, or a tuple of n arrays that broadcast.
          method: instead of that of the object.
        Raises:
          ValueError: there is no such method, or points have another number of coordinates.
        """
        method = self.method if method is None else method
        self._check_method(method)
        ndim = len(self.grid)
        xi = _coordinates(xi, ndim)
        if xi.shape[-1] != ndim:
            raise ValueError(
                f"the requested sample points xi have dimension {xi.shape[-1]}, but this "
                f"RegularGridInterpolator has dimension {ndim}"
            )
        points = xi.reshape(-1, ndim)
        places, parts, outside = [], [], jnp.zeros(len(points), bool)
        for i, axis in enumerate(self.grid):
            x = points[:, i]
            place = jnp.clip(jnp.searchsorted(axis, x, side="left") - 1, 0, axis.size - 2)
            places.append(place)
            parts.append((x - axis[place]) / (axis[place + 1] - axis[place]))
            outside = outside | (x < axis[0]) | (x > axis[-1])
        value = (self._linear if method == "linear" else self._nearest)(places, parts)
        if self.fill_value is not None:
            outside = outside.reshape(-1, *(1,) * (self.values.ndim - ndim))
            value = jnp.where(outside, self.fill_value, value)
        return value.reshape(*xi.shape[:-1], *self.values.shape[ndim:])

    def _nearest(self, places, parts) -> Array:
        return self.values[tuple(jnp.where(part <= 0.5, i, i + 1) for i, part in zip(places, parts))]

    def _linear(self, places, parts) -> Array:
        rest = (1,) * (self.values.ndim - len(self.grid))
        terms = []
        for corner in product((0, 1), repeat=len(places)):
            weights = [part if up else 1 - part for up, part in zip(corner, parts)]
            weight = reduce(lambda a, b: a * b, weights).reshape(-1, *rest)
            terms.append(self.values[tuple(i + up for up, i in zip(corner, places))] * weight)
        return reduce(lambda a, b: a + b, terms)


def _take_apart(f: RegularGridInterpolator) -> tuple[tuple, tuple]:
    return (f.grid, f.values, f.fill_value), (f.method, f.bounds_error)


def _build(data: tuple, children: tuple) -> RegularGridInterpolator:
    f = object.__new__(RegularGridInterpolator)
    f.method, f.bounds_error = data
    f.grid, f.values, f.fill_value = children
    return f


register_pytree_node(RegularGridInterpolator, _take_apart, _build)
public(globals())
