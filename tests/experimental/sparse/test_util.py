"""Parts that the formats share, and the helpers of tests of sparse arrays (`sparse.util`, `sparse.test_util`)."""

from __future__ import annotations

import unittest

import numpy as np
import pytest

import adjoint as jax
import adjoint.numpy as jnp
from adjoint.experimental import sparse
from adjoint.experimental.sparse import test_util, util

MATRIX = np.array([[1, 0, 2], [0, 0, 3]], np.float32)


def test_arguments_of_size_1_stand_for_all():
    assert util.broadcasting_vmap(jnp.dot)(jnp.ones((1, 2)), jnp.ones((3, 2))).tolist() == [2, 2, 2]
    assert util.broadcasting_vmap(jnp.multiply, in_axes=(0, None))(jnp.arange(3.0), 2.0).tolist() == [0, 2, 4]
    assert util.nfold_vmap(jnp.add, 2)(jnp.ones((1, 2)), jnp.ones((2, 2))).tolist() == [[2, 2], [2, 2]]
    with pytest.raises(ValueError, match="broadcasting_vmap: mismatched input shapes"):
        util.broadcasting_vmap(jnp.add)(jnp.ones(2), jnp.ones(3))
    with pytest.raises(ValueError, match="inconsistent sizes"):
        util.nfold_vmap(jnp.add, 1, broadcasted=False)(jnp.ones(1), jnp.ones(2))


def test_elements_are_counted_as_a_whole_and_for_each_batch():
    matrix = jnp.asarray(MATRIX)
    assert [int(util.count_stored(matrix, *layout)) for layout in ((), (1,), (0, 1))] == [3, 2, 2]
    assert util.count_stored_per_batch(matrix, 1).tolist() == [2, 1]
    assert util.count_stored_per_batch(matrix, 1, 1).tolist() == [1, 1]


def test_names_that_tests_of_jax_users_import():
    from adjoint.experimental.sparse.util import _coo_extract, _count_stored_elements, _csr_extract, _csr_to_coo

    indices, indptr = jnp.array([0, 2, 2]), jnp.array([0, 2, 3])
    assert [x.tolist() for x in _csr_to_coo(indices, indptr)] == [[0, 0, 1], [0, 2, 2]]
    assert _csr_extract(indices, indptr, MATRIX).tolist() == [1, 2, 3]
    assert _coo_extract(jnp.array([0, 1]), jnp.array([2, 2]), MATRIX).tolist() == [2, 3]
    assert int(_count_stored_elements(jnp.asarray(MATRIX))) == 3


@pytest.mark.parametrize("layout", list(test_util.iter_sparse_layouts((2, 3, 4))), ids=str)
@pytest.mark.parametrize("nse", [0, 2, 0.5])
def test_random_arrays_have_the_layout_and_number_of_elements(layout, nse):
    x = test_util.rand_bcoo(np.random.RandomState(0), nse=nse, n_batch=layout.n_batch, n_dense=layout.n_dense)(
        (2, 3, 4), np.float32)
    sizes = (2, 3, 4)[layout.n_batch : layout.n_batch + layout.n_sparse]
    assert (x.shape, x.n_batch, x.n_dense, x.n_sparse) == ((2, 3, 4), *layout)
    assert x.nse == min(nse if nse >= 1 else int(nse * np.prod(sizes)), np.prod(sizes))
    if layout.n_sparse and x.nse:
        first = np.reshape(x.indices, (-1, x.nse, layout.n_sparse))[0]
        assert len(np.unique(first, axis=0)) == x.nse


def test_sequences_of_layouts_and_subsets():
    assert [tuple(x) for x in test_util.iter_bcsr_layouts((2, 3, 4))] == [(0, 1, 2), (1, 0, 2)]
    assert list(test_util.iter_subsets((1, 2))) == [(), (1,), (2,), (1, 2)]
    dense = test_util.rand_sparse(np.random.RandomState(0), nse=3)((4, 5), np.float32)
    assert type(dense) is np.ndarray and np.count_nonzero(dense) == 3


class Products(test_util.SparseTestCase):
    def arguments(self):
        factor = np.float32(self.rng().uniform(size=(5, 3)))
        return [test_util.rand_bcoo(self.rng())((4, 5), np.float32), factor]

    def test_are_those_of_dense_arrays(self):
        self._CheckAgainstDense(jnp.matmul, lambda x, y: x @ y, self.arguments, tol=1e-5)
        self._CheckBatchingSparse(jnp.matmul, lambda x, y: x @ y, self.arguments, tol=1e-5)
        self._CheckGradsSparse(jnp.matmul, lambda x, y: x @ y, self.arguments, atol=1e-5, rtol=1e-5)

    def test_of_other_values_are_not(self):
        for check in (self._CheckAgainstDense, self._CheckBatchingSparse, self._CheckGradsSparse):
            with self.assertRaises(AssertionError):
                check(jnp.matmul, lambda x, y: x @ (y + y), self.arguments)

    def test_of_equal_arrays_are_equivalent(self):
        x, _ = self.arguments()
        self.assertSparseArraysEquivalent(x, x)
        with self.assertRaises(AssertionError):
            self.assertSparseArraysEquivalent(x, x + x)


def test_the_base_class_of_tests_finds_what_differs():
    result = unittest.defaultTestLoader.loadTestsFromTestCase(Products).run(unittest.TestResult())
    assert result.testsRun == 3 and not result.failures + result.errors, result.failures + result.errors


def test_elements_of_boolean_arrays_are_numbers():
    # As in JAX, whose sums of booleans are integers.
    mask = jnp.array([[True, False], [True, True]])
    x = sparse.BCOO.fromdense(mask)
    assert x.dtype == jnp.int32 and x.todense().tolist() == [[1, 0], [1, 1]]
    assert (x @ mask).tolist() == [[1, 0], [2, 1]] == (sparse.BCSR.fromdense(mask) @ mask).tolist()
    assert jax.jit(lambda x: x.T.todense())(x).tolist() == [[1, 1], [0, 1]]
