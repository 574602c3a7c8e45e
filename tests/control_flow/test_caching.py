"""Bodies and branches are traced once, as often as JAX traces them, and nothing keeps them alive."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from tests.modes import leaking
from tests.recorded import jax

import adjoint
import adjoint.numpy

X = np.array([1.0, 2.0, 3.0], np.float32)


class Counted:
    """A function that counts its traces."""

    def __init__(self, f):
        self.f, self.traces = f, 0

    def __call__(self, *args):
        self.traces += 1
        return self.f(*args)


def first(f, m):
    return lambda: m.lax.scan(f, 0.0, X)[0]


RUNS = {
    "scan": (lambda c, x: (c + x, x), lambda m, f: m.lax.scan(f, 0.0, X)),
    "scan whose carry is promoted": (lambda c, x: (c + 1.5, x), lambda m, f: m.lax.scan(f, 0, X)),
    "scan of two types": (
        lambda c, x: (c + x, x),
        lambda m, f: (m.lax.scan(f, 0.0, X), m.lax.scan(f, np.float32(0), X)),
    ),
    "while body": (lambda c: c + 1, lambda m, f: m.lax.while_loop(lambda c: c < 3, f, 0)),
    "fori": (lambda i, c: c + i, lambda m, f: (m.lax.fori_loop(0, 3, f, 1), m.lax.fori_loop(0, 4, f, 1))),
    "cond": (lambda x: x + 1, lambda m, f: m.lax.cond(True, f, f, 1)),
    "switch": (lambda x: x + 1, lambda m, f: m.lax.switch(1, [f, lambda x: x * 2], 1)),
    "under grad": (
        lambda c, x: (c * x, x), lambda m, f: m.grad(lambda c: m.lax.scan(f, c, X)[0])(1.0)
    ),
    "under jit": (lambda c, x: (c * x, x), lambda m, f: m.jit(lambda c: m.lax.scan(f, c, X)[0])(1.0)),
}


@pytest.mark.parametrize("name", RUNS)
def test_traces_as_often_as_jax(name):
    """Three calls with the same function trace it as often as JAX does."""
    f, run = RUNS[name]
    counts = []
    for m in (jax, adjoint):
        counted = Counted(f)
        counts.append([(run(m, counted), counted.traces)[1] for _ in range(3)])
    assert counts[0] == counts[1]


def test_one_trace_for_two_uses_of_a_closure():
    """A body that closes over a traced value is traced once for two loops in one program."""
    bodies = []

    def loss(w):
        body = Counted(lambda c, x: (c + x * w, None))
        bodies.append(body)
        return adjoint.lax.scan(body, 0.0, X)[0] + adjoint.lax.scan(body, 1.0, X)[0]

    assert float(adjoint.grad(loss)(2.0)) == 12.0
    assert bodies[0].traces == 1


@leaking
def test_closure_over_a_finished_trace_is_traced_again():
    """A function that outlives the transformation whose variable it read is not a leak."""
    seen = {}
    body = lambda c, x: (c + x * seen["w"], None)

    def loss(w):
        seen["w"] = w
        return adjoint.lax.scan(body, 0.0, X)[0]

    assert float(adjoint.grad(loss)(2.0)) == 6.0
    assert float(adjoint.grad(loss)(3.0)) == 6.0
    assert float(adjoint.jit(loss)(3.0)) == 18.0


def test_new_closures_have_new_values():
    """Functions made anew in every call see their own values."""
    total = lambda k: float(adjoint.lax.scan(lambda c, x: (c + x * k, None), 0.0, X)[0])
    assert [total(np.float32(k)) for k in (1, 2, 3)] == [6.0, 12.0, 18.0]


def test_bodies_die_with_their_functions():
    """The cache holds functions weakly: a loop in a loop of Python does not fill the memory."""
    big = adjoint.numpy.ones(1000)

    def run():
        array = big + 1
        body = lambda c, x: (c + (array * x).sum(), None)
        adjoint.lax.scan(body, 0.0, X)
        adjoint.grad(lambda c: adjoint.lax.scan(body, c, X)[0])(0.0)
        adjoint.lax.cond(True, lambda c: c + array.sum(), lambda c: c, 1.0)
        adjoint.lax.while_loop(lambda c: c < 2, lambda c: c + array.sum(), 1.0)
        return weakref.ref(body), weakref.ref(array)

    body, array = run()
    gc.collect()
    assert body() is None
    assert array() is None


def test_options_are_part_of_the_key():
    """Under 64 bits the same function is traced for 64 bits."""
    body = lambda c, x: (c + x, c)
    assert adjoint.lax.scan(body, 0.0, X)[0].dtype == np.float32
    with adjoint.enable_x64(True):
        assert adjoint.lax.scan(body, 0.0, X.astype(np.float64))[0].dtype == np.float64
        assert adjoint.lax.fori_loop(0, 3, lambda i, c: c + i, 0).dtype == np.int64
