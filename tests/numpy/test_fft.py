"""`adjoint.numpy.fft` and `lax.fft`: values, types, jaxprs, derivatives and errors as in JAX."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint.numpy

from .expressions import numbers, same_derivatives, same_errors, same_jaxprs, same_values

REAL = numbers(shape=(2, 3, 4))
COMPLEX = numbers(np.complex64, (2, 3, 4))
TABLE = """
    n.fft.fft(y)
    n.fft.fft(x)
    n.fft.fft(y, n=3, axis=1, norm='ortho')
    n.fft.fft(y, n=6, norm='forward')
    n.fft.fft(y, norm='backward')
    n.fft.fft(y, axis=None)
    n.fft.ifft(y, norm='forward')
    n.fft.ifft(x, norm='ortho')
    n.fft.rfft(x)
    n.fft.rfft(x, n=3, axis=0, norm='ortho')
    n.fft.irfft(x)
    n.fft.irfft(n.fft.rfft(x), n=4, norm='ortho')
    n.fft.irfft(n.fft.rfft(x, axis=1), n=3, axis=1, norm='backward')
    n.fft.hfft(x)
    n.fft.hfft(n.fft.ihfft(x, axis=0), n=2, axis=0, norm='forward')
    n.fft.ihfft(x, n=5, norm='ortho')
    n.fft.fft2(y)
    n.fft.ifft2(y, s=(3, 3), axes=(0, 1))
    n.fft.rfft2(x, s=(3, 3))
    n.fft.irfft2(n.fft.rfft2(x), s=(3, 4))
    n.fft.fftn(y)
    n.fft.fftn(y, s=(2, 2))
    n.fft.fftn(y, axes=())
    n.fft.ifftn(y, axes=(0,), norm='ortho')
    n.fft.rfftn(x, axes=(0, 1))
    n.fft.irfftn(n.fft.rfftn(x), s=(4, 3, 5))
    n.fft.fftn(n.stack([y, y])[:, None])
    n.fft.ifftn(n.stack([y, y])[:, None])
    n.fft.rfftn(n.stack([x, x]))
    n.fft.irfftn(n.fft.rfftn(n.stack([x, x])), s=(2, 2, 3, 4))
    n.fft.fftshift(x)
    n.fft.fftshift(x, axes=(0, 1))
    n.fft.ifftshift(x, axes=1)
    n.fft.ifftshift(y, axes=[-1])
    n.fft.fftfreq(5)
    n.fft.fftfreq(6, d=3)
    n.fft.fftfreq(6, d=x[0, 0, 1])
    n.fft.fftfreq(4, d=x)
    n.fft.fftfreq(4, dtype='float16')
    n.fft.rfftfreq(5, 0.5)
    n.fft.rfftfreq(6, dtype='int32')
    n.fft.rfftfreq(2.5)
    n.fft.rfftfreq(4.5)
    n.fft.fftfreq(4, dtype='complex64')
    m.lax.fft(y, 'FFT', (4,))
    m.lax.fft(y, m.lax.FftType.IFFT, (3, 4))
    m.lax.fft(x, 'rfft', (2, 3, 4))
    m.lax.fft(n.fft.rfft(x), 'IRFFT', (4,))
    m.lax.fft(x, 'FFT', ())
"""


def test_values():
    same_values(TABLE, REAL, COMPLEX, rtol=1e-5)


def test_jaxprs():
    same_jaxprs(TABLE, REAL, COMPLEX)


@pytest.mark.parametrize("dtype", [np.int32, bool, np.float16])
def test_other_dtypes_become_floats(dtype):
    rows = "n.fft.fft(x)\nn.fft.irfft(x)\nn.fft.hfft(x)"
    rows += "\nn.fft.rfft(x)\nn.fft.ihfft(x)" * (dtype is not np.float16)
    same_values(rows, numbers(dtype, (3, 4)), rtol=1e-5)


def test_derivatives():
    same_derivatives(
        """
        n.fft.fft(x)
        n.abs(n.fft.fft(y)) ** 2
        n.fft.ifft(x * y, axis=0)
        n.abs(n.fft.rfft(x)) ** 2
        n.abs(n.fft.rfft(x, n=5, axis=1)) ** 2
        n.fft.irfft(x + 1j * y)
        n.fft.irfft(x + 1j * y, n=5, axis=0, norm='ortho')
        n.abs(n.fft.rfftn(x)) ** 2
        n.fft.irfftn(x + 1j * y)
        n.fft.hfft(x + 1j * y)
        n.abs(n.fft.ihfft(x)) ** 2
        n.fft.fftshift(x * y)
        """,
        numbers(shape=(3, 4, 4)) / 4, numbers(shape=(3, 4, 4), seed=1) / 4, rtol=2e-4,
    )


def test_errors():
    same_errors(
        """
        n.fft.rfft(y)
        n.fft.ihfft(y)
        n.fft.fft(x, norm='foo')
        n.fft.fft(x, axis=(0, 1))
        n.fft.fft(x, n=0)
        n.fft.fft(x, n=2.5)
        n.fft.fft(x, axis=3)
        n.fft.fft(2.)
        n.fft.fft([1, 2])
        n.fft.fftn(y, axes=(0, 0))
        n.fft.fftn(y, s=(1, 2, 3, 4))
        n.fft.fftn(y, s=(1, 2), axes=(0,))
        n.fft.fftn(y, s=3)
        n.fft.fft2(y, axes=(0,))
        n.fft.fft2(y[0, 0])
        n.fft.fftfreq([2])
        n.fft.rfftfreq([2])
        n.fft.rfftfreq(2, [1.])
        n.fft.fftshift([1])
        m.lax.fft(y, 0, (4,))
        m.lax.fft(y, 'XX', (4,))
        m.lax.fft(y, 'FFT', 4)
        m.lax.fft(y, 'FFT', (3,))
        m.lax.fft(y, 'RFFT', (4,))
        m.lax.fft(y, 'IRFFT', (2, 4))
        m.lax.fft(y[0, 0], 'FFT', (3, 4))
        m.lax.fft(n.asarray(x, 'float16'), 'RFFT', (4,))
        """,
        REAL, COMPLEX,
    )


def test_an_axis_without_elements_has_no_transform():
    with pytest.raises(ValueError, match="should be positive"):
        adjoint.numpy.fft.ihfft(np.zeros((2, 0)))
