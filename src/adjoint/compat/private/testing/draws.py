"""Random arguments of tests: each `rand_*` takes a generator of NumPy and returns a function of shape and dtype."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from ....core import dtypes as _dtypes
from .shapes import cast_to_shape, dims_of_shape

__all__ = ["rand_bool", "rand_default", "rand_fullrange", "rand_indices_unique_along_axis", "rand_int", "rand_like",
           "rand_nonzero", "rand_not_small", "rand_positive", "rand_small", "rand_small_positive", "rand_some_equal",
           "rand_some_inf", "rand_some_inf_and_nan", "rand_some_nan", "rand_some_zero", "rand_uniform",
           "rand_unique_int"]


def _drawn(draw: Callable, shape, dtype, scale=1.0, post: Callable = lambda x: x):
    """Return numbers that `draw` gives for dimensions, scaled, cast, and changed by `post`."""
    dims = dims_of_shape(shape)
    if np.issubdtype(dtype, np.unsignedinteger):
        values = np.asarray(scale * abs(draw(*dims)), dtype)
    elif _dtypes.issubdtype(dtype, np.complexfloating):
        values = np.asarray(scale * (draw(*dims) + 1j * draw(*dims)), dtype)
    else:
        values = np.asarray(scale * np.asarray(draw(*dims)), np.float64)
        values = values.astype(dtype) if dtype != _dtypes.float0 else np.zeros(dims, dtype)
    return cast_to_shape(np.asarray(post(values), dtype) if dtype != _dtypes.float0 else values, shape, dtype)


def rand_default(rng, scale=3):
    """Return a source of normal numbers."""
    return partial(_drawn, rng.randn, scale=scale)


def rand_nonzero(rng):
    """Return a source of normal numbers, ones in place of zeros."""
    return partial(_drawn, rng.randn, scale=3, post=lambda x: np.where(x == 0, np.array(1, x.dtype), x))


def rand_positive(rng):
    """Return a source of numbers between 1 and 3."""
    return partial(_drawn, rng.rand, scale=2, post=lambda x: x + np.array(1, x.dtype))


def rand_small(rng):
    """Return a source of normal numbers of the size 1e-3."""
    return partial(_drawn, rng.randn, scale=1e-3)


def rand_not_small(rng, offset=10.0):
    """Return a source of normal numbers that are `offset` further from zero."""
    def post(x):
        above = np.array(offset, x.dtype)
        return x + np.where(x > 0, above, above if x.dtype == np.bool_ else -above)

    return partial(_drawn, rng.randn, scale=3.0, post=post)


def rand_small_positive(rng):
    """Return a source of numbers between 0 and 2e-5."""
    return partial(_drawn, rng.rand, scale=2e-5)


def rand_uniform(rng, low=0.0, high=1.0):
    """Return a source of numbers between `low` and `high`."""
    def post(x):
        return (x * np.array(high - low, x.dtype) + np.array(low, x.dtype)).astype(x.dtype)

    return partial(_drawn, rng.rand, post=post)


def rand_some_equal(rng):
    """Return a source of numbers of which about half are the first."""
    def post(x):
        flat = x.ravel()
        return np.where(rng.rand(*x.shape) < 0.5, flat[0], x) if flat.size else x

    return partial(_drawn, rng.randn, scale=100.0, post=post)


def _with_some(rng, base: Callable, kinds: type = np.floating, **special: float):
    """Return a source of the numbers of `base`, a tenth of which, by name, are other numbers, in dtypes of `kinds`."""
    def draw(shape, dtype):
        if not _dtypes.issubdtype(dtype, kinds):
            return base(shape, dtype)
        if _dtypes.issubdtype(dtype, np.complexfloating):
            part = np.dtype(dtype).type(0).real.dtype
            real, imag = draw(shape, part), draw(shape, part)
            with np.errstate(invalid="ignore"):     # infinity times the 0 of 1j, as JAX's has it
                return cast_to_shape(np.asarray(real + np.array(1j, dtype) * imag, dtype), shape, dtype)
        dims = dims_of_shape(shape)
        chosen = [(rng.rand(*dims) < 0.1, number) for number in special.values()]
        values = base(dims, dtype)
        for where, number in chosen:
            values = np.where(where, np.array(number, dtype), values)
        return cast_to_shape(np.asarray(values, dtype), shape, dtype)

    return draw


def rand_some_inf(rng):
    """Return a source of normal numbers and infinities."""
    return _with_some(rng, rand_default(rng), above=np.inf, below=-np.inf)


def rand_some_nan(rng):
    """Return a source of normal numbers and NaN."""
    return _with_some(rng, rand_default(rng), np.inexact, none=np.nan)


def rand_some_inf_and_nan(rng):
    """Return a source of normal numbers, infinities and NaN."""
    return _with_some(rng, rand_default(rng), above=np.inf, below=-np.inf, none=np.nan)


def rand_some_zero(rng):
    """Return a source of normal numbers of which about half are zero."""
    base = rand_default(rng)

    def draw(shape, dtype):
        dims = dims_of_shape(shape)
        zeros = rng.rand(*dims) < 0.5
        values = base(dims, dtype)
        return cast_to_shape(np.where(zeros, np.array(0, dtype), values), shape, dtype)

    return draw


def rand_int(rng, low=0, high=None):
    """Return a source of integers from `low` to before `high`, which is by default the dtype's largest."""
    def draw(shape, dtype):
        top = high
        if top is None:
            if not _dtypes.issubdtype(dtype, np.integer):
                raise ValueError("rand_int requires an explicit `high` value for non-integer types.")
            top = _dtypes.iinfo(dtype).max
        return cast_to_shape(np.asarray(rng.randint(low, top, size=dims_of_shape(shape))).astype(dtype), shape, dtype)

    return draw


