"""Products of a sparse matrix and a dense one, by a list of elements (`sparse_product`) or by rows (`row_product`).

The matrix has an element `data[i]` at a row and a column. Rows are counted from behind if they are negative, and
elements in rows outside are left out. `outside` says what a column outside is: "zero", no element; "strict", the same,
and negative columns are outside too; "clip", the nearest column. The dense operand is `[columns, width]`.

Tests: `tests/engines/native/routines/products/test_sparse.py`.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive, is_undefined_primal
from ..core.types import ShapedArray, aval_of
from .arithmetic import add, clamp, mul
from .conversion import convert_element_type
from .cumulative import cumsum
from .family import multilinear
from .indexed_windows import GatherDimensionNumbers, GatherScatterMode, ScatterDimensionNumbers
from .indexing import combiner, gather, scatter_add
from .logic import ge, lt, select_n
from .shape import (
    broadcast_in_dim,
    full,
    iota,
    materialise_batch,
    move_axis,
    reduce_sum,
    reshape,
)
from .slicing import slice_

__all__ = ["row_product", "sparse_product"]

sparse_product = Primitive("sparse_product")
row_product = Primitive("row_product")

_I32 = np.dtype(np.int32)
_MIN_LONG_LIST = 1 << 14  # elements that are worth SciPy's import


# ---- types --------------------------------------------------------------------------------------


def _check(name: str, data, dense, *places) -> None:
    if data.ndim != 1 or dense.ndim != 2 or data.dtype != dense.dtype:
        raise TypeError(
            f"{name} takes elements [n] and a dense matrix of the same dtype; got {data.str_short()} and "
            f"{dense.str_short()}."
        )
    if any([not dtypes.issubdtype(x.dtype, np.integer) for x in places]):
        raise TypeError(f"{name} takes places that are integers; got {[x.str_short() for x in places]}.")


@sparse_product.type
def _(data, rows, columns, dense, *, row, column, size, outside):
    _check("sparse_product", data, dense, rows, columns)
    if any([x.ndim != 2 or x.shape[0] != data.shape[0] or not 0 <= k < x.shape[1]
            for x, k in ((rows, row), (columns, column))]):
        raise TypeError(f"sparse_product: rows {rows.str_short()} and columns {columns.str_short()} are not of "
                        f"{data.shape[0]} elements.")
    return ShapedArray((size, dense.shape[1]), data.dtype)


@row_product.type
def _(data, columns, starts, dense, *, outside):
    _check("row_product", data, dense, columns, starts)
    if columns.shape != data.shape or starts.ndim != 1:
        raise TypeError(f"row_product: columns {columns.str_short()} are not of {data.shape[0]} elements.")
    return ShapedArray((starts.shape[0] - 1, dense.shape[1]), data.dtype)


# ---- evaluation ---------------------------------------------------------------------------------


def _columns_in(at, k: int, outside: str):
    """Return columns inside, and which of them were; of NumPy's arrays."""
    at = at.astype(np.int64)
    if outside != "strict":
        at = np.where(at < 0, at + k, at)
    if outside == "clip":
        return np.clip(at, 0, max(k - 1, 0)), None
    inside = (at >= 0) & (at < k)
    return np.where(inside, at, 0), inside


def _terms(data, at, dense, outside):
    if not dense.shape[0]:
        return np.zeros((at.size, dense.shape[1]), data.dtype)
    at, inside = _columns_in(at, dense.shape[0], outside)
    if inside is not None and not inside.all():
        data = np.where(inside, data, data.dtype.type(0))
        return data[:, None] * np.where(inside[:, None], dense[at], data.dtype.type(0))
    return data[:, None] * dense[at]


def _summed(rows, terms, size: int):
    out = np.zeros((size, terms.shape[1]), terms.dtype)
    rows = np.where(rows < 0, rows + size, rows)
    kept = (rows >= 0) & (rows < size)
    if not kept.all():
        rows, terms = rows[kept], terms[kept]
    if terms.shape[1] == 1:
        np.add.at(out[:, 0], rows, terms[:, 0])
    else:
        np.add.at(out, rows, terms)
    return out


