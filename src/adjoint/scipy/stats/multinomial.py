"""`adjoint.scipy.stats.multinomial`: the multinomial distribution."""

from __future__ import annotations

import numpy as np

from ... import numpy as jnp
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.types import Array
from ...numpy.promotion import promote
from .. import special
from .operands import floats

__all__ = ["logpmf", "pmf"]


def logpmf(x, n, p) -> Array:
    """Return the logarithm of the probability of the counts x, with the multinomial distribution.

    Args:
      x: `[..., k]`, of an integer dtype.
      n: the sum of all of x, of an integer dtype; elsewhere the probability is 0.
      p: `[..., k]`, the probabilities.
    Returns:
      Floats, in an array without the last axis of `x` and `p`.
    Raises:
      ValueError: x or n is not of an integer dtype.

    >>> print(logpmf(jnp.array([1, 2]), 3, jnp.array([0.5, 0.5])).round(4))
    -0.9808
    """
    (p,) = floats("multinomial.logpmf", p)
    x, n = (jnp.asarray(a) for a in promote("multinomial.logpmf", x, n))
    if not dtypes.issubdtype(x.dtype, np.integer):
        raise ValueError(message(
            f"x and n must be of integer type; got x.dtype={x.dtype.name}, n.dtype={n.dtype.name}",
            fix="x.astype(int)",
        ))
    # JAX parity: n is compared with the sum of every axis, test_values
    fits = n == jnp.sum(x)
    (x, n) = (a.astype(p.dtype) for a in (x, n))
    if n.ndim and n.ndim < x.ndim:
        n = n.reshape((1,) * (x.ndim - n.ndim) + n.shape)
    value = special.gammaln(n + 1) + jnp.sum(special.xlogy(x, p) - special.gammaln(x + 1), axis=-1)
    return jnp.where(fits, value, -jnp.inf)


def pmf(x, n, p) -> Array:
    """Return the probability of the counts x, with the multinomial distribution.

    Args:
      x: `[..., k]`, of an integer dtype.
      n: the sum of all of x, of an integer dtype; elsewhere the probability is 0.
      p: `[..., k]`, the probabilities.
    Returns:
      Floats, in an array without the last axis of `x` and `p`.
    Raises:
      ValueError: x or n is not of an integer dtype.

    >>> print(pmf(jnp.array([1, 1]), 2, jnp.array([0.5, 0.5])).round(3))
    0.5
    """
    return jnp.exp(logpmf(x, n, p))

public(globals())
