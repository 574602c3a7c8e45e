"""Plans of indices: `x[idx]` and `x.at[idx]` worked out before anything runs.

`parse` turns an index into tokens, which are static and hashable, and the arrays in it, in order. A
token is None for a new axis, an int, a slice as ("slice", start, stop, step), ("scalar",) for a
dynamic position or ("array", shape). Masks have become arrays of positions by then, and `...` the
slices that it stands for.

A `Plan` is made once for each shape and tokens. It knows three ways to read: if everything is
static, `slice`, `rev`, `squeeze` and `broadcast_in_dim`; if positions are dynamic scalars,
`dynamic_slice` and the same; and `gather` for the rest. A write is always a scatter, whose windows
and positions are those of the gather.

Tests: `tests/numpy/test_indexing.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..array.array import ArrayImpl, deleted
from ..core import dtypes
from ..core.messages.advice import indexed
from ..core.messages.errors import advise, message
from ..core.process.memo import memoized
from ..core.trace import Tracer, state
from ..core.types import Array
from ..core.values.deferred import Deferred
from ..core.values.dimension import Dimension, as_length, as_number, broadcast_shapes, greater, is_more, lesser, span
from ..core.values.slices import Slice
from ..prims.arithmetic import add
from ..prims.conversion import convert_element_type
from ..prims.indexed_windows import GatherDimensionNumbers
from ..prims.logic import lt, select_n
from ..prims.shape import broadcast_in_dim, concatenate, full
from .conversion import asarray

__all__ = ["Parsed", "Plan", "Undetermined", "for_numpy", "index_operand", "parse", "plan_of"]

_i32 = np.dtype("int32")
_WHOLE = ("slice", None, None, None)
_SCALAR = ("scalar",)
_APART = ("apart",)  # what `...` that stands for no axis leaves: integer indices at its sides do not stand together


class Undetermined(Exception):
    """An index has a mask whose values are not known: what it picks has no shape. See `masked_indexing.py`."""


class Parsed:
    """An index as tokens and arrays.

    `inserted` lists axes of length 1 that the operand needs first: a bool in an index is a mask of
    such an axis.
    """

    __slots__ = ("arrays", "inserted", "tokens")

    def __init__(self, tokens, arrays, inserted):
        self.tokens = tokens
        self.arrays = arrays
        self.inserted = inserted


# ---- parsing ------------------------------------------------------------------------------------


def parse(idx, shape: tuple[int, ...]) -> Parsed:
    """The index `idx` of an array of this shape."""
    if type(idx) is not tuple:
        _check_sequence(idx)
        idx = (idx,)
    try:
        entries = [_entry(e, i) for i, e in enumerate(idx)]
    except (IndexError, TypeError, ValueError):
        _refuse_in_order(idx, shape)
        raise
    entries = _for_each_axis(entries, shape)
    tokens, arrays, inserted, axis = [], [], [], 0
    for i, e in enumerate(entries):
        if isinstance(e, _Mask):
            e.check(shape, axis, i)
            if not e.mask.ndim:
                inserted.append(axis + len(inserted))
            for positions in e.positions():
                tokens.append(("array", positions.shape))
                arrays.append(positions)
        elif e is None or type(e) is int or type(e) is tuple:
            tokens.append(e)
        else:
            tokens.append(("array", e.shape) if e.ndim else _SCALAR)
            arrays.append(e)
        axis += _axes_taken(e)
    return Parsed(tuple(tokens), arrays, tuple(inserted))


def _for_each_axis(entries, shape) -> list:
    """Return entries with the slices that `...` stands for, and those of the axes that are left."""
    dots = [i for i, e in enumerate(entries) if e is Ellipsis]
    if len(dots) > 1:
        raise IndexError(message("an index can only have a single ellipsis ('...')",
                                 fix="x[..., i, :], with : for each of the other axes"))
    taken = sum([_axes_taken(e) for e in entries])
    if taken > len(shape):
        raise IndexError(
            message(
                f"Too many indices: array is {len(shape)}-dimensional, but {taken} were indexed",
                why=f"The array has shape {shape}.",
                fix="x[..., i] for the last axis, x[None] for a new one",
            )
        )
    at = dots[0] if dots else len(entries)
    left = [_WHOLE] * (len(shape) - taken)
    return entries[:at] + (left or [_APART] * len(dots)) + entries[at + 1 :]


def _refuse_in_order(idx, shape) -> None:
    """Raise the error of an index that JAX names, if it is another one than that of the first wrong entry.

    What is no index comes first, then their number, masks, traced bounds of slices, and last one slice after another.
    """
    slices = [(i, e) for i, e in enumerate(idx) if isinstance(e, (slice, Slice))]
    slices = [(i, e.static() if isinstance(e, Slice) else e) for i, e in slices]
    whole = dict.fromkeys([i for i, _ in slices], _WHOLE)
    axis = 0
    for i, e in enumerate(_for_each_axis([whole.get(i) or _entry(e, i) for i, e in enumerate(idx)], shape)):
        if isinstance(e, _Mask):
            e.check(shape, axis, i)
        axis += _axes_taken(e)
    for i, s in slices:
        _check_static(s, i)
    for _, s in slices:
        if s.step is not None and np.ndim(s.step) == 0 and s.step == 0:
            raise _step_of_zero()
        [as_length(b) for b in (s.start, s.stop) if b is not None]


class _Mask:
    """A boolean index with known values."""

    __slots__ = ("mask",)

    def __init__(self, mask):
        self.mask = np.asarray(mask)

    def check(self, shape, axis, i):
        expected = shape[axis : axis + self.mask.ndim]
        if self.mask.shape != expected:
            raise IndexError(
                message(
                    f"boolean index did not match shape of indexed array in index {i}: got "
                    f"{self.mask.shape}, expected {list(expected)}",
                    why=f"The array has shape {tuple(shape)}; a mask has an element for each of those it picks from.",
                    fix="x[:, mask] for a mask of another axis, or jnp.broadcast_to(mask, x.shape)",
                )
            )

    def positions(self):
        return np.atleast_1d(self.mask).nonzero()


def _axes_taken(e) -> int:
    """Return how many axes of the operand an entry uses up."""
    if e is None or e is Ellipsis or e is _APART:
        return 0
    return e.mask.ndim if isinstance(e, _Mask) else 1


def _check_sequence(idx) -> None:
    """Refuse a list or other sequence as the whole index, which NumPy reads as an array."""
    if isinstance(idx, str):
        raise _named(idx)
    if isinstance(idx, Sequence) and not isinstance(idx, (Array, np.ndarray)):
        is_basic = any(e is None or e is Ellipsis or isinstance(e, slice) for e in idx)
        kind = "tuple" if is_basic or any(isinstance(e, Sequence) or getattr(e, "ndim", 0) for e in idx) else "array"
        fix = "x[tuple(index)]" if is_basic else advise(
            indexed, "x[jnp.array([0, 1])], or x[0, 1] for one element")
        raise TypeError(
            message(
                "Using a non-tuple sequence for multidimensional indexing is not allowed; use "
                f"`arr[{kind}(seq)]` instead of `arr[seq]`. See "
                "https://github.com/jax-ml/jax/issues/4564 for more information.",
                fix=fix,
            )
        )


def _named(idx: str) -> TypeError:
    return TypeError(
        message(
            f"JAX does not support string indexing; got {idx=}",
            why="Arrays have no named fields.",
            fix=f"a dict of arrays: params[{idx!r}]",
        )
    )


def _entry(e, position: int):
    """Return one entry as None, ..., an int, a slice token, a `_Mask`, a NumPy array or an Array."""
    if type(e) is int or e is None or e is Ellipsis:
        return e
    if isinstance(e, slice):
        return _slice_token(e, position)
    if isinstance(e, Slice):
        return _slice_token(e.checked().static(), position)
    if isinstance(e, (bool, np.bool_)):
        return _Mask(e)
    if isinstance(e, Deferred):
        raise Undetermined
    if hasattr(e, "__jax_array__"):
        e = e.__jax_array__()
    if isinstance(e, (list, tuple)):
        e = _array_of(e)
    if isinstance(e, Array):
        return _array_entry(e)
    if isinstance(e, np.ndarray):
        return _numpy_entry(e)
    if isinstance(e, (float, complex, np.inexact)):
        raise _not_an_integer(np.asarray(e).dtype)
    if isinstance(e, np.integer):
        return int(e if e < 0 else e.astype(dtypes.canonicalize_dtype(e.dtype)))
    if hasattr(e, "__index__"):
        return e.__index__()
    if isinstance(e, str):
        raise _named(e)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or boolean "
        f"arrays are valid indices. Got {e}"
    )


def _array_of(values):
    """A list in an index as an array; Arrays in it make it an Array."""
    flat = [values]
    while flat:
        v = flat.pop()
        if isinstance(v, Array):
            return asarray(values)
        if isinstance(v, (list, tuple)):
            flat += v
    array = np.asarray(values)
    return array if array.size else array.astype(np.int32)


def _array_entry(e: Array):
    """An Array as an entry; known values become NumPy's unless a program is being written."""
    if e.dtype == np.bool_:
        known = e.concrete()
        if known is None:
            raise Undetermined
        return _Mask(known._value if isinstance(known, ArrayImpl) else known)
    if not dtypes.issubdtype(e.dtype, np.integer):
        raise _not_an_integer(e.dtype)
    if type(e) is ArrayImpl and not state.trace.stages:
        return int(e._value) if not e.ndim else e._value
    return e


