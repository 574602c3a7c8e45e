"""Attention of several heads, as a kernel of TPUs has it; here a softmax of products, for any device.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from .....core.messages.boundaries import public
from .....core.messages.errors import message
from .....core.process.records import NamedTuple
from .....core.types import Array
from .....numpy.conversion import asarray
from .....numpy.ranges import arange
from ..weights import DEFAULT_MASK_VALUE, Attention, attend

__all__ = [
    "BlockSizes", "DEFAULT_MASK_VALUE", "SegmentIds", "below_or_on_diag", "flash_attention", "mha_reference",
    "mha_reference_no_custom_vjp",
]


class SegmentIds(NamedTuple):
    """The numbers of the segments in which queries and keys are: a query sees the keys of its own.

    Args:
      q: of batch and queries.
      kv: of batch and keys.
    """

    q: Array
    kv: Array


@dataclass(frozen=True, slots=True)
class BlockSizes:
    """The blocks in which a TPU takes queries and keys; they change nothing here.

    Args:
      block_q, block_k_major, block_k, block_b: forward.
      block_q_major_dkv, block_k_major_dkv, block_k_dkv, block_q_dkv: backward, for keys and values.
      block_k_major_dq, block_k_dq, block_q_dq: backward, for queries.
    """

    block_q: int
    block_k_major: int
    block_k: int
    block_b: int
    block_q_major_dkv: int | None = None
    block_k_major_dkv: int | None = None
    block_k_dkv: int | None = None
    block_q_dkv: int | None = None
    block_k_major_dq: int | None = None
    block_k_dq: int | None = None
    block_q_dq: int | None = None

    @property
    def has_backward_blocks(self) -> bool:
        """Return whether all blocks of the backward pass are given."""
        return None not in [getattr(self, field.name) for field in fields(self)]

    @classmethod
    def get_default(cls, batch_size: int, num_heads: int, q_seq_len: int, kv_len: int, d_model: int) -> BlockSizes:
        """Return blocks of 128, one sequence at a time.

        Args:
          batch_size, num_heads, q_seq_len, kv_len, d_model: the lengths of the axes; the blocks are those of all.
        """
        return cls(128, 128, 128, 1, *[128] * 7)


def below_or_on_diag(r: Any, r_blk_size: int, c: Any, c_blk_size: int) -> Any:
    """Return whether some query of a block sees some key of a block, where queries see no keys after their place.

    Args:
      r, r_blk_size: the number of the block of queries, and how many it has.
      c, c_blk_size: of keys.

    >>> from adjoint.experimental.pallas.ops.tpu.flash_attention import below_or_on_diag
    >>> below_or_on_diag(0, 32, 1, 16), below_or_on_diag(0, 32, 2, 16)
    (True, False)
    """
    return (r + 1) * r_blk_size - 1 >= c * c_blk_size


def flash_attention(
    q: Any, k: Any, v: Any, ab: Any = None, segment_ids: SegmentIds | None = None, *, causal: bool = False,
    sm_scale: float = 1.0, block_sizes: BlockSizes | None = None, debug: bool = False,
) -> Array:
    """Return the attention of queries to keys, of several heads.

    Args:
      q: batch, heads, queries, elements.
      k, v: batch, heads, keys, elements.
      ab: what is added to the products before they are scaled, of batch, heads, queries and keys.
      segment_ids: the segments in which queries and keys are.
      causal: whether a query sees no keys after its own place.
      sm_scale: a factor of the products.
      block_sizes, debug: for TPUs; they change nothing here.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental.pallas.ops.tpu.flash_attention import flash_attention
    >>> q, v = jnp.zeros((1, 1, 2, 4)), jnp.array([1., 3.]).reshape(1, 1, 2, 1) * jnp.ones(4)
    >>> flash_attention(q, q, v, causal=True)[0, 0, :, 0]
    Array([1., 2.], dtype=float32)
    """
    return _attended(q, k, v, ab, segment_ids, causal, DEFAULT_MASK_VALUE, sm_scale).means


def mha_reference(
    q: Any, k: Any, v: Any, ab: Any, segment_ids: SegmentIds | None = None, causal: bool = False,
    mask_value: float = DEFAULT_MASK_VALUE, sm_scale: float = 1.0,
) -> Array:
    """Return the attention of queries to keys, of several heads.

    Args:
      q, k, v, ab, segment_ids, causal, sm_scale: as those of `flash_attention`.
      mask_value: what is added to the products of what a query does not see.
    """
    return _attended(q, k, v, ab, segment_ids, causal, mask_value, sm_scale).means


def mha_reference_no_custom_vjp(
    q: Any, k: Any, v: Any, ab: Any = None, segment_ids: SegmentIds | None = None, *, causal: bool = False,
    mask_value: float = DEFAULT_MASK_VALUE, sm_scale: float = 1.0, save_residuals: bool = False,
) -> Any:
    """Return the attention of queries to keys, of several heads.

    Args:
      q, k, v, ab, segment_ids, causal, sm_scale, mask_value: as those of `mha_reference`.
      save_residuals: whether to return also the sums of exponentials and the greatest products.
    """
    found = _attended(q, k, v, ab, segment_ids, causal, mask_value, sm_scale)
    return (found.means, found.sums, found.peaks) if save_residuals else found.means


def _attended(
    q: Any, k: Any, v: Any, ab: Any, segments: SegmentIds | None, causal: bool, mask_value: float, scale: float
) -> Attention:
    q, k, v = map(asarray, (q, k, v))
    rows = (*q.shape[:-1], *k.shape[-2:-1])
    fits = q.ndim == k.ndim == v.ndim == 4 and k.shape == v.shape and q.shape[:2] == k.shape[:2]
    if not fits or q.shape[3] != k.shape[3]:
        raise ValueError(message(
            f"Attention of queries of shape {q.shape} to keys of shape {k.shape} with values of shape {v.shape}.",
            fix="arrays of batch, heads, places and elements, which differ in the places alone",
        ))
    if ab is not None and np.shape(ab) != rows:
        raise ValueError(f"Attention bias shape mismatch: expected shape {rows}, got {np.shape(ab)}.")
    seen = None
    if segments is not None:
        for what, ids, x in (("queries", segments.q, q), ("keys", segments.kv, k)):
            if np.shape(ids) != (x.shape[0], x.shape[2]):
                raise ValueError(message(
                    f"The segments of {what} have shape {np.shape(ids)}.", fix=f"{(x.shape[0], x.shape[2])}"
                ))
        seen = (asarray(segments.q)[:, :, None] == asarray(segments.kv)[:, None, :])[:, None]
    if causal:
        before = arange(q.shape[2])[:, None] >= arange(k.shape[2])[None, :]
        seen = before if seen is None else seen & before
    found = attend(q, k, v, seen, scale=scale, added=ab, mask_value=mask_value)
    return found._replace(means=found.means.astype(q.dtype))


public(globals())
