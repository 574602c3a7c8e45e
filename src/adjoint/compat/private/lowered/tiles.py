"""Shardings as XLA writes them: names of `jax._src.op_shardings`, `GSPMDSharding`, specs of tiles.

They need jaxlib, whose `HloSharding` holds them.

Tests: `tests/compat/test_lowered.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ....core.messages.errors import message
from ....sharding.device import Device, Sharding, checked_kind, is_here
from ....sharding.mesh import AbstractMesh, Mesh, PartitionSpec
from ....sharding.named_sharding import IndivisibleError

__all__ = [
    "GSPMDSharding", "are_hlo_shardings_equal", "get_hlo_sharding_from_serialized_proto", "get_num_ways_dim_sharded",
    "get_op_sharding_from_serialized_proto", "get_serialized_proto_from_hlo_sharding", "is_hlo_sharding_replicated",
    "op_sharding_to_indices", "op_sharding_to_numpy_indices", "parse_flatten_op_sharding",
]


def _as_hlo(sharding: Any) -> Any:
    """Return a sharding of XLA as its object, which may be given as its record."""
    from jaxlib.xla_client import HloSharding, OpSharding

    return HloSharding.from_proto(sharding) if isinstance(sharding, OpSharding) else sharding


def get_op_sharding_from_serialized_proto(sharding: bytes) -> Any:
    """Return the record of a sharding of XLA, an `OpSharding` of jaxlib, from its bytes.

    Args:
      sharding: bytes of `get_serialized_proto_from_hlo_sharding`.
    Returns:
      The `OpSharding`.

    >>> from adjoint.extend import sharding
    >>> record = sharding.get_serialized_proto_from_hlo_sharding(
    ...     sharding.GSPMDSharding.get_replicated(devices())._hlo_sharding)
    >>> sharding.get_op_sharding_from_serialized_proto(record).type.name
    'REPLICATED'
    """
    from jaxlib.xla_client import OpSharding

    record = OpSharding()
    record.ParseFromString(sharding)
    return record


def get_hlo_sharding_from_serialized_proto(sharding: bytes) -> Any:
    """Return a sharding of XLA, an `HloSharding` of jaxlib, from the bytes of its record.

    Args:
      sharding: bytes of `get_serialized_proto_from_hlo_sharding`.
    Returns:
      The `HloSharding`.

    >>> from adjoint.extend import sharding
    >>> record = sharding.get_serialized_proto_from_hlo_sharding(
    ...     sharding.GSPMDSharding.get_replicated(devices())._hlo_sharding)
    >>> sharding.get_hlo_sharding_from_serialized_proto(record)
    {replicated}
    """
    return _as_hlo(get_op_sharding_from_serialized_proto(sharding))


def get_serialized_proto_from_hlo_sharding(sharding: Any) -> bytes:
    """Return the bytes of the record of a sharding of XLA.

    Args:
      sharding: an `HloSharding` of jaxlib.

    >>> import adjoint as jax
    >>> from adjoint.extend import sharding
    >>> place = jax.sharding.NamedSharding(jax.make_mesh((1,), ("x",)), jax.P("x"))
    >>> data = sharding.get_serialized_proto_from_hlo_sharding(place._to_xla_hlo_sharding(1))
    >>> sharding.get_hlo_sharding_from_serialized_proto(data)
    {replicated}
    """
    return sharding.to_proto().SerializeToString()


def get_num_ways_dim_sharded(hlo_sharding: Any) -> tuple[list[int], int]:
    """Return into how many parts each axis is cut, and how many copies each part has."""
    if is_hlo_sharding_replicated(hlo_sharding):
        return [], 1
    sizes = list(hlo_sharding.tile_assignment_dimensions())
    kinds = hlo_sharding.subgroup_types()
    copies = 1
    if hlo_sharding.replicate_on_last_tile_dim():
        copies = sizes.pop()
    for _ in kinds:
        copies *= sizes.pop()
    return sizes, copies


def is_hlo_sharding_replicated(hc: Any) -> bool:
    """Return whether every device holds the whole array."""
    hc = _as_hlo(hc)
    return hc.num_devices() == 1 or hc.is_replicated()


def are_hlo_shardings_equal(hc1: Any, hc2: Any) -> bool:
    """Return whether two shardings of XLA divide alike."""
    hc1, hc2 = _as_hlo(hc1), _as_hlo(hc2)
    return hc1 is hc2 or (is_hlo_sharding_replicated(hc1) and is_hlo_sharding_replicated(hc2)) or hc1 == hc2


def op_sharding_to_numpy_indices(hlo_sharding: Any, shape: Sequence[int], num_devices: int) -> np.ndarray:
    """Return the part of an array of `shape` that each device holds, as an array of tuples of slices."""
    indices = np.empty(num_devices, object)
    whole = (slice(None),) * len(shape)
    if is_hlo_sharding_replicated(hlo_sharding):
        for i in range(num_devices):
            indices[i] = whole
        return indices
    assert num_devices == hlo_sharding.num_devices()
    parts, copies = get_num_ways_dim_sharded(hlo_sharding)
    assert len(parts) == len(shape), (len(parts), len(shape))
    cuts = []
    for n, k in zip(shape, parts):
        assert n % k == 0, f"{n} is not a multiple of {k}"
        cuts.append([slice(i * (n // k), (i + 1) * (n // k)) for i in range(k)] if k > 1 else [slice(None)])
    devices = iter(hlo_sharding.tile_assignment_devices())
    for index in product(*cuts):
        for _ in range(copies):
            indices[next(devices)] = index
    return indices


def op_sharding_to_indices(
    op_sharding: Any, shape: Sequence[int], num_devices: int
) -> tuple[tuple[slice, ...], ...]:
    """Return the part of an array of `shape` that each device holds."""
    return tuple(op_sharding_to_numpy_indices(_as_hlo(op_sharding), shape, num_devices))


class GSPMDSharding(Sharding):
    """An array divided over devices as a sharding of XLA says.

    Args:
      devices: the devices, in the order of their numbers in the sharding.
      op_sharding: an `HloSharding` of jaxlib, or its record, an `OpSharding`.
      memory_kind: "device" (default) or "pinned_host".

    >>> from adjoint.extend.sharding import GSPMDSharding
    >>> GSPMDSharding.get_replicated(devices())
    GSPMDSharding({replicated}, memory_kind=device)
    """

    def __init__(self, devices: Sequence[Device], op_sharding: Any, *, memory_kind: str | None = None):
        self._devices = tuple(devices)
        self._hlo_sharding = _as_hlo(op_sharding)
        self.memory_kind = checked_kind(memory_kind)

    @classmethod
    def get_replicated(cls, devices: Sequence[Device], *, memory_kind: str | None = None) -> GSPMDSharding:
        """Return the sharding by which each device holds the whole array."""
        from jaxlib.xla_client import HloSharding

        return cls(devices, HloSharding.replicate(), memory_kind=memory_kind)

    @property
    def _device_assignment(self) -> tuple[Device, ...]:
        return self._devices

    @property
    def device_set(self) -> set[Device]:
        """Return the devices."""
        return set(self._devices)

    @property
    def addressable_devices(self) -> set[Device]:
        """Return the devices of this process."""
        return {d for d in self._devices if is_here(d)}

    @property
    def num_devices(self) -> int:
        """Return how many devices there are."""
        return len(self._devices)

    @property
    def is_fully_addressable(self) -> bool:
        """Return whether all devices are of this process."""
        return all(map(is_here, self._devices))

    @property
    def has_addressable_devices(self) -> bool:
        """Return whether a device is of this process."""
        return bool(self.addressable_devices)

    @cached_property
    def is_fully_replicated(self) -> bool:
        """Return whether every device holds the whole array."""
        return is_hlo_sharding_replicated(self._hlo_sharding)

    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Raise unless an array of this shape has an axis for each that is cut."""
        parts = get_num_ways_dim_sharded(self._hlo_sharding)[0]
        if len(aval_shape) < len(parts):
            raise ValueError(message(
                f"Sharding {self} is only valid for values of rank at least {len(parts)}, but was applied to a value "
                f"of rank {len(aval_shape)}",
                fix="a sharding that cuts as many axes as the array has",
            ))

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the part on each device."""
        if self.is_fully_replicated:
            return tuple(global_shape)
        parts = get_num_ways_dim_sharded(self._hlo_sharding)[0]
        assert len(parts) == len(global_shape), (len(parts), len(global_shape))
        for d, (n, k) in enumerate(zip(global_shape, parts)):
            if n % k:
                raise IndivisibleError(message(
                    f"Sharding {self} implies that array axis {d} is partitioned {k} times, but the dimension size is "
                    f"{n} (full shape: {tuple(global_shape)}, per-dimension tiling factors: {parts} should evenly "
                    "divide the shape)",
                    fix=f"pad axis {d} to {-(-n // k) * k}",
                ))
        return tuple([n // k for n, k in zip(global_shape, parts)])

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        """Return the part of an array that each device holds, as a tuple of slices by device."""
        self.shard_shape(global_shape)
        indices = op_sharding_to_numpy_indices(self._hlo_sharding, global_shape, self.num_devices)
        return dict(zip(self._devices, indices))

    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        """Return the same for the devices of this process."""
        return {d: index for d, index in self.devices_indices_map(global_shape).items() if is_here(d)}

    def with_memory_kind(self, kind: str) -> GSPMDSharding:
        """Return the same in another memory."""
        return GSPMDSharding(self._devices, self._hlo_sharding, memory_kind=kind)

    def _to_xla_hlo_sharding(self, num_dimensions: int) -> Any:
        return self._hlo_sharding

    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Return whether arrays of `ndim` axes lie on the same devices in the same way."""
        return (
            self.memory_kind == other.memory_kind  # type: ignore[attr-defined]
            and self._devices == other._device_assignment
            and are_hlo_shardings_equal(
                self._hlo_sharding, other._to_xla_hlo_sharding(ndim))  # type: ignore[attr-defined]
        )

    def __eq__(self, other):
        if not isinstance(other, GSPMDSharding):
            return False
        return (
            self._devices == other._devices and self.memory_kind == other.memory_kind
            and are_hlo_shardings_equal(self._hlo_sharding, other._hlo_sharding)
        )

    def __hash__(self):
        how = "replicated" if self.is_fully_replicated else self._hlo_sharding
        return hash((self._devices, self.memory_kind, how))

    def __repr__(self):
        return f"GSPMDSharding({self._hlo_sharding!r}, memory_kind={self.memory_kind})"


