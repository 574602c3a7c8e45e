"""Windowed reductions and reductions by any computation: types, jaxprs, results and derivatives as in JAX."""

from __future__ import annotations

import re
from functools import partial

import ml_dtypes
import numpy as np
import pytest
from tests.modes import unchecked
from tests.recorded import jax

import adjoint
from adjoint.lax.linear import windows

from .parity import parameters, same, same_jaxpr, same_types, together

SHAPE = (2, 7, 8)
NEUTRAL = {"add": 0.0, "max": -np.inf, "min": np.inf, "mul": 1.0}
PLAIN = ((1, 3, 2), (1, 2, 1), "SAME")
SPREAD = ((1, 3, 2), (1, 2, 1), ((0, 0), (1, 2), (0, 1)), (1, 2, 1), (1, 1, 2))
HOLES = ((1, 3, 2), (1, 2, 1), ((0, 0), (1, 2), (0, 1)), (1, 1, 2))


def x(dtype=np.float32, shape=SHAPE, seed=0):
    """Distinct numbers of both signs, in disorder."""
    n = np.random.default_rng(seed).permutation(np.prod(shape, dtype=int)).reshape(shape)
    whole = np.dtype(dtype).kind in "iu"
    return (n - n.size // 3 if whole else n / 16 - 1).astype(dtype)


def window(m, a, name, config=PLAIN):
    return m.lax.reduce_window(a, NEUTRAL[name], getattr(m.lax, name), *config)


def twice(a, b):
    return a + 2 * b


@pytest.mark.parametrize("name", windows.__all__)
def test_signatures(name):
    """Parameters have JAX's names, kinds and defaults."""
    assert parameters(jax, name) == parameters(adjoint, name)


# ---- jaxprs -------------------------------------------------------------------------------------


def test_which_computations_are_primitives():
    """The neutral element and the computation decide; other values, and any other function, do not."""
    for name in NEUTRAL:
        same_jaxpr(lambda m, a: window(m, a, name), x())
    same_jaxpr(lambda m, a: window(m, a, "max", SPREAD), x(ml_dtypes.bfloat16))
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, -(2**31), m.lax.max, *PLAIN), x(np.int32))
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, 0, m.lax.max, *PLAIN), x(np.int32))
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, 1.0, m.lax.add, *PLAIN), x())
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, 0, m.lax.add, *PLAIN), x())
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, np.float32(0), m.lax.add, *PLAIN), x())
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, 0.0, m.numpy.add, *PLAIN), x())
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, False, m.lax.bitwise_or, *PLAIN), x() > 1)
    same_jaxpr(lambda m, a: m.lax.reduce_window(a, False, m.lax.max, *PLAIN), x() > 1)
    same_jaxpr(lambda m, a, i: m.lax.reduce_window(a, i, m.lax.max, *PLAIN), x(), np.float32(0))
    pair = lambda a, b: (a[0] + b[0], a[1] * b[1])
    same_jaxpr(lambda m, a, b: m.lax.reduce_window((a, b), (0.0, 1), pair, *PLAIN), x(), x(np.int32))


@pytest.mark.parametrize("name", ["add", "max", "min"])
def test_jaxprs_of_derivatives(name):
    """Forward, backward, both twice, and batched."""
    f = lambda m, a: window(m, a, name)
    square = lambda m: lambda v: (f(m, v) ** 2).sum()
    same_jaxpr(lambda m, a: m.jvp(partial(f, m), (a,), (a,)), x())
    same_jaxpr(lambda m, a: m.grad(lambda v: f(m, v).sum())(a), x())
    same_jaxpr(lambda m, a: m.vmap(partial(f, m), 1)(a), x(shape=(2, 3, 7, 8)))
    same_jaxpr(lambda m, a: m.vmap(m.grad(lambda v: f(m, v).sum()), 1)(a), x(shape=(2, 3, 7, 8)))
    same_jaxpr(lambda m, a: m.jvp(m.grad(square(m)), (a,), (a,)), x())
    for config in (HOLES, SPREAD) if name == "add" else (HOLES,):
        same_jaxpr(lambda m, a: m.grad(lambda v: window(m, v, name, config).sum())(a), x())
        same_jaxpr(lambda m, a: m.jvp(lambda v: window(m, v, name, config), (a,), (a,)), x())


