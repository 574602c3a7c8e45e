"""Blocks of arrays, grids, and memory spaces: what the arguments of `pallas_call` are made of.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...core.types import ShapedArray
from ...core.values.refs import AbstractRef

__all__ = [
    "ANY", "BlockDim", "BlockSpec", "Blocked", "BoundedSlice", "Buffered", "CompilerParams", "CostEstimate",
    "DeviceMemory", "Element", "GridSpec", "HOST", "Indirect", "MemoryRef", "MemorySpace", "RevisitMode",
    "SemaphoreType", "Squeezed", "fresh_memory", "no_block_spec", "squeezed",
]


@dataclass(frozen=True)
class Blocked:
    """The length of blocks that are side by side: the index map gives the number of the block.

    Args:
      block_size: the length.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BlockSpec((pl.Blocked(8), 128), lambda i: (i, 0)).block_shape
    (Blocked(block_size=8), 128)
    """

    block_size: int


@dataclass(frozen=True)
class Element:
    """The length of blocks that may begin anywhere: the index map gives the first element.

    Args:
      block_size: the length.
      padding: how many elements are added before and after the array.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BlockSpec((pl.Element(8),), lambda i: (i * 3,)).block_shape
    (Element(block_size=8, padding=(0, 0)),)
    """

    block_size: int
    padding: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Squeezed:
    """A length of one, an axis that the kernel does not see. None says the same.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BlockSpec((pl.squeezed, 4), lambda i: (i, 0)).block_shape
    (Squeezed(), 4)
    """


squeezed = Squeezed()


@dataclass(frozen=True)
class BoundedSlice:
    """The greatest length of a slice that an index map gives; for pipelines on accelerators, not for `pallas_call`.

    Args:
      block_size: the length.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.BoundedSlice(8).block_size
    8
    """

    block_size: int

    def __repr__(self):
        return f"{type(self).__name__}({self.block_size})"


class Indirect(BoundedSlice):
    """A length of an axis whose elements an array of indices names; for accelerators, not for `pallas_call` here.

    Args:
      block_size: the length.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.Indirect(8).block_size
    8
    """


BlockDim = Element | Squeezed | Blocked | BoundedSlice | Indirect


class RevisitMode(enum.Enum):
    """A choice whether the block of a result may come again after others; here it always may.

    >>> from adjoint.experimental import pallas as pl
    >>> list(pl.RevisitMode)
    [<RevisitMode.IMMEDIATE: 'immediate'>, <RevisitMode.ANY: 'any'>]
    """

    IMMEDIATE = "immediate"
    ANY = "any"


@dataclass(frozen=True)
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

    buffer_count: int
    use_lookahead: bool = False
    revisit: RevisitMode | None = None


class _Memory(enum.Enum):
    """A memory, which gives the type of a part of it when it is called."""

    def __str__(self):
        return str(self.value)

    def __call__(self, shape: Sequence[int], dtype: Any) -> MemoryRef:
        """Return the type of memory for a kernel to use, for `scratch_shapes` and `run_scoped`.

        Args:
          shape: the shape.
          dtype: the dtype of its elements.
        """
        return MemoryRef(ShapedArray(tuple(shape), np.dtype(dtype)), self)


class MemorySpace(_Memory):
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

    ANY = "any"
    DEFAULT = "default"
    ERROR = "error"
    INDEX = "index"
    KEY = "key"
    HOST = "host"


class DeviceMemory(_Memory):
    """The memories of a TPU, which `pallas.tpu` calls `MemorySpace`; the CPU has one.

    Args:
      shape: called with a shape and a dtype, it is a `MemoryRef` for `scratch_shapes` and `run_scoped`.
      dtype: of the elements.
    Returns:
      A `MemoryRef`.
    """

    VMEM = "vmem"
    VMEM_SHARED = "vmem_shared"
    SMEM = "smem"
    CMEM = "cmem"
    SEMAPHORE = "semaphore_mem"
    HBM = "hbm"

    def __repr__(self):
        return self.name


ANY, HOST = MemorySpace.ANY, MemorySpace.HOST


@dataclass(frozen=True)
class MemoryRef:
    """Memory for a kernel to use: its type, and where it is.

    Args:
      inner_aval: the type of the array that it holds.
      memory_space: where it is.

    >>> from adjoint.experimental import pallas as pl
    >>> pl.MemoryRef(jax.typeof(jnp.ones(2))).inner_aval
    ShapedArray(float32[2])
    """

    inner_aval: ShapedArray
    memory_space: Any = ANY

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the array that it holds."""
        return self.inner_aval.shape

    @property
    def dtype(self) -> Any:
        """Return the dtype of the array that it holds."""
        return self.inner_aval.dtype

    def get_array_aval(self) -> ShapedArray:
        """Return the type of the array that it holds."""
        return self.inner_aval

    def get_ref_aval(self) -> AbstractRef:
        """Return the type of a reference to it."""
        return AbstractRef(self.inner_aval, self.memory_space)


class SemaphoreType(enum.Enum):
    """A kind of counter that kernels signal and wait for: an element of `scratch_shapes`.

    Called with a shape it is an array of counters.

    >>> from adjoint.experimental.pallas import tpu
    >>> tpu.SemaphoreType.DMA((2,)).shape
    (2,)
    """

    REGULAR = "regular"
    DMA = "dma"
    BARRIER = "barrier"

    def __call__(self, shape: Sequence[int] = ()) -> MemoryRef:
        """Return the type of an array of counters.

        Args:
          shape: the shape.
        """
        return MemoryRef(ShapedArray(tuple(shape), np.dtype(np.int32)), DeviceMemory.SEMAPHORE)


def fresh_memory(memory: Any, blank: Callable[[Sequence[int], Any], Any]) -> Any:
    """Return what memory for a kernel holds at first: no signals, or what `blank` makes of a shape and a dtype."""
    memory = memory() if isinstance(memory, SemaphoreType) else memory
    return np.zeros(memory.shape, memory.dtype) if memory.memory_space is DeviceMemory.SEMAPHORE else blank(
        memory.shape, memory.dtype
    )


@dataclass
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

    block_shape: Sequence[BlockDim | int | None] | None = None
    index_map: Callable[..., Any] | None = None
    memory_space: Any = field(default=None, kw_only=True)
    pipeline_mode: Buffered | None = None

    def replace(self, **changes: Any) -> BlockSpec:
        """Return a copy with some fields replaced.

        Args:
          changes: fields by name.
        """
        return replace(self, **changes)


class NoBlockSpec:
    """Says that no spec is given: blocks are whole arrays."""

    def __repr__(self):
        return "NoBlockSpec"


no_block_spec = NoBlockSpec()


@dataclass
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

    grid: Any = ()
    in_specs: Any = no_block_spec
    out_specs: Any = no_block_spec
    scratch_shapes: Any = ()

    num_scalar_prefetch = 0  # operands, the first ones, that index maps are given

    def __post_init__(self):
        self.grid = (self.grid,) if isinstance(self.grid, (int, np.integer)) else tuple(self.grid)


@dataclass(frozen=True)
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

    flops: int
    transcendentals: int
    bytes_accessed: int
    remote_bytes_transferred: int = 0


class CompilerParams:
    """Parameters of compilers for accelerators, as `pallas.tpu` and `pallas.triton` have them; they change nothing.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import triton
    >>> isinstance(triton.CompilerParams(num_warps=4), pl.CompilerParams)
    True
    """
