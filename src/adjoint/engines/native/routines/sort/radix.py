"""Sorting: keys as unsigned integers with positions below them, by digits from the last to the first.

The order is JAX's: the zeros are equal, every NaN comes last, equal elements keep their places (`top_k` goes by the
total order). Items are moved to the places of their first digit, which is as wide as to leave about one item to each;
those that still share one are sorted by their further digits, if they are many, or at last by insertion (Knuth, "The
Art of Computer Programming" 3, 5.2.5 and 5.2.1). Long rows are first divided by all threads, each of which then sorts
parts. Several keys are sorted one after the other, the last one first. The greatest k elements are kept in a buffer
that is sorted when it is full, so that nearly all others are looked at once.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from ...graph.view_rules import WITHOUT_UNREAD, register
from ...graph.views import Type, View
from ...text.builder import BOOL, I64, NARROW, Module, Value
from ..base import Code, Routine, writes
from ..cumulative import along, lanes_for, load_vector, store_vector
from . import numpy_sort
from .vector_sort import AVAILABLE, quicksort

_MAX_INSERTION_ITEMS = 32  # items that are sorted by insertion
_MAX_CACHED_ITEMS = 1 << 16  # that stay in the second cache
_DIGIT_BITS, _MAX_DIGIT_BITS = 8, 11  # bits of digits of many items, and of fewer
_BUCKETS = 1 << _DIGIT_BITS
_MIN_ELEMENTS_FOR_NUMPY = 2048  # elements from which NumPy's sort by short integers is faster
_MIN_ELEMENTS_TO_THREAD = 1 << 15  # elements of a row that all threads sort together
_CHUNK_ELEMENTS = 1 << 14
_MAX_CHUNKS = 16
_LINE_BYTES = 64
_U8, _U32 = np.dtype("u1"), np.dtype("u4")
_INFINITY = {"f2": 0x7C00, "bf": 0x7F80, "f4": 0x7F800000, "f8": 0x7FF0000000000000}


def _word(n: int) -> np.dtype:
    return np.dtype(f"u{n}")


class _Items:
    """The items that are sorted: keys of some bits, with positions below them or alone, in integers of a width.

    They `differ` if the positions are in order at first, so that a sort of all bits is a stable one.
    """

    def __init__(self, bits: int, positions: bool, differ: bool = False):
        self.bits = bits
        self.low = (64 if bits == 64 else 32) if positions else 0
        self.width = bits if not positions else 128 if bits == 64 else 64
        self.type = f"i{self.width}"
        self.size = self.width // 8
        self.differ = AVAILABLE and self.width == 64 and differ  # and so are sorted by whole vectors


def _text(code: Code, text: str) -> str:
    return code.new(text).text


def _place(code: Code, items: _Items, base: str, i: Value) -> str:
    return _text(code, f"getelementptr {items.type}, ptr {base}, i64 {i.text}")


def _load(code: Code, items: _Items, base: str, i: Value) -> str:
    return _text(code, f"load {items.type}, ptr {_place(code, items, base, i)}, align {min(items.size, 8)}")


def _store(code: Code, items: _Items, item: str, base: str, i: Value) -> None:
    code.line(f"store {items.type} {item}, ptr {_place(code, items, base, i)}, align {min(items.size, 8)}")


def _key(code: Code, items: _Items, item: str) -> str:
    """Return the item without its position."""
    return _text(code, f"lshr {items.type} {item}, {items.low}") if items.low else item


def _sorter(module: Module, items: _Items) -> str:
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


def _call(code: Code, items: _Items, a: str, b: str, n: Value, top: Value, there: str) -> None:
    name = _sorter(code.module, items)
    if items.differ:
        bits = 64 - _leading_zeros(code, n)
        name, top = quicksort(code.module, name), bits * 2
    _go_on(code, name, a, b, n, top, there)


def _go_on(code: Code, name: str, a: str, b: str, n: Value, top: Value, there: str) -> None:
    code.line(f"call void @{name}(ptr {a}, ptr {b}, i64 {n.text}, i64 {top.text}, i1 {there})")


def _by_first_digit(code: Code, items: _Items, n: Value, name: str) -> None:
    """Move the items to the places of their first digit, and sort what has the same one."""
    counts = code.local("i32", 1 << _MAX_DIGIT_BITS)
    width = 64 - _leading_zeros(code, n - 1)
    far = n > _MAX_CACHED_ITEMS
    width = code.select(far, _DIGIT_BITS, code.minimum(width, _MAX_DIGIT_BITS))
    bins = code.integer(1) << width
    mask, low = bins - 1, code.integer(items.low)
    shift = code.maximum(code.value("%top") - width, low)
    amount, last = _shift_of(code, items, shift), shift <= low
    size = n * items.size
    code.clear(counts, bins * 4)
    with code.loop(n) as i:
        _count(code, counts, _digit(code, items, _load(code, items, "%a", i), amount, mask))
    most = _starts(code, counts, bins)
    alike = most.equals(n)
    with code.when(alike):
        differ = code.variable(0)
        with code.when(~last):
            first = _key(code, items, _load(code, items, "%a", code.integer(0)))
            with code.loop(n) as i:
                other = _key(code, items, _load(code, items, "%a", i))
                bits = _low(code, items, _text(code, f"xor {items.type} {first}, {other}"))
                code.set(differ, code.get(differ) | bits)
        equal = code.get(differ).equals(0)
        with code.when(equal):
            code.copy(_text(code, "select i1 %there, ptr %b, ptr %a"), "%a", size)
        with code.when(~equal):
            top = 64 + items.low - _leading_zeros(code, code.get(differ))
            _go_on(code, name, "%a", "%b", n, top, "%there")
    with code.when(~alike):
        with code.loop(n) as i:
            item = _load(code, items, "%a", i)
            _store(code, items, item, "%b", _count(code, counts, _digit(code, items, item, amount, mask)))
        with code.when(~last):
            with code.when(most > _MAX_INSERTION_ITEMS):
                first = code.variable(0)
                with code.loop(bins) as k:  # now the counters are the ends of the parts
                    end, start = code.convert(code.load(counts, k, _U32), I64), code.get(first)
                    part = end - start
                    with code.when(part > _MAX_INSERTION_ITEMS):
                        a, b = [_place(code, items, base, start) for base in ("%a", "%b")]
                        _go_on(code, name, b, a, part, shift, "false")
                    code.set(first, end)
            _insertion(code, items, "%b", n)
        with code.when(~code.value("%there", BOOL)):
            code.copy("%a", "%b", size)


def _leading_zeros(code: Code, x: Value) -> Value:
    code.module.declarations.add("declare i64 @llvm.ctlz.i64(i64, i1)")
    return code.new(f"call i64 @llvm.ctlz.i64(i64 {x.text}, i1 false)", I64)


def _insertion(code: Code, items: _Items, base: str, n: Value) -> None:
    """Quick where items are near their places."""
    with code.loop(n, 1) as i:
        item = _load(code, items, base, i)
        key = _key(code, items, item)
        j = code.variable(i)
        before = lambda: _load(code, items, base, code.get(j) - 1)
        greater = lambda: code.new(f"icmp ugt {items.type} {_key(code, items, before())}, {key}", BOOL)
        with code.when(greater()):
            going = code.variable(code.const(True, BOOL))
            with code.repeat(lambda: code.get(going, BOOL)):
                _store(code, items, before(), base, code.get(j))
                code.set(j, code.get(j) - 1)
                code.set(going, code.const(False, BOOL))
                with code.when(code.get(j) > 0):
                    code.set(going, greater())
            _store(code, items, item, base, code.get(j))


def _shift_of(code: Code, items: _Items, by: Value) -> str:
    """Return a shift as a number of the items' width."""
    if items.width == 64:
        return by.text
    return _text(code, f"{'zext' if items.width > 64 else 'trunc'} i64 {by.text} to {items.type}")


