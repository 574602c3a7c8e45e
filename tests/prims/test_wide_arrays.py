"""Arrays of 64 bits that were made under `enable_x64`, used outside of it: what rules make beside them is as wide."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as jnp
from adjoint import lax

with ad.enable_x64(True):
    X, Z = jnp.array([0.3, -0.7, 1.1]), jnp.array([1 + 2j, -3j, 0.5])
    M = jnp.array([[0.5, 2.0], [3.0, -1.0]])

FUNCTIONS = {
    "slice": (lambda x: x[1:] * x[:2], X),
    "pad": (lambda x: lax.pad(x * x, x[0], [(1, -1, 1)]), X),
    "cumprod": (lax.cumprod, X),
    "real": (lambda z: lax.real(z) * lax.imag(z), Z),
    "abs": (lax.abs, Z),
    "sort": (lambda x: lax.sort(x * x), X),
    "diag": (lambda x: jnp.diag(x * x), X),
    "tril": (lambda x: jnp.tril(x * x), M),
    "zeros": (lambda x: x * x + jnp.zeros_like(x), X),
    "associative": (lambda x: lax.associative_scan(lax.mul, x), X),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_derivatives_are_those_inside_of_the_mode(name):
    f, x = FUNCTIONS[name]

    def loss(x):
        y = lax.abs(f(x))
        return lax.reduce_sum(y, tuple(range(y.ndim)))

    for run in (f, ad.jit(f), ad.grad(loss), ad.jit(ad.grad(loss))):
        with ad.enable_x64(True):
            wide = run(x)
        out = run(x)
        assert out.dtype == wide.dtype
        np.testing.assert_allclose(out, wide, rtol=1e-12)


def test_a_loop_of_the_mode_is_differentiated_outside_of_it():
    def f(x):
        with ad.enable_x64(True):
            y = x.astype(np.float64)
            return lax.scan(lambda c, a: (c * a, c[0]), y, y)[0].sum().astype(np.float32)

    expected = ad.grad(f)(jnp.array([2.0, 3.0]))
    with ad.disable_jit():
        np.testing.assert_allclose(ad.grad(f)(jnp.array([2.0, 3.0])), expected, rtol=1e-6)
