"""The names of `jax.experimental.compilation_cache`."""

from ...core.messages.boundaries import explain_missing as _explain_missing
from . import compilation_cache

__all__ = ["compilation_cache"]

_explain_missing(globals())
