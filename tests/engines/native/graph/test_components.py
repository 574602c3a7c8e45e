"""Arrays that are put together and taken apart: the values of NumPy, and no memory between what is done with parts."""

from __future__ import annotations

import numpy as np
import pytest
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.graph.components import forwarded, short_axis
from adjoint.engines.native.graph.graph import Graph


def oscillator(y, a):
    return jnp.stack([y[1], a * (1 - y[0] ** 2) * y[1] - y[0]])


def runge_kutta(y, a, h=0.01):
    k1 = oscillator(y, a)
    k2 = oscillator(y + h / 2 * k1, a)
    k3 = oscillator(y + h / 2 * k2, a)
    return y + h * oscillator(y + h * k3, a) + h / 6 * (k1 + 2 * k2 + 2 * k3)


def plain(y, a, h=0.01):
    f = lambda y: np.stack([y[:, 1], a * (1 - y[:, 0] ** 2) * y[:, 1] - y[:, 0]], -1)
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    return y + h * f(y + h * k3) + h / 6 * (k1 + 2 * k2 + 2 * k3)


@pytest.mark.parametrize("n", [1, 5, 1000])
def test_a_step_of_many_systems_is_one_pass(n):
    random = stream()
    y, a = random.normal(size=(n, 2)).astype("f4"), random.normal(size=n).astype("f4")
    np.testing.assert_allclose(ax.jit(ax.vmap(runge_kutta))(y, a), plain(y, a), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        ax.jit(ax.vmap(lambda y, a: lax.fori_loop(0, 3, lambda _, y: runge_kutta(y, a), y)))(y, a),
        plain(plain(plain(y, a), a), a), rtol=1e-5, atol=1e-6,
    )


def test_what_is_stacked_and_taken_apart_needs_no_memory():
    y, a = np.ones((1000, 2), "f4"), np.ones(1000, "f4")
    text = ax.jit(ax.vmap(runge_kutta)).lower(y, a).compile().as_text()
    assert text.rstrip().endswith("1 steps, 1 functions, 0 bytes for intermediate arrays")


def test_arrays_of_arrays_are_written_once():
    x = np.arange(20.0, dtype="f4").reshape(4, 5)
    for program in (
        lambda np, x: np.pad(x, 2, "reflect"), lambda np, x: np.pad(x, ((3, 3), (1, 2)), "wrap"),
        lambda np, x: np.block([[x, x], [x, 2 * x]]),
        lambda np, x: np.concatenate([np.flip(np.concatenate([x, x], 1)), np.ones((1, 10), "f4")]),
    ):
        f = ax.jit(lambda x, program=program: program(jnp, x))
        np.testing.assert_array_equal(f(x), program(np, x))
        assert f.lower(x).compile().as_text().rstrip().endswith(" 0 bytes for intermediate arrays")


def test_views_of_a_part_are_found():
    def program(x, y):
        return jnp.concatenate([x, y], 1)

    x, y = np.ones((6, 3), "f4"), np.ones((6, 2), "f4")
    graph = Graph(ax.make_jaxpr(program)(x, y))
    (whole,) = graph.outputs
    found = forwarded(whole.slice((1, 3), (6, 5), (2, 1)))
    assert found.base is graph.inputs[1] and (found.offset, found.shape, found.strides) == (2, (3, 2), (4, 1))
    found = forwarded(whole.slice((0, 0), (6, 3), (1, 2)).reverse([1]))
    assert found.base is graph.inputs[0] and (found.offset, found.shape, found.strides) == (2, (6, 2), (3, -2))
    assert forwarded(whole.slice((0, 2), (6, 4), (1, 1))) is None, "it lies in both"
    assert forwarded(whole) is None and short_axis(whole) == 1 and short_axis(whole.transpose([1, 0])) == 0


def _rearranged(random, x):
    """An array with some of its elements elsewhere, in adjoint and in NumPy alike: a function of the module."""
    kind = random.integers(9)
    axis = int(random.integers(x.ndim)) if x.ndim else 0
    if not x.ndim:
        return lambda np, x: np.stack([x, 2 * x])
    n = x.shape[axis]
    if kind == 0:
        return lambda np, x: np.flip(x, axis)
    if kind == 1:
        return lambda np, x: np.moveaxis(x, axis, 0)
    if kind == 2:
        begin, step = int(random.integers(n)), int(random.integers(1, 3))
        return lambda np, x: np.moveaxis(np.moveaxis(x, axis, 0)[begin::step], 0, axis)
    if kind == 3 and x.ndim > 1:
        k = int(random.integers(n))
        return lambda np, x: np.take(x, k, axis)
    if kind == 4 and x.ndim < 4:
        to = int(random.integers(x.ndim + 1))
        return lambda np, x: np.stack([x, 3 - x, x * x][: 2 + axis % 2], to)
    if kind == 5:
        return lambda np, x: np.concatenate([x, np.flip(x, axis) * 2, x - 1], axis)
    if kind == 6:
        return lambda np, x: np.pad(x, [(1, 2) if a == axis else (0, 0) for a in range(x.ndim)])
    if kind == 7 and x.ndim > 1:
        return lambda np, x: x.reshape(-1, *x.shape[2:])
    return lambda np, x: np.roll(x, 1, axis)


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_have_the_values_of_numpy(seed):
    random = np.random.default_rng(seed)
    shape = [(), (3,), (2, 3), (70, 3), (3, 70), (4, 1, 5), (2, 65, 2)][seed % 7]
    x = random.integers(-9, 9, shape).astype("f4")
    steps, at = [], x
    for _ in range(int(random.integers(3, 9))):
        steps.append(_rearranged(random, at))
        at = steps[-1](np, at)
        if at.size > 4000 or at.ndim > 4:
            steps.pop()
            break
        if random.integers(2):
            steps.append([lambda np, x: 2 * x + 1, lambda np, x: np.abs(x) - x, lambda np, x: np.where(x > 1, x, -2)][
                int(random.integers(3))])
            at = steps[-1](np, at)

    def program(np, x):
        seen = [x]
        for step in steps:
            seen.append(step(np, seen[-1]))
        return seen[-1], seen[len(seen) // 2] + 1, seen[-1].sum(), seen[-1].max(0) if seen[-1].ndim else seen[-1]

    got = ax.jit(lambda x: program(jnp, x))(x)
    for a, b in zip(got, program(np, x)):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("k", [2, 3, 5, 7, 8])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "?", "c8", "f2"])
def test_short_rows_are_turned_and_reversed(k, dtype):
    numbers = 9 * stream().normal(size=(k, 300))
    x = numbers > 0 if dtype == "?" else numbers.astype(dtype)
    with ax.enable_x64(True):
        np.testing.assert_array_equal(ax.jit(lambda x: x.T)(x), x.T)
        np.testing.assert_array_equal(ax.jit(lambda x: x.T[:, ::-1])(x), x.T[:, ::-1])
        np.testing.assert_array_equal(ax.jit(lambda x: jnp.stack([*x], -1))(x), x.T)
        np.testing.assert_array_equal(ax.jit(lambda x: (x.T | x.T if dtype == "?" else x.T + x.T))(x),
                                      x.T | x.T if dtype == "?" else x.T + x.T)
