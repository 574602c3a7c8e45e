"""Random programs are traced to real JAX's text: names of calls, equations, literals."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling
from tests.random.parity import both_x64, same_jaxpr

pytestmark = compiling

X = np.ones(3, np.float32)
PROGRAMS = {
    "split": lambda m, k: m.random.split(k, (2, 3)),
    "fold_in": lambda m, k: m.random.fold_in(k, 3),
    "bits": lambda m, k: m.random.bits(k, (3,), "uint8"),
    "key_data": lambda m, k: m.random.key_data(k),
    "clone": lambda m, k: m.random.clone(k),
    "uniform": lambda m, k: m.random.uniform(k, (3,)),
    "uniform scalar": lambda m, k: m.random.uniform(k),
    "uniform bounds": lambda m, k: m.random.uniform(k, (2, 3), minval=-1, maxval=np.float32(2)),
    "uniform bfloat16": lambda m, k: m.random.uniform(k, (3,), "bfloat16"),
    "uniform float16": lambda m, k: m.random.uniform(k, (3,), "float16"),
    "normal": lambda m, k: m.random.normal(k, (3,)),
    "normal complex": lambda m, k: m.random.normal(k, (3,), "complex64"),
    "truncated_normal": lambda m, k: m.random.truncated_normal(k, -1.0, 2.0, (3,)),
    "exponential": lambda m, k: m.random.exponential(k, (3,)),
    "laplace": lambda m, k: m.random.laplace(k, (3,)),
    "logistic": lambda m, k: m.random.logistic(k, (3,)),
    "cauchy": lambda m, k: m.random.cauchy(k, (3,)),
    "gumbel": lambda m, k: m.random.gumbel(k, (3,)),
    "gumbel high": lambda m, k: m.random.gumbel(k, (3,), mode="high"),
    "rayleigh": lambda m, k: m.random.rayleigh(k, 2.0, (3,)),
    "pareto": lambda m, k: m.random.pareto(k, 2.0, (3,)),
    "triangular": lambda m, k: m.random.triangular(k, 0.0, 0.5, 1.0, (3,)),
    "wald": lambda m, k: m.random.wald(k, 2.0, (3,)),
    "lognormal": lambda m, k: m.random.lognormal(k, 2.0, (3,)),
    "maxwell": lambda m, k: m.random.maxwell(k, (3,)),
    "weibull_min": lambda m, k: m.random.weibull_min(k, 2.0, 3.0, (3,)),
    "randint": lambda m, k: m.random.randint(k, (3,), 0, 10),
    "randint narrow": lambda m, k: m.random.randint(k, (3,), 0, 10, "uint8"),
    "randint unsigned": lambda m, k: m.random.randint(k, (3,), 0, 10, "uint32"),
    "randint scalar": lambda m, k: m.random.randint(k, (), 0, 10),
    "randint floats": lambda m, k: m.random.randint(k, (3,), 0.0, 7.5),
    "bernoulli": lambda m, k: m.random.bernoulli(k, 0.3, (3,)),
    "bernoulli high": lambda m, k: m.random.bernoulli(k, 0.3, (3,), mode="high"),
    "rademacher": lambda m, k: m.random.rademacher(k, (3,)),
    "geometric": lambda m, k: m.random.geometric(k, 0.5, (3,)),
    "choice": lambda m, k: m.random.choice(k, 10, (3,)),
    "choice scalar": lambda m, k: m.random.choice(k, 10),
    "ball": lambda m, k: m.random.ball(k, 3),
    "ball p": lambda m, k: m.random.ball(k, 3, p=1, shape=(2,)),
    "generalized_normal": lambda m, k: m.random.generalized_normal(k, 2.0, (3,)),
    "double_sided_maxwell": lambda m, k: m.random.double_sided_maxwell(k, 1.0, 2.0, (3,)),
    "gamma": lambda m, k: m.random.gamma(k, 2.0, (3,)),
    "loggamma": lambda m, k: m.random.loggamma(k, 2.0),
    "beta": lambda m, k: m.random.beta(k, 2.0, 3.0, (3,)),
    "chisquare": lambda m, k: m.random.chisquare(k, 2.0, (3,)),
    "t": lambda m, k: m.random.t(k, 2.0, (3,)),
}
WITH_ARRAYS = {
    "uniform": lambda m, k, x: m.random.uniform(k, (2, 3), minval=x),
    "truncated_normal": lambda m, k, x: m.random.truncated_normal(k, -x, x),
    "bernoulli": lambda m, k, x: m.random.bernoulli(k, x, (2, 3)),
    "choice": lambda m, k, x: m.random.choice(k, x, (2,)),
    "choice of likely ones": lambda m, k, x: m.random.choice(k, x, (2,), p=x / x.sum()),
    "choice without replacement": lambda m, k, x: m.random.choice(k, x, (2,), replace=False),
    "categorical": lambda m, k, x: m.random.categorical(k, x),
    "categorical shape": lambda m, k, x: m.random.categorical(k, x, shape=(4,)),
    "categorical without replacement": lambda m, k, x: m.random.categorical(
        k, x, shape=(2,), replace=False
    ),
    "randint": lambda m, k, x: m.random.randint(k, (2, 3), 0, m.numpy.asarray([3, 4, 5])),
    "rayleigh": lambda m, k, x: m.random.rayleigh(k, x, (2, 3)),
    "gamma": lambda m, k, x: m.random.gamma(k, x, (2, 3)),
    "beta": lambda m, k, x: m.random.beta(k, x, 2.0),
    "dirichlet": lambda m, k, x: m.random.dirichlet(k, x, (2,)),
    "t": lambda m, k, x: m.random.t(k, x, (2, 3)),
    "geometric": lambda m, k, x: m.random.geometric(k, x, (2, 3)),
    "multivariate_normal": lambda m, k, x: m.random.multivariate_normal(
        k, x, m.numpy.eye(3), method="svd"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_jaxprs(name):
    same_jaxpr(PROGRAMS[name])


@pytest.mark.parametrize("name", ["split", "fold_in", "bits", "key_data", "clone", "normal"])
def test_jaxprs_of_raw_keys(name):
    same_jaxpr(PROGRAMS[name], raw=True)


@pytest.mark.parametrize("name", WITH_ARRAYS)
def test_jaxprs_with_arrays(name):
    same_jaxpr(WITH_ARRAYS[name], X)


@pytest.mark.parametrize("name", ["choice", "choice of likely ones", "dirichlet"])
def test_jaxprs_with_arrays_in_64_bits(name):
    with both_x64(True):
        same_jaxpr(WITH_ARRAYS[name], X)


@pytest.mark.parametrize(
    "program",
    [
        lambda m, k, x: m.vmap(lambda k: m.random.normal(k, (2,)))(m.random.split(k, 3)),
        lambda m, k, x: m.vmap(lambda a: m.random.uniform(k, (2,), maxval=a))(x),
        lambda m, k, x: m.jvp(lambda a: a * m.random.normal(k, (3,)), (x,), (x,)),
    ],
)
def test_jaxprs_of_transformed_programs(program):
    same_jaxpr(program, X)
