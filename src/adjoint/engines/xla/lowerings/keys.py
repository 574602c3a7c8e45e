"""The `lower` rules of random keys. A key is its words in the text, on axes at the end of its array.

The default generator is written as operations; others are evaluated on the host.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ....core import dtypes
from ....core.types import ShapedArray
from ....core.values.dimension import is_more
from ....prims.conversion import convert_element_type
from ....prims.generators import THREEFRY, is_partitionable
from ....prims.logic import or_, shift_left, shift_right_logical, xor
from ....prims.shape import broadcast_in_dim, full, iota, reshape, stack
from ....prims.slicing import slice_
from ....prims.threefry import threefry2x32
from ..rules import RULES, on_keys
from ..stablehlo import Value, physical
from .lowerings import selected

_u32 = dtypes.uint32

on_keys("random_wrap", "random_unwrap", "random_clone")(lambda w, eqn, operands: operands[0])


def is_threefry(aval) -> bool:
    return aval.dtype._impl is THREEFRY


def _as(x, dtype):
    return convert_element_type(x, new_dtype=np.dtype(dtype), weak_type=False, sharding=None)


def _reshaped(x, shape):
    return reshape(x, new_sizes=tuple(shape), dimensions=None, sharding=None)


def _thirty_two(shape):
    return _as(full(shape, 32, _u32), dtypes.uint64)


def _wide(x, shape, axes):
    return broadcast_in_dim(x, shape=tuple(shape), broadcast_dimensions=tuple(axes), sharding=None)


def _words(keys):
    """Return the two words of each key."""
    ends = keys.shape[:-1]
    part = lambda i: slice_(
        keys, start_indices=(*[0] * len(ends), i), limit_indices=(*ends, i + 1), strides=None)
    return [_reshaped(part(i), ends) for i in range(2)]


def _halves(x):
    """High and low words of integers."""
    if x.dtype.itemsize < 8:
        return _wide(np.uint32(0), x.shape, ()), _as(x, _u32)
    bits = _as(x, dtypes.uint64)
    return _as(shift_right_logical(bits, _thirty_two(x.shape)), _u32), _as(bits, _u32)


def _encrypted(keys, n: int):
    """Return the pairs of words for the counters 0..n-1 under each key, on an axis of their own."""
    ends = keys.shape[:-1]
    shape, last = (*ends, n), len(ends)
    pair = [_wide(k, shape, range(last)) for k in _words(keys)]
    word = dtypes.uint64 if is_more(n, (1 << 32) - 1) else _u32
    counters = iota(dtype=word, shape=shape, dimension=last, sharding=None)
    return threefry2x32(*pair, *_halves(counters))


def split_keys(keys, shape):
    """Return the words of new keys, an array of that shape for each of `keys`."""
    new = stack(*_encrypted(keys, prod(shape)), axis=keys.ndim)
    return _reshaped(new, (*keys.shape[:-1], *shape, 2))


def bits_of(keys, width: int, shape):
    """Random integers of `width` bits, an array of that shape for each key."""
    high, low = _encrypted(keys, prod(shape))
    if width == 64:
        bits = shift_left(_as(high, dtypes.uint64), _thirty_two(high.shape))
        bits = or_(bits, _as(low, dtypes.uint64))
    else:
        bits = _as(xor(high, low), f"uint{width}")
    return _reshaped(bits, (*keys.shape[:-1], *shape))


@on_keys("random_seed")
def _(w, eqn, operands):
    if not is_threefry(eqn.outvars[0].aval):
        return w.on_host(eqn, operands)
    return w.written(lambda seeds: [stack(*_halves(seeds), axis=seeds.ndim)], operands)


@on_keys("random_split")
def _(w, eqn, operands):
    shape = eqn.params["shape"]
    if not is_threefry(eqn.invars[0].aval) or not is_partitionable(eqn.params):
        return w.on_host(eqn, operands)
    return w.written(lambda keys: [split_keys(keys, shape)], operands)


@on_keys("random_fold_in")
def _(w, eqn, operands):
    shape = eqn.outvars[0].aval.shape
    if not is_threefry(eqn.invars[0].aval):
        return w.on_host(eqn, operands)

    def run(keys, data):
        full = lambda x: _wide(x, shape, range(len(shape) - x.ndim, len(shape)))
        pair = threefry2x32(*map(full, _words(keys)), _wide(np.uint32(0), shape, ()), full(data))
        return [stack(*pair, axis=len(shape))]

    return w.written(run, operands)


@on_keys("random_bits")
def _(w, eqn, operands):
    shape, width = eqn.params["shape"], eqn.params["bit_width"]
    if not is_threefry(eqn.invars[0].aval) or not is_partitionable(eqn.params):
        return w.on_host(eqn, operands)
    return w.written(lambda keys: [bits_of(keys, width, shape)], operands)


# ---- moving keys about: as other arrays, with the axes of their words at the end -------------------


def _moved(name: str, **extended):
    """Register the rule of an operation that moves elements, with its parameters completed.

    `extended` has functions (parameter, rank of the keys, shape of a key) -> parameter for the words.
    """

    @on_keys(name)
    def _(w, eqn, operands):
        keys = next(v.aval for v in eqn.invars if isinstance(v.aval.dtype, dtypes.ExtendedDType))
        words = keys.dtype._impl.key_shape
        params = {k: extended[k](v, keys.ndim, words) if k in extended and v is not None else v
                  for k, v in eqn.params.items()}
        return RULES[name](w, eqn.replace(params=params), operands)


_axes = lambda v, rank, words: (*v, *range(rank, rank + len(words)))
_sizes = lambda v, rank, words: (*v, *words)
for _name in ("reshape", "squeeze", "concatenate", "rev", "split", "unstack", "stack", "copy", "stop_gradient", "name",
              "optimization_barrier", "empty", "add_any"):
    _moved(_name)
_moved("transpose", permutation=_axes)
_moved("slice", start_indices=lambda v, rank, words: (*v, *[0] * len(words)), limit_indices=_sizes,
       strides=lambda v, rank, words: (*v, *[1] * len(words)))


@on_keys("broadcast_in_dim")
def _(w, eqn, operands):
    rank, words = eqn.outvars[0].aval.ndim, eqn.outvars[0].aval.dtype._impl.key_shape
    axes = _axes(eqn.params["broadcast_dimensions"], rank, words)
    return RULES["broadcast_in_dim"](w, eqn.replace(params={**eqn.params, "broadcast_dimensions": axes}), operands)


def _with_zeros(w, eqn, operands):
    words = eqn.invars[0].aval.dtype._impl.key_shape
    starts = operands[2:] if eqn.primitive.name == "dynamic_update_slice" else operands[1:]
    number = starts[0].aval if starts else ShapedArray((), dtypes.int32)
    return words, [*operands, *[w.constant(np.zeros((), number.dtype), number) for _ in words]]


@on_keys("dynamic_slice")
def _(w, eqn, operands):
    words, operands = _with_zeros(w, eqn, operands)
    params = {**eqn.params, "slice_sizes": (*eqn.params["slice_sizes"], *words)}
    return RULES["dynamic_slice"](w, eqn.replace(params=params), operands)


@on_keys("dynamic_update_slice")
def _(w, eqn, operands):
    return RULES["dynamic_update_slice"](w, eqn, _with_zeros(w, eqn, operands)[1])


@on_keys("select_n")
def _(w, eqn, operands):
    which, *cases = operands
    out = physical(eqn.outvars[0].aval)
    axes = list(range(which.aval.ndim))
    which = w.op("stablehlo.broadcast_in_dim", [which], which.aval.update(shape=out.shape), f", dims = {axes}")
    return selected(w, which, cases)


def _gathered(w, eqn, operands) -> Value:
    keys = eqn.invars[0].aval
    words, n = keys.dtype._impl.key_shape, eqn.params["dimension_numbers"]
    rank = eqn.outvars[0].aval.ndim
    numbers = n._replace(offset_dims=(*n.offset_dims, *range(rank, rank + len(words))))
    params = {**eqn.params, "dimension_numbers": numbers, "slice_sizes": (*eqn.params["slice_sizes"], *words)}
    return RULES["gather"](w, eqn.replace(params=params), operands)


on_keys("gather")(_gathered)
