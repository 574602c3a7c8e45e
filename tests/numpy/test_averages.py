"""Weighted means and quantiles, areas, and covariances of nothing, as in JAX."""

from __future__ import annotations

import numpy as np
from tests.modes import unchecked

from .expressions import same_concrete, same_derivatives, same_errors, same_values

A = np.arange(24, dtype=np.float32).reshape(2, 3, 4) ** 2 / 8
W = (np.arange(24, dtype=np.float32) * 7 % 17 / 8 + 1).reshape(4, 3, 2)
WEIGHTED = """
    n.average(x, (2, 0), weights=y[:, 0])
    n.average(x, [-1, 0], weights=y[:, 0], returned=True)
    n.average(x, (2, 1), weights=y[:, :, 0], keepdims=True)
    n.average(x, (2, 1, 0), weights=y)
    n.average(x, (0, 2), weights=y[:, 0].T)
    n.average(x, 1, weights=y[0, :, 0])
    n.average(x, weights=x)
    n.trapezoid(x[0], dx=y[:3, 0, 0])
    n.trapezoid(x[0], dx=y[0].T[:1])
    n.trapezoid(x[0], dx=y[:2, :1, 0], axis=0)
    n.trapezoid(x, dx=y[:3, 0, 0].astype('float16'))
    n.trapezoid(x, dx=y[:2, :1, 0], axis=1)
    n.trapezoid(x, dx=y[:1, :3, 0].T)
    n.trapezoid(x, dx=2)
    n.trapezoid(n.asarray(x / 8, 'int32'), dx=y[:3, 0, 0])
"""


@unchecked  # the halves among them are rounded after each operation
def test_weights_belong_to_the_axes_in_the_order_in_which_these_are_given():
    same_values(WEIGHTED, A, W)
    same_derivatives(WEIGHTED, A, W)


V, Q = np.array([4, 2, 3, 1], np.float32), np.linspace(0, 1, 17, dtype=np.float32)
QUANTILES = """
    n.quantile(x, y, weights=n.array([1., 1, 5, 1]), method='inverted_cdf')
    n.quantile(x, y, weights=n.array([0, 1, 5, 0]), method='inverted_cdf')
    n.quantile(x, y, method='inverted_cdf')
    n.quantile(x, .5, weights=x * 0, method='inverted_cdf')
    n.quantile(x, .5, weights=-x, method='inverted_cdf')
    n.quantile(x, n.array([-1., 2, n.nan]), weights=x, method='inverted_cdf')
    n.quantile(n.where(x == 2, n.nan, x), y, weights=x, method='inverted_cdf')
    n.nanquantile(n.where(x == 2, n.nan, x), y, weights=x, method='inverted_cdf')
    n.nanquantile(x * n.nan, .5, weights=x, method='inverted_cdf')
    n.nanquantile(n.where(x == 2, n.nan, x), y, method='inverted_cdf')
    n.percentile(x, 50, weights=x, method='inverted_cdf')
    n.nanpercentile(x, 30, weights=x, method='inverted_cdf')
    n.quantile(n.outer(x, x), y[:3], axis=1, weights=x, method='inverted_cdf', keepdims=True)
    n.quantile(n.outer(x, x), y[:3], axis=0, weights=n.outer(x, x) % 3, method='inverted_cdf')
    n.quantile(n.outer(x, x), .3, axis=(1, 0), weights=n.outer(x, x[::-1]), method='inverted_cdf')
    n.quantile(n.asarray(x, 'int32'), .3, weights=n.asarray(x, 'int8'), method='inverted_cdf')
    n.quantile(n.asarray(x, 'bfloat16'), .3, weights=x, method='inverted_cdf')
"""


def test_weighted_quantiles():
    same_values(QUANTILES, V, Q, rtol=0)
    same_derivatives("n.quantile(x, .3, weights=y, method='inverted_cdf')", V, np.ones(4, np.float32))


def test_weights_of_quantiles_that_do_not_fit():
    same_errors(
        """
        n.quantile(x, .5, weights=x)
        n.quantile(x, .5, weights=x, method='unknown')
        n.quantile(n.outer(x, x), .5, weights=x, method='inverted_cdf')
        n.quantile(n.outer(x, x), .5, axis=0, weights=x[:2], method='inverted_cdf')
        n.quantile(x, .5, weights=1j * x, method='inverted_cdf')
        n.quantile(x, .5, weights=[1, 2, 3, 4], method='inverted_cdf')
        """,
        V,
    )


@unchecked
def test_running_sums_of_truth():
    same_values(
        """
        n.cumsum(x, dtype=bool)
        n.cumprod(x, dtype=bool)
        n.cumulative_sum(x, dtype=bool)
        n.cumulative_prod(x, dtype=bool, include_initial=True)
        n.nancumsum(x, dtype=bool)
        n.cumsum(1j * x, dtype=bool)
        n.cumulative_sum(n.asarray(x, 'uint8'), dtype=bool)
        n.add.accumulate(x, dtype=bool)
        n.nancumsum(n.asarray(n.where(x == 0, n.nan, x), 'bfloat16'))
        n.nancumprod(n.asarray(n.where(x == 0, n.nan, x), 'bfloat16'))
        """,
        np.array([0, 0.5, -0.5, 0], np.float32),
    )


def test_what_has_no_observations():
    same_concrete(
        """
        n.cov(x)
        n.cov(x[None])
        n.cov(n.stack([x, x]))
        n.cov(x[:, None])
        n.cov(x, x)
        n.corrcoef(x)
        n.mgrid[()]
        """,
        np.zeros(0, np.float32),
    )
