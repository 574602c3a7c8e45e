"""The inverse error function, of which `random.normal` is a multiple, in NumPy and Python alone.

In float32 its values are XLA's to the last bit, so the formulas for it and for the logarithm in it are followed
operation for operation: a product and a sum that a CPU fuses are rounded once here too, in float64, where the
product is exact. Many numbers are computed by NumPy, in blocks; for a few, as of `random.normal(key, (4,))`,
the same operations cost less in Python. SciPy has the function too, but its import takes longer than most
programs run.
"""

from __future__ import annotations

from math import frexp, inf, nan, sqrt

import numpy as np

__all__ = ["MAX_ELEMENTS_IN_PYTHON", "inverse_erf", "inverse_erf_of_one", "round32"]

MAX_ELEMENTS_IN_PYTHON = 48  # up to here, Python is faster
_ELEMENTS_PER_BLOCK = 1 << 13
_f = np.float32


def inverse_erf(x) -> np.ndarray:
    """erfinv of float32 or float64 numbers: infinite at -1 and 1, NaN beyond.

    >>> inverse_erf(np.float32([0.5, -1]))
    array([ 0.4769363,       -inf], dtype=float32)
    """
    x = np.asarray(x)
    if x.dtype != np.float32:
        return _inverse64(x)
    if x.size <= MAX_ELEMENTS_IN_PYTHON:
        values = [inverse_erf_of_one(v) for v in x.ravel().tolist()]
        return np.array(values, np.float32).reshape(x.shape)
    flat, out = x.ravel(), np.empty(x.size, np.float32)
    work = np.empty((2, min(_ELEMENTS_PER_BLOCK, x.size)))
    for i in range(0, x.size, _ELEMENTS_PER_BLOCK):
        _inverse_block(flat[i : i + _ELEMENTS_PER_BLOCK], out[i : i + _ELEMENTS_PER_BLOCK], work)
    return out.reshape(x.shape)


# ---- float32 --------------------------------------------------------------------------------------

# All as float64 numbers that float32 holds; polynomials with the highest power first.


def _row(*coefficients) -> tuple[float, ...]:
    return tuple(float(_f(c)) for c in coefficients)


# Giles, "Approximating the erfinv function" (2012), table 5: erfinv(x) / x is a polynomial in w - 2.5, with
# w = -log(1 - x^2), and in the tails, from w = 5, one in sqrt(w) - 3.
_CENTRE = _row(
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)
_TAILS = _row(
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)

# Cephes: log(1 + y) = y - y^2/2 + y^3 p(y)/q(y) for |y| < sqrt(2) - 1.
_LOG1P_P = _row(
    4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969,
    2.9911919328553073277375e1, 6.0949667980987787057556e1, 5.7112963590585538103336e1,
    2.0039553499201281259648e1,
)
_LOG1P_Q = _row(
    1.0, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2,
    3.0909872225312059774938e2, 2.1642788614495947685003e2, 6.0118660497603843919306e1,
)
(_NEAR,) = _row(0.41421356237309504880)

