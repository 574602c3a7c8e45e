"""Windows of an array at a list of places: the dimension numbers and modes of gathers and scatters, and what is read
from and written to NumPy buffers.

`Windows` is the geometry of one call, worked out once for its shapes and numbers. It finds the operand axes that
really need indices, so that the common patterns (rows of a table, one element a row) are a single `numpy.take`. Every
scatter comes down to `_update(table, positions, rows)`: the operand as a table whose rows are what the positions index.
"""

from __future__ import annotations

import enum
from math import prod

import numpy as np

from ..core.dtypes import ExtendedDType, issubdtype, uint32
from ..core.messages.errors import message
from ..core.process.memo import memoized
from ..core.process.records import NamedTuple
from .shape import inverse
from .summation import added_at

__all__ = [
    "GatherDimensionNumbers", "GatherScatterMode", "ScatterDimensionNumbers", "Windows", "default_fill",
    "read_windows", "window_sizes", "write_windows",
]


# ---- dimension numbers and modes ----------------------------------------------------------------


class GatherDimensionNumbers(NamedTuple):
    """The axes of operand, indices and result that belong together in a `gather`.

    Args:
      offset_dims: axes of the result that come from the window, ascending.
      collapsed_slice_dims: operand axes of window length 1 that the result does not have.
      start_index_map: for each entry of an index, the operand axis that it indexes.
      operand_batching_dims: operand axes that go together with axes of the indices.
      start_indices_batching_dims: those axes of the indices, in the same order.

    >>> rows = GatherDimensionNumbers((1,), (0,), (0,))
    >>> rows.offset_dims
    (1,)
    """

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


class ScatterDimensionNumbers(NamedTuple):
    """The axes of operand, indices and updates that belong together in a `scatter`.

    Args:
      update_window_dims: axes of the updates that are the window, ascending.
      inserted_window_dims: operand axes of window length 1 that the updates do not have.
      scatter_dims_to_operand_dims: for each entry of an index, the operand axis that it indexes.
      operand_batching_dims: operand axes that go together with axes of the indices.
      scatter_indices_batching_dims: those axes of the indices, in the same order.

    >>> numbers = ScatterDimensionNumbers(
    ...     update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
    >>> lax.scatter_add(jnp.zeros(3), jnp.array([[1]]), jnp.array([5.0]), numbers)
    Array([0., 5., 0.], dtype=float32)
    """

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()


class GatherScatterMode(enum.Enum):
    """The treatment of windows that are not inside the array.

    `CLIP` moves them inside. `FILL_OR_DROP` fills them when gathering and leaves them out when
    scattering. `PROMISE_IN_BOUNDS` says that there are none. `ONE_HOT` asks for a gather by matrix
    multiplication.

    >>> [mode.name for mode in GatherScatterMode]
    ['CLIP', 'FILL_OR_DROP', 'PROMISE_IN_BOUNDS', 'ONE_HOT']
    """

    CLIP = enum.auto()
    FILL_OR_DROP = enum.auto()
    PROMISE_IN_BOUNDS = enum.auto()
    ONE_HOT = enum.auto()

    @staticmethod
    def from_any(s: str | GatherScatterMode | None) -> GatherScatterMode:
        """Return the mode of a name.

        Args:
          s: "clip", "fill", "drop", "promise_in_bounds", "one_hot", None for the default, or a mode.

        >>> GatherScatterMode.from_any("drop")
        <GatherScatterMode.FILL_OR_DROP: 2>
        """
        if isinstance(s, GatherScatterMode):
            return s
        try:
            return _modes[s]
        except KeyError:
            known = ", ".join(repr(mode) for mode in _modes if isinstance(mode, str))
            raise ValueError(message(f'Unknown gather mode "{s}"', fix=f"one of {known}")) from None

    __hash__ = object.__hash__  # Enum's own is Python code, and modes are in every cache key


_modes = {
    "clip": GatherScatterMode.CLIP,
    "fill": GatherScatterMode.FILL_OR_DROP,
    "drop": GatherScatterMode.FILL_OR_DROP,
    None: GatherScatterMode.FILL_OR_DROP,
    "promise_in_bounds": GatherScatterMode.PROMISE_IN_BOUNDS,
    "one_hot": GatherScatterMode.ONE_HOT,
}
_CLIP, _FILL = GatherScatterMode.CLIP, GatherScatterMode.FILL_OR_DROP
_NAN = float("nan")  # one object: as a parameter it must equal itself