def _digit(code: Code, items: _Items, item: str, shift: str, mask: Value | None = None) -> Value:
    part = _low(code, items, _text(code, f"lshr {items.type} {item}, {shift}"))
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


def bits_of(dtype) -> np.dtype:
    return _word(dtype.itemsize)


def _is_float(dtype) -> bool:
    return dtype.kind == "f" or dtype in NARROW


def _sign(bits: np.dtype) -> int:
    return 1 << (8 * bits.itemsize - 1)


def ordered(b, raw: Value, dtype, total: bool = False) -> Value:
    """Unsigned integers in the order of the elements with these bits; `total` is that of IEEE, -NaN to NaN."""
    bits = raw.dtype
    if dtype.kind in "ub" and dtype not in NARROW:
        return raw
    if dtype.kind == "i":
        return raw ^ _sign(bits)
    size = raw & (_sign(bits) - 1)
    if not total:
        raw = b.select(size.equals(0), 0, raw)
    flip = b.binary("ashr", raw, b.like(raw, 8 * bits.itemsize - 1))
    flip = flip | _sign(bits)
    if total:
        return raw ^ flip
    every = b.like(raw, 2 * _sign(bits) - 1)
    nan = size > _INFINITY["bf" if dtype.kind != "f" else f"f{dtype.itemsize}"]
    return b.select(nan, every, raw ^ flip)


