"""Sums along the outer loops of a kernel, whose results are vectors of a row.

Few vectors are held in registers meanwhile, else each row is added to what is in memory. Long sums of floats are cut
into blocks (sums.py): those in memory have memory of their own for the sum of a block and for what was lost.

Tests: `tests/engines/native/kernels/test_sums.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....core.process.records import NamedTuple
from ..graph.graph import identity
from ..graph.kernel import Access, Op
from ..text.builder import BOOL, Builder, Value, memory_type, register_dtype
from .sums import BLOCK_TERMS, added, in_arena, keeps_digits, size_inside, whole
from .totals import function_of
from .vectors import combined, read, write

if TYPE_CHECKING:
    from .emitter import Emitter as Base
else:
    Base = object

__all__ = ["Columns", "Cut", "UNROLLED", "WRITTEN_OUT"]

UNROLLED = 4  # sums that are kept of one row
WRITTEN_OUT = 64  # operations that a row has at most if it is written out, over all its vectors
_MAX_HELD_VECTORS = 8  # vectors of sums over outer loops that are kept in registers
_MAX_HELD_TOTALS = 2  # the same, if their totals and what these lost are too
_ROWS_AT_ONCE = 4  # rows that are added up before they are added to what is in memory
_MAX_FEW_OPERATIONS = 8  # operations of such a row, at most
_BLOCK_ROWS = (32, 64)  # of a block, if they are added one by one: with many operations, and with few


class Cut(NamedTuple):
    """The blocks of a loop over long sums: `settle()` writes what comes after each block of so many turns."""

    turns: int
    settle: Callable[[], list[str]]


class _Long(NamedTuple):
    """A long sum: the argument that holds it, the one that holds the sum of a block, after which is what was lost.

    The outermost of its loops is `first`; `cut` is the one that is cut, and the turns of a block. Without an access all
    is in registers.
    """

    op: int
    total: int
    block: int
    access: Access | None
    first: int
    cut: tuple[int, int]


class _Held(NamedTuple):
    """A vector of a sum in registers: op, counter of the innermost loop, and which lanes count."""

    op: int
    counter: str
    lanes: int
    mask: str | None


class Columns(Base):
    """A part of the emitter."""

    starts_sums = True  # whether nothing is in the memory of sums that are held
    most_written = WRITTEN_OUT  # operations of all rows that are gone over at once

    def sums_in_memory(self) -> list[tuple[int, int]]:
        """Return op and argument of the results that are summed up in memory."""
        ops, n = self.kernel.ops, len(self.kernel.inputs)
        outputs = [(i, n + k) for k, (i, _) in enumerate(self.kernel.outputs)]
        return [(i, k) for i, k in outputs if ops[i].reduced is not None and not self.is_row(ops[i])]

    @staticmethod
    def cut_of(loops, most: int = BLOCK_TERMS) -> tuple[int, int] | None:
        """Return the loop that is cut into blocks, and the turns of a block; None if there are few terms.

        `loops` are (depth, turns) from the outermost to the innermost one, each turn of which adds a term.
        """
        terms = 1
        for depth, turns in reversed(loops):
            if terms * turns > most:
                return depth, max(1, most // terms)
            terms *= turns
        return None

    def summing(self, depth: int, inside) -> list[str]:
        """Return a loop outside the rows."""
        begun = [x for x in self.long.values() if x.first == depth]
        cut = [x for x in self.long.values() if x.cut[0] == depth]
        calls = lambda function, sums: [line for x in sums if x.access for line in self._call(function, x, depth)]
        lines = calls("", begun)
        if cut:
            held = self.held_from is not None
            self.cuts[depth] = Cut(
                min([x.cut[1] for x in cut]), lambda: (self._end_block() if held else []) + calls("settle", cut)
            )
        if depth == self.held_from:
            lines += self._held(depth, inside)
        elif depth == self.outer - 1 and self.step > 1 and self.held_from is None:
            lines += self._turns(depth, inside, self.step, lambda counter: self.rows_at_once(counter, self.step))
        else:
            lines += self._turns(depth, inside)
        self.cuts.pop(depth, None)
        return lines + calls("finish", begun)

    # ---- long sums -------------------------------------------------------------------------------

    def prepare_sums(self, entry: Builder) -> None:
        """Find memory for the blocks of long sums."""
        self.long: dict[int, _Long] = {}
        large, loops = in_arena(self.kernel), {}
        held = self.held_from is not None
        self.vectors = self._vectors_of_sums() if held else []
        for i, _ in self.sums_in_memory():
            op = self.kernel.ops[i]
            over = [(a, self.extent(a)) for a in sorted(op.reduced) if a < self.outer]
            if keeps_digits(op.name, op.dtype) and self.cut_of(over) is not None:
                loops[i] = over
        self.step = self._copies_of_sums() if held else self._rows_at_once() if loops else 1
        most = BLOCK_TERMS if held or self.step > 1 else _BLOCK_ROWS[len(self.kernel.ops) <= _MAX_FEW_OPERATIONS]
        for i, total in self.sums_in_memory():
            over = dict(loops.get(i, {}))
            at = self.held_from if held else self.outer - 1
            if at in over:
                over[at] //= self.step
            cut = self.cut_of(list(over.items()), most)
            if cut is None:
                continue
            op, first = self.kernel.ops[i], min(over)
            if held and len(self.vectors) <= _MAX_HELD_TOTALS:
                self.long[i] = _Long(i, total, total, None, first, cut)
                continue
            t = memory_type(op.dtype)
            if i in large:
                access, size = self.output(i)[1], size_inside(self.kernel, op, 0)
                base = self.pointers[len(self.kernel.inputs) + len(self.kernel.outputs) + large.index(i)]
            else:
                access, size = self._of_one_turn(i, first), size_inside(self.kernel, op, first)
                base = self.module.fresh("space")
                self.module.allocas.append(f"  {base} = alloca [{2 * size} x {t}], align 64")
            lost = entry.new(f"getelementptr {t}, ptr {base}, i64 {size}").text
            self.long[i] = _Long(i, total, len(self.pointers), access, first, cut)
            self.pointers += [base, lost]

    def _of_one_turn(self, i: int, first: int) -> Access:
        """Return where the elements of a sum stand that belong to one turn of the loops before `first`."""
        op = self.kernel.ops[i]
        after = lambda a: 0 if a < first or a in op.reduced else size_inside(self.kernel, op, a + 1)
        return Access(0, tuple(map(after, range(self.rank))))

    def _rows_at_once(self) -> int:
        """Return how many rows are added up before they are added to what is in memory."""
        ops, last = self.kernel.ops, self.outer - 1
        sums = [op.reduced for op in ops if op.reduced is not None]
        if not self.outer or self.rank - self.outer != 1 or any([max(axes) != last for axes in sums]):
            return 1
        return min(_ROWS_AT_ONCE, self.extent(last)) if len(ops) <= _MAX_FEW_OPERATIONS else 1

    def summed_in(self, i: int) -> tuple[int, Access]:
        """Return the argument to which each row is added."""
        found = self.long.get(i)
        return (found.block, found.access) if found and found.access else self.output(i)

    def row_bounds(self) -> tuple[str, str] | None:
        """The part of a row that this function goes over, if not all."""
        return None

    def _call(self, function: str, x: _Long, depth: int) -> list[str]:
        """Call a function of sums.py for the elements of a sum at the counters of the first loops.

        Without a name: there is nothing in the first block, and nothing was lost.
        """
        op = self.kernel.ops[x.op]
        size, bounds, t = size_inside(self.kernel, op, depth), self.row_bounds(), memory_type(op.dtype)
        places = [(x.total, self.output(x.op)[1]), (x.block, x.access), (x.block + 1, x.access)]
        begin = [self.pointer(argument, op.dtype, access, depth) for argument, access in places]

        def call(b: Builder, at: list[str], count: str) -> list[str]:
            if function:
                b.call_shared(function_of(function, op.dtype), f"ptr {at[0]}, ptr {at[1]}, ptr {at[2]}, i64 {count}")
                return b.lines
            size = (b.value(count) * op.dtype.itemsize).text
            for place in at[1:]:
                self.clear(b, place, size)
            return b.lines

        if bounds is None:
            return call(Builder(self.module, 1), begin, str(size))

        def row(k: str) -> list[str]:
            b = Builder(self.module, 1)
            first, stop = [b.value(bound) for bound in bounds]
            start = (b.value(k) * self.kernel.domain[-1] + first).text
            at = [b.new(f"getelementptr {t}, ptr {place}, i64 {start}").text for place in begin]
            return call(b, at, (stop - first).text)

        return self._loop(size // self.kernel.domain[-1], 1, row)

    # ---- in registers ----------------------------------------------------------------------------

    def held_since(self) -> int | None:
        """Return the first of the loops over which the sums are held in registers: a row is few vectors then."""
        sums = [self.kernel.ops[i] for i, _ in self.sums_in_memory()]
        if not sums or self.rank - self.outer != 1:
            return None
        first, *others = {op.reduced for op in sums}
        vectors = -(-self.kernel.domain[-1] // self.lanes)
        if others or vectors * len(sums) > _MAX_HELD_VECTORS or vectors * len(self.kernel.ops) > WRITTEN_OUT:
            return None
        if any([register_dtype(op.dtype) != op.dtype or op.dtype == BOOL for op in sums]):
            return None
        return min(first) if first == frozenset(range(min(first), self.outer)) else None

    def _held(self, depth: int, inside) -> list[str]:
        """Return a loop whose sums are in registers: more than one of each if turns have to wait for each other."""
        start = Builder(self.module, 1)
        self.sums = [self._take_sums(start, depth, copy) for copy in range(self.step)]
        self.in_registers = {}  # totals of long sums, and what they lost
        for x in self.vectors:
            if x.op in self.long and self.long[x.op].access is None:
                b = Builder(self.module, x.lanes, start.lines)
                zero = b.const(0, self.kernel.ops[x.op].dtype)
                self.in_registers[x.op, x.counter] = [self.variable(b, zero) for _ in range(2)]

        def one(counter: str, copy: int = 0) -> list[str]:
            self.totals = self.sums[copy]
            return inside(counter)

        def several(counter: str) -> list[str]:
            lines = []
            for copy in range(self.step):
                b = Builder(self.module, 1, lines)
                lines += one(b.new(f"add nuw nsw i64 {counter}, {copy}").text if copy else counter, copy)
            return lines

        lines = self._turns(depth, one, self.step, several if self.step > 1 else None)
        self.totals = {}
        return [*start.lines, *lines, *self._put_sums(depth)]

    def _copies_of_sums(self) -> int:
        """Return sums of each vector that are kept at once."""
        count = len(self.vectors)
        copies = min(UNROLLED, _MAX_HELD_VECTORS // count, self.extent(self.held_from) // 2)
        written = copies * count * len(self.kernel.ops)
        return max(1, copies) if not max(self.levels) and written <= self.most_written else 1

    def _vectors_of_sums(self) -> list[_Held]:
        last, lanes, held = self.kernel.domain[-1], self.lanes, []
        for i, _ in self.sums_in_memory():
            for j in range(0, last, lanes):
                mask = self.mask_of(last - j) if 1 < last - j < lanes else None
                held.append(_Held(i, str(j), 1 if j == last - 1 else lanes, mask))
        return held

    def _at(self, b: Builder, x: _Held, depth: int) -> tuple[Builder, str]:
        """Return a builder for a vector of a sum, and where it stands in memory."""
        dtype = self.kernel.ops[x.op].dtype
        k, access = self.summed_in(x.op)
        base = self.pointer(k, dtype, access, depth)
        at = b.new(f"getelementptr {memory_type(dtype)}, ptr {base}, i64 {x.counter}").text
        return Builder(self.module, x.lanes, b.lines), at

    def _take_sums(self, start: Builder, depth: int, copy: int) -> dict:
        """Return variables of sums. They start from the identity, or one of them from what is in memory."""
        sums = {}
        for x in self.vectors:
            op = self.kernel.ops[x.op]
            if self.starts_sums or copy or x.op in self.long:
                b = Builder(self.module, x.lanes, start.lines)
                value = b.const(identity(op.name, op.dtype), op.dtype)
            else:
                b, at = self._at(start, x, depth)
                value = read(b, at, op.dtype, x.mask)
            sums[x.op, x.counter] = self.variable(b, value)
        return sums

    def _put_sums(self, depth: int, only=None) -> list[str]:
        """They go to memory."""
        lines: list[str] = []
        for x in self.vectors:
            if only is None or x.op in only:
                op, key = self.kernel.ops[x.op], (x.op, x.counter)
                b, at = self._at(Builder(self.module, 1, lines), x, depth)
                value = self.sum_of(b, op, [sums[key] for sums in self.sums], self.in_registers.get(key, ()))
                write(b, value, at, op.dtype, x.mask)
        return lines

    def _end_block(self) -> list[str]:
        """Return the sums of a block go to their totals, or to memory, and the next block begins."""
        lines = self._put_sums(self.held_from, [i for i, x in self.long.items() if x.access])
        for x in self.vectors:
            key, op, b = (x.op, x.counter), self.kernel.ops[x.op], Builder(self.module, x.lanes, lines)
            places = [sums[key] for sums in self.sums]
            if key in self.in_registers:
                self.settle(b, op, places, self.in_registers[key])
            elif x.op in self.long:
                self.put(b, [b.const(0, op.dtype)] * len(places), places)
        return lines

    # ---- variables -------------------------------------------------------------------------------

    def variable(self, b: Builder, start: Value) -> str:
        """Return a local variable for a vector."""
        place = self.module.fresh("sum")
        self.module.allocas.append(f"  {place} = alloca {b.type(start.dtype)}")
        self.put(b, [start], [place])
        return place

    @staticmethod
    def put(b: Builder, values, places) -> None:
        for value, place in zip(values, places, strict=True):
            b.line(f"store {b.type(value.dtype)} {value.text}, ptr {place}")

    @staticmethod
    def get(b: Builder, op: Op, place: str) -> Value:
        return b.new(f"load {b.type(op.dtype)}, ptr {place}", register_dtype(op.dtype))

    def settle(self, b: Builder, op: Op, places, totals) -> None:
        """Add the variables of a block to a total, and begin the next block."""
        block = combined(b, op.name, [self.get(b, op, place) for place in places])
        so_far = added(b, *[self.get(b, op, place) for place in totals], block)
        self.put(b, [*so_far, *[b.like(block, 0)] * len(places)], [*totals, *places])

    def sum_of(self, b: Builder, op: Op, places, totals) -> Value:
        """Return the variables of a result together, with those of its total if it is a long sum."""
        part = combined(b, op.name, [self.get(b, op, place) for place in places])
        return whole(b, *[self.get(b, op, place) for place in totals]) + part if totals else part
