"""`gather`: windows of an array at a list of places, in the general form of XLA.

`start_indices[..., k]` is where a window begins along operand axis `start_index_map[k]`. The batch
axes of the result are those of the indices but the last; the axes of the window that are not
collapsed stand at `offset_dims`. An operand axis in `operand_batching_dims` goes together with an
axis of the indices instead of being indexed.

`Windows` is the geometry of one such call, worked out once for its shapes and numbers; `scatter.py`
uses it too. It finds the operand axes that really need indices, so that the common patterns (rows
of a table, one element a row) are a single `numpy.take`.
"""

from __future__ import annotations

import enum
from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np

from ..core.dtypes import ExtendedDType, issubdtype, uint32
from ..core.primitive import Primitive
from ..core.types import ShapedArray, Zero
from .shape import batch_to_front, full, materialise_batch

__all__ = ["GatherDimensionNumbers", "GatherScatterMode", "gather"]

_f32, _i32 = np.dtype("float32"), np.dtype("int32")


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


class GatherScatterMode(enum.Enum):
    """The treatment of windows that are not inside the array.

    `CLIP` moves them inside. `FILL_OR_DROP` fills them when gathering and leaves them out when
    scattering. `PROMISE_IN_BOUNDS` says that there are none. `ONE_HOT` asks for a gather by matrix
    multiplication.
    """

    CLIP = enum.auto()
    FILL_OR_DROP = enum.auto()
    PROMISE_IN_BOUNDS = enum.auto()
    ONE_HOT = enum.auto()

    @staticmethod
    def from_any(s: str | GatherScatterMode | None) -> GatherScatterMode:
        """The mode of a name such as "clip", "fill", "drop" or "promise_in_bounds".

        >>> GatherScatterMode.from_any("drop")
        <GatherScatterMode.FILL_OR_DROP: 2>
        """
        if isinstance(s, GatherScatterMode):
            return s
        try:
            return _modes[s]
        except KeyError:
            raise ValueError(f'Unknown gather mode "{s}"') from None

    __hash__ = object.__hash__  # Enum's own is Python code, and modes are in every cache key


_modes = {
    "clip": GatherScatterMode.CLIP,
    "fill": GatherScatterMode.FILL_OR_DROP,
    "drop": GatherScatterMode.FILL_OR_DROP,
    None: GatherScatterMode.FILL_OR_DROP,
    "promise_in_bounds": GatherScatterMode.PROMISE_IN_BOUNDS,
    "one_hot": GatherScatterMode.ONE_HOT,
}
_FILL = GatherScatterMode.FILL_OR_DROP
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
        """The one window of a call with a single index, moved inside the array."""
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
        """The shape of a gather's result: batch axes, with those of the window at `offset_dims`."""
        window, batch = iter([self.sizes[a] for a in self.window_axes]), iter(self.batch_shape)
        rank = len(offset_dims) + len(self.batch_shape)
        return tuple([next(window) if d in offset_dims else next(batch) for d in range(rank)])

    def linear(self, indices, shape) -> np.ndarray:
        """Positions of the indexed elements in an array of the indexed axes' lengths, `shape`."""
        total = None
        for x, n in zip(self.coordinates(indices), shape):
            total = x if total is None else total * n + x
        return total


def _is_inside(column, room: int) -> bool:
    return not column.size or (column.min() >= 0 and column.max() <= room)


@lru_cache(4096)
def _gather_windows(shape, index_shape, numbers, sizes) -> Windows:
    _, collapsed, start_map, batching, indices_batching = numbers
    return Windows(shape, index_shape[:-1], sizes, collapsed, start_map, batching, indices_batching)


# ---- the primitive ------------------------------------------------------------------------------

gather = Primitive("gather")


