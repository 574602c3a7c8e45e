"""`ragged_dot_general`: a product of matrices for each group of rows, or for each group of what is summed over.

The lengths of the groups are known at run time, as the sizes of all products are (gemm.py): a routine goes over the
groups and calls. Other forms are left to the program of masked products that the primitive stands for.

Tests: `tests/engines/native/routines/products/test_products.py`.
"""

from __future__ import annotations

from math import prod

from .....prims import ragged_dot as ragged_dot  # the primitive must be there before its rule
from ...graph.view_rules import register
from ...graph.views import Type
from ...text.builder import I64
from ..base import Code, Routine, writes
from .gemm import FIELDS, LETTERS, gemm_dtype
from .products import lower_bits, matrix, working


def _ragged(graph, operands, params, types):
    x, y, sizes = operands
    numbers, dtype, shape = params["ragged_dot_dimension_numbers"], types[0].dtype, types[0].shape
    (x_sum, y_sum), (x_batch, _) = numbers.dot_dimension_numbers
    (ragged,), group = numbers.lhs_ragged_dimensions, numbers.rhs_group_dimensions
    x_free = [i for i in range(len(x.shape)) if i not in (*x_sum, *x_batch)]
    y_free = [i for i in range(len(y.shape)) if i not in (*y_sum, *group)]
    sums = ragged in x_sum
    plain = not x_batch and len(sizes.shape) == 1 and (list(x_sum) if sums else x_free) == [ragged]
    if not plain:
        return None
    m, n, k = [prod([v.shape[i] for i in axes]) for v, axes in ((x, x_free), (y, y_free), (x, x_sum))]
    if not m * n * k * sizes.shape[0]:
        return [graph.number(0, dtype, shape)]
    inner = working(x.base.dtype, y.base.dtype, dtype, k)
    if gemm_dtype(inner) is None:
        return None
    left, a = matrix(graph, graph.converted(x, inner), (), x_free, x_sum)
    right, b = matrix(graph, graph.converted(y, inner), group, y_sum, y_free)
    made = (sizes.shape[0], m, n) if sums else (m, n)
    routine = Routine("ragged_product", (inner, sizes.base.dtype, sizes.shape[0], sums, m, n, k, a, b))
    (out,) = graph.routine("ragged_dot_general", routine, [left, right, sizes], [Type(made, inner)])
    return [graph.reshape(lower_bits(graph, out, dtype), shape)]


@writes("ragged_product")
def _(code: Code, addresses, dtype, index_dtype, groups, sums: bool, m, n, k, a, b):
    """`sums`: whether groups are of what is summed over, otherwise of rows."""
    x, y, sizes, out = addresses
    fields, total = code.local("i64", len(FIELDS)), code.integer(k if sums else m)
    put = lambda name, text: code.line(f"store i64 {text}, ptr {code.at(fields, FIELDS.index(name), I64)}")
    values = dict.fromkeys(FIELDS, 0) | dict(
        m=m, n=n, k=k, batches=1, a_row=a.row, a_column=a.column, b_row=b.row, b_column=b.column, c_row=n,
    )
    for name, value in values.items():
        put(name, value)
    start = code.variable(0)
    inside = lambda x: code.minimum(code.maximum(x, 0), total)
    if sums:
        code.clear(out, groups * m * n * dtype.itemsize)
    with code.loop(groups) as group:
        low = code.get(start)
        high = inside(low + inside(code.convert(code.load(sizes, group, index_dtype), I64)))
        code.set(start, high)
        count = high - low
        with code.when(count > 0):
            put("k" if sums else "m", count.text)
            moves = (a.column, b.row, 0) if sums else (a.row, 0, n)
            steps = (0, 0, m * n) if sums else (0, b.batches[0], 0)
            for name, base, first, move, step in zip("abc", (x, y, out), (a.offset, b.offset, 0), moves, steps):
                index = low * move + group * step
                place = code.at(base, index + first, dtype)
                put(name, code.new(f"ptrtoint ptr {place} to i64").text)
            code.call_shared(f"adjoint_{LETTERS[gemm_dtype(dtype)]}gemm", f"ptr {fields}")
    if not sums:  # rows of no group
        rest = total - code.get(start)
        place = code.at(out, code.get(start) * n, dtype)
        code.clear(place, rest * (n * dtype.itemsize))


register({"ragged_dot_general": _ragged})
