"""Arguments of a mapped function under None: they reach it untouched, whatever they are."""

from __future__ import annotations

import numpy as np

import adjoint as ax
import adjoint.numpy as jnp


def test_functions_and_strings_are_passed_on():
    x = jnp.arange(2.0)
    np.testing.assert_array_equal(ax.vmap(lambda a, g: g(a) + 1, (0, None))(x, jnp.square), [1.0, 2.0])
    np.testing.assert_array_equal(ax.vmap(lambda a, s: a + len(s), (0, None))(x, "abc"), [3.0, 4.0])
    converted = ax.jit(ax.vmap(lambda a, d: a.astype(d), (0, None)), static_argnums=1)(x, int)
    np.testing.assert_array_equal(converted, [0, 1])


def test_an_object_is_the_same_object():
    seen, thing = [], object()
    ax.vmap(lambda a, t, s: (seen.append((t, s)), a)[1], (0, None, None))(jnp.arange(2.0), thing, np.float32(3))
    assert seen[0][0] is thing and seen[0][1] == 3
