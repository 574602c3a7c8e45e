"""The prompt of `breakpoint`: the frames that led to it, and commands to look at them.

A frame is kept as data (file, line, source, variables), because the program that stops may run long after
the Python functions that made it have returned. Arrays among the variables are operands of the callback.

Tests: `tests/debug/test_breakpoint.py`.
"""

from __future__ import annotations

import cmd
import inspect
import pprint
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import IO, Any

from ..core.messages.errors import message
from ..core.process.records import NamedTuple

__all__ = ["Frame", "Prompt", "debugger", "register_debugger", "run_debugger"]


class Frame(NamedTuple):
    """A frame of Python as data. `source` is of its function, and `offset` the place of the running line in it."""

    filename: str
    locals: dict[str, Any]
    globals: dict[str, Any]
    code_context: list[str]
    source: list[str]
    lineno: int
    offset: int

    @staticmethod
    def of(frame: FrameType) -> Frame:
        """Return what to keep of a frame, without its variables."""
        try:
            lines, start = inspect.getsourcelines(frame)
        except OSError:  # no source: typed in, or generated
            lines, start = [], frame.f_lineno
        offset = frame.f_lineno - max(start, 1)
        text, context = "".join(lines).split("\n"), lines[offset : offset + 1]
        return Frame(frame.f_code.co_filename, {}, frame.f_globals, context, text, frame.f_lineno, offset)

    def listing(self, before: int, after: int) -> str:
        """Return the place, and the lines around it."""
        first = max(self.offset - before, 0)
        shown = self.source[first : self.offset + after + 1]
        marked = [("->  " if first + i == self.offset else "    ") + text for i, text in enumerate(shown)]
        return "\n".join([f"> {self.filename}({self.lineno})", *marked])

    def summary(self) -> str:
        """Return two lines, as a traceback has them."""
        text = self.source[self.offset].strip() if self.offset < len(self.source) else ""
        return f'  File "{self.filename}", line {self.lineno}\n    {text}'


class Prompt(cmd.Cmd):
    """Reads commands until the program goes on. `frames` begin with the innermost."""

    prompt = "(jdb) "

    def __init__(
        self, frames: list[Frame], thread_id: int | None = None, stdin: IO[str] | None = None,
        stdout: IO[str] | None = None, completekey: str = "tab",
    ):
        stdin = sys.stdin if stdin is None else stdin
        super().__init__(completekey, stdin, sys.stdout if stdout is None else stdout)
        self.use_rawinput = stdin is sys.__stdin__ and stdin.isatty()
        self.frames, self.thread_id = frames, thread_id
        self.at = 0

    def run(self) -> None:
        self.cmdloop("Entering jdb:")

    def say(self, text: str) -> None:
        self.stdout.write(text + "\n")

    def evaluate(self, text: str, show) -> None:
        frame = self.frames[self.at]
        try:
            # The user's own expression, in the user's own process.
            self.say(show(eval(text, dict(frame.globals), dict(frame.locals))))
        except Exception as error:
            self.say("*** " + traceback.format_exception_only(error)[-1].split("\n")[0])

    def do_help(self, arg):
        """List the commands, or describe one."""
        doc = getattr(getattr(self, f"do_{arg}", None), "__doc__", None)
        if not arg or doc is None:
            return super().do_help(arg)
        first, *rest = inspect.cleandoc(doc).split("\n")
        return self.say("\n".join([first, *["    " + line for line in rest], "    "]))

    def default(self, line):
        self.evaluate(line, repr)

    def do_p(self, line):
        """p expression
        Evaluates and prints the value of an expression
        """
        self.evaluate(line, repr)

    def do_pp(self, line):
        """pp expression
        Evaluates and pretty-prints the value of an expression
        """
        self.evaluate(line, pprint.pformat)

    def do_list(self, line):
        """l(ist)
        List source code for the current file.
        """
        self.say(self.frames[self.at].listing(6, 5))

    def do_up(self, line):
        """u(p)
        Move up a stack frame.
        """
        self.move(1, "At topmost frame.")

    def do_down(self, line):
        """d(own)
        Move down a stack frame.
        """
        self.move(-1, "At bottommost frame.")

    def move(self, step: int, refusal: str) -> None:
        if 0 <= self.at + step < len(self.frames):
            self.at += step
        else:
            self.say(refusal)
        self.say(self.frames[self.at].listing(3, 2))

    def do_bt(self, line):
        """w(here)
        Prints a stack trace with the most recent frame on the bottom.
        'bt' is an alias for this command.
        """
        self.say("Traceback:")
        for frame in reversed(self.frames):
            self.say(frame.summary())

    def do_continue(self, line):
        """c(ont(inue))
        Continue the program's execution.
        """
        return True

    def do_quit(self, line):
        """q(uit), exit
        Quit the debugger. The program is given an exit command.
        """
        sys.exit(0)

    do_l = do_list
    do_u = do_up
    do_d = do_down
    do_w = do_where = do_bt
    do_c = do_cont = do_continue
    do_q = do_exit = do_EOF = do_quit


# ---- debuggers ----------------------------------------------------------------------------------


def run_debugger(
    frames: list[Frame], thread_id: int | None, stdin: IO[str] | None = None, stdout: IO[str] | None = None,
    completekey: str = "tab",
) -> None:
    """Read commands from the terminal, or from other files, until the program goes on."""
    Prompt(frames, thread_id, stdin, stdout, completekey).run()


_debuggers: dict[str, tuple[int, Callable[..., None]]] = {"cli": (-1, run_debugger)}


def register_debugger(name: str, debugger: Callable[..., None], priority: int) -> None:
    """Let `breakpoint(backend=name)` call a debugger.

    Args:
      name: of the debugger.
      debugger: a function of the frames, the innermost first, of the number of the thread or None, and of the options
        of the call.
      priority: among those that have been registered the one of the highest is the default.
    Raises:
      ValueError: the name is taken.
    """
    if name in _debuggers:
        raise ValueError(message(f"Debugger with name {name} already registered.", fix="another name"))
    _debuggers[name] = priority, debugger


def debugger(name: str | None) -> Callable[..., None]:
    """Return the debugger of this name; None is that of the highest priority.

    Raises:
      ValueError: there is none.
    """
    if name is None:
        return max(_debuggers.values(), key=lambda entry: entry[0])[1]
    if name not in _debuggers:
        raise ValueError(
            message(
                f"breakpoint() got an unknown backend, {name!r}", why=f"There are: {', '.join(sorted(_debuggers))}.",
                fix='debug.breakpoint(backend="cli")',
            )
        )
    return _debuggers[name][1]
