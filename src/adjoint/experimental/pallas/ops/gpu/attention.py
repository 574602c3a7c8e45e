"""Attention of several heads, as a kernel of GPUs has it; here a softmax of products, for any device.

Tests: `tests/experimental/test_pallas_operations.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .....core.messages.boundaries import public
from .....core.messages.errors import message
from .....core.types import Array
from .....numpy.conversion import asarray
from .....numpy.ranges import arange
from ..weights import DEFAULT_MASK_VALUE, Attention, attend

__all__ = ["BlockSizes", "DEFAULT_MASK_VALUE", "mha", "mha_reference", "segment_mask"]


@dataclass(frozen=True, slots=True)
class BlockSizes:
    """The blocks in which a GPU takes queries and keys; they change nothing here.

    Args:
      block_q, block_k: forward.
      block_q_dkv, block_kv_dkv, block_q_dq, block_kv_dq: backward.
    """

    block_q: int
    block_k: int
    block_q_dkv: int | None = None
    block_kv_dkv: int | None = None
    block_q_dq: int | None = None
    block_kv_dq: int | None = None

    @classmethod
    def get_default(cls) -> BlockSizes:
        """Return blocks of 128 forward, and of 32 backward."""
        return cls(128, 128, 32, 32, 32, 32)

    @property
    def has_backward_blocks(self) -> bool:
        """Return whether all blocks of the backward pass are given."""
        return None not in (self.block_q_dkv, self.block_kv_dkv, self.block_q_dq, self.block_kv_dq)


_BLOCKS = BlockSizes.get_default()


def segment_mask(q_segment_ids: Array, kv_segment_ids: Array) -> Array:
    """Return which keys are in the segment of each query.

    Args:
      q_segment_ids: for each query the number of its segment; axes before are those of a batch.
      kv_segment_ids: for each key.

    >>> from adjoint.experimental.pallas.ops.gpu.attention import segment_mask
    >>> segment_mask(jnp.array([0, 1]), jnp.array([0, 0, 1]))
    Array([[ True,  True, False],
           [False, False,  True]], dtype=bool)
    """
    return asarray(q_segment_ids)[..., :, None] == asarray(kv_segment_ids)[..., None, :]


def mha(
    q: Any, k: Any, v: Any, segment_ids: Array | None, sm_scale: float = 1.0, causal: bool = False,
    block_sizes: BlockSizes = _BLOCKS, backward_pass_impl: str = "triton",
    num_warps: int | None = None, num_stages: int = 2, grid: tuple[int, ...] | None = None, interpret: bool = False,
    debug: bool = False, return_residuals: bool = False,
) -> Any:
    """Return the attention of queries to keys, of several heads.

    Args:
      q: batch, queries, heads, elements.
      k, v: batch, keys, heads, elements.
      segment_ids: for each query, and the key of its place, the number of its segment: it sees the keys of its own.
      sm_scale: a factor of the products.
      causal: whether a query sees no keys after its own place.
      return_residuals: whether to return also the logarithms, of base 2, of the sums of exponentials, of batch, heads
        and queries.
      block_sizes, backward_pass_impl, num_warps, num_stages, grid, interpret, debug: for GPUs; they change nothing
        here.
    Returns:
      An array as `q` is, or that and the logarithms.
    Raises:
      ValueError: the shapes do not fit.

    >>> from adjoint.experimental.pallas.ops.gpu.attention import mha
    >>> q, v = jnp.zeros((1, 2, 1, 4)), jnp.array([1., 3.]).reshape(1, 2, 1, 1) * jnp.ones(4)
    >>> mha(q, q, v, None, causal=True)[0, :, 0, 0]
    Array([1., 2.], dtype=float32)
    """
    found = _attended(q, k, v, segment_ids, sm_scale, causal)
    out = found.means.swapaxes(1, 2).astype(asarray(q).dtype)
    return (out, found.logsumexp * np.float32(1 / np.log(2))) if return_residuals else out


def mha_reference(
    q: Any, k: Any, v: Any, segment_ids: Array | None, sm_scale: float = 1.0, causal: bool = False
) -> Array:
    """Return the attention of queries to keys, of several heads.

    Args:
      q, k, v, segment_ids, sm_scale, causal: as those of `mha`.
    """
    return mha(q, k, v, segment_ids, sm_scale, causal)


def _attended(q: Any, k: Any, v: Any, segment_ids: Any, scale: float, causal: bool) -> Attention:
    q, k, v = map(asarray, (q, k, v))
    if not q.ndim == k.ndim == v.ndim == 4 or k.shape != v.shape or q.shape[::2] != k.shape[::2]:
        raise ValueError(message(
            f"Attention of queries of shape {q.shape} to keys of shape {k.shape} with values of shape {v.shape}.",
            fix="arrays of batch, places, heads and elements, which differ in the places alone",
        ))
    seen = None
    if segment_ids is not None:
        seen = segment_mask(segment_ids, segment_ids)[:, None]
    if causal:
        before = arange(q.shape[1])[:, None] >= arange(k.shape[1])[None, :]
        seen = before if seen is None else seen & before
    return attend(*[x.swapaxes(1, 2) for x in (q, k, v)], seen, scale=scale)


public(globals())
