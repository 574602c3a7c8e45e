"""Grids, mapped functions, histograms, sets, functions that leave out NaN, and the rest: values as in JAX."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.sharding.device import engine_name

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


ENDS = ((0, 1), (-1.0, 1.0), (0.1, 0.7), (-3.3, 7.7), (5, -5.5), (np.float32(1e-3), 1e3))


def rows(m, num, **options):
    return [np.asarray(m.numpy.linspace(a, b, num, **options)) for a, b in ENDS]


@pytest.mark.parametrize("num", [2, 5, 11, 34, 35, 101, 353, 400])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_evenly_spaced_numbers_have_the_bits_of_those_of_jax(num, dtype):
    np.testing.assert_array_equal(rows(adjoint, num, dtype=dtype), rows(jax, num, dtype=dtype))
    options = {"endpoint": False, "dtype": dtype}
    np.testing.assert_array_equal(rows(adjoint, num, **options), rows(jax, num, **options))


# By the number of numbers, checksums of what JAX has for `ENDS` as it is used, since in the tests it does not optimize:
# with the stop, without it, in a program that knows both, and in one that knows the start; 0 where a bit is other.
BITS = {
    2: (693378391, 3952400236, 693378391, 693378391),
    5: (66103506, 684314942, 2069373735, 509983493),
    11: (3358772955, 1144468888, 1460833034, 0),
    34: (1198638290, 2152598310, 895771350, 1198638290),
    35: (508006993, 1689224814, 644042657, 508006993),
    101: (3027427128, 3141452581, 1400174525, 3027427128),
    353: (1277589086, 1905490643, 0, 1277589086),
    400: (905731493, 1637961880, 0, 905731493),
}


def checksum(f):
    return zlib.crc32(np.array([f(a, b) for a, b in ENDS]).tobytes())


@pytest.mark.parametrize("num", BITS)
def test_evenly_spaced_floats_have_the_bits_of_those_of_compiled_code(num):
    assert checksum(lambda a, b: jnp.linspace(a, b, num)) == BITS[num][0]
    assert checksum(lambda a, b: jnp.linspace(a, b, num, endpoint=False)) == BITS[num][1]
    if engine_name() == "native":
        assert BITS[num][2] in (0, checksum(lambda a, b: adjoint.jit(lambda: jnp.linspace(a, b, num))()))
        assert BITS[num][3] in (0, checksum(lambda a, b: adjoint.jit(lambda b: jnp.linspace(a, b, num))(b)))


def test_evenly_spaced_numbers_are_the_same_in_every_call_and_around_one():
    first = jnp.linspace(-3.3, 7.7, 50)
    for _ in range(3):
        np.testing.assert_array_equal(jnp.linspace(-3.3, 7.7, 50), first)
        np.testing.assert_array_equal(jnp.histogram(jnp.arange(9.0), 49, (-3.3, 7.7))[1], first)
    np.testing.assert_array_equal(jnp.linspace(0, 10, 4, dtype=int, retstep=True)[0], [0, 3, 6, 10])


def test_evenly_spaced_integers_stay_within_their_range():
    for bounds, dtype, values in (
        ((0.0, -2.5), "uint8", [0, 0, 0]), ((-300.0, 300.0), "int8", [-128, 0, 127]),
        ((0.0, np.nan), "int32", [0, 0, 0]),
    ):
        assert jnp.linspace(*bounds, 3, dtype=dtype).tolist() == values
