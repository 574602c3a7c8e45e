"""The state of each thread: its current trace, and what else decides how a primitive is interpreted.

Tests: `tests/transforms/test_confusion.py`.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any

from .messages.frames import UserFrame, locate
from .messages.places import BACKWARDS, Transform

__all__ = [
    "State", "current", "extend_axis_env", "is_backwards", "reversed_frame", "scoped", "state", "states", "users_code",
]


class State(threading.local):
    """Per thread: the current trace, the named axes in scope as (name, size) pairs, the named scopes.

    `source` is the place in the user's program of the equation that is being transformed, if any. `is_again` says that
    equations are run or transformed that were traced before, perhaps on another mesh than the one that is set now.
    """

    trace: Any = None
    bottom: Any = None  # the trace that evaluates
    axis_env: tuple[tuple[Any, int], ...] = ()
    scopes: tuple[str, ...] = ()
    mapped_over: Any = None  # the axis that is being mapped, while a batching rule runs
    source: tuple | None = None
    is_again = False
    calls_directly = False  # whether generated code knows this thread

    def __init__(self):
        states[threading.get_ident()] = self.__dict__

    @classmethod
    def evaluate_by(cls, trace) -> None:
        """Let threads that have not begun evaluate by a trace."""
        cls.trace = cls.bottom = trace


states: dict[int, dict[str, Any]] = {}  # the attributes of `state` in every thread that has used it
state = State()


class current:
    """`with current(trace):` makes `trace` the current one of this thread."""

    __slots__ = ("before", "trace")

    def __init__(self, trace):
        self.trace = trace

    def __enter__(self):
        self.before = state.trace
        state.trace = self.trace
        return self.trace

    def __exit__(self, *_):
        state.trace = self.before


class scoped:
    """`with scoped(name):` gives what is traced one more scope, which may be a `Transform`."""

    __slots__ = ("before", "name")

    def __init__(self, name: str):
        self.name = name

    def __enter__(self):
        self.before = state.scopes
        state.scopes = (*self.before, self.name)

    def __exit__(self, *_):
        state.scopes = self.before


@contextmanager
def users_code():
    """The user's Python runs now: equations have its places, not that of what is being transformed."""
    before = state.source, state.is_again
    state.source, state.is_again = None, False
    try:
        yield
    finally:
        state.source, state.is_again = before


def reversed_frame() -> UserFrame | None:
    """Return the user's place of the operation whose backward pass runs now, if one does."""
    source = state.source
    if source is None or source[0] is None or not is_backwards(state.scopes):
        return None
    return locate(*source[:2])


def is_backwards(scopes: tuple[str, ...]) -> bool:
    """Return whether scopes are those of a backward pass."""
    return any([type(name) is Transform and name == BACKWARDS for name in scopes])


@contextmanager
def extend_axis_env(*axes):
    """Bring named axes, (name, size) pairs, into scope."""
    before = state.axis_env
    state.axis_env = before + axes
    try:
        yield
    finally:
        state.axis_env = before
