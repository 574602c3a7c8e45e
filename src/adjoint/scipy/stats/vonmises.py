"""`adjoint.scipy.stats.vonmises`: von Mises' distribution on the circle."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.types import Array
from ...core.values.deferred import take_deferred
from .. import special
from .operands import described, floats

__all__ = ["logpdf", "pdf"]


def logpdf(x, kappa) -> Array:
    """Return the logarithm of the density at the angle x; NaN unless kappa is positive.

    >>> print(logpdf(0.5, 2.0).round(4))
    -0.9067
    """
    x, kappa = floats("vonmises.logpdf", x, kappa)
    value = kappa * (jnp.cos(x) - 1) - jnp.log(2 * jnp.pi * special.i0e(kappa))
    return jnp.where(kappa > 0, value, jnp.nan)


def pdf(x, kappa) -> Array:
    """Return the density at x.

    >>> print(pdf(0.0, 1.0).round(3))
    0.342
    """
    return jnp.exp(logpdf(x, kappa))


described(
    globals(), "von Mises' on the circle, whose density goes as exp(kappa cos(x)); x is an angle in radians",
    kappa="how narrow it is, positive.",
)
take_deferred(globals())
public(globals())
