"""Windows for signals, covariances of them, and bits: values, types, jaxprs, derivatives and errors as in JAX."""

from __future__ import annotations

import numpy as np
from tests.modes import compiling

from .expressions import numbers, same_derivatives, same_errors, same_jaxprs, same_values

WINDOWS = "\n".join(f"n.{w}({m})" for w in ("bartlett", "blackman", "hamming", "hanning") for m in (0, 1, 2, 5, 12))
COVARIANCES = """
    n.cov(x)
    n.cov(x[0])
    n.cov(x[0], x[1])
    n.cov(x, rowvar=False)
    n.cov(x, x[0])
    n.cov(x[:1], rowvar=False)
    n.cov(x[:, :1], rowvar=False)
    n.cov(x, bias=True)
    n.cov(x, ddof=0)
    n.cov(x, ddof=0, fweights=n.arange(4))
    n.cov(x, fweights=n.arange(4))
    n.cov(x, aweights=y[0])
    n.cov(x, aweights=y[0], fweights=n.arange(4))
    n.cov(x + 1j * y)
    n.cov(n.asarray(x, 'int32'))
    n.cov(x[:, :0])
"""
CORRELATIONS = """
    n.corrcoef(x)
    n.corrcoef(x[0], y[1])
    n.corrcoef(x[0])
    n.corrcoef(x + 1j * y)
    n.corrcoef(x, y, rowvar=False)
"""
BITS = """
    n.packbits(n.arange(11) % 3)
    n.packbits(x > 0, axis=1)
    n.packbits(x > 0, axis=0, bitorder='little')
    n.packbits(x[:0] > 0)
    n.unpackbits(n.arange(5, dtype='uint8'))
    n.unpackbits(n.asarray(abs(x) * 50, 'uint8'), axis=0, count=5)
    n.unpackbits(n.asarray(abs(x) * 50, 'uint8'), axis=1, count=-3, bitorder='little')
    n.unpackbits(n.arange(3, dtype='uint8'), count=40)
"""


def test_windows():
    kaisers = "n.kaiser(0, 2)\nn.kaiser(1, 2)\nn.kaiser(5, 1.5)\nn.kaiser(6, x[0])\nn.kaiser(6, 0)"
    same_values(WINDOWS + "\n" + kaisers, numbers(shape=(2,)))
    same_jaxprs(WINDOWS + "\n" + kaisers, numbers(shape=(2,)))
    same_derivatives("n.kaiser(6, x[0])", np.array([1.5, 2], np.float32))


def test_covariances():
    x, y = numbers(shape=(3, 4)), numbers(shape=(3, 4), seed=1)
    same_values(COVARIANCES + CORRELATIONS, x, y, rtol=2e-5)
    same_values("n.cov(x, dtype='float16')\nn.cov(2.)\nn.cov(x[:0])", x, rtol=1e-3)
    same_jaxprs(COVARIANCES, x, y)
    same_derivatives("n.cov(x)\nn.cov(x, aweights=y[0])\nn.corrcoef(x, y)", x, y)


def test_bits():
    same_values(BITS, numbers(shape=(3, 11)))
    same_jaxprs(BITS, numbers(shape=(3, 11)))


@compiling
def test_errors():
    same_errors(
        """
        n.bartlett(-1)
        n.kaiser(4, x[:, :3])
        m.jit(n.hanning)(4)
        n.cov([1, 2])
        n.cov(n.ones((2, 2, 2)))
        n.cov(x, fweights=x[0])
        n.cov(x, fweights=n.ones((3, 3), int))
        n.cov(x, aweights=x[0, :2])
        n.cov(x, dtype='int32')
        n.packbits(x)
        n.packbits(x > 0, bitorder='x')
        n.packbits([1])
        n.unpackbits(x > 0)
        n.unpackbits(n.arange(3, dtype='uint8'), bitorder='x')
        """,
        numbers(shape=(3, 4)),
    )
