# Written by stubs/generate.py; do not edit.
from typing import Any
def define_prng_impl(*, key_shape: Any, seed: Any, split: Any, random_bits: Any, fold_in: Any, name: Any = '<unnamed>', tag: Any = '?') -> Any:
    """Return a generator of keys from functions on arrays of uint32 words.

    Args:
      key_shape: the shape of a key's words.
      seed: (integer) -> key.
      split: (key, shape) -> keys of that shape.
      random_bits: (key, bit width, shape) -> unsigned integers of that shape and width.
      fold_in: (key, uint32) -> key.
      name, tag: the generator's name, and a short one for printed types.
    Raises:
      TypeError: `key_shape` is no tuple of ints.

    >>> from adjoint.extend.random import define_prng_impl
    >>> word = lambda x: jnp.asarray(x, jnp.uint32).reshape(1)
    >>> counter = define_prng_impl(
    ...     key_shape=(1,), seed=word, name="counter",
    ...     split=lambda key, shape: jnp.arange(np.prod(shape), dtype=jnp.uint32).reshape(*shape, 1) + key,
    ...     random_bits=lambda key, width, shape: jnp.broadcast_to(key, shape), fold_in=lambda key, n: key + n)
    >>> random.key_data(random.key(7, impl=counter))
    Array([7], dtype=uint32)
    """
def random_seed(seeds: Any, impl: Any) -> Any:
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
rbg_prng_impl: Any
def seed_with_impl(impl: Any, seed: Any) -> Any:
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
from adjoint.lax import threefry2x32_p as threefry2x32_p
def threefry_2x32(keypair: Any, count: Any) -> Any:
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
threefry_prng_impl: Any
unsafe_rbg_prng_impl: Any
