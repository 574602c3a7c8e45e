"""Indexing: `x[idx]`, iteration, and the functions that select by position (`take`,
`take_along_axis`, ...).

A concrete array outside of staging is indexed by NumPy at once: the result is a view where NumPy
gives one. What NumPy refuses (a position out of range, for one) and everything traced goes through
a `Plan` (`index_plan.py`) to primitives. JAX's rules: negative positions count from the end once;
what is then still outside is moved to the nearest element by `x[idx]`, filled or clipped by `take`
as its mode says, and left out by `x.at[idx]` (`index_update.py`).
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array, deleted, make_array
from ..array.sharded_array import ShardedArray, plain
from ..core import dtypes
from ..core.messages.advice import updated
from ..core.messages.errors import ConcretizationTypeError, advise, describe, message
from ..core.options.config import local
from ..core.process.memo import Memo
from ..core.trace import state
from ..core.types import Array, ShapedArray, aval_of
from ..core.values.dimension import broadcast_shapes as broadcast_lengths
from ..lax.shape import canonical_axis
from ..lax.slicing import start
from ..prims import shape as shapes
from ..prims.arithmetic import add, max_, min_, mul, rem
from ..prims.indexed_windows import GatherDimensionNumbers, GatherScatterMode, default_fill
from ..prims.indexing import gather
from ..prims.logic import lt, select_n
from ..prims.shape import insert_axes, reshape, squeeze
from ..prims.slicing import dynamic_slice, slice_
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import MANY, WORTH, replayed
from .conversion import settled
from .division import divmod as divmod_
from .division import remainder
from .index_plan import BASIC, Plan, Undetermined, for_numpy, index_dtype, index_operand, parse, plan_of, wrapped
from .promotion import check_arraylike, convert, dtype_of, known, shape_of
from .selection import where
from .windows_at import has_window, window_of

__all__ = [  # of `adjoint.numpy`; `getitem` and `iterate` are members of arrays
    "diag_indices", "diag_indices_from", "ix_", "put_along_axis", "ravel_multi_index", "take",
    "take_along_axis", "unravel_index",
]

_FILL, _PROMISE = GatherScatterMode.FILL_OR_DROP, GatherScatterMode.PROMISE_IN_BOUNDS
_new = object.__new__


# ---- x[idx] -------------------------------------------------------------------------------------

_MIN_ELEMENTS_OF_LARGE_MASK = 2**12  # elements of a mask

_rows = Memo(4096)  # the type of x[i], by that of x
_known_row = _rows.get


def masked(buffer, mask):
    """`buffer[mask]`. NumPy asks element by element, and the processor guesses wrong; positions are found quicker."""
    n = mask.ndim
    if mask.size < _MIN_ELEMENTS_OF_LARGE_MASK or mask.shape != buffer.shape[:n]:
        return buffer[mask]
    return buffer.reshape(mask.size, *buffer.shape[n:]).take(np.flatnonzero(mask), 0)


def getitem(x: Array, idx: Any, /) -> Array:
    """`x[idx]`, by NumPy's rules and JAX's for positions out of range.

    Args:
      x: array.
      idx: ints, slices with static bounds, `...`, None, integer arrays and known boolean masks, or
        a tuple of them.
    Raises:
      IndexError: too many indices, a mask of another shape, traced slice bounds.
      NonConcreteBooleanIndexError: a traced mask, where the number of selected elements must be known; what a mask
        selects can be mapped and reduced without it.
      TypeError: positions that are not integers; a list as the index.

    >>> jnp.arange(5)[1:4:2]
    Array([1, 3], dtype=int32)
    """
    if type(x) is ArrayImpl and not state.trace.stages and state.bottom.takes_parts:
        buffer, aval = x._buffer, x.aval
        if buffer is None:
            raise deleted(x)
        kind = type(idx)
        try:
            if kind is int:
                out = buffer[idx]
                row = _known_row(aval)
                if row is None:
                    row = _row_of(aval)
                a = _new(ArrayImpl)
                a._buffer = out
                a._device = None
                a.aval = row
                return a
            if kind is tuple:
                for e in idx:
                    if type(e) not in BASIC:
                        plain = for_numpy(idx)
                        if plain is None:
                            return read(x, idx)
                        break
                else:
                    plain = idx
                out = buffer[plain]
            elif kind in BASIC:
                out = buffer[idx]
            elif kind is ArrayImpl and idx.size >= MANY.start and idx.dtype.kind in "iu":
                return _read_many(x, idx)
            elif (plain := for_numpy((idx,))) is not None:
                (i,) = plain
                if type(i) is not np.ndarray or not buffer.ndim:
                    out = buffer[i]
                else:
                    out = masked(buffer, i) if i.dtype.kind == "b" else buffer.take(i, 0)
            else:
                return read(x, idx)
        except (IndexError, TypeError, ValueError):
            return read(x, idx)  # out of range, or an error that NumPy words otherwise
        a = _new(ArrayImpl)
        a._buffer = out
        a._device = None
        a.aval = ShapedArray(out.shape, aval.dtype, aval.weak_type)
        return a
    return read(x, idx)


def _row_of(aval: ShapedArray) -> ShapedArray:
    return _rows.keep(aval, ShapedArray(aval.shape[1:], aval.dtype, aval.weak_type))


@replayed(compiles_after=WORTH)
def _read_many(x, idx):
    return read(x, idx)


def read(
    x: Array, idx: Any, mode=None, fill_value=None, indices_are_sorted=False, unique_indices=False, wrap=True,
) -> Array:
    """`x[idx]` by primitives, with the options of `x.at[idx].get`."""
    if fill_value is not None and np.ndim(fill_value):
        raise ValueError(message("fill_value argument to indexed get() must be a scalar", fix="fill_value=0"))
    if has_window(idx):
        fill = None
        if mode is not None and GatherScatterMode.from_any(mode) is _FILL:
            fill = _filling(fill_value, x.dtype)
        x, idx, _ = window_of(x, idx, fill=fill)
    try:
        parsed = parse(idx, x.shape)
    except Undetermined:
        return x._read_masked(idx, (mode, fill_value, indices_are_sorted, unique_indices, wrap))
    if parsed.inserted:
        x = insert_axes(x, parsed.inserted)
    plan = plan_of(x.shape, parsed.tokens)
    mode = _PROMISE if mode is None else GatherScatterMode.from_any(mode)
    if not plan.is_inside(wrap):
        _check_static_index(plan, mode, wrap)
    fill_value = _filling(fill_value, x.dtype) if mode is _FILL else None
    if plan.way == "static" and (mode is not _FILL or plan.is_inside(wrap)):
        if state.trace.stages and not plan.is_inside(wrap):  # checks see where it reads
            core = _read_dynamic(x, plan, (), wrap)
        else:
            core = _read_static(x, plan, wrap)
    elif plan.way == "dynamic" and mode is not _FILL:
        core = _read_dynamic(x, plan, parsed.arrays, wrap)
    else:
        core = _read_general(x, plan, parsed.arrays, wrap, mode, fill_value, indices_are_sorted, unique_indices)
    if plan.new_axes:
        core = insert_axes(core, plan.new_axes)
    return core


def _check_static_index(plan: Plan, mode, wrap) -> None:
    """Refuse ints beyond the default integers; with `jax_check_static_indices` on, all that would be moved inside."""
    for i in plan.axes:
        if type(i) is int:
            aval_of(i)  # OverflowError
    if mode is not _PROMISE or not local.check_static_indices:
        return
    for axis, (i, n) in enumerate(zip(plan.axes, plan.operand_shape)):
        if type(i) is int and type(n) is int and not 0 <= plan.position(axis, wrap) < n:
            raise IndexError(
                message(
                    f"index {i} out of bounds for axis {axis} with size {n} "
                    f"(normalize_indices={wrap})",
                    why="jax_check_static_indices is on.",
                    fix='x.at[i].get(mode="clip") or mode="fill" if it is meant',
                )
            )


def _read_static(x, plan: Plan, wrap):
    starts, limits, strides = plan.corners(wrap)
    if any(starts) or limits != x.shape or any(s != 1 for s in strides):
        strides = None if all(s == 1 for s in strides) else strides
        x = slice_(x, start_indices=starts, limit_indices=limits, strides=strides)
    return _finished(x, plan)


def _finished(x, plan: Plan):
    """Reverse, and drop the axes that were indexed by integers."""
    axes = plan.integer_axes()
    reversed_axes = [
        a for a, t in enumerate(plan.axes) if a not in axes and t.is_reversed
    ]
    if reversed_axes:
        x = shapes.rev(x, dimensions=tuple(reversed_axes))
    return squeeze(x, dimensions=axes) if axes else x


def _read_dynamic(x, plan: Plan, arrays, wrap):
    """A window at the dynamic positions that spans the slices; then the slices' steps."""
    starts, limits, strides = plan.corners(wrap)
    sizes = tuple([hi - lo for lo, hi in zip(starts, limits)])
    dtype = index_dtype(x.shape)
    if x.ndim > 1:  # the starts are of one dtype
        arrays = [convert(i, dtype) for i in arrays]
    positions = iter(arrays)
    operands = []
    for a, (t, n, lo) in enumerate(zip(plan.axes, x.shape, starts)):
        if t == "scalar":
            operands.append(start("dynamic_slice", next(positions), n, wrap))
        else:
            operands.append(dtype.type(plan.position(a, wrap) if type(t) is int else lo))
    x = dynamic_slice(x, *operands, slice_sizes=sizes)
    if any(s != 1 for s in strides):
        x = slice_(x, start_indices=(0,) * x.ndim, limit_indices=x.shape, strides=strides)
    return _finished(x, plan)


