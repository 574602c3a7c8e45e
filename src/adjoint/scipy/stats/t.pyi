# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the density at x.

    The distribution is Student's, of a mean of normal numbers divided by its estimated error.

    Args:
      x: where, an array or a scalar.
      df: the number of degrees of freedom, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5, 3.0).round(4))
    -1.161
    """
def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the density at x.

    The distribution is Student's, of a mean of normal numbers divided by its estimated error.

    Args:
      x: where, an array or a scalar.
      df: the number of degrees of freedom, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.5, 3.0).round(4))
    0.3132
    """
