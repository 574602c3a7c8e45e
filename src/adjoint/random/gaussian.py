"""The normal distribution, and numbers, vectors and matrices that are made of normal numbers.

A normal number is the inverse error function of a uniform one in (-1, 1), times sqrt(2). `gammas.py` has the
distributions of sums of their squares.

Tests: `tests/random/test_continuous.py`.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.errors import message, shorten
from ..core.types import Array
from ..numpy.promotion import promote_shapes
from ..parallel.arrays import with_out_sharding
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import AT_ONCE, WORTH, replayed
from .arguments import (
    broadcast_to,
    check_shape,
    draw,
    float_dtype,
    float_or_complex_dtype,
    parameter,
    sample_shape,
    shape_argument,
    shape_of,
    single_key,
    strong,
)
from .continuous import uniform
from .discrete import rademacher
from .immediate import is_immediate, normal_now, split_keys

__all__ = [
    "double_sided_maxwell", "lognormal", "maxwell", "multivariate_normal",
    "normal", "orthogonal", "truncated_normal", "wald",
]


# ---- normal --------------------------------------------------------------------------------------


def normal(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with the standard normal distribution.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float or complex dtype; float32 by default, float64 with 64-bit types on. The real and
        imaginary parts of complex numbers have variance 1/2 each.
      out_sharding: how the result is divided, over explicit mesh axes.
    Raises:
      ValueError: the dtype is not a float or complex dtype.
      TypeError, ValueError: `key` is not a key, or several.
    Returns:
      An array of that shape and dtype. The same key, shape and dtype give the same numbers, everywhere.
    See also: `multivariate_normal`, `truncated_normal`, `uniform`, `split`.

    >>> random.normal(random.key(0), (3,))
    Array([ 1.6226422,  2.0252647, -0.4335944], dtype=float32)
    """
    key = single_key("normal", key)
    dtype = float_or_complex_dtype("normal", dtype)
    shape = shape_argument(shape)
    if out_sharding is not None:
        return with_out_sharding("normal", out_sharding, normal, key, shape, dtype)
    if is_immediate(key, dtype):  # compiled, the logarithms of float64 have other last bits
        return (_normal_part if dtype.itemsize < 8 else normal_now)(key, shape, dtype)
    return _normal(key, shape, dtype)


@inner_jit(static_argnames=("shape", "dtype"))
def _normal(key, shape, dtype):
    if dtype.kind != "c":
        return _normal_real(key, shape, dtype)
    part = dtypes.to_real_dtype(dtype)
    real, imaginary = (
        strong(_normal_part(k, shape, part), dtype) for k in split_keys(key)
    )
    # The standard deviation of each part is sqrt(1/2).
    root = dtype.type(part.type(np.sqrt(2)))
    return lax.div(lax.add(real, lax.mul(dtype.type(1j), imaginary)), root)


@replayed(compiles_after=WORTH)
def _normal_part(key, shape, dtype):
    if is_immediate(key, dtype):
        return normal_now(key, shape, dtype)
    return _normal_real(key, shape, dtype)


@inner_jit(static_argnames=("shape", "dtype"))
def _normal_real(key, shape, dtype):
    one = dtype.type(1)
    u = uniform(key, shape, dtype, minval=np.nextafter(-one, one), maxval=one)
    return lax.mul(dtype.type(np.sqrt(2)), lax.erf_inv(u))


def truncated_normal(
    key, lower, upper, shape=None, dtype: Any = None, *, out_sharding=None
) -> Array:
    """Return numbers with the standard normal distribution, given that they are in (lower, upper).

    Args:
      key: a key, typed or raw.
      lower, upper: bounds that broadcast to `shape`.
      shape: the shape of the result; by default that of the bounds.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.truncated_normal(random.key(0), -1., 1., (2,))
    Array([0.86185926, 0.9412883 ], dtype=float32)
    """
    return draw(_truncated_normal, "truncated_normal", key, (lower, upper), shape, dtype, out_sharding)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(3, 4))
@inner_jit(static_argnames=("shape", "dtype"))
def _truncated_normal(key, lower, upper, shape, dtype):
    root = dtype.type(np.sqrt(2))
    lower, upper = strong(lower, dtype), strong(upper, dtype)
    a, b = lax.erf(lax.div(lower, root)), lax.erf(lax.div(upper, root))
    out = lax.mul(root, lax.erf_inv(uniform(key, shape, dtype, minval=a, maxval=b)))
    # Rounding may reach the bounds, which do not belong to the interval.
    inside = [
        lax.nextafter(lax.stop_gradient(x), dtype.type(limit))
        for x, limit in ((lower, np.inf), (upper, -np.inf))
    ]
    return jnp.clip(out, *inside)


# ---- functions of normal numbers -----------------------------------------------------------------


