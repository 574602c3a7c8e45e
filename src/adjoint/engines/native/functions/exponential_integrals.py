"""Integrals of elementary functions that have short series and fractions: exponential integrals, Dawson's, Spence's.

In float64. Numbers in brackets are those of the "NIST Digital Library of Mathematical Functions".

Tests: `tests/engines/native/functions/test_special_functions.py`.
"""

from __future__ import annotations

from math import pi

import numpy as np

from ....core.primitive import primitives
from ....prims import hypergeometric as hypergeometric  # the primitives must be there before their rules
from ....prims import integrals as integrals
from ..text.builder import Builder, Value
from ..text.shared_functions import all_of, iterate, shared, where_any
from . import vector_math as vm
from .gamma_functions import EULER, emits_shared, log_gamma

_EPS = 2.0**-53
_ASYMPTOTIC_FROM, _ASYMPTOTIC_DAWSON_FROM = 40.0, 7.0  # from where asymptotic series are exact


def _power_series(b: Builder, going: Value, x: Value) -> Value:
    """x + x^2/(2 2!) + x^3/(3 3!) + ... [6.6.2]"""

    def step(_, k, power, total):
        power = power * (x / k)
        term = power / k
        total = total + term
        return (power, total), abs(term) > abs(total) * (_EPS / 4)

    return iterate(b, going, (b.like(x, 1), b.like(x, 0)), step, 500)[1]


def _exp1(b: Builder, x: Value) -> Value:
    zero, one = b.like(x, 0), b.like(x, 1)
    near = (x > zero) & (x <= one)
    far = (x > one) & (x < np.inf)

    def by_series():
        total = _power_series(b, near, -x)
        return -(vm.natural_log(b, x) + EULER + total)

    out = b.select(x.equals(zero), b.like(x, np.inf), np.nan)
    out = b.select(x.equals(np.inf), zero, out)
    return where_any(b, far, where_any(b, near, out, by_series), lambda: _fraction(b, far, one, x))


def _fraction(b: Builder, far: Value, order: Value, x: Value) -> Value:
    """e^-x/(x+n - n/(x+n+2 - 2 (n+1)/(x+n+4 - ...))) [8.19.17, contracted], by Lentz's method."""
    one = b.like(x, 1)
    less = order - one

    def step(_, k, bottom, c, d, total):
        numerator, bottom = -(k * (less + k)), bottom + 2
        d = one / b.fma(numerator, d, bottom)
        c = bottom + numerator / c
        factor = c * d
        on = abs(factor - one) > 2 * _EPS
        return (bottom, c, d, total * factor), on

    start = x + order
    first = one / start
    total = iterate(b, far, (start, b.like(x, 1e300), first, first), step, 500)[3]
    return vm.exp(b, -x) * total


def _expn(b: Builder, n: Value, x: Value) -> Value:
    zero, one = b.like(x, 0), b.like(x, 1)
    is_whole = b.intrinsic("floor", n).equals(n)
    finite = [v < np.inf for v in (n, x)]
    proper = all_of(b, is_whole | (x > one), n >= zero, x >= zero, *finite)
    order = b.select(proper, n, one)
    near = all_of(b, proper, x > zero, x <= one, n > zero)
    far = proper & (x > one)
    less = order - one

    def by_series():
        """Return (-x)^(n-1)/(n-1)! (digamma(n) - log x) - sum of (-x)^k/(k! (k-n+1)) but for k = n - 1 [8.19.8]"""

        def step(_, k, term, total):
            place = k - one - less
            other = b.compare("one", place, zero)
            total = total - b.select(other, term / b.select(other, place, one), zero)
            term = term * -(x / k)
            return (term, total), abs(term) > _EPS * 2.0**-10

        total = iterate(b, near, (one, zero), step, 100)[1]
        log = vm.natural_log(b, x)
        size = vm.exp(b, less * log - shared(b, "lgamma", log_gamma, order))
        half = less * 0.5
        odd = b.compare("one", b.intrinsic("floor", half), half)
        power = b.select(odd, -size, size) * (primitives["digamma"].emit_rule(b, order) - log)
        return total + b.select(order > 200, zero, power)

    at_zero = b.select(order > one, one / less, np.inf)
    out = b.select(order.equals(zero), vm.exp(b, -x) / x, zero)
    out = b.select(x.equals(zero), at_zero, out)
    out = where_any(b, far, where_any(b, near, out, by_series), lambda: _fraction(b, far, order, x))
    return b.select(proper, out, np.nan)


