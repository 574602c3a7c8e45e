"""`adjoint.scipy.stats.pareto`: Pareto's distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from ...numpy.promotion import convert
from .operands import described, floats, log_of

__all__ = ["logpdf", "pdf", "logsf", "sf", "cdf", "logcdf", "ppf"]


def logpdf(x, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(2.0, 3.0).round(4))
    -1.674
    """
    x, b, loc, scale = floats("pareto.logpdf", x, b, loc, scale)
    outside = x < loc + scale
    z = jnp.where(outside, 1, (x - loc) / scale)
    return jnp.where(outside, -jnp.inf, -jnp.log(scale / b) - (b + 1) * jnp.log(z))


def pdf(x, b, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(2.0, 3.0).round(4))
    0.1875
    """
    return jnp.exp(logpdf(x, b, loc, scale))


def logsf(x, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(2.0, 3.0).round(4))
    -2.0794
    """
    x, b, loc, scale = floats("pareto.logsf", x, b, loc, scale)
    outside = x < loc + scale
    z = jnp.where(outside, 1, (x - loc) / scale)
    return jnp.where(outside, 0, -b * jnp.log(z))


def sf(x, b, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(2.0, 3.0).round(4))
    0.125
    """
    return jnp.exp(logsf(x, b, loc, scale))


def cdf(x, b, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(2.0, 3.0).round(4))
    0.875
    """
    return -jnp.expm1(logsf(x, b, loc, scale))


def logcdf(x, b, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(2.0, 3.0).round(4))
    -0.1335
    """
    args = floats("pareto.logcdf", x, b, loc, scale)
    return convert(log_of(cdf(*args)), args[0].dtype, args[0].weak_type)


def ppf(q, b, loc=0, scale=1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    >>> print(ppf(0.25, 3.0).round(4))
    1.1006
    """
    q, b, loc, scale = floats("pareto.ppf", q, b, loc, scale)
    return jnp.where((q >= 0) & (q <= 1), loc + scale * jnp.power(1 - q, -1 / b), jnp.nan)


described(
    globals(), "Pareto's, whose density goes as x ** (-b - 1); it has no values below 1",
    b="the exponent, positive.",
)
take_deferred(globals())
public(globals())
