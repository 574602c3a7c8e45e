"""Special functions: error functions, gamma functions and Bessel functions, one row an operation.

erf in float32 comes from `error_functions.py`, its inverse from `inverse_erf.py`. The rest is SciPy's, imported at
first use, because the import takes longer than most programs run. Narrow dtypes are computed in
float32.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from ..core import dtypes
from ..core.types import ShapedArray, aval_of
from . import error_functions
from .arithmetic import abs_, add, integer_pow, mul, neg, sign, square, sub
from .conversion import strong_beside
from .domains import FLOATS
from .family import binary, elementwise, fill, like, typed_like, unary, widened
from .inverse_erf import inverse_erf
from .logic import gt, select_n
from .transcendental import exp, log, log1p

__all__ = [
    "bessel_i0e", "bessel_i1e", "digamma", "erf", "erf_inv", "erfc", "igamma", "igamma_grad_a",
    "igammac", "lgamma", "polygamma", "regularized_incomplete_beta", "zeta",
]


def _scipy(name):
    """SciPy's function of that name, in the dtype of its operands."""

    def evaluate(x, *others):
        from scipy import special

        return getattr(special, name)(x, *others)

    return evaluate


# ---- error functions -----------------------------------------------------------------------------


def _erf(x):
    return error_functions.erf(x) if x.dtype == np.float32 else _scipy("erf")(x)


def _erfc(x):
    """SciPy's; in float64 from 1/2 on e^(-x^2) times the scaled function, with x^2 in two parts, the first exact."""
    from scipy import special

    x, out = np.asarray(x), np.asarray(special.erfc(x))
    if x.dtype == np.float64 and (far := (x > 0.5) & (x < 30)).any():  # from 30 on it is 0
        y = x[far]
        head = y.astype(np.float32).astype(np.float64)
        out[far] = np.exp(-head * head) * np.exp((head - y) * (head + y)) * special.erfcx(y)
    return out


def _gaussian(g, x):
    """g exp(-x^2)"""
    return mul(g, exp(neg(square(x))))


erf = unary(
    "erf", FLOATS, widened(_erf),
    lambda g, z, x: mul(typed_like(x, 2 / sqrt(pi)), _gaussian(g, x)),
)
erfc = unary(
    "erfc", FLOATS, widened(_erfc),
    lambda g, z, x: mul(typed_like(x, -2 / sqrt(pi)), _gaussian(g, x)),
)
erf_inv = unary(
    "erf_inv", FLOATS, widened(inverse_erf),
    lambda g, z, x: mul(typed_like(x, sqrt(pi) / 2), mul(g, exp(square(z)))),
)


# ---- gamma functions -----------------------------------------------------------------------------


def _log_gamma(x):
    """Infinite at both ends; SciPy has -inf at -inf."""
    from scipy import special

    return np.where(np.isinf(x), x.dtype.type(np.inf), special.gammaln(x))


def _digamma(x):
    """NaN at the pole 0, of which SciPy gives the side."""
    from scipy import special

    return np.where(np.equal(x, 0), np.nan, special.psi(x)).astype(x.dtype)


def _zeta(s, q):
    """Hurwitz's sum of (q + k)^-s; at q = 0, -1, ... infinite if both sides agree, else NaN."""
    from scipy import special

    pole = np.less_equal(q, 0) & np.equal(q, np.floor(q))
    at_pole = np.where(np.equal(s, 1) | np.equal(np.fmod(s, 2), 0), np.inf, np.nan)
    out = np.where(pole, at_pole, special.zeta(s, q))
    return np.where(np.isnan(s), np.nan, out).astype(q.dtype)


def _polygamma(m, x):
    """Return (-1)^(m+1) m! zeta(m+1, x) for whole m >= 0, NaN for others."""
    from scipy import special

    wide = np.float64  # in which the product is finite where one factor is large and the other small
    sign = np.where(np.equal(np.fmod(m, 2), 0), -1, 1)
    out = sign * special.gamma(np.add(m, 1, dtype=wide)) * _zeta(np.add(m, 1, dtype=wide), x.astype(wide))
    out = np.where(np.equal(m, 0), _digamma(x), out)
    whole = np.greater_equal(m, 0) & np.equal(m, np.floor(m))
    return np.where(whole, out, np.nan).astype(x.dtype)


def _no_derivative(message):
    def derivative(*_, **__):
        raise ValueError(message)

    return derivative


lgamma = unary("lgamma", FLOATS, widened(_log_gamma), lambda g, z, x: mul(g, digamma(x)))
digamma = unary(
    "digamma", FLOATS, widened(_digamma), lambda g, z, x: mul(g, polygamma(typed_like(x, 1), x))
)
polygamma = binary(
    "polygamma",
    FLOATS,
    widened(_polygamma),
    _no_derivative("polygamma gradient with respect to m is not supported"),
    lambda g, z, m, x: mul(g, polygamma(add(m, typed_like(m, 1)), x)),
)
polygamma.examples(
    (np.array([0, 1, 2, 3], np.float32), ShapedArray((4,), dtypes.float32)),
)
zeta = binary("zeta", FLOATS, widened(_zeta))
zeta.jvp_rule = None


def _gamma_density(g, a, x):
    """g x^(a-1) exp(-x) / gamma(a)"""
    decay = neg(x)
    power = mul(sub(a, fill(a, 1)), log(x))
    density = exp(sub(add(decay, power), lgamma(a)))
    return mul(strong_beside(g, density), density)


