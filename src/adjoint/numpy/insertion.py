"""Elements put into an array, or taken out of it.

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import ConcretizationTypeError, message, shorten
from ..core.trace import DynamicJaxprTrace, state
from ..core.types import Array
from ..transforms.jit.replay import replayed
from . import ufuncs
from .axes import canonical_axes, canonical_axis, operand, static_axis
from .conversion import asarray
from .indexing import take
from .joining import concatenate
from .promotion import check_arraylike, convert
from .ranges import arange
from .reductions import sum
from .searching import known_values
from .shapes import broadcast_to, moveaxis, ravel
from .sorting import argsort, sort

__all__ = ["delete", "insert", "trim_zeros"]


def _positions(obj, n: int):
    """Return indices along an axis of length n: an array, known or traced; a scalar stays one."""
    if hasattr(obj, "__jax_array__"):
        obj = obj.__jax_array__()
    if isinstance(obj, slice):
        return np.arange(n)[obj]
    if type(obj) is bool:
        return np.asarray(int(obj))  # JAX parity: a position, as a Python number is one
    known = obj.concrete() if isinstance(obj, Array) else obj
    if known is None:
        if type(state.trace) is DynamicJaxprTrace and not state.trace.stages:  # a replay: its range depends on values
            raise TypeError("positions are not known")
        return obj
    obj = np.asarray(known)
    return obj if obj.size else obj.astype(int)


@replayed
def delete(arr, obj, axis: int | None = None, *, assume_unique_indices: bool = False) -> Array:
    """Return the array without the elements at some indices of an axis.

    Args:
      arr: array.
      obj: an int, an array of ints, a slice or a mask.
      axis: None flattens the array.
      assume_unique_indices: a promise that no index occurs twice, needed where indices are traced; those out of range
        take the first or the last element.
    Returns:
      The other entries along the axis, in an array of the dtype of `arr`; flat without an axis.
    Raises:
      ConcretizationTypeError: there are several traced indices, and no promise.

    >>> jnp.delete(jnp.arange(3), 1)
    Array([0, 2], dtype=int32)
    """
    a = operand("delete", arr)
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(axis, a.ndim)
    n = a.shape[axis]
    if not isinstance(obj, slice):
        check_arraylike("delete", arr, obj)
    obj = _positions(obj, n)
    if obj.dtype.kind not in "iub":
        raise ValueError(
            message(
                f"np.delete(arr, obj): got obj.dtype={obj.dtype}; must be integer or bool.",
                why="It says which elements go: positions, or a mask.",
                fix="arr[arr != value] to take out values",
            )
        )
    promised = assume_unique_indices and obj.dtype.kind != "b" and obj.ndim > 0
    if isinstance(obj, Array) or promised:
        if not promised and obj.size != 1:
            raise _traced("delete", obj)
        obj = asarray(obj)
        return take(a, _left(ravel(obj), n), axis=axis)
    if not obj.ndim and obj.dtype.kind in "iu":
        i = canonical_axis(obj[()], n)
        before = (slice(None),) * axis
        return lax.concatenate([a[(*before, slice(0, i))], a[(*before, slice(i + 1, n))]], axis)
    return take(a, asarray(np.delete(np.arange(n, dtype=np.int32), obj)), axis=axis)


def _left(i, n: int):
    """Return the indices below n that are not among `i`."""
    if i.dtype.itemsize < 4:  # which need not hold n
        i = convert(i, np.dtype(np.int32))
    i = ufuncs.clip(ufuncs.where(i < 0, i + n, i), 0, n)
    i = sort(i)
    gaps = i - arange(i.shape[0], dtype=i.dtype)  # how many that are left stand before each of those taken out
    left = arange(n - i.shape[0], dtype=i.dtype)
    return left + sum(left[None, :] >= gaps[:, None], axis=0, dtype=i.dtype)


@replayed
def insert(arr, obj, values, axis: int | None = None) -> Array:
    """Return the array with values put before some indices of an axis.

    Args:
      arr: array.
      obj: an int, an array of ints or a slice.
      values: what to put there; broadcasts, and gets the dtype of `arr`.
      axis: None flattens the array.
    Returns:
      The entries along the axis with the new ones between them, in an array of the dtype of `arr`; flat without an
      axis.
    Raises:
      TypeError: `arr` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.insert(jnp.array([1, 3]), 1, 2)
    Array([1, 2, 3], dtype=int32)
    """
    check_arraylike("insert", arr, 0 if isinstance(obj, slice) else obj, values)
    a = operand("insert", arr)
    values = convert(operand("insert", values), a.dtype, a.weak_type)
    if axis is None:
        a, axis = ravel(a), 0
    axis = canonical_axis(static_axis(axis), a.ndim)
    n = a.shape[axis]
    at = _positions(obj, n)
    if type(obj) is bool or at.dtype.kind not in "iu":
        raise ValueError(
            message(
                f"jnp.insert(): index array must be integer typed; got {shorten(obj)}",
                why="It says before which elements the values go.",
                fix="jnp.flatnonzero(mask) for a mask",
            )
        )
    if at.ndim > 1:
        raise ValueError(
            message(
                "jnp.insert(): obj must be a slice, a one-dimensional array, or a scalar; got an array of shape "
                f"{at.shape}",
                fix="obj.ravel()",
            )
        )
    values = lax.expand_dims(values, range(a.ndim - values.ndim)) if values.ndim < a.ndim else values
    if not at.ndim:  # one index: the values stand along the first axis
        values = moveaxis(values, 0, axis)
    at = convert(ravel(asarray(at)), dtypes.default_int())      # twice an index may not fit into its dtype
    count = values.shape[axis] if at.shape == (1,) else at.shape[0]
    at = broadcast_to(ufuncs.clip(ufuncs.where(at < 0, at + n, at), 0, n), (count,))
    values = broadcast_to(values, (*a.shape[:axis], count, *a.shape[axis + 1 :]))
    # Values come before the element with their index: sort by twice the index, elements by one more.
    keys = concatenate([2 * at, 2 * arange(n) + 1])
    return take(concatenate([values, a], axis), argsort(keys), axis=axis)


def _traced(name, obj):
    return ConcretizationTypeError(
        obj,
        f"The indices of jnp.{name} decide the shape of the result, so they must be concrete, or "
        "assume_unique_indices=True must be set.",
    )


def trim_zeros(filt, trim: str = "fb", axis=None) -> Array:
    """Return an array without the zeros around its other elements; its values must be known.

    Args:
      filt: array.
      trim: where: "f" at the front, "b" at the back.
      axis: along which axes; None for all.
    Returns:
      The elements between the first and the last that are not zero, in an array with as many axes.
      The dtype is that of `filt`.
    Raises:
      TypeError: `filt` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.trim_zeros(jnp.array([0, 1, 0, 2, 0]))
    Array([1, 0, 2], dtype=int32)
    """
    if set(trim.lower()) - {"f", "b"}:
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    a = operand("trim_zeros", filt)
    axes = axis if axis is None or isinstance(axis, (tuple, list)) else (axis,)
    values = known_values(a, "The `filt` argument of jnp.trim_zeros decides the shape of the result.")
    if not a.ndim:
        return a
    nonzero = np.nonzero(values)
    cuts = [slice(None)] * a.ndim
    for i in canonical_axes(axes, a.ndim):
        found = nonzero[i]
        start, stop = 0, a.shape[i]
        if "f" in trim.lower():
            start = int(found.min()) if found.size else stop
        if "b" in trim.lower():
            stop = int(found.max()) + 1 if found.size else start
        cuts[i] = slice(start, stop)
    return a[tuple(cuts)]
