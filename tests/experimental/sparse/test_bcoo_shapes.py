"""Other shapes and parts of `BCOO` arrays, and which of their axes are batch, sparse and dense, beside real JAX."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import STACK, M, batched, matrix, odd, refused, same, with_dense


def test_transposes():
    same(lambda m: matrix(m).T, lambda m: batched(m).transpose((0, 2, 1)),
         lambda m: with_dense(m).transpose((1, 0, 2)), lambda m: odd(m).T)
    refused(lambda m: batched(m).transpose((1, 0, 2)), lambda m: with_dense(m).T,
            lambda m: m.sparse.bcoo_transpose(matrix(m), permutation=(0,)),
            lambda m: m.sparse.bcoo_transpose(matrix(m), permutation=(0, 0)))


def test_broadcasts():
    def to(make, shape, axes):
        return lambda m: m.sparse.bcoo_broadcast_in_dim(make(m), shape=shape, broadcast_dimensions=axes)

    same(to(matrix, (2, 3, 4), (1, 2)), to(matrix, (1, 3, 1, 4), (1, 3)), to(batched, (2, 5, 3, 4), (0, 2, 3)),
         to(with_dense, (2, 3, 4, 5), (0, 1, 2)), to(with_dense, (5, 2, 3, 4), (1, 2, 3)),
         to(with_dense, (2, 3, 1, 4), (0, 1, 3)), to(lambda m: batched(m)[:1], (2, 3, 4), (0, 1, 2)))
    refused(to(matrix, (3, 2, 4), (0, 2)), to(matrix, (3, 4, 2), (0, 1)), to(batched, (5, 2, 3, 4), (1, 2)),
            to(batched, (5, 2, 2, 4), (1, 2, 3)))


def test_concatenations():
    def of(dimension, *makes):
        return lambda m: m.sparse.bcoo_concatenate([make(m) for make in makes], dimension=dimension)

    same(of(0, matrix, matrix), of(1, matrix, odd), of(0, batched, lambda m: matrix(m, STACK, n_batch=1, nse=5)),
         of(1, batched, batched), of(0, with_dense, with_dense), of(1, with_dense, with_dense))
    refused(of(2, with_dense, with_dense), of(2, batched, with_dense), of(-1, matrix, matrix), of(2, matrix, matrix),
            of(0, matrix, lambda m: m.np.asarray(M)), of(0, matrix, lambda m: matrix(m).T), of(0, matrix, batched),
            of(0, matrix, lambda m: matrix(m, M.astype(np.int32))), of(0))


def test_reshapes():
    same(lambda m: matrix(m).reshape(4, 3), lambda m: matrix(m).reshape(-1), lambda m: matrix(m).reshape((1, 12)),
         lambda m: matrix(m).reshape((4, 3), order="F"), lambda m: batched(m).reshape(2, 12),
         lambda m: batched(m).reshape(2, 1, 4, 3), lambda m: with_dense(m).reshape(6, 2, 2),
         lambda m: with_dense(m).reshape(2, 3, 1, 4), lambda m: with_dense(m).reshape(2, 3, 4, 1),
         lambda m: matrix(m, nse=6).reshape(2, 6),
         lambda m: m.sparse.bcoo_reshape(batched(m), new_sizes=(2, 12), dimensions=(0, 2, 1)))
    refused(lambda m: batched(m).reshape(6, 4), lambda m: with_dense(m).reshape(24), lambda m: matrix(m).reshape(5))


def test_reversals_and_squeezes():
    rev = lambda make, *axes: lambda m: m.sparse.bcoo_rev(make(m), axes)
    squeeze = lambda make, *axes: lambda m: m.sparse.bcoo_squeeze(make(m), dimensions=axes)
    same(rev(matrix, 0), rev(lambda m: matrix(m, nse=6), 0, 1), rev(batched, 0, 1), rev(with_dense, 2),
         squeeze(lambda m: matrix(m)[:, :1], 1), squeeze(lambda m: batched(m)[:1], 0), squeeze(matrix))
    refused(rev(matrix, 2), rev(matrix, -1), squeeze(matrix, 0))


def test_indices_from_behind_are_reversed_and_reshaped():
    x = sparse.BCOO((jnp.array([1., 2.]), jnp.array([[-1, 0], [0, -3]])), shape=(3, 4))
    assert sparse.bcoo_rev(x, (0, 1)).todense().tolist() == x.todense()[::-1, ::-1].tolist()
    assert x.reshape(2, 6).todense().tolist() == x.todense().reshape(2, 6).tolist()


def test_sums_over_axes():
    of = lambda make, *axes: lambda m: m.sparse.bcoo_reduce_sum(make(m), axes=axes)
    same(of(matrix, 0, 1), of(matrix, 1), of(batched, 0, 2), of(batched, 0), of(with_dense, 0, 2), of(odd, 1),
         of(odd, 0), lambda m: matrix(m).sum(), lambda m: matrix(m).sum(1, keepdims=True), lambda m: batched(m).sum(0))
    refused(of(matrix, 2), of(matrix, -1))


def test_slices():
    def of(make, start, limit, strides=None):
        return lambda m: m.sparse.bcoo_slice(make(m), start_indices=start, limit_indices=limit, strides=strides)

    same(of(matrix, (0, 1), (2, 3)), of(matrix, (0, 1), (3, 4), (2, 2)), of(matrix, (0, 1), (1, 3)),
         of(batched, (1, 0, 0), (2, 2, 4)), of(with_dense, (1, 0, 0), (2, 2, 3)), of(odd, (0, 0), (3, 3)),
         of(matrix, (1, 0), (1, 2)))
    refused(of(matrix, (0, 1), (2, 7)), of(matrix, (0,), (2,)), of(matrix, (-1, 0), (2, 2)),
            of(matrix, (2, 0), (1, 2)), of(matrix, (0, 0), (1, 2), (0, 1)))


def test_dynamic_slices():
    of = lambda make, start, sizes: lambda m: m.sparse.bcoo_dynamic_slice(make(m), start, sizes)
    same(of(matrix, (0, 1), (2, 2)), of(matrix, (7, -3), (1, 2)), of(batched, (1, 1, 0), (1, 2, 2)),
         of(with_dense, (1, 1, 0), (1, 2, 2)),
         lambda m: m.jax.jit(lambda x, i: m.sparse.bcoo_dynamic_slice(x, (i, 0), (1, 4)))(matrix(m), 2))
    refused(of(matrix, (0,), (1, 2)), of(matrix, (0, 0), (4, 2)), of(matrix, (0., 0), (2, 2)))


def test_indices():
    same(*[lambda m, f=f: f(matrix(m), m.np) for f in (
        lambda x, np_: x[0], lambda x, np_: x[-1], lambda x, np_: x[0, 1], lambda x, np_: x[None],
        lambda x, np_: x[:, 1:3], lambda x, np_: x[:, ::2], lambda x, np_: x[::-1], lambda x, np_: x[..., 0],
        lambda x, np_: x[np_.array([0, 2])], lambda x, np_: x[:, np_.array([0, 2])],
        lambda x, np_: x[np_.array([0, 2]), np_.array([1, 2])], lambda x, np_: x[np_.array([[0, 1], [2, 2]])],
        lambda x, np_: x[np_.array([5])], lambda x, np_: x[5], lambda x, np_: list(x),
    )])
    same(lambda m: batched(m)[..., 0], lambda m: matrix(m, STACK)[0, :, m.np.array([1, 2])],
         lambda m: m.jax.jit(lambda x, i: x[i])(matrix(m), 1))
    x = sparse.BCOO.fromdense(jnp.asarray(M))
    assert x[jnp.array([True, False, True])].todense().tolist() == M[[0, 2]].tolist()
    refused(lambda m: matrix(m)[0, 0, 0], lambda m: matrix(m)[0.5])


def test_gathers():
    numbers = lambda m, *axes: m.jax.lax.GatherDimensionNumbers(*axes)
    same(lambda m: m.sparse.bcoo_gather(matrix(m), m.np.array([[0], [2]]), numbers(m, (1,), (0,), (0,)), (1, 4)))
    refused(lambda m: m.sparse.bcoo_gather(matrix(m), m.np.array([[0], [2]]), numbers(m, (1,), (0,), (0,)), (1, 4),
                                           mode=m.jax.lax.GatherScatterMode.FILL_OR_DROP))


def test_layouts_change():
    to = lambda make, **layout: lambda m: make(m).update_layout(on_inefficient=None, **layout)
    same(to(matrix, n_batch=1), to(matrix, n_dense=1), to(matrix, n_batch=1, n_dense=1), to(batched, n_batch=0),
         to(with_dense, n_dense=0), to(batched, n_batch=0, n_dense=1), to(with_dense, n_batch=1),
         to(lambda m: matrix(m, STACK, n_batch=2, nse=2), n_batch=1), to(lambda m: matrix(m, STACK), n_batch=2))
    refused(lambda m: matrix(m).update_layout(n_batch=1), lambda m: matrix(m).update_layout(n_dense=1),
            lambda m: matrix(m).update_layout(n_dense=2, n_batch=1), lambda m: matrix(m).update_layout(n_batch=-1),
            lambda m: matrix(m).update_layout(n_dense=1, on_inefficient="loud"))
    with pytest.warns(sparse.SparseEfficiencyWarning, match="increasing n_dense from 0 to 1"):
        sparse.BCOO.fromdense(jnp.asarray(M)).update_layout(n_dense=1, on_inefficient="warn")


def test_batches_that_are_stored_once_are_written_out():
    x = sparse.BCOO((jnp.ones((1, 3)), jnp.array([[[0, 0], [0, 0], [1, 1]]])), shape=(2, 3, 4))
    dense = x.todense().tolist()
    assert dense[0] == dense[1] and dense[0][0][0] == 2
    assert x.update_layout(n_batch=0).todense().tolist() == dense
    assert x.reshape(2, 12).todense().reshape(2, 3, 4).tolist() == dense
    assert sparse.bcoo_concatenate([x, x], dimension=0).todense().tolist() == dense + dense
