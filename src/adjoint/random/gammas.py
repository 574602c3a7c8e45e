"""The gamma distribution and those made of gamma-distributed numbers, and points in balls.

Ratios and small powers of such numbers are formed from their logarithms, which do not underflow.

Tests: `tests/random/test_continuous.py`.
"""

from __future__ import annotations

from operator import index
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core.messages.errors import message
from ..core.types import Array
from ..numpy.promotion import promote_shapes
from ..parallel.arrays import with_out_sharding
from ..prims.random_gamma import random_gamma
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, replayed
from .arguments import (
    broadcast_to,
    check_shape,
    draw,
    float_dtype,
    parameter,
    sample_shape,
    shape_argument,
    shape_of,
    single_key,
    strong,
)
from .continuous import exponential
from .discrete import rademacher
from .gaussian import normal
from .immediate import split_keys
from .keys import split

__all__ = ["ball", "beta", "chisquare", "dirichlet", "f", "gamma", "generalized_normal", "loggamma", "t"]


# ---- gamma ---------------------------------------------------------------------------------------


def gamma(key, a, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density x^(a - 1) exp(-x) / gamma(a) for x >= 0.

    Args:
      key: a key, typed or raw.
      a: the shape of the distribution, an array that broadcasts to `shape`. The result can be
        differentiated by it.
      shape: the shape of the result; by default that of `a`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.gamma(random.key(0), 3., (2,))
    Array([2.5691018, 2.784202 ], dtype=float32)
    """
    return _checked_gamma("gamma", key, a, shape, dtype, out_sharding, log_space=False)


def loggamma(key, a, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return logarithms of gamma-distributed numbers, exact for small `a`, where the numbers underflow.

    Args:
      key: a key, typed or raw.
      a: the shape of the distribution, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `a`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.loggamma(random.key(0), 1e-3, (2,))
    Array([-110.61791,  -95.54807], dtype=float32)
    """
    return _checked_gamma("loggamma", key, a, shape, dtype, out_sharding, log_space=True)


def _checked_gamma(name, key, a, shape, dtype, out_sharding, log_space):
    key = single_key(name, key)
    dtype = float_dtype("gamma", dtype)
    if shape is not None:
        shape = sample_shape("gamma", shape, shape_of(a))
    if out_sharding is not None:
        return with_out_sharding(name, out_sharding, _checked_gamma, name, key, a, shape, dtype, None, log_space)
    return _gamma(key, a, shape, dtype, log_space)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3, 4))
@inner_jit(static_argnames=("shape", "dtype", "log_space"))
def _gamma(key, a, shape, dtype, log_space):
    a = strong(a, dtype)
    if shape is not None:
        a = broadcast_to(a, shape)
    return random_gamma(key, a, log_space=log_space)


# ---- functions of gamma numbers ------------------------------------------------------------------


