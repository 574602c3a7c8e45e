"""The line on a terminal that says what takes long; the terminal is a stream that says it is one."""

from __future__ import annotations

import builtins
import io
import sys
import threading
from types import SimpleNamespace

import pytest

import adjoint
from adjoint.core.process import progress

TURNS = 0.01
LONG = 0.6      # seconds until a line was shown for certain


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def look(monkeypatch):
    """Return a function that puts a stream in the place of standard error, on which lines are shown at once."""
    monkeypatch.setattr(progress, "_SECONDS_UNTIL_SHOWN", TURNS)
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_TURNS", TURNS)

    def put(stream=None):   # in the test itself: pytest sets these before each of its phases
        stream = stream or Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
        return stream

    return put


def shown_by(text="Compiling f"):
    """What is shown by work that ends when its line was seen, or after a time in which it would have been."""
    with progress.progress(text):
        end = threading.Event()
        for _ in range(int(LONG / TURNS)):
            if text in sys.stderr.getvalue() or end.wait(TURNS):
                break
    return sys.stderr.getvalue()


def test_what_takes_long_is_said_and_goes_when_it_is_done(look):
    look()
    text = shown_by()
    assert "Compiling f (0 s)" in text
    assert text.endswith("\x1b[2K")     # the line is erased
    assert not [t for t in threading.enumerate() if t.name == "adjoint-progress"]


def test_what_is_done_soon_is_not_said(look, monkeypatch):
    terminal = look()
    monkeypatch.setattr(progress, "_SECONDS_UNTIL_SHOWN", 2.0)
    with progress.progress("Compiling f"):
        pass
    assert terminal.getvalue() == ""


def test_an_error_goes_through(look):
    look()
    with pytest.raises(ZeroDivisionError), progress.progress("Compiling f"):
        raise ZeroDivisionError
    assert "Compiling g" in shown_by("Compiling g")


def test_there_is_one_line_at_a_time(look):
    terminal = look()
    with progress.progress("outside"):
        shown_by("inside")
    assert "inside" not in terminal.getvalue()


@pytest.mark.parametrize("where", ["pytest", "option", "pipe", "dumb terminal", "no rich"])
def test_nothing_is_shown_where_nobody_looks(look, monkeypatch, where):
    stream = look(io.StringIO() if where == "pipe" else None)
    if where == "pytest":
        monkeypatch.setenv("PYTEST_CURRENT_TEST", "this one")
    elif where == "option":
        monkeypatch.setattr(progress, "local", SimpleNamespace(progress=False))
    elif where == "dumb terminal":
        monkeypatch.setenv("TERM", "dumb")
    elif where == "no rich":
        real = builtins.__import__
        monkeypatch.setattr(builtins, "__import__", lambda name, *args: _refuse(real, name, *args))
    assert shown_by() == "" == stream.getvalue()


@pytest.mark.parametrize("is_closed", [False, True])
def test_without_standard_error_nothing_is_shown(look, monkeypatch, is_closed):
    stream = look()
    stream.close() if is_closed else monkeypatch.setattr(sys, "stderr", None)
    with progress.progress("Compiling f"):
        pass


def _refuse(real, name, *args):
    if name.startswith("rich"):
        raise ImportError(name)
    return real(name, *args)


def test_whoever_waits_says_for_what(look):
    terminal = look()
    left = list(range(20))

    def wait(seconds):
        del left[-1:]
        return not left

    progress.follow(wait, lambda: f"{len(left)} to be made")
    assert not left and "10 to be made (0 s)" in terminal.getvalue()


def test_the_option_is_one_of_ours():
    assert adjoint.config.progress is True
