"""Softmax, as a kernel of GPUs has it.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

from .....core.messages.boundaries import public
from .....core.types import Array
from .....nn.functions import softmax as _softmax

__all__ = ["softmax"]


def softmax(
    x: Any, *, axis: int = -1, num_warps: int = 4, interpret: bool = False, debug: bool = False
) -> Array:
    """Return the softmax of an array along an axis.

    Args:
      x: the array.
      axis: whose elements sum to 1.
      num_warps, interpret, debug: for GPUs; they change nothing here.

    >>> from adjoint.experimental.pallas.ops.gpu.softmax import softmax
    >>> softmax(jnp.array([1., 1.]))
    Array([0.5, 0.5], dtype=float32)
    """
    return _softmax(x, axis=axis)


public(globals())
