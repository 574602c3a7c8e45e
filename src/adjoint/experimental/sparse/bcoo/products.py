"""Products over contracted axes: `bcoo_dot_general` with a dense or a sparse operand, and `bcoo_dot_general_sampled`.

Tests: `tests/experimental/sparse/test_bcoo_products.py`.
"""

from __future__ import annotations

import operator
from math import prod

import numpy as np

from .... import lax
from .... import numpy as jnp
from ....core.types import Array, ShapedArray
from ....prims.dot import dot_general
from ....prims.sparse_products import sparse_product
from ....transforms.vmap import vmap
from ..programs import over_batches, sparse_primitive
from ..util import SparseInfo
from .array import BCOO
from .dense import bcoo_extract_p, columns
from .duplicates import bcoo_sum_duplicates_p
from .properties import properties_of, split

__all__ = [
    "bcoo_dot_general", "bcoo_dot_general_p", "bcoo_dot_general_sampled", "bcoo_dot_general_sampled_p",
    "bcoo_spdot_general_p", "canonical_numbers", "dot_shape",
]


def canonical_numbers(dimension_numbers):
    """Return dimension numbers as tuples of ints, the same for equal ones."""
    ints = lambda axes: tuple([operator.index(i) for i in axes])
    (a, b), (c, d) = dimension_numbers
    return (ints(a), ints(b)), (ints(c), ints(d))


def dot_shape(a, b, dimension_numbers, preferred_element_type) -> ShapedArray:
    """Return the type of the product of dense arrays with these shapes and dtypes; what can't be multiplied is an
    error.
    """
    (shape, dtype), (other, other_dtype) = a, b
    common = jnp.promote_types(dtype, other_dtype)
    return dot_general.infer(
        (ShapedArray(tuple(shape), common), ShapedArray(tuple(other), common)),
        dict(dimension_numbers=dimension_numbers, precision=None, preferred_element_type=preferred_element_type),
    )


def _preferred(dtype, preferred_element_type):
    return np.dtype(dtype) if preferred_element_type is None else np.dtype(preferred_element_type)


# ---- sparse and dense ----------------------------------------------------------------------------


def _times(data, indices, rhs, sizes, contract, contracted):
    """Return the product of one batch: sparse axes `contract` of sizes `sizes` with the axes `contracted` of `rhs`.

    The result has the other sparse axes, the dense axes, and the other axes of `rhs`.
    """
    nse, dense = data.shape[0], data.shape[1:]
    free = [k for k in range(len(sizes)) if k not in contract]
    rest = [i for i in range(rhs.ndim) if i not in contracted]
    rhs = rhs.transpose((*contracted, *rest)) if contracted else rhs
    shape = rhs.shape[len(contracted) :]
    if free and contract and not dense and data.dtype != bool:
        rows, row = _numbered(indices, free, sizes)
        places, place = _numbered(indices, contract, sizes)
        count, size = prod([sizes[k] for k in contract]), prod([sizes[k] for k in free])
        out = sparse_product(
            data, rows, places, rhs.reshape((count, prod(shape))), row=row, column=place, size=size, outside="zero"
        )
        return out.reshape((*[sizes[k] for k in free], *shape))
    at = columns(indices)
    if contract:
        rows = rhs.at[tuple([at[k] for k in contract])].get(mode="fill", fill_value=0)
    else:
        rows = jnp.broadcast_to(rhs[None], (nse, *shape))
    wide = (nse, *dense, *shape)
    terms = lax.mul(
        jnp.broadcast_to(jnp.expand_dims(data, tuple(range(data.ndim, len(wide)))), wide),
        jnp.broadcast_to(jnp.expand_dims(rows, tuple(range(1, 1 + len(dense)))), wide),
    )
    if not free:
        return terms.sum(0, dtype=terms.dtype)
    out = jnp.zeros((*[sizes[k] for k in free], *wide[1:]), terms.dtype)
    return out.at[tuple([at[k] for k in free])].add(terms, mode="drop")


def _numbered(indices, axes, sizes):
    """Return places along some axes as columns of an array, and which column: of several axes, the number in their
    order.
    """
    if len(axes) == 1:
        return indices, axes[0]
    dtype = jnp.promote_types(indices.dtype, jnp.int32)
    number, inside = jnp.zeros(indices.shape[:1], dtype), None
    for k in axes:
        at, zero = indices[:, k].astype(dtype), jnp.zeros((), dtype)
        at = jnp.where(at < zero, at + sizes[k], at)
        ok = (at >= zero) & (at < jnp.full((), sizes[k], dtype))
        number = number * sizes[k] + at
        inside = ok if inside is None else inside & ok
    number = jnp.where(inside, number, jnp.full((), prod([sizes[k] for k in axes]), dtype))
    return number[:, None], 0


