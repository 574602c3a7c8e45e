"""The primitive `random_gamma`: gamma-distributed numbers, and how they vary with the distribution's shape.

Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): a rejection loop for each
element, with a key of its own, so the numbers do not depend on how many are made together.
"""

from __future__ import annotations

from functools import reduce
from math import comb, factorial

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray, aval_of
from ..core.values.zeros import Zero
from .arithmetic import add, mul, neg, sub
from .domains import FLOATS, check_dtype
from .family import binary, like
from .generators import THREEFRY, as_when_traced, owner
from .shape import materialise_batch
from .special import MAX_TURNS, _fraction, _series, digamma, erf_inv, polygamma
from .transcendental import exp, log

__all__ = ["gamma_bend", "random_gamma", "random_gamma_grad", "random_gamma_p"]


# ---- samples -------------------------------------------------------------------------------------


def _unit(generator, keys, dtype) -> np.ndarray:
    """Return one uniform number in [0, 1) for each key, as `random.uniform` makes it."""
    info = dtypes.finfo(dtype)
    width = 8 if info.nmant < 8 else info.bits
    bits = generator.bits_alone(keys, width, ()).astype(f"uint{info.bits}")
    bits >>= bits.dtype.type(width - info.nmant)
    return (bits | np.asarray(1, dtype).view(bits.dtype)).view(dtype) - dtype.type(1)


def _normal(generator, keys, dtype) -> np.ndarray:
    one = dtype.type(1)
    low = np.nextafter(-one, one)
    x = np.maximum(low, _unit(generator, keys, dtype) * (one - low) + low)
    return dtype.type(np.sqrt(2)) * erf_inv.evaluate_rule(x)


def _children(generator, keys, n: int):
    return np.moveaxis(generator.split_alone(keys, (n,)), -1, 0)


def _accepted_cubes(generator, keys, d, c):
    """Return (1 + c x)^3 for the first normal x that passes the test, of each element."""
    dtype = d.dtype
    number = dtype.type
    cubes = np.ones_like(d)
    todo = np.arange(d.size)  # the elements that have not passed
    squares, v, u = np.zeros_like(d), np.ones_like(d), np.full_like(d, 2)
    while True:
        squeeze = u >= number(1) - number(0.0331) * (squares * squares)
        bound = squares * number(0.5) + d[todo] * (number(1) - v + np.log(v))
        rejected = squeeze & (np.log(u) >= bound)
        cubes[todo] = v
        todo, keys = todo[rejected], keys[rejected]
        if not todo.size:
            return cubes
        keys, x_keys, u_keys = _children(generator, keys, 3)
        x, v = _positive(generator, x_keys, c[todo])
        squares, v, u = x * x, v * v * v, _unit(generator, u_keys, dtype)


def _positive(generator, keys, c):
    """Normal numbers x for which v = 1 + c x is positive, and v."""
    x, v = np.zeros_like(c), np.full_like(c, -1)
    todo = np.arange(c.size)
    while todo.size:
        keys, subkeys = _children(generator, keys, 2)
        x[todo] = _normal(generator, subkeys, c.dtype)
        v[todo] = 1 + x[todo] * c[todo]
        again = v[todo] <= 0
        todo, keys = todo[again], keys[again]
    return x, v


