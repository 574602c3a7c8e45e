"""Permutations, and choices from a population.

A permutation sorts by random keys, more than once where two keys are likely to be equal. A choice is a random
index for each draw, or without replacement the beginning of a permutation.

Tests: `tests/random/test_discrete.py`.
"""

from __future__ import annotations

from math import ceil, log, prod
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..array.array import ArrayImpl, as_array
from ..core import dtypes
from ..core.messages.errors import ConcretizationTypeError, describe, message, shorten
from ..core.trace import Tracer
from ..core.types import Array
from ..lax.shape import canonical_axis
from ..numpy.promotion import check_arraylike
from ..parallel.arrays import with_out_sharding
from ..prims.shape import reshape
from ..sharding.device import engine_name
from ..transforms.jit.jit import inner_jit, jit
from .arguments import (
    shape_argument,
    shape_of,
    single_key,
    strong,
)
from .continuous import gumbel, gumbel_mode, uniform
from .discrete import randint
from .immediate import is_concrete, shuffle_now, split_keys
from .keys import raw_bits

__all__ = ["choice", "permutation"]

_MIN_ELEMENTS_TO_COMPILE = 1 << 18  # elements of a vector that is worth compiled code


def permutation(
    key, x, axis: int = 0, independent: bool = False, *, out_sharding=None
) -> Array:
    """Return a random permutation of an array along an axis, or of the integers below a number.

    Args:
      key: a key, typed or raw.
      x: an array, or an integer for `arange(x)`.
      axis: the axis that is permuted.
      independent: permute each slice along `axis` by itself, instead of all alike.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of the shape and dtype of `x`, or of integers.
    Raises:
      TypeError: `x` is a float.
      ValueError: there is no such axis.

    >>> random.permutation(random.key(0), 5)
    Array([0, 1, 4, 3, 2], dtype=int32)
    """
    key = single_key("permutation", key)
    check_arraylike("permutation", x)
    if out_sharding is not None:
        return with_out_sharding("permutation", out_sharding, permutation, key, x, axis, independent)
    axis = canonical_axis(axis, len(shape_of(x)) or 1)
    if not shape_of(x):
        if not dtypes.issubdtype(dtypes.dtype_of(x), np.integer):
            raise TypeError(
                message(
                    f"x must be an integer or at least 1-dimensional, got {describe(x)}.",
                    fix="random.permutation(key, int(x)) for the integers below x",
                )
            )
        n = _concrete_int(x, "argument x of jax.random.permutation()")
        return _shuffled(key, lax.iota(dtypes.default_int(), max(n, 0)), axis)
    x = as_array(x)
    if independent or x.ndim == 1:
        return _shuffled(key, x, axis)
    order = _shuffled(key, lax.iota(dtypes.default_int(), x.shape[axis]), 0)
    return _take(x, order, axis, unique=True)


def _concrete_int(x, what: str) -> int:
    value = x.concrete() if isinstance(x, Tracer) else x
    if value is None:
        raise ConcretizationTypeError(x, what)
    return int(np.asarray(value))


def _take(x, indices, axis: int, unique: bool = False):
    return jnp.take(x, indices, axis, unique_indices=unique)


def _rounds(n: int) -> int:
    """Return how often to sort `n` elements by random keys.

    One sort permutes uniformly if no two 32-bit keys are equal. After k of them that is likely enough if
    n^3 is small against 2^(32 k).
    """
    return ceil(3 * log(max(1, n)) / log(2**32 - 1))


def _shuffled(key, x, axis: int):
    if is_concrete(key) and type(x) is ArrayImpl and not x.aval.weak_type and x.ndim == 1 and 0 < x.size < 2**32:
        if x.size >= _MIN_ELEMENTS_TO_COMPILE and engine_name() == "native":
            return _compiled_shuffle(key, x, axis)
        return shuffle_now(key, x, _rounds(x.size))
    return _shuffle(key, x, axis)


def _sorted_by_bits(key, x, axis):
    for _ in range(_rounds(x.size)):
        key, subkey = split_keys(key)
        sort_keys = raw_bits(subkey, 32, x.shape)
        _, x = lax.sort_key_val(sort_keys, x, axis)
    return x


_shuffle = inner_jit(_sorted_by_bits, static_argnames=("axis",), name="_shuffle")
_compiled_shuffle = jit(_sorted_by_bits, static_argnames=("axis",))


