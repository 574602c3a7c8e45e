"""Rules of functions that are asked for less often: the inverse error function, digamma, and those about bits.

`erf_inv` in float32 follows the same formulas in the same order as `prims/inverse_erf.py`, so that random numbers
are the same on both engines.
"""

from __future__ import annotations

from functools import partial
from math import pi

import numpy as np

from ....core import dtypes
from ....core.primitive import primitives
from ....prims import inverse_erf as tables
from ..graph.view_rules import FALLBACK_RULES
from ..text.builder import F32, F64, NARROW, Builder, Value
from . import vector_math as vm
from .elementwise import emits

_I16, _U16, _I32 = map(np.dtype, ("i2", "u2", "i4"))
_FORMATS = {np.dtype("f2"): (10, 5), dtypes.bfloat16: (7, 8), F32: (23, 8), F64: (52, 11)}  # bits of mantissa, exponent


def _signed(x: Value) -> np.dtype:
    return np.dtype(f"i{x.dtype.itemsize}")


def _horner(b: Builder, coefficients, x: Value) -> Value:
    """Return the highest power first."""
    return b.polynomial(x, coefficients[::-1])


# ---- the inverse error function ------------------------------------------------------------------


def _minus_log1p(b, t):
    """-log(1 - t) for small t"""
    y = -t
    square = y * y
    rest = square * y * (_horner(b, tables._LOG1P_P, y) / _horner(b, tables._LOG1P_Q, y))
    return -(rest - square * 0.5 + y)


def _minus_log(b, x):
    """-log(x) for 0 < x < 1"""
    bits = b.bitcast(x, _I32)
    n = (bits - int(tables._HALF_ROOT_BITS)) >> 23
    m = b.bitcast(bits - (n << 23), F32)
    n = b.convert(n, F32)
    m = m - 1
    square = m * m
    cube = square * m
    first, second, third = [_horner(b, row, m) for row in tables._LOG]
    out = b.fma(cube, b.fma(cube, first, second), third)
    out = b.fma(cube, out, n * tables._LOG2_SMALL)
    m = m - square * 0.5 + out
    return -(m + n * tables._LOG2_LARGE)


def _at_the_ends(b, x, inside):
    """Infinite at -1 and 1, NaN beyond."""
    size, one = abs(x), b.like(x, 1)
    edge = b.select(size.equals(one), x * np.inf, np.nan)
    return b.select(size < one, inside, edge)


_OUTER = 0.9932  # squares from here on have -log(1 - x^2) of 5 or more, or none, or nearly 5


def erf_inv(b: Builder, x: Value) -> Value:
    if x.dtype != F32:
        return _erf_inv64(b, x)
    t = x * x
    near = t < tables._NEAR
    w = b.select(near, _minus_log1p(b, t), _minus_log(b, 1 - t))
    outer = b.compare("uge", t, b.like(t, _OUTER))
    centre = lambda: _horner(b, tables._CENTRE, w - 2.5) * x

    def tails():
        far = b.compare("uge", w, b.like(w, 5))
        v = b.intrinsic("sqrt", w) - 3
        return _at_the_ends(b, x, b.select(far, _horner(b, tables._TAILS, v) * x, centre()))

    return b.where_rare(outer, centre, tails)


def _erf_inv64(b, x):
    w = -vm.log1p(b, -(x * x))
    (first, centre), (second, tail), (_, end) = tables._CENTRE64, tables._TAIL64, tables._FAR64
    far = b.compare("uge", w, b.like(w, first))
    usual = lambda: _horner(b, centre, w - 3.125) * x

    def tails():
        root = b.intrinsic("sqrt", w)
        low = _horner(b, tail, root - 3.25) * x
        high = _horner(b, end, root - 5.0) * x
        out = b.select(w < second, low, high)
        return _at_the_ends(b, x, b.select(far, out, usual()))

    return b.where_rare(far, usual, tails)


# ---- digamma -------------------------------------------------------------------------------------

_BERNOULLI = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12]  # B_2k / 2k
_SERIES_FROM = 10
# The positive zero in two parts, and Taylor's coefficients there, of d, d^2, ...: true to 1e-16 for |d| up to 0.2.
_ZERO = (1.4616321449683622, 9.549995429965697e-17)
_AT_ZERO = [
    0.9676722454476212, -0.4427631689835921, 0.258499760955651, -0.16394270544240652, 0.10782405069126237,
    -0.07219956125645471, 0.04880428816414311, -0.03316112647484736, 0.022597648232218104, -0.01542476590494896,
    0.010538791616612175, -0.007204534386356869, 0.004926781395729853, -0.003369801655439328, 0.002305126326734928,
    -0.0015769367714301972, 0.0010788252019162967, -0.0007380709389960052, 0.000504953265834602,
]


