"""The few greatest elements of rows, kept in order: one that belongs among them moves those behind it.

Whole vectors are compared with the least of those that are kept, which few elements of a long row exceed. So many as
are not greater tell the place of a new one, and vectors that are read one place further on are what stands behind it.
More than a few are kept in a buffer that is sorted when it is full (`radix.py`).

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

from math import prod

import numpy as np

from .....core.process.records import NamedTuple
from ...graph.view_rules import register
from ...graph.views import Type
from ...text.builder import BOOL, I64, Builder, Value, llvm_type
from ..base import Code, Routine, writes
from ..cumulative import lanes_for, load_vector, store_vector
from .items import bits_of, ordered
from .radix import top_k

_MAX_FEW = 64  # elements that are kept in order
_MIN_ELEMENTS_TO_THREAD, _MAX_CHUNKS = 1 << 15, 64
_I32 = np.dtype("i4")


class _Kept(NamedTuple):
    """The addresses of keys, complemented so that they rise, and of their places; the lanes and number of vectors."""

    keys: str
    places: str
    lanes: int
    count: int


def _room(code: Code, bits, k: int) -> _Kept:
    """Local memory, before which a vector may be read too."""
    lanes = lanes_for(bits, k, 4)
    count = -(-k // lanes)
    keys, places = [code.local(llvm_type(t), (count + 1) * lanes) for t in (bits, _I32)]
    return _Kept(code.at(keys, lanes, bits), code.at(places, lanes, _I32), lanes, count)


@writes("top_few")
def _(code: Code, addresses, dtype, index_dtype, outer, n, k, chunks):
    per, bits = -(-outer // chunks), bits_of(dtype)
    insert = _insert(code, bits, k)

    def rows(part: Code):
        x, values, indices = part.arguments(3)
        first = part.value("%chunk") * per
        kept = _room(part, bits, k)
        with part.loop(part.minimum(first + per, outer), first) as row:
            source, target = part.at(x, row * n, bits), row * k
            _keep(part, dtype, source, n, k, kept, insert)
            with part.loop(k) as i:
                place, at = part.convert(part.load(kept.places, i, _I32), I64), target + i
                part.store(part.load(source, place, bits), values, at, bits)
                part.store(part.convert(place, index_dtype), indices, at, index_dtype)

    code.parallel(code.part("rows", rows), "null", chunks)


def _insert(code: Code, bits, k: int) -> str:
    """Return the name of a function that puts a key behind those that are not greater, at `most` of them; the last is
    lost.
    """
    name, t = f"{code.name}.insert", llvm_type(bits)
    head = f"internal void {name}(ptr %keys, ptr %places, {t} %key, i32 %place, i64 %most)"
    with code.module.function(head) as lines:
        code = Code(code.module, name, lines)
        lanes = lanes_for(bits, k, 4)
        count, wide = -(-k // lanes), code.wide_builder(lanes)
        key, place = wide.spread(code.value("%key", bits)), wide.spread(code.value("%place", _I32))
        before = code.variable(0)
        code.module.declarations.add("declare i64 @llvm.ctpop.i64(i64)")
        with code.loop(count * lanes, 0, lanes) as i:
            mask = _mask(code, wide, load_vector(wide, code.at("%keys", i, bits), bits) <= key)
            code.set(before, code.get(before) + code.new(f"call i64 @llvm.ctpop.i64(i64 {mask.text})", I64))
        at = wide.spread(code.convert(code.minimum(code.get(before), code.value("%most")), _I32))
        numbers = ", ".join([f"i32 {lane}" for lane in range(lanes)])
        steps = wide.value(f"<{numbers}>", _I32) if lanes > 1 else wide.const(0, _I32)
        with code.loop(count * lanes, 0, lanes) as turn:
            i = count * lanes - lanes - turn  # what stands behind is moved first
            lane = wide.spread(code.convert(i, _I32)) + steps
            for base, new, dtype in (("%keys", key, bits), ("%places", place, _I32)):
                stay, moved = [load_vector(wide, code.at(base, j, dtype), dtype) for j in (i, i - 1)]
                value = wide.select(lane < at, stay, wide.select(lane.equals(at), new, moved))
                store_vector(wide, value, code.at(base, i, dtype), dtype)
    return name


def _keep(code: Code, dtype, source: str, n: int, k: int, kept: _Kept, insert: str) -> None:
    """Write the keys and places of the k greatest of a row."""
    bits = bits_of(dtype)
    every = (1 << 8 * bits.itemsize) - 1
    bound, t = code.variable(code.const(every, bits)), llvm_type(bits)

    def key_of(builder: Builder, raw: Value) -> Value:
        return ordered(builder, raw, dtype, total=True) ^ every

    def put(key: Value, i: Value, most: Value) -> None:
        given = f"ptr {kept.keys}, ptr {kept.places}, {t} {key.text}, i32 {code.convert(i, _I32).text}, i64 {most.text}"
        code.line(f"call void {insert}({given})")

    def offer(i: Value) -> None:
        key = key_of(code, code.load(source, i, bits))
        with code.when(key < code.get(bound, bits)):
            put(key, i, code.integer(k))
            code.set(bound, code.load(kept.keys, k - 1, bits))

    with code.loop(kept.count * kept.lanes) as i:
        code.store(code.const(every, bits), kept.keys, i, bits)
    with code.loop(k) as i:
        put(key_of(code, code.load(source, i, bits)), i, i)
    code.set(bound, code.load(kept.keys, k - 1, bits))
    lanes = lanes_for(bits, n - k)
    whole = k + (n - k) // lanes * lanes if lanes > 1 else k
    if whole > k:
        wide = code.wide_builder(lanes)
        code.module.declarations.add("declare i64 @llvm.cttz.i64(i64, i1)")
        with code.loop(whole, k, lanes) as first:
            key = key_of(wide, load_vector(wide, code.at(source, first, bits), bits))
            better = key < wide.spread(code.get(bound, bits))
            with code.when(wide.any(better)):
                left = code.variable(_mask(code, wide, better))
                with code.repeat(lambda: code.get(left).differs(0)):
                    some = code.get(left)
                    offer(first + code.new(f"call i64 @llvm.cttz.i64(i64 {some.text}, i1 true)", I64))
                    code.set(left, some & (some - 1))
    with code.loop(n, whole) as i:
        offer(i)


def _mask(code: Code, wide: Builder, flags: Value) -> Value:
    """Return the flags as bits of an integer."""
    t = f"i{wide.lanes}"
    bits = code.new(f"bitcast {wide.type(BOOL)} {flags.text} to {t}").text
    return code.value(bits if wide.lanes == 64 else code.new(f"zext {t} {bits} to i64").text)


def _top_k(graph, operands, params, types):
    (x,), k, axis = operands, params["k"], params["axis"]
    n = x.shape[axis]
    if not 0 < k <= min(_MAX_FEW, n) or not prod(types[0].shape) or n >= 1 << 31:
        return top_k(graph, operands, params, types)
    order = [*[i for i in range(len(x.shape)) if i != axis], axis]
    back = [order.index(i) for i in range(len(order))]
    rows = x.transpose(order)
    outer = prod(rows.shape[:-1])
    chunks = min(outer, _MAX_CHUNKS) if outer * n >= _MIN_ELEMENTS_TO_THREAD else 1
    routine = Routine("top_few", (x.base.dtype, types[1].dtype, outer, n, k, chunks))
    moved = [Type((*rows.shape[:-1], k), t.dtype) for t in types]
    return [v.transpose(back) for v in graph.routine("top_k", routine, [rows], moved)]


register({"top_k": _top_k})
