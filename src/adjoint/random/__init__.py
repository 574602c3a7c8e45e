"""Random numbers from explicit keys: the same key gives the same numbers, whatever transforms the program.

>>> key, subkey = random.split(random.key(0))
>>> random.normal(subkey, (2,))
Array([-2.4424558, -2.0356805], dtype=float32)

The numbers are JAX's, bit for bit where the arithmetic after the bits is exact. `keys.py` makes keys and
bits; each other module holds a family of distributions. Names are bound when they are first used.
"""

from __future__ import annotations

from ..core.names.exports import offered as _offered

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

__getattr__, __dir__ = _offered(globals(), _NAMES)
__all__ = __dir__()
