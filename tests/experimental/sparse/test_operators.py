"""Operators of `BCOO` arrays with sparse ones, dense ones, numbers and NumPy's arrays, beside real JAX."""

from __future__ import annotations

import numpy as np

import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import M, batched, matrix, odd, refused, same, with_dense


def test_operators():
    dense = lambda m: m.np.asarray(M + 1)
    same(lambda m: matrix(m) + matrix(m), lambda m: matrix(m) + dense(m), lambda m: dense(m) + matrix(m),
         lambda m: matrix(m) - matrix(m), lambda m: matrix(m) * dense(m), lambda m: dense(m) * matrix(m),
         lambda m: 2 * matrix(m), lambda m: matrix(m) / 2, lambda m: matrix(m) / dense(m), lambda m: -matrix(m),
         lambda m: +matrix(m), lambda m: abs(odd(m)), lambda m: odd(m) ** 2, lambda m: matrix(m) * m.np.arange(4.),
         lambda m: matrix(m) @ m.np.ones(4), lambda m: m.np.ones((2, 3)) @ matrix(m), lambda m: matrix(m) @ matrix(m).T,
         lambda m: batched(m) @ m.np.ones((4, 2)), lambda m: batched(m) + batched(m),
         lambda m: with_dense(m) + with_dense(m), lambda m: matrix(m).astype("int32"))


def test_operators_that_are_refused():
    refused(lambda m: 2 / matrix(m), lambda m: matrix(m) - m.np.asarray(M), lambda m: m.np.asarray(M) - matrix(m),
            lambda m: matrix(m) + 1, lambda m: 2 ** matrix(m), lambda m: matrix(m) ** 2.5, lambda m: matrix(m) ** -1,
            lambda m: matrix(m) / matrix(m), lambda m: matrix(m) ** matrix(m), lambda m: matrix(m) == matrix(m),
            lambda m: matrix(m) + m.np.ones(3), lambda m: matrix(m) * m.np.ones(3), lambda m: hash(matrix(m)),
            lambda m: matrix(m) @ [1., 2., 3., 4.], lambda m: batched(m) + with_dense(m), lambda m: m.np.sin(matrix(m)),
            lambda m: matrix(m) != matrix(m), lambda m: matrix(m) < 2., lambda m: matrix(m) <= m.np.asarray(M),
            lambda m: matrix(m) > matrix(m), lambda m: matrix(m) >= 1.)


def test_arrays_of_numpy_leave_operators_to_sparse_ones():
    x = sparse.BCOO.fromdense(jnp.asarray(M))
    assert (np.ones((2, 3), np.float32) @ x).tolist() == [M.sum(0).tolist()] * 2
    assert (np.ones((3, 4), np.float32) + x).tolist() == (M + 1).tolist()
    assert (np.float32(2) * x).todense().tolist() == (2 * M).tolist()
