"""`adjoint.scipy.special` beside JAX: values and derivatives where they are smooth, and the special values."""

from __future__ import annotations

import numpy as np
import pytest
from tests.linalg import oracle
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from scipy import integrate, special

S = lambda m: m.scipy.special
X = np.array([-2.5, -1.3, -0.4, 0.3, 0.8, 1.7, 3.2])
U = np.array([0.1, 0.3, 0.55, 0.9])
P = np.array([0.4, 1.5, 3.0, 12.0])

one = lambda name, x, **kw: (name, lambda m, x: getattr(S(m), name)(x, **kw), x)
two = lambda name, x, *ys: (name, lambda m, x: getattr(S(m), name)(x, *ys), x)
flipped = lambda name, x, a: (f"{name} of the second", lambda m, x: getattr(S(m), name)(a, x), x)

SMOOTH = [
    *[one(n, X) for n in ("erf", "erfc", "expit", "ndtr", "log_ndtr", "i0", "i0e", "i1", "i1e", "dawsn", "erfcx",
                          "fresnel")],
    *[one(n, P) for n in ("gammaln", "digamma", "gamma", "loggamma", "entr", "expi", "exp1", "sici", "factorial")],
    one("spence", U),
    *[one(n, U) for n in ("logit", "ndtri", "erfinv")],
    *[two(n, P, P[::-1].copy()) for n in ("betaln", "beta", "xlogy", "xlog1py", "rel_entr", "kl_div", "poch", "boxcox",
                                          "boxcox1p", "gammainc", "gammaincc", "owens_t")],
    *[flipped(n, P, P[::-1].copy()) for n in ("betaln", "xlogy", "rel_entr", "gammainc")],
    flipped("polygamma", P, 1), two("multigammaln", P + 2, 3), ("betainc", lambda m, x: S(m).betainc(2.0, 3.0, x), U),
    one("softmax", X), one("log_softmax", X, axis=0), one("logsumexp", X),
    ("comb", lambda m, x: S(m).comb(x + 5, 2.0), P),
    ("expn", lambda m, x: S(m).expn(np.array([1.0, 2.0, 3.0, 5.0]), x), P),
    *[(f"hyp1f1 {i}", lambda m, x, i=i: S(m).hyp1f1(*(x if i == j else y for j, y in enumerate((P, P + 1, P)))), p)
      for i, p in enumerate((P, P + 1, P))],
    *[(f"hyp2f1 {i}", lambda m, x, i=i: S(m).hyp2f1(*(x if i == j else y for j, y in enumerate((P, P + 1, P + 2.3,
        U)))), p)
      for i, p in enumerate((P, P + 1, P + 2.3, U))],
    ("sph_harm_y", lambda m, x: S(m).sph_harm_y(np.arange(4), np.array([0, -1, 2, -3]), x, U + 1), U),
    ("sph_harm_y by phi", lambda m, x: S(m).sph_harm_y(np.arange(4), np.array([0, 1, -1, 3]), U, x, n_max=3), U),
    ("bessel_jn", lambda m, x: S(m).bessel_jn(x, v=2, n_iter=60), P[1:]),
]
PLAIN = [
    one("gammasgn", X), flipped("zeta", P, 3.0), ("bernoulli", lambda m, x: S(m).bernoulli(6), U),
    ("wofz", lambda m, x: S(m).wofz(x), X), ("comb", lambda m, x: S(m).comb(np.array([3, 5]), 7), U),
]


def test_values():
    oracle.compare(oracle.value, [*SMOOTH, *PLAIN], 1e-7)


def test_cotangents():
    oracle.check_cotangents(SMOOTH)


SPECIAL = np.array([-np.inf, -2, -1, -0.0, 0, 0.5, 1, 2, np.inf, np.nan], np.float32)


@pytest.mark.parametrize("name", ["entr", "expit", "logit", "ndtr", "log_ndtr", "ndtri", "spence", "dawsn",
                                  "factorial", "gammaln"])
