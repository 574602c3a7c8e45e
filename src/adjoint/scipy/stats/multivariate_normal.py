"""`adjoint.scipy.stats.multivariate_normal`: the normal distribution of vectors."""

from __future__ import annotations

from math import log, pi

from ... import lax
from ... import numpy as jnp
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.types import Array
from ...lax import linalg as lax_linalg
from ...numpy.promotion import check_arraylike, convert

__all__ = ["logpdf", "pdf"]


def logpdf(x, mean, cov, allow_singular: None = None) -> Array:
    """Return the logarithm of the density of a normal distribution of vectors at x.

    Args:
      x, mean: `[..., n]`, or scalars.
      cov: positive definite, `[..., n, n]`; or the variance, a scalar.
      allow_singular: must be None.
    Returns:
      Floats, in an array of the shape to which the batch axes broadcast; NaN where `cov` is not positive definite.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      NotImplementedError: allow_singular is given.
      ValueError: the shapes do not fit.

    >>> print(logpdf(0.0, 0.0, 1.0).round(3))
    -0.919
    """
    if allow_singular is not None:
        raise NotImplementedError("allow_singular argument of multivariate_normal.logpdf")
    check_arraylike("multivariate_normal.logpdf", x, mean, cov)
    dtype, weak = dtypes.lattice_result_type(x, mean, cov)
    x, mean, cov = (convert(jnp.asarray(a), dtypes.to_inexact_dtype(dtype), weak) for a in (x, mean, cov))
    if not mean.shape:
        return -0.5 * jnp.square(x - mean) / cov - 0.5 * (log(2 * pi) + jnp.log(cov))
    n = mean.shape[-1]
    if not cov.shape:
        y = x - mean
        squares = convert(jnp.sum(y * y, axis=-1), y.dtype, weak)
        return -0.5 * squares / cov - n / 2 * (log(2 * pi) + jnp.log(cov))
    if cov.ndim < 2 or cov.shape[-2:] != (n, n):
        raise ValueError("multivariate_normal.logpdf got incompatible shapes")
    factor = lax_linalg.cholesky(cov)
    batch = lax.broadcast_shapes(x.shape[:-1], mean.shape[:-1], cov.shape[:-2])
    y = jnp.broadcast_to(x - mean, (*batch, n))
    factors = jnp.broadcast_to(factor, (*batch, n, n))
    y = lax_linalg.triangular_solve(factors, y[..., None], left_side=True, lower=True)[..., 0]
    logs = jnp.sum(jnp.log(jnp.diagonal(factor, axis1=-1, axis2=-2)), axis=-1)
    return -0.5 * jnp.sum(y * y, axis=-1) - n / 2 * log(2 * pi) - logs


def pdf(x, mean, cov) -> Array:
    """Return the density of a normal distribution of vectors at x.

    Args:
      x, mean: `[..., n]`, or scalars.
      cov: positive definite, `[..., n, n]`; or the variance, a scalar.
    Returns:
      Floats, in an array of the shape to which the batch axes broadcast; NaN where `cov` is not positive definite.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: the shapes do not fit.

    >>> print(pdf(0.0, 0.0, 1.0).round(3))
    0.399
    """
    return lax.exp(logpdf(x, mean, cov))

public(globals())
