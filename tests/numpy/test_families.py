"""Grids, mapped functions, histograms, sets, functions that leave out NaN, and the rest: values as in JAX."""

from __future__ import annotations

from .expressions import numbers, same_concrete, same_values


def test_values():
    same_values(
        """
        n.mgrid[0:3, 0:1:5j]
        n.ogrid[0:3, 0:1:5j]
        n.mgrid[2:5]
        n.ogrid[1:2:3j]
        n.apply_along_axis(n.sort, 0, x)
        n.apply_along_axis(lambda v: v[:2] * 2, 1, x)
        n.apply_over_axes(n.sum, x, [0, 1])
        n.piecewise(x, [x < 0, x >= 1], [-1, lambda v: v * 2, 5])
        n.vectorize(lambda a, b: a + b)(x, x[0])
        n.vectorize(lambda a, b: n.dot(a, b), signature='(k),(k)->()')(x, x[0])
        n.histogram(x, bins=4)
        n.histogram(x, bins=n.array([-2., 0, 1, 3]), weights=x, density=True)
        n.histogram_bin_edges(x, 5, (0., 2.))
        n.histogramdd(x, bins=2)
        n.unique(x > 0, size=2)
        n.unique_all(n.asarray(x, 'int32'), size=9)
        n.setxor1d(n.arange(5), n.arange(3, 8), size=9)
        n.union1d(n.arange(5), n.arange(3, 8), size=9)
        n.intersect1d(n.arange(5), n.arange(3, 8), size=9)
        n.setdiff1d(n.arange(5), n.arange(3, 8), size=9)
        n.choose(n.array([0, 1, 2, 0]), x, mode='clip')
        n.compress(n.array([True, False, True]), x, axis=0, size=2)
        n.extract(x > 0, x, size=5)
        n.resize(x, (2, 7))
        n.block([[x, x], [x, x]])
        n.bincount(n.arange(5), length=7)
        n.bincount(n.arange(5), weights=n.arange(5.), length=7)
        n.digitize(x, n.array([-1., 0, 1]))
        n.nanmax(x, axis=0)
        n.nanmin(x, 1, keepdims=True)
        n.nancumsum(x, 0)
        n.nancumprod(x)
        n.nanmean(x, 0)
        n.nanmedian(x, 1)
        n.nanpercentile(x, 30, axis=0)
        n.nanquantile(x, n.array([.2, .5]))
        n.nanprod(x)
        n.nanstd(x, 0)
        n.nanvar(x, 0, ddof=1)
        n.nansum(x, where=x > 0)
        n.interp(x, n.arange(3.), n.arange(3.) ** 2)
        n.argpartition(x, 1)
        n.einsum_path('ij,jk', x, x.T)[1] and x
        n.setdiff1d(n.arange(5), n.arange(3, 8), size=9, fill_value=7)
        n.setdiff1d(n.arange(0), n.arange(3, 8), size=3)
        n.intersect1d(n.arange(5), n.arange(3, 8), size=4, return_indices=True)
        n.intersect1d(n.arange(5), n.arange(9, 12), size=3)
        n.histogramdd(x, bins=2, weights=n.arange(3), density=True)
        """,
        numbers(shape=(3, 4)), rtol=1e-5,
    )


def test_values_that_decide_shapes():
    same_concrete(
        """
        n.trim_zeros(n.array([0, 1, 0, 2, 0]))
        n.unique(x)
        n.setxor1d(x, x[:2])
        n.compress(x[0] > 0, x, 1)
        n.extract(x > 0, x)
        n.bincount(n.arange(4))
        n.nonzero(x > 0)
        n.where(x > 0)
        n.setdiff1d(x, x[:2])
        n.intersect1d(x, x[:2], return_indices=True)
        """,
        numbers(shape=(3, 4)),
    )
