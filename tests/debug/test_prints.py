"""`debug.print` beside real JAX: what is printed, when and how often, and how it stands in jaxprs."""

from __future__ import annotations

import logging
import re
from functools import partial

import numpy as np
import pytest
from tests.lax.parity import arguments
from tests.recorded import jax

import adjoint

from .programs import PRINTS, V, called


def text(m, program, *args):
    found = str(m.make_jaxpr(partial(program, m))(*arguments(m, args)))
    return re.sub(r"np\.int64\((\d+)\)", r"\1", found)


@pytest.mark.parametrize("name", PRINTS)
def test_prints_are_traced_as_in_jax(name):
    """The whole text of the jaxpr is equal."""
    assert text(jax, *PRINTS[name]) == text(adjoint, *PRINTS[name])


@pytest.mark.parametrize("name", PRINTS)
def test_prints_happen_as_in_jax(name):
    """The same lines, called directly and compiled; in the same order if that is promised."""
    program, *args = PRINTS[name]
    theirs = called(lambda: jax.jit(partial(program, jax))(*arguments(jax, args)))
    own = arguments(adjoint, args)
    ours = called(lambda: program(adjoint, *own))
    assert ours == called(lambda: adjoint.jit(partial(program, adjoint))(*own))
    if "order" in name:
        assert theirs == ours
    assert sorted(theirs.splitlines()) == sorted(ours.splitlines())


class Point:
    def __repr__(self):
        return "Point()"


# (format, arguments, keywords); arrays are NumPy's and become the module's.
FORMATS = [
    ("{} {x}", (1,), {"x": 2}), ("{{}} hello", (), {}), ("{} a {{}}", (1,), {}), ("{:.3f}", (1.23456,), {}),
    ("{:.3f} {:5d}", (np.float32(1.23456), 7), {}), ("{0} {0} {1}", (1, 2), {}), ("{x[0]}", (), {"x": V}),
    ("{x}", (), {"x": {"a": V, "b": "s", "c": None}}), ("{} {}", (None, "text"), {}), ("{}", (Point(),), {}),
    ("{!r}", (V,), {}), ("{!s:>20}", ("a",), {}), ("{}", (np.arange(2000),), {}), ("{}", (V / 3,), {}),
    ("{}", (True,), {}),
    ("{x.shape} {x.dtype}", (), {"x": V}), ("{}", ([1, "a", V],), {}), ("{}", ((V, [V]),), {}),
    ("{} {} {y}", ("static", V), {"y": ("b", V)}),
    ("{}", (V.astype(jax.numpy.bfloat16),), {}), ("{:.2f}", (np.ones((), jax.numpy.bfloat16),), {}),
    ("{}", (np.ones((2, 2), bool),), {}), ("{}", (1 + 2j,), {}), ("{}", (np.zeros((0, 3), np.float32),), {}),
]


@pytest.mark.parametrize("case", FORMATS, ids=lambda c: c[0])
def test_formats_are_filled_in_as_in_jax(case):
    """Directly and compiled; what is no array is printed as it is, in its place."""
    fmt, args, kwargs = case

    def lines(m):
        leaf = lambda x: arguments(m, [x])[0]
        given, named = jax.tree.map(leaf, (args, kwargs), is_leaf=lambda x: isinstance(x, np.ndarray))
        arrays, tree = jax.tree.flatten((given, named))
        traced = [x for x in arrays if not isinstance(x, str | Point)]

        def f(*values):
            values = iter(values)
            leaves = [x if isinstance(x, str | Point) else next(values) for x in arrays]
            given, named = jax.tree.unflatten(tree, leaves)
            m.debug.print(fmt, *given, **named)

        return called(lambda: m.debug.print(fmt, *given, **named)), called(lambda: m.jit(f)(*traced))

    assert lines(jax) == lines(adjoint)


def test_print_options_of_numpy_hold_when_the_program_is_made():
    """And not those that hold when it runs."""

    def lines(m):
        with np.printoptions(precision=2):
            g = m.jit(lambda x: m.debug.print("{}", x))
            first = called(lambda: g(V / 3))
        return first, called(lambda: g(V / 3))

    assert lines(jax) == lines(adjoint)


def test_the_check_of_formats_can_be_skipped():
    for m in (jax, adjoint):
        assert "1\n" == called(lambda m=m: m.debug.print("{}", 1, 2, skip_format_check=True))
        assert "1 2\n" == called(lambda m=m: m.debug.print()("{} {}", 1, 2))
        assert "[0. 1. 2.]\n" == called(lambda m=m: m.jit(lambda x: m.debug.print("{}", x, partitioned=True))(V))


def test_log_goes_to_the_logger_with_the_users_place(caplog):
    def records(m):
        caplog.clear()
        m.jit(lambda x: m.debug.log("x = {}", x))(1.0)
        m.effects_barrier()
        return [(r.levelname, r.getMessage(), r.pathname, r.funcName) for r in caplog.records if r.getMessage()]

    with caplog.at_level(logging.INFO):
        ours = records(adjoint)
    assert [("INFO", "x = 1.0", __file__, "<lambda>")] == ours
    assert "adjoint.debug" == caplog.records[0].name
    assert "<LogRecord: adjoint.debug, 20, " in str(adjoint.make_jaxpr(lambda x: adjoint.debug.log("{}", x))(1.0))


def test_random_keys_are_shown():
    """As arrays when they are printed directly, as their words inside a program."""

    def lines(m):
        key = m.random.key(0)
        show = lambda k: m.debug.print("{}", k)
        direct = called(lambda: show(key)), called(lambda: m.vmap(show)(m.random.split(key)))
        return direct, called(lambda: m.jit(show)(key))

    assert lines(jax) == lines(adjoint)
