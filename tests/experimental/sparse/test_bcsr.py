"""`BCSR` arrays: conversions, products, and functions by way of `BCOO`, beside real JAX."""

from __future__ import annotations

import numpy as np
from tests.modes import compiling

from .parity import STACK, M, batched, matrix, odd, refused, same


def rows(m, dense=M, **layout):
    layout.setdefault("nse", int((dense != 0).sum()))
    return m.sparse.BCSR.fromdense(m.np.asarray(dense), **layout)


def batched_rows(m):
    return rows(m, STACK, n_batch=1, nse=4)


def odd_rows(m):
    """Columns that occur twice and beyond the shape."""
    parts = np.arange(1, 6, dtype=np.float32), np.array([1, 1, 0, 7, 2], np.int32), np.array([0, 2, 3, 5], np.int32)
    return m.sparse.BCSR(tuple(map(m.np.asarray, parts)), shape=(3, 4))


@compiling
def test_conversions():
    same(lambda m: rows(m, nse=6), lambda m: rows(m, nse=2), batched_rows, lambda m: rows(m, STACK, n_dense=1, nse=6),
         lambda m: odd_rows(m).todense(), lambda m: batched_rows(m).todense(), lambda m: odd_rows(m).to_bcoo(),
         lambda m: m.sparse.BCSR.from_bcoo(matrix(m).T), lambda m: m.sparse.BCSR.from_bcoo(batched(m)),
         lambda m: m.sparse.BCSR.from_bcoo(odd(m)).data,
         lambda m: m.sparse.bcsr_extract(rows(m).indices, rows(m).indptr, m.np.asarray(M)))
    refused(lambda m: m.sparse.BCSR.from_bcoo(matrix(m, STACK)), lambda m: rows(m, M[0]), lambda m: rows(m).T,
            lambda m: m.jax.jit(m.sparse.BCSR.fromdense)(M))


def test_products():
    of = lambda make, rhs, contract, batch=((), ()): lambda m: m.sparse.bcsr_dot_general(
        make(m), m.np.asarray(rhs), dimension_numbers=(contract, batch))
    same(of(rows, M[0], ((1,), (0,))), of(rows, M.T, ((1,), (0,))), of(rows, M[:, 1], ((0,), (0,))),
         of(odd_rows, np.arange(1, 5, dtype=np.float32), ((1,), (0,))),
         of(batched_rows, STACK[:, :, 0], ((1,), (1,)), ((0,), (0,))),
         lambda m: rows(m) @ m.np.asarray(M[0]), lambda m: batched_rows(m) @ m.np.ones((2, 4, 3)),
         lambda m: rows(m) @ m.np.arange(4), lambda m: m.jax.vmap(lambda x: x @ m.np.ones(4))(batched_rows(m)))
    refused(lambda m: rows(m) @ m.np.ones(3), lambda m: m.np.ones(3) @ rows(m), lambda m: rows(m) @ np.float32(2),
            lambda m: rows(m) + rows(m), lambda m: rows(m)[0])


def test_functions_by_way_of_bcoo():
    same(lambda m: m.sparse.bcsr_sum_duplicates(odd_rows(m), nse=6), lambda m: odd_rows(m).sum_duplicates(nse=7),
         lambda m: m.sparse.bcsr_concatenate([rows(m), rows(m)], dimension=0),
         lambda m: m.sparse.bcsr_concatenate([rows(m), rows(m)], dimension=1),
         lambda m: m.sparse.bcsr_concatenate([batched_rows(m), batched_rows(m)], dimension=1),
         lambda m: m.sparse.bcsr_broadcast_in_dim(rows(m), shape=(2, 3, 4), broadcast_dimensions=(1, 2)),
         lambda m: m.sparse.sparsify(lambda x: -m.np.sin(x))(rows(m)),
         lambda m: m.sparse.sparsify(lambda x: m.np.stack([x, x]))(rows(m)))


def test_derivatives():
    def gradients(m):
        x, v = rows(m), m.np.asarray(M[0] + 1)
        mat = lambda d: m.sparse.BCSR((d, x.indices, x.indptr), shape=x.shape)
        return [m.jax.grad(lambda d, v: ((mat(d) @ v) ** 2).sum(), (0, 1))(x.data, v),
                m.jax.grad(lambda d: (mat(d).todense() ** 2).sum())(x.data),
                m.jax.grad(lambda y: (m.sparse.BCSR.fromdense(y, nse=5).data ** 2).sum())(m.np.asarray(M))]

    same(gradients)
