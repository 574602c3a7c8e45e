"""Faddeeva's function w(z) = e^(-z^2) erfc(-i z) of complex numbers, and so the profiles of spectral lines.

In the first quadrant it is an integral of e^(-t^2) / (z - t) by the trapezoidal or the midpoint rule, corrected for the
pole at t = z, with twelve points: Al Azah and Chandler-Wilde, "Computation of the complex error function using modified
trapezoidal rules" (2021), of which the error is less than 2e-15 of the value. Both parts are sums of their own, so that
neither drowns in the other. Numbers in brackets are those of the "NIST Digital Library of Mathematical Functions".

Tests: `tests/engines/native/functions/test_special_functions.py`.
"""

from __future__ import annotations

from math import exp, pi, sqrt

import numpy as np

from ....prims import integrals as integrals  # the primitive must be there before its rule
from ..graph.complex_and_keys import COMPLEX, Real
from ..graph.views import Pair
from ..text.builder import F64, Builder, Value
from ..text.shared_functions import all_of, shared
from . import vector_math as vm
from .elementwise import emits

_POINTS = 12
_STEP = sqrt(pi / _POINTS)
_POLE_FROM = 1e8  # from where the function is i / (sqrt(pi) z)


def _sums(b: Builder, x: Value, y: Value, at_multiples: Value) -> tuple[Value, Value]:
    """2 i h z / pi times the sum of e^(-t^2) / (z^2 - t^2), for t at the multiples of h or between them."""
    squares = b.fma(x, x, y * y)
    difference = (x - y) * (x + y)
    cross = x * y * 2
    cross, re, im = cross * cross, b.like(x, 0), b.like(x, 0)
    for k in range(_POINTS):
        on, between = (k * _STEP) ** 2, ((k + 0.5) * _STEP) ** 2
        square = b.select(at_multiples, b.like(x, on), between)
        weight = b.select(at_multiples, b.like(x, exp(-on) if k else 0.5), exp(-between))
        gap = difference - square
        part = weight / b.fma(gap, gap, cross)
        re, im = b.fma(part, squares + square, re), b.fma(part, squares - square, im)
    scale = b.like(x, 2 * _STEP / pi)
    return re * y * scale, im * x * scale


def _of_pole(b: Builder, x: Value, y: Value, place: Value, at_multiples: Value) -> tuple[Value, Value]:
    """2 F / (F - 1), or with + for points between the multiples, of F = e^(2 i pi z / h)."""
    size = vm.exp(b, y * (-2 * pi / _STEP))
    angle = (place - b.intrinsic("rint", place)) * (2 * pi)
    c, s = vm.cos(b, angle), vm.sin(b, angle)
    c, s = [b.select(at_multiples, -v, v) for v in (c, s)]
    twice = size + size
    down = b.fma(twice, c, b.fma(size, size, 1))
    return twice * (size + c) / down, twice * s / down


def _exponential(b: Builder, x: Value, y: Value, far: Value) -> Value:
    """e^(y^2 - x^2), with what rounding the squares takes away."""
    x_square, y_square = x * x, y * y
    total = y_square - x_square
    low = b.fma(y, y, -y_square) - b.fma(x, x, -x_square)
    larger = y_square > x_square
    lost = b.select(larger, y_square - total - x_square, y_square - (total + x_square))
    near = vm.exp(b, total) * (1 + (low + lost))
    return b.select(far, vm.exp(b, (y - x) * (y + x)), near)


def _faddeeva(b: Builder, real: Value, imaginary: Value, part: int) -> Value:
    """Return one part of w(z). w(-conj(z)) is the conjugate of w(z) [7.4.3], and w(-z) = 2 e^(-z^2) - w(z) [7.4.2]."""
    zero = b.like(real, 0)
    x, y = abs(real), abs(imaginary)
    most = b.select(x > y, x, y)
    far = most > _POLE_FROM
    place = b.select(far, zero, x) * (1 / _STEP)
    rest = place - b.intrinsic("floor", place)
    at_multiples = all_of(
        b, y < x, rest >= 0.25, rest <= 0.75
    )
    re, im = _sums(b, x, y, at_multiples)
    high = (y >= x) & (y >= pi / _STEP)
    grown = _exponential(b, x, y, far)
    product = x * y
    angle, low = product + product, b.fma(x, y, -product) * 2
    low = b.select(far, zero, low)
    c, s = vm.cos(b, angle), vm.sin(b, angle)
    c, s = c - low * s, b.fma(low, c, s)
    pole = _of_pole(b, x, y, place, at_multiples)
    waves = b.fma(pole[0], c, pole[1] * s), pole[1] * c - pole[0] * s
    re, im = [b.select(high, v, b.fma(grown, w, v)) for v, w in zip((re, im), waves)]
    # Far out: with the larger part as unit no square overflows.
    a, d = x / most, y / most
    down = b.fma(a, a, d * d) * most * sqrt(pi)
    re, im = b.select(far, d / down, re), b.select(far, a / down, im)
    endless = most.equals(np.inf)
    known = b.compare("ord", x, x) & b.compare("ord", y, y)
    re, im = [b.select(endless & known, zero, v) for v in (re, im)]
    # The other quadrants.
    below, twice = imaginary < zero, grown + grown
    nothing = grown.equals(zero)
    wave = lambda v: b.select(nothing, zero, twice * v)
    level = x.equals(zero)
    if part == 0:
        return b.select(below, b.select(level, twice, wave(c)) - re, re)
    im = b.select(level, zero, b.select(below, wave(s) + im, im))
    return im * b.copysign(1, real)


def _part(b: Builder, x: Value, y: Value, *, part: int) -> Value:
    body = lambda b, x, y: _faddeeva(b, x, y, part)
    return b.convert(shared(b, f"faddeeva{part}", body, b.convert(x, F64), b.convert(y, F64)), x.dtype)


def _wofz(graph, operands, params, types):
    (z,), real = operands, Real.of(graph, types[0])
    part = lambda k: graph.elementwise("wofz", real.shape, real.dtype, (z.re, z.im), (("part", k),))
    return [Pair(part(0), part(1))]


emits("wofz", "", _part, 400)  # of the parts; complex operands come by the rule
COMPLEX["wofz"] = _wofz
