"""Continuous distributions: JAX's numbers for every dtype, evaluated now, compiled, mapped, differentiated."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lax.parity import together
from tests.modes import compiling
from tests.random.parity import OPTIMIZED, assert_same, both_x64, keys, numbers, same, same_optimized
from tests.recorded import jax

import adjoint
from adjoint import lax, random
from adjoint.prims.inverse_erf import MAX_ELEMENTS_IN_PYTHON

SHAPES = [(), (3,), (2, 3), (0,), (1000,)]
# How far values may be from XLA's, relative to them. The bits agree; XLA fuses products and sums,
# and its logarithms and powers round otherwise.
CLOSE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "float64": 1e-13}
each_dtype = pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])


@each_dtype
@together
def test_uniform(dtype):
    """To the last bit: the arithmetic is exact."""
    for shape in SHAPES:
        for raw in (False, True):
            same(lambda m, k: m.random.uniform(k, shape, dtype), seed=3, raw=raw)


@together
def test_uniform_float64():
    with both_x64(True):
        for shape in SHAPES:
            same(lambda m, k, s=shape: m.random.uniform(k, s), seed=3)
            same(lambda m, k, s=shape: m.random.uniform(k, s, "float32"), seed=3)


@together
def test_uniform_bounds():
    """Bounds of all kinds; an empty interval gives its lower bound."""
    for dtype in ("float16", "float32"):
        for low, high in ((-1, 1), (2, 6.5), (5, 1), (0, 0)):
            same(lambda m, k: m.random.uniform(k, (1000,), dtype, low, high), rtol=CLOSE[dtype])


@together
def test_uniform_bounds_of_arrays():
    """Bounds that broadcast, integers and arrays."""
    a = np.arange(3, dtype=np.float32)
    same(lambda m, k: m.random.uniform(k, (2, 3), minval=m.numpy.asarray(a)), rtol=2e-6)
    same(lambda m, k: m.random.uniform(k, (3, 2), maxval=m.numpy.asarray(a)[:, None]), rtol=2e-6)
    same(lambda m, k: m.random.uniform(k, (3,), "float16", maxval=m.numpy.asarray(a)), rtol=2e-3)


@compiling
@pytest.mark.parametrize("n", [1, 4, MAX_ELEMENTS_IN_PYTHON, MAX_ELEMENTS_IN_PYTHON + 1, 20_000])
def test_normal_is_exact(n):
    """float32 normal numbers have JAX's bits, few or many."""
    same_optimized(lambda m, k: m.random.normal(k, (n,), "float32"), range(5))


STANDARD = ("normal", "exponential", "laplace", "logistic", "cauchy", "gumbel", "maxwell")


@pytest.mark.parametrize("name", STANDARD)
@together
def test_standard_distributions(name):
    for dtype in ("float16", "bfloat16", "float32"):
        rtol = CLOSE[dtype] * {"cauchy": 20, "gumbel": 4, "maxwell": 3}.get(name, 1)
        if dtype == "float16" and name == "logistic":
            rtol *= 5  # XLA rounds 1 - u only where the machine computes in float16
        for shape in SHAPES:
            same(lambda m, k: getattr(m.random, name)(k, shape, dtype), seed=7, rtol=rtol)


