"""The StableHLO text compiles with XLA and computes what the NumPy engine computes."""

from __future__ import annotations

import re

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

xla_client = pytest.importorskip("jaxlib.xla_client")
x = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], np.float32)

PROGRAMS = {
    "elementwise": lambda x: jnp.exp(x) * jnp.tanh(x) + x**3 / (1 + jnp.abs(x)) - jnp.sqrt(jnp.square(x)),
    "where": lambda x: jnp.where(x > 0, x, 1.67 * jnp.exp(x) - 1.67),
    "reductions": lambda x: (x.sum(0), x.max(1), x.mean(), jnp.var(x, axis=1)),
    "product": lambda x: x @ x.T,
    "shapes": lambda x: jnp.concatenate([x.T.reshape(2, 3), x[:, ::-1], jnp.pad(x, ((0, 0), (0, 0)))]),
    "integers": lambda x: jnp.argsort(x.astype(jnp.int32) // 2, axis=1) + jnp.arange(3),
    "calls": lambda x: ax.jit(jnp.sin)(ax.jit(jnp.sin)(x)),
    "scan": lambda x: lax.scan(lambda c, row: (c + row, c * row), jnp.zeros(3), x),
    "reverse scan": lambda x: lax.scan(lambda c, row: (c * row, c), jnp.ones(3), x, reverse=True),
    "while": lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 0.9), (0, x)),
    "batched while": ax.vmap(
        lambda row: lax.while_loop(lambda c: c.sum() < 5, lambda c: jnp.abs(c) * 1.5 + 0.1, row)
    ),
    "cond": lambda x: lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x),
    "custom derivatives": lambda x: ax.nn.relu(x) + ax.checkpoint(jnp.sin)(x),
    "gradient": ax.grad(lambda x: (jnp.tanh(x @ x.T) ** 2).sum()),
    "convolution": lambda x: ax.grad(
        lambda x: (lax.conv_general_dilated(
            x[None, :, :, None], x[:, :2].reshape(2, 2, 1, 1), (1, 1), "SAME", rhs_dilation=(1, 2),
            dimension_numbers=("NHWC", "HWIO", "NHWC"), precision="high") ** 2).sum()
    )(x),
    "windows": lambda x: [
        lax.reduce_window(x, i, f, (2, 2), (1, 2), "SAME") for f, i in (
            (lax.add, 0.0), (lax.max, -np.inf), (lax.min, np.inf), (lax.mul, 1.0), (jnp.hypot, 0.0))
    ],
    "windows' derivatives": lambda x: ax.jvp(
        ax.grad(lambda x: (lax.reduce_window(x, -np.inf, lax.max, (2, 2), (1, 2), "SAME") ** 2).sum()), (x,), (x,)
    ),
    "folds": lambda x: lax.reduce((x, x), (0.0, 1.0), lambda a, b: (a[0] + b[0], a[1] * b[1]), (1,)),
    "constants": lambda x: x * np.array([1.0, 2.0, 3.0], np.float32) + np.float32(0.5) + 1,
}


class Aval:
    """What the runtime reads of a type."""

    def __init__(self, x):
        self.shape, self.dtype, self.weak_type = x.shape, x.dtype, False


def run_by_xla(text, *operands):
    """Compile and run a module with XLA's CPU client."""
    jaxlib, xc = pytest.importorskip("jaxlib._jax"), xla_client
    client = xc.make_cpu_client()
    device = client.local_devices()[0]

    class OneDevice(jaxlib.SingleDeviceSharding):
        memory_kind = property(lambda self: self._memory_kind)

        def _to_xla_hlo_sharding(self, ndim):
            return xc.HloSharding.replicate()

    place = OneDevice(device)
    during_call = xc.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
    buffers = [
        xc.batched_device_put(Aval(v), place, [v], [device], True, True, during_call, True)
        for v in operands
    ]
    options = xc.CompileOptions()
    options.executable_build_options.use_shardy_partitioner = True
    executable = client.compile_and_load(text, jaxlib.DeviceList((device,)), options)
    shards = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
    return [s[0]._single_device_array_to_np_array_did_copy()[0] for s in shards]


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_compiles_and_agrees(name):
    f = ax.jit(PROGRAMS[name])
    text = f.lower(x).as_text()
    assert "stablehlo" in text or "call" in text
    expected = ax.tree.leaves(f(x))
    for got, want in zip(run_by_xla(text, x), expected, strict=True):
        np.testing.assert_allclose(got, np.asarray(want), rtol=2e-5, atol=2e-6)


