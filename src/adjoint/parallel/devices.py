"""The devices of this process, and moving arrays to and from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..array.array import ArrayImpl, make_array
from ..array.device import Device, Sharding, SingleDeviceSharding, cpu_device, cpu_devices, cpu_sharding, here
from ..array.layout import Format
from ..array.mesh import PartitionSpec, context_mesh
from ..array.placed import moved, place
from ..array.sharding import NamedSharding
from ..core.errors import message
from ..core.trace import Tracer
from ..core.tree import broadcast_prefix, tree_flatten, tree_leaves, tree_map, tree_unflatten
from ..core.types import Array, aval_of
from ..engines.placement import default_sharding
from ..prims.sharding import constrained, layout_constraint

__all__ = [
    "block_until_ready", "copy_to_host_async", "default_backend", "device_count", "device_get",
    "device_put", "devices", "host_count", "host_id", "host_ids", "live_arrays", "local_device_count",
    "local_devices", "process_count", "process_index", "process_indices",
]


_EXTRAS = {"gpu": "'adjoint[cuda13]'", "cuda": "'adjoint[cuda13]'", "tpu": "'adjoint[xla]' libtpu"}


def devices(backend: str | None = None) -> list[Device]:
    """All devices of a backend, or of the default one.

    >>> devices()
    [CpuDevice(id=0)]
    """
    if backend not in (None, "cpu"):
        extra = _EXTRAS.get(backend)
        raise RuntimeError(
            message(
                f"Unknown backend: '{backend}' requested, but no platforms that are instances of {backend} are "
                "present. Platforms present are: cpu",
                why=extra and f"No plugin for {backend} is installed, or it found no device and no driver.",
                fix=extra and f"pip install {extra} on a machine with the driver; jax.devices() for what is there",
            )
        )
    return list(cpu_devices())


def local_devices(
    process_index: int | None = None, backend: str | None = None, host_id: int | None = None
) -> list[Device]:
    """The devices that this process, or another one, can address."""
    index = here.index if process_index is None else process_index
    if not 0 <= index < here.count:
        known = "This is the only process, 0." if here.count == 1 else f"There are {here.count} processes."
        raise ValueError(f"Unknown process_index {process_index}\n  {known}")
    return [d for d in devices(backend) if d.process_index == index]


def device_count(backend: str | None = None) -> int:
    """The number of devices."""
    return len(devices(backend))


def local_device_count(backend: str | None = None) -> int:
    """The number of devices that this process can address."""
    return len(local_devices(backend=backend))


def default_backend() -> str:
    """The platform of the default device.

    >>> default_backend()
    'cpu'
    """
    return cpu_device.platform


def process_index(backend: str | None = None) -> int:
    """The index of this process among all."""
    return here.index


def process_count(backend: str | None = None) -> int:
    """The number of processes."""
    return here.count


def process_indices(backend: str | None = None) -> list[int]:
    """The indices of all processes."""
    return list(range(here.count))


host_id = process_index
host_count = process_count
host_ids = process_indices


def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: Any = False, may_alias: Any = None
) -> Any:
    """Put the arrays of a tree on a device, or divide them over several.

    Args:
      x: a tree of arrays, NumPy arrays and scalars.
      device: a device, a sharding, a spec over the mesh that was set, or a tree of them that is a prefix of `x`;
        None leaves arrays where they are.
    Raises:
      ValueError: `device` is something else, or the sharding does not divide the array.

    >>> device_put(np.ones(2, np.float32))
    Array([1., 1.], dtype=float32)
    """
    leaves, tree = tree_flatten(x)
    try:
        targets = broadcast_prefix(device, x, is_leaf=lambda d: d is None)
    except ValueError as error:
        raise ValueError(
            f"device_put device specification must be a tree prefix of the corresponding value; \n  {error}"
        ) from None
    return tree_unflatten(tree, [
        _put_in_order(leaf, d) if isinstance(d, Format) else _put(leaf, _target(d)) for leaf, d in zip(leaves, targets)
    ])


def _put(leaf, target):
    if isinstance(leaf, Tracer):
        return leaf if target is None else constrained(leaf, target)
    if not isinstance(leaf, Array):
        aval = aval_of(leaf)
        leaf = make_array(np.array(leaf, aval.dtype), aval)
        if target is None and default_sharding() is not cpu_sharding:
            return place(leaf._buffer, leaf.aval, default_sharding(), committed=False)
    if target is None or not isinstance(leaf, ArrayImpl):
        return leaf
    return moved(leaf, target)


def _put_in_order(leaf, wanted: Format):
    """An array with its axes in the wanted order in memory."""
    leaf = _put(leaf, _target(wanted.sharding))
    return leaf if wanted.layout is None else layout_constraint(leaf, layout=wanted.layout)


def _target(device) -> Sharding | None:
    """The sharding that a user means."""
    if device is None or isinstance(device, Sharding):
        return device
    if isinstance(device, Device):
        return cpu_sharding if device is cpu_device else SingleDeviceSharding(device)
    if isinstance(device, PartitionSpec):
        mesh = context_mesh()
        if mesh is None:
            raise ValueError("Please set a mesh via `jax.set_mesh` if a PartitionSpec is passed to device_put")
        return NamedSharding(mesh, device)
    raise ValueError(
        message(
            "`jax.device_put` only accepts `None`, `jax.sharding.Sharding`, `jax.Device`, `Format`, "
            f"`jax.memory.Space` or a pytree of these values. Received invalid value: {device}",
            why=f"The devices of this process are {devices()}.",
            fix="device_put(x, jax.devices()[0])",
        )
    )


def device_get(x: Any) -> Any:
    """The arrays of a tree as NumPy arrays.

    >>> device_get(jnp.ones(2))
    array([1., 1.], dtype=float32)
    """
    return tree_map(lambda leaf: np.asarray(leaf) if isinstance(leaf, Array) else leaf, x)


def block_until_ready(x: Any) -> Any:
    """The tree itself, once all of its arrays are computed."""
    for leaf in tree_leaves(x):
        if isinstance(leaf, ArrayImpl):
            leaf.block_until_ready()
    return x


def copy_to_host_async(x: Any) -> Any:
    """Begin to copy the arrays of a tree to the host; on the CPU they are there."""
    return x


def live_arrays(platform: str | None = None) -> list[Array]:
    """All arrays that have not been freed."""
    import gc

    return [a for a in gc.get_objects() if isinstance(a, ArrayImpl)]


