"""`adjoint.scipy.stats.logistic`: the logistic distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats, standardized

__all__ = ["logpdf", "pdf", "cdf", "sf", "ppf", "isf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5).round(4))
    -1.4482
    """
    z, scale = standardized("logistic.logpdf", x, loc, scale)
    if z.dtype.kind != "c":
        z = jnp.abs(z)
    return -z - 2 * jnp.log1p(jnp.exp(-z)) - jnp.log(scale)


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5).round(4))
    0.235
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.0))
    0.5
    """
    z, _ = standardized("logistic.cdf", x, loc, scale)
    return special.expit(z)


def sf(x, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.5).round(4))
    0.3775
    """
    z, _ = standardized("logistic.sf", x, loc, scale)
    return special.expit(-z)


def ppf(x, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    >>> print(ppf(0.25).round(4))
    -1.0986
    """
    x, loc, scale = floats("logistic.ppf", x, loc, scale)
    return special.logit(x) * scale + loc


def isf(x, loc=0, scale=1) -> Array:
    """Return the value above which there is a probability, the inverse of `sf`.

    >>> print(isf(0.25).round(4))
    1.0986
    """
    x, loc, scale = floats("logistic.isf", x, loc, scale)
    return -special.logit(x) * scale + loc


described(globals(), "the logistic one, whose distribution function is the sigmoid 1 / (1 + exp(-x))")
take_deferred(globals())
public(globals())
