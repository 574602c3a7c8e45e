"""Initial values of parameters: functions `(key, shape, dtype) -> array`."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, prod
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from .. import lax, random
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..lax.shape import canonical_shape
from ..numpy.axes import static_axis
from ..parallel.arrays import with_out_sharding

__all__ = [
    "Initializer", "constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal",
    "he_uniform", "kaiming_normal", "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "ones",
    "orthogonal", "truncated_normal", "uniform", "variance_scaling", "xavier_normal", "xavier_uniform",
    "zeros",
]


@runtime_checkable
class Initializer(Protocol):
    """The protocol of initializers: a function of a key, a shape and a dtype.

    Args:
      args: (key, shape, dtype) by position.
      kwargs: the same by name.

    >>> isinstance(adjoint.nn.initializers.zeros, Initializer)
    True
    """

    def __call__(self, key, shape, dtype=None, out_sharding=None): ...


def _dtype(dtype):
    return dtypes.default_float() if dtype is None else dtypes.check_user_dtype_supported(dtype)


def zeros(key, shape, dtype=None, out_sharding=None):
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
    return jnp.zeros(shape, dtype, out_sharding=out_sharding)


def ones(key, shape, dtype=None, out_sharding=None):
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
    return jnp.ones(shape, dtype, out_sharding=out_sharding)


def constant(value, dtype=None) -> Initializer:
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

    def init(key, shape, dtype=dtype, out_sharding=None):
        dtype = dtypes.default_float() if dtype is None else dtype
        return jnp.full(shape, value, dtype=dtype, out_sharding=out_sharding)

    return init


def uniform(scale=1e-2, dtype=None) -> Initializer:
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

    def init(key, shape, dtype=dtype, out_sharding=None):
        dtype = _dtype(dtype)
        return random.uniform(key, shape, dtype, out_sharding=out_sharding) * jnp.array(scale, dtype)

    return init


def normal(stddev=1e-2, dtype=None) -> Initializer:
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

    def init(key, shape, dtype=dtype, out_sharding=None):
        dtype = _dtype(dtype)
        return random.normal(key, shape, dtype, out_sharding=out_sharding) * jnp.array(stddev, dtype)

    return init


def truncated_normal(stddev=1e-2, dtype=None, lower=-2.0, upper=2.0) -> Initializer:
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

    def init(key, shape, dtype=dtype, out_sharding=None):
        dtype = _dtype(dtype)
        samples = random.truncated_normal(key, lower, upper, shape, dtype, out_sharding=out_sharding)
        return samples * jnp.array(stddev, dtype)

    return init


# The standard deviation of a normal distribution cut off at two of its standard deviations.
_STDDEV_OF_TRUNCATED_NORMAL = 0.87962566103423978


def variance_scaling(
    scale, mode: Literal["fan_in", "fan_out", "fan_avg", "fan_geo_avg"],
    distribution: Literal["truncated_normal", "normal", "uniform"],
    in_axis: int | Sequence[int] = -2, out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (), dtype=None,
) -> Initializer:
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

    def init(key, shape, dtype=dtype, out_sharding=None):
        dtype = _dtype(dtype)
        fan_in, fan_out = _fans(canonical_shape(shape), in_axis, out_axis, batch_axis)
        fans = {
            "fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2,
            "fan_geo_avg": (fan_in * fan_out) ** 0.5,
        }
        if mode not in fans:
            raise ValueError(
                message(
                    f"invalid mode for variance scaling initializer: {mode}. Valid: {list(fans)}",
                    fix="mode='fan_in'",
                )
            )
        variance = jnp.array(scale / fans[mode], dtype=dtype)
        if distribution == "normal":
            return random.normal(key, shape, dtype, out_sharding=out_sharding) * jnp.sqrt(variance)
        if dtypes.issubdtype(dtype, np.complexfloating) and distribution in _SQUARED_SIZES:
            return _round(key, shape, dtype, _SQUARED_SIZES[distribution], out_sharding) * jnp.sqrt(variance)
        if distribution == "uniform":
            return random.uniform(key, shape, dtype, -1, out_sharding=out_sharding) * jnp.sqrt(3 * variance)
        if distribution == "truncated_normal":
            stddev = jnp.sqrt(variance) / jnp.array(_STDDEV_OF_TRUNCATED_NORMAL, dtype)
            return random.truncated_normal(key, -2, 2, shape, dtype, out_sharding=out_sharding) * stddev
        raise ValueError(
            message(
                f"invalid distribution for variance scaling initializer: {distribution}. "
                "Valid: 'normal', 'uniform', 'truncated_normal'",
                fix="distribution='normal'",
            )
        )

    return init


def _exponential(u):
    """Turn uniform numbers into squared sizes of complex normal numbers cut off at 2, by JAX's constant."""
    stddev = 0.95311164380491208
    return -jnp.log(1 - (1 - exp(-4.0)) * u) / stddev**2


# The square of the size of a complex number of variance 1, from a uniform number: those of a disk, and of a normal
# distribution cut off at twice its standard deviation.
_SQUARED_SIZES = {"uniform": lambda u: 2 * u, "truncated_normal": _exponential}