@together
def test_standard_distributions_in_float64():
    with both_x64(True):
        for name in STANDARD:
            same(lambda m, k: getattr(m.random, name)(k, (1000,)), seed=7, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_normal(dtype):
    """The parts are of two keys, with variance 1/2 each."""
    with both_x64(dtype == "complex128"):
        same(lambda m, k: m.random.normal(k, (2, 3), dtype), rtol=2e-6)


@each_dtype
@together
def test_truncated_normal(dtype):
    rtol = 4 * CLOSE[dtype]
    same(lambda m, k: m.random.truncated_normal(k, -1.0, 2.0, (500,), dtype), rtol=rtol)
    same(lambda m, k: m.random.truncated_normal(k, 0, m.numpy.ones(3), None, dtype), rtol=rtol)
    inside = numbers(random.truncated_normal(random.key(0), 1.0, 1.001, (1000,)))
    assert 1 < inside.min() and inside.max() < 1.001


@each_dtype
def test_gumbel_of_high_range(dtype):
    same(lambda m, k: m.random.gumbel(k, (500,), dtype, mode="high"), rtol=4 * CLOSE[dtype])


PARAMETERS = {
    "rayleigh": (2.0,),
    "pareto": (2.0,),
    "wald": (2.0,),
    "triangular": (0.0, 1.0, 3.0),
    "lognormal": (0.5,),
    "t": (3.0,),
    "chisquare": (3.0,),
    "f": (3.0, 4.0),
    "beta": (0.5, 2.0),
    "gamma": (0.3,),
    "loggamma": (0.01,),
    "weibull_min": (2.0, 3.0),
    "double_sided_maxwell": (1.0, 2.0),
    "generalized_normal": (1.5,),
}


@compiling
@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("x64", [False, True])
@together
def test_distributions_with_parameters(name, x64):
    """Scalars, and arrays that broadcast."""
    args = PARAMETERS[name]
    with both_x64(x64):
        rtol = 1e-11 if x64 else 5e-5
        same(lambda m, k: getattr(m.random, name)(k, *args, shape=(500,)), seed=1, rtol=rtol)
        if name != "generalized_normal" and not x64:  # XLA takes seconds to compile the rejection loops
            full = (2, 3) if name == "f" else 3  # JAX's f does not broadcast
            arrays = [np.full(full, a, np.float32) for a in args]
            program = lambda m, k: getattr(m.random, name)(
                k, *map(m.numpy.asarray, arrays), shape=(2, 3)
            )
            same(program, seed=1, rtol=rtol)


@pytest.mark.parametrize("name", ["gamma", "loggamma"])
@together
def test_gamma_at_the_edges(name):
    for a in (0.0, -1.0, np.nan, np.inf, 1e-3, 1.0, 1e6):
        same(lambda m, k: getattr(m.random, name)(k, a, (50,)), rtol=1e-4)


def test_dirichlet():
    alpha = np.array([0.2, 0.5, 3.0], np.float32)
    same(lambda m, k: m.random.dirichlet(k, m.numpy.asarray(alpha), (50,)), rtol=1e-4)
    sums = numbers(random.dirichlet(random.key(0), adjoint.numpy.asarray(alpha), (50,))).sum(-1)
    np.testing.assert_allclose(sums, 1, rtol=1e-6)


@together
def test_ball():
    same(lambda m, k: m.random.ball(k, 3, 2.0, (50,)), rtol=5e-5)
    same(lambda m, k: m.random.ball(k, 3), rtol=5e-5)


# ---- transformations -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["uniform", "normal", "exponential"])
def test_vmap_over_keys_is_a_loop(name):
    """To the last bit, whatever the size of the batch."""
    sample = lambda k: getattr(random, name)(k, (2,))
    split = random.split(random.key(5), 100)
    batch = numbers(adjoint.vmap(sample)(split))
    loop = np.stack([numbers(sample(random.wrap_key_data(w))) for w in numbers(split)])
    np.testing.assert_array_equal(loop, batch)
    program = lambda m, k: m.vmap(lambda k: getattr(m.random, name)(k, (2,)))(m.random.split(k, 9))
    same(program, rtol=2e-6)


@together
def test_vmap_over_parameters():
    a = np.array([1.0, 2.0, 5.0], np.float32)
    same(lambda m, k: m.vmap(lambda a: m.random.uniform(k, (4,), maxval=a))(m.numpy.asarray(a)),
         rtol=2e-6)
    same(lambda m, k: m.vmap(lambda a: m.random.gamma(k, a, (4,)))(m.numpy.asarray(a)), rtol=5e-5)


@together
def test_gradients_by_parameters():
    """Samples that are smooth functions of their parameters are differentiated as such."""
    for program in (
        lambda m, k: m.grad(lambda s: m.numpy.sum(s * m.random.normal(k, (5,))))(2.0),
        lambda m, k: m.grad(lambda s: m.numpy.sum(m.random.uniform(k, (5,), minval=s)))(-1.0),
        lambda m, k: m.grad(lambda s: m.numpy.sum(m.random.truncated_normal(k, s, 1.0, (5,))))(-1.0),
        lambda m, k: m.grad(lambda s: m.numpy.sum(m.random.rayleigh(k, s, (5,))))(2.0),
        lambda m, k: m.grad(lambda s: m.numpy.sum(m.random.beta(k, s, 2.0, (5,))))(0.5),
        lambda m, k: m.grad(lambda s: m.numpy.sum(m.random.loggamma(k, s, (5,))))(0.7),
        lambda m, k: m.jvp(lambda s: m.random.gamma(k, s, (5,)), (3.0,), (1.0,)),
    ):
        same(program, seed=2, rtol=1e-4)


@pytest.mark.parametrize("a", [0.05, 0.3, 1.0, 2.5, 30.0, 1e4])
def test_gradient_of_gamma(a):
    """The sample moves so that the probability of less stays the same."""
    special = pytest.importorskip("scipy.special")
    with both_x64(True):
        shape = np.full(200, a)
        x = numbers(random.gamma(random.key(1), adjoint.numpy.asarray(shape)))
        slope = adjoint.grad(lambda s: adjoint.numpy.sum(random.gamma(random.key(1), s)))
        slope = numbers(slope(adjoint.numpy.asarray(shape)))
    p = special.gammainc(a, x)
    h = 1e-5 * a
    expected = (special.gammaincinv(a + h, p) - special.gammaincinv(a - h, p)) / (2 * h)
    good = (p > 1e-6) & (p < 0.9999)
    np.testing.assert_allclose(slope[good], expected[good], rtol=2e-5)


def test_rbg_keys():
    """Samples from the keys of another generator."""
    theirs, ours = jax.random.key(3, impl="rbg"), random.key(3, impl="rbg")
    assert_same(jax.random.normal(theirs, (5,)), random.normal(ours, (5,)), 2e-6)
    assert_same(jax.random.uniform(theirs, (5,)), random.uniform(ours, (5,)))


def test_one_key_of_rbg_draws_for_a_whole_batch():
    """Also in loops that the elements of a batch leave in their own time, and in branches, as in JAX."""
    keys = random.split(random.key(3, impl="rbg"), 3)
    batch = lambda f: adjoint.jit(adjoint.vmap(f))(keys)
    np.testing.assert_array_equal(batch(lambda k: random.binomial(k, 10.0, 0.3, (2,))), [[1, 2], [4, 1], [3, 1]])
    chosen = lambda k: lax.cond(random.uniform(k) > 0.5, random.normal, lambda k: random.laplace(k) * 3, k)
    expected = np.where(batch(random.uniform) > 0.5, batch(random.normal), 3 * batch(random.laplace))
    np.testing.assert_allclose(batch(chosen), expected, rtol=1e-6)
    # Numbers of the gamma distribution have a key each.
    np.testing.assert_allclose(batch(lambda k: random.beta(k, 1.5, 2.0)), [0.4886, 0.2291, 0.4613], atol=1e-4)
    one = random.gamma(random.key(3, impl="rbg"), 1.5, (4,))
    np.testing.assert_allclose(one, [3.570505, 1.327889, 2.399825, 0.653934], atol=1e-5)


def test_moments():
    """Means and variances of larger samples."""
    n = 100_000
    key = random.key(11)
    for name, args, mean, variance in (
        ("uniform", (), 1 / 2, 1 / 12),
        ("normal", (), 0, 1),
        ("exponential", (), 1, 1),
        ("laplace", (), 0, 2),
        ("logistic", (), 0, np.pi**2 / 3),
        ("gumbel", (), np.euler_gamma, np.pi**2 / 6),
    ):
        x = numbers(getattr(random, name)(key, (n,), *args)).astype(np.float64)
        assert abs(x.mean() - mean) < 5 * np.sqrt(variance / n)
        assert abs(x.var() / variance - 1) < 0.03


def test_keys_give_the_same_numbers_everywhere():
    """Raw and typed keys, concrete and traced, give the same numbers of float32."""
    (_, typed), (_, raw) = keys(9), keys(9, raw=True)
    normal = lambda k: random.normal(k, (50,), "float32")
    expected = numbers(normal(typed))
    for key in (typed, raw):
        np.testing.assert_array_equal(expected, numbers(normal(key)))
        compiled = adjoint.jit(normal, compiler_options=OPTIMIZED)(key)
        np.testing.assert_array_equal(expected, numbers(compiled))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("parameters", ["float32", "int32", "bfloat16"])
def test_normal_vectors_have_the_common_dtype(dtype, parameters):
    """Of what is drawn, in `dtype`, and of the parameters, which are not rounded."""
    answers = []
    for m, key in zip((jax, adjoint), keys(3)):
        mean, cov = m.numpy.ones(2, parameters), m.numpy.eye(2, dtype="float32")
        x = m.random.multivariate_normal(key, mean, cov, (4,), dtype)
        answers.append((x.dtype.name, np.asarray(x, "float32")))
    (theirs, expected), (ours, x) = answers
    assert ours == theirs
    np.testing.assert_allclose(expected, x, rtol=2e-2, atol=2e-3)
