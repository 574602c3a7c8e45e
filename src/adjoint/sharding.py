"""Meshes, shardings, and the mesh in context: `jax.sharding`.

Tests: `tests/parallel/test_sharding.py`.
"""

from .array.device import AbstractDevice as AbstractDevice
from .array.device import Sharding as Sharding
from .array.device import SingleDeviceSharding as SingleDeviceSharding
from .array.device import make_single_device_sharding as make_single_device_sharding
from .array.mesh import AbstractMesh as AbstractMesh
from .array.mesh import AxisType as AxisType
from .array.mesh import ManualAxisType as ManualAxisType
from .array.mesh import Mesh as Mesh
from .array.mesh import PartitionSpec as PartitionSpec
from .array.mesh import get_abstract_mesh as get_abstract_mesh
from .array.mesh import get_mesh as get_mesh
from .array.mesh import set_mesh as set_mesh
from .array.mesh import use_abstract_mesh as use_abstract_mesh
from .array.sharding import NamedSharding as NamedSharding
from .parallel.arrays import auto_axes as auto_axes
from .parallel.arrays import explicit_axes as explicit_axes
from .parallel.arrays import reshard as reshard
