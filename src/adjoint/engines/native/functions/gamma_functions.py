"""Incomplete gamma and beta functions, zeta and its kin, and Bessel functions of imaginary argument.

All are computed in float64, whatever the dtype. Powers divided by gamma or beta functions would cancel where the
operands are large: they are written with e^-phi, phi(l) = l - 1 - log l >= 0, and the correction to Stirling's formula
(`_stirling`), of which neither is large. Numbers in brackets are those of the "NIST Digital Library of Mathematical
Functions".

Tests: `tests/engines/native/functions/test_special_functions.py`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from math import cos, exp, factorial, fsum, pi, sqrt

import numpy as np

from ....prims import random_gamma as random_gamma  # the primitive must be there before its rule
from ..text.builder import BOOL, F64, Builder, Value
from ..text.shared_functions import all_of, iterate, shared, where_any
from . import vector_math as vm
from .elementwise import emits
from .special_functions import digamma

_EPS = 2.0**-53
_MAX_TURNS = 2000  # of series and fractions that have not converged
_LEAST, _LEAST_ROUNDED = 3e-17, 1e-11  # coefficients of Chebyshev's polynomials that count, in float64 and in others
EULER, LOG_2_PI = 0.5772156649015329, 1.8378770664093453
_TERMS_ROUNDED = 24  # of the series of log Gamma at 2, in dtypes other than float64


def _between(b, low, x, high):
    return (x > low) & (x < high)


# ---- Stirling's formula --------------------------------------------------------------------------


@cache
def _bernoulli(n: int) -> list[Fraction]:
    """B_0, ..., B_n [24.5.3]"""
    out = [Fraction(1)]
    for m in range(1, n + 1):
        binomial = lambda k, m=m: Fraction(factorial(m + 1), factorial(k) * factorial(m + 1 - k))
        out.append(-sum([binomial(k) * out[k] for k in range(m)]) / (m + 1))
    return out


_STIRLING_FROM = 10


def _stirling_series(n: int) -> list[Fraction]:
    """Return coefficients of z^-1, z^-3, ... [5.11.1]"""
    return [_bernoulli(2 * n)[2 * k] / (2 * k * (2 * k - 1)) for k in range(1, n + 1)]


def _stirling(b: Builder, z: Value) -> Value:
    """log Gamma(z) - (z - 1/2) log z + z - log(2 pi) / 2 for z > 0, by z Gamma(z) = Gamma(z + 1) if z is small."""
    y, product, one = z, b.like(z, 1), b.like(z, 1)
    for _ in range(_STIRLING_FROM):
        low = y < _STIRLING_FROM
        product = b.select(low, product * y, product)
        y = b.select(low, y + one, y)
    part = 1 / y
    series = part * b.polynomial(part * part, [float(c) for c in _stirling_series(8)])
    half = b.like(z, 0.5)
    moved = lambda v: (v - half) * vm.natural_log(b, v)
    change = moved(y) - moved(z) - (y - z)
    small = change - vm.natural_log(b, product) + series
    return b.select(z < _STIRLING_FROM, small, series)


def _exponent(b: Builder, a: Value, x: Value) -> Value:
    """a phi(x / a) = x - a - a log(x / a)"""
    gap = x - a
    u = gap / a
    near = abs(u) < 0.5
    ratio = b.minimum(x / a, np.finfo(F64).max)
    log = b.select(near, vm.log1p(b, u), vm.natural_log(b, ratio))
    return gap - a * log


def _density(b: Builder, a: Value, x: Value) -> Value:
    """x^a e^-x / Gamma(a)"""
    correction = shared(b, "stirling", _stirling, a)
    power = vm.exp(b, -(_exponent(b, a, x) + correction))
    return b.intrinsic("sqrt", a * (1 / (2 * pi))) * power


# ---- incomplete gamma functions ------------------------------------------------------------------


def _series(b: Builder, going: Value, a: Value, x: Value) -> Value:
    """1 + x/(a+1) + x^2/((a+1)(a+2)) + ... [8.11.4]"""

    def step(_, k, term, total):
        term = term * (x / (a + k))
        total = total + term
        return (term, total), term > total * (_EPS / 4)

    one = b.like(x, 1)
    return iterate(b, going, (one, one), step, _MAX_TURNS)[1]


def _fraction(b: Builder, going: Value, a: Value, x: Value) -> Value:
    """1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))) [8.9.2], by Lentz's method."""
    one = b.like(x, 1)

    def step(_, k, bottom, c, d, total):
        numerator = k * (a - k)
        bottom = bottom + 2
        d = 1 / b.fma(numerator, d, bottom)
        c = bottom + numerator / c
        factor = c * d
        on = abs(factor - one) > 2 * _EPS
        return (bottom, c, d, total * factor), on

    start = x + one - a
    first = 1 / start
    return iterate(b, going, (start, b.like(x, 1e300), first, first), step, _MAX_TURNS)[3]


