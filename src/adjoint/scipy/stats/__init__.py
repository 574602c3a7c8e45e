"""`adjoint.scipy.stats`: distributions, each a module with `logpdf`, `pdf`, `cdf`, ..., and statistics.

Tests: `tests/scipy/test_stats.py`.
"""

from __future__ import annotations

from importlib import import_module

from ...core.messages.errors import no_attribute as _no_attribute

_SUBMODULES = frozenset(
    """bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace
    logistic multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises
    wrapcauchy""".split()
)
_HOME = {"mode": "ranks", "rankdata": "ranks", "sem": "ranks", "gaussian_kde": "kde"}


def __getattr__(name: str):
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    raise _no_attribute(__name__, name, __dir__())


def __dir__() -> list[str]:
    return sorted([*_SUBMODULES, *_HOME])
