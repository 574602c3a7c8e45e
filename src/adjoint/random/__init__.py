"""Random numbers from explicit keys: the same key gives the same numbers, whatever transforms the program.

>>> key, subkey = random.split(random.key(0))
>>> random.normal(subkey, (2,))
Array([-2.4424558, -2.0356805], dtype=float32)

The numbers are JAX's, bit for bit where the arithmetic after the bits is exact. `keys.py` makes keys and
bits; each other module holds a family of distributions. Names are bound when they are first used.
"""

from __future__ import annotations

from importlib import import_module as _import_module

from ..core.messages.boundaries import guarded as _guarded
from ..core.messages.errors import no_attribute as _no_attribute

# Where each public name is defined.
_NAMES = {
    ".keys": "Key PRNGKey bits clone fold_in key key_data key_dtype key_impl split wrap_key_data",
    ".continuous": """cauchy exponential gumbel laplace logistic pareto rayleigh triangular uniform
        weibull_min""",
    ".gaussian": "double_sided_maxwell lognormal maxwell multivariate_normal normal orthogonal truncated_normal wald",
    ".gammas": "ball beta chisquare dirichlet f gamma generalized_normal loggamma t",
    ".discrete": "bernoulli categorical geometric rademacher randint",
    ".counts": "binomial multinomial poisson",
    ".shuffles": "choice permutation",
    "..prims.random_gamma": "random_gamma_p",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)


@_guarded
def __getattr__(name: str):
    if name not in _HOME:
        raise _no_attribute(__name__, name, _HOME)
    value = globals()[name] = _guarded(getattr(_import_module(_HOME[name], __name__), name))
    return value


def __dir__() -> list[str]:
    return __all__
