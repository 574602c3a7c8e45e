"""Python's garbage collector while programs are made: what is allocated then lives on, and is looked at rarely.

Tests: `tests/engines/native/call/test_calls.py`.
"""

from __future__ import annotations

import gc
import os
import sys
from threading import get_ident
from types import FrameType

from .locks import tables

__all__ = ["gc_paused"]

_MAX_NEW_OBJECTS = 100_000  # that are made before the collector runs, which is a hundred times Python's number


class _Rarely:
    """A context; the number is Python's again when all threads have left it, unless one of them chose another.

    Ctrl-C may come while a thread enters or leaves: a frame that has ended since is not inside.
    """

    def __init__(self):
        self._inside: list[tuple[int, int]] = []  # threads, and the ids of their frames
        self._is_ours = False  # the number
        self._usual = self._ours = gc.get_threshold()
        self._modules = 0  # that had been imported before

    def __enter__(self):
        frame = sys._getframe(1)
        with tables:
            self._forget(frame.f_back)
            if not self._is_ours:
                self._modules = len(sys.modules)
                self._usual = gc.get_threshold()
                self._ours = max(_MAX_NEW_OBJECTS, self._usual[0]) if self._usual[0] else 0, *self._usual[1:]
                self._is_ours = True
                gc.set_threshold(*self._ours)
            self._inside.append((get_ident(), id(frame)))

    def __exit__(self, *_):
        frame = sys._getframe(1)
        with tables:
            self._forget(frame.f_back)
        self._leave()

    def _forget(self, frame: FrameType | None) -> None:
        """Forget those frames of this thread that are not this one, or one that waits for it."""
        me, running = get_ident(), set()
        while frame is not None:
            running.add(id(frame))
            frame = frame.f_back
        self._inside = [(thread, i) for thread, i in self._inside if thread != me or i in running]

    def _leave(self):
        if self._inside or not self._is_ours:
            return
        if gc.get_threshold() == self._ours and gc.isenabled() and 0 < self._usual[0] < gc.get_count()[0]:
            if len(sys.modules) > self._modules and not gc.get_freeze_count():
                gc.freeze()  # what modules define is for good: it becomes old without a look at it
                gc.unfreeze()
            else:
                gc.collect(0)  # of what is new; the next allocation might look at everything there is
        with tables:
            if not self._inside and self._is_ours:
                if gc.get_threshold() == self._ours:
                    gc.set_threshold(*self._usual)
                self._is_ours = False

    def forked(self):
        """Go on in a child, which has none of the other threads."""
        self._inside = [(thread, i) for thread, i in self._inside if thread == get_ident()]
        self._leave()


gc_paused = _Rarely()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=gc_paused.forked)
