"""Donation on the native engine: a result takes the memory of a donated array that nobody else has."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.modes import compiling, unchecked

import adjoint as ax
import adjoint.numpy as jnp
from adjoint.engines.native.runtime import buffer_pool

pytestmark = [compiling, unchecked, pytest.mark.usefixtures("native")]


def place(x) -> int:
    return x.unsafe_buffer_pointer()


def prepared(function, *make, **options):
    """The function after the calls that prepare it; `make` are functions that make its arguments."""
    jitted = ax.jit(function, **options)
    for _ in range(3):
        jitted(*[m() for m in make])
    return jitted


ROWS = lambda: jnp.arange(6161.0).reshape(61, 101)  # of which tiles of no width are whole
TURNED = jnp.arange(6161.0).reshape(101, 61)
# Results that may lie where the operand lay, and results that need it to the end.
PROGRAMS = {
    "element-wise": (lambda x: x * 2 + 1, True),
    "twice": (lambda x: (x - 1) * x, True),
    "with its sum": (lambda x: (x + 1, x.sum()), None),
    "a product": (lambda x: x + 0.1 * (x @ (x.T @ x)), True),
    "reversed": (lambda x: x[::-1] * 2, False),
    "rows": (lambda x: x - x.max(1, keepdims=True), None),
    "softmax": (lambda x: ax.nn.softmax(x), None),
    "columns": (lambda x: x - x.mean(0), None),
    "running sum": (lambda x: jnp.cumsum(x, 0), None),
    "shifted": (lambda x: jnp.roll(x, 1, 0) + x, None),
    "updated": (lambda x: x.at[3].add(1.0), None),
    "as it is": (lambda x: (x, x + 1), False),
    "a part too": (lambda x: (x[2], x + 1), False),
    "scan": (lambda x: ax.lax.scan(lambda c, r: (c + r, c * r), x[0], x)[1], None),
    "sorted": (lambda x: jnp.sort(-x, 0), None),
    "complex inside": (lambda x: jnp.abs(x + 1j * x), None),
    "beside a transpose": (lambda x: x + TURNED.T * 2, False),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_the_same(name):
    function, in_place = PROGRAMS[name]
    expected = ax.tree.leaves(ax.jit(function)(ROWS()))
    jitted = prepared(function, ROWS, donate_argnums=0)
    x = ROWS()
    before = place(x)
    out = ax.tree.leaves(jitted(x))
    assert x.is_deleted()
    for a, b in zip(out, expected, strict=True):
        np.testing.assert_array_equal(a, b)
    places = [place(o) for o in out]
    assert len(set(places)) == len(places)
    if in_place is not None and name not in ("as it is", "a part too"):
        assert (before in places) == in_place


def test_several_arrays():
    jitted = prepared(lambda x, y: (x + y, x - y), ROWS, ROWS, donate_argnums=(0, 1))
    x, y = ROWS(), ROWS()
    places = {place(x), place(y)}
    a, b = jitted(x, y)
    assert {place(a), place(b)} == places
    np.testing.assert_array_equal(a, 2 * ROWS())
    assert not b.any()
    x = ROWS()
    a, b = jitted(x, x)  # the same array twice: it is given away, and not written
    np.testing.assert_array_equal(a, 2 * ROWS())
    assert not b.any() and place(a) not in places


HOLDERS = {
    "NumPy view": np.asarray,
    "reshaped": lambda x: x.reshape(-1),
    "a part": lambda x: x[1:],
    "dlpack": np.from_dlpack,
    "memoryview": lambda x: memoryview(np.asarray(x)),
    "result of jit": lambda x: IDENTITY(x)[0],
}
IDENTITY = ax.jit(lambda x: (x, x.T))


@pytest.mark.parametrize("name", HOLDERS)
@pytest.mark.parametrize("shape", [(60, 100), (600, 700)])  # the larger one is lent
def test_memory_that_others_see_is_not_written(name, shape):
    make = lambda: ax.jit(lambda n: n + jnp.zeros(shape))(1.0)
    jitted = prepared(lambda x: x + 1, make, donate_argnums=0)
    IDENTITY(make()), IDENTITY(make())
    x = make()
    held = HOLDERS[name](x)
    out = jitted(x)
    assert np.all(np.asarray(held) == 1) and (out == 2).all() and x.is_deleted()
    mine = np.ones(shape, np.float32)
    assert (jitted(mine) == 2).all() and np.all(mine == 1)
    assert (jitted(jnp.asarray(mine)) == 2).all() and np.all(mine == 1)


def test_a_train_step_allocates_nothing():
    def loss(params, x):
        for w, b in params:
            x = jnp.tanh(x @ w + b)
        return (x**2).mean()

    def step(params, moments, x):
        value, grads = ax.value_and_grad(loss)(params, x)
        moments = ax.tree.map(lambda m, g: 0.9 * m + g, moments, grads)
        return ax.tree.map(lambda p, m: p - 0.1 * m, params, moments), moments, value

    make = lambda scale: [(jnp.eye(64) * scale, jnp.full(64, scale)) for _ in range(4)]
    params, moments, x = make(0.5), make(0.0), jnp.ones((8, 64))
    donating, plain = ax.jit(step, donate_argnums=(0, 1)), ax.jit(step)
    others = make(0.5), make(0.0)
    kept: list = []
    for i in range(6):
        params, moments, value = donating(params, moments, x)
        *others, expected = plain(*others, x)
        kept = kept or i == 4 and sorted([place(a) for a in ax.tree.leaves((params, moments))])
    for a, b in zip(ax.tree.leaves((params, moments, value)), ax.tree.leaves((others, expected)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)
    assert sorted([place(a) for a in ax.tree.leaves((params, moments))]) == kept


def test_the_error_says_where_it_went():
    jitted = prepared(lambda params: {"w": params["w"] + 1}, lambda: {"w": jnp.ones(3)}, donate_argnums=0)
    given = {"w": jnp.ones(3)}
    jitted(given)
    line = sys._getframe().f_lineno - 1
    with pytest.raises(RuntimeError, match=rf"(?s)float32\[3\].*argument params\['w'\]\) at .*call_layout\.py:{line} "):
        given["w"] + 1
    with pytest.raises(RuntimeError, match="deleted"):
        jitted(given)


def test_results_own_their_memory_when_the_call_fails():
    def stop(_):
        raise KeyboardInterrupt

    x = jnp.ones(1000)
    jitted = ax.jit(lambda x: ax.pure_callback(stop, x, x) + 1, donate_argnums=0)
    for _ in range(3):
        with pytest.raises((KeyboardInterrupt, RuntimeError)):
            jitted(x)
    assert buffer_pool.MIN_LENT_BYTES > x.nbytes and not x.is_deleted() and (x == 1).all()
