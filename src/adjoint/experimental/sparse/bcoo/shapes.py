"""Other shapes of the same elements: transposes, broadcasts, concatenations, reshapes, reversals, and sums over axes.

Tests: `tests/experimental/sparse/test_bcoo_shapes.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod

import numpy as np

from .... import lax
from .... import numpy as jnp
from ....core.types import ShapedArray
from ..programs import sparse_primitive
from ..util import SparseInfo
from .array import BCOO, member
from .properties import properties_of, split

__all__ = [
    "bcoo_broadcast_in_dim", "bcoo_concatenate", "bcoo_reduce_sum", "bcoo_reshape", "bcoo_rev", "bcoo_squeeze",
    "bcoo_transpose", "bcoo_transpose_p",
]


def of(mat: BCOO):
    """Return the properties of an array."""
    return properties_of(mat.data, mat.indices, mat.shape)


# ---- transpose -----------------------------------------------------------------------------------


def _permutations(p, permutation):
    """Return the permutations of the batch axes, the sparse axes and the dense axes."""
    n, m = p.n_batch, p.n_batch + p.n_sparse
    batch, sparse, dense = permutation[:n], permutation[n:m], permutation[m:]
    if sorted(batch) != list(range(n)):
        raise NotImplementedError(
            "transpose permutation cannot permute batch axes with non-batch axes; got permutation "
            f"{tuple(permutation)}, with n_batch={n}.\n  Try: `update_layout(n_batch=0)` before."
        )
    if sorted(dense) != list(range(m, m + p.n_dense)):
        raise NotImplementedError(
            "transpose permutation cannot permute dense axes with non-dense axes; got permutation "
            f"{tuple(permutation)}, with n_dense={p.n_dense}.\n  Try: `update_layout(n_dense=0)` before."
        )
    return tuple(batch), tuple([i - n for i in sparse]), tuple([i - m for i in dense])


@sparse_primitive("bcoo_transpose", multiple_results=True, keeps_weak=True)
def bcoo_transpose_p(data, indices, *, permutation, spinfo):
    p = properties_of(data, indices, spinfo.shape)
    batch, sparse, dense = _permutations(p, permutation)
    n = p.n_batch
    indices = indices[..., np.array(sparse, np.int32)] if p.n_sparse else indices
    return [
        data.transpose((*batch, n, *[n + 1 + i for i in dense])), indices.transpose((*batch, n, n + 1))
    ]


bcoo_transpose_p.examples(
    (ShapedArray((3,), np.dtype(np.float32)), np.array([[2, 0], [0, 1], [0, 0]], np.int32),
     dict(permutation=(1, 0), spinfo=SparseInfo((3, 2)))),
    (ShapedArray((2, 3, 4, 5), np.dtype(np.float32)), np.array([[[2], [0], [7]]], np.int32),
     dict(permutation=(0, 1, 3, 2), spinfo=SparseInfo((2, 3, 4, 5)))),
)


def bcoo_transpose(mat: BCOO, *, permutation: Sequence[int]) -> BCOO:
    """Return the array with its axes in another order; batch, sparse and dense axes stay among themselves.

    Args:
      mat: the array.
      permutation: the order of the axes.
    Returns:
      A `BCOO` whose axis i is axis `permutation[i]`.
    Raises:
      NotImplementedError: the permutation takes an axis to those of another kind.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_transpose(sparse.eye(2, 3), permutation=(1, 0))
    BCOO(float32[3, 2], nse=2)
    """
    permutation = tuple([operator.index(i) for i in permutation])
    if sorted(permutation) != list(range(mat.ndim)):
        raise TypeError(
            "transpose permutation isn't a permutation of operand dimensions, got permutation "
            f"{permutation} for shape {mat.shape}."
        )
    p = of(mat)
    _, sparse, _ = _permutations(p, permutation)
    data, indices = bcoo_transpose_p.bind(mat.data, mat.indices, permutation=permutation, spinfo=mat._info)
    return BCOO(
        (data, indices), shape=tuple([mat.shape[i] for i in permutation]), unique_indices=mat.unique_indices,
        indices_sorted=mat.indices_sorted and list(sparse) == sorted(sparse),
    )


@member
def transpose(self, axes: Sequence[int] | None = None) -> BCOO:
    """Return the array with its axes in another order: by default, reversed.

    Args:
      axes: the axes of the array in their new order; batch, sparse and dense axes stay apart.
    """
    axes = range(self.ndim)[::-1] if axes is None else [i + self.ndim if i < 0 else i for i in axes]
    return bcoo_transpose(self, permutation=tuple(axes))


# ---- broadcasts ----------------------------------------------------------------------------------


def bcoo_broadcast_in_dim(
    mat: BCOO, *, shape: Sequence[int], broadcast_dimensions: Sequence[int], sharding=None
) -> BCOO:
    """Return the array with more axes, along which it is the same. New leading axes are batch axes.

    Args:
      mat: the array.
      shape: of the result.
      broadcast_dimensions: for each axis of `mat` the axis of the result.
      sharding: is not read.
    Raises:
      ValueError: not one axis of the result for each.
      NotImplementedError: a sparse axis would be longer than 1.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_broadcast_in_dim(sparse.eye(2), shape=(3, 2, 2), broadcast_dimensions=(1, 2))
    BCOO(float32[3, 2, 2], nse=2, n_batch=1)
    """
    shape, axes = tuple(shape), tuple(broadcast_dimensions)
    if len(axes) != mat.ndim:
        raise ValueError(f"spinfo.shape={mat.shape} and broadcast_dimensions={axes} must have the same length")
    p = of(mat)
    n, m = p.n_batch, p.n_batch + p.n_sparse
    if p.n_dense:
        new_n_dense = len(shape) - axes[m]
    else:
        new_n_dense = 0
    new_n_batch = axes[n] if p.n_sparse else len(shape) - new_n_dense
    new_n_sparse = len(shape) - new_n_batch - new_n_dense
    if any([a >= new_n_batch for a in axes[:n]]) or any(
        [not new_n_batch <= a < len(shape) - new_n_dense for a in axes[n:m]]
    ):
        raise ValueError(f"Cannot mix batch and sparse dimensions in bcoo_broadcast_in_dim: {axes=}.")
    at = {a: k for k, a in enumerate(axes)}
    for a in range(new_n_batch, new_n_batch + new_n_sparse):
        if shape[a] != (mat.shape[at[a]] if a in at else 1):
            raise NotImplementedError(
                "Adding sparse dimensions with lengths != 1.\n  Try: new axes before all others, or `todense`."
            )
    whole = lambda x: tuple([x.shape[at[a]] if a in at else shape[a] for a in range(new_n_batch)])
    data = lax.broadcast_in_dim(
        mat.data, (*whole(mat.data), p.nse, *shape[len(shape) - new_n_dense :]),
        (*axes[:n], new_n_batch, *[new_n_batch + 1 + a - len(shape) + new_n_dense for a in axes[m:]]),
    )
    indices = lax.broadcast_in_dim(
        mat.indices, (*whole(mat.indices), p.nse, p.n_sparse), (*axes[:n], new_n_batch, new_n_batch + 1)
    )
    if new_n_sparse != p.n_sparse:
        zero = jnp.zeros((*indices.shape[:-1], 1), indices.dtype)
        picked = range(new_n_batch, new_n_batch + new_n_sparse)
        parts = [indices[..., at[a] - n, None] if a in at else zero for a in picked]
        indices = jnp.concatenate(parts, -1)
    return BCOO((data, indices), shape=shape)


# ---- concatenate ---------------------------------------------------------------------------------


def bcoo_concatenate(operands: Sequence[BCOO], *, dimension: int) -> BCOO:
    """Return arrays joined along a batch axis or a sparse one.

    Args:
      operands: with equal numbers of batch and of dense axes.
      dimension: the axis.
    Raises:
      ValueError: they are no BCOO arrays, or of different layouts.
      TypeError: they have different dtypes, or shapes that do not fit.
      NotImplementedError: the axis is dense.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_concatenate([sparse.eye(2), sparse.eye(2)], dimension=0).todense().shape
    (4, 2)
    """
    operands, dimension = list(operands), operator.index(dimension)
    if any([not isinstance(x, BCOO) for x in operands]):
        raise ValueError(f"bcoo_concatenate: expected operands to be a sequence of BCOO arrays. Got {operands}")
    if not operands:
        raise ValueError("concatenate requires a non-empty sequences of arrays")
    structs = [lax_struct(x) for x in operands]
    shape = concatenated_shape(structs, dimension)
    properties = [of(x) for x in operands]
    n_batch, n_dense = properties[0].n_batch, properties[0].n_dense
    if any([(p.n_batch, p.n_dense) != (n_batch, n_dense) for p in properties]):
        raise ValueError("bcoo_concatenate requires inputs to have matching nse dimensions.")
    if dimension >= len(shape) - n_dense:
        raise NotImplementedError("Concatenation along dense dimensions.\n  Try: `update_layout(n_dense=0)` before.")
    buffers = [(x.data, x.indices) for x in operands]
    if dimension < n_batch:
        nse = max([p.nse for p in properties])
        limits = [split(x.shape, p)[1] for x, p in zip(operands, properties)]
        padded = [_padded(*b, n_batch, nse, limit) for b, limit in zip(buffers, limits)]
        parts = zip(*[_repeated(b, x.shape, n_batch, dimension) for b, x in zip(padded, operands)])
        data, indices = [jnp.concatenate(_alike(list(xs), n_batch, dimension), dimension) for xs in parts]
    else:
        offsets = np.cumsum([0, *[x.shape[dimension] for x in operands[:-1]]])
        moved = [i.at[..., dimension - n_batch].add(int(o)) for (_, i), o in zip(buffers, offsets)]
        data = jnp.concatenate(_alike([d for d, _ in buffers], n_batch), n_batch)
        indices = jnp.concatenate(_alike(moved, n_batch), n_batch)
    return BCOO((data, indices), shape=shape)


def lax_struct(x: BCOO):
    """Return the type of a sparse array, without its layout."""
    return tuple(x.shape), x.dtype


def concatenated_shape(structs, dimension: int) -> tuple[int, ...]:
    """Return the shape of arrays that are joined; what `lax.concatenate` refuses is an error of the same kind."""
    shapes = ", ".join([str(s) for s, _ in structs])
    first = structs[0][0]
    if len({len(s) for s, _ in structs}) > 1:
        raise TypeError(f"Cannot concatenate arrays with different numbers of dimensions: got {shapes}.")
    if not 0 <= dimension < len(first):
        raise TypeError(f"concatenate dimension out of bounds: dimension {dimension} for shapes {shapes}.")
    without = {(*s[:dimension], *s[dimension + 1 :]) for s, _ in structs}
    if len(without) > 1:
        raise TypeError(
            "Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: "
            f"concatenating along dimension {dimension} for shapes {shapes}."
        )
    if len({d for _, d in structs}) > 1:
        raise TypeError(
            "lax.concatenate requires arguments to have the same dtypes, got "
            f"{', '.join([str(d) for _, d in structs])}."
        )
    return (*first[:dimension], sum([s[dimension] for s, _ in structs]), *first[dimension + 1 :])


def _padded(data, indices, n_batch, nse, limit):
    """Return buffers with more elements, which stand for none."""
    more = nse - indices.shape[n_batch]
    if not more:
        return data, indices
    fill = jnp.asarray(np.array(limit, np.int32)).astype(indices.dtype)
    shape = (*indices.shape[:n_batch], more, len(limit))
    zeros = jnp.zeros((*data.shape[:n_batch], more, *data.shape[n_batch + 1 :]), data.dtype)
    return jnp.concatenate([data, zeros], n_batch), jnp.concatenate([indices, jnp.broadcast_to(fill, shape)], n_batch)


def _repeated(buffers, shape, n_batch, axis):
    """Return buffers that are written out along one batch axis."""
    size = lambda x: (*x.shape[:axis], shape[axis], *x.shape[axis + 1 :])
    return [jnp.broadcast_to(x, size(x)) for x in buffers]


def _alike(xs, n_batch, axis=None):
    """Return buffers that are repeated along the same batch axes."""
    sizes = [max([x.shape[i] for x in xs]) for i in range(n_batch)]
    batch = lambda x: tuple([x.shape[i] if i == axis else n for i, n in enumerate(sizes)])
    return [jnp.broadcast_to(x, (*batch(x), *x.shape[n_batch:])) for x in xs]


# ---- reshape -------------------------------------------------------------------------------------


def _prefixes(sizes: Sequence[int], total: int) -> list[int]:
    """Return the numbers of leading sizes with this product."""
    return [k for k in range(len(sizes) + 1) if prod(sizes[:k]) == total]


def bcoo_reshape(
    mat: BCOO, *, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None, sharding=None
) -> BCOO:
    """Return the array in another shape; batch, sparse and dense axes stay among themselves.

    Args:
      mat: the array.
      new_sizes: the new shape.
      dimensions: the order in which the axes are read; default, as they are.
      sharding: is not read.
    Raises:
      ValueError: an axis of the new shape would be of two kinds.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_reshape(sparse.eye(4), new_sizes=(2, 8)).indices[-1]
    Array([1, 7], dtype=int32)
    """
    new = tuple([operator.index(n) for n in new_sizes])
    if prod(new) != prod(mat.shape):
        raise TypeError(
            f"cannot reshape array of shape {mat.shape} (size {prod(mat.shape)}) into shape {new} (size {prod(new)})"
        )
    if dimensions is not None:
        mat = bcoo_transpose(mat, permutation=tuple(dimensions))
    p = of(mat)
    batch, sparse, dense = split(mat.shape, p)
    leading = _prefixes(new, prod(batch))
    trailing = _prefixes(new[::-1], prod(dense)) if p.n_dense else [0]
    if not leading:
        raise ValueError(
            "bcoo_reshape: new shape cannot mix batch and sparse dimensions; got "
            f"shape={mat.shape} new_shape={new} with n_batch={p.n_batch}"
        )
    if not trailing:
        raise ValueError(
            "bcoo_reshape: new shape cannot mix sparse and dense dimensions; got "
            f"shape={mat.shape} new_shape={new} with n_dense={p.n_dense}"
        )
    n_dense = trailing[0]
    n_batch = min(leading[-1], len(new) - n_dense)
    new_batch, new_sparse = new[:n_batch], new[n_batch : len(new) - n_dense]
    data, indices = mat.data, mat.indices
    if new_batch != batch:
        data, indices = [
            jnp.broadcast_to(x, (*batch, *x.shape[p.n_batch :])).reshape((*new_batch, *x.shape[p.n_batch :]))
            for x in (data, indices)
        ]
    data = data.reshape((*data.shape[: n_batch + 1], *new[len(new) - n_dense :]))
    indices = _renumbered(indices, sparse, new_sparse)
    return BCOO((data, indices), shape=new)


def _renumbered(indices, old, new):
    """Return indices into one shape as those of the same elements in another."""
    dtype = indices.dtype
    if not old:
        return jnp.zeros((*indices.shape[:-1], len(new)), dtype)
    strides = np.cumprod([1, *old[:0:-1]])[::-1]
    number, inside = None, None
    for k, (n, stride) in enumerate(zip(old, strides)):
        column = indices[..., k]
        column = jnp.where(column < jnp.zeros((), dtype), column + n, column)
        ok = (column >= jnp.zeros((), dtype)) & (column < jnp.full((), n, dtype))
        number = column * int(stride) if number is None else number + column * int(stride)
        inside = ok if inside is None else inside & ok
    parts = []
    for n, stride in zip(new, np.cumprod([1, *new[:0:-1]])[::-1]):
        part = jnp.floor_divide(number, max(int(stride), 1))
        part = jnp.remainder(part, max(n, 1))
        parts.append(jnp.where(inside, part, jnp.full((), n, dtype)))
    return jnp.stack(parts, -1) if parts else jnp.zeros((*indices.shape[:-1], 0), dtype)


# ---- rev, squeeze, sums --------------------------------------------------------------------------


def bcoo_rev(operand, dimensions):
    """Return the array in reversed order along some axes.

    Args:
      operand: the array.
      dimensions: the axes.
    Returns:
      A `BCOO` of the same shape.
    Raises:
      TypeError: an axis is not one of the array.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_rev(sparse.eye(2), (0,)).todense()
    Array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    axes = tuple([operator.index(i) for i in dimensions])
    if any([i < 0 for i in axes]):
        raise TypeError(f"rev dimensions must have every element be nonnegative, got {axes}.")
    if any([i >= operand.ndim for i in axes]):
        raise TypeError(
            "rev dimensions must all be less than operand ndim, got dimensions "
            f"{axes} for operand ndim {operand.ndim}."
        )
    if len(set(axes)) != len(axes):
        raise TypeError(f"rev dimensions must be unique, got {axes}.")
    p = of(operand)
    n, m = p.n_batch, p.n_batch + p.n_sparse
    data = lax.rev(operand.data, tuple([i if i < n else i - p.n_sparse + 1 for i in axes if not n <= i < m]))
    indices = lax.rev(operand.indices, tuple([i for i in axes if i < n]))
    for i in axes:
        if n <= i < m:
            column = indices[..., i - n]
            size = jnp.full((), operand.shape[i], indices.dtype)
            column = jnp.where(column < jnp.zeros((), indices.dtype), column + size, column)
            turned = jnp.where(column < size, size - 1 - column, column)
            indices = indices.at[..., i - n].set(turned)
    return BCOO((data, indices), shape=operand.shape, unique_indices=False)


