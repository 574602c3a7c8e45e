"""`fft`: the discrete Fourier transform.

Tests: `tests/numpy/test_fft.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...core.messages.errors import message
from ...core.types import Array, aval_of
from ...prims import fourier
from ...prims.fourier import FftType
from ...transforms.jit.jit import inner_jit
from ..conversion import convert_element_type

__all__ = ["FftType", "fft"]


@inner_jit(static_argnums=(1, 2))
def fft(x: Any, fft_type: FftType | str, fft_lengths: Sequence[int]) -> Array:
    """Return the discrete Fourier transform over the last axes.

    Args:
      x: array; complex for all types but RFFT, to which other numbers are converted.
      fft_type: FFT, IFFT, RFFT or IRFFT, by name or as a `FftType`. Inverse ones are scaled by one over the
        number of elements; real ones keep half of the last axis and one more.
      fft_lengths: tuple of the lengths of the last one, two or three axes; of an IRFFT, those of the result.
    Returns:
      Complex coefficients; of an IRFFT the real values that have them. The last axis has n // 2 + 1 of an RFFT of
      length n, and n of an IRFFT.
    Raises:
      ValueError: an unknown type, complex input of an RFFT, or lengths that `x` does not have.
      TypeError: a type that is neither a name nor a `FftType`.
    Derivative: the map is linear.

    >>> lax.fft(jnp.array([1., 2., 3., 4.]), "RFFT", (4,))
    Array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)
    """
    kind = _kind(fft_type)
    dtype = dtypes.to_inexact_dtype(aval_of(x).dtype)
    if kind is FftType.RFFT:
        if dtype.kind == "c":
            raise ValueError(message("only real valued inputs supported for rfft", fix="x.real, or jnp.fft.fft(x)"))
    else:
        dtype = dtypes.to_complex_dtype(dtype)
    x = convert_element_type(x, dtype)
    lengths = tuple(fft_lengths)
    return fourier.fft(x, fft_type=kind, fft_lengths=lengths) if lengths else x


def _kind(fft_type) -> FftType:
    if isinstance(fft_type, FftType):
        return fft_type
    if not isinstance(fft_type, str):
        raise TypeError(f"Unknown FFT type value '{fft_type}'\n  Try: one of {', '.join(FftType.__members__)}")
    if fft_type.upper() not in FftType.__members__:
        raise ValueError(f"Unknown FFT type '{fft_type}'\n  Try: one of {', '.join(FftType.__members__)}")
    return FftType[fft_type.upper()]