def choice(
    key, a, shape=(), replace: bool = True, p: Any = None, axis: int = 0, mode: str | None = None
) -> Array:
    """Return random elements, or slices along an axis, of an array.

    Args:
      key: a key, typed or raw.
      a: an array, or an integer for `arange(a)`.
      shape: the shape of the sample, which takes the place of `axis` in the result.
      replace: whether an element may be chosen again.
      p: the probability of each element; all the same by default.
      axis: the axis along which elements are chosen.
      mode: "low" or "high", as in `gumbel`; used with `p` and without replacement only.
    Returns:
      The chosen elements, in an array of the dtype of `a`, whose axis `axis` is replaced by the axes of `shape`.
    Raises:
      ValueError: there is nothing to choose from, or less than is chosen without replacement; `p` has
        another length than the axis.
      TypeError: `shape` is not a sequence.

    >>> random.choice(random.key(0), jnp.array([10, 20, 30]), (4,))
    Array([20, 10, 30, 20], dtype=int32)
    """
    key = single_key("choice", key)
    if not np.iterable(shape):
        raise TypeError(
            message(
                f"shape argument of jax.random.choice must be a sequence, got {shorten(shape)}",
                fix=f"shape=({shorten(shape)},)",
            )
        )
    shape = shape_argument(shape)
    check_arraylike("choice", a, *(() if p is None else (p,)))
    if shape_of(a):
        a = as_array(a)
        axis = canonical_axis(axis, a.ndim)
        population = a.shape[axis]
    else:
        population = _concrete_int(a, "The error occurred in jax.random.choice()")
        axis = 0 if replace or p is not None else canonical_axis(axis, 1)  # JAX parity: read where they are shuffled
    draws = prod(shape)
    _check_draws(population, draws, replace)
    if draws == 0:
        return lax.full(shape, 0, a.dtype if shape_of(a) else dtypes.default_int())
    if p is None:
        indices = None
        if replace:
            indices = randint(key, shape, 0, population)
    else:
        indices = _weighted(key, p, population, shape, replace, mode)
    if indices is None:
        shuffled = permutation(key, a if shape_of(a) else population, axis)
        lengths = shuffled.shape
        lengths = (*lengths[:axis], draws, *lengths[axis + 1 :])
        chosen = lax.slice(shuffled, (0,) * len(lengths), lengths)
    else:
        chosen = _take(a, indices, axis) if shape_of(a) else indices
    rest = shape_of(a) or (0,)
    full = (*rest[:axis], *shape, *rest[axis + 1 :])
    if chosen.shape == full and full:
        return chosen
    # JAX parity: a scalar is reshaped, test_jaxprs
    return reshape(chosen, new_sizes=full, dimensions=None, sharding=None)


def _check_draws(population: int, draws: int, replace: bool) -> None:
    if draws and population <= 0:
        raise ValueError(
            message(
                "a must be greater than 0 unless no samples are taken",
                why=f"random.choice was to take {draws} from {population}.",
                fix="an array with elements, or a positive integer",
            )
        )
    if not replace and draws > population:  # the number may be an expression, which is compared if it matters
        raise ValueError(
            message(
                f"Cannot take a larger sample (size {draws}) than population (size {population}) when "
                "'replace=False'",
                fix="replace=True, or a smaller shape",
            )
        )


def _weighted(key, p, population: int, shape, replace: bool, mode):
    """Indices, chosen with probabilities `p`."""
    p = strong(p, dtypes.to_inexact_dtype(dtypes.dtype_of(p)))
    if p.shape != (population,):
        raise ValueError(
            message(
                "p must be None or a 1D vector with the same size as a.shape[axis]. p has shape "
                f"{p.shape} and a.shape[axis] is {population}.",
                fix="one probability for each element of a along axis",
            )
        )
    if replace:
        sums = jnp.cumsum(p)
        total = sums[-1]
        u = uniform(key, shape, sums.dtype)
        place = lax.mul(total, lax.sub(sums.dtype.type(1), u))
        return jnp.searchsorted(sums, place).astype(dtypes.default_int())
    # The largest of independent Gumbel numbers, each shifted by log p, are such a sample.
    noise = gumbel(key, (population,), p.dtype, gumbel_mode(mode))
    return lax.top_k(lax.add(noise, lax.log(p)), prod(shape))[1].astype(dtypes.default_int())
