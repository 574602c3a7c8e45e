"""Calls on concrete keys, computed at once, on buffers, instead of equation by equation.

The steps and their order are those of the equations that the same calls are under a transformation, so the
numbers are the same. Large samples are finished block by block, while the block is in the cache.

Tests: `tests/random/test_jaxprs.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from ..array.array import ArrayImpl, buffer_of, make_array
from ..core import dtypes
from ..core.trace import state
from ..core.types import Array, ShapedArray
from ..engines.numpy import eval_trace
from ..engines.numpy.floating import quiet
from ..prims.inverse_erf import MAX_ELEMENTS_IN_PYTHON, inverse_erf_of_one, round32
from ..prims.shape import squeeze
from ..prims.slicing import slice_
from ..prims.special import erf_inv
from .keys import made, split

_WORDS_PER_BLOCK = 1 << 14
_SCALARS = frozenset((int, float, bool))
_ABOVE_MINUS_ONE = float(np.nextafter(np.float32(-1), np.float32(0)))
_ROOT_OF_TWO = float(np.float32(np.sqrt(2)))
# Of each dtype: how far bits are shifted to be a mantissa, and the bits of 1.
_LAYOUT = {
    np.dtype(f): (np.dtype(u), np.array(shift, u), np.asarray(1, f).view(u))
    for f, u, shift in (
        ("float16", "uint16", 6), ("float32", "uint32", 9), ("float64", "uint64", 12),
    )
}


def is_concrete(key: Array) -> bool:
    return state.trace is eval_trace and type(key) is ArrayImpl


def is_immediate(key: Array, dtype, *parameters) -> bool:
    """Return whether floats can be made at once: a concrete key, Python numbers, a dtype of NumPy's."""
    return (
        state.trace is eval_trace
        and type(key) is ArrayImpl
        and dtype in _LAYOUT
        and all([type(p) in _SCALARS for p in parameters])
    )


def _floats(key: ArrayImpl, shape, dtype, finish: Callable[[np.ndarray], None]) -> Array:
    """Return a sample made in place by `finish` of floats that are uniform in [0, 1)."""
    unsigned, shift, one_bits = _LAYOUT[dtype]
    one = dtype.type(1)
    bits = made(key, ShapedArray(shape, dtype), key.aval.dtype._impl.bits, 8 * dtype.itemsize, shape)
    if not bits.flags.writeable:
        bits = bits.copy()
    flat = bits.reshape(-1)
    token = quiet.enter()
    try:
        for i in range(0, len(flat), _WORDS_PER_BLOCK):
            block = flat[i : i + _WORDS_PER_BLOCK]
            np.right_shift(block, shift, block)
            np.bitwise_or(block, one_bits, block)
            floats = block.view(dtype)
            np.subtract(floats, one, floats)
            finish(floats)
    finally:
        quiet.leave(token)
    return make_array(bits.view(dtype), ShapedArray(shape, dtype))


def uniform_now(key: ArrayImpl, shape, dtype, minval, maxval) -> Array:
    low, high = dtype.type(minval), dtype.type(maxval)
    return _floats(key, shape, dtype, _scaling(low, high))


def _scaling(low, high) -> Callable[[np.ndarray], None]:
    if low == 0 and high == 1:
        return lambda x: None  # x * 1 + 0, and max(0, x)
    width = high - low

    def scale(x):
        np.multiply(x, width, x)
        np.add(x, low, x)
        np.maximum(low, x, out=x)

    return scale


def normal_now(key: ArrayImpl, shape, dtype) -> Array:
    if dtype == np.float32 and prod(shape) <= MAX_ELEMENTS_IN_PYTHON:
        return _few_normal(key, shape, dtype)
    one, factor = dtype.type(1), dtype.type(np.sqrt(2))
    scale = _scaling(np.nextafter(-one, one), one)
    inverse = erf_inv.evaluate_rule

    def finish(x):
        scale(x)
        np.multiply(factor, inverse(x), x)

    return _floats(key, shape, dtype, finish)


def _few_normal(key: ArrayImpl, shape, dtype) -> Array:
    """Return a few normal float32 numbers, in Python, which is faster."""
    bits = key.aval.dtype._impl.bits(buffer_of(key), 32, shape)
    values = [
        _ROOT_OF_TWO * round32(inverse_erf_of_one((b >> 9) * 2.0**-22 + _ABOVE_MINUS_ONE))
        for b in bits.ravel().tolist()
    ]
    return make_array(np.array(values, np.float32).reshape(shape), ShapedArray(shape, dtype))


def randint_now(key: ArrayImpl, shape, dtype, minval: int, maxval: int) -> Array:
    aval = ShapedArray(shape, dtype)
    return make_array(made(key, aval, _integers, key.aval.dtype._impl, shape, dtype, minval, maxval), aval)


def _integers(keys, generator, shape, dtype, minval: int, maxval: int) -> np.ndarray:
    width = max(32, dtypes.itemsize_bits(dtype))
    info = dtypes.iinfo(dtype)
    least, most = int(info.min), int(info.max)
    if dtype.itemsize < 4:  # bounds are made int32 first
        minval, maxval = ((x + 2**31) % 2**32 - 2**31 for x in (minval, maxval))
    low, high = (min(max(x, least), most + 1) for x in (minval, maxval))
    low = min(low, most)
    span = high - low if high > low else 1
    first, second = (generator.bits(k, width, shape) for k in generator.split(keys, (2,)))
    if span == 2**width:
        offset = second
    else:
        number = np.dtype(f"uint{width}").type
        half = 2 ** (width // 2) % span
        factor = half * half % 2**width % span
        span = number(span)
        offset = (first % span * number(factor) + second % span) % span
    start = np.asarray(low).astype(offset.dtype)
    return (offset + start).astype(dtype)


def shuffle_now(key: ArrayImpl, x: ArrayImpl, rounds: int) -> Array:
    """A concrete vector, sorted `rounds` times by random 32-bit keys, stably."""
    generator, keys = key.aval.dtype._impl, buffer_of(key)
    n = x.size
    buffer = buffer_of(x)
    # The position in the low half of a 64-bit number makes a fast sort a stable one.
    position = np.arange(n, dtype=np.uint64)
    for _ in range(rounds):
        keys, subkey = generator.split(keys, (2,))
        order = generator.bits(subkey, 32, (n,)).astype(np.uint64)
        np.left_shift(order, np.uint64(32), order)
        np.bitwise_or(order, position, order)
        order.sort()
        buffer = buffer[order.astype(np.uint32)]
    return make_array(buffer, x.aval.strip_weak_type())


# ---- several of one array ------------------------------------------------------------------------


def split_keys(key: Array, n: int = 2) -> list[Array]:
    """New keys, one by one."""
    keys = split(key, n)
    if type(keys) is not ArrayImpl:
        return unpack(keys)
    buffer, aval = keys._buffer, ShapedArray((), keys.aval.dtype)
    return [make_array(buffer[i : i + 1].reshape(()), aval) for i in range(n)]


def unpack(x: Array) -> list[Array]:
    """The slices of an array along its first axis."""
    n, *rest = x.shape
    zeros, ones = (0,) * len(rest), (1,) * (1 + len(rest))
    return [
        squeeze(
            slice_(
                x, start_indices=(i, *zeros), limit_indices=(i + 1, *rest), strides=ones
            ),
            dimensions=(0,),
        )
        for i in range(n)
    ]
