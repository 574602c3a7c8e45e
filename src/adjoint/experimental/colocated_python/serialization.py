"""Objects of arrays' surroundings as bytes: meshes, shardings and devices are named by the ids of devices.

What is read is trusted, as `pickle` is: functions are among it.

Tests: `tests/experimental/test_colocated_python.py`.
"""

from __future__ import annotations

import copyreg
import io
import pickle
from typing import Any

from ...parallel.devices import devices
from ...sharding.device import Device, DeviceList, SingleDeviceSharding
from ...sharding.mesh import Mesh

__all__ = ["DeviceList", "deserialize", "serialize"]

# orbax puts functions of its own in the place of these, for devices that other hosts know by other ids: the pickler
# looks them up, by their names in JAX.


def _get_cpu_device_map() -> dict[int, Device]:
    """Return the devices by their ids."""
    return {d.id: d for d in devices()}


def _reduce_mesh(mesh: Mesh) -> tuple:
    """Return how a mesh is made of its devices."""
    return Mesh, (mesh.devices, mesh.axis_names, mesh.axis_types)


def _reduce_device_list(listed: DeviceList) -> tuple:
    """Return how a list of devices is made of them."""
    return DeviceList, (tuple(listed),)


def _reduce_single_device_sharding(sharding: SingleDeviceSharding) -> tuple:
    """Return how a sharding is made of its device."""
    return _on_device, (next(iter(sharding.device_set)), sharding.memory_kind)


def _on_device(device: Device, memory_kind: str | None) -> SingleDeviceSharding:
    return SingleDeviceSharding(device, memory_kind=memory_kind)


def _device(index: int) -> Device:
    return _get_cpu_device_map()[index]


def _reduce_device(device) -> tuple:
    return _device, (device.id,)


class _Pickler(pickle.Pickler):
    """Writes a device as its id, wherever it is."""

    def __init__(self, file):
        super().__init__(file)
        self.dispatch_table = {**copyreg.dispatch_table, **{type(d): _reduce_device for d in devices()}}

    def reducer_override(self, obj):
        if isinstance(obj, Mesh):
            return _reduce_mesh(obj)
        if isinstance(obj, DeviceList):
            return _reduce_device_list(obj)
        if isinstance(obj, SingleDeviceSharding):
            return _reduce_single_device_sharding(obj)
        return NotImplemented


def serialize(obj: Any) -> bytes:
    """Return an object as bytes, for another process with the same devices.

    >>> from adjoint.experimental.colocated_python import serialization
    >>> mesh = make_mesh((1,), ("x",))
    >>> serialization.deserialize(serialization.serialize(mesh)) == mesh
    True
    """
    file = io.BytesIO()
    _Pickler(file).dump(obj)
    return file.getvalue()


def deserialize(serialized: bytes) -> Any:
    """Return the object of `serialize`; bytes are trusted."""
    return pickle.loads(serialized)
