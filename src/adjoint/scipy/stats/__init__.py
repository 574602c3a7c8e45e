"""`adjoint.scipy.stats`: distributions, each a module with `logpdf`, `pdf`, `cdf`, ..., and statistics.

Tests: `tests/scipy/test_stats.py`.
"""

from __future__ import annotations

from ...core.names.exports import offered as _offered

_NAMES = {".ranks": "mode rankdata sem", ".kde": "gaussian_kde"}
_MODULES = """bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace
    logistic multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy"""

__getattr__, __dir__ = _offered(globals(), _NAMES, _MODULES)
