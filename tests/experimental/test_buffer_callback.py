"""`experimental.buffer_callback`, `topologies` and what `multihost_utils` says of one process, beside JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.errors import JaxRuntimeError
from adjoint.experimental import multihost_utils, topologies
from adjoint.experimental.buffer_callback import ExecutionContext, ExecutionStage, buffer_callback

S = jax.ShapeDtypeStruct((3,), np.float32)


def double(context, out, x):
    assert (str(context.stage), x.writeable, out.writeable) == ("ExecutionStage.EXECUTE", False, True)
    assert (x.dtype, out.ndim) == (np.float32, x.ndim)
    np.asarray(out)[...] = np.asarray(x) * 2


def to_tree(context, out, x, *, k=None):
    np.asarray(out["a"])[...] = np.asarray(x)


def first_is_nine(context, out, x):
    np.asarray(out)[0] = 9


CALLS = {
    "called": lambda m, b, x: b(double, S)(x),
    "jit": lambda m, b, x: m.jit(b(double, S))(x),
    "tree": lambda m, b, x: b(to_tree, {"a": S})(x, k=x)["a"],
    "sequential": lambda m, b, x: m.vmap(b(double, S, vmap_method="sequential"))(m.numpy.stack([x, x])),
    "broadcast_all": lambda m, b, x: m.vmap(b(double, S, vmap_method="broadcast_all"))(m.numpy.stack([x, x])),
    "expand_dims": lambda m, b, x: m.vmap(
        b(lambda c, out, u, v: np.copyto(np.asarray(out), np.asarray(u) + np.asarray(v)), S, vmap_method="expand_dims"),
        in_axes=(0, None),
    )(m.numpy.stack([x, x]), x),
    "aliases": lambda m, b, x: b(first_is_nine, S, input_output_aliases={0: 0})(x),
    "side effect": lambda m, b, x: m.jit(b(double, S, has_side_effect=True))(x),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_are_those_of_jax(name):
    theirs, ours = [
        CALLS[name](m, m.experimental.buffer_callback.buffer_callback, m.numpy.arange(3.0)) for m in (jax, adjoint)
    ]
    np.testing.assert_array_equal(theirs, ours)


def test_what_fails_is_an_error_of_the_program():
    def fails(context, out, x):
        raise ValueError("boo")

    for callback in (fails, lambda context, out, x: 3):
        for m in (jax, adjoint):
            with pytest.raises(Exception, match="INTERNAL") as error:
                m.experimental.buffer_callback.buffer_callback(callback, S)(m.numpy.arange(3.0))
            assert type(error.value).__name__ == JaxRuntimeError.__name__
    with pytest.raises(ValueError, match="callbacks do not support JVP"):
        adjoint.grad(lambda x: buffer_callback(double, S)(x).sum())(jnp.arange(3.0))
    with pytest.raises(RuntimeError, match="GPU"):
        ExecutionContext().stream
    assert [s.name for s in ExecutionStage] == ["INSTANTIATE", "PREPARE", "INITIALIZE", "EXECUTE"]


def test_the_devices_that_are_attached_are_a_topology():
    topology = topologies.get_attached_topology()
    assert topology.devices == adjoint.devices()
    n = len(topology.devices)
    assert topologies.make_mesh(topology, (n,), ("x",)).shape == {"x": n}
    for m in (jax, adjoint):
        with pytest.raises(ValueError, match="must equal the product of mesh_shape"):
            m.experimental.topologies.make_mesh(m.experimental.topologies.get_attached_topology(), (n + 1,), ("x",))
        with pytest.raises(NotImplementedError, match="topology not implemented for cpu"):
            m.experimental.topologies.get_topology_desc("any", "cpu")


def test_one_process_is_not_stopped_and_has_no_others():
    assert multihost_utils.reached_preemption_sync_point(3) is False
    for m in (jax, adjoint):
        with (
            pytest.raises(RuntimeError, match="Distributed JAX not initialized"),
            m.experimental.multihost_utils.live_devices(m.devices()),
        ):
            pass
    assert issubclass(multihost_utils.ProcessFailureError, Exception)


@pytest.mark.parametrize("aliases", [{0: 0}, {2: 0}, {1: 1}, {0: 0, 1: 0}])
def test_aliases_that_do_not_fit_are_named_before_the_call(aliases):
    def program(m, call):
        x, y = m.numpy.ones(2), m.numpy.ones(3, int)
        with pytest.raises(ValueError) as caught:
            call(lambda *_: None, m.ShapeDtypeStruct((3,), np.float32), input_output_aliases=aliases)(x, y)
        return str(caught.value).splitlines()[0]

    assert program(adjoint, buffer_callback) == program(jax, jax.experimental.buffer_callback.buffer_callback)
