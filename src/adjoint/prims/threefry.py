"""Threefry-2x32, the cipher behind random keys, and its primitive `threefry2x32`.

A key of two 32-bit words encrypts a counter of two words in 20 rounds of add, rotate and xor (Salmon et
al., "Parallel random numbers: as easy as 1, 2, 3", 2011). Counters here are 64-bit: the first word is the
high half. Two ways lead to the same numbers. For few counters they are in 64-bit lanes of one Python
integer, so that a round is nine operations however many there are; for many, NumPy works in place on
blocks that stay in the cache. `generators.py` makes a generator of random bits of this.

Tests: `tests/random/test_threefry.py`.
"""

from __future__ import annotations

import numpy as np

from ..core.primitive import Primitive
from ..core.process.memo import memoized
from ..core.types import ShapedArray
from .family import batch_elementwise, broadcast_shape

__all__ = ["encrypt", "encrypt_counters", "encrypt_lanes", "threefry2x32"]

MAX_LANES_OF_INTEGERS = 384  # up to here, lanes of an integer beat arrays
_WORDS_PER_BLOCK = 1 << 14  # three arrays of this many words fit the second-level cache
_WORD = 0xFFFFFFFF
_PARITY = 0x1BD11BDA
_ROTATIONS = (((17, 15), (29, 3), (16, 16), (24, 8)), ((13, 19), (15, 17), (26, 6), (6, 26)))
_SHIFTS = [[(np.array(a, np.uint32), np.array(b, np.uint32)) for a, b in r] for r in _ROTATIONS]


# ---- few: one integer, a counter in each 64-bit lane ---------------------------------------------


@memoized(MAX_LANES_OF_INTEGERS)
def lanes(n: int) -> tuple[int, int]:
    """Integers with 1, and with 0, 1, 2, ..., in their `n` lanes."""
    return sum(1 << 64 * i for i in range(n)), sum(i << 64 * i for i in range(n))


def encrypt_lanes(k0: int, k1: int, x0: int, x1: int, ones: int) -> tuple[int, int]:
    """Encrypt the counters in the lanes; what a rotation pushes out of a word is masked off."""
    mask = ones * _WORD
    keys = (k0, k1, k0 ^ k1 ^ ones * _PARITY)
    x0 = x0 + k0 & mask
    x1 = x1 + k1 & mask
    for i in range(1, 6):
        for left, right in _ROTATIONS[i & 1]:
            x0 = x0 + x1 & mask
            x1 = (x1 << left | x1 >> right) & mask ^ x0
        x0 = x0 + keys[i % 3] & mask
        x1 = x1 + keys[(i + 1) % 3] + ones * i & mask
    return x0, x1


def _pack(words) -> int:
    return int.from_bytes(words.astype(np.uint64).tobytes(), "little")


def unpack(x: int, n: int) -> np.ndarray:
    """Return the lanes of an integer as an array of uint64."""
    return np.frombuffer(x.to_bytes(8 * n, "little"), np.uint64)


# ---- many: arrays, in place ----------------------------------------------------------------------


def _encrypt_block(k0, k1, x0, x1, spare) -> None:
    """Encrypt in place; the key words are arrays of one dimension or none, x0 and x1 of one."""
    add, xor = np.add, np.bitwise_xor
    left_shift, right_shift, either = np.left_shift, np.right_shift, np.bitwise_or
    keys = (k0, k1, np.asarray(k0 ^ k1 ^ np.uint32(_PARITY)))  # an array: scalars warn of overflow
    add(x0, k0, x0)
    add(x1, k1, x1)
    for i in range(1, 6):
        for left, right in _SHIFTS[i & 1]:
            add(x0, x1, x0)
            right_shift(x1, right, spare)
            left_shift(x1, left, x1)
            either(x1, spare, x1)
            xor(x1, x0, x1)
        add(x0, keys[i % 3], x0)
        add(x1, keys[(i + 1) % 3] + np.uint32(i), x1)


