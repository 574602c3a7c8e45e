"""`mode`, `rankdata` and `sem` of `adjoint.scipy.stats`: statistics along an axis."""

from __future__ import annotations

import operator

import numpy as np

from ... import lax
from ... import numpy as jnp
from ...core import dtypes
from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...core.process.records import NamedTuple
from ...core.types import Array
from ...numpy.axes import canonical_axis
from ...numpy.promotion import check_arraylike, promote_inexact
from ...transforms.jit.jit import inner_jit, lowerable

__all__ = ["mode", "rankdata", "sem"]

class ModeResult(NamedTuple):
    mode: Array
    count: Array


def _check_policy(nan_policy: str) -> None:
    if nan_policy in ("omit", "raise"):
        raise NotImplementedError(f"Logic for `nan_policy` of {nan_policy} is not implemented")
    if nan_policy != "propagate":
        raise ValueError(
            f"Illegal nan_policy value {nan_policy!r}; expected one of {{'propagate', 'omit', 'raise'}}"
        )


def _run_starts(x, axis: int = -1):
    """Return where sorted x starts another value, NaN being one value."""
    before = lax.slice_in_dim(x, 0, x.shape[axis] - 1, axis=axis)
    after = lax.slice_in_dim(x, 1, x.shape[axis], axis=axis)
    other = (before != after) & ~((before != before) & (after != after))
    first = jnp.ones_like(lax.slice_in_dim(x, 0, 1, axis=axis), dtype=bool)
    return jnp.concatenate([first, other], axis=axis)


@inner_jit(static_argnames=("axis", "nan_policy", "keepdims"))
def mode(a, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False) -> ModeResult:
    """Return the most frequent value along an axis, the smallest of several, and how often it occurs.

    Args:
      a: array.
      axis: which one; None for all elements.
      nan_policy: must be "propagate"; NaN is a value like others.
      keepdims: leave the axis in the results, with size 1.
    Returns:
      A named tuple (mode, count) of arrays without the axis.
      The values have the dtype of `a`; the counts are integers.
    Raises:
      NotImplementedError, ValueError: another policy.

    >>> mode(jnp.array([2, 4, 1, 4]))
    ModeResult(mode=Array(4, dtype=int32), count=Array(2, dtype=int32))
    """
    check_arraylike("mode", a)
    _check_policy(nan_policy)
    x = jnp.atleast_1d(jnp.asarray(a))
    shape = [1] * x.ndim
    if axis is None:
        x, axis = x.ravel(), 0
    else:
        axis = canonical_axis(axis, x.ndim)
        shape = [1 if i == axis else n for i, n in enumerate(x.shape)]
    rest = x.shape[:axis] + x.shape[axis + 1 :]
    if not x.shape[axis]:
        values, counts = jnp.full(rest, jnp.nan), jnp.zeros(rest)
    else:
        x = jnp.sort(x, axis=axis)
        places = lax.broadcasted_iota(dtypes.canonicalize_dtype("int64"), x.shape, axis)
        lengths = places - lax.cummax(jnp.where(_run_starts(x, axis), places, 0), axis=axis) + 1
        longest = jnp.argmax(lengths, axis=axis, keepdims=True)
        counts = jnp.take_along_axis(lengths, longest, axis=axis)
        values = jnp.take_along_axis(x, longest - counts + 1, axis=axis).reshape(rest)
        counts = counts.reshape(rest)
    if keepdims:
        values, counts = values.reshape(shape), counts.reshape(shape)
    return ModeResult(values, counts)


@lowerable(static_argnames=("method", "axis", "nan_policy"))
def rankdata(a, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate") -> Array:
    """Return the ranks of values along an axis, from 1.

    Args:
      a: array.
      method: the rank of equal values: their "average", "min" or "max"; "dense", the number of different values
        up to them; "ordinal", each its own, in their order.
      axis: which one; None for all elements.
      nan_policy: must be "propagate": NaN makes all ranks NaN.
    Returns:
      Floats, in an array of the shape of `a`, or flat without an axis. The dtype is the default float.
    Raises:
      ValueError: there is no such method or policy.
      NotImplementedError: the policy is not "propagate".

    >>> rankdata(jnp.array([1, 3, 2, 3]))
    Array([1. , 3.5, 2. , 3.5], dtype=float32)
    """
    check_arraylike("rankdata", a)
    _check_policy(nan_policy)
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(message(f"unknown method '{method}'", fix='rankdata(a, method="average")'))
    x = jnp.asarray(a)
    if axis is None:
        x, axis = x.ravel(), 0
    x = jnp.moveaxis(x, operator.index(axis), -1)
    dtype = dtypes.default_float()
    if not x.size:
        return jnp.moveaxis(jnp.zeros(x.shape, dtype), -1, axis)
    order = jnp.argsort(x, axis=-1)
    place = jnp.argsort(order, axis=-1)
    starts = _run_starts(jnp.take_along_axis(x, order, axis=-1))
    places = lax.broadcasted_iota(place.dtype, x.shape, x.ndim - 1)
    least = lambda: lax.cummax(jnp.where(starts, places, 0), axis=x.ndim - 1) + 1
    # A run ends before the next one starts.
    ends = jnp.concatenate([starts[..., 1:], jnp.ones_like(starts[..., :1])], axis=-1)
    most = lambda: lax.cummin(jnp.where(ends, places, x.shape[-1]), axis=x.ndim - 1, reverse=True) + 1
    ranks = {
        "average": lambda: (least() + most()).astype(dtype) / 2, "min": least, "max": most,
        "dense": lambda: jnp.cumsum(starts, axis=-1), "ordinal": lambda: places + 1,
    }[method]().astype(dtype)
    ranks = jnp.take_along_axis(ranks, place, axis=-1)
    if dtypes.issubdtype(x.dtype, np.inexact):
        ranks = jnp.where(jnp.any(jnp.isnan(x), axis=-1, keepdims=True), jnp.nan, ranks)
    return jnp.moveaxis(ranks, -1, axis)


@lowerable(static_argnames=("axis", "nan_policy", "keepdims"))
def sem(a, axis: int | None = 0, ddof: int = 1, nan_policy: str = "propagate", *, keepdims: bool = False) -> Array:
    """Return the standard error of the mean along an axis: the standard deviation over the root of the number.

    Args:
      a: array.
      axis: which one; None for all elements.
      ddof: the number of values less this divides the squares.
      nan_policy: "propagate", or "omit" to leave NaN out.
      keepdims: leave the axis in the result, with size 1.
    Returns:
      Floats, in an array without the axis. The dtype is that of `a`; integers and booleans become floats.
    Raises:
      ValueError: another policy.

    >>> sem(jnp.array([1., 3.]))
    Array(1., dtype=float32)
    """
    (x,) = promote_inexact("sem", a)
    x = jnp.asarray(x)
    if nan_policy == "propagate":
        count = x.size if axis is None else x.shape[axis]
        return jnp.std(x, axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(jnp.asarray(count, x.dtype))
    if nan_policy == "omit":
        count = jnp.sum(~jnp.isnan(x), axis, keepdims=keepdims)
        return jnp.nanstd(x, axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(count.astype(x.dtype))
    raise ValueError(message(f"{nan_policy} is not supported", fix='nan_policy="propagate"'))

public(globals())
