"""The NumPy engine: evaluates one primitive now, and jaxprs equation by equation."""

from . import checks as checks
from .eager import eval_trace as eval_trace
from .program import program as program
