# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
from collections.abc import Sequence
def dct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
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
def dctn(x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Array:
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
def idct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
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
def idctn(x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Array:
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