@sparse_primitive("bcoo_dot_general", linear=(0, 2))
def bcoo_dot_general_p(data, indices, rhs, *, dimension_numbers, preferred_element_type, lhs_spinfo):
    (contract, contracted), (batch, batched) = dimension_numbers
    p = properties_of(data, indices, lhs_spinfo.shape)
    n, m = p.n_batch, p.n_batch + p.n_sparse
    sizes = lhs_spinfo.shape[n:m]
    common = jnp.promote_types(jnp.promote_types(data.dtype, rhs.dtype), preferred_element_type)
    data, rhs = data.astype(common), rhs.astype(common)
    of_batch = [(a, b) for a, b in zip(contract, contracted) if a < n]  # summed batch axes
    of_sparse = [(a - n, b) for a, b in zip(contract, contracted) if a >= n]
    free = [i for i in range(n) if i not in batch and i not in contract]
    order = (*batch, *free, *[a for a, _ in of_batch])
    data = data.transpose((*order, *range(n, data.ndim)))
    indices = indices.transpose((*order, n, n + 1))
    right = [*batched, *[b for _, b in of_batch]]
    rhs = rhs.transpose((*right, *[i for i in range(rhs.ndim) if i not in right]))
    moved = {b: k for k, b in enumerate([i for i in range(rhs.ndim) if i not in right])}
    contracted = [moved[b] for _, b in of_sparse]

    def one(data, indices, rhs):
        return _times(data, indices, rhs, sizes, [a for a, _ in of_sparse], contracted)

    fun = one
    for _ in of_batch:
        fun = _summed(fun)
    for _ in free:
        fun = _mapped(fun, (True, True, False))
    for _ in batch:
        fun = _mapped(fun, (True, True, True))
    out = fun(data, indices, rhs)
    whole = tuple([lhs_spinfo.shape[i] for i in (*batch, *free)])
    out = jnp.broadcast_to(out, (*whole, *out.shape[len(whole) :]))
    return out.astype(preferred_element_type)


_f32 = np.dtype(np.float32)
_of = lambda *shape: ShapedArray(shape, _f32)
_at = lambda *indices: np.array(indices, np.int32)


def _product(data, indices, rhs, shape, contract, batch=((), ())):
    numbers = dict(dimension_numbers=(contract, batch), preferred_element_type=_f32, lhs_spinfo=SparseInfo(shape))
    return _of(*data), indices, _of(*rhs), numbers


_entries = _at([0, 1], [2, 0], [2, 0], [3, 4])
bcoo_dot_general_p.examples(
    _product((4,), _entries, (4,), (3, 4), ((1,), (0,))),
    _product((4,), _entries, (4, 2), (3, 4), ((1,), (0,))),
    _product((4,), _entries, (2, 3), (3, 4), ((0,), (1,))),
    _product((4,), _entries, (4, 3), (3, 4), ((0, 1), (1, 0))),
    _product((4,), _entries, (2,), (3, 4), ((), ())),
    _product((2, 3), _at([[0], [2], [9]]), (2, 3, 2), (2, 3), ((1,), (1,)), ((0,), (0,))),
    _product((2, 3), _at([[0], [2], [9]]), (2,), (2, 3), ((0,), (0,))),
    _product((3, 2), _at([0], [2], [9]), (3,), (3, 2), ((0,), (0,))),
)


def _mapped(fun, mapped):
    """Return `fun`, over a leading axis of its mapped operands; such an axis of size 1 is the same for all."""

    def run(*args):
        sizes = {x.shape[0] for x, is_mapped in zip(args, mapped) if is_mapped} - {1}
        axes = tuple([
            0 if is_mapped and (x.shape[0] != 1 or not sizes) else None for x, is_mapped in zip(args, mapped)
        ])
        given = [x[0] if is_mapped and a is None else x for x, a, is_mapped in zip(args, axes, mapped)]
        return vmap(fun, in_axes=axes)(*given)

    return run


def _summed(fun):
    mapped = _mapped(fun, (True, True, True))

    def run(*args):
        out = mapped(*args)
        return out.sum(0, dtype=out.dtype)

    return run


def _dense_numbers(dimension_numbers):
    (a, b), (c, d) = dimension_numbers
    return (b, a), (d, c)


