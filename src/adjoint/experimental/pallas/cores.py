"""Kernels over the cores of a device, which run one after the other here.

Tests: `tests/experimental/test_pallas_memory.py`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ...core.atoms import Literal
from ...core.jaxpr import ClosedJaxpr, Jaxpr
from ...core.messages.errors import message
from ...core.trace import eval_jaxpr
from ...core.tree.tree import tree_flatten, tree_map, tree_unflatten
from ...lax.flow.collectives import axis_index as index_along
from ...numpy.conversion import asarray
from ...prims.collective import axis_index
from ...prims.conversion import copy
from ...prims.references import new_ref
from ...transforms.flat import function_name
from ...transforms.jit.jit import jit
from ...transforms.jit.staging import make_jaxpr
from .call import refs_after, result_types
from .grid import blank, per_device, when
from .specs import fresh_memory

__all__ = ["TensorCoreMesh", "core_map", "create_tensorcore_mesh", "kernel", "run_on_first_core"]


@dataclass(frozen=True)
class TensorCore:
    """A core of a TPU, for which the CPU stands.

    Args:
      id: its number.
    """

    id: int


@dataclass(frozen=True, eq=False)
class TensorCoreMesh:
    """Cores along a named axis, over which `kernel` and `core_map` run a function.

    Args:
      devices: the cores.
      axis_names: the name of the axis, in a tuple.
    """

    devices: np.ndarray
    axis_names: Sequence[str]

    @property
    def shape(self) -> OrderedDict[str, int]:
        """Return how many cores there are along each axis, by its name."""
        return OrderedDict(zip(self.axis_names, self.devices.shape))


def create_tensorcore_mesh(
    axis_name: str, devices: Sequence[Any] | None = None, num_cores: int | None = None
) -> TensorCoreMesh:
    """Return a mesh of the cores of a device.

    Args:
      axis_name: the name of its axis, for `lax.axis_index`.
      devices: not read; the CPU stands for the device.
      num_cores: how many cores; default, one.

    >>> from adjoint.experimental.pallas import tpu
    >>> tpu.create_tensorcore_mesh("core", num_cores=2).shape
    OrderedDict([('core', 2)])
    """
    cores = np.array([TensorCore(i) for i in range(1 if num_cores is None else num_cores)], object)
    return TensorCoreMesh(cores, (axis_name,))


def _at_core(jaxpr: Jaxpr, core: dict[Any, int]) -> Jaxpr:
    """Return a program with the numbers of a core in place of `axis_index`."""
    def inner(value):
        if isinstance(value, Jaxpr):
            return _at_core(value, core)
        if isinstance(value, ClosedJaxpr):
            return value.map_jaxpr(lambda jaxpr: _at_core(jaxpr, core))
        return tuple([inner(v) for v in value]) if isinstance(value, tuple) else value

    eqns = []
    for eqn in jaxpr.eqns:
        if eqn.primitive is axis_index and eqn.params["axis_name"] in core:
            number = Literal(np.int32(core[eqn.params["axis_name"]]), eqn.outvars[0].aval)
            eqns.append(eqn.replace(primitive=copy, invars=[number], params={}))
        else:
            eqns.append(eqn.replace(params={name: inner(value) for name, value in eqn.params.items()}))
    return jaxpr.replace(eqns=eqns)


def _on_cores(mesh: Any, f: Callable[[], None]) -> None:
    """Run a function that closes over references on all cores of a mesh, one after the other."""
    names, lengths = tuple(mesh.shape), tuple(mesh.shape.values())
    closed = make_jaxpr(f, axis_env=tuple(zip(names, lengths)))()
    for numbers in product(*map(range, lengths)):
        eval_jaxpr(_at_core(closed.jaxpr, dict(zip(names, numbers))), closed.consts)


def core_map(
    mesh: Any, *, compiler_params: Any = None, interpret: Any = False, debug: bool = False, cost_estimate: Any = None,
    name: str | None = None, metadata: dict[str, str] | None = None, scratch_shapes: Any = (),
) -> Callable[[Callable], None]:
    """Return a decorator that runs a function on all cores of a mesh, one after the other.

    Args:
      mesh: the cores, such as `pltpu.create_tensorcore_mesh("core")`.
      scratch_shapes: memory for the function, its arguments.
      compiler_params, interpret, debug, cost_estimate, name, metadata: for accelerators; they change nothing here.
    Returns:
      A decorator, which runs the function at once. It reads and writes references that it closes over.
    Raises:
      ValueError: the function returns something.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def double(ref):
    ...     @pl.core_map(tpu.create_tensorcore_mesh("core", num_cores=2))
    ...     def _():
    ...         ref[ad.lax.axis_index("core")] *= 2.
    >>> pl.run_state(double)(jnp.arange(4.))
    Array([0., 2., 2., 3.], dtype=float32)
    """

    def run(f: Callable) -> None:
        memory = tree_map(lambda m: new_ref(per_device(fresh_memory(m, blank))), scratch_shapes)
        named = isinstance(memory, dict)

        def body():
            returned = f(**memory) if named else f(*memory)
            if returned is not None:
                raise ValueError(message(
                    f"The function of core_map {function_name(f)} should return None, got {returned!r}.",
                    fix="ref[...] = value, for a reference that it closes over",
                ))

        _on_cores(mesh, body)

    return run


def kernel(
    body: Callable | None = None, out_type: Any = (), *, mesh: Any, scratch_types: Any = (),
    compiler_params: Any = None, interpret: Any = False, cost_estimate: Any = None, debug: bool = False,
    name: str | None = None, metadata: dict[str, str] | None = None,
) -> Callable:
    """Return a function of arrays that runs a kernel on all cores of a mesh, one after the other.

    Args:
      body: called with references to the operands, the results and to memory of its own; it returns nothing. Without
        it, a decorator is returned.
      out_type: shapes and dtypes of the results, such as `ShapeDtypeStruct`s, or a tree of them.
      mesh: the cores, such as `pltpu.create_tensorcore_mesh("core")`.
      scratch_types: memory that the kernel may use, in a sequence, or a dict by the name of its argument.
      name: of the function.
      compiler_params, interpret, cost_estimate, debug, metadata: for accelerators; they change nothing here.
    Returns:
      A function of as many arrays as the kernel has operands.
    Raises:
      ValueError: the kernel returns something, or uses arrays that are not its operands.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> @pl.kernel(out_type=ad.ShapeDtypeStruct((2,), jnp.int32), mesh=tpu.create_tensorcore_mesh("core", num_cores=2))
    ... def numbers(out):
    ...     core = ad.lax.axis_index("core")
    ...     out[core] = core + 1
    >>> numbers()
    Array([1, 2], dtype=int32)
    """
    if body is None:
        return lambda f: kernel(f, out_type, mesh=mesh, scratch_types=scratch_types, name=name)
    out_types, out_tree = result_types(out_type)
    memories, memory_tree = tree_flatten(scratch_types)

    def call(*args):
        def on_cores(*refs, **memory):
            returned = []
            _on_cores(mesh, lambda: returned.append(body(*refs, **memory)))
            return returned[0]

        on_cores.__name__ = function_name(body)
        operands, in_tree = tree_flatten(args)
        refs = tree_unflatten(in_tree, [new_ref(per_device(asarray(x))) for x in operands])
        begun = [per_device(blank(shape, dtype)) for shape, dtype in out_types]
        own = [per_device(fresh_memory(m, blank)) for m in memories]
        written, _ = refs_after(on_cores, "mpmd_map", refs, (out_tree, begun), (memory_tree, own))
        return tree_unflatten(out_tree, written)

    call.__name__ = call.__qualname__ = name or function_name(body)
    return jit(call)


def run_on_first_core(core_axis_name: str) -> Callable[[Callable[[], None]], None]:
    """Return a decorator that runs a function without arguments on the first core.

    Args:
      core_axis_name: the name of the axis of cores.
    Returns:
      A decorator, which puts the function into the program.
    """
    return when(index_along(core_axis_name) == 0)