@cache
def _uniform_coefficients(rows: int = 7, columns: int = 17) -> list[list[float]]:
    """d(k, n) of [8.12.12]"""
    size = columns + 2 * rows + 2
    alpha = [Fraction(1), Fraction(1)]
    for m in range(2, size + 1):
        rest = sum([alpha[i] * (m - i + 1) * alpha[m - i + 1] for i in range(2, m)], Fraction(0))
        alpha.append((alpha[m - 1] - rest) / (m + 1))
    first = [Fraction(-1, 3)] + [(n + 2) * alpha[n + 2] for n in range(1, size - 1)]
    # Gamma's own expansion is e to the power of Stirling's series: g' = s' g.
    powers = [Fraction(0)] * (rows + 1)
    for k, c in enumerate(_stirling_series(rows // 2 + 1)):
        if 2 * k + 1 <= rows:
            powers[2 * k + 1] = c
    g = [Fraction(1)]
    for n in range(1, rows + 1):
        g.append(sum([j * powers[j] * g[n - j] for j in range(1, n + 1)]) / n)
    table = [first]
    for k in range(1, rows):
        before = table[-1]
        table.append([(-1) ** k * g[k] * first[n] + (n + 2) * before[n + 2] for n in range(len(before) - 2)])
    return [[float(c) for c in row[: columns - 2 * k]] for k, row in enumerate(table)]


def _uniform(b: Builder, a: Value, x: Value) -> tuple[Value, Value]:
    """erfc's argument and the rest of Q(a, x) for large a near x (Temme) [8.12.4, 8.12.8]."""
    exponent = _exponent(b, a, x)
    exponent = b.select(exponent < 0, 0, exponent)
    root = b.copysign(b.intrinsic("sqrt", exponent), x - a)  # eta sqrt(a / 2)
    eta = root * b.intrinsic("sqrt", 2 / a)
    part, total = 1 / a, b.like(x, 0)
    for row in reversed(_uniform_coefficients()):
        total = b.fma(total, part, b.polynomial(eta, row))
    size = b.intrinsic("sqrt", part * (1 / (2 * pi)))
    return root, vm.exp(b, -exponent) * size * total


@cache
def _log_gamma_series(whole: int = 1, n: int = 30) -> list[float]:
    """log Gamma(whole + a), whole 1 or 2, in powers of a from the second on [5.7.3]."""
    zeta = lambda k: fsum([j**-k for j in range(400, whole - 1, -1)] + [_tail(k, 400.5)])
    return [(-1) ** k * zeta(k) / k for k in range(2, n)]


def _tail(k: int, start: float) -> float:
    """Return the sum of j^-k from start + 1/2 on, nearly: an integral and its first two corrections."""
    last = 7 * k * (k + 1) * (k + 2) / 5760 * start ** (-k - 3)
    return start ** (1 - k) / (k - 1) - k * start ** (-k - 1) / 24 + last


_LOWEST, _HIGHEST = 1.25, 2.25  # between these is what others are moved to, for the series at 2
_CANCELLED, _CANCELLED_ROUNDED = 0.35, 1e-6  # sums of terms of 1 or more that have too few digits


def log_gamma(b: Builder, x: Value) -> Value:
    """log |Gamma(x)| by the series at 2, to which others are moved by Gamma(x + 1) = x Gamma(x), and Stirling's from
    10 on; by reflection [5.5.3] for x < 0, but near the zeros there by the C library.
    """
    dtype, x = x.dtype, b.convert(x, F64)
    y, one = abs(x), b.like(x, 1)
    low, below, large = y < _LOWEST - 1, y < _LOWEST, y >= _STIRLING_FROM
    moved, product = y, b.select(low, y * (y + one), b.select(below, y, one))
    for _ in range(_STIRLING_FROM - 2):
        above = moved > _HIGHEST
        moved = b.select(above, moved - one, moved)
        product = b.select(above, product * moved, product)
    t = b.select(low, y, b.select(below, y - one, moved - 2))  # none of these is rounded
    coefficients = _log_gamma_series(2, 42)[: None if dtype == F64 else _TERMS_ROUNDED]
    series = t * b.fma(t, b.polynomial(t, coefficients), 1 - EULER)
    log = vm.natural_log(b, b.select(large, y, product))
    part = one / y
    rest = b.fma(part, b.polynomial(part * part, [float(c) for c in _stirling_series(8)]), (LOG_2_PI - 1) / 2)
    stirling = b.fma(y - 0.5, log - one, rest)
    out = b.select(large, stirling, series + b.select(below, -log, log))
    out = b.select(y.equals(np.inf), y, out)

    def reflected():
        size = abs(shared(b, "sin", vm.sin, (x - b.intrinsic("rint", x)) * pi)) * (1 / pi)
        size = size * b.select(low, one / (y + one), b.select(below, one, y))  # one logarithm is enough for y < 1.25
        first = vm.natural_log(b, size)
        second = b.select(large, stirling, b.select(below, series, series + log))
        value = b.select(y.equals(np.inf), y, -(first + second))
        share = _CANCELLED if dtype == F64 else _CANCELLED_ROUNDED
        zero = negative & (abs(value) < (abs(first) + one) * share)
        value = where_any(b, zero, value, lambda: b.each_lane("lgamma", b.select(zero, x, one)))
        return b.select(negative, value, out)

    negative = x < b.like(x, 0)
    return b.convert(b.where_rare(negative, lambda: out, reflected), dtype)


def _log_gamma_of_more(b: Builder, a: Value) -> Value:
    """log Gamma(1 + a) for a > 0"""
    near = a * b.fma(a, b.polynomial(a, _log_gamma_series()), -EULER)
    return b.select(a < 0.25, near, shared(b, "lgamma", log_gamma, a + 1))


def _upper_of_small(b: Builder, going: Value, a: Value, x: Value) -> Value:
    """1 - x^a/Gamma(1+a) (1 - a x/(1! (a+1)) + a x^2/(2! (a+2)) - ...) without cancellation [8.7.1]."""

    def step(_, k, power, total):
        power = -(power * x / k)
        term = power / (a + k)
        total = total + term
        return (power, total), abs(term) > abs(total) * (_EPS / 4)

    total = iterate(b, going, (b.like(x, 1), b.like(x, 0)), step, _MAX_TURNS)[1]
    exponent = a * vm.natural_log(b, x) - _log_gamma_of_more(b, a)
    rest = vm.exp(b, exponent) * a * total
    return -(vm.expm1(b, exponent) + rest)


def _incomplete(b: Builder, a: Value, x: Value, upper: bool) -> Value:
    zero, one, nan = b.like(x, 0), b.like(x, 1), b.like(x, np.nan)
    inside = _between(b, 0, a, np.inf) & _between(b, 0, x, np.inf)
    gap = abs(x - a)
    uniform = all_of(b, inside, a > 200, gap < a * 0.3)
    rest = inside & ~uniform
    above = x > a
    if upper:
        edge = -0.4 / vm.natural_log(b, x)
        edge = b.select(x <= 0.5, edge, x * 1.1)
        direct = all_of(b, rest, x <= 1.1, a < edge)
        fraction = all_of(b, rest, above, x > 1.1)
    else:
        direct, fraction = b.const(False, BOOL), all_of(b, rest, above, x > one)
    series = rest & ~(fraction | direct)
    density = _density(b, a, x)
    turned = lambda v: one - v
    out = nan

    def near():
        root, rest = _uniform(b, a, x)
        part = shared(b, "erfc", vm.erfc, root if upper else -root)
        return b.fma(part, 0.5, rest if upper else -rest)

    def summed():
        value = density * _series(b, series, a, x) / a
        return turned(value) if upper else value

    def by_fraction():
        value = density * _fraction(b, fraction, a, x)
        return value if upper else turned(value)

    out = where_any(b, uniform, out, near)
    out = where_any(b, series, out, summed)
    out = where_any(b, fraction, out, by_fraction)
    if upper:
        out = where_any(b, direct, out, lambda: _upper_of_small(b, direct, a, x))
    low, high = (one, zero) if upper else (zero, one)
    finite = x < np.inf
    valid = (a >= zero) & (x >= zero)
    at = lambda flags, value, out: b.select(valid & flags, value, out)
    out = at(x.equals(zero), low, out)
    out = at(a.equals(zero), b.select(x > zero, high, nan), out)
    endless = a.equals(np.inf)
    out = at(~(finite | endless), high, out)
    return at(endless, b.select(finite, low, nan), out)


def _slope(b: Builder, a: Value, x: Value, log_x: Value, relative: bool) -> Value:
    """Return the derivative of P(a, x) by a, or with `relative` that of log x at the same P.

    That of the series for x < a + 1, else of the fraction, each term differentiated as it is added.
    """
    zero, one = b.like(x, 0), b.like(x, 1)
    valid = _between(b, 0, a, np.inf) & _between(b, -1, x, np.inf)
    valid = valid & b.compare("oge" if relative else "ogt", x, zero)
    near = valid & (x < a + one)
    far = valid & ~near

    def series_step(_, k, term, dlog, total, slope):
        part = 1 / (a + k)
        term, dlog = term * (x * part), dlog - part
        total, slope = total + term, b.fma(term, dlog, slope)
        return (term, dlog, total, slope), term > total * 1e-17

    def fraction_step(_, k, bottom, c, dc, d, dd, total, slope):
        numerator = k * (a - k)
        bottom = bottom + 2
        ratio = numerator / c
        dd = b.fma(k, d, numerator * dd) - one
        d = 1 / b.fma(numerator, d, bottom)
        dd = -(d * d * dd)
        dc = k / c - ratio / c * dc - one
        c = bottom + ratio
        factor, change = c * d, total * b.fma(dc, d, c * dd)
        slope = b.fma(slope, factor, change)
        # Where a is an integer the fraction ends, and its derivative does not.
        on = abs(factor - one) >= 1.2e-16
        on = on | (abs(change) > abs(slope) * 1e-16)
        return (bottom, c, dc, d, dd, total * factor, slope), on

    def finished(total, slope, start, sign):
        change = b.fma(log_x - digamma(b, start), total, slope)
        if relative:
            return -change / a if sign > 0 else change
        factor = vm.exp(b, a * log_x - x - shared(b, "lgamma", log_gamma, start))
        return factor * change * sign

    def by_series():
        _, _, total, slope = iterate(b, near, (one, zero, one, zero), series_step, _MAX_TURNS)
        return finished(total, slope, a + one, 1)

    def by_fraction():
        start = x + one - a
        first = 1 / start
        square, huge = first * first, b.like(x, 1e300)
        state = start, huge, zero, first, square, first, square
        *_, total, slope = iterate(b, far, state, fraction_step, _MAX_TURNS)
        return finished(total, slope, a, -1)

    out = where_any(b, near, b.like(x, np.nan), by_series)
    return where_any(b, far, out, by_fraction)


def _without_log(b: Builder, a: Value, x: Value, relative: bool) -> Value:
    out = _slope(b, a, x, vm.natural_log(b, x), relative)
    if relative:
        out = out * x
    at_zero = x.equals(0) & (a > 0)
    return b.select(at_zero, 0, out)


# ---- the incomplete beta function ----------------------------------------------------------------


def _beta_fraction(b: Builder, going: Value, a: Value, c: Value, x: Value) -> Value:
    """1/(1 + d1/(1 + d2/(1 + ...))) [8.17.22], two terms a turn, by Lentz's method."""
    one, tiny = b.like(x, 1), b.like(x, 1e-300)
    not_zero = lambda v: b.select(abs(v) < tiny, tiny, v)

    def add(numerator, c, d, total):
        d = 1 / not_zero(b.fma(numerator, d, one))
        c = not_zero(one + numerator / c)
        factor = c * d
        return c, d, total * factor, factor

    def step(_, k, top, bottom, total):
        twice = a + (k + k)
        even = k * (c - k) * x / ((twice - one) * twice)
        top, bottom, total, _ = add(even, top, bottom, total)
        odd = (a + k) * (a + c + k) * x
        odd = -(odd / (twice * (twice + one)))
        top, bottom, total, factor = add(odd, top, bottom, total)
        on = abs(factor - one) > 2 * _EPS
        return (top, bottom, total), on

    first = -((a + c) * x / (a + one))
    start = 1 / not_zero(one + first)
    return iterate(b, going, (one, start, start), step, 20 * _MAX_TURNS)[2]


def _betainc(b: Builder, a: Value, c: Value, x: Value) -> Value:
    zero, one = b.like(x, 0), b.like(x, 1)
    positive = _between(b, 0, a, np.inf) & _between(b, 0, c, np.inf)
    inside = positive & _between(b, 0, x, 1)
    n = a + c
    turned = x > (a + one) / (n + 2)
    y = one - x
    swap = lambda v, w: (b.select(turned, w, v), b.select(turned, v, w))
    (a1, c1), (x1, y1) = swap(a, c), swap(x, y)
    # x^a y^c / B(a, c), with n = a + c: both exponents are of x n / a and y n / c.
    stirling = lambda v: shared(b, "stirling", _stirling, v)
    power = _exponent(b, a1, x1 * n) + _exponent(b, c1, y1 * n)
    correction = stirling(n) - stirling(a1) - stirling(c1)
    size = b.intrinsic("sqrt", a1 * (c1 / n) * (1 / (2 * pi)))
    density = size * vm.exp(b, correction - power)
    value = density * _beta_fraction(b, inside, a1, c1, x1) / a1
    out = b.select(turned, one - value, value)
    # Where all is at one end: a = 0 or c infinite, and the other way round.
    is_ = lambda v, value: v.equals(value)
    low, high = is_(a, 0) | is_(c, np.inf), is_(c, 0) | is_(a, np.inf)
    out = b.select(low, one, b.select(high, zero, out))
    out = b.select(is_(x, 0), zero, b.select(is_(x, 1), one, out))
    valid = all_of(b, *[v >= zero for v in (a, c, x)], x <= one)
    return b.select(valid & ~(low & high), out, np.nan)


# ---- zeta ----------------------------------------------------------------------------------------


def _zeta_right(b: Builder, s: Value, q: Value) -> Value:
    """Return the sum of (q + k)^-s for q > 0: ten terms, and the rest by Euler and Maclaurin [25.11.5]."""
    minus, one = -s, b.like(s, 1)

    def step(_, k, at, total):
        total = total + shared(b, "power", vm.power, at, minus)
        return (at + one, total), k < _STIRLING_FROM

    at, total = iterate(b, b.const(True, BOOL), (q, b.like(s, 0)), step, _STIRLING_FROM)
    power = shared(b, "power", vm.power, at, minus)
    far = power < 1e-290  # where at^-s may be 0, and at^(1-s) is not
    tail = where_any(b, far, power * at, lambda: shared(b, "power", vm.power, at, minus + one))
    total = total + tail / (s - one)
    total = b.fma(power, 0.5, total)
    # B_2k / (2k)! s (s+1) ... (s+2k-2) at^(-s-2k+1)
    inverse = 1 / at
    square, factor = inverse * inverse, power * inverse * s
    for k in range(1, 13):
        total = b.fma(factor, float(_bernoulli(24)[2 * k] / factorial(2 * k)), total)
        rising = (s + (2 * k - 1)) * (s + 2 * k)
        factor = factor * square * rising
    return b.select(q.equals(np.inf), 0, total)


def _zeta(b: Builder, s: Value, q: Value) -> Value:
    """Hurwitz's; for q < 0 and whole s, what is below 0 is the difference of two of 1 - q and the like."""
    zero, one, nan, inf = [b.like(s, v) for v in (0, 1, np.nan, np.inf)]
    right = lambda q: shared(b, "zeta_right", _zeta_right, s, q)
    negative = q < zero
    part = q - b.intrinsic("floor", q)
    out = right(b.select(negative, part, q))
    half = s * 0.5
    even = half.equals(b.intrinsic("floor", half))

    def left():
        below, beyond = right(b.intrinsic("ceil", q) - q), right(one - q)
        total = b.select(even, out + below - beyond, out - below + beyond)
        return b.select(s.equals(b.intrinsic("floor", s)), total, nan)

    out = where_any(b, negative, out, left)
    endless, first = s.equals(inf), s.equals(one)
    limit = b.select(q.equals(one), one, b.select(q.equals(inf), zero, nan))
    limit = b.select(q < one, inf, limit)
    out = b.select(endless, limit, out)
    out = b.select((s < one) | b.is_nan(q), nan, out)
    out = b.select(first, inf, out)
    pole = (q <= zero) & q.equals(b.intrinsic("floor", q))
    both_sides = (even & (abs(s) < inf)) | first
    out = b.select(pole, b.select(both_sides, inf, nan), out)
    return b.select(b.is_nan(s), nan, out)


def _polygamma(b: Builder, m: Value, x: Value) -> Value:
    """Return (-1)^(m+1) m! zeta(m+1, x) for whole m >= 0, NaN for others."""
    one, half = b.like(m, 1), m * 0.5
    whole = (m >= 0) & m.equals(b.intrinsic("floor", m))
    many = m > 170

    def step(_, k, product):
        return (product * k,), k < m

    going = all_of(b, whole, m >= one, ~many)
    (product,) = iterate(b, going, (one,), step, 170)
    product = b.select(many, np.inf, product)
    odd = half.differs(b.intrinsic("floor", half)) | m.equals(np.inf)
    out = product * shared(b, "zeta", _zeta, m + one, x)
    out = b.select(odd, out, -out)
    out = where_any(b, m.equals(0), out, lambda: digamma(b, x))
    return b.select(whole, out, np.nan)


# ---- Bessel functions ----------------------------------------------------------------------------


def _scaled_bessel(order: int, x: float) -> float:
    """e^-x I(x) / x^order, by the power series, or from 25 on the asymptotic one [10.25.2, 10.40.1]."""
    if x < 25:
        terms = [0.5**order]
        while terms[-1] > 1e-18 * terms[0] or len(terms) < 2 * x:
            k = len(terms)
            terms.append(terms[-1] * x * x / (4 * k * (k + order)))
        return exp(-x) * fsum(terms)
    terms = [1.0]
    while abs(terms[-1]) > 1e-18:
        k = len(terms)
        terms.append(-terms[-1] * (4 * order - (2 * k - 1) ** 2) / (8 * k * x))
    return fsum(terms) / sqrt(2 * pi * x) / x**order


@cache
def _chebyshev(order: int, far: bool, least: float, n: int = 40) -> list[float]:
    """Chebyshev coefficients of a scaled function on [0, 8] in x / 4 - 1, and beyond in 16 / x - 1, down to `least`."""

    def value(t: float) -> float:
        x = 16 / (t + 1) if far else 4 * (t + 1)
        return _scaled_bessel(order, x) * (x ** (order + 0.5) if far else 1)

    node = lambda j, k: cos(pi * (k * (2 * j + 1) % (4 * n)) / (2 * n))  # of T_k; the angle is a small one
    values = [value(node(j, 1)) for j in range(n)]
    out = [2 / n * fsum([v * node(j, k) for j, v in enumerate(values)]) for k in range(n)]
    while abs(out[-1]) < least:
        out.pop()
    return [out[0] / 2, *out[1:]]


def clenshaw(b: Builder, t: Value, coefficients) -> Value:
    twice, first, second = t + t, b.like(t, 0), b.like(t, 0)
    for c in coefficients[:0:-1]:
        first, second = b.fma(twice, first, c) - second, first
    return b.fma(t, first, coefficients[0]) - second


def _bessel_series(b: Builder, t: Value, order: int, far: bool, least: float) -> Value:
    """Return the sum of the series; by powers, of which an operation waits half as long, where they are exact enough.
    """
    coefficients = _chebyshev(order, far, least)
    if least < _LEAST_ROUNDED:
        return clenshaw(b, t, coefficients)
    return b.polynomial(t, [float(c) for c in np.polynomial.chebyshev.cheb2poly(coefficients)])


def _bessel(b: Builder, x: Value, order: int, least: float) -> Value:
    size = abs(x)
    near = size <= 8
    inside = b.select(near, size, 8)
    centre = _bessel_series(b, inside * 0.25 - 1, order, False, least)
    centre = centre * x if order else centre

    def far():
        outside = b.select(near, 8, size)
        tail = _bessel_series(b, 16 / outside - 1, order, True, least)
        tail = tail / b.intrinsic("sqrt", outside)
        return b.copysign(tail, x) if order else tail

    return where_any(b, ~near, centre, far)


# ---- rules ---------------------------------------------------------------------------------------


def emits_shared(primitive: str, body, cost: int) -> None:
    """A rule that calls a shared function in float64."""

    def rule(b, *xs, accuracy=None):
        out = shared(b, primitive, body, *[b.convert(x, F64) for x in xs])
        return b.convert(out, xs[0].dtype)

    emits(primitive, "f", rule, cost)


def _scaled_bessel_rule(b: Builder, x: Value, *, order: int, accuracy=None) -> Value:
    """Return the scaled function, computed in float64; of fewer terms where the result is rounded further."""
    is_rounded = x.dtype != F64
    body = lambda b, x: _bessel(b, x, order, _LEAST_ROUNDED if is_rounded else _LEAST)
    return b.convert(shared(b, f"bessel_i{order}e{int(is_rounded)}", body, b.convert(x, F64)), x.dtype)


def _random_gamma_grad(b, a, x, *, log_space=False):
    if log_space:
        body = lambda b, a, x: _slope(b, a, vm.exp(b, x), x, relative=True)
    else:
        body = lambda b, a, x: _without_log(b, a, x, relative=True)
    out = shared(b, f"random_gamma_grad{int(log_space)}", body, b.convert(a, F64), b.convert(x, F64))
    return b.convert(out, a.dtype)


emits_shared("igamma", lambda b, a, x: _incomplete(b, a, x, upper=False), 1000)
emits_shared("igammac", lambda b, a, x: _incomplete(b, a, x, upper=True), 1000)
emits_shared("igamma_grad_a", lambda b, a, x: _without_log(b, a, x, relative=False), 2000)
emits_shared("regularized_incomplete_beta", _betainc, 1000)
emits_shared("zeta", _zeta, 1000)
emits_shared("polygamma", _polygamma, 1000)
for _order in (0, 1):
    emits(f"bessel_i{_order}e", "f", partial(_scaled_bessel_rule, order=_order), 80)
emits("lgamma", "f", lambda b, x, accuracy=None: shared(b, "lgamma", log_gamma, x), 60)
emits("random_gamma_grad", "f", _random_gamma_grad, 2000)
