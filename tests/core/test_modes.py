"""Each strict mode over programs of every part of the library: values are those without the mode.

`make test-modes` runs all tests so; this is a sample. Nothing of these programs promotes, makes a NaN or leaks, so a
mode finds only what the library does inside.
"""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from tests.modes import standard

import adjoint as jax

jnp, lax, sp = jax.numpy, jax.lax, jax.scipy

MODES = {
    "ranks": dict(numpy_rank_promotion="raise"),
    "dtypes": dict(numpy_dtype_promotion="strict"),
    "both in 64 bits": dict(numpy_rank_promotion="raise", numpy_dtype_promotion="strict", enable_x64=True),
    "nans": dict(debug_nans=True),
    "no jit": dict(disable_jit=True),
    "leaks": dict(check_tracer_leaks=True),
}


def square(x):
    return x.reshape(3, 2).T @ x.reshape(3, 2) + jnp.eye(2, dtype=x.dtype)


def key():
    return jax.random.key(0)


def collatz(n):
    step = lambda c: (jnp.where(c[0] % 2 == 0, c[0] // 2, 3 * c[0] + 1), c[1] + 1)
    return lax.while_loop(lambda c: c[0] > 1, step, (n, 0))[1]


PROGRAMS = {
    "numpy": lambda x: (jnp.var(x), jnp.median(x), jnp.percentile(x, 30.0), jnp.interp(1.5, x, x), jnp.sort(x)[::-1]),
    "shapes": lambda x: (jnp.pad(x, 2), jnp.roll(x, 2), jnp.tile(x, 2), jnp.linspace(x[0], x[1], 3), x.at[1].add(2.0)),
    "sets": lambda x: (jnp.unique(x, size=3), jnp.histogram(x, 3)[0], jnp.digitize(x, x), jnp.searchsorted(x, x)),
    "polynomials": lambda x: (jnp.polyfit(x, x, 1), jnp.polyval(x, 2.0), jnp.convolve(x, x), jnp.trapezoid(x)),
    "einsum": lambda x: (jnp.einsum("ij,kj->ik", square(x), square(x)), jnp.kron(square(x), square(x)), jnp.cov(x)),
    "linalg": lambda x: (jnp.linalg.inv(square(x)), jnp.linalg.det(square(x)), jnp.linalg.norm(x),
                         jnp.linalg.pinv(square(x)), jnp.linalg.solve(square(x), jnp.ones(2, x.dtype))),
    "fft": lambda x: (jnp.abs(jnp.fft.fft(x)), jnp.fft.irfft(jnp.fft.rfft(x)), sp.fft.dct(x)),
    "lax": lambda x: (lax.cumsum(x), lax.top_k(x, 2), lax.reduce_window(x, 0.0, lax.add, (2,), (1,), "VALID")),
    "nn": lambda x: (jax.nn.softmax(x), jax.nn.gelu(x), jax.nn.one_hot(jnp.arange(3), 3), jax.nn.standardize(x),
                     jax.nn.dot_product_attention(*[x.reshape(1, 3, 1, 2)] * 3)),
    "random": lambda x: (jax.random.normal(key(), (3,), x.dtype), jax.random.permutation(key(), 4),
                         jax.random.gamma(key(), x, dtype=x.dtype), jax.random.binomial(key(), 9.0, 0.5),
                         jax.random.choice(key(), x, (2,))),
    "mapped random": lambda x: jax.vmap(lambda k, p: jax.random.binomial(k, 9.0, p))(
        jax.random.split(key(), 3), jnp.array([0.2, 0.5, 0.9], x.dtype)),
    "special": lambda x: (sp.special.betaln(x, x), sp.special.logsumexp(x), sp.special.xlogy(x, x),
                          sp.special.erfinv(0.3)),
    "stats": lambda x: (sp.stats.norm.logpdf(x), sp.stats.gamma.pdf(x, 2.0), sp.stats.sem(x),
                        sp.stats.betabinom.logpmf(jnp.array([-1.0, 2.0, 9.0], x.dtype), 3.0, 1.0, 2.0)),
    "signal": lambda x: (sp.signal.detrend(x), sp.signal.welch(x, nperseg=4)[1], sp.signal.fftconvolve(x, x)),
    "matrices": lambda x: (sp.linalg.expm(square(x)), sp.linalg.cho_factor(square(x))[0], sp.linalg.polar(square(x))),
    "empty matrix": lambda x: sp.linalg.polar(jnp.zeros((0, 0), x.dtype)),
    "optimize": lambda x: sp.optimize.minimize(lambda v: ((v - 1) ** 2).sum(), x, method="BFGS").x,
    "cg": lambda x: sp.sparse.linalg.cg(lambda v: 2 * v, x)[0],
    "image": lambda x: jax.image.resize(x.reshape(2, 3), (3, 5), "linear"),
    "loops": lambda x: (lax.scan(lambda c, v: (c + v, c * v), x[0], x), lax.fori_loop(0, 3, lambda i, c: c * 2, x),
                        lax.map(jnp.sin, x), lax.associative_scan(jnp.add, x)),
    "mapped loop": lambda x: jax.vmap(collatz)(jnp.arange(1, 6)),
    "branches": lambda x: (lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), lax.switch(1, [jnp.sin, jnp.cos], x)),
    "derivatives": lambda x: (jax.grad(lambda v: jnp.log(v).sum())(x), jax.hessian(lambda v: (v ** 3).sum())(x),
                              jax.jvp(jnp.linalg.inv, (square(x),), (square(x),)), jax.jacfwd(jax.nn.softmax)(x)),
    "checkpoint": lambda x: jax.grad(jax.checkpoint(lambda v: jnp.sin(v).sum()))(x),
    "jit of vmap of grad": lambda x: jax.jit(jax.vmap(jax.grad(lambda v: jnp.tanh(v) * v)))(x),
}


@standard
@pytest.mark.parametrize("mode", MODES)
def test_values_are_those_without_the_mode(mode):
    data = np.array([0.5, 1.25, 1.5, 2.0, 2.75, 3.5], np.float32)
    wide = dict(enable_x64=True) if "64" in mode else {}
    for name, program in PROGRAMS.items():
        with within(wide):
            expected = jax.tree.leaves(program(jnp.asarray(data)))
        with within(MODES[mode]):
            found = jax.tree.leaves(program(jnp.asarray(data)))
        for a, b in zip(found, expected, strict=True):
            assert a.dtype == b.dtype, name
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6, err_msg=name)


@contextlib.contextmanager
def within(options):
    with contextlib.ExitStack() as stack:
        for option, value in options.items():
            stack.enter_context(getattr(jax, option)(value))
        yield


@pytest.mark.parametrize("call", [
    lambda x: lax.bitcast_convert_type(x, np.int32), lambda x: lax.convert_element_type(x, np.float32),
    lambda x: lax.optimization_barrier(x), lambda x: lax.select_n(True, x, x), lambda x: lax.reshape(x, (3,)),
])
def test_results_do_not_change_with_the_array_that_they_came_from(call):
    x = np.ones(3, np.float32)
    result = call(x)
    before = np.array(result)
    x[:] = 2
    np.testing.assert_array_equal(before, result)
