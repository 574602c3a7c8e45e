"""The `lower` rules of gamma and beta functions and of gamma-distributed numbers, which loop until they have converged.

Elements that have, or that another formula serves, have operands for which a loop ends at once.
"""

from __future__ import annotations

from math import factorial, pi

import numpy as np

from ....core import dtypes
from ....prims.arithmetic import abs_, max_, sqrt
from ....prims.conversion import bitcast_convert_type
from ....prims.generators import is_partitionable
from ....prims.logic import is_finite
from ....prims.shape import reshape
from ....prims.special import digamma, erf_inv, lgamma
from ....prims.transcendental import exp, log, log1p, pow_
from ..rules import lower, on_keys
from .keys import bits_of, is_threefry, split_keys
from .series import as_dtype, filled, in_double, loop, polynomial, until_done, where, written

_TINY = 1e-300
_EPS = 2.3e-16

# ---- the logarithm of gamma ------------------------------------------------------------------------


def _zeta_terms(n: int) -> list[float]:
    """Return the coefficients of z^2, z^3, ... in log gamma(2 + z) = (1 - Euler's constant) z + ..."""
    from scipy import special

    return [(-1) ** k * float(special.zetac(k)) / k for k in range(2, n)]


@lower("lgamma")
def _(w, eqn, operands):
    """Around its zeros 1 and 2, which chlo's formula meets only to an absolute error, by its series:
    Abramowitz and Stegun, 6.1.33.
    """
    (x,), out = operands, eqn.outvars[0].aval
    elsewhere = w.chlo("lgamma", [x], out)
    if out.dtype not in (np.float32, np.float64):
        return elsewhere
    terms = [1 - np.euler_gamma, *_zeta_terms(28 if out.dtype == np.float64 else 14)]

    def run(x, elsewhere):
        near, above = abs_(x - 1.5) <= 1, x > 1.5
        z = where(near, where(above, x - 2, x - 1), 0)
        return [where(near, z * polynomial(terms, z) - where(above, 0, log1p(z)), elsewhere)]

    return written(w, run, [x, elsewhere])


# ---- incomplete gamma functions --------------------------------------------------------------------


def _log_power(a, x):
    """log(x^a exp(-x) / gamma(a + 1)), without the cancellation of large terms where a is large.

    By Stirling's series: Abramowitz and Stegun, 6.1.41.
    """
    plain = a * log(x) - x - lgamma(a + 1)
    large = a >= 16
    b = where(large, a, 16)
    u = (x - b) / b
    ratio = where(abs_(u) < 0.5, log1p(u), log(x / b)) - u
    inverse = 1 / b
    stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360]
    rest = inverse * polynomial(stirling, inverse * inverse)
    return where(large, b * ratio - 0.5 * log(2 * pi * b) - rest, plain)


def _cases(a, x):
    """Return which elements are proper, which of them the series serves, and operands for it and for the fraction."""
    proper = (a > 0) & (x > 0) & is_finite(a) & is_finite(x)
    near = proper & (x < a + 1)
    far = proper & (x >= a + 1)
    return (proper, near, where(proper, a, 1), where(proper, x, 1),
            where(near, a, 1), where(near, x, 0), where(far, a, 1), where(far, x, 10))


def _series(w, a, x):
    """1 + x/(a+1) + x^2/((a+1)(a+2)) + ..."""

    def step(n, more, a, x, term, total):
        term = term * x / (a + n)
        total = total + term
        return term > 1e-17 * total, a, x, term, total

    one = w.splat(1, a.aval)
    return until_done(w, step, [a, x, one, one])[-1]


def _series_and_slope(w, a, x):
    """Return the same and its derivative by a."""

    def step(n, more, a, x, term, dlog, total, slope):
        term = term * x / (a + n)
        dlog = dlog - 1 / (a + n)
        total, slope = total + term, slope + term * dlog
        more = (term > 1e-17 * total) | (abs_(term * dlog) > 1e-17 * abs_(slope))
        return more, a, x, term, dlog, total, slope

    one, zero = w.splat(1, a.aval), w.splat(0, a.aval)
    return until_done(w, step, [a, x, one, zero, one, zero])[-2:]


