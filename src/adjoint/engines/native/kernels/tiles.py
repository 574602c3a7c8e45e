"""Kernels that read an array across its rows: square tiles are turned in registers.

An operand whose neighbours along the last loop are far apart in memory, but along another loop next to each other,
would be read lane by lane, a cache line for each. Instead the two loops go over tiles as wide as a vector: vectors
are read along the other loop, exchanged in log2(width) steps, and are the rows that the kernel's code asks for.
The last tile along an axis overlaps the one before, so that there are no masks: a result must not be where an
operand is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..graph.kernel import PLACED, Access, Kernel
from ..runtime.compile_tiers import shared
from ..text.builder import Builder, Module, Value, memory_type, register_dtype
from .vectors import loaded

if TYPE_CHECKING:
    from .emitter import Emitter as Base
else:
    Base = object

__all__ = ["Tiled", "blocks", "in_tiles", "overlaps"]

_MAX_LANES = 16  # lanes
_LINE_BYTES = 64  # bytes of a line of the cache
_BLOCK_BYTES = 256  # bytes of a row of a block, a few lines of one page


def in_tiles(kernel: Kernel, lanes: int) -> Kernel | None:
    """Return the kernel with the loop along which vectors are read as the last but one; None if it is not one for
    tiles.
    """
    rank, width = len(kernel.domain), min(lanes, _MAX_LANES)
    if rank < 2 or kernel.domain[-1] < width or any([op.reduced is not None for op in kernel.ops]):
        return None
    found: dict[int, int] = {}
    for op in kernel.ops:
        for x in op.operands if op.depth == rank else ():
            if x[0] == "load" and x[2].strides[-1] not in (-1, 0, 1):
                for a in range(rank - 1):
                    if abs(x[2].strides[a]) == 1 and kernel.domain[a] >= width:
                        found[a] = found.get(a, 0) + 1
    if not found or width < 4:
        return None
    axis = max(found, key=lambda a: found[a])
    if axis == rank - 2:
        return kernel
    if any([axis < op.depth < rank for op in kernel.ops]):
        return None
    order = [*[a for a in range(rank) if a not in (axis, rank - 1)], axis, rank - 1]
    turned = lambda access: Access(access.offset, tuple([access.strides[a] for a in order]))
    ops = [
        op._replace(operands=tuple([(*x[:2], turned(x[2])) if x[0] in PLACED else x for x in op.operands]))
        for op in kernel.ops
    ]
    return kernel._replace(
        domain=tuple([kernel.domain[a] for a in order]), ops=tuple(ops),
        outputs=tuple([(i, turned(a)) for i, a in kernel.outputs]),
    )


def overlaps(kernel: Kernel, lanes: int) -> bool:
    """Return whether a kernel is for tiles of which some overlap."""
    turned = in_tiles(kernel, lanes)
    return turned is not None and any([d % min(lanes, _MAX_LANES) for d in turned.domain[-2:]])


def blocks(kernel: Kernel, lanes: int) -> int:
    """Return the turns of the loop over blocks of rows."""
    return -(-kernel.domain[-2] // (_block(kernel, lanes)[0] * min(lanes, _MAX_LANES)))


def _block(kernel: Kernel, lanes: int) -> tuple[int, int]:
    """Return how many tiles of a column and of a row are gone over together: lines are read and written whole."""
    row_bytes = min(lanes, _MAX_LANES) * kernel.ops[kernel.outputs[0][0]].dtype.itemsize
    together = max(_BLOCK_BYTES // row_bytes, 1)
    return max(together, 4), together if row_bytes < _LINE_BYTES else 1


class Tiled(Base):
    """An emitter whose last two loops go over tiles; to stand before another emitter among the bases."""

    def __init__(self, module, kernel: Kernel, *more):
        super().__init__(module, kernel, *more)
        self.lanes = min(self.lanes, _MAX_LANES)
        self.column = ""
        self.row = ""
        self.tile: dict[tuple[int, Access], str] = {}  # where the rows of an operand are
        self.across = list(dict.fromkeys([
            (x[1], x[2]) for op in kernel.ops if op.depth == self.rank for x in op.operands
            if x[0] == "load" and x[2].strides[-1] not in (-1, 0, 1) and abs(x[2].strides[-2]) == 1
        ]))

    def block_bounds(self) -> tuple[str, str] | None:
        """The blocks of tiles that this function goes over, if not all."""
        return None

    def _turns(self, depth: int, inside, step: int = 1, several=None) -> list[str]:
        if depth != self.rank - 2:
            return super()._turns(depth, inside, step, several)
        for argument, access in self.across:
            place = self.tile[argument, access] = self.module.fresh("tile")
            t = memory_type(self.kernel.inputs[argument])
            self.module.allocas.append(f"  {place} = alloca [{self.lanes**2} x {t}], align 64")
        rows, columns = self.kernel.domain[-2:]
        down, along = -(-rows // self.lanes), -(-columns // self.lanes)
        block_rows, block_columns = _block(self.kernel, self.lanes)

        def block(number: str) -> list[str]:
            b = Builder(self.module, 1)
            first = b.value(number) * block_rows
            stop = b.minimum(first + block_rows, down)

            def columns(start: str) -> list[str]:
                c = Builder(self.module, 1)
                end = c.minimum(c.value(start) + block_columns, along)
                row = lambda i: self._between(start, end.text, 1, lambda j: self._tile(i, j, inside))
                return [*c.lines, *self._between(first.text, stop.text, 1, row)]

            return [*b.lines, *self._between("0", str(along), block_columns, columns)]

        bounds = self.block_bounds()
        if bounds is None:
            return self._loop(blocks(self.kernel, self.lanes), 1, block)
        return self._between(*bounds, 1, block)

    def _tile(self, i: str, j: str, inside) -> list[str]:
        """Return `inside` for each row of a tile."""
        b, n = Builder(self.module, 1), self.lanes
        origin = []
        for number, size in zip((i, j), self.kernel.domain[-2:]):
            start = b.value(number) * n
            origin.append(b.minimum(start, size - n))
        self.column = origin[1].text
        for argument, access in self.across:
            dtype, stride = self.kernel.inputs[argument], access.strides[-1]
            t = memory_type(dtype)
            base = self.pointer(argument, dtype, access, self.rank - 2)
            forwards = access.strides[-2] == 1
            start = (origin[0] if forwards else 1 - n - origin[0]) + origin[1] * stride
            corner = b.new(f"getelementptr {t}, ptr {base}, i64 {start.text}").text
            given = f"ptr {corner}, i64 {stride}, ptr {self.tile[argument, access]}"
            b.call_shared(_name(dtype.itemsize, n), given)

        def row(r: str) -> list[str]:
            s = Builder(self.module, 1)
            self.row = r
            counter = (s.adopt(origin[0]) + s.value(r)).text
            self._prefetch(s, counter, origin[1])
            return [*s.lines, *inside(counter)]

        return [*b.lines, *self._loop(n, 1, row)]

    def _prefetch(self, b: Builder, counter: str, column: Value) -> None:
        """Fetch the lines to which the next tile's row is written, which are too far apart for the processor's own."""
        following = b.value(counter) + self.lanes
        self.module.declarations.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        for k, (i, access) in enumerate(self.kernel.outputs):
            dtype = self.kernel.ops[i].dtype
            base = self.pointer(len(self.kernel.inputs) + k, dtype, access, self.rank - 2)
            down, along = access.strides[-2:]
            at = following * down + b.adopt(column) * along
            first = b.new(f"getelementptr {memory_type(dtype)}, ptr {base}, i64 {at.text}").text
            last = b.new(f"getelementptr {memory_type(dtype)}, ptr {first}, i64 {self.lanes - 1}").text
            for place in (first, last):
                b.line(f"call void @llvm.prefetch.p0(ptr {place}, i32 1, i32 3, i32 1)")

    def held(self, b: Builder, argument: int, access: Access) -> Value | None:
        found = self.tile.get((argument, access))
        if found is None:
            return None
        dtype = self.kernel.inputs[argument]
        t, one = b.wide(memory_type(dtype)), Builder(self.module, 1, b.lines)
        row = self.row if access.strides[-2] == 1 else (self.lanes - 1 - one.value(self.row)).text
        at = one.new(f"getelementptr {t}, ptr {found}, i64 {row}")
        return loaded(b, b.new(f"load {t}, ptr {at.text}", register_dtype(dtype)), dtype)

    def _stretch(self, whole: int, step: int, body, end) -> list[str]:
        return body(self.column)


# ---- a tile, turned ------------------------------------------------------------------------------

_TYPES = {1: "i8", 2: "i16", 4: "float", 8: "double"}  # of elements, by their bytes


def _name(size: int, lanes: int) -> str:
    return f"adjoint_turn_{size}x{lanes}"


def _turn(size: int, lanes: int) -> str:
    """`void (source, stride, target)`: vectors that are `stride` elements apart become columns."""
    t, b = _TYPES[size], Builder(Module(), lanes)
    values = []
    for i in range(lanes):
        b.line(f"%offset{i} = mul i64 %stride, {i}")
        at = b.new(f"getelementptr {t}, ptr %source, i64 %offset{i}").text
        values.append(b.new(f"load {b.wide(t)}, ptr {at}, align {size}").text)
    distance = 1
    while distance < lanes:  # exchange squares of this size beside the diagonal
        low = [c if not c & distance else lanes + c - distance for c in range(lanes)]
        high = [c + distance if not c & distance else lanes + c for c in range(lanes)]
        for i in [i for i in range(lanes) if not i & distance]:
            pair = f"{b.wide(t)} {values[i]}, {b.wide(t)} {values[i + distance]}"
            for at, order in ((i, low), (i + distance, high)):
                picked = ", ".join([f"i32 {k}" for k in order])
                values[at] = b.new(f"shufflevector {pair}, <{lanes} x i32> <{picked}>").text
        distance *= 2
    for i, value in enumerate(values):
        at = b.new(f"getelementptr {b.wide(t)}, ptr %target, i64 {i}").text
        b.line(f"store {b.wide(t)} {value}, ptr {at}, align {size}")
    return "\n".join([_head(size, lanes), *b.lines, "  ret void", "}", ""])


def _turn_one_by_one(size: int, lanes: int) -> str:
    """Return the same, which takes less time to compile."""
    t = _TYPES[size]
    return f"""{_head(size, lanes)}
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%i.next, %loop]
  %row = udiv i64 %i, {lanes}
  %column = urem i64 %i, {lanes}
  %begin = mul i64 %row, %stride
  %from = add i64 %begin, %column
  %source.at = getelementptr {t}, ptr %source, i64 %from
  %x = load {t}, ptr %source.at, align {size}
  %across = mul i64 %column, {lanes}
  %to = add i64 %across, %row
  %target.at = getelementptr {t}, ptr %target, i64 %to
  store {t} %x, ptr %target.at, align {size}
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, {lanes * lanes}
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""


def _head(size: int, lanes: int) -> str:
    return f"define void @{_name(size, lanes)}(ptr %source, i64 %stride, ptr %target) #0 {{"


for _size in _TYPES:
    for _lanes in (4, 8, 16):
        _texts = [partial(write, _size, _lanes) for write in (_turn, _turn_one_by_one)]
        shared(__name__, [_name(_size, _lanes)], *_texts)
