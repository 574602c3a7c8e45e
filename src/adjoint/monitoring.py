"""Events for those who measure: record them, and be told of them.

A listener is called with the event's name and what goes with its kind. Names are paths: `/my_library/save`.
The library tells how long each tracing took, `/jax/core/compile/jaxpr_trace_duration`, what was done between it and
compilation, `jaxpr_to_mlir_module_duration`, and each compilation, `backend_compile_duration` (under the same path),
before which it tells `/jax/compilation_cache/compile_requests_use_cache`.

Tests: `tests/extend/test_libraries.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from .core.options.events import DURATIONS, EVENTS, SCALARS, SPANS
from .core.options.events import notify as _tell

__all__ = [
    "clear_event_listeners", "record_event", "record_event_duration_secs", "record_event_time_span",
    "record_scalar", "register_event_duration_secs_listener", "register_event_listener",
    "register_event_time_span_listener", "register_scalar_listener", "unregister_event_duration_listener",
    "unregister_event_listener", "unregister_event_time_span_listener", "unregister_scalar_listener",
]


def record_event(event: str, **kwargs: str | int) -> None:
    """Something happened.

    >>> register_event_listener(print)
    >>> record_event("/my_library/saved")
    /my_library/saved
    >>> unregister_event_listener(print)
    """
    _tell(EVENTS, event, **kwargs)


def record_event_duration_secs(event: str, duration: float, **kwargs: str | int) -> None:
    """Something took this many seconds."""
    _tell(DURATIONS, event, duration, **kwargs)


def record_event_time_span(event: str, start_time: float, end_time: float, **kwargs: str | int) -> None:
    """Something began and ended at these times, in seconds of the epoch."""
    _tell(SPANS, event, start_time, end_time, **kwargs)


def record_scalar(event: str, value: float | int, **kwargs: str | int) -> None:
    """A quantity has this value now."""
    _tell(SCALARS, event, value, **kwargs)


def register_event_listener(callback: Callable) -> None:
    """Call `callback(event, **kwargs)` for each event."""
    EVENTS.append(callback)


def register_event_duration_secs_listener(callback: Callable) -> None:
    """Call `callback(event, duration, **kwargs)` for each duration."""
    DURATIONS.append(callback)


def register_event_time_span_listener(callback: Callable) -> None:
    """Call `callback(event, start_time, end_time, **kwargs)` for each time span."""
    SPANS.append(callback)


def register_scalar_listener(callback: Callable) -> None:
    """Call `callback(event, value, **kwargs)` for each scalar."""
    SCALARS.append(callback)


def unregister_event_listener(callback: Callable) -> None:
    """Call it no more; AssertionError if it was not registered."""
    _remove(EVENTS, callback)


def unregister_event_duration_listener(callback: Callable) -> None:
    """Call it no more; AssertionError if it was not registered."""
    _remove(DURATIONS, callback)


def unregister_event_time_span_listener(callback: Callable) -> None:
    """Call it no more; AssertionError if it was not registered."""
    _remove(SPANS, callback)


def unregister_scalar_listener(callback: Callable) -> None:
    """Call it no more; AssertionError if it was not registered."""
    _remove(SCALARS, callback)


def _remove(listeners: list, callback: Callable) -> None:
    if callback not in listeners:
        raise AssertionError(f"{callback!r} is not a registered listener of this kind")
    listeners.remove(callback)


def clear_event_listeners() -> None:
    """Call no listener of any kind any more."""
    for listeners in (EVENTS, DURATIONS, SPANS, SCALARS):
        listeners.clear()
