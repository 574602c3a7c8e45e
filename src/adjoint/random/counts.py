"""Numbers of events: the Poisson, binomial and multinomial distributions.

Each is sampled by rejection, in a loop that ends when every element of the sample has been accepted. The
functions are compiled, since a loop that is run by hand is traced anew each time.

Tests: `tests/random/test_discrete.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array
from ..numpy.promotion import check_arraylike
from ..parallel.arrays import with_out_sharding
from ..prims.generators import THREEFRY
from ..transforms.jit.jit import inner_jit, jit
from .arguments import (
    any_dtype,
    broadcast_to,
    float_dtype,
    sample_shape,
    shape_argument,
    shape_of,
    single_key,
    strong,
)
from .continuous import uniform
from .immediate import split_keys
from .keys import split

__all__ = ["binomial", "multinomial", "poisson"]


def _any_left(mask, turns, most):
    """Return whether an element of `mask` is true and there have been less than `most` turns."""
    left = lax.reduce_or(mask, tuple(range(mask.ndim)))
    return lax.bitwise_and(left, lax.lt(lax.convert_element_type(turns, most.dtype), most))


def _where(mask, on_true, on_false):
    """Return `select` that broadcasts scalars, without a call of its own in jaxprs."""
    dtype = dtypes.dtype_of(on_true if isinstance(on_true, Array) else on_false)
    cases = [broadcast_to(strong(x, dtype), mask.shape) for x in (on_true, on_false)]
    return lax.select(mask, *cases)


# ---- poisson -------------------------------------------------------------------------------------


def poisson(key, lam, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers of events that occur at a mean rate.

    Args:
      key: a key of the generator threefry2x32.
      lam: mean numbers, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `lam`.
      dtype: an integer dtype; int32 by default, int64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      NotImplementedError: the key is of another generator.

    >>> random.poisson(random.key(0), 3., (4,))
    Array([0, 0, 4, 4], dtype=int32)
    """
    key = single_key("poisson", key)
    dtype = any_dtype(dtype, dtypes.default_int)
    if not dtypes.issubdtype(dtype, np.integer):
        raise ValueError(
            message(
                f"Invalid integer data type {dtype.kind!r}.",
                why=f"dtype argument to `poisson` must be an int dtype, got {dtype.name}.",
                fix="random.poisson(...).astype(dtype)",
            )
        )
    impl = key.aval.dtype._impl
    if impl is not THREEFRY:
        raise NotImplementedError(
            message(
                f"`poisson` is only implemented for the threefry2x32 RNG, not {impl.name}",
                fix="random.key(0)",
            )
        )
    check_arraylike("poisson", lam)
    shape = sample_shape("poisson", shape, shape_of(lam))
    if out_sharding is not None:
        return with_out_sharding("poisson", out_sharding, poisson, key, lam, shape, dtype)
    lam = broadcast_to(lam, shape) if isinstance(lam, Array) else lam
    return _poisson(key, broadcast_to(strong(lam, dtypes.float32), shape), shape, dtype)


@jit(static_argnames=("shape", "dtype"))
def _poisson(key, lam, shape, dtype):
    small = lax.bitwise_or(lax.ne(lam, lam), lax.lt(lam, np.float32(10)))
    if_small, if_large = _where(small, lam, 0.0), _where(small, 1e5, lam)
    by_products = _poisson_knuth(key, if_small, shape, dtype)
    by_rejection = _poisson_rejection(key, if_large, shape, dtype)
    out = lax.select(small, by_products, by_rejection)
    return _where(lax.eq(lam, np.float32(0)), 0, out)


@inner_jit(static_argnames=("shape", "dtype"))
def _poisson_knuth(key, lam, shape, dtype):
    # Knuth: the product of uniform numbers stays above exp(-lam) for as many factors.
    most = dtype.type(dtypes.iinfo(dtype).max)

    def more(carry):
        turns, _, _, log_product = carry
        return _any_left(lax.gt(log_product, lax.neg(lam)), turns, most)

    def turn(carry):
        turns, count, key, log_product = carry
        key, subkey = split_keys(key)
        above = lax.gt(log_product, lax.neg(lam))
        count = lax.select(above, lax.add(count, dtype.type(1)), count)
        u = uniform(subkey, shape, np.dtype(np.float32))
        return lax.add(turns, 1), count, key, lax.add(log_product, lax.log(u))

    zero = lax.full(shape, 0, dtype)
    start = 0, zero, key, lax.full(shape, 0, np.float32)
    return lax.sub(lax.while_loop(more, turn, start)[1], dtype.type(1))


