"""`adjoint.scipy.stats.dirichlet`: Dirichlet's distribution; the components of x are its first axis."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.types import Array
from ...numpy.promotion import of_one_inexact_dtype
from .. import special
from .operands import floats

__all__ = ["logpdf", "pdf"]


def logpdf(x, alpha) -> Array:
    """Return the logarithm of the density of Dirichlet's distribution at x.

    Args:
      x: ``[k, ...]``, positive components that sum to 1 along the first axis; or ``[k - 1, ...]``, without the last
        one.
      alpha: ``[k]``, positive.
    Returns:
      Floats, in an array with the other axes of `x`; -inf where `x` is no such vector.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: `alpha` has not one axis, or the numbers of components do not fit.

    >>> print(logpdf(jnp.array([0.2, 0.8]), jnp.array([1.0, 2.0])).round(3))
    0.47
    """
    x, alpha = (jnp.asarray(a) for a in of_one_inexact_dtype("dirichlet.logpdf", x, alpha))
    x, alpha = (floats("dirichlet.logpdf", a)[0] for a in (x, alpha))
    if alpha.ndim != 1:
        raise ValueError(
            message(
                f"`alpha` must be one-dimensional; got alpha.shape={alpha.shape}",
                fix="alpha.ravel(), jax.vmap(...) for several",
            )
        )
    if x.shape[0] not in (alpha.shape[0], alpha.shape[0] - 1):
        raise ValueError(
            "`x` must have either the same number of entries as `alpha` or one entry fewer; got "
            f"x.shape={x.shape}, alpha.shape={alpha.shape}"
        )
    if x.shape[0] != alpha.shape[0]:
        x = jnp.concatenate([x, 1 - jnp.sum(x, axis=0, keepdims=True)])
    norm = jnp.sum(special.gammaln(alpha)) - special.gammaln(jnp.sum(alpha))
    powers = alpha.reshape(-1, *(1,) * (x.ndim - 1)) - 1
    value = jnp.sum(special.xlogy(powers, x), axis=0) - norm
    inside = jnp.all(x > 0, axis=0) & (jnp.abs(jnp.sum(x, axis=0) - 1) < 1e-6)
    return jnp.where(inside, value, -jnp.inf)


def pdf(x, alpha) -> Array:
    """Return the density of Dirichlet's distribution at x.

    Args:
      x: ``[k, ...]``, positive components that sum to 1 along the first axis; or ``[k - 1, ...]``, without the last
        one.
      alpha: ``[k]``, positive.
    Returns:
      Floats, in an array with the other axes of `x`; 0 where `x` is no such vector.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: `alpha` has not one axis, or the numbers of components do not fit.

    >>> print(pdf(jnp.array([0.2, 0.8]), jnp.array([1.0, 2.0])).round(3))
    1.6
    """
    return jnp.exp(logpdf(x, alpha))

public(globals())