def _numpy_entry(e: np.ndarray):
    if e.dtype == np.bool_:
        return _Mask(e)
    if e.dtype.kind not in "iu":
        raise _not_an_integer(e.dtype)
    return e if e.ndim else int(e)


def _not_an_integer(dtype) -> TypeError:
    name = dtype.str if dtype.kind in "USO" else dtype.name
    return TypeError(
        message(
            f"Indexer must have integer or boolean type, got indexer with type {name}",
            fix="x[i.astype(int)], x[int(i)] for a Python number, or i // n for a quotient of ints",
        )
    )


def _slice_token(s: slice, position: int):
    bounds = s.start, s.stop, s.step
    for b in bounds:
        if b is None or type(b) is int:
            continue
        _check_static(s, position)
        bounds = tuple([None if b is None else as_length(b) for b in bounds])
        break
    if bounds[2] == 0:
        raise _step_of_zero()
    return ("slice", *bounds)


def _check_static(s: slice, position: int) -> None:
    if any([isinstance(b, Tracer) and b.concrete() is None for b in (s.start, s.stop, s.step)]):
        raise IndexError(
            message(
                f"Slice entries must be static integers. Got {s} at position {position}",
                why="The size of the result would depend on a traced value.",
                fix="lax.dynamic_slice_in_dim(x, start, size) for a window of fixed size,\n"
                "jnp.where(jnp.arange(len(x)) < n, x, 0) for a part of varying size",
            )
        )