@sparse_product.evaluate
def _(data, rows, columns, dense, *, row, column, size, outside):
    return _product(data, rows[:, row].astype(np.int64), columns[:, column], dense, size, outside)


def _product(data, rows, columns, dense, size: int, outside: str):
    if data.size < _MIN_LONG_LIST or dense.shape[1] < 2 or not size * dense.shape[0] or data.dtype.char not in "fdFD":
        return _summed(rows, _terms(data, columns, dense, outside), size)
    from scipy.sparse import csr_array

    at, inside = _columns_in(columns, dense.shape[0], outside)
    rows = np.where(rows < 0, rows + size, rows)
    kept = (rows >= 0) & (rows < size) & (True if inside is None else inside)
    if not kept.all():
        data, rows, at = data[kept], rows[kept], at[kept]
    return np.ascontiguousarray(csr_array((data, (rows, at)), shape=(size, dense.shape[0])) @ dense)


@row_product.evaluate
def _(data, columns, starts, dense, *, outside):
    n, count = starts.size - 1, data.size
    begun = np.bincount(np.clip(starts.astype(np.int64), 0, count), minlength=count + 1)
    rows = np.cumsum(begun)[:count] - 1
    return _product(data, np.where(rows < 0, n, rows), columns, dense, n, outside)


# ---- as programs of others, for engines without a routine, and for derivatives --------------------


def _like(x, value):
    return full(aval_of(x).shape, value, aval_of(x).dtype)


def _column(x, k: int):
    """Return a column of a matrix."""
    n, width = aval_of(x).shape
    if width == 1:
        return reshape(x, new_sizes=(n,), dimensions=None, sharding=None)
    part = slice_(x, start_indices=(0, k), limit_indices=(n, k + 1), strides=None)
    return reshape(part, new_sizes=(n,), dimensions=None, sharding=None)


def _wide(at):
    """Return places in a dtype that holds any size."""
    dtype = aval_of(at).dtype
    return at if dtype.itemsize >= 4 else convert_element_type(at, new_dtype=_I32, weak_type=False, sharding=None)


def _from_front(at, k: int, outside: str):
    """Return places with negative ones counted from behind, or outside; with "clip", all are inside."""
    at = _wide(at)
    if aval_of(at).dtype.kind == "i":
        negative = lt(at, _like(at, 0))
        at = select_n(negative, at, _like(at, k) if outside == "strict" else add(at, _like(at, k)))
    return clamp(_like(at, 0), at, _like(at, max(k - 1, 0))) if outside == "clip" else at


def _as_indices(at):
    return broadcast_in_dim(at, shape=(*aval_of(at).shape, 1), broadcast_dimensions=(0,), sharding=None)


def _taken(x, at, outside: str):
    """Return the rows of a matrix at some places."""
    k, width = aval_of(x).shape
    if not k:
        return full((aval_of(at).shape[0], width), 0, aval_of(x).dtype)
    at = _from_front(at, k, outside)
    return gather(
        x, _as_indices(at), dimension_numbers=GatherDimensionNumbers((1,), (0,), (0,)), slice_sizes=(1, width),
        unique_indices=False, indices_are_sorted=False, mode=GatherScatterMode.FILL_OR_DROP, fill_value=0,
    )


def _added(size: int, at, terms):
    """Rows summed at some places."""
    width, dtype = aval_of(terms).shape[1], aval_of(terms).dtype
    at = _from_front(at, size, "zero")
    return scatter_add(
        full((size, width), 0, dtype), _as_indices(at), terms,
        dimension_numbers=ScatterDimensionNumbers((1,), (0,), (0,)), indices_are_sorted=False, unique_indices=False,
        mode=GatherScatterMode.FILL_OR_DROP, update_jaxpr=combiner(scatter_add, dtype), update_consts=(),
    )


def _times(data, rows):
    return mul(broadcast_in_dim(data, shape=aval_of(rows).shape, broadcast_dimensions=(0,), sharding=None), rows)


