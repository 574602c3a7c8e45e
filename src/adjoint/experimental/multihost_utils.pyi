# Written by stubs/generate.py; do not edit.
from adjoint.sharding import Mesh
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any
class ProcessFailureError(Exception):
    """A process of the program is gone.

    Causes:
      a process ended or was killed             look at its log; start the program again from a checkpoint
      the network to it is cut                  `live_devices()` names those that answer

    >>> from adjoint.experimental import multihost_utils
    >>> issubclass(multihost_utils.ProcessFailureError, Exception)
    True
    """
    ...
def assert_equal(in_tree: Any, fail_message: str = '') -> None:
    """Raise an error in all processes unless their arrays are equal.

    Args:
      in_tree: a tree of arrays.
      fail_message: what the error says before.
    Returns:
      None.
    Raises:
      AssertionError: they differ.

    >>> assert_equal(jnp.arange(3), 'different data')
    """
def broadcast_one_to_all(in_tree: Any, is_source: bool | None = None) -> Any:
    """Return the arrays of one process, in every process.

    Args:
      in_tree: a tree of arrays; those of the other processes give the shapes.
      is_source: whether this process is the one, the first by default.
    Returns:
      The tree with NumPy arrays.

    >>> broadcast_one_to_all(np.arange(2))
    array([0, 1])
    """
def global_array_to_host_local_array(global_inputs: Any, global_mesh: Mesh, pspecs: Any) -> Any:
    """Return what the part of the mesh in this process holds of arrays over the devices of all.

    Args:
      global_inputs: a tree of arrays over the devices of all processes.
      global_mesh: the devices.
      pspecs: how the wholes are divided over them, a tree of specs that is a prefix of `global_inputs`.
    Returns:
      A tree of arrays over the devices of this process.

    >>> mesh = adjoint.make_mesh((1,), ("x",))
    >>> global_array_to_host_local_array(jnp.arange(4), mesh, adjoint.P("x")).shape
    (4,)
    """
def host_local_array_to_global_array(local_inputs: Any, global_mesh: Mesh, pspecs: Any) -> Any:
    """Return arrays over the devices of all processes, of what each process has of them.

    Args:
      local_inputs: a tree of arrays: what the part of the mesh in this process holds.
      global_mesh: the devices.
      pspecs: how the wholes are divided over them, a tree of specs that is a prefix of `local_inputs`.
    Returns:
      A tree of arrays over the whole mesh.

    >>> mesh = adjoint.make_mesh((1,), ("x",))
    >>> host_local_array_to_global_array(np.arange(4), mesh, adjoint.P("x")).shape
    (4,)
    """
def live_devices(devices: Sequence[Any]) -> Iterator[list[Any]]:
    """Give the devices whose processes are alive, to processes of one program.

    Args:
      devices: devices of several processes.
    Returns:
      A context manager that gives those whose processes are alive.
    Raises:
      RuntimeError: the program is one process, as far as `jax.distributed` knows.

    >>> from adjoint.experimental import multihost_utils
    >>> with multihost_utils.live_devices(devices()) as alive:
    ...     print(alive)
    Traceback (most recent call last):
        ...
    RuntimeError: Distributed JAX not initialized. ...
    """
def process_allgather(in_tree: Any, tiled: bool = False) -> Any:
    """Return the arrays of all processes, in every process, as NumPy arrays.

    Args:
      in_tree: a tree of arrays that each process has its own of, of the same shapes; or of arrays over the devices of
        all processes, of which the whole is meant.
      tiled: join along the first axis instead of stacking along a new one.
    Returns:
      The tree with NumPy arrays that have an axis of processes in front, or with `tiled` a longer first axis.

    >>> process_allgather(np.arange(2))
    array([[0, 1]])
    """
def reached_preemption_sync_point(step_id: int) -> bool:
    """Return whether all processes should save their state at this step, because one of them will be stopped.

    No service here knows that beforehand, so the answer is no.

    Args:
      step_id: the number of the step.
    Returns:
      False.

    >>> from adjoint.experimental import multihost_utils
    >>> multihost_utils.reached_preemption_sync_point(3)
    False
    """
def sync_global_devices(name: str) -> None:
    """Wait until all processes have come here.

    Args:
      name: what this place is called; the same in all processes.
    Returns:
      None.
    Raises:
      AssertionError: they came with different names.

    >>> sync_global_devices('after loading')
    """
