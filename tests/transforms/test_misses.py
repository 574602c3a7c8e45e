"""What is told of functions that are traced again: `jax_explain_cache_misses`, `jax_no_tracing`."""

from __future__ import annotations

import logging
from functools import partial
from types import FunctionType

import jax
import numpy as np
import pytest

import adjoint

ONE, ROWS = np.ones(3, np.float32), np.ones((2, 3), np.float32)

# (the function, options of jit, calls); the last call is the one that is explained.
CALLS = {
    "the first": (lambda x: x, {}, [(ONE,)]),
    "the same": (lambda x: x, {}, [(ONE,), (ONE,)]),
    "another shape": (lambda x: x, {}, [(ONE,), (ROWS,)]),
    "the nearest is told": (lambda x, y: 1, {}, [(ONE, ONE), (ROWS, ROWS), (ROWS, ONE)]),
    "a strong type": (lambda x: x, {}, [(1.0,), (np.float32(1),)]),
    "another key": (lambda x: 1, {}, [({"a": ONE},), ({"b": ONE},)]),
    "a list": (lambda x: 1, {}, [({"a": ONE},), ([ONE, ONE],)]),
    "more arguments": (lambda *args: 1, {}, [(ONE,), (ONE, ONE)]),
    "another static value": (lambda x, n: 1, {"static_argnums": 1}, [(ONE, 2), (ONE, 3)]),
    "a function of a partial": (partial(lambda x: 1), {}, [(ONE,)]),
}
# Lines of JAX that are ours too, but for their ends.
COMMON = ("TRACING CACHE MISS at", "never seen function", "all previously seen", "different input types", "* at x, now",
          "different input pytree", "* at input path [0]")


def explained(m, caplog, fun, options, calls):
    if isinstance(fun, FunctionType):  # one that no test has traced
        fun = FunctionType(fun.__code__, fun.__globals__)
    f = m.jit(fun, **options)
    *before, last = calls
    for args in before:
        f(*args)
    caplog.clear()
    with m.explain_cache_misses(True), caplog.at_level(logging.WARNING):
        f(*last)
    return "\n".join([r.getMessage() for r in caplog.records if "CACHE MISS" in r.getMessage()])


@pytest.mark.parametrize("name", CALLS)
def test_a_miss_is_explained_as_in_jax(name, caplog):
    fun, options, calls = CALLS[name]
    theirs, ours = (explained(m, caplog, fun, options, calls) for m in (jax, adjoint))
    told = {name: [line for line in COMMON if line in text] for name, text in (("jax", theirs), ("ours", ours))}
    if name == "another static value":  # which JAX has among the leaves
        assert "1: now 3 and before 2" in ours
    else:
        assert told["jax"] == told["ours"]
    assert bool(theirs) == bool(ours)
    assert "test_misses.py" in ours or not ours


def test_types_are_told_by_the_names_of_arguments(caplog):
    fun, options, calls = CALLS["another shape"]
    assert "* at x, now f32[2,3] and before f32[3]" in explained(adjoint, caplog, fun, options, calls)
    fun, options, calls = CALLS["a strong type"]
    text = explained(adjoint, caplog, fun, options, calls)
    assert "* at x, now f32[]{weak_type=False} and before f32[]{weak_type=True}" in text


def test_options_are_told_by_name(caplog):
    texts = []
    for m in (jax, adjoint):
        f = m.jit(lambda x: x + 1)
        f(ONE)
        caplog.clear()
        with m.explain_cache_misses(True), m.enable_x64(True), caplog.at_level(logging.WARNING):
            f(ONE)
        texts.append(caplog.text)
    assert all("* jax_enable_x64 differs: now True and before False" in text for text in texts)


def test_functions_of_the_library_are_not_told(caplog):
    text = explained(adjoint, caplog, lambda x: adjoint.numpy.where(x > 0, x, 1.0), {}, [(ONE,)])
    assert text.count("CACHE MISS") == 1


TRACINGS = {
    "jit": lambda m, f: m.jit(f)(ONE),
    "make_jaxpr": lambda m, f: m.make_jaxpr(f)(ONE),
    "eval_shape": lambda m, f: m.eval_shape(f, ONE),
    "lower": lambda m, f: m.jit(f).lower(ONE),
    "scan": lambda m, f: m.lax.scan(lambda c, x: (f(c), None), ONE, None, length=2),
    "cond": lambda m, f: m.lax.cond(True, f, f, ONE),
}


@pytest.mark.parametrize("name", TRACINGS)
def test_nothing_is_traced_under_no_tracing(name):
    for m in (jax, adjoint):
        with m.no_tracing(), pytest.raises(RuntimeError, match="re-tracing function .* but 'no_tracing' is set"):
            TRACINGS[name](m, lambda x: x * 2)


def test_what_is_traced_already_runs_under_no_tracing():
    for m in (jax, adjoint):
        f, x = m.jit(lambda x: x * 2), m.numpy.ones(3)
        f(x)
        with m.no_tracing():
            assert f(x).tolist() == [2.0, 2.0, 2.0]
