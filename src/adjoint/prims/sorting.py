"""Sorting: `sort` of one or several arrays by their leading ones, and `top_k`.

The order is JAX's: -0.0 equals 0.0, every NaN comes last, and equal elements keep their places. The
stable permutation of a long array is found by sorting integers that hold the key's order above the
position, which NumPy does with vector instructions; its own stable sorts are ten times slower. In a
single sorted array only zeros of both signs could tell a stable sort from another.
"""

from __future__ import annotations

import sys

import numpy as np

from ..core import dtypes
from ..core.messages.errors import axis_out_of_range, message
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..core.values.dimension import is_more
from ..core.values.zeros import Zero
from ..sharding import rules
from .domains import ORDERED, check_dtype
from .indexed_windows import GatherDimensionNumbers, GatherScatterMode
from .indexing import gather
from .shape import full, insert_axes, iota, materialise_batch, reshape

__all__ = ["MAX_ELEMENTS_TO_SORT", "sort", "top_k"]

MAX_ELEMENTS_TO_SORT = 2048  # elements of a row that is sorted where it is only to be divided at some place


# ---- order as integers --------------------------------------------------------------------------

_SIGNED = {2: np.dtype("int16"), 4: np.dtype("int32"), 8: np.dtype("int64")}
_UNSIGNED = {2: np.dtype("uint16"), 4: np.dtype("uint32"), 8: np.dtype("uint64")}
_MAX_FLOATS_OF_STABLE_SORT = 384  # below this size NumPy's own stable sort is as fast as to look for zeros,
_MAX_ELEMENTS_TO_PACK = 1024  # below this as packed numbers,
_MAX_ELEMENTS_PER_SHORT_ROW = 8  # and below this length
_ELEMENTS_PER_GROUP = 64  # elements, of which first the greatest is looked at,
_MIN_GROUPS = 64  # if there are so many groups


def plain(x):
    """Return the elements in a dtype that NumPy sorts by itself, in the same order."""
    if dtypes.issubdtype(x.dtype, np.floating):
        return x if x.dtype.itemsize >= 4 else x.astype(np.float32)
    if x.dtype in dtypes.small_ints:
        return x.astype(np.int8 if dtypes.issubdtype(x.dtype, np.signedinteger) else np.uint8)
    return x


def ordered_bits(x, total: bool):
    """Unsigned integers of 32 or 64 bits in the order of `x`.

    With `total`, floats have IEEE's total order, -NaN < -inf ... -0.0 < 0.0 ... < NaN; without, the
    zeros are equal and every NaN comes last.
    """
    if x.dtype.kind == "f":
        size = x.dtype.itemsize
        if not total:
            nan = np.isnan(x)
            x = x + x.dtype.type(0)  # -0.0 + 0.0 is 0.0
        bits = np.ascontiguousarray(x).view(_SIGNED[size])
        # Negative floats order backwards: flip all their bits, else only the sign.
        unsigned, sign = _UNSIGNED[size], 8 * size - 1
        flip = (bits >> sign).view(unsigned) | unsigned.type(1 << sign)
        out = bits.view(unsigned) ^ flip
        if not total and nan.any():
            out[nan] = np.iinfo(out.dtype).max
        return out
    if x.dtype.kind in "ub":
        return x if x.dtype.itemsize >= 4 else x.astype(np.uint32)
    x = x if x.dtype.itemsize >= 4 else x.astype(np.int32)
    size = x.dtype.itemsize
    return x.view(_UNSIGNED[size]) ^ _UNSIGNED[size].type(1 << (8 * size - 1))


_HIGH, _LOW = (1, 0) if sys.byteorder == "little" else (0, 1)


def _packed(bits):
    """Return the order above the position along the last axis, in 64 bits."""
    packed = np.empty(bits.shape, np.uint64)
    halves = packed.view(np.uint32).reshape(*bits.shape, 2)
    halves[..., _HIGH] = bits
    halves[..., _LOW] = np.arange(bits.shape[-1], dtype=np.uint32)
    return packed


def _positions(packed):
    """Return the positions that were packed, as unsigned integers."""
    packed = np.ascontiguousarray(packed)
    return packed.view(np.uint32).reshape(*packed.shape, 2)[..., _LOW]


def permutation(keys, axis: int):
    """Return positions along `axis` in the stable order of the keys, the first of them first: integers of some dtype.
    """
    keys = [part for key in keys for part in _real_keys(key)]
    if len(keys) > 1:
        return np.lexsort([plain(k) for k in reversed(keys)], axis=axis)
    key = plain(keys[0])
    n, size = key.shape[axis], key.dtype.itemsize
    short = size < 4 and key.dtype.kind in "iub"  # NumPy has a radix sort for these
    if key.size < _MAX_ELEMENTS_TO_PACK or n < _MAX_ELEMENTS_PER_SHORT_ROW or size > 4 or short:
        return np.argsort(key, axis=axis, kind="stable")
    packed = _packed(ordered_bits(np.moveaxis(key, axis, -1), total=False))
    packed.sort(axis=-1)
    return np.moveaxis(_positions(packed), -1, axis)