def test_jaxprs_of_other_computations():
    f = lambda m, a: m.lax.reduce_window(a, 0.0, twice, *PLAIN)
    for g in f, lambda m, a: window(m, a, "mul"):
        same_jaxpr(lambda m, a: m.jvp(partial(g, m), (a,), (a,)), x())
        same_jaxpr(lambda m, a: m.vmap(partial(g, m), 1)(a), x(shape=(2, 3, 7, 8)))


# ---- values -------------------------------------------------------------------------------------


@together
def test_values():
    """Every geometry, dtypes, NaN, long windows, nothing at all."""
    nan = x()
    nan[0, 1, 2] = np.nan
    cases = [PLAIN, SPREAD, HOLES, ((2, 1, 7), (1, 1, 1), "SAME_LOWER"), ((1, 7, 8),),
             ((1, 2, 2), None, ((0, 0), (-1, 2), (0, -2)))]

    def program(m, *arrays):
        return [window(m, a, name, c) for a in arrays for c in cases for name in ("add", "max", "min")]

    same(program, x(), nan, rtol=1e-5)
    ints = {"add": 0, "max": -(2**31), "min": 2**31 - 1}
    same(lambda m, a: [m.lax.reduce_window(a, i, getattr(m.lax, n), *SPREAD) for n, i in ints.items()],
         x(np.int32))
    long = lambda m, a: [m.lax.reduce_window(a, NEUTRAL[n], getattr(m.lax, n), (w,), (s,), "SAME")
                         for n in ("add", "max") for w in (9, 16, 21) for s in (1, 3)]
    same(long, x(shape=(40,)), rtol=1e-5)
    same(lambda m, a: window(m, a, "add", ((1, 2, 20),)), x())


def test_values_of_other_computations():
    """Elements are combined from the initial value on, in row-major order."""
    big = lambda m: lambda a, b: (m.numpy.maximum(a[0], b[0]), a[1] + b[1])

    def program(m, a, b, c):
        return [
            window(m, a, "mul", SPREAD),
            m.lax.reduce_window(a, 0.0, twice, (1, 2, 2)),
            m.lax.reduce_window(a, 0.0, lambda p, q: m.lax.cond(p > q, lambda: p, lambda: q), *PLAIN),
            m.lax.reduce_window((a, b), (0.0, 0), big(m), *PLAIN),
            m.lax.reduce_window(c, True, m.lax.bitwise_and, *PLAIN),
            m.lax.reduce_window(c, False, m.numpy.logical_or, *PLAIN),
        ]

    same(program, x(), x(np.int32), x() > 0, rtol=1e-5)


@unchecked
@pytest.mark.parametrize("name", ["max", "min"])
@together
def test_winners_of_ties_nan_and_infinities(name):
    """The first of equals; NaN loses to what comes after it."""
    row = np.array([[-np.inf, -np.inf, 1, 1, np.nan, 2, np.nan, 3, -np.inf, -np.inf]], np.float32)
    row = row if name == "max" else -row
    for config in ((1, 3), (1, 2), "SAME"), ((1, 3), (1, 2), [(0, 0), (2, 2)]):
        f = lambda m, v: window(m, v, name, config)
        n = 5 + (config[2] != "SAME")
        ct = np.arange(1.0, n + 1, dtype=np.float32)[None]
        t = np.arange(1.0, 11.0, dtype=np.float32)[None]
        same(lambda m, a, ct, t: [m.vjp(partial(f, m), a)[1](ct), m.jvp(partial(f, m), (a,), (t,))],
             row, ct, t)


