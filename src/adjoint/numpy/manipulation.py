"""Functions that rearrange arrays: shapes, axes, joining, splitting, repeating, padding, diagonals."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from .. import lax
from ..array.array import as_array
from ..core import dtypes
from ..core.errors import message
from ..core.types import Array
from ..prims.shape import insert_axes
from ..transforms.jit import inner_jit
from ..transforms.vmap import vmap
from . import reductions, ufuncs
from .creation import arange, array, asarray
from .promotion import check_arraylike, convert, promote, shape_of
from .reductions import canonical_axes, canonical_axis

__all__ = [
    "append", "apply_along_axis", "apply_over_axes", "array_split", "atleast_1d", "atleast_2d",
    "atleast_3d", "block", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "column_stack",
    "concat", "concatenate", "delete", "diag", "diagflat", "diagonal", "dsplit", "dstack",
    "expand_dims", "fill_diagonal", "flip", "fliplr", "flipud", "hsplit", "hstack", "insert",
    "matrix_transpose", "moveaxis", "pad", "permute_dims", "piecewise", "ravel", "repeat", "reshape",
    "resize", "roll", "rollaxis", "rot90", "split", "squeeze", "stack", "swapaxes", "tile", "trace",
    "transpose", "tril", "trim_zeros", "triu", "unstack", "vectorize", "vsplit", "vstack",
]


def _operand(name, a) -> Array:
    check_arraylike(name, a)
    return a if isinstance(a, Array) else as_array(a)


# ---- shape ----------------------------------------------------------------------------------------


def reshape(a, shape, order="C", *, copy=None, out_sharding=None):
    """The elements in another shape.

    Args:
      shape: an int or ints; one may be -1 and is computed.
      order: "C" or "F".
    Raises:
      TypeError: the number of elements differs.

    >>> reshape(jnp.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]], dtype=int32)
    """
    a = _operand("reshape", a)
    new = _new_shape(a, shape)
    if order == "F":
        flipped = lax.reshape(lax.transpose(a, range(a.ndim)[::-1]), new[::-1])
        return lax.transpose(flipped, range(len(new))[::-1])
    if order != "C":
        raise ValueError(f"Unexpected value for 'order' argument: {order}. Valid: 'C', 'F'.")
    return a if new == a.shape else lax.reshape(a, new)


def _new_shape(a, shape) -> tuple[int, ...]:
    shape = lax.canonical_shape(shape if isinstance(shape, (tuple, list)) else (shape,))
    if -1 not in shape:
        if prod(shape) != a.size:
            raise TypeError(
                f"cannot reshape array of shape {a.shape} (size {a.size}) into shape {shape} "
                f"(size {prod(shape)})"
            )
        return shape
    rest = prod(d for d in shape if d != -1)
    if shape.count(-1) > 1:
        raise ValueError(f"can only specify one unknown axis size with a `-1` value, got {shape}")
    if rest == 0 and a.size == 0:
        return tuple([0 if d == -1 else d for d in shape])
    if rest == 0 or a.size % rest:
        raise TypeError(
            f"cannot reshape array of shape {a.shape} (size {a.size}) into shape {shape} because the "
            f"product of specified axis sizes ({rest}) does not evenly divide {a.size}"
        )
    return tuple([a.size // rest if d == -1 else d for d in shape])


def ravel(a, order="C", *, out_sharding=None):
    """The elements as one axis.

    >>> ravel(jnp.ones((2, 2)))
    Array([1., 1., 1., 1.], dtype=float32)
    """
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'. Try: order='C'")
    return reshape(a, (-1,) if np.size(a) or np.ndim(a) else (1,), order)


def transpose(a, axes=None):
    """The axes in another order; reversed without `axes`.

    >>> transpose(jnp.ones((2, 3))).shape
    (3, 2)
    """
    a = _operand("transpose", a)
    if axes is None:
        order = tuple(range(a.ndim)[::-1])
    else:
        order = tuple([canonical_axis(i, a.ndim) for i in axes])
        if len(order) != a.ndim:
            raise ValueError(f"axes {axes} don't match an array of shape {a.shape}")
    return lax.transpose(a, order) if order != tuple(range(a.ndim)) else a


permute_dims = transpose


def matrix_transpose(x, /):
    """The last two axes exchanged."""
    x = _operand("matrix_transpose", x)
    if x.ndim < 2:
        raise ValueError(f"x must be at least two-dimensional for matrix_transpose; got ndim={x.ndim}")
    return swapaxes(x, -1, -2)


def swapaxes(a, axis1, axis2):
    """Two axes exchanged."""
    a = _operand("swapaxes", a)
    order = list(range(a.ndim))
    i, j = canonical_axis(axis1, a.ndim), canonical_axis(axis2, a.ndim)
    order[i], order[j] = order[j], order[i]
    return transpose(a, order)


def moveaxis(a, source, destination):
    """Axes moved to other positions; the others keep their order.

    >>> moveaxis(jnp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    a = _operand("moveaxis", a)
    source, destination = canonical_axes(source, a.ndim), canonical_axes(destination, a.ndim)
    if len(source) != len(destination):
        raise ValueError(
            f"Inconsistent number of elements: {len(source)} vs {len(destination)} in moveaxis"
        )
    order = [i for i in range(a.ndim) if i not in source]
    for to, of in sorted(zip(destination, source)):
        order.insert(to, of)
    return transpose(a, order)


def rollaxis(a, axis, start=0):
    """One axis rolled back until it stands before `start`."""
    a = _operand("rollaxis", a)
    axis = canonical_axis(axis, a.ndim)
    start = operator.index(start)
    if not -a.ndim <= start <= a.ndim:
        raise ValueError(f"start={start} must satisfy {-a.ndim}<=start<={a.ndim}")
    start += a.ndim if start < 0 else 0
    return moveaxis(a, axis, start - (start > axis))


def expand_dims(a, axis):
    """New axes of length 1 at these positions of the result.

    >>> expand_dims(jnp.ones(3), 0).shape
    (1, 3)
    """
    a = _operand("expand_dims", a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return lax.expand_dims(a, canonical_axes(tuple(axes), a.ndim + len(axes)))


def squeeze(a, axis=None):
    """Without axes of length 1: all of them, or the given ones."""
    a = _operand("squeeze", a)
    if axis is None:
        axes = tuple([i for i, n in enumerate(a.shape) if n == 1])
    else:
        axes = canonical_axes(axis if isinstance(axis, (tuple, list)) else (axis,), a.ndim)
    return lax.squeeze(a, axes) if axes else a


@inner_jit(inline=False)
def atleast_1d(*arys):
    """The arguments as arrays with one axis at least."""
    return _at_least("atleast_1d", arys, lambda x: x if x.ndim else insert_axes(x, (0,)))


@inner_jit(inline=False)
def atleast_2d(*arys):
    """The arguments as arrays with two axes at least; new ones are put in front."""
    widen = lambda x: x if x.ndim > 1 else insert_axes(x, (0,) if x.ndim else (0, 1))
    return _at_least("atleast_2d", arys, widen)


@inner_jit(inline=False)
def atleast_3d(*arys):
    """The arguments as arrays with three axes at least."""
    axes = {0: (0, 1, 2), 1: (0, 2), 2: (2,)}
    widen = lambda x: insert_axes(x, axes[x.ndim]) if x.ndim < 3 else x
    return _at_least("atleast_3d", arys, widen)


def _at_least(name, arys, widen):
    check_arraylike(name, *arys)
    out = [widen(asarray(x)) for x in arys]
    return out[0] if len(out) == 1 else out


def broadcast_shapes(*shapes):
    """The shape that shapes broadcast to.

    >>> broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    return np.broadcast_shapes(*shapes)


def broadcast_to(array, shape, *, out_sharding=None):
    """The array stretched to a shape by NumPy's rules.

    >>> broadcast_to(jnp.arange(2), (2, 2))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
    a = _operand("broadcast_to", array)
    shape = lax.canonical_shape(shape if isinstance(shape, (tuple, list)) else (shape,))
    if a.shape == shape:
        return a
    lead = len(shape) - a.ndim
    if lead < 0 or any(n not in (1, m) for n, m in zip(a.shape, shape[lead:])):
        raise ValueError(
            message(
                f"Incompatible shapes for broadcasting: {a.shape} and requested shape {shape}",
                why="Aligned from the right, every length must be equal or 1.",
                fix="insert or move an axis, for example x[:, None]",
            )
        )
    return lax.broadcast_in_dim(a, shape, tuple(range(lead, len(shape))))


def broadcast_arrays(*args):
    """The arguments stretched to their common shape."""
    arrays = [_operand("broadcast_arrays", a) for a in args]
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    return [broadcast_to(a, shape) for a in arrays]


# ---- joining and splitting ------------------------------------------------------------------------


def concatenate(arrays, axis=0, dtype=None):
    """Arrays one after the other along an axis.

    Args:
      arrays: a sequence, or an array whose rows are meant.
      axis: None flattens the arrays first.

    >>> concatenate([jnp.zeros(1), jnp.ones(2)])
    Array([0., 1., 1.], dtype=float32)
    """
    parts = _parts("concatenate", arrays)
    if not parts:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        parts, axis = [ravel(p) for p in parts], 0
    if np.ndim(parts[0]) == 0:
        raise ValueError(
            "Zero-dimensional arrays cannot be concatenated.\n  Try: jnp.stack, or jnp.array([a, b])"
        )
    axis = canonical_axis(axis, np.ndim(parts[0]))
    parts = _same_dtype("concatenate", parts, dtype)
    return parts[0] if len(parts) == 1 else lax.concatenate(parts, axis)


def _parts(name, arrays) -> list:
    if isinstance(arrays, (Array, np.ndarray)):
        if arrays.ndim == 0:
            raise TypeError(f"{name} needs a sequence of arrays, got an array of dimension 0.")
        return list(arrays)
    if not isinstance(arrays, Sequence):
        raise TypeError(f"{name} needs a sequence of arrays, got {type(arrays)}.")
    check_arraylike(name, *arrays)
    return list(arrays)


def _same_dtype(name, parts, dtype) -> list[Array]:
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, name)
        return [convert(asarray(p), dtype) for p in parts]
    avals = [asarray(p) for p in parts]
    joined, weak = dtypes.lattice_result_type(*avals)
    return [convert(p, joined, weak) for p in avals]


def concat(arrays, /, *, axis=0):
    """`concatenate` under the array API's name."""
    return concatenate(arrays, axis)


def stack(arrays, axis=0, out=None, dtype=None):
    """Arrays of one shape along a new axis.

    >>> stack([jnp.zeros(2), jnp.ones(2)])
    Array([[0., 0.],
           [1., 1.]], dtype=float32)
    """
    reductions._no_out("stack", out)
    parts = _parts("stack", arrays)
    if not parts:
        raise ValueError("Need at least one array to stack.")
    shapes = [shape_of(p) for p in parts]
    if any(s != shapes[0] for s in shapes):
        raise ValueError(
            message(
                "All input arrays must have the same shape.",
                why=f"Shapes: {shapes[:8]}{' ...' if len(shapes) > 8 else ''}",
                fix="jnp.concatenate to join arrays of different lengths, or jnp.pad",
            )
        )
    axis = canonical_axis(axis, len(shapes[0]) + 1)
    return lax.stack(_same_dtype("stack", parts, dtype), axis)


def unstack(x, /, *, axis=0):
    """The parts of an array along an axis, as a tuple."""
    x = _operand("unstack", x)
    if x.ndim == 0:
        raise ValueError("Unstack requires arrays with rank > 0, however a scalar array was passed.")
    return tuple(lax.unstack(x, canonical_axis(axis, x.ndim)))


def _stacking(name, at_least, axis, summary):
    def function(tup, dtype=None):
        parts = _parts(name, tup)
        widened = [at_least(p) for p in parts]
        along = axis if axis >= 0 else (0 if widened[0].ndim == 1 else 1)
        return concatenate(widened, along, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = summary
    return function


vstack = _stacking("vstack", atleast_2d, 0, "Arrays one below the other, along axis 0.")
hstack = _stacking("hstack", atleast_1d, -1, "Arrays side by side: along axis 1, or 0 if they have one.")
dstack = _stacking("dstack", atleast_3d, 2, "Arrays one behind the other, along axis 2.")


def column_stack(tup):
    """Arrays as columns: those with one axis become columns."""
    parts = [_operand("column_stack", p) for p in _parts("column_stack", tup)]
    return concatenate([p if p.ndim > 1 else atleast_2d(p).T for p in parts], 1)


def _cuts(name, n, indices_or_sections, even) -> list[int]:
    """Where the parts begin and end along an axis of length n."""
    if isinstance(indices_or_sections, (tuple, list)) or np.ndim(indices_or_sections):
        cuts = [operator.index(i) for i in indices_or_sections]
        cuts = [min(max(c + n if c < 0 else c, 0), n) for c in cuts]
        return [0, *cuts, n]
    sections = operator.index(indices_or_sections)
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    size, left = divmod(n, sections)
    if left and even:
        raise ValueError(
            f"array split does not result in an equal division: axis of length {n} into {sections} parts"
            f"\n  Try: jnp.array_split, or the {name} indices as a list"
        )
    return [i * size + min(i, left) for i in range(sections + 1)]


def _split(name, ary, indices_or_sections, axis, even):
    a = _operand(name, ary)
    axis = canonical_axis(axis, a.ndim)
    cuts = _cuts(name, a.shape[axis], indices_or_sections, even)
    if all(i <= j for i, j in zip(cuts, cuts[1:])):
        return list(lax.split(a, [j - i for i, j in zip(cuts, cuts[1:])], axis))
    return [lax.slice_in_dim(a, i, max(i, j), axis=axis) for i, j in zip(cuts, cuts[1:])]


def split(ary, indices_or_sections, axis=0):
    """Parts of an array along an axis.

    Args:
      indices_or_sections: the number of equal parts, or the indices where parts begin.

    >>> split(jnp.arange(4), 2)
    [Array([0, 1], dtype=int32), Array([2, 3], dtype=int32)]
    """
    return _split("split", ary, indices_or_sections, axis, even=True)


def array_split(ary, indices_or_sections, axis=0):
    """`split` into parts that may differ in length by one."""
    return _split("array_split", ary, indices_or_sections, axis, even=False)


def vsplit(ary, indices_or_sections):
    """`split` along axis 0."""
    return _split("vsplit", ary, indices_or_sections, 0, even=True)


def hsplit(ary, indices_or_sections):
    """`split` along axis 1, or 0 if there is one axis."""
    return _split("hsplit", ary, indices_or_sections, 0 if np.ndim(ary) == 1 else 1, even=True)


def dsplit(ary, indices_or_sections):
    """`split` along axis 2."""
    return _split("dsplit", ary, indices_or_sections, 2, even=True)


def block(arrays):
    """An array from nested lists of blocks: the innermost lists along the last axis, and so on."""

    def depth(x):
        return 1 + depth(x[0]) if isinstance(x, (list, tuple)) else 0

    def leaves(x):
        return [y for part in x for y in leaves(part)] if isinstance(x, (list, tuple)) else [x]

    levels = depth(arrays)
    rank = max([levels, *(np.ndim(x) for x in leaves(arrays))])

    def build(x, level):
        if not isinstance(x, (list, tuple)):
            x = asarray(x)
            return insert_axes(x, tuple(range(rank - x.ndim))) if x.ndim < rank else x
        return concatenate([build(part, level - 1) for part in x], axis=-level)

    return build(arrays, levels)


@inner_jit(static_argnames=("axis",))
def append(arr, values, axis=None):
    """`values` after `arr`: flat, or along an axis."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis)


def tile(A, reps):
    """The array repeated as a whole along each axis.

    >>> tile(jnp.array([1, 2]), 2)
    Array([1, 2, 1, 2], dtype=int32)
    """
    a = _operand("tile", A)
    reps = tuple([operator.index(r) for r in (reps if isinstance(reps, (tuple, list)) else (reps,))])
    rank = max(a.ndim, len(reps))
    reps = (1,) * (rank - len(reps)) + reps
    if a.ndim < rank:
        a = insert_axes(a, tuple(range(rank - a.ndim)))
    return a if all(r == 1 for r in reps) else lax.tile(a, reps)


def repeat(a, repeats, axis=None, *, total_repeat_length=None, out_sharding=None):
    """Each element repeated.

    Args:
      repeats: an int, or ints along the axis.
      axis: without it, the array is flattened.
      total_repeat_length: the length of the result, needed where `repeats` is traced; extra elements are
        dropped, missing ones repeat the last.

    >>> repeat(jnp.array([1, 2]), 2)
    Array([1, 1, 2, 2], dtype=int32)
    """
    a = _operand("repeat", a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(axis, a.ndim)
    n = a.shape[axis]
    concrete = None if isinstance(repeats, Array) and repeats.concrete() is None else np.asarray(repeats)
    if concrete is None and total_repeat_length is None:
        raise _traced_repeats(repeats)
    if concrete is not None and concrete.size == 1 and total_repeat_length is None:
        k = int(concrete.reshape(()))
        wide = (*a.shape[: axis + 1], k, *a.shape[axis + 1 :])
        kept = tuple([i for i in range(len(wide)) if i != axis + 1])
        shape = (*a.shape[:axis], n * k, *a.shape[axis + 1 :])
        return lax.reshape(lax.broadcast_in_dim(a, wide, kept), shape)
    if concrete is not None:
        rows = np.repeat(np.arange(n), np.broadcast_to(concrete.reshape(-1), (n,)))
        if total_repeat_length is not None:
            last = rows[-1:] if rows.size else np.zeros(1, int)
            rows = np.concatenate([rows, np.repeat(last, max(0, total_repeat_length - rows.size))])
            rows = rows[:total_repeat_length]
        return _take_rows(a, asarray(rows.astype(np.int32)), axis)
    counts = broadcast_to(ravel(repeats), (n,))
    ends = reductions.cumsum(counts)
    starts = ufuncs.subtract(ends, counts)
    marks = lax.full((total_repeat_length,), 0, dtypes.default_int()).at[starts].add(1, mode="drop")
    return _take_rows(a, ufuncs.subtract(reductions.cumsum(marks), 1), axis)


def _traced_repeats(repeats):
    from ..core.errors import ConcretizationTypeError

    return ConcretizationTypeError(
        repeats,
        "When jit-compiling jnp.repeat, the total number of repeats must be static. To fix this, either "
        "specify a static value for `repeats`, or pass a static value to `total_repeat_length`.",
    )


def _take_rows(a, rows, axis):
    from .indexing import take

    return take(a, rows, axis=axis)


def resize(a, new_shape):
    """The elements, repeated as often as needed, in a shape."""
    a = ravel(_operand("resize", a))
    shape = lax.canonical_shape(new_shape if isinstance(new_shape, (tuple, list)) else (new_shape,))
    if any(d < 0 for d in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    size = prod(shape)
    if a.size == 0 or size == 0:
        return lax.full(shape, 0, a.dtype)
    times = -(-size // a.size)
    return reshape(lax.slice_in_dim(tile(a, times), 0, size), shape)


# ---- order ----------------------------------------------------------------------------------------


@inner_jit(static_argnames=("axis",))
def _flip(m, axis):
    return lax.rev(m, canonical_axes(axis, m.ndim))


def flip(m, axis=None):
    """The elements in reverse order along axes."""
    return _flip(_operand("flip", m), tuple(axis) if isinstance(axis, list) else axis)


def flipud(m):
    """`flip` along axis 0."""
    return _flip(_operand("flipud", m), 0)


def fliplr(m):
    """`flip` along axis 1."""
    return _flip(_operand("fliplr", m), 1)


@inner_jit(static_argnames=("k", "axes"))
def rot90(m, k=1, axes=(0, 1)):
    """Rotated by 90 degrees, `k` times, in the plane of two axes."""
    m = asarray(m)
    first, second = canonical_axes(tuple(axes), m.ndim)
    k %= 4
    if k == 0:
        return m
    if k == 2:
        return flip(flip(m, first), second)
    order = list(range(m.ndim))
    order[first], order[second] = second, first
    return transpose(flip(m, second), order) if k == 1 else flip(transpose(m, order), second)


@inner_jit(static_argnames=("shift", "axis"))
def _roll_static(a, shift, axis):
    for by, i in zip(shift, axis):
        n = a.shape[i]
        by = by % n if n else 0
        if by:
            left = lax.slice_in_dim(a, n - by, n, axis=i, stride=1)
            right = lax.slice_in_dim(a, 0, n - by, axis=i, stride=1)
            a = lax.concatenate([left, right], i)
    return a


@inner_jit(static_argnames=("axis",))
def _roll_dynamic(a, shift, axis):
    for by, i in zip(shift, axis):
        n = a.shape[i] or 1
        start = lax.rem(lax.sub(n, lax.rem(by, n)) + n, n)
        twice = lax.concatenate([a, a], i)
        a = lax.dynamic_slice_in_dim(twice, start, a.shape[i], axis=i)
    return a


def roll(a, shift, axis=None):
    """The elements shifted along axes; what leaves at the end enters at the beginning.

    >>> roll(jnp.arange(4), 1)
    Array([3, 0, 1, 2], dtype=int32)
    """
    a = _operand("roll", a)
    if axis is None:
        return reshape(roll(ravel(a), shift, 0), a.shape)
    axes = canonical_axes(axis if isinstance(axis, (tuple, list)) else (axis,), a.ndim)
    shifts = shift if isinstance(shift, (tuple, list)) else np.asarray(shift).reshape(-1).tolist() if (
        not isinstance(shift, Array)) else [shift] if shift.ndim == 0 else list(shift)
    if len(shifts) != len(axes):
        if 1 not in (len(shifts), len(axes)):
            raise ValueError("axis and shift must have equal lengths")
        k = max(len(shifts), len(axes))
        shifts, axes = list(shifts) * (k // len(shifts)), axes * (k // len(axes))
    if all(not isinstance(s, Array) for s in shifts):
        return _roll_static(a, tuple(operator.index(s) for s in shifts), tuple(axes))
    return _roll_dynamic(a, tuple(convert(s, dtypes.default_int()) for s in shifts), tuple(axes))


# ---- triangles and diagonals ----------------------------------------------------------------------


def _triangle_mask(shape, k):
    row = lax.broadcasted_iota(dtypes.default_int(), shape, 0)
    return lax.ge(lax.add(row, k), lax.broadcasted_iota(dtypes.default_int(), shape, 1))


def _check_matrix(name, m):
    m = _operand(name, m)
    if m.ndim < 2:
        raise ValueError(f"Argument to jax.numpy.{name} must be at least 2D, got shape {m.shape}")
    return m


@inner_jit(static_argnames=("k",))
def tril(m, k=0):
    """The lower triangle of matrices, zero above the k-th diagonal."""
    m = _check_matrix("tril", m)
    keep = _triangle_mask(m.shape[-2:], k)
    return lax.select(lax.broadcast(keep, m.shape[:-2]), m, lax.full_like(m, 0))


@inner_jit(static_argnames=("k",))
def triu(m, k=0):
    """The upper triangle of matrices, zero below the k-th diagonal."""
    m = _check_matrix("triu", m)
    drop = _triangle_mask(m.shape[-2:], k - 1)
    return lax.select(lax.broadcast(drop, m.shape[:-2]), lax.full_like(m, 0), m)


@inner_jit(static_argnames=("offset", "axis1", "axis2"))
def diagonal(a, offset=0, axis1=0, axis2=1):
    """The diagonal over two axes, as the last axis.

    >>> diagonal(jnp.eye(2))
    Array([1., 1.], dtype=float32)
    """
    a = _operand("diagonal", a)
    if a.ndim < 2:
        raise ValueError("diagonal requires an array of at least two dimensions.")
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    rows, columns = a.shape[-2:]
    size = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    i = arange(size)
    return a[..., ufuncs.subtract(i, min(offset, 0)) if offset < 0 else i,
             ufuncs.add(i, offset) if offset > 0 else i]


@inner_jit(static_argnames=("k",), name="_diag")
def _diag(v, k):
    if v.ndim == 2:
        return diagonal(v, offset=k)
    size = v.shape[0] + abs(k)
    v = lax.pad(v, lax.full_like(v, 0, shape=()), ((max(0, k), max(0, -k), 0),))
    row = lax.broadcasted_iota(dtypes.default_int(), (size, size), 0)
    column = lax.broadcasted_iota(dtypes.default_int(), (size, size), 1)
    return ufuncs.where(lax.eq(lax.add(row, k), column), insert_axes(v, (1,)) if k >= 0 else
                        insert_axes(v, (1,)), v.dtype.type(0))


def diag(v, k=0):
    """The matrix with this diagonal, or the diagonal of this matrix.

    >>> diag(jnp.array([1., 2.]))
    Array([[1., 0.],
           [0., 2.]], dtype=float32)
    """
    v = _operand("diag", v)
    if v.ndim not in (1, 2):
        raise ValueError(f"diag input must be 1d or 2d, got shape {v.shape}")
    return _diag(v, operator.index(k))


def diagflat(v, k=0):
    """The matrix with the flattened elements as its diagonal."""
    return diag(ravel(_operand("diagflat", v)), k)


@inner_jit(static_argnames=("offset", "axis1", "axis2", "dtype"))
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum of the diagonal over two axes."""
    reductions._no_out("trace", out)
    a = moveaxis(_operand("trace", a), (axis1, axis2), (-2, -1))
    shape = a.shape[-2:]
    row = lax.broadcasted_iota(dtypes.default_int(), shape, 0)
    column = lax.broadcasted_iota(dtypes.default_int(), shape, 1)
    on = lax.eq(lax.add(row, offset), column)
    return reductions.sum(ufuncs.where(on, a, lax.full_like(a, 0)), axis=(-2, -1), dtype=dtype)


def fill_diagonal(a, val, wrap=False, *, inplace=True):
    """The array with another diagonal. Arrays are immutable: pass ``inplace=False``."""
    if inplace:
        raise NotImplementedError("JAX arrays are immutable, must use inplace=False")
    if wrap:
        raise NotImplementedError("wrap=True is not implemented, must use wrap=False")
    a = _operand("fill_diagonal", a)
    if a.ndim < 2 or (a.ndim > 2 and len(set(a.shape)) > 1):
        raise ValueError(f"All dimensions of input must be of equal length, got shape {a.shape}")
    i = arange(min(a.shape))
    val = asarray(val)
    return a.at[(i,) * a.ndim].set(val if val.ndim == 0 else resize(val, (i.shape[0],)))


# ---- padding --------------------------------------------------------------------------------------


def pad(array, pad_width, mode: str | Callable = "constant", **kwargs):
    """Elements added around an array.

    Args:
      pad_width: an int, (before, after), or one such pair for each axis; or a dict by axis.
      mode: "constant" (`constant_values`), "edge", "reflect" and "symmetric" (`reflect_type` "even"),
        "wrap", "linear_ramp" (`end_values`), "maximum", "minimum", "mean" (over the whole axis),
        "empty" or a function.

    >>> pad(jnp.ones(2), 1)
    Array([0., 1., 1., 0.], dtype=float32)
    """
    a = _operand("pad", array)
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(i, pad_width.get(i - a.ndim, 0)) for i in range(a.ndim)]
        pad_width = [(w, w) if np.ndim(w) == 0 else tuple(w) for w in pad_width]
    widths = np.broadcast_to(np.asarray(pad_width), (a.ndim, 2)).tolist() if a.ndim else []
    if any(w < 0 for pair in widths for w in pair):
        raise ValueError("index can't contain negative values")
    if mode == "constant" or mode == "empty":
        values = kwargs.get("constant_values", 0)
        return _pad(a, values, tuple(map(tuple, widths)))
    for axis, (before, after) in enumerate(widths):
        if before or after:
            a = _pad_axis(a, axis, before, after, mode, kwargs)
    return a


@inner_jit(static_argnames=("widths",), name="_pad")
def _pad(array, constant_values, widths):
    values = asarray(constant_values)
    values = convert(values, array.dtype)
    if values.ndim == 0:
        return lax.pad(array, values, [(lo, hi, 0) for lo, hi in widths])
    values = broadcast_to(values, (array.ndim, 2))
    for i, (lo, hi) in enumerate(widths):
        config = [(0, 0, 0)] * array.ndim
        config[i] = (lo, 0, 0)
        array = lax.pad(array, values[i, 0], config)
        config[i] = (0, hi, 0)
        array = lax.pad(array, values[i, 1], config)
    return array


def _pad_axis(a, axis, before, after, mode, options):
    n = a.shape[axis]
    if n == 0 and mode in ("edge", "reflect", "symmetric", "wrap"):
        raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    if mode in ("edge", "reflect", "symmetric", "wrap"):
        i = np.arange(-before, n + after)
        if mode == "edge":
            rows = np.clip(i, 0, n - 1)
        elif mode == "wrap":
            rows = i % n
        elif options.get("reflect_type", "even") != "even":
            raise NotImplementedError("pad: reflect_type='odd' is not supported. Try: reflect_type='even'")
        elif mode == "reflect":
            period = max(2 * n - 2, 1)
            rows = np.minimum(i % period, period - i % period) if n > 1 else np.zeros_like(i)
        else:
            rows = np.minimum(i % (2 * n), 2 * n - 1 - i % (2 * n))
        return _take_rows(a, asarray(rows.astype(np.int32)), axis)
    edge = lambda i: lax.slice_in_dim(a, i, i + 1, axis=axis)
    if mode in ("maximum", "minimum", "mean"):
        function = getattr(reductions, {"maximum": "max", "minimum": "min", "mean": "mean"}[mode])
        value = function(a, axis=axis, keepdims=True)
        value = convert(ufuncs.round(value) if mode == "mean" and a.dtype.kind in "iu" else value, a.dtype)
        parts = [value, value]
    elif mode == "linear_ramp":
        ends = np.broadcast_to(np.asarray(options.get("end_values", 0)), (a.ndim, 2))[axis]
        parts = [_ramp(e, edge(i), k, axis, flip) for e, i, k, flip in
                 ((ends[0], 0, before, False), (ends[1], n - 1, after, True))]
        return concatenate([parts[0], a, parts[1]], axis)
    elif callable(mode):
        return _pad_by_function(a, axis, before, after, mode, options)
    else:
        raise NotImplementedError(f"Unimplemented padding mode '{mode}' for np.pad.")
    repeated = [repeat(p, k, axis) for p, k in zip(parts, (before, after))]
    return concatenate([repeated[0], a, repeated[1]], axis)


def _ramp(end, edge, k, axis, flipped):
    shape = [1] * edge.ndim
    shape[axis] = k
    steps = reshape(arange(k, dtype=np.float32), shape) / max(k, 1)
    ramp = end + (edge - end) * (steps if not flipped else steps)
    ramp = convert(ramp, edge.dtype) if edge.dtype.kind == "f" else ramp.astype(edge.dtype)
    return flip(ramp, axis) if flipped else ramp


def _pad_by_function(a, axis, before, after, function, options):
    config = [(0, 0, 0)] * a.ndim
    config[axis] = (before, after, 0)
    padded = lax.pad(a, lax.full_like(a, 0, shape=()), config)
    return apply_along_axis(function, axis, padded, (before, after), axis, options)


# ---- insertion and deletion -----------------------------------------------------------------------


def delete(arr, obj, axis=None, *, assume_unique_indices=False):
    """The array without the elements at some indices of an axis, which must be concrete.

    >>> delete(jnp.arange(3), 1)
    Array([0, 2], dtype=int32)
    """
    a = _operand("delete", arr)
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(axis, a.ndim)
    if isinstance(obj, Array) and obj.concrete() is None:
        if not (assume_unique_indices or obj.size == 1):
            raise _traced_positions("delete", obj)
        i = ufuncs.where(ufuncs.less(ravel(obj), 0), ufuncs.add(ravel(obj), a.shape[axis]), ravel(obj))
        from .sorting import sort

        i = sort(i)
        shifted = ufuncs.subtract(i, arange(i.shape[0]))
        rows = arange(a.shape[axis] - i.shape[0])
        passed = reductions.sum(ufuncs.greater_equal(rows[None], shifted[:, None]), axis=0)
        return _take_rows(a, ufuncs.add(rows, passed), axis)
    obj = obj if isinstance(obj, slice) else np.asarray(obj)
    rows = np.delete(np.arange(a.shape[axis]), obj)
    return _take_rows(a, asarray(rows.astype(np.int32)), axis)


def insert(arr, obj, values, axis=None):
    """The array with values put before some indices of an axis, which must be concrete."""
    a, values = map(asarray, promote_dtypes("insert", arr, values))
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(axis, a.ndim)
    if isinstance(obj, Array) and obj.concrete() is None:
        raise _traced_positions("insert", obj)
    place = np.insert(np.zeros(a.shape[axis], bool), obj if isinstance(obj, slice) else np.asarray(obj), True)
    if np.ndim(obj) == 0 and not isinstance(obj, slice) and values.ndim:
        values = moveaxis(values, 0, axis) if values.ndim == a.ndim else values
        example = np.insert(np.zeros(a.shape, bool), int(np.asarray(obj)), np.ones(values.shape, bool), axis)
        place = example.reshape(example.shape).any(tuple(i for i in range(a.ndim) if i != axis))
    order = np.argsort(np.argsort(np.asarray(obj).ravel(), kind="stable"), kind="stable") if (
        np.ndim(obj) and not isinstance(obj, slice)) else None
    k = int(place.sum())
    shape = (*a.shape[:axis], k, *a.shape[axis + 1 :])
    filled = broadcast_to(values if values.ndim else insert_axes(values, tuple(range(a.ndim))), shape)
    if order is not None and k == order.size:
        filled = _take_rows(filled, asarray(np.argsort(order).astype(np.int32)), axis)
    rows = np.where(place, np.cumsum(place) - 1 + a.shape[axis], np.cumsum(~place) - 1)
    return _take_rows(concatenate([a, filled], axis), asarray(rows.astype(np.int32)), axis)


def promote_dtypes(name, *args):
    """Operands of one dtype, shapes as they are."""
    check_arraylike(name, *args)
    dtype, weak = dtypes.lattice_result_type(*args)
    return [convert(a, dtype, weak) for a in args]


def _traced_positions(name, obj):
    from ..core.errors import ConcretizationTypeError

    return ConcretizationTypeError(
        obj, f"The indices of jnp.{name} decide the shape of the result, so they must be concrete."
    )


def trim_zeros(filt, trim="fb"):
    """A 1-D array without zeros at its front ("f") and back ("b"); the values must be concrete."""
    values = np.asarray(filt)
    nonzero = np.flatnonzero(values)
    start = nonzero[0] if nonzero.size and "f" in trim.lower() else 0 if "f" not in trim.lower() else len(values)
    end = nonzero[-1] + 1 if nonzero.size and "b" in trim.lower() else len(values)
    return asarray(filt)[int(start) : int(end)]


# ---- functions over slices ------------------------------------------------------------------------


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """A function of 1-D arrays applied to every slice along an axis."""
    arr = _operand("apply_along_axis", arr)
    axis = canonical_axis(axis, arr.ndim)
    call = lambda x: func1d(x, *args, **kwargs)
    for i in range(1, arr.ndim - axis):
        call = vmap(call, in_axes=i, out_axes=-1)
    for _ in range(axis):
        call = vmap(call, in_axes=0, out_axes=0)
    return call(arr)


def apply_over_axes(func, a, axes):
    """A function `(array, axis)` applied over several axes in turn."""
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        b = func(a, axis=axis)
        a = b if np.ndim(b) == np.ndim(a) else expand_dims(b, axis)
    return a


def piecewise(x, condlist, funclist, *args, **kw):
    """A function chosen for each element by the first condition that holds.

    Args:
      funclist: functions of `x` or constants, one for each condition, and maybe one for the rest.
    """
    x = _operand("piecewise", x)
    conditions = [asarray(c) for c in (condlist if isinstance(condlist, (list, tuple)) else [condlist])]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ValueError(
            f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} "
            f"functions are expected; got {len(funclist)}"
        )
    rest = funclist[len(conditions)] if len(funclist) > len(conditions) else 0
    value = lambda f: f(x, *args, **kw) if callable(f) else f
    out = convert(asarray(value(rest)), x.dtype)
    for condition, f in reversed(list(zip(conditions, funclist))):
        out = ufuncs.where(condition, convert(asarray(value(f)), x.dtype), out)
    return broadcast_to(out, x.shape)


def vectorize(pyfunc, *, excluded=frozenset(), signature=None):
    """A function of scalars (or, with `signature`, of small arrays) that broadcasts.

    Args:
      excluded: positions or names of arguments that are passed as they are.
      signature: such as ``"(n),(m,n)->(m)"``.

    >>> vectorize(lambda a, b: a * b)(jnp.arange(3), 2)
    Array([0, 2, 4], dtype=int32)
    """
    from .vectorization import Vectorized

    return Vectorized(pyfunc, frozenset(excluded), signature)


