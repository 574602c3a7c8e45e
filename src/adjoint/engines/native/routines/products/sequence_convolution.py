"""Convolutions of sequences: one feature in and out, and windows that move by one element.

Vectors go along the result. Several of them are summed at once in registers, tap by tap, from a copy of the sequence
with zeros at both ends.

Tests: `tests/engines/native/routines/products/test_convolution.py`.
"""

from __future__ import annotations

from .....prims.convolution_kernels import multiplies_padding
from ...kernels.sums import added, whole
from ...runtime.machine import VECTOR_BYTES
from ...text.builder import Builder, Value
from ..base import Code, Routine, writes
from ..cumulative import load_vector, store_vector
from .gemm import CHAIN

__all__ = ["filter_routine"]

_VECTORS_TOGETHER = 8  # that are summed at once


def filter_routine(dtype, batch: int, n: int, taps: int, low: int, count: int) -> Routine:
    """Return the routine for (batch, n) and a window of `taps`, the first `low` elements before the sequence."""
    return Routine("filter", (dtype, batch, n, taps, low, count), _room(n, low, count, taps) * dtype.itemsize)


def _room(n: int, low: int, count: int, taps: int) -> int:
    return max(low + n, count + taps - 1)


@writes("filter")
def _(code: Code, addresses, dtype, batch, n, taps, low, count):
    x, w, out, space = addresses
    size, room = dtype.itemsize, _room(n, low, count, taps)
    lanes = VECTOR_BYTES // size
    while lanes > count:
        lanes //= 2
    code.clear(space, room * size)
    block = _VECTORS_TOGETHER * lanes
    whole = count // block * block
    with code.loop(batch) as row:
        source, target = code.at(x, row * n, dtype), code.at(out, row * count, dtype)
        code.copy(code.at(space, low, dtype), source, n * size)
        with code.loop(whole, step=block) as i:
            _sums(code, dtype, space, w, target, i, taps, lanes, _VECTORS_TOGETHER)
        rest = count - whole
        with code.loop(rest // lanes) as k:
            at = whole + k * lanes
            _sums(code, dtype, space, w, target, at, taps, lanes, 1)
        if rest % lanes:  # once more, some of them
            _sums(code, dtype, space, w, target, code.integer(count - lanes), taps, lanes, 1)
        if not multiplies_padding(dtype, taps):
            with code.when(code.is_nan(_nan_or_zero(code, dtype, w, taps))):
                _ends_without_padding(code, dtype, (source, w, target), n, taps, low, count)


def _nan_or_zero(code: Code, dtype, w: str, taps: int) -> Value:
    """Return NaN if an element of the window is infinite or NaN, else zero."""
    zero = code.integer(0, dtype)
    found = code.variable(zero)
    with code.loop(taps) as t:
        code.set(found, code.intrinsic("fma", code.load(w, t, dtype), zero, code.get(found, dtype)))
    return code.get(found, dtype)


def _ends_without_padding(code: Code, dtype, addresses, n: int, taps: int, low: int, count: int) -> None:
    """Compute the sums of windows that overhang the sequence once more, of the elements that they cover."""
    x, w, out = addresses
    start, stop = min(low, count), max(low + n - taps + 1, 0)  # where windows are within the sequence
    for first, last in ((0, start), (max(start, stop), count)):
        with code.loop(last, start=first) as i:
            total = code.variable(code.integer(0, dtype))
            before = code.integer(low) - i  # elements of the window before the sequence
            begin, end = code.maximum(before, code.integer(0)), code.minimum(before + n, code.integer(taps))
            with code.loop(end, start=begin) as t:
                term = code.load(x, t - before, dtype), code.load(w, t, dtype)
                code.set(total, code.intrinsic("fma", *term, code.get(total, dtype)))
            code.store(code.get(total, dtype), out, i, dtype)


def _sums(code: Code, dtype, x: str, w: str, out: str, first: Value, taps: int, lanes: int, vectors: int) -> None:
    b: Builder = code.wide_builder(lanes)
    get = lambda name: b.new(f"load {b.type(dtype)}, ptr {name}", dtype)
    put = lambda value, name: b.line(f"store {b.type(dtype)} {value.text}, ptr {name}")
    is_long, nothing = taps > CHAIN, b.value("zeroinitializer", dtype)
    kept = [[code.module.fresh("s") for _ in range(vectors)] for _ in range(3 if is_long else 1)]
    for name in sum(kept, []):
        code.module.allocas.append(f"  {name} = alloca {b.type(dtype)}")
        put(nothing, name)
    sums, *rest = kept

    def terms(start, stop):
        with code.loop(stop, start=start) as t:
            factor, at = b.spread(code.load(w, t, dtype)), first + t
            for k, name in enumerate(sums):
                part = load_vector(b, code.at(x, at + k * lanes, dtype), dtype)
                put(b.intrinsic("fma", part, factor, get(name)), name)

    if is_long:  # blocks, and what their sum loses
        with code.loop(taps, step=CHAIN) as start:
            terms(start, code.minimum(start + CHAIN, taps))
            for block, total, lost in zip(*kept):
                for value, name in zip((*added(b, get(total), get(lost), get(block)), nothing), (total, lost, block)):
                    put(value, name)
    else:
        terms(0, taps)
    for k, names in enumerate(zip(*(rest or [sums]))):
        value = whole(b, *map(get, names)) if is_long else get(names[0])
        store_vector(b, value, code.at(out, first + k * lanes, dtype), dtype)
