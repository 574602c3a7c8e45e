# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(k: ArrayLike, p: ArrayLike) -> Array:
    """Return the probability of values up to k.

    The distribution is Bernoulli's: 1 with probability p, else 0.

    Args:
      k: where, an array or a scalar.
      p: the probability of 1, from 0 to 1.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(0, 0.5))
    0.5
    """
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the logarithm of the probability of k.

    The distribution is Bernoulli's: 1 with probability p, else 0.

    Args:
      k: whole numbers, an array or a scalar.
      p: the probability of 1, from 0 to 1.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Logarithms of probabilities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpmf(1, 0.25).round(4))
    -1.3863
    """
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the probability of k.

    The distribution is Bernoulli's: 1 with probability p, else 0.

    Args:
      k: whole numbers, an array or a scalar.
      p: the probability of 1, from 0 to 1.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pmf(1, 0.25).round(4))
    0.25
    """
def ppf(q: ArrayLike, p: ArrayLike) -> Array:
    """Return the value up to which there is a probability, the inverse of `cdf`.

    The distribution is Bernoulli's: 1 with probability p, else 0.

    Args:
      q: probabilities from 0 to 1, an array or a scalar.
      p: the probability of 1, from 0 to 1.
    Returns:
      The values up to which there are such probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(ppf(0.9, 0.25))
    1.0
    """
