"""Rematerialisation: what to forget between the forward and the backward pass.

Tests: `tests/transforms/test_remat.py`.
"""

from .core.messages.boundaries import public
from .transforms.custom.remat import (
    Offloadable,
    Recompute,
    Saveable,
    checkpoint_name,
    checkpoint_name_fwd,
    checkpoint_policies,
)
from .transforms.derivatives.residuals import print_saved_residuals

__all__ = [
    "Offloadable", "Recompute", "Saveable", "checkpoint_name", "checkpoint_name_fwd",
    "checkpoint_policies", "print_saved_residuals",
]

public(globals())
