"""Functions of analysis on vectors, in terms of the builder's operations.

Each reduces its operand to a short interval and sums a polynomial there: Taylor's, whose coefficients are
known, or one fitted to the function by weighted least squares where that is shorter (float32). All handle
infinities, NaN, signed zeros and denormals. Reductions follow Cody and Waite, "Software Manual for the
Elementary Functions" (1980); the form of log is Tang's, "Table-driven implementation of the logarithm
function" (1990), 3. Errors are at most 2 ulp for exp, log and tanh and 4 for the others; tests hold them to it.
"""

from __future__ import annotations

from math import factorial, log, pi, sqrt

import numpy as np

from ..runtime.machine import has_feature
from ..text.builder import F32, F64, Builder, Value

__all__ = [
    "cos", "erf", "exp", "exp2", "expm1", "half_exp", "log1p", "logistic", "natural_log", "power", "sin", "tan", "tanh",
]

_I32, _I64 = np.dtype("i4"), np.dtype("i8")
_LDEXP = has_feature("avx512f")  # one instruction there, a loop of library calls elsewhere

# log(2) and pi/2 in parts; products of the first ones with an exponent are exact.
_LN2 = {F32: (0.693145751953125, 1.428606820309417e-06), F64: (0.6931471803691238, 1.9082149292705877e-10)}
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)


def _integer(x: Value) -> np.dtype:
    return _I32 if x.dtype == F32 else _I64


def _single(x: Value) -> bool:
    return x.dtype == F32


def _in_halves(b: Builder, x: Value, coefficients) -> Value:
    """Return a polynomial whose even and odd terms are summed beside each other, which waits half as long."""
    square = x * x
    even, odd = [b.polynomial(square, coefficients[i::2]) for i in (0, 1)]
    return b.fma(odd, x, even)


def _nearest(b: Builder, x: Value) -> Value:
    return b.intrinsic("rint", x)


# ---- exponentials --------------------------------------------------------------------------------

# (e^f - 1 - f) / f^2, for |f| up to log(2) / 2, and up to 0.7, fitted
_EXP = {
    F32: [0.5, 0.166665181517601, 0.04166620597243309, 0.008368887938559055, 0.0013950485736131668],
    F64: [
        0.5, 0.16666666666666669, 0.041666666666623824, 0.008333333333330039, 0.0013888888917367081,
        0.00019841269863171557, 2.4801521057868204e-05, 2.7557268276905696e-06, 2.7620201591031547e-07,
        2.5100472505694996e-08,
    ],
}
_EXPM1 = {
    F32: [
        0.5, 0.16666670143604279, 0.0416666716337204, 0.008332749828696251, 0.0013888294342905283,
        0.0002007896691793576, 2.504100848454982e-05,
    ],
    F64: [
        0.5, 0.16666666666666663, 0.041666666666666664, 0.008333333333335267, 0.0013888888888890256,
        0.00019841269838114263, 2.480158729946175e-05, 2.755732143065144e-06, 2.755732066990245e-07,
        2.505135845881326e-08, 2.087627505351997e-09, 1.6181301214086003e-10, 1.1548125839760222e-11,
    ],
}
_MANTISSA_BITS = {F32: 23, F64: 52}
_EXPONENT_BIAS = {F32: 127, F64: 1023}


def _shift(dtype: np.dtype, factors: int) -> float:
    """Return a number of which a sum with another one is rounded to a whole number: the low bits of the sum are those
    of that number plus the exponents' bias of so many powers of two.
    """
    return 1.5 * 2.0 ** _MANTISSA_BITS[dtype] + factors * _EXPONENT_BIAS[dtype]


def _whole(b: Builder, x: Value, factor: float, factors: int) -> tuple[Value, Value]:
    """Return k, the whole number next to x times a factor, and an integer of which the exponents of a product 2^k of so
    many factors can be made.
    """
    shift = _shift(x.dtype, factors)
    total = b.fma(x, factor, shift)
    return total - shift, b.bitcast(total, _integer(x))


