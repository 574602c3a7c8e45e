"""Normalization of rows by their squares, as a kernel of GPUs has it.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

from .....core.messages.boundaries import public
from .....core.types import Array
from .rows import normalized

__all__ = ["rms_norm", "rms_norm_reference"]


def rms_norm(
    x: Any, weight: Any, bias: Any, num_warps: int | None = None, num_stages: int | None = 3, eps: float = 1e-5,
    backward_pass_impl: str = "triton", interpret: bool = False,
) -> Array:
    """Return rows divided by the root of the mean of their squares, times a weight and plus a bias.

    Args:
      x: an array, whose last axis has the rows.
      weight, bias: for each element of a row.
      eps: is added to the mean of squares.
      num_warps, num_stages, backward_pass_impl, interpret: for GPUs; they change nothing here.
    Raises:
      ValueError: the weights do not have the shape of a row.

    >>> from adjoint.experimental.pallas.ops.gpu.rms_norm import rms_norm
    >>> rms_norm(jnp.array([3., 3.]), jnp.ones(2), jnp.zeros(2), eps=0.)
    Array([1., 1.], dtype=float32)
    """
    return normalized(x, weight, bias, eps, is_centered=False)


def rms_norm_reference(x: Any, weight: Any, bias: Any, *, eps: float = 1e-5) -> Array:
    """Return rows divided by the root of the mean of their squares, times a weight and plus a bias.

    Args:
      x, weight, bias, eps: as those of `rms_norm`.
    """
    return normalized(x, weight, bias, eps, is_centered=False)


public(globals())
