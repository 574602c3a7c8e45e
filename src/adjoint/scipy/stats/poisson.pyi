# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def cdf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the probability of values up to k.

    The distribution is Poisson's, of the number of events of which there are mu in the mean, from 0 on.

    Args:
      k: where, an array or a scalar.
      mu: the mean, not negative.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Probabilities, going up with the value: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(cdf(1, 2.0).round(4))
    0.406
    """
def entropy(mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the entropy of Poisson's distribution; NaN for negative mu.

    Source: for mu from 100 on, the asymptotic series of Evans and Boersma, "The entropy of a Poisson distribution",
    SIAM Review 30 (1988).

    Args:
      mu: the mean, array or scalar.
      loc: has no effect on the value.
    Returns:
      Floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array.
      ValueError: the shapes do not broadcast.

    >>> print(entropy(0.0))
    0.0
    """
def logpmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the logarithm of the probability of k.

    The distribution is Poisson's, of the number of events of which there are mu in the mean, from 0 on.

    Args:
      k: whole numbers, an array or a scalar.
      mu: the mean, not negative.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Logarithms of probabilities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpmf(1, 2.0).round(4))
    -1.3069
    """
def pmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Return the probability of k.

    The distribution is Poisson's, of the number of events of which there are mu in the mean, from 0 on.

    Args:
      k: whole numbers, an array or a scalar.
      mu: the mean, not negative.
      loc: by how much the values are moved; 0 by default.
    Returns:
      Probabilities: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pmf(0, 0.0))
    1.0
    """
