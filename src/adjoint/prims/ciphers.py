"""The other ciphers that make random bits: `threefry4x32`, `philox2x32`, `philox4x32`.

Each encrypts counter words under key words, all uint32 arrays of shapes that broadcast (Salmon et al.,
"Parallel random numbers: as easy as 1, 2, 3", 2011). `threefry.py` has the one that keys use by default,
with more care for speed; `generators.py` makes generators of all of them.
"""

from __future__ import annotations

import numpy as np

from ..core.primitive import Primitive
from ..core.types import ShapedArray
from .threefry import batch_words, check_words

__all__ = ["philox2x32", "philox4x32", "threefry4x32"]

_uint32 = np.dtype(np.uint32)
_GOLDEN, _SQRT3 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)  # the Weyl steps of Philox's keys
_PARITY = np.uint32(0x1BD11BDA)
# For each round, modulo eight: the rotations of the two pairs of words.
ROTATIONS = ((10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20))


def _rotate(x, n):
    return x << np.uint32(n) | x >> np.uint32(32 - n)


def _multiply(x, factor):
    """High and low words of the 64-bit product."""
    product = x.astype(np.uint64) * np.uint64(factor)
    return (product >> np.uint64(32)).astype(_uint32), product.astype(_uint32)


def encrypt_threefry4x32(k0, k1, k2, k3, *counter):
    keys = (k0, k1, k2, k3, k0 ^ k1 ^ k2 ^ k3 ^ _PARITY)
    x0, x1, x2, x3 = (x + k for x, k in zip(np.broadcast_arrays(*counter), keys))
    for i in range(20):
        a, b = ROTATIONS[i % 8]
        x0, x2 = x0 + x1, x2 + x3
        x1, x3 = _rotate(x1, a) ^ x0, _rotate(x3, b) ^ x2
        x1, x3 = x3, x1  # the words of the next round meet the other partner
        if i % 4 == 3:
            j = i // 4 + 1
            x0, x1, x2, x3 = (x + keys[(j + w) % 5] for w, x in enumerate((x0, x1, x2, x3)))
            x3 = x3 + np.uint32(j)
    return x0, x1, x2, x3


def encrypt_philox2x32(key, x0, x1):
    for _ in range(10):
        high, low = _multiply(x0, 0xD256D193)
        x0, x1 = high ^ x1 ^ key, low
        key = key + _GOLDEN
    return x0, x1


def encrypt_philox4x32(k0, k1, x0, x1, x2, x3):
    for _ in range(10):
        high0, low0 = _multiply(x0, 0xD2511F53)
        high2, low2 = _multiply(x2, 0xCD9E8D57)
        x0, x1, x2, x3 = high2 ^ x1 ^ k0, low2, high0 ^ x3 ^ k1, low0
        k0, k1 = k0 + _GOLDEN, k1 + _SQRT3
    return x0, x1, x2, x3


def _cipher(name, encrypt, keys: int, counters: int) -> Primitive:
    p = Primitive(name, multiple_results=True)
    p.type_rule = lambda *words: check_words(name, words, keys, counters)
    p.evaluate_rule = lambda *words: encrypt(*map(np.asarray, words))
    p.batch_rule = lambda args, dims: batch_words(p, args, dims)
    p.examples(
        (ShapedArray((), _uint32),) * (keys + counters),
        (ShapedArray((), _uint32),) * keys + (ShapedArray((3,), _uint32),) * counters,
    )
    return p


threefry4x32 = _cipher("threefry4x32", encrypt_threefry4x32, 4, 4)
philox2x32 = _cipher("philox2x32", encrypt_philox2x32, 1, 2)
philox4x32 = _cipher("philox4x32", encrypt_philox4x32, 2, 4)
