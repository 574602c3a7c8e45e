"""Functions that users call: functions and classes that run beside arrays, and the devices of hosts.

Tests: `tests/experimental/test_colocated_python.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Signature, signature

import numpy as np

from ...core.messages.boundaries import public
from ...core.messages.errors import message
from ...parallel.devices import local_devices
from ...sharding.mesh import Mesh
from .func import make_callable
from .obj import wrap_class

__all__ = ["colocated_cpu_devices", "colocated_python", "colocated_python_class"]


def colocated_cpu_devices(devices_or_mesh: Sequence | Mesh):
    """Return the CPU devices of the hosts of some devices, in their order; of a mesh, a mesh of them.

    Args:
      devices_or_mesh: a sequence of devices, or a mesh.
    Returns:
      A list of devices, or a mesh.
    Raises:
      ValueError: a host has fewer CPU devices than that.

    >>> from adjoint.experimental import colocated_python
    >>> [d.platform for d in colocated_python.colocated_cpu_devices(devices()[:1])]
    ['cpu']
    """
    if isinstance(devices_or_mesh, Mesh):
        mesh = devices_or_mesh
        found = np.empty(mesh.devices.shape, object)
        found.flat[:] = colocated_cpu_devices(list(mesh.devices.flat))
        return Mesh(found, mesh.axis_names, axis_types=mesh.axis_types)
    devices = tuple(devices_or_mesh)
    if all([d.platform == "cpu" for d in devices]):
        return list(devices)
    cpus = local_devices(backend="cpu")
    if len(cpus) < len(devices):
        raise ValueError(message(
            f"The host has {len(cpus)} CPU devices for {len(devices)} devices.",
            fix=f'jax.config.update("jax_num_cpu_devices", {len(devices)}) before the first operation',
        ))
    return list(cpus[: len(devices)])


def _signature(fun: Callable) -> Signature | None:
    try:
        return signature(fun)
    except (TypeError, ValueError):
        return None


def colocated_python(fun: Callable) -> Callable:
    """Return a function that calls `fun` on the hosts of its arguments' devices.

    Arguments and results are trees of arrays. `specialize(in_specs, out_specs_fn, devices)` of the result gives one
    for certain devices, which functions without arguments need.

    Args:
      fun: a function of trees of arrays, which runs in Python.
    Returns:
      A function of the same arguments and results.

    >>> from adjoint.experimental.colocated_python import colocated_python
    >>> f = colocated_python(lambda x: x + 1)
    >>> f(jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """
    return make_callable(fun, None, _signature(fun))


def colocated_python_class(cls: type[object]) -> type[object]:
    """Return a class whose objects live where the arguments of their methods are.

    The object is made when a method is first called; its methods are colocated functions.

    Args:
      cls: the class.
    Returns:
      A class of the same name and methods.

    >>> from adjoint.experimental.colocated_python import colocated_python_class
    >>> @colocated_python_class
    ... class Counter:
    ...     def __init__(self): self.n = 0
    ...     def add(self, x):
    ...         self.n += 1
    ...         return x + self.n
    >>> counter = Counter()
    >>> counter.add(jnp.zeros(1)), counter.add(jnp.zeros(1))
    (Array([1.], dtype=float32), Array([2.], dtype=float32))
    """
    return wrap_class(cls, None)


public(globals())
