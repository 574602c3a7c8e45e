"""Long sums of floats that keep their digits, whatever their number of terms is.

One accumulator loses a digit more whenever there are ten times as many terms of one sign. So terms are added one
after the other in blocks, each of which loses next to nothing, and the sums of blocks are added exactly: what an
addition rounds off is added up beside the total (`added`), and both together are the sum (`whole`). (Blanchard, Higham
and Mary, "A class of fast and accurate summation algorithms", 2020; the exact addition is Knuth's, "The art of computer
programming", volume 2, 4.2.2.)
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ..text.builder import F32, F64, Builder, Value

if TYPE_CHECKING:
    from ..graph.kernel import Kernel, Op

__all__ = ["LETTERS", "BLOCK_TERMS", "added", "in_arena", "keeps_digits", "outer_loops", "size_inside", "whole"]

BLOCK_TERMS = 16  # of a block
_MAX_STACK_BYTES = 1 << 15  # bytes of the sums of blocks of one reduction
LETTERS = {F32: "s", F64: "d"}


def keeps_digits(op: str, dtype) -> bool:
    """Return whether a reduction in registers of a dtype is a sum of floats."""
    return op == "add" and dtype in LETTERS


def added(b: Builder, total: Value, lost: Value, x: Value) -> tuple[Value, Value]:
    """Return a total with `x` added to it, and all that its additions rounded off."""
    out = total + x
    of_x = out - total
    off = total - (out - of_x) + b.sub(x, of_x)
    return out, lost + off


def whole(b: Builder, total: Value, lost: Value) -> Value:
    """Return the sum; of a total that is not finite, nothing is lost."""
    return b.select(b.is_nan(lost), total, total + lost)


# ---- sums along the outer loops of a kernel, which stand in memory -------------------------------


def outer_loops(kernel: Kernel) -> int:
    """Return how many loops are outside the rows of a kernel."""
    rank = len(kernel.domain)
    return rank - kernel.inner if kernel.inner else max(rank - 1, 0)


def size_inside(kernel: Kernel, op: Op, depth: int) -> int:
    """Return how many results of a reduction there are for one turn of the first `depth` loops."""
    return prod([d for a, d in enumerate(kernel.domain) if a >= depth and a not in (op.reduced or ())])


def in_arena(kernel: Kernel) -> list[int]:
    """Return the reductions with many terms for which the stack is too small: ops."""
    outer, found = outer_loops(kernel), []
    for i, _ in kernel.outputs:
        op = kernel.ops[i]
        over = [a for a in op.reduced or () if a < outer]
        if over and keeps_digits(op.name, op.dtype) and prod([kernel.domain[a] for a in over]) > BLOCK_TERMS:
            if size_inside(kernel, op, min(over)) * op.dtype.itemsize > _MAX_STACK_BYTES:
                found.append(i)
    return found
