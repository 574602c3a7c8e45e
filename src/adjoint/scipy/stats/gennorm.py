"""`adjoint.scipy.stats.gennorm`: the generalized normal distribution, of exp(-|x|^beta)."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats

__all__ = ["logpdf", "pdf", "cdf"]


def logpdf(x, beta) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5, 2.0).round(4))
    -0.8224
    """
    x, beta = floats("gennorm.logpdf", x, beta)
    return jnp.log(beta / 2) - special.gammaln(1 / beta) - jnp.abs(x) ** beta


def pdf(x, beta) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5, 2.0).round(4))
    0.4394
    """
    return jnp.exp(logpdf(x, beta))


def cdf(x, beta) -> Array:
    """Return the probability of values up to x.

    >>> print(cdf(0.0, 2.0))
    0.5
    """
    x, beta = floats("gennorm.cdf", x, beta)
    return (1 + jnp.sign(x) * special.gammainc(1 / beta, jnp.abs(x) ** beta)) / 2


described(
    globals(), "the generalized normal one, whose density goes as exp(-|x| ** beta)",
    beta="the exponent, positive: 2 for a normal distribution, 1 for Laplace's.",
)
take_deferred(globals())
public(globals())
