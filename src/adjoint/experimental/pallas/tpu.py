"""Memory spaces of TPUs, so that kernels written for them run where they use nothing else of a TPU.

Tests: `tests/experimental/test_pallas.py`.
"""

from __future__ import annotations

from .specs import CompilerParams, MemorySpace

__all__ = ["ANY", "CMEM", "CompilerParams", "HBM", "MemorySpace", "SMEM", "VMEM"]

ANY, VMEM, SMEM, CMEM, HBM = (
    MemorySpace.ANY, MemorySpace.VMEM, MemorySpace.SMEM, MemorySpace.CMEM, MemorySpace.HBM,
)


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"pallas.tpu.{name} is of TPUs, which adjoint does not run kernels on.\n"
        "  Try: pallas, for kernels that the CPU runs", name=name,
    )
