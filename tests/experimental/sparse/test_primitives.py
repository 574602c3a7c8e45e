"""Sparse primitives, which are programs: their rules are tried by `tests/prims`, engines and strict modes here."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as jnp
from adjoint.core.primitive import Primitive
from adjoint.experimental import sparse

M = np.array([[0, 1, 0, 2], [3, 0, 0, 0], [0, 0, 4, 0]], np.float32)
PRIMITIVES = [p for name in dir(sparse) if isinstance(p := getattr(sparse, name), Primitive)]


def test_every_primitive_has_a_program_and_examples():
    assert len(PRIMITIVES) >= 21
    assert all([p.expand_rule is not None and p.example_calls for p in PRIMITIVES])


@pytest.mark.parametrize("engine", ["numpy", "native", "xla"])
def test_every_engine_runs_them(engine):
    if engine == "xla":
        pytest.importorskip("jaxlib")
    before = ad.config.cpu_engine
    ad.config.update("cpu_engine", engine)
    try:
        x = sparse.BCOO.fromdense(jnp.asarray(M))
        v = jnp.arange(4, dtype=M.dtype)
        out = ad.jit(lambda x, v: ((x @ v), x.T.sort_indices().data, (x @ x.T).todense()))(x, v)
        assert np.allclose(out[0], M @ np.arange(4))
        assert out[1].tolist() == [3, 1, 4, 2] and np.allclose(out[2], M @ M.T)
    finally:
        ad.config.update("cpu_engine", before)


def test_programs_hold_in_strict_modes():
    with ad.numpy_rank_promotion("raise"), ad.numpy_dtype_promotion("strict"), ad.enable_x64(True):
        x = sparse.BCOO.fromdense(jnp.asarray(M))
        y = sparse.BCOO.fromdense(jnp.stack([x.todense(), x.todense()]), n_batch=1)
        results = (x @ jnp.ones(4, jnp.float32), x + x, x * x, x @ x.T, x[0], x[:, jnp.array([0, 2])], x.sum(0),
                   x.T.sort_indices(), (x + x).sum_duplicates(), y.update_layout(n_batch=0), y.reshape(2, 12),
                   sparse.BCSR.from_bcoo(x) @ jnp.ones(4, jnp.float32), sparse.eye(3, dtype=jnp.float32) @ x.todense())
        assert all([r.dtype == np.float32 for r in results])
        g = ad.grad(lambda d: ((sparse.BCOO((d, x.indices), shape=x.shape) @ x.todense().T) ** 2).sum())(x.data)
        assert g.dtype == np.float32
