"""The products of `gmm.py` under the name by which programs call them.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from .gmm import gmm

__all__ = ["gmm"]
