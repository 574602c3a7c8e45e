"""Functions that change shapes, join arrays and make them: `lax.reshape`, `concatenate`, `pad`,
`iota`, `full`, ...

Each checks its arguments, writes axes as the primitive wants them (non-negative, in tuples) and
calls the primitive; where there is nothing to do it returns its operand. Indexing is in
`slicing.py`.

Tests: `tests/lax/test_slicing.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..array.array import ArrayImpl, as_array, make_array
from ..array.sharded_array import move_array, place_for_shape
from ..core import dtypes
from ..core.messages.errors import axis_out_of_range, message, shorten
from ..core.messages.operands import has_no_value, valueless
from ..core.trace import Tracer, staged_scalar, state
from ..core.types import Array, aval_of, is_arraylike
from ..core.values.dimension import as_length
from ..core.values.dimension import broadcast_shapes as broadcast_lengths
from ..prims import shape as prims
from ..prims.collective import varying_like
from ..prims.conversion import convert_element_type
from ..prims.slicing import pad as pad_prim
from ..sharding.device import Sharding, sharding_said_by
from ..sharding.explicit import ExplicitSharding, told_sharding

__all__ = [
    "broadcast", "broadcast_in_dim", "broadcast_like", "broadcast_shapes", "broadcast_to_rank", "broadcasted_iota",
    "collapse", "concatenate", "empty", "expand_dims", "full", "full_like", "iota", "pad",
    "reshape", "rev", "split", "squeeze", "stack", "tile", "transpose", "unstack",
]


def operand_of(name: str, x: Any, position: int = 0):
    """`x` as an operand; NumPy arrays are copied, so that no result is a view of them."""
    if isinstance(x, Array):
        return x
    if isinstance(x, np.ndarray):
        return as_array(x) if x.ndim or x.dtype == dtypes.float0 else x[()]  # a scalar is a literal of programs
    if hasattr(x, "__jax_array__"):
        return operand_of(name, x.__jax_array__(), position)
    if is_arraylike(x):
        return x
    if has_no_value(x):
        raise TypeError(valueless(x, f"args[{position}]"))
    raise TypeError(
        message(
            f"Error interpreting argument to {name} as a JAX value. The problematic value is of "
            f"type {type(x)} and was passed to {name} at position {position}.",
            why="Functions of lax take arrays and scalars; lists are not converted silently.",
            fix=f"lax.{name}(jnp.asarray(...))",
        )
    )


def canonical_shape(shape, context: str = "") -> tuple[int, ...]:
    """A shape as a tuple of ints; TypeError if it is not one, or not known while tracing."""
    if type(shape) is int:
        return (shape,)
    try:
        if not isinstance(shape, Array):
            lengths = list(shape)
        elif shape.ndim and not shape.shape[0]:
            return ()  # also where it is traced
        else:
            lengths = list(np.asarray(shape).reshape(shape.shape or 1))
    except TypeError:
        lengths = [shape]
    if type(lengths) is not list:
        lengths = [lengths]
    try:
        return tuple([int(n) if isinstance(n, int) else as_length(n) for n in lengths])
    except TypeError:
        raise _bad_shape(shape, lengths, context) from None


def sequence_shape(shape) -> tuple[int, ...]:
    """A shape as a tuple of ints, where it is an int or a sequence: sets, iterators and texts are a TypeError too."""
    if isinstance(shape, (tuple, list, int, Array)) or np.ndim(shape):
        return canonical_shape(shape)
    return canonical_shape((shape,))


def _bad_shape(shape, lengths, context) -> TypeError:
    tracers = [n for n in (shape, *lengths) if isinstance(n, Tracer)]
    given = shape if isinstance(shape, (tuple, list, str, np.ndarray)) or np.ndim(shape) else tuple(lengths)
    what = (
        f"Shapes must be 1D sequences of concrete values of integer type, got {given}.{context}"
    )
    if not tracers:
        return TypeError(message(what, why="The length of an axis is an int.", fix="an int, or a tuple of ints"))
    return TypeError(
        message(
            what,
            why="The shape of a result must be known while the function is traced.\n"
            + tracers[0].origin(),
            fix=_static(tracers[0]) + " that decides a shape, or compute the shape from x.shape",
        )
    )


def _static(tracer) -> str:
    """Return how to make the argument that a traced value is static, by its name if it is one."""
    trace = tracer._trace
    name, function = "n", "f"
    debug = getattr(trace, "debug", None)
    if debug is not None and getattr(tracer, "_var", None) in trace.invars:
        name = debug.arg_name(trace.invars.index(tracer._var)) or name
        function = debug.func_name if debug.func_name.isidentifier() else function
    return f'jit({function}, static_argnames="{name.split("[")[0]}") for an argument {name}'


def canonical_axis(axis, ndim: int, kind: type[Exception] = ValueError) -> int:
    """An axis from 0 to ndim - 1; an error of that class if there is none."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise axis_out_of_range(axis, ndim, kind)
    return axis + ndim if axis < 0 else axis


