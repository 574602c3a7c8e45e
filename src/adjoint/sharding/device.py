"""Devices, where arrays live, and the placement on a single one.

The CPU is one device, or as many virtual ones as the option `jax_num_cpu_devices` or XLA's flag asks for when
devices are first looked at; they share the memory of the process. Where an accelerator is in use, its devices are
the default ones, and those of the CPU are beside them.

Tests: `tests/parallel/test_devices.py`.
"""

from __future__ import annotations

import enum
import gc
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.messages.errors import JaxRuntimeError, message
from ..core.options.config import local, watch
from ..core.primitive import primitives
from ..core.process.locks import making
from ..core.process.records import NamedTuple
from ..core.types import Array

__all__ = [
    "MEMORY_KINDS", "AbstractDevice", "Client", "Device", "DeviceList", "Memory", "MemorySpace", "Sharding",
    "SingleDeviceSharding", "are_several", "are_worth_programs", "check_platforms", "checked_kind", "clients",
    "default_device", "default_devices", "device_meant", "devices_of", "engine_name", "first_device",
    "first_sharding", "here", "is_accelerator", "is_beside", "is_here", "look_for_platforms", "make_device",
    "make_single_device_sharding", "not_initialized", "platform_name", "refusal", "sharding_said_by",
    "use_plugin", "virtual_devices",
]

MEMORY_KINDS = ("device", "pinned_host", "unpinned_host")


class MemorySpace(enum.Enum):
    """The memory that a type says a value is in: the device's own, or the host's.

    >>> jax.memory.Space.Host.name
    'Host'
    """

    Device = enum.auto()
    Host = enum.auto()
    Any = enum.auto()

    def __repr__(self):
        return str(self)


class _Absent(NamedTuple):
    """A platform that is not there, and the option that names it: `jax_platforms` or `jax_platform_name`."""

    platform: str
    option: str


class _Process:
    """The number of this process among all of them, and how it finds the devices of all.

    `asked` is how many devices the option asks for. `plugin` is of the accelerators that are in
    use: see engines/xla/plugins.py. `absent` is the platform that an option demands and that is not there.
    """

    index: int = 0
    count: int = 1
    find_devices: Any = None
    plugin: Any = None
    asked: int | None = None
    absent: _Absent | None = None


here = _Process()


class Device:
    """A device that holds arrays and runs programs.

    Made by the library: `devices()` has all of them.

    >>> devices()[0].platform, devices()[0].id
    ('cpu', 0)
    """

    __slots__ = ("device_kind", "host_id", "id", "local_hardware_id", "platform", "process_index")

    def __init__(self, platform: str, id: int, device_kind: str, process_index: int = 0):
        self.platform = platform
        self.id = id
        self.device_kind = device_kind
        self.process_index = self.host_id = process_index
        self.local_hardware_id = id

    @property
    def client(self) -> Client:
        """Return the platform of the device, with all of its devices."""
        return clients.setdefault(self.platform, Client(self.platform))

    @property
    def task_id(self) -> int:
        """Return the index of the process that has the device."""
        return self.process_index

    def addressable_memories(self) -> list[Memory]:
        """Return the memories that the device can use."""
        return [Memory(self, kind) for kind in MEMORY_KINDS]

    def default_memory(self) -> Memory:
        """Return the memory where arrays are by default."""
        return Memory(self, MEMORY_KINDS[0])

    def memory(self, kind: str) -> Memory:
        """Return the memory of a kind.

        Args:
          kind: "device" or "pinned_host".
        Raises:
          JaxRuntimeError: the device has none of that kind.
        """
        if kind not in MEMORY_KINDS:
            raise JaxRuntimeError(f"INVALID_ARGUMENT: {_no_memory(kind)}")
        return Memory(self, kind)

    def memory_stats(self) -> dict[str, Any] | None:
        """Use of the device's memory, where the platform reports it."""
        return None

    def __repr__(self):
        return f"{self.platform.capitalize()}Device(id={self.id})"

    def __str__(self):
        return f"{self.platform}:{self.id}"

    def __reduce__(self):
        return _find, (self.platform, self.id)


