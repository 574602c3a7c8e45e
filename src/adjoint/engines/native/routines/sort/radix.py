"""Sorting: keys as unsigned integers with positions below them, by digits.

The order is JAX's: the zeros are equal, every NaN comes last, equal elements keep their places (`top_k` goes by the
total order). Items of a short row are moved to the places of their first digit, which is as wide as to leave about one
item to each; those that still share one are sorted by their further digits, if they are many, or at last by insertion
(Knuth, "The Art of Computer Programming" 3, 5.2.5 and 5.2.1). Long rows are sorted from the last digit to the first
(`digits.py`), by all threads. Several keys are sorted one after the other, the last one first. The greatest k elements
are kept in a buffer that is sorted when it is full, so that nearly all others are looked at once.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .....core.process.records import NamedTuple
from ...graph.view_rules import WITHOUT_UNREAD, register
from ...graph.views import Type, View
from ...text.builder import BOOL, I64, Builder, Module, Value, llvm_type
from ..base import Code, Routine, writes
from ..cumulative import along, lanes_for, load_vector, store_vector
from . import numpy_sort
from .digits import are_sorted_by_digits, chunks_for, sort_by_digits, sort_keys
from .items import (
    Items,
    bits_of,
    insert,
    is_float,
    item_of,
    key_of,
    load_item,
    low_of,
    ordered,
    original,
    place_of,
    position_of,
    shift_of,
    sign_of,
    specials_in_order,
    store_item,
    text_of,
)
from .vector_sort import quicksort

_MAX_INSERTION_ITEMS = 32  # items that are sorted by insertion
_MAX_CACHED_ITEMS = 1 << 16  # that stay in the second cache
_DIGIT_BITS, _MAX_DIGIT_BITS = 8, 11  # bits of digits of many items, and of fewer
_BUCKETS = 1 << _DIGIT_BITS
_CHUNK_ELEMENTS = 1 << 14
_MAX_CHUNKS = 16
_U8, _U32, _U64 = np.dtype("u1"), np.dtype("u4"), np.dtype("u8")


def _sorter(module: Module, items: Items) -> str:
    """Return the name of a function that sorts (items, room for as many, their number, the bit above their digits).

    The fifth argument says whether the sorted items shall be in the second array instead of the first.
    """
    name = f"sort.{items.type}.{items.bits}"
    if name in module.written:
        return name
    module.written.add(name)
    with module.function(f"internal void @{name}(ptr %a, ptr %b, i64 %n, i64 %top, i1 %there)") as lines:
        code = Code(module, name, lines)
        n, there = code.value("%n"), code.value("%there", BOOL)
        short = n <= _MAX_INSERTION_ITEMS
        with code.when(short):
            _insertion(code, items, "%a", n)
            with code.when(there):
                code.copy("%b", "%a", n * items.size)
        with code.when(~short):
            _by_first_digit(code, items, n, name)
    return name


def _call(code: Code, items: Items, a: str, b: str, n: Value, top: Value, there: str) -> None:
    name = _sorter(code.module, items)
    if items.differ:
        bits = 64 - _leading_zeros(code, n)
        name, top = quicksort(code.module, name), bits * 2
    _go_on(code, name, a, b, n, top, there)


def _go_on(code: Code, name: str, a: str, b: str, n: Value, top: Value, there: str) -> None:
    code.line(f"call void @{name}(ptr {a}, ptr {b}, i64 {n.text}, i64 {top.text}, i1 {there})")


def _by_first_digit(code: Code, items: Items, n: Value, name: str) -> None:
    """Move the items to the places of their first digit, and sort what has the same one."""
    counts = code.local("i32", 1 << _MAX_DIGIT_BITS)
    width = 64 - _leading_zeros(code, n - 1)
    far = n > _MAX_CACHED_ITEMS
    width = code.select(far, _DIGIT_BITS, code.minimum(width, _MAX_DIGIT_BITS))
    bins = code.integer(1) << width
    mask, low = bins - 1, code.integer(items.low)
    shift = code.maximum(code.value("%top") - width, low)
    amount, last = shift_of(code, items, shift), shift <= low
    size = n * items.size
    code.clear(counts, bins * 4)
    with code.loop(n) as i:
        _count(code, counts, _digit(code, items, load_item(code, items, "%a", i), amount, mask))
    most = _starts(code, counts, bins)
    alike = most.equals(n)
    with code.when(alike):
        differ = code.variable(0)
        with code.when(~last):
            first = key_of(code, items, load_item(code, items, "%a", code.integer(0)))
            with code.loop(n) as i:
                other = key_of(code, items, load_item(code, items, "%a", i))
                bits = low_of(code, items, text_of(code, f"xor {items.type} {first}, {other}"))
                code.set(differ, code.get(differ) | bits)
        equal = code.get(differ).equals(0)
        with code.when(equal):
            code.copy(text_of(code, "select i1 %there, ptr %b, ptr %a"), "%a", size)
        with code.when(~equal):
            top = 64 + items.low - _leading_zeros(code, code.get(differ))
            _go_on(code, name, "%a", "%b", n, top, "%there")
    with code.when(~alike):
        with code.loop(n) as i:
            item = load_item(code, items, "%a", i)
            store_item(code, items, item, "%b", _count(code, counts, _digit(code, items, item, amount, mask)))
        with code.when(~last):
            with code.when(most > _MAX_INSERTION_ITEMS):
                first = code.variable(0)
                with code.loop(bins) as k:  # now the counters are the ends of the parts
                    end, start = code.convert(code.load(counts, k, _U32), I64), code.get(first)
                    part = end - start
                    with code.when(part > _MAX_INSERTION_ITEMS):
                        a, b = [place_of(code, items, base, start) for base in ("%a", "%b")]
                        _go_on(code, name, b, a, part, shift, "false")
                    code.set(first, end)
            _insertion(code, items, "%b", n)
        with code.when(~code.value("%there", BOOL)):
            code.copy("%a", "%b", size)


def _leading_zeros(code: Code, x: Value) -> Value:
    code.module.declarations.add("declare i64 @llvm.ctlz.i64(i64, i1)")
    return code.new(f"call i64 @llvm.ctlz.i64(i64 {x.text}, i1 false)", I64)


def _insertion(code: Code, items: Items, base: str, n: Value) -> None:
    """Quick where items are near their places."""
    with code.loop(n, 1) as i:
        insert(code, items, base, i, code.integer(0))


def _digit(code: Code, items: Items, item: str, shift: str, mask: Value | None = None) -> Value:
    part = low_of(code, items, text_of(code, f"lshr {items.type} {item}, {shift}"))
    return part & (code.integer(_BUCKETS - 1) if mask is None else mask)


def _count(code: Code, counts: str, at: Value) -> Value:
    """Add one to a counter; what it was."""
    place = code.at(counts, at, _U32)
    old = code.new(f"load i32, ptr {place}, align 4", _U32)
    code.line(f"store i32 {(old + 1).text}, ptr {place}, align 4")
    return code.convert(old, I64)


def _starts(code: Code, counts: str, n: Value) -> Value:
    """Replace counts by the sums of those before; the greatest of them."""
    total, most = code.variable(code.integer(0, _U32)), code.variable(code.integer(0, _U32))
    with code.loop(n) as k:
        count = code.load(counts, k, _U32)
        code.store(code.get(total, _U32), counts, k, _U32)
        code.set(total, code.get(total, _U32) + count)
        code.set(most, code.maximum(code.get(most, _U32), count))
    return code.convert(code.get(most, _U32), I64)


# ---- keys ----------------------------------------------------------------------------------------

def _sorted(code: Code, items: Items, a: str, b: str, n, there: str = "false") -> None:
    """Sort n items at `a`; at `b` is room for as many, and the result if it shall be there."""
    n = n if isinstance(n, Value) else code.integer(n)
    _call(code, items, a, b, n, code.integer(items.low + items.bits), there)


# ---- sort ----------------------------------------------------------------------------------------


class _Sort(NamedTuple):
    """Rows of n elements by their first `keys` operands; those named by `positions` count the elements of a row.

    Keys are gone through from the last to the first; in between the order is a list of positions. Rows are shared
    among `chunks`, or each is sorted by all threads, divided into `row_chunks`.
    """

    dtypes: tuple
    keys: int
    positions: tuple
    outer: int
    n: int
    by_digits: bool
    row_chunks: int
    chunks: int

    @property
    def alone(self) -> bool:
        return len(self.dtypes) == 1

    def items(self, k: int) -> Items:
        is_ordered = not self.alone and self.keys == 1 and not self.by_digits
        return Items(8 * self.dtypes[k].itemsize, not self.alone, is_ordered)

    @property
    def carries(self) -> bool:
        """Return whether items hold the second operand itself in the place of its position."""
        if len(self.dtypes) != 2 or self.keys > 1 or self.positions or is_float(self.dtypes[0]):
            return False
        if self.items(0).differ:
            return False
        return 8 * self.dtypes[1].itemsize <= self.items(0).low

    @property
    def is_sorted_in_result(self) -> bool:
        """Return whether the result is the room for as many items."""
        return self.alone and self.by_digits

    @property
    def row_bytes(self) -> int:
        """Items, room for as many, and the order."""
        size = max([self.items(k).size for k in range(self.keys)])
        if self.is_sorted_in_result:
            return self.n * size
        return self.n * (2 * size + (_U32.itemsize if self.keys > 1 else 0))


class _Arrays(NamedTuple):
    """Addresses: operands ("" for positions) and results of a row, items, room for as many, the order."""

    xs: list
    outs: list
    a: str
    b: str
    order: str


def _arrays(code: Code, sort: _Sort, row: Value, chunk: Value) -> _Arrays:
    given = iter(code.arguments(2 * len(sort.dtypes) - len(sort.positions) + 1))
    xs = ["" if i in sort.positions else next(given) for i in range(len(sort.dtypes))]
    *outs, space = given
    start = row * sort.n
    xs, outs = [[p and code.at(p, start, bits_of(d)) for p, d in zip(ps, sort.dtypes)] for ps in (xs, outs)]
    space = code.at(space, chunk * sort.row_bytes, _U8)
    size = max([sort.items(k).size for k in range(sort.keys)]) * sort.n
    room = outs[0] if sort.is_sorted_in_result else code.at(space, size, _U8)
    return _Arrays(xs, outs, space, room, code.at(space, 2 * size, _U8))


@writes("sort")
def _(code: Code, addresses, *params):
    sort = _Sort(*params)
    row_of = _digits_of_rows(code, sort) if sort.by_digits else _row
    if sort.row_chunks > 1:
        with code.loop(sort.outer) as row:
            row_of(code, sort, row, code.integer(0))
        return
    per = -(-sort.outer // sort.chunks)

    def rows(part: Code):
        chunk = part.value("%chunk")
        first = chunk * per
        stop = part.minimum(first + per, sort.outer)
        with part.loop(stop, first) as row:
            row_of(part, sort, row, chunk)

    code.parallel(code.part("rows", rows), "null", sort.chunks)


def _row(code: Code, sort: _Sort, row: Value, workspace: Value) -> None:
    n, arrays = sort.n, _arrays(code, sort, row, workspace)
    if sort.alone and sort.dtypes[0].itemsize == 1 and n > _MAX_INSERTION_ITEMS:
        _by_counting(code, sort.dtypes[0], arrays.xs[0], arrays.outs[0], n)
        return
    for k in reversed(range(sort.keys)):
        items = sort.items(k)
        with code.loop(n) as i:
            store_item(code, items, _made(code, sort, k, arrays, i), arrays.a, i)
        _sorted(code, items, arrays.a, arrays.b, n, "true")
        with code.loop(n) as i:
            _deliver(code, sort, k, arrays, arrays.b, i)
    if sort.alone and is_float(sort.dtypes[0]):
        specials_in_order(code, sort.dtypes[0], arrays.xs[0], arrays.outs[0], n)


def _made(code: Code, sort: _Sort, k: int, arrays: _Arrays, i: Value) -> str:
    """Return the item of the element that is at a place so far."""
    items, dtype = sort.items(k), sort.dtypes[k]
    bits = bits_of(dtype)
    at = code.convert(code.load(arrays.order, i, _U32), I64) if k < sort.keys - 1 else i
    raw = code.load(arrays.xs[k], at, bits)
    key = ordered(code, raw, dtype)
    if sort.alone:
        return key.text
    if sort.carries:
        at = code.convert(code.load(arrays.xs[1], i, bits_of(sort.dtypes[1])), I64)
    return item_of(code, items, key, at)


def _deliver(code: Code, sort: _Sort, k: int, arrays: _Arrays, base: str, i: Value) -> None:
    """Write the results at a sorted item's place, or the position if there is another key."""
    items, dtype, (xs, outs) = sort.items(k), sort.dtypes[k], arrays[:2]
    item, bits = load_item(code, items, base, i), bits_of(sort.dtypes[k])
    if k:
        code.store(code.convert(position_of(code, items, item), _U32), arrays.order, i, _U32)
        return
    key = key_of(code, items, item)
    if items.low:
        key = text_of(code, f"trunc {items.type} {key} to i{items.bits}")
    key, sign = code.value(key, bits), sign_of(bits)
    code.store(original(code, key, dtype), outs[0], i, bits)
    if sort.alone:
        return
    if sort.carries:
        at = bits_of(sort.dtypes[1])
        code.store(code.convert(low_of(code, items, item), at), outs[1], i, at)
        return
    position = position_of(code, items, item)
    if is_float(dtype):  # zeros have signs and NaN have bits that keys do not
        zero = key.equals(sign)
        with code.when(zero | key.equals(2 * sign - 1)):
            code.store(code.load(xs[0], position, bits), outs[0], i, bits)
    for x, out, d in list(zip(xs, outs, sort.dtypes))[1:]:
        bits = bits_of(d)
        code.store(code.load(x, position, bits) if x else code.convert(position, bits), out, i, bits)