def _filling(value, dtype):
    """Return what stands for elements that are outside; TypeError if it is no number of that kind."""
    if value is None:
        return default_fill(dtype)
    value = known(value, "fill_value argument to indexed get()")
    if isinstance(value, (str, bytes)) or isinstance(value, complex) and dtype.kind != "c":
        what = f"fill_value must be a number that {dtype.name} has, got {value!r}"
        raise TypeError(message(what, fix=f"jnp.zeros((), '{dtype.name}')"))
    return value


def _read_general(x, plan: Plan, arrays, wrap, mode, fill_value, is_sorted, unique):
    if 0 in plan.core_shape and isinstance(x.dtype, np.dtype):
        return shapes.full(plan.core_shape, 0, x.dtype, x.aval.weak_type)
    only_scalars = not plan.has_arrays
    out = gather(
        x,
        index_operand(plan, arrays, wrap),
        dimension_numbers=plan.numbers,
        slice_sizes=plan.slice_sizes,
        unique_indices=unique or only_scalars,
        indices_are_sorted=is_sorted or only_scalars,
        mode=mode,
        fill_value=fill_value,
    )
    return shapes.rev(out, dimensions=plan.reversed_axes) if plan.reversed_axes else out


def iterate(x: Array) -> Iterator[Array]:
    """`iter(x)`: the parts of an array along its first axis.

    Raises:
      TypeError: the array has no axis.

    >>> [int(i) for i in jnp.arange(3)]
    [0, 1, 2]
    """
    if not x.ndim:
        is_key = dtypes.issubdtype(x.dtype, dtypes.prng_key)
        raise TypeError(
            message(
                f"iteration over a 0-d {'key ' if is_key else ''}array", why=f"It is {describe(x)}, without axes.",
                fix="jax.random.split(key, n) for n keys" if is_key else "jnp.atleast_1d(x)",
            )
        )
    if type(x) is ArrayImpl and not state.trace.stages and state.bottom.takes_parts:
        if x._buffer is None:
            raise deleted(x)
        row = _known_row(x.aval)
        row = _row_of(x.aval) if row is None else row
        return (make_array(part, row) for part in x._buffer)
    if type(x) is ShardedArray and x.is_fully_addressable and not x.is_fully_replicated:
        return iterate(plain(x))  # JAX parity: rows of what is divided are of the host, and anywhere
    return _traced_parts(x)