def test_special_values(name):
    """Infinities, NaN and zeros."""
    theirs, ours = (np.asarray(getattr(S(m), name)(SPECIAL)) for m in (jax, adjoint))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["xlogy", "xlog1py", "kl_div", "rel_entr"])
def test_special_pairs(name):
    x, y = (a.ravel() for a in np.meshgrid(SPECIAL, SPECIAL))
    theirs, ours = (np.asarray(getattr(S(m), name)(x, y)) for m in (jax, adjoint))
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.parametrize("call", [
    lambda s: s.ndtr(2), lambda s: s.ndtri(2), lambda s: s.polygamma(1.5, 2.0), lambda s: s.zeta(2.0),
    lambda s: s.factorial(3, exact=True), lambda s: s.sph_harm_y(U, U, U, U, 1),
])
def test_errors(call):
    oracle.same_errors(lambda m: call(S(m)))


def test_legendre_functions():
    """Values and derivatives by order and degree; the names are deprecated."""
    z = np.array([0.3, -0.5, 0.9, 0.0, 1.0, -1.0], np.float32)
    for program in (
        lambda m: S(m).lpmn(3, 3, m.numpy.asarray(z[:4])), lambda m: S(m).lpmn_values(3, 3, m.numpy.asarray(z), True),
        lambda m: S(m).lpmn(0, 0, m.numpy.asarray(z)),
        lambda m: m.jit(m.jacfwd(lambda z: S(m).lpmn_values(2, 2, z, False)))(m.numpy.asarray(z[:4])),
    ):
        with pytest.warns(DeprecationWarning, match="no replacement"):
            theirs, ours = program(jax), program(adjoint)
        for x, y in zip(jax.tree.leaves(theirs), jax.tree.leaves(ours), strict=True):
            np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=2e-5, atol=2e-5)
    with pytest.warns(DeprecationWarning):
        for args in ((1, 2, z), (2, 2, z[None]), (2, 2, z.astype(int))):
            oracle.same_errors(lambda m: S(m).lpmn(*args))


Z = np.array([0, 1, -1, 1j, -1j, 0.5 + 0.3j, -2.5 + 1j, 3 - 4j, complex(np.nan, 0), -2.5, 20 + 3j, -20.3 + 0.1j, 40j])
COMPLEX = [
    one("gamma", Z), one("loggamma", Z), one("erfcx", Z), two("owens_t", Z, 0.5), flipped("owens_t", Z, 0.5),
]


def test_complex_numbers():
    oracle.compare(oracle.value, COMPLEX, 1e-7)
    z = [Z[[1, 3, 5, 6, 7, 10]]]
    oracle.compare(oracle.cotangent, [one("gamma", *z), one("erfcx", *z)], 1e-7)


@pytest.mark.parametrize(("name", "arity"), [
    ("beta", 2), ("betainc", 3), ("dawsn", 1), ("entr", 1), ("exp1", 1), ("expi", 1), ("expn", 2), ("gammasgn", 1),
    ("hyp1f1", 3), ("kl_div", 2), ("rel_entr", 2), ("poch", 2), ("sici", 1), ("fresnel", 1),
])
def test_functions_that_are_real(name, arity):
    oracle.same_errors(lambda m: getattr(S(m), name)(*[0.5 + 1j] * arity))


@pytest.mark.parametrize("name", ["dawsn", "erfcx", "exp1", "expi", "spence", "ndtr", "log_ndtr", "ndtri", "loggamma",
                                  "gammaln"])
def test_weak_types(name):
    theirs, ours = (getattr(S(m), name)(0.25) for m in (jax, adjoint))
    assert theirs.weak_type == ours.weak_type
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_the_slopes_of_spence_have_their_limits_at_one():
    """log(x) / (1 - x) and its slope, which is a half there."""
    f = adjoint.scipy.special.spence
    for slope in (adjoint.grad(f), adjoint.jit(adjoint.grad(f))):
        np.testing.assert_allclose([slope(x) for x in (0.98, 0.999, 1.0, 1.001)],
                                   [-1.01013536, -1.0005003336, -1.0, -0.9995003331], rtol=1e-6)
        np.testing.assert_allclose([adjoint.grad(slope)(x) for x in (0.999, 1.0)], [0.50066742, 0.5], rtol=1e-5)


