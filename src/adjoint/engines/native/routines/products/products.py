"""Products of matrices: those of any size by gemm.py, small ones and those with vectors as a sum that is fused.

The axes of an operand are made three, of batches, rows and columns. A view of which each has one stride is read where
it is; others are copied first.
"""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from .....core.process.records import NamedTuple
from .....prims.dot import common
from ...functions.elementwise import cost
from ...graph.view_rules import TRANSPOSED, register
from ...graph.view_rules import product as fused_product
from ...graph.views import Node, Type, View
from ...kernels.totals import function_of
from ...text.builder import F32, I32, I64, NARROW, Value
from ..base import Code, Routine, writes
from . import gemm as gemm  # generated code calls its functions
from .gemm import DEPTH, FIELDS, PAIRS, gemm_dtype, letter_of, multiplies_pairs, shared_copies, terms_together

__all__ = ["integers_in", "lower_bits", "matrix", "working"]

_MAX_FUSED_MULTIPLICATIONS_IN_BATCH = 512  # multiplications of each of many products, which are sums of short rows
_MAX_FUSED_MULTIPLICATIONS = 1 << 9  # multiplications of a product that is fused with what reads it
_COLUMNS_PER_OPERATION = 8  # columns in the time of whose products a number of the vector is computed by one operation
_ROWS_TO_EXCHANGE = range(8, 129)  # of a product that is rather computed with its operands exchanged
_I16 = np.dtype("i2")
_IN_16_BITS = frozenset((_I16, *map(np.dtype, ("i1", "u1"))))
_MAX_FUSED_MULTIPLICATIONS_IN_LOOP = 1 << 12  # the same in bodies of loops, where code is made once for many turns


class _Matrix(NamedTuple):
    """The strides of an operand's batches, rows and columns."""

    offset: int
    batches: tuple[int, ...]
    row: int
    column: int

    is_exchanged: bool = False  # it is the right operand, but was the left one: that is not to be undone

    @property
    def turned(self):
        return self._replace(row=self.column, column=self.row)


def matrix(graph, view: View, batch, rows, columns) -> tuple[View, _Matrix]:
    """Return the array that holds an operand, and how it is read."""
    lengths = [[view.shape[i] for i in axes] for axes in (batch, rows, columns)]
    view = view.transpose([*batch, *rows, *columns])
    shape = (*lengths[0], prod(lengths[1]), prod(lengths[2]))
    found = view.reshape(shape)
    if found is None or found.base.kind == "iota" or found.base.size == 1 or not _is_readable(found):
        found = graph.copied(view).reshape(shape)
    *batches, row, column = found.strides
    return graph.whole(found.base), _Matrix(found.offset, tuple(batches), row, column)


def _is_readable(view: View) -> bool:
    """Return whether nothing is repeated inside a matrix, or reversed."""
    return min(view.strides) >= 0 and all([s for d, s in zip(view.shape[-2:], view.strides[-2:]) if d > 1])


def _operations(node: Node) -> int:
    """Return how many operations make an element of an array that is not stored anywhere."""
    known, total, todo = {node}, 0, [node]
    while todo:
        if (made := todo.pop()).kind == "elementwise":
            total += cost(made.op)
            found = {view.base for view in made.operands} - known
            known |= found
            todo += found
    return total


def _stored(graph, view: View) -> View:
    """Return a view of an array that is written before any kernel reads it, and computed by vectors therefore."""
    base = view.base
    (out,) = graph.step("routine", None, [graph.whole(base)], [Type(base.shape, base.dtype)])
    graph.items[-1].routine = Routine("stored", (base.dtype, base.size))
    return View(out.base, view.shape, view.offset, view.strides)


