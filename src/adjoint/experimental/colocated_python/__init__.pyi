# Written by stubs/generate.py; do not edit.
from adjoint.sharding import Mesh
from collections.abc import Callable
from collections.abc import Sequence
from typing import Any
def colocated_cpu_devices(devices_or_mesh: Sequence[Any] | Mesh) -> Any:
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
def colocated_python(fun: Callable[..., Any]) -> Callable[..., Any]:
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
