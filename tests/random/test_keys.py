"""Keys: made of seeds, split, folded, wrapped and unwrapped with JAX's words, typed and raw."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lax.parity import together
from tests.random.parity import assert_same, both_x64, keys, numbers, same
from tests.recorded import jax

import adjoint
from adjoint import random
from adjoint.core.options.config import threefry_partitionable

GENERATORS = ["threefry2x32", "rbg", "unsafe_rbg", "philox2x32", "philox4x32", "threefry4x32"]
each_generator = pytest.mark.parametrize("impl", GENERATORS)
SHAPES = [(), (2,), (3, 2), (0,), (500,)]


# ---- seeds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize(
    "seed", [0, 1, -1, 42, 2**31, 2**32 - 1, 2**32 + 7, -(2**40), 2**63 - 1, -(2**63), True]
)
def test_seeds(seed, x64):
    """Python integers of up to 64 bits; without 64-bit types the low half counts."""
    with both_x64(x64):
        assert_same(jax.random.key(seed), random.key(seed))
        assert_same(jax.random.PRNGKey(seed), random.PRNGKey(seed))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_seeds_of_numpy_and_arrays(dtype):
    """Scalars of every integer dtype, NumPy's and arrays."""
    for value in (0, 100, np.iinfo(dtype).max, np.iinfo(dtype).min):
        seed = np.dtype(dtype).type(value)
        assert_same(jax.random.key(seed), random.key(seed))
        theirs = jax.random.key(jax.numpy.asarray(np.asarray(seed)))
        assert_same(theirs, random.key(adjoint.numpy.asarray(np.asarray(seed))))


def derived(m, key):
    """Keys and words from a key: splits, bits of every width, folded numbers."""
    found = []
    for shape in SHAPES:
        found.append(m.random.split(key, shape))
        found += [m.random.bits(key, shape, f"uint{width}") for width in (8, 16, 32, 64)]
    return found + [m.random.fold_in(key, data) for data in (0, 1, 2**32 - 1)]


@each_generator
def test_generators(impl):
    """Every generator of JAX: seeding, splitting, folding, bits."""
    with both_x64(True):
        theirs, ours = jax.random.key(2**35 + 5, impl=impl), random.key(2**35 + 5, impl=impl)
        assert_same(theirs, ours)
        assert impl == random.key_impl(ours) == jax.random.key_impl(theirs)
        assert str(jax.random.key_dtype(impl)) == str(random.key_dtype(impl))
        assert_same(jax.jit(lambda k: derived(jax, k))(theirs), derived(adjoint, ours))


@each_generator
def test_batches_of_keys(impl):
    """`vmap` over keys gives JAX's numbers; for all but rbg those of a loop."""
    theirs = jax.random.split(jax.random.key(3, impl=impl), 4)
    ours = random.split(random.key(3, impl=impl), 4)
    data = np.arange(4, dtype=np.uint32)

    def program(m, k):
        return [
            m.vmap(lambda k: m.random.split(k, (2, 3)))(k),
            m.vmap(lambda k: m.random.bits(k, (5,), "uint16"))(k),
            m.vmap(lambda k: m.random.fold_in(k, 7))(k),
            m.vmap(m.random.fold_in)(k, m.numpy.asarray(data)),
            m.vmap(m.random.fold_in, (None, 0))(k[0], m.numpy.asarray(data)),
            m.vmap(m.vmap(m.random.fold_in, (None, 0)), (0, None))(k, m.numpy.asarray(data)),
        ]

    expected = jax.jit(lambda k: program(jax, k))(theirs)
    assert_same(expected, program(adjoint, ours))
    assert_same(expected, adjoint.jit(lambda k: program(adjoint, k))(ours))


def test_older_threefry():
    """`jax_threefry_partitionable` off: counters in halves, other numbers."""
    with jax.threefry_partitionable(False), threefry_partitionable(False), both_x64(True):
        theirs, ours = keys(5)
        assert_same(jax.jit(lambda k: derived(jax, k))(theirs), derived(adjoint, ours))


