"""`jnp.convolve` and `jnp.correlate`: jaxprs, values and errors as in JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint as ax
import adjoint.numpy as jnp

from ..lax.parity import same, same_jaxpr, same_types

LONG, SHORT = np.float32([1, .5, -.375, -1, -.625, .25, .875]), np.float32([0, .875, .75, .125])
OPERANDS = (
    (LONG, SHORT), (SHORT, LONG), (LONG, SHORT + 1j * LONG[:4]), (np.arange(7), SHORT), (np.arange(7), np.arange(4)),
)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_convolutions_of_sequences(name):
    """Every mode, either operand longer, dtypes that promote."""
    f = lambda m, a, v, **kwargs: getattr(m.numpy, name)(a, v, **kwargs)
    for mode in ("full", "same", "valid"):
        for operands in OPERANDS:
            same_jaxpr(lambda m, a, v: f(m, a, v, mode=mode), *operands)
    options = dict(mode="same", precision="high", preferred_element_type="float32")
    same_jaxpr(lambda m, a, v: f(m, a, v, **options), LONG, SHORT)
    modes = lambda m, a, v: [f(m, a, v, mode=mode) for mode in ("full", "same", "valid")]
    flat = [x.astype(np.int32) if x.dtype == np.int64 else x for pair in OPERANDS for x in pair]
    same(lambda m, *xs: [modes(m, *xs[i : i + 2]) for i in range(0, len(xs), 2)], *flat)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_errors(name):
    f = lambda m, a, v, **kwargs: getattr(m.numpy, name)(a, v, **kwargs)
    same_types(f, LONG[None], SHORT)
    same_types(f, LONG[:0], SHORT)
    same_types(lambda m, a, v: f(m, a, v, mode="odd"), LONG, SHORT)
    same_types(lambda m, a: f(m, a, [1.0, 2.0]), LONG, lines=False)


def test_padding_times_infinity_is_nan_in_calls_as_in_programs():
    for bad in (np.inf, np.nan):
        kernel = np.float32([1, bad, 2])
        for f in (jnp.convolve, lambda a, v, mode: jnp.convolve(v, a, mode), jnp.correlate):
            for mode in ("full", "same", "valid"):
                compiled = ax.jit(f, static_argnums=2)(np.ones(5, "f"), kernel, mode)
                for _ in range(3):
                    np.testing.assert_array_equal(f(jnp.ones(5), jnp.array(kernel), mode), compiled)
    ends = np.asarray(jnp.convolve(jnp.ones(5), jnp.array([1, jnp.inf, 2])))
    np.testing.assert_array_equal(ends, [np.nan, *[np.inf] * 5, np.nan])
    found = jnp.convolve(jnp.array([1, jnp.inf, 2.0]), jnp.ones(2))
    assert found.tolist() == [1, np.inf, np.inf, 2]


@pytest.mark.skipif(ax.config.cpu_engine == "numpy", reason="that engine multiplies zeros by all windows")
@pytest.mark.parametrize("taps", [1, 2, 3, 9])
@pytest.mark.parametrize("n", [1, 2, 3, 9, 100])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_padding_times_infinity_is_left_out_where_jax_does(dtype, n, taps, bad):
    """In float64 and for windows of one or two elements."""
    with ax.enable_x64(dtype == "float64"), jax.enable_x64(dtype == "float64"):
        x, w = np.arange(1, n + 1, dtype=dtype), np.arange(1, taps + 1, dtype=dtype)
        w[-1] = bad
        for name in ("convolve", "correlate"):
            for mode in ("full", "same"):
                expected = np.asarray(jax.jit(lambda x, w: getattr(jax.numpy, name)(x, w, mode))(x, w))
                f = lambda x, w: getattr(jnp, name)(x, w, mode)
                for found in (f(jnp.asarray(x), jnp.asarray(w)), ax.jit(f)(x, w), f(jnp.asarray(x), jnp.asarray(w))):
                    np.testing.assert_array_equal(found, expected)


def spike(rng, n):
    x = rng.normal(size=n)
    x[n // 3] = 1e9
    return x


SEQUENCES = {
    "constant": lambda rng, n: np.full(n, 0.1), "positive": lambda rng, n: rng.random(n),
    "random": lambda rng, n: rng.normal(size=n), "sorted": lambda rng, n: np.sort(rng.random(n)),
    "growing": lambda rng, n: np.exp(np.linspace(-15, 15, n)), "with a spike": spike,
    "with holes": lambda rng, n: rng.normal(size=n) * (np.arange(n) % 2), "zero": lambda rng, n: np.zeros(n),
    "alternating": lambda rng, n: 0.1 * (-1.0) ** np.arange(n),
    "sparse": lambda rng, n: rng.normal(size=n) * (rng.random(n) < 0.02),
    "large, then small": lambda rng, n: rng.random(n) * np.where(np.arange(n) < n // 2, 1, 1e-5),
}


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_products_of_whole_numbers_are_whole(dtype):
    with ax.enable_x64(True):
        rng = np.random.default_rng(3)
        x, w = (rng.integers(-1000, 1000, n).astype(dtype) for n in (4096, 1500))
        exact = np.convolve(x.real.astype(int), w.real.astype(int))
        for f in (jnp.convolve, ax.jit(jnp.convolve), jnp.polymul, lambda x, w: ax.scipy.signal.convolve(x, w)):
            np.testing.assert_array_equal(f(x, w), exact)


@pytest.mark.parametrize("kind", SEQUENCES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_every_result_of_two_long_sequences_keeps_its_digits(dtype, kind):
    wide = np.longdouble if dtype[0] == "f" else np.clongdouble
    with ax.enable_x64(dtype in ("float64", "complex128")):
        rng, eps = np.random.default_rng(3), float(jnp.finfo(dtype).eps)
        for n, k, mode in ((5000, 5000, "full"), (9000, 1500, "full"), (9000, 1500, "same"), (2500, 9000, "valid")):
            x, w = [(SEQUENCES[kind](rng, m) * (1 + 0.5j if dtype[0] == "c" else 1)).astype(dtype) for m in (n, k)]
            out = np.asarray(jnp.convolve(x, w, mode))
            shorter, longer = sorted((x, w), key=len)
            k, begin = len(shorter), {"full": 0, "same": (len(shorter) - 1) // 2, "valid": len(shorter) - 1}[mode]
            for i in np.unique([*range(30), *np.linspace(0, out.size - 1, 50).astype(int)]):
                low, high = max(0, i + begin - k + 1), min(i + begin, len(longer) - 1)
                at = i + begin - np.arange(low, high + 1)
                terms = longer[low : high + 1].astype(wide) * shorter[at].astype(wide)
                assert abs(out[i] - terms.sum()) <= 1.5 * np.log2(k) * eps * abs(terms).sum(), (n, k, mode, i)
