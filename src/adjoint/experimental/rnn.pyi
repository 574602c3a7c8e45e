# Written by stubs/generate.py; do not edit.
from adjoint import Array
from typing import Any
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
def init_lstm_weight(rng: Any, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool) -> Array:
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
def lstm(x: Array, h_0: Array, c_0: Array, weights: Array, seq_lengths: Array, input_size: int, hidden_size: int, num_layers: int, dropout: float, bidirectional: bool, precision: Any = None) -> tuple[Array, Array, Array]:
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
def lstm_bwd(input_size: int, hidden_size: int, num_layers: int, dropout: float, bidirectional: bool, precision: Any, residuals: Any, gradients: Any) -> Any:
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
def lstm_fwd(x: Array, h_0: Array, c_0: Array, w: Array, seq_lengths: Array, input_size: int, hidden_size: int, num_layers: int, dropout: float, bidirectional: bool, precision: Any = None) -> Any:
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
def lstm_ref(x: Array, h_0: Array, c_0: Array, W_ih: dict[int, Array], W_hh: dict[int, Array], b_ih: dict[int, Array], b_hh: dict[int, Array], seq_lengths: Array, input_size: int, hidden_size: int, num_layers: int, dropout: float, bidirectional: bool) -> tuple[Array, Array, Array]:
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
def swap_lstm_gates(weights: Any, input_size: Any, hidden_size: Any, num_layers: Any, bidirectional: Any) -> Any:
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
def unpack_lstm_weights(weights: Array, input_size: int, hidden_size: int, num_layers: int, bidirectional: bool) -> tuple[dict[int, Array], dict[int, Array], dict[int, Array], dict[int, Array]]:
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
