"""Attention of one query for each sequence, whose keys are in pages; here a softmax of products, for any device.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ......core.messages.boundaries import public
from ......core.types import Array
from ...weights import DEFAULT_MASK_VALUE, attend_to_pages
from .quantization_utils import QuantizedTensor, from_int8

__all__ = ["DEFAULT_MASK_VALUE", "paged_attention"]


def paged_attention(
    q: Any, k_pages: Any, v_pages: Any, lengths: Any, page_indices: Any, *, mask_value: float = DEFAULT_MASK_VALUE,
    attn_logits_soft_cap: float | None = None, pages_per_compute_block: int, megacore_mode: str | None = None,
    inline_seq_dim: bool = True,
) -> Array:
    """Return the attention of one query of each head to keys that are in pages, which groups of heads share.

    Args:
      q: batch, heads, elements; they are scaled before.
      k_pages, v_pages: heads, pages, places in a page, elements; as many heads as divide those of `q`. Arrays, or what
        `quantize_to_int8` returns.
      lengths: for each sequence, how many keys it has.
      page_indices: of batch and pages of a sequence: the number of the page.
      mask_value: what stands for the products of what a query does not see.
      attn_logits_soft_cap: products `x` become `cap * tanh(x / cap)`.
      pages_per_compute_block, megacore_mode, inline_seq_dim: for TPUs; they change nothing here.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental.pallas.ops.tpu.paged_attention import paged_attention
    >>> v = jnp.arange(8.).reshape(1, 2, 2, 2)  # two pages of two places
    >>> paged_attention(jnp.zeros((1, 1, 2)), v, v, jnp.array([3]), jnp.array([[1, 0]]), pages_per_compute_block=1)
    Array([[[3.3333333, 4.3333335]]], dtype=float32)
    """
    k_pages, v_pages = [
        from_int8(*pages, np.dtype("float32")) if isinstance(pages, QuantizedTensor) else pages
        for pages in (k_pages, v_pages)
    ]
    return attend_to_pages(
        q, k_pages, v_pages, page_indices, lengths, (None, None), mask_value, attn_logits_soft_cap
    )


public(globals())
