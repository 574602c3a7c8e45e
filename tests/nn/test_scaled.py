"""Products of blocks with scales: the formula of the documentation, and JAX's rounding to blocks.

JAX has these products on some GPUs only, but its programs can be read: what comes before the product is the rounding.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax
from tests.streams import stream

import adjoint
from adjoint.nn import get_scaled_dot_general_config, scaled_dot_general, scaled_matmul
from adjoint.nn.scaled import _quantized
from adjoint.test_util import check_grads

jnp = jax.numpy

R = stream()
A = R.standard_normal((2, 32, 64)).astype(np.float32)
B = (R.standard_normal((2, 96, 64)) * 10 ** R.uniform(-5, 3, (2, 96, 64))).astype(np.float32)
DIMS = (((2,), (2,)), ((0,), (0,)))
wide = lambda x: np.asarray(x).astype(np.float32)


def test_product_of_blocks():
    s, t = R.uniform(0.5, 2, (2, 32, 4)).astype(np.float32), R.uniform(0.5, 2, (2, 96, 4)).astype(np.float32)
    expected = np.einsum("bmk,bnk->bmn", A * np.repeat(s, 16, -1), B * np.repeat(t, 16, -1), dtype=np.float64)
    close = lambda y: np.testing.assert_allclose(expected, wide(y), rtol=1e-4, atol=1e-3 * abs(expected).max())
    args = [adjoint.numpy.asarray(x) for x in (A, B, s, t)]
    close(scaled_matmul(*args))
    close(adjoint.jit(scaled_matmul)(*args))
    close(adjoint.vmap(scaled_matmul)(*[x[:, None] for x in args])[:, 0])
    out = scaled_matmul(*args, preferred_element_type=adjoint.numpy.bfloat16)
    assert ((2, 32, 96), "bfloat16") == (out.shape, out.dtype.name)
    small = [x[:, :2, :4] for x in args]
    check_grads(lambda a, b: scaled_matmul(a, b, small[2], small[3]), (small[0], small[0]), order=2)


def quantized_by_jax(mode, x, y):
    """The operands of JAX's product: both as blocks, and their scales."""
    configs = [jax.nn.get_scaled_dot_general_config(mode)] * 3
    call = jax.make_jaxpr(lambda x, y: jax.nn.scaled_dot_general(x, y, DIMS, configs=configs))(x, y)
    inner = call.jaxpr.eqns[0].params["call_jaxpr"]
    at = next(i for i, e in enumerate(inner.eqns) if e.params.get("name") == "_scaled_matmul")
    jaxpr = inner.jaxpr.replace(eqns=inner.eqns[:at], outvars=inner.eqns[at].invars, debug_info=None)
    extra = [jnp.ones(1)] * (len(jaxpr.invars) - 2)
    rounding = jax.extend.core.jaxpr_as_fun(inner.replace(jaxpr=jaxpr))
    return jax.jit(rounding, compiler_options={"xla_cpu_use_fusion_emitters": True})(*extra, x, y)


@compiling
@pytest.mark.filterwarnings("ignore:.*DebugInfo")
@pytest.mark.parametrize("mode", ["mxfp8", "nvfp4"])
def test_rounded_as_by_jax(mode):
    config = get_scaled_dot_general_config(mode)
    values = [f(adjoint.numpy.asarray(x), config) for x in (A, B) for f in (_quantized,)]
    (a, a_scales), (b, b_scales) = values
    theirs = quantized_by_jax(mode, A, B)
    for expected, actual in zip(theirs, (a, b, a_scales, b_scales), strict=True):
        assert (expected.shape, expected.dtype.name) == (actual.shape, actual.dtype.name)
        np.testing.assert_array_equal(wide(expected), wide(actual))


@pytest.mark.parametrize(("mode", "error"), [("mxfp8", 0.08), ("nvfp4", 0.2)])
def test_rounding_keeps_values_and_derivatives(mode, error):
    configs = [get_scaled_dot_general_config(mode)] * 3
    f = lambda a, b: scaled_dot_general(a, b, DIMS, configs=configs)
    plain = lambda a, b: adjoint.lax.dot_general(a, b, DIMS, precision="highest")
    a, b = adjoint.numpy.asarray(A), adjoint.numpy.asarray(R.standard_normal(B.shape).astype(np.float32))
    for program in (lambda h: h, lambda h: adjoint.jit(adjoint.grad(lambda a, b: (h(a, b) ** 2).sum(), (0, 1)))):
        for x, y in zip(adjoint.tree.leaves(program(plain)(a, b)), adjoint.tree.leaves(program(f)(a, b)), strict=True):
            assert float(abs(x - y).max()) < error * float(abs(x).max())


def test_axes_and_errors():
    config = get_scaled_dot_general_config("mxfp8")
    x, y = np.ones((4, 64, 3), np.float32), np.ones((5, 3, 64), np.float32)
    out = scaled_dot_general(x, y, (((1,), (2,)), ((2,), (1,))), configs=[config] * 3)
    assert (3, 4, 5) == out.shape and 64 == out[0, 0, 0]
    assert (32, 96) == scaled_dot_general(A, B, (((0, 2), (0, 2)), ((), ()))).shape
    for m in (jax, adjoint):
        with pytest.raises(TypeError, match="Only support"):
            m.nn.scaled_dot_general(A, B, DIMS, configs=[config] * 3, preferred_element_type=np.int32)
        with pytest.raises(ValueError, match="Unsupported mode"):
            m.nn.get_scaled_dot_general_config("x")
        ones = m.numpy.ones
        for shapes in (
            [(2, 3, 4), (1, 3, 4), (2, 3, 2), (2, 3, 2)], [(3, 4), (3, 4), (3, 2), (3, 2)],
            [(2, 3, 4), (2, 3, 4), (2, 3, 2), (2, 3, 1)], [(2, 3, 4), (2, 3, 4), (2, 1, 2), (2, 3, 2)],
        ):
            with pytest.raises(ValueError, match="scaled_matmul requires"):
                m.nn.scaled_matmul(*map(ones, shapes))
