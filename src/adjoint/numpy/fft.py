"""`adjoint.numpy.fft`: Fourier transforms over any axes, their frequencies, and shifts of the origin.

Each function pads or cuts its operand, brings the axes to the end for the primitive of `lax.fft`, which does
three at once, and scales the result as `norm` says: "backward" (None) scales inverse transforms by one over
the number of elements, "forward" the others, "ortho" both by one over its root.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import lax
from ..core import dtypes
from ..core.messages.boundaries import public
from ..core.messages.errors import message
from ..core.types import Array
from ..lax.linear.fourier import FftType
from ..transforms.jit.replay import replayed
from . import reductions, ufuncs
from .axes import canonical_axes, canonical_axis, repeated_axes
from .creation import arange, array, asarray
from .padding import pad
from .promotion import check_arraylike, strong
from .rotations import roll
from .shapes import moveaxis

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft",
    "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]

_FFT, _IFFT, _RFFT, _IRFFT = FftType
_MAX_AXES_OF_PRIMITIVE = 3  # axes that the primitive transforms


# ---- transforms ---------------------------------------------------------------------------------


_AS_IT_IS = -1  # a length, where there are several


def _transformed(name: str, kind: FftType, a, s, axes, norm, inverse: bool | None = None, kept=_AS_IT_IS) -> Array:
    """Return the transform over several axes; `inverse` says how to scale it, if not by its kind.

    A length `kept` in `s` stands for the one that the axis has without `s`.
    """
    name = f"jax.numpy.fft.{name}"
    check_arraylike(name, a)
    a = asarray(a)
    if s is not None:
        s = tuple([operator.index(n) for n in s])
        if any(n < 1 and n != kept for n in s):
            raise ValueError(message("Shape should be positive.", why=f"{name} got the lengths {s}.",
                                     fix="a length of 1 or more, or None for that of the array"))
    if axes is None:
        axes = tuple(range(a.ndim))[a.ndim - len(s) if s is not None and len(s) < a.ndim else 0 :]
        if s is not None and len(s) > a.ndim:
            raise ValueError(f"{name} got {len(s)} lengths for an array of shape {a.shape}.")
    elif s is not None and len(axes) != len(s):
        raise ValueError(message("Shape and axes have different lengths.", why=f"{name} got s={s}, axes={axes}."))
    if len(set(axes)) != len(axes):
        raise ValueError(
            message(f"{name} does not support repeated axes. Got axes {axes}.", fix="each axis once: axes=(-2, -1)")
        )
    axes = canonical_axes(tuple(axes), a.ndim)
    last = tuple(range(a.ndim - len(axes), a.ndim))
    a = moveaxis(a, axes, last) if axes != last else a
    lengths = a.shape[a.ndim - len(axes) :]
    full = (*lengths[:-1], max(0, 2 * (lengths[-1] - 1))) if kind is _IRFFT and lengths else lengths
    if s is None:
        s = full
    else:
        s = tuple([m if n == kept else n for n, m in zip(s, full)])
        used = (*s[:-1], s[-1] // 2 + 1) if kind is _IRFFT else s
        a = a[(..., *[slice(n) for n in used])] if any(n < m for n, m in zip(used, lengths)) else a
        more = [(0, n - m) for n, m in zip(used, a.shape[a.ndim - len(axes) :])]
        a = pad(a, [(0, 0)] * (a.ndim - len(axes)) + more) if axes else a
    out = _over_last_axes(a, kind, s)
    out = _scaled(out, s, norm, kind in (_IFFT, _IRFFT) if inverse is None else inverse)
    return moveaxis(out, last, axes) if axes != last else out


def _over_last_axes(a, kind: FftType, s: tuple[int, ...]) -> Array:
    """Return the transform over as many of the last axes as there are lengths."""
    n = len(s)
    if n <= _MAX_AXES_OF_PRIMITIVE:
        return lax.fft(a, kind, s)
    k = 2 if n == 4 else _MAX_AXES_OF_PRIMITIVE  # two and two rather than three and one
    at = tuple(range(a.ndim - n, a.ndim - k))
    ends = tuple(range(a.ndim - len(at), a.ndim))
    inverse = kind in (_IFFT, _IRFFT)
    if not inverse:
        a = lax.fft(a, kind, s[-k:])
    a = moveaxis(_over_last_axes(moveaxis(a, at, ends), _IFFT if inverse else _FFT, s[:-k]), ends, at)
    return lax.fft(a, kind, s[-k:]) if inverse else a


def _scaled(x, s, norm, inverse: bool) -> Array:
    if norm is None:
        return x
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(
            f'Invalid norm value {norm}; should be "backward","ortho" or "forward".\n'
            '  Try: norm="ortho", which makes the transform and its inverse unitary'
        )
    if norm == "backward":
        return lax.mul(x, strong(x, 1))
    size = reductions.prod(asarray(np.asarray(s, x.dtype)))
    size = ufuncs.sqrt(size) if norm == "ortho" else size
    return x * (size if inverse else 1 / size)


def _several(name: str, kind: FftType, summary: str, example: str) -> Callable:
    def function(a, s=None, axes=None, norm=None) -> Array:
        return _transformed(name, kind, a, s, axes, norm)

    return _described(function, name, summary, example)


def _two(name: str, kind: FftType, summary: str, example: str) -> Callable:
    def function(a, s=None, axes=(-2, -1), norm=None) -> Array:
        if len(axes) != 2:
            raise ValueError(
                f"jax.numpy.fft.{name} only supports 2 axes. Got axes = {axes}.\n"
                f"  Try: jnp.fft.{name[:-1]}n(a, axes={axes})"
            )
        return _transformed(name, kind, a, s, axes, norm)

    return _described(function, name, summary, example)


def _one(name: str, kind: FftType, summary: str, example: str) -> Callable:
    def function(a, n=None, axis=-1, norm=None) -> Array:
        return _along(name, kind, a, n, axis, norm)

    return _described(function, name, summary, example)


def _along(name, kind, a, n, axis, norm, inverse=None) -> Array:
    if isinstance(axis, (tuple, list)):
        raise ValueError(
            message(
                f"jax.numpy.fft.{name} does not support multiple axes. Please use jax.numpy.fft.{name}n. "
                f"Got axis = {axis}.",
                fix=f"jnp.fft.{name}n(x, axes=axis)",
            )
        )
    axes = None if axis is None else (axis,)
    return _transformed(name, kind, a, None if n is None else (n,), axes, norm, inverse, kept=None)


_ARGUMENTS = {
    "n": "the length of the axis{}; `a` is cut, or padded with zeros. Default: {}.",
    "s": "the lengths of the axes{}; `a` is cut, or padded with zeros. Default, and what -1 stands for: {}.",
    "axis": "which one.",
    "axes": "which ones{}.",
    "norm": 'which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by '
            "sqrt(n).",
}


def _described(function: Callable, name: str, summary: str, example: str) -> Callable:
    """Return a name, a docstring and the short cut of replayed calls."""
    names = function.__code__.co_varnames[1 : function.__code__.co_argcount]
    real = name.startswith("irfft") or name == "hfft"
    of_result = " of the result" if real else ""
    default = "twice the last length less one" if real else "as it is"
    default_axes = "; default all, or as many of the last as there are lengths" if name.endswith("n") else ""
    texts = {
        "n": _ARGUMENTS["n"].format(of_result, default), "s": _ARGUMENTS["s"].format(of_result, default),
        "axis": _ARGUMENTS["axis"], "axes": _ARGUMENTS["axes"].format(default_axes), "norm": _ARGUMENTS["norm"],
    }
    is_inverse = name.startswith(("i", "h")) and name != "ihfft"
    what = f"{'Real' if real else 'Complex'} {'values' if is_inverse else 'coefficients'}"
    dtypes = "float32, or float64" if real else "complex64, or complex128"
    out = replayed(function)
    call, result = example.split(" -> ")
    out.__name__ = out.__qualname__ = name
    out.__module__ = "adjoint.numpy.fft"
    out.__doc__ = "\n".join([
        f"{summary}\n", "    Args:", "      a: array.", *[f"      {n}: {texts[n]}" for n in names],
        "    Returns:", f"      {what}, in an array with as many axes as `a`:",
        f"      {dtypes} for operands of 64 bits.",
        "    Raises:", "      ValueError: a length is not positive, or axes are repeated or out of range.\n",
        f"    >>> jnp.fft.{call}", f"    {result}", "    ",
    ])
    return out


fft = _one("fft", _FFT, "Return the Fourier transform over one axis.",
           "fft(jnp.array([1., 2., 3., 4.])) -> Array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)")
ifft = _one("ifft", _IFFT, "Return the inverse of `fft`.",
            "ifft(jnp.array([4., 0., 0., 0.])) -> Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)")
rfft = _one("rfft", _RFFT, "Return the Fourier transform of real numbers over one axis: `n // 2 + 1` coefficients.",
            "rfft(jnp.array([1., 2., 3., 4.])) -> Array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)")
irfft = _one("irfft", _IRFFT, "Return the inverse of `rfft`: real numbers.",
             "irfft(jnp.array([4., 0., 0.])) -> Array([1., 1., 1., 1.], dtype=float32)")
fft2 = _two("fft2", _FFT, "Return the Fourier transform over two axes.",
            "fft2(jnp.ones((2, 2))) -> Array([[4.+0.j, 0.+0.j],\n           [0.+0.j, 0.+0.j]], dtype=complex64)")
ifft2 = _two("ifft2", _IFFT, "Return the inverse of `fft2`.",
             "ifft2(jnp.eye(2)) -> Array([[0.5+0.j, 0. +0.j],\n           [0. +0.j, 0.5+0.j]], dtype=complex64)")
rfft2 = _two("rfft2", _RFFT, "Return the Fourier transform of real numbers over two axes.",
             "rfft2(jnp.ones((2, 2))) -> Array([[4.+0.j, 0.+0.j],\n           [0.+0.j, 0.+0.j]], dtype=complex64)")
irfft2 = _two("irfft2", _IRFFT, "Return the inverse of `rfft2`: real numbers.",
              "irfft2(jnp.eye(2)) -> Array([[0.5, 0. ],\n           [0. , 0.5]], dtype=float32)")
fftn = _several("fftn", _FFT, "Return the Fourier transform over several axes.",
                "fftn(jnp.ones((2, 2, 2)))[0, 0] -> Array([8.+0.j, 0.+0.j], dtype=complex64)")
ifftn = _several("ifftn", _IFFT, "Return the inverse of `fftn`.",
                 "ifftn(jnp.ones((2, 2)))[0] -> Array([1.+0.j, 0.+0.j], dtype=complex64)")
rfftn = _several("rfftn", _RFFT, "Return the Fourier transform of real numbers over several axes.",
                 "rfftn(jnp.ones((2, 2, 2)))[0, 0] -> Array([8.+0.j, 0.+0.j], dtype=complex64)")
irfftn = _several("irfftn", _IRFFT, "Return the inverse of `rfftn`: real numbers.",
                  "irfftn(jnp.ones((2, 2)))[0] -> Array([1., 0.], dtype=float32)")


def _hfft(a, n=None, axis=-1, norm=None) -> Array:
    check_arraylike("jax.numpy.fft.hfft", a)
    a = asarray(a)
    at = -1 if axis is None or isinstance(axis, (tuple, list)) else canonical_axis(axis, a.ndim)
    length = 2 * (a.shape[at] - 1) if n is None else n
    out = _along("hfft", _IRFFT, ufuncs.conj(a), n, axis, norm, inverse=False)
    return lax.mul(out, strong(out, length))


def _ihfft(a, n=None, axis=-1, norm=None) -> Array:
    a = asarray(a)  # JAX parity: lists too
    at = -1 if axis is None or isinstance(axis, (tuple, list)) else canonical_axis(axis, a.ndim)
    length = a.shape[at] if n is None else n
    if isinstance(length, int) and length == 0:
        raise ValueError(message("Shape should be positive.", why="jax.numpy.fft.ihfft got an axis of length 0."))
    out = _along("ihfft", _RFFT, a, n, axis, norm, inverse=True)
    return lax.mul(ufuncs.conj(out), strong(out, 1 / length))


hfft = _described(
    _hfft, "hfft",
    "Return the Fourier transform, real, of numbers of which the second half is the conjugate of the first.",
    "hfft(jnp.array([1., 2., 1.])) -> Array([6., 0., -2., 0.], dtype=float32)",
)
ihfft = _described(
    _ihfft, "ihfft", "Return the inverse of `hfft`, of which only the first half is returned.",
    "ihfft(jnp.array([4., 0., 0., 0.])) -> Array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)",
)


# ---- frequencies and shifts ---------------------------------------------------------------------


def _count(name: str, n):
    if isinstance(n, (list, tuple)):
        raise ValueError(
            f"The n argument of jax.numpy.fft.{name} only takes an int. Got n = {list(n)}.\n"
            f"  Try: jnp.fft.{name}(len(x))"
        )
    return n


def _distance(name: str, d):
    if isinstance(d, (list, tuple)):
        raise ValueError(
            f"The d argument of jax.numpy.fft.{name} only takes a single value. Got d = {list(d)}.\n"
            f"  Try: jnp.fft.{name}(n, x[1] - x[0])"
        )
    return d


def fftfreq(n: int, d: Any = 1.0, *, dtype=None, device=None) -> Array:
    """Return the frequencies of the coefficients of `fft`, in cycles per unit of `d`.

    Args:
      n: the length of the transformed axis.
      d: the distance of the samples.
      dtype: of the result; default the default float.
      device: where the result is to be.
    Returns:
      `[n]`: 0, the positive frequencies going up, then the negative ones.
      The dtype is the default float, unless `dtype` says another.
    Raises:
      ValueError: `n` or `d` is a sequence.

    >>> jnp.fft.fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float32)
    """
    n, d = _count("fftfreq", n), _distance("fftfreq", d)
    wanted = dtypes.default_float() if dtype is None else dtypes.check_user_dtype_supported(dtype, "fftfreq")
    inner = dtypes.to_real_dtype(wanted) if wanted.kind in "fc" else dtypes.default_float()
    k = n // 2
    places = (arange(n, dtype=inner) + k) % n - k
    out = places / array(d * n, dtype=inner)
    out = lax.convert_element_type(out, wanted)
    return asarray(out, device=device) if device is not None else out


def rfftfreq(n: int, d: Any = 1.0, *, dtype=None, device=None) -> Array:
    """Return the frequencies of the coefficients of `rfft`, in cycles per unit of `d`.

    Args:
      n: the length of the transformed axis.
      d: the distance of the samples.
      dtype: of the result; default the default float.
      device: where the result is to be.
    Returns:
      `[n // 2 + 1]`, from 0 going up. The dtype is the default float, unless `dtype` says another.
    Raises:
      ValueError: `n` or `d` is a sequence.

    >>> jnp.fft.rfftfreq(4)
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    n, d = _count("rfftfreq", n), _distance("rfftfreq", d)
    wanted = dtypes.default_float() if dtype is None else dtypes.check_user_dtype_supported(dtype, "rfftfreq")
    out = arange((n if n % 2 == 0 else n - 1) // 2 + 1, dtype=wanted) / array(d * n, dtype=wanted)
    return asarray(out, device=device) if device is not None else out


def fftshift(x, axes=None) -> Array:
    """Return the array with the zero frequency in the middle of axes, instead of at their start.

    Args:
      x: array, such as coefficients or frequencies.
      axes: an axis, a tuple of axes, or None for all.
    Returns:
      The same elements, rolled by half the length of each of the axes. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.fft.fftshift(jnp.array([0, 1, 2, -2, -1]))
    Array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x, axes=None) -> Array:
    """Return the array with the zero frequency at the start of axes, the inverse of `fftshift`.

    Args:
      x: array, such as coefficients or frequencies.
      axes: an axis, a tuple of axes, or None for all.
    Returns:
      The same elements, rolled back. The dtype is that of `x`.
    Raises:
      TypeError: `x` is not an array or scalar; lists are not converted.

    >>> jnp.fft.ifftshift(jnp.array([-2, -1, 0, 1, 2]))
    Array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted("ifftshift", x, axes, lambda n: -(n // 2))


def _shifted(name, x, axes, by: Callable) -> Array:
    check_arraylike(name, x)
    x = asarray(x)
    axes = repeated_axes(axes, x.ndim)
    return roll(x, tuple([by(x.shape[i]) for i in axes]), axes) if axes else x

public(globals())
