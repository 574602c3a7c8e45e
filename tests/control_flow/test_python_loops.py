"""Under `disable_jit` loops and branches are Python: they can be printed from and stepped through."""

from __future__ import annotations

import numpy as np
import pytest
from tests.lax.parity import same_jaxpr
from tests.recorded import jax

import adjoint as ax
import adjoint.numpy as jnp

X = np.array([1.0, 2.0, 3.0], np.float32)


@pytest.fixture(autouse=True)
def _python():
    with ax.disable_jit(True), jax.disable_jit(True):
        yield


def test_scan_calls_the_body_with_values():
    """Each turn is a call with concrete arrays; results are stacked, in place in reverse too."""
    seen = []

    def body(c, x):
        seen.append((float(c), float(x)))
        return c + x, {"x": x, "n": (c, 1)}

    total, ys = ax.lax.scan(body, 0.0, X)
    assert seen == [(0.0, 1.0), (1.0, 2.0), (3.0, 3.0)]
    assert float(total) == 6.0
    np.testing.assert_array_equal(ys["x"], X)
    np.testing.assert_array_equal(ys["n"][1], [1, 1, 1])
    _, sums = ax.lax.scan(lambda c, x: (c + x, c), jnp.zeros(()), X, reverse=True)
    np.testing.assert_array_equal(sums, [5.0, 3.0, 0.0])


def test_scan_of_nothing_is_refused():
    """The types of the results are not known without a trace."""
    with pytest.raises(ValueError, match="zero-length scan is not supported in disable_jit"):
        ax.lax.scan(lambda c, x: (c, x), 0.0, X[:0])


def test_loops_call_python():
    """`while_loop` and `fori_loop` call their functions with values, `map` with rows."""
    seen = []
    note = lambda value: seen.append(value) or value
    assert ax.lax.while_loop(lambda c: note(c) < 2, lambda c: c + 1, 0) == 2
    assert ax.lax.fori_loop(0, 3, lambda i, c: c + note(i), 0) == 3
    np.testing.assert_array_equal(ax.lax.map(lambda x: x * 2, X), X * 2)
    np.testing.assert_array_equal(ax.lax.map(lambda x: x * 2, X, batch_size=2), X * 2)
    assert seen == [0, 1, 2, 0, 1, 2]


def test_only_one_branch_is_called():
    """The branch that is not taken is not even traced."""
    refuse = lambda x: pytest.fail("called")
    assert ax.lax.cond(True, lambda x: x + 1, refuse, 1) == 2
    assert ax.lax.cond(jnp.zeros(()), refuse, lambda x: x + 1, 1) == 2
    assert ax.lax.switch(9, [refuse, lambda x: x * 3], 2) == 6


def test_transformations_go_through():
    """Derivatives and batching of Python loops; a batched predicate is staged after all."""
    loss = lambda w: ax.lax.scan(lambda c, x: (c * w + x, c), 0.0, X)[0]
    assert float(ax.grad(loss)(2.0)) == pytest.approx(2 * 2.0 + 2)
    picked = ax.vmap(lambda x: ax.lax.cond(x > 1.5, lambda x: -x, lambda x: x, x))(X)
    np.testing.assert_array_equal(picked, [1.0, -2.0, -3.0])
    counts = ax.vmap(lambda n: ax.lax.while_loop(lambda c: c < n, lambda c: c + 1, 0))(np.arange(3))
    np.testing.assert_array_equal(counts, [0, 1, 2])


@pytest.mark.parametrize("program", [
    lambda m, a: m.lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, c[1] * 2), (0, a)),
    lambda m, a: m.lax.while_loop(lambda c: c > 0.0, lambda c: c + 1.5, a),
    lambda m, a: m.lax.fori_loop(0, a.astype(int), lambda i, c: c * a, a),
    lambda m, a: m.lax.fori_loop(0, 2, lambda i, c: c * a, a),
    lambda m, a: m.lax.switch(1, [m.numpy.sin, m.numpy.cos], a),
    lambda m, a: m.lax.cond(True, m.numpy.sin, m.numpy.cos, a),
])
def test_a_traced_program_has_the_loops_and_branches_that_jax_leaves_in_it(program):
    same_jaxpr(program, np.float32(1))


def test_a_python_loop_is_given_arrays_or_numbers_as_by_jax():
    for run in (
        lambda m: m.lax.while_loop(lambda c: c < 10, lambda c: c * 2, 1),
        lambda m: m.lax.while_loop(lambda c: c < 0, lambda c: c * 2, 1),
        lambda m: m.lax.while_loop(lambda c: c < 10, lambda c: c * 2.5, 1),
        lambda m: m.lax.fori_loop(0, 3, lambda i, c: c + i, 0),
        lambda m: m.lax.fori_loop(0, 2, lambda i, c: 1.5, 0, unroll=2),
    ):
        assert repr(run(ax)) == repr(run(jax))
