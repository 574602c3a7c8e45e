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
from ..core.primitive import Primitive
from ..core.trace import state
from ..core.types import Array, aval_of, has_no_value, is_arraylike, valueless
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


def _unary(p: Primitive, what: str, example: str, result: str, name: str = "") -> Callable:
    name = name or p.name

    def function(x):
        try:
            return state.trace.process(p, (x,), {})
        except TypeError:
            check_operands(name, x)
            raise

    return _named(function, name, what, p.domains[0], "x: array or scalar", example, result)


def _accurate(p: Primitive, what: str, example: str, result: str) -> Callable:
    name = p.name

    def function(x, *, accuracy=None):
        try:
            return state.trace.process(p, (x,), {} if accuracy is None else {"accuracy": accuracy})
        except TypeError:
            check_operands(name, x)
            raise

    function = _named(function, name, what, p.domains[0], "x: array or scalar", example, result)
    also = "  accuracy: a `Tolerance` or an `AccuracyMode`; the result is exact anyway.\n"
    function.__doc__ = function.__doc__.replace("Returns:", also + "Returns:")
    return function


def _binary(p: Primitive, what: str, example: str, result: str, name: str = "") -> Callable:
    name = name or p.name

    def function(x, y):
        try:
            return state.trace.process(p, (x, y), {})
        except TypeError:
            check_operands(name, x, y)
            raise

    operands = "x, y: arrays or scalars of equal dtype"
    return _named(function, name, what, p.domains[0], operands, example, result)


def _named(function, name, what, domain, operands, example, result):
    """The function of a row under its name, with a docstring."""
    function.__name__ = function.__qualname__ = name
    kinds = ", ".join(kind.__name__ for kind in domain)
    function.__doc__ = (
        f"{what}\n\nArgs:\n  {operands} ({kinds}).\n"
        f"Returns:\n  An array of {'that shape' if operands[1] == ':' else 'the shape to which theirs broadcast'}.\n"
        f"Raises:\n  TypeError: a dtype or shape does not fit.\n\n"
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
                    fix=f"lax.{name}(jnp.array(...))" if isinstance(x, (list, tuple)) else None,
                )
            ) from None


# ---- sums, products, powers ---------------------------------------------------------------------

neg = _unary(arithmetic.neg, "The negative, -x.", "1.5", "-1.5")
sign = _unary(
    arithmetic.sign, "-1, 0 or 1; NaN for NaN; the direction of a complex number.",
    "-2.5", "-1.0",
)
abs = _unary(arithmetic.abs_, "The absolute value; real for complex numbers.", "-2.5", "2.5")
add = _binary(arithmetic.add, "The sum, x + y.", "1, 2", "3")
sub = _binary(arithmetic.sub, "The difference, x - y.", "1, 2", "-1")
div = _binary(arithmetic.div, "The quotient; of integers, rounded towards zero.", "-7, 2", "-3")
rem = _binary(arithmetic.rem, "The remainder of `div`, with the sign of x.", "-7, 2", "-1")
max = _binary(arithmetic.max_, "The greater one; NaN if one is NaN.", "1, 2", "2")
min = _binary(arithmetic.min_, "The lesser one; NaN if one is NaN.", "1, 2", "1")
pow = _binary(transcendental.pow_, "The power x ** y; y may be an integer.", "2.0, 3", "8.0")
square = _unary(arithmetic.square, "The square, x * x.", "3", "9")
sqrt = _accurate(arithmetic.sqrt, "The square root.", "4.0", "2.0")
rsqrt = _accurate(arithmetic.rsqrt, "The reciprocal of the square root.", "4.0", "0.5")
cbrt = _accurate(arithmetic.cbrt, "The cube root.", "8.0", "2.0")


