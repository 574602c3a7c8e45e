"""The first eager call of a function, the next ones, which are replayed, and a compiled one have the same values."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp

SPECIAL = [0.0, -0.0, 1, -1, 2.5, -2.5, 7, -7, 0.1, 0.3, 100, np.inf, -np.inf, np.nan]
FLOATS = ["float16", "bfloat16", "float8_e5m2", "float8_e4m3fn", "float32"]
EXACT = ["floor_divide", "remainder", "fmod", "fmax", "fmin", "copysign", "maximum", "minimum", "nextafter"]


def bits(x):
    """Return the numbers of an array as bytes, with one NaN."""
    x = np.array(x)
    return np.where(x == x, x, np.abs(x)).astype(x.dtype).tobytes()


def calls(f, *args, **kwargs):
    """Return the results, or the classes of errors, of four calls."""
    found = []
    for _ in range(4):
        try:
            out = f(*args, **kwargs)
            found.append([(x.dtype, x.weak_type, x.shape, bits(x)) for x in ax.tree.leaves(out)])
        except Exception as error:
            found.append(type(error))
    return found


def assert_same_again(f, *args, **kwargs):
    first, *others = calls(f, *args, **kwargs)
    assert others == [first] * 3
    return first


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", EXACT)
def test_functions_of_floats(name, dtype):
    if name == "nextafter" and dtype.startswith("float8"):
        pytest.skip("JAX has it not for these")
    rng = np.random.default_rng(len(name))
    x, y = ([*rng.choice(SPECIAL, 200), *rng.normal(size=400) * 10.0 ** rng.integers(-2, 3, 400)] for _ in range(2))
    x, y = jnp.asarray(x, dtype), jnp.asarray(y, dtype)
    f = getattr(jnp, name)
    found = assert_same_again(f, x, y)
    assert bits(ax.jit(f)(x, y)) == found[0][3]


@pytest.mark.parametrize(
    "f",
    [
        lambda: jnp.nonzero(jnp.array([3, 0, 1]), fill_value=0.5),
        lambda: jnp.flatnonzero(jnp.array([3, 0, 1]), fill_value=jnp.float32(0.5)),
        lambda: jnp.argwhere(jnp.array([3, 0, 1]), fill_value=0.5),
        lambda: jnp.median(jnp.zeros(0), ()),
        lambda: jnp.median(jnp.array(-0.0), ()),
        lambda: jnp.median(jnp.array([-0.0, 0.0, -0.0], "float16"), 0),
        lambda: jnp.delete(jnp.arange(3), jnp.array(1)),
        lambda: jnp.delete(jnp.arange(3), jnp.array(5)),
        lambda: jnp.delete(jnp.arange(3), jnp.array([-4])),
        lambda: jnp.insert(jnp.arange(3), jnp.array(5), 9),
        lambda: jnp.insert(jnp.arange(3), jnp.array([1]), 9),
    ],
)
def test_what_depends_on_values_and_empty_arrays(f):
    assert_same_again(f)


@pytest.mark.parametrize(
    "name", ["intersect1d", "union1d", "setdiff1d", "setxor1d", "isin", "sort", "median", "unique"])
@pytest.mark.parametrize("dtype", ["float8_e5m2", "float16", "bfloat16"])
def test_functions_that_order_halves_with_nan(dtype, name):
    """As in float32, in which these values are the same."""
    x, y = (np.random.default_rng(n).choice([0.0, 1, -1, np.inf, -np.inf, np.nan, -np.nan, 2.5], 40) for n in (0, 1))
    f = getattr(jnp, name)
    some = lambda dtype: [jnp.asarray(v, dtype) for v in (x, y)][: 2 - (name in ("sort", "median", "unique"))]
    assert_same_again(f, *some(dtype))
    found, expected = f(*some(dtype)), f(*some("float32"))
    np.testing.assert_array_equal(np.asarray(found).astype("f4"), np.asarray(expected).astype("f4"))
