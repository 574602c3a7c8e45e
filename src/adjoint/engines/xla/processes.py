"""Several processes as one: the service through which they meet, and the collectives between them.

The first process runs the service, all connect to it. XLA's client of each process then knows the devices of all.
A process that dies stops the others: a computation with it fails at once where the connection breaks, and after
`heartbeat_timeout` where it falls silent. Those that are left find out which one is missing.

Tests: `tests/parallel/test_processes.py`.
"""

from __future__ import annotations

import ctypes
import logging
import os
import re
import signal as signals
import socket
import sys

from ...core.messages.errors import message
from ...sharding.device import Device, first_device, here, make_device
from .runtime import extension, group, runtime

__all__ = ["connect", "disconnect", "lost"]

_LAST_MEETING_SECONDS = 5  # seconds after a failure in which the processes that are left come together
_NETWORK = re.compile("gloo|connection|unavailable|deadline|coordination", re.IGNORECASE)


def connect(
    address: str, count: int, index: int, *, bind_address: str | None, start_timeout: int, heartbeat_timeout: int,
    shutdown_timeout: int,
) -> None:
    """Meet the other processes.

    Raises:
      RuntimeError: they did not all come within `start_timeout` seconds.
    """
    (_jax,) = extension("_jax")
    port = address.rpartition(":")[2]
    if index == 0:
        group.service = _jax.get_distributed_runtime_service(
            bind_address or f"[::]:{port}", count, heartbeat_timeout=heartbeat_timeout,
            shutdown_timeout=shutdown_timeout,
        )
    group.client = _jax.get_distributed_runtime_client(
        address, index, init_timeout=start_timeout, heartbeat_timeout=heartbeat_timeout,
        shutdown_timeout=shutdown_timeout, shutdown_on_destruction=True, use_compression=True,
    )
    try:
        group.client.connect()
    except RuntimeError as error:
        group.client = group.service = None
        raise RuntimeError(
            message(
                f"Process {index} of {count} could not meet the others at {address} within {start_timeout} seconds.",
                why=str(error).split("\n", 1)[0],
                fix="start all processes, with the same coordinator_address, which all must be able to reach",
            )
        ) from None
    here.index, here.count, here.find_devices = index, count, _devices
    if index:
        _name_the_first_when_aborted(address)


def _name_the_first_when_aborted(address: str) -> None:
    """Say that the first process is gone, when the runtime aborts this one because it is.

    The runtime calls `abort` on a thread of its own as soon as the service does not answer, and nothing can catch
    that; what is left is the signal.
    """
    def handler(number):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=1).close()
        except OSError as error:
            print(f"RuntimeError: {_gone([0], f'It ran the service where all meet: {error}')}", file=sys.stderr)
            sys.stderr.flush()
            os._exit(1)
        signal(number, ctypes.cast(0, kind))  # for another reason: the default
        os.abort()

    kind = ctypes.CFUNCTYPE(None, ctypes.c_int)
    signal = ctypes.CDLL(None).signal
    signal.argtypes, signal.restype = (ctypes.c_int, kind), ctypes.c_void_p
    group.handler = kind(handler)  # which the C library refers to
    signal(signals.SIGABRT, group.handler)


def _gone(missing: list[int], why: str) -> str:
    return message(
        f"Process {', '.join(map(str, missing))} of {here.count} is gone: it ended, or cannot be reached. This is "
        f"process {here.index}.",
        why=why.strip().split("\n", 1)[0],
        fix="see the output of that process for why it ended; start all processes again",
    )


def lost(error: RuntimeError) -> RuntimeError | None:
    """Return the error for a computation that failed because processes are gone, which it names; None if that is not
    why.

    Those that are left say so and wait for each other a last time; the others are gone.
    """
    if here.count == 1 or group.client is None or not _NETWORK.search(str(error)):
        return None
    place = f"adjoint/after failure {group.failures}"
    group.failures += 1
    try:
        group.client.key_value_set(f"{place}/{here.index}", "")
        group.client.wait_at_barrier(place, _LAST_MEETING_SECONDS * 1000)
        return None
    except RuntimeError:
        pass
    try:
        came = {int(key.rpartition("/")[2]) for key, _ in group.client.key_value_dir_get(place)}
    except RuntimeError:  # the service is not there any more, nor is the process that had it
        came = set(range(1, here.count))
    missing = [i for i in range(here.count) if i not in came]
    group.abandoned = True
    why = f"A computation over the devices of all processes could not go on: {str(error).splitlines()[0]}"
    return RuntimeError(_gone(missing, why))


def disconnect() -> None:
    """Leave; the first process ends the service. Waits for the others, unless some are gone: then all ends here."""
    if group.abandoned:
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)
    if group.client is not None:
        group.client.shutdown()
        group.client = None
    if group.service is not None:
        group.service.shutdown()
        group.service = None


def _devices() -> list[Device]:
    """Return the devices of all processes."""
    found, mine = [], runtime().device
    for d in runtime().client.devices():
        if d.id == mine.id:  # what is called the CPU device everywhere is the first of this process
            first_device.id, first_device.process_index, first_device.host_id = d.id, d.process_index, d.process_index
            found.append(first_device)
        else:
            found.append(make_device(d.id, d.process_index))
    return found
