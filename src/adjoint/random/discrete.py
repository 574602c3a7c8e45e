"""Random integers, truth values and choices among categories.

Integers in an interval come from twice as many bits as they have, so that they are nearly equally likely; a
category is the largest of log-probabilities with Gumbel noise. `counts.py` has numbers of events.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.errors import describe, message
from ..core.types import Array, aval_of, type_of
from ..numpy.promotion import check_arraylike, promote_shapes
from ..parallel.arrays import with_out_sharding
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, WORTH, replayed
from .arguments import (
    any_dtype,
    broadcast_to,
    check_shape,
    int_dtype,
    sample_shape,
    shape_argument,
    shape_of,
    single_key,
    strong,
)
from .continuous import gumbel, gumbel_mode, uniform
from .immediate import is_concrete, randint_now, split_keys, unpack
from .keys import raw_bits

__all__ = ["bernoulli", "categorical", "geometric", "rademacher", "randint"]


# ---- integers ------------------------------------------------------------------------------------


def randint(
    key, shape, minval, maxval, dtype: Any = None, *, out_sharding=None
) -> Array:
    """Return integers that are uniformly distributed in [minval, maxval).

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      minval, maxval: integers, or arrays of integers, that broadcast to `shape`. Where the interval is
        empty, the result is `minval`.
      dtype: an integer dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: the dtype is not an integer dtype.
      OverflowError: a bound is a Python integer that the default integer dtype cannot hold.

    >>> random.randint(random.key(0), (3,), 0, 10)
    Array([9, 0, 2], dtype=int32)
    """
    key = single_key("randint", key)
    dtype = any_dtype(dtype, dtypes.default_int)
    if not dtypes.issubdtype(dtype, np.integer):
        raise TypeError(
            message(
                f"randint only accepts integer dtypes, got {dtype.name}",
                fix="random.randint(...).astype(dtype), or random.uniform for floats",
            )
        )
    check_arraylike("randint", minval, maxval)
    shape = shape_argument(shape)
    check_shape("randint", shape, shape_of(minval), shape_of(maxval))
    if out_sharding is not None:
        return with_out_sharding("randint", out_sharding, randint, key, shape, minval, maxval, dtype)
    if is_concrete(key) and type(minval) is int and type(maxval) is int:
        for bound in (minval, maxval):
            aval_of(bound)  # OverflowError
        return _randint_part(key, shape, dtype, minval, maxval)
    return _any_randint(key, shape, dtype, minval, maxval)


@replayed(compiles_after=WORTH)
def _randint_part(key, shape, dtype, minval, maxval):
    return (randint_now if is_concrete(key) else _any_randint)(key, shape, dtype, minval, maxval)


def _any_randint(key, shape, dtype, minval, maxval):
    if dtypes.itemsize_bits(dtype) >= 32:
        return _randint(key, shape, minval, maxval, dtype)
    # Narrow integers are made as int32, in which the upper bound fits even if it is 2^8 or 2^16.
    least, most = int(dtypes.iinfo(dtype).min), int(dtypes.iinfo(dtype).max)
    low = jnp.clip(strong(minval, dtypes.int32), min=least, max=most)
    high = jnp.clip(strong(maxval, dtypes.int32), min=least, max=most + 1)
    return lax.convert_element_type(_randint(key, shape, low, high, dtypes.int32), dtype)


@inner_jit(static_argnames=("shape", "dtype"))
def _randint(key, shape, minval, maxval, dtype):
    width = dtypes.itemsize_bits(dtype)
    unsigned = np.dtype(f"uint{width}")
    number = unsigned.type
    minval, maxval = (
        x
        if dtypes.issubdtype(dtypes.dtype_of(x), np.integer)
        else lax.convert_element_type(x, dtypes.default_int())
        for x in (minval, maxval)
    )
    # The upper bound may be one more than the dtype can hold: it is clipped, and that is remembered.
    most = dtype.type(dtypes.iinfo(dtype).max)
    beyond = lax.gt(maxval, _into(most, dtypes.dtype_of(maxval)))
    low, high = _into(minval, dtype), _into(maxval, dtype)
    low, high = (lax.broadcast_to_rank(x, len(shape)) for x in (low, high))
    first, second = (raw_bits(k, width, shape) for k in split_keys(key))
    # An empty interval counts as one number; the interval of all numbers has 2^width, which is 0.
    span = lax.convert_element_type(lax.sub(high, low), unsigned)
    empty = lax.le(high, low)
    span = lax.select(empty, broadcast_to(number(1), shape_of(span)), span)
    whole = lax.bitwise_and(*promote_shapes("randint", [beyond, lax.gt(high, low)]))
    span = lax.select(whole, lax.add(span, number(1)), span)
    # (first 2^width + second) mod span: with twice the bits the numbers are nearly equally likely.
    half = lax.rem(number(2 ** (width // 2)), span)
    factor = lax.rem(lax.mul(half, half), span)
    product = lax.mul(lax.rem(first, span), factor)
    offset = lax.rem(lax.add(product, lax.rem(second, span)), span)
    return lax.add(low, strong(offset, dtype))


def _into(x, dtype):
    """Return an integer converted to an integer dtype, clipped to what both can hold."""
    own = dtypes.dtype_of(x)
    bound = int if dtypes.is_weakly_typed(x) else own.type
    least = bound(max(int(dtypes.iinfo(d).min) for d in (own, dtype)))
    most = bound(min(int(dtypes.iinfo(d).max) for d in (own, dtype)))
    return strong(jnp.clip(x, least, most), dtype)


# ---- truth values --------------------------------------------------------------------------------


def bernoulli(key, p=0.5, shape=None, mode: str = "low", *, out_sharding=None) -> Array:
    """Return True with probability `p`.

    Args:
      key: a key, typed or raw.
      p: probabilities, of a float dtype, that broadcast to `shape`.
      shape: the shape of the result; by default that of `p`.
      mode: "low" compares with one uniform number; "high" with one of twice the bits, which is right
        for very small probabilities.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Booleans, in an array of that shape, or of the shape of `p`. The dtype is bool.
    Raises:
      TypeError: `p` is not of a float dtype.
      ValueError: the mode is none of these, or the shapes do not fit.

    >>> random.bernoulli(random.key(0), 0.5, (3,))
    Array([False, False,  True], dtype=bool)
    """
    if mode not in ("high", "low"):
        raise ValueError(message(f"got {mode=}, expected 'high' or 'low'", fix='mode="low"'))
    key = single_key("bernoulli", key)
    dtype = dtypes.dtype_of(p)
    if not dtypes.issubdtype(dtype, np.floating):
        raise TypeError(
            message(
                f"bernoulli probability `p` must have a floating dtype, got {dtype.name}.",
                why=f"p is {describe(p)}.",
                fix="random.bernoulli(key, p.astype(float)), or 1.0 for 1",
            )
        )
    shape = sample_shape("bernoulli", shape, shape_of(p))
    if out_sharding is not None:
        return with_out_sharding("bernoulli", out_sharding, bernoulli, key, p, shape, mode)
    return _bernoulli(key, strong(p, dtype), shape, mode)


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("shape", "mode"))
def _bernoulli(key, p, shape, mode):
    dtype = dtypes.dtype_of(p)
    if mode == "low":
        u = uniform(key, shape, dtype)
        return lax.lt(*promote_shapes("bernoulli", [u, p]))
    first, second = unpack(uniform(key, (2, *shape), dtype))
    # first + eps second < p, without losing the low bits in the sum
    fine = lax.mul(second, dtype.type(dtypes.finfo(dtype).eps))
    p, first = promote_shapes("bernoulli", [p, first])
    return lax.lt(fine, lax.sub(p, first))


def rademacher(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return -1 or 1, with equal probability.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: any dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.

    >>> random.rademacher(random.key(0), (3,))
    Array([-1, -1,  1], dtype=int32)
    """
    key = single_key("rademacher", key)
    dtype = any_dtype(dtype, dtypes.default_int)
    if out_sharding is not None:
        return with_out_sharding("rademacher", out_sharding, rademacher, key, shape, dtype)
    return _rademacher(key, shape_argument(shape), dtype)


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("shape", "dtype"))
def _rademacher(key, shape, dtype):
    heads = lax.convert_element_type(bernoulli(key, 0.5, shape), dtype)
    if dtype == dtypes.bool_:
        return lax.bitwise_or(heads, True)
    return lax.sub(lax.mul(dtype.type(2), heads), dtype.type(1))


