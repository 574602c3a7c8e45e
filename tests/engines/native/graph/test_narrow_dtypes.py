"""float8 and int4 on the native engine: the bits of ml_dtypes, in registers and in loops."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, both, host_steps
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.core import dtypes

RNG = stream()
FLOATS = "e3m4 e4m3 e4m3b11fnuz e4m3fn e4m3fnuz e5m2 e5m2fnuz".split()
SMALL = [*[f"float8_{f}" for f in (*FLOATS, "e8m0fnu")], "float4_e2m1fn", "int4", "uint4", "int2", "uint2"]
BYTES = np.arange(256).astype(np.uint8)


def codes_of(dtype):
    return BYTES[: 1 << dtypes.itemsize_bits(dtype)].view(dtype)


def assert_same_bits(function, *args):
    """Everything is code, and gives the bits that the NumPy engine gives; which NaN it is does not matter."""
    with np.errstate(all="ignore"):
        native, expected, compiled = both(ax.make_jaxpr(function)(*args), args)
    assert host_steps(compiled) == []
    for x, y in zip(native, expected, strict=True):
        assert (x.dtype, x.shape) == (y.dtype, y.shape)
        with np.errstate(invalid="ignore"):  # signalling NaN
            known, also = [v == v for v in (x, y)]
        np.testing.assert_array_equal(also, known)
        np.testing.assert_array_equal(y[known].view(np.uint8), x[known].view(np.uint8))


@pytest.mark.parametrize("name", SMALL)
def test_conversions_have_the_bits_of_ml_dtypes(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    codes = codes_of(dtype)
    wide = np.sort(codes.astype(np.float32))
    wide = wide[np.isfinite(wide)]
    middle = (wide[1:] + wide[:-1]) / 2
    near = [np.nextafter(middle, np.float32(s * np.inf)) for s in (1, -1)]
    bits = RNG.integers(0, 2**32, 5000).astype(np.uint32).view(np.float32)
    ends = np.array([0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e30, -1e30, 1e-45], np.float32)
    floats = np.concatenate([wide, middle, *near, bits, ends])
    with np.errstate(all="ignore"), ax.enable_x64(True):
        sources = [floats, floats.astype("f8"), floats.astype("f2"), floats.astype(ml_dtypes.bfloat16),
                   np.arange(-300, 300), BYTES, np.array([True, False])]
        closed = ax.make_jaxpr(lambda *xs: [x.astype(dtype) for x in xs])(*sources)
        native, expected, compiled = both(closed, sources)
        assert host_steps(compiled) == []
        for x, y in zip(native, expected, strict=True):
            np.testing.assert_array_equal(y.view(np.uint8), x.view(np.uint8))
        targets = """float32 float64 float16 bfloat16 int32 int8 uint16 bool float8_e4m3fn float8_e5m2 float8_e8m0fnu
            float4_e2m1fn int4 uint2 complex64""".split()
        closed = ax.make_jaxpr(lambda x: [x.astype(t) for t in targets])(codes)
        native, expected, compiled = both(closed, [codes])
        assert host_steps(compiled) == []
        for x, y in zip(native, expected, strict=True):
            assert x.dtype == y.dtype
            np.testing.assert_array_equal(y.astype(np.complex128), x.astype(np.complex128))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "int4", "uint4"])
def test_operations_are_rounded_once(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    is_float = "float" in name
    x = np.resize(codes_of(dtype), (8, 33))
    x = np.clip(np.nan_to_num(x.astype(np.float32)), -3 * (name[0] != "u"), 3).astype(dtype)

    def function(x):
        y = x[::-1]
        return [
            x + y, x * y, x - y, jnp.maximum(x, y), x < y, jnp.where(x == y, x, y), x[::2, ::-3], jnp.pad(x, 1),
            jnp.concatenate([x, y], 1), x.T.reshape(33, 8), jnp.sort(x, 1), jnp.argmax(x, 1), x.max(0),
            jnp.take(x, jnp.array([1, 9, -20]), 0), x.at[jnp.array([2, 2, 40])].set(x[:3]),
            x.astype("float32") @ y.T.astype("float32"),
            lax.cummax(x, 1), lax.scan(lambda c, row: (jnp.maximum(c, row), c * row), x[0], x),
            lax.fori_loop(0, 3, lambda i, v: v * v, x),
            lax.cond(x[0, 0] == x[1, 1], lambda v: v + v, lambda v: v, x), lax.dynamic_slice(x, (3, 40), (2, 2)),
            *([lax.tanh(x), lax.exp(-x), -x, jnp.stack([x, y]).sum(0)] if is_float else [x & y, x | y, ~x]),
        ]

    flat = lambda x: ax.tree.leaves(function(x))
    assert host_steps(assert_agrees(flat, x, scale=1)) == []


def test_jitted_calls_take_and_give_small_numbers():
    x = BYTES[:64].view(ml_dtypes.float8_e4m3fn).reshape(8, 8)
    f = ax.jit(lambda x: (x * x, x.T, x[0]))
    for _ in range(3):
        square, turned, row = f(jnp.asarray(x))
    expected = (x.astype(np.float32) ** 2).astype(x.dtype), x.T, x[0]
    for got, want in zip((square, turned, row), expected):
        assert got.dtype == x.dtype
        np.testing.assert_array_equal(want.astype(np.float32), np.asarray(got).astype(np.float32))


@pytest.mark.parametrize("name", [*SMALL[:9], "bfloat16", "float16"])
def test_neighbours_and_precisions_of_every_number(name):
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    if dtype.itemsize == 2:
        x = np.arange(1 << 16).astype(np.uint16).view(dtype)
        x, y = np.concatenate([x, x, x]), np.concatenate([x[::-1], np.roll(x, 7), x])
    else:
        x, y = [v.ravel() for v in np.meshgrid(codes_of(dtype), codes_of(dtype))]
    widths = [(5, 10), (8, 7), (4, 3), (5, 2), (3, 0), (11, 52)]
    assert_same_bits(lambda x, y: [
        lax.nextafter(x, y), *[lax.reduce_precision(x, e, m) for e, m in widths]
    ], x, y)


@pytest.mark.parametrize("name", SMALL[10:])
def test_bits_of_every_small_integer(name):
    codes = codes_of(np.dtype(getattr(ml_dtypes, name)))
    x, y = [v.ravel() for v in np.meshgrid(codes, codes)]
    assert_same_bits(lambda x, y: [
        lax.population_count(x), lax.clz(x), lax.mulhi(x, y), lax.shift_left(x, y), lax.shift_right_logical(x, y),
        lax.shift_right_arithmetic(x, y), lax.scan(lambda c, v: (lax.shift_right_logical(c, v), lax.clz(c)), x, x)[1],
    ], x, y)


@pytest.mark.parametrize("name", SMALL)
def test_bits_become_numbers_of_other_widths(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    codes, cast = np.resize(codes_of(dtype), (6, 64)), lax.bitcast_convert_type
    bits = dtypes.itemsize_bits(dtype)
    wide = [np.dtype(t) for t in ("uint8", "int16", "float32", "bfloat16", "uint32")]
    rows = [codes[:, : max(1, 8 * w.itemsize // bits)] for w in wide]
    assert_same_bits(lambda *xs: [cast(x, w) for x, w in zip(xs, wide)], *[
        r[:, 0] if w.itemsize * 8 == bits else r for r, w in zip(rows, wide)
    ])
    words = RNG.integers(0, 2**16, (3, 5)).astype(np.uint16)
    assert_same_bits(lambda a, b: [cast(a, dtype), cast(b, dtype)], words, words.view(np.uint8))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "float8_e8m0fnu", "int4", "uint2"])
def test_steps_of_a_program_are_rounded_each(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    x = RNG.integers(0, 3, (7, 9)).astype(np.float32).astype(dtype)
    at, zero = np.array([1, 1, 5, 30], np.int32), dtype.type(1)

    def function(x, at):
        row = x[:4]
        windows = [lax.reduce_window(x, zero, op, (2, 2), (1, 2), "SAME") for op in (lax.add, lax.mul, lax.max)]
        return [
            x.at[at].add(row), x.at[at].multiply(row), x.at[at].min(row), x.at[at].max(row),
            x.at[at].apply(lambda v: v + v), jnp.zeros_like(x).at[at].add(row), *windows,
            lax.reduce(x, zero, lambda a, b: lax.max(lax.max(a, b), a), (1,)),
            lax.reduce_window(x, zero, lambda a, b: lax.max(lax.max(b, a), b), (5, 8), (1, 1), "VALID"),
            lax.scan(lambda c, r: (c.at[at[0]].add(r[0]), c.sum()), x[0], x),
        ]

    assert_same_bits(lambda *args: ax.tree.leaves(function(*args)), x, at)
    assert_same_bits(ax.vmap(lambda x, at: x.at[at].add(x[:2])), np.stack([x, x[::-1]]), at.reshape(2, 2))


def test_results_of_nothing_are_constants():
    empty = np.zeros((0, 3), np.complex64)
    assert_same_bits(lambda x, y: [
        lax.reduce_max(x, (0,)), lax.reduce_min(y, (0,)), lax.reduce_max(x, (1,)), jnp.linalg.inv(x[:, :0]),
        jnp.fft.fft(x, axis=1), lax.bitcast_convert_type(y, "int16"),
    ], empty, np.zeros((0, 2), ml_dtypes.float8_e5m2))
