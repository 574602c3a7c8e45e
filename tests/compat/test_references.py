"""Functions of `lax` over NumPy give what `lax` gives."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint.lax as lax
from adjoint.compat.private import references

X = np.arange(12, dtype="float32").reshape(3, 4)
IMAGES, FILTERS = (np.sin(np.arange(np.prod(s), dtype="float32")).reshape(s) for s in ((2, 3, 5, 6), (4, 3, 2, 3)))
WHOLE = np.array([[-7, 7], [100, -128]], "int8")
PARTS = np.array([0.5, 1.5, -0.5, 2.4, -2.5, 0.25], "float32")
POSITIVE = np.abs(PARTS)
LAST = ("NHWC", "HWIO", "NHWC")
CALLS = [
    ("conj", PARTS), ("complex", PARTS, PARTS), ("div", WHOLE, np.int8([[2, -2], [3, 7]])), ("div", PARTS, POSITIVE),
    ("rem", WHOLE, np.int8([[2, -2], [3, 7]])), ("round", PARTS), ("population_count", WHOLE), ("clz", WHOLE),
    ("clz", np.uint32([1, 0, 2 ** 31])), ("mulhi", np.uint32([2 ** 31, 5]), np.uint32([7, 2 ** 32 - 1])),
    ("bitcast_convert_type", PARTS, np.int32), ("bitcast_convert_type", PARTS, np.int8),
    ("bitcast_convert_type", WHOLE, np.int16), ("logistic", PARTS), ("rsqrt", POSITIVE), ("erf", PARTS),
    ("erfc", PARTS), ("erf_inv", PARTS / 3), ("lgamma", POSITIVE), ("digamma", POSITIVE), ("bessel_i0e", PARTS),
    ("bessel_i1e", PARTS), ("betainc", POSITIVE, POSITIVE, POSITIVE / 3), ("igamma", POSITIVE, POSITIVE),
    ("clamp", np.int8(0), WHOLE, np.int8(5)), ("convert_element_type", PARTS, np.int32), ("mul", WHOLE, WHOLE),
    ("broadcast", X, (2,)), ("broadcast_in_dim", X, (3, 2, 4), (0, 2)), ("concatenate", [X, X], 1),
    ("conv", IMAGES, FILTERS, (1, 2), "SAME"), ("conv", IMAGES, FILTERS, (2, 1), "VALID"),
    ("conv_with_general_padding", IMAGES, FILTERS, (1, 2), [(1, 0), (2, 1)], (2, 1), (1, 2)),
    ("conv_general_dilated", IMAGES.transpose(0, 2, 3, 1), FILTERS.transpose(2, 3, 1, 0), (1, 2), [(1, 0), (-1, 1)],
     (1, 1), (1, 1), LAST),
    ("dot_general", IMAGES, IMAGES, (((1, 3), (1, 3)), ((0,), (0,)))), ("dot_general", X, X, (((0,), (0,)), ((), ()))),
    ("dynamic_slice", X, (1, 3), (2, 2)), ("dynamic_update_slice", X, np.zeros((2, 2), "float32"), (1, 1)),
    ("pad", X, np.float32(7), ((1, -1, 0), (0, 0, 1))), ("pad", X, np.float32(7), ((-1, -1, 2), (0, 1, 1))),
    ("padtype_to_pads", (4, 4), (2, 2), (1, 1), "SAME"),
    ("ragged_dot", X, np.ones((2, 4, 2), "float32"), np.array([1, 2], "int32")),
    ("reshape", X, (4, 3)), ("reshape", X, (4, 3), (1, 0)), ("rev", X, (0,)), ("slice", X, (1, 0), (3, 4), (1, 2)),
    ("slice", X, (1, 0), (3, 4)), ("sort_key_val", np.int32([3, 1, 3]), np.int32([7, 8, 9])),
    ("top_k", X, 2), ("top_k", np.int32([[1, 3, 3, 2]]), 3),
]


def agree(ours, other):
    for x, y in zip(*(v if isinstance(v, (tuple, list)) else (v,) for v in (ours, other))):
        x, y = np.asarray(x), np.asarray(y)
        assert x.dtype == y.dtype and x.shape == y.shape
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_functions_are_those_of_lax(call):
    name, *args = call
    agree(getattr(references, name)(*args), getattr(lax, name)(*args))


@pytest.mark.parametrize("init, ours, theirs", [
    (0, np.add, lax.add), (2, lambda a, b: a + b, lambda a, b: a + b), (-np.inf, np.maximum, lax.max)])
def test_reductions_are_those_of_lax(init, ours, theirs):
    init = np.float32(init)
    for axes in ((0,), (1,), (0, 1)):
        agree(references.reduce(X, init, ours, axes), lax.reduce(X, init, theirs, axes))
    if init == 2:
        return
    for strides, padding, holes in (((1, 2), "SAME", (2, 1)), ((1, 1), ((0, 1), (0, 0)), (1, 1))):
        agree(references.reduce_window(X, init, ours, (2, 2), strides, padding, holes),
              lax.reduce_window(X, init, theirs, (2, 2), strides, padding, holes))
