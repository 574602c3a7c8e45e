"""C = A B for floats and integers of 32 and 64 bits: one family of functions for every size, made once and kept.

The sizes and strides are arguments (`FIELDS`), so any transposition is a matter of strides. Columns are taken in
panels as wide as four vectors. A panel of B is read where it is if its rows are contiguous and few rows of A need
it, and otherwise copied so that it is, a few panels together (transposed by squares of a vector's lanes, in
registers); for many rows of A some megabytes are copied once, by all threads, before any of them multiplies. A
micro-kernel keeps some rows of C by some vectors in registers and goes over the shared axis; elements of
A are spread over vectors as they are read, from a copy if many columns need them or its rows are not contiguous.
Integers of 16 bits are multiplied in pairs along the shared axis (`PAIRS`), and their products added to numbers of 32.
After Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (2008).

Every element is summed in the same order, however the work is divided among threads.

Tests: `tests/engines/native/routines/products/test_products.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...runtime import threads as threads  # calls its function
from ...runtime.compile_tiers import shared
from ...runtime.machine import VECTOR_BYTES, has_feature
from ...text.builder import F32, F64, I32, I64, Module, Value, llvm_type
from ..base import Code

__all__ = [
    "CHAIN", "DEPTH", "FIELDS", "Family", "LETTERS", "LINE", "PAIRS", "ROWS", "call_arguments", "divided",
    "gemm_dtype", "letter_of", "multiplies_pairs", "shared_copies", "terms_together",
]

# Arguments of `adjoint_?gemm`, 64-bit words: addresses; sizes; strides in elements (of batches, rows, columns); where
# and how many rows and columns of B are copied at a time for all rows of A, or 0 (`shared_copies`); whether C is added.
FIELDS = """a b c m n k batches a_batch b_batch c_batch a_row a_column b_row b_column c_row
copies copied_rows copied_columns more""".split()
LETTERS = {F32: "s", F64: "d", I32: "i", I64: "l"}
PAIRS = np.dtype("i2,i2")  # two neighbours of the shared axis, one element of operands here; results are of 32 bits
_MULTIPLIED_PAIRS = {16: "x86.sse2.pmadd.wd", 32: "x86.avx2.pmadd.wd", 64: "x86.avx512.pmaddw.d.512"}

DEPTH = 256  # of the shared axis that is summed at a time
CHAIN = 32  # terms that are added one after the other, where memory is what takes time
_CHAIN_TERMS = 64  # the same where multiplications do: 32 take 3 to 9 % longer, 64 at most 2 %
_TERMS_TOGETHER = 1 << 10  # terms that are added without looking at what is lost (kernels/sums.py); four times as many
_MAX_FEW_SUMS = 40_000  # of more sums than these
_BLOCK_BYTES = 240 * 4 * DEPTH  # bytes of A that stay in the second cache meanwhile
_COPIED_BYTES = 256  # of a row of B that are copied together: a few lines of a page
_COPIED_ROWS = 16  # that are copied together
_CACHE_LINE_BYTES = 64
_ROWS_AHEAD = 32  # of B that are fetched, since rows may be as far apart as pages
_MIN_BYTES_TO_COPY = 1024  # of a row of B, whose products repay a copy of A
_SHARED_BYTES = 1 << 23  # of B that are copied for all rows of A, at most
_MIN_CHUNKS_TO_SHARE = 2  # of rows of A that repay that
_MAX_UNPACKED_ROWS = 16  # rows of A up to which B is read where it is
_MIN_CHUNKS = 8  # where several threads take part, at least so many
ROWS = (6, 4, 2, 1)  # of C in registers
LINE = 2 + ROWS[0]  # words of a segment's line in the table of a micro-kernel
_WIDTHS = (4, 2, 1)  # vectors of a row
_MICRO = "p table,p b,p c,i row,i segments,i a_column,i b_row,i c_row,i n,i more"


def gemm_dtype(dtype) -> np.dtype | None:
    """Return the dtype of the family that multiplies numbers of a dtype, whose bits are the same; None if there is
    none.
    """
    dtype = np.dtype(f"i{dtype.itemsize}") if dtype.kind == "u" else dtype
    return dtype if dtype in LETTERS else None


def letter_of(dtype) -> str:
    """Return the letter of the functions that multiply numbers of a dtype of `gemm_dtype`, or pairs."""
    return "w" if dtype == PAIRS else LETTERS[gemm_dtype(dtype)]


def multiplies_pairs() -> bool:
    """Return whether the processor adds the products of two pairs by one instruction."""
    return has_feature("sse2")


def terms_together(sums: int) -> int:
    """Return how many terms of each of so many sums are added before what is lost is looked at, which takes time."""
    return _TERMS_TOGETHER if sums <= _MAX_FEW_SUMS else 4 * _TERMS_TOGETHER


def shared_copies(m: int, n: int, k: int, dtype) -> tuple[int, int]:
    """Return how many rows and columns of B are copied at a time for all rows of A; 0 if chunks copy what they need.

    A chunk has `_BLOCK_BYTES` of A, and makes its copies anew.
    """
    if m * n * k < Family.worth:
        return 0, 0
    family = Family(Module(), dtype)
    if m < _MIN_CHUNKS_TO_SHARE * family.rows or n < family.copied_columns:
        return 0, 0
    most = _SHARED_BYTES // family.dtype.itemsize
    parts = -(-n // (most // DEPTH))
    columns = -(-n // (parts * family.panel)) * family.panel
    blocks = -(-k // DEPTH)
    return -(-blocks // -(-blocks // (most // (columns * DEPTH)))) * DEPTH, columns


def divided(code: Code, x: Value, y: Value) -> tuple[Value, Value]:
    """Quotient and remainder of numbers that are not negative."""
    return tuple([code.new(f"{op} i64 {x.text}, {y.text}", I64) for op in ("udiv", "urem")])


def call_arguments(addresses, numbers) -> str:
    """Return the arguments of a call."""
    return ", ".join([f"ptr {x}" for x in addresses] + [f"i64 {x.text}" for x in numbers])


class Family:
    """Writes the functions for one dtype; `short`: in as little text as gives the same bits."""

    worth = 1 << 21  # multiplications from which several threads take part
    fewest = 48  # rows of a chunk that is made for that
    widest = 4096  # bytes of a row of B that a chunk has, at most

    def __init__(self, module: Module, dtype: np.dtype, short: bool = False):
        self.module = module
        self.has_pairs = dtype == PAIRS
        self.letter = letter_of(dtype)
        self.dtype = dtype = I32 if self.has_pairs else dtype
        self.short = short
        self.lanes = VECTOR_BYTES // dtype.itemsize
        many = VECTOR_BYTES == 64 or has_feature("neon")  # 32 registers, else 16
        self.widths = _WIDTHS if many else _WIDTHS[1:]
        self.panel = self.lanes * self.widths[0]
        self.panels = self.widest // (self.panel * dtype.itemsize)
        self.copied_columns = max(_COPIED_BYTES // dtype.itemsize, self.panel)
        self.rows = _BLOCK_BYTES // (DEPTH * dtype.itemsize)  # of A, at most, in a chunk
        t = llvm_type(dtype)
        self.scalar, self.vector, self.mask = t, f"<{self.lanes} x {t}>", f"<{self.lanes} x i1>"

    @property
    def exported(self) -> list[str]:
        """Return the functions that other modules may call."""
        micros = [self.micro_name(rows, width) for rows in ROWS for width in self.widths]
        return [f"adjoint_{self.letter}gemm", f"adjoint_{self.letter}pack", *micros]

    def call(self, code: Code, name: str, addresses, numbers) -> None:
        """Call a function of this module."""
        code.line(f"call void @{name}({call_arguments(addresses, numbers)})")

    def call_exported(self, code: Code, name: str, addresses, numbers) -> None:
        """Call one that is exported by the module of products."""
        self.call(code, name, addresses, numbers)

    def function(self, name: str, parameters: list[str], body) -> None:
        """`body(code, registers)` writes a function without a result; parameters are `p` addresses or `i` numbers."""
        names = [f"%{'p' if p[0] == 'p' else 'i'}.{p[2:]}" for p in parameters]
        given = ", ".join([f"{'ptr' if p[0] == 'p' else 'i64'} {x}" for p, x in zip(parameters, names)])
        head = f"{name.split()[0] if ' ' in name else ''} void @{name.split()[-1]}({given})"
        with self.module.function(head) as lines:
            code = Code(self.module, name, lines)
            body(code, *[x if p[0] == "p" else code.value(x) for p, x in zip(parameters, names)])

    # ---- vectors ---------------------------------------------------------------------------------

    def load(self, code: Code, address: str) -> str:
        return code.new(f"load {self.vector}, ptr {address}, align {self.dtype.itemsize}").text

    def store(self, code: Code, value: str, address: str) -> None:
        code.line(f"store {self.vector} {value}, ptr {address}, align {self.dtype.itemsize}")

    def spread(self, code: Code, value: str) -> str:
        one = code.new(f"insertelement {self.vector} poison, {self.scalar} {value}, i64 0").text
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        return code.new(f"shufflevector {self.vector} {one}, {self.vector} poison, {zeros}").text

    def intrinsic(self, code: Code, name: str, result: str, arguments: list[str]) -> str:
        types = ", ".join([a.rsplit(" ", 1)[0] if a[0] != "<" else a[: a.index(">") + 1] for a in arguments])
        self.module.declarations.add(f"declare {result} @llvm.{name}({types})")
        call = f"call {result} @llvm.{name}({', '.join(arguments)})"
        if result == "void":
            code.line(call)
            return ""
        return code.new(call).text

    def prefetch(self, code: Code, address: str) -> None:
        """Fetch the line of an address, which need not be that of an array."""
        self.module.declarations.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        code.line(f"call void @llvm.prefetch.p0(ptr {address}, i32 0, i32 3, i32 1)")

    @property
    def suffix(self) -> str:
        return f"v{self.lanes}{self.dtype.kind}{8 * self.dtype.itemsize}"

    def multiply_add(self, code: Code, x: str, y: str, z: str) -> str:
        """x y + z; of pairs both products are added."""
        if self.has_pairs:
            name, halves = _MULTIPLIED_PAIRS[VECTOR_BYTES], f"<{2 * self.lanes} x i16>"
            pairs = [f"{halves} {code.new(f'bitcast {self.vector} {v} to {halves}').text}" for v in (x, y)]
            return self.add(code, self.intrinsic(code, name, self.vector, pairs), z)
        if self.dtype.kind == "f":
            return self.intrinsic(code, f"fma.{self.suffix}", self.vector, [f"{self.vector} {v}" for v in (x, y, z)])
        return self.add(code, code.new(f"mul {self.vector} {x}, {y}").text, z)

    def add(self, code: Code, x: str, y: str) -> str:
        return code.new(f"{'f' * (self.dtype.kind == 'f')}add {self.vector} {x}, {y}").text

    def masked_load(self, code: Code, address: str, mask: str) -> str:
        return self.intrinsic(code, f"masked.load.{self.suffix}.p0", self.vector, [
            f"ptr {address}", f"i32 {self.dtype.itemsize}", f"{self.mask} {mask}", f"{self.vector} zeroinitializer",
        ])

    def masked_store(self, code: Code, value: str, address: str, mask: str) -> None:
        self.intrinsic(code, f"masked.store.{self.suffix}.p0", "void", [
            f"{self.vector} {value}", f"ptr {address}", f"i32 {self.dtype.itemsize}", f"{self.mask} {mask}",
        ])

    def lanes_below(self, code: Code, n: Value, start: int) -> str:
        """Return which lanes of the vector from `start` on count, if n columns do."""
        left = n - start
        wide = f"<{self.lanes} x i64>"
        one = code.new(f"insertelement {wide} poison, i64 {left.text}, i64 0").text
        all_ = code.new(f"shufflevector {wide} {one}, {wide} poison, <{self.lanes} x i32> zeroinitializer").text
        numbers = ", ".join([f"i64 {i}" for i in range(self.lanes)])
        return code.new(f"icmp sgt {wide} {all_}, <{numbers}>").text

    # ---- micro-kernels ---------------------------------------------------------------------------

    def micro(self, rows: int, width: int) -> None:
        """Write the kernel of some rows of C by at most `width` vectors of columns, of which n count; `more` adds.

        The shared axis is gone over in segments: of each, `table` has in a line of `LINE` words the first row of B, the
        length, and where rows of A begin, from which those from `row` on are taken. Floats are added in chains, whose
        sums are added up: one chain would lose more digits (kernels/sums.py).
        """

        def body(code: Code, table, b, c, row, segments, a_column, b_row, c_row, n, more):
            line_start = code.at(table, row, I64)
            sums = [[self.variable(code) for _ in range(width)] for _ in range(rows)]
            step_a, step_b, ahead = code.variable(0), code.variable(0), b_row * _ROWS_AHEAD
            places, target = [], c
            for _ in range(rows):
                places.append([code.at(target, v * self.lanes, self.dtype) for v in range(width)])
                target = code.at(target, c_row, self.dtype)
                for place in places[-1][:: max(_CACHE_LINE_BYTES // VECTOR_BYTES, 1)]:
                    self.prefetch(code, place)
            chains = _Chains(self, code, sum(sums, [])) if self.dtype.kind == "f" else None
            with code.loop(segments) as segment:
                line = code.at(table, segment * LINE, I64)
                first, depth = [code.new(f"load i64, ptr {code.at(line, i, I64)}", I64) for i in range(2)]
                first_begin = code.at(line_start, segment * LINE, I64)
                begins = [code.new(f"load ptr, ptr {code.at(first_begin, 2 + i, I64)}").text for i in range(rows)]
                code.set(step_a, 0)
                code.set(step_b, first * b_row)

                def turns(count):
                    with code.loop(count):
                        at_a, at_b = code.get(step_a), code.get(step_b)
                        row = code.at(b, at_b, self.dtype)
                        columns = [self.load(code, code.at(row, v * self.lanes, self.dtype)) for v in range(width)]
                        later = code.at(row, ahead, self.dtype)
                        for v in range(0, width, max(_CACHE_LINE_BYTES // VECTOR_BYTES, 1)):
                            self.prefetch(code, code.at(later, v * self.lanes, self.dtype))
                        for i in range(rows):
                            x = code.new(f"load {self.scalar}, ptr {code.at(begins[i], at_a, self.dtype)}").text
                            x = self.spread(code, x)
                            for v in range(width):
                                old = self.read(code, sums[i][v])
                                self.write(code, sums[i][v], self.multiply_add(code, x, columns[v], old))
                        code.set(step_a, at_a + a_column)
                        code.set(step_b, at_b + b_row)

                if chains is None:
                    turns(depth)
                else:
                    chains.add(depth, turns)
            if chains is not None:
                chains.end()
            is_whole = n >= width * self.lanes
            with code.when(is_whole):
                self.put(code, sums, places, more, [None] * width)
            with code.when(~is_whole):
                self.put(code, sums, places, more, [self.lanes_below(code, n, v * self.lanes) for v in range(width)])

        self.function(self.micro_name(rows, width), _MICRO.split(","), body)

    def put(self, code: Code, sums, places, more: Value, masks) -> None:
        """Write sums to C, or add them to it; a mask says which lanes count, None that all do.

        Masked stores take ten times as long as others where they are no instruction of the processor.
        """
        def there(place, mask):
            return self.load(code, place) if mask is None else self.masked_load(code, place, mask)

        with code.when(more.differs(0)):
            for row, at in zip(sums, places):
                for x, place, mask in zip(row, at, masks):
                    self.write(code, x, self.add(code, self.read(code, x), there(place, mask)))
        for row, at in zip(sums, places):
            for x, place, mask in zip(row, at, masks):
                if mask is None:
                    self.store(code, self.read(code, x), place)
                else:
                    self.masked_store(code, self.read(code, x), place, mask)

    def parts(self) -> None:
        """The same for any number of rows and vectors of columns: row after row, the widest at once or one by one."""

        def body(code: Code, table, b, c, row, segments, a_column, b_row, c_row, n, more, rows, width):
            def call(i, first, vectors):
                start = first * self.lanes
                to_c = code.at(c, i * c_row + start, self.dtype)
                numbers = row + i, segments, a_column, b_row, c_row, n - start, more
                self.call_micro(code, 1, vectors, [table, code.at(b, start, self.dtype), to_c], numbers)

            widest = self.widths[0]
            whole = width.equals(widest)
            with code.loop(rows) as i:
                with code.when(whole):
                    call(i, code.integer(0), widest)
                with code.loop(code.select(whole, 0, width)) as v:
                    call(i, v, 1)

        self.function(f"internal {self.letter}parts", [*_MICRO.split(","), "i rows", "i width"], body)

    def micro_in_parts(self, rows: int, width: int) -> None:
        def body(code: Code, table, b, c, *numbers):
            numbers = [*numbers, code.integer(rows), code.integer(width)]
            self.call(code, f"{self.letter}parts", [table, b, c], numbers)

        self.function(self.micro_name(rows, width), _MICRO.split(","), body)

    def call_micro(self, code: Code, rows: int, width: int, places, numbers) -> None:
        self.call_exported(code, self.micro_name(rows, width), places, numbers)

    def micros(self) -> None:
        """Write all micro-kernels that are exported."""
        whole = [(1, self.widths[0]), (1, 1)] if self.short else [(r, w) for r in ROWS for w in self.widths]
        for rows, width in whole:
            self.micro(rows, width)
        if self.short:
            self.parts()
            for rows in ROWS:
                for width in self.widths:
                    if (rows, width) not in whole:
                        self.micro_in_parts(rows, width)

    def micro_name(self, rows: int, width: int) -> str:
        return f"adjoint_{self.letter}micro{rows}x{width}"

    def held(self) -> str:
        """Return the name of a place for a vector, with nothing in it yet."""
        name = self.module.fresh("s")
        self.module.allocas.append(f"  {name} = alloca {self.vector}, align {VECTOR_BYTES}")
        return name

    def variable(self, code: Code) -> str:
        name = self.held()
        code.line(f"store {self.vector} zeroinitializer, ptr {name}, align {VECTOR_BYTES}")
        return name

    def read(self, code: Code, variable: str) -> str:
        return code.new(f"load {self.vector}, ptr {variable}, align {VECTOR_BYTES}").text

    def write(self, code: Code, variable: str, value: str) -> None:
        code.line(f"store {self.vector} {value}, ptr {variable}, align {VECTOR_BYTES}")

    # ---- copies of panels ------------------------------------------------------------------------

    def pack(self) -> None:
        """n columns of B from `depth` rows on, with rows of `width` elements, zero beyond n."""
        lanes = self.lanes

        def one(code: Code, source, target, i, j, b_row, b_column, width):
            place = i * b_row + j * b_column
            x = code.load(source, place, self.dtype)
            code.store(x, target, i * width + j, self.dtype)

        def body(code: Code, source, target, depth, n, b_row, b_column, width):
            whole = code.new(f"and i64 {n.text}, {-lanes}", I64)
            contiguous = b_column.equals(1)
            with code.when(n < width):
                code.clear(target, depth * width * self.dtype.itemsize)
            with code.when(contiguous), code.loop(depth) as i:
                row = code.at(source, i * b_row, self.dtype)
                out = code.at(target, i * width, self.dtype)
                self.prefetch(code, code.at(source, (i + _COPIED_ROWS) * b_row, self.dtype))
                with code.loop(whole, step=lanes) as j:
                    self.store(code, self.load(code, code.at(row, j, self.dtype)), code.at(out, j, self.dtype))
            is_other = code.new(f"xor i1 {contiguous.text}, true", np.dtype("?"))
            with code.when(is_other):
                by_row = b_row.equals(1)
                deep = code.new(f"and i64 {depth.text}, {0 if self.short else -lanes}", I64)
                deep = code.new(f"select i1 {by_row.text}, i64 {deep.text}, i64 0", I64)
                with code.loop(whole, step=lanes) as j:
                    if not self.short:
                        with code.loop(deep, step=lanes) as i:
                            self.transposed(code, source, target, i, j, b_column, width)
                    with code.loop(depth, start=deep) as i, code.loop(lanes) as c:
                        one(code, source, target, i, j + c, b_row, b_column, width)
            with code.loop(n, start=whole) as j, code.loop(depth) as i:
                one(code, source, target, i, j, b_row, b_column, width)

        names = "p source,p target,i depth,i n,i b_row,i b_column,i width".split(",")
        self.function(f"adjoint_{self.letter}pack", names, body)

    def transposed(self, code: Code, source, target, i, j, b_column, width) -> None:
        """A square block of as many rows and columns as a vector has lanes: rows are interleaved again and again."""
        lanes = self.lanes
        begin = code.at(source, i + j * b_column, self.dtype)
        rows = []
        for _ in range(lanes):
            rows.append(self.load(code, begin))
            begin = code.at(begin, b_column, self.dtype)
        half = lanes // 2
        low = ", ".join([f"i32 {k}" for z in range(half) for k in (z, lanes + z)])
        high = ", ".join([f"i32 {k}" for z in range(half, lanes) for k in (z, lanes + z)])
        for _ in range(lanes.bit_length() - 1):
            pairs = [f"{self.vector} {rows[r]}, {self.vector} {rows[r + half]}" for r in range(half)]
            ways = [f"<{lanes} x i32> <{way}>" for way in (low, high)]
            rows = [code.new(f"shufflevector {pair}, {way}").text for pair in pairs for way in ways]
        out = code.at(target, i * width + j, self.dtype)
        for row in rows:
            self.store(code, row, out)
            out = code.at(out, width, self.dtype)

    # ---- the whole -------------------------------------------------------------------------------

    def width_of(self, code: Code, n: Value) -> Value:
        """Return how many columns the panel has that holds the next n, or so many of them as one holds."""
        width = code.integer(self.panel)
        for w in self.widths[1:]:
            width = code.select(n <= w * self.lanes, w * self.lanes, width)
        return width

    def whole_panels(self, code: Code, n: Value) -> Value:
        """Return how many columns the panels have that hold n."""
        return divided(code, n + (self.panel - 1), code.integer(self.panel))[0] * self.panel

    def copy(self) -> None:
        """Copy panels of B, some rows of all of them and then the next; if `few`, those not that are read there."""

        def body(code: Code, source, target, depth, columns, b_row, b_column, few):
            few, is_contiguous = few.differs(0), b_column.equals(1)
            rows_together = code.select(is_contiguous & ~few, _COPIED_ROWS, depth)
            with code.loop(depth, step=rows_together) as i, code.loop(columns, step=self.panel) as j:
                rows, n = code.minimum(depth - i, rows_together), code.minimum(columns - j, self.panel)
                width = self.width_of(code, n)
                with code.when(~(is_contiguous & few & n.equals(width))):
                    there = code.at(source, i * b_row + j * b_column, self.dtype)
                    to = code.at(target, j * DEPTH + i * width, self.dtype)
                    self.pack_from(code, there, to, [rows, n, b_row, b_column, width])

        names = "p source,p target,i depth,i columns,i b_row,i b_column,i few".split(",")
        self.function(f"internal {self.letter}copy", names, body)

    def block(self) -> None:
        """Rows [first_row, last_row) by columns [first, last) of one product."""

        def body(code: Code, f, a, b, c, first_row, last_row, first, last):
            m = last_row - first_row
            k, a_row, a_column, b_row, b_column, c_row = [
                self.field(code, f, x) for x in ("k", "a_row", "a_column", "b_row", "b_column", "c_row")
            ]
            copies = code.local(self.scalar, DEPTH * self.copied_columns)
            copy = code.local(self.scalar, DEPTH * self.rows)
            # Enough columns repay a copy of A. Rows that are contiguous are copied too: they may be as far apart as
            # what one way of the cache holds, so that few of them stay.
            columns = last - first
            is_wide = columns >= _MIN_BYTES_TO_COPY // self.dtype.itemsize
            turned = is_wide | a_column.differs(1) & (columns > 2 * self.lanes)
            shares = not self.short  # what may be copied for all rows
            is_copied, more = code.const(False, np.dtype("?")), code.integer(0)
            if shares:
                all_copies, more = self.address(code, f, "copies"), self.field(code, f, "more")
                is_copied = self.field(code, f, "copies").differs(0)
                pitch = self.whole_panels(code, self.field(code, f, "n"))
            with code.loop(k, step=DEPTH) as k0:
                depth = code.minimum(k - k0, DEPTH)
                begin = first_row * a_row + k0 * a_column
                rows_of_a = self.pointer(code, code.at(a, begin, self.dtype))
                with code.when(turned):
                    self.pack_from(code, code.at(a, begin, self.dtype), copy, [m, depth, a_row, a_column, depth])
                    code.line(f"store ptr {copy}, ptr {rows_of_a}")
                from_a = code.new(f"load ptr, ptr {rows_of_a}").text
                a_steps = [code.select(turned, depth, a_row), code.select(turned, 1, a_column)]
                few, is_contiguous = ~is_copied & (m <= _MAX_UNPACKED_ROWS), b_column.equals(1)
                with code.loop(last, start=first, step=self.copied_columns) as begun:
                    end = code.minimum(last, begun + self.copied_columns)
                    source = code.at(b, k0 * b_row + begun * b_column, self.dtype)
                    with code.when(~is_copied):
                        numbers = depth, end - begun, b_row, b_column, code.convert(few, I64)
                        self.call(code, f"{self.letter}copy", [source, copies], numbers)
                    there = copies
                    if shares:
                        there = code.at(all_copies, k0 * pitch + begun * DEPTH, self.dtype)
                        there = code.new(f"select i1 {is_copied.text}, ptr {there}, ptr {copies}").text
                    with code.loop(end - begun, step=self.panel) as j:
                        n = code.minimum(end - begun - j, self.panel)
                        width = self.width_of(code, n)
                        as_it_lies = is_contiguous & few & n.equals(width)
                        panel, copied = code.at(source, j * b_column, self.dtype), code.at(there, j * DEPTH, self.dtype)
                        rows_of_b = code.new(f"select i1 {as_it_lies.text}, ptr {panel}, ptr {copied}").text
                        strides = [*a_steps, code.select(as_it_lies, b_row, width), c_row]
                        to_c = code.at(c, first_row * c_row + begun + j, self.dtype)
                        self.columns(code, m, [from_a, rows_of_b, to_c], more + k0, depth, n, width, strides)

        names = "p f,p a,p b,p c,i first_row,i last_row,i first,i last".split(",")
        self.function(f"internal {self.letter}block", names, body)

    def pack_from(self, code: Code, source: str, target: str, numbers) -> None:
        self.call_exported(code, f"adjoint_{self.letter}pack", [source, target], numbers)

    def columns(self, code: Code, m, places, k0, depth, n, width, strides) -> None:
        """Write the product for all rows of a panel of columns, by the micro-kernels of its width."""
        (a, b, c), (a_row, a_column, b_row, c_row) = places, strides
        table = code.local("i64", LINE)
        code.line(f"store i64 0, ptr {table}")
        code.line(f"store i64 {depth.text}, ptr {code.at(table, 1, I64)}")
        zero, one = code.integer(0), code.integer(1)

        def place(i, rows) -> list[str]:
            """Return the table, with the beginnings of these rows of A, and where B and C begin."""
            from_a = code.at(a, i * a_row, self.dtype)
            for k in range(rows):
                code.line(f"store ptr {from_a}, ptr {code.at(table, 2 + k, I64)}")
                from_a = code.at(from_a, a_row, self.dtype)
            return [table, b, code.at(c, i * c_row, self.dtype)]

        if self.short:
            vectors = code.new(f"udiv i64 {width.text}, {self.lanes}", I64)
            with code.loop(m) as i:
                numbers = zero, one, a_column, b_row, c_row, n, k0, one, vectors
                self.call(code, f"{self.letter}parts", place(i, 1), numbers)
            return
        for w in self.widths:
            with code.when(width.equals(w * self.lanes)):
                row = code.variable(zero)
                for rows in ROWS:
                    def enough(row=row, rows=rows):
                        return m - code.get(row) >= rows

                    with code.repeat(enough):
                        i = code.get(row)
                        numbers = zero, one, a_column, b_row, c_row, n, k0
                        self.call_micro(code, rows, w, place(i, rows), numbers)
                        code.set(row, i + rows)

    def pointer(self, code: Code, start: str) -> str:
        name = self.module.fresh("p")
        self.module.allocas.append(f"  {name} = alloca ptr")
        code.line(f"store ptr {start}, ptr {name}")
        return name

    def field(self, code: Code, f: str, name: str) -> Value:
        place = code.new(f"getelementptr i64, ptr {f}, i64 {FIELDS.index(name)}").text
        return code.new(f"load i64, ptr {place}", I64)

    def address(self, code: Code, f: str, name: str) -> str:
        return code.new(f"inttoptr i64 {self.field(code, f, name).text} to ptr").text

    def run(self, code: Code, big: Value, name: str, arguments: str, shared: str, count: Value) -> None:
        """Tasks by all threads, if the work is big."""
        code.module.declarations.add("declare void @adjoint_parallel(ptr, ptr, ptr, i64)")
        together = big & (count > 1)
        given = f"ptr {arguments}, ptr {shared}, i64"
        with code.when(together):
            code.line(f"call void @adjoint_parallel(ptr @{self.letter}{name}, {given} {count.text})")
        alone = code.new(f"xor i1 {together.text}, true", np.dtype("?"))
        with code.when(alone), code.loop(count) as i:
            code.line(f"call void @{self.letter}{name}({given} {i.text})")

    def is_big(self, code: Code, sizes) -> Value:
        """Return whether several threads take part."""
        m, n, k, batches = sizes
        return m * n * (k * batches) >= self.worth

    def chunks(self, code: Code, sizes, big: Value, shared: str) -> Value:
        """Return the number of chunks: their rows of A stay in the cache, and big work has several at least.

        `shared` gets the numbers of chunks of rows and columns, and what each has of them.
        """
        m, n, _, batches = sizes
        number, most = code.integer, code.integer(ROWS[0])
        one, panel = number(1), number(self.panel)
        ceil = lambda x, y: divided(code, x + y - one, y)[0]
        between = lambda x, low, high: code.minimum(code.maximum(x, low), high)
        wanted = code.select(big, number(_MIN_CHUNKS), one)
        panels, row_chunks = ceil(n, panel), ceil(m, number(self.rows))
        enough = divided(code, panels * row_chunks * batches, wanted)[0]
        per_chunk = between(enough, one, number(self.panels))
        column_chunks = ceil(panels, per_chunk)
        more = ceil(wanted, column_chunks * batches)
        fewest = divided(code, m, number(self.fewest))[0]
        row_chunks = code.maximum(row_chunks, between(fewest, one, more))
        rows = code.minimum(ceil(ceil(m, row_chunks), most) * most, number(self.rows))
        row_chunks = ceil(m, rows)
        for i, x in enumerate((row_chunks, column_chunks, rows, per_chunk * panel)):
            code.line(f"store i64 {x.text}, ptr {code.at(shared, i, I64)}")
        return row_chunks * column_chunks * batches

    def chunk(self, code: Code, shared: str, number: Value, m: Value, n: Value) -> tuple[Value, tuple[Value, ...]]:
        """Return the batch of a chunk; its first and last row, its first and last column."""
        words = [code.new(f"load i64, ptr {code.at(shared, i, I64)}", I64) for i in range(4)]
        row_chunks, column_chunks, rows, columns = words
        batch, inside = divided(code, number, row_chunks * column_chunks)
        row, column = divided(code, inside, column_chunks)
        first_row, first = row * rows, column * columns
        last_row = code.minimum(first_row + rows, m)
        return batch, (first_row, last_row, first, code.minimum(first + columns, n))

    def task(self) -> None:
        """Write the function of one chunk."""

        def body(code: Code, f, shared, number):
            m, n = self.field(code, f, "m"), self.field(code, f, "n")
            batch, bounds = self.chunk(code, shared, number, m, n)
            places = []
            for name in "abc":
                step = batch * self.field(code, f, f"{name}_batch")
                places.append(code.at(self.address(code, f, name), step, self.dtype))
            given = [f"ptr {x}" for x in (f, *places)] + [f"i64 {x.text}" for x in bounds]
            code.line(f"call void @{self.letter}block({', '.join(given)})")

        self.function(f"internal {self.letter}task", ["p f", "p shared", "i number"], body)

    def copy_task(self) -> None:
        """Write the function that makes a part of the copies for all rows of A: some columns of a block."""

        def body(code: Code, f, groups, number):
            n, k, b_row, b_column = [self.field(code, f, x) for x in ("n", "k", "b_row", "b_column")]
            block, group = divided(code, number, code.new(f"load i64, ptr {groups}", I64))
            row, first = block * DEPTH, group * self.copied_columns
            depth, columns = code.minimum(k - row, DEPTH), code.minimum(n - first, self.copied_columns)
            source = code.at(self.address(code, f, "b"), row * b_row + first * b_column, self.dtype)
            place = row * self.whole_panels(code, n) + first * DEPTH
            target = code.at(self.address(code, f, "copies"), place, self.dtype)
            self.call(code, f"{self.letter}copy", [source, target], [depth, columns, b_row, b_column, code.integer(0)])

        self.function(f"internal {self.letter}copytask", ["p f", "p groups", "i number"], body)

    def whole(self) -> None:
        """Write the function of all chunks of a product."""

        def chunks(code: Code, f):
            shared = code.local("i64", 4)
            sizes = [self.field(code, f, x) for x in ("m", "n", "k", "batches")]
            big = self.is_big(code, sizes)
            self.run(code, big, "task", f, shared, self.chunks(code, sizes, big, shared))

        def body(code: Code, f):
            if self.short:  # it copies nothing for all
                chunks(code, f)
                return
            get = partial(self.field, code)
            is_copied = get(f, "copies").differs(0)
            with code.when(~is_copied):
                chunks(code, f)
            with code.when(is_copied):
                part, groups = code.local("i64", len(FIELDS)), code.local("i64", 1)

                def put(name: str, value) -> None:
                    code.line(f"store i64 {value.text}, ptr {code.at(part, FIELDS.index(name), I64)}")

                for name in FIELDS:
                    put(name, get(f, name))
                put("batches", code.integer(1))
                with code.loop(get(f, "batches")) as batch:
                    columns, rows = get(f, "copied_columns"), get(f, "copied_rows")
                    with code.loop(get(f, "n"), step=columns) as j, code.loop(get(f, "k"), step=rows) as i:
                        n, k = code.minimum(get(f, "n") - j, columns), code.minimum(get(f, "k") - i, rows)
                        moves = i * get(f, "a_column"), i * get(f, "b_row") + j * get(f, "b_column"), j
                        for name, move in zip("abc", moves):
                            place = batch * get(f, f"{name}_batch") + move
                            put(name, get(f, name) + place * self.dtype.itemsize)
                        put("n", n)
                        put("k", k)
                        put("more", get(f, "more") + i)
                        count = divided(code, n + (self.copied_columns - 1), code.integer(self.copied_columns))[0]
                        code.line(f"store i64 {count.text}, ptr {groups}")
                        blocks = divided(code, k + (DEPTH - 1), code.integer(DEPTH))[0]
                        big = self.is_big(code, [get(part, x) for x in ("m", "n", "k", "batches")])
                        self.run(code, big, "copytask", part, groups, blocks * count)
                        chunks(code, part)

        self.function(f"adjoint_{self.letter}gemm", ["p f"], body)

    def write_all(self) -> None:
        """Write all functions."""
        self.micros()
        self.pack()
        self.copy()
        self.block()
        if not self.short:
            self.copy_task()
        self.task()
        self.whole()

    @classmethod
    def text(cls, dtype: np.dtype, short: bool = False) -> str:
        """Return the module with all functions."""
        module = Module()
        cls(module, dtype, short).write_all()
        return module.text()


class _Chains:
    """Sums of floats in vectors, of chains of terms, which are added to totals that are held beside them.

    Nothing is written to the totals before there are more terms than one chain has, so that few cost nothing.
    """

    def __init__(self, family: Family, code: Code, sums: list[str]):
        self.family, self.code, self.pairs = family, code, [(x, family.held()) for x in sums]
        self.begun = code.variable(0)  # terms of the chain
        self.has_totals = code.variable(0)

    def add(self, terms: Value, turns: Callable[[Value], None]) -> None:
        """Add some more terms: `turns(n)` adds n of them to the sums."""
        code, chain = self.code, self.code.integer(_CHAIN_TERMS)
        with code.loop(terms, step=_CHAIN_TERMS) as start:
            count = code.minimum(terms - start, chain)
            with code.when(code.get(self.begun) + count > chain):
                self._next()
            turns(count)
            code.set(self.begun, code.get(self.begun) + count)

    def _next(self) -> None:
        family, code = self.family, self.code
        is_first = code.get(self.has_totals).equals(0)
        with code.when(is_first):
            for x, total in self.pairs:
                family.write(code, total, family.read(code, x))
        with code.when(~is_first):
            self._join(1)
        for x, _ in self.pairs:
            family.write(code, x, "zeroinitializer")
        code.set(self.begun, 0)
        code.set(self.has_totals, 1)

    def _join(self, into: int) -> None:
        for pair in self.pairs:
            x, total = [self.family.read(self.code, name) for name in pair]
            self.family.write(self.code, pair[into], self.family.add(self.code, total, x))

    def end(self) -> None:
        """Make the sums those of all terms."""
        with self.code.when(self.code.get(self.has_totals).differs(0)):
            self._join(0)


for _dtype in (*LETTERS, PAIRS):
    _texts = partial(Family.text, _dtype), partial(Family.text, _dtype, True)
    shared(__name__, Family(Module(), _dtype).exported, *_texts, calls=("adjoint_parallel",))
