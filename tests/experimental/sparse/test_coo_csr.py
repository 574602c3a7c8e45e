"""`COO`, `CSR` and `CSC` matrices, beside real JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import M, refused, same


def make(name, **options):
    return lambda m: getattr(m.sparse, name).fromdense(m.np.asarray(M), **{"nse": 4, **options})


def coo(m):
    parts = np.arange(1, 4, dtype=np.float32), np.array([0, 5, -1], np.int32), np.array([1, 9, 1], np.int32)
    return m.sparse.COO(tuple(map(m.np.asarray, parts)), shape=(3, 4))


@compiling
@pytest.mark.parametrize("name", ["COO", "CSR", "CSC"])
def test_matrices(name):
    x, v, b = make(name), np.arange(1, 5, dtype=np.float32), np.arange(8, dtype=np.float32).reshape(4, 2)
    same(x, make(name, nse=6), make(name, nse=2), lambda m: x(m).T, lambda m: x(m).todense(),
         lambda m: x(m).T.todense(), lambda m: x(m) @ m.np.asarray(v), lambda m: x(m) @ m.np.asarray(b),
         lambda m: x(m).T @ m.np.asarray(v[:3]), lambda m: x(m) @ m.np.arange(4),
         lambda m: x(m) @ m.np.ones(4, "float16"))
    refused(lambda m: m.jax.jit(getattr(m.sparse, name).fromdense)(M), lambda m: x(m) @ m.np.ones(3),
            lambda m: getattr(m.sparse, name).fromdense(m.np.ones(3)))


def test_functions():
    v = np.arange(1, 4, dtype=np.float32)
    csr, of_coo = make("CSR"), make("COO")
    same(lambda m: m.sparse.csr_matvec(csr(m), m.np.asarray(v), transpose=True),
         lambda m: m.sparse.csr_matmat(csr(m), m.np.asarray(M), transpose=True),
         lambda m: m.sparse.coo_matvec(of_coo(m), m.np.asarray(v), transpose=True),
         lambda m: m.sparse.coo_matmat(of_coo(m), m.np.asarray(M), transpose=True),
         lambda m: coo(m).todense(), lambda m: coo(m) @ m.np.arange(1., 5.), lambda m: of_coo(m).T._sort_indices())
    refused(lambda m: m.sparse.coo_matvec(of_coo(m), m.np.asarray(v)),
            lambda m: m.sparse.csr_matvec(csr(m), m.np.arange(4)),
            lambda m: m.sparse.coo_matmat(of_coo(m), m.np.ones((3, 2))))


@pytest.mark.parametrize("name", ["COO", "CSR"])
def test_derivatives(name):
    def gradients(m):
        x, v = make(name)(m), m.np.arange(1., 5.)
        other = x.tree_flatten()[0][1:]
        mat = lambda d: getattr(m.sparse, name)((d, *other), shape=x.shape)
        from_dense = getattr(m.sparse, f"{name.lower()}_fromdense")
        return [m.jax.grad(lambda d, v: ((mat(d) @ v) ** 2).sum(), (0, 1))(x.data, v),
                m.jax.grad(lambda d: (mat(d) @ m.np.ones((4, 2))).sum())(x.data),
                m.jax.grad(lambda d: (mat(d).todense() ** 2).sum())(x.data),
                m.jax.grad(lambda y: (from_dense(y, nse=4).data ** 2).sum())(m.np.asarray(M))]

    same(gradients)


@pytest.mark.parametrize("name", ["COO", "CSR"])
def test_products_are_mapped(name):
    x = getattr(sparse, name).fromdense(jnp.asarray(M))
    assert ad.vmap(lambda v: x @ v)(jnp.ones((2, 4))).tolist() == [M.sum(1).tolist()] * 2