def digamma(b: Builder, x: Value) -> Value:
    """log x - 1/2x - sum of B_2k / (2k x^2k) for large x; others by psi(x) = psi(x + 1) - 1/x and reflection; Taylor's
    series around the positive zero.

    Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 6.3.5, 6.3.7 and 6.3.18; in float64.
    """
    dtype, x = x.dtype, b.convert(x, F64)
    zero, one = b.like(x, 0), b.like(x, 1)
    negative = x < zero
    y = b.select(negative, one - x, x)
    top, bottom = zero, one  # of the sum of 1/y for all y that were too small
    for _ in range(_SERIES_FROM):
        low = y < _SERIES_FROM
        top = b.select(low, b.fma(top, y, bottom), top)
        bottom = b.select(low, bottom * y, bottom)
        y = b.select(low, y + one, y)
    lost, part = top / bottom, one / y
    square = part * part
    series = square * b.polynomial(square, _BERNOULLI)
    out = vm.natural_log(b, y) - (part * 0.5 + series)
    out = out - lost
    out = b.select(y.equals(np.inf), y, out)

    def reflected():
        turn = (x - b.intrinsic("rint", x)) * pi
        cotangent = vm.cos(b, turn) / vm.sin(b, turn)
        return b.select(negative, out - cotangent * pi, out)

    def near_zero():
        away = (x - _ZERO[0]) - _ZERO[1]
        return b.select(cancels, away * b.polynomial(away, _AT_ZERO), out)

    out = b.where_rare(negative, lambda: out, reflected)
    cancels = abs(x - _ZERO[0]) < 0.2
    out = b.where_rare(cancels, lambda: out, near_zero)
    pole = (x <= zero) & x.equals(b.intrinsic("floor", x))
    return b.convert(b.select(pole, np.nan, out), dtype)


# ---- bits ----------------------------------------------------------------------------------------


def _words(b, held):
    """Return how numbers become their bits and back; `held` says it of narrow ones, which registers hold as wider.
    """
    if held is None:
        word = lambda x: b.bitcast(x, _signed(x))
        return word, lambda bits: b.bitcast(bits, np.dtype(f"f{bits.dtype.itemsize}"))
    recast = partial(primitives["bitcast_convert_type"].emit_rule, b)
    return (
        lambda x: b.value(recast(x, new_dtype=_U16, old_dtype=held).text, _I16),
        lambda bits: recast(b.value(bits.text, _U16), new_dtype=held, old_dtype=_U16),
    )


def _next_after(b, x, y, *, held=None):
    """Add one to the bits, or take one away: away from zero or towards it."""
    (word, number), zero = _words(b, held), b.like(x, 0)
    bits = word(x)
    outwards = (x < y) ^ (x < zero)
    moved = number(bits + b.select(outwards, b.like(bits, 1), -1))
    least = b.copysign(number(b.like(bits, 1)), y)
    out = b.select(x.equals(zero), least, moved)
    out = b.select(x.equals(y), y, out)
    return b.select(b.compare("uno", x, y), np.nan, out)


def _reduce_precision(b, x, *, exponent_bits, mantissa_bits, held=None):
    word, number = _words(b, held)
    mantissa, exponent = _FORMATS[x.dtype if held is None else held]
    drop, out = mantissa - mantissa_bits, x
    if drop > 0:
        bits = word(x)
        last = b.binary("lshr", bits, b.like(bits, drop)) & 1
        bits = bits + (last + ((1 << drop - 1) - 1))
        out = number(bits & (-(1 << drop)))
    if exponent_bits < exponent:
        bias, size = (1 << exponent_bits - 1) - 1, abs(out)
        out = b.select(size < (2.0 ** (1 - bias)), b.copysign(0, x), out)
        large = size >= (2.0 ** (bias + 1))
        out = b.select(large, b.copysign(np.inf, x), out)
    return b.select(b.is_nan(x), x, out)


def _of_narrow(name):
    """Return the rule of numbers of 16 bits, which tells the code what they are."""

    def rule(graph, operands, params, types):
        held = (*params.items(), ("held", operands[0].base.dtype))
        return [graph.elementwise(name, types[0].shape, types[0].dtype, operands, held)]

    return rule


def _high_product(b, x, y):
    """Return the upper half of a product of twice the width."""
    width, t, signed = 8 * x.dtype.itemsize, b.type(x.dtype), x.dtype.kind == "i"
    wide, extend = b.wide(f"i{2 * width}"), "sext" if signed else "zext"
    x2, y2 = [b.new(f"{extend} {t} {v.text} to {wide}") for v in (x, y)]
    product = b.new(f"mul {wide} {x2.text}, {y2.text}")
    by = f"splat (i{2 * width} {width})" if b.lanes > 1 else str(width)
    high = b.new(f"lshr {wide} {product.text}, {by}")
    return b.new(f"trunc {wide} {high.text} to {t}", x.dtype)


def _in_order(b, x):
    """Signed integers in the total order of floats."""
    if x.dtype.kind != "f":
        return x
    bits = b.bitcast(x, _signed(x))
    sign = bits >> (8 * x.dtype.itemsize - 1)
    return bits ^ (sign & np.iinfo(bits.dtype).max)


def _not_narrow(operands, params):
    return not set(operands) & NARROW


emits("erf_inv", "f", lambda b, x, accuracy=None: erf_inv(b, x), 40)
emits("digamma", "f", lambda b, x, accuracy=None: digamma(b, x), 100)
emits("nextafter", "f", _next_after, 8, _not_narrow)
emits("reduce_precision", "f", _reduce_precision, 6, _not_narrow)
for _name in ("nextafter", "reduce_precision"):
    FALLBACK_RULES[_name] = _of_narrow(_name)
emits("mulhi", "iu", _high_product, 4)
for _name in ("eq", "lt", "le"):
    emits(f"{_name}_to", "fiub", lambda b, x, y, op=_name: b.compare(op, _in_order(b, x), _in_order(b, y)), 4)
