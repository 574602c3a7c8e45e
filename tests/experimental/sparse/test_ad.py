"""`sparse.grad` and its kin: derivatives by sparse arrays have their indices, beside real JAX."""

from __future__ import annotations

import numpy as np

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.experimental import sparse

from .parity import batched, matrix, refused, same


def test_gradients():
    v = lambda m: m.np.arange(1., 5., dtype="float32")
    loss = lambda x, v: ((x @ v) ** 2).sum()
    same(lambda m: m.sparse.grad(loss)(matrix(m), v(m)), lambda m: m.sparse.grad(loss, argnums=(0, 1))(matrix(m), v(m)),
         lambda m: m.sparse.value_and_grad(loss)(batched(m), v(m)),
         lambda m: m.sparse.grad(lambda x: (loss(x, v(m)), x), has_aux=True)(matrix(m)),
         lambda m: m.sparse.value_and_grad(lambda x: (loss(x, v(m)), x.data), has_aux=True)(matrix(m)),
         lambda m: m.sparse.grad(lambda p: loss(p["m"], p["v"]))({"m": matrix(m), "v": v(m)}),
         lambda m: m.sparse.grad(loss)(m.sparse.CSR.fromdense(matrix(m).todense(), nse=4), v(m)),
         lambda m: m.sparse.grad(loss)(m.sparse.BCSR.fromdense(matrix(m).todense(), nse=4), v(m)))
    refused(lambda m: m.sparse.grad(lambda x: x @ v(m))(matrix(m)),
            lambda m: m.sparse.grad(lambda x: x.sum(), argnums=3)(matrix(m)),
            lambda m: m.sparse.grad(lambda x: (x @ v(m)).sum())(matrix(m).astype("int32")))


def test_jacobians():
    v, f = (lambda m: m.np.arange(1., 5., dtype="float32")), lambda x, v: m_sin(x @ v)
    m_sin = lambda x: x * x
    same(*[lambda m, name=name: getattr(m.sparse, name)(f)(matrix(m), v(m)) for name in ("jacfwd", "jacrev")],
         lambda m: m.sparse.jacfwd(f, argnums=(0, 1))(matrix(m), v(m)),
         lambda m: m.sparse.jacrev(lambda x: (x @ v(m), x.data), has_aux=True)(batched(m)),
         lambda m: m.sparse.jacfwd(lambda x: x @ m.np.ones((4, 2)))(matrix(m)),
         lambda m: m.sparse.jacrev(lambda x: x.sum())(matrix(m)))
    assert sparse.jacobian is sparse.jacrev


def test_jacobians_of_trees():
    found = sparse.jacrev(lambda x: {"a": x @ jnp.ones(2), "b": x.sum()})(sparse.eye(2))
    assert found["a"].shape == (2, 2, 2) and np.array_equal(found["b"].todense(), np.eye(2))
    assert found["a"].todense().tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]


def test_derivatives_compose_with_jit():
    g = ad.jit(sparse.grad(lambda x: (x.todense() ** 3).sum()))(2 * sparse.eye(3))
    assert g.data.tolist() == [12, 12, 12]
