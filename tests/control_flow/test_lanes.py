"""`vmap` of loops whose elements end on their own: values beside JAX and beside one element alone, and derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from tests.control_flow.lane_programs import make, make_branches
from tests.modes import compiling, promoting
from tests.recorded import jax

import adjoint
from adjoint import lax
from adjoint import numpy as jnp

pytestmark = [compiling, promoting]

A = np.linspace(1, 3, 6).astype("f")
X = np.linspace(0.1, 0.9, 5).astype("f")
V = (np.arange(30, dtype="f") * 7 % 31 / 16 - 1).reshape(6, 5)


def both(f, *args):
    """Compare a jitted program with JAX's; `f` takes the library first."""
    found, expected = [m.jit(lambda *xs, m=m: f(m, *xs))(*args) for m in (adjoint, jax)]
    expected = jax.tree.leaves(expected)
    for a, b in zip(adjoint.tree.leaves(found), expected, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=3e-4, atol=3e-4)


def _solve(m, a, x, **options):
    return m.lax.while_loop(
        lambda s: (s[0] < a) & (s[1] < 30),
        lambda s: (s[0] + m.numpy.sin(s[0]) ** 2 * 0.2 + 0.05 * x, s[1] + 1), (x, 0), **options,
    )


def _looped(m, n, body, start):
    return m.lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, body(s[0], s[1])), (0, start))[1]


def _slow(m, v):
    return m.lax.fori_loop(0, 9, lambda i, v: m.numpy.cos(v) + 0.01 * v, v)


def _branch(m, which, v):
    return m.lax.cond(which, lambda v: _slow(m, v), lambda v: v * 2, v)


