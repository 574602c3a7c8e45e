"""`adjoint.scipy.stats.gumbel_l`: Gumbel's distribution of smallest values."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .operands import described, floats, log_of_rest, standardized

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "sf", "logsf", "ppf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5).round(4))
    -1.1487
    """
    z, scale = standardized("gumbel_l.logpdf", x, loc, scale, positive=True)
    return z - jnp.exp(z) - jnp.log(scale)


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5).round(4))
    0.317
    """
    return jnp.exp(logpdf(x, loc, scale))


def sf(x, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5).round(4))
    0.1923
    """
    return jnp.exp(logsf(x, loc, scale))


def logsf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5).round(4))
    -1.6487
    """
    z, _ = standardized("gumbel_l.logsf", x, loc, scale, positive=True)
    return -jnp.exp(z)


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.5).round(4))
    0.8077
    """
    z, _ = standardized("gumbel_l.cdf", x, loc, scale, positive=True)
    return -jnp.expm1(-jnp.exp(z))


def logcdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5).round(4))
    -0.2136
    """
    z, _ = standardized("gumbel_l.logcdf", x, loc, scale, positive=True)
    return log_of_rest(jnp.exp(z))


def ppf(p, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`; NaN outside of 0 < p < 1.

    >>> print(cdf(ppf(0.25)).round(3))
    0.25
    """
    p, loc, scale = floats("gumbel_l.ppf", p, loc, scale)
    p = jnp.where((p > 0) & (p < 1), p, jnp.nan)
    return loc + scale * jnp.log(-jnp.log1p(-p))


described(globals(), "Gumbel's of smallest values, whose distribution function is 1 - exp(-exp(x))")
take_deferred(globals())
public(globals())
