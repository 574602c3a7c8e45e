"""Loops inside of kernels over the blocks of references, which TPUs fetch ahead while they compute.

Here such a loop is one over slices, a point after the other, as that of `pallas_call`, whose blocks it shares: what
the references hold at first is read, and what the blocks of the results hold at the end is put back.

Tests: `tests/experimental/test_pallas_pipeline.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ...core.messages.errors import message
from ...core.trace import Tracer
from ...core.tree.tree import tree_flatten, tree_unflatten
from ...lax.flow.collectives import axis_index, axis_size
from ...lax.flow.loops import fori_loop
from ...lax.slicing import dynamic_slice, dynamic_update_slice
from ...numpy.conversion import asarray
from ...numpy.selection import where
from ...prims.references import new_ref
from ...prims.shape import iota
from .call import Block, layout_of, point_of, specs_of
from .grid import at_point, num_programs, program_id

__all__ = ["Tiling", "emit_pipeline", "emit_pipeline_with_allocations"]


class Tiling(enum.Enum):
    """A choice how a TPU lays out memory in tiles; the CPU has none.

    >>> from adjoint.experimental.pallas import tpu
    >>> list(tpu.Tiling)
    [<Tiling.COMPACT: 1>, <Tiling.SPARSE_CORE: 2>]
    """

    COMPACT = 1
    SPARSE_CORE = 2


def emit_pipeline(
    body: Callable[..., None], *, grid: tuple, in_specs: Any = (), out_specs: Any = (), tiling: Tiling | None = None,
    core_axis: int | tuple[int, ...] | None = None, core_axis_name: str | tuple[str, ...] | None = None,
    dimension_semantics: tuple | None = None, trace_scopes: bool = True, no_pipelining: bool = False,
    _explicit_indices: bool = False,
) -> Callable[..., None]:
    """Return a function of references that runs a function on their blocks, at each point of a grid of its own.

    Args:
      body: called with references to a block of each operand, of each result, and with `scratches`; it returns nothing.
      grid: the lengths of the axes of the grid, which may be traced; the last one changes first.
      in_specs, out_specs: a `BlockSpec` for each operand and result, or trees of them. The index map may give slices
        `pl.ds(start, size)` for axes of length `pl.BoundedSlice(n)`, with any size up to n.
      core_axis: an axis of the grid of the kernel, or several, along which cores share the points.
      core_axis_name: the name of an axis of cores that share the points, or several names.
      dimension_semantics: for each axis "parallel" or "arbitrary"; cores share a parallel one.
      tiling, trace_scopes, no_pipelining: for TPUs; they change nothing here.
    Returns:
      A function `pipeline(*operands, *results, scratches=None)` of references, for use in a kernel.
    Raises:
      ValueError: the specs do not fit the references.
      NotImplementedError: cores are to share points, and no axis is parallel.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out):
    ...     def double(block, to):
    ...         to[...] = 2 * block[...]
    ...     spec = pl.BlockSpec((2,), lambda i: (i,))
    ...     tpu.emit_pipeline(double, grid=(2,), in_specs=[spec], out_specs=[spec])(x, out)
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((4,), jnp.float32))(jnp.arange(4.))
    Array([0., 2., 4., 6.], dtype=float32)
    """
    for what, specs in (("in_specs", in_specs), ("out_specs", out_specs)):
        if not isinstance(specs, (list, tuple)):
            raise ValueError(message(
                f"`{what}` of emit_pipeline is {specs!r}, which is no sequence.", fix=f"{what}=[pl.BlockSpec(...)]"
            ))
    grid = (grid,) if isinstance(grid, (int, np.integer)) else tuple(grid)

    def pipeline(*refs: Any, scratches: Any = None, allocations: Any = None, body_prologue: Any = None) -> None:
        """Run the function on blocks of references.

        Args:
          refs: references to the operands and results, or trees of them.
          scratches: more references, which the function is given whole.
          allocations, body_prologue: for TPUs; the first is read, and the second called, by no pipeline here.
        """
        count = len(in_specs)
        if len(refs) != count + len(out_specs):
            raise ValueError(message(
                f"A pipeline of {count} operands and {len(out_specs)} results is called with {len(refs)} references.",
                fix="as many references as there are specs",
            ))
        reads, in_tree = tree_flatten(refs[:count])
        writes, out_tree = tree_flatten(refs[count:])
        in_blocks = _layouts(in_specs, in_tree, reads, "in_specs")
        out_blocks = _layouts(out_specs, out_tree, writes, "out_specs")
        sources = [b.padded(ref[...]) for b, ref in zip(in_blocks, reads)]
        offsets, lengths = _share(grid, core_axis, core_axis_name, dimension_semantics)

        def at(step: Any, results: list) -> list:
            ids = tuple([i + offset for i, offset in zip(point_of(step, lengths), offsets)])
            ins = [new_ref(_block_at(x, b, ids)) for x, b in zip(sources, in_blocks)]
            outs = [new_ref(_block_at(x, b, ids)) for x, b in zip(results, out_blocks)]
            with at_point(ids, lengths):
                body(
                    *((ids,) if _explicit_indices else ()), *tree_unflatten(in_tree, ins),
                    *tree_unflatten(out_tree, outs), *(() if scratches is None else scratches),
                )
            return [_put(x, b, ids, ref[...]) for x, b, ref in zip(results, out_blocks, outs)]

        results = [b.padded(ref[...]) for b, ref in zip(out_blocks, writes)]
        points = prod(lengths)
        if isinstance(points, (int, np.integer)) and points == 1:
            results = at(np.int32(0), results)
        else:
            results = fori_loop(np.int32(0), asarray(points).astype(np.int32), at, results)
        for x, b, ref in zip(results, out_blocks, writes):
            ref[...] = b.within(x, ref.shape)

    return pipeline


def emit_pipeline_with_allocations(
    body: Callable[..., None], *, grid: tuple, in_specs: Any = (), out_specs: Any = ()
) -> tuple[Callable[..., None], Callable[..., tuple]]:
    """Return a pipeline, and a function that says which memory it wants, which is none on the CPU.

    Args:
      body, grid, in_specs, out_specs: as those of `emit_pipeline`.
    Returns:
      The pipeline, and a function of the references: what it returns is an argument of `pl.run_scoped`.

    >>> from adjoint.experimental import pallas as pl
    >>> from adjoint.experimental.pallas import tpu
    >>> def kernel(x, out):
    ...     def double(block, to):
    ...         to[...] = 2 * block[...]
    ...     spec = pl.BlockSpec((2,), lambda i: (i,))
    ...     run, memory = tpu.emit_pipeline_with_allocations(double, grid=(2,), in_specs=[spec], out_specs=[spec])
    ...     pl.run_scoped(lambda own: run(x, out, allocations=own), memory(x, out))
    >>> pl.pallas_call(kernel, out_shape=ad.ShapeDtypeStruct((4,), jnp.float32))(jnp.arange(4.))
    Array([0., 2., 4., 6.], dtype=float32)
    """
    def memory(*refs: Any, tiling: Tiling | None = None) -> tuple:
        """Return the types of the memory that the pipeline wants: none.

        Args:
          refs: references to the operands and results.
          tiling: for TPUs.
        """
        return ()

    return emit_pipeline(body, grid=grid, in_specs=in_specs, out_specs=out_specs), memory


def _layouts(specs: Any, tree: Any, refs: list, what: str) -> list[Block]:
    """Return the blocks of references."""
    found = specs_of(specs, tree, len(refs), what)
    return [layout_of(s, ref.shape, f"{what}[{i}]", is_bounded=True) for i, (s, ref) in enumerate(zip(found, refs))]


def _block_at(x: Any, block: Block, ids: tuple) -> Any:
    """Return the block of an array at a point, as the function sees it."""
    return dynamic_slice(x, block.start(ids, []), block.shape).reshape(block.seen)


def _put(x: Any, block: Block, ids: tuple, new: Any) -> Any:
    """Return an array with a block at a point, as far as that is meant."""
    new, start = new.reshape(block.shape), block.start(ids, [])
    for axis, (length, whole) in enumerate(zip(block.lengths(ids), block.shape)):
        if length is not whole:
            place = partial(iota, dtype=np.dtype(np.int32), shape=block.shape, sharding=None)(dimension=axis)
            new = where(place < length, new, dynamic_slice(x, start, block.shape))
    return dynamic_update_slice(x, new, start)


def _share(grid: tuple, axes: Any, names: Any, semantics: Any) -> tuple[tuple, tuple]:
    """Return where the points of this core begin, and how many there are, along each axis.

    The cores share the first parallel axis whose length they divide, or else the longest, of which the first cores
    have a point more.
    """
    tuple_of = lambda given: () if given is None else given if isinstance(given, tuple) else (given,)
    cores = [(program_id(axis), num_programs(axis)) for axis in tuple_of(axes)]
    cores += [(axis_index(name), axis_size(name)) for name in tuple_of(names)]
    zeros = (np.int32(0),) * len(grid)
    if not cores:
        return zeros, grid
    core, count = np.int32(0), 1
    for index, n in cores:
        core, count = core * np.int32(n) + index, count * n
    parallel = [i for i, s in enumerate(semantics or ()) if getattr(s, "value", s) == "parallel"]
    if not parallel:
        raise NotImplementedError(message(
            "Cannot partition over cores without parallel grid dimensions: dimension_semantics="
            f"{semantics if semantics is not None else ('arbitrary',) * len(grid)}",
            fix="dimension_semantics=(pltpu.PARALLEL, ...)",
        ))
    for i in parallel:
        if isinstance(grid[i], Tracer):
            raise NotImplementedError(message(
                f"Cores share axis {i} of the grid, whose length is traced.", fix="an int for that axis of the grid"
            ))
    known = [i for i in parallel if grid[i] % count == 0]
    axis = known[0] if known else max(parallel, key=lambda i: grid[i])
    each, more = divmod(int(grid[axis]), count)
    begin = core * np.int32(each) + where(core < more, core, np.int32(more)) if more else core * np.int32(each)
    length = where(core < more, np.int32(each + 1), np.int32(each)) if more else each
    return (*zeros[:axis], begin, *zeros[axis + 1:]), (*grid[:axis], length, *grid[axis + 1:])
