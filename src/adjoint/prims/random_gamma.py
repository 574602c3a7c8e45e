"""The primitive `random_gamma`: gamma-distributed numbers, and how they vary with the distribution's shape.

Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): a rejection loop for each
element, with a key of its own, so the numbers do not depend on how many are made together.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.types import ShapedArray, Zero, aval_of, short_aval
from .arithmetic import mul
from .family import FLOATS, binary, check_dtype
from .generators import THREEFRY, as_when_traced, owner
from .shape import materialise_batch
from .special import _fraction, _series, erf_inv

__all__ = ["random_gamma", "random_gamma_grad", "random_gamma_p"]


# ---- samples -------------------------------------------------------------------------------------


def _unit(generator, keys, dtype) -> np.ndarray:
    """One uniform number in [0, 1) for each key, as `random.uniform` makes it."""
    info = dtypes.finfo(dtype)
    width = 8 if info.nmant < 8 else info.bits
    bits = generator.bits(keys, width, ()).astype(f"uint{info.bits}")
    bits >>= bits.dtype.type(width - info.nmant)
    return (bits | np.asarray(1, dtype).view(bits.dtype)).view(dtype) - dtype.type(1)


def _normal(generator, keys, dtype) -> np.ndarray:
    one = dtype.type(1)
    low = np.nextafter(-one, one)
    x = np.maximum(low, _unit(generator, keys, dtype) * (one - low) + low)
    return dtype.type(np.sqrt(2)) * erf_inv.evaluate_rule(x)


def _children(generator, keys, n: int):
    return np.moveaxis(generator.split(keys, (n,)), -1, 0)


def _accepted_cubes(generator, keys, d, c):
    """(1 + c x)^3 for the first normal x that passes the test, of each element."""
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
            f"{short_aval(keys)} and {short_aval(alpha)}."
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


random_gamma_grad = binary("random_gamma_grad", FLOATS, _slope)
random_gamma_grad.jvp_rule = None
