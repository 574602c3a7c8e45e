"""`adjoint.scipy.stats.chi2`: the chi-squared distribution with df degrees of freedom."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats, log_of

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "sf", "logsf"]


def logpdf(x, df, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5, 3.0).round(4))
    -1.5155
    """
    x, df, loc, scale = floats("chi2.logpdf", x, df, loc, scale)
    outside = x < loc
    z = jnp.where(outside, 1, (x - loc) / scale)
    half = df / 2
    value = special.xlogy(half - 1, z) - z / 2 - special.gammaln(half) - jnp.log(2.0) * half - jnp.log(scale)
    return jnp.where(outside, -jnp.inf, value)


def pdf(x, df, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5, 3.0).round(4))
    0.2197
    """
    return jnp.exp(logpdf(x, df, loc, scale))


def cdf(x, df, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.5, 3.0).round(4))
    0.0811
    """
    x, df, loc, scale = floats("chi2.cdf", x, df, loc, scale)
    half, z = jnp.broadcast_arrays(df / 2, jnp.clip((x - loc) / scale, 0) / 2)
    outside = (z == 0) & (half > 0)
    return jnp.where(outside, 0, special.gammainc(half, jnp.where(outside, 1, z)))


def logcdf(x, df, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5, 3.0).round(4))
    -2.512
    """
    return log_of(cdf(x, df, loc, scale))


def sf(x, df, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.0, 2.0))
    1.0
    """
    x, df, loc, scale = floats("chi2.sf", x, df, loc, scale)
    half, z = jnp.broadcast_arrays(df / 2, jnp.clip((x - loc) / scale, 0) / 2)
    outside = (z == 0) & (half > 0)
    return jnp.where(outside, 1, special.gammaincc(half, jnp.where(outside, 1, z)))


def logsf(x, df, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5, 3.0).round(4))
    -0.0846
    """
    return log_of(sf(x, df, loc, scale))


described(
    globals(), "the chi-squared one, of the sum of df squares of normal numbers; it has no values below 0",
    df="the number of degrees of freedom, positive.",
)
take_deferred(globals())
public(globals())
