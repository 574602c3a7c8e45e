"""Objects whose calls generated code may answer: what it reads of them is in a slot, which is at a known place.

Tests: `tests/engines/native/call/test_calls.py`.
"""

from __future__ import annotations

__all__ = ["DirectlyCallable", "FastPath"]


class DirectlyCallable:
    """The base of objects with prepared calls: `_direct` is a tuple of them, and first an array of their addresses."""

    __slots__ = ("_direct",)


class FastPath(DirectlyCallable):
    """A call of it is answered if one like it is prepared; otherwise it returns None."""

    __slots__ = ()

    def __call__(self, *args, **kwargs):
        return None

    @property
    def direct(self) -> tuple | None:
        return getattr(self, "_direct", None)

    @direct.setter
    def direct(self, prepared: tuple) -> None:
        self._direct = prepared
