"""Sorting: keys as unsigned integers with positions below them, by digits from the last to the first.

The order is JAX's: the zeros are equal, every NaN comes last, equal elements keep their places (`top_k` goes by the
total order). Short rows are
sorted by insertion. The digits of longer ones are counted in one pass, and then each digit moves all items to their
places (Knuth, "The Art of Computer Programming" 3, 5.2.5); a digit that is the same everywhere costs nothing. Rows
that do not fit the first caches are divided by their first digit, until the parts do. Several
keys are sorted one after the other, the last one first. The greatest k elements are kept in a buffer that is sorted
when it is full, so that nearly all others are looked at once.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .builder import BOOL, I64, NARROW, Module, Value
from .cumulative import along, lanes_for, load_vector, spread
from .layout import put_on
from .routines import Code, Routine, writes
from .views import Type, View

_SHORT = 48  # items that are sorted by insertion
_SMALL = 4096  # that stay in the first caches
_DIGIT = 8  # bits
_BUCKETS = 1 << _DIGIT
_NUMPY = 2048  # elements from which NumPy's sort of one array is faster
_U32 = np.dtype("u4")
_INFINITY = {"f2": 0x7C00, "bf": 0x7F80, "f4": 0x7F800000, "f8": 0x7FF0000000000000}


def _word(n: int) -> np.dtype:
    return np.dtype(f"u{n}")


class _Items:
    """What is sorted: keys of some bits, with positions below them or alone, in integers of a width."""

    def __init__(self, bits: int, positions: bool):
        self.bits = bits
        self.low = (64 if bits == 64 else 32) if positions else 0
        self.width = bits if not positions else 128 if bits == 64 else 64
        self.type = f"i{self.width}"
        self.size = self.width // 8

    @property
    def digits(self) -> int:
        return self.bits // _DIGIT


def _text(code: Code, text: str) -> str:
    return code.new(text).text


def _place(code: Code, items: _Items, base: str, i: Value) -> str:
    return _text(code, f"getelementptr {items.type}, ptr {base}, i64 {i.text}")


def _load(code: Code, items: _Items, base: str, i: Value) -> str:
    return _text(code, f"load {items.type}, ptr {_place(code, items, base, i)}, align {min(items.size, 8)}")


def _store(code: Code, items: _Items, item: str, base: str, i: Value) -> None:
    code.line(f"store {items.type} {item}, ptr {_place(code, items, base, i)}, align {min(items.size, 8)}")


def _key(code: Code, items: _Items, item: str) -> str:
    """The item without its position."""
    return _text(code, f"lshr {items.type} {item}, {items.low}") if items.low else item


def _sorter(module: Module, items: _Items) -> str:
    """The name of a function that sorts (items, as many more, their number, the bit above their digits) in place.

    The fifth argument says whether the sorted items shall be in the second array instead.
    """
    name = f"sort.{items.type}.{items.bits}"
    if name in module.written:
        return name
    module.written.add(name)
    leaf = _leaf(module, items)
    outer, module.allocas = module.allocas, []
    code, n = Code(module, name), Value("%n", I64)
    small = code.compare("le", n, code.integer(_SMALL))
    done, over, apart = [module.fresh(stem) for stem in ("small", "over", "apart")]
    code.line(f"br i1 {small.text}, label {done}, label {apart}")
    code.label(done)
    out = _text(code, f"call ptr @{leaf}(ptr %a, ptr %b, i64 %n)")
    wanted = _text(code, "select i1 %there, ptr %b, ptr %a")
    code.copy(wanted, out, code.mul(n, code.integer(items.size)))
    code.line(f"br label {over}")
    code.label(apart)
    _by_first_digit(code, items, n, name)
    code.line(f"br label {over}")
    code.label(over)
    head = f"define internal void @{name}(ptr %a, ptr %b, i64 %n, i64 %top, i1 %there) #0 {{"
    module.functions.append("\n".join([head, "entry:", *module.allocas, *code.lines, "  ret void", "}"]))
    module.allocas = outer
    return name


def _by_first_digit(code: Code, items: _Items, n: Value, name: str) -> None:
    """Move the items to the places of their first digit, where each part is sorted by the others."""
    counts = code.local("i32", _BUCKETS)
    code.clear(counts, 4 * _BUCKETS)
    shift = code.sub(Value("%top", I64), code.integer(_DIGIT))
    amount = _shift_of(code, items, shift)
    with code.loop(n) as i:
        _count(code, counts, _digit(code, items, _load(code, items, "%a", i), amount))
    differ, yes = _starts(code, counts, code.integer(0)), Value("true", BOOL)
    last = code.compare("le", shift, code.integer(items.low))
    with code.when(code.binary("xor", differ, yes)):
        with code.when(last):  # all are equal
            code.copy(_text(code, "select i1 %there, ptr %b, ptr %a"), "%a", code.mul(n, code.integer(items.size)))
        with code.when(code.binary("xor", last, yes)):
            code.line(f"call void @{name}(ptr %a, ptr %b, i64 %n, i64 {shift.text}, i1 %there)")
    with code.when(differ):
        with code.loop(n) as i:
            item = _load(code, items, "%a", i)
            _store(code, items, item, "%b", _count(code, counts, _digit(code, items, item, amount)))
        back = code.binary("xor", Value("%there", BOOL), yes)
        with code.when(last):
            wanted = _text(code, "select i1 %there, ptr %b, ptr %a")
            code.copy(wanted, "%b", code.mul(n, code.integer(items.size)))
        with code.when(code.binary("xor", last, yes)):
            first = code.variable(code.integer(0))
            with code.loop(_BUCKETS) as k:  # now the counters are the ends of the parts
                end, start = code.convert(code.load(counts, k, _U32), I64), code.get(first)
                size = code.sub(end, start)
                with code.when(code.compare("gt", size, code.integer(0))):
                    a, b = [_place(code, items, base, start) for base in ("%a", "%b")]
                    code.line(
                        f"call void @{name}(ptr {b}, ptr {a}, i64 {size.text}, i64 {shift.text}, i1 {back.text})"
                    )
                code.set(first, end)


def _leaf(module: Module, items: _Items) -> str:
    """The name of a function that sorts a few (items, as many more, their number) and returns where they are."""
    name = f"sort.few.{items.type}.{items.bits}"
    outer, module.allocas = module.allocas, []
    code = Code(module, name)
    source, target = code.local("ptr"), code.local("ptr")
    code.line(f"store ptr %a, ptr {source}")
    code.line(f"store ptr %b, ptr {target}")
    n = Value("%n", I64)
    short = code.compare("le", n, code.integer(_SHORT))
    with code.when(short):
        _insertion(code, items, n)
    with code.when(code.binary("xor", short, Value("true", BOOL))):
        _by_digits(code, items, n, source, target)
    out = _text(code, f"load ptr, ptr {source}")
    text = [f"define internal ptr @{name}(ptr %a, ptr %b, i64 %n) #0 {{", "entry:", *module.allocas, *code.lines]
    module.functions.append("\n".join([*text, f"  ret ptr {out}", "}"]))
    module.allocas = outer
    return name


def _insertion(code: Code, items: _Items, n: Value) -> None:
    with code.loop(n, 1) as i:
        item = _load(code, items, "%a", i)
        key = _key(code, items, item)
        j = code.variable(i)

        def goes_on():
            """Whether there is an item before, and it is greater."""
            more = code.variable(Value("false", BOOL))
            with code.when(code.compare("gt", code.get(j), code.integer(0))):
                before = _key(code, items, _load(code, items, "%a", code.sub(code.get(j), code.integer(1))))
                code.set(more, code.new(f"icmp ugt {items.type} {before}, {key}", BOOL))
            return code.get(more, BOOL)

        with code.repeat(goes_on):
            at = code.get(j)
            before = code.sub(at, code.integer(1))
            _store(code, items, _load(code, items, "%a", before), "%a", at)
            code.set(j, before)
        _store(code, items, item, "%a", code.get(j))


def _shift_of(code: Code, items: _Items, by: Value) -> str:
    """A shift as a number of the items' width."""
    if items.width == 64:
        return by.text
    return _text(code, f"{'zext' if items.width > 64 else 'trunc'} i64 {by.text} to {items.type}")


