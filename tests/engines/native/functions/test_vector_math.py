"""The vector functions of the native engine: errors in units of the last place, and special values."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import both
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from scipy import special

RNG = stream()
SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 5e-324, 1e20, 88.7, -87.5, -104.0, 89.0, 710.2,
]
precise = lambda f: lambda x: f(x.astype(np.longdouble))


def _tail(x):
    """`erfc`, where that of SciPy is 0 below the least normal number."""
    size = np.abs(x)
    tail = special.erfcx(size) * np.exp(-size.astype(np.longdouble) ** 2)
    return np.where(x < 0, 2 - tail, tail)


FUNCTIONS = {  # name: (function, reference, greatest error)
    "exp": (jnp.exp, precise(np.exp), 2),
    "exp2": (jnp.exp2, precise(np.exp2), 2),
    "expm1": (jnp.expm1, precise(np.expm1), 2),
    "log": (jnp.log, precise(np.log), 2),
    "log1p": (jnp.log1p, precise(np.log1p), 2),
    "tanh": (jnp.tanh, precise(np.tanh), 2),
    "logistic": (ax.nn.sigmoid, precise(lambda x: 1 / (1 + np.exp(-x))), 4),
    "sin": (jnp.sin, precise(np.sin), 2),
    "cos": (jnp.cos, precise(np.cos), 2),
    "tan": (jnp.tan, precise(np.tan), 2),
    "erf": (lax.erf, lambda x: special.erf(x.astype(np.float64)), 4),
    "erfc": (lax.erfc, lambda x: _tail(x.astype(np.float64)), 4),
    "rsqrt": (lax.rsqrt, precise(lambda x: 1 / np.sqrt(x)), 2),
    "sinh": (jnp.sinh, precise(np.sinh), 4),
    "cosh": (jnp.cosh, precise(np.cosh), 4),
    "asin": (jnp.arcsin, precise(np.arcsin), 4),
    "acos": (jnp.arccos, precise(np.arccos), 4),
    "atan": (jnp.arctan, precise(np.arctan), 2),
    "asinh": (jnp.arcsinh, precise(np.arcsinh), 4),
    "acosh": (lambda x: jnp.arccosh(abs(x) + 0.75), lambda x: precise(np.arccosh)(abs(x) + x.dtype.type(0.75)), 4),
    "atanh": (jnp.arctanh, precise(np.arctanh), 4),
}


def values(dtype):
    scales = [1e-30, 1e-5, 0.1, 1, 3, 10, 100, 1000, 1e6]
    normal = np.concatenate([RNG.normal(size=1500) * s for s in scales] + [1 + RNG.normal(size=1500) * 1e-3])
    with np.errstate(over="ignore"):
        return np.concatenate([normal, SPECIAL]).astype(dtype)


def assert_close(expected, got, bound):
    """At most `bound` units in the last place; NaN, infinities and signs of zeros agree."""
    rounded = expected.astype(got.dtype)
    np.testing.assert_array_equal(np.isnan(rounded), np.isnan(got))
    np.testing.assert_array_equal(np.signbit(rounded)[~np.isnan(got)], np.signbit(got)[~np.isnan(got)])
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(rounded[~finite], got[~finite])
    error = np.abs(got[finite].astype(np.longdouble) - expected[finite]) / np.spacing(np.abs(rounded[finite]))
    assert error.max() <= bound


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_are_within_a_few_units_in_the_last_place(name):
    function, reference, bound = FUNCTIONS[name]
    for dtype in (np.float32, np.float64):
        with ax.enable_x64(dtype == np.float64), np.errstate(all="ignore"):
            x = values(dtype)
            if name in ("erf", "erfc") and dtype == np.float64:
                bound = 8  # that of the reference
            (got,), _, _ = both(ax.make_jaxpr(function)(x), [x])
            assert_close(reference(x), got, bound)


def test_angles_in_all_directions():
    for dtype in (np.float32, np.float64):
        s = np.array([*SPECIAL, 3, -3, np.finfo(dtype).max, np.finfo(dtype).tiny]).astype(dtype)
        y, x = (a.ravel() for a in np.meshgrid(s, s))
        y, x = np.concatenate([y, values(dtype)]), np.concatenate([x, RNG.permutation(values(dtype))])
        with ax.enable_x64(dtype == np.float64), np.errstate(all="ignore"):
            (got,), _, _ = both(ax.make_jaxpr(lax.atan2)(y, x), [y, x])
            assert_close(np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble)), got, 4)


def test_powers_are_those_of_the_c_library():
    s = np.array([0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1e30, np.inf, -np.inf, np.nan], np.float32)
    x, y = (a.ravel() for a in np.meshgrid(s, s))
    x = np.concatenate([x, np.abs(values(np.float32))])
    y = np.concatenate([y, RNG.normal(size=len(x) - len(y)).astype(np.float32) * 3])
    (got,), _, _ = both(ax.make_jaxpr(lax.pow)(x, y), [x, y])
    with np.errstate(all="ignore"):
        assert_close(np.power(x.astype(np.float64), y.astype(np.float64)), got, 1)


@pytest.mark.parametrize("power", [
    -3.0, -2.5, -1.75, -1.5, -1.25, -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0,
])
def test_powers_of_halves_and_quarters_are_roots_and_products(power):
    for dtype in (np.float32, np.float64):
        with ax.enable_x64(dtype == np.float64), np.errstate(all="ignore"):
            x = values(dtype)
            (got,), _, _ = both(ax.make_jaxpr(lambda x: lax.pow(x, dtype(power)))(x), [x])
            assert_close(np.power(x.astype(np.longdouble), power), got, 2.5)
