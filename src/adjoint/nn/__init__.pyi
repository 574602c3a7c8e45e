# Written by stubs/generate.py; do not edit.
from collections.abc import Sequence
from typing import Literal, overload
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
from collections.abc import Sequence
from typing import Any
from typing import Literal
_Axis = int | Sequence[int] | None
def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
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
def dot_product_attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, bias: ArrayLike | None = None, mask: ArrayLike | None = None, *, scale: ArrayLike | None = None, is_causal: bool = False, query_seq_lengths: Any = None, key_value_seq_lengths: Any = None, local_window_size: Any = None, implementation: Literal['xla', 'cudnn'] | None = None, return_residual: bool = False) -> Array:
    """Return ``softmax(query @ key * scale + bias) @ value``, over heads.

    Args:
      query: ``[batch, queries, heads, depth]``, or without the batch axis.
      key, value: ``[batch, keys, key heads, depth]``; the number of heads is a multiple of key heads.
      bias: added to the logits; broadcasts to ``[batch, heads, queries, keys]``.
      mask: booleans that broadcast likewise; False takes no part.
      scale: default ``1 / sqrt(depth)``.
      is_causal: queries see only keys up to their own position.
      query_seq_lengths, key_value_seq_lengths: ``[batch]``, lengths of padded sequences.
      local_window_size: how far, (left, right), a query sees.
      implementation: "xla" or None; "cudnn" is for GPUs.
      return_residual: also return the log of the softmax's denominators, which is not differentiated.
    Returns:
      Means of the values, weighted by the softmax, in an array of the shape of `query`. The dtype is that of `query`.
    Raises:
      ValueError: shapes, ranks or dtypes do not fit together.

    >>> q = jnp.ones((1, 2, 1, 4))
    >>> dot_product_attention(q, q, q).shape
    (1, 2, 1, 4)
    """
def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
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
def gelu(x: ArrayLike, approximate: bool = True) -> Array:
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
def get_scaled_dot_general_config(mode: Literal['nvfp4', 'mxfp8'], global_scale: Array | None = None) -> Any:
    """Return the settings of a block format, for `scaled_dot_general`.

    Args:
      mode: ``"mxfp8"``: float8_e4m3fn in blocks of 32, with powers of two as scales; ``"nvfp4"``: float4_e2m1fn in
        blocks of 16, with scales in float8_e4m3fn.
      global_scale: of ``"nvfp4"``: float32 ``[1]``, a factor of all scales.
    Returns:
      A `BlockScaleConfig`: the dtypes of elements and scales, and how many elements have one scale.
    Raises:
      ValueError: the mode is not one of these.

    >>> get_scaled_dot_general_config("mxfp8").block_size
    32
    """
def glu(x: ArrayLike, axis: int = -1) -> Array:
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
def hard_sigmoid(x: ArrayLike) -> Array:
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
def hard_silu(x: ArrayLike) -> Array:
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
from adjoint.nn import hard_silu as _hard_swish
hard_swish = _hard_swish
def hard_tanh(x: ArrayLike) -> Array:
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
def identity(x: ArrayLike) -> Array:
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
from adjoint.nn import initializers as initializers
def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 0.01) -> Array:
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
def log1mexp(x: ArrayLike) -> Array:
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
def log_sigmoid(x: ArrayLike) -> Array:
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
def log_softmax(x: ArrayLike, axis: int | Sequence[int] | None = -1, where: ArrayLike | None = None) -> Array:
    """Return ``log(softmax(x))``, accurate for small probabilities; see `softmax`.

    Args:
      x: array or scalar.
      axis: the axes over which the exponentials sum to 1.
      where: which elements count; default all.
    Returns:
      Numbers up to 0, floats in an array of the shape of `x`: the logarithms of `softmax`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> log_softmax(jnp.array([0., 0.]))
    Array([-0.6931472, -0.6931472], dtype=float32)
    """
def logmeanexp(x: ArrayLike, axis: int | Sequence[int] | None = None, where: ArrayLike | None = None, keepdims: bool = False) -> Array:
    """Return ``log(mean(exp(x)))`` over axes, without overflow.

    Args:
      x: array; integers become floats.
      axis: an axis, a tuple of axes, or None for all.
      where: which elements to include.
      keepdims: keep these axes with length 1.
    Returns:
      The logarithms, in an array without these axes; NaN over no elements.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.
    See also: `logsumexp`.

    >>> logmeanexp(jnp.array([1000., 1000.]))
    Array(1000., dtype=float32)
    """
@overload
def logsumexp(a: ArrayLike, axis: _Axis = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: Literal[False] = False, where: ArrayLike | None = None) -> Array:
    """Return ``log(sum(b * exp(a)))`` over axes, without overflow.

    Args:
      a: array; inexact after promotion.
      axis: an axis, a tuple of axes, or None for all.
      b: weights that broadcast against `a`.
      keepdims: keep the reduced axes with length 1.
      return_sign: also return the sign of the sum, so that it may be negative.
      where: which elements to include.
    Returns:
      The logarithms, floats in an array without these axes; with `return_sign` a pair of those of the sizes, and the
      signs.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> logsumexp(jnp.array([1000., 1000.]))
    Array(1000.6931, dtype=float32)
    """
