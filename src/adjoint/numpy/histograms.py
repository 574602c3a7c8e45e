"""Counting: how often integers occur, how many elements fall into each bin.

Tests: `tests/numpy/test_families.py`.
"""

from __future__ import annotations

import operator
from math import prod

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import ShardingTypeError, message
from ..core.trace import state
from ..core.types import Array
from ..core.values.dimension import as_length
from ..parallel.arrays import with_out_sharding
from ..sharding.explicit import asked_sharding
from ..sharding.mesh import names_of
from ..transforms.jit.replay import WORTH, replayed
from . import ufuncs
from .axes import operand
from .conversion import asarray
from .differences import diff
from .joining import stack
from .promotion import check_arraylike, convert, known, promote_inexact
from .ranges import linspace
from .reductions import max as largest
from .reductions import min as smallest
from .reductions import ptp, sum
from .searching import known_values, searchsorted
from .shapes import ravel, reshape

__all__ = ["bincount", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def _bincount_now(x, weights=None, minlength=0, *, length=None, out_sharding=None):
    if x.ndim != 1 or x.dtype.kind not in "iu" or weights is not None or length is not None or out_sharding:
        return NotImplemented
    if x.size > _ELEMENTS_PER_CHUNK:
        length = max(int(x.max(initial=0)) + 1, minlength)
        return _numpy_counted(x, None, length).astype(dtypes.default_int()) if length >= 0 else NotImplemented
    try:
        return np.bincount(x, None, minlength).astype(dtypes.default_int())
    except (ValueError, TypeError):  # numbers below 0, which count as 0
        return NotImplemented


@replayed(now=_bincount_now, exact=True)
def bincount(
    x, weights=None, minlength: int = 0, *, length: int | None = None, out_sharding=None
) -> Array:
    """Return how often each non-negative integer occurs.

    Args:
      x: integers; negative ones count as 0.
      weights: summed instead of counted.
      minlength: the least length of the result.
      length: the length of the result, needed where `x` is traced; larger integers are dropped.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.bincount(jnp.array([1, 1, 3]))
    Array([0, 2, 0, 1], dtype=int32)
    """
    x = operand("bincount", x)
    if x.dtype == np.bool_:
        x = convert(x, dtypes.int32)
    if not dtypes.issubdtype(x.dtype, np.integer):
        what = f"x argument to bincount must have an integer type; got {x.dtype.name}"
        raise TypeError(message(what, fix="jnp.bincount(x.astype(int)), or jnp.histogram(x) for floats"))
    if x.ndim != 1:
        raise ValueError(message("only 1-dimensional input supported.", fix="x.ravel()"))
    minlength = operator.index(minlength)
    if length is None:
        values = known_values(
            x, "The error occurred because of argument 'x' of jnp.bincount. To avoid this error, pass a "
            "static `length` argument.",
        )
        length = max(int(values.max(initial=0)) + 1 if values.size else 0, minlength)
    if weights is not None:
        weights = operand("bincount", weights)
        if x.shape != weights.shape:
            raise ValueError(
                message("shape of weights must match shape of x.", fix="weights=jnp.broadcast_to(w, x.shape)")
            )
    length = known(length, "The length argument of jnp.bincount() decides the shape of the result.")
    length = as_length(length)
    if out_sharding is None:
        return _counted(x, weights, length)
    sharding = asked_sharding("jnp.bincount", out_sharding)
    if any(names_of(e) for e in sharding.spec):
        raise ShardingTypeError(
            message(
                "out_sharding passed to `jnp.bincount` can only be fully replicated or fully unreduced along all mesh "
                f"axes. Got {sharding.spec}",
                why="Each device counts what it has, and any of them may have any number.",
                fix="jax.reshard(jnp.bincount(x, length=n), out_sharding)",
            )
        )
    return with_out_sharding("jnp.bincount", out_sharding, _counted, x, weights, length)


_ELEMENTS_PER_CHUNK = 2**17  # elements that are counted at once, while they are in the cache
_MAX_WEIGHTS_IN_ONE_SUM = 1024  # weights of float64 that may be added one after the other
_EXACT = range(_ELEMENTS_PER_CHUNK)  # elements that are counted in floats without rounding, and soon by one thread


def _numpy_counted(x, weights, length):
    if not x.size or weights is not None and weights.dtype.kind != "f":
        return NotImplemented
    if weights is not None and weights.itemsize == 8 and x.size > _MAX_WEIGHTS_IN_ONE_SUM:
        return NotImplemented
    if x.view(f"u{x.itemsize}").max() >= length:  # as a negative number is, read so
        x = np.maximum(x, 0)
        weights = None if weights is None else weights[x < length]
        x = x[x < length]
    out = np.zeros(length, np.intp if weights is None else np.float64)
    step = max(_ELEMENTS_PER_CHUNK, 4 * length)
    for i in range(0, x.size, step):
        out += np.bincount(x[i : i + step], None if weights is None else weights[i : i + step], length)
    return out


@replayed(numpy=_numpy_counted, mixed=True, exact=True)
def _counted(x, weights, length):
    ones = np.array(1, dtypes.default_int()) if weights is None else weights
    counts = lax.full((length,), 0, ones.dtype)
    return counts.at[ufuncs.clip(x, 0)].add(ones, mode="drop")


# ---- histograms ---------------------------------------------------------------------------------


@replayed
def histogram_bin_edges(a, bins=10, range=None, weights=None) -> Array:
    """Return the edges of the bins of `histogram`.

    Args:
      a: array.
      bins: how many, or their edges.
      range: (lowest, highest) edge; default the least and the greatest element.
      weights: is not read.
    Returns:
      ``[bins + 1]`` floats, going up.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.histogram_bin_edges(jnp.array([0., 2.]), bins=2)
    Array([0., 1., 2.], dtype=float32)
    """
    if isinstance(bins, str):
        raise NotImplementedError(
            message(
                "string values for `bins` not implemented.",
                fix="bins=np.histogram_bin_edges(np.asarray(x), 'auto')",
            )
        )
    check_arraylike("histogram_bin_edges", a, bins)
    dtype = dtypes.to_inexact_dtype(dtypes.dtype_of(operand("histogram_bin_edges", a)))
    if np.ndim(bins) == 1:
        return convert(asarray(bins), dtype)
    a = ravel(convert(operand("histogram_bin_edges", a), dtype))
    if range is not None:
        ends = asarray(range, dtype=dtype)
    elif a.size:
        ends = stack([smallest(a), largest(a)])
    else:
        ends = asarray([0.0, 1.0], dtype=dtype)
    flat = ptp(ends) == 0
    low = ufuncs.where(flat, ends[0] - 0.5, ends[0])
    high = ufuncs.where(flat, ends[1] + 0.5, ends[1])
    return linspace(low, high, operator.index(known(bins, "The bins argument must be static.")) + 1, dtype=dtype)


def histogram(a, bins=10, range=None, weights=None, density: bool | None = None):
    """Count the elements that fall into each of a row of bins; the last bin has both its edges.

    Args:
      a: array.
      bins: how many, or their edges.
      range: (lowest, highest) edge; default the least and the greatest element.
      weights: summed instead of counted, of the shape of `a`.
      density: divide so that the integral is 1.
    Returns:
      (counts ``[bins]``, floats; edges ``[bins + 1]``).
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.histogram(jnp.array([0., 1., 1.]), bins=2)[0]
    Array([1., 2.], dtype=float32)
    """
    if weights is None and not density:
        return _unweighted(a, bins, range)
    return _histogram(a, bins, range, weights, density)


@replayed(compiles_after=WORTH, sizes=_EXACT)
def _unweighted(a, bins, range):
    return _histogram(a, bins, range, None, None)


@replayed
def _histogram(a, bins, range, weights, density):
    if weights is None:
        check_arraylike("histogram", a, bins)
        (a,) = promote_inexact("histogram", operand("histogram", a))
        if state.trace.stages:
            weights = lax.full_like(a, 1)
    else:
        check_arraylike("histogram", a, bins, weights)
        if np.shape(a) != np.shape(weights):
            raise ValueError(
                message("weights should have the same shape as a.", fix="weights=jnp.broadcast_to(w, a.shape)")
            )
        a, weights = promote_inexact("histogram", operand("histogram", a), operand("histogram", weights))
    edges = histogram_bin_edges(a, bins, range, weights)
    counts = _binned(a, edges, weights)
    if density:
        counts = counts / diff(edges) / sum(counts)
    return counts, edges


def _numpy_binned(a, edges, weights):
    if a.dtype.itemsize < 4:
        return NotImplemented
    n, low, high = len(edges) - 1, edges[0], edges[-1]
    width = (high - low) / max(n, 1)
    even = low + width * np.arange(n + 1) if 0 < width < np.inf else None
    if even is None or n > _ELEMENTS_PER_CHUNK or not np.abs(edges - even).max() < width / 4:
        return NotImplemented
    # The place among even edges is right but for rounding, which the edges themselves put right.
    scale, above = edges.dtype.type(1 / width), edges[1:].copy()
    above[-1] = np.inf
    a, out = a.reshape(-1), 0
    for i in range(0, a.size, _ELEMENTS_PER_CHUNK):
        chunk = slice(i, i + _ELEMENTS_PER_CHUNK)
        x, w = a[chunk], None if weights is None else weights.reshape(-1)[chunk]
        if not (x.min() >= low and x.max() <= high):
            inside = (x >= low) & (x <= high)
            x, w = x[inside], None if w is None else w[inside]
        place = ((x - low) * scale).astype(np.intp)
        np.minimum(place, n - 1, out=place)
        place -= x < edges[place]
        place += x >= above[place]
        out = out + np.bincount(place, w, n)
    return np.asarray(out) if a.size else NotImplemented


@replayed(numpy=_numpy_binned)
def _binned(a, edges, weights):
    """Return the sums of the weights of the elements in each bin."""
    if weights is None:
        weights = lax.full_like(a, 1)
    n = edges.shape[0]
    place = searchsorted(edges, a, side="right")
    place = ufuncs.where(a == edges[-1], n - 1, place)
    return lax.full((n,), 0, weights.dtype).at[place].add(weights)[1:]


@replayed
def histogram2d(x, y, bins=10, range=None, weights=None, density: bool | None = None):
    """Count the points of the plane that fall into each of a grid of bins.

    Args:
      x, y: the coordinates of the points, ``[n]``.
      bins: how many along both axes, or their edges, or a pair of these.
      range: a pair (lowest, highest) edge for each axis; default the least and the greatest coordinate.
      weights: ``[n]``, summed instead of counted.
      density: divide so that the integral is 1.
    Returns:
      (counts ``[x bins, y bins]``, x edges, y edges)
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: shapes do not fit together.

    >>> jnp.histogram2d(jnp.array([0., 1.]), jnp.array([0., 1.]), bins=2)[0]
    Array([[1, 0],
           [0, 1]], dtype=int32)
    """
    check_arraylike("histogram2d", x, y)
    is_sequence = hasattr(bins, "__len__") and getattr(bins, "ndim", 1) != 0  # of a pair of edges NumPy has no rank
    if is_sequence and len(bins) not in (1, 2) or isinstance(bins, str):
        bins = [asarray(bins)] * 2
    sample = stack([operand("histogram2d", x), operand("histogram2d", y)], axis=1)
    counts, (x_edges, y_edges) = histogramdd(sample, bins, range, weights, density)
    return counts, x_edges, y_edges


@replayed
def histogramdd(sample, bins=10, range=None, weights=None, density: bool | None = None):
    """Count the points of a space that fall into each of a grid of bins.

    Args:
      sample: ``[n, d]``, or d arrays of coordinates.
      bins: how many, or a number or edges for each dimension.
      range: (lowest, highest) edge for each dimension; None for the default.
      weights: ``[n]``, summed instead of counted.
      density: divide so that the integral is 1.
    Returns:
      (counts, with an axis for each dimension; a list with the edges along each)
    Raises:
      TypeError: `sample` is not an array, a number, or a list of them.

    >>> jnp.histogramdd(jnp.array([[0., 0.], [1., 1.]]), bins=2)[0]
    Array([[1, 0],
           [0, 1]], dtype=int32)
    """
    if isinstance(sample, (list, tuple)):
        sample = stack([operand("histogramdd", x) for x in sample], axis=-1)
    sample = operand("histogramdd", sample)
    weighted = dtypes.to_inexact_dtype(dtypes.result_type(sample, *([] if weights is None else [weights])))
    (sample,) = promote_inexact("histogramdd", sample)
    n, d = sample.shape
    if not d:
        raise ValueError(message("a sample has at least one dimension.", fix="sample[:, None] for numbers"))
    if weights is not None and np.shape(weights) != (n,):
        raise ValueError(message("should have one weight for each sample.", fix="weights=jnp.ones(len(sample))"))
    ranges = [None] * d if range is None else list(range)
    if len(ranges) != d:
        raise ValueError(f"For sample.shape={sample.shape}, range must be length d={d}; got {range}")
    each = list(bins) if np.iterable(bins) else [bins] * d
    if len(each) != d:
        raise ValueError("should be a bin for each dimension.")
    edges, widths, sizes, places = [], [], [], []
    for i, (b, r) in enumerate(zip(each, ranges)):
        column = sample[:, i]
        e = histogram_bin_edges(column, b, r, weights)
        place = searchsorted(e, column, side="right")
        places.append(ufuncs.where(column == e[-1], place - 1, place))
        edges.append(e)
        widths.append(diff(e))
        sizes.append(e.shape[0] + 1)  # one bin below and one above
    flat = places[0]
    for place, size in zip(places[1:], sizes[1:]):
        flat = flat * size + place
    counts = reshape(bincount(flat, weights, length=prod(sizes)), sizes)
    counts = counts[(slice(1, -1),) * d]
    if weights is not None or density:
        counts = convert(counts, weighted)
    if density:
        counts = counts / sum(counts)
        for i, w in enumerate(widths):
            counts = counts / lax.expand_dims(w, [j for j in np.arange(d).tolist() if j != i])
    return counts, edges
