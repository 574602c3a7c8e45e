# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Return the logarithm of the density of Dirichlet's distribution at x.

    Args:
      x: ``[k, ...]``, positive components that sum to 1 along the first axis; or ``[k - 1, ...]``, without the last
        one.
      alpha: ``[k]``, positive.
    Returns:
      Floats, in an array with the other axes of `x`; -inf where `x` is no such vector.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: `alpha` has not one axis, or the numbers of components do not fit.

    >>> print(logpdf(jnp.array([0.2, 0.8]), jnp.array([1.0, 2.0])).round(3))
    0.47
    """
def pdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Return the density of Dirichlet's distribution at x.

    Args:
      x: ``[k, ...]``, positive components that sum to 1 along the first axis; or ``[k - 1, ...]``, without the last
        one.
      alpha: ``[k]``, positive.
    Returns:
      Floats, in an array with the other axes of `x`; 0 where `x` is no such vector.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: `alpha` has not one axis, or the numbers of components do not fit.

    >>> print(pdf(jnp.array([0.2, 0.8]), jnp.array([1.0, 2.0])).round(3))
    1.6
    """
