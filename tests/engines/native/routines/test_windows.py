"""Windowed reductions by any program, beside the NumPy engine."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engines.agreement import assert_agrees, host_steps

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax

X = np.random.default_rng(0).standard_normal((2, 13, 17, 5)).astype(np.float32)
NONE = ((0, 0), (0, 0))


def window(op, initial, *geometry):
    return lambda x: lax.reduce_window(x, np.asarray(initial, x.dtype)[()], op, *geometry)


SMOOTH = {
    "greatest": window(lax.max, -np.inf, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
    "greatest, overlapping": window(lax.max, -np.inf, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    "least": window(lax.min, np.inf, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"),
    "sums": window(lax.add, 0, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"),
    "large": window(lax.add, 0, (1, 7, 9, 1), (1, 2, 3, 1), "SAME"),
    "dilated": window(lax.add, 0, (1, 3, 3, 1), (1, 1, 1, 1), "VALID", (1, 2, 1, 1), (1, 2, 3, 1)),
    "greatest, dilated": window(lax.max, -np.inf, (1, 3, 3, 1), (1, 1, 1, 1), "VALID", (1, 2, 1, 1), (1, 2, 3, 1)),
    "padding takes away": window(lax.max, -np.inf, (1, 2, 2, 1), (1, 1, 1, 1), (*NONE[:1], (-1, 2), (-2, -1), NONE[1])),
    "running sums": window(lax.add, 0, (1, 13, 1, 1), (1, 1, 1, 1), (NONE[0], (12, 0), *NONE)),
    "running maxima": window(lax.max, -np.inf, (1, 13, 1, 1), (1, 1, 1, 1), (NONE[0], (12, 0), *NONE)),
    "everything": window(lax.add, 0, (1, 13, 17, 1), (1, 1, 1, 1), "VALID"),
    "greatest of many": window(lax.max, -np.inf, (1, 9, 9, 1), (1, 2, 3, 1), "SAME"),
    "least of many": window(lax.min, np.inf, (1, 13, 17, 1), (1, 1, 1, 1), (NONE[0], (3, 5), (-2, 0), NONE[1])),
    "greatest of many, dilated": window(
        lax.max, -np.inf, (1, 8, 9, 1), (1, 1, 2, 1), "SAME", (1, 2, 3, 1), (1, 2, 1, 1)
    ),
    "products": window(lax.mul, 1, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"),
    "from another value": window(lax.add, 3, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"),
    "a program": window(lambda a, b: a + 2 * jnp.tanh(b), 0, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
}
OTHER = {
    "flags": lambda x: lax.reduce_window(x > 0, False, lax.bitwise_or, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
    "integers": lambda x: window(lax.max, -100, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")((x * 9).astype(int)),
    "bfloat16": lambda x: window(lax.max, -100, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")(x.astype(jnp.bfloat16)),
    "two arrays": lambda x: lax.reduce_window(
        (x, x * 2), (np.float32(0), np.float32(-np.inf)), lambda a, b: (a[0] + b[0], lax.max(a[1], b[1])),
        (1, 2, 2, 1), (1, 2, 2, 1), "VALID",
    ),
}


@pytest.mark.parametrize("name", [*SMOOTH, *OTHER])
def test_windows_and_their_gradients(name):
    if name in OTHER:
        assert host_steps(assert_agrees(OTHER[name], X, scale=10)) == []
        return
    f = SMOOTH[name]
    both = lambda x: (f(x), ax.grad(lambda x: jnp.sin(f(x)).sum())(x))
    assert host_steps(assert_agrees(both, X, scale=30)) == []


@pytest.mark.parametrize("size", [3, 9])
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
def test_tangents_and_cotangents_follow_the_winner(size, dtype):
    """The first of equal ones; NaN wins, and nothing where all is padding."""
    with ax.enable_x64(True):
        x = np.round(X[0, :, :, 0] * 2).astype(dtype)
        x[3, 4], x[9, :] = np.nan, -np.inf
        y = X[0, :, :, 1].astype(dtype)

        def function(x, y):
            out = []
            for op, start in ((lax.max, -np.inf), (lax.min, np.inf)):
                f = window(op, start, (size, size), (2, 3), ((size, 1), (2, size)), (1, 2), (1, 1))
                g = window(op, start, (size, size), (2, 3), ((size, 1), (2, size)))
                out += [ax.jvp(f, (x,), (y,))[1], ax.vjp(g, x)[1](g(y))[0], ax.vmap(g)(x[None] + y[:2, None, :1])]
            return out

        assert host_steps(assert_agrees(function, x, y)) == []
        loop = lambda x, y: lax.fori_loop(0, 2, lambda i, v: ax.grad(lambda v: (g(v) * g(y)).sum())(v), x)
        g = window(lax.max, -np.inf, (size, size), (2, 3), "SAME")
        assert host_steps(assert_agrees(loop, y, y)) == []
