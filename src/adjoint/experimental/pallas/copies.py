"""Counters that kernels signal and wait for, and copies between references, on this device and between devices.

A point of the grid, and a core, runs after the other: a copy is made where it is started, and a counter that is waited
for has been signalled. Copies between devices are collectives: each device says where it sends to.

Tests: `tests/experimental/test_pallas_memory.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.messages.errors import message
from ...core.state import state
from ...core.tree.tree import tree_map
from ...core.types import Array
from ...lax.flow.collectives import all_gather, axis_index
from ...numpy.conversion import asarray
from ...numpy.selection import where

__all__ = [
    "AsyncCopyDescriptor", "DeviceIdType", "async_copy", "async_remote_copy", "make_async_copy",
    "make_async_remote_copy", "semaphore_read", "semaphore_signal", "semaphore_wait", "sync_copy",
]


class DeviceIdType(enum.Enum):
    """The way a device is named: by its coordinates in the mesh, or by its number there.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.DeviceIdType.MESH
    <DeviceIdType.MESH: 'mesh'>
    """

    MESH = "mesh"
    LOGICAL = "logical"


def semaphore_read(sem_or_view: Any) -> Array:
    """Return the count of a semaphore.

    Args:
      sem_or_view: a reference to a semaphore, or one of an array of them, `sems.at[i]`.
    Returns:
      An int32 scalar.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(out, sem):
    ...     pl.semaphore_signal(sem, 3)
    ...     pl.semaphore_wait(sem, 2)
    ...     out[...] = jnp.full(2, pl.semaphore_read(sem))
    >>> out = ad.ShapeDtypeStruct((2,), jnp.int32)
    >>> pl.pallas_call(kernel, out_shape=out, scratch_shapes=[tpu.SemaphoreType.REGULAR])()
    Array([1, 1], dtype=int32)
    """
    return sem_or_view[...]


def semaphore_signal(
    sem_or_view: Any, inc: Any = 1, *, device_id: Any = None, device_id_type: DeviceIdType = DeviceIdType.MESH,
    core_index: Any = None,
) -> None:
    """Add to the count of a semaphore.

    Args:
      sem_or_view: a reference to a semaphore, or one of an array of them, `sems.at[i]`.
      inc: how much.
      device_id: the device whose semaphore it is, inside of `shard_map`; default, this one.
      device_id_type: how it is named.
      core_index: for TPUs; cores share their semaphores here.
    Raises:
      ValueError: a device is named, and no axis of devices is in scope.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu as pltpu
    >>> def kernel(out, count):
    ...     pl.semaphore_signal(count, 5)
    ...     out[0] = pl.semaphore_read(count)
    >>> pl.pallas_call(
    ...     kernel, out_shape=ShapeDtypeStruct((1,), jnp.int32), scratch_shapes=[pltpu.SemaphoreType.REGULAR],
    ...     interpret=True)()
    Array([5], dtype=int32)
    """
    inc = asarray(inc).astype(np.int32)
    if device_id is not None:
        names, target = _axes(), _number(device_id, device_id_type)
        arrives = all_gather(target, names) == axis_index(names)
        inc = where(arrives, all_gather(inc, names), np.int32(0)).sum(dtype=np.int32)
    sem_or_view[...] = sem_or_view[...] + inc


def semaphore_wait(sem_or_view: Any, value: Any = 1, *, decrement: bool = True) -> None:
    """Take from the count of a semaphore: what is waited for has been done, as kernels run one after the other.

    Args:
      sem_or_view: a reference to a semaphore, or one of an array of them, `sems.at[i]`.
      value: the count to wait for.
      decrement: whether it is taken from the count.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu as pltpu
    >>> def kernel(out, count):
    ...     pl.semaphore_signal(count, 5)
    ...     pl.semaphore_wait(count, 2)
    ...     out[0] = pl.semaphore_read(count)
    >>> pl.pallas_call(
    ...     kernel, out_shape=ShapeDtypeStruct((1,), jnp.int32), scratch_shapes=[pltpu.SemaphoreType.REGULAR],
    ...     interpret=True)()
    Array([3], dtype=int32)
    """
    if decrement:
        sem_or_view[...] = sem_or_view[...] - asarray(value).astype(np.int32)


class AsyncCopyDescriptor:
    """A copy between references: `start` makes it, `wait` waits until it is made.

    Args:
      source, target: what is copied and where to, references or parts of them.
      semaphores: the one that counts what arrived, and, between devices, the one that counts what was sent.
      device: the number of the device that it goes to; None, this one.
    """

    def __init__(self, source: Any, target: Any, semaphores: Sequence[Any], device: Any = None):
        self._source, self._target, self._semaphores, self._device = source, target, semaphores, device

    def start(self, priority: int = 0, *, add: bool = False) -> None:
        """Copy.

        Args:
          priority: for TPUs.
          add: whether it is added to what is there.
        Raises:
          TypeError: shapes or dtypes differ.
        """
        _copy(self._source, self._target, add, self._device)
        for sem in self._semaphores:
            semaphore_signal(sem)

    def wait(self) -> None:
        """Wait until the copy is made, and, between devices, sent."""
        for sem in self._semaphores:
            semaphore_wait(sem)

    def wait_recv(self) -> None:
        """Wait until the copy to this device is made."""
        semaphore_wait(self._semaphores[0])

    def wait_send(self) -> None:
        """Wait until the copy from this device is sent."""
        semaphore_wait(self._semaphores[-1])


def _copy(source: Any, target: Any, add: bool, device: Any) -> None:
    value, before = source[...], target[...]
    if value.shape != before.shape or value.dtype != before.dtype:
        kind = lambda x: x.aval.str_short(True)
        raise TypeError(message(
            f"A copy needs references of one shape and dtype, got {kind(value)} to copy and {kind(before)} to copy to.",
            fix="target.at[pl.ds(start, size)], for a part; target[...] = source[...].astype(dtype)",
        ))
    if device is not None:
        names = _axes()
        arrives = all_gather(device, names) == axis_index(names)
        sent = all_gather(value, names)[arrives.argmax()]
        value = where(arrives.any(), sent, np.zeros((), value.dtype) if add else before)
    target[...] = before + value if add else value


def _axes() -> tuple:
    names = tuple([name for name, _ in state.axis_env])
    if not names:
        raise ValueError(message(
            "A device is named, and no axis of devices is in scope.", fix="jax.shard_map around the kernel's call"
        ))
    return names


def _number(device_id: Any, kind: DeviceIdType) -> Array:
    """Return the number of a device among all devices of the axes that are in scope."""
    if kind is DeviceIdType.LOGICAL or not isinstance(device_id, (tuple, list, dict)):
        return asarray(device_id).astype(np.int32)
    sizes = dict(state.axis_env)
    given = device_id if isinstance(device_id, dict) else dict(zip(sizes, device_id, strict=True))
    number = np.int32(0)
    for name, size in sizes.items():
        own = given[name] if name in given else axis_index(name)
        number = number * np.int32(size) + asarray(own).astype(np.int32)
    return asarray(number)


def make_async_copy(src_ref: Any, dst_ref: Any, sem: Any) -> AsyncCopyDescriptor:
    """Return a copy that is not started yet.

    Args:
      src_ref, dst_ref: references, or parts of them, `ref.at[index]`, of one shape and dtype.
      sem: a semaphore that counts copies.
    Returns:
      An object with `start()` and `wait()`.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out, sem):
    ...     copy = tpu.make_async_copy(x, out, sem)
    ...     copy.start()
    ...     copy.wait()
    >>> out = ad.ShapeDtypeStruct((2,), jnp.float32)
    >>> pl.pallas_call(kernel, out_shape=out, scratch_shapes=[tpu.SemaphoreType.DMA])(jnp.arange(2.))
    Array([0., 1.], dtype=float32)
    """
    return AsyncCopyDescriptor(src_ref, dst_ref, [sem])


def async_copy(src_ref: Any, dst_ref: Any, sem: Any, *, priority: int = 0, add: bool = False) -> AsyncCopyDescriptor:
    """Start a copy.

    Args:
      src_ref, dst_ref: references, or parts of them, `ref.at[index]`, of one shape and dtype.
      sem: a semaphore that counts copies.
      priority: for TPUs.
      add: whether it is added to what is there.
    Returns:
      An object with `wait()`.
    Raises:
      TypeError: shapes or dtypes differ.
    """
    copy = make_async_copy(src_ref, dst_ref, sem)
    copy.start(priority, add=add)
    return copy


def make_async_remote_copy(
    src_ref: Any, dst_ref: Any, send_sem: Any, recv_sem: Any, device_id: Any,
    device_id_type: DeviceIdType = DeviceIdType.MESH,
) -> AsyncCopyDescriptor:
    """Return a copy to another device that is not started yet; every device of the mesh makes one.

    Args:
      src_ref: a reference on this device, or a part of it.
      dst_ref: the reference on the device that it goes to.
      send_sem, recv_sem: semaphores that count what was sent from here, and what arrived here.
      device_id: the device, inside of `shard_map`: a number, coordinates in the mesh, or a dict of these by axis.
      device_id_type: whether a number is that of the device, or its coordinate along the only axis.
    Returns:
      An object with `start()`, `wait()`, `wait_send()` and `wait_recv()`.
    Raises:
      ValueError: no axis of devices is in scope.
    """
    return AsyncCopyDescriptor(src_ref, dst_ref, [recv_sem, send_sem], _number(device_id, device_id_type))


def async_remote_copy(
    src_ref: Any, dst_ref: Any, send_sem: Any, recv_sem: Any, device_id: Any,
    device_id_type: DeviceIdType = DeviceIdType.MESH,
) -> AsyncCopyDescriptor:
    """Start a copy to another device, as `make_async_remote_copy(...)` and `start()`.

    Args:
      src_ref, dst_ref, send_sem, recv_sem, device_id, device_id_type: as there.
    Returns:
      An object with `wait()`, `wait_send()` and `wait_recv()`.
    Raises:
      TypeError: shapes or dtypes differ.
      ValueError: no axis of devices is in scope.
    """
    copy = make_async_remote_copy(src_ref, dst_ref, send_sem, recv_sem, device_id, device_id_type)
    copy.start()
    return copy


def sync_copy(src_ref: Any, dst_ref: Any, *, add: bool = False) -> None:
    """Copy references, or trees of them.

    Args:
      src_ref, dst_ref: references, or parts of them, or trees of these, of one shape and dtype each.
      add: whether it is added to what is there.
    Raises:
      TypeError: shapes or dtypes differ.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out):
    ...     tpu.sync_copy(x.at[pl.ds(2, 2)], out)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))(jnp.arange(4.))
    Array([2., 3.], dtype=float32)
    """
    tree_map(lambda source, target: _copy(source, target, add, None), src_ref, dst_ref)