@dataclass(frozen=True, repr=False)
class DeviceList(Sequence):
    """Devices in an order, as libraries hand them on."""

    _devices: tuple[Device, ...]

    def __post_init__(self):
        if not isinstance(self._devices, tuple):
            raise TypeError(message(
                f"DeviceList takes a tuple of devices, and not a {type(self._devices).__name__}: {self._devices!r}.",
                fix="DeviceList(tuple(devices))",
            ))

    device_kind = property(lambda self: self._devices[0].device_kind)
    default_memory_kind = property(lambda self: MEMORY_KINDS[0])
    memory_kinds = property(lambda self: MEMORY_KINDS)
    is_fully_addressable = property(lambda self: all(map(is_here, self)))
    addressable_device_list = property(lambda self: DeviceList(tuple(filter(is_here, self))))
    process_indices = property(lambda self: {d.process_index for d in self})

    def __len__(self):
        return len(self._devices)

    def __getitem__(self, index):
        return self._devices[index]

    def __repr__(self):
        return repr(self._devices)


class Client:
    """A platform and its devices."""

    __slots__ = ("platform",)

    platform_version = runtime_type = "adjoint"

    def __init__(self, platform: str):
        self.platform = platform

    def devices(self) -> list[Device]:
        """Return the devices of all processes."""
        return devices_of(self.platform)

    def local_devices(self) -> list[Device]:
        """Return the devices of this process."""
        return [device for device in self.devices() if is_here(device)]

    def device_count(self) -> int:
        """Return how many devices all processes have."""
        return len(self.devices())

    def local_device_count(self) -> int:
        """Return how many devices this process has."""
        return len(self.local_devices())

    def process_index(self) -> int:
        """Return the number of this process."""
        return here.index

    host_id = process_index

    def live_arrays(self) -> list:
        """Return all arrays that have not been freed."""
        arrays: list[Any] = [a for a in gc.get_objects() if isinstance(a, Array)]
        return [a for a in arrays if a.concrete() is a and not a.is_gone]  # a tracer is an Array too

    def __repr__(self):
        return f"<backend {self.platform}>"


clients: dict[str, Client] = {}  # by platform


class AcceleratorDevice(Device):
    """A device of a plugin, whose runtime knows more of it: its kind, its memory, its capabilities."""

    __slots__ = ()

    def __init__(self, platform: str, id: int, process_index: int = 0):
        super().__init__(platform, id, "", process_index)
        del self.device_kind

    @property
    def client(self):
        return here.plugin.device(self.id).client

    def memory_stats(self) -> dict[str, Any] | None:
        return here.plugin.device(self.id).memory_stats()

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(here.plugin.device(self.id), name)

    def __repr__(self):
        return f"{here.plugin.name.capitalize()}Device(id={self.id})"

    def __str__(self):
        return f"{here.plugin.name}:{self.id}"


@dataclass(frozen=True, repr=False)
class Memory:
    """A memory that a device can use; on the CPU all of them are that of the process."""

    device: Device
    kind: str

    platform = property(lambda self: self.device.platform)
    process_index = property(lambda self: self.device.process_index)
    id = property(lambda self: len(MEMORY_KINDS) * self.device.id + MEMORY_KINDS.index(self.kind))

    def addressable_by_devices(self) -> list[Device]:
        """Return the devices that can use it."""
        return [self.device]

    def __repr__(self):
        name = f"{self.platform}_device" if self.kind == "device" else self.kind
        return f"{name.upper()}_{self.id}"

    def __str__(self):
        name = f"{self.platform}_device" if self.kind == "device" else self.kind
        name = "".join([word.capitalize() for word in name.split("_")])
        name += "MemorySpace" if self.kind == "unpinned_host" else "Memory"  # JAX parity: as it calls them
        return f"{name}(id={self.id}, process_index={self.process_index}, client={self.platform})"


def _no_memory(kind: str) -> str:
    return message(
        "Could not find memory addressable by device cpu. Device cpu can address the following memory kinds: "
        f"{', '.join(MEMORY_KINDS)}. Got memory kind: {kind}",
        fix=f"memory_kind={MEMORY_KINDS[1]!r}, for the memory of the host",
    )


def checked_kind(kind: str | None) -> str:
    """Return a memory kind, the device's own by default. ValueError if there is no such memory."""
    if kind is not None and kind not in MEMORY_KINDS:
        raise ValueError(_no_memory(kind))
    return kind or MEMORY_KINDS[0]


first_device = Device("cpu", 0, "cpu")
_devices: list[Device] = []
_beside: list[Device] = []  # those of the CPU where accelerators are the default
_EXTRAS = {"gpu": "'adjoint[cuda13]'", "cuda": "'adjoint[cuda13]'", "tpu": "'adjoint[xla]' libtpu"}


