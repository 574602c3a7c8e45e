"""Attention by masks, as a kernel of TPUs has it: computed here by products, on every device."""

from .splash_attention_kernel import (
    BlockSizes,
    QKVLayout,
    SegmentIds,
    make_masked_mha_reference,
    make_masked_mqa_reference,
    make_splash_mha,
    make_splash_mha_single_device,
    make_splash_mqa,
    make_splash_mqa_single_device,
)
from .splash_attention_mask import (
    CausalMask,
    FullMask,
    LocalMask,
    Mask,
    MultiHeadMask,
    NumpyMask,
    make_causal_mask,
    make_local_attention_mask,
    make_random_mask,
)

__all__ = [
    "BlockSizes", "CausalMask", "FullMask", "LocalMask", "Mask", "MultiHeadMask", "NumpyMask", "QKVLayout",
    "SegmentIds", "make_causal_mask", "make_local_attention_mask", "make_masked_mha_reference",
    "make_masked_mqa_reference", "make_random_mask", "make_splash_mha", "make_splash_mha_single_device",
    "make_splash_mqa", "make_splash_mqa_single_device",
]
