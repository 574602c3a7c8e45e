"""Slices: windows of an array at places known when tracing, or, for `dynamic_...`, when running; and `pad`.

A dynamic window is always inside the array: starts are clamped, never out of bounds. The pairs
slice and pad, dynamic_slice and dynamic_update_slice are each other's transposes. A batch of starts
is a gather or a scatter.
"""

from __future__ import annotations

import numpy as np

from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.types import ShapedArray, aval_of
from ..core.values.dimension import greater
from ..sharding import rules, sums
from .arithmetic import sub
from .family import jointly_linear, multilinear
from .indexed_windows import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers
from .indexing import gather, scatter
from .logic import select_n
from .shape import broadcast_in_dim, concatenate, full, materialise_batch, reduce_sum, zeros_of

__all__ = ["dynamic_slice", "dynamic_update_slice", "pad", "slice_"]

_f32, _i32 = np.dtype("float32"), np.dtype("int32")


# ---- slice --------------------------------------------------------------------------------------

slice_ = Primitive("slice", linear=True)
slice_.exact("biufc")
slice_.sharding(rules.kept)


@slice_.type
def _(x, *, start_indices, limit_indices, strides):
    for name, given in ("start_indices", start_indices), ("strides", strides):
        if given is not None and len(given) != x.ndim:
            what = "indices" if name == "start_indices" else name
            raise TypeError(
                f"slice {name} must have length equal to the number of dimensions of the operand, "
                f"got {what} {given} for operand shape {x.shape}."
            )
    if len(limit_indices) != x.ndim:
        raise TypeError(
            "slice limit_indices must have the same length as start_indices, got start_indices "
            f"{start_indices} and limit_indices {limit_indices}."
        )
    if any(n > m for n, m in zip(limit_indices, x.shape)):
        raise TypeError(
            message(
                "slice limit_indices must be less than or equal to operand shape, got limit_indices "
                f"{limit_indices} for operand shape {x.shape}.",
                why="lax.slice does not cut what is too long, as x[a:b] does.",
                fix="x[a:b], or min(b, x.shape[0])",
            )
        )
    if any(s < 0 for s in start_indices):
        raise TypeError(
            f"slice start_indices must have every element be nonnegative, got {start_indices}."
        )
    if any(s > n for s, n in zip(start_indices, limit_indices)):
        raise TypeError(
            "slice limit_indices must be greater than or equal to start_indices, got start_indices "
            f"{start_indices} and limit_indices {limit_indices}."
        )
    if strides is None:
        shape = tuple([n - s for s, n in zip(start_indices, limit_indices)])
    else:
        if any(k <= 0 for k in strides):
            raise TypeError(f"slice strides must have every element be positive, got {strides}.")
        shape = tuple([(n - s + k - 1) // k for s, n, k in zip(start_indices, limit_indices, strides)])
    return ShapedArray(shape, x.dtype, x.weak_type)


@slice_.evaluate
def _(x, *, start_indices, limit_indices, strides):
    strides = strides or (None,) * len(start_indices)
    return x[tuple(map(slice, start_indices, limit_indices, strides))]


@slice_.transpose
def _(ct, x, *, start_indices, limit_indices, strides):
    shape = x.aval.shape
    if strides is None:
        config = [(s, n - m, 0) for s, m, n in zip(start_indices, limit_indices, shape)]
    else:
        config = []
        for s, k, m, n in zip(start_indices, strides, ct.shape, shape):
            covered = s + (1 + (m - 1) * k if m else 0)
            config.append((s, n - covered, k - 1))
    return [pad(ct, full((), 0, ct.dtype), padding_config=tuple(config))]


@slice_.batch
def _(args, dims, *, start_indices, limit_indices, strides):
    (x,), (d,) = args, dims
    put = lambda values, value: (*values[:d], value, *values[d:])
    out = slice_(
        x,
        start_indices=put(start_indices, 0),
        limit_indices=put(limit_indices, x.shape[d]),
        strides=None if strides is None else put(strides, 1),
    )
    return out, d


slice_.examples(
    (ShapedArray((4, 3), _f32), dict(start_indices=(1, 0), limit_indices=(3, 2), strides=None)),
    (ShapedArray((5, 3), _f32), dict(start_indices=(1, 0), limit_indices=(5, 3), strides=(3, 2))),
    (ShapedArray((4,), _i32), dict(start_indices=(2,), limit_indices=(2,), strides=None)),
    (ShapedArray((4,), _f32), dict(start_indices=(2,), limit_indices=(2,), strides=(2,))),
    (ShapedArray((), _f32), dict(start_indices=(), limit_indices=(), strides=None)),
)


# ---- pad ----------------------------------------------------------------------------------------

pad = Primitive("pad", linear=True)
pad.exact("biufc")
pad.sharding(rules.kept)


@pad.type
def _(x, value, *, padding_config):
    if x.dtype != value.dtype:
        raise TypeError(
            message(
                f"pad operand and padding_value must be same dtype: got {x.dtype.name} and {value.dtype.name}.",
                fix=f"jnp.asarray(padding_value, '{x.dtype.name}')",
            )
        )
    if value.shape:
        raise ValueError(
            f"padding_value must be a scalar; got np.shape(padding_value)={value.shape}"
        )
    if len(padding_config) != x.ndim:
        raise ValueError(
            "length of padding_config must equal the number of axes of operand, got padding_config "
            f"{padding_config} for operand shape {x.shape}"
        )
    if any(interior < 0 for _, _, interior in padding_config):
        raise ValueError(
            "interior padding in padding_config must be nonnegative, got padding_config "
            f"{padding_config}"
        )
    between = lambda n, inner: greater(0, n - 1) * inner if inner else 0
    shape = tuple([lo + hi + n + between(n, inner) for n, (lo, hi, inner) in zip(x.shape, padding_config)])
    if any(n < 0 for n in shape):
        raise ValueError(
            f"Dimension size after padding is not at least 0, got result shape {shape}, for "
            f"padding_config {padding_config} and operand shape {x.shape}"
        )
    return ShapedArray(shape, x.dtype, x.weak_type and value.weak_type)


@pad.evaluate
def _(x, value, *, padding_config):
    source, target, shape = [], [], []
    for n, (lo, hi, inner) in zip(x.shape, padding_config):
        step = inner + 1
        length = lo + hi + n + max(0, n - 1) * inner
        first = -(lo // step) if lo < 0 else 0  # the first element that is not cropped away
        last = min(n, (length - lo + inner) // step)  # one past the last one
        source.append(slice(first, max(first, last)))
        start = lo + first * step
        target.append(slice(start, start + max(0, last - first) * step, step))
        shape.append(length)
    if not any(lo > 0 or hi > 0 or inner > 0 for lo, hi, inner in padding_config):
        return x[tuple(source)]
    out = np.empty(shape, x.dtype)
    out[...] = value
    out[tuple(target)] = x[tuple(source)]
    return out


@pad.transpose
def _(ct, x, value, *, padding_config):
    shape = (x.aval if is_undefined_primal(x) else aval_of(x)).shape
    inside = pad(
        ct,
        full((), 0, ct.dtype),
        padding_config=tuple([(-lo, -hi, 0) for lo, hi, _ in padding_config]),
    )
    inside = slice_(
        inside,
        start_indices=(0,) * len(shape),
        limit_indices=inside.shape,
        strides=tuple([inner + 1 for _, _, inner in padding_config]),
    )
    ct_value = None
    if is_undefined_primal(value):
        sums = [
            reduce_sum(c, axes=tuple(range(len(shape))), out_sharding=None) for c in (ct, inside)
        ]
        ct_value = sub(*sums)
    return [inside if is_undefined_primal(x) else None, ct_value]


@pad.batch
def _(args, dims, *, padding_config):
    (x, value), (d, value_d) = args, dims
    if value_d is None:
        config = (*padding_config[:d], (0, 0, 0), *padding_config[d:])
        return pad(x, value, padding_config=config), d
    # A padding value for each element of the batch: pad with zeros and select.
    size = value.shape[value_d]
    if d is None:
        x, d = materialise_batch(x, None, size), 0
    config = (*padding_config[:d], (0, 0, 0), *padding_config[d:])
    padded = pad(x, full((), 0, aval_of(x).dtype), padding_config=config)
    inside = pad(
        full(x.shape, True, np.dtype(bool)), np.bool_(False), padding_config=config
    )
    values = broadcast_in_dim(
        value, shape=padded.shape, broadcast_dimensions=(d,), sharding=None
    )
    return select_n(inside, values, padded), d


pad.examples(
    (ShapedArray((2, 3), _f32), ShapedArray((), _f32), dict(padding_config=((1, 2, 0), (0, 1, 2)))),
    (
        ShapedArray((4, 3), _f32), ShapedArray((), _f32),
        dict(padding_config=((-1, 2, 1), (-1, -1, 0))),
    ),
    (ShapedArray((5,), _i32), ShapedArray((), _i32), dict(padding_config=((-3, -2, 1),))),
    (ShapedArray((0, 2), _f32), ShapedArray((), _f32), dict(padding_config=((1, 1, 3), (0, 0, 0)))),
    (ShapedArray((), _f32), ShapedArray((), _f32), dict(padding_config=())),
)


# ---- dynamic_slice ------------------------------------------------------------------------------


def _check_starts(name, x, starts) -> None:
    if len(starts) != x.ndim:
        raise TypeError(
            f"{name} start_indices must have length equal to the number of dimensions of the "
            f"operand, got indices {starts} for operand shape {x.shape}."
        )
    if any(s.shape for s in starts):
        raise TypeError(
            message(
                f"start_indices arguments to {name} must be scalars,  got indices {starts}",
                why="There is one start for each axis.",
                fix=f"{name}(x, (i, j), ...), or x[indices] to read many places",
            )
        )
    if any(s.dtype.kind not in "iu" or s.dtype != starts[0].dtype for s in starts):
        colon = ":" if name == "dynamic_slice" else ""
        raise TypeError(
            message(
                f"index arguments to {name} must be integers of the same type, got{colon} "
                f"{', '.join(s.dtype.name for s in starts)}",
                fix="i.astype(int) for an index that is a float, // for / where it is computed",
            )
        )


def _window(x, starts, sizes) -> tuple[slice, ...]:
    """Return the window of `x` at `starts`, moved inside."""
    window = []
    for s, size, n in zip(starts, sizes, x.shape):
        s = min(max(int(s), 0), n - size)
        window.append(slice(s, s + size))
    return tuple(window)


dynamic_slice = Primitive("dynamic_slice")
dynamic_slice.exact("biufc")
dynamic_slice.sharding(rules.kept)
dynamic_slice.sums(sums.in_first)


@dynamic_slice.type
def _(x, *starts, slice_sizes):
    _check_starts("dynamic_slice", x, starts)
    if len(slice_sizes) != x.ndim:
        raise TypeError(
            "dynamic_slice slice_sizes must have the same length as start_indices, got "
            f"start_indices length {len(starts)} and slice_sizes {slice_sizes}."
        )
    if any(n > m for n, m in zip(slice_sizes, x.shape)):
        raise TypeError(
            message(
                "slice slice_sizes must be less than or equal to operand shape, got slice_sizes "
                f"{slice_sizes} for operand shape {x.shape}.",
                why="The start is moved so that the slice fits, so it can be no longer than the array.",
                fix=f"slice_sizes={tuple(map(min, slice_sizes, x.shape))}, or jnp.pad the array first",
            )
        )
    if any(n < 0 for n in slice_sizes):
        raise TypeError(
            "slice slice_sizes must be greater than or equal to zero, got slice_sizes of "
            f"{slice_sizes}."
        )
    return ShapedArray(slice_sizes, x.dtype, x.weak_type)


@dynamic_slice.evaluate
def _(x, *starts, slice_sizes):
    return x[_window(x, starts, slice_sizes)]


multilinear(dynamic_slice, 0)


@dynamic_slice.transpose
def _(ct, x, *starts, slice_sizes):
    return [dynamic_update_slice(zeros_of(x.aval), ct, *starts)] + [None] * len(starts)


@dynamic_slice.batch
def _(args, dims, *, slice_sizes):
    (x, *starts), (d, *start_dims) = args, dims
    if all(s is None for s in start_dims):
        starts.insert(d, zero_like(starts))
        sizes = (*slice_sizes[:d], x.shape[d], *slice_sizes[d:])
        return dynamic_slice(x, *starts, slice_sizes=sizes), d
    indices = _stacked_starts(starts, start_dims)
    rank = len(starts)
    numbers = GatherDimensionNumbers(tuple(range(rank)), (), tuple(range(rank)))
    return gather.batch_rule(
        (x, indices),
        (d, 0),
        dimension_numbers=numbers,
        slice_sizes=slice_sizes,
        unique_indices=True,
        indices_are_sorted=True,
        mode=GatherScatterMode.CLIP,
        fill_value=None,
    )


def zero_like(starts):
    """Return a start of 0 in the dtype that the other starts have."""
    return (aval_of(starts[0]).dtype if starts else _i32).type(0)


def _stacked_starts(starts, dims):
    """Return starts of a batch as one array (batch, rank)."""
    size = next(s.shape[d] for s, d in zip(starts, dims) if d is not None)
    columns = [
        broadcast_in_dim(
            s, shape=(size, 1), broadcast_dimensions=() if d is None else (0,), sharding=None
        )
        for s, d in zip(starts, dims)
    ]
    return concatenate(*columns, dimension=1) if len(columns) > 1 else columns[0]


dynamic_slice.examples(
    (ShapedArray((4, 3), _f32), np.int32(1), np.int32(0), dict(slice_sizes=(2, 2))),
    (ShapedArray((4, 3), _f32), np.int32(7), np.int32(-7), dict(slice_sizes=(2, 3))),
    (ShapedArray((4,), _i32), np.uint8(3), dict(slice_sizes=(0,))),
    (ShapedArray((), _f32), dict(slice_sizes=())),
)


# ---- dynamic_update_slice -----------------------------------------------------------------------

dynamic_update_slice = Primitive("dynamic_update_slice")
dynamic_update_slice.exact("biuf")
dynamic_update_slice.sharding(rules.updated)
dynamic_update_slice.sums(sums.updated)


@dynamic_update_slice.type
def _(x, update, *starts):
    if update.ndim != x.ndim:
        raise TypeError(
            message(
                "dynamic_update_slice update must have the same rank as operand, got update shape "
                f"{update.shape} for operand shape {x.shape}.",
                why="The update is a window of the operand, with all of its axes.",
                fix="update[None] for one row, or x.at[i].set(update)",
            )
        )
    if any(n > m for n, m in zip(update.shape, x.shape)):
        raise TypeError(
            message(
                "dynamic_update_slice update shape must be smaller than operand shape, got update "
                f"shape {update.shape} for operand shape {x.shape}.",
                why="The update is a window of the operand and has to fit into it.",
                fix=f"update[{', '.join(f':{n}' for n in x.shape)}]",
            )
        )
    if x.dtype != update.dtype:
        raise TypeError(
            message(
                "lax.dynamic_update_slice requires arguments to have the same dtypes, got "
                f"{x.dtype.name}, {update.dtype.name}.",
                why="Functions of lax do not promote.",
                fix="update.astype(x.dtype)",
            )
        )
    _check_starts("dynamic_update_slice", x, starts)
    return x.strip_weak_type()


@dynamic_update_slice.evaluate
def _(x, update, *starts):
    out = np.array(x)
    out[_window(x, starts, update.shape)] = update
    return out


jointly_linear(dynamic_update_slice, 0, 1)


@dynamic_update_slice.transpose
def _(ct, x, update, *starts):
    update_aval = update.aval if is_undefined_primal(update) else aval_of(update)
    ct_x = ct_update = None
    if is_undefined_primal(x):
        ct_x = dynamic_update_slice(ct, zeros_of(update_aval), *starts)
    if is_undefined_primal(update):
        ct_update = dynamic_slice(ct, *starts, slice_sizes=update_aval.shape)
    return [ct_x, ct_update] + [None] * len(starts)


@dynamic_update_slice.batch
def _(args, dims):
    (x, update, *starts), (d, update_d, *start_dims) = args, dims
    size = next(a.shape[i] for a, i in zip(args, dims) if i is not None)
    if all(s is None for s in start_dims):
        x = materialise_batch(x, d, size)
        update = materialise_batch(update, update_d, size)
        return dynamic_update_slice(x, update, zero_like(starts), *starts), 0
    rank = len(starts)
    return scatter.batch_rule(
        (x, _stacked_starts(starts, start_dims), update),
        (d, 0, update_d),
        dimension_numbers=ScatterDimensionNumbers(tuple(range(rank)), (), tuple(range(rank))),
        indices_are_sorted=True,
        unique_indices=True,
        mode=GatherScatterMode.CLIP,
        update_jaxpr=None,
        update_consts=(),
    )


dynamic_update_slice.examples(
    (ShapedArray((4, 3), _f32), ShapedArray((2, 1), _f32), np.int32(1), np.int32(2)),
    (ShapedArray((4, 3), _f32), ShapedArray((2, 3), _f32), np.int32(9), np.int32(-1)),
    (ShapedArray((4,), _i32), ShapedArray((0,), _i32), np.int32(2)),
)
