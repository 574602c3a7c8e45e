"""Rows of few elements in vectors: arrays that are read and written at every second to eighth element.

Elements that are so many apart are picked from vectors of neighbours, which all of a kernel's operands share that read
the same rows, and where a kernel writes all elements of its rows they are mixed to vectors of neighbours. Nothing is
read before the first element that is needed, or behind the last one.

Tests: `tests/engines/native/kernels/test_interleaved.py`.
"""

from __future__ import annotations

from ..graph.kernel import Access, Kernel
from ..text.builder import Builder, Value, memory_type
from .vectors import read, shuffled, turned_round, write

__all__ = ["picked", "read_together", "write_mixed", "written_together"]

_MAX_STRIDE = 8  # elements from one that is read to the next one

_Reads = dict[tuple[int, Access], tuple[int, int]]


def read_together(kernel: Kernel) -> _Reads:
    """Return, for each operand that is read with gaps, the first and the last offset of those that share its rows."""
    offsets: dict[tuple[int, tuple[int, ...]], set[int]] = {}
    for op in kernel.ops:
        for x in op.operands:
            if x[0] == "load" and x[2].strides and 1 < abs(x[2].strides[-1]) <= _MAX_STRIDE:
                offsets.setdefault((x[1], x[2].strides), set()).add(x[2].offset)
    found: _Reads = {}
    for (argument, strides), some in offsets.items():
        rows: list[list[int]] = []
        for offset in sorted(some):
            if rows and offset < rows[-1][0] + abs(strides[-1]):
                rows[-1].append(offset)
            else:
                rows.append([offset])
        found |= {(argument, Access(o, strides)): (row[0], row[-1]) for row in rows for o in row}
    return found


def written_together(kernel: Kernel) -> list[list[int]]:
    """Return the outputs, in order, that are all the elements of rows of one array."""
    rows: dict[tuple, list[int]] = {}
    for k, (array, (op, access)) in enumerate(zip(kernel.arrays, kernel.outputs)):
        if access.strides and 1 < access.strides[-1] <= _MAX_STRIDE and kernel.ops[op].reduced is None:
            first = access.offset - access.offset % access.strides[-1]
            rows.setdefault((array, access.strides, first), []).append(k)
    offset = lambda k: kernel.outputs[k][1].offset
    return [
        sorted(row, key=offset) for (_, strides, _), row in rows.items()
        if len({offset(k) for k in row}) == len(row) == strides[-1]
    ]


def picked(b: Builder, known: dict, address: str, dtype, stride: int, place: int, last: int) -> Value:
    """Return the elements at `place` from an address, and every `stride` further; `known` keeps what is read from
    there.

    Elements up to `last` behind the beginning of the last row may be read. A vector has `stride` lanes or more. With a
    negative stride the address is that of the last row.
    """
    lanes = b.lanes
    if stride < 0:
        if ("first row", address, stride) not in known:
            back = f"getelementptr {memory_type(dtype)}, ptr {address}, i64 {stride * (lanes - 1)}"
            known["first row", address, stride] = b.new(back).text
        found = picked(b, known, known["first row", address, stride], dtype, -stride, place, last)
        return turned_round(b, found, dtype)
    span = stride * (lanes - 1) + last + 1
    begins = [*range(0, (stride - 1) * lanes, lanes), span - lanes]
    vectors = known.get(("rows", address, dtype, stride))
    if vectors is None:
        t, vectors = memory_type(dtype), []
        for begin in begins:
            at = b.new(f"getelementptr {t}, ptr {address}, i64 {begin}").text if begin else address
            vectors.append(read(b, at, dtype))
        if stride % 2 == 0 and (missed := stride * lanes - span):  # the last one begins as much before its place
            vectors[-1] = shuffled(b, vectors[-1], vectors[-1], dtype, [*range(missed, lanes), *[None] * missed])
        known["rows", address, dtype, stride] = vectors
    while stride % 2 == 0:  # its vectors are of half as many once those of one parity are picked
        address, pairs = f"{address} {place % 2}", zip(vectors[::2], vectors[1::2])
        vectors = known.get(("rows", address, dtype, stride // 2))
        if vectors is None:
            own = range(place % 2, 2 * lanes, 2)
            vectors = known["rows", address, dtype, stride // 2] = [shuffled(b, x, y, dtype, own) for x, y in pairs]
        stride, place = stride // 2, place // 2
    value = vectors[0]
    if stride == 1:
        return value
    begins = begins if len(begins) == stride else range(0, stride * lanes, lanes)
    wanted = [place + stride * lane for lane in range(lanes)]
    source = [min(e // lanes, stride - 1) for e in wanted]
    at = [e - begins[v] for e, v in zip(wanted, source)]
    for v in range(1, stride):
        own = (lambda lane: at[lane]) if v == 1 else (lambda lane: lane)
        value = shuffled(b, value, vectors[v], dtype, [
            own(lane) if source[lane] < v else lanes + at[lane] if source[lane] == v else None for lane in range(lanes)
        ])
    return value


def write_mixed(b: Builder, values: list[Value], address: str, dtype) -> None:
    """Write rows, of which the vectors have one element each."""
    t = memory_type(dtype)
    for v, mixed in enumerate(_mixed(b, values, dtype)):
        at = b.new(f"getelementptr {t}, ptr {address}, i64 {v * b.lanes}").text if v else address
        write(b, mixed, at, dtype)


def _mixed(b: Builder, values: list[Value], dtype) -> list[Value]:
    """Return vectors of the first elements of all, then of the second ones, and so on."""
    lanes, count = b.lanes, len(values)
    if count == 1:
        return values
    if count % 2 == 0:
        half = lanes // 2
        zips = [[k for lane in some for k in (lane, lanes + lane)] for some in (range(half), range(half, lanes))]
        pairs = zip(_mixed(b, values[::2], dtype), _mixed(b, values[1::2], dtype))
        return [shuffled(b, x, y, dtype, own) for x, y in pairs for own in zips]
    found = []
    for v in range(count):
        places = [divmod(v * lanes + lane, count) for lane in range(lanes)]
        mixed = values[0]
        for c in range(1, count):
            mixed = shuffled(b, mixed, values[c], dtype, [
                lanes + row if own == c else (row if c == 1 else lane) if own < c else None
                for lane, (row, own) in enumerate(places)
            ])
        found.append(mixed)
    return found
