"""`adjoint.scipy.stats.wrapcauchy`: Cauchy's distribution wrapped around the circle."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .operands import described, floats

__all__ = ["logpdf", "pdf"]


def logpdf(x, c) -> Array:
    """Return the logarithm of the density at the angle x; NaN unless 0 < c < 1.

    >>> print(logpdf(0.5, 0.5).round(4))
    -1.1378
    """
    x, c = floats("wrapcauchy.logpdf", x, c)
    value = jnp.log(1 - c * c) - jnp.log(2 * jnp.pi) - jnp.log(1 + c * c - 2 * c * jnp.cos(x))
    value = jnp.where((x >= 0) & (x <= 2 * jnp.pi), value, -jnp.inf)
    return jnp.where((c > 0) & (c < 1), value, jnp.nan)


def pdf(x, c) -> Array:
    """Return the density at x.

    >>> print(pdf(0.0, 0.5).round(3))
    0.477
    """
    return jnp.exp(logpdf(x, c))


described(
    globals(), "Cauchy's, wrapped around the circle; x is an angle in radians from 0 to 2 pi",
    c="how narrow it is, from 0 to 1.",
)
take_deferred(globals())
public(globals())
