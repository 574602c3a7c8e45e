"""Sorting, searching and counting."""

from __future__ import annotations

import operator

import numpy as np

from .. import lax
from ..array.array import as_array
from ..core import dtypes
from ..core.errors import ConcretizationTypeError
from ..core.types import Array
from ..transforms.jit import inner_jit
from . import reductions, ufuncs
from .creation import arange, asarray
from .manipulation import concatenate, ravel, reshape
from .promotion import check_arraylike, convert, promote, promote_inexact
from .reductions import canonical_axis

__all__ = [
    "argpartition", "argsort", "argwhere", "bincount", "convolve", "correlate", "diff", "digitize",
    "ediff1d", "extract", "flatnonzero", "histogram", "histogram_bin_edges", "interp", "isin", "lexsort",
    "nonzero", "partition", "searchsorted", "setdiff1d", "sort", "sort_complex", "trapezoid", "union1d",
    "intersect1d", "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values",
]


def _operand(name, a) -> Array:
    check_arraylike(name, a)
    return a if isinstance(a, Array) else as_array(a)


def _check_kind(name, kind, order) -> None:
    if kind is not None:
        raise TypeError(f"'kind' argument to jnp.{name} is not supported. Use stable=True or stable=False.")
    if order is not None:
        raise TypeError(f"'order' argument to jnp.{name} is not supported.")


@inner_jit(static_argnames=("axis", "kind", "order", "stable", "descending"))
def sort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    """The elements in order along an axis; NaNs go last.

    >>> sort(jnp.array([3., 1., 2.]))
    Array([1., 2., 3.], dtype=float32)
    """
    _check_kind("sort", kind, order)
    a = _operand("sort", a)
    if axis is None:
        a, axis = ravel(a), 0
    out = lax.sort(a, dimension=canonical_axis(axis, a.ndim), is_stable=stable)
    return lax.rev(out, (canonical_axis(axis, a.ndim),)) if descending else out