def _rows_of(starts, count: int):
    """Return the row of each element, of a batch `[batch, rows + 1]`; those outside of all rows get the number of rows.
    """
    batch, n = aval_of(starts).shape
    at = clamp(_like(starts, 0), starts, _like(starts, min(count, np.iinfo(aval_of(starts).dtype).max)))
    at = reshape(_wide(at), new_sizes=(batch * n,), dimensions=None, sharding=None)
    first = iota(dtype=aval_of(at).dtype, shape=(batch, n), dimension=0, sharding=None)
    first = reshape(first, new_sizes=(batch * n,), dimensions=None, sharding=None)
    at = add(at, mul(first, _like(first, count + 1)))
    begun = _added(batch * (count + 1), at, full((batch * n, 1), 1, _I32))
    begun = reshape(begun, new_sizes=(batch, count + 1), dimensions=None, sharding=None)
    rows = cumsum(begun, axis=1, reverse=False)
    rows = slice_(rows, start_indices=(0, 0), limit_indices=(batch, count), strides=None)
    rows = add(rows, _like(rows, -1))
    return select_n(lt(rows, _like(rows, 0)), rows, _like(rows, n - 1))


def _by_parts(data, rows, columns, dense, *, row, column, size, outside):
    return _added(size, _column(rows, row), _times(data, _taken(dense, _column(columns, column), outside)))


sparse_product.expand_rule = _by_parts


def _as_list(columns, starts):
    """Rows and columns of elements by rows, as `sparse_product` takes them."""
    (count,), (n,) = aval_of(columns).shape, aval_of(starts).shape
    rows = _rows_of(reshape(starts, new_sizes=(1, n), dimensions=None, sharding=None), count)
    return [reshape(x, new_sizes=(count, 1), dimensions=None, sharding=None) for x in (rows, columns)]


def _by_list(data, columns, starts, dense, *, outside):
    rows, columns = _as_list(columns, starts)
    size = aval_of(starts).shape[0] - 1
    return sparse_product(data, rows, columns, dense, row=0, column=0, size=size, outside=outside)


row_product.expand_rule = _by_list


# ---- derivatives --------------------------------------------------------------------------------


multilinear(sparse_product, 0, 3)
multilinear(row_product, 0, 3)


def _by_elements(ct, rows, columns, dense, outside):
    """Return the cotangent of the elements."""
    terms = mul(_taken(ct, rows, "zero"), _taken(dense, columns, outside))
    return reduce_sum(terms, axes=(1,), out_sharding=None)


@sparse_product.transpose
def _(ct, data, rows, columns, dense, *, row, column, size, outside):
    if is_undefined_primal(data):
        return [_by_elements(ct, _column(rows, row), _column(columns, column), dense, outside), None, None, None]
    k = dense.aval.shape[0]
    if outside != "zero":
        at = _from_front(_column(columns, column), k, outside)
        columns, column = reshape(at, new_sizes=(*aval_of(at).shape, 1), dimensions=None, sharding=None), 0
    return [None, None, None, sparse_product(
        data, columns, rows, ct, row=column, column=row, size=k, outside="zero")]


@row_product.transpose
def _(ct, data, columns, starts, dense, *, outside):
    size = aval_of(starts).shape[0] - 1
    if is_undefined_primal(data):
        rows, _ = _as_list(columns, starts)
        return [_by_elements(ct, _column(rows, 0), columns, dense, outside), None, None, None]
    rows, columns = _as_list(columns, starts)
    return sparse_product.transpose_rule(
        ct, data, rows, columns, dense, row=0, column=0, size=size, outside=outside
    )


# ---- batches ------------------------------------------------------------------------------------


def _size(args, dims) -> int:
    return next(aval_of(x).shape[d] for x, d in zip(args, dims) if d is not None)


def _side_by_side(dense, dim: int):
    """Dense matrices of a batch as one, whose columns are those of all."""
    dense = move_axis(dense, dim, 1)
    k, batch, width = aval_of(dense).shape
    return reshape(dense, new_sizes=(k, batch * width), dimensions=None, sharding=None), width


def _apart(out, batch: int, width: int):
    n = aval_of(out).shape[0]
    return reshape(out, new_sizes=(n, batch, width), dimensions=None, sharding=None), 1


