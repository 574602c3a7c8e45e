"""Functions of `lax` over NumPy, for tests that compare: `jax._src.lax_reference`.

Tests: `tests/compat/test_references.py`.
"""

from __future__ import annotations

from . import arrays, elementwise
from .arrays import *
from .elementwise import *

__all__ = [*arrays.__all__, *elementwise.__all__]
