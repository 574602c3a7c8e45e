"""Calls of jitted functions by generated code: the same answers, errors and rules as calls from Python."""

from __future__ import annotations

import gc
import sys
import threading
from collections import namedtuple

import numpy as np
import pytest

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.engines.native import calls

Pair = namedtuple("Pair", "x y")


@pytest.fixture(autouse=True)
def native():
    before = ax.config.cpu_engine
    ax.config.update("cpu_engine", "native")
    yield
    ax.config.update("cpu_engine", before)


def prepared(function, *args):
    """The function after a call that prepared it."""
    jitted = ax.jit(function)
    jitted(*args)
    assert jitted._entries and jitted._entries[0].is_valid
    return jitted


TREES = {
    "tuple": (1.0, jnp.arange(3.0)),
    "list": [jnp.ones(2), 2],
    "dict": {"b": jnp.ones(2), "a": {"c": 3.0}},
    "None": (None, jnp.ones(2)),
    "named tuple": Pair(jnp.ones(2), 1.0),
    "empty": ((), {}, jnp.ones(2)),
    "NumPy inside": jnp.float32(2.0),
    "a bool": (True, jnp.ones(2)),
}


@pytest.mark.parametrize("name", TREES)
def test_trees_come_back(name):
    tree = TREES[name]
    double = lambda t: ax.tree.map(lambda v: v * 2, t)
    jitted = prepared(double, tree)
    for _ in range(2):
        out = jitted(tree)
        assert ax.tree.structure(out) == ax.tree.structure(tree) and type(out) is type(double(tree))
        for a, b in zip(ax.tree.leaves(out), ax.tree.leaves(double(tree)), strict=True):
            np.testing.assert_array_equal(a, b)
            assert ax.typeof(a) == ax.typeof(jnp.asarray(b)) or isinstance(b, (int, float))


def test_what_does_not_fit_takes_the_other_way():
    jitted = prepared(lambda x: x + 1, jnp.ones(4))
    assert jitted(np.ones(4, np.float32)).tolist() == [2.0] * 4  # an array of NumPy's
    assert jitted(jnp.ones((2, 2))).shape == (2, 2)
    assert jitted(jnp.ones(4, int)).dtype == jnp.int32
    assert jitted(x=jnp.ones(4)).tolist() == [2.0] * 4
    assert ax.vmap(jitted)(jnp.ones(4)).shape == (4,)
    assert ax.grad(lambda x: jitted(x).sum())(jnp.ones(4)).tolist() == [1.0] * 4
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        jitted()
    with pytest.raises(TypeError, match="abstract array"):
        jitted("text")
    with pytest.raises(OverflowError):
        prepared(lambda x: x + 1, 3)(2**40)


def test_options_of_the_thread_and_the_process():
    jitted = prepared(lambda x: x * 2, 1.5)
    with ax.enable_x64(True):
        assert jitted(1.5).dtype == jnp.float64
    assert jitted(1.5).dtype == jnp.float32
    with ax.disable_jit():
        assert jitted(1.5) == 3
    vanishing = prepared(lambda x: 0.0 * x, jnp.float32(1.0))
    with ax.debug_nans(True), pytest.raises(FloatingPointError):
        vanishing(jnp.float32(jnp.inf))


def test_a_donated_array_is_an_error():
    x = jnp.ones(4)
    jitted = prepared(lambda x: x + 1, jnp.zeros(4))
    ax.jit(lambda x: x * 2, donate_argnums=0)(x)
    with pytest.raises(RuntimeError, match="deleted|donated"):
        jitted(x)


def test_closed_over_arrays():
    w = jnp.arange(3.0)
    jitted = prepared(lambda x: x * w, jnp.ones(3))
    assert jitted(2 * jnp.ones(3)).tolist() == [0.0, 2.0, 4.0]


def test_threads():
    jitted = prepared(lambda x: jnp.sin(x).sum(), jnp.ones(100_000))
    found = []

    def run(k):
        found.append([(k, float(jitted(jnp.full(100_000, float(k))))) for _ in range(20)])

    workers = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    for k, value in [x for xs in found for x in xs]:
        np.testing.assert_allclose(value, 100_000 * np.sin(k), rtol=1e-4)


def test_nothing_is_leaked():
    x, tree = jnp.ones(4), {"a": jnp.ones(3), "b": [2.0, 1]}
    jitted = prepared(lambda x, t: (x + 1, t), x, tree)
    for _ in range(1000):  # until what is kept anyway is there
        jitted(x, tree)
    counts = lambda: [sys.getrefcount(o) for o in (x, x.aval, tree["a"], None, jnp.ones(3).aval)]
    gc.collect()
    before = counts()
    for _ in range(1000):
        jitted(x, tree)
    gc.collect()
    assert max([abs(a - b) for a, b in zip(counts(), before)]) < 100


def test_a_finalizer_may_call_the_same_function():
    many = lambda x: [x + i for i in range(30)]
    jitted = prepared(many, jnp.zeros(3))
    called = []

    class Final:
        def __init__(self):
            self.myself = self

        def __del__(self):
            called.append(float(jitted(jnp.full(3, 100.0))[5][0]))

    thresholds = gc.get_threshold()
    gc.set_threshold(7)
    try:
        for k in range(200):
            Final()
            assert [float(y[0]) for y in jitted(jnp.full(3, float(k)))] == [k + i for i in range(30)]
    finally:
        gc.set_threshold(*thresholds)
    gc.collect()
    assert len(called) == 200 and set(called) == {105.0}


def test_they_are_installed():
    assert calls._runtime is not None