def mul(x, y, *, out_dtype=None) -> Array:
    """The product, x * y.

    Args:
      x, y: arrays or scalars of equal dtype (integer, floating, complexfloating).
      out_dtype: the dtype of the result, if not theirs.

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
    """The upper half of the bits of the product of two integers.

    >>> print(lax.mulhi(2**30, 8))
    2
    """
    return arithmetic.mulhi(x, y)


def integer_pow(x, y: int) -> Array:
    """The power x ** y for a Python integer y.

    Args:
      x: array or scalar (integer, floating, complexfloating); an integer array takes no negative y.
    Returns:
      An array of the shape and dtype of `x`.

    >>> print(lax.integer_pow(2.0, -1))
    0.5
    """
    hash(y)  # JAX parity: an array is no static power
    return arithmetic.integer_pow(x, y=operator.index(y))


def reciprocal(x) -> Array:
    """1 / x.

    >>> print(lax.reciprocal(4.0))
    0.25
    """
    return arithmetic.integer_pow(x, y=-1)


def nextafter(x1, x2) -> Array:
    """The floating-point number next to `x1` in the direction of `x2`.

    >>> print(lax.nextafter(0.0, 1.0))
    1e-45
    """
    return arithmetic.nextafter(x1, x2)


def clamp(min, x, max) -> Array:
    """`x`, or the bound that it exceeds.

    Args:
      min, max: bounds of the dtype of `x`, and of its shape or scalars.
    Returns:
      An array of the shape and dtype of `x`.

    >>> print(lax.clamp(0.0, 1.5, 1.0))
    1.0
    """
    try:
        return state.trace.process(arithmetic.clamp, (min, x, max), {})
    except TypeError:
        check_operands("clamp", min, x, max)
        raise


# ---- rounding and tests -------------------------------------------------------------------------

floor = _unary(arithmetic.floor, "The greatest integer below or at x.", "-1.5", "-2.0")
ceil = _unary(arithmetic.ceil, "The least integer above or at x.", "-1.5", "-1.0")
is_finite = _unary(
    logic.is_finite, "Whether x is neither infinite nor NaN.",
    "float('inf')", "False",
)


def round(x, rounding_method: RoundingMethod = RoundingMethod.AWAY_FROM_ZERO) -> Array:
    """The nearest integer, as a float.

    Args:
      x: array or scalar (floating).
      rounding_method: where halves go: away from zero, or to the even neighbour.
    Returns:
      An array of the shape and dtype of `x`.

    >>> print(lax.round(2.5), lax.round(2.5, lax.RoundingMethod.TO_NEAREST_EVEN))
    3.0 2.0
    """
    return arithmetic.round_(x, rounding_method=RoundingMethod(rounding_method))


def select(pred, on_true, on_false) -> Array:
    """`on_true` where `pred`, else `on_false`.

    Args:
      pred: booleans of the shape of the cases, or a scalar.
      on_true, on_false: arrays or scalars of equal shape and dtype.
    Returns:
      An array of the shape and dtype of the cases.

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
      An array of the shape and dtype of the cases.

    >>> print(lax.select_n(2, 10, 11, 12))
    12
    """
    try:
        return state.trace.process(logic.select_n, (which, *cases), {})
    except TypeError:
        check_operands("select_n", which, *cases)
        raise


# ---- exponentials and trigonometry --------------------------------------------------------------

exp = _accurate(transcendental.exp, "The exponential, e ** x.", "0.0", "1.0")
exp2 = _accurate(transcendental.exp2, "The power of two, 2 ** x.", "3.0", "8.0")
expm1 = _accurate(transcendental.expm1, "e ** x - 1, exact for small x.", "0.0", "0.0")
log = _accurate(transcendental.log, "The natural logarithm.", "1.0", "0.0")
log1p = _accurate(transcendental.log1p, "log(1 + x), exact for small x.", "0.0", "0.0")
logistic = _accurate(transcendental.logistic, "The sigmoid, 1 / (1 + e ** -x).", "0.0", "0.5")
sin = _accurate(transcendental.sin, "The sine.", "0.0", "0.0")
cos = _accurate(transcendental.cos, "The cosine.", "0.0", "1.0")
tan = _accurate(transcendental.tan, "The tangent.", "0.0", "0.0")
asin = _unary(transcendental.asin, "The inverse sine, from -pi/2 to pi/2.", "0.0", "0.0")
acos = _unary(transcendental.acos, "The inverse cosine, from 0 to pi.", "1.0", "0.0")
atan = _unary(transcendental.atan, "The inverse tangent, from -pi/2 to pi/2.", "0.0", "0.0")
atan2 = _binary(
    transcendental.atan2, "The angle of the point with abscissa y and ordinate x, from -pi to pi.",
    "0.0, 1.0", "0.0",
)
sinh = _unary(transcendental.sinh, "The hyperbolic sine.", "0.0", "0.0")
cosh = _unary(transcendental.cosh, "The hyperbolic cosine.", "0.0", "1.0")
tanh = _accurate(transcendental.tanh, "The hyperbolic tangent.", "0.0", "0.0")
asinh = _unary(transcendental.asinh, "The inverse hyperbolic sine.", "0.0", "0.0")
acosh = _unary(transcendental.acosh, "The inverse hyperbolic cosine.", "1.0", "0.0")
atanh = _unary(transcendental.atanh, "The inverse hyperbolic tangent.", "0.0", "0.0")

# ---- special functions --------------------------------------------------------------------------

erf = _unary(
    special.erf, "The error function, 2/sqrt(pi) times the integral of e ** -t**2 from 0 to x.",
    "0.0", "0.0",
)
erfc = _unary(special.erfc, "1 - erf(x), exact for large x.", "0.0", "1.0")
erf_inv = _unary(special.erf_inv, "The inverse of the error function.", "0.0", "0.0")
lgamma = _unary(
    special.lgamma, "The logarithm of the absolute value of the gamma function.",
    "1.0", "0.0",
)
digamma = _unary(special.digamma, "The derivative of lgamma.", 'float("inf")', "inf")
bessel_i0e = _unary(
    special.bessel_i0e, "The modified Bessel function of order 0, times e ** -|x|.",
    "0.0", "1.0",
)
bessel_i1e = _unary(
    special.bessel_i1e, "The modified Bessel function of order 1, times e ** -|x|.",
    "0.0", "0.0",
)


def polygamma(m, x) -> Array:
    """The m-th derivative of digamma, elementwise; `m` is a whole number in a floating dtype.

    >>> print(lax.polygamma(1.0, 0.0))
    inf
    """
    return special.polygamma(m, x)


def igamma(a, x) -> Array:
    """The regularized lower incomplete gamma function, elementwise.

    >>> print(lax.igamma(1.0, 0.0))
    0.0
    """
    return special.igamma(a, x)


def igammac(a, x) -> Array:
    """The regularized upper incomplete gamma function, 1 - igamma(a, x), elementwise.

    >>> print(lax.igammac(1.0, 0.0))
    1.0
    """
    return special.igammac(a, x)


def igamma_grad_a(a, x) -> Array:
    """The derivative of igamma(a, x) with respect to `a`, elementwise.

    >>> print(lax.igamma_grad_a(1.0, 0.0))
    0.0
    """
    return special.igamma_grad_a(a, x)


def zeta(x, q) -> Array:
    """The Hurwitz zeta function, the sum of (q + k) ** -x over k = 0, 1, ..., elementwise.

    >>> print(lax.zeta(1.0, 1.0))
    inf
    """
    return special.zeta(x, q)


def betainc(a, b, x) -> Array:
    """The regularized incomplete beta function, elementwise.

    >>> print(lax.betainc(1.0, 1.0, 0.0))
    0.0
    """
    return special.regularized_incomplete_beta(a, b, x)


# ---- comparisons --------------------------------------------------------------------------------

eq = _binary(logic.eq, "Whether x equals y; NaN equals nothing.", "1, 2", "False")
ne = _binary(logic.ne, "Whether x differs from y; NaN differs from everything.", "1, 2", "True")
lt = _binary(logic.lt, "Whether x is less than y.", "1, 2", "True")
le = _binary(logic.le, "Whether x is less than y or equal.", "1, 2", "True")
gt = _binary(logic.gt, "Whether x is greater than y.", "1, 2", "False")
ge = _binary(logic.ge, "Whether x is greater than y or equal.", "1, 2", "False")

# ---- bits ---------------------------------------------------------------------------------------

bitwise_not = _unary(
    logic.not_, "Every bit flipped; the negation of a boolean.",
    "5", "-6", name="bitwise_not",
)
bitwise_and = _binary(
    logic.and_, "The bits that are in both; the conjunction of booleans.",
    "6, 3", "2", name="bitwise_and",
)
bitwise_or = _binary(
    logic.or_, "The bits that are in either; the disjunction of booleans.",
    "6, 3", "7", name="bitwise_or",
)
bitwise_xor = _binary(
    logic.xor, "The bits that are in one only; of booleans, whether they differ.",
    "6, 3", "5", name="bitwise_xor",
)
shift_left = _binary(logic.shift_left, "x with its bits moved y places up.", "3, 2", "12")
shift_right_logical = _binary(
    logic.shift_right_logical, "x with its bits moved y places down, zeros moving in.",
    "12, 2", "3",
)
shift_right_arithmetic = _binary(
    logic.shift_right_arithmetic, "x with its bits moved y places down, the sign moving in.",
    "-12, 2", "-3",
)
population_count = _unary(arithmetic.population_count, "The number of bits that are 1.", "7", "3")
clz = _unary(arithmetic.clz, "The number of zeros above the highest bit that is 1.", "1", "31")

# ---- complex numbers ----------------------------------------------------------------------------

real = _unary(arithmetic.real, "The real part of a complex number.", "1 + 2j", "1.0")
imag = _unary(arithmetic.imag, "The imaginary part of a complex number.", "1 + 2j", "2.0")
complex = _binary(
    arithmetic.complex_, "The complex number with real part x and imaginary part y.",
    "1.0, 2.0", "(1+2j)",
)


def conj(x) -> Array:
    """The complex conjugate, as a complex number; `x` is a float or complex array or scalar.

    >>> print(lax.conj(1 + 2j))
    (1-2j)
    """
    return arithmetic.conj(x, input_dtype=aval_of(x).dtype)


def dtype(x) -> Any:
    """The dtype of an array, a scalar, or a type.

    >>> lax.dtype(1.5)
    dtype('float32')
    """
    return dtypes.dtype_of(x)


__all__ = [
    name
    for name, value in globals().items()
    if getattr(value, "__module__", "") == __name__ and name[0] != "_" and name != "check_operands"
]