# ---- categories ----------------------------------------------------------------------------------


def categorical(
    key, logits, axis: int = -1, shape=None, replace: bool = True, mode: str | None = None, *,
    out_sharding=None,
) -> Array:
    """Return categories with given logarithms of probabilities.

    Args:
      key: a key, typed or raw.
      logits: logarithms of probabilities, which need not be normalised, with the categories on `axis`.
      axis: the axis of the categories.
      shape: the shape of the result, to which that of `logits` without `axis` broadcasts; its further
        axes in front are samples. By default one sample.
      replace: whether samples may repeat a category.
      mode: "low" or "high", as in `gumbel`.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Indices along `axis`, of the default integer dtype.
    Raises:
      ValueError: shapes do not fit, or there are fewer categories than samples without replacement.

    >>> random.categorical(random.key(0), jnp.log(jnp.array([.1, .2, .7])), shape=(4,))
    Array([1, 2, 2, 1], dtype=int32)
    """
    key = single_key("categorical", key)
    check_arraylike("categorical", logits)
    mode = gumbel_mode(mode)
    logits = strong(logits, type_of(logits).dtype)
    if out_sharding is not None:
        return with_out_sharding("categorical", out_sharding, categorical, key, logits, axis, shape, replace, mode)
    ndim = len(shape_of(logits))
    if type(axis) is not int:
        np.delete(shape_of(logits), axis)                           # NumPy's errors for what is no axis
    if not -ndim <= axis < ndim:
        raise IndexError(
            message(
                f"index {axis} is out of bounds for axis 0 with size {ndim}",
                why=f"random.categorical was given logits {describe(logits)} and axis={axis}.",
                fix="axis=-1",
            )
        )
    axis = axis % ndim
    lengths = logits.shape
    batch = lengths[:axis] + lengths[axis + 1 :]
    if shape is None:
        shape = batch
    else:
        shape = shape_argument(shape)
        check_shape("categorical", shape, batch)
    samples = shape[: len(shape) - len(batch)]
    n = lengths[axis]
    if replace:
        full = list(shape[len(samples) :])
        full.insert(axis, n)
        noise = gumbel(key, (*samples, *full), logits.dtype, mode)
        logits = lax.expand_dims(logits, range(len(samples)))
        return jnp.argmax(lax.add(noise, logits), axis=len(samples) + axis)
    count = prod(samples)
    if count > n:
        raise ValueError(
            message(
                f"Number of samples without replacement ({count}) cannot exceed number of categories "
                f"({n}).",
                fix="replace=True, or fewer samples",
            )
        )
    noisy = lax.add(logits, gumbel(key, lengths, logits.dtype, mode))
    _, best = lax.top_k(noisy, count, axis=axis)
    order = (axis, *(i for i in range(ndim) if i != axis))
    return lax.reshape(best, shape, order)


