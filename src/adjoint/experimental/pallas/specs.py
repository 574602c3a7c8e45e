"""Blocks of arrays, grids, and memory spaces: what the arguments of `pallas_call` are made of.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.types import ShapedArray

__all__ = [
    "ANY", "BlockSpec", "Blocked", "Buffered", "CompilerParams", "CostEstimate", "Element", "GridSpec", "HOST",
    "MemoryRef", "MemorySpace", "Squeezed", "no_block_spec", "squeezed",
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
    """A length of one, an axis that the kernel does not see. None says the same."""


squeezed = Squeezed()


@dataclass(frozen=True)
class Buffered:
    """The number of buffers that a compiler for accelerators uses; ignored here.

    Args:
      buffer_count: how many.
      use_lookahead: whether blocks are fetched ahead.
      revisit: whether one may be used again.
    """

    buffer_count: int
    use_lookahead: bool = False
    revisit: Any = None


class MemorySpace(enum.Enum):
    """The memory in which a block is; the CPU has one.

    Called with a shape and a dtype it is memory for a kernel to use.

    Args:
      shape: of the memory.
      dtype: of its elements.
    Returns:
      A `MemoryRef`, for `scratch_shapes` and `run_scoped`.
    """

    ANY = "any"
    HOST = "host"
    ERROR = "error"
    INDEX = "index"
    KEY = "key"
    VMEM = "vmem"
    SMEM = "smem"
    CMEM = "cmem"
    HBM = "hbm"

    def __call__(self, shape: Sequence[int], dtype: Any) -> MemoryRef:
        return MemoryRef(ShapedArray(tuple(shape), np.dtype(dtype)), self)


ANY, HOST = MemorySpace.ANY, MemorySpace.HOST


@dataclass(frozen=True)
class MemoryRef:
    """Memory for a kernel to use: its type, and where it is.

    Args:
      inner_aval: the type of the array that it holds.
      memory_space: where it is.
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


@dataclass
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

    block_shape: Sequence[Any] | None = None
    index_map: Callable[..., Any] | None = None
    memory_space: Any = None
    pipeline_mode: Buffered | None = None


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
    """Parameters of a compiler for accelerators: taken, and ignored.

    Args:
      args: ignored.
      kwargs: ignored.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        self.args, self.kwargs = args, kwargs
