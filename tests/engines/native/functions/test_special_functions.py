"""Special functions of the native engine that are made of series and fractions: against SciPy, where it is exact."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import both, host_steps
from tests.streams import stream

import adjoint as ax
import adjoint.scipy.special
from adjoint import lax
from adjoint.prims import hypergeometric, integrals
from adjoint.prims.hypergeometric import expn
from adjoint.prims.random_gamma import random_gamma_grad
from adjoint.prims.special import igamma_grad_a
from scipy import special

N = 300
RNG = stream()
power = lambda low, high: 10 ** RNG.uniform(low, high, N)
whole = lambda low, high: RNG.integers(low, high, N).astype(float)
joined = lambda *cases: [np.concatenate(column) for column in zip(*cases)]
EDGES = [0.0, -1.0, 0.5, 1.0, 3.0, 250.0, np.inf, np.nan]
PAIRS = [p.ravel() for p in np.meshgrid(EDGES, EDGES)]
TRIPLES = [p.ravel() for p in np.meshgrid(EDGES, EDGES, [0, -0.5, 0.25, 1, 1.5, np.nan])]
A, B = power(-2, 5), power(-2, 3)
NEAR = A, np.maximum(A * (1 + RNG.normal(size=N) * 2 / np.sqrt(A)), 1e-5)
SMALL = A[A < 1000], NEAR[1][A < 1000]
MIDDLE = np.clip(A / (A + B) * (1 + RNG.normal(size=N) * 0.1), 1e-6, 1 - 1e-6)
OWN = stream(1)
SLOPES = OWN.uniform(-4, 4, N), OWN.uniform(0.5, 5, N), OWN.uniform(-5, 5, N)
SIZES, REAL = [10 ** OWN.uniform(-9, 9, N) for _ in range(2)], 10 ** OWN.uniform(-3, 2, N)
CUBE = [p.ravel() for p in np.meshgrid([0.0, -1.0, -2.5, 0.5, np.nan], [0.5, -1.0, 3.0], [0, -3.0, 30, np.nan])]
FUNCTIONS = {  # name: (function, operands, relative error)
    "igamma": (lax.igamma, joined((power(-4, 5), power(-4, 5)), NEAR, PAIRS), 2e-12),
    "igammac": (lax.igammac, joined((power(-4, 2), power(-4, 2)), NEAR, PAIRS), 2e-12),
    "igamma_grad_a": (igamma_grad_a, joined((power(-2, 3), power(-2, 3)), SMALL, PAIRS), 1e-11),
    "random_gamma_grad": (random_gamma_grad, joined((power(-2, 3), power(-2, 3)), SMALL), 1e-11),
    "of logarithms": (
        lambda a, x: random_gamma_grad(a, x, log_space=True), (power(-2, 2), RNG.uniform(-800, 6, N)), 1e-11
    ),
    "betainc": (lax.betainc, joined((A, B, MIDDLE), (B, A, RNG.uniform(0, 1, N)), TRIPLES), 1e-9),
    "zeta": (
        lax.zeta, joined((power(0, 2), power(-2, 5)), (whole(2, 12), RNG.uniform(-30, 3, N)), PAIRS), 2e-12
    ),
    "polygamma": (
        lax.polygamma, joined((whole(0, 90), power(-1, 2)), (whole(0, 6), RNG.uniform(-20, 2, N)), PAIRS), 1e-10
    ),
    "bessel_i0e": (lax.bessel_i0e, (np.concatenate([RNG.normal(size=N) * 20, power(-5, 8), EDGES]),), 1e-13),
    **{
        name: (getattr(integrals, name), (np.concatenate([RNG.normal(size=N) * 8, power(-3, 3), EDGES]),), 1e-12)
        for name in ("erfcx", "log_ndtr", "expi", "dawsn")
    },
    **{
        name: (getattr(integrals, name), (np.concatenate([RNG.uniform(0, 1, N), power(-9, 3), EDGES]),), 1e-12)
        for name in ("ndtri", "exp1", "spence")
    },
    **{
        name: (
            getattr(integrals, name), (np.concatenate([RNG.normal(size=N) * 8, power(-5, 4), EDGES, [1e200]]),), 2e-11
        )
        for name in ("sine_integral", "cosine_integral", "fresnel_s", "fresnel_c")
    },
    "bessel_j": (
        lambda x: [integrals.bessel_j(x, order=n) + 2 for n in (0, 1, 2, 3, 10, 30, 31, 60, -3)],
        (np.concatenate([RNG.normal(size=N) * 9, power(-2, 5), EDGES]),), 1e-13,
    ),
    "expn": (expn, joined((whole(0, 12), power(-6, 2.5)), (whole(0, 400), power(-1, 1)), PAIRS), 1e-11),
    "owens_t": (
        integrals.owens_t, joined((RNG.normal(size=N) * 4, power(-3, 3)), (power(-3, 1), -power(-3, 3)), PAIRS), 2e-12
    ),
    "wofz": (
        lambda x, y: integrals.wofz(lax.complex(x, y)),
        joined((OWN.uniform(-8, 8, N), OWN.uniform(-6, 8, N)), SIZES, (REAL, 0 * REAL), PAIRS, (PAIRS[0], -PAIRS[1])),
        1e-12,
    ),
    "hyp1f1": (hypergeometric.hyp1f1, joined(SLOPES, CUBE), 1e-15),
    "hyp2f1": (hypergeometric.hyp2f1, (*SLOPES, OWN.uniform(-2, 0.99, N)), 1e-15),
    **{f"hyp1f1_of_{v}": (getattr(hypergeometric, f"hyp1f1_of_{v}"), SLOPES, 1e-9) for v in "ab"},
    **{
        f"hyp2f1_of_{v}": (getattr(hypergeometric, f"hyp2f1_of_{v}"), (*SLOPES, OWN.uniform(-2, 0.9, N)), 1e-12)
        for v in "abc"
    },
    "bessel_i1e": (lax.bessel_i1e, (np.concatenate([RNG.normal(size=N) * 20, power(-5, 8), EDGES]),), 1e-13),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_functions_are_as_exact_as_scipy(name):
    function, operands, bound = FUNCTIONS[name]
    with ax.enable_x64(True), np.errstate(all="ignore"):
        native, expected, compiled = both(ax.make_jaxpr(function)(*operands), operands)
    assert host_steps(compiled) == []
    for x, y in zip(native, expected, strict=True):
        assert x.dtype == y.dtype
        for part in (np.real, np.imag):
            np.testing.assert_allclose(part(x), part(y), rtol=bound, atol=1e-250)


TRUE = [  # by mpmath, with 150 digits
    (lax.digamma, 1.4616321449625858, -5.5898418460622610403e-12),
    (lax.digamma, 1.4616473041981264, 1.4669064157957726719e-5),
    (lambda x: lax.polygamma(x * 0 + 1, x), 5.458319903511356e185, 1.8320655763629694078e-186),
    (lax.erfc, 24.836270570033548, 2.9216843535736992829e-270),
    (lambda x: hypergeometric.hyp1f1(x * 0 + 0.17, x * 0 + 3.59, x), -7.3e-286, 1.0),
    (lax.erfc, 5.5, 7.3578479179743981e-15),
    (lax.erfc, np.inf, 0.0),
]


@pytest.mark.parametrize("function, x, true", TRUE)
@pytest.mark.usefixtures("native")
def test_where_a_formula_would_cancel_or_underflow(function, x, true):
    """`docs/accuracy.md` has the errors of all functions."""
    with ax.enable_x64(True):
        for run in (function, ax.jit(function)):
            np.testing.assert_allclose(run(np.array([x, 2.0]))[0], true, rtol=1e-15)


def test_a_result_does_not_depend_on_its_neighbours():
    a, x = [v.astype(np.float32) for v in (A, NEAR[1])]
    native, _, compiled = both(ax.make_jaxpr(lax.igamma)(a, x), (a, x))
    other = both(ax.make_jaxpr(lax.igamma)(a[5:], x[5:]), (a[5:], x[5:]))[0]
    np.testing.assert_array_equal(native[0][5:], other[0])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(special.gammainc(a, x), native[0], rtol=1e-6, atol=1e-37)


def test_hypergeometric_functions_and_faddeevas_in_loops_and_batches():
    def function(x, z):
        turn = lambda c, _: (0.5 * hypergeometric.hyp1f1(c, c + 1, -abs(c)), hypergeometric.hyp2f1(c, c, c + 2, c / 9))
        return [
            *lax.scan(turn, x, None, length=3), ax.vmap(lambda v: hypergeometric.hyp2f1_of_c(v, v, v + 2, v / 9))(x),
            *lax.scan(lambda c, _: (integrals.wofz(c), abs(c)), z, None, length=3),
        ]

    x = np.linspace(0.5, 2, 7, dtype=np.float32)
    native, expected, compiled = both(ax.make_jaxpr(function)(x, x + 1j * x), (x, x + 1j * x))
    assert host_steps(compiled) == []
    for a, b in zip(native, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=3e-6)
    narrow = both(ax.make_jaxpr(hypergeometric.hyp1f1)(*[x.astype(np.float16)] * 3), [x.astype(np.float16)] * 3)
    np.testing.assert_array_equal(narrow[0][0], narrow[1][0])


@pytest.mark.parametrize("name", ["gammaln", "i0e", "i1e", "log_ndtr", "ndtri"])
def test_results_of_float32_are_rounded_once(name, native):
    """Although fewer terms are added up than for float64."""
    rng, power = stream(2), lambda low, high: 10 ** stream(3).uniform(low, high, N)
    x = np.concatenate([rng.normal(size=N) * 5, rng.uniform(-20, 13, N), power(-20, 10), -power(-20, 10)])
    if name == "ndtri":
        x = np.concatenate([rng.random(N), power(-37, 0), 0.5 + rng.normal(size=N) * 1e-3])
    x = x.astype("f4")
    true = getattr(special, name)(x.astype("f8"))
    wanted = np.isfinite(true) & (np.abs(true) > 1e-37) & (np.abs(true) < 1e38)
    result = np.asarray(ax.jit(getattr(ax.scipy.special, name))(x), "f8")
    result, true = result[wanted], true[wanted]
    assert (np.abs(result - true) <= 0.51 * np.spacing(np.abs(true).astype("f4"))).all()



# Numbers, near zeros among them, and log |Gamma| there, of 40 digits rounded.
LOG_GAMMA = [
    (2.000000000014454, 6.11101593281332e-12), (0.9999999999773466, 1.3075917363655216e-11),
    (1.0001, -5.771334222047127e-05), (1.4942117851779417, -0.12097776304955578), (1.7, -0.09580769740706588),
    (2.3, 0.15418945495963046), (9.9, 12.57717990421988), (10.802399327783128, 14.641574362047578),
    (-2.4570247382532533, -4.918537871505263e-11), (-2.7476826467274127, 1.733509244024501e-16),
    (-2.6322834194801312, -0.1160625166422741), (-3.1435808883499803, -1.7579854183617677e-15),
    (-5.0082181683, 2.7871867980363472e-09), (-0.3, 1.4648400508576025), (-1.4531953017521013, 0.9032666131215771),
    (-25.7, -58.92357965824618), (1e-300, 690.7755278982137), (-1e-300, 690.7755278982137),
    (1e+300, 6.897755278982137e+302), (-1000000000000000.5, -3.353877639491072e+16),
]


def test_the_logarithm_of_gamma_has_its_digits_near_its_zeros(native):
    x, true = np.array(LOG_GAMMA).T
    with ax.enable_x64():
        result = np.asarray(ax.jit(ax.lax.lgamma)(x))
        ends = np.asarray(ax.jit(ax.lax.lgamma)(np.array([0, -0.0, np.inf, -np.inf, -1, -2, -1e17, 3e305, np.nan])))
    assert (np.abs(result - true) <= 6 * np.spacing(np.abs(true))).all()
    np.testing.assert_array_equal(ends, [np.inf] * 8 + [np.nan])
