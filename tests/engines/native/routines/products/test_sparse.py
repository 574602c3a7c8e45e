"""Sparse products as code of the native engine, beside their `evaluate` rules: long lists, places outside, chunks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.streams import stream

from adjoint.array.array import make_array
from adjoint.core.options.config import enable_x64
from adjoint.core.types import ShapedArray
from adjoint.lax import fori_loop
from adjoint.prims.sparse_products import row_product, sparse_product
from adjoint.transforms.jit.jit import jit

random = stream(11)
OUTSIDE = "zero", "clip", "strict"


def array(x):
    return make_array(x, ShapedArray(x.shape, x.dtype))


def elements(count, size, k, width, dtype, places, far):
    """Operands of a list of elements, of which some are outside if `far`."""
    at = np.stack([random.integers(-far, size + far, count), random.integers(-far, k + far, count)], 1)
    return random.normal(size=count).astype(dtype), at.astype(places), random.normal(size=(k, width)).astype(dtype)


def check(p, operands, params):
    expected = p.evaluate_rule(*operands, **params)
    found = jit(lambda *xs: p(*xs, **params))(*map(array, operands))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max(initial=0))


@pytest.mark.parametrize("count, size, k, width", [
    (3, 4, 5, 1), (1000, 30, 20, 1), (1000, 30, 20, 5), (200_000, 100, 70, 1), (40_000, 100, 70, 9), (50, 1, 1, 1),
    (300_000, 90_000, 8, 1), (0, 3, 4, 2),
])
@pytest.mark.parametrize("outside", OUTSIDE)
def test_lists_of_elements(count, size, k, width, outside):
    for far, places in ((0, "i4"), (3, "i4"), (3, "i8")):
        data, at, dense = elements(count, size, k, width, np.float32, places, far)
        with enable_x64(places == "i8"):
            check(sparse_product, (data, at, at, dense), dict(row=0, column=1, size=size, outside=outside))
            check(sparse_product, (data, at[:, 1:].copy(), at[:, :1].copy(), np.resize(dense, (size, width))),
                  dict(row=0, column=0, size=k, outside=outside))


def test_rows_that_come_in_order_are_summed():
    data, at, dense = elements(5000, 7, 9, 1, np.float32, "i4", 0)
    check(sparse_product, (data, at[np.argsort(at[:, 0])], at, dense), dict(row=0, column=1, size=7, outside="zero"))
    one_row = np.zeros_like(at)
    check(sparse_product, (data, one_row, at, dense), dict(row=1, column=1, size=2, outside="zero"))


def test_wider_indices_and_other_dtypes():
    at = random.integers(0, 6, (900, 3)).astype(np.int32)
    with enable_x64(True):
        for dtype in (np.float64, np.int32, np.complex64, np.float16):
            data, dense = random.normal(size=900).astype(dtype), random.integers(1, 4, (6, 2)).astype(dtype)
            params = dict(row=2, column=0, size=6, outside="zero")
            expected = sparse_product.evaluate_rule(data, at, at, dense, **params)
            found = jit(lambda *xs: sparse_product(*xs, **params))(*map(array, (data, at, at, dense)))
            assert found.dtype == dtype
            np.testing.assert_allclose(found, expected, rtol=0.1 if dtype == np.float16 else 1e-5)


@pytest.mark.parametrize("count, size, width", [
    (10, 3, 1), (20_000, 100, 1), (200_000, 100, 1), (500, 300, 1), (300, 400, 3), (90_000, 50, 4),
])
@pytest.mark.parametrize("outside", OUTSIDE)
def test_elements_by_rows(count, size, width, outside):
    for far in (0, 3):
        data, at, dense = elements(count, size, 40, width, np.float32, "i4", far)
        starts = np.sort(random.integers(0, count + 1, size + 1)).astype(np.int32)
        check(row_product, (data, at[:, 1].copy(), starts, dense), dict(outside=outside))


@pytest.mark.parametrize("outside", OUTSIDE)
def test_long_lists_are_evaluated_as_short_ones(outside):
    data, at, dense = elements(40_000, 50, 60, 3, np.float32, "i4", 3)
    params = dict(row=0, column=1, size=50, outside=outside)
    parts = [sparse_product.evaluate_rule(data[i : i + 8000], at[i : i + 8000], at[i : i + 8000], dense, **params)
             for i in range(0, 40_000, 8000)]
    np.testing.assert_allclose(sparse_product.evaluate_rule(data, at, at, dense, **params), sum(parts), atol=1e-2)


def test_products_in_loops():
    data, at, dense = elements(3000, 20, 20, 1, np.float32, "i4", 2)
    dense = dense / 100
    params = dict(row=0, column=1, size=20, outside="zero")

    def program(data, at, x):
        return fori_loop(0, 3, lambda i, x: sparse_product(data, at, at, x, **params), x)

    expected = dense
    for _ in range(3):
        expected = sparse_product.evaluate_rule(data, at, at, expected, **params)
    np.testing.assert_allclose(jit(program)(*map(array, (data, at, dense))), expected, rtol=1e-3,
                               atol=1e-4 * np.abs(expected).max())


def test_results_do_not_depend_on_threads():
    data, at, dense = elements(400_000, 50, 60, 1, np.float32, "i4", 0)
    program = jit(lambda *xs: sparse_product(*xs, row=0, column=1, size=50, outside="zero"))
    operands = [array(x) for x in (data, at, at, dense)]
    assert len({np.asarray(program(*operands)).tobytes() for _ in range(8)}) == 1
