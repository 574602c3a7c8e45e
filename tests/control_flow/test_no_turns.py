"""Loops without turns: `scan` of length zero, `fori_loop` whose bounds are equal or the wrong way round."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lax.parity import same, together
from tests.modes import compiling
from tests.recorded import jax

import adjoint as ax
from adjoint import lax

X = np.array([0.3, -0.7, 1.2], np.float32)
BOUNDS = [(0, 0), (5, 2), (-3, -5)]


def nothing(m, c, **options):
    return m.lax.scan(lambda c, _: (m.numpy.sin(c) + 1, None), c, None, length=0, **options)[0]


@compiling
@together
@pytest.mark.parametrize("options", [{}, {"unroll": 2}, {"unroll": True}, {"reverse": True}], ids=str)
def test_a_scan_of_no_turns_returns_its_carry(options):
    same(lambda m, c: nothing(m, c, **options), X)
    same(lambda m, c: nothing(m, (c * 2)[0], **options), X)
    same(lambda m, c: m.lax.scan(lambda c, x: (c + x, c * x), c, m.numpy.ones((0, 3)), **options), X)
    same(lambda m, c: m.grad(lambda c: nothing(m, c, **options).sum())(c), X)
    same(lambda m, c: m.jvp(lambda c: nothing(m, c, **options), (c,), (c,)), X)
    same(lambda m, c: m.vmap(lambda c: nothing(m, c, **options))(c), X)
    same(lambda m, c: m.checkpoint(lambda c: nothing(m, c, **options))(c), X)


@compiling
@together
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize("unroll", [None, 1, 2, True])
def test_a_fori_loop_whose_bounds_leave_no_turn_returns_its_start(bounds, unroll):
    loop = lambda m, c: m.lax.fori_loop(*bounds, lambda i, c: c * 2 + i, m.numpy.asarray(c), unroll=unroll)
    same(loop, np.float32(10))
    same(lambda m, c: m.grad(lambda c: loop(m, c))(c), np.float32(10))
    same(lambda m, c: m.vmap(lambda c: loop(m, c))(c), X)


@together
def test_a_loop_of_no_turns_inside_of_another_loop_changes_nothing():
    outer = lambda m, c, n: m.lax.scan(lambda c, _: (nothing(m, c) * 2, nothing(m, c)), c, None, length=n)
    for n in (0, 1, 3):
        same(lambda m, c, n=n: outer(m, c, n), np.float32(3))
    same(lambda m, c: m.lax.while_loop(lambda c: nothing(m, c) < 9, lambda c: c * 2, c), np.float32(3))


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "bfloat16", "complex64"])
def test_carries_of_every_dtype_pass_through_no_turns(dtype):
    scan = lambda m: m.jit(lambda c: m.lax.scan(lambda c, _: (~c if dtype == "bool" else c + c, None), c, None, 0)[0])
    ours, theirs = (scan(m)(m.numpy.ones(2, dtype)) for m in (ax, jax))
    assert ours.dtype.name == theirs.dtype.name and ours.tolist() == theirs.tolist()


def test_keys_and_trees_pass_through_no_turns():
    def body(c, _):
        key, (a, b) = c
        return (ax.random.split(key)[0], (b, a)), key

    start = ax.random.key(3), (ax.numpy.zeros(20), ax.numpy.ones(20))
    (key, (a, b)), keys = ax.jit(lambda *c: lax.scan(body, c, None, length=0))(*start)
    assert ax.random.key_data(key).tolist() == ax.random.key_data(start[0]).tolist()
    assert a.tolist() == [0.0] * 20 and b.tolist() == [1.0] * 20
    assert keys.shape == (0,) and keys.dtype == key.dtype
