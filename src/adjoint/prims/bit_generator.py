"""Bits by the block generators of `lax.rng_bit_generator`, and numbers by `lax.rng_uniform`.

A state of four words, a 64-bit key and a 64-bit counter, low words first, yields bits of any shape and the
state after them. The keys of kind `rbg` are such states. Unlike other keys, a batch of them does not yield
what each would alone: the first state of the batch makes the bits of all.
"""

from __future__ import annotations

import enum
from math import prod

import numpy as np

from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..sharding import rules
from .ciphers import encrypt_philox4x32
from .shape import batch_to_front, reshape
from .slicing import dynamic_update_slice, slice_
from .threefry import encrypt

__all__ = ["RandomAlgorithm", "rng_bit_generator", "rng_uniform"]

_UNSIGNED = tuple(np.dtype(f"uint{n}") for n in (8, 16, 32, 64))


class RandomAlgorithm(enum.IntEnum):
    """The generator that `lax.rng_bit_generator` uses; the default is Philox.

    >>> RandomAlgorithm.RNG_PHILOX
    <RandomAlgorithm.RNG_PHILOX: 2>
    """

    RNG_DEFAULT = 0
    RNG_THREE_FRY = 1
    RNG_PHILOX = 2

    def __str__(self):
        return self.name


def generate(state: np.ndarray, shape, dtype, algorithm=RandomAlgorithm.RNG_DEFAULT):
    """Return (state after, bits) from a state of four uint32 words."""
    dtype = np.dtype(dtype)
    paired = None
    if algorithm == RandomAlgorithm.RNG_THREE_FRY and dtype.itemsize < 8 and shape:
        # The two words of a block are beside each other along one axis: the first even one, or the last made even.
        axis = next((i for i, n in enumerate(shape) if n % 2 == 0), len(shape) - 1)
        wanted, shape = shape, (*shape[:axis], shape[axis] + shape[axis] % 2, *shape[axis + 1 :])
        paired = (*shape[:axis], shape[axis] // 2, *shape[axis + 1 :], 2)
    size = prod(shape)
    per_block = 2 if algorithm == RandomAlgorithm.RNG_THREE_FRY else 4
    blocks = -(-size * max(1, dtype.itemsize // 4) // per_block)
    key, counter = (state[0:1], state[1:2]), int(state[2]) | int(state[3]) << 32
    counters = np.uint64(counter) + np.arange(blocks, dtype=np.uint64)
    low, high = counters.astype(np.uint32), (counters >> np.uint64(32)).astype(np.uint32)
    if per_block == 2:
        words = encrypt(key[0], key[1], low, high)
    else:
        words = encrypt_philox4x32(key[0], key[1], low, high, key[0], key[1])
    bits = np.stack(words, -1).ravel()
    bits = bits.view(dtype) if dtype.itemsize == 8 else bits.astype(dtype)
    after = counter + blocks
    new = np.array([*state[:2], after & 0xFFFFFFFF, after >> 32 & 0xFFFFFFFF], np.uint32)
    bits = bits[:size]
    if paired is not None:
        bits = np.moveaxis(bits.reshape(paired), -1, axis + 1).reshape(shape)
        return new, bits[tuple([slice(n) for n in wanted])]
    return new, bits.reshape(shape)


def generate_each(states: np.ndarray, size: int, dtype) -> np.ndarray:
    """Return as many numbers from each state, a row of four uint32 words, by the default algorithm."""
    dtype = np.dtype(dtype)
    key, counter = (states[:, :1], states[:, 1:2]), states[:, 2:3] | states[:, 3:].astype(np.uint64) << np.uint64(32)
    counters = counter + np.arange(-(-size * max(1, dtype.itemsize // 4) // 4), dtype=np.uint64)
    words = encrypt_philox4x32(*key, counters.astype(np.uint32), (counters >> np.uint64(32)).astype(np.uint32), *key)
    bits = np.stack(words, -1).reshape(len(states), -1)
    return (bits.view(dtype) if dtype.itemsize == 8 else bits.astype(dtype))[:, :size]


rng_bit_generator = Primitive("rng_bit_generator", multiple_results=True)


@rng_bit_generator.type
def _(state, *, shape, dtype, algorithm, out_sharding=None):
    if (state.shape, state.dtype.name) not in (((4,), "uint32"), ((2,), "uint64")):
        raise TypeError(
            "rng_bit_generator key must be four words of uint32 or two of uint64, got "
            f"{state.str_short(True)}."
        )
    if dtype not in _UNSIGNED:
        raise TypeError(f"rng_bit_generator: unsupported dtype {np.dtype(dtype).name}")
    return [state.strip_weak_type(), ShapedArray(shape, np.dtype(dtype))]


@rng_bit_generator.evaluate
def _(state, *, shape, dtype, algorithm, out_sharding=None):
    new, bits = generate(np.ascontiguousarray(state).view(np.uint32), shape, dtype, algorithm)
    return new.view(state.dtype), bits


@rng_bit_generator.batch
def _(args, dims, *, shape, dtype, algorithm, out_sharding=None):
    states = batch_to_front(args[0], dims[0])
    n, words = states.shape
    first = slice_(states, start_indices=(0, 0), limit_indices=(1, words), strides=None)
    zero = np.int32(0)
    new, bits = rng_bit_generator(
        _reshape(first, (words,)), shape=(n, *shape), dtype=dtype, algorithm=algorithm,
        out_sharding=out_sharding,
    )
    return [dynamic_update_slice(states, _reshape(new, (1, words)), zero, zero), bits], [0, 0]


def _reshape(x, shape):
    return reshape(x, new_sizes=shape, dimensions=None, sharding=None)


rng_bit_generator.examples(
    *[
        (
            ShapedArray((words,), np.dtype(state)),
            dict(shape=shape, dtype=np.dtype(dtype), algorithm=algorithm, out_sharding=None),
        )
        for words, state, shape, dtype, algorithm in (
            (4, "uint32", (2, 3), "uint32", RandomAlgorithm.RNG_DEFAULT),
            (2, "uint64", (5,), "uint64", RandomAlgorithm.RNG_PHILOX),
            (4, "uint32", (), "uint8", RandomAlgorithm.RNG_THREE_FRY),
        )
    ]
)


# Not reproducible, as in XLA: the numbers come from a generator that the process seeds by itself.
rng_uniform = Primitive("rng_uniform")
rng_uniform.sharding(rules.of_operand(0))
_generator: list[np.random.Generator] = []


@rng_uniform.type
def _(a, b, *, shape):
    if a.shape or b.shape:
        raise ValueError(
            f"Arguments to rng_uniform must be scalars; got shapes {a.shape} and {b.shape}."
        )
    if a.dtype != b.dtype:
        raise ValueError(
            "Arguments to rng_uniform must have identical dtypes, got "
            f"{a.dtype.name} and {b.dtype.name}."
        )
    return ShapedArray(shape, a.dtype, a.weak_type and b.weak_type)


@rng_uniform.evaluate
def _(a, b, *, shape):
    if not _generator:
        _generator.append(np.random.default_rng())
    unit = _generator[0].random(shape)
    return np.asarray(a + unit * (np.float64(b) - a)).astype(aval_of(a).dtype)


rng_uniform.examples((ShapedArray((), np.dtype("float32")),) * 2 + (dict(shape=(2, 3)),))