def test_shared_programs_are_written_once():
    f = ax.jit(jnp.sin)
    text = ax.jit(lambda x: f(f(f(x)))).lower(x).as_text()
    assert 1 == text.count("func.func private")
    assert 3 == text.count("call @")


# ---- other platforms -----------------------------------------------------------------------------

_SQUARE, _TALL, _WIDE = np.ones((3, 4, 4), np.float32), np.ones((3, 6, 4), np.float32), np.ones((40, 50), np.float32)
ON_CUDA = {
    "cholesky": (lambda m, a: m.lax.linalg.cholesky(a), _SQUARE),
    "lu": (lambda m, a: m.lax.linalg.lu(a), _TALL),
    "qr": (lambda m, a: m.lax.linalg.qr(a, full_matrices=False), _TALL),
    "qr with pivots": (lambda m, a: m.lax.linalg.qr(a, pivoting=True), _TALL),
    "ormqr": (lambda m, a: m.lax.linalg.ormqr(a, a[..., 0, :], a), _TALL),
    "eigh": (lambda m, a: m.lax.linalg.eigh(a, lower=False, symmetrize_input=False), _SQUARE),
    "eigh by rotations": (lambda m, a: m.lax.linalg.eigh(
        a, implementation=m.lax.linalg.EighImplementation.JACOBI), _SQUARE),
    "eig": (lambda m, a: m.lax.linalg.eig(a, compute_left_eigenvectors=False), _SQUARE),
    "complex eig": (lambda m, a: m.lax.linalg.eig(a), _SQUARE.astype("complex64")),
    "svd": (lambda m, a: m.lax.linalg.svd(a, full_matrices=False), _TALL),
    "svd of a larger matrix": (lambda m, a: m.lax.linalg.svd(a, full_matrices=False), _WIDE),
    "singular values": (lambda m, a: m.lax.linalg.svd(a, compute_uv=False), _WIDE),
    "svd by QR": (lambda m, a: m.lax.linalg.svd(a, algorithm=m.lax.linalg.SvdAlgorithm.QR), _TALL),
    "svd by polar decomposition": (lambda m, a: m.lax.linalg.svd(
        a, algorithm=m.lax.linalg.SvdAlgorithm.POLAR, full_matrices=False), _TALL),
    "tridiagonal": (lambda m, a: m.lax.linalg.tridiagonal(a, lower=False), _SQUARE),
    "tridiagonal_solve": (lambda m, a: m.lax.linalg.tridiagonal_solve(a[..., 0], a[..., 0], a[..., 0], a), _SQUARE),
}


def calls_in(text) -> list[tuple]:
    """(function, its attributes) of the calls in a module."""
    found = re.findall(r"custom_call @(\w+)\(.*?backend_config = \{(.*?)\}", text)
    return [(name, set(config.split(", "))) for name, config in found]


@pytest.mark.parametrize("name", ON_CUDA)
def test_linear_algebra_on_cuda_calls_what_jax_calls(name):
    jax = pytest.importorskip("jax")
    f, a = ON_CUDA[name]
    want, got = [
        m.jit(lambda a, m=m: f(m, a)).trace(a).lower(lowering_platforms=("cuda",)).as_text() for m in (jax, ax)
    ]
    assert calls_in(got) == calls_in(want) != []


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32"])
def test_products_of_integers_into_floats_on_cuda_are_of_floats(dtype):
    f = ax.jit(lambda a: ax.lax.dot(a, a, preferred_element_type="float32")).trace(np.ones((3, 3), dtype))
    product = [line for line in f.lower(lowering_platforms=("cuda",)).as_text().splitlines() if "dot_general" in line]
    assert "(tensor<3x3xf32>, tensor<3x3xf32>)" in product[0] and "[HIGHEST, HIGHEST]" in product[0]
    product = [line for line in f.lower().as_text().splitlines() if "dot_general" in line]
    assert "f32>, " not in product[0]
