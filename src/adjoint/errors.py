"""The exceptions that the library raises: those of `jax.errors`, `PytreeError` and `ShardingTypeError`.

`core/messages/errors.py` defines them, draws the tree, and builds their messages. Their docstrings are the pages of the
reference, with causes and cures, and what `adjoint.help` prints.

Tests: `tests/core/test_errors.py`.
"""

from __future__ import annotations

from adjoint.core.messages.errors import (
    ConcretizationTypeError,
    InconclusiveDimensionOperation,
    JAXIndexError,
    JaxprTypeError,
    JaxRuntimeError,
    JAXTypeError,
    KeyReuseError,
    NonConcreteBooleanIndexError,
    PytreeError,
    ShardingTypeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
    UnexpectedTracerError,
)

from .core.messages.boundaries import explain_missing as _explain_missing

__all__ = [
    "ConcretizationTypeError",
    "InconclusiveDimensionOperation",
    "JAXIndexError",
    "JAXTypeError",
    "JaxRuntimeError",
    "JaxprTypeError",
    "KeyReuseError",
    "NonConcreteBooleanIndexError",
    "PytreeError",
    "ShardingTypeError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
]

_explain_missing(globals())