def _step_of_zero() -> ValueError:
    return ValueError(message("slice step cannot be zero", fix="x[::2] for every second element, x[::-1] for all"))


# ---- NumPy's own way ---------------------------------------------------------------------------

BASIC = frozenset((int, slice, type(None), type(Ellipsis)))  # entries that need no look


def for_numpy(idx: tuple) -> tuple | None:
    """A tuple index that means to NumPy what it means to us, or None."""
    out: list = []
    for e in idx:
        if type(e) is ArrayImpl:
            buffer = e._buffer
            if buffer is None:
                raise deleted(e)
            if buffer.ndim == 0:
                if buffer.dtype.kind not in "iu":
                    return None
                buffer = int(buffer)
            elif buffer.dtype.kind not in "iub":
                return None
            elif buffer.size > 256 and buffer.dtype == _i32:
                buffer = buffer.astype(np.intp)  # NumPy's own conversion is slower
            out.append(buffer)
        elif type(e) in BASIC:
            out.append(e)
        elif type(e) is np.ndarray and e.ndim and e.dtype.kind in "iub":
            out.append(e)
        else:
            return None
    return tuple(out)


# ---- plans --------------------------------------------------------------------------------------


class _Span:
    """A slice of one axis: `size` positions from `low` in steps of `step`, reversed or not."""

    __slots__ = ("is_reversed", "low", "size", "step", "stop")

    def __init__(self, n, start, stop, step):
        start, stop, size, step = span(start, stop, step, n)
        self.size = size
        self.is_reversed = step < 0
        self.step = abs(step)
        if step > 0:
            self.low, self.stop = start, greater(start, stop)
        else:
            self.low = start + (size - 1) * step if size else 0
            self.stop = start + 1 if size else 0

    def is_whole(self, n) -> bool:
        return self.step == 1 and self.size == n


