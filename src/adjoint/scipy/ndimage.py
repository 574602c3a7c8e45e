"""`adjoint.scipy.ndimage`: values of an array between its elements.

Tests: `tests/scipy/test_signals.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..numpy.promotion import check_arraylike

__all__ = ["map_coordinates"]


def _mirrored(i, size: int):
    """Reflected at the centres of the first and last elements."""
    period = 2 * (size - 1)
    return jnp.where(size > 1, jnp.abs((i + size - 1) % max(period, 1) - (size - 1)), 0)


_PLACES = {
    "constant": lambda i, size: i,
    "nearest": lambda i, size: jnp.clip(i, 0, size - 1),
    "wrap": lambda i, size: i % size,
    "mirror": _mirrored,
    # Reflected at the edges of the elements: the mirror image of an array of twice the length.
    "reflect": lambda i, size: jnp.floor_divide(_mirrored(2 * i + 1, 2 * size + 1), 2),
}


def _rounded(x):
    """Return the nearest whole number, of two the one that is farther from zero, as in SciPy."""
    return lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO) if dtypes.issubdtype(x.dtype, np.floating) else x


def _corners(x, order: int):
    """Return (place, weight) of the elements that a coordinate takes its value from."""
    integer = dtypes.int32
    if order == 0:
        return [(lax.convert_element_type(_rounded(x), integer), None)]
    low = jnp.floor(x)
    part = x - low
    place = lax.convert_element_type(low, integer)
    return [(place, 1 - part), (place + 1, part)]


def map_coordinates(input, coordinates: Sequence, order: int, mode: str = "constant", cval=0.0) -> Array:
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
    check_arraylike("map_coordinates", cval)
    input, cval = jnp.asarray(input), jnp.asarray(cval)
    coordinates = [jnp.asarray(c) for c in coordinates]
    if len(coordinates) != input.ndim:
        raise ValueError(message(
            f"coordinates must be a sequence of length input.ndim, but {len(coordinates)} != {input.ndim}",
            fix="map_coordinates(image, jnp.stack([rows, columns]), order=1)",
        ))
    if mode not in _PLACES:
        raise NotImplementedError(message(
            f"jax.scipy.ndimage.map_coordinates does not yet support mode {mode}. Currently supported modes are "
            f"{set(_PLACES)}.", fix='mode="nearest"',
        ))
    if order not in (0, 1):
        raise NotImplementedError(message(
            "jax.scipy.ndimage.map_coordinates currently requires order<=1", fix="order=1"
        ))
    cval = cval.astype(input.dtype)
    inside_ = lambda i, size: (i >= 0) & (i < size)
    terms = []
    for corner in product(*(_corners(c, order) for c in coordinates)):
        places = [_PLACES[mode](i, size) for (i, _), size in zip(corner, input.shape)]
        value = input[tuple(places)]
        if mode == "constant":
            inside = reduce(lambda a, b: a & b, map(inside_, places, input.shape))
            value = jnp.where(inside, value, cval)
        weights = [w for _, w in corner if w is not None]
        terms.append(value * reduce(lambda a, b: a * b, weights) if weights else value)
    out = reduce(lambda a, b: a + b, terms)
    if dtypes.issubdtype(input.dtype, np.integer) and dtypes.issubdtype(out.dtype, np.floating):
        out = _rounded(out)
    return out.astype(input.dtype)

public(globals())
