"""Running sums and their kin, and the positions of extrema, along one axis.

Along the last axis a vector is scanned in registers, by as many steps as doublings reach its lanes (Hillis and
Steele, "Data parallel algorithms", 1986), and what came before is added to all of it. Along other axes rows are
combined with the row before.

Long sums of floats keep what additions lose beside them (kernels/sums.py). The logarithm of a sum of exponentials is
held as one exponent, and the sum of the others' exponentials as a multiple of its own, until a much greater exponent
comes.

Tests: `tests/engines/native/test_operations.py`.
"""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from ....core.primitive import primitives
from ..functions import vector_math as vm
from ..graph.components import component
from ..graph.graph import identity
from ..graph.view_rules import register
from ..graph.views import View
from ..kernels.sums import BLOCK_TERMS, LETTERS, added, whole
from ..kernels.vectors import combine, loaded, storable
from ..runtime.machine import VECTOR_BYTES
from ..text.builder import BOOL, Builder, Value, llvm_type, memory_type, register_dtype
from .base import Code, Routine, writes

_UNROLLED = 4
_MAX_FEW = 8  # elements along an axis that are compared with each other without a loop
_BLOCK_VECTORS, _MIN_BLOCKS = 4, 16  # vectors of a block of a running sum, and blocks, at least


def split_at(shape, axis: int) -> tuple[int, int, int]:
    """Return the lengths before, along and after an axis."""
    return prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])


def lanes_for(dtype, n: int, least: int = 1) -> int:
    """Return how many lanes a loop of n turns should have."""
    lanes = VECTOR_BYTES // max(register_dtype(dtype).itemsize, least)
    while lanes > 1 and lanes > n:
        lanes //= 2
    return lanes


def load_vector(b: Builder, address: str, dtype) -> Value:
    raw = b.new(f"load {b.wide(memory_type(dtype))}, ptr {address}, align {dtype.itemsize}", register_dtype(dtype))
    return loaded(b, raw, dtype)


def store_vector(b: Builder, value: Value, address: str, dtype) -> None:
    value = storable(b, value, dtype)
    b.line(f"store {b.wide(memory_type(dtype))} {value.text}, ptr {address}, align {dtype.itemsize}")


def shuffled(b: Builder, x: Value, y: str, lanes) -> Value:
    """Lanes of two vectors, those of the second one after those of the first."""
    t, picked = b.type(x.dtype), ", ".join([f"i32 {k}" for k in lanes])
    return b.new(f"shufflevector {t} {x.text}, {t} {y}, <{len(lanes)} x i32> <{picked}>", x.dtype)


def along(code: Code, n: int, lanes: int, body) -> None:
    """`body(builder, counter)` for all of n elements: vectors first, the rest one by one."""
    whole = n // lanes * lanes
    if whole:
        with code.loop(whole, step=lanes) as j:
            body(code.wide_builder(lanes), j)
    if whole < n and lanes > 1:
        with code.loop(n, whole) as j:
            body(code.wide_builder(1), j)


def joined(b: Builder, op: str, x: Value, y: Value) -> Value:
    """Combine two elements."""
    if op != "logsumexp":
        return combine(b, op, x, y)
    distance = abs(x - y)
    distance = b.select(x.equals(y), 0, distance)
    return b.maximum(x, y) + vm.log1p(b, vm.exp(b, -distance))


def _neutral(op: str, dtype):
    return -np.inf if op == "logsumexp" else identity(op, dtype)


def _is_long_sum(op: str, dtype, n: int) -> bool:
    """Return whether running results are sums of so many floats that they would lose digits."""
    return op in ("add", "logsumexp") and register_dtype(dtype) in LETTERS and n > BLOCK_TERMS


@writes("cumulative")
def _(code: Code, addresses, op, dtype, outer, n, inner, reverse):
    x, out, *space = addresses
    with code.loop(outer) as i:
        start = i * (n * inner)
        rows = [code.at(a, start, dtype) for a in (x, out)]
        if inner == 1:
            _last_axis(code, op, dtype, *rows, n, reverse)
        elif space:
            _long_sums(code, op, dtype, *rows, n, inner, reverse, space[0])
        else:
            _other_axis(code, op, dtype, *rows, n, inner, reverse)


