"""Integers, truth values, categories, permutations, choices and counts: JAX's, one for one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lax.parity import together
from tests.random.parity import assert_same, both_x64, keys, numbers, same
from tests.recorded import jax

import adjoint
from adjoint import random

SHAPES = [(), (3,), (2, 3), (0,), (1000,)]
INTS = ["int8", "uint8", "int16", "uint16", "int32", "uint32"]


@pytest.mark.parametrize("dtype", INTS)
@together
def test_randint(dtype):
    """Bounds in and out of the range of the dtype; an empty interval gives its lower bound."""
    for low, high in ((0, 10), (5, 5), (7, 3), (0, 300), (-5, 100), (0, 2**31 - 1), (-(2**31), 5)):
        same(lambda m, k: m.random.randint(k, (200,), low, high, dtype), seed=3)


@pytest.mark.parametrize("dtype", [*INTS, "int64", "uint64"])
@together
def test_randint_with_64_bits(dtype):
    """All numbers of a dtype are an interval whose upper bound the dtype may not hold."""
    with both_x64(True):
        for low, high in ((0, 10), (-(2**63), 2**63 - 1), (0, 2**32), (0, 2**40), (-(2**31), 2**31), (0, 256)):
            same(lambda m, k: m.random.randint(k, (200,), low, high, dtype), seed=3)


@settings(max_examples=60)
@given(
    st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**32 - 1)
)
def test_randint_of_any_bounds(low, high, seed):
    """Within the bounds, and the same whether computed at once or traced."""
    key = random.key(seed)
    now = numbers(random.randint(key, (20,), low, high))
    traced = numbers(adjoint.jit(lambda k: random.randint(k, (20,), low, high))(key))
    np.testing.assert_array_equal(now, traced)
    if low < high:
        assert low <= now.min() and now.max() < high
    else:
        assert (now == low).all()


@together
def test_randint_bounds_of_arrays():
    high = np.array([3, 1, 100], np.int32)
    same(lambda m, k: m.random.randint(k, (2, 3), 0, m.numpy.asarray(high)))
    same(lambda m, k: m.random.randint(k, (3,), 0.5, 7.5))
    same(lambda m, k: m.random.randint(k, (3,), m.numpy.uint32(2), m.numpy.uint32(2**32 - 1)))
    same(lambda m, k: m.random.randint(k, (3,), m.numpy.int8(-3), 9, "int8"))


@pytest.mark.parametrize("mode", ["low", "high"])
@together
def test_bernoulli(mode):
    p = np.array([0.0, 0.1, 0.9, 1.0], np.float32)
    for dtype in ("float32", "float16", "bfloat16"):
        same(lambda m, k: m.random.bernoulli(k, m.numpy.asarray(p).astype(dtype), mode=mode))
    same(lambda m, k: m.random.bernoulli(k, 0.3, (1000,), mode=mode), seed=4)
    same(lambda m, k: m.random.bernoulli(k), seed=4)


@together
def test_rademacher():
    for dtype in ("int32", "int8", "uint8", "float32", "complex64", "bool"):
        same(lambda m, k: m.random.rademacher(k, (50,), dtype))


@pytest.mark.parametrize("mode", ["low", "high"])
@together
def test_categorical(mode):
    logits = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    put = lambda m: m.numpy.asarray(logits)
    same(lambda m, k: m.random.categorical(k, put(m), mode=mode))
    same(lambda m, k: m.random.categorical(k, put(m), axis=0, mode=mode))
    same(lambda m, k: m.random.categorical(k, put(m), shape=(200, 3), mode=mode))
    same(lambda m, k: m.random.categorical(k, put(m), axis=0, shape=(2, 7, 4), mode=mode))
    same(lambda m, k: m.random.categorical(k, put(m), shape=(4, 3), replace=False, mode=mode))
    same(lambda m, k: m.random.categorical(k, put(m)[0], shape=(2, 2), replace=False, mode=mode))


@together
def test_permutation():
    """One sort or two; computed at once or traced."""
    for n in (0, 1, 2, 10, 1625, 1626, 20_000):
        same(lambda m, k: m.random.permutation(k, n), seed=6)


@together
def test_permutation_of_arrays():
    x = np.arange(12).reshape(3, 4)
    for axis in (0, 1, -1):
        for independent in (False, True):
            same(lambda m, k: m.random.permutation(k, m.numpy.asarray(x), axis, independent), seed=6)
    same(lambda m, k: m.random.permutation(k, m.numpy.asarray(x[0], np.float32)), seed=6)


@given(st.integers(0, 200), st.integers(0, 2**32 - 1))
def test_permutation_has_every_element_once(n, seed):
    found = numbers(random.permutation(random.key(seed), n))
    np.testing.assert_array_equal(np.arange(n), np.sort(found))


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@together
def test_choice(replace, weighted):
    """Of integers and of slices of arrays."""
    x, p = np.arange(15.0, dtype=np.float32).reshape(3, 5), np.array([0.1, 0.2, 0.3, 0.2, 0.2])

    def program(m, k, shape, array):
        a = m.numpy.asarray(x) if array else 5
        weights = m.numpy.asarray(p.astype(np.float32)) if weighted else None
        return m.random.choice(k, a, shape, replace, weights, axis=1 if array else 0)

    for shape in ((), (3,), (2, 2), (0,)):
        same(lambda m, k: program(m, k, shape, False), seed=8)
        same(lambda m, k: program(m, k, shape, True), seed=8)


@pytest.mark.parametrize("axis", [-1, 1, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_choice_of_integers_reads_no_axis_but_to_shuffle_them(axis, weighted):
    r = adjoint.random
    key, p = r.key(2), np.full(5, 0.2, np.float32) if weighted else None
    assert (r.choice(key, 5, (3,), p=p, axis=axis) == r.choice(key, 5, (3,), p=p)).all()
    if not weighted and axis > 0:
        with pytest.raises(ValueError, match="axis"):
            r.choice(key, 5, (3,), replace=False, axis=axis)


@together
def test_geometric():
    p = np.array([0.1, 0.5, 1.0], np.float32)
    same(lambda m, k: m.random.geometric(k, 0.3, (500,)))
    same(lambda m, k: m.random.geometric(k, m.numpy.asarray(p), (2, 3), "int8"))
    same(lambda m, k: m.random.geometric(k, 1, (2,)))


@together
def test_poisson():
    """Both methods, and rates that are no rates."""
    for lam in (0.0, 0.5, 3.0, 9.99, 10.0, 50.0, 1000.0, -1.0):
        same(lambda m, k: m.random.poisson(k, lam, (300,)), seed=2)


@together
def test_poisson_of_arrays():
    lam = np.array([0.0, 3.0, 100.0], np.float32)
    same(lambda m, k: m.random.poisson(k, m.numpy.asarray(lam), (4, 3)))
    same(lambda m, k: m.random.poisson(k, 3, (4,), "int8"))
    same(lambda m, k: m.vmap(lambda v: m.random.poisson(k, v, (4,)))(m.numpy.asarray(lam)))


@together
def test_binomial():
    """Both methods, and parameters out of range."""
    inf, nan = np.inf, np.nan
    for n, p in (
        (10, 0.5), (30, 0.3), (100.0, 0.6), (1000, 0.01), (0, 0.5), (10, 0.0), (10, 1.0), (-1, 0.5), (10, 1.5),
        (inf, 0.5), (nan, 0.5), (10, nan),
    ):
        same(lambda m, k: m.random.binomial(k, n, p, (200,)), seed=2)


@together
def test_binomial_of_arrays():
    n = np.array([5, 50, 500], np.float32)
    same(lambda m, k: m.random.binomial(k, m.numpy.asarray(n), 0.3))
    with both_x64(True):
        same(lambda m, k: m.random.binomial(k, m.numpy.asarray(n), 0.3))


def test_what_is_chosen_of_a_number_has_the_default_integer_dtype():
    for wide, name in ((False, "int32"), (True, "int64")):
        with both_x64(wide):
            for p in (None, np.float32([0.2, 0.5, 0.3])):
                for replace in (True, False):
                    x = random.choice(random.key(0), 3, (2,), replace, p)
                    assert x.dtype == name and set(x.tolist()) <= {0, 1, 2}


@together
def test_multinomial():
    p = np.array([[0.2, 0.5, 0.3], [0.0, 0.0, 1.0]], np.float32)
    put = lambda m: m.numpy.asarray(p)
    same(lambda m, k: m.random.multinomial(k, 20, put(m)))
    same(lambda m, k: m.random.multinomial(k, 20, put(m)[0], shape=(4, 3), dtype="int32"))
    same(lambda m, k: m.random.multinomial(k, m.numpy.asarray([5.0, 50.0]), put(m)))
    totals = numbers(random.multinomial(random.key(0), 20, adjoint.numpy.asarray(p))).sum(-1)
    np.testing.assert_array_equal([20, 20], totals)


@pytest.mark.parametrize(
    "program",
    [
        lambda m, k: m.random.randint(k, (5,), 0, 100),
        lambda m, k: m.random.bernoulli(k, 0.4, (5,)),
        lambda m, k: m.random.permutation(k, 7),
        lambda m, k: m.random.choice(k, 7, (3,)),
        lambda m, k: m.random.categorical(k, m.numpy.zeros(4), shape=(5,)),
    ],
)
def test_vmap_over_keys_is_a_loop(program):
    theirs, ours = keys(1)
    expected = jax.vmap(lambda k: program(jax, k))(jax.random.split(theirs, 6))
    split = random.split(ours, 6)
    assert_same(expected, adjoint.vmap(lambda k: program(adjoint, k))(split))
    loop = [numbers(program(adjoint, random.wrap_key_data(w))) for w in numbers(split)]
    np.testing.assert_array_equal(numbers(expected), np.stack(loop))
