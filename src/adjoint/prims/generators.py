"""Random generators: how the keys of each kind are seeded, split and turned into bits.

A `Generator` is the `impl` of the dtype of its keys. It works on key buffers: NumPy arrays whose items are
whole keys, so that keys are moved about like any other elements. An item is a record with one field, an
array of words, and the field's name tells whose key it is. Counters are 64-bit, so arrays of more than
2^32 elements are right. `random.py` makes primitives of this.

Tests: `tests/random/test_keys.py`.
"""

from __future__ import annotations

from itertools import count
from math import prod
from weakref import WeakValueDictionary

import numpy as np

from ..array.array import ArrayImpl, make_array
from ..core.dtypes import KeyDType, float0
from ..core.options.config import local, threefry_partitionable
from ..core.primitive import Primitive
from ..core.trace import current, state
from ..core.types import ShapedArray, aval_of
from ..core.values.dimension import broadcast_shapes as broadcast_lengths
from ..core.values.zeros import Zero
from ..sharding import rules
from .bit_generator import generate, generate_each
from .ciphers import encrypt_philox2x32, encrypt_philox4x32, encrypt_threefry4x32
from .shape import batch_to_front
from .threefry import encrypt, encrypt_counters, encrypt_lanes

__all__ = ["Generator", "RBG", "THREEFRY", "UNSAFE_RBG", "define", "generator_of", "generators", "random_wrap"]

_uint32 = np.dtype(np.uint32)

generators: dict[str, Generator] = {}  # by name, in the order in which messages list them
_owners: WeakValueDictionary[str, Generator] = WeakValueDictionary()  # by field of their keys' buffers
_defined = count(1)


class Generator:
    """The rules of one kind of key.

    Attributes:
      is_shared: whether the first key of a batch draws for all of it, so that the elements of the batch meet.
    """

    is_shared = False

    def __init__(self, name: str, tag: str, key_shape: tuple[int, ...], field: str | None = None):
        self.name = name
        self.tag = tag
        self.key_shape = tuple(key_shape)
        self.buffer_dtype = np.dtype([(field or name, np.uint32, self.key_shape)])
        self.dtype = KeyDType(self)
        _owners[field or name] = self

    def keys(self, words) -> np.ndarray:
        """Return the buffer of keys of uint32 words, whose last axes are those of a key."""
        shape = words.shape[: words.ndim - len(self.key_shape)]
        return np.ndarray(shape, self.buffer_dtype, np.ascontiguousarray(words))

    def wrapped(self, words):
        """Return the array of keys of an array of uint32 words, by the primitive."""
        return random_wrap(words, impl=self)

    def seed(self, seeds: np.ndarray) -> np.ndarray:
        """Keys of seeds, an array of integers of any shape."""
        raise self._undefined("seed")

    def split(self, keys, shape: tuple[int, ...]) -> np.ndarray:
        """Return for each key an array of new ones."""
        raise self._undefined("split")

    def fold_in(self, keys, data) -> np.ndarray:
        """A new key of each key and number; `data` is uint32, its shape and that of `keys` broadcast."""
        raise self._undefined("fold_in")

    def bits(self, keys, width: int, shape: tuple[int, ...]) -> np.ndarray:
        """Return for each key an array of unsigned integers of `width` bits."""
        raise self._undefined("bits")

    def split_alone(self, keys, shape: tuple[int, ...]) -> np.ndarray:
        """Return for each key the array of new ones that it gives where no other key is beside it."""
        return self.split(keys, shape)

    def bits_alone(self, keys, width: int, shape: tuple[int, ...]) -> np.ndarray:
        """Return for each key the bits that it draws where no other key is beside it."""
        return self.bits(keys, width, shape)

    def _undefined(self, method: str) -> NotImplementedError:
        return NotImplementedError(
            f"The generator of random bits {self.name!r} does not define {method!r}.\n"
            f"  Try: a method {method} in {type(self).__name__}, or random.key(0), whose generator has all"
        )

    def __repr__(self):
        return f"PRNGImpl(key_shape={self.key_shape}, name={self.name!r}, tag={self.tag!r})"

    def __str__(self):
        return self.tag

    def __reduce__(self):
        return named, (self.name,)


def named(name: str) -> Generator:
    """Return the generator of the library that has this name."""
    return generators[name]


def owner(keys) -> Generator:
    """Return the generator of a buffer of keys."""
    return _owners[keys.dtype.names[0]]


