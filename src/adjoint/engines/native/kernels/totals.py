"""Functions of the runtime for long sums (sums.py) that stand in memory: totals, sums of blocks and what was lost.

`settle(totals, blocks, lost, n)` adds blocks to totals and begins new ones; `finish`, of the same arguments, makes
totals the sums. `join(sums, parts, bytes, end, n)` adds up parts that begin so many bytes after each other, up to
`end`. Kernels would take longer to compile if each had these loops.

Tests: `tests/engines/native/kernels/test_sums.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..runtime.compile_tiers import shared
from ..runtime.machine import VECTOR_BYTES
from ..text.builder import I64, Builder, Module, llvm_type
from .sums import LETTERS, added, whole
from .vectors import read, write

__all__ = ["function_of"]


def function_of(name: str, dtype) -> str:
    """Return the symbol of a function."""
    return f"adjoint_{LETTERS[dtype]}{name}"


def _over_vectors(module: Module, name: str, dtype, arguments: str, addresses: list[str], body: Callable) -> None:
    """Write a function: `body(builder, addresses, mask, label)` for whole vectors, and for what is left of one.

    The body begins at a label, and returns the one where it ends.
    """
    lanes, t = VECTOR_BYTES // dtype.itemsize, llvm_type(dtype)
    lines = [f"define void @{function_of(name, dtype)}({arguments}, i64 %n) #0 {{", "entry:"]
    lines += [f"  %whole = and i64 %n, {-lanes}", "  br label %loop1"]
    for k, first, stop in ((1, "0", "%whole"), (2, "%whole", "%n")):
        b, mask = Builder(module, 1), None
        if k == 2:
            wide = Builder(module, lanes, b.lines)
            left = b.new(f"insertelement {wide.type(I64)} poison, i64 {b.new('sub i64 %n, %whole').text}, i32 0").text
            zeros = f"<{lanes} x i32> zeroinitializer"
            left = b.new(f"shufflevector {wide.type(I64)} {left}, {wide.type(I64)} poison, {zeros}").text
            numbers = ", ".join([f"i64 {i}" for i in range(lanes)])
            mask = b.new(f"icmp sgt {wide.type(I64)} {left}, <{numbers}>").text
        places = [b.new(f"getelementptr {t}, ptr {x}, i64 %i{k}").text for x in addresses]
        end = body(Builder(module, lanes, b.lines), places, mask, f"%turn{k}")
        lines += [
            f"loop{k}:", f"  %i{k} = phi i64 [{first}, {'%entry' if k == 1 else '%loop1'}], [%next{k}, {end}]",
            f"  %more{k} = icmp ult i64 %i{k}, {stop}", f"  br i1 %more{k}, label %turn{k}, label %loop{k + 1}",
            f"turn{k}:", *b.lines, f"  %next{k} = add i64 %i{k}, {lanes}", f"  br label %loop{k}",
        ]
    module.functions.append("\n".join([*lines, "loop3:", "  ret void", "}"]))


def _settle(dtype, b: Builder, at, mask, here: str) -> str:
    total, block, lost = [read(b, x, dtype, mask) for x in at]
    total, lost = added(b, total, lost, block)
    for x, place in zip((total, b.like(block, 0), lost), at):
        write(b, x, place, dtype, mask)
    return here


def _finish(dtype, b: Builder, at, mask, here: str) -> str:
    total, block, lost = [read(b, x, dtype, mask) for x in at]
    write(b, whole(b, total, lost) + block, at[0], dtype, mask)
    return here


def _join(dtype, b: Builder, at, mask, here: str) -> str:
    (target, part), k, t = at, here[-1], b.type(dtype)
    starts = read(b, part, dtype, mask).text, b.const(0, dtype).text
    b.line(f"br label %parts{k}")
    b.label(f"%parts{k}")
    total, lost = [b.value(f"%{name}{k}", dtype) for name in ("total", "lost")]
    for x, start in zip((total, lost), starts):
        b.line(f"{x.text} = phi {t} [{start}, {here}], [{x.text}.next, %part{k}]")
    b.line(f"%at{k} = phi i64 [%bytes, {here}], [%at{k}.next, %part{k}]")
    b.line(f"%left{k} = icmp ult i64 %at{k}, %end")
    b.line(f"br i1 %left{k}, label %part{k}, label %joined{k}")
    b.label(f"%part{k}")
    place = b.new(f"getelementptr i8, ptr {part}, i64 %at{k}").text
    for x, value in zip((total, lost), added(b, total, lost, read(b, place, dtype, mask))):
        b.line(f"{x.text}.next = bitcast {t} {value.text} to {t}")
    b.line(f"%at{k}.next = add i64 %at{k}, %bytes")
    b.line(f"br label %parts{k}")
    b.label(f"%joined{k}")
    write(b, whole(b, total, lost), target, dtype, mask)
    return f"%joined{k}"


_THREE = "ptr %total, ptr %block, ptr %lost", ["%total", "%block", "%lost"]


def _text(dtype, functions) -> str:
    module = Module()
    for name, arguments, addresses, body in functions:
        _over_vectors(module, name, dtype, arguments, addresses, partial(body, dtype))
    return module.text()


for _dtype in LETTERS:
    for _functions in (
        [("settle", *_THREE, _settle), ("finish", *_THREE, _finish)],
        [("join", "ptr %sum, ptr %part, i64 %bytes, i64 %end", ["%sum", "%part"], _join)],
    ):
        shared(__name__, [function_of(f[0], _dtype) for f in _functions], partial(_text, _dtype, _functions))
