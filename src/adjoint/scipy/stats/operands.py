"""Operands that the distributions share: their promotion, location and scale; and what docstrings say of them."""

from __future__ import annotations

from typing import Any

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


# Of each function what its first argument is, and what it returns.
_VALUE, _PROBABILITY = "where, an array or a scalar.", "probabilities from 0 to 1, an array or a scalar."
_COUNT = "whole numbers, an array or a scalar."
_FUNCTIONS = {
    "pdf": (_VALUE, "Densities, not negative"),
    "logpdf": (_VALUE, "Logarithms of densities, exact where those are too small for a float"),
    "pmf": (_COUNT, "Probabilities"),
    "logpmf": (_COUNT, "Logarithms of probabilities, exact where those are too small for a float"),
    "cdf": (_VALUE, "Probabilities, going up with the value"),
    "logcdf": (_VALUE, "Logarithms of probabilities, from -inf to 0"),
    "sf": (_VALUE, "Probabilities, going down as the value goes up"),
    "logsf": (_VALUE, "Logarithms of probabilities, from -inf to 0"),
    "ppf": (_PROBABILITY, "The values up to which there are such probabilities"),
    "isf": (_PROBABILITY, "The values above which there are such probabilities"),
}
_PARAMETERS = {"loc": "by how much the values are moved; 0 by default.",
               "scale": "by how much they are stretched, positive; 1 by default."}


def described(names: dict[str, Any], distribution: str, **parameters: str) -> None:
    """Give the functions of a distribution's module docstrings with sections, after the sentences that they begin with.

    Args:
      names: the module's `globals()`.
      distribution: what it is, which values it has, and where it has none of them.
      parameters: what its parameters are, apart from location and scale.
    """
    for name in names["__all__"]:
        if name not in _FUNCTIONS:
            continue
        function = names[name]
        (first, returns), (sentence, _, example) = _FUNCTIONS[name], function.__doc__.partition("\n\n")
        operands = function.__code__.co_varnames[: function.__code__.co_argcount]
        texts = {operands[0]: first, **_PARAMETERS, **parameters}
        function.__doc__ = "\n".join([
            f"{sentence}\n\n    The distribution is {distribution}.\n\n    Args:",
            *[f"      {n}: {texts[n]}" for n in operands],
            f"    Returns:\n      {returns}: floats, in an array of the shape to which the arguments broadcast.",
            f"    Raises:\n      {_errors(names['__name__'].rpartition('.')[2], name)}",
            *(["", example] if example else ["    "]),
        ])


def _errors(distribution: str, function: str) -> str:
    """Return the section about errors of a function of a distribution."""
    takes_complex = distribution != "beta" and f"{distribution}.{function}" in _TAKE_COMPLEX
    complex_or = "" if takes_complex else "complex, or "
    return (f"TypeError: an argument is {complex_or}no array or scalar.\n"
            "      TypeError, ValueError: the shapes do not broadcast.")
