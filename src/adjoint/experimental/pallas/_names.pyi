# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint import _Option
from adjoint.core import ShapedArray
from adjoint.ref import AbstractRef
from collections.abc import Callable
from collections.abc import Sequence
from enum import Enum
from typing import Any
from typing import TypeAlias
def ANY(shape: Any, dtype: Any) -> Any: ...
BlockDim: TypeAlias = Element | Squeezed | Blocked | BoundedSlice | Indirect
class BlockSpec:
    """The block of an array that a kernel is given at a point of the grid.

    Args:
      block_shape: a length for each axis; None, or `squeezed`, is one element of an axis that the kernel does not see.
        Without it the block is the whole array.
      index_map: from the point of the grid to the number of the block along each axis; zeros without it.
      pipeline_mode, memory_space: for accelerators; they change nothing here.

    >>> adjoint.experimental.pallas.BlockSpec((8, 128), lambda i: (i, 0)).block_shape
    (8, 128)
    """
    def __init__(self, block_shape: Any = None, index_map: Any = None, pipeline_mode: Any = None, *, memory_space: Any = None) -> None: ...
    block_shape: Sequence[Element | Squeezed | Blocked | BoundedSlice | Indirect | int | None] | None
    index_map: Callable[..., Any] | None
    memory_space: Any
    pipeline_mode: Buffered | None
    def replace(self, **changes: Any) -> BlockSpec:
        """Return a copy with some fields replaced.

        Args:
          changes: fields by name.
        """
class Blocked:
    """The length of blocks that are side by side: the index map gives the number of the block.

    Args:
      block_size: the length.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BlockSpec((pl.Blocked(8), 128), lambda i: (i, 0)).block_shape
    (Blocked(block_size=8), 128)
    """
    def __init__(self, block_size: int) -> None: ...
    block_size: int
class BoundedSlice:
    """The greatest length of a slice that an index map gives; for pipelines on accelerators, not for `pallas_call`.

    Args:
      block_size: the length.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BoundedSlice(8).block_size
    8
    """
    def __init__(self, block_size: int) -> None: ...
    block_size: int
class Buffered:
    """The number of buffers that a compiler for accelerators uses; ignored here.

    Args:
      buffer_count: how many.
      use_lookahead: whether blocks are fetched ahead.
      revisit: a `RevisitMode`, or None.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.Buffered(2).buffer_count
    2
    """
    def __init__(self, buffer_count: int, use_lookahead: bool = False, revisit: Any = None) -> None: ...
    buffer_count: int
    use_lookahead: bool
    revisit: RevisitMode | None
class CompilerParams:
    """Parameters of compilers for accelerators, as `pallas.tpu` and `pallas.triton` have them; they change nothing.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import triton
    >>> isinstance(triton.CompilerParams(num_warps=4), pl.CompilerParams)
    True
    """
    ...
class CostEstimate:
    """The work of a kernel, for compilers; ignored here.

    Args:
      flops: floating-point operations.
      transcendentals: calls of functions such as `exp`.
      bytes_accessed: bytes read and written.
      remote_bytes_transferred: bytes that go between devices.

    >>> adjoint.experimental.pallas.CostEstimate(flops=8, transcendentals=0, bytes_accessed=64).flops
    8
    """
    def __init__(self, flops: int, transcendentals: int, bytes_accessed: int, remote_bytes_transferred: int = 0) -> None: ...
    flops: int
    transcendentals: int
    bytes_accessed: int
    remote_bytes_transferred: int
class DeviceIdType(Enum):
    """The way a device is named: by its coordinates in the mesh, or by its number there.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.DeviceIdType.MESH
    <DeviceIdType.MESH: 'mesh'>
    """
    MESH = 'mesh'
    LOGICAL = 'logical'
class Element:
    """The length of blocks that may begin anywhere: the index map gives the first element.

    Args:
      block_size: the length.
      padding: how many elements are added before and after the array.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BlockSpec((pl.Element(8),), lambda i: (i * 3,)).block_shape
    (Element(block_size=8, padding=(0, 0)),)
    """
    def __init__(self, block_size: int, padding: tuple[int, int] = (0, 0)) -> None: ...
    block_size: int
    padding: tuple[int, int]
