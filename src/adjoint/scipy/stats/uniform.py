"""`adjoint.scipy.stats.uniform`: the uniform distribution on [loc, loc + scale]."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from ...numpy.promotion import convert
from .operands import described, floats

__all__ = ["logpdf", "pdf", "cdf", "ppf"]


def logpdf(x, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5, 0.0, 2.0).round(4))
    -0.6931
    """
    x, loc, scale = floats("uniform.logpdf", x, loc, scale)
    outside = (x < loc) | (x > loc + scale)
    return jnp.where(outside, -jnp.inf, -jnp.log(scale))


def pdf(x, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5, 0.0, 2.0).round(4))
    0.5
    """
    return jnp.exp(logpdf(x, loc, scale))


def cdf(x, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.5))
    0.5
    """
    x, loc, scale = floats("uniform.cdf", x, loc, scale)
    value = jnp.where(x < loc, 0, jnp.where(x > loc + scale, 1, (x - loc) / scale))
    return convert(value, x.dtype)


def ppf(q, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    >>> print(ppf(0.25, 0.0, 2.0).round(4))
    0.5
    """
    q, loc, scale = floats("uniform.ppf", q, loc, scale)
    return jnp.where((q >= 0) & (q <= 1), loc + q * scale, jnp.nan)


described(
    globals(), "the uniform one, from loc to loc + scale",
    loc="the lower end; 0 by default.", scale="the length of the interval, positive; 1 by default.",
)
take_deferred(globals())
public(globals())
