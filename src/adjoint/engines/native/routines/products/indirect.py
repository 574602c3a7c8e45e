"""Convolutions as products of matrices whose left factor is read from the image as it is in memory.

Where an image's features (or, for the gradient of a kernel, what stands for its batch) are contiguous, a
micro-kernel needs no copy of the windows: it goes over the shared axis in segments, and a table says where each row
of each segment begins. With the features contiguous a segment is an element of the kernel, and a row whose
window is outside the image there reads zeros. With the batch contiguous a segment is a row of positions, cut off
where it leaves the image. (Dukhan 2019, "The indirect convolution algorithm"; Georganas et al. 2020,
"Harnessing deep learning via a single building block".)

Tests: `tests/engines/native/routines/products/test_convolution.py`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...runtime.compile_tiers import shared
from ...text.builder import I64, Value
from ..base import Code
from .gemm import DEPTH, LETTERS, LINE, ROWS, divided
from .implicit import UNPACKED, Implicit

__all__: list[str] = []

_BOOL = np.dtype("?")
_MAX_SEGMENTS = DEPTH + 2  # segments of one block of the shared axis
_ZERO, _ONE = Value("0", I64), Value("1", I64)


def _digits_of(code: Code, number: Value, lengths) -> list[Value]:
    """Return the digits of a number whose places but the first have these lengths."""
    digits = []
    for length in reversed(lengths):
        quotient, digit = code.variable(number), code.variable(_ZERO)
        some = length.differs(_ONE) & number.differs(_ZERO)
        with code.when(some):  # a division takes as long as a dozen other operations
            for variable, value in zip((quotient, digit), divided(code, number, length)):
                code.set(variable, value)
        number = code.get(quotient)
        digits.append(code.get(digit))
    return [number, *reversed(digits)]


def _count_up(code: Code, digits, lengths) -> None:
    """Go on to the next number, of variables of digits, the first of which has no end."""
    (*others, last), (*rest, length) = digits, lengths
    code.set(last, code.get(last) + _ONE)
    if others:
        with code.when(code.get(last) >= length):
            code.set(last, _ZERO)
            _count_up(code, others, rest)


def _dot(code: Code, digits, steps, begin=_ZERO) -> Value:
    for digit, step in zip(digits, steps):
        begin = begin + digit * step
    return begin


def _are_within(code: Code, places, sizes) -> Value:
    """Return whether all places are at least 0 and below the sizes."""
    tests = [code.new(f"icmp ult i64 {p.text}, {s.text}", _BOOL) for p, s in zip(places, sizes)]
    inside = tests[0]
    for test in tests[1:]:
        inside = inside & test
    return inside


def _word(code: Code, address: str, i) -> Value:
    return code.new(f"load i64, ptr {code.at(address, i, I64)}", I64)


def _put(code: Code, value: Value, address: str, i) -> None:
    code.line(f"store i64 {value.text}, ptr {code.at(address, i, I64)}")


class _Indirect(Implicit):
    """Writes the functions for one dtype; their table is that of implicit.py.

    `units`: whether elements of the kernel that are neighbours along the last axis are so in the image too.
    """

    name = "indirect"

    # ---- tables ----------------------------------------------------------------------------------

    def tables(self) -> None:
        """Write the lines of `rows` rows from `row` on and of `depth` elements of the shared axis, and their number."""
        zeros = f"@{self.letter}zeros = private constant [{DEPTH} x {self.scalar}] zeroinitializer, align 64"
        self.module.functions.append(zeros)
        names = "p f,p x,p table,p count,i row,i rows,i first,i depth".split(",")
        self.function(f"internal {self.letter}features", names, self.by_features)
        self.function(f"internal {self.letter}batch", names, self.by_batch)

    def by_features(self, code: Code, f, x, table, count, row, rows, first, depth):
        """Write a table whose segments are one element of the kernel each."""
        line_lengths = self.fields(code, f, "line_1 line_2 line_3 line_b")
        line_step, *line_steps = self.fields(code, f, "line_step line_step_1 line_step_2 line_step_3")
        line_moves = self.fields(code, f, "line_move_1 line_move_2 line_move_3")
        run_1, run_2, run_3, unit, joins = self.fields(code, f, "run_1 run_2 run_3 unit units")
        run_steps = self.fields(code, f, "run_step_1 run_step_2 run_step_3")
        run_moves = self.fields(code, f, "run_move_1 run_move_2 run_move_3")
        starts = self.fields(code, f, "start_1 start_2 start_3")
        sizes = self.fields(code, f, "size_1 size_2 size_3")
        # Of each row, the address and the place along each axis.
        places = code.local("i64", 4 * ROWS[0])
        digits = [code.variable(d) for d in _digits_of(code, row, line_lengths)]
        together = code.variable(joins)
        reaches = [(n - _ONE) * m for n, m in zip((run_1, run_2, run_3), run_moves)]
        everywhere = code.variable(_ONE)
        with code.loop(rows) as i:
            a, *middle, b = [code.get(d) for d in digits]
            line = code.at(places, i * 4, I64)
            _put(code, _dot(code, middle, line_steps, (a + b) * line_step), line, 0)
            for axis, values in enumerate(zip(middle, line_moves, starts)):
                digit, move, begin = values
                place = begin + digit * move
                _put(code, place, line, 1 + axis)
                inside = _are_within(code, [place, place + reaches[axis]], [sizes[axis]] * 2)
                code.set(everywhere, code.select(inside, code.get(everywhere), _ZERO))
            code.set(together, code.select(inside, code.get(together), _ZERO))
            _count_up(code, digits, [_ZERO, *line_lengths])
        # Where all rows have all of a row of the kernel, a segment is that.
        whole = code.get(together).differs(_ZERO)
        looks_at_none = code.get(everywhere).differs(_ZERO)
        looks = code.get(everywhere).equals(_ZERO)
        run_lengths = [run_2, code.select(whole, _ONE, run_3)]
        length = code.select(whole, unit * run_3, unit)
        tap, skipped = divided(code, first, length)
        digits = [code.variable(d) for d in _digits_of(code, tap, run_lengths)]
        done, at, number = code.variable(_ZERO), code.variable(skipped), code.variable(_ZERO)
        with code.repeat(lambda: code.get(done) < depth):
            taps, skip = [code.get(d) for d in digits], code.get(at)
            n = code.minimum(depth - code.get(done), length - skip)
            line = code.at(table, code.get(number) * LINE, I64)
            _put(code, code.get(done), line, 0)
            _put(code, n, line, 1)
            away = _dot(code, taps, run_steps, skip)
            moved = [tap * move for tap, move in zip(taps, run_moves)]
            starts_at = code.at(line, 2, I64)
            with code.when(looks_at_none), code.loop(rows) as i:
                from_row = _word(code, code.at(places, i * 4, I64), 0)
                place = code.at(x, from_row + away, self.dtype)
                code.line(f"store ptr {place}, ptr {code.at(starts_at, i, I64)}")
            with code.when(looks), code.loop(rows) as i:
                info = code.at(places, i * 4, I64)
                here = [_word(code, info, 1 + axis) + m for axis, m in enumerate(moved)]
                place = code.at(x, _word(code, info, 0) + away, self.dtype)
                inside = _are_within(code, here, sizes)
                place = code.new(f"select i1 {inside.text}, ptr {place}, ptr @{self.letter}zeros").text
                code.line(f"store ptr {place}, ptr {code.at(starts_at, i, I64)}")
            code.set(done, code.get(done) + n)
            code.set(at, _ZERO)
            code.set(number, code.get(number) + _ONE)
            _count_up(code, digits, [_ZERO, *run_lengths])
        _put(code, code.get(number), count, 0)

    def by_batch(self, code: Code, f, x, table, count, row, rows, first, depth):
        """Write a table whose segments are rows of positions, for one element of the kernel each."""
        line_lengths = self.fields(code, f, "line_1 line_2")
        line_step, *line_steps = self.fields(code, f, "line_step line_step_1 line_step_2 line_step_3")
        line_moves = self.fields(code, f, "line_move_1 line_move_2 line_move_3")
        run_steps = self.fields(code, f, "run_step_1 run_step_2 run_step_3")
        run_moves = self.fields(code, f, "run_move_1 run_move_2 run_move_3")
        starts = self.fields(code, f, "start_1 start_2 start_3")
        sizes = self.fields(code, f, "size_1 size_2 size_3")
        length, move = self.field(code, f, "line_3"), line_moves[2]
        *taps, inner = _digits_of(code, row, self.fields(code, f, "run_2 run_3 unit"))
        origin = _dot(code, taps, run_steps, inner)
        places = [s + t * m for s, t, m in zip(starts, taps, run_moves)]
        # The positions of a row whose windows meet the image at this element.
        up = lambda y: divided(code, code.maximum(y, _ZERO) + (move - _ONE), move)[0]
        low, high = up(_ZERO - places[2]), up(sizes[2] - places[2])
        begin, skipped = divided(code, first, length)
        digits = [code.variable(d) for d in _digits_of(code, begin, line_lengths)]
        done, at, number = code.variable(_ZERO), code.variable(skipped), code.variable(_ZERO)
        with code.repeat(lambda: code.get(done) < depth):
            positions, skip = [code.get(d) for d in digits], code.get(at)
            n = code.minimum(depth - code.get(done), length - skip)
            here = [p + d * m for p, d, m in zip(places, positions[1:], line_moves)]
            bottom, top = code.maximum(low, skip), code.minimum(high, skip + n)
            some = _are_within(code, here, sizes) & (bottom < top)
            with code.when(some):
                line = code.at(table, code.get(number) * LINE, I64)
                _put(code, code.get(done) + (bottom - skip), line, 0)
                _put(code, top - bottom, line, 1)
                place = _dot(code, [*positions, bottom], [line_step, *line_steps], origin)
                place = code.at(x, place, self.dtype)
                with code.loop(rows) as i:
                    target = code.at(code.at(line, 2, I64), i, I64)
                    code.line(f"store ptr {code.at(place, i, self.dtype)}, ptr {target}")
                code.set(number, code.get(number) + _ONE)
            code.set(done, code.get(done) + n)
            code.set(at, _ZERO)
            _count_up(code, digits, [_ZERO, *line_lengths])
        _put(code, code.get(number), count, 0)

    # ---- blocks ----------------------------------------------------------------------------------

    def block(self) -> None:
        """Rows [first_row, last_row) by columns [first, last), which are a few panels, as in `Implicit.block`."""

        def body(code: Code, f, x, w, c, first_row, last_row, first, last, begin, end):
            m, number, terms = last_row - first_row, code.integer, end - begin
            w_row = self.field(code, f, "w_row")
            by_features = self.field(code, f, "runs_shared").differs(number(0))
            panels = code.local(self.scalar, DEPTH * self.panel * self.panels)
            table, count = code.local("i64", LINE * _MAX_SEGMENTS), code.local("i64")
            # Blocks of the shared axis: equally long.
            ceil = lambda x, y: divided(code, x + y - number(1), y)[0]
            step = ceil(terms, ceil(terms, number(DEPTH)))
            with code.loop(ceil(terms, step)) as block:
                more = block * step
                k0, depth = begin + more, code.minimum(terms - more, step)
                with code.loop(last, start=first, step=self.panel) as j:
                    n, width, in_place = self.panel_of(code, m, j, last, w_row)
                    with code.when(~in_place):
                        source = code.at(w, k0 * w_row + j, self.dtype)
                        target = code.at(panels, (j - first) * number(DEPTH), self.dtype)
                        self.pack_from(code, source, target, [depth, n, w_row, number(1), width])
                done = code.variable(number(0))
                with code.repeat(lambda: code.get(done) < m):
                    i = code.get(done)
                    row = first_row + i
                    rows = self.rows_at(code, f, row, m - i, by_features)
                    given = [f"ptr {p}" for p in (f, x, table, count)]
                    given += [f"i64 {z.text}" for z in (row, rows, k0, depth)]
                    with code.when(by_features):
                        code.line(f"call void @{self.letter}features({', '.join(given)})")
                    with code.when(~by_features):
                        code.line(f"call void @{self.letter}batch({', '.join(given)})")
                    segments = code.new(f"load i64, ptr {count}", I64)
                    place = self.row_place(code, f, row)
                    with code.loop(last, start=first, step=self.panel) as j:
                        n, width, in_place = self.panel_of(code, m, j, last, w_row)
                        source = code.at(w, k0 * w_row + j, self.dtype)
                        packed = code.at(panels, (j - first) * number(DEPTH), self.dtype)
                        b = code.new(f"select i1 {in_place.text}, ptr {source}, ptr {packed}").text
                        b_row = code.select(in_place, w_row, width)
                        to_c = code.at(c, place + j, self.dtype)
                        self.tile(code, f, rows, width, [table, b, to_c], segments, b_row, n, more)
                    code.set(done, i + rows)

        names = "p f,p x,p w,p c,i first_row,i last_row,i first,i last,i begin,i end".split(",")
        self.function(f"internal {self.letter}block", names, body)

    def panel_of(self, code: Code, m, j, last, w_row) -> tuple[Value, Value, Value]:
        """Return the columns of a panel, the width that it has as a copy, and whether it is read in place."""
        n = code.minimum(last - j, self.panel)
        width = code.integer(self.panel)
        for v in self.widths[1:]:
            fits = n <= v * self.lanes
            width = code.select(fits, v * self.lanes, width)
        few = m <= UNPACKED
        in_place = few | w_row.equals(width)
        return n, width, in_place & n.equals(width)

    def rows_at(self, code: Code, f, row, left, by_features) -> Value:
        """Return how many rows are one tile: they have one stride in the result, and one element of the kernel."""
        segment, unit, m = self.fields(code, f, "segment unit m")
        most = code.variable(left)
        for length, matters in ((segment, segment.differs(m)), (unit, ~by_features)):
            with code.when(matters):
                _, inside = divided(code, row, length)
                code.set(most, code.minimum(code.get(most), length - inside))
        left = code.get(most)
        rows = code.integer(1)
        for n in ROWS[-2::-1]:
            rows = code.select(left >= n, n, rows)
        return rows

    def tile(self, code: Code, f, rows, width, places, segments, b_row, n, more) -> None:
        element, line_step, c_row = self.fields(code, f, "element line_step_3 c_row")
        by_features = self.field(code, f, "runs_shared").differs(0)
        a_column = code.select(by_features, element, line_step)
        numbers = code.integer(0), segments, a_column, b_row, c_row, n, more
        for w in self.widths:
            with code.when(width.equals(w * self.lanes)):
                for r in ROWS:
                    with code.when(rows.equals(r)):
                        self.call_micro(code, r, w, places, numbers)

    def write_all(self) -> None:
        self.tables()
        self.block()
        self.pack_task()
        self.task()
        self.whole()


for _dtype, _letter in LETTERS.items():
    _calls = (f"adjoint_{_letter}pack.cell", "adjoint_parallel")
    shared(__name__, [f"adjoint_{_letter}{_Indirect.name}"], partial(_Indirect.text, _dtype), calls=_calls)