def fraction(w, a, x):
    """1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))), by Lentz's method."""

    def step(n, more, a, b, c, d, total):
        b, numerator = b + 2, -n * (n - a)
        d = 1 / (numerator * d + b)
        c = b + numerator / c
        return abs_(c * d - 1) > _EPS, a, b, c, d, total * (c * d)

    def first(a, x):
        b = x + 1 - a
        return a, b, filled(b, 1 / _TINY), 1 / b, 1 / b

    return until_done(w, step, written(w, first, [a, x]))[-1]


def _fraction_and_slope(w, a, x):
    """Return the same and its derivative by a."""

    def step(n, more, a, b, c, dc, d, dd, total, slope):
        b, numerator, dn = b + 2, -n * (n - a), n
        d, dd = 1 / (numerator * d + b), dn * d + numerator * dd - 1
        dd = -d * d * dd
        c, dc = b + numerator / c, dn / c - numerator * dc / c / c - 1
        factor, dfactor = c * d, dc * d + c * dd
        change = total * dfactor
        total, slope = total * factor, slope * factor + change
        # Where a is an integer the fraction ends, and its derivative does not.
        more = (abs_(factor - 1) > _EPS) | (abs_(change) > _EPS * abs_(slope))
        return more, a, b, c, dc, d, dd, total, slope

    def first(a, x):
        b = x + 1 - a
        d = 1 / b
        return a, b, filled(b, 1 / _TINY), filled(b, 0), d, d * d, d, d * d

    return until_done(w, step, written(w, first, [a, x]))[-2:]


def _incomplete(w, a, x, upper: bool):
    proper, near, b, y, *parts = written(w, _cases, [a, x])
    near_part, far_part = _series(w, *parts[:2]), fraction(w, *parts[2:])

    def run(a, x, proper, near, b, y, near_part, far_part):
        power = exp(_log_power(b, y))
        less, more = power * near_part, power * b * far_part
        found = where(near, 1 - less, more) if upper else where(near, less, 1 - more)
        beyond = (a >= 0) & (x > 0) & ((a == 0) | ~is_finite(x)) & (is_finite(a) | is_finite(x))
        below = (a > 0) & ((x == 0) | (~is_finite(a) & (x >= 0) & is_finite(x)))
        ends = where(beyond, float(not upper), where(below, filled(x, float(upper)), np.nan))
        return [where(proper, found, ends)]

    return written(w, run, [a, x, proper, near, b, y, near_part, far_part])


@in_double("igamma")
def _(w, a, x):
    return _incomplete(w, a, x, False)


@in_double("igammac")
def _(w, a, x):
    return _incomplete(w, a, x, True)


@in_double("igamma_grad_a")
def _(w, a, x):
    proper, near, b, y, *parts = written(w, _cases, [a, x])
    series, fraction = _series_and_slope(w, *parts[:2]), _fraction_and_slope(w, *parts[2:])

    def run(a, x, proper, near, b, y, total, slope, total_far, slope_far):
        power, log_y = exp(_log_power(b, y)), log(y)
        less = power * ((log_y - digamma(b + 1)) * total + slope)
        more = -power * b * ((log_y - digamma(b)) * total_far + slope_far)
        zero = (a > 0) & (x == 0)
        return [where(proper, where(near, less, more), where(zero, filled(x, 0), np.nan))]

    return written(w, run, [a, x, proper, near, b, y, *series, *fraction])


# ---- the incomplete beta function ------------------------------------------------------------------


