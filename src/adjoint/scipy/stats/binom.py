"""`adjoint.scipy.stats.binom`: the binomial distribution."""

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
    -0.9808
    """
    k, n, p, loc = floats("binom.logpmf", k, n, p, loc)
    x = k - loc
    choices = special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1)
    value = choices + special.xlogy(x, p) + special.xlog1py(n - x, -p)
    return jnp.where((k >= loc) & (k < loc + n + 1), value, -jnp.inf)


def pmf(k, n, p, loc=0) -> Array:
    """Return the probability of k.

    >>> print(pmf(0, 0, 0.5))
    1.0
    """
    return jnp.exp(logpmf(k, n, p, loc))


described(
    globals(), "the binomial one, of the successes among n independent trials, from 0 to n",
    n="the number of trials.", p="the probability of a success, from 0 to 1.",
)
take_deferred(globals())
public(globals())
