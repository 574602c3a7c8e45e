"""The processor that code is made for: the machine's own, or a level of x86-64 that it also has.

`ADJOINT_NATIVE_CPU=x86-64-v3` makes the code that a machine with AVX2 and without AVX-512 gets, so that its faults are
found here too. Whatever depends on a processor asks `machine.has_feature` and `machine.VECTOR_BYTES`. What LLVM calls
the machine is kept on disk by what the system says of it, so that a program that was compiled before loads no LLVM.
"""

from __future__ import annotations

import json
import os
from importlib.util import find_spec

from ....core.messages.errors import message
from . import objects

__all__ = ["CPU", "FEATURES", "VERSION", "levels"]

_VARIABLE = "ADJOINT_NATIVE_CPU"
_V2 = ["cmov", "cx16", "cx8", "fxsr", "popcnt", "sahf", "sse", "sse2", "sse3", "sse4.1", "sse4.2", "ssse3"]
_V3 = [*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"]
_V4 = [*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"]
# Which lines tell processors apart, of x86 and of Arm.
_CPUINFO = (
    "vendor_id", "cpu family", "model", "stepping", "flags", "CPU implementer", "CPU variant", "CPU part",
    "CPU revision", "Features",
)
_CPUINFO_BYTES = 1 << 14  # bytes, which hold what is said of one processor
# The levels of the psABI of x86-64, by LLVM's names of them and of their features.
_LEVELS = {"x86-64-v2": _V2, "x86-64-v3": _V3, "x86-64-v4": _V4}


def levels() -> list[str]:
    """Return the levels whose code this machine can run."""
    return [level for level in _LEVELS if not _missing(level)]


def _missing(level: str) -> list[str]:
    import llvmlite.binding as llvm

    own = llvm.get_host_cpu_features()
    return [name for name in _LEVELS[level] if not own.get(name)]


def _asked(chosen: str) -> tuple[str, dict[str, bool], str]:
    """Return what LLVM calls the processor that code is made for, the features that it has or lacks, and its version.

    Raises:
      ValueError: `ADJOINT_NATIVE_CPU` is not the name of a level, or of one that this machine lacks.
    """
    import llvmlite.binding as llvm

    version = ".".join(map(str, llvm.llvm_version_info))
    if chosen == "host":
        return llvm.get_host_cpu_name(), dict(llvm.get_host_cpu_features()), version
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
    return chosen, dict.fromkeys(_LEVELS[chosen], True), version


def _machine() -> str | None:
    """Return what decides LLVM's answer: the file of LLVM and the system's words for the processor, if it has some."""
    try:
        places = getattr(find_spec("llvmlite"), "submodule_search_locations", None)
        state = os.stat(f"{(places or ['.'])[0]}/binding/libllvmlite.so")
        with open("/proc/cpuinfo") as file:
            first = file.read(_CPUINFO_BYTES).split("\n\n")[0]
    except (OSError, ValueError):
        return None
    facts = [line for line in first.splitlines() if line.startswith(_CPUINFO)]
    return "\n".join([str(state.st_size), str(state.st_mtime_ns), *facts]) if facts else None


def _chosen_cpu() -> tuple[str, dict[str, bool], str]:
    chosen, machine = os.environ.get(_VARIABLE) or "host", _machine()
    if machine is None:
        return _asked(chosen)
    name = objects.key("cpu", machine, chosen)
    known = objects.load(name)
    if known is not None:
        return tuple(json.loads(known))
    found = _asked(chosen)
    objects.store(name, json.dumps(found).encode())
    return found


CPU, FEATURES, VERSION = _chosen_cpu()
