"""Places in a sorted array, by bisection: a vector of values at a time, on all threads.

Tests: `tests/engines/native/routines/sort/test_bisection.py`.
"""

from __future__ import annotations

from math import prod

from .....core.jaxpr import ClosedJaxpr, Jaxpr
from ...graph.view_rules import LIBRARY_CALLS
from ...graph.views import Pair, Type
from ...kernels.vectors import gathered, load_scalar
from ...runtime.machine import VECTOR_BYTES
from ...text.builder import Builder, Value
from ..base import Code, Routine, writes
from ..cumulative import load_vector, store_vector
from .radix import bits_of, ordered

_MIN_VALUES_TO_THREAD = 4096  # values
_MAX_CHUNKS = 64
_VECTORS = 4  # that go forward together, as each would wait for its elements


@writes("searchsorted")
def _(code: Code, addresses, dtype, length: int, count: int, right: bool, places) -> None:
    """Count the elements before each value, or with `right` before it and equal to it."""
    chunks = min(count // _MIN_VALUES_TO_THREAD + 1, _MAX_CHUNKS)
    lanes = _VECTORS * VECTOR_BYTES // dtype.itemsize
    size = -(-count // (chunks * lanes)) * lanes

    def part(inner: Code) -> None:
        sorted_, values, out = inner.arguments(3)
        start = inner.value("%chunk") * size
        stop = inner.minimum(start + size, count)
        whole = stop - inner.binary("urem", stop - start, inner.integer(lanes))
        wide, bits = inner.wide_builder(lanes), bits_of(dtype)
        for b, first, last, step in ((wide, start, whole, lanes), (inner, whole, stop, 1)):
            with inner.loop(last, first, step) as i:
                raw = load_vector(b, inner.at(values, i, bits), bits)
                store_vector(b, _place(b, sorted_, raw, dtype, length, right, places), inner.at(out, i, places), places)

    code.parallel(code.part("chunk", part), "null", chunks)


def _place(b: Builder, address: str, raw: Value, dtype, length: int, right: bool, places) -> Value:
    """Halve what is between two places, as the program does: a table that is not sorted has the same places."""
    bits, key = raw.dtype, ordered(b, raw, dtype)
    low, high = b.const(0, places), b.const(length, places)
    for _ in range(length.bit_length()):
        at = low + ((high - low) >> 1)
        element = b.new(f"getelementptr i{8 * bits.itemsize}, ptr {address}, {b.type(places)} {at.text}").text
        middle = ordered(b, load_scalar(b, element, bits) if b.lanes == 1 else gathered(b, element, bits), dtype)
        before = middle <= key if right else middle < key
        low, high = b.select(before, at, low), b.select(before, high, at)
    return high


def _search(graph, program: Jaxpr, operands, types):
    """Return the rule of the library function. On the left, its program compares by `le_to`, on the right by `lt_to`.
    """
    if any([isinstance(operand, Pair) for operand in operands]):  # complex numbers
        return None
    (x, v), places, dtype = operands, types[0].dtype, operands[0].base.dtype
    usable = len(x.shape) == 1 and x.shape[0] and v.shape and prod(v.shape) and v.base.dtype == dtype
    if not usable or dtype.str[1:] not in ("i4", "u4", "f4", "i8", "u8", "f8"):
        return None
    params = (dtype, x.shape[0], prod(v.shape), not _has(program, "le_to"), places)
    return graph.routine("searchsorted", Routine("searchsorted", params), [x, v], [Type(v.shape, places)])


def _has(program: Jaxpr, name: str) -> bool:
    inside = [p for eqn in program.eqns for p in eqn.params.values() if isinstance(p, ClosedJaxpr)]
    return any([eqn.primitive.name == name for eqn in program.eqns]) or any([_has(p.jaxpr, name) for p in inside])


LIBRARY_CALLS["searchsorted"] = _search
