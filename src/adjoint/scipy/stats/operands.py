"""Operands that the distributions share: promotion of their arguments, and location and scale."""

from __future__ import annotations

from ... import numpy as jnp
from ...core.messages.errors import message
from ...numpy.promotion import convert, promote_inexact

# What has complex values too, being an analytic function of its argument; or refuses complex numbers in its own words.
_TAKE_COMPLEX = frozenset((
    *[f"cauchy.{name}" for name in ("cdf", "isf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf")],
    *[f"logistic.{name}" for name in ("cdf", "isf", "logpdf", "pdf", "ppf", "sf")],
    "expon.ppf", "norm.logpdf", "norm.pdf", "pareto.ppf", "uniform.ppf",
    *[f"beta.{name}" for name in ("cdf", "logcdf", "logsf", "sf")], "gaussian_kde", "gaussian_kde.evaluate",
))

# JAX parity: whose results are weak beside weak arrays; others are so only at a weak scalar.
_WEAK = frozenset((
    "binom", "expon", "gennorm", "gumbel_l", "vonmises", "wrapcauchy", "uniform.logpdf", "uniform.ppf",
    *[f"gumbel_r.{name}" for name in ("logpdf", "logcdf", "logsf", "ppf")],
    "gamma.sf", "gamma.logsf", "logistic.cdf", "logistic.sf", "pareto.logcdf", "poisson.pmf", "poisson.logpmf",
))


def floats(name: str, *args) -> list:
    """Arguments as arrays of one float dtype, which is not weak where one of them is an array with axes.

    Raises:
      TypeError: one is complex, and the function `name` has no complex values.
    """
    out = [jnp.asarray(x) for x in promote_inexact(name, *args)]
    if out[0].dtype.kind == "c" and name not in _TAKE_COMPLEX:
        raise TypeError(
            message(
                f"{name} does not accept dtype {out[0].dtype.name}; it is a function of real numbers.",
                fix="jnp.real(x)",
            )
        )
    family, function = name.split(".", 1) if "." in name else (name, "")
    keeps = family in _WEAK or name in _WEAK
    return out if keeps or not jnp.ndim(args[0]) else [convert(x, x.dtype) for x in out]


def standardized(name: str, x, loc, scale, positive: bool = False) -> tuple:
    """``(x - loc) / scale`` and the scale, of a distribution that is a standard one moved and stretched.

    With `positive` a scale that is not gives NaN.
    """
    x, loc, scale = floats(name, x, loc, scale)
    if positive:
        scale = jnp.where(scale > 0, scale, jnp.nan)
    return (x - loc) / scale, scale


def log_of_rest(z):
    """``log(1 - exp(-z))`` without loss of digits, for small and for large z."""
    near = z < 0.7
    rest = jnp.where(z == 0, 1, -jnp.expm1(-jnp.where(near, z, 1)))
    value = jnp.where(near, jnp.log(rest), jnp.log1p(-jnp.exp(-jnp.where(near, 1, z))))
    return jnp.where(z == 0, -jnp.inf, value)


def log_of(p):
    """Return the logarithm of probabilities; where one is 0 its derivatives are, as those of a density are outside."""
    none = p == 0
    return jnp.where(none, -jnp.inf, jnp.log(jnp.where(none, 1, p)))
