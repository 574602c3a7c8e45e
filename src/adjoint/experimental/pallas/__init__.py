"""Kernels: functions that read and write blocks of arrays through references, run for each point of a grid.

`pallas_call` makes a function of arrays from a kernel: one compiled loop over the grid, on every engine. There is no
mode of interpretation: `interpret` and the parameters of compilers are taken and change nothing. `triton` has what
kernels for GPUs call; of `tpu` there are the memory spaces.
"""

from __future__ import annotations

from ...core.messages.boundaries import public
from ...core.values.slices import Slice, ds
from .call import pallas_call
from .grid import (
    align_to,
    cdiv,
    debug_print,
    empty,
    empty_like,
    loop,
    multiple_of,
    next_power_of_2,
    num_programs,
    program_id,
    reciprocal,
    run_scoped,
    strides_from_shape,
    when,
)
from .specs import (
    ANY,
    HOST,
    Blocked,
    BlockSpec,
    Buffered,
    CompilerParams,
    CostEstimate,
    Element,
    GridSpec,
    MemoryRef,
    MemorySpace,
    Squeezed,
    no_block_spec,
    squeezed,
)

dslice = ds

__all__ = [
    "ANY", "BlockSpec", "Blocked", "Buffered", "CompilerParams", "CostEstimate", "Element", "GridSpec", "HOST",
    "MemoryRef", "MemorySpace", "Slice", "Squeezed", "align_to", "cdiv", "debug_print", "ds", "dslice", "empty",
    "empty_like", "loop", "multiple_of", "next_power_of_2", "no_block_spec", "num_programs", "pallas_call",
    "program_id", "reciprocal", "run_scoped", "squeezed", "strides_from_shape", "when",
]

public(globals())
