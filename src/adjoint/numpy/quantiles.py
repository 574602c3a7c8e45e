"""Quantiles, percentiles and medians over axes.

Tests: `tests/numpy/test_reductions.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import closest, message
from ..core.options.config import debug_nans
from ..core.types import Array
from ..core.values.dimension import as_number
from ..prims.indexed_windows import GatherDimensionNumbers, GatherScatterMode
from ..prims.indexing import gather
from ..prims.shape import insert_axes
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from . import ufuncs
from .axes import canonical_axes, operand
from .fills import full_like
from .indexing import take_along_axis
from .promotion import check_arraylike, constant, convert, promote_inexact
from .reductions import any, sum
from .running import cumsum
from .shapes import moveaxis, reshape

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

_METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf")
_MAX_ELEMENTS_TO_SORT = 2**15  # elements up to which to sort is as fast as to select
_STATIC = ("axis", "overwrite_input", "method", "keepdims")


def _quantile(name, a, q, axis, out, overwrite_input, method, keepdims, weights):
    """Return `quantile`, or `nanquantile`, which sorts NaNs to the end and counts what is before."""
    check_arraylike(name, a, q, *(() if weights is None else (weights,)))
    if overwrite_input or out is not None:
        raise ValueError(
            f"jax.numpy.{name} does not support overwrite_input=True or out != None"
        )
    if method not in _METHODS:
        raise ValueError(
            message(
                "method can only be 'linear', 'lower', 'higher', 'midpoint', 'nearest' or 'inverted_cdf'",
                why=f"Got {method!r}.",
                fix=f"method={closest(str(method), _METHODS) or 'linear'!r}",
            )
        )
    if weights is not None:
        if dtypes.issubdtype(dtypes.dtype_of(weights), np.complexfloating):
            raise ValueError(message("Weights cannot be complex types.", fix="jnp.abs(weights)"))
        if method != "inverted_cdf":
            raise NotImplementedError(message(
                f"{method} doesn't support weights. Only method 'inverted_cdf' supports weights.",
                fix='method="inverted_cdf"',
            ))
        dtype = dtypes.to_inexact_dtype(dtypes.lattice_result_type(a, weights)[0])
        a, weights = (operand(name, convert(x, dtype)) for x in (a, weights))
    a = operand(name, promote_inexact(name, a)[0])
    q = operand(name, promote_inexact(name, q)[0])
    if dtypes.issubdtype(a.dtype, np.complexfloating):
        raise ValueError(
            message(
                f"{name} does not support complex input, as the operation is poorly defined.",
                fix="jnp.abs(x), or x.real",
            )
        )
    if q.ndim > 1:
        raise ValueError(message(f"q must be have rank <= 1, got shape {q.shape}", fix="q.ravel()"))
    shape = a.shape
    axes = canonical_axes(axis, a.ndim)
    if weights is not None:
        weights = _spread(weights, shape, axes, axis)
    if len(axes) == 1 and axis is not None:
        (along,) = axes
    else:  # the reduced axes become the last one
        kept = tuple([i for i in range(a.ndim) if i not in axes])
        n = 1
        for i in axes:
            n *= shape[i]
        joined = lambda x: lax.reshape(x, (*[shape[i] for i in kept], n), (*kept, *axes))
        a, weights = joined(a), None if weights is None else joined(weights)
        along = a.ndim - 1
    if method == "inverted_cdf":
        result = _inverted(a, q, along, weights, name == "nanquantile")
    elif name == "nanquantile":
        result = _without_nan(a, q, along, method)
    else:
        result = _with_nan(a, q, along, method)
    result = convert(result, result.dtype)
    if keepdims:
        ones = tuple([1 if i in axes else n for i, n in enumerate(shape)]) or (1,)  # JAX parity: of a scalar too
        result = reshape(result, (*q.shape, *ones))
    return result


def _spread(weights, shape, axes, axis):
    """Weights of the shape of all elements, from these or from one for each place along the reduced axes."""
    if weights.shape == shape:
        return weights
    if axis is None:
        raise ValueError("Weights shape must match 'a' shape when axis is None.")
    reduced = tuple([shape[i] for i in axes])
    if weights.shape != reduced:
        raise ValueError(f"Weights shape {weights.shape} must match reduction axes {reduced}")
    order = tuple(sorted(range(len(axes)), key=axes.__getitem__))
    return lax.broadcast_in_dim(lax.transpose(weights, order), shape, tuple(sorted(axes)))


def _inverted(a, q, axis, weights, skips_nan):
    """Return the least elements up to which there are `q` of all weights; of equal ones, if there are none."""
    a = moveaxis(a, axis, -1)
    if weights is None:
        weights = full_like(a, 1)
    else:
        weights = moveaxis(weights, axis, -1)
    wrong = any(ufuncs.logical_not(weights >= 0), -1)
    a = ufuncs.where(ufuncs.isnan(a), np.nan, a)
    a, weights = lax.sort((a, weights), dimension=-1, num_keys=1)
    missing = ufuncs.isnan(a)
    present = sum(ufuncs.logical_not(missing), -1, dtype=dtypes.int32)
    so_far = cumsum(ufuncs.where(missing | ufuncs.logical_not(weights >= 0), 0, weights), -1)
    wrong = wrong | (present == 0 if skips_nan else any(missing, -1))
    wide = dtypes.promote_types(q.dtype, so_far.dtype)
    shape = (*so_far.shape[:-1], q.size, a.shape[-1])
    goal = convert(so_far[..., -1:], wide)[..., None] * reshape(convert(q, wide), (1,) * (a.ndim - 1) + (q.size, 1))
    below = lax.broadcast_in_dim(convert(so_far, wide), shape, (*range(a.ndim - 1), a.ndim)) < goal
    at = ufuncs.minimum(sum(below, -1, dtype=dtypes.int32), present[..., None] - 1)
    found = ufuncs.where(wrong[..., None], np.nan, take_along_axis(a, ufuncs.maximum(at, 0), -1))
    return moveaxis(found, -1, 0) if q.ndim else found[..., 0]


def _with_nan(a, q, axis, method):
    """Return quantiles along an axis; NaN where there is a NaN."""
    found = insert_axes(any(ufuncs.isnan(a), axis), (axis,))
    with debug_nans(False):  # also where `jit` is disabled, the NaN that is not chosen is no error
        a = ufuncs.where(found, np.nan, a)
    a = lax.sort(a, dimension=axis)
    count = a.shape[axis]
    last = lambda: lax.sub(as_number(count, q.dtype), q.dtype.type(1))
    place = lax.mul(q, last())
    low, high = lax.floor(place), lax.ceil(place)
    weight = lax.sub(place, low)
    low_weight = lax.sub(constant(weight, 1), weight)
    zero = q.dtype.type(0)
    low, high = lax.clamp(zero, low, last()), lax.clamp(zero, high, last())
    low, high = (convert(i, dtypes.default_int()) for i in (low, high))
    offset = tuple(range(q.ndim, q.ndim + a.ndim - 1))
    sizes = (*a.shape[:axis], 1, *a.shape[axis + 1 :])

    def pick(i):
        return gather(
            a, insert_axes(i, (i.ndim,)),
            dimension_numbers=GatherDimensionNumbers(offset, (axis,), (axis,)), slice_sizes=sizes,
            unique_indices=False, indices_are_sorted=False,
            mode=GatherScatterMode.PROMISE_IN_BOUNDS, fill_value=None,
        )

    ends = pick(low), pick(high)
    weights = [
        insert_axes(w, tuple(range(q.ndim, q.ndim + a.ndim - 1))) if q.ndim and a.ndim > 1 else w
        for w in (low_weight, weight)
    ]
    return _between(*ends, *weights, method)


def _without_nan(a, q, axis, method):
    """Return quantiles along an axis of what is not NaN."""
    a = ufuncs.where(ufuncs.isnan(a), np.nan, a)
    a = lax.sort(a, dimension=axis)
    present = ufuncs.logical_not(ufuncs.isnan(a))
    count = sum(present, axis, dtype=q.dtype)
    one = q.dtype.type(1)
    lead = q.ndim
    if count.ndim:
        q = insert_axes(q, tuple(range(lead, lead + count.ndim)))
    if lead and count.ndim:
        count = insert_axes(count, tuple(range(lead)))
    place = lax.mul(q, lax.sub(count, one))
    low, high = lax.floor(place), lax.ceil(place)
    weight = lax.sub(place, low)
    low_weight = lax.sub(constant(weight, 1), weight)
    inside = lambda i: ufuncs.maximum(0.0, ufuncs.minimum(i, lax.sub(count, one)))
    low, high = inside(low), inside(high)
    int_ = dtypes.default_int()
    low, high = convert(low, int_), convert(high, int_)
    grid = [lax.broadcasted_iota(int_, low.shape, i) for i in range(lead, low.ndim)]
    pick = lambda i: a[(*grid[:axis], i, *grid[axis:])]
    return _between(pick(low), pick(high), low_weight, weight, method)


def _between(low, high, low_weight, high_weight, method):
    """Return the quantile from its neighbours and how close it is to each."""
    if method == "linear":
        wide = low.dtype if low.dtype.itemsize > low_weight.dtype.itemsize else low_weight.dtype
        parts = [
            ufuncs.multiply(convert(end, wide), convert(weight, wide))
            for end, weight in ((low, low_weight), (high, high_weight))
        ]
        return convert(ufuncs.add(*parts), low.dtype)
    if method == "lower":
        return low
    if method == "higher":
        return high
    if method == "nearest":
        nearer = lax.le(high_weight, constant(high_weight, 0.5))
        return lax.select(lax.broadcast_in_dim(
            nearer, low.shape, range(nearer.ndim)), low, high)
    return ufuncs.multiply(ufuncs.add(low, high), 0.5)


@replayed(compiles_after=WORTH, arrays=2)
@inner_jit(static_argnames=_STATIC)
def quantile(
    a, q, axis=None, out=None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights=None,
) -> Array:
    """Return quantiles over axes; NaN where there is a NaN.

    Args:
      a: real array.
      q: probability from 0 to 1, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf", the
        least element up to which there is a part `q` of all.
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced: below each is a part
      `q` of the elements. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.quantile(jnp.array([0., 1., 2.]), 0.25)
    Array(0.5, dtype=float32)
    """
    return _quantile("quantile", a, q, axis, out, overwrite_input, method, keepdims, weights)


@replayed(compiles_after=WORTH, arrays=2)
@inner_jit(static_argnames=_STATIC)
def nanquantile(
    a, q, axis=None, out=None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights=None,
) -> Array:
    """Return quantiles over axes, not counting NaNs.

    Args:
      a: real array.
      q: probability from 0 to 1, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf".
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced; NaN where there is
      nothing else. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.nanquantile(jnp.array([0., jnp.nan, 2.]), 0.5)
    Array(1., dtype=float32)
    """
    return _quantile("nanquantile", a, q, axis, out, overwrite_input, method, keepdims, weights)


def _hundredth(name, q):
    (q,) = promote_inexact(name, q)
    return ufuncs.true_divide(q, 100.0)


@replayed(compiles_after=WORTH, arrays=2)
@inner_jit(static_argnames=(*_STATIC, "out_sharding"))
def percentile(
    a, q, axis=None, out=None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights=None, out_sharding=None,
) -> Array:
    """Return percentiles over axes: `quantile` with `q` from 0 to 100.

    Args:
      a: real array.
      q: percentage from 0 to 100, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf".
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced.
      The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.percentile(jnp.array([0., 1., 2.]), 50)
    Array(1., dtype=float32)
    """
    q = _hundredth("percentile", q)
    return quantile(a, q, axis, out, overwrite_input, method, keepdims, weights=weights)


@replayed(compiles_after=WORTH, arrays=2)
@inner_jit(static_argnames=_STATIC)
def nanpercentile(
    a, q, axis=None, out=None, overwrite_input: bool = False, method: str = "linear",
    keepdims: bool = False, *, weights=None,
) -> Array:
    """Return percentiles over axes, not counting NaNs: `nanquantile` with `q` from 0 to 100.

    Args:
      a: real array.
      q: percentage from 0 to 100, or several; their axes come first in the result.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      method: how to choose between two elements: linear, lower, higher, midpoint or nearest; or "inverted_cdf".
      keepdims: keep the reduced axes with length 1.
      weights: how often each element counts, for "inverted_cdf": of the shape of `a`, or of its reduced axes.
    Returns:
      Floats, in an array with the axes of `q` in front, and those of `a` that are not reduced; NaN where there is
      nothing else. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.nanpercentile(jnp.array([0., jnp.nan, 2.]), 50)
    Array(1., dtype=float32)
    """
    q = _hundredth("nanpercentile", q)
    return nanquantile(a, q, axis, out, overwrite_input, method, keepdims, weights=weights)


def _numpy_median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if not a.size:
        return NotImplemented
    out = np.asarray(np.median(np.atleast_1d(a) if keepdims else a, axis, keepdims=keepdims))
    return out if out.all() else NotImplemented  # NumPy's zeros have lost their signs


@replayed(numpy=_numpy_median, compiles_after=WORTH, sizes=range(_MAX_ELEMENTS_TO_SORT))
@inner_jit(static_argnames=("axis", "overwrite_input", "keepdims"))
def median(a, axis=None, out=None, overwrite_input: bool = False, keepdims: bool = False) -> Array:
    """Return the median over axes: the element in the middle, or the mean of the middle two; NaN if there is one.

    Args:
      a: real array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The medians, floats, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.median(jnp.array([3., 1., 2.]))
    Array(2., dtype=float32)
    """
    return quantile(a, 0.5, axis, out, overwrite_input, "midpoint", keepdims)


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("axis", "overwrite_input", "keepdims"))
def nanmedian(
    a, axis=None, out=None, overwrite_input: bool = False, keepdims: bool = False
) -> Array:
    """Return the median over axes, not counting NaNs; NaN where there is nothing else.

    Args:
      a: real array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      overwrite_input: must be False.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The medians, floats, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `a` is complex, `axis` is out of range, or `out` is given.

    >>> jnp.nanmedian(jnp.array([3., jnp.nan, 1.]))
    Array(2., dtype=float32)
    """
    return nanquantile(a, 0.5, axis, out, overwrite_input, "midpoint", keepdims)
