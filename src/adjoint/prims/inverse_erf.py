"""The inverse error function where `random.normal` needs it and `error_functions.py` has it not.

A few float32 numbers, as of `random.normal(key, (4,))`, are computed by Python, not by NumPy. The operations
are those of `error_functions.inverse_erf`, so the values are too, to the last bit; a float64 result is
rounded to float32 by Veltkamp's product with 2^29 + 1, which leaves 24 bits. And float64 numbers: SciPy has
that function too, but takes longer to import than most programs run.
"""

from __future__ import annotations

from math import frexp, inf, nan, sqrt

import numpy as np

from . import error_functions as e

__all__ = ["FEW", "inverse_erf64", "inverse_erf_of_few"]

# ---- a few numbers of float32 ---------------------------------------------------------------------

FEW = 32  # up to here, Python is faster
_SPLIT = 2.0**29 + 1
_CENTRE, _TAILS, _LOG = (list(map(float, c)) for c in (e._CENTRE, e._TAILS, e._LOG))
_LOG1P = [tuple(map(float, pq)) for pq in zip(e._LOG1P_P, e._LOG1P_Q)]
_NEAR, _HALF_ROOT = float(e._NEAR), float(e._HALF_ROOT)
_LOG2_SMALL, _LOG2_LARGE = float(e._LOG2_SMALL), float(e._LOG2_LARGE)


def inverse_erf_of_few(x: np.ndarray) -> np.ndarray:
    """erfinv of an array of float32."""
    return np.array([_inverse_erf(v) for v in x.ravel().tolist()], np.float32).reshape(x.shape)


def _round(x: float) -> float:
    c = x * _SPLIT
    return c - (c - x)


def _inverse_erf(x: float) -> float:
    if not -1 < x < 1:
        return x * inf if abs(x) == 1 else nan
    t = x * x
    c = t * _SPLIT
    t = c - (c - t)
    w = _minus_log1p_near(-t) if t < _NEAR else _minus_log(_round(1 - t))
    if w < 5:
        v, coefficients = w - 2.5, _CENTRE
    else:
        v, coefficients = _round(sqrt(w)) - 3, _TAILS
    c = v * _SPLIT
    v = c - (c - v)
    out = coefficients[0]
    for a in coefficients[1:]:
        out = v * out + a
        c = out * _SPLIT
        out = c - (c - out)
    return out * x


def _minus_log1p_near(y: float) -> float:
    """-log(1 + y) for small y."""
    p, q = _LOG1P[0]
    for a, b in _LOG1P[1:]:
        p, q = y * p + a, y * q + b
        c = p * _SPLIT
        p = c - (c - p)
        c = q * _SPLIT
        q = c - (c - q)
    square = _round(y * y)
    rest = _round(_round(square * y) * _round(p / q))
    return -_round(y + _round(square * -0.5 + rest))


def _minus_log(x: float) -> float:
    """-log(x) for 0 < x < 1."""
    m, n = frexp(x)
    if m < _HALF_ROOT:
        m, n = m + m, n - 1
    m -= 1
    square = _round(m * m)
    cube = _round(square * m)
    a, b, c = (
        _round(m * _round(m * p + q) + r) for p, q, r in (_LOG[:3], _LOG[3:6], _LOG[6:])
    )
    out = _round(cube * _round(cube * a + b) + c)
    out = _round(_round(m - 0.5 * square) + _round(cube * out + _round(n * _LOG2_SMALL)))
    return -_round(out + n * _LOG2_LARGE)


# ---- float64 --------------------------------------------------------------------------------------

# Giles, "Approximating the erfinv function" (2012), table 6: with w = -log(1 - x^2), up to which w a
# polynomial holds, and its coefficients, highest power first. The first is in w - 3.125, the others are
# in sqrt(w), less 3.25 and 5.
_CENTRE64 = 6.25, (
    -3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18,
    1.115787767802518096e-17, -1.333171662854620906e-16, 2.0972767875968561637e-17,
    6.6376381343583238325e-15, -4.0545662729752068639e-14, -8.1519341976054721522e-14,
    2.6335093153082322977e-12, -1.2975133253453532498e-11, -5.4154120542946279317e-11,
    1.051212273321532285e-09, -4.1126339803469836976e-09, -2.9070369957882005086e-08,
    4.2347877827932403518e-07, -1.3654692000834678645e-06, -1.3882523362786468719e-05,
    0.0001867342080340571352, -0.00074070253416626697512, -0.0060336708714301490533,
    0.24015818242558961693, 1.6536545626831027356,
)
_TAIL64 = 16.0, (
    2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07,
    1.8239629214389227755e-08, 1.5027403968909827627e-06, -4.013867526981545969e-06,
    2.9234449089955446044e-06, 1.2475304481671778723e-05, -4.7318229009055733981e-05,
    6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796,
    0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066,
    -0.0037512085075692412107, 0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635,
)
_FAR64 = inf, (
    -2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
    -3.7894654401267369937e-09, 7.6157012080783393804e-09, -1.4960026627149240478e-08,
    2.9147953450901080826e-08, -6.7711997758452339498e-08, 2.2900482228026654717e-07,
    -9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05,
    7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026,
    1.0103004648645343977, 4.8499064014085844221,
)


def inverse_erf64(x) -> np.ndarray:
    """erfinv of float64; infinite at -1 and 1, NaN beyond."""
    x = np.asarray(x)
    w = -np.log1p(-x * x)
    limit, coefficients = _CENTRE64
    out = _polynomial(coefficients, w - 3.125)
    rest = ~(w < limit)
    if rest.any():
        root = np.sqrt(w)
        for (limit, coefficients), shift in ((_TAIL64, 3.25), (_FAR64, 5.0)):
            out[rest] = _polynomial(coefficients, root[rest] - shift)
            rest = rest & ~(w < limit)
    return np.where(np.abs(x) == 1, x * inf, out * x)


def _polynomial(coefficients, x) -> np.ndarray:
    out = np.asarray(x * coefficients[0] + coefficients[1])
    for c in coefficients[2:]:
        out *= x
        out += c
    return out