def _digit(code: Code, items: _Items, item: str, shift: str) -> Value:
    part = _text(code, f"lshr {items.type} {item}, {shift}")
    if items.width != 64:
        part = _text(code, f"{'trunc' if items.width > 64 else 'zext'} {items.type} {part} to i64")
    return code.binary("and", Value(part, I64), code.integer(_BUCKETS - 1))


def _count(code: Code, counts: str, at: Value) -> Value:
    """Add one to a counter; what it was."""
    place = code.at(counts, at, _U32)
    old = code.new(f"load i32, ptr {place}, align 4", _U32)
    code.line(f"store i32 {code.add(old, code.integer(1, _U32)).text}, ptr {place}, align 4")
    return code.convert(old, I64)


def _starts(code: Code, counts: str, first: Value) -> Value:
    """Replace counts by the sums of those before; whether more than one is not 0."""
    total, most = code.variable(code.integer(0, _U32)), code.variable(code.integer(0, _U32))
    with code.loop(_BUCKETS) as k:
        place = code.at(counts, code.add(first, k), _U32)
        count = code.new(f"load i32, ptr {place}, align 4", _U32)
        code.line(f"store i32 {code.get(total, _U32).text}, ptr {place}, align 4")
        code.set(total, code.add(code.get(total, _U32), count))
        code.set(most, code.maximum(code.get(most, _U32), count))
    return code.compare("ne", code.get(most, _U32), code.get(total, _U32))


