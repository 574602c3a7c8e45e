"""Optimizers and schedules take the same steps as JAX's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.recorded import jax
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.example_libraries import optimizers as ours

jaxnp = jax.numpy
theirs = jax.example_libraries.optimizers

OPTIMIZERS = {
    "sgd": lambda m: m.sgd(0.1),
    "momentum": lambda m: m.momentum(0.1, 0.9),
    "nesterov": lambda m: m.nesterov(0.1, mass=0.9),
    "adagrad": lambda m: m.adagrad(0.1),
    "rmsprop": lambda m: m.rmsprop(0.1),
    "rmsprop_momentum": lambda m: m.rmsprop_momentum(0.1, gamma=0.8),
    "adam": lambda m: m.adam(0.1),
    "adam with a schedule": lambda m: m.adam(m.exponential_decay(0.1, 10, 0.5), b1=0.8),
    "adamax": lambda m: m.adamax(0.1),
    "sm3": lambda m: m.sm3(0.1),
}
SCHEDULES = {
    "constant": lambda m: m.constant(0.5),
    "exponential": lambda m: m.exponential_decay(1.0, 4, 0.5),
    "inverse time": lambda m: m.inverse_time_decay(1.0, 4, 0.5),
    "inverse time in steps": lambda m: m.inverse_time_decay(1.0, 4, 0.5, staircase=True),
    "polynomial": lambda m: m.polynomial_decay(1.0, 8, 0.1, power=2.0),
    "piecewise": lambda m: m.piecewise_constant([3, 7], [1.0, 0.5, 0.1]),
    "number": lambda m: m.make_schedule(0.25),
}
rng = stream()
PARAMS = {
    "w": rng.normal(size=(3, 2)).astype(np.float32),
    "rest": [rng.normal(size=4).astype(np.float32), np.float32(0.5)],
}


def trained(jax, m, opt, jitted):
    """Parameters after 20 steps on a loss with its minimum off zero."""

    def loss(p):
        return (((p["w"] ** 2).sum() + (p["rest"][0] - 1) @ (p["rest"][0] - 1)) * 0.5
                + (p["rest"][1] - 2) ** 2)

    def step(i, state):
        return opt.update_fn(i, jax.grad(loss)(opt.params_fn(state)), state)

    step = jax.jit(step) if jitted else step
    state = opt.init_fn(jax.tree.map(jax.numpy.asarray, PARAMS))
    for i in range(20):
        state = step(i, state)
    return opt.params_fn(state)


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_twenty_steps(name, jitted):
    make = OPTIMIZERS[name]
    expected = trained(jax, theirs, make(theirs), name != "sm3")  # its state holds shapes
    actual = trained(ax, ours, make(ours), jitted)
    for x, y in zip(jax.tree.leaves(expected), ax.tree.leaves(actual), strict=True):
        assert (x.dtype, x.weak_type) == (y.dtype, y.weak_type)
        np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules(name):
    make = SCHEDULES[name]
    for i in (0, 1, 3, 4, 7, 8, 20):
        for n in (i, np.int32(i)):
            assert np.allclose(make(theirs)(n), make(ours)(n), rtol=1e-6)
        inside = ax.jit(make(ours))(i)
        assert np.allclose(jax.jit(make(theirs))(i), inside, rtol=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.make_schedule(np.ones(2)),
        lambda m: m.make_schedule([0.1, 0.2]),
        lambda m: m.piecewise_constant([1], [1.0]),
        lambda m: m.piecewise_constant([[1]], [1.0, 2.0]),
        lambda m: m.sgd(0.1).update_fn(0, {"b": 1.0}, m.sgd(0.1).init_fn({"a": 1.0})),
        lambda m: m.optimizer(
            lambda: (lambda x: (x, x), lambda i, g, s: s[0], lambda s: s[0])
        )().update_fn(0, 1.0, m.OptimizerState([[1.0, 1.0]], *_trees(m))),
    ],
)
def test_errors(call):
    with pytest.raises(Exception) as expected, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX warns of the dimensions of lists
        call(theirs)
    with pytest.raises(expected.type):
        call(ours)


def test_packing_needs_join_points():
    with pytest.raises(TypeError, match="JoinPoint"):
        ours.pack_optimizer_state([1.0])


def _trees(m):
    state = m.momentum(0.1, 0.9).init_fn(1.0)
    return state.tree_def, state.subtree_defs


def test_a_wrong_gradient_tree_is_explained():
    init, update, _ = ours.sgd(0.1)
    with pytest.raises(TypeError, match="did not match the parameter tree") as error:
        update(0, [1.0], init({"a": 1.0}))
    assert "Try:" in str(error.value)


def test_a_state_is_a_tree_that_unpacks_and_packs():
    init, update, get_params = ours.adam(0.1)
    state = update(0, PARAMS, init(PARAMS))
    unpacked = ours.unpack_optimizer_state(state)
    assert isinstance(unpacked["w"], ours.JoinPoint)
    (inner,) = unpacked["w"]
    assert 3 == len(inner)
    packed = ours.pack_optimizer_state(unpacked)
    assert ax.tree.structure(state) == ax.tree.structure(packed)
    for x, y in zip(ax.tree.leaves(get_params(state)), ax.tree.leaves(get_params(packed))):
        assert (np.asarray(x) == np.asarray(y)).all()
    assert 12 == len(ax.tree.leaves(state)) + 3


def test_norm_and_clipping():
    for limit in (0.5, 100.0):
        expected = theirs.clip_grads(jax.tree.map(jaxnp.asarray, PARAMS), limit)
        actual = ours.clip_grads(PARAMS, limit)
        for x, y in zip(jax.tree.leaves(expected), ax.tree.leaves(actual), strict=True):
            np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-6)
    assert np.allclose(theirs.l2_norm(PARAMS), ours.l2_norm(PARAMS), rtol=1e-6)
    assert isinstance(ours.l2_norm(PARAMS), jnp.ndarray)
