"""Loops and branches on the native engine: one function each, and the same results as on the NumPy engine."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, steps
from tests.modes import compiling
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.runtime.machine import has_feature

RNG = stream()
STATE = np.array([1.0, 2.0, 3.0], np.float32)
W = (RNG.normal(size=(8, 8)) * 0.3).astype(np.float32)
XS = RNG.normal(size=(12, 8)).astype(np.float32)


def lorenz(state):
    def step(s, _):
        x, y, z = s
        s = s + 0.01 * jnp.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])
        return s, s

    return lax.scan(step, state, None, length=30)


def network(w, xs, reverse=False):
    def cell(h, x):
        h = jnp.tanh(h @ w + x)
        return h, h

    return lax.scan(cell, jnp.zeros(8), xs, reverse=reverse)


def fibonacci(n):
    return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[2], c[1] + c[2]), (0, 0, 1))


def triangle(n):
    inner = lambda i: lax.fori_loop(0, i, lambda j, s: s + j, 0)
    return lax.fori_loop(0, n, lambda i, s: s + inner(i), 0)


def collatz(n):
    step = lambda c: (lax.cond(c[0] % 2 == 0, lambda x: x // 2, lambda x: 3 * x + 1, c[0]), c[1] + 1)
    return lax.while_loop(lambda c: c[0] != 1, step, (n, 0))[1]


def set_rows(x):
    step = lambda i, y: lax.dynamic_update_index_in_dim(y, y[i] * 2 + y[0] + i, i, 0)
    return lax.fori_loop(0, 5, step, x)


def swapped(x, y):
    return lax.fori_loop(0, 5, lambda i, c: (c[1], c[0] + 1), (x, y))


def matrix_power(x):
    return lax.while_loop(lambda c: jnp.abs(c[0]).sum() < 50, lambda c: (c[1] + c[0], c[0] * 1.5), (x, x))


COUNT = np.int32(11)
LOOPS = {
    "while": (fibonacci, (COUNT,)),
    "nested": (triangle, (COUNT,)),
    "cond inside": (collatz, (np.int32(27),)),
    "no turn": (fibonacci, (np.int32(0),)),
    "scan": (lorenz, (STATE,)),
    "gradient of a scan": (ax.grad(lambda s: lorenz(s)[1].sum()), (STATE,)),
    "second derivative": (ax.hessian(lambda s: lorenz(s)[0].sum()), (STATE,)),
    "batched scan": (ax.vmap(lorenz), (np.stack([STATE, STATE + 1]),)),
    "recurrent network": (network, (W, XS)),
    "reversed": (lambda w, xs: network(w, xs, True), (W, XS)),
    "gradient of a network": (ax.grad(lambda w, xs: network(w, xs)[1].sum()), (W, XS)),
    "rows set in place": (set_rows, (XS,)),
    "elements set in place": (
        lambda x: lax.fori_loop(-3, 12, lambda i, y: y.at[i, 1].set(y[i, i] + 1.0).at[i].add(y[0]), x), (XS[:8],)
    ),
    "columns and elements": (
        lambda x: lax.fori_loop(0, 9, lambda i, y: y.at[:, i].max(y[:, 0]).at[i + 1, 2].mul(3.0), x), (XS[:8],)
    ),
    "parts of small arrays": (
        lambda x: lax.scan(lambda c, r: (jnp.stack([c[0] + 1, r.sum(), c[1]]), jnp.outer(c, r)), x[0, :3], x), (XS,)
    ),
    "slices at any index": (
        lambda x: lax.map(lambda i: lax.dynamic_slice(x, (i, i * 2), (3, 4)), jnp.arange(-20, 20, 3)), (XS,)
    ),
    "carries that change places": (swapped, (XS, XS * 2)),
    "condition on an array": (matrix_power, (W,)),
    "batched while": (ax.vmap(fibonacci), (np.arange(4, dtype=np.int32),)),
    "cond": (lambda i, x: lax.cond(i > 2, lambda x: x * 2, jnp.sin, x), (COUNT, XS)),
    "switch": (lambda i, x: lax.switch(i, [jnp.sum, lambda x: x[0, 0], jnp.max], x), (COUNT, XS)),
    "empty scan": (lambda x: lax.scan(lambda c, r: (c + r.sum(), r * 2), 0.0, x[:0]), (XS,)),
    "sorting inside": (lambda x: lax.scan(lambda c, r: (c + jnp.sort(r), c), x[0], x), (XS,)),
    "large rows": (lambda x: lax.scan(lambda c, r: (c + r @ r, c.sum()), x[0], x), (np.ones((3, 40, 40), np.float32),)),
}
IN_PYTHON = {"batched while", "empty scan", "sorting inside", "large rows"}


@compiling
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_gives_what_numpy_gives(name):
    function, args = LOOPS[name]
    compiled = assert_agrees(function, *args, scale=10)
    if name not in IN_PYTHON:
        native = set(steps(compiled))
        assert native <= {"kernel", "scan", "while", "cond"} and len(native - {"kernel"}) == 1


@compiling
@pytest.mark.usefixtures("native")
def test_a_sum_with_a_product_is_rounded_once():
    """In a loop of scalars, as XLA rounds it, where the processor can."""
    a = np.float32(1 + 2**-12)
    args = a, -a * a, np.float32(0)
    turns = ax.jit(lambda a, c, x: lax.fori_loop(0, 1, lambda i, x: x + (a * a + c), x))
    backwards = ax.jit(lambda a, c, x: lax.fori_loop(0, 1, lambda i, x: x + (-c - a * a), x))
    once = np.float32(2**-24) if has_feature("fma") or has_feature("neon") else 0
    for _ in range(3):  # the code of a first call, and when the code is made well
        assert turns(*args) == once and backwards(*args) == -once


@pytest.mark.parametrize("reverse", [False, True])
def test_steps_of_a_scan_that_is_unrolled_are_fused(reverse):
    xs = RNG.normal(size=300).astype(np.float32)
    coefficients = RNG.normal(size=(6, 2)).astype(np.float32)

    def horner(xs, coefficients):
        body = lambda y, c: ((y[0] * xs + c[0], y[1] + c[1] * xs), None)
        return lax.scan(body, (xs, 1j * xs), coefficients, reverse=reverse, unroll=True)[0]

    step = lambda xs: lambda y, c: (y * xs + c[1], None)
    real = lambda xs, coefficients: lax.scan(step(xs), xs, coefficients, reverse=reverse, unroll=6)
    assert steps(assert_agrees(real, xs, coefficients, scale=30.0)) == ["kernel"]
    assert_agrees(horner, xs, coefficients, scale=30.0)
    assert_agrees(lambda xs: lax.fori_loop(0, 5, lambda i, y: jnp.sin(y) + i, xs, unroll=True), xs)
    stacked = lambda xs, c: lax.scan(lambda y, c: (y * xs, y.sum() + c), xs, c, reverse=reverse, unroll=True)
    assert_agrees(stacked, xs, coefficients, scale=30.0)
    assert_agrees(ax.grad(lambda xs: real(xs, coefficients)[0].sum()), xs, scale=1e3)
