"""Primitives on arrays of random keys.

The dtype of a key names its generator, so only `random_seed` has it as a parameter, and `random_wrap`, which is in
`generators.py`. Buffers of keys have one item a key, so a batch of keys is an array like any other: every rule here
works on arrays of keys of any shape, and `vmap` gives the numbers of a loop.
"""

from __future__ import annotations

import numpy as np

from ..core.dtypes import KeyDType
from ..core.primitive import Primitive
from ..core.types import ShapedArray
from ..sharding import rules
from .family import batch_elementwise, broadcast_shape
from .generators import RBG, THREEFRY, as_when_traced, batched_in_front, owner, without_derivative, words_of

__all__ = [
    "random_bits", "random_clone", "random_fold_in", "random_seed", "random_split", "random_unwrap",
]

_uint32 = np.dtype(np.uint32)


def generator_of(keys: ShapedArray):
    """Return the generator of an array of keys; TypeError if it is another array."""
    if type(keys.dtype) is not KeyDType:
        raise TypeError(f"Random primitives work on arrays of keys, got {keys.str_short(True)}.")
    return keys.dtype._impl


# ---- between integers and keys -------------------------------------------------------------------

random_seed = Primitive("random_seed")
random_seed.sharding(rules.with_words)


@random_seed.type
def _(seeds, *, impl):
    if seeds.dtype == object or seeds.dtype.kind not in "iub":
        raise TypeError(f"PRNG key seed must be an integer; got {seeds.str_short(True)}")
    return ShapedArray(seeds.shape, impl.dtype)


@random_seed.evaluate
def _(seeds, *, impl):
    return impl.seed(np.asarray(seeds))


batched_in_front(random_seed)
random_seed.examples(
    (ShapedArray((), np.dtype("int32")), dict(impl=THREEFRY)),
    (ShapedArray((2, 3), np.dtype("uint32")), dict(impl=RBG)),
)

random_unwrap = Primitive("random_unwrap")
random_unwrap.sharding(rules.with_words)


@random_unwrap.type
def _(keys):
    return ShapedArray(keys.shape + generator_of(keys).key_shape, _uint32)


@random_unwrap.evaluate
def _(keys):
    return words_of(keys)


batched_in_front(random_unwrap)
random_unwrap.examples(
    ShapedArray((), THREEFRY.dtype), ShapedArray((2, 3), RBG.dtype), ShapedArray((1,), THREEFRY.dtype)
)

# ---- from keys -----------------------------------------------------------------------------------

random_split = Primitive("random_split")
random_split.sharding(rules.with_words)


@random_split.type
def _(keys, *, shape, partitionable=None):
    generator_of(keys)
    return ShapedArray(keys.shape + shape, keys.dtype)


@random_split.evaluate
def _(keys, *, shape):
    return owner(keys).split(keys, shape)


as_when_traced(random_split)
batched_in_front(random_split)
random_split.examples(
    (ShapedArray((), THREEFRY.dtype), dict(shape=(2,))),
    (ShapedArray((3,), THREEFRY.dtype), dict(shape=(2, 500))),
    (ShapedArray((2,), RBG.dtype), dict(shape=())),
    (ShapedArray((0,), THREEFRY.dtype), dict(shape=(2,))),
)

random_fold_in = Primitive("random_fold_in")
random_fold_in.sharding(rules.with_words)


@random_fold_in.type
def _(keys, data):
    generator_of(keys)
    if data.dtype != _uint32:
        raise TypeError(f"random_fold_in needs a number of dtype uint32, got {data.str_short(True)}.")
    return ShapedArray(broadcast_shape("random_fold_in", (keys, data)), keys.dtype)


@random_fold_in.evaluate
def _(keys, data):
    return owner(keys).fold_in(keys, data)


random_fold_in.batch_rule = lambda args, dims: batch_elementwise(random_fold_in, args, dims, {})
without_derivative(random_fold_in)
random_fold_in.examples(
    (ShapedArray((), THREEFRY.dtype), ShapedArray((), _uint32)),
    (ShapedArray((3,), THREEFRY.dtype), ShapedArray((), _uint32)),
    (ShapedArray((2, 1), THREEFRY.dtype), ShapedArray((1, 3), _uint32)),
    (ShapedArray((), RBG.dtype), ShapedArray((4,), _uint32)),
)

random_bits = Primitive("random_bits")
random_bits.sharding(rules.with_words)


@random_bits.type
def _(keys, *, bit_width, shape, partitionable=None):
    generator_of(keys)
    if bit_width not in (8, 16, 32, 64):
        raise TypeError(f"random_bits makes integers of 8, 16, 32 or 64 bits, not {bit_width}.")
    return ShapedArray(keys.shape + shape, np.dtype(f"uint{bit_width}"))


@random_bits.evaluate
def _(keys, *, bit_width, shape):
    return owner(keys).bits(keys, bit_width, shape)


as_when_traced(random_bits)
batched_in_front(random_bits)
random_bits.examples(
    (ShapedArray((), THREEFRY.dtype), dict(bit_width=32, shape=(2, 3))),
    (ShapedArray((3,), THREEFRY.dtype), dict(bit_width=8, shape=())),
    (ShapedArray((2,), THREEFRY.dtype), dict(bit_width=64, shape=(500,))),
    (ShapedArray((), THREEFRY.dtype), dict(bit_width=16, shape=(0,))),
    (ShapedArray((), RBG.dtype), dict(bit_width=32, shape=(3,))),
)

# The same key, said to be used on purpose a second time: only checks of reuse tell it from its operand.
random_clone = Primitive("random_clone")
random_clone.type_rule = lambda keys: keys
random_clone.evaluate_rule = lambda keys: keys
batched_in_front(random_clone)
random_clone.examples(ShapedArray((), THREEFRY.dtype), ShapedArray((3,), RBG.dtype))
