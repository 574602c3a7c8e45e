"""Integrals of elementary functions that have short series and fractions: exponential integrals, Dawson's, Spence's.

In float64. Numbers in brackets are those of the "NIST Digital Library of Mathematical Functions".
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
from .gamma_functions import EULER, emits_shared

_EPS = 2.0**-53
_FAR, _FAR_DAWSON = 40.0, 7.0  # from where asymptotic series are exact


def _power_series(b: Builder, going: Value, x: Value) -> Value:
    """x + x^2/(2 2!) + x^3/(3 3!) + ... [6.6.2]"""

    def step(_, k, power, total):
        power = b.mul(power, b.fdiv(x, k))
        term = b.fdiv(power, k)
        total = b.add(total, term)
        return (power, total), b.compare("ogt", b.fabs(term), b.mul(b.fabs(total), b.like(x, _EPS / 4)))

    return iterate(b, going, (b.like(x, 1), b.like(x, 0)), step, 500)[1]


def _exp1(b: Builder, x: Value) -> Value:
    zero, one = b.like(x, 0), b.like(x, 1)
    near = all_of(b, b.compare("ogt", x, zero), b.compare("ole", x, one))
    far = all_of(b, b.compare("ogt", x, one), b.compare("olt", x, b.like(x, np.inf)))

    def by_series():
        total = _power_series(b, near, b.neg(x))
        return b.neg(b.add(b.add(vm.natural_log(b, x), b.like(x, EULER)), total))

    out = b.select(b.compare("eq", x, zero), b.like(x, np.inf), b.like(x, np.nan))
    out = b.select(b.compare("eq", x, b.like(x, np.inf)), zero, out)
    return where_any(b, far, where_any(b, near, out, by_series), lambda: _fraction(b, far, one, x))


def _fraction(b: Builder, far: Value, order: Value, x: Value) -> Value:
    """e^-x/(x+n - n/(x+n+2 - 2 (n+1)/(x+n+4 - ...))) [8.19.17, contracted], by Lentz's method."""
    one = b.like(x, 1)
    less = b.sub(order, one)

    def step(_, k, bottom, c, d, total):
        numerator, bottom = b.neg(b.mul(k, b.add(less, k))), b.add(bottom, b.like(x, 2))
        d = b.fdiv(one, b.fma(numerator, d, bottom))
        c = b.add(bottom, b.fdiv(numerator, c))
        factor = b.mul(c, d)
        on = b.compare("ogt", b.fabs(b.sub(factor, one)), b.like(x, 2 * _EPS))
        return (bottom, c, d, b.mul(total, factor)), on

    start = b.add(x, order)
    first = b.fdiv(one, start)
    total = iterate(b, far, (start, b.like(x, 1e300), first, first), step, 500)[3]
    return b.mul(vm.exp(b, b.neg(x)), total)


def _expn(b: Builder, n: Value, x: Value) -> Value:
    zero, one = b.like(x, 0), b.like(x, 1)
    is_whole = b.compare("eq", b.intrinsic("floor", n), n)
    finite = [b.compare("olt", v, b.like(x, np.inf)) for v in (n, x)]
    proper = all_of(b, is_whole, b.compare("oge", n, zero), b.compare("oge", x, zero), *finite)
    order = b.select(proper, n, one)
    near = all_of(b, proper, b.compare("ogt", x, zero), b.compare("ole", x, one), b.compare("ogt", n, zero))
    far = all_of(b, proper, b.compare("ogt", x, one))
    less = b.sub(order, one)

    def by_series():
        """(-x)^(n-1)/(n-1)! (digamma(n) - log x) - sum of (-x)^k/(k! (k-n+1)) but for k = n - 1 [8.19.8]"""

        def step(_, k, term, total):
            place = b.sub(b.sub(k, one), less)
            other = b.compare("one", place, zero)
            total = b.sub(total, b.select(other, b.fdiv(term, b.select(other, place, one)), zero))
            term = b.mul(term, b.neg(b.fdiv(x, k)))
            return (term, total), b.compare("ogt", b.fabs(term), b.like(x, _EPS * 2.0**-10))

        total = iterate(b, near, (one, zero), step, 100)[1]
        log = vm.natural_log(b, x)
        size = vm.exp(b, b.sub(b.mul(less, log), b.each_lane("lgamma", order)))
        half = b.mul(less, b.like(x, 0.5))
        odd = b.compare("one", b.intrinsic("floor", half), half)
        power = b.mul(b.select(odd, b.neg(size), size), b.sub(primitives["digamma"].emit_rule(b, order), log))
        return b.add(total, b.select(b.compare("ogt", order, b.like(x, 200)), zero, power))

    at_zero = b.select(b.compare("ogt", order, one), b.fdiv(one, less), b.like(x, np.inf))
    out = b.select(b.compare("eq", order, zero), b.fdiv(vm.exp(b, b.neg(x)), x), zero)
    out = b.select(b.compare("eq", x, zero), at_zero, out)
    out = where_any(b, far, where_any(b, near, out, by_series), lambda: _fraction(b, far, order, x))
    return b.select(proper, out, b.like(x, np.nan))


