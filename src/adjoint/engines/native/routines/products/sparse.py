"""Products of a sparse matrix and a dense one: of a list of elements, and of elements by rows.

Elements of a list may be in any order: each adds its term, or its multiple of a row of the dense matrix, to the result,
from several places of the list in turn. Elements by rows are summed in registers. Chunks run at the same time: of rows,
or of a list, each with sums of its own where these are few.

Tests: `tests/engines/native/routines/products/test_sparse.py`.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from functools import reduce
from operator import or_

import numpy as np

from .....core.process.records import NamedTuple
from .....prims import sparse_products as sparse_products  # the primitives must be there before their rules
from ...graph.view_rules import register
from ...graph.views import View
from ...text.builder import I64, Value
from ..base import Code, Routine, writes
from ..cumulative import along, lanes_for, load_vector, store_vector

_WAYS = 4  # sums of a row that grow side by side
_RUNS, _RUN = 8, 4  # runs of a list from which elements are taken in turn, and elements that are taken at a time
_MIN_SHORT_ROW = 4  # elements of a row, on average, from which on rows are gone over one by one
_MIN_LONG_ROW = 32  # elements of a row, on average, that are summed in several ways
_MIN_CHUNK, _MAX_CHUNKS = 1 << 16, 4  # multiplications of a chunk, at least, and chunks, at most
_DTYPES = "f4", "f8"
_PLACES = "i4", "i8"


def _is_plain(view: View, dtypes) -> bool:
    return view.base.dtype in [np.dtype(d) for d in dtypes]


def _chunks(work: int, graph) -> int:
    return 1 if graph.in_loop else max(1, min(_MAX_CHUNKS, work // _MIN_CHUNK))


def _sparse_product(graph, operands, params, types):
    data, rows, columns, dense = operands
    (count,), (k, width), size = data.shape, dense.shape, params["size"]
    if not _is_plain(data, _DTYPES) or not all([_is_plain(v, _PLACES) for v in (rows, columns)]) or not k:
        return None
    chunks = _chunks(count * width, graph)
    if 2 * chunks * size > count:
        chunks = 1
    routine = Routine("sparse_product", (
        data.base.dtype, rows.base.dtype, columns.base.dtype, count, (rows.shape[1], params["row"]),
        (columns.shape[1], params["column"]), k, size, width, params["outside"], rows.key == columns.key, chunks,
    ), (chunks - 1) * size * width * data.base.dtype.itemsize)
    return graph.routine("sparse_product", routine, list(operands), types)


def _row_product(graph, operands, params, types):
    data, columns, starts, dense = operands
    (count,), (k, width), size = data.shape, dense.shape, starts.shape[0] - 1
    if not _is_plain(data, _DTYPES) or not all([_is_plain(v, _PLACES) for v in (columns, starts)]) or not k:
        return None
    if width == 1 and count < _MIN_SHORT_ROW * size:
        return None  # as a list of elements
    routine = Routine("row_product", (
        data.base.dtype, columns.base.dtype, starts.base.dtype, count, k, size, width, params["outside"],
        min(_chunks(count * width, graph), max(size, 1)),
    ))
    return graph.routine("row_product", routine, list(operands), types)


class _Dense:
    """The dense matrix: terms of one column, or multiples of its rows."""

    def __init__(self, code: Code, address: str, dtype, k: int, width: int, outside: str):
        self.code, self.address, self.dtype, self.k, self.width, self.outside = code, address, dtype, k, width, outside

    def is_inside(self, at: Value) -> Value:
        """Return whether a column is one of the matrix as it is; a negative one is not."""
        return self.code.value(at.text, np.dtype("u8")) < self.k

    def place(self, at: Value) -> tuple[Value, Value | None]:
        """Return a column of the matrix, and whether the given one was outside of it, if that means no element."""
        code = self.code
        if self.outside != "strict":
            at = code.select(at < 0, at + self.k, at)
        if self.outside == "clip":
            return code.minimum(code.maximum(at, 0), self.k - 1), None
        inside = self.is_inside(at)
        return code.select(inside, at, 0), inside

    def term(self, x: Value, at: Value) -> Value:
        """Return the product of an element and the one in its column, which may be outside."""
        place, inside = self.place(at)
        found = self.code.load(self.address, place, self.dtype)
        product = x * found
        return product if inside is None else self.code.select(inside, product, 0)

    def add(self, target: str, x: Value, at: Value) -> None:
        """Add a multiple of a row to a row of sums."""
        code = self.code
        place, inside = self.place(at)
        source = code.at(self.address, place * self.width, self.dtype)

        def some(b, j):
            here = code.at(target, j, self.dtype)
            found = load_vector(b, code.at(source, j, self.dtype), self.dtype)
            wide = b.spread(b.adopt(x))
            store_vector(b, b.fma(found, wide, load_vector(b, here, self.dtype)), here, self.dtype)

        with nullcontext() if inside is None else code.when(inside):
            along(code, self.width, lanes_for(self.dtype, self.width), some)


class _Places(NamedTuple):
    """A column of an array of places, and how many there may be."""

    address: str
    dtype: np.dtype
    width: int
    column: int
    size: int

    def load(self, code: Code, i: Value) -> Value:
        return code.convert(code.load(self.address, i * self.width + self.column, self.dtype), I64)


@writes("sparse_product")
def _(
    code: Code, addresses, dtype, row_dtype, column_dtype, count, rows, columns, k, size, width, outside, is_one, chunks
):
    """`is_one`: rows and columns are of one array."""
    total = size * width

    def chunk(code: Code):
        data, row_places, column_places, dense, out, *space = code.arguments(5 + (chunks > 1))
        number = code.value("%chunk")
        if chunks > 1:
            own = code.at(space[0], (number - 1) * total, dtype)
            out = code.new(f"select i1 {number.equals(0).text}, ptr {out}, ptr {own}").text
        code.clear(out, total * dtype.itemsize)
        each = -(-count // chunks)
        start = number * each
        stop = code.minimum(start + each, count)
        places = _Places(row_places, row_dtype, *rows, size), _Places(column_places, column_dtype, *columns, k)
        matrix = _Dense(code, dense, dtype, k, width, outside)
        if width == 1:
            _one_column(code, matrix, data, *places, is_one, out, start, stop)
        else:
            _many_columns(code, matrix, data, *places, out, start, stop)

    code.parallel(code.part("chunk", chunk), "null", chunks)
    if chunks == 1:
        return
    out, space = addresses[4:]

    def put_together(b, i):
        here = code.at(out, i, dtype)
        value = load_vector(b, here, dtype)
        for other in range(chunks - 1):
            value = value + load_vector(b, code.at(space, i + other * total, dtype), dtype)
        store_vector(b, value, here, dtype)

    along(code, total, lanes_for(dtype, total), put_together)


def _target(code: Code, row: Value, size: int) -> tuple[Value, Value]:
    """Return the row of a sum, and whether it is one of the result."""
    row = code.select(row < 0, row + size, row)
    return row, code.value(row.text, np.dtype("u8")) < size


def _one_column(
    code: Code, matrix: _Dense, data, rows: _Places, columns: _Places, is_one: bool, out, start, stop
) -> None:
    """Add each term to its sum in memory. Elements far apart take turns, for those of one row wait for each other."""
    dtype = matrix.dtype

    def add(place: Value, term: Value) -> None:
        code.store(code.load(out, place, dtype) + term, out, place, dtype)

    def one(i: Value) -> None:
        place, inside = _target(code, rows.load(code, i), rows.size)
        with code.when(inside):
            add(place, matrix.term(code.load(data, i, dtype), columns.load(code, i)))

    length = code.binary("sdiv", code.maximum(stop - start, 0), code.integer(_RUNS * _RUN)) * _RUN
    with code.loop(length, step=_RUN) as i:
        firsts = [start + i + length * run for run in range(_RUNS)]
        usual = _are_inside(code, rows, columns, is_one, firsts)
        pairs = is_one and _are_pairs(rows, columns) and rows.dtype.itemsize == 4
        with code.when(usual):
            for e in range(_RUN):
                for first in firsts:
                    j = first + e
                    place, at = _pair(code, rows, columns, j) if pairs else (rows.load(code, j), columns.load(code, j))
                    add(place, code.load(data, j, dtype) * code.load(matrix.address, at, dtype))
        with code.when(~usual):
            for e in range(_RUN):
                for first in firsts:
                    one(first + e)
    with code.loop(stop, start=start + length * _RUNS) as i:
        one(i)


def _are_inside(code: Code, rows: _Places, columns: _Places, is_one: bool, firsts) -> Value:
    """Return whether the places of some elements are all inside: the sign of each and of what is left to the size."""
    sizes, signs = [p.size for p in sorted((rows, columns), key=lambda p: p.column)], []
    for first in firsts:
        if is_one and _are_pairs(rows, columns):
            signs.append(_signs(code, rows, sizes, first, _RUN))
            continue
        for p in (rows, columns):
            if p.width == 1:
                signs.append(_signs(code, p, [p.size], first, _RUN))
            else:
                signs += [_sign(p.load(code, first + e), p.size) for e in range(_RUN)]
    return reduce(or_, signs) >= 0


def _are_pairs(rows: _Places, columns: _Places) -> bool:
    """Return whether an array that has both has nothing else."""
    return rows.width == 2 and rows.column != columns.column


def _pair(code: Code, rows: _Places, columns: _Places, i: Value) -> tuple[Value, Value]:
    """Return the row and the column of an element, read at once; both are inside."""
    both = code.load(rows.address, i, I64)
    low, high = both & 0xFFFFFFFF, code.value(both.text, np.dtype("u8")) >> 32
    pair = low, code.value(high.text, I64)
    if sys.byteorder == "big":
        pair = pair[::-1]
    return pair[rows.column], pair[columns.column]


def _sign(at: Value, size: int) -> Value:
    """Return a number that is negative if a place is, or if it is beyond the size."""
    return at | (size - 1 - at)


def _signs(code: Code, places: _Places, sizes, first: Value, count: int) -> Value:
    """Return the signs of places that are one after the other in memory, joined; `sizes` are of those of one element.
    """
    dtype, lanes = places.dtype, count * len(sizes)
    b, most = code.wide_builder(lanes), np.iinfo(dtype).max
    at = load_vector(b, code.at(places.address, first * len(sizes), dtype), dtype)
    scalar = f"i{8 * dtype.itemsize}"
    text = ", ".join([f"{scalar} {min(n - 1, most)}" for _ in range(count) for n in sizes])
    signs = at | (b.value(f"<{text}>", dtype) - at)
    kind = f"v{lanes}{scalar}"
    code.module.declarations.add(f"declare {scalar} @llvm.vector.reduce.or.{kind}(<{lanes} x {scalar}>)")
    joined = code.new(
        f"call {scalar} @llvm.vector.reduce.or.{kind}(<{lanes} x {scalar}> {signs.text})", dtype)
    return code.convert(joined, I64)


def _many_columns(code: Code, matrix: _Dense, data, rows: _Places, columns: _Places, out, start, stop) -> None:
    with code.loop(stop, start=start) as i:
        place, inside = _target(code, rows.load(code, i), rows.size)
        with code.when(inside):
            target = code.at(out, place * matrix.width, matrix.dtype)
            matrix.add(target, code.load(data, i, matrix.dtype), columns.load(code, i))


@writes("row_product")
def _(code: Code, addresses, dtype, column_dtype, start_dtype, count, k, size, width, outside, chunks):
    def chunk(code: Code):
        data, column_places, starts, dense, out = code.arguments(5)
        each = -(-size // chunks)
        first = code.value("%chunk") * each
        last = code.minimum(first + each, size)
        column = lambda i: code.convert(code.load(column_places, i, column_dtype), I64)
        matrix = _Dense(code, dense, dtype, k, width, outside)
        begin = lambda r: code.minimum(code.maximum(code.convert(code.load(starts, r, start_dtype), I64), 0), count)
        with code.loop(last, start=first) as r:
            low, high = begin(r), begin(r + 1)
            if width == 1:
                total = _sum_of_row if count >= _MIN_LONG_ROW * size else _sum_of_short_row
                code.store(total(code, matrix, data, column, low, high), out, r, dtype)
            else:
                target = code.at(out, r * width, dtype)
                code.clear(target, width * dtype.itemsize)
                with code.loop(high, start=low) as i:
                    matrix.add(target, code.load(data, i, dtype), column(i))

    code.parallel(code.part("chunk", chunk), "null", chunks)


def _sum_of_short_row(code: Code, matrix: _Dense, data, column, low, high) -> Value:
    dtype = matrix.dtype
    total = code.variable(code.const(0, dtype))
    with code.loop(high, start=low) as i:
        at = column(i)
        inside = matrix.is_inside(at)
        with code.when(inside):
            term = code.load(data, i, dtype) * code.load(matrix.address, at, dtype)
            code.set(total, code.get(total, dtype) + term)
        with code.when(~inside):
            code.set(total, code.get(total, dtype) + matrix.term(code.load(data, i, dtype), at))
    return code.get(total, dtype)


def _sum_of_row(code: Code, matrix: _Dense, data, column, low, high) -> Value:
    dtype = matrix.dtype
    sums, rest = [code.variable(code.const(0, dtype)) for _ in range(_WAYS)], code.variable(low)
    add = lambda s, term: code.set(s, code.get(s, dtype) + term)
    with code.loop(high - (_WAYS - 1), start=low, step=_WAYS) as i:
        places = [i + j for j in range(_WAYS)]
        at = [column(j) for j in places]
        inside = reduce(or_, [_sign(c, matrix.k) for c in at]) >= 0
        with code.when(inside):
            for s, j, c in zip(sums, places, at):
                found = code.load(matrix.address, c, dtype)
                code.set(s, code.fma(code.load(data, j, dtype), found, code.get(s, dtype)))
        with code.when(~inside):
            for s, j, c in zip(sums, places, at):
                add(s, matrix.term(code.load(data, j, dtype), c))
        code.set(rest, i + _WAYS)
    with code.loop(high, start=code.get(rest)) as i:
        add(sums[0], matrix.term(code.load(data, i, dtype), column(i)))
    a, b, c, d = [code.get(s, dtype) for s in sums]
    return (a + b) + (c + d)


register({"sparse_product": _sparse_product, "row_product": _row_product})
