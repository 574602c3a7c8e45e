"""Arrays of devices for meshes: `jax.experimental.mesh_utils`.

Tests: `tests/parallel/test_other_names.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..sharding.device import default_devices

__all__ = ["create_device_mesh", "create_hybrid_device_mesh"]


def create_device_mesh(
    mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, *, contiguous_submeshes: bool = False,
    allow_split_physical_axes: bool = False,
) -> np.ndarray:
    """Return the devices as an array of this shape, neighbours on the hardware beside each other.

    Args:
      mesh_shape: the number of devices along each axis.
      devices: those to use, all by default.
      contiguous_submeshes, allow_split_physical_axes: for tori of accelerators.
    Raises:
      ValueError: the numbers of devices differ.

    >>> create_device_mesh((1, 1)).shape
    (1, 1)
    """
    found = list(default_devices() if devices is None else devices)
    if prod(mesh_shape) != len(found):
        raise ValueError(
            f"Number of devices {len(found)} must equal the product of mesh_shape {tuple(mesh_shape)}"
        )
    grid = np.empty(len(found), object)
    grid[:] = found
    return grid.reshape(tuple(mesh_shape))


def create_hybrid_device_mesh(
    mesh_shape: Sequence[int], dcn_mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, *,
    process_is_granule: bool = False, should_sort_granules_by_key: bool = True,
    allow_split_physical_axes: bool = False,
) -> np.ndarray:
    """Return the devices of several machines or pods as an array: along each axis the network first, then the machine.

    Args:
      mesh_shape: the number of devices along each axis within a machine.
      dcn_mesh_shape: the number of machines along each axis.
      devices: those to use, all by default.
      process_is_granule: a machine is a process; otherwise a pod, which devices tell by their `slice_index`.
      should_sort_granules_by_key: order machines by their index.
      allow_split_physical_axes: accepted for compatibility.
    Returns:
      A NumPy array of devices, of shape `mesh_shape * dcn_mesh_shape`.
    Raises:
      ValueError: the numbers of devices or machines differ, or devices do not know their pod.

    >>> from adjoint.experimental import mesh_utils
    >>> mesh_utils.create_hybrid_device_mesh((1,), (1,), process_is_granule=True).shape
    (1,)
    """
    found = list(default_devices() if devices is None else devices)
    attribute = "process_index" if process_is_granule else "slice_index"
    granules: dict[int, list] = {}
    for d in found:
        if not hasattr(d, attribute):
            raise ValueError(f"Device {d} does not have attribute {attribute}. See `process_is_granule` option.")
        granules.setdefault(getattr(d, attribute), []).append(d)
    keys = sorted(granules) if should_sort_granules_by_key else list(granules)
    if prod(dcn_mesh_shape) != len(keys):
        raise ValueError(
            message(
                f"Number of slices {len(keys)} must equal the product of dcn_mesh_shape {tuple(dcn_mesh_shape)}",
                fix="process_is_granule=True, if each process is one machine",
            )
        )
    parts = [create_device_mesh(mesh_shape, granules[k]) for k in keys]
    blocks = np.empty((len(parts), *mesh_shape), object)
    for i, part in enumerate(parts):
        blocks[i] = part
    n = len(mesh_shape)
    blocks = blocks.reshape(*dcn_mesh_shape, *mesh_shape).transpose([i for d in range(n) for i in (d, n + d)])
    return blocks.reshape([a * b for a, b in zip(dcn_mesh_shape, mesh_shape)])

public(globals())
