"""Sorting: whole arrays, their indices, by several keys, and only up to the k-th element.

Tests: `tests/numpy/test_plans.py`.
"""

from __future__ import annotations

import operator

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.trace import state
from ..core.types import Array
from ..prims.sorting import MAX_ELEMENTS_TO_SORT, permutation
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from . import ufuncs
from .axes import canonical_axis, operand
from .indexing import put_along_axis
from .promotion import convert
from .shapes import moveaxis, ravel

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex", "top_k"]

_STATIC = ("axis", "kind", "order", "stable", "descending")


def _check_kind(name, kind, order) -> None:
    if kind is not None:
        raise TypeError(
            message(
                f"'kind' argument to {name} is not supported. Use stable=True or stable=False to specify sort "
                "stability.",
                fix=f"jnp.{name}(x, stable=True)",
            )
        )
    if order is not None:
        raise TypeError(
            message(
                f"'order' argument to {name} is not supported.",
                why="It names fields, and arrays have none.",
                fix="jnp.lexsort for several keys",
            )
        )


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=_STATIC)
def sort(
    a, axis: int | None = -1, *, kind=None, order=None, stable: bool = True, descending: bool = False
) -> Array:
    """Return the elements in order along an axis; NaNs go last.

    Args:
      a: array.
      axis: None sorts the flat array.
      kind, order: must be None.
      stable: equal elements keep their order.
      descending: the largest first, and NaNs.
    Returns:
      The elements, going up along the axis, in an array of the shape and dtype of `a`; complex numbers are ordered by
      their real, then their imaginary parts.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
    Derivative: each element keeps its own.
    See also: `argsort`, `lexsort`, `partition`, `lax.top_k`.

    >>> jnp.sort(jnp.array([3., 1., 2.]))
    Array([1., 2., 3.], dtype=float32)
    """
    _check_kind("sort", kind, order)
    a = operand("sort", a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(axis, a.ndim)
    out = lax.sort(a, dimension=axis, is_stable=stable)
    return lax.rev(out, (axis,)) if descending else out


def _numpy_argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False, dtype=None):
    if axis is None:
        a, axis = a.ravel(), 0
    if not descending:
        return permutation([a], axis)
    if not stable:
        return np.flip(permutation([a], axis), axis)
    return np.flip(a.shape[axis] - 1 - permutation([np.flip(a, axis)], axis), axis)


