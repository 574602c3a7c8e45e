"""Bounded memories of what can be made again, and how those of programs are forgotten.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

__all__ = ["Memo", "fact", "forget_programs", "of_closed"]

_of_programs: list[Memo] = []


class Memo(dict):
    """A dict that is emptied when it is full: each of its entries can be made again.

    Args:
      most: entries at a time.
      programs: it holds traced or compiled programs, which `jax.clear_caches` forgets. It then lives as long as the
        process.
    """

    __slots__ = ("most",)

    def __init__(self, most: int, *, programs: bool = False):
        super().__init__()
        self.most = most
        if programs:
            _of_programs.append(self)

    def keep(self, key: Any, value: Any) -> Any:
        """Remember and return a value."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value


def forget_programs() -> None:
    """Empty the memories of programs."""
    for memo in _of_programs:
        memo.clear()


def fact(find: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function of a program, and of hashable arguments, find its answer once: it is kept with the program."""

    @wraps(find)
    def found(jaxpr, *key):
        known = find, key
        return jaxpr.cache[known] if known in jaxpr.cache else jaxpr.cache.keep(known, find(jaxpr, *key))

    return found


def of_closed(make: Callable[..., Any]) -> Callable[..., Any]:
    """Keep what is made of a program with its constants, and of hashable arguments, with the program."""

    @wraps(make)
    def kept(closed, *key):
        cache = closed.jaxpr.cache
        found = cache.get((make, key))
        if found is None or found[0] is not closed:  # the constants belong to this one only
            found = cache.keep((make, key), (closed, make(closed, *key)))
        return found[1]

    return kept
