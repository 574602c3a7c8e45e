"""Kernels for GPUs, computed here by products, on every device."""
