"""Calls that a fork waits for: what libraries do without the GIL, such as products of BLAS with threads of its own.

The thread that forks says so and then looks at what the other threads are doing. One that is about to make such a
call, or in it, shows the frame of `called`; one that waits for the fork shows the frame of `_wait` above it.

Tests: `tests/engines/native/runtime/test_stress.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import get_ident
from time import monotonic, sleep
from typing import TypeVar

from .locks import LIBRARIES, forks_take

__all__ = ["apart_from_forks"]

_PAUSE_SECONDS, _MAX_WAIT_SECONDS = 50e-6, 60  # between two looks, and for all of them

_forking: set[int] = set()  # the threads that fork

_Call = TypeVar("_Call", bound=Callable)


def apart_from_forks(call: _Call) -> _Call:
    """Return a function that makes the call while no thread forks, and that threads which fork wait for."""

    def called(*args, **kwargs):
        if _forking:
            _wait()
        return call(*args, **kwargs)

    _CALLED.add(called.__code__)
    return called  # type: ignore[return-value]


_CALLED = set()


def _wait() -> None:
    while _forking:
        sleep(_PAUSE_SECONDS)


def _is_apart(frame) -> bool:
    """Return whether a thread at this frame is about to make such a call, or in it."""
    while frame is not None and frame.f_code is not _wait.__code__:
        if frame.f_code in _CALLED:
            return True
        frame = frame.f_back
    return False


class _Fork:
    """The context of a thread that forks."""

    def __enter__(self):
        _forking.add(get_ident())
        ends = monotonic() + _MAX_WAIT_SECONDS
        while monotonic() < ends:
            others = [frame for thread, frame in sys._current_frames().items() if thread not in _forking]
            if not any(map(_is_apart, others)):
                return
            sleep(_PAUSE_SECONDS)

    def __exit__(self, *_):
        _forking.discard(get_ident())


if hasattr(os, "register_at_fork"):
    forks_take(LIBRARIES, _Fork())
    os.register_at_fork(after_in_child=_forking.clear)
