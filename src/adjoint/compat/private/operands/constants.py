"""Small arrays and numbers beside operands, and lists of axes: private names of `jax._src.lax.lax`."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ....array.array import as_array
from ....core.dtypes import as_dtype, canonicalize_dtype, default_int, warn_of_lost_parts
from ....core.messages.errors import message
from ....core.types import Array, ShapedArray, aval_of, is_arraylike
from ....core.values.dimension import Dimension
from ....lax.shape import broadcast_in_dim, full, full_like
from ....numpy import isnan, tri
from ....numpy.promotion import constant
from ....prims.conversion import convert_element_type as convert

__all__ = [
    "asarray", "broadcast_to", "check_same_dtypes", "check_shapelike", "constant_like", "converted", "delta",
    "dilated_shape", "dtype_to_string", "eye", "input_dtype", "int_dtype_for_dim", "int_dtype_for_shape", "isnan",
    "one", "ones", "ranges_like", "remaining", "rows", "triangle", "try_broadcast_shapes", "zero", "zeros",
    "zeros_like_shaped_array",
]


# ---- arrays --------------------------------------------------------------------------------------


def asarray(x: Any) -> Array:
    """Return an array of what can be an operand; TypeError for lists and the like."""
    if not is_arraylike(x):
        raise TypeError(f"asarray: expected ArrayLike, got {x} of type {type(x)}.")
    return as_array(x)


def converted(
    operand: Any, new_dtype: Any = None, weak_type: bool = False, sharding: Any = None,
    warn_on_complex_to_real_cast: bool = True,
) -> Array:
    """Return an array with its elements converted to a dtype, or to the weaker or stronger type of its own."""
    aval = aval_of(operand)
    dtype = aval.dtype if new_dtype is None else canonicalize_dtype(new_dtype, True)
    if warn_on_complex_to_real_cast:
        warn_of_lost_parts(aval.dtype, dtype)
    if (dtype, weak_type) == (aval.dtype, aval.weak_type) and isinstance(operand, Array) and sharding is None:
        return operand
    return as_array(convert(operand, new_dtype=dtype, weak_type=weak_type, sharding=sharding))


def constant_like(example: Any, val: Any) -> Any:
    """Return a number of the dtype of an operand; of a Python number that of its type."""
    if type(example) in (bool, int, float, complex):
        return type(example)(val)
    return constant(example, val)


def zero(x: Any) -> Array:
    """Return a scalar zero of the type of an operand."""
    return full_like(x, 0, shape=())


def one(x: Any) -> Array:
    """Return a scalar one of the type of an operand."""
    return full_like(x, 1, shape=())


def zeros(x: Any, *, fill_value: Any = 0, dtype: Any = None, shape: Any = None, sharding: Any = None) -> Array:
    """Return zeros of the shape and type of an operand."""
    return full_like(x, fill_value, dtype, shape, sharding)


def ones(x: Any, *, fill_value: Any = 1, dtype: Any = None, shape: Any = None, sharding: Any = None) -> Array:
    """Return ones of the shape and type of an operand."""
    return full_like(x, fill_value, dtype, shape, sharding)


def zeros_like_shaped_array(aval: ShapedArray) -> Array:
    """Return zeros of a type."""
    return as_array(convert(full(aval.shape, 0, aval.dtype), new_dtype=aval.dtype, weak_type=aval.weak_type,
                            sharding=None))


def broadcast_to(arr: Any, shape: Sequence[int], sharding: Any = None) -> Array:
    """Return an array stretched to a shape."""
    arr = as_array(arr)
    if arr.shape == tuple(shape):
        return arr
    return broadcast_in_dim(arr, shape, range(len(shape) - arr.ndim, len(shape)), out_sharding=sharding)


def eye(dtype: Any, shape: Sequence[int], offset: int = 0) -> Array:
    """Return a matrix with ones on a diagonal."""
    return (tri(*shape, offset, dtype) - tri(*shape, offset - 1, dtype)).astype(as_dtype(dtype))


def triangle(dtype: Any, shape: Sequence[int], offset: int) -> Array:
    """Return a matrix with ones on a diagonal and below it."""
    return tri(*shape, offset, dtype)


def delta(dtype: Any, shape: Sequence[int], axes: Sequence[int]) -> Array:
    """Return an array with ones where the positions along some axes are equal."""
    lengths = [shape[axis] for axis in axes]
    first, *rest = np.ogrid[tuple([slice(n) for n in lengths])]
    same = np.ones(lengths, bool)
    for place in rest:
        same = same & (first == place)
    return broadcast_in_dim(as_array(same.astype(as_dtype(dtype))), shape, axes)


def rows(x: Any) -> Iterator[Array]:
    """Return the rows of an array, one after the other."""
    return iter([x[i] for i in range(aval_of(x).shape[0])])


# ---- dtypes --------------------------------------------------------------------------------------


def check_same_dtypes(name: str, *avals: ShapedArray) -> None:
    """Raise TypeError unless the operands have one dtype."""
    if len({a.dtype for a in avals}) > 1:
        names = ", ".join([a.dtype.name for a in avals])
        raise TypeError(message(f"lax.{name} requires arguments to have the same dtypes, got {names}.",
                                fix="lax.convert_element_type(x, y.dtype)"))


def input_dtype(x: Any, *_: Any, out_dtype: Any = None, **__: Any) -> Any:
    """Return the dtype of a result that is that of the first operand."""
    return x.dtype if out_dtype is None else out_dtype


def dtype_to_string(dtype: Any) -> str:
    """Return the name of a dtype."""
    return np.dtype(dtype).name


def int_dtype_for_dim(d: Any, *, signed: bool) -> np.dtype:
    """Return a dtype of positions along an axis of some length."""
    return int_dtype_for_shape((d,), signed=signed)


def int_dtype_for_shape(shape: Sequence[Any], *, signed: bool) -> np.dtype:
    """Return a dtype of positions in arrays of some shape: 32 bits, or 64 where they are not enough."""
    narrow, wide = ("int32", "int64") if signed else ("uint32", "uint64")
    if any([isinstance(d, Dimension) for d in shape]):
        return default_int() if signed else np.dtype(narrow)
    return np.dtype(wide if any([d > np.iinfo(narrow).max for d in shape]) else narrow)


# ---- shapes and lists of axes --------------------------------------------------------------------


def ranges_like(*xs: Sequence) -> Iterator[range]:
    """Return for each list the positions of its items in all lists together."""
    start = 0
    for x in xs:
        yield range(start, start + len(x))
        start += len(x)


def remaining(original: Iterable, *removed_lists: Collection) -> list:
    """Return the items that are in none of some lists."""
    removed = {item for items in removed_lists for item in items}
    return [item for item in original if item not in removed]


def dilated_shape(shape: Sequence[int], dilation: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of an array with holes between its elements."""
    return tuple([max(0, 1 + d * (n - 1)) for n, d in zip(shape, dilation)])