def _power_of_two(b: Builder, biased: Value, dtype: np.dtype) -> Value:
    """Return the power of two whose biased exponent is in the low bits of an integer."""
    return b.bitcast(biased << _MANTISSA_BITS[dtype], dtype)


def _scaled(b: Builder, y: Value, exponent: Value) -> Value:
    """y 2^k for the integer of k and two factors, rounded once at most where it is denormal."""
    if _LDEXP:
        integer = _integer(y)
        k = exponent - int(y.dtype.type(_shift(y.dtype, 2)).view(integer))
        t, i = b.type(y.dtype), b.wide("i32")
        if integer == _I64:
            k = b.cast("trunc", k, _I32)
        name = f"llvm.ldexp.{b.mangled(y.dtype)}.{b.mangled(_I32)}"
        b.module.declarations.add(f"declare {t} @{name}({t}, {i})")
        return b.new(f"call {t} @{name}({t} {y.text}, {i} {k.text})", y.dtype)
    half = exponent >> 1
    for part in (half, exponent - half):
        y = y * _power_of_two(b, part, y.dtype)
    return y


def _clamped(b: Builder, x: Value, low: float, high: float) -> Value:
    """Return x between bounds, and NaN as it is."""
    x = b.select(x > high, high, x)
    return b.select(x < low, low, x)


def _remainder(b: Builder, x: Value, k: Value) -> Value:
    """x - k log 2"""
    high, low = _LN2[x.dtype]
    return b.fma(k, -low, b.fma(k, -high, x))


def _small_expm1(b, f, series=_EXP):
    return b.fma(_in_halves(b, f, series[f.dtype]), f * f, f)


def _exp(b: Builder, x: Value) -> tuple[Value, Value]:
    """Return e^f and the integer of k, of two factors, with x = f + k log 2 and |f| <= log(2) / 2."""
    x = _clamped(b, x, *((-105.0, 90.0) if _single(x) else (-746.0, 711.0)))
    k, exponent = _whole(b, x, 1 / log(2), 2)
    return _small_expm1(b, _remainder(b, x, k)) + 1, exponent


def exp(b: Builder, x: Value) -> Value:
    return _scaled(b, *_exp(b, x))


def half_exp(b: Builder, x: Value) -> Value:
    """e^x / 2, which is finite a little further than e^x."""
    y, exponent = _exp(b, x)
    return _scaled(b, y, exponent - 1)


def exp2(b: Builder, x: Value) -> Value:
    x = _clamped(b, x, *((-152.0, 129.0) if _single(x) else (-1080.0, 1025.0)))
    k, exponent = _whole(b, x, 1.0, 2)
    return _scaled(b, _small_expm1(b, (x - k) * log(2)) + 1, exponent)


def expm1(b: Builder, x: Value) -> Value:
    """2 (2^(k-1) (e^f - 1) + (2^(k-1) - 1/2)) with k = 0 near 0."""
    size = abs(x)
    inside = _clamped(b, x, *((-30.0, 89.0) if _single(x) else (-50.0, 710.0)))
    k, exponent = _whole(b, inside, 1 / log(2), 1)
    near = size < 0.7
    k = b.select(near, 0, k)
    half = b.select(near, 0.5, _power_of_two(b, exponent - 1, x.dtype))
    p = _small_expm1(b, _remainder(b, inside, k), _EXPM1)
    out = b.fma(half, p, half - 0.5) * 2
    return b.select(size < (2.0**-26 if _single(x) else 2.0**-55), x, out)


# (tanh x - x) / x^3 in x^2 for |x| up to 0.3, fitted
_TANH = {
    F32: [-0.3333333432674408, 0.1333318054676056, -0.053883228451013565, 0.02034277841448784],
    F64: [
        -0.3333333333333333, 0.13333333333329314, -0.05396825395891275, 0.02186948770806625, -0.008863199411598712,
        0.003591269902144459, -0.0014444715796810839, 0.0005105220146963764,
    ],
}


