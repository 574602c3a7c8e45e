# Written by stubs/generate.py; do not edit.
from collections.abc import Sequence
import numpy as _np
from typing import Any
def create_device_mesh(mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, *, contiguous_submeshes: bool = False, allow_split_physical_axes: bool = False) -> _np.ndarray[Any, Any]:
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
def create_hybrid_device_mesh(mesh_shape: Sequence[int], dcn_mesh_shape: Sequence[int], devices: Sequence[Any] | None = None, *, process_is_granule: bool = False, should_sort_granules_by_key: bool = True, allow_split_physical_axes: bool = False) -> _np.ndarray[Any, Any]:
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