def _by_digits(code: Code, items: _Items, n: Value, source: str, target: str) -> None:
    counts = code.local("i32", items.digits * _BUCKETS)
    code.clear(counts, 4 * items.digits * _BUCKETS)
    with code.loop(n) as i:
        item = _load(code, items, "%a", i)
        for d in range(items.digits):
            digit = _digit(code, items, item, str(items.low + d * _DIGIT))
            _count(code, counts, code.add(digit, code.integer(d * _BUCKETS)))
    with code.loop(items.digits) as d:
        first = code.mul(d, code.integer(_BUCKETS))
        with code.when(_starts(code, counts, first)):
            shift = _shift_of(code, items, code.add(code.mul(d, code.integer(_DIGIT)), code.integer(items.low)))
            a, b = [_text(code, f"load ptr, ptr {p}") for p in (source, target)]
            with code.loop(n) as i:
                item = _load(code, items, a, i)
                at = _count(code, counts, code.add(first, _digit(code, items, item, shift)))
                _store(code, items, item, b, at)
            code.line(f"store ptr {b}, ptr {source}")
            code.line(f"store ptr {a}, ptr {target}")


# ---- keys ----------------------------------------------------------------------------------------


def _bits_of(dtype) -> np.dtype:
    return _word(dtype.itemsize)


def _sign(bits: np.dtype) -> int:
    return 1 << (8 * bits.itemsize - 1)


def ordered(b, raw: Value, dtype, total: bool = False) -> Value:
    """Unsigned integers in the order of the elements with these bits; `total` is that of IEEE, -NaN to NaN."""
    bits = raw.dtype
    if dtype.kind in "ub" and dtype not in NARROW:
        return raw
    if dtype.kind == "i":
        return b.binary("xor", raw, b.like(raw, _sign(bits)))
    size = b.binary("and", raw, b.like(raw, _sign(bits) - 1))
    if not total:
        raw = b.select(b.compare("eq", size, b.like(raw, 0)), b.like(raw, 0), raw)
    flip = b.binary("ashr", raw, b.like(raw, 8 * bits.itemsize - 1))
    flip = b.binary("or", flip, b.like(raw, _sign(bits)))
    if total:
        return b.binary("xor", raw, flip)
    every = b.like(raw, 2 * _sign(bits) - 1)
    nan = b.compare("gt", size, b.like(raw, _INFINITY["bf" if dtype.kind != "f" else f"f{dtype.itemsize}"]))
    return b.select(nan, every, b.binary("xor", raw, flip))


def _item(code: Code, items: _Items, key: Value, position: Value) -> str:
    width = 8 * key.dtype.itemsize
    wide = key.text if width == items.width else _text(code, f"zext i{width} {key.text} to {items.type}")
    if not items.low:
        return wide
    high = _text(code, f"shl {items.type} {wide}, {items.low}")
    low = position.text if items.width == 64 else _text(code, f"zext i64 {position.text} to {items.type}")
    return _text(code, f"or {items.type} {high}, {low}")


def _position(code: Code, items: _Items, item: str) -> Value:
    if items.width > 64:
        item = _text(code, f"trunc {items.type} {item} to i64")
    return code.binary("and", Value(item, I64), code.integer(0xFFFFFFFF))


def _sorted(code: Code, items: _Items, a: str, b: str, n) -> None:
    """Sort n items at `a`; at `b` is room for as many."""
    name = _sorter(code.module, items)
    text = n.text if isinstance(n, Value) else str(n)
    code.line(f"call void @{name}(ptr {a}, ptr {b}, i64 {text}, i64 {items.low + items.bits}, i1 false)")


