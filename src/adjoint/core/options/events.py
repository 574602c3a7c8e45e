"""Listeners that are told of events, by their kind; `adjoint.monitoring` is what users call.

Tests: `tests/extend/test_libraries.py`.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["DURATIONS", "EVENTS", "SCALARS", "SPANS", "notify"]

EVENTS: list[Callable] = []
DURATIONS: list[Callable] = []
SPANS: list[Callable] = []
SCALARS: list[Callable] = []


def notify(listeners: list[Callable], *what, **kwargs) -> None:
    """Call the listeners, in the order in which they came."""
    for listener in tuple(listeners):
        listener(*what, **kwargs)
