"""Generators of random keys: those there are, and how to define another.

`jax.random` takes what `define_prng_impl` returns wherever it takes a generator's name.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from ..array.array import as_array
from ..core.messages.boundaries import explain_missing as _explain_missing
from ..core.types import aval_of
from ..lax import concatenate, full, reshape, slice_in_dim
from ..prims.generators import RBG as rbg_prng_impl
from ..prims.generators import THREEFRY as threefry_prng_impl
from ..prims.generators import UNSAFE_RBG as unsafe_rbg_prng_impl
from ..prims.generators import define as define_prng_impl
from ..prims.random import random_seed as random_seed_p
from ..prims.threefry import threefry2x32 as threefry2x32_p
from ..random.keys import key

__all__ = [
    "define_prng_impl", "random_seed", "rbg_prng_impl", "seed_with_impl", "threefry2x32_p", "threefry_2x32",
    "threefry_prng_impl", "unsafe_rbg_prng_impl",
]


def seed_with_impl(impl, seed):
    """Return the key of a seed, of the given generator.

    Args:
      impl: the generator, such as `threefry_prng_impl`.
      seed: an integer.
    Returns:
      A key.
    Raises:
      TypeError: a seed is no integer.

    >>> seed_with_impl(rbg_prng_impl, 3).shape
    ()
    """
    return key(seed, impl=impl)


def random_seed(seeds, impl):
    """Return keys of seeds, an array of integers of any shape, of the given generator.

    Args:
      seeds: integers, an array of any shape.
      impl: the generator, such as `threefry_prng_impl`.
    Returns:
      An array of keys of the shape of `seeds`.
    Raises:
      TypeError: a seed is no integer.

    >>> from adjoint.extend.random import random_seed, threefry_prng_impl
    >>> random_seed(jnp.arange(2), threefry_prng_impl).shape
    (2,)
    """
    return random_seed_p(as_array(seeds), impl=impl)


def threefry_2x32(keypair, count):
    """Return the cipher's words for counters of any shape.

    Args:
      keypair: the two words of the key, uint32.
      count: uint32, encrypted in pairs: the first half with the second.
    Returns:
      uint32 of the shape of `count`.
    Raises:
      TypeError: an argument is not uint32.

    >>> from adjoint.extend.random import threefry_2x32
    >>> threefry_2x32(jnp.array([0, 1], jnp.uint32), jnp.zeros(2, jnp.uint32))
    Array([ 507451445, 1853169794], dtype=uint32)
    """
    if aval_of(count).dtype != "uint32" or any([aval_of(k).dtype != "uint32" for k in keypair]):
        raise TypeError("threefry_2x32 requires uint32 arguments")
    shape, n = aval_of(count).shape, aval_of(count).size
    flat = reshape(count, (n,))
    if n % 2:
        flat = concatenate([flat, full((1,), 0, "uint32")], 0)
    half = (n + 1) // 2
    first, second = slice_in_dim(flat, 0, half), slice_in_dim(flat, half, 2 * half)
    words = concatenate(threefry2x32_p(*keypair, first, second), 0)
    return reshape(words[:n] if n % 2 else words, shape)

_explain_missing(globals())
