"""float8 and int4 on the native engine: the bits of ml_dtypes, in registers and in loops."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

from .agreement import assert_agrees, both, host_steps

RNG = np.random.default_rng(0)
FLOATS = "e3m4 e4m3 e4m3b11fnuz e4m3fn e4m3fnuz e5m2 e5m2fnuz".split()
SMALL = [*[f"float8_{f}" for f in FLOATS], "int4", "uint4", "int2", "uint2"]
BYTES = np.arange(256).astype(np.uint8)


def codes_of(dtype):
    n = 8 if "float" in dtype.name else int(dtype.name[-1])
    return BYTES[: 1 << n].view(dtype)


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
        targets = "float32 float64 float16 bfloat16 int32 int8 uint16 bool float8_e4m3fn float8_e5m2 int4 uint2".split()
        closed = ax.make_jaxpr(lambda x: [x.astype(t) for t in targets])(codes)
        native, expected, compiled = both(closed, [codes])
        assert host_steps(compiled) == []
        for x, y in zip(native, expected, strict=True):
            assert x.dtype == y.dtype
            np.testing.assert_array_equal(y.astype(np.float64), x.astype(np.float64))


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
