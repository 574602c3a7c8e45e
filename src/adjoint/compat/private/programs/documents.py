"""Documents whose lines break where they must: names of `jax._src.pretty_printer`.

A group is on one line if that fits, and else all of its breaks are new lines. Colours and remarks are what a piece of
text has beside its letters; `_Page` writes them out, as codes of a terminal or as HTML.

Tests: `tests/compat/test_private_documents.py`.
"""

from __future__ import annotations

import enum
import html
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from ....core.process.records import NamedTuple

__all__ = ["CAN_USE_COLOR", "Color", "Doc", "Intensity", "OutputFormat", "brk", "color", "concat", "group", "join",
           "nest", "nil", "source_map", "text"]

CAN_USE_COLOR = False


class Color(enum.Enum):
    """Colours, as terminals number them."""

    BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, RESET = 30, 31, 32, 33, 34, 35, 36, 37, 39

    __repr__ = enum.Enum.__str__


class Intensity(enum.Enum):
    """The brightness of letters, as terminals number it."""

    DIM, NORMAL, BRIGHT = 2, 22, 1

    __repr__ = enum.Enum.__str__


class OutputFormat(enum.Enum):
    """A kind of output."""

    TEXT, HTML = 0, 1

    __repr__ = enum.Enum.__str__


class _Look(NamedTuple):
    """The look of letters."""

    foreground: Color = Color.RESET
    background: Color = Color.RESET
    intensity: Intensity = Intensity.NORMAL




def _codes(look: _Look) -> tuple[int, int, int]:
    """Return the numbers that terminals have for a look; those of backgrounds are ten more."""
    return look.foreground.value, look.background.value + 10, look.intensity.value


_PLAIN, _REMARK = _Look(), _Look(intensity=Intensity.DIM)


class Doc:
    """A document; made by the functions of this module."""

    def __new__(cls, *args: Any):
        if cls is Doc:
            raise TypeError("Doc is abstract and cannot be instantiated")
        return object.__new__(cls)

    def __add__(self, other: Doc) -> Doc:
        return concat([self, other])

    def __str__(self) -> str:
        return self.format()

    def format(
        self, width: int = 80, *, use_color: bool | None = None, output_format: OutputFormat | None = None,
        separable_lines: bool = False, annotation_prefix: str = " # ",
        source_map: list[list[tuple[int, int, Any]]] | None = None,
    ) -> str:
        """Return the text of a document.

        Args:
          width: how many columns a line has.
          use_color: whether colours are written.
          output_format: what for; default, a terminal.
          separable_lines: whether colours end with each line.
          annotation_prefix: what stands before a remark.
          source_map: a list that gets one for each line, of (first column, last column, source).
        """
        page = _Page(bool(use_color), output_format is OutputFormat.HTML, separable_lines, annotation_prefix)
        _write(self, width, page)
        if source_map is not None:
            source_map += page.sources
        return page.text()


class NilDoc(Doc):
    """Nothing."""

    def __repr__(self) -> str:
        return "nil"


class TextDoc(Doc):
    """A text, with a remark to the right of its line."""

    def __init__(self, text: str, annotation: str | None, anchor: str | None, href: str | None):
        self.text, self.annotation, self.anchor, self.href = text, annotation, anchor, href

    def __repr__(self) -> str:
        return f'text("{self.text}")' if self.annotation is None else (
            f'text("{self.text}", annotation="{self.annotation}")')


class ConcatDoc(Doc):
    """Documents one after the other."""

    def __init__(self, children: tuple[Doc, ...]):
        self.children = children

    def __repr__(self) -> str:
        return f"concat({', '.join(map(repr, self.children))})"