def test_derivatives():
    """Values of gradients and of second derivatives, plain and spread."""
    def program(m, a):
        out = []
        for name in ("add", "max", "min"):
            for config in (PLAIN, HOLES) if name != "add" else (PLAIN, SPREAD):
                f = lambda v: m.numpy.sin(window(m, v, name, config)).sum()
                out += [m.grad(f)(a), m.jvp(m.grad(f), (a,), (a,))[1]]
        return out

    same(program, x(), rtol=1e-5)


def test_gradients_that_jax_lacks():
    """Dilated maxima and general computations have backward passes: they agree with forward mode."""
    for f in (
        lambda v: window(adjoint, v, "max", SPREAD),
        lambda v: window(adjoint, v, "mul", SPREAD),
        lambda v: adjoint.lax.reduce_window(v, 0.0, lambda a, b: a + adjoint.numpy.sin(b), *PLAIN),
    ):
        a = adjoint.numpy.asarray(x())
        out, pull = adjoint.vjp(f, a)
        ct = adjoint.numpy.cos(adjoint.numpy.arange(out.size).reshape(out.shape))
        t = adjoint.numpy.sin(a)
        moved = adjoint.jvp(f, (a,), (t,))[1]
        np.testing.assert_allclose(float((ct * moved).sum()), float((pull(ct)[0] * t).sum()), rtol=1e-4)


def test_initial_values_and_closures_that_are_traced():
    a = adjoint.numpy.asarray(x(shape=(3, 4)))
    starts = adjoint.numpy.arange(1.0, 4.0)
    f = lambda row, i: adjoint.lax.reduce_window(row, i, lambda p, q: p * q, (2,))
    loop = np.stack([np.asarray(f(r, i)) for r, i in zip(a, starts)])
    np.testing.assert_allclose(loop, np.asarray(adjoint.vmap(f)(a, starts)), rtol=1e-6)
    g = lambda s: adjoint.lax.reduce_window(a[0], 0.0, lambda p, q: p + s * q, (2,)).sum()
    np.testing.assert_allclose(float(adjoint.grad(g)(2.0)), float((a[0][:-1] + a[0][1:]).sum()), rtol=1e-6)
    h = lambda i: adjoint.lax.reduce_window(a[0], i, lambda p, q: p + q, (2,)).sum()
    assert float(adjoint.grad(h)(0.5)) == 3.0


def test_select_and_scatter_by_programs():
    """Any order of comparison and any way of scattering."""
    def program(m, a, source):
        scalar = [np.float32(1)] * 2
        ge, mul = (m.make_jaxpr(f)(*scalar) for f in (m.lax.ge, m.lax.mul))
        return m.lax.select_and_scatter_p.bind(
            a, source, np.float32(1), select_jaxpr=ge, select_consts=(), scatter_jaxpr=mul,
            scatter_consts=(), window_dimensions=(1, 3), window_strides=(1, 1), padding=((0, 0), (1, 0)),
        )

    same_jaxpr(program, x(shape=(2, 5)), x(shape=(2, 4)))
    a, source = x(shape=(2, 5)), x(shape=(2, 4), seed=1)
    total = jax.vjp(lambda v: jax.lax.reduce_window(v, -np.inf, jax.lax.max, (1, 3), (1, 1), ((0, 0), (1, 0))), a)
    won = np.asarray(total[1](np.ones((2, 4), np.float32))[0])
    ours = np.asarray(program(adjoint, adjoint.numpy.asarray(a), adjoint.numpy.asarray(source)))
    assert (ours[won == 0] == 1).all() and np.isclose(np.prod(ours), np.prod(source), rtol=1e-5)


