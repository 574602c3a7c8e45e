"""Silence NumPy's floating-point warnings while rules run: infinities and NaNs are values here.

Tests: `tests/prims/test_elementwise.py`.
"""

from __future__ import annotations

from functools import partial

import numpy as np


class _Context:
    """NumPy's error state as a context variable: a tenth of the cost of `np.errstate`."""

    def __init__(self, variable, value):
        self.set, self.value = variable.set, value  # `set(value)` is `enter()`, one call less
        self.enter = partial(variable.set, value)
        self.leave = variable.reset


class _Portable:
    """The same through the public interface, for a NumPy that keeps its error state elsewhere."""

    value = None

    def set(self, value):
        return self.enter()

    def enter(self):
        state = np.errstate(all="ignore")
        state.__enter__()
        return state

    def leave(self, state):
        state.__exit__(None, None, None)


def _choose():
    try:
        from numpy._core import umath

        return _Context(umath._extobj_contextvar, umath._make_extobj(all="ignore"))
    except (ImportError, AttributeError):
        return _Portable()


quiet = _choose()