def _expi(b: Builder, x: Value) -> Value:
    zero = b.like(x, 0)
    near = (x > zero) & (x < _ASYMPTOTIC_FROM)
    far = (x >= _ASYMPTOTIC_FROM) & (x < np.inf)

    def by_series():
        return vm.natural_log(b, x) + EULER + _power_series(b, near, x)

    def asymptotic():
        """e^x/x (1 + 1!/x + 2!/x^2 + ...) [6.12.2]"""

        def step(_, k, term, total):
            term = term * (k / x)
            return (term, total + term), term > _EPS / 4

        one = b.like(x, 1)
        total = iterate(b, far, (one, one), step, _ASYMPTOTIC_FROM)[1]
        half = vm.exp(b, x * 0.5)
        return half * (half * (total / x))

    out = b.select(x.equals(zero), b.like(x, -np.inf), np.nan)
    out = b.select(x.equals(np.inf), x, out)
    out = where_any(b, far, where_any(b, near, out, by_series), asymptotic)
    left = x < zero
    return where_any(b, left, out, lambda: -shared(b, "exp1", _exp1, -x))


def _dawson(b: Builder, x: Value) -> Value:
    square, one = x * x, b.like(x, 1)
    near = abs(x) < _ASYMPTOTIC_DAWSON_FROM

    def by_series():
        """e^(-x^2) (x + x^3/(1! 3) + x^5/(2! 5) + ...) [7.6.1]"""

        def step(_, k, power, total):
            power = power * (square / k)
            term = power / (k + k + one)
            total = total + term
            return (power, total), term > total * (_EPS / 4)

        total = iterate(b, near, (one, one), step, 500)[1]
        return x * total * vm.exp(b, -square)

    def asymptotic():
        """1/(2x) (1 + 1/(2x^2) + 1 3/(2x^2)^2 + ...) [7.12.1]"""
        part, term, total = 0.5 / square, one, one
        for k in range(1, 26):
            term = term * (part * (2 * k - 1))
            total = total + term
        return total * 0.5 / x

    out = where_any(b, near, x, by_series)
    return where_any(b, abs(x) >= _ASYMPTOTIC_DAWSON_FROM, out, asymptotic)


def _spence(b: Builder, x: Value) -> Value:
    """Return the dilogarithm of 1 - x: by that of 1 - 1/x for large x, of x for small ones [25.12.4, 25.12.6]."""
    zero, one = b.like(x, 0), b.like(x, 1)
    large = x > 1.5
    w = b.select(large, one / x, x)
    small = w < 0.5
    y = b.select(small, w, one - w)

    def step(_, k, power, total):
        power = power * y
        term = power / (k * k)
        total = total + term
        return (power, total), abs(term) > abs(total) * (_EPS / 4)

    inside = (x >= zero) & (x < np.inf)
    series = iterate(b, inside, (one, zero), step, 200)[1]
    log = vm.natural_log(b, w)
    product = b.select(w.equals(zero), zero, log * vm.log1p(b, -w))
    out = b.select(small, pi * pi / 6 - product - series, series)
    out = b.select(large, -b.fma(log * log, 0.5, out), out)
    return b.select(inside, out, np.nan)


emits_shared("exp1", _exp1, 500)
emits_shared("expi", _expi, 500)
emits_shared("expn", _expn, 500)
emits_shared("dawsn", _dawson, 300)
emits_shared("spence", _spence, 500)
