"""Whole artifacts go from JAX to adjoint and back; JAX wants the package flatbuffers for that."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint as ad

x = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], np.float32)
pytest.importorskip("flatbuffers")


def programs(m):
    b, = m.export.symbolic_shape("b")
    struct = m.ShapeDtypeStruct((b, 3), np.float32)
    run = lambda x: {"a": m.numpy.cumsum(x, 0) * x.shape[0], "b": [m.nn.softmax(x), None]}
    return {"numbers": m.export.export(m.jit(run))(x), "symbolic": m.export.export(m.jit(run))(struct),
            "platforms": m.export.export(m.jit(run), platforms=["tpu", "cpu"])(x)}


@pytest.mark.parametrize("name", ["numbers", "symbolic", "platforms"])
@pytest.mark.parametrize("of, to", [(jax, ad), (ad, jax)])
def test_artifacts_are_read(name, of, to):
    loaded = to.export.deserialize(bytearray(programs(of)[name].serialize(vjp_order=1)))
    want = programs(to)[name]
    assert str(loaded.in_avals) == str(want.in_avals) and str(loaded.out_avals) == str(want.out_avals)
    assert str(loaded.in_tree) == str(want.in_tree) and str(loaded.out_tree) == str(want.out_tree)
    assert loaded.platforms == want.platforms and loaded.module_kept_var_idx == want.module_kept_var_idx
    got, known = loaded.call(x), want.call(x)
    for leaf in (lambda t: t["a"], lambda t: t["b"][0]):
        np.testing.assert_allclose(leaf(got), leaf(known), rtol=1e-5)
    gradient = lambda e: to.grad(lambda x: (e.call(x)["a"] ** 2).sum())(x)
    np.testing.assert_allclose(gradient(loaded), gradient(want), rtol=1e-4)


