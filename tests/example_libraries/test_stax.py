"""`example_libraries.stax`: shapes, parameters and results of every layer are those of JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lax.parity import assert_values
from tests.recorded import jax

import adjoint
from adjoint.example_libraries import stax

LAYERS = {
    "dense": (lambda s: s.Dense(4), (-1, 3)),
    "conv": (lambda s: s.Conv(4, (3, 3)), (2, 8, 8, 3)),
    "conv of any batch": (lambda s: s.Conv(4, (3, 3), padding="SAME"), (-1, 8, 8, 3)),
    "conv with strides": (lambda s: s.Conv(4, (3, 3), strides=(2, 2), padding="SAME"), (2, 8, 8, 3)),
    "conv transposed": (lambda s: s.ConvTranspose(4, (3, 3)), (2, 8, 8, 3)),
    "conv of one axis": (lambda s: s.Conv1DTranspose(4, (3,), strides=(2,), padding="SAME"), (2, 8, 3)),
    "conv by letters": (lambda s: s.GeneralConv(("NCHW", "OIHW", "NCHW"), 4, (3, 3)), (2, 3, 8, 8)),
    "batch norm": (lambda s: s.BatchNorm(), (2, 4, 4, 3)),
    "batch norm of one axis": (lambda s: s.BatchNorm(axis=(0,), center=False), (4, 3)),
    "batch norm without scale": (lambda s: s.BatchNorm(axis=0, scale=False), (4, 3)),
    "flatten": (lambda s: s.Flatten, (2, 3, 4)),
    "elementwise": (lambda s: s.elementwise(lambda x, k: x * k, k=2), (2, 3)),
    "dropout": (lambda s: s.Dropout(0.5), (2, 8)),
    "dropout in tests": (lambda s: s.Dropout(0.5, mode="test"), (2, 8)),
    "serial": (lambda s: s.serial(s.Dense(4), s.Relu, s.Dropout(0.5), s.Dense(2)), (2, 3)),
    "parallel": (lambda s: s.serial(s.FanOut(2), s.parallel(s.Dense(4), s.Dense(4)), s.FanInSum), (2, 3)),
    "concat": (lambda s: s.serial(s.FanOut(2), s.parallel(s.Dense(4), s.Dense(3)), s.FanInConcat()), (2, 3)),
    "shape dependent": (lambda s: s.shape_dependent(lambda shape: s.Dense(shape[-1] * 2)), (2, 3)),
    **{name: (lambda s, name=name: getattr(s, name), (2, 3, 4)) for name in (
        "Tanh", "Relu", "Exp", "LogSoftmax", "Softmax", "Softplus", "Sigmoid", "Elu", "LeakyRelu", "Selu", "Gelu",
        "Identity",
    )},
    **{f"{name} {i}": (lambda s, name=name, a=args: getattr(s, name)(**a), shape) for name in (
        "MaxPool", "SumPool", "AvgPool",
    ) for i, (args, shape) in enumerate([
        ({"window_shape": (2, 2)}, (2, 4, 4, 3)),
        ({"window_shape": (2, 2), "strides": (2, 1), "padding": "SAME"}, (-1, 4, 5, 3)),
        ({"window_shape": (2, 2), "spec": "NCHW"}, (2, 3, 4, 4)), ({"window_shape": (2,)}, (2, 4, 3)),
    ])},
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_those_of_jax(name):
    layer, shape = LAYERS[name]
    x = np.random.default_rng(0).normal(size=[2 if n == -1 else n for n in shape]).astype(np.float32)

    def run(m):
        init, apply = layer(m.example_libraries.stax)
        out, params = init(m.random.key(0), shape)
        return tuple(map(int, out)), m.tree.leaves([params, apply(params, x, rng=m.random.key(1))])

    (theirs, values), (ours, found) = run(jax), run(adjoint)
    assert theirs == ours
    assert_values(values, found, 1e-5)


def test_dropout_needs_a_key():
    init, apply = stax.Dropout(0.5)
    _, params = init(None, (2,))
    with pytest.raises(ValueError, match="Dropout layer requires apply_fun to be called with a PRNG key argument"):
        apply(params, np.ones(2))


def test_a_network_learns():
    init, apply = stax.serial(stax.Dense(16), stax.Tanh, stax.Dense(1))
    _, params = init(adjoint.random.key(0), (-1, 1))
    x = np.linspace(-1, 1, 32, dtype=np.float32)[:, None]
    loss = lambda p: ((apply(p, x) - x**2) ** 2).mean()
    step = adjoint.jit(lambda p: adjoint.tree.map(lambda w, g: w - 0.5 * g, p, adjoint.grad(loss)(p)))
    first = loss(params)
    for _ in range(500):
        params = step(params)
    assert loss(params) < 0.1 * first


@pytest.mark.parametrize("name", ["dense", "conv", "batch norm", "MaxPool 0", "AvgPool 1", "dropout", "concat"])
def test_ranks_are_not_promoted(name):
    layer, shape = LAYERS[name]
    init, apply = layer(stax)
    with adjoint.numpy_rank_promotion("raise"), adjoint.numpy_dtype_promotion("strict"):
        _, params = init(adjoint.random.key(0), shape)
        x = adjoint.numpy.ones([2 if n == -1 else n for n in shape])
        assert np.isfinite(apply(params, x, rng=adjoint.random.key(1))).all()
