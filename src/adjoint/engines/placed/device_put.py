"""Arrays put on a device, laid out by a sharding, or into a memory: `device_put` of arrays, now.

Tests: `tests/parallel/test_places.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...array.array import ArrayImpl, make_array
from ...array.sharded_array import ShardedArray, move_array, place, place_of
from ...core.messages.errors import message
from ...core.types import Array, aval_of
from ...prims.sharding import sharding_constraint
from ...prims.transfer import device_put
from ...sharding.device import (
    Device,
    MemorySpace,
    Sharding,
    SingleDeviceSharding,
    check_platforms,
    devices_of,
    first_device,
    first_sharding,
    here,
)
from ...sharding.mesh import Mesh, PartitionSpec, context_mesh, placing_mesh
from ...sharding.named_sharding import NamedSharding
from ..numpy.eager import eval_trace
from .agreement import check_on_mesh
from .propagate import trimmed
from .results import default_sharding

__all__ = ["put", "target_of"]


def put(leaf: Any, target: Sharding | MemorySpace | None):
    """Return the array there; the default place for None, if it has none."""
    if not isinstance(leaf, Array):
        aval = aval_of(leaf)
        if target is None:
            check_platforms()
        if (target or default_sharding()) is first_sharding and here.plugin is not None and here.plugin.start():
            from ..xla.engine import uploaded

            leaf = uploaded(np.asarray(leaf, aval.dtype), aval)
            return leaf if target is None else move_array(leaf, target)
        leaf = make_array(np.array(leaf, aval.dtype), aval)
        if target is None and default_sharding() is not first_sharding:
            return place(leaf._buffer, leaf.aval, default_sharding(), committed=False)
    if target is None or not isinstance(leaf, ArrayImpl):
        return leaf
    if isinstance(target, MemorySpace):
        where, kind = leaf.sharding, "device" if target is MemorySpace.Device else "pinned_host"
        if placing_mesh.value is not None:
            check_on_mesh("device_put", [leaf])
            if place_of(leaf) is None:
                where = NamedSharding(placing_mesh.value, PartitionSpec())
        if isinstance(where, NamedSharding) and leaf.aval.explicit_sharding is not None:
            entries = (*where.spec, *[None] * (leaf.ndim - len(where.spec)))
            where = where.update(spec=where.spec.update(partitions=entries))
        elif isinstance(where, NamedSharding) and where.memory_kind != kind:
            where = where.update(spec=where.spec.update(partitions=trimmed(where.spec)))
        target = where.with_memory_kind(kind)
    return move_array(leaf, target)


def target_of(device: Any) -> Sharding | MemorySpace | None:
    """Return the sharding that a user means, or the memory space."""
    if device is None or isinstance(device, (Sharding, MemorySpace)):
        return device
    if isinstance(device, Device):
        return first_sharding if device is first_device else SingleDeviceSharding(device)
    if isinstance(device, PartitionSpec):
        mesh = context_mesh()
        if mesh is None:
            raise ValueError("Please set a mesh via `jax.set_mesh` if a PartitionSpec is passed to device_put")
        return NamedSharding(mesh, device)
    raise ValueError(
        message(
            "`jax.device_put` only accepts `None`, `jax.sharding.Sharding`, `jax.Device`, `Format`, "
            f"`jax.memory.Space` or a pytree of these values. Received invalid value: {device}",
            why=f"The devices of this process are {devices_of(None)}.",
            fix="device_put(x, jax.devices()[0])",
        )
    )


@device_put.eager
def _(args, params):
    return [put(x, target_of(d)) for x, d in zip(args, params["devices"])]


@sharding_constraint.eager
def _(args, params):
    """Put an array that nobody placed where a constraint on it says: under `vmap` or `jvp` on arrays, say."""
    (x,), sharding = args, params["sharding"]
    if isinstance(x, ShardedArray):
        return ShardedArray.process(sharding_constraint, args, params)
    x = eval_trace.evaluate(sharding_constraint, args, params)
    if isinstance(sharding, NamedSharding) and isinstance(sharding.mesh, Mesh):
        entries = [None if e is PartitionSpec.UNCONSTRAINED else e for e in sharding.spec]
        return put(x, sharding.update(spec=sharding.spec.update(partitions=trimmed(entries))))
    return x