# ---- splitting and folding -----------------------------------------------------------------------


@pytest.mark.parametrize("raw", [False, True])
@together
def test_split(raw):
    """Any number of new keys, in few lanes or many blocks."""
    for num in (0, 1, 2, 7, 383, 384, 385, 20_000, (2, 3), (), (4, 0)):
        same(lambda m, k: m.random.split(k, num), seed=9, raw=raw)


# Two words of a key and one more. Examples of Hypothesis depend on what else is imported, so no answer could be kept.
EDGES = [(0, 0, 0), (0, 0, 1), (1, 0, 2**31), (0, 2**32 - 1, 40), (2**32 - 1,) * 3]
ANY = np.concatenate([np.array(EDGES, np.uint32), np.random.default_rng(8).integers(0, 2**32, (95, 3), np.uint32)])


def test_splits_are_prefixes():
    """The keys of a smaller split are the first of a larger one, for any key."""
    theirs = jax.jit(jax.vmap(lambda key: jax.random.split(key, 40)))(jax.random.wrap_key_data(ANY[:, :2]))
    for words, expected in zip(ANY, numbers(theirs), strict=True):
        key, n = random.wrap_key_data(words[:2]), int(words[2] % 41)
        most = numbers(random.split(key, 40))
        np.testing.assert_array_equal(most[:n], numbers(random.split(key, n)))
        np.testing.assert_array_equal(expected, most)


def test_fold_in_of_any_words():
    """Any key and number; a folded key is that of the counter with the number in its low word."""
    theirs = jax.jit(jax.vmap(jax.random.fold_in))(jax.random.wrap_key_data(ANY[:, :2]), ANY[:, 2])
    ours = [random.fold_in(random.wrap_key_data(words[:2]), int(words[2])) for words in ANY]
    assert_same(theirs, adjoint.numpy.stack(ours))


@given(st.integers(0, 3000), st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=5, unique=True))
def test_derived_keys_differ(seed, data):
    """Keys that are split from one key, or folded with different numbers, are all different."""
    key = random.key(seed)
    derived = [numbers(random.split(key, 10))] + [numbers(random.fold_in(key, d))[None] for d in data]
    rows = {tuple(row) for row in np.concatenate(derived).tolist()}
    # fold_in(key, d) is the d-th key of a split
    assert len(rows) == 10 + sum(d >= 10 for d in data)


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("data", [0, 3, 2**32 - 1, True, 1.5, np.int64(-3), np.uint8(200)])
def test_fold_in(data, raw):
    """Numbers of other kinds are converted to uint32."""
    theirs, ours = keys(4, raw)
    assert_same(jax.random.fold_in(theirs, data), random.fold_in(ours, data))


def test_fold_in_of_traced_numbers():
    """An index of a loop or a mapped one."""
    same(lambda m, k: m.vmap(lambda i: m.random.fold_in(k, i))(m.numpy.arange(5)))


# ---- keys and words ------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [False, True])
@together
def test_key_data_and_back(raw):
    same(lambda m, k: m.random.key_data(k), seed=3, raw=raw)
    same(lambda m, k: m.random.wrap_key_data(m.random.key_data(k)), seed=3, raw=raw)
    same(lambda m, k: m.random.key_data(m.random.split(k, (2, 3))), raw=raw)
    same(lambda m, k: m.random.clone(k), raw=raw)


def test_wrapping_arrays_of_numpy():
    """A copy is made: the key does not change with the array it came from."""
    words = np.array([[1, 2], [3, 4]], np.uint32)
    made = random.wrap_key_data(words)
    words[:] = 0
    np.testing.assert_array_equal([[1, 2], [3, 4]], numbers(made))


def test_types_of_keys():
    """Typed keys have a dtype of their own and the shape without words."""
    theirs, ours = keys()
    assert str(jax.typeof(theirs)) == ours.aval.str_short(True) == "key<fry>[]"
    assert "key<fry>[2,3]" == random.split(ours, (2, 3)).aval.str_short(True)
    assert adjoint.dtypes.issubdtype(ours.dtype, adjoint.dtypes.prng_key)
    assert ours.dtype == random.key(1, dtype=ours.dtype).dtype == random.key_dtype()


