"""`adjoint.scipy.spatial`."""

from ...core.messages.boundaries import explain_missing as _explain_missing
from . import transform as transform

__all__ = ["transform"]

_explain_missing(globals())
