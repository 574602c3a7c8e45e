"""Products of `BCOO` arrays, element by element, over contracted axes, and convolutions, beside real JAX."""

from __future__ import annotations

import numpy as np

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import STACK, M, batched, matrix, odd, refused, same, with_dense


def product(lhs, rhs, contract, batch=((), ()), **options):
    """A program that multiplies; operands are functions of the modules, or dense arrays."""
    make = lambda x, m: x(m) if callable(x) else m.np.asarray(x)
    return lambda m: m.sparse.bcoo_dot_general(
        make(lhs, m), make(rhs, m), dimension_numbers=(contract, batch), **options)


ONES = np.ones(4, np.float32)
RANDOM = np.random.default_rng(0).normal(size=(2, 4, 3)).astype(np.float32)


def test_products_with_dense_arrays():
    same(product(matrix, ONES, ((1,), (0,))), product(matrix, RANDOM[0], ((1,), (0,))),
         product(RANDOM[0], matrix, ((1,), (0,))), product(odd, RANDOM[0], ((1,), (0,))),
         product(odd, RANDOM[0], ((0,), (1,))), product(matrix, RANDOM[0].T, ((0, 1), (0, 1))),
         product(matrix, ONES[:2], ((), ())), product(batched, RANDOM, ((2,), (1,)), ((0,), (0,))),
         product(batched, RANDOM[:, 0], ((1,), (1,)), ((0,), (0,))), product(batched, ONES, ((2,), (0,))),
         product(batched, ONES[:2], ((0,), (0,))), product(with_dense, ONES[:3], ((1,), (0,))),
         product(RANDOM, batched, ((2,), (1,)), ((0,), (0,))),
         product(lambda m: matrix(m, STACK, n_batch=2, nse=2), RANDOM.swapaxes(0, 2), ((2,), (1,)), ((1, 0), (0, 2))),
         product(lambda m: matrix(m, M.astype(np.int32)), ONES, ((1,), (0,))),
         product(matrix, ONES, ((1,), (0,)), preferred_element_type=np.float16),
         product(lambda m: matrix(m).astype("float16"), ONES, ((1,), (0,))))
    refused(product(matrix, np.ones(5, np.float32), ((1,), (0,))), product(with_dense, ONES, ((2,), (0,))),
            product(matrix, RANDOM[0].T, ((1,), (1,)), ((0,), (0,))))


def test_products_of_sparse_arrays():
    small = lambda m: matrix(m, np.eye(4, 5, 1, np.float32) * 2)
    same(product(matrix, small, ((1,), (0,))), product(matrix, matrix, ((1,), (1,))),
         product(matrix, matrix, ((0, 1), (0, 1))), product(matrix, matrix, ((), ())),
         product(batched, batched, ((2,), (2,)), ((0,), (0,))), product(batched, matrix, ((2,), (1,))),
         lambda m: (matrix(m) @ small(m)).todense())
    refused(product(matrix, matrix, ((1,), (1,)), ((0,), (0,))), product(matrix, batched, ((1,), (2,))),
            product(batched, batched, ((0,), (0,))), product(with_dense, with_dense, ((1,), (1,)), ((0,), (0,))))


def test_sampled_products():
    at = np.array([[0, 0], [1, 2], [4, 4], [-1, 0]], np.int32)
    of = lambda a, b, contract, at=at, batch=((), ()): lambda m: m.sparse.bcoo_dot_general_sampled(
        m.np.asarray(a), m.np.asarray(b), m.np.asarray(at), dimension_numbers=(contract, batch))
    same(of(M, M.T, ((1,), (0,))), of(M[:, 0], ONES, ((), ())),
         of(STACK, STACK, ((2,), (2,)), np.stack([at[:2], at[:2]]), ((0,), (0,))))


def test_products_element_by_element():
    dense = lambda v: lambda m: m.sparse.bcoo_multiply_dense(matrix(m), m.np.asarray(v))
    same(dense(M), dense(ONES), dense(M[:, :1]),
         lambda m: m.sparse.bcoo_multiply_dense(odd(m), m.np.ones(4, "float32")),
         lambda m: m.sparse.bcoo_multiply_dense(batched(m), m.np.asarray(M)),
         lambda m: m.sparse.bcoo_multiply_sparse(matrix(m), matrix(m)), lambda m: odd(m) * odd(m),
         lambda m: m.sparse.bcoo_multiply_sparse(batched(m), batched(m)), lambda m: with_dense(m) * with_dense(m),
         lambda m: batched(m) * matrix(m, STACK), lambda m: matrix(m) * matrix(m, M[:1]))
    refused(dense(STACK), lambda m: m.sparse.bcoo_multiply_sparse(batched(m), matrix(m)),
            lambda m: m.sparse.bcoo_multiply_sparse(matrix(m), matrix(m).T), lambda m: batched(m) * with_dense(m))


def test_convolutions():
    signal = lambda m: matrix(m, M.reshape(1, 1, 12))
    kernel = lambda m: matrix(m, np.array([[[1, 2, 3]]], np.float32))
    of = lambda padding, **options: lambda m: m.sparse.bcoo_conv_general_dilated(
        signal(m), kernel(m), **{"window_strides": (1,), "padding": padding, **options})
    same(of("SAME"), of("VALID"), of([(1, 2)]))
    refused(of("SAME", window_strides=(2,)), of("SAME", lhs_dilation=(2,)))


def test_derivatives_of_products():
    def gradients(m):
        at, (data, rhs) = odd(m).indices, (odd(m).data, m.np.asarray(RANDOM[0]))
        mat = lambda d: m.sparse.BCOO((d, at), shape=(3, 4))
        dense = lambda d, r: ((mat(d) @ r) ** 2).sum()
        turned = lambda d, r: (m.np.sin(r.T[:, :3] @ mat(d))).sum()
        return [m.jax.grad(dense, (0, 1))(data, rhs), m.jax.grad(turned, (0, 1))(data, rhs),
                m.jax.jvp(dense, (data, rhs), (data, rhs)), m.jax.hessian(lambda d: dense(d, rhs))(data)]

    same(gradients)


def test_products_of_sparse_arrays_have_gradients():
    x, y = sparse.BCOO.fromdense(jnp.asarray(M)), sparse.BCOO.fromdense(jnp.asarray(M.T))
    found = ad.grad(lambda d: ((sparse.BCOO((d, x.indices), shape=x.shape) @ y).todense() ** 2).sum())(x.data)
    dense = ad.grad(lambda d: ((d @ M.T) ** 2).sum())(jnp.asarray(M))
    assert found.tolist() == dense[x.indices[:, 0], x.indices[:, 1]].tolist()


def test_a_product_under_vmap_is_a_loop():
    x = sparse.BCOO.fromdense(jnp.asarray(M))
    vectors = jnp.asarray(RANDOM[0].T)
    together = ad.vmap(lambda v: x @ v)(vectors)
    assert np.allclose(together, np.stack([M @ v for v in RANDOM[0].T]), atol=1e-6)
    by_data = ad.vmap(lambda d: sparse.BCOO((d, x.indices), shape=x.shape) @ vectors[0])(
        jnp.stack([x.data, 2 * x.data]))
    assert np.allclose(by_data[1], 2 * by_data[0])
