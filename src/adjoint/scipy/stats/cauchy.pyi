# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values up to x.

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(0.0))
    0.5
    """
def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the value above which there is a probability, the inverse of `sf`.

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      q: probabilities from 0 to 1, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      The values above which there are such probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(isf(0.25).round(4))
    1.0
    """
def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the probability of values up to x.

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of probabilities, from -inf to 0: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logcdf(0.5).round(4))
    -0.4345
    """
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the density at x.

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5).round(4))
    -1.3679
    """
def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the probability of values above x.

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of probabilities, from -inf to 0: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logsf(0.5).round(4))
    -1.0429
    """
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the density at x.

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.5).round(4))
    0.2546
    """
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      q: probabilities from 0 to 1, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      The values up to which there are such probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(ppf(0.25).round(4))
    -1.0
    """
def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    The distribution is Cauchy's, whose density goes as 1 / (1 + x ** 2); it has no mean.

    Args:
      x: where, an array or a scalar.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Probabilities, going down as the value goes up: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(sf(0.5).round(4))
    0.3524
    """