def _by_counting(code: Code, dtype, x, out, n) -> None:
    """Bytes: as many of each as there are."""
    counts = code.local("i32", _BUCKETS)
    code.clear(counts, 4 * _BUCKETS)
    with code.loop(n) as i:
        _count(code, counts, code.convert(ordered(code, code.load(x, i, _U8), dtype), I64))
    at = code.variable(0)
    with code.loop(_BUCKETS) as k:
        size = code.convert(code.load(counts, k, _U32), I64)
        value = original(code, code.convert(k, _U8), dtype)
        code.module.declarations.add("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        target = code.at(out, code.get(at), _U8)
        code.line(f"call void @llvm.memset.p0.i64(ptr {target}, i8 {value.text}, i64 {size.text}, i1 false)")
        code.set(at, code.get(at) + size)


# ---- long rows -----------------------------------------------------------------------------------

# What the chunks of a row share, in words of 64 bits: the row, its workspace, the sorted items, then for each chunk
# the bits that any and that every key has, whether one is below the one before it, and whether one is special.
_ROW, _WORKSPACE, _SORTED, _SEEN = range(4)
_JOINED_BY = ("or", "and", "or", "or")
_STATE = len(_JOINED_BY)


def _digits_of_rows(code: Code, sort: _Sort):
    """Return what sorts a row by digits, its functions of chunks being written."""
    rounds = [(k, _Parts(code, sort, k)) for k in reversed(range(sort.keys))]
    chunks = sort.row_chunks

    def row_of(code: Code, sort: _Sort, row: Value, workspace: Value) -> None:
        shared = code.local("i64", _SEEN + _STATE * chunks)
        code.store(row, shared, _ROW, I64)
        code.store(workspace, shared, _WORKSPACE, I64)
        arrays = _arrays(code, sort, row, workspace)
        for k, parts in rounds:
            code.parallel(parts.make, shared, chunks)
            seen = some, every, falls, special = [code.variable(start) for start in (0, -1, 0, 0)]
            with code.loop(chunks) as chunk:
                for which, (name, op) in enumerate(zip(seen, _JOINED_BY)):
                    word = code.load(shared, chunk * _STATE + (_SEEN + which), I64)
                    code.set(name, code.binary(op, code.get(name), word))
            unsorted = code.get(falls).differs(0)
            differ = code.select(unsorted, code.get(some) ^ code.get(every), 0)
            place = sort_by_digits(code, sort.items(k), arrays.a, arrays.b, sort.n, differ, chunks)
            code.line(f"store ptr {place}, ptr {code.at(shared, _SORTED, I64)}, align 8")
            code.parallel(parts.deliver, shared, chunks)
        if sort.alone and is_float(sort.dtypes[0]):
            with code.when(code.get(special).differs(0)):
                specials_in_order(code, sort.dtypes[0], arrays.xs[0], arrays.outs[0], sort.n)

    return row_of


class _Wide:
    """A vector that turns of a loop change."""

    def __init__(self, b: Builder, start: int, dtype: np.dtype):
        self.b = b
        self.dtype = dtype
        self.place = b.module.fresh("w")
        b.module.allocas.append(f"  {self.place} = alloca {b.type(dtype)}")
        self.set(b.const(start, dtype))

    def get(self) -> Value:
        return self.b.new(f"load {self.b.type(self.dtype)}, ptr {self.place}", self.dtype)

    def set(self, value: Value) -> None:
        self.b.line(f"store {self.b.type(self.dtype)} {value.text}, ptr {self.place}")

    def joined(self, code: Code, op: str) -> Value:
        """Return what an operation makes of all lanes."""
        b = self.b
        if b.lanes == 1:
            return code.adopt(self.get())
        name, t = f"llvm.vector.reduce.{op}.{b.mangled(self.dtype)}", llvm_type(self.dtype)
        code.module.declarations.add(f"declare {t} @{name}({b.type(self.dtype)})")
        return code.new(f"call {t} @{name}({b.type(self.dtype)} {self.get().text})", self.dtype)


class _Parts:
    """The functions of chunks for one key."""

    def __init__(self, code: Code, sort: _Sort, k: int):
        self.sort = sort
        self.k = k
        self.items = sort.items(k)
        self.lanes = lanes_for(bits_of(sort.dtypes[0]), sort.n // sort.row_chunks) if sort.alone else 1
        self.make, self.deliver = [code.part(f"{name}{k}", getattr(self, "_" + name)) for name in ("make", "deliver")]

    def _open(self, code: Code) -> tuple[_Arrays, Value, Value, Value]:
        """Return the addresses, the first element of the chunk, the end of its whole vectors and that of the chunk."""
        row, workspace = [code.load("%shared", word, I64) for word in (_ROW, _WORKSPACE)]
        per = -(-self.sort.n // self.sort.row_chunks)
        first = code.value("%chunk") * per
        stop = code.minimum(first + per, self.sort.n)
        return _arrays(code, self.sort, row, workspace), first, stop - ((stop - first) & (self.lanes - 1)), stop

    def _make(self, code: Code) -> None:
        """Write the items of a chunk, and what is seen of their keys."""
        arrays, first, whole, stop = self._open(code)
        if self.sort.alone:
            seen = self._make_alone(code, arrays, first, whole, stop)
        else:
            seen = self._make_items(code, arrays, first, stop)
        start = code.value("%chunk") * _STATE + _SEEN
        for which, value in enumerate(seen):
            code.store(value, "%shared", start + which, I64)

    def _make_items(self, code: Code, arrays: _Arrays, first: Value, stop: Value) -> list[Value]:
        sort, items = self.sort, self.items
        key_at = lambda item: low_of(code, items, key_of(code, items, item))
        some, every, falls = [code.variable(start) for start in (0, -1, 0)]
        before = code.variable(key_at(_made(code, sort, self.k, arrays, code.maximum(first - 1, 0))))
        with code.loop(stop, first) as i:
            item = _made(code, sort, self.k, arrays, i)
            store_item(code, items, item, arrays.a, i)
            key = key_at(item)
            code.set(some, code.get(some) | key)
            code.set(every, code.get(every) & key)
            is_less = code.value(key.text, _U64) < code.get(before, _U64)
            code.set(falls, code.get(falls) | code.convert(is_less, I64))
            code.set(before, key)
        return [code.get(some), code.get(every), code.get(falls), code.integer(0)]

    def _make_alone(self, code: Code, arrays: _Arrays, first: Value, whole: Value, stop: Value) -> list[Value]:
        dtype = self.sort.dtypes[0]
        bits, x = bits_of(dtype), arrays.xs[0]
        second = code.maximum(first, 1)
        whole = stop - ((stop - second) & (self.lanes - 1))
        total = [code.variable(start) for start in (0, -1, 0, 0)]
        for lanes, begin, end in ((1, first, second), (self.lanes, second, whole), (1, whole, stop)):
            b = code.wide_builder(lanes)
            seen = [_Wide(b, start, bits) for start in (0, -1, 0, 0)]
            with code.loop(end, begin, lanes) as i:
                raw = load_vector(b, code.at(x, i, bits), bits)
                key = ordered(b, raw, dtype)
                store_vector(b, key, code.at(arrays.a, i, bits), bits)
                before = ordered(b, load_vector(b, code.at(x, i - 1, bits), bits), dtype) if begin is not first else key
                falls, special = key < before, raw.equals(sign_of(bits)) | key.equals(2 * sign_of(bits) - 1)
                one, none = b.const(1, bits), b.const(0, bits)
                for register, op, value in zip(
                    seen, _JOINED_BY, (key, key, b.select(falls, one, none), b.select(special, one, none))
                ):
                    register.set(b.binary(op, register.get(), value))
            for name, op, register in zip(total, _JOINED_BY, seen):
                code.set(name, code.binary(op, code.get(name), code.convert(register.joined(code, op), I64)))
        return [code.get(name) for name in total]

    def _deliver(self, code: Code) -> None:
        """Write the results of a chunk."""
        arrays, first, whole, stop = self._open(code)
        base = text_of(code, f"load ptr, ptr {code.at('%shared', _SORTED, I64)}, align 8")
        if not self.sort.alone:
            with code.loop(stop, first) as i:
                _deliver(code, self.sort, self.k, arrays, base, i)
            return
        dtype = self.sort.dtypes[0]
        bits = bits_of(dtype)
        for lanes, begin, end in ((self.lanes, first, whole), (1, whole, stop)):
            b = code.wide_builder(lanes)
            with code.loop(end, begin, lanes) as i:
                key = load_vector(b, code.at(base, i, bits), bits)
                store_vector(b, original(b, key, dtype), code.at(arrays.outs[0], i, bits), bits)


def _sort(graph, operands, params, types):
    axis, keys, shape = params["dimension"], params["num_keys"], types[0].shape
    if not prod(shape) or shape[axis] == 1:
        return list(operands)
    n, dtypes = shape[axis], tuple([v.base.dtype for v in operands])
    if n >= 1 << 31:
        return None
    outer, alone = prod(shape) // n, len(operands) == 1
    order = [i for i in range(len(shape)) if i != axis] + [axis]
    back = [order.index(i) for i in range(len(order))]
    rows = [v.transpose(order) for v in operands]
    by_digits = are_sorted_by_digits(n, max([d.itemsize for d in dtypes[:keys]]), alone)
    by_digits = by_digits and not (alone and dtypes[0].itemsize == 1)
    row_chunks = chunks_for(n) if by_digits else 1
    chunks = min(outer, _MAX_CHUNKS) if row_chunks == 1 and prod(shape) >= _CHUNK_ELEMENTS else 1
    if alone and not by_digits and numpy_sort.is_available(dtypes[0]):
        routine = Routine("numpy_sort", (dtypes[0], outer, n, chunks))
        (out,) = graph.routine("sort", routine, rows, [Type(rows[0].shape, dtypes[0])])
        return [out.transpose(back)]
    positions = tuple([i for i, v in enumerate(rows) if i >= keys and _counts(v)])
    sort = _Sort(dtypes, keys, positions, outer, n, by_digits, row_chunks, chunks)
    routine = Routine("sort", tuple(sort), sort.row_bytes * chunks)
    moved = [Type(v.shape, t.dtype) for v, t in zip(rows, types)]
    rows = [v for i, v in enumerate(rows) if i not in positions]
    return [v.transpose(back) for v in graph.routine("sort", routine, rows, moved)]


def _counts(view: View) -> bool:
    """Return whether a view is 0, 1, 2, ... along its last axis."""
    whole = view.base.kind == "iota" and view.base.dtype.kind in "iu"
    return whole and view.strides[-1] == 1 and not any([view.offset, *view.strides[:-1]])


# ---- top_k ---------------------------------------------------------------------------------------


@writes("top_k")
def _(code: Code, addresses, dtype, index_dtype, outer, n, k, capacity):
    """Keys are complemented, so that the greatest come first."""
    x, values, indices, space = addresses
    bits = bits_of(dtype)
    items = Items(8 * bits.itemsize, True, True)
    a, b = space, code.at(space, capacity * items.size, np.dtype("u1"))
    turned = lambda builder, raw: ordered(builder, raw, dtype, total=True) ^ (2 * sign_of(bits) - 1)
    with code.loop(outer) as row:
        source = code.at(x, row * n, bits)
        count, bound = code.variable(0), code.variable(code.const(2 * sign_of(bits) - 1, bits))
        full = code.variable(code.const(False, BOOL))  # whether there are k, of which the last is the bound

        def shrink(m):
            _sorted(code, items, a, b, m)
            code.set(count, k)
            code.set(full, code.const(True, BOOL))
            last = key_of(code, items, load_item(code, items, a, code.integer(k - 1)))
            width = 8 * bits.itemsize
            code.set(bound, code.value(text_of(code, f"trunc {items.type} {last} to i{width}"), bits))

        def offer(i):
            key = turned(code, code.load(source, i, bits))
            better = key < code.get(bound, bits)
            some = code.get(full, BOOL) ^ True
            with code.when(better | some):
                at = code.get(count)
                store_item(code, items, item_of(code, items, key, i), a, at)
                code.set(count, at + 1)
                with code.when(code.get(count).equals(capacity)):
                    shrink(capacity)

        lanes = lanes_for(bits, n)

        def block(builder, j):
            if builder.lanes == 1:
                offer(j)
                return
            key = turned(builder, load_vector(builder, code.at(source, j, bits), bits))
            better = key < builder.spread(code.get(bound, bits))
            mask = code.new(f"bitcast {builder.wide('i1')} {better.text} to i{lanes}")
            some = code.new(f"icmp ne i{lanes} {mask.text}, 0", BOOL)
            some = some | (code.get(full, BOOL) ^ True)
            with code.when(some), code.loop(lanes) as lane:
                offer(j + lane)

        along(code, n, lanes, block)
        with code.when(code.get(count) > k):
            shrink(code.get(count))
        _sorted(code, items, a, b, k)
        first = row * k
        with code.loop(k) as i:
            position = position_of(code, items, load_item(code, items, a, i))
            at = first + i
            code.store(code.load(source, position, bits), values, at, bits)
            code.store(code.convert(position, index_dtype), indices, at, index_dtype)


_MIN_WANTED_TO_SORT_ALL = 64  # of the values that alone are wanted: if there are so many, all are sorted


def _only_values(routine: Routine, read: list[bool]):
    dtype, _, outer, n, k, _ = routine.params
    bits = bits_of(dtype)
    if not read[0] or k < _MIN_WANTED_TO_SORT_ALL or k < n // 64 or not numpy_sort.is_available(bits):
        return None
    return Routine("top_values", (dtype, outer, n, k), 2 * n * bits.itemsize)


@writes("top_values")
def _(code: Code, addresses, dtype, outer, n, k):
    """Select keys, complemented so that the greatest come first."""
    x, values, space = addresses
    bits = bits_of(dtype)
    sign, every = sign_of(bits), 2 * sign_of(bits) - 1
    lanes = lanes_for(bits, n)

    def made(builder, j):
        raw = load_vector(builder, code.at(source, j, bits), bits)
        key = ordered(builder, raw, dtype, total=True)
        store_vector(builder, key ^ every, code.at(space, j, bits), bits)

    def delivered(builder, j):
        key = load_vector(builder, code.at(space, j, bits), bits)
        key = key ^ every
        if is_float(dtype):
            positive = key >= sign
            flip = builder.select(positive, builder.like(key, sign), every)
            key = key ^ flip
        elif dtype.kind == "i":
            key = key ^ sign
        store_vector(builder, key, code.at(target, j, bits), bits)

    with code.loop(outer) as row:
        source = code.at(x, row * n, bits)
        target = code.at(values, row * k, bits)
        along(code, n, lanes, made)
        sort_keys(code, bits, space, code.at(space, n, bits), n)
        along(code, k, lanes, delivered)


def top_k(graph, operands, params, types):
    (x,), k, axis = operands, params["k"], params["axis"]
    n = x.shape[axis]
    if not prod(types[0].shape):
        return [graph.number(0, t.dtype, t.shape) for t in types]
    if n >= 1 << 31:
        return None
    order = [i for i in range(len(x.shape)) if i != axis] + [axis]
    back = [order.index(i) for i in range(len(order))]
    rows = x.transpose(order)
    capacity = min(n, max(2 * k, 512))
    dtype = x.base.dtype
    size = Items(8 * dtype.itemsize, True).size
    routine = Routine(
        "top_k", (dtype, types[1].dtype, prod(x.shape) // n, n, k, capacity), 2 * capacity * size
    )
    moved = [Type((*rows.shape[:-1], k), t.dtype) for t in types]
    return [v.transpose(back) for v in graph.routine("top_k", routine, [rows], moved)]


register(dict(sort=_sort))
WITHOUT_UNREAD["top_k"] = _only_values
