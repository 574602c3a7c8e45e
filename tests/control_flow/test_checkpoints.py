"""Reverse derivatives of while_loop with checkpoints, against the loop unrolled by JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.modes import compiling
from tests.recorded import jax

import adjoint
from adjoint import lax
from adjoint import numpy as anp
from adjoint.control_flow import checkpoints as schedule

jnp = jax.numpy

PLACES = (1, 2, 3, 7)
ROWS = np.array([[1.0, 2.0], [0.1, 0.2], [30.0, 2.0]], "f")


def counted(x, c, checkpoints=3, turns=13):
    """A fixed number of turns of a loop that closes over `c`."""
    body = lambda s: (s[0] + 1, anp.sin(s[1]) * c + s[1] * 0.3)
    return lax.while_loop(lambda s: s[0] < turns, body, (0, x), checkpoints=checkpoints)[1]


def counted_unrolled(x, c, turns=13):
    for _ in range(turns):
        x = jnp.sin(x) * c + x * 0.3
    return x


def grown(x, checkpoints=3):
    """As many turns as the values ask for."""
    return lax.while_loop(
        lambda y: (y * y).sum() < 1000.0, lambda y: y * 1.3 + anp.sin(y), x, checkpoints=checkpoints).sum()


def grown_unrolled(x):
    while (x * x).sum() < 1000.0:
        x = x * 1.3 + jnp.sin(x)
    return x.sum()


def nested(x, checkpoints=2):
    """jit, cond, scan and another while inside."""
    def body(s):
        i, x = s
        x = adjoint.jit(lambda v: anp.sin(v) * v)(x)
        x = lax.cond(x.sum() > 1.0, lambda v: v * 0.5, lambda v: v + anp.cos(v), x)
        x, _ = lax.scan(lambda c, _: (c * 0.9 + 0.1 * anp.tanh(c), None), x, None, length=2)
        return i + 1, lax.while_loop(lambda v: v.sum() > 3.0, lambda v: v * 0.7, x, checkpoints=2)

    return lax.while_loop(lambda s: s[0] < 6, body, (0, x), checkpoints=checkpoints)[1].sum()


def nested_unrolled(x):
    for _ in range(6):
        x = jnp.sin(x) * x
        x = x * 0.5 if x.sum() > 1.0 else x + jnp.cos(x)
        for _ in range(2):
            x = x * 0.9 + 0.1 * jnp.tanh(x)
        while x.sum() > 3.0:
            x = x * 0.7
    return x.sum()


def close(expected, got, rtol=2e-5):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-7), expected, got)


@pytest.mark.parametrize("checkpoints", PLACES)
def test_gradients_are_those_of_the_unrolled_loop(checkpoints):
    """For each number of places, in the start and in what the loop closes over."""
    expected = jax.grad(counted_unrolled, (0, 1))(1.3, 0.9)
    close(expected, adjoint.grad(lambda *a: counted(*a, checkpoints), (0, 1))(1.3, 0.9))
    close(jax.grad(nested_unrolled)(ROWS[0]), adjoint.grad(lambda x: nested(x, checkpoints))(ROWS[0]))


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_few_turns(turns):
    """Nothing, or next to nothing, to undo."""
    expected = jax.grad(lambda x: counted_unrolled(x, 0.9, turns))(1.3)
    close(expected, adjoint.grad(lambda x: counted(x, 0.9, 4, turns))(1.3))


def test_in_every_order_with_jit_and_vmap():
    """Rows run different numbers of turns."""
    expected = np.stack([jax.grad(grown_unrolled)(row) for row in ROWS])
    close(expected, adjoint.vmap(adjoint.grad(grown))(ROWS))
    close(expected, adjoint.jit(adjoint.vmap(adjoint.grad(grown)))(ROWS))
    close(expected, adjoint.grad(lambda x: adjoint.vmap(grown)(x).sum())(ROWS))
    close(expected[0], adjoint.jit(adjoint.grad(grown))(ROWS[0]))


def test_second_derivatives():
    """Forward over reverse, reverse over forward, and reverse over reverse."""
    expected = jax.grad(jax.grad(counted_unrolled))(1.3, 0.9)
    slope = lambda x: counted(x, 0.9)
    close(expected, adjoint.jvp(adjoint.grad(slope), (1.3,), (1.0,))[1])
    close(expected, adjoint.grad(lambda x: adjoint.jvp(slope, (x,), (1.0,))[1])(1.3))
    close(expected, adjoint.grad(adjoint.grad(slope))(1.3), rtol=1e-4)
    close(jax.hessian(grown_unrolled)(ROWS[0]), adjoint.hessian(grown)(ROWS[0]), rtol=1e-4)


def test_values_and_forward_mode_are_those_without():
    """The argument changes nothing else."""
    without = lambda x: counted(x, 0.9, None)
    assert float(without(1.3)) == float(counted(1.3, 0.9))
    close(adjoint.jvp(without, (1.3,), (1.0,)), adjoint.jvp(lambda x: counted(x, 0.9), (1.3,), (1.0,)), rtol=1e-6)


@pytest.mark.parametrize(("checkpoints", "most"), [(10, 4.0), (20, 3.5), (60, 2.5)])
def test_turns_run_again_are_few(checkpoints, most):
    """The schedule runs each of 200 turns about as often as treeverse may: beta(s, r) >= 200."""
    turns = 200
    body = lambda s: (s[0] + 1, anp.sin(s[1]))
    f = lambda x: lax.while_loop(lambda s: s[0] < turns, body, (0, x), checkpoints=checkpoints)[1]
    place, top, now, last, kept, advanced = None, 0, 0, turns - 1, {0: 0}, 0
    next_place = lambda: int(schedule._next_place(
        np.int32(now), np.int32(last), np.int32(checkpoints - top), checkpoints))
    place = next_place()
    while last >= 0:
        while now < last and now != place:
            now, advanced = now + 1, advanced + 1
        if now == last:
            last -= 1
            top = max(top - (kept[top] > last), 0)
            now = kept[top]
        else:
            top += 1
            kept[top] = now
        assert top < checkpoints
        place = next_place()
    assert advanced < most * turns
    close(jax.grad(lambda x: counted_free(x, turns))(1.0), adjoint.jit(adjoint.grad(f))(1.0), rtol=1e-4)


def counted_free(x, turns):
    return jax.lax.scan(lambda c, _: (jnp.sin(c), None), x, None, length=turns)[0]


@compiling
def test_errors():
    """Without the argument reverse mode raises as in JAX, and says what to write; and wrong arguments."""
    with pytest.raises(ValueError, match="checkpoints=20"):
        adjoint.grad(lambda x: counted(x, 0.9, None))(1.0)
    with pytest.raises(ValueError, match="at least 1"):
        counted(1.0, 1.0, 0)
    with pytest.raises(TypeError):
        counted(1.0, 1.0, 2.5)
