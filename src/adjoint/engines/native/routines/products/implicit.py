"""Convolutions as products of matrices one of which, the windows, is never there as a whole.

A row of the matrix of windows is a position in the result, a column is an element of the kernel, and the element
that both meet is one of the image or 0. `gather` copies a block of that matrix from the image for the micro-kernels
of gemm.py: along rows or along columns, whichever the image's memory follows, in runs of consecutive elements that
are cut off at the image's edges. The rest is as in gemm.py: blocks of the shared axis, panels of columns,
chunks for threads. (Chetlur et al. 2014, "cuDNN: Efficient primitives for deep learning".)

The matrix of windows is the left factor, with a column of the result for each output feature; or, where features are
few or the image's rows are in order, the right one, with a row for each feature. Each axis of the matrix is a
number with digits: one of the batch or of the features, and three of positions or of the kernel's elements.
All sizes are arguments: a convolution compiles to a call with a table of `FIELDS`.

Tests: `tests/engines/native/routines/products/test_convolution.py`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...kernels.totals import function_of
from ...runtime import threads as threads  # calls its function
from ...runtime.compile_tiers import shared
from ...text.builder import I64, Value
from ..base import Code
from .gemm import DEPTH, LETTERS, Family, call_arguments, divided

__all__ = ["FIELDS", "Implicit", "UNPACKED"]

# 64-bit words; strides are in elements.
# m, n, k: rows, columns and the shared axis. `windows_right`: which factor the windows are. `runs_shared`: whether
# runs go along the shared axis. `batches` are made of `groups` and of parts of the batch. `x`, `w`, `c`: where the
# image's element of the first window would be, the kernel and the result begin.
# line_*: lengths of the digits of the axis that runs do not follow, (feature, 3 positions, feature); what a step
# of a digit moves in memory, and along the image's axis. run_*: the same of the other axis, whose last digits are
# a run of `units` of `unit` elements. start_*, size_*: along the image's axes, where the first window starts and
# how long they are. c_*: where rows of the result are, by digits; `segment` rows have one stride, `c_row`.
# pack_*: how the kernel is copied first, by digits of the shared axis, if it has to be. `sums`: where sums of blocks of
# a long shared axis are in the workspace; `total`: how many elements the result has; `together`: terms of a block.
FIELDS = """m n k windows_right runs_shared batches groups x w c x_batch x_group w_group c_batch c_group
line_a line_1 line_2 line_3 line_b line_step line_step_1 line_step_2 line_step_3 line_move_1 line_move_2 line_move_3
run_0 run_1 run_2 run_3 run_step_0 run_step_1 run_step_2 run_step_3 run_move_1 run_move_2 run_move_3
units unit unit_move element start_1 start_2 start_3 size_1 size_2 size_3 w_row w_column
segment c_row c_a c_1 c_2 c_3 c_b row_1 row_2 row_3 row_b
pack_1 pack_2 pack_3 pack_step_0 pack_step_1 pack_step_2 pack_step_3 pack_depth pack_row pack_column pack_n
pack_count pack_group sums total together""".split()
UNPACKED = 24  # rows up to which the kernel is read where it is
_BOOL = np.dtype("?")


class Implicit(Family):
    """Writes the functions for one dtype; `names` are those of the words of their table."""

    name, names = "convolution", FIELDS
    worth, fewest, widest = 1 << 20, 24, 1024

    def field(self, code: Code, f: str, name: str) -> Value:
        place = code.new(f"getelementptr i64, ptr {f}, i64 {self.names.index(name)}").text
        return code.new(f"load i64, ptr {place}", I64)

    def fields(self, code: Code, f: str, names: str) -> list[Value]:
        return [self.field(code, f, name) for name in names.split()]

    # ---- runs ------------------------------------------------------------------------------------

    def copies(self) -> None:
        """`n` elements that are `step` apart, or zeros."""
        lanes = self.lanes

        def vectors(code: Code, n, value, target):
            whole = code.new(f"and i64 {n.text}, {-lanes}", I64)
            with code.loop(whole, step=lanes) as i:
                self.store(code, value(i, None), code.at(target, i, self.dtype))
            with code.when(whole < n):
                mask = self.lanes_below(code, n - whole, 0)
                self.masked_store(code, value(whole, mask), code.at(target, whole, self.dtype), mask)

        def copy(code: Code, target, source, n, step):
            plain = step.equals(1)

            def read(i, mask):
                place = code.at(source, i, self.dtype)
                return self.load(code, place) if mask is None else self.masked_load(code, place, mask)

            with code.when(plain):
                vectors(code, n, read, target)
            with code.when(code.new(f"xor i1 {plain.text}, true", _BOOL)), code.loop(n) as i:
                x = code.load(source, i * step, self.dtype)
                code.store(x, target, i, self.dtype)

        def zero(code: Code, target, n):
            vectors(code, n, lambda i, mask: "zeroinitializer", target)

        self.function(f"internal {self.letter}copy", ["p target", "p source", "i n", "i step"], copy)
        self.function(f"internal {self.letter}zero", ["p target", "i n"], zero)

    def gather(self) -> None:
        """A block of the matrix of windows: `lines` of `count` elements, to rows of `width` elements."""
        integer = lambda n: Value(str(n), I64)

        def next_digit(code: Code, digits, lengths):
            """Add one to a number of digits, the last of which counts fastest."""
            (*others, last), (*rest, length) = digits, lengths
            code.set(last, code.get(last) + integer(1))
            if others:
                with code.when(code.get(last) >= length):
                    code.set(last, integer(0))
                    next_digit(code, others, rest)

        def start_digits(code: Code, number, lengths):
            """Return variables for the digits of a number; the first has no end."""
            digits = []
            for length in reversed(lengths[1:]):
                number, digit = divided(code, number, length)
                digits.append(digit)
            return [code.variable(x) for x in (number, *reversed(digits))]

        def body(code: Code, f, x, target, first_line, lines, first, count, width):
            line_lengths = self.fields(code, f, "line_a line_1 line_2 line_3 line_b")
            line_step, *line_steps = self.fields(code, f, "line_step line_step_1 line_step_2 line_step_3")
            line_moves = self.fields(code, f, "line_move_1 line_move_2 line_move_3")
            run_lengths = self.fields(code, f, "run_0 run_1 run_2 run_3")
            run_steps = self.fields(code, f, "run_step_0 run_step_1 run_step_2 run_step_3")
            run_moves = self.fields(code, f, "run_move_1 run_move_2 run_move_3")
            units, unit, unit_move, element = self.fields(code, f, "units unit unit_move element")
            starts = self.fields(code, f, "start_1 start_2 start_3")
            sizes = self.fields(code, f, "size_1 size_2 size_3")
            length = units * unit
            reach = (units - integer(1)) * unit_move
            line_digits = start_digits(code, first_line, line_lengths)
            begin, skipped = divided(code, first, length)
            first_digits = [code.get(d) for d in start_digits(code, begin, run_lengths)]
            run_digits = [code.variable(d) for d in first_digits]
            out, at, left, gone = [code.variable(integer(0)) for _ in range(4)]
            bounds = [code.variable(integer(0)) for _ in range(2)]
            with code.loop(lines) as line:
                digits = [code.get(d) for d in line_digits]
                address = (digits[0] + digits[4]) * line_step
                for digit, step in zip(digits[1:4], line_steps):
                    address = address + digit * step
                places = [s + d * m for s, d, m in zip(starts, digits[1:4], line_moves)]
                for variable, value in zip(run_digits, first_digits):
                    code.set(variable, value)
                code.set(out, line * width)
                code.set(left, count)
                code.set(at, skipped)
                with code.repeat(lambda: code.get(left) > integer(0)):
                    skip = code.get(at)
                    n = code.minimum(code.get(left), length - skip)
                    digits = [code.get(d) for d in run_digits]
                    source = address
                    for digit, step in zip(digits, run_steps):
                        source = source + digit * step
                    source = code.at(x, source + skip * element, self.dtype)
                    here = [p + d * m for p, d, m in zip(places, digits[1:], run_moves)]
                    inside = [code.new(f"icmp ult i64 {p.text}, {s.text}", _BOOL) for p, s in zip(here, sizes)]
                    end = here[2] + reach
                    ends = code.new(f"icmp ult i64 {end.text}, {sizes[2].text}", _BOOL)
                    rows = inside[0] & inside[1]
                    whole = rows & (inside[2] & ends)
                    to = code.at(target, code.get(out), self.dtype)
                    with code.when(whole):
                        self.call(code, f"{self.letter}copy", [to, source], [n, element])
                    with code.when(code.new(f"xor i1 {whole.text}, true", _BOOL)):
                        # The elements that are inside the image along its last axis, of those from `skip` on.
                        self.cut(code, here[2], sizes[2], units, unit_move, rows, bounds)
                        low, high = [
                            code.minimum(code.maximum(code.get(b) * unit - skip, integer(0)), n)
                            for b in bounds
                        ]
                        self.call(code, f"{self.letter}zero", [to], [low])
                        place = code.at(source, low * element, self.dtype)
                        inner = high - low
                        self.call(code, f"{self.letter}copy", [code.at(to, low, self.dtype), place], [inner, element])
                        self.call(code, f"{self.letter}zero", [code.at(to, high, self.dtype)], [n - high])
                    code.set(out, code.get(out) + n)
                    code.set(left, code.get(left) - n)
                    code.set(at, integer(0))
                    next_digit(code, run_digits, run_lengths)
                next_digit(code, line_digits, line_lengths)

        names = "p f,p x,p target,i first_line,i lines,i first,i count,i width".split(",")
        self.function(f"internal {self.letter}gather", names, body)

    def cut(self, code: Code, place, size, units, move, rows, bounds) -> None:
        """Put into `bounds` the first unit that is inside, and the first one after that is not."""
        zero = code.integer(0)
        up = lambda x: divided(code, code.maximum(x, zero) + (move - 1), move)[0]
        for variable in bounds:
            code.set(variable, zero)
        with code.when(rows):
            low = code.minimum(up(zero - place), units)
            high = code.maximum(code.minimum(up(size - place), units), low)
            for variable, value in zip(bounds, (low, high)):
                code.set(variable, value)

    # ---- blocks ----------------------------------------------------------------------------------

    def block(self) -> None:
        """Rows [first_row, last_row) by columns [first, last): sums along [begin, end) of the shared axis."""

        def body(code: Code, f, x, w, c, first_row, last_row, first, last, begin, end):
            m, number, terms = last_row - first_row, code.integer, end - begin
            w_row, w_column = self.fields(code, f, "w_row w_column")
            right = self.field(code, f, "windows_right").differs(number(0))
            shared = self.field(code, f, "runs_shared").differs(number(0))
            left = ~right
            panel = code.local(self.scalar, DEPTH * self.panel)
            copy = code.local(self.scalar, DEPTH * self.rows)
            with code.loop(terms, step=DEPTH) as more:
                k0, depth = begin + more, code.minimum(terms - more, number(DEPTH))
                kernel = code.at(w, first_row * w_column + k0 * w_row, self.dtype)
                with code.when(left & shared):
                    self.call(code, f"{self.letter}gather", [f, x, copy], [first_row, m, k0, depth, depth])
                with code.when(left & ~shared):
                    self.call(code, f"{self.letter}gather", [f, x, copy], [k0, depth, first_row, m, m])
                a = code.new(f"select i1 {right.text}, ptr {kernel}, ptr {copy}").text
                a_row = code.select(right, w_column, code.select(shared, depth, number(1)))
                a_column = code.select(right, w_row, code.select(shared, number(1), m))
                with code.loop(last, start=first, step=self.panel) as j:
                    n = code.minimum(last - j, number(self.panel))
                    width = number(self.panel)
                    for v in self.widths[1:]:
                        fits = n <= number(v * self.lanes)
                        width = code.select(fits, number(v * self.lanes), width)
                    source = code.at(w, k0 * w_row + j, self.dtype)
                    near = n.equals(width) & left
                    few = (m <= number(UNPACKED)) | w_row.equals(width)
                    in_place = near & few
                    with code.when(right):
                        self.call(code, f"{self.letter}gather", [f, x, panel], [k0, depth, j, n, width])
                    with code.when(left & ~in_place):
                        self.pack_from(code, source, panel, [depth, n, w_row, w_column, width])
                    b = code.new(f"select i1 {in_place.text}, ptr {source}, ptr {panel}").text
                    b_row = code.select(in_place, w_row, width)
                    self.segments(code, f, m, first_row, [a, b, c, j], more, depth, n, width, [a_row, a_column, b_row])

        names = "p f,p x,p w,p c,i first_row,i last_row,i first,i last,i begin,i end".split(",")
        self.function(f"internal {self.letter}block", names, body)

    def segments(self, code: Code, f, m, first_row, places, more, depth, n, width, strides) -> None:
        """A panel of columns, by rows whose places in the result have one stride."""
        (a, b, c, j), (a_row, a_column, b_row) = places, strides
        segment, c_row = self.fields(code, f, "segment c_row")
        done = code.variable(0)
        with code.repeat(lambda: code.get(done) < m):
            i = code.get(done)
            row = first_row + i
            _, inside = divided(code, row, segment)
            rows = code.minimum(m - i, segment - inside)
            place = j + self.row_place(code, f, row)
            from_a = code.at(a, i * a_row, self.dtype)
            to_c = code.at(c, place, self.dtype)
            self.columns(code, rows, [from_a, b, to_c], more, depth, n, width, [a_row, a_column, b_row, c_row])
            code.set(done, i + rows)

    def row_place(self, code: Code, f, row: Value) -> Value:
        """Return where a row of the result begins."""
        lengths = self.fields(code, f, "row_1 row_2 row_3 row_b")
        first, *steps = self.fields(code, f, "c_a c_1 c_2 c_3 c_b")
        segment, c_row, m = self.fields(code, f, "segment c_row m")
        place = code.variable(row * c_row)
        with code.when(segment.differs(m)):
            total = code.integer(0)
            for length, step in zip(reversed(lengths), reversed(steps)):
                row, digit = divided(code, row, length)
                total = total + digit * step
            code.set(place, total + row * first)
        return code.get(place)

    # ---- the whole -------------------------------------------------------------------------------

    def pack_task(self) -> None:
        """Copy one piece of the kernel, with equal strides, to its place in the workspace; arguments as of `task`."""

        def body(code: Code, arguments, shared, number):
            f, _, w, _, target = [self.argument(code, arguments, i) for i in range(5)]
            lengths = self.fields(code, f, "pack_1 pack_2 pack_3")
            steps = self.fields(code, f, "pack_step_0 pack_step_1 pack_step_2 pack_step_3")
            depth, row, column, n, count, group = self.fields(
                code, f, "pack_depth pack_row pack_column pack_n pack_count pack_group"
            )
            which, rest = divided(code, number, count)
            place = which * group
            for length, step in zip(reversed(lengths), reversed(steps)):
                rest, digit = divided(code, rest, length)
                place = place + digit * step
            place = place + rest * steps[0]
            to = code.at(target, number * (depth * n), self.dtype)
            self.pack_from(code, code.at(w, place, self.dtype), to, [depth, n, row, column, n])

        self.function(f"internal {self.letter}repack", ["p arguments", "p shared", "i number"], body)

    def argument(self, code: Code, arguments: str, i: int) -> str:
        place = code.new(f"getelementptr ptr, ptr {arguments}, i64 {i}").text
        return code.new(f"load ptr, ptr {place}").text

    def keep(self, code: Code, arguments: str, addresses) -> None:
        """Store what `argument` reads."""
        for i, address in enumerate(addresses):
            place = code.new(f"getelementptr ptr, ptr {arguments}, i64 {i}").text
            code.line(f"store ptr {address}, ptr {place}")

    def task(self) -> None:
        """Write the function of one chunk."""

        def body(code: Code, arguments, shared, number):
            f, x, _, c, _, w = [self.argument(code, arguments, i) for i in range(6)]
            m, n, groups = self.fields(code, f, "m n groups")
            batch, bounds = self.chunk(code, shared, number, m, n)
            part, group = divided(code, batch, groups)
            place = lambda names: [
                group * by_group + part * by_part
                for by_group, by_part in [self.fields(code, f, names)]
            ][0]
            x = code.at(x, place("x_group x_batch"), self.dtype)
            c = code.at(c, place("c_group c_batch"), self.dtype)
            w = code.at(w, group * self.field(code, f, "w_group"), self.dtype)
            terms = [code.new(f"load i64, ptr {code.at(shared, i, I64)}", I64) for i in (4, 5)]
            self.call(code, f"{self.letter}block", [f, x, w, c], [*bounds, *terms])

        self.function(f"internal {self.letter}task", ["p arguments", "p shared", "i number"], body)

    def whole(self) -> None:
        """Write the function of all chunks of a product; the kernel is copied first, if it has to be."""

        def body(code: Code, f, x, w, c, workspace):
            shared, arguments = code.local("i64", 6), code.local("ptr", 6)
            *sizes, groups, pieces = self.fields(code, f, "m n k batches groups pack_count")
            x, w = [code.at(p, self.field(code, f, name), self.dtype) for p, name in ((x, "x"), (w, "w"))]
            packs = pieces.differs(0)
            kernel = code.new(f"select i1 {packs.text}, ptr {workspace}, ptr {w}").text
            self.keep(code, arguments, [f, x, w, c, workspace, kernel])
            big = self.is_big(code, sizes)
            self.run(code, big, "repack", arguments, shared, pieces * groups)
            chunks, k = self.chunks(code, sizes, big, shared), sizes[2]

            def product(out: str, begin: Value, end: Value) -> None:
                self.keep(code, arguments, [f, x, w, code.at(out, self.field(code, f, "c"), self.dtype)])
                for i, term in enumerate((begin, end), 4):
                    code.line(f"store i64 {term.text}, ptr {code.at(shared, i, I64)}")
                self.run(code, big, "task", arguments, shared, chunks)

            if self.dtype.kind != "f":
                product(c, code.integer(0), k)
                return
            is_long = k > self.field(code, f, "together")
            with code.when(~is_long):
                product(c, code.integer(0), k)
            with code.when(is_long):
                self.by_blocks(code, f, k, c, workspace, product)

        self.function(f"adjoint_{self.letter}{self.name}", ["p f", "p x", "p w", "p c", "p workspace"], body)

    def by_blocks(self, code: Code, f, k, c, workspace, product) -> None:
        """Add products of blocks of a long shared axis to the result, which is 0, and what the additions lose."""
        sums, total, terms = self.fields(code, f, "sums total together")
        block = code.at(workspace, sums, self.dtype)
        lost = code.at(block, total, self.dtype)
        code.clear(block, total * (2 * self.dtype.itemsize))
        together = f"ptr {c}, ptr {block}, ptr {lost}, i64 {total.text}"
        blocks = divided(code, k + (terms - 1), terms)[0]
        with code.loop(blocks) as i:
            begin = i * terms
            product(block, begin, code.minimum(begin + terms, k))
            code.call_shared(function_of("settle", self.dtype), together)
        code.call_shared(function_of("finish", self.dtype), together)

    def call_exported(self, code: Code, name: str, addresses, numbers) -> None:
        code.call_shared(name, call_arguments(addresses, numbers))

    def write_all(self) -> None:
        self.copies()
        self.gather()
        self.block()
        self.pack_task()
        self.task()
        self.whole()


for _dtype, _letter in LETTERS.items():
    _calls = (f"adjoint_{_letter}pack.cell", "adjoint_parallel")
    shared(__name__, [f"adjoint_{_letter}{Implicit.name}"], partial(Implicit.text, _dtype), calls=_calls)
