"""Associated Legendre functions of all degrees and orders up to a largest one, by recurrence over the degree.

Tests: `tests/scipy/test_special.py`.
"""

from __future__ import annotations

from math import factorial, pi, sqrt

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.types import Array
from ..numpy.promotion import dtype_of
from ..transforms.jit.replay import replayed

__all__ = ["harmonics", "lpmn", "lpmn_values"]


def lpmn_values(m: int, n: int, z: Array, is_normalized: bool) -> Array:
    """The associated Legendre functions of the first kind.

    Args:
      m, n: the largest order and degree, equal.
      z: float ``[k]`` in -1 ... 1.
      is_normalized: multiply by the factor that makes spherical harmonics orthonormal.
    Returns:
      ``[n + 1, n + 1, k]``: by order, by degree, at each point; with the sign ``(-1)**m``.
    Raises:
      TypeError: z is neither float32 nor float64. ValueError: z has not one axis.
      NotImplementedError: m is not n.

    >>> lpmn_values(1, 1, jnp.array([0.5]), False)[0, :, 0]
    Array([1. , 0.5], dtype=float32)
    """
    _check(m, n, z)
    return _values(n, jnp.asarray(z), is_normalized)


def lpmn(m: int, n: int, z: Array) -> tuple[Array, Array]:
    """The associated Legendre functions of the first kind, and their derivatives; see `lpmn_values`.

    Args:
      m, n: the greatest order and the greatest degree, which are equal.
      z: where, `[k]`.
    Returns:
      Values and derivatives, two arrays `[m + 1, n + 1, k]`.
    Raises:
      NotImplementedError: `m` and `n` differ.

    >>> lpmn(1, 1, jnp.array([0.5]))[1][0, :, 0]
    Array([0., 1.], dtype=float32)
    """
    _check(m, n, z)
    z = jnp.asarray(z)
    return _values(n, z, False), _slopes(n, z)


def _check(m, n, z):
    dtype = dtype_of(z)
    if dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(f"z.dtype={dtype.name} is not supported, see docstring for supported types.")
    if np.ndim(z) != 1:
        raise ValueError("z must be a 1D array.")
    if m != n:
        raise NotImplementedError("Computations for m!=n are not yet supported.")


def _values(n, z, normalized):
    s = jnp.sqrt(1 - z * z)
    rows, diagonal = [], jnp.ones_like(z)
    for m in range(n + 1):
        row = [jnp.zeros_like(z)] * m
        below, current = jnp.zeros_like(z), diagonal
        for k in range(m, n + 1):
            factor = sqrt((2 * k + 1) * factorial(k - m) / (4 * pi * factorial(k + m))) if normalized else 1.0
            row.append(current * factor)
            below, current = current, ((2 * k + 1) * z * current - (k + m) * below) / (k - m + 1)
        rows.append(jnp.stack(row))
        diagonal = -(2 * m + 1) * s * diagonal
    return jnp.stack(rows)


def _slopes(n, z):
    """Return the derivative of the same recurrence; it starts with that of a power of s = sqrt(1 - z^2)."""
    s = jnp.sqrt(1 - z * z)
    rows, factor = [], 1.0
    for m in range(n + 1):
        row = [jnp.zeros_like(z)] * m
        below, current = jnp.zeros_like(z), factor * s**m
        low, slope = jnp.zeros_like(z), (-m * factor) * z * s ** (m - 2) if m else jnp.zeros_like(z)
        for k in range(m, n + 1):
            row.append(slope)
            up, back, scale = 2 * k + 1, k + m, k - m + 1
            low, slope = slope, (up * (current + z * slope) - back * low) / scale
            below, current = current, (up * z * current - back * below) / scale
        rows.append(jnp.stack(row))
        factor *= -(2 * m + 1)
    return jnp.stack(rows)


@replayed(arrays=4)
def harmonics(n, m, theta: Array, phi: Array, n_max: int) -> Array:
    """Return spherical harmonics of degree n, at most n_max, and order m."""
    n, order = jnp.minimum(n, n_max), jnp.abs(m)
    x, s = jnp.cos(theta), jnp.sin(theta)
    s = jnp.where(s < 0, -s, s)  # the root of 1 - x^2, whatever the angle
    # Normalized Legendre functions: along the diagonal first, then up the degrees.
    value = jnp.zeros(jnp.broadcast_shapes(jnp.shape(n), jnp.shape(m), theta.shape), theta.dtype)
    diagonal = jnp.full_like(theta, sqrt(1 / (4 * pi)))
    for k in range(n_max + 1):
        below, current = jnp.zeros_like(x), diagonal
        for degree in range(k, n_max + 1):
            value = jnp.where((order == k) & (n == degree), current, value)
            up = sqrt((2 * degree + 3) / ((degree + 1) ** 2 - k * k))
            down = sqrt((degree * degree - k * k) / (2 * degree - 1)) if degree > k else 0.0
            below, current = current, up * (sqrt(2 * degree + 1) * x * current - down * below)
        diagonal = -sqrt((2 * k + 3) / (2 * k + 2)) * s * diagonal
    angle = order * phi
    value = lax.complex(value * jnp.cos(angle), value * jnp.sin(angle))
    return jnp.where(jnp.less(m, 0), (1 - 2 * (order % 2)) * jnp.conj(value), value)


public(globals())
