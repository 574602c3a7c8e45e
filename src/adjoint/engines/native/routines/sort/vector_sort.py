"""Sorting 64-bit items that all differ, by whole vectors, where one instruction packs the lanes that a mask names.

Quicksort that moves items from one array to another: those below the pivot to its front, the others to its end
(Bramas, "A novel hybrid quicksort algorithm vectorized using AVX-512", 2017). As many items as eight vectors have
are sorted in registers: columns by Batcher's network, then bitonic merges across lanes (Knuth, "The Art of Computer
Programming" 3, 5.3.4), and a transposition. If pivots are bad too often, another function goes on.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

import numpy as np

from ...runtime.machine import VECTOR_BYTES, has_feature
from ...text.builder import BOOL, I64, Builder, Module, Value
from ..base import Code

__all__ = ["AVAILABLE", "quicksort"]

AVAILABLE = VECTOR_BYTES == 64 and has_feature("avx512f")
_U64 = np.dtype("u8")
_LANES = 8
_BLOCK_ITEMS = _LANES * _LANES
_COLUMNS = (
    (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7), (0, 1), (2, 3), (4, 5), (6, 7), (2, 4), (3, 5),
    (1, 4), (3, 6), (1, 2), (3, 4), (5, 6),
)


def quicksort(module: Module, fallback: str) -> str:
    """Return the name of a function of (items, room for as many, their number, pivots left, whether to end in the
    second).

    `fallback` is a function of (items, room, number, 64, whether to end in the second).
    """
    name = "sort.vectors"
    if name in module.written:
        return name
    module.written.add(name)
    block = _sorted_block(module)
    with module.function(f"internal void @{name}(ptr %a, ptr %b, i64 %n, i64 %left, i1 %there)") as lines:
        code = Code(module, name, lines)
        n, there, left = code.value("%n"), code.value("%there", BOOL), code.value("%left")
        few, over = n <= _BLOCK_ITEMS, left <= 0
        with code.when(few):
            target = code.new("select i1 %there, ptr %b, ptr %a").text
            code.line(f"call void @{block}(ptr %a, ptr {target}, i64 %n)")
        over = ~few & over
        with code.when(over):
            code.line(f"call void @{fallback}(ptr %a, ptr %b, i64 %n, i64 64, i1 %there)")
        with code.when(~(few | over)):
            low = _partition(code, n)
            back, less = (~there).text, (left - 1).text
            code.line(f"call void @{name}(ptr %b, ptr %a, i64 {low.text}, i64 {less}, i1 {back})")
            a, b = [code.at(base, low, _U64) for base in ("%a", "%b")]
            code.line(f"call void @{name}(ptr {b}, ptr {a}, i64 {(n - low).text}, i64 {less}, i1 {back})")
    return name


def _partition(code: Code, n: Value) -> Value:
    """Move the items of a to b, on both sides of the pivot; how many are below it."""
    b, t = code.wide_builder(_LANES), f"<{_LANES} x i64>"
    pivot = _pivot(code, b, n)
    wide = _spread(b, pivot)
    low, high = code.variable(0), code.variable(n)
    whole = n & (-_LANES)
    lanes = b.value(f"<{', '.join([f'i64 {k}' for k in range(_LANES)])}>", I64)
    code.module.declarations.add(f"declare {t} @llvm.experimental.vector.compress.v8i64({t}, <8 x i1>, {t})")

    def put(x, flags, start, count):
        packed = b.new(
            f"call {t} @llvm.experimental.vector.compress.v8i64({t} {x.text}, <8 x i1> {flags.text}, {t} poison)", _U64
        )
        inside = lanes < _spread(b, count)
        _masked_store(b, packed, code.at("%b", start, _U64), inside)

    with code.loop(whole, step=_LANES) as i:
        x = b.new(f"load {t}, ptr {code.at('%a', i, _U64)}, align 8", _U64)
        below = x < wide
        bits = code.new(f"bitcast <8 x i1> {below.text} to i8", np.dtype("u1"))
        count = code.convert(code.intrinsic("ctpop", bits), I64)
        at, rest = code.get(low), _LANES - count
        put(x, below, at, count)
        code.set(low, at + count)
        end = code.get(high) - rest
        put(x, ~below, end, rest)
        code.set(high, end)
    with code.loop(n, whole) as i:
        x = code.load("%a", i, _U64)
        below = x < pivot
        at, end = code.get(low), code.get(high) - 1
        code.store(x, "%b", code.select(below, at, end), _U64)
        code.set(low, at + code.convert(below, I64))
        code.set(high, code.select(below, code.get(high), end))
    return code.get(low)


def _pivot(code: Code, b: Builder, n: Value) -> Value:
    """Return the middle one of eight items."""
    step, x = code.binary("lshr", n, code.integer(3)), "poison"
    for k in range(_LANES):
        item = code.load("%a", step * k, _U64)
        x = b.new(f"insertelement <8 x i64> {x}, i64 {item.text}, i32 {k}").text
    x, size = b.value(x, _U64), 2
    while size <= _LANES:
        distance = size // 2
        while distance:
            x = _crossed(b, x, distance, [bool(k & distance) != bool(k & size) for k in range(_LANES)])
            distance //= 2
        size *= 2
    return code.new(f"extractelement <8 x i64> {x.text}, i32 {_LANES // 2}", _U64)


def _spread(b: Builder, x: Value) -> Value:
    one = b.new(f"insertelement <8 x i64> poison, i64 {x.text}, i32 0", x.dtype)
    return b.new(f"shufflevector <8 x i64> {one.text}, <8 x i64> poison, <8 x i32> zeroinitializer", x.dtype)


def _shuffled(b: Builder, x: Value, y: Value, lanes) -> Value:
    picked = ", ".join([f"i32 {k}" for k in lanes])
    return b.new(f"shufflevector <8 x i64> {x.text}, <8 x i64> {y.text}, <8 x i32> <{picked}>", _U64)


def _flags(lanes) -> Value:
    return Value(f"<{', '.join(['i1 true' if k else 'i1 false' for k in lanes])}>", BOOL)


def _crossed(b: Builder, x: Value, distance: int, greater) -> Value:
    """Compare each lane with the one at a distance: the greater of both where `greater` says so, else the smaller."""
    y = _shuffled(b, x, x, [k ^ distance for k in range(_LANES)])
    return b.select(_flags(greater), b.maximum(x, y), b.minimum(x, y))


def _masked_store(b: Builder, x: Value, address: str, flags: Value) -> None:
    b.module.declarations.add("declare void @llvm.masked.store.v8i64.p0(<8 x i64>, ptr, <8 x i1>)")
    text = f"<8 x i64> {x.text}, ptr align 8 {address}, <8 x i1> {flags.text}"
    b.line(f"call void @llvm.masked.store.v8i64.p0({text})")


# ---- a block in registers ------------------------------------------------------------------------


def _sorted_block(module: Module) -> str:
    """Return the name of a function of (items, where to put them in order, their number, at most 64).

    Item 8 l + v is lane l of vector v, so that close ones are compared without moving lanes.
    """
    name = "sort.block"
    with module.function(f"internal void @{name}(ptr %a, ptr %to, i64 %n)") as lines:
        code = Code(module, name, lines)
        b, n = code.wide_builder(_LANES), code.value("%n")
        lanes = b.value(f"<{', '.join([f'i64 {k}' for k in range(_LANES)])}>", I64)
        module.declarations.add("declare <8 x i64> @llvm.masked.load.v8i64.p0(ptr, <8 x i1>, <8 x i64>)")
        count = _spread(b, n)
        places = [code.at("%a", v * _LANES, _U64) for v in range(_LANES)]
        inside = [lanes + v * _LANES < count for v in range(_LANES)]
        xs = [
            b.new(
                f"call <8 x i64> @llvm.masked.load.v8i64.p0(ptr align 8 {at}, <8 x i1> {flags.text}, "
                "<8 x i64> splat (i64 -1))", _U64,
            ) for at, flags in zip(places, inside)
        ]
        for i, j in _COLUMNS:
            xs[i], xs[j] = b.minimum(xs[i], xs[j]), b.maximum(xs[i], xs[j])
        odd = _flags([k & 1 for k in range(_LANES)])
        xs = [b.select(odd, xs[_LANES - 1 - v], xs[v]) for v in range(_LANES)]
        for size in (2, 4, 8):  # of the merged runs, in columns; they rise and fall by turns
            falls = [bool(k & size) for k in range(_LANES)]
            distance = size // 2
            while distance:
                greater = [bool(k & distance) != f for k, f in enumerate(falls)]
                xs = [_crossed(b, x, distance, greater) for x in xs]
                distance //= 2
            distance = _LANES // 2
            while distance:
                for i in range(_LANES):
                    j = i | distance
                    if j != i:
                        low, high = b.minimum(xs[i], xs[j]), b.maximum(xs[i], xs[j])
                        if any(falls):
                            low, high = b.select(_flags(falls), high, low), b.select(_flags(falls), low, high)
                        xs[i], xs[j] = low, high
                distance //= 2
        for v, (x, flags) in enumerate(zip(_transposed(b, xs), inside)):
            _masked_store(b, x, code.at("%to", v * _LANES, _U64), flags)
    return name


def _transposed(b: Builder, xs: list[Value]) -> list[Value]:
    """Lanes and vectors change places: blocks of 4, then of 2, then single lanes."""
    for d in (4, 2, 1):
        xs = list(xs)
        for i in range(_LANES):
            if not i & d:
                x, y = xs[i], xs[i | d]
                low = [k if not k & d else _LANES + (k ^ d) for k in range(_LANES)]
                high = [k | d if not k & d else _LANES + k for k in range(_LANES)]
                xs[i], xs[i | d] = _shuffled(b, x, y, low), _shuffled(b, x, y, high)
    return xs
