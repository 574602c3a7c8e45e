"""Choosing among elements: by a condition, by a list of conditions, by size.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

import numpy as np

from ..array.array import ArrayImpl, make_array
from ..core import dtypes
from ..core.messages.errors import message
from ..core.process.memo import Memo
from ..core.trace import state
from ..core.types import Array, aval_of, type_of
from ..core.values.deferred import Deferred
from ..engines.numpy import eval_trace
from ..prims import arithmetic
from ..prims.conversion import convert_element_type
from ..prims.logic import choose, gt, lt, ne, select_n
from ..prims.reduction import argmax
from ..prims.shape import stack, zeros_of
from ..sharding.explicit import broadcast_sharding
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from .conversion import asarray
from .elementary import bitwise_or, greater, less, maximum, minimum
from .fills import filled, stretched, stretched_together
from .predicates import isnan, isneginf, isposinf
from .promotion import broadcast_shape, check_arraylike, constant, convert, of_one_rank, promote, promote_inexact

__all__ = ["clip", "fmax", "fmin", "heaviside", "nan_to_num", "select", "where"]


# ---- where --------------------------------------------------------------------------------------

# The type of `where` by the types of its operands, for concrete arrays and scalars that `np.where`
# promotes as we do: the same short cut as in `elementwise.py`.
_known = Memo(4096)
_known_type = _known.get
_MIN_ELEMENTS_TO_COMPILE = 2**15  # elements from which a compiled program is faster than `np.where`


def where(condition, x=None, y=None, /, *, size: int | None = None, fill_value=None):
    """Return elements of `x` where a condition holds, and of `y` elsewhere.

    Args:
      condition: array or scalar; zero is false.
      x, y: arrays or scalars. Shapes of all three broadcast, dtypes of these two promote. Without them,
        the indices where the condition holds are returned, as by `nonzero`.
      size, fill_value: for the form without `x` and `y`: see `nonzero`.
    Returns:
      An array of the shape to which all of them broadcast, in the dtype to which `x` and `y` promote.
    Raises:
      TypeError: `condition` is not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.
    Derivative: only the elements that are chosen have one. Where the other branch is infinite or NaN,
      choose its operand with `where` too.
    See also: `select`, `lax.cond`, `nonzero`, `clip`.

    >>> jnp.where(jnp.array([True, False]), jnp.array([1, 2]), 0)
    Array([1, 0], dtype=int32)
    """
    given = size is not None or fill_value is not None
    if type(condition) is ArrayImpl and state.trace is eval_trace and not given:
        kx, bx = (x.aval, x._buffer) if type(x) is ArrayImpl else (type(x), x)
        ky, by = (y.aval, y._buffer) if type(y) is ArrayImpl else (type(y), y)
        aval = _known_type((condition.aval, kx, ky))
        if aval is not None and not (condition._buffer is None or bx is None or by is None):
            return make_array(choose(condition._buffer, bx, by), aval)
    if x is None and y is None:
        if not isinstance(condition, (Array, Deferred)):
            check_arraylike("nonzero", condition)
            condition = asarray(condition)
        return condition.nonzero(size=size, fill_value=fill_value)
    check_arraylike("where", condition, x, y)
    if given:
        raise ValueError("size and fill_value arguments cannot be used in three-term where function.")
    out = _where(condition, x, y)
    if type(condition) is ArrayImpl and type(out) is ArrayImpl:
        _learn(condition, x, y, out)
    return out


def _learn(condition, x, y, out):
    """Remember the type of the result if `np.where` gives it on the buffers."""
    dtype = out.dtype
    # `isbuiltin`: NumPy's own dtypes; float8_e5m2 calls itself a float too, and becomes float32 beside Python's.
    if not isinstance(dtype, np.dtype) or dtype.isbuiltin != 1:  # those of random keys are none
        return
    if condition.dtype != dtypes.bool_ or out.size >= _MIN_ELEMENTS_TO_COMPILE:
        return
    for v in (x, y):
        if type(v) is ArrayImpl:
            if v.dtype != dtype:
                return
        elif not (type(v) is float and dtype.kind in "fc"):
            return
    if not isinstance(x, Array) and not isinstance(y, Array):
        return
    if out.weak_type and not (isinstance(x, Array) and isinstance(y, Array)):  # as wide as the options let it be
        return
    keys = [v.aval if type(v) is ArrayImpl else type(v) for v in (condition, x, y)]
    _known.keep(tuple(keys), out.aval)


@replayed(scalars=True, compiles_after=WORTH)
@inner_jit
def _where(condition, x, y):
    if aval_of(condition).dtype != dtypes.bool_:
        (condition,) = promote("where", condition)
        condition = ne(condition, constant(condition, 0))
    dtype, weak = dtypes.result_of(tuple([(a.dtype, a.weak_type) for a in map(aval_of, (x, y))]))
    x, y = convert(x, dtype, weak), convert(y, dtype, weak)
    shapes = [aval_of(v).shape for v in (condition, x, y)]
    shape = broadcast_shape(*(shapes if shapes[0] else shapes[1:]))
    given = (condition, x, y) if shapes[0] else (x, y)
    sharding = broadcast_sharding([aval_of(v) for v in given], shape)
    *whole, x, y = [v if s == shape and sharding is None else stretched(asarray(v), shape, sharding)
                    for v, s in zip(given, shapes[-len(given) :])]
    (condition,) = whole or (condition,)
    return select_n(condition, y, x)


def select(condlist, choicelist, default=0) -> Array:
    """Return elements of the first choice whose condition holds.

    Args:
      condlist: conditions; zero is false.
      choicelist: as many arrays or scalars. Shapes broadcast and dtypes promote.
      default: the value where no condition holds.
    Returns:
      An array of the shape to which all of them broadcast: each element is that of the first choice whose condition
        holds. The dtype is the one to which those of the arrays promote.
    Raises:
      ValueError: there is no condition, or not one for each choice.

    >>> x = jnp.arange(5)
    >>> jnp.select([x < 1, x > 3], [x - 10, x + 10], x)
    Array([-10,   1,   2,   3,  14], dtype=int32)
    """
    if len(condlist) != len(choicelist):
        raise ValueError(
            message(
                f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})",
                fix="default=... for what is taken where no condition is true",
            )
        )
    if len(condlist) == 0:
        raise ValueError(message("condlist must be non-empty", fix="jnp.full(shape, default), which is what is chosen"))
    check_arraylike("select", *condlist, *choicelist, default)
    # Conditions of several dtypes promote, which the mode "strict" refuses; then they are compared with zero.
    dtypes.result_of((*[(a.dtype, a.weak_type) for a in map(type_of, condlist)], (dtypes.bool_, False)))
    conditions = _broadcast([_truth(c) for c in condlist])
    choices = [default, *choicelist]
    keys = [(a.dtype, a.weak_type) for a in map(type_of, choices)]
    dtype, weak = dtypes.result_of(tuple(keys))
    choices = [asarray(convert(c, dtype, weak)) for c in choices]
    like = aval_of(conditions[0])
    never = zeros_of(like) if like.explicit_sharding else filled(like.shape, False, dtypes.bool_)
    # The first true one, or position 0, where `never` stands for the default.
    which = argmax(stack(never, *conditions, axis=0), axes=(0,), index_dtype=dtypes.default_int())
    which, *choices = _broadcast([which, *choices])
    return select_n(which, *choices)


def _truth(x):
    x = asarray(x)
    if x.dtype == dtypes.bool_:
        return x
    return convert_element_type(x, new_dtype=dtypes.bool_, weak_type=False, sharding=None)


def _broadcast(xs):
    return stretched_together(xs, broadcast_shape(*[x.shape for x in xs]))


# ---- limits -------------------------------------------------------------------------------------


@replayed(scalars=True, compiles_after=WORTH)
@inner_jit
def clip(arr=None, /, min=None, max=None):
    """Return the elements of an array, moved to the nearest limit where they are outside.

    Args:
      arr: real array or scalar.
      min, max: arrays or scalars; None is no limit. Where `min > max`, the result is `max`.
    Returns:
      An array of the shape to which all broadcast, with elements from `min` to `max`.
      The dtype is the one to which those of the arguments promote.
    Raises:
      ValueError: something is complex.
    See also: `minimum`, `maximum`, `nn.relu`.

    >>> jnp.clip(jnp.array([-1., 0.5, 2.]), 0, 1)
    Array([0. , 0.5, 1. ], dtype=float32)
    """
    if arr is None:
        raise ValueError(message("No input was provided to the clip function.", fix="jnp.clip(x, 0, 1)"))
    check_arraylike("clip", arr)
    if any(aval_of(x).dtype.kind == "c" for x in (arr, min, max) if x is not None):
        raise ValueError(
            "Clip received a complex value either through the input or the min/max keywords. Complex "
            "values have no ordering and cannot be clipped. Please convert to a real value or array by "
            "taking the real or imaginary components via jax.numpy.real/imag respectively."
        )
    if min is not None:
        arr = maximum(min, arr)
    if max is not None:
        arr = minimum(max, arr)
    return asarray(arr)


@replayed(scalars=True, compiles_after=WORTH)
@inner_jit
def fmax(x1, x2):
    """Return the larger one; if one is NaN, the other, elementwise.

    Args:
      x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast and of the dtype to which they promote; NaN only where both are.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.fmax(jnp.array([1., jnp.nan]), 0.5)
    Array([1. , 0.5], dtype=float32)
    """
    return where(bitwise_or(greater(x1, x2), isnan(x2)), x1, x2)


@replayed(scalars=True, compiles_after=WORTH)
@inner_jit
def fmin(x1, x2):
    """Return the smaller one; if one is NaN, the other, elementwise.

    Args:
      x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast and of the dtype to which they promote; NaN only where both are.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.fmin(jnp.array([1., jnp.nan]), 0.5)
    Array([0.5, 0.5], dtype=float32)
    """
    return where(bitwise_or(less(x1, x2), isnan(x2)), x1, x2)


@replayed(scalars=True, compiles_after=WORTH)
@inner_jit
def heaviside(x1, x2, /):
    """Return the step function: 0 for negative x1, 1 for positive x1, and x2 where x1 is 0.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of floats, of the shape to which the operands broadcast.
    Raises:
      TypeError: `x1` is complex or not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> jnp.heaviside(jnp.array([-2., 0., 2.]), 0.5)
    Array([0. , 0.5, 1. ], dtype=float32)
    """
    x1, x2 = promote_inexact("heaviside", *of_one_rank(x1, x2))
    zero, one = constant(x1, 0), constant(x1, 1)
    negative, positive, nan = lt(x1, zero), gt(x1, zero), ne(x1, x1)
    return where(negative, zero, where(positive, one, where(nan, x1, x2)))


@replayed(scalars=True, static=(1,), compiles_after=WORTH)
@inner_jit
def nan_to_num(x, copy: bool = True, nan=0.0, posinf=None, neginf=None):
    """Return x with numbers in place of NaN and infinities.

    Args:
      x: array or scalar.
      copy: has no effect.
      nan: what stands for NaN.
      posinf, neginf: what stands for the infinities; default the largest and the smallest number.
    Returns:
      An array of the shape and dtype of `x`, in which all elements are finite.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.nan_to_num(jnp.array([1., jnp.nan, -jnp.inf]), neginf=-9.)
    Array([ 1.,  0., -9.], dtype=float32)
    """
    check_arraylike("nan_to_num", x)
    dtype = aval_of(x).dtype
    if not dtypes.issubdtype(dtype, np.inexact):
        return asarray(x)
    if dtypes.issubdtype(dtype, np.complexfloating):
        re = nan_to_num(arithmetic.real(x), nan=nan, posinf=posinf, neginf=neginf)
        im = nan_to_num(arithmetic.imag(x), nan=nan, posinf=posinf, neginf=neginf)
        return arithmetic.complex_(re, im)
    info = dtypes.finfo(dtype)
    posinf = info.max if posinf is None else posinf
    neginf = info.min if neginf is None else neginf
    for missing, filling in (isnan, nan), (isposinf, posinf), (isneginf, neginf):
        filling = filling if type(filling) in (int, float) else asarray(filling)
        x = where(missing(x), convert(filling, dtype), x)
    return x
