"""`experimental.custom_partitioning`: rules, what they refuse, and functions that devices run on their parts."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.messages import what
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.experimental import custom_partitioning as module
from adjoint.experimental.custom_partitioning import custom_partitioning

RULES = {
    "a rule": lambda m: m.SdyShardingRule(
        (m.ArrayMapping("i", "j"), m.ArrayMapping("j", "k")), (m.ArrayMapping("i", "k"),)
    ),
    "compound": lambda m: m.SdyShardingRule((m.ArrayMapping(m.CompoundFactor("i", "j")),), (m.ArrayMapping("i", "j"),)),
    "special": lambda m: m.SdyShardingRule((m.ArrayMapping("i"),), (m.ArrayMapping("i"),), reduction_factors=("i",)),
    "batch": lambda m: m.ArrayMapping(m.BATCHING, "i"),
    "number": lambda m: m.ArrayMapping(1),
    "digit": lambda m: m.ArrayMapping("1"),
    "late batch": lambda m: m.ArrayMapping("i", m.BATCHING),
    "one factor": lambda m: m.CompoundFactor("i"),
    "factor's name": lambda m: m.CompoundFactor("i", "1"),
    "factor's type": lambda m: m.CompoundFactor(3, "i"),
    "size of an axis": lambda m: m.SdyShardingRule(
        (m.ArrayMapping(m.CompoundFactor("i", "j")),), (m.ArrayMapping("i", "j"),), i=2
    ),
    "size of nothing": lambda m: m.SdyShardingRule((m.ArrayMapping("i"),), (m.ArrayMapping("i"),), k=3),
    "sum over nothing": lambda m: m.SdyShardingRule(
        (m.ArrayMapping("i"),), (m.ArrayMapping("i"),), reduction_factors=("k",)
    ),
    "no arrow": lambda m: m.custom_partitioning(abs).def_partition(abs, sharding_rule="i > i"),
    "no text": lambda m: m.custom_partitioning(abs).def_partition(abs, sharding_rule=3),
}


@pytest.mark.parametrize("name", RULES)
def test_rules_and_their_errors_are_those_of_jax(name):
    said = []
    for m in (jax, adjoint):
        try:
            said.append(str(RULES[name](m.experimental.custom_partitioning)))
        except (TypeError, ValueError) as error:
            said.append((type(error), what(error)))
    assert said[0] == said[1]


def test_a_rule_is_read_from_text():
    f = custom_partitioning(lambda x, y: x @ y)
    f.def_partition(abs, sharding_rule="... (i j) k, k l -> ... (i j) l", i=2, reduction_factors=("k",))
    assert str(f.sharding_rule) == (
        "SdyShardingRule((('…', ('i', 'j'), 'k'), ('k', 'l')), (('…', ('i', 'j'), 'l'),), {'i': 2} "
        "reduction_factors=('k',))"
    )


def test_a_rule_has_jaxs_attributes():
    for m in (adjoint, jax):
        h = m.experimental.custom_partitioning
        rule = h.SdyShardingRule((h.ArrayMapping("i", "j"),), (h.ArrayMapping("i"),), reduction_factors=("j",))
        assert (("j",), (), ()) == (
            rule.reduction_factors, rule.need_replication_factors, rule.permutation_factors)


def by_devices(calls):
    @partial(custom_partitioning, static_argnums=(1,))
    def scaled(x, n):
        """Scale."""
        return x * n

    def partition(n, mesh, arg_shapes, result_shape):
        calls.append((mesh.shape["x"], arg_shapes[0].sharding.spec, result_shape.sharding.spec))
        run = lambda x: (calls.append(x.shape), x * n)[1]
        return mesh, run, result_shape.sharding, adjoint.tree.map(lambda s: s.sharding, arg_shapes)

    scaled.def_partition(
        partition, infer_sharding_from_operands=lambda n, mesh, args, result: args[0].sharding, sharding_rule="i -> i"
    )
    return scaled


def test_each_device_runs_its_part():
    calls = []
    scaled = by_devices(calls)
    assert scaled(jnp.arange(4.0), 3).tolist() == [0, 3, 6, 9]
    assert not calls
    mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()[:2]), ("x",))
    x = adjoint.device_put(jnp.arange(4.0), adjoint.NamedSharding(mesh, adjoint.P("x")))
    out = scaled(x, n=3)
    n = mesh.shape["x"]
    assert calls[0] == (n, adjoint.P("x"), adjoint.P("x"))
    assert calls[1] == (4 // n,)
    assert out.sharding == x.sharding
    assert out.tolist() == adjoint.jit(lambda y: scaled(y, 3))(x).tolist() == [0, 3, 6, 9]


def test_a_function_without_a_rule_is_refused():
    with pytest.raises(AttributeError, match="has no rule"):
        custom_partitioning(lambda x: x)(jnp.ones(2))
    f = by_devices([])
    assert (f.__name__, f.__doc__) == ("scaled", "Scale.")
    with pytest.raises(NotImplementedError, match="custom_partitioning"):
        adjoint.grad(lambda x: f(x, 2).sum())(jnp.ones(2))
    with pytest.raises(NotImplementedError, match="Batching rule for 'custom_partitioning' not implemented"):
        adjoint.vmap(lambda x: f(x[None], 2))(jnp.ones(2))
    assert module.custom_partitioning_p.name == "custom_partitioning"
