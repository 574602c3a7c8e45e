"""Division that rounds, what it leaves over, and powers of integers.

Quotients are rounded down and remainders have the sign of the divisor, as in Python. Integers divided by
zero are -1 or -2 for a quotient and 0 for a remainder: what comes of XLA's division.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

import numpy as np

from ..array.array import ArrayImpl
from ..core import dtypes
from ..core.messages.errors import message
from ..core.names.aliases import alias
from ..core.types import Array, aval_of, type_of
from ..prims import logic, transcendental
from ..prims.arithmetic import abs_, add, div, integer_pow, mul, rem, round_, sign, sub
from ..prims.family import like
from ..prims.logic import and_, eq, lt, ne, select_n
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import WORTH, replayed
from .conversion import asarray
from .fills import filled_like
from .promotion import (
    check_arraylike,
    constant,
    convert,
    promote,
    promote_numeric,
    promote_shapes,
)
from .selection import where
from .shortcuts import quick

__all__ = [
    "divmod", "floor_divide", "fmod", "mod", "pow", "power", "remainder",
]


def _is_integer(dtype) -> bool:
    return dtypes.issubdtype(dtype, np.integer)


# ---- quotients and remainders -------------------------------------------------------------------


def _floor_divide_integers(x, y):
    """NumPy rounds down too, but x // 0 is 0 there."""
    out = np.floor_divide(x, y)
    by_zero = np.equal(y, 0)
    if by_zero.any():
        if out.dtype.kind == "u":
            return np.where(by_zero, np.iinfo(out.dtype).max, out).astype(out.dtype)
        out = np.where(by_zero, np.where(np.equal(x, 0), -1, -2), out).astype(out.dtype)
    return out


def _floor_divide_floats(x, y):
    """NumPy's, but for the sign of a quotient of zero: it is that of y."""
    return _with_signs_of_zeros(np.floor_divide(x, y), y)


def _remainder_floats(x, y):
    """NumPy's, but for the sign of a remainder of zero: it is that of x, as `rem` leaves it."""
    return _with_signs_of_zeros(np.remainder(x, y), x)


def _with_signs_of_zeros(out, of):
    return out if np.count_nonzero(out) == out.size else np.where(out, out, np.copysign(out, of))


@quick(f=_floor_divide_floats, iu=_floor_divide_integers)
@inner_jit
def floor_divide(x1, x2, /):
    """Return the quotient x1 / x2, rounded down, elementwise.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast and the dtype to which they promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.floor_divide(jnp.array([7, -7]), 2)
    Array([ 3, -4], dtype=int32)
    """
    x1, x2 = promote_numeric("floor_divide", x1, x2)
    dtype = aval_of(x1).dtype
    if dtypes.issubdtype(dtype, np.unsignedinteger):
        return div(x1, x2)
    if dtypes.issubdtype(dtype, np.complexfloating):
        raise TypeError(
            message("floor_divide does not support complex-valued inputs", fix="x / y, or jnp.floor(x.real / y.real)")
        )
    if not _is_integer(dtype):
        return _divmod_floats(x1, x2)[0]
    out = div(x1, x2)
    rounded_up = and_(ne(sign(x1), sign(x2)), ne(rem(x1, x2), constant(x1, 0)))
    return where(rounded_up, sub(out, like(out, 1)), out)


def _divmod_floats(x1, x2):
    """Return (quotient rounded down, remainder with the sign of x2)"""
    left = rem(x1, x2)
    whole = div(where(eq(x2, constant(x2, 0)), x1, sub(x1, left)), x2)
    below = and_(ne(left, constant(left, 0)), ne(sign(x2), sign(left)))
    left = select_n(below, left, add(left, x2))
    whole = select_n(below, whole, sub(whole, like(whole, 1)))
    return round_(whole, rounding_method=0), left


@quick(fe=_remainder_floats, iu=np.remainder)
@inner_jit
def remainder(x1, x2, /):
    """Return what is left of x1 after division by x2, with the sign of x2.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.remainder(jnp.array([7, -7]), 3)
    Array([1, 2], dtype=int32)
    """
    x1, x2 = promote_numeric("remainder", x1, x2)
    if _is_integer(aval_of(x2).dtype):
        x2 = where(eq(x2, constant(x2, 0)), filled_like(x2, 1), x2)
    left = rem(x1, x2)
    zero = constant(left, 0)
    nonzero = ne(left, zero)
    other_sign = and_(ne(lt(left, zero), lt(x2, constant(x2, 0))), nonzero)
    return select_n(other_sign, left, add(left, x2))


