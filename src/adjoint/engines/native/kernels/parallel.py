"""The code of big kernels: a function that runs one chunk of the turns, and one that calls it for all of them.

What a chunk sums up stands in memory of its own, and the caller puts the parts together, in order. Where a row is
the whole kernel, each phase is divided: its sums are put together before the next one, whose chunks read them.
A kernel that is not big is one function for one thread.

Tests: `tests/engines/native/runtime/test_threads.py`.
"""

from __future__ import annotations

from math import prod

from ..graph.kernel import Kernel, Op
from ..runtime import threads as threads  # generated code calls its function
from ..text.builder import I64, Builder, Module, Value, memory_type, register_dtype
from .columns import UNROLLED
from .emitter import Emitter, Scope, lanes_of
from .split import Split, has_parts, part_bytes, split_of, split_of_tiles
from .sums import keeps_digits, size_inside
from .tiles import Tiled, blocks, in_tiles
from .totals import function_of
from .vectors import combine, load_scalar, loaded, read, storable, store_scalar, write

__all__ = ["emit_kernel"]

_WORD_BYTES = 8


def emit_kernel(module: Module, kernel: Kernel, name: str) -> None:
    """Write `void name(ptr arguments)`: arguments are the buffers of the inputs, then of the outputs."""
    lanes = lanes_of(kernel)
    turned = in_tiles(kernel, lanes)
    if turned is not None:
        split = split_of_tiles(turned, lanes, blocks(turned, lanes))
        emitter = _Tiled(module, turned) if split is None else _DividedTiles(module, turned, split)
    else:
        emitter = Emitter(module, kernel)
        split = split_of(kernel, lanes, emitter.outer, UNROLLED * lanes)
        if split is not None:
            emitter = _Divided(module, kernel, split)
    emitter.function(name)


