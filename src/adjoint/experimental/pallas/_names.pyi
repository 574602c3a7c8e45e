# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.core import ShapedArray
from collections.abc import Callable
from collections.abc import Sequence
from enum import Enum
from typing import Any
def ANY(shape: Any, dtype: Any) -> Any: ...
class BlockSpec:
    """The block of an array that a kernel is given at a point of the grid.

    Args:
      block_shape: a length for each axis; None, or `squeezed`, is one element of an axis that the kernel does not see.
        Without it the block is the whole array.
      index_map: from the point of the grid to the number of the block along each axis; zeros without it.
      memory_space, pipeline_mode: ignored.

    >>> adjoint.experimental.pallas.BlockSpec((8, 128), lambda i: (i, 0)).block_shape
    (8, 128)
    """
    def __init__(self, block_shape: Any = None, index_map: Any = None, memory_space: Any = None, pipeline_mode: Any = None) -> None: ...
    block_shape: Sequence[Any] | None
    index_map: Callable[..., Any] | None
    memory_space: Any
    pipeline_mode: Buffered | None
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
class Buffered:
    """The number of buffers that a compiler for accelerators uses; ignored here.

    Args:
      buffer_count: how many.
      use_lookahead: whether blocks are fetched ahead.
      revisit: whether one may be used again.
    """
    def __init__(self, buffer_count: int, use_lookahead: bool = False, revisit: Any = None) -> None: ...
    buffer_count: int
    use_lookahead: bool
    revisit: Any
class CompilerParams:
    """Parameters of a compiler for accelerators: taken, and ignored.

    Args:
      args: ignored.
      kwargs: ignored.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
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
def HOST(shape: Any, dtype: Any) -> Any: ...
class MemoryRef:
    """Memory for a kernel to use: its type, and where it is.

    Args:
      inner_aval: the type of the array that it holds.
      memory_space: where it is.
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
class MemorySpace(Enum):
    """The memory in which a block is; the CPU has one.

    Called with a shape and a dtype it is memory for a kernel to use.

    Args:
      shape: of the memory.
      dtype: of its elements.
    Returns:
      A `MemoryRef`, for `scratch_shapes` and `run_scoped`.
    """
    ANY = 'any'
    HOST = 'host'
    ERROR = 'error'
    INDEX = 'index'
    KEY = 'key'
    VMEM = 'vmem'
    SMEM = 'smem'
    CMEM = 'cmem'
    HBM = 'hbm'
class Slice:
    """`size` elements from `start` on, in steps of `stride`.

    Args:
      start: the first position, an int or an integer scalar.
      size: how many elements, an int.
      stride: the step, an int.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.ds(2, 3)
    Slice(start=2, size=3, stride=1)
    """
    def __init__(self, start: Any, size: int, stride: int = 1) -> None: ...
    start: Any
    size: int
    stride: int
    @property
    def is_dynamic_start(self) -> bool:
        """Return whether the start is an array."""
    is_dynamic_size: Any
    def static(self) -> slice:
        """Return the slice of Python that means the same, if the start is known."""
class Squeezed:
    """A length of one, an axis that the kernel does not see. None says the same."""
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
def loop(lower: Any, upper: Any, *, step: Any = 1, unroll: int | bool | None = None) -> Callable[..., Any]:
    """Return a decorator that runs a function of a number for all numbers from `lower` to `upper`.

    Args:
      lower, upper: integers; the second is not reached.
      step: the distance of two numbers.
      unroll: how many iterations are compiled at a time, for known bounds.
    Returns:
      A decorator, which runs the function at once.
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
def pallas_call(kernel: Callable[..., None], out_shape: Any, *, grid_spec: GridSpec | None = None, grid: Any = (), in_specs: Any = ..., out_specs: Any = ..., scratch_shapes: Any = (), input_output_aliases: dict[int, int] | None = None, debug: bool = False, interpret: Any = False, name: str | None = None, compiler_params: Any = None, cost_estimate: Any = None, backend: Any = None, metadata: Any = None) -> Callable[..., Any]:
    """Return a function of arrays that runs a kernel at each point of a grid.

    Args:
      kernel: called with references to a block of each operand, of each result, and to each memory of its own; it
        returns nothing.
      out_shape: shapes and dtypes of the results, such as `ShapeDtypeStruct`s, or a tree of them.
      grid: the lengths of the axes of the grid, an int for one; the last one changes first. One point without it.
      in_specs, out_specs: a `BlockSpec` for each operand and result; whole arrays without them.
      scratch_shapes: memory that the kernel may use at all points, one after the other.
      input_output_aliases: from positions of operands to those of results that begin with their values.
      grid_spec: grid, specs and memory in one.
      name: of the function.
      debug, interpret, compiler_params, cost_estimate, backend, metadata: ignored; the kernel is compiled for the CPU.
    Returns:
      A function of as many arrays as the kernel has operands. It returns what `out_shape` says: an array, or a tree of
      them.
    Raises:
      ValueError: the kernel returns something or uses arrays that are not its operands, or the specs do not fit.

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