@inner_jit(static_argnames=("shape", "dtype"))
def _poisson_rejection(key, lam, shape, dtype):
    # Hörmann, "The transformed rejection method for generating Poisson random variables" (1993): PTRS
    number = np.float32
    most = dtype.type(dtypes.iinfo(dtype).max)
    log_lam = lax.log(lam)
    b = lax.add(number(0.931), lax.mul(number(2.53), lax.sqrt(lam)))
    a = lax.add(number(-0.059), lax.mul(number(0.02483), b))
    inverse_alpha = lax.add(number(1.1239), lax.div(number(1.1328), lax.sub(b, number(3.4))))
    v_r = lax.sub(number(0.9277), lax.div(number(3.6224), lax.sub(b, number(2))))

    def turn(carry):
        turns, out, accepted, key = carry
        key, u_key, v_key = split_keys(key, 3)
        u = lax.sub(uniform(u_key, shape, lam.dtype), number(0.5))
        v = uniform(v_key, shape, lam.dtype)
        us = lax.sub(number(0.5), lax.abs(u))
        slope = lax.add(lax.div(lax.mul(number(2), a), us), b)
        k = lax.floor(lax.add(lax.add(lax.mul(slope, u), lam), number(0.43)))
        height = lax.mul(v, inverse_alpha)
        s = lax.log(lax.div(height, lax.add(lax.div(a, lax.mul(us, us)), b)))
        t = lax.add(lax.neg(lam), lax.mul(k, log_lam))
        t = lax.sub(t, lax.lgamma(lax.add(k, number(1))))
        at_once = lax.bitwise_and(lax.ge(us, number(0.07)), lax.le(v, v_r))
        is_negative = lax.lt(k, number(0))
        in_tail = lax.bitwise_and(lax.lt(us, number(0.013)), lax.gt(v, us))
        out_of_range = lax.bitwise_or(is_negative, in_tail)
        accept = _accept(at_once, out_of_range, lax.le(s, t))
        out = lax.select(accept, k, out)
        return lax.add(turns, 1), out, lax.bitwise_or(accepted, accept), key

    out = _until_accepted(turn, key, shape, lam.dtype, most)
    return lax.convert_element_type(out, dtype)


def _accept(at_once, refused, fits):
    return lax.bitwise_or(at_once, lax.bitwise_and(lax.bitwise_not(refused), fits))


def _until_accepted(turn, key, shape, dtype, most):
    """Run `turn` on (turns, sample, accepted, key) until all are accepted; the sample."""
    start = 0, lax.full(shape, -1, dtype), lax.full(shape, False, bool), key

    def more(carry):
        turns, _, accepted, _ = carry
        return _any_left(lax.bitwise_not(accepted), turns, most)

    return lax.while_loop(more, turn, start)[1]


# ---- binomial ------------------------------------------------------------------------------------


def binomial(key, n, p, shape=None, dtype: Any = None) -> Array:
    """Return numbers of successes in `n` trials of probability `p`.

    Args:
      key: a key, typed or raw.
      n, p: arrays that broadcast to `shape`.
      shape: the shape of the result; by default that of the parameters.
      dtype: a float dtype.
    Returns:
      Whole numbers as floats; NaN where `n` or `p` is out of range.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.binomial(random.key(0), 10, 0.5, (2,))
    Array([6., 7.], dtype=float32)
    """
    key = single_key("binomial", key)
    check_arraylike("binomial", n, p)
    dtype = float_dtype("binomial", dtype)
    shape = sample_shape("binomial", shape, shape_of(n), shape_of(p))
    return _binomial(key, n, p, shape, dtype)


