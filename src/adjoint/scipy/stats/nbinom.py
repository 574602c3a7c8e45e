"""`adjoint.scipy.stats.nbinom`: the negative binomial distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats

__all__ = ["logpmf", "pmf"]


def logpmf(k, n, p, loc=0) -> Array:
    """Return the logarithm of the probability of k.

    >>> print(logpmf(2, 4, 0.5).round(4))
    -1.8563
    """
    k, n, p, loc = floats("nbinom.logpmf", k, n, p, loc)
    x = k - loc
    choices = special.gammaln(x + n) - special.gammaln(n) - special.gammaln(x + 1)
    value = choices + special.xlogy(n, p) + special.xlog1py(x, -p)
    return jnp.where(x < 0, -jnp.inf, value)


def pmf(k, n, p, loc=0) -> Array:
    """Return the probability of k.

    >>> print(pmf(0, 1.0, 0.5))
    0.5
    """
    return jnp.exp(logpmf(k, n, p, loc))


described(
    globals(), "the negative binomial one, of the failures before the n-th success, from 0 on",
    n="the number of successes.", p="the probability of a success, from 0 to 1.",
)
take_deferred(globals())
public(globals())
