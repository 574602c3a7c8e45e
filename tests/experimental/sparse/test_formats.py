"""The formats of sparse arrays: their types, how they are printed, trees of them, and buffers that do not fit."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import STACK, M, batched, matrix, refused, same, with_dense


def test_sparse_arrays_are_printed_as_in_jax():
    dense = jnp.asarray(M)
    texts = [str(f.fromdense(dense)) for f in (sparse.BCOO, sparse.BCSR, sparse.COO, sparse.CSR, sparse.CSC)]
    assert texts == [f"{name}(float32[3, 4], nse=4)" for name in ("BCOO", "BCSR", "COO", "CSR", "CSC")]
    stack = jnp.asarray(STACK)
    assert repr(sparse.BCOO.fromdense(stack, n_batch=1)) == "BCOO(float32[2, 3, 4], nse=4, n_batch=1)"
    assert repr(sparse.BCOO.fromdense(stack, n_dense=1)) == "BCOO(float32[2, 3, 4], nse=6, n_dense=1)"
    traced = []
    ad.jit(lambda x: traced.append(repr(x)))(sparse.eye(2, dtype="float32"))
    assert traced == ["DynamicJaxprTracer[BCOO(float32[2, 2], nse=2)]"]


def test_properties_say_how_an_array_is_laid_out():
    x = sparse.BCOO.fromdense(jnp.asarray(STACK), n_batch=1)
    assert (x.nse, x.n_batch, x.n_sparse, x.n_dense) == (4, 1, 2, 0)
    assert (x.size, x.ndim, x.shape, x.dtype, len(x)) == (24, 3, (2, 3, 4), np.float32, 2)
    assert x.block_until_ready() is x


@pytest.mark.parametrize("name", ["BCOO", "BCSR", "COO", "CSR", "CSC"])
@pytest.mark.parametrize("kind", [jnp.int32, np.int64, int])
def test_lengths_of_shapes_may_be_integers_of_any_kind(name, kind):
    x = getattr(sparse, name).fromdense(jnp.asarray(M))
    made = type(x)(x._bufs, shape=[kind(n) for n in M.shape])
    assert made.shape == M.shape and {type(n) for n in made.shape} == {int}
    assert ad.tree.structure(made).num_leaves == len(x._bufs) and made.todense().tolist() == M.tolist()
    with pytest.raises(TypeError, match="Shapes must be 1D sequences of concrete values of integer type"):
        type(x)(x._bufs, shape=(3., 4))


@pytest.mark.parametrize("name", ["BCOO", "BCSR", "COO", "CSR", "CSC"])
def test_sparse_arrays_are_trees(name):
    x = getattr(sparse, name).fromdense(jnp.asarray(M))
    leaves, tree = ad.tree.flatten(x)
    assert ad.tree.unflatten(tree, leaves).todense().tolist() == M.tolist()
    assert hash(tree) == hash(ad.tree.structure(x)) and tree == ad.tree.structure(x)
    assert ad.jit(lambda x: x)(x).todense().tolist() == M.tolist()
    assert "<invalid>" in repr(ad.tree.map(lambda _: None, x))


def test_buffers_that_do_not_fit_are_refused():
    def bcoo(data, indices, shape):
        return lambda m: m.sparse.BCOO((m.np.ones(data), m.np.zeros(*indices)), shape=shape)

    refused(
        bcoo(3, ((2, 2), int), (3, 4)), bcoo(3, ((3, 2), float), (3, 4)), bcoo(3, ((3, 3), int), (3, 4)),
        bcoo(3, (3, int), (3,)), bcoo((2, 3), ((3, 3, 2), int), (3, 4, 5)),
    )

    def bcsr(data, indices, indptr, shape):
        return lambda m: m.sparse.BCSR((m.np.ones(data), m.np.zeros(*indices), m.np.zeros(indptr, int)), shape=shape)

    refused(
        bcsr(3, (2, int), 4, (3, 4)), bcsr(3, (3, int), 3, (3, 4)), bcsr(3, (3, float), 4, (3, 4)),
        bcsr((2, 3), ((2, 3), int), (2, 4), (5, 3, 4)),
    )


@pytest.mark.parametrize("name", ["COO", "CSR", "CSC"])
def test_other_formats_have_no_operators_but_the_product(name):
    make = lambda m: getattr(m.sparse, name).fromdense(m.np.asarray(M))
    refused(lambda m: make(m) + make(m), lambda m: make(m) * 2, lambda m: -make(m), lambda m: make(m).sum(),
            lambda m: make(m)[0], lambda m: make(m) @ make(m), lambda m: m.np.ones(3) @ make(m),
            lambda m: make(m) @ m.np.ones((4, 2, 2)), lambda m: make(m) @ m.np.ones(3))


def test_layouts_are_those_of_jax():
    same(lambda m: matrix(m, nse=6), lambda m: matrix(m, nse=2), batched, with_dense,
         lambda m: matrix(m, STACK, n_batch=2, nse=2), lambda m: matrix(m, M[0]),
         lambda m: matrix(m, np.float32(3)), lambda m: matrix(m, M.astype(np.int32), index_dtype=m.np.int8))
