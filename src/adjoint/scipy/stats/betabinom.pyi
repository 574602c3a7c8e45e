# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the logarithm of the probability of k; NaN unless a and b are positive and n is not negative.

    The distribution is the beta-binomial one, of the successes among n trials whose common probability has a beta distribution.

    Args:
      k: whole numbers, an array or a scalar.
      n: the number of trials.
      a: of the beta distribution, positive.
      b: of the beta distribution, positive.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Logarithms of probabilities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpmf(1, 4, 1.0, 2.0).round(4))
    -1.3218
    """
def pmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the probability of k.

    The distribution is the beta-binomial one, of the successes among n trials whose common probability has a beta distribution.

    Args:
      k: whole numbers, an array or a scalar.
      n: the number of trials.
      a: of the beta distribution, positive.
      b: of the beta distribution, positive.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pmf(0, 1, 1.0, 1.0).round(3))
    0.5
    """