class Plan:
    """The steps that index arrays of one shape.

    Attributes, in terms of the result before new axes are inserted ("the core"):
      way: "static", "dynamic" or "gather".
      reversed_axes, new_axes: axes of the core to reverse; axes of the result that are new.
      core_shape, shape: of the core and of the result.
    """

    def __init__(self, operand_shape: tuple[int, ...], tokens: tuple):
        self.operand_shape = operand_shape
        self.axes: list = []  # for each operand axis an int, a _Span, "scalar" or ("array", shape)
        self.has_arrays = self.has_scalars = False
        layout: list = []  # operand axes of slices, None for new axes, "block" for integer indices, "apart"
        for token in tokens:
            if token is None:
                layout.append(None)
                continue
            if token == _APART:
                layout.append("apart")
                continue
            axis = len(self.axes)
            if type(token) is not int and token[0] == "slice":
                self.axes.append(_Span(operand_shape[axis], *token[1:]))
                layout.append(axis)
                continue
            self.axes.append("scalar" if token == _SCALAR else token)
            self.has_scalars |= token == _SCALAR
            self.has_arrays |= type(token) is tuple and token[0] == "array"
            layout.append("block")
        self._check_empty_axes()
        self.block = self._block_shape([t[1] for t in self.axes if type(t) is tuple])
        self.layout = self._arranged(layout)
        self.new_axes = self._new_axes()
        core = [t for t in self.layout if t is not None]
        lengths = self._core_lengths(core)
        self.core_shape = tuple([n for part in lengths for n in part])
        self.reversed_axes = self._reversed_axes(core)
        shape = list(self.core_shape)
        for i in self.new_axes:
            shape.insert(i, 1)
        self.shape = tuple(shape)
        self.way = "gather" if self.has_arrays else "dynamic" if self.has_scalars else "static"
        self.core = core

    def _check_empty_axes(self):
        if self.has_arrays:
            return  # a gather refuses positions that are not there, a scatter leaves them out
        for axis, (token, n) in enumerate(zip(self.axes, self.operand_shape)):
            if n == 0 and (type(token) is int or token == "scalar"):
                raise IndexError(f"index is out of bounds for axis {axis} with size 0")

    @staticmethod
    def _block_shape(shapes) -> tuple[int, ...]:
        try:
            return broadcast_shapes(*shapes)
        except ValueError:
            raise ValueError(f"Incompatible shapes for broadcasting: shapes={shapes}") from None

    def _arranged(self, layout) -> list:
        """Return one "block" for the integer indices: where they stand together, else in front (NumPy)."""
        at = [i for i, t in enumerate(layout) if t == "block"]
        rest = [t for t in layout if t not in ("block", "apart")]
        if not self.has_arrays or not at:
            return rest
        before = len([t for t in layout[: at[0]] if t != "apart"]) if at[-1] - at[0] == len(at) - 1 else 0
        return rest[:before] + ["block"] + rest[before:]

    def _new_axes(self) -> tuple[int, ...]:
        out, i = [], 0
        for t in self.layout:
            if t is None:
                out.append(i)
            i += len(self.block) if t == "block" else 1
        return tuple(out)

    def _core_lengths(self, core):
        return [self.block if t == "block" else (self.axes[t].size,) for t in core]

    def _reversed_axes(self, core) -> tuple[int, ...]:
        out, i = [], 0
        for t in core:
            if t != "block" and self.axes[t].is_reversed:
                out.append(i)
            i += len(self.block) if t == "block" else 1
        return tuple(out)

    # ---- windows ----

    def position(self, axis: int, wrap: bool) -> int:
        """The static position along an axis; negative ones count from the end once."""
        i = self.axes[axis]
        if wrap and i < 0:
            i += self.operand_shape[axis]
        return i if i >= -(2**31) else -(2**31)  # which has room in every index dtype, and is outside too

    def is_inside(self, wrap: bool) -> bool:
        """Return whether all static positions are inside the array."""
        return all(
            0 <= self.position(a, wrap) < self.operand_shape[a]
            for a, t in enumerate(self.axes)
            if type(t) is int and not isinstance(self.operand_shape[a], Dimension)  # those are moved inside
        )

    def corners(self, wrap: bool):
        """(starts, limits, strides) of the static part; positions outside are moved inside."""
        starts, limits, strides = [], [], []
        for a, (t, n) in enumerate(zip(self.axes, self.operand_shape)):
            if type(t) is _Span:
                starts.append(t.low)
                limits.append(t.stop)
                strides.append(t.step)
            else:
                i = lesser(greater(self.position(a, wrap), 0), n - 1) if type(t) is int else 0
                starts.append(i)
                limits.append(i + 1)
                strides.append(1)
        return tuple(starts), tuple(limits), tuple(strides)

    def integer_axes(self) -> tuple[int, ...]:
        """Operand axes that the core does not have."""
        return tuple([a for a, t in enumerate(self.axes) if type(t) is not _Span])

    # ---- the general form ----

    @cached_property
    def numbers(self) -> GatherDimensionNumbers:
        """The dimension numbers of a gather whose result is the core, forwards along every axis."""
        offset, i = [], 0
        for t in self.core:
            if t != "block" and self._is_window(t):
                offset.append(i)
            i += len(self.block) if t == "block" else 1
        collapsed = [a for a, t in enumerate(self.axes) if type(t) is not _Span or t.step > 1]
        starts = [a for a, t in enumerate(self.axes) if self._has_start(a, t)]
        return GatherDimensionNumbers(tuple(offset), tuple(collapsed), tuple(starts))

    def _is_window(self, axis) -> bool:
        return self.axes[axis].step == 1

    def _has_start(self, axis, t) -> bool:
        return type(t) is not _Span or not t.is_whole(self.operand_shape[axis])

    @cached_property
    def slice_sizes(self) -> tuple[int, ...]:
        """The shape of one window."""
        return tuple([t.size if type(t) is _Span and t.step == 1 else 1 for t in self.axes])

    @cached_property
    def batch(self) -> list:
        """The axes of the indices but the last: ("block" or axis of a strided slice, lengths)."""
        parts = [t for t in self.core if t == "block" or not self._is_window(t)]
        return [(t, self.block if t == "block" else (self.axes[t].size,)) for t in parts]


