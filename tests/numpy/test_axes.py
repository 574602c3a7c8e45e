"""Axes as ranges, arrays, keys of dicts, iterators and whatever else gives ints, as in JAX."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint
import adjoint.numpy as jnp

from .expressions import program, same_concrete

X = np.arange(6, dtype=np.float32).reshape(1, 2, 3)[:, :, :1] * 1.5
SEVERAL = (
    "sum", "prod", "max", "min", "all", "any", "mean", "var", "std", "average", "nansum", "nanprod", "nanmax",
    "nanmin", "nanmean", "nanvar", "nanstd", "count_nonzero", "flip", "expand_dims",
)
RANGES = "\n".join(f"n.{name}(x, axis=range(2))" for name in SEVERAL)
OTHERS = """
    n.sum(x, axis=np.array([0, 2]))
    n.sum(x, axis={0: 1, 1: 2}.keys())
    n.sum(x, axis=iter([0, 1]))
    n.sum(x, axis=(i for i in (0, 1)))
    n.sum(x, axis=np.array([], int))
    n.max(x, axis=np.array([-1]))
    n.all(x, axis={1})
    n.mean(x, axis=np.array([0]))
    n.var(x, axis=range(-1, 0))
    n.average(x, axis=np.array([0, 1]), weights=x)
    n.average(x, axis=iter([2, 1]), weights=n.ones((1, 2)), returned=True)
    n.squeeze(x, range(1))
    n.squeeze(x, np.array([0, 2]))
    n.expand_dims(x, np.array([0, -1]))
    n.flip(x, np.array([1]))
    n.roll(x, 1, range(1, 2))
    n.roll(x, (1, 2), np.array([0, 1]))
    n.moveaxis(x, range(2), np.array([1, 2]))
    n.moveaxis(x, iter([0]), iter([2]))
    n.apply_over_axes(n.sum, x, range(2))
    n.apply_over_axes(lambda y, k: n.max(y, k), x, (0, -1))
    n.roll(x, 1, ())
    n.gradient(n.outer(x, x), axis=range(1))
    n.gradient(n.outer(x, x), axis=(0, 0))
    n.fft.fftshift(x, (1, 1))
    n.fft.fftshift(x, range(2))
    x.sum(range(2))
    x.mean(np.array([1]))
    x.squeeze(range(1))
    m.nn.softmax(x, np.array([0, 1]))
    m.nn.log_softmax(x, range(2))
    m.nn.logsumexp(x, np.array([0, 1]))
    m.nn.standardize(x, range(1, 2))
    m.lax.expand_dims(x, range(2))
    m.lax.squeeze(x, np.array([0]))
    m.lax.dot_general(x, x, ((np.array([0]), np.array([0])), (range(1, 2), [1])))
    m.nn.logmeanexp(x, True)
    m.scipy.fft.dctn(x, axes=np.array(1))
    m.scipy.signal.fftconvolve(x, x, axes=())
    m.lax.reduce(x, 0., m.lax.add, np.array([0]))
    m.lax.rev(x, range(2))
    m.lax.transpose(x, np.array([2, 0, 1]))
"""


def test_any_iterable_gives_axes():
    same_concrete(RANGES, X)
    same_concrete(OTHERS, X)


@pytest.mark.parametrize("expression", ["n.sum(x, axis=iter([0, 1]))", "n.var(x, axis=(i for i in (0, 1)))"])
@pytest.mark.parametrize("shape", [(2, 3, 4), (40, 50, 60)])
def test_an_iterator_is_read_once_in_every_call(expression, shape):
    """Calls that are replayed, and compiled, do not keep what an iterator gave."""
    x = jnp.arange(np.prod(shape), dtype=jnp.float32).reshape(shape)
    plain = expression.replace("iter([0, 1])", "(0, 1)").replace("(i for i in (0, 1))", "(0, 1)")
    expected = program(plain)(adjoint, x)
    for _ in range(4):
        np.testing.assert_allclose(program(expression)(adjoint, x), expected, rtol=1e-5)
