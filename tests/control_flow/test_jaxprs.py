"""Loops and branches are traced to real JAX's text: params, order of constants, what is passed through."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lax.parity import same_jaxpr

X = np.array([0.3, -0.7, 1.2], np.float32)
F = np.float32(1.5)

SCANS = {
    "plain": (lambda m, c, xs: m.lax.scan(lambda c, x: (c + x, c * x), c, xs), F, X),
    "weak carry": (lambda m, c, xs: m.lax.scan(lambda c, x: (c + x, c * x), c, xs), 1.0, X),
    "int carry becomes float": (lambda m, xs: m.lax.scan(lambda c, x: (c + 1.0, c * x), 0, xs), X),
    "traced int carry becomes float": (
        lambda m, c, xs: m.lax.scan(lambda c, x: (c + 1.5, None), c, xs), 1, X
    ),
    "constants in order of use": (
        lambda m, c, t, u: m.lax.scan(lambda c, x: (c + u * t * x, c), c, m.numpy.ones(2)), F, F, F
    ),
    "array of NumPy": (
        lambda m, c, xs: m.lax.scan(lambda c, x: (c + np.arange(3, dtype=np.float32) * x, None), c, xs),
        X, X,
    ),
    "unchanged carry is a constant": (
        lambda m, c, xs, k: m.lax.scan(lambda c, x: ((c[0], c[1] + x * k, c[2]), x), c, xs),
        (F, F, F), X, F,
    ),
    "carry in another order": (
        lambda m, c, xs: m.lax.scan(lambda c, x: ((c[1], c[0]), x), c, xs), (F, F), X
    ),
    "constant results": (
        lambda m, c, xs, k: m.lax.scan(lambda c, x: (c + x, (k, 1.0, c)), c, xs), F, X, F
    ),
    "reverse and unroll": (
        lambda m, c, xs: m.lax.scan(lambda c, x: (c + x, c), c, xs, reverse=True, unroll=2), F, X
    ),
    "unroll all": (lambda m, c, xs: m.lax.scan(lambda c, x: (c + x, c), c, xs, unroll=True), F, X),
    "length": (lambda m, c: m.lax.scan(lambda c, _: (c + 1, c), c, None, length=4), F),
    "no turn": (lambda m, c: m.lax.scan(lambda c, _: (c + 1, c), c, None, length=0), F),
    "jitted body": (
        lambda m, c, t: m.lax.scan(m.jit(lambda c, x: (c + (t * x).sum(), None)), c, m.numpy.ones((2, 3))),
        F, X,
    ),
    "map": (lambda m, xs: m.lax.map(lambda t: (t["a"] + 1, t["b"]), xs), {"a": X, "b": X}),
    "map in batches": (lambda m, xs: m.lax.map(lambda x: x * 2, xs, batch_size=2), X),
    "map in one batch": (lambda m, xs: m.lax.map(lambda x: x * 2, xs, batch_size=8), X),
}
LOOPS = {
    "while": (
        lambda m, x: m.lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, c[1] * 2), (0, x)), 1.0
    ),
    "while with constants": (
        lambda m, a, b, n: m.lax.while_loop(
            lambda c: c[0] < n + b, lambda c: (c[0] + n, c[1] * b * a), (0, 1.0)
        ),
        1.0, 2.0, 3,
    ),
    "while, int becomes float": (
        lambda m, n: m.lax.while_loop(lambda c: c < n, lambda c: c + 1.5, 0), 1.0
    ),
    "while, unchanged parts": (
        lambda m, n, k: m.lax.while_loop(
            lambda c: c[0] < n, lambda c: (c[0] * k + c[2], c[1], c[2], c[3]), (F, n, n, k)
        ),
        2 * F, F,
    ),
    "while, unchanged part in the condition": (
        lambda m, n: m.lax.while_loop(lambda c: c[0] < c[1], lambda c: (c[0] + 1, c[1]), (0.0, n)), F
    ),
    "fori": (lambda m, x: m.lax.fori_loop(2, 5, lambda i, x: x * i, x), 1.0),
    "fori, nothing to do": (lambda m, x: m.lax.fori_loop(5, 2, lambda i, x: x * i, x), 1.0),
    "fori, unrolled": (lambda m, x: m.lax.fori_loop(0, 8, lambda i, x: x * i, x, unroll=2), 1.0),
    "fori, floats": (lambda m, x: m.lax.fori_loop(0.5, 3.5, lambda i, x: x * i, x), 1.0),
    "fori, traced floats": (lambda m, x, a, b: m.lax.fori_loop(a, b, lambda i, x: x * i, x), 1.0, 0.5, 3.5),
    "fori, typed floats": (lambda m, x, n: m.lax.fori_loop(n, n + n, lambda i, x: x * i, x), 1.0, np.float16(2)),
    "fori, traced end": (lambda m, x, n: m.lax.fori_loop(0, n, lambda i, x: x * i, x), 1.0, 5),
    "fori, traced start": (lambda m, x, n: m.lax.fori_loop(n, 9, lambda i, x: x * i, x), 1.0, 5),
    "fori, small ints": (
        lambda m, x, n: m.lax.fori_loop(np.uint8(0), n, lambda i, x: x + i, x), F, np.uint8(3)
    ),
    "fori, unchanged part": (
        lambda m, n, k: m.lax.fori_loop(0, k, lambda i, c: (c[0] * n + c[1], c[1]), (n, n)), F, 3
    ),
    "associative scan": (lambda m, x: m.lax.associative_scan(m.numpy.add, x), np.ones(7, np.float32)),
    "associative scan from the end": (
        lambda m, x: m.lax.associative_scan(m.numpy.add, x, reverse=True, axis=1), np.ones((2, 4), np.int8)
    ),
    "associative scan of bools": (
        lambda m, x: m.lax.associative_scan(m.numpy.logical_or, x), np.arange(4) > 1
    ),
}
BRANCHES = {
    "cond": (lambda m, p, x: m.lax.cond(p, lambda x: x + 1, lambda x: x * 2, x), True, 1.0),
    "number as predicate": (lambda m, p, x: m.lax.cond(p, lambda x: x + 1, lambda x: x * 2, x), F, 1.0),
    "known predicate": (lambda m, x: m.lax.cond(True, lambda x: x + 1, lambda x: x * 2, x), 1.0),
    "weak and strong result": (lambda m, p, x: m.lax.cond(p, lambda x: x, lambda x: 1.0, x), True, F),
    "constants of both": (
        lambda m, p, a, b, c: m.lax.cond(p, lambda u: a + b + u, lambda u: c * b + a * u, b),
        True, F, F, F,
    ),
    "passed through": (
        lambda m, p, a, b: m.lax.cond(p, lambda a, b: (a, b, a + 1), lambda a, b: (a, b, a + 2), a, b),
        True, F, F,
    ),
    "nothing left": (lambda m, p, a: m.lax.cond(p, lambda a: a, lambda a: a, a), True, F),
    "without results": (lambda m, p: m.lax.cond(p, lambda: None, lambda: None), True),
    "two operands, the old form": (
        lambda m, p, a, b: m.lax.cond(p, a, lambda a: a + 1, b, lambda b: b + 2), True, F, F
    ),
    "operand by keyword": (
        lambda m, p, a: m.lax.cond(p, lambda _: a + 1, lambda _: a + 2, operand=None), True, F
    ),
    "switch": (
        lambda m, i, x: m.lax.switch(i, [lambda x: x + 1, lambda x: x * 2, lambda x: x - 3], x), 1, 1.0
    ),
    "switch on a small int": (
        lambda m, i, x: m.lax.switch(i, [lambda x: x + 1, lambda x: x * 2], x), np.uint8(1), 1.0
    ),
    "switch on a known index": (
        lambda m, x: m.lax.switch(7, [lambda x: x + 1, lambda x: x * 2], x), 1.0
    ),
    "switch with one branch": (lambda m, i, x: m.lax.switch(i, [lambda x: x + 1], x), 1, 1.0),
}
BATCHED = {
    "cond with a batched predicate": (
        lambda m, p, x: m.vmap(lambda p, x: m.lax.cond(p, m.lax.sin, lambda x: x * x, x))(p, x),
        np.array([True, False]), X[:2],
    ),
    "cond with a batched predicate only": (
        lambda m, p, x: m.vmap(lambda p: m.lax.cond(p, lambda a, i: a * i, lambda a, i: -a, x, 2))(p),
        np.array([True, False]), F,
    ),
    "cond with a batched operand": (
        lambda m, p, x: m.vmap(lambda x: m.lax.cond(p, m.lax.sin, lambda x: x * x, x))(x), True, X
    ),
    "switch with a batched index": (
        lambda m, i, x: m.vmap(lambda i, x: m.lax.switch(i, [m.lax.sin, m.lax.cos, m.lax.exp], x))(i, x),
        np.array([0, 5], np.int32), X[:2],
    ),
    "while with a batched predicate": (
        lambda m, n, k: m.vmap(
            lambda n: m.lax.while_loop(
                lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * k, c[2]), (0, F, F)
            )
        )(n),
        np.arange(3, dtype=np.int32), F,
    ),
    "while with a batched carry": (
        lambda m, x: m.vmap(
            lambda x: m.lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, m.lax.sin(c[1])), (0, x))
        )(x),
        X,
    ),
    "scan": (
        lambda m, c, xs: m.vmap(
            lambda c, xs: m.lax.scan(lambda c, x: (c + x, c * 2), c, xs), in_axes=(None, 1)
        )(c, xs),
        F, np.ones((3, 2), np.float32),
    ),
    "scan with unbatched xs": (
        lambda m, c, xs: m.vmap(
            lambda c, xs: m.lax.scan(lambda c, x: (c + x, x * 2), c, xs), in_axes=(0, None)
        )(c, xs),
        X[:2], X,
    ),
}
DERIVED = {
    "grad of scan": (
        lambda m, c, xs: m.grad(
            lambda c: m.lax.scan(lambda c, x: (m.lax.sin(c) * x, c * x), c, xs)[0]
        )(c),
        F, X,
    ),
    "grad of fori": (
        lambda m, x: m.grad(lambda x: m.lax.fori_loop(0, 3, lambda i, x: m.lax.sin(x), x))(x), F
    ),
    "jvp of scan": (
        lambda m, a, t: m.jvp(
            lambda a: m.lax.scan(lambda c, x: (m.lax.sin(c) * a * x, c), a, X)[1], (a,), (t,)
        ),
        F, F,
    ),
    "jvp of while": (
        lambda m, x, t: m.jvp(
            lambda x: m.lax.while_loop(
                lambda c: c[0] < 10, lambda c: (c[0] + 1, m.lax.sin(c[1])), (0, x)
            )[1],
            (x,), (t,),
        )[1],
        F, F,
    ),
    "jvp of cond": (
        lambda m, p, x, t: m.jvp(
            lambda x: m.lax.cond(p, m.lax.sin, lambda x: x * x, x), (x,), (t,)
        ),
        True, F, F,
    ),
}


@pytest.mark.parametrize("name", SCANS)
def test_scan(name):
    """`scan` and `map`."""
    same_jaxpr(*SCANS[name])


@pytest.mark.parametrize("name", LOOPS)
def test_loops(name):
    """`while_loop`, `fori_loop` and `associative_scan`."""
    same_jaxpr(*LOOPS[name])


@pytest.mark.parametrize("name", BRANCHES)
def test_branches(name):
    """`cond` and `switch`."""
    same_jaxpr(*BRANCHES[name])


@pytest.mark.parametrize("name", BATCHED)
def test_batched(name):
    """What `vmap` makes of loops and branches."""
    same_jaxpr(*BATCHED[name])


@pytest.mark.parametrize("name", DERIVED)
def test_derived(name):
    """What differentiation makes of loops and branches, where it does the same as JAX."""
    same_jaxpr(*DERIVED[name])


def test_linear_solve_prints_as_in_jax():
    """The four programs are shown as JAX shows them."""
    program = lambda m, d, b: m.lax.custom_linear_solve(
        lambda x: d * x, b, lambda _, b: b / d, lambda _, b: b / d
    )
    same_jaxpr(program, X, X)
