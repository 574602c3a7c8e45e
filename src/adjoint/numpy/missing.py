"""Reductions that count NaN as missing: `nansum`, `nanmean`, `nanvar`, ...

Sums and extrema replace NaN by the neutral element; what there is nothing left to reduce of is NaN. Running
sums are in `running.py`, quantiles in `quantiles.py`.

Tests: `tests/numpy/test_reductions.py`.
"""

from __future__ import annotations

import operator

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.types import Array
from ..prims import reduction
from ..prims.arithmetic import sqrt
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, replayed
from . import ufuncs
from .axes import operand, refuse_out
from .conversion import asarray
from .moments import mean as plain_mean
from .moments import squared_size, variance_dtypes
from .promotion import check_arraylike, constant, convert
from .reductions import all, argmax, argmin, mask_of, max, min, prod, sum

__all__ = [
    "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar",
]


def _replaced(a, neutral):
    """Return `a` with the neutral element in place of NaN."""
    return ufuncs.where(ufuncs.isnan(a), a.dtype.type(neutral(a.dtype)), a)


def _is_inexact(a) -> bool:
    return dtypes.issubdtype(a.dtype, np.inexact)


# ---- sums and extrema ---------------------------------------------------------------------------


def _sum(name, reduce, neutral, summary, example):
    @replayed(compiles_after=AT_ONCE)
    @inner_jit(static_argnames=("axis", "dtype", "keepdims"), name=name)
    def function(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
        a = operand(name, a)
        if where is not None:
            mask_of(name, where)
        refuse_out(name, out)
        if _is_inexact(a):
            a = _replaced(a, neutral)
        return reduce(a, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    nothing = 0 if reduce is sum else 1
    returns = (
        f"Those values, in an array without these axes; {nothing} where there are only NaNs.\n"
        "      The dtype is that of `a`; of small integers and booleans the default integer, or `dtype`."
    )
    return _documented(function, name, summary, example, "axis dtype out keepdims initial where", returns)


def _extremum(name, reduce, neutral, summary, example):
    @replayed
    @inner_jit(static_argnames=("axis", "keepdims"), name=name)
    def function(a, axis=None, out=None, keepdims=False, initial=None, where=None):
        a = operand(name, a)
        if where is not None:
            mask_of(name, where)
        refuse_out(name, out)
        if not _is_inexact(a):
            return reduce(a, axis, keepdims=keepdims, initial=initial, where=where)
        result = reduce(
            _replaced(a, neutral), axis, keepdims=keepdims, initial=initial, where=where
        )
        if initial is not None:
            return result
        empty = all(ufuncs.isnan(a), axis, keepdims=keepdims)
        return ufuncs.where(empty, constant(a, np.nan), result)

    returns = "The elements, in an array without these axes, of the dtype of `a`; NaN where there is nothing else."
    return _documented(function, name, summary, example, "axis out keepdims initial where", returns)


_ARGUMENTS = {
    "axis": "an axis, a tuple of axes, or None for all.",
    "dtype": "of the result; small integers and booleans count as the default integer.",
    "out": "must be None.",
    "keepdims": "keep the reduced axes with length 1.",
    "initial": "what to begin with, which counts as an element.",
    "where": "which elements to include.",
}


def _documented(function, name, summary, example, names, returns, **arguments):
    """Return the function under its name, with a docstring; `arguments` are texts that differ from those above."""
    call, result = example.split(" -> ")
    function.__name__ = function.__qualname__ = name
    function.__doc__ = "\n".join([
        f"{summary}, not counting NaNs.\n", "    Args:", "      a: array.",
        *[f"      {n}: {arguments.get(n) or _ARGUMENTS[n]}" for n in names.split()],
        "    Returns:", f"      {returns}",
        "    Raises:",
        f"      TypeError: `a` is {'complex, or ' * ('arg' in name)}not an array or scalar; lists are not converted.",
        "      ValueError: `axis` is out of range.\n      NotImplementedError: `out` is given.\n",
        f"    >>> jnp.{name}({call})", f"    {result}", "    ",
    ])
    return function


nansum = _sum(
    "nansum", sum, lambda _: 0, "Return the sum over axes",
    "jnp.array([1., jnp.nan, 3.]) -> Array(4., dtype=float32)",
)
nanprod = _sum(
    "nanprod", prod, lambda _: 1, "Return the product over axes",
    "jnp.array([2., jnp.nan, 3.]) -> Array(6., dtype=float32)",
)
nanmax = _extremum(
    "nanmax", max, reduction.lowest, "Return the largest element over axes",
    "jnp.array([1., jnp.nan, 3.]) -> Array(3., dtype=float32)",
)
nanmin = _extremum(
    "nanmin", min, reduction.highest, "Return the smallest element over axes",
    "jnp.array([1., jnp.nan, 3.]) -> Array(1., dtype=float32)",
)


def _position(name, find, neutral, example):
    @inner_jit(static_argnames=("axis", "keepdims"), name=f"_{name}")
    def run(a, axis, keepdims):
        if not _is_inexact(a):
            return find(a, axis, keepdims=keepdims)
        missing = ufuncs.isnan(a)
        result = find(ufuncs.where(missing, neutral, a), axis, keepdims=keepdims)
        return ufuncs.where(all(missing, axis, keepdims=keepdims), -1, result)

    @replayed
    def function(a, axis=None, out=None, keepdims=None):
        a = operand(name, a)
        refuse_out(name, out)
        return run(a, None if axis is None else operator.index(axis), bool(keepdims))

    extreme = "largest" if find is argmax else "smallest"
    return _documented(
        function, name,
        f"Return the position of the {extreme} element, the first of several", example, "axis out keepdims",
        "Positions, int32 (int64 with 64-bit types on), in an array without the axis; -1 where there are only NaNs.",
        axis="an axis, or None for the flat array.", keepdims="keep the axis with length 1.",
    )


nanargmax = _position(
    "nanargmax", argmax, -np.inf, "jnp.array([1., jnp.nan, 3.]) -> Array(2, dtype=int32)"
)
nanargmin = _position(
    "nanargmin", argmin, np.inf, "jnp.array([1., jnp.nan, 3.]) -> Array(0, dtype=int32)"
)


# ---- moments ------------------------------------------------------------------------------------


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("axis", "dtype", "keepdims"))
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=None) -> Array:
    """Return the mean over axes, not counting NaNs; NaN where there is nothing else.

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

    >>> jnp.nanmean(jnp.array([1., jnp.nan, 3.]))
    Array(2., dtype=float32)
    """
    a = operand("nanmean", a)
    if where is not None:
        mask_of("nanmean", where)
    refuse_out("nanmean", out)
    if not _is_inexact(a):
        return plain_mean(a, axis, dtype, keepdims=keepdims, where=where)
    dtype = a.dtype if dtype is None else dtypes.check_user_dtype_supported(dtype, "nanmean")
    present = ufuncs.logical_not(ufuncs.isnan(a))
    count = sum(present, axis, dtype=dtype, keepdims=keepdims, where=where)
    total = nansum(a, axis, dtype=dtype, keepdims=keepdims, where=where)
    return lax.div(total, count)


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("axis", "dtype", "keepdims"))
def nanvar(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None
) -> Array:
    """Return the variance over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof: subtracted from the number of elements in the denominator.
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

    >>> jnp.nanvar(jnp.array([1., jnp.nan, 3.]))
    Array(1., dtype=float32)
    """
    a = operand("nanvar", a)
    if where is not None:
        mask_of("nanvar", where)
    refuse_out("nanvar", out)
    computed, result_dtype = variance_dtypes("nanvar", a, dtype)
    a = convert(a, computed)
    if mean is not None:
        check_arraylike("nanvar", mean)
        center = convert(asarray(mean), computed)
    else:
        center = nanmean(a, axis, computed, keepdims=True, where=where)
    missing = ufuncs.isnan(a)
    squared = squared_size(ufuncs.where(missing, 0, lax.sub(a, center)))
    present = ufuncs.logical_not(ufuncs.isnan(a))
    count = sum(present, axis, keepdims=keepdims, where=where)
    dof = ufuncs.subtract(count, ddof)
    none = ufuncs.less_equal(dof, 0)
    total = sum(squared, axis, keepdims=keepdims, where=where)
    total = ufuncs.where(none, np.nan, total)
    return convert(ufuncs.divide(total, convert(ufuncs.where(none, 1, dof), total.dtype)), result_dtype)


@replayed(compiles_after=AT_ONCE)
@inner_jit(static_argnames=("axis", "dtype", "keepdims"))
def nanstd(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None
) -> Array:
    """Return the standard deviation over axes, not counting NaNs.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; default the real dtype of `a`, or float32 for integers.
      out: must be None.
      ddof: subtracted from the number of elements in the denominator.
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

    >>> jnp.nanstd(jnp.array([1., jnp.nan, 3.]))
    Array(1., dtype=float32)
    """
    a = operand("nanstd", a)
    if where is not None:
        mask_of("nanstd", where)
    refuse_out("nanstd", out)
    return sqrt(
        nanvar(a, axis, dtype=dtype, ddof=ddof, keepdims=keepdims, where=where, mean=mean)
    )