def bcoo_dot_general(
    lhs: BCOO | Array, rhs: BCOO | Array, *, dimension_numbers, precision: None = None,
    preferred_element_type: None = None, out_sharding=None,
) -> BCOO | Array:
    """Return the sums of products over contracted axes, as `lax.dot_general`.

    Args:
      lhs, rhs: sparse or dense. The product of two sparse arrays is sparse.
      dimension_numbers: ((axes of lhs, of rhs) that are contracted, (axes of lhs, of rhs) that are batch axes).
      precision: unused.
      preferred_element_type: the dtype of the result.
      out_sharding: is not read.
    Raises:
      TypeError: the shapes do not fit.
      NotImplementedError: dense axes are contracted, or sparse ones are batch axes of the product.

    >>> from adjoint.experimental import sparse
    >>> numbers = (((1,), (0,)), ((), ()))
    >>> sparse.bcoo_dot_general(sparse.eye(3), jnp.arange(3.), dimension_numbers=numbers)
    Array([0., 1., 2.], dtype=float32)
    """
    numbers = canonical_numbers(dimension_numbers)
    is_sparse = isinstance(lhs, BCOO), isinstance(rhs, BCOO)
    if not any(is_sparse):
        return lax.dot_general(
            jnp.asarray(lhs), jnp.asarray(rhs), dimension_numbers=numbers, precision=precision,
            preferred_element_type=preferred_element_type,
        )
    if all(is_sparse):
        return _sparse_times_sparse(lhs, rhs, numbers, preferred_element_type)
    if is_sparse[0]:
        return _sparse_times_dense(lhs, jnp.asarray(rhs), numbers, preferred_element_type)
    swapped = _dense_numbers(numbers)
    lhs = jnp.asarray(lhs)
    out = _sparse_times_dense(rhs, lhs, swapped, preferred_element_type)
    (_, contracted), (batch, _) = swapped
    n_batch, n_dense = len(batch), lhs.ndim - len(contracted) - len(batch)
    n_sparse = out.ndim - n_batch - n_dense
    order = (*range(n_batch), *range(n_batch + n_sparse, out.ndim), *range(n_batch, n_batch + n_sparse))
    return out.transpose(order)


def _sparse_times_dense(lhs: BCOO, rhs, numbers, preferred_element_type):
    aval = dot_shape((lhs.shape, lhs.dtype), (rhs.shape, rhs.dtype), numbers, preferred_element_type)
    (contract, _), (batch, _) = numbers
    p = properties_of(lhs.data, lhs.indices, lhs.shape)
    if any([i >= p.n_batch + p.n_sparse for i in contract]):
        raise NotImplementedError(
            "bcoo_dot_general: contracting over dense dimensions.\n  Try: `update_layout(n_dense=0)` before."
        )
    if any([i >= p.n_batch for i in batch]):
        raise NotImplementedError(
            "bcoo_dot_general batch dimensions must be among the batch dimensions in the sparse representation.\n"
            f"got lhs_batch={batch}, n_batch={p.n_batch}"
        )
    return bcoo_dot_general_p.bind(
        lhs.data, lhs.indices, rhs, dimension_numbers=numbers,
        preferred_element_type=aval.dtype, lhs_spinfo=lhs._info,
    )


# ---- sampled products of dense arrays ------------------------------------------------------------


@sparse_primitive("bcoo_dot_general_sampled", linear=(0, 1))
def bcoo_dot_general_sampled_p(a, b, indices, *, dimension_numbers):
    (contract, contracted), (batch, batched) = dimension_numbers
    n_batch, n_sparse = indices.ndim - 2, indices.shape[-1]
    free = [i for i in range(a.ndim) if i not in contract and i not in batch]
    other = [i for i in range(b.ndim) if i not in contracted and i not in batched]
    common = jnp.promote_types(a.dtype, b.dtype)
    a, b = a.astype(common), b.astype(common)
    if n_batch != len(batch) or n_sparse > len(free) + len(other):
        product = lax.dot_general(a, b, dimension_numbers=dimension_numbers)
        return bcoo_extract_p.expand_rule(indices, product, assume_unique=True)
    a = a.transpose((*batch, *free, *contract))
    b = b.transpose((*batched, *other, *contracted))
    k = min(n_sparse, len(free))

    def one(a, b, indices):
        at = columns(indices)
        nse = indices.shape[0]
        pick = lambda x, at: (
            x.at[at].get(mode="fill", fill_value=0) if at else jnp.broadcast_to(x[None], (nse, *x.shape))
        )
        x, y = pick(a, at[:k]), pick(b, at[k:])
        m, l = len(free) - k, len(other) - (n_sparse - k)
        axes = tuple(range(1 + m, x.ndim)), tuple(range(1 + l, y.ndim))
        return lax.dot_general(x, y, dimension_numbers=(axes, ((0,), (0,))))

    return over_batches(one, n_batch, a, b, indices)


