"""Continuous distributions that are functions of one uniform sample, and the uniform one itself.

A uniform number is random bits put behind the exponent of 1, less 1: every value has the same spacing, and
there is no rounding. The others invert their distribution functions. `gaussian.py` goes on from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.errors import message
from ..core.options.config import local
from ..core.types import Array
from ..numpy.promotion import check_arraylike, promote_shapes
from ..parallel.arrays import with_out_sharding
from ..prims.shape import reshape
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, WORTH, replayed
from .arguments import (
    broadcast_to,
    draw,
    float_dtype,
    parameter,
    sample_shape,
    shape_argument,
    shape_of,
    single_key,
    strong,
)
from .immediate import is_immediate, uniform_now, unpack
from .keys import raw_bits

__all__ = [
    "cauchy", "exponential", "gumbel", "laplace", "logistic", "pareto", "rayleigh", "triangular", "uniform",
    "weibull_min",
]


# ---- uniform -------------------------------------------------------------------------------------


def uniform(
    key, shape=(), dtype: Any = None, minval=0.0, maxval=1.0, *, out_sharding=None
) -> Array:
    """Return numbers that are uniformly distributed in [minval, maxval).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype; float32 by default, float64 with 64-bit types on.
      minval, maxval: bounds that broadcast to `shape`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      ValueError: the dtype is not a float dtype.
      TypeError, ValueError: `key` is not a key, or several.

    >>> random.uniform(random.key(0), (3,))
    Array([0.947667 , 0.9785799, 0.3322965], dtype=float32)
    """
    key = single_key("uniform", key)
    dtype = float_dtype("uniform", dtype)
    shape = shape_argument(shape)
    if out_sharding is not None:
        return with_out_sharding("uniform", out_sharding, uniform, key, shape, dtype, minval, maxval)
    immediate = is_immediate(key, dtype, minval, maxval)
    return (_uniform_part if immediate else _uniform)(key, shape, dtype, minval, maxval)


@replayed(compiles_after=WORTH)
def _uniform_part(key, shape, dtype, minval, maxval):
    if is_immediate(key, dtype, minval, maxval):
        return uniform_now(key, shape, dtype, minval, maxval)
    return _uniform(key, shape, dtype, minval, maxval)


@inner_jit(static_argnames=("shape", "dtype"))
def _uniform(key, shape, dtype, minval, maxval):
    check_arraylike("uniform", minval, maxval)
    low, high = strong(minval, dtype), strong(maxval, dtype)
    low, high = (lax.broadcast_to_rank(x, len(shape)) for x in (low, high))
    scaled = lax.add(lax.mul(_unit(key, shape, dtype), lax.sub(high, low)), low)
    if not shape:  # JAX parity: a scalar is reshaped, test_jaxprs
        scaled = reshape(scaled, new_sizes=shape, dimensions=None, sharding=None)
    return lax.max(low, scaled)


def _unit(key, shape, dtype):
    """Floats in [0, 1): random bits as the mantissa of a number in [1, 2), less 1."""
    info = dtypes.finfo(dtype)
    width = 8 if info.nmant < 8 else info.bits  # no more bits than the mantissa needs
    bits = raw_bits(key, width, shape)
    unsigned = np.dtype(f"uint{info.bits}")
    if width != info.bits:
        bits = lax.convert_element_type(bits, unsigned)
    one = dtype.type(1)
    mantissa = lax.shift_right_logical(bits, unsigned.type(width - info.nmant))
    floats = lax.bitwise_or(mantissa, np.asarray(one).view(unsigned)[()])
    return lax.sub(lax.bitcast_convert_type(floats, dtype), one)


# ---- exponential and its like --------------------------------------------------------------------


def exponential(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density exp(-x) for x >= 0.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.exponential(random.key(0), (2,))
    Array([2.950118, 3.8436253], dtype=float32)
    """
    return draw(_exponential, "exponential", key, (), shape, dtype, out_sharding)


@inner_jit(static_argnames=("shape", "dtype"))
def _exponential(key, shape, dtype):
    return _exponential_of(uniform(key, shape, dtype))


@replayed
def _exponential_of(u):
    return lax.neg(lax.log1p(lax.neg(u)))  # 1 - u is never 0, u may be