def _other_axis(code: Code, op, dtype, x, out, n, inner, reverse) -> None:
    row = lambda base, k: code.at(base, k * inner, dtype)
    first = code.integer(n - 1 if reverse else 0)
    code.copy(row(out, first), row(x, first), inner * dtype.itemsize)
    with code.loop(n, 1) as turn:
        k = n - 1 - turn if reverse else turn
        before = k + (1 if reverse else -1)
        old, new, target = row(out, before), row(x, k), row(out, k)

        def body(b, j):
            values = [load_vector(b, code.at(a, j, dtype), dtype) for a in (old, new)]
            store_vector(b, b.rounded(joined(b, op, *values), dtype), code.at(target, j, dtype), dtype)

        along(code, inner, lanes_for(dtype, inner), body)


def _last_axis(code: Code, op, dtype, x, out, n, reverse) -> None:
    lanes = lanes_for(dtype, n)
    whole = n // lanes * lanes if lanes > 1 else 0
    wide = code.wide_builder(lanes)
    sums = (_Sum if op == "add" else _LogSum)(code, 1, dtype) if _is_long_sum(op, dtype, n) else None
    if sums is not None:
        following = sums.following
    else:
        so_far = code.variable(code.const(_neutral(op, dtype), dtype))

        def following(b: Builder, x: Value, reverse: bool, store) -> None:
            value = joined(b, op, b.spread(code.get(so_far, dtype)), scanned(b, op, x, dtype, reverse))
            store(value)
            code.set(so_far, _end(b, value, reverse))

    def one_by_one():
        with code.loop(n, whole) as turn:
            k = n - 1 + whole - turn if reverse else turn
            following(code, code.load(x, k, dtype), reverse, lambda value: code.store(value, out, k, dtype))

    def some_vectors(first: int, last: int):
        with code.loop(last, first, step=lanes) as turn:
            k = whole - lanes - turn if reverse else turn
            value = load_vector(wide, code.at(x, k, dtype), dtype)
            target = code.at(out, k, dtype)
            following(wide, value, reverse, lambda value: store_vector(wide, value, target, dtype))

    def vectors():
        together = _BLOCK_VECTORS * lanes
        groups = whole // together * together if type(sums) is _Sum and whole >= _MIN_BLOCKS * together else 0
        if groups:
            with code.loop(groups, step=together) as turn:
                places = [turn + i * lanes for i in range(_BLOCK_VECTORS)]
                places = [whole - lanes - k if reverse else k for k in places]
                values = [load_vector(wide, code.at(x, k, dtype), dtype) for k in places]
                for k, value in zip(places, sums.together(wide, values, reverse)):
                    store_vector(wide, value, code.at(out, k, dtype), dtype)
        some_vectors(groups, whole)

    if not whole:
        one_by_one()
    elif reverse:
        one_by_one()
        vectors()
    else:
        vectors()
        one_by_one()


def _end(b: Builder, x: Value, reverse: bool) -> Value:
    """Return the lane where running results end."""
    at = 0 if reverse else b.lanes - 1
    return x if b.lanes == 1 else b.new(f"extractelement {b.type(x.dtype)} {x.text}, i32 {at}", x.dtype)


class _Sum:
    """A long running sum, and what its additions lost, in each lane: local variables."""

    count = 2

    def __init__(self, code: Code, lanes: int, dtype):
        self.code, self.dtype, self.b = code, register_dtype(dtype), code.wide_builder(lanes)
        self.places = [code.module.fresh("sum") for _ in range(self.count)]
        for place in self.places:
            code.module.allocas.append(f"  {place} = alloca {self.b.type(self.dtype)}, align 64")
        self.set(self.start())

    def start(self) -> list[Value]:
        """Return the values before the first element."""
        return [self.b.const(0, self.dtype)] * 2

    def get(self) -> list[Value]:
        return [self.b.new(f"load {self.b.type(self.dtype)}, ptr {place}", self.dtype) for place in self.places]

    def set(self, values) -> None:
        for value, place in zip(values, self.places, strict=True):
            self.b.line(f"store {self.b.type(self.dtype)} {value.text}, ptr {place}")

    def grow(self, x: Value) -> None:
        """Add to the sum, and to it what was lost, of which little is left: there may be 10^8 additions."""
        total, lost = added(self.b, *self.get(), x)
        out = whole(self.b, total, lost)
        self.set([out, lost - (out - total)])

    def following(self, b: Builder, x: Value, reverse: bool, store) -> None:
        """Store the running results along the lanes of a vector."""
        sums = scanned(b, "add", x, self.dtype, reverse)
        store(b.spread(whole(self.b, *self.get())) + sums)
        self.grow(_end(b, sums, reverse))

    def together(self, b: Builder, xs: list[Value], reverse: bool) -> list[Value]:
        """Return the running results along the lanes of vectors that follow each other: a block."""
        before, inside, found = whole(self.b, *self.get()), None, []
        for x in xs:
            sums = scanned(b, "add", x, self.dtype, reverse)
            found.append(b.spread(before if inside is None else before + inside) + sums)
            end = _end(b, sums, reverse)
            inside = end if inside is None else self.b.add(inside, end)
        self.grow(inside)
        return found

    def block(self, rows) -> None:
        """Store the running results of a block of rows; `rows(body)` writes a loop with body(row, store)."""
        before, inside = whole(self.b, *self.get()), _Local(self.b, self.b.const(0, self.dtype))

        def body(x: Value, store) -> None:
            inside.set(inside.get() + x)
            store(before + inside.get())

        rows(body)
        self.grow(inside.get())


