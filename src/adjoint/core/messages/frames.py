"""The user's place in a program: frames of this package and of libraries between are passed over.

Tests: `tests/core/test_errors.py`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import linecache
import os
import sys
from types import CodeType, FrameType

import numpy as np

from ..process.records import NamedTuple

__all__ = [
    "UserFrame", "exclude_path", "excluded_paths", "file_of", "include_path", "is_internal", "is_ours", "is_stray",
    "locate", "user_code", "user_frame", "user_frame_above",
]

_PACKAGE = os.path.dirname(os.path.abspath(sys.modules[__name__.partition(".")[0]].__file__)) + os.sep
# Files whose frames are between the user and us: np.mean(x) calls x.__array__, a decorator wraps.
_LIBRARIES = os.path.dirname(os.path.dirname(os.path.abspath(np.__file__))) + os.sep
_BETWEEN = (*[_LIBRARIES + name + os.sep for name in ("numpy", "scipy", "opt_einsum", "llvmlite")],
            contextlib.__file__, functools.__file__, importlib.__file__,
            os.path.join(os.path.dirname(functools.__file__), "string.py"), "<frozen ", "<__array_function__")
_GENERATED, _MAKER = "<string>", "__create_fn__."  # the file of methods that dataclasses write, and what encloses them
_excluded: list[str] = []
_internal: dict[str, bool] = {}


class UserFrame(NamedTuple):
    """A place in the user's program; columns count characters from 0 and may be unknown."""

    file: str
    line: int
    function: str
    column: int | None = None
    end_column: int | None = None

    @property
    def source(self) -> str:
        """Return the text of the line without its indentation; empty when it cannot be read."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        cell = _cell(self.file)
        place = f"{_shown(self.file)}:{self.line}" if cell is None else f"{cell}, line {self.line}"
        return f"{place} in {self.function}"


def exclude_path(path: str) -> None:
    """Count the files below `path` as internal, for libraries that wrap ours."""
    _excluded.append(os.path.abspath(path))
    _internal.clear()


def include_path(path: str) -> None:
    """Count the files below `path` as the user's again; ValueError if `exclude_path` was not called with it."""
    _excluded.remove(os.path.abspath(path))
    _internal.clear()


def excluded_paths() -> tuple[str, ...]:
    """Return what `exclude_path` was called with."""
    return tuple(_excluded)


def is_internal(filename: str) -> bool:
    """Return whether frames of a file are hidden from users; one dict lookup after the first call."""
    known = _internal.get(filename)
    if known is None:
        if filename == _GENERATED:  # never remembered: whether such a frame is shown says its code (`user_frame_above`)
            return False
        hidden = (_PACKAGE, *_BETWEEN, *_excluded)
        known = os.path.abspath(filename).startswith(hidden) or filename.startswith(hidden)
        _internal[filename] = known
    return known


def file_of(frame: FrameType) -> str:
    """Return the file that a frame belongs to: that of its module if a dataclass has written the method."""
    return frame.f_globals.get("__file__", _GENERATED) if _is_generated(frame.f_code) else frame.f_code.co_filename


def _is_generated(code: CodeType) -> bool:
    """Return whether code is a method that a dataclass has written, which has no line to show."""
    return code.co_filename == _GENERATED and code.co_qualname.startswith(_MAKER)


@functools.cache
def is_ours(filename: str) -> bool:
    """Return whether a file is part of this package."""
    return os.path.abspath(filename).startswith(_PACKAGE)


@functools.cache
def is_stray(filename: str) -> bool:
    """Return whether frames of a file are hidden only for standing between the user and us."""
    return is_internal(filename) and filename.startswith(_BETWEEN) and not is_ours(filename)


def user_code() -> tuple[CodeType, int] | None:
    """Return the user's place as (code, instruction), cheap to keep; `locate` reads it."""
    frame = user_frame_above(sys._getframe(1))
    return None if frame is None else (frame.f_code, frame.f_lasti)


def user_frame() -> UserFrame | None:
    """Return the innermost place of this thread that is in the user's program."""
    frame = user_frame_above(sys._getframe(1))
    return None if frame is None else locate(frame.f_code, frame.f_lasti)


def locate(code: CodeType, instruction: int) -> UserFrame:
    """Return the place of an instruction of a code object."""
    line, end_line, column, end_column = _position(code, instruction)
    function = code.co_qualname.rpartition("<locals>.")[2]
    if line is None:
        return UserFrame(code.co_filename, code.co_firstlineno, function)
    if column is None or end_column is None or end_line != line:
        return UserFrame(code.co_filename, line, function)
    text = linecache.getline(code.co_filename, line).encode()  # columns of code objects are bytes
    first, last = (len(text[:n].decode(errors="replace")) for n in (column, end_column))
    return UserFrame(code.co_filename, line, function, first, last)


def user_frame_above(frame: FrameType | None) -> FrameType | None:
    """Return the innermost frame of the user's program among a frame and its callers."""
    known = _internal
    while frame is not None:
        file = frame.f_code.co_filename
        hidden = known.get(file)
        if hidden is None:
            hidden = _is_generated(frame.f_code) or is_internal(file)
        if not hidden:
            return frame
        frame = frame.f_back
    return None


def _position(code: CodeType, instruction: int) -> tuple:
    """Return (line, end line, column, end column) of an instruction, which takes two bytes of code."""
    for i, position in enumerate(code.co_positions()):
        if 2 * i >= instruction:
            return position
    return None, None, None, None


def _cell(file: str) -> str | None:
    """Return the name that a notebook shows for a file that stands for one of its cells, such as `Cell In[3]`."""
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    name = getattr(getattr(find and find(), "compile", None), "format_code_name", None)
    words = name and name(file)
    return " ".join(words) if words else None


def _shown(file: str) -> str:
    """Return a file's path, relative when it is below the current folder."""
    with contextlib.suppress(OSError):  # the current folder may be gone
        here = os.getcwd() + os.sep
        if file.startswith(here):
            return file[len(here):]
    return file
