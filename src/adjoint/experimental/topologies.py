"""Devices that need not be attached, as `jax.experimental.topologies`: to compile for them ahead of time.

Only those that are attached are known here.

Tests: `tests/experimental/test_buffer_callback.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.messages.boundaries import public
from ..parallel.devices import devices
from ..sharding.mesh import Mesh
from .mesh_utils import create_device_mesh

__all__ = ["TopologyDescription", "get_attached_topology", "get_topology_desc", "make_mesh"]


class TopologyDescription:
    """A group of devices.

    Args:
      devices: a list of them.

    >>> TopologyDescription(jax.devices()).devices == jax.devices()
    True
    """

    def __init__(self, devices: list):
        self.devices = devices


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
    return TopologyDescription(devices(platform))


def get_topology_desc(topology_name: str = "", platform: str | None = None, **kwargs) -> TopologyDescription:
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
    raise NotImplementedError(f"topology not implemented for {platform or 'cpu'}\n  Try: get_attached_topology()")


def make_mesh(
    topo: TopologyDescription, mesh_shape: Sequence[int], axis_names: tuple[str, ...], *,
    contiguous_submeshes: bool = False,
) -> Mesh:
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
    return Mesh(
        create_device_mesh(mesh_shape, topo.devices, contiguous_submeshes=contiguous_submeshes), axis_names
    )


public(globals())
