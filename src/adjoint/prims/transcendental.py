"""Exponential, trigonometric and hyperbolic primitives, and powers, one row an operation.

In a derivative, `g` is the tangent, `z` the result, `x` (and `y`) the operands. bfloat16 and
float16 are computed in float32 and rounded once.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.types import ShapedArray, aval_of
from .arithmetic import add, div, integer_pow, mul, neg, rsqrt, square, sub
from .conversion import convert_element_type
from .domains import INEXACT, NUMBERS, accepts
from .family import binary, elementwise, fill, function, like, stretch, typed_like, unary, widened
from .logic import eq, select_n

__all__ = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "exp", "exp2",
    "expm1", "log", "log1p", "logistic", "pow_", "sin", "sinh", "tan", "tanh",
]


def _one(x):
    return like(x, 1)


_MAX_ELEMENTS_OF_SMALL = 4096  # elements


def _exp(x):
    """NumPy's vectorised float32 exp errs by 2.3 ulp; a small array can afford double precision."""
    if x.dtype == np.float32 and x.size <= _MAX_ELEMENTS_OF_SMALL:
        return np.exp(x, dtype=np.float64).astype(np.float32)
    return np.exp(x)


def _expm1(x):
    """Complex: e^a cos b - 1 = (e^a - 1) cos b - 2 sin(b/2)^2; NumPy's has NaN at infinities."""
    if x.dtype.kind == "f":
        return np.expm1(x)
    s = np.sin(x.imag * 0.5)
    near = np.expm1(x.real) * np.cos(x.imag) - 2 * s * s
    e = np.exp(x)
    out = np.empty(x.shape, x.dtype)
    out.real, out.imag = np.where((x.real > 1) | np.isnan(near), e.real - 1, near), e.imag
    return out


def _log1p(x):
    """Complex: log |1 + x| = log1p(a (2 + a) + b^2) / 2 for small x, where NumPy's loses digits."""
    if x.dtype.kind == "f":
        return np.log1p(x)
    a, b = x.real, x.imag
    moved = np.array(x)
    moved.real += 1  # not x + 1, which adds to the sign of b as well
    far = np.log(moved)
    out = np.empty(x.shape, x.dtype)
    small = np.maximum(np.abs(a), np.abs(b)) < 0.5
    out.real, out.imag = np.where(small, np.log1p(a * (a + 2) + b * b) * 0.5, far.real), far.imag
    return out


def _exp2(x):
    return np.exp2(x) if x.dtype.kind == "f" else np.exp(np.multiply(x, x.dtype.type(np.log(2))))


def _logistic(x):
    """Complex: of e^x where the real part is negative, as e^-x may overflow to a NaN there."""
    one = x.dtype.type(1)
    if x.dtype.kind == "f":
        return np.divide(one, np.add(one, _exp(np.negative(x))))
    left = np.less(x.real, 0)
    e = _exp(np.where(left, x, np.negative(x)))
    return np.divide(np.where(left, e, one), np.add(one, e))


def _atan2(y, x):
    """Complex: -i log((x + i y) / sqrt(x^2 + y^2))"""
    if x.dtype.kind == "f":
        return np.arctan2(y, x)
    i = x.dtype.type(1j)
    return np.multiply(-i, np.log((x + i * y) / np.sqrt(x * x + y * y)))


def _squares(x, y):
    return add(square(x), square(y))


exp = function("exp", INEXACT, _exp, lambda g, z, x: mul(g, z))
exp2 = function("exp2", INEXACT, _exp2, lambda g, z, x: mul(log(typed_like(x, 2)), mul(g, z)))
expm1 = function("expm1", INEXACT, _expm1, lambda g, z, x: mul(g, add(z, _one(z))))
log = function("log", INEXACT, np.log, lambda g, z, x: div(g, x))
log1p = function("log1p", INEXACT, _log1p, lambda g, z, x: div(g, add(x, _one(x))))
logistic = function(
    "logistic", INEXACT, _logistic, lambda g, z, x: mul(g, mul(z, sub(_one(z), z)))
)

sin = function("sin", INEXACT, np.sin, lambda g, z, x: mul(g, cos(x)))
cos = function("cos", INEXACT, np.cos, lambda g, z, x: neg(mul(g, sin(x))))
tan = function("tan", INEXACT, np.tan, lambda g, z, x: mul(g, add(typed_like(z, 1), square(z))))
tanh = function(
    "tanh", INEXACT, np.tanh, lambda g, z, x: mul(add(g, mul(g, z)), sub(_one(z), z))
)