def _real_keys(key):
    """Complex numbers order by real part, then imaginary part."""
    return (key.real, key.imag) if key.dtype.kind == "c" else (key,)


# ---- sort ---------------------------------------------------------------------------------------

sort = Primitive("sort", multiple_results=True)
sort.exact("biuf")
sort.sharding(rules.sorted_over)


@sort.type
def _(*xs, dimension, is_stable, num_keys):
    if not xs:
        raise TypeError("Sort requires at least one operand")
    if any(x.shape != xs[0].shape for x in xs):
        shapes = " ".join(str(x.shape) for x in xs)
        raise TypeError(
            message(f"Arguments to sort must have equal shapes, got: {shapes}", fix="jnp.broadcast_arrays(*operands)")
        )
    if not 1 <= num_keys <= len(xs):
        raise ValueError(f"num_keys={num_keys} must be between 1 and len(operand)={len(xs)}")
    for x in xs[:num_keys]:
        check_dtype("sort", (*ORDERED, np.complexfloating), x.dtype)
    return list(xs)


@sort.evaluate
def _(*xs, dimension, is_stable, num_keys):
    if len(xs) == 1 and xs[0].dtype.kind != "c":
        return [_sorted(xs[0], dimension, is_stable)]
    order = permutation(xs[:num_keys], dimension)
    if xs[0].ndim == 1:
        return [x.take(order) for x in xs]
    return [np.take_along_axis(x, order, dimension) for x in xs]


def _sorted(x, axis, is_stable):
    key = plain(x)
    is_float = key.dtype.kind == "f"  # equal integers are the same
    if key.dtype.itemsize == 1 or is_float and is_stable and x.size < _MAX_FLOATS_OF_STABLE_SORT:
        return np.sort(key, axis=axis, kind="stable").astype(x.dtype, copy=False)
    out = np.sort(key, axis=axis)
    if is_stable and is_float and _has_two_zeros(key, out):
        rows, in_order = np.moveaxis(key, axis, -1), np.moveaxis(out, axis, -1)
        in_order[in_order == 0] = rows[rows == 0]
    return out.astype(x.dtype, copy=False)


def _has_two_zeros(x, ordered) -> bool:
    """Return whether there may be both 0.0 and -0.0, whose bits are those of the least integer, among floats."""
    if x.ndim == 1:
        zero = x.dtype.type(0)
        first = ordered.searchsorted(zero)
        return bool((ordered[first : first + 2] == zero).all())
    integer = _SIGNED[x.dtype.itemsize]
    return bool(x.view(integer).min() == np.iinfo(integer).min)


@sort.jvp
def _(primals, tangents, *, dimension, is_stable, num_keys):
    shape = aval_of(primals[0]).shape
    index_dtype = dtypes.uint64 if is_more(shape[dimension], 2**32 - 1) else dtypes.uint32
    places = iota(dtype=index_dtype, shape=shape, dimension=dimension, sharding=None)
    *outs, order = sort(
        *primals, places, dimension=dimension, is_stable=is_stable, num_keys=num_keys
    )
    tangents_out = [t if type(t) is Zero else along(t, insert_axes(order, (order.ndim,)), dimension) for t in tangents]
    return outs, tangents_out


def along(x, indices, axis: int):
    """Return `x` gathered along an axis at `indices` in bounds, which have the shape of the result and an axis of
    length 1.
    """
    if not x.size:
        return full(aval_of(indices).shape[:-1], 0, x.dtype, aval_of(x).weak_type)
    others = tuple([i for i in range(x.ndim) if i != axis])
    return gather(
        x,
        indices,
        dimension_numbers=GatherDimensionNumbers(
            offset_dims=(),
            collapsed_slice_dims=(axis,),
            start_index_map=(axis,),
            operand_batching_dims=others,
            start_indices_batching_dims=others,
        ),
        slice_sizes=(1,) * x.ndim,
        indices_are_sorted=False,
        unique_indices=False,
        mode=GatherScatterMode.PROMISE_IN_BOUNDS,
        fill_value=None,
    )


@sort.batch
def _(args, dims, *, dimension, is_stable, num_keys):
    size, d = next((x.shape[d], d) for x, d in zip(args, dims) if d is not None)
    args = [materialise_batch(x, e, size, d) for x, e in zip(args, dims)]
    outs = sort(
        *args, dimension=dimension + (dimension >= d), is_stable=is_stable, num_keys=num_keys
    )
    return outs, d


