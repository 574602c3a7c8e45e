"""`fft`: Fourier transforms of lengths whose prime factors are small, in generated code.

A transform is stages of Stockham's kind: one for each factor, which needs no reordering. Every number of it is a vector
of as many transforms at once as there are lanes: columns of an array, or rows that are turned in squares of lanes
while they are read and written. A long row, or one of few, is columns and then rows of a matrix (Bailey, "FFTs in
external or hierarchical memory", 1990): n = n1 n2 is columns of n1, then factors, then rows of n2, each of which
fits a cache, and all processors take part in both. Half of the transform of real numbers is one of half as many
complex ones. Other lengths are host steps.
"""

from __future__ import annotations

from math import isqrt, prod

import numpy as np

from ....core.process.memo import memoized
from ....prims.fourier import FftType
from ..graph.complex_and_keys import COMPLEX, Real, add_pairs, mul_pairs
from ..graph.view_rules import register
from ..graph.views import Pair, Type, View, contiguous
from ..runtime.machine import VECTOR_BYTES, has_feature
from ..text.builder import F32, F64, I64, Builder, Value, llvm_type
from .base import Code, Routine, writes

__all__ = ["transformed"]

_PRIMES = (2, 3, 5, 7, 11, 13)
_MAX_VECTORS = 1 << 11  # vectors of a transform: two copies of them fit the second cache, and a thread's stack
_MIN_ELEMENTS_TO_THREAD = 1 << 15  # elements from which all processors take part
_MIN_CHUNK_ELEMENTS = 1 << 13  # elements of a chunk, at least
_TURN = -2 * np.pi
_COMPLEX = {F32: np.dtype("c8"), F64: np.dtype("c16")}
_PARTS = (*_COMPLEX, *_COMPLEX.values())


# ---- lengths -------------------------------------------------------------------------------------


@memoized(4096)
def _radices(n: int) -> tuple[int, ...]:
    """Return the factors of the stages, or none for a length that has others."""
    wide = VECTOR_BYTES == 64 or has_feature("neon")  # registers for eight complex vectors
    out, eights = [], 0
    while wide and n % 8 == 0:
        n, eights = n // 8, eights + 1
    if eights and n % 4 == 2:  # 8 * 2 is 4 * 4
        n, eights = n * 8, eights - 1
    out += [8] * eights
    for p in (4, *_PRIMES):
        while n % p == 0:
            n //= p
            out.append(p)
    return tuple(out) if n == 1 else ()


@memoized(4096)
def _halves(n: int) -> tuple[int, int]:
    """Return two factors that are as equal as can be."""
    small = next(d for d in range(isqrt(n), 0, -1) if n % d == 0)
    return n // small, small