def generator_of(dtype) -> Generator | None:
    """Return the generator of a dtype of keys; None for other dtypes."""
    return dtype._impl if isinstance(dtype, KeyDType) else None


def words_of(keys) -> np.ndarray:
    """Return the words of a buffer of keys, on axes of their own at the end."""
    return keys[keys.dtype.names[0]]


def _seed_words(seeds) -> tuple[np.ndarray, np.ndarray]:
    """High and low words of integers of any width."""
    high = (seeds >> 32).astype(np.uint32) if seeds.dtype.itemsize == 8 else np.zeros(seeds.shape)
    return high.astype(np.uint32), seeds.astype(np.uint32)


def is_partitionable(params) -> bool:
    """Return whether an equation with these parameters counts as `jax_threefry_partitionable` asks for.

    An operation that was not traced counts as the option says.
    """
    return params.get("partitionable", local.threefry_partitionable)


def as_when_traced(p) -> None:
    """Let equations of `p` count as `jax_threefry_partitionable` says where they are traced, wherever they run."""
    plain = p.evaluate_rule
    p.own_params = frozenset(["partitionable"])

    @p.stage
    def _(trace, args, params):
        return trace.emit(p, args, {"partitionable": bool(local.threefry_partitionable), **params})

    @p.evaluate
    def _(*buffers, partitionable=None, **params):
        if partitionable in (None, local.threefry_partitionable):
            return plain(*buffers, **params)
        with threefry_partitionable(partitionable):
            return plain(*buffers, **params)


# ---- threefry2x32 --------------------------------------------------------------------------------


