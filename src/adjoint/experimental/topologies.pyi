# Written by stubs/generate.py; do not edit.
from adjoint.sharding import Mesh
from collections.abc import Sequence
from typing import Any
class TopologyDescription:
    """A group of devices.

    Args:
      devices: a list of them.

    >>> TopologyDescription(jax.devices()).devices == jax.devices()
    True
    """
    def __init__(self, devices: list[Any]) -> None: ...
def get_attached_topology(platform: str | None = None) -> TopologyDescription:
    """Return the devices that are attached.

    Args:
      platform: its name, the default one if it is None.
    Returns:
      A `TopologyDescription`, whose `devices` are the devices.

    >>> from adjoint.experimental import topologies
    >>> [d.platform for d in topologies.get_attached_topology("cpu").devices][:1]
    ['cpu']
    """
def get_topology_desc(topology_name: str = '', platform: str | None = None, **kwargs: Any) -> TopologyDescription:
    """Return devices that are not attached, by the name of their arrangement.

    Args:
      topology_name: the name.
      platform: of the plugin that knows it.
      **kwargs: what else the plugin is told.
    Raises: NotImplementedError: in every case; only plugins know such names.

    >>> from adjoint.experimental import topologies
    >>> topologies.get_topology_desc("v5e:2x2", "tpu")
    Traceback (most recent call last):
        ...
    NotImplementedError: topology not implemented for tpu ...
    """
def make_mesh(topo: TopologyDescription, mesh_shape: Sequence[int], axis_names: tuple[str, ...], *, contiguous_submeshes: bool = False) -> Mesh:
    """Return a mesh of the devices.

    Args:
      topo: the devices.
      mesh_shape: how many of them there are along each axis.
      axis_names: the names of the axes.
      contiguous_submeshes: accepted; it is about the wires of TPUs.
    Returns:
      A `Mesh`.

    >>> from adjoint.experimental import topologies
    >>> topo = topologies.TopologyDescription(devices()[:1])
    >>> topologies.make_mesh(topo, (1,), ("x",)).axis_names
    ('x',)
    """
