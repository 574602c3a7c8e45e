"""Activation functions. All are element-wise, keep shape and (inexact) dtype, and take scalars.

Tests: `tests/oracle/test_sweep.py`.
"""

from __future__ import annotations

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core.messages.boundaries import public
from ..core.values.deferred import take_deferred
from ..numpy.promotion import check_arraylike, promote_inexact
from ..transforms.custom.custom_jvp import custom_jvp
from ..transforms.jit.jit import inner_jit, lowerable
from ..transforms.jit.replay import AT_ONCE, replayed

__all__ = [
    "celu", "elu", "gelu", "glu", "hard_sigmoid", "hard_silu", "hard_swish", "hard_tanh", "identity",
    "leaky_relu", "log1mexp", "log_sigmoid", "mish", "relu", "relu6", "selu", "sigmoid", "silu",
    "soft_sign", "softplus", "sparse_plus", "sparse_sigmoid", "squareplus", "swish", "tanh",
]


def _operand(name, x):
    check_arraylike(name, x)
    return jnp.asarray(x)


@inner_jit
def identity(x):
    """Return the argument itself.

    Args:
      x: array or scalar.
    Returns:
      `x` as an array, with the same values. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> identity(2.)
    Array(2., dtype=float32, weak_type=True)
    """
    return _operand("identity", x)


@custom_jvp
@inner_jit
def relu(x):
    """Return ``max(x, 0)``. Its derivative at 0 is 0.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, not negative, in an array of the shape of `x`.
      The dtype is that of `x`; of booleans the default integer.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> relu(jnp.array([-1., 2.]))
    Array([0., 2.], dtype=float32)
    """
    return jnp.maximum(x, 0)


relu.defjvps(lambda g, out, x: lax.select(x > 0, g, lax.full_like(g, 0)))


@custom_jvp
@inner_jit
def relu6(x):
    """Return ``min(max(x, 0), 6)``. Its derivative at 0 and 6 is 0.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, from 0 to 6, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> relu6(jnp.array([-1., 8.]))
    Array([0., 6.], dtype=float32)
    """
    return jnp.minimum(jnp.maximum(x, 0), 6.0)


relu6.defjvps(lambda g, out, x: lax.select((x > 0) & (x < 6), g, lax.full_like(g, 0)))


@lowerable
def sigmoid(x):
    """Return ``1 / (1 + exp(-x))``.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, from 0 to 1, in an array of the shape of `x`. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar of floats; lists are not converted.

    >>> sigmoid(0.)
    Array(0.5, dtype=float32, weak_type=True)
    """
    return lax.logistic(_operand("sigmoid", x))


@lowerable
def tanh(x, /):
    """Return the hyperbolic tangent.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, from -1 to 1, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> tanh(0.)
    Array(0., dtype=float32, weak_type=True)
    """
    return jnp.tanh(x)


@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def silu(x):
    """Return ``x * sigmoid(x)``, also called swish.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, in an array of the shape of `x`. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar of floats; lists are not converted.

    >>> silu(0.)
    Array(0., dtype=float32, weak_type=True)
    """
    x = _operand("silu", x)
    return x * sigmoid(x)


swish = silu


@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def softplus(x):
    """Return ``log(1 + exp(x))``.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, positive, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> softplus(jnp.array([-100., 100.]))
    Array([0.e+00, 1.e+02], dtype=float32)
    """
    return jnp.logaddexp(_operand("softplus", x), 0)


@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def log_sigmoid(x):
    """Return ``log(sigmoid(x))``, accurate for large negative `x`.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, below 0, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> log_sigmoid(-100.)
    Array(-100., dtype=float32, weak_type=True)
    """
    return -softplus(-_operand("log_sigmoid", x))


