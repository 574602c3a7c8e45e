"""Element-wise functions: `adjoint.lax.add`, `sin`, `bitwise_and`, ..., most of them a row below.

A function is its primitive with a name and a docstring. There is no promotion: operands have equal
dtypes, and equal shapes, or equal rank with axes of length 1 that stretch, or rank 0; the primitive
checks that. `adjoint.numpy` promotes and broadcasts. Names here hide some of Python's: `abs`,
`max`, `min`, `pow`, `round`, `complex`.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import Any

from ..core import dtypes
from ..core.messages.errors import message
from ..core.messages.operands import has_no_value, valueless
from ..core.primitive import Primitive
from ..core.trace import state
from ..core.types import Array, aval_of, is_arraylike
from ..prims import arithmetic, logic, special, transcendental


class RoundingMethod(enum.IntEnum):
    """The rounding of halves by `round`.

    >>> lax.RoundingMethod.TO_NEAREST_EVEN
    <RoundingMethod.TO_NEAREST_EVEN: 1>
    """

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


class AccuracyMode(enum.Enum):
    """The accuracy that a function such as `sin` must have, in place of a `Tolerance`.

    >>> lax.AccuracyMode.HIGHEST
    <AccuracyMode.HIGHEST: 1>
    """

    HIGHEST = 1
    DEFAULT = 2


class Tolerance:
    """The distance that the result of a function such as `sin` may have from the true value.

    Args:
      atol: the absolute distance.
      rtol: the distance relative to the value.
      ulps: the distance in units in the last place.

    >>> lax.Tolerance(rtol=1e-5).rtol
    1e-05
    """

    def __init__(self, atol: float = 0.0, rtol: float = 0.0, ulps: int = 0):
        if atol < 0.0 or rtol < 0.0 or ulps < 0.0:
            raise ValueError("Tolerances must be non-negative.")
        if atol == 0.0 and rtol == 0.0 and ulps == 0:
            raise ValueError("At least one of atol, rtol, or ulps must be set.")
        self.atol = atol
        self.rtol = rtol
        self.ulps = ulps


# ---- how a row becomes a function ---------------------------------------------------------------


def _unary(p: Primitive, what: str, example: str, result: str, name: str = "", dtype: str = "its dtype") -> Callable:
    name = name or p.name

    def function(x):
        try:
            return state.trace.process(p, (x,), {})
        except TypeError:
            check_operands(name, x)
            raise

    return _named(function, name, what, p.domains[0], "x: array or scalar", example, result, dtype)


def _accurate(p: Primitive, what: str, example: str, result: str) -> Callable:
    name = p.name

    def function(x, *, accuracy=None):
        if accuracy is not None and not isinstance(accuracy, (AccuracyMode, Tolerance)):
            raise NotImplementedError(message(f"Accuracy {accuracy} not supported", fix="lax.AccuracyMode.HIGHEST"))
        try:
            return state.trace.process(p, (x,), {} if accuracy is None else {"accuracy": accuracy})
        except TypeError:
            check_operands(name, x)
            raise

    function = _named(function, name, what, p.domains[0], "x: array or scalar", example, result, "its dtype")
    also = "  accuracy: a `Tolerance` or an `AccuracyMode`, for accelerators; on the CPU it changes nothing.\n"
    function.__doc__ = function.__doc__.replace("Returns:", also + "Returns:")
    return function


def _binary(p: Primitive, what: str, example: str, result: str, name: str = "", dtype: str = "their dtype") -> Callable:
    name = name or p.name

    def function(x, y):
        try:
            return state.trace.process(p, (x, y), {})
        except TypeError:
            check_operands(name, x, y)
            raise

    operands = "x, y: arrays or scalars of equal dtype"
    return _named(function, name, what, p.domains[0], operands, example, result, dtype)


def _named(function, name, what, domain, operands, example, result, dtype):
    """Return the function of a row under its name, with a docstring."""
    function.__name__ = function.__qualname__ = name
    kinds = ", ".join(kind.__name__ for kind in domain)
    of_two = operands[1] != ":"
    shape = "their shape (axes of length 1 stretch)" if of_two else "the shape of `x`"
    wrong = "dtypes or shapes differ" if of_two else "the dtype is of none of these kinds"
    function.__doc__ = (
        f"{what}\n\nArgs:\n  {operands} ({kinds}).\n"
        f"Returns:\n  An array with that value for each element, of {shape} and of {dtype}.\n"
        f"Raises:\n  TypeError: {wrong}. `adjoint.numpy` converts operands.\n\n"
        f">>> print(lax.{name}({example}))\n{result}\n"
    )
    return function


def check_operands(name: str, *operands) -> None:
    """TypeError naming the first operand of the function `name` that is not an array or scalar."""
    for i, x in enumerate(operands):
        if not is_arraylike(x):
            if has_no_value(x):
                raise TypeError(valueless(x, f"args[{i}]")) from None
            raise TypeError(
                message(
                    f"Error interpreting argument to {name} as a JAX value. The problematic value "
                    f"is of type {type(x)} and was passed to {name} at position {i}.",
                    fix=f"lax.{name}(jnp.array(...))" if isinstance(x, (list, tuple)) else "an array or a number",
                )
            ) from None


# ---- sums, products, powers ---------------------------------------------------------------------

neg = _unary(arithmetic.neg, "Return the negative, -x; of unsigned integers modulo 2 ** bits.", "1.5", "-1.5")
sign = _unary(
    arithmetic.sign,
    "Return -1, 0 or 1, the sign; NaN for NaN; of a complex number the number of size 1 in its direction.",
    "-2.5", "-1.0",
)
abs = _unary(
    arithmetic.abs_, "Return the absolute value; of a complex number its size.",
    "-2.5", "2.5", dtype="its dtype, or that of the parts of complex numbers",
)
add = _binary(arithmetic.add, "Return the sum, x + y; integers wrap around.", "1, 2", "3")
sub = _binary(arithmetic.sub, "Return the difference, x - y; integers wrap around.", "1, 2", "-1")
div = _binary(
    arithmetic.div, "Return the quotient x / y; of integers, rounded towards zero, and -1 where y is 0.",
    "-7, 2", "-3",
)
rem = _binary(
    arithmetic.rem, "Return the remainder of `div`, which has the sign of x; of integers, x where y is 0.",
    "-7, 2", "-1",
)
max = _binary(
    arithmetic.max_,
    "Return the greater one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "1, 2", "2",
)
min = _binary(
    arithmetic.min_,
    "Return the lesser one; NaN if one is NaN. Complex numbers go by their real, then imaginary parts.",
    "1, 2", "1",
)
pow = _binary(
    transcendental.pow_, "Return the power x ** y; NaN where x is negative and y no whole number. y may be an integer.",
    "2.0, 3", "8.0",
)
square = _unary(arithmetic.square, "Return the square, x * x; integers wrap around.", "3", "9")
sqrt = _accurate(arithmetic.sqrt, "Return the square root; NaN for negative real numbers.", "4.0", "2.0")
rsqrt = _accurate(
    arithmetic.rsqrt, "Return the reciprocal of the square root; infinite at 0, NaN for negative real numbers.",
    "4.0", "0.5",
)
cbrt = _accurate(arithmetic.cbrt, "Return the real cube root, which has the sign of x.", "-8.0", "-2.0")


def mul(x, y, *, out_dtype=None) -> Array:
    """Return the product, x * y.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating).
      out_dtype: the dtype of the result, if not theirs; operands are converted to it before.
    Returns:
      An array with that value for each element, of their shape (axes of length 1 stretch).
    Raises:
      TypeError: dtypes or shapes differ. `adjoint.numpy` converts operands.

    >>> print(lax.mul(3, 2))
    6
    """
    if out_dtype is None:
        try:
            return state.trace.process(arithmetic.mul, (x, y), {})
        except TypeError:
            check_operands("mul", x, y)
            raise
    return arithmetic.mul(x, y, out_dtype=dtypes.canonicalize_dtype(out_dtype))


def mulhi(x, y, /) -> Array:
    """Return the upper half of the bits of the product of two integers, elementwise.

    Args:
      x, y: arrays or scalars of equal dtype (integer).
    Returns:
      An array of their shape and dtype: (x * y) // 2 ** bits, where x * y has twice the bits.
    Raises:
      TypeError: `x` is complex or not an array or scalar; lists are not converted.

    >>> print(lax.mulhi(2**30, 8))
    2
    """
    return arithmetic.mulhi(x, y)


def integer_pow(x, y: int) -> Array:
    """Return the power x ** y for a Python integer y, by products.

    Args:
      x: array or scalar (integer, floating, complexfloating); an integer array takes no negative y.
      y: an int, known while tracing.
    Returns:
      An array of the shape and dtype of `x`; 1 for y = 0.
    Raises:
      TypeError: `x` is an integer and `y` negative, or `y` is an array.

    >>> print(lax.integer_pow(2.0, -1))
    0.5
    """
    hash(y)  # JAX parity: an array is no static power
    return arithmetic.integer_pow(x, y=operator.index(y))


def reciprocal(x) -> Array:
    """Return 1 / x, elementwise.

    Args:
      x: array or scalar (floating, complexfloating).
    Returns:
      An array of its shape and dtype; infinite where `x` is 0.
    Raises:
      TypeError: `x` is an integer.

    >>> print(lax.reciprocal(4.0))
    0.25
    """
    return arithmetic.integer_pow(x, y=-1)


def nextafter(x1, x2) -> Array:
    """Return the floating-point number next to `x1` in the direction of `x2`, elementwise.

    Args:
      x1, x2: arrays or scalars of equal dtype (floating).
    Returns:
      An array of their shape and dtype; `x1` where they are equal, NaN where one is NaN.
    Raises:
      TypeError: `x1` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.nextafter(0.0, 1.0))
    1e-45
    """
    return arithmetic.nextafter(x1, x2)


def clamp(min, x, max) -> Array:
    """Return `x`, or the bound that it exceeds, elementwise.

    Args:
      min, max: bounds of the dtype of `x`, and of its shape or scalars. Where they cross, it is `max`.
      x: array or scalar (integer, floating, bool).
    Returns:
      An array of the shape and dtype of `x`, with elements from `min` to `max`; NaN stays NaN.
    Raises:
      TypeError: `min` is not an array or scalar; lists are not converted.

    >>> print(lax.clamp(0.0, 1.5, 1.0))
    1.0
    """
    try:
        return state.trace.process(arithmetic.clamp, (min, x, max), {})
    except TypeError:
        check_operands("clamp", min, x, max)
        raise


# ---- rounding and tests -------------------------------------------------------------------------

floor = _unary(arithmetic.floor, "Return the greatest integer below or at x.", "-1.5", "-2.0")
ceil = _unary(arithmetic.ceil, "Return the least integer above or at x.", "-1.5", "-1.0")
is_finite = _unary(
    logic.is_finite, "Return whether x is neither infinite nor NaN.",
    "float('inf')", "False", dtype="dtype bool",
)


def round(x, rounding_method: RoundingMethod = RoundingMethod.AWAY_FROM_ZERO) -> Array:
    """Return the nearest whole number, as a float, elementwise.

    Args:
      x: array or scalar (floating).
      rounding_method: where halves go: away from zero, or to the even neighbour.
    Returns:
      An array of whole numbers, of the shape and dtype of `x`.
    Raises:
      TypeError: `x` is not an array or scalar of real floats; lists are not converted.

    >>> print(lax.round(2.5), lax.round(2.5, lax.RoundingMethod.TO_NEAREST_EVEN))
    3.0 2.0
    """
    return arithmetic.round_(x, rounding_method=RoundingMethod(rounding_method))


def select(pred, on_true, on_false) -> Array:
    """Return `on_true` where `pred`, else `on_false`.

    Args:
      pred: booleans of the shape of the cases, or a scalar.
      on_true, on_false: arrays or scalars of equal shape and dtype.
    Returns:
      An array of the shape and dtype of the cases.
    Raises:
      TypeError: shapes or dtypes of the cases differ, or `pred` has another shape.
    See also: `numpy.where`, which broadcasts and promotes; `cond`, which runs one of two functions.

    >>> print(lax.select(True, 1, 2))
    1
    """
    return select_n(pred, on_false, on_true)


def select_n(which, *cases) -> Array:
    """Take each element from the case that `which` names.

    Args:
      which: booleans (two cases) or integers, of the shape of the cases, or a scalar.
      cases: arrays or scalars of equal shape and dtype.
    Returns:
      An array of the shape and dtype of the cases: element i is that of case number ``which[i]``.
    Raises:
      TypeError: shapes or dtypes of the cases differ, or there are more than two for booleans.

    >>> print(lax.select_n(2, 10, 11, 12))
    12
    """
    try:
        return state.trace.process(logic.select_n, (which, *cases), {})
    except TypeError:
        check_operands("select_n", which, *cases)
        raise


# ---- exponentials and trigonometry --------------------------------------------------------------

exp = _accurate(transcendental.exp, "Return the exponential, e ** x.", "1.0", "2.7182817")
exp2 = _accurate(transcendental.exp2, "Return the power of two, 2 ** x.", "3.0", "8.0")
expm1 = _accurate(transcendental.expm1, "Return e ** x - 1, exact for small x.", "1e-5", "1.000005e-05")
log = _accurate(
    transcendental.log, "Return the natural logarithm; -inf at 0, NaN for negative real numbers.",
    "2.0", "0.6931472",
)
log1p = _accurate(
    transcendental.log1p, "Return log(1 + x), exact for small x; -inf at -1, NaN below.",
    "1e-5", "9.99995e-06",
)
logistic = _accurate(transcendental.logistic, "Return the sigmoid, 1 / (1 + e ** -x), from 0 to 1.", "1.0", "0.7310586")
sin = _accurate(transcendental.sin, "Return the sine of an angle in radians.", "1.0", "0.841471")
cos = _accurate(transcendental.cos, "Return the cosine of an angle in radians.", "1.0", "0.5403023")
tan = _accurate(transcendental.tan, "Return the tangent of an angle in radians.", "1.0", "1.5574077")
asin = _unary(
    transcendental.asin, "Return the angle from -pi/2 to pi/2 with sine x; NaN for real numbers beyond -1 and 1.",
    "1.0", "1.5707964",
)
acos = _unary(
    transcendental.acos, "Return the angle from 0 to pi with cosine x; NaN for real numbers beyond -1 and 1.",
    "-1.0", "3.1415927",
)
atan = _unary(transcendental.atan, "Return the angle from -pi/2 to pi/2 with tangent x.", "1.0", "0.7853982")
atan2 = _binary(
    transcendental.atan2, "Return the angle, from -pi to pi, of the point whose abscissa is y and whose ordinate is x.",
    "1.0, -1.0", "2.3561945",
)
sinh = _unary(transcendental.sinh, "Return the hyperbolic sine, (e ** x - e ** -x) / 2.", "1.0", "1.1752012")
cosh = _unary(transcendental.cosh, "Return the hyperbolic cosine, (e ** x + e ** -x) / 2.", "1.0", "1.5430807")
tanh = _accurate(
    transcendental.tanh, "Return the hyperbolic tangent, sinh(x) / cosh(x), from -1 to 1.",
    "1.0", "0.7615942",
)
asinh = _unary(transcendental.asinh, "Return the number with hyperbolic sine x.", "1.0", "0.8813736")
acosh = _unary(
    transcendental.acosh, "Return the number from 0 on with hyperbolic cosine x; NaN for real numbers below 1.",
    "2.0", "1.316958",
)
atanh = _unary(
    transcendental.atanh,
    "Return the number with hyperbolic tangent x; infinite at -1 and 1, NaN for real numbers beyond.",
    "0.5", "0.54930615",
)

# ---- special functions --------------------------------------------------------------------------

erf = _unary(
    special.erf, "Return the error function, 2/sqrt(pi) times the integral of e ** -t**2 from 0 to x; from -1 to 1.",
    "1.0", "0.84270084",
)
erfc = _unary(special.erfc, "Return 1 - erf(x), exact for large x.", "3.0", "2.2090497e-05")
erf_inv = _unary(
    special.erf_inv, "Return the number with error function x; infinite at -1 and 1, NaN beyond.",
    "0.5", "0.47693628",
)
lgamma = _unary(
    special.lgamma, "Return the logarithm of the size of the gamma function; inf at 0 and the negative whole numbers.",
    "5.0", "3.1780539",
)
digamma = _unary(
    special.digamma, "Return the derivative of `lgamma`; NaN at 0 and the negative whole numbers.",
    "1.0", "-0.5772157",
)
bessel_i0e = _unary(
    special.bessel_i0e, "Return the modified Bessel function of order 0, times e ** -|x|.",
    "1.0", "0.4657596",
)
bessel_i1e = _unary(
    special.bessel_i1e, "Return the modified Bessel function of order 1, times e ** -|x|.",
    "1.0", "0.20791042",
)


def polygamma(m, x) -> Array:
    """Return the m-th derivative of digamma, elementwise.

    Args:
      m: array or scalar (floating) of whole numbers from 0 on.
      x: array or scalar of its dtype.
    Returns:
      An array of their shape and dtype; NaN where `m` is no whole number or negative.
    Raises:
      TypeError: `m` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.polygamma(1.0, 1.0))
    1.644934
    """
    return special.polygamma(m, x)


def igamma(a, x) -> Array:
    """Return the regularized lower incomplete gamma function, elementwise.

    It is the integral of t ** (a - 1) exp(-t) from 0 to x, divided by that from 0 to infinity.

    Args:
      a: array or scalar (floating), positive.
      x: array or scalar of its dtype, not negative.
    Returns:
      Numbers from 0 to 1, in an array of their shape and dtype; NaN where `a` or `x` is out of range.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.igamma(2.0, 1.0))
    0.26424113
    """
    return special.igamma(a, x)


def igammac(a, x) -> Array:
    """Return the regularized upper incomplete gamma function, 1 - igamma(a, x), elementwise.

    Args:
      a: array or scalar (floating), positive.
      x: array or scalar of its dtype, not negative.
    Returns:
      Numbers from 0 to 1, exact where they are small, in an array of their shape and dtype.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.igammac(2.0, 1.0))
    0.7357589
    """
    return special.igammac(a, x)


def igamma_grad_a(a, x) -> Array:
    """Return the derivative of igamma(a, x) with respect to `a`, elementwise.

    Args:
      a: array or scalar (floating), positive.
      x: array or scalar of its dtype, not negative.
    Returns:
      An array of their shape and dtype.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.igamma_grad_a(2.0, 1.0))
    -0.27619603
    """
    return special.igamma_grad_a(a, x)


def zeta(x, q) -> Array:
    """Return the Hurwitz zeta function, the sum of (q + k) ** -x over k = 0, 1, ..., elementwise.

    Args:
      x: array or scalar (floating), greater than 1.
      q: array or scalar of its dtype; infinite results at 0 and the negative whole numbers.
    Returns:
      An array of their shape and dtype; NaN where `x` is below 1.
    Raises:
      TypeError: `x` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.zeta(2.0, 1.0))
    1.644934
    """
    return special.zeta(x, q)


def betainc(a, b, x) -> Array:
    """Return the regularized incomplete beta function, elementwise.

    It is the integral of t ** (a - 1) (1 - t) ** (b - 1) from 0 to x, divided by that from 0 to 1.

    Args:
      a, b: arrays or scalars (floating), positive.
      x: array or scalar of their dtype, from 0 to 1.
    Returns:
      Numbers from 0 to 1, in an array of their shape and dtype; NaN where `x` is outside of 0 to 1.
    Raises:
      TypeError: `a` is not an array or scalar of real floats, or shapes do not broadcast; lists are not converted.

    >>> print(lax.betainc(1.0, 2.0, 0.5))
    0.75
    """
    return special.regularized_incomplete_beta(a, b, x)


# ---- comparisons --------------------------------------------------------------------------------

eq = _binary(logic.eq, "Return whether x equals y; NaN equals nothing.", "1, 2", "False", dtype="dtype bool")
ne = _binary(
    logic.ne, "Return whether x differs from y; NaN differs from everything.", "1, 2", "True", dtype="dtype bool")
lt = _binary(logic.lt, "Return whether x is less than y.", "1, 2", "True", dtype="dtype bool")
le = _binary(logic.le, "Return whether x is less than y or equal.", "1, 2", "True", dtype="dtype bool")
gt = _binary(logic.gt, "Return whether x is greater than y.", "1, 2", "False", dtype="dtype bool")
ge = _binary(logic.ge, "Return whether x is greater than y or equal.", "1, 2", "False", dtype="dtype bool")

# ---- bits ---------------------------------------------------------------------------------------

bitwise_not = _unary(logic.not_, "Return every bit flipped; the negation of a boolean.", "5", "-6", name="bitwise_not")
bitwise_and = _binary(
    logic.and_, "Return the bits that are in both; the conjunction of booleans.",
    "6, 3", "2", name="bitwise_and",
)
bitwise_or = _binary(
    logic.or_, "Return the bits that are in either; the disjunction of booleans.",
    "6, 3", "7", name="bitwise_or",
)
bitwise_xor = _binary(
    logic.xor, "Return the bits that are in one only; of booleans, whether they differ.",
    "6, 3", "5", name="bitwise_xor",
)
shift_left = _binary(
    logic.shift_left, "Return x with its bits moved y places up, zeros moving in; 0 where y is no number of a bit.",
    "3, 2", "12",
)
shift_right_logical = _binary(
    logic.shift_right_logical,
    "Return x with its bits moved y places down, zeros moving in; 0 where y is no number of a bit.",
    "12, 2", "3",
)
shift_right_arithmetic = _binary(
    logic.shift_right_arithmetic,
    "Return x with its bits moved y places down, the sign moving in; -1 or 0 where y is too great.",
    "-12, 2", "-3",
)
population_count = _unary(
    arithmetic.population_count, "Return the number of bits that are 1; of a negative number in two's complement.",
    "7", "3",
)
clz = _unary(arithmetic.clz, "Return the number of zeros above the highest bit that is 1; of 0 all bits.", "1", "31")

# ---- complex numbers ----------------------------------------------------------------------------

real = _unary(
    arithmetic.real, "Return the real part of a complex number.",
    "1 + 2j", "1.0", dtype="the dtype of the parts",
)
imag = _unary(
    arithmetic.imag, "Return the imaginary part of a complex number.", "1 + 2j", "2.0", dtype="the dtype of the parts",
)
complex = _binary(
    arithmetic.complex_, "Return the complex number with real part x and imaginary part y.",
    "1.0, 2.0", "(1+2j)", dtype="the complex dtype of such parts",
)


def conj(x) -> Array:
    """Return the complex conjugate, as a complex number.

    Args:
      x: array or scalar (float32, float64, complexfloating).
    Returns:
      An array of the shape of `x`, complex: real numbers have an imaginary part of 0.
    Raises:
      TypeError: the dtype is of none of these kinds.

    >>> print(lax.conj(1 + 2j))
    (1-2j)
    """
    return arithmetic.conj(x, input_dtype=aval_of(x).dtype)


def dtype(x) -> Any:
    """Return the dtype of an array, a scalar, or a type.

    Args:
      x: an array, a NumPy array, a number of Python, or a type such as `float`.
    Returns:
      A NumPy dtype; numbers of Python have the default one of their kind.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> lax.dtype(1.5)
    dtype('float32')
    """
    return dtypes.dtype_of(x)


__all__ = [
    name
    for name, value in globals().items()
    if getattr(value, "__module__", "") == __name__ and name[0] != "_" and name != "check_operands"
]
