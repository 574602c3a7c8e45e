"""Bounded memories of what can be made again, and how those of programs are forgotten.

Tests: `tests/extend/test_interpreters.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

__all__ = ["Memo", "fact", "forget_programs"]

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


def fact(find: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Let a function of a program find its answer once: it is kept with the program."""

    @wraps(find)
    def found(jaxpr):
        try:
            return jaxpr.cache[find]
        except KeyError:
            answer = jaxpr.cache[find] = find(jaxpr)
            return answer

    return found
