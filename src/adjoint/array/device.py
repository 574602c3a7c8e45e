"""Where arrays live: devices and the placement on a single one.

The CPU is one device, or as many virtual ones as the option `jax_num_cpu_devices` or XLA's flag asks for when
devices are first looked at; they share the memory of the process.
"""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from ..core.config import local, watch

__all__ = [
    "AbstractDevice", "Device", "Sharding", "SingleDeviceSharding", "cpu_device", "cpu_devices", "here", "is_here",
    "make_single_device_sharding", "virtual_devices",
]


class _Process:
    """Which of how many processes this is, and how it finds the devices of all, if it is not the only one."""

    index: int = 0
    count: int = 1
    find_devices: Any = None


here = _Process()


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
_devices: list[Device] = []


def cpu_devices() -> list[Device]:
    """The CPU devices; their number is fixed by the first call."""
    if not _devices and here.find_devices is not None:
        _devices.extend(here.find_devices())
    if not _devices:
        _devices.extend([cpu_device, *[Device("cpu", i, "cpu") for i in range(1, virtual_devices())]])
    return _devices


def virtual_devices() -> int:
    """How many CPU devices this process is to have."""
    flag = re.search(r"--xla_force_host_platform_device_count=(\d+)", os.environ.get("XLA_FLAGS", ""))
    asked = local.num_cpu_devices
    return asked if asked and asked > 0 else int(flag[1]) if flag else 1


def is_here(device: Device) -> bool:
    """Whether a device is of this process."""
    return device.process_index == here.index


def _changed() -> None:
    if _devices:
        raise RuntimeError(
            "jax_num_cpu_devices config should be updated before backends are initialized i.e. before any JAX "
            "operation is executed. You should initialize this config immediately after `import jax`."
        )


watch(("num_cpu_devices",), _changed)


def _find(platform: str, id: int) -> Device:
    for device in cpu_devices():
        if (device.platform, device.id) == (platform, id):
            return device
    raise RuntimeError(f"There is no device {platform}:{id} in this process.")


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
    is_fully_addressable = property(lambda self: is_here(self._device))
    has_addressable_devices = is_fully_addressable

    @property
    def addressable_devices(self) -> set[Device]:
        return {d for d in self.device_set if is_here(d)}

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(global_shape)

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        return {self._device: (slice(None),) * len(global_shape)}

    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        return {d: i for d, i in self.devices_indices_map(global_shape).items() if is_here(d)}

    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Every array fits on one device."""

    def with_memory_kind(self, kind: str) -> SingleDeviceSharding:
        """The same in another memory."""
        return SingleDeviceSharding(self._device, memory_kind=kind)

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


def make_single_device_sharding(device: Device, *, memory_kind: str | None = None) -> SingleDeviceSharding:
    """All of an array on one device.

    >>> make_single_device_sharding(devices()[0])
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """
    return SingleDeviceSharding(device, memory_kind=memory_kind)


class AbstractDevice(NamedTuple):
    """What a device is like, without being one; for meshes of devices that are not there."""

    device_kind: str
    num_cores: int | None
    platform: str