def tanh(b: Builder, x: Value) -> Value:
    """t / (t + 2) with t = e^2|x| - 1, and a polynomial near 0."""
    limit = 10.0 if _single(x) else 20.0
    size = abs(x)
    size = b.select(size > limit, limit, size)
    k, exponent = _whole(b, size, 2 / log(2), 1)
    f = _remainder(b, size + size, k)
    two_k = _power_of_two(b, exponent, x.dtype)
    t = b.fma(two_k, _small_expm1(b, f), two_k - 1)
    far = t / (t + 2)
    z = size * size
    near = b.fma(b.polynomial(z, _TANH[x.dtype]) * z, size, size)
    return b.copysign(b.select(size < 0.3, near, far), x)


def logistic(b: Builder, x: Value) -> Value:
    """e / (1 + e) with e = e^-|x|, and 1 less that for positive x"""
    one, e = b.like(x, 1), exp(b, -abs(x))
    return b.select(x < 0, e, one) / (one + e)


# ---- logarithms ----------------------------------------------------------------------------------

# (log(1 + f) - f + f^2 / 2) / f^3 for 1 + f between sqrt(1/2) and sqrt(2), fitted
_LOG = [
    0.3333332475349178, -0.2499997613039641, 0.20001311038455444, -0.16669486992253213, 0.14236391517230462,
    -0.1238689440786854, 0.11748722801460953, -0.11743423364853103, 0.07140541173081685,
]
_ATANH = [2 / (2 * i + 1) for i in range(1, 12)]


def natural_log(b: Builder, x: Value) -> Value:
    mantissa, least, up = (23, 2.0**-126, 23) if _single(x) else (52, 2.0**-1022, 52)
    integer = _integer(x)
    tiny = x < least
    normal = b.select(tiny, x * (2.0**up), x)
    bits = b.bitcast(normal, integer)
    root = x.dtype.type(sqrt(0.5)).view(integer)
    e = (bits - root) >> mantissa
    m = b.bitcast(bits - (e << mantissa), x.dtype)
    e = b.convert(e, x.dtype)
    e = e - b.select(tiny, b.like(x, up), 0)
    f = m - 1
    high, low = _LN2[x.dtype]
    square = f * f
    if _single(x):
        rest = b.polynomial(f, _LOG) * f * square
        rest = b.fma(square, -0.5, b.fma(e, low, rest))
    else:  # log(1 + f) = 2 atanh(s) with s = f / (2 + f)
        s = f / (f + 2)
        z = s * s
        half = square * 0.5
        rest = s * (half + z * b.polynomial(z, _ATANH))
        rest = b.fma(e, low, rest) - half
    y = b.fma(e, high, f + rest)
    y = b.select(x.equals(np.inf), x, y)
    y = b.select(b.compare("ult", x, b.like(x, 0)), np.nan, y)
    return b.select(x.equals(0), -np.inf, y)


def log1p(b: Builder, x: Value) -> Value:
    """log(u) with u = 1 + x rounded, and what the rounding lost, divided by u."""
    one = b.like(x, 1)
    u = x + one
    y = natural_log(b, u) + (x - (u - one)) / u
    least = 2.0**-24 if _single(x) else 2.0**-53
    y = b.select(abs(x) < least, x, y)
    y = b.select(x.equals(np.inf), x, y)
    return b.select(x.equals(-1), -np.inf, y)


def power(b: Builder, x: Value, y: Value) -> Value:
    """x^y with the special values of C's pow; float32 by logarithms in float64."""
    if not _single(x):
        return b.each_lane("pow", x, y)
    a, e = b.cast("fpext", abs(x), F64), b.cast("fpext", y, F64)
    value = b.cast("fptrunc", exp(b, e * natural_log(b, a)), F32)
    zero, one = b.like(x, 0), b.like(x, 1)
    half = y * 0.5
    whole = _nearest(b, y).equals(y)
    odd = whole & _nearest(b, half).differs(half)
    value = b.select(abs(x).equals(one), one, value)
    value = b.select(odd, b.copysign(value, x), value)
    outside = (x < zero) & x.differs(-np.inf)
    outside = outside & _nearest(b, y).differs(y)
    value = b.select(outside, np.nan, value)
    value = b.select(b.is_nan(y), y, value)
    return b.select(y.equals(zero) | x.equals(one), one, value)