def _traced_parts(x):
    rest, ones = x.shape[1:], (1,) * x.ndim
    zeros = (0,) * len(rest)
    for i in range(x.shape[0]):
        part = slice_(x, start_indices=(i, *zeros), limit_indices=(i + 1, *rest), strides=ones)
        yield squeeze(part, dimensions=(0,))


# ---- take ---------------------------------------------------------------------------------------


def take(
    a, indices, axis: int | None = None, out: None = None, mode: str | None = None,
    unique_indices: bool = False, indices_are_sorted: bool = False, fill_value=None,
) -> Array:
    """Return elements along an axis at an array of positions.

    Args:
      a: array.
      indices: integers of any shape.
      axis: the axis; None takes from the flattened array.
      out: must be None.
      mode: "fill" (the default) counts negative positions from the end and gives `fill_value` for
        those out of range, "clip" moves all positions to the nearest valid one, "wrap" takes them
        modulo the length.
      unique_indices, indices_are_sorted: promises that may be used for speed.
      fill_value: default NaN, the least signed or greatest unsigned integer, or True.
    Returns:
      An array of the dtype of `a`, in which the axes of `indices` stand in place of `axis`.
    Raises:
      ValueError: the axis is out of range, the mode is unknown, positions are not integers.
      IndexError: there is nothing to take from.

    >>> jnp.take(jnp.array([10., 20., 30.]), jnp.array([2, -1, 5]))
    Array([30., 30., nan], dtype=float32)
    """
    if out is not None:
        what = "The 'out' argument to jnp.take is not supported."
        raise NotImplementedError(message(what, fix="out = jnp.take(x, indices)"))
    check_arraylike("take", a, indices)
    if mode == "raise":
        raise NotImplementedError(
            message(
                "The 'raise' mode to jnp.take is not supported.",
                why="Whether a position is out of range is not known while a program is traced.",
                fix='mode="fill" to see NaN there, or "clip"',
            )
        )
    if mode not in (None, "fill", "clip", "wrap"):
        raise ValueError(
            message(f"Invalid mode '{mode}' for np.take", fix="mode='fill', 'clip', 'wrap' or 'promise_in_bounds'")
        )
    is_large = type(indices) is ArrayImpl and indices.size >= MANY.start
    if type(a) is ArrayImpl and not state.trace.stages and state.bottom.takes_parts and not is_large:
        taken = _take_at_once(a, indices, axis, mode)
        if taken is not None:
            return taken
    axis = None if axis is None else operator.index(axis)
    return _take(
        a, indices, axis=axis, mode=mode or "fill", unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted, fill_value=fill_value,
    )


