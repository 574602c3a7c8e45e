"""Convolutions in groups of few features: vectors go over the groups, which are the last axis of the image, the
kernel and the result. A position's sums stay in registers while its window is gone over; where the window
begins and ends inside the image is found once for each position, so that the loops look at nothing.

Tests: `tests/engines/native/routines/products/test_convolution.py`.
"""

from __future__ import annotations

from functools import partial

from ...kernels.sums import added, whole
from ...runtime import threads as threads  # calls its function
from ...runtime.compile_tiers import shared
from ...text.builder import Value
from ..base import Code
from .gemm import CHAIN, LETTERS, divided
from .implicit import Implicit

__all__ = ["CHUNK", "FIELDS", "pays"]

# 64-bit words; strides are in elements. `rows` positions of all the batch, `chunk` of them for a thread at a time.
FIELDS = """rows chunk features outputs groups x w c x_batch x_feature w_feature w_output c_batch c_output
size_1 count_1 taps_1 start_1 stride_1 spread_1 x_1 w_1 c_1 size_2 count_2 taps_2 start_2 stride_2 spread_2 x_2 w_2 c_2
size_3 count_3 taps_3 start_3 stride_3 spread_3 x_3 w_3 c_3""".split()
CHUNK = 1 << 14  # multiplications of vectors in a chunk
_BLOCKS = (4, 2)  # vectors at a time, while so many are left; then one, masked


