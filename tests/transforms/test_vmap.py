"""`vmap`: over no calls at all, with arguments of any kind that are not mapped, and with references."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint
import adjoint.numpy

NONE = np.ones((0, 2, 2), np.float32)
AT = np.zeros((0, 3), np.int32)

CALLS = {
    "index": lambda m: m.vmap(lambda x, i: x[i])(NONE, AT),
    "gradient of index": lambda m: m.vmap(m.grad(lambda x, i: x[i].sum()))(NONE, AT),
    "update": lambda m: m.vmap(lambda x, i: x.at[i].add(1.0))(NONE, AT),
    "take": lambda m: m.vmap(lambda x, i: m.numpy.take(x, i, axis=1))(NONE, AT),
    "dynamic_slice": lambda m: m.vmap(lambda x, i: m.lax.dynamic_slice(x, (i, 0), (1, 2)))(NONE, AT[:, 0]),
    "solve": lambda m: m.vmap(m.numpy.linalg.solve)(NONE, NONE),
    "svd": lambda m: m.vmap(m.numpy.linalg.svd)(NONE),
    "convolve": lambda m: m.vmap(lambda x: m.numpy.convolve(x[0], x[1]))(NONE),
    "scan": lambda m: m.vmap(lambda x: m.lax.scan(lambda c, y: (c + y, c), x[0], x))(NONE),
    "while": lambda m: m.vmap(lambda x: m.lax.while_loop(lambda v: v.sum() < 3, lambda v: v + 1, x))(NONE),
    "odd associative_scan": lambda m: m.lax.associative_scan(
        m.vmap(lambda a, b: m.numpy.linalg.solve(a + m.numpy.eye(2), b)), np.ones((5, 2, 2), np.float32)),
}


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_mapped(name):
    theirs = jax.tree.map(lambda x: (x.shape, x.dtype), jax.eval_shape(lambda: CALLS[name](jax)))
    for run in (CALLS[name], lambda m: m.jit(lambda: CALLS[name](m))()):
        assert theirs == adjoint.tree.map(lambda x: (x.shape, x.dtype), run(adjoint))


# ---- arguments under None: they reach the function untouched, whatever they are ----


def test_functions_and_strings_are_passed_on():
    x = adjoint.numpy.arange(2.0)
    np.testing.assert_array_equal(adjoint.vmap(lambda a, g: g(a) + 1, (0, None))(x, adjoint.numpy.square), [1.0, 2.0])
    np.testing.assert_array_equal(adjoint.vmap(lambda a, s: a + len(s), (0, None))(x, "abc"), [3.0, 4.0])
    converted = adjoint.jit(adjoint.vmap(lambda a, d: a.astype(d), (0, None)), static_argnums=1)(x, int)
    np.testing.assert_array_equal(converted, [0, 1])


def test_an_object_is_the_same_object():
    seen, thing = [], object()
    f = lambda a, t, s: (seen.append((t, s)), a)[1]
    adjoint.vmap(f, (0, None, None))(adjoint.numpy.arange(2.0), thing, np.float32(3))
    assert seen[0][0] is thing and seen[0][1] == 3


def test_vmap_takes_a_reference_once():
    ref = adjoint.new_ref(adjoint.numpy.arange(3.0))
    with pytest.raises(ValueError, match="only one reference .* for vmap .* appeared at both a and b"):
        adjoint.vmap(lambda a, b: (a[...], b[...]))(ref, ref)