class _Local:
    """A local variable for a vector."""

    def __init__(self, b: Builder, start: Value):
        self.b, self.dtype, self.place = b, start.dtype, b.module.fresh("sum")
        b.module.allocas.append(f"  {self.place} = alloca {b.type(start.dtype)}, align 64")
        self.set(start)

    def get(self) -> Value:
        return self.b.new(f"load {self.b.type(self.dtype)}, ptr {self.place}", self.dtype)

    def set(self, value: Value) -> None:
        self.b.line(f"store {self.b.type(self.dtype)} {value.text}, ptr {self.place}")


class _LogSum(_Sum):
    """An exponent, and the sum of e^(x - exponent) of the others."""

    count = 3

    def start(self) -> list[Value]:
        return [self.b.const(-np.inf, self.dtype), *super().start()]

    @staticmethod
    def _weight(b: Builder, x: Value, top: Value) -> Value:
        """e^(x - exponent), which is 1 if both are infinite."""
        return vm.exp(b, b.select(x.equals(top), 0, x - top))

    def _far(self, b: Builder, x: Value, top: Value) -> tuple[Value, Value]:
        """Return whether exponents are much greater than the one that is held, and whether any is."""
        far = x > top + 1
        if b.lanes == 1:
            return far, far
        name = f"llvm.vector.reduce.or.v{b.lanes}i1"
        b.module.declarations.add(f"declare i1 @{name}({b.wide('i1')})")
        return far, self.code.new(f"call i1 @{name}({b.wide('i1')} {far.text})", far.dtype)

    def following(self, b: Builder, x: Value, reverse: bool, store) -> None:
        code, (top, *others) = self.code, self.get()
        _, any_far = self._far(b, x, b.spread(top))
        with code.when(any_far):
            before = top + vm.log1p(self.b, whole(self.b, *others))
            value = joined(b, "logsumexp", b.spread(before), scanned(b, "logsumexp", x, self.dtype, reverse))
            store(value)
            self.set([_end(b, value, reverse), *super().start()])
        with code.when(~any_far):
            sums = scanned(b, "add", self._weight(b, x, b.spread(top)), self.dtype, reverse)
            store(b.spread(top) + vm.log1p(b, b.spread(whole(self.b, *others)) + sums))
            self.set([top, *added(self.b, *others, _end(b, sums, reverse))])

    def block(self, rows) -> None:
        b, inside = self.b, _Local(self.b, self.b.const(0, self.dtype))

        def body(x: Value, store) -> None:
            far, any_far = self._far(b, x, self.get()[0])
            with self.code.when(any_far):
                top, *others = self.get()
                all_of_them = whole(b, *others) + inside.get() + 1
                moved = [x, all_of_them * self._weight(b, top, x), b.like(x, 0)]
                self.set([b.select(far, new, old) for new, old in zip(moved, (top, *others))])
                inside.set(b.select(far, 0, inside.get()))
            top, *others = self.get()
            inside.set(inside.get() + b.select(far, 0, self._weight(b, x, top)))
            store(top + vm.log1p(b, whole(b, *others) + inside.get()))

        rows(body)
        top, *others = self.get()
        self.set([top, *added(b, *others, inside.get())])


def _long_sums(code: Code, op, dtype, x, out, n, inner, reverse, space) -> None:
    """Along an axis other than that of the rows: blocks of rows, each vector of which stays in registers."""
    kind, held = _Sum if op == "add" else _LogSum, register_dtype(dtype)
    places = [code.at(space, k * inner, held) for k in range(kind.count)]

    def columns(body) -> None:
        def one(b, j):
            sums = kind(code, b.lanes, dtype)
            body(b, j, sums, [code.at(place, j, held) for place in places])

        along(code, inner, lanes_for(dtype, inner), one)

    def begin(b, j, sums, at) -> None:
        for value, place in zip(sums.start(), at):
            store_vector(b, value, place, held)

    columns(begin)
    with code.loop(n, step=BLOCK_TERMS) as first:
        stop = code.minimum(first + BLOCK_TERMS, n)

        def block(b, j, sums, at) -> None:
            sums.set([load_vector(b, place, held) for place in at])

            def rows(body) -> None:
                with code.loop(stop, start=first) as turn:
                    k = n - 1 - turn if reverse else turn
                    place = k * inner + j
                    target = code.at(out, place, dtype)
                    row = load_vector(b, code.at(x, place, dtype), dtype)
                    body(row, lambda value: store_vector(b, value, target, dtype))

            sums.block(rows)
            for value, place in zip(sums.get(), at):
                store_vector(b, value, place, held)

        columns(block)


