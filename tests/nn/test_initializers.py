"""Initial values of parameters: JAX's numbers, also complex ones, and of weights with few axes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
from adjoint import random
from adjoint.nn import initializers

NAMES = ("he_normal", "he_uniform", "glorot_normal", "glorot_uniform", "lecun_normal", "lecun_uniform")


def assert_same(program):
    theirs, ours = (program(m.nn.initializers, m.random.key(3)) for m in (jax, adjoint))
    assert (theirs.shape, theirs.dtype.name, theirs.weak_type) == (ours.shape, ours.dtype.name, ours.weak_type)
    np.testing.assert_allclose(np.asarray(theirs), np.asarray(ours), rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("name", NAMES)
def test_complex_weights(name):
    assert_same(lambda m, key: getattr(m, name)()(key, (2, 3), "complex64"))


def test_complex_weights_have_the_variance():
    # Cut off at twice the standard deviation, JAX's are a little larger.
    for name, variance in (("he_uniform", 2 / 3), ("he_normal", 2 / 3 * 1.0187)):
        w = getattr(initializers, name)()(random.key(0), (3, 10**5), "complex64")
        np.testing.assert_allclose(np.mean(np.abs(np.asarray(w)) ** 2), variance, rtol=1e-2)


@pytest.mark.parametrize(("shape", "axes"), [
    ((2,), ([0], [])), ((), ([], [])), ((2,), (0, 0)), ((2,), (-1, ())), ((2,), ((), -1, (0,))),
    ((2, 3, 4), (range(2), 2)), ((2, 3, 4), (np.array([0, 1]), 2)),
])
@pytest.mark.parametrize("mode", ["fan_in", "fan_out"])
def test_axes_of_weights(shape, axes, mode):
    assert_same(lambda m, key: m.variance_scaling(1.0, mode, "normal", *axes)(key, shape))


@pytest.mark.parametrize("shape", [(), (3,), 3])
def test_default_axes_need_two(shape):
    for m in (jax, adjoint):
        with pytest.raises(ValueError, match="-dimensional weights tensor with default in_axis. Must be at least 2D"):
            m.nn.initializers.he_normal()(m.random.key(0), shape)


@pytest.mark.parametrize("axis", [0.5, 1.0, "0"])
def test_an_axis_that_is_no_integer_is_refused(axis):
    for m in (jax, adjoint):
        with pytest.raises(TypeError):
            m.nn.initializers.he_normal(in_axis=axis)(m.random.key(0), (2, 3))


def test_orthogonal_matrices_of_nothing_are_empty():
    for shape in (2, 0), (0, 2), (0, 0, 2):
        assert_same(lambda m, key, shape=shape: m.orthogonal()(key, shape))
    with pytest.raises(TypeError, match="JAX only supports number, bool, and string dtypes"):
        initializers.orthogonal()(random.key(0), (2, 0), object)


@pytest.mark.parametrize("name", ["zeros", "ones", "constant", "normal", "glorot_uniform", "orthogonal"])
def test_a_dtype_that_is_not_available_is_told(name):
    for m in (jax, adjoint):
        init = getattr(m.nn.initializers, name)
        init = init if name in ("zeros", "ones") else init(*(1,) * (name == "constant"))
        with m.enable_x64(False):
            with pytest.warns(UserWarning, match="Explicitly requested dtype float64"):
                assert init(m.random.key(0), (2, 3), "float64").dtype == "float32"
            with pytest.raises(ValueError, match="Passing an array as a dtype argument is no longer supported"):
                init(m.random.key(0), (2, 3), m.numpy.zeros(2))