# ---- sort ----------------------------------------------------------------------------------------


@writes("sort")
def _(code: Code, addresses, dtypes, keys, positions, outer, n):
    """Rows of n elements by their first `keys` operands; those named by `positions` count the elements of a row."""
    m, given = len(dtypes), iter(addresses)
    xs = ["" if i in positions else next(given) for i in range(m)]
    *outs, space = given
    with code.loop(outer) as row:
        start = code.mul(row, code.integer(n))
        xs, outs = [[a and code.at(a, start, _bits_of(d)) for a, d in zip(p, dtypes)] for p in (xs, outs)]
        if m == 1:
            _sort_alone(code, dtypes[0], xs[0], outs[0], space, n)
        else:
            _sort_together(code, dtypes, keys, xs, outs, space, n)


def _sort_alone(code: Code, dtype, x, out, space, n) -> None:
    bits = _bits_of(dtype)
    items = _Items(8 * bits.itemsize, False)
    a, b = space, code.at(space, n * items.size, np.dtype("u1"))
    floating = dtype.kind == "f" or dtype in NARROW
    negative_zero = code.variable(Value("false", BOOL))
    with code.loop(n) as i:
        raw = code.load(x, i, bits)
        _store(code, items, ordered(code, raw, dtype).text, a, i)
        if floating:
            one = code.compare("eq", raw, code.like(raw, _sign(bits)))
            code.set(negative_zero, code.binary("or", code.get(negative_zero, BOOL), one))
    _sorted(code, items, a, b, n)
    sign = _sign(bits)
    with code.loop(n) as i:
        key = Value(_load(code, items, a, i), bits)
        if dtype.kind == "i":
            key = code.binary("xor", key, code.like(key, sign))
        elif floating:
            positive = code.compare("ge", key, code.like(key, sign))
            flip = code.select(positive, code.like(key, sign), code.like(key, 2 * sign - 1))
            key = code.binary("xor", key, flip)
        code.store(key, out, i, bits)
    if floating:
        with code.when(code.get(negative_zero, BOOL)):
            _zeros_in_order(code, bits, x, out, n)


def _zeros_in_order(code: Code, bits, x, out, n) -> None:
    """Put the zeros, which are equal but have signs, in the order in which they came."""
    below = code.variable(code.integer(0))
    going = lambda: code.compare("ne", code.load(out, code.get(below), bits), code.const(0, bits))
    with code.repeat(going):
        code.set(below, code.add(code.get(below), code.integer(1)))
    with code.loop(n) as i:
        raw = code.load(x, i, bits)
        size = code.binary("and", raw, code.like(raw, _sign(bits) - 1))
        with code.when(code.compare("eq", size, code.like(size, 0))):
            code.store(raw, out, code.get(below), bits)
            code.set(below, code.add(code.get(below), code.integer(1)))


def _sort_together(code: Code, dtypes, keys, xs, outs, space, n) -> None:
    """Positions sorted by one key after the other, and then all operands in that order."""
    before = None
    largest = max([_Items(8 * d.itemsize, True).size for d in dtypes[:keys]])
    spaces = [code.at(space, k * n * largest, np.dtype("u1")) for k in range(3 if keys > 1 else 2)]
    for k in reversed(range(keys)):
        bits = _bits_of(dtypes[k])
        items = _Items(8 * bits.itemsize, True)
        if before is not None:  # the positions of the last round, out of its items
            with code.loop(n) as i:
                code.store(_position(code, before, _load(code, before, spaces[0], i)), spaces[2], i, I64)
        with code.loop(n) as i:
            position = i if before is None else code.load(spaces[2], i, I64)
            key = ordered(code, code.load(xs[k], position, bits), dtypes[k])
            _store(code, items, _item(code, items, key, position), spaces[0], i)
        _sorted(code, items, *spaces[:2], n)
        before = items
    with code.loop(n) as i:
        position = _position(code, before, _load(code, before, spaces[0], i))
        for x, out, dtype in zip(xs, outs, dtypes):
            bits = _bits_of(dtype)
            code.store(code.load(x, position, bits) if x else code.convert(position, bits), out, i, bits)


