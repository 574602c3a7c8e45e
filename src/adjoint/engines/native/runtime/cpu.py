"""The processor that code is made for: the machine's own, or a level of x86-64 that it also has.

`ADJOINT_NATIVE_CPU=x86-64-v3` makes the code that a machine with AVX2 and without AVX-512 gets, so that its faults are
found here too. Whatever depends on a processor asks `machine.has_feature` and `machine.VECTOR_BYTES`.
"""

from __future__ import annotations

import os

import llvmlite.binding as llvm

from ....core.messages.errors import message

__all__ = ["chosen_cpu", "levels"]

_VARIABLE = "ADJOINT_NATIVE_CPU"
_V2 = ["cmov", "cx16", "cx8", "fxsr", "popcnt", "sahf", "sse", "sse2", "sse3", "sse4.1", "sse4.2", "ssse3"]
_V3 = [*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"]
_V4 = [*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"]
# The levels of the psABI of x86-64, by LLVM's names of them and of their features.
_LEVELS = {"x86-64-v2": _V2, "x86-64-v3": _V3, "x86-64-v4": _V4}


def levels() -> list[str]:
    """Return the levels whose code this machine can run."""
    return [level for level in _LEVELS if not _missing(level)]


def _missing(level: str) -> list[str]:
    own = llvm.get_host_cpu_features()
    return [name for name in _LEVELS[level] if not own.get(name)]


def chosen_cpu() -> tuple[str, dict[str, bool]]:
    """Return LLVM's name of the processor that code is made for, and the features that it has or lacks.

    Raises:
      ValueError: `ADJOINT_NATIVE_CPU` is not the name of a level, or of one that this machine lacks.
    """
    chosen = os.environ.get(_VARIABLE) or "host"
    if chosen == "host":
        return llvm.get_host_cpu_name(), dict(llvm.get_host_cpu_features())
    if chosen not in _LEVELS:
        raise ValueError(message(
            f"The environment variable {_VARIABLE} is {chosen!r}.", where=None,
            why=f"It names the processor that code is made for: {', '.join(_LEVELS)} or host.",
            fix=f"{_VARIABLE}=host, which is the same as none",
        ))
    if missing := _missing(chosen):
        raise ValueError(message(
            f"The environment variable {_VARIABLE} is {chosen!r}, and this machine cannot run code for it.", where=None,
            why=f"It is a {llvm.get_host_cpu_name()} without {', '.join(missing)}.",
            fix=f"{_VARIABLE}=host, which is the same as none",
        ))
    return chosen, dict.fromkeys(_LEVELS[chosen], True)