def _blocks(keys: np.ndarray, counters: range):
    """(start, y0, y1) of the counters under each key, key after key; the arrays are reused.

    `keys` is an array (k, 2) of words; the first counter is a multiple of the block size.
    """
    n = len(counters)
    size = min(_WORDS_PER_BLOCK, n)
    rows = max(1, min(_WORDS_PER_BLOCK // n, len(keys)))  # keys in a block
    counter = np.arange(size, dtype=np.uint32)
    if rows > 1:
        counter = np.tile(counter, rows)
    x0, x1, spare = (np.empty(len(counter), np.uint32) for _ in range(3))
    for row in range(0, len(keys), rows):
        words = keys[row : row + rows]
        if len(words) == 1:
            k0, k1 = np.asarray(words[0, 0]), np.asarray(words[0, 1])
        else:
            k0, k1 = np.repeat(words[:, 0], n), np.repeat(words[:, 1], n)
        for first in range(0, n, size):
            m = min(size, n - first) * len(words)
            # A block never straddles a multiple of 2^32, so its counters share their high word.
            x0[:m] = counters[first] >> 32
            np.add(counter[:m], np.uint32(counters[first] & _WORD), out=x1[:m])
            _encrypt_block(k0, k1, x0[:m], x1[:m], spare[:m])
            yield row * n + first, x0[:m], x1[:m]


# ---- both ----------------------------------------------------------------------------------------


def encrypt_counters(keys: np.ndarray, n: int, form: str) -> np.ndarray:
    """Encrypt the 64-bit counters 0..n-1 under each key.

    Args:
      keys: buffers of 8-byte keys, of any shape.
      n: the number of counters.
      form: what to make of a pair of words: "mixed", their xor, uint32; "high" or "low", a uint64 with
        the first word in that half.
    Returns:
      A flat array, key after key.
    """
    total = keys.size * n
    if total <= MAX_LANES_OF_INTEGERS:
        ones, counters = lanes(total)
        if keys.size == 1:
            key = int.from_bytes(keys.tobytes(), "little")
            k0, k1 = (key & _WORD) * ones, (key >> 32) * ones
        else:
            words = np.repeat(_words(keys), n, axis=0)
            k0, k1 = _pack(words[:, 0]), _pack(words[:, 1])
            counters = _pack(np.tile(np.arange(n), keys.size))
        y0, y1 = encrypt_lanes(k0, k1, 0, counters, ones)
        if form == "mixed":
            return unpack(y0 ^ y1, total).astype(np.uint32)
        return unpack(y0 << 32 | y1 if form == "high" else y1 << 32 | y0, total)
    if form == "mixed":
        out = np.empty(total, np.uint32)
        for start, y0, y1 in _blocks(_words(keys), range(n)):
            np.bitwise_xor(y0, y1, out=out[start : start + len(y0)])
        return out
    out = np.empty((total, 2), np.uint32)
    first = 1 if form == "high" else 0
    for start, y0, y1 in _blocks(_words(keys), range(n)):
        out[start : start + len(y0), first] = y0
        out[start : start + len(y1), 1 - first] = y1
    return out.view(np.uint64)[:, 0]


def _words(keys) -> np.ndarray:
    return np.frombuffer(keys.tobytes(), np.uint32).reshape(-1, 2)


def encrypt(k0, k1, x0, x1) -> tuple[np.ndarray, np.ndarray]:
    """Encrypt counters under keys, all uint32 arrays of shapes that broadcast."""
    k0, k1, x0, x1 = np.broadcast_arrays(k0, k1, x0, x1)
    shape, n = x0.shape, x0.size
    if n <= MAX_LANES_OF_INTEGERS:
        y0, y1 = encrypt_lanes(*map(_pack, (k0, k1, x0, x1)), lanes(n)[0])
        pair = unpack(y0, n), unpack(y1, n)
        return tuple(y.astype(np.uint32).reshape(shape) for y in pair)
    k0, k1 = k0.ravel(), k1.ravel()
    y0, y1 = x0.flatten(), x1.flatten()
    spare = np.empty(min(n, _WORDS_PER_BLOCK), np.uint32)
    for i in range(0, n, _WORDS_PER_BLOCK):
        at = slice(i, i + _WORDS_PER_BLOCK)
        _encrypt_block(k0[at], k1[at], y0[at], y1[at], spare[: min(_WORDS_PER_BLOCK, n - i)])
    return y0.reshape(shape), y1.reshape(shape)


# ---- the primitive -------------------------------------------------------------------------------

threefry2x32 = Primitive("threefry2x32", multiple_results=True)


@threefry2x32.type
def _(*words):
    return check_words("threefry2x32", words, 2, 2)


threefry2x32.evaluate(encrypt)
threefry2x32.batch_rule = lambda args, dims: batch_words(threefry2x32, args, dims)
threefry2x32.examples(
    *[
        tuple(ShapedArray(s, np.dtype(np.uint32)) for s in shapes)
        for shapes in (((),) * 4, ((), (), (3,), (3,)), ((2, 1), (2, 1), (2, 500), (2, 500)))
    ]
)


def check_words(name, words, keys: int, counters: int) -> list[ShapedArray]:
    """Result types of a cipher: as many words as the counter has, of the operands' common shape."""
    if len(words) != keys + counters:
        raise TypeError(f"{name} needs {keys} key words and {counters} counter words, got {len(words)}.")
    if any(w.dtype != np.uint32 for w in words):
        got = ", ".join(w.dtype.name for w in words)
        raise TypeError(f"{name} requires arguments of dtype uint32, got {got}.")
    return [ShapedArray(broadcast_shape(name, words), np.dtype(np.uint32))] * counters


def batch_words(p, args, dims):
    """Return the batch rule of a cipher: its results all have their batch axis in one place."""
    outs, d = batch_elementwise(p, args, dims, {})
    return outs, [d] * len(outs)
