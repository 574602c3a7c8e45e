"""Traced values that outlive their function: what keeps one, and the check that nothing does.

`holder` names the variable, attribute or global to look at, also where what holds the value is itself inside of a
container, an object or a closure. `check` is what `jax_check_tracer_leaks` asks for.
"""

from __future__ import annotations

import gc
import sys
from types import CellType, FrameType, FunctionType, ModuleType
from typing import Any

from .frames import locate

__all__ = ["check", "created", "holder"]

_CONTAINERS = (list, dict, tuple, set)
_MAX_DEPTH = 4  # containers in containers that are looked through


def check(trace: Any) -> None:
    """Raise if a value of a trace that is over is still held anywhere; the caller has the trace in one variable."""
    if sys.getrefcount(trace) <= _REFERENCES:
        return
    held = _values_of(trace)
    if held:
        del held                        # what only cycles hold is not kept; to look for these takes long
        gc.collect()
        held = _values_of(trace)
    if not held:
        return
    frame: FrameType | None = sys._getframe(1)
    texts = []
    for x in held:
        by = holder(x, frame)
        texts += [x.describe(), *["  " + line for line in (f"It is kept in {by}." if by else "", *created(x)) if line]]
    raise Exception(
        f"Leaked trace {type(trace).__name__}. Leaked tracer(s):\n\n" + "\n".join(texts)
        + "\n\n  Try: return the value from the function instead of storing it"
    )


def _references(trace: Any) -> int:
    return sys.getrefcount(trace)


def _references_of_what_nothing_holds() -> int:
    trace = object()
    return _references(trace)


_REFERENCES = _references_of_what_nothing_holds()  # as `check` counts them; to search for values takes long


def _values_of(trace) -> list:
    return [x for x in gc.get_referrers(trace) if getattr(x, "_trace", None) is trace]


def created(tracer: Any) -> list[str]:
    """Return lines that say which function was traced when a value was made, and where that was, as far as is known."""
    trace = getattr(tracer, "_trace", None)
    debug = getattr(trace, "debug", None)
    if debug is None:
        return []
    lines = [
        f"The function being traced when the value leaked was {debug.func_src_info} traced for {debug.traced_for}."
    ]
    if tracer._var in trace.invars:
        lines.append(f"It is the argument {debug.arg_name(trace.invars.index(tracer._var))}.")
    elif tracer.source is not None and tracer.source[0] is not None:
        place = locate(*tracer.source[:2])
        lines.append(f"The leaked intermediate value was created on line {place}:   {place.source}")
    return lines


def holder(value: Any, frame: FrameType | None) -> str | None:
    """Return where the user's program keeps a value, such as `the list 'leak', at index 0`; None if that is unclear.

    Args:
      value: a traced value.
      frame: the innermost frame of the user's program; its variables and those of its callers are searched.
    """
    frames = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    found = _held(value, frames, _MAX_DEPTH)
    if found:
        return found
    for outer in frames:
        for name, x in outer.f_locals.items():
            if x is value and not _is_internal(outer):
                return f"the variable {name!r} of {outer.f_code.co_qualname}"
    return None


def _held(value, frames, depth: int) -> str | None:
    """Return the nearest thing with a name from which the value is reached, and the way from there."""
    referrers = gc.get_referrers(value)
    for referrer in referrers:
        found = _described(referrer, value, frames)
        if found:
            return found
    if depth > 1:
        for referrer in referrers:
            if isinstance(referrer, _CONTAINERS) and referrer is not frames:
                outer = _held(referrer, frames, depth - 1)
                if outer:
                    key = _key(referrer, value)
                    return outer if key is None else f"{outer}, at {_place(key)}"
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
    if isinstance(referrer, CellType):
        return _closed_over(referrer)
    if not isinstance(referrer, (FrameType, FunctionType)) and not _is_ours(referrer):
        key = _attribute(referrer, value)
        if key is not None:
            return f"the attribute {key!r} of {_named(referrer, frames) or _article(type(referrer).__name__)}"
    return None


def _attribute(x, value) -> str | None:
    """Return the name of the attribute of an object, in its dictionary or a slot, that is the value."""
    attributes = getattr(x, "__dict__", None)
    if isinstance(attributes, dict) and (key := _key(attributes, value)) is not None:
        return key
    slots = [name for cls in type(x).__mro__ for name in vars(cls).get("__slots__", ())]
    return next((name for name in slots if getattr(x, name, None) is value), None)


def _closed_over(cell: CellType) -> str | None:
    """Return the variable of a function that a cell of its closure is."""
    for cells in gc.get_referrers(cell):
        for fun in gc.get_referrers(cells) if isinstance(cells, tuple) else ():
            if isinstance(fun, FunctionType) and fun.__closure__ is cells and not _is_ours(fun):
                names = fun.__code__.co_freevars  # cells that are compared by == would compare traced values
                name = next(name for name, own in zip(names, cells) if own is cell)
                return f"the variable {name!r} that {fun.__qualname__} closes over"
    return None


def _key(container, value):
    """Return the index or key of a value in its container; None in a set."""
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
    """Return the object whose `__dict__` this is."""
    if not isinstance(attributes, dict):
        return None
    for x in gc.get_referrers(attributes):
        if getattr(x, "__dict__", None) is attributes and not isinstance(x, ModuleType) and not _is_ours(x):
            return x
    return None


def _module(variables) -> str | None:
    return next((n for n, m in list(sys.modules.items()) if getattr(m, "__dict__", None) is variables), None)


def _named(x, frames) -> str | None:
    """Return the variable that holds a container or an object, in one of the frames."""
    for frame in frames:
        for name, y in frame.f_locals.items():
            if y is x and not _is_internal(frame):
                return repr(name)
    return None


def _is_ours(x) -> bool:
    module = x.__module__ if isinstance(x, FunctionType) else type(x).__module__
    return (module or "").partition(".")[0] in (__name__.partition(".")[0], "jax", "jaxlib")  # of both when run as JAX


def _is_internal(frame) -> bool:
    return frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]
