# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Return the logarithm of the density at the angle x; NaN unless kappa is positive.

    The distribution is von Mises' on the circle, whose density goes as exp(kappa cos(x)); x is an angle in radians.

    Args:
      x: where, an array or a scalar.
      kappa: how narrow it is, positive.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5, 2.0).round(4))
    -0.9067
    """
def pdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Return the density at x.

    The distribution is von Mises' on the circle, whose density goes as exp(kappa cos(x)); x is an angle in radians.

    Args:
      x: where, an array or a scalar.
      kappa: how narrow it is, positive.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.0, 1.0).round(3))
    0.342
    """
