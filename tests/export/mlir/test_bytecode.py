"""Modules as bytecode: what is written is read again, and MLIR reads it as it reads the text."""

from __future__ import annotations

import numpy as np
import pytest
from jaxlib.mlir.dialects import stablehlo

import adjoint as ad
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.export.mlir.elements import array_of, dense_of
from adjoint.export.mlir.ir import ArtifactError
from adjoint.export.mlir.printing import module_text
from adjoint.export.mlir.reader import Bytes, read_module
from adjoint.export.mlir.text import read_text
from adjoint.export.mlir.writer import number, signed, write_module

x = np.ones((2, 3), np.float32)

PROGRAMS = {
    "constants": lambda x: (x + np.arange(6, dtype=np.float32).reshape(2, 3), jnp.array([True, False, True])),
    "product": lambda x: x @ x.T,
    "convolution": lambda x: lax.conv_general_dilated(x.reshape(1, 1, 2, 3), x.reshape(1, 1, 2, 3), (1, 1), "SAME"),
    "places": lambda x: x[:, [2, 0]].sum() + x.at[0, [1, 1]].add(1.0),
    "loops": lambda x: lax.scan(lambda c, r: (lax.while_loop(lambda c: c.sum() < 9, lambda c: c + 1, c), r), x[0], x),
    "branches": lambda x: lax.cond(x[0, 0] > 0, lambda x: x, lambda x: lax.cond(x[0, 1] > 0, jnp.sin, jnp.cos, x), x),
    "regions": lambda x: (jnp.sort(x), jnp.argmax(x, 1), jnp.cumsum(x), lax.reduce_window(
        x, 0.0, lax.add, (2, 2), (1, 1), "VALID")),
    "linear algebra": lambda x: (jnp.linalg.qr(x), jnp.linalg.cholesky(x @ x.T), jnp.fft.fft(x)),
    "functions": lambda x: ad.jit(jnp.var)(x) + ad.random.bits(ad.random.key(0), (2, 3)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_bytes_are_read_as_the_text_is(name):
    text = ad.jit(PROGRAMS[name]).lower(x).as_text()
    data = write_module(read_text(text))
    theirs = stablehlo.serialize_portable_artifact_str(text, "1.15.0")
    ours, known = [stablehlo.deserialize_portable_artifact_str(d) for d in (data, theirs)]
    again = stablehlo.serialize_portable_artifact_str(ours, "1.15.0")
    assert module_text(read_module(again)) == module_text(read_module(
        stablehlo.serialize_portable_artifact_str(known, "1.15.0")))


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_written_is_read_again(name):
    data = write_module(read_text(ad.jit(PROGRAMS[name]).lower(x).as_text()))
    assert write_module(read_module(data)) == data


def test_numbers():
    for n in (0, 1, 127, 128, 16383, 16384, 2**32, 2**56 - 1, 2**56, 2**64 - 1):
        assert Bytes(number(n)).number() == n
        assert Bytes(signed(-(n >> 1))).signed() == -(n >> 1)


@pytest.mark.parametrize("dtype", "bool int8 uint16 int64 float16 float32 float64 complex64 bfloat16 int4".split())
def test_constants_are_kept(dtype):
    dtype = np.dtype(getattr(ad.dtypes, dtype, None) or dtype) if dtype in ("bfloat16", "int4") else np.dtype(dtype)
    for values in ([1, 0, 1, 1, 0, 1, 1, 0, 1, 0], [1] * 10, [0] * 10, [1], []):
        array = np.array(values).astype(dtype)
        assert array_of(dense_of(array)).tobytes() == array.tobytes()


def test_versions_that_are_too_new_are_refused():
    with pytest.raises(ArtifactError, match="version 9"):
        read_module(b"ML\xefR" + number(9) + b"newer\0")
    with pytest.raises(ArtifactError, match="no program of MLIR"):
        read_module(b"something else")
