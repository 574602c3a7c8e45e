# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values up to x.

    The distribution is the gamma one, whose density goes as x ** (a - 1) exp(-x); it has no values below 0.

    Args:
      x: where, an array or a scalar.
      a: the shape, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(0.5, 2.0).round(4))
    0.0902
    """
def logcdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the probability of values up to x.

    The distribution is the gamma one, whose density goes as x ** (a - 1) exp(-x); it has no values below 0.

    Args:
      x: where, an array or a scalar.
      a: the shape, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of probabilities, from -inf to 0: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logcdf(0.5, 2.0).round(4))
    -2.4057
    """
def logpdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the density at x.

    The distribution is the gamma one, whose density goes as x ** (a - 1) exp(-x); it has no values below 0.

    Args:
      x: where, an array or a scalar.
      a: the shape, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5, 2.0).round(4))
    -1.1931
    """
def logsf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the probability of values above x.

    The distribution is the gamma one, whose density goes as x ** (a - 1) exp(-x); it has no values below 0.

    Args:
      x: where, an array or a scalar.
      a: the shape, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of probabilities, from -inf to 0: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logsf(0.5, 2.0).round(4))
    -0.0945
    """
def pdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the density at x.

    The distribution is the gamma one, whose density goes as x ** (a - 1) exp(-x); it has no values below 0.

    Args:
      x: where, an array or a scalar.
      a: the shape, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.5, 2.0).round(4))
    0.3033
    """
def sf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    The distribution is the gamma one, whose density goes as x ** (a - 1) exp(-x); it has no values below 0.

    Args:
      x: where, an array or a scalar.
      a: the shape, positive.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Probabilities, going down as the value goes up: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(sf(0.0, 1.0))
    1.0
    """
