"""Names that kernels for TPUs call, as far as the CPU can run them: memories, copies, operands that place blocks.

Tests: `tests/experimental/test_pallas_memory.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NoReturn

import numpy as np

from ...core.messages.boundaries import public, scope
from ...core.messages.errors import closest, message, no_attribute
from ...core.types import Array
from ...core.values.views import bits_by_rows
from ...numpy.indexing import take_along_axis
from ...numpy.shapes import transpose
from ...prims.shape import iota
from . import specs
from .copies import (
    async_copy,
    async_remote_copy,
    make_async_copy,
    make_async_remote_copy,
    sync_copy,
)
from .cores import TensorCoreMesh, create_tensorcore_mesh, run_on_first_core
from .pipeline import Tiling, emit_pipeline, emit_pipeline_with_allocations
from .specs import DeviceMemory as MemorySpace
from .specs import GridSpec, SemaphoreType
from .specs import MemorySpace as _AnyMemory
from .triton import store

__all__ = [
    "ANY", "ARBITRARY", "CMEM", "CORE_PARALLEL", "CompilerParams", "GridDimensionSemantics", "HBM", "InterpretParams",
    "MemorySpace", "PARALLEL", "PrefetchScalarGridSpec", "SEMAPHORE", "SMEM", "SUBCORE_PARALLEL", "SemaphoreType",
    "SideEffectType", "TensorCoreMesh", "Tiling", "VMEM", "VMEM_SHARED", "async_copy", "async_remote_copy", "bitcast",
    "core_barrier", "create_tensorcore_mesh", "einshape", "emit_pipeline", "emit_pipeline_with_allocations",
    "force_tpu_interpret_mode", "get_tpu_info", "is_tpu_device",
    "load", "make_async_copy", "make_async_remote_copy", "reset_tpu_interpret_mode_state", "roll", "run_on_first_core",
    "set_tpu_interpret_mode", "store", "sync_copy", "touch", "trace_value", "with_memory_space_constraint",
]

ANY = _AnyMemory.ANY
VMEM, SMEM, CMEM, HBM = MemorySpace.VMEM, MemorySpace.SMEM, MemorySpace.CMEM, MemorySpace.HBM
VMEM_SHARED, SEMAPHORE = MemorySpace.VMEM_SHARED, MemorySpace.SEMAPHORE


class GridDimensionSemantics(enum.Enum):
    """A choice whether points along an axis of the grid may run in any order; here they run one after the other."""

    PARALLEL = "parallel"
    CORE_PARALLEL = "core_parallel"
    SUBCORE_PARALLEL = "subcore_parallel"
    ARBITRARY = "arbitrary"


PARALLEL, ARBITRARY = GridDimensionSemantics.PARALLEL, GridDimensionSemantics.ARBITRARY
CORE_PARALLEL, SUBCORE_PARALLEL = GridDimensionSemantics.CORE_PARALLEL, GridDimensionSemantics.SUBCORE_PARALLEL


class SideEffectType(enum.Enum):
    """A choice whether a kernel must run if its results are not read."""

    PURE = "pure"
    DATAFLOW_SIDE_EFFECTING = "dataflow_side_effecting"
    SIDE_EFFECTING = "side_effecting"


@dataclass
class PrefetchScalarGridSpec(GridSpec):
    """A grid whose index maps are also given the first operands, to decide where the blocks of the others are.

    Args:
      num_scalar_prefetch: how many of the operands; `in_specs` has none for them.
      grid: how many points each axis of the grid has.
      in_specs, out_specs: a `BlockSpec` for each other operand, and for each result. An index map is called with the
        point of the grid and with references to the first operands.
      scratch_shapes: memory for the kernel to use.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def copy(order, x, out):
    ...     out[...] = x[...]
    >>> spec = tpu.PrefetchScalarGridSpec(
    ...     num_scalar_prefetch=1, grid=(2,), in_specs=[pl.BlockSpec((2,), lambda i, order: (order[i],))],
    ...     out_specs=pl.BlockSpec((2,), lambda i, order: (i,)))
    >>> out = ad.ShapeDtypeStruct((4,), jnp.float32)
    >>> pl.pallas_call(copy, out_shape=out, grid_spec=spec)(jnp.array([1, 0]), jnp.arange(4.))
    Array([2., 3., 0., 1.], dtype=float32)
    """

    num_scalar_prefetch: int = 0

    def __init__(self, num_scalar_prefetch: int, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.num_scalar_prefetch = num_scalar_prefetch


@dataclass(frozen=True)
class CompilerParams(specs.CompilerParams):
    """Parameters of the compiler for TPUs; they change nothing here.

    Args:
      dimension_semantics: for each axis of the grid, "parallel" or "arbitrary".
      allow_input_fusion: for each operand, whether what makes it may become part of the kernel.
      vmem_limit_bytes: how much memory the kernel may use.
      collective_id: the number of a barrier that kernels share.
      has_side_effects: whether it must run if its results are not read; also a `SideEffectType`.
      flags, internal_scratch_in_bytes, serialization_format, disable_bounds_checks, disable_semaphore_checks,
        skip_device_barrier, allow_collective_id_without_custom_barrier, shape_invariant_numerics,
        use_tc_tiling_on_sc, needs_layout_passes, fuse_transposed_lhs_in_matmul: for TPUs.
    """

    dimension_semantics: Sequence[Any] | None = None
    allow_input_fusion: Sequence[bool] | None = None
    vmem_limit_bytes: int | None = None
    collective_id: int | None = None
    has_side_effects: bool | SideEffectType = False
    flags: Mapping[str, Any] | None = None
    internal_scratch_in_bytes: int | None = None
    serialization_format: int = 1
    disable_bounds_checks: bool = False
    disable_semaphore_checks: bool = False
    skip_device_barrier: bool = False
    allow_collective_id_without_custom_barrier: bool = False
    shape_invariant_numerics: bool = True
    use_tc_tiling_on_sc: bool | None = None
    needs_layout_passes: bool = True
    fuse_transposed_lhs_in_matmul: bool = False


@dataclass(frozen=True, kw_only=True)
class InterpretParams:
    """Says how JAX simulates a TPU, as the argument `interpret`; kernels are compiled here, and do not race.

    Args:
      uninitialized_memory: what memory begins with, "nan" or "zero".
      detect_races, out_of_bounds_reads, skip_floating_point_ops, num_cores_or_threads, vector_clock_size,
        logging_mode, dma_execution_mode, random_seed, grid_point_recorder, allow_hbm_allocation_in_run_scoped,
        buffer_bounds: about the simulation; they change nothing here.
    """

    detect_races: bool = False
    out_of_bounds_reads: Literal["raise", "uninitialized"] = "raise"
    skip_floating_point_ops: bool = False
    uninitialized_memory: Literal["nan", "zero"] = "nan"
    num_cores_or_threads: int = 1
    vector_clock_size: int | None = None
    logging_mode: Any = None
    dma_execution_mode: Literal["eager", "on_wait"] = "on_wait"
    random_seed: int | None = None
    grid_point_recorder: Callable | None = None
    allow_hbm_allocation_in_run_scoped: bool = False
    buffer_bounds: Literal["logical", "padded"] = "logical"


@scope
def force_tpu_interpret_mode(params: InterpretParams | None = None) -> Iterator[None]:
    """Make a context in which kernels for TPUs run on the CPU, as they always do here.

    Args:
      params: about the simulation of a TPU, which there is none of here.
    """
    yield


def set_tpu_interpret_mode(params: InterpretParams | None = None) -> None:
    """Let kernels for TPUs run on the CPU, as they always do here.

    Args:
      params: about the simulation of a TPU, which there is none of here.
    """


def reset_tpu_interpret_mode_state() -> None:
    """Forget what a simulation left behind after an error: nothing is, as kernels are compiled."""


def is_tpu_device() -> bool:
    """Return False: kernels run on the CPU."""
    return False


def get_tpu_info() -> NoReturn:
    """Raise an error: there is no TPU to tell about.

    Raises:
      ValueError: always.
    """
    raise ValueError("Unsupported TPU device kind: cpu")


# ---- arrays --------------------------------------------------------------------------------------


def roll(
    x: Any, shift: Any, axis: int, *, stride: int | None = None, stride_axis: int | None = None
) -> Array:
    """Return an array whose elements are moved along an axis, around its end.

    Args:
      x: an array.
      shift: how far; not negative.
      axis: along which axis; not negative.
      stride: how much farther with each step along `stride_axis`; not negative.
      stride_axis: another axis.
    Returns:
      An array of the shape and dtype of `x`.
    Raises:
      ValueError: a number is negative or out of range, or only one of `stride` and `stride_axis` is given.

    >>> from adjoint.experimental.pallas import tpu
    >>> tpu.roll(jnp.arange(4), 1, 0)
    Array([3, 0, 1, 2], dtype=int32)
    """
    if isinstance(shift, (int, np.integer)) and shift < 0:
        raise ValueError("shift must be non-negative.")
    if not 0 <= axis < x.ndim:
        raise ValueError("axis is out of range.")
    if (stride is None) != (stride_axis is None):
        raise ValueError("stride and stride_axis must be both specified or not.")
    along = partial(iota, dtype=np.dtype(np.int32), shape=x.shape, sharding=None)
    start = along(dimension=axis) - shift
    if stride is not None and stride_axis is not None:
        if stride < 0:
            raise ValueError("stride must be non-negative.")
        if not 0 <= stride_axis < x.ndim:
            raise ValueError("stride_axis is out of range")
        if axis == stride_axis:
            raise ValueError("expected axis and stride_axis are different.")
        start = start - along(dimension=stride_axis) * np.int32(stride)
    return take_along_axis(x, start % np.int32(x.shape[axis]), axis)


def bitcast(x: Any, ty: Any) -> Array:
    """Return the bits of an array as another dtype, where neighbours along the last axis but one share an element.

    Args:
      x: an array of at least two axes.
      ty: the dtype.
    Returns:
      An array of that dtype. Its last axis but one has as many times the length as the old dtype has its bits.
    Raises:
      ValueError: there are less than two axes, or elements are left over.

    >>> from adjoint.experimental.pallas import tpu
    >>> tpu.bitcast(jnp.array([[1], [2]], "int16"), "int32")
    Array([[131073]], dtype=int32)
    """
    new = np.dtype(ty)
    if x.ndim < 2:
        raise ValueError(message("Not implemented: bitcast 1D", fix="x[None]"))
    rows, old_bytes, new_bytes = x.shape[-2], x.dtype.itemsize, new.itemsize
    if rows * old_bytes % new_bytes:
        raise ValueError(message(
            "Not implemented: the 2nd minor dim can not be perfectly packed or unpacked",
            why=f"{rows} rows of {old_bytes} bytes are no whole number of rows of {new_bytes} bytes.",
            fix="jnp.pad(x, ...), for as many rows",
        ))
    return bits_by_rows(x, new)


def _groups(text: str) -> list[list[str]]:
    """Return the names of each axis: those in parentheses are of one."""
    groups: list[list[str]] = []
    is_open = False
    for c in text:
        if c in "()":
            is_open = c == "("
            groups += [[]] * is_open
        elif is_open:
            groups[-1] = [*groups[-1], c]
        else:
            groups.append([c])
    return groups


def einshape(equation: str, x: Any, assert_is_tile_preserving: bool = False, **sizes: int) -> Array:
    """Return an array with its axes split, moved and merged.

    Args:
      equation: names of axes before and after, such as "a(bc)->bca"; those in parentheses are one axis.
      x: an array.
      assert_is_tile_preserving: for TPUs; it changes nothing here.
      sizes: the lengths of axes that are split, by name; one of each parenthesis follows from the others.
    Returns:
      An array of the dtype of `x`.
    Raises:
      ValueError: the names do not fit the array, or lengths are missing or wrong.

    >>> from adjoint.experimental.pallas import tpu
    >>> tpu.einshape("a(bc)->cab", jnp.zeros((2, 6)), b=3).shape
    (2, 2, 3)
    """
    before, _, after = equation.replace(" ", "").partition("->")
    left, right = _groups(before), _groups(after)
    if len(left) != x.ndim:
        raise ValueError(
            f"Equation LHS has {len(left)} groups but input has {x.ndim} dims. LHS: {left}, Input shape: {x.shape}"
        )
    lengths = dict(sizes)
    for names, size in zip(left, x.shape):
        missing, known = [n for n in names if n not in lengths], 1
        for n in names:
            known *= lengths.get(n, 1)
        if len(missing) > 1:
            raise ValueError(
                f"Ambiguous split for {names} with size {size}. Unknowns: {missing}. Provide sizes via kwargs."
            )
        if size % known if missing else size != known:
            raise ValueError(f"Cannot split size {size} with known sizes {known}")
        lengths.update(dict.fromkeys(missing, size // known))
    order, wanted = [n for names in left for n in names], [n for names in right for n in names]
    if sorted(order) != sorted(wanted):
        raise ValueError(f"The axes {order} before '->' are not those after it, {wanted}.")
    split = x.reshape([lengths[n] for n in order])
    moved = transpose(split, [order.index(n) for n in wanted])
    return moved.reshape([int(np.prod([lengths[n] for n in names])) for names in right])


# ---- references ----------------------------------------------------------------------------------


def load(ref: Any, *, mask: Any = None) -> Array:
    """Read a reference.

    Args:
      ref: a reference, or a part of it, `ref.at[index]`.
      mask: booleans of the shape that is read; where they are False the result may be anything.
    Returns:
      An array of the shape and dtype of what is read.
    """
    return ref[...]


def touch(ref: Any) -> None:
    """Say that a reference is read and written, which orders kernels of TPUs; nothing is reordered here.

    Args:
      ref: a reference.
    """


def trace_value(label: str, value: Any) -> None:
    """Show a number in a trace of a TPU, of which there is none here.

    Args:
      label: its name.
      value: a scalar.
    """


def with_memory_space_constraint(x: Any, memory_space: Any) -> Any:
    """Return the operand: the CPU has one memory.

    Args:
      x: an array.
      memory_space: for TPUs.
    Returns:
      `x`.
    """
    return x


def core_barrier(sem: Any, *, core_axis_name: str) -> None:
    """Wait for the other cores, which run before or after.

    Args:
      sem: a semaphore.
      core_axis_name: the name of the axis of cores.
    """


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    if closest(name, __all__):
        raise no_attribute(__name__, name, __all__)
    raise AttributeError(
        f"pallas.tpu.{name} is of TPUs, which adjoint does not run kernels on.\n"
        "  Try: pallas, for kernels that the CPU runs", name=name,
    )


public(globals())
