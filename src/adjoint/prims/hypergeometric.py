"""The hypergeometric functions 1F1 and 2F1, and the exponential integrals of every order.

Values are SciPy's, imported at first use. By x the derivatives are of the same family; by the parameters they
are sums of the same series, term by term, so these are primitives too.
"""

from __future__ import annotations

import numpy as np

from ..core.types import aval_of
from .arithmetic import add, div, max_, mul, neg, sub
from .domains import FLOATS
from .family import elementwise, fill, like, stretch, widened
from .logic import lt, select_n
from .special import _no_derivative
from .transcendental import exp

__all__ = ["LINEAR_BELOW_IN_1F1", "MAX_OPERAND_OF_1F1", "expn", "hyp1f1", "hyp1f1_of_a", "hyp1f1_of_b", "hyp2f1"]

LINEAR_BELOW_IN_1F1 = 1e-20  # size of an operand of which 1F1 is 1 + a x / b
MAX_OPERAND_OF_1F1 = 1e8  # operand of an 1F1 that is no polynomial


def _expn(n, x):
    """E_n(x) for whole n and positive x; at 0, 1 / (n - 1). Other orders beyond 1 alone, where a fraction gives it."""
    from scipy import special

    finite = np.isfinite(n) & np.isfinite(x) & np.greater_equal(n, 0)
    proper = finite & np.equal(n, np.floor(n))
    out = special.expn(np.where(proper, n, 0).astype(np.int64), x.astype(np.float64))
    between = finite & ~proper & np.greater(x, 1)
    out = np.where(proper, out, np.nan)
    if between.any():
        out = np.where(between, _expn_fraction(np.where(between, n, 1.0), np.where(between, x, 2.0)), out)
    return out.astype(x.dtype)


def _expn_fraction(n, x):
    """E_n(x) for x > 1, by its continued fraction from the front [8.19.17]."""
    n, x = n.astype(np.float64), x.astype(np.float64)
    bottom = x + n
    c, d = 1e300, 1 / bottom
    total = d
    for k in range(1, 500):
        numerator = -k * (n - 1 + k)
        bottom = bottom + 2
        d = 1 / (numerator * d + bottom)
        c = bottom + numerator / c
        total = total * (c * d)
        if not np.any(np.abs(c * d - 1) > 4e-16):
            break
    return np.exp(-x) * total


def _expn_by_x(g, z, n, x):
    """-E_(n-1), and below E_0 by the recurrence e^-x = (n - 1) E_n + x E_(n-1), where nothing cancels."""
    one, lower = like(n, 1), sub(n, like(n, 1))
    named = expn(max_(lower, fill(lower, 0)), x)
    below = stretch(lt(n, one), aval_of(z).shape)
    return neg(mul(g, select_n(below, named, div(sub(exp(neg(x)), mul(lower, z)), x))))


def _hyp1f1(a, b, x):
    """1 where a is 0, whatever b is; e^x where it is b; a polynomial may end before its pole.

    SciPy does not come back from an x far beyond overflow, and is infinite for some that are nearly 0.
    """
    from scipy import special

    is_polynomial = np.equal(a, np.floor(a)) & np.less_equal(a, 0)
    inside = np.where(is_polynomial, x.astype(np.float64), np.minimum(x, MAX_OPERAND_OF_1F1, dtype=np.float64))
    out = special.hyp1f1(a.astype(np.float64), b.astype(np.float64), inside)
    near = (np.abs(x) < LINEAR_BELOW_IN_1F1) & np.not_equal(x, 0)
    out = np.where(near, 1 + np.divide(a, b, where=near, out=np.zeros(out.shape), dtype=np.float64) * x, out)
    pole = np.equal(b, np.floor(b)) & np.less_equal(b, 0) & ~(is_polynomial & np.greater(a, b))
    out = np.where(pole, np.where(np.equal(a, b), np.exp(x.astype(np.float64)), np.inf), out)
    return np.where(np.equal(a, 0), 1, out).astype(x.dtype)


