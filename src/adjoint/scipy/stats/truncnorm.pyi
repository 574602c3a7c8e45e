# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values up to x.

    The distribution is the normal one between a and b, which count in units of scale from loc; it has no values beyond them.

    Args:
      x: where, an array or a scalar.
      a: the lower end.
      b: the upper end.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(0.0, -1.0, 1.0).round(3))
    0.5
    """
def logcdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the probability of values up to x.

    The distribution is the normal one between a and b, which count in units of scale from loc; it has no values beyond them.

    Args:
      x: where, an array or a scalar.
      a: the lower end.
      b: the upper end.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of probabilities, from -inf to 0: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logcdf(0.5, -1.0, 2.0).round(4))
    -0.4294
    """
def logpdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the density at x; NaN unless a < b.

    The distribution is the normal one between a and b, which count in units of scale from loc; it has no values beyond them.

    Args:
      x: where, an array or a scalar.
      a: the lower end.
      b: the upper end.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5, -1.0, 2.0).round(4))
    -0.8438
    """
def logsf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the probability of values above x.

    The distribution is the normal one between a and b, which count in units of scale from loc; it has no values beyond them.

    Args:
      x: where, an array or a scalar.
      a: the lower end.
      b: the upper end.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Logarithms of probabilities, from -inf to 0: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logsf(0.5, -1.0, 2.0).round(4))
    -1.0523
    """
def pdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the density at x.

    The distribution is the normal one between a and b, which count in units of scale from loc; it has no values beyond them.

    Args:
      x: where, an array or a scalar.
      a: the lower end.
      b: the upper end.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.5, -1.0, 2.0).round(4))
    0.4301
    """
def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values above x, 1 - cdf(x).

    The distribution is the normal one between a and b, which count in units of scale from loc; it has no values beyond them.

    Args:
      x: where, an array or a scalar.
      a: the lower end.
      b: the upper end.
      loc: by how much the values are moved; 0 by default.
      scale: by how much they are stretched, positive; 1 by default.
    Returns:
      Probabilities, going down as the value goes up: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(sf(0.5, -1.0, 2.0).round(4))
    0.3491
    """
