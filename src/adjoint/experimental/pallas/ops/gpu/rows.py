"""Normalization of rows: what `layer_norm` and `rms_norm` have in common.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.messages.errors import message
from .....core.types import Array
from .....lax import rsqrt
from .....numpy.conversion import asarray
from .....numpy.moments import mean

__all__ = ["normalized"]


def normalized(x: Any, weight: Any, bias: Any, eps: float, is_centered: bool) -> Array:
    """Return rows divided by the root of the mean of their squares, less their mean before if they are centered.

    Args:
      x: an array, whose last axis has the rows.
      weight, bias: for each element of a row: a factor, and what is added.
      eps: is added to the mean of squares.
      is_centered: whether rows lose their mean.
    Raises:
      ValueError: the weights do not have the shape of a row.
    """
    x, weight, bias = map(asarray, (x, weight, bias))
    if not weight.shape == bias.shape == x.shape[-1:]:
        raise ValueError(message(
            f"Rows of {x.shape[-1:]} are given weights of shape {weight.shape} and a bias of shape {bias.shape}.",
            fix="a weight and a bias for each element of a row",
        ))
    wide = x.astype(np.promote_types(x.dtype, "float32"))
    if is_centered:
        wide = wide - mean(wide, axis=-1, keepdims=True)
    scaled = wide * rsqrt(mean(wide * wide, axis=-1, keepdims=True) + eps)
    return (scaled * weight.astype(wide.dtype) + bias.astype(wide.dtype)).astype(x.dtype)
