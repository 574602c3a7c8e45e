"""Values in registers: between memory and registers, and those of one turn of the innermost loop.

A turn of the innermost loop handles as many elements as a vector has lanes; at the end of a row a mask says which
of them count. What stands next to each other in memory is read and written as a vector (and turned round if it is read
backwards), what does not lane by lane.

Tests: `tests/engines/native/kernels/test_tiles.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....core.primitive import primitives
from ..graph.kernel import Access, Op
from ..text.builder import BOOL, F32, NARROW, Builder, Value, llvm_type, memory_type, register_dtype

if TYPE_CHECKING:
    from .emitter import Emitter

__all__ = [
    "Vectors", "apply", "combine", "combined", "gathered", "lanes_at", "load_scalar", "loaded", "read", "scattered",
    "shuffled", "storable", "store_scalar", "turned_round", "write",
]


def loaded(b: Builder, value: Value, dtype) -> Value:
    """Return what was read from memory as a register."""
    if dtype == BOOL:
        return b.new(f"trunc {b.wide('i8')} {value.text} to {b.wide('i1')}", BOOL)
    if dtype not in NARROW:
        return value
    if dtype.kind == "f":
        return b.half_to_float(value)
    bits = b.new(f"zext {b.wide('i16')} {value.text} to {b.wide('i32')}", np.dtype("u4"))
    return b.bitcast(bits << 16, F32)


def storable(b: Builder, value: Value, dtype) -> Value:
    """Return a register as memory has it."""
    if dtype == BOOL:
        return b.new(f"zext {b.wide('i1')} {value.text} to {b.wide('i8')}")
    if dtype not in NARROW:
        return value
    if dtype.kind == "f":
        return b.float_to_half(value)
    bits = b.bitcast(value, np.dtype("u4"))
    high = b.round_bfloat(bits, value) >> 16
    return b.new(f"trunc {b.wide('i32')} {high.text} to {b.wide('i16')}")


def load_scalar(b: Builder, pointer: str, dtype) -> Value:
    value = b.new(f"load {memory_type(dtype)}, ptr {pointer}, align {dtype.itemsize}", register_dtype(dtype))
    return loaded(b, value, dtype)


def store_scalar(b: Builder, value: Value, pointer: str, dtype) -> None:
    value = storable(b, value, dtype)
    b.line(f"store {memory_type(dtype)} {value.text}, ptr {pointer}, align {dtype.itemsize}")


def apply(b: Builder, op: Op, args: list[Value]) -> Value:
    """Return the operation of an element-wise op, rounded to its dtype."""
    return b.rounded(primitives[op.name].emit_rule(b, *map(b.adopt, args), **dict(op.params)), op.dtype)


def combine(b: Builder, name: str, x: Value, y: Value) -> Value:
    """Return one step of a reduction."""
    return primitives[name].emit_rule(b, b.adopt(x), b.adopt(y))


# How the lanes of booleans are reduced: as the bits of one integer, which is one instruction where masks are registers.
ANY_OR_ALL = {"or": "ne", "max": "ne", "and": "eq", "min": "eq"}


def any_or_all(b: Builder, name: str, value: Value, lanes: int) -> Value:
    """Return the lanes of a vector of booleans together."""
    bits = b.new(f"bitcast <{lanes} x i1> {value.text} to i{lanes}", value.dtype).text
    edge = "0" if ANY_OR_ALL[name] == "ne" else "-1"
    return b.new(f"icmp {ANY_OR_ALL[name]} i{lanes} {bits}, {edge}", value.dtype)


def read(b: Builder, address: str, dtype, mask: str | None = None) -> Value:
    """Return a vector as memory has it."""
    t = memory_type(dtype)
    if b.lanes == 1 or mask is None:
        return b.new(f"load {b.wide(t)}, ptr {address}, align {dtype.itemsize}", register_dtype(dtype))
    wide, flags = b.wide(t), b.wide("i1")
    name = f"llvm.masked.load.v{b.lanes}{_short(t)}.p0"
    b.module.declarations.add(f"declare {wide} @{name}(ptr, {flags}, {wide})")
    return b.new(
        f"call {wide} @{name}(ptr align {dtype.itemsize} {address}, {flags} {mask}, {wide} zeroinitializer)",
        register_dtype(dtype),
    )


def write(b: Builder, value: Value, address: str, dtype, mask: str | None = None) -> None:
    t = memory_type(dtype)
    wide, flags = b.wide(t), b.wide("i1")
    if b.lanes == 1 or mask is None:
        b.line(f"store {wide} {value.text}, ptr {address}, align {dtype.itemsize}")
        return
    name = f"llvm.masked.store.v{b.lanes}{_short(t)}.p0"
    b.module.declarations.add(f"declare void @{name}({wide}, ptr, {flags})")
    b.line(f"call void @{name}({wide} {value.text}, ptr align {dtype.itemsize} {address}, {flags} {mask})")


def lanes_at(b: Builder, address: str, dtype, stride: int) -> str:
    """Return the addresses of elements that are so many apart, one for each lane."""
    steps = ", ".join([f"i64 {k * stride}" for k in range(b.lanes)])
    return b.new(f"getelementptr {memory_type(dtype)}, ptr {address}, <{b.lanes} x i64> <{steps}>").text


def gathered(b: Builder, places: str, dtype, mask: str | None = None) -> Value:
    """Return the elements at the addresses in a vector, as memory has them."""
    t, mask = memory_type(dtype), mask or "splat (i1 true)"
    wide, flags = b.wide(t), b.wide("i1")
    name = f"llvm.masked.gather.v{b.lanes}{_short(t)}.v{b.lanes}p0"
    b.module.declarations.add(f"declare {wide} @{name}({b.wide('ptr')}, {flags}, {wide})")
    return b.new(
        f"call {wide} @{name}({b.wide('ptr')} align {dtype.itemsize} {places}, {flags} {mask}, {wide} zeroinitializer)",
        register_dtype(dtype),
    )


def scattered(b: Builder, value: Value, places: str, dtype, mask: str | None = None) -> None:
    """Write a vector to the addresses in another one."""
    t, mask = memory_type(dtype), mask or "splat (i1 true)"
    wide, flags = b.wide(t), b.wide("i1")
    name = f"llvm.masked.scatter.v{b.lanes}{_short(t)}.v{b.lanes}p0"
    b.module.declarations.add(f"declare void @{name}({wide}, {b.wide('ptr')}, {flags})")
    b.line(
        f"call void @{name}({wide} {value.text}, {b.wide('ptr')} align {dtype.itemsize} {places}, {flags} {mask})"
    )


def shuffled(b: Builder, x: Value, y: Value, dtype, lanes: Sequence[int | None]) -> Value:
    """Return lanes of two vectors as memory has them, by number; None for any."""
    t = b.wide(memory_type(dtype))
    order = ", ".join(["i32 poison" if k is None else f"i32 {k}" for k in lanes])
    return b.new(f"shufflevector {t} {x.text}, {t} {y.text}, <{b.lanes} x i32> <{order}>", register_dtype(dtype))


def turned_round(b: Builder, x: Value, dtype) -> Value:
    """Return a vector as memory has it, its last lane first."""
    return shuffled(b, x, x, dtype, range(b.lanes)[::-1])


def _read_backwards(b: Builder, address: str, dtype, mask: str | None) -> Value:
    """Return the element at an address, in the first lane, and those before it."""
    first = b.new(f"getelementptr {memory_type(dtype)}, ptr {address}, i64 {1 - b.lanes}").text
    if mask is not None:
        mask = "<" + ", ".join(mask.strip("<>").split(", ")[::-1]) + ">"
    return turned_round(b, read(b, first, dtype, mask), dtype)


def combined(b: Builder, name: str, values: list[Value]) -> Value:
    """Return the steps of a reduction of some values, neighbours first."""
    while len(values) > 1:
        pairs = [combine(b, name, x, y) for x, y in zip(values[::2], values[1::2])]
        values = pairs + values[2 * len(pairs) :]
    return values[0]


class Vectors:
    """The values of one turn of the innermost loop."""

    def __init__(self, emitter: Emitter, b: Builder, j: str, mask: str | None, phase: int):
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
        """Return an op at this place: computed, read again, or a value of an outer loop in every lane."""
        op, e = self.kernel.ops[i], self.emitter
        if (op.reduced is not None and e.is_row(op)) or op.depth < e.rank:
            return self.spread(i, lambda: e.scalar(i))
        if i not in self.known:
            kept = e.stored_in.get(i, self.phase) < self.phase
            self.known[i] = self.again(i) if kept else self.made(op)
        return self.known[i]

    def made(self, op: Op) -> Value:
        if op.name == "take":
            return self.taken(op)
        operands = [self.operand(x) for x in op.operands]
        if op.name in ("div", "rem") and self.mask is not None and self.b.lanes > 1 and operands[1].dtype.kind == "f":
            # LLVM holds 0 / 0 for 0 in lanes that were not read, and leaves out a choice between zeros.
            operands[1] = self.b.select(self.b.value(self.mask, BOOL), operands[1], 1.0)
        return apply(self.b, op, operands)

    def taken(self, op: Op) -> Value:
        """Return elements at computed places: they stand in a row, or each lane has its own place."""
        e, b, dtype = self.emitter, self.b, op.dtype
        (_, argument, access), place = op.operands
        if not e.varies(place):
            base = e.moved(op, max(e.rank - 1, 0))
            index = e.scaled(b, self.j, access.strides[-1]) if e.rank else 0
            if index not in (0, "0"):
                base = b.new(f"getelementptr {memory_type(dtype)}, ptr {base}, i64 {index}").text
            return self.load_from(base, dtype, access.strides[-1] if e.rank else 0)
        base, index = self.address(argument, dtype, access), self.operand(place)
        t = llvm_type(index.dtype)
        stride = access.strides[-1] if e.rank else 0
        if b.lanes > 1 and stride:
            steps = ", ".join([f"{t} {k * stride}" for k in range(b.lanes)])
            index = index + b.value(f"<{steps}>", index.dtype)
        at = b.new(f"getelementptr {memory_type(dtype)}, ptr {base}, {b.wide(t)} {index.text}").text
        return load_scalar(b, at, dtype) if b.lanes == 1 else loaded(b, self.gathered(at, dtype), dtype)

    def again(self, i: int) -> Value:
        """Return what an earlier phase stored."""
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
        """Return a scalar of an outer loop in every lane, made before this loop."""
        e = self.emitter
        if self.b.lanes == 1:
            return scalar()
        scope = e.scopes[-1]
        if ("wide", key) not in scope.known:
            value = scalar()
            wide = Builder(e.module, self.b.lanes, scope.lines)
            scope.known["wide", key] = wide.spread(value)
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

    def shared_address(self, argument: int, dtype, access: Access) -> str:
        """Return the address of what some operands are read from, written once for this turn."""
        key = ("address", argument, access)
        if key not in self.known:
            self.known[key] = self.address(argument, dtype, access)
        return self.known[key]

    def row_pointer(self, i: int) -> str:
        """Return where an op is kept: rows of more than one loop are one after the other."""
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
        held = self.emitter.held(self.b, argument, access)
        if held is not None:
            return held
        picked = self.emitter.picked(self, argument, dtype, access)
        if picked is not None:
            return loaded(self.b, picked, dtype)
        return self.load_from(self.address(argument, dtype, access), dtype, access.strides[-1] if access.strides else 0)

    def load_from(self, address: str, dtype, stride: int) -> Value:
        if self.b.lanes == 1:
            return load_scalar(self.b, address, dtype)
        if stride == 1:
            return loaded(self.b, self.read(address, dtype), dtype)
        if stride == -1:
            return loaded(self.b, _read_backwards(self.b, address, dtype, self.mask), dtype)
        return loaded(self.b, self.gathered(self.lanes_at(address, dtype, stride), dtype), dtype)

    def store(self, value: Value, argument: int, dtype, access: Access) -> None:
        address = self.address(argument, dtype, access)
        if self.b.lanes == 1:
            store_scalar(self.b, value, address, dtype)
        elif access.strides[-1] == 1:
            self.write(storable(self.b, value, dtype), address, dtype)
        else:
            self.scattered(storable(self.b, value, dtype), address, dtype, access.strides[-1])

    def read(self, address: str, dtype) -> Value:
        return read(self.b, address, dtype, self.mask)

    def write(self, value: Value, address: str, dtype) -> None:
        write(self.b, value, address, dtype, self.mask)

    def lanes_at(self, address: str, dtype, stride: int) -> str:
        return lanes_at(self.b, address, dtype, stride)

    def gathered(self, places: str, dtype) -> Value:
        return gathered(self.b, places, dtype, self.mask)

    def scattered(self, value: Value, address: str, dtype, stride: int) -> None:
        scattered(self.b, value, self.lanes_at(address, dtype, stride), dtype, self.mask)


def _short(t: str) -> str:
    return {"float": "f32", "double": "f64", "half": "f16"}.get(t, t)