HURWITZ = np.array([1.1, 1.5, 2.0, 3.0, 10.0]), np.array([0.3, 1.0, 2.0, 3.0, 100.0])


def test_derivatives_of_hurwitz_zeta():
    zeta = lambda m, x: S(m).zeta(*x)
    by = lambda i: lambda m, x: m.vmap(m.grad(S(m).zeta, i))(*x)
    twice = lambda i, j: lambda m, x: m.vmap(m.grad(m.grad(S(m).zeta, i), j))(*x)
    pair = np.stack(HURWITZ)
    table = [("zeta", zeta, pair), *[(f"zeta {i}", by(i), pair) for i in (0, 1)],
             *[(f"zeta {i} {j}", twice(i, j), pair) for i in (0, 1) for j in (0, 1)]]
    oracle.compare(oracle.value, table, 1e-9)


def test_single_values():
    for m in (jax, adjoint):
        assert np.isnan(S(m).gammasgn(np.nan)) and np.isnan(S(m).sici(-np.inf)[1])
        assert m.grad(lambda x: S(m).sici(x)[0])(0.0) == 1
        np.testing.assert_allclose(S(m).comb(0, 0, repetition=True), 1)


ORDERS = np.array([(n, k) for n in range(4) for k in range(-n, n + 1)])


def test_spherical_harmonics_of_any_angle():
    """The sine of the polar angle counts as positive."""
    theta = np.linspace(-7, 7, len(ORDERS))
    harmonics = lambda m, x: S(m).sph_harm_y(ORDERS[:, 0], ORDERS[:, 1], x, np.full(len(ORDERS), 0.7), n_max=3)
    oracle.compare(oracle.value, [("sph_harm_y", harmonics, theta)], 1e-9)
    slope = adjoint.grad(lambda x: S(adjoint).sph_harm_y(*np.ones((2, 1), int), x, np.zeros(1), n_max=1)[0].real)
    np.testing.assert_allclose(slope(np.zeros(1, np.float32)), [-np.sqrt(3 / (8 * np.pi))], rtol=1e-6)


