"""`adjoint.scipy.sparse`."""

from ...core.messages.boundaries import explain_missing as _explain_missing
from . import linalg as linalg

__all__ = ["linalg"]

_explain_missing(globals())
