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
from ...sharding.device import Device, DeviceList
from ...sharding.mesh import Mesh

__all__ = ["DeviceList", "deserialize", "serialize"]


def _device(index: int) -> Device:
    return next(d for d in devices() if d.id == index)


def _reduce_device(device) -> tuple:
    return _device, (device.id,)


class _Pickler(pickle.Pickler):
    """Writes a device as its id, wherever it is."""

    def __init__(self, file):
        super().__init__(file)
        self.dispatch_table = {**copyreg.dispatch_table, **{type(d): _reduce_device for d in devices()}}

    def reducer_override(self, obj):
        if isinstance(obj, Mesh):
            return Mesh, (obj.devices, obj.axis_names, obj.axis_types)
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
