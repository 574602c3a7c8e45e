"""`adjoint.scipy.stats.beta`: the beta distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats, log_of

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "sf", "logsf"]


def logpdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x; NaN unless a, b and scale are positive.

    >>> print(logpdf(0.5, 2.0, 3.0).round(4))
    0.4055
    """
    x, a, b, loc, scale = floats("beta.logpdf", x, a, b, loc, scale)
    outside = (x < loc) | (x > loc + scale)
    z = jnp.where(outside, 0.5, (x - loc) / scale)
    value = special.xlogy(a - 1, z) + special.xlog1py(b - 1, -z) - special.betaln(a, b) - jnp.log(scale)
    return jnp.where((a <= 0) | (b <= 0) | (scale <= 0), jnp.nan, jnp.where(outside, -jnp.inf, value))


def pdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5, 2.0, 3.0).round(4))
    1.5
    """
    return jnp.exp(logpdf(x, a, b, loc, scale))


def _mass(a, b, z) -> Array:
    """Return `betainc`, with derivatives of 0 at 0 and 1, which stand for all that is outside."""
    a, b, z = jnp.broadcast_arrays(a, b, z)
    outside = ((z == 0) | (z == 1)) & (a > 0) & (b > 0)
    return jnp.where(outside, jnp.where(z == 1, 1, 0), special.betainc(a, b, jnp.where(outside, 0.5, z)))


def cdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.5, 1.0, 1.0))
    0.5
    """
    x, a, b, loc, scale = floats("beta.cdf", x, a, b, loc, scale)
    return _mass(a, b, jnp.clip((x - loc) / scale, 0, 1))


def logcdf(x, a, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5, 2.0, 3.0).round(4))
    -0.3747
    """
    return log_of(cdf(x, a, b, loc, scale))


def sf(x, a, b, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5, 2.0, 3.0).round(4))
    0.3125
    """
    x, a, b, loc, scale = floats("beta.sf", x, a, b, loc, scale)
    return _mass(b, a, 1 - jnp.clip((x - loc) / scale, 0, 1))


def logsf(x, a, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5, 2.0, 3.0).round(4))
    -1.1632
    """
    return log_of(sf(x, a, b, loc, scale))


described(
    globals(), "the beta one, whose density on 0 to 1 goes as x ** (a - 1) (1 - x) ** (b - 1)",
    a="positive.", b="positive.",
)
take_deferred(globals())
public(globals())
