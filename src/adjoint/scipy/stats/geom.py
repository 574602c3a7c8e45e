"""`adjoint.scipy.stats.geom`: the geometric distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats

__all__ = ["logpmf", "pmf"]


def logpmf(k, p, loc=0) -> Array:
    """Return the logarithm of the probability of k.

    >>> print(logpmf(2, 0.5).round(4))
    -1.3863
    """
    k, p, loc = floats("geom.logpmf", k, p, loc)
    x = k - loc
    value = special.xlog1py(x - 1, -p) + jnp.log(p)
    return jnp.where(x <= 0, -jnp.inf, value)


def pmf(k, p, loc=0) -> Array:
    """Return the probability of k.

    >>> print(pmf(1, 1.0))
    1.0
    """
    return jnp.exp(logpmf(k, p, loc))


described(
    globals(), "the geometric one, of the number of trials up to the first success, from 1 on",
    p="the probability of a success, from 0 to 1.",
)
take_deferred(globals())
public(globals())
