"""The exceptions that the library raises: those of `jax.errors`, and a few of ours.

`core/messages/errors.py` defines them, draws the tree, and builds their messages.

Tests: `tests/core/test_errors.py`.
"""

from __future__ import annotations

import inspect

from adjoint.core.messages.errors import (
    ConcretizationTypeError,
    DtypeError,
    InconclusiveDimensionOperation,
    JAXIndexError,
    JaxprTypeError,
    JaxRuntimeError,
    JAXTypeError,
    KeyReuseError,
    NonConcreteBooleanIndexError,
    PytreeError,
    ShapeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
    UnexpectedTracerError,
)

__all__ = [
    "ConcretizationTypeError",
    "DtypeError",
    "InconclusiveDimensionOperation",
    "JAXIndexError",
    "JAXTypeError",
    "JaxRuntimeError",
    "JaxprTypeError",
    "KeyReuseError",
    "NonConcreteBooleanIndexError",
    "PytreeError",
    "ShapeError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
]


def help(name: str) -> None:
    """Print the page of an error: what it means and what to write instead.

    >>> help("KeyReuseError")
    KeyReuseError: A random key was used twice, which would give the same numbers twice.
    """
    if name not in __all__:
        raise ValueError(f"There is no page {name!r}. Pages: {', '.join(__all__)}")
    print(f"{name}: {inspect.getdoc(globals()[name])}")
