"""Shardings as XLA has them, and as bytes. They need jaxlib, whose objects they are.

Tests: `tests/compat/test_lowered.py`.
"""

from __future__ import annotations

from ..compat.private.lowered.tiles import (
    GSPMDSharding,
    get_hlo_sharding_from_serialized_proto,
    get_op_sharding_from_serialized_proto,
    get_serialized_proto_from_hlo_sharding,
)
from ..core.messages.boundaries import public

__all__ = [
    "GSPMDSharding", "get_hlo_sharding_from_serialized_proto", "get_op_sharding_from_serialized_proto",
    "get_serialized_proto_from_hlo_sharding",
]

public(globals())
