# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike, allow_singular: None = None) -> Array:
    """Return the logarithm of the density of a normal distribution of vectors at x.

    Args:
      x, mean: `[..., n]`, or scalars.
      cov: positive definite, `[..., n, n]`; or the variance, a scalar.
      allow_singular: must be None.
    Returns:
      Floats, in an array of the shape to which the batch axes broadcast; NaN where `cov` is not positive definite.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      NotImplementedError: allow_singular is given.
      ValueError: the shapes do not fit.

    >>> print(logpdf(0.0, 0.0, 1.0).round(3))
    -0.919
    """
def pdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Array:
    """Return the density of a normal distribution of vectors at x.

    Args:
      x, mean: `[..., n]`, or scalars.
      cov: positive definite, `[..., n, n]`; or the variance, a scalar.
    Returns:
      Floats, in an array of the shape to which the batch axes broadcast; NaN where `cov` is not positive definite.
      The dtype is the one to which those of the arrays promote; integers and booleans become floats.
    Raises:
      ValueError: the shapes do not fit.

    >>> print(pdf(0.0, 0.0, 1.0).round(3))
    0.399
    """