def beta(key, a, b, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density proportional to x^(a - 1) (1 - x)^(b - 1) for 0 <= x <= 1.

    Args:
      key: a key, typed or raw.
      a, b: arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.beta(random.key(0), 1., 2.)
    Array(0.1329..., dtype=float32)
    """
    return draw(_beta, "beta", key, (a, b), shape, dtype, out_sharding)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(3, 4))
@inner_jit(static_argnames=("shape", "dtype"))
def _beta(key, a, b, shape, dtype):
    a, b = parameter("beta", a, dtype), parameter("beta", b, dtype)
    key_a, key_b = split_keys(key)
    a, b = broadcast_to(a, shape), broadcast_to(b, shape)
    log_a = loggamma(key_a, a, shape, dtype)
    log_b = loggamma(key_b, b, shape, dtype)
    most = lax.max(log_a, log_b)
    part = lax.exp(lax.sub(log_a, most))
    return lax.div(part, lax.add(part, lax.exp(lax.sub(log_b, most))))


def dirichlet(key, alpha, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return vectors of probabilities, with density proportional to the product of x_i^(alpha_i - 1).

    Args:
      key: a key, typed or raw.
      alpha: arrays of shape (..., n).
      shape: the leading axes of the result; by default those of `alpha`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, n), whose last axis sums to 1. The dtype is `dtype`, by default the default float.
    Raises:
      ValueError: `alpha` is a scalar, or the shapes do not fit.

    >>> random.dirichlet(random.key(0), jnp.ones(3))
    Array([0.364..., 0.428..., 0.206...], dtype=float32)
    """
    key = single_key("dirichlet", key)
    dtype = float_dtype("dirichlet", dtype)
    lengths = shape_of(alpha)
    if not lengths:
        raise ValueError(
            message(
                "dirichlet requires alpha.ndim >= 1, got alpha.ndim == 0",
                fix="jnp.full(n, alpha)",
            )
        )
    if shape is None:
        shape = lengths[:-1]
    else:
        shape = shape_argument(shape)
        check_shape("dirichlet", shape, lengths[:-1])
    if out_sharding is not None:
        return with_out_sharding("dirichlet", out_sharding, dirichlet, key, alpha, shape, dtype)
    return _dirichlet(key, alpha, shape, dtype)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _dirichlet(key, alpha, shape, dtype):
    alpha = strong(alpha, dtype)
    logs = loggamma(key, alpha, shape + shape_of(alpha)[-1:], dtype)
    axis = logs.ndim - 1
    axes, over = tuple(range(axis)), (axis,)
    most = lax.max(dtype.type("-inf"), lax.reduce_max(logs, over))
    most = lax.stop_gradient(lax.broadcast_in_dim(most, (*shape, 1), axes))
    parts = lax.exp(lax.sub(logs, most))
    total = lax.reduce_sum(parts, over)
    return lax.div(parts, lax.broadcast_in_dim(total, (*shape, 1), axes))


def chisquare(key, df, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with the chi-squared distribution: sums of `df` squares of normal numbers.

    Args:
      key: a key, typed or raw.
      df: degrees of freedom, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `df`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.chisquare(random.key(0), 3.)
    Array(2.205..., dtype=float32)
    """
    return draw(_chisquare, "chisquare", key, (df,), shape, dtype, out_sharding)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _chisquare(key, df, shape, dtype):
    two = dtype.type(2)
    half = lax.div(parameter("chisquare", df, dtype), two)
    return lax.mul(lax.exp(loggamma(key, half, shape, dtype)), two)


def f(key, dfnum, dfden, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with the F distribution: ratios of chi-squared numbers, each by its degrees of freedom.

    Args:
      key: a key, typed or raw.
      dfnum, dfden: degrees of freedom of numerator and denominator, arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.f(random.key(0), 3., 2.)
    Array(3.507..., dtype=float32)
    """
    return draw(_f, "f", key, (dfnum, dfden), shape, dtype, out_sharding)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(3, 4))
@inner_jit(static_argnames=("shape", "dtype"))
def _f(key, dfnum, dfden, shape, dtype):
    dfden, dfnum = parameter("f", dfden, dtype), parameter("f", dfnum, dtype)
    key_den, key_num = split_keys(key)
    num = chisquare(key_num, dfnum, shape, dtype)
    den = chisquare(key_den, dfden, shape, dtype)
    num, dfnum = promote_shapes("f", [num, dfnum])
    den, dfden = promote_shapes("f", [den, dfden])
    return lax.div(lax.div(num, dfnum), lax.div(den, dfden))


def t(key, df, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with Student's t distribution.

    Args:
      key: a key, typed or raw.
      df: degrees of freedom, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `df`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.t(random.key(0), 3.)
    Array(0.690..., dtype=float32)
    """
    return draw(_t, "t", key, (df,), shape, dtype, out_sharding)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _t(key, df, shape, dtype):
    df = parameter("t", df, dtype)
    normal_key, gamma_key = split_keys(key)
    n = normal(normal_key, shape, dtype)
    half = lax.div(df, dtype.type(2))
    g = gamma(gamma_key, half, shape, dtype)
    half, g = promote_shapes("t", [half, g])
    return lax.mul(n, lax.sqrt(lax.div(half, g)))


# ---- powers of them ------------------------------------------------------------------------------


def generalized_normal(
    key, p, shape=(), dtype: Any = None, *, out_sharding=None
) -> Array:
    """Return numbers with density proportional to exp(-|x|^p).

    Args:
      key: a key, typed or raw.
      p: the power.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.generalized_normal(random.key(0), 2.)
    Array(0.9542..., dtype=float32)
    """
    key = single_key("generalized_normal", key)
    dtype = float_dtype("generalized_normal", dtype)
    if out_sharding is not None:
        return with_out_sharding("generalized_normal", out_sharding, generalized_normal, key, p, shape, dtype)
    return _generalized_normal(key, p, shape_argument(shape), dtype)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _generalized_normal(key, p, shape, dtype):
    keys = split(key)
    size = gamma(keys[0], 1 / p, shape, dtype)
    return rademacher(keys[1], shape, dtype) * jnp.power(size, 1 / p)


def ball(key, d: int, p: float = 2, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return points that are uniformly distributed in the ball of the p-norm with radius 1.

    Args:
      key: a key, typed or raw.
      d: the number of coordinates.
      p: the power of the norm.
      shape: the leading axes of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, d).
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.ball(random.key(0), 3).shape
    (3,)
    """
    key = single_key("ball", key)
    dtype = float_dtype("ball", dtype)
    if out_sharding is not None:
        return with_out_sharding("ball", out_sharding, ball, key, d, p, shape, dtype)
    return _ball(key, p, shape_argument(shape), index(d), dtype)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3, 4))
@inner_jit(static_argnames=("shape", "d", "dtype"))
def _ball(key, p, shape, d, dtype):
    # Barthe et al., "A probabilistic approach to the geometry of the l_p^n-ball" (2005)
    g_key, e_key = split_keys(key)
    g = generalized_normal(g_key, p, (*shape, d), dtype)
    e = exponential(e_key, shape, dtype)
    norm = jnp.power(jnp.sum(jnp.power(jnp.abs(g), p), -1) + e, 1 / p)
    return g / norm[..., None]