def laplace(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density exp(-|x|) / 2.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.laplace(random.key(0), (2,))
    Array([-2.2569709, -3.150478 ], dtype=float32)
    """
    return draw(_laplace, "laplace", key, (), shape, dtype, out_sharding)


@inner_jit(static_argnames=("shape", "dtype"))
def _laplace(key, shape, dtype):
    low = dtypes.finfo(dtype).epsneg - 1
    # Under a transformation the bound is a number of the dtype, which Python has for some only.
    low = dtype.type(low) if dtype.kind == "f" else float(low)
    return _laplace_of(_between(key, shape, dtype, low, 1.0))


@replayed
def _laplace_of(u):
    return lax.mul(lax.sign(u), lax.log1p(lax.neg(lax.abs(u))))


def _between(key, shape, dtype, low, high):
    """Return `uniform` whose bounds may be scalars of the dtype."""
    if is_immediate(key, dtype):
        return _uniform_part(key, shape, dtype, float(low), high)
    return _uniform(key, shape, dtype, low, high)


def logistic(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with the distribution function 1 / (1 + exp(-x)).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.logistic(random.key(0), (2,))
    Array([2.8963692, 3.8219738], dtype=float32)
    """
    return draw(_logistic, "logistic", key, (), shape, dtype, out_sharding)


@inner_jit(static_argnames=("shape", "dtype"))
def _logistic(key, shape, dtype):
    return _logistic_of(_between(key, shape, dtype, dtypes.finfo(dtype).tiny, 1.0))


@replayed
def _logistic_of(u):
    return lax.sub(lax.log(u), lax.log1p(lax.neg(u)))


def cauchy(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density 1 / (pi (1 + x^2)).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.cauchy(random.key(0), (2,))
    Array([ 6.027708, 14.83778 ], dtype=float32)
    """
    return draw(_cauchy, "cauchy", key, (), shape, dtype, out_sharding)


@inner_jit(static_argnames=("shape", "dtype"))
def _cauchy(key, shape, dtype):
    return _cauchy_of(_between(key, shape, dtype, dtypes.finfo(dtype).eps, 1.0))


@replayed
def _cauchy_of(u):
    number = u.dtype.type
    return lax.tan(lax.mul(number(np.pi), lax.sub(u, number(0.5))))


# ---- gumbel --------------------------------------------------------------------------------------


def gumbel(key, shape=(), dtype: Any = None, mode: str | None = None, *, out_sharding=None) -> Array:
    """Return numbers with the distribution function exp(-exp(-x)).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      mode: "low" takes one uniform number for each result, so the largest have few bits; "high"
        takes two, which is right in the tail. By default "low", or what the option
        `jax_high_dynamic_range_gumbel` says.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      ValueError: the mode or the dtype is none of these.

    >>> random.gumbel(random.key(0), (2,))
    Array([2.9234805, 3.832845 ], dtype=float32)
    """
    key = single_key("gumbel", key)
    dtype = float_dtype("gumbel", dtype)
    if out_sharding is not None:
        return with_out_sharding("gumbel", out_sharding, gumbel, key, shape, dtype, mode)
    return _gumbel(key, shape_argument(shape), dtype, gumbel_mode(mode))


def gumbel_mode(mode: str | None) -> str:
    if mode is None:
        return "high" if local.high_dynamic_range_gumbel else "low"
    if mode == "highest":  # the name that JAX has for it too
        return "high"
    if mode not in ("high", "low"):
        raise ValueError(
            message(
                f"Must provide valid mode for gumbel got: {mode}",
                why='"low" is fast, "high" has the full range of the dtype in the tail.',
                fix='mode="low"',
            )
        )
    return mode


def _above(key, shape, dtype, low):
    if is_immediate(key, dtype):
        return _uniform_part(key, shape, dtype, float(low), 1.0)
    return _uniform(key, shape, dtype, minval=low, maxval=1.0)


@replayed
def _gumbel_of(u):
    return lax.neg(lax.log(lax.neg(lax.log(u))))


@inner_jit(static_argnames=("shape", "dtype", "mode"))
def _gumbel(key, shape, dtype, mode):
    info = dtypes.finfo(dtype)
    if mode == "low":
        return _gumbel_of(_above(key, shape, dtype, info.tiny))
    high, low = unpack(_above(key, (2, *shape), dtype, 0.0))
    # Below 1/2 the second number fills in the bits that the first one lacks.
    enough = lax.ge(high, dtype.type(0.5))
    fine = lax.add(lax.add(high, lax.mul(dtype.type(info.eps), low)), dtype.type(info.tiny))
    u = jnp.where(enough, high, fine)
    return lax.neg(lax.log(lax.neg(lax.log1p(lax.neg(u)))))


# ---- with parameters -----------------------------------------------------------------------------


def rayleigh(key, scale, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density x exp(-x^2 / (2 scale^2)) / scale^2 for x >= 0.

    Args:
      key: a key, typed or raw.
      scale: array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `scale`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.rayleigh(random.key(0), 1., (2,))
    Array([0.32787833, 0.20810027], dtype=float32)
    """
    return draw(_rayleigh, "rayleigh", key, (scale,), shape, dtype, out_sharding)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _rayleigh(key, scale, shape, dtype):
    u = uniform(key, shape, dtype)
    scale = broadcast_to(parameter("rayleigh", scale, dtype), shape)
    return lax.mul(scale, lax.sqrt(lax.mul(lax.log(u), dtype.type(-2))))


def weibull_min(key, scale, concentration, shape=(), dtype: Any = None) -> Array:
    """Return numbers with the distribution function 1 - exp(-(x / scale)^concentration) for x >= 0.

    Args:
      key: a key, typed or raw.
      scale, concentration: arrays that broadcast to `shape`.
      shape: the shape of the result.
      dtype: a float dtype.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.weibull_min(random.key(0), 1., 2., (2,))
    Array([1.7175907, 1.9605166], dtype=float32)
    """
    key = single_key("weibull_min", key)
    dtype = float_dtype("weibull_min", dtype)
    return _weibull_min(key, scale, concentration, shape_argument(shape), dtype)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(3, 4))
@inner_jit(static_argnames=("shape", "dtype"))
def _weibull_min(key, scale, concentration, shape, dtype):
    u = uniform(key, shape, dtype, minval=0, maxval=1)
    power = jnp.power(lax.neg(lax.log1p(lax.neg(u))), 1.0 / concentration)
    return power * scale


def pareto(key, b, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density b x^(-b - 1) for x >= 1.

    Args:
      key: a key, typed or raw.
      b: array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `b`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.pareto(random.key(0), 2., (2,))
    Array([4.3713155, 6.832648 ], dtype=float32)
    """
    key = single_key("pareto", key)
    dtype = float_dtype("pareto", dtype)
    if shape is not None:
        shape = sample_shape("pareto", shape, shape_of(b))
    if out_sharding is not None:
        return with_out_sharding("pareto", out_sharding, pareto, key, b, shape, dtype)
    return _pareto(key, b, shape, dtype)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _pareto(key, b, shape, dtype):
    b = parameter("pareto", b, dtype)
    e = exponential(key, shape_of(b) if shape is None else shape, dtype)
    return lax.exp(lax.div(*promote_shapes("pareto", [e, b])))


def triangular(key, left, mode, right, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers whose density rises linearly from `left` to `mode` and falls linearly to `right`.

    Args:
      key: a key, typed or raw.
      left, mode, right: arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.triangular(random.key(0), 0., 1., 2., (2,))
    Array([1.6764786, 1.7930213], dtype=float32)
    """
    return draw(_triangular, "triangular", key, (left, mode, right), shape, dtype, out_sharding)


@replayed(compiles_after=WORTH, scalars=True, static=(4, 5))
def _triangular(key, left, mode, right, shape, dtype):
    left, right, mode = (broadcast_to(parameter("triangular", x, dtype), shape) for x in (left, right, mode))
    rise = lax.div(lax.sub(mode, left), lax.sub(right, left))
    u = uniform(key, shape, dtype)
    one = dtype.type(1)
    below = lax.sqrt(lax.mul(lax.mul(u, lax.sub(right, left)), lax.sub(mode, left)))
    below = lax.add(left, below)
    width = lax.mul(lax.sub(one, u), lax.sub(right, left))
    above = lax.sub(right, lax.sqrt(lax.mul(width, lax.sub(right, mode))))
    return lax.select(lax.lt(u, rise), below, above)
