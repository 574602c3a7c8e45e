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

pytestmark = pytest.mark.usefixtures("native")


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


def spread(x, low, high, inside=1):
    return lax.pad(x, np.zeros((), x.dtype), [(low, high, inside)] + [(0, 0, 0)] * (x.ndim - 1))


@pytest.mark.parametrize("n", [5, 64, 101, 300])
def test_what_is_mixed_of_two_arrays_is_written_once(n):
    """Zeros between elements are not kept, and parts that are joined are read where they are."""
    x = stream().normal(size=(n, 3)).astype("f4")
    x[::3] = -0.0

    def program(x):
        even = jnp.concatenate([x[:1], x[1:] * 2])
        mixed = spread(even, 0, 1) + spread(x[::-1], 1, 0)
        return mixed, jnp.exp(mixed)[::-1]

    expected = np.empty((2 * n, 3), "f4")
    expected[::2], expected[1::2] = np.concatenate([x[:1], x[1:] * 2]), x[::-1]
    mixed, falling = ax.jit(program)(x)
    np.testing.assert_array_equal(mixed, expected)
    assert not np.signbit(np.asarray(mixed)[expected == 0]).any()
    np.testing.assert_allclose(falling, np.exp(expected)[::-1], rtol=1e-6)
    if n > 64:
        text = ax.jit(lambda x: program(x)[0]).lower(x).compile().as_text()
        assert " 0 bytes for intermediate arrays" in text


@pytest.mark.parametrize("n", [2, 63, 65, 128, 777, 1023])
def test_prefixes_of_every_length(n):
    x = stream().integers(-9, 9, size=(n, 2)).astype("i4")
    sums = lambda x, **given: lax.associative_scan(jnp.add, x, **given)
    np.testing.assert_array_equal(ax.jit(sums)(x), np.cumsum(x, 0))
    np.testing.assert_array_equal(ax.jit(lambda x: sums(x, axis=1, reverse=True))(x.T), np.cumsum(x[::-1], 0)[::-1].T)
    weights = np.arange(n, dtype="f4")
    gradient = ax.jit(ax.grad(lambda x: (sums(x) * weights).sum()))(x[:, 0].astype("f4"))
    np.testing.assert_allclose(gradient, np.cumsum(weights[::-1])[::-1])


@pytest.mark.parametrize("config", [(0, 1, 1), (3, 0, 1), (-1, 5, 2), (4, -3, 3), (7, 6, 1), (-2, -2, 1)])
def test_padding_between_elements(config):
    for shape in ((70,), (70, 3), (3, 70)):
        x, axis = stream().normal(size=shape).astype("f4"), shape.index(70)
        value = np.float32(1.5)
        at = [config if i == axis else (0, 0, 0) for i in range(x.ndim)]
        program = lambda x, at=at: lax.pad(x, value, at) * 2 + lax.pad(x, value, at)
        low, high, inside = config
        wide = np.full((69 * (inside + 1) + 1, *np.delete(shape, axis)), value, "f4")
        wide[:: inside + 1] = np.moveaxis(x, axis, 0)
        wide = np.pad(wide, [(max(low, 0), max(high, 0))] + [(0, 0)] * (x.ndim - 1), constant_values=value)
        wide = np.moveaxis(wide[max(-low, 0) : len(wide) - max(-high, 0)], 0, axis)
        np.testing.assert_allclose(ax.jit(program)(x), wide * 3, rtol=1e-6)
