"""Arrays as sets, of every dtype: NaNs, signed zeros, empty arrays, sizes and broken promises, as in JAX."""

from __future__ import annotations

import numpy as np
import pytest

import adjoint.numpy as jnp

from .expressions import same_concrete

nan, inf = np.nan, np.inf
PAIRS = {
    "float32": ([1, nan, 2, nan, 1, -0.0, 0, inf, -inf], [nan, 2, 5, inf, 2]),
    "bfloat16": ([1, nan, 2, nan, 1, -0.0, 0, inf, -inf], [nan, 2, 5, inf, 2]),
    "float16": ([nan, 1, nan], [nan, 2]),
    "complex64": ([1, complex(0, nan), complex(nan, 0), 1, complex(2, nan), -0.0, 1j, 1 - 1j],
                  [nan, 2, 1j, complex(0, nan)]),
    "int32": ([3, 1, 2, 1, -3, 0, 7, 7], [5, 3, 3, -3]),
    "uint8": ([3, 1, 250, 1], [5, 3]),
    "bool": ([True, False, True], [True]),
    "float32 of nothing": ([], [nan, 2]),
}
TABLE = """
    n.unique(x)
    n.unique(x, True, True, True)
    n.unique(x, True, True, True, equal_nan=False)
    n.unique(y, True, True, True, size=6, fill_value=1)
    n.unique(y, size=2)
    list(n.unique_all(x))
    n.unique_values(x)
    n.union1d(x, y)
    n.intersect1d(x, y)
    n.setdiff1d(x, y)
    n.setdiff1d(x, y, size=4)
    n.setdiff1d(x, y, assume_unique=True)
    n.setxor1d(x, y)
    n.setxor1d(x, y, assume_unique=True)
    n.setxor1d(x, y, size=12, fill_value=3)
    n.isin(x, y)
    n.isin(x, y, invert=True)
"""


@pytest.mark.parametrize("name", PAIRS)
def test_sets_are_those_of_jax(name):
    dtype = jnp.dtype(name.split()[0])
    same_concrete(TABLE, *[np.array(v, dtype) for v in PAIRS[name]], rtol=0)


def test_slices_with_nan_are_equal_if_nothing_else_differs():
    rows = np.array([[1, nan], [nan, 1], [1, nan], [1, 2]], np.float32)
    table = """
        n.unique(x, axis=0)
        n.unique(x, True, True, True, axis=0)
        n.unique(x, axis=0, equal_nan=False)
        n.unique(x, axis=1)
        n.unique(n.asarray(x, 'bfloat16'), axis=0)
        n.unique(x + 1j * x[::-1], axis=0)
    """
    same_concrete(table, rows, rtol=0)


def test_a_promise_that_elements_occur_once_leaves_out_those_that_do_not():
    table = """
        n.setxor1d(x, y, assume_unique=True)
        n.setxor1d(x, y, assume_unique=True, size=4)
        n.setxor1d(x, y, size=4)
        n.setxor1d(x, x, size=2)
        n.setxor1d(x[:0], y[:0], size=2)
    """
    same_concrete(table, np.array([1, 1, 3, 4]), np.array([3, 5, 5]), rtol=0)
