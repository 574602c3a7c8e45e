# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the probability of values up to x.

    The distribution is the uniform one, from loc to loc + scale.

    Args:
      x: where, an array or a scalar.
      loc: the lower end; 0 by default.
      scale: the length of the interval, positive; 1 by default.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(0.5))
    0.5
    """
def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the logarithm of the density at x.

    The distribution is the uniform one, from loc to loc + scale.

    Args:
      x: where, an array or a scalar.
      loc: the lower end; 0 by default.
      scale: the length of the interval, positive; 1 by default.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5, 0.0, 2.0).round(4))
    -0.6931
    """
def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the density at x.

    The distribution is the uniform one, from loc to loc + scale.

    Args:
      x: where, an array or a scalar.
      loc: the lower end; 0 by default.
      scale: the length of the interval, positive; 1 by default.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.5, 0.0, 2.0).round(4))
    0.5
    """
def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    The distribution is the uniform one, from loc to loc + scale.

    Args:
      q: probabilities from 0 to 1, an array or a scalar.
      loc: the lower end; 0 by default.
      scale: the length of the interval, positive; 1 by default.
    Returns:
      The values up to which there are such probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(ppf(0.25, 0.0, 2.0).round(4))
    0.5
    """