def _round(key, shape, dtype, squared_size, out_sharding):
    """Complex numbers of any direction."""
    real = dtypes.to_real_dtype(dtype)
    of_size, of_angle = random.split(key)
    size = jnp.sqrt(squared_size(random.uniform(of_size, shape, real, out_sharding=out_sharding)))
    angle = 2 * np.pi * random.uniform(of_angle, shape, real, out_sharding=out_sharding)
    return lax.complex(size * jnp.cos(angle), size * jnp.sin(angle))


def _fans(shape, in_axis, out_axis, batch_axis) -> tuple[float, float]:
    if len(shape) <= 1 and isinstance(in_axis, int) and in_axis == -2:
        raise ValueError(
            f"Can't compute input and output sizes of a {len(shape)}-dimensional weights tensor with default in_axis. "
            "Must be at least 2D or specify in_axis explicitly.\n"
            "  Try: initializers.zeros or initializers.normal for biases."
        )
    size = lambda axes: prod(shape[i] for i in np.atleast_1d(np.array(static_axis(axes))))
    field = prod(shape) / size(in_axis) / size(out_axis) / size(batch_axis)
    return size(in_axis) * field, size(out_axis) * field


def _scaled(scale, mode, distribution, name, source):
    def initializer(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None) -> Initializer:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    initializer.__name__ = initializer.__qualname__ = name
    numbers = "truncated normal numbers" if distribution == "truncated_normal" else "uniform numbers"
    fan = {"fan_in": "the number of inputs", "fan_avg": "the mean of the numbers of inputs and outputs"}[mode]
    initializer.__doc__ = (
        f"Return an initializer of {numbers} with variance {scale:g} / {fan}.\n\n    "
        f"It is `variance_scaling({scale}, {mode!r}, {distribution!r})`.\n\n    "
        "Args:\n      in_axis, out_axis: the axes of inputs and of outputs.\n      batch_axis: axes that are neither.\n"
        "      dtype: of the arrays, unless a call says another.\n    "
        "Returns:\n      An initializer: (key, shape, dtype) -> array.\n    "
        "Raises:\n      ValueError: when called, the shape has fewer than two axes, or the dtype is an integer.\n    "
        f"Source: {source}\n\n    "
        f">>> {name}()(random.key(0), (4, 2)).shape\n    (4, 2)\n    "
    )
    return initializer


_GLOROT = 'Glorot, Bengio, "Understanding the difficulty of training deep feedforward networks" (2010).'
_HE = 'He et al., "Delving deep into rectifiers" (2015).'
_LECUN = 'LeCun et al., "Efficient backprop" (1998).'
xavier_uniform = glorot_uniform = _scaled(1.0, "fan_avg", "uniform", "glorot_uniform", _GLOROT)
xavier_normal = glorot_normal = _scaled(1.0, "fan_avg", "truncated_normal", "glorot_normal", _GLOROT)
lecun_uniform = _scaled(1.0, "fan_in", "uniform", "lecun_uniform", _LECUN)
lecun_normal = _scaled(1.0, "fan_in", "truncated_normal", "lecun_normal", _LECUN)
kaiming_uniform = he_uniform = _scaled(2.0, "fan_in", "uniform", "he_uniform", _HE)
kaiming_normal = he_normal = _scaled(2.0, "fan_in", "truncated_normal", "he_normal", _HE)


def orthogonal(scale=1.0, column_axis: int = -1, dtype=None) -> Initializer:
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

    def init(key, shape, dtype=dtype, out_sharding=None):
        dtype = _dtype(dtype)
        if len(shape) < 2:
            raise ValueError(
                message(
                    "orthogonal initializer requires at least a 2D shape",
                    fix="jax.nn.initializers.normal() for vectors",
                )
            )
        if out_sharding is not None:
            return with_out_sharding("orthogonal", out_sharding, init, key, shape, dtype)
        if 0 in shape:
            return jnp.zeros(shape, dtype)
        columns = shape[column_axis]
        rows = prod(shape) // columns
        tall = (columns, rows) if rows < columns else (rows, columns)
        q, r = jnp.linalg.qr(random.normal(key, tall, dtype))
        q *= lax.expand_dims(jnp.sign(jnp.diag(r)), (0,))  # makes the distribution uniform
        if rows < columns:
            q = q.T
        axis = column_axis % len(shape)
        moved = (*shape[:axis], *shape[axis + 1 :], columns)
        return jnp.array(scale, dtype) * jnp.moveaxis(jnp.reshape(q, moved), -1, axis)

    return init


def delta_orthogonal(scale=1.0, column_axis: int = -1, dtype=None) -> Initializer:
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

    def init(key, shape, dtype=dtype, out_sharding=None):
        dtype = _dtype(dtype)
        if len(shape) not in (3, 4, 5):
            raise ValueError(
                message(
                    "Delta orthogonal initializer requires a 3D, 4D or 5D shape.",
                    fix="jax.nn.initializers.normal() for vectors",
                )
            )
        if shape[-1] < shape[-2]:
            raise ValueError("`fan_in` must be less or equal than `fan_out`.")
        if out_sharding is not None:
            return with_out_sharding("delta_orthogonal", out_sharding, init, key, shape, dtype)
        matrix = random.orthogonal(key, shape[-1], dtype=dtype)[: shape[-2]]
        middle: Any = tuple((n - 1) // 2 for n in shape[:-2])
        return jnp.zeros(shape, dtype).at[middle].set(jnp.array(scale, dtype) * matrix)

    return init

public(globals())
