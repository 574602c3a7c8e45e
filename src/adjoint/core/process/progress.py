"""Progress on a terminal: a line that turns while something takes longer than two seconds.

It needs the package `rich`, stands on standard error, and goes when the work is done. There is none where standard
error is no terminal (pipes, notebooks, files), in a run of pytest, and with `ADJOINT_PROGRESS=0`.

Tests: `tests/core/test_progress.py`.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..options.config import local

__all__ = ["follow", "progress"]

_SECONDS_UNTIL_SHOWN = 2.0
_SECONDS_BETWEEN_TURNS = 0.1
_shown = threading.Lock()  # one line at a time; what begins inside of something else is part of it


def _is_wanted() -> bool:
    """Return whether standard error is shown to a user, as far as can be told without an import."""
    stream = sys.stderr
    try:
        is_terminal = stream is not None and stream.isatty()
    except ValueError:  # it is closed
        return False
    return is_terminal and local.progress and "PYTEST_CURRENT_TEST" not in os.environ


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Say what is done, if the block takes longer than two seconds.

    A thread shows it: the block itself may be one call of a compiler.
    """
    if not _is_wanted() or not _shown.acquire(blocking=False):
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_show, args=(done.wait, lambda: text), name="adjoint-progress", daemon=True)
    try:
        with suppress(RuntimeError):  # no thread can be started: the interpreter ends, or there are too many
            thread.start()
        yield
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()  # the line is gone before anything else is printed
        _shown.release()


def follow(wait: Callable[[float], bool], text: Callable[[], str]) -> None:
    """Wait, and say for what if it takes longer than two seconds; no thread is started.

    Args:
      wait: waits so many seconds at most; whether it is done.
      text: what is waited for.
    """
    if _is_wanted() and _shown.acquire(blocking=False):
        try:
            _show(wait, text)
        finally:
            _shown.release()
    while not wait(threading.TIMEOUT_MAX):
        pass


def _show(wait: Callable[[float], Any], text: Callable[[], str]) -> None:
    begin = time.monotonic()
    if wait(_SECONDS_UNTIL_SHOWN):
        return
    with suppress(Exception):  # the line is not worth an error
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        console = Console(stderr=True)
        if not console.is_terminal or console.is_dumb_terminal or console.is_jupyter:
            return
        turning = Spinner("dots")
        with Live(turning, console=console, auto_refresh=False, transient=True, redirect_stdout=False,
                  redirect_stderr=False) as line:
            while not wait(_SECONDS_BETWEEN_TURNS):
                turning.update(text=f"{text()} ({time.monotonic() - begin:.0f} s)")
                line.refresh()
