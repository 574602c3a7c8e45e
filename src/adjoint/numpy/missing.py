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
from ..transforms.jit.replay import replayed
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
    """`a` with the neutral element in place of NaN."""
    return ufuncs.where(ufuncs.isnan(a), a.dtype.type(neutral(a.dtype)), a)


def _is_inexact(a) -> bool:
    return dtypes.issubdtype(a.dtype, np.inexact)


# ---- sums and extrema ---------------------------------------------------------------------------


def _sum(name, reduce, neutral, summary, example):
    @replayed
    @inner_jit(static_argnames=("axis", "dtype", "keepdims"), name=name)
    def function(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
        a = operand(name, a)
        if where is not None:
            mask_of(name, where)
        refuse_out(name, out)
        if _is_inexact(a):
            a = _replaced(a, neutral)
        return reduce(a, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    return _documented(function, name, summary, example)


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

    return _documented(function, name, summary, example)


def _documented(function, name, summary, example):
    call, result = example.split(" -> ")
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}, not counting NaNs.\n\n    Args:\n      a: array. The other arguments are those of `{name[3:]}`.\n"
        f"    Returns:\n      What `{name[3:]}` returns.\n\n"
        f"    >>> jnp.{name}({call})\n    {result}\n    "
    )
    return function


nansum = _sum(
    "nansum", sum, lambda _: 0, "The sum over axes",
    "jnp.array([1., jnp.nan, 3.]) -> Array(4., dtype=float32)",
)
nanprod = _sum(
    "nanprod", prod, lambda _: 1, "The product over axes",
    "jnp.array([2., jnp.nan, 3.]) -> Array(6., dtype=float32)",
)
nanmax = _extremum(
    "nanmax", max, reduction.lowest, "The largest element over axes",
    "jnp.array([1., jnp.nan, 3.]) -> Array(3., dtype=float32)",
)
nanmin = _extremum(
    "nanmin", min, reduction.highest, "The smallest element over axes",
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
    _documented(function, name, f"The position of the {extreme} element", example)
    return function


nanargmax = _position(
    "nanargmax", argmax, -np.inf, "jnp.array([1., jnp.nan, 3.]) -> Array(2, dtype=int32)"
)
nanargmin = _position(
    "nanargmin", argmin, np.inf, "jnp.array([1., jnp.nan, 3.]) -> Array(0, dtype=int32)"
)


# ---- moments ------------------------------------------------------------------------------------


@replayed
@inner_jit(static_argnames=("axis", "dtype", "keepdims"))
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, where=None) -> Array:
    """The mean over axes, not counting NaNs; arguments as for `mean`.

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


@replayed
@inner_jit(static_argnames=("axis", "dtype", "keepdims"))
def nanvar(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None
) -> Array:
    """The variance over axes, not counting NaNs; arguments as for `var`.

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


@replayed
@inner_jit(static_argnames=("axis", "dtype", "keepdims"))
def nanstd(
    a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=None, mean=None
) -> Array:
    """The standard deviation over axes, not counting NaNs; arguments as for `var`.

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
