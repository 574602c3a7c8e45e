"""`adjoint.scipy.stats.t`: Student's distribution with df degrees of freedom."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats

__all__ = ["logpdf", "pdf"]


def logpdf(x, df, loc=0, scale=1) -> Array:
    """Return the logarithm of the density at x.

    >>> print(logpdf(0.5, 3.0).round(4))
    -1.161
    """
    x, df, loc, scale = floats("t.logpdf", x, df, loc, scale)
    z = (x - loc) / scale
    constant = special.gammaln(df / 2) - special.gammaln((df + 1) / 2) + jnp.log(jnp.pi * df * scale * scale) / 2
    return -(constant + (df + 1) / 2 * jnp.log1p(z * z / df))


def pdf(x, df, loc=0, scale=1) -> Array:
    """Return the density at x.

    >>> print(pdf(0.5, 3.0).round(4))
    0.3132
    """
    return jnp.exp(logpdf(x, df, loc, scale))


described(
    globals(), "Student's, of a mean of normal numbers divided by its estimated error",
    df="the number of degrees of freedom, positive.",
)
take_deferred(globals())
public(globals())
