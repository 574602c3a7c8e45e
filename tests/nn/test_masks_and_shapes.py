"""Masks that broadcast, ints of every width, and operands of attention that do not fit: JAX's answers."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint as ad
import adjoint.numpy as jnp
from adjoint import nn

X = np.arange(6.0, dtype="float32").reshape(2, 3)


@pytest.mark.parametrize(("where", "axis", "expected"), [
    (True, None, 3.664434), (np.array([True]), -1, [1.3089936, 4.308994]),
    (np.array([[True], [False]]), None, 1.3089936), (np.array([[True], [False]]), -1, [1.3089936, np.nan]),
    (np.array([True, False, True]), 0, [2.3554401, np.nan, 4.35544]),
    (np.array([True, False, True]), (0, 1), 3.7892208),
    (np.array([[True, False, True]]), (), [[0, np.nan, 2], [3, np.nan, 5]]),
])
def test_logmeanexp_divides_by_what_a_mask_selects_after_broadcasting(where, axis, expected):
    np.testing.assert_allclose(nn.logmeanexp(X, axis, where=where), expected, rtol=1e-6)


def test_a_mask_does_not_broadcast_the_operand():
    with pytest.raises(ValueError, match="broadcast"):
        nn.logmeanexp(X[0], where=np.ones((2, 3), bool))


@pytest.mark.parametrize(("dtype", "wide", "narrow"), [
    ("int8", "float64", "float32"), ("int32", "float64", "float32"), ("int64", "float64", "float64"),
    ("float16", "float16", "float16"), ("float32", "float32", "float32"),
])
def test_ints_beside_a_mask_are_floats_of_the_default_width(dtype, wide, narrow):
    where = np.array([True, False, True])
    with ad.enable_x64(True):
        x = jnp.array([1, 0, 1], dtype)
        for function in (nn.softmax, nn.log_softmax):
            assert (function(x, where=where).dtype, function(x).dtype) == (wide, narrow)


Q = np.ones((3, 2, 4), "float32")


@pytest.mark.parametrize(("change", "error", "match"), [
    ({"mask": np.ones((2, 3, 3), "float32")}, ValueError, "mask dtype should be bool, but got float32"),
    ({"mask": np.ones((2, 4), bool)}, TypeError, r"incompatible shapes .*: \(1, 2, 3, 3\), \(1, 1, 2, 4\)"),
    ({"mask": np.ones((1, 4, 2, 3, 3), bool)}, ValueError, "mask ndim should be 4, but got 5"),
    ({"bias": np.ones((2, 4), "float32")}, TypeError, "incompatible shapes"),
    ({"key": Q[..., :3], "value": Q[..., :3]}, ValueError, r"query shape should be \[1, -1, -1, 3\]: but got"),
    ({"value": Q[..., :2]}, ValueError, r"value shape should be \[1, 3, 2, 4\]: but got \(1, 3, 2, 2\)"),
    ({"query": Q[:, :1]}, ValueError, "number of query heads must be a multiple of key/value heads, but got 1 vs 2"),
    ({"value": Q.astype("float16")}, ValueError, "value dtype should be float32, but got float16"),
    ({"query": np.ones((2, 3, 2, 4), "float32")}, ValueError, "query shape should be"),
    ({"query_seq_lengths": np.array(2)}, ValueError, "query_seq_lengths ndim should be 1, but got 0"),
    ({"key_value_seq_lengths": np.array([2.0], "float32")}, ValueError, "dtype should be int32, but got float32"),
    ({"key_value_seq_lengths": np.array([2, 1], "int32")}, ValueError, r"shape should be \[1\]: but got \(2,\)"),
    ({"implementation": "fast"}, ValueError, "Unsupported implementation option: fast"),
    ({"implementation": "cudnn"}, RuntimeError, "cuDNN is not detected"),
])
def test_attention_says_what_does_not_fit(change, error, match):
    operands = {"query": Q, "key": Q, "value": Q}
    with pytest.raises(error, match=match):
        nn.dot_product_attention(**operands | change)


@pytest.mark.parametrize("mask", [True, np.ones(3, bool), np.ones((2, 3, 3), bool)])
def test_attention_broadcasts_masks(mask):
    assert nn.dot_product_attention(Q, Q, Q, mask=mask).shape == Q.shape


def test_one_hot_of_floats_warns():
    with pytest.warns(DeprecationWarning, match="input should be integer-typed; got dtype=float32"):
        assert nn.one_hot(jnp.array([1.0]), 3).tolist() == [[0, 1, 0]]
