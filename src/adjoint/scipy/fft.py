"""`adjoint.scipy.fft`: the discrete cosine transform and its inverse.

A cosine transform of n numbers is a Fourier transform of the same length, of the even places forwards and then the
odd ones backwards, turned by quarter steps.
Source: Makhoul, "A fast cosine transform in one and two dimensions" (1980).

Tests: `tests/scipy/test_signals.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import sqrt

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..numpy.axes import canonical_axes, canonical_axis
from ..numpy.promotion import promote_inexact

__all__ = ["dct", "dctn", "idct", "idctn"]


def _check(type: int, norm: str | None, name: str, x=None) -> None:
    if type != 2:
        raise NotImplementedError(message("Only DCT type 2 is implemented.", fix=f"{name}(x)"))
    if norm not in (None, "backward", "ortho"):
        raise ValueError(message(f"jax.scipy.fft.{name}: {norm=!r} is not implemented", fix='norm="ortho"'))


def _cut(x, n: int | None, axis: int):
    """Return the axis with length n: cut, or filled with zeros."""
    if n is None or n == x.shape[axis]:
        return x
    if n < 0:
        raise ValueError(message(f"Dimension size after padding is not at least 0, got {n}.", fix="n=len(x)"))
    if n < x.shape[axis]:
        return lax.slice_in_dim(x, 0, n, axis=axis)
    return jnp.pad(x, [(0, n - size if i == axis else 0) for i, size in enumerate(x.shape)])


def _weights(n: int, axis: int, ndim: int, norm, dtype):
    """Return what the coefficients are divided by, along the axis: for norm "ortho" the lengths of the cosines."""
    out = np.ones(n)
    if norm == "ortho":
        out[:] = sqrt(2 * n)
        out[0] = sqrt(4 * n)
    return jnp.asarray(out.reshape([n if i == axis else 1 for i in range(ndim)]), dtype)


def _turns(n: int, axis: int, ndim: int, sign: int, dtype):
    angles = np.exp(sign * 1j * np.pi * np.arange(n) / (2 * n))
    return jnp.asarray(angles.reshape([n if i == axis else 1 for i in range(ndim)]), dtypes.to_complex_dtype(dtype))


def _places(n: int):
    """Return the even places forwards, the odd ones backwards."""
    return np.concatenate([np.arange(0, n, 2), np.arange(n - 1 - n % 2, 0, -2)])


def _forward(x, axis: int, norm):
    n = x.shape[axis]
    shuffled = jnp.take(x, _places(n), axis=axis)
    turned = jnp.fft.fft(shuffled, axis=axis) * _turns(n, axis, x.ndim, -1, x.dtype)
    return 2 * turned.real.astype(x.dtype) / _weights(n, axis, x.ndim, norm, x.dtype)


def _inverse(x, axis: int, norm):
    n = x.shape[axis]
    x = x * _weights(n, axis, x.ndim, norm, x.dtype)
    # The sine transform, which the cosine transform of real numbers determines, is the reversed one.
    zero = jnp.zeros_like(lax.slice_in_dim(x, 0, 1, axis=axis))
    sines = jnp.concatenate([zero, jnp.flip(lax.slice_in_dim(x, 1, n, axis=axis), axis)], axis=axis)
    turned = lax.complex(x, -sines) * _turns(n, axis, x.ndim, 1, x.dtype)
    shuffled = jnp.fft.ifft(turned, axis=axis).real / 2
    return jnp.take(shuffled, np.argsort(_places(n)), axis=axis)


def _operand(name: str, x):
    """Return the operand as it is transformed: of half precision in single."""
    x = jnp.asarray(promote_inexact(name, x)[0])
    return x.astype(dtypes.float32) if dtypes.finfo(x.dtype).bits < 32 else x


def _by_parts(transform, x, axis: int, norm):
    """Return a transform of real numbers; of complex ones it is that of both parts."""
    if x.dtype.kind != "c":
        return transform(x, axis, norm)
    return lax.complex(transform(jnp.real(x), axis, norm), transform(jnp.imag(x), axis, norm))


def dct(x, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Return the cosine transform of type 2, `2 sum_j x[j] cos(pi k (2 j + 1) / (2 n))`, over an axis.

    Args:
      x: real or complex; half precision becomes float32.
      type: must be 2.
      n: the length of the axis, cut or filled with zeros; default as it is.
      axis: which one.
      norm: "ortho" makes the transform orthogonal.
    Returns:
      The coefficients, in an array of the shape of `x`, with the length `n` along the axis.
      The dtype is float32, or float64 for operands of 64 bits; complex for complex operands.
    Raises:
      NotImplementedError: another type.
      ValueError: another `norm` than None, "backward" and "ortho".

    >>> dct(jnp.array([1., 1.]))
    Array([4., 0.], dtype=float32)
    """
    _check(type, norm, "dct")
    x = _operand("dct", x)
    axis = canonical_axis(axis, x.ndim)
    return _by_parts(_forward, _cut(x, n, axis), axis, norm)