def ints(values: Any) -> tuple[int, ...]:
    """Axes or lengths as a tuple of ints; TypeError if they are none, or not a sequence."""
    try:
        return tuple([v if type(v) is int else as_length(v) for v in values])
    except TypeError as error:
        fix = f"({values},), with a comma" if isinstance(values, int) else "a tuple of ints known while tracing"
        why = f"A sequence of ints is wanted, got {shorten(values)}."
        raise TypeError(message(str(error), why=why, fix=fix)) from None


def _listed(name: str, values: Any) -> tuple[int, ...]:
    """Return lengths as a tuple of ints; TypeError for an array, which is no parameter of an operation."""
    if isinstance(values, Array):
        why = f"{name} is a parameter of the operation, and parameters are compared."
        raise TypeError(message(f"unhashable type: '{type(values).__name__}'", why=why, fix=f"tuple({name}.tolist())"))
    return ints(values)


def flag(name: str, value: Any) -> bool:
    """Return a parameter that is a bool; TypeError if it is none."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(message(f"{name} must be a bool, got {shorten(value)}", fix=f"{name}=True"))
    return bool(value)


def _returned(x) -> Array:
    """Return an operand that is the result, where results are."""
    return state.bottom.placed(x if isinstance(x, Array) else as_array(x))


# ---- one array ----------------------------------------------------------------------------------


def reshape(
    operand, new_sizes, dimensions: Sequence[int] | None = None, *, out_sharding=None
) -> Array:
    """Give an array another shape; elements keep their row-major order.

    Args:
      operand: array or scalar.
      new_sizes: the shape, of as many elements.
      dimensions: a permutation to apply before, so that elements are read in another order.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape `new_sizes` with the same elements, in the same order. The dtype is that of `operand`.
    Raises:
      TypeError: the number of elements differs, or `dimensions` is no permutation.

    >>> lax.reshape(jnp.arange(4), (2, 2))
    Array([[0, 1],
           [2, 3]], dtype=int32)
    """
    operand = operand_of("reshape", operand)
    new_sizes = canonical_shape(new_sizes)
    if dimensions is not None:
        dimensions = ints(dimensions)
        if dimensions == tuple(range(len(dimensions))) and len(dimensions) == aval_of(operand).ndim:
            dimensions = None
    if dimensions is None and isinstance(operand, Array) and operand.shape == new_sizes and out_sharding is None:
        return _returned(operand)
    sharding = told_sharding("reshape", out_sharding)
    return prims.reshape(operand, new_sizes=new_sizes, dimensions=dimensions, sharding=sharding)


def collapse(operand: Array, start_dimension: int, stop_dimension: int | None = None) -> Array:
    """Merge the axes from `start_dimension` up to `stop_dimension` into one.

    Args:
      operand: array.
      start_dimension, stop_dimension: as in a Python slice of the shape; the default merges all
        that follow.
    Returns:
      An array with the same elements, in which the axes are one, of the length of their product.
      The dtype is that of `operand`.
    Raises:
      ValueError: the range is backwards.

    >>> lax.collapse(jnp.zeros((2, 3, 4)), 1).shape
    (2, 12)
    """
    lo, hi, _ = slice(start_dimension, stop_dimension).indices(len(operand.shape))
    if hi < lo:
        raise ValueError(
            message(
                "Invalid dimension range passed to collapse: "
                f"{operand.shape}[{start_dimension}:{stop_dimension}]",
                fix="lax.collapse(x, 0, x.ndim) for all",
            )
        )
    shape = operand.shape
    return reshape(operand, (*shape[:lo], prod(shape[lo:hi]), *shape[hi:]))


def transpose(operand, permutation) -> Array:
    """Put axes in another order: axis i of the result is axis `permutation[i]` of the operand.

    Args:
      operand: array.
      permutation: a permutation of range(ndim).
    Returns:
      An array with the same elements. In compiled programs it is a view: nothing is copied.
      The dtype is that of `operand`.
    Raises:
      TypeError: it is no permutation.

    >>> lax.transpose(jnp.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    operand = operand_of("transpose", operand)
    permutation = ints(permutation)
    if isinstance(operand, Array) and permutation == tuple(range(operand.ndim)):
        return _returned(operand)
    return prims.transpose(operand, permutation=permutation)


def rev(operand, dimensions: Sequence[int]) -> Array:
    """Reverse the order of elements along axes.

    Args:
      operand: array.
      dimensions: the axes, non-negative and distinct.
    Returns:
      An array of the operand's shape and dtype, in which position i along each of the axes is position n - 1 - i
      before.
    Raises:
      TypeError: an axis is out of range or named twice.

    >>> lax.rev(jnp.arange(3), (0,))
    Array([2, 1, 0], dtype=int32)
    """
    return prims.rev(operand_of("rev", operand), dimensions=ints(dimensions))


def squeeze(array, dimensions: Sequence[int]) -> Array:
    """Remove axes of length 1.

    Args:
      array: an array with axes of length 1.
      dimensions: the axes; negative ones count from the end.
    Returns:
      An array of the same elements and dtype without these axes.
    Raises:
      ValueError: an axis has another length, is out of range or named twice.

    >>> lax.squeeze(jnp.zeros((1, 3, 1)), (0, -1)).shape
    (3,)
    """
    array = operand_of("squeeze", array)
    ndim = aval_of(array).ndim
    axes = tuple([canonical_axis(d, ndim) for d in dimensions])
    if len(set(axes)) != len(axes):
        raise ValueError(message(f"dimensions are not unique: {axes}", fix="each axis once"))
    if not axes and isinstance(array, Array):
        return array
    return prims.squeeze(array, dimensions=axes)


def expand_dims(array, dimensions: Sequence[int]) -> Array:
    """Insert axes of length 1.

    Args:
      array: array or scalar.
      dimensions: where they are in the result; negative ones count from its end.
    Returns:
      An array with the same elements and `len(dimensions)` axes more. The dtype is that of `array`.
    Raises:
      ValueError: an axis is out of range or named twice.

    >>> lax.expand_dims(jnp.zeros((3,)), (0, -1)).shape
    (1, 3, 1)
    """
    array = operand_of("expand_dims", array)
    if len(set(dimensions)) != len(dimensions):
        raise ValueError(message(f"repeated axis in lax.expand_dims: {tuple(dimensions)}", fix="each axis once"))
    ndim = aval_of(array).ndim + len(dimensions)
    axes = {canonical_axis(d, ndim) for d in dimensions}
    if len(axes) != len(dimensions):
        raise ValueError(message(f"repeated axis in lax.expand_dims: {tuple(dimensions)}", fix="each axis once"))
    return prims.insert_axes(array, tuple(sorted(axes))) if axes else _returned(array)


# ---- broadcasting -------------------------------------------------------------------------------


def broadcast_shapes(*shapes):
    """Return the shape that arrays of these shapes broadcast to, by NumPy's rules.

    Args:
      *shapes: tuples of lengths, aligned at their ends; a length of 1, or none, fits any.
    Returns:
      A tuple, as long as the longest of them.
    Raises:
      ValueError: the shapes do not fit.
      TypeError: a length is negative.

    >>> lax.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    for shape in shapes:
        if isinstance(shape, (Array, np.ndarray)):
            shape = canonical_shape(shape)
        if any([n < 0 for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]):
            raise TypeError(
                message(
                    "Only non-negative indices are allowed when broadcasting static shapes, but got shape "
                    f"{shape!r}.", fix="jnp.reshape, for a length that follows from the others"
                )
            )
    try:
        return broadcast_lengths(*shapes)
    except ValueError:
        raise ValueError(
            message(
                f"Incompatible shapes for broadcasting: shapes={list(shapes)}",
                why="Aligned at the last axis, lengths must be equal or 1.",
                fix="x[:, None], to add an axis",
            )
        ) from None


def broadcast_like(arr, like_arr) -> Array:
    """Return an array repeated to the shape of another, by NumPy's rules: aligned at the last axes.

    Args:
      arr: array or scalar.
      like_arr: array, of which only the shape counts.
    Returns:
      An array of the shape of `like_arr` and the dtype of `arr`.
    Raises:
      ValueError: the shape does not broadcast to that of `like_arr`.

    >>> lax.broadcast_like(jnp.array([1, 2, 3]), jnp.zeros((2, 3)))
    Array([[1, 2, 3],
           [1, 2, 3]], dtype=int32)
    """
    arr = operand_of("broadcast_like", arr)
    aval, shape = aval_of(arr), aval_of(like_arr).shape
    if aval.ndim > len(shape):
        raise ValueError(
            message(
                f"Cannot broadcast to shape with fewer dimensions: arr_shape={aval.shape} shape={shape}",
                fix="x.reshape(shape), or x.sum(axis) to lose an axis",
            )
        )
    if any(n not in (1, m) for n, m in zip(reversed(aval.shape), reversed(shape))):
        raise ValueError(
            f"Incompatible types for broadcasting: input type={aval.str_short()} and requested "
            f"type={aval.update(shape=shape).str_short()}"
        )
    if aval.shape == shape:
        return _returned(arr)
    last = tuple(range(len(shape) - aval.ndim, len(shape)))
    return prims.broadcast_in_dim(arr, shape=shape, broadcast_dimensions=last, sharding=None)


def broadcast(operand, sizes: Sequence[int], *, out_sharding=None) -> Array:
    """Repeat an array along new leading axes.

    Args:
      operand: array or scalar.
      sizes: the lengths of the new axes.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape ``(*sizes, *operand.shape)``: the operand, repeated for each index of the new axes.
      The dtype is that of `operand`.
    Raises:
      TypeError: `operand` is not an array or scalar; lists are not converted.

    >>> lax.broadcast(jnp.arange(2), (2,))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
    operand = operand_of("broadcast", operand)
    sizes = _listed("sizes", sizes)
    shape = sizes + aval_of(operand).shape
    kept = range(len(sizes), len(shape))
    return broadcast_in_dim(operand, shape, kept, out_sharding=out_sharding)


def broadcast_in_dim(
    operand, shape, broadcast_dimensions: Sequence[int], *, out_sharding=None
) -> Array:
    """Broadcast an array to a shape, saying which axis goes where.

    Args:
      operand: array or scalar.
      shape: the shape of the result.
      broadcast_dimensions: for each axis of the operand, the axis of the result. An axis of length 1
        stretches.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape `shape`, in which elements are repeated along axes that are new or were of length 1.
      The dtype is that of `operand`.
    Raises:
      TypeError: lengths do not fit or axes are out of range.

    >>> lax.broadcast_in_dim(jnp.arange(2), (2, 3), (0,))
    Array([[0, 0, 0],
           [1, 1, 1]], dtype=int32)
    """
    operand = operand_of("broadcast_in_dim", operand)
    shape, axes = canonical_shape(shape), ints(broadcast_dimensions)
    if (isinstance(operand, Array) and operand.shape == shape and axes == tuple(range(len(shape)))
            and out_sharding is None):
        return _returned(operand)
    if any(map(operator.gt, axes, axes[1:])) and len(axes) == aval_of(operand).ndim:
        order = sorted(range(len(axes)), key=axes.__getitem__)
        operand, axes = transpose(operand, order), tuple(sorted(axes))
    return prims.broadcast_in_dim(
        operand, shape=shape, broadcast_dimensions=axes, sharding=told_sharding("broadcast_in_dim", out_sharding)
    )


def broadcast_to_rank(x, rank: int) -> Array:
    """Add leading axes of length 1 until the array has `rank` axes.

    Args:
      x: array or scalar.
      rank: the number of axes of the result; where `x` has as many or more, it is as it was.
    Returns:
      The same elements in an array of that rank. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.broadcast_to_rank(jnp.zeros((3,)), 3).shape
    (1, 1, 3)
    """
    ndim = aval_of(x).ndim
    return _returned(x) if ndim >= rank else expand_dims(x, range(rank - ndim))


def tile(operand, reps: Sequence[int]) -> Array:
    """Repeat a whole array along each of its axes.

    Args:
      operand: array.
      reps: how often, one number for each axis.
    Returns:
      An array of the operand's dtype, `reps` times as long along each axis.
    Raises:
      TypeError: there are more or fewer numbers than axes.

    >>> lax.tile(jnp.arange(2), (2,))
    Array([0, 1, 0, 1], dtype=int32)
    """
    return prims.tile(operand_of("tile", operand), reps=ints(reps))


# ---- joining and taking apart -------------------------------------------------------------------


def concatenate(operands, dimension: int) -> Array:
    """Join arrays along an axis that they have.

    Args:
      operands: arrays of one dtype, alike in all lengths but the one that is joined.
      dimension: the axis, non-negative.
    Returns:
      An array with the elements of the first along the axis, then those of the second, and so on.
      The dtype is that of the operands.
    Raises:
      ValueError: there is no operand.
      TypeError: dtypes or shapes differ, or the axis is out of range.

    >>> lax.concatenate([jnp.arange(2), jnp.arange(3)], 0)
    Array([0, 1, 0, 1, 2], dtype=int32)
    """
    is_array = [isinstance(x, Array) for x in operands]
    operands = [operand_of("concatenate", x, i) for i, x in enumerate(operands)]
    if not operands:
        raise ValueError(
            message(
                "concatenate requires a non-empty sequences of arrays",
                fix="jnp.zeros((0,)) where there may be no array",
            )
        )
    if is_array == [True]:
        return operands[0]
    return prims.concatenate(*operands, dimension=operator.index(dimension))


def stack(operands, axis: int = 0) -> Array:
    """Join arrays of one shape along a new axis.

    Args:
      operands: arrays of one dtype and shape.
      axis: where the new axis is in the result.
    Returns:
      An array with a new axis, along which position i is operand i. The dtype is that of the operands.
    Raises:
      TypeError, ValueError: dtypes or shapes differ, or the axis is out of range.

    >>> lax.stack([jnp.arange(2), jnp.arange(2)], axis=1)
    Array([[0, 0],
           [1, 1]], dtype=int32)
    """
    operands = [operand_of("stack", x, i) for i, x in enumerate(operands)]
    ndim = aval_of(operands[0]).ndim
    return prims.stack(*operands, axis=canonical_axis(axis, ndim + 1))


def unstack(x, axis: int = 0) -> tuple[Array, ...]:
    """Return the parts of an array along an axis, without that axis.

    Args:
      x: array.
      axis: the axis that is cut; negative ones count from the last.
    Returns:
      A tuple with an array for each position along the axis. The dtype is that of `x`.
    Raises:
      ValueError: the axis is out of range.

    >>> lax.unstack(jnp.arange(2))
    (Array(0, dtype=int32), Array(1, dtype=int32))
    """
    x = operand_of("unstack", x)
    return tuple(prims.unstack(x, axis=canonical_axis(axis, aval_of(x).ndim)))


def split(operand, sizes: Sequence[int], axis: int = 0) -> Sequence[Array]:
    """Cut an array along an axis into parts of the given lengths.

    Args:
      operand: array.
      sizes: the lengths; they add up to the length of the axis.
      axis: the axis that goes away, with an array for each of its elements.
    Returns:
      A list with an array for each of `sizes`: neighbouring parts of the axis. The dtype is that of `operand`.
    Raises:
      ValueError: a length is negative or the sum differs.

    >>> lax.split(jnp.arange(3), (1, 2))
    [Array([0], dtype=int32), Array([1, 2], dtype=int32)]
    """
    operand = operand_of("split", operand)
    axis = canonical_axis(axis, aval_of(operand).ndim)
    return prims.split(operand, sizes=_listed("sizes", sizes), axis=axis)


def pad(operand, padding_value, padding_config: Sequence[tuple[int, int, int]]) -> Array:
    """Put a value before, after and between the elements along each axis.

    Args:
      operand: array.
      padding_value: scalar of the same dtype.
      padding_config: (before, after, between) for each axis; negative before and after cut away.
    Returns:
      An array of the operand's dtype, along each axis of length before + n + (n - 1) * between + after.
    Raises:
      TypeError: dtypes differ.
      ValueError: a triple is missing, `between` is negative, or more is cut away than there is.

    >>> lax.pad(jnp.array([1., 2.]), 0., [(1, 0, 2)])
    Array([0., 1., 0., 0., 2.], dtype=float32)
    """
    operand = operand_of("pad", operand)
    value = operand_of("pad", padding_value, 1)
    return pad_prim(operand, value, padding_config=tuple([ints(c) for c in padding_config]))


# ---- making -------------------------------------------------------------------------------------


def iota(dtype, size: int) -> Array:
    """Return the numbers 0, 1, ..., size - 1 in a dtype.

    Args:
      dtype: a dtype of numbers.
      size: how many, an int.
    Returns:
      An array of shape ``(size,)`` and that dtype.
    Raises:
      TypeError: the dtype is not a number, or the size is negative.

    >>> lax.iota("float32", 3)
    Array([0., 1., 2.], dtype=float32)
    """
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(dtype, shape, dimension: int, *, out_sharding=None) -> Array:
    """Return an array whose elements are their index along one axis.

    Args:
      dtype: a dtype of numbers.
      shape: the shape.
      dimension: the axis that counts.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of that shape and dtype, in which element [i, j, ...] is the index at place `dimension`.
    Raises:
      TypeError: the dtype is not a number, or a length is negative.
      ValueError: the axis is out of range.

    >>> lax.broadcasted_iota("int32", (2, 2), 0)
    Array([[0, 0],
           [1, 1]], dtype=int32)
    """
    dtype = dtypes.check_user_dtype_supported(dtype, "broadcasted_iota")
    return prims.iota(
        dtype=dtype,
        shape=canonical_shape(shape),
        dimension=operator.index(dimension),
        sharding=told_sharding("broadcasted_iota", out_sharding),
    )


def full(shape, fill_value, dtype=None, *, sharding=None) -> Array:
    """Return an array filled with one value.

    Args:
      shape: the shape.
      fill_value: scalar.
      dtype: the dtype; default that of the value.
      sharding: how it is divided over devices.
    Returns:
      An array of that shape, all elements being `fill_value`; in the dtype that is given, or in that of the value.
    Raises:
      TypeError: the value is not a scalar, or the shape is not one.

    >>> lax.full((2,), 3.)
    Array([3., 3.], dtype=float32, weak_type=True)
    """
    shape = canonical_shape(shape)
    if np.shape(fill_value):
        raise TypeError(
            "full must be called with scalar fill_value, got fill_value.shape "
            f"{np.shape(fill_value)}."
        )
    fill_value = operand_of("full", fill_value, 1)
    if dtype is None:
        return _filled(fill_value, shape, sharding)
    return _filled_as(fill_value, shape, dtypes.check_user_dtype_supported(dtype, "full"), False, sharding)


_PYTHON = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def _scalar(x, dtype, weak: bool = False):
    """Return a scalar in a dtype; one that is not an Array stays a literal."""
    if isinstance(x, Array):
        if aval_of(x).dtype == dtype and aval_of(x).weak_type == weak:
            return x
        return convert_element_type(x, new_dtype=dtype, weak_type=weak, sharding=None)
    if weak:
        return _PYTHON[dtype.kind](x)
    if type(x) is complex and dtype.kind not in "bc":
        raise TypeError(f"full needs a real number for dtype {dtype.name}, got {x}.")
    return convert_element_type.evaluate_rule(np.asarray(x), new_dtype=dtype)[()]


def _filled_as(value, shape, dtype, weak, sharding):
    if isinstance(dtype, dtypes.KeyDType) and not (isinstance(value, Array) and value.dtype == dtype):
        return keys_of_words(value, shape, dtype)
    return _filled(_scalar(value, dtype, weak), shape, sharding)


def keys_of_words(value, shape: tuple[int, ...], dtype: dtypes.KeyDType) -> Array:
    """Random keys of a shape whose words are all one number, wrapped as 32-bit words are."""
    uint32 = dtypes.uint32
    if isinstance(value, Array):
        word = convert_element_type(value, new_dtype=uint32, weak_type=False, sharding=None)
    else:
        number = np.asarray(value % 2**32 if isinstance(value, int) else value)
        word = convert_element_type.evaluate_rule(number, new_dtype=uint32)[()]
    impl = dtype._impl
    words = prims.broadcast_in_dim(word, shape=shape + impl.key_shape, broadcast_dimensions=(), sharding=None)
    return impl.wrapped(words)


def _filled(value, shape, sharding):
    if not shape:
        if state.trace.stages and np.isscalar(value):
            return staged_scalar(value)
        return _returned(value)
    is_place = isinstance(sharding, Sharding) and not isinstance(sharding, ExplicitSharding)
    out = prims.broadcast_in_dim(
        value, shape=shape, broadcast_dimensions=(), sharding=None if is_place else sharding)
    if not is_place or not isinstance(out, ArrayImpl):
        return out
    return move_array(make_array(out._buffer, out.aval.strip_weak_type()) if out.aval.weak_type else out, sharding)


def full_like(x, fill_value, dtype=None, shape=None, sharding=None) -> Array:
    """Return an array like another, filled with one value.

    Args:
      x: array, or anything with `shape` and `dtype`.
      fill_value: scalar.
      dtype, shape: instead of those of `x`.
      sharding: how it is divided over devices.
    Returns:
      An array of the shape and dtype of `x`, or of those given, all elements being `fill_value`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.full_like(jnp.zeros((2,)), 3)
    Array([3., 3.], dtype=float32)
    """
    if type(dtype) in (bool, int, float, complex):
        dtype = type(dtype)  # JAX parity: a number stands for the dtype of its type
    weak = dtype is None and dtypes.is_weakly_typed(x)
    if not (hasattr(x, "shape") or is_arraylike(x)):
        raise TypeError(message(f"Cannot determine dtype of {x!r}", fix="jnp.asarray(x)"))
    shape = np.shape(x) if shape is None else canonical_shape(shape)
    dtype = dtypes.dtype_of(x if dtype is None else dtype)  # of what has a dtype, such as an array, its own
    if np.shape(fill_value):
        raise TypeError(
            "full must be called with scalar fill_value, got fill_value.shape "
            f"{np.shape(fill_value)}."
        )
    place = sharding
    is_alike = tuple(shape) == np.shape(x)
    if sharding is None and isinstance(x, ArrayImpl):
        place = place_for_shape(x, shape)
    elif sharding is None and is_alike:
        place = x.aval.explicit_sharding if isinstance(x, Array) else sharding_said_by(x)
    out = _filled_as(operand_of("full_like", fill_value, 1), tuple(shape), dtype, weak, place)
    return varying_like(out, x)


def empty(shape, dtype, *, out_sharding=None) -> Array:
    """Return an array whose contents do not matter: zeros here.

    Args:
      shape: the shape.
      dtype: the dtype.
      out_sharding: how it is divided over devices.
    Returns:
      An array of that shape and dtype.
    Raises:
      ValueError: `shape` has a negative length.

    >>> lax.empty((2,), "int32")
    Array([0, 0], dtype=int32)
    """
    dtype = dtypes.default_float() if dtype is None else dtypes.check_user_dtype_supported(dtype, "empty")
    return prims.empty(shape=canonical_shape(shape), dtype=dtype, out_sharding=told_sharding("empty", out_sharding))
