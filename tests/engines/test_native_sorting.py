"""Sorting on the native engine: every kind of data, long rows that all threads sort, many short ones."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

from .agreement import both, host_steps

RNG = np.random.default_rng(0)
DATA = {
    "uniform": lambda n: RNG.integers(0, 2**63, n),
    "few": lambda n: RNG.integers(0, 4, n),
    "normal": lambda n: RNG.normal(size=n) * 50,
    "same": lambda n: np.full(n, 7),
    "sorted": np.arange,
    "falling": lambda n: np.arange(n)[::-1],
    "skew": lambda n: np.where(RNG.random(n) < 0.01, RNG.integers(0, 2**62, n), RNG.integers(0, 3, n)),
}
SIZES = (2, 33, 100, 1000, 5000)
DTYPES = "float32 float64 int32 uint32 int64 uint64 int8 uint8 int16 float16 bool".split()


def sample(kind, n, dtype):
    with np.errstate(all="ignore"):
        x = DATA[kind](n).astype(dtype)
    if x.dtype.kind == "f":
        for value in (0.0, -0.0, np.nan, np.inf, -np.inf):
            x[RNG.integers(0, n, max(1, n // 20))] = value
    return x


def assert_same(function, *args):
    native, expected, compiled = both(ax.make_jaxpr(function)(*args), args)
    for x, y in zip(native, expected, strict=True):
        np.testing.assert_array_equal(y, x)
        if x.dtype.kind == "f":
            known = ~np.isnan(x)
            np.testing.assert_array_equal(np.signbit(y[known]), np.signbit(x[known]))
    return compiled


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_data_is_sorted(dtype):
    """By one key with and without positions, with another operand, and by two keys."""
    sort = lambda x, y, z: (
        lax.sort(x), jnp.argsort(x), lax.sort((x, z), num_keys=1), lax.sort((y, x, z), num_keys=2)
    )
    with ax.enable_x64(True):
        for n in SIZES:
            rows = [sample(kind, n, dtype) for kind in DATA]
            x, y = np.stack(rows), np.stack([sample("few", n, "int32") for _ in rows])
            assert_same(sort, x, y, np.stack([sample("normal", n, "float32") for _ in rows]))


@pytest.mark.parametrize("dtype", ["float32", "uint32", "int64", "float16"])
def test_long_rows_are_sorted_by_all_threads(dtype):
    n = 33_000
    with ax.enable_x64(True):
        x = np.stack([sample(kind, n, dtype) for kind in ("uniform", "normal", "few", "skew", "same")])
        y = np.stack([sample("uniform", n, "int32")] * len(x))
        compiled = assert_same(lambda x, y: (jnp.argsort(x), lax.sort((x, y)), lax.sort((x, y), num_keys=2)), x, y)
    assert host_steps(compiled) == []


def test_a_permutation_is_the_same_compiled_and_not():
    key, n = ax.random.key(5), 1 << 18
    expected = ax.random.permutation(key, n)
    with ax.enable_x64(False):
        ax.config.update("cpu_engine", "numpy")
        try:
            np.testing.assert_array_equal(ax.random.permutation(key, n), expected)
        finally:
            ax.config.update("cpu_engine", "native")