# Cephes: log of 2^n (1 + m) with 1 + m near 1; n times the larger part of log(2) is exact.
_LOG = (
    _row(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1),
    _row(-1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1),
    _row(2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
_HALF_ROOT, _LOG2_SMALL, _LOG2_LARGE = _row(0.707106781186547524, -2.12194440e-4, 0.693359375)


# ---- many -----------------------------------------------------------------------------------------

_HALF_ROOT_BITS = _f(_HALF_ROOT).view(np.int32)


def _inverse_block(x, out, work) -> None:
    t = x * x
    near = t < _f(_NEAR)
    w = np.empty_like(x)
    at = np.flatnonzero(near)
    w[at] = _minus_log1p_array(t.take(at), work)
    at = np.flatnonzero(np.logical_not(near, out=near))
    rest = _f(1) - t.take(at)
    w[at] = _minus_log_array(rest, work)
    w[at[rest <= 0]] = inf
    _polynomial32(_CENTRE, w - _f(2.5), work, out)
    np.multiply(out, x, out)
    at = np.flatnonzero(np.logical_not(np.less(w, _f(5), out=near), out=near))
    if at.size:
        far, x = w.take(at), x.take(at)
        values = _polynomial32(_TAILS, np.sqrt(far) - _f(3), work) * x
        edge = np.where(np.abs(x) == 1, x * _f(inf), _f(nan))
        out[at] = np.where(np.abs(x) < 1, values, edge)


def _polynomial32(coefficients, x, work, out=None) -> np.ndarray:
    """Horner's scheme in float32, with one rounding in each step."""
    first, second, *others = coefficients
    wide, exact = work[:, : x.size]
    out = np.empty_like(x) if out is None else out
    wide[...] = x
    np.multiply(wide, first, exact)
    np.add(exact, second, exact)
    out[...] = exact
    for c in others:
        exact[...] = out
        np.multiply(exact, wide, exact)
        np.add(exact, c, exact)
        out[...] = exact
    return out


def _fused(a, b, c, work) -> np.ndarray:
    """a b + c, rounded once."""
    exact = work[0, : a.size]
    exact[...] = a
    exact *= b
    exact += c
    return exact.astype(np.float32)


def _minus_log1p_array(t, work) -> np.ndarray:
    """-log(1 - t) for small t."""
    y = -t
    square = y * y
    rest = square * y
    rest *= _polynomial32(_LOG1P_P, y, work) / _polynomial32(_LOG1P_Q, y, work)
    square *= _f(0.5)
    rest -= square
    rest += y
    return np.negative(rest, rest)


def _minus_log_array(x, work) -> np.ndarray:
    """-log(x) for 0 < x < 1; of other numbers anything."""
    # x = 2^n m with m from sqrt(1/2) to sqrt(2)
    bits = x.view(np.int32)
    n = bits - _HALF_ROOT_BITS
    n >>= 23
    m = (bits - (n << 23)).view(np.float32)
    n = n.astype(np.float32)
    m -= _f(1)
    square = m * m
    cube = square * m
    a, b, c = (_polynomial32(row, m, work) for row in _LOG)
    out = _fused(cube, _fused(cube, a, b, work), c, work)
    out = _fused(cube, out, n * _f(_LOG2_SMALL), work)
    square *= _f(0.5)
    m -= square
    m += out
    n *= _f(_LOG2_LARGE)
    m += n
    return np.negative(m, m)


# ---- few ------------------------------------------------------------------------------------------

_DEKKER_SPLIT = 2.0**29 + 1
_LOG1P = list(zip(_LOG1P_P, _LOG1P_Q))


def inverse_erf_of_one(x: float) -> float:
    """erfinv of a float32 number; the result is to be rounded to float32."""
    if not -1 < x < 1:
        return x * inf if abs(x) == 1 else nan
    split = _DEKKER_SPLIT
    t = x * x
    c = t * split
    t = c - (c - t)
    w = _minus_log1p(-t) if t < _NEAR else _minus_log(1 - t)
    if w < 5:
        v, (out, *others) = w - 2.5, _CENTRE
    else:
        v, (out, *others) = round32(sqrt(w)) - 3, _TAILS
    c = v * split
    v = c - (c - v)
    for a in others:
        out = v * out + a
        c = out * split
        out = c - (c - out)
    return out * x


def round32(x: float) -> float:
    """Return a float64 number rounded to float32, by Veltkamp's splitting; not for very large or small ones."""
    c = x * _DEKKER_SPLIT
    return c - (c - x)


def _minus_log1p(y: float) -> float:
    """-log(1 + y) for small y."""
    split = _DEKKER_SPLIT
    (p, q), *others = _LOG1P
    for a, b in others:
        p, q = y * p + a, y * q + b
        c = p * split
        p = c - (c - p)
        c = q * split
        q = c - (c - q)
    square = y * y
    c = square * split
    square = c - (c - square)
    rest = round32(round32(square * y) * round32(p / q))
    return -round32(y + round32(square * -0.5 + rest))


def _minus_log(x: float) -> float:
    """-log(x) for 0 < x < 1, of x rounded to float32."""
    m, n = frexp(round32(x))
    if m < _HALF_ROOT:
        m, n = m + m, n - 1
    m -= 1
    square = round32(m * m)
    cube = round32(square * m)
    a, b, c = [round32(m * round32(m * p + q) + r) for p, q, r in _LOG]
    out = round32(cube * round32(cube * a + b) + c)
    out = round32(cube * out + round32(n * _LOG2_SMALL))
    return -round32(round32(round32(m - 0.5 * square) + out) + n * _LOG2_LARGE)


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


def _inverse64(x) -> np.ndarray:
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
