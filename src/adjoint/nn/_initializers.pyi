# Written by stubs/generate.py; do not edit.
from collections.abc import Sequence
from typing import Any, Protocol
from adjoint import Array
from adjoint.typing import ArrayLike, DTypeLike
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
from collections.abc import Sequence
from typing import Literal
class Initializer(Protocol):
    """A function that makes the first values of parameters."""

    def __call__(self, key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: Any = None) -> Array: ...
def constant(value: ArrayLike, dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer that fills with one value.

    Args:
      value: a number, or an array that broadcasts to the shape.
      dtype: the default dtype of what it makes; None for the default float.
    Returns:
      An initializer: (key, shape, dtype) -> array. It does not use the key.
    Raises:
      ValueError: when called, the shape of `value` does not broadcast to the one asked.

    >>> constant(3.)(random.key(0), (2,))
    Array([3., 3.], dtype=float32)
    """
def delta_orthogonal(scale: ArrayLike = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of convolution kernels that are orthogonal in the middle and zero elsewhere.

    Source: Xiao et al., "Dynamical isometry and a mean field theory of CNNs" (2018).

    Args:
      scale: a factor of the numbers.
      column_axis: the axis of the output features.
      dtype: the default dtype of what it makes; None for the default float.
    Returns:
      An initializer: (key, shape, dtype) -> array, of shapes with 3 to 5 axes, the input features before the output
        features at the end.
    Raises:
      ValueError: when called, the shape has not three, four or five axes, or more inputs than outputs.

    >>> delta_orthogonal()(random.key(0), (3, 2, 2))[0]
    Array([[0., 0.],
           [0., 0.]], dtype=float32)
    """
def glorot_normal(in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1, batch_axis: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of truncated normal numbers with variance 1 / the mean of the numbers of inputs and outputs.

    It is `variance_scaling(1.0, 'fan_avg', 'truncated_normal')`.

    Args:
      in_axis, out_axis: the axes of inputs and of outputs.
      batch_axis: axes that are neither.
      dtype: of the arrays, unless a call says another.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the shape has fewer than two axes, or the dtype is an integer.
    Source: Glorot, Bengio, "Understanding the difficulty of training deep feedforward networks" (2010).

    >>> glorot_normal()(random.key(0), (4, 2)).shape
    (4, 2)
    """
def glorot_uniform(in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1, batch_axis: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of uniform numbers with variance 1 / the mean of the numbers of inputs and outputs.

    It is `variance_scaling(1.0, 'fan_avg', 'uniform')`.

    Args:
      in_axis, out_axis: the axes of inputs and of outputs.
      batch_axis: axes that are neither.
      dtype: of the arrays, unless a call says another.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the shape has fewer than two axes, or the dtype is an integer.
    Source: Glorot, Bengio, "Understanding the difficulty of training deep feedforward networks" (2010).

    >>> glorot_uniform()(random.key(0), (4, 2)).shape
    (4, 2)
    """
def he_normal(in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1, batch_axis: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of truncated normal numbers with variance 2 / the number of inputs.

    It is `variance_scaling(2.0, 'fan_in', 'truncated_normal')`.

    Args:
      in_axis, out_axis: the axes of inputs and of outputs.
      batch_axis: axes that are neither.
      dtype: of the arrays, unless a call says another.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the shape has fewer than two axes, or the dtype is an integer.
    Source: He et al., "Delving deep into rectifiers" (2015).

    >>> he_normal()(random.key(0), (4, 2)).shape
    (4, 2)
    """
def he_uniform(in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1, batch_axis: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of uniform numbers with variance 2 / the number of inputs.

    It is `variance_scaling(2.0, 'fan_in', 'uniform')`.

    Args:
      in_axis, out_axis: the axes of inputs and of outputs.
      batch_axis: axes that are neither.
      dtype: of the arrays, unless a call says another.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the shape has fewer than two axes, or the dtype is an integer.
    Source: He et al., "Delving deep into rectifiers" (2015).

    >>> he_uniform()(random.key(0), (4, 2)).shape
    (4, 2)
    """
from adjoint.nn.initializers import he_normal as _kaiming_normal
kaiming_normal = _kaiming_normal
from adjoint.nn.initializers import he_uniform as _kaiming_uniform
kaiming_uniform = _kaiming_uniform
def lecun_normal(in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1, batch_axis: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of truncated normal numbers with variance 1 / the number of inputs.

    It is `variance_scaling(1.0, 'fan_in', 'truncated_normal')`.

    Args:
      in_axis, out_axis: the axes of inputs and of outputs.
      batch_axis: axes that are neither.
      dtype: of the arrays, unless a call says another.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the shape has fewer than two axes, or the dtype is an integer.
    Source: LeCun et al., "Efficient backprop" (1998).

    >>> lecun_normal()(random.key(0), (4, 2)).shape
    (4, 2)
    """
def lecun_uniform(in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1, batch_axis: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of uniform numbers with variance 1 / the number of inputs.

    It is `variance_scaling(1.0, 'fan_in', 'uniform')`.

    Args:
      in_axis, out_axis: the axes of inputs and of outputs.
      batch_axis: axes that are neither.
      dtype: of the arrays, unless a call says another.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the shape has fewer than two axes, or the dtype is an integer.
    Source: LeCun et al., "Efficient backprop" (1998).

    >>> lecun_uniform()(random.key(0), (4, 2)).shape
    (4, 2)
    """
def normal(stddev: ArrayLike = 0.01, dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of normal numbers with standard deviation `stddev`.

    Args:
      stddev: the standard deviation.
      dtype: the default dtype of what it makes; None for the default float.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the dtype is not floating or complex.

    >>> normal(0.1)(random.key(0), (2, 3)).shape
    (2, 3)
    """
def ones(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Return an array of ones.

    Args:
      key: is not used.
      shape: the shape.
      dtype: the dtype; None for the default float.
      out_sharding: how it is divided, over explicit mesh axes.
    Returns:
      An array of that shape and dtype, all elements being 1.
    Raises:
      TypeError: `shape` has a negative length.

    >>> ones(random.key(0), (2,))
    Array([1., 1.], dtype=float32)
    """
def orthogonal(scale: ArrayLike = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of matrices with orthogonal rows or columns, times `scale`.

    Args:
      scale: a factor, the length of the columns, or of the rows if there are more columns.
      column_axis: the axis of the columns; all others count as rows.
      dtype: the default dtype of what it makes; None for the default float.
    Returns:
      An initializer: (key, shape, dtype) -> array, of shapes with two axes at least.
    Raises:
      ValueError: when called, the shape has fewer than two axes, or the dtype is not floating or complex.

    >>> w = orthogonal()(random.key(0), (3, 2))
    >>> (w.T @ w).round(3) + 0.
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
def truncated_normal(stddev: ArrayLike = 0.01, dtype: DTypeLike | None = None, lower: ArrayLike = -2.0, upper: ArrayLike = 2.0) -> Initializer:
    """Return an initializer of normal numbers cut off at `lower` and `upper`, times `stddev`.

    Args:
      stddev: a factor of the numbers; their own standard deviation is smaller, for what is cut off.
      dtype: the default dtype of what it makes; None for the default float.
      lower, upper: where the standard normal distribution is cut off.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the dtype is not floating.

    >>> bool((abs(truncated_normal(0.1)(random.key(0), (9,))) <= 0.2).all())
    True
    """
def uniform(scale: ArrayLike = 0.01, dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of uniform numbers in ``[0, scale)``.

    Args:
      scale: the upper end, which is not reached.
      dtype: the default dtype of what it makes; None for the default float.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: when called, the dtype is not floating.

    >>> bool((uniform(0.1)(random.key(0), (9,)) < 0.1).all())
    True
    """
def variance_scaling(scale: ArrayLike, mode: Literal['fan_in', 'fan_out', 'fan_avg', 'fan_geo_avg'], distribution: Literal['truncated_normal', 'normal', 'uniform'], in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1, batch_axis: int | Sequence[int] = (), dtype: DTypeLike | None = None) -> Initializer:
    """Return an initializer of numbers with variance ``scale / fan``, so that layers keep the size of what passes.

    Args:
      scale: a factor of the variance.
      mode: which fan: "fan_in", the number of inputs of a unit, "fan_out", of its outputs, or their mean, arithmetic
        ("fan_avg") or geometric ("fan_geo_avg").
      distribution: of the numbers: "truncated_normal", "normal" or "uniform".
      in_axis, out_axis, batch_axis: axes of the weights; the others count as receptive field.
      dtype: the default dtype of what it makes; None for the default float.
    Returns:
      An initializer: (key, shape, dtype) -> array.
    Raises:
      ValueError: (by the initializer) there is no such mode or distribution.

    >>> variance_scaling(1., "fan_in", "normal")(random.key(0), (4, 2)).shape
    (4, 2)
    """
from adjoint.nn.initializers import glorot_normal as _xavier_normal
xavier_normal = _xavier_normal
from adjoint.nn.initializers import glorot_uniform as _xavier_uniform
xavier_uniform = _xavier_uniform
def zeros(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike | None = None, out_sharding: Any = None) -> Array:
    """Return an array of zeros.

    Args:
      key: is not used.
      shape: the shape.
      dtype: the dtype; None for the default float.
      out_sharding: how it is divided, over explicit mesh axes.
    Returns:
      An array of that shape and dtype, all elements being 0.
    Raises:
      TypeError: `shape` has a negative length.

    >>> zeros(random.key(0), (2,))
    Array([0., 0.], dtype=float32)
    """
