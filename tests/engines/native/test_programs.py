"""Random bits of other kinds, gamma samples, bitcasts, reductions by programs, opened calls: as on the NumPy engine."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, host_steps
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.prims.ciphers import philox2x32, philox4x32, threefry4x32

r = ax.random
RNG = stream()
X = RNG.normal(size=(5, 7, 9)).astype(np.float32)
WORDS = RNG.integers(0, 2**32, (8, 21), dtype=np.uint32)
STATE = WORDS[:4, 0]
ALPHA = np.exp(RNG.uniform(-3, 4, 2000)).astype(np.float32)
RBG, KEY = r.key(3, impl="rbg"), r.key(3)
MATRIX = np.eye(6, dtype=np.float32) * 4 + RNG.normal(size=(6, 6)).astype(np.float32) * 0.3
NARROW = X.reshape(5, 63)[:, :8].astype(np.float16)
UNSIGNED = (jnp.uint8, jnp.uint16, jnp.uint32)
cast = lax.bitcast_convert_type


def generated(state):
    kinds = lax.RandomAlgorithm.RNG_DEFAULT, lax.RandomAlgorithm.RNG_THREE_FRY
    shapes = (7,), (3, 5), (4, 3), ()
    return [lax.rng_bit_generator(state, s, dtype=d, algorithm=k) for s in shapes for d in UNSIGNED for k in kinds]


def extremes(x):
    """The greatest elements and where they are, first ones first."""
    later = lambda a, b: (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))

    def better(a, b):
        which = later(a, b)
        return jnp.where(which, a[0], b[0]), jnp.where(which, a[1], b[1])

    start = jnp.float32(-jnp.inf), jnp.int32(2**31 - 1)
    operands = jnp.round(x), lax.broadcasted_iota(jnp.int32, x.shape, 1)
    return [lax.reduce(operands, start, better, axes) for axes in ((1,), (2,), (0, 1), (0, 1, 2), (0, 2))]


def in_two_parts(c):
    """One kernel writes both elements of an array that is in registers."""
    total = jnp.tanh(c).sum()[None]
    return jnp.resize(jnp.concatenate([total, total + 1]), c.shape)


PROGRAMS = {
    "ciphers": (
        lambda w: [threefry4x32(*w), philox2x32(*w[:3]), philox4x32(*w[:6]), philox2x32(*w[:2, 0], w[3])], (WORDS,)
    ),
    "block generators": (generated, (STATE,)),
    "rbg keys": (
        lambda k: (r.split(k, 3), r.bits(r.fold_in(k, 5), (7, 3)), r.normal(k, (50,)), r.key(9, impl="rbg")), (RBG,)
    ),
    "rbg keys in a loop": (lambda k: lax.scan(lambda k, _: (r.split(k)[0], r.uniform(k)), k, None, length=4), (RBG,)),
    "unsafe rbg": (lambda k: r.bits(k, (9,), dtype=jnp.uint16), (r.key(1, impl="unsafe_rbg"),)),
    "gamma": (
        lambda k, a: (r.gamma(k, a), r.loggamma(k, a[:50]), r.beta(k, a[:20], 2.0), r.t(k, 3.0, (9,))), (KEY, ALPHA)
    ),
    "gamma of many keys": (lambda k, a: ax.vmap(r.gamma)(r.split(k, 5), a[:10].reshape(5, 2)), (KEY, ALPHA)),
    "gradient of gamma": (ax.grad(lambda a, k: r.gamma(k, a).sum()), (ALPHA[:100], KEY)),
    "bits of floats": (
        lambda x, z: (
            [cast(x, d) for d in UNSIGNED], [cast(z, d) for d in UNSIGNED[:2]],
            [cast(cast(x, jnp.int32) & 0x3FFF3FFF, d).astype("float32") for d in (jnp.float16, jnp.bfloat16)],
        ),
        (X, NARROW),
    ),
    "floats of bits": (
        lambda x, z: (cast(cast(x, jnp.uint8), "float32"), cast(z.reshape(5, 4, 2), "int32"), cast(z, "bfloat16")),
        (X, NARROW),
    ),
    "reductions": (extremes, (X,)),
    "reductions of one": (
        lambda x: [lax.reduce(x, np.float32(0), lambda a, b: a + b + a * b, (d,)) for d in range(3)], (X,)
    ),
    "linear solve": (
        lambda a, b: ax.scipy.sparse.linalg.cg(lambda v: a @ a.T @ v, b, maxiter=20)[0], (MATRIX, MATRIX[0])
    ),
    "parts of a small array": (lambda x: lax.fori_loop(0, 2, lambda i, c: in_two_parts(c), x[0].ravel()), (X,)),
    "platforms": (lambda x: lax.platform_dependent(x, cpu=lambda x: x + 1, default=lambda x: x - 1), (X,)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_compiled_and_agree(name):
    program, args = PROGRAMS[name]
    assert host_steps(assert_agrees(program, *args, scale=30)) == []


def test_gamma_samples_of_doubles_agree():
    with ax.enable_x64(True):
        assert host_steps(assert_agrees(lambda k, a: r.gamma(k, a, a.shape), KEY, ALPHA.astype(float), scale=100)) == []
