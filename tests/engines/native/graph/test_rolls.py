"""Arrays that are rolled in several ways: the values of NumPy, and no array for each roll."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling
from tests.streams import stream

import adjoint as ax
import adjoint.numpy as jnp
from adjoint import lax
from adjoint.engines.native.graph.graph import Graph
from adjoint.engines.native.program.table import Executable

random = stream()


def assembled(function, *args) -> int:
    """Return how many arrays of a function's graph are put together."""
    return [item.kind for item in Graph(ax.make_jaxpr(function)(*args)).items if hasattr(item, "kind")].count("gather")


def five_points(u, roll=jnp.roll):
    return roll(u, 1, 0) + roll(u, -1, 0) - 2 * roll(u, 1, 1) + 3 * roll(u, -2, 1)


def neighbours(u, roll=jnp.roll):
    return sum([(3 * i + j) * roll(u, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j])


def twice(u, roll=jnp.roll):
    up, down = roll(u, 3, 0), roll(u, -1, 0)
    return up * roll(up, 1, 1) + down * roll(down, -1, 1) + roll(roll(u, 2, 1), -3, 1)


def far(u, roll=jnp.roll):
    return roll(u, 7, 0) + roll(u, 16, 0) + roll(u, -15, 0) + roll(u, 1, 1)


STENCILS = [five_points, neighbours, twice, far]


@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64", "bfloat16", "bool"])
@pytest.mark.parametrize("stencil", STENCILS)
def test_values(stencil, dtype):
    u = (random.standard_normal((17, 20)) * 4).astype(jnp.dtype(dtype))
    (found,) = Executable(ax.make_jaxpr(stencil)(u))(u)
    wide = "complex128" if dtype == "complex64" else "float64"
    if dtype in ("float32", "complex64"):
        np.testing.assert_allclose(found, stencil(u.astype(wide), np.roll), rtol=1e-4, atol=1e-4)
    else:
        with ax.disable_jit():
            np.testing.assert_array_equal(found, ax.jit(stencil)(jnp.asarray(u)))


@pytest.mark.parametrize("stencil", STENCILS)
def test_derivatives(stencil):
    u, ct = random.standard_normal((17, 20)), random.standard_normal((17, 20))
    with ax.enable_x64(True):
        pull = lambda u, ct: ax.vjp(stencil, u)[1](ct)[0]
        (found,) = Executable(ax.make_jaxpr(pull)(u, ct))(u, ct)
        d = random.standard_normal(u.shape)
        step = 1e-5 * d
        slope = ((stencil(u + step, np.roll) - stencil(u - step, np.roll)) / 2e-5 * ct).sum()
        np.testing.assert_allclose((np.asarray(found) * d).sum(), slope, rtol=1e-6)


@compiling
def test_one_array_is_put_together():
    u = jnp.ones((32, 32))
    assert assembled(five_points, u) == assembled(neighbours, u) == 1
    assert assembled(lambda u: jnp.roll(u, 1, 0) * u, u) == 1
    assert assembled(lambda u: ax.grad(lambda u: (five_points(u) ** 2).sum())(u), u) == 4  # of three cotangents
    assert assembled(lambda u: jnp.roll(u, 16, 0) + jnp.roll(u, 12, 1), u) == 2  # whose border would be too large


def test_in_loops_and_batches():
    u = random.standard_normal((3, 12, 16)).astype("float32")
    step = lambda u: 0.3 * five_points(u) + u
    loop = lambda u: lax.fori_loop(0, 5, lambda _, u: step(u), u)
    (found,) = Executable(ax.make_jaxpr(ax.vmap(loop))(u))(u)
    for i, expected in enumerate(u.astype("float64")):
        for _ in range(5):
            expected = 0.3 * five_points(expected, np.roll) + expected
        np.testing.assert_allclose(found[i], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("other", [
    lambda x: jnp.concatenate([x[2:], x[2:4]]), lambda x: jnp.concatenate([x[:3], x[3:]]),
    lambda x: jnp.concatenate([x[5:], x[:4], x[:1]]), lambda x: jnp.pad(x[3:], (0, 3)) + jnp.pad(x[:3], (0, 5)),
    lambda x: jnp.pad(x[3:], (0, 3), constant_values=1) + jnp.pad(x[:3], (5, 0)), lambda x: jnp.flip(x),
])
def test_what_is_no_roll_is_none(other):
    x = jnp.arange(8.0)
    twice = lambda x: ax.jit(other)(x) + 2 * ax.jit(other)(x) + jnp.roll(x, 1)
    (found,) = Executable(ax.make_jaxpr(twice)(x))(x)
    with ax.disable_jit():
        np.testing.assert_array_equal(found, 3 * np.asarray(other(x)) + np.roll(x, 1))
