"""Traced programs of jitted functions: what a call runs, and where the programs are kept.

Tests: `tests/transforms/test_jit.py`.
"""

from __future__ import annotations

import weakref
from typing import Any

from ...array.array import ArrayImpl, Donation
from ...core.messages.frames import user_code
from ...core.options.config import epoch
from ...core.process.memo import forget
from ...core.trace import Tracer, state
from ...core.values.refs import AbstractRef, Ref
from ...engines import compiled
from ...engines.placed.propagate import states_shardings
from ..calls import PLACES, run_executable
from .donations import donated_on_one, read_of

__all__ = ["MAX_PROGRAMS_PER_FUNCTION", "Entry", "clear", "clear_caches", "function_cache", "other_caches"]


class Entry:
    """A traced program of a jitted function."""

    __slots__ = (
        "again", "captured", "donated", "executable", "given", "in_tree", "is_placed", "is_repeated", "offered",
        "offered_and_read", "out_avals", "out_tree", "params", "prepared", "receivers", "states_shardings", "unusable",
    )

    def __init__(self, program, captured, in_tree, out_tree, params, offered=()):
        self.params = {"name": params.pop("name"), "jaxpr": program, **params}
        self.captured = captured  # what the function closes over: the leading operands
        self.in_tree = in_tree
        self.out_tree = out_tree
        self.out_avals = program.out_avals
        # Of the leaves: those that the user donates, that are read, whose arrays a call on one device gives away, and
        # for which it has no use there.
        self.offered = tuple(offered)
        self.offered_and_read = read_of(offered, program, len(captured), params["keep_unused"])
        self.donated, self.unusable = donated_on_one(self.offered_and_read, self.in_avals, program.out_avals)
        self.executable: Any = None
        self.prepared: list = []  # weak references to what generated code calls it by
        self.is_repeated = False  # the first call may be the only one
        self.is_placed = False  # a call looked at where its operands are
        self.again: Any = None  # runs it on operands over several devices that lie as those of a call before
        self.given: Any = ()  # of the leaves, which such a call gives away
        # The receivers of the donated leaves: all of a `Donation` but the place.
        self.receivers = [self.receiver(i) for i in self.donated]
        # Whether it says where values are; then it has no executable of its own, and calls ask each time.
        # The same for references among the operands, which are written.
        self.states_shardings = (
            states_shardings(program.jaxpr) or not params.keys().isdisjoint(PLACES)
            or any([type(a) is AbstractRef for a in program.in_avals])
        )

    @property
    def in_avals(self) -> tuple:
        """The types of the leaves."""
        return self.params["jaxpr"].in_avals[len(self.captured) :]

    def compiled(self, overrides: tuple = (), final: bool = False) -> Any:
        """The executable on the engine that is chosen; `final`: as good as it is going to be."""
        n, p = len(self.captured), self.params
        return compiled(p["jaxpr"], p["name"], tuple([i + n for i in self.donated]), overrides, final)

    def compile(self, overrides: tuple) -> None:
        """Make the executable, which the entry keeps."""
        self.executable = self.compiled(overrides)

    def run(self, *operands) -> list | None:
        """Results for what is captured and the leaves; None if one of them has a place of its own."""
        outs = run_executable(self.executable, operands, self.out_avals)
        if outs is not None and self.donated:
            self.give_away(operands[len(self.captured) :])
        return outs

    def receiver(self, i: int) -> tuple:
        """Return what has a donated leaf."""
        return self.params["name"], self.params["jaxpr"].jaxpr.debug_info, i

    def give_away(self, leaves, positions=None) -> None:
        """Take the donated arrays away from the caller, or those among them; their errors say which took them."""
        place = user_code()
        for i in self.donated if positions is None else positions:
            if isinstance(leaves[i], ArrayImpl):
                leaves[i]._buffer = None
                leaves[i]._device = Donation(*self.receiver(i), place)

    @property
    def is_prepared(self) -> bool:
        """Return whether generated code calls it, or will when it is not busy with the same program."""
        return state.calls_directly and any([(q := p()) is not None and q.is_free for p in self.prepared])

    def is_stale(self) -> bool:
        """Return whether the program closes over tracers of a transformation that is over, or what holds nothing."""
        return any(
            c.is_given_up if type(c) is Ref else isinstance(c, Tracer) and not c._trace.active for c in self.captured
        )


_caches: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
MAX_PROGRAMS_PER_FUNCTION = 4096  # traced programs of one function


class _Cache(dict):
    """The traced programs of a function, and what is prepared for calls of generated code."""

    direct: tuple | None = None  # for all `jit`s of the function


def function_cache(fun, settings) -> _Cache:
    """Return what is remembered of a function for a use that `settings` describe; it dies with the function."""
    try:
        return _caches.setdefault(fun, {}).setdefault(settings, _Cache())
    except TypeError:  # not hashable, or cannot be referred to weakly
        return _Cache()


other_caches: list = []  # of libraries, with a `cache_clear`, that go with ours


def clear_caches() -> None:
    """Forget every traced and compiled program, and all else that is remembered.

    >>> clear_caches()
    >>> jit(lambda x: x + 1)(1.0)
    Array(2., dtype=float32, weak_type=True)
    """
    for by_settings in _caches.values():
        for cache in by_settings.values():
            clear(cache)
    forget()
    for cache in other_caches:
        cache.cache_clear()


def clear(cache: _Cache) -> None:
    """Forget the programs of one function."""
    cache.clear()
    cache.direct = None
    epoch[0] += 1  # calls that are prepared for generated code count no more
