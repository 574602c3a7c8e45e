# Written by stubs/generate.py; do not edit.
from adjoint.core import Trace
from adjoint.core import Tracer
from adjoint.extend.core import Primitive
from collections.abc import Callable
from typing import Any
from typing import NamedTuple
class AxisData(NamedTuple):
    """The axis that is being mapped over.

    Args:
      name: its name, if it has one.
      size: its length.
      spmd_name: the mesh axis over which it is divided, if any.
      explicit_mesh_axis: the same, of an explicit mesh.

    >>> from adjoint.interpreters import batching
    >>> batching.AxisData("i", 3).size
    3
    """
    name: Any
    size: int
    spmd_name: Any
    explicit_mesh_axis: Any
class BatchTrace(Trace):
    """Adds one axis to everything.

    Args:
      parent: the trace below.
      axis: the axis, its name and its length.

    >>> from adjoint.interpreters import batching
    >>> _ = vmap(lambda x: print(isinstance(x._trace, batching.BatchTrace)) or x)(jnp.ones(3))
    True
    """
    def __init__(self, parent: Any, axis: Any) -> None: ...
    maps: Any
    def tracer(self, val: Any, dim: Any) -> Any: ...
    def split(self, x: Any) -> Any: ...
    def process(self, p: Any, args: Any, params: Any) -> Any: ...
    def again(self, fun: Any, args: Any, dims: Any) -> list[Any]:
        """`batch_flat` in this trace, above what is current now: for functions that may close over values of it."""
    def end(self) -> None:
        """Say that its function has run. Rules that programs keep may hold it, but not what it stood on."""
    axis: Any
class BatchTracer(Tracer):
    """A value with a batch axis that the program being mapped does not see.

    Made by `vmap`, which calls functions with them.

    >>> _ = vmap(lambda x: print(x) or x)(jnp.ones(3))
    VmapTracer(aval=float32[], batched=float32[3])
    """
    def describe(self) -> str: ...
    def origin(self) -> str: ...
    dim: Any
    val: Any
axis_primitive_batchers: Any
def bdim_at_front(x: Any, bdim: int | None, size: int, mesh_axis: Any = None) -> Any:
    """Return `x` with its batch axis in front, repeated `size` times if it has none.

    Args:
      x: an array.
      bdim: the batch axis, or None.
      size: the length of the batch.
      mesh_axis: accepted for compatibility.
    Returns:
      An array of shape [size, ...].

    >>> bdim_at_front(jnp.zeros(3), None, 2).shape
    (2, 3)
    """
def broadcast(x: Any, sz: int, axis: int, mesh_axis: Any) -> Any:
    """Return `x` repeated `sz` times along a new axis.

    Args:
      x: an array.
      sz: the length of the axis.
      axis: its place in the result.
      mesh_axis: is not read.
    Returns:
      An array.

    >>> broadcast(jnp.zeros(3), 2, 0, None).shape
    (2, 3)
    """
def defbroadcasting(prim: Primitive) -> None:
    """Give a rule for batches to an element-wise primitive of operands whose shapes may differ by the batch axis.

    Args:
      prim: the primitive.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import batching
    >>> plus_p = Primitive("plus")
    >>> _ = plus_p.def_impl(lambda x, y: x + y)
    >>> _ = plus_p.def_abstract_eval(lambda x, y: x)
    >>> batching.defbroadcasting(plus_p)
    >>> vmap(plus_p.bind, (0, None))(jnp.arange(3.), 1.)
    Array([1., 2., 3.], dtype=float32)
    """
def defreducer(prim: Primitive) -> None:
    """Give a rule for batches to a primitive that reduces one operand over its parameter `axes`.

    Args:
      prim: the primitive.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import batching
    >>> total_p = Primitive("total")
    >>> _ = total_p.def_impl(lambda x, axes: jnp.sum(x, axes))
    >>> batching.defreducer(total_p)
    >>> vmap(lambda x: total_p.bind(x, axes=(0,)))(jnp.ones((2, 3)))
    Array([3., 3.], dtype=float32)
    """
def defvectorized(prim: Primitive) -> None:
    """Give a rule for batches to a primitive that ignores further axes.

    Args:
      prim: a primitive of one operand, or of operands with batch axes at one place.

    >>> from adjoint.extend.core import Primitive
    >>> from adjoint.interpreters import batching
    >>> cube_p = Primitive("cube")
    >>> _ = cube_p.def_impl(lambda x: x ** 3)
    >>> _ = cube_p.def_abstract_eval(lambda x: x)
    >>> batching.defvectorized(cube_p)
    >>> vmap(cube_p.bind)(jnp.arange(3.))
    Array([0., 1., 8.], dtype=float32)
    """
fancy_primitive_batchers: Any
def moveaxis(x: Any, src: int, dst: int) -> Any:
    """Return `x` with one axis at another place.

    Args:
      x: an array.
      src: the axis.
      dst: its new place.
    Returns:
      An array.

    >>> moveaxis(jnp.zeros((2, 3)), 0, 1).shape
    (3, 2)
    """
not_mapped: None
primitive_batchers: Any
def register_vmappable(data_type: type[Any], spec_type: type[Any], axis_size_type: type[Any], to_elt: Callable[..., Any], from_elt: Callable[..., Any], make_iota: Callable[..., Any] | None) -> None:
    """Let `vmap` take values of a type, and return them.

    Args:
      data_type: the type, which is no array; values of one that is a node of trees are taken as a whole.
      spec_type: of what `in_axes` and `out_axes` may hold for it, beside ints and None.
      axis_size_type: of what `axis_size` may be, beside an int.
      to_elt: ``(cont, get_index, value, spec) -> value in one call``; ``cont(x, spec)`` is that of what is inside, and
        ``get_index()`` the number of the call.
      from_elt: ``(cont, axis_size, value in one call, spec) -> value``, with ``cont(axis_size, x, spec)``.
      make_iota: makes the array of the numbers of all calls of a size that is no int.

    >>> from adjoint.interpreters import batching
    >>> class Box:
    ...     def __init__(self, x): self.x = x
    >>> open = lambda cont, index, box, spec: Box(cont(box.x, spec))
    >>> close = lambda cont, size, box, spec: Box(cont(size, box.x, spec))
    >>> batching.register_vmappable(Box, int, int, open, close, None)
    >>> vmap(lambda box: Box(2 * box.x), axis_size=3)(Box(jnp.arange(3))).x
    Array([0, 2, 4], dtype=int32)
    >>> batching.unregister_vmappable(Box)
    """
def unregister_vmappable(data_type: type[Any]) -> None:
    """Forget what `register_vmappable` was told of a type, if anything.

    Args:
      data_type: the type.

    >>> from adjoint.interpreters import batching
    >>> batching.unregister_vmappable(str)
    """
