"""`adjoint.scipy.stats.laplace`: Laplace's distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .operands import described, floats, standardized

__all__ = ["logpdf", "pdf", "cdf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5).round(4))
    -1.1931
    """
    x, loc, scale = floats("laplace.logpdf", x, loc, scale)
    return -(jnp.abs(x - loc) / scale + jnp.log(2 * scale))


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5).round(4))
    0.3033
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.0))
    0.5
    """
    z, _ = standardized("laplace.cdf", x, loc, scale)
    tail = 0.5 * jnp.exp(-jnp.abs(z))
    return jnp.where(z > 0, 1 - tail, tail)


described(globals(), "Laplace's, whose density goes as exp(-|x|)")
take_deferred(globals())
public(globals())
