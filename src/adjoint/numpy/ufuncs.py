"""Functions that work on each element alone, or choose among elements.

They are defined in `elementary.py` (one primitive each), `division.py`, `floats.py`, `predicates.py` and
`selection.py`; this is where the rest of the package imports them from.
"""

from __future__ import annotations

from . import division, elementary, floats, predicates, selection
from .division import *
from .elementary import *
from .floats import *
from .predicates import *
from .selection import *

__all__ = [
    *elementary.__all__, *division.__all__, *floats.__all__, *predicates.__all__, *selection.__all__,
]
