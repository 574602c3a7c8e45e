"""Functions that find where values are, or would go, and pick them: `nonzero`, `searchsorted`, `extract`, `choose`, ...

Tests: `tests/numpy/test_plans.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .. import lax
from ..array.sharded_array import beside
from ..core import dtypes
from ..core.messages.errors import ConcretizationTypeError, message
from ..core.options.config import local
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.dimension import as_length, as_number, is_more
from ..prims.collective import pvary_to
from ..prims.logic import le_to, lt_to
from ..prims.shape import insert_axes
from ..prims.sorting import permutation
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from ..transforms.vmap import vmap
from . import ufuncs
from .axes import operand, refuse_out
from .conversion import asarray, constant_of
from .joining import concatenate, stack, vstack
from .promotion import check_arraylike, convert, strong
from .ranges import arange
from .reductions import sum
from .running import cumsum
from .shapes import atleast_1d, broadcast_arrays, moveaxis, ravel, reshape, transpose
from .sorting import argsort

__all__ = [
    "argwhere", "choose", "compress", "digitize", "extract", "flatnonzero", "nonzero", "searchsorted",
]


def known_values(a, context: str) -> np.ndarray:
    """The values of an array; ConcretizationTypeError with `context` where it is traced."""
    value = a.concrete() if isinstance(a, Array) else a
    if value is None:
        raise ConcretizationTypeError(a, context)
    return np.asarray(value)


# ---- positions ----------------------------------------------------------------------------------


_UNSIZED = (
    "The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations."
)


def _nonzero_now(a, *, size=None, fill_value=None):
    if not a.ndim or size is not None or fill_value is not None:
        return NotImplemented
    mask, int_ = a if a.dtype.kind == "b" else a != 0, dtypes.default_int()
    # With several axes NumPy goes from element to element.
    places = mask.nonzero() if a.ndim == 1 else np.unravel_index(np.flatnonzero(mask), a.shape)
    return tuple([i.astype(int_) for i in places])


@replayed(now=_nonzero_now, compiles_after=WORTH)
def nonzero(a, *, size: int | None = None, fill_value=None) -> tuple[Array, ...]:
    """Return the indices of elements that are not zero, an array for each axis.

    Args:
      a: array with one axis at least.
      size: the number of indices to return; needed where the array is traced. Too many are cut, missing ones
        are `fill_value`.
      fill_value: an index, or one for each axis; default 0.
    Returns:
      A tuple of arrays of positions, one for each axis.
      The dtype is the default integer, int32, or int64 with 64-bit types on.
    Raises:
      ConcretizationTypeError: the array is traced, there is no `size`, and the number of indices is needed.

    >>> jnp.nonzero(jnp.array([0, 5, 6]))
    (Array([1, 2], dtype=int32),)
    """
    a = operand("nonzero", a)
    if not a.ndim:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() instead. If "
            "the context of this error is of the form `arr[nonzero(cond)]`, you can change it to `arr[cond]`."
        )
    mask = a if a.dtype == np.bool_ else ufuncs.not_equal(a, a.dtype.type(0))
    int_ = dtypes.default_int()
    if size is None:
        if mask.concrete() is None and fill_value is None:
            return mask._places_masked(_UNSIZED)
        found = _nonzero_now(known_values(mask, _UNSIZED))
        places = tuple([beside(constant_of(i, ShapedArray(i.shape, int_)), (mask,)) for i in found])
        if fill_value is None:
            return places
        # JAX parity: what would fill places gives the results its dtype.
        nowhere = np.zeros(found[0].shape, bool)
        return tuple([ufuncs.where(nowhere, f, i) for i, f in zip(places, _fills(fill_value, a.ndim))])
    size = as_length(known_values(size, "The size argument of jnp.nonzero must be static.").tolist())
    fills = _fills(fill_value, a.ndim)
    if not size or not a.size:  # JAX parity: an array without elements has zeros, whatever fills the places of others
        return tuple([lax.full((size,), 0, int_) for _ in fills])
    # The k-th nonzero element stands where the number of those before it steps over k.
    count = cumsum(mask)
    steps = lax.full((size,), 0, int_).at[ufuncs.clip(count, 0)].add(1)
    place = cumsum(steps)
    strides = [prod(a.shape[i + 1 :]) for i in range(a.ndim)]
    out = [ufuncs.remainder(place // as_number(s, int_), n) for s, n in zip(strides, a.shape)]
    if fill_value is None:
        return tuple(out)
    missing = arange(size) >= sum(mask)
    return tuple([ufuncs.where(missing, f, i) for i, f in zip(out, fills)])


@replayed(now=lambda a, **kwargs: _nonzero_now(a.ravel())[0] if not kwargs else NotImplemented, compiles_after=WORTH)
def flatnonzero(a, *, size: int | None = None, fill_value=None) -> Array:
    """Return the positions of elements of the flat array that are not zero.

    Args:
      a: array.
      size: the number of positions to return; needed where the array is traced. Too many are cut, missing ones are
        `fill_value`.
      fill_value: a position; default 0.
    Returns:
      An array of integers with one axis, going up.
    Raises:
      ConcretizationTypeError: the array is traced, there is no `size`, and the number of positions is needed.

    >>> jnp.flatnonzero(jnp.array([[0, 5], [6, 0]]))
    Array([1, 2], dtype=int32)
    """
    return nonzero(ravel(operand("flatnonzero", a)), size=size, fill_value=fill_value)[0]


@replayed
def argwhere(a, *, size: int | None = None, fill_value=None) -> Array:
    """Return the indices of elements that are not zero, a row for each.

    Args:
      a: array.
      size: the number of rows to return; needed where the array is traced. Too many are cut, missing ones are
        `fill_value`.
      fill_value: an index, or one for each axis; default 0.
    Returns:
      ``[elements, axes]`` integers, in row-major order.
    Raises:
      ConcretizationTypeError: the array is traced, there is no `size`, and the number of rows is needed.

    >>> jnp.argwhere(jnp.array([[0, 5], [6, 0]]))
    Array([[0, 1],
           [1, 0]], dtype=int32)
    """
    a = operand("argwhere", a)
    if size is None and a.concrete() is None:
        columns = nonzero(atleast_1d(a))
        return columns[0].by_row(columns, a.ndim)
    found = transpose(vstack(nonzero(atleast_1d(a), size=size, fill_value=fill_value)))
    return found if a.ndim else reshape(found[:0], (found.shape[0], 0))


def extract(condition, arr, *, size: int | None = None, fill_value=0) -> Array:
    """Return the elements of the flat array where a condition holds.

    Args:
      condition: array; zero is false.
      arr: array of that shape.
      size: the number of elements to return, needed where the condition is traced.
      fill_value: what stands for elements that are missing.
    Returns:
      An array with one axis: the elements of the flat array where the condition holds, in order.
      The dtype is that of `arr`.
    Raises:
      TypeError: `condition` is not an array or scalar; lists are not converted.

    >>> jnp.extract(jnp.array([True, False, True]), jnp.array([1, 2, 3]))
    Array([1, 3], dtype=int32)
    """
    check_arraylike("extract", condition, arr)
    mask, a = ravel(operand("extract", condition)), ravel(operand("extract", arr))
    _check_within(mask, a.shape[0], size)
    return _kept(mask, a, size, fill_value, "extract")


def _fills(fill_value, ndim: int) -> tuple:
    """Return what fills places that are left, for each axis."""
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * ndim
    if len(fills) != ndim or any(np.ndim(f) for f in fills):
        raise ValueError(
            message(f"fill_value must be a scalar or a tuple of length {ndim}; got {fill_value}", fix="fill_value=-1")
        )
    return fills


def _check_within(mask, n: int, size):
    if mask.shape[0] > n and size is None and bool(np.any(np.asarray(mask[n:]))):
        raise ValueError("condition contains entries that are out of bounds")


def _kept(mask, rows, size, fill_value, name):
    """Return the rows where the mask holds, or as many as `size` says."""
    mask = mask if mask.dtype == np.bool_ else ufuncs.not_equal(mask, mask.dtype.type(0))
    n = min(mask.shape[0], rows.shape[0])
    mask, rows = mask[:n], rows[:n]
    if size is None:
        values = mask.concrete()
        if values is None:
            context = f"The size argument of jnp.{name} must be given where the condition is traced."
            return mask._rows_masked(rows, context)
        return rows[np.asarray(values)]
    if not 0 <= size <= n:
        raise ValueError(
            f"size must be positive and not greater than the size of the array axis; got size={size} for "
            f"an axis of length {n}"
        )
    wide = lax.expand_dims(mask, range(1, rows.ndim))
    order = argsort(mask, descending=True)
    kept = ufuncs.where(wide, rows, convert(asarray(fill_value), rows.dtype))[order]
    return kept[:size]


# ---- places in sorted arrays --------------------------------------------------------------------


_MAX_ELEMENTS_IN_CACHE = 2**15  # elements of a sorted array that is searched from the cache
_VALUES_PER_CHUNK = 2**14  # values that are looked for at once, of so many that a pass of NumPy's over all costs little


def ranks(a, v, side):
    """Return what `np.searchsorted` gives, for many values in a quarter of its time.

    In a short array all values are bisected together, without a branch that depends on one. In a long one they
    are looked for in order, which NumPy does with few misses of the cache.
    """
    if v.size < _VALUES_PER_CHUNK // 8 or a.dtype.kind not in "fiu" or a.dtype.itemsize < 4:
        return np.searchsorted(a, v, side)
    flat, out = v.reshape(-1), np.empty(v.size, np.int32 if a.size < 2**31 else np.int64)
    if a.size > _MAX_ELEMENTS_IN_CACHE:
        order = permutation([flat], 0)
        out[order] = np.searchsorted(a, flat[order], side)
        return out.reshape(v.shape)
    before = np.less if side == "left" else np.less_equal
    half = 1 << (a.size.bit_length() - 1)
    # What follows the array comes after all values but the greatest integer.
    table = np.full(2 * half, np.nan if a.dtype.kind == "f" else np.iinfo(a.dtype).max, a.dtype)
    table[: a.size] = a
    for start in range(0, flat.size, _VALUES_PER_CHUNK):
        values = flat[start : start + _VALUES_PER_CHUNK]
        place, step = np.zeros(values.shape, np.intp), half
        while step:
            place += before(table.take(place + (step - 1)), values) * step
            step >>= 1
        if a.dtype.kind == "f" and np.isnan(values.max()):
            place[np.isnan(values)] = np.searchsorted(a, a.dtype.type(np.nan), side)
        np.minimum(place, a.size, out=out[start : start + _VALUES_PER_CHUNK], casting="unsafe")
    return out.reshape(v.shape)


def _numpy_searchsorted(a, v, side="left", sorter=None, *, method="scan"):
    if not isinstance(v, np.ndarray) or not a.size:
        return np.searchsorted(a, v, side, sorter)
    return ranks(a if sorter is None else a[sorter], v, side)


@replayed(numpy=_numpy_searchsorted, compiles_after=WORTH, arrays=2)
@inner_jit(static_argnames=("side", "method"))
def searchsorted(a, v, side: str = "left", sorter=None, *, method: str = "scan") -> Array:
    """Return where values would go in a sorted array.

    Args:
      a: sorted, with one axis; NaNs last.
      v: the values.
      side: "left" before equal elements, "right" after them.
      sorter: indices that sort `a`.
      method: "scan" and "scan_unrolled" compare once for each bit of the length, "sort" sorts both,
        "compare_all" compares every pair.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.searchsorted(jnp.array([1, 3, 5]), 4)
    Array(2, dtype=int32)
    """
    check_arraylike("searchsorted", a, v)
    if side not in ("left", "right"):
        raise ValueError(
            f"invalid argument {side=}, expected 'left' or 'right'"
        )
    if method not in ("scan", "scan_unrolled", "sort", "compare_all"):
        raise ValueError(
            f"invalid argument {method=}, expected one of ['compare_all', 'scan', 'scan_unrolled', 'sort']"
        )
    dtype, weak = dtypes.lattice_result_type(a, v)
    a, v = (convert(operand("searchsorted", x), dtype, weak) for x in (a, v))
    if a.ndim != 1:
        raise ValueError(message("a should be 1-dimensional", why=f"It has shape {a.shape}.",
                                 fix="jax.vmap(jnp.searchsorted)(a, v) for a search in each row"))
    if sorter is not None:
        a = a[sorter]
    if method == "compare_all":
        return _by_comparison(a, v, side)
    if method == "sort":
        return _by_sorting(a, v, side)
    return _by_bisection(a, v, side, method == "scan_unrolled")


def _places(a) -> np.dtype:
    """Return the dtype of places in an array: int32 where that is wide enough."""
    if a.shape[0] < 2**31:
        return dtypes.int32
    if not local.enable_x64:
        raise OverflowError(
            message(
                f"Python integer {a.shape[0]} out of bounds for int32",
                why="Places in an array of this length take 64 bits.",
                fix='jax.config.update("jax_enable_x64", True)',
            )
        )
    return dtypes.int64


@inner_jit(static_argnames=("side", "unrolled"), name="_searchsorted_scan_impl", operation="searchsorted")
def _by_bisection(a, v, side, unrolled):
    n = a.shape[0]
    if not n:
        return lax.full(v.shape, 0, _places(a))
    if v.ndim:
        return vmap(lambda x: _by_bisection(a, x, side, unrolled))(v)
    turns, unsigned = int(n).bit_length(), np.uint64 if is_more(n, 2**32 - 1) else np.uint32

    def turn(bounds, _):
        low, high = bounds
        middle = low + (high - low) // 2
        x = lax.squeeze(lax.dynamic_slice(a, (middle,), (1,)), (0,))
        before = _compared(le_to if side == "left" else lt_to, _canonical(v), _canonical(x))
        return (lax.select(before, low, middle), lax.select(before, middle, high)), None

    along = aval_of(a).vma.union(aval_of(v).vma)
    bounds = pvary_to(unsigned(0), along), pvary_to(unsigned(n), along)
    (_, place), _ = lax.scan(turn, bounds, None, length=turns, unroll=turns if unrolled else 1)
    return convert(place, _places(a))


@inner_jit(static_argnames=("side",), name="_searchsorted_compare_all_impl")
def _by_comparison(a, v, side):
    a, v = _canonical(a), _canonical(v)
    each, every = insert_axes(v, (0,)), insert_axes(a, tuple(range(1, v.ndim + 1)))
    return sum(_compared(lt_to if side == "left" else le_to, every, each), axis=0, dtype=_places(a))


def _canonical(x):
    """Replace zeros by one zero, and NaN by one NaN."""
    if not dtypes.issubdtype(x.dtype, np.floating):
        return x
    positive = lax.select(lax.eq(x, strong(x, 0)), lax.full_like(x, 0), x)
    return lax.select(lax.ne(x, x), lax.full_like(x, np.nan), positive)


def _compared(compare, x, y):
    """Return `lt_to` or `le_to` of canonical values, in the order of sorting, where NaN is last."""
    if x.dtype.kind != "c":
        return compare(x, y)
    if compare is le_to:
        return ~_compared(lt_to, y, x)
    return (x < y) | (ufuncs.isnan(y) & ~ufuncs.isnan(x))


def _numpy_digitize(x, bins, right=False, *, method=None):
    if bins.ndim != 1 or not bins.size:
        return NotImplemented
    side = "left" if right else "right"
    return ranks(bins, x, side) if bins[-1] >= bins[0] else len(bins) - ranks(bins[::-1], x, side)


@inner_jit(static_argnames=("side",), name="_searchsorted_sort_impl")
def _by_sorting(a, v, side):
    """Return the rank of each value among all, less its rank among the values."""
    flat = ravel(v)
    if side == "left":
        mine = _ranked(concatenate([flat, a]))[: flat.shape[0]]
    else:
        mine = _ranked(concatenate([a, flat]))[a.shape[0] :]
    return reshape(convert(mine - _ranked(flat), _places(a)), v.shape)


def _ranked(x):
    """Return the place of each element among the sorted ones."""
    places = lax.iota(_places(x), x.shape[0])
    ranks = lax.full(x.shape, 0, places.dtype)
    return ranks.at[lax.sort_key_val(x, places)[1]].set(places)


@replayed(numpy=_numpy_digitize, compiles_after=WORTH, arrays=2)
@inner_jit(static_argnames=("right", "method"))
def digitize(x, bins, right: bool = False, *, method: str | None = None) -> Array:
    """Return the position of the bin of each element.

    Args:
      x: array.
      bins: the edges, going up or down.
      right: whether the bins have their right edge rather than their left one.
      method: how to look for it, as for `searchsorted`.
    Returns:
      Integers from 0 (before the first edge) to ``len(bins)`` (behind the last), in an array of the shape of `x`.
      The dtype is int32.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.digitize(jnp.array([0.5, 1.5]), jnp.array([0., 1., 2.]))
    Array([1, 2], dtype=int32)
    """
    check_arraylike("digitize", x, bins)
    x, bins = operand("digitize", x), operand("digitize", bins)
    if bins.ndim != 1:
        raise ValueError(
            message(
                f"digitize: bins must be a 1-dimensional array; got bins={bins}",
                fix="bins=jnp.linspace(x.min(), x.max(), 11)",
            )
        )
    n = bins.shape[0]
    if not n:
        return lax.full(x.shape, 0, dtypes.default_int())
    side = "left" if right else "right"
    method = {} if method is None else {"method": method}
    return ufuncs.where(
        bins[-1] >= bins[0],
        searchsorted(bins, x, side=side, **method),
        n - searchsorted(lax.rev(bins, (0,)), x, side=side, **method),
    )


# ---- choices ------------------------------------------------------------------------------------


def choose(a, choices, out=None, mode: str = "raise") -> Array:
    """Take, for each element of an integer array, the element of the array that it names.

    Args:
      a: integers from 0 to the number of choices.
      choices: arrays; all of them broadcast with `a`.
      out: must be None.
      mode: for integers out of range: "clip", or "wrap" takes them modulo the number of choices; "raise"
        works only where values are known.
    Returns:
      An array of the shape to which the operands broadcast: each element is that of choice number ``arr[i]``.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.choose(jnp.array([1, 0]), [jnp.array([1, 2]), jnp.array([10, 20])])
    Array([10,  2], dtype=int32)
    """
    refuse_out("choose", out)
    choices = choices if isinstance(choices, Array) else tuple(choices)
    check_arraylike("choose", a, *choices)
    a = operand("choose", a)
    if not dtypes.issubdtype(a.dtype, np.integer):
        raise ValueError(message("`a` array must be integer typed", fix="a.astype(int)"))
    n = len(choices)
    if mode == "raise":
        values = known_values(
            a, "The error occurred because jnp.choose was jit-compiled with mode='raise'. Use mode='wrap' "
            "or mode='clip' instead.",
        )
        if np.any((values < 0) | (values >= n)):
            raise ValueError("invalid entry in choice array")
    elif mode == "wrap":
        a = ufuncs.mod(a, n)
    elif mode == "clip":
        a = ufuncs.clip(a, 0, n - 1)
    else:
        raise ValueError(f"mode={mode!r} not understood. Must be 'raise', 'wrap', or 'clip'")
    a, *arrays = broadcast_arrays(a, *choices)
    grid = [lax.broadcasted_iota(dtypes.int32, a.shape, i) for i in range(a.ndim)]
    chosen = stack(arrays)[(a, *grid)]
    return convert(chosen, chosen.dtype)


def compress(condition, a, axis: int | None = None, *, size: int | None = None, fill_value=0, out=None) -> Array:
    """Return the parts of an array along an axis where a condition holds.

    Args:
      condition: booleans, with one axis.
      a: array.
      axis: None takes elements of the flat array.
      size: the number of parts to return, needed where the condition is traced; missing ones are `fill_value`.
      fill_value: of entries that are missing where `size` is given.
      out: must be None.
    Returns:
      The entries along the axis where the condition holds, in an array of the dtype of `a`.
    Raises:
      TypeError: `condition` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.compress(jnp.array([True, False, True]), jnp.array([1, 2, 3]))
    Array([1, 3], dtype=int32)
    """
    refuse_out("compress", out)
    check_arraylike("compress", condition, a)
    mask, a = operand("compress", condition), operand("compress", a)
    if mask.ndim != 1:
        raise ValueError(message("condition must be a 1D array", fix="condition.ravel()"))
    if axis is None:
        a, axis = ravel(a), 0
    rows = moveaxis(a, axis, 0)
    _check_within(mask, rows.shape[0], size)
    return moveaxis(_kept(mask, rows, size, fill_value, "compress"), 0, axis)
