"""Arithmetic primitives, one row an operation, with the derivatives beside it.

In a derivative, `g` is the tangent of the operand, `z` the result, `x` and `y` the operands.
Integers wrap; division by zero and the rest of what NumPy leaves open is as XLA has it. Narrow
dtypes (`widened`) are computed in a wider one and rounded once. What is transposed follows the
table.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from ..core import dtypes
from ..core.messages.errors import message
from ..core.primitive import Primitive, is_undefined_primal
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from ..sharding import rules, sums
from .conversion import convert_element_type
from .domains import ANY, COMPLEX, FLOATS, INEXACT, INTS, NUMBERS, REAL, SIGNED, accepts, highest, lowest
from .family import (
    add_any,
    binary,
    check_same_dtypes,
    fill,
    function,
    like,
    linear_in_both,
    stretch,
    typed_like,
    unary,
    unbroadcast,
    widened,
)
from .logic import and_, eq, ge, gt, lt, select_n, unsigned
from .shape import full, insert_axes, materialise_batch, reduce_sum

__all__ = [
    "abs_", "add", "cbrt", "ceil", "clamp", "clz", "complex_", "conj", "div", "floor", "imag", "integer_pow", "max_",
    "min_", "mul", "mulhi", "neg", "nextafter", "population_count", "real", "rem", "round_", "rsqrt", "sign", "sqrt",
    "square", "sub",
]


# ---- sums, products, quotients -------------------------------------------------------------------


def _divide(x, y):
    """Integers: towards zero, and x/0 has all bits set."""
    if x.dtype.kind == "c":
        return _divide_complex(x, y)
    if x.dtype.kind == "f" or not accepts(INTS, x.dtype):
        return np.divide(x, y)
    if y.all():
        return np.floor_divide(np.subtract(x, np.fmod(x, y)), y)
    zero = np.equal(y, 0)
    quotient = _divide(x, np.where(zero, np.ones_like(y), y))
    return np.where(zero, np.invert(np.zeros_like(y)), quotient)


def _divide_complex(x, y):
    """Return where a part of the quotient by itself is not a number, an infinity or a zero may still be right.

    ISO C99, annex G.5.1, with the sign of the divisor's real part for a division by zero.
    """
    out = np.divide(x, y)
    odd = np.equal(y, 0) | (np.isnan(out.real) & np.isnan(out.imag))
    if not odd.any():
        return out
    out = np.array(out)
    x, y = np.broadcast_arrays(x, y)
    out[odd] = _limits(x[odd], y[odd], out[odd])
    return out


def _limits(x, y, otherwise):
    a, b, c, d = x.real, x.imag, y.real, y.imag
    unit = lambda v: np.copysign(np.isinf(v).astype(v.dtype), v)  # 1 for an infinity, 0 for a number
    at_zero = (c == 0) & (d == 0) & ~(np.isnan(a) & np.isnan(b))
    top = (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d)
    down = np.isfinite(a) & np.isfinite(b) & (np.isinf(c) | np.isinf(d))
    u, v, p, q = unit(a), unit(b), unit(c), unit(d)
    infinite = np.copysign(a.dtype.type(np.inf), c)
    cases = [at_zero, top, down]
    real = [infinite * a, a.dtype.type(np.inf) * (u * c + v * d), 0 * (a * p + b * q)]
    imag = [infinite * b, a.dtype.type(np.inf) * (v * c - u * d), 0 * (b * p - a * q)]
    out = np.empty_like(otherwise)
    out.real = np.select(cases, real, otherwise.real)
    out.imag = np.select(cases, imag, otherwise.imag)
    return out


def _remainder(x, y):
    """Return the remainder, with the sign of x; for integers, x % 0 is x."""
    if x.dtype.kind == "f" or y.all():
        return np.fmod(x, y)
    zero = np.equal(y, 0)
    return np.where(zero, x, np.fmod(x, np.where(zero, np.ones_like(y), y)))


def _multiply(x, y, out_dtype=None):
    if out_dtype is not None:
        x, y = (convert_element_type.evaluate_rule(v, new_dtype=out_dtype, weak_type=False) for v in (x, y))
    return np.multiply(x, y)


def _quotient(x, y):
    """x / y, towards zero."""
    return mul(sign(div(x, y)), floor(abs_(div(x, y))))


neg = unary("neg", NUMBERS, widened(np.negative), lambda g, z, x: neg(g))
neg.exact("biufc")
add = binary("add", NUMBERS, np.add, lambda g, z, x, y: g, lambda g, z, x, y: g)
sub = binary("sub", NUMBERS, np.subtract, lambda g, z, x, y: g, lambda g, z, x, y: neg(g))
mul = binary(
    "mul",
    NUMBERS,
    _multiply,
    lambda g, z, x, y, **params: mul(g, y, **params),
    lambda g, z, x, y, **params: mul(x, g, **params),
    out_dtype=lambda x, y, out_dtype=None: x if out_dtype is None else out_dtype,
)
div = binary(
    "div",
    NUMBERS,
    widened(_divide),
    lambda g, z, x, y: div(g, y),
    lambda g, z, x, y: mul(mul(neg(g), x), integer_pow(y, y=-2)),
)
rem = binary(
    "rem",
    REAL,
    widened(_remainder),
    lambda g, z, x, y: g,
    lambda g, z, x, y: mul(neg(g), _quotient(x, y)),
)
for p in (add, sub, mul, div, rem):
    p.exact("biuf")


mul.unset = {"out_dtype": None}
mul.examples(
    (*[ShapedArray((3,), dtypes.bfloat16)] * 2, {"out_dtype": dtypes.float32}),
    (ShapedArray((3,), dtypes.float32), ShapedArray((3,), dtypes.int32), {"out_dtype": dtypes.float32}),
    (ShapedArray((3,), dtypes.float32), ShapedArray((3,), dtypes.bfloat16), {"out_dtype": dtypes.complex64}),
)
linear_in_both(add)
linear_in_both(sub)
_product_jvp = mul.jvp_rule


@mul.jvp
def _(primals, tangents, **params):
    out_dtype = params.get("out_dtype")
    if out_dtype is None or dtypes.issubdtype(out_dtype, np.inexact):
        return _product_jvp(primals, tangents, **params)
    out = mul(*primals, **params)  # an integer, or boolean
    return out, Zero(aval_of(out).to_tangent_aval())


@neg.transpose
def _(ct, x):
    return [neg(ct)]


@add.transpose
def _(ct, x, y):
    return [unbroadcast(ct, v.aval) if is_undefined_primal(v) else None for v in (x, y)]


@sub.transpose
def _(ct, x, y):
    return [
        unbroadcast(ct, x.aval) if is_undefined_primal(x) else None,
        unbroadcast(neg(ct), y.aval) if is_undefined_primal(y) else None,
    ]


@mul.transpose
def _(ct, x, y, out_dtype=None):
    linear, other = (x, y) if is_undefined_primal(x) else (y, x)
    dtype = linear.aval.dtype
    if out_dtype is not None and aval_of(other).dtype != (dtype_of_ct := aval_of(ct).dtype):
        other = convert_element_type(other, new_dtype=dtype_of_ct, weak_type=False)
    ct = mul(ct, other) if linear is x else mul(other, ct)
    if ct.dtype != dtype:
        ct = convert_element_type(ct, new_dtype=dtype, weak_type=False)
    ct = unbroadcast(ct, linear.aval)
    return [ct, None] if linear is x else [None, ct]


@div.transpose
def _(ct, x, y):
    return [unbroadcast(div(ct, y), x.aval), None]


@rem.transpose
def _(ct, x, y):
    return [unbroadcast(ct, x.aval), None]


# ---- complex numbers and their parts --------------------------------------------------------------

# Derivatives are with respect to the parts, and transposes do not conjugate: the conventions of JAX.
_PARTS = (np.float32, np.float64)


def _complex(x, y):
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), dtypes.to_complex_dtype(x.dtype))
    out.real, out.imag = x, y
    return out


def _conjugate(x, *, input_dtype=None):
    return np.conjugate(x) if x.dtype.kind == "c" else x.astype(dtypes.to_complex_dtype(x.dtype))


# Copies: a view of every other number is slow to read.
real = unary(
    "real",
    COMPLEX,
    lambda x: x.real.copy(),
    lambda g, z, x: real(g),
    out_dtype=dtypes.to_real_dtype,
)
imag = unary(
    "imag",
    COMPLEX,
    lambda x: x.imag.copy(),
    lambda g, z, x: imag(g),
    out_dtype=dtypes.to_real_dtype,
)
conj = unary(
    "conj",
    (np.float32, *COMPLEX, np.float64),
    _conjugate,
    lambda g, z, x, **params: conj(g, **params),
    out_dtype=lambda x, input_dtype=None: dtypes.to_complex_dtype(x),
)
for p in (real, imag, conj):
    p.exact("biufc")
# The parameter names the dtype of the operand.
conj.example_calls = [((x,), {"input_dtype": x.dtype}) for (x,), _ in conj.example_calls]
complex_ = binary(
    "complex",
    _PARTS,
    _complex,
    lambda g, z, x, y: complex_(g, fill(y, 0)),
    lambda g, z, x, y: complex_(fill(x, 0), g),
    out_dtype=lambda x, y: dtypes.to_complex_dtype(x),
)
complex_.exact("biufc")
linear_in_both(complex_)


def _other_part(ct):
    """Return the other part of a cotangent, strongly typed, as JAX's is."""
    return full((), 0, aval_of(ct).dtype)


