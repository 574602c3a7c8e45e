"""`experimental.colocated_python`: functions and objects are called where arrays are, with JAX's rules and errors."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling

import adjoint
import adjoint.numpy as jnp
from adjoint.experimental import colocated_python as module
from adjoint.experimental.colocated_python import serialization

jax = pytest.importorskip("jax")   # it pickles JAX's own objects
pytest.importorskip("jax.experimental.colocated_python")

CALLS = {
    "one": lambda m, c, x: c(lambda y: y + 1)(x),
    "tree": lambda m, c, x: c(lambda d, *, k: {"r": d["a"] * k})({"a": x}, k=x)["r"],
    "devices": lambda m, c, x: c(lambda: m.numpy.ones(2)).specialize(devices=m.devices()[:1])(),
    "result types": lambda m, c, x: c(lambda y: y).specialize(out_specs_fn=lambda s: s)(x),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_are_those_of_jax(name):
    theirs, ours = [
        CALLS[name](m, m.experimental.colocated_python.colocated_python, m.numpy.arange(3.0)) for m in (jax, adjoint)
    ]
    np.testing.assert_array_equal(theirs, ours)


@pytest.mark.parametrize(("call", "kind", "text"), [
    (lambda m, c, x: c(lambda: x)(), ValueError, "No devices found. colocated_python function without input arguments"),
    (lambda m, c, x: c(lambda y: np.asarray(y))(x), ValueError, "colocated_python only supports jax.Array as input"),
    (lambda m, c, x: c(lambda y: 3)(x), ValueError, "but got <class 'int'>."),
    (lambda m, c, x: c(lambda y: 1 / 0)(x), ZeroDivisionError, "division by zero"),
])
def test_errors_are_those_of_jax(call, kind, text):
    for m in (jax, adjoint):
        with pytest.raises(kind, match=text):
            call(m, m.experimental.colocated_python.colocated_python, m.numpy.arange(3.0))


@compiling
def test_a_traced_array_is_refused():
    with pytest.raises(ValueError, match="called with a traced array"):
        adjoint.jit(module.colocated_python(lambda x: x))(1.0)


@module.colocated_python_class
class Counter:
    """Counts its calls."""

    def __init__(self, n):
        self.n = n

    def add(self, x):
        self.n += 1
        return x + self.n


def test_an_object_keeps_its_state_between_calls():
    counter = Counter(3)
    assert [counter.add(jnp.zeros(1)).tolist() for _ in range(2)] == [[4.0], [5.0]]
    assert (Counter.__name__, Counter.__doc__) == ("Counter", "Counts its calls.")
    with pytest.raises(AttributeError):
        counter.n


def test_cpu_devices_are_their_own_hosts():
    mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()), ("x",))
    assert module.colocated_cpu_devices(adjoint.devices()) == adjoint.devices()
    assert module.colocated_cpu_devices(mesh) == mesh


def test_types_that_are_fixed_are_checked():
    f = module.colocated_python(lambda x: x)
    fixed = f.specialize(in_specs=((adjoint.ShapeDtypeStruct((2,), np.float32),), {}))
    assert fixed(jnp.ones(2)).tolist() == [1, 1]
    with pytest.raises(ValueError, match="same shapes and dtypes"):
        fixed(jnp.ones(3))
    with pytest.raises(ValueError, match="devices already specified"):
        f.specialize(devices=adjoint.devices()).specialize(devices=adjoint.devices())


def test_places_are_stored_by_the_ids_of_devices():
    mesh = adjoint.sharding.Mesh(np.array(adjoint.devices()), ("x",))
    for x in (adjoint.devices()[0], mesh, adjoint.NamedSharding(mesh, adjoint.P("x")), {"a": [1, "b"]}):
        assert serialization.deserialize(serialization.serialize(x)) == x


@pytest.mark.parametrize("name", ["mesh", "device_list", "single_device_sharding"])
def test_what_orbax_puts_in_the_place_of_a_reducer_is_used(name, monkeypatch):
    device = adjoint.devices()[0]
    values = {
        "mesh": adjoint.sharding.Mesh(np.array([device]), ("x",)), "device_list": serialization.DeviceList((device,)),
        "single_device_sharding": adjoint.sharding.SingleDeviceSharding(device),
    }
    assert serialization.deserialize(serialization.serialize(values[name])) == values[name]
    monkeypatch.setattr(serialization, f"_reduce_{name}", lambda value: (str, (type(value).__name__,)))
    assert serialization.deserialize(serialization.serialize([values[name]])) == [type(values[name]).__name__]
    monkeypatch.setattr(serialization, "_get_cpu_device_map", lambda: {device.id: "found"})
    assert serialization.deserialize(serialization.serialize(device)) == "found"


def test_lists_of_devices_are_those_of_jax():
    theirs = jax.experimental.colocated_python.serialization.DeviceList(tuple(jax.devices()[:1]))
    ours = serialization.DeviceList(tuple(adjoint.devices()[:1]))
    for member in ("default_memory_kind", "device_kind", "is_fully_addressable", "memory_kinds", "process_indices"):
        assert getattr(theirs, member) == getattr(ours, member)
    assert repr(theirs) == repr(ours) == repr(ours.addressable_device_list)
    assert (1, adjoint.devices()[0]) == (len(ours), ours[0])
    assert serialization.deserialize(serialization.serialize(ours)) == ours
    with pytest.raises(TypeError, match="DeviceList takes a tuple of devices, and not a list"):
        serialization.DeviceList(adjoint.devices())
