"""Python's garbage collector while programs are made: what is allocated then lives on, and is looked at rarely."""

from __future__ import annotations

import gc
from threading import RLock

__all__ = ["collected_rarely"]

_MANY = 100_000  # objects that may be new before the collector runs, which is a hundred times Python's number


class _Rarely:
    """A context; the number is Python's again when all who are in it have left, unless one of them chose another."""

    def __init__(self):
        self._lock = RLock()
        self._inside = 0
        self._usual = self._ours = gc.get_threshold()

    def __enter__(self):
        with self._lock:
            if not self._inside:
                self._usual = gc.get_threshold()
                self._ours = max(_MANY, self._usual[0]) if self._usual[0] else 0, *self._usual[1:]
                gc.set_threshold(*self._ours)
            self._inside += 1

    def __exit__(self, *_):
        with self._lock:
            self._inside -= 1
            if not self._inside and gc.get_threshold() == self._ours:
                if gc.isenabled() and 0 < self._usual[0] < gc.get_count()[0]:
                    gc.collect(0)  # of what is new; the next allocation might look at everything there is
                gc.set_threshold(*self._usual)


collected_rarely = _Rarely()
