"""`adjoint.scipy.stats.cauchy`: Cauchy's distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .operands import described, floats, standardized

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5).round(4))
    -1.3679
    """
    z, scale = standardized("cauchy.logpdf", x, loc, scale)
    return -(jnp.log(jnp.pi * scale) + jnp.log1p(z * z))


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5).round(4))
    0.2546
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.0))
    0.5
    """
    z, _ = standardized("cauchy.cdf", x, loc, scale)
    return 0.5 + jnp.arctan(z) / jnp.pi


def logcdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5).round(4))
    -0.4345
    """
    return jnp.log(cdf(x, loc, scale))


def sf(x, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5).round(4))
    0.3524
    """
    z, _ = standardized("cauchy.sf", x, loc, scale)
    return 0.5 + jnp.arctan(-z) / jnp.pi


def logsf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5).round(4))
    -1.0429
    """
    return jnp.log(sf(x, loc, scale))


def ppf(q, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    >>> print(ppf(0.25).round(4))
    -1.0
    """
    q, loc, scale = floats("cauchy.ppf", q, loc, scale)
    return loc + scale * jnp.tan(jnp.pi * (q - 0.5))


def isf(q, loc=0, scale=1) -> Array:
    """Return the value above which there is a probability, the inverse of `sf`.

    >>> print(isf(0.25).round(4))
    1.0
    """
    q, loc, scale = floats("cauchy.isf", q, loc, scale)
    return ppf(1 - q, loc, scale)


described(globals(), "Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean")
take_deferred(globals())
public(globals())
