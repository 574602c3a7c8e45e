"""`adjoint.scipy.stats.bernoulli`: Bernoulli's distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from ...numpy.promotion import convert
from .. import special
from .operands import described, floats

__all__ = ["logpmf", "pmf", "cdf", "ppf"]


def logpmf(k, p, loc=0) -> Array:
    """Return the logarithm of the probability of k.

    >>> print(logpmf(1, 0.25).round(4))
    -1.3863
    """
    k, p, loc = floats("bernoulli.logpmf", k, p, loc)
    x = k - loc
    value = special.xlogy(x, p) + special.xlog1py(1 - x, -p)
    return jnp.where((x < 0) | (x > 1), -jnp.inf, value)


def pmf(k, p, loc=0) -> Array:
    """Return the probability of k.

    >>> print(pmf(1, 0.25).round(4))
    0.25
    """
    return jnp.exp(logpmf(k, p, loc))


def cdf(k, p) -> Array:
    """Return the probability of values up to k.

    >>> print(cdf(0, 0.5))
    0.5
    """
    k, p = floats("bernoulli.cdf", k, p)
    valid = (p >= 0) & (p <= 1)
    value = jnp.where(k < 0, 0, jnp.where(k < 1, 1 - p, 1))
    return jnp.where(valid & (k == k), value, jnp.nan)


def ppf(q, p) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    >>> print(ppf(0.9, 0.25))
    1.0
    """
    q, p = floats("bernoulli.ppf", q, p)
    valid = (p >= 0) & (p <= 1) & (q >= 0) & (q <= 1)
    return jnp.where(valid, convert(jnp.where(q <= 1 - p, 0, 1), q.dtype, q.weak_type), jnp.nan)


described(globals(), "Bernoulli's: 1 with probability p, else 0", p="the probability of 1, from 0 to 1.")
take_deferred(globals())
public(globals())