@jit(static_argnames=("shape", "dtype"), inline=True)
def _binomial(key, count, prob, shape, dtype):
    inner = dtypes.to_inexact_dtype(dtypes.dtype_of(prob))
    number = inner.type
    most = dtypes.finfo(dtype).max
    count, prob = (broadcast_to(strong(x, inner), shape) for x in (count, prob))
    # Of the two outcomes of a trial, the less likely one is counted.
    flipped = lax.lt(prob, number(0.5))
    q = lax.select(flipped, prob, lax.sub(number(1), prob))
    count_invalid = lax.bitwise_or(lax.ne(count, count), lax.lt(count, number(0)))
    count_infinite = jnp.isinf(count)
    q_nan, q_negative = lax.ne(q, q), lax.lt(q, number(0))
    q = _where(lax.bitwise_or(q_nan, q_negative), 0.01, q)
    few = lax.bitwise_or(count_invalid, lax.le(lax.mul(count, q), number(10)))
    count = lax.floor(count)
    by_waiting = _binomial_inversion(key, _where(few, count, 0.0), q, shape, most)
    by_rejection = _binomial_rejection(
        key, _where(few, 1e4, count), _where(few, 0.5, q), shape, most
    )
    out = lax.select(few, strong(by_waiting, dtype), strong(by_rejection, dtype))
    invalid = lax.bitwise_or(lax.bitwise_or(q_negative, q_nan), count_invalid)
    out = _where(invalid, np.nan, out)
    infinite = lax.bitwise_and(count_infinite, lax.bitwise_not(invalid))
    out = _where(infinite, np.inf, out)
    keep = lax.bitwise_or(lax.bitwise_or(flipped, count_invalid), q_nan)
    keep = lax.bitwise_or(keep, count_infinite)
    return lax.select(keep, out, lax.sub(strong(count, dtype), out))


def _binomial_inversion(key, count, prob, shape, most):
    """Return the number of geometrically distributed waiting times that fit into `count` trials."""
    dtype = count.dtype
    log_failure = lax.log1p(lax.neg(prob))

    def more(carry):
        turns, _, total, _ = carry
        return _any_left(lax.le(total, count), turns, most)

    def turn(carry):
        turns, times, total, key = carry
        subkey, key = split_keys(key)
        fits = lax.le(total, count)
        times = lax.select(fits, lax.add(times, dtype.type(1)), times)
        u = uniform(subkey, shape, dtype)
        wait = lax.ceil(lax.div(lax.log(u), log_failure))
        return lax.add(turns, 1), times, lax.add(total, wait), key

    zero = lax.full(shape, 0, dtype)
    return lax.sub(lax.while_loop(more, turn, (0, zero, zero, key))[1], dtype.type(1))


# log k! = log sqrt(2 pi) + (k + 1/2) log(k + 1) - (k + 1) + tail(k), for k = 0, ..., 9
_TAILS = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)


def _stirling_tail(k):
    number = k.dtype.type
    tabulated = lax.le(k, number(9))
    # JAX parity: beyond the table the value at 9 is used, test_binomial
    k = lax.clamp(number(0), k, number(9))
    k1 = lax.add(k, number(1))
    square = lax.mul(k1, k1)
    series = lax.sub(number(1 / 360), lax.div(number(1 / 1260), square))
    series = lax.div(lax.sub(number(1 / 12), lax.div(series, square)), k1)
    index = lax.convert_element_type(lax.floor(k), dtypes.int32)
    table = lax.index_take(np.array(_TAILS, k.dtype), (lax.reshape(index, (k.size,)),), (0,))
    return lax.select(tabulated, lax.reshape(table, k.shape), series)


