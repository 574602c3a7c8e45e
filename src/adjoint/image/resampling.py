"""Resampling of arrays, one axis at a time: a matrix of weights for each axis, and one contraction.

Column j of the matrix of an axis holds what each element of that axis gives to element j of the result: a kernel
around the place where j is in the operand, with a sum of one. Pixels have their centres at halves. When an axis
shrinks and `antialias` is set, the kernel is as many times wider as the axis is longer than the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..core.values.dimension import as_number
from ..lax.shape import canonical_axis, canonical_shape
from ..numpy.promotion import promote_inexact
from ..prims.precision import Precision
from ..transforms.jit.jit import inner_jit
from ..transforms.jit.replay import replayed

__all__ = ["ResizeMethod", "resize", "scale_and_translate"]


class ResizeMethod(Enum):
    """The kernel around each place: how much an element gives to a result at some distance from it.

    >>> ResizeMethod.from_string("bilinear")
    <ResizeMethod.LINEAR: 1>
    """

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6

    @staticmethod
    def from_string(s: str) -> ResizeMethod:
        """Return the method of a name.

        Args:
          s: "nearest", "linear", "cubic", "lanczos3", "lanczos5", or another name of one of them.
        """
        if s not in _NAMES:
            raise ValueError(
                message(f'Unknown resize method "{s}"', fix=f"one of {', '.join(map(repr, _NAMES))}")
            )
        return _NAMES[s]


_NAMES = {
    **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), ResizeMethod.LINEAR),
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), ResizeMethod.CUBIC),
    **dict.fromkeys(("cubic-pytorch", "bicubic-pytorch"), ResizeMethod.CUBIC_PYTORCH),
    "lanczos3": ResizeMethod.LANCZOS3,
    "lanczos5": ResizeMethod.LANCZOS5,
    "area": ResizeMethod.AREA,
    "nearest": ResizeMethod.NEAREST,
}


# ---- kernels: distances in elements -> weights ---------------------------------------------------


def _triangle(x):
    return jnp.maximum(0, 1 - jnp.abs(x))


def _lanczos(radius: float):
    """``sinc(x) sinc(x / radius)`` inside the radius (Duchon 1979)."""

    def kernel(x):
        top = radius * jnp.sin(np.pi * x) * jnp.sin(np.pi * x / radius)
        out = jnp.where(x > 1e-3, top / jnp.where(x != 0, np.pi**2 * x**2, 1), 1)
        return jnp.where(x > radius, 0.0, out)

    return kernel


def _keys(x):
    """Keys, "Cubic convolution interpolation for digital image processing" (1981), with a = -1/2."""
    near = ((1.5 * x - 2.5) * x) * x + 1.0
    out = jnp.where(x >= 1.0, ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0, near)
    return jnp.where(x >= 2.0, 0.0, out)


def _keys_steep(x):
    """Return the same with a = -3/4, as PyTorch has it."""
    a = -0.75
    near = (((a + 2.0) * x - (a + 3.0)) * x) * x + 1.0
    out = jnp.where(x >= 1.0, (((a * x - 5.0 * a) * x) + 8.0 * a) * x - 4.0 * a, near)
    return jnp.where(x >= 2.0, 0.0, out)


_KERNELS = {
    ResizeMethod.LINEAR: _triangle,
    ResizeMethod.LANCZOS3: _lanczos(3.0),
    ResizeMethod.LANCZOS5: _lanczos(5.0),
    ResizeMethod.CUBIC: _keys,
    ResizeMethod.CUBIC_PYTORCH: _keys,
}


# ---- weights of one axis -------------------------------------------------------------------------


def _weights(size: int, new: int, scale, translation, method: ResizeMethod, antialias: bool):
    """``[size, new]``: what each element gives to each of the result; element i goes to i * scale + translation."""
    dtype = jnp.result_type(scale, translation)
    step = 1.0 / scale
    width = jnp.maximum(step, 1.0) if antialias else 1.0
    places = (lax.iota(dtype, new) + 0.5) * step - translation * step - 0.5
    padded = method is ResizeMethod.CUBIC_PYTORCH and not antialias
    if padded:
        weights = _edge_weights(size, new, places, dtype)
    else:
        starts = lax.iota(dtype, size)
    if method is ResizeMethod.AREA:
        weights = _overlaps(size, new, step, translation, dtype)
    elif not padded:
        x = jnp.abs(places[None, :] - starts[:, None]) / width
        weights = _KERNELS[method](x)
    total = jnp.sum(weights, axis=0, keepdims=True)
    enough = jnp.abs(total) > 1000.0 * float(np.finfo(np.float32).eps)
    weights = jnp.where(enough, weights / jnp.where(total != 0, total, 1), 0)
    if padded:
        return weights
    inside = jnp.logical_and(places >= -0.5, places <= size - 0.5)[None, :]
    return jnp.where(inside, weights, 0)


def _edge_weights(size: int, new: int, places, dtype):
    """PyTorch's cubic weights; elements beyond the edges, two on each side, are copies of those at the edge."""
    near = -2.0 + lax.iota(dtype, size + 4)
    weights = _keys_steep(jnp.abs(places[None, :] - near[:, None]) / 1.0)
    rows = jnp.clip(near.astype(np.int32), 0, size - 1)
    columns = lax.iota(int, new)
    out = jnp.zeros((size, new), dtype)
    columns = lax.broadcast_in_dim(columns, weights.shape, (1,))
    return out.at[rows[:, None], columns].add(weights)