@gather.type
def _(x, indices, *, dimension_numbers, slice_sizes, mode, **_):
    offset, collapsed, start_map, batching, indices_batching = dimension_numbers
    if indices.dtype.kind not in "iu":
        raise ValueError("indices must have an integer type")
    if not indices.ndim:
        raise TypeError(
            "Gather index leaf dimension must be within [0, rank(indices) + 1). rank(indices) is 0 "
            "and gather index leaf dimension is -1."
        )
    check_increasing("Gather", "offset_dims", offset)
    check_increasing("Gather", "collapsed_slice_dims", collapsed)
    rank = len(offset) + indices.ndim - 1
    for i, d in enumerate(offset):
        if not 0 <= d < rank:
            raise TypeError(
                f"Offset dimension {i} in gather op is out of bounds; got {d}, but should have "
                f"been in [0, {rank})"
            )
    check_index_map("Gather", "start_index_map", start_map, x, indices, ".")
    for name, axes in ("collapsed_slice_dims", collapsed), ("operand_batching_dims", batching):
        for d in axes:
            if not 0 <= d < x.ndim:
                raise TypeError(
                    f"Invalid {name} set in gather op; valid range is [0, {x.ndim}); got: {d}."
                )
    check_batching("Gather", x, indices, batching, indices_batching, collapsed, start_map)
    if len(slice_sizes) != x.ndim:
        raise TypeError(
            "Gather op must have one slice size for every input dimension; got: "
            f"len(slice_sizes)={len(slice_sizes)}, input_shape.rank={x.ndim}"
        )
    if len(slice_sizes) != len(offset) + len(collapsed) + len(batching):
        raise TypeError(
            "All components of the offset index in a gather op must either be a offset dimension "
            f"or explicitly collapsed/batching; got len(slice_sizes)={len(slice_sizes)}, "
            f"output_slice_sizes={offset}, collapsed_slice_dims={collapsed}, "
            f"operand_batching_dims={batching}."
        )
    for i, (size, n) in enumerate(zip(slice_sizes, x.shape)):
        if not 0 <= size <= n:
            raise TypeError(
                f"Slice size at index {i} in gather op is out of range, must be within [0, {n} + "
                f"1), got {size}."
            )
    for what, axes in ("collapse slice", collapsed), ("have operand batching", batching):
        for i, d in enumerate(axes):
            if slice_sizes[d] != (1 if axes is collapsed else min(1, x.shape[d])):
                raise TypeError(
                    f"Gather op can only {what} dims with bound 1, but bound is {slice_sizes[d]} "
                    f"for index {d} at position {i}."
                )
    without = collapsed + batching
    window = iter([n for d, n in enumerate(slice_sizes) if d not in without])
    batch = iter(indices.shape)
    shape = tuple([next(window) if d in offset else next(batch) for d in range(rank)])
    return ShapedArray(shape, x.dtype, x.weak_type)


def check_increasing(op, name, axes) -> None:
    if any(a >= b for a, b in zip(axes, axes[1:])):
        what = f"not repeat; got: {axes}." if list(axes) == sorted(axes) else f"be sorted; got {axes}"
        raise TypeError(f"{name} in {op.lower()} op must {what}")


def check_index_map(op, name, index_map, x, indices, end) -> None:
    """Check that each entry of an index goes to an operand axis of its own."""
    if len(index_map) != indices.shape[-1]:
        raise TypeError(
            f"{op} op has {len(index_map)} elements in {name} and the bound of dimension "
            f"index_vector_dim={indices.ndim - 1} of indices is {indices.shape[-1]}. These two "
            f"numbers must be equal{end}"
        )
    for i, d in enumerate(index_map):
        if not 0 <= d < x.ndim:
            kind = "" if op == "Gather" else " mapping"
            raise TypeError(f"Invalid {name}{kind}; domain is [0, {x.ndim}), got: {i}->{d}.")
    if len(set(index_map)) != len(index_map):
        raise TypeError(f"{name} in {op.lower()} op must not repeat; got: {index_map}.")


def check_batching(op, x, indices, batching, indices_batching, collapsed, index_map) -> None:
    """Batching axes are in pairs of equal length and are not used otherwise."""
    indices_name = "start_indices_batching_dims" if op == "Gather" else "scatter_indices_batching_dims"
    if len(batching) != len(indices_batching):
        raise TypeError(
            f"{op} op requires equal numbers of operand_batching_dims and {indices_name}, got {batching} and "
            f"{indices_batching}."
        )
    used = (("collapsed_slice_dims", "start_index_map") if op == "Gather" else
            ("inserted_window_dims", "scatter_dims_to_operand_dims"))
    for name, dims in zip(used, (collapsed, index_map)):
        if set(batching) & set(dims):
            raise TypeError(
                f"{name} and operand_batching_dims in {op.lower()} op must be disjoint; got: {dims} and {batching}."
            )
    if any(
        not 0 <= j < indices.ndim - 1 or x.shape[d] != indices.shape[j]
        for d, j in zip(batching, indices_batching)
    ):
        raise TypeError(
            f"{op} op requires the operand's and the indices' batching dims to go in pairs of "
            f"equal length; got {batching} of shape {x.shape} and {indices_batching} of shape "
            f"{indices.shape}."
        )


@gather.evaluate
def _(x, indices, *, dimension_numbers, slice_sizes, mode, fill_value, **_):
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
    """The elements, and the axes of the result: "b" for the batch, an int for an operand axis."""
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


