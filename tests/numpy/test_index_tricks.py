"""`r_`, `c_`, positions of triangles, `place`, `put`, files and texts: as in JAX."""

from __future__ import annotations

import io

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint.numpy as jnp

from .expressions import numbers, same_concrete, same_derivatives, same_errors, same_jaxprs, same_values

JOINED = """
    n.r_[1:3, 0, x[0]]
    n.r_[1:2:5j]
    n.r_[1:10:3]
    n.r_[1.5:3]
    n.r_[1]
    n.r_[True]
    n.r_[x[0], 2]
    n.r_['0,2', [1, 2], [3, 4]]
    n.r_['r', [1, 2], [3, 4]]
    n.r_['c', [1, 2], [3, 4]]
    n.r_['c', 1]
    n.r_['r', x]
    n.r_['c', x, x]
    n.r_['-1', x, x]
    n.r_['1,2', x, x]
    n.r_['0,3,0', x]
    n.r_['0,3,1', x]
    n.r_['0,3,1', [1, 2], [[3, 4]]]
    n.r_['0,3,5', x[0]]
    n.r_['0,4,-2', [1, 2], [[3, 4]]]
    n.r_['0,-1,0', x]
    n.r_['0,1,2,3', 1]
    n.r_['0,2', 1:3, [4, 5]]
    n.c_[x[0], x[1]]
    n.c_[x, x]
    n.c_[1, 2.5]
    n.c_[1:3, 4:6]
    n.c_['1,3,0', [1, 2], [3, 4]]
    n.c_['r', [1, 2]]
    n.c_['c', [1, 2]]
"""
PLACES = """
    n.tril_indices(3)
    n.tril_indices(0)
    n.tril_indices(4, 1, 3)
    n.tril_indices(3, -5)
    n.triu_indices(3, 1, 4)
    n.triu_indices(4, m=2)
    n.triu_indices(2, -9)
    n.tril_indices_from(x, 1)
    n.triu_indices_from(x, k=-1)
    n.mask_indices(3, n.triu, 1, size=2)
    n.mask_indices(3, n.triu, size=8)
    n.place(x, x > 0, y, inplace=False)
    n.place(x, x > 0, y[0, :2], inplace=False)
    n.place(x, x > 0, 5, inplace=False)
    n.place(x, x, n.arange(20), inplace=False)
    n.put(x, n.array([3, 1, 2, 11, -1, -20]), y, inplace=False)
    n.put(x, n.array([[3, 1], [2, 11]]), 2, inplace=False)
    n.put(x, n.array([3, -1, 14]), y[0, :2], mode='wrap', inplace=False)
    n.put(x, n.array([3, -1, 14]), y[0, :2], mode='clip', inplace=False)
    n.put(x, n.arange(0), 2, inplace=False)
"""


def test_joined_items():
    same_values(JOINED, numbers(shape=(2, 3)))
    same_jaxprs("n.r_[x[0], 0.]\nn.c_[x[0], x[1]]\nn.r_['0,3,0', x]\nn.r_[1:3, x[0]]", numbers(shape=(2, 3)))
    assert len(jnp.r_) == 0
    assert jnp.s_[1:3, ...] == (slice(1, 3), ...) and jnp.index_exp[2] == (2,)


def test_places():
    same_values(PLACES, numbers(shape=(2, 3)), numbers(shape=(2, 3), seed=1))
    same_concrete("n.mask_indices(3, n.triu)\nn.mask_indices(3, lambda x, k: x, 5)")


def test_derivatives():
    same_derivatives(
        """
        n.place(x, n.arange(6) % 2, y, inplace=False)
        n.put(x, n.array([3, 1, -2]), y, inplace=False)
        n.r_[x, y]
        n.c_[x, y]
        """,
        numbers(shape=(6,)), numbers(shape=(6,), seed=1),
    )


@compiling
def test_errors():
    same_errors(
        """
        n.r_['a', 1]
        n.r_['', 1]
        n.r_[1:3, '0,2']
        n.r_[()]
        n.r_['c']
        n.r_['5', [1, 2]]
        n.r_['0,0', 1, 2]
        n.r_[1:3, None]
        n.tril_indices(2.5)
        n.tril_indices_from(x[0])
        m.jit(n.tril_indices)(3)
        m.jit(lambda x: n.mask_indices(2, lambda a, k: x[:2, :2]))(x)
        n.place(x, x > 3, x)
        n.place(x, x[0] > 3, x, inplace=False)
        n.place(x, x, n.zeros(0), inplace=False)
        n.place(x, [1, 2], 1, inplace=False)
        n.put(x, n.arange(2), x)
        n.put(x, n.arange(2), x, mode='raise', inplace=False)
        n.put(x, n.arange(2), x, mode='foo', inplace=False)
        n.put(x, [1, 2], x, inplace=False)
        n.put(x, x, 2, inplace=False)
        """,
        numbers(shape=(2, 3)),
    )


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64", "bfloat16"])
def test_files(dtype):
    file = io.BytesIO()
    x = jnp.arange(3).astype(dtype)
    jnp.save(file, x)
    file.seek(0)
    y = jnp.load(file)
    assert type(y) is type(x) and y.dtype == x.dtype
    np.testing.assert_array_equal(np.asarray(x), np.asarray(y))


def test_texts():
    for m in (jax.numpy, jnp):
        assert m.array_str(m.arange(3.0)) == "[0. 1. 2.]"
        assert m.array_repr(m.arange(3.0)) == "ArrayImpl([0., 1., 2.], dtype=float32)"
        assert m.iterable(m.arange(3)) and not m.iterable(2)
        with m.printoptions(precision=2):
            assert m.get_printoptions()["precision"] == 2
            assert repr(m.array([1 / 3])) == "Array([0.33], dtype=float32)"