@inner_jit(static_argnames=("axis", "kind", "order", "stable", "descending"))
def argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    """The indices that sort an array along an axis.

    >>> argsort(jnp.array([3., 1., 2.]))
    Array([1, 2, 0], dtype=int32)
    """
    _check_kind("argsort", kind, order)
    a = _operand("argsort", a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(axis, a.ndim)
    index = lax.broadcasted_iota(dtypes.default_int(), a.shape, axis)
    if descending and stable:  # equal elements keep their order
        a, index = lax.rev(a, (axis,)), lax.rev(index, (axis,))
    _, out = lax.sort((a, index), dimension=axis, is_stable=stable, num_keys=1)
    return lax.rev(out, (axis,)) if descending else out


def lexsort(keys, axis=-1):
    """The indices that sort by several keys, the last one first."""
    keys = tuple(_operand("lexsort", k) for k in keys)
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    axis = canonical_axis(axis, keys[0].ndim)
    index = lax.broadcasted_iota(dtypes.default_int(), keys[0].shape, axis)
    return lax.sort((*keys[::-1], index), dimension=axis, num_keys=len(keys))[-1]


def sort_complex(a):
    """The elements in order as complex numbers."""
    a = sort(_operand("sort_complex", a), axis=0)
    return convert(a, dtypes.to_complex_dtype(dtypes.to_inexact_dtype(a.dtype)))


def partition(a, kth, axis=-1):
    """The elements so that the k-th is in its sorted place; here they are all sorted."""
    operator.index(kth)
    return sort(a, axis=axis)


def argpartition(a, kth, axis=-1):
    """The indices of `partition`."""
    operator.index(kth)
    return argsort(a, axis=axis)


@inner_jit(static_argnames=("side", "method"))
def _searchsorted(a, v, side, method):
    # The position is the number of elements before: one comparison for each bit of the length.
    n = a.shape[0]
    before = ufuncs.less if side == "left" else ufuncs.less_equal
    nan_last = lambda x, y: before(x, y) | (ufuncs.isnan(y) & ~ufuncs.isnan(x)) if _floating(a) else before(x, y)
    low = lax.full(v.shape, 0, dtypes.default_int())
    high = lax.full(v.shape, n, dtypes.default_int())
    for _ in range(max(n, 1).bit_length()):
        middle = (low + high) // 2
        value = a[ufuncs.clip(middle, 0, max(n - 1, 0))] if n else lax.full(v.shape, 0, a.dtype)
        go = nan_last(value, v) & (low < high)
        low, high = ufuncs.where(go, middle + 1, low), ufuncs.where(go, high, middle)
    return low


def _floating(a) -> bool:
    return dtypes.issubdtype(a.dtype, np.inexact)


def searchsorted(a, v, side="left", sorter=None, *, method="scan"):
    """Where values would go in a sorted array.

    Args:
      a: sorted, one axis.
      side: "left" before equal elements, "right" after them.
      sorter: indices that sort `a`.

    >>> searchsorted(jnp.array([1, 3, 5]), 4)
    Array(2, dtype=int32)
    """
    a, v = promote("searchsorted", a, v)
    a, v = asarray(a), asarray(v)
    if side not in ("left", "right"):
        raise ValueError(f"{side!r} is an invalid value for keyword 'side'. Expected one of ['left', 'right'].")
    if a.ndim != 1:
        raise ValueError("a should be 1-dimensional")
    return _searchsorted(a if sorter is None else a[sorter], v, side, method)


def digitize(x, bins, right=False, *, method=None):
    """The index of the bin of each element; bins may go up or down."""
    x, bins = _operand("digitize", x), _operand("digitize", bins)
    if bins.ndim != 1:
        raise ValueError(f"digitize: bins must be a 1-dimensional array; got bins={bins}")
    side = "left" if right else "right"
    if bins.shape[0] == 0:
        return lax.full(x.shape, 0, dtypes.default_int())
    up = searchsorted(bins, x, side=side)
    down = bins.shape[0] - searchsorted(lax.rev(bins, (0,)), x, side="left" if not right else "right")
    return ufuncs.where(bins[-1] >= bins[0], up, down)


# ---- positions ------------------------------------------------------------------------------------


def _concrete(name, a, hint):
    value = a.concrete() if isinstance(a, Array) else a
    if value is None:
        raise ConcretizationTypeError(a, f"The size of the result of jnp.{name} depends on values. {hint}")
    return np.asarray(value)


def nonzero(a, *, size=None, fill_value=None):
    """The indices of elements that are not zero, an array for each axis.

    Args:
      size: the number of indices to return; needed where the array is traced. Too many are cut, missing
        ones are `fill_value` (default 0).

    >>> nonzero(jnp.array([0, 5, 6]))
    (Array([1, 2], dtype=int32),)
    """
    a = asarray(_operand("nonzero", a))
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() "
                         "instead.")
    mask = a if a.dtype == np.bool_ else ufuncs.not_equal(a, a.dtype.type(0))
    if size is None:
        found = np.nonzero(_concrete("nonzero", mask, "Try: jnp.nonzero(x, size=n), or jnp.where(x, a, b)"))
        return tuple(asarray(i.astype(dtypes.default_int())) for i in found)
    size = operator.index(size)
    flat = ravel(mask)
    count = reductions.sum(flat, dtype=dtypes.default_int())
    rank = reductions.cumsum(flat, dtype=dtypes.default_int())
    slot = ufuncs.where(flat, rank - 1, size)
    place = lax.full((size,), 0, dtypes.default_int())
    place = place.at[slot].set(arange(flat.shape[0]), mode="drop")
    fills = fill_value if isinstance(fill_value, (tuple, list)) else (fill_value or 0,) * a.ndim
    out, stride = [], a.size
    for n, fill in zip(a.shape, fills):
        stride = stride // n if n else 1
        index = lax.rem(lax.div(place, np.int32(max(stride, 1)).astype(place.dtype)),
                        np.int32(max(n, 1)).astype(place.dtype))
        out.append(ufuncs.where(arange(size) < count, index, fill))
    return tuple(out)


def flatnonzero(a, *, size=None, fill_value=None):
    """The indices of elements of the flat array that are not zero; see `nonzero`."""
    return nonzero(ravel(_operand("flatnonzero", a)), size=size, fill_value=fill_value)[0]


def argwhere(a, *, size=None, fill_value=None):
    """The indices of elements that are not zero, a row for each; see `nonzero`."""
    from .manipulation import stack

    a = _operand("argwhere", a)
    if a.ndim == 0:
        return argwhere(ravel(a), size=size, fill_value=fill_value)[:, :0]
    return stack(nonzero(a, size=size, fill_value=fill_value), axis=-1)


