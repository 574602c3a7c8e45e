# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Return the probability of values up to x.

    The distribution is the generalized normal one, whose density goes as exp(-|x| ** beta).

    Args:
      x: where, an array or a scalar.
      beta: the exponent, positive: 2 for a normal distribution, 1 for Laplace's.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(0.0, 2.0))
    0.5
    """
def logpdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Return the logarithm of the density at x.

    The distribution is the generalized normal one, whose density goes as exp(-|x| ** beta).

    Args:
      x: where, an array or a scalar.
      beta: the exponent, positive: 2 for a normal distribution, 1 for Laplace's.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5, 2.0).round(4))
    -0.8224
    """
def pdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Return the density at x.

    The distribution is the generalized normal one, whose density goes as exp(-|x| ** beta).

    Args:
      x: where, an array or a scalar.
      beta: the exponent, positive: 2 for a normal distribution, 1 for Laplace's.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.5, 2.0).round(4))
    0.4394
    """