def _binomial_rejection(key, count, prob, shape, most):
    # Hörmann, "The generation of binomial random variates" (1993): BTRS
    dtype = count.dtype
    number = dtype.type
    failure = lax.sub(number(1), prob)
    deviation = lax.sqrt(lax.mul(lax.mul(count, prob), failure))
    b = lax.add(number(1.15), lax.mul(number(2.53), deviation))
    a = lax.add(number(-0.0873), lax.mul(number(0.0248), b))
    a = lax.add(a, lax.mul(number(0.01), prob))
    c = lax.add(lax.mul(count, prob), number(0.5))
    v_r = lax.sub(number(0.92), lax.div(number(4.2), b))
    r = lax.div(prob, failure)
    alpha = lax.mul(lax.add(number(2.83), lax.div(number(5.1), b)), deviation)
    m = lax.floor(lax.mul(lax.add(count, number(1)), prob))
    one, half = number(1), number(0.5)

    def turn(carry):
        turns, out, accepted, key = carry
        key, u_key, v_key = split_keys(key, 3)
        u = uniform(u_key, shape, dtype)
        v = uniform(v_key, shape, dtype)
        u = lax.sub(u, half)
        us = lax.sub(half, lax.abs(u))
        at_once = lax.bitwise_and(lax.ge(us, number(0.07)), lax.le(v, v_r))
        slope = lax.add(lax.div(lax.mul(number(2), a), us), b)
        k = lax.floor(lax.add(lax.mul(slope, u), c))
        refused = lax.bitwise_or(lax.lt(k, number(0)), lax.gt(k, count))
        density = lax.add(lax.div(a, lax.mul(us, us)), b)
        log_v = lax.log(lax.div(lax.mul(v, alpha), density))
        m_rest, k_rest = lax.sub(count, m), lax.sub(count, k)
        ratio = lax.div(lax.add(m, one), lax.mul(r, lax.add(m_rest, one)))
        bound = lax.mul(lax.add(m, half), lax.log(ratio))
        ratio = lax.div(lax.add(m_rest, one), lax.add(k_rest, one))
        bound = lax.add(bound, lax.mul(lax.add(count, one), lax.log(ratio)))
        ratio = lax.div(lax.mul(r, lax.add(k_rest, one)), lax.add(k, one))
        bound = lax.add(bound, lax.mul(lax.add(k, half), lax.log(ratio)))
        bound = lax.add(lax.add(bound, _stirling_tail(m)), _stirling_tail(m_rest))
        bound = lax.sub(lax.sub(bound, _stirling_tail(k)), _stirling_tail(k_rest))
        accept = _accept(at_once, refused, lax.le(log_v, bound))
        out = lax.select(accept, k, out)
        return lax.add(turns, 1), out, lax.bitwise_or(accepted, accept), key

    return _until_accepted(turn, key, shape, dtype, most)


# ---- multinomial ---------------------------------------------------------------------------------


def multinomial(key, n, p, *, shape=None, dtype: Any = None, unroll: int | bool = 1):
    """Return how often each of several outcomes occurs in `n` trials.

    Args:
      key: a key, typed or raw.
      n: numbers of trials, an array that broadcasts to `shape[:-1]`.
      p: probabilities of the outcomes on the last axis, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `p`.
      dtype: the dtype of the result; a float dtype by default.
      unroll: how many outcomes to treat in one iteration of the loop over them.
    Raises:
      TypeError: `key` is not a key, or several.

    >>> random.multinomial(random.key(0), 5, jnp.ones(3) / 3)
    Array([1., 3., 1.], dtype=float32)
    """
    key = single_key("multinomial", key)
    check_arraylike("multinomial", n, p)
    inner = dtypes.to_inexact_dtype(dtypes.result_type(n, p))
    n, p = strong(n, inner), strong(p, inner)
    shape = shape_of(p) if shape is None else shape_argument(shape)
    n, p = jnp.broadcast_to(n, shape[:-1]), jnp.broadcast_to(p, shape)
    # Outcome after outcome: how many of the remaining trials have it, rather than a later one.
    p = jnp.moveaxis(p, -1, 0)
    rest = lax.cumsum(p, 0, reverse=True)
    ratios = lax.div(p, jnp.where(lax.eq(rest, inner.type(0)), 1, rest))
    keys = split(key, shape[-1])

    def turn(remaining, row):
        ratio, key = row
        found = binomial(key, remaining, jnp.clip(ratio, 0, 1), remaining.shape, inner)
        return lax.sub(remaining, found), found

    _, counts = lax.scan(turn, n, (ratios, keys), unroll=unroll)
    counts = jnp.moveaxis(counts, 0, -1)
    return strong(counts, any_dtype(dtype, dtypes.default_float))