def extract(condition, arr, *, size=None, fill_value=0):
    """The elements of the flat array where the condition holds; see `nonzero`."""
    mask, a = ravel(asarray(condition)), ravel(asarray(arr))
    if size is None:
        return a[_concrete("extract", mask, "Try: size=n")]
    (i,) = nonzero(mask, size=size, fill_value=a.shape[0])
    return a.at[i].get(mode="fill", fill_value=fill_value)


# ---- sets -----------------------------------------------------------------------------------------


def unique(
    ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
    size=None, fill_value=None, sorted=True,
):
    """The distinct elements, sorted.

    Args:
      size: how many to return, needed where the array is traced; missing ones are `fill_value` (default the
        smallest).

    >>> unique(jnp.array([3, 1, 3]))
    Array([1, 3], dtype=int32)
    """
    a = _operand("unique", ar)
    if size is None:
        value = _concrete("unique", a, "Try: jnp.unique(x, size=n)")
        out = np.unique(value, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan)
        parts = out if isinstance(out, tuple) else (out,)
        arrays = [convert(asarray(parts[0]), a.dtype)]
        arrays += [asarray(p.astype(dtypes.default_int())) for p in parts[1:]]
        return tuple(arrays) if len(arrays) > 1 else arrays[0]
    return _unique_of_size(a, return_index, return_inverse, return_counts, axis, size, fill_value)


def _unique_of_size(a, return_index, return_inverse, return_counts, axis, size, fill_value):
    from .manipulation import moveaxis

    rows = reshape(a, (-1, 1)) if axis is None else moveaxis(a, axis, 0)
    tail = rows.shape[1:]
    rows = reshape(rows, (rows.shape[0], -1))
    n = rows.shape[0]
    order = lexsort(tuple(rows.T[::-1])) if n else arange(0)
    ordered = rows[order]
    fresh = concatenate([
        lax.full((min(n, 1),), True, np.dtype(bool)),
        reductions.any(ufuncs.not_equal(ordered[1:], ordered[:-1]), axis=1),
    ])
    starts = nonzero(fresh, size=size, fill_value=n)[0]
    count = reductions.sum(fresh)
    kept = arange(size) < count
    values = ordered[ufuncs.clip(starts, 0, max(n - 1, 0))]
    fill = values[:1] if fill_value is None else asarray(fill_value, dtype=a.dtype)
    values = ufuncs.where(kept[:, None], values, fill)
    out = [ravel(values) if axis is None else moveaxis(reshape(values, (size, *tail)), 0, axis)]
    if return_index:
        first = order[ufuncs.clip(starts, 0, max(n - 1, 0))]
        out.append(ufuncs.where(kept, first, first[:1]))
    if return_inverse:
        place = reductions.cumsum(fresh) - 1
        inverse = lax.full((n,), 0, place.dtype).at[order].set(place)
        out.append(reshape(inverse, a.shape) if axis is None else inverse)
    if return_counts:
        ends = concatenate([starts[1:], asarray([n], dtype=starts.dtype)])
        counts = ufuncs.where(kept, ufuncs.minimum(ends, n) - starts, 0)
        out.append(counts)
    return tuple(out) if len(out) > 1 else out[0]


def unique_all(x, /, *, size=None, fill_value=None):
    """(values, indices, inverse, counts) of the distinct elements; see `unique`."""
    return unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value)


def unique_counts(x, /, *, size=None, fill_value=None):
    """(values, counts) of the distinct elements; see `unique`."""
    return unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value)


def unique_inverse(x, /, *, size=None, fill_value=None):
    """(values, inverse) of the distinct elements; see `unique`."""
    return unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value)


def unique_values(x, /, *, size=None, fill_value=None):
    """The distinct elements; see `unique`."""
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


def isin(element, test_elements, assume_unique=False, invert=False, *, method="auto"):
    """Whether each element is among `test_elements`."""
    a, b = promote("isin", element, ravel(asarray(test_elements)))
    found = reductions.any(ufuncs.equal(asarray(a)[..., None], asarray(b)), axis=-1)
    return ufuncs.logical_not(found) if invert else found


def union1d(ar1, ar2, *, size=None, fill_value=None):
    """The distinct elements of two arrays."""
    return unique(concatenate([ravel(ar1), ravel(ar2)]), size=size, fill_value=fill_value)


