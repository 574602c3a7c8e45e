"""Exchange between several processes: `jax.experimental.multihost_utils`.

Each function is called by all processes, in the same order.

Tests: `tests/parallel/test_processes.py`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np

from ..array.array import ArrayImpl
from ..array.sharded_array import ShardedArray
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.tree.tree import broadcast_prefix, tree_flatten, tree_map, tree_unflatten
from ..parallel.arrays import make_array_from_process_local_data, make_array_from_single_device_arrays
from ..parallel.devices import device_put
from ..parallel.distributed import is_initialized
from ..sharding.device import default_devices, here
from ..sharding.mesh import Mesh, PartitionSpec, names_of
from ..sharding.named_sharding import NamedSharding

__all__ = [
    "ProcessFailureError", "assert_equal", "broadcast_one_to_all", "global_array_to_host_local_array",
    "host_local_array_to_global_array", "live_devices", "process_allgather", "reached_preemption_sync_point",
    "sync_global_devices",
]


def _rows(x: np.ndarray) -> np.ndarray:
    """Return the arrays of all processes, which have the same shape and dtype, stacked."""
    if here.count == 1:
        return x[None]
    all_devices = default_devices()
    grid = np.array(sorted(all_devices, key=lambda d: (d.process_index, d.id)), object).reshape(here.count, -1)
    mesh = Mesh(grid, ("processes", "devices"))
    # Bytes, so that every dtype arrives as it was sent.
    data = np.ascontiguousarray(x).reshape(-1).view(np.uint8)[None]
    parts = make_array_from_process_local_data(NamedSharding(mesh, PartitionSpec("processes")), data)
    whole = np.asarray(device_put(parts, NamedSharding(mesh, PartitionSpec())))
    return whole.reshape(-1).view(x.dtype).reshape(here.count, *x.shape)


def _buffer(x) -> np.ndarray:
    """Return what is sent of an argument: as an array would have it, in 32 bits unless 64 are enabled.

    A process that is alone sends nothing, and keeps its dtype.
    """
    x = np.asarray(x)
    return x if here.count == 1 else np.asarray(x, dtypes.canonicalize_dtype(x.dtype))


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

    def gathered(x):
        if isinstance(x, ShardedArray) and not x.is_fully_addressable:
            if not x.is_fully_replicated:
                if not tiled:
                    raise ValueError(
                        message(
                            "Gathering global non-fully-addressable arrays only supports tiled=True",
                            why="It is one array over the devices of all processes, and there is nothing to stack.",
                            fix="process_allgather(x, tiled=True)",
                        )
                    )
                x = device_put(x, NamedSharding(x.sharding.mesh, PartitionSpec()))
            return np.asarray(x)
        rows = _rows(_buffer(x))
        if not tiled:
            return rows
        return rows.reshape(rows.shape[0] * rows.shape[1], *rows.shape[2:]) if rows.ndim > 1 else rows

    return tree_map(gathered, in_tree)


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
    sends = here.index == 0 if is_source is None else bool(is_source)
    source = int(np.argmax(_rows(np.asarray(sends))))
    return tree_map(lambda x: np.asarray(_rows(_buffer(x))[source]), in_tree)


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
    assert_equal(np.uint32(zlib.crc32(name.encode())), f"sync_global_devices name mismatch ('{name}')")


def assert_equal(in_tree: Any, fail_message: str = "") -> None:
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
    expected = broadcast_one_to_all(in_tree)
    rows = [_rows(_buffer(x)) for x in tree_flatten(in_tree)[0]]
    if not all([np.array_equal(r, np.broadcast_to(r[:1], r.shape), equal_nan=r.dtype.kind in "fc") for r in rows]):
        raise AssertionError(f"{fail_message}. Expected: {expected}; got: {in_tree}.")


def _specs(pspecs, tree) -> list[PartitionSpec]:
    found = broadcast_prefix(pspecs, tree, is_leaf=lambda s: s is None or isinstance(s, PartitionSpec))
    if None in found:
        raise ValueError(
            message(
                "`None` is not a valid input to the pspecs argument. Please use jax.sharding.PartitionSpec() if you "
                "wanted to replicate your input.",
                why="It says how each array is divided over the mesh.",
                fix="jax.sharding.PartitionSpec() for arrays that are the same everywhere",
            )
        )
    return found


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
    leaves, tree = tree_flatten(local_inputs)
    outs = []
    for x, spec in zip(leaves, _specs(pspecs, local_inputs)):
        if isinstance(x, ShardedArray) and not x.is_fully_addressable:
            outs.append(x)
            continue
        x = np.asarray(x)
        ratio = [prod([global_mesh.shape[n] // global_mesh.local_mesh.shape[n] for n in names_of(e)]) for e in spec]
        ratio += [1] * (x.ndim - len(ratio))
        shape = tuple([n * k for n, k in zip(x.shape, ratio)])
        outs.append(make_array_from_process_local_data(NamedSharding(global_mesh, spec), x, shape))
    return tree_unflatten(tree, outs)


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
    leaves, tree = tree_flatten(global_inputs)
    local = global_mesh.local_mesh
    outs = []
    for x, spec in zip(leaves, _specs(pspecs, global_inputs)):
        if not isinstance(x, ArrayImpl):
            x = np.asarray(x)
        x = device_put(x, NamedSharding(global_mesh, spec))
        ratio = [prod([global_mesh.shape[n] // local.shape[n] for n in names_of(e)]) for e in spec]
        ratio += [1] * (x.ndim - len(ratio))
        shape = tuple([n // k for n, k in zip(x.shape, ratio)])
        shards = [s.data for s in x.addressable_shards]
        outs.append(make_array_from_single_device_arrays(shape, NamedSharding(local, spec), shards))
    return tree_unflatten(tree, outs)

class ProcessFailureError(Exception):
    """A process of the program is gone.

    Causes:
      a process ended or was killed             look at its log; start the program again from a checkpoint
      the network to it is cut                  `live_devices()` names those that answer

    >>> from adjoint.experimental import multihost_utils
    >>> issubclass(multihost_utils.ProcessFailureError, Exception)
    True
    """


@contextmanager
def live_devices(devices: Sequence) -> Iterator[list]:
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
    if not is_initialized():
        raise RuntimeError("Distributed JAX not initialized.\n  Try: jax.distributed.initialize(...) first")
    processes = set(range(here.count))
    yield [d for d in devices if d.process_index in processes]


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
    return False


public(globals())
