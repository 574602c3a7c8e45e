"""`searchsorted` as a routine: places of NumPy, with NaN last and equal zeros, for every length and dtype."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees
from tests.streams import stream

import adjoint as ax
from adjoint import numpy as jnp

RNG = stream()


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", ["int32", "uint32", "float32", "int64", "uint64", "float64"])
def test_places_are_those_of_numpy(dtype, side):
    for n, m in ((1, 1), (2, 5), (7, 64), (64, 300), (1000, 9001)):
        with ax.enable_x64(dtype.endswith("64")):
            a, v = [np.sort(RNG.integers(0, n + 2, k).astype(dtype)) for k in (n, m)]
            if dtype.startswith("float"):
                a[n // 2 :] = np.where(a[n // 2 :] > n, np.nan, a[n // 2 :])
                v[0], v[m // 2] = -0.0, np.nan
            v = RNG.permutation(v)
            found = ax.jit(lambda a, v: jnp.searchsorted(a, v, side=side))(a, v)
            np.testing.assert_array_equal(found, np.searchsorted(a, v, side=side))


def test_values_of_any_shape_in_a_program():
    a, v = np.arange(50, dtype=np.float32) ** 2, RNG.normal(size=(3, 4, 5)).astype(np.float32) * 900
    assert_agrees(lambda a, v: (jnp.searchsorted(a, v), jnp.digitize(v, a), jnp.searchsorted(a, v[0, 0, 0])), a, v)
    assert_agrees(lambda a, v: ax.vmap(jnp.searchsorted, (0, None))(jnp.stack([a, a + 1]), v), a, v)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_table_that_is_not_sorted_gives_what_its_program_gives(side):
    for n, m in ((4, 4), (7, 40), (33, 300)):
        a, v = RNG.permutation(n).astype(np.float32), RNG.integers(-1, n + 1, m).astype(np.float32)
        assert_agrees(lambda a, v: jnp.searchsorted(a, v, side=side), a, v)
