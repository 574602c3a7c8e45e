"""Shardings over meshes without devices: places that arrays take from operands or from the mesh that is set."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from tests.modes import compiling

from .beside import differences

x = np.arange(8.0, dtype=np.float32).reshape(4, 2)


def meshes(lib, kind: str = "Auto"):
    """Return a mesh of four devices, and a sharding over it that names no devices."""
    axis_type = getattr(lib.sharding.AxisType, kind)
    mesh = lib.sharding.Mesh(np.array(lib.devices()[:4]).reshape(2, 2), ("x", "y"), axis_types=(axis_type,) * 2)
    return mesh, lib.sharding.NamedSharding(mesh.abstract_mesh, lib.sharding.PartitionSpec("x", "y"))


def constrained(lib):
    """An array that was made while the mesh was set, eager and in a program."""
    mesh, where = meshes(lib)
    with lib.set_mesh(mesh):
        made = lib.lax.with_sharding_constraint(lib.numpy.ones((4, 2)), where)
        jitted = lib.jit(lambda a: lib.lax.with_sharding_constraint(a, where))(made)
        return [made, jitted, x @ made.T, lib.numpy.copy(made), made + 1]


def divided_already(lib):
    """No mesh is set: the array itself lies on devices."""
    mesh, where = meshes(lib)
    put = lib.device_put(x, lib.sharding.NamedSharding(mesh, lib.sharding.PartitionSpec(None, "y")))
    return [lib.lax.with_sharding_constraint(put, where), lib.jit(lambda a: a * 2, out_shardings=where)(put)]


def results(lib):
    """Results of a jitted function, where the mesh that is set says which devices they are on."""
    mesh, where = meshes(lib)
    with lib.set_mesh(mesh):
        return [lib.jit(lambda a: a * 2, out_shardings=where)(x)]


def explicit(lib):
    """The same over axes that types speak of."""
    mesh, where = meshes(lib, "Explicit")
    put = lib.device_put(x, lib.sharding.NamedSharding(mesh, lib.sharding.PartitionSpec(None, "y")))
    out = [lib.reshard(put, where)]
    with lib.set_mesh(mesh):
        return [*out, lib.numpy.ones((4, 2), device=where), lib.jit(lambda a: a * 2, out_shardings=where)(put)]


def refused(lib):
    """What needs devices that nothing names."""
    _, where = meshes(lib)
    ones = lib.numpy.ones((4, 2))
    asked = [
        lambda: lib.device_put(x, where), lambda: lib.device_put(ones, where),
        lambda: lib.jit(lambda a: a, out_shardings=where)(x), lambda: where.device_set,
        lambda: where.addressable_devices, lambda: where.is_fully_addressable,
        lambda: where.devices_indices_map((4, 2)),
    ]
    return [where.memory_kind, [shown_first(f) for f in asked]]


def shown_first(f):
    """Return the class of an error and the first sentence of its message."""
    with pytest.raises(Exception) as raised:
        f()
    return [raised.type.__name__, str(raised.value).split(". ")[0].split("\n")[0].rstrip(".")]


def trace_states(lib):
    """A mesh or a device that is set is no transformation: by that libraries know whether values may change."""
    ask, seen = importlib.import_module(f"{lib.__name__}.extend.core").get_opaque_trace_state, []
    now = ask()
    with lib.set_mesh(meshes(lib)[0]):
        seen.append(now == ask())
        lib.eval_shape(lambda a: [seen.append(now == ask()), a][1], x)
    with lib.default_device(lib.devices()[1]):
        seen.append(now == ask())
    assert seen == [True, False, True]
    return seen


CASES = {f.__name__: f for f in (constrained, divided_already, results, explicit, refused, trace_states)}


@compiling
def test_devices_come_from_operands_or_from_the_mesh_that_is_set():
    assert "" == differences(__name__)


def test_types_of_some_axes_are_replaced():
    sharding = importlib.import_module("adjoint.sharding")
    mesh, explicit = sharding.AbstractMesh((2, 4), ("x", "y")), sharding.AxisType.Explicit
    assert mesh.update_axis_types({"y": explicit, "z": explicit}).axis_types == (sharding.AxisType.Auto, explicit)
    assert mesh.update_axis_types({}) is mesh
    with pytest.raises(TypeError, match="must be of type"):
        mesh.update_axis_types({"x": 3})


@pytest.mark.parametrize("name", ["devices", "device_ids", "is_multi_process", "local_devices", "local_mesh"])
def test_what_only_meshes_with_devices_have_is_refused(name):
    mesh = importlib.import_module("adjoint.sharding").AbstractMesh((2,), ("x",))
    with pytest.raises(ValueError, match=f"AbstractMesh does not implement {name}"):
        getattr(mesh, name)
