"""The code of a kernel: loops over its domain, the innermost one over vectors, its end masked.

The loops of a row are written once for each phase. Values of outer loops are scalars, written where their loop
begins the first time something needs them. Loop counters and sums are local variables in memory; LLVM puts
them into registers. Everything is known when the code is written: no index is computed from data, so none can
leave a buffer.

Tests: `tests/engines/native/test_engine.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..functions.elementwise import cost
from ..graph.graph import identity
from ..graph.kernel import Access, Kernel, Op
from ..runtime.machine import VECTOR_BYTES
from ..text.builder import BOOL, I64, Builder, Module, Value, llvm_type, memory_type, register_dtype
from .columns import UNROLLED, WRITTEN_OUT, Columns, Cut
from .interleaved import picked, read_together, write_mixed, written_together
from .sums import in_arena, keeps_digits, outer_loops, size_inside
from .vectors import ANY_OR_ALL, Vectors, any_or_all, apply, combine, combined, load_scalar, storable, store_scalar

__all__ = ["Emitter", "Scope", "lanes_of"]

_MAX_SPILLED_ELEMENTS = 16384  # elements of a row that are kept on the stack
_MIN_OPERATIONS_TO_KEEP = 8  # operations
_MAX_ROW_ADDRESSES = 16  # that a row which is written out has about, from which they are computed anew for each row
_MAX_CHAIN_TERMS = 128  # terms of an accumulator that are added one after the other, rather than in blocks
_MAX_TURNS_WRITTEN_OUT = 4  # of a loop inside another one that is written out, too


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


class Emitter(Columns):
    def __init__(self, module: Module, kernel: Kernel):
        self.module = module
        self.kernel = kernel
        self.rank = len(kernel.domain)
        self.lanes = lanes_of(kernel)
        self.outer = outer_loops(kernel)
        self.depths = [self.outer if op.reduced is not None and self.is_row(op) else op.depth for op in kernel.ops]
        self.levels = self._levels()
        self.spills: dict[int, str] = {}
        self.stored_in: dict[int, int] = {}  # the phase in which an op was stored or spilled
        self.scopes: list[Scope] = []
        self.counters: list[str] = []
        self.pointers: list[str] = []
        self.held_from = self.held_since()
        self.totals: dict[tuple[int, str], str] = {}  # variables of held sums, by op and counter
        self.cuts: dict[int, Cut] = {}  # loops that are cut into blocks
        self.read_together, self.written_together = read_together(kernel), written_together(kernel)
        self.together: list[tuple[Scope, str]] = []  # rows that are gone over at once, and their counters

    # ---- phases ----------------------------------------------------------------------------------

    def is_row(self, op: Op) -> bool:
        """Return whether a reduction's result is a value of the row, and not summed up in memory."""
        return op.reduced == frozenset(range(self.outer, self.rank)) and self.rank > 0

    def _levels(self) -> list[int]:
        """Return for each op the phase in which it can first be computed."""
        levels: list[int] = []
        for op in self.kernel.ops:
            level = max([levels[x[1]] for x in op.operands if x[0] == "op"], default=0)
            levels.append(level + 1 if op.reduced is not None and self.is_row(op) else level)
        return levels

    def _work(self, phase: int) -> tuple[list[int], list[int]]:
        """Return the reductions and the stores of a phase."""
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
        """Return the full-depth ops that are computed for some roots, from what is not kept."""
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
        if len(phases) == 1 or prod(self.kernel.domain[self.outer :]) > _MAX_SPILLED_ELEMENTS:
            return
        ops, outputs = self.kernel.ops, {i for i, _ in self.kernel.outputs}
        uses: dict[int, int] = {}
        for reductions, stores in phases:
            roots = [x[1] for i in reductions for x in ops[i].operands if x[0] == "op"]
            for i in self._needed([*roots, *stores]):
                uses[i] = uses.get(i, 0) + 1
        kept: dict[int, set[int]] = {}  # and what each needs
        for i in sorted(uses, reverse=True):
            if uses[i] == 1 or i in outputs or any([uses[k] == uses[i] and i in needed for k, needed in kept.items()]):
                continue
            needed = self._needed([i])
            if sum([cost(ops[j].name) for j in needed]) >= _MIN_OPERATIONS_TO_KEEP:
                kept[i] = needed
        row = prod(self.kernel.domain[self.outer :])
        for i in sorted(kept)[: max(1, _MAX_SPILLED_ELEMENTS // row)]:
            name = self.module.fresh("row")
            self.module.allocas.append(f"  {name} = alloca [{row} x {memory_type(ops[i].dtype)}], align 64")
            self.spills[i] = name

    # ---- the function ----------------------------------------------------------------------------

    def function(self, name: str) -> None:
        """Write `void name(ptr arguments)`: arguments are the buffers of the inputs, then of the outputs."""
        self.write(f"void {name}(ptr %arguments)", self._everything)

    def write(self, head: str, body) -> None:
        """Write a function; `body(entry)` writes what comes first and returns the lines of the rest."""
        self.scopes, self.counters, self.pointers = [], [], []
        with self.module.function(head) as lines:
            entry = Builder(self.module, 1, lines)
            count = len(self.kernel.inputs) + len(self.kernel.outputs) + len(in_arena(self.kernel))
            for i in range(count):
                place = entry.new(f"getelementptr ptr, ptr %arguments, i64 {i}")
                self.pointers.append(entry.new(f"load ptr, ptr {place.text}, align 8").text)
            lines += body(entry)

    def _everything(self, entry: Builder) -> list[str]:
        self.prepare_sums(entry)
        self._clear(entry, [x for x in self.sums_in_memory() if self.held_from is None or x[0] in self.long])
        return self._outer(0)

    def _clear(self, b: Builder, sums) -> None:
        """Sums in memory start from the identity."""
        for i, argument in sums:
            op, pointer = self.kernel.ops[i], self.pointers[argument]
            size, start = size_inside(self.kernel, op, 0), identity(op.name, op.dtype)
            if start == 0:
                self.clear(b, pointer, str(size * op.dtype.itemsize))
                continue
            b.lines += self._loop(size, 1, lambda j, pointer=pointer, op=op: self._clear_one(j, pointer, op))

    def clear(self, b: Builder, address: str, size: str) -> None:
        """Write zeros to so many bytes."""
        self.module.declarations.add("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        b.line(f"call void @llvm.memset.p0.i64(ptr {address}, i8 0, i64 {size}, i1 false)")

    def _clear_one(self, j: str, pointer: str, op: Op) -> list[str]:
        b = Builder(self.module, 1)
        at = b.new(f"getelementptr {memory_type(op.dtype)}, ptr {pointer}, i64 {j}")
        store_scalar(b, b.const(identity(op.name, op.dtype), op.dtype), at.text, op.dtype)
        return b.lines

    def _loop(self, stop: int | str, step: int, body, first: str = "0") -> list[str]:
        """Return `body(counter)` for first, first + step, ... below stop, which is above it."""
        if stop == step and first == "0":
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
            f"  store i64 {first}, ptr {place}", f"  br label {head}", f"{head[1:]}:", f"  {j} = load i64, ptr {place}",
            *inside, b.lines[0], f"  store i64 {after.text}, ptr {place}", b.lines[1],
            f"  br i1 {more.text}, label {head}, label {done}", f"{done[1:]}:",
        ]

    def _between(self, first: str, stop: str, step: int, body) -> list[str]:
        """Return `body(counter)` for first, first + step, ... below stop."""
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

    def _blocks(self, depth: int, first: str, stop: str, step: int, body) -> list[str]:
        """Return the same in a loop of the kernel, cut into blocks if sums are to be settled after each."""
        if depth not in self.cuts:
            if first == "0" and stop.isdigit():
                return self._loop(int(stop), step, body)
            return self._between(first, stop, step, body)
        turns, settle = self.cuts[depth]

        def block(begin: str) -> list[str]:
            b = Builder(self.module, 1)
            end = b.minimum(b.value(begin) + turns * step, b.value(stop))
            return [*b.lines, *self._loop(end.text, step, body, begin), *settle()]

        return self._between(first, stop, turns * step, block)

    def _turns(self, depth: int, inside, step: int = 1, several=None) -> list[str]:
        """Return a loop over a whole axis: `several(counter)` for `step` turns at a time, `inside` for the rest."""
        n = self.kernel.domain[depth]
        if several is None:
            return self._blocks(depth, "0", str(n), 1, inside)
        lines = self._blocks(depth, "0", str(n // step * step), step, several)
        if n % step > _MAX_TURNS_WRITTEN_OUT:
            return lines + self._between(str(n // step * step), str(n), 1, inside)
        return lines + [line for j in range(n // step * step, n) for line in inside(str(j))]

    def extent(self, depth: int) -> int:
        """Return how many turns of a loop follow each other, at most."""
        return self.kernel.domain[depth]

    def _outer(self, depth: int) -> list[str]:
        """Return the code inside `depth` loops."""
        scope = Scope()
        self.scopes.append(scope)
        if depth < self.outer:
            self._store_scalars(depth, after=False)

            def inside(counter):
                b = Builder(self.module, 1)
                if len(self.totals) * len(self.kernel.ops) > _MAX_ROW_ADDRESSES and not counter.isdigit():
                    # LLVM would look for a long time for the best of all ways to count the addresses.
                    counter = b.new(f'call i64 asm "", "=r,0"(i64 {counter})').text
                self.counters.append(counter)
                lines = self._outer(depth + 1)
                self.counters.pop()
                return [*b.lines, *lines]

            loop = self.summing(depth, inside)
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

    def rows_at_once(self, counter: str, count: int) -> list[str]:
        """Return the code inside the outer loops for some rows at once, of kernels of one phase."""
        b = Builder(self.module, 1)
        counters = [counter, *[b.new(f"add nuw nsw i64 {counter}, {k}").text for k in range(1, count)]]
        self.together = [(Scope(), c) for c in counters]
        self.scopes.append(self.together[0][0])
        self.counters.append(counter)
        for row in self.together:
            self.scopes[-1], self.counters[-1] = row
            self._store_scalars(self.outer, after=False)
        loops = self._row(self.outer, 0, *self._work(0), [], {}, 1)
        lines = [line for scope, _ in self.together for line in scope.lines]
        self.scopes.pop()
        self.counters.pop()
        self.together = []
        return [*b.lines, *lines, *loops]

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
        """Return the address of a buffer at the counters of the first `depth` loops."""
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
        """Return an op of an outer loop."""
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
        """Return the element of an array at a computed place."""
        return load_scalar(self.block(depth), self.moved(op, depth), op.dtype)

    def moved(self, op: Op, depth: int) -> str:
        """Return the address of a `take` at the counters of the first loops, on which its place depends alone."""
        (_, argument, access), place = op.operands
        known = self.scopes[depth].known
        key = ("moved", argument, access.offset, access.strides[:depth], place)
        if key not in known:
            base, index = self.pointer(argument, op.dtype, access, depth), self.scalar_operand(place, depth)
            at = f"getelementptr {memory_type(op.dtype)}, ptr {base}, {llvm_type(index.dtype)} {index.text}"
            known[key] = self.block(depth).new(at).text
        return known[key]

    def varies(self, x: tuple) -> bool:
        """Return whether an operand is not the same along the whole innermost loop."""
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
        """Return the value of an iota at the counters of the first loops, and at `counter` in the last one."""
        _, dtype, access = x
        places = list(zip(self.counters[:depth], access.strides))
        if depth == self.rank - 1 and counter != "0":
            places.append((counter, access.strides[-1]))
        scalars = Builder(self.module, 1, b.lines)
        total = scalars.integer(access.offset)
        for place, stride in places:
            if stride and place != "0":
                total = total + scalars.value(str(self.scaled(scalars, place, stride)))
        if b.lanes > 1:
            total = b.spread(b.value(total.text, I64))
            if access.strides[-1]:
                steps = ", ".join([f"i64 {lane * access.strides[-1]}" for lane in range(b.lanes)])
                total = total + b.value(f"<{steps}>")
        return b.convert(total, dtype)

    # ---- vectors of the inner loop ---------------------------------------------------------------

    def _phase(self, number: int, reductions: list[int], stores: list[int]) -> list[str]:
        """Write one pass over the row."""
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
                sums[i] = [self.variable(wide, start) for _ in range(copies)]
        cut, long = self._long_sums_of_row(before, sums, copies)
        if cut is not None:
            self.cuts[cut[0]] = Cut(cut[1], lambda: self._settle_row(sums, long))
        loops = self._row(self.outer, number, reductions, stores, spills, sums, copies)
        if cut is not None:
            del self.cuts[cut[0]]
        lines = [*scope.lines, *before.lines, *loops]
        scope.lines = []
        for i, places in sums.items():
            self._finish(i, places, long.get(i, ()))
        lines += scope.lines
        scope.lines = []
        return lines

    def _long_sums_of_row(self, before: Builder, sums: dict, copies: int) -> tuple[tuple[int, int] | None, dict]:
        """Return the loop of a row that is cut into blocks, and variables for the totals and what they lost."""
        chosen = [i for i in sums if keeps_digits(self.kernel.ops[i].name, register_dtype(self.kernel.ops[i].dtype))]
        if not chosen:
            return None, {}
        loops = [(a, self.extent(a)) for a in range(self.outer, self.rank)]
        loops[-1] = self.rank - 1, -(-loops[-1][1] // (self.lanes * copies))
        cut, long = self.cut_of(loops) if self.cut_of(loops, _MAX_CHAIN_TERMS) else None, {}
        for i in chosen if cut is not None else ():
            wide = Builder(self.module, self.lanes, before.lines)
            long[i] = [self.variable(wide, wide.const(0, self.kernel.ops[i].dtype)) for _ in range(2)]
        return cut, long

    def _settle_row(self, sums: dict, long: dict) -> list[str]:
        """Return the sums of a block are added to the totals, and the next block begins."""
        b = Builder(self.module, self.lanes)
        for i, totals in long.items():
            self.settle(b, self.kernel.ops[i], sums[i], totals)
        return b.lines

    def _spilled_now(self, number, reductions, stores) -> list[int]:
        """Return what is computed in this phase for the first time, and kept."""
        roots = [x[1] for i in reductions for x in self.kernel.ops[i].operands if x[0] == "op"]
        return [i for i in self._needed([*roots, *stores]) if i in self.spills and i not in self.stored_in]

    def _finish(self, i: int, places: list[str], totals) -> None:
        """The lanes of a sum together: a value of the row, or a further term of what is in memory."""
        op, scope = self.kernel.ops[i], self.scopes[-1]
        register = register_dtype(op.dtype)
        value, lanes = self.sum_of(Builder(self.module, self.lanes, scope.lines), op, places, totals), self.lanes
        if lanes > 1 and op.dtype == BOOL and op.name in ANY_OR_ALL:
            value, lanes = any_or_all(Builder(self.module, 1, scope.lines), op.name, value, lanes), 1
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
        k, access = self.summed_in(i)
        pointer = self.pointer(k, op.dtype, access, self.outer)
        store_scalar(b, combine(b, op.name, load_scalar(b, pointer, op.dtype), value), pointer, op.dtype)

    def _reduced(self, i: int, value: Value) -> None:
        """The result of a row's reduction is known."""
        self.scopes[-1].known[i] = self.block(self.outer).rounded(value, self.kernel.ops[i].dtype)

    def held(self, b: Builder, argument: int, access: Access) -> Value | None:
        """Return an operand's value in this turn, if it was read before."""
        return None

    def output(self, i: int) -> tuple[int, Access]:
        """Return the argument that an op is written to."""
        for k, (j, access) in enumerate(self.kernel.outputs):
            if i == j:
                return len(self.kernel.inputs) + k, access
        raise KeyError(i)

    def _row(self, depth, number, reductions, stores, spills, sums, copies) -> list[str]:
        """Return the loops of the row from `depth` on."""
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
        """Return the innermost loop: a part that its step divides, and what is left."""
        turns = whole // step
        is_short = turns <= _MAX_TURNS_WRITTEN_OUT and turns * len(self.kernel.ops) <= WRITTEN_OUT and self.outer
        if self.totals or is_short:  # sums that are held have a variable for each turn
            return [line for j in range(0, whole, step) for line in body(str(j))] + end()
        return [*(self._blocks(self.rank - 1, "0", str(whole), step, body) if whole else []), *end()]

    def _end(self, at: int, body) -> list[str]:
        """Return the innermost loop from `at` on: single vectors, and one with a mask."""
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
            lines += body(str(at), self.mask_of(last - at), 1)
        return lines

    def mask_of(self, n: int) -> str:
        """Return a vector of which only the first lanes count."""
        return "<" + ", ".join([f"i1 {'true' if k < n else 'false'}" for k in range(self.lanes)]) + ">"

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
            terms: dict[int, list[Value]] = {i: [] for i in reductions}
            for row in self.together or [None]:
                if row is not None:
                    self.scopes[-1], self.counters[-1] = row
                vectors = Vectors(self, b, at, mask, number)
                roots = [x[1] for i in reductions for x in self.kernel.ops[i].operands if x[0] == "op"]
                vectors.prepare([*roots, *stores])
                for i in reductions:
                    terms[i].append(vectors.operand(self.kernel.ops[i].operands[0]))
                mixed = self._store_rows(vectors, stores)
                for i in stores:
                    if i not in mixed:
                        k, access = self.output(i)
                        vectors.store(vectors.value(i), k, self.kernel.ops[i].dtype, access)
                for i in spills:
                    vectors.keep(i)
            for i in reductions:
                value = combined(b, self.kernel.ops[i].name, terms[i])
                self._reduce(vectors, i, value, sums[i][copy] if i in sums else None)
        for i in (*stores, *spills):
            self.stored_in.setdefault(i, number)
        return lines

    def _store_rows(self, vectors: Vectors, stores: list[int]) -> set[int]:
        """Write what makes whole rows of an array, and return which ops that are."""
        b, done = vectors.b, set()
        if b.lanes < 4 or vectors.mask is not None:
            return done
        for row in self.written_together:
            ops = [self.kernel.outputs[k][0] for k in row]
            if len({*ops}) == len(ops) and done.isdisjoint(ops) and {*ops} <= {*stores}:
                dtype, first = self.kernel.ops[ops[0]].dtype, row[0]
                address = vectors.address(len(self.kernel.inputs) + first, dtype, self.kernel.outputs[first][1])
                write_mixed(b, [storable(b, vectors.value(i), dtype) for i in ops], address, dtype)
                done.update(ops)
        return done

    def picked(self, vectors: Vectors, argument: int, dtype, access: Access) -> Value | None:
        """Return an operand that is read with gaps, from vectors of neighbours; None if it is read lane by lane."""
        together, lanes = self.read_together.get((argument, access)), vectors.b.lanes
        if together is None or lanes < max(4, abs(access.strides[-1])) or vectors.mask is not None:
            return None
        first, last = together
        address = vectors.shared_address(argument, dtype, access._replace(offset=first))
        return picked(
            vectors.b, vectors.known, address, dtype, access.strides[-1], access.offset - first, last - first
        )

    def _reduce(self, vectors: Vectors, i: int, value: Value, place: str | None) -> None:
        op, b = self.kernel.ops[i], vectors.b
        held = self.totals.get((i, vectors.j)) if place is None else None
        if held is not None:  # what the lanes hold that do not count is dropped at the end
            self.put(b, [combine(b, op.name, self.get(b, op, held), value)], [held])
            return
        if place is None:  # along outer loops: in memory
            k, access = self.summed_in(i)
            vectors.store(combine(b, op.name, vectors.load(k, op.dtype, access), value), k, op.dtype, access)
            return
        if vectors.mask and b.lanes > 1:
            mask = b.value(vectors.mask, BOOL)
            value = b.select(mask, value, identity(op.name, op.dtype))
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
