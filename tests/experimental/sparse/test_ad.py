"""`sparse.grad` and its kin: derivatives by sparse arrays have their indices, beside real JAX."""

from __future__ import annotations

import numpy as np
import pytest

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


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
@pytest.mark.parametrize("name", ["matvec", "todense", "transpose", "sum", "sorted", "duplicates", "bcsr"])
def test_narrow_floats_have_gradients(name, dtype):
    indices = np.array([[0, 1], [1, 0], [2, 2]])
    x = jnp.array([1.0, 2.0, 0.5], dtype)
    matrix = lambda d: sparse.BCOO((d, jnp.asarray(indices)), shape=(3, 3))
    results = {
        "matvec": lambda d: matrix(d) @ x, "todense": lambda d: matrix(d).todense(),
        "transpose": lambda d: matrix(d).T.todense(), "sum": lambda d: matrix(d).sum(0).todense(),
        "sorted": lambda d: matrix(d).sort_indices().data, "duplicates": lambda d: matrix(d).sum_duplicates(nse=3).data,
        "bcsr": lambda d: sparse.BCSR((d, jnp.array([1, 0, 2]), jnp.arange(4)), shape=(3, 3)) @ x,
    }
    loss = lambda d: (results[name](d) ** 2).sum()
    weights = np.array([4.0, 1.0, 0.25]) if name in ("matvec", "bcsr") else np.ones(3)
    out = ad.grad(loss)(x)
    assert out.dtype == x.dtype
    np.testing.assert_array_equal(out.astype(np.float32), 2 * weights * np.array([1.0, 2.0, 0.5]))