sinh = unary("sinh", INEXACT, widened(np.sinh), lambda g, z, x: mul(g, cosh(x)))
cosh = unary("cosh", INEXACT, widened(np.cosh), lambda g, z, x: mul(g, sinh(x)))
asin = unary(
    "asin", INEXACT, widened(np.arcsin), lambda g, z, x: mul(g, rsqrt(sub(typed_like(x, 1), square(x))))
)
acos = unary(
    "acos", INEXACT, widened(np.arccos), lambda g, z, x: mul(g, neg(rsqrt(sub(typed_like(x, 1), square(x)))))
)
atan = unary(
    "atan", INEXACT, widened(np.arctan), lambda g, z, x: div(g, add(typed_like(x, 1), square(x)))
)
asinh = unary(
    "asinh", INEXACT, widened(np.arcsinh), lambda g, z, x: mul(g, rsqrt(add(square(x), _one(x))))
)
acosh = unary(
    "acosh", INEXACT, widened(np.arccosh), lambda g, z, x: mul(g, rsqrt(sub(square(x), _one(x))))
)
atanh = unary(
    "atanh",
    INEXACT,
    widened(np.arctanh),
    lambda g, z, x: mul(integer_pow(add(_one(x), x), y=-1), div(g, sub(_one(x), x))),
)
atan2 = binary(
    "atan2",
    INEXACT,
    widened(_atan2),
    lambda g, z, x, y: mul(g, div(y, _squares(x, y))),
    lambda g, z, x, y: mul(g, div(neg(x), _squares(x, y))),
)


# ---- powers -------------------------------------------------------------------------------------


def _power(x, y):
    if y.dtype != x.dtype:
        y = y.astype(x.dtype)
    if y.ndim == 0 and y == 0.5 and x.dtype.kind == "f":
        # NumPy takes the root, which differs from the power at -0 and -inf.
        return np.where(x == -np.inf, x.dtype.type(np.inf), np.sqrt(x) + x.dtype.type(0))
    return np.power(x, y)


def _power_of_base(g, z, x, y):
    """d(x^y)/dx = y x^(y-1), and 0 where an integer y is 0."""
    dtype = aval_of(x).dtype
    is_whole = aval_of(y).dtype != dtype
    x, y = (  # JAX parity: the derivative is strong
        convert_element_type(v, new_dtype=dtype, weak_type=False) if v_aval.weak_type or v_aval.dtype != dtype else v
        for v, v_aval in ((x, aval_of(x)), (y, aval_of(y)))
    )
    if not is_whole:
        return mul(g, mul(y, pow_(x, sub(y, fill(y, 1)))))
    zero = lambda: eq(y, like(y, 0))
    safe = select_n(zero(), y, fill(y, 1))
    slope = mul(safe, pow_(x, sub(y, fill(y, 1))))
    none = stretch(zero(), aval_of(z).shape)
    return mul(g, select_n(none, slope, fill(z, 0)))


def _power_of_exponent(g, z, x, y):
    """d(x^y)/dy = log(x) x^y, with 0 log 0 = 0."""
    if aval_of(g).weak_type and aval_of(x).weak_type:  # JAX parity: the tangent is strong, the cotangent is not
        g = convert_element_type(g, new_dtype=aval_of(g).dtype, weak_type=False)
    safe = select_n(eq(x, like(x, 0)), x, fill(x, 1))
    return mul(g, mul(log(safe), z))


def _check_power(x, y):
    if accepts(INEXACT, y) and x != y:
        raise TypeError(
            "the first argument to pow must have an inexact dtype (float or complex), and the "
            "second argument must have an inexact or integer dtype, and two inexact dtypes must "
            f"match, but got {x.name} and {y.name} respectively."
        )
    return x


pow_ = elementwise(
    "pow",
    [INEXACT, NUMBERS],
    widened(_power),
    arity=2,
    out_dtype=_check_power,
    derivatives=(_power_of_base, _power_of_exponent),
    check_same=False,
)
pow_.examples((ShapedArray((2, 3), dtypes.float32), ShapedArray((2, 3), dtypes.int32)))