def geometric(key, p, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return how many trials of probability `p` it takes until the first success.

    Args:
      key: a key, typed or raw.
      p: probabilities that broadcast to `shape`.
      shape: the shape of the result; by default that of `p`.
      dtype: an integer dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.

    >>> random.geometric(random.key(0), 0.3, (3,))
    Array([1, 1, 4], dtype=int32)
    """
    key = single_key("geometric", key)
    dtype = int_dtype("geometric", dtype)
    shape = sample_shape("geometric", shape, shape_of(p))
    if out_sharding is not None:
        return with_out_sharding("geometric", out_sharding, geometric, key, p, shape, dtype)
    return _geometric(key, p, shape, dtype)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _geometric(key, p, shape, dtype):
    check_arraylike("geometric", p)
    inner = dtypes.to_inexact_dtype(dtypes.dtype_of(p))
    if dtypes.dtype_of(p) != inner:
        p = strong(p, inner)
    u = uniform(key, shape, inner)
    u = jnp.where(lax.eq(u, inner.type(0)), 1, u)
    log_u = lax.log(u)
    log_failure = broadcast_to(lax.log1p(lax.neg(p)), shape)
    trials = lax.add(lax.floor(lax.div(log_u, log_failure)), inner.type(1))
    return lax.convert_element_type(trials, dtype)