def use_plugin(plugin: Any) -> None:
    """Make the accelerators of a plugin the default devices; for None the CPU again."""
    here.plugin = plugin
    _devices.clear()
    if plugin is None:
        first_device.__class__ = Device
        first_device.__init__("cpu", 0, "cpu")
    else:
        first_device.__class__ = AcceleratorDevice
        first_device.__init__(plugin.platform, 0)  # type: ignore[misc]


def make_device(id: int, process_index: int = 0) -> Device:
    """Return another device of the default platform."""
    if here.plugin is None:
        return Device("cpu", id, "cpu", process_index)
    return AcceleratorDevice(here.plugin.platform, id, process_index)


def platform_name() -> str:
    """Return the platform that programs are written for by default: `"cpu"`, `"cuda"`, `"tpu"`."""
    return "cpu" if here.plugin is None else here.plugin.name


def default_device() -> Device:
    """Return the device of results that no operand commits."""
    return device_meant(local.default_device)


def device_meant(chosen: Any) -> Device:
    """Return the device that a value of the option `jax_default_device` means."""
    if chosen is None or (isinstance(chosen, str) and here.plugin is None):
        return first_device
    return devices_of(chosen)[0] if isinstance(chosen, str) else chosen


def engine_name() -> str:
    """Return the engine of programs on the default device."""
    if here.plugin is None or is_beside(default_device()) or not here.plugin.start():
        return local.cpu_engine
    return "xla"


def is_accelerator(device: Any) -> bool:
    """Return whether a device is of the plugin in use."""
    return here.plugin is not None and device.platform == here.plugin.platform


def is_beside(device: Any) -> bool:
    """Return whether a device is a CPU beside the accelerators in use."""
    return here.plugin is not None and device.platform == "cpu"


def are_worth_programs(devices: int) -> bool:
    """Return whether programs over a mesh of so many devices are compiled for it: not for one CPU device."""
    return devices > 1 or here.plugin is not None


# ---- platforms that are named, and are not there -------------------------------------------------


def look_for_platforms() -> None:
    """Note the platform that an option demands and that is not there.

    As in JAX, what was noted is for the whole process: the options are not read again when a program has run.
    """
    if here.absent is not None or not _has_started():
        here.absent = _absent()


def _has_started() -> bool:
    """Return whether devices were looked at, or something was computed."""
    return bool(_devices) or any([p._types for p in primitives.values()])


def _is_there(platform: str) -> bool:
    return platform == "cpu" or (here.plugin is not None and platform in (here.plugin.name, here.plugin.platform))


def _absent() -> _Absent | None:
    asked = local.platforms.split(",") if local.platforms else []
    for platform in asked:
        # JAX parity: of several platforms, "cuda" is passed over where no GPU is.
        if not _is_there(platform) and (platform != "cuda" or len(asked) == 1):
            return _Absent(platform, "jax_platforms")
    name = str(local.platform_name or "").lower()
    return _Absent(name, "jax_platform_name") if name and not _is_there(name) else None


def refusal(chosen: Any) -> RuntimeError | None:
    """Return the error for what is to be computed on a platform that is not there, None if it is.

    `chosen` is the value of the option `jax_default_device`.
    """
    absent = here.absent
    if absent is not None and absent.option == "jax_platforms":
        return not_initialized(absent.platform)
    if chosen is not None:
        return _unknown(chosen) if isinstance(chosen, str) and not _is_there(chosen) else None
    return None if absent is None else _unknown(
        absent.platform, "JAX_PLATFORM_NAME, or the option jax_platform_name, names it.", "JAX_PLATFORM_NAME=cpu")


def check_platforms() -> None:
    """Raise RuntimeError if the default platform is not there."""
    if here.absent is not None and (error := refusal(local.default_device)) is not None:
        raise error


def not_initialized(platform: str, why: str = "") -> RuntimeError:
    """Return the error for a platform that `jax_platforms` demands, and what its plugin said."""
    extra = _EXTRAS.get(platform)
    why = why or f"{_no_plugin(platform)}." if extra else \
        f"Backend '{platform}' is not in the list of known backends: ['cpu', 'tpu']."
    install = f"pip install {extra} on a machine with the driver; or " if extra else ""
    return RuntimeError(
        message(
            f"Unable to initialize backend '{platform}': {why} (set JAX_PLATFORMS='' to automatically choose an "
            "available backend)",
            why=f"JAX_PLATFORMS, or the option jax_platforms, is '{local.platforms}'.",
            fix=f"{install}JAX_PLATFORMS=cpu",
        )
    )


