"""Hyperbolic functions, and inverse ones of both kinds, on vectors: in terms of those of vector_math.py.

Arcs are those of tangents, by Taylor's series up to pi/8; errors are at most 4 ulp. Signs of zeros, infinities and
NaN are those of C99.

Tests: `tests/engines/native/functions/test_vector_math.py`.
"""

from __future__ import annotations

from math import log, pi

import numpy as np

from ..text.builder import F32, F64, Builder, Value
from . import vector_math as vm

__all__ = ["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cosh", "sinh"]

# (atan(z) / z - 1) / z^2 in z^2, for |z| up to 1/2, fitted
_ATAN = {
    F32: [-0.33333334, 0.19999875, -0.14279793, 0.11006777, -0.08234976, 0.0422475],
    F64: [
        -0.3333333333333333, 0.19999999999999485, -0.1428571428559874, 0.11111111100881761, -0.09090908618865388,
        0.07692294677482635, -0.06666435144143137, 0.05879573107799684, -0.052400641544110685, 0.04627870086418654,
        -0.03806224794996687, 0.024999689507521364, -0.009211063504627925,
    ],
}
_LOW = 6.123233995736766e-17  # pi/2 is that of float64 and this
_SQUARE_FROM = {F32: 2.0**13, F64: 2.0**28}  # from where a square has no room for 1


def _sum(b: Builder, x: Value, turns: float, sign: float = 1, rest: Value | None = None) -> Value:
    """turns pi/2 + sign (x + rest), with what the constant has beyond the dtype."""
    high = float(np.asarray(turns * pi / 2, x.dtype))
    low = b.like(x, turns * pi / 2 - high + turns * _LOW)
    x = x if sign == 1 else -x
    return x + (low if rest is None else rest + low) + high


def _arc(b: Builder, low: Value, high: Value) -> Value:
    """atan(low / high) for 0 <= low <= high: that of z = (low - high) / (low + high), and pi/4, if low > high / 2."""
    large = low > high * 0.5
    z = b.select(large, low - high, low) / b.select(large, low + high, high)
    square = z * z
    rest = square * z * b.polynomial(square, _ATAN[z.dtype])
    return b.select(large, _sum(b, z, 0.5, 1, rest), z + rest)


def atan(b: Builder, x: Value) -> Value:
    size, one = abs(x), b.like(x, 1)
    large = size > one
    out = _arc(b, b.select(large, one, size), b.select(large, size, one))
    return b.copysign(b.select(large, _sum(b, out, 1, -1), out), x)


def atan2(b: Builder, y: Value, x: Value) -> Value:
    up, along, one = abs(y), abs(x), b.like(x, 1)
    low, high = b.minimum(up, along), b.maximum(up, along)
    equal = low.equals(high)  # and maybe infinite or zero
    low = b.select(equal, b.select(high.equals(0), high, one), low)
    high = b.select(equal, one, high)
    scale = b.select(high > np.finfo(x.dtype).max / 4, 0.25, one)
    out = _arc(b, low * scale, high * scale)
    out = b.select(up > along, _sum(b, out, 1, -1), out)
    left = b.copysign(one, x) < 0
    return b.copysign(b.select(left, _sum(b, out, 2, -1), out), y)


def _complement(b: Builder, x: Value) -> Value:
    """sqrt(1 - x^2)"""
    one = b.like(x, 1)
    return b.intrinsic("sqrt", (one - x) * (one + x))


def asin(b: Builder, x: Value) -> Value:
    return atan2(b, x, _complement(b, x))


def acos(b: Builder, x: Value) -> Value:
    return atan2(b, _complement(b, x), x)


def _log_of_twice(b: Builder, x: Value) -> Value:
    return vm.natural_log(b, x) + log(2)


def asinh(b: Builder, x: Value) -> Value:
    """log1p(x + x^2 / (1 + sqrt(1 + x^2)))"""
    size, one = abs(x), b.like(x, 1)
    far = size > _SQUARE_FROM[x.dtype]
    near = b.select(far, one, size)
    square = near * near
    rest = square / (one + b.intrinsic("sqrt", square + one))
    return b.copysign(b.select(far, _log_of_twice(b, size), vm.log1p(b, near + rest)), x)


def acosh(b: Builder, x: Value) -> Value:
    """log1p(u + sqrt(u (u + 2))), u = x - 1"""
    one = b.like(x, 1)
    far = x > _SQUARE_FROM[x.dtype]
    u = b.select(far, one, x) - one
    out = vm.log1p(b, u + b.intrinsic("sqrt", u * (u + 2)))
    out = b.select(far, _log_of_twice(b, x), out)
    return b.select(x < one, np.nan, out)


def atanh(b: Builder, x: Value) -> Value:
    """log1p(2x / (1 - x)) / 2"""
    size = abs(x)
    ratio = (size + size) / (1 - size)
    return b.copysign(vm.log1p(b, ratio) * 0.5, x)


def _halves(b: Builder, size: Value) -> tuple[Value, Value]:
    """e^x / 2 and e^-x / 2 of positive x."""
    half = vm.half_exp(b, size)
    return half, 0.25 / half


def sinh(b: Builder, x: Value) -> Value:
    """Below 1 by e^x - 1."""
    size, one = abs(x), b.like(x, 1)
    near = size < one
    e = vm.expm1(b, b.select(near, size, one))
    inside = (e + e / (e + one)) * 0.5
    up, down = _halves(b, size)
    return b.copysign(b.select(near, inside, up - down), x)


def cosh(b: Builder, x: Value) -> Value:
    return b.add(*_halves(b, abs(x)))
