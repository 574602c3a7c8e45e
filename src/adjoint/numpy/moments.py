"""Means, weighted means, variances and standard deviations over axes.

Tests: `tests/numpy/test_reductions.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.errors import message
from ..core.types import Array
from ..core.values.dimension import as_number
from ..prims import arithmetic, summation
from ..prims.shape import reshape
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, MANY, replayed
from . import ufuncs
from .axes import axes_and_names, canonical_axes, operand, refuse_out, static_axis
from .promotion import check_arraylike, convert, promote_inexact, shape_of
from .reductions import HALF, mask_of, sum
from .shapes import broadcast_to

__all__ = ["average", "mean", "std", "var"]


@replayed(compiles_after=AT_ONCE, sizes=MANY)
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None) -> Array:
    """Return the arithmetic mean over axes; NaN over no elements.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the dtype of `a`, or float32 for integers.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
    Returns:
      The means, floats or complex numbers, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `average` with weights, `median`, `std`, `var`, `nanmean`.

    >>> jnp.mean(jnp.array([1., 2., 3.]))
    Array(2., dtype=float32)
    """
    a = operand("mean", a)
    refuse_out("mean", out)
    if dtype is None:
        dtype = dtypes.to_inexact_dtype(a.dtype)
        computed = dtypes.float32 if dtype in HALF else dtype
    else:
        computed = dtype = dtypes.check_user_dtype_supported(dtype, "mean")
    axes = axes_and_names(axis, a.ndim)
    count = _count(a, axes, keepdims, where, computed)
    total = sum(a, axes, dtype=computed, keepdims=keepdims, where=where)
    return convert(arithmetic.div(total, count), dtype)


def _count(a, axes, keepdims, where, dtype):
    """Return the number of elements in each mean in a dtype: an array if `where` chooses them."""
    shape = shape_of(a)
    if where is None:
        n = 1
        for i in axes:
            n *= lax.axis_size(i) if isinstance(i, str) else shape[i]
        return as_number(n, dtype)
    where = broadcast_to(mask_of("mean", where), shape)
    return sum(where, axes, dtype=dtype, keepdims=keepdims)


@replayed(compiles_after=AT_ONCE)
def average(a, axis=None, weights=None, returned: bool = False, keepdims: bool = False):
    """Return the weighted mean over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      weights: of the shape of `a`, or where `axis` is given of its reduced axes; None for equal ones.
      returned: also return the sum of the weights, for each mean.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The sums of products with the weights over the sums of the weights, in an array without these axes; with
      `returned` a pair of it and the sums of the weights.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: the weights have another shape.

    >>> jnp.average(jnp.array([1., 3.]), weights=jnp.array([3., 1.]))
    Array(1.5, dtype=float32)
    """
    if weights is None:
        a = operand("average", promote_inexact("average", a)[0])
        result = mean(a, axis, keepdims=keepdims)
        if not returned:
            return result
        count = _count(a, canonical_axes(axis, a.ndim), keepdims, None, result.dtype)
        return result, broadcast_to(count, result.shape)
    a, weights = (operand("average", x) for x in _of_one_inexact_dtype("average", a, weights))
    axes = canonical_axes(axis, a.ndim)
    if weights.shape != a.shape:
        if axis is None:
            raise ValueError(
                message(
                    "Axis must be specified when shapes of a and weights differ.",
                    fix="axis=0, if the weights are those of rows",
                )
            )
        if weights.shape != tuple([a.shape[i] for i in axes]):
            raise ValueError(
                message(
                    "Shape of weights must be consistent with shape of a along specified axis. Got shapes "
                    f"{weights.shape} and {a.shape}, axis {axis}.",
                    fix="weights=jnp.ones(a.shape[axis])",
                )
            )
        shape = tuple([n if i in axes else 1 for i, n in enumerate(a.shape)])
        order = tuple(sorted(range(len(axes)), key=axes.__getitem__))
        in_order = order == tuple(range(len(axes)))
        weights = reshape(weights, new_sizes=shape, dimensions=None if in_order else order, sharding=None)
    total = sum(weights, axes, keepdims=keepdims)
    result = ufuncs.divide(sum(ufuncs.multiply(a, weights), axes, keepdims=keepdims), total)
    return (result, broadcast_to(total, result.shape)) if returned else result


def _of_one_inexact_dtype(name, *args):
    """Return operands of one float or complex dtype, with the shapes that they have."""
    check_arraylike(name, *args)
    dtype, weak = dtypes.lattice_result_type(*args)
    return [convert(x, dtypes.to_inexact_dtype(dtype), weak) for x in args]


# ---- variances ----------------------------------------------------------------------------------


def variance_dtypes(name, a, dtype) -> tuple:
    """(dtype to compute in, dtype of the result) of the variance of `a`."""
    if dtype is None:
        dtype = dtypes.to_inexact_dtype(a.dtype)
        return dtypes.float32 if dtype in HALF else dtype, dtypes.to_real_dtype(dtype)
    dtype = dtypes.check_user_dtype_supported(dtype, name)
    complex_ = lambda d: dtypes.issubdtype(d, np.complexfloating)
    if complex_(a.dtype) and not complex_(dtype):
        raise ValueError(
            f"jnp.{name} does not yet support real dtype parameters when computing the variance of an "
            "array of complex values. The semantics of numpy.var seem unclear in this case. "
            f"Try: jnp.{name}(x.real) + jnp.{name}(x.imag)"
        )
    return dtypes.float32 if dtype in HALF else dtype, dtype


def squared_size(x):
    """The square of the absolute value of each element."""
    if x.dtype.kind != "c":
        return arithmetic.square(x)
    return ufuncs.real(ufuncs.multiply(x, ufuncs.conj(x)))


def _centered(a, axes, given, where):
    """Return the array less its mean, which is computed if none is given."""
    if given is None:
        return ufuncs.subtract(a, mean(a, axes, a.dtype, keepdims=True, where=where))
    check_arraylike("var", given)
    if a.dtype.kind != "c":
        given = ufuncs.real(given)  # JAX parity: the distances have the dtype of the elements
    if a.ndim and np.ndim(given):
        dtype, weak = dtypes.lattice_result_type(a, given)
        return lax.sub(convert(a, dtype, weak), convert(given, dtype, weak))  # JAX parity: of equal ranks
    return ufuncs.subtract(a, given)


@inner_jit(static_argnames=("axis", "dtype", "keepdims"), name="_var")
def _var(a, axis, dtype, ddof, keepdims, mean_, where):
    computed, result_dtype = variance_dtypes("var", a, dtype)
    if mean_ is not None and dtypes.dtype_of(mean_) == a.dtype:
        mean_ = convert(mean_, computed)
    a = convert(a, computed)
    axes = axes_and_names(axis, a.ndim)
    squared = squared_size(_centered(a, axes, mean_, where))
    count = _count(a, axes, keepdims, where, squared.dtype)
    ddof = convert(ddof, squared.dtype)
    known = isinstance(count, np.generic) and isinstance(ddof, np.generic)
    dof = count - ddof if known else arithmetic.sub(count, ddof)
    total = sum(squared, axes if a.ndim else None, squared.dtype, keepdims=keepdims, where=where)
    result = convert(arithmetic.div(total, dof), result_dtype)
    if known and dof > 0:
        return result if result_dtype.kind not in "iu" else convert(result, dtypes.default_float(), weak=True)
    return ufuncs.where(ufuncs.greater(dof, 0), result, np.nan)


@inner_jit(static_argnames=("axis", "dtype", "keepdims"), name="_std")
def _std(a, axis, dtype, ddof, keepdims, mean_, where):
    return ufuncs.sqrt(_var(a, axis, dtype, ddof, keepdims, mean_, where))


def one_of(ddof, correction):
    """Return what to subtract from the number of elements; ValueError if it is given under both names."""
    if correction is None:
        return ddof
    if not isinstance(ddof, int) or ddof != 0:
        raise ValueError(
            message(
                "ddof and correction can't be provided simultaneously.",
                fix="ddof=1 alone, which is NumPy's name of correction",
            )
        )
    return correction


def _numpy_var(a, axis=None, ddof=0, keepdims=False):
    a = a.astype(dtypes.to_inexact_dtype(a.dtype), copy=False)
    axes = canonical_axes(axis, a.ndim)
    number, n = a.dtype.type, 1
    for i in axes:
        n *= a.shape[i]
    if n <= ddof:
        return NotImplemented
    difference = a - summation.total(a, axes, keepdims=True) / number(n)
    return np.asarray(summation.total(difference * difference, axes, keepdims=keepdims) / number(n - ddof))


def _numpy_std(a, axis=None, ddof=0, keepdims=False):
    out = _numpy_var(a, axis, ddof, keepdims)
    return out if out is NotImplemented else np.sqrt(out)


def _is_simple(args, kwargs) -> bool:
    """Return whether it is called with an array of plain numbers, and no argument that `_numpy_var` does not know."""
    if len(args) > 2 or not kwargs.keys() <= {"axis", "ddof", "keepdims"}:
        return False
    dtype = args[0].dtype
    return (dtype.kind in "biu" or dtype in (np.float32, np.float64)) and type(kwargs.get("ddof", 0)) is int


@replayed(numpy=_numpy_var, suits=_is_simple, compiles_after=AT_ONCE, sizes=MANY)
def var(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None
) -> Array:
    """Return the variance over axes: the mean of the squared distances from the mean.

    Args:
      a: array; of complex numbers, the squared sizes of the distances count.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof, correction: subtracted from the number of elements in the denominator.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
      mean: the mean, if it is known; with the reduced axes kept.
    Returns:
      The variances, floats that are not negative, in an array without these axes; NaN where nothing is left to divide
      by.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `std`, `mean`, `cov`, `nanvar`.

    >>> jnp.var(jnp.array([1., 3.]))
    Array(1., dtype=float32)
    """
    a, ddof = operand("var", a), one_of(ddof, correction)
    if where is not None:
        mask_of("var", where)
    refuse_out("var", out)
    return _var(a, static_axis(axis), dtype, ddof, keepdims, mean, where)


@replayed(numpy=_numpy_std, suits=_is_simple, compiles_after=AT_ONCE, sizes=MANY)
def std(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None
) -> Array:
    """Return the standard deviation over axes: the square root of the variance.

    Args:
      a: array; of complex numbers, the squared sizes of the distances count.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof, correction: subtracted from the number of elements in the denominator.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
      mean: the mean, if it is known; with the reduced axes kept.
    Returns:
      The deviations, floats that are not negative, in an array without these axes; NaN where nothing is left to divide
      by.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `var`, `mean`, `nanstd`.

    >>> jnp.std(jnp.array([1., 3.]))
    Array(1., dtype=float32)
    """
    a, ddof = operand("std", a), one_of(ddof, correction)
    if where is not None:
        mask_of("std", where)
    refuse_out("std", out)
    if dtype is not None and not dtypes.issubdtype(dtypes.check_user_dtype_supported(dtype, "std"), np.inexact):
        raise ValueError(message(f"dtype argument to jnp.std must be inexact; got {dtype}", fix="dtype=jnp.float32"))
    return _std(a, static_axis(axis), dtype, ddof, keepdims, mean, where)