@real.transpose
def _(ct, x):
    return [complex_(ct, _other_part(ct))]


@imag.transpose
def _(ct, x):
    return [complex_(_other_part(ct), neg(ct))]


@conj.transpose
def _(ct, x, *, input_dtype=None):
    if x.aval.dtype.kind == "c":
        return [conj(ct, input_dtype=ct.dtype)]
    return [real(ct)]


@complex_.transpose
def _(ct, x, y):
    return [
        unbroadcast(real(ct), x.aval) if is_undefined_primal(x) else None,
        unbroadcast(imag(neg(ct)), y.aval) if is_undefined_primal(y) else None,
    ]


# ---- order, sign, rounding -----------------------------------------------------------------------


def _extreme(ufunc, before):
    """Return `ufunc`, and for complex numbers the order of the real, then the imaginary parts.

    A complex NaN comes before nothing: the second operand is taken.
    """

    def evaluate(x, y):
        if x.dtype.kind != "c":
            return ufunc(x, y)
        same = np.equal(x.real, y.real)
        return np.where(np.where(same, before(x.imag, y.imag), before(x.real, y.real)), x, y)

    return widened(evaluate)


def _share(g, z, x, y):
    """Return the tangent of x in the extreme z of x and y: all, none, or half of it at a tie."""

    def choose(at, yes, no):
        extreme, yes = eq(at, z), fill(z, yes)
        return select_n(extreme, fill(z, no), yes)

    return mul(g, div(choose(x, 1, 0), choose(y, 2, 1)))