bcoo_dot_general_sampled_p.examples(
    (_of(3, 2), _of(2, 4), _entries, dict(dimension_numbers=(((1,), (0,)), ((), ())))),
    (_of(3), _of(4), _entries, dict(dimension_numbers=(((), ()), ((), ())))),
    (_of(2, 3, 2), _of(2, 2), _at([[0], [2], [9]], [[0], [0], [1]]),
     dict(dimension_numbers=(((2,), (1,)), ((0,), (0,))))),
)


def bcoo_dot_general_sampled(A, B, indices, *, dimension_numbers) -> Array:
    """Return the elements at some indices of the product of two dense arrays, without computing the others.

    Args:
      A, B: dense.
      indices: `[*batch, nse, n_sparse]`, into the product. Those beyond its shape give 0.
      dimension_numbers: of the product, as of `lax.dot_general`.
    Returns:
      Elements of the dtype of the product, in an array of shape `[*batch, nse]`.
    Raises:
      TypeError: the contracted or the batch axes of the operands differ in length.

    >>> from adjoint.experimental import sparse
    >>> x = jnp.arange(6.).reshape(2, 3)
    >>> sparse.bcoo_dot_general_sampled(x, x, jnp.array([[0, 1], [1, 1]]), dimension_numbers=(((1,), (1,)), ((), ())))
    Array([14., 50.], dtype=float32)
    """
    a, b, indices = jnp.asarray(A), jnp.asarray(B), jnp.asarray(indices)
    numbers = canonical_numbers(dimension_numbers)
    aval = dot_shape((a.shape, a.dtype), (b.shape, b.dtype), numbers, None)
    if indices.ndim < 2 or indices.ndim - 2 + indices.shape[-1] > aval.ndim:
        raise AssertionError(
            f"bcoo_dot_general_sampled: indices of shape {indices.shape} are none of a product of shape {aval.shape}"
        )
    return bcoo_dot_general_sampled_p.bind(a, b, indices, dimension_numbers=numbers)


# ---- sparse and sparse ---------------------------------------------------------------------------


def _spdot_layout(lhs_shape, p, rhs_shape, q, dimension_numbers):
    """Return the shape of the product, and how many of its axes are batch axes."""
    (contract, contracted), (batch, batched) = dimension_numbers
    free = [i for i in range(len(lhs_shape)) if i not in contract and i not in batch]
    other = [i for i in range(len(rhs_shape)) if i not in contracted and i not in batched]
    shape = (*[lhs_shape[i] for i in (*batch, *free)], *[rhs_shape[i] for i in other])
    n_batch = len(batch) + len([i for i in free if i < p.n_batch]) + len([i for i in other if i < q.n_batch])
    return shape, n_batch


