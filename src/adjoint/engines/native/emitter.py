"""The code of a kernel: loops over its domain, the innermost one over vectors, its end masked.

The loops of a row are written once for each phase. Values of outer loops are scalars, written where their loop
begins the first time something needs them. Loop counters and sums are local variables in memory; LLVM puts
them into registers. Everything is known when the code is written: no index is computed from data, so none can
leave a buffer.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ...core.primitive import primitives
from .builder import BOOL, F32, I64, NARROW, Builder, Module, Value, llvm_type, memory_type, register_dtype
from .elementwise import cost
from .graph import identity
from .kernel import Access, Kernel, Op
from .machine import VECTOR_BYTES

__all__ = ["emit_kernel", "load_scalar", "store_scalar"]

_SPILL = 16384  # elements of a row that are kept on the stack
_WORTH_KEEPING = 8  # operations
_UNROLLED = 4


def emit_kernel(module: Module, kernel: Kernel, name: str) -> None:
    """Write `void name(ptr arguments)`: arguments are the buffers of the inputs, then of the outputs."""
    _Emitter(module, kernel).function(name)


def lanes_of(kernel: Kernel) -> int:
    widest = max([register_dtype(op.dtype).itemsize for op in kernel.ops if op.dtype != BOOL], default=1)
    widest = max([widest, *[register_dtype(d).itemsize for d in kernel.inputs if d != BOOL]])
    lanes = VECTOR_BYTES // widest
    last = kernel.domain[-1] if kernel.domain else 1
    while lanes > 1 and lanes // 2 >= last:
        lanes //= 2
    return lanes


# ---- memory --------------------------------------------------------------------------------------


def loaded(b: Builder, value: Value, dtype) -> Value:
    """What was read from memory as a register."""
    if dtype == BOOL:
        return b.new(f"trunc {b.wide('i8')} {value.text} to {b.wide('i1')}", BOOL)
    if dtype not in NARROW:
        return value
    if dtype.kind == "f":
        return b.half_to_float(value)
    bits = b.new(f"zext {b.wide('i16')} {value.text} to {b.wide('i32')}", np.dtype("u4"))
    return b.bitcast(b.binary("shl", bits, b.like(bits, 16)), F32)


def storable(b: Builder, value: Value, dtype) -> Value:
    """A register as memory has it."""
    if dtype == BOOL:
        return b.new(f"zext {b.wide('i1')} {value.text} to {b.wide('i8')}")
    if dtype not in NARROW:
        return value
    if dtype.kind == "f":
        return b.float_to_half(value)
    bits = b.bitcast(value, np.dtype("u4"))
    high = b.binary("lshr", b.round_bfloat(bits, value), b.like(bits, 16))
    return b.new(f"trunc {b.wide('i32')} {high.text} to {b.wide('i16')}")


def load_scalar(b: Builder, pointer: str, dtype) -> Value:
    value = b.new(f"load {memory_type(dtype)}, ptr {pointer}, align {dtype.itemsize}", register_dtype(dtype))
    return loaded(b, value, dtype)


def store_scalar(b: Builder, value: Value, pointer: str, dtype) -> None:
    value = storable(b, value, dtype)
    b.line(f"store {memory_type(dtype)} {value.text}, ptr {pointer}, align {dtype.itemsize}")


def apply(b: Builder, op: Op, args: list[Value]) -> Value:
    """The operation of an element-wise op, rounded to its dtype."""
    return b.rounded(primitives[op.name].emit_rule(b, *args, **dict(op.params)), op.dtype)


def combine(b: Builder, name: str, x: Value, y: Value) -> Value:
    """One step of a reduction."""
    if name in ("add", "mul"):
        return b.add(x, y) if name == "add" else b.mul(x, y)
    if name in ("max", "min"):
        return b.maximum(x, y) if name == "max" else b.minimum(x, y)
    return b.binary(name, x, y)


class _Scope:
    """The values known in one loop; `lines` are written before the loops inside it."""

    def __init__(self):
        self.known: dict = {}
        self.lines: list[str] = []


class _Emitter:
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
        self.scopes: list[_Scope] = []
        self.counters: list[str] = []
        self.pointers: list[str] = []

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

    # ---- the function ----------------------------------------------------------------------------

    def function(self, name: str) -> None:
        self.module.allocas = []
        entry = Builder(self.module, 1)
        count = len(self.kernel.inputs) + len(self.kernel.outputs)
        for i in range(count):
            place = entry.new(f"getelementptr ptr, ptr %arguments, i64 {i}")
            self.pointers.append(entry.new(f"load ptr, ptr {place.text}, align 8").text)
        self._clear(entry)
        body = self._outer(0)
        lines = [*self.module.allocas, *entry.lines, *body]
        text = "\n".join([f"define void {name}(ptr %arguments) #0 {{", "entry:", *lines, "  ret void", "}"])
        self.module.functions.append(text)

    def _clear(self, b: Builder) -> None:
        """Results that are summed up in memory start from the identity."""
        for k, (i, _) in enumerate(self.kernel.outputs):
            op = self.kernel.ops[i]
            if op.reduced is None or self.is_row(op):
                continue
            size = prod([d for a, d in enumerate(self.kernel.domain) if a not in op.reduced])
            pointer = self.pointers[len(self.kernel.inputs) + k]
            lines = self._loop(size, 1, lambda j, pointer=pointer, op=op: self._clear_one(j, pointer, op))
            b.lines += lines

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

    def _outer(self, depth: int) -> list[str]:
        """The code inside `depth` loops."""
        scope = _Scope()
        self.scopes.append(scope)
        if depth < self.outer:
            self._store_scalars(depth, after=False)

            def inside(counter):
                self.counters.append(counter)
                lines = self._outer(depth + 1)
                self.counters.pop()
                return lines

            loop = self._loop(self.kernel.domain[depth], 1, inside)
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
            operands = [self.scalar_operand(x, depth) for x in op.operands]
            self.scopes[depth].known[k] = apply(self.block(depth), op, operands)
        return self.scopes[self.depths[i]].known[i]

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
        copies = _UNROLLED if alone and last >= 2 * _UNROLLED * self.lanes else 1
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
        b = self.block(self.outer)
        if self.is_row(op):
            scope.known[i] = b.rounded(value, op.dtype)
            return
        k, access = self.output(i)
        pointer = self.pointer(k, op.dtype, access, self.outer)
        store_scalar(b, combine(b, op.name, load_scalar(b, pointer, op.dtype), value), pointer, op.dtype)

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
                self.scopes.append(_Scope())
                loops = self._row(depth + 1, number, reductions, stores, spills, sums, copies)
                lines = [*self.scopes.pop().lines, *loops]
                self.counters.pop()
                return lines

            return self._loop(self.kernel.domain[depth], 1, inside)
        last, lanes = self.kernel.domain[-1], self.lanes
        at = 0
        lines: list[str] = []
        for n in (copies, 1) if copies > 1 else (1,):
            whole = (last - at) // (lanes * n) * (lanes * n)
            if whole:
                lines += self._loop(whole, lanes * n, lambda j, at=at, n=n: self._shifted(j, at, body, n))
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
            vectors = _Vectors(self, b, at, mask, number)
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

    def _reduce(self, vectors: _Vectors, i: int, place: str | None) -> None:
        op, b = self.kernel.ops[i], vectors.b
        value = vectors.operand(op.operands[0])
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


class _Vectors:
    """The values of one turn of the innermost loop."""

    def __init__(self, emitter: _Emitter, b: Builder, j: str, mask: str | None, phase: int):
        self.emitter = emitter
        self.kernel = emitter.kernel
        self.b = b
        self.j = j
        self.mask = mask
        self.phase = phase
        self.known: dict = {}

    def prepare(self, roots) -> None:
        """Compute what the roots need, in order, so that nothing recurses over the length of a kernel."""
        e, needed, todo = self.emitter, set(), list(roots)
        while todo:
            i = todo.pop()
            op = self.kernel.ops[i]
            if i in needed or op.depth < e.rank or op.reduced is not None:
                continue
            if e.stored_in.get(i, self.phase) < self.phase:
                continue
            needed.add(i)
            todo += [x[1] for x in op.operands if x[0] == "op"]
        for i in sorted(needed):
            self.value(i)

    def value(self, i: int) -> Value:
        """An op at this place: computed, read again, or a value of an outer loop in every lane."""
        op, e = self.kernel.ops[i], self.emitter
        if (op.reduced is not None and e.is_row(op)) or op.depth < e.rank:
            return self.spread(i, lambda: e.scalar(i))
        if i not in self.known:
            kept = e.stored_in.get(i, self.phase) < self.phase
            self.known[i] = self.again(i) if kept else apply(self.b, op, [self.operand(x) for x in op.operands])
        return self.known[i]

    def again(self, i: int) -> Value:
        """What an earlier phase stored."""
        dtype, e = self.kernel.ops[i].dtype, self.emitter
        if i in e.spills:
            return loaded(self.b, self.read(self.row_pointer(i), dtype), dtype)
        argument, access = e.output(i)
        return self.load(argument, dtype, access)

    def operand(self, x: tuple) -> Value:
        e = self.emitter
        if x[0] == "op":
            return self.value(x[1])
        if x[0] == "const":
            return self.b.const(np.frombuffer(x[2], x[1])[0], x[1])
        if x not in self.known:
            access = x[2]
            if self.b.lanes > 1 and not access.strides[-1] and e.rank:
                self.known[x] = self.spread(x, lambda: e.scalar_operand(x, e.rank - 1))
            elif x[0] == "iota":
                self.known[x] = self.b.rounded(e.index(self.b, x, max(e.rank - 1, 0), self.j), x[1])
            else:
                self.known[x] = self.load(x[1], self.kernel.inputs[x[1]], access)
        return self.known[x]

    def spread(self, key, scalar) -> Value:
        """A scalar of an outer loop in every lane, made before this loop."""
        e = self.emitter
        if self.b.lanes == 1:
            return scalar()
        scope = e.scopes[-1]
        if ("wide", key) not in scope.known:
            value = scalar()
            wide = Builder(e.module, self.b.lanes, scope.lines)
            scope.known["wide", key] = e.splat(wide, value, value.dtype)
        return scope.known["wide", key]

    # ---- memory ----------------------------------------------------------------------------------

    def address(self, argument: int, dtype, access: Access) -> str:
        e = self.emitter
        if not e.rank:
            return e.pointer(argument, dtype, access, 0)
        base = e.pointer(argument, dtype, access, e.rank - 1)
        index = e.scaled(self.b, self.j, access.strides[-1])
        if index in (0, "0"):
            return base
        return self.b.new(f"getelementptr {memory_type(dtype)}, ptr {base}, i64 {index}").text

    def row_pointer(self, i: int) -> str:
        """Where an op is kept: rows of more than one loop lie one after the other."""
        e, domain = self.emitter, self.kernel.domain
        index, b = self.j, self.b
        stride = domain[-1]
        for a in range(e.rank - 2, e.outer - 1, -1):
            scaled = e.scaled(b, e.counters[a], stride)
            index = b.new(f"add nsw i64 {index}, {scaled}").text
            stride *= domain[a]
        dtype = self.kernel.ops[i].dtype
        return b.new(f"getelementptr {memory_type(dtype)}, ptr {e.spills[i]}, i64 {index}").text

    def keep(self, i: int) -> None:
        dtype = self.kernel.ops[i].dtype
        self.write(storable(self.b, self.value(i), dtype), self.row_pointer(i), dtype)

    def load(self, argument: int, dtype, access: Access) -> Value:
        address = self.address(argument, dtype, access)
        if self.b.lanes == 1:
            return load_scalar(self.b, address, dtype)
        if access.strides[-1] == 1:
            return loaded(self.b, self.read(address, dtype), dtype)
        return loaded(self.b, self.gathered(address, dtype, access.strides[-1]), dtype)

    def store(self, value: Value, argument: int, dtype, access: Access) -> None:
        address = self.address(argument, dtype, access)
        if self.b.lanes == 1:
            store_scalar(self.b, value, address, dtype)
        elif access.strides[-1] == 1:
            self.write(storable(self.b, value, dtype), address, dtype)
        else:
            self.scattered(storable(self.b, value, dtype), address, dtype, access.strides[-1])

    def read(self, address: str, dtype) -> Value:
        """A vector as memory has it."""
        b, t = self.b, memory_type(dtype)
        if b.lanes == 1 or self.mask is None:
            return b.new(f"load {b.wide(t)}, ptr {address}, align {dtype.itemsize}", register_dtype(dtype))
        wide, flags = b.wide(t), b.wide("i1")
        name = f"llvm.masked.load.v{b.lanes}{_short(t)}.p0"
        b.module.declarations.add(f"declare {wide} @{name}(ptr, {flags}, {wide})")
        return b.new(
            f"call {wide} @{name}(ptr align {dtype.itemsize} {address}, {flags} {self.mask}, {wide} zeroinitializer)",
            register_dtype(dtype),
        )

    def write(self, value: Value, address: str, dtype) -> None:
        b, t = self.b, memory_type(dtype)
        wide, flags = b.wide(t), b.wide("i1")
        if b.lanes == 1 or self.mask is None:
            b.line(f"store {wide} {value.text}, ptr {address}, align {dtype.itemsize}")
            return
        name = f"llvm.masked.store.v{b.lanes}{_short(t)}.p0"
        b.module.declarations.add(f"declare void @{name}({wide}, ptr, {flags})")
        b.line(f"call void @{name}({wide} {value.text}, ptr align {dtype.itemsize} {address}, {flags} {self.mask})")

    def lanes_at(self, address: str, dtype, stride: int) -> str:
        b = self.b
        steps = ", ".join([f"i64 {k * stride}" for k in range(b.lanes)])
        return b.new(f"getelementptr {memory_type(dtype)}, ptr {address}, <{b.lanes} x i64> <{steps}>").text

    def flags(self) -> str:
        return self.mask or "splat (i1 true)"

    def gathered(self, address: str, dtype, stride: int) -> Value:
        b, t = self.b, memory_type(dtype)
        places, wide, flags = self.lanes_at(address, dtype, stride), b.wide(t), b.wide("i1")
        name = f"llvm.masked.gather.v{b.lanes}{_short(t)}.v{b.lanes}p0"
        b.module.declarations.add(f"declare {wide} @{name}({b.wide('ptr')}, {flags}, {wide})")
        return b.new(
            f"call {wide} @{name}({b.wide('ptr')} align {dtype.itemsize} {places}, {flags} {self.flags()}, "
            f"{wide} zeroinitializer)", register_dtype(dtype),
        )

    def scattered(self, value: Value, address: str, dtype, stride: int) -> None:
        b, t = self.b, memory_type(dtype)
        places, wide, flags = self.lanes_at(address, dtype, stride), b.wide(t), b.wide("i1")
        name = f"llvm.masked.scatter.v{b.lanes}{_short(t)}.v{b.lanes}p0"
        b.module.declarations.add(f"declare void @{name}({wide}, {b.wide('ptr')}, {flags})")
        b.line(
            f"call void @{name}({wide} {value.text}, {b.wide('ptr')} align {dtype.itemsize} {places}, "
            f"{flags} {self.flags()})"
        )


def _short(t: str) -> str:
    return {"float": "f32", "double": "f64", "half": "f16"}.get(t, t)
