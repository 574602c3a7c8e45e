# Written by stubs/generate.py; do not edit.
from collections.abc import Sequence
def initialize(coordinator_address: str | None = None, num_processes: int | None = None, process_id: int | None = None, local_device_ids: int | Sequence[int] | None = None, cluster_detection_method: str | None = None, initialization_timeout: int = 300, heartbeat_timeout_seconds: int = 100, shutdown_timeout_seconds: int = 300, coordinator_bind_address: str | None = None, slice_index: int | None = None, partition_index: int | None = None) -> None:
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
def is_initialized() -> bool:
    """Return whether this process is one of several.

    >>> is_initialized()
    False
    """
def shutdown() -> None:
    """Leave the other processes; waits until all do. Does nothing where `initialize` was not called.

    >>> shutdown()
    """
