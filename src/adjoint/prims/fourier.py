"""`fft`: discrete Fourier transforms over up to three of the last axes, by SciPy's pocketfft.

A real transform keeps half of the last axis, since the rest is its conjugate; its inverse is told the length.
Forward transforms are not scaled, inverse ones by one over the number of elements. `adjoint.numpy.fft` brings
other axes to the end and does more of them at once.
"""

from __future__ import annotations

import enum
from functools import cache
from math import prod

import numpy as np

from ..core import dtypes
from ..core.primitive import Primitive
from ..core.process.processors import count
from ..core.types import ShapedArray
from ..sharding import rules
from .arithmetic import conj, div, mul
from .family import like
from .shape import broadcast_in_dim, concatenate, full, materialise_batch

__all__ = ["FftType", "fft"]


class FftType(enum.IntEnum):
    """The kinds of Fourier transform.

    >>> lax.FftType.RFFT
    <FftType.RFFT: 2>
    """

    FFT = 0
    IFFT = 1
    RFFT = 2
    IRFFT = 3


_FUNCTIONS = {FftType.FFT: "fftn", FftType.IFFT: "ifftn", FftType.RFFT: "rfftn", FftType.IRFFT: "irfftn"}

fft = Primitive("fft", linear=True)
fft.sharding(rules.kept_by_fft)


@fft.type
def _(x, *, fft_type, fft_lengths):
    kind, n = FftType(fft_type), len(fft_lengths)
    name = kind.name
    wanted = "f" if kind is FftType.RFFT else "c"
    if x.dtype.kind != wanted or x.dtype.itemsize < 4:
        names = "float32 or float64" if wanted == "f" else "complex64 or complex128"
        raise ValueError(f"{name} input must be {names}, got {x.dtype.name}")
    if x.ndim < n:
        raise ValueError(
            f"{name} input shape {x.shape} must have at least as many input dimensions as fft_lengths {fft_lengths}."
        )
    lead, own = x.shape[: x.ndim - n], x.shape[x.ndim - n :]
    if kind is FftType.IRFFT:
        if own[:-1] != tuple(fft_lengths[:-1]):
            raise ValueError(
                f"IRFFT input shape {x.shape} minor dimensions must be equal to all except the last fft_length, "
                f"got fft_lengths={fft_lengths}"
            )
        return ShapedArray((*lead, *fft_lengths), dtypes.to_real_dtype(x.dtype))
    if own != tuple(fft_lengths):
        raise ValueError(f"{name} input shape {x.shape} minor dimensions must be equal to fft_lengths {fft_lengths}")
    if kind is FftType.RFFT:
        dtype = dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64
        return ShapedArray((*lead, *own[:-1], own[-1] // 2 + 1 if own[-1] else 0), dtype)
    return x


_MIN_ELEMENTS_TO_THREAD = 2**16  # elements, from which threads save more time than it takes to call them


@cache
def _workers() -> int:
    return count()


@fft.evaluate
def _(x, *, fft_type, fft_lengths):
    from scipy import fft as transforms

    out = fft.infer((ShapedArray(x.shape, x.dtype),), dict(fft_type=fft_type, fft_lengths=fft_lengths))
    if not x.size or not out.size:
        return np.zeros(out.shape, out.dtype)
    if fft_type == FftType.IRFFT and x.shape[-1] != fft_lengths[-1] // 2 + 1:
        raise ValueError(
            "IRFFT requires innermost dimension to be compatible with fft_length[-1]/2+1. Got: "
            f"{x.shape[-1]} but fft_length is {fft_lengths[-1]}."
        )
    name, workers = _FUNCTIONS[fft_type], _workers() if x.size >= _MIN_ELEMENTS_TO_THREAD else 1
    if len(fft_lengths) == 1:  # functions of one axis are called at half the cost
        return getattr(transforms, name.removesuffix("n"))(x, *fft_lengths, workers=workers)
    axes = tuple(range(x.ndim - len(fft_lengths), x.ndim))
    return getattr(transforms, name)(x, fft_lengths, axes, workers=workers)


@fft.transpose
def _(ct, x, *, fft_type, fft_lengths):
    """The complex transforms are symmetric. A real one weighs what stands for two coefficients twice."""
    if fft_type in (FftType.FFT, FftType.IFFT):
        return [fft(ct, fft_type=fft_type, fft_lengths=fft_lengths)]
    if fft_type == FftType.RFFT:
        half = div(conj(ct, input_dtype=ct.dtype), _weights(ct.shape, ct.dtype, fft_lengths[-1]))
        out = fft(half, fft_type=FftType.IRFFT, fft_lengths=fft_lengths)
        return [mul(out, like(out, prod(fft_lengths)))]
    out = fft(ct, fft_type=FftType.RFFT, fft_lengths=fft_lengths)
    scale = mul(_weights(out.shape, out.dtype, fft_lengths[-1]), like(out, 1 / prod(fft_lengths)))
    return [conj(mul(out, scale), input_dtype=out.dtype)]


def _weights(shape, dtype, length: int):
    """Return how many coefficients of the whole transform each of the half stands for."""
    paired = (length - 1) // 2
    parts = [full((1,), 1, dtype), full((paired,), 2, dtype), full((shape[-1] - paired - 1,), 1, dtype)]
    weights = concatenate(*parts, dimension=0)
    lead = (1,) * (len(shape) - 1)
    return broadcast_in_dim(
        weights, shape=(*lead, *weights.shape), broadcast_dimensions=(len(lead),), sharding=None
    )


@fft.batch
def _(args, dims, **params):
    (x,), (d,) = args, dims
    return fft(materialise_batch(x, d, x.shape[d]), **params), 0


_real, _complex = dtypes.float32, dtypes.complex64
fft.examples(
    (ShapedArray((2, 4), _complex), dict(fft_type=FftType.FFT, fft_lengths=(4,))),
    (ShapedArray((3, 4), _complex), dict(fft_type=FftType.IFFT, fft_lengths=(3, 4))),
    (ShapedArray((2, 6), _real), dict(fft_type=FftType.RFFT, fft_lengths=(6,))),
    (ShapedArray((2, 5), _real), dict(fft_type=FftType.RFFT, fft_lengths=(2, 5))),
    (ShapedArray((2, 4), _complex), dict(fft_type=FftType.IRFFT, fft_lengths=(6,))),
    (ShapedArray((2, 3), _complex), dict(fft_type=FftType.IRFFT, fft_lengths=(2, 5))),
    (ShapedArray((0, 4), _complex), dict(fft_type=FftType.FFT, fft_lengths=(4,))),
)