class Threefry(Generator):
    """The default: the cipher's words for the counter of each element, mixed."""

    def seed(self, seeds):
        return self.keys(np.stack(_seed_words(seeds), -1))

    def split(self, keys, shape):
        if not local.threefry_partitionable:
            new = self._halves(keys, 2 * prod(shape)).reshape(keys.shape + shape + (2,))
            return self.keys(new)
        new = encrypt_counters(keys, prod(shape), "low")
        return np.ndarray(keys.shape + shape, self.buffer_dtype, new)

    def fold_in(self, keys, data):
        if keys.size == 1 and data.size == 1:
            key = int.from_bytes(keys.tobytes(), "little")
            y0, y1 = encrypt_lanes(key & 0xFFFFFFFF, key >> 32, 0, int(data.item()), 1)
            new = (y1 << 32 | y0).to_bytes(8, "little")
            return np.ndarray(keys.shape or data.shape, self.buffer_dtype, new)
        words = words_of(keys)
        return self.keys(np.stack(encrypt(words[..., 0], words[..., 1], np.uint32(0), data), -1))

    def bits(self, keys, width, shape):
        if not local.threefry_partitionable:
            return self._halved_bits(keys, width, shape)
        form = "high" if width == 64 else "mixed"
        out = encrypt_counters(keys, prod(shape), form)
        if width < 32:
            out = out.astype(f"uint{width}")
        return out.reshape(keys.shape + shape)

    # The older way, which makes one array of counters and encrypts its first half with its second.

    def _halves(self, keys, n: int) -> np.ndarray:
        half = (n + 1) // 2
        x0, x1 = np.arange(2 * half, dtype=np.uint32).reshape(2, half)
        if n % 2:
            x1[-1] = 0
        words = words_of(keys)
        pair = encrypt(words[..., 0, None], words[..., 1, None], x0, x1)
        return np.concatenate(pair, -1)[..., :n]

    def _halved_bits(self, keys, width, shape):
        size = prod(shape)
        if width == 64:
            high, low = np.split(self._halves(keys, 2 * size), 2, -1)
            out = high.astype(np.uint64) << np.uint64(32) | low
        elif width == 32:
            out = self._halves(keys, size)
        else:
            words = self._halves(keys, -(-size * width // 32))
            shifts = np.arange(0, 32, width, dtype=np.uint32)
            parts = (words[..., None] >> shifts).astype(f"uint{width}")
            out = parts.reshape(*words.shape[:-1], -1)[..., :size]
        return out.reshape(keys.shape + shape)


# ---- ciphers with wider counters -----------------------------------------------------------------


class Counter(Generator):
    """Any cipher; the counters of new keys stand in the last words, those of bits in the first."""

    def __init__(self, name, tag, encrypt, key_words: int, counter_words: int, seed_in_key=False):
        super().__init__(name, tag, (key_words,))
        self._encrypt = encrypt
        self._unused = [np.zeros((1,), np.uint32)] * (counter_words - 2)
        self._seed_in_key = seed_in_key

    def _new(self, words, high, low):
        """New keys of the words of keys and the halves of a counter, which broadcast."""
        n = self.key_shape[0]
        out = self._encrypt(*[words[..., i] for i in range(n)], *self._unused, high, low)
        return self.keys(np.stack(np.broadcast_arrays(*out[:n]), -1))

    def seed(self, seeds):
        high, low = _seed_words(seeds[..., None])
        zeros = [np.zeros((1,), np.uint32)] * self.key_shape[0]
        if self._seed_in_key:
            out = self._encrypt(high, low, *zeros[2:], *self._unused, *zeros[:2])
        else:
            out = self._encrypt(*zeros, high, low, *self._unused)
        return self.keys(np.concatenate(out[: self.key_shape[0]], -1))

    def split(self, keys, shape):
        high, low = _seed_words(np.arange(prod(shape), dtype=np.uint64))
        words = words_of(keys)[..., None, :]
        return self._new(words, high, low).reshape(keys.shape + shape)

    def fold_in(self, keys, data):
        shape = broadcast_lengths(keys.shape, data.shape)
        words = np.broadcast_to(words_of(keys), shape + self.key_shape)
        new = self._new(words[..., None, :], np.zeros((1,), np.uint32), data[..., None])
        return new.reshape(shape)

    def bits(self, keys, width, shape):
        high, low = _seed_words(np.arange(prod(shape), dtype=np.uint64))
        words = words_of(keys)[..., None]
        n = self.key_shape[0]
        y = self._encrypt(*[words[..., i, :] for i in range(n)], high, low, *self._unused)
        if width == 64:
            if n == 4:
                y = y[0] ^ y[2], y[1] ^ y[3]
            out = y[0].astype(np.uint64) << np.uint64(32) | y[1]
        else:
            out = np.bitwise_xor.reduce(y).astype(f"uint{width}")
        return out.reshape(keys.shape + shape)


# ---- rbg and unsafe_rbg --------------------------------------------------------------------------


class RandomBitGenerator(Generator):
    """Keys are two of threefry's, derived like those; bits are those of `lax.rng_bit_generator`."""

    is_shared = True

    def seed(self, seeds):
        pair = _seed_words(seeds)
        return self.keys(np.stack(pair * 2, -1))

    def split(self, keys, shape):
        return self._both_halves(keys, lambda halves: THREEFRY.split(halves, shape))

    def fold_in(self, keys, data):
        shape = broadcast_lengths(keys.shape, data.shape)
        keys, data = np.broadcast_to(keys, shape), np.broadcast_to(data, shape)
        pairs = np.stack([data, data])
        return self._both_halves(keys, lambda halves: THREEFRY.fold_in(halves, pairs))

    def _both_halves(self, keys, derive):
        halves = np.moveaxis(words_of(keys).reshape(*keys.shape, 2, 2), -2, 0)
        new = words_of(derive(THREEFRY.keys(halves)))
        return self.keys(np.concatenate(new, -1))

    def bits(self, keys, width, shape):
        first = words_of(keys).reshape(-1, 4)[:1]
        if not len(first):
            return np.empty(keys.shape + shape, f"uint{width}")
        return generate(first[0], keys.shape + shape, f"uint{width}")[1]

    def bits_alone(self, keys, width, shape):
        words = words_of(keys).reshape(-1, 4)
        return generate_each(words, prod(shape), f"uint{width}").reshape(keys.shape + shape)


class UnsafeRandomBitGenerator(RandomBitGenerator):
    """Keys are derived by the generator of bits itself, whose quality for that is not known."""

    def split(self, keys, shape):
        return self._drawn(self.bits, keys, shape)

    def split_alone(self, keys, shape):
        return self._drawn(self.bits_alone, keys, shape)

    def _drawn(self, bits, keys, shape):
        words = bits(keys, 32, (10 * prod(shape), 4))[..., ::10, :]
        return self.keys(words.reshape(keys.shape + shape + (4,)))

    def fold_in(self, keys, data):
        words = self.bits(self.seed(data), 32, (10, 4))[..., 9, :]
        return self.keys(words_of(keys) ^ words)


# ---- generators that users define ----------------------------------------------------------------


class UserGenerator(Generator):
    """A generator of functions on arrays of one key's words."""

    def __init__(self, name, tag, key_shape, seed, split, random_bits, fold_in):
        super().__init__(name, tag, key_shape, f"{name} {next(_defined)}")
        self._seed, self._split, self._bits, self._fold_in = seed, split, random_bits, fold_in

    def _map(self, fun, rows, shape, dtype) -> np.ndarray:
        """Return the results of `fun` for each row of operands, evaluated now."""
        with current(type(state).trace):  # the trace at the bottom
            outs = [fun(*row) for row in rows]
        outs = [x._value if isinstance(x, ArrayImpl) else np.asarray(x) for x in outs]
        return np.array(outs, dtype).reshape(shape)

    def _rows(self, keys):
        words = words_of(keys).reshape(-1, *self.key_shape)
        return [_array(w) for w in words]

    def seed(self, seeds):
        rows = [(_array(s),) for s in seeds.ravel()]
        return self.keys(self._map(self._seed, rows, seeds.shape + self.key_shape, np.uint32))

    def split(self, keys, shape):
        rows = [(w, shape) for w in self._rows(keys)]
        full = keys.shape + shape + self.key_shape
        return self.keys(self._map(self._split, rows, full, np.uint32))

    def fold_in(self, keys, data):
        shape = broadcast_lengths(keys.shape, data.shape)
        data = [_array(d) for d in np.broadcast_to(data, shape).ravel()]
        rows = zip(self._rows(np.broadcast_to(keys, shape)), data)
        return self.keys(self._map(self._fold_in, rows, shape + self.key_shape, np.uint32))

    def bits(self, keys, width, shape):
        rows = [(w, width, shape) for w in self._rows(keys)]
        return self._map(self._bits, rows, keys.shape + shape, f"uint{width}")

    def __reduce__(self):
        functions = self._seed, self._split, self._bits, self._fold_in
        return UserGenerator, (self.name, self.tag, self.key_shape, *functions)


def _array(x):
    return make_array(x, ShapedArray(x.shape, x.dtype))


def define(*, key_shape, seed, split, random_bits, fold_in, name="<unnamed>", tag="?") -> Generator:
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
    return UserGenerator(name, tag, key_shape, seed, split, random_bits, fold_in)


THREEFRY = Threefry("threefry2x32", "fry", (2,))
RBG = RandomBitGenerator("rbg", "rbg", (4,))
UNSAFE_RBG = UnsafeRandomBitGenerator("unsafe_rbg", "urbg", (4,))

for _generator in (
    Counter("philox2x32", "phx2", encrypt_philox2x32, 1, 2),
    Counter("philox4x32", "phx4", encrypt_philox4x32, 2, 4),
    THREEFRY,
    RBG,
    UNSAFE_RBG,
    Counter("threefry4x32", "fry4", encrypt_threefry4x32, 4, 4, seed_in_key=True),
):
    generators[_generator.name] = _generator


# ---- words as keys -------------------------------------------------------------------------------


def without_derivative(p):
    """Bits and keys do not vary smoothly with anything."""

    def rule(primals, tangents, **params):
        out = p(*primals, **params)
        return out, Zero(ShapedArray(aval_of(out).shape, float0))

    p.jvp(rule)


def batched_in_front(p):
    """Batch rule of a primitive whose results have the operand's axes in front."""

    def rule(args, dims, **params):
        return p(batch_to_front(args[0], dims[0]), **params), 0

    p.batch(rule)
    without_derivative(p)


random_wrap = Primitive("random_wrap")
random_wrap.sharding(rules.with_words)


@random_wrap.type
def _(words, *, impl):
    n = words.ndim - len(impl.key_shape)
    if words.dtype != _uint32 or words.shape[max(n, 0) :] != impl.key_shape:
        raise TypeError(
            f"random_wrap needs an array of uint32 whose shape ends with {impl.key_shape}, got "
            f"{words.str_short(True)}."
        )
    return ShapedArray(words.shape[:n], impl.dtype)


@random_wrap.evaluate
def _(words, *, impl):
    return impl.keys(words)


batched_in_front(random_wrap)
random_wrap.examples(
    (ShapedArray((2,), _uint32), dict(impl=THREEFRY)),
    (ShapedArray((3, 4), _uint32), dict(impl=RBG)),
    (ShapedArray((0, 2), _uint32), dict(impl=THREEFRY)),
)
