"""The error function in float32, in NumPy alone: importing SciPy takes longer than most programs run.

Its inverse is in `inverse_erf.py`, other dtypes are in `special.py`.
"""

from __future__ import annotations

import numpy as np

__all__ = ["erf"]

# Eigen's x p(x^2) / q(x^2) of float32, up to where the result is 1; highest power first.
_BOUND = 3.85
_ERF_P = (
    0.00022905065861350646, 0.0034082910107509106, 0.050955695062380861, 0.18520832239976145,
    1.128379143519084,
)
_ERF_Q = (
    -1.1791602954361697e-7, 0.000023547966471313185, 0.0010179625278914885, 0.014070470171167667,
    0.11098505178285362, 0.49746925110067538, 1.0,
)


def erf(x):
    """Return the error function of float32, computed in float64; at most 7 units in the last place from XLA's."""
    wide = np.clip(x, -_BOUND, _BOUND, dtype=np.float64)
    square = wide * wide
    return (wide * _polynomial(_ERF_P, square) / _polynomial(_ERF_Q, square)).astype(np.float32)


def _polynomial(coefficients, x):
    out = coefficients[0] * x + coefficients[1]
    for c in coefficients[2:]:
        out = out * x + c
    return out
