"""`adjoint.scipy.stats` beside JAX: values and derivatives of every function of every distribution."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from tests.linalg import oracle
from tests.recorded import jax

import adjoint

S = lambda m: m.scipy.stats
X, U, K = np.array([0.15, 0.4, 0.9]), np.array([0.2, 0.5, 0.8]), np.array([-1.0, 0.0, 1.0, 3.0])
M = np.array([0.5, 3.0, 30.0])

SHAPES = dict(
    norm=(0.3, 1.5), uniform=(0.1, 2.0), expon=(0.1, 2.0), gamma=(2.5, 0.1, 2.0), chi2=(3.0, 0.1, 2.0),
    beta=(2.0, 3.0, 0.1, 2.0), t=(3.0, 0.1, 2.0), laplace=(0.3, 1.5), logistic=(0.3, 1.5), cauchy=(0.3, 1.5),
    pareto=(2.0, -0.5, 0.5), poisson=(1.5,), bernoulli=(0.3,), binom=(4.0, 0.3), geom=(0.3,),
    betabinom=(4.0, 2.0, 3.0), gennorm=(1.5,), gumbel_l=(0.1, 2.0), gumbel_r=(0.1, 2.0), nbinom=(3.0, 0.4),
    truncnorm=(-0.5, 2.0, 0.1, 0.7), vonmises=(1.5,), wrapcauchy=(0.5,),
)


def rows():
    for name, parameters in SHAPES.items():
        for f in getattr(adjoint.scipy.stats, name).__all__:
            discrete = f.endswith("pmf") or name in ("poisson", "bernoulli") and f == "cdf"
            x = K if discrete else U if f in ("ppf", "isf") else M if f == "entropy" else X
            given = parameters[:1] if (name, f) in (("bernoulli", "cdf"), ("bernoulli", "ppf")) else parameters
            given = () if f == "entropy" else given
            yield f"{name}.{f}", (lambda m, x, n=name, f=f, g=given: getattr(getattr(S(m), n), f)(x, *g)), x


TABLE = list(rows())
C = np.array([[2.0, 0.3], [0.3, 1.0]])
VECTORS = [
    ("multivariate_normal", lambda m, x: S(m).multivariate_normal.logpdf(x, np.ones(2), C), X[:2]),
    ("multivariate_normal of a stack", lambda m, x: S(m).multivariate_normal.pdf(x, np.ones(2), C), C),
    ("multivariate_normal by cov", lambda m, x: S(m).multivariate_normal.logpdf(X[:2], np.ones(2), x), C),
    ("multivariate_normal of scalars", lambda m, x: S(m).multivariate_normal.logpdf(x, 0.5, 2.0), X),
    ("dirichlet", lambda m, x: S(m).dirichlet.logpdf(x / x.sum(), np.array([1.5, 2.0, 3.0])), X),
]


A = np.array([[2.0, 1, 1, 3], [1, 1, 3, 3], [np.nan, 1, np.nan, 0]])
D = np.array([[1.0, 2, 4, 3.5], [0.5, 1, -1, 2]])
KDE = lambda m, x, **kw: S(m).gaussian_kde(x, **kw)
VECTORS += [
    ("multinomial", lambda m, x: S(m).multinomial.logpmf(np.array([1, 2]), 3, x / x.sum()), X[:2]),
    ("multinomial of a stack", lambda m, x: S(m).multinomial.pmf(np.array([[1, 2], [2, 1]]), 6, x), X[:2]),
    ("sem", lambda m, x: S(m).sem(x, 1), D), ("sem of all", lambda m, x: S(m).sem(x, None, 0, keepdims=True), D),
    ("kde", lambda m, x: KDE(m, x).logpdf(D[:, :3]), D), ("kde of points", lambda m, x: KDE(m, D).pdf(x), D),
    ("kde of a number", lambda m, x: KDE(m, x[0], bw_method=0.5)(1.5), D),
    ("kde by weights", lambda m, x: KDE(m, D, weights=x, bw_method="silverman").integrate_kde(KDE(m, D)), D[1] + 2),
    ("kde covariances", lambda m, x: m.tree.leaves(KDE(m, x, bw_method=lambda k: 0.3 * k.d)), D),
    ("kde box", lambda m, x: KDE(m, x).integrate_box_1d(0.0, 2.0), D[0]),
    ("kde gaussian", lambda m, x: KDE(m, x).integrate_gaussian(np.ones(2), np.eye(2)), D),
]
RANKS = [
    *[(f"mode {axis} {keep}", lambda m, x, a=axis, k=keep: S(m).mode(x, a, keepdims=k), A)
      for axis, keep in ((0, False), (1, True), (None, False), (None, True))],
    *[(f"rankdata {how} {axis}", lambda m, x, h=how, a=axis: S(m).rankdata(x, h, axis=a), A)
      for how in ("average", "min", "max", "dense", "ordinal") for axis in (0, 1)],
    ("rankdata flat", lambda m, x: S(m).rankdata(x), A[:2]), ("mode batched", oracle.batched_of(S, "mode"), A),
    ("rankdata batched", oracle.batched_of(S, "rankdata"), A[:2]),
    ("sem omit", lambda m, x: S(m).sem(x, None, nan_policy="omit"), A),
]
EDGES = np.array([-np.inf, -1, 0, 0.5, 1, 2, 3, 4, 7, np.inf, np.nan])
EDGE_PARAMETERS = dict(
    bernoulli=((0.7,), (-0.5,), (2.0,), (np.nan,)),
    beta=((0.7, 1.2, 0.0, 1.0), (1.0, 1.0, 0.0, -1.0), (0.0, 1.0, 0.5, 2.0), (2.0, -1.0, 0.0, 1.0),
          (2.0, 3.0, np.nan, 1.0)),
    betabinom=((4.0, 2.0, 3.0, 0.0), (4.0, -2.0, 3.0, 0.0), (-4.0, 2.0, 3.0, 0.0), (2.0, 2.0, 3.0, 0.5),
               (1.5, 0.4, 1.0, -0.5)),
    binom=((3.0, 0.7), (0.7, 1.2), (1.0, -0.5), (2.0, 0.0)),
    chi2=((0.7, 0.5, 2.0), (3.0, np.nan, 1.0), (3.0, 0.0, -1.0)),
    expon=((0.5, 2.0), (0.0, -1.0), (np.nan, 1.0)), gamma=((0.7, 0.5, 2.0), (1.0, 0.5, 1.0), (2.0, np.nan, 1.0)),
    gennorm=((1.5,), (-1.0,)), geom=((0.7, 0.0), (0.4, np.nan), (1.5, 0.0)),
    pareto=((0.7, 0.5, 1.0), (2.0, np.nan, 1.0)),
    poisson=((1.5, 0.0), (0.0, 1.0), (2.0, np.nan)), t=((2.0, 0.0, 1.5), (2.0, 0.5, -1.5), (-1.0, 0.0, 1.0)),
    gumbel_l=((0.0, 2.0), (0.0, -1.0)), gumbel_r=((0.0, 2.0), (0.0, 0.0)), nbinom=((3.0, 0.4), (3.0, -1.0)),
    truncnorm=((0.0, 2.0, 1.0, 2.0), (3.0, 2.0, 1.0, 2.0), (20.0, 22.0, -18.5, 1.0), (-np.inf, np.inf, 0.0, 1.0)),
    vonmises=((1.5,), (0.0,)), wrapcauchy=((0.5,), (1.0,)),
)
SCALARS = {("bernoulli", "cdf"), ("bernoulli", "ppf")}  # which have no location
AT_EDGES = [
    (f"{name}.{f} at edges", lambda m, x, n=name, f=f, g=every: getattr(getattr(S(m), n), f)(
        x, *np.array(g).T[:, :, None]), EDGES[None])
    for name, every in EDGE_PARAMETERS.items() for f in getattr(adjoint.scipy.stats, name).__all__
    if f in ("logpdf", "logpmf", "cdf", "logsf", "ppf", "logcdf") and (name, f) not in SCALARS
]


def is_smooth(row):
    return row[2] is not K and row[0] != "bernoulli.ppf"


def test_values():
    # The entropy of JAX is a shorter sum.
    entropy = [row for row in TABLE if row[0] == "poisson.entropy"]
    oracle.compare(oracle.value, entropy, 1e-5)
    oracle.compare(oracle.value, [*[row for row in TABLE if row not in entropy], *VECTORS, *RANKS, *AT_EDGES], 1e-7)


def test_cotangents():
    oracle.check_cotangents([row for row in [*TABLE, *VECTORS] if is_smooth(row)])


def test_resample():
    """The same points from the same key."""
    theirs, ours = (
        KDE(m, D.astype(np.float32)).resample(m.random.key(0), (3,)) for m in (jax, adjoint)
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.parametrize("call", [
    lambda s: s.mode([1, 2]), lambda s: s.mode(A, nan_policy="omit"), lambda s: s.mode(A, nan_policy="foo"),
    lambda s: s.rankdata(A, "foo"), lambda s: s.rankdata(A, nan_policy="omit"), lambda s: s.sem(A, nan_policy="foo"),
    lambda s: s.multinomial.pmf(X, 3, X), lambda s: s.gaussian_kde(D, "foo"), lambda s: s.gaussian_kde(D, weights=X),
    lambda s: s.gaussian_kde(D, weights=D), lambda s: s.gaussian_kde(D)(np.ones((3, 2))),
    lambda s: s.gaussian_kde(D).integrate_gaussian(np.ones(3), np.eye(2)),
    lambda s: s.gaussian_kde(D).integrate_box_1d(0, 1), lambda s: s.gaussian_kde(D).integrate_box(0, 1),
    lambda s: s.gaussian_kde(D).set_bandwidth(), lambda s: s.gaussian_kde(D * 1j),
    lambda s: s.gaussian_kde(D).integrate_kde(s.gaussian_kde(D[0])),
])
def test_errors(call):
    oracle.same_errors(lambda m: call(S(m)))


@pytest.mark.parametrize("name", [*SHAPES, "multivariate_normal", "dirichlet"])
def test_functions_are_those_of_jax(name):
    theirs, ours = getattr(jax.scipy.stats, name), getattr(adjoint.scipy.stats, name)
    for f in ours.__all__:
        shape = lambda m: [(p.name, p.default) for p in inspect.signature(getattr(m, f)).parameters.values()]
        assert shape(theirs) == shape(ours), f


def test_weak_types_of_booleans():
    """Beside weak numbers an array of booleans with axes is strong, a scalar is not."""
    pdf = adjoint.scipy.stats.cauchy.pdf
    assert not pdf(np.array([True])).weak_type and not pdf(np.array([True]), 0.0).weak_type
    assert pdf(np.array(True)).weak_type and pdf(1).weak_type


REFUSED = {
    "bernoulli": ("pmf", "cdf", "ppf"), "expon": ("pdf", "cdf", "sf"), "geom": ("pmf",), "gumbel_l": ("pdf", "ppf"),
    "gumbel_r": ("cdf",), "laplace": ("pdf", "cdf"), "pareto": ("pdf", "sf"), "uniform": ("pdf", "cdf"),
    "norm": ("cdf",),
    "wrapcauchy": ("pdf",),
}


@pytest.mark.parametrize("name", REFUSED)
def test_distributions_over_real_numbers_refuse_complex_ones(name):
    module = getattr(adjoint.scipy.stats, name)
    rest = (0.5,) if name in ("bernoulli", "geom", "pareto", "wrapcauchy") else ()
    for function in REFUSED[name]:
        with pytest.raises(TypeError, match="complex64"):
            getattr(module, function)(np.complex64(0.5 + 0.25j), *rest)


def test_analytic_densities_have_complex_values():
    z, stats = np.complex64(0.5 + 0.25j), adjoint.scipy.stats
    assert complex(stats.logistic.pdf(z)) == pytest.approx(0.238 - 0.015j, abs=6e-4)
    assert complex(stats.norm.pdf(z)) == pytest.approx(0.360 - 0.045j, abs=6e-4)
    assert complex(stats.cauchy.cdf(z)) == pytest.approx(0.654 + 0.064j, abs=6e-4)


@pytest.mark.parametrize("name", ["cdf", "sf", "logcdf", "logsf"])
def test_nothing_changes_outside_of_the_support(name):
    """Where powers of 0 in the density would be infinite, or NaN times zero."""
    for family, shapes, places in (
        ("gamma", [(0.5,), (1.0,), (2.0,)], (-1.0,)), ("chi2", [(1.0,), (2.0,), (4.0,)], (-1.0, 0.0)),
        ("beta", [(0.5, 1.0), (1.0, 1.0), (2.0, 0.5)], (-1.0, 0.0, 1.0, 2.0)),
    ):
        f = getattr(getattr(adjoint.scipy.stats, family), name)
        for shape in shapes:
            for x in places:
                assert adjoint.grad(lambda v, f=f, shape=shape: f(v, *shape))(x) == 0, (family, shape, x)
    truncated = getattr(adjoint.scipy.stats.truncnorm, name)
    value, slopes = adjoint.value_and_grad(truncated, (0, 1, 2))(0.5, 2.0, 1.0)
    assert np.isnan(value) and slopes == (0, 0, 0)


@pytest.mark.parametrize("points", [np.ones(1), np.ones(0), 1.0])
def test_a_density_needs_two_numbers(points):
    with pytest.raises(ValueError, match="`dataset` input should have multiple elements."):
        adjoint.scipy.stats.gaussian_kde(points)


def test_the_most_frequent_value_is_its_first_occurrence():
    mode = adjoint.scipy.stats.mode
    slopes = adjoint.grad(lambda x: mode(x)[0])
    np.testing.assert_array_equal(slopes(np.float32([0, 1, 0, 1, 1])), [0, 1, 0, 0, 0])
    np.testing.assert_array_equal(slopes(np.float32([1, 0.0, -0.0])), [0, 1, 0])
    assert np.signbit(mode(np.float32([-0.0, 0.0, 1]))[0]) and not np.signbit(mode(np.float32([0.0, -0.0, 1]))[0])


def test_the_entropy_of_poisson_numbers_keeps_the_digits_of_narrow_floats():
    mu = np.array([0.5, 0.25, 0.75, 120.0], np.float32)
    for dtype in ("float16", "bfloat16", "float8_e4m3fn"):
        found = adjoint.scipy.stats.poisson.entropy(adjoint.numpy.asarray(mu, dtype))
        assert found.dtype == dtype
        exact = adjoint.scipy.stats.poisson.entropy(np.asarray(found * 0 + mu.astype(dtype)).astype("float32"))
        np.testing.assert_array_equal(found, np.asarray(exact).astype(found.dtype))
