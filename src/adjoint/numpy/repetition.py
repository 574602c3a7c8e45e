"""Elements or whole arrays repeated: `repeat`, `tile`, `resize`.

Tests: `tests/numpy/test_manipulation.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import ConcretizationTypeError, message
from ..core.types import Array
from ..core.values.dimension import as_length
from ..lax.shape import canonical_shape
from ..parallel.arrays import with_out_sharding
from ..sharding.mesh import context_mesh
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import FEW, WORTH, replayed
from .axes import canonical_axis, operand, static_axis
from .conversion import asarray
from .indexing import take
from .promotion import check_arraylike, convert, dtype_of
from .rotations import roll
from .running import cumsum
from .shapes import broadcast_to, ravel, reshape

__all__ = ["repeat", "resize", "tile"]


@replayed(compiles_after=WORTH, sizes=FEW)
def tile(A, reps) -> Array:
    """Return the array repeated as a whole along each axis.

    Args:
      A: array.
      reps: how often, for the last axes; more numbers than axes make new axes.
    Returns:
      An array of the dtype of `A`, `reps` times as long along each axis: the whole array, again and again.
    Raises:
      TypeError: `A` is not an array or scalar; lists are not converted.

    >>> jnp.tile(jnp.array([1, 2]), 2)
    Array([1, 2, 1, 2], dtype=int32)
    """
    a = operand("tile", A)
    reps = canonical_shape(reps)
    rank = max(a.ndim, len(reps))
    reps = (1,) * (rank - len(reps)) + reps
    return lax.tile(lax.expand_dims(a, range(rank - a.ndim)), reps)


@replayed
@inner_jit(static_argnames=("new_shape",))
def resize(a, new_shape) -> Array:
    """Return the elements, repeated as often as needed, in a shape.

    Args:
      a: array; it is flattened.
      new_shape: an int or a sequence of ints.
    Returns:
      An array of that shape, of the dtype of `a`; zeros, if `a` has no elements.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.

    >>> jnp.resize(jnp.arange(3), (2, 2))
    Array([[0, 1],
           [2, 0]], dtype=int32)
    """
    a = ravel(operand("resize", a))
    shape = canonical_shape(new_shape)
    if any(n < 0 for n in shape):
        raise ValueError(
            message("all elements of `new_shape` must be non-negative", fix="max(n, 0), for a length that is computed")
        )
    size = prod(shape)
    if not a.size or not size:
        return convert(lax.full(shape, 0, a.dtype), a.dtype, a.weak_type)
    a = tile(a, -(-size // a.size))
    return reshape(a[:size], shape)


def _numpy_repeat(a, repeats, axis=None):
    return np.repeat(a, repeats, axis)


def _is_by_number(args, kwargs) -> bool:
    return len(args) > 1 and type(args[1]) is int and kwargs.keys() <= {"axis"}


@replayed(numpy=_numpy_repeat, suits=_is_by_number)
def repeat(
    a, repeats, axis: int | None = None, *, total_repeat_length: int | None = None, out_sharding=None
) -> Array:
    """Repeat each element.

    Args:
      a: array.
      repeats: an int, or ints along the axis.
      axis: None flattens the array.
      total_repeat_length: the length of the result, needed where `repeats` is traced; elements beyond are
        dropped, missing ones repeat the last.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of the dtype of `a`, in which each position along the axis stands as often as `repeats` says, one after
      the other; flat without an axis.
    Raises:
      ConcretizationTypeError: `repeats` is traced and there is no `total_repeat_length`.

    >>> jnp.repeat(jnp.array([1, 2]), 2)
    Array([1, 1, 2, 2], dtype=int32)
    """
    check_arraylike("repeat", a, repeats)
    if out_sharding is not None:
        return with_out_sharding(
            "repeat", out_sharding, repeat, a, repeats, axis, total_repeat_length=total_repeat_length)
    a = operand("repeat", a)
    if axis is None or not a.ndim:
        a, axis = ravel(a), 0
    axis = canonical_axis(static_axis(axis), a.ndim)
    n = a.shape[axis]
    known = repeats.concrete() if isinstance(repeats, Array) else repeats
    known = None if known is None else np.asarray(known)
    if total_repeat_length is None:
        if known is None:
            raise ConcretizationTypeError(
                repeats,
                "When jit-compiling jnp.repeat, the total number of repeats must be static. To fix this, "
                "either specify a static value for `repeats`, or pass a static value to "
                "`total_repeat_length`.",
            )
        if known.size == 1:
            each = known.reshape(())[()]
            return _each_repeated(a, int(each) if known.dtype.kind == "b" else as_length(each), axis)
        if known.size == n:
            known = known.ravel()                   # JAX parity: in any shape
        if known.shape != (n,):
            raise ValueError(
                message(
                    f"repeats must be a scalar or have one number for each of the {n} elements of axis {axis}, "
                    f"got shape {known.shape}",
                    fix=f"repeats=2, or jnp.full({n}, 2)",
                )
            )
        rows = np.repeat(np.arange(n, dtype=np.int32), known)
        return take(a, asarray(rows), axis=axis)
    if dtype_of(repeats).kind not in "iub":
        raise TypeError(
            f"Indexer must have integer or boolean type, got indexer with type {dtype_of(repeats).name}: numbers of "
            "repetitions are whole"
        )
    _check_undivided(a, axis, total_repeat_length)
    total = as_length(total_repeat_length)
    if not n or not total:
        return lax.full((*a.shape[:axis], 0 if not n else total, *a.shape[axis + 1 :]), 0, a.dtype)
    counts = convert(broadcast_to(ravel(asarray(repeats)), (n,)), dtypes.default_int())
    # Where each element begins is marked; the running sum of the marks is the element.
    starts = cumsum(roll(counts, 1).at[0].set(0))
    marks = lax.full((total,), 0, dtypes.default_int()).at[starts].add(1)
    return take(a, cumsum(marks) - 1, axis=axis)


def _check_undivided(a, axis: int, count) -> None:
    """Raise ValueError if explicit mesh axes divide the axis that is repeated."""
    divided = a.aval.explicit_sharding
    if divided is not None and divided.spec[axis] is not None:
        raise ValueError(
            message(
                "Please pass sharding to `jnp.repeat` via `out_sharding` parameter.",
                why=f"The axis that is repeated, {axis} of {a.aval.str_short(True)}, is divided over devices.",
                fix=f"jnp.repeat(x, {count}, {axis}, out_sharding={divided.spec})",
            )
        )


def _each_repeated(a, k: int, axis: int) -> Array:
    """Repeat each element along an axis k times."""
    if context_mesh() is not None:
        _check_undivided(a, axis, k)
    wide = (*a.shape[: axis + 1], k, *a.shape[axis + 1 :])
    kept = [i for i in range(len(wide)) if i != axis + 1]
    shape = (*a.shape[:axis], a.shape[axis] * k, *a.shape[axis + 1 :])
    return lax.reshape(lax.broadcast_in_dim(a, wide, kept), shape)
