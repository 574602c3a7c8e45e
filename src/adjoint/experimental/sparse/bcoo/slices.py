"""Parts of a sparse array: `bcoo_slice`, `bcoo_dynamic_slice`, `bcoo_gather`.

Elements outside of the part become ones that stand for none. If the part has fewer elements than the array specifies,
those that are left are put together.

Tests: `tests/experimental/sparse/test_bcoo_shapes.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from .... import lax
from .... import numpy as jnp
from ....core.types import aval_of
from ....prims.indexed_windows import GatherScatterMode
from ....transforms.vmap import vmap
from .array import BCOO
from .duplicates import bcoo_sum_duplicates
from .layouts import bcoo_update_layout
from .properties import properties_of
from .shapes import bcoo_reshape, bcoo_transpose

__all__ = ["bcoo_dynamic_slice", "bcoo_gather", "bcoo_slice"]


def _part(mat: BCOO, data, indices, starts, stops, strides, new_shape) -> BCOO:
    """Return the elements with indices from starts to stops; data and indices are sliced along the other axes already.
    """
    p = properties_of(mat.data, mat.indices, mat.shape)
    sizes = new_shape[p.n_batch : p.n_batch + p.n_sparse]
    if p.n_sparse:
        dtype = indices.dtype
        inside, columns = None, []
        for k, (start, stop, stride) in enumerate(zip(starts, stops, strides)):
            column = indices[..., k]
            low, high = [x.astype(dtype) if hasattr(x, "astype") else jnp.full((), x, dtype) for x in (start, stop)]
            ok = (column >= low) & (column < high)
            column = column - low
            if stride != 1:
                ok = ok & (jnp.remainder(column, stride) == jnp.zeros((), dtype))
                column = jnp.floor_divide(column, stride)
            inside = ok if inside is None else inside & ok
            columns.append(column)
        indices = jnp.stack(
            [jnp.where(inside, c, jnp.full((), n, dtype)) for c, n in zip(columns, sizes)], -1
        )
        batch = tuple(np.broadcast_shapes(inside.shape, data.shape[: p.n_batch + 1]))
        mask = jnp.expand_dims(inside, tuple(range(inside.ndim, data.ndim)))
        shape = (*batch, *data.shape[p.n_batch + 1 :])
        data = jnp.where(jnp.broadcast_to(mask, shape), jnp.broadcast_to(data, shape), jnp.zeros((), data.dtype))
    out = BCOO((data, indices), shape=new_shape)
    if p.n_sparse and prod(sizes) < p.nse:
        out = bcoo_sum_duplicates(out, nse=prod(sizes))
        out = BCOO((out.data, out.indices), shape=new_shape)
    return out


def bcoo_slice(
    mat: BCOO, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None = None
) -> BCOO:
    """Return a part of the array, as `lax.slice`.

    Args:
      mat: the array.
      start_indices, limit_indices: the first position along each axis, and the one behind the last.
      strides: the distance of two positions; default 1.
    Returns:
      A `BCOO` of the part.
    Raises:
      TypeError: the array is not a BCOO array.
      ValueError: the part is not one of the array.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_slice(sparse.eye(3), start_indices=(0, 1), limit_indices=(3, 3)).todense()
    Array([[0., 0.],
           [1., 0.],
           [0., 1.]], dtype=float32)
    """
    if not isinstance(mat, BCOO):
        raise TypeError(f"bcoo_slice: input should be BCOO array, got type(mat)={type(mat)}")
    starts, stops = [[operator.index(i) for i in x] for x in (start_indices, limit_indices)]
    steps = [1] * mat.ndim if strides is None else [operator.index(i) for i in strides]
    if not len(starts) == len(stops) == len(steps) == mat.ndim:
        raise ValueError(
            f"bcoo_slice: indices must have size mat.ndim={mat.ndim}; got {len(starts)} start_indices, {len(stops)} "
            f"limit_indices and {len(steps)} strides."
        )
    if any([s <= 0 for s in steps]):
        raise ValueError(f"strides must be a sequence of positive integers; got {steps}")
    if any([not 0 <= a <= b <= n for a, b, n in zip(starts, stops, mat.shape)]):
        raise ValueError(
            f"bcoo_slice: invalid indices. Got start_indices={starts}, limit_indices={stops} and shape={mat.shape}"
        )
    p = properties_of(mat.data, mat.indices, mat.shape)
    n, m = p.n_batch, p.n_batch + p.n_sparse
    new_shape = tuple([-(-(b - a) // s) for a, b, s in zip(starts, stops, steps)])
    batch = [slice(a, b, s) for a, b, s in zip(starts[:n], stops[:n], steps[:n])]
    dense = [slice(a, b, s) for a, b, s in zip(starts[m:], stops[m:], steps[m:])]
    whole = lambda x: tuple([s if x.shape[i] == mat.shape[i] else slice(0, min(1, new_shape[i]))
                             for i, s in enumerate(batch)])
    data = mat.data[(*whole(mat.data), slice(None), *dense)]
    indices = mat.indices[whole(mat.indices)]
    return _part(mat, data, indices, starts[n:m], stops[n:m], steps[n:m], new_shape)


def bcoo_dynamic_slice(mat: BCOO, start_indices: Sequence[Any], slice_sizes: Sequence[int]) -> BCOO:
    """Return the part of a given size that begins at given indices, as `lax.dynamic_slice`.

    Args:
      mat: the array.
      start_indices: an integer scalar for each axis; a part that is not inside is moved inside.
      slice_sizes: the shape of the part.
    Returns:
      A `BCOO` of that shape.
    Raises:
      ValueError: the number of indices is not that of axes.
      TypeError: the part is larger than the array, or indices are no integers.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_dynamic_slice(sparse.eye(3), (1, jnp.int32(5)), (2, 1)).todense()
    Array([[0.],
           [1.]], dtype=float32)
    """
    starts = list(start_indices) if isinstance(start_indices, (tuple, list)) else [*jnp.asarray(start_indices)]
    sizes = tuple([operator.index(n) for n in slice_sizes])
    if len(starts) != mat.ndim:
        raise ValueError(
            f"Length of slice indices must match number of operand dimensions ({len(starts)} vs {mat.shape})"
        )
    if len(sizes) != mat.ndim or any([k > n for k, n in zip(sizes, mat.shape)]):
        raise TypeError(
            "slice slice_sizes must be less than or equal to operand shape, got slice_sizes "
            f"{sizes} for operand shape {mat.shape}."
        )
    kinds = [aval_of(s).dtype for s in starts]
    if any([d.kind not in "iu" for d in kinds]):
        raise TypeError(
            "index arguments to dynamic_slice must be integers of the same type, got: "
            f"{', '.join([str(d) for d in kinds])}"
        )
    p = properties_of(mat.data, mat.indices, mat.shape)
    n, m = p.n_batch, p.n_batch + p.n_sparse
    starts = [jnp.asarray(s).astype(jnp.int32) for s in starts]
    starts = [
        jnp.clip(jnp.where(s < 0, s + d, s), 0, d - k) for s, d, k in zip(starts, mat.shape, sizes)
    ]
    zero = jnp.zeros((), jnp.int32)

    def batches(x, rest, rest_sizes):
        own = [s if x.shape[i] == mat.shape[i] else zero for i, s in enumerate(starts[:n])]
        own_sizes = [k if x.shape[i] == mat.shape[i] else min(1, k) for i, k in enumerate(sizes[:n])]
        return lax.dynamic_slice(x, (*own, *rest), (*own_sizes, *rest_sizes))

    data = batches(mat.data, (zero, *starts[m:]), (p.nse, *sizes[m:]))
    indices = batches(mat.indices, (zero, zero), (p.nse, p.n_sparse))
    stops = [s + k for s, k in zip(starts[n:m], sizes[n:m])]
    return _part(mat, data, indices, starts[n:m], stops, [1] * p.n_sparse, sizes)


def bcoo_gather(
    operand: BCOO, start_indices, dimension_numbers, slice_sizes: Sequence[int], *, unique_indices: bool = False,
    indices_are_sorted: bool = False, mode=None, fill_value=None,
) -> BCOO:
    """Return parts of the array at computed places, as `lax.gather`. Places outside are moved inside.

    Args:
      operand: the array.
      start_indices: integers; the last axis holds the entries of one index.
      dimension_numbers: which axes belong together, see `lax.GatherDimensionNumbers`.
      slice_sizes: the shape of a part, one length for each axis of the operand.
      unique_indices, indices_are_sorted: promises that may be used for speed.
      mode, fill_value: accepted.
    Returns:
      A `BCOO` of the parts.
    Raises:
      NotImplementedError: there are batch axes of places, or the axes of the parts are not adjacent.

    >>> from adjoint.experimental import sparse
    >>> numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    >>> sparse.bcoo_gather(sparse.eye(3), jnp.array([[2], [0]]), numbers, (1, 3)).todense()
    Array([[0., 0., 1.],
           [1., 0., 0.]], dtype=float32)
    """
    numbers = dimension_numbers
    if not isinstance(operand, BCOO):
        raise TypeError("bcoo_gather: operand must be a BCOO array.")
    if numbers.operand_batching_dims or numbers.start_indices_batching_dims:
        raise NotImplementedError("bcoo_gather: batching dimensions.\n  Try: `vmap` of the call.")
    if mode is not None and GatherScatterMode.from_any(mode) is GatherScatterMode.FILL_OR_DROP:
        raise NotImplementedError(
            "bcoo_gather: mode=FILL_OR_DROP not yet supported.\n  Try: mode=\"promise_in_bounds\" or \"clip\"."
        )
    start_indices = jnp.asarray(start_indices)
    sizes, collapsed = tuple(slice_sizes), tuple(numbers.collapsed_slice_dims)
    places = {axis: k for k, axis in enumerate(numbers.start_index_map)}
    batch_ndim = start_indices.ndim - 1

    def one(start):
        starts = [start[places[i]] if i in places else jnp.zeros((), start.dtype) for i in range(operand.ndim)]
        return bcoo_dynamic_slice(operand, starts, sizes)

    fun = one
    for _ in range(batch_ndim):
        fun = vmap(fun)
    out = fun(start_indices)
    kept = tuple([n for i, n in enumerate(sizes) if i not in collapsed])
    out = bcoo_reshape(out, new_sizes=(*start_indices.shape[:-1], *kept))
    rank = out.ndim
    offset = tuple(numbers.offset_dims)
    batch = [i for i in range(rank) if i not in offset]
    order = [0] * rank  # where each axis of the result comes from
    for k, i in enumerate(batch):
        order[i] = k
    for k, i in enumerate(offset):
        order[i] = batch_ndim + k
    if order == list(range(rank)):
        return out
    out = bcoo_update_layout(out, n_batch=0)
    return bcoo_transpose(out, permutation=order)