def _item(code: Code, items: _Items, key: Value, position: Value) -> str:
    width = 8 * key.dtype.itemsize
    wide = key.text if width == items.width else _text(code, f"zext i{width} {key.text} to {items.type}")
    if not items.low:
        return wide
    high = _text(code, f"shl {items.type} {wide}, {items.low}")
    low = position.text if items.width == 64 else _text(code, f"zext i64 {position.text} to {items.type}")
    return _text(code, f"or {items.type} {high}, {low}")


def _low(code: Code, items: _Items, item: str) -> Value:
    """Return the lower 64 bits."""
    if items.width != 64:
        item = _text(code, f"{'trunc' if items.width > 64 else 'zext'} {items.type} {item} to i64")
    return code.value(item)


def _position(code: Code, items: _Items, item: str) -> Value:
    return _low(code, items, item) & 0xFFFFFFFF


def _sorted(code: Code, items: _Items, a: str, b: str, n, there: str = "false") -> None:
    """Sort n items at `a`; at `b` is room for as many, and the result if it shall be there."""
    n = n if isinstance(n, Value) else code.integer(n)
    _call(code, items, a, b, n, code.integer(items.low + items.bits), there)


# ---- sort ----------------------------------------------------------------------------------------


class _Sort(NamedTuple):
    """Rows of n elements by their first `keys` operands; those named by `positions` count the elements of a row.

    Keys are gone through from the last to the first; in between the order is a list of positions. With `large` one
    row is sorted by all threads, otherwise rows are shared among `chunks`.
    """

    dtypes: tuple
    keys: int
    positions: tuple
    outer: int
    n: int
    large: bool
    chunks: int

    @property
    def alone(self) -> bool:
        return len(self.dtypes) == 1

    def items(self, k: int) -> _Items:
        return _Items(8 * self.dtypes[k].itemsize, not self.alone, not self.alone and self.keys == 1)

    @property
    def carries(self) -> bool:
        """Return whether items hold the second operand itself in the place of its position."""
        if len(self.dtypes) != 2 or self.keys > 1 or self.positions or _is_float(self.dtypes[0]):
            return False
        if self.items(0).differ:
            return False
        return 8 * self.dtypes[1].itemsize <= self.items(0).low

    @property
    def row_bytes(self) -> int:
        """Items, room for as many, and the order."""
        size = max([self.items(k).size for k in range(self.keys)])
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
    return _Arrays(xs, outs, space, code.at(space, size, _U8), code.at(space, 2 * size, _U8))


