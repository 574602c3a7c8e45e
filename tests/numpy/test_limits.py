"""Infinities, and dtypes of powers, beside JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint.numpy as jnp

INF, NAN = np.inf, np.nan
PARTS = (INF, -INF, NAN, 0.0, -0.0, 1.0, -2.0)
COMPLEX = np.array([complex(a, b) for a in PARTS for b in (INF, NAN, 0.0, -0.0, 2.0)], np.complex64)


def test_quotients_of_complex_infinities():
    x, y = (a.ravel() for a in np.meshgrid(COMPLEX, COMPLEX))
    np.testing.assert_allclose(jnp.divide(x, y), jax.numpy.divide(x, y), rtol=1e-6)
    np.testing.assert_allclose(jnp.reciprocal(COMPLEX), jax.numpy.reciprocal(COMPLEX), rtol=1e-6)


BASES = [2, 2.0, True, np.int8(2), np.arange(3, dtype=np.int8), np.arange(3.0)]


@pytest.mark.parametrize("x", BASES, ids=repr)
@pytest.mark.parametrize("dtype", [np.int32, np.uint8])
def test_a_known_integer_exponent_leaves_the_dtype(x, dtype):
    for _ in range(3):  # a call that is repeated is replayed
        ours, theirs = jnp.power(x, jnp.asarray(dtype(3))), jax.numpy.power(x, jax.numpy.asarray(dtype(3)))
        assert (theirs.dtype, theirs.weak_type) == (ours.dtype, ours.weak_type)
        np.testing.assert_array_equal(ours, theirs)


def test_array_equiv_of_shapes_that_do_not_broadcast():
    assert not jnp.array_equiv(jnp.ones((2, 3)), jnp.ones(2))
    with pytest.raises(TypeError, match="incompatible shapes"):
        jnp.array_equiv(jnp.ones(3), jnp.ones(4))
