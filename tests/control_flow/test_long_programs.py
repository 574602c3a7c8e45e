"""Nothing in the core recurses over a program's length."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.core.passes import check_jaxpr
from adjoint.engines import compiled

N = 34_000  # each has three equations or more in the gradient


@pytest.fixture
def small_stack():
    """A stack of 300 frames more than are in use."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 300)
    yield
    sys.setrecursionlimit(before)


def many_sines(x):
    for _ in range(N):
        x = ax.lax.sin(x)
    return x


def test_a_hundred_thousand_equations(small_stack):
    """Such a program is traced, differentiated, checked and run with a small stack."""
    x = jnp.float32(1.0)
    closed = ax.make_jaxpr(ax.value_and_grad(many_sines))(x)
    assert len(closed.eqns) >= 100_000
    check_jaxpr(closed.jaxpr)
    value, slope = compiled(closed)(np.float32(1.0))
    # sin iterated n times goes as sqrt(3 / n), and its derivative as the product of cosines.
    assert float(value) == pytest.approx((3 / N) ** 0.5, rel=1e-2)
    step = 1e-2
    low, high = (_iterated(1.0 + s) for s in (-step, step))
    assert float(slope) == pytest.approx((high - low) / (2 * step), rel=5e-2)


def _iterated(x: float) -> float:
    for _ in range(N):
        x = np.sin(x)
    return x


def test_a_long_body(small_stack):
    """A loop's body with thousands of equations is linearized, transposed and batched."""

    def body(c, x):
        for _ in range(4000):
            c = ax.lax.mul(c, np.float32(1.0001))
        return c * x, c

    loss = lambda c: ax.lax.scan(body, c, jnp.ones(3))[1].sum()
    growth = 1.0001**4000
    expected = growth + growth**2 + growth**3
    np.testing.assert_allclose(ax.grad(loss)(1.0), expected, rtol=1e-2)
    np.testing.assert_allclose(ax.vmap(loss)(jnp.ones(2)), [expected] * 2, rtol=1e-2)