def try_broadcast_shapes(*shapes: tuple[int, ...], name: str) -> tuple[int, ...]:
    """Return the shape that shapes of one rank stretch to; TypeError if there is none."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise TypeError(f"{name} got incompatible shapes for broadcasting: "
                        f"{', '.join([str(tuple(s)) for s in shapes])}.") from None


def check_shapelike(fun_name: str, arg_name: str, obj: Any, non_zero_shape: bool = False) -> None:
    """Raise TypeError unless something can be a shape."""
    what = f"{fun_name} {arg_name}"
    if not isinstance(obj, (tuple, list, np.ndarray)):
        raise TypeError(f"{what} must be of type tuple/list/ndarray, got {type(obj)}.")
    kinds = tuple([type(n) for n in obj])
    if np.ndim(obj) != 1 and len(obj):
        raise TypeError(f"{what} must be rank 1, got {np.ndim(obj)}.")
    try:
        lengths = tuple([operator.index(n) for n in obj])
    except TypeError:
        raise TypeError(f"{what} must have every element be an integer type, got {kinds}.") from None
    least, words = (1, "strictly positive") if non_zero_shape else (0, "nonnegative")
    if any([n < least for n in lengths]):
        raise TypeError(f"{what} must have every element be {words}, got {tuple(obj)}.")
