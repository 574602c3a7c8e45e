"""Names of the masks of an attention kernel that only TPUs have; asking for one says what to use.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

from .splash_attention_kernel import __getattr__ as __getattr__

__all__ = []
