"""Devices, meshes and shardings; as a public module it is `jax.sharding`.

The types stand in the modules of this folder, below arrays. Names are found when they are first used, since
`reshard` and what comes with it are of a later layer.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..core.messages.boundaries import guarded
from ..core.messages.errors import no_attribute as _no_attribute

if TYPE_CHECKING:
    from ..parallel.arrays import auto_axes as auto_axes
    from ..parallel.arrays import explicit_axes as explicit_axes
    from ..parallel.arrays import reshard as reshard
    from .device import AbstractDevice as AbstractDevice
    from .device import Sharding as Sharding
    from .device import SingleDeviceSharding as SingleDeviceSharding
    from .device import make_single_device_sharding as make_single_device_sharding
    from .mesh import AbstractMesh as AbstractMesh
    from .mesh import AxisType as AxisType
    from .mesh import ManualAxisType as ManualAxisType
    from .mesh import Mesh as Mesh
    from .mesh import PartitionSpec as PartitionSpec
    from .mesh import get_abstract_mesh as get_abstract_mesh
    from .mesh import get_mesh as get_mesh
    from .mesh import set_mesh as set_mesh
    from .mesh import use_abstract_mesh as use_abstract_mesh
    from .named_sharding import NamedSharding as NamedSharding

# Where each public name is defined.
_NAMES = {
    ".device": "AbstractDevice Sharding SingleDeviceSharding make_single_device_sharding",
    ".mesh": """AbstractMesh AxisType ManualAxisType Mesh PartitionSpec get_abstract_mesh get_mesh set_mesh
        use_abstract_mesh""",
    ".named_sharding": "NamedSharding",
    "..parallel.arrays": "auto_axes explicit_axes reshard",
}
_MODULES = ("device", "explicit", "layout", "mesh", "named_sharding", "rules")
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}


@guarded
def __getattr__(name: str):
    if name == "__all__":  # of `import *`
        return __dir__()
    if name in _HOME:
        value = globals()[name] = getattr(import_module(_HOME[name], __name__), name)
        return value
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise _no_attribute(__name__, name, _HOME)


def __dir__() -> list[str]:
    return sorted(_HOME)
