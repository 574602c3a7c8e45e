"""Devices, meshes and shardings; as a public module it is `jax.sharding`.

The types stand in the modules of this folder, below arrays. Names are found when they are first used, since
`reshard` and what comes with it are of a later layer.

Tests: `tests/parallel/test_sharding.py`.
"""

from __future__ import annotations

from ..core.names.exports import offered as _offered

# Where each public name is defined.
_NAMES = {
    ".device": "AbstractDevice Sharding SingleDeviceSharding make_single_device_sharding",
    ".mesh": """AbstractMesh AxisType ManualAxisType Mesh PartitionSpec get_abstract_mesh get_mesh set_mesh
        use_abstract_mesh""",
    ".named_sharding": "NamedSharding",
    "..parallel.arrays": "auto_axes explicit_axes reshard",
}

__getattr__, __dir__ = _offered(globals(), _NAMES)