_NUMPY_MODES = {None: "raise", "fill": "raise", "clip": "clip", "wrap": "wrap"}


def _take_at_once(a: ArrayImpl, indices, axis, mode):
    """Return what NumPy's `take` gives, if it may be asked and nothing is out of range; else None."""
    i = indices._buffer if type(indices) is ArrayImpl else indices
    if isinstance(i, (np.ndarray, np.generic)):
        if i.dtype.kind not in "iu":
            return None
    elif type(i) is not int:
        return None
    buffer = a._buffer
    if buffer is None:
        raise deleted(a)
    try:
        out = buffer.take(i, axis, mode=_NUMPY_MODES[mode])
    except (IndexError, ValueError, TypeError):
        return None
    return make_array(out, ShapedArray(out.shape, a.aval.dtype, a.aval.weak_type))


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value"))
def _take(a, indices, axis, mode, unique_indices, indices_are_sorted, fill_value):
    a, indices = as_array(a), as_array(indices)
    if axis is None:
        a, axis = _raveled(a), 0
    axis = canonical_axis(axis, a.ndim)
    n = a.shape[axis]
    if not dtypes.issubdtype(indices.dtype, np.integer):
        if indices.dtype != np.bool_ and indices.size:
            raise ValueError(message("indices must have an integer type", fix="indices.astype(int)"))
        indices = convert(indices, np.dtype("int32"))
    if n == 0 and indices.size:
        raise IndexError("Cannot do a non-empty jnp.take() from an empty axis.")
    dtype = index_dtype(a.shape)
    if indices.dtype == np.int64:
        dtype = indices.dtype                   # JAX parity: they stay as they are
    if mode == "wrap" and n:
        indices = remainder(convert(indices, dtype), dtype.type(n))
    indices = wrapped(indices, n, mode == "fill", dtype, where)
    parsed = {"fill": _FILL, "clip": GatherScatterMode.CLIP, "wrap": _PROMISE}[mode]
    fill_value = _filling(fill_value, a.dtype) if parsed is _FILL else None
    if not indices.size:
        return shapes.full((*a.shape[:axis], *indices.shape, *a.shape[axis + 1 :]), 0, a.dtype, a.aval.weak_type)
    batch = range(axis, axis + indices.ndim)
    offset = tuple([d for d in range(a.ndim + indices.ndim - 1) if d not in batch])
    return gather(
        a,
        insert_axes(indices, (indices.ndim,)),
        dimension_numbers=GatherDimensionNumbers(offset, (axis,), (axis,)),
        slice_sizes=(*a.shape[:axis], 1, *a.shape[axis + 1 :]),
        unique_indices=bool(unique_indices),
        indices_are_sorted=bool(indices_are_sorted),
        mode=parsed,
        fill_value=fill_value,
    )