def lognormal(key, sigma=np.float32(1), shape=None, dtype: Any = None, *, out_sharding=None) -> Array:  # noqa: B008
    """Return numbers whose logarithm is normally distributed, with mean 0.

    Args:
      key: a key, typed or raw.
      sigma: the standard deviation of the logarithm, an array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `sigma`.
      dtype: a float or complex dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.lognormal(random.key(0), shape=(2,))
    Array([5.066459, 7.578117], dtype=float32)
    """
    key = single_key("lognormal", key)
    dtype = float_or_complex_dtype("lognormal", dtype)
    shape = sample_shape("lognormal", shape, shape_of(sigma))
    if out_sharding is not None:
        return with_out_sharding("lognormal", out_sharding, lognormal, key, sigma, shape, dtype)
    x = normal(key, shape, dtype)
    return lax.exp(lax.mul(*promote_shapes("lognormal", [x, parameter("lognormal", sigma, dtype)])))


def maxwell(key, shape=(), dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with density sqrt(2/pi) x^2 exp(-x^2 / 2) for x >= 0: lengths of normal 3-vectors.

    Args:
      key: a key, typed or raw.
      shape: the shape of the result.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.maxwell(random.key(0), (2,))
    Array([2.6310966, 0.9910329], dtype=float32)
    """
    return draw(_maxwell, "maxwell", key, (), shape, dtype, out_sharding)


@inner_jit(static_argnames=("shape", "dtype"))
def _maxwell(key, shape, dtype):
    return jnp.linalg.norm(normal(key, (*shape, 3), dtype), axis=-1)


def double_sided_maxwell(key, loc, scale, shape=(), dtype: Any = None) -> Array:
    """Return Maxwell-distributed numbers of either sign, scaled and shifted.

    Args:
      key: a key, typed or raw.
      loc, scale: where the centre is, and how wide; their shape is appended to `shape`.
      shape: the leading axes of the result; default the shape of the parameters.
      dtype: a float dtype.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several.
      ValueError: `dtype` is not a float dtype.

    >>> random.double_sided_maxwell(random.key(0), 0., 1.)
    Array(1.5457209, dtype=float32)
    """
    key = single_key("double_sided_maxwell", key)
    dtype = float_dtype("double_sided_maxwell", dtype)
    return _double_sided_maxwell(key, loc, scale, shape_argument(shape), dtype)


@inner_jit(static_argnames=("shape", "dtype"))
def _double_sided_maxwell(key, loc, scale, shape, dtype):
    each = lax.broadcast_shapes(shape_of(loc), shape_of(scale))
    shape = (shape or each) + each  # JAX parity: without a shape, that of the parameters comes twice
    size_key, sign_key = split_keys(key)
    size = maxwell(size_key, shape, dtype)
    return rademacher(sign_key, shape, dtype) * size * scale + loc


def wald(key, mean, shape=None, dtype: Any = None, *, out_sharding=None) -> Array:
    """Return numbers with the inverse Gaussian distribution of scale 1.

    Args:
      key: a key, typed or raw.
      mean: array that broadcasts to `shape`.
      shape: the shape of the result; by default that of `mean`.
      dtype: a float dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      Independent numbers, in an array of that shape and dtype; the same key gives the same ones.
    Raises:
      TypeError: `key` is not a key, or several, or `shape` has a negative length.
      ValueError: `dtype` is not a float dtype.

    >>> random.wald(random.key(0), 1., (2,))
    Array([0.3805977, 0.4156653], dtype=float32)
    """
    return draw(_wald, "wald", key, (mean,), shape, dtype, out_sharding)


@replayed(compiles_after=AT_ONCE, scalars=True, static=(2, 3))
@inner_jit(static_argnames=("shape", "dtype"))
def _wald(key, mean, shape, dtype):
    # Michael, Schucany and Haas, "Generating random variates using transformations with multiple
    # roots" (1976): the smaller root x of the chi-squared equation, or mean^2 / x.
    normal_key, uniform_key = split_keys(key)
    mean = broadcast_to(parameter("wald", mean, dtype), shape)
    v = normal(normal_key, shape, dtype)
    z = uniform(uniform_key, shape, dtype)
    number = dtype.type
    square = lax.integer_pow
    v2 = square(v, 2)
    v4 = square(v2, 2)
    mean2 = square(mean, 2)
    root = lax.sqrt(lax.add(lax.mul(lax.mul(number(4), mean), v2), lax.mul(mean2, v4)))
    centre = lax.add(mean, lax.div(lax.mul(mean2, v2), number(2)))
    x = lax.sub(centre, lax.mul(lax.div(mean, number(2)), root))
    return lax.select(
        lax.le(z, lax.div(mean, lax.add(mean, x))), x, lax.div(mean2, x)
    )


# ---- vectors and matrices ------------------------------------------------------------------------


def orthogonal(
    key, n: int, shape=(), dtype: Any = None, m: int | None = None, *, out_sharding=None
) -> Array:
    """Return orthogonal (or unitary) matrices, uniformly distributed.

    Args:
      key: a key, typed or raw.
      n, m: the numbers of rows and columns; m is n by default. If they differ, the rows or the columns
        are orthonormal, whichever are fewer.
      shape: the leading axes of the result.
      dtype: a float or complex dtype.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, n, m). The dtype is the default float, unless `dtype` says another.
    Raises:
      ValueError: `n` or `m` is negative.

    >>> random.orthogonal(random.key(0), 2).shape
    (2, 2)
    """
    key = single_key("orthogonal", key)
    dtype = float_or_complex_dtype("orthogonal", dtype)
    shape = shape_argument(shape)
    if out_sharding is not None:
        return with_out_sharding("orthogonal", out_sharding, orthogonal, key, n, shape, dtype, m)
    n = index(n)
    columns = n if m is None else index(m)
    if n < 0 or columns < 0:
        raise ValueError(
            message(
                f"negative dimensions are not allowed, got {n} and {m}",
                fix="random.orthogonal(key, 3)",
            )
        )
    return _orthogonal(key, n, shape, dtype, columns)


@replayed(compiles_after=WORTH)
@inner_jit(static_argnames=("n", "shape", "dtype", "m"))
def _orthogonal(key, n, shape, dtype, m):
    z = normal(key, (*shape, max(n, m), min(n, m)), dtype)
    q, r = jnp.linalg.qr(z)
    # Q is uniformly distributed if the diagonal of R is positive (Mezzadri 2007).
    diagonal = jnp.linalg.diagonal(r)
    q = q * jnp.expand_dims(jnp.sign(diagonal), -2)
    return q if n >= m else jnp.matrix_transpose(q)


_METHODS = ("cholesky", "eigh", "svd")


def multivariate_normal(
    key, mean, cov, shape=None, dtype: Any = None, method: str = "cholesky", *, out_sharding=None
) -> Array:
    """Return vectors with a normal distribution.

    Args:
      key: a key, typed or raw.
      mean: arrays of shape (..., n).
      cov: symmetric positive definite matrices of shape (..., n, n).
      shape: the leading axes of the result; by default those of `mean` and `cov`.
      dtype: a float dtype; by default that of the parameters.
      method: how a root of `cov` is found: "cholesky", "eigh" or "svd", which also take semidefinite
        matrices.
      out_sharding: how the result is divided, over explicit mesh axes.
    Returns:
      An array of shape (*shape, n).
      The dtype is `dtype`, by default the one to which those of `mean` and `cov` promote.
    Raises:
      ValueError: the shapes do not fit, or there is no such method.

    >>> random.multivariate_normal(random.key(0), jnp.zeros(2), jnp.eye(2))
    Array([1.6226422, 2.0252647], dtype=float32)
    """
    key = single_key("multivariate_normal", key)
    if dtype is None:
        dtype = dtypes.to_inexact_dtype(dtypes.result_type(mean, cov))
    dtype = float_dtype("multivariate_normal", dtype)
    if method not in _METHODS:
        raise ValueError(
            message(
                f"method must be one of {_METHODS}, got {shorten(method)}",
                fix='method="cholesky"',
            )
        )
    mean_shape, cov_shape = shape_of(mean), shape_of(cov)
    if not mean_shape:
        raise ValueError(_mvn("mean.ndim >= 1, got mean.ndim == 0", "jnp.full(n, mean)"))
    if len(cov_shape) < 2:
        raise ValueError(
            _mvn(f"cov.ndim >= 2, got cov.ndim == {len(cov_shape)}", "jnp.diag(variances)")
        )
    n = mean_shape[-1]
    if cov_shape[-2:] != (n, n):
        what = f"cov.shape == (..., n, n) for n={n}, but got cov.shape == {cov_shape}."
        raise ValueError(_mvn(what, f"a matrix of shape {(n, n)}"))
    if shape is None:
        shape = lax.broadcast_shapes(mean_shape[:-1], cov_shape[:-2])
    else:
        shape = shape_argument(shape)
        check_shape("multivariate_normal", shape, mean_shape[:-1], cov_shape[:-2])
    if out_sharding is not None:
        return with_out_sharding(
            "multivariate_normal", out_sharding, multivariate_normal, key, mean, cov, shape, dtype, method)
    return _multivariate_normal(key, mean, cov, shape, dtype, method)


def _mvn(what: str, fix: str) -> str:
    return message(f"multivariate_normal requires {what}", fix=fix)


@inner_jit(static_argnames=("shape", "dtype", "method"))
def _multivariate_normal(key, mean, cov, shape, dtype, method):
    mean, cov = jnp.asarray(mean), jnp.asarray(cov)
    joined = dtypes.to_inexact_dtype(dtypes.result_type(mean, cov))
    mean, cov = strong(mean, joined), strong(cov, joined)
    if method == "svd":
        u, s, _ = jnp.linalg.svd(cov)
        root = u * jnp.sqrt(s[..., None, :])
    elif method == "eigh":
        w, v = jnp.linalg.eigh(cov)
        root = v * jnp.sqrt(w[..., None, :])
    else:
        root = jnp.linalg.cholesky(cov)
    x = normal(key, (*shape, mean.shape[-1]), dtype)
    return lax.broadcast_to_rank(mean, x.ndim) + jnp.einsum("...ij,...j->...i", root, x)
