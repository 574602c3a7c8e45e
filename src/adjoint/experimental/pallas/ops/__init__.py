"""Kernels that JAX carries for accelerators: their modules are here, and asking for a kernel says what to use."""
