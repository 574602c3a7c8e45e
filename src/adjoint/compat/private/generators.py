"""Arrays of keys, `jax._src.random.prng`, and threefry2x32 as functions of words, `jax._src.random.threefry2x32`.

Words are uint32 of shape (..., 2). The cipher and the description of the generator are public, in `extend/random.py`.
Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ...array.array import ArrayImpl
from ...core.dtypes import KeyDType as KeyTy
from ...core.primitive import Primitive
from ...core.types import Array, ShapedArray
from ...dtypes import canonicalize_dtype
from ...lax import convert_element_type
from ...prims.generators import Generator as PRNGImpl
from ...prims.generators import generators as prngs
from ...prims.generators import random_wrap as random_wrap_p
from ...prims.random import random_bits as random_bits_p
from ...prims.random import random_fold_in as random_fold_in_p
from ...prims.random import random_split as random_split_p
from ...prims.random import random_unwrap as random_unwrap_p
from ...random import fold_in, key, key_data, split, wrap_key_data

__all__ = [
    "KeyTy", "PRNGImpl", "PRNGKeyArray", "UINT_DTYPES", "iota_2x32_shape", "iota_2x32_shape_p", "prngs", "random_bits",
    "random_bits_p", "random_fold_in", "random_fold_in_p", "random_split", "random_split_p", "random_unwrap",
    "random_unwrap_p", "random_wrap", "random_wrap_p", "threefry_fold_in", "threefry_random_bits", "threefry_seed",
    "threefry_split",
]

UINT_DTYPES = {8 * t.itemsize: t for t in map(np.dtype, ("uint8", "uint16", "uint32", "uint64"))}


class _KeyArrays(type):
    def __instancecheck__(cls, instance) -> bool:
        return isinstance(instance, ArrayImpl) and isinstance(instance.dtype, KeyTy)

    def __call__(cls, impl, key_data) -> Array:
        return random_wrap(key_data, impl=impl)


class PRNGKeyArray(metaclass=_KeyArrays):
    """The class that arrays of keys are of, but traced ones; called, it makes one of a generator and words."""


def random_split(keys, shape: tuple[int, ...]):
    """Return new keys, an array of `shape` for each key."""
    return random_split_p(keys, shape=shape)


def random_fold_in(keys, msgs):
    """Return the keys that keys and numbers of type uint32 give."""
    return random_fold_in_p(keys, convert_element_type(msgs, np.uint32))


def random_bits(keys, bit_width: int, shape: tuple[int, ...]):
    """Return random unsigned integers of a width, an array of `shape` for each key."""
    return random_bits_p(keys, bit_width=bit_width, shape=tuple(shape))


def random_wrap(base_arr, *, impl: PRNGImpl):
    """Return the keys of a generator of their words."""
    return random_wrap_p(base_arr, impl=impl)


def random_unwrap(keys):
    """Return the words of keys."""
    return random_unwrap_p(keys)


NAME = "threefry2x32"


def threefry_seed(seed):
    """Return the words of the key of a seed, an integer of any width."""
    return key_data(key(seed, impl=NAME))


def threefry_split(key, shape):
    """Return the words of new keys, of shape `(*shape, 2)`."""
    return key_data(split(wrap_key_data(key, impl=NAME), shape))


def threefry_fold_in(key, data):
    """Return the words of the key that a key and a number of type uint32 give."""
    return key_data(fold_in(wrap_key_data(key, impl=NAME), data))


def threefry_random_bits(key, bit_width, shape):
    """Return random unsigned integers of 8, 16, 32 or 64 bits, of which 32 are left where x64 is off."""
    drawn = random_bits_p(wrap_key_data(key, impl=NAME), bit_width=bit_width, shape=tuple(shape))
    return convert_element_type(drawn, canonicalize_dtype(drawn.dtype))


iota_2x32_shape_p = Primitive("iota_2x32_shape", multiple_results=True, is_listed=False)
iota_2x32_shape_p.type(lambda *, shape: [ShapedArray(shape, np.dtype(np.uint32))] * 2)


@iota_2x32_shape_p.evaluate
def _(*, shape):
    count = np.arange(prod(shape), dtype=np.uint64).reshape(shape)
    return [(count >> np.uint64(32)).astype(np.uint32), count.astype(np.uint32)]


def iota_2x32_shape(shape: tuple[int, ...]) -> list[Array]:
    """Return the upper and the lower words of the positions of elements, row by row."""
    return iota_2x32_shape_p.bind(shape=tuple(shape))
