"""Tracebacks of uncaught errors without the frames of this package, as `jax_traceback_filtering` asks for.

Only what is printed changes: the traceback of an error that a program catches is whole. The frames that are left
out are counted in a note.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from .config import config
from .errors import is_internal

__all__ = ["filtered", "install"]


def filtered(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback with the user's frames alone; whole if none is the user's."""
    frames = []
    while traceback is not None:
        if not is_internal(traceback.tb_frame.f_code.co_filename):
            frames.append(traceback)
        traceback = traceback.tb_next
    out = None
    for t in reversed(frames):
        out = TracebackType(out, t.tb_frame, t.tb_lasti, t.tb_lineno)
    return out


def install() -> None:
    """Filter what the interpreter prints of errors that nobody catches."""
    shown: Any = sys.excepthook

    def excepthook(kind, error, traceback):
        if config.read("jax_traceback_filtering") != "off":
            traceback = error.__traceback__ = _cleaned(error, traceback)  # what is shown is the error's own
        shown(kind, error, traceback)

    sys.excepthook = excepthook


def _cleaned(error: BaseException, traceback: TracebackType | None) -> TracebackType | None:
    """The filtered traceback of an error; those of the errors that led to it are filtered in place."""
    whole, short = _length(traceback), filtered(traceback)
    if short is None or _length(short) == whole:
        return traceback
    error.add_note(
        f"{whole - _length(short)} frames inside the library are not shown; JAX_TRACEBACK_FILTERING=off shows them."
    )
    link, seen = error, {id(error)}
    while True:
        cause = link.__cause__ or link.__context__
        if cause is None or id(cause) in seen:
            return short
        seen.add(id(cause))
        if link.__cause__ is None and _raised_inside(cause):
            link.__suppress_context__ = True  # an exception that the library used to find its way
        cause.__traceback__ = filtered(cause.__traceback__) or cause.__traceback__
        link = cause


def _length(traceback: TracebackType | None) -> int:
    n = 0
    while traceback is not None:
        n, traceback = n + 1, traceback.tb_next
    return n


def _raised_inside(error: BaseException) -> bool:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback is not None and is_internal(traceback.tb_frame.f_code.co_filename)
