"""The public names of `prims/precision.py`, how exact products are, where they stand because rules use them.

Tests: `tests/lax/test_products.py`.
"""

from __future__ import annotations

from ..prims.precision import DotAlgorithm, DotAlgorithmPreset, Precision, PrecisionLike

__all__ = ["DotAlgorithm", "DotAlgorithmPreset", "Precision", "PrecisionLike"]
