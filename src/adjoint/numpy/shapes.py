"""Functions that change shapes and the order of axes, and broadcast.

An eager call on a concrete array takes NumPy's view of its buffer; everything else goes to `lax`.

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

import operator
from math import prod

import numpy as np

from .. import lax
from ..core.messages.errors import InconclusiveDimensionOperation, message, warn
from ..core.trace import Tracer
from ..core.types import Array, aval_of, is_arraylike
from ..core.values.dimension import Dimension, may_equal
from ..lax.shape import canonical_shape, sequence_shape
from ..parallel.arrays import with_out_sharding
from ..prims.shape import insert_axes
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import replayed
from .axes import canonical_axes, canonical_axis, operand, static_axis
from .fills import stretched_together
from .promotion import check_arraylike, shape_of

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "expand_dims", "matrix_transpose", "moveaxis", "ndim", "permute_dims",
    "ravel", "reshape", "rollaxis", "shape", "size", "squeeze", "swapaxes", "transpose",
]


# ---- shapes -------------------------------------------------------------------------------------


@replayed(arrays=0)
def reshape(a, shape, order="C", *, copy=None, out_sharding=None) -> Array:
    """Return the elements in another shape.

    Args:
      a: array; one of NumPy is reshaped by NumPy, and stays one of NumPy.
      shape: an int or ints; one may be -1 and is computed.
      order: the order in which elements are read and written, "C" or "F".
      copy: accepted; without effect, as arrays do not change.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      TypeError: the number of elements differs, or -1 occurs twice.
    Returns:
      An array of that shape, of the same dtype; elements keep their order.
    See also: `ravel`, `squeeze`, `expand_dims`.

    >>> jnp.reshape(jnp.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]], dtype=int32)
    """
    if isinstance(a, (np.ndarray, np.generic)) and out_sharding is None:  # libraries rely on it: no tracer under `jit`
        return a.reshape(shape, order=order)
    a = operand("reshape", a)
    new = _new_shape(a, shape)
    if out_sharding is not None and order != "C":
        return with_out_sharding("reshape", out_sharding, reshape, a, new, order)
    if order == "F":
        backwards = range(a.ndim)[::-1]
        return lax.transpose(lax.reshape(a, new[::-1], backwards), range(len(new))[::-1])
    if order == "A":
        raise NotImplementedError("np.reshape order=A is not implemented. Try: order='C'")
    if order != "C":
        raise ValueError(message(f"Unexpected value for 'order' argument: {order}. Valid: 'C', 'F'.", fix="order='C'"))
    return lax.reshape(a, new, out_sharding=out_sharding)


def _new_shape(a, shape) -> tuple[int, ...]:
    """Return the shape that was asked for, with -1 computed."""
    given = shape
    is_length = shape is None or isinstance(shape, (float, Tracer)) and not np.ndim(shape)
    shape = canonical_shape([shape] if is_length else shape)
    if -1 not in shape:
        if not may_equal(prod(shape), a.size) or any(n < 0 for n in shape):
            raise TypeError(
                message(
                    f"cannot reshape array of shape {a.shape} (size {a.size}) into shape {given} (size {prod(shape)})",
                    fix="a shape of that size, with -1 for one axis to have it computed; jnp.resize repeats or drops",
                )
            )
        return shape
    if shape.count(-1) > 1:
        raise TypeError(
            message(
                f"can only specify one unknown axis size with a `-1` value, got {shape}",
                why=f"The array has {a.size} elements; one length follows from the others, two do not.",
                fix=f"{tuple([-1 if i == shape.index(-1) else (1 if n == -1 else n) for i, n in enumerate(shape)])}",
            )
        )
    rest = prod([n for n in shape if n != -1])
    if isinstance(left := a.size % rest if rest else 0, Dimension):
        raise InconclusiveDimensionOperation(
            f"Cannot divide evenly the sizes of shapes {a.shape} and {shape}. The remainder {left} should be 0.")
    if a.size % rest if rest else a.size:
        raise TypeError(
            message(
                f"cannot reshape array of shape {a.shape} (size {a.size}) into shape {shape} because the "
                f"product of specified axis sizes ({rest}) does not evenly divide {a.size}",
                fix="lengths whose product divides the size; jnp.pad or x[:n] first, where a batch is not full",
            )
        )
    return tuple([(a.size // rest if rest else 0) if n == -1 else n for n in shape])


@lowerable(static_argnames=("order", "out_sharding"))
@replayed
def ravel(a, order="C", *, out_sharding=None) -> Array:
    """Return the elements as one axis, in row-major order.

    Args:
      a: array.
      order: "C", or "F" for column-major order.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      ``[a.size]``, of the dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.ravel(jnp.ones((2, 2)))
    Array([1., 1., 1., 1.], dtype=float32)
    """
    a = operand("ravel", a)
    if order == "K":
        raise NotImplementedError("Ravel not implemented for order='K'. Try: order='C'")
    return reshape(a, (a.size,), order, out_sharding=out_sharding)


@replayed
def expand_dims(a, axis) -> Array:
    """Return new axes of length 1 at these positions of the result.

    Args:
      a: array.
      axis: a position in the shape of the result, or several; negative ones count from its end.
    Returns:
      The same elements in a shape with these axes.
    Raises:
      ValueError: a position is out of range, or given twice.
    See also: `squeeze`, and `x[:, None]`.

    >>> jnp.expand_dims(jnp.ones(3), 0).shape
    (1, 3)
    """
    a = operand("expand_dims", a)
    axes = static_axis(axis)
    axes = axes if type(axes) is tuple else (axes,)
    return lax.expand_dims(a, canonical_axes(axes, a.ndim + len(axes)))


@replayed
def squeeze(a, axis=None) -> Array:
    """Return the array without axes of length 1: all of them, or the given ones.

    Args:
      a: array.
      axis: an axis or a tuple of axes; None for all of length 1.
    Returns:
      The same elements in a shape without these axes. The dtype is that of `a`.
    Raises:
      ValueError: an axis has another length than 1.
    See also: `expand_dims`, `reshape`.

    >>> jnp.squeeze(jnp.ones((1, 3, 1)), 0).shape
    (3, 1)
    """
    a = operand("squeeze", a)
    if axis is None:
        axes = tuple([i for i, n in enumerate(a.shape) if n == 1])
    else:
        axes = canonical_axes(axis, a.ndim)
    return lax.squeeze(a, axes)


@replayed
@inner_jit
def atleast_1d(*arys):
    """Return the arguments as arrays with one axis at least.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: scalars have shape ``(1,)``, arrays are as they are.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_1d(1.).shape
    (1,)
    """
    return _widened("atleast_1d", arys, {0: (0,)})


@replayed
@inner_jit
def atleast_2d(*arys):
    """Return the arguments as arrays with two axes at least; new ones are put in front.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: ``[n]`` becomes ``[1, n]``.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_2d(jnp.ones(3)).shape
    (1, 3)
    """
    return _widened("atleast_2d", arys, {0: (0, 1), 1: (0,)})


@replayed
@inner_jit
def atleast_3d(*arys):
    """Return the arguments as arrays with three axes at least.

    Args:
      *arys: arrays or scalars.
    Returns:
      An array, or a list if there are several arguments: ``[n]`` becomes ``[1, n, 1]``, and ``[n, m]`` ``[n, m, 1]``.
      The dtype is that of the argument.
    Raises:
      TypeError: one of `arys` is not an array or scalar.

    >>> jnp.atleast_3d(jnp.ones(3)).shape
    (1, 3, 1)
    """
    return _widened("atleast_3d", arys, {0: (0, 1, 2), 1: (0, 2), 2: (2,)})


def _widened(name, arys, new_axes):
    """Give each array the axes of length 1 that `new_axes` names for its rank."""
    if len(arys) == 1 and isinstance(arys[0], (list, tuple)):
        raise TypeError(
            message(
                f"{name} takes arrays as separate arguments, got one {type(arys[0]).__name__}.",
                fix=f"{name}(*arrays), or {name}(jnp.asarray(x))",
            )
        )
    arrays = [operand(name, x) for x in arys]
    out = [insert_axes(x, new_axes[x.ndim]) if x.ndim in new_axes else x for x in arrays]
    return out[0] if len(out) == 1 else out


# ---- order of axes ------------------------------------------------------------------------------


@replayed
def transpose(a, axes=None) -> Array:
    """Return the axes in another order; reversed without `axes`.

    Args:
      a: array.
      axes: a permutation of the axes, negative ones from the end; None reverses them.
    Returns:
      An array whose axis i is axis `axes[i]` of `a`. In compiled programs it is a view: nothing is copied.
      The dtype is that of `a`.
    Raises:
      TypeError: `axes` is no permutation.
    See also: `swapaxes`, `moveaxis`, `matrix_transpose`.

    >>> jnp.transpose(jnp.ones((2, 3))).shape
    (3, 2)
    """
    a = operand("transpose", a)
    if axes is None:
        return lax.transpose(a, range(a.ndim)[::-1])
    if not hasattr(axes, "__iter__"):
        return lax.transpose(a, axes)
    fix = f"a permutation of the {a.ndim} axes, such as axes={tuple(reversed(range(a.ndim)))}"
    return lax.transpose(a, [canonical_axis(i, a.ndim, fix) for i in axes])


@replayed
def permute_dims(a, /, axes) -> Array:
    """Return the axes in another order: `transpose` under the array API's name.

    Args:
      a: array.
      axes: a permutation of the axes, negative ones from the end.
    Returns:
      An array whose axis i is axis `axes[i]` of `a`. The dtype is that of `a`.
    Raises:
      TypeError: `axes` is no permutation.

    >>> jnp.permute_dims(jnp.ones((2, 3)), (1, 0)).shape
    (3, 2)
    """
    return lax.transpose(operand("permute_dims", a), axes)


@replayed
def matrix_transpose(x, /) -> Array:
    """Exchange the last two axes.

    Args:
      x: ``[..., n, m]``.
    Returns:
      ``[..., m, n]``. In compiled programs it is a view: nothing is copied. The dtype is that of `x`.
    Raises:
      ValueError: there are fewer than two axes.

    >>> jnp.matrix_transpose(jnp.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    x = operand("matrix_transpose", x)
    if x.ndim < 2:
        raise ValueError(
            message(
                f"x must be at least two-dimensional for matrix_transpose; got ndim={x.ndim}",
                fix="x[:, None] for a column; a vector has nothing to be turned",
            )
        )
    return swapaxes(x, -1, -2)


@lowerable(static_argnames=("axis1", "axis2"))
@replayed
def swapaxes(a, axis1: int, axis2: int) -> Array:
    """Exchange two axes.

    Args:
      a: array.
      axis1, axis2: the axes.
    Returns:
      An array with the same elements. In compiled programs it is a view: nothing is copied. The dtype is that of `a`.
    Raises:
      ValueError: an axis is out of range.

    >>> jnp.swapaxes(jnp.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    a = operand("swapaxes", a)
    order = list(range(a.ndim))
    i, j = canonical_axis(axis1, a.ndim), canonical_axis(axis2, a.ndim)
    order[i], order[j] = order[j], order[i]
    return lax.transpose(a, order)


@replayed
def moveaxis(a, source, destination) -> Array:
    """Move axes to other positions; the others keep their order.

    Args:
      a: array.
      source: an axis, or a sequence of axes.
      destination: where each of them is in the result.
    Returns:
      An array with the same elements. In compiled programs it is a view: nothing is copied. The dtype is that of `a`.
    Raises:
      ValueError: there are more or fewer positions than axes, or one is out of range or repeated.

    >>> jnp.moveaxis(jnp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    a = operand("moveaxis", a)
    if source is None or destination is None:
        raise TypeError(message("'NoneType' object is not iterable", fix="moveaxis(x, 0, -1), an axis and its place"))
    source, destination = canonical_axes(source, a.ndim), canonical_axes(destination, a.ndim)
    if len(source) != len(destination):
        raise ValueError(
            message(
                f"Inconsistent number of elements: {len(source)} vs {len(destination)} in moveaxis",
                why=f"Axes {source} are to go to {destination}: each needs a place of its own.",
                fix="moveaxis(x, (0, 1), (2, 3)), as many places as axes",
            )
        )
    order = [i for i in range(a.ndim) if i not in source]
    for to, of in sorted(zip(destination, source)):
        order.insert(to, of)
    return lax.transpose(a, order)


@replayed
@inner_jit(static_argnames=("axis", "start"))
def rollaxis(a, axis: int, start: int = 0) -> Array:
    """Roll one axis back until it stands before `start`.

    Args:
      a: array.
      axis: the axis to move; negative ones count from the last.
      start: the position before which it is put, in the order that the axes have now.
    Returns:
      An array with the same elements. The dtype is that of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
    See also: `moveaxis`, which is easier to read.

    >>> jnp.rollaxis(jnp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    a = operand("rollaxis", a)
    axis = canonical_axis(axis, a.ndim)
    start = operator.index(start)
    if not -a.ndim <= start <= a.ndim:
        raise ValueError(f"{start=} must satisfy {-a.ndim}<=start<={a.ndim}")
    start += a.ndim if start < 0 else 0
    return moveaxis(a, axis, start - (start > axis))


# ---- broadcasting -------------------------------------------------------------------------------


def broadcast_shapes(*shapes) -> tuple[int, ...]:
    """Return the shape to which shapes broadcast.

    Args:
      *shapes: tuples of lengths, aligned at their ends, or ints; a length of 1, or none, fits any.
    Returns:
      A tuple, as long as the longest of them.
    Raises:
      ValueError: the shapes do not fit.

    >>> jnp.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    return lax.broadcast_shapes(*[canonical_shape(s) for s in shapes])


@replayed
def _type_text(x, shape: tuple[int, ...]) -> str:
    return f"{aval_of(x).dtype.name}[{','.join(map(str, shape))}]"


def broadcast_to(array, shape, *, out_sharding=None) -> Array:
    """Return the array stretched to a shape by NumPy's rules.

    Args:
      array: array or scalar.
      shape: an int or ints; axes are compared from the last one, and those of length 1 are repeated.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of that shape and of the dtype of `array`.
    Raises:
      ValueError: a length is neither 1 nor that of the shape.
    See also: `broadcast_arrays`, `tile`, `repeat`.

    >>> jnp.broadcast_to(jnp.arange(2), (2, 2))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
    check_arraylike("broadcast_to", array)
    if out_sharding is not None:
        return with_out_sharding("broadcast_to", out_sharding, broadcast_to, array, shape)
    shape, own = sequence_shape(shape), shape_of(array)
    if own == shape or hasattr(array, "__jax_array__"):
        array = operand("broadcast_to", array)
    if own == shape:
        return array
    lead = len(shape) - len(own)
    if lead < 0:
        raise ValueError(
            message(
                f"Cannot broadcast to shape with fewer dimensions: arr_shape={own} shape={shape}",
                why="A broadcast adds axes in front and stretches those of length 1; it takes none away.",
                fix="x[0] for one element of the first axis, x.sum(0) over it, or x.reshape(...)",
            )
        )
    if any(n not in (1, m) for n, m in zip(own, shape[lead:])):
        raise ValueError(
            message(
                f"Incompatible types for broadcasting: input type={_type_text(array, own)} and requested "
                f"type={_type_text(array, shape)}",
                why="Aligned from the right, every length must be equal or 1.",
                fix="insert or move an axis, for example x[:, None]",
            )
        )
    return lax.broadcast_in_dim(array, shape, range(lead, len(shape)))


@replayed
def broadcast_arrays(*args) -> list[Array]:
    """Return the arguments stretched to their common shape.

    Args:
      *args: arrays or scalars.
    Returns:
      A list of arrays of one shape, each of its own dtype.
    Raises:
      ValueError: the shapes do not fit.

    >>> [x.shape for x in jnp.broadcast_arrays(jnp.ones((2, 1)), jnp.ones(3))]
    [(2, 3), (2, 3)]
    """
    check_arraylike("broadcast_arrays", *args)
    shape = lax.broadcast_shapes(*[shape_of(a) for a in args])
    return stretched_together([operand("broadcast_arrays", a) for a in args], shape)


# ---- questions ------------------------------------------------------------------------------------


def shape(a) -> tuple[int, ...]:
    """Return the length of each axis.

    Args:
      a: an array, a scalar, or an object with `shape`.
    Returns:
      A tuple of ints, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> shape(jnp.ones((2, 3)))
    (2, 3)
    """
    return _shape("shape", a)


def _shape(name: str, a) -> tuple[int, ...]:
    if isinstance(a, (np.ndarray, np.generic)):  # of texts and objects too
        return a.shape
    if type(a) is int:  # of one that does not fit, too
        return ()
    if isinstance(a, Array) or is_arraylike(a):
        return shape_of(a)
    if hasattr(a, "shape") and hasattr(a, "dtype"):  # a type of arrays, such as ShapeDtypeStruct
        return tuple(a.shape)
    if not isinstance(a, str):
        warn(
            f"{name} requires ndarray or scalar arguments, got {type(a)} at position 0. In a future JAX release this "
            "will be an error.",
            DeprecationWarning,
        )
    return np.shape(a)


def ndim(a) -> int:
    """Return the number of axes.

    Args:
      a: an array, a scalar, or an object with `ndim`.
    Returns:
      An int, known while tracing.
    Raises:
      ValueError: nested lists differ in length.

    >>> ndim(jnp.ones((2, 3)))
    2
    """
    return len(_shape("ndim", a))


def size(a, axis=None) -> int:
    """Return the number of elements, in all or along axes.

    Args:
      a: an array, a scalar, or an object with `shape`.
      axis: an axis, a tuple of axes, or None for all.
    Returns:
      An int, known while tracing.
    Raises:
      ValueError: `axis` is out of range.

    >>> size(jnp.ones((2, 3)))
    6
    """
    lengths = _shape("size", a)
    return prod(lengths[i] for i in canonical_axes(axis, len(lengths)))
