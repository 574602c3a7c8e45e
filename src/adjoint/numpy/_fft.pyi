# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from adjoint.typing import DTypeLike
from collections.abc import Sequence
from typing import Any
def fft(a: ArrayLike, n: ArrayLike | None = None, axis: int | Sequence[int] | None = -1, norm: str | None = None) -> Array:
    """Return the Fourier transform over one axis.

    Args:
      a: array.
      n: the length of the axis; `a` is cut, or padded with zeros. Default: as it is.
      axis: which one.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex coefficients, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.fft(jnp.array([1., 2., 3., 4.]))
    Array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
    """
def fft2(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = (-2, -1), norm: str | None = None) -> Array:
    """Return the Fourier transform over two axes.

    Args:
      a: array.
      s: the lengths of the axes; `a` is cut, or padded with zeros. Default, and what -1 stands for: as it is.
      axes: which ones.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex coefficients, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.fft2(jnp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
def fftfreq(n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Any = None) -> Array:
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
def fftn(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = None, norm: str | None = None) -> Array:
    """Return the Fourier transform over several axes.

    Args:
      a: array.
      s: the lengths of the axes; `a` is cut, or padded with zeros. Default, and what -1 stands for: as it is.
      axes: which ones; default all, or as many of the last as there are lengths.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex coefficients, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.fftn(jnp.ones((2, 2, 2)))[0, 0]
    Array([8.+0.j, 0.+0.j], dtype=complex64)
    """
def fftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
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
def hfft(a: ArrayLike, n: ArrayLike | None = None, axis: int | Sequence[int] | None = -1, norm: str | None = None) -> Array:
    """Return the Fourier transform, real, of numbers of which the second half is the conjugate of the first.

    Args:
      a: array.
      n: the length of the axis of the result; `a` is cut, or padded with zeros. Default: twice the last length less one.
      axis: which one.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Real values, in an array with as many axes as `a`:
      float32, or float64 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.hfft(jnp.array([1., 2., 1.]))
    Array([6., 0., -2., 0.], dtype=float32)
    """
def ifft(a: ArrayLike, n: ArrayLike | None = None, axis: int | Sequence[int] | None = -1, norm: str | None = None) -> Array:
    """Return the inverse of `fft`.

    Args:
      a: array.
      n: the length of the axis; `a` is cut, or padded with zeros. Default: as it is.
      axis: which one.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex values, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.ifft(jnp.array([4., 0., 0., 0.]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
def ifft2(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = (-2, -1), norm: str | None = None) -> Array:
    """Return the inverse of `fft2`.

    Args:
      a: array.
      s: the lengths of the axes; `a` is cut, or padded with zeros. Default, and what -1 stands for: as it is.
      axes: which ones.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex values, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.ifft2(jnp.eye(2))
    Array([[0.5+0.j, 0. +0.j],
           [0. +0.j, 0.5+0.j]], dtype=complex64)
    """
def ifftn(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = None, norm: str | None = None) -> Array:
    """Return the inverse of `fftn`.

    Args:
      a: array.
      s: the lengths of the axes; `a` is cut, or padded with zeros. Default, and what -1 stands for: as it is.
      axes: which ones; default all, or as many of the last as there are lengths.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex values, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.ifftn(jnp.ones((2, 2)))[0]
    Array([1.+0.j, 0.+0.j], dtype=complex64)
    """
def ifftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
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
def ihfft(a: ArrayLike, n: ArrayLike | None = None, axis: int | Sequence[int] | None = -1, norm: str | None = None) -> Array:
    """Return the inverse of `hfft`, of which only the first half is returned.

    Args:
      a: array.
      n: the length of the axis; `a` is cut, or padded with zeros. Default: as it is.
      axis: which one.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex coefficients, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.ihfft(jnp.array([4., 0., 0., 0.]))
    Array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
def irfft(a: ArrayLike, n: ArrayLike | None = None, axis: int | Sequence[int] | None = -1, norm: str | None = None) -> Array:
    """Return the inverse of `rfft`: real numbers.

    Args:
      a: array.
      n: the length of the axis of the result; `a` is cut, or padded with zeros. Default: twice the last length less one.
      axis: which one.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Real values, in an array with as many axes as `a`:
      float32, or float64 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.irfft(jnp.array([4., 0., 0.]))
    Array([1., 1., 1., 1.], dtype=float32)
    """
def irfft2(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = (-2, -1), norm: str | None = None) -> Array:
    """Return the inverse of `rfft2`: real numbers.

    Args:
      a: array.
      s: the lengths of the axes of the result; `a` is cut, or padded with zeros. Default, and what -1 stands for: twice the last length less one.
      axes: which ones.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Real values, in an array with as many axes as `a`:
      float32, or float64 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.irfft2(jnp.eye(2))
    Array([[0.5, 0. ],
           [0. , 0.5]], dtype=float32)
    """
def irfftn(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = None, norm: str | None = None) -> Array:
    """Return the inverse of `rfftn`: real numbers.

    Args:
      a: array.
      s: the lengths of the axes of the result; `a` is cut, or padded with zeros. Default, and what -1 stands for: twice the last length less one.
      axes: which ones; default all, or as many of the last as there are lengths.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Real values, in an array with as many axes as `a`:
      float32, or float64 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.irfftn(jnp.ones((2, 2)))[0]
    Array([1., 0.], dtype=float32)
    """
def rfft(a: ArrayLike, n: ArrayLike | None = None, axis: int | Sequence[int] | None = -1, norm: str | None = None) -> Array:
    """Return the Fourier transform of real numbers over one axis: `n // 2 + 1` coefficients.

    Args:
      a: array.
      n: the length of the axis; `a` is cut, or padded with zeros. Default: as it is.
      axis: which one.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex coefficients, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.rfft(jnp.array([1., 2., 3., 4.]))
    Array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)
    """
def rfft2(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = (-2, -1), norm: str | None = None) -> Array:
    """Return the Fourier transform of real numbers over two axes.

    Args:
      a: array.
      s: the lengths of the axes; `a` is cut, or padded with zeros. Default, and what -1 stands for: as it is.
      axes: which ones.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex coefficients, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.rfft2(jnp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
def rfftfreq(n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Any = None) -> Array:
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
def rfftn(a: ArrayLike, s: ArrayLike | None = None, axes: int | Sequence[int] | None = None, norm: str | None = None) -> Array:
    """Return the Fourier transform of real numbers over several axes.

    Args:
      a: array.
      s: the lengths of the axes; `a` is cut, or padded with zeros. Default, and what -1 stands for: as it is.
      axes: which ones; default all, or as many of the last as there are lengths.
      norm: which of the two is divided: "backward" (None) the inverse by n; "forward" the other one; "ortho" both by sqrt(n).
    Returns:
      Complex coefficients, in an array with as many axes as `a`:
      complex64, or complex128 for operands of 64 bits.
    Raises:
      ValueError: a length is not positive, or axes are repeated or out of range.

    >>> jnp.fft.rfftn(jnp.ones((2, 2, 2)))[0, 0]
    Array([8.+0.j, 0.+0.j], dtype=complex64)
    """
