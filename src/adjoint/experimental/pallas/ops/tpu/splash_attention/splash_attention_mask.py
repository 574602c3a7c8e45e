"""Names of an attention kernel that only TPUs have; asking for one says what to use.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

__all__ = []


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"{name} belongs to a kernel for TPUs, which adjoint does not run on.\n"
        "  Try: jax.nn.dot_product_attention(query, key, value, mask=...)", name=name,
    )
