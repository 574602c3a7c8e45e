"""The backends of this process."""

from __future__ import annotations

from ..array.device import Device
from ..core.config import local
from ..parallel.devices import devices, live_arrays, process_index
from ..transforms.jit import clear_caches

__all__ = [
    "backend_xla_version", "backends", "clear_backends", "clear_in_memory_compilation_cache", "get_backend",
    "get_default_device",
]


class Backend:
    """One platform and its devices."""

    def __init__(self, platform: str):
        self.platform = platform
        self.platform_version = "adjoint"
        self.runtime_type = "adjoint"

    def devices(self) -> list[Device]:
        return devices(self.platform)

    local_devices = devices

    def device_count(self) -> int:
        return len(self.devices())

    local_device_count = device_count

    def process_index(self) -> int:
        return process_index()

    def live_arrays(self) -> list:
        return live_arrays(self.platform)

    def __repr__(self):
        return f"<backend {self.platform}>"


_backends: dict[str, Backend] = {}


def get_backend(platform: str | Backend | None = None) -> Backend:
    """The backend of a platform, or the default one; RuntimeError if there is none of that name.

    >>> get_backend().platform
    'cpu'
    """
    if isinstance(platform, Backend):
        return platform
    name = devices(platform)[0].platform
    return _backends.setdefault(name, Backend(name))


def backends() -> dict[str, Backend]:
    """All backends by platform."""
    get_backend()
    return dict(_backends)


def get_default_device() -> Device:
    """The device that new arrays are put on."""
    chosen = local.default_device
    return chosen if isinstance(chosen, Device) else devices(chosen)[0]


def clear_in_memory_compilation_cache() -> None:
    """Forget every compiled program."""
    clear_caches()


def clear_backends(_crash: bool = False) -> None:
    """Forget every compiled program and the backends."""
    clear_caches()
    _backends.clear()


def backend_xla_version(platform: str | None = None) -> int | None:
    """None: the CPU backend has no version of XLA."""
    return None
