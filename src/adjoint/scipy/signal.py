"""`adjoint.scipy.signal`: convolutions, trends and spectra.

Spectra come from one function, which cuts a signal into overlapping segments and transforms each of them.

Tests: `tests/scipy/test_signals.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import lax
from .. import numpy as jnp
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..numpy.axes import canonical_axis, repeated_axes
from ..numpy.promotion import check_arraylike, convert

__all__ = [
    "convolve", "convolve2d", "correlate", "correlate2d", "csd", "detrend", "fftconvolve", "istft", "stft", "welch",
]

# ---- convolutions --------------------------------------------------------------------------------


def _inputs(name: str, *args) -> list[Array]:
    """Return arrays of one inexact dtype; their shapes need not broadcast."""
    check_arraylike(name, *args)
    dtype, weak = dtypes.lattice_result_type(*args)
    return [convert(jnp.asarray(a), dtypes.to_inexact_dtype(dtype), weak) for a in args]


def _middle(full, shape, late: bool = False):
    """Return the part of that shape from the middle."""
    starts = [(n - m + late) // 2 for n, m in zip(full.shape, shape)]
    return lax.slice(full, starts, [i + m for i, m in zip(starts, shape)])


def _convolve(in1, in2, mode: str, precision, late: bool = False) -> Array:
    """Return the direct convolution; `late` takes the later of two middles."""
    if mode not in ("full", "same", "valid"):
        raise ValueError(message("mode must be one of ['full', 'same', 'valid']", why=f"It is {mode!r}.",
                                 fix='mode="full"'))
    in1, in2 = _inputs("convolve", in1, in2)
    if in1.ndim != in2.ndim:
        raise ValueError(
            message("in1 and in2 must have the same number of dimensions", fix="in2[None] for an axis more")
        )
    if not in1.size or not in2.size:
        raise ValueError(f"zero-size arrays not supported in convolutions, got shapes {in1.shape} and {in2.shape}.")
    shape = in1.shape
    larger = [a >= b for a, b in zip(in1.shape, in2.shape)]
    if not all(larger):
        if not all(b >= a for a, b in zip(in1.shape, in2.shape)):
            raise ValueError(
                message("One input must be smaller than the other in every dimension.", fix="the shorter signal second")
            )
        in1, in2 = in2, in1
    pads = [(0, 0) if mode == "valid" else (n - 1, n - 1) for n in in2.shape]
    out = lax.conv_general_dilated(
        in1[None, None], jnp.flip(in2)[None, None], (1,) * in1.ndim, pads, precision=precision
    )[0, 0]
    return _middle(out, shape, late) if mode == "same" else out


def _flipped(in2):
    return jnp.flip(jnp.conj(jnp.asarray(in2)))


def convolve(in1, in2, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
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
    if method == "fft":
        return fftconvolve(in1, in2, mode)
    if method not in ("auto", "direct"):
        raise ValueError(message(f"Got {method=}; expected 'auto', 'fft', or 'direct'.", fix='method="direct"'))
    return _convolve(in1, in2, mode, precision)


def correlate(in1, in2, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
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
    return convolve(in1, _flipped(in2), mode, method, precision)


def _check_plane(name, in1, in2, boundary, fillvalue):
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError(
            message(
                f"{name}() only supports boundary='fill', fillvalue=0",
                fix="jnp.pad(x, n, mode='wrap') before, and mode='valid'",
            )
        )
    if jnp.ndim(in1) != 2 or jnp.ndim(in2) != 2:
        raise ValueError(
            message(
                f"{name}() only supports 2-dimensional inputs.",
                fix="x[None] for a row, jax.scipy.signal.convolve for any number of axes",
            )
        )


def convolve2d(
    in1, in2, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
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
    _check_plane("convolve2d", in1, in2, boundary, fillvalue)
    return _convolve(in1, in2, mode, precision)


def correlate2d(
    in1, in2, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
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
    _check_plane("correlate2d", in1, in2, boundary, fillvalue)
    return _convolve(in1, _flipped(in2), mode, precision, late=True)


def fftconvolve(in1, in2, mode: str = "full", axes: Sequence[int] | None = None) -> Array:
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
    in1, in2 = _inputs("fftconvolve", in1, in2)
    if in1.ndim != in2.ndim:
        raise ValueError(message("in1 and in2 should have the same dimensionality", fix="in2[None] for an axis more"))
    if mode not in ("same", "full", "valid"):
        raise ValueError(message("mode must be one of ['same', 'full', 'valid']", fix="mode='same'"))
    axes = tuple(sorted(set(repeated_axes(axes, in1.ndim))))
    if any(a != b for i, (a, b) in enumerate(zip(in1.shape, in2.shape)) if i not in axes):
        raise ValueError(f"mapped axes must have same shape; got {in1.shape=} {in2.shape=} {axes=}")
    if mode == "valid":
        orders = [all(a.shape[i] >= b.shape[i] for i in axes) for a, b in ((in1, in2), (in2, in1))]
        if not any(orders):
            raise ValueError(
                "For 'valid' mode, One input must be at least as large as the other in every dimension."
            )
        if not orders[0]:
            in1, in2 = in2, in1
    lengths = [in1.shape[i] + in2.shape[i] - 1 for i in axes]
    if not axes:
        out = in1 * in2
    elif jnp.iscomplexobj(in1):
        out = jnp.fft.ifftn(jnp.fft.fftn(in1, lengths, axes) * jnp.fft.fftn(in2, lengths, axes), lengths, axes)
    else:
        out = jnp.fft.irfftn(jnp.fft.rfftn(in1, lengths, axes) * jnp.fft.rfftn(in2, lengths, axes), lengths, axes)
    if mode == "full":
        return out
    shape = in1.shape
    if mode == "valid":
        shape = [a - b + 1 if i in axes else a for i, (a, b) in enumerate(zip(in1.shape, in2.shape))]
    return _middle(out, shape)


# ---- trends --------------------------------------------------------------------------------------


def detrend(data, axis: int = -1, type: str = "linear", bp: Any = 0, overwrite_data: None = None) -> Array:
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
    if overwrite_data is not None:
        raise NotImplementedError("overwrite_data argument not implemented.")
    if type not in ("constant", "linear"):
        raise ValueError(message("Trend type must be 'linear' or 'constant'.", fix='type="linear"'))
    (data,) = _inputs("detrend", jnp.asarray(data))
    if type == "constant":
        return data - jnp.mean(data, axis, keepdims=True)
    n = data.shape[axis]
    edges = np.unique(np.r_[0, np.asarray(bp), n])
    if np.any(edges > n) or np.any(edges < 0):
        raise ValueError(
            message(
                "Breakpoints must be non-negative and less than length of data along given axis.",
                fix="bp=[n // 2] for two halves",
            )
        )
    data = jnp.moveaxis(data, axis, -1)
    parts = []
    for start, end in zip(edges[:-1], edges[1:]):
        # Orthonormal, so that the projection is two products.
        basis, _ = np.linalg.qr(np.stack([np.ones(end - start), np.arange(end - start)], axis=1))
        basis = jnp.asarray(basis, data.dtype)
        part = data[..., int(start) : int(end)]
        parts.append(part - (part @ basis) @ basis.T)
    return convert(jnp.moveaxis(jnp.concatenate(parts, axis=-1), -1, axis), data.dtype, data.weak_type)


# ---- spectra -------------------------------------------------------------------------------------


def _positive(name: str, value):
    """Return the value as a positive integer; None stays."""
    if value is None:
        return None
    if int(value) < 1:
        raise ValueError(message(f"{name} must be a positive integer", fix="256, the usual length of a segment"))
    return int(value)


def _window(window, nperseg: int | None, length: int, dtype):
    """Return the window as a vector, and its length."""
    if isinstance(window, (str, tuple)):
        from scipy.signal import get_window

        nperseg = 256 if nperseg is None else nperseg
        if nperseg > length:
            warnings.warn(
                f"nperseg={nperseg} is greater than input_length={length}, using nperseg={length}", stacklevel=4
            )
            nperseg = length
        window = get_window(window, nperseg)
    elif jnp.ndim(window) != 1:
        raise ValueError(message("window must be 1-D", fix="window.ravel()"))
    elif jnp.shape(window)[0] > length:
        raise ValueError(message("window is longer than input signal", fix="nperseg=x.shape[-1]"))
    elif nperseg not in (None, jnp.shape(window)[0]):
        raise ValueError("value specified for nperseg is different from length of window")
    window = jnp.asarray(window, dtype)
    return window, window.shape[0]


def _extended(x, boundary, n: int):
    """Return the last axis with n elements more at both ends."""
    width = [(0, 0)] * (x.ndim - 1) + [(n, n)]
    if boundary == "zeros":
        return jnp.pad(x, width)
    if boundary == "constant":
        return jnp.pad(x, width, mode="edge")
    return jnp.pad(x, width, mode="reflect", reflect_type=boundary)


def _overlap(noverlap, nperseg: int) -> int:
    noverlap = nperseg // 2 if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError(message("noverlap must be less than nperseg.", why=f"They are {noverlap} and {nperseg}.",
                                 fix="noverlap=nperseg // 2"))
    return noverlap


def _segments(x, nperseg: int, step: int):
    """Return `[..., n]` -> `[..., segments, nperseg]`."""
    starts = np.arange(0, x.shape[-1] - nperseg + 1, step)
    return x[..., starts[:, None] + np.arange(nperseg)]


def _of_nothing(shape, dtype):
    """Return (frequencies, times, transforms) where there are no samples."""
    out = jnp.zeros(shape, dtypes.to_complex_dtype(dtype))
    return out.real, out.real, out


def _spectra(
    x, y, fs, window, nperseg, noverlap, nfft, detrend_by, onesided, scaling, axis, mode, boundary=None,
    padded=False,
):
    """Return (frequencies, times, transforms `[..., frequencies, segments]`) of x, or products with those of y.

    `mode` "psd" squares, with `scaling`; "stft" does not.
    """
    boundaries = ["even", "odd", "constant", "zeros", None]
    if boundary not in boundaries:
        raise ValueError(f"Unknown boundary option '{boundary}', must be one of: {boundaries}")
    nperseg = _positive("nperseg", nperseg)
    same = y is None
    if same:
        (x,) = _inputs("spectrum", x)
        y = x
    else:
        x, y = _inputs("spectrum", x, y)
        if x.ndim != y.ndim:
            raise ValueError(
                message(
                    f"two-arguments must have the same rank ({x.ndim} vs {y.ndim}).",
                    fix="y[None] for an axis more",
                )
            )
        axis = canonical_axis(axis, x.ndim)
        lengths = x.shape[axis], y.shape[axis]
        try:
            batch = lax.broadcast_shapes(*(a.shape[:axis] + a.shape[axis + 1 :] for a in (x, y)))
        except ValueError as error:
            raise ValueError("x and y cannot be broadcast together.") from error
        if not x.size or not y.size:
            return _of_nothing((*batch[:axis], min(lengths), *batch[axis:]), x.dtype)
    axis = canonical_axis(axis, x.ndim)
    if not x.size:
        return _of_nothing(x.shape, x.dtype)
    x = jnp.moveaxis(x, axis, -1)
    y = x if same else jnp.moveaxis(y, axis, -1)
    if not same and x.shape[-1] != y.shape[-1]:
        more = max(x.shape[-1], y.shape[-1])
        x, y = (jnp.pad(a, [(0, 0)] * (a.ndim - 1) + [(0, more - a.shape[-1])]) for a in (x, y))
    real = x.real.dtype
    window, nperseg = _window(window, nperseg, x.shape[-1], real)
    nfft = nperseg if nfft is None else int(nfft)
    if nfft < nperseg:
        raise ValueError(message("nfft must be greater than or equal to nperseg.",
                                 why=f"They are {nfft} and {nperseg}.", fix="nfft=None"))
    noverlap = _overlap(noverlap, nperseg)
    step = nperseg - noverlap
    if jnp.iscomplexobj(x) and onesided:
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=3)
        onesided = False
    if not detrend_by:
        without_trend = lambda s: s
    elif callable(detrend_by):
        without_trend = detrend_by
    else:
        without_trend = lambda s: detrend(s, type=detrend_by, axis=-1)
    transform = jnp.fft.rfft if onesided else jnp.fft.fft

    def transformed(a):
        if boundary is not None:
            a = _extended(a, boundary, nperseg // 2)
        if padded:
            a = jnp.pad(a, [(0, 0)] * (a.ndim - 1) + [(0, (-(a.shape[-1] - nperseg) % step) % nperseg)])
        segments = without_trend(_segments(a, nperseg, step))
        weights = lax.broadcast_to_rank(window, segments.ndim).astype(segments.dtype)
        return transform(weights * segments, n=nfft), a.shape[-1]

    out, length = transformed(x)
    if scaling == "density":
        scale = 1 / (fs * jnp.sum(window * window))
    elif scaling == "spectrum":
        scale = 1 / jnp.sum(window) ** 2
    else:
        raise ValueError(message(f"Unknown scaling: {scaling}", fix="scaling='density'"))
    if mode == "stft":
        out = out * jnp.sqrt(scale).astype(out.dtype)
    else:
        out = (out.conj() * (out if same else transformed(y)[0])) * scale.astype(out.dtype)
        if onesided:
            doubled = np.full(out.shape[-1], 2.0)
            doubled[0] = 1
            if nfft % 2 == 0:
                doubled[-1] = 1
            out = out * lax.broadcast_to_rank(jnp.asarray(doubled, out.dtype), out.ndim)
        if same:
            out = out.real
    frequencies = (jnp.fft.rfftfreq if onesided else jnp.fft.fftfreq)(nfft, 1 / fs, dtype=real)
    times = jnp.arange(nperseg / 2, length - nperseg / 2 + 1, step, dtype=real) / fs
    if boundary is not None:
        times = times - (nperseg / 2) / fs
    return frequencies, times, jnp.moveaxis(out, -2, -1)


def stft(
    x, fs: Any = 1.0, window: Any = "hann", nperseg: int = 256, noverlap: int | None = None, nfft: int | None = None,
    detrend: Any = False, return_onesided: bool = True, boundary: str | None = "zeros", padded: bool = True,
    axis: int = -1,
) -> tuple[Array, Array, Array]:
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
    frequencies, times, out = _spectra(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis, "stft", boundary,
        padded,
    )
    if out.ndim < 2:
        return frequencies, times, out
    at = canonical_axis(axis, out.ndim - 1)
    return frequencies, times, jnp.moveaxis(out, -2, at)


def csd(
    x, y, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, average: str = "mean",
) -> tuple[Array, Array]:
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
    frequencies, _, out = _spectra(
        x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, "psd"
    )
    if not out.size or out.ndim < 2:
        return frequencies, out
    if out.shape[-1] == 1:
        out = out[..., 0]
    elif average not in ("mean", "median"):
        raise ValueError(message(f'average must be "median" or "mean", got {average}', fix="average='mean'"))
    elif average == "mean":
        out = jnp.mean(out, axis=-1)
    else:
        # The median of exponentially distributed numbers is less than their mean by this.
        even = 2 * np.arange(1, (out.shape[-1] - 1) // 2 + 1)
        bias = float(1 + np.sum(1 / (even + 1) - 1 / even))
        median = lambda a: jnp.median(a, axis=-1)
        out = (lax.complex(median(out.real), median(out.imag)) if jnp.iscomplexobj(out) else median(out)) / bias
    return frequencies, jnp.moveaxis(out, -1, axis)


def welch(
    x, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density",
    axis: int = -1, average: str = "mean",
) -> tuple[Array, Array]:
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
    frequencies, out = csd(
        x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    )
    return frequencies, out.real


def istft(
    Zxx, fs: Any = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, input_onesided: bool = True, boundary: bool = True, time_axis: int = -1,
    freq_axis: int = -2,
) -> tuple[Array, Array]:
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
    (Zxx,) = _inputs("istft", Zxx)
    if Zxx.ndim < 2:
        raise ValueError("Input stft must be at least 2d!")
    freq_axis, time_axis = canonical_axis(freq_axis, Zxx.ndim), canonical_axis(time_axis, Zxx.ndim)
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    Zxx = Zxx.astype(dtypes.to_complex_dtype(Zxx.dtype))
    whole = 2 * (Zxx.shape[freq_axis] - 1) if input_onesided else Zxx.shape[freq_axis]
    segment: int = whole if nperseg is None else _positive("nperseg", nperseg)
    if nfft is None:
        # One more sample than twice the frequencies is an odd length.
        nfft = segment if input_onesided and segment == whole + 1 else whole
    nfft = int(nfft)
    if nfft < segment:
        raise ValueError(f"FFT length ({nfft}) must be longer than nperseg ({segment}).")
    step = segment - _overlap(noverlap, segment)
    Zxx = jnp.moveaxis(Zxx, (time_axis, freq_axis), (-2, -1))
    if isinstance(window, (str, tuple)):
        from scipy.signal import get_window

        window = get_window(window, segment)
    if jnp.shape(window) != (segment,):
        raise ValueError(
            message(
                "window must be 1-D" if jnp.ndim(window) != 1 else f"window must have length of {segment}",
                fix="window.ravel()",
            )
        )
    transform = jnp.fft.irfft if input_onesided else jnp.fft.ifft
    pieces = transform(Zxx, n=nfft)[..., :segment]
    window = jnp.asarray(window, pieces.real.dtype)
    count = pieces.shape[-2]
    places = (np.arange(count)[:, None] * step + np.arange(segment)).ravel()
    length = segment + (count - 1) * step
    weights = lax.broadcast_to_rank(window * jnp.sum(window), pieces.ndim).astype(pieces.dtype)
    pieces = (pieces * weights).reshape(*pieces.shape[:-2], -1)
    out = jnp.zeros((*pieces.shape[:-1], length), pieces.dtype).at[..., places].add(pieces)
    weights = jnp.zeros(length, window.dtype).at[places].add(jnp.tile(window * window, count))
    half = segment // 2
    if boundary:
        out, weights = out[..., half : length - half], weights[half : length - half]
    out = out / lax.broadcast_to_rank(jnp.where(weights > 1e-10, weights, 1), out.ndim).astype(out.dtype)
    if out.ndim > 1:
        # The axis of the signal takes the place of the first of both.
        out = jnp.moveaxis(out, -1, min(time_axis, freq_axis))
    # JAX parity: as many times as the first axis has elements, test_values_and_cotangents
    return jnp.arange(out.shape[0], dtype=window.dtype) / fs, out

public(globals())
