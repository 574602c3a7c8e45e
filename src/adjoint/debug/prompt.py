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
from types import FrameType
from typing import Any, NamedTuple

__all__ = ["Frame", "Prompt"]


class Frame(NamedTuple):
    """A frame of Python as data; `start` is the line of `source[0]`."""

    file: str
    function: str
    line: int
    source: tuple[str, ...]
    start: int
    names: dict[str, Any]

    @staticmethod
    def of(frame: FrameType) -> Frame:
        """Return what to keep of a frame, without its variables."""
        code = frame.f_code
        try:
            lines, start = inspect.getsourcelines(frame)
        except OSError:  # no source: typed in, or generated
            lines, start = [], frame.f_lineno
        text = "".join(lines).split("\n")
        return Frame(code.co_filename, code.co_qualname, frame.f_lineno, tuple(text), max(start, 1), {})

    def listing(self, before: int, after: int) -> str:
        """Return the place, and the lines around it."""
        at = self.line - self.start
        first = max(at - before, 0)
        shown = self.source[first : at + after + 1]
        marked = [("->  " if first + i == at else "    ") + text for i, text in enumerate(shown)]
        return "\n".join([f"> {self.file}({self.line})", *marked])

    def summary(self) -> str:
        """Return two lines, as a traceback has them."""
        at = self.line - self.start
        text = self.source[at].strip() if at < len(self.source) else ""
        return f'  File "{self.file}", line {self.line}\n    {text}'


class Prompt(cmd.Cmd):
    """Reads commands until the program goes on. `frames` begin with the innermost."""

    prompt = "(jdb) "

    def __init__(self, frames: list[tuple[Frame, dict]]):
        super().__init__(stdin=sys.stdin, stdout=sys.stdout)
        self.use_rawinput = sys.stdin is sys.__stdin__ and sys.stdin.isatty()
        self.frames = frames
        self.at = 0

    def run(self) -> None:
        self.cmdloop("Entering jdb:")

    def say(self, text: str) -> None:
        self.stdout.write(text + "\n")

    def evaluate(self, text: str, show) -> None:
        frame, outside = self.frames[self.at]
        try:
            # The user's own expression, in the user's own process.
            self.say(show(eval(text, dict(outside), dict(frame.names))))
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
        self.say(self.frames[self.at][0].listing(6, 5))

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
        self.say(self.frames[self.at][0].listing(3, 2))

    def do_bt(self, line):
        """w(here)
        Prints a stack trace with the most recent frame on the bottom.
        'bt' is an alias for this command.
        """
        self.say("Traceback:")
        for frame, _ in reversed(self.frames):
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
