"""`adjoint.scipy.stats.betabinom`: the beta-binomial distribution."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from ...transforms.jit.jit import lowerable
from .. import special
from .operands import described, floats

__all__ = ["logpmf", "pmf"]


@lowerable
def logpmf(k, n, a, b, loc=0) -> Array:
    """Return the logarithm of the probability of k; NaN unless a and b are positive and n is not negative.

    >>> print(logpmf(1, 4, 1.0, 2.0).round(4))
    -1.3218
    """
    k, n, a, b, loc = floats("betabinom.logpmf", k, n, a, b, loc)
    x = jnp.floor(k) - loc
    impossible = (x < -loc) | (x > n) | (x + a <= 0)
    x = jnp.where(impossible, 0, x)  # betaln has no value there
    choices = -jnp.log1p(n) - special.betaln(n - x + 1, x + 1)
    value = choices + special.betaln(x + a, n - x + b) - special.betaln(a, b)
    value = jnp.where((x == 0) & (n == 0), 0, value)
    value = jnp.where(impossible, -jnp.inf, value)
    return jnp.where((a <= 0) | (b <= 0) | (n < 0), jnp.nan, value)


def pmf(k, n, a, b, loc=0) -> Array:
    """Return the probability of k.

    >>> print(pmf(0, 1, 1.0, 1.0).round(3))
    0.5
    """
    return jnp.exp(logpmf(k, n, a, b, loc))


described(
    globals(),
    "the beta-binomial one, "
    "of the successes among n trials whose common probability has a beta distribution",
    n="the number of trials.", a="of the beta distribution, positive.", b="of the beta distribution, positive.",
)
take_deferred(globals())
public(globals())