_f32, _i32 = dtypes.float32, dtypes.int32
_params = dict(dimension=0, is_stable=True, num_keys=1)
sort.examples(
    (ShapedArray((5,), _f32), _params),
    (ShapedArray((2, 3), _f32), {**_params, "dimension": 1}),
    (ShapedArray((3, 2), _i32), ShapedArray((3, 2), _f32), _params),
    (ShapedArray((4,), _i32), ShapedArray((4,), _f32), {**_params, "num_keys": 2}),
    (ShapedArray((4,), dtypes.bfloat16), {**_params, "is_stable": False}),
    (ShapedArray((0, 2), _f32), _params),
)


# ---- top_k --------------------------------------------------------------------------------------

top_k = Primitive("top_k", multiple_results=True)
top_k.sharding(rules.top_of)


@top_k.type
def _(x, *, k, axis):
    if dtypes.issubdtype(x.dtype, np.complexfloating):
        raise ValueError("top_k is not compatible with complex inputs.")
    check_dtype("top_k", ORDERED, x.dtype)
    if k < 0:
        raise ValueError(message(f"k argument to top_k must be nonnegative, got {k}", fix="lax.top_k(-x, k)"))
    if not 0 <= axis < x.ndim:
        raise axis_out_of_range(axis, x.ndim)
    if x.shape[axis] < k:
        raise ValueError(
            message(
                "k argument to top_k must be no larger than size along axis; "
                f"got k={k} with shape={list(x.shape)} and axis={axis}",
                fix=f"top_k(x, min(k, x.shape[{axis}]))",
            )
        )
    shape = x.shape[:axis] + (k,) + x.shape[axis + 1 :]
    return [ShapedArray(shape, x.dtype, x.weak_type), ShapedArray(shape, dtypes.int32, x.weak_type)]


@top_k.evaluate
def _(x, *, k, axis):
    if axis != x.ndim - 1:
        x = np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    is_few = x.ndim == 1 and n >= _MIN_GROUPS * _ELEMENTS_PER_GROUP and 0 < k <= n // (4 * _ELEMENTS_PER_GROUP)
    order = _first_few(plain(x), k) if is_few else None
    if order is not None:
        return x[order], order.astype(np.int32)
    bits = ~ordered_bits(plain(x), total=True)  # so that the greatest come first
    if x.size < _MAX_FLOATS_OF_STABLE_SORT or n < _MAX_ELEMENTS_PER_SHORT_ROW or bits.dtype.itemsize > 4:
        order = np.argsort(bits, axis=-1, kind="stable")[..., :k]
    else:
        packed = _packed(bits)
        if 0 < k < n:
            packed.partition(k - 1, axis=-1)
        order = _positions(np.sort(packed[..., :k], axis=-1))
    values = x[order] if x.ndim == 1 else np.take_along_axis(x, order, -1)
    if axis == values.ndim - 1:
        return values, order.astype(np.int32)
    return np.moveaxis(values, -1, axis), np.moveaxis(order.astype(np.int32), -1, axis)


def _first_few(key, k):
    """Return the positions of the k greatest, or None if there are NaNs: few are not less than the k-th of some."""
    n = key.size // _ELEMENTS_PER_GROUP
    if key.dtype.kind not in "fiu":
        return None
    greatest = key[: n * _ELEMENTS_PER_GROUP].reshape(_ELEMENTS_PER_GROUP, n).max(0)
    if key.dtype.kind == "f" and (np.isnan(greatest.max()) or np.isnan(key[n * _ELEMENTS_PER_GROUP :]).any()):
        return None
    chosen = np.flatnonzero(key >= np.partition(greatest, n - k)[n - k])
    bits = ~ordered_bits(key[chosen], total=True)
    return chosen[np.argsort(bits, kind="stable")[:k]]


@top_k.jvp
def _(primals, tangents, *, k, axis):
    (x,), (t,) = primals, tangents
    values, places = top_k(x, k=k, axis=axis)
    no_tangent = Zero(places.aval.to_tangent_aval())
    if type(t) is Zero:
        return [values, places], [Zero(values.aval.to_tangent_aval()), no_tangent]
    columns = reshape(places, new_sizes=(*places.shape, 1), dimensions=None, sharding=None)
    return [values, places], [along(t, columns, axis), no_tangent]


@top_k.batch
def _(args, dims, *, k, axis):
    (x,), (d,) = args, dims
    return top_k(x, k=k, axis=axis + (axis >= d)), d


top_k.examples(
    (ShapedArray((5,), _f32), dict(k=2, axis=0)),
    (ShapedArray((3, 4), _f32), dict(k=4, axis=1)),
    (ShapedArray((3, 4), _i32), dict(k=2, axis=0)),
    (ShapedArray((2, 3), dtypes.bool_), dict(k=0, axis=1)),
)