def _raveled(a):
    return a if a.ndim == 1 else reshape(a, new_sizes=(a.size,), dimensions=None, sharding=None)


# ---- along an axis ------------------------------------------------------------------------------


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("axis", "mode", "fill_value", "wrap_negative_indices"))
def take_along_axis(
    arr, indices, axis: int | None = -1, mode: str | GatherScatterMode | None = None,
    fill_value=None, *, wrap_negative_indices: bool | None = None,
) -> Array:
    """Return elements along an axis, at positions of their own for each place of the other axes.

    Args:
      arr: array.
      indices: integers, with as many axes as `arr`; the other axes broadcast.
      axis: the axis; None takes from the flattened array.
      mode: "fill" (the default) gives `fill_value` for positions out of range, "clip" moves them
        inside, "promise_in_bounds" says that there are none.
      fill_value: default NaN, the least signed or greatest unsigned integer, or True.
      wrap_negative_indices: count negative positions from the end (the default).
    Returns:
      An array of the shape of `indices`, as far as it does not broadcast. The dtype is that of `arr`.
    Raises:
      TypeError: positions are not integers.
      ValueError: shapes do not broadcast, the axis is out of range.

    >>> x = jnp.array([[3, 1, 2], [6, 5, 4]])
    >>> jnp.take_along_axis(x, jnp.array([[1], [2]]), axis=1)
    Array([[1],
           [4]], dtype=int32)
    """
    check_arraylike("take_along_axis", arr, indices)
    arr, indices = as_array(arr), as_array(indices)
    if not dtypes.issubdtype(indices.dtype, np.integer):
        raise TypeError(
            message(
                f"take_along_axis indices must be of integer type, got {indices.dtype.name}",
                fix="indices.astype(int)",
            )
        )
    if axis is None:
        arr, axis = _raveled(arr), 0
        if indices.ndim != 1:
            raise ValueError(
                message(
                    f"take_along_axis indices must be 1D if axis=None, got shape {indices.shape}",
                    fix="axis=0, or indices.ravel()",
                )
            )
    if arr.ndim != indices.ndim:
        raise ValueError(
            message(
                f"indices and arr must have the same number of dimensions; {indices.ndim} vs. {arr.ndim}",
                why="There is an index for each place of the result.",
                fix="jnp.expand_dims(indices, axis), or jnp.take(arr, indices, axis) for whole rows",
            )
        )
    axis = canonical_axis(axis, arr.ndim)
    n = arr.shape[axis]
    shape = _checked_shape(arr, indices, axis)
    if not n:
        return shapes.full(shape, 0, arr.dtype, arr.aval.weak_type)
    mode = _FILL if mode is None else GatherScatterMode.from_any(mode)
    wrap = wrap_negative_indices is None or wrap_negative_indices
    dtype = index_dtype(arr.shape)
    if type(indices) is ArrayImpl and not state.trace.stages:
        indices = indices._value
    elif wrap or mode is not _PROMISE:
        indices = convert(indices, dtype)
    if wrap or mode is not _PROMISE:
        indices = wrapped(indices, n, wrap, dtype)
    fill_value = _filling(fill_value, arr.dtype) if mode is _FILL else None

    # Axes of length 1 in one of the two are left out of it; those of both go together.
    offset, collapsed, batching, places = [], [], [], []
    sizes, dropped, lengths = [], [], []
    for d, (m, k) in enumerate(zip(arr.shape, indices.shape)):
        if d == axis:
            collapsed.append(len(sizes))
            sizes.append(min(1, m))
            lengths.append(k)
            where = len(sizes) - 1
        elif k == 1:  # the whole axis of arr
            offset.append(d)
            sizes.append(m)
        elif m == 1:
            dropped.append(d)
            lengths.append(k)
        else:
            batching.append(len(sizes))
            places.append(len(lengths))
            sizes.append(min(1, m))
            lengths.append(k)
    if dropped:
        arr = squeeze(arr, dimensions=tuple(dropped))
    if isinstance(indices, np.ndarray):
        indices = indices.reshape(*lengths, 1)
    else:
        indices = reshape(indices, new_sizes=(*lengths, 1), dimensions=None, sharding=None)
    return gather(
        arr,
        indices,
        dimension_numbers=GatherDimensionNumbers(
            tuple(offset), tuple(collapsed), (where,), tuple(batching), tuple(places)
        ),
        slice_sizes=tuple(sizes),
        unique_indices=False,
        indices_are_sorted=False,
        mode=mode,
        fill_value=fill_value,
    )


