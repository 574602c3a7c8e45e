"""Names of JAX 0.11 and later, whose values here are those of formulas and of NumPy."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.special

import adjoint
import adjoint.numpy as jnp
from adjoint import ad_checkpoint, lax, random
from adjoint.scipy.special import erfc, erfcinv

Y = np.array([[2, 5, 1], [7, 8, 3]])
X = np.array([[2.0, 5, 1], [7, np.nan, 3]], np.float32)


def test_minmax_is_both_extrema():
    for axis in (None, 0, 1, (0, 1)):
        for found, expected in zip(jnp.minmax(Y, axis), (Y.min(axis), Y.max(axis))):
            np.testing.assert_array_equal(found, expected)
    assert np.isnan(jnp.minmax(X)).all()
    assert jnp.minmax(Y, initial=(4, 6), where=Y > 2) == (3, 8)
    assert jnp.minmax(jnp.ones(0), initial=4) == (4, 4)
    assert jnp.minmax(Y, keepdims=True)[0].shape == (1, 1)
    assert adjoint.grad(lambda x: sum(jnp.minmax(x)))(jnp.array([1.0, 3, 3])).tolist() == [1, 0.5, 0.5]
    for use, text in (
        (lambda: jnp.minmax(Y, where=Y > 2), "minmax does not have an identity, so to use a where mask"),
        (lambda: jnp.minmax(jnp.ones(0)), "zero-size array to reduction operation minmax which has no identity"),
    ):
        with pytest.raises(ValueError, match=text):
            use()


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "bool"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_top_k_has_the_first_of_a_stable_sort(axis, dtype):
    x = np.random.default_rng(0).integers(0, 5, (6, 4)).astype(dtype)
    order = np.argsort(x, axis, kind="stable")
    descending = np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    descending = x.shape[axis] - 1 - descending
    for mode, positions in (("smallest", order), ("largest", descending)):
        positions = positions.take(range(2), axis)
        for f in (jnp.top_k, adjoint.jit(jnp.top_k, static_argnums=1, static_argnames=("axis", "mode"))):
            values, found = f(x, 2, axis=axis, mode=mode)
            np.testing.assert_array_equal(found, positions)
            np.testing.assert_array_equal(values, np.take_along_axis(x, positions, axis))
            assert (values.dtype, found.dtype) == (x.dtype, np.int32)


def test_top_k_takes_nan_for_the_largest_and_refuses_what_jax_refuses():
    values, positions = jnp.top_k(X, 2)
    assert positions.tolist() == [[1, 0], [1, 0]]
    assert np.isnan(values[1, 0])
    assert jnp.top_k(X, 2, mode="smallest")[0].tolist() == [[1, 2], [3, 7]]
    for args, options, text in (
        ((Y, 5), {}, "k argument to top_k must be no larger than size along axis; got k=5"),
        ((Y, -1), {}, "k argument to top_k must be nonnegative, got -1"),
        ((Y, 2), {"mode": "foo"}, "mode must be 'largest' or 'smallest', got 'foo'"),
        ((X, 5), {"mode": "smallest"}, "no larger than size along axis"),
        ((X * 1j, 1), {}, "top_k is not compatible with complex inputs"),
    ):
        with pytest.raises(ValueError, match=text):
            jnp.top_k(*args, **options)


def test_log2_and_one_minus_square():
    assert lax.log2(8.0) == 3
    np.testing.assert_allclose(lax.log2(jnp.array([0.5, 10.0])), np.log2([0.5, 10.0]), rtol=1e-6)
    np.testing.assert_allclose(lax.log2(1 + 1j), np.log2(1 + 1j), rtol=1e-6)
    np.testing.assert_allclose(adjoint.grad(lax.log2)(2.0), 0.5 / np.log(2), rtol=1e-6)
    with pytest.raises(TypeError, match="log2 does not accept dtype int32"):
        lax.log2(3)
    x = np.float32(1 - 1e-4)
    np.testing.assert_allclose(lax.one_minus_square(x), 1 - np.float64(x) ** 2, rtol=1e-6)
    assert lax.one_minus_square(3) == -8
    assert lax.one_minus_square(1 + 1j) == 1 - 2j
    assert adjoint.grad(lax.one_minus_square)(0.5) == -1
    assert adjoint.grad(adjoint.grad(lax.one_minus_square))(0.5) == -2


@pytest.mark.parametrize("n", [1, 3, 20])
def test_polynomial_is_that_of_numpy(n):
    rng = np.random.default_rng(n)
    c, x = rng.normal(size=n).astype(np.float32), rng.normal(size=(2, 3)).astype(np.float32)
    expected = np.polynomial.polynomial.polyval(x, c)
    for options in ({}, {"unroll": 1}, {"unroll": 100}):
        np.testing.assert_allclose(lax.polynomial(x, list(c), **options), expected, rtol=2e-4, atol=1e-4)
        np.testing.assert_allclose(lax.polynomial(x, jnp.asarray(c), **options), expected, rtol=2e-4, atol=1e-4)
    slope = adjoint.grad(lambda y: lax.polynomial(y, list(c)))(np.float32(0.5))
    derivative = np.polynomial.polynomial.polyder(c) if n > 1 else np.zeros(1)
    np.testing.assert_allclose(slope, np.polynomial.polynomial.polyval(0.5, derivative), rtol=1e-3, atol=1e-4)


def test_polynomials_of_few_coefficients_and_of_arrays():
    assert (lax.polynomial(2.0, []), lax.polynomial(2.0, [3.0]), lax.polynomial(2, [3, 1])) == (0, 3, 5)
    assert lax.polynomial(jnp.ones(2), [1, 2]).tolist() == [3, 3]
    assert lax.polynomial(2.0, [jnp.ones(2), 1.0]).tolist() == [3, 3]


def test_erfcinv_is_exact_near_its_ends():
    y = np.array([1e-30, 1e-20, 0.1, 1.0, 1.9, 1.9999999], np.float32)
    np.testing.assert_allclose(erfcinv(y), scipy.special.erfcinv(y.astype(np.float64)), rtol=2e-6, atol=1e-7)
    np.testing.assert_array_equal(erfcinv(jnp.array([0.0, 2.0, -1.0, 3.0])), [np.inf, -np.inf, np.nan, np.nan])
    np.testing.assert_allclose(adjoint.grad(erfcinv)(0.5), 1 / adjoint.grad(erfc)(erfcinv(0.5)), rtol=1e-5)
    assert erfcinv(1) == 0


def test_a_value_is_named_in_the_forward_pass_alone():
    name = lambda x: ad_checkpoint.checkpoint_name_fwd(jnp.sin(x), "a")
    assert str(adjoint.make_jaxpr(adjoint.grad(name))(1.0)).count("name[name=a]") == 1
    np.testing.assert_allclose(adjoint.grad(name)(1.0), np.cos(1.0), rtol=1e-6)
    assert random.Key.__supertype__ is adjoint.Array


@pytest.mark.parametrize(("version", "said"), [
    ("0.11.2", "0.11.2 (0, 11, 2)"), ("", "0.10.2 (0, 10, 2)"), ("new", "ValueError"),
])
def test_the_version_of_jax_is_the_one_that_is_asked_for(version, said):
    code = "import jax; print(jax.__version__, jax.__version_info__)"
    env = {**os.environ, "ADJOINT_JAX_VERSION": version}
    command = [sys.executable, "-m", "adjoint", "-c", code]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert said in ran.stdout + ran.stderr
