"""Integrals of sines and cosines: sine and cosine integrals, Fresnel's, Bessel functions of integer order.

In float64. Numbers in brackets are those of the "NIST Digital Library of Mathematical Functions". Near 0 they are
power series, further out continued fractions of complex numbers, in Chebyshev polynomials, and Bessel functions a
recurrence.

Tests: `tests/engines/native/functions/test_special_functions.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import factorial, pi, sqrt

import numpy as np

from ....prims import integrals as integrals  # the primitives must be there before their rules
from ..text.builder import BOOL, F64, Builder, Value
from ..text.shared_functions import iterate, shared, where_any
from . import vector_math as vm
from .elementwise import emits
from .gamma_functions import EULER, clenshaw, emits_shared

_EPS = 2.0**-53
_SERIES_UP_TO, _FRESNEL_SERIES_UP_TO = 4.0, 1.6  # up to where power series lose nothing
_PHASE_UP_TO = 1e8  # from where the phase of Fresnel's integrals is lost
_SERIES_TERMS = 20


def _lentz(x: float, step: int, numerator: Callable) -> complex:
    """1/(z + numerator(1)/(z + step + numerator(2)/(z + 2 step + ...))) of z = 1 + i x."""
    bottom, c = complex(1, x), complex(1e300)
    d = out = 1 / bottom
    for k in range(1, 1000):
        bottom += step
        d, c = 1 / (numerator(k) * d + bottom), bottom + numerator(k) / c
        out *= c * d
        if abs(c * d - 1) < _EPS:
            break
    return out


# The least x, and the fraction: of E_1(i x) e^(i x) [6.9.1], and of the complementary error function [7.9.1].
_FRACTIONS = {
    "exponential": (_SERIES_UP_TO, lambda x: _lentz(x, 2, lambda k: -k * k)),
    "error": (pi * _FRESNEL_SERIES_UP_TO**2, lambda x: _lentz(x, 4, lambda k: -(2 * k - 1) * 2 * k)),
}


@cache
def _chebyshev(name: str, n: int = 32) -> tuple[list[float], list[float]]:
    """Chebyshev coefficients of x^2 times the real part of a fraction, and x times the imaginary part, in least/x."""
    least, function = _FRACTIONS[name]
    angles = np.pi * (np.arange(n) + 0.5) / n
    x = 2 * least / (1 + np.cos(angles))
    values = np.array([function(float(v)) for v in x])
    waves = np.cos(np.arange(n)[:, None] * angles) * np.where(np.arange(n) > 0, 2 / n, 1 / n)[:, None]
    re, im = [(waves * v).sum(1).tolist() for v in (values.real * x * x, values.imag * x)]
    return re, im


def _fraction(b: Builder, x: Value, name: str) -> tuple[Value, Value]:
    """Return the parts of a fraction of positive x."""
    inverse = 1 / x
    t = b.fma(inverse, 2 * _FRACTIONS[name][0], -1)
    re, im = [clenshaw(b, t, c) for c in _chebyshev(name)]
    return re * inverse * inverse, im * inverse


def _times(b: Builder, x, y):
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


# ---- sine and cosine integrals -------------------------------------------------------------------


def _sine_or_cosine(b: Builder, x: Value, is_sine: bool) -> Value:
    """[6.6.5, 6.6.6]; beyond, E_1 of i |x| [6.5.5, 6.5.6, 6.9.1]"""
    y = abs(x)
    square = y * y
    if is_sine:
        terms = [(-1) ** k / ((2 * k + 1) * factorial(2 * k + 1)) for k in range(_SERIES_TERMS)]
        near = y * b.polynomial(square, terms)
    else:
        terms = [EULER, *[(-1) ** k / (2 * k * factorial(2 * k)) for k in range(1, _SERIES_TERMS)]]
        near = b.polynomial(square, terms) + vm.natural_log(b, y)
    further = y > _SERIES_UP_TO

    def beyond():
        re, im = _fraction(b, y, "exponential")
        c, s = vm.cos(b, y), vm.sin(b, y)
        if is_sine:
            out, end = c * im - s * re + pi / 2, pi / 2
        else:
            out, end = -(c * re + s * im), 0
        return b.select(y.equals(np.inf), end, out)

    out = where_any(b, further, near, beyond)
    return b.copysign(out, x) if is_sine else out


# ---- Fresnel's integrals -------------------------------------------------------------------------


def _fresnel(b: Builder, x: Value, is_sine: bool) -> Value:
    """[7.6.4, 7.6.6]; beyond, by the complementary error function of (1 - i) x sqrt(pi) / 2 [7.5.8, 7.9.1]"""
    y = abs(x)
    t = y * y * (pi / 2)
    odd = int(is_sine)
    terms = [(-1) ** k / (factorial(2 * k + odd) * (4 * k + 1 + 2 * odd)) for k in range(_SERIES_TERMS)]
    near = y * b.polynomial(t * t, terms)
    near = near * t if is_sine else near
    further = y > _FRESNEL_SERIES_UP_TO

    def beyond():
        far = y > _PHASE_UP_TO
        re, im = _fraction(b, t + t, "error")
        h = _times(b, (re, -im), (y, -y))
        # t as the phase of its sine loses what the square of a large x has below its last bit.
        low = b.fma(y, y, -(y * y)) * (pi / 2)
        c, s = vm.cos(b, t), vm.sin(b, t)
        c, s = c - low * s, s + low * c
        re, im = _times(b, (c, s), h)
        half = b.like(x, 0.5)
        wave = re + im if is_sine else re - im
        out = (1 - wave) * half
        return b.select(far & b.compare("ord", y, y), half, out)

    return b.copysign(where_any(b, further, near, beyond), x)


# ---- Bessel functions ----------------------------------------------------------------------------


def _hankel(b: Builder, z: Value, order: int, c: Value, s: Value) -> Value:
    """J of order 0 or 1 for large z with its cosine and sine [10.17.3]."""
    part = 1 / (z * 8)
    term = p = b.like(z, 1)
    q = b.like(z, 0)
    for k in range(1, 30):
        term = term * (part * ((4 * order - (2 * k - 1) ** 2) / k))
        term = b.select(abs(term) < 1e-18, 0, term)
        sign = -term if k % 4 in (2, 3) else term
        p, q = (p, q + sign) if k % 2 else (p + sign, q)
    # cos and sin of z - (order / 2 + 1/4) pi, by those of z
    plus, minus = c + s, s - c
    cosine, sine = (minus, -plus) if order else (plus, minus)
    size = 1 / sqrt(pi) / b.intrinsic("sqrt", z)
    return size * (p * cosine - q * sine)


def _bessel_j(b: Builder, x: Value, order: int) -> Value:
    """Up to 1 the series [10.2.2], up to the order Miller's backward recurrence [3.6, 10.12.4]; beyond, where the
    recurrence is stable forwards [10.6.1], that from orders 0 and 1.
    """
    y, edge = abs(x), max(25, order)
    further, last = [y > v for v in (1, edge)]

    def by_series():
        square, half = y * y * -0.25, y * 0.5
        factors = [1.0]  # k! / (order + k)!, but for that of k = 0
        for k in range(1, 12):
            factors.append(factors[-1] / (k * (order + k)))
        turn = lambda _, k, power: ((power * (half / k),), b.const(True, BOOL))
        (power,) = iterate(b, ~further, (b.like(x, 1),), turn, order)
        return power * b.polynomial(square, factors)

    def backwards():
        steps = edge + 30 + int(12 * edge ** (1 / 3))
        steps += steps % 2
        z = b.select(~further, 1, b.select(last, edge, y))
        twice = 2 / z

        def turn(_, k, before, now, total, kept):
            n = steps + 1 - k  # from J_n and J_(n+1) to J_(n-1)
            now, before = twice * n * now - before, now
            index = n - 1
            even = (b.intrinsic("floor", index * 0.5) * 2).equals(index)
            total = total + b.select(even, now, 0)
            kept = b.select(index.equals(order), now, kept)
            huge = abs(now) > 1e150
            small = lambda v: b.select(huge, v * 1e-150, v)
            return (*map(small, (before, now, total, kept)),), n >= 1

        start = b.like(x, 0), b.like(x, 1e-150), b.like(x, 0), b.like(x, 0)
        _, first, total, kept = iterate(b, further, start, turn, steps)
        return kept / (total + total - first)

    def forwards():
        z = b.select(last, y, edge)
        c, s = vm.cos(b, z), vm.sin(b, z)
        if order < 2:
            return _hankel(b, z, order, c, s)
        twice = 2 / z
        turn = lambda _, k, before, now: ((now, twice * k * now - before), b.const(True, BOOL))
        return iterate(b, last, [_hankel(b, z, n, c, s) for n in (0, 1)], turn, order - 1)[1]

    near = b.select(b.is_nan(x), x, 0)
    out = where_any(b, ~further, near, by_series)
    out = where_any(b, last, where_any(b, further ^ last, out, backwards), forwards)
    return b.select(x < 0, -out, out) if order % 2 else out


def _bessel(b: Builder, x: Value, *, order: int, accuracy=None) -> Value:
    """J of -n is (-1)^n J of n [10.4.1]."""
    n = abs(order)
    out = b.convert(shared(b, f"bessel_j{n}", lambda b, x: _bessel_j(b, x, n), b.convert(x, F64)), x.dtype)
    return -out if order < 0 and n % 2 else out


for _name, _function in (("sine_integral", _sine_or_cosine), ("fresnel_s", _fresnel)):
    emits_shared(_name, lambda b, x, f=_function: f(b, x, True), 500)
for _name, _function in (("cosine_integral", _sine_or_cosine), ("fresnel_c", _fresnel)):
    emits_shared(_name, lambda b, x, f=_function: f(b, x, False), 500)
emits("bessel_j", "f", _bessel, 1000)
