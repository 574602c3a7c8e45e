"""Bounded memories of what can be made again, and how they are all forgotten.

Tests: `tests/core/test_memo.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar
from weakref import WeakValueDictionary

__all__ = ["Memo", "fact", "forget", "memoized", "of_closed"]

_Found = TypeVar("_Found", bound=Callable[..., Any])


class Memo(dict):
    """A dict that is emptied when it is full, and by `jax.clear_caches`: each of its entries can be made again.

    Args:
      most: entries at a time.
      is_part: it belongs to something that is dropped as a whole, such as a program, and `clear_caches` leaves it.
    """

    __slots__ = ("__weakref__", "most")

    def __init__(self, most: int, *, is_part: bool = False):
        super().__init__()
        self.most = most
        if not is_part:
            _memos[id(self)] = self

    def keep(self, key: Any, value: Any) -> Any:
        """Remember and return a value."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value


_memos: WeakValueDictionary[int, Memo] = WeakValueDictionary()
_functions: list = []  # that remember results


def memoized(most: int) -> Callable[[_Found], _Found]:
    """Let a function of a module remember so many results, as `functools.lru_cache` does, until all are forgotten."""

    def decorate(find: _Found) -> _Found:
        found = lru_cache(most)(find)
        _functions.append(found)
        return found  # type: ignore[return-value]

    return decorate


def forget() -> None:
    """Empty all memories."""
    for memo in list(_memos.values()):
        memo.clear()
    for function in _functions:
        function.cache_clear()


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