class GridSpec:
    """The grid, and the blocks of operands and results at its points.

    Args:
      grid: how many points each axis of the grid has.
      in_specs: a `BlockSpec` for each operand.
      out_specs: a `BlockSpec` for each result.
      scratch_shapes: memory for the kernel to use.

    >>> adjoint.experimental.pallas.GridSpec(grid=(4,)).grid
    (4,)
    """
    def __init__(self, grid: Any = (), in_specs: Any = ..., out_specs: Any = ..., scratch_shapes: Any = ()) -> None: ...
    grid: Any
    in_specs: Any
    out_specs: Any
    scratch_shapes: Any
    num_scalar_prefetch: Any
def HOST(shape: Any, dtype: Any) -> Any: ...
class Indirect(BoundedSlice):
    """A length of an axis whose elements an array of indices names; for accelerators, not for `pallas_call` here.

    Args:
      block_size: the length.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.Indirect(8).block_size
    8
    """
    ...
class MemoryRef:
    """Memory for a kernel to use: its type, and where it is.

    Args:
      inner_aval: the type of the array that it holds.
      memory_space: where it is.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.MemoryRef(jax.typeof(jnp.ones(2))).inner_aval
    ShapedArray(float32[2])
    """
    def __init__(self, inner_aval: Any, memory_space: Any = ...) -> None: ...
    inner_aval: ShapedArray
    memory_space: Any
    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the array that it holds."""
    @property
    def dtype(self) -> Any:
        """Return the dtype of the array that it holds."""
    def get_array_aval(self) -> ShapedArray:
        """Return the type of the array that it holds."""
    def get_ref_aval(self) -> AbstractRef:
        """Return the type of a reference to it."""
class MemorySpace(Enum):
    """The memory in which a block is, on any device; the CPU has one.

    Args:
      shape: called with a shape and a dtype, it is a `MemoryRef` for `scratch_shapes` and `run_scoped`.
      dtype: of the elements.
    Returns:
      A `MemoryRef`.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.MemorySpace.ANY((2, 3), jnp.float32)
    MemoryRef(inner_aval=ShapedArray(float32[2,3]), memory_space=<MemorySpace.ANY: 'any'>)
    """
    ANY = 'any'
    DEFAULT = 'default'
    ERROR = 'error'
    INDEX = 'index'
    KEY = 'key'
    HOST = 'host'
class RevisitMode(Enum):
    """A choice whether the block of a result may come again after others; here it always may.

    >>> from adjoint.experimental import pallas as pl
    >>> list(pl.RevisitMode)
    [<RevisitMode.IMMEDIATE: 'immediate'>, <RevisitMode.ANY: 'any'>]
    """
    IMMEDIATE = 'immediate'
    ANY = 'any'
class Slice:
    """`size` elements from `start` on, in steps of `stride`.

    Args:
      start: the first position, an int or an integer scalar.
      size: how many elements, an int; traced for blocks of pipelines alone.
      stride: the step, an int.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.ds(2, 3)
    Slice(start=2, size=3, stride=1)
    """
    def __init__(self, start: Any, size: Any, stride: int = 1) -> None: ...
    start: Any
    size: Any
    stride: int
    @property
    def is_dynamic_start(self) -> bool:
        """Return whether the start is an array."""
    @property
    def is_dynamic_size(self) -> bool:
        """Return whether the size is an array, as only the blocks of a pipeline may have it."""
    def checked(self) -> Slice:
        """Return the slice, whose size must be known.

        Raises:
          TypeError: it is an array.
        """
    def static(self) -> slice:
        """Return the slice of Python that means the same, if the start is known."""
class Squeezed:
    """A length of one, an axis that the kernel does not see. None says the same.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BlockSpec((pl.squeezed, 4), lambda i: (i, 0)).block_shape
    (Squeezed(), 4)
    """
    def __init__(self) -> None: ...
def align_to(a: Any, alignment: Any) -> Any:
    """Return the next multiple of a number.

    Args:
      a: an int, or a traced integer.
      alignment: the number.
    Returns:
      The least multiple that is not less than `a`.
    Raises:
      ZeroDivisionError: both are ints, and `alignment` is 0.

    >>> align_to(5, 4)
    8
    """
def broadcast_to(a: Any, shape: tuple[int, ...]) -> Array:
    """Return an array repeated along new axes, as `jnp.broadcast_to`.

    Args:
      a: an array or a scalar.
      shape: the shape to repeat it to.
    Returns:
      An array of that shape.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.broadcast_to(jnp.arange(2), (2, 2))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
