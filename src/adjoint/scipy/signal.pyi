# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
from typing import Any
def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = 'full', method: str = 'auto', precision: Any = None) -> Array:
    """Return the convolution of arrays with the same number of axes.

    Args:
      in1, in2: arrays, which promote to an inexact dtype.
      mode: "full", "same" (the middle, of the shape of in1) or "valid" (where the inputs overlap fully).
      method: "direct" ("auto") or "fft".
      precision: see `lax.Precision`.
    Returns:
      Sums of products with the reversed `in2`, in an array of the lengths that the mode gives: n + m - 1, n, or n - m +
      1. The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: there is no such mode or method, or shapes do not fit.

    >>> convolve(jnp.array([1., 2.]), jnp.array([1., 10.]))
    Array([ 1., 12., 20.], dtype=float32)
    """
def convolve2d(in1: ArrayLike, in2: ArrayLike, mode: str = 'full', boundary: str = 'fill', fillvalue: float = 0, precision: Any = None) -> Array:
    """Return the convolution of matrices.

    Args:
      in1, in2: matrices, which promote to an inexact dtype.
      mode: "full", "same" (the middle, of the shape of in1) or "valid" (where the inputs overlap fully).
      boundary: must be "fill".
      fillvalue: must be 0.
      precision: see `lax.Precision`.
    Returns:
      A matrix of the lengths that the mode gives: n + m - 1, n, or n - m + 1.
    Raises:
      NotImplementedError: another boundary or value.
      ValueError: an operand is no matrix.

    >>> convolve2d(jnp.ones((2, 2)), jnp.ones((2, 2)), mode="valid")
    Array([[4.]], dtype=float32)
    """
def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = 'full', method: str = 'auto', precision: Any = None) -> Array:
    """Return the cross-correlation: the convolution with the reversed conjugate of in2.

    Args:
      in1, in2: arrays with the same number of axes, which promote to an inexact dtype.
      mode: "full", "same" (the middle, of the shape of in1) or "valid" (where the inputs overlap fully).
      method: "direct" ("auto") or "fft".
      precision: see `lax.Precision`.
    Returns:
      Sums of products with `in2`, in an array of the lengths that the mode gives: n + m - 1, n, or n - m + 1.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: there is no such mode or method, or shapes do not fit.

    >>> correlate(jnp.array([1., 2.]), jnp.array([1., 10.]))
    Array([10., 21.,  2.], dtype=float32)
    """
def correlate2d(in1: ArrayLike, in2: ArrayLike, mode: str = 'full', boundary: str = 'fill', fillvalue: float = 0, precision: Any = None) -> Array:
    """Return the cross-correlation of matrices.

    Args:
      in1, in2: matrices, which promote to an inexact dtype.
      mode: "full", "same" (the middle, of the shape of in1) or "valid" (where the inputs overlap fully).
      boundary: must be "fill".
      fillvalue: must be 0.
      precision: see `lax.Precision`.
    Returns:
      A matrix of the lengths that the mode gives: n + m - 1, n, or n - m + 1.
    Raises:
      NotImplementedError: another boundary or value.
      ValueError: an operand is no matrix.

    >>> correlate2d(jnp.ones((2, 2)), jnp.ones((2, 2)), mode="valid")
    Array([[4.]], dtype=float32)
    """
def csd(x: ArrayLike, y: ArrayLike, fs: ArrayLike = 1.0, window: str = 'hann', nperseg: int | None = None, noverlap: int | None = None, nfft: int | None = None, detrend: str = 'constant', return_onesided: bool = True, scaling: str = 'density', axis: int = -1, average: str = 'mean') -> tuple[Array, Array]:
    """Return the cross spectral density of x and y by Welch's method: the average of segments.

    Args:
      x, y: arrays; y None stands for x. The shorter is filled with zeros.
      fs: the number of samples in a unit of time.
      window: what segments are multiplied with: a name, such as "hann", a tuple of a name and parameters, or an array.
      nperseg: the length of a segment; default 256, or that of a window that is an array.
      noverlap: how many samples two neighbours share; default half of a segment.
      nfft: the length of the transform, if segments are filled with zeros.
      detrend: what is taken from each segment: "constant", "linear", a function, or False.
      return_onesided: leave negative frequencies out, for real arrays.
      scaling: "density", by frequency, or "spectrum".
      axis: the axis of time.
      average: "mean" or "median".
    Returns:
      (frequencies `[k]`, densities, complex, with `k` in the place of the axis of time)
    Raises:
      ValueError: an option has no such value, or lengths do not fit.

    Source: Welch (1967).

    >>> csd(jnp.arange(8.), jnp.arange(8.), nperseg=4)[1].shape
    (3,)
    """