@sparse_product.batch
def _(args, dims, *, row, column, size, outside):
    batch = _size(args, dims)
    if list(dims[:3]) == [None] * 3:
        dense, width = _side_by_side(args[3], dims[3])
        out = sparse_product(*args[:3], dense, row=row, column=column, size=size, outside=outside)
        return _apart(out, batch, width)
    data, rows, columns, dense = [materialise_batch(x, d, batch) for x, d in zip(args, dims)]
    _, k, width = aval_of(dense).shape
    rows = _one_after_another(_columns_of(rows, row), size, "zero")
    columns = _one_after_another(_columns_of(columns, column), k, outside)
    count = batch * aval_of(data).shape[1]
    out = sparse_product(
        reshape(data, new_sizes=(count,), dimensions=None, sharding=None), rows, columns,
        reshape(dense, new_sizes=(batch * k, width), dimensions=None, sharding=None),
        row=0, column=0, size=batch * size, outside="zero",
    )
    return reshape(out, new_sizes=(batch, size, width), dimensions=None, sharding=None), 0


def _columns_of(x, k: int):
    """Return a column of each matrix of a batch."""
    batch, n, width = aval_of(x).shape
    part = slice_(x, start_indices=(0, 0, k), limit_indices=(batch, n, k + 1), strides=None)
    return reshape(part, new_sizes=(batch, n), dimensions=None, sharding=None)


def _one_after_another(at, k: int, outside: str):
    """Return places in matrices that stand one below the other; those outside of theirs are outside of all."""
    batch, n = aval_of(at).shape
    flat = _from_front(reshape(at, new_sizes=(batch * n,), dimensions=None, sharding=None), k, outside)
    dtype = aval_of(flat).dtype
    numbers = iota(dtype=dtype, shape=(batch, n), dimension=0, sharding=None)
    numbers = reshape(numbers, new_sizes=(batch * n,), dimensions=None, sharding=None)
    moved = add(flat, mul(numbers, _like(numbers, k)))
    moved = select_n(ge(flat, _like(flat, k)), moved, _like(flat, batch * k))
    if dtype.kind == "i":
        moved = select_n(lt(flat, _like(flat, 0)), moved, _like(flat, batch * k))
    return reshape(moved, new_sizes=(batch * n, 1), dimensions=None, sharding=None)


@row_product.batch
def _(args, dims, *, outside):
    batch = _size(args, dims)
    if list(dims[:3]) == [None] * 3:
        dense, width = _side_by_side(args[3], dims[3])
        return _apart(row_product(*args[:3], dense, outside=outside), batch, width)
    data, columns, starts, dense = [materialise_batch(x, d, batch) for x, d in zip(args, dims)]
    count = aval_of(columns).shape[1]
    rows = _rows_of(starts, count)
    listed = [reshape(x, new_sizes=(batch, count, 1), dimensions=None, sharding=None) for x in (rows, columns)]
    return sparse_product.batch_rule(
        (data, *listed, dense), (0, 0, 0, 0), row=0, column=0, size=aval_of(starts).shape[1] - 1, outside=outside
    )


# ---- examples -----------------------------------------------------------------------------------

_f32 = np.dtype(np.float32)
_of = lambda *shape: ShapedArray(shape, _f32)
_at = np.array([[0, 1], [2, 0], [2, -1], [3, 1], [1, 7], [-1, 2]], np.int32)
sparse_product.examples(*[
    (_of(6), _at, _at, _of(4, width), dict(row=row, column=1 - row, size=size, outside=outside))
    for width, row, size, outside in (
        (1, 0, 3, "zero"), (1, 0, 3, "clip"), (1, 1, 4, "zero"), (3, 0, 3, "zero"), (2, 0, 3, "strict"),
        (0, 0, 3, "zero"), (1, 0, 0, "zero"),
    )
])
row_product.examples(*[
    (_of(6), np.array([1, 0, -1, 7, 2, 1], np.int32), np.array(starts, np.int32), _of(4, width), dict(outside=outside))
    for width, starts, outside in (
        (1, [0, 2, 2, 5], "zero"), (1, [1, 2, 2, 6], "clip"), (3, [0, 2, 2, 5], "strict"), (2, [0, 6], "zero"),
    )
])
