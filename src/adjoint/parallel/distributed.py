"""Several processes as one program: `distributed.initialize`.

Every process runs the same program. After `initialize` all of them see the devices of all, and a computation over a
mesh of these runs in every process on its own devices.

Tests: `tests/parallel/test_processes.py`.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence

from ..core.messages.errors import message
from ..engines.xla.processes import connect, disconnect
from ..sharding import device as devices_module
from ..sharding.device import here
from .clusters import detected

__all__ = ["initialize", "is_initialized", "shutdown"]


def initialize(
    coordinator_address: str | None = None, num_processes: int | None = None, process_id: int | None = None,
    local_device_ids: int | Sequence[int] | None = None, cluster_detection_method: str | None = None,
    initialization_timeout: int = 300, heartbeat_timeout_seconds: int = 100, shutdown_timeout_seconds: int = 300,
    coordinator_bind_address: str | None = None, slice_index: int | None = None, partition_index: int | None = None,
) -> None:
    """Make this process one of several; before anything else is computed.

    What is not given is taken from the environment: of SLURM, of Open MPI, of an indexed job of Kubernetes, or from
    `JAX_COORDINATOR_ADDRESS`, `JAX_NUM_PROCESSES` and `JAX_PROCESS_ID`.

    Args:
      coordinator_address: `host:port` of the first process, where all meet.
      num_processes: how many there are.
      process_id: which one this is, from 0.
      local_device_ids: which accelerators of the machine are this process's; of no meaning for CPU devices.
      cluster_detection_method: `"slurm"`, `"ompi"`, `"k8s"` or `"mpi4py"`; any of the first three by default;
        `"deactivate"` for none.
      initialization_timeout: seconds to wait for the others.
      heartbeat_timeout_seconds: after so long without a sign a process counts as dead, and the others end.
      shutdown_timeout_seconds: how long `shutdown` waits for the others.
      coordinator_bind_address: where the first process listens, all interfaces by default.
      slice_index, partition_index: of accelerators in several pods.
    Raises:
      ValueError: something is neither given nor in the environment.
      RuntimeError: called twice, or too late, or the others did not come in time.

    >>> distributed.initialize("10.0.0.1:1234", num_processes=2, process_id=0)  # doctest: +SKIP
    """
    if is_initialized():
        raise RuntimeError("distributed.initialize should only be called once.")
    if devices_module._devices:
        raise RuntimeError(
            message(
                "jax.distributed.initialize() must be called before any JAX calls that might initialise the XLA "
                "backend. This includes any computation, but also calls to jax.devices, jax.device_put, and others.",
                why=f"The devices of this process are in use already: {devices_module._devices}.",
                fix="jax.distributed.initialize(...) as the first line after the imports",
            )
        )
    env = os.environ
    address = coordinator_address or env.get("JAX_COORDINATOR_ADDRESS")
    count = num_processes if num_processes is not None else _number(env.get("JAX_NUM_PROCESSES"))
    index = process_id if process_id is not None else _number(env.get("JAX_PROCESS_ID"))
    if None in (address, count, index):
        job = detected(cluster_detection_method)
        address = address or job.address
        count = job.count if count is None else count
        index = job.index if index is None else index
    for value, what, example in (
        (address, "coordinator_address should be defined.", 'coordinator_address="host:1234"'),
        (count, "Number of processes must be defined.", "num_processes=2"),
        (index, "The process id of the current process must be defined.", "process_id=0"),
    ):
        if value is None:
            raise ValueError(
                message(what, why="It is not an argument, and no cluster was found in the environment.",
                        fix=f"jax.distributed.initialize({example}, ...)")
            )
    assert address is not None and count is not None and index is not None
    if index < 0 or index >= count:
        raise ValueError(
            "process_id and num_processes must be nonnegative, with process_id < num_processes. Got "
            f"process_id={index}, num_processes={count}."
        )
    if not address.rpartition(":")[2].isdecimal() or ":" not in address:
        raise ValueError(f"coordinator_address {address!r} has no port.\n  Try: coordinator_address='{address}:1234'")
    connect(
        address, count, index, bind_address=coordinator_bind_address or env.get("JAX_COORDINATOR_BIND_ADDRESS"),
        start_timeout=initialization_timeout, heartbeat_timeout=heartbeat_timeout_seconds,
        shutdown_timeout=shutdown_timeout_seconds,
    )
    atexit.register(shutdown)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def is_initialized() -> bool:
    """Return whether this process is one of several.

    >>> is_initialized()
    False
    """
    return here.find_devices is not None


def shutdown() -> None:
    """Leave the other processes; waits until all do. Does nothing where `initialize` was not called.

    >>> shutdown()
    """
    if is_initialized():
        disconnect()