@sparse_primitive("bcoo_spdot_general", linear=(0, 2), multiple_results=True)
def bcoo_spdot_general_p(
    lhs_data, lhs_indices, rhs_data, rhs_indices, *, lhs_spinfo, rhs_spinfo, dimension_numbers, preferred_element_type
):
    p = properties_of(lhs_data, lhs_indices, lhs_spinfo.shape)
    q = properties_of(rhs_data, rhs_indices, rhs_spinfo.shape)
    (contract, contracted), (batch, batched) = dimension_numbers
    shape, n_batch = _spdot_layout(lhs_spinfo.shape, p, rhs_spinfo.shape, q, dimension_numbers)
    dtype = _preferred(jnp.promote_types(lhs_data.dtype, rhs_data.dtype), preferred_element_type)
    index_dtype = jnp.promote_types(lhs_indices.dtype, rhs_indices.dtype)
    a = [i - p.n_batch for i in contract]
    b = [i - q.n_batch for i in contracted]
    _, sizes, _ = split(lhs_spinfo.shape, p)
    a_free = [k for k in range(p.n_sparse) if k not in a]
    b_free = [k for k in range(q.n_sparse) if k not in b]
    sparse = shape[n_batch:]
    nse = min((p.nse if a_free else 1) * (q.nse if b_free else 1), prod(sparse))
    pick = lambda x, axes: x[:, np.array(axes, np.int32)]
    limit = lambda n: jnp.asarray(np.array(n, np.int32)).astype(index_dtype)

    def one(data, indices, other, other_indices):
        pairs = (p.nse, q.nse)
        shared = (*pairs, len(a))
        ours, others = pick(indices, a), pick(other_indices, b)
        inside = (ours < jnp.broadcast_to(limit([sizes[k] for k in a]), ours.shape)).all(-1)[:, None]
        equal = jnp.broadcast_to(ours[:, None], shared) == jnp.broadcast_to(others[None], shared)
        terms = lax.mul(jnp.broadcast_to(data[:, None], pairs), jnp.broadcast_to(other[None], pairs))
        terms = jnp.where(inside & equal.all(-1), terms, jnp.zeros((), terms.dtype))
        new = jnp.concatenate([
            jnp.broadcast_to(pick(indices, a_free)[:, None], (*pairs, len(a_free))),
            jnp.broadcast_to(pick(other_indices, b_free)[None], (*pairs, len(b_free))),
        ], -1)
        flat = terms.reshape(p.nse * q.nse), new.reshape((p.nse * q.nse, len(sparse)))
        return bcoo_sum_duplicates_p.expand_rule(*flat, spinfo=SparseInfo(sparse), nse=nse)

    free = [i for i in range(p.n_batch) if i not in batch]
    other = [i for i in range(q.n_batch) if i not in batched]
    fun = one
    for _ in other:
        fun = _mapped(fun, (False, False, True, True))
    for _ in free:
        fun = _mapped(fun, (True, True, False, False))
    for _ in batch:
        fun = _mapped(fun, (True, True, True, True))
    order = lambda x, axes, n: x.transpose((*axes, *range(n, x.ndim)))
    left, right = (*batch, *free), (*batched, *other)
    data, indices = fun(
        order(lhs_data.astype(dtype), left, p.n_batch), order(lhs_indices.astype(index_dtype), left, p.n_batch),
        order(rhs_data.astype(dtype), right, q.n_batch), order(rhs_indices.astype(index_dtype), right, q.n_batch),
    )
    return [data, indices]


bcoo_spdot_general_p.examples(
    (_of(4), _entries, _of(2), _at([0, 0], [1, 1]), dict(
        lhs_spinfo=SparseInfo((3, 4)), rhs_spinfo=SparseInfo((4, 2)), dimension_numbers=(((1,), (0,)), ((), ())),
        preferred_element_type=None)),
    (_of(2, 3), _at([[0], [2], [9]]), _of(2, 2), _at([[0], [2]], [[1], [0]]), dict(
        lhs_spinfo=SparseInfo((2, 3)), rhs_spinfo=SparseInfo((2, 3)), dimension_numbers=(((1,), (1,)), ((0,), (0,))),
        preferred_element_type=None)),
)


def _sparse_times_sparse(lhs: BCOO, rhs: BCOO, numbers, preferred_element_type) -> BCOO:
    dot_shape((lhs.shape, lhs.dtype), (rhs.shape, rhs.dtype), numbers, preferred_element_type)
    p, q = [properties_of(x.data, x.indices, x.shape) for x in (lhs, rhs)]
    (contract, contracted), (batch, batched) = numbers
    if p.n_dense or q.n_dense:
        raise AssertionError(
            "bcoo_dot_general of two sparse arrays: dense axes are not supported.\n"
            "  Try: `update_layout(n_dense=0)` before."
        )
    if any([i >= p.n_batch for i in batch]) or any([i >= q.n_batch for i in batched]):
        raise NotImplementedError(
            "bcoo_spdot_general: batch_dims must correspond to batch dimensions of the sparse representation."
        )
    if any([i < p.n_batch for i in contract]) or any([i < q.n_batch for i in contracted]):
        raise NotImplementedError("bcoo_spdot_general only supports contraction of sparse indices.")
    if q.n_batch > len(batch) and p.n_sparse > len(contract):
        raise ValueError(
            "bcoo_spdot_general: cannot have unused batch dims on rhs with unused sparse dims on lhs."
        )
    data, indices = bcoo_spdot_general_p.bind(
        lhs.data, lhs.indices, rhs.data, rhs.indices, lhs_spinfo=lhs._info, rhs_spinfo=rhs._info,
        dimension_numbers=numbers,
        preferred_element_type=None if preferred_element_type is None else np.dtype(preferred_element_type),
    )
    shape, _ = _spdot_layout(lhs.shape, p, rhs.shape, q, numbers)
    return BCOO((data, indices), shape=shape)