def default_fill(dtype):
    """Return what a gather fills with: NaN, the least signed or the greatest unsigned integer, True."""
    if issubdtype(dtype, np.inexact):
        return _NAN
    if dtype.kind == "b":
        return True
    if isinstance(dtype, ExtendedDType):
        return None
    if dtype.kind not in "iu":
        from ml_dtypes import iinfo

        return int(iinfo(dtype).min or iinfo(dtype).max)
    return int(np.iinfo(dtype).max if dtype.kind == "u" else np.iinfo(dtype).min)


# ---- geometry -----------------------------------------------------------------------------------


class Windows:
    """The windows of a gather or scatter, for one choice of shapes and dimension numbers.

    `indexed` lists the operand axes that need an index array, ascending, as (axis, column of the
    indices or None, batch axis or None, window length); along all others a window is the whole
    axis.
    """

    def __init__(self, shape, batch_shape, sizes, collapsed, start_map, batching, indices_batching):
        self.shape = shape
        self.batch_shape = batch_shape
        self.sizes = sizes
        self.starts = [(a, k, shape[a] - sizes[a]) for k, a in enumerate(start_map)]
        axes = range(len(shape))
        self.window_axes = [a for a in axes if a not in collapsed and a not in batching]
        fixed = [a for a in axes if a not in start_map and a not in batching]
        self.cut = None  # how to trim axes that have no start but a shorter window
        if any(sizes[a] < shape[a] for a in fixed):
            self.cut = tuple([slice(sizes[a] if a in fixed else None) for a in axes])
        self.indexed = [(a, k, None, sizes[a]) for a, k, room in self.starts if room]
        self.indexed += [(a, None, j, 1) for a, j in zip(batching, indices_batching)]
        self.indexed.sort()
        axes = [a for a, *_ in self.indexed]
        self.is_adjacent = axes == list(range(axes[0], axes[-1] + 1)) if axes else False
        self.is_pointwise = all(size == 1 for *_, size in self.indexed)
        self.is_single = prod(batch_shape) == 1
        self.partial = [a for a, _, _, size in self.indexed if size != 1]

    def valid(self, indices):
        """Return which windows are inside the array (a boolean array over the batch), or None for all."""
        ok = None
        for _, k, room in self.starts:
            column = indices[..., k]
            if _is_inside(column, room):
                continue
            inside = (column >= 0) & (column <= room)
            ok = inside if ok is None else ok & inside
        return ok

    def window(self, indices) -> tuple[slice, ...]:
        """Return the one window of a call with a single index, moved inside the array."""
        begin = [0] * len(self.shape)
        flat = indices.reshape(-1)
        for a, k, room in self.starts:
            begin[a] = min(max(int(flat[k]), 0), room)
        return tuple([slice(b, b + n) for b, n in zip(begin, self.sizes)])

    def coordinates(self, indices) -> list[np.ndarray]:
        """Index arrays of the `indexed` axes, moved inside; of shape (*batch, *partial)."""
        out = []
        extra, rank = len(self.partial), len(self.batch_shape)
        for a, k, j, size in self.indexed:
            if k is None:
                x = np.arange(self.batch_shape[j]).reshape([-1] + [1] * (rank - j - 1))
            else:
                x = indices[..., k].astype(np.intp)
                if not _is_inside(x, self.shape[a] - size):
                    x = np.clip(x, 0, self.shape[a] - size)
            if extra:
                x = x.reshape(x.shape + (1,) * extra)
                if size != 1:
                    after = extra - self.partial.index(a) - 1
                    x = x + np.arange(size).reshape([-1] + [1] * after)
            out.append(x)
        return out

    def out_shape(self, offset_dims) -> tuple[int, ...]:
        """Return the shape of a gather's result: batch axes, with those of the window at `offset_dims`."""
        window, batch = iter([self.sizes[a] for a in self.window_axes]), iter(self.batch_shape)
        rank = len(offset_dims) + len(self.batch_shape)
        return tuple([next(window) if d in offset_dims else next(batch) for d in range(rank)])

    def linear(self, indices, shape) -> np.ndarray:
        """Return positions of the indexed elements in an array of the indexed axes' lengths, `shape`."""
        total = None
        for x, n in zip(self.coordinates(indices), shape):
            total = x if total is None else total * n + x
        return total


def _is_inside(column, room: int) -> bool:
    return not column.size or (column.min() >= 0 and column.max() <= room)


# ---- gather -------------------------------------------------------------------------------------


@memoized(4096)
def _gather_windows(shape, index_shape, numbers, sizes) -> Windows:
    _, collapsed, start_map, batching, indices_batching = numbers
    return Windows(shape, index_shape[:-1], sizes, collapsed, start_map, batching, indices_batching)


