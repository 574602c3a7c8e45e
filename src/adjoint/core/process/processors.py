"""The number of processors that this process may use: for the native engine, and for libraries with threads of their
own.

Tests: `tests/engines/native/runtime/test_threads.py`.
"""

from __future__ import annotations

import math
import os
from functools import cache

__all__ = ["MAX_THREADS", "chosen", "count", "quota"]

MAX_THREADS = 256  # threads


def chosen() -> int | None:
    """Return the number of threads that the environment says, None if it says none.

    Raises:
      ValueError: `ADJOINT_NUM_THREADS` is not a number of threads.
    """
    for name in ("ADJOINT_NUM_THREADS", "OMP_NUM_THREADS"):
        text = os.environ.get(name, "").split(",")[0].strip()
        if text.isdigit() and int(text) > 0:
            return min(int(text), MAX_THREADS)
        if text and name == "ADJOINT_NUM_THREADS":
            problem = f"The environment variable {name} is {text!r}, which is not a number of threads."
            raise ValueError(f"{problem}\n  Try: {name}=2, or leave it out for all processors")
    return None


def count() -> int:
    """Return the number of threads, the caller's among them: what the environment says, or the processors we may use.

    Raises:
      ValueError: `ADJOINT_NUM_THREADS` is not a number of threads.
    """
    if (threads := chosen()) is not None:
        return threads
    try:
        n = len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        n = os.cpu_count() or 1
    return max(1, math.ceil(min(n, _first_quota(), MAX_THREADS)))


@cache
def _first_quota() -> float:
    """Return the quota that was found first: to look takes milliseconds where files of the system are slow."""
    return quota()


def quota(root: str = "/sys/fs/cgroup", own: str = "/proc/self/cgroup") -> float:
    """Return processors that the control group of this process grants, by version 2 or 1 of the interface."""
    join, folders = os.path.join, [root]
    try:
        for line in _read(own).splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers or "cpu" in controllers.split(","):
                folders += [join(f, path.lstrip("/")) for f in (root, join(root, "cpu"), join(root, "cpu,cpuacct"))]
    except (OSError, ValueError):
        pass
    folders += [join(root, "cpu")]
    granted = math.inf
    for folder in folders:
        try:
            if os.path.exists(join(folder, "cpu.max")):
                most, period = _read(join(folder, "cpu.max")).split()
            else:
                most, period = [_read(join(folder, f"cpu.cfs_{name}_us")).strip() for name in ("quota", "period")]
            if most != "max" and int(most) > 0:
                granted = min(granted, int(most) / int(period))
        except (OSError, ValueError):
            continue
    return granted


def _read(path: str) -> str:  # without pathlib, which a program that was compiled before need not load
    with open(path) as file:
        return file.read()
