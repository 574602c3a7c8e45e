"""Frames that are left out of tracebacks: the names of `jax._src.traceback_util`.

Tests: `tests/compat/test_private.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from types import TracebackType

from ...core.messages.boundaries import guarded
from ...core.messages.frames import exclude_path, excluded_paths, include_path, is_internal
from ...core.messages.tracebacks import UnfilteredStackTrace, filtered

__all__ = [
    "UnfilteredStackTrace", "api_boundary", "exclude_paths", "filter_traceback", "include_frame", "register_exclusion",
]


class _ExcludedPaths:
    """The list of files and folders whose frames are left out."""

    def append(self, path: str) -> None:
        """Leave out the frames of one more file or folder."""
        exclude_path(path)

    def remove(self, path: str) -> None:
        """Show the frames of a file or folder again; ValueError if they were not left out."""
        include_path(path)

    def __contains__(self, path: str) -> bool:
        return os.path.abspath(path) in excluded_paths()

    def __iter__(self) -> Iterator[str]:
        return iter(excluded_paths())

    def __len__(self) -> int:
        return len(excluded_paths())


exclude_paths = _ExcludedPaths()


def register_exclusion(path: str) -> None:
    """Leave the frames of a file, or of a folder's files, out of tracebacks and messages."""
    exclude_path(path)


def include_frame(frame) -> bool:
    """Return whether a frame is shown: whether its file belongs to the user."""
    return not is_internal(frame.f_code.co_filename)


def filter_traceback(tb: TracebackType) -> TracebackType | None:
    """Return the traceback with the user's frames alone."""
    return filtered(tb)


def api_boundary(fun: Callable, *, repro_api_name: str | None = None, repro_user_func: bool = False) -> Callable:
    """Return a function of a library, from which errors come without the frames that are left out."""
    return guarded(fun)