def _dot_general(graph, operands, params, types):
    (x, y), dtype = operands, types[0].dtype
    (x_sum, y_sum), (x_batch, y_batch) = params["dimension_numbers"]
    free = lambda v, *used: [i for i in range(len(v.shape)) if not any([i in u for u in used])]
    x_free, y_free = free(x, x_sum, x_batch), free(y, y_sum, y_batch)
    m, n = prod([x.shape[i] for i in x_free]), prod([y.shape[i] for i in y_free])
    k, batch = prod([x.shape[i] for i in x_sum]), tuple([x.shape[i] for i in x_batch])
    if not prod(batch) * m * n * k:
        return [graph.number(0, dtype, types[0].shape)]
    if min(m, n) > 1 and prod(batch) * m * n * k > _MAX_FUSED_MULTIPLICATIONS_IN_LOOP and _fit_in_pairs(x, y, dtype, k):
        left, a = _paired(graph, x, x_batch, x_free, x_sum)
        right, b = _paired(graph, y, y_batch, y_free, y_sum)
        out = _product_step(graph, (left, a), (right, b.turned), (*batch, m, n), k // 2, PAIRS)
        return [graph.reshape(lower_bits(graph, out, dtype), types[0].shape)]
    inner = working(x.base.dtype, y.base.dtype, dtype, k)
    if not x.base.dtype == y.base.dtype == dtype == inner:
        return _converted(graph, operands, params, types, inner)
    work = prod(batch) * m * n * k
    most = _MAX_FUSED_MULTIPLICATIONS_IN_LOOP if graph.in_loop else _MAX_FUSED_MULTIPLICATIONS
    is_tiny = bool(batch) and m * n * k <= _MAX_FUSED_MULTIPLICATIONS_IN_BATCH
    if k == 1 or work <= most or is_tiny or not gemm_dtype(dtype):
        return fused_product(graph, operands, params, types)
    left, a = matrix(graph, x, x_batch, x_free, x_sum)
    right, b = matrix(graph, y, y_batch, y_sum, y_free)
    if n == 1 and a.column == 1 != k or m == 1 and b.row == 1 != k or m == n == 1:  # sums over what is contiguous
        return fused_product(graph, operands, params, types)
    is_exchanged = n == 1
    if is_exchanged:
        (left, a), (right, b), m, n = (right, b.turned), (left, a.turned), n, m
    if m == 1 and b.column == 1:  # a sum over rows goes along them, and copies none
        vector, rows = (y, x) if is_exchanged else (x, y)
        if _operations(vector.base) > n // _COLUMNS_PER_OPERATION:
            vector = _stored(graph, vector)
        return fused_product(graph, [rows, vector] if is_exchanged else [vector, rows], params, types)
    out = _product_step(graph, (left, a), (right, b), (*batch, m, n), k, dtype)
    return [graph.reshape(out, types[0].shape)]


def _product_step(graph, left, right, shape, k: int, dtype) -> View:
    """Add the product of two operands of `matrix` or `_paired`, of this shape; `k` elements are shared."""
    (x, a), (y, b), (*batch, m, n) = left, right, shape
    is_turned = m in _ROWS_TO_EXCHANGE and k > 2 * m and n >= m and a.column == 1 != b.column
    if is_turned:  # rows of the other operand are contiguous, and its columns would have to be copied
        (x, a), (y, b), m, n = (y, b.turned), (x, a.turned._replace(is_exchanged=True)), n, m
    (out,) = graph.step("routine", None, [x, y], [Type((*batch, m, n), I32 if dtype == PAIRS else dtype)])
    graph.items[-1].routine = _routine(dtype, tuple(batch), m, n, k, a, b)
    order = range(len(batch) + 2)
    return out.transpose([*order[:-2], order[-1], order[-2]]) if is_turned else out


def _sums_of_blocks(dtype, batch, m: int, n: int, k: int) -> int:
    """Return how many elements of the workspace are sums of blocks, and what they lose."""
    size = prod(batch) * m * n
    return 2 * size if dtype.kind == "f" and k > terms_together(size) else 0


def _routine(dtype, batch, m: int, n: int, k: int, a: _Matrix, b: _Matrix) -> Routine:
    elements = _sums_of_blocks(dtype, batch, m, n, k) + prod(shared_copies(m, n, k, dtype))
    workspace = elements * (I32 if dtype == PAIRS else dtype).itemsize
    return Routine("product", (dtype, batch, m, n, k, a, b), workspace)


def _transposed(routine: Routine) -> Routine | None:
    dtype, batch, m, n, k, a, b = routine.params
    return None if b.is_exchanged else _routine(dtype, batch, n, m, k, b.turned, a.turned)


def _fit_in_pairs(x: View, y: View, out, terms: int) -> bool:
    """Return whether the product of two arrays of integers is one of pairs of 16 bits, with sums of 32."""
    dtypes = x.base.dtype, y.base.dtype
    if not multiplies_pairs() or terms % 2 or out.kind not in "iu" or not _IN_16_BITS.issuperset(dtypes):
        return False
    bits = [8 * d.itemsize - (d.kind == "i") for d in dtypes]
    return out.itemsize <= 4 or terms << sum(bits) < 1 << 31


def _paired(graph, view: View, batch, free, summed) -> tuple[View, _Matrix]:
    """Return the array that holds an operand in pairs along the axes that are summed, its columns, and how it is read.
    """
    lengths = [[view.shape[i] for i in axes] for axes in (batch, free, summed)]
    view = view.transpose([*batch, *free, *summed])
    shape = (*lengths[0], prod(lengths[1]), prod(lengths[2]))
    found = view.reshape(shape)
    found = graph.copied(view).reshape(shape) if found is None else found
    *outer, n, k = shape
    sizes = [prod(outer[i + 1 :]) * n * (k // 2) for i in range(len(outer))]
    if found.strides[-2] != 1:  # neighbours must be side by side
        found = graph.converted(found, _I16)
        found = found if found.is_whole and found.shape == found.base.shape else graph.copied(found)
        return graph.whole(found.base), _Matrix(0, tuple(sizes), k // 2, 1)
    order = [*range(len(outer)), len(outer) + 1, len(outer)]
    zeros, ones, word = (0,) * (len(outer) + 1), (1,) * (len(outer) + 1), (*outer, k // 2, n)
    low, high = [
        graph.converted(found.slice((*zeros, i), shape, (*ones, 2)).transpose(order), I32) for i in (0, 1)
    ]
    low = graph.elementwise("and", word, I32, (low, graph.number(0xFFFF, I32)))
    high = graph.elementwise("shift_left", word, I32, (high, graph.number(16, I32)))
    both = graph.elementwise("or", word, I32, (low, high))
    return graph.whole(both.base), _Matrix(0, tuple(sizes), 1, n)


def working(x, y, out, terms: int) -> np.dtype:
    """Return the dtype in which numbers are multiplied and added."""
    both = common(x, y)
    both = both if both == out else common(both, out)
    if both in NARROW:
        return F32
    return both if both.kind not in "iub" else integers_in(x, y, both, terms)


def integers_in(x, y, out, terms: int) -> np.dtype:
    """Return the dtype for sums of products of integers, of which the result may be the lower bits.

    That some are true is that they are not 0.
    """
    bits = [8 * d.itemsize - (d.kind == "i") for d in (x, y)]
    if terms << sum(bits) <= 1 << 24:  # float32 has them all
        return F32
    return I32 if out.itemsize < 4 else out


def _converted(graph, operands, params, types, inner):
    """Return a product in another dtype, rounded at the end."""
    wide, dtype = [graph.converted(v, inner) for v in operands], types[0].dtype
    found = _dot_general(graph, wide, params, [Type(types[0].shape, inner)])
    return None if found is None else [lower_bits(graph, found[0], dtype)]


def lower_bits(graph, x: View, dtype) -> View:
    """Return a result in its dtype; of integers that are held by floats, the lower bits."""
    if x.base.dtype == F32 and dtype.kind in "iu" and dtype not in NARROW:
        x = graph.converted(x, I32)
    return graph.converted(x, dtype)


@writes("stored")
def _(code: Code, addresses, dtype, size: int):
    source, target = addresses
    code.copy(target, source, size * dtype.itemsize)


@writes("product")
def _(code: Code, addresses, dtype, batch, m: int, n: int, k: int, a: _Matrix, b: _Matrix):
    left, right, out, *block = addresses
    sums, copied, copies = _sums_of_blocks(dtype, batch, m, n, k), shared_copies(m, n, k, dtype), "0"
    if prod(copied):
        place = code.at(block[0], sums, I32 if dtype == PAIRS else dtype)
        copies = code.new(f"ptrtoint ptr {place} to i64").text
    product = partial(_product, code, dtype, batch, m, n, a, b, (copies, *copied))
    if not sums:
        product(addresses[:3], code.integer(k), code.integer(0))
        return
    (block,) = block
    size = prod(batch) * m * n
    lost = code.at(block, size, dtype)
    together = f"ptr {out}, ptr {block}, ptr {lost}, i64 {size}"
    for place in (out, lost):
        code.clear(place, size * dtype.itemsize)
    step = -(-k // -(-k // terms_together(size)) // DEPTH) * DEPTH
    with code.loop(k, step=step) as first:
        terms = code.minimum(step, k - first)
        product([left, right, block], terms, first)
        code.call_shared(function_of("settle", dtype), together)
    code.call_shared(function_of("finish", dtype), together)


def _product(
    code: Code, dtype, batch, m, n, a: _Matrix, b: _Matrix, copies, addresses, terms: Value, first: Value,
) -> None:
    """Write the product, as far as so many terms of each sum go, from the first one on."""
    number = I32 if dtype == PAIRS else dtype
    fields = code.local("i64", len(FIELDS))
    out = [m * n * prod(batch[i + 1 :]) for i in range(len(batch))]
    strides = [a.batches, b.batches, out]
    inner = len(batch) - 1  # the batches that one call goes over: the last axis, and those that continue it
    while inner > 0 and all([s[inner - 1] == s[-1] * prod(batch[inner:]) for s in strides]):
        inner -= 1
    inner = max(inner, 0)
    values = dict(
        m=m, n=n, k=terms.text, batches=prod(batch[inner:]), a_row=a.row, a_column=a.column, b_row=b.row,
        b_column=b.column, c_row=n, copies=copies[0], copied_rows=copies[1], copied_columns=copies[2], more=0,
        **{f"{name}_batch": s[-1] if batch else 0 for name, s in zip("abc", strides)},
    )

    def put(name: str, text) -> None:
        code.line(f"store i64 {text}, ptr {code.at(fields, FIELDS.index(name), I64)}")

    for name, value in values.items():
        put(name, value)
    counters = []

    def write(lengths):
        if lengths:
            with code.loop(lengths[0]) as i:
                counters.append(i)
                write(lengths[1:])
                counters.pop()
            return
        starts = [x.offset + first * s
                  for x, s in ((a, a.column), (b, b.row))]
        for name, base, index, steps in zip("abc", addresses, (*starts, code.integer(0)), strides):
            for counter, stride in zip(counters, steps):
                index = index + counter * stride
            put(name, code.new(f"ptrtoint ptr {code.at(base, index, number)} to i64").text)
        code.call_shared(f"adjoint_{letter_of(dtype)}gemm", f"ptr {fields}")

    write(batch[:inner])


TRANSPOSED["product"] = _transposed
register({"dot_general": _dot_general})
