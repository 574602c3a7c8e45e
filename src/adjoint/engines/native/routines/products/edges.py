"""Convolutions whose kernel holds infinities or NaN: results whose windows reach out of the image there are NaN.

The zeros of the padding are factors too, and times infinity they are NaN, as in JAX and in the `evaluate` rule. Forms
that leave the padding out (depthwise.py, and indirect.py where segments are rows of positions) call this afterwards. It
looks at the result, where that is the smaller one and no factor is outside in every window, then at the kernel, and at
the edges only where there is something to be found.

Tests: `tests/engines/native/routines/products/test_convolution.py`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...runtime.compile_tiers import shared
from ...text.builder import I64, Value
from ..base import Code
from .gemm import LETTERS
from .implicit import Implicit

__all__ = ["FIELDS", "NAME"]

NAME = "edges"

# 64-bit words; strides are in elements. `total` elements of memory hold the kernel, which begins at `w`, and `result`
# ones what is written, or 0 if the kernel is looked at first.
FIELDS = """total result batch features outputs groups w c w_feature w_output w_group c_batch c_output c_group
size_1 count_1 taps_1 start_1 stride_1 spread_1 w_1 c_1 size_2 count_2 taps_2 start_2 stride_2 spread_2 w_2 c_2
size_3 count_3 taps_3 start_3 stride_3 spread_3 w_3 c_3""".split()
_AXES, _BOOL = (1, 2, 3), np.dtype("?")


class _Edges(Implicit):
    """Writes the functions for one dtype."""

    name, names = NAME, FIELDS

    def is_special(self, code: Code, value: Value) -> Value:
        """Return whether zero times a number is no zero."""
        return code.is_nan(value * 0)

    def has_special(self, code: Code, address: str, total: Value) -> Value:
        """Return whether zero times one of so many numbers is no zero."""
        lost, wide = self.variable(code), code.wide_builder(self.lanes)
        whole = code.new(f"and i64 {total.text}, {-self.lanes}", I64)

        def add(values: str) -> None:
            self.write(code, lost, self.multiply_add(code, values, "zeroinitializer", self.read(code, lost)))

        with code.loop(whole, step=self.lanes) as i:
            add(self.load(code, code.at(address, i, self.dtype)))
        with code.when(whole < total):
            mask = self.lanes_below(code, total - whole, 0)
            add(self.masked_load(code, code.at(address, whole, self.dtype), mask))
        return wide.any(wide.is_nan(wide.value(self.read(code, lost), self.dtype)))

    def whole(self) -> None:
        def body(code: Code, f, w, c):
            total, result = self.fields(code, f, "total result")
            looks = code.variable(result.equals(0))
            with code.when(result.differs(0)):
                code.set(looks, self.has_special(code, c, result))
            with code.when(code.get(looks, _BOOL)), code.when(self.has_special(code, w, total)):
                self.call(code, f"{self.letter}mark", [f, w, c], [])

        self.function(f"adjoint_{self.letter}{self.name}", ["p f", "p w", "p c"], body)

    def mark(self) -> None:
        """Write NaN where a window meets the padding at a factor that is infinite or NaN."""

        def body(code: Code, f, w, c):
            field = partial(self.field, code, f)
            with code.loop(field("groups")) as group, code.loop(field("outputs")) as output:
                kernel = code.at(w, field("w") + group * field("w_group") + output * field("w_output"), self.dtype)
                target = code.at(c, field("c") + group * field("c_group") + output * field("c_output"), self.dtype)
                self.positions(code, f, kernel, target)

        self.function(f"internal {self.letter}mark", ["p f", "p w", "p c"], body)

    def positions(self, code: Code, f: str, kernel: str, target: str) -> None:
        field = partial(self.field, code, f)
        with code.loop(field("count_1")) as i, code.loop(field("count_2")) as j, code.loop(field("count_3")) as k:
            digits = i, j, k
            begin = [field(f"start_{a}") + n * field(f"stride_{a}") for a, n in zip(_AXES, digits)]
            reach = [(field(f"taps_{a}") - 1) * field(f"spread_{a}") for a in _AXES]
            inside = self.within(code, f, begin) & self.within(code, f, [p + r for p, r in zip(begin, reach)])
            with code.when(~inside):
                found = code.variable(0)
                with code.loop(field("taps_1")) as r, code.loop(field("taps_2")) as s, code.loop(field("taps_3")) as t:
                    taps = r, s, t
                    here = [p + n * field(f"spread_{a}") for a, p, n in zip(_AXES, begin, taps)]
                    with code.when(~self.within(code, f, here) & code.get(found).equals(0)):
                        place = sum([n * field(f"w_{a}") for a, n in zip(_AXES, taps)], start=code.integer(0))
                        with code.loop(field("features")) as feature:
                            value = code.load(kernel, place + feature * field("w_feature"), self.dtype)
                            with code.when(self.is_special(code, value)):
                                code.set(found, 1)
                with code.when(code.get(found).equals(1)), code.loop(field("batch")) as row:
                    place = sum([n * field(f"c_{a}") for a, n in zip(_AXES, digits)], start=row * field("c_batch"))
                    code.store(code.const(np.nan, self.dtype), target, place, self.dtype)

    def within(self, code: Code, f: str, places) -> Value:
        """Return whether a place of the window is inside the image."""
        inside = code.const(True, _BOOL)
        for a, place in zip(_AXES, places):
            inside = inside & (place >= 0) & (place < self.field(code, f, f"size_{a}"))
        return inside

    def write_all(self) -> None:
        self.mark()
        self.whole()


for _dtype, _letter in LETTERS.items():
    if _dtype.kind == "f":
        shared(__name__, [f"adjoint_{_letter}{_Edges.name}"], partial(_Edges.text, _dtype))
