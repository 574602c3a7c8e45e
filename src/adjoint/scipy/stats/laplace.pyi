# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values up to x.

    The distribution is Laplace's, whose density goes as exp(-|x|).

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(0.0))
    0.5
    """
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the density at x.

    The distribution is Laplace's, whose density goes as exp(-|x|).

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5).round(4))
    -1.1931
    """
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the density at x.

    The distribution is Laplace's, whose density goes as exp(-|x|).

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.5).round(4))
    0.3033
    """
