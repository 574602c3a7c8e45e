"""Ciphers, block generators of bits, and keys of kind `rbg`, as element-wise operations on words.

A block's words are computed from a counter for each block, all at once, and then put beside each other (Salmon et
al., "Parallel random numbers: as easy as 1, 2, 3", 2011). `graph/view_rules.py` has threefry2x32,
`graph/complex_and_keys.py` its keys.

Tests: `tests/engines/native/test_programs.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from math import prod

import numpy as np

from ....core.process.locks import once
from ....prims import bit_generator as bit_generator  # the primitives must be there before their rules
from ....prims import ciphers as ciphers
from ....prims.bit_generator import RandomAlgorithm
from ....prims.generators import RandomBitGenerator, generator_of
from ..graph.complex_and_keys import KEYS, MAX_COUNTERS, encrypted
from ..graph.view_rules import register, threefry
from ..graph.views import Type, View, contiguous
from ..runtime.machine import on_demand
from ..text.builder import F64
from .base import Code, Routine, writes

U32, U64 = np.dtype("u4"), np.dtype("u8")


class _Words:
    """Arithmetic of words of one shape, by the names of primitives."""

    def __init__(self, graph, shape, dtype=U32):
        self.graph = graph
        self.shape = tuple(shape)
        self.dtype = dtype

    def __call__(self, op: str, *xs) -> View:
        views = [self.graph.number(x, self.dtype, self.shape) if isinstance(x, int) else x for x in xs]
        return self.graph.elementwise(op, self.shape, self.dtype, views)

    def rotated(self, x: View, bits: int) -> View:
        return self("or", self("shift_left", x, bits), self("shift_right_logical", x, 32 - bits))

    def product(self, x: View, factor: int) -> tuple[View, View]:
        """High and low words."""
        return self("mulhi", x, factor), self("mul", x, factor)


def _beside(graph, words) -> View:
    """Return words on a new last axis."""
    shape, dtype = (*words[0].shape, len(words)), words[0].base.dtype
    strides = contiguous(shape)[:-1]
    return graph.assemble(shape, dtype, [(w, k, strides) for k, w in enumerate(words)])


# ---- ciphers -------------------------------------------------------------------------------------


def _threefry4x32(word: _Words, *operands):
    k0, k1, k2, k3, *x = operands
    parity = word("xor", word("xor", word("xor", k0, k1), word("xor", k2, k3)), 0x1BD11BDA)
    keys = (k0, k1, k2, k3, parity)
    x = [word("add", v, k) for v, k in zip(x, keys)]
    for i in range(20):
        a, b = ciphers.ROTATIONS[i % 8]
        x0, x2 = word("add", x[0], x[1]), word("add", x[2], x[3])
        x1, x3 = word("xor", word.rotated(x[1], a), x0), word("xor", word.rotated(x[3], b), x2)
        x = [x0, x3, x2, x1]
        if i % 4 == 3:
            j = i // 4 + 1
            x = [word("add", v, keys[(j + w) % 5]) for w, v in enumerate(x)]
            x[3] = word("add", x[3], j)
    return x


def _philox2x32(word: _Words, key, x0, x1):
    for _ in range(10):
        high, low = word.product(x0, 0xD256D193)
        x0, x1 = word("xor", word("xor", high, x1), key), low
        key = word("add", key, 0x9E3779B9)
    return [x0, x1]


def _philox4x32(word: _Words, k0, k1, x0, x1, x2, x3):
    for _ in range(10):
        high0, low0 = word.product(x0, 0xD2511F53)
        high2, low2 = word.product(x2, 0xCD9E8D57)
        x0, x2 = word("xor", word("xor", high2, x1), k0), word("xor", word("xor", high0, x3), k1)
        x1, x3 = low2, low0
        k0, k1 = word("add", k0, 0x9E3779B9), word("add", k1, 0xBB67AE85)
    return [x0, x1, x2, x3]


def _cipher(graph, operands, params, types, *, encrypt: Callable):
    shape = types[0].shape
    return encrypt(_Words(graph, shape), *[v.stretched(shape) for v in operands])


# ---- blocks --------------------------------------------------------------------------------------


def _joined(graph, low: View, high: View) -> View:
    """Return words of 64 bits."""
    word = _Words(graph, low.shape, U64)
    low, high = graph.converted(low, U64), graph.converted(high, U64)
    return word("or", low, word("shift_left", high, 32))


def _halves(graph, x: View) -> tuple[View, View]:
    """Return the low and the high words of 64 bits."""
    high = _Words(graph, x.shape, U64)("shift_right_logical", x, 32)
    return graph.converted(x, U32), graph.converted(high, U32)


def _blocks(graph, state: list[View], shape, dtype, algorithm) -> tuple[list[View], View]:
    """(the words of the state after, bits) from the four words of a state."""
    paired, wanted = None, shape
    by_threefry = algorithm == RandomAlgorithm.RNG_THREE_FRY
    if by_threefry and dtype.itemsize < 8 and shape:
        # The two words of a block are beside each other along one axis: the first even one, or the last made even.
        axis = next((i for i, n in enumerate(shape) if n % 2 == 0), len(shape) - 1)
        shape = (*shape[:axis], shape[axis] + shape[axis] % 2, *shape[axis + 1 :])
        paired = (*shape[:axis], shape[axis] // 2, *shape[axis + 1 :], 2)
    size = prod(shape)
    n = -(-size * max(1, dtype.itemsize // 4) // (2 if by_threefry else 4))
    counter = _joined(graph, *state[2:])
    step = graph.whole(graph._node("iota", (n,), U64))
    low, high = _halves(graph, _Words(graph, (n,), U64)("add", counter.stretched((n,)), step))
    k0, k1 = [v.stretched((n,)) for v in state[:2]]
    if by_threefry:
        words = threefry(graph, [k0, k1, low, high], {}, [Type((n,), U32)])
    else:
        words = _philox4x32(_Words(graph, (n,)), k0, k1, low, high, k0, k1)
    if dtype.itemsize == 8:
        words = [_joined(graph, *words[i : i + 2]) for i in range(0, len(words), 2)]
    bits = _beside(graph, [graph.converted(w, dtype) for w in words])
    bits = graph.reshape(bits, (prod(bits.shape),)).slice((0,), (size,), (1,))
    if paired is None:
        bits = graph.reshape(bits, shape)
    else:
        order = [*range(axis + 1), len(shape), *range(axis + 1, len(shape))]
        bits = graph.reshape(graph.reshape(bits, paired).transpose(order), shape)
        bits = bits.slice((0,) * len(shape), wanted, (1,) * len(shape))
    after = _Words(graph, (), U64)("add", counter, n)
    return [*state[:2], *_halves(graph, after)], bits


def _rng_bit_generator(graph, operands, params, types):
    (state,), shape, dtype = operands, params["shape"], types[1].dtype
    if not prod(shape):
        return None
    wide = state.base.dtype == U64
    parts = [v.squeeze((0,)) for v in (state.slice((i,), (i + 1,), (1,)) for i in range(state.shape[0]))]
    words = [w for x in parts for w in _halves(graph, x)] if wide else parts
    after, bits = _blocks(graph, words, shape, dtype, params["algorithm"])
    if wide:
        after = [_joined(graph, *after[i : i + 2]) for i in (0, 2)]
    return [_beside(graph, after), bits]


# ---- numbers without a seed -------------------------------------------------------


@once
def _state() -> np.ndarray:
    """Return a key and a counter of the process."""
    return np.array([int.from_bytes(os.urandom(8), "little"), 0], U64)


on_demand(__name__, "random.state", lambda: _state().ctypes.data)


@writes("random_state")
def _(code: Code, addresses, blocks):
    """The key and the counter, which goes on by a number of blocks."""
    (out,) = addresses
    code.module.declarations.add("@random.state = external global [2 x i64]")
    key = code.new("load i64, ptr @random.state", U64)
    place = code.at("@random.state", 1, U64)
    counter = code.new(f"atomicrmw add ptr {place}, i64 {blocks} monotonic", U64)
    for i, value in enumerate((key, counter)):
        code.store(value, out, i, U64)


def _rng_uniform(graph, operands, params, types):
    """low + u (high - low) in float64, u of 53 random bits."""
    (low, high), shape, dtype = operands, types[0].shape, types[0].dtype
    state = graph.routine("random_state", Routine("random_state", (prod(shape),)), [], [Type((2,), U64)])[0]
    words = [w for k in (0, 1) for w in _halves(graph, state.slice((k,), (k + 1,), (1,)).squeeze((0,)))]
    _, bits = _blocks(graph, words, shape, U64, RandomAlgorithm.RNG_DEFAULT)
    bits = _Words(graph, shape, U64)("shift_right_logical", bits, 11)
    number = lambda op, *xs: graph.elementwise(op, shape, F64, xs)
    unit = number("mul", graph.converted(bits, F64), graph.number(2.0**-53, F64))
    low, high = graph.converted(low, F64), graph.converted(high, F64)
    return [graph.converted(number("add", low, number("mul", unit, number("sub", high, low))), dtype)]


# ---- keys of kind rbg ----------------------------------------------------------------------------


def _words_at(keys: View, first: int, n: int) -> View:
    """Return some of the words of keys."""
    zeros, lengths = (0,) * (len(keys.shape) - 1), keys.shape[:-1]
    return keys.slice((*zeros, first), (*lengths, first + n), (1,) * len(keys.shape))


def _bits(graph, operands, params, types, avals):
    """Draw bits by the first key alone, as in JAX."""
    (keys,), impl = operands, generator_of(avals[0].dtype)
    if not isinstance(impl, RandomBitGenerator) or not prod(types[0].shape):
        return None
    words = [View(keys.base, (), keys.offset + k * keys.strides[-1], ()) for k in range(4)]
    return [_blocks(graph, words, types[0].shape, types[0].dtype, RandomAlgorithm.RNG_DEFAULT)[1]]


def _split(graph, operands, params, types, avals):
    (keys,), shape = operands, params["shape"]
    if type(generator_of(avals[0].dtype)) is not RandomBitGenerator or not params.get("partitionable", True):
        return None
    if not 0 < prod(types[0].shape) or prod(shape) >= MAX_COUNTERS:
        return None
    return [_beside(graph, [w for k in (0, 2) for w in encrypted(graph, _words_at(keys, k, 2), shape)])]


def _fold_in(graph, operands, params, types, avals):
    (keys, data), shape = operands, types[0].shape
    if type(generator_of(avals[0].dtype)) is not RandomBitGenerator or not prod(shape):
        return None
    rank = len(keys.shape) - 1
    words = [_words_at(keys, k, 1).squeeze((rank,)).stretched(shape) for k in range(4)]
    zero, data = graph.number(0, U32, shape), data.stretched(shape)
    halves = [threefry(graph, [*words[k : k + 2], zero, data], {}, [Type(shape, U32)]) for k in (0, 2)]
    return [_beside(graph, [*halves[0], *halves[1]])]


def _seed(graph, operands, params, types, avals):
    (seeds,), shape = operands, types[0].shape
    dtype = seeds.base.dtype
    if not isinstance(params["impl"], RandomBitGenerator) or not prod(shape):
        return None
    high = graph.number(0, U32, shape)
    if dtype.itemsize == 8:
        high = graph.converted(_Words(graph, shape, dtype)("shift_right_logical", seeds, 32), U32)
    return [_beside(graph, [high, graph.converted(seeds, U32)] * 2)]


def _either(first: Callable, second: Callable) -> Callable:
    return lambda *args: first(*args) or second(*args)


for _name, _rule in dict(bits=_bits, split=_split, fold_in=_fold_in, seed=_seed).items():
    KEYS[f"random_{_name}"] = _either(KEYS[f"random_{_name}"], _rule)
register({
    "threefry4x32": partial(_cipher, encrypt=_threefry4x32), "philox2x32": partial(_cipher, encrypt=_philox2x32),
    "philox4x32": partial(_cipher, encrypt=_philox4x32), "rng_bit_generator": _rng_bit_generator,
    "rng_uniform": _rng_uniform,
})