def _sample(keys, alpha, log_space: bool) -> np.ndarray:
    dtype = alpha.dtype
    number = dtype.type
    generator = owner(keys)
    keys = generator.split(keys, (alpha.size // max(1, keys.size),)).ravel()
    alpha = alpha.ravel()
    # A number for alpha < 1 is one for alpha + 1 times u^(1 / alpha).
    large = alpha >= 1
    d = np.where(large, alpha, alpha + number(1)) - number(1 / 3)
    c = number(1 / 3) / np.sqrt(d)
    keys, boost_keys = _children(generator, keys, 2)
    cubes = _accepted_cubes(generator, keys, d, c)
    u = _unit(generator, boost_keys, dtype)
    if log_space:
        log_u = np.log1p(-u)
        boost = np.where(large | (log_u == 0), number(0), log_u * (number(1) / alpha))
        return np.log(d) + np.log(cubes) + boost
    boost = np.where(large, number(1), (number(1) - u) ** (number(1) / alpha))
    return d * cubes * boost


random_gamma = random_gamma_p = Primitive("random_gamma")


@random_gamma.type
def _(keys, alpha, *, log_space, partitionable=None):
    check_dtype("random_gamma", FLOATS, alpha.dtype)
    if keys.shape != alpha.shape[: keys.ndim]:
        raise TypeError(
            "random_gamma needs keys whose shape is a prefix of alpha's, got "
            f"{keys.str_short(True)} and {alpha.str_short(True)}."
        )
    return ShapedArray(alpha.shape, alpha.dtype)


@random_gamma.evaluate
def _(keys, alpha, *, log_space):
    keys, alpha = np.asarray(keys), np.asarray(alpha)
    return _sample(keys, alpha, log_space).reshape(alpha.shape)


as_when_traced(random_gamma)


@random_gamma.jvp
def _(primals, tangents, *, log_space, **way):
    keys, alpha = primals
    out = random_gamma(keys, alpha, log_space=log_space, **way)
    if type(tangents[1]) is Zero:
        return out, Zero(aval_of(out))
    return out, mul(tangents[1], random_gamma_grad(alpha, out, log_space=log_space))


@random_gamma.batch
def _(args, dims, **params):
    size = next(x.shape[d] for x, d in zip(args, dims) if d is not None)
    keys, alpha = (materialise_batch(x, d, size) for x, d in zip(args, dims))
    return random_gamma(keys, alpha, **params), 0


random_gamma.examples(
    *[
        (
            ShapedArray(keys, THREEFRY.dtype),
            ShapedArray(alpha, np.dtype(dtype)),
            dict(log_space=log_space),
        )
        for keys, alpha, dtype, log_space in (
            ((), (2, 3), "float32", False),
            ((2,), (2, 3), "float32", True),
            ((), (), "float64", False),
            ((0,), (0,), "float32", True),
        )
    ]
)


# ---- derivatives ---------------------------------------------------------------------------------


def _slope(alpha, x, *, log_space: bool = False) -> np.ndarray:
    """dx / d alpha of a sample x, or of its logarithm.

    The probability P(alpha, x) of less stays the same, so dx / d alpha = -(dP / d alpha) / (dP / dx). The
    factors that could overflow cancel if P is taken as its series, or as its continued fraction.
    """
    from scipy.special import psi

    alpha, x = np.broadcast_arrays(alpha, x)
    shape, dtype = x.shape, x.dtype
    a, x = alpha.astype(np.float64).ravel(), x.astype(np.float64).ravel()
    log_x, x = (x, np.exp(x)) if log_space else (np.log(x), x)
    out = np.full(a.shape, np.nan)
    valid = (a > 0) & np.isfinite(a) & np.isfinite(x)
    for near in (True, False):
        chosen = valid & ((x < a + 1) == near)
        if not chosen.any():
            continue
        b, y, log_y = a[chosen], x[chosen], log_x[chosen]
        total, slope = _series(b, y) if near else _fraction(b, y)
        change = (log_y - psi(b + 1 if near else b)) * total + slope
        out[chosen] = -change / b if near else change
    if not log_space:
        out = np.where(valid & (x == 0), 0, out * x)
    return out.astype(dtype).reshape(shape)


def _bend(alpha, log_x, *, order: int) -> np.ndarray:
    """Return the derivative of P(alpha, x) by alpha of that order, over its derivative by log x.

    In Taylor series in alpha: those of the factors that do not cancel, and of the series or the continued fraction.
    """
    from scipy.special import polygamma

    alpha, log_x = np.broadcast_arrays(alpha, log_x)
    dtype = log_x.dtype
    a, log_x = alpha.astype(np.float64).ravel(), log_x.astype(np.float64).ravel()
    x = np.exp(log_x)
    out = np.full(a.shape, np.nan)
    valid = (a > 0) & np.isfinite(a) & np.isfinite(x)
    for near in (True, False):
        chosen = valid & ((x < a + 1) == near)
        if not chosen.any():
            continue
        b, y = a[chosen], x[chosen]
        exponents = [-polygamma(j - 1, b + 1 if near else b) / factorial(j) for j in range(1, order + 1)]
        exponents[0] = exponents[0] + log_x[chosen]
        sums = _series_in_alpha(b, y, order) if near else _fraction_in_alpha(b, y, order)
        found = _product(_exponential(exponents), sums)[order] * factorial(order)
        out[chosen] = found / b if near else -found
    return out.astype(dtype).reshape(alpha.shape)


def _product(p, q):
    """Return the Taylor series of a product, up to the order of both."""
    return [sum(p[j] * q[i - j] for j in range(i + 1)) for i in range(len(p))]


def _reciprocal(p):
    out = [1 / p[0]]
    for i in range(1, len(p)):
        out.append(-out[0] * sum(p[j] * out[i - j] for j in range(1, i + 1)))
    return out


def _exponential(p):
    """Return the Taylor series of the exponential of p[0] h + p[1] h^2 + ..."""
    out = [np.ones_like(p[0])]
    for i in range(1, len(p) + 1):
        out.append(sum(j * p[j - 1] * out[i - j] for j in range(1, i + 1)) / i)
    return out


def _series_in_alpha(a, x, order):
    """1 + x/(a+1) + x^2/((a+1)(a+2)) + ..., as a Taylor series in a."""
    term = [np.full_like(a, float(i == 0)) for i in range(order + 1)]
    total = list(term)
    for n in range(1, MAX_TURNS):
        last = 0.0
        for i, t in enumerate(term):
            last = term[i] = (x * t - last) / (a + n)
            total[i] = total[i] + last
        if all((np.abs(t) <= 1e-17 * np.abs(s)).all() for t, s in zip(term, total)):
            break
    return total


def _fraction_in_alpha(a, x, order):
    """1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))), as a Taylor series in a, by Lentz's method."""
    constant = lambda v: [v, *[np.zeros_like(a) for _ in range(order)]]
    linear = lambda v, slope: [v, np.full_like(a, slope), *[np.zeros_like(a) for _ in range(order - 1)]]
    plus = lambda p, q: [v + w for v, w in zip(p, q)]
    b = x + 1 - a
    c, d = constant(np.full_like(a, 1e300)), _reciprocal(linear(b, -1.0))
    total = d
    for n in range(1, MAX_TURNS):
        b = b + 2
        numerator, denominator = linear(n * (a - n), float(n)), linear(b, -1.0)
        d = _reciprocal(plus(_product(numerator, d), denominator))
        c = plus(_product(numerator, _reciprocal(c)), denominator)
        before, total = total, _product(total, _product(c, d))
        if all((np.abs(v - w) <= 1e-16 * np.abs(w)).all() for v, w in zip(before, total)):
            break
    return total


def _less_mean(a, log_x):
    """Return the derivative by alpha of the logarithm of the density of log x."""
    return sub(log_x, digamma(a))


def _by_alpha(g, z, a, x, *, log_space: bool = False):
    log_x = x if log_space else log(x)
    bend = gamma_bend(a, log_x, order=2)
    return neg(mul(g, add(bend if log_space else mul(x, bend), mul(z, _less_mean(a, log_x)))))


def _by_x(g, z, a, x, *, log_space: bool = False):
    log_x = x if log_space else log(x)
    slope = z if log_space else random_gamma_grad(a, log_x, log_space=True)
    change = add(_less_mean(a, log_x), mul(slope, sub(a, exp(x) if log_space else x)))
    return neg(mul(g, change if log_space else sub(change, slope)))


def _bend_by_alpha(g, z, a, log_x, *, order: int):
    return mul(g, sub(gamma_bend(a, log_x, order=order + 1), mul(z, _less_mean(a, log_x))))


def _bend_by_log_x(g, z, a, log_x, *, order: int):
    """Return the derivatives by alpha of the density over the density are Bell's polynomials in those of its logarithm.
    """
    change = [_less_mean(a, log_x), *[neg(polygamma(like(a, j), a)) for j in range(1, order)]]
    bell = [like(a, 1)]
    for n in range(order):
        terms = [mul(like(a, comb(n, k)), mul(bell[n - k], change[k])) for k in range(n + 1)]
        bell.append(reduce(add, terms))
    return mul(g, sub(bell[order], mul(z, sub(a, exp(log_x)))))


random_gamma_grad = binary("random_gamma_grad", FLOATS, _slope, _by_alpha, _by_x)
gamma_bend = binary("gamma_bend", FLOATS, _bend, _bend_by_alpha, _bend_by_log_x, params=({"order": 2},))