@memoized(8192)
def plan_of(operand_shape: tuple[int, ...], tokens: tuple) -> Plan:
    """The plan, remembered."""
    return Plan(operand_shape, tokens)


# ---- positions ----------------------------------------------------------------------------------


def wrapped(i, n: int, wrap: bool, dtype, where=lambda condition, x, y: select_n(condition, y, x)):
    """Positions along an axis of length `n` in the index dtype; negative ones from the end."""
    return _converted(_from_the_end(i, n, wrap, dtype, where), dtype)


def _from_the_end(i, n: int, wrap: bool, dtype, where=lambda condition, x, y: select_n(condition, y, x)):
    """`wrapped`, of an array in its own dtype if that has room for `n`."""
    if isinstance(i, np.ndarray):
        if i.dtype.itemsize > dtype.itemsize and wrap and i.size and i.min() < 0:
            return np.where(i < 0, i + as_number(n, i.dtype), i).astype(dtype)
        i = i.astype(dtype)
        return np.where(i < 0, i + as_number(n, dtype), i) if wrap and i.size and i.min() < 0 else i
    own = i.dtype
    if own in dtypes.small_ints or (own.itemsize < dtype.itemsize and is_more(n, np.iinfo(own).max)):
        i, own = _converted(i, dtype), dtype
    if wrap and own.kind == "i":
        negative = lt(i, full((), 0, own))
        i = where(negative, add(i, n if i.weak_type else as_number(n, own)), i)
    return i


