"""Pages as programs: what of a page is run, and in which order.

A block of ``python`` is a series of examples with prompts, or, with ``title="name.py"``, a file that commands of the
page can use. A block of ``console`` is commands after ``$`` with what they print. Both are run in one folder, which is
empty at first, and compared. Blocks of other languages (``sh``, ``text``, ``toml`` ...) are shown and not run.

Tests: `tests/docs/test_examples.py`.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Block", "blocks", "names", "program"]

_FENCE = re.compile(r"^([ ]*)```([\w-]*)(.*)$")
_TITLE = re.compile(r'title="([^"]+)"')
_SOURCE = Path(__file__).parents[2] / "src"


class Block(NamedTuple):
    """A fenced block: its language, what stands behind that, its text without indentation, its first line's number."""

    language: str
    rest: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    opening, body = None, []
    for number, line in enumerate(page.splitlines()):
        fence = _FENCE.match(line)
        if opening is None and fence:
            opening, body, start = fence, [], number + 1
        elif opening is not None and fence and not fence[2]:
            indent = len(opening[1])
            yield Block(opening[2], opening[3], "".join(f"{text[indent:]}\n" for text in body), start)
            opening = None
        else:
            body.append(line)


def program(page: str) -> list[doctest.Example]:
    """What of a page is run: its examples, its files and its commands, as examples of one program."""
    parse = doctest.DocTestParser().get_examples
    examples = []
    for block in blocks(page):
        title = _TITLE.search(block.rest)
        if block.language == "python" and title:
            examples.append(doctest.Example(f"_write({title[1]!r}, {block.text!r})", "", lineno=block.line))
        elif block.language == "python":
            for example in parse(block.text):
                example.lineno += block.line
                examples.append(example)
        elif block.language == "console":
            for command in ("\n" + block.text).split("\n$ ")[1:]:
                line, _, output = command.partition("\n")
                examples.append(doctest.Example(f"_run({line!r})", output, lineno=block.line))
    return examples


def _write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf8")


def _run(command: str) -> None:
    """Run a command in the folder of the page, with this Python and this package, and print its standard output."""
    path = os.pathsep.join([str(_SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])])
    words = re.sub(r"(?<![\w./-])python(?= )", lambda _: sys.executable, command)
    done = subprocess.run(words, shell=True, text=True, capture_output=True, env={**os.environ, "PYTHONPATH": path})
    print(done.stdout, end="")


def names() -> dict:
    """What files and commands of a page are run by."""
    return {"_write": _write, "_run": _run}
