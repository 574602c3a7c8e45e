"""Rematerialisation: what to forget between the forward and the backward pass."""

from .transforms.remat import checkpoint, checkpoint_name, checkpoint_policies, remat

__all__ = ["checkpoint", "checkpoint_name", "checkpoint_policies", "remat"]