def detrend(data: ArrayLike, axis: int = -1, type: str = 'linear', bp: int = 0, overwrite_data: None = None) -> Array:
    """Return data without their mean or linear trend along an axis.

    Args:
      data: array.
      axis: which one.
      type: "linear" or "constant".
      bp: where another trend begins; several for several.
      overwrite_data: must be None.
    Returns:
      An array of the shape of `data`, of floats.
    Raises:
      ValueError: there is no such type, or a trend begins outside of the data.
      NotImplementedError: `overwrite_data`.

    >>> detrend(jnp.array([1., 3.]), type="constant")
    Array([-1.,  1.], dtype=float32)
    """
def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = 'full', axes: Sequence[int] | None = None) -> Array:
    """Return the convolution of arrays by Fourier transforms.

    Args:
      in1, in2: arrays with the same number of axes, which promote to an inexact dtype.
      mode: "full", "same" (the middle, of the shape of in1) or "valid" (where the inputs overlap fully).
      axes: the axes to convolve; the others must be equal. Default all.
    Returns:
      An array of the lengths that the mode gives, as `convolve` with the rounding of transforms.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: there is no such mode, or shapes do not fit.

    >>> fftconvolve(jnp.array([1., 2.]), jnp.array([1., 10.])).round()
    Array([ 1., 12., 20.], dtype=float32)
    """
def istft(Zxx: Any, fs: ArrayLike = 1.0, window: str = 'hann', nperseg: int | None = None, noverlap: int | None = None, nfft: int | None = None, input_onesided: bool = True, boundary: bool = True, time_axis: int = -1, freq_axis: int = -2) -> tuple[Array, Array]:
    """Return the signal of a short-time Fourier transform, the inverse of `stft`.

    Args:
      Zxx: what `stft` returned.
      fs, window, nperseg, noverlap, nfft: what `stft` was told; default from the shape of Zxx.
      input_onesided, boundary: what `stft` was told.
      time_axis, freq_axis: the axes of Zxx.
    Returns:
      (times, one for each element of the first axis, as in SciPy; signal)
    Raises:
      ValueError: there are fewer than two axes, or lengths do not fit.

    >>> istft(stft(jnp.arange(4.), nperseg=4)[2])[1].round(3)
    Array([0., 1., 2., 3.], dtype=float32)
    """
def stft(x: ArrayLike, fs: ArrayLike = 1.0, window: str = 'hann', nperseg: int = 256, noverlap: int | None = None, nfft: int | None = None, detrend: bool = False, return_onesided: bool = True, boundary: str | None = 'zeros', padded: bool = True, axis: int = -1) -> tuple[Array, Array, Array]:
    """Return the short-time Fourier transform: those of overlapping segments.

    Args:
      x: array.
      fs: how many samples there are per unit of time.
      window: a name or tuple for SciPy's `get_window`, or a vector: what segments are multiplied by.
      nperseg: the length of segments.
      noverlap: of how many samples segments overlap; default half.
      nfft: the length of the transforms, not less than `nperseg`; default `nperseg`.
      detrend: False, "constant", "linear" or a function of segments (last axis).
      return_onesided: of a real x only the frequencies that are not negative.
      boundary: what is before and after x: "zeros", "even", "odd", "constant"; None: begin with x.
      padded: add zeros, so that segments cover all of x.
      axis: that of time.
    Returns:
      (frequencies, times of the segments, transforms: the axis becomes that of frequencies, and that of times is last)
    Raises:
      ValueError: an option has no such value, or lengths do not fit.

    >>> f, t, z = stft(jnp.ones(8), nperseg=4)
    >>> z.shape
    (3, 5)
    """
def welch(x: ArrayLike, fs: ArrayLike = 1.0, window: str = 'hann', nperseg: int | None = None, noverlap: int | None = None, nfft: int | None = None, detrend: str = 'constant', return_onesided: bool = True, scaling: str = 'density', axis: int = -1, average: str = 'mean') -> tuple[Array, Array]:
    """Return the spectral density of x: the mean over segments that overlap of the squared sizes of their transforms.

    Args:
      x: array.
      fs: the number of samples in a unit of time.
      window: what segments are multiplied with: a name, such as "hann", a tuple of a name and parameters, or an array.
      nperseg: the length of a segment; default 256, or that of a window that is an array.
      noverlap: how many samples two neighbours share; default half of a segment.
      nfft: the length of the transform, if segments are filled with zeros.
      detrend: what is taken from each segment: "constant", "linear", a function, or False.
      return_onesided: leave negative frequencies out, for real `x`.
      scaling: "density", or "spectrum" for the power of a frequency.
      axis: the axis of time.
      average: "mean" or "median" of the segments.
    Returns:
      (frequencies `[k]`, densities, with `k` in the place of the axis of time)
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.
      ValueError: `axis` is out of range.

    >>> welch(jnp.arange(8.), nperseg=4)[1].shape
    (3,)
    """