@gather.jvp
def _(primals, tangents, *, fill_value, **params):
    x, indices = primals
    out = gather(x, indices, fill_value=fill_value, **params)
    if type(tangents[0]) is Zero:
        return out, Zero.from_primal_value(out)
    fill_value = 0 if params["mode"] is _FILL else None
    return out, gather(tangents[0], indices, fill_value=fill_value, **params)


@gather.transpose
def _(
    ct, x, indices, *, dimension_numbers, slice_sizes, unique_indices, indices_are_sorted, mode,
    fill_value,
):
    from .scatter import ScatterDimensionNumbers, combiner, scatter_add

    return [
        scatter_add(
            full(x.aval.shape, 0, x.aval.dtype),
            indices,
            ct,
            dimension_numbers=ScatterDimensionNumbers(*dimension_numbers),
            indices_are_sorted=indices_are_sorted,
            unique_indices=unique_indices,
            mode=mode,
            update_jaxpr=combiner(scatter_add, x.aval.dtype),
            update_consts=(),
        ),
        None,
    ]


@gather.batch
def _(args, dims, *, dimension_numbers, slice_sizes, unique_indices, indices_are_sorted, **params):
    (x, indices), (d, indices_d) = args, dims
    n = dimension_numbers
    if indices_d is None:
        x = batch_to_front(x, d)
        numbers = GatherDimensionNumbers(
            (0, *up(n.offset_dims)),
            up(n.collapsed_slice_dims),
            up(n.start_index_map),
            up(n.operand_batching_dims),
            n.start_indices_batching_dims,
        )
        slice_sizes = (x.shape[0], *slice_sizes)
    else:
        indices = batch_to_front(indices, indices_d)
        if d is None:
            numbers = n._replace(
                offset_dims=up(n.offset_dims),
                start_indices_batching_dims=up(n.start_indices_batching_dims),
            )
            unique_indices = indices_are_sorted = False
        else:
            x = materialise_batch(x, d, indices.shape[0])
            numbers = GatherDimensionNumbers(
                up(n.offset_dims),
                up(n.collapsed_slice_dims),
                up(n.start_index_map),
                (0, *up(n.operand_batching_dims)),
                (0, *up(n.start_indices_batching_dims)),
            )
            slice_sizes = (min(1, x.shape[0]), *slice_sizes)  # of no calls there is not even one
    out = gather(
        x,
        indices,
        dimension_numbers=numbers,
        slice_sizes=slice_sizes,
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
        **params,
    )
    return out, 0


def up(axes) -> tuple[int, ...]:
    """Axes after a new one was put in front."""
    return tuple([a + 1 for a in axes])


def _example(x, indices, numbers, sizes, mode=GatherScatterMode.CLIP, fill_value=None, dtype=_f32):
    params = dict(
        dimension_numbers=GatherDimensionNumbers(*numbers),
        slice_sizes=sizes,
        unique_indices=False,
        indices_are_sorted=False,
        mode=mode,
        fill_value=fill_value,
    )
    return ShapedArray(x, dtype), np.array(indices, np.int32), params


gather.examples(
    _example((3, 4), [[0], [2], [0]], ((1,), (0,), (0,)), (1, 4)),  # rows
    _example((3, 4), [[5], [-1]], ((1,), (0,), (0,)), (1, 4)),
    _example((3, 4), [[5], [1]], ((1,), (0,), (0,)), (1, 4), _FILL, 0),
    _example((3, 4), [[5], [1]], ((1,), (0,), (0,)), (1, 4), _FILL, dtype=_i32),
    _example((3, 4), [[0], [2]], ((0,), (1,), (1,)), (3, 1)),  # columns
    _example((3, 4), [[0, 1], [2, 3]], ((), (0, 1), (0, 1)), (1, 1)),  # elements
    _example((3, 4), [1], ((0,), (0,), (0,)), (1, 4)),  # one row
    _example((5, 4), [[0, 1], [9, 1]], ((1, 2), (), (0, 1)), (2, 3)),  # windows
    _example((5, 4), [[0, 1], [9, 1]], ((1, 2), (), (1, 0)), (2, 3), _FILL, 0),
    _example((2, 3, 4), [[0, 2], [1, 1]], ((1,), (0, 2), (0, 2)), (1, 3, 1)),  # axes apart
    _example((2, 3, 4), [[[0], [2]], [[1], [1]]], ((2,), (1,), (1,), (0,), (0,)), (1, 1, 4)),
    _example((3, 4), np.zeros((2, 0)), ((1, 2), (), ()), (2, 4)),  # no index at all
    _example((3, 4), np.zeros((0, 1)), ((1,), (0,), (0,)), (1, 4)),
)
