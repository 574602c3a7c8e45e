"""The code of a kernel: loops over its domain, the innermost one over vectors, its end masked.

The loops of a row are written once for each phase. Values of outer loops are scalars, written where their loop
begins the first time something needs them. Loop counters and sums are local variables in memory; LLVM puts
them into registers. Everything is known when the code is written: no index is computed from data, so none can
leave a buffer.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .builder import BOOL, I64, Builder, Module, Value, llvm_type, memory_type, register_dtype
from .elementwise import cost
from .graph import identity
from .kernel import Access, Kernel, Op
from .machine import VECTOR_BYTES
from .vectors import Vectors, apply, combine, load_scalar, store_scalar

__all__ = ["Emitter", "Scope", "UNROLLED", "lanes_of"]

_SPILL = 16384  # elements of a row that are kept on the stack
_WORTH_KEEPING = 8  # operations
UNROLLED = 4  # sums that are kept of one row
_HELD = 8  # vectors of sums over outer loops that are kept in registers
_WRITTEN_OUT = 64  # operations that such a row has at most, over all its vectors
_FEW_TURNS = 4  # of a loop inside another one that is written out, too


def lanes_of(kernel: Kernel) -> int:
    widest = max([register_dtype(op.dtype).itemsize for op in kernel.ops if op.dtype != BOOL], default=1)
    widest = max([widest, *[register_dtype(d).itemsize for d in kernel.inputs if d != BOOL]])
    lanes = VECTOR_BYTES // widest
    last = kernel.domain[-1] if kernel.domain else 1
    while lanes > 1 and lanes // 2 >= last:
        lanes //= 2
    return lanes


class Scope:
    """The values known in one loop; `lines` are written before the loops inside it."""

    def __init__(self):
        self.known: dict = {}
        self.lines: list[str] = []


class Emitter:
    starts_sums = True  # whether nothing is in the memory of sums that are held

    def __init__(self, module: Module, kernel: Kernel):
        self.module = module
        self.kernel = kernel
        self.rank = len(kernel.domain)
        self.lanes = lanes_of(kernel)
        self.outer = self.rank - kernel.inner if kernel.inner else max(self.rank - 1, 0)
        self.depths = [self.outer if op.reduced is not None and self.is_row(op) else op.depth for op in kernel.ops]
        self.levels = self._levels()
        self.spills: dict[int, str] = {}
        self.stored_in: dict[int, int] = {}  # the phase in which an op was stored or spilled
        self.scopes: list[Scope] = []
        self.counters: list[str] = []
        self.pointers: list[str] = []
        self.held_from = self._held_from()
        self.totals: dict[tuple[int, str], str] = {}  # variables of held sums, by op and counter

    # ---- phases ----------------------------------------------------------------------------------

    def is_row(self, op: Op) -> bool:
        """Whether a reduction's result is a value of the row, and not summed up in memory."""
        return op.reduced == frozenset(range(self.outer, self.rank)) and self.rank > 0

    def _levels(self) -> list[int]:
        """For each op, the phase in which it can first be computed."""
        levels: list[int] = []
        for op in self.kernel.ops:
            level = max([levels[x[1]] for x in op.operands if x[0] == "op"], default=0)
            levels.append(level + 1 if op.reduced is not None and self.is_row(op) else level)
        return levels

    def _work(self, phase: int) -> tuple[list[int], list[int]]:
        """The reductions and the stores of a phase."""
        ops = self.kernel.ops
        reductions = [
            i for i, op in enumerate(ops)
            if op.reduced is not None and self.levels[i] - self.is_row(op) == phase
        ]
        stores = [
            i for i, _ in self.kernel.outputs
            if ops[i].reduced is None and ops[i].depth == self.rank and self.levels[i] == phase
        ]
        return reductions, stores

    def _needed(self, roots) -> set[int]:
        """The full-depth ops that are computed for some roots, from what is not kept."""
        seen: set[int] = set()
        todo = list(roots)
        while todo:
            i = todo.pop()
            op = self.kernel.ops[i]
            if i in seen or op.depth < self.rank or op.reduced is not None:
                continue
            seen.add(i)
            todo += [x[1] for x in op.operands if x[0] == "op"]
        return seen

    def _plan_spills(self, phases: list[tuple[list[int], list[int]]]) -> None:
        """Keep what is costly and needed in more than one phase."""
        if len(phases) == 1 or prod(self.kernel.domain[self.outer :]) > _SPILL:
            return
        ops, outputs = self.kernel.ops, {i for i, _ in self.kernel.outputs}
        uses: dict[int, int] = {}
        for reductions, stores in phases:
            roots = [x[1] for i in reductions for x in ops[i].operands if x[0] == "op"]
            for i in self._needed([*roots, *stores]):
                uses[i] = uses.get(i, 0) + 1
        kept: set[int] = set()
        for i in sorted(uses, reverse=True):
            op = ops[i]
            weight = cost(op.name) + sum([cost(ops[j].name) for j in self._needed([i]) if j != i])
            inside = any([uses.get(k) == uses[i] and i in self._needed([k]) for k in kept])
            if uses[i] > 1 and weight >= _WORTH_KEEPING and not inside and i not in outputs:
                kept.add(i)
        row = prod(self.kernel.domain[self.outer :])
        for i in sorted(kept)[: max(1, _SPILL // row)]:
            name = self.module.fresh("row")
            self.module.allocas.append(f"  {name} = alloca [{row} x {memory_type(ops[i].dtype)}], align 64")
            self.spills[i] = name

    def _held_from(self) -> int | None:
        """The first of the loops over which the sums in memory are held in registers: a row is few vectors then."""
        sums = [self.kernel.ops[i] for i, _ in self.sums_in_memory()]
        if not sums or self.rank - self.outer != 1 or self.kernel.domain[-1] < self.lanes:
            return None
        first, *others = {op.reduced for op in sums}
        vectors = self.kernel.domain[-1] // self.lanes
        if others or vectors * len(sums) > _HELD or vectors * len(self.kernel.ops) > _WRITTEN_OUT:
            return None
        if any([register_dtype(op.dtype) != op.dtype or op.dtype == BOOL for op in sums]):
            return None
        return min(first) if first == frozenset(range(min(first), self.outer)) else None

    # ---- the function ----------------------------------------------------------------------------

    def function(self, name: str) -> None:
        """Write `void name(ptr arguments)`: arguments are the buffers of the inputs, then of the outputs."""
        self.write(f"void {name}(ptr %arguments)", self._everything)

    def write(self, head: str, body) -> None:
        """Write a function; `body(entry)` writes what comes first and returns the lines of the rest."""
        self.module.allocas = []
        self.scopes, self.counters, self.pointers = [], [], []
        entry = Builder(self.module, 1)
        count = len(self.kernel.inputs) + len(self.kernel.outputs)
        for i in range(count):
            place = entry.new(f"getelementptr ptr, ptr %arguments, i64 {i}")
            self.pointers.append(entry.new(f"load ptr, ptr {place.text}, align 8").text)
        rest = body(entry)
        lines = [*self.module.allocas, *entry.lines, *rest]
        self.module.functions.append("\n".join([f"define {head} #0 {{", "entry:", *lines, "  ret void", "}"]))

    def _everything(self, entry: Builder) -> list[str]:
        if self.held_from is None or self.kernel.domain[-1] % self.lanes:
            self._clear(entry, self.sums_in_memory())
        return self._outer(0)

    def sums_in_memory(self) -> list[tuple[int, int]]:
        """Of the results that are summed up in memory: op and argument."""
        ops, n = self.kernel.ops, len(self.kernel.inputs)
        outputs = [(i, n + k) for k, (i, _) in enumerate(self.kernel.outputs)]
        return [(i, k) for i, k in outputs if ops[i].reduced is not None and not self.is_row(ops[i])]

    def _clear(self, b: Builder, sums) -> None:
        """Sums in memory start from the identity."""
        for i, argument in sums:
            op, pointer = self.kernel.ops[i], self.pointers[argument]
            size = prod([d for a, d in enumerate(self.kernel.domain) if a not in op.reduced])
            b.lines += self._loop(size, 1, lambda j, pointer=pointer, op=op: self._clear_one(j, pointer, op))

    def _clear_one(self, j: str, pointer: str, op: Op) -> list[str]:
        b = Builder(self.module, 1)
        at = b.new(f"getelementptr {memory_type(op.dtype)}, ptr {pointer}, i64 {j}")
        store_scalar(b, b.const(identity(op.name, op.dtype), op.dtype), at.text, op.dtype)
        return b.lines

    def _loop(self, stop: int, step: int, body) -> list[str]:
        """`body(counter)` for 0, step, ... below stop, which it divides."""
        if stop == step:
            return body("0")
        fresh = self.module.fresh
        place, head, j = fresh("i"), fresh("loop"), fresh("j")
        done = fresh("done")
        self.module.allocas.append(f"  {place} = alloca i64")
        inside = body(j)
        b = Builder(self.module, 1)
        after = b.new(f"add nuw nsw i64 {j}, {step}")
        more = b.new(f"icmp ult i64 {after.text}, {stop}")
        return [
            f"  store i64 0, ptr {place}", f"  br label {head}", f"{head[1:]}:", f"  {j} = load i64, ptr {place}",
            *inside, b.lines[0], f"  store i64 {after.text}, ptr {place}", b.lines[1],
            f"  br i1 {more.text}, label {head}, label {done}", f"{done[1:]}:",
        ]

    def _between(self, first: str, stop: str, step: int, body) -> list[str]:
        """`body(counter)` for first, first + step, ... below stop."""
        fresh = self.module.fresh
        place, head, turn, j, done = fresh("i"), fresh("loop"), fresh("turn"), fresh("j"), fresh("done")
        self.module.allocas.append(f"  {place} = alloca i64")
        b = Builder(self.module, 1)
        more = b.new(f"icmp ult i64 {j}, {stop}")
        b.line(f"br i1 {more.text}, label {turn}, label {done}")
        inside = body(j)
        after = Builder(self.module, 1)
        following = after.new(f"add nuw nsw i64 {j}, {step}")
        return [
            f"  store i64 {first}, ptr {place}", f"  br label {head}", f"{head[1:]}:", f"  {j} = load i64, ptr {place}",
            *b.lines, f"{turn[1:]}:", *inside, *after.lines, f"  store i64 {following.text}, ptr {place}",
            f"  br label {head}", f"{done[1:]}:",
        ]

    def _turns(self, depth: int, inside) -> list[str]:
        """A loop over a whole axis."""
        return self._loop(self.kernel.domain[depth], 1, inside)

    def _outer(self, depth: int) -> list[str]:
        """The code inside `depth` loops."""
        scope = Scope()
        self.scopes.append(scope)
        if depth < self.outer:
            self._store_scalars(depth, after=False)

            def inside(counter):
                self.counters.append(counter)
                lines = self._outer(depth + 1)
                self.counters.pop()
                return lines

            loop = self._held(depth, inside) if depth == self.held_from else self._turns(depth, inside)
            self.scopes.pop()
            return [*scope.lines, *loop]
        phases = [self._work(p) for p in range(max(self.levels, default=0) + 1)]
        self._plan_spills(phases)
        if depth < self.rank:
            self._store_scalars(depth, after=False)
        lines = [*scope.lines]
        for number, work in enumerate(phases):
            if any(work):
                lines += self._phase(number, *work)
        scope.lines = []
        if depth < self.rank:
            self._store_scalars(depth, after=True)
        self.scopes.pop()
        return [*lines, *scope.lines]

    def _held(self, depth: int, inside) -> list[str]:
        """A loop whose sums are in registers: more than one of each if turns have to wait for each other."""
        n, copies = self.kernel.domain[depth], self._copies_of_sums(depth)
        sums = [self._take_sums(depth, copy) for copy in range(copies)]

        def turns(counter: str) -> list[str]:
            lines = []
            for copy, self.totals in enumerate(sums):
                b = Builder(self.module, 1, lines)
                at = str(int(counter) + copy) if counter.isdigit() else counter
                if copy and not counter.isdigit():
                    at = b.new(f"add nuw nsw i64 {counter}, {copy}").text
                lines += inside(at)
            return lines

        if copies == 1:
            self.totals = sums[0]
            loop = self._turns(depth, inside)
        else:
            loop = self._loop(n // copies * copies, copies, turns)
            self.totals = sums[0]
            for j in range(n // copies * copies, n):
                loop += inside(str(j))
        loop += self._put_sums(depth, sums)
        self.totals = {}
        return loop

    def _copies_of_sums(self, depth: int) -> int:
        """Sums of each vector that are kept at once."""
        count = len(self.sums_in_memory()) * (self.kernel.domain[-1] // self.lanes)
        copies = min(UNROLLED, _HELD // count, self.kernel.domain[depth] // 2)
        written = copies * count * len(self.kernel.ops)
        return copies if self.starts_sums and not max(self.levels) and written <= _WRITTEN_OUT else 1

    def _take_sums(self, depth: int, copy: int) -> dict:
        """Variables of sums. They start from the identity, or from what is in memory."""
        b, totals = Builder(self.module, self.lanes, self.scopes[depth].lines), {}
        for i, t, at, j in self._places_of_sums(b, depth):
            op = self.kernel.ops[i]
            place = totals[i, j] = self.module.fresh("total")
            self.module.allocas.append(f"  {place} = alloca {t}")
            start = b.const(identity(op.name, op.dtype), op.dtype)
            if not self.starts_sums:
                start = b.new(f"load {t}, ptr {at}, align {op.dtype.itemsize}")
            b.line(f"store {t} {start.text}, ptr {place}")
        return totals

    def _put_sums(self, depth: int, sums: list[dict]) -> list[str]:
        """And go back, after the loop."""
        b = Builder(self.module, self.lanes)
        for i, t, at, j in self._places_of_sums(b, depth):
            op = self.kernel.ops[i]
            parts = [b.new(f"load {t}, ptr {totals[i, j]}", op.dtype) for totals in sums]
            while len(parts) > 1:
                parts = [*parts[2:], combine(b, op.name, *parts[:2])]
            b.line(f"store {t} {parts[0].text}, ptr {at}, align {op.dtype.itemsize}")
        return b.lines

    def _places_of_sums(self, b: Builder, depth: int):
        """(op, type, address, counter) of each vector."""
        for i, k in self.sums_in_memory():
            dtype = self.kernel.ops[i].dtype
            base = self.pointer(k, dtype, self.output(i)[1], depth)
            for j in range(0, self.kernel.domain[-1] // self.lanes * self.lanes, self.lanes):
                yield i, b.type(dtype), b.new(f"getelementptr {memory_type(dtype)}, ptr {base}, i64 {j}").text, str(j)

    def _store_scalars(self, depth: int, after: bool) -> None:
        """Store the results of outer loops: before the phases, or those that need them after."""
        for k, (i, access) in enumerate(self.kernel.outputs):
            op = self.kernel.ops[i]
            if self.depths[i] != depth or (op.reduced is not None and not self.is_row(op)):
                continue
            if (self.levels[i] > 0) == after:
                value = self.scalar(i)
                b = self.block(depth)
                pointer = self.pointer(len(self.kernel.inputs) + k, op.dtype, access, depth)
                store_scalar(b, value, pointer, op.dtype)

    # ---- scalars of outer loops ------------------------------------------------------------------

    def block(self, depth: int) -> Builder:
        """Writes where the loop at a depth begins, or between phases."""
        return Builder(self.module, 1, self.scopes[depth].lines)

    def pointer(self, argument: int, dtype, access: Access, depth: int) -> str:
        """The address of a buffer at the counters of the first `depth` loops."""
        known = self.scopes[depth].known
        key = ("pointer", argument, access.offset, access.strides[:depth])
        if key not in known:
            b = self.block(depth)
            if depth == 0:
                base, index = self.pointers[argument], access.offset
            else:
                base = self.pointer(argument, dtype, access, depth - 1)
                index = self.scaled(b, self.counters[depth - 1], access.strides[depth - 1])
            known[key] = base
            if index not in (0, "0"):
                known[key] = b.new(f"getelementptr {memory_type(dtype)}, ptr {base}, i64 {index}").text
        return known[key]

    @staticmethod
    def scaled(b: Builder, counter: str, stride: int):
        if stride in (0, 1) or counter == "0":
            return counter if stride else 0
        return b.new(f"mul nsw i64 {counter}, {stride}").text

    def scalar(self, i: int) -> Value:
        """An op of an outer loop."""
        needed, todo = set(), [i]
        while todo:
            k = todo.pop()
            if k not in needed and k not in self.scopes[self.depths[k]].known:  # a reduction is, since its phase
                needed.add(k)
                todo += [x[1] for x in self.kernel.ops[k].operands if x[0] == "op"]
        for k in sorted(needed):
            op, depth = self.kernel.ops[k], self.depths[k]
            if op.name == "take":
                self.scopes[depth].known[k] = self.taken_scalar(op, depth)
                continue
            operands = [self.scalar_operand(x, depth) for x in op.operands]
            self.scopes[depth].known[k] = apply(self.block(depth), op, operands)
        return self.scopes[self.depths[i]].known[i]

    def taken_scalar(self, op: Op, depth: int) -> Value:
        """The element of an array at a computed place."""
        return load_scalar(self.block(depth), self.moved(op, depth), op.dtype)

    def moved(self, op: Op, depth: int) -> str:
        """The address of a `take` at the counters of the first loops, on which its place depends alone."""
        (_, argument, access), place = op.operands
        known = self.scopes[depth].known
        key = ("moved", argument, access.offset, access.strides[:depth], place)
        if key not in known:
            base, index = self.pointer(argument, op.dtype, access, depth), self.scalar_operand(place, depth)
            at = f"getelementptr {memory_type(op.dtype)}, ptr {base}, {llvm_type(index.dtype)} {index.text}"
            known[key] = self.block(depth).new(at).text
        return known[key]

    def varies(self, x: tuple) -> bool:
        """Whether an operand is not the same along the whole innermost loop."""
        if x[0] == "op":
            op = self.kernel.ops[x[1]]
            return op.depth == self.rank and op.reduced is None
        return x[0] != "const" and bool(self.rank) and bool(x[2].strides[-1])

    def scalar_operand(self, x: tuple, depth: int) -> Value:
        b = self.block(depth)
        if x[0] == "op":
            return self.scalar(x[1])
        if x[0] == "const":
            return b.const(np.frombuffer(x[2], x[1])[0], x[1])
        known = self.scopes[depth].known
        if x not in known:
            if x[0] == "iota":
                known[x] = b.rounded(self.index(b, x, depth, "0"), x[1])
            else:
                dtype = self.kernel.inputs[x[1]]
                known[x] = load_scalar(b, self.pointer(x[1], dtype, x[2], depth), dtype)
        return known[x]

    def index(self, b: Builder, x: tuple, depth: int, counter: str) -> Value:
        """The value of an iota at the counters of the first loops, and at `counter` in the last one."""
        _, dtype, access = x
        total = Value(str(access.offset), I64)
        places = list(zip(self.counters[:depth], access.strides))
        if depth == self.rank - 1 and counter != "0":
            places.append((counter, access.strides[-1]))
        scalars = Builder(self.module, 1, b.lines)
        for place, stride in places:
            if stride and place != "0":
                total = scalars.add(total, Value(str(self.scaled(scalars, place, stride)), I64))
        if b.lanes > 1:
            total = self.splat(b, total, I64)
            if access.strides[-1]:
                steps = ", ".join([f"i64 {lane * access.strides[-1]}" for lane in range(b.lanes)])
                total = b.add(total, Value(f"<{steps}>", I64))
        return b.convert(total, dtype)

    # ---- vectors of the inner loop ---------------------------------------------------------------

    def splat(self, b: Builder, value: Value, dtype) -> Value:
        if b.lanes == 1:
            return value
        t = b.type(dtype)
        first = b.new(f"insertelement {t} poison, {llvm_type(dtype)} {value.text}, i32 0")
        return b.new(
            f"shufflevector {t} {first.text}, {t} poison, <{b.lanes} x i32> zeroinitializer", register_dtype(dtype)
        )

    def _phase(self, number: int, reductions: list[int], stores: list[int]) -> list[str]:
        """One pass over the row."""
        scope = self.scopes[-1]
        scope.lines = []
        sums: dict[int, list[str]] = {}
        last = self.kernel.domain[-1] if self.rank else 1
        spills = self._spilled_now(number, reductions, stores)
        alone = reductions and not stores and not spills and all(
            [self.lanes > 1 and not self.kernel.ops[i].reduced.isdisjoint([self.rank - 1]) for i in reductions]
        )
        copies = UNROLLED if alone and last >= 2 * UNROLLED * self.lanes else 1
        before = Builder(self.module, 1)
        for i in reductions:
            op = self.kernel.ops[i]
            if self.rank - 1 in op.reduced:
                wide = Builder(self.module, self.lanes, before.lines)
                start = wide.const(identity(op.name, op.dtype), op.dtype)
                for _ in range(copies):
                    place = self.module.fresh("sum")
                    self.module.allocas.append(f"  {place} = alloca {wide.type(op.dtype)}")
                    wide.line(f"store {wide.type(op.dtype)} {start.text}, ptr {place}")
                    sums.setdefault(i, []).append(place)
        loops = self._row(self.outer, number, reductions, stores, spills, sums, copies)
        lines = [*scope.lines, *before.lines, *loops]
        scope.lines = []
        for i, places in sums.items():
            self._finish(i, places)
        lines += scope.lines
        scope.lines = []
        return lines

    def _spilled_now(self, number, reductions, stores) -> list[int]:
        """What is computed in this phase for the first time, and kept."""
        roots = [x[1] for i in reductions for x in self.kernel.ops[i].operands if x[0] == "op"]
        return [i for i in self._needed([*roots, *stores]) if i in self.spills and i not in self.stored_in]

    def _finish(self, i: int, places: list[str]) -> None:
        """The lanes of a sum together: a value of the row, or a further term of what is in memory."""
        op, scope = self.kernel.ops[i], self.scopes[-1]
        wide = Builder(self.module, self.lanes, scope.lines)
        register = register_dtype(op.dtype)
        parts = [wide.new(f"load {wide.type(op.dtype)}, ptr {p}", register) for p in places]
        while len(parts) > 1:
            parts = [combine(wide, op.name, *parts[:2]), *parts[2:]]
        value, lanes = parts[0], self.lanes
        while lanes > 1:
            half = Builder(self.module, lanes // 2, scope.lines)
            t = f"<{lanes} x {llvm_type(op.dtype)}>"
            halves = []
            for start in (0, lanes // 2):
                if lanes == 2:
                    halves.append(half.new(f"extractelement {t} {value.text}, i32 {start}", register))
                    continue
                picked = ", ".join([f"i32 {start + k}" for k in range(lanes // 2)])
                halves.append(half.new(
                    f"shufflevector {t} {value.text}, {t} poison, <{lanes // 2} x i32> <{picked}>", register
                ))
            value = combine(half, op.name, *halves)
            lanes //= 2
        if self.is_row(op):
            self._reduced(i, value)
            return
        b = self.block(self.outer)
        k, access = self.output(i)
        pointer = self.pointer(k, op.dtype, access, self.outer)
        store_scalar(b, combine(b, op.name, load_scalar(b, pointer, op.dtype), value), pointer, op.dtype)

    def _reduced(self, i: int, value: Value) -> None:
        """The result of a row's reduction is known."""
        self.scopes[-1].known[i] = self.block(self.outer).rounded(value, self.kernel.ops[i].dtype)

    def held(self, b: Builder, argument: int, access: Access) -> Value | None:
        """What an operand is in this turn, if it was read before."""
        return None

    def output(self, i: int) -> tuple[int, Access]:
        """The argument that an op is written to."""
        for k, (j, access) in enumerate(self.kernel.outputs):
            if i == j:
                return len(self.kernel.inputs) + k, access
        raise KeyError(i)

    def _row(self, depth, number, reductions, stores, spills, sums, copies) -> list[str]:
        """The loops of the row from `depth` on."""
        body = lambda j, mask, n, lanes=self.lanes: self._body(
            j, mask, n, lanes, number, reductions, stores, spills, sums
        )
        if not self.rank:
            return body("0", None, 1)
        if depth < self.rank - 1:

            def inside(counter):
                self.counters.append(counter)
                self.scopes.append(Scope())
                loops = self._row(depth + 1, number, reductions, stores, spills, sums, copies)
                lines = [*self.scopes.pop().lines, *loops]
                self.counters.pop()
                return lines

            return self._turns(depth, inside)
        step = self.lanes * copies
        whole = self.kernel.domain[-1] // step * step
        return self._stretch(whole, step, lambda j: body(j, None, copies), lambda: self._end(whole, body))

    def _stretch(self, whole: int, step: int, body, end) -> list[str]:
        """The innermost loop: a part that its step divides, and what is left."""
        is_short = whole // step <= _FEW_TURNS and whole // step * len(self.kernel.ops) <= _WRITTEN_OUT and self.outer
        if self.totals or is_short:  # sums that are held have a variable for each turn
            return [line for j in range(0, whole, step) for line in body(str(j))] + end()
        return [*(self._loop(whole, step, body) if whole else []), *end()]

    def _end(self, at: int, body) -> list[str]:
        """The innermost loop from `at` on: single vectors, and one with a mask."""
        last, lanes = self.kernel.domain[-1], self.lanes
        lines: list[str] = []
        whole = (last - at) // lanes * lanes
        if whole:
            lines += self._loop(whole, lanes, lambda j, at=at: self._shifted(j, at, body, 1))
            at += whole
        if at == last - 1:
            # A scalar: LLVM 22 stores too wide an element where a mask has one lane and the store narrows.
            lines += body(str(at), None, 1, 1)
        elif at < last:
            flags = ", ".join([f"i1 {'true' if k < last - at else 'false'}" for k in range(lanes)])
            lines += body(str(at), f"<{flags}>", 1)
        return lines

    def _shifted(self, j: str, start: int, body, n: int) -> list[str]:
        if not start:
            return body(j, None, n)
        b = Builder(self.module, 1)
        j = b.new(f"add nuw nsw i64 {j}, {start}").text if j != "0" else str(start)
        return [*b.lines, *body(j, None, n)]

    def _body(self, j, mask, copies, lanes, number, reductions, stores, spills, sums) -> list[str]:
        lines: list[str] = []
        for copy in range(copies):
            b = Builder(self.module, lanes, lines)
            at = j
            if copy:
                step = copy * self.lanes
                at = str(int(j) + step) if j.isdigit() else b.new(f"add nuw nsw i64 {j}, {step}").text
            vectors = Vectors(self, b, at, mask, number)
            vectors.prepare([*[x[1] for i in reductions for x in self.kernel.ops[i].operands if x[0] == "op"], *stores])
            for i in reductions:
                self._reduce(vectors, i, sums[i][copy] if i in sums else None)
            for i in stores:
                k, access = self.output(i)
                vectors.store(vectors.value(i), k, self.kernel.ops[i].dtype, access)
            for i in spills:
                vectors.keep(i)
        for i in (*stores, *spills):
            self.stored_in.setdefault(i, number)
        return lines

    def _reduce(self, vectors: Vectors, i: int, place: str | None) -> None:
        op, b = self.kernel.ops[i], vectors.b
        value = vectors.operand(op.operands[0])
        if place is None and b.lanes == self.lanes and not vectors.mask:
            place = self.totals.get((i, vectors.j))
        if place is None:  # along outer loops: in memory
            k, access = self.output(i)
            vectors.store(combine(b, op.name, vectors.load(k, op.dtype, access), value), k, op.dtype, access)
            return
        if vectors.mask and b.lanes > 1:
            mask = Value(vectors.mask, BOOL)
            value = b.select(mask, value, b.const(identity(op.name, op.dtype), op.dtype))
        wide = Builder(self.module, self.lanes, b.lines)
        t = wide.type(op.dtype)
        total = wide.new(f"load {t}, ptr {place}", register_dtype(op.dtype))
        if b.lanes == wide.lanes:
            total = combine(b, op.name, total, value)
        else:  # one more element, into the first lane
            first = b.new(f"extractelement {t} {total.text}, i32 0", total.dtype)
            first = combine(b, op.name, first, value)
            total = wide.new(f"insertelement {t} {total.text}, {b.type(op.dtype)} {first.text}, i32 0", total.dtype)
        b.line(f"store {t} {total.text}, ptr {place}")