def _by_order(g, a, x):
    """g dP(a, x) / da"""
    slope = igamma_grad_a(a, x)
    return mul(strong_beside(g, slope), slope)


igamma = binary(
    "igamma",
    FLOATS,
    widened(_scipy("gammainc")),
    lambda g, z, a, x: _by_order(g, a, x),
    lambda g, z, a, x: _gamma_density(g, a, x),
)
igammac = binary(
    "igammac",
    FLOATS,
    widened(_scipy("gammaincc")),
    lambda g, z, a, x: neg(_by_order(g, a, x)),
    lambda g, z, a, x: neg(_gamma_density(g, a, x)),
)


MAX_TURNS = 2000  # of the series and the continued fraction below; they end when they have converged


def _igamma_grad_a(a, x):
    """Return the derivative of P(a, x) by a.

    That of its power series for x < a + 1, else of the continued fraction of 1 - P: Abramowitz
    and Stegun, 6.5.29 and 6.5.31, each term differentiated as it is added.
    """
    from scipy import special

    dtype, shape = x.dtype, np.broadcast_shapes(a.shape, x.shape)
    a, x = (np.broadcast_to(v, shape).astype(np.float64).ravel() for v in (a, x))
    out = np.full(a.shape, np.nan)
    valid = (a > 0) & (x >= 0)
    out[valid & (x == 0)] = 0
    valid &= (x > 0) & np.isfinite(x) & np.isfinite(a)
    for near in (True, False):
        chosen = valid & ((x < a + 1) == near)
        if not chosen.any():
            continue
        b, y = a[chosen], x[chosen]
        total, slope = _series(b, y) if near else _fraction(b, y)
        start = b + 1 if near else b
        factor = np.exp(b * np.log(y) - y - special.gammaln(start))
        change = factor * ((np.log(y) - special.psi(start)) * total + slope)
        out[chosen] = change if near else -change
    return out.reshape(shape).astype(dtype)


def _series(a, x):
    """1 + x/(a+1) + x^2/((a+1)(a+2)) + ... and its derivative by a."""
    term, dlog = np.ones_like(a), np.zeros_like(a)
    total, slope = term.copy(), dlog.copy()
    for n in range(1, MAX_TURNS):
        term *= x / (a + n)
        dlog -= 1 / (a + n)
        total += term
        slope += term * dlog
        if (term <= 1e-17 * total).all():
            break
    return total, slope


def _fraction(a, x):
    """1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))) and its derivative by a.

    By Lentz's method.
    """
    tiny = 1e-300
    b = x + 1 - a
    c, dc = np.full_like(a, 1 / tiny), np.zeros_like(a)
    d = 1 / b
    dd = d * d
    total, slope = d.copy(), dd.copy()
    for n in range(1, MAX_TURNS):
        numerator, dn = -n * (n - a), float(n)
        b = b + 2
        d, dd = 1 / (numerator * d + b), dn * d + numerator * dd - 1
        dd = -d * d * dd
        c, dc = b + numerator / c, dn / c - numerator * dc / (c * c) - 1
        factor, dfactor = c * d, dc * d + c * dd
        change = total * dfactor
        total, slope = total * factor, slope * factor + change
        # Where a is an integer the fraction ends, and its derivative does not.
        if (np.abs(factor - 1) < 1e-16).all() and (np.abs(change) <= 1e-16 * np.abs(slope)).all():
            break
    return total, slope


igamma_grad_a = binary("igamma_grad_a", FLOATS, widened(_igamma_grad_a))
igamma_grad_a.jvp_rule = None


def _beta_density(g, z, a, b, x):
    """g x^(a-1) (1-x)^(b-1) / beta(a, b)"""
    log_beta = sub(add(lgamma(a), lgamma(b)), lgamma(add(a, b)))
    powers = add(mul(sub(b, like(b, 1)), log1p(neg(x))), mul(sub(a, like(a, 1)), log(x)))
    return mul(exp(sub(powers, log_beta)), g)


def _betainc(a, b, x):
    """Compute in float64: SciPy's float32 is some 30 units in the last place off."""
    wide = [np.asarray(y, np.float64) for y in (a, b, x)]
    return _scipy("betainc")(*wide).astype(a.dtype)


_no_beta_derivative = _no_derivative("Betainc gradient with respect to a and b not supported.")
regularized_incomplete_beta = elementwise(
    "regularized_incomplete_beta",
    FLOATS,
    widened(_betainc),
    arity=3,
    derivatives=(_no_beta_derivative, _no_beta_derivative, _beta_density),
)


# ---- Bessel functions ----------------------------------------------------------------------------


def _bessel_i1e_derivative(g, z, x):
    """g (i0e(x) - i1e(x) (sign(x) + 1/x)), and g/2 at 0."""
    eps = float(dtypes.finfo(aval_of(x).dtype).eps)
    away = gt(abs_(x), like(x, eps))
    safe = select_n(away, fill(x, eps), x)
    slope = sub(bessel_i0e(safe), mul(z, add(sign(safe), integer_pow(safe, y=-1))))
    return mul(g, select_n(away, fill(x, 0.5), slope))


bessel_i0e = unary(
    "bessel_i0e",
    FLOATS,
    widened(_scipy("i0e")),
    lambda g, z, x: mul(g, sub(bessel_i1e(x), mul(sign(x), z))),
)
_i1e = _scipy("i1e")
bessel_i1e = unary("bessel_i1e", FLOATS, widened(lambda x: np.copysign(_i1e(x), x)), _bessel_i1e_derivative)