@in_double("regularized_incomplete_beta")
def _(w, a, b, x):
    """Evaluate Abramowitz and Stegun's continued fraction 26.5.8, of x or of 1 - x, whichever converges faster."""

    def first(a, b, x):
        proper = (a > 0) & (b > 0) & (x > 0) & (x < 1) & is_finite(a) & is_finite(b)
        a, b, x = where(proper, a, 1), where(proper, b, 1), where(proper, x, 0.5)
        other = x > (a + 1) / (a + b + 2)
        p, q, y = where(other, b, a), where(other, a, b), where(other, 1 - x, x)
        c = filled(y, 1)
        d = 1 / _away_from_zero(1 - (p + q) * y / (p + 1))
        return proper, other, p, q, y, c, d, d

    def step(n, more, a, b, x, c, d, total):
        for numerator in (n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n)),
                          -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1))):
            d = 1 / _away_from_zero(1 + numerator * d)
            c = _away_from_zero(1 + numerator / c)
            factor = c * d
            total = total * factor
        return abs_(factor - 1) > _EPS, a, b, x, c, d, total

    proper, other, *carry = written(w, first, [a, b, x])
    p, q, y, *_, total = until_done(w, step, carry)

    def run(a, b, x, proper, other, p, q, y, total):
        log_beta = lgamma(p) + lgamma(q) - lgamma(p + q)
        part = exp(p * log(y) + q * log1p(-y) - log_beta) / p * total
        inside = (a >= 0) & (b >= 0) & (x >= 0) & (x <= 1) & ((a > 0) | (b > 0)) & (is_finite(a) | is_finite(b))
        at_zero = (a == 0) | ~is_finite(b)  # where all of the distribution is; elsewhere it is at 1
        ends = where((x == 1) | ((x > 0) & at_zero), filled(x, 1), 0)
        return [where(proper, where(other, 1 - part, part), where(inside, ends, np.nan))]

    return written(w, run, [a, b, x, proper, other, p, q, y, total])


def _away_from_zero(x):
    return where(abs_(x) < _TINY, _TINY, x)


# ---- a Bessel function -----------------------------------------------------------------------------

_ASYMPTOTIC_FROM = 20  # between its series at 0 and the one at infinity


@lower("bessel_i0e")
def _(w, eqn, operands):
    """exp(-|x|) I0(x): Abramowitz and Stegun, 9.6.10 and 9.7.1."""
    out = eqn.outvars[0].aval
    near = [(_ASYMPTOTIC_FROM / 2) ** (2 * k) / factorial(k) ** 2 for k in range(48)]
    far = [1.0]
    for k in range(1, 24):
        far.append(far[-1] * (2 * k - 1) ** 2 / (8 * k * _ASYMPTOTIC_FROM))

    def run(x):
        x = abs_(as_dtype(x, np.float32 if out.dtype.itemsize < 4 else out.dtype))
        inside = x <= _ASYMPTOTIC_FROM
        y, z = where(inside, x, 0), where(inside, _ASYMPTOTIC_FROM, x)
        small = exp(-y) * polynomial(near, (y / _ASYMPTOTIC_FROM) * (y / _ASYMPTOTIC_FROM))
        large = polynomial(far, _ASYMPTOTIC_FROM / z) / sqrt(2 * pi * z)
        return [as_dtype(where(inside, small, where(x == x, large, x)), out.dtype)]

    return written(w, run, operands)


# ---- gamma-distributed numbers ---------------------------------------------------------------------


def _unit(keys, dtype):
    """Return one uniform number in [0, 1) for each key, as `random.uniform` makes it."""
    info = dtypes.finfo(dtype)
    width = 8 if info.nmant < 8 else info.bits
    unsigned = np.dtype(f"uint{info.bits}")
    bits = as_dtype(bits_of(keys, width, ()), unsigned) >> unsigned.type(width - info.nmant)
    bits = bits | np.asarray(1, dtype).view(unsigned)[()]
    return bitcast_convert_type(bits, new_dtype=np.dtype(dtype)) - np.asarray(1, dtype)[()]


def _normal(keys, dtype):
    number = dtype.type
    low = np.nextafter(number(-1), number(1))
    x = max_(low, _unit(keys, dtype) * (number(1) - low) + low)
    return number(np.sqrt(2)) * erf_inv(x)


def _parts(keys, n: int):
    """Return `n` keys from each."""
    new = split_keys(keys, (n,))
    return [reshape(new[..., i, :], new_sizes=keys.shape, dimensions=None, sharding=None) for i in range(n)]


