"""Kernels for TPUs, which adjoint does not run on."""