# ---- circular functions --------------------------------------------------------------------------

_SERIES_TERMS = {F32: 5, F64: 9}


def _sin_series(n):  # (sin r - r) / r^3 in r^2
    return [(-1) ** i / factorial(2 * i + 1) for i in range(1, n)]


def _cos_series(n):  # (cos r - 1 + r^2 / 2) / r^4 in r^2
    return [(-1) ** i / factorial(2 * i) for i in range(2, n + 1)]


def _quadrant(b: Builder, x: Value):
    """r and q with x = q pi/2 + r and |r| <= pi/4, nearly; q's low bits as an integer. In float64."""
    k = _nearest(b, x * (2 / pi))
    r = x
    for part in _HALF_PI:
        r = b.fma(k, -part, r)
    shifted = k + 1.5 * 2.0**52  # the low bits of the sum are those of k
    return r, b.bitcast(shifted, _I64)


def _sine_and_cosine(b, r):
    z = r * r
    sine = b.fma(b.polynomial(z, _sin_series(_SERIES_TERMS[r.dtype])) * z, r, r)
    near = b.fma(z, -0.5, 1)
    return sine, b.fma(b.polynomial(z, _cos_series(_SERIES_TERMS[r.dtype])) * z, z, near)


def _circular(b: Builder, x: Value, name: str, turn: int) -> Value:
    limit = 1e15 if _single(x) else 1e5

    def usual():
        r, q = _quadrant(b, b.cast("fpext", x, F64) if _single(x) else x)
        if _single(x):
            r, q = b.cast("fptrunc", r, F32), b.cast("trunc", q, _I32)
        q = q + turn if turn else q
        sine, cosine = _sine_and_cosine(b, r)
        odd = (q & 1).differs(0)
        out = b.bitcast(b.select(odd, cosine, sine), q.dtype)
        width = 8 * q.dtype.itemsize
        sign = (q & 2) << (width - 2)
        return b.bitcast(out ^ sign, x.dtype)

    far = abs(x) > limit
    return b.where_rare(far, usual, lambda: b.each_lane(name, x))


def sin(b: Builder, x: Value) -> Value:
    return b.select(x.equals(0), x, _circular(b, x, "sin", 0))


def cos(b: Builder, x: Value) -> Value:
    return _circular(b, x, "cos", 1)


def tan(b: Builder, x: Value) -> Value:
    """float32: the quotient of the series in float64."""
    if not _single(x):
        return b.each_lane("tan", x)

    def usual():
        r, q = _quadrant(b, b.cast("fpext", x, F64))
        sine, cosine = _sine_and_cosine(b, r)
        odd = (q & 1).differs(0)
        top = b.select(odd, -cosine, sine)
        return b.cast("fptrunc", top / b.select(odd, sine, cosine), F32)

    far = abs(x) > 1e15
    out = b.where_rare(far, usual, lambda: b.each_lane("tan", x))
    return b.select(x.equals(0), x, out)


# ---- the error function --------------------------------------------------------------------------

