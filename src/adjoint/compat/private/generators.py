"""The generator threefry2x32 as functions of words, uint32 of shape (..., 2): `jax._src.random.threefry2x32`.

Its cipher and the description of the generator are public, in `extend/random.py`.
Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ...core.primitive import Primitive
from ...core.types import Array, ShapedArray
from ...dtypes import canonicalize_dtype
from ...lax import convert_element_type
from ...prims.random import random_bits as random_bits_p
from ...random import fold_in, key, key_data, split, wrap_key_data

__all__ = [
    "iota_2x32_shape", "iota_2x32_shape_p", "threefry_fold_in", "threefry_random_bits", "threefry_seed",
    "threefry_split",
]

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
