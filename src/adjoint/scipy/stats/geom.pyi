# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the logarithm of the probability of k.

    The distribution is the geometric one, of the number of trials up to the first success, from 1 on.

    Args:
      k: whole numbers, an array or a scalar.
      p: the probability of a success, from 0 to 1.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Logarithms of probabilities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpmf(2, 0.5).round(4))
    -1.3863
    """
def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the probability of k.

    The distribution is the geometric one, of the number of trials up to the first success, from 1 on.

    Args:
      k: whole numbers, an array or a scalar.
      p: the probability of a success, from 0 to 1.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pmf(1, 1.0))
    1.0
    """
