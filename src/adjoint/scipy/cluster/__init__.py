"""`adjoint.scipy.cluster`."""

from ...core.messages.boundaries import explain_missing as _explain_missing
from . import vq as vq

__all__ = ["vq"]

_explain_missing(globals())