@writes("sort")
def _(code: Code, addresses, *params):
    sort = _Sort(*params)
    if sort.large:
        _large_rows(code, sort)
        return
    per = -(-sort.outer // sort.chunks)

    def rows(part: Code):
        chunk = part.value("%chunk")
        first = chunk * per
        stop = part.minimum(first + per, sort.outer)
        with part.loop(stop, first) as row:
            _row(part, sort, _arrays(part, sort, row, chunk))

    code.parallel(code.part("rows", rows), "null", sort.chunks)


def _row(code: Code, sort: _Sort, arrays: _Arrays) -> None:
    n, dtype = sort.n, sort.dtypes[0]
    if sort.alone and dtype.itemsize == 1 and n > _MAX_INSERTION_ITEMS:
        _by_counting(code, dtype, arrays.xs[0], arrays.outs[0], n)
        return
    flag = code.variable(code.const(False, BOOL))
    for k in reversed(range(sort.keys)):
        items = sort.items(k)
        with code.loop(n) as i:
            _store(code, items, _made(code, sort, k, arrays, i, flag), arrays.a, i)
        _sorted(code, items, arrays.a, arrays.b, n, "true")
        with code.loop(n) as i:
            _deliver(code, sort, k, arrays, arrays.b, i)
    if sort.alone and _is_float(dtype):
        with code.when(code.get(flag, BOOL)):
            _zeros_in_order(code, bits_of(dtype), arrays.xs[0], arrays.outs[0], n)


def _made(code: Code, sort: _Sort, k: int, arrays: _Arrays, i: Value, flag: str) -> str:
    """Return the item of the element that is at a place so far; a negative zero that is sorted alone sets the flag."""
    items, dtype = sort.items(k), sort.dtypes[k]
    bits = bits_of(dtype)
    at = code.convert(code.load(arrays.order, i, _U32), I64) if k < sort.keys - 1 else i
    raw = code.load(arrays.xs[k], at, bits)
    key = ordered(code, raw, dtype)
    if sort.alone:
        if _is_float(dtype):
            one = raw.equals(_sign(bits))
            code.set(flag, code.get(flag, BOOL) | one)
        return key.text
    if sort.carries:
        at = code.convert(code.load(arrays.xs[1], i, bits_of(sort.dtypes[1])), I64)
    return _item(code, items, key, at)


def _deliver(code: Code, sort: _Sort, k: int, arrays: _Arrays, base: str, i: Value) -> None:
    """Write the results at a sorted item's place, or the position if there is another key."""
    items, dtype, (xs, outs) = sort.items(k), sort.dtypes[k], arrays[:2]
    item, bits = _load(code, items, base, i), bits_of(sort.dtypes[k])
    if k:
        code.store(code.convert(_position(code, items, item), _U32), arrays.order, i, _U32)
        return
    key = _key(code, items, item)
    if items.low:
        key = _text(code, f"trunc {items.type} {key} to i{items.bits}")
    key, sign = code.value(key, bits), _sign(bits)
    code.store(original(code, key, dtype), outs[0], i, bits)
    if sort.alone:
        return
    if sort.carries:
        at = bits_of(sort.dtypes[1])
        code.store(code.convert(_low(code, items, item), at), outs[1], i, at)
        return
    position = _position(code, items, item)
    if _is_float(dtype):  # zeros have signs and NaN have bits that keys do not
        zero = key.equals(sign)
        with code.when(zero | key.equals(2 * sign - 1)):
            code.store(code.load(xs[0], position, bits), outs[0], i, bits)
    for x, out, d in list(zip(xs, outs, sort.dtypes))[1:]:
        bits = bits_of(d)
        code.store(code.load(x, position, bits) if x else code.convert(position, bits), out, i, bits)


def original(code: Code, key: Value, dtype) -> Value:
    """Return the element that has a key, but for zeros and NaN."""
    sign = _sign(key.dtype)
    if dtype.kind == "i":
        return key ^ sign
    if not _is_float(dtype):
        return key
    positive = key >= sign
    return key ^ code.select(positive, code.like(key, sign), 2 * sign - 1)


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


def _zeros_in_order(code: Code, bits, x, out, n) -> None:
    """Put the zeros, which are equal but have signs, in the order in which they came."""
    below = code.variable(0)
    going = lambda: code.load(out, code.get(below), bits).differs(0)
    with code.repeat(going):
        code.set(below, code.get(below) + 1)
    with code.loop(n) as i:
        raw = code.load(x, i, bits)
        size = raw & (_sign(bits) - 1)
        with code.when(size.equals(0)):
            code.store(raw, out, code.get(below), bits)
            code.set(below, code.get(below) + 1)


# ---- one row by all threads ----------------------------------------------------------------------

# What the chunks share, in words of 64 bits: the row, the shift of the first digit, for each chunk the bits that
# any and that every key has and a flag; then counters for each chunk, and where the parts with a first digit start.
_ROW, _SHIFT, _SEEN = 0, 1, 2
_STATE = 3


class _Shared:
    def __init__(self, code: Code, sort: _Sort, base: str):
        self.sort = sort
        self.base = base
        self.counts = code.at(base, _SEEN + _STATE * sort.chunks, I64)
        self.starts = code.at(self.counts, sort.chunks * _BUCKETS, _U32)

    @staticmethod
    def words(sort: _Sort) -> int:
        return _SEEN + _STATE * sort.chunks + (sort.chunks * _BUCKETS + _BUCKETS + 2) // 2

    def seen(self, code: Code, chunk: Value, which: int) -> str:
        word = chunk * _STATE + (_SEEN + which)
        return code.at(self.base, word, I64)

    def of_chunk(self, code: Code, chunk: Value) -> str:
        """Return the counters of a chunk."""
        return code.at(self.counts, chunk * _BUCKETS, _U32)


def _large_rows(code: Code, sort: _Sort) -> None:
    """Write the division of each row by its first digit; the parts are sorted on their own.

    Every chunk counts its digits, so that it knows where its items go: they stay in order.
    """
    shared = _Shared(code, sort, code.local("i64", _Shared.words(sort)))
    rounds = [(k, _Parts(code, sort, k)) for k in reversed(range(sort.keys))]
    with code.loop(sort.outer) as row:
        code.store(row, shared.base, _ROW, I64)
        for k, parts in rounds:
            items = sort.items(k)
            first = items.low + items.bits - _DIGIT_BITS
            code.store(code.integer(first), shared.base, _SHIFT, I64)
            code.parallel(parts.make, shared.base, sort.chunks)
            some, every = code.variable(0), code.variable(-1)
            with code.loop(sort.chunks) as chunk:
                for name, op, which in ((some, "or", 0), (every, "and", 1)):
                    word = code.load(shared.seen(code, chunk, which), 0, I64)
                    code.set(name, code.binary(op, code.get(name), word))
            differ = code.get(some) ^ code.get(every)
            high = code.binary("lshr", differ, code.integer(items.bits - _DIGIT_BITS))
            with code.when(high.equals(0)):
                least = 64 - _DIGIT_BITS - _leading_zeros(code, differ)
                least = code.maximum(least, 0)
                code.store(least + items.low, shared.base, _SHIFT, I64)
                code.parallel(parts.count, shared.base, sort.chunks)
            _places(code, sort, shared)
            code.parallel(parts.move, shared.base, sort.chunks)
            code.parallel(parts.finish, shared.base, _BUCKETS)
        if sort.alone and _is_float(sort.dtypes[0]):
            arrays, flag = _arrays(code, sort, row, code.integer(0)), code.variable(0)
            with code.loop(sort.chunks) as chunk:
                word = code.load(shared.seen(code, chunk, 2), 0, I64)
                code.set(flag, code.get(flag) | word)
            with code.when(code.get(flag).differs(0)):
                _zeros_in_order(code, bits_of(sort.dtypes[0]), arrays.xs[0], arrays.outs[0], sort.n)


def _places(code: Code, sort: _Sort, shared: _Shared) -> None:
    """Counts become the places of the first items."""
    total = code.variable(code.integer(0, _U32))
    with code.loop(_BUCKETS) as digit:
        code.store(code.get(total, _U32), shared.starts, digit, _U32)
        with code.loop(sort.chunks) as chunk:
            place = code.at(shared.of_chunk(code, chunk), digit, _U32)
            count = code.load(place, 0, _U32)
            code.store(code.get(total, _U32), place, 0, _U32)
            code.set(total, code.get(total, _U32) + count)
    code.store(code.get(total, _U32), shared.starts, _BUCKETS, _U32)


class _Parts:
    """The functions of chunks for one key."""

    def __init__(self, code: Code, sort: _Sort, k: int):
        self.sort = sort
        self.k = k
        self.items = sort.items(k)
        self.make, self.count, self.move, self.finish = [
            code.part(f"{name}{k}", getattr(self, "_" + name)) for name in ("make", "count", "move", "finish")
        ]

    def _open(self, code: Code) -> tuple[_Shared, _Arrays, Value]:
        shared = _Shared(code, self.sort, "%shared")
        row = code.load(shared.base, _ROW, I64)
        return shared, _arrays(code, self.sort, row, code.integer(0)), code.load(shared.base, _SHIFT, I64)

    def _turns(self, code: Code):
        per = -(-self.sort.n // self.sort.chunks)
        first = code.value("%chunk") * per
        return code.loop(code.minimum(first + per, self.sort.n), first)

    def _make(self, code: Code) -> None:
        sort, items = self.sort, self.items
        shared, arrays, _ = self._open(code)
        chunk = code.value("%chunk")
        counts = shared.of_chunk(code, chunk)
        code.clear(counts, 4 * _BUCKETS)
        some, every = code.variable(0), code.variable(-1)
        flag = code.variable(code.const(False, BOOL))
        with self._turns(code) as i:
            item = _made(code, sort, self.k, arrays, i, flag)
            _store(code, items, item, arrays.a, i)
            key = _low(code, items, _key(code, items, item))
            code.set(some, code.get(some) | key)
            code.set(every, code.get(every) & key)
            _count(code, counts, _digit(code, items, item, str(items.low + items.bits - _DIGIT_BITS)))
        flag = code.convert(code.get(flag, BOOL), I64)
        for which, value in enumerate((code.get(some), code.get(every), flag)):
            code.store(value, shared.seen(code, chunk, which), 0, I64)

    def _count(self, code: Code) -> None:
        shared, arrays, shift = self._open(code)
        counts = shared.of_chunk(code, code.value("%chunk"))
        code.clear(counts, 4 * _BUCKETS)
        amount = _shift_of(code, self.items, shift)
        with self._turns(code) as i:
            _count(code, counts, _digit(code, self.items, _load(code, self.items, arrays.a, i), amount))

    def _move(self, code: Code) -> None:
        shared, arrays, shift = self._open(code)
        counts = shared.of_chunk(code, code.value("%chunk"))
        amount = _shift_of(code, self.items, shift)
        with self._turns(code) as i:
            item = _load(code, self.items, arrays.a, i)
            at = _count(code, counts, _digit(code, self.items, item, amount))
            _store(code, self.items, item, arrays.b, at)
            code.module.declarations.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
            ahead = _place(code, self.items, arrays.b, at + _LINE_BYTES // self.items.size)
            code.line(f"call void @llvm.prefetch.p0(ptr {ahead}, i32 1, i32 3, i32 1)")

    def _finish(self, code: Code) -> None:
        """Sort the items with one digit, and write the results that stand there."""
        shared, arrays, shift = self._open(code)
        digit = code.value("%chunk")
        first = code.convert(code.load(shared.starts, digit, _U32), I64)
        stop = code.convert(code.load(shared.starts, digit + 1, _U32), I64)
        a, b = [_place(code, self.items, base, first) for base in (arrays.a, arrays.b)]
        _call(code, self.items, b, a, stop - first, shift, "true")
        with code.loop(stop, first) as i:
            _deliver(code, self.sort, self.k, arrays, arrays.a, i)


def _sort(graph, operands, params, types):
    axis, keys, shape = params["dimension"], params["num_keys"], types[0].shape
    if not prod(shape) or shape[axis] == 1:
        return list(operands)
    n, dtypes = shape[axis], tuple([v.base.dtype for v in operands])
    outer, alone = prod(shape) // n, len(operands) == 1
    size, is_integer = dtypes[0].itemsize, dtypes[0].kind in "iu"
    # NumPy has a sort by digits for short integers.
    digits = is_integer and size <= 2 and keys == 1 and len(operands) == 2
    by_numpy = digits and not graph.in_loop and n >= _MAX_INSERTION_ITEMS and prod(shape) >= _MIN_ELEMENTS_FOR_NUMPY
    if n >= 1 << 31 or by_numpy:
        return None
    order = [i for i in range(len(shape)) if i != axis] + [axis]
    back = [order.index(i) for i in range(len(shape))]
    rows = [v.transpose(order) for v in operands]
    if alone and numpy_sort.is_available(dtypes[0]):
        chunks = min(outer, _MAX_CHUNKS) if prod(shape) >= _CHUNK_ELEMENTS else 1
        routine = Routine("numpy_sort", (dtypes[0], outer, n, chunks))
        (out,) = graph.routine("sort", routine, rows, [Type(rows[0].shape, dtypes[0])])
        return [out.transpose(back)]
    positions = tuple([i for i, v in enumerate(rows) if i >= keys and _counts(v)])
    large = n >= _MIN_ELEMENTS_TO_THREAD and not (alone and dtypes[0].itemsize == 1)
    chunks = min(outer, _MAX_CHUNKS) if prod(shape) >= _CHUNK_ELEMENTS else 1
    chunks = min(n // _CHUNK_ELEMENTS, _MAX_CHUNKS) if large else chunks
    sort = _Sort(dtypes, keys, positions, outer, n, large, chunks)
    routine = Routine("sort", tuple(sort), sort.row_bytes * (1 if large else chunks))
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
    items = _Items(8 * bits.itemsize, True, True)
    a, b = space, code.at(space, capacity * items.size, np.dtype("u1"))
    turned = lambda builder, raw: ordered(builder, raw, dtype, total=True) ^ (2 * _sign(bits) - 1)
    with code.loop(outer) as row:
        source = code.at(x, row * n, bits)
        count, bound = code.variable(0), code.variable(code.const(2 * _sign(bits) - 1, bits))
        full = code.variable(code.const(False, BOOL))  # whether there are k, of which the last is the bound

        def shrink(m):
            _sorted(code, items, a, b, m)
            code.set(count, k)
            code.set(full, code.const(True, BOOL))
            last = _key(code, items, _load(code, items, a, code.integer(k - 1)))
            width = 8 * bits.itemsize
            code.set(bound, code.value(_text(code, f"trunc {items.type} {last} to i{width}"), bits))

        def offer(i):
            key = turned(code, code.load(source, i, bits))
            better = key < code.get(bound, bits)
            some = code.get(full, BOOL) ^ True
            with code.when(better | some):
                at = code.get(count)
                _store(code, items, _item(code, items, key, i), a, at)
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
            position = _position(code, items, _load(code, items, a, i))
            at = first + i
            code.store(code.load(source, position, bits), values, at, bits)
            code.store(code.convert(position, index_dtype), indices, at, index_dtype)


_MIN_WANTED_TO_SORT_ALL = 64  # of the values that alone are wanted: if there are so many, all are sorted


def _only_values(routine: Routine, read: list[bool]):
    dtype, _, outer, n, k, _ = routine.params
    bits = bits_of(dtype)
    if not read[0] or k < _MIN_WANTED_TO_SORT_ALL or k < n // 64 or not numpy_sort.is_available(bits):
        return None
    return Routine("top_values", (dtype, outer, n, k), n * bits.itemsize)


@writes("top_values")
def _(code: Code, addresses, dtype, outer, n, k):
    """Select keys, complemented so that the greatest come first."""
    x, values, space = addresses
    bits = bits_of(dtype)
    sign, every = _sign(bits), 2 * _sign(bits) - 1
    lanes = lanes_for(bits, n)

    def made(builder, j):
        raw = load_vector(builder, code.at(source, j, bits), bits)
        key = ordered(builder, raw, dtype, total=True)
        store_vector(builder, key ^ every, code.at(space, j, bits), bits)

    def delivered(builder, j):
        key = load_vector(builder, code.at(space, j, bits), bits)
        key = key ^ every
        if _is_float(dtype):
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
        numpy_sort.sort_numbers(code, bits, space, n)
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
    size = _Items(8 * dtype.itemsize, True).size
    routine = Routine(
        "top_k", (dtype, types[1].dtype, prod(x.shape) // n, n, k, capacity), 2 * capacity * size
    )
    moved = [Type((*rows.shape[:-1], k), t.dtype) for t in types]
    return [v.transpose(back) for v in graph.routine("top_k", routine, [rows], moved)]


register(dict(sort=_sort))
WITHOUT_UNREAD["top_k"] = _only_values