def cdiv(a: Any, b: Any) -> Any:
    """Return `a / b`, rounded up.

    Args:
      a, b: ints, or traced integers.
    Returns:
      An integer.
    Raises:
      ZeroDivisionError: both are ints, and `b` is 0.

    >>> cdiv(7, 2)
    4
    """
def core_map(mesh: Any, *, compiler_params: Any = None, interpret: Any = False, debug: bool = False, cost_estimate: Any = None, name: str | None = None, metadata: dict[str, str] | None = None, scratch_shapes: Any = ()) -> Callable[[Callable[..., Any]], None]:
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
def debug_check(condition: Any, message: str) -> None:
    """Check a condition under `checkify`, in kernels that are made under `enable_debug_checks`.

    Args:
      condition: a bool, or a traced scalar.
      message: what the error says.

    >>> from adjoint.experimental import checkify, pallas as pl
    >>> def kernel(x, out):
    ...     pl.debug_check(x[0] > 0, "not positive")
    ...     out[...] = x[...]
    >>> same = pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))
    >>> with pl.enable_debug_checks(True):
    ...     error, _ = checkify.checkify(same)(jnp.zeros(2))
    >>> error.get()
    'not positive (`check` failed)'
    """
def debug_print(fmt: str, *args: Any) -> None:
    """Print values while the kernel runs.

    Args:
      fmt: a format as `str.format` takes it.
      *args: what it refers to.
    Returns:
      None.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(x, out):
    ...     pl.debug_print("x[0] = {}", x[0])
    ...     out[...] = x[...]
    >>> _ = pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((1,), jnp.float32))(jnp.ones(1))
    x[0] = 1.0
    """
def delay(nanos: Any) -> None:
    """Wait.

    Args:
      nanos: how long, in nanoseconds: an int, or a traced integer.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.delay(1000)
    """
from adjoint import ds as ds
from adjoint import ds as _dslice
dslice = _dslice
def empty(shape: Sequence[int], dtype: Any, *, out_sharding: Any = None) -> Array:
    """Return an array that is not written yet.

    Args:
      shape: the shape.
      dtype: the dtype.
      out_sharding: how it is divided over devices.
    Returns:
      An array of that shape and dtype; NaN, or the least number of integers, shows what was read too early.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.empty((2,), jnp.float32)
    Array([nan, nan], dtype=float32)
    """
def empty_like(x: Any) -> Any:
    """Return an array of the shape and dtype of another, not written yet.

    Args:
      x: an array.
    Returns:
      An array of its shape and dtype, filled as by `empty`.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.empty_like(jnp.ones(2, int))
    Array([-2147483648, -2147483648], dtype=int32)
    """
def empty_ref_like(x: Any) -> Any:
    """Return a reference to an array that is not written yet.

    Args:
      x: what has a shape and a dtype, such as a `ShapeDtypeStruct` or `pltpu.VMEM((8,), jnp.float32)`.
    Returns:
      A reference to an array of that shape and dtype, filled as by `empty`.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.empty_ref_like(ad.ShapeDtypeStruct((2,), jnp.float32)).shape
    (2,)
    """
