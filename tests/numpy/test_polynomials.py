"""Polynomials, windows' neighbours in NumPy's name space: values, types, jaxprs, derivatives and errors as in JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling

import adjoint.numpy

from .expressions import numbers, same_concrete, same_derivatives, same_errors, same_jaxprs, same_values

V = np.array([3, 1, 2], np.float32)
W = np.array([1, 2, 4, 5.5], np.float32)
SUMS = """
    n.polyadd(x, y)
    n.polyadd(y, x)
    n.polyadd(n.asarray(x, 'int32'), y)
    n.polyadd(x, x)
    n.polyadd(n.stack([x, x]), x[None])
    n.polysub(x, y)
    n.polysub(n.asarray(x, 'int32'), n.asarray(y, 'int32'))
    n.polyder(y)
    n.polyder(y, 2)
    n.polyder(y, 0)
    n.polyder(y, 5)
    n.polyder(n.asarray(x, 'int32'))
    n.polyint(x)
    n.polyint(x, 2)
    n.polyint(x, 2, y[:2])
    n.polyint(x, 2, 1.5)
    n.polyint(x, 0)
    n.polyint(n.asarray(x, 'int32'), 1, 2)
    n.polyval(x, y)
    n.polyval(n.asarray(x, 'int32'), 2)
    n.polyval(x, y, unroll=2)
    n.polyval(n.asarray(y, 'complex64'), x)
    n.polyval(n.stack([x, x, x]), x)
    n.polyval(x[:0], y)
    n.vander(x)
    n.vander(n.asarray(x, 'int32'), 4, increasing=True)
    n.vander(x, 0)
    n.vander(x, N=2)
    n.roots(x[:1], strip_zeros=False)
"""


def test_values():
    same_values(SUMS, V, W)
    same_values(
        """
        n.polymul(x, y)
        n.polymul(n.asarray(x, 'int32'), n.asarray(x, 'int32'))
        n.polydiv(y, x)
        n.polydiv(x, y)
        n.polydiv(n.asarray(x, 'int32'), n.asarray(x, 'int32'))
        n.polydiv(n.stack([*y, *y, *y]), x)
        n.poly(x)
        n.poly(n.asarray(x, 'int32'))
        n.poly(2.)
        n.poly(x[:0])
        n.poly(x + 1j * x[::-1])
        n.poly(n.outer(x, x) + n.diag(x))
        n.polyfit(x, y[:3], 1)
        n.polyfit(x, y[:3], 1, w=x)
        n.polyfit(x, y[:3], 1, full=True)
        n.polyfit(x, y[:3], 1, cov=True)
        n.polyfit(x, y[:3], 1, cov='unscaled')
        n.polyfit(x, n.vander(x), 1, rcond=1e-3)
        n.polyfit(x, n.vander(x), 1, cov=True, w=x)
        n.sort(n.roots(y, strip_zeros=False))
        n.roots(n.concatenate([x[:1] * 0, y[:3] * 0, x]), strip_zeros=False)[2:]
        """,
        V, W, rtol=3e-5,
    )


@compiling
def test_jaxprs():
    same_jaxprs(SUMS, V, W)


def test_values_that_decide_shapes():
    same_concrete(
        """
        n.sort(n.roots(x))
        n.sort(n.roots(n.asarray(y, 'int32')))
        n.roots(x * 0)
        n.roots(2)
        n.roots(n.r_[0, 0, 1, 3.])
        n.roots(n.r_[1, 3., 0])
        n.polymul(n.r_[0, 0, x], n.r_[0, y], trim_leading_zeros=True)
        n.polymul(x * 0, y, trim_leading_zeros=True)
        n.polydiv(n.polymul(x, y), x, trim_leading_zeros=True)
        n.polydiv(y, x, trim_leading_zeros=True)
        """,
        V, W, rtol=1e-5,
    )


@pytest.mark.parametrize("n", [1, 5, 40])
def test_division_is_the_inverse_of_multiplication(n):
    import adjoint.numpy as jnp

    a, b = numbers(np.float32, (n,)), np.array([2, 0.5, 1], np.float32)
    quotient, rest = jnp.polydiv(jnp.polymul(jnp.asarray(a), jnp.asarray(b)), jnp.asarray(b))
    np.testing.assert_allclose(quotient, a, atol=1e-4)
    np.testing.assert_allclose(rest, 0, atol=1e-4)


def test_derivatives():
    same_derivatives(
        """
        n.polyadd(x, y)
        n.polysub(x, y)
        n.polymul(x, y)
        n.polydiv(x, y[1:])[0]
        n.polyder(x, 2)
        n.polyint(x, 2, y[:2])
        n.polyval(x, y)
        n.poly(x)
        n.vander(y, 3)
        n.polyfit(x, y, 1)
        """,
        np.array([3, 1, 2, 0.5], np.float32), W, rtol=5e-4,
    )


@compiling
def test_errors():
    same_errors(
        """
        n.polyadd([1], [2])
        n.polysub(x, 2.)
        n.polyval([1, 2], 2)
        n.polyval(2., 3.)
        n.polyder(x, -1)
        n.polyder(2.)
        n.polyder(x, 1.5)
        n.polyint(x, -1)
        n.polyint(x, 2, x)
        n.polyint(2.)
        n.polymul(n.vander(x), x)
        n.polymul(2., x)
        n.polydiv(x, x[:0])
        n.poly(n.ones((2, 3)))
        n.poly(n.ones((0, 0)))
        n.roots(n.vander(x))
        m.jit(n.roots)(x)
        m.jit(lambda x: n.polymul(x, x, trim_leading_zeros=True))(x)
        n.vander(n.vander(x))
        n.vander(x, -1)
        n.polyfit(x, y, 1)
        n.polyfit(x, x, -1)
        n.polyfit(n.vander(x), x, 1)
        n.polyfit(x[:0], x[:0], 1)
        n.polyfit(x, n.ones((3, 1, 1)), 1)
        n.polyfit(x, x, 1, w=n.vander(x))
        n.polyfit(x, x, 1, w=y)
        n.polyfit(x, x, 2, cov=True)
        n.polyfit(n.asarray(x, 'int32'), x, 1)
        """,
        V, W,
    )


def test_remainders_that_are_not_numbers_are_not_small():
    quotient, rest = adjoint.numpy.polydiv(
        adjoint.numpy.array([0.0, 2.0, 3.0]), adjoint.numpy.array([0.0, 3.0]), trim_leading_zeros=True)
    assert np.isnan(quotient).all() and np.isnan(rest).all() and rest.shape == (3,)
