"""Parts of arrays: `lax.slice`, `dynamic_slice`, `dynamic_update_slice`, `gather`, `scatter` and
the forms for one axis.

`slice` takes Python ints and refuses what is out of range. The dynamic functions take traced starts
and move the window inside the array; a negative start counts from the end, once. `gather` and
`scatter` are the general forms that `x[...]` and `x.at[...]` come down to; use those instead.
Functions that change shapes are in `shape.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import numpy as np

from ..array.array import ArrayImpl, as_array
from ..core import dtypes
from ..core.messages.errors import message
from ..core.trace import Tracer, stage, state
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.dimension import Dimension, as_length, as_number, is_more
from ..engines.numpy import eval_trace
from ..prims import indexing as indexed
from ..prims import slicing as prims
from ..prims.arithmetic import add, rem
from ..prims.conversion import convert_element_type
from ..prims.indexed_windows import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers, default_fill
from ..prims.indexing import combiner
from ..prims.indexing import gather as gather_prim
from ..prims.logic import lt, select_n
from ..transforms.jit.jit import inner_jit
from .shape import (
    canonical_axis,
    canonical_shape,
    concatenate,
    expand_dims,
    full,
    operand_of,
    squeeze,
)

__all__ = [
    "GatherDimensionNumbers", "GatherScatterMode", "ScatterDimensionNumbers",
    "dynamic_index_in_dim", "dynamic_slice", "dynamic_slice_in_dim", "dynamic_update_index_in_dim",
    "dynamic_update_slice", "dynamic_update_slice_in_dim", "gather", "index_in_dim", "index_take",
    "scatter", "scatter_add", "scatter_apply", "scatter_max", "scatter_min", "scatter_mul",
    "scatter_sub", "slice", "slice_in_dim",
]

_i32 = np.dtype("int32")


# ---- static -------------------------------------------------------------------------------------


def _static(name: str, values) -> tuple[int, ...]:
    values = tuple(values)
    if not all([hasattr(v, "__index__") or isinstance(v, Dimension) for v in values]):
        kinds = ", ".join(repr(type(v)) for v in values)
        raise TypeError(f"slice {name} must have every element be an integer type, got ({kinds}).")
    return tuple([as_length(v) for v in values])


def slice(
    operand, start_indices: Sequence[int], limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Array:
    """Return the part of an array between two corners.

    Args:
      operand: array.
      start_indices: for each axis where the part begins, from 0.
      limit_indices: for each axis where it ends, exclusive, at most the length.
      strides: for each axis the step, positive; default 1.
    Returns:
      An array: the elements from start to limit. The dtype is that of `operand`.
    Raises:
      TypeError: an index is out of range, or there are more or fewer than axes.

    >>> lax.slice(jnp.arange(6), (1,), (6,), (2,))
    Array([1, 3, 5], dtype=int32)
    """
    return prims.slice_(
        operand_of("slice", operand),
        start_indices=_static("start_indices", start_indices),
        limit_indices=_static("limit_indices", limit_indices),
        strides=None if strides is None else _static("strides", strides),
    )


def slice_in_dim(
    operand, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0
) -> Array:
    """Return `slice` along one axis, with None and negative indices as in Python.

    Args:
      operand: array.
      start_index, limit_index: ints, or None for the beginning and the end; negative ones count from the end.
      stride: the distance of two elements, at least 1.
      axis: the axis of the position or window; the others are taken whole.
    Returns:
      An array of the operand's dtype with these elements along the axis.
    Raises:
      TypeError: the limits are out of range, or the stride is not positive.
      IndexError: the axis is out of range.

    >>> lax.slice_in_dim(jnp.arange(6), 1, -1)
    Array([1, 2, 3, 4], dtype=int32)
    """
    operand = operand_of("slice_in_dim", operand)
    shape = aval_of(operand).shape
    begin, end, step = [0] * len(shape), list(shape), [1] * len(shape)
    n = shape[axis]
    for bounds, index in ((begin, start_index), (end, limit_index)):
        if index is not None:
            index = as_length(index)
            bounds[axis] = index + n if index < 0 else index
    step[axis] = stride
    return slice(operand, begin, end, step)


def index_in_dim(operand, index: int, axis: int = 0, keepdims: bool = True) -> Array:
    """Return one position along an axis; negative ones count from the end.

    Args:
      operand: array.
      index: an int; negative ones count from the end.
      axis: the axis of the position or window; the others are taken whole.
      keepdims: keep the axis with length 1.
    Returns:
      An array of the operand's dtype: the elements at that position.
    Raises:
      IndexError: the index is out of range.

    >>> lax.index_in_dim(jnp.arange(6), -1, keepdims=False)
    Array(5, dtype=int32)
    """
    operand = operand_of("index_in_dim", operand)
    index, n = operator.index(index), aval_of(operand).shape[axis]
    if not -n <= index < n:
        raise IndexError(
            message(
                f"index {index} is out of bounds for axis {axis} with size {n}",
                fix=f"an index from {-n} to {n - 1}" if n else "an array that is not empty",
            )
        )
    index = index + n if index < 0 else index
    out = slice_in_dim(operand, index, index + 1, axis=axis)
    return out if keepdims else squeeze(out, (axis,))


# ---- dynamic ------------------------------------------------------------------------------------


def _starts(name: str, shape, starts, allow_negative_indices) -> list:
    """Return starts as scalars, negative ones moved up by the length of the axis."""
    if isinstance(starts, (Array, np.ndarray)) and starts.ndim != 1:
        raise ValueError(
            message(
                f"Slice indices must be a 1D sequence, got {starts.shape}",
                fix="an index for each axis: (0,) * x.ndim",
            )
        )
    starts = list(starts)
    if len(starts) != len(shape):
        raise ValueError(
            message(
                "Length of slice indices must match number of operand dimensions "
                f"({len(starts)} vs {shape})",
                why=f"The operand has {len(shape)} axes, and each needs a start.",
                fix=f"({', '.join(['i'] + ['0'] * (len(shape) - 1))}{',' * (len(shape) == 1)}), or "
                "lax.dynamic_slice_in_dim for a single axis",
            )
        )
    if isinstance(allow_negative_indices, bool):
        allow_negative_indices = [allow_negative_indices] * len(shape)
    eager = state.trace is eval_trace
    out = []
    for s, n, wrap in zip(starts, shape, allow_negative_indices, strict=True):
        is_array = eager and type(s) is ArrayImpl
        out.append(start(name, s._value if is_array else s, n, wrap, is_array))
    return out


def _wide(indices: Array) -> Array:
    """Return positions, those of 2 and 4 bits as int32: no operation reads these."""
    if aval_of(indices).dtype not in dtypes.small_ints:
        return indices
    return convert_element_type(indices, new_dtype=_i32, weak_type=False, sharding=None)


def start(name: str, s, n: int, wrap: bool, is_array: bool = False):
    """Return one start along an axis of length `n`; a number of the program is checked, one of an array clamped."""
    if isinstance(s, Dimension):
        s = s.dimension_as_value()
    if not isinstance(s, Array):
        s = operand_of(name, s)
        if isinstance(s, Array):
            s = s._value
        dtype = aval_of(s).dtype
        if np.shape(s) or not dtypes.issubdtype(dtype, np.integer):
            return s
        s = int(s)
        if s < 0 and not wrap and not is_array:
            raise ValueError(message(
                f"Index {s} is out of bounds for dimension {n} if allow_negative_indices=False",
                fix="a start of at least 0, or allow_negative_indices=True to count from the end",
            ))
        if dtype in dtypes.small_ints or is_more(n, np.iinfo(dtype).max):
            dtype = _i32
        return as_number(s + n if wrap and s < 0 else s, dtype)
    s = _wide(s)
    if not wrap or s.ndim or s.dtype.kind != "i":
        return s
    if is_more(n, np.iinfo(s.dtype).max):  # the wrapped start must fit its dtype
        s = convert_element_type(s, new_dtype=_i32, weak_type=False, sharding=None)
    dtype = s.dtype
    negative, strong = lt(s, dtype.type(0)), s
    if s.weak_type:
        strong = convert_element_type(s, new_dtype=dtype, weak_type=False, sharding=None)
    return select_n(negative, s, add(strong, as_number(n, dtype)))


def dynamic_slice(
    operand, start_indices, slice_sizes, *, allow_negative_indices: bool | Sequence[bool] = True
) -> Array:
    """Return a window of fixed size at a place that may be traced.

    Args:
      operand: array.
      start_indices: a scalar for each axis, or one array of them. A window that is not inside is
        moved inside.
      slice_sizes: the shape of the window.
      allow_negative_indices: whether negative starts count from the end, for all axes or each.
        False saves the test where starts are known not to be negative.
    Returns:
      An array of shape `slice_sizes` and the operand's dtype.
    Raises:
      TypeError: starts are not integer scalars of one dtype, or the window is larger than the
        array.
      ValueError: there are more or fewer starts than axes.

    >>> lax.dynamic_slice(jnp.arange(5), (3,), (3,))
    Array([2, 3, 4], dtype=int32)
    """
    operand = operand_of("dynamic_slice", operand)
    starts = _starts("dynamic_slice", operand.shape, start_indices, allow_negative_indices)
    return prims.dynamic_slice(operand, *starts, slice_sizes=canonical_shape(slice_sizes))


def dynamic_update_slice(
    operand, update, start_indices, *, allow_negative_indices: bool | Sequence[bool] = True
) -> Array:
    """Return the array with a window replaced at a place that may be traced.

    Args:
      operand: array.
      update: array of the same dtype and rank, at most as large: what the window becomes.
      start_indices: an integer scalar for each axis, or one array of them. A window that is not inside is moved inside.
      allow_negative_indices: whether negative starts count from the end, for all axes or each.
    Returns:
      A new array of the operand's shape and dtype. Inside of `jit` it may be the operand's memory, if nothing else
      reads it.
    Raises:
      TypeError: starts are not integer scalars of one dtype, dtypes differ, or the update is larger than the array.
      ValueError: there are more or fewer starts than axes.

    >>> lax.dynamic_update_slice(jnp.zeros(4), jnp.ones(2), (1,))
    Array([0., 1., 1., 0.], dtype=float32)
    """
    operand = operand_of("dynamic_update_slice", operand)
    update = operand_of("dynamic_update_slice", update, 1)
    shape = aval_of(operand).shape
    starts = _starts("dynamic_update_slice", shape, start_indices, allow_negative_indices)
    return prims.dynamic_update_slice(operand, update, *starts)


def _along(index, axis: int, ndim: int) -> list:
    """Return starts that are 0 but for one axis."""
    dtype = aval_of(index).dtype if isinstance(index, (Array, np.ndarray, np.generic)) else dtypes.default_int()
    starts = [dtype.type(0)] * ndim if dtype.kind in "iu" else [0] * ndim
    starts[axis] = index
    return starts


def dynamic_slice_in_dim(
    operand, start_index, slice_size: int, axis: int = 0, *, allow_negative_indices: bool = True
) -> Array:
    """Return a window along one axis, at a place that may be traced; the other axes are whole.

    Args:
      operand: array.
      start_index: integer scalar. A window that is not inside is moved inside.
      slice_size: the length of the window, an int.
      axis: the axis of the position or window; the others are taken whole.
      allow_negative_indices: whether a negative start counts from the end.
    Returns:
      An array of the operand's dtype, of length `slice_size` along the axis.
    Raises:
      TypeError: the window is longer than the axis, or the start is no integer.

    >>> lax.dynamic_slice_in_dim(jnp.arange(5), 1, 2)
    Array([1, 2], dtype=int32)
    """
    operand = operand_of("dynamic_slice_in_dim", operand)
    sizes = list(aval_of(operand).shape)
    axis = canonical_axis(axis, len(sizes), IndexError)
    starts = _along(start_index, axis, len(sizes))
    sizes[axis] = slice_size
    return dynamic_slice(operand, starts, sizes, allow_negative_indices=bool(allow_negative_indices))


@inner_jit(static_argnames=("axis", "keepdims", "allow_negative_indices"))
def dynamic_index_in_dim(
    operand, index, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True
) -> Array:
    """Return one position, which may be traced, along an axis.

    Args:
      operand: array.
      index: integer scalar; it is moved inside the array.
      axis: the axis of the position or window; the others are taken whole.
      keepdims: keep the axis with length 1.
      allow_negative_indices: whether a negative index counts from the end.
    Returns:
      An array of the operand's dtype: the elements at that position.
    Raises:
      TypeError: `operand` is not an array or scalar; lists are not converted.
      IndexError: `axis` is out of range.

    >>> lax.dynamic_index_in_dim(jnp.arange(5), 3, keepdims=False)
    Array(3, dtype=int32)
    """
    out = dynamic_slice_in_dim(
        operand, index, 1, axis, allow_negative_indices=allow_negative_indices
    )
    return out if keepdims else squeeze(out, (axis,))


def dynamic_update_slice_in_dim(
    operand, update, start_index, axis: int, *, allow_negative_indices: bool = True
) -> Array:
    """Return the array with a window along one axis replaced, at a place that may be traced.

    Args:
      operand: array.
      update: array of the same dtype and rank, at most as large: what the window becomes. It begins at 0 along the
        other axes.
      start_index: integer scalar. A window that is not inside is moved inside.
      axis: the axis of the position or window; the others are taken whole.
      allow_negative_indices: whether a negative start counts from the end.
    Returns:
      A new array of the operand's shape and dtype.
    Raises:
      TypeError: the update is larger than the array, or dtypes differ.

    >>> lax.dynamic_update_slice_in_dim(jnp.zeros(3), jnp.ones(1), 1, 0)
    Array([0., 1., 0.], dtype=float32)
    """
    operand = operand_of("dynamic_update_slice_in_dim", operand)
    ndim = aval_of(operand).ndim
    axis = canonical_axis(axis, ndim, IndexError)
    starts = _along(start_index, axis, ndim)
    return dynamic_update_slice(
        operand, update, starts, allow_negative_indices=bool(allow_negative_indices)
    )


@inner_jit(static_argnames=("axis", "allow_negative_indices"))
def dynamic_update_index_in_dim(
    operand, update, index, axis: int, *, allow_negative_indices: bool = True
) -> Array:
    """Return the array with one position along an axis replaced.

    Args:
      operand: array.
      update: array of the operand's shape without the axis, or with length 1 there.
      index: integer scalar; it is moved inside the array.
      axis: the axis of the position or window; the others are taken whole.
      allow_negative_indices: whether a negative index counts from the end.
    Returns:
      A new array of the operand's shape and dtype.
    Raises:
      TypeError: `operand` is not an array or scalar; lists are not converted.
      IndexError: `axis` is out of range.

    >>> lax.dynamic_update_index_in_dim(jnp.zeros(3), 1., 2, 0)
    Array([0., 0., 1.], dtype=float32)
    """
    operand = operand_of("dynamic_update_index_in_dim", operand)
    update = operand_of("dynamic_update_index_in_dim", update, 1)
    ndim = aval_of(operand).ndim
    axis = canonical_axis(axis, ndim, ValueError)
    if aval_of(update).ndim != ndim:
        update = expand_dims(update, (axis,))
    return dynamic_update_slice_in_dim(
        operand, update, index, axis, allow_negative_indices=allow_negative_indices
    )


# ---- gather and scatter -------------------------------------------------------------------------


def gather(
    operand, start_indices, dimension_numbers: GatherDimensionNumbers, slice_sizes, *,
    unique_indices: bool = False, indices_are_sorted: bool = False,
    mode: str | GatherScatterMode | None = None, fill_value=None,
) -> Array:
    """Return windows of an array at a list of places, in XLA's general form; `x[...]` is easier.

    Args:
      operand: array.
      start_indices: integers; the last axis holds the entries of one index.
      dimension_numbers: which axes belong together, see `GatherDimensionNumbers`.
      slice_sizes: the shape of a window, one length for each axis of the operand.
      unique_indices, indices_are_sorted: promises that may be used for speed.
      mode: "clip" moves windows inside, "fill" fills those that are not inside with `fill_value`,
        "promise_in_bounds" (the default) says that there are none.
      fill_value: default NaN, the least signed or greatest unsigned integer, or True.
    Returns:
      An array of the operand's dtype. Its axes `offset_dims` are those of a window, without `collapsed_slice_dims`; the
      others are those of `start_indices` but the last.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    >>> lax.gather(jnp.eye(3), jnp.array([[2], [0]]), numbers, (1, 3))
    Array([[0., 0., 1.],
           [1., 0., 0.]], dtype=float32)
    """
    operand = operand_of("gather", operand)
    parsed = GatherScatterMode.from_any("promise_in_bounds" if mode is None else mode)
    if parsed is not GatherScatterMode.FILL_OR_DROP:
        fill_value = None
    elif fill_value is None:
        fill_value = default_fill(aval_of(operand).dtype)
    return gather_prim(
        operand,
        _wide(operand_of("gather", start_indices, 1)),
        dimension_numbers=GatherDimensionNumbers(*map(tuple, dimension_numbers)),
        slice_sizes=canonical_shape(slice_sizes),
        unique_indices=bool(unique_indices),
        indices_are_sorted=bool(indices_are_sorted),
        mode=parsed,
        fill_value=fill_value,
    )


_SCATTER_DOC = """{what} at a list of places, in XLA's general form; `x.at[...].{method}(v)` is easier.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      updates: array of the operand's dtype: the windows.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype; outside of the windows it has the operand's elements.
    Raises:
      TypeError, ValueError: the numbers, shapes and dtypes do not fit.

    >>> numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.{name}(jnp.arange(1., 5.), jnp.array([[1], [3]]), jnp.array([2., 9.]), numbers)
    {result}
    """


def _scatter(name: str, p, what: str, method: str, result: str):
    """Return the public function of one scatter primitive."""

    def function(
        operand, scatter_indices, updates, dimension_numbers: ScatterDimensionNumbers, *,
        indices_are_sorted: bool = False, unique_indices: bool = False,
        mode: str | GatherScatterMode | None = None,
    ) -> Array:
        operand = operand_of(name, operand)
        return p(
            operand,
            _wide(operand_of(name, scatter_indices, 1)),
            operand_of(name, updates, 2),
            dimension_numbers=ScatterDimensionNumbers(*map(tuple, dimension_numbers)),
            indices_are_sorted=bool(indices_are_sorted),
            unique_indices=bool(unique_indices),
            mode=GatherScatterMode.from_any(mode),
            update_jaxpr=None if p is indexed.scatter else combiner(p, aval_of(operand).dtype),
            update_consts=(),
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _SCATTER_DOC.format(name=name, what=what, method=method, result=result)
    return function


def _result(*values) -> str:
    """Return how an array of these whole numbers is printed."""
    texts = [f"{v}." for v in values]
    width = max(map(len, texts))
    return f"Array([{', '.join(t.rjust(width) for t in texts)}], dtype=float32)"


scatter = _scatter("scatter", indexed.scatter, "Replace windows", "set", _result(1, 2, 3, 9))
scatter_add = _scatter(
    "scatter_add", indexed.scatter_add, "Add to windows", "add", _result(1, 4, 3, 13)
)
scatter_sub = _scatter(
    "scatter_sub", indexed.scatter_sub, "Subtract from windows", "subtract", _result(1, 0, 3, -5)
)
scatter_mul = _scatter(
    "scatter_mul", indexed.scatter_mul, "Multiply windows", "multiply", _result(1, 4, 3, 36)
)
scatter_min = _scatter(
    "scatter_min", indexed.scatter_min, "Take minima with windows", "min", _result(1, 2, 3, 4)
)
scatter_max = _scatter(
    "scatter_max", indexed.scatter_max, "Take maxima with windows", "max", _result(1, 2, 3, 9)
)


def scatter_apply(
    operand: Array, scatter_indices: Array, func: Callable[[Array], Array],
    dimension_numbers: ScatterDimensionNumbers, *, update_shape=(),
    indices_are_sorted: bool = False, unique_indices: bool = False,
    mode: str | GatherScatterMode | None = None,
) -> Array:
    """Apply a function to the elements of windows, as often as a window is named.

    Args:
      operand: array.
      scatter_indices: integers; the last axis holds the entries of one index.
      func: a function of a scalar that returns a scalar of the same dtype.
      dimension_numbers: which axes belong together, see `ScatterDimensionNumbers`.
      update_shape: the shape that the updates of a `scatter` would have.
      indices_are_sorted, unique_indices: promises that may be used for speed.
      mode: "fill" or "drop" (the default) leave out windows that are not inside, "clip" moves them inside,
        "promise_in_bounds" says that there are none.
    Returns:
      A new array of the operand's shape and dtype.
    Raises:
      TypeError: the function changes the dtype or the shape, or closes over traced values.

    >>> i, numbers = jnp.array([[1]]), lax.ScatterDimensionNumbers((), (0,), (0,))
    >>> lax.scatter_apply(jnp.arange(3.), i, lambda x: x + 5, numbers, update_shape=(1,))
    Array([0., 6., 2.], dtype=float32)
    """
    operand = operand_of("scatter_apply", operand)
    dtype = aval_of(operand).dtype
    scalar = ShapedArray((), dtype)
    jaxpr, consts = stage(lambda x, _: [func(x)], [scalar, scalar])
    (out,) = jaxpr.out_avals
    if out.shape or out.dtype != dtype:
        raise TypeError(
            f"scatter_apply needs a function that keeps {scalar.str_short(True)}, got one that "
            f"returns {out.str_short(True)}. Convert its result: lambda x: func(x).astype(x.dtype)."
        )
    if any(isinstance(c, Tracer) for c in consts):
        raise TypeError(
            "scatter_apply needs a function that closes over no traced values. "
            "Try: x.at[i].set(func(x[i])) where indices are unique."
        )
    return indexed.scatter(
        operand,
        _wide(operand_of("scatter_apply", scatter_indices, 1)),
        full(update_shape, 0, dtype),
        dimension_numbers=ScatterDimensionNumbers(*map(tuple, dimension_numbers)),
        indices_are_sorted=bool(indices_are_sorted),
        unique_indices=bool(unique_indices),
        mode=GatherScatterMode.from_any(mode),
        update_jaxpr=jaxpr,
        update_consts=tuple(consts),
    )


def index_take(src: Array, idxs: Array, axes: Sequence[int]) -> Array:
    """Return elements along some axes: `src[idxs]` for axes in front, with indices taken modulo the lengths.

    Args:
      src: array.
      idxs: for each of `axes` integers of shape (n,).
      axes: the axes that are indexed.
    Returns:
      An array of the dtype of `src` and shape (n, *lengths of the other axes): row i is at position ``idxs[...][i]``.
    Raises:
      IndexError: an axis of `axes` is not one of `src`.
      ValueError: an entry of `idxs` holds no integers, or has no axis.
      TypeError: it has more than one.

    >>> lax.index_take(jnp.arange(6), (jnp.array([0, -1]),), (0,))
    Array([0, 5], dtype=int32)
    """
    columns = concatenate([expand_dims(as_array(i), (1,)) for i in idxs], 1)
    if columns.dtype.kind in "bu" or columns.dtype == np.int8 or columns.dtype == np.int16:
        columns = convert_element_type(columns, new_dtype=dtypes.default_int(), weak_type=False, sharding=None)
    dtype = columns.dtype
    lengths = as_array(np.array([src.shape[a] for a in axes], dtype)[None, :])
    remainder = rem(columns, lengths)
    indices = select_n(lt(remainder, dtype.type(0)), remainder, add(remainder, lengths))
    axes = tuple([canonical_axis(a, src.ndim) for a in axes])
    others = src.ndim - len(axes)
    numbers = GatherDimensionNumbers(tuple(range(1, others + 1)), tuple(sorted(axes)), axes)
    sizes = [1 if a in axes else n for a, n in enumerate(src.shape)]
    return gather(src, indices, numbers, sizes)