def idct(x, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Return the inverse of `dct` over an axis.

    Args:
      x: real or complex; half precision becomes float32.
      type: must be 2.
      n: the length of the axis, cut or filled with zeros; default as it is.
      axis: which one.
      norm: the one that `dct` was given.
    Returns:
      The values that have these coefficients, in an array of the shape of `x`, with the length `n` along the axis.
      The dtype is float32, or float64 for operands of 64 bits; complex for complex operands.
    Raises:
      NotImplementedError: another type.
      ValueError: another `norm` than None, "backward" and "ortho".

    >>> idct(jnp.array([4., 0.]))
    Array([1., 1.], dtype=float32)
    """
    _check(type, norm, "idct")
    x = _operand("idct", x)
    axis = canonical_axis(axis, x.ndim)
    return _by_parts(_inverse, _cut(x, n, axis), axis, norm)


def _several(name, transform, x, type, s, axes, norm):
    _check(type, norm, name)
    whole, x = x, _operand(name, x)
    if s is not None:
        s = [s] if isinstance(s, int) else list(s)
        if len(s) > x.ndim:
            raise ValueError(
                message(
                    f"s must have at most x.ndim ({x.ndim}) elements, got {len(s)}",
                    why=f"It gives the lengths of the last {len(s)} axes, or of axes; x has shape {x.shape}.",
                    fix=f"s={tuple(s[-x.ndim:])}",
                )
            )
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
    axes = canonical_axes((operator.index(axes),) if isinstance(axes, Array) else axes, x.ndim)
    for axis, n in zip(axes, s or [None] * len(axes)):
        x = _cut(x, n, axis)
    if not axes:  # nothing is transformed: the operand in its own dtype
        return jnp.asarray(whole)
    for axis in axes:
        x = _by_parts(transform, x, axis, norm)
    return x


def dctn(
    x, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Return the cosine transform over several axes.

    Args:
      x: real or complex; half precision becomes float32.
      type: must be 2.
      s: the lengths of the axes; default as they are.
      axes: which ones; default the last `len(s)`, or all.
      norm: "ortho" makes the transform orthogonal.
    Returns:
      The coefficients, in an array of the shape of `x`, with these lengths.
      The dtype is float32, or float64 for operands of 64 bits; complex for complex operands.
    Raises:
      NotImplementedError: another type.
      ValueError: another `norm` than None, "backward" and "ortho".

    >>> dctn(jnp.ones((2, 2)))[0]
    Array([16.,  0.], dtype=float32)
    """
    return _several("dctn", _forward, x, type, s, axes, norm)


def idctn(
    x, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Return the inverse of `dctn` over several axes.

    Args:
      x: real or complex; half precision becomes float32.
      type: must be 2.
      s: the lengths of the axes; default as they are.
      axes: which ones; default the last `len(s)`, or all.
      norm: the one that `dctn` was given.
    Returns:
      The values that have these coefficients, in an array of the shape of `x`, with these lengths.
      The dtype is float32, or float64 for operands of 64 bits; complex for complex operands.
    Raises:
      NotImplementedError: another type.
      ValueError: another `norm` than None, "backward" and "ortho".

    >>> idctn(jnp.array([[16., 0.], [0., 0.]]))[0]
    Array([1., 1.], dtype=float32)
    """
    return _several("idctn", _inverse, x, type, s, axes, norm)

public(globals())