def bcoo_squeeze(arr: BCOO, *, dimensions: Sequence[int]) -> BCOO:
    """Return the array without axes of size 1.

    Args:
      arr: the array.
      dimensions: the axes.
    Returns:
      A `BCOO` without these axes.
    Raises:
      ValueError: an axis is longer.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_squeeze(sparse.eye(1, 3), dimensions=(0,)).shape
    (3,)
    """
    axes = tuple([operator.index(i) for i in dimensions])
    if any([not -arr.ndim <= i < arr.ndim for i in axes]):
        raise ValueError(f"axis of {axes} is out of bounds for array of dimension {arr.ndim}")
    axes = tuple(sorted({i % arr.ndim for i in axes}))
    if any([arr.shape[i] != 1 for i in axes]):
        raise ValueError(
            "cannot select an axis to squeeze out which has size not equal to one, got "
            f"shape={arr.shape} and dimensions={tuple(dimensions)}"
        )
    p = of(arr)
    n, m = p.n_batch, p.n_batch + p.n_sparse
    kept = [k for k in range(p.n_sparse) if k + n not in axes]
    indices = arr.indices if len(kept) == p.n_sparse else arr.indices[..., np.array(kept, np.int32)]
    batch = tuple([i for i in axes if i < n])
    data = lax.squeeze(arr.data, (*batch, *[i - p.n_sparse + 1 for i in axes if i >= m]))
    shape = tuple([d for i, d in enumerate(arr.shape) if i not in axes])
    is_same = len(kept) == p.n_sparse
    return BCOO(
        (data, lax.squeeze(indices, batch)), shape=shape, indices_sorted=arr.indices_sorted and is_same,
        unique_indices=arr.unique_indices and is_same,
    )


