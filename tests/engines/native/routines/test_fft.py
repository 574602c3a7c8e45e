"""Fourier transforms in generated code: every way of going over an array, against NumPy's in float64."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, both, host_steps
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

RNG = stream()
COMPLEX = {  # rows of one length, one long row as a matrix, columns, several axes: shape, transformed axes
    "few": (7,), "one row": (64,), "a matrix of odd lengths": (15, 39), "rows": (17, 8), "short rows": (100, 3),
    "rows of 30": (50, 30), "thirteen": (26,), "long": (2, 4096), "primes": (3 * 5 * 7 * 11 * 13,),
    "two axes": ((9, 12), 2), "three axes": ((3, 5, 7, 11), 3), "eights": ((4, 64, 100), 2), "all": (2**15,),
    "an axis of one": ((5, 1, 6, 1), 3),
}
REAL = {
    "two": (2,), "rows": (20, 64), "one row": (1000,), "few": (3, 6), "axes": ((4, 6, 10), 3), "odd axis": ((9, 12), 2),
    "long": (2**16,), "last two": ((3, 4, 2), 3),
}


def shape_of(case):
    return case if isinstance(case[0], tuple) else (case, 1)


def assert_close(found, expected, dtype):
    assert found.dtype == dtype
    tolerance = 2e-6 if np.finfo(dtype).dtype == np.float32 else 1e-13
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max()


def complex_numbers(shape, dtype):
    return (RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)).astype(dtype)


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_transforms(name):
    shape, n = shape_of(COMPLEX[name])
    axes = tuple(range(-n, 0))
    with ax.enable_x64(True):
        for dtype in ("complex64", "complex128"):
            x = complex_numbers(shape, dtype)
            closed = ax.make_jaxpr(lambda x: [lax.fft(x, kind, shape[-n:]) for kind in ("FFT", "IFFT")])(x)
            found, _, executable = both(closed, [x])
            assert not host_steps(executable)
            wide = x.astype(np.complex128)
            assert_close(found[0], np.fft.fftn(wide, axes=axes), dtype)
            assert_close(found[1], np.fft.ifftn(wide, axes=axes), dtype)


@pytest.mark.parametrize("name", REAL)
def test_real_transforms(name):
    shape, n = shape_of(REAL[name])
    axes = tuple(range(-n, 0))
    with ax.enable_x64(True):
        for dtype in ("float32", "float64"):
            x = RNG.standard_normal(shape).astype(dtype)
            expected = np.fft.rfftn(x.astype(np.float64), axes=axes)
            y = complex_numbers(expected.shape, "complex64" if dtype == "float32" else "complex128")
            closed = ax.make_jaxpr(lambda x, y: [lax.fft(x, "RFFT", shape[-n:]), lax.fft(y, "IRFFT", shape[-n:])])(x, y)
            found, evaluated, executable = both(closed, [x, y])
            assert not host_steps(executable)
            assert_close(found[0], expected, y.dtype)
            assert_close(found[1], evaluated[1].astype(np.float64), dtype)


def test_lengths_with_large_factors_are_host_steps():
    for shape in ((38,), (38, 8), (8, 38)):
        found = assert_agrees(lambda x: lax.fft(x, "FFT", x.shape), complex_numbers(shape, "complex64"))
        assert host_steps(found) == ["fft"]


def test_odd_real_rows_and_their_gradients():
    x = RNG.standard_normal((3, 15)).astype(np.float32)
    assert_agrees(lambda x: jnp.fft.rfft(x), x)
    assert_agrees(ax.grad(lambda x: (jnp.abs(jnp.fft.rfft(x[:, :14])) ** 2).sum()), x, scale=10)
    assert_agrees(ax.vmap(jnp.fft.fft2), complex_numbers((2, 4, 6, 5), "complex64"))
    turns = lambda x: lax.scan(lambda c, _: (jnp.fft.fft(c) / 8, c.real), x, None, length=4)[1]
    assert not host_steps(assert_agrees(turns, complex_numbers(64, "complex64")))
