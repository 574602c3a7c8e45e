"""Inverse functions of complex numbers on the native engine: to some units of the last place, and at the ends."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import both, host_steps
from tests.streams import stream

import adjoint as ax
from adjoint import lax

RNG = stream()
EDGES = [0.0, -0.0, 1, -1, 0.5, 2, -3, np.inf, -np.inf, np.nan, 1e-20, 1e30, -1e30, 1e-3]
plane = lambda *shape: RNG.normal(size=shape) + 1j * RNG.normal(size=shape)
Z = np.concatenate([
    plane(2000) * 10 ** RNG.uniform(-3, 3, 2000), [complex(a, b) for a in EDGES for b in EDGES],
    (np.array([1, -1, 1j, -1j])[:, None] + plane(4, 300) * 10 ** RNG.uniform(-9, -1, (4, 300))).ravel(),
])


@pytest.mark.parametrize("name", "asin acos atan asinh acosh atanh".split())
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_inverse_functions_of_complex_numbers(name, dtype):
    with np.errstate(all="ignore"), ax.enable_x64(True):
        z = Z.astype(dtype)
        native, expected, compiled = both(ax.make_jaxpr(lambda z: getattr(lax, name)(z))(z), [z])
    assert host_steps(compiled) == []
    for x, y in (native[0].real, expected[0].real), (native[0].imag, expected[0].imag):
        np.testing.assert_allclose(x, y, rtol=6 * np.finfo(dtype).eps, atol=1e-37)
        zero = y == 0
        np.testing.assert_array_equal(np.signbit(y[zero]), np.signbit(x[zero]))
