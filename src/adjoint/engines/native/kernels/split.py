"""Division of a kernel among threads: whether it is big enough, and which thread takes which of its turns.

The turns of the first loops are cut into chunks, so many that each takes some microseconds: what decides is the
kernel's structure and not the number of threads, so that sums, which have one part for each chunk, are the same
on every machine with vectors as wide.

Tests: `tests/engines/native/runtime/test_threads.py`.
"""

from __future__ import annotations

from math import prod

from ....core.process.records import NamedTuple
from ..functions.elementwise import cost
from ..graph.kernel import Kernel, Op
from ..text.builder import register_dtype

__all__ = ["Split", "has_parts", "nanoseconds", "part_bytes", "split_of", "split_of_tiles"]

_MIN_NANOSECONDS_TO_THREAD = 40_000  # nanoseconds
_CHUNK_NANOSECONDS = 16_000
_MAX_CHUNKS = 64  # chunks
_MAX_PARTIAL_BYTES = 1 << 17  # bytes of partial sums, on the stack
_BYTES_PER_NANOSECOND = 32  # a nanosecond
_NANOSECONDS_PER_OPERATION = 0.25  # nanoseconds of an operation on a vector
_MIN_CHUNK_COLUMNS = 1024  # elements of rows that are cut: fewer would leave too little to go over at a time
_LINE_BYTES = 64
_CHUNK_TURNS = 4  # that a chunk of many is a multiple of


class Split(NamedTuple):
    """`turns` of the first `axes` loops, `chunk` of them at a time; with no axes, of blocks of the innermost ones.

    `inside`: the turns are the elements of the innermost loop.
    """

    axes: int
    turns: int
    chunk: int
    inside: bool = False

    @property
    def chunks(self) -> int:
        return -(-self.turns // self.chunk)


def nanoseconds(kernel: Kernel, lanes: int) -> float:
    """Roughly, how long one thread takes."""
    rank, moved, steps = len(kernel.domain), 0.0, 0.0
    seen = {(x[1], x[2]) for op in kernel.ops for x in op.operands if x[0] == "load"}
    accesses = [(kernel.inputs[i].itemsize, access) for i, access in seen]
    accesses += [(kernel.ops[i].dtype.itemsize, access) for i, access in kernel.outputs]
    for size, access in accesses:
        if rank and access.strides[-1]:
            moved += size if abs(access.strides[-1]) == 1 else 16 * size
    for op in kernel.ops:
        if op.depth == rank or op.reduced is not None:
            steps += cost(op.name)
    return prod(kernel.domain) * (moved / _BYTES_PER_NANOSECOND + steps * _NANOSECONDS_PER_OPERATION / lanes)


def has_parts(op: Op, axes: int) -> bool:
    """Return whether turns of the first `axes` loops add to the same results."""
    return op.reduced is not None and not op.reduced.isdisjoint(range(axes))


def part_bytes(op: Op, domain) -> int:
    """Return the bytes of the partial result of one chunk, in whole cache lines."""
    size = prod([d for a, d in enumerate(domain) if a not in op.reduced])
    return -(-size * register_dtype(op.dtype).itemsize // _LINE_BYTES) * _LINE_BYTES


def split_of(kernel: Kernel, lanes: int, outer: int, granule: int) -> Split | None:
    """None for a kernel that one thread runs; `outer` of the loops are outside the rows.

    `granule` are the elements that the innermost loop handles in a turn. It is the one that is cut if there is no
    other, or if the outer ones have few turns or sums with parts too large, and none of its own.
    """
    rank, domain = len(kernel.domain), kernel.domain
    time = nanoseconds(kernel, lanes)
    if not rank or time < _MIN_NANOSECONDS_TO_THREAD:
        return None
    chunks = max(4, min(_MAX_CHUNKS, round(time / _CHUNK_NANOSECONDS)))
    reductions = [op for op in kernel.ops if op.reduced is not None]
    axes = 0
    while axes < max(outer, min(rank - 1, 1)) and prod(domain[:axes]) < 2 * chunks:
        axes += 1
    turns = prod(domain[:axes]) if axes else 1
    if outer:
        parts = sum([part_bytes(op, domain) for op in reductions if has_parts(op, axes)])
        turns = min(turns, _MAX_PARTIAL_BYTES // parts) if parts else turns
    along = rank == 1 or outer and not any([rank - 1 in op.reduced for op in reductions])
    if along and turns < min(chunks, domain[-1] // _MIN_CHUNK_COLUMNS) or rank == 1:
        granule = granule if rank == 1 else max(granule, _MIN_CHUNK_COLUMNS)
        return _cut(Split(0, domain[-1], 0, inside=True), chunks, granule)
    split, chunks = Split(axes, prod(domain[:axes]), 0), min(chunks, turns)
    return _cut(split, chunks, _CHUNK_TURNS if split.turns >= 4 * _CHUNK_TURNS * chunks else 1)


def _cut(split: Split, chunks: int, step: int) -> Split | None:
    """Return a split into so many chunks, multiples of a step; None for fewer than two."""
    if chunks < 2:
        return None
    split = split._replace(chunk=-(-split.turns // (chunks * step)) * step)
    return split if split.chunks > 1 else None


def split_of_tiles(kernel: Kernel, lanes: int, blocks: int) -> Split | None:
    """Split a kernel in tiles: over the loops outside the tiles, or else (no axes) over blocks of tiles."""
    time = nanoseconds(kernel, lanes)
    if time < _MIN_NANOSECONDS_TO_THREAD:
        return None
    chunks, axes, outer = max(4, min(_MAX_CHUNKS, round(time / _CHUNK_NANOSECONDS))), 0, len(kernel.domain) - 2
    while axes < outer and prod(kernel.domain[:axes]) < 2 * chunks:
        axes += 1
    turns = prod(kernel.domain[:axes])
    if turns < blocks:
        axes, turns = 0, blocks
    return _cut(Split(axes, turns, 0), min(chunks, turns), 1)