def parse_flatten_op_sharding(hlo_sharding: Any, mesh: Mesh | AbstractMesh) -> Sequence[PartitionSpec]:
    """Return for each array of a sharding of XLA the spec that says the same over a mesh.

    Raises:
      IndivisibleError: no product of axes of the mesh has the number of parts.
    """
    hlo_sharding = _as_hlo(hlo_sharding)
    if hlo_sharding.tuple_elements():
        return [spec for one in hlo_sharding.tuple_elements() for spec in parse_flatten_op_sharding(one, mesh)]
    if hlo_sharding.is_replicated():
        return [PartitionSpec()]
    if not hlo_sharding.is_tiled():
        raise AssertionError(f"Unhandled sharding {hlo_sharding}: it neither cuts arrays nor copies them.")
    parts = get_num_ways_dim_sharded(hlo_sharding)[0]
    devices = list(hlo_sharding.tile_assignment_devices())
    assert len(devices) == mesh.size, (len(devices), mesh.size)
    order = np.array(devices).reshape(hlo_sharding.tile_assignment_dimensions())
    return [PartitionSpec(*_entries(order, parts, mesh))]


def _entries(order: np.ndarray, parts: list[int], mesh: Mesh | AbstractMesh) -> list[tuple[str, ...] | str | None]:
    """Return the axes of a mesh that cut each axis of an array; `order` numbers its places by tiles."""
    place = np.empty((order.size, len(mesh.axis_names)), int)
    place[:] = np.stack(np.unravel_index(np.arange(order.size), mesh.axis_sizes), 1)
    entries, free = [], dict(zip(mesh.axis_names, range(len(mesh.axis_names))))
    for d, k in enumerate(parts):
        names = []
        row = np.moveaxis(order, d, 0).reshape(order.shape[d], -1)[:, 0]  # places that differ in this axis alone
        while prod([mesh.shape[n] for n in names]) < k:
            taken = prod([mesh.shape[n] for n in names])
            left = k // taken
            found = None
            for name, i in free.items():
                size = mesh.shape[name]
                if size > 1 and left % size == 0:
                    at = place[row, i].reshape(taken, size, left // size)
                    if (at == at[:1, :, :1]).all() and len(set(at[0, :, 0])) == size:
                        found = name
                        break
            if found is None:
                name, size = next(iter(mesh.shape.items()))
                raise IndivisibleError(message(
                    f"shape={list(order.shape)} is incompatible with mesh_shape={mesh.shape}: dim_size={k} is not "
                    f"divisible by axis_size={size}.",
                    fix="a mesh with an axis for each axis of the array that is cut",
                ))
            names.append(found)
            del free[found]
        entries.append(tuple(names) if len(names) > 1 else names[0] if names else None)
    while entries and entries[-1] is None:
        entries.pop()
    return entries
