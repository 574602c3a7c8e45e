"""Formulas on floating-point numbers: their signs and parts, rounding, and functions without a primitive.

Those with a derivative of their own (`logaddexp`, `sinc`, `frexp`) carry it as a `custom_jvp`.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

from functools import partial
from math import log as scalar_log
from math import pi
from operator import index

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.names.aliases import alias
from ..core.types import Array, aval_of
from ..prims import arithmetic, transcendental
from ..prims.arithmetic import abs_, add, ceil, div, floor, max_, min_, mul, neg, rem, sub
from ..prims.conversion import bitcast_convert_type, convert_element_type
from ..prims.logic import and_, eq, ge, gt, lt, ne, or_, select_n, shift_right_arithmetic
from ..prims.transcendental import pow_
from ..transforms.custom.custom_jvp import custom_jvp
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import AT_ONCE, replayed
from .conversion import asarray, settled
from .elementary import imag, nextafter, rad2deg, real
from .fills import filled_like
from .predicates import isinf
from .promotion import check_arraylike, constant, convert, promote, promote_inexact, strong
from .selection import where
from .shortcuts import quick, refusal
from .universal import universal

__all__ = [
    "acosh", "angle", "arccosh", "around", "copysign", "frexp", "hypot", "ldexp", "logaddexp",
    "logaddexp2", "modf", "rint", "round", "signbit", "sinc", "spacing", "trunc",
]


def _is_float(dtype) -> bool:
    return dtypes.issubdtype(dtype, np.floating)


def _is_complex(dtype) -> bool:
    return dtypes.issubdtype(dtype, np.complexfloating)


def _integer_of(dtype):
    """Return the signed integer dtype with the width of a float."""
    return np.dtype(f"i{dtype.itemsize}")


def _by_parts(function, x):
    """Return a function of real numbers, on both parts of complex ones."""
    re = function(arithmetic.real(x))
    return arithmetic.complex_(re, function(arithmetic.imag(x)))


# ---- signs --------------------------------------------------------------------------------------


@quick(fe=np.signbit)
@inner_jit
def signbit(x, /):
    """Return whether the sign bit is set: of negative numbers, -0. and some NaNs.

    Args:
      x: real array or scalar.
    Returns:
      An array of booleans of the shape of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex.

    >>> jnp.signbit(jnp.array([-1., -0., 0.]))
    Array([ True,  True, False], dtype=bool)
    """
    (x,) = promote("signbit", x)
    dtype = aval_of(x).dtype
    if dtypes.issubdtype(dtype, np.integer):
        return lt(x, strong(x, 0))
    if dtype == dtypes.bool_:
        return filled_like(x, False)
    if not _is_float(dtype):
        raise ValueError(
            message(
                f"jax.numpy.signbit is not well defined for {dtype}",
                fix="jnp.signbit(x.real), or x < 0 for integers",
            )
        )
    if dtypes.itemsize_bits(dtype) < 8:  # of which several share a byte
        dtype = np.dtype(np.float32)
        x = convert_element_type(x, new_dtype=dtype, weak_type=False, sharding=None)
    integer = _integer_of(dtype)
    bits = bitcast_convert_type(x, new_dtype=integer)
    sign = shift_right_arithmetic(bits, integer.type(8 * integer.itemsize - 1))
    return convert_element_type(sign, new_dtype=dtypes.bool_, weak_type=False, sharding=None)


@quick(fe=np.copysign)
@inner_jit
def copysign(x1, x2, /):
    """Return the absolute value of x1 with the sign of x2, elementwise.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast, of a float dtype; integers become floats before.
    Raises:
      TypeError: `x1` is complex or not an array or scalar; lists are not converted.
      ValueError: shapes do not broadcast.

    >>> jnp.copysign(jnp.array([1., -2.]), jnp.array([-0., 3.]))
    Array([-1.,  2.], dtype=float32)
    """
    x1, x2 = promote_inexact("copysign", x1, x2)
    if _is_complex(aval_of(x1).dtype):
        raise TypeError(message("copysign does not support complex-valued inputs", fix="jnp.copysign(x.real, y.real)"))
    return where(signbit(x2), neg(abs_(x1)), abs_(x1))


# ---- rounding -----------------------------------------------------------------------------------


@replayed(scalars=True, static=(1,))
@inner_jit(static_argnames=("decimals",))
def round(a, decimals: int = 0, out=None):
    """Round to a number of decimals; halves go to the even neighbour.

    Args:
      a: array or scalar.
      decimals: how many, an integer; negative ones round before the decimal point, of floats only.
      out: must be None.
    Returns:
      The rounded numbers, in an array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.round(jnp.array([0.5, 1.5, 2.26]), 1)
    Array([0.5, 1.5, 2.3], dtype=float32)
    """
    check_arraylike("round", a)
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.round is not supported.")
    dtype, decimals = aval_of(a).dtype, index(decimals)
    if dtypes.issubdtype(dtype, np.integer):
        if decimals < 0:
            raise NotImplementedError(
                message("integer np.round not implemented for decimals < 0", fix="jnp.round(x.astype(float), decimals)")
            )
        return asarray(a)
    if dtype == dtypes.bool_:
        raise ValueError("round needs numbers, got bool.\n  Try: jnp.round(x.astype(int))")
    (a,) = promote("round", a)
    rounded = lambda x: _round_float(x, decimals)
    return _by_parts(rounded, a) if _is_complex(dtype) else rounded(a)


def _round_float(x, decimals):
    if decimals == 0:
        return arithmetic.round_(x, rounding_method=1)
    factor = constant(x, 10**decimals)
    return div(arithmetic.round_(mul(x, factor), rounding_method=1), factor)


@replayed(scalars=True, static=(1,))
@inner_jit(static_argnames=("decimals",))
def around(a, decimals: int = 0, out=None):
    """Round to a number of decimals, as `round` does; halves go to the even neighbour.

    Args:
      a: array or scalar.
      decimals: how many, an integer; negative ones round before the decimal point, of floats only.
      out: must be None.
    Returns:
      The rounded numbers, in an array of the shape and dtype of `a`.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.around(jnp.array([0.5, 1.5]))
    Array([0., 2.], dtype=float32)
    """
    return round(a, decimals, out)


@quick(fe=np.rint)
@inner_jit
def rint(x, /):
    """Return the nearest whole number, as a float, elementwise; halves go to the even neighbour.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.rint(jnp.array([0.5, 1.5]))
    Array([0., 2.], dtype=float32)
    """
    check_arraylike("rint", x)
    dtype = aval_of(x).dtype
    if not dtypes.issubdtype(dtype, np.inexact):
        return asarray(convert(x, dtypes.default_float()))
    (x,) = promote("rint", x)
    return _by_parts(rint, x) if _is_complex(dtype) else arithmetic.round_(x, rounding_method=1)


@quick(fe=np.trunc)
@inner_jit
def trunc(x):
    """Return the whole number next to x on the side of zero, elementwise.

    Args:
      x: real array or scalar; integers are as they are.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.

    >>> jnp.trunc(jnp.array([-1.7, 1.7]))
    Array([-1.,  1.], dtype=float32)
    """
    (x,) = promote("trunc", x)
    if not dtypes.issubdtype(aval_of(x).dtype, np.inexact):
        return settled(x)
    return where(lt(x, constant(x, 0)), ceil(x), floor(x))


# ---- parts --------------------------------------------------------------------------------------


@replayed(scalars=True)
@inner_jit
def modf(x, /, out=None) -> tuple[Array, Array]:
    """Return the fractional and the whole part, both with the sign of x, elementwise.

    Args:
      x: real array or scalar.
      out: must be None.
    Returns:
      A pair of arrays of the shape of `x`, of floats.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.modf(jnp.array([-1.5, 2.25]))
    (Array([-0.5 ,  0.25], dtype=float32), Array([-1.,  2.], dtype=float32))
    """
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.modf is not supported.")
    (x,) = promote_inexact("modf", x)
    whole = where(ge(x, constant(x, 0)), floor(x), ceil(x))
    return sub(x, whole), whole


@replayed(scalars=True)
@inner_jit
def frexp(x, /) -> tuple[Array, Array]:
    """Return mantissa and exponent, elementwise: `x = m * 2 ** e`.

    Args:
      x: real array or scalar.
    Returns:
      A pair of arrays of the shape of `x`: floats, at least 0.5 and below 1 in size, or 0, infinite and NaN; and
      integers.
    Raises:
      TypeError: `x` is complex.

    >>> jnp.frexp(jnp.array([1., -6.]))
    (Array([ 0.5 , -0.75], dtype=float32), Array([1, 3], dtype=int32))
    """
    check_arraylike("frexp", x)
    (x,) = promote_inexact("frexp", x)
    if _is_complex(aval_of(x).dtype):
        raise TypeError(message("frexp does not support complex-valued inputs", fix="jnp.frexp(jnp.abs(x))"))
    return _frexp(convert(x, aval_of(x).dtype))


@custom_jvp
def _frexp(x):
    dtype = aval_of(x).dtype
    info, integer = dtypes.finfo(dtype), _integer_of(dtype)
    bits_of_mantissa, mask, bias = info.nmant, (1 << info.nexp) - 1, 1 - info.minexp
    # Numbers too small for a leading one are scaled up first.
    small = lt(abs_(x), dtype.type(info.tiny))
    scaled = where(small, mul(x, dtype.type(2.0**bits_of_mantissa)), x)
    exponent = where(small, integer.type(-bits_of_mantissa), integer.type(0))
    bits = bitcast_convert_type(scaled, new_dtype=integer)
    field = and_(shift_right_arithmetic(bits, integer.type(bits_of_mantissa)), integer.type(mask))
    exponent = add(exponent, add(sub(field, integer.type(bias)), integer.type(1)))
    bits = and_(bits, integer.type(~(mask << bits_of_mantissa)))
    bits = or_(bits, integer.type((bias - 1) << bits_of_mantissa))
    mantissa = bitcast_convert_type(bits, new_dtype=dtype)
    # Zero, infinities and NaN are their own mantissa.
    special_value = or_(or_(isinf(x), ne(x, x)), eq(x, dtype.type(0)))
    exponent = where(special_value, filled_like(exponent, 0), exponent)
    return where(special_value, x, mantissa), convert(exponent, dtypes.int32)


@_frexp.defjvp
def _frexp_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    mantissa, exponent = frexp(x)
    slope = transcendental.exp2(neg(convert(exponent, aval_of(x).dtype)))
    return (mantissa, exponent), (mul(t, slope), np.zeros(exponent.shape, dtypes.float0))


@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
@inner_jit
def ldexp(x1, x2, /):
    """Return x1 * 2 ** x2, elementwise.

    Args:
      x1: real array or scalar.
      x2: integer array or scalar; shapes broadcast.
    Returns:
      An array of the shape to which they broadcast, of a float dtype.
    Raises:
      ValueError: x2 is not an integer, or x1 is complex.

    >>> jnp.ldexp(jnp.array([0.5, -0.75]), jnp.array([1, 3]))
    Array([ 1., -6.], dtype=float32)
    """
    check_arraylike("ldexp", x1, x2)
    dtype1, dtype2 = aval_of(x1).dtype, aval_of(x2).dtype
    if _is_complex(dtype1) or dtypes.issubdtype(dtype2, np.inexact):
        raise ValueError(f"ldexp not supported for input types {(dtype1, dtype2)}")
    dtype = dtypes.to_inexact_dtype(dtype1)
    x1, x2 = promote("ldexp", convert(x1, dtype), convert(x2, dtype))
    mantissa, exponent = frexp(x1)
    exponent = add(convert(exponent, dtype), x2)
    # 2 ** exponent may be infinite where the product is not: half of it goes to the mantissa.
    zero, one, two = (dtype.type(n) for n in (0, 1, 2))
    mantissa = where(gt(exponent, zero), mul(mantissa, two), mantissa)
    exponent = where(gt(exponent, zero), sub(exponent, one), exponent)
    out = mul(mantissa, pow_(two, exponent))
    return where(or_(isinf(x1), eq(x1, zero)), x1, out)


@lowerable
@replayed(scalars=True)
def spacing(x, /):
    """Return the distance from x to the next number away from zero, with the sign of x; in float16, to the next one
    upwards.

    Args:
      x: real array or scalar.
    Returns:
      An array of the shape of `x` and of its float dtype; integers become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex.

    >>> jnp.spacing(jnp.array([1.], jnp.float16))
    Array([0.000977], dtype=float16)
    """
    check_arraylike("spacing", x)
    (x,) = promote_inexact("spacing", x)
    dtype = aval_of(x).dtype
    if _is_complex(dtype):
        raise ValueError(message("jnp.spacing is not defined for complex inputs.", fix="jnp.spacing(jnp.abs(x))"))
    upwards = dtype.type(np.inf)
    if dtype == dtypes.float16:  # JAX parity: upwards from negative numbers too, test_spacing
        return sub(nextafter(x, upwards), x)
    distance = sub(nextafter(x, copysign(upwards, x)), x)
    least = dtype.type(dtypes.finfo(dtype).smallest_subnormal)
    return where(eq(distance, dtype.type(0)), copysign(least, x), distance)


@replayed(scalars=True, static=(1,))
@inner_jit(static_argnames=("deg",))
def angle(z, deg: bool = False):
    """Return the angle of a complex number with the positive real axis, in radians.

    Args:
      z: array or scalar.
      deg: in degrees instead.
    Returns:
      An array of real numbers, of the shape of `z`.
    Raises:
      TypeError: `z` is not an array or scalar; lists are not converted.

    >>> jnp.angle(jnp.array([1j, -1.]), deg=True)
    Array([ 90., 180.], dtype=float32)
    """
    check_arraylike("angle", z)
    aval = aval_of(z)
    re, im = real(z), imag(z)
    if _is_complex(aval.dtype) or aval.shape and dtypes.issubdtype(aval.dtype, np.inexact):
        re, im = promote_inexact("angle", re, im)
    else:  # JAX parity: of a single real number too, test_angle_of_a_single_number
        re, im = (convert(x, dtypes.canonicalize_dtype(np.float64)) for x in (re, im))
    out = transcendental.atan2(im, re if _is_complex(aval.dtype) else convert(re, aval_of(re).dtype))
    return rad2deg(out) if deg else out


# ---- functions without a primitive --------------------------------------------------------------


@quick(f=np.arccosh)
@inner_jit
def arccosh(x, /):
    """Return the inverse of the hyperbolic cosine; of complex numbers, the one with a positive real part.

    Args:
      x: array or scalar.
    Returns:
      An array with that value for each element, of the shape of `x` and of its dtype, not negative; integers and
      booleans become floats before. NaN of real numbers below 1.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.arccosh(jnp.array([1., 2.]))
    Array([0.       , 1.3169578], dtype=float32)
    """
    out = transcendental.acosh(*promote_inexact("arccosh", x))
    if not _is_complex(out.dtype):
        return out
    re = arithmetic.real(out)
    return where(lt(re, constant(re, 0)), neg(out), out)


acosh = lowerable(alias(arccosh, "acosh"))


@quick(f=np.hypot)
@inner_jit
def hypot(x1, x2, /):
    """Return the length `sqrt(x1 ** 2 + x2 ** 2)` of a vector, without overflow on the way.

    Args:
      x1, x2: real arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      The lengths, not negative, floats in an array of the shape to which the operands broadcast.
    Raises:
      TypeError: `x1` is not an array or scalar, or shapes do not broadcast; lists are not converted.
      ValueError: `x1` is complex.

    >>> jnp.hypot(jnp.array([3., 5.]), jnp.array([4., 12.]))
    Array([ 5., 13.], dtype=float32)
    """
    x1, x2 = promote_inexact("hypot", x1, x2)
    if _is_complex(aval_of(x1).dtype):
        raise ValueError(
            message(
                "jnp.hypot is not well defined for complex-valued inputs. Please convert to real values "
                "first, such as by using abs(x)",
                fix="jnp.hypot(jnp.abs(x), jnp.abs(y))",
            )
        )
    x1, x2 = abs_(x1), abs_(x2)
    infinity = constant(x1, np.inf)
    infinite = or_(eq(x1, infinity), eq(x2, infinity))
    larger, smaller = max_(x1, x2), min_(x1, x2)
    zero, one = constant(larger, 0), constant(larger, 1)
    at_zero = eq(larger, zero)
    ratio = div(smaller, where(eq(larger, zero), filled_like(larger, 1), larger))
    length = mul(larger, arithmetic.sqrt(add(one, arithmetic.square(ratio))))
    return where(infinite, infinity, where(at_zero, larger, length))


@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def logaddexp(x1, x2, /, out=None, where=None):
    """Return `log(exp(x1) + exp(x2))`, without overflow on the way, elementwise.

    Args:
      x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast, of the dtype to which they promote; integers become floats before.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.logaddexp(jnp.array([0., 1000.]), 1000.)
    Array([1000.   , 1000.693], dtype=float32)
    """
    if out is not None or where is not None:
        raise refusal(logaddexp, out, where)
    return _logaddexp(*promote_inexact("logaddexp", x1, x2))


@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def logaddexp2(x1, x2, /, out=None, where=None):
    """Return `log2(2 ** x1 + 2 ** x2)`, without overflow on the way, elementwise.

    Args:
      x1, x2: arrays or scalars; shapes broadcast and dtypes promote.
    Returns:
      An array of the shape to which they broadcast, of the dtype to which they promote; integers become floats before.
    Raises:
      TypeError: an operand is not an array or scalar, or shapes do not broadcast; lists are not converted.
      NotImplementedError: `out` is given.

    >>> jnp.logaddexp2(jnp.array([0., 1000.]), 1000.)
    Array([1000., 1001.], dtype=float32)
    """
    if out is not None or where is not None:
        raise refusal(logaddexp2, out, where)
    return _logaddexp2(*promote_inexact("logaddexp2", x1, x2))


logaddexp, logaddexp2 = universal(logaddexp, identity=-np.inf), universal(logaddexp2, identity=-np.inf)
__test__ = {f.__name__: f.__doc__ for f in (logaddexp, logaddexp2)}


def _sum_of_powers(x1, x2, exp, scale: float):
    """Return the logarithm, of `log1p` times `scale`, of `exp(x1) + exp(x2)`."""
    larger = max_(x1, x2)
    scaled = lambda y: y if scale == 1 else mul(constant(y, scale), y)
    if not _is_complex(aval_of(x1).dtype):
        delta = sub(x1, x2)
        nan = ne(delta, delta)  # of equal infinities, where the sum is right
        total = add(x1, x2)
        rest = scaled(transcendental.log1p(exp(neg(abs_(delta)))))
        return select_n(nan, add(larger, rest), total)
    delta = sub(add(x1, x2), mul(larger, constant(larger, 2)))
    out = add(larger, scaled(transcendental.log1p(exp(delta))))
    re, im = arithmetic.real(out), arithmetic.imag(out)
    return arithmetic.complex_(re, _wrapped(im, pi * scale))


def _wrapped(x, limit: float):
    """Return `x` moved by multiples of `2 limit` to between `-limit` and `limit`."""
    half, whole = constant(x, limit), constant(x, 2 * limit)
    x = rem(add(x, half), whole)
    return sub(select_n(lt(x, constant(x, 0)), x, add(x, whole)), half)


def _finite(x):
    """Return `x` with 0 in place of positive infinity."""
    part = arithmetic.real(x) if _is_complex(aval_of(x).dtype) else x
    return select_n(eq(part, aval_of(part).dtype.type(np.inf)), x, filled_like(x, 0))


def _weighted(primals, tangents, out, exp):
    """Return the tangent of the logarithm of a sum of powers: tangents, each by its share in the sum."""
    t1, t2 = (mul(t, exp(sub(_finite(x), _finite(out)))) for x, t in zip(primals, tangents))
    return add(t1, t2)


def _named(name, function):
    function.__name__ = function.__qualname__ = name
    return custom_jvp(inner_jit(function, inline=True))


_logaddexp = _named("logaddexp", lambda x1, x2: _sum_of_powers(x1, x2, transcendental.exp, 1))
_logaddexp2 = _named(
    "logaddexp2", lambda x1, x2: _sum_of_powers(x1, x2, transcendental.exp2, 1 / scalar_log(2))
)


@_logaddexp.defjvp
def _logaddexp_jvp(primals, tangents):
    out = _logaddexp(*primals)
    return out, _weighted(primals, tangents, out, transcendental.exp)


@_logaddexp2.defjvp
def _logaddexp2_jvp(primals, tangents):
    out = _logaddexp2(*primals)
    return out, _weighted(primals, tangents, out, transcendental.exp2)


@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
@inner_jit
def sinc(x, /):
    """Return `sin(pi x) / (pi x)`, which is 1 at 0, elementwise.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
    Derivative: of every order, at 0 too.

    >>> jnp.sinc(jnp.array([0., 0.5]))
    Array([1.        , 0.63661975], dtype=float32)
    """
    (x,) = promote_inexact("sinc", x)
    at_zero = eq(x, constant(x, 0))
    x = mul(constant(x, pi), x)
    safe = where(at_zero, constant(x, 1), x)
    return where(at_zero, _sinc_maclaurin(0, x), div(transcendental.sin(safe), safe))


@partial(custom_jvp, nondiff_argnums=(0,))
def _sinc_maclaurin(k, x):
    """Return the k-th derivative of sin(x) / x at 0, as a function of x that has the next one as derivative."""
    zero = mul(x, constant(x, 0))
    return zero if k % 2 else add(zero, constant(x, (-1) ** (k // 2) / (k + 1)))


@_sinc_maclaurin.defjvp
def _sinc_maclaurin_jvp(k, primals, tangents):
    (x,), (t,) = primals, tangents
    return _sinc_maclaurin(k, x), mul(_sinc_maclaurin(k + 1, x), t)
