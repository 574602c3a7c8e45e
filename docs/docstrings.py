"""Docstrings as Markdown: a heading, the call, the sections, the examples.

They are read from the living objects: many functions are rows of tables and no `def`, and names are bound when they are
first used, so that tools that read sources see neither.

Tests: `tests/docs/test_site.py`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from adjoint.tools.pages import call

__all__ = ["described", "first_sentence"]

_TITLES = {"Causes": "Causes and cures", "Args": "Arguments",
           "Members": "Members", "Returns": "Returns", "Yields": "Yields", "Raises": "Errors",
           "Derivative": "Derivative", "Differences": "Differences", "See also": "See also", "Note": "Note"}
_SECTION = re.compile(rf"^({'|'.join(_TITLES)}):(?: +(\S.*))?$")
_ENTRY = re.compile(r"^([\w*][\w*, .]*): (.+)$")
_UNDERLINED = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)      # titles in NumPy's docstrings
_NAME = re.compile(r"(?<![\[`])`((?:\w+\.)*\w+)`(?!`)")


def first_sentence(text: str | None) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())


def described(
    name: str, value: Any, prefix: str, anchors: Callable[[str], str | None], is_member: bool = False
) -> Iterator[str]:
    """The lines of Markdown about a public object.

    Args:
      name: its name in its module.
      prefix: the module, or the class, as its anchor begins.
      anchors: where a name that a docstring mentions is described, None if nowhere.
      is_member: it belongs to a class: its first parameter is the object.
    """
    yield f"{'###' if is_member else '##'} `{name}` {{ #{prefix}.{name} }}"
    yield ""
    is_error = inspect.isclass(value) and issubclass(value, BaseException)      # which the library makes
    written = "" if is_error else call(name, value, 88, is_member)
    if written:
        yield from ("```python", written, "```", "")

    text = _UNDERLINED.sub(r"**\1**\n", inspect.cleandoc(value.__doc__ or ""))
    sections = list(_sections(text))
    own = {own for kind, lines in sections if kind in ("Args", "Members") for own in _listed(lines)}

    def link(found: re.Match) -> str:
        """An argument `where` is not the function `where`, but where the docstring refers to others."""
        place = None if kind != "See also" and found[1] in own else anchors(found[1])
        return f"[{found[0]}]({place})" if place and place != f"#{prefix}.{name}" else found[0]

    for kind, lines in sections:
        if kind == "Examples":
            yield from ("```python", *lines, "```", "")
            continue
        if kind:
            yield from (f"**{_TITLES[kind]}**", "")
        if kind == "Causes":
            yield from ("| cause | cure |", "|---|---|", *_rows(lines), "")
            continue
        shown = _entries(lines) if kind in ("Args", "Raises", "Members") else lines
        yield from (_NAME.sub(link, line) for line in shown)
        yield ""


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """The parts of a docstring: (title or "", lines), examples being a part each time they begin."""
    kind, lines = "", []
    for line in text.splitlines():
        title = _SECTION.match(line)
        starts_example = line.startswith(">>> ") and kind != "Examples"
        ends = kind in ("Examples", "Causes") and not line.strip()
        if title or starts_example or ends:
            if any(lines):
                yield kind, lines
            kind = title[1] if title else "Examples" if starts_example else ""
            lines = [title[2][0].upper() + title[2][1:]] if title and title[2] else [line] if starts_example else []
        else:
            lines.append(line)
    if any(lines):
        yield kind, lines


def _entries(lines: list[str]) -> Iterator[str]:
    """What a section of arguments or errors lists, as a list of Markdown."""
    body = inspect.cleandoc("\n".join(lines)).splitlines()
    for line in body:
        entry = _ENTRY.match(line)
        if entry:
            names = ", ".join(f"`{part.strip()}`" for part in entry[1].split(","))
            yield f"- {names}: {entry[2]}"
        else:
            yield f"  {line.strip()}" if line.startswith(" ") else line


def _listed(lines: list[str]) -> Iterator[str]:
    """The names that a section of arguments or members lists."""
    for entry in filter(None, map(_ENTRY.match, inspect.cleandoc("\n".join(lines)).splitlines())):
        yield from (part.strip(" *") for part in entry[1].split(","))


def _rows(lines: list[str]) -> Iterator[str]:
    """What a section of causes lists, two columns of text, as rows of a table."""
    for line in filter(str.strip, lines):
        cause, cure = re.split(r"  +", line.strip(), maxsplit=1)
        cells = [re.sub(r"\|", r"\\|", text) for text in (cause, cure)]
        yield f"| {cells[0]} | {cells[1]} |"
