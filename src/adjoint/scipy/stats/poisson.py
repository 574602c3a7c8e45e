"""`adjoint.scipy.stats.poisson`: Poisson's distribution."""

from __future__ import annotations

import numpy as np

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from ...transforms.jit.jit import lowerable
from .. import special
from .operands import described, floats

__all__ = ["logpmf", "pmf", "cdf", "entropy"]


def logpmf(k, mu, loc=0) -> Array:
    """Return the logarithm of the probability of k.

    >>> print(logpmf(1, 2.0).round(4))
    -1.3069
    """
    k, mu, loc = floats("poisson.logpmf", k, mu, loc)
    x = k - loc
    value = special.xlogy(x, mu) - special.gammaln(x + 1) - mu
    return jnp.where((x < 0) | (k != jnp.round(k)), -jnp.inf, value)


def pmf(k, mu, loc=0) -> Array:
    """Return the probability of k.

    >>> print(pmf(0, 0.0))
    1.0
    """
    return jnp.exp(logpmf(k, mu, loc))


def cdf(k, mu, loc=0) -> Array:
    """Return the probability of values up to k.

    >>> print(cdf(1, 2.0).round(4))
    0.406
    """
    k, mu, loc = floats("poisson.cdf", k, mu, loc)
    x = k - loc
    value = special.gammaincc(*jnp.broadcast_arrays(jnp.floor(jnp.maximum(x, 0)) + 1, mu))
    return jnp.where(x < 0, 0, value)


@lowerable
def entropy(mu, loc=0) -> Array:
    """Return the entropy of Poisson's distribution; NaN for negative mu.

    Source: for mu from 100 on, the asymptotic series of Evans and Boersma, "The entropy of a Poisson distribution",
    SIAM Review 30 (1988).

    Args:
      mu: the mean, array or scalar.
      loc: has no effect on the value.
    Returns:
      Floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array.
      ValueError: the shapes do not broadcast.

    >>> print(entropy(0.0))
    0.0
    """
    mu, loc = floats("poisson.entropy", mu, loc)
    mu, _ = jnp.broadcast_arrays(mu, loc)
    dtype = mu.dtype
    if dtype.itemsize < 4:
        mu = mu.astype(np.float32)  # the sum has 240 terms
    far = mu >= 100
    large = jnp.where(far, mu, 100)
    series = (jnp.log(2 * jnp.pi * large) + 1) / 2 - 1 / (12 * large) - 1 / (24 * large * large)
    # Probabilities beyond mu + 12 sqrt(mu) + 20 are below the precision of any float.
    small = jnp.where(far | (mu <= 0), 1, mu)[..., None]
    k = jnp.asarray(np.arange(240), mu.dtype)
    logs = special.xlogy(k, small) - special.gammaln(k + 1) - small
    total = -jnp.sum(jnp.exp(logs) * jnp.where(logs > -jnp.inf, logs, 0), axis=-1)
    value = jnp.where(far, series, jnp.where(mu == 0, 0, total))
    return jnp.where(mu >= 0, value, jnp.nan).astype(dtype)


described(
    globals(), "Poisson's, of the number of events of which there are mu in the mean, from 0 on",
    mu="the mean, not negative.",
)
take_deferred(globals())
public(globals())
