"""Attention by masks that are objects, as a kernel of TPUs computes it; here a softmax of products, for any device.

What a query sees is one array of booleans for all heads whose masks are equal. Derivatives are those of the operations.

Tests: `tests/experimental/test_pallas_attention.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ......ad_checkpoint import checkpoint_name
from ......core.messages.boundaries import public
from ......core.messages.errors import message, no_attribute
from ......core.process.records import NamedTuple
from ......core.tree.tree import register_pytree_node_class
from ......core.types import Array
from ......numpy.contractions import einsum
from ......numpy.conversion import asarray
from ......numpy.elementary import exp, log, maximum, tanh
from ......numpy.reductions import max as greatest
from ......numpy.reductions import sum as total
from ......numpy.repetition import repeat
from ......numpy.selection import where
from ......sharding import NamedSharding, PartitionSpec
from .splash_attention_mask import Mask, MultiHeadMask

__all__ = [
    "BlockSizes", "DEFAULT_MASK_VALUE", "QKVLayout", "SegmentIds", "SplashAttentionKernel", "attention_reference",
    "make_attention_reference", "make_masked_mha_reference", "make_masked_mqa_reference", "make_splash_mha",
    "make_splash_mha_single_device", "make_splash_mqa", "make_splash_mqa_single_device",
]

DEFAULT_MASK_VALUE = -0.7 * float(np.finfo(np.dtype("float32")).max)


class SegmentIds(NamedTuple):
    """The numbers of the segments in which queries and keys are: a query sees the keys of its own.

    Args:
      q: for each query.
      kv: for each key.
    """

    q: Array
    kv: Array


class QKVLayout(enum.IntEnum):
    """The order of the axes of operands in the memory of a TPU; the CPU has one."""

    HEAD_DIM_MINOR = enum.auto()
    SEQ_MINOR = enum.auto()


@dataclass(frozen=True, slots=True)
class BlockSizes:
    """The blocks in which a TPU takes queries and keys; they change nothing here.

    Args:
      block_q, block_kv, block_kv_compute: forward.
      block_q_dkv, block_kv_dkv, block_kv_dkv_compute, block_q_dq, block_kv_dq: backward.
      use_fused_bwd_kernel, q_layout, k_layout, v_layout: for TPUs.
    """

    block_q: int
    block_kv: int
    block_kv_compute: int | None = None
    block_q_dkv: int | None = None
    block_kv_dkv: int | None = None
    block_kv_dkv_compute: int | None = None
    block_q_dq: int | None = None
    block_kv_dq: int | None = None
    use_fused_bwd_kernel: bool = False
    q_layout: QKVLayout = QKVLayout.HEAD_DIM_MINOR
    k_layout: QKVLayout = QKVLayout.HEAD_DIM_MINOR
    v_layout: QKVLayout = QKVLayout.HEAD_DIM_MINOR

    def __post_init__(self) -> None:
        if self.block_kv_compute is None:
            object.__setattr__(self, "block_kv_compute", self.block_kv)
        if self.block_kv_dkv_compute is None:
            object.__setattr__(self, "block_kv_dkv_compute", self.block_kv_dkv)

    @property
    def has_backward_blocks(self) -> bool:
        """Return whether all blocks of the backward pass are given."""
        blocks = [self.block_q_dkv, self.block_kv_dkv, self.block_kv_dkv_compute]
        blocks += [] if self.use_fused_bwd_kernel else [self.block_q_dq, self.block_kv_dq]
        return all([b is not None for b in blocks])

    @classmethod
    def get_default(cls) -> BlockSizes:
        """Return blocks of 128."""
        return cls(*[128] * 8)


def _attention(
    q: Any, k: Any, v: Any, seen: Any, segment_ids: Any, sinks: Any, mask_value: float, cap: float | None
) -> tuple[Any, Any]:
    """Return the attention of heads `htd`, and the logarithm of the sum of each query's exponentials."""
    logits = einsum("htd,hsd->hts", q, k, preferred_element_type=np.dtype("float32"))
    if cap is not None:
        logits = tanh(logits / cap) * cap
    if segment_ids is not None:
        seen = seen & (segment_ids.q[:, None] == segment_ids.kv[None, :])
    logits = where(seen, logits, np.float32(mask_value))
    peak = greatest(logits, axis=-1, keepdims=True)
    if sinks is not None:
        peak = maximum(peak, sinks[:, None, None].astype(logits.dtype))
    weights = exp(logits - peak)
    share = total(weights, axis=-1, keepdims=True)
    if sinks is not None:
        share = share + exp(sinks[:, None, None].astype(logits.dtype) - peak)
    out = einsum("hts,hsd->htd", weights, v.astype(logits.dtype)) / share
    return out.astype(q.dtype), (peak + log(share))[..., 0]


