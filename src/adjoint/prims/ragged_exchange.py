"""`ragged_all_to_all`: along a named axis, each sends pieces of its rows, of any lengths, to all.

Sender i sends S pieces to receiver j: with q = j S + s, the `send_sizes[q]` rows of its operand from
`input_offsets[q]` on, which go to the rows of j's output from i's `output_offsets[q]` on. A later piece overwrites an
earlier one. On a batch, which is how one host runs it, every row of every output looks for the last piece over it.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import is_undefined_primal
from ..core.types import ShapedArray, aval_of
from .arithmetic import add, max_, sub
from .collective import all_to_all, collective, unbound
from .family import fill, jointly_linear
from .indexed_windows import GatherDimensionNumbers, GatherScatterMode
from .indexing import gather
from .logic import and_, eq, ge, lt, select_n
from .reduction import reduce_max, reduce_or
from .shape import broadcast_in_dim, full, iota, materialise_batch, reshape

__all__ = ["ragged_all_to_all"]

ragged_all_to_all = collective("ragged_all_to_all", "axis_name")
_SIZES = ("input_offsets", "send_sizes", "output_offsets", "recv_sizes")
_i32 = np.dtype("int32")


@ragged_all_to_all.type
def _(operand, output, *sizes, axis_name, axis_index_groups):
    for name, x in zip(_SIZES, sizes, strict=True):
        if not dtypes.issubdtype(x.dtype, np.integer):
            raise ValueError(f"ragged_all_to_all {name} must be integer type.")
    for name, x in zip(_SIZES, sizes):
        if x.ndim != 1 or not x.shape[0]:
            raise ValueError(
                f"ragged_all_to_all {name} must be rank 1 with positive dimension size, but got shape {x.shape}"
            )
    return ShapedArray(output.shape, output.dtype, output.weak_type)


@ragged_all_to_all.evaluate
def _(*_, axis_name, **__):
    raise unbound(axis_name[0] if isinstance(axis_name, tuple) else axis_name, "ragged_all_to_all")


jointly_linear(ragged_all_to_all, 0, 1)


@ragged_all_to_all.transpose
def _(ct, operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, **params):
    """Return what was sent comes back; what was overwritten had no influence."""
    exchanged = lambda x: all_to_all(x, split_axis=0, concat_axis=0, tiled=True, **params)
    ct_operand = ct_output = None
    arrived = exchanged(output_offsets)
    if is_undefined_primal(operand):
        zeros = full(operand.aval.shape, 0, ct.dtype)
        back = exchanged(input_offsets)
        ct_operand = ragged_all_to_all(ct, zeros, arrived, recv_sizes, back, send_sizes, **params)
    if is_undefined_primal(output):
        n, pieces = output.aval.shape[0], arrived.shape[0]
        wide = lambda x: _along(x, (n, pieces), 1)
        _, inside = _over((n, pieces), 0, wide(arrived), wide(recv_sizes))
        ct_output = select_n(_along(_any(inside, 1), ct.shape, 0), ct, fill(ct, 0))
    return [ct_operand, ct_output, None, None, None, None]


def _along(x, shape, *axes):
    """Return `x` repeated to a shape, its axes at these positions."""
    return broadcast_in_dim(x, shape=shape, broadcast_dimensions=axes, sharding=None)


def _any(x, axis):
    return reduce_or(x, axes=(axis,)) if aval_of(x).shape[axis] else x


def _over(shape, axis, starts, sizes):
    """Return (positions along an axis, which of them the pieces at `starts` cover)."""
    row = iota(dtype=starts.dtype, shape=shape, dimension=axis, sharding=None)
    return row, and_(ge(row, starts), lt(row, add(starts, sizes)))


@ragged_all_to_all.batch_axis
def _(axis, args, dims, params):
    names, groups = params["axis_name"], params["axis_index_groups"]
    if axis.name is None or axis.name not in (names if isinstance(names, tuple) else (names,)):
        raise NotImplementedError(
            message(
                "ragged_all_to_all cannot be mapped over an axis that it does not exchange along.",
                why="The pieces of each element of the batch are of other sizes.",
                fix="lax.map over that axis, or one exchange of longer pieces",
            )
        )
    operand, output, starts_in, sizes, starts_out, _ = [
        materialise_batch(x, d, axis.size) for x, d in zip(args, dims)
    ]
    n, k, rows, length = axis.size, sizes.shape[1], operand.shape[1], output.shape[1]
    groups = [list(range(n))] if groups is None else groups
    slices, leftover = divmod(k, len(groups[0]))
    if leftover:
        raise ValueError(f"ragged_all_to_all has {k} pieces, which {len(groups[0])} receivers cannot share equally")
    senders, which = np.zeros((n, k), _i32), np.zeros((n, k), _i32)  # of each piece that a receiver gets
    for group in groups:
        for rank, receiver in enumerate(group):
            senders[receiver] = np.repeat(group, slices)
            which[receiver] = senders[receiver] * k + np.tile(np.arange(slices) + rank * slices, len(group))
    shape = (n, length, k)
    taken = lambda x: _along(_rows(reshape(x, new_sizes=(n * k,), dimensions=None, sharding=None), which), shape, 0, 2)
    start = taken(starts_out)
    row, inside = _over(shape, 1, start, taken(sizes))
    dtype = start.dtype
    source = add(add(_along(senders.astype(dtype) * dtype.type(rows), shape, 0, 2), taken(starts_in)), sub(row, start))
    piece = iota(dtype=_i32, shape=shape, dimension=2, sharding=None)
    last = reduce_max(select_n(inside, full(shape, -1, _i32), piece), axes=(2,))
    is_last = eq(piece, _along(last, shape, 0, 1))
    source = reduce_max(select_n(is_last, full(shape, 0, dtype), source), axes=(2,))
    merged = reshape(operand, new_sizes=(n * rows, *operand.shape[2:]), dimensions=None, sharding=None)
    received = _rows(merged, max_(source, full(source.shape, 0, dtype)))
    found = _along(_any(inside, 2), output.shape, 0, 1)
    return select_n(found, output, received), 0


def _rows(x, indices):
    """Return the rows of `x` at indices of any shape."""
    shape, rest = aval_of(indices).shape, x.shape[1:]
    return gather(
        x,
        _along(indices, (*shape, 1), *range(len(shape))),
        dimension_numbers=GatherDimensionNumbers(
            offset_dims=tuple(range(len(shape), len(shape) + len(rest))),
            collapsed_slice_dims=(0,),
            start_index_map=(0,),
        ),
        slice_sizes=(1, *rest),
        indices_are_sorted=False,
        unique_indices=False,
        mode=GatherScatterMode.CLIP,
        fill_value=None,
    )


_k = ShapedArray((2,), _i32)
ragged_all_to_all.examples(
    (
        ShapedArray((3,), dtypes.float32), ShapedArray((4,), dtypes.float32), _k, _k, _k, _k,
        dict(axis_name=("i",), axis_index_groups=None),
    )
)