mod = alias(remainder, "mod")


@quick(fe=np.fmod, iu=np.fmod)
@inner_jit
def fmod(x1, x2, /):
    """Return what is left of x1 after division by x2, with the sign of x1.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.fmod(jnp.array([7, -7]), 3)
    Array([ 1, -1], dtype=int32)
    """
    check_arraylike("fmod", x1, x2)
    if _is_integer(dtypes.result_type(x1, x2)):
        x2 = where(eq(x2, constant(x2, 0)), filled_like(x2, 1), x2)
    return rem(*promote_numeric("fmod", x1, x2))


@replayed(scalars=True, compiles_after=WORTH)
@inner_jit
def divmod(x1, x2, /) -> tuple[Array, Array]:
    """Return `(x1 // x2, x1 % x2)`: the quotient rounded down, and the remainder with the sign of x2, elementwise.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      A pair of arrays of the shape to which they broadcast and the dtype to which they promote.
    Raises:
      TypeError: `x1` is complex or not an array or scalar, or shapes do not broadcast; lists are not converted.

    >>> jnp.divmod(jnp.array([7., -7.]), 2.)
    (Array([ 3., -4.], dtype=float32), Array([1., 1.], dtype=float32))
    """
    x1, x2 = promote_numeric("divmod", x1, x2)
    if _is_integer(aval_of(x1).dtype):
        return floor_divide(x1, x2), remainder(x1, x2)
    return _divmod_floats(x1, x2)


# ---- powers -------------------------------------------------------------------------------------


def power(x1, x2, /):
    """Return x1 ** x2, elementwise.

    Args:
      x1: array or scalar.
      x2: array or scalar. One integer whose value is known multiplies x1 with itself, and the result has the
        dtype of x1; dtypes promote otherwise.
    Returns:
      An array of the shape to which they broadcast and of the dtype to which they promote, or of that of x1; NaN where
      a float is negative and x2 no whole number.
    Raises:
      TypeError: x1 is an integer and x2 a negative integer whose value is known.

    >>> jnp.power(jnp.array([1., 2., 3.]), 2)
    Array([1., 4., 9.], dtype=float32)
    """
    if isinstance(x2, ArrayImpl | np.ndarray | np.generic) and not x2.ndim and x2.dtype.kind in "iu":
        x2 = int(x2)
    if type(x1) is bool:
        x1 = np.int32(x1)
    return _power(x1, x2)


@replayed(scalars=True, static=(1,), exact=True)
def _power(x1, x2):
    check_arraylike("power", x1, x2)
    if type(x2) is int or type(x2) is bool:
        (x1,) = promote_numeric("power", x1)
        return integer_pow(x1, y=int(x2))
    if dtypes.issubdtype(type_of(x1).dtype, np.inexact) and _is_integer(type_of(x2).dtype):
        promote_numeric("power", x1, x2)  # JAX parity: programs show that x2 is promoted, and not used
        operands = [asarray(x) if isinstance(x, np.ndarray) else x for x in (x1, x2)]
        return transcendental.pow_(*promote_shapes("power", operands))
    x1, x2 = promote_numeric("power", x1, x2)
    if _is_integer(aval_of(x1).dtype):
        return convert(_power_of_integers(x1, x2), aval_of(x1).dtype)
    return transcendental.pow_(x1, x2)


pow = alias(power, "pow")


def _power_of_integers(x1, x2):
    """Raise to a power by squaring; the exponent's lowest six bits count, which is where 32-bit results overflow."""
    zero = constant(x1, 0)
    out = where(and_(eq(x1, zero), ne(x2, constant(x2, 0))), zero, constant(x1, 1))
    one = constant(x2, 1)
    for _ in range(6):
        out = where(and_(x2, one), mul(out, x1), out)
        x1 = mul(x1, x1)
        x2 = logic.shift_right_logical(x2, one)
    return out


# ---- divisors -----------------------------------------------------------------------------------


def promote_integers(name, x1, x2):
    check_arraylike(name, x1, x2)
    x1, x2 = promote(name, x1, x2)
    if not _is_integer(aval_of(x1).dtype):
        raise ValueError(message(f"Arguments to jax.numpy.{name} must be integers.", fix="x.astype(int)"))
    if dtypes.issubdtype(aval_of(x1).dtype, np.signedinteger):
        x1, x2 = abs_(x1), abs_(x2)
    return x1, x2
