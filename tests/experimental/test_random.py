"""`experimental.random`: a generator with a state gives what JAX's gives, draw after draw, through transformations."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lax.parity import assert_same
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.experimental.random import stateful_rng

DRAWS = {
    "random": lambda m, r: (r.random(), r.random(3), r.random((2,), dtype="float16")),
    "uniform": lambda m, r: (r.uniform(), r.uniform(1, 5, (2,)), r.uniform(np.zeros(3), 2.0), r.uniform(0, 1, 3)),
    "normal": lambda m, r: (r.normal(), r.normal(1, 5, (2,)), r.normal(np.zeros(3), 2.0)),
    "integers": lambda m, r: (
        r.integers(5), r.integers(1, 5, (2,)), r.integers(np.array([3, 4])), r.integers(0, 10, 5, dtype="int8")
    ),
    "key": lambda m, r: [m.random.key_data(k) for k in (r.key(), r.key(), r.key((2,)), r.key(3))],
    "spawn": lambda m, r: [s.random(2) for s in r.spawn(2)] + [r.random()],
    "split": lambda m, r: (m.vmap(lambda s: s.random())(r.split(3)), r.random()),
    "jit": lambda m, r: (m.jit(lambda: r.random())(), m.jit(lambda s: s.random())(r), r.random()),
    "scan": lambda m, r: m.lax.scan(lambda c, _: (c, r.random()), m.numpy.zeros(2), None, length=3)[1],
}


@pytest.mark.parametrize("name", DRAWS)
def test_draws_are_those_of_jax(name):
    run = lambda m: DRAWS[name](m, m.experimental.random.stateful_rng(3))
    assert_same(run(jax), run(adjoint), 1e-6)


def test_a_generator_is_a_tree_of_a_key_and_a_reference():
    rng = stateful_rng(0)
    assert adjoint.tree.structure(rng).num_leaves == 2
    assert rng._counter[...] == 0
    rng.key()
    assert rng._counter[...] == 1
    assert repr(rng).startswith("StatefulPRNG(_base_key=Array((), dtype=key<fry>)")
    assert stateful_rng(jnp.array(3)).integers(9) == stateful_rng(3).integers(9)
    assert adjoint.jit(lambda seed: stateful_rng(seed).integers(9))(3) == stateful_rng(3).integers(9)
    assert stateful_rng(1, impl="rbg").key().dtype.name == "key<rbg>"
    assert stateful_rng().random() != stateful_rng().random()


@pytest.mark.parametrize(("use", "kind", "text"), [
    (lambda m, r: r.split(2).random(), ValueError, "cannot operate on split stateful generator"),
    (lambda m, r: r.integers(5, dtype=float), TypeError, "randint only accepts integer dtypes, got float32"),
    (lambda m, r: r.uniform(dtype=int), ValueError, "must be a float dtype, got int32"),
    (lambda m, r: m.experimental.random.stateful_rng(m.random.key(0)), TypeError, "key accepts a scalar seed"),
])
def test_errors_are_those_of_jax(use, kind, text):
    for m in (jax, adjoint):
        with pytest.raises(kind, match=text):
            use(m, m.experimental.random.stateful_rng(0))
