"""Functions over an axis: softmax and its relatives, normalisation, one-hot codes, attention.

Tests: `tests/nn/test_masks_and_shapes.py`.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import ConcretizationTypeError, message, shorten, warn
from ..core.options.config import debug_nans, local
from ..core.trace import Tracer
from ..core.values.deferred import take_deferred
from ..core.values.dimension import as_length
from ..numpy.axes import canonical_axes, named_axes
from ..numpy.promotion import promote_inexact
from ..transforms.custom.custom_jvp import custom_jvp
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, replayed

__all__ = [
    "dot_product_attention", "log_softmax", "logmeanexp", "logsumexp", "one_hot", "softmax",
    "standardize",
]


@replayed(compiles_after=AT_ONCE)
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None):
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
    if where is not None:
        a = jnp.where(where, a, 0)  # what is left out must not make a gradient nan
    if b is not None:
        a, b = promote_inexact("logsumexp", a, b)
        a = jnp.where(b != 0, a, -jnp.inf)
    else:
        (a,) = promote_inexact("logsumexp", a)
    a = jnp.asarray(a)
    names, axis = named_axes(axis)
    axes = canonical_axes(axis, a.ndim)
    top = jnp.max(a.real, axis=axes + names, keepdims=keepdims, where=where, initial=-jnp.inf)
    top = lax.stop_gradient(lax.select(lax.is_finite(top), top, lax.full_like(top, 0)))
    wide = top if keepdims else lax.expand_dims(top, axes)
    terms = lax.exp(lax.sub(a, lax.convert_element_type(wide, a.dtype)))
    if b is not None:
        terms = lax.mul(terms, b)
    total = jnp.sum(terms, axis=axes + names, keepdims=keepdims, where=where)
    sign = lax.sign(total)
    if return_sign or not jnp.issubdtype(a.dtype, jnp.complexfloating):
        total = abs(total)
    out = lax.add(lax.log(total), lax.convert_element_type(top, total.dtype))
    if return_sign:
        return out, sign
    if b is not None and not jnp.issubdtype(out.dtype, jnp.complexfloating):
        with debug_nans(False):  # also where `jit` is disabled, the NaN that is not chosen is no error
            out = jnp.where(sign < 0, np.array(np.nan, out.dtype), out)
    return out


@inner_jit(static_argnames=("axis", "keepdims"))
@replayed(compiles_after=AT_ONCE)
def logmeanexp(x, axis=None, where=None, keepdims: bool = False):
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
    total = logsumexp(x, axis=axis, where=where, keepdims=keepdims)
    if where is None:
        count = np.array(_count(x, axis), total.dtype)
    else:
        every = jnp.broadcast_to(where, np.shape(x))
        count = jnp.sum(every, axis=axis, keepdims=keepdims, dtype=total.dtype)
    return lax.sub(total, lax.log(count))


def _count(x, axis) -> float:
    shape = np.shape(x)
    return float(np.prod([shape[i] for i in canonical_axes(axis, len(shape))]))


@replayed(compiles_after=AT_ONCE)
def softmax(x, axis=-1, where=None):
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
    if local.softmax_custom_jvp:
        return _softmax(x, axis, where)
    return _softmax.fun(x, axis, where)


def _softmax_value(x, axis, where):
    x = _inexact("softmax", x, where)
    shifted, powers = _powers(x, axis, where)
    out = powers / jnp.sum(powers, axis, where=where, keepdims=True)
    return out if where is None else jnp.where(where, out, 0)


def _inexact(name, x, where):
    """An operand as an inexact array: ints are floats of the default width where -inf is put beside them."""
    inexact, x = jnp.asarray(promote_inexact(name, x)[0]), jnp.asarray(x)
    if where is None or inexact.dtype == x.dtype:
        return inexact
    return lax.convert_element_type(x, dtypes.default_float())


def _powers(x, axis, where):
    """`x` less its maximum, and the exponential of that; -inf and 0 where left out."""
    top = jnp.max(x, axis, where=where, initial=-jnp.inf, keepdims=True)
    shifted = (x if where is None else jnp.where(where, x, -jnp.inf)) - lax.stop_gradient(top)
    return shifted, jnp.exp(shifted)


_softmax = custom_jvp(_softmax_value, nondiff_argnums=(1,))


@_softmax.defjvp
def _(axis, primals, tangents):
    (x, where), (x_dot, _) = primals, tangents
    y = _softmax(x, axis, where)
    return y, y * (x_dot - (y * x_dot).sum(axis, where=where, keepdims=True))


@inner_jit(static_argnames=("axis",))
@replayed(compiles_after=AT_ONCE)
def log_softmax(x, axis=-1, where=None):
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
    x = _inexact("log_softmax", x, where)
    shifted, powers = _powers(x, axis, where)
    out = shifted - jnp.log(jnp.sum(powers, axis, where=where, keepdims=True))
    return out if where is None else jnp.where(where, out, -jnp.inf)


@inner_jit(static_argnames=("axis", "algorithm"))
@replayed(compiles_after=AT_ONCE)
def standardize(
    x, axis=-1, mean=None, variance=None, epsilon=1e-5, where=None, *, algorithm: str = "fast"
):
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
    (x,) = promote_inexact("standardize", x) if mean is None or variance is None else (jnp.asarray(x),)
    if mean is None:
        mean = jnp.mean(x, axis, keepdims=True, where=where)
    if variance is None:
        if algorithm == "fast":
            # The difference can round below zero.
            second = jnp.mean(jnp.square(x), axis, keepdims=True, where=where)
            variance = jnp.clip(second - jnp.square(mean), min=0)
        elif algorithm == "stable":
            variance = jnp.mean(jnp.square(x - mean), axis, keepdims=True, where=where)
        else:
            raise ValueError(
                message(
                    f"standardize: algorithm must be 'fast' or 'stable', got {algorithm!r}",
                    fix="algorithm='stable'",
                )
            )
    return jnp.subtract(x, jnp.asarray(mean)) * lax.rsqrt(jnp.asarray(variance) + epsilon)


@replayed
def one_hot(x: Any, num_classes: int, *, dtype: Any = None, axis: int = -1):
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
    if isinstance(num_classes, Tracer) and num_classes.concrete() is None:
        raise ConcretizationTypeError(num_classes, "The error arose in jax.nn.one_hot argument `num_classes`.")
    try:
        num_classes = as_length(num_classes)
    except TypeError:
        raise TypeError(
            message(
                f"one_hot needs an integer num_classes, got {shorten(num_classes)}.",
                why="It is the length of the new axis.",
                fix="one_hot(labels, int(n))",
            )
        ) from None
    return _one_hot(x, num_classes, dtype=dtypes.default_float() if dtype is None else dtype, axis=axis)


@inner_jit(static_argnames=("num_classes", "dtype", "axis"))
def _one_hot(x, num_classes, *, dtype, axis):
    x = jnp.asarray(x)
    if not dtypes.issubdtype(x.dtype, np.integer):
        text = f"jax.nn.one_hot input should be integer-typed; got dtype={x.dtype}"
        warn(message(text, where=None), DeprecationWarning)
    ndim = x.ndim + 1
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {ndim}, the result of one_hot")
    axis %= ndim
    left = lax.expand_dims(x, (axis,))
    shape = [1] * ndim
    shape[axis] = num_classes
    return jnp.asarray(left == lax.broadcasted_iota(x.dtype, tuple(shape), axis), dtype=dtype)


def dot_product_attention(
    query, key, value, bias=None, mask=None, *, scale=None, is_causal: bool = False,
    query_seq_lengths=None, key_value_seq_lengths=None, local_window_size=None,
    implementation: Literal["xla", "cudnn"] | None = None, return_residual: bool = False,
):
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
    if implementation not in ("xla", "cudnn", None):
        raise ValueError(
            message(f"Unsupported implementation option: {implementation}", fix="implementation='xla', or None")
        )
    if implementation == "cudnn":
        raise RuntimeError("cuDNN is not detected.\n  Try: implementation='xla', which runs everywhere")
    shape = jnp.shape(query)
    query, key, value = (x[None] if x.ndim == 3 else x for x in map(jnp.asarray, (query, key, value)))
    bias, mask = (x if x is None else lax.broadcast_to_rank(jnp.asarray(x), 4) for x in (bias, mask))
    query_seq_lengths, key_value_seq_lengths = (
        x if x is None else jnp.asarray(x) for x in (query_seq_lengths, key_value_seq_lengths)
    )
    _check_attention(query, key, value, bias, mask, query_seq_lengths, key_value_seq_lengths)
    b, t, n, h = query.shape
    s, k = key.shape[1], key.shape[2]
    scale = 1 / np.sqrt(h) if scale is None else scale
    if k == n:
        logits = jnp.einsum("BTNH,BSNH->BNTS", query, key, preferred_element_type=jnp.float32)
    else:  # groups of queries share keys and values
        groups = query.reshape(b, t, k, n // k, h)
        logits = jnp.einsum("BTKGH,BSKH->BKGTS", groups, key, preferred_element_type=jnp.float32).reshape(b, n, t, s)
    logits = logits * jnp.asarray(scale, logits.dtype)
    if bias is not None:
        logits = logits + jnp.asarray(bias, logits.dtype)
    keep = _attention_mask(
        t, s, mask, is_causal, query_seq_lengths, key_value_seq_lengths, local_window_size
    )
    if keep is not None:
        logits = jnp.where(keep, logits, 0.7 * np.finfo(np.float32).min)
    weights = softmax(logits, axis=-1).astype(value.dtype)
    if k == n:
        out = jnp.einsum("BNTS,BSNH->BTNH", weights, value)
    else:
        out = jnp.einsum("BKGTS,BSKH->BTKGH", weights.reshape(b, k, n // k, t, s), value).reshape(b, t, n, h)
    if query_seq_lengths is not None:  # what is beyond the length has no answer
        inside = jnp.arange(t)[None, :, None, None] < query_seq_lengths[:, None, None, None]
        out = jnp.where(inside, out, 0)
    out = out.reshape(shape)
    if return_residual:
        residual = jnp.moveaxis(logsumexp(lax.stop_gradient(logits), axis=-1), 1, 2).astype(query.dtype)
        return out, residual.reshape(shape[:-1])
    return out


def _check_attention(query, key, value, bias, mask, query_lengths, key_lengths) -> None:
    """ValueError or TypeError unless the operands of attention fit one another."""
    def check(name, x, ndim, dtype, shape=None):
        if x.ndim != ndim:
            raise ValueError(
                message(
                    f"{name} ndim should be {ndim}, but got {x.ndim}",
                    fix="x[None] for a batch of one: [batch, length, heads, features]",
                )
            )
        if dtype is not None and x.dtype != dtype:
            raise ValueError(
                message(
                    f"{name} dtype should be {np.dtype(dtype)}, but got {x.dtype}",
                    fix=f"x.astype({str(np.dtype(dtype))!r})",
                )
            )
        if shape is not None and any(a not in (-1, b) for a, b in zip(shape, x.shape, strict=True)):
            raise ValueError(f"{name} shape should be {list(shape)}: but got {x.shape}")

    check("key", key, 4, None)
    (b, s, k, h), dtype = key.shape, key.dtype
    check("value", value, 4, dtype, (b, s, k, h))
    check("query", query, 4, dtype, (b, -1, -1, h))
    t, n = query.shape[1:3]
    if not k or n % k:
        raise ValueError(
            message(
                f"The number of query heads must be a multiple of key/value heads, but got {n} vs {k}",
                fix="as many heads of queries as of keys, or 2, 3, ... times as many",
            )
        )
    if mask is not None:
        check("mask", mask, 4, np.bool_)
    for name, lengths in (("query_seq_lengths", query_lengths), ("key_value_seq_lengths", key_lengths)):
        if lengths is not None:
            check(name, lengths, 1, np.int32, (b,))
    for name, x in (("bias", bias), ("mask", mask)):
        if x is not None:
            check(name, x, 4, None)
            if any(length not in (1, full) for length, full in zip(x.shape, (b, n, t, s), strict=True)):
                raise TypeError(
                    f"dot_product_attention got incompatible shapes for broadcasting: {(b, n, t, s)}, {x.shape}.\n"
                    f"  Why: {name} broadcasts to [batch, heads, queries, keys]."
                )


def _attention_mask(t, s, mask, is_causal, query_lengths, key_lengths, window):
    """Return which (query, key) pairs take part, broadcastable to [batch, heads, t, s]; None for all."""
    keep = None
    row, column = jnp.arange(t)[None, None, :, None], jnp.arange(s)[None, None, None]

    def combine(part):
        return part if keep is None else jnp.logical_and(keep, part)

    if mask is not None:
        keep = mask
    if is_causal:
        keep = combine(column <= row)
    if window is not None:
        left, right = (window, window) if isinstance(window, int) else window
        keep = combine((column >= row - left) & (column <= row + right))
    if query_lengths is not None:
        keep = combine(row < query_lengths[:, None, None, None])
    if key_lengths is not None:
        keep = combine(column < key_lengths[:, None, None, None])
    return keep

take_deferred(globals())
public(globals())
