"""Programs with loops and branches give real JAX's values under every transformation and nest of them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lax.parity import same, together

from .programs import FORWARD_ONLY, PROGRAMS, ROWS, X

BATCH = np.stack([X, X[::-1], X / 2])
scalar = lambda f: lambda m, x: f(m, x).sum()

FORWARD = {
    "value": (lambda f: f, X),
    "jvp": (lambda f: lambda m, x: m.jvp(lambda v: f(m, v), (x,), (m.numpy.cos(x),)), X),
    "linearize": (lambda f: lambda m, x: m.linearize(lambda v: f(m, v), x)[1](x), X),
    "vmap": (lambda f: lambda m, x: m.vmap(lambda v: f(m, v))(x), BATCH),
    "vmap of another axis": (
        lambda f: lambda m, x: m.vmap(lambda v: f(m, v), in_axes=1, out_axes=1)(x.T), BATCH
    ),
    "vmap of vmap": (
        lambda f: lambda m, x: m.vmap(lambda a: m.vmap(lambda b: f(m, (a + b) / 2))(x))(x), BATCH
    ),
    "jvp of vmap": (lambda f: lambda m, x: m.jvp(m.vmap(lambda v: f(m, v)), (x,), (x,)), BATCH),
    "jacfwd of jacfwd": (lambda f: lambda m, x: m.jacfwd(m.jacfwd(lambda v: f(m, v)))(x), X),
    "scan": (
        lambda f: lambda m, x: m.lax.scan(
            lambda c, r: (m.numpy.tanh(f(m, c)) + r, c), x, m.numpy.asarray(ROWS)
        ),
        X,
    ),
}
REVERSE = {
    "grad": (lambda f: lambda m, x: m.grad(lambda v: scalar(f)(m, v))(x), X),
    "jacrev": (lambda f: lambda m, x: m.jacrev(lambda v: f(m, v))(x), X),
    "hessian": (lambda f: lambda m, x: m.hessian(lambda v: scalar(f)(m, v))(x), X),
    "vmap of grad": (lambda f: lambda m, x: m.vmap(m.grad(lambda v: scalar(f)(m, v)))(x), BATCH),
    "grad of vmap": (
        lambda f: lambda m, x: m.grad(lambda v: m.vmap(lambda w: f(m, w))(v).sum())(x), BATCH
    ),
    "grad of scan": (
        lambda f: lambda m, x: m.grad(
            lambda v: m.lax.scan(
                lambda c, r: (m.numpy.tanh(f(m, c)) + r, c), v, m.numpy.asarray(ROWS)
            )[1].sum()
        )(x),
        X,
    ),
    "vmap of grad of cond": (
        lambda f: lambda m, x: m.vmap(
            m.grad(lambda v: m.lax.cond(v[0] > 0, lambda v: f(m, v), lambda v: v * v, v).sum())
        )(x),
        BATCH,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
@together
def test_forward(name):
    """Values and forward derivatives, evaluated now and compiled."""
    for transform, x in FORWARD.values():
        same(transform(PROGRAMS[name]), x, rtol=2e-5)


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n not in FORWARD_ONLY])
@together
def test_reverse(name):
    """Reverse derivatives, to second order and under `vmap`, evaluated now and compiled."""
    for transform, x in REVERSE.values():
        same(transform(PROGRAMS[name]), x, rtol=5e-5)