def _series(weights):
    """Return the sum over k of (a)_k / (b)_k x^k / k! times `weights(a, b, k)`, in float64."""

    def evaluate(a, b, x):
        shape, dtype = x.shape, x.dtype
        a, b, x = (np.asarray(v, np.float64) for v in (a, b, x))
        total, term, weight = np.zeros(shape), np.ones(shape), np.zeros(shape)
        until = np.abs(a) + np.abs(b)  # before, a term may vanish among others
        for k in range(2000):
            weight = weight + weights(a, b, k)
            term = term * (a + k) / (b + k) * x / (k + 1)
            step = term * weight
            total = total + step
            if not np.any((np.abs(step) > 1e-17 * np.abs(total)) | (k < until)):
                break
        return total.astype(dtype)

    return widened(evaluate)


def _known(name: str):
    return _no_derivative(f"The second derivative of {name} by its parameters is not supported.")


expn = elementwise(
    "expn", FLOATS, widened(_expn), arity=2,
    derivatives=(lambda g, z, n, x: mul(g, like(x, 0)), _expn_by_x),
)
# d/da (a)_k = (a)_k times the sum of 1 / (a + j) for j < k, and so on.
hyp1f1_of_a = elementwise(
    "hyp1f1_of_a", FLOATS, _series(lambda a, b, k: 1 / (a + k)), arity=3,
    derivatives=(_known("hyp1f1"), _known("hyp1f1"), _known("hyp1f1")),
)
hyp1f1_of_b = elementwise(
    "hyp1f1_of_b", FLOATS, _series(lambda a, b, k: -1 / (b + k)), arity=3,
    derivatives=(_known("hyp1f1"), _known("hyp1f1"), _known("hyp1f1")),
)
hyp1f1 = elementwise(
    "hyp1f1", FLOATS, widened(_hyp1f1), arity=3,
    derivatives=(
        lambda g, z, a, b, x: mul(g, hyp1f1_of_a(a, b, x)),
        lambda g, z, a, b, x: mul(g, hyp1f1_of_b(a, b, x)),
        lambda g, z, a, b, x: mul(g, mul(div(a, b), hyp1f1(add(a, like(a, 1)), add(b, like(b, 1)), x))),
    ),
)


def _hyp2f1(a, b, c, x):
    """SciPy's, real: beyond 1 finite only where the function is a rational one of x."""
    from scipy import special

    return special.hyp2f1(*(v.astype(np.float64) for v in (a, b, c, x))).astype(x.dtype)


def _hyp2f1_by_x(g, z, a, b, c, x):
    one = like(x, 1)
    return mul(g, mul(div(mul(a, b), c), hyp2f1(add(a, one), add(b, one), add(c, one), x)))


def _by_parameter(place: int):
    """Return a central difference in float64, as the series is not one of a known function."""

    def evaluate(a, b, c, x):
        from scipy import special

        dtype = x.dtype
        args = [np.asarray(v, np.float64) for v in (a, b, c, x)]
        step = 1e-3 * np.maximum(1, np.abs(args[place]))
        moved = lambda k: special.hyp2f1(*(v + k * step if i == place else v for i, v in enumerate(args)))
        out = (45 * (moved(1) - moved(-1)) - 9 * (moved(2) - moved(-2)) + (moved(3) - moved(-3))) / (60 * step)
        return out.astype(dtype)

    name = "hyp2f1_of_" + "abc"[place]
    return elementwise(name, FLOATS, widened(evaluate), arity=4, derivatives=(_known("hyp2f1"),) * 4)


hyp2f1_of_a, hyp2f1_of_b, hyp2f1_of_c = (_by_parameter(place) for place in range(3))
hyp2f1 = elementwise(
    "hyp2f1", FLOATS, widened(_hyp2f1), arity=4,
    derivatives=(
        lambda g, z, *args: mul(g, hyp2f1_of_a(*args)), lambda g, z, *args: mul(g, hyp2f1_of_b(*args)),
        lambda g, z, *args: mul(g, hyp2f1_of_c(*args)), _hyp2f1_by_x,
    ),
)
