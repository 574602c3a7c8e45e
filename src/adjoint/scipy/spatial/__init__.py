"""`adjoint.scipy.spatial`."""

from . import transform as transform

__all__ = ["transform"]
