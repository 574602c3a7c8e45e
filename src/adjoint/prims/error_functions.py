"""erf and its inverse in float32, in NumPy alone.

Importing SciPy takes longer than most programs run. `random.normal` is the inverse error function
of uniform numbers, and its values are to be XLA's to the last bit. So the inverse, and the
logarithms in it, follow XLA's formulas operation for operation; a product and a sum that a CPU
fuses are one rounding here too (`_fused`). Other dtypes are in `special.py`.
"""

from __future__ import annotations

import numpy as np

__all__ = ["erf", "inverse_erf"]

_f = np.float32


def _row(*coefficients):
    return [_f(c) for c in coefficients]


# Eigen's x p(x^2) / q(x^2), up to where the result is 1; highest power first.
_BOUND = _f(3.832506856900711)
_ERF_P = _row(
    0.00022905065861350646, 0.0034082910107109506, 0.050955695062380861, 0.18520832239976145,
    1.128379143519084,
)
_ERF_Q = _row(
    -1.1791602954361697e-7, 0.000023547966471313185, 0.0010179625278914885, 0.014070470171167667,
    0.11098505178285362, 0.49746925110067538, 1.0,
)

# Giles, "Approximating the erfinv function" (2012), table 5: polynomials in w = -log(1 - x^2),
# for the centre in w - 2.5, for the tails, from w = 5, in sqrt(w) - 3.
_CENTRE = _row(
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)
_TAILS = _row(
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)

# Cephes: log1p(x) = x - x^2/2 + x^3 p(x)/q(x) for |x| < sqrt(2) - 1.
_LOG1P_P = _row(
    4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969,
    2.9911919328553073277375e1, 6.0949667980987787057556e1, 5.7112963590585538103336e1,
    2.0039553499201281259648e1,
)
_LOG1P_Q = _row(
    1.0, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2,
    3.0909872225312059774938e2, 2.1642788614495947685003e2, 6.0118660497603843919306e1,
)
_NEAR = _f(0.41421356237309504880)

# Cephes: log of 2^e (1 + m) with 1 + m near 1; e times the larger part of log(2) is exact.
_LOG = _row(
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)
_HALF_ROOT = _f(0.707106781186547524)
_LOG2_SMALL, _LOG2_LARGE = _f(-2.12194440e-4), _f(0.693359375)


def erf(x):
    """The error function of float32; at most 7 units in the last place from XLA's."""
    x = np.clip(x, -_BOUND, _BOUND)
    square = x * x
    return x * _polynomial(_ERF_P, square) / _polynomial(_ERF_Q, square)


def _polynomial(coefficients, x):
    out = coefficients[0] * x + coefficients[1]
    for c in coefficients[2:]:
        out = out * x + c
    return out


def inverse_erf(x):
    """The inverse error function of float32, bit for bit XLA's."""
    w = -_log1p(-x * x)
    tail = w >= 5
    out = np.asarray(_fused_polynomial(_CENTRE, w - _f(2.5)))
    if tail.any():
        out[tail] = _fused_polynomial(_TAILS, np.sqrt(w[tail]) - _f(3))
    return np.where(np.abs(x) == 1, x * _f(np.inf), out * x)


def _fused(a, b, c):
    """a b + c, rounded once: exact in float64 but for the sum."""
    return (a * np.asarray(b, np.float64) + c).astype(_f)


def _fused_polynomial(coefficients, x):
    x = x.astype(np.float64)
    out, exact = np.full(x.shape, coefficients[0]), np.empty_like(x)
    for c in coefficients[1:]:
        np.multiply(x, out, out=exact)
        np.add(exact, np.float64(c), out=out, casting="same_kind")
    return out


def _log1p(x):
    x = np.asarray(x)
    near = np.abs(x) < _NEAR
    out = np.empty_like(x)
    y = x[near]
    square = y * y
    rest = square * y * (_fused_polynomial(_LOG1P_P, y) / _fused_polynomial(_LOG1P_Q, y))
    out[near] = y + _fused(square, _f(-0.5), rest)
    out[~near] = _log(_f(1) + x[~near])
    return out


def _log(x):
    """Of positive normal numbers; 0 gives -inf and negative ones NaN."""
    m, e = np.frexp(x)
    low = m < _HALF_ROOT
    e = e.astype(_f) - low
    m = m - _f(1) + np.where(low, m, _f(0))
    square = m * m
    cube = square * m
    a, b, c = (_fused_polynomial(_LOG[i : i + 3], m) for i in (0, 3, 6))
    out = _fused(cube, _fused(cube, a, b), c)
    out = m - _f(0.5) * square + _fused(cube, out, e * _LOG2_SMALL)
    return np.where(x > 0, out + e * _LOG2_LARGE, np.where(x == 0, _f(-np.inf), _f(np.nan)))