def _checked_shape(arr, indices, axis) -> tuple[int, ...]:
    """Return the shape of what is taken: the axes that are not indexed broadcast."""
    mine = [1 if d == axis else n for d, n in enumerate(arr.shape)]
    theirs = [1 if d == axis else n for d, n in enumerate(indices.shape)]
    try:
        shape = broadcast_lengths(mine, theirs)
    except ValueError:
        raise ValueError(
            f"Incompatible shapes for broadcasting: shapes=[{tuple(indices.shape)}, {tuple(mine)}]"
        ) from None
    return (*shape[:axis], indices.shape[axis], *shape[axis + 1 :])


@inner_jit(static_argnames=("axis", "inplace", "mode"))
def put_along_axis(
    arr, indices, values, axis: int | None, inplace: bool = True, *, mode=None
) -> Array:
    """Return an array with elements along an axis replaced, at positions of their own for each place of
    the other axes.

    Args:
      arr: array.
      indices: integers, with as many axes as `arr`; the other axes broadcast.
      values: what to put there; it broadcasts to the shape of `indices`.
      axis: the axis; None puts into the flattened array.
      inplace: must be False: arrays do not change.
      mode: "drop" (the default) leaves out positions out of range, "clip" moves them inside.
    Returns:
      A new array of the shape and dtype of `arr`.
    Raises:
      ValueError: `inplace`; shapes do not fit.

    >>> jnp.put_along_axis(jnp.zeros((2, 3)), jnp.array([[0], [2]]), 1., axis=1, inplace=False)
    Array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    if inplace:
        raise ValueError(
            message(
                "jax.numpy.put_along_axis cannot modify arrays in-place, because JAX arrays"
                "are immutable. Pass inplace=False to instead return an updated array.",
                fix=advise(updated, "x = jnp.put_along_axis(x, ..., inplace=False)"),
            )
        )
    check_arraylike("put_along_axis", arr, indices, values)
    arr, indices = as_array(arr), as_array(indices)
    shape = arr.shape
    if axis is None:
        arr, axis = _raveled(arr), 0
    axis = canonical_axis(axis, arr.ndim)
    if indices.ndim != arr.ndim:
        raise ValueError(
            message(
                "put_along_axis arguments 'arr' and 'indices' must have same ndim. Got "
                f"arr.ndim={arr.ndim} and indices.ndim={indices.ndim}.",
                fix="indices[:, None], an axis for each of arr",
            )
        )
    try:
        fits = broadcast_lengths(shape_of(values), indices.shape) == indices.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            "put_along_axis argument 'values' must be broadcastable to 'indices'. Got "
            f"values.shape={shape_of(values)} and indices.shape={indices.shape}."
        )
    idx: list = []
    for d, n in enumerate(arr.shape):
        along = tuple([-1 if e == d else 1 for e in range(arr.ndim)])
        idx.append(np.arange(n, dtype=np.int32).reshape(along))
    idx[axis] = indices
    out = arr.at[tuple(idx)].set(values, mode=mode)
    if out.shape == shape:
        return out
    return reshape(out, new_sizes=shape, dimensions=None, sharding=None)


# ---- positions ----------------------------------------------------------------------------------


def ix_(*args) -> tuple[Array, ...]:
    """Return one-dimensional positions as an open mesh: `x[jnp.ix_(rows, columns)]` is every combination.

    Args:
      *args: arrays with one axis; a known boolean array stands for its true positions.
    Raises:
      ValueError: an argument has another number of axes.
      NotImplementedError: a boolean array is traced.

    >>> jnp.ix_(jnp.array([0, 2]), jnp.array([1, 3]))
    (Array([[0],
           [2]], dtype=int32), Array([[1, 3]], dtype=int32))
    """
    check_arraylike("ix", *args)
    args = tuple(map(as_array, args))
    out = []
    for i, a in enumerate(args):
        if len(shape_of(a)) != 1:
            what = f"Arguments to jax.numpy.ix_ must be 1-dimensional, got shape {shape_of(a)}"
            raise ValueError(message(what, fix="x.ravel()"))
        if dtype_of(a) == np.bool_:
            if isinstance(a, Array) and a.concrete() is None:
                what = "Boolean arguments to jax.numpy.ix_ are not implemented where their values are not known"
                raise NotImplementedError(message(what, fix="jnp.nonzero(mask, size=n)[0]"))
            (a,) = parse((a,), shape_of(a)).arrays
        a = as_array(a if a.shape[0] else np.zeros(0, dtypes.default_int()))  # no positions are integers
        others = tuple([d for d in range(len(args)) if d != i])
        out.append(insert_axes(a, others) if others else settled(a))
    return tuple(out)


def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Return the positions of the main diagonal of an array with `ndim` axes of length `n`.

    Args:
      n: the length of the axes.
      ndim: how many there are.
    Returns:
      A tuple with the positions 0 to n - 1 for each axis: an index of arrays.
      The dtype is the default integer, int32, or int64 with 64-bit types on.
    Raises:
      ValueError: a negative argument.

    >>> jnp.diag_indices(2)
    (Array([0, 1], dtype=int32), Array([0, 1], dtype=int32))
    """
    n, ndim = (operator.index(known(i, "in jnp.diag_indices")) for i in (n, ndim))
    for name, value in ("n", n), ("ndim", ndim):
        if value < 0:
            raise ValueError(
                message(
                    f"{name} argument to diag_indices must be nonnegative, got {value}",
                    fix="max(n, 0), for a length that is computed",
                )
            )
    return (shapes.iota(dtype=dtypes.default_int(), shape=(n,), dimension=0, sharding=None),) * ndim