def _sign(x):
    """-1, 1, NaN, or the zero that x is; the direction of a complex number."""
    if x.dtype.kind == "f":
        return np.copysign(np.sign(x), x)
    if x.dtype.kind != "c":
        return np.sign(x)
    size = np.abs(x)
    out = np.empty(x.shape, x.dtype)
    out.real, out.imag = np.divide(x.real, size), np.divide(x.imag, size)
    return np.where(np.equal(size, 0), x, out)


def _abs_derivative(g, z, x):
    if accepts(FLOATS, aval_of(x).dtype):
        return select_n(ge(x, like(x, 0)), neg(g), g)
    conjugate = conj(x, input_dtype=g.dtype)
    size = convert_element_type(z, new_dtype=g.dtype, weak_type=False)
    size = select_n(eq(size, like(size, 0)), size, fill(size, 1))
    return real(mul(g, div(conjugate, size)))


_BELOW_HALF = {
    d: np.nextafter(d.type(0.5), d.type(0)) for d in (dtypes.float32, dtypes.float64)
}


def _round(x, *, rounding_method):
    """Half away from zero (method 0) or half to even (1)."""
    if rounding_method:
        return np.rint(x)
    # The number below a half: a sum with it rounds to the next whole number from exactly a half on.
    return np.trunc(np.add(x, np.copysign(_BELOW_HALF[x.dtype], x)))