def test_errors():
    f = lambda m, a, *args, **kwargs: m.lax.reduce_window(a, 0.0, m.lax.add, *args, **kwargs)
    for args, kwargs in (
        (((1, 2),), {}), (((1, 2, 2), (1, 1)), {}), (((1, 2, 2), (1, 1, 0)), {}), (((1, 2, 0),), {}),
        (((1, 2.0, 2),), {}), (((1, 2, 2), None, "FOO"), {}), ((3,), {}),
        (((1, 2, 2),), {"window_dilation": (1, 1, 0)}), (((1, 2, 2),), {"base_dilation": (1, 1, 0)}),
        (((1, 2, 2),), {"base_dilation": (1, 1)}), (((1, 2, 2),), {"window_dilation": (1, 1)}),
    ):
        same_types(lambda m, a: f(m, a, *args, **kwargs), x())
    w = (1, 2, 2)
    same_types(lambda m, a: m.lax.reduce_window(a, False, m.lax.add, w), x() > 0)
    same_types(lambda m, a: m.lax.reduce_window(a, np.zeros(2, np.float32), m.lax.add, w), x())
    same_types(lambda m, a: m.lax.reduce_window((a,), 0.0, m.lax.add, w), x())
    same_types(lambda m, a: m.lax.reduce_window((), (), m.lax.add, w), x())
    same_types(lambda m, a: m.lax.reduce_window(a, np.int32(0), m.lax.max, w), x())
    same_types(lambda m, a: m.lax.reduce_window(a, 0.0, lambda p, q: (p, q), w), x())
    same_types(lambda m, a: m.lax.reduce_window(m.lax.full(SHAPE, 1.0), 0.0, m.lax.add, w), x())
    same_types(lambda m, a: m.lax.reduce_window(m.lax.full(SHAPE, 1.0), 0.0, twice, w), x())


def test_padding_by_name():
    for args in (
        ((8, 9), (3, 2), (2, 1), "SAME"), ((8, 9), (3, 2), (2, 3), "same_lower"), ((8,), (1,), (3,), "SAME"),
        (np.array((8, 9)), np.array((3, 2)), np.array((2, 3)), "valid"), ((0,), (3,), (1,), "SAME"),
    ):
        assert jax.lax.padtype_to_pads(*args) == adjoint.lax.padtype_to_pads(*args)
    for bad in "foo", 3:
        with pytest.raises((RuntimeError, TypeError)) as theirs:
            jax.lax.padtype_to_pads((8,), (3,), (1,), bad)
        with pytest.raises(theirs.type, match=re.escape(str(theirs.value))):
            adjoint.lax.padtype_to_pads((8,), (3,), (1,), bad)
    for args in (
        ((7, 8), (2, 3), (2, 1), [(0, 1), (1, 1)]), ((7, 8), (2, 3), (2, 1), [(0, 1), (1, 1)], (2, 1), (1, 2)),
        ((7, 8), (2, 13), (2, 1), [(0, 1), (1, 1)]),
    ):
        assert jax.lax.reduce_window_shape_tuple(*args) == adjoint.lax.reduce_window_shape_tuple(*args)


# ---- reduce -------------------------------------------------------------------------------------


def reduce_texts(program, *args):
    """Like `same_jaxpr`, for programs that show the parentheses of `np.int64(1)`."""
    texts = []
    for m in jax, adjoint:
        text = str(m.make_jaxpr(partial(program, m))(*args))
        texts.append(re.sub(r"np\.int64|[\s()]", "", text))
    assert texts[0] == texts[1], f"JAX: {texts[0]}\nadjoint: {texts[1]}"


def test_jaxprs_of_reduce():
    """The primitive, its halves under differentiation, and batches."""
    plus = lambda a, b: a + b
    for init, name in ((1.0, "add"), (2.0, "mul"), (0.0, "max"), (np.float32(0), "add"), (0, "add")):
        reduce_texts(lambda m, a: m.lax.reduce(a, init, getattr(m.lax, name), (0,)), x())
    reduce_texts(lambda m, a: m.lax.reduce(a, False, m.lax.bitwise_and, (0,)), x() > 0)
    pair = lambda a, b: (a[0] + b[0], a[1] * b[1])
    reduce_texts(lambda m, a, b: m.lax.reduce((a, b), (0.0, 0), pair, (0, 2)), x(), x(np.int32))
    for axes in ((0,), (1,), (0, 2), ()):
        for f in twice, plus:
            run = lambda m, a: m.lax.reduce(a, 0.0, f, axes)
            reduce_texts(lambda m, a: m.jvp(partial(run, m), (a,), (a,)), x())
            reduce_texts(lambda m, a: m.grad(lambda v: run(m, v).sum())(a), x())
            reduce_texts(lambda m, a: m.vmap(partial(run, m), 1)(a), x(shape=(2, 4, 7, 8)))