def diag_indices_from(arr) -> tuple[Array, ...]:
    """Return the positions of the main diagonal of `arr`.

    Args:
      arr: array with two axes at least, all of one length.
    Returns:
      A tuple with the positions 0 to n - 1 for each axis: an index of `arr`.
    Raises:
      ValueError: it has fewer than two axes, or axes of different lengths.

    >>> jnp.diag_indices_from(jnp.zeros((2, 2)))
    (Array([0, 1], dtype=int32), Array([0, 1], dtype=int32))
    """
    check_arraylike("diag_indices_from", arr)
    shape = shape_of(arr)
    if len(shape) < 2:
        raise ValueError(message("input array must be at least 2-d", fix="x[:, None]"))
    if len(set(shape)) != 1:
        raise ValueError(message("All dimensions of input must be of equal length", fix="x[:n, :n]"))
    return diag_indices(shape[0], len(shape))


def unravel_index(indices, shape) -> tuple[Array, ...]:
    """Return positions in a flattened array as one position for each axis of `shape`.

    Args:
      indices: integers of any shape. Negative ones count from the end; those out of range are moved
        inside.
      shape: the shape, or one length.
    Returns:
      A tuple of arrays of integers, one for each axis.
    Raises:
      TypeError: `indices` is complex or not an array or scalar; lists are not converted.

    >>> jnp.unravel_index(jnp.array([1, 5]), (2, 3))
    (Array([0, 1], dtype=int32), Array([1, 2], dtype=int32))
    """
    check_arraylike("unravel_index", indices)
    if getattr(shape, "ndim", 0) > 1:
        raise ValueError(message("unravel_index: shape should be a scalar or 1D sequence.", fix="shape.ravel()"))
    lengths, out, rest = list(shape) if np.iterable(shape) else [shape], [], indices
    for n in reversed(lengths):
        rest, part = divmod_(rest, n)
        out.append(part)
    # What is left is 0, or -1 for positions from the end, or tells which end a position is beyond.
    if not dtypes.issubdtype(dtype_of(rest), np.unsignedinteger):
        out = [where(rest < -1, 0, part) for part in out]
    return tuple([where(rest > 0, n - 1, part) for n, part in zip(lengths, reversed(out))])


