"""`adjoint.scipy.stats.gumbel_r`: Gumbel's distribution of largest values."""

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
    -1.1065
    """
    z, scale = standardized("gumbel_r.logpdf", x, loc, scale, positive=True)
    return -z - jnp.exp(-z) - jnp.log(scale)


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5).round(4))
    0.3307
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.5).round(4))
    0.5452
    """
    return jnp.exp(logcdf(x, loc, scale))


def logcdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5).round(4))
    -0.6065
    """
    z, _ = standardized("gumbel_r.logcdf", x, loc, scale, positive=True)
    return -jnp.exp(-z)


def sf(x, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5).round(4))
    0.4548
    """
    z, _ = standardized("gumbel_r.sf", x, loc, scale, positive=True)
    return -jnp.expm1(-jnp.exp(-z))


def logsf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5).round(4))
    -0.788
    """
    z, _ = standardized("gumbel_r.logsf", x, loc, scale, positive=True)
    return log_of_rest(jnp.exp(-z))


def ppf(p, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`; NaN outside of 0 < p < 1.

    >>> print(cdf(ppf(0.25)).round(3))
    0.25
    """
    p, loc, scale = floats("gumbel_r.ppf", p, loc, scale)
    p = jnp.where((p > 0) & (p < 1), p, jnp.nan)
    return loc - scale * jnp.log(-jnp.log(p))


described(globals(), "Gumbel's of largest values, whose distribution function is exp(-exp(-x))")
take_deferred(globals())
public(globals())
