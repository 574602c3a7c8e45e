"""`adjoint.scipy.stats.expon`: the exponential distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .operands import described, floats, log_of_rest

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "logsf", "sf", "ppf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5).round(4))
    -0.5
    """
    x, loc, scale = floats("expon.logpdf", x, loc, scale)
    log_scale = jnp.log(scale)
    value = -((x - loc) / scale + log_scale)
    return jnp.where(x < loc, -jnp.inf, value)


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.0))
    1.0
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.5).round(4))
    0.3935
    """
    x, loc, scale = floats("expon.cdf", x, loc, scale)
    return -jnp.expm1(-jnp.where(x < loc, 0, (x - loc) / scale))


def logcdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5).round(4))
    -0.9328
    """
    x, loc, scale = floats("expon.logcdf", x, loc, scale)
    return log_of_rest(jnp.where(x < loc, 0, (x - loc) / scale))


def logsf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5).round(4))
    -0.5
    """
    x, loc, scale = floats("expon.logsf", x, loc, scale)
    return jnp.where(x < loc, 0, -(x - loc) / scale)


def sf(x, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5).round(4))
    0.6065
    """
    return jnp.exp(logsf(x, loc, scale))


def ppf(q, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    >>> print(ppf(0.25).round(4))
    0.2877
    """
    q, loc, scale = floats("expon.ppf", q, loc, scale)
    return jnp.where((q >= 0) & (q <= 1), loc - scale * jnp.log1p(-q), jnp.nan)


described(globals(), "the exponential one, whose density goes as exp(-x); it has no values below 0")
take_deferred(globals())
public(globals())
