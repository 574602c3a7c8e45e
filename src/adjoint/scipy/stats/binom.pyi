# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the logarithm of the probability of k.

    The distribution is the binomial one, of the successes among n independent trials, from 0 to n.

    Args:
      k: whole numbers, an array or a scalar.
      n: the number of trials.
      p: the probability of a success, from 0 to 1.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Logarithms of probabilities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpmf(2, 4, 0.5).round(4))
    -0.9808
    """
def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the probability of k.

    The distribution is the binomial one, of the successes among n independent trials, from 0 to n.

    Args:
      k: whole numbers, an array or a scalar.
      n: the number of trials.
      p: the probability of a success, from 0 to 1.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pmf(0, 0, 0.5))
    1.0
    """
