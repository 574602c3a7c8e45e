"""Kernels: functions that read and write blocks of arrays through references, run for each point of a grid.

`pallas_call` makes a function of arrays from a kernel: one compiled loop over the grid, on every engine. There is no
mode of interpretation: `interpret` and the parameters of compilers are taken and change nothing. `triton` has what
kernels for GPUs call, and `tpu` what those for TPUs call, as far as the CPU can run it.
"""

from __future__ import annotations

from ...core.messages.boundaries import public
from ...core.messages.errors import closest, no_attribute
from ...core.values.slices import Slice, ds
from .call import pallas_call
from .copies import DeviceIdType, semaphore_read, semaphore_signal, semaphore_wait
from .cores import core_map, kernel
from .cost import estimate_cost
from .grid import (
    align_to,
    broadcast_to,
    cdiv,
    debug_check,
    debug_print,
    delay,
    empty,
    empty_like,
    empty_ref_like,
    enable_debug_checks,
    enable_poison_buffers,
    loop,
    multiple_of,
    next_power_of_2,
    num_programs,
    program_id,
    reciprocal,
    run_scoped,
    run_state,
    strides_from_shape,
    when,
    with_scoped,
)
from .specs import (
    ANY,
    HOST,
    BlockDim,
    Blocked,
    BlockSpec,
    BoundedSlice,
    Buffered,
    CompilerParams,
    CostEstimate,
    Element,
    GridSpec,
    Indirect,
    MemoryRef,
    MemorySpace,
    RevisitMode,
    Squeezed,
    no_block_spec,
    squeezed,
)

dslice = ds

__all__ = [
    "ANY", "BlockDim", "BlockSpec", "Blocked", "BoundedSlice", "Buffered", "CompilerParams", "CostEstimate",
    "DeviceIdType", "Element", "GridSpec", "HOST", "Indirect", "MemoryRef", "MemorySpace", "RevisitMode", "Slice",
    "Squeezed", "align_to", "broadcast_to", "cdiv", "core_map", "debug_check", "debug_print", "delay", "ds", "dslice",
    "empty", "empty_like", "empty_ref_like", "enable_debug_checks", "enable_poison_buffers", "estimate_cost", "kernel",
    "loop", "multiple_of", "next_power_of_2", "no_block_spec", "num_programs", "pallas_call", "program_id",
    "reciprocal", "run_scoped", "run_state", "semaphore_read", "semaphore_signal", "semaphore_wait", "squeezed",
    "strides_from_shape", "when", "with_scoped",
]


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    if closest(name, __all__):
        raise no_attribute(__name__, name, __all__)
    raise AttributeError(
        f"pallas.{name} is of accelerators, which adjoint does not run kernels on.\n"
        "  Try: pallas_call, of a kernel that reads and writes its references", name=name,
    )


public(globals())
