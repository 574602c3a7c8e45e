"""`adjoint.scipy.sparse`."""

from . import linalg as linalg

__all__ = ["linalg"]