class BreakDoc(Doc):
    """A new line, or a text where the group is on one line."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return f'break("{self.text}")'


class GroupDoc(Doc):
    """A document that is on one line if that fits."""

    def __init__(self, child: Doc):
        self.child = child

    def __repr__(self) -> str:
        return f"group({self.child!r})"


class NestDoc(Doc):
    """A document whose new lines are indented."""

    def __init__(self, n: int, child: Doc):
        self.n, self.child = n, child

    def __repr__(self) -> str:
        return f"nest({self.n}, {self.child!r})"


class ColorDoc(Doc):
    """A document in colours."""

    def __init__(self, child: Doc, look: tuple[Color | None, Color | None, Intensity | None]):
        self.child, self.look = child, look

    def __repr__(self) -> str:
        looks = [str(x and x.name.lower()) for x in self.look]
        return f"color({self.child!r}, {', '.join(looks)})"


class SourceMapDoc(Doc):
    """A document that says what it was written from."""

    def __init__(self, child: Doc, source: Any):
        self.child, self.source = child, source

    def __repr__(self) -> str:
        return f"source({self.child!r}, {self.source!r})"


def _checked(name: str, **values: tuple[Any, type]) -> None:
    if not all([isinstance(x, kind) for x, kind in values.values()]):
        wanted = ", ".join([f"{key}: {kind.__name__}" for key, (_, kind) in values.items()])
        raise TypeError(f"{name}(): incompatible function arguments. The following argument types are supported:\n"
                        f"    1. {name}({wanted}) -> Doc\n\nInvoked with types: "
                        + ", ".join([type(x).__name__ for x, _ in values.values()]))


def nil() -> Doc:
    """Return a document of nothing."""
    return NilDoc()


def text(text: str, annotation: str | None = None, anchor: str | None = None, href: str | None = None) -> Doc:
    """Return a document of one text; its remark stands to the right of its line."""
    _checked("text", text=(text, str))
    return TextDoc(text, annotation, anchor, href)


def concat(children: Sequence[Doc]) -> Doc:
    """Return some documents as one."""
    children = tuple(children)
    for child in children:
        _checked("concat", children=(child, Doc))
    return ConcatDoc(children)


def brk(text: str = " ") -> Doc:
    """Return a place where a line may end; `text` stands there where it does not."""
    return BreakDoc(text)


def group(doc: Doc) -> Doc:
    """Return a document that is on one line if that fits."""
    _checked("group", doc=(doc, Doc))
    return GroupDoc(doc)


def nest(n: int, doc: Doc) -> Doc:
    """Return a document whose new lines are indented by `n` more columns."""
    _checked("nest", n=(n, int), child=(doc, Doc))
    return NestDoc(n, doc)


def color(
    child: Doc, foreground: Color | None = None, background: Color | None = None, intensity: Intensity | None = None
) -> Doc:
    """Return a document in colours; None leaves what is around it."""
    return ColorDoc(child, (foreground, background, intensity))


def source_map(doc: Doc, source: Any) -> Doc:
    """Return a document that says what it was written from."""
    return SourceMapDoc(doc, source)


def join(sep: Doc, docs: Sequence[Doc]) -> Doc:
    """Return documents with one between each two of them."""
    docs = list(docs)
    if len(docs) < 2:
        return docs[0] if docs else nil()
    return concat([part for doc in docs for part in (sep, doc)][1:])


# ---- how they are written ------------------------------------------------------------------------


def _fits(doc: Doc, room: int) -> bool:
    stack = [doc]
    while stack and room >= 0:
        d = stack.pop()
        if isinstance(d, (TextDoc, BreakDoc)):
            room -= len(d.text)
        elif isinstance(d, ConcatDoc):
            stack.extend(reversed(d.children))
        elif not isinstance(d, NilDoc):
            stack.append(d.child)                # type: ignore[attr-defined]
    return room >= 0


def _write(doc: Doc, width: int, page: _Page) -> None:
    stack: list[tuple[Any, int, bool, _Look, Any]] = [(doc, 0, False, _PLAIN, None)]
    while stack:
        d, indent, flat, look, source = stack.pop()
        if isinstance(d, TextDoc):
            page.put(d, look, source)
        elif isinstance(d, ConcatDoc):
            stack.extend([(x, indent, flat, look, source) for x in reversed(d.children)])
        elif isinstance(d, BreakDoc):
            page.put(TextDoc(d.text, None, None, None), look, source) if flat else page.new_line(indent)
        elif isinstance(d, GroupDoc):
            stack.append((d.child, indent, flat or _fits(d.child, width - page.column), look, source))
        elif isinstance(d, NestDoc):
            stack.append((d.child, indent + d.n, flat, look, source))
        elif isinstance(d, ColorDoc):
            inner = _Look(*[new or old for new, old in zip(d.look, look)])
            stack.append((d.child, indent, flat, inner, source))
        elif isinstance(d, SourceMapDoc):
            stack.append((d.child, indent, flat, look, (d.source,)))


class _Page:
    """Lines of pieces of text, each with its look; remarks by the line; where each source has its columns."""

    def __init__(self, colors: bool, is_html: bool, separable: bool, prefix: str):
        self.colors, self.is_html, self.separable, self.prefix = colors, is_html, separable, prefix
        self.lines: list[list[tuple[TextDoc, _Look]]] = [[]]
        self.remarks: list[list[str]] = [[]]
        self.sources: list[list[tuple[int, int, Any]]] = [[]]
        self.column = 0

    def put(self, piece: TextDoc, look: _Look, source: Any) -> None:
        """Write a piece of text."""
        self.lines[-1].append((piece, look))
        start, self.column = self.column, self.column + len(piece.text)
        if piece.annotation is not None:
            self.remarks[-1].append(piece.annotation)
        if source is not None:
            found = self.sources[-1]
            if found and found[-1][1] == start and found[-1][2] is source[0]:
                start = found.pop()[0]
            found.append((start, self.column, source[0]))

    def new_line(self, indent: int) -> None:
        """Begin a line, so far to the right."""
        self.lines.append([(TextDoc(" " * indent, None, None, None), _PLAIN)] if indent else [])
        self.remarks.append([])
        self.sources.append([])
        self.column = indent

    def text(self) -> str:
        """Return what was written."""
        lengths = [sum([len(piece.text) for piece, _ in line]) for line in self.lines]
        width = max(lengths)
        look, out = _PLAIN, []
        for line, remarks, length in zip(self.lines, self.remarks, lengths):
            written = []
            for piece, wanted in line:
                if piece.text.strip(" ") or wanted != _PLAIN:
                    written.append(self._change(look, wanted))
                    look = wanted if self.colors else look
                written.append(self._piece(piece, wanted))
            if self.separable:
                written.append(self._change(look, _PLAIN))
                look = _PLAIN
            if not remarks:
                out.append("".join(written))
                continue
            written.append(self._change(look, _PLAIN))
            look = _PLAIN
            rooms = [" " * (width - length), *[" " * width] * (len(remarks) - 1)]
            for room, remark in zip_longest(rooms, remarks):
                written.append(self._remark(room + self.prefix + remark, room))
                out.append("".join(written))
                written = []
        return "\n".join(out) + self._change(look, _PLAIN)

    def _change(self, old: _Look, new: _Look) -> str:
        codes = [str(b) for a, b in zip(_codes(old), _codes(new)) if a != b]
        return f"\x1b[{';'.join(codes)}m" if codes and self.colors and not self.is_html else ""

    def _piece(self, piece: TextDoc, look: _Look) -> str:
        if not self.is_html:
            return piece.text
        written = html.escape(piece.text).replace("&#x27;", "&apos;")
        links = [f'{key}="{value}"' for key, value in (("id", piece.anchor), ("href", piece.href)) if value is not None]
        if links:
            written = f"<a {' '.join(links)}>{written}</a>"
        return self._spanned(written, look)

    def _spanned(self, written: str, look: _Look) -> str:
        kinds = [f"ansi-{kind}-{code}" for kind, code, usual in zip(
            ("fg", "bg", "intensity"), _codes(look), _codes(_PLAIN)) if code != usual]
        return f'<span class="{" ".join(kinds)}">{written}</span>' if kinds and self.colors else written

    def _remark(self, written: str, room: str) -> str:
        if self.is_html:
            return self._spanned(written, _REMARK)
        if not self.colors:
            return written
        return room + self._change(_PLAIN, _REMARK) + written[len(room):] + self._change(_REMARK, _PLAIN)
