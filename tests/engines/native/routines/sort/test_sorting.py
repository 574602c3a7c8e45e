"""Sorting on the native engine: every kind of data, long rows that all threads sort, many short ones."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import both, host_steps
from tests.modes import compiling, unchecked
from tests.recorded import jax
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.routines.sort import select

pytestmark = pytest.mark.usefixtures("native")

RNG = stream()
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


@compiling
@unchecked
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("n", [200, 3001, 70_000])
def test_numbers_that_are_sorted_alone_keep_their_bits(n, dtype):
    """Zeros of both signs and NaN of any bits stand in the order in which they came."""
    with ax.enable_x64(True):
        dtype = jnp.dtype(dtype)
        bits = RNG.integers(0, 256, n * dtype.itemsize, dtype="u1").view(f"u{dtype.itemsize}")
        bits[RNG.integers(0, n, n // 3)] = 0
        bits[RNG.integers(0, n, n // 3)] = 1 << 8 * dtype.itemsize - 1
        for row in (bits, np.where(bits == 0, bits[0] | 1, bits), np.arange(n).astype(bits.dtype)):
            x = row.view(dtype)
            with np.errstate(invalid="ignore"):
                wide = np.where(x == 0, 0, x.astype("float64"))
            expected = row[np.argsort(wide, kind="stable")]
            np.testing.assert_array_equal(np.asarray(ax.jit(lax.sort)(x)).view(bits.dtype), expected)


@pytest.mark.parametrize("n", [5000, 70_000])
def test_keys_whose_first_digits_tell_little_are_sorted(n):
    """Digits that depend on each other, so that more items are alike than a sample tells; and very few that are."""
    group = RNG.integers(0, 300, n).astype("u8")
    close = group << 54 | group * 7919 % 1024 << 44 | RNG.integers(0, 1 << 40, n).astype("u8")
    twins = np.where(RNG.random(n) < 0.01, close[0] >> 20 << 20, close * 0x9E3779B97F4A7C15)
    with ax.enable_x64(True):
        for x in (close, twins, twins.view("i8")):
            compiled = assert_same(lambda x: (lax.sort(x), jnp.argsort(x)), x)
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


def total_order(x):
    """Integers in the order of the elements, -NaN to NaN."""
    if x.dtype.kind != "f":
        return x
    bits = x.view(f"i{x.itemsize}")
    return bits ^ (bits >> 8 * x.itemsize - 1) & np.iinfo(bits.dtype).max


@pytest.mark.parametrize("packs", [True, False], ids=["vectors", "elements"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint32", "float64", "int16"])
def test_partitions(dtype, packs, monkeypatch):
    """The k-th element and its position are in their place, what is smaller before them, nothing is lost."""
    monkeypatch.setattr(select, "_PACKS", packs and select._PACKS)
    with ax.enable_x64(True):
        for n in (64, 300, 2048, 2049, 9000):
            rows = np.stack([sample(kind, n, dtype) for kind in DATA])
            for kth in (0, n // 3, n - 1):
                program = lambda x, k=kth: (jnp.partition(x, k), jnp.argpartition(x, k))
                out, index = map(np.asarray, ax.jit(program)(rows))
                keys, expected = total_order(rows), np.sort(total_order(rows), axis=1)
                for found in (total_order(out), np.take_along_axis(keys, index, 1)):
                    np.testing.assert_array_equal(np.sort(found, 1), expected)
                    np.testing.assert_array_equal(np.sort(found[:, : kth + 1], 1), expected[:, : kth + 1])
                    np.testing.assert_array_equal(found[:, kth], expected[:, kth])
                np.testing.assert_array_equal(np.sort(index, 1), np.arange(n) + 0 * index)


@pytest.mark.parametrize("n", [9, 100, 2049])
def test_a_partition_keeps_the_least_integer(n):
    """Which has no opposite; everything else is then in the places that JAX has for it."""
    x = np.resize(np.array([3, -1, -128, 5, 127, 0], "int8"), n)
    for dtype in ("int8", "int16", "int32"):
        y = np.where(x == -128, np.iinfo(dtype).min, x).astype(dtype)
        for run in (jnp.partition, ax.jit(jnp.partition, static_argnums=1)):
            out = np.asarray(run(y, n // 4))
            np.testing.assert_array_equal(np.sort(out), np.sort(y))
            assert out[n // 4] == np.sort(y)[n // 4]
        for run in (jnp.argpartition, ax.jit(jnp.argpartition, static_argnums=1)):
            np.testing.assert_array_equal(np.sort(y[run(y, n // 4)][: n // 4]), np.sort(y)[: n // 4])


def test_partitions_of_short_rows_are_those_of_jax():
    """Bit for bit, with zeros of both signs; and what is derived from them, or is along another axis."""
    for n in (9, 100, 999):
        x = sample("normal", n, "float32")
        x[np.isnan(x)] = 3
        for f in (lambda np, x: np.partition(x, 7), lambda np, x: np.argpartition(x, 7)):
            expected = np.asarray(f(jax.numpy, x))
            for _ in range(3):
                assert np.asarray(f(jnp, jnp.asarray(x))).tobytes() == expected.tobytes()
            assert np.asarray(ax.jit(lambda x, f=f: f(jnp, x))(x)).tobytes() == expected.tobytes()
    x = RNG.normal(size=(99, 3)).astype("float32")
    f = lambda np, x: np.partition(x, 50, axis=0)[:51].sum()
    np.testing.assert_array_equal(ax.jit(ax.grad(lambda x: f(jnp, x)))(x), jax.grad(lambda x: f(jax.numpy, x))(x))
    rows = ax.jit(ax.vmap(lambda x: jnp.partition(x, 50)))(x.T)
    np.testing.assert_array_equal(np.sort(rows, 1), np.sort(x.T, 1))


def test_the_same_program_under_another_name_is_sorted():
    """Only the library's own function leaves the order open."""

    def partition(x):
        return jnp.concatenate([-lax.top_k(-x, 2001)[0], lax.top_k(x, 999)[0]])

    x = sample("uniform", 3000, "float32")
    x[np.isnan(x)] = 3
    expected = np.sort(x)
    for f in (ax.jit(lambda x: jnp.partition(x, 2000)), ax.jit(lambda x: ax.jit(partition)(x))):
        out = np.asarray(f(x))
    np.testing.assert_array_equal(out, [*expected[:2001], *expected[:2000:-1]])
