"""Functions that are integrals or inverses of others, one row each: exponential integrals, Dawson's, Fresnel's, ...

Their values are SciPy's, imported at first use; narrow dtypes are computed in float32.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from ..core.types import aval_of
from .arithmetic import abs_, add, div, mul, neg, square, sub
from .conversion import convert_element_type
from .domains import COMPLEX, FLOATS
from .family import binary, fill, like, unary, widened
from .logic import eq, lt, select_n
from .special import erf
from .transcendental import cos, exp, log, sin

__all__ = [
    "bessel_j", "cosine_integral", "dawsn", "erfcx", "exp1", "expi", "fresnel_c", "fresnel_s", "log_ndtr", "ndtri",
    "owens_t", "sine_integral", "spence", "wofz",
]


def _scipy(name, part=None):
    """SciPy's function of that name, or one of its results, in the dtype of the operands."""

    def evaluate(*args):
        from scipy import special

        out = getattr(special, name)(*args)
        return (out if part is None else out[part]).astype(args[0].dtype, copy=False)

    return widened(evaluate)


def _odd(function):
    """Return an odd function of its last operand with the sign of that, which SciPy's have not at -0."""
    return lambda *args: np.copysign(function(*args), args[-1])


def _exp1(x):
    from scipy import special

    return np.where(np.less(x, 0), np.nan, special.exp1(x)).astype(x.dtype)


def _fresnel(part):
    """SciPy's has no value where the square of x is infinite."""
    found = _odd(_scipy("fresnel", part))
    return lambda x: found(np.clip(x, -1e150, 1e150)) if x.dtype.itemsize == 8 else found(x)


def _cosine_integral(x):
    from scipy import special

    return special.sici(np.abs(x))[1].astype(x.dtype, copy=False)


def _sine_integral_derivative(g, z, x):
    zero = eq(x, like(x, 0))
    safe = add(x, convert_element_type(zero, new_dtype=x.dtype, weak_type=False, sharding=None))
    return mul(g, select_n(zero, div(sin(x), safe), cos(x)))


def _strong(x):
    aval = aval_of(x)
    return convert_element_type(x, new_dtype=aval.dtype, weak_type=False, sharding=None) if aval.weak_type else x


# JAX parity: the results of these and of log_ndtr are never weak, and their derivatives as far as they depend on them.
expi = unary("expi", FLOATS, _scipy("expi"), lambda g, z, x: mul(g, div(exp(x), x)), is_strong=True)
exp1 = unary(
    "exp1", FLOATS, widened(_exp1), lambda g, z, x: neg(mul(g, _strong(div(exp(neg(x)), x)))), is_strong=True
)


_TERMS = 9  # of the series of log(x) / (1 - x) about 1, which is exact in float64 as near as 0.01


def _spence_slope(g, z, x):
    """Return the slope, a quotient that is 0 / 0 at 1, where it has a series."""
    one = like(x, 1)
    d = sub(one, x)
    is_near = lt(abs_(d), like(x, 0.01))
    series = like(x, -1 / _TERMS)
    for k in range(_TERMS - 1, 0, -1):
        series = sub(mul(series, d), like(x, 1 / k))
    away = select_n(is_near, x, fill(x, 2))
    return mul(g, select_n(is_near, div(log(away), sub(one, away)), series))


spence = unary("spence", FLOATS, _scipy("spence"), _spence_slope)
dawsn = unary(
    "dawsn", FLOATS, _scipy("dawsn"), lambda g, z, x: mul(g, sub(like(x, 1), mul(like(x, 2), mul(x, z))))
)
erfcx = unary(
    "erfcx", FLOATS, _scipy("erfcx"),
    lambda g, z, x: mul(g, sub(mul(like(x, 2), mul(x, z)), like(x, 2 / sqrt(pi)))),
)
sine_integral = unary("sine_integral", FLOATS, _odd(_scipy("sici", 0)), _sine_integral_derivative)
cosine_integral = unary(
    "cosine_integral", FLOATS, widened(_cosine_integral), lambda g, z, x: mul(g, div(cos(x), x))
)
fresnel_s = unary(
    "fresnel_s", FLOATS, _fresnel(0), lambda g, z, x: mul(g, sin(mul(like(x, pi / 2), square(x))))
)
fresnel_c = unary(
    "fresnel_c", FLOATS, _fresnel(1), lambda g, z, x: mul(g, cos(mul(like(x, pi / 2), square(x))))
)

# The normal distribution: the logarithm of its distribution function, and the inverse of that function.
log_ndtr = unary(
    "log_ndtr", FLOATS, _scipy("log_ndtr"),
    lambda g, z, x: mul(
        mul(g, like(x, 1 / sqrt(2 * pi))), exp(sub(mul(like(x, -0.5), square(x)), z))
    ),
    is_strong=True,
)


def _ndtri_derivative(g, z, x):
    """Return the reciprocal of the normal density at z; JAX parity: 0 at 0 and 1, where it is infinite."""
    endless = eq(abs_(z), like(z, np.inf))
    slope = mul(like(x, sqrt(2 * pi)), exp(mul(like(x, 0.5), square(select_n(endless, z, fill(z, 0))))))
    return mul(g, select_n(endless, slope, fill(slope, 0)))


ndtri = unary("ndtri", FLOATS, _scipy("ndtri"), _ndtri_derivative)

# Owen's T: the integral of exp(-h^2 (1 + x^2) / 2) / (2 pi (1 + x^2)) from 0 to a.
owens_t = binary(
    "owens_t", FLOATS, _odd(_scipy("owens_t")),
    lambda g, z, h, a: mul(
        mul(g, like(h, -1 / (2 * sqrt(2 * pi)))),
        mul(erf(mul(mul(a, h), like(h, sqrt(0.5)))), exp(mul(like(h, -0.5), square(h)))),
    ),
    lambda g, z, h, a: mul(
        mul(g, like(a, 1 / (2 * pi))),
        div(
            exp(mul(mul(like(h, -0.5), square(h)), add(like(a, 1), square(a)))), add(like(a, 1), square(a))
        ),
    ),
)

# Faddeeva's function, exp(-z^2) erfc(-i z).
wofz = unary(
    "wofz", COMPLEX, _scipy("wofz"),
    lambda g, w, z: mul(g, sub(like(z, 2j / sqrt(pi)), mul(like(z, 2), mul(z, w)))),
)


def _bessel_j(x, *, order):
    from scipy import special

    return special.jv(order, x).astype(x.dtype, copy=False)


def _bessel_j_derivative(g, z, x, *, order):
    if order == 0:
        return neg(mul(g, bessel_j(x, order=1)))
    return mul(mul(g, like(x, 0.5)), sub(bessel_j(x, order=order - 1), bessel_j(x, order=order + 1)))


bessel_j = unary(
    "bessel_j", FLOATS, widened(_bessel_j), _bessel_j_derivative, params=({"order": 0}, {"order": 2})
)