def _lanes(dtype, *counts: int) -> int:
    """Return the lanes of a vector: a power of two that no count is less than."""
    return 1 << (min(VECTOR_BYTES // dtype.itemsize, *counts).bit_length() - 1)


def _roots(turns: np.ndarray, dtype) -> np.ndarray:
    """Roots of one at fractions of a turn, the real part and then the imaginary one."""
    angles = _TURN * turns
    return np.stack([np.cos(angles), np.sin(angles)], -1).astype(dtype)


@memoized(64)
def _factors(n: int, dtype) -> np.ndarray:
    """Return the factors of all stages but the last, in the order in which they are read."""
    out, left = [np.zeros((1, 2), dtype)], n
    for r in _radices(n)[:-1]:
        numbers = np.arange(left // r)[:, None] * np.arange(1, r)
        out.append(_roots(numbers.reshape(-1) / left, dtype))
        left //= r
    return np.concatenate(out)


# ---- complex vectors -----------------------------------------------------------------------------

Pairs = list[tuple[Value, Value]]


def _sum(b: Builder, x, y):
    return x[0] + y[0], x[1] + y[1]


def _difference(b: Builder, x, y):
    return x[0] - y[0], x[1] - y[1]


def _product(b: Builder, x, y):
    """Multiply complex numbers; each part is rounded twice."""
    re = b.fma(x[0], y[0], -(x[1] * y[1]))
    return re, b.fma(x[0], y[1], x[1] * y[0])


def _turned(b: Builder, x):
    """-i x"""
    return x[1], -x[0]


def _two(b: Builder, x: Pairs) -> Pairs:
    return [_sum(b, *x), _difference(b, *x)]


def _four(b: Builder, x: Pairs) -> Pairs:
    even, odd = _two(b, x[::2]), _two(b, x[1::2])
    (re, im), (x1, y1) = even[1], odd[1]
    return [
        _sum(b, even[0], odd[0]), (re + y1, im - x1), _difference(b, even[0], odd[0]),
        (re - y1, im + x1),
    ]


def _eight(b: Builder, x: Pairs) -> Pairs:
    even, odd = _four(b, x[::2]), _four(b, x[1::2])
    root = b.like(x[0][0], np.sqrt(0.5))
    (x1, y1), (x3, y3) = odd[1], odd[3]
    moved = [
        odd[0], ((x1 + y1) * root, (y1 - x1) * root), _turned(b, odd[2]),
        ((y3 - x3) * root, -((x3 + y3) * root)),
    ]
    return [f(b, e, o) for f in (_sum, _difference) for e, o in zip(even, moved)]


def _odd(b: Builder, x: Pairs) -> Pairs:
    """Return sums and differences of the numbers at the same distance from the first one, from both sides."""
    r = len(x)
    sums = [_sum(b, x[k], x[r - k]) for k in range(1, r // 2 + 1)]
    differences = [_difference(b, x[k], x[r - k]) for k in range(1, r // 2 + 1)]
    first = x[0]
    for s in sums:
        first = _sum(b, first, s)
    out = [first] * r
    for j in range(1, r // 2 + 1):
        near, far = x[0], ()
        for k, (s, d) in enumerate(zip(sums, differences), 1):
            c, v = (b.like(x[0][0], f(_TURN * j * k / r)) for f in (np.cos, np.sin))
            near = b.fma(s[0], c, near[0]), b.fma(s[1], c, near[1])
            far = (d[0] * v, d[1] * v) if not far else (b.fma(d[0], v, far[0]), b.fma(d[1], v, far[1]))
        re, im = far
        out[j] = near[0] - im, near[1] + re
        out[r - j] = near[0] + im, near[1] - re
    return out


_BUTTERFLIES = {2: _two, 4: _four, 8: _eight}


class _Writer:
    """Writes transforms of one dtype, of some lanes at once. `swaps`: the inverse, whose parts change places."""

    def __init__(self, code: Code, dtype, lanes: int, swaps: bool):
        self.code = code
        self.dtype = dtype
        self.lanes = lanes
        self.swaps = swaps
        self.b = code.wide_builder(lanes)
        self.vector = self.b.type(dtype)

    # ---- memory ----------------------------------------------------------------------------------

    def vectors(self, n: int) -> str:
        """Room for n complex vectors: all real parts of one, then its imaginary ones."""
        return self.code.local(llvm_type(self.dtype), 2 * n * self.lanes)

    def load(self, address: str) -> Value:
        return self.b.new(f"load {self.vector}, ptr {address}, align {self.dtype.itemsize}", self.dtype)

    def store(self, value: Value, address: str) -> None:
        self.b.line(f"store {self.vector} {value.text}, ptr {address}, align {self.dtype.itemsize}")

    def place(self, base: str, index: Value, scale: int, offset: int = 0) -> str:
        """Return the address of complex number (index + offset) * scale."""
        code = self.code
        at = code.at(base, index * (2 * scale), self.dtype)
        return code.at(at, 2 * scale * offset, self.dtype)

    def parts(self, address: str) -> tuple[Value, Value]:
        """Return what `put_parts` wrote."""
        return self.load(address), self.load(self.code.at(address, self.lanes, self.dtype))

    def put_parts(self, x, address: str) -> None:
        self.store(x[0], address)
        self.store(x[1], self.code.at(address, self.lanes, self.dtype))

    def taken(self, address: str) -> tuple[Value, Value]:
        """Complex numbers that stand side by side."""
        b, t = self.b, llvm_type(self.dtype)
        if self.lanes == 1:
            re, im = self.parts(address)
        else:
            both = f"<{2 * self.lanes} x {t}>"
            x = b.new(f"load {both}, ptr {address}, align {self.dtype.itemsize}").text
            picked = [", ".join([f"i32 {2 * i + k}" for i in range(self.lanes)]) for k in (0, 1)]
            re, im = [
                b.new(f"shufflevector {both} {x}, {both} poison, <{self.lanes} x i32> <{way}>", self.dtype)
                for way in picked
            ]
        return (im, re) if self.swaps else (re, im)

    def put(self, x, address: str) -> None:
        re, im = (x[1], x[0]) if self.swaps else x
        if self.lanes == 1:
            self.put_parts((re, im), address)
            return
        way = ", ".join([f"i32 {i + k * self.lanes}" for i in range(self.lanes) for k in (0, 1)])
        t, n = self.vector, 2 * self.lanes
        both = self.b.new(f"shufflevector {t} {re.text}, {t} {im.text}, <{n} x i32> <{way}>").text
        wide = f"<{n} x {llvm_type(self.dtype)}>"
        self.b.line(f"store {wide} {both}, ptr {address}, align {self.dtype.itemsize}")

    def spread(self, x: Value) -> Value:
        if self.lanes == 1:
            return x
        one = self.b.new(f"insertelement {self.vector} poison, {llvm_type(self.dtype)} {x.text}, i64 0").text
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        return self.b.new(f"shufflevector {self.vector} {one}, {self.vector} poison, {zeros}", self.dtype)

    def factor(self, address: str, index: int = 0) -> tuple[Value, Value]:
        """Return a complex number of a table in all lanes."""
        re, im = [self.spread(self.code.load(address, 2 * index + k, self.dtype)) for k in (0, 1)]
        return re, im

    def square(self, source: str, target: str) -> None:
        """Turn a square of lanes of real numbers, whose rows are in the order of those of `put_parts`."""
        name, module = f"@square{self.lanes}.{llvm_type(self.dtype)}", self.code.module
        if name not in module.written:
            module.written.add(name)
            module.functions.append(self._square(name))
        self.code.line(f"call void {name}(ptr {source}, ptr {target})")

    def _square(self, name: str) -> str:
        """Return the function: rows are interleaved again and again."""
        w = _Writer(Code(self.code.module, name), self.dtype, self.lanes, False)
        n, half, step = self.lanes, self.lanes // 2, 2 * self.lanes
        rows = [w.load(w.code.at("%source", r * step, self.dtype)).text for r in range(n)]
        ways = [
            f"<{n} x i32> <" + ", ".join([f"i32 {k}" for z in range(start, start + half) for k in (z, n + z)]) + ">"
            for start in (0, half)
        ]
        for _ in range(n.bit_length() - 1):
            pairs = [f"{self.vector} {rows[r]}, {self.vector} {rows[r + half]}" for r in range(half)]
            rows = [w.b.new(f"shufflevector {pair}, {way}").text for pair in pairs for way in ways]
        for r, row in enumerate(rows):
            w.store(w.b.value(row, self.dtype), w.code.at("%target", r * step, self.dtype))
        head = f"define internal void {name}(ptr %source, ptr %target) #0 {{"
        return "\n".join([head, "entry:", *w.code.lines, "  ret void", "}"])

    def turned(self, source: str, target: str) -> None:
        """A square of complex numbers."""
        for part in (0, self.lanes):
            self.square(self.code.at(source, part, self.dtype), self.code.at(target, part, self.dtype))

    def scaled(self, x, scale: float):
        if scale == 1:
            return x
        by = self.b.like(x[0], scale)
        return x[0] * by, x[1] * by

    # ---- one transform ---------------------------------------------------------------------------

    def transform(self, n: int, table: str, load, store) -> None:
        """`load(index, offset)` gives a vector, `store(vector, index, offset)` takes one of the result."""
        radices, left, done, at = _radices(n), n, 1, 1
        buffers = [self.vectors(n) for _ in range(min(2, len(radices) - 1))]
        for i, r in enumerate(radices):
            first, last = i == 0, i == len(radices) - 1
            read = load if first else self._reader(buffers[(i - 1) % 2])
            write = store if last else self._writer(buffers[i % 2])
            self.stage(r, left, done, self.code.at(table, 2 * at, self.dtype), read, write)
            at, left, done = at + (r - 1) * (left // r), left // r, done * r

    def _reader(self, buffer: str):
        return lambda index, offset: self.parts(self.place(buffer, index, self.lanes, offset))

    def _writer(self, buffer: str):
        return lambda x, index, offset: self.put_parts(x, self.place(buffer, index, self.lanes, offset))

    def stage(self, r: int, left: int, done: int, table: str, load, store) -> None:
        """Write the stage of a factor r of what is `left` to transform; `done` is the product of those before."""
        code, b, m = self.code, self.b, left // r
        with code.loop(m) as p:
            factors = []
            if m > 1:
                own = code.at(table, p * (2 * (r - 1)), self.dtype)
                factors = [self.factor(own, k) for k in range(r - 1)]
            first = p * done
            target = p * (done * r)
            with code.loop(done) as q:
                start, end = first + q, target + q
                xs = [load(start, done * m * k) for k in range(r)]
                for k, x in enumerate(_BUTTERFLIES.get(r, _odd)(b, xs)):
                    store(_product(b, x, factors[k - 1]) if k and factors else x, end, done * k)


# ---- several at once -----------------------------------------------------------------------------


def _chunks(count: int, each: int) -> tuple[int, int]:
    """Return the number of chunks of so many blocks, which have `each` elements, and the number of blocks in one."""
    if count * each < _MIN_ELEMENTS_TO_THREAD:
        return 1, count
    per_chunk = max(1, _MIN_CHUNK_ELEMENTS // each)
    return -(-count // per_chunk), per_chunk


def _in_chunks(code: Code, stem: str, addresses: int, shared: str, blocks: int, each: int, body) -> None:
    """`body(code, addresses, block)` for every block, by the threads that are free."""
    chunks, per_chunk = _chunks(blocks, each)

    def part(inner: Code):
        given = inner.arguments(addresses)
        start = inner.value("%chunk") * per_chunk
        stop = inner.minimum(start + per_chunk, blocks)
        with inner.loop(stop, start=start) as block:
            body(inner, given, block)

    code.parallel(code.part(stem, part), shared, chunks)


def _block(code: Code, block: Value, lanes: int, count: int) -> Value:
    """Return the first of the lanes of a block; the last ones may be those of the block before, too."""
    return code.minimum(block * lanes, count - lanes)


@writes("fourier_columns")
def _(code: Code, addresses, dtype, outer, n, inner, swaps, scale, lanes):
    """Over the middle axis of three."""
    per_row = -(-inner // lanes)

    def body(code: Code, given, block):
        x, table, out = given
        w = _Writer(code, dtype, lanes, swaps)
        row = code.new(f"udiv i64 {block.text}, {per_row}", I64)
        column = _block(code, code.new(f"urem i64 {block.text}, {per_row}", I64), lanes, inner)
        begin = row * (n * inner) + column
        source, target = [w.place(a, begin, 1) for a in (x, out)]
        w.transform(
            n, table, lambda i, k: w.taken(w.place(source, i, inner, k)),
            lambda v, i, k: w.put(w.scaled(v, scale), w.place(target, i, inner, k)),
        )

    _in_chunks(code, "columns", 3, "null", outer * per_row, n * lanes, body)


@writes("fourier_rows")
def _(code: Code, addresses, dtype, batch, n, swaps, scale, lanes):
    def body(code: Code, given, block):
        x, table, out = given
        w = _Writer(code, dtype, lanes, swaps)
        begin = _block(code, block, lanes, batch) * n
        source, target = [w.place(a, begin, 1) for a in (x, out)]
        turned, made, square = [w.vectors(k) for k in (n, n, lanes)]
        tiles = -(-n // lanes)
        with code.loop(tiles) as tile:
            at = _block(code, tile, lanes, n)
            with code.loop(lanes) as k:
                from_row = w.place(source, at + k * n, 1)
                w.put_parts(w.taken(from_row), w.place(square, k, lanes))
            w.turned(square, w.place(turned, at, lanes))
        w.transform(n, table, w._reader(turned), w._writer(made))
        with code.loop(tiles) as tile:
            at = _block(code, tile, lanes, n)
            w.turned(w.place(made, at, lanes), square)
            with code.loop(lanes) as k:
                to_row = w.place(target, at + k * n, 1)
                w.put(w.scaled(w.parts(w.place(square, k, lanes)), scale), to_row)

    _in_chunks(code, "rows", 3, "null", -(-batch // lanes), n * lanes, body)


@writes("fourier_long")
def _(code: Code, addresses, dtype, batch, n1, n2, swaps, scale, lanes):
    """Rows of n1 n2 numbers as matrices of n2 columns. `roots` of n1 n2 are products of one from each of two tables;
    `near` are those with numbers k j, for rows k of a matrix and for lanes j.
    """
    n, count = n1 * n2, len(addresses)
    number = code.local("i64")

    def begin(code: Code) -> Value:
        return code.new("load i64, ptr %shared", I64) * n

    def columns(code: Code, given, block):
        """Columns of n1, times roots, to the workspace: for the lanes of rows of n1 after each other, n2 vectors."""
        x, table1, _, low, high, near, _, space = given
        w = _Writer(code, dtype, lanes, swaps)
        first = _block(code, block, lanes, n2)
        source, made = w.place(w.place(x, begin(code), 1), first, 1), w.vectors(n1)
        w.transform(n1, table1, lambda i, k: w.taken(w.place(source, i, n2, k)), w._writer(made))

        def root(k) -> tuple[Value, Value]:
            """Return the root with number first * k."""
            at = first * k
            size = _halves(n)[1]
            bit = code.new(f"urem i64 {at.text}, {size}", I64)
            rest = code.new(f"udiv i64 {at.text}, {size}", I64)
            begins = [code.at(t, i * 2, F64) for t, i in ((low, bit), (high, rest))]
            parts = [[code.load(t, j, F64) for j in (0, 1)] for t in begins]
            re, im = _product(code, *parts)
            return code.convert(re, dtype), code.convert(im, dtype)

        # Roots for a square: those of its first row, and how the other rows differ from it.
        steps, own, square = [w.vectors(k) for k in (1, 1, lanes)]
        with code.loop(lanes) as r:
            for part, value in enumerate(root(r)):
                code.store(value, code.at(steps, part * lanes, dtype), r, dtype)
        with code.loop(-(-n1 // lanes)) as tile:
            at = _block(code, tile, lanes, n1)
            re, im = root(at)
            w.put_parts(_product(w.b, w.parts(steps), (w.spread(re), w.spread(im))), own)
            with code.loop(lanes) as r:
                beside = [w.spread(code.load(code.at(own, part * lanes, dtype), r, dtype)) for part in (0, 1)]
                row = at + r
                turn = _product(w.b, w.parts(w.place(near, row, lanes)), beside)
                w.put_parts(_product(w.b, w.parts(w.place(made, row, lanes)), turn), w.place(square, r, lanes))
            to = tile * n2 + first
            w.turned(square, w.place(space, to, lanes))

    def rows(code: Code, given, block):
        _, _, table2, _, _, _, out, space = given
        w = _Writer(code, dtype, lanes, swaps)
        first = _block(code, block, lanes, n1)
        target = w.place(w.place(out, begin(code), 1), first, 1)
        source = w.place(space, block * n2, lanes)
        w.transform(
            n2, table2, w._reader(source), lambda v, i, k: w.put(w.scaled(v, scale), w.place(target, i, n1, k))
        )

    with code.loop(batch) as i:
        code.store(i, number, 0, I64)
        _in_chunks(code, "columns", count, number, -(-n2 // lanes), n1 * lanes, columns)
        _in_chunks(code, "rows", count, number, -(-n1 // lanes), n2 * lanes, rows)


# ---- rules ---------------------------------------------------------------------------------------


def _constant(graph, table: np.ndarray) -> View:
    return graph.constant(table, Type(table.shape, table.dtype))


@memoized(64)
def _tables(n: int, n1: int, lanes: int, dtype) -> tuple[np.ndarray, ...]:
    """Roots of n with numbers below s, and with multiples of s; `near`, in rows: real parts, then imaginary ones."""
    s = _halves(n)[1]
    low, high = _roots(np.arange(s) / n, F64), _roots(np.arange(n // s) * s / n, F64)
    near = _roots((np.arange(n1)[:, None] * np.arange(lanes)) / n, dtype)
    return low, high, np.ascontiguousarray(np.swapaxes(near, 1, 2))


def transformed(graph, x: View, axis: int, is_inverse: bool, scale: float) -> View | None:
    """Complex numbers, with parts along one more axis, transformed along an axis; None if the length is not good."""
    dtype, shape = x.base.dtype, x.shape[:-1]
    n, outer, inner = shape[axis], prod(shape[:axis]), prod(shape[axis + 1 :])
    made = Type(shape, _COMPLEX[dtype])
    if n == 1:
        return x if scale == 1 else Real(graph, x.shape, dtype).mul(x, scale)
    if not _radices(n):
        return None
    swaps = is_inverse
    if inner > 1:
        if n > _MAX_VECTORS:
            return None
        lanes = _lanes(dtype, inner)
        params = dtype, outer, n, inner, swaps, scale, lanes
        (out,) = graph.routine(
            "fft", Routine("fourier_columns", params), [x, _constant(graph, _factors(n, dtype))], [made]
        )
        return graph.stored(out)
    n1, n2 = _halves(n)
    lanes, in_rows = _lanes(dtype, n2), _lanes(dtype, outer, n)
    if n <= _MAX_VECTORS and in_rows >= lanes:
        params = dtype, outer, n, swaps, scale, in_rows
        (out,) = graph.routine(
            "fft", Routine("fourier_rows", params), [x, _constant(graph, _factors(n, dtype))], [made]
        )
        return graph.stored(out)
    if n1 > _MAX_VECTORS:
        return None
    tables = [_factors(n1, dtype), _factors(n2, dtype), *_tables(n, n1, lanes, dtype)]
    space = -(-n1 // lanes) * lanes * n2 * 2 * dtype.itemsize
    routine = Routine("fourier_long", (dtype, outer, n1, n2, swaps, scale, lanes), space)
    (out,) = graph.routine("fft", routine, [x, *[_constant(graph, t) for t in tables]], [made])
    return graph.stored(out)


def _over(graph, x: View, axes, is_inverse: bool, scale: float) -> View | None:
    for axis in axes:
        out = transformed(graph, x, axis, is_inverse, scale)
        if out is None:
            return None
        x, scale = out, 1
    return x


def _fft(graph, operands, params, types):
    (x,), kind, lengths = operands, FftType(params["fft_type"]), tuple(params["fft_lengths"])
    shape = types[0].shape
    if not prod(shape) or not prod(x.shape) or not lengths or types[0].dtype not in _PARTS:
        return None
    rank, is_inverse = len(shape), kind in (FftType.IFFT, FftType.IRFFT)
    axes, last = range(rank - len(lengths), rank - 1), rank - 1
    if kind == FftType.RFFT:
        half = _halved(graph, graph.stored(x))
        out = None if half is None else _over(graph, half, axes, False, 1)
        return None if out is None else [Pair.of(out)]
    if kind == FftType.IRFFT:
        if lengths[-1] % 2 or x.shape[-1] != lengths[-1] // 2 + 1:
            return None
        first = _over(graph, graph.stored(x), axes, True, 1)
        return None if first is None else _doubled(graph, first, shape, 2 / prod(lengths))
    scale = 1 / prod(lengths) if is_inverse else 1
    out = _over(graph, graph.stored(x), [last, *axes], is_inverse, scale)
    return None if out is None else [Pair.of(out)]


# ---- real numbers: a transform of n is one of n / 2 complex numbers, of which neighbours are the parts -----------


def _between(graph, x: Pair, n: int):
    """Arithmetic for numbers 1 to n / 2 - 1 of a row, these numbers, those from its end, and roots for them."""
    half = n // 2
    cut = lambda v, start, stop: View(
        v.base, (*v.shape[:-1], stop - start), v.offset + start * v.strides[-1], v.strides
    )
    near = Pair(*[cut(v, 1, half) for v in (x.re, x.im)])
    far = Pair(*[v.reverse([len(v.shape) - 1]) for v in (near.re, near.im)])
    r = Real(graph, near.shape, near.re.base.dtype)
    roots = _roots(np.arange(1, half) / n, r.dtype)
    roots = Pair(*[_constant(graph, roots[:, k].copy()).broadcast(near.shape, [len(near.shape) - 1]) for k in (0, 1)])
    return r, near, far, roots


def _number(x: View, k: int) -> View:
    """Return one number of each row."""
    return View(x.base, (*x.shape[:-1], 1), x.offset + k * x.strides[-1], x.strides)


def _joined(graph, shape, dtype, pieces) -> View:
    """Return an array of complex numbers: `pieces` are (the first one's number in its row, pair)."""
    strides = contiguous((*shape, 2))
    parts = [(v, 2 * k + j, strides[:-1]) for k, x in pieces if prod(x.shape) for j, v in enumerate((x.re, x.im))]
    return graph.assemble((*shape, 2), dtype, parts)


def _halved(graph, x: View) -> View | None:
    """Half of the transform of real rows, and one more: even and odd ones are sums and differences of conjugates."""
    *lead, n = x.shape
    dtype, half = x.base.dtype, n // 2
    if n % 2:
        zero = graph.number(0, dtype, x.shape)
        whole = transformed(graph, graph.stored(Pair(x, zero)), len(lead), False, 1)
        return whole and graph.copied(View(whole.base, (*lead, half + 1, 2), 0, whole.strides))
    out = transformed(graph, graph.reshape(x, (*lead, half, 2)), len(lead), False, 1)
    if out is None:
        return None
    z = Pair.of(out)
    first = Real(graph, (*lead, 1), dtype)
    re, im, zero = _number(z.re, 0), _number(z.im, 0), first.lit(0)
    pieces = [(0, Pair(first.add(re, im), zero)), (half, Pair(first.sub(re, im), zero))]
    if half > 1:
        r, near, far, roots = _between(graph, z, n)
        even = Pair(r.mul(r.add(near.re, far.re), 0.5), r.mul(r.sub(near.im, far.im), 0.5))
        odd = Pair(r.mul(r.add(near.im, far.im), 0.5), r.mul(r.sub(far.re, near.re), 0.5))
        pieces.append((1, add_pairs(r, even, mul_pairs(r, odd, roots))))
    return _joined(graph, (*lead, half + 1), dtype, pieces)


def _doubled(graph, x: View, shape, scale: float) -> list[View] | None:
    """Return the inverse."""
    *lead, n = shape
    dtype, half, z = x.base.dtype, n // 2, Pair.of(x)
    first = Real(graph, (*lead, 1), dtype)
    begin, end = _number(z.re, 0), _number(z.re, half)
    pieces = [(0, Pair(first.mul(first.add(begin, end), 0.5), first.mul(first.sub(begin, end), 0.5)))]
    if half > 1:
        r, near, far, roots = _between(graph, z, n)
        even = Pair(r.mul(r.add(near.re, far.re), 0.5), r.mul(r.sub(near.im, far.im), 0.5))
        odd = Pair(r.mul(r.sub(near.re, far.re), 0.5), r.mul(r.add(near.im, far.im), 0.5))
        odd = mul_pairs(r, odd, Pair(roots.re, r.neg(roots.im)))
        pieces.append((1, Pair(r.sub(even.re, odd.im), r.add(even.im, odd.re))))
    out = transformed(graph, _joined(graph, (*lead, half), dtype, pieces), len(lead), True, scale)
    return None if out is None else [graph.reshape(out, tuple(shape))]


register(dict(fft=_fft))
COMPLEX["fft"] = _fft
