"""The state of a group of processes, and the backends that are in use: what libraries read of them.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from ...sharding import device as devices_module
from ...sharding.device import Client, here

__all__ = ["backends", "backends_are_initialized", "canonicalize_platform", "expand_platform_alias",
           "get_device_backend", "get_num_nodes_from_gpu_topology", "global_state", "is_known_platform",
           "known_platforms", "using_pjrt_c_api"]


class _GlobalState:
    """This process among those that were initialized together."""

    @property
    def process_id(self) -> int:
        """Return the number of this process."""
        return here.index

    @property
    def num_processes(self) -> int:
        """Return the number of processes; JAX has None before they are initialized."""
        return here.count

    @property
    def client(self) -> Any:
        """Return the client of the service through which they meet; None for a process alone."""
        runtime = sys.modules.get(f"{__package__.partition('.')[0]}.engines.xla.runtime")
        return None if runtime is None else runtime.group.client

    @property
    def service(self) -> Any:
        """Return the service, in the first process."""
        runtime = sys.modules.get(f"{__package__.partition('.')[0]}.engines.xla.runtime")
        return None if runtime is None else runtime.group.service


global_state = _GlobalState()


class _Backends(Mapping):
    """The backends in use, by platform; none before the first is asked for."""

    @property
    def _clients(self) -> dict[str, Client]:
        return {d.platform: d.client for d in devices_module._devices}

    def __getitem__(self, platform: str) -> Client:
        return self._clients[platform]

    def __iter__(self) -> Iterator[str]:
        return iter(self._clients)

    def __len__(self) -> int:
        return len(self._clients)


backends = _Backends()


# ---- platforms -----------------------------------------------------------------------------------

_ALIASES = {"gpu": ["cuda", "rocm", "oneapi"]}


def known_platforms() -> set[str]:
    """Return the names of platforms that JAX knows."""
    return {"cpu", "gpu", "tpu", *_ALIASES["gpu"]}


def is_known_platform(platform: str) -> bool:
    """Return whether a name is one of those."""
    return platform in known_platforms()


def expand_platform_alias(platform: str) -> list[str]:
    """Return the platforms that a name stands for."""
    return _ALIASES.get(platform, [platform])


def canonicalize_platform(platform: str) -> str:
    """Return the one that is present of the platforms that a name stands for.

    Raises:
      RuntimeError: none of them is.
    """
    if platform not in _ALIASES:
        return platform
    present = {d.platform for d in devices_module.devices_of(None)}
    found = [name for name in _ALIASES[platform] if name in present]
    if not found:
        raise RuntimeError(
            f"Unknown backend: '{platform}' requested, but no platforms that are instances of {platform} are present. "
            f"Platforms present are: {','.join(sorted(present))}")
    return found[0]


def backends_are_initialized() -> bool:
    """Return whether a device has been asked for."""
    return bool(devices_module._devices)


def get_device_backend(device: Any = None) -> Client:
    """Return the backend of a device, or of the first one."""
    return (devices_module.devices_of(None)[0] if device is None else device).client


def using_pjrt_c_api(backend: Any = None) -> bool:
    """Return whether a backend is a plugin."""
    return False


def get_num_nodes_from_gpu_topology(topology: str) -> int:
    """Return how many hosts a text says: "2 x 3 x 4" are six with four devices each.

    Raises:
      ValueError: the text is not three numbers.
    """
    try:
        slices, hosts, _ = topology.split("x", 2)
        return int(slices) * int(hosts)
    except ValueError:
        raise ValueError('Mock topology must be of the form "<number-of-slices> x <number-of-hosts-per-slice> x '
                         '<number-of-devices-per-host>".') from None
