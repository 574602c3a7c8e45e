"""Modules of `experimental` and `extend` that are small: each name does what JAX's does."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from tests.lax.parity import assert_same
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.experimental.compute_on import compute_on
from adjoint.experimental.shard_alike import shard_alike
from adjoint.extend import ifrt_programs


@pytest.mark.parametrize("name", ["lib", "experimental.key_reuse"])
def test_modules_without_names_are_there(name):
    module = import_module(f"adjoint.{name}")
    assert [n for n in dir(module) if not n.startswith("_")] == []


def on_host(m, x):
    with m.experimental.compute_on.compute_on("device_host"):
        y = m.numpy.sin(x)
    return y * 2


def on_host_as_call(m, x):
    space = m.memory.Space.Device
    f = m.experimental.compute_on.compute_on2(
        lambda y: {"a": m.numpy.sin(y), "b": y}, compute_type="device_host", out_memory_spaces=space
    )
    return f(x)["a"] * 2


CALLS = {
    "compute_on": on_host,
    "compute_on2": on_host_as_call,
    "scheduling_group": lambda m, x: m.experimental.scheduling_groups.scheduling_group("a")(m.numpy.sin)(x) * x,
    "xla_metadata_call": lambda m, x: m.experimental.scheduling_groups.xla_metadata_call(a="b")(m.numpy.sin)(x),
    "set_xla_metadata": lambda m, x: m.experimental.xla_metadata.set_xla_metadata(m.numpy.sin(x), n=3, on=True) * x,
    "metadata of operations": lambda m, x: m.experimental.xla_metadata.set_xla_metadata(key="v")(m.numpy.sin)(x),
    "fused": lambda m, x: m.experimental.fused.fused(out_spaces=(m.memory.Space.Device,))(lambda y: m.numpy.sin(y))(x),
    "shard_alike": lambda m, x: sum(m.experimental.shard_alike.shard_alike(m.numpy.sin(x), x * 2)),
}


@pytest.mark.parametrize("name", CALLS)
def test_values_and_derivatives_are_those_of_the_function(name):
    x = np.array([0.5, 1.0, 2.0], np.float32)
    run = {}
    for m in (jax, adjoint):
        f = lambda y, m=m: CALLS[name](m, y)
        loss = lambda y, f=f, m=m: m.numpy.sum(f(y) ** 2)
        y = m.numpy.asarray(x)
        calls = [f, m.grad(loss), m.vmap(f), m.jit(m.grad(loss))]
        if name != "fused":  # which JAX does not compile for CPUs
            run[m] = [call(y) for call in calls] + [m.jvp(f, (y,), (y,))]
        else:
            run[m] = [m.eval_shape(f, y)] if m is jax else [call(y) for call in calls]
    if name != "fused":
        assert_same(run[jax], run[adjoint], 1e-5)
    else:
        np.testing.assert_allclose(run[adjoint][0], np.sin(x), rtol=1e-5)
        np.testing.assert_allclose(run[adjoint][1], 2 * np.sin(x) * np.cos(x), rtol=1e-4)


@pytest.mark.parametrize("name", ["compute_on2", "scheduling_group", "set_xla_metadata", "shard_alike"])
def test_calls_are_printed_as_in_jax(name):
    texts = [str(m.make_jaxpr(lambda y, m=m: CALLS[name](m, y))(1.0)) for m in (jax, adjoint)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(("place", "kind"), [("nowhere", ValueError), ("gpu_stream#1", ValueError), (3, TypeError)])
def test_places_have_the_names_of_jax(place, kind):
    texts = []
    for m in (jax, adjoint):
        with pytest.raises(kind) as error, m.experimental.compute_on.compute_on(place):
            pass
        texts.append(str(error.value))
    assert texts[0] == texts[1]
    for good in ("device", "tpu_sparsecore", "gpu_stream:1"):
        with compute_on(good):
            pass


def test_values_that_are_not_alike_are_refused_as_in_jax():
    for args, text in (
        ((np.ones(3), np.ones(4)), "The leaves shapes of `x` and `y` should match. Got `x` leaf shape: (3,)"),
        (({"a": np.ones(2)}, [np.ones(2)]), "Trees should be equal. Got x_tree:"),
    ):
        for m in (jax, adjoint):
            with pytest.raises(ValueError) as error:
                m.experimental.shard_alike.shard_alike(*args)
            assert str(error.value).startswith(text)


def test_a_value_goes_where_its_like_is():
    mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()[:2]), ("i",))
    place = adjoint.NamedSharding(mesh, adjoint.P("i"))
    x = adjoint.device_put(jnp.arange(4.0), place)
    for a, b in (shard_alike(x, jnp.zeros(4)), shard_alike(jnp.zeros(4), x)):
        assert a.sharding == b.sharding == place
    a, b = adjoint.jit(lambda y: shard_alike(y, y * 2))(x)
    assert (a.tolist(), b.tolist()) == ([0, 1, 2, 3], [0, 2, 4, 6])


def test_programs_of_plugins_are_values():
    program = ifrt_programs.make_plugin_program(b"text")
    assert (program.kind, program.data) == ("plugin", b"text")
    assert ifrt_programs.ifrt_programs.make_hlo_program("module") == ifrt_programs.make_hlo_program("module")
    kinds = [
        ifrt_programs.make_plugin_compile_options(), ifrt_programs.make_colocated_python_compile_options(),
        ifrt_programs.make_xla_compile_options(None, [], []),
    ]
    assert [o.kind for o in kinds] == ["plugin", "colocated_python", "xla"]
    assert ifrt_programs.make_colocated_python_program("f", b"", [], [], []).details == ("f", (), (), ())
