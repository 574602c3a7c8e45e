"""Attention of one query for each sequence, whose keys are in pages, as a kernel of TPUs has it."""

from .paged_attention_kernel import paged_attention

__all__ = ["paged_attention"]
