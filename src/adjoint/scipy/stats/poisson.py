"""`adjoint.scipy.stats.poisson`: Poisson's distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.types import Array
from .. import special
from .operands import floats

__all__ = ["logpmf", "pmf", "cdf"]


def logpmf(k, mu, loc=0) -> Array:
    """The logarithm of the probability of k."""
    k, mu, loc = floats("poisson.logpmf", k, mu, loc)
    x = k - loc
    value = special.xlogy(x, mu) - special.gammaln(x + 1) - mu
    return jnp.where((x < 0) | (x != jnp.round(k) - loc), -jnp.inf, value)


def pmf(k, mu, loc=0) -> Array:
    """The probability of k.

    >>> print(pmf(0, 0.0))
    1.0
    """
    return jnp.exp(logpmf(k, mu, loc))


def cdf(k, mu, loc=0) -> Array:
    """The probability of values up to x."""
    k, mu, loc = floats("poisson.cdf", k, mu, loc)
    x = k - loc
    value = special.gammaincc(*jnp.broadcast_arrays(jnp.floor(jnp.maximum(x, 0)) + 1, mu))
    return jnp.where(x < 0, 0, value)
