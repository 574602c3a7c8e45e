"""The error function in float32, in NumPy alone: importing SciPy takes longer than most programs run.

Its inverse is in `inverse_erf.py`, other dtypes are in `special.py`.
"""

from __future__ import annotations

import numpy as np

__all__ = ["erf"]

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


def erf(x):
    """Return the error function of float32; at most 7 units in the last place from XLA's."""
    x = np.clip(x, -_BOUND, _BOUND)
    square = x * x
    return x * _polynomial(_ERF_P, square) / _polynomial(_ERF_Q, square)


def _polynomial(coefficients, x):
    out = coefficients[0] * x + coefficients[1]
    for c in coefficients[2:]:
        out = out * x + c
    return out