def _next(x, y):
    out = np.nextafter(x, y)
    return np.where(np.equal(x, y), y, out) if x.dtype == np.float16 else out  # NumPy's gives x, which may be another 0


max_ = binary(
    "max", ANY, _extreme(np.maximum, np.greater), _share, lambda g, z, x, y: _share(g, z, y, x)
)
min_ = binary(
    "min", ANY, _extreme(np.minimum, np.less), _share, lambda g, z, x, y: _share(g, z, y, x)
)
max_.exact("biuf")
min_.exact("biuf")
reduce_sum.combines(add)
add.neutral(lambda dtype: 0)
add.sums(sums.added)
mul.neutral(lambda dtype: 1)
mul.sums(sums.multiplied)
max_.neutral(lowest)
min_.neutral(highest)
abs_ = unary("abs", SIGNED, widened(np.abs), _abs_derivative, out_dtype=dtypes.to_real_dtype)
sign = unary("sign", NUMBERS, widened(_sign))
floor = unary("floor", FLOATS, widened(np.floor))
ceil = unary("ceil", FLOATS, widened(np.ceil))
round_ = unary(
    "round", FLOATS, widened(_round), params=({"rounding_method": 0}, {"rounding_method": 1})
)
nextafter = binary("nextafter", FLOATS, _next)
for p in (abs_, sign, floor, ceil, round_, nextafter):
    p.exact("biuf")
nextafter.jvp_rule = None


# ---- clamp: a lower bound, an operand, an upper bound ------------------------------------------

clamp = Primitive("clamp")
clamp.exact("biuf")
clamp.sharding(rules.of_operand(1))


@clamp.type
def _(low, x, high):
    avals = (low, x, high)
    check_same_dtypes("clamp", avals)
    for name, bound in (("min", low), ("max", high)):
        if bound.shape and bound.shape != x.shape:
            raise TypeError(
                f"clamp requires {name}.shape == operand.shape or {name}.shape == (), got "
                f"{name}.shape={bound.shape}, operand.shape={x.shape}."
            )
    return ShapedArray(x.shape, x.dtype, all(a.weak_type for a in avals))


@clamp.evaluate
@widened
def _(low, x, high):
    return np.minimum(np.maximum(x, low), high)


@clamp.jvp
def _(primals, tangents):
    low, x, high = primals
    out = clamp(low, x, high)
    shape = aval_of(out).shape
    passed = (
        lambda: and_(gt(low, x), lt(low, high)),
        lambda: and_(gt(x, low), lt(x, high)),
        lambda: lt(high, x),
    )
    terms = []
    for t, where in zip(tangents, passed):
        if type(t) is not Zero:
            t = stretch(t, shape)
            terms.append(select_n(stretch(where(), shape), fill(t, 0), t))
    return out, reduce(add_any, terms) if terms else Zero(aval_of(out).to_tangent_aval())


@clamp.batch
def _(args, dims):
    low, x, high = args
    if dims[0] is None and dims[2] is None and not aval_of(low).shape and not aval_of(high).shape:
        return clamp(low, x, high), dims[1]
    if dims.count(dims[0]) == 3 and aval_of(low).shape == aval_of(x).shape == aval_of(high).shape:
        return clamp(low, x, high), dims[0]
    size = next(a.shape[d] for a, d in zip(args, dims) if d is not None)
    # JAX parity: the operand's axis is moved after those of the bounds.
    low, high, x = [materialise_batch(args[i], dims[i], size) for i in (0, 2, 1)]
    lined = [low, x, high]
    shape = lined[1].shape
    for i in (0, 2):
        if lined[i].ndim < len(shape):
            lined[i] = insert_axes(lined[i], tuple(range(1, len(shape))))
        lined[i] = stretch(lined[i], shape)
    return clamp(*lined), 0


clamp.examples(
    *[
        tuple(ShapedArray(shape, dtype) for shape in shapes)
        for shapes, dtype in (
            (((2, 3), (2, 3), (2, 3)), dtypes.float32),
            (((), (2, 3), ()), dtypes.float32),
            (((), (2, 3), (2, 3)), dtypes.float32),
            (((), (), ()), dtypes.float32),
            (((0,), (0,), ()), dtypes.float32),
            (((), (3,), (3,)), dtypes.int32),
        )
    ]
)