def _expi(b: Builder, x: Value) -> Value:
    zero = b.like(x, 0)
    near = all_of(b, b.compare("ogt", x, zero), b.compare("olt", x, b.like(x, _FAR)))
    far = all_of(b, b.compare("oge", x, b.like(x, _FAR)), b.compare("olt", x, b.like(x, np.inf)))

    def by_series():
        return b.add(b.add(vm.natural_log(b, x), b.like(x, EULER)), _power_series(b, near, x))

    def asymptotic():
        """e^x/x (1 + 1!/x + 2!/x^2 + ...) [6.12.2]"""

        def step(_, k, term, total):
            term = b.mul(term, b.fdiv(k, x))
            return (term, b.add(total, term)), b.compare("ogt", term, b.like(x, _EPS / 4))

        one = b.like(x, 1)
        total = iterate(b, far, (one, one), step, _FAR)[1]
        half = vm.exp(b, b.mul(x, b.like(x, 0.5)))
        return b.mul(half, b.mul(half, b.fdiv(total, x)))

    out = b.select(b.compare("eq", x, zero), b.like(x, -np.inf), b.like(x, np.nan))
    out = b.select(b.compare("eq", x, b.like(x, np.inf)), x, out)
    out = where_any(b, far, where_any(b, near, out, by_series), asymptotic)
    left = b.compare("olt", x, zero)
    return where_any(b, left, out, lambda: b.neg(shared(b, "exp1", _exp1, b.neg(x))))


def _dawson(b: Builder, x: Value) -> Value:
    square, one = b.mul(x, x), b.like(x, 1)
    near = b.compare("olt", b.fabs(x), b.like(x, _FAR_DAWSON))

    def by_series():
        """e^(-x^2) (x + x^3/(1! 3) + x^5/(2! 5) + ...) [7.6.1]"""

        def step(_, k, power, total):
            power = b.mul(power, b.fdiv(square, k))
            term = b.fdiv(power, b.add(b.add(k, k), one))
            total = b.add(total, term)
            return (power, total), b.compare("ogt", term, b.mul(total, b.like(x, _EPS / 4)))

        total = iterate(b, near, (one, one), step, 500)[1]
        return b.mul(b.mul(x, total), vm.exp(b, b.neg(square)))

    def asymptotic():
        """1/(2x) (1 + 1/(2x^2) + 1 3/(2x^2)^2 + ...) [7.12.1]"""
        part, term, total = b.fdiv(b.like(x, 0.5), square), one, one
        for k in range(1, 26):
            term = b.mul(term, b.mul(part, b.like(x, 2 * k - 1)))
            total = b.add(total, term)
        return b.fdiv(b.mul(total, b.like(x, 0.5)), x)

    out = where_any(b, near, x, by_series)
    return where_any(b, b.compare("oge", b.fabs(x), b.like(x, _FAR_DAWSON)), out, asymptotic)


def _spence(b: Builder, x: Value) -> Value:
    """The dilogarithm of 1 - x: by that of 1 - 1/x for large x, of x for small ones [25.12.4, 25.12.6]."""
    zero, one = b.like(x, 0), b.like(x, 1)
    large = b.compare("ogt", x, b.like(x, 1.5))
    w = b.select(large, b.fdiv(one, x), x)
    small = b.compare("olt", w, b.like(x, 0.5))
    y = b.select(small, w, b.sub(one, w))

    def step(_, k, power, total):
        power = b.mul(power, y)
        term = b.fdiv(power, b.mul(k, k))
        total = b.add(total, term)
        return (power, total), b.compare("ogt", b.fabs(term), b.mul(b.fabs(total), b.like(x, _EPS / 4)))

    inside = all_of(b, b.compare("oge", x, zero), b.compare("olt", x, b.like(x, np.inf)))
    series = iterate(b, inside, (one, zero), step, 200)[1]
    log = vm.natural_log(b, w)
    product = b.select(b.compare("eq", w, zero), zero, b.mul(log, vm.log1p(b, b.neg(w))))
    out = b.select(small, b.sub(b.sub(b.like(x, pi * pi / 6), product), series), series)
    out = b.select(large, b.neg(b.fma(b.mul(log, log), b.like(x, 0.5), out)), out)
    return b.select(inside, out, b.like(x, np.nan))


emits_shared("exp1", _exp1, 500)
emits_shared("expi", _expi, 500)
emits_shared("expn", _expn, 500)
emits_shared("dawsn", _dawson, 300)
emits_shared("spence", _spence, 500)
