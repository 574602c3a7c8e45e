"""The items that are sorted: keys as unsigned integers in the order of JAX, alone or with positions below them.

The zeros are equal to each other, and every NaN comes last; by the total order that `top_k` asks for each has its
place. Where keys are sorted alone, zeros and NaN, whose bits the keys do not tell, are written as they came.

Tests: `tests/engines/native/routines/sort/test_sorting.py`.
"""

from __future__ import annotations

import numpy as np

from ...text.builder import BOOL, NARROW, Value
from ..base import Code
from .vector_sort import AVAILABLE

__all__ = [
    "Items", "bits_of", "insert", "is_float", "item_of", "key_of", "load_item", "low_of", "ordered", "original",
    "place_of", "position_of", "shift_of", "sign_of", "specials_in_order", "store_item", "text_of",
]

_INFINITY = {"f2": 0x7C00, "bf": 0x7F80, "f4": 0x7F800000, "f8": 0x7FF0000000000000}


class Items:
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


def text_of(code: Code, text: str) -> str:
    return code.new(text).text


def place_of(code: Code, items: Items, base: str, i: Value) -> str:
    return text_of(code, f"getelementptr {items.type}, ptr {base}, i64 {i.text}")


def load_item(code: Code, items: Items, base: str, i: Value) -> str:
    return text_of(code, f"load {items.type}, ptr {place_of(code, items, base, i)}, align {min(items.size, 8)}")


def store_item(code: Code, items: Items, item: str, base: str, i: Value) -> None:
    code.line(f"store {items.type} {item}, ptr {place_of(code, items, base, i)}, align {min(items.size, 8)}")


def key_of(code: Code, items: Items, item: str) -> str:
    """Return the item without its position."""
    return text_of(code, f"lshr {items.type} {item}, {items.low}") if items.low else item


def shift_of(code: Code, items: Items, by: Value) -> str:
    """Return a shift as a number of the items' width."""
    if items.width == 64:
        return by.text
    return text_of(code, f"{'zext' if items.width > 64 else 'trunc'} i64 {by.text} to {items.type}")


def insert(code: Code, items: Items, base: str, i: Value, first: Value) -> Value:
    """Move those from `first` that are greater than the item at `i` behind it; how many they are."""
    item = load_item(code, items, base, i)
    key = key_of(code, items, item)
    j = code.variable(i)
    before = lambda: load_item(code, items, base, code.get(j) - 1)
    greater = lambda: code.new(f"icmp ugt {items.type} {key_of(code, items, before())}, {key}", BOOL)
    with code.when(greater()):
        going = code.variable(code.const(True, BOOL))
        with code.repeat(lambda: code.get(going, BOOL)):
            store_item(code, items, before(), base, code.get(j))
            code.set(j, code.get(j) - 1)
            code.set(going, code.const(False, BOOL))
            with code.when(code.get(j) > first):
                code.set(going, greater())
        store_item(code, items, item, base, code.get(j))
    return i - code.get(j)


# ---- keys ----------------------------------------------------------------------------------------


def bits_of(dtype) -> np.dtype:
    return np.dtype(f"u{dtype.itemsize}")


def is_float(dtype) -> bool:
    return dtype.kind == "f" or dtype in NARROW


def sign_of(bits: np.dtype) -> int:
    return 1 << (8 * bits.itemsize - 1)


def ordered(b, raw: Value, dtype, total: bool = False) -> Value:
    """Unsigned integers in the order of the elements with these bits; `total` is that of IEEE, -NaN to NaN."""
    bits = raw.dtype
    if dtype.kind in "ub" and dtype not in NARROW:
        return raw
    if dtype.kind == "i":
        return raw ^ sign_of(bits)
    size = raw & (sign_of(bits) - 1)
    if not total:
        raw = b.select(size.equals(0), 0, raw)
    flip = b.binary("ashr", raw, b.like(raw, 8 * bits.itemsize - 1))
    flip = flip | sign_of(bits)
    if total:
        return raw ^ flip
    every = b.like(raw, 2 * sign_of(bits) - 1)
    nan = size > _INFINITY["bf" if dtype.kind != "f" else f"f{dtype.itemsize}"]
    return b.select(nan, every, raw ^ flip)


def item_of(code: Code, items: Items, key: Value, position: Value) -> str:
    width = 8 * key.dtype.itemsize
    wide = key.text if width == items.width else text_of(code, f"zext i{width} {key.text} to {items.type}")
    if not items.low:
        return wide
    high = text_of(code, f"shl {items.type} {wide}, {items.low}")
    low = position.text if items.width == 64 else text_of(code, f"zext i64 {position.text} to {items.type}")
    return text_of(code, f"or {items.type} {high}, {low}")


def low_of(code: Code, items: Items, item: str) -> Value:
    """Return the lower 64 bits."""
    if items.width != 64:
        item = text_of(code, f"{'trunc' if items.width > 64 else 'zext'} {items.type} {item} to i64")
    return code.value(item)


def position_of(code: Code, items: Items, item: str) -> Value:
    return low_of(code, items, item) & 0xFFFFFFFF


def original(code: Code, key: Value, dtype) -> Value:
    """Return the element that has a key, but for zeros and NaN."""
    sign = sign_of(key.dtype)
    if dtype.kind == "i":
        return key ^ sign
    if not is_float(dtype):
        return key
    positive = key >= sign
    return key ^ code.select(positive, code.like(key, sign), 2 * sign - 1)


def specials_in_order(code: Code, dtype, x: str, out: str, n: int | Value) -> None:
    """Put the zeros and the NaN of `x`, whose bits may differ, into the sorted row in the order in which they came."""
    bits = bits_of(dtype)
    zero, nan = sign_of(bits), 2 * sign_of(bits) - 1
    number = code.integer(n) if isinstance(n, int) else n
    at = lambda address, i: ordered(code, code.load(address, i, bits), dtype)
    low, high = code.variable(0), code.variable(number)
    with code.repeat(lambda: code.get(low) < code.get(high)):
        middle = code.binary("lshr", code.get(low) + code.get(high), code.integer(1))
        below = at(out, middle) < zero
        code.set(low, code.select(below, middle + 1, code.get(low)))
        code.set(high, code.select(below, code.get(high), middle))
    some = at(out, code.minimum(code.get(low), number - 1)).equals(zero)
    with code.when(some), code.loop(number) as i:
        raw = code.load(x, i, bits)
        with code.when(ordered(code, raw, dtype).equals(zero)):
            code.store(raw, out, code.get(low), bits)
            code.set(low, code.get(low) + 1)
    with code.when(at(out, number - 1).equals(nan)):
        code.set(high, number - 1)
        with code.loop(number) as turn:
            raw = code.load(x, number - 1 - turn, bits)
            with code.when(ordered(code, raw, dtype).equals(nan)):
                code.store(raw, out, code.get(high), bits)
                code.set(high, code.get(high) - 1)
