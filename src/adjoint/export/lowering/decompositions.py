"""Special functions as programs of simple operations, for readers of artifacts that do not know the functions.

An artifact names each of them as a composite (`chlo.erf`), which this library and XLA read as the function, and gives
one of these programs beside the name. All compute in float64.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial, pi, sqrt

import numpy as np

from ... import lax
from ...core.types import aval_of
from ...prims import inverse_erf as tables

__all__ = ["DECOMPOSITIONS"]

_BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330]
# Lanczos' approximation of gamma with g = 7.
_LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]


def _full(x, value):
    return lax.full_like(x, value)


def _where(which, x, y):
    shape = aval_of(which).shape
    wide = lambda v: v if hasattr(v, "shape") else lax.full(shape, v, np.float64)
    return lax.select(which, wide(x), wide(y))


def _polynomial(coefficients, x):
    """Return the highest power first."""
    out = _full(x, coefficients[0])
    for c in coefficients[1:]:
        out = out * x + c
    return out


def _erf_near(x):
    """2/sqrt(pi) exp(-x^2) x sum of (2x^2)^n / (2n + 1)!!, whose terms have one sign: Abramowitz and Stegun, 7.1.6."""
    square = x * x * 2.0
    total = _full(x, 1.0)
    for n in range(60, 0, -1):
        total = total * square / (2 * n + 1) + 1.0
    return 2 / sqrt(pi) * lax.exp(-x * x) * x * total


def _erfc_far(x):
    """exp(-x^2) / sqrt(pi) times a continued fraction, for x >= 2: Abramowitz and Stegun, 7.1.14."""
    below = x
    for n in range(60, 0, -1):
        below = x + n / 2 / below
    return lax.exp(-x * x) / below / sqrt(pi)


def _erf(x):
    size = lax.abs(x)
    near = size < 2
    far = lax.max(size, _full(x, 2.0))
    return _where(near, _erf_near(_where(near, x, 0.0)), lax.sign(x) * (1.0 - _erfc_far(far)))


def _erfc(x):
    far = _erfc_far(lax.max(lax.abs(x), _full(x, 2.0)))
    near = lax.abs(x) < 2
    return _where(near, 1.0 - _erf_near(_where(near, x, 0.0)), _where(x > 0, far, 2.0 - far)) + x * 0


def _erf_inv(x):
    w = -lax.log1p(-(x * x))
    (first, centre), (second, tail), (_, end) = tables._CENTRE64, tables._TAIL64, tables._FAR64
    root = lax.sqrt(w)
    out = _where(w < first, _polynomial(centre, w - 3.125),
                 _where(w < second, _polynomial(tail, root - 3.25), _polynomial(end, root - 5.0))) * x
    size = lax.abs(x)
    return _where(size < 1, out, _where(lax.eq(size, _full(x, 1.0)), x * np.inf, np.nan))


def _reduced(x):
    """Return the distance to the nearest integer, with its sign."""
    return x - lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)


def _digamma(x):
    """Use recurrence up to 10, the asymptotic series, and reflection: Abramowitz and Stegun, 6.3.5, 6.3.7, 6.3.18."""
    negative = x <= 0
    y = _where(negative, 1.0 - x, x)
    lost = _full(x, 0.0)
    for _ in range(10):
        low = y < 10
        lost = lost + _where(low, 1.0 / y, 0.0)
        y = _where(low, y + 1.0, y)
    square = 1.0 / (y * y)
    series = square * _polynomial([b / (2 * k) for k, b in reversed(list(enumerate(_BERNOULLI[:7], 1)))], square)
    out = lax.log(y) - 0.5 / y - series - lost
    out = _where(lax.eq(y, _full(y, np.inf)), y, out)
    turn = _reduced(x) * pi
    out = _where(negative, out - pi * lax.cos(turn) / lax.sin(turn), out)
    pole = negative & lax.eq(x, lax.floor(x))
    return _where(pole, np.nan, out)


def _lgamma(x):
    """Lanczos' series, and reflection below 1/2."""
    low = x < 0.5
    z = _where(low, -x, x - 1.0)
    total = _full(x, _LANCZOS[0])
    for k, c in enumerate(_LANCZOS[1:], 1):
        total = total + c / (z + float(k))
    t = z + 7.5
    out = (z + 0.5) * lax.log(t) - t + 0.5 * np.log(2 * pi) + lax.log(total)
    turn = lax.abs(lax.sin(_reduced(x) * pi))
    mirrored = np.log(pi) - lax.log(turn) - out
    out = _where(low, mirrored, out)
    pole = (x <= 0) & lax.eq(x, lax.floor(x))
    return _where(pole | lax.eq(lax.abs(x), _full(x, np.inf)), np.inf, out)


def _bessel_i1e(x):
    """Return the power series up to 20, the asymptotic one beyond: Abramowitz and Stegun, 9.6.10 and 9.7.1."""
    size = lax.abs(x)
    near = lax.min(size, _full(x, 20.0))
    square = near * near / 4.0
    total = _full(x, 1.0)
    for k in range(60, 0, -1):
        total = total * square / (k * (k + 1)) + 1.0
    small = near / 2.0 * total * lax.exp(-near)
    far = lax.max(size, _full(x, 20.0))
    total = _full(x, 1.0)
    for k in range(20, 0, -1):
        total = 1.0 - total * (4 - (2 * k - 1) ** 2) / (8.0 * k) / far
    return lax.sign(x) * _where(size < 20, small, total / lax.sqrt(2 * pi * far))