def scanned(b: Builder, op: str, x: Value, dtype, reverse: bool) -> Value:
    """Return the running results of the lanes of a vector."""
    neutral, step, n = b.const(_neutral(op, dtype), dtype).text, 1, b.lanes
    while step < n:
        lanes = [k + step for k in range(n)] if reverse else [k - step if k >= step else n for k in range(n)]
        x = joined(b, op, shuffled(b, x, neutral, [min(k, n) for k in lanes]), x)
        step *= 2
    return x


def _cumulative(graph, operands, params, types, *, name):
    (x,), axis = operands, params["axis"]
    operation, dtype = primitives[name].combines_rule, x.base.dtype
    op = operation.name if operation else "logsumexp"
    if not prod(x.shape):
        return [x]
    if dtype.kind == "b":
        return None
    outer, n, inner = split_at(x.shape, axis)
    sums = (2 + (op == "logsumexp")) * inner if inner > 1 and _is_long_sum(op, dtype, n) else 0
    params = op, dtype, outer, n, inner, bool(params["reverse"])
    routine = Routine("cumulative", params, sums * register_dtype(dtype).itemsize)
    return graph.routine(name, routine, operands, types)


# ---- positions of extrema ------------------------------------------------------------------------


class _Best:
    """The best elements so far in each lane, and where they stand; the first of equal ones, or the first NaN."""

    def __init__(self, code: Code, lanes: int, name: str, dtype):
        self.code = code
        self.b = code.wide_builder(lanes)
        self.sign = "gt" if name == "argmax" else "lt"
        self.dtype = dtype
        self.index = np.dtype("i8") if register_dtype(dtype).itemsize == 8 else np.dtype("i4")
        b, fresh = self.b, code.module.fresh
        self.places = fresh("best"), fresh("where")
        for place, t in zip(self.places, (dtype, self.index)):
            code.module.allocas.append(f"  {place} = alloca {b.type(t)}, align 64")

    def get(self) -> tuple[Value, Value]:
        b, (best, where) = self.b, self.places
        return (
            b.new(f"load {b.type(self.dtype)}, ptr {best}", register_dtype(self.dtype)),
            b.new(f"load {b.type(self.index)}, ptr {where}", self.index),
        )

    def set(self, best: Value, where: Value) -> None:
        for value, place in zip((best, where), self.places):
            self.b.line(f"store {self.b.type(value.dtype)} {value.text}, ptr {place}")

    def better(self, b: Builder, new: Value, old: Value) -> Value:
        if new.dtype.kind != "f":
            return b.compare(self.sign, new, old)
        known = b.compare("ord", old, old)
        return b.compare("u" + self.sign, new, old) & known

    def offer(self, new: Value, at: Value) -> None:
        """An element that comes after all before."""
        best, where = self.get()
        wins = self.better(self.b, new, best)
        self.set(self.b.select(wins, new, best), self.b.select(wins, at, where))

    def merge(self, b: Builder, x, y) -> tuple[Value, Value]:
        """Return the better of two, in any order."""
        (v, i), (w, j) = x, y
        worse = self.better(b, v, w) ^ True
        earlier = b.compare("lt", j, i) & worse
        wins = self.better(b, w, v) | earlier
        return b.select(wins, w, v), b.select(wins, j, i)

    def steps(self, start: Value, stride: int = 1) -> Value:
        """start, start + stride, ... in the lanes, as positions."""
        first = self.code.convert(start, self.index)
        if self.b.lanes == 1:
            return first
        t = llvm_type(self.index)
        lanes = ", ".join([f"{t} {k * stride}" for k in range(self.b.lanes)])
        return self.b.spread(first) + self.b.value(f"<{lanes}>", self.index)


@writes("extreme")
def _(code: Code, addresses, name, dtype, index_dtype, outer, n, inner):
    x, out = addresses
    with code.loop(outer) as i:
        row = code.at(x, i * (n * inner), dtype)
        target = code.at(out, i * inner, index_dtype)
        if inner == 1:
            _in_row(code, name, dtype, index_dtype, row, target, n)
        else:
            _in_columns(code, name, dtype, index_dtype, row, target, n, inner)