def _no_plugin(platform: str) -> str:
    return f"No plugin for {platform} is installed, or it found no device and no driver"


def _unknown(platform: str, why: str = "", fix: str = "jax.devices() for what is there") -> RuntimeError:
    """Return the error for a platform that is asked for by its name; `why` and `fix` of how it was asked for."""
    there = "cpu" if here.plugin is None else f"{here.plugin.name}, cpu"
    extra = _EXTRAS.get(platform)
    if platform == "tpu":
        first = f"Backend 'tpu' failed to initialize: {_no_plugin(platform)}. Available backends are ['cpu']"
    elif platform == "gpu":
        first = (f"Unknown backend: 'gpu' requested, but no platforms that are instances of gpu are present. "
                 f"Platforms present are: {there}")
    else:
        first = f"Unknown backend {platform}. Available backends are ['cpu']"
    if extra is not None:
        why = " ".join(filter(None, [why, f"{_no_plugin(platform)}." if platform != "tpu" else ""]))
        fix = f"pip install {extra} on a machine with the driver; {fix}"
    return RuntimeError(message(first, why=why, fix=fix))


def devices_of(backend: str | None) -> list[Device]:
    """Return the devices of a platform, of the default one for None. RuntimeError if there is none."""
    if backend is None or backend == "":
        check_platforms()
        return default_devices()
    if not isinstance(backend, str):
        raise AttributeError(message(f"'{type(backend).__name__}' object has no attribute 'devices'",
                                     why=f"A platform is asked for by its name, not by {backend!r}.",
                                     fix='jax.devices("cpu"), jax.devices()[0] for the first device'))
    if backend == "cpu" and here.plugin is not None:
        return _devices_beside()
    if not _is_there(backend):
        raise _unknown(backend)
    return default_devices()


def are_several() -> bool:
    """Return whether devices were looked at, and there is more than one."""
    return len(_devices) > 1


def default_devices() -> list[Device]:
    """Return the devices of the default platform; their number is fixed by the first call."""
    if not _devices:
        with making:
            if not _devices:
                _devices.extend(_found())
    return _devices


def _devices_beside() -> list[Device]:
    """Return the devices of the CPU beside accelerators; their number is fixed by the first call."""
    if not _beside:
        with making:
            if not _beside:
                _beside.extend([Device("cpu", i, "cpu", here.index) for i in range(virtual_devices())])
    return _beside


def _found() -> list[Device]:
    if here.absent is not None and here.absent.option == "jax_platforms":
        raise not_initialized(here.absent.platform)
    if here.find_devices is not None and (found := here.find_devices()):
        return found
    if here.plugin is not None and here.plugin.start():
        return [first_device, *[make_device(d.id, d.process_index) for d in here.plugin.client.devices()[1:]]]
    return [first_device, *[make_device(i) for i in range(1, virtual_devices())]]


def virtual_devices() -> int:
    """Return how many CPU devices this process is to have."""
    flag = re.search(r"--xla_force_host_platform_device_count=(\d+)", os.environ.get("XLA_FLAGS", ""))
    asked = local.num_cpu_devices
    return asked if asked and asked > 0 else int(flag[1]) if flag else 1


def is_here(device: Device) -> bool:
    """Return whether a device is of this process."""
    return device.process_index == here.index


def _changed() -> None:
    if local.num_cpu_devices != here.asked and _has_started():
        raise RuntimeError(
            "jax_num_cpu_devices config should be updated before backends are initialized i.e. before any JAX "
            "operation is executed. You should initialize this config immediately after `import jax`."
        )
    here.asked = local.num_cpu_devices


watch(("num_cpu_devices",), _changed)


def _find(platform: str, id: int) -> Device:
    for device in (*default_devices(), *_devices_beside()):
        if (device.platform, device.id) == (platform, id):
            return device
    raise RuntimeError(f"There is no device {platform}:{id} in this process.")


class Sharding:
    """The layout of an array over devices.

    >>> isinstance(jnp.ones(2).sharding, Sharding)
    True
    """

    @property
    def _device_assignment(self) -> tuple[Device, ...]:
        """Return its devices in their order."""
        return tuple(self.device_set)  # type: ignore[attr-defined]

    @property
    def _addressable_device_assignment(self) -> tuple[Device, ...]:
        """Return those of this process."""
        return tuple(filter(is_here, self._device_assignment))

    @property
    def _internal_device_list(self) -> DeviceList:
        return DeviceList(self._device_assignment)


