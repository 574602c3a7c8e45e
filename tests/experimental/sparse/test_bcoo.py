"""`BCOO` arrays from dense ones and back, their order, and elements that are specified several times."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import STACK, M, batched, matrix, odd, refused, same, with_dense


def test_elements_beyond_the_shape_are_none_and_repeated_ones_are_summed():
    same(lambda m: odd(m).todense(), lambda m: batched(m).todense(), lambda m: with_dense(m).todense(),
         lambda m: odd(m) @ m.np.arange(1., 5.), lambda m: m.np.arange(1., 4.) @ odd(m), lambda m: odd(m).sum(),
         lambda m: odd(m).sum(1), lambda m: odd(m).sum(0).todense())


def test_elements_of_a_dense_array_are_extracted():
    same(lambda m: m.sparse.bcoo_extract(odd(m), m.np.asarray(M)),
         lambda m: m.sparse.bcoo_extract(odd(m), m.np.asarray(M), assume_unique=True),
         lambda m: m.sparse.bcoo_extract(batched(m), m.np.asarray(STACK)),
         lambda m: m.sparse.bcoo_extract(with_dense(m), m.np.asarray(STACK)))
    refused(lambda m: m.sparse.bcoo_extract(matrix(m), m.np.asarray(M.T)),
            lambda m: m.sparse.bcoo_extract(m.np.asarray(M), m.np.asarray(M)))


def test_elements_are_sorted_and_put_together():
    same(lambda m: odd(m).sort_indices(), lambda m: matrix(m).T.sort_indices(),
         lambda m: batched(m).transpose((0, 2, 1)).sort_indices(),
         lambda m: with_dense(m).transpose((1, 0, 2)).sort_indices(),
         lambda m: odd(m).sum_duplicates(nse=6), lambda m: odd(m).sum_duplicates(nse=2),
         lambda m: (with_dense(m) + with_dense(m)).sum_duplicates(nse=7),
         lambda m: m.sparse.bcoo_sum_duplicates(batched(m) + batched(m), nse=5),
         lambda m: m.sparse.bcoo.bcoo_eliminate_zeros(matrix(m) * np.float32(0), nse=2))


def test_the_number_of_elements_is_counted_outside_of_transformations_alone():
    assert sparse.BCOO.fromdense(jnp.asarray(M)).nse == 4
    x = sparse.BCOO((jnp.array([1., 0., 3., 4.]), jnp.array([[0, 0], [1, 1], [0, 0], [5, 5]])), shape=(3, 4))
    assert (x.sum_duplicates().nse, x.sum_duplicates(remove_zeros=False).nse) == (1, 2)
    assert x.sum_duplicates().todense().tolist() == x.todense().tolist()
    refused(lambda m: m.jax.jit(m.sparse.BCOO.fromdense)(M),
            lambda m: m.jax.jit(lambda x: x.sum_duplicates())(matrix(m)))


def test_scipys_matrices_are_taken():
    scipy = pytest.importorskip("scipy.sparse")
    given = scipy.csr_matrix(M)
    for cls in (sparse.BCOO, sparse.BCSR):
        assert cls.from_scipy_sparse(given).todense().tolist() == M.tolist()
        with pytest.raises(NotImplementedError, match="n_dense"):
            cls.from_scipy_sparse(given, n_batch=1)


def test_derivatives_by_elements_and_by_dense_arrays():
    def gradients(m):
        at = m.np.asarray(np.array([[0, 1], [2, 0], [0, 1], [3, 4]], np.int32))
        dense = m.np.asarray(np.arange(12, dtype=np.float32).reshape(3, 4))
        by_data = lambda d: (m.sparse.BCOO((d, at), shape=(3, 4)).todense() * dense).sum()
        by_dense = lambda x: (m.sparse.BCOO.fromdense(x, nse=5).data ** 2).sum()
        summed = lambda d: (m.sparse.BCOO((d, at), shape=(3, 4)).sum_duplicates(nse=3).data ** 2).sum()
        sampled = lambda x: m.sparse.bcoo_extract(
            m.sparse.BCOO((m.np.ones(4), at), shape=(3, 4)), x, assume_unique=True).data.sum()
        return [m.jax.grad(by_data)(m.np.ones(4)), m.jax.grad(by_dense)(m.np.asarray(M)),
                m.jax.grad(sampled)(dense), m.jax.grad(summed)(m.np.arange(1., 5.))]

    same(gradients)


def test_what_is_extracted_once_has_one_derivative():
    at = jnp.array([[0, 1], [2, 0], [0, 1], [3, 4]])
    x = sparse.BCOO((jnp.ones(4), at), shape=(3, 4))
    found = ad.grad(lambda y: (sparse.bcoo_extract(x, y).data * jnp.arange(1., 5.)).sum())(jnp.ones((3, 4)))
    assert found.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [2, 0, 0, 0]]


def test_vmap_maps_over_batch_axes():
    same(lambda m: m.jax.vmap(lambda x: x @ m.np.ones(4))(batched(m)),
         lambda m: m.jax.vmap(lambda x: 2 * x)(batched(m)),
         lambda m: m.jax.vmap(lambda x, v: x @ v, (None, 0))(matrix(m), m.np.asarray(STACK[:, 0])),
         lambda m: m.jax.vmap(lambda x: m.sparse.BCOO.fromdense(x, nse=2))(m.np.asarray(M)),
         lambda m: m.jax.vmap(lambda d: m.sparse.BCOO((d, matrix(m).indices), shape=(3, 4)).todense())(
             m.np.arange(8.).reshape(2, 4)),
         lambda m: m.jax.vmap(lambda x: x.sort_indices().data, in_axes=1)(matrix(m, STACK, n_batch=2, nse=2)))
    refused(lambda m: m.jax.vmap(lambda x: x * 2)(matrix(m)),
            lambda m: m.jax.vmap(lambda x, y: x * 2)(batched(m), m.np.ones(3)))


def test_values_of_mapped_sparse_arrays_have_their_calls_shape():
    shapes = []
    ad.vmap(lambda x: shapes.append((x.shape, x.n_batch)) or x.data)(
        sparse.BCOO.fromdense(jnp.asarray(STACK), n_batch=1))
    assert shapes == [((3, 4), 0)]


def test_a_weak_array_has_weak_elements():
    """As long as nothing is added up."""
    weak, strong = jnp.full((2, 3), 1.0), jnp.ones((2, 3))
    for layout in {}, dict(nse=3), dict(n_batch=1), dict(n_dense=1):
        x = sparse.BCOO.fromdense(weak, **layout)
        assert x.data.weak_type and not x.indices.weak_type and not x.todense().weak_type
        assert not sparse.BCOO.fromdense(strong, **layout).data.weak_type
    x = sparse.BCOO.fromdense(weak)
    assert x.T.data.weak_type and sparse.BCSR.fromdense(weak).data.weak_type and not x.sum(0).data.weak_type
    assert ad.jit(lambda x: sparse.BCOO.fromdense(x, nse=3))(weak).data.weak_type
