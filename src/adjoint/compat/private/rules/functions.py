"""Derivatives and parts of special functions and factorizations: names of `jax._src.lax.special` and `linalg`.

Tests: `tests/compat/test_private_rules.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from ....core.types import Array, aval_of
from ....lax.generators import random_gamma_grad
from ....lax.linalg import triangular_solve
from ....lax.operators import (
    bessel_i0e,
    betainc,
    conj,
    exp,
    igamma,
    igamma_grad_a,
    igammac,
    lgamma,
    log,
    log1p,
    polygamma,
)
from ....lax.shape import transpose
from ....prims.factorizations import geqrf as geqrf_p

__all__ = [
    "IgammaMode", "bessel_i0e_impl", "betainc_grad_not_implemented", "betainc_gradx", "evaluate_chebyshev_polynomial",
    "geqrf", "geqrf_p", "igamma_grad_a_impl", "igamma_grada", "igamma_gradx", "igamma_impl", "igammac_grada",
    "igammac_gradx", "igammac_impl", "lu_solve", "polygamma_gradm", "polygamma_gradx", "random_gamma_grad_impl",
    "regularized_incomplete_beta_impl", "symmetrize",
]


class IgammaMode(enum.Enum):
    """A part of the incomplete gamma function."""

    VALUE = 1
    DERIVATIVE = 2
    SAMPLE_DERIVATIVE = 3


def igamma_impl(a: Any, x: Any, *, dtype: Any) -> Array:
    """Return the regularized incomplete gamma function."""
    return igamma(a, x)


def igammac_impl(a: Any, x: Any, *, dtype: Any) -> Array:
    """Return one less that."""
    return igammac(a, x)


def igamma_grad_a_impl(a: Any, x: Any, *, dtype: Any) -> Array:
    """Return its derivative by `a`."""
    return igamma_grad_a(a, x)


def random_gamma_grad_impl(a: Any, x: Any, *, dtype: Any) -> Array:
    """Return the derivative of a sample of a gamma distribution by `a`."""
    return random_gamma_grad(a, x)


def regularized_incomplete_beta_impl(a: Any, b: Any, x: Any, *, dtype: Any) -> Array:
    """Return the regularized incomplete beta function."""
    return betainc(a, b, x)


def bessel_i0e_impl(x: Any) -> Array:
    """Return the modified Bessel function of order 0, times e ** -|x|."""
    return bessel_i0e(x)


def evaluate_chebyshev_polynomial(x: Any, coefficients: Sequence) -> Any:
    """Return half the difference of the last and the last but two of Clenshaw's sums."""
    b0 = b1 = b2 = x * 0
    for c in coefficients:
        b2, b1 = b1, b0
        b0 = x * b1 - b2 + c
    return (b0 - b2) * 0.5


def igamma_gradx(g: Any, a: Any, x: Any) -> Any:
    """Return `g` times the derivative of `igamma` by `x`."""
    return g * exp(-x + (a - 1) * log(x) - lgamma(a))


def igamma_grada(g: Any, a: Any, x: Any) -> Any:
    """Return `g` times the derivative of `igamma` by `a`."""
    return g * igamma_grad_a(a, x)


def igammac_gradx(g: Any, a: Any, x: Any) -> Any:
    """Return `g` times the derivative of `igammac` by `x`."""
    return -igamma_gradx(g, a, x)


def igammac_grada(g: Any, a: Any, x: Any) -> Any:
    """Return `g` times the derivative of `igammac` by `a`."""
    return -igamma_grada(g, a, x)


def betainc_gradx(g: Any, a: Any, b: Any, x: Any) -> Any:
    """Return `g` times the derivative of `betainc` by `x`."""
    return g * exp((b - 1) * log1p(-x) + (a - 1) * log(x) - (lgamma(a) + lgamma(b) - lgamma(a + b)))


def betainc_grad_not_implemented(g: Any, a: Any, b: Any, x: Any) -> Any:
    """Raise ValueError: `betainc` has no derivative by `a` and `b`."""
    raise ValueError("Betainc gradient with respect to a and b not supported.")


def polygamma_gradm(g: Any, m: Any, x: Any) -> Any:
    """Raise ValueError: `polygamma` has no derivative by its order."""
    raise ValueError("polygamma gradient with respect to m is not supported")


def polygamma_gradx(g: Any, m: Any, x: Any) -> Any:
    """Return `g` times the derivative of `polygamma` by `x`."""
    return g * polygamma(m + 1, x)


def symmetrize(x: Array) -> Array:
    """Return the mean of matrices and their conjugate transposes."""
    n = x.ndim
    turned = transpose(x, (*range(n - 2), n - 1, n - 2))
    return (x + (conj(turned) if aval_of(x).dtype.kind == "c" else turned)) / 2


def geqrf(a: Any) -> tuple[Array, Array]:
    """Return R and Householder's vectors in one matrix, and the vectors' factors."""
    return tuple(geqrf_p.bind(a))


def lu_solve(lu: Any, permutation: Any, b: Any, trans: int = 0) -> Array:
    """Return the solution of a linear system whose matrix is in factors.

    Args:
      lu: L and U in one matrix, as `lax.linalg.lu` gives them.
      permutation: the order of the rows.
      b: one right side, or some as columns.
      trans: 0 for the matrix, 1 for its transpose, 2 for its conjugate transpose.
    """
    x = b if b.ndim == 2 else b[:, None]
    if trans == 0:
        x = triangular_solve(lu, x[permutation], left_side=True, lower=True, unit_diagonal=True)
        x = triangular_solve(lu, x, left_side=True, lower=False)
    elif trans in (1, 2):
        conjugated = trans == 2
        x = triangular_solve(lu, x, left_side=True, lower=False, transpose_a=True, conjugate_a=conjugated)
        x = triangular_solve(lu, x, left_side=True, lower=True, transpose_a=True, conjugate_a=conjugated,
                             unit_diagonal=True)
        x = x[permutation.argsort()]
    else:
        raise ValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    return x if b.ndim == 2 else x[:, 0]