@register_pytree_node_class
class SplashAttentionKernel:
    """Attention by a mask, a function of queries, keys and values, and a tree whose leaf is the mask.

    Args:
      seen: booleans: which keys each query of each head sees; one head for all, if their masks are equal.
      options: what `make_splash_mha` was given beside the mask.
    """

    def __init__(self, seen: Any, **options: Any):
        self.seen, self.options = seen, options

    def tree_flatten(self) -> tuple[tuple, tuple]:
        """Return the mask, and the rest."""
        return (self.seen,), tuple(sorted(self.options.items()))

    @classmethod
    def tree_unflatten(cls, options: tuple, children: tuple) -> SplashAttentionKernel:
        """Return a kernel of a mask and the rest."""
        return cls(*children, **dict(options))

    def manual_sharding_spec(self, sharding: NamedSharding) -> SplashAttentionKernel:
        """Return how the kernel is divided over devices, as `shard_map` takes it.

        Args:
          sharding: of the heads, or of the heads and queries.
        Raises:
          ValueError: it divides something else.
        """
        spec = sharding.spec
        if len(spec) > 2:
            raise ValueError(message(
                f"The sharding of a kernel has {len(spec)} axes.", fix="P(heads), or P(heads, queries)"
            ))
        heads, queries = (*spec, None, None)[:2]
        return SplashAttentionKernel(PartitionSpec(heads, queries, None), **self.options)

    def __call__(
        self, q: Any, k: Any, v: Any, segment_ids: SegmentIds | None = None, sinks: Any = None
    ) -> Any:
        """Return the attention of queries to keys.

        Args:
          q: heads, queries, elements; they are scaled before.
          k, v: heads, keys, elements; of as many heads as `q`, or a divisor. Without heads if all share them.
          segment_ids: the segments in which queries and keys are.
          sinks: for each head the logarithm of a weight that goes to no key.
        Raises:
          ValueError: the shapes do not fit.
        """
        is_mqa, saves = self.options["is_mqa"], self.options["save_residuals"]
        heads = _check(q, k, v, is_mqa)
        if is_mqa:
            k, v = k[None], v[None]
        k, v = [repeat(x, heads // x.shape[0], axis=0) if x.shape[0] != heads else x for x in (k, v)]
        out, sums = _attention(
            q, k, v, asarray(self.seen), segment_ids, sinks, self.options["mask_value"],
            self.options["attn_logits_soft_cap"],
        )
        name = self.options["residual_checkpoint_name"]
        if name is not None:
            out, sums = checkpoint_name(out, name), checkpoint_name(sums, name)
        return (out, (sums,)) if saves else out


def _check(q: Any, k: Any, v: Any, is_mqa: bool) -> int:
    """Return the number of heads of queries, keys and values that fit."""
    what, axes = ("MQA", 2) if is_mqa else ("MHA", 3)
    if q.ndim != 3:
        raise ValueError(message(
            f"The queries of attention have shape {q.shape}.", fix="an array of heads, queries and elements"
        ))
    if k.ndim != axes:
        raise ValueError(f"Expected {axes}-dim 'key' tensor for {what}. Instead got a {k.ndim}-dim one.")
    if k.shape[:-1] != v.shape[:-1]:
        raise ValueError(f"Expected 'key' {k.shape} and 'value' {v.shape} to have the same leading dimensions.")
    if k.shape[-1] != q.shape[-1]:
        raise ValueError(f"Expected 'key' head dimension to be: {q.shape[-1]}. Instead got: {k.shape[-1]}.")
    if not is_mqa and (k.shape[0] > q.shape[0] or q.shape[0] % k.shape[0]):
        raise ValueError(
            f"In MHA, expected number of 'key' heads ({k.shape[0]}) to be a multiple of the number of 'query' heads "
            f"({q.shape[0]})"
        )
    return q.shape[0]


def _seen(mask: Any, head_shards: int) -> Any:
    """Return the booleans of a mask of heads, one head if all are equal and not divided over devices."""
    if len(mask.shape) != 3:
        raise ValueError(message(
            f"Unexpected mask shape: {tuple(mask.shape)}", fix="MultiHeadMask([mask for each head])"
        ))
    if mask.shape[0] % head_shards:
        raise ValueError(f"head_shards={head_shards} should divide head_count={mask.shape[0]}.")
    if isinstance(mask, MultiHeadMask):
        if head_shards == 1 and all([m == mask.masks[0] for m in mask.masks]):
            return mask[:1, :, :]
        return mask[:, :, :]
    return mask


def _make(
    mask: np.ndarray | Array | MultiHeadMask, *, block_sizes: BlockSizes | None = None, is_mqa: bool,
    save_residuals: bool = False, mask_value: float = DEFAULT_MASK_VALUE, attn_logits_soft_cap: float | None = None,
    downcast_smem_data: bool = True, head_shards: int, q_seq_shards: int,
    residual_checkpoint_name: str | None = None, interpret: bool = False,
) -> SplashAttentionKernel:
    return SplashAttentionKernel(
        _seen(mask, head_shards), is_mqa=is_mqa, save_residuals=save_residuals, mask_value=mask_value,
        attn_logits_soft_cap=attn_logits_soft_cap, residual_checkpoint_name=residual_checkpoint_name,
    )


def make_splash_mha(
    mask: np.ndarray | Array | MultiHeadMask, *, block_sizes: BlockSizes | None = None, is_mqa: bool = False,
    save_residuals: bool = False, mask_value: float = DEFAULT_MASK_VALUE, attn_logits_soft_cap: float | None = None,
    downcast_smem_data: bool = True, head_shards: int, q_seq_shards: int,
    residual_checkpoint_name: str | None = None, interpret: bool = False,
) -> SplashAttentionKernel:
    """Return attention by a mask for each head.

    Args:
      mask: a `MultiHeadMask`, or booleans of heads, queries and keys.
      is_mqa: whether all heads share the keys and values, which then have no axis of heads.
      save_residuals: whether to return also the logarithm of the sum of the exponentials, as `(out, (sums,))`.
      mask_value: what stands for the products of what a query does not see.
      attn_logits_soft_cap: products `x` become `cap * tanh(x / cap)`.
      head_shards, q_seq_shards: over how many devices heads and queries are divided.
      residual_checkpoint_name: the name of results, for policies of `checkpoint`.
      block_sizes, downcast_smem_data, interpret: for TPUs; they change nothing here.
    Returns:
      A function of queries, keys and values, which takes `segment_ids` and `sinks` too.
    Raises:
      ValueError: the mask has no axis of heads, or `head_shards` does not divide its length.

    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel as splash
    >>> from adjoint.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    >>> attend = splash.make_splash_mha(masks.MultiHeadMask([masks.CausalMask((2, 2))]), head_shards=1, q_seq_shards=1)
    >>> attend(jnp.zeros((1, 2, 1)), jnp.ones((1, 2, 1)), jnp.array([[[1.0], [3.0]]]))
    Array([[[1.],
            [2.]]], dtype=float32)
    """
    return _make(**locals())


def make_splash_mqa(
    mask: np.ndarray | Array | MultiHeadMask, *, block_sizes: BlockSizes | None = None, is_mqa: bool = True,
    save_residuals: bool = False, mask_value: float = DEFAULT_MASK_VALUE, attn_logits_soft_cap: float | None = None,
    downcast_smem_data: bool = True, head_shards: int, q_seq_shards: int,
    residual_checkpoint_name: str | None = None, interpret: bool = False,
) -> SplashAttentionKernel:
    """Return attention by a mask for each head, whose keys and values all heads share.

    Args:
      mask, block_sizes, is_mqa, save_residuals, mask_value, attn_logits_soft_cap, downcast_smem_data, head_shards,
        q_seq_shards, residual_checkpoint_name, interpret: as those of `make_splash_mha`.
    Returns:
      A function of queries, keys and values; the last two have no axis of heads.
    Raises:
      ValueError: the mask has no axis of heads, or `head_shards` does not divide its length.
    """
    return _make(**locals())


make_splash_mha_single_device = partial(make_splash_mha, head_shards=1, q_seq_shards=1)
make_splash_mqa_single_device = partial(make_splash_mqa, head_shards=1, q_seq_shards=1)


def attention_reference(
    mask: Any, q: Any, k: Any, v: Any, segment_ids: SegmentIds | None, sinks: Any = None, *,
    mask_value: float = DEFAULT_MASK_VALUE, save_residuals: bool = False, custom_type: str = "flash",
    attn_logits_soft_cap: float | None = None,
) -> Any:
    """Return the attention of one head.

    Args:
      mask: booleans of queries and keys.
      q, k, v: queries, keys and values; they have no axis of heads.
      segment_ids: the segments in which they are.
      sinks: the logarithm of a weight that goes to no key.
      mask_value, save_residuals, attn_logits_soft_cap: as those of `make_splash_mha`.
      custom_type: how derivatives are found; they are the same here.
    Returns:
      An array, or `(out, (sums,))`.
    """
    sinks = None if sinks is None else asarray(sinks).reshape(1)
    out, sums = _attention(
        q[None], k[None], v[None], asarray(mask)[None], segment_ids, sinks, mask_value, attn_logits_soft_cap
    )
    return (out[0], (sums[0],)) if save_residuals else out[0]


def make_attention_reference(
    mask: Mask | np.ndarray, is_mqa: bool, backward_impl: str = "vanilla", **params: Any
) -> Callable:
    """Return attention by masks, as a function.

    Args:
      mask: a `MultiHeadMask`, or booleans of heads, queries and keys.
      is_mqa: whether all heads share the keys and values.
      backward_impl: how derivatives are found; they are the same here.
      params: as those of `attention_reference`.
    Returns:
      A function of queries, keys, values and segments.
    """
    whole = mask if isinstance(mask, Mask) else None
    seen = asarray(whole[(slice(None),) * len(whole.shape)] if whole is not None else mask)
    if seen.ndim == 2:
        seen = seen[None]
    params = {name: value for name, value in params.items() if name != "custom_type"}
    options = {"save_residuals": False, "mask_value": DEFAULT_MASK_VALUE, "attn_logits_soft_cap": None, **params}
    kernel = SplashAttentionKernel(seen, is_mqa=is_mqa, residual_checkpoint_name=None, **options)
    return lambda q, k, v, segment_ids=None, sinks=None: kernel(q, k, v, segment_ids, sinks)


make_masked_mha_reference = partial(make_attention_reference, is_mqa=False)
make_masked_mqa_reference = partial(make_attention_reference, is_mqa=True)


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    raise no_attribute(__name__, name, __all__)


public(globals())
