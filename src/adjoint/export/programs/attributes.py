"""Readers of the attributes of an operation, as Python's values.

Tests: `tests/export/test_export.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..mlir.elements import array_of
from ..mlir.ir import ArtifactError, Dense, Enum, Integer, Numbers, Operation

__all__ = ["array", "choice", "flag", "integer", "integers", "pairs"]


def _get(op: Operation, name: str) -> Any:
    if name not in op.attributes:
        raise ArtifactError(f"The operation {op.name} lacks its attribute {name}.")
    return op.attributes[name]


def array(op: Operation, name: str) -> np.ndarray:
    """Return a list or table of numbers."""
    value = _get(op, name)
    if isinstance(value, Dense):
        return array_of(value)
    if isinstance(value, Numbers):
        return np.array(value.values, bool if value.element == "i1" else np.int64)
    raise ArtifactError(f"The attribute {name} of {op.name} is {value!r}, which is no list of numbers.")


def integers(op: Operation, name: str) -> tuple[int, ...]:
    found = array(op, name)
    return tuple([int(x) for x in found.reshape(-1)])


def pairs(op: Operation, name: str) -> list[tuple[int, int]]:
    found = array(op, name)
    return [(int(a), int(b)) for a, b in found.reshape(-1, 2)]


def integer(op: Operation, name: str) -> int:
    value = _get(op, name)
    if isinstance(value, Integer):
        return value.value
    raise ArtifactError(f"The attribute {name} of {op.name} is {value!r}, which is no number.")


def flag(op: Operation, name: str) -> bool:
    return bool(_get(op, name))


def choice(op: Operation, name: str) -> str:
    value = _get(op, name)
    if isinstance(value, Enum):
        return value.name
    raise ArtifactError(f"The attribute {name} of {op.name} is {value!r}, which is no name.")