@on_keys("random_gamma")
def _(w, eqn, operands):
    """Marsaglia and Tsang's method, by the steps that `random_gamma` evaluates: the numbers are the same."""
    keys_aval, alpha_aval = (v.aval for v in eqn.invars)
    if not is_threefry(keys_aval) or not is_partitionable(eqn.params):
        return w.on_host(eqn, operands)
    dtype, log_space = alpha_aval.dtype, eqn.params["log_space"]
    number = dtype.type
    each = alpha_aval.size // max(1, keys_aval.size)


    def first(keys, alpha):
        alpha = reshape(alpha, new_sizes=(alpha.size,), dimensions=None, sharding=None)
        keys = reshape(split_keys(keys, (each,)), new_sizes=(alpha.size, 2), dimensions=None, sharding=None)
        d = where(alpha >= number(1), alpha, alpha + number(1)) - number(1 / 3)
        keys, boost_keys = _parts(keys, 2)
        return alpha, boost_keys, d, number(1 / 3) / sqrt(d), filled(d, 1), keys

    def draw(n, more, c, x, v, keys):
        keys, x_keys = _parts(keys, 2)
        new = _normal(x_keys, dtype)
        x, v = where(more, new, x), where(more, number(1) + new * c, v)
        return more & (v <= number(0)), c, x, v, keys

    def test(more, d, c, cubes, keys, u_keys, x, v):
        squares, v, u = x * x, v * v * v, _unit(u_keys, dtype)
        squeeze = u >= number(1) - number(0.0331) * (squares * squares)
        bound = squares * number(0.5) + d * (number(1) - v + log(v))
        return more & squeeze & (log(u) >= bound), d, c, where(more, v, cubes), keys

    def body(values):
        _, more, d, c, cubes, keys = values
        keys, x_keys, u_keys = written(w, lambda k: _parts(k, 3), [keys])
        start = w.splat(0, d.aval)
        _, x, v, _ = until_done(w, draw, [c, start, start, x_keys])
        return written(w, test, [more, d, c, cubes, keys, u_keys, x, v])

    def result(alpha, keys, d, cubes):
        large, u = alpha >= number(1), _unit(keys, dtype)
        if log_space:
            log_u = log1p(-u)
            boost = where(large | (log_u == number(0)), filled(d, 0), log_u * (number(1) / alpha))
            found = log(d) + log(cubes) + boost
        else:
            found = d * cubes * where(large, filled(d, 1), pow_(number(1) - u, number(1) / alpha))
        return [reshape(found, new_sizes=alpha_aval.shape, dimensions=None, sharding=None)]

    alpha, boost_keys, *carry = written(w, first, operands)
    d, _, cubes, _ = loop(w, body, carry)
    return written(w, result, [alpha, boost_keys, d, cubes])


@in_double("random_gamma_grad")
def _(w, alpha, x, *, log_space=False):
    """Compute as the evaluation does: the factors that could overflow cancel."""

    def first(a, x):
        log_x, x = (x, exp(x)) if log_space else (log(x), x)
        proper = (a > 0) & is_finite(a) & is_finite(x)
        near, far = proper & (x < a + 1), proper & (x >= a + 1)
        return (proper, near, x, where(proper, a, 1), log_x,
                where(near, a, 1), where(near, x, 0), where(far, a, 1), where(far, x, 10))

    proper, near, x, a, log_x, *parts = written(w, first, [alpha, x])
    series, fraction = _series_and_slope(w, *parts[:2]), _fraction_and_slope(w, *parts[2:])

    def run(proper, near, x, a, log_x, total, slope, total_far, slope_far):
        less = -((log_x - digamma(a + 1)) * total + slope) / a
        more = (log_x - digamma(a)) * total_far + slope_far
        found = where(near, less, more)
        if not log_space:
            found = where(x == 0, 0, found * x)
        return [where(proper, found, np.nan)]

    return written(w, run, [proper, near, x, a, log_x, *series, *fraction])