class _Divided(Emitter):
    """Writes functions of (arguments, memory that the chunks share, number of the chunk)."""

    starts_sums = False
    most_written = 8

    def __init__(self, module: Module, kernel: Kernel, split: Split):
        super().__init__(module, kernel)
        self.split = split
        self.first = self.stop = ""
        self.begins: dict[int, str] = {}  # the first turn of a loop, at the counters outside it
        if split.inside:  # then no chunk has all sums of a row
            self.held_from = None
        self.rows = [i for i, op in enumerate(kernel.ops) if op.reduced is not None and self.is_row(op)]
        module.declarations.add("declare void @adjoint_parallel(ptr, ptr, ptr, i64)")

    def function(self, name: str) -> None:
        if self.outer:
            self._divide_rows(name)
        else:
            self._divide_phases(name)

    def _part(self, name: str, body) -> None:
        self.write(f"internal void {name}(ptr %arguments, ptr %shared, i64 %chunk)", body)

    def _bounds(self, b: Builder) -> None:
        """The turns of this chunk."""
        first = b.value("%chunk") * self.split.chunk
        after = first + self.split.chunk
        stop = b.minimum(after, self.split.turns)
        self.first, self.stop = first.text, stop.text

    def _all_chunks(self, b: Builder, name: str, shared: str) -> None:
        b.line(f"call void @adjoint_parallel(ptr {name}, ptr %arguments, ptr {shared}, i64 {self.split.chunks})")

    def _shared(self, b: Builder, size: int) -> str:
        name = self.module.fresh("shared")
        self.module.allocas.append(f"  {name} = alloca [{max(size, 1)} x i8], align 64")
        return name

    # ---- rows, divided by the loops outside them -------------------------------------------------

    def _divide_rows(self, name: str) -> None:
        ops = self.kernel.ops
        sums = self.sums_in_memory()
        places, size = {}, 0  # where the parts of a sum are, if it has parts
        for i, _ in sums:
            if has_parts(ops[i], self.split.axes):
                places[i] = size
                size += self.split.chunks * part_bytes(ops[i], self.kernel.domain)
        self._part(f"{name}.part", lambda entry: self._chunk_of_rows(entry, places))

        def whole(entry: Builder) -> list[str]:
            shared = self._shared(entry, size)
            self._clear(entry, [(i, k) for i, k in sums if i not in places])
            b = Builder(self.module, 1)
            self._all_chunks(b, f"{name}.part", shared)
            for i, k in sums:
                if i in places:
                    self._put_together(b, i, self.pointers[k], shared, places[i])
            return b.lines

        self.write(f"void {name}(ptr %arguments)", whole)

    def _chunk_of_rows(self, entry: Builder, places: dict[int, int]) -> list[str]:
        self._bounds(entry)
        parts = [(i, k) for i, k in self.sums_in_memory() if i in places]
        for i, k in parts:
            size = part_bytes(self.kernel.ops[i], self.kernel.domain)
            own = entry.value("%chunk") * size
            own = own + places[i]
            self.pointers[k] = entry.new(f"getelementptr i8, ptr %shared, i64 {own.text}").text
        self._clear(entry, parts)
        self.prepare_sums(entry)
        return self._outer(0)

    def _put_together(self, b: Builder, i: int, target: str, shared: str, place: int) -> None:
        """The parts of a sum as one."""
        op = self.kernel.ops[i]
        size, n = part_bytes(op, self.kernel.domain), size_inside(self.kernel, op, 0)
        first = b.new(f"getelementptr i8, ptr {shared}, i64 {place}").text
        self._join(b, op, target, first, size, n, op.dtype)

    def _join(self, b: Builder, op: Op, target: str, first: str, size: int, n: int, dtype) -> None:
        """Return what all chunks have summed up, in parts that begin so many bytes after each other, in a dtype."""
        if keeps_digits(op.name, dtype):
            end = size * self.split.chunks
            b.call_shared(function_of("join", dtype), f"ptr {target}, ptr {first}, i64 {size}, i64 {end}, i64 {n}")
            return
        self.module.declarations.add("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
        b.line(f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {first}, i64 {n * dtype.itemsize}, i1 false)")
        lanes, t, part = self.lanes, memory_type(dtype), ""
        while lanes > n:
            lanes //= 2

        def one(j: str, lanes: int = lanes) -> list[str]:
            wide = Builder(self.module, lanes)
            s = Builder(self.module, 1, wide.lines)
            at = [s.new(f"getelementptr {t}, ptr {base}, i64 {j}").text for base in (target, part)]
            values = [loaded(wide, read(wide, x, dtype), dtype) for x in at]
            value = storable(wide, wide.rounded(combine(wide, op.name, *values), dtype), dtype)
            write(wide, value, at[0], dtype)
            return wide.lines

        def each(chunk: str) -> list[str]:
            nonlocal part
            s, whole = Builder(self.module, 1), n // lanes * lanes
            start = s.value(chunk) * size + size
            part = s.new(f"getelementptr i8, ptr {first}, i64 {start.text}").text
            rest = self._between(str(whole), str(n), 1, lambda j: one(j, 1)) if whole < n else []
            return [*s.lines, *self._loop(whole, lanes, one), *rest]

        b.lines += self._loop(self.split.chunks - 1, 1, each)

    # ---- one row, divided in each phase ----------------------------------------------------------

    def _divide_phases(self, name: str) -> None:
        phases = [self._work(p) for p in range(max(self.levels, default=0) + 1)]
        phases = [(p, work) for p, work in enumerate(phases) if any(work)]
        for p, work in phases:
            self._part(f"{name}.phase{p}", lambda entry, p=p, work=work: self._chunk_of_phase(entry, p, work))

        def whole(entry: Builder) -> list[str]:
            shared = self._shared(entry, len(self.rows) * (self.split.chunks + 1) * _WORD_BYTES)
            b = Builder(self.module, 1)
            for p, (reductions, _) in phases:
                self._all_chunks(b, f"{name}.phase{p}", shared)
                for i in reductions:
                    self._total(b, i, shared)
            self.scopes = [Scope()]
            self._know_totals(b, shared, self.rows)
            self._store_scalars(0, after=False)
            self._store_scalars(0, after=True)
            return [*b.lines, *self.scopes.pop().lines]

        self.write(f"void {name}(ptr %arguments)", whole)

    def _chunk_of_phase(self, entry: Builder, number: int, work) -> list[str]:
        self._bounds(entry)
        self.scopes = [Scope()]
        self._know_totals(entry, "%shared", [i for i in self.rows if self.levels[i] <= number])
        lines = self._phase(number, *work)
        self.scopes.pop()
        return lines

    def _word(self, b: Builder, shared: str, i: int, chunk: str | None) -> str:
        """Return where the total of a reduction is, or its part of a chunk."""
        start = self.rows.index(i) * (self.split.chunks + 1)
        if chunk is None:
            return b.new(f"getelementptr i64, ptr {shared}, i64 {start}").text
        at = b.value(chunk) + (start + 1)
        return b.new(f"getelementptr i64, ptr {shared}, i64 {at.text}").text

    def _reduced(self, i: int, value: Value) -> None:
        if self.outer:
            super()._reduced(i, value)
            return
        b = self.block(0)
        b.line(f"store {b.type(value.dtype)} {value.text}, ptr {self._word(b, '%shared', i, '%chunk')}, align 8")

    def _total(self, b: Builder, i: int, shared: str) -> None:
        op, dtype = self.kernel.ops[i], register_dtype(self.kernel.ops[i].dtype)
        total = self._word(b, shared, i, None)
        self._join(b, op, total, self._word(b, shared, i, "0"), _WORD_BYTES, 1, dtype)
        exact = b.rounded(load_scalar(b, total, dtype), op.dtype)
        store_scalar(b, exact, total, dtype)

    def _know_totals(self, b: Builder, shared: str, rows) -> None:
        for i in rows:
            dtype = register_dtype(self.kernel.ops[i].dtype)
            known = b.new(f"load {b.type(dtype)}, ptr {self._word(b, shared, i, None)}, align 8", dtype)
            self.scopes[0].known[i] = known

    # ---- loops over the turns of a chunk ---------------------------------------------------------

    def _turns(self, depth: int, inside, step: int = 1, several=None) -> list[str]:
        """Write the turns of the first loops, in order, that are the chunk's."""
        if depth >= self.split.axes:
            return super()._turns(depth, inside, step, several)
        b, later = Builder(self.module, 1), prod(self.kernel.domain[depth + 1 : self.split.axes])
        first, stop = b.value(self.first), b.value(self.stop)
        begin = b.value(self.begins.get(depth, "0"), I64)
        if depth:
            first = b.maximum(first - begin, 0)
            stop = b.minimum(stop - begin, self.kernel.domain[depth] * later)
        if later != 1:
            first = b.binary("udiv", first, b.integer(later))
            stop = b.binary("udiv", stop + (later - 1), b.integer(later))

        def turn(counter: str) -> list[str]:
            c = Builder(self.module, 1)
            if later != 1:
                own = c.value(counter) * later
                self.begins[depth + 1] = (c.adopt(begin) + own).text if depth else own.text
            return [*c.lines, *inside(counter)]

        if several is None or later != 1:
            return [*b.lines, *self._blocks(depth, first.text, stop.text, 1, turn)]
        count = stop - first
        end = stop - b.binary("urem", count, b.integer(step))
        lines = self._blocks(depth, first.text, end.text, step, several)
        if self.split.axes == 1 and not (self.split.chunk % step or self.split.turns % step):
            return [*b.lines, *lines]
        return [*b.lines, *lines, *self._between(end.text, stop.text, 1, turn)]

    def row_bounds(self) -> tuple[str, str] | None:
        return (self.first, self.stop) if self.split.inside else None

    def extent(self, depth: int) -> int:
        if self.split.inside and depth == self.rank - 1:
            return self.split.chunk
        if depth >= self.split.axes:
            return super().extent(depth)
        later = prod(self.kernel.domain[depth + 1 : self.split.axes])
        return min(super().extent(depth), -(-self.split.chunk // later) + (later != 1))

    def _stretch(self, whole: int, step: int, body, end) -> list[str]:
        if not self.split.inside:
            return super()._stretch(whole, step, body, end)
        b = Builder(self.module, 1)
        stop = b.minimum(b.value(self.stop), whole)
        last = b.value(self.stop).equals(self.split.turns)
        rest, done = self.module.fresh("end"), self.module.fresh("done")
        lines = [*b.lines, *self._blocks(self.rank - 1, self.first, stop.text, step, body)]
        return [
            *lines, f"  br i1 {last.text}, label {rest}, label {done}", f"{rest[1:]}:", *end(),
            f"  br label {done}", f"{done[1:]}:",
        ]


class _Tiled(Tiled, Emitter):
    """A kernel in tiles, on one thread."""


class _DividedTiles(Tiled, _Divided):
    """A kernel in tiles, divided by the loops outside them, or else by blocks of tiles."""

    def block_bounds(self) -> tuple[str, str] | None:
        return None if self.split.axes else (self.first, self.stop)