@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def elu(x, alpha=1.0):
    """Return ``x`` where positive, else ``alpha * (exp(x) - 1)``.

    Args:
      x: array or scalar.
      alpha: the scale of what is negative.
    Returns:
      That value for each element, not below `-alpha`, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    Source: Clevert, Unterthiner, Hochreiter, "Fast and accurate deep network learning by exponential
    linear units" (2015).

    >>> elu(jnp.array([0., 1.]))
    Array([0., 1.], dtype=float32)
    """
    x = _operand("elu", x)
    positive = x > 0
    safe = jnp.where(x > 0, 0.0, x)  # keeps exp from overflowing, and its derivative with it
    return jnp.where(positive, x, alpha * jnp.expm1(safe))


@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def selu(x):
    """Return the scaled exponential linear unit.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    Source: Klambauer et al., "Self-normalizing neural networks" (2017), equation 2.

    >>> selu(1.)
    Array(1.050701, dtype=float32, weak_type=True)
    """
    x = _operand("selu", x)
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return scale * elu(x, alpha)


@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def celu(x, alpha=1.0):
    """Return ``max(x, 0) + alpha * (exp(min(x, 0) / alpha) - 1)``.

    Args:
      x: array or scalar.
      alpha: the scale of what is negative.
    Returns:
      That value for each element, not below `-alpha`, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    Source: Barron, "Continuously differentiable exponential linear units" (2017).

    >>> celu(1.)
    Array(1., dtype=float32, weak_type=True)
    """
    x = _operand("celu", x)
    return jnp.maximum(x, 0.0) + alpha * jnp.expm1(jnp.minimum(x, 0.0) / alpha)


@replayed(scalars=True, static=(1,), compiles_after=AT_ONCE, reals=True)
def gelu(x, approximate: bool = True):
    """Return ``x`` times the Gaussian distribution function of ``x``.

    Args:
      x: array or scalar.
      approximate: use the approximation with tanh.
    Returns:
      That value for each element, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    Source: Hendrycks, Gimpel, "Gaussian error linear units" (2016).

    >>> gelu(0.)
    Array(0., dtype=float32)
    """
    x = jnp.asarray(promote_inexact("gelu", x)[0])
    if approximate:
        c = np.sqrt(2 / np.pi).astype(x.dtype)
        return x * (0.5 * (1.0 + jnp.tanh(c * (x + 0.044715 * (x**3)))))
    half = np.sqrt(0.5).astype(x.dtype)
    return jnp.array(0.5 * x * lax.erfc(-x * half))


@inner_jit
@replayed(scalars=True)
def leaky_relu(x, negative_slope=1e-2):
    """Return ``x`` where it is not negative, else ``negative_slope * x``.

    Args:
      x: array or scalar.
      negative_slope: the factor of what is negative.
    Returns:
      That value for each element, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> leaky_relu(jnp.array([-1., 1.]))
    Array([-0.01,  1.  ], dtype=float32)
    """
    x = _operand("leaky_relu", x)
    return jnp.where(x >= 0, x, negative_slope * x)


@inner_jit
@replayed(scalars=True)
def hard_tanh(x):
    """Return ``x`` clipped to [-1, 1].

    Args:
      x: array or scalar.
    Returns:
      That value for each element, from -1 to 1, in an array of the shape of `x`.
      The dtype is that of `x`; of booleans the default integer.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> hard_tanh(jnp.array([-3., 0.5]))
    Array([-1. ,  0.5], dtype=float32)
    """
    x = _operand("hard_tanh", x)
    return jnp.where(x > 1, 1, jnp.where(x < -1, -1, x))


@inner_jit
@replayed(scalars=True)
def hard_sigmoid(x):
    """Return ``relu6(x + 3) / 6``.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, from 0 to 1, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> hard_sigmoid(0.)
    Array(0.5, dtype=float32, weak_type=True)
    """
    return relu6(_operand("hard_sigmoid", x) + 3.0) / 6.0


@inner_jit
@replayed(scalars=True)
def hard_silu(x):
    """Return ``x * hard_sigmoid(x)``, also called hard swish.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> hard_silu(3.)
    Array(3., dtype=float32, weak_type=True)
    """
    x = _operand("hard_silu", x)
    return x * hard_sigmoid(x)


