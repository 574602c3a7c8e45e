"""Products element by element: `bcoo_multiply_dense`, `bcoo_multiply_sparse`.

Tests: `tests/experimental/sparse/test_bcoo_products.py`.
"""

from __future__ import annotations

import numpy as np

from .... import lax
from .... import numpy as jnp
from ....core.types import Array
from ..programs import over_batches
from .array import BCOO
from .dense import bcoo_extract_p, columns
from .layouts import bcoo_update_layout
from .properties import properties_of

__all__ = ["bcoo_multiply_dense", "bcoo_multiply_sparse"]


def bcoo_multiply_dense(sp_mat: BCOO, v) -> Array:
    """Return the data of the product of a sparse array and a dense one, which has the indices of the sparse one.

    Args:
      sp_mat: the sparse array.
      v: dense, of the shape of `sp_mat` or one that is broadcast to it.
    Raises:
      NotImplementedError: the product would have a larger shape.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_multiply_dense(sparse.eye(3), jnp.arange(3.))
    Array([0., 1., 2.], dtype=float32)
    """
    mat, v = sp_mat, jnp.asarray(v)
    if v.ndim == 0:
        return lax.mul(mat.data, jnp.broadcast_to(v, mat.data.shape))
    shape = tuple(np.broadcast_shapes(mat.shape, v.shape))
    if shape != mat.shape:
        raise NotImplementedError(
            "multiplication between sparse and dense is only implemented for cases where the output shape matches the "
            f"sparse matrix shape. Got shape={mat.shape}, v.shape={v.shape}"
        )
    return lax.mul(*_alike(mat.data, _elements(mat, v)))


def _elements(mat: BCOO, v):
    """Return the elements of a dense array, broadcast to the shape of a sparse one, at the indices of this one."""
    if v.shape == mat.shape:
        return bcoo_extract_p.bind(mat.indices, v, assume_unique=True)
    p = properties_of(mat.data, mat.indices, mat.shape)
    v = jnp.expand_dims(v, tuple(range(mat.ndim - v.ndim)))

    def one(indices, v):
        if not p.n_sparse:
            return jnp.broadcast_to(v[None], (p.nse, *v.shape))
        at = tuple([jnp.zeros_like(c) if d == 1 else c for c, d in zip(columns(indices), v.shape)])
        return v.at[at].get(mode="clip")

    return over_batches(one, p.n_batch, mat.indices, v)


def _alike(x, y):
    shape = tuple(np.broadcast_shapes(x.shape, y.shape))
    return jnp.broadcast_to(x, shape), jnp.broadcast_to(y, shape)


def bcoo_multiply_sparse(lhs: BCOO, rhs: BCOO) -> BCOO:
    """Return the product of two sparse arrays, element by element.

    The result specifies as many elements as there are pairs of those of the operands; pairs with different indices
    stand for none and are last.

    Args:
      lhs, rhs: arrays with as many axes, whose shapes broadcast.
    Returns:
      A `BCOO` of the products.
    Raises:
      TypeError: the arrays have different numbers of axes.
      NotImplementedError: they have different numbers of dense axes.
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental import sparse
    >>> sparse.bcoo_multiply_sparse(sparse.eye(2), 3 * sparse.eye(2)).todense()
    Array([[3., 0.],
           [0., 3.]], dtype=float32)
    """
    if lhs.ndim != rhs.ndim:
        raise TypeError(
            f"bcoo_multiply_sparse: arrays must have same number of dimensions, got {lhs.shape}, {rhs.shape}"
        )
    p, q = [properties_of(x.data, x.indices, x.shape) for x in (lhs, rhs)]
    if p.n_dense != q.n_dense:
        raise NotImplementedError(
            f"bcoo_multiply_sparse: arrays with differing numbers of dense dimensions: {p}, {q}"
        )
    if p.n_batch != q.n_batch:
        lhs, rhs = [bcoo_update_layout(x, n_batch=min(p.n_batch, q.n_batch)) for x in (lhs, rhs)]
        p, q = [properties_of(x.data, x.indices, x.shape) for x in (lhs, rhs)]
    shape = _broadcast_shapes(lhs.shape, rhs.shape)
    dtype = jnp.promote_types(lhs.dtype, rhs.dtype)
    sizes = [x.shape[p.n_batch : p.n_batch + p.n_sparse] for x in (lhs, rhs)]
    fill = max([*shape, 0])
    nse = p.nse * q.nse

    def one(data, indices, other, other_indices):
        pairs = (p.nse, q.nse, p.n_sparse)
        a = jnp.broadcast_to(indices[:, None], pairs)
        b = jnp.broadcast_to(other_indices[None], pairs)
        free = jnp.asarray(np.array([1 in pair for pair in zip(*sizes)], bool))
        ok = ((a == b) | jnp.broadcast_to(free, pairs)).all(-1)
        i, j = jnp.nonzero(ok, size=nse, fill_value=(p.nse, q.nse))
        pick = lambda x, at, fill: x.at[at].get(mode="fill", fill_value=fill)
        product = lax.mul(*_alike(pick(data, i, 0).astype(dtype), pick(other, j, 0).astype(dtype)))
        return product, jnp.maximum(pick(indices, i, fill), pick(other_indices, j, fill))

    index_dtype = jnp.promote_types(lhs.indices.dtype, rhs.indices.dtype)
    data, indices = over_batches(
        one, p.n_batch, lhs.data, lhs.indices.astype(index_dtype), rhs.data, rhs.indices.astype(index_dtype)
    )
    return BCOO((data, indices), shape=shape)


def _broadcast_shapes(a, b) -> tuple[int, ...]:
    try:
        return tuple(np.broadcast_shapes(a, b))
    except ValueError:
        raise ValueError(f"Incompatible shapes for broadcasting: shapes={[a, b]}") from None
