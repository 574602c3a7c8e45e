"""Events for those who measure: record them, and be told of them.

A listener is called with the event's name and what goes with its kind. Names are paths: `/my_library/save`.
The library tells how long each tracing took, `/jax/core/compile/jaxpr_trace_duration`, what was done between it and
compilation, `jaxpr_to_mlir_module_duration`, and each compilation, `backend_compile_duration` (under the same path),
before which it tells `/jax/compilation_cache/compile_requests_use_cache`.

Tests: `tests/extend/test_libraries.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from .core.messages.boundaries import explain_missing as _explain_missing
from .core.options.events import DURATIONS, EVENTS, SCALARS, SPANS
from .core.options.events import notify as _tell

__all__ = [
    "clear_event_listeners", "record_event", "record_event_duration_secs", "record_event_time_span",
    "record_scalar", "register_event_duration_secs_listener", "register_event_listener",
    "register_event_time_span_listener", "register_scalar_listener", "unregister_event_duration_listener",
    "unregister_event_listener", "unregister_event_time_span_listener", "unregister_scalar_listener",
]


def record_event(event: str, **kwargs: str | int) -> None:
    """Tell the listeners that something happened.

    Args:
      event: its name, by convention a path such as "/my_library/saved".
      **kwargs: texts and numbers that belong to it.
    Returns:
      None.
    Raises:
      Exception: what a listener raises; those that were registered after it are not called.

    >>> register_event_listener(print)
    >>> record_event("/my_library/saved")
    /my_library/saved
    >>> unregister_event_listener(print)
    """
    _tell(EVENTS, event, **kwargs)


def record_event_duration_secs(event: str, duration: float, **kwargs: str | int) -> None:
    """Tell the listeners that something took this many seconds.

    Args:
      event: its name, by convention a path.
      duration: how long it took.
      **kwargs: texts and numbers that belong to it.
    Returns:
      None.
    Raises:
      Exception: what a listener raises; those that were registered after it are not called.

    >>> register_event_duration_secs_listener(print)
    >>> record_event_duration_secs("/my_library/saving", 0.5)
    /my_library/saving 0.5
    >>> unregister_event_duration_listener(print)
    """
    _tell(DURATIONS, event, duration, **kwargs)


def record_event_time_span(event: str, start_time: float, end_time: float, **kwargs: str | int) -> None:
    """Tell the listeners that something began and ended at these times.

    Args:
      event: its name, by convention a path.
      start_time, end_time: in seconds of the epoch.
      **kwargs: texts and numbers that belong to it.
    Returns:
      None.
    Raises:
      Exception: what a listener raises; those that were registered after it are not called.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_event_time_span_listener(listen)
    >>> record_event_time_span("/my/work", 1.0, 1.5)
    >>> unregister_event_time_span_listener(listen)
    >>> seen
    [('/my/work', 1.0, 1.5)]
    """
    _tell(SPANS, event, start_time, end_time, **kwargs)


def record_scalar(event: str, value: float | int, **kwargs: str | int) -> None:
    """Tell the listeners that a quantity has this value now.

    Args:
      event: its name, by convention a path.
      value: the number.
      **kwargs: texts and numbers that belong to it.
    Returns:
      None.
    Raises:
      Exception: what a listener raises; those that were registered after it are not called.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_scalar_listener(listen)
    >>> record_scalar("/my/loss", 0.25)
    >>> unregister_scalar_listener(listen)
    >>> seen
    [('/my/loss', 0.25)]
    """
    _tell(SCALARS, event, value, **kwargs)


def register_event_listener(callback: Callable) -> None:
    """Call `callback(event, **kwargs)` for each event.

    Args:
      callback: a function; what it returns is dropped.
    Returns:
      None.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_event_listener(listen)
    >>> record_event("/my/event")
    >>> unregister_event_listener(listen)
    >>> seen
    [('/my/event',)]
    """
    EVENTS.append(callback)


def register_event_duration_secs_listener(callback: Callable) -> None:
    """Call `callback(event, duration, **kwargs)` for each duration.

    Args:
      callback: a function; what it returns is dropped.
    Returns:
      None.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_event_duration_secs_listener(listen)
    >>> record_event_duration_secs("/my/work", 0.5)
    >>> unregister_event_duration_listener(listen)
    >>> seen
    [('/my/work', 0.5)]
    """
    DURATIONS.append(callback)


def register_event_time_span_listener(callback: Callable) -> None:
    """Call `callback(event, start_time, end_time, **kwargs)` for each time span.

    Args:
      callback: a function; what it returns is dropped.
    Returns:
      None.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_event_time_span_listener(listen)
    >>> record_event_time_span("/my/work", 1.0, 1.5)
    >>> unregister_event_time_span_listener(listen)
    >>> seen
    [('/my/work', 1.0, 1.5)]
    """
    SPANS.append(callback)


def register_scalar_listener(callback: Callable) -> None:
    """Call `callback(event, value, **kwargs)` for each scalar.

    Args:
      callback: a function; what it returns is dropped.
    Returns:
      None.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_scalar_listener(listen)
    >>> record_scalar("/my/loss", 0.25)
    >>> unregister_scalar_listener(listen)
    >>> seen
    [('/my/loss', 0.25)]
    """
    SCALARS.append(callback)


def unregister_event_listener(callback: Callable) -> None:
    """Call a listener of events no more.

    Args:
      callback: the function that was registered.
    Returns:
      None.
    Raises:
      AssertionError: it was not registered.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_event_listener(listen)
    >>> record_event("/my/event")
    >>> unregister_event_listener(listen)
    >>> seen
    [('/my/event',)]
    """
    _remove(EVENTS, callback)


def unregister_event_duration_listener(callback: Callable) -> None:
    """Call a listener of durations no more.

    Args:
      callback: the function that was registered.
    Returns:
      None.
    Raises:
      AssertionError: it was not registered.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_event_duration_secs_listener(listen)
    >>> record_event_duration_secs("/my/work", 0.5)
    >>> unregister_event_duration_listener(listen)
    >>> seen
    [('/my/work', 0.5)]
    """
    _remove(DURATIONS, callback)


def unregister_event_time_span_listener(callback: Callable) -> None:
    """Call a listener of time spans no more.

    Args:
      callback: the function that was registered.
    Returns:
      None.
    Raises:
      AssertionError: it was not registered.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_event_time_span_listener(listen)
    >>> record_event_time_span("/my/work", 1.0, 1.5)
    >>> unregister_event_time_span_listener(listen)
    >>> seen
    [('/my/work', 1.0, 1.5)]
    """
    _remove(SPANS, callback)


def unregister_scalar_listener(callback: Callable) -> None:
    """Call a listener of scalars no more.

    Args:
      callback: the function that was registered.
    Returns:
      None.
    Raises:
      AssertionError: it was not registered.

    >>> seen = []
    >>> listen = lambda *args, **kwargs: seen.append(args)
    >>> register_scalar_listener(listen)
    >>> record_scalar("/my/loss", 0.25)
    >>> unregister_scalar_listener(listen)
    >>> seen
    [('/my/loss', 0.25)]
    """
    _remove(SCALARS, callback)


def _remove(listeners: list, callback: Callable) -> None:
    if callback not in listeners:
        raise AssertionError(f"{callback!r} is not a registered listener of this kind")
    listeners.remove(callback)


def clear_event_listeners() -> None:
    """Call no listener of any kind any more.

    >>> from adjoint import monitoring
    >>> monitoring.register_event_listener(lambda event, **_: print(event))
    >>> monitoring.record_event("/mine/began")
    /mine/began
    >>> monitoring.clear_event_listeners()
    >>> monitoring.record_event("/mine/ended")
    """
    for listeners in (EVENTS, DURATIONS, SPANS, SCALARS):
        listeners.clear()

_explain_missing(globals())
