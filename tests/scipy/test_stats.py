"""`adjoint.scipy.stats` beside JAX: values and derivatives of every function of every distribution."""

from __future__ import annotations

import inspect

import jax
import numpy as np
import pytest
from tests.linalg import oracle

import adjoint

S = lambda m: m.scipy.stats
X, U, K = np.array([0.15, 0.4, 0.9]), np.array([0.2, 0.5, 0.8]), np.array([-1.0, 0.0, 1.0, 3.0])

SHAPES = dict(
    norm=(0.3, 1.5), uniform=(0.1, 2.0), expon=(0.1, 2.0), gamma=(2.5, 0.1, 2.0), chi2=(3.0, 0.1, 2.0),
    beta=(2.0, 3.0, 0.1, 2.0), t=(3.0, 0.1, 2.0), laplace=(0.3, 1.5), logistic=(0.3, 1.5), cauchy=(0.3, 1.5),
    pareto=(2.0, -0.5, 0.5), poisson=(1.5,), bernoulli=(0.3,), binom=(4.0, 0.3), geom=(0.3,),
)


def rows():
    for name, parameters in SHAPES.items():
        for f in getattr(adjoint.scipy.stats, name).__all__:
            discrete = f.endswith("pmf") or name in ("poisson", "bernoulli") and f == "cdf"
            x = K if discrete else U if f in ("ppf", "isf") else X
            given = parameters[:1] if (name, f) in (("bernoulli", "cdf"), ("bernoulli", "ppf")) else parameters
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


def test_values():
    oracle.compare(oracle.value, [*TABLE, *VECTORS], 1e-7)


def test_cotangents():
    smooth = [row for row in TABLE if row[2] is not K and row[0] not in ("bernoulli.ppf",)]
    oracle.compare(oracle.cotangent, [*smooth, *VECTORS], 1e-6)


@pytest.mark.parametrize("name", [*SHAPES, "multivariate_normal", "dirichlet"])
def test_functions_are_those_of_jax(name):
    theirs, ours = getattr(jax.scipy.stats, name), getattr(adjoint.scipy.stats, name)
    for f in ours.__all__:
        shape = lambda m: [(p.name, p.default) for p in inspect.signature(getattr(m, f)).parameters.values()]
        assert shape(theirs) == shape(ours), f
