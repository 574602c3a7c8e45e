"""Code in two tiers: made quickly when a program is first called, and well once it is called again.

Both are made from one text, with no pass that changes what is computed, so that results are equal to the last bit.
A caller of a function reads its address from a cell; better code is put there when it stands. It is made by a
thread of our own while the program runs, and what was begun for the cache on disk is finished when the process ends.
"""

from __future__ import annotations

import atexit
import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from functools import partial
from typing import Any
from weakref import ref

import numpy as np

from ....core.process.locks import TASKS, forks_take, making, tables
from ....core.process.processors import count
from ....core.process.progress import follow
from . import objects
from .machine import FINAL, QUICK, Library, Source, begin, image_of, is_stored, on_demand, owners

__all__ = ["Kernels", "begin_called", "later", "shared"]


_CELL = ".cell"  # the end of the symbol of what holds the address of a function of the runtime
_CELLS = re.compile(r"@(\w+\.cell)\b")
_OURS = re.compile(r"@(adjoint_\w+(?:\.cell)?)")


class Kernels:
    """The functions of a module; `cells` are the addresses, by name, of what holds their addresses.

    `structures` are the names of kernels and routines by their structure (program/table.py). `short` is another source
    of the same functions, for the first code; `shared_quick`: whether the functions of the runtime that they call are
    to be made quickly too.
    """

    __slots__ = (
        "__weakref__", "_called", "_is_waiting", "_libraries", "_short", "_source", "_words", "cells", "is_final",
        "names", "structures",
    )

    def __init__(self, source: Source, names, quick: bool, shared_quick: bool, short: Source | None = None):
        self._source, self._short, self.names = source, short or source, list(names)
        self._words = np.zeros(len(self.names), np.uint64)
        self.cells = {n: self._words.ctypes.data + 8 * i for i, n in enumerate(self.names)}
        self._libraries: list[Library] = []  # also the earlier one, which may be running
        self._is_waiting = False
        self.structures: dict[Any, str] = {}
        is_known = is_stored(source, FINAL)
        self.is_final = not quick or is_known
        self._called: set[_Shared] = set()
        # What is linked would be made quickly.
        called = [] if shared_quick or is_known else _CELLS.findall(source.text())
        self._use(FINAL if self.is_final else QUICK, called)
        if not shared_quick:
            self._finish_called(self._libraries[-1].uses)

    @property
    def text(self) -> str:
        """Return the text of the module."""
        return self._source.text()

    def _use(self, level: int, called: Iterable[str] = (), apart: bool = False) -> None:
        image = image_of(self._short if level == QUICK else self._source, level, apart)
        self._finish_called(called)
        library = Library(image, self.names)
        self._libraries.append(library)
        self._words[:] = [library.addresses[n] for n in self.names]
        self._called |= self._groups(library.uses)

    def _groups(self, symbols: Iterable[str]) -> set[_Shared]:
        """Return the functions of the runtime whose cells some symbols are."""
        found = [_shared.get(symbol.removesuffix(_CELL)) for symbol in symbols if symbol.endswith(_CELL)]
        return {group for group in found if group is not None} - {_shared.get(self.names[0])}

    def _finish_called(self, symbols: Iterable[str]) -> None:
        for group in self._groups(symbols):
            group.kernels(quick=False)

    def finish(self, apart: bool = False) -> None:
        """Make the final code now, if it is not there; `apart`: while other threads make other code."""
        before = list(self._called)
        for group in before:
            group.kernels(quick=True).finish(apart)
        with nullcontext() if apart else making:
            if not self.is_final:
                self._use(FINAL, apart=apart)
                self.is_final = True
        for group in self._called.difference(before):
            group.kernels(quick=True).finish(apart)

    def owners(self) -> set[str]:
        """Return the names of the modules that have what this code calls, and what that calls."""
        own = owners([symbol for library in self._libraries for symbol in library.uses])
        return own.union(*[group.kernels(quick=True).owners() for group in self._called])

    def improve(self) -> None:
        """Let the final code be made in the background."""
        called_are_final = all([group.kernels(quick=True).is_final for group in self._called])
        if not (self.is_final and called_are_final) and not self._is_waiting:
            self._is_waiting = True
            later(partial(_improve, ref(self)))


