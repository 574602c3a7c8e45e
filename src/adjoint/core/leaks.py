"""Who keeps a traced value that outlived its function: the variable, attribute or global to look at."""

from __future__ import annotations

import gc
import sys
from types import FrameType, ModuleType
from typing import Any

__all__ = ["holder"]

_CONTAINERS = (list, dict, tuple, set)


def holder(value: Any, frame: FrameType | None) -> str | None:
    """Where the user's program keeps a value, such as `the list 'leak', at index 0`; None if that is unclear.

    Args:
      value: a traced value.
      frame: the innermost frame of the user's program; its variables and those of its callers are searched.
    """
    frames = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    for referrer in gc.get_referrers(value):
        found = _described(referrer, value, frames)
        if found:
            return found
    for outer in frames:
        for name, x in outer.f_locals.items():
            if x is value:
                return f"the variable {name!r} of {outer.f_code.co_qualname}"
    return None


def _described(referrer, value, frames) -> str | None:
    if isinstance(referrer, _CONTAINERS):
        key = _key(referrer, value)
        owner = _owner(referrer)
        if owner is not None and isinstance(key, str):
            return f"the attribute {key!r} of {_named(owner, frames) or _article(type(owner).__name__)}"
        module = _module(referrer)
        if module is not None:
            return f"the global {key!r} of {module}"
        name = _named(referrer, frames)
        if name is None:
            return None
        return f"the {type(referrer).__name__} {name}" + ("" if key is None else f", at {_place(key)}")
    attributes = getattr(referrer, "__dict__", None)
    if isinstance(attributes, dict) and not _is_ours(referrer):
        key = _key(attributes, value)
        if key is not None:
            return f"the attribute {key!r} of {_named(referrer, frames) or _article(type(referrer).__name__)}"
    return None


def _key(container, value):
    """The index or key of a value in its container; None in a set."""
    if isinstance(container, dict):
        return next((k for k, v in container.items() if v is value), None)
    if isinstance(container, set):
        return None
    return next((i for i, v in enumerate(container) if v is value), None)


def _place(key) -> str:
    return f"index {key}" if type(key) is int else f"key {key!r}"


def _article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _owner(attributes):
    """The object whose `__dict__` this is."""
    if not isinstance(attributes, dict):
        return None
    for x in gc.get_referrers(attributes):
        if getattr(x, "__dict__", None) is attributes and not isinstance(x, ModuleType) and not _is_ours(x):
            return x
    return None


def _module(variables) -> str | None:
    return next((n for n, m in list(sys.modules.items()) if getattr(m, "__dict__", None) is variables), None)


def _named(x, frames) -> str | None:
    """The variable that holds a container or an object, in one of the frames."""
    for frame in frames:
        for name, y in frame.f_locals.items():
            if y is x and not _is_internal(frame):
                return repr(name)
    return None


def _is_ours(x) -> bool:
    return type(x).__module__.partition(".")[0] == __name__.partition(".")[0]


def _is_internal(frame) -> bool:
    return frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]
