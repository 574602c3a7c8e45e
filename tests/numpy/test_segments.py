"""Reductions of segments, and arrays by way of DLPack, are those of JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.dlpack
import adjoint.ops

from ..lax.parity import same, same_jaxpr, same_types, together

DATA = np.arange(6, dtype=np.float32) - 2
IDS = np.array([0, 0, 1, 5, 2, -1], np.int32)
REDUCTIONS = ("segment_sum", "segment_prod", "segment_max", "segment_min")


@pytest.mark.parametrize("name", REDUCTIONS)
def test_segments(name):
    """Segments out of range are left out, and empty ones have the neutral element."""

    def calls(m, x, i):
        f = getattr(m.ops, name)
        return [
            f(x, i, 4),
            f(x.astype("int32"), i, 8),
            f(x.astype("uint8"), i, 7),
            f(x.astype("bfloat16"), i, 4, mode="clip"),
            f(x.reshape(6, 1) * m.numpy.ones(2), i, 4, bucket_size=4),
            f(x, m.numpy.sort(i) + 1, 4, True, False),
            m.vmap(lambda x, i: f(x, i, 3))(m.numpy.stack([x, -x]), m.numpy.stack([i, i + 1])),
        ]

    same(calls, DATA, IDS)
    same_jaxpr(lambda m, x, i: getattr(m.ops, name)(x, i, 4), DATA, IDS)
    expected = getattr(jax.ops, name)(DATA, IDS)
    np.testing.assert_array_equal(expected, np.asarray(getattr(adjoint.ops, name)(DATA, IDS)))


@together
def test_gradients_of_segments():
    for name in ("segment_sum", "segment_max"):
        total = lambda m, i: lambda x: m.numpy.sum(getattr(m.ops, name)(x, i, 3) ** 2)
        same(lambda m, x, i: m.grad(total(m, i))(x), DATA, IDS)


def test_errors_of_segments():
    same_types(lambda m, x, i: m.ops.segment_sum(x, i, -1), DATA, IDS)
    same_types(lambda m, x, i: m.ops.segment_sum(x, x, 3), DATA, IDS)
    same_types(lambda m, x, i: m.ops.segment_sum(x, i[:2], 3), DATA, IDS)
    same_types(lambda m, x, i: m.ops.segment_sum(x, i), DATA, IDS, lines=False)
    same_types(lambda m, x, i: m.ops.segment_sum([1, 2], [0, 1]), DATA, IDS)


def test_dlpack():
    matrix = np.arange(6, dtype=np.int32).reshape(2, 3).T
    ours = adjoint.dlpack.from_dlpack(matrix)
    assert (ours.dtype, ours.tolist()) == (np.int32, matrix.tolist())
    copied = adjoint.dlpack.from_dlpack(ours, copy=True)
    assert copied is not ours and copied.tolist() == ours.tolist()
    with pytest.raises(TypeError, match="must have __dlpack__"):
        adjoint.dlpack.from_dlpack(3)
    for name in ("float32", "bool", "bfloat16", "int4", "float8_e4m3fn", "complex64", "int64", "uint2"):
        dtype = getattr(jax.numpy, name)
        assert jax.dlpack.is_supported_dtype(dtype) == adjoint.dlpack.is_supported_dtype(dtype), name


def test_buckets_need_an_id_for_each_row():
    with pytest.raises(ValueError, match="an id for each row"):
        adjoint.ops.segment_sum(adjoint.numpy.arange(4), adjoint.numpy.array([0]), bucket_size=2)
