"""`adjoint.scipy.stats.gamma`: the gamma distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats, log_of

__all__ = ["logpdf", "pdf", "cdf", "logcdf", "sf", "logsf"]


def logpdf(x, a, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5, 2.0).round(4))
    -1.1931
    """
    x, a, loc, scale = floats("gamma.logpdf", x, a, loc, scale)
    inside = x >= loc
    z = jnp.where(inside, (x - loc) / scale, 1)
    value = special.xlogy(a - 1, z) - z - special.gammaln(a) - jnp.log(scale)
    return jnp.where(inside, value, -jnp.inf)


def pdf(x, a, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5, 2.0).round(4))
    0.3033
    """
    return jnp.exp(logpdf(x, a, loc, scale))


def cdf(x, a, loc=0, scale=1) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.5, 2.0).round(4))
    0.0902
    """
    x, a, loc, scale = floats("gamma.cdf", x, a, loc, scale)
    a, z = jnp.broadcast_arrays(a, jnp.clip((x - loc) / scale, 0))
    outside = (z == 0) & (a > 0)
    return jnp.where(outside, 0, special.gammainc(a, jnp.where(outside, 1, z)))


def logcdf(x, a, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values up to x.

    >>> print(logcdf(0.5, 2.0).round(4))
    -2.4057
    """
    return log_of(cdf(x, a, loc, scale))


def sf(x, a, loc=0, scale=1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    >>> print(sf(0.0, 1.0))
    1.0
    """
    x, a, loc, scale = floats("gamma.sf", x, a, loc, scale)
    a, z = jnp.broadcast_arrays(a, (x - loc) / scale)
    outside = z < 0
    return jnp.where(outside, 1, special.gammaincc(a, jnp.where(outside, 1, z)))


def logsf(x, a, loc=0, scale=1) -> Array:
    """Return the logarithm of the probability of values above x.

    >>> print(logsf(0.5, 2.0).round(4))
    -0.0945
    """
    return log_of(sf(x, a, loc, scale))


described(
    globals(), "the gamma one, whose density goes as x ** (a - 1) exp(-x); it has no values below 0",
    a="the shape, positive.",
)
take_deferred(globals())
public(globals())
