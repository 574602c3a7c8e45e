"""Products of groups of rows with a matrix of each group, as kernels of TPUs have them."""

from .ops import gmm

__all__ = ["gmm"]
