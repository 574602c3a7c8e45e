"""Reductions: sums, products, extrema, truth of all or any, and where extrema are.

A reduction chooses the dtype that it computes in (16-bit floats are summed in 32 bits), replaces elements that
`where` leaves out by the neutral element, and calls one primitive. Means and variances are in `moments.py`,
running sums in `running.py`, what counts NaN as missing in `missing.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import lax
from ..array.array import ArrayImpl
from ..core import dtypes
from ..core.messages.errors import message
from ..core.names.aliases import alias
from ..core.trace import state
from ..core.types import Array
from ..prims import arithmetic, logic, reduction
from ..prims.cumulative import reduce_prod
from ..prims.shape import insert_axes, reduce_sum
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, MANY, WORTH, replayed
from . import ufuncs
from .axes import canonical_axes, canonical_axis, named_axes, operand, refuse_out, static_axis
from .conversion import asarray
from .promotion import check_arraylike, convert, dtype_of, shape_of
from .shapes import ravel

__all__ = [
    "all", "amax", "amin", "any", "argmax", "argmin", "count_nonzero", "max", "min", "minmax", "prod", "ptp", "sum",
]

HALF = frozenset((dtypes.float16, dtypes.bfloat16))  # computed with in 32 bits


# ---- what they share ----------------------------------------------------------------------------


def _reduce(
    name, p, x: Array, axis, dtype=None, keepdims=False, initial=None, where=None,
    neutral: Callable = reduction.lowest, combine=None, **params: Any,
) -> Array:
    """The common course of reductions by a primitive `p`.

    `neutral` gives the neutral element of a dtype; `combine` adds the initial value.
    """
    aval = x.aval
    names = ()
    if axis is not None and type(axis) is not int:
        names, axis = named_axes(axis)
    axes = canonical_axes(axis, aval.ndim)
    half = dtype is None and p in _SUMS and aval.dtype in HALF  # a dtype that is given is the one of operations
    dtype = aval.dtype if dtype is None else dtype
    dtypes.warn_of_lost_parts(aval.dtype, dtype)
    if p in _SUMS and dtype == dtypes.bool_:
        p, combine = _OF_BOOLEANS[p]
        params = {}
    x = convert(x, dtypes.float32 if half else dtype)
    if where is not None:
        x = ufuncs.where(mask_of(name, where), x, x.dtype.type(neutral(x.dtype)))
    result = p.bind(x, axes=axes, **params)
    if names:
        result = _over_names(name, p, result, names)
    if initial is not None:
        if shape_of(initial):
            raise ValueError(
                f"initial value in jnp.{name} must be a scalar. Got array of shape {shape_of(initial)}"
            )
        result = combine(first_of(initial, result.dtype), result)
    if keepdims and axes:
        result = insert_axes(result, axes)
    return convert(result, dtype) if half else result


def first_of(initial, dtype):
    """The initial value in the dtype of a result; numbers of a wider kind are converted as arrays of them are."""
    if type(initial) is complex and dtype.kind != "c" or type(initial) is float and dtype.kind in "iu":
        initial = asarray(initial)
    return convert(initial, dtype)


def _over_names(name: str, p, x: Array, names: tuple[str, ...]) -> Array:
    """A reduction over axes that are mapped over."""
    collectives = {reduce_sum: lax.psum, reduction.reduce_max: lax.pmax, reduction.reduce_min: lax.pmin}
    if p not in collectives:
        raise NotImplementedError(f"Named reductions not implemented for jnp.{name}()")
    return collectives[p](x, names)


_SUMS = frozenset((reduce_sum, reduce_prod))
_OF_BOOLEANS = {  # where both the elements and the result are
    reduce_sum: (reduction.reduce_or, logic.or_), reduce_prod: (reduction.reduce_and, logic.and_),
}


def mask_of(name: str, where):
    """The argument `where`, which must be boolean."""
    check_arraylike(name, where)
    dtype = dtype_of(where)
    if dtype != dtypes.bool_:
        raise ValueError(
            f"jnp.{name}: where must be None or a boolean array; got where.dtype={dtype!r}.\n"
            "  Try: where=x != 0"
        )
    return where


# ---- sums and products --------------------------------------------------------------------------


@replayed(compiles_after=AT_ONCE, sizes=MANY, exact=True)
def sum(
    a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True
) -> Array:
    """Return the sum over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all; a string is the name of an axis that is mapped over.
      dtype: of the result; small integers and booleans are summed as the default integer.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: added to the sum.
      where: which elements to include.
      promote_integers: False sums small integers in their own dtype.
    Returns:
      The sums, in an array without these axes, 0 over no elements. Its dtype is that of `a`; that of small integers and
      booleans is the default integer.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.
    See also: `mean`, `prod`, `cumsum`, `nansum`.

    >>> jnp.sum(jnp.ones((2, 3)), axis=0)
    Array([2., 2., 2.], dtype=float32)
    """
    refuse_out("sum", out)
    if type(a) is not ArrayImpl:
        a = operand("sum", a)
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "sum")
    if promote_integers or a.aval.dtype == dtypes.bool_:
        a = _widened(a, dtype)
    return _reduce(
        "sum", reduce_sum, a, axis, dtype, keepdims, initial, where, lambda _: 0,
        arithmetic.add, out_sharding=None,
    )


@replayed(exact=True)
def prod(
    a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None, promote_integers=True
) -> Array:
    """Return the product over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      dtype: of the result; small integers and booleans are multiplied as the default integer.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: a factor of the product.
      where: which elements to include.
      promote_integers: False multiplies small integers in their own dtype.
    Returns:
      The products, in an array without these axes, 1 over no elements. Its dtype is that of `a`; that of small integers
      and booleans is the default integer.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.prod(jnp.array([2., 3.]))
    Array(6., dtype=float32)
    """
    refuse_out("prod", out)
    a = operand("prod", a)
    if dtype is not None:
        dtype = dtypes.check_user_dtype_supported(dtype, "prod")
    if promote_integers or a.aval.dtype == dtypes.bool_:
        a = _widened(a, dtype)
    return _reduce(
        "prod", reduce_prod, a, axis, dtype, keepdims, initial, where, lambda _: 1,
        arithmetic.mul,
    )


def _widened(x: Array, dtype) -> Array:
    """Booleans as integers, and small integers, if no dtype was asked for, in the default integer dtype."""
    own = x.aval.dtype
    if own.kind in "fc" or dtype == dtypes.bool_ or (dtype is not None and own.kind != "b"):
        return x
    if own.kind == "b" and state.trace.stages:  # JAX parity: as int32 first, also among 64 bits
        x = convert(x, np.dtype("int32"))
        if dtype is not None:
            return x
    return convert(x, at_least_default(own))


def at_least_default(dtype):
    """The dtype of sums and products of elements of a dtype: at least the default integer."""
    if dtype == np.bool_ or dtypes.issubdtype(dtype, np.signedinteger):
        wide = dtypes.default_int()
    elif dtypes.issubdtype(dtype, np.unsignedinteger):
        wide = dtypes.default_uint()
    else:
        return dtype
    return wide if dtype.itemsize < wide.itemsize else dtype


# ---- extrema ------------------------------------------------------------------------------------


def _extremum(name, p, combine, neutral, a, axis, out, keepdims, initial, where):
    refuse_out(name, out)
    a = operand(name, a)
    if initial is None:
        if where is not None:
            raise ValueError(
                f"reduction operation {name} does not have an identity, so to use a where mask one has "
                f"to specify 'initial'\n  Try: jnp.{name}(x, where=mask, initial=...)"
            )
        if is_empty(a.shape, axis):
            raise ValueError(
                f"zero-size array to reduction operation {name} which has no identity\n"
                f"  The operand has shape {a.shape}.\n  Try: jnp.{name}(x, initial=...)"
            )
    return _reduce(name, p, a, axis, None, keepdims, initial, where, neutral, combine)


def is_empty(shape, axis) -> bool:
    """Return whether a reduction over `axis` would have nothing to reduce."""
    return 0 in shape and 0 in [shape[i] for i in canonical_axes(named_axes(axis)[1], len(shape))]


@replayed(compiles_after=AT_ONCE, sizes=MANY, exact=True)
def max(a, axis=None, out=None, keepdims=False, initial=None, where=None) -> Array:
    """Return the largest element over axes; NaN if there is one.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: the least that the result can be.
      where: which elements to include; `initial` has to be given.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.
    Derivative: equal largest elements share it.
    See also: `maximum` of two arrays, `argmax`, `nanmax`.

    >>> jnp.max(jnp.array([1., 3., 2.]))
    Array(3., dtype=float32)
    """
    return _extremum(
        "max", reduction.reduce_max, arithmetic.max_, reduction.lowest, a, axis, out, keepdims,
        initial, where,
    )


@replayed(compiles_after=AT_ONCE, sizes=MANY, exact=True)
def min(a, axis=None, out=None, keepdims=False, initial=None, where=None) -> Array:
    """Return the smallest element over axes; NaN if there is one.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: the greatest that the result can be.
      where: which elements to include; `initial` has to be given.
    Returns:
      The elements, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.
    Derivative: equal smallest elements share it.
    See also: `minimum` of two arrays, `argmin`, `nanmin`.

    >>> jnp.min(jnp.array([1., 3., 2.]))
    Array(1., dtype=float32)
    """
    return _extremum(
        "min", reduction.reduce_min, arithmetic.min_, reduction.highest, a, axis, out, keepdims,
        initial, where,
    )


amax, amin = alias(max, "amax"), alias(min, "amin")


def minmax(a, axis=None, out=None, keepdims=False, initial=None, where=None) -> tuple[Array, Array]:
    """Return the smallest and the largest element over axes; NaN if there is one. A name of JAX 0.11.

    Args:
      a: array; complex numbers are ordered by their real, then their imaginary parts.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      initial: a number that counts as an element, or a pair, of which the first counts for the smallest and the second
        for the largest.
      where: which elements to include; `initial` has to be given.
    Returns:
      A pair of arrays without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements, or `where` is given, and no `initial`.

    >>> jnp.minmax(jnp.array([2., 5., 1.]))
    (Array(1., dtype=float32), Array(5., dtype=float32))
    """
    low, high = initial if isinstance(initial, tuple) else (initial, initial)
    lowest = _extremum(
        "minmax", reduction.reduce_min, arithmetic.min_, reduction.highest, a, axis, out, keepdims, low, where
    )
    highest = _extremum(
        "minmax", reduction.reduce_max, arithmetic.max_, reduction.lowest, a, axis, out, keepdims, high, where
    )
    return lowest, highest


@replayed(exact=True)
def ptp(a, axis=None, out=None, keepdims=False) -> Array:
    """Return the largest minus the smallest element over axes.

    Args:
      a: array.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The differences, in an array without these axes, of the dtype of `a`.
    Raises:
      ValueError: there are no elements.

    >>> jnp.ptp(jnp.array([1., 3.]))
    Array(2., dtype=float32)
    """
    a = operand("ptp", a)
    refuse_out("ptp", out)
    return _ptp(a, static_axis(axis), keepdims)


@inner_jit(static_argnames=("axis", "keepdims"))
def _ptp(a, axis, keepdims):
    return arithmetic.sub(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims))


# ---- truth --------------------------------------------------------------------------------------


@replayed(exact=True)
def all(a, axis=None, out=None, keepdims=False, *, where=None) -> Array:
    """Return whether all elements over axes are true, that is not zero.

    Args:
      a: array; a NaN is true.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
    Returns:
      Booleans, in an array without these axes; True over no elements. The dtype is bool.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.all(jnp.array([True, False]))
    Array(False, dtype=bool)
    """
    refuse_out("all", out)
    a = _truth(operand("all", a))
    return _reduce(
        "all", reduction.reduce_and, a, axis, dtypes.bool_, keepdims, None, where, lambda _: 1
    )


@replayed(exact=True)
def any(a, axis=None, out=None, keepdims=False, *, where=None) -> Array:
    """Return whether any element over axes is true, that is not zero.

    Args:
      a: array; a NaN is true.
      axis: an axis, a tuple of axes, or None for all.
      out: must be None.
      keepdims: keep the reduced axes with length 1.
      where: which elements to include.
    Returns:
      Booleans, in an array without these axes; False over no elements. The dtype is bool.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
      NotImplementedError: `out` is given.

    >>> jnp.any(jnp.array([True, False]))
    Array(True, dtype=bool)
    """
    refuse_out("any", out)
    a = _truth(operand("any", a))
    return _reduce(
        "any", reduction.reduce_or, a, axis, dtypes.bool_, keepdims, None, where, lambda _: 0
    )


def _truth(x):
    """Return what can be converted to booleans: a complex number is true if either part is."""
    return ufuncs.not_equal(x, x.dtype.type(0)) if x.aval.dtype.kind == "c" else x


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("axis", "keepdims"))
def count_nonzero(a, axis=None, keepdims=False) -> Array:
    """Return the number of elements over axes that are not zero.

    Args:
      a: array; a NaN counts.
      axis: an axis, a tuple of axes, or None for all.
      keepdims: keep the reduced axes with length 1.
    Returns:
      The numbers, of the default integer dtype, in an array without these axes.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> jnp.count_nonzero(jnp.array([1., 0.]))
    Array(1, dtype=int32)
    """
    a = operand("count_nonzero", a)
    nonzero = ufuncs.not_equal(a, a.dtype.type(0))
    return sum(nonzero, axis, dtype=dtypes.default_int(), keepdims=keepdims)


# ---- positions ----------------------------------------------------------------------------------


def _position(name, p, a, axis, out, keepdims):
    a = operand(name, a)
    refuse_out(name, out)
    if axis is None:
        reduced = tuple(range(a.ndim))
        a, axis = ravel(a), 0
    else:
        axis = canonical_axis(axis, a.ndim)
        reduced = (axis,)
    if a.shape[axis] == 0:
        raise ValueError(
            message(
                f"attempt to get {name} of an empty sequence",
                why=f"Axis {axis} of {a.aval.str_short(True)} has no elements.",
                fix=f"jnp.{name}(x) if x.size else -1",
            )
        )
    result = p.bind(a, axes=(axis,), index_dtype=dtypes.default_int())
    return insert_axes(result, reduced) if keepdims and reduced else result


@replayed(compiles_after=WORTH)
def argmax(a, axis: int | None = None, out=None, keepdims: bool | None = None) -> Array:
    """Return the position of the largest element, the first of several; in the flat array without `axis`.

    Args:
      a: array; a NaN counts as the largest.
      axis: an axis, or None for the flat array.
      out: must be None.
      keepdims: keep the axis with length 1.
    Returns:
      Positions, int32 (int64 with 64-bit types on), in an array without that axis.
    Raises:
      ValueError: there are no elements.
    See also: `max`, `nanargmax`, `unravel_index`.

    >>> jnp.argmax(jnp.array([1., 3., 2.]))
    Array(1, dtype=int32)
    """
    return _position("argmax", reduction.argmax, a, axis, out, keepdims)


@replayed(compiles_after=WORTH)
def argmin(a, axis: int | None = None, out=None, keepdims: bool | None = None) -> Array:
    """Return the position of the smallest element, the first of several; in the flat array without `axis`.

    Args:
      a: array; a NaN counts as the smallest.
      axis: an axis, or None for the flat array.
      out: must be None.
      keepdims: keep the axis with length 1.
    Returns:
      Positions, int32 (int64 with 64-bit types on), in an array without that axis.
    Raises:
      ValueError: there are no elements.
    See also: `min`, `nanargmin`, `unravel_index`.

    >>> jnp.argmin(jnp.array([3., 1., 2.]))
    Array(1, dtype=int32)
    """
    return _position("argmin", reduction.argmin, a, axis, out, keepdims)
