"""Random keys: making them, deriving new ones, and the bits that every sampler starts from.

A key is used once. `split` makes several of one, `fold_in` one of a key and a number; both encrypt a
counter under the key, so the results are as good as independent. On concrete keys the work is done at
once, on buffers; under a transformation it is an equation.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, NewType

import numpy as np

from ..array.array import ArrayImpl, buffer_of, make_array
from ..core import dtypes
from ..core.messages.errors import describe, message, shorten
from ..core.options.config import local
from ..core.trace import state
from ..core.types import Array, ShapedArray, is_arraylike
from ..core.values.dimension import Dimension
from ..engines.numpy import eval_trace
from ..engines.numpy.memory import exhausted
from ..lax.conversion import convert_element_type
from ..parallel.arrays import with_out_sharding
from ..prims.arithmetic import add
from ..prims.generators import generators, words_of
from ..prims.random import (
    random_bits,
    random_clone,
    random_fold_in,
    random_seed,
    random_split,
    random_unwrap,
)
from .arguments import (
    PRNGSpec,
    check_key_data,
    chosen_generator,
    generator,
    is_typed,
    key_array,
    shape_argument,
    single_key,
    single_key_of,
    unsigned_dtype,
    wrap,
)

__all__ = [
    "Key", "PRNGKey", "bits", "clone", "fold_in", "key", "key_data", "key_dtype", "key_impl", "split", "wrap_key_data",
]

Key = NewType("Key", Array)
Key.__doc__ = """A name for annotations: an array of random keys.

Args:
  x: any value.
Returns:
  The same value: it says something to type checkers alone.

