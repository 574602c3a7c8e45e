"""The cipher: its two ways agree, with JAX and for counters beyond 32 bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recorded import jax

from adjoint.prims import threefry
from adjoint.prims.generators import THREEFRY

words = st.integers(0, 2**32 - 1)


def oracle(key, high, low):
    """JAX's encryption of 64-bit counters given as arrays of halves."""
    arrays = [np.asarray(x, np.uint32) for x in (key[0], key[1], high, low)]
    return [np.asarray(y) for y in jax.extend.random.threefry2x32_p.bind(*arrays)]


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (1000,), (40_000,), (0,)])
def test_encrypt(shape):
    """Arrays of keys and counters, few or many."""
    arrays = np.random.default_rng(0).integers(0, 2**32, (4, *shape), dtype=np.uint32)
    expected = jax.extend.random.threefry2x32_p.bind(*arrays)
    for a, b in zip(expected, threefry.encrypt(*arrays), strict=True):
        np.testing.assert_array_equal(np.asarray(a), b)


def test_scalar_keys():
    """The key words may be scalars against arrays of counters."""
    counters = np.arange(1000, dtype=np.uint32)
    expected = oracle((5, 6), counters, counters + 1)
    k0, k1 = (np.asarray(k, np.uint32) for k in (5, 6))
    for a, b in zip(expected, threefry.encrypt(k0, k1, counters, counters + 1)):
        np.testing.assert_array_equal(a, b)


@given(words, words, words, words)
def test_lanes_of_any_words(k0, k1, x0, x1):
    """One lane of an integer, with nothing leaking from or to its neighbours."""
    ones, _ = threefry.lanes(3)
    spread = lambda x: x * ones
    y0, y1 = threefry.encrypt_lanes(*map(spread, (k0, k1, x0, x1)), ones)
    e0, e1 = threefry.encrypt_lanes(k0, k1, x0, x1, 1)
    assert (spread(e0), spread(e1)) == (y0, y1)
    block = [np.array([x], np.uint32) for x in (k0, k1, x0, x1)]
    threefry._encrypt_block(*block, np.empty(1, np.uint32))
    assert (e0, e1) == (int(block[2][0]), int(block[3][0]))


@pytest.mark.parametrize("first", [0, 2**32 - threefry._WORDS_PER_BLOCK, 2**32, 2**40])
def test_counters_have_64_bits(first):
    """Beyond 2^32 elements the high word of the counter goes on."""
    n = threefry._WORDS_PER_BLOCK + 100
    keys = np.array([[1, 2], [3, 4]], np.uint32)
    blocks = threefry._blocks(keys, range(first, first + n))
    found = [(start, y0.copy(), y1.copy()) for start, y0, y1 in blocks]
    counters = np.arange(first, first + n, dtype=np.uint64)
    high, low = (counters >> np.uint64(32)).astype(np.uint32), counters.astype(np.uint32)
    for row, key in enumerate(keys):
        parts = [f for f in found if row * n <= f[0] < (row + 1) * n]
        for i, expected in enumerate(oracle(key, high, low)):
            np.testing.assert_array_equal(expected, np.concatenate([p[1 + i] for p in parts]))


@pytest.mark.parametrize("n", [1, 3, 100, 5000, threefry._WORDS_PER_BLOCK, threefry._WORDS_PER_BLOCK + 1])
@pytest.mark.parametrize("form", ["mixed", "high", "low"])
def test_batches_of_keys(n, form):
    """Several keys in one call give what each gives alone."""
    words = np.random.default_rng(1).integers(0, 2**32, (5, 2), dtype=np.uint32)
    keys = THREEFRY.keys(words)
    alone = [threefry.encrypt_counters(k, n, form) for k in keys]
    np.testing.assert_array_equal(np.concatenate(alone), threefry.encrypt_counters(keys, n, form))
