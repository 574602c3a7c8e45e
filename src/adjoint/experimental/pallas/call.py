"""`pallas_call`: a kernel as a function of arrays, a loop over the points of its grid.

At each point the blocks of the operands are cut out, the kernel writes into references that hold the blocks of the
results, and what these hold is put back. Blocks that go beyond an array are read from one with more elements, which
are blank, and of what is written there nothing is kept.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...array.array import ArrayImpl
from ...core.messages.errors import message
from ...core.process.records import NamedTuple
from ...core.trace import Tracer
from ...core.tree.tree import keystr, tree_flatten, tree_flatten_with_path, tree_leaves, tree_structure, tree_unflatten
from ...core.types import ShapedArray, aval_of
from ...core.values.slices import Slice
from ...lax.flow.loops import fori_loop
from ...lax.shape import pad
from ...lax.slicing import dynamic_slice, dynamic_update_slice
from ...numpy.conversion import asarray
from ...numpy.fills import zeros
from ...prims.references import new_ref
from ...transforms.flat import function_name
from ...transforms.jit.jit import jit
from .grid import at_point, blank, per_device
from .specs import Blocked, BlockSpec, BoundedSlice, Element, GridSpec, Indirect, Squeezed, fresh_memory, no_block_spec

__all__ = ["Block", "layout_of", "pallas_call", "point_of", "refs_after", "result_types", "specs_of"]


class Block(NamedTuple):
    """The layout of blocks in an array."""

    name: str
    shape: tuple[int, ...]  # with axes that the kernel does not see
    seen: tuple[int, ...]
    steps: tuple[int, ...]  # from one block number to the next
    pads: tuple[tuple[int, int], ...]  # elements that are added before and after the array
    index_map: Callable | None

    def start(self, ids: tuple, prefetched: list) -> tuple:
        """The first element of the block at a point, which operands that are known before may decide."""
        if self.index_map is None:
            return (0,) * len(self.shape)
        found = self.index_map(*ids, *prefetched)
        numbers = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        what = f"Index map function {function_name(self.index_map)} for {self.name} must"
        numbers = tuple([n.start if isinstance(n, Slice) else n for n in numbers])
        if len(numbers) != len(self.shape):
            raise ValueError(message(
                f"{what} return {len(self.shape)} values to match block_shape={self.shape}. Currently returning "
                f"{len(numbers)} values.", fix="lambda i, ...: a number for each axis of the array",
            ))
        for i, n in enumerate(numbers):
            aval = aval_of(n)
            if aval.shape or aval.dtype.kind not in "iu":
                raise ValueError(message(
                    f"{what} return integer scalars. Output[{i}] has type {aval.str_short(True)}.",
                    fix="the number of the block along that axis, such as i // 2",
                ))
        return tuple([np.int32(n * k) if isinstance(n, (int, np.integer)) else n.astype(np.int32) * np.int32(k)
                      for n, k in zip(numbers, self.steps)])

    def lengths(self, ids: tuple) -> tuple:
        """Return how many elements of the block at a point are meant along each axis, as the index map says."""
        if self.index_map is None:
            return self.shape
        found = self.index_map(*ids)
        numbers = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        return tuple([n.size if isinstance(n, Slice) else k for n, k in zip(numbers, self.shape)])

    def room(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of an array that has all blocks whole."""
        lengths = [n + low + high for n, (low, high) in zip(shape, self.pads)]
        return tuple([-(-n // k) * k if step == k else n + k - 1 if step == 1 and k > 1 else n
                      for n, k, step in zip(lengths, self.shape, self.steps)])

    def padded(self, x):
        """An array with blank elements around, so that all blocks are whole."""
        wide = self.room(x.shape)
        if x.shape == wide:
            return x
        edges = [(low, m - n - low, 0) for n, m, (low, _) in zip(x.shape, wide, self.pads)]
        return pad(x, blank((), x.dtype), edges)

    def within(self, x, shape: tuple[int, ...]):
        """The array of a shape that stands in one with blank elements around."""
        return x if x.shape == shape else x[tuple([slice(low, low + n) for n, (low, _) in zip(shape, self.pads)])]


def layout_of(spec: BlockSpec, shape: tuple[int, ...], name: str, is_bounded: bool = False) -> Block:
    """Return where the blocks of an array are, and with `is_bounded` also of those whose index map gives slices."""
    if spec.block_shape is None:
        return Block(name, shape, shape, shape, ((0, 0),) * len(shape), None)
    if len(spec.block_shape) != len(shape):
        raise ValueError(message(
            f"Block shape for {name} (= {tuple(spec.block_shape)}) must have the same number of dimensions as the "
            f"array shape {shape}.", fix="a length for each axis; None for an axis that the kernel does not see",
        ))
    sizes, seen, steps, pads = [], [], [], []
    for b in spec.block_shape:
        pads.append(b.padding if isinstance(b, Element) else (0, 0))
        if b is None or isinstance(b, Squeezed):
            sizes.append(1)
            steps.append(1)
            continue
        if isinstance(b, BoundedSlice) and (isinstance(b, Indirect) or not is_bounded):
            raise ValueError(message(
                f"Unsupported block dim type: {type(b)}", fix="pl.Element(size), for blocks that begin anywhere"
            ))
        size = b.block_size if isinstance(b, (Blocked, Element, BoundedSlice)) else int(b)
        sizes.append(size)
        seen.append(size)
        steps.append(1 if isinstance(b, (Element, BoundedSlice)) else size)
    return Block(name, tuple(sizes), tuple(seen), tuple(steps), tuple(pads), spec.index_map)


def specs_of(given: Any, tree: Any, count: int, what: str) -> list[BlockSpec]:
    """Return a spec for each array of a tree."""
    if given is None or given is no_block_spec:
        return [BlockSpec()] * count
    is_spec = lambda x: x is None or isinstance(x, BlockSpec)
    specs = tree_leaves(given, is_leaf=is_spec)
    if len(specs) != count:
        raise ValueError(message(
            f"Pytree for `{what}` and `{'inputs' if what == 'in_specs' else 'outputs'}` do not match. There are "
            f"{len(specs)} specs for {count} arrays.", fix="a BlockSpec for each array",
        ))
    return [BlockSpec() if s is None else s for s in specs]


def pallas_call(
    kernel: Callable[..., None], out_shape: Any, *, grid_spec: GridSpec | None = None, grid: Any = (),
    in_specs: Any = no_block_spec, out_specs: Any = no_block_spec, scratch_shapes: Any = (),
    input_output_aliases: dict[int, int] | None = None, debug: bool = False, interpret: Any = False,
    name: str | None = None, compiler_params: Any = None, cost_estimate: Any = None, metadata: Any = None,
) -> Callable:
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
    if grid_spec is not None:
        for what, value, nothing in (
            ("grid", grid, ()), ("in_specs", in_specs, no_block_spec), ("out_specs", out_specs, no_block_spec),
            ("scratch_shapes", scratch_shapes, ()),
        ):
            if value is not nothing and value != nothing:
                text = "no_block_spec" if nothing is no_block_spec else "()"
                raise ValueError(f"If `grid_spec` is specified, then `{what}` must be `{text}`. It is {value}")
    spec = grid_spec or GridSpec(grid, in_specs, out_specs, scratch_shapes)
    aliases = dict(input_output_aliases or {})
    out_types, out_tree = result_types(out_shape)
    points = prod(spec.grid)
    memories, memory_tree = tree_flatten(spec.scratch_shapes)
    fill = zeros if getattr(interpret, "uninitialized_memory", "nan") == "zero" else blank

    def call(*args):
        named, in_tree = tree_flatten_with_path(args)
        first = len(tree_leaves(args[: spec.num_scalar_prefetch]))
        operands = [per_device(asarray(x)) for _, x in named]
        scalars, operands = operands[:first], operands[first:]
        prefetch_tree = tree_structure(args[: spec.num_scalar_prefetch])
        specs = specs_of(spec.in_specs, in_tree, len(operands), "in_specs")
        in_blocks = [
            layout_of(s, x.shape, "args" + keystr(path)) for s, x, (path, _) in zip(specs, operands, named[first:])
        ]
        out_specs = specs_of(spec.out_specs, out_tree, len(out_types), "out_specs")
        out_blocks = [
            layout_of(s, shape, f"outputs[{i}]") for i, (s, (shape, _)) in enumerate(zip(out_specs, out_types))
        ]
        sources = [b.padded(x) for x, b in zip(operands, in_blocks)]
        begun = [per_device(fill(b.room(shape), dtype)) for b, (shape, dtype) in zip(out_blocks, out_types)]
        for i, o in aliases.items():
            _check_alias(i, o, (*scalars, *operands), out_types)
            begun[o] = out_blocks[o].padded((*scalars, *operands)[i])
        own = [per_device(fresh_memory(m, fill)) for m in memories]

        def at(step, carried):
            results, kept = carried
            ids = point_of(step, spec.grid)
            prefetched = [new_ref(x) for x in scalars]
            told = tree_unflatten(prefetch_tree, prefetched)
            reads = [_cut(x, b, ids, told) for x, b in zip(sources, in_blocks)]
            starts = [b.start(ids, told) for b in out_blocks]
            writes = [
                dynamic_slice(x, start, b.shape).reshape(b.seen) for x, b, start in zip(results, out_blocks, starts)
            ]
            refs = [*prefetched, *[new_ref(x) for x in reads]]
            with at_point(ids, spec.grid):
                written, kept = refs_after(
                    kernel, "the pallas_call", tree_unflatten(in_tree, refs), (out_tree, writes), (memory_tree, kept)
                )
            results = [
                dynamic_update_slice(x, y.reshape(b.shape), start)
                for x, y, b, start in zip(results, written, out_blocks, starts)
            ]
            return results, kept

        carried = (begun, own)
        if isinstance(points, Tracer):
            carried = fori_loop(np.int32(0), points.astype(np.int32), at, carried)
        elif points == 1:
            carried = at(np.int32(0), carried)
        elif points:
            carried = fori_loop(0, points, at, carried)
        results = [b.within(x, shape) for x, b, (shape, _) in zip(carried[0], out_blocks, out_types)]
        return tree_unflatten(out_tree, results)

    call.__name__ = call.__qualname__ = name or function_name(kernel)
    return jit(call)


def _check_alias(operand: int, result: int, operands: tuple, out_types: list) -> None:
    what = f"input_output_aliases contains the mapping '{operand}:{result}'"
    for kind, i, count in (("input", operand, len(operands)), ("output", result, len(out_types))):
        if not 0 <= i < count:
            raise ValueError(f"{what} with {kind} index {i} outside the range [0, {count})")
    given, wanted = aval_of(operands[operand]), ShapedArray(*out_types[result])
    if (given.shape, given.dtype) != (wanted.shape, wanted.dtype):
        raise ValueError(message(
            f"{what} referring to input[{operand}] with abstract value {given.str_short()} and to output with a "
            f"different abstract value {wanted.str_short()}.", fix="a result of the shape and dtype of the operand",
        ))


def point_of(step, grid: tuple) -> tuple:
    """Return the point of the grid at a step of the loop, the last axis first."""
    ids = []
    for length in reversed(grid):
        length = length.astype(np.int32) if isinstance(length, Tracer) else np.int32(length)
        ids.append(step % length)
        step = step // length
    return tuple(ids[::-1])


def _cut(x, block: Block, ids: tuple, prefetched: list):
    """Return the block of an operand at a point, as the kernel sees it."""
    if block.shape == x.shape:
        return x.reshape(block.seen)
    return dynamic_slice(x, block.start(ids, prefetched), block.shape).reshape(block.seen)


def result_types(out_shape: Any) -> tuple[list[tuple[tuple[int, ...], np.dtype]], Any]:
    """Return the shapes and dtypes of the results of a kernel, and their tree."""
    is_type = lambda x: hasattr(x, "shape") and hasattr(x, "dtype")
    outs, tree = tree_flatten(tuple(out_shape) if isinstance(out_shape, list) else out_shape, is_leaf=is_type)
    for o in outs:
        if not is_type(o):
            raise ValueError(
                f"Invalid out_shape type: {type(o)}\n"
                "  Try: out_shape=jax.ShapeDtypeStruct(shape, dtype), or a tree of them"
            )
    return [(tuple(o.shape), np.dtype(o.dtype)) for o in outs], tree


def refs_after(kernel: Callable, what: str, operands: Any, results: tuple, memories: tuple) -> tuple[list, list]:
    """Return what a kernel leaves in the references to its results, and to its own memory.

    Args:
      kernel: the function.
      what: what it is called in, for messages.
      operands: references to its operands, as it takes them.
      results, memories: a tree each, and the values at first.
    """
    captured = _captured(kernel)
    if captured:
        raise ValueError(message(
            f"The kernel function in {what} {function_name(kernel)} captures constants {captured}. You should "
            "pass them as inputs.", fix="pallas_call(kernel, ...)(*operands, constant)",
        ))
    (out_tree, writes), (memory_tree, kept) = results, memories
    refs, own = [new_ref(x) for x in writes], [new_ref(x) for x in kept]
    outs, memory = tree_unflatten(out_tree, refs), tree_unflatten(memory_tree, own)
    outs = outs if isinstance(outs, (tuple, list)) else (outs,)
    extra = (tuple(memory), {}) if isinstance(memory, (tuple, list)) else ((), memory)
    returned = kernel(*operands, *outs, *extra[0], **extra[1])
    if returned is not None:
        raise ValueError(message(
            f"The kernel function in {what} {function_name(kernel)} should return None. It returns a PyTree: "
            f"{tree_structure(returned)}", fix="out_ref[...] = value, for what it is to give",
        ))
    return [r[...] for r in refs], [r[...] for r in own]


def _captured(kernel) -> list[str]:
    """Return the types of arrays that a kernel closes over."""
    cells = getattr(kernel, "__closure__", None) or ()
    values = []
    for cell in cells:
        try:
            values.append(cell.cell_contents)
        except ValueError:  # not assigned yet
            continue
    return [aval_of(v).str_short(True) for v in values if isinstance(v, (ArrayImpl, Tracer)) and v.ndim]
