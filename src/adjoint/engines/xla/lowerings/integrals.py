"""The `lower` rules of functions that are integrals: of the normal distribution, exponential ones, of sine and cosine.

They are computed in float64 and rounded. Numbers of equations are those of Abramowitz and Stegun, "Handbook of
Mathematical Functions" (1964).
"""

from __future__ import annotations

from math import factorial, pi

import numpy as np

from ....prims.arithmetic import abs_, complex_, imag, real, sign, sqrt
from ....prims.logic import is_finite
from ....prims.special import digamma, erf_inv, erfc, lgamma
from ....prims.transcendental import cos, exp, log, log1p, sin
from .gammas import fraction
from .series import filled, in_double, polynomial, until_done, where, written

# ---- the normal distribution -----------------------------------------------------------------------


def _scaled_complement(x):
    """exp(x^2) erfc(x): 7.1.23 far out."""
    far = x > 10
    y, z = where(far, 0, x), where(far, x, 10)
    terms = [float((-1) ** k * factorial(2 * k) // factorial(k)) / 2**k for k in range(16)]
    return where(far, polynomial(terms, 0.5 / z / z) / (z * sqrt(filled(z, pi))), exp(y * y) * erfc(y))


def _log_normal(x):
    """Return the logarithm of the distribution function."""
    y = x * 0.5**0.5
    below, above = x < -10, x > 0
    tail = log(_scaled_complement(where(below, -y, 10)) * 0.5) - y * y
    middle = log(erfc(-where(below | above, 0, y)) * 0.5)
    return where(above, log1p(-0.5 * erfc(y)), where(below, tail, middle))


@in_double("erfcx")
def _(w, x):
    return written(w, lambda x: [_scaled_complement(x)], [x])


@in_double("log_ndtr")
def _(w, x):
    return written(w, lambda x: [where(x == -np.inf, x, _log_normal(x))], [x])


@in_double("ndtri")
def _(w, p):
    """Use Newton's method for the logarithm in the tails, from 26.2.23."""

    def run(p):
        middle, upper = abs_(p - 0.5) < 0.4, p > 0.5
        tail = ~middle & (p > 0) & (p < 1)
        goal = log(where(tail, where(upper, 1 - p, p), 0.1))
        t = sqrt(-2 * goal)
        x = polynomial([2.515517, 0.802853, 0.010328], t) / polynomial([1.0, 1.432788, 0.189269, 0.001308], t) - t
        for _ in range(3):
            found = log(0.5 * _scaled_complement(x * -(0.5**0.5))) - 0.5 * x * x
            x = x - (found - goal) * exp(found + 0.5 * x * x) * (2 * pi) ** 0.5
        ends = where((p == 0) | (p == 1), where(upper, filled(p, np.inf), -np.inf), np.nan)
        near = 2**0.5 * erf_inv(where(middle, 2 * p - 1, 0))
        return [where(middle, near, where(tail, where(upper, -x, x), ends))]

    return written(w, run, [p])


# ---- exponential integrals -------------------------------------------------------------------------


def _first_exponential(w, x):
    """E_1 of positive x: 5.1.11 up to 1, 5.1.22 beyond."""
    far = fraction(w, *written(w, lambda x: [filled(x, 0), where(x > 1, x, 1)], [x]))

    def run(x, far):
        y = where(x > 1, filled(x, 1), x)
        terms = [0.0, *[(-1) ** (k + 1) / (k * factorial(k)) for k in range(1, 20)]]
        near = polynomial(terms, y) - np.euler_gamma - log(y)
        return [where(x > 1, where(is_finite(x), exp(-x) * far, 0), near)]

    return written(w, run, [x, far])[0]


@in_double("exp1")
def _(w, x):
    (inside,) = written(w, lambda x: [where(x >= 0, x, 1)], [x])
    found = _first_exponential(w, inside)
    return written(w, lambda x, found: [where(x >= 0, found, np.nan)], [x, found])


@in_double("expi")
def _(w, x):
    """5.1.2, 5.1.10; 5.1.51 far out."""
    below = _first_exponential(w, *written(w, lambda x: [where(x < 0, -x, 1)], [x]))

    def step(n, more, x, term, total):
        term = term * x / n
        total = total + term / n
        return term / n > 1e-17 * total, x, term, total

    near, one, zero = written(w, lambda x: [where((x > 0) & (x <= 40), x, 0), filled(x, 1), filled(x, 0)], [x])
    series = until_done(w, step, [near, one, zero])[-1]

    def run(x, below, series):
        far = where(x > 40, x, 40)
        beyond = exp(far) / far * polynomial([float(factorial(k)) for k in range(40)], 1 / far)
        beyond = where(is_finite(far), beyond, np.inf)
        found = where(x > 40, beyond, where(x > 0, np.euler_gamma + log(where(x > 0, x, 1)) + series, -below))
        return [where(x == 0, -np.inf, where(x == x, found, x))]

    return written(w, run, [x, below, series])


@in_double("expn")
def _(w, n, x):
    """5.1.12 up to 1, 5.1.22 beyond."""

    def first(n, x):
        proper = (n >= 0) & ((n == n // 1) | (x > 1)) & (x >= 0) & is_finite(x) & is_finite(n)
        order, far = where(proper, n, 1), proper & (x > 1)
        near = proper & ~far & (order > 0)
        return (proper, far, order, where(far, 1 - order, 1), where(far, x, 10),
                where(near, order, 1), where(near, x, 0))

    def step(k, more, order, x, term, total):
        term = where(k == 1, filled(x, 1), term * -x / (k - 1))
        left = k - order
        total = total - where(left == 0, 0, term / where(left == 0, 1, left))
        return abs_(term) > 1e-18, order, x, term, total

    proper, far, order, a, y, order_near, near = written(w, first, [n, x])
    beyond = fraction(w, a, y)
    zero = w.splat(0, x.aval)
    series = until_done(w, step, [order_near, near, zero, zero])[-1]

    def run(n, x, proper, far, order, order_near, near, beyond, series):
        y = where(near > 0, near, 1)
        m = order_near - 1
        sign_ = where(m % 2 == 0, filled(x, 1), -1)
        power = sign_ * exp(m * log(y) - lgamma(order_near)) * (digamma(order_near) - log(y))
        found = where(far, exp(-x) * beyond, where(order == 0, exp(-x) / x, series + power))
        at_zero = where(order > 1, 1 / where(order > 1, order - 1, 1), np.inf)
        return [where(proper, where(x == 0, at_zero, found), np.nan)]

    return written(w, run, [n, x, proper, far, order, order_near, near, beyond, series])


# ---- sine and cosine integrals ---------------------------------------------------------------------


def _sine_and_cosine(w, x):
    """Si and Ci of |x|: 5.2.14 and 5.2.16 up to 4; beyond, E_1 of an imaginary number, 5.2.21 and 5.2.23."""

    def start(x):
        y = where((abs_(x) > 4) & is_finite(x), abs_(x), 10)
        return complex_(filled(y, 0), filled(y, 0)), complex_(filled(y, 0), y)

    far = fraction(w, *written(w, start, [x]))

    def run(x, far):
        y = abs_(x)
        near = where(y <= 4, y, 1)
        squares = near * near
        sine = near * polynomial([(-1) ** k / ((2 * k + 1) * factorial(2 * k + 1)) for k in range(20)], squares)
        cosine = polynomial([0.0, *[(-1) ** k / (2 * k * factorial(2 * k)) for k in range(1, 20)]], squares)
        cosine = np.euler_gamma + log(near) + cosine
        c, s, re, im = cos(y), sin(y), real(far), imag(far)
        beyond = [pi / 2 + c * im - s * re, -(c * re + s * im)]
        beyond = [where(is_finite(y), v, where(y == y, filled(y, end), np.nan))
                  for v, end in zip(beyond, (pi / 2, 0.0))]
        return [where(y <= 4, v, u) for v, u in zip((sine, cosine), beyond)]

    return written(w, run, [x, far])


@in_double("sine_integral")
def _(w, x):
    sine, _ = _sine_and_cosine(w, x)
    return written(w, lambda x, v: [sign(x) * v], [x, sine])


@in_double("cosine_integral")
def _(w, x):
    return [_sine_and_cosine(w, x)[1]]


# ---- the dilogarithm -------------------------------------------------------------------------------

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


@in_double("spence")
def _(w, x):
    """Return the dilogarithm of 1 - x, in powers of log x between 1/2 and 2; identities with 1 / x and with 1 - x,
    27.7.4 and
    27.7.3, bring x there.
    """

    def run(x):
        large = x > 2
        y = where(large, 1 / x, x)
        small = y < 0.5
        u = -log1p(where(small, -y, y - 1))
        terms = [1.0, *[b / factorial(2 * k + 3) for k, b in enumerate(_BERNOULLI)]]
        found = u * polynomial(terms, u * u) - 0.25 * u * u
        log_y = log(where(y > 0, y, 1))
        found = where(small, pi**2 / 6 - log_y * log1p(-where(small, y, 0)) - found, found)
        found = where(large, -0.5 * log_y * log_y - found, found)
        return [where((x >= 0) & is_finite(x), found, np.nan)]

    return written(w, run, [x])