def setdiff1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    """The distinct elements of the first array that are not in the second."""
    a = unique(asarray(ar1), size=size, fill_value=fill_value)
    return extract(isin(a, ar2, invert=True), a, size=size, fill_value=fill_value or 0)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False, *, size=None, fill_value=None):
    """The distinct elements that are in both arrays."""
    out = np.intersect1d(
        _concrete("intersect1d", asarray(ar1), ""), _concrete("intersect1d", asarray(ar2), ""),
        assume_unique, return_indices,
    )
    return tuple(map(asarray, out)) if return_indices else asarray(out)


# ---- counting and differences ---------------------------------------------------------------------


def bincount(x, weights=None, minlength=0, *, length=None):
    """How often each non-negative integer occurs.

    Args:
      weights: summed instead of counted.
      length: the length of the result, needed where `x` is traced; larger values are dropped.

    >>> bincount(jnp.array([1, 1, 3]))
    Array([0, 2, 0, 1], dtype=int32)
    """
    x = _operand("bincount", x)
    if x.ndim != 1:
        raise ValueError("only 1-dimensional input supported.")
    if not dtypes.issubdtype(x.dtype, np.integer):
        raise TypeError(f"x argument to bincount must have an integer type; got {x.dtype.name}")
    if length is None:
        values = _concrete("bincount", x, "Try: jnp.bincount(x, length=n)")
        length = max(int(values.max(initial=-1)) + 1, operator.index(minlength))
    ones = np.array(1, dtypes.default_int()) if weights is None else asarray(weights)
    x = ufuncs.maximum(x, 0)
    return lax.full((operator.index(length),), 0, ones.dtype).at[x].add(ones, mode="drop")


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, `n` times.

    >>> diff(jnp.array([1, 4, 9]))
    Array([3, 5], dtype=int32)
    """
    a = _operand("diff", a)
    if a.ndim == 0:
        raise ValueError(f"diff requires input that is at least one dimensional; got {a}")
    axis = canonical_axis(axis, a.ndim)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    edge = (*a.shape[:axis], 1, *a.shape[axis + 1 :])
    parts = [asarray(p) if p is None or np.ndim(p) else ufuncs.broadcast_to(p, edge)
             for p in (prepend, append) if p is not None]
    if parts:
        a = concatenate(([parts[0]] if prepend is not None else []) + [a]
                        + ([parts[-1]] if append is not None else []), axis)
    subtract = ufuncs.not_equal if a.dtype == np.bool_ else ufuncs.subtract
    for _ in range(n):
        k = a.shape[axis]
        a = subtract(lax.slice_in_dim(a, 1, k, axis=axis), lax.slice_in_dim(a, 0, max(k - 1, 0), axis=axis))
    return a


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours in the flat array."""
    out = diff(ravel(asarray(ary)))
    begin = [] if to_begin is None else [ravel(asarray(to_begin, dtype=out.dtype))]
    end = [] if to_end is None else [ravel(asarray(to_end, dtype=out.dtype))]
    return concatenate([*begin, out, *end])


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral by the trapezoidal rule.

    >>> trapezoid(jnp.array([0., 1., 2.]))
    Array(2., dtype=float32)
    """
    from .manipulation import moveaxis

    if x is None:
        (y,) = promote_inexact("trapezoid", y)
        y = asarray(y)
    else:
        check_arraylike("trapezoid", y, x)
        y, x = asarray(promote_inexact("trapezoid", y)[0]), asarray(x)
        dx = diff(x) if x.ndim == 1 else moveaxis(diff(x, axis=axis), axis, -1)
    y = moveaxis(y, axis, -1)
    return 0.5 * (dx * (y[..., 1:] + y[..., :-1])).sum(-1)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins of `histogram`."""
    if np.ndim(bins):
        return asarray(bins)
    a = ravel(promote_inexact("histogram_bin_edges", asarray(a))[0])
    from .creation import linspace

    if range is None:
        low, high = (a.min(), a.max()) if a.size else (0.0, 1.0)
    else:
        low, high = range
    low, high = asarray(low), asarray(high)
    flat = ufuncs.equal(low, high)
    low, high = ufuncs.where(flat, low - 0.5, low), ufuncs.where(flat, high + 0.5, high)
    return linspace(low, high, operator.index(bins) + 1, dtype=a.dtype)


