"""Attention of sequences of unequal lengths, one after the other, whose keys are in pages."""

from .kernel import ragged_paged_attention, ref_ragged_paged_attention

__all__ = ["ragged_paged_attention", "ref_ragged_paged_attention"]
