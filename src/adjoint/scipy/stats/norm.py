"""`adjoint.scipy.stats.norm`: the normal distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats, standardized

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "ppf", "logsf", "sf", "isf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5).round(4))
    -1.0439
    """
    z, scale = standardized("norm.logpdf", x, loc, scale)
    return -(z * z + jnp.log(2 * jnp.pi * scale * scale)) / 2


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5).round(4))
    0.3521
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.0))
    0.5
    """
    z, _ = standardized("norm.cdf", x, loc, scale)
    return special.ndtr(z)


def logcdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5).round(4))
    -0.3689
    """
    z, _ = standardized("norm.logcdf", x, loc, scale)
    return special.log_ndtr(z)


def ppf(q, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`; q is float32 or float64.

    >>> print(ppf(0.25).round(4))
    -0.6745
    """
    z, loc, scale = floats("norm.ppf", special.ndtri(q), loc, scale)
    return jnp.asarray(z * scale + loc, float)


def logsf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5).round(4))
    -1.1759
    """
    z, _ = standardized("norm.logsf", x, loc, scale)
    return special.log_ndtr(-z)


def sf(x, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5).round(4))
    0.3085
    """
    z, _ = standardized("norm.sf", x, loc, scale)
    return special.ndtr(-z)


def isf(q, loc=0, scale=1) -> Array:
    """Return the value above which there is a probability, the inverse of `sf`.

    >>> print(isf(0.25).round(4))
    0.6745
    """
    return ppf(jnp.subtract(1, q), loc, scale)


described(
    globals(),
    "the normal one, whose density goes as exp(-x ** 2 / 2); "
    "loc is its mean and scale its standard deviation",
)
take_deferred(globals())
public(globals())
