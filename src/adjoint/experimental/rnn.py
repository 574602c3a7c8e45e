"""Recurrent networks, as `jax.experimental.rnn`: long short-term memory of several layers, in one or both directions.

Weights are one array, in cuDNN's order: for each layer and direction the matrices of the input and of the state, then
for each the two biases; rows are those of the input, forget, cell and output gates. A layer is a `scan`, so programs
compile, batch and differentiate like any other.

Tests: `tests/experimental/test_rnn.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from .. import numpy as np
from .. import random
from ..core.messages.boundaries import public
from ..core.types import Array
from ..lax import dot_general, logistic, scan, tanh
from ..transforms.derivatives.grad import vjp

__all__ = [
    "get_num_params_in_lstm", "init_lstm_weight", "lstm", "lstm_bwd", "lstm_fwd", "lstm_ref", "swap_lstm_gates",
    "unpack_lstm_weights",
]

_GATES = 4


def _shapes(input_size, hidden_size, num_layers, bidirectional) -> Iterator[tuple[int, int, tuple]]:
    """Yield (which of the four arrays, layer and direction, shape) in the order of the weights."""
    directions = 2 if bidirectional else 1
    rows = _GATES * hidden_size
    for k in range(num_layers * directions):
        columns = input_size if k < directions else hidden_size * directions
        yield 0, k, (rows, columns)
        yield 1, k, (rows, hidden_size)
    for k in range(num_layers * directions):
        yield 2, k, (rows,)
        yield 3, k, (rows,)


def get_num_params_in_lstm(input_size: int, hidden_size: int, num_layers: int, bidirectional: bool) -> int:
    """Return how many weights there are.

    Args:
      input_size: the length of an input.
      hidden_size: the length of a state.
      num_layers: how many layers there are.
      bidirectional: whether each of them also runs from the end.
    Returns:
      An int.

    >>> from adjoint.experimental import rnn
    >>> rnn.get_num_params_in_lstm(3, 4, 2, False)
    304
    """
    return sum([prod(shape) for _, _, shape in _shapes(input_size, hidden_size, num_layers, bidirectional)])


def init_lstm_weight(rng, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool) -> Array:
    """Return weights that are uniform from -1 / sqrt(hidden_size) to 1 / sqrt(hidden_size).

    Args:
      rng: a random key.
      input_size, hidden_size: the lengths of an input and of a state.
      num_layers: how many layers there are.
      bidirectional: whether each of them also runs from the end.
    Returns:
      A float array with one axis, of `get_num_params_in_lstm` elements.
    Raises:
      TypeError: `rng` is no key.

    >>> from adjoint.experimental import rnn
    >>> rnn.init_lstm_weight(random.key(0), 3, 4, 2, False).shape
    (304,)
    """
    bound = hidden_size**-0.5
    n = get_num_params_in_lstm(input_size, hidden_size, num_layers, bidirectional)
    return random.uniform(rng, (n,), minval=-bound, maxval=bound)


def _parts(weights, sizes) -> Iterator[tuple[int, int, Array]]:
    start = 0
    for which, k, shape in _shapes(*sizes):
        end = start + prod(shape)
        yield which, k, weights[start:end].reshape(shape)
        start = end


def unpack_lstm_weights(
    weights: Array, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool
) -> tuple[dict[int, Array], dict[int, Array], dict[int, Array], dict[int, Array]]:
    """Return the matrices of inputs and of states and the two biases, by layer; directions count as layers, in turn.

    Args:
      weights: all weights, as `init_lstm_weight` gives them.
      input_size, hidden_size, num_layers, bidirectional: the sizes that they are of.
    Returns:
      Four dicts by the number of the layer: matrices `[4 * hidden_size, inputs]` and
      `[4 * hidden_size, hidden_size]`, and two biases `[4 * hidden_size]`.
    Raises:
      TypeError: there are not as many weights as `get_num_params_in_lstm` says.

    >>> from adjoint.experimental import rnn
    >>> W_ih, W_hh, b_ih, b_hh = rnn.unpack_lstm_weights(jnp.zeros(304), 3, 4, 2, False)
    >>> W_ih[0].shape, W_hh[1].shape, b_ih[1].shape
    ((16, 3), (16, 4), (16,))
    """
    found: tuple[dict, dict, dict, dict] = {}, {}, {}, {}
    for which, k, part in _parts(weights, (input_size, hidden_size, num_layers, bidirectional)):
        found[which][k] = part
    return found


def swap_lstm_gates(weights, input_size, hidden_size, num_layers, bidirectional):
    """Return the weights with the rows of the cell and of the output gates exchanged, as other libraries have them.

    Args:
      weights: all weights, as `init_lstm_weight` gives them.
      input_size, hidden_size, num_layers, bidirectional: the sizes that they are of.
    Returns:
      An array of the shape of `weights`.
    Raises:
      TypeError: there are not as many weights as `get_num_params_in_lstm` says.

    >>> from adjoint.experimental import rnn
    >>> rnn.swap_lstm_gates(jnp.arange(16), 1, 1, 1, False)
    Array([ 0,  1,  3,  2,  4,  5,  7,  6,  8,  9, 11, 10, 12, 13, 15, 14],      dtype=int32)
    """
    swapped = []
    for _, _, part in _parts(weights, (input_size, hidden_size, num_layers, bidirectional)):
        gates = part.reshape(_GATES, -1)
        swapped.append(gates[np.array([0, 1, 3, 2])].reshape(-1))
    return np.concatenate(swapped)


def _layer(x, h, c, W_ih, W_hh, b_ih, b_hh, lengths, is_reversed, precision):
    """Return the states of all times, (batch, time, hidden), and the last two; a sequence that has ended keeps them."""
    product = lambda a, w: dot_general(a, w, (((a.ndim - 1,), (1,)), ((), ())), precision=precision)
    driven = product(x, W_ih) + (b_ih + b_hh)[None, None]
    going = np.arange(x.shape[1])[None] < lengths[:, None]

    def step(state, row):
        h, c = state
        gates, on = row
        i, f, g, o = np.split(gates + product(h, W_hh), _GATES, axis=-1)
        new_c = logistic(f) * c + logistic(i) * tanh(g)
        new_h = logistic(o) * tanh(new_c)
        on = on[:, None]
        return (np.where(on, new_h, h), np.where(on, new_c, c)), np.where(on, new_h, np.zeros_like(new_h))

    rows = np.moveaxis(driven, 1, 0), going.T
    (h, c), out = scan(step, (h, c), rows, reverse=is_reversed)
    return np.moveaxis(out, 0, 1), h, c


def _lstm(x, h_0, c_0, W_ih, W_hh, b_ih, b_hh, lengths, num_layers, bidirectional, precision=None):
    directions = 2 if bidirectional else 1
    last_h, last_c = [], []
    for layer in range(num_layers):
        outs = []
        for d in range(directions):
            k = layer * directions + d
            out, h, c = _layer(x, h_0[k], c_0[k], W_ih[k], W_hh[k], b_ih[k], b_hh[k], lengths, d == 1, precision)
            outs.append(out)
            last_h.append(h)
            last_c.append(c)
        x = np.concatenate(outs, axis=-1)
    return x, np.stack(last_h), np.stack(last_c)


def lstm_ref(
    x: Array, h_0: Array, c_0: Array, W_ih: dict[int, Array], W_hh: dict[int, Array], b_ih: dict[int, Array],
    b_hh: dict[int, Array], seq_lengths: Array, input_size: int, hidden_size: int, num_layers: int, dropout: float,
    bidirectional: bool,
) -> tuple[Array, Array, Array]:
    """Return what `lstm` does, of weights that are taken apart.

    Args:
      x, h_0, c_0, seq_lengths: the arrays, as for `lstm`.
      W_ih, W_hh, b_ih, b_hh: the weights of each layer, as `unpack_lstm_weights` gives them.
      input_size, hidden_size, num_layers, dropout, bidirectional: as for `lstm`.
    Returns:
      (y, h_n, c_n)
    Raises:
      NotImplementedError: there is dropout.

    >>> from adjoint.experimental import rnn
    >>> parts = rnn.unpack_lstm_weights(jnp.ones(16), 1, 1, 1, False)
    >>> x, h = jnp.ones((1, 2, 1)), jnp.zeros((1, 1, 1))
    >>> y, _, _ = rnn.lstm_ref(x, h, h, *parts, jnp.array([2]), 1, 1, 1, 0., False)
    >>> y.round(4).ravel()
    Array([0.7038, 0.9332], dtype=float32)
    """
    _check_dropout(dropout)
    return _lstm(x, h_0, c_0, W_ih, W_hh, b_ih, b_hh, seq_lengths, num_layers, bidirectional)


def _check_dropout(dropout: float) -> None:
    if dropout:
        raise NotImplementedError(
            "Dropout not supported in LSTM reference because we cannot determine CUDNN dropout mask.\n"
            "  Try: dropout=0.0, and one lstm of one layer for each layer with a mask between them"
        )


def lstm(
    x: Array, h_0: Array, c_0: Array, weights: Array, seq_lengths: Array, input_size: int, hidden_size: int,
    num_layers: int, dropout: float, bidirectional: bool, precision=None,
) -> tuple[Array, Array, Array]:
    """Return the states of a long short-term memory at all times, and the last states and cells.

    Args:
      x: inputs, (batch, time, input_size).
      h_0: states at the start, (layers * directions, batch, hidden_size).
      c_0: cells at the start, of the same shape.
      weights: all weights, as `init_lstm_weight` gives them.
      seq_lengths: how many of the inputs of each sequence count, (batch,).
      input_size, hidden_size, num_layers: as of `init_lstm_weight`; the shapes must agree with them.
      dropout: must be 0.
      bidirectional: whether each layer also runs from the end, where its states stand behind the others.
      precision: of the products, as in `lax.dot_general`.

    Returns:
      (batch, time, hidden_size * directions), where what follows the end of a sequence is 0, and two arrays like `h_0`.

    Raises: NotImplementedError: there is dropout.

    >>> from adjoint.experimental import rnn
    >>> x, h = jnp.ones((2, 5, 3)), jnp.zeros((1, 2, 4))
    >>> weights = rnn.init_lstm_weight(random.key(0), 3, 4, 1, False)
    >>> y, h_n, c_n = rnn.lstm(x, h, h, weights, jnp.array([5, 3]), 3, 4, 1, 0., False)
    >>> y.shape, h_n.shape, c_n.shape
    ((2, 5, 4), (1, 2, 4), (1, 2, 4))
    """
    _check_dropout(dropout)
    parts = unpack_lstm_weights(weights, input_size, hidden_size, num_layers, bidirectional)
    return _lstm(x, h_0, c_0, *parts, seq_lengths, num_layers, bidirectional, precision)


def lstm_fwd(
    x: Array, h_0: Array, c_0: Array, w: Array, seq_lengths: Array, input_size: int, hidden_size: int, num_layers: int,
    dropout: float, bidirectional: bool, precision=None,
):
    """Return what `lstm` does, and what `lstm_bwd` needs: a function from cotangents to cotangents.

    Args:
      x, h_0, c_0, w, seq_lengths: the arrays, as for `lstm`.
      input_size, hidden_size, num_layers, dropout, bidirectional: as for `lstm`.
      precision: of the products.
    Returns:
      ((y, h_n, c_n), the function)

    >>> from adjoint.experimental import rnn
    >>> x, h = jnp.ones((1, 2, 1)), jnp.zeros((1, 1, 1))
    >>> sizes = 1, 1, 1, 0., False
    >>> outs, residuals = rnn.lstm_fwd(x, h, h, jnp.ones(16), jnp.array([2]), *sizes)
    >>> [ct.shape for ct in rnn.lstm_bwd(*sizes, None, residuals, outs)[:4]]
    [(1, 2, 1), (1, 1, 1), (1, 1, 1), (16,)]
    """
    sizes = input_size, hidden_size, num_layers, dropout, bidirectional, precision
    return vjp(lambda *args: lstm(*args, seq_lengths, *sizes), x, h_0, c_0, w)


def lstm_bwd(
    input_size: int, hidden_size: int, num_layers: int, dropout: float, bidirectional: bool, precision, residuals,
    gradients,
):
    """Return the cotangents of the five arrays of `lstm`, the last of which has none; see `lstm_fwd`.

    Args:
      input_size, hidden_size, num_layers, dropout, bidirectional: as for `lstm`.
      precision: of the products.
      residuals: the second result of `lstm_fwd`.
      gradients: the cotangents of `(y, h_n, c_n)`.
    Returns:
      A tuple of five: of `x`, `h_0`, `c_0`, the weights, and the lengths.

    >>> from adjoint.experimental import rnn
    >>> x, h = jnp.ones((1, 2, 1)), jnp.zeros((1, 1, 1))
    >>> sizes = 1, 1, 1, 0., False
    >>> outs, residuals = rnn.lstm_fwd(x, h, h, jnp.ones(16), jnp.array([2]), *sizes)
    >>> rnn.lstm_bwd(*sizes, None, residuals, outs)[4]
    """
    return (*residuals(tuple(gradients)), None)


public(globals())