# ---- powers and roots ----------------------------------------------------------------------------


def _integer_power(x, *, y):
    """Compute a power by repeated squaring."""
    n, out = abs(y), None
    while n:
        if n & 1:
            out = x if out is None else np.multiply(out, x)
        n >>= 1
        if n:
            x = np.multiply(x, x)
    if out is None:
        return np.ones_like(x)
    return _divide(np.ones_like(out), out) if y < 0 else out


integer_pow = unary(
    "integer_pow", NUMBERS, widened(_integer_power), params=({"y": 2}, {"y": 3}, {"y": 0}, {"y": 1})
)
integer_pow.exact("biuf")
integer_pow.examples((ShapedArray((3,), dtypes.float32), {"y": -2}))
_integer_pow_type = integer_pow.type_rule


@integer_pow.type
def _(x, *, y):
    if y < 0 and accepts(INTS, x.dtype):
        raise TypeError(
            message(
                f"Integers cannot be raised to negative powers, got integer_pow({x}, {y})",
                why="The result would not be an integer.",
                fix=f"x.astype(float) ** {y}, or x ** {float(y)}",
            )
        )
    return _integer_pow_type(x, y=y)


def _slope(x, n):
    """n x^(n-1)"""
    return mul(typed_like(x, n), x if n == 2 else integer_pow(x, y=n - 1))


@integer_pow.jvp
def _(primals, tangents, *, y):
    (x,), (g,) = primals, tangents
    out = integer_pow(x, y=y)
    if y == 0 or type(g) is Zero:
        return out, Zero(aval_of(out).to_tangent_aval())
    return out, g if y == 1 else mul(g, _slope(x, y))


square = unary("square", NUMBERS, widened(np.square), lambda g, z, x: mul(g, mul(typed_like(x, 2), x)))
sqrt = function("sqrt", INEXACT, np.sqrt, lambda g, z, x: mul(g, div(typed_like(x, 0.5), z)))
square.exact("biuf")
sqrt.exact("biuf")
rsqrt = function(
    "rsqrt",
    INEXACT,
    lambda x: np.divide(x.dtype.type(1), np.sqrt(x)),
    lambda g, z, x: mul(g, mul(typed_like(x, -0.5), div(z, x))),
)
cbrt = function(
    "cbrt",
    FLOATS,
    np.cbrt,
    lambda g, z, x: mul(g, mul(typed_like(x, 1 / 3), integer_pow(z, y=-2))),
)


# ---- bits ----------------------------------------------------------------------------------------


def _count_leading_zeros(x):
    """Return the width less the bits at and below the highest one."""
    bits, width = unsigned(x), dtypes.itemsize_bits(x.dtype)
    if width < 8:
        bits = bits & np.uint8((1 << width) - 1)
    shift = 1
    while shift < width:
        bits = bits | (bits >> bits.dtype.type(shift))
        shift *= 2
    return (np.uint8(width) - np.bitwise_count(bits)).astype(x.dtype)


def _population_count(x):
    bits, width = unsigned(x), dtypes.itemsize_bits(x.dtype)
    if width < 8:
        bits = bits & np.uint8((1 << width) - 1)
    return np.bitwise_count(bits).astype(x.dtype)


def _high_product(x, y):
    """Return the upper half of the product of twice the width."""
    bits = 8 * x.dtype.itemsize
    if bits < 64:
        wide = np.int64 if x.dtype.kind == "i" else np.uint64
        return (np.multiply(x, y, dtype=wide) >> wide(bits)).astype(x.dtype)
    half = x.dtype.type(32)
    low = x.dtype.type(0xFFFFFFFF)
    x1, x0, y1, y0 = x >> half, x & low, y >> half, y & low
    first = _logical_shift(x0 * y0, half)
    middle = x1 * y0 + first
    other = x0 * y1 + (middle & low)
    return x1 * y1 + (middle >> half) + (other >> half)


def _logical_shift(x, n):
    return (unsigned(x) >> unsigned(n)).view(x.dtype)


population_count = unary("population_count", INTS, _population_count)
clz = unary("clz", INTS, _count_leading_zeros)
population_count.exact("biu")
clz.exact("biu")
mulhi = binary("mulhi", INTS, widened(_high_product))