>>> def noise(key: random.Key) -> Array:
...     return random.normal(key)
"""

_uint32 = np.dtype(np.uint32)


# ---- making keys ---------------------------------------------------------------------------------


def key(seed, *, impl: Any = None, dtype: Any = None) -> Array:
    """Make a random key of a seed.

    Args:
      seed: an integer, or a scalar integer array. Its low 32 bits count; with 64-bit types on, all 64.
      impl: the generator: "threefry2x32" (the default), "rbg", "unsafe_rbg", "philox2x32",
        "philox4x32" or "threefry4x32", or a dtype of keys.
      dtype: the same, as a dtype of keys.
    Returns:
      A scalar array whose dtype is that of the generator's keys.
    Raises:
      TypeError: the seed is not an integer, or not a scalar.
      ValueError: there is no generator of that name.

    >>> random.key(42)
    Array((), dtype=key<fry>) overlaying:
    [ 0 42]
    """
    return _seeded("key", seed, impl, dtype)


def PRNGKey(seed, *, impl: Any = None) -> Array:
    """Make a raw random key, an array of uint32, of a seed; `key` makes a typed one.

    Args:
      seed: an integer, or a scalar integer array.
      impl: the generator, by name.
    Returns:
      A raw key: an array of uint32, of shape (2,), or (4,) of the implementations "rbg" and "unsafe_rbg".
    Raises:
      TypeError: the seed is not an integer, or not a scalar.
      ValueError: there is no generator of that name.

    >>> random.PRNGKey(42)
    Array([ 0, 42], dtype=uint32)
    """
    made = _seeded("PRNGKey", seed, impl, None)
    return made if local.enable_custom_prng else _words(made)


def _seeded(name: str, seed, impl, dtype) -> Array:
    impl = chosen_generator(name, impl, dtype)
    if type(seed) is int:
        if not -(2**63) <= seed < 2**63:
            raise OverflowError(
                message(
                    "Python int too large to convert to C long",
                    why=f"The seed of random.{name} is {shorten(seed)}; a seed has at most 64 bits.",
                    fix=f"random.{name}(seed % 2**63)",
                )
            )
        number = np.int64(seed)
        seed = number if local.enable_x64 else number.astype(np.int32)
    else:
        seed = _checked_seed(name, seed)
    if local.random_seed_offset:
        dtype = seed.dtype.type
        seed = add(seed, np.asarray(local.random_seed_offset).astype(dtype)[()])
    if state.trace is eval_trace and not isinstance(seed, Array):
        return make_array(impl.seed(np.asarray(seed)), ShapedArray((), impl.dtype))
    return random_seed(seed, impl=impl)


def _checked_seed(name: str, seed):
    """Return an integer scalar, a NumPy one with 64-bit types narrowed if they are off, or an array."""
    if is_typed(seed):
        raise TypeError(
            message(
                f"{name} accepts a scalar seed, but was given a PRNG key.",
                fix="random.split(key) for new keys, random.fold_in(key, n) for one that depends on n",
            )
        )
    shape = np.shape(seed)
    if shape:
        raise TypeError(
            message(
                f"{name} accepts a scalar seed, but was given an array of shape {shape} != (). Use "
                "jax.vmap for batching",
                fix=f"jax.vmap(random.{name})(seeds)",
            )
        )
    if seed is None:
        raise ValueError(message("None is not a valid seed.", fix=f"random.{name}(0)"))
    if not is_arraylike(seed) or dtypes.dtype_of(seed).kind not in ("iub" if isinstance(seed, bool) else "iu"):
        raise TypeError(
            message(
                f"PRNG key seed must be an integer; got {describe(seed)}",
                why=f"random.{name} was given {shorten(seed)}.",
                fix=f"random.{name}(int(seed))",
            )
        )
    if isinstance(seed, Array):
        return seed
    return np.asarray(seed).astype(dtypes.canonicalize_dtype(np.asarray(seed).dtype))[()]


def key_dtype(impl_spec: Any = None):
    """Return the dtype of the keys of a generator.

    Args:
      impl_spec: the generator, by name; None for the default one.
    Returns:
      A dtype.
    Raises:
      ValueError: there is no such generator.

    >>> random.key_dtype("rbg")
    key<rbg>
    """
    return generator(impl_spec).dtype


# ---- keys and their words ------------------------------------------------------------------------


def key_data(keys) -> Array:
    """Return the words of keys.

    Args:
      keys: an array of keys of any shape.
    Returns:
      An array of uint32 with the axes of a key last.
    Raises:
      TypeError: `keys` is not an array or scalar; lists are not converted.

    >>> random.key_data(random.key(42))
    Array([ 0, 42], dtype=uint32)
    """
    return _words(key_array(keys)[0])


def _words(keys: Array) -> Array:
    if state.trace is eval_trace and type(keys) is ArrayImpl:
        words = words_of(buffer_of(keys))
        return make_array(words, ShapedArray(words.shape, _uint32))
    return random_unwrap(keys)


def wrap_key_data(key_bits_array, *, impl: Any = None, dtype: Any = None) -> Array:
    """Return typed keys of their words.

    Args:
      key_bits_array: an array of uint32 with the axes of a key last.
      impl: the generator, by name; None for the default one.
      dtype: the same, as a dtype of keys.
    Returns:
      An array of keys, without the last axis of the words.
    Raises:
      TypeError: the array does not hold words of keys of that generator.

    >>> random.wrap_key_data(random.PRNGKey(42))
    Array((), dtype=key<fry>) overlaying:
    [ 0 42]
    """
    impl = chosen_generator("wrap_key_data", impl, dtype)
    check_key_data(key_bits_array, impl)
    return wrap(key_bits_array, impl)


def key_impl(keys) -> Any:
    """Return the generator of keys: its name, or a `PRNGSpec` if it was defined by the user.

    Args:
      keys: an array of keys, typed or raw.
    Returns:
      A name, or a `PRNGSpec`.
    Raises:
      TypeError: `keys` is not an array or scalar; lists are not converted.

    >>> random.key_impl(random.key(42))
    'threefry2x32'
    """
    impl = key_array(keys)[0].aval.dtype._impl
    return impl.name if generators.get(impl.name) is impl else PRNGSpec(impl)


def clone(key) -> Array:
    """Return the same key, for using it once more on purpose: checks of key reuse count it as a new one.

    Args:
      key: a key, typed or raw.
    Returns:
      The same key.
    Raises:
      TypeError: `key` is not a key, or several.

    >>> random.clone(random.key(42))
    Array((), dtype=key<fry>) overlaying:
    [ 0 42]
    """
    return random_clone(key)


# ---- new keys ------------------------------------------------------------------------------------


def split(key, num: int | tuple[int, ...] = 2) -> Array:
    """Make new keys of a key.

    Args:
      key: a key, typed or raw.
      num: how many, or the shape of an array of them.
    Returns:
      Keys of the kind of `key`, on `num` axes.
    Raises:
      TypeError, ValueError: `key` is not a key, or several; `num` is not a shape.

    >>> random.split(random.key(42))
    Array((2,), dtype=key<fry>) overlaying:
    [[1832780943  270669613]
     [  64467757 2916123636]]
    """
    key, raw = single_key_of("split", key)
    shape = (num,) if type(num) is int and num >= 0 else _split_shape(num)
    if state.trace is eval_trace and type(key) is ArrayImpl:
        dtype = key.aval.dtype
        aval = ShapedArray(shape, dtype)
        keys = make_array(made(key, aval, dtype._impl.split, shape), aval)
    else:
        keys = random_split(key, shape=shape)
    return _words(keys) if raw else keys


def _split_shape(num) -> tuple[int, ...]:
    if isinstance(num, Dimension):
        return (num,)
    if isinstance(num, (tuple, list)) or hasattr(num, "__index__"):
        return shape_argument(num if isinstance(num, (tuple, list)) else (index(num),))
    raise TypeError(
        message(
            f"'{type(num).__name__}' object cannot be interpreted as an integer",
            why=f"split makes a number of keys, got {shorten(num)}.",
            fix="random.split(key, int(n)), and random.fold_in(key, i) for a number that is traced",
        )
    )


def fold_in(key, data) -> Array:
    """Make a new key of a key and a number.

    Args:
      key: a key, typed or raw.
      data: an integer from 0 to 2^32 - 1; that of an array may be traced, and is taken modulo 2^32.
    Returns:
      A key of the kind of `key`.
    Raises:
      TypeError, ValueError: `key` is not a key, or several; `data` is not a scalar.
      ValueError, OverflowError: a Python number is NaN or out of range.

    >>> random.fold_in(random.key(42), 7)
    Array((), dtype=key<fry>) overlaying:
    [2547012911 1371500959]
    """
    key, raw = single_key_of("fold_in", key)
    number = _fold_in_number(data)
    if state.trace is eval_trace and type(key) is ArrayImpl and not isinstance(number, Array):
        dtype = key.aval.dtype
        new = dtype._impl.fold_in(buffer_of(key), number)
        folded = make_array(new, ShapedArray((), dtype))
    else:
        folded = random_fold_in(key, number)
    return _words(folded) if raw else folded


def _fold_in_number(data):
    """Return `data` as uint32, a scalar."""
    if type(data) is float:
        data = int(data)
    if type(data) is int and 0 <= data <= 0xFFFFFFFF:
        return np.uint32(data)
    if hasattr(data, "__jax_array__"):
        data = data.__jax_array__()
    shape = np.shape(data)
    if shape:
        raise TypeError(
            message(
                f"fold_in accepts a scalar, but was given an array of shape {shape} != (). Use jax.vmap "
                "for batching.",
                fix="jax.vmap(random.fold_in, (None, 0))(key, data)",
            )
        )
    is_complex = type(data) is complex
    if data is None or is_complex or is_typed(data) or isinstance(data, str):
        what = f"random.fold_in needs an integer, got {describe(data)}."
        raise (TypeError if is_complex else ValueError)(
            message(what, why=f"data is {shorten(data)}.", fix="random.fold_in(key, 0)"))
    if type(data) is int:
        raise OverflowError(
            message(
                f"Python integer {shorten(data)} out of bounds for uint32",
                why="random.fold_in folds 32 bits into a key.",
                fix="random.fold_in(key, data % 2**32)",
            )
        )
    if isinstance(data, Array):
        return convert_element_type(data, _uint32)
    return np.asarray(data).astype(np.uint32)[()]


# ---- bits ----------------------------------------------------------------------------------------


def bits(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return random bits, as unsigned integers.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: an unsigned integer dtype; uint32 by default, uint64 with 64-bit types on.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      ValueError: the dtype is not unsigned.
      TypeError, ValueError: `key` is not a key, or several.

    >>> random.bits(random.key(42), (3,), "uint8")
    Array([162, 217, 249], dtype=uint8)
    """
    key = single_key("bits", key)
    dtype = unsigned_dtype("bits", dtype)
    shape = shape_argument(shape)
    if out_sharding is not None:
        return with_out_sharding("bits", out_sharding, bits, key, shape, dtype)
    return raw_bits(key, 8 * dtype.itemsize, shape)


def raw_bits(key: Array, width: int, shape: tuple[int, ...]) -> Array:
    """Unsigned integers of `width` bits from one typed key."""
    if state.trace is eval_trace and type(key) is ArrayImpl:
        aval = ShapedArray(shape, np.dtype(f"uint{width}"))
        return make_array(made(key, aval, key.aval.dtype._impl.bits, width, shape), aval)
    return random_bits(key, bit_width=width, shape=shape)


def made(key: ArrayImpl, aval: ShapedArray, make: Callable[..., np.ndarray], *parameters) -> np.ndarray:
    """Return what a generator makes of a concrete key; JaxRuntimeError if there is no memory for it."""
    try:
        return make(buffer_of(key), *parameters)
    except MemoryError as error:
        raise exhausted(error, f"random numbers {aval.str_short(True)}") from None
