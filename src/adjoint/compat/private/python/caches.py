"""Functions that remember what they gave. Names of `jax._src.util`."""

from __future__ import annotations

import functools
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ....core.options.config import trace_context
from ....core.process.records import NamedTuple

__all__ = ["cache", "clear_all_caches", "memoize", "multi_weakref_lru_cache", "register_cache", "weakref_lru_cache"]

_caches: list[weakref.ref] = []


def register_cache(cache: Any, for_what: str) -> None:
    """Have `clear_all_caches` empty something that has a method `cache_clear`."""
    _caches.append(weakref.ref(cache, _caches.remove))


def clear_all_caches() -> None:
    """Empty all caches that are registered."""
    for kept in [ref() for ref in _caches]:
        if kept is not None:
            kept.cache_clear()


def cache(max_size: int | None = 4096, trace_context_in_key: bool | Callable = True) -> Callable[[Callable], Callable]:
    """Return a decorator: a function remembers its results, by default for the options under which they were made.

    Args:
      max_size: how many results are kept.
      trace_context_in_key: whether options that change what is traced tell calls apart; or a function that gives
        what does.
    """
    def decorate(f: Callable) -> Callable:
        kept = functools.lru_cache(max_size)(lambda _context, *args, **kwargs: f(*args, **kwargs))
        context = trace_context_in_key if callable(trace_context_in_key) else trace_context

        @functools.wraps(f)
        def remembered(*args: Any, **kwargs: Any) -> Any:
            return kept(context() if trace_context_in_key else None, *args, **kwargs)

        remembered.cache_clear, remembered.cache_info = kept.cache_clear, kept.cache_info
        register_cache(remembered, "util.cache")
        return remembered

    return decorate


memoize = cache(max_size=None)


class Info(NamedTuple):
    """Counts of a cache: how often it had what was asked for, and how much it holds."""

    hits: int
    misses: int
    maxsize: int | None
    currsize: int


class _WeakCache:
    """A function that remembers its results as long as its first argument, or each argument that can go, lives."""

    def __init__(self, call: Callable, maxsize: int | None, in_context: bool, every: bool):
        functools.update_wrapper(self, call)
        self._call, self._maxsize, self._in_context, self._every = call, maxsize, in_context, every
        self._kept: OrderedDict = OrderedDict()
        self._hits = self._misses = 0
        register_cache(self, "util.weakref_lru_cache")

    def _key_of(self, value: Any, forget: Callable, needed: bool) -> Any:
        try:
            return weakref.ref(value, forget)
        except TypeError:
            if needed:
                raise
            return value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        mine = weakref.ref(self)

        def forget(dead: weakref.ref) -> None:
            self = mine()
            if self is not None:
                self._drop(dead)

        parts = tuple([self._key_of(x, forget, not self._every) if i == 0 or self._every else x
                       for i, x in enumerate(args)])
        key = trace_context() if self._in_context else None, parts, tuple(sorted(kwargs.items()))
        if key in self._kept:
            self._hits += 1
            self._kept.move_to_end(key)
            return self._kept[key]
        self._misses += 1
        found = self._kept[key] = self._call(*args, **kwargs)
        if self._maxsize is not None and len(self._kept) > self._maxsize:
            self._kept.popitem(last=False)
        return found

    def _drop(self, dead: weakref.ref) -> None:
        for key in [key for key in self._kept if any(part is dead for part in key[1])]:
            del self._kept[key]

    def evict_weakref(self, value: Any) -> None:
        """Forget the results for a first argument."""
        for key in [key for key in self._kept if isinstance(key[1][0], weakref.ref) and key[1][0]() is value]:
            del self._kept[key]

    def cache_keys(self) -> list:
        """Return the arguments whose results are kept."""
        return list(self._kept)

    def cache_info(self) -> Info:
        """Return how often results were there."""
        return Info(self._hits, self._misses, self._maxsize, len(self._kept))

    def cache_clear(self) -> None:
        """Forget all results."""
        self._kept.clear()
        self._hits = self._misses = 0


def weakref_lru_cache(
    f: Callable | None = None, *, maxsize: int | None = 2048, trace_context_in_key: bool = True,
    explain: Callable | None = None,
) -> Callable:
    """Return the function with results that are remembered as long as the first argument lives.

    Args:
      f: the function; without it, a decorator is returned.
      maxsize: how many results are kept.
      trace_context_in_key: whether options that change what is traced tell calls apart.
      explain: is not read.
    """
    if f is None:
        return functools.partial(weakref_lru_cache, maxsize=maxsize, trace_context_in_key=trace_context_in_key)
    return _WeakCache(f, maxsize, trace_context_in_key, every=False)


def multi_weakref_lru_cache(
    call: Callable, *, maxsize: int | None = 2048, trace_context_in_key: bool = True
) -> Callable:
    """Return the function with results that are remembered as long as all arguments live that can go."""
    return _WeakCache(call, maxsize, trace_context_in_key, every=True)
