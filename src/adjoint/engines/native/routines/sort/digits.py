"""Sorting by digits from the last to the first, all threads together: long rows, whatever is in them.

For each digit the items are counted and then moved to their places in another array, those with equal digits in the
order in which they come (Knuth, "The Art of Computer Programming" 3, 5.2.5). Bits that all keys share are left out.
Of keys of 64 bits only so many of the first digits are taken as tell nearly all of them apart, by a sample of the
items; the few that they do not are put in order by insertion, and if these are not few, all digits are taken.

The items are divided into chunks; counts of all chunks tell each where its items go, so that the order is the same
with any number of threads. No time is lost by branches, nor on processors without vectors.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

import numpy as np

from ...text.builder import BOOL, F64, I64, Module, Value
from ..base import Code
from . import numpy_sort
from .items import Items, insert, load_item, low_of, shift_of, store_item, text_of

__all__ = ["are_sorted_by_digits", "chunks_for", "sort_by_digits", "sort_keys"]

_MIN_KEYS = {1: 1500, 2: 1500, 4: 1500, 8: 700}  # from which keys of so many bytes are sorted faster than by NumPy
_MIN_ITEMS = {1: 2000, 2: 2000, 4: 1 << 15, 8: 1 << 15}  # and those with positions faster than in other ways
_MAX_BYTES_FOR_WIDE_DIGITS = 1 << 20  # of items whose 2048 parts are written to without leaving the second cache
_WIDE_DIGIT_BITS, _DIGIT_BITS = 11, 8
_MIN_ITEMS_TO_THREAD, _MAX_CHUNKS = 1 << 15, 16
_SAMPLE_ITEMS = 512
_MAX_ALIKE = 0.25  # items, as a part of all, that insertion may have to put in order
_U8, _U32 = np.dtype("u1"), np.dtype("u4")

# What the chunks share, in words of 64 bits; behind these are counters for each of them.
_SOURCE, _TARGET, _ITEMS, _PER_CHUNK, _SHIFT, _IS_MUCH, _COUNTS = range(7)


def are_sorted_by_digits(n: int, size: int, alone: bool) -> bool:
    """Return whether n keys of so many bytes, alone or with positions, are many enough."""
    return n >= (_MIN_KEYS if alone else _MIN_ITEMS)[size]


def chunks_for(n: int) -> int:
    """Return in how many chunks n items are sorted."""
    return max(1, min(n // _MIN_ITEMS_TO_THREAD, _MAX_CHUNKS))


def sort_by_digits(code: Code, items: Items, a: str, b: str, n: int, differ: Value, chunks: int) -> str:
    """Sort n items at `a`, with room for as many at `b`, by the bits of the keys that `differ`: where they are then."""
    width = _WIDE_DIGIT_BITS if n * items.size <= _MAX_BYTES_FOR_WIDE_DIGITS else _DIGIT_BITS
    count, move, finish = [_part(code.module, name, items, width) for name in ("count", "move", "finish")]
    shared = code.local("i64", _COUNTS + (chunks << width) // 2)
    put = lambda value, word: code.store(value, shared, word, I64)
    put(code.integer(n), _ITEMS)
    put(code.integer(-(-n // chunks)), _PER_CHUNK)
    source, target, counts = [code.at(shared, word, I64) for word in (_SOURCE, _TARGET, _COUNTS)]
    code.line(f"store ptr {a}, ptr {source}, align 8")
    code.line(f"store ptr {b}, ptr {target}, align 8")
    lowest = _lowest_bit(code, items, a, n, differ, width, counts) if items.bits == 64 else code.integer(0)
    is_first = code.variable(code.const(True, BOOL))
    rest = code.variable(differ & (code.integer(-1) << lowest))
    code.module.declarations.add("declare i64 @llvm.cttz.i64(i64, i1)")
    with code.repeat(lambda: code.get(rest).differs(0)):
        shift = code.new(f"call i64 @llvm.cttz.i64(i64 {code.get(rest).text}, i1 true)", I64)
        put(shift + items.low, _SHIFT)
        above = code.minimum(shift + width, 63)
        last = shift + width > 63
        code.set(rest, code.select(last, 0, code.get(rest) & (code.integer(-1) << above)))
        code.parallel(count, shared, chunks)
        _add_up(code, counts, width, chunks)
        code.parallel(move, shared, chunks)
        old, new = [text_of(code, f"load ptr, ptr {place}, align 8") for place in (source, target)]
        code.line(f"store ptr {new}, ptr {source}, align 8")
        code.line(f"store ptr {old}, ptr {target}, align 8")
        if items.bits == 64:
            left = differ & ((code.integer(1) << lowest) - 1)
            is_last = code.get(rest).equals(0) & left.differs(0)
            with code.when(is_last & code.get(is_first, BOOL)):
                code.set(is_first, code.const(False, BOOL))
                put(lowest + items.low, _SHIFT)
                put(code.integer(0), _IS_MUCH)
                code.parallel(finish, shared, chunks)
                much = code.load(shared, _IS_MUCH, I64).differs(0)
                code.set(rest, code.select(much, differ, 0))
    return text_of(code, f"load ptr, ptr {source}, align 8")


def sort_keys(code: Code, bits: np.dtype, a: str, b: str, n: int) -> None:
    """Sort n unsigned integers at `a`, with room for as many at `b`."""
    if not are_sorted_by_digits(n, bits.itemsize, True):
        numpy_sort.sort_numbers(code, bits, a, n)
        return
    some, every = code.variable(code.const(0, bits)), code.variable(code.const(-1, bits))
    with code.loop(n) as i:
        key = code.load(a, i, bits)
        code.set(some, code.get(some, bits) | key)
        code.set(every, code.get(every, bits) & key)
    differ = code.convert(code.get(some, bits) ^ code.get(every, bits), I64)
    place = sort_by_digits(code, Items(8 * bits.itemsize, False), a, b, n, differ, chunks_for(n))
    code.copy(a, place, n * bits.itemsize)


def _add_up(code: Code, counts: str, width: int, chunks: int) -> None:
    """Counts become the places of the first items."""
    total = code.variable(code.integer(0, _U32))
    with code.loop(1 << width) as digit, code.loop(chunks) as chunk:
        at = (chunk << width) + digit
        count = code.load(counts, at, _U32)
        code.store(code.get(total, _U32), counts, at, _U32)
        code.set(total, code.get(total, _U32) + count)


def _lowest_bit(code: Code, items: Items, a: str, n: int, differ: Value, width: int, counts: str) -> Value:
    """Return the lowest bit of the first digits that tell nearly all keys apart, as far as a sample tells."""
    size = min(n, _SAMPLE_ITEMS)
    pairs_of_all = size * (size - 1)
    lowest = code.variable(64 - code.new(f"call i64 @llvm.ctlz.i64(i64 {differ.text}, i1 false)", I64))
    code.module.declarations.add("declare i64 @llvm.ctlz.i64(i64, i1)")
    alike = code.variable(code.const(n, F64))  # how many others have the digits of an item
    going = lambda: (code.get(alike, F64) > _MAX_ALIKE) & (code.get(lowest) > 0)
    with code.repeat(going):
        code.set(lowest, code.maximum(code.get(lowest) - width, 0))
        amount = shift_of(code, items, code.get(lowest) + items.low)
        code.clear(counts, 4 << width)
        pairs = code.variable(0)
        with code.loop(size) as i:
            at = _counter(code, items, load_item(code, items, a, i * (n // size)), amount, counts, width)
            code.set(pairs, code.get(pairs) + _add_one(code, at))
        part = code.convert(code.get(pairs) * 2, F64) / pairs_of_all
        code.set(alike, code.get(alike, F64) * part)
    return code.get(lowest)


def _counter(code: Code, items: Items, item: str, amount: str, counts: str, width: int) -> str:
    """Return the address of the counter of an item's digit."""
    digit = low_of(code, items, text_of(code, f"lshr {items.type} {item}, {amount}")) & ((1 << width) - 1)
    return code.at(counts, digit, _U32)