def ravel_multi_index(
    multi_index: Sequence, dims: Sequence[int], mode: str = "raise", order: str = "C", *, dtype=None
) -> Array:
    """Turn one position for each axis into positions in the flattened array.

    Args:
      multi_index: for each axis integers, all of one shape.
      dims: the shape.
      mode: "raise" (only outside of traced code), "wrap", "clip", or "ignore" for positions out of
        range.
      order: "C" for row-major, "F" for column-major.
      dtype: of the result; default that of the positions.
    Returns:
      Positions in the flat array, integers in an array of the shape to which the indices broadcast.
    Raises:
      ValueError: positions or `dtype` are not integers, or out of range with "raise"; an unknown mode or order.
      ConcretizationTypeError: "raise" with traced positions.

    >>> jnp.ravel_multi_index((jnp.array([0, 1]), jnp.array([1, 2])), (2, 3))
    Array([1, 5], dtype=int32)
    """
    if len(multi_index) != len(dims):
        raise AssertionError(f"len(multi_index)={len(multi_index)} != len(dims)={len(dims)}")
    dims = tuple([operator.index(n) for n in dims])
    check_arraylike("ravel_multi_index", *multi_index)
    positions = [as_array(i) for i in multi_index]
    for found in (*[i.dtype for i in positions], *([] if dtype is None else [np.dtype(dtype)])):
        if not dtypes.issubdtype(found, np.integer):
            raise ValueError(message(f"dtype={found!r} is not an integer type.", fix="x.astype(int)"))
    if mode not in ("raise", "wrap", "clip", "ignore"):
        raise ValueError(f"invalid mode={mode!r}. Expected 'raise', 'wrap', 'clip', or 'ignore'.")
    common = np.dtype("int32") if dtype is None else dtypes.canonicalize_dtype(dtype)
    if dtype is None and positions:
        common = dtypes.result_type(*positions)
    if mode == "raise":
        _check_positions(positions, dims)
    if order not in ("C", "F"):
        raise ValueError(f"invalid order={order!r}. Expected 'C' or 'F'")
    total: Any = None
    for i, n, step in zip(positions, dims, _steps(dims, order)):
        if mode == "wrap":
            i = _modulo(i, n)
        elif mode == "clip":
            i = min_(max_(i, i.dtype.type(0)), i.dtype.type(n - 1))
        term = mul(convert(i, common), common.type(step))
        total = term if total is None else total + term
    return as_array(common.type(0)) if total is None else total


def _modulo(i, n: int):
    """Positions modulo a length, from 0 to n - 1."""
    n = i.dtype.type(n)
    r = rem(i, n)
    return select_n(lt(r, i.dtype.type(0)), r, add(r, n)) if i.dtype.kind == "i" else r


def _steps(dims, order) -> list[int]:
    """Return how far apart neighbours along each axis are in the flattened array."""
    if order == "F":
        return [prod(dims[:a]) for a in range(len(dims))]
    return [prod(dims[a + 1 :]) for a in range(len(dims))]


def _check_positions(positions, dims) -> None:
    for i, n in zip(positions, dims):
        value = i.concrete()
        if value is None:
            raise ConcretizationTypeError(
                i,
                "The error occurred because ravel_multi_index was jit-compiled with mode='raise'. "
                "Use mode='wrap' or mode='clip' instead.",
            )
        values = np.asarray(value._value if isinstance(value, ArrayImpl) else value)
        if values.size and (values.min() < 0 or values.max() >= n):
            raise ValueError("invalid entry in coordinates array")