hard_swish = hard_silu


@inner_jit
@replayed(scalars=True)
def soft_sign(x):
    """Return ``x / (|x| + 1)``.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, between -1 and 1, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> soft_sign(1.)
    Array(0.5, dtype=float32, weak_type=True)
    """
    x = _operand("soft_sign", x)
    return x / (jnp.abs(x) + 1)


@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def mish(x):
    """Return ``x * tanh(softplus(x))``.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    Source: Misra, "Mish: a self regularized non-monotonic activation function" (2019).

    >>> mish(0.)
    Array(0., dtype=float32, weak_type=True)
    """
    x = _operand("mish", x)
    return x * jnp.tanh(softplus(x))


@inner_jit
@replayed(scalars=True)
def squareplus(x, b=4):
    """Return ``(x + sqrt(x^2 + b)) / 2``.

    Args:
      x: array or scalar.
      b: how round the corner is.
    Returns:
      That value for each element, positive, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> squareplus(0.)
    Array(1., dtype=float32, weak_type=True)
    """
    x = _operand("squareplus", x)
    return (x + jnp.sqrt(jnp.square(x) + b)) / 2


@inner_jit
@replayed(scalars=True)
def sparse_plus(x):
    """Return 0 below -1, ``x`` above 1, the parabola ``(x + 1)^2 / 4`` between.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, not negative, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> sparse_plus(jnp.array([-2., 0., 2.]))
    Array([0.  , 0.25, 2.  ], dtype=float32)
    """
    x = _operand("sparse_plus", x)
    return jnp.where(x <= -1.0, 0.0, jnp.where(x >= 1.0, x, (x + 1.0) ** 2 / 4))


@inner_jit
@replayed(scalars=True)
def sparse_sigmoid(x):
    """Return the derivative of `sparse_plus`: ``clip(x + 1, 0, 2) / 2``.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, from 0 to 1, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex.

    >>> sparse_sigmoid(0.)
    Array(0.5, dtype=float32, weak_type=True)
    """
    return 0.5 * jnp.clip(_operand("sparse_sigmoid", x) + 1.0, 0.0, 2.0)


@inner_jit(static_argnames=("axis",))
@replayed(compiles_after=AT_ONCE)
def glu(x, axis: int = -1):
    """Return the first half of `x` along `axis` times the sigmoid of the second half.

    Args:
      x: array or scalar.
      axis: the axis that is halved.
    Returns:
      Those products, in an array of the shape of `x`, that axis being half as long. The dtype is that of `x`.
    Raises:
      ValueError: the length of the axis is odd.

    >>> glu(jnp.array([1., 2., 0., 0.]))
    Array([0.5, 1. ], dtype=float32)
    """
    x = _operand("glu", x)
    if x.shape[axis] % 2:
        raise AssertionError(  # JAX parity: the class
            f"axis size must be divisible by 2\n  glu halves axis {axis}, and the shape is {x.shape}."
        )
    left, right = jnp.split(x, 2, axis)
    return left * sigmoid(right)


@custom_jvp
@inner_jit
@replayed(scalars=True, compiles_after=AT_ONCE, reals=True)
def log1mexp(x):
    """Return ``log(1 - exp(-x))`` for positive `x`, accurate at both ends.

    Args:
      x: array or scalar.
    Returns:
      That value for each element, below 0, in an array of the shape of `x`.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    Source: Maechler, "Accurately computing log(1 - exp(-|a|))" (2012).

    >>> log1mexp(1.)
    Array(-0.4586751, dtype=float32, weak_type=True)
    """
    x = _operand("log1mexp", x)
    return jnp.where(x < jnp.log(2.0), jnp.log(-jnp.expm1(-x)), jnp.log1p(-jnp.exp(-x)))


log1mexp.defjvps(lambda g, out, x: g / jnp.expm1(x))

take_deferred(globals())
public(globals())
