"""Windows, `x[ds(start, size)]`, that are partly or wholly beyond the array, of known and traced starts: as in JAX."""

from __future__ import annotations

import numpy as np
import pytest
from tests.recorded import jax

import adjoint

X, Y = np.arange(7, dtype="f"), np.arange(12, dtype="f").reshape(3, 4)
STARTS = (0, 3, 5, 6, 9, -1, -3, -12)
READ = {
    "known": lambda m, i: m.numpy.asarray(X)[m.ds(i, 2)],
    "traced": lambda m, i: m.jit(lambda x, i: x[m.ds(i, 2)])(m.numpy.asarray(X), i),
    "second axis": lambda m, i: m.numpy.asarray(Y)[:, m.ds(i, 2)],
    "both axes": lambda m, i: m.numpy.asarray(Y)[m.ds(i, 1), m.ds(i, 2)],
    "stride": lambda m, i: m.numpy.asarray(X)[m.ds(i, 2, 3)],
    "stride of the second axis": lambda m, i: m.numpy.asarray(Y)[None, :, m.ds(i, 2, 2)],
    "get": lambda m, i: m.numpy.asarray(X).at[m.ds(i, 2)].get(),
}
FILLED = {
    "get": lambda m, i, **options: m.numpy.asarray(X).at[m.ds(i, 2)].get(**options),
    "traced": lambda m, i, **options: m.jit(lambda x, i: x.at[m.ds(i, 2)].get(**options))(m.numpy.asarray(X), i),
    "stride": lambda m, i, **options: m.numpy.asarray(X).at[m.ds(i, 3, 2)].get(**options),
    "traced stride": (
        lambda m, i, **options: m.jit(lambda x, i: x.at[m.ds(i, 3, 2)].get(**options))(m.numpy.asarray(X), i)),
    "first axis": lambda m, i, **options: m.numpy.asarray(Y).at[m.ds(i, 2, 2)].get(**options),
}
WRITE = {
    "set": lambda m, i: m.numpy.asarray(X).at[m.ds(i, 2)].set(9.0),
    "set of values": lambda m, i: m.numpy.asarray(Y).at[:, m.ds(i, 2)].set(np.float32([8.0, 9.0])),
    "traced set": lambda m, i: m.jit(lambda x, i: x.at[m.ds(i, 2)].set(9.0))(m.numpy.asarray(X), i),
    "clip": lambda m, i: m.numpy.asarray(X).at[m.ds(i, 2)].add(1.0, mode="clip"),
    "traced clip": (
        lambda m, i: m.jit(lambda x, i: x.at[m.ds(i, 2)].add(1.0, mode="clip"))(m.numpy.asarray(X), i)),
    "stride": lambda m, i: m.numpy.asarray(X).at[m.ds(i, 2, 3)].set(9.0),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", READ)
def test_a_window_is_moved_inside_to_be_read(name, start):
    np.testing.assert_array_equal(READ[name](adjoint, start), READ[name](jax, start))


@pytest.mark.parametrize(
    "options", [{"mode": "fill"}, {"mode": "fill", "fill_value": 7}, {"mode": "drop"}, {"mode": "clip"}], ids=str,
)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", FILLED)
def test_a_window_is_filled_where_a_mode_asks_for_it(name, start, options):
    found, expected = [FILLED[name](m, start, **options) for m in (adjoint, jax)]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", WRITE)
def test_a_window_that_is_not_inside_is_not_written(name, start):
    np.testing.assert_array_equal(WRITE[name](adjoint, start), WRITE[name](jax, start))


@pytest.mark.parametrize("size", [8, -1])
def test_a_window_that_fits_nowhere_is_refused(size):
    for m in (jax, adjoint):
        x = m.numpy.asarray(X)
        for use in (lambda: x[m.ds(0, size)], lambda: x[m.ds(np.int32(0), size)], lambda: x.at[m.ds(1, size)].set(1.0)):
            with pytest.raises(TypeError):
                use()


def test_the_gradient_of_a_window_beyond_the_end_reaches_what_was_read():
    found, expected = [
        m.grad(lambda x, m=m: (x[m.ds(6, 2)] ** 2).sum() + x.at[m.ds(5, 3)].set(0.0).sum())(m.numpy.asarray(X))
        for m in (adjoint, jax)
    ]
    np.testing.assert_array_equal(found, expected)
