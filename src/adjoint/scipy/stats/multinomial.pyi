# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Return the logarithm of the probability of the counts x, with the multinomial distribution.

    Args:
      x: `[..., k]`, of an integer dtype.
      n: the sum of all of x, of an integer dtype; elsewhere the probability is 0.
      p: `[..., k]`, the probabilities.
    Returns:
      Floats, in an array without the last axis of `x` and `p`.
    Raises:
      ValueError: x or n is not of an integer dtype.

    >>> print(logpmf(jnp.array([1, 2]), 3, jnp.array([0.5, 0.5])).round(4))
    -0.9808
    """
def pmf(x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Return the probability of the counts x, with the multinomial distribution.

    Args:
      x: `[..., k]`, of an integer dtype.
      n: the sum of all of x, of an integer dtype; elsewhere the probability is 0.
      p: `[..., k]`, the probabilities.
    Returns:
      Floats, in an array without the last axis of `x` and `p`.
    Raises:
      ValueError: x or n is not of an integer dtype.

    >>> print(pmf(jnp.array([1, 1]), 2, jnp.array([0.5, 0.5])).round(3))
    0.5
    """
