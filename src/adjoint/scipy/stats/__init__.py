"""`adjoint.scipy.stats`: distributions, each a module with `logpdf`, `pdf`, `cdf`, ..."""

from __future__ import annotations

from importlib import import_module

_SUBMODULES = frozenset(
    """bernoulli beta binom cauchy chi2 dirichlet expon gamma geom laplace logistic multivariate_normal
    norm pareto poisson t uniform""".split()
)


def __getattr__(name: str):
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'adjoint.scipy.stats' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_SUBMODULES)