enable_debug_checks: _Option
"""Let `pallas.debug_check` check, under `checkify`.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_pallas_enable_debug_checks', ...)` sets the option for the process.

>>> with pallas_enable_debug_checks(True):
...     config.jax_pallas_enable_debug_checks
True
"""
enable_poison_buffers: _Option
"""Accepted, without effect here: It is about kernels of GPUs and TPUs that are not written here.

Args:
  new_val: True or False; True if it is left out, and another value counts by its truth.
Returns:
  A context manager: the option has the value inside of the block, in this thread. It is a
  decorator of functions, too; `config.update('jax_pallas_poison_buffers', ...)` sets the option for the process.

>>> with pallas_poison_buffers(True):
...     config.jax_pallas_poison_buffers
True
"""
def estimate_cost(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> CostEstimate:
    """Return an estimate of the operations and bytes of a function, from its jaxpr.

    Products, arithmetic and powers by integers count as operations, elementary functions as transcendentals, and
    operands and results as bytes; what is not known, such as the bodies of loops, counts nothing.

    Args:
      fun: a function of arrays.
      *args, **kwargs: its arguments, arrays or `ShapeDtypeStruct`s.
    Returns:
      A `CostEstimate`.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.estimate_cost(lambda x: jnp.sin(x) @ x, ad.ShapeDtypeStruct((4, 4), "float32"))
    CostEstimate(flops=128, transcendentals=16, bytes_accessed=128, remote_bytes_transferred=0)
    """
def kernel(body: Callable[..., Any] | None = None, out_type: Any = (), *, mesh: Any, scratch_types: Any = (), compiler_params: Any = None, interpret: Any = False, cost_estimate: Any = None, debug: bool = False, name: str | None = None, metadata: dict[str, str] | None = None) -> Callable[..., Any]:
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
def loop(lower: Any, upper: Any, *, init_carry: Any = None, step: Any = 1, unroll: int | bool | None = None) -> Callable[..., Any]:
    """Return a decorator that runs a function of a number for all numbers from `lower` to `upper`.

    Args:
      lower, upper: integers; the second is not reached.
      init_carry: what the first iteration is given beside the number, an array or a tree of them; each iteration
        returns what the next one is given. Without it the function has one argument and returns nothing.
      step: the distance of two numbers.
      unroll: how many iterations are compiled at a time, for known bounds.
    Returns:
      A decorator, which runs the function at once, and returns what the last iteration returned.
    Raises:
      ZeroDivisionError: the bounds are ints, and `step` is 0.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(out):
    ...     @pl.loop(0, 3)
    ...     def _(i):
    ...         out[i] = i * 2
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.int32))()
    Array([0, 2, 4], dtype=int32)
    """
def multiple_of(x: Any, values: Any) -> Any:
    """Return the operand; that it is a multiple of something is a promise to other compilers.

    Args:
      x: an integer, or an array of them.
      values: of what it is a multiple.
    Returns:
      `x`.

    >>> multiple_of(8, 4)
    8
    """
def next_power_of_2(x: int) -> int:
    """Return the least power of two that is not less.

    Args:
      x: an int, not negative.
    Returns:
      An int.
    Raises:
      ValueError: `x` is negative.

    >>> next_power_of_2(5)
    8
    """
no_block_spec: Any
def num_programs(axis: int) -> int:
    """Return the length of an axis of the grid.

    Args:
      axis: the number of the axis.
    Returns:
      An int.
    Raises:
      ValueError: the grid has no such axis, or there is none because no kernel runs.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(out):
    ...     out[0] = pl.num_programs(0)
    >>> one = pl.BlockSpec((1,), lambda i: i)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.int32), grid=3, out_specs=one)()
    Array([3, 3, 3], dtype=int32)
    """
def pallas_call(kernel: Callable[..., None], out_shape: Any, *, grid_spec: GridSpec | None = None, grid: Any = (), in_specs: Any = ..., out_specs: Any = ..., scratch_shapes: Any = (), input_output_aliases: dict[int, int] | None = None, debug: bool = False, interpret: Any = False, name: str | None = None, compiler_params: Any = None, cost_estimate: Any = None, metadata: Any = None) -> Callable[..., Any]:
    """Return a function of arrays that runs a kernel at each point of a grid.

    Args:
      kernel: called with references to a block of each operand, of each result, and to each memory of its own; it
        returns nothing.
      out_shape: shapes and dtypes of the results, such as `ShapeDtypeStruct`s, or a tree of them.
      grid: the lengths of the axes of the grid, an int for one; the last one changes first. One point without it.
      in_specs, out_specs: a `BlockSpec` for each operand and result; whole arrays without them.
      scratch_shapes: memory that the kernel may use at all points, one after the other.
      input_output_aliases: from positions of operands to those of results that begin with their values.
      grid_spec: grid, specs and memory in one; `pltpu.PrefetchScalarGridSpec`, if operands decide where blocks are.
      name: of the function.
      interpret: with `pltpu.InterpretParams(uninitialized_memory="zero")` memory begins as zeros, not as NaN.
      debug, compiler_params, cost_estimate, metadata: for accelerators; the kernel is compiled for the CPU.
    Returns:
      A function of as many arrays as the kernel has operands. It returns what `out_shape` says: an array, or a tree of
      them.
    Raises:
      ValueError: the kernel returns something or uses arrays that are not its operands, or the specs do not fit, or
        `grid_spec` is given beside what it holds.

    >>> def add(x, y, out):
    ...     out[...] = x[...] + y[...]
    >>> pallas_call(add, out_shape=typeof(jnp.ones(2)))(jnp.ones(2), jnp.arange(2.))
    Array([1., 2.], dtype=float32)
    """
def program_id(axis: int) -> Array:
    """Return the number of the point along an axis of the grid, in a kernel.

    Args:
      axis: the number of the axis.
    Returns:
      An int32 scalar, from 0 on.
    Raises:
      ValueError: the grid has no such axis, or there is none because no kernel runs.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(out):
    ...     out[0] = pl.program_id(0)
    >>> one = pl.BlockSpec((1,), lambda i: i)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((3,), jnp.int32), grid=3, out_specs=one)()
    Array([0, 1, 2], dtype=int32)
    """
def reciprocal(x: Any, *, approx: bool = False, full_range: bool = True) -> Array:
    """Return `1 / x`.

    Args:
      x: array or scalar of floats.
      approx, full_range: for accelerators; they change nothing here.
    Returns:
      An array of the shape and dtype of `x`.

    >>> reciprocal(jnp.array([2.0, 4.0]))
    Array([0.5 , 0.25], dtype=float32)
    """
def run_scoped(f: Callable[..., Any], *types: MemoryRef, collective_axes: Any = (), **kw_types: MemoryRef) -> Any:
    """Call a function with memory of its own, of the types that are given.

    Args:
      f: a function of references.
      *types, **kw_types: the memory for each of its arguments, such as `pltpu.VMEM((8,), jnp.float32)`.
      collective_axes: for accelerators.
    Returns:
      What the function returns.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out):
    ...     def body(space):
    ...         space[...] = x[...] * 2
    ...         out[...] = space[...] + 1
    ...     pl.run_scoped(body, tpu.VMEM((2,), jnp.float32))
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([3., 3.], dtype=float32)
    """
def run_state(f: Callable[[Any], None]) -> Callable[[Any], Any]:
    """Return a function of arrays that gives what a function of references to them leaves there.

    Args:
      f: a function of a reference, or of a tree of them, which returns nothing.
    Returns:
      A function of an array, or of a tree of them, that returns the same.

    >>> from adjoint.experimental import pallas as pl
    >>> def add(refs):
    ...     x, y = refs
    ...     y[...] = x[...] + y[...]
    >>> pl.run_state(add)((jnp.arange(2.), jnp.ones(2)))
    (Array([0., 1.], dtype=float32), Array([1., 2.], dtype=float32))
    """
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
def semaphore_signal(sem_or_view: Any, inc: Any = 1, *, device_id: Any = None, device_id_type: DeviceIdType = ..., core_index: Any = None) -> None:
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
squeezed: Squeezed
def strides_from_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the distances of neighbours along each axis, in elements.

    Args:
      shape: the lengths of the axes.
    Returns:
      A tuple of ints; the last one is 1.

    >>> strides_from_shape((2, 3, 4))
    (12, 4, 1)
    """
def when(condition: Any, /) -> Callable[[Callable[[], None]], None]:
    """Return a decorator that runs a function without arguments if a condition holds.

    Args:
      condition: a bool, or a traced scalar.
    Returns:
      A decorator, which runs the function at once, or puts it into the program.

    >>> from adjoint.experimental import pallas as pl
    >>> def kernel(x, out):
    ...     out[...] = x[...]
    ...     @pl.when(x[0] > 0)
    ...     def _():
    ...         out[0] = 9.0
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([9., 1.], dtype=float32)
    """
def with_scoped(*types: MemoryRef, collective_axes: Any = (), **kw_types: MemoryRef) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that gives a function memory of its own, after its other arguments.

    Args:
      *types, **kw_types: the memory for each of its last arguments, such as `pltpu.VMEM((8,), jnp.float32)`.
      collective_axes: for accelerators.
    Returns:
      A decorator of functions of references.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out):
    ...     @pl.with_scoped(tpu.VMEM((2,), jnp.float32))
    ...     def double(to, space):
    ...         space[...] = x[...] * 2
    ...         to[...] = space[...]
    ...     double(out)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((2,), jnp.float32))(jnp.ones(2))
    Array([2., 2.], dtype=float32)
    """