@each_generator
def test_repr(impl):
    split = lambda m, k: [m.random.split(k, shape) for shape in ((), (2,), (2, 3), (0,))]
    theirs = jax.jit(lambda k: split(jax, k))(jax.random.key(0, impl=impl))
    ours = split(adjoint, random.key(0, impl=impl))
    assert list(map(repr, theirs)) == list(map(repr, ours))


def test_keys_are_pickled():
    made = random.split(random.key(0), 3)
    again = pickle.loads(pickle.dumps(made))
    assert made.dtype == again.dtype
    np.testing.assert_array_equal(numbers(made), numbers(again))


@pytest.mark.parametrize(
    ("name", "value"), [("default_prng_impl", "rbg"), ("enable_custom_prng", True)]
)
def test_options(name, value):
    """The default generator, and typed keys of `PRNGKey`."""
    with getattr(jax, name)(value), getattr(adjoint, name)(value):
        assert_same(jax.random.PRNGKey(3), random.PRNGKey(3))
        assert_same(jax.random.key(3), random.key(3))
        assert str(jax.random.key_dtype()) == str(random.key_dtype())


def test_legacy_keys():
    """Raw keys can be refused, or allowed with a warning."""
    raw = random.PRNGKey(0)
    with adjoint.legacy_prng_key("warn"), pytest.warns(UserWarning, match="Legacy uint32 key"):
        random.split(raw)
    with adjoint.legacy_prng_key("error"), pytest.raises(ValueError, match="Legacy uint32 key"):
        random.split(raw)


VALUES = [100, -1, 2**31, 2**32 + 5, True, 1.7, -1.7, np.nan, np.inf, np.int8(-1), np.float32(2.5),
          np.uint64(2**40 + 3)]


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg"])
def test_filled_arrays_of_keys_have_the_value_in_every_word(impl):
    def filled(m):
        k = m.random.split(m.random.key(1, impl=impl), 2)
        n, dtype = m.numpy, k.dtype
        made = [
            *[n.full_like(k, v) for v in VALUES], *[m.lax.full((2,), v, dtype) for v in VALUES], n.ones(2, dtype),
            n.ones_like(k), n.zeros_like(k), n.empty((2, 1), dtype), n.full((), n.uint32(9), dtype), n.full(2, k[1]),
            m.lax.full_like(k, 3, shape=(3,)), m.jit(lambda k: n.full_like(k, 7))(k),
            m.vmap(lambda k: n.ones_like(k))(k), m.jit(lambda x: n.full(2, x, dtype))(n.int32(-2)),
        ]
        return [np.asarray(m.random.key_data(x)) for x in made]

    for theirs, ours in zip(filled(jax), filled(adjoint), strict=True):
        np.testing.assert_array_equal(theirs, ours)


def test_numbers_are_not_converted_to_keys():
    for m in (jax, adjoint):
        dtype = m.random.key(0).dtype
        with pytest.raises(ValueError, match=r"Cannot convert_element_type from int\d+ to key<fry>"):
            m.numpy.arange(2).astype(dtype)
        with pytest.raises(TypeError, match="Cannot interpret 'key<fry>' as a data type"):
            m.numpy.asarray([1, 2], dtype=dtype)


@pytest.mark.parametrize("compare", ["isclose", "allclose", "array_equal", "array_equiv"])
def test_keys_are_close_if_they_are_equal(compare):
    for lib in (adjoint, jax):
        a, b = lib.random.key(0), lib.random.key(1)
        same = getattr(lib.numpy, compare)
        assert not same(a, b) and same(a, a)
        assert bool(lib.numpy.all(same(lib.random.split(a), lib.random.split(a))))
        assert not bool(lib.numpy.all(same(lib.random.split(a), lib.random.split(b))))
