"""`adjoint.scipy.stats.expon`: the exponential distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .operands import floats, log_of_rest

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "logsf", "sf", "ppf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """The logarithm of the density at x."""
    x, loc, scale = floats("expon.logpdf", x, loc, scale)
    return jnp.where(x < loc, -jnp.inf, -jnp.log(scale) - (x - loc) / scale)


def pdf(x, loc=0, scale=1) -> Array:
    """The density at x.

    >>> print(pdf(0.0))
    1.0
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """The probability of values up to x."""
    x, loc, scale = floats("expon.cdf", x, loc, scale)
    return -jnp.expm1(-jnp.where(x < loc, 0, (x - loc) / scale))


def logcdf(x, loc=0, scale=1) -> Array:
    """The logarithm of `cdf`."""
    x, loc, scale = floats("expon.logcdf", x, loc, scale)
    return log_of_rest(jnp.where(x < loc, 0, (x - loc) / scale))


def logsf(x, loc=0, scale=1) -> Array:
    """The logarithm of `sf`."""
    x, loc, scale = floats("expon.logsf", x, loc, scale)
    return jnp.where(x < loc, 0, -(x - loc) / scale)


def sf(x, loc=0, scale=1) -> Array:
    """1 - cdf(x)."""
    return jnp.exp(logsf(x, loc, scale))


def ppf(q, loc=0, scale=1) -> Array:
    """The inverse of `cdf`."""
    q, loc, scale = floats("expon.ppf", q, loc, scale)
    return jnp.where((q >= 0) & (q <= 1), loc - scale * jnp.log1p(-q), jnp.nan)

take_deferred(globals())
public(globals())
