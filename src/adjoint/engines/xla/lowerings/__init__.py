"""Rules that write primitives in StableHLO, a module for each family; they register themselves (`../rules.py`).

Tests: `tests/engines/xla/lowerings/test_lowerings.py`.
"""

from . import (  # noqa: F401
    collectives,
    gammas,
    indexed,
    integrals,
    keys,
    linalg,
    lowerings,
    special,
    windowed,
)