def _sort(graph, operands, params, types):
    axis, keys, shape = params["dimension"], params["num_keys"], types[0].shape
    if not prod(shape) or shape[axis] == 1:
        return list(operands)
    n, dtypes = shape[axis], tuple([v.base.dtype for v in operands])
    alone = len(operands) == 1
    by_numpy = alone and not graph.in_loop and n >= _SHORT and prod(shape) >= _NUMPY and dtypes[0].itemsize >= 4
    if n >= 1 << 31 or by_numpy:
        return None
    order = [i for i in range(len(shape)) if i != axis] + [axis]
    back = [order.index(i) for i in range(len(shape))]
    rows = [v.transpose(order) for v in operands]
    size = max([_Items(8 * d.itemsize, not alone).size for d in dtypes[:keys]])
    positions = tuple([i for i, v in enumerate(rows) if i >= keys and _counts(v)])
    routine = Routine("sort", (dtypes, keys, positions, prod(shape) // n, n), n * size * (3 if keys > 1 else 2))
    moved = [Type(v.shape, t.dtype) for v, t in zip(rows, types)]
    rows = [v for i, v in enumerate(rows) if i not in positions]
    return [v.transpose(back) for v in graph.routine("sort", routine, rows, moved)]


def _counts(view: View) -> bool:
    """Whether a view is 0, 1, 2, ... along its last axis."""
    whole = view.base.kind == "iota" and view.base.dtype.kind in "iu"
    return whole and view.strides[-1] == 1 and not any([view.offset, *view.strides[:-1]])


# ---- top_k ---------------------------------------------------------------------------------------


@writes("top_k")
def _(code: Code, addresses, dtype, index_dtype, outer, n, k, capacity):
    """Keys are complemented, so that the greatest come first."""
    x, values, indices, space = addresses
    bits = _bits_of(dtype)
    items = _Items(8 * bits.itemsize, True)
    a, b = space, code.at(space, capacity * items.size, np.dtype("u1"))
    turned = lambda builder, raw: builder.binary(
        "xor", ordered(builder, raw, dtype, total=True), builder.like(raw, 2 * _sign(bits) - 1)
    )
    with code.loop(outer) as row:
        source = code.at(x, code.mul(row, code.integer(n)), bits)
        count, bound = code.variable(code.integer(0)), code.variable(code.const(2 * _sign(bits) - 1, bits))
        full = code.variable(Value("false", BOOL))  # whether there are k, of which the last is the bound

        def shrink(m):
            _sorted(code, items, a, b, m)
            code.set(count, code.integer(k))
            code.set(full, Value("true", BOOL))
            last = _key(code, items, _load(code, items, a, code.integer(k - 1)))
            width = 8 * bits.itemsize
            code.set(bound, Value(_text(code, f"trunc {items.type} {last} to i{width}"), bits))

        def offer(i):
            key = turned(code, code.load(source, i, bits))
            better = code.compare("lt", key, code.get(bound, bits))
            some = code.binary("xor", code.get(full, BOOL), Value("true", BOOL))
            with code.when(code.binary("or", better, some)):
                at = code.get(count)
                _store(code, items, _item(code, items, key, i), a, at)
                code.set(count, code.add(at, code.integer(1)))
                with code.when(code.compare("eq", code.get(count), code.integer(capacity))):
                    shrink(capacity)

        lanes = lanes_for(bits, n)

        def block(builder, j):
            if builder.lanes == 1:
                offer(j)
                return
            key = turned(builder, load_vector(builder, code.at(source, j, bits), bits))
            better = builder.compare("lt", key, spread(builder, code.get(bound, bits)))
            mask = code.new(f"bitcast {builder.wide('i1')} {better.text} to i{lanes}")
            some = code.new(f"icmp ne i{lanes} {mask.text}, 0", BOOL)
            some = code.binary("or", some, code.binary("xor", code.get(full, BOOL), Value("true", BOOL)))
            with code.when(some), code.loop(lanes) as lane:
                offer(code.add(j, lane))

        along(code, n, lanes, block)
        with code.when(code.compare("gt", code.get(count), code.integer(k))):
            shrink(code.get(count))
        _sorted(code, items, a, b, k)
        first = code.mul(row, code.integer(k))
        with code.loop(k) as i:
            position = _position(code, items, _load(code, items, a, i))
            at = code.add(first, i)
            code.store(code.load(source, position, bits), values, at, bits)
            code.store(code.convert(position, index_dtype), indices, at, index_dtype)


def _top_k(graph, operands, params, types):
    (x,), k, axis = operands, params["k"], params["axis"]
    n = x.shape[axis]
    if not prod(types[0].shape) or n >= 1 << 31:
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


put_on(dict(sort=_sort, top_k=_top_k))
