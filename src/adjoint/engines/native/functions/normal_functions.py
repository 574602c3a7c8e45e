"""Functions of the normal distribution: scaled tails, logarithms of probabilities, quantiles, Owen's T; in float64.

Numbers in brackets are those of the "NIST Digital Library of Mathematical Functions".

Tests: `tests/engines/native/functions/test_special_functions.py`.
"""

from __future__ import annotations

from functools import partial
from math import pi, sqrt

import numpy as np

from ....prims import integrals as integrals  # the primitives must be there before their rules
from ..text.builder import F64, Builder, Value
from ..text.shared_functions import shared, where_any
from . import vector_math as vm
from .elementwise import emits
from .gamma_functions import emits_shared
from .vector_arcs import atan

_DENSITY_UP_TO, _NODES = 12.0, 48  # of Owen's integral: from where a density is nothing, and points of Gauss' rule
_TAIL_UP_TO, _MIDDLE_OF_TAIL = 0.15, 3.0  # the least probability outside of the tail; what sqrt(-2 log p) is near
# The quantile of 1/2 + y is y times a polynomial in y^2, that of p is -r times one in (r - 3) / (r + 3), where r is
# sqrt(-2 log p); from their Chebyshev series.
_QUANTILE_IN_THE_MIDDLE = [
    2.5066282746310007, 2.624934990953719, 5.7725335386325645, 15.667608953532934, 47.035789894451625,
    149.8294317856014, 496.3103838981986, 1687.2538209308993, 6009.682818485445, 15447.45617683235, 232680.4625268525,
    -3405324.3920755372, 67436737.49562244, -936325204.5565089, 10367731461.8166, -87923248014.30672,
    566033986528.0404, -2668612367036.5093, 8739290745746.475, -17806863942037.848, 17272830794216.592,
]
_QUANTILE_IN_THE_TAIL = [
    0.7622067793310682, 0.7574998071077548, -1.152717395386409, 1.351508550254773, -1.4896490157881854,
    1.5879441924197035, -1.667272446320142, 1.7322311721423815, -1.7948073352455183, 1.8616182477242489,
    -1.882530200499565, 1.7024014129451865, -1.2144610573493035, 0.5943280533915271, -0.1662241099249827,
    0.017948418382797066,
]
# The same, true to 4e-10, where a result of float32 is rounded from them; and (1 + 2 x) e^(x^2) erfc(x) as a polynomial
# in (x - 3) / (x + 3), for the same purpose.
_ROUNDED_QUANTILE_IN_THE_MIDDLE = [
    2.5066282749322757, 2.624934410502506, 5.772717576198187, 15.64498153974384, 48.45164272117565, 98.69272418141196,
    1630.1280885446233, -14077.817682194684, 141204.52876757245, -646136.0417380724, 1587730.9599111825,
]
_ROUNDED_QUANTILE_IN_THE_TAIL = [
    0.7622067792911466, 0.7574998040592313, -1.1527173616776754, 1.3515092113445224, -1.489654486121907,
    1.5879115041940004, -1.6669488588422228, 1.732391752872641, -1.8020599294554105, 1.878430257750203,
    -1.8491079087105782, 1.480649505958325, -0.7826223600831682, 0.19348599434266395,
]
_ROUNDED_TAIL = [
    1.2530080582534238, -0.1356211044940223, -0.0475622926956474, 0.12964509696904988, -0.11927369132076537,
    0.0683087067713536, -0.02377033467508104, 0.002526068869005765, 0.0018881128637480305, -0.0007713736782367725,
    -0.00010413071344030378, 0.00011324624176010699, 3.8618488325192356e-06, -1.105723066791365e-05,
]
_LARGE = 1e150  # from where e^(x^2) erfc(x) is 1 / (sqrt(pi) x)


def _square_exp(b: Builder, x: Value) -> Value:
    """e^(x^2), with what rounding the square loses."""
    square = x * x
    lost = b.fma(x, x, -square)
    out = vm.exp(b, square)
    finite = out < np.inf
    return b.select(finite, b.fma(out, lost, out), out)


def _erfcx(b: Builder, x: Value) -> Value:
    size, negative = abs(x), x < 0
    large = b.like(x, _LARGE)
    tail = vm.scaled_tail(b, b.select(size > large, large, size))
    tail = b.select(size > large, 1 / sqrt(pi) / size, tail)
    return where_any(b, negative, tail, lambda: b.fma(_square_exp(b, b.select(negative, x, 0)), 2, -tail))


def _log_ndtr(b: Builder, x: Value) -> Value:
    t = x * (1 / sqrt(2))
    right = vm.log1p(b, shared(b, "erfc", vm.erfc, t) * -0.5)

    def left():
        tail = shared(b, "erfcx", _erfcx, -t)
        return vm.natural_log(b, tail * 0.5) - x * x * 0.5

    return where_any(b, x < -1, right, left)


