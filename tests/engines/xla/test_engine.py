"""`jit` on the XLA engine gives what the NumPy engine gives; primitives without StableHLO run on the host."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.modes import compiling, unchecked

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core.options.config import config

pytest.importorskip("jaxlib")
x = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], np.float32)

PROGRAMS = {
    "indexing": lambda x: (x[jnp.array([1, 0, 5])], x.at[0, jnp.array([0, 9])].add(3.0), x[:, 1], x[0, ::2]),
    "along an axis": lambda x: (jnp.argmax(x, 1), jnp.argmin(x.at[0, 1].set(jnp.nan), 1), jnp.cumsum(x, 0),
                                lax.cummax(x, 1, reverse=True), jnp.sort(x, 1), jnp.argsort(x, 0)),
    "random": lambda x: (ax.random.normal(ax.random.key(0), (3,)), ax.random.split(ax.random.PRNGKey(1)),
                         ax.random.permutation(ax.random.key(2), 5)),
    "on the host": lambda x: (jnp.linalg.svd(x, compute_uv=False), jnp.linalg.inv(x @ x.T), lax.erf_inv(x / 4)),
    "calls in regions": lambda x: lax.scan(lambda c, r: (ax.jit(jnp.sin)(c + r), jnp.where(r > 0, r, 0)), x[0], x),
    "no carry": lambda x: (lax.while_loop(lambda c: False, lambda c: c, ()), x * 1),
    "ciphers": lambda x: ax.random.bits(ax.random.key(3), (2, 3)),
    "derivatives": ax.grad(lambda x: (jnp.linalg.cholesky(x @ x.T + jnp.eye(2)) ** 2).sum()),
    "complex": lambda x: jnp.conj(jnp.fft.fft(x)) * 1j,
    "constants": lambda x: x + np.arange(3, dtype=np.float32),
    "integers": lambda x: jnp.square(x.astype("int32")) + jnp.sign(x.astype("uint8")).astype("int32"),
    "divided": lambda x: ax.shard_map(
        lambda a: a - lax.pmean(a, "i"), mesh=ax.sharding.Mesh(ax.devices()[:1], ("i",)), in_specs=ax.P("i"),
        out_specs=ax.P("i"))(x),
}


@pytest.fixture
def xla():
    before = config.cpu_engine
    config.update("cpu_engine", "xla")
    yield
    config.update("cpu_engine", before)


@compiling
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_engines_agree(name, xla):
    got = ax.jit(PROGRAMS[name])(x)
    config.update("cpu_engine", "numpy")
    want = ax.jit(PROGRAMS[name])(x)
    for a, b in zip(ax.tree.leaves(want), ax.tree.leaves(got), strict=True):
        assert (a.dtype, a.shape, a.weak_type) == (b.dtype, b.shape, b.weak_type)
        np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=2e-5, atol=2e-6)


@compiling
def test_numbers_and_numpy_arrays_are_copied(xla):
    both = ax.jit(lambda a: (a, jnp.copysign(1.0, a)), donate_argnums=0)
    signs = [float(both(z)[1]) for z in (0.0, -0.0, 0.0, -0.0, np.float32(-0.0), np.float32(0), 2)]
    assert signs == [1, -1, 1, -1, -1, 1, 1]
    for n in (3, 100_000):
        mine = np.zeros(n, np.float32)
        kept = [both(mine)[0] for _ in range(4)]
        mine[:] = 5
        assert not any([a.any() for a in kept])


@compiling
@unchecked
def test_donated_arrays_are_taken(xla):
    y = jnp.ones(3)
    assert 2.0 == ax.jit(lambda a: a + 1, donate_argnums=0)(y)[0]
    assert y.is_deleted()


def test_effects_keep_their_order(xla, capsys):
    ax.jit(lambda a: [ax.debug.print("{}", a + i, ordered=True) for i in range(3)])(0)
    ax.effects_barrier()
    assert "0\n1\n2\n" == capsys.readouterr().out


def test_without_jaxlib_the_error_says_what_to_install(xla, monkeypatch):
    from adjoint.engines.xla import runtime

    monkeypatch.setitem(sys.modules, "jaxlib._jax", None)
    with pytest.raises(ImportError, match=r"adjoint\[xla\]"):
        runtime.runtime.__wrapped__()


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e8m0fnu", "float8_e5m2"])
def test_extrema_of_numbers_without_infinity(dtype):
    values = np.float32([[0.5, 4, 1.5, 3], [2, 1, 0.5, 4]])
    before = config.cpu_engine
    ax.config.update("cpu_engine", "xla")
    try:
        run = ax.jit(lambda v: (jnp.argmax(v, 1), jnp.argmin(v, 1), v.max(1), v.min(1)))
        most, least, top, bottom = run(jnp.asarray(values).astype(dtype))
    finally:
        ax.config.update("cpu_engine", before)
    narrow = values.astype(jnp.dtype(dtype)).astype("f4")
    assert most.tolist() == narrow.argmax(1).tolist() and least.tolist() == narrow.argmin(1).tolist()
    assert top.astype("f4").tolist() == narrow.max(1).tolist()
    assert bottom.astype("f4").tolist() == narrow.min(1).tolist()
