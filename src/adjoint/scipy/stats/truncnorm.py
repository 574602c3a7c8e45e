"""`adjoint.scipy.stats.truncnorm`: the normal distribution between a and b, which count in units of `scale` from `loc`.

Everything comes from the logarithm of the mass of an interval, which is taken on the side of 0 where the
distribution function does not round to 1.
"""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from ...transforms.jit.jit import lowerable
from .. import special
from . import norm
from .operands import described, floats

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "sf", "logsf"]


def _log_mass(a, b) -> Array:
    """Return the logarithm of the mass that the normal distribution has from a to b."""
    empty = a >= b
    a, b = jnp.where(empty, -1, a), jnp.where(empty, 1, b)  # there is no mass, and no derivative of it
    right, outside = a > 0, (a > 0) | (b <= 0)
    a, b = jnp.where(right, -b, a), jnp.where(right, -a, b)
    low, high = (special.log_ndtr(jnp.where(outside, z, d)) for z, d in ((a, -2.0), (b, -1.0)))
    tail = high + jnp.log1p(-jnp.exp(low - high))
    low, high = (special.ndtr(jnp.where(outside, -1.0, z)) for z in (a, -b))
    return jnp.where(outside, tail, jnp.log1p(-low - high))


def _of_interval(name, x, a, b, loc, scale):
    x, a, b, loc, scale = floats(f"truncnorm.{name}", x, a, b, loc, scale)
    return *jnp.broadcast_arrays((x - loc) / scale, a, b), x, loc, scale


@lowerable
def logpdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x; NaN unless a < b.

    >>> print(logpdf(0.5, -1.0, 2.0).round(4))
    -0.8438
    """
    z, a, b, x, loc, scale = _of_interval("logpdf", x, a, b, loc, scale)
    value = norm.logpdf(x, loc, scale) - _log_mass(a, b)
    value = jnp.where((z < a) | (z > b), -jnp.inf, value)
    return jnp.where(a >= b, jnp.nan, value)


def pdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5, -1.0, 2.0).round(4))
    0.4301
    """
    return jnp.exp(logpdf(x, a, b, loc, scale))


def _log_tails(name, x, a, b, loc, scale):
    """Return the logarithms of the masses below and above x, each from the other where it is near 0."""
    z, a, b, *_ = _of_interval(name, x, a, b, loc, scale)
    inside = ~((z <= a) | (z >= b))
    # A number between a and b, at neither of which the derivatives are finite.
    beside = jnp.where(jnp.isfinite(a), a + 1, jnp.where(jnp.isfinite(b), b - 1, 0))
    middle = jnp.where(inside, z, jnp.where(jnp.isfinite(a) & jnp.isfinite(b), a / 2 + b / 2, beside))
    total = _log_mass(a, b)
    below, above = _log_mass(a, middle) - total, _log_mass(middle, b) - total
    tails = []
    for one, other, nothing, something in ((below, above, z <= a, z > a), (above, below, z >= b, z < b)):
        one = jnp.where(one > -0.1, jnp.log1p(-jnp.exp(jnp.where(one > -0.1, other, -1.0))), one)
        # JAX parity: NaN has all of the mass on both sides, test_edges
        value = jnp.where(inside & something, one, jnp.where(nothing, -jnp.inf, 0))
        tails.append(jnp.where(a >= b, jnp.nan, value))
    return tails


@lowerable
def cdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.0, -1.0, 1.0).round(3))
    0.5
    """
    return jnp.exp(logcdf(x, a, b, loc, scale))


@lowerable
def logcdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5, -1.0, 2.0).round(4))
    -0.4294
    """
    return _log_tails("logcdf", x, a, b, loc, scale)[0]


@lowerable
def sf(x, a, b, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5, -1.0, 2.0).round(4))
    0.3491
    """
    return jnp.exp(logsf(x, a, b, loc, scale))


@lowerable
def logsf(x, a, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5, -1.0, 2.0).round(4))
    -1.0523
    """
    return _log_tails("logsf", x, a, b, loc, scale)[1]


described(
    globals(),
    "the normal one between a and b, which count in units of scale from loc; "
    "it has no values beyond them",
    a="the lower end.", b="the upper end.",
)
take_deferred(globals())
public(globals())
