"""The StableHLO text of a program is JAX's, line for line, where both libraries make it of the same operations."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest
from tests.modes import some, unchecked
from tests.recorded import jax

import adjoint

x, y = np.ones(3, np.float32), np.ones((2, 3), np.float32)


class Pair(NamedTuple):
    first: object
    second: object


def nested(m, x):
    """Loops and branches in one another, and operations after them."""
    lax = m.lax
    x = lax.cond(x[0] > 0, lambda a: lax.while_loop(lambda a: a[0] < 3, lambda a: a + 3, a) * 7, lambda a: a + 3, x)
    x = lax.while_loop(lambda a: a[0] < 3, lambda a: lax.sort(a + 3) + 1, x)
    _, x = lax.while_loop(
        lambda c: lax.while_loop(lambda i: i < 3, lambda i: i + 1, c[0]) < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x))
    return x + 5


def called(m, x, y):
    """Functions of two names, at three types each."""
    def double(x):
        return x * 2

    double, lambda_, main = m.jit(double), m.jit(lambda x: x + 1), m.jit(sine)
    return double(x), double(y), lambda_(x), lambda_(y), double(x[0]), lambda_(x[0]), main(x)


def sine(x):
    return jax.numpy.sin(x) if isinstance(x, jax.Array) else adjoint.numpy.sin(x)


sine.__name__ = "main"

PROGRAMS = {  # name -> (the function of a library and its operands, operands, options of jit)
    "one result": (lambda m, x: m.numpy.sin(x), (x,), {}),
    "a tuple of one": (lambda m, x: (x,), (x,), {}),
    "a tree": (lambda m, x: [x, {"a": (x, 3.0), "b": None}, Pair(x, (x,))], (x,), {}),
    "nothing": (lambda m, x: None, (x,), {}),
    "numbers": (lambda m, x: (
        x * 2.5, x + 1e10, x - 1e-7, x * np.inf, x + np.nan, x * 123456.7, x * 16777217.0), (x,), {}),
    "integers": (lambda m, x: (x * 2, x + 40), (np.arange(3),), {}),
    "other dtypes": (lambda m, x: (
        x.astype("bfloat16") * 1.5, x.astype("float16") + 3, x.astype("complex64") * (1 + 2j)), (x,), {}),
    "arrays": (lambda m, x: (
        x + np.arange(101), x + np.zeros((0, 1)), x + np.array([[1, 2], [3, 4]])), (np.int32(1),), {}),
    "nested regions": (nested, (x,), {}),
    "functions": (called, (x, y), {}),
    "sorting": (lambda m, x: m.lax.sort((x, x), num_keys=2), (x,), {}),
    "adding to an element": (lambda m, x: x.at[0].add(1.0), (x,), {}),
    "unread": (lambda m, x, y: (y + 1, x)[1], (x, y), {}),
    "unread and kept": (lambda m, x, y: (y + 1, x)[1], (x, y), {"keep_unused": True}),
    "donated": (lambda m, x, y: x + y, (x, x), {"donate_argnums": 0}),
    "both donated": (lambda m, x, y: (x + y, x * 2), (x, x), {"donate_argnums": (0, 1)}),
    "one too many donated": (lambda m, x, y: x + y, (x, x), {"donate_argnums": (0, 1)}),
    "donated for nothing": (lambda m, x: x.sum(), (x,), {"donate_argnums": 0}),
    "donated to another shape": (lambda m, x, y: (y.reshape(6), x + 1), (x, y), {"donate_argnums": (0, 1)}),
    "donated to the second result": (lambda m, x: (x.view("int32"), x + 1), (x,), {"donate_argnums": 0}),
    "donated and unread": (lambda m, x, y: x + 1, (x, x), {"donate_argnums": (1,)}),
    "donated, unread and kept": (lambda m, x, y: x + 1, (x, x), {"donate_argnums": (1,), "keep_unused": True}),
    "donated by name": (lambda m, x, *, z: z["q"] + x, (x,), {"donate_argnames": "z"}),
}


def text_of(m, name):
    f, operands, options = PROGRAMS[name]

    def fun(*args, **kwargs):
        return f(m, *args, **kwargs)

    keywords = {"z": {"q": x}} if "donate_argnames" in options else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some donated arrays are of no use
        return m.jit(fun, **options).lower(*operands, **keywords).as_text()


@pytest.mark.parametrize("name", some(PROGRAMS, unchecked, *[name for name in PROGRAMS if "donated" in name]))
def test_text_is_that_of_jax(name):
    assert text_of(adjoint, name) == text_of(jax, name)


@pytest.mark.parametrize("name", ["a$b.c-d", "_x_", "__", "<a>", "x y", "9a", "é", "f.g(h)", 'a"b\\c\n'])
def test_names_of_functions_are_those_of_jax(name):
    def f(x):
        return x + 1

    f.__name__ = name
    ours, theirs = [m.jit(m.jit(f)).lower(1.0).as_text() for m in (adjoint, jax)]
    assert ours == theirs


@pytest.mark.parametrize("dtype", [
    "float32", "float64", "float16", "complex64", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn,
])
def test_numbers_are_printed_as_jax_prints_them(dtype):
    from adjoint.engines.xla.stablehlo import dense

    random = np.random.RandomState(0)
    values = np.ldexp(random.randint(-(2**53), 2**53, 98).astype(float), random.randint(-79, -22, 98))
    values[:20] = np.round(values[:20], 2)
    values[20:40] = np.round(values[20:40] * 100)
    with np.errstate(over="ignore"):
        array = np.array([0.0, -0.0, *values]).astype(dtype)
    with jax.enable_x64(True):
        text = jax.jit(lambda: jax.numpy.asarray(array)).lower().as_text()
    assert dense(array, adjoint.core.ShapedArray(array.shape, array.dtype)) in text
