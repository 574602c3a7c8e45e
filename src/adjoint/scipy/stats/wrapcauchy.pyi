# Written by stubs/generate.py; do not edit.
from adjoint import Array
from adjoint.typing import ArrayLike
def logpdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Return the logarithm of the density at the angle x; NaN unless 0 < c < 1.

    The distribution is Cauchy's, wrapped around the circle; x is an angle in radians from 0 to 2 pi.

    Args:
      x: where, an array or a scalar.
      c: how narrow it is, from 0 to 1.
    Returns:
      Logarithms of densities, exact where those are too small for a float: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(logpdf(0.5, 0.5).round(4))
    -1.1378
    """
def pdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Return the density at x.

    The distribution is Cauchy's, wrapped around the circle; x is an angle in radians from 0 to 2 pi.

    Args:
      x: where, an array or a scalar.
      c: how narrow it is, from 0 to 1.
    Returns:
      Densities, not negative: floats, in an array of the shape to which the arguments broadcast.
    Raises:
      TypeError: an argument is complex, or no array or scalar.
      TypeError, ValueError: the shapes do not broadcast.

    >>> print(pdf(0.0, 0.5).round(3))
    0.477
    """