def read_windows(x, indices, *, dimension_numbers, slice_sizes, mode, fill_value, **_):
    """Return the windows of an array at a list of places, as one array."""
    w = _gather_windows(x.shape, indices.shape, dimension_numbers, slice_sizes)
    valid = w.valid(indices) if mode is _FILL else None
    if w.is_single and not dimension_numbers.operand_batching_dims:
        out = x[w.window(indices)].reshape(w.out_shape(dimension_numbers.offset_dims))
        return out if valid is None else np.full_like(out, _fill(fill_value, x.dtype))
    if w.cut is not None:
        x = x[w.cut]
    out, axes = _take(x, indices, w)
    out = _arranged(out, axes, w, dimension_numbers.offset_dims)
    if valid is None:
        return out
    batch = iter(valid.shape)
    shape = [1 if d in dimension_numbers.offset_dims else next(batch) for d in range(out.ndim)]
    return np.where(valid.reshape(shape), out, _fill(fill_value, x.dtype))


def _fill(value, dtype):
    if dtype.names is not None:  # random keys are records of words
        words = np.full(dtype.itemsize // 4, default_fill(uint32) if value is None else value, np.uint32)
        return words.view(dtype)[0]
    return np.array(default_fill(dtype) if value is None else value).astype(dtype)


def _take(x, indices, w: Windows):
    """Return the elements, and the axes of the result: "b" for the batch, an int for an operand axis."""
    batch = ["b"]
    if not w.indexed:
        rest = list(range(x.ndim))
        return np.broadcast_to(x, w.batch_shape + x.shape), batch + rest
    first, last = w.indexed[0][0], w.indexed[-1][0]
    before, after = list(range(first)), list(range(last + 1, x.ndim))
    if w.is_adjacent and w.is_pointwise and (first == last or x.flags.c_contiguous):
        if first == last and w.indexed[0][1] is not None:
            at = indices[..., w.indexed[0][1]].astype(np.intp)
            return np.take(x, at, first, mode="clip"), before + batch + after
        lengths = x.shape[first : last + 1]
        table = x.reshape(x.shape[:first] + (prod(lengths),) + x.shape[last + 1 :])
        at = np.broadcast_to(w.linear(indices, lengths), w.batch_shape)
        return np.take(table, at, first, mode="clip"), before + batch + after
    index: list = [slice(None)] * x.ndim
    for (a, *_), at in zip(w.indexed, w.coordinates(indices)):
        index[a] = at
    if len(w.indexed) == 1 or w.is_adjacent:
        order = before + batch + w.partial + after
    else:
        order = batch + w.partial + [a for a in range(x.ndim) if type(index[a]) is slice]
    full_batch = index[w.indexed[0][0]]
    index[w.indexed[0][0]] = np.broadcast_to(
        full_batch, w.batch_shape + full_batch.shape[full_batch.ndim - len(w.partial) :]
    )
    return x[tuple(index)], order


def _arranged(out, axes, w: Windows, offset_dims):
    """Put the axes of `_take`'s result in the order that the dimension numbers ask for."""
    n = len(w.batch_shape)
    where, at, shape = {}, 0, []  # position of each axis of `out`, by name
    for name in axes:
        if name == "b":
            where[name], at = at, at + n
            shape += w.batch_shape
        elif name in w.window_axes:
            where[name], at = at, at + 1
            shape.append(w.sizes[name])
    out = out.reshape(shape)  # without collapsed axes of length 1 that needed no index
    window, batch = iter(w.window_axes), iter(range(n))
    order = []
    for d in range(len(offset_dims) + n):
        if d not in offset_dims:
            order.append(where["b"] + next(batch))
        elif (a := next(window)) in where:
            order.append(where[a])
    if order != list(range(len(order))):
        out = np.transpose(out, order)
    return out.reshape(w.out_shape(offset_dims))


# ---- scatter ------------------------------------------------------------------------------------


def window_sizes(x_shape, updates_shape, numbers) -> tuple[int, ...]:
    """Return the length of a window along each operand axis."""
    window = iter(numbers.update_window_dims)
    without = numbers.inserted_window_dims + numbers.operand_batching_dims
    return tuple([1 if a in without else updates_shape[next(window)] for a in range(len(x_shape))])


@memoized(4096)
def _scatter_windows(shape, index_shape, updates_shape, numbers) -> Windows:
    _, inserted, index_map, batching, indices_batching = numbers
    sizes = window_sizes(shape, updates_shape, numbers)
    return Windows(shape, index_shape[:-1], sizes, inserted, index_map, batching, indices_batching)


def write_windows(combine, x, indices, updates, *, dimension_numbers, mode, unique_indices, **_):
    """`combine` is a binary ufunc, or None to replace, or a function of an element to apply."""
    if not x.size:
        return np.array(x)  # there is nowhere to clip an index to
    numbers = dimension_numbers
    w = _scatter_windows(x.shape, indices.shape, updates.shape, numbers)
    valid = None if mode is _CLIP else w.valid(indices)
    if w.is_single and not numbers.operand_batching_dims:
        out = np.array(x)
        if valid is None:
            window = w.window(indices)
            old = out[(*window, ...)]
            new = updates.reshape(w.sizes)
            if combine is None:
                out[window] = new
            elif isinstance(combine, np.ufunc):
                combine(old, new, out=old, casting="unsafe")
            else:
                out[window] = combine(old)
        return out

    # The indexed axes first, as the rows of a table.
    indexed = [a for a, *_ in w.indexed]
    others = [a for a in range(x.ndim) if a not in indexed]
    moved = np.array(x.transpose(indexed + others), order="C")
    lengths = moved.shape[: len(indexed)]
    at, rows = _rows(indices, updates, w, numbers, lengths, valid)
    if w.cut is None:
        width = prod(moved.shape[len(indexed) :])
        table = moved.reshape(prod(lengths), width)
        _update(combine, table, at, rows.reshape(len(at), width), unique_indices)
    else:
        table = moved.reshape(prod(lengths), *moved.shape[len(indexed) :])
        table = table[(slice(None), *[w.cut[a] for a in others])]
        _combine_at(combine, table, at, rows)
    if indexed + others == list(range(x.ndim)):
        return moved
    return np.ascontiguousarray(moved.transpose(inverse(indexed + others)))


def _rows(indices, updates, w: Windows, numbers, lengths, valid):
    """Return positions (n,) in the table, and the updates (n, *window) that go there."""
    axis_of = dict(zip(w.window_axes, numbers.update_window_dims))
    batch = [d for d in range(updates.ndim) if d not in numbers.update_window_dims]
    rest = [axis_of[a] for a in w.window_axes if a not in w.partial]
    updates = updates.transpose(batch + [axis_of[a] for a in w.partial] + rest)
    places = w.batch_shape + tuple([w.sizes[a] for a in w.partial])
    indexed = [a for a, *_ in w.indexed]  # of these, axes of length 1 in the window vanish here
    window = tuple([n for a, n in enumerate(w.sizes) if a not in indexed])
    updates = updates.reshape(places + window)
    at = w.linear(indices, lengths)
    at = np.zeros(places, np.intp) if at is None else np.broadcast_to(at, places)
    if valid is not None:
        at, updates = at[valid], updates[valid]
    return at.reshape(-1), updates.reshape(at.size, *window)


_MAX_ELEMENTS_BY_COLUMNS = 16  # rows this short are combined a column at a time,
_MIN_ELEMENTS_BY_ROWS = 384  # rows this long a row at a time, and those between an element at a time


def _update(combine, table, at, rows, unique):
    """Combine `rows` into `table`, both of two axes, at the row numbers `at`."""
    if combine is None:
        table[at] = rows
    elif not isinstance(combine, np.ufunc):
        _apply_at(combine, table, at)
    elif unique:
        table[at] = combine(table[at], rows)
    elif added_at(combine, table, at, rows):
        pass
    elif (width := table.shape[1]) <= _MAX_ELEMENTS_BY_COLUMNS:
        for j in range(width):
            combine.at(table[:, j], at, rows[:, j])
    elif width >= _MIN_ELEMENTS_BY_ROWS:
        for i, row in zip(at.tolist(), rows):
            target = table[i]
            combine(target, row, out=target, casting="unsafe")
    else:
        elements = (at[:, None] * width + np.arange(width)).reshape(-1)
        combine.at(table.reshape(-1), elements, rows.reshape(-1))


def _combine_at(combine, table, at, rows):
    """Update a table of any form as `_update` does."""
    if combine is None:
        table[at] = rows
    elif isinstance(combine, np.ufunc):
        if not added_at(combine, table, at, rows):
            combine.at(table, at, rows)
    else:
        _apply_at(combine, table, at)


def _apply_at(apply, table, at):
    """Apply a function to each row as often as it is named."""
    at, counts = np.unique(at, return_counts=True)
    while len(at):
        table[at] = apply(table[at])
        counts = counts - 1
        at, counts = at[counts > 0], counts[counts > 0]