@pytest.mark.parametrize("name", ["ndtr", "log_ndtr", "ndtri", "spence"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int32", "bool", "complex64"])
def test_functions_of_single_and_double_precision_only(name, dtype):
    with pytest.raises(TypeError, match=rf"x\.dtype={dtype} is not supported"):
        getattr(S(adjoint), name)(np.ones(2, adjoint.numpy.dtype(dtype)))


def test_polygamma_of_complex_numbers_is_refused():
    with pytest.raises(ValueError, match="polygamma does not support complex-valued inputs"):
        S(adjoint).polygamma(1, 1j)


@compiling
def test_the_dimension_and_the_order_take_part_in_promotion():
    x = jnp.array([True, False])
    with adjoint.enable_x64(True):
        assert adjoint.scipy.special.multigammaln(x, 2).dtype == "float64"
    with pytest.raises(adjoint.errors.ConcretizationTypeError):
        adjoint.jit(adjoint.scipy.special.bernoulli)(3)
    slopes = adjoint.grad(lambda n, k: adjoint.scipy.special.comb(n, k).sum(), (0, 1))(
        jnp.array([0.3, 2.0]), jnp.array([-1.0, 3.0]))
    np.testing.assert_array_equal(slopes, np.zeros((2, 2)))


def _integral_of_order(n, x):
    return integrate.quad(lambda t: np.exp(-x * t) * t ** -n, 1, np.inf, epsabs=0, epsrel=1e-11)[0]


def test_exponential_integrals_have_negative_orders():
    orders, x = np.array([-3.0, -1.5, -1.0, 0.0, 2.0]), np.array([0.01, 0.6, 1.0, 4.0])
    wanted = [[_integral_of_order(n, y) for y in x] for n in orders]
    expn = S(adjoint).expn
    with adjoint.enable_x64(True):
        for f in expn, adjoint.jit(expn):
            np.testing.assert_allclose(f(orders[:, None], x), wanted, rtol=1e-10)
        slopes = adjoint.vmap(adjoint.grad(lambda y: expn(orders, y).sum()))(x)
    np.testing.assert_allclose(slopes, [-sum(_integral_of_order(n - 1, y) for n in orders) for y in x], rtol=1e-9)
    np.testing.assert_array_equal(expn(np.array([-1.0, -0.5, 0.0, 1.0, 3.0]), 0.0), [np.inf] * 4 + [0.5])
    assert adjoint.grad(expn, 1)(-1.0, 0.0) == -np.inf
    assert np.isnan(expn(-1.0, np.array([-1.0, np.nan], "float32"))).all()


def test_exponential_integrals_have_fractions_as_orders_beyond_one():
    """Eager and compiled, also derivatives; up to 1 they are NaN, as in JAX."""
    orders, x = np.array([0.5, 1.5, 2.7, 60.5]), np.array([1.01, 1.5, 3.0, 30.0])
    expn = S(adjoint).expn
    with adjoint.enable_x64(True):
        for f in expn, adjoint.jit(expn):
            wanted = [[_integral_of_order(n, y) for y in x] for n in orders]
            np.testing.assert_allclose(f(orders[:, None], x), wanted, rtol=1e-10)
        slopes = adjoint.vmap(adjoint.grad(lambda y: expn(orders, y).sum()))(x)
    np.testing.assert_allclose(slopes, [-sum(_integral_of_order(n - 1, y) for n in orders) for y in x], rtol=1e-9)
    assert np.isnan(expn(orders, 1.0)).all() and np.isnan(adjoint.jit(expn)(orders, 0.3)).all()


def test_the_slope_of_boxcox_at_its_edge_is_infinite():
    for name, edge in ("boxcox", 0.0), ("boxcox1p", -1.0):
        for lmbda in -2.0, 0.0:
            for m in jax, adjoint:
                assert m.grad(getattr(S(m), name))(edge, lmbda) == np.inf


def test_hypergeometric_functions_take_lists():
    for m in jax, adjoint:
        np.testing.assert_allclose(S(m).hyp1f1([1.0, 2.0], 1.0, np.ones(2, "f")), [np.e, 2 * np.e], rtol=1e-6)
        np.testing.assert_allclose(S(m).hyp1f1(1.0, [1.0, 2.0], 1.0), [np.e, np.e - 1], rtol=1e-6)
    assert np.isnan(S(adjoint).hyp1f1(3.0, np.nan, 0.0))


def test_a_polynomial_that_ends_before_its_pole_has_values():
    for f in S(jax).hyp1f1, S(adjoint).hyp1f1, adjoint.jit(S(adjoint).hyp1f1):
        np.testing.assert_allclose(f(-1.0, np.array([-2.0, -4.0], "f"), 1.0), [1.5, 1.25], rtol=1e-6)
        np.testing.assert_allclose(f(-2.0, -2.0, 1.0), np.e, rtol=1e-6)
        assert f(-1.0, 0.0, 1.0) == f(1.0, -2.0, 1.0) == np.inf


def test_second_derivatives_of_betaln_of_negative_numbers():
    twice = adjoint.grad(adjoint.grad(S(adjoint).betaln, 0), 0)
    trigamma = lambda x: special.polygamma(1, 1 - x) * -1 + (np.pi / np.sin(np.pi * x)) ** 2
    with adjoint.enable_x64(True):
        np.testing.assert_allclose(twice(-23.02, 2.5), trigamma(-23.02) - trigamma(-20.52), rtol=1e-10)


def test_degrees_and_orders_are_integers():
    angle = np.array([0.5])
    for n, m in ((angle, 1), (1, angle), (1, 1.0), (np.array([True]), 1)):
        with pytest.raises(TypeError, match="Indexer must have integer or boolean type"):
            adjoint.scipy.special.sph_harm_y(n, m, angle, angle)


def test_gamma_functions_of_complex_numbers_are_strong():
    for function in (adjoint.scipy.special.gamma, adjoint.scipy.special.loggamma):
        assert not function(1j).weak_type
