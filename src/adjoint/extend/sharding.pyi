# Written by stubs/generate.py; do not edit.
from adjoint import Device
from adjoint.sharding import Sharding
from collections.abc import Sequence
from typing import Any
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
    def __init__(self, devices: Any, op_sharding: Any, *, memory_kind: str | None = None) -> None: ...
    @classmethod
    def get_replicated(cls, devices: Sequence[Device], *, memory_kind: str | None = None) -> GSPMDSharding:
        """Return the sharding by which each device holds the whole array."""
    @property
    def device_set(self) -> set[Device]:
        """Return the devices."""
    @property
    def addressable_devices(self) -> set[Device]:
        """Return the devices of this process."""
    @property
    def num_devices(self) -> int:
        """Return how many devices there are."""
    @property
    def is_fully_addressable(self) -> bool:
        """Return whether all devices are of this process."""
    @property
    def has_addressable_devices(self) -> bool:
        """Return whether a device is of this process."""
    @property
    def is_fully_replicated(self) -> bool:
        """Return whether every device holds the whole array."""
    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Raise unless an array of this shape has an axis for each that is cut."""
    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the part on each device."""
    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, Any]:
        """Return the part of an array that each device holds, as a tuple of slices by device."""
    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict[Any, Any]:
        """Return the same for the devices of this process."""
    def with_memory_kind(self, kind: str) -> GSPMDSharding:
        """Return the same in another memory."""
    def is_equivalent_to(self, other: Sharding, ndim: int) -> bool:
        """Return whether arrays of `ndim` axes lie on the same devices in the same way."""
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