@overload
def logsumexp(a: ArrayLike, axis: _Axis = None, b: ArrayLike | None = None, keepdims: bool = False, *, return_sign: Literal[True], where: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return ``log(sum(b * exp(a)))`` over axes, without overflow.

    Args:
      a: array; inexact after promotion.
      axis: an axis, a tuple of axes, or None for all.
      b: weights that broadcast against `a`.
      keepdims: keep the reduced axes with length 1.
      return_sign: also return the sign of the sum, so that it may be negative.
      where: which elements to include.
    Returns:
      The logarithms, floats in an array without these axes; with `return_sign` a pair of those of the sizes, and the
      signs.
    Raises:
      TypeError: `a` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> logsumexp(jnp.array([1000., 1000.]))
    Array(1000.6931, dtype=float32)
    """
def mish(x: ArrayLike) -> Array:
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
def one_hot(x: ArrayLike, num_classes: int, *, dtype: DTypeLike | None = None, axis: int = -1) -> Array:
    """Return indicator vectors of integers; all zero for what is not in ``range(num_classes)``.

    Args:
      x: integers, shape ``[...]``.
      num_classes: the length of the new axis.
      dtype: of the result; default float.
      axis: where the new axis goes.
    Returns:
      An array with one axis more, of length `num_classes`: 1 at the position that the integer names, 0 elsewhere.
    Raises:
      TypeError: `x` is not an array, a number, or a list of them.
      ValueError: `axis` is out of range.

    >>> one_hot(jnp.array([0, 2]), 3)
    Array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
def relu(x: ArrayLike) -> Array:
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
def relu6(x: ArrayLike) -> Array:
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
def scaled_dot_general(lhs: ArrayLike, rhs: ArrayLike, dimension_numbers: Any, preferred_element_type: DTypeLike | None = ..., configs: list[Any] | None = None, implementation: Literal['cudnn'] | None = None) -> Array:
    """Return `lax.dot_general` of operands that are rounded to a block format first.

    Args:
      lhs, rhs: float arrays; the product of the lengths of the contracted axes is a multiple of the block.
      dimension_numbers: as in `lax.dot_general`.
      preferred_element_type: of the result: float32, bfloat16 or float16.
      configs: of `lhs`, `rhs` and the gradient, made by `get_scaled_dot_general_config`; None does not round.
      implementation: has no effect.
    Returns:
      The product, batch axes first, then those of `lhs`, then those of `rhs`.
    Raises:
      TypeError: `preferred_element_type` is none of the three.
    Derivative: of mxfp8 the two products of the gradient round their operands too, along the axis they contract;
      of nvfp4 they do not.

    >>> x = jnp.ones((2, 32))
    >>> configs = [get_scaled_dot_general_config("mxfp8")] * 3
    >>> scaled_dot_general(x, x, (((1,), (1,)), ((), ())), configs=configs)
    Array([[32., 32.],
           [32., 32.]], dtype=float32)
    """
def scaled_matmul(lhs: ArrayLike, rhs: ArrayLike, lhs_scales: Any, rhs_scales: Any, preferred_element_type: DTypeLike | None = ...) -> Array:
    """Return ``lhs @ rhs.T`` for each of a batch, where blocks along the last axis have scales.

    Args:
      lhs: ``[B, M, K]``.
      rhs: ``[B, N, K]``.
      lhs_scales: ``[B, M, K / block]``; the length of a block follows from the shapes.
      rhs_scales: ``[B, N, K / block]``.
      preferred_element_type: the dtype of the result. Sums are in float32.
    Returns:
      ``[B, M, N]``. The dtype is `preferred_element_type`, float32 by default.
    Raises:
      ValueError: the shapes do not belong together.

    >>> a, b = jnp.array([[[1, 2, 3]]]), jnp.array([[[4, 5, 6]]])
    >>> scaled_matmul(a, b, jnp.full((1, 1, 1), 0.5), jnp.full((1, 1, 1), 0.5))
    Array([[[8.]]], dtype=float32)
    """
def selu(x: ArrayLike) -> Array:
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
def sigmoid(x: ArrayLike) -> Array:
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
def silu(x: ArrayLike) -> Array:
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
def soft_sign(x: ArrayLike) -> Array:
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
def softmax(x: ArrayLike, axis: int | Sequence[int] | None = -1, where: ArrayLike | None = None) -> Array:
    """Return ``exp(x) / sum(exp(x))`` over axes: positive numbers that sum to one.

    Args:
      x: array; integers become floats.
      axis: an axis or a tuple of axes.
      where: which elements to include; the others get 0.
    Returns:
      Numbers from 0 to 1, floats in an array of the shape of `x`: along the axes they sum to 1.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> softmax(jnp.array([0., 0.]))
    Array([0.5, 0.5], dtype=float32)
    """
def softplus(x: ArrayLike) -> Array:
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
def sparse_plus(x: ArrayLike) -> Array:
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
def sparse_sigmoid(x: ArrayLike) -> Array:
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
def squareplus(x: ArrayLike, b: ArrayLike = 4) -> Array:
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
def standardize(x: ArrayLike, axis: int | Sequence[int] | None = -1, mean: ArrayLike | None = None, variance: Any = None, epsilon: ArrayLike = 1e-05, where: ArrayLike | None = None, *, algorithm: str = 'fast') -> Array:
    """Return ``(x - mean) / sqrt(variance + epsilon)``.

    Args:
      x: array; integers become floats.
      axis: an axis, a tuple of axes, or None for all.
      mean, variance: given, or computed over `axis`.
      epsilon: added to the variance, so that it is not 0.
      where: which elements to compute them from.
      algorithm: `"fast"`, mean of squares minus square of mean, or `"stable"`, mean of squared deviations.
    Returns:
      An array of the shape of `x`, whose mean over the axes is 0 and whose variance is 1.
      The dtype is that of `x`; integers and booleans become floats.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `x` is complex, or `axis` is out of range.

    >>> standardize(jnp.array([1., 3.]))
    Array([-0.999995,  0.999995], dtype=float32)
    """
from adjoint.nn import silu as _swish
swish = _swish
def tanh(x: ArrayLike, /) -> Array:
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