def _zeta(s, q):
    """Hurwitz' zeta function by Euler and Maclaurin's formula, for s > 1."""
    total, y = _full(q, 0.0), q
    for _ in range(12):
        total = total + lax.pow(y, -s)
        y = y + 1.0
    power = lax.pow(y, -s)
    total = total + power * y / (s - 1.0) + 0.5 * power
    factor, divided = s, power / y
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + b / factorial(2 * k) * factor * divided
        factor = factor * (s + float(2 * k - 1)) * (s + float(2 * k))
        divided = divided / (y * y)
    whole = lax.eq(q, lax.floor(q)) & (q <= 0)
    total = _where(whole, np.inf, total)
    return _where(s < 1, np.nan, _where(lax.eq(s, _full(s, 1.0)), np.inf, total))


def _polygamma(n, x):
    sign = _where(lax.eq(lax.rem(n, _full(n, 2.0)), _full(n, 0.0)), -1.0, 1.0)
    found = sign * lax.exp(_lgamma(n + 1.0)) * _zeta(n + 1.0, x)
    found = _where(lax.eq(n, _full(n, 0.0)), _digamma(x), found)
    return _where((n < 0) | lax.ne(n, lax.floor(n)), np.nan, found)


def _next_after(x, y):
    """Add one to the bits, or take one away: away from zero or towards it."""
    word = np.dtype(f"int{8 * aval_of(x).dtype.itemsize}")
    bits = lax.bitcast_convert_type(x, word)
    outwards = lax.bitwise_xor(x < y, x < 0)
    moved = lax.bitcast_convert_type(bits + lax.select(outwards, _full(bits, 1), _full(bits, -1)), x.dtype)
    least = lax.bitcast_convert_type(_full(bits, 1), x.dtype)
    out = lax.select(lax.eq(x, _full(x, 0)), lax.select(y < 0, -least, least), moved)
    out = lax.select(lax.eq(x, y), y, out)
    return lax.select(lax.ne(x, x) | lax.ne(y, y), _full(x, np.nan), out)


_SIMPLE: dict[str, Callable] = {
    "acos": lambda x: 2.0 * lax.atan2(lax.sqrt(1.0 - x), lax.sqrt(1.0 + x)),
    "asin": lambda x: 2.0 * lax.atan2(x, 1.0 + lax.sqrt((1.0 - x) * (1.0 + x))),
    "atan": lambda x: lax.atan2(x, _full(x, 1.0)),
    "acosh": lambda x: lax.log(x + lax.sqrt(x - 1.0) * lax.sqrt(x + 1.0)),
    "asinh": lambda x: lax.sign(x) * lax.log1p(
        lax.abs(x) + x * x / (1.0 + lax.sqrt(x * x + 1.0))),
    "atanh": lambda x: 0.5 * (lax.log1p(x) - lax.log1p(-x)),
    "cosh": lambda x: 0.5 * (lax.exp(x) + lax.exp(-x)),
    "sinh": lambda x: 0.5 * (lax.expm1(x) + lax.expm1(x) / (lax.expm1(x) + 1.0)),
    "erf": _erf, "erfc": _erfc, "erf_inv": _erf_inv, "digamma": _digamma, "lgamma": _lgamma,
    "bessel_i1e": _bessel_i1e, "zeta": _zeta, "polygamma": _polygamma,
}


def _complex(name: str, x):
    """Return functions of complex numbers by their formulas."""
    i, one = _full(x, 1j), _full(x, 1)
    root = lax.sqrt
    if name in ("asin", "asinh"):
        z = x if name == "asinh" else i * x
        found = lax.log(z + root(z * z + one))
        return found if name == "asinh" else -i * found
    if name in ("acos", "acosh"):
        found = lax.log(x + root(x - one) * root(x + one))
        return found if name == "acosh" else -i * lax.log(x + i * root(one - x) * root(one + x))
    if name in ("atan", "atanh"):
        z = x if name == "atanh" else i * x
        found = (lax.log(one + z) - lax.log(one - z)) * _full(x, 0.5)
        return found if name == "atanh" else -i * found
    grown, shrunk = lax.exp(x), lax.exp(-x)
    return (grown + shrunk if name == "cosh" else grown - shrunk) * _full(x, 0.5)


def _in_double(name: str) -> Callable:
    def run(*xs):
        dtype = aval_of(xs[0]).dtype
        if dtype.kind == "c":
            return [_complex(name, *xs)]
        wide = [lax.convert_element_type(x, np.float64) for x in xs]
        return [lax.convert_element_type(_SIMPLE[name](*wide), dtype)]

    return run


DECOMPOSITIONS: dict[str, Callable] = {name: _in_double(name) for name in _SIMPLE}
DECOMPOSITIONS["next_after"] = lambda x, y: [_next_after(x, y)]


def _top_k(x, k):
    """Return a stable sort of all, the greatest first."""
    axis = aval_of(x).ndim - 1
    places = lax.broadcasted_iota(np.int32, aval_of(x).shape, axis)
    turned = [lax.rev(v, (axis,)) for v in (x, places)]
    outs = [lax.rev(v, (axis,)) for v in lax.sort(tuple(turned), dimension=axis, num_keys=1)]
    return [lax.slice_in_dim(v, 0, k, axis=axis) for v in outs]


DECOMPOSITIONS["top_k"] = _top_k