def test_values_of_reduce_beyond_jax():
    """Batches and gradients of initial values, and closures over tracers."""
    a, starts = adjoint.numpy.asarray(x(shape=(3, 5))), adjoint.numpy.arange(1.0, 4.0)
    f = lambda row, i: adjoint.lax.reduce(row, i, lambda p, q: p * q, (0,))
    loop = np.stack([np.asarray(f(r, i)) for r, i in zip(a, starts)])
    np.testing.assert_allclose(loop, np.asarray(adjoint.vmap(f)(a, starts)), rtol=1e-6)
    np.testing.assert_allclose(float(adjoint.grad(f, 1)(a[0], 2.0)), np.prod(np.asarray(a[0])), rtol=1e-6)
    g = lambda s: adjoint.lax.reduce(a[0], 0.0, lambda p, q: p + s * q, (0,))
    assert np.isfinite(float(adjoint.grad(g)(1.0)))


def test_errors_of_reduce():
    f = lambda p, q: p
    same_types(lambda m, a: m.lax.reduce(a, 0, m.lax.min, (0,)), x())
    same_types(lambda m, a: m.lax.reduce(a, 0.0, f, (0,)), x(np.int32))
    same_types(lambda m, a: m.lax.reduce((a,), 0.0, f, (0,)), x())
    same_types(lambda m, a: m.lax.reduce(m.lax.full((2, 7), 1.0), 0.0, f, (0,)), x())
    same_types(lambda m, a: m.lax.reduce(a, 0.0, f, (0,)), x())


@pytest.mark.parametrize("n, window, stride, base, spread", [(2, 2, 2, 2, 1), (2, 2, 3, 3, 1), (4, 3, 2, 3, 2)])
@pytest.mark.parametrize("padding", ["SAME", "SAME_LOWER"])
def test_padding_by_name_does_not_count_the_dilation_of_the_array(n, window, stride, base, spread, padding):
    def pool(m, x):
        return m.lax.reduce_window(
            x, -np.inf, m.lax.max, (window,), (stride,), padding, base_dilation=(base,), window_dilation=(spread,))

    x = np.arange(n, dtype=np.float32)
    assert pool(adjoint, x).tolist() == pool(jax, x).tolist()


@pytest.mark.parametrize("op", ["add", "mul"])
@pytest.mark.parametrize("size, padding, base", [
    ((2, 3), "SAME", None), ((3, 2), ((1, 2), (0, 3)), None), ((2, 2), ((0, 0), (0, 0)), (2, 3)),
    ((5, 9), "SAME", (2, 1)),
    ((2, 2), ((-1, 1), (2, -1)), None),
])
def test_pads_are_left_out_whatever_the_initial_value(op, size, padding, base):
    x = np.arange(1, 31, dtype=np.float32).reshape(5, 6) / 8

    def run(m):
        windows = lambda x: m.lax.reduce_window(
            x, np.float32(2), getattr(m.lax, op), size, (1, 1), padding, base_dilation=base)
        return [windows(x), m.jit(windows)(x), m.jit(m.vmap(windows))(np.stack([x, x + 1]))]

    for got, want in zip(run(adjoint), run(jax), strict=True):
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-5)
    f = lambda x: adjoint.lax.reduce_window(x, np.float32(2), adjoint.lax.mul, (2, 1), (1, 1), "SAME").sum()
    slope = np.concatenate([x[1:], x[-1:] * 0]) + np.concatenate([x[:1] * 0, x[:-1]])
    slope[-1] += 1
    np.testing.assert_allclose(np.asarray(adjoint.grad(f)(x)), 2 * slope, rtol=1e-5)