def _in_columns(code: Code, name, dtype, index_dtype, x, out, n, inner) -> None:
    def body(b, j):
        best = _Best(code, b.lanes, name, dtype)
        best.set(load_vector(b, code.at(x, j, dtype), dtype), b.const(0, best.index))
        with code.loop(n, 1) as k:
            at = k * inner + j
            where = b.spread(code.convert(k, best.index))
            best.offer(load_vector(b, code.at(x, at, dtype), dtype), where)
        store_vector(b, b.convert(best.get()[1], index_dtype), code.at(out, j, index_dtype), index_dtype)

    along(code, inner, lanes_for(dtype, inner, 4), body)


def _in_row(code: Code, name, dtype, index_dtype, x, out, n) -> None:
    lanes = lanes_for(dtype, n, 4)
    copies = _UNROLLED if n >= 8 * _UNROLLED * lanes else 1
    step = lanes * copies
    whole = n // step * step
    bests = [_Best(code, lanes, name, dtype) for _ in range(copies)]
    for c, best in enumerate(bests):
        at = code.integer(c * lanes)
        best.set(load_vector(best.b, code.at(x, at, dtype), dtype), best.steps(at))
    with code.loop(whole, step, step) as k:
        for c, best in enumerate(bests):
            at = k + c * lanes
            best.offer(load_vector(best.b, code.at(x, at, dtype), dtype), best.steps(at))
    merge, found = bests[0].merge, [best.get() for best in bests]
    while len(found) > 1:
        found = [merge(bests[0].b, *found[:2]), *found[2:]]
    value, where = found[0]
    while lanes > 1:
        wide, lanes = code.wide_builder(lanes), lanes // 2
        b = code.wide_builder(lanes)
        halves = [[half(wide, v, k * lanes) for v in (value, where)] for k in (0, 1)]
        value, where = merge(b, *halves)
    last = _Best(code, 1, name, dtype)
    last.set(value, where)
    with code.loop(n, whole) as k:
        last.offer(code.load(x, k, dtype), code.convert(k, last.index))
    code.store(code.convert(last.get()[1], index_dtype), out, 0, index_dtype)


def half(wide: Builder, x: Value, start: int) -> Value:
    n = wide.lanes // 2
    if n == 1:
        return wide.new(f"extractelement {wide.type(x.dtype)} {x.text}, i32 {start}", x.dtype)
    return shuffled(wide, x, "poison", range(start, start + n))


def _among_few(graph, x: View, axis: int, name: str, index) -> View:
    """Return positions along a short axis, by comparisons and selections, which are fused with what reads them."""
    parts = [component(x, axis, k) for k in range(x.shape[axis])]
    shape = parts[0].shape
    number = lambda k: graph.number(k, index, shape)
    flag = lambda op, *xs: graph.elementwise(op, shape, BOOL, xs)
    where = number(0)
    if x.base.dtype == BOOL:
        for k in range(len(parts))[::-1]:
            cases = (where, number(k)) if name == "argmax" else (number(k), where)
            where = graph.elementwise("select_n", shape, index, (parts[k], *cases))
        return where
    best = parts[0]
    for k, part in enumerate(parts[1:], 1):
        if x.base.dtype.kind in "iu":
            wins = flag("gt" if name == "argmax" else "lt", part, best)
        else:  # or NaN, where none was before
            loses = flag("le" if name == "argmax" else "ge", part, best)
            wins = flag("and", flag("not", loses), flag("eq", best, best))
        where = graph.elementwise("select_n", shape, index, (wins, where, number(k)))
        best = graph.elementwise("select_n", shape, x.base.dtype, (wins, best, part))
    return where


def _extreme(graph, operands, params, types, *, name):
    (x,), axes = operands, params["axes"]
    if len(axes) != 1 or not 0 < prod(x.shape) < 1 << 31 or types[0].dtype.kind not in "iu":
        return None
    if x.shape[axes[0]] <= _MAX_FEW:
        return [_among_few(graph, x, axes[0], name, types[0].dtype)]
    routine = Routine("extreme", (name, x.base.dtype, types[0].dtype, *split_at(x.shape, axes[0])))
    return graph.routine(name, routine, operands, types)


register({name: partial(_cumulative, name=name) for name in "cumsum cumprod cummax cummin cumlogsumexp".split()})
register({name: partial(_extreme, name=name) for name in ("argmax", "argmin")})
