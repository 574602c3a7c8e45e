"""The first eager call of a function, the next ones, which are replayed, and a compiled one have the same values."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import own_code

import adjoint as ax
import adjoint.numpy as jnp
import adjoint.scipy.special as sp
from adjoint import lax

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


def floats(name, dtype):
    """Return two arrays, with special values among their numbers."""
    rng = np.random.default_rng(len(name))
    x, y = ([*rng.choice(SPECIAL, 200), *rng.normal(size=400) * 10.0 ** rng.integers(-2, 3, 400)] for _ in range(2))
    return jnp.asarray(x, dtype), jnp.asarray(y, dtype)


# JAX has no `nextafter` of these.
OF_FLOATS = [
    (name, dtype) for name in EXACT for dtype in FLOATS if name != "nextafter" or not dtype.startswith("float8")]


@pytest.mark.parametrize(("name", "dtype"), OF_FLOATS)
def test_functions_of_floats(name, dtype):
    assert_same_again(getattr(jnp, name), *floats(name, dtype))


@own_code
@pytest.mark.parametrize(("name", "dtype"), OF_FLOATS)
def test_functions_of_floats_have_the_same_bits_compiled(name, dtype):
    f, operands = getattr(jnp, name), floats(name, dtype)
    assert bits(ax.jit(f)(*operands)) == bits(f(*operands))


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


BOTH_WEAK = {
    "x + n": lambda x, n: x + n, "n - x": lambda x, n: n - x, "x // n": lambda x, n: x // n,
    "x % n": lambda x, n: x % n, "multiply": jnp.multiply, "maximum": jnp.maximum, "fmod": jnp.fmod,
    "where": lambda x, n: jnp.where(jnp.array(True), x, n),
    "where, reversed": lambda x, n: jnp.where(jnp.array(True), n, x),
}


@pytest.mark.parametrize("name", BOTH_WEAK)
@pytest.mark.parametrize(("x", "n"), [(5, 2), (2.5, 2.0)])
def test_weak_operands_are_as_wide_as_the_options_of_each_call_let_them_be(name, x, n):
    f, x = BOTH_WEAK[name], jnp.asarray(x)
    narrow = assert_same_again(f, x, n)
    with ax.enable_x64(True):
        wide = assert_same_again(f, x, n)
        assert wide == assert_same_again(ax.jit(lambda x: f(x, n)), x)
    assert assert_same_again(f, x, n) == narrow
    assert [w[1:3] for w in wide] == [w[1:3] for w in narrow]
    assert {w[0].itemsize for w in wide} == {8}


@own_code
@pytest.mark.parametrize("size", [21, 5000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_functions_have_the_same_signs_and_infinities_compiled(dtype, size):
    rng = np.random.default_rng(0)
    special = [*SPECIAL, 1.2, -1.5, 3, -3, 1e-30, -1e-30, 2]
    x = np.concatenate([special, 3 * rng.normal(size=size - len(special))])
    y = rng.permutation(x)
    kinds = lambda x: [(v.dtype, np.isnan(v).tolist(), np.isinf(v).tolist(), (np.signbit(v) & ~np.isnan(v)).tolist())
                       for v in map(np.asarray, ax.tree.leaves(x))]
    with ax.enable_x64(dtype == "float64"):
        x, y = jnp.asarray(x, dtype), jnp.asarray(y, dtype)
        for name in ("erfinv", "i1e", "log_ndtr", "fresnel", "sici"):
            f = getattr(sp, name)
            assert kinds(f(x)) == kinds(ax.jit(f)(x)), name
        for f, order in ((sp.owens_t, y), (sp.zeta, y), (lax.polygamma, jnp.abs(jnp.round(y)))):
            assert kinds(f(order, x)) == kinds(ax.jit(f)(order, x)), f
        outside = jnp.abs(x) > 1
        assert jnp.isnan(sp.erfinv(x))[outside].all()


@pytest.mark.parametrize("base", [0, -0.0, np.inf, -np.inf, np.nan, 2j])
def test_complex_powers_of_zero_and_to_zero_are_the_same_compiled(base):
    exponents = jnp.array([0, -0.0, 1, 2, 0.5, -1, -np.inf, np.nan, 1j, -1j] if base == 0 else [0, -0.0], "complex64")
    x = jnp.full(exponents.shape, base, "complex64")
    called, compiled = np.asarray(jnp.power(x, exponents)), np.asarray(ax.jit(jnp.power)(x, exponents))
    np.testing.assert_array_equal(compiled, called)
    assert compiled[0] == 1