def pays(groups: int, outputs: int, lanes: int) -> bool:
    """Return whether vectors of groups are fuller than vectors of a group's features, which are twice as fast."""
    return groups > 1 and 2 * -(-groups // lanes) * outputs <= groups * -(-outputs // lanes)


class _Depthwise(Implicit):
    """Writes the functions for one dtype."""

    name, names = "depthwise", FIELDS

    def task(self) -> None:
        """The positions of one chunk."""

        def body(code: Code, arguments, shared, number):
            f, x, w, c = [self.argument(code, arguments, i) for i in range(4)]
            rows, chunk, groups, outputs = self.fields(code, f, "rows chunk groups outputs")
            first = number * chunk
            last = code.minimum(first + chunk, rows)
            with code.loop(last, start=first) as row:
                rest, from_x, to_c, bounds = row, code.integer(0), code.integer(0), {}
                for axis in (3, 2, 1):
                    names = "count start stride x c".split()
                    count, start, stride, x_step, c_step = [self.field(code, f, f"{n}_{axis}") for n in names]
                    rest, digit = divided(code, rest, count)
                    place = start + digit * stride
                    from_x = from_x + place * x_step
                    to_c = to_c + digit * c_step
                    bounds[axis] = self.bounds(code, f, axis, place)
                x_batch, c_batch, c_output, w_output = self.fields(code, f, "x_batch c_batch c_output w_output")
                from_x = from_x + rest * x_batch
                to_c = to_c + rest * c_batch
                done = code.variable(0)
                terms = self.field(code, f, "features")
                for axis in (1, 2, 3):
                    terms = terms * self.field(code, f, f"taps_{axis}")
                few = terms < 2 * CHAIN
                for vectors in (*_BLOCKS, 1):
                    step = vectors * self.lanes if vectors > 1 else 1

                    def enough(step=step):
                        return groups - code.get(done) >= step

                    with code.repeat(enough):
                        group = code.get(done)
                        with code.loop(outputs) as output:
                            begin = code.at(x, from_x + group, self.dtype)
                            kernel = code.at(w, output * w_output + group, self.dtype)
                            target = code.at(c, to_c + output * c_output + group, self.dtype)
                            mask = self.lanes_below(code, groups - group, 0) if vectors == 1 else None
                            given = f, begin, kernel, target, bounds, vectors, mask
                            if self.dtype.kind != "f":
                                self.sums(code, *given)
                            else:
                                with code.when(few):
                                    self.sums(code, *given)
                                with code.when(~few):
                                    self.sums(code, *given, is_long=True)
                        code.set(done, group + vectors * self.lanes)

        self.function(f"internal {self.letter}task", ["p arguments", "p shared", "i number"], body)

    def bounds(self, code: Code, f: str, axis: int, place: Value) -> tuple[Value, Value]:
        """Return the first element of the window that is inside the image, and the first one after that is not."""
        size, taps, spread = [self.field(code, f, f"{name}_{axis}") for name in ("size", "taps", "spread")]
        zero, one = code.integer(0), code.integer(1)
        low, high = code.variable(zero), code.variable(taps)
        end = place + (taps - one) * spread
        up = lambda x: divided(code, code.maximum(x, zero) + (spread - one), spread)[0]
        with code.when(place < zero):
            code.set(low, code.minimum(up(zero - place), taps))
        with code.when(end >= size):
            code.set(high, code.minimum(up(size - place), taps))
        return code.get(low), code.get(high)

    def sums(self, code: Code, f, begin, kernel, target, bounds, vectors: int, mask, is_long: bool = False) -> None:
        """Write the sums for vectors of groups; long ones in blocks, with what they lose (kernels/sums.py)."""
        sums = [self.variable(code) for _ in range(vectors)]
        totals = [[self.variable(code) for _ in range(2)] for _ in sums] if is_long else []
        begun, wide = code.variable(0), code.wide_builder(self.lanes)
        values = lambda names: [wide.value(self.read(code, name), self.dtype) for name in names]
        features, x_feature, w_feature = self.fields(code, f, "features x_feature w_feature")

        def read(address: str) -> str:
            return self.load(code, address) if mask is None else self.masked_load(code, address, mask)

        def axis(i: int, x: str, w: str) -> None:
            if i > 3:
                for v, total in enumerate(sums):
                    factors = [read(code.at(p, v * self.lanes, self.dtype)) for p in (x, w)]
                    self.write(code, total, self.multiply_add(code, *factors, self.read(code, total)))
                return
            spread, x_step, w_step = [self.field(code, f, f"{name}_{i}") for name in ("spread", "x", "w")]
            step, (low, high) = spread * x_step, bounds[i]

            def turns(start, stop):
                with code.loop(stop, start=start) as k:
                    axis(
                        i + 1, code.at(x, k * step, self.dtype), code.at(w, k * w_step, self.dtype)
                    )

            if i < 3 or not is_long:
                turns(low, high)
                return
            with code.loop(high, start=low, step=CHAIN) as start:
                stop = code.minimum(start + CHAIN, high)
                turns(start, stop)
                code.set(begun, code.get(begun) + (stop - start))
                with code.when(code.get(begun) >= CHAIN):
                    code.set(begun, 0)
                    for total, block in zip(totals, sums):
                        for value, name in zip(added(wide, *values([*total, block])), total):
                            self.write(code, name, value.text)
                        self.write(code, block, "zeroinitializer")

        with code.loop(features) as feature:  # they may be far apart
            axis(
                1, code.at(begin, feature * x_feature, self.dtype),
                code.at(kernel, feature * w_feature, self.dtype),
            )
        for v, block in enumerate(sums):
            place, value = code.at(target, v * self.lanes, self.dtype), self.read(code, block)
            if is_long:
                value = self.add(code, whole(wide, *values(totals[v])).text, value)
            if mask is None:
                self.store(code, value, place)
            else:
                self.masked_store(code, value, place, mask)

    def whole(self) -> None:
        def body(code: Code, f, x, w, c, workspace):
            arguments, shared = code.local("ptr", 4), code.local("i64", 1)
            places = [code.at(p, self.field(code, f, name), self.dtype) for p, name in ((x, "x"), (w, "w"), (c, "c"))]
            self.keep(code, arguments, [f, *places])
            rows, chunk = self.fields(code, f, "rows chunk")
            count, _ = divided(code, rows + chunk - 1, chunk)
            self.run(code, count >= 4, "task", arguments, shared, count)

        self.function(f"adjoint_{self.letter}{self.name}", ["p f", "p x", "p w", "p c", "p workspace"], body)

    def write_all(self) -> None:
        self.task()
        self.whole()


for _dtype, _letter in LETTERS.items():
    _calls = ("adjoint_parallel",)
    shared(__name__, [f"adjoint_{_letter}{_Depthwise.name}"], partial(_Depthwise.text, _dtype), calls=_calls)