PROGRAMS = {
    "one axis": (lambda m, a: m.vmap(lambda a: _solve(m, a, a * 0.1))(a), A),
    "two axes": (lambda m, a, x: m.vmap(m.vmap(lambda a, x: _solve(m, a, x), (None, 0)), (0, None))(a, x), A, X),
    "two axes of one operand": (
        lambda m, a, x: m.vmap(m.vmap(lambda a, x: _solve(m, a, x)), (None, 0))(a, x), A, np.outer(X, A * 0.1)),
    "jvp within": (lambda m, a: m.vmap(m.jacfwd(lambda a: _solve(m, a, a * 0.1)[0]))(a), A),
    "jvp around": (lambda m, a: m.jvp(lambda a: m.vmap(lambda a: _solve(m, a, a * 0.1))(a)[0], (a,), (a,)), A),
    "jacobian around": (lambda m, a: m.jacfwd(lambda a: m.vmap(lambda a: _solve(m, a, a * 0.1))(a)[0])(a), A),
    "a map": (lambda m, a: m.lax.map(lambda a: _solve(m, a, a * 0.1), a), A),
    "a flag": (
        lambda m, n: m.vmap(
            lambda n: m.lax.while_loop(lambda s: s[0], lambda s: (s[1] < n, s[1] + 1), (True, 0)))(n), np.arange(19)),
    "keys": (
        lambda m, n: m.vmap(lambda k: m.lax.while_loop(
            lambda s: m.random.uniform(s[0]) < 0.7, lambda s: (m.random.split(s[0])[0], s[1] + 1), (k, 0))[1])(
                m.random.split(m.random.key(0), 10)), 0),
    "a collective": (
        lambda m, n: m.vmap(
            lambda n: m.lax.while_loop(lambda s: s < n, lambda s: s + m.lax.axis_index("i") + 1, 0), axis_name="i")(n),
        np.arange(9)),
    "a table": (
        lambda m, n: m.vmap(lambda n: _looped(m, n, lambda i, v: v + m.numpy.asarray(A)[i % 6], 0.0))(n),
        np.arange(9)),
    "places of its own": (
        lambda m, n, v: m.vmap(lambda n, v: _looped(m, n, lambda i, s: s + v[i % 5], 0.0))(n, v), np.arange(6), V),
    "an update": (
        lambda m, n, v: m.vmap(lambda n, v: _looped(m, n, lambda i, s: s.at[i % 5].add(1.0), v))(n, v),
        np.arange(6), V),
    "a product": (
        lambda m, n, v: m.vmap(lambda n, v: _looped(m, n, lambda i, s: m.numpy.tanh((V.T @ V) @ s / 4), v))(n, v),
        np.arange(6), V),
    "a large product": (
        lambda m, n: m.vmap(
            lambda n: _looped(m, n, lambda i, s: m.numpy.tanh(np.full((40, 40), 0.02, "f") @ s), np.ones(40, "f")))(n),
        np.arange(6)),
    "sorted": (
        lambda m, n, v: m.vmap(lambda n, v: _looped(m, n, lambda i, s: m.numpy.sort(s * 1.5 % 1), v))(n, v),
        np.arange(6), V),
    "half floats": (
        lambda m, n: m.vmap(lambda n: _looped(m, n, lambda i, s: s * 1.5, np.float16(1)))(n), np.arange(9)),
    "a branch": (
        lambda m, x: m.lax.map(
            lambda x: m.lax.cond(x > 0.5, lambda v: m.lax.fori_loop(0, 9, lambda i, v: m.numpy.cos(v), v),
                                 lambda v: v * 2, x), x), X),
    "a slow branch": (lambda m, x: m.vmap(lambda x: _branch(m, x > 0.5, x))(x), X),
    "a branch of rows": (lambda m, x, v: m.vmap(lambda x, v: _branch(m, x > 0.5, v), (0, 1))(x, v), X, V),
    "a branch of constants": (lambda m, x, v: m.vmap(lambda x, v: _branch(m, x > 0.5, v), (0, None))(x, v), X, V),
    "a branch of two axes": (
        lambda m, x, v: m.vmap(m.vmap(lambda x, v: _branch(m, x + v.sum() > 0, v), (0, None)), (None, 1))(x, v), X, V),
    "a branch of two axes, others behind": (
        lambda m, x, v: m.vmap(m.vmap(lambda x, v: _branch(m, x + v.sum() > 0.5, v), (None, 0), 1), (0, None), 1)(x, v),
        X, V),
    "a branch with results that nobody reads": (
        lambda m, x, v: m.vmap(lambda x, v: m.lax.cond(
            x > 0.5, lambda v: (_slow(m, v), v, 1), lambda v: (v, -v, 2), v)[1])(x, V[:5]), X, V),
    "a branch that differentiates": (lambda m, x: m.vmap(m.grad(lambda x: _branch(m, x > 0.5, x)))(x), X),
    "second derivatives of a branch": (lambda m, x: m.vmap(m.hessian(lambda x: _branch(m, x > 0.5, x)))(x), X),
    "a derivative around a branch": (
        lambda m, x: m.grad(lambda x: m.vmap(lambda x: _branch(m, x > 0.5, x))(x).sum())(x), X),
    "a branch in turns": (
        lambda m, x: m.lax.scan(lambda c, _: (m.vmap(lambda x: _branch(m, x > 0.5, x))(c), c.sum()), x, None, 4), X),
    "a branch that solves": (
        lambda m, x, v: m.vmap(lambda x, v: m.lax.cond(
            x > 0.5, lambda v: m.numpy.linalg.solve(3 * m.numpy.eye(5, dtype="f") + v[:, None] * v, v),
            lambda v: v, v))(x, v), X, V[:5]),
    "a branch that knows its place": (
        lambda m, x: m.vmap(lambda x: _branch(m, x > 0.5, x) + m.lax.axis_index("i"), axis_name="i")(x), X),
    "a branch that asks for its place": (
        lambda m, x: m.vmap(lambda x: m.lax.cond(
            x > 0.5, lambda v: _slow(m, v) + m.lax.axis_index("i"), lambda v: v, x), axis_name="i")(x), X),
    "a branch of few operations": (
        lambda m, x: m.vmap(lambda x: m.lax.cond(x > 0.5, m.numpy.sin, m.numpy.cos, x))(x), X),
    "stacked rows": (
        lambda m, x: m.lax.map(lambda x: m.lax.scan(
            lambda c, row: (c * row + x, (c > row, c)), x, V[0])[1], x), X),
    "rows of more axes": (
        lambda m, n, v: m.vmap(lambda n, v: _looped(m, n, lambda i, s: s * 0.5 + v.sum(), v))(n, v),
        np.arange(6), V.reshape(6, 5, 1)),
    "none": (lambda m, n: m.vmap(lambda n: _looped(m, n, lambda i, s: s + 1, 0))(n), np.zeros(0, np.int32)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_loops_over_lanes_are_jax_s(name):
    f, *args = PROGRAMS[name]
    both(f, *args)


@pytest.mark.parametrize(("seed", "make"), [*[(i, make) for i in range(48)], *[(i, make_branches) for i in range(24)]])
@pytest.mark.skipif(adjoint.config.cpu_engine == "xla", reason="XLA rounds by what it compiles together")
def test_a_lane_is_what_it_is_alone(seed, make):
    """To the bit, in a batch of any size, where it may be one of a vector or the rest of one."""
    f, text = make(seed, adjoint)
    r = np.random.default_rng(seed)
    n = [1, 2, 5, 17, 40][seed % 5]
    k, x, w = r.integers(0, 9, n).astype("i"), r.normal(size=n).astype("f"), r.normal(size=2).astype("f")
    found = adjoint.jit(adjoint.vmap(f, (0, 0, None)))(k, x, w)
    g, _ = make(seed, jax)
    expected = jax.jit(jax.vmap(g, (0, 0, None)))(k, x, w)
    alone = adjoint.jit(f)
    for i in range(min(n, 3)):
        for a, b in zip(found, alone(k[i], x[i], w), strict=True):
            np.testing.assert_array_equal(a[i], b, err_msg=text)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3, err_msg=text)


@pytest.mark.parametrize("outer", [False, True])
def test_gradients_with_checkpoints_are_those_of_a_scan(outer):
    def by_while(a):
        return _solve(adjoint, a, a * 0.1, checkpoints=5)[0]

    def by_scan(a):
        step = lambda s, _: (jnp.where(s < a, s + jnp.sin(s) ** 2 * 0.2 + 0.005 * a, s), None)
        return lax.scan(step, a * 0.1, None, 30)[0]

    grad = lambda f: adjoint.grad(lambda a: adjoint.vmap(f)(a).sum()) if outer else adjoint.vmap(adjoint.grad(f))
    found, expected = [adjoint.jit(grad(f))(A) for f in (by_while, by_scan)]
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def test_a_lane_that_others_would_wait_for_ends():
    """What is computed for lanes that are done does not count, be it a loop without an end."""
    def f(n):
        inner = lambda v: lax.while_loop(lambda s: (s[0] != n) & (s[1] < n), lambda s: (s[0] + 1, s[1]), (0, v))[0]
        return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, inner(s[1])), (0, 0))

    assert adjoint.jit(adjoint.vmap(f))(np.arange(20))[0].tolist() == list(range(20))


def test_printed_branches_are_selections():
    f = lambda m: m.make_jaxpr(m.vmap(lambda x: _branch(m, x > 0.5, x)))(X)
    assert str(f(adjoint)) == str(f(jax))


def test_printed_programs_are_those_of_masks():
    f = lambda m: m.make_jaxpr(m.vmap(lambda n: m.lax.while_loop(lambda s: s < n, lambda s: s + 1, 0)))(np.arange(3))
    assert str(f(adjoint)) == str(f(jax))
