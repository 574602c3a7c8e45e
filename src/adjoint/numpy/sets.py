"""Arrays as sets: distinct elements, unions, intersections, differences, membership."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from .. import lax
from ..array.array import ArrayImpl
from ..core import dtypes
from ..core.messages.errors import NonConcreteBooleanIndexError, message
from ..core.process.records import NamedTuple
from ..core.trace import state
from ..core.types import Array
from ..engines.numpy import eval_trace
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from . import ufuncs
from .axes import canonical_axis, operand
from .conversion import asarray
from .joining import concatenate
from .promotion import check_arraylike, convert, known
from .ranges import arange
from .reductions import all, any, argmax, min, sum
from .running import cumsum
from .searching import known_values, nonzero, searchsorted
from .shapes import broadcast_to, moveaxis, ravel, reshape
from .sorting import argsort, lexsort, sort

__all__ = [
    "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all", "unique_counts",
    "unique_inverse", "unique_values",
]
_UNIQUE = (
    "The error arose for the first argument of jnp.unique(). To make jnp.unique() compatible with JIT and other "
    "transforms, you can specify a concrete value for the size argument, which will determine the output size."
)
_SETDIFF = "The error arose in jnp.setdiff1d(): give a size where arrays are traced."
_INTERSECT = "The error arose in jnp.intersect1d(): give a size where arrays are traced."


# ---- distinct elements --------------------------------------------------------------------------


def _unique_now(
    ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, size=None,
    fill_value=None, sorted=True,
):
    if axis is not None or size is not None:
        return NotImplemented
    int_ = dtypes.default_int()
    if return_index or return_inverse:
        values, *parts = np.unique(ar, return_index, return_inverse, return_counts, equal_nan=equal_nan)
        parts = [part.astype(int_) for part in parts]
        if return_inverse:
            at = 1 if return_index else 0
            parts[at] = parts[at].reshape(ar.shape)
        return values, *parts
    ordered = ar.flatten()
    ordered.sort()
    n = ordered.size
    fresh = np.empty(n, np.bool_)
    fresh[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    if equal_nan and n and ordered[-1] != ordered[-1]:
        fresh[ordered.searchsorted(ordered[-1]) + 1 :] = False  # NaNs come last
    if not return_counts:
        return ordered[fresh]
    (at,) = fresh.nonzero()
    values = ordered.take(at)
    counts = np.empty(at.size, int_)
    np.subtract(at[1:], at[:-1], out=counts[:-1], casting="same_kind")
    counts[-1:] = n - at[-1:]
    return values, counts


@replayed(now=_unique_now)
def unique(
    ar, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True, size: int | None = None, fill_value=None,
    sorted: bool = True,
) -> Any:
    """Return the distinct elements, in order.

    Args:
      ar: array.
      return_index: also return where each first occurs.
      return_inverse: also return the positions that make the array from the distinct elements.
      return_counts: also return how often each occurs.
      axis: find distinct slices along an axis; None flattens the array.
      equal_nan: whether NaNs count as one element.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
      sorted: may be False if the order is not needed; they are in order in any case.
    Returns:
      An array with one axis, going up, or with the axes of `ar`; or a tuple of it and what else was asked for, in the
      order of the arguments. The inverse has the shape of `ar`. The dtype is that of `ar`.
    Raises:
      ConcretizationTypeError: the array is traced and there is no `size`.

    >>> jnp.unique(jnp.array([3, 1, 3]))
    Array([1, 3], dtype=int32)
    """
    a = _with_one_nan(operand("unique", ar))
    if size is None:
        known_values(a, _UNIQUE)
    else:
        size = operator.index(known(size, "The size argument of jnp.unique() must be static."))
        if size < 0:
            raise TypeError(f"broadcast_in_dim shape must have every element be nonnegative, got ({size},).")
    if axis is None:
        values = _values_of(a) if size is None else None
        if values is not None:
            found = _unique_now(values, return_index, return_inverse, return_counts, equal_nan=equal_nan)
            found = [asarray(x) for x in (found if isinstance(found, tuple) else (found,))]
            found[0] = convert(found[0], a.dtype, a.weak_type)
            return tuple(found) if len(found) > 1 else found[0]
        shape = a.shape
        a, axis = ravel(a), 0
    else:
        axis = canonical_axis(axis, a.ndim)
        shape = (a.shape[axis],)
    parts = _unique(a, axis, equal_nan, size, fill_value)
    chosen = [parts[0]]
    if return_index:
        chosen.append(parts[1])
    if return_inverse:
        chosen.append(reshape(parts[2], shape))
    if return_counts:
        chosen.append(parts[3])
    return tuple(chosen) if len(chosen) > 1 else chosen[0]


def _with_one_nan(a) -> Array:
    """Complex numbers of which a part is NaN are all the same NaN, which comes last."""
    return ufuncs.where(ufuncs.isnan(a), a.dtype.type(np.nan), a) if a.dtype.kind == "c" else a


def _values_of(*arrays) -> Any:
    """Return the buffers of concrete arrays whose elements NumPy orders and compares by itself; else None."""
    if state.trace is not eval_trace or not builtins.all(type(a) is ArrayImpl for a in arrays):
        return None
    buffers = [a._value for a in arrays]  # type: ignore[union-attr]
    if not builtins.all(dtypes.is_ordered_by_numpy(b.dtype) for b in buffers):
        return None
    return buffers[0] if len(buffers) == 1 else buffers


def _unique(a, axis, equal_nan, size, fill_value):
    """Return (values, first indices, inverse, counts) of the distinct slices along an axis."""
    n = a.shape[axis]
    int_ = dtypes.default_int()
    if not n:
        if size:
            if fill_value is None:
                raise ValueError(
                    message(
                        "jnp.unique: for zero-sized input with nonzero size argument, fill_value must be specified",
                        fix="fill_value=0",
                    )
                )
            value = fill_value
            shape = (*a.shape[:axis], size, *a.shape[axis + 1 :])
            a = lax.full(shape, value, a.dtype)
        empty = lax.full((size or 0,), 0, int_)
        return a, empty, lax.full((0,), 0, int_), empty
    order, ordered, fresh = _sorted_slices(a, axis, equal_nan)
    if size is None:
        starts = asarray(np.flatnonzero(known_values(fresh, _UNIQUE)).astype(int_))
        following = concatenate([starts[1:], lax.full((1,), n, int_)])
        size, kept = starts.shape[0], None
    else:
        starts = nonzero(fresh, size=size + 1, fill_value=n)[0]
        starts, following = starts[:-1], starts[1:]
        kept = arange(size) < sum(fresh)
    first = starts if kept is None else ufuncs.where(kept, starts, 0)
    values = _slices(ordered, axis, first)
    if kept is not None and fill_value is not None:
        keep = lax.expand_dims(kept, [i for i in range(a.ndim) if i != axis])
        values = ufuncs.where(keep, values, convert(asarray(fill_value), a.dtype))
    inverse = lax.full((n,), 0, int_).at[order].set(cumsum(fresh) - 1)
    return values, order[first], inverse, following - starts


def _sorted_slices(a, axis, equal_nan):
    """Return the order of slices, the slices in that order, and which are not equal to the one before."""
    n = a.shape[axis]
    rows = reshape(moveaxis(a, axis, 0), (n, -1))
    order = lexsort(tuple(rows.T[::-1])) if rows.shape[1] else arange(n)
    ordered = _slices(a, axis, order)
    rows = rows[order]
    differ = ufuncs.not_equal(rows[1:], rows[:-1])
    if equal_nan and dtypes.issubdtype(a.dtype, np.inexact):
        differ = differ & ~(ufuncs.isnan(rows[1:]) & ufuncs.isnan(rows[:-1]))
    fresh = concatenate([lax.full((1,), True, np.dtype(bool)), any(differ, axis=1)])
    return order, ordered, fresh


def _slices(a, axis, indices):
    return a[(slice(None),) * axis + (indices,)]


class _UniqueAllResult(NamedTuple):
    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class _UniqueCountsResult(NamedTuple):
    values: Array
    counts: Array


class _UniqueInverseResult(NamedTuple):
    values: Array
    inverse_indices: Array


def unique_all(x, /, *, size: int | None = None, fill_value=None) -> _UniqueAllResult:
    """Return the distinct elements, where they first occur, the inverse, and how often they occur.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      A named tuple (values, indices, inverse_indices, counts), whose inverse has the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_all(jnp.array([3, 1, 3])).counts
    Array([1, 2], dtype=int32)
    """
    return _UniqueAllResult(*unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value))


def unique_counts(x, /, *, size: int | None = None, fill_value=None) -> _UniqueCountsResult:
    """Return the distinct elements, and how often they occur.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      A named tuple (values, counts).
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_counts(jnp.array([3, 1, 3])).values
    Array([1, 3], dtype=int32)
    """
    return _UniqueCountsResult(
        *unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value)
    )


def unique_inverse(x, /, *, size: int | None = None, fill_value=None) -> _UniqueInverseResult:
    """Return the distinct elements, and the positions that make the array from them.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      A named tuple (values, inverse_indices), whose inverse has the shape of `x`.
      The positions are int32, or int64 with 64-bit types on.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_inverse(jnp.array([3, 1, 3])).inverse_indices
    Array([1, 0, 1], dtype=int32)
    """
    return _UniqueInverseResult(
        *unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value)
    )


def unique_values(x, /, *, size: int | None = None, fill_value=None) -> Array:
    """Return the distinct elements, in order.

    Args:
      x: array; it is flattened.
      size: how many to return, needed where the array is traced; missing ones are `fill_value`.
      fill_value: default the first.
    Returns:
      An array with one axis. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.unique_values(jnp.array([3, 1, 3]))
    Array([1, 3], dtype=int32)
    """
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


# ---- two sets -----------------------------------------------------------------------------------


def _in1d(a, b, invert):
    values = _values_of(a, b)
    if values is None:
        return _compare_all(a, b, invert)
    return asarray(np.isin(values[0].ravel(), values[1].ravel(), invert=invert))


@inner_jit(static_argnames=("invert",), name="_in1d")
def _compare_all(a, b, invert):
    a, b = lax.expand_dims(ravel(a), (1,)), lax.expand_dims(ravel(b), (0,))
    return all(ufuncs.not_equal(a, b), axis=1) if invert else any(ufuncs.equal(a, b), axis=1)


@replayed(compiles_after=WORTH, arrays=2)
def isin(
    element, test_elements, assume_unique: bool = False, invert: bool = False, *, method="auto"
) -> Array:
    """Return whether each element is among `test_elements`.

    Args:
      element, test_elements: arrays.
      assume_unique: has no effect.
      invert: whether it is not.
      method: "compare_all", "binary_search" or "sort"; the default is the best one.
    Raises:
      TypeError: `element` is not an array or scalar; lists are not converted.

    >>> jnp.isin(jnp.array([1, 2, 3]), jnp.array([2, 4]))
    Array([False,  True, False], dtype=bool)
    """
    a, b = operand("isin", element), operand("isin", test_elements)
    if method not in ("auto", "compare_all", "binary_search", "sort"):
        raise ValueError(
            f"method={method!r} is not implemented; options are 'auto', 'compare_all', 'binary_search', "
            "'sort'"
        )
    dtype, weak = dtypes.lattice_result_type(a, b)
    a, b = convert(a, dtype, weak), convert(b, dtype, weak)
    return reshape(_in1d(a, b, invert), a.shape)


def union1d(ar1, ar2, *, size: int | None = None, fill_value=None) -> Array:
    """Return the distinct elements of two arrays, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default the least of them.
    Returns:
      An array with one axis, going up. The dtype is the one to which those of the arrays promote.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.union1d(jnp.array([1, 2]), jnp.array([2, 3]))
    Array([1, 2, 3], dtype=int32)
    """
    check_arraylike("union1d", ar1, ar2)
    if size is None:
        for x in (operand("union1d", ar1), operand("union1d", ar2)):
            known_values(x, "The error arose in jnp.union1d(): give a size where arrays are traced.")
    joined = concatenate([ravel(ar1), ravel(ar2)])
    return unique(joined, size=size, fill_value=fill_value)


def setdiff1d(
    ar1, ar2, assume_unique: bool = False, *, size: int | None = None, fill_value=None
) -> Array:
    """Return the distinct elements of the first array that are not in the second, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      assume_unique: a promise that elements occur once in each.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default 0.
    Returns:
      An array with one axis, going up. The dtype is that of `ar1`.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.setdiff1d(jnp.array([1, 2, 3]), jnp.array([2]))
    Array([1, 3], dtype=int32)
    """
    a, ar2 = ravel(operand("setdiff1d", ar1)), operand("setdiff1d", ar2)
    if size is None:
        if not a.size:
            return a
        known_values(a, _SETDIFF)
        a = a if assume_unique else unique(a)
        return a[known_values(isin(a, ar2, invert=True), _SETDIFF)]
    fill = convert(asarray(0 if fill_value is None else fill_value), a.dtype, a.weak_type)
    if not a.size or not size:
        return broadcast_to(fill, (size,))
    if assume_unique:
        values, new = a, isin(a, ar2, invert=True)
    else:
        _, values, fresh = _sorted_slices(_with_one_nan(a), 0, True)
        new = fresh & isin(values, ar2, invert=True)
    return ufuncs.where(arange(size) < sum(new), values[nonzero(new, size=size)[0]], fill)


def _known_mask(mask) -> np.ndarray:
    """Return which elements a mask selects; NonConcreteBooleanIndexError where it is traced."""
    value = mask.concrete()
    if value is None:
        raise NonConcreteBooleanIndexError(mask)
    return np.asarray(value)


def intersect1d(
    ar1, ar2, assume_unique: bool = False, return_indices: bool = False, *, size: int | None = None,
    fill_value=None,
) -> Any:
    """Return the distinct elements that are in both arrays, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      assume_unique: a promise that elements occur once in each.
      return_indices: also return where they are in both.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default the least of them.
    Returns:
      An array with one axis, going up; with `return_indices` a triple of it and the positions of the first occurrences
      in `ar1` and `ar2`. The dtype is the one to which those of the arrays promote.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.intersect1d(jnp.array([1, 2, 3]), jnp.array([2, 3, 4]))
    Array([2, 3], dtype=int32)
    """
    a, b = operand("intersect1d", ar1), operand("intersect1d", ar2)
    dtype, weak = dtypes.lattice_result_type(a, b)
    weak = weak and size is None and dtype.kind != "c"           # JAX parity
    a, b = ravel(convert(a, dtype, weak)), ravel(convert(b, dtype, weak))
    if size is None:
        if not assume_unique:
            known_values(a, _INTERSECT)
            known_values(b, _INTERSECT)
    elif not a.shape[0] or not b.shape[0]:
        values = lax.full((size,), 0 if fill_value is None else fill_value, dtype)
        missing = tuple([lax.full((size,), x.shape[0], dtypes.default_int()) for x in (a, b)])
        return (values, *missing) if return_indices else values
    # Each element of `a` that is its first occurrence and in `b`, in the order of values.
    order = argsort(a)
    ordered = a[order]
    found = _differ_from_previous(ordered) & isin(ordered, b)
    if size is None:
        mask = _known_mask(found) if assume_unique else known_values(found, _INTERSECT)
        at = asarray(np.flatnonzero(mask).astype(np.int32))
        values, index = ordered[at], order[at]
    else:
        at = nonzero(found, size=size)[0]
        kept = arange(size) < sum(found)
        values = ordered[at]
        fill = ufuncs.where(kept[0], values[0], dtype.type(0)) if fill_value is None else fill_value
        values = ufuncs.where(kept, values, fill)
        index = ufuncs.where(kept, order[at], a.shape[0])
    if not return_indices:
        return values
    if size is None:
        by_value = argsort(b)
        other = by_value[searchsorted(b[by_value], values)]
    else:
        other = argmax(lax.expand_dims(b, (0,)) == lax.expand_dims(values, (1,)), axis=1)
    if size is not None:
        other = ufuncs.where(kept, other, b.shape[0])
    if assume_unique:  # JAX parity: in 64 bits too
        index, other = index.astype(np.int32), other.astype(np.int32)
    return values, index, other


def setxor1d(
    ar1, ar2, assume_unique: bool = False, *, size: int | None = None, fill_value=None
) -> Array:
    """Return the distinct elements that are in exactly one of two arrays, in order.

    Args:
      ar1, ar2: arrays; they are flattened.
      assume_unique: a promise that elements occur once in each; those that do not are left out.
      size: how many to return, needed where an array is traced; missing ones are `fill_value`.
      fill_value: default the least of them.
    Returns:
      An array with one axis, going up. The dtype is the one to which those of the arrays promote.
    Raises:
      ConcretizationTypeError: an array is traced and there is no `size`.

    >>> jnp.setxor1d(jnp.array([1, 2]), jnp.array([2, 3]))
    Array([1, 3], dtype=int32)
    """
    a, b = operand("setxor1d", ar1), operand("setxor1d", ar2)
    dtype, weak = dtypes.lattice_result_type(a, b)
    weak = weak and size is None  # JAX parity
    a, b = ravel(convert(a, dtype, weak)), ravel(convert(b, dtype, weak))
    both = concatenate([a, b])
    if size is None:
        if not assume_unique:
            known_values(both, "The error arose in jnp.setxor1d(): give a size where arrays are traced.")
        both = sort(both if assume_unique else concatenate([unique(a), unique(b)]))
        return both[_known_mask(_differ_from_both(both))]
    if not both.shape[0] or not size:
        return lax.full((size,), 0 if fill_value is None else fill_value, dtype)
    if assume_unique:
        both = sort(both)
        single = _differ_from_both(both)
    else:
        (_, a, a_fresh), (_, b, b_fresh) = (_sorted_slices(_with_one_nan(x), 0, True) for x in (a, b))
        single = concatenate([a_fresh & isin(a, b, invert=True), b_fresh & isin(b, a, invert=True)])
        both = concatenate([a, b])
        order = argsort(both)
        both, single = both[order], single[order]
    values = both[nonzero(single, size=size)[0]]
    kept = arange(size) < sum(single)
    if fill_value is None:
        fill_value = ufuncs.where(kept[0], min(ufuncs.where(kept, values, values[0])), dtype.type(0))
    return ufuncs.where(kept, values, fill_value)


def _differ_from_both(a):
    """Return which elements of a sorted array are equal to neither neighbour."""
    fresh = _differ_from_previous(a)
    return fresh & concatenate([fresh[1:], fresh[:1]])


def _differ_from_previous(a):
    """Return which elements of a sorted array are not equal to the one before."""
    start = lax.full((a.shape[0] and 1,), True, np.dtype(bool))
    return concatenate([start, ufuncs.not_equal(a[1:], a[:-1])])