def _without_outside(data, indices, sizes, n_batch):
    """Return the elements, with zeros for those whose indices are beyond the shape."""
    limits = jnp.asarray(np.array(sizes, np.int32)).astype(indices.dtype)
    inside = (indices < jnp.broadcast_to(limits, indices.shape)).all(-1)
    batch = tuple(np.broadcast_shapes(inside.shape, data.shape[: n_batch + 1]))
    shape = (*batch, *data.shape[n_batch + 1 :])
    inside = jnp.expand_dims(inside, tuple(range(inside.ndim, len(shape))))
    return jnp.where(jnp.broadcast_to(inside, shape), jnp.broadcast_to(data, shape), jnp.zeros((), data.dtype))


def bcoo_reduce_sum(mat: BCOO, *, axes: Sequence[int]) -> BCOO:
    """Return the sums over axes, as a sparse array in which an index may occur several times.

    Args:
      mat: the array.
      axes: the axes to sum over.
    Returns:
      A `BCOO` without these axes.
    Raises:
      AssertionError: an axis is not one of the array.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_reduce_sum(sparse.eye(3), axes=(0,)).todense()
    Array([1., 1., 1.], dtype=float32)
    """
    axes = tuple(sorted({operator.index(i) for i in axes}))
    if any([not 0 <= i < mat.ndim for i in axes]):
        raise AssertionError(f"axes={axes} are not all axes of an array of shape {mat.shape}")
    p = of(mat)
    n, m = p.n_batch, p.n_batch + p.n_sparse
    data, indices = mat.data, mat.indices
    kept = [k for k in range(p.n_sparse) if k + n not in axes]
    if p.n_sparse:
        data = _without_outside(data, indices, mat.shape[n:m], n)
    if len(kept) != p.n_sparse:
        indices = indices[..., np.array(kept, np.int32)]
    dense = tuple([i - p.n_sparse + 1 for i in axes if i >= m])
    if dense:
        data = data.sum(dense, dtype=data.dtype)
    summed = [i for i in axes if i < n]
    alike = tuple([i for i in summed if indices.shape[i] == 1])
    if alike:  # the indices are the same in every batch
        times = prod([mat.shape[i] for i in alike if data.shape[i] == 1])
        data = data.sum(alike, keepdims=True, dtype=data.dtype) * jnp.asarray(times, data.dtype)
    rest = [i for i in range(n) if i not in summed]
    sizes = [max(data.shape[i], indices.shape[i]) for i in range(n)]

    def joined(x):
        x = jnp.broadcast_to(x, (*[sizes[i] if i in summed else x.shape[i] for i in range(n)], *x.shape[n:]))
        x = x.transpose((*rest, *summed, *range(n, x.ndim)))
        k = len(rest)
        return x.reshape((*x.shape[:k], prod(x.shape[k : n + 1]), *x.shape[n + 1 :]))

    if summed:
        data, indices = joined(data), joined(indices)
    shape = tuple([d for i, d in enumerate(mat.shape) if i not in axes])
    return BCOO((data, indices), shape=shape)