def _overlaps(size: int, new: int, step, translation, dtype):
    """Return the length of each element that is inside each of the result, both in the operand's measure."""
    left = lax.iota(dtype, new) * step - translation * step
    right = left + step
    start = lax.iota(dtype, size)
    end = start + 1
    ends = jnp.minimum(right[None, :], end[:, None])
    return jnp.maximum(0, ends - jnp.maximum(left[None, :], start[:, None]))


def _contract(x, shape, axes, scales, translations, method, antialias, precision):
    ndim = x.ndim
    operands: list[Any] = []
    out = list(range(ndim))
    for i, d in enumerate(axes):
        weights = _weights(x.shape[d], shape[d], scales[i], translations[i], method, antialias)
        operands += [weights.astype(x.dtype), [d, ndim + d]]
        out[d] = ndim + d
    if not operands:
        return x
    return jnp.einsum(x, list(range(ndim)), *operands, out, precision=precision)


# ---- what users call -----------------------------------------------------------------------------


def _checked_shape(x, shape) -> tuple[int, ...]:
    shape = canonical_shape(shape)
    if len(shape) != x.ndim:
        raise ValueError(
            message(
                f"shape must have length equal to the number of dimensions of x;  {shape} vs {x.shape}",
                fix="the length of every axis of the result, batch and channels included",
            )
        )
    return shape


def _method(method) -> ResizeMethod:
    if isinstance(method, str):
        return ResizeMethod.from_string(method)
    assert isinstance(method, ResizeMethod), method
    return method


@replayed
def resize(
    image, shape: Sequence[int], method: str | ResizeMethod, antialias: bool = True, precision=Precision.HIGHEST
) -> Array:
    """Return the image with other lengths of axes, resampled.

    Args:
      image: an array of any number of axes.
      shape: the lengths of all axes of the result; axes that keep theirs are left alone.
      method: a `ResizeMethod` or its name. ``"nearest"`` takes one element for each; ``"linear"``, ``"cubic"`` (Keys),
        ``"lanczos3"`` and ``"lanczos5"`` interpolate; ``"cubic-pytorch"`` is PyTorch's; ``"area"`` averages the part
        of the image that an element of the result covers.
      antialias: widen the kernel along axes that shrink.
      precision: of the contraction.
    Returns:
      The image in the shape, of a float dtype unless the method is ``"nearest"``.
    Raises:
      ValueError: the method is not known, or `shape` has another number of axes.

    >>> resize(jnp.array([0., 4.]), (4,), "linear")
    Array([0., 1., 3., 4.], dtype=float32)
    """
    return _resize(image, shape, method, antialias, precision)


def _resize(image, shape, method, antialias, precision):
    if isinstance(image, (bool, int, float, complex)):
        image = jnp.asarray(image)
    shape = _checked_shape(image, shape)
    return _resampled(jnp.asarray(image), shape, _method(method), antialias, precision)


@inner_jit(static_argnames=("shape", "method", "antialias", "precision"), name="_resize")
def _resampled(image, shape, method, antialias, precision):
    if method is ResizeMethod.NEAREST:
        return _nearest(image, shape)
    (image,) = promote_inexact("resize", image)
    axes = tuple(d for d in range(image.ndim) if image.shape[d] != shape[d])
    scales = [1.0 if shape[d] == 0 else shape[d] / image.shape[d] for d in axes]
    return _contract(image, shape, axes, scales, [0.0] * len(axes), method, antialias, precision)


def _nearest(image, shape):
    for d, (size, new) in enumerate(zip(image.shape, shape)):
        if size != new:
            old, count = (as_number(n, np.dtype(np.float32)) for n in (size, new))
            places = jnp.floor((lax.iota(np.float32, new) + 0.5) * old / count)
            index = (slice(None),) * d + (places.astype(np.int32),)
            image = image.at[index].get(mode="promise_in_bounds")
    return image


def scale_and_translate(
    image, shape: Sequence[int], spatial_dims: Sequence[int], scale, translation,
    method: str | ResizeMethod, antialias: bool = True, precision=Precision.HIGHEST,
) -> Array:
    """Return the image scaled and moved: what is at x goes to ``x * scale + translation``.

    Args:
      image: an array of any number of axes; elements have their centres at halves.
      shape: the lengths of all axes of the result.
      spatial_dims: the K axes that are resampled; the others keep their lengths.
      scale, translation: float ``[K]``, one number an axis; both can be differentiated.
      method: a `ResizeMethod` or its name, as in `resize`; not ``"nearest"``.
      antialias: widen the kernel along axes that shrink.
      precision: of the contraction.
    Returns:
      The image of a float dtype in the shape; 0 where it would be from outside.
    Raises:
      ValueError: the method is ``"nearest"`` or not known, or `shape` has another number of axes.

    >>> scale_and_translate(jnp.array([1., 2., 3.]), (3,), (0,), jnp.array([1.]), jnp.array([1.]), "linear")
    Array([0., 1., 2.], dtype=float32)
    """
    shape = _checked_shape(image, shape)
    method = _method(method)
    if method is ResizeMethod.NEAREST:
        raise ValueError(
            message(
                "Nearest neighbor resampling is not currently supported for scale_and_translate.",
                fix='method="linear", or resize(image, shape, "nearest")',
            )
        )
    axes = tuple(canonical_axis(d, image.ndim) for d in spatial_dims)
    (image,) = promote_inexact("scale_and_translate", image)
    scale, translation = promote_inexact("scale_and_translate", scale, translation)
    assert len(scale.shape) == 1 and scale.shape == translation.shape == (len(axes),), (
        f"scale and translation have one number for each of the axes {axes}, not {scale.shape} and {translation.shape}"
    )
    return _contract(jnp.asarray(image), shape, axes, scale, translation, method, antialias, precision)

public(globals())
