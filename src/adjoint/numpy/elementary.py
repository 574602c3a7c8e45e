"""Element-wise functions that are one primitive: promotion, then `bind`; a row each in the tables below.

A row gives the name, the primitive, the first line of the docstring and an example; then, where they
differ from the default, the promotion and the primitive for booleans. How rows become functions is in
`elementwise.py`; functions that are formulas of several primitives have modules of their own. The names
of this module hide one of Python's: `abs`.

Tests: `tests/numpy/test_ufuncs.py`.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.names.aliases import alias
from ..core.types import aval_of
from ..core.values.deferred import Deferred, call_deferred
from ..prims import arithmetic, logic, transcendental
from ..prims.domains import BITS
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import replayed
from .conversion import asarray, settled
from .elementwise import binary, documented, unary
from .fills import divided_as, filled_like
from .promotion import (
    check_arraylike,
    constant,
    convert,
    promote,
    promote_inexact,
    promote_numeric,
    strong,
)
from .shortcuts import shortened
from .universal import universal

__all__ = [
    "abs", "absolute", "acos", "add", "arccos", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "asin",
    "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_count", "bitwise_invert",
    "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "cbrt", "ceil",
    "conj", "conjugate", "cos", "cosh", "deg2rad", "degrees", "divide", "equal", "exp", "exp2", "expm1",
    "fabs", "float_power", "floor", "greater", "greater_equal", "imag", "invert", "left_shift", "less",
    "less_equal", "log", "log10", "log1p", "log2", "logical_and", "logical_not", "logical_or", "logical_xor",
    "maximum", "minimum", "multiply", "negative", "nextafter", "not_equal", "positive", "rad2deg", "radians",
    "real", "reciprocal", "right_shift", "sign", "sin", "sinh", "sqrt", "square", "subtract", "tan", "tanh",
    "true_divide",
]

_BOOL = dtypes.bool_


def _also(fun, name: str):
    """Return `fun` by another name, as a function of its own."""
    return lowerable(alias(fun, name))


# ---- arithmetic ---------------------------------------------------------------------------------


def _chosen(mask, x, product):
    """Return `x` where the mask is, and 0 elsewhere; over explicit mesh axes all is divided as the product is."""
    if any([aval_of(v).explicit_sharding is not None for v in (mask, x)]):
        x = product()
    return logic.select_n(divided_as(mask, x), filled_like(x, 0), x)


add = binary(
    "add", arithmetic.add, "Return the sum x + y; of booleans, whether one is true. Integers wrap around.",
    "add(jnp.array([1, 2]), 0.5) -> Array([1.5, 2.5], dtype=float32, weak_type=True)",
    for_bool=logic.or_,
)
subtract = binary(
    "subtract", arithmetic.sub, "Return the difference x - y; integers wrap around.",
    "subtract(jnp.array([1, 2]), 2) -> Array([-1,  0], dtype=int32)",
)
multiply = binary(
    "multiply", arithmetic.mul, "Return the product x * y; of booleans, whether both are true. Integers wrap around.",
    "multiply(jnp.array([1., 2.]), jnp.array([3., 4.])) -> Array([3., 8.], dtype=float32)",
    for_bool=logic.and_, masked=_chosen,
)
true_divide = binary(
    "true_divide", arithmetic.div,
    "Return the quotient x1 / x2, never an integer; infinite, or NaN for 0 / 0, where x2 is 0.",
    "true_divide(jnp.array([1, 2]), 4) -> Array([0.25, 0.5 ], dtype=float32)",
    promote_inexact,
    names=("x1", "x2"),
)
divide = alias(true_divide, "divide")
float_power = binary(
    "float_power", transcendental.pow_,
    "Return the power x ** y, never an integer; NaN where x is negative and y no whole number.",
    "float_power(jnp.array([2, 3]), 2) -> Array([4., 9.], dtype=float32)",
    promote_inexact,
)
maximum = binary(
    "maximum", arithmetic.max_,
    "Return the larger one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "maximum(jnp.array([1., 4.]), 3.) -> Array([3., 4.], dtype=float32)",
)
minimum = binary(
    "minimum", arithmetic.min_,
    "Return the smaller one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "minimum(jnp.array([1., 4.]), 3.) -> Array([1., 3.], dtype=float32)",
)
nextafter = binary(
    "nextafter", arithmetic.nextafter,
    "Return the number next to x in the direction of y; x where they are equal, NaN where one is NaN.",
    "nextafter(jnp.array([1.], jnp.float16), 2.) -> Array([1.001], dtype=float16)",
    promote_inexact,
)
negative = unary(
    "negative", arithmetic.neg, "Return minus x; unsigned integers wrap.",
    "negative(jnp.array([1, -2])) -> Array([-1,  2], dtype=int32)",
)
abs = unary(
    "abs", arithmetic.abs_, "Return the absolute value; of a complex number, the modulus, which is real.",
    "abs(jnp.array([-1, 2])) -> Array([1, 2], dtype=int32)",
    unchanged=(np.unsignedinteger, np.bool_),
    dtype="of its dtype, or of that of the parts of complex numbers",
)
absolute = _also(abs, "absolute")
sign = unary(
    "sign", arithmetic.sign, "Return -1, 0 or 1, and NaN of NaN; of a complex number x / abs(x).",
    "sign(jnp.array([-3., 0., 5.])) -> Array([-1.,  0.,  1.], dtype=float32)",
)
square = unary(
    "square", arithmetic.square, "Return the product x * x; integers wrap around.",
    "square(jnp.array([1, -3])) -> Array([1, 9], dtype=int32)",
    promote_numeric,
)
floor = unary(
    "floor", arithmetic.floor, "Return the largest whole number that is not above x; integers are as they are.",
    "floor(jnp.array([-1.5, 1.5])) -> Array([-2.,  1.], dtype=float32)",
    unchanged=BITS,
)
ceil = unary(
    "ceil", arithmetic.ceil, "Return the smallest whole number that is not below x; integers are as they are.",
    "ceil(jnp.array([-1.5, 1.5])) -> Array([-1.,  2.], dtype=float32)",
    unchanged=BITS,
)


def _fabs(x, /):
    (x,) = promote_inexact("fabs", x)
    if aval_of(x).dtype.kind == "c":
        raise TypeError(message("ufunc 'fabs' does not support complex dtypes; use abs", fix="jnp.abs(x)"))
    return arithmetic.abs_.bind(x)


def _reciprocal(x, /):
    return arithmetic.integer_pow.bind(*promote_inexact("reciprocal", x), y=-1)


def _for_floats(function):
    return lambda dtype: function if dtype.kind == "f" else None


fabs = documented(
    shortened(replayed(_fabs, scalars=True), _for_floats(np.fabs), 1),
    "fabs", "Return the absolute value of a real number, as a float.",
    "fabs(jnp.array([-1, 2])) -> Array([1., 2.], dtype=float32)",
    floats=True,
)
reciprocal = documented(
    shortened(replayed(_reciprocal, scalars=True), _for_floats(np.reciprocal), 1),
    "reciprocal", "Return the inverse 1 / x, as a float; infinite where x is 0.",
    "reciprocal(jnp.array([1, 4])) -> Array([1.  , 0.25], dtype=float32)",
    floats=True,
)


@lowerable
def positive(x, /):
    """Return x itself, as an array.

    Args:
      x: array or scalar.
    Returns:
      An array of the same shape, dtype and values.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.positive(jnp.array([1, -2]))
    Array([ 1, -2], dtype=int32)
    """
    return settled(promote("positive", x)[0])


# ---- exponentials, logarithms, roots ------------------------------------------------------------

exp = unary(
    "exp", transcendental.exp, "Return the exponential e ** x; infinite where that is too large.",
    "exp(jnp.array([0., 1.])) -> Array([1.       , 2.7182817], dtype=float32)",
    promote_inexact,
)
exp2 = unary(
    "exp2", transcendental.exp2, "Return the power 2 ** x.",
    "exp2(jnp.array([0., 3.])) -> Array([1., 8.], dtype=float32)",
    promote_inexact,
)
expm1 = unary(
    "expm1", transcendental.expm1, "Return exp(x) - 1, exact for small x too.",
    "expm1(jnp.array([0., 0.5])) -> Array([0.       , 0.6487213], dtype=float32)",
    promote_inexact,
)
log = unary(
    "log", transcendental.log, "Return the natural logarithm; -inf of 0, NaN of negative real numbers.",
    "log(jnp.array([1., 10.])) -> Array([0.       , 2.3025851], dtype=float32)",
    promote_inexact,
)
log1p = unary(
    "log1p", transcendental.log1p, "Return log(1 + x), exact for small x too; -inf of -1, NaN below.",
    "log1p(jnp.array([0., 0.5])) -> Array([0.       , 0.4054651], dtype=float32)",
    promote_inexact,
)
sqrt = unary(
    "sqrt", arithmetic.sqrt, "Return the square root; NaN for negative real numbers.",
    "sqrt(jnp.array([4, 9])) -> Array([2., 3.], dtype=float32)",
    promote_inexact,
)
cbrt = unary(
    "cbrt", arithmetic.cbrt, "Return the real cube root, which has the sign of x.",
    "cbrt(jnp.array([8., -27.])) -> Array([ 2., -3.], dtype=float32)",
    promote_inexact,
)


@lowerable
@replayed(scalars=True)
def log2(x, /):
    """Return the logarithm to base 2, elementwise; -inf of 0, NaN of negative real numbers.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.log2(jnp.array([1., 8.]))
    Array([0., 3.], dtype=float32)
    """
    parts = _parts(transcendental.log(*promote_inexact("log2", x)))
    base = transcendental.log(strong(parts[0], 2))
    return _joined([arithmetic.div(part, base) for part in parts])


@lowerable
@replayed(scalars=True)
def log10(x, /):
    """Return the logarithm to base 10, elementwise; -inf of 0, NaN of negative real numbers.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.log10(jnp.array([1., 10.]))
    Array([0., 1.], dtype=float32)
    """
    parts = _parts(transcendental.log(*promote_inexact("log10", x)))
    return _joined([arithmetic.mul(part, strong(part, np.log10(np.e))) for part in parts])


def _parts(z) -> list:
    """Real and imaginary part of a complex array: scaling them apart is exact, multiplying by 1+0j is not."""
    return [arithmetic.real(z), arithmetic.imag(z)] if z.dtype.kind == "c" else [z]


def _joined(parts: list):
    return arithmetic.complex_(*parts) if len(parts) == 2 else parts[0]


# ---- angles -------------------------------------------------------------------------------------

sin = unary(
    "sin", transcendental.sin, "Return the sine of an angle in radians.",
    "sin(jnp.array([0., 1.])) -> Array([0.        , 0.84147096], dtype=float32)",
    promote_inexact,
)
cos = unary(
    "cos", transcendental.cos, "Return the cosine of an angle in radians.",
    "cos(jnp.array([0., 1.])) -> Array([1.       , 0.5403023], dtype=float32)",
    promote_inexact,
)
tan = unary(
    "tan", transcendental.tan, "Return the tangent of an angle in radians.",
    "tan(jnp.array([0., 1.])) -> Array([0.       , 1.5574077], dtype=float32)",
    promote_inexact,
)
arcsin = unary(
    "arcsin", transcendental.asin,
    "Return the angle in radians with sine x, from -pi/2 to pi/2; NaN of real numbers beyond -1 and 1.",
    "arcsin(jnp.array([0., 1.])) -> Array([0.       , 1.5707964], dtype=float32)",
    promote_inexact,
)
arccos = unary(
    "arccos", transcendental.acos,
    "Return the angle in radians with cosine x, from 0 to pi; NaN of real numbers beyond -1 and 1.",
    "arccos(jnp.array([-1., 1.])) -> Array([3.1415927, 0.       ], dtype=float32)",
    promote_inexact,
)
arctan = unary(
    "arctan", transcendental.atan, "Return the angle in radians with tangent x, from -pi/2 to pi/2.",
    "arctan(jnp.array([0., 1.])) -> Array([0.       , 0.7853981], dtype=float32)",
    promote_inexact,
)
arctan2 = binary(
    "arctan2", transcendental.atan2, "Return the angle in radians of the point (x2, x1), from -pi to pi.",
    "arctan2(jnp.array([1., -1.]), -1.) -> Array([ 2.3561945, -2.3561945], dtype=float32)",
    promote_inexact,
    names=("x1", "x2"),
)
sinh = unary(
    "sinh", transcendental.sinh, "Return the hyperbolic sine, (e ** x - e ** -x) / 2.",
    "sinh(jnp.array([0., 1.])) -> Array([0.       , 1.1752012], dtype=float32)",
    promote_inexact,
)
cosh = unary(
    "cosh", transcendental.cosh, "Return the hyperbolic cosine, (e ** x + e ** -x) / 2.",
    "cosh(jnp.array([0., 1.])) -> Array([1.       , 1.5430806], dtype=float32)",
    promote_inexact,
)
tanh = unary(
    "tanh", transcendental.tanh, "Return the hyperbolic tangent, sinh(x) / cosh(x), from -1 to 1.",
    "tanh(jnp.array([0., 1.])) -> Array([0.       , 0.7615942], dtype=float32)",
    promote_inexact,
)
arcsinh = unary(
    "arcsinh", transcendental.asinh, "Return the number with hyperbolic sine x.",
    "arcsinh(jnp.array([0., 1.])) -> Array([0.        , 0.88137364], dtype=float32)",
    promote_inexact,
)
arctanh = unary(
    "arctanh", transcendental.atanh,
    "Return the number with hyperbolic tangent x; infinite at -1 and 1, NaN of real numbers beyond.",
    "arctanh(jnp.array([0., 0.5])) -> Array([0.        , 0.54930615], dtype=float32)",
    promote_inexact,
)
asin, acos, atan = _also(arcsin, "asin"), _also(arccos, "acos"), _also(arctan, "atan")
atan2, asinh, atanh = _also(arctan2, "atan2"), _also(arcsinh, "asinh"), _also(arctanh, "atanh")


@lowerable
@replayed(scalars=True)
def deg2rad(x, /):
    """Return an angle in radians, given in degrees, elementwise.

    Args:
      x: array or scalar.
    Returns:
      ``x * pi / 180``, in an array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.deg2rad(jnp.array([0., 180.]))
    Array([0.       , 3.1415927], dtype=float32)
    """
    (x,) = promote_inexact("deg2rad", x)
    return arithmetic.mul(x, constant(x, np.pi / 180))


@lowerable
@replayed(scalars=True)
def rad2deg(x, /):
    """Return an angle in degrees, given in radians, elementwise.

    Args:
      x: array or scalar.
    Returns:
      ``x * 180 / pi``, in an array of the shape of `x` and of its dtype; integers and booleans become floats before.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.rad2deg(jnp.array([0., jnp.pi]))
    Array([  0., 180.], dtype=float32)
    """
    (x,) = promote_inexact("rad2deg", x)
    return arithmetic.mul(x, constant(x, 180 / np.pi))


radians, degrees = alias(deg2rad, "radians"), alias(rad2deg, "degrees")


# ---- comparisons --------------------------------------------------------------------------------

equal = binary(
    "equal", logic.eq, "Return whether x == y; NaN equals nothing.",
    "equal(jnp.array([1, 2]), 2) -> Array([False,  True], dtype=bool)",
    dtype="of dtype bool",
)
not_equal = binary(
    "not_equal", logic.ne, "Return whether x != y; NaN differs from everything.",
    "not_equal(jnp.array([1, 2]), 2) -> Array([ True, False], dtype=bool)",
    dtype="of dtype bool",
)


def _ordering(name, p, summary, example):
    """Return an order of real numbers, which compares complex numbers by real, then by imaginary part."""

    def general(x, y, /):
        x, y = promote(name, x, y)
        if aval_of(x).dtype.kind != "c":
            return p.bind(x, y)
        real, imag = arithmetic.real, arithmetic.imag
        tie = logic.eq(real(x), real(y))
        by_imaginary = p(imag(x), imag(y))
        return logic.select_n(tie, p(real(x), real(y)), by_imaginary)

    rule = lambda dtype: p.evaluate_rule if dtype.kind in "fiub" else None
    function = shortened(replayed(general, scalars=True), rule, 2)
    return documented(function, name, summary, example, dtype="of dtype bool")


less = _ordering(
    "less", logic.lt,
    "Return whether x < y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "less(jnp.array([1, 2, 3]), 2) -> Array([ True, False, False], dtype=bool)",
)
less_equal = _ordering(
    "less_equal", logic.le,
    "Return whether x <= y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "less_equal(jnp.array([1, 2, 3]), 2) -> Array([ True,  True, False], dtype=bool)",
)
greater = _ordering(
    "greater", logic.gt,
    "Return whether x > y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "greater(jnp.array([1, 2, 3]), 2) -> Array([False, False,  True], dtype=bool)",
)
greater_equal = _ordering(
    "greater_equal", logic.ge,
    "Return whether x >= y; never so if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "greater_equal(jnp.array([1, 2, 3]), 2) -> Array([False,  True,  True], dtype=bool)",
)


# ---- truth --------------------------------------------------------------------------------------


def _truth(x):
    """Return whether each element is not zero."""
    if aval_of(x).dtype == _BOOL:
        return x
    return logic.ne(x, constant(x, 0))


def _logical(name, p, summary, example):
    def general(x, y, /):
        x, y = promote(name, x, y)
        return p.bind(_truth(x), _truth(y))

    function = shortened(replayed(general, scalars=True), _of_booleans(p), 2)
    return documented(function, name, summary, example, dtype="of dtype bool")


def _of_booleans(p):
    return lambda dtype: p.evaluate_rule if dtype == _BOOL else None


logical_and = _logical(
    "logical_and", logic.and_, "Return whether both are true, that is not zero.",
    "logical_and(jnp.array([0, 1, 2]), True) -> Array([False,  True,  True], dtype=bool)",
)
logical_or = _logical(
    "logical_or", logic.or_, "Return whether one is true, that is not zero.",
    "logical_or(jnp.array([0, 1, 2]), False) -> Array([False,  True,  True], dtype=bool)",
)
logical_xor = _logical(
    "logical_xor", logic.xor, "Return whether exactly one is true, that is not zero.",
    "logical_xor(jnp.array([0, 1, 2]), True) -> Array([ True, False, False], dtype=bool)",
)
def _logical_not(x, /):
    return logic.not_(_truth(*promote("logical_not", x)))


logical_not = documented(
    shortened(replayed(_logical_not, scalars=True), _of_booleans(logic.not_), 1),
    "logical_not", "Return whether x is zero, that is false; NaN is not.",
    "logical_not(jnp.array([0, 1, 2])) -> Array([ True, False, False], dtype=bool)",
    dtype="of dtype bool",
)


# ---- bits ---------------------------------------------------------------------------------------

bitwise_and = binary(
    "bitwise_and", logic.and_, "Return the bits that are set in both; of booleans, whether both are true.",
    "bitwise_and(jnp.array([5, 6]), 3) -> Array([1, 2], dtype=int32)",
)
bitwise_or = binary(
    "bitwise_or", logic.or_, "Return the bits that are set in at least one; of booleans, whether one is true.",
    "bitwise_or(jnp.array([5, 6]), 3) -> Array([7, 7], dtype=int32)",
)
bitwise_xor = binary(
    "bitwise_xor", logic.xor, "Return the bits that are set in exactly one; of booleans, whether they differ.",
    "bitwise_xor(jnp.array([5, 6]), 3) -> Array([6, 5], dtype=int32)",
)
bitwise_not = unary(
    "bitwise_not", logic.not_, "Return the bits that are not set; of booleans, the opposite.",
    "bitwise_not(jnp.array([0, 5])) -> Array([-1, -6], dtype=int32)",
)
invert, bitwise_invert = _also(bitwise_not, "invert"), _also(bitwise_not, "bitwise_invert")
left_shift = binary(
    "left_shift", logic.shift_left,
    "Return x with its bits moved up y places, zeros moving in; 0 where y is no number of a bit.",
    "left_shift(jnp.array([1, 3]), 2) -> Array([ 4, 12], dtype=int32)",
    promote_numeric,
)
bitwise_left_shift = _also(left_shift, "bitwise_left_shift")


def _right_shift(x, y, /):
    x, y = promote_numeric("right_shift", x, y)
    return _shift_of(aval_of(x).dtype).bind(x, y)


def _shift_of(dtype):
    unsigned = dtypes.issubdtype(dtype, np.unsignedinteger)
    return logic.shift_right_logical if unsigned else logic.shift_right_arithmetic


right_shift = documented(
    shortened(
        replayed(_right_shift, scalars=True), lambda d: _shift_of(d).evaluate_rule if d.kind in "iu" else None, 2
    ),
    "right_shift", "Return x1 with its bits moved down x2 places; signed integers keep their sign.",
    "right_shift(jnp.array([4, -4]), 1) -> Array([ 2, -2], dtype=int32)",
    ("x1", "x2"),
)
bitwise_right_shift = _also(right_shift, "bitwise_right_shift")


@replayed(scalars=True)
@inner_jit
def bitwise_count(x, /):
    """Return the number of bits that are set in the absolute value, elementwise.

    Args:
      x: array or scalar of integers or booleans.
    Returns:
      An array of uint8, of the shape of `x`.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.

    >>> jnp.bitwise_count(jnp.array([0, 7, -7]))
    Array([0, 3, 3], dtype=uint8)
    """
    (x,) = promote_numeric("bitwise_count", x)
    if dtypes.issubdtype(aval_of(x).dtype, np.signedinteger):
        x = arithmetic.abs_(x)
    return convert(arithmetic.population_count(x), dtypes.uint8)


# ---- complex numbers ----------------------------------------------------------------------------


@lowerable
def real(val, /):
    """Return the real part; of real numbers, the operand itself.

    Args:
      val: array or scalar.
    Returns:
      An array of the shape of `val`, of its dtype or of that of the parts of complex numbers.
    Raises:
      TypeError: `val` is not an array or scalar; lists are not converted.

    >>> jnp.real(jnp.array([1 + 2j]))
    Array([1.], dtype=float32)
    """
    if isinstance(val, Deferred):
        return call_deferred(real, (val,), {})
    check_arraylike("real", val)
    return arithmetic.real(val) if aval_of(val).dtype.kind == "c" else asarray(val)


@lowerable
def imag(val, /):
    """Return the imaginary part; of real numbers, zeros.

    Args:
      val: array or scalar.
    Returns:
      An array of the shape of `val`, of its dtype or of that of the parts of complex numbers.
    Raises:
      TypeError: `val` is not an array or scalar; lists are not converted.

    >>> jnp.imag(jnp.array([1 + 2j]))
    Array([2.], dtype=float32)
    """
    if isinstance(val, Deferred):
        return call_deferred(imag, (val,), {})
    check_arraylike("imag", val)
    aval = aval_of(val)
    if aval.dtype.kind == "c":
        return arithmetic.imag(val)
    return filled_like(val, 0)


@lowerable
def conjugate(x, /):
    """Return the complex conjugate; of real numbers, the operand itself.

    Args:
      x: array or scalar.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.conjugate(jnp.array([1 + 2j]))
    Array([1.-2.j], dtype=complex64)
    """
    if isinstance(x, Deferred):
        return call_deferred(conjugate, (x,), {})
    check_arraylike("conjugate", x)
    dtype = aval_of(x).dtype
    return arithmetic.conj(x, input_dtype=dtype) if dtype.kind == "c" else asarray(x)


conj = alias(conjugate, "conj")


# ---- with methods -------------------------------------------------------------------------------

add, multiply = universal(add, identity=0), universal(multiply, identity=1)
subtract, negative = universal(subtract), universal(negative, 1)
maximum, minimum = universal(maximum), universal(minimum)
logical_and, logical_or = universal(logical_and, identity=True), universal(logical_or, identity=False)
logical_xor = universal(logical_xor, identity=False)
bitwise_and, bitwise_or = universal(bitwise_and, identity=-1), universal(bitwise_or, identity=0)
bitwise_xor = universal(bitwise_xor, identity=0)

__test__ = {f.__name__: f.__doc__ for f in (
    add, multiply, subtract, negative, maximum, minimum, logical_and, logical_or, logical_xor, bitwise_and,
    bitwise_or, bitwise_xor,
)}