def rand_unique_int(rng, high=None):
    """Return a source of integers that all differ, from 0 to before `high`, by default their number."""
    def draw(shape, dtype):
        dims = dims_of_shape(shape)
        values = np.arange(math.prod(dims) if high is None else high, dtype=dtype)
        return rng.choice(values, size=dims, replace=False)

    return draw


def rand_indices_unique_along_axis(rng):
    """Return a function of a length, a shape and an axis: indices that differ along that axis, some negative."""
    def draw(dim, shape, axis, allow_negative=True):
        lines = [rng.permutation(dim)[: shape[axis]] for _ in range(math.prod(shape[:axis] + shape[axis + 1:]))]
        indices = np.asarray(lines).reshape(*shape[:axis], *shape[axis + 1:], shape[axis])
        indices = np.moveaxis(indices, -1, axis)
        return indices - dim * (rng.rand(*shape) < 0.5) if allow_negative else indices

    return draw


def rand_bool(rng):
    """Return a source of truth values."""
    def draw(shape, dtype):
        return cast_to_shape(np.asarray(rng.rand(*dims_of_shape(shape)) < 0.5).astype(dtype), shape, dtype)

    return draw


def rand_fullrange(rng, standardize_nans=False):
    """Return a source of numbers whose bits are random."""
    def draw(shape, dtype):
        dims = dims_of_shape(shape)
        bits = rng.bytes(math.prod(dims) * np.dtype(dtype).itemsize)
        if dtype == np.bool_:
            return cast_to_shape(np.frombuffer(bits, np.uint8).reshape(dims) != 0, shape, dtype)
        values = np.frombuffer(bits, dtype).reshape(dims)
        if standardize_nans and _dtypes.issubdtype(dtype, np.inexact):
            values = np.where(values != values, np.array(np.nan, dtype), values)
        return cast_to_shape(values, shape, dtype)

    return draw


def rand_like(rng, x):
    """Return normal numbers of the shape and dtype of `x`."""
    shape, dtype = np.shape(x), getattr(x, "dtype", None) or _dtypes.canonicalize_dtype(np.asarray(x).dtype)
    if _dtypes.issubdtype(dtype, np.complexfloating):
        return (rng.randn(*shape) + 1j * rng.randn(*shape)).astype(dtype)
    return np.asarray(rng.randn(*shape)).astype(dtype)
