"""Where arrays live: devices and the placement on a single one."""

from __future__ import annotations

from typing import Any

__all__ = ["Device", "Sharding", "SingleDeviceSharding", "cpu_device"]


class Device:
    """A device that holds arrays and runs programs."""

    __slots__ = ("device_kind", "host_id", "id", "local_hardware_id", "platform", "process_index")

    def __init__(self, platform: str, id: int, device_kind: str, process_index: int = 0):
        self.platform = platform
        self.id = id
        self.device_kind = device_kind
        self.process_index = self.host_id = process_index
        self.local_hardware_id = id

    def memory_stats(self) -> dict[str, Any] | None:
        """Use of the device's memory, where the platform reports it."""
        return None

    def __repr__(self):
        return f"{self.platform.capitalize()}Device(id={self.id})"

    def __str__(self):
        return f"{self.platform}:{self.id}"

    def __reduce__(self):
        return _find, (self.platform, self.id)


cpu_device = Device("cpu", 0, "cpu")


def _find(platform: str, id: int) -> Device:
    if (platform, id) != ("cpu", 0):
        raise RuntimeError(f"There is no device {platform}:{id} in this process.")
    return cpu_device


class Sharding:
    """How an array is laid out over devices."""


class SingleDeviceSharding(Sharding):
    """All of an array on one device."""

    def __init__(self, device: Device, *, memory_kind: str | None = None):
        self._device = device
        self.memory_kind = memory_kind or "device"

    @property
    def device_set(self) -> set[Device]:
        return {self._device}

    @property
    def num_devices(self) -> int:
        return 1

    is_fully_replicated = True
    is_fully_addressable = True
    addressable_devices = device_set

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(global_shape)

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        return {self._device: (slice(None),) * len(global_shape)}

    addressable_devices_indices_map = devices_indices_map

    def is_equivalent_to(self, other, ndim: int) -> bool:
        return getattr(other, "device_set", None) == self.device_set

    def __eq__(self, other):
        return (
            isinstance(other, SingleDeviceSharding)
            and (self._device, self.memory_kind) == (other._device, other.memory_kind)
        )

    def __hash__(self):
        return hash((self._device, self.memory_kind))

    def __repr__(self):
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"


cpu_sharding = SingleDeviceSharding(cpu_device)
