"""A tracer belongs to one trace: nested derivatives that close over each other's variables."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.errors import UnexpectedTracerError


def test_grad_inside_grad_sees_the_outer_variable_as_a_constant():
    """d/dx [x * d/dy (x + y)] = 1, not 2."""
    inner = lambda x: ax.grad(lambda y: x + y)(1.0)
    assert 1.0 == ax.grad(lambda x: x * inner(x))(1.0)


def test_jvp_inside_jvp():
    """The directional derivative of a directional derivative, each along its own variable."""
    f = lambda x, y: x**2 * y**3
    inner = lambda x: ax.jvp(lambda y: f(x, y), (2.0,), (1.0,))[1]
    assert 2 * 3.0 * 3 * 4.0 == ax.jvp(inner, (3.0,), (1.0,))[1]


def test_three_levels():
    """d/dx d/dy d/dz of x y^2 z^3 at (1, 2, 3), by three closures."""
    value = ax.grad(
        lambda x: ax.grad(lambda y: ax.grad(lambda z: x * y**2 * z**3)(3.0))(2.0)
    )(1.0)
    assert 2 * 2.0 * 3 * 9.0 == value


@pytest.mark.parametrize("outer", [lambda f: f, ax.jit], ids=["eager", "jit"])
@pytest.mark.parametrize("inner", [lambda f: f, ax.jit, ax.checkpoint], ids=["plain", "jit", "remat"])
def test_mixed_levels(outer, inner):
    """jvp of vmap of grad, each level closing over the variable of the one outside."""

    def f(x):
        per_row = lambda row: ax.grad(inner(lambda y: jnp.sin(x * y) * row))(0.5)
        return ax.vmap(per_row)(jnp.arange(3.0)).sum()

    g = lambda x: 3 * x * np.cos(0.5 * x)  # the sum of the rows is 3
    slope = 3 * np.cos(0.5 * 0.7) - 3 * 0.7 * 0.5 * np.sin(0.5 * 0.7)
    value, tangent = outer(lambda x: ax.jvp(f, (x,), (1.0,)))(0.7)
    np.testing.assert_allclose(value, g(0.7), rtol=1e-5)
    np.testing.assert_allclose(tangent, slope, rtol=1e-5)


def test_scan_body_closes_over_the_variable():
    """The derivative goes through what a scan's body closes over, under grad of grad."""
    f = lambda x: ax.lax.scan(lambda c, _: (c * x, None), 1.0, None, length=4)[0]
    np.testing.assert_allclose(ax.grad(f)(2.0), 4 * 8.0)
    np.testing.assert_allclose(ax.grad(ax.grad(f))(2.0), 12 * 4.0)


@pytest.mark.parametrize(
    "transform",
    [ax.jit, ax.grad, ax.vmap, lambda f: lambda x: ax.jvp(f, (x,), (x,))],
    ids=["jit", "grad", "vmap", "jvp"],
)
def test_leaked_tracer_is_refused(transform):
    """A tracer that outlives its transformation raises when it is used, and everything works afterwards."""
    leak = []
    x = jnp.ones(3) if transform is ax.vmap else 1.0
    transform(lambda x: (leak.append(x), x)[1])(x)
    with pytest.raises(UnexpectedTracerError, match="unexpected tracer"):
        leak[0] + 1
    with pytest.raises(UnexpectedTracerError):
        ax.jit(lambda y: y + leak[0])(1.0)
    assert 2.0 == ax.jit(lambda y: y + 1)(1.0)
    assert 2.0 == ax.grad(lambda y: y**2)(1.0)


def test_an_error_inside_leaves_no_trace_behind():
    """An exception in a traced function leaves the thread evaluating."""
    for transform in (ax.jit, ax.grad, ax.vmap, ax.make_jaxpr, ax.checkpoint):
        with pytest.raises(ZeroDivisionError):
            transform(lambda x: 1 // 0)(jnp.ones(2) if transform is ax.vmap else 1.0)
        assert 3.0 == jnp.asarray(1.0) + 2
