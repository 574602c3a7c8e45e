"""Kernels for TPUs, computed here by products, on every device."""
