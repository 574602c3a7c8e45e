"""Partitions: what belongs before the k-th place and what after it, without putting either in order.

Some elements in order tell two bounds between which the k-th one is nearly always; one pass divides the row into what
is below them, what is above, and the few between, which are sorted (Floyd and Rivest, "Expected time bounds for
selection", 1975). If the k-th is elsewhere, the whole row is sorted. Short rows come in JAX's order: the first part
rises, the second one falls, or its positions rise. Elements are compared by the total order, as by `top_k`.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

from math import isqrt, prod

import numpy as np

from .....prims.sorting import MAX_ELEMENTS_TO_SORT
from ...graph.view_rules import LIBRARY_CALLS
from ...graph.views import Type
from ...runtime.machine import VECTOR_BYTES, has_feature
from ...text.builder import BOOL, I64, Builder, Value
from ..base import Code, Routine, writes
from ..cumulative import along, lanes_for, load_vector, store_vector
from . import numpy_sort
from .digits import sort_keys
from .items import bits_of, ordered, original

_MIN_ROW_ELEMENTS = 64  # of a row that is not divided as JAX's program says
_MIN_ELEMENTS_TO_SAMPLE = 256  # of a row of which some are looked at first
_PACKS = VECTOR_BYTES == 64 and has_feature("avx512f")
_U32, _U64 = np.dtype("u4"), np.dtype("u8")


def _sample_of(n: int) -> int:
    """Return how many elements are sorted first: a power of two, about n to the power 0.7."""
    return 1 << round(0.7 * np.log2(n))


def _bounds(code: Code, bits, sample: str, m: int, n: int, kth: int) -> tuple[Value, Value]:
    """Return the two elements of a sorted sample that enclose the k-th of all, but for one row in a thousand."""
    place, far = kth * m // n, 7 * isqrt(m) // 4
    low = code.load(sample, place - far, bits) if place >= far else code.const(0, bits)
    high = code.load(sample, place + far, bits) if place + far < m else code.const(2 ** (8 * bits.itemsize) - 1, bits)
    return low, high


def _step(code: Code, variable: str, by: Value) -> None:
    code.set(variable, code.get(variable) + code.convert(by, I64))


# ---- elements ------------------------------------------------------------------------------------


@writes("partition")
def _(code: Code, addresses, dtype, outer, n, kth):
    x, out, space = addresses
    bits = bits_of(dtype)
    with code.loop(outer) as row:
        start = row * n
        source, target = code.at(x, start, bits), code.at(out, start, bits)
        if n <= MAX_ELEMENTS_TO_SORT:
            _sort_all(code, dtype, source, space, n)
            _deliver(code, dtype, space, target, code.integer(kth + 1))
            with code.loop(n, kth + 1) as j:
                key = code.load(space, n + kth - j, bits)
                code.store(original(code, key, dtype), target, j, bits)
        else:
            _divide(code, dtype, source, target, space, n, kth)


def _sort_all(code: Code, dtype, x: str, keys: str, n: int) -> None:
    bits = bits_of(dtype)

    def made(b: Builder, j: Value):
        raw = load_vector(b, code.at(x, j, bits), bits)
        store_vector(b, ordered(b, raw, dtype, total=True), code.at(keys, j, bits), bits)

    along(code, n, lanes_for(bits, n), made)
    numpy_sort.sort_numbers(code, bits, keys, n)


def _deliver(code: Code, dtype, keys: str, out: str, n: Value) -> None:
    """Write the elements that have these keys."""
    bits = bits_of(dtype)
    lanes = VECTOR_BYTES // bits.itemsize
    whole = n & (-lanes)
    b = code.wide_builder(lanes)
    with code.loop(whole, step=lanes) as j:
        key = load_vector(b, code.at(keys, j, bits), bits)
        store_vector(b, original(b, key, dtype), code.at(out, j, bits), bits)
    with code.loop(n, whole) as j:
        code.store(original(code, code.load(keys, j, bits), dtype), out, j, bits)


def _divide(code: Code, dtype, x: str, out: str, space: str, n: int, kth: int) -> None:
    bits, m = bits_of(dtype), _sample_of(n)
    middle = code.at(space, m, bits)
    key_of = lambda b, raw: ordered(b, raw, dtype, total=True)
    with code.loop(m) as j:
        code.store(key_of(code, code.load(x, j * (n // m), bits)), space, j, bits)
    sort_keys(code, bits, space, middle, m)
    low, high = _bounds(code, bits, space, m, n, kth)
    below, between, end = code.variable(0), code.variable(0), code.variable(n)
    lanes = VECTOR_BYTES // bits.itemsize if _PACKS else 1
    whole = n // lanes * lanes if _PACKS else 0
    if whole:
        b = code.wide_builder(lanes)
        wide_low, wide_high = b.spread(low), b.spread(high)
        with code.loop(whole, step=lanes) as j:
            raw = load_vector(b, code.at(x, j, bits), bits)
            key = key_of(b, raw)
            less, more = key < wide_low, key > wide_high
            at, many = code.get(below), _count(code, b, less)
            _write(b, _packed(b, raw, less), code.at(out, at, bits), many)
            code.set(below, at + many)
            many = _count(code, b, more)
            at = code.get(end) - many
            _write(b, _packed(b, raw, more), code.at(out, at, bits), many)
            code.set(end, at)
            rest = ~(less | more)
            at, many = code.get(between), _count(code, b, rest)
            store_vector(b, _packed(b, key, rest), code.at(middle, at, bits), bits)
            code.set(between, at + many)
    with code.loop(n, whole) as j:  # each is written where it might belong: these places are free
        raw = code.load(x, j, bits)
        key = key_of(code, raw)
        less, more = key < low, key > high
        last = code.get(end) - 1
        code.store(raw, out, last, bits)
        code.store(raw, out, code.get(below), bits)
        code.store(key, middle, code.get(between), bits)
        _step(code, below, less)
        code.set(end, code.get(end) - code.convert(more, I64))
        _step(code, between, ~(less | more))
    first, place = code.get(below), code.integer(kth)
    found = (first <= place) & (place < code.get(end))
    with code.when(found):
        numpy_sort.sort_numbers(code, bits, middle, code.get(between))
        _deliver(code, dtype, middle, code.at(out, first, bits), code.get(between))
    with code.when(~found):
        _sort_all(code, dtype, x, middle, n)
        _deliver(code, dtype, middle, out, code.integer(n))


def _count(code: Code, b: Builder, flags: Value) -> Value:
    bits = code.new(f"bitcast {b.wide('i1')} {flags.text} to i{b.lanes}", np.dtype(f"u{b.lanes // 8}"))
    return code.convert(code.intrinsic("ctpop", bits), I64)


def _packed(b: Builder, x: Value, flags: Value) -> Value:
    """Return the lanes that the flags name, one after the other."""
    t, name, mask = b.type(x.dtype), b.mangled(x.dtype), b.wide("i1")
    b.module.declarations.add(f"declare {t} @llvm.experimental.vector.compress.{name}({t}, {mask}, {t})")
    text = f"call {t} @llvm.experimental.vector.compress.{name}({t} {x.text}, {mask} {flags.text}, {t} poison)"
    return b.new(text, x.dtype)


def _write(b: Builder, x: Value, address: str, count: Value) -> None:
    """Write the first `count` lanes."""
    t, name, mask = b.type(x.dtype), b.mangled(x.dtype), b.wide("i1")
    b.module.declarations.add(f"declare void @llvm.masked.store.{name}.p0({t}, ptr, {mask})")
    lanes = b.value(f"<{', '.join([f'i32 {k}' for k in range(b.lanes)])}>", np.dtype("i4"))
    number = b.new(f"trunc i64 {count.text} to i32", np.dtype("i4"))
    inside = lanes < b.spread(number)
    text = f"{t} {x.text}, ptr align {x.dtype.itemsize} {address}, {mask} {inside.text}"
    b.line(f"call void @llvm.masked.store.{name}.p0({text})")


# ---- positions -----------------------------------------------------------------------------------


@writes("argpartition")
def _(code: Code, addresses, dtype, outer, n, kth):
    """Items are keys with positions below them, which all differ: those below the k-th one are the first part."""
    x, out, space = addresses
    with code.loop(outer) as row:
        start = row * n
        _divide_positions(code, dtype, code.at(x, start, _U32), code.at(out, start, _U32), space, n, kth)


def _divide_positions(code: Code, dtype, x: str, out: str, space: str, n: int, kth: int) -> None:
    m = _sample_of(n) if n >= _MIN_ELEMENTS_TO_SAMPLE else 0
    middle = code.at(space, m, _U64)
    pivot, found = code.variable(code.integer(0, _U64)), code.variable(code.const(False, BOOL))

    def items(b: Builder, i: Value) -> Value:
        key = ordered(b, load_vector(b, code.at(x, i, _U32), _U32), dtype, total=True)
        position = b.spread(b.value(i.text, _U64))
        if b.lanes > 1:
            steps = ", ".join([f"i64 {k}" for k in range(b.lanes)])
            position = position + b.value(f"<{steps}>", _U64)
        return (b.convert(key, _U64) << 32) | position

    item = lambda i: items(code, i)
    b = code.wide_builder(VECTOR_BYTES // _U64.itemsize)
    whole = n // b.lanes * b.lanes if _PACKS else 0

    if m:
        with code.loop(m) as j:
            code.store(item(j * (n // m)), space, j, _U64)
        sort_keys(code, _U64, space, middle, m)
        low, high = _bounds(code, _U64, space, m, n, kth)
        below, between = code.variable(0), code.variable(0)
        if whole:
            with code.loop(whole, step=b.lanes) as i:
                own = items(b, i)
                less, more = own < b.spread(low), own > b.spread(high)
                rest = ~(less | more)
                _step(code, below, _count(code, b, less))
                store_vector(b, _packed(b, own, rest), code.at(middle, code.get(between), _U64), _U64)
                _step(code, between, _count(code, b, rest))
        with code.loop(n, whole) as i:
            own = item(i)
            less, more = own < low, own > high
            code.store(own, middle, code.get(between), _U64)
            _step(code, below, less)
            _step(code, between, ~(less | more))
        place = kth - code.get(below)
        is_there = code.value(place.text, _U64) < code.value(code.get(between).text, _U64)
        with code.when(is_there):
            numpy_sort.sort_numbers(code, _U64, middle, code.get(between))
            code.set(pivot, code.load(middle, place, _U64))
            code.set(found, code.const(True, BOOL))
    with code.when(~code.get(found, BOOL)):
        with code.loop(n) as i:
            code.store(item(i), middle, i, _U64)
        numpy_sort.sort_numbers(code, _U64, middle, n)
        code.set(pivot, code.load(middle, kth, _U64))
    last, first, rest = code.get(pivot, _U64), code.variable(0), code.variable(0)
    if n <= MAX_ELEMENTS_TO_SORT:  # the items of the first part themselves, to be sorted
        left, after = middle, code.at(middle, n + b.lanes, _U64)
    else:
        left, after = out, middle
    if whole:
        with code.loop(whole, step=b.lanes) as i:
            own = items(b, i)
            for op, base, counter in (("lt", left, first), ("gt", after, rest)):
                chosen = b.compare(op, own, b.spread(last))
                many, packed, at = _count(code, b, chosen), _packed(b, own, chosen), code.get(counter)
                if base is middle and n <= MAX_ELEMENTS_TO_SORT:
                    store_vector(b, packed, code.at(base, at, _U64), _U64)
                else:
                    packed = b.new(f"trunc {b.type(_U64)} {packed.text} to {b.wide('i32')}", _U32)
                    _write(b, packed, code.at(base, at, _U32), many)
                _step(code, counter, many)
    with code.loop(n, whole) as i:
        own, position = item(i), code.new(f"trunc i64 {i.text} to i32", _U32)
        what, width = (own, _U64) if n <= MAX_ELEMENTS_TO_SORT else (position, _U32)
        code.store(what, left, code.get(first), width)
        code.store(position, after, code.get(rest), _U32)
        _step(code, first, own < last)
        _step(code, rest, own > last)
    if n <= MAX_ELEMENTS_TO_SORT:
        numpy_sort.sort_numbers(code, _U64, left, kth)
        with code.loop(kth) as i:
            code.store(code.new(f"trunc i64 {code.load(left, i, _U64).text} to i32", _U32), out, i, _U32)
    code.store(code.new(f"trunc i64 {last.text} to i32", _U32), out, kth, _U32)
    code.copy(code.at(out, kth + 1, _U32), after, 4 * (n - kth - 1))


# ---- the rules -----------------------------------------------------------------------------------


def _partition(name: str, dtypes: str):
    """Return the rule of a library function: its program's first `top_k` says which place is the k-th one."""

    def rule(graph, program, operands, types):
        (x,), dtype = operands, operands[0].base.dtype
        first = next(eqn for eqn in program.eqns if eqn.primitive.name == "top_k")
        n, kth = x.shape[-1] if x.shape else 0, first.params["k"] - 1
        moved = any([eqn.primitive.name == "transpose" for eqn in program.eqns])
        key = bits_of(dtype) if name == "partition" else _U64
        if moved or n < _MIN_ROW_ELEMENTS or n >= 1 << 31 or not prod(x.shape) or dtype.str[1:] not in dtypes.split():
            return None
        if not numpy_sort.is_available(key) or types[0].dtype.itemsize != dtype.itemsize:
            return None
        arrays = 1 if n > MAX_ELEMENTS_TO_SORT else 2 if name == "argpartition" else 0
        room = _sample_of(n) + arrays * (n + VECTOR_BYTES // key.itemsize) if arrays else n
        routine = Routine(name, (dtype, prod(x.shape) // n, n, kth), room * key.itemsize)
        return graph.routine(name, routine, [x], [Type(x.shape, types[0].dtype)])

    return rule


LIBRARY_CALLS["partition"] = _partition("partition", "i4 u4 f4 i8 u8 f8")
LIBRARY_CALLS["argpartition"] = _partition("argpartition", "i4 u4 f4")
