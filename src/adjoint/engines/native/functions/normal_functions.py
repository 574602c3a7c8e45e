"""Functions of the normal distribution: scaled tails, logarithms of probabilities, quantiles, Owen's T; in float64.

Numbers in brackets are those of the "NIST Digital Library of Mathematical Functions".
"""

from __future__ import annotations

from math import log, pi, sqrt

import numpy as np

from ....prims import integrals as integrals  # the primitives must be there before their rules
from ..text.builder import Builder, Value
from ..text.shared_functions import all_of, iterate, shared, where_any
from . import vector_math as vm
from .gamma_functions import emits_shared
from .special_functions import erf_inv
from .vector_arcs import atan

_EPS = 2.0**-53
_WIDEST, _NODES = 12.0, 48  # of Owen's integral: from where a density is nothing, and points of Gauss' rule
_NEAR = 2.0  # up to which e^(x^2) erfc(x) is a product


def _square_exp(b: Builder, x: Value) -> Value:
    """e^(x^2), with what rounding the square loses."""
    square = b.mul(x, x)
    lost = b.fma(x, x, b.neg(square))
    out = vm.exp(b, square)
    finite = b.compare("olt", out, b.like(x, np.inf))
    return b.select(finite, b.fma(out, lost, out), out)


def _fraction(b: Builder, going: Value, x: Value) -> Value:
    """1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))) [7.9.4], by Lentz's method."""

    def step(_, k, c, d, total):
        numerator = b.mul(k, b.like(x, 0.5))
        d = b.fdiv(b.like(x, 1), b.fma(numerator, d, x))
        c = b.add(x, b.fdiv(numerator, c))
        factor = b.mul(c, d)
        on = b.compare("ogt", b.fabs(b.sub(factor, b.like(x, 1))), b.like(x, 2 * _EPS))
        return (c, d, b.mul(total, factor)), on

    first = b.fdiv(b.like(x, 1), x)
    return iterate(b, going, (b.like(x, 1e300), first, first), step, 500)[2]


def _erfcx(b: Builder, x: Value) -> Value:
    size, negative = b.fabs(x), b.compare("olt", x, b.like(x, 0))
    near = b.compare("olt", size, b.like(x, _NEAR))
    power = _square_exp(b, b.select(b.compare("olt", x, b.like(x, _NEAR)), x, b.like(x, 0)))
    far = all_of(b, b.compare("oge", size, b.like(x, _NEAR)), b.compare("olt", size, b.like(x, 1e150)))
    huge = b.fdiv(b.like(x, 1 / sqrt(pi)), size)  # NaN stays
    out = where_any(b, far, huge, lambda: b.mul(_fraction(b, far, size), b.like(x, 1 / sqrt(pi))))
    out = b.select(negative, b.fma(power, b.like(x, 2), b.neg(out)), out)
    return where_any(b, near, out, lambda: b.mul(power, b.each_lane("erfc", x)))


def _log_ndtr(b: Builder, x: Value) -> Value:
    t = b.mul(x, b.like(x, 1 / sqrt(2)))
    right = vm.log1p(b, b.mul(b.each_lane("erfc", t), b.like(x, -0.5)))

    def left():
        tail = shared(b, "erfcx", _erfcx, b.neg(t))
        return b.sub(vm.natural_log(b, b.mul(tail, b.like(x, 0.5))), b.mul(b.mul(x, x), b.like(x, 0.5)))

    return where_any(b, b.compare("olt", x, b.like(x, -1)), right, left)


def _ndtri(b: Builder, p: Value) -> Value:
    """Return the inverse of ndtr: from that of erf in the middle, in the tails by Halley's method for the logarithm."""
    one, half = b.like(p, 1), b.like(p, 0.5)
    upper = b.compare("ogt", p, half)
    q = b.select(upper, b.sub(one, p), p)
    middle = b.mul(erf_inv(b, b.sub(b.add(p, p), one)), b.like(p, sqrt(2)))
    tail = all_of(b, b.compare("ogt", q, b.like(q, 0)), b.compare("olt", q, b.like(q, 0.1)))

    def in_tail():
        goal = vm.natural_log(b, b.select(tail, q, b.like(q, 0.05)))
        square = b.mul(goal, b.like(p, -2))
        root = b.intrinsic("sqrt", square)
        down = b.add(vm.natural_log(b, square), b.like(p, log(2 * pi)))
        x = b.sub(b.fdiv(down, b.add(root, root)), root)
        for _ in range(4):
            value = shared(b, "log_ndtr", _log_ndtr, x)
            exponent = b.neg(b.fma(b.mul(x, x), half, value))
            slope = b.mul(vm.exp(b, exponent), b.like(p, 1 / sqrt(2 * pi)))
            step = b.fdiv(b.sub(value, goal), slope)
            # f'' / f' = -(x + f')
            curve = b.fma(b.mul(step, half), b.add(x, slope), one)
            x = b.sub(x, b.fdiv(step, curve))
        return b.select(upper, b.neg(x), x)

    out = where_any(b, tail, middle, in_tail)
    out = b.select(b.compare("eq", p, b.like(p, 0)), b.like(p, -np.inf), out)
    return b.select(b.compare("eq", p, one), b.like(p, np.inf), out)


def _owens_t(b: Builder, h: Value, a: Value) -> Value:
    """The integral of e^(-h^2 (1 + x^2) / 2) / (2 pi (1 + x^2)) up to a, by Gauss' rule, where it is not almost 0.

    Beyond 1 by that up to 1/a: Owen, "Tables for computing bivariate normal probabilities" (1956), (2.3).
    """
    one, half = b.like(h, 1), b.like(h, 0.5)
    y, z = b.fabs(h), b.fabs(a)
    beyond = b.compare("ogt", z, one)
    product = b.mul(y, z)
    scale, end = b.select(beyond, product, y), b.select(beyond, b.fdiv(one, z), z)
    limit = b.fdiv(b.like(h, _WIDEST), scale)
    middle = b.mul(b.select(b.compare("olt", limit, end), limit, end), half)
    exponent, total = b.mul(b.mul(scale, scale), b.like(h, -0.5)), b.like(h, 0)
    for node, weight in zip(*np.polynomial.legendre.leggauss(_NODES)):
        x = b.mul(middle, b.like(h, 1 + node))
        rest = b.fma(x, x, one)
        total = b.add(total, b.mul(b.fdiv(vm.exp(b, b.mul(exponent, rest)), rest), b.like(h, weight)))
    out = b.mul(b.mul(total, middle), b.like(h, 1 / (2 * pi)))
    out = b.select(b.compare("eq", scale, b.like(h, np.inf)), b.like(h, 0), out)

    def by_inverse():
        tail = lambda x: b.mul(b.each_lane("erfc", b.mul(x, b.like(h, sqrt(0.5)))), half)
        p, q = tail(y), tail(product)
        return b.sub(b.sub(b.mul(b.add(p, q), half), b.mul(p, q)), out)

    out = where_any(b, beyond, out, by_inverse)
    out = b.select(b.compare("eq", y, b.like(h, 0)), b.mul(shared(b, "atan", atan, z), b.like(h, 1 / (2 * pi))), out)
    out = b.select(b.binary("or", b.is_nan(h), b.is_nan(a)), b.like(h, np.nan), out)
    return b.copysign(out, a)


emits_shared("erfcx", _erfcx, 300)
emits_shared("log_ndtr", _log_ndtr, 300)
emits_shared("ndtri", _ndtri, 1000)
emits_shared("owens_t", _owens_t, 1000)