def _rounded_log_ndtr(b: Builder, x: Value) -> Value:
    """Return log(u / 2) - x^2 / 2 for x < 0, else log(1 - e^(-t^2) u / 2), with u = e^(t^2) erfc(t), t = |x| / sqrt(2).

    Both by one logarithm; what rounding a number near 1 loses is added, divided by it.
    """
    negative, one = x < 0, b.like(x, 1)
    t = abs(x) * sqrt(0.5)
    t = b.select(t > _LARGE, _LARGE, t)
    tail = b.polynomial((t - 3) / (t + 3), _ROUNDED_TAIL) / b.fma(t, 2, 1) * 0.5
    exponent = x * x * -0.5
    away = -(vm.exp(b, exponent) * tail)
    near = away + one
    rest = b.select(negative, exponent, (away - (near - one)) / near)
    return -abs(vm.natural_log(b, b.select(negative, tail, near)) + rest)  # -0 where it is lost


def _ndtri(b: Builder, p: Value, is_rounded: bool) -> Value:
    """Return the inverse of ndtr: a series in the middle; in the tails a fitted one of sqrt(-2 log p), true to 4e-10.

    If the result is not rounded further, the latter is the start of a step of Halley's method for the logarithm.
    """
    one, half = b.like(p, 1), b.like(p, 0.5)
    upper = p > half
    q = b.select(upper, one - p, p)
    away = p - half
    middle_terms, tail_terms = (
        (_ROUNDED_QUANTILE_IN_THE_MIDDLE, _ROUNDED_QUANTILE_IN_THE_TAIL) if is_rounded
        else (_QUANTILE_IN_THE_MIDDLE, _QUANTILE_IN_THE_TAIL)
    )
    middle = away * b.polynomial(away * away, middle_terms)
    tail = (q > 0) & (q < _TAIL_UP_TO)

    def in_tail():
        goal = vm.natural_log(b, b.select(tail, q, 0.05))
        root = b.intrinsic("sqrt", goal * -2)
        x = -root * b.polynomial((root - _MIDDLE_OF_TAIL) / (root + _MIDDLE_OF_TAIL), tail_terms)
        if not is_rounded:
            value = shared(b, "log_ndtr", _log_ndtr, x)
            exponent = -b.fma(x * x, half, value)
            slope = vm.exp(b, exponent) * (1 / sqrt(2 * pi))
            step = (value - goal) / slope
            # f'' / f' = -(x + f')
            curve = b.fma(step * half, x + slope, one)
            x = x - step / curve
        return b.select(upper, -x, x)

    out = where_any(b, tail, middle, in_tail)
    out = b.select(p.equals(0), -np.inf, out)
    out = b.select(p.equals(one), np.inf, out)
    return b.select(q < 0, np.nan, out)


def _by_dtype(name: str, exact, rounded):
    """Return a rule that computes in float64 whatever the dtype, by another function where the result is rounded."""

    def rule(b: Builder, x: Value, accuracy=None) -> Value:
        is_rounded = x.dtype != F64
        body = rounded if is_rounded else exact
        return b.convert(shared(b, f"{name}{int(is_rounded)}", body, b.convert(x, F64)), x.dtype)

    return rule


def _owens_t(b: Builder, h: Value, a: Value) -> Value:
    """Return the integral of e^(-h^2 (1 + x^2) / 2) / (2 pi (1 + x^2)) up to a, by Gauss' rule, where it is not almost
    0.

    Beyond 1 by that up to 1/a: Owen, "Tables for computing bivariate normal probabilities" (1956), (2.3).
    """
    one, half = b.like(h, 1), b.like(h, 0.5)
    y, z = abs(h), abs(a)
    beyond = z > one
    product = y * z
    scale, end = b.select(beyond, product, y), b.select(beyond, one / z, z)
    limit = _DENSITY_UP_TO / scale
    middle = b.select(limit < end, limit, end) * half
    exponent, total = scale * scale * -0.5, b.like(h, 0)
    for node, weight in zip(*np.polynomial.legendre.leggauss(_NODES)):
        x = middle * (1 + node)
        rest = b.fma(x, x, one)
        total = total + vm.exp(b, exponent * rest) / rest * weight
    out = total * middle * (1 / (2 * pi))
    out = b.select(scale.equals(np.inf), 0, out)

    def by_inverse():
        tail = lambda x: shared(b, "erfc", vm.erfc, x * sqrt(0.5)) * half
        p, q = tail(y), tail(product)
        return (p + q) * half - p * q - out

    out = where_any(b, beyond, out, by_inverse)
    out = b.select(y.equals(0), shared(b, "atan", atan, z) * (1 / (2 * pi)), out)
    out = b.select(b.is_nan(h) | b.is_nan(a), np.nan, out)
    return b.copysign(out, a)


emits_shared("erfcx", _erfcx, 300)
emits("log_ndtr", "f", _by_dtype("log_ndtr", _log_ndtr, _rounded_log_ndtr), 150)
emits("ndtri", "f", _by_dtype("ndtri", partial(_ndtri, is_rounded=False), partial(_ndtri, is_rounded=True)), 150)
emits_shared("owens_t", _owens_t, 1000)