@replayed(numpy=_numpy_argsort, compiles_after=WORTH)
@inner_jit(static_argnames=(*_STATIC, "dtype"))
def argsort(
    a, axis: int | None = -1, *, kind=None, order=None, stable: bool = True, descending: bool = False,
    dtype=None,
) -> Array:
    """Return the positions that sort an array along an axis.

    Args:
      a: array; NaNs go last, complex numbers are ordered by their real, then their imaginary parts.
      axis: None sorts the flat array.
      kind, order: must be None.
      stable: equal elements keep their order.
      descending: the largest first, and NaNs.
      dtype: of the positions; default int32, or int64 with 64-bit types on.
    Returns:
      An array of the shape of `a`, or flat: `take_along_axis(a, result, axis)` is sorted.
      The dtype is the default integer, int32, or int64 with 64-bit types on.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.argsort(jnp.array([3., 1., 2.]))
    Array([1, 2, 0], dtype=int32)
    """
    _check_kind("argsort", kind, order)
    a = operand("argsort", a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(axis, a.ndim)
    if stable is None and not state.trace.stages:
        # JAX parity: np.argsort asks so, and then sorts NumPy's array of the values.
        raise TypeError("argsort: stable must be True or False, got None.\n  Try: jnp.argsort(x)")
    if dtype is None:
        dtype = dtypes.default_int()
    index = lax.broadcasted_iota(dtype, a.shape, axis)
    if descending and stable:  # reversed twice, equal elements keep their order
        a, index = lax.rev(a, (axis,)), lax.rev(index, (axis,))
    _, out = lax.sort((a, index), dimension=axis, is_stable=stable, num_keys=1)
    return lax.rev(out, (axis,)) if descending else out


@replayed
@inner_jit(static_argnames=("axis",))
def lexsort(keys, axis: int = -1) -> Array:
    """Return the indices that sort by several keys, the last one first.

    Args:
      keys: arrays of one shape, or one array whose rows they are.
      axis: along which axis; default the last.
    Returns:
      Positions along the axis, int32: ``key[result]`` is sorted by the last key, equal ones by that before, and so on.
    Raises:
      TypeError: a key is not an array or scalar.
      ValueError: `axis` is out of range.

    >>> jnp.lexsort((jnp.array([1, 0, 1]), jnp.array([1, 1, 0])))
    Array([2, 1, 0], dtype=int32)
    """
    keys = tuple([operand("lexsort", k) for k in keys])
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len({k.shape for k in keys}) > 1:
        raise ValueError(message("all keys need to be the same shape", fix="jnp.broadcast_to(key, shape)"))
    if not keys[0].ndim:
        return lax.full((), 0, dtypes.default_int())
    axis = canonical_axis(axis, keys[0].ndim)
    index = lax.broadcasted_iota(dtypes.default_int(), keys[0].shape, axis)
    return lax.sort((*keys[::-1], index), dimension=axis, num_keys=len(keys))[-1]


@replayed
@inner_jit
def sort_complex(a) -> Array:
    """Return the elements in order along the last axis, as complex numbers.

    Args:
      a: array.
    Returns:
      A complex array of the shape of `a`, ordered by the real, then the imaginary parts.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.sort_complex(jnp.array([2., 1.]))
    Array([1.+0.j, 2.+0.j], dtype=complex64)
    """
    a = operand("sort_complex", a)
    a = lax.sort(a, dimension=a.ndim - 1)
    return convert(a, dtypes.to_complex_dtype(dtypes.to_inexact_dtype(a.dtype)))


# ---- partitions ---------------------------------------------------------------------------------

_SORTED = range(MAX_ELEMENTS_TO_SORT + 1)  # elements of rows that are sorted
_MIN_ELEMENTS_OF_ENGINES_ORDER = 64  # along the axis: the order on the two sides is that of engines or of NumPy


def _numpy_partition(a, kth, axis=-1):
    n = a.shape[axis]
    if n <= MAX_ELEMENTS_TO_SORT:
        is_last = axis in (-1, a.ndim - 1)
        keys = _total_order(a if is_last else np.moveaxis(a, axis, -1)).copy()
        keys.sort()
        keys[..., kth % n + 1 :] = keys[..., : kth - n if kth >= 0 else kth : -1].copy()
        keys = _total_order(keys, a.dtype)
        return keys if is_last else np.moveaxis(keys, -1, axis)
    out = np.partition(a, kth, axis)
    after = out[..., kth:] if axis in (-1, a.ndim - 1) else np.moveaxis(out, axis, -1)[..., kth:]
    return NotImplemented if _has_nan(after) else out  # NaNs come last, where the program tells them by their signs


def _numpy_argpartition(a, kth, axis=-1):
    n = a.shape[axis]
    if n > MAX_ELEMENTS_TO_SORT:
        return NotImplemented if _has_nan(a) else np.argpartition(a, kth, axis)
    if n < _MIN_ELEMENTS_OF_ENGINES_ORDER or a.ndim != 1 or a.itemsize != 4:
        return NotImplemented
    items = _total_order(a).astype(np.int64) << 32 | np.arange(n)
    item = np.partition(items, kth)[kth]
    return np.concatenate([np.sort(items[items <= item]) & 0xFFFFFFFF, np.flatnonzero(items > item)])


def _total_order(x, dtype=None):
    """Return numbers in the order of the elements, -NaN to NaN and negative zeros first; with `dtype`, the elements
    again.
    """
    if (dtype or x.dtype).kind != "f":
        return x
    bits = x.view(f"i{x.itemsize}")
    bits = bits ^ (bits >> 8 * x.itemsize - 1) & np.iinfo(bits.dtype).max
    return bits if dtype is None else bits.view(dtype)


def _has_nan(a) -> bool:
    return a.dtype.kind == "f" and a.size > 0 and bool(np.isnan(a.max()))


@replayed(numpy=_numpy_partition, compiles_after=WORTH, sizes=_SORTED, traced_from=_SORTED.stop)
@inner_jit(static_argnames=("kth", "axis"), operation="partition")
def partition(a, kth: int, axis: int = -1) -> Array:
    """Return the elements so that the k-th is in its sorted place, with no greater before and no smaller after it.

    Args:
      a: real array.
      kth: the place.
      axis: along which axis.
    Returns:
      The elements in that order, in an array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `a` is complex.

    >>> jnp.partition(jnp.array([3, 1, 2]), 1)
    Array([1, 2, 3], dtype=int32)
    """
    a, axis, kth = _partitioned("partition", a, kth, axis)
    a = moveaxis(a, axis, -1)
    least = _reversed_order(lax.top_k(_reversed_order(a), kth + 1)[0])
    greatest = lax.top_k(a, a.shape[-1] - kth - 1)[0]
    return moveaxis(lax.concatenate([least, greatest], a.ndim - 1), -1, axis)


@replayed(numpy=_numpy_argpartition, compiles_after=WORTH, sizes=_SORTED, traced_from=_SORTED.stop)
@inner_jit(static_argnames=("kth", "axis"), operation="argpartition")
def argpartition(a, kth: int, axis: int = -1) -> Array:
    """Return the positions of the elements of `partition`.

    Args:
      a: real array.
      kth: the place in sorted order that is right; before it come the positions of smaller elements, after it those of
        greater ones.
      axis: along which axis.
    Returns:
      Positions along the axis, int32, in an array of the shape of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `a` is complex.

    >>> jnp.argpartition(jnp.array([3, 1, 2]), 1)
    Array([1, 2, 0], dtype=int32)
    """
    a, axis, kth = _partitioned("argpartition", a, kth, axis)
    a = moveaxis(a, axis, -1)
    least = lax.top_k(_reversed_order(a), kth + 1)[1]
    left = put_along_axis(lax.full(a.shape, 1.0, "float32"), least, 0.0, -1, inplace=False)
    greatest = convert(lax.top_k(left, a.shape[-1] - kth - 1)[1], least.dtype, least.weak_type)
    return moveaxis(lax.concatenate([least, greatest], a.ndim - 1), -1, axis)


def _partitioned(name, a, kth, axis):
    a = operand(name, a)
    if dtypes.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError(
            message(
                f"jnp.{name} for complex dtype is not implemented.",
                fix="jnp.abs(x), or jnp.sort(x), which sorts by real, then imaginary parts",
            )
        )
    axis = canonical_axis(axis, a.ndim)
    return a, axis, canonical_axis(operator.index(kth), a.shape[axis])


def _reversed_order(a):
    """Return numbers in the opposite order; it undoes itself."""
    return ufuncs.negative(a) if dtypes.issubdtype(a.dtype, np.floating) else ufuncs.invert(a)


def top_k(a, k: int, /, *, axis: int = -1, mode: str = "largest", sorted: bool = True) -> tuple[Array, Array]:
    """Return the `k` largest or smallest elements along an axis, the first one first, and their positions. A name of
    JAX 0.11.

    NaN counts as larger than all numbers. Of equal elements the first comes first.

    Args:
      a: real array.
      k: how many, at most the length of the axis.
      axis: the axis along which the largest are found; negative ones count from the last.
      mode: "largest" or "smallest".
      sorted: may be False if the order is not needed; they are in order in any case.
    Returns:
      A pair (values, positions as int32), both with length `k` along the axis.
    Raises:
      ValueError: `k`, `axis` or `mode` is none of these, or the elements are complex.

    >>> jnp.top_k(jnp.array([3, 1, 4]), 2)
    (Array([4, 3], dtype=int32), Array([2, 0], dtype=int32))
    >>> jnp.top_k(jnp.array([3, 1, 4]), 2, mode="smallest")
    (Array([1, 3], dtype=int32), Array([1, 0], dtype=int32))
    """
    a = operand("top_k", a)
    if mode not in ("largest", "smallest"):
        raise ValueError(message(f"mode must be 'largest' or 'smallest', got {mode!r}", fix="mode='largest'"))
    if a.dtype.kind == "c":
        raise ValueError("top_k is not compatible with complex inputs.\n  Try: jnp.top_k(abs(x), k)")
    axis = canonical_axis(axis, a.ndim)
    if mode == "largest":
        return tuple(lax.top_k(a, k, axis=axis))
    if a.dtype.kind in "biu":
        values, positions = lax.top_k(lax.bitwise_not(a), k, axis=axis)
        return lax.bitwise_not(values), positions
    lax.top_k(a, k, axis=axis)  # which refuses what `k` may not be
    both = lax.sort((a, lax.broadcasted_iota(np.int32, a.shape, axis)), dimension=axis, is_stable=True, num_keys=1)
    return tuple([lax.slice_in_dim(x, 0, k, axis=axis) for x in both])