def histogram(a, bins=10, range=None, weights=None, density=None):
    """(counts, edges): how many elements fall into each bin; the last bin has both its edges.

    >>> histogram(jnp.array([0., 1., 1.]), bins=2)[0]
    Array([1., 2.], dtype=float32)
    """
    a = ravel(promote_inexact("histogram", asarray(a))[0])
    weights = lax.full_like(a, 1) if weights is None else ravel(asarray(weights))
    edges = histogram_bin_edges(a, bins, range)
    place = searchsorted(edges, a, side="right")
    place = ufuncs.where(ufuncs.equal(a, edges[-1]), edges.shape[0] - 1, place)
    counts = lax.full((edges.shape[0],), 0, weights.dtype).at[place].add(weights, mode="drop")[1:]
    if density:
        widths = diff(edges)
        counts = counts / widths / counts.sum()
    return counts, edges


def interp(x, xp, fp, left=None, right=None, period=None):
    """Linear interpolation between points with increasing abscissae.

    Args:
      left, right: values outside; default the first and last one; "extrapolate" continues the lines.
      period: of the abscissae.

    >>> interp(0.5, jnp.array([0., 1.]), jnp.array([0., 10.]))
    Array(5., dtype=float32)
    """
    x, xp, fp = map(asarray, promote_inexact("interp", x, xp, fp))
    xp, fp = ravel(xp), ravel(fp)
    if xp.shape != fp.shape:
        raise ValueError("xp and fp must be one-dimensional arrays of equal size")
    if period is not None:
        period = abs(asarray(period, dtype=x.dtype))
        x, xp = x % period, xp % period
        order = argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = concatenate([fp[-1:], fp, fp[:1]])
    i = ufuncs.clip(searchsorted(xp, x, side="right"), 1, xp.shape[0] - 1)
    df, dx, delta = fp[i] - fp[i - 1], xp[i] - xp[i - 1], x - xp[i - 1]
    tiny = ufuncs.equal(dx, 0)
    out = ufuncs.where(tiny, fp[i - 1], fp[i - 1] + (delta / ufuncs.where(tiny, 1, dx)) * df)
    if period is None:
        if left != "extrapolate":
            out = ufuncs.where(x < xp[0], fp[0] if left is None else left, out)
        if right != "extrapolate":
            out = ufuncs.where(x > xp[-1], fp[-1] if right is None else right, out)
    return out


def _sliding(name, a, v, mode, flipped, precision):
    a, v = map(asarray, promote_inexact(name, a, v)) if not _both_integers(a, v) else map(
        asarray, promote(name, a, v))
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"{name}() only support 1-dimensional inputs.")
    if not a.size or not v.size:
        raise ValueError(f"{name}: inputs cannot be empty, got shapes {a.shape} and {v.shape}.")
    swapped = a.shape[0] < v.shape[0]
    if swapped:
        a, v = v, a
    n, m = a.shape[0], v.shape[0]
    kernel = lax.rev(v, (0,)) if not flipped else v
    full = lax.pad(a, lax.full_like(a, 0, shape=()), ((m - 1, m - 1, 0),))
    windows = full[arange(n + m - 1)[:, None] + arange(m)]
    out = lax.dot(windows, lax.rev(kernel, (0,)) if False else kernel, precision=precision)
    if mode == "same":
        start = (m - 1) // 2
        out = out[start : start + n]
    elif mode == "valid":
        out = out[m - 1 : n]
    elif mode != "full":
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    return out, swapped


def _both_integers(a, v) -> bool:
    return not dtypes.issubdtype(dtypes.lattice_result_type(asarray(a), asarray(v))[0], np.inexact)


def convolve(a, v, mode="full", *, precision=None, preferred_element_type=None):
    """The convolution of two sequences.

    Args:
      mode: "full", "same" (the length of the longer one) or "valid" (where they overlap wholly).

    >>> convolve(jnp.array([1., 2.]), jnp.array([1., 1.]))
    Array([1., 3., 2.], dtype=float32)
    """
    return _sliding("convolve", a, v, mode, False, precision)[0]


def correlate(a, v, mode="valid", *, precision=None, preferred_element_type=None):
    """The cross-correlation of two sequences; see `convolve`."""
    v = ufuncs.conj(asarray(v))
    if asarray(a).shape[0] >= v.shape[0]:
        return _sliding("correlate", a, v, mode, True, precision)[0]
    out, _ = _sliding("correlate", a, v, mode, True, precision)
    return lax.rev(out, (0,))