def sharding_said_by(x) -> Sharding | None:
    """Return the sharding that something with the shape of an array says that it has, or None."""
    found = getattr(x, "sharding", None)
    return found if isinstance(found, Sharding) else None


class SingleDeviceSharding(Sharding):
    """An array is whole on one device.

    Args:
      device: the device.
      memory_kind: "device" (default) or "pinned_host".

    >>> adjoint.device_put(jnp.ones(2), SingleDeviceSharding(adjoint.devices()[0])).sharding.num_devices
    1
    """

    def __init__(self, device: Device, *, memory_kind: str | None = None):
        self._device = device
        self.memory_kind = checked_kind(memory_kind)

    @property
    def device_set(self) -> set[Device]:
        """Return the set of the one device."""
        return {self._device}

    @property
    def num_devices(self) -> int:
        """Return 1."""
        return 1

    is_fully_replicated = True
    is_fully_addressable = property(
        lambda self: is_here(self._device), doc="Return whether the device is of this process."
    )
    has_addressable_devices = is_fully_addressable

    @property
    def addressable_devices(self) -> set[Device]:
        """Return the device if it is of this process, as a set."""
        return {d for d in self.device_set if is_here(d)}

    def _to_xla_hlo_sharding(self, num_dimensions: int) -> Any:
        """Return the same as XLA's object; jaxlib must be installed."""
        from jaxlib.xla_client import HloSharding

        return HloSharding.replicate()

    def shard_shape(self, global_shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the part on the device: the whole.

        Args:
          global_shape: the shape of an array.
        """
        return tuple(global_shape)

    def devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        """Return the part of an array that the device holds: all of it.

        Args:
          global_shape: the shape of the array.
        """
        return {self._device: (slice(None),) * len(global_shape)}

    def addressable_devices_indices_map(self, global_shape: tuple[int, ...]) -> dict:
        """Return the same if the device is of this process, else an empty dict.

        Args:
          global_shape: the shape of the array.
        """
        return {d: i for d, i in self.devices_indices_map(global_shape).items() if is_here(d)}

    def check_compatible_aval(self, aval_shape: tuple[int, ...]) -> None:
        """Return accept every shape: any array fits on one device.

        Args:
          aval_shape: the shape of an array.
        """

    def with_memory_kind(self, kind: str) -> SingleDeviceSharding:
        """Return the same in another memory.

        Args:
          kind: "device" or "pinned_host".
        """
        return SingleDeviceSharding(self._device, memory_kind=kind)

    def is_equivalent_to(self, other, ndim: int) -> bool:
        """Return whether arrays are on the same device in the same memory.

        Args:
          other: a sharding.
          ndim: how many axes the arrays have.
        """
        same = getattr(other, "memory_kind", None) == self.memory_kind
        return same and getattr(other, "device_set", None) == self.device_set

    def __eq__(self, other):
        return (
            isinstance(other, SingleDeviceSharding)
            and (self._device, self.memory_kind) == (other._device, other.memory_kind)
        )

    def __hash__(self):
        return hash((self._device, self.memory_kind))

    def __repr__(self):
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind={self.memory_kind})"


first_sharding = SingleDeviceSharding(first_device)


def make_single_device_sharding(device: Device, *, memory_kind: str | None = None) -> SingleDeviceSharding:
    """Return the sharding of an array that is whole on one device.

    Args:
      device: the device.
      memory_kind: "device" or "pinned_host"; None for the default.
    Returns:
      A `SingleDeviceSharding`.
    Raises:
      ValueError: the device has no memory of that kind.

    >>> make_single_device_sharding(devices()[0])
    SingleDeviceSharding(device=CpuDevice(id=0), memory_kind=device)
    """
    return SingleDeviceSharding(device, memory_kind=memory_kind)


class AbstractDevice(NamedTuple):
    """The kind and number of cores of devices that are not there, for abstract meshes.

    Args:
      device_kind: the name of the kind.
      num_cores: how many cores a device has.
      platform: the name of the platform.

    >>> AbstractDevice(device_kind='cpu', num_cores=None, platform='cpu').platform
    'cpu'
    """

    device_kind: str
    num_cores: int | None
    platform: str