# (1 + 2 x) e^(x^2) erfc(x) of x >= 0 as a polynomial in (x - c) / (x + c), from its Chebyshev series: c, coefficients.
# Shepherd and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < oo" (1981).
_TAIL = {
    F32: (2.0, [
        1.2769783735275269, -0.0927637591958046, -0.1660310924053192, 0.16404946148395538,
        -0.05421195924282074, -0.008018963038921356, 0.008689159527420998, 0.0012174105504527688,
        -0.0013957069022580981, -0.0003579204494599253, 0.0001608035818208009, 6.336945807561278e-05,
    ]),
    F64: (3.0, [
        1.2530080582697296, -0.13562110612458117, -0.04756229435342038, 0.1296451587027594,
        -0.11927366341676002, 0.0683080273440099, -0.023770514891530075, 0.0025293918156939696,
        0.0018886900977441495, -0.0007798322696543306, -0.00010515831297813128, 0.0001250993424583729,
        4.94412434222366e-06, -2.0100542268525612e-05, -7.187883834404266e-07, 3.472370944977168e-06,
        3.3669790806407595e-07, -6.166011460398726e-07, -1.205414228648938e-07, 1.0183620603842736e-07,
        2.7843881265502222e-08, -1.3312919661038687e-08, -3.1813541434969274e-09, 9.862533510345587e-10,
    ]),
}
# Of float32: erf(x) / x - 1 in x^2 for |x| up to 1, and erf in |x| - c from there to where it rounds to 1, fitted.
_ERF_NEAR = [
    0.12837916612625122, -0.3761262595653534, 0.11283600330352783, -0.026854444295167923, 0.005189535208046436,
    -0.0008020838140510023, 7.889109110692516e-05,
]
_ERF_FAR = (2.46, [
    0.9994966983795166, 0.0026561934500932693, -0.006535762920975685, 0.00983299408107996, -0.009904829785227776,
    0.00679765734821558, -0.002963503822684288, 0.00046216457849368453, 0.00039112631930038333, -0.0003016748814843595,
    5.166861228644848e-05, 2.542051333875861e-05, -9.124966709350701e-06,
])
_ERF_IS_ONE = 3.92
_ERF = [2 / sqrt(pi) * (-1) ** i / (factorial(i) * (2 * i + 1)) for i in range(16)]
_ERF_BY_SERIES = 0.75  # up to which erf of float64 is its series
_ERFC_TERMS = {F32: 5, F64: 9}
_ERFC_BY_SERIES = 0.25  # up to which erfc is one minus fewer terms of it
_NO_TAIL = {F32: 11, F64: 28}  # from where erfc is 0


def scaled_tail(b: Builder, x: Value) -> Value:
    """e^(x^2) erfc(x) of x >= 0, of a finite number."""
    middle, coefficients = _TAIL[x.dtype]
    return _in_halves(b, (x - middle) / (x + middle), coefficients) / b.fma(x, 2, 1)


def _tail(b: Builder, size: Value) -> Value:
    """erfc of x >= 0: the square is e^-(its rounded value) times what that leaves out."""
    square = size * size
    power = exp(b, -square)
    power = b.fma(power, -b.fma(size, size, -square), power)
    return power * scaled_tail(b, size)


def erfc(b: Builder, x: Value) -> Value:
    """Take one minus the series around 0, and the tail further out."""
    size, limit = abs(x), b.like(x, _NO_TAIL[x.dtype])
    near = b.fma(-x, b.polynomial(x * x, _ERF[: _ERFC_TERMS[x.dtype]]), 1)
    tail = _tail(b, b.select(size > limit, limit, size))
    tail = b.select(x < 0, 2 - tail, tail)
    return b.select(size < _ERFC_BY_SERIES, near, tail)


def erf(b: Builder, x: Value) -> Value:
    """Take the series around 0, and one minus the tail further out; float32 by two polynomials."""
    size = abs(x)
    if _single(x):
        near = b.fma(x, b.polynomial(x * x, _ERF_NEAR), x)
        middle, coefficients = _ERF_FAR
        limit = b.like(x, _ERF_IS_ONE)
        far = b.copysign(_in_halves(b, b.select(size > limit, limit, size) - middle, coefficients), x)
        return b.select(size > 1, far, near)
    limit = b.like(x, _NO_TAIL[F64])
    near = x * b.polynomial(x * x, _ERF)
    far = b.copysign(1 - _tail(b, b.select(size > limit, limit, size)), x)
    return b.select(b.compare("ult", size, b.like(x, _ERF_BY_SERIES)), near, far)