def _converted(i, dtype, is_weak=False):
    if i.dtype == dtype and not is_weak:
        return i
    return convert_element_type(i, new_dtype=dtype, weak_type=False, sharding=None)


def index_dtype(shape) -> np.dtype:
    """int32, or int64 for an axis that is longer than that."""
    return np.dtype("int64") if any([is_more(n, 2**31 - 1) for n in shape]) else _i32


def index_operand(plan: Plan, arrays, wrap: bool):
    """The indices of a gather or scatter: for each place in the batch where its window starts."""
    dtype = index_dtype(plan.operand_shape)
    batch = plan.batch
    lengths = tuple([n for _, part in batch for n in part])
    begins = {}  # where the axes of each part of the batch begin
    at = 0
    for name, part in batch:
        begins[name] = at
        at += len(part)
    operands = iter(arrays)
    columns = []  # (positions or one position, first axis of the batch that they vary along)
    for a, (t, n) in enumerate(zip(plan.axes, plan.operand_shape)):
        if type(t) is int:
            # A position beyond all integers of the dtype is as far out of range as the last of them.
            i, last = plan.position(a, wrap), np.iinfo(dtype).max
            columns.append((as_number(last if is_more(i, last) else i, dtype), 0))
        elif type(t) is _Span:
            if t.step > 1:
                ramp = t.low + t.step * np.arange(t.size)
                columns.append((ramp.astype(dtype), begins[a]))
            elif not t.is_whole(n):
                columns.append((dtype.type(t.low), 0))
        else:
            x = _from_the_end(next(operands), n, wrap, dtype)
            columns.append((x, begins["block"] + len(plan.block) - x.ndim if x.ndim else 0))
    if not columns:
        return np.zeros((*lengths, 0), dtype)
    kinds = [type(x) for x, _ in columns]
    if np.ndarray in kinds and not any(issubclass(k, Array) for k in kinds):
        return np.stack([_spread(x, first, lengths) for x, first in columns], axis=-1)
    shape = (*lengths, 1)
    start = begins.get("block", 0)
    # JAX parity: over the block first, then in the index dtype, tests/image/test_resampling.py
    weak_scalars = [not x.ndim and isinstance(x, Array) and x.weak_type for x, _ in columns]
    columns = [_over_block(x, first, plan.block, start) for x, first in columns]
    columns = [(_converted(x, dtype, weak), first) for (x, first), weak in zip(columns, weak_scalars)]
    parts = []
    for x, first in columns:
        along = tuple(range(first, first + np.ndim(x)))
        parts.append(
            broadcast_in_dim(x, shape=shape, broadcast_dimensions=along, sharding=None)
        )
    return concatenate(*parts, dimension=len(lengths)) if len(parts) > 1 else parts[0]


def _over_block(x, first, block, start):
    """Positions of an index that is smaller than the block of all integer indices, over all of it."""
    if not isinstance(x, Array) or x.shape == tuple(block):
        return x, first
    last = tuple(range(len(block) - x.ndim, len(block)))
    return broadcast_in_dim(x, shape=tuple(block), broadcast_dimensions=last, sharding=None), start


def _spread(x, first, lengths):
    """NumPy positions that vary along some axes of the batch, over all of it."""
    ndim = np.ndim(x)
    if ndim:
        x = x.reshape(x.shape + (1,) * (len(lengths) - first - ndim))
    return np.broadcast_to(x, lengths)
