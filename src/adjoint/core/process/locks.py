"""Things that threads share: one of them makes each, once, and a fork waits until it stands.

A child has the memory of its parent, and of its threads only the one that forked: what another thread was making
stays half made there, and its lock taken. So a thread that forks takes all locks first, in the order in which threads
take them, and both sides give them back. A thread that has the lock of one rank takes only those of later ranks.

Tests: `tests/engines/native/runtime/test_stress.py`.
"""

from __future__ import annotations

import os
import sys
from bisect import insort
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import cache, update_wrapper
from importlib import _bootstrap
from threading import RLock, get_ident, local
from typing import Any, TypeVar

__all__ = ["LIBRARIES", "MAKING", "TABLES", "TASKS", "forks_take", "making", "once", "tables"]

TASKS, MAKING, LIBRARIES, TABLES = range(4)  # ranks: what a thread of our own is at; what is made; what others wrote

making = RLock()  # of what takes long: code, imports, clients of devices
tables = RLock()  # of what takes microseconds: entries of a table, and a flag that goes with them

_Made = TypeVar("_Made", bound=Callable[..., Any])


def once(make: _Made) -> _Made:
    """Cache results as `functools.cache` does; if several threads ask at once, one makes the value and the others wait.

    No module may need it while it is imported: `make` may import that module, which another thread is importing.
    """
    known: dict[tuple, Any] = {}

    def made(*args: Any) -> Any:
        with making:
            if args not in known:
                known[args] = make(*args)
            return known[args]

    return update_wrapper(cache(made), make)  # type: ignore[return-value] - later calls take no lock


# ---- forks ---------------------------------------------------------------------------------------

# What is imported by whichever thread needs it first, and in a short time.
_PACKAGES = {__name__.partition(".")[0], "numpy", "scipy", "ml_dtypes", "llvmlite", "jaxlib", *sys.stdlib_module_names}

_MAX_ATTEMPTS = 100  # an import may wait for one that forks
_ranked: list[tuple[int, int, AbstractContextManager]] = []


class _Taken(local):
    """The locks that a forking thread has taken; others may fork at the same time."""

    def __init__(self):
        self.locks = ExitStack()


_taken = _Taken()


def forks_take(rank: int, lock: AbstractContextManager) -> None:
    """Let a thread that forks hold a lock meanwhile."""
    insort(_ranked, (rank, len(_ranked), lock))


def _imported_elsewhere() -> list[str]:
    """Return the modules that other threads are importing: a child would wait for ever for the locks that they have."""
    known = [(name, lock()) for name, lock in [*_bootstrap._module_locks.items()]]  # type: ignore[attr-defined]
    elsewhere = [name for name, lock in known if lock is not None and lock.owner not in (None, get_ident())]
    return [name for name in elsewhere if name.partition(".")[0] in _PACKAGES]


def _take() -> None:
    for left in reversed(range(_MAX_ATTEMPTS)):
        for name in _imported_elsewhere():
            _bootstrap._lock_unlock_module(name)  # type: ignore[attr-defined]
        for _, _, lock in [*_ranked]:
            _taken.locks.enter_context(lock)
        if not left or not _imported_elsewhere():
            return
        _give_back()  # an import that has begun since may need one of them


def _give_back() -> None:
    _taken.locks.close()


forks_take(MAKING, making)
forks_take(TABLES, tables)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_take, after_in_parent=_give_back, after_in_child=_give_back)