def _improve(kernels: ref[Kernels]) -> None:
    """Make the final code of a module, if a program still has it."""
    found = kernels()
    if found is None:
        return
    try:
        found.finish(apart=True)
    except Exception:  # the first code stays, whatever was wrong
        found.is_final = True


# ---- functions that others call ------------------------------------------------------------------

class _Shared:
    """Functions of the runtime, made when the first code that calls one of them is."""

    def __init__(self, symbols: list[str], text: Callable[[], str], short: Callable[[], str] | None, calls: tuple):
        self._symbols = symbols
        self.source = Source(text, " ".join(symbols), calls)
        self.short = None if short is None else Source(short, f"short {self.source.name}", calls)
        self._kernels: Kernels | None = None

    def first(self, quick: bool) -> tuple[Source, int] | None:
        """Return what is compiled when the functions are first called."""
        if self._kernels is not None:
            return None if quick or self._kernels.is_final else (self.source, FINAL)
        return (self.short or self.source, QUICK) if quick else (self.source, FINAL)

    def kernels(self, quick: bool) -> Kernels:
        if self._kernels is None:
            with making:
                if self._kernels is None:
                    self._kernels = Kernels(self.source, self._symbols, quick, quick, self.short)
        if not quick:
            self._kernels.finish()
        return self._kernels

    def cell(self, symbol: str) -> int:
        """Return where the address of the best code there is stands."""
        return self.kernels(quick=True).cells[symbol]


_shared: dict[str, _Shared] = {}


def shared(
    module: str, symbols: list[str], text: Callable[[], str], short: Callable[[], str] | None = None,
    calls: tuple[str, ...] = (),
) -> None:
    """Let generated code call functions, in two tiers too, of the module that `text` gives, at addresses in cells.

    Args:
      module: the name of the module of Python that calls this.
      short: gives a text that takes less time to compile, and more to run.
      calls: functions of the runtime that the text calls.
    """
    group = _Shared(symbols, text, short, calls)
    for symbol in symbols:
        _shared[symbol] = group
        on_demand(module, f"{symbol}.cell", partial(group.cell, symbol), group.first)


def begin_called(text: str, quick: bool) -> None:
    """Let the thread make functions of the runtime that a text calls, if that is no time lost for the program."""
    if (symbols := _OURS.findall(text)) and count() > 1:
        for task in begin(symbols, quick):
            later(task)


# ---- the thread ----------------------------------------------------------------------------------

_waiting: deque[Callable[[], None]] = deque()
_at_work = threading.RLock()  # held while LLVM is used without its lock: no fork then
forks_take(TASKS, _at_work)
_thread: threading.Thread | None = None


def later(task: Callable[[], None]) -> None:
    """Let the thread do something."""
    global _thread
    with tables:
        _waiting.append(task)
        if _thread is None:
            _thread = threading.Thread(target=_work, name="adjoint-compiler", daemon=True)
            try:
                _thread.start()
            except BaseException:  # Ctrl-C: it ends, if it has begun
                _thread = None
                raise


def _work() -> None:
    global _thread
    while True:
        with tables:
            if _thread is not threading.current_thread():
                return
            if not _waiting:
                _thread = None
                return
            task = _waiting[0]
        with _at_work, suppress(Exception):  # the next in the line gets a turn, whatever was wrong
            task()
        with tables:
            _waiting.popleft()


def _end() -> None:
    """Wait for the thread, which must not run while the interpreter is taken down."""
    thread = _thread
    if objects.folder() is None:
        with tables:
            while len(_waiting) > 1:
                _waiting.pop()
    if thread is not None:
        follow(partial(_is_over, thread), lambda: f"Keeping better code for the next run: {len(_waiting)} to be made")


def _is_over(thread: threading.Thread, seconds: float) -> bool:
    thread.join(seconds)
    return not thread.is_alive()


def _forked() -> None:
    """A child has no such thread; the next program that is called again starts one, for what waits too."""
    global _thread
    _thread = None


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
