"""The state of a group of processes, and the backends that are in use: what libraries read of them.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from ...sharding import device as devices_module
from ...sharding.device import Client, here

__all__ = ["backends", "global_state"]


class _GlobalState:
    """This process among those that were initialized together."""

    @property
    def process_id(self) -> int:
        """The number of this process."""
        return here.index

    @property
    def num_processes(self) -> int:
        """The number of processes; JAX has None before they are initialized."""
        return here.count

    @property
    def client(self) -> Any:
        """The client of the service through which they meet; None for a process alone."""
        runtime = sys.modules.get(f"{__package__.partition('.')[0]}.engines.xla.runtime")
        return None if runtime is None else runtime.group.client

    @property
    def service(self) -> Any:
        """The service, in the first process."""
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
