"""`experimental.rnn`: results of several layers and directions are JAX's, and derivatives those of the formulas."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.lax.parity import assert_values
from tests.modes import compiling
from tests.recorded import jax

import adjoint
import adjoint.numpy as jnp
from adjoint.experimental import rnn

INPUT, HIDDEN, LAYERS = 3, 4, 2


def operands(bidirectional):
    rng = np.random.default_rng(0)
    k = LAYERS * (2 if bidirectional else 1)
    size = rnn.get_num_params_in_lstm(INPUT, HIDDEN, LAYERS, bidirectional)
    shapes = (2, 5, INPUT), (k, 2, HIDDEN), (k, 2, HIDDEN), (size,)
    return [rng.normal(size=s).astype(np.float32) * 0.5 for s in shapes]


def by_parts(m, x, h, c, w, lengths, bidirectional):
    sizes = INPUT, HIDDEN, LAYERS
    parts = m.experimental.rnn.unpack_lstm_weights(w, *sizes, bidirectional)
    return m.experimental.rnn.lstm_ref(
        x, h, c, *parts, seq_lengths=lengths, input_size=INPUT, hidden_size=HIDDEN, num_layers=LAYERS, dropout=0.0,
        bidirectional=bidirectional,
    )


@compiling
@pytest.mark.parametrize("lengths", [[5, 5], [5, 3], [1, 2]])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_results_are_those_of_jax(bidirectional, lengths):
    xs, lengths = operands(bidirectional), np.array(lengths)
    theirs = by_parts(jax, *map(jax.numpy.asarray, xs), lengths, bidirectional)
    for run in (
        lambda *args: by_parts(adjoint, *args, lengths, bidirectional),
        adjoint.jit(lambda *args: rnn.lstm(*args, lengths, INPUT, HIDDEN, LAYERS, 0.0, bidirectional)),
    ):
        assert_values(theirs, run(*map(jnp.asarray, xs)), 1e-5)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_derivatives_are_those_of_jax(bidirectional):
    lengths = np.array([5, 3])

    def loss(m, *args):
        y, h, c = by_parts(m, *args, lengths, bidirectional)
        return (y**2).sum() + (h * c).sum()

    xs = operands(bidirectional)
    theirs = jax.jit(jax.grad(partial(loss, jax), (0, 1, 2, 3)))(*xs)
    assert_values(theirs, adjoint.jit(adjoint.grad(partial(loss, adjoint), (0, 1, 2, 3)))(*xs), 1e-4)
    sizes = INPUT, HIDDEN, LAYERS, 0.0, bidirectional
    (y, h, c), residuals = rnn.lstm_fwd(*map(jnp.asarray, xs), jnp.asarray(lengths), *sizes)
    *found, none = rnn.lstm_bwd(*sizes, None, residuals, (2 * y, c, h))
    assert none is None
    assert_values(theirs, found, 1e-4)


def test_weights_are_arranged_as_in_jax():
    for sizes in ((1, 1, 1, False), (3, 4, 2, False), (3, 4, 2, True), (5, 2, 3, True)):
        n = rnn.get_num_params_in_lstm(*sizes)
        assert n == jax.experimental.rnn.get_num_params_in_lstm(*sizes)
        w = np.arange(n, dtype=np.float32)
        for f in ("unpack_lstm_weights", "swap_lstm_gates"):
            assert_values(*[
                m.tree.leaves(getattr(m.experimental.rnn, f)(m.numpy.asarray(w), *sizes)) for m in (jax, adjoint)
            ], 0)
        assert_values(*[
            [m.experimental.rnn.init_lstm_weight(m.random.key(0), *sizes)] for m in (jax, adjoint)
        ], 1e-6)


def test_dropout_is_refused_as_in_jax():
    xs = map(jnp.asarray, operands(False))
    with pytest.raises(NotImplementedError, match="Dropout not supported in LSTM"):
        rnn.lstm(*xs, jnp.array([5, 3]), INPUT, HIDDEN, LAYERS, 0.5, False)


def test_ranks_and_dtypes_are_not_promoted():
    xs = operands(False)
    with adjoint.numpy_rank_promotion("raise"), adjoint.numpy_dtype_promotion("strict"), adjoint.enable_x64(True):
        y, h, _ = rnn.lstm(*map(jnp.asarray, xs), np.array([5, 3]), INPUT, HIDDEN, LAYERS, 0.0, False)
        assert y.dtype == h.dtype == np.float32
