"""Functions that make arrays: from values, from a shape, and numbers in a row.

They are defined in `conversion.py`, `fills.py` and `ranges.py`; this is where the rest of the package
imports them from.

Tests: `tests/numpy/test_standard_arrays.py`.
"""

from __future__ import annotations

from . import conversion, fills, ranges
from .conversion import *
from .fills import *
from .ranges import *

__all__ = [*conversion.__all__, *fills.__all__, *ranges.__all__]