def _add_one(code: Code, place: str) -> Value:
    """Add one to a counter; what it was."""
    old = code.new(f"load i32, ptr {place}, align 4", _U32)
    code.line(f"store i32 {(old + 1).text}, ptr {place}, align 4")
    return code.convert(old, I64)


def _part(module: Module, what: str, items: Items, width: int) -> str:
    """Return the name of a function of (unused, what the chunks share, number of the chunk)."""
    name = f"@sort.digits.{what}.{items.type}.{width}"
    if name in module.written:
        return name
    module.written.add(name)
    with module.function(f"internal void {name}(ptr %arguments, ptr %shared, i64 %chunk)") as lines:
        code = Code(module, name, lines)
        chunk = code.value("%chunk")
        source, target = [
            text_of(code, f"load ptr, ptr {code.at('%shared', word, I64)}, align 8") for word in (_SOURCE, _TARGET)
        ]
        n, per, shift = [code.load("%shared", word, I64) for word in (_ITEMS, _PER_CHUNK, _SHIFT)]
        first = per * chunk
        stop = code.minimum(first + per, n)
        counts = code.at(code.at("%shared", _COUNTS, I64), chunk << width, _U32)
        amount = shift_of(code, items, shift)
        if what == "finish":
            _finish(code, items, source, amount, first, stop, n)
            return name
        if what == "count":
            code.clear(counts, 4 << width)
        with code.loop(stop, first) as i:
            item = load_item(code, items, source, i)
            at = _add_one(code, _counter(code, items, item, amount, counts, width))
            if what == "move":
                store_item(code, items, item, target, at)
    return name


def _finish(code: Code, items: Items, source: str, amount: str, first: Value, stop: Value, n: Value) -> None:
    """Put in order what the first digits do not tell apart; a chunk ends where the next one has other digits."""
    digits = lambda i: text_of(code, f"lshr {items.type} {load_item(code, items, source, i)}, {amount}")
    begin, end = code.variable(first), code.variable(stop)
    for place, bound in ((begin, stop), (end, n)):
        going = code.variable(code.const(True, BOOL))
        with code.repeat(lambda going=going: code.get(going, BOOL)):
            at = code.get(place)
            inside = (at < bound) & (at > 0)
            code.set(going, inside)
            with code.when(inside):
                same = code.new(f"icmp eq {items.type} {digits(at)}, {digits(at - 1)}", BOOL)
                code.set(going, same)
                code.set(place, at + code.convert(same, I64))
    lowest, i = code.get(begin), code.variable(code.get(begin) + 1)
    left = code.variable(stop - first)
    with code.repeat(lambda: (code.get(i) < code.get(end)) & (code.get(left) >= 0)):
        code.set(left, code.get(left) - insert(code, items, source, code.get(i), lowest))
        code.set(i, code.get(i) + 1)
    with code.when(code.get(left) < 0):
        code.store(code.integer(1), "%shared", _IS_MUCH, I64)
