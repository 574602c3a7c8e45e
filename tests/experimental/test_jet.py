"""`experimental.jet`: series of every primitive are those of nested `jvp`, and those that JAX knows are JAX's."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.lax.parity import assert_values
from tests.prims import harness
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.experimental import jet as module
from adjoint.experimental.jet import jet
from adjoint.extend.core import Primitive


def nested(f, xs, vs, order):
    """The derivatives of `f` along a line, by `jvp` of `jvp`."""
    along = lambda t: f(*[x + t * v for x, v in zip(xs, vs)])
    derivatives = []
    for _ in range(order):
        along = lambda t, g=along: adjoint.jvp(g, (t,), (1.0,))[1]
        derivatives.append(along(0.0))
    return derivatives


# What has no second derivative, or none that is written.
WITHOUT = {"custom_vjp_call", "custom_lin", *harness._FIRST_ORDER_ONLY}
PRIMITIVES = [
    p for p in harness.all_primitives()
    if p.axes_rule is None and (p.jvp_rule is not None or p.linear) and p.name not in WITHOUT
]


@pytest.mark.parametrize("p", PRIMITIVES, ids=lambda p: p.name)
def test_the_series_of_every_primitive_is_that_of_nested_jvp(p):
    with adjoint.enable_x64(True):
        for call in map(harness.in_double, harness.examples(p)[:2]):
            if call is not None:
                check(call)


def check(call):
    at = harness.positions(call)
    f = harness.function_of(call, at)
    xs = [jnp.asarray(call.operands[i]) for i in at]
    vs = [jnp.asarray(v) for v in harness.directions(xs, harness.seeded(call.label, "jet"))]
    expected = nested(f, xs, vs, 3)
    _, series = jet(f, xs, [[v, jnp.zeros_like(v), jnp.zeros_like(v)] for v in vs])
    for k, terms in enumerate(expected):
        for x, y in zip(terms, [s[k] for s in series], strict=True):
            size = max(1.0, float(np.max(np.abs(np.asarray(x)), initial=0.0)))
            np.testing.assert_allclose(np.asarray(y), np.asarray(x), rtol=1e-7, atol=1e-8 * size)


X, Y = np.array([0.3, 0.7, 1.9], np.float32), np.array([1.2, -0.4, 0.6], np.float32)
M = np.array([[2.0, 0.3], [0.1, 1.5]], np.float32)
FUNCTIONS = {
    "sin": (lambda m, x: m.numpy.sin(x), X), "cos": (lambda m, x: m.numpy.cos(x) * x, X),
    "exp": (lambda m, x: m.numpy.exp(x) + m.numpy.expm1(x), X),
    "log": (lambda m, x: m.numpy.log(x) * m.numpy.log1p(x), X),
    "tanh": (lambda m, x: m.numpy.tanh(x), X), "logistic": (lambda m, x: m.lax.logistic(x), X),
    "sinh": (lambda m, x: m.numpy.sinh(x) / m.numpy.cosh(x), X),
    "sqrt": (lambda m, x: m.numpy.sqrt(x) + m.lax.rsqrt(x), X),
    "powers": (lambda m, x: x**3 + x**-2 + x**2.5 + x**0, X), "power": (lambda m, x, y: x**y, X, Y),
    "quotient": (lambda m, x, y: x / y + 1 / x, X, Y), "remainder": (lambda m, x: m.lax.rem(x, np.float32(0.8)), X),
    "erf": (lambda m, x: m.lax.erf(x) + m.lax.erfc(x), X), "inverse": (lambda m, x: m.lax.erf_inv(x / 3), X),
    "atan2": (lambda m, x, y: m.lax.atan2(x, y), X, Y), "asinh": (lambda m, x: m.lax.asinh(x), X),
    "extrema": (lambda m, x, y: m.numpy.maximum(x, y) - m.numpy.min(x) + abs(y), X, Y),
    "ties": (lambda m, x: m.numpy.maximum(x, x + 0) + m.numpy.max(m.numpy.stack([x, x])), X),
    "chosen": (lambda m, x: m.numpy.where(x > 0.5, x * x, m.numpy.sin(x)), X),
    "sums": (lambda m, x: m.numpy.cumsum(x * x) + m.numpy.cumprod(x) + m.numpy.sum(x / (1 + x)), X),
    "matrices": (lambda m, a, b: a @ b @ a.T, M, M.T), "logsumexp": (lambda m, x: m.nn.logsumexp(x), X),
    "softmax": (lambda m, x: m.nn.softmax(x), X),
    "pieces": (lambda m, x: m.numpy.concatenate([x[1:], x[:1]]) * x[::-1], X),
    "taken": (lambda m, x: x[np.array([2, 0, 0])] * x.at[1].add(x[0]), X),
    "complex": (lambda m, x: m.numpy.real(m.numpy.exp(1j * x) * (x + 2j)), X),
    "jit": (lambda m, x: m.jit(m.numpy.tanh)(x) * x, X),
    "gradient": (lambda m, x: m.grad(lambda y: m.numpy.sum(y**4))(x), X),
    "constant": (lambda m, x: 3.0, X), "tree": (lambda m, x, y: {"a": x * y, "b": (y, x)}, X, Y),
    "fourier": (lambda m, x: m.numpy.fft.fft(x * x + 0j), X),
    "convolution": (lambda m, x, y: m.numpy.convolve(x, y), X, Y),
}


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_are_those_of_jax(name, scaled):
    f, *xs = FUNCTIONS[name]
    rng = np.random.default_rng(0)
    series = [[rng.normal(size=x.shape).astype(x.dtype) for _ in range(4)] for x in xs]
    run = lambda m: m.experimental.jet.jet(partial(f, m), xs, series, factorial_scaled=scaled)
    theirs, ours = run(jax), run(adjoint)
    assert adjoint.tree.structure(ours) == adjoint.tree.structure(jax.tree.map(lambda _: 0, theirs))
    if name != "ties":
        assert_values(jax.tree.leaves(theirs), adjoint.tree.leaves(ours), 2e-4)
    else:
        assert_values(jax.tree.leaves(theirs)[:2], adjoint.tree.leaves(ours)[:2], 1e-5)


def softplus(x):
    return adjoint.nn.softplus(x)


def by_custom_vjp(x):
    f = adjoint.custom_vjp(lambda y: jnp.sin(y) * y)
    f.defvjp(lambda y: (f(y), y), lambda y, ct: (ct,))
    return f(x)


BEYOND = {
    "scan": lambda x: lax.scan(lambda c, y: (jnp.sin(c) * y, (c, y * 2)), x, jnp.stack([x, 2 * x])),
    "scan, backwards": lambda x: lax.scan(lambda c, i: (c * x + i, c), 1.0, jnp.arange(3.0), reverse=True),
    "fori_loop": lambda x: lax.fori_loop(0, 3, lambda i, y: jnp.cos(y) * x + i, x),
    "while": lambda x: lax.while_loop(lambda s: s[1] < 3, lambda s: (jnp.sin(s[0]) + x, s[1] + 1), (x, 0))[0],
    "cond": lambda x: lax.cond(x > 0, jnp.sin, lambda y: y, x) + lax.cond(x < 0, jnp.sin, lambda y: 2.0, x),
    "switch": lambda x: lax.switch(1, [jnp.sin, jnp.exp], x),
    "custom_jvp": softplus,
    "checkpoint": adjoint.checkpoint(lambda x: jnp.sin(x) * x),
    "special": lambda x: lax.digamma(x) + lax.lgamma(x),
    "factors": lambda x: jnp.linalg.cholesky(jnp.eye(2) * x + 0.1),
    "system": lambda x: jnp.linalg.solve(jnp.eye(2) * x + 0.1, jnp.ones(2) * x),
    "sorted": lambda x: jnp.sort(jnp.stack([x, x * x, 1 / x])),
    "mapped": lambda x: adjoint.vmap(lambda y: lax.psum(y * y, "i"), axis_name="i")(jnp.stack([x, x * 2])),
}


@pytest.mark.parametrize("name", BEYOND)
def test_programs_have_series_too(name):
    f, x = BEYOND[name], jnp.float32(0.8)
    outs, series = jet(f, (x,), ((1.0, 0.0, 0.0),))
    flat = lambda t: adjoint.tree.leaves(f(t))
    for k, terms in enumerate(nested(flat, [x], [1.0], 3)):
        leaves = adjoint.tree.leaves(series, is_leaf=lambda s: isinstance(s, list))
        for expected, s in zip(terms, leaves, strict=True):
            np.testing.assert_allclose(s[k], expected, rtol=2e-3, atol=2e-4)
    for y, z in zip(adjoint.tree.leaves(outs), flat(x), strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-6)


def test_forward_mode_of_a_function_with_a_vjp_rule_is_that_of_the_function():
    _, (first, second) = jet(by_custom_vjp, (0.8,), ((1.0, 0.0),))
    np.testing.assert_allclose([first, second], [adjoint.grad(f)(0.8) for f in (
        lambda x: jnp.sin(x) * x, adjoint.grad(lambda x: jnp.sin(x) * x)
    )], rtol=1e-5)


def test_jet_can_be_transformed():
    third = lambda x: jet(jnp.sin, (x,), ((1.0, 0.0, 0.0),))[1][2]
    for f in (third, adjoint.jit(third), lambda x: adjoint.vmap(third)(jnp.stack([x, x]))[1]):
        np.testing.assert_allclose(f(0.4), -np.cos(0.4), rtol=1e-5)
    np.testing.assert_allclose(adjoint.grad(third)(0.4), np.sin(0.4), rtol=1e-5)
    inner = lambda y: jet(jnp.exp, (y,), ((1.0,),))[1][0]
    np.testing.assert_allclose(jet(inner, (0.4,), ((1.0, 0.0),))[1], np.exp([0.4, 0.4]), rtol=1e-5)


def test_many_terms_cost_little():
    program = adjoint.make_jaxpr(lambda x: jet(lambda y: jnp.tanh(jnp.sin(y) * y), (x,), ((1.0,) + (0.0,) * 9,)))(0.5)
    assert len(program.eqns) < 1000


def made(name, impl):
    p = Primitive(name)
    p.def_impl(impl)
    p.def_abstract_eval(lambda x, **_: x)
    return p


def test_users_write_rules_as_in_jax():
    by_deriv, by_comp, linear, constant = [made(n, f) for n, f in (
        ("by_deriv", jnp.sin), ("by_comp", jnp.sin), ("linear", lambda x: 2 * x), ("constant", lambda x: 2 * x)
    )]
    module.def_deriv(by_deriv, jnp.cos)
    module.def_comp(by_comp, lambda x: jnp.sin(x))
    module.deflinear(linear)
    module.defzero(constant)
    expected = np.sin(2.0 + np.arange(1, 4) * np.pi / 2)
    for p, series in ((by_deriv, expected), (by_comp, expected), (linear, [2, 0, 0]), (constant, [0, 0, 0])):
        np.testing.assert_allclose(jet(p.bind, (2.0,), ((1.0, 0.0, 0.0),))[1], series, rtol=1e-5, atol=1e-6)
    given = []
    p = made("by_rule", lambda x: x)

    def rule(primals, series, **params):
        given.append((primals, series, params))
        return primals[0], series[0]

    module.jet_rules[p] = rule
    assert jet(lambda x: p.bind(x, n=2), (2.0,), ((1.0, 0.0),))[1] == [1.0, 0.0]
    assert given == [([2.0], [[1.0, 0.0]], {"n": 2})]


@pytest.mark.parametrize(("args", "kind", "text"), [
    ((lambda x, y: x * y, (0.5, 2.0), ((1.0, 0.0), (1.0,))), ValueError, "jet terms have inconsistent lengths"),
    ((lambda d: d["a"], ({"a": 1.0},), ({"a": [1.0]},)), ValueError, "primal value at position 0 is not an array"),
])
def test_wrong_arguments_are_refused_as_in_jax(args, kind, text):
    for m in (jax, adjoint):
        with pytest.raises(kind, match=text):
            m.experimental.jet.jet(*args)
