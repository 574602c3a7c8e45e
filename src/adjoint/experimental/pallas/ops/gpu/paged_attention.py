"""Attention of one query for each sequence, whose keys are in pages, as a kernel of GPUs has it.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from typing import Any

from .....core.messages.boundaries import public
from .....core.types import Array
from .....numpy.conversion import asarray
from ..weights import DEFAULT_MASK_VALUE, attend_to_pages, grouped

__all__ = ["DEFAULT_MASK_VALUE", "paged_attention", "paged_attention_reference"]


def paged_attention(
    q: Any, k_pages: Any, v_pages: Any, block_tables: Any, lengths: Any, k_scales_pages: Any = None,
    v_scales_pages: Any = None, *, block_h: int = 16, pages_per_compute_block: int = 8, k_splits: int = 16,
    num_warps: int = 8, num_stages: int = 2, interpret: bool = False, debug: bool = False,
    mask_value: float = DEFAULT_MASK_VALUE, attn_logits_soft_cap: float | None = None,
) -> Array:
    """Return the attention of one query of each head to keys that are in pages, which groups of heads share.

    Args:
      q: batch, heads, elements; they are scaled before.
      k_pages, v_pages: heads, pages, places in a page, elements; as many heads as divide those of `q`.
      block_tables: of batch and pages of a sequence: the number of the page.
      lengths: for each sequence, how many keys it has; by default all of its pages are full.
      k_scales_pages, v_scales_pages: factors of keys and values, of heads, pages and places.
      mask_value: what stands for the products of what a query does not see.
      attn_logits_soft_cap: products `x` become `cap * tanh(x / cap)`.
      block_h, pages_per_compute_block, k_splits, num_warps, num_stages, interpret, debug: for GPUs; they change nothing
        here.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental.pallas.ops.gpu.paged_attention import paged_attention
    >>> v = jnp.arange(8.).reshape(1, 2, 2, 2)  # two pages of two places
    >>> paged_attention(jnp.zeros((1, 1, 2)), v, v, jnp.array([[1, 0]]), jnp.array([3]))
    Array([[[3.3333333, 4.3333335]]], dtype=float32)
    """
    return attend_to_pages(
        q, k_pages, v_pages, block_tables, lengths, (k_scales_pages, v_scales_pages), mask_value, attn_logits_soft_cap
    )


def paged_attention_reference(
    q: Any, k: Any, v: Any, lengths: Any, *, mask_value: float = DEFAULT_MASK_VALUE,
    attn_logits_soft_cap: float | None = None,
) -> Array:
    """Return the attention of one query of each head to keys that groups of heads share.

    Args:
      q: batch, heads, elements.
      k, v: batch, keys, heads, elements.
      lengths: for each sequence, how many keys it has.
      mask_value, attn_logits_soft_cap: as those of `paged_attention`.
    """
    k, v = asarray(k).swapaxes(1, 2), asarray(v).swapaxes(1, 2)
    return grouped(q, k, v, lengths, mask_value, attn_logits_soft_cap)


public(globals())
